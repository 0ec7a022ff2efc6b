"""Terms to SymPy and back, for antiderivatives and factors; what comes back is checked by the kernel."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

import sympy

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import OutOfTime, spend
from qtheory.proofs.tactics.stopping import awake

T = TypeVar("T")
LONG = 5.0  # seconds of processor time for a question, a hundred times what those of the papers' proofs take
IN_VAIN = 40  # times the work of an ordinary question, for one that takes longer


def to_sympy(term: Node, positive: frozenset[str] = frozenset()) -> Any:
    """The term as a SymPy expression over real symbols, those named positive as such."""
    if isinstance(term, Fraction):
        return sympy.Rational(term.numerator, term.denominator)
    if isinstance(term, str):
        return sympy.Symbol(term, positive=True) if term in positive else sympy.Symbol(term, real=True)
    parts = [to_sympy(t, positive) for t in term[1:]] if term[0] in _TO else []
    if not parts:
        raise Stuck(f"{term[0]} has no SymPy form here")
    return _TO[term[0]](*parts)


_TO: dict[str, Any] = {"+": sympy.Add, "*": sympy.Mul,
                       **{head: f.sympy for head, f in FUNCTIONS.items() if f.sympy is not None}}
_FROM = [(sympy.Add, "+"), (sympy.Mul, "*"), *((f.sympy, head) for head, f in FUNCTIONS.items() if f.returns)]


def answer(question: Callable[[], T]) -> T:
    """SymPy's answer to one of the questions that may take it for ever, which counts no work; Stuck where it does, and
    where SymPy itself divides by zero."""
    spend("sympy")
    try:
        with awake(LONG):
            return question()
    except OutOfTime:
        spend("sympy", IN_VAIN)
        raise Stuck("SymPy takes too long") from None
    except ZeroDivisionError:
        raise Stuck("SymPy has no answer") from None


def from_sympy(expr: Any) -> Node:
    """A term for the SymPy expression; Stuck outside the whitelist."""
    if isinstance(expr, sympy.Symbol):
        return str(expr.name)
    if isinstance(expr, sympy.Rational):
        return Fraction(int(expr.p), int(expr.q))
    if expr is sympy.E:
        return ("exp", Fraction(1))
    for kind, head in _FROM:
        if isinstance(expr, kind):
            parts = [from_sympy(a) for a in expr.args]
            if head == "^" and parts[1] == Fraction(1, 2):
                return ("sqrt", parts[0])
            while len(parts) > 2:
                parts = [(head, *parts[:2]), *parts[2:]] if head == "^" else parts
                if head != "^":
                    break
            return (head, *parts)
    raise Stuck(f"SymPy answered with {type(expr).__name__}")
