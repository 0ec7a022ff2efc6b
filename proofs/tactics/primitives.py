"""Antiderivatives: of the common summands by their shape, of others by SymPy; the kernel differentiates them back."""

from __future__ import annotations

from fractions import Fraction

import sympy

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, Node, free
from qtheory.proofs.tactics.bridge import answer, from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.elimination import fold, linear


def primitive(body: Node, x: str, *, negative: bool = False) -> Node | None:
    """A term with derivative ``body`` in x: sums of constants times x, and powers, exp and log of linear terms.

    ``negative``: linear terms under a fraction bar are negative on the interval (log|u| is then log(-u)).
    """
    if x not in free(body):
        return ("*", body, x)
    if body == x:
        return ("*", Fraction(1, 2), ("^", x, Fraction(2)))
    head = body[0]
    if head == "+":
        parts = [primitive(t, x, negative=negative) for t in body[1:]]
        return None if None in parts else ("+", *parts)
    if head == "*":
        flat = fold(body)
        factors = flat[1:] if isinstance(flat, tuple) and flat[0] == "*" else (flat,)
        moving = [t for t in factors if x in free(t)]
        fixed = [t for t in factors if x not in free(t)]
        if len(moving) != 1 or moving[0] == body:
            return None
        inner = primitive(moving[0], x, negative=negative)
        return None if inner is None else ("*", ONE, *fixed, inner)
    return _of_linear(body, x, negative)


def _of_linear(body: Node, x: str, negative: bool) -> Node | None:
    function = FUNCTIONS.get(body[0])
    pair = linear(body[1], x) if function is not None and function.primitive is not None else None
    if pair is None or function is None or function.primitive is None:
        return None
    inner = function.primitive(body, negative)
    if inner is None:
        return None
    return ("*", ("^", pair[0], MINUS), *(inner[1:] if inner[0] == "*" else (inner,)))


def beyond(body: Node, x: str) -> bool:
    """Is it a constant times exp of a polynomial in x of degree 2 or more?  That has no elementary antiderivative
    (Liouville), and SymPy takes a second to find none."""
    moving, fixed = _moving(body, x)
    if not fixed or len(moving) != 1:
        return False
    factors = next(iter(moving))
    if any(not isinstance(f, tuple) or f[0] != "exp" for f, _ in factors):
        return False
    powers, fixed = _moving(("+", Fraction(0), *(("*", Fraction(e), f[1]) for f, e in factors)), x)
    polynomial = all(f == x for m in powers for f, _ in m)
    return fixed and polynomial and max((e for m in powers for _, e in m), default=0) >= 2


def _moving(t: Node, x: str) -> tuple[set[tuple[tuple[Node, int], ...]], bool]:
    """The part in x of each monomial, as (atom, power) pairs; are the denominators free of x?"""
    forms = Forms()
    num, den = forms.quotient(t)
    moving = {tuple((forms.names[a], e) for a, e in m if x in free(forms.names[a])) for m in num}
    return moving, all(x not in free(forms.names[a]) for d in den for m, _ in d for a, _ in m)


def antiderivative(body: Node, x: str, positive: frozenset[str]) -> Node:
    """An antiderivative by SymPy, without its conditions."""
    if beyond(body, x):
        raise Stuck("no elementary antiderivative")
    expr = to_sympy(body, positive - {x})
    result = answer(lambda: sympy.integrate(expr, sympy.Symbol(x, real=True), conds="none"))
    if isinstance(result, sympy.Piecewise):
        result = result.args[0][0]
    return from_sympy(sympy.expand(result))


__all__ = ["antiderivative", "beyond", "primitive"]
