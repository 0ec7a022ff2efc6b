"""Terms to SymPy and back, for antiderivatives and factors; what comes back is checked by the kernel."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

import sympy
from flint import fmpq, fmpq_mpoly_ctx

from qtheory.proofs.kernel.poly import Forms, Poly
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import OutOfTime, spend
from qtheory.proofs.tactics.signed import poly_term, summands
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


_TO: dict[str, Any] = {"+": sympy.Add, "*": sympy.Mul, "^": sympy.Pow, "exp": sympy.exp, "log": sympy.log,
                       "sqrt": sympy.sqrt, "max": sympy.Max, "floor": sympy.floor}


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
    if isinstance(expr, sympy.exp):
        return ("exp", from_sympy(expr.args[0]))
    if expr is sympy.E:
        return ("exp", Fraction(1))
    for kind, head in ((sympy.Add, "+"), (sympy.Mul, "*"), (sympy.Pow, "^"), (sympy.log, "log")):
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


class Rational:
    """Reduced quotients of polynomials over the atoms of a table."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        names = [f"a{i}" for i in range(max(1, len(forms.names)))]
        self.ring = fmpq_mpoly_ctx.get(names, "degrevlex")

    def poly(self, p: Poly) -> Any:
        n = self.ring.nvars()
        out: dict[tuple[int, ...], fmpq] = {}
        for m, c in p.items():
            key = [0] * n
            for atom, e in m:
                key[atom] = e
            out[tuple(key)] = fmpq(c.numerator, c.denominator)
        return self.ring.from_dict(out)

    def back(self, p: Any) -> Poly:
        return {tuple((i, int(e)) for i, e in enumerate(key) if e): Fraction(int(c.p), int(c.q))
                for key, c in p.to_dict().items()}

    def reduced(self, num: Poly, den: dict) -> tuple[Any, Any]:
        """Numerator and denominator without common factor."""
        top, below = self.poly(num), self.ring.from_dict({(0,) * self.ring.nvars(): fmpq(1)})
        for factor, e in den.items():
            below *= self.poly(dict(factor)) ** e
        common = top.gcd(below) if num else below
        return (top // common, below // common) if num else (top, below // common)

    def factors(self, p: Any) -> tuple[Fraction, list[tuple[Poly, int]]]:
        content, parts = p.factor()
        return Fraction(int(content.p), int(content.q)), [(self.back(f), int(e)) for f, e in parts]

    def split(self, num: Poly, den: dict) -> tuple[Fraction, list[tuple[Poly, int]]]:
        """The quotient as a number times powers of irreducible polynomials."""
        top, below = self.reduced(num, den)
        content, above = self.factors(top)
        size, under = self.factors(below)
        return content / size, above + [(p, -e) for p, e in under]


def shortest(term: Node) -> Node:
    """The shorter of: the whole over one denominator, and the summands over theirs."""
    whole = reduce_term(term)
    pieces = summands(term)
    if len(pieces) < 2 or len(pieces) > 60:
        return whole
    groups: dict[Node, list[Node]] = {}
    for piece in pieces:
        piece = reduce_term(piece)
        forms = Forms()
        _, den = forms.quotient(piece)
        key = frozenset((poly_term(forms, dict(f)), e) for f, e in den.items())
        groups.setdefault(key, []).append(piece)
    parts = [reduce_term(("+", *g) if len(g) > 1 else g[0]) for g in groups.values()]
    parts = [p for p in parts if p != 0]
    split = Fraction(0) if not parts else parts[0] if len(parts) == 1 else ("+", *parts)
    return split if _size(split) < _size(whole) else whole


def _size(term: Node) -> int:
    return 1 + sum(_size(c) for c in term[1:]) if isinstance(term, tuple) else 1


def reduce_term(term: Node) -> Node:
    """The term as a polynomial over factors, without common factor, in a standard order."""
    spend("form")
    return _reduced(term)


@lru_cache(maxsize=5_000)  # a search reduces the terms of one goal again and again, under ever more facts
def _reduced(term: Node) -> Node:
    forms = Forms()
    num, den = forms.quotient(term)
    rational = Rational(forms)
    top, below = rational.reduced(num, den)
    content, rows = rational.factors(below)
    high, lower = rational.back(top), []
    for p, e in rows:
        lead = p[min(p)]
        content *= lead**e
        lower.append(("^", poly_term(forms, {m: c / lead for m, c in p.items()}), Fraction(-e)))
    upper = poly_term(forms, {m: c / content for m, c in high.items()})
    if not lower:
        return upper
    pieces = lower if upper == 1 else [upper, *lower]
    return pieces[0] if len(pieces) == 1 else ("*", *pieces)
