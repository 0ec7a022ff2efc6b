"""Antiderivatives of the common summands, without SymPy; the kernel differentiates them back."""

from __future__ import annotations

from fractions import Fraction

from qtheory.proofs.kernel.terms import MINUS, ONE, Node, free, neg_term
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
    head, u = body[0], body[1]
    pair = linear(u, x) if head in ("^", "exp", "log") else None
    if pair is None:
        return None
    scale = ("^", pair[0], MINUS)
    if head == "exp":
        return ("*", scale, body)
    if head == "log":
        return ("*", scale, ("+", ("*", u, body), neg_term(u)))
    if not isinstance(body[2], Fraction):
        return None
    if body[2] == -1:
        return ("*", scale, ("log", neg_term(u) if negative else u))
    return ("*", scale, 1 / (body[2] + 1), ("^", u, body[2] + 1))


__all__ = ["primitive"]
