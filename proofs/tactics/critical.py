"""Counterexamples in a narrow set: between the zeros of the literals' terms, and around rest points, found to many
digits.

Floating point and simple numbers miss a set of width 1e-20, such as the x beyond 1 and below 1 + 1e-20.  Its ends are
zeros of what is compared, or places where that has no value: between two neighbouring ones, one variable at a time, the
simplest rational is tried, the other variables being simple numbers.

Where a term is positive near its greatest value alone, all its slopes vanish close by, as a rule at no rational point:
neighbours of ever more digits are tried, and numbers such as exp(1/2) that the place may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import Any

import mpmath
import numpy as np
import sympy

from qtheory.proofs.kernel.poly import MAX_EXPONENT
from qtheory.proofs.kernel.terms import Node, substitute
from qtheory.proofs.tactics.bridge import answer, to_sympy
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.elimination import Layout
from qtheory.proofs.tactics.points import Candidate, exact, pool

DIGITS = 50
CLOSE = sympy.Rational(1, 10**40)
MOST_DEGREE, MOST_VARIABLES, PLACES = 10, 3, 4
LONGEST = 10**400  # of the numbers that the kernel reads
APPROACH = (4, 10, 22, 45)  # digits of neighbours of a rest point
NEAR = 1e-7  # relative: closer than this two numbers are taken for one, until the kernel says otherwise
BESIDE = 0.05  # relative: starts so close to one another are one
UNDEFINED = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)  # what SymPy makes of 1/0 and its like
NO_NUMBER = (ValueError, ZeroDivisionError, TypeError, AttributeError, ArithmeticError, NameError,
             NotImplementedError)  # the last for the derivative of a floor


def between_zeros(literals: Sequence[Node], layout: Layout) -> Iterator[Candidate]:
    """Places at which, to many digits, all literals hold."""
    if layout.terms or layout.roots or not 0 < len(layout.chosen) <= MOST_VARIABLES:
        return
    compared = [lit for lit in literals if lit[0] in (">", ">=", "!=")]
    if len(compared) < len([lit for lit in literals if lit[0] != "isint"]):
        return
    try:
        terms = [(lit[0], to_sympy(lit[1])) for lit in compared]
    except (Stuck, NotImplementedError):
        return
    if any(map(_beyond, (t for _, t in terms))):
        return
    for v in layout.chosen:
        others = [u for u in layout.chosen if u != v]
        for fixed in islice(product(*(pool(u, layout)[:PLACES] for u in others)), PLACES):
            spend("sympy")
            at = dict(zip(others, fixed, strict=True))
            here = [(relation, t.subs({_symbol(t, u): sympy.Rational(q.numerator, q.denominator)
                                       for u, q in at.items()})) for relation, t in terms]
            if any(t.has(*UNDEFINED) for _, t in here):
                continue
            for q in _places(here, v, v in layout.whole):
                if all(_holds(relation, t, {v: q}) for relation, t in here):
                    yield {**at, v: q}


def _beyond(t: Any) -> bool:
    """Is there a number or a power that no certificate holds?  SymPy would take seconds for the zeros."""
    long = any(max(abs(int(q.p)), int(q.q)) > LONGEST for q in t.atoms(sympy.Rational))
    return long or any(p.exp.is_Integer and abs(p.exp) > MAX_EXPONENT for p in t.atoms(sympy.Pow))


def _symbol(t: Any, name: str) -> Any:
    return next((s for s in t.free_symbols if s.name == name), sympy.Symbol(name, real=True))


def _places(terms: Sequence[tuple[str, Any]], v: str, whole: bool) -> list[Fraction]:
    """The zeros that are rational, what lies between neighbours, and beyond the outermost."""
    zeros = {Fraction(0)}
    smooth = []
    for _, t in terms:
        exact = _zeros(t, v)
        zeros |= exact or set()
        smooth += [t] if exact is None else []
    for t in smooth:
        zeros |= {q for start in sorted(zeros | {Fraction(1)}) if (q := _near(t, v, start)) is not None}
    line = sorted(zeros)
    if whole:
        return sorted({Fraction(n) for q in line for n in (q.__floor__() - 1, q.__floor__(), q.__floor__() + 1)})
    inner = [simplest(a, b) for a, b in pairwise(line)]
    return [*inner, *(q for q in line if q.denominator < 10**30), line[0] - 1, line[-1] + 1]


def _zeros(t: Any, v: str) -> set[Fraction] | None:
    """Those of the numerator and denominator of a quotient of polynomials, to many digits; None for other terms."""
    x = _symbol(t, v)
    try:
        parts = [sympy.Poly(p, x, domain="QQ") for p in sympy.fraction(sympy.together(t)) if p.has(x)]
    except (sympy.PolynomialError, sympy.CoercionFailed):
        return None
    if any(p.degree() > MOST_DEGREE for p in parts):
        return set()
    found = [pair for p in parts for pair, _ in answer(lambda p=p: p.intervals(eps=CLOSE))]  # type: ignore[misc]
    return {Fraction(int(a.p), int(a.q)) if a == b else _middle(a, b) for a, b in found}


def _middle(a: Any, b: Any) -> Fraction:
    middle = (a + b) / 2
    return Fraction(int(middle.p), int(middle.q))


def _near(t: Any, v: str, start: Fraction) -> Fraction | None:
    """A zero near the place, by the secant method."""
    with mpmath.workdps(DIGITS):
        x = mpmath.mpf(start.numerator) / start.denominator
        try:
            f = _function([_symbol(t, v)], t)
            root = mpmath.findroot(f, (x, x + mpmath.mpf(10) ** -9), maxsteps=12)
            if mpmath.im(root) or not mpmath.isfinite(root):
                return None
            return Fraction(str(mpmath.nstr(mpmath.re(root), 45)))
        except NO_NUMBER:
            return None


def _function(names: Sequence[Any], terms: Any) -> Callable[..., Any]:
    """Of numbers of many digits. ValueError for what SymPy cannot write as one, such as 1/0."""
    try:
        function: Callable[..., Any] = sympy.lambdify(names, terms, "mpmath")
    except KeyError as error:
        raise ValueError(f"no number: {error}") from error
    return function


def _holds(relation: str, t: Any, at: dict[str, Fraction]) -> bool:
    with mpmath.workdps(3 * DIGITS):
        try:
            value = _function([_symbol(t, v) for v in at], t)(
                *(mpmath.mpf(q.numerator) / q.denominator for q in at.values()))
            value = mpmath.mpmathify(value)
        except NO_NUMBER:
            return False
        if isinstance(value, mpmath.mpc):
            return False
        size = mpmath.mpf(10) ** -(2 * DIGITS)
        return bool(value >= -size if relation == ">=" else value > size if relation == ">" else abs(value) > size)


def rest_points(literals: Sequence[Node], layout: Layout, starts: Sequence[dict[str, float]],
                ) -> Iterator[tuple[Layout, Candidate]]:
    """Places around those where a literal's term is greatest, near the starts, at which all literals hold."""
    moving = [v for v in layout.chosen if v not in layout.whole]
    if layout.roots or not 0 < len(moving) <= MOST_VARIABLES or any(lit[0] == "isint" and not isinstance(lit[1], str)
                                                                    for lit in literals):
        return
    try:
        terms = [(lit[0], to_sympy(_placed(lit[1], layout))) for lit in literals if lit[0] in (">", ">=", "!=")]
    except (Stuck, NotImplementedError):
        return
    if any(map(_beyond, (t for _, t in terms))):
        return
    curved = [t for relation, t in terms if relation != "!=" and any(
        t.diff(_symbol(t, v), 2) != 0 for v in moving)][-PLACES:]
    apart = [s for i, s in enumerate(starts) if not any(_close(s, other) for other in starts[:i])]
    for t, start in product(reversed(curved), apart):
        spend("sympy")
        fixed = {v: exact(start[v]) for v in layout.chosen if v in layout.whole}
        place = _at_rest(t, moving, start, fixed)
        if place is None:
            continue
        for digits in APPROACH:
            width = Fraction(1, 10 ** digits)
            near = {**fixed, **{v: simplest(q - width, q + width) for v, q in place.items()}}
            if all(_holds(relation, u, near) for relation, u in terms):
                yield layout, dict(near)
        forms = {v: next(iter(closed_forms(float(q))), None) for v, q in place.items()}
        if None not in forms.values():
            told = tuple((v, form) for v, form in forms.items() if form is not None)
            yield replace(layout, chosen=tuple(fixed), terms=(*layout.terms, *told)), dict(fixed)


def _close(at: dict[str, float], other: dict[str, float]) -> bool:
    """Do the two lead to the same rest point?"""
    return all(abs(x - other[v]) <= BESIDE * (abs(x) + BESIDE) for v, x in at.items())


def _placed(t: Node, layout: Layout) -> Node:
    for v, value in layout.terms:
        t = substitute(t, v, value)
    return t


def _at_rest(t: Any, moving: Sequence[str], start: dict[str, float], fixed: dict[str, Fraction],
             ) -> dict[str, Fraction] | None:
    """Where the slopes of the term vanish, by Newton's method from the start."""
    here = t.subs({_symbol(t, v): sympy.Rational(q.numerator, q.denominator) for v, q in fixed.items()})
    names = [_symbol(here, v) for v in moving]
    with mpmath.workdps(DIGITS):
        try:
            slopes = _function(names, [here.diff(x) for x in names])
            found = mpmath.findroot(lambda *at: slopes(*at), [mpmath.mpf(start[v]) for v in moving], maxsteps=30)
        except NO_NUMBER:
            return None
        roots = list(found) if hasattr(found, "__iter__") else [found]
        if not all(mpmath.isfinite(q) and not mpmath.im(q) for q in roots):
            return None
        return {v: Fraction(mpmath.nstr(mpmath.re(q), DIGITS - 2)) for v, q in zip(moving, roots, strict=True)}


def closed_forms(x: float) -> list[Node]:
    """Simple numbers close to x: rationals, and the exponentials, logarithms and roots of such."""
    options: list[tuple[float, Callable[[Fraction], Node]]] = [(x, lambda q: q)]
    if x > 0:
        options += [(float(np.log(x)), lambda q: ("exp", q)), (x * x, lambda q: ("sqrt", q))]
    if abs(x) < 20:
        options.append((float(np.exp(x)), lambda q: ("log", q)))
    out = []
    for y, build in options:
        q = Fraction(y).limit_denominator(60)
        if (q or y is x) and abs(float(q) - y) <= NEAR * max(1.0, abs(y)):
            out.append(build(q))
    return out[:1]


def simplest(a: Fraction, b: Fraction) -> Fraction:
    """The number of least denominator strictly between a < b."""
    whole = a.__floor__()
    if whole + 1 < b:
        return Fraction(0) if a < 0 < b else Fraction(whole + 1) if a >= 0 else Fraction(b.__ceil__() - 1)
    low, high = a - whole, b - whole
    if low == 0:
        return whole + Fraction(1, (1 / high).__floor__() + 1)
    return whole + 1 / simplest(1 / high, 1 / low)


__all__ = ["between_zeros", "closed_forms", "rest_points", "simplest"]
