"""One point of a claim's domain: exact values, roots of equations in shrinking intervals, and enclosures of terms.

Everything is decided by the kernel's balls (``qtheory.proofs.kernel.balls``); floating point only says where to look.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from mpmath import mp

from qtheory.proofs.kernel.balls import Interval, down, enclose, up
from qtheory.proofs.kernel.calculus import derivative, undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import KernelError, Node, free, integer, minus, substitute
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.closed import Point, place
from qtheory.proofs.tactics.elimination import Layout, fold, layout
from qtheory.proofs.tactics.points import complete
from qtheory.proofs.tactics.primitives import primitive
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.testing.series import UndecidedError, mean_value, shown, without_maxima

PRECISIONS = (64, 128, 256)  # bits of the enclosures, until the question is decided
DIGITS = 40  # of an estimate of Lambert's function
SUMMANDS = 300  # of a sum that is written out because its body is not enclosed as it stands
OPAQUE = ("int", "diff", "W", "mean")  # what the kernel's balls do not enclose


@dataclass
class Root:
    """The only root of ``equation`` (a term in ``name`` and the roots before it) in [low, high]."""

    name: str
    equation: Node
    low: Fraction
    high: Fraction
    rising: bool


class Place:
    """Values for variables: rationals, roots of equations, and terms in these."""

    def __init__(self, exact: Mapping[str, Fraction]) -> None:
        self.values: dict[str, Node] = dict(exact)
        self.roots: list[Root] = []
        self.verdicts: dict[Node, bool | None] = {}  # of formulas that were asked about
        self.reason = ""  # why a value was not enclosed, to end a message with
        self._plain: dict[Node, Node] = {}

    # ---- enclosures ----

    def term(self, term: Node) -> Node:
        """The term or formula with this place's values."""
        return place(term, self.values)

    def enclose(self, term: Node, bits: int) -> Interval | None:
        """An enclosure of the term's value here, with roots known to so many bits; None where there is none."""
        try:
            return self._enclosed(self.plain(self.term(term)), bits)
        except UndecidedError as error:
            self.reason = f": {error}"
            return None
        except (KernelError, Stuck):
            return None

    def _enclosed(self, ground: Node, bits: int) -> Interval:
        """The kernel's enclosure; logarithms, which cost most, are enclosed once for each precision."""
        box = dict(self.box(bits, free(ground)))
        return enclose(self._named(ground, bits, box), box, bits + 16)

    def _named(self, term: Node, bits: int, box: dict[str, Interval]) -> Node:
        """The term with a name, enclosed in the box, for each value of a function that is no arithmetic."""
        if not isinstance(term, tuple) or term[0] == "sum":
            return term
        if term[0] in ("+", "*", "max", "floor") or (term[0] == "^" and integer(term[2])):
            return (term[0], *(self._named(c, bits, box) for c in term[1:]))
        if not free(term):
            value = _closed(term, bits + 16)
        else:
            inner = (term[0], *(self._named(c, bits, box) for c in term[1:]))
            value = enclose(inner, box, bits + 16)
        name = f"v{len(box)}''"
        box[name] = value
        return name

    def box(self, bits: int, names: frozenset[str]) -> dict[str, Interval]:
        """The intervals of these roots, narrowed to so many bits."""
        for root in self.roots:
            if root.name in names:
                self.narrow(root, bits)
        return {r.name: (r.low, r.high) for r in self.roots if r.name in names}

    def number(self, name: str) -> Fraction | None:
        """The exact value of a variable, where it is a rational."""
        value = self.values.get(name)
        return value if isinstance(value, Fraction) else None

    def nearest(self, term: Node) -> float:
        """The float nearest to the term's value, up to the last bit of a very tight enclosure."""
        found = self.enclose(term, 64)
        if found is None:
            raise UndecidedError(f"{shown(term)} has no enclosure{self.reason}")
        middle = (found[0] + found[1]) / 2
        try:
            return float(middle)
        except OverflowError:
            return math.inf if middle > 0 else -math.inf

    def plain(self, term: Node) -> Node:
        """The closed term without integrals, derivatives and Lambert values, whose values are put in their place."""
        if not isinstance(term, tuple):
            return term
        if term not in self._plain:
            self._plain[term] = self._reduced(term)
        return self._plain[term]

    def _reduced(self, term: Node) -> Node:
        head = term[0]
        if head == "diff":
            return self.plain(undiff(term)[0])
        if head == "int":
            return self.plain(without_maxima(term, self) or self._integral(term))
        if head == "W":
            return self._lambert(int(term[1]), self.plain(term[2]))
        if head == "mean":
            return self.plain(mean_value(term, self))
        if head == "sum":
            return term if not _opaque(term) else self._written_out(term)
        if head == "app":
            raise UndecidedError(f"the function {term[1]} has no values here")
        return (head, *(self.plain(c) for c in term[1:]))

    def _integral(self, term: Node) -> Node:
        """F(b) - F(a) by the fundamental theorem: F' is formally the body, and defined on all of [a, b]."""
        _, x, a, b, body = term
        found = _antiderivative(body, x)
        if found is None:
            point = Point(ORDINARY)
            point.box = self.box(64, free(term))
            return point.integral(term).concl[1][2][2]
        ends = [self._enclosed(self.plain(e), 64) for e in (a, b)]
        span = min(e[0] for e in ends), max(e[1] for e in ends)
        enclose(derivative(found, x), {**self.box(64, free(body) - {x}), x: span}, 64)  # KernelError where undefined
        return minus(substitute(found, x, b), substitute(found, x, a))

    def _written_out(self, term: Node) -> Node:
        _, index, low, high, body = term
        ends = [enclose(self.plain(e), {}, 64) for e in (low, high)]
        first, last = (int(e[0]) for e in ends)
        if any(a != b for a, b in ends) or not 0 <= last - first < SUMMANDS:
            raise UndecidedError("a sum that is not enclosed")
        parts = [self.plain(substitute(body, index, Fraction(i))) for i in range(first, last + 1)]
        return parts[0] if len(parts) == 1 else ("+", *parts)

    def _lambert(self, branch: int, argument: Node) -> str:
        """A name for the w with w exp(w) = argument on the branch."""
        low, _ = enclose(argument, self.box(128, free(argument)), 128)
        with mp.workdps(DIGITS):  # next to the branch point a float's digits do not suffice
            found = mp.lambertw(mp.mpf(low.numerator) / low.denominator, branch)
            near = Fraction(mp.nstr(found.real, DIGITS))
        name = f"w{len(self.roots)}''"
        equation = minus(("*", name, ("exp", name)), argument)
        root = self.bracket(name, equation, near)
        if root is None or not (root.low > -1 if branch == 0 else root.high < -1):
            raise UndecidedError("Lambert's function next to its branch point")
        self.roots.append(root)
        return name

    # ---- roots ----

    def sign(self, term: Node) -> int | None:
        for bits in PRECISIONS:
            try:
                low, high = enclose(term, self.box(bits, free(term)), bits)
            except KernelError:
                return None
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            if low == high == 0:
                return 0
        return None

    def bracket(self, name: str, equation: Node, near: float | Fraction) -> Root | None:
        """An isolating interval about the estimate, as narrow as a change of sign allows; the root is its only one."""
        if not math.isfinite(near):
            return None
        centre = Fraction(near)
        if self.sign(substitute(equation, name, centre)) == 0:
            return Root(name, equation, centre, centre, True)
        gaps = [Fraction(1, 2**k) for k in range(50, 5, -4)]
        for gap in gaps:
            width = abs(centre) * gap if centre else gap**4
            low, high = centre - width, centre + width
            at_low, at_high = (self.sign(substitute(equation, name, e)) for e in (low, high))
            if at_low and at_high and at_low != at_high and self._steep(name, equation, low, high):
                return Root(name, equation, low, high, at_high > 0)
        return None

    def _steep(self, name: str, equation: Node, low: Fraction, high: Fraction) -> bool:
        """Is the equation strictly monotone between the ends?  Then its root there is the only one."""
        try:
            slope = derivative(equation, name)
            below, above = enclose(slope, {**self.box(64, free(slope)), name: (low, high)}, 64)
        except KernelError:
            return False
        return below > 0 or above < 0

    def narrow(self, root: Root, bits: int) -> None:
        """Narrow the interval until it has so many bits: by Newton's step over intervals, else by a cut."""
        while root.high - root.low > max(abs(root.low), abs(root.high)) / 2**bits:
            width = root.high - root.low
            self._newton(root, bits)
            if root.high - root.low > width / 4:
                self._cut(root)

    def _newton(self, root: Root, bits: int) -> None:
        """The root lies in m - f(m)/f'([low, high]) by the mean value theorem, m any point of the interval."""
        middle = down((root.low + root.high) / 2, bits + 32)
        if not root.low <= middle <= root.high:
            return
        value, slope = substitute(root.equation, root.name, middle), derivative(root.equation, root.name)
        try:
            f = enclose(value, self.box(bits, free(value)), bits + 32)
            g = enclose(slope, {**self.box(bits, free(slope) - {root.name}), root.name: (root.low, root.high)}, 64)
        except KernelError:
            return
        if g[0] <= 0 <= g[1]:
            return
        steps = [a / b for a in f for b in g]
        root.low = max(root.low, down(middle - max(steps), bits + 32))
        root.high = min(root.high, up(middle - min(steps), bits + 32))

    def _cut(self, root: Root) -> None:
        for share in (Fraction(1, 2), Fraction(2, 5)):
            cut = root.low + (root.high - root.low) * share
            sign = self.sign(substitute(root.equation, root.name, cut))
            if sign == 0:
                root.low = root.high = cut
            elif sign is not None and (sign > 0) == root.rising:
                root.high = cut
            elif sign is not None:
                root.low = cut
            if sign is not None:
                return
        raise UndecidedError(f"{root.name.rstrip(chr(39))} is not enclosed more narrowly")


@lru_cache(maxsize=4096)
def _closed(term: Node, bits: int) -> Interval:
    return enclose(term, {}, bits)


@lru_cache(maxsize=256)
def _antiderivative(body: Node, x: str) -> Node | None:
    """A term whose derivative is formally the body."""
    plain = fold(body)
    for negative in (False, True):
        found = primitive(plain, x, negative=negative)
        with suppress(KernelError):
            if found is not None and Forms().zero(minus(derivative(found, x), body)):
                return found
    return None


def _opaque(term: Node) -> bool:
    return isinstance(term, tuple) and (term[0] in OPAQUE or any(_opaque(c) for c in term[1:]))


# ---- variables that equations fix ----

def solved(literals: Sequence[Node], unknown: Sequence[str], start: Place) -> tuple[list[Place], tuple[str, ...]]:
    """The places that the literals' equations leave for the unknown variables, and the unknowns that nothing fixes."""
    placed = [fold_formula(start.term(lit)) for lit in literals]
    plan = layout(placed, [v for v in unknown if v not in start.values])
    if plan is None:
        return [], ()
    if plan.chosen:
        return [start], plan.chosen
    return [p for near in _estimates(plan, start) if (p := _placed(plan, near, start)) is not None], ()


def fold_formula(formula: Node) -> Node:
    """An atom with the arithmetic on its numbers carried out."""
    return (formula[0], fold(formula[1])) if formula[0] in (">", ">=", "=", "!=") else formula


def _estimates(plan: Layout, start: Place) -> list[dict[str, float]]:
    """Floats near the roots; where floating point sees no change of sign, the enclosures look for one."""
    at = {r.name: np.asarray([float((r.low + r.high) / 2)]) for r in start.roots}
    with np.errstate(all="ignore"):
        found = complete(plan, at)
    names = [v for v, _ in plan.roots]
    count = min((np.size(found[v]) for v in names), default=1)
    rows = [{v: float(found[v][i]) for v in names} for i in range(count)]
    if rows or len(names) != 1:
        return rows
    name, equation = plan.roots[0]
    return [{name: near} for near in _scan(name, equation, plan, start)]


def _scan(name: str, equation: Node, plan: Layout, start: Place) -> list[float]:
    """Points next to which the equation changes sign, on a grid that thickens towards the variable's ends."""
    low, high = (side.get(name, (None, True))[0] for side in (plan.low, plan.high))
    steps = [Fraction(1, 2**k) for k in range(1, 160, 5)]
    if low is not None and high is not None:
        grid = [low + (high - low) * s for s in steps] + [high - (high - low) * s for s in steps]
    else:
        wide = [s * 2**100 for s in steps]
        grid = [low + w for w in wide] if low is not None else [high - w for w in wide] if high is not None else \
            [*wide, *(-w for w in wide), Fraction(0)]
    grid = sorted(set(grid))
    signs = [start.sign(substitute(equation, name, g)) for g in grid]
    found = []
    for a, b, left, right in zip(grid, grid[1:], signs, signs[1:], strict=False):
        if left and right and left != right:
            found.append(_bisected(name, equation, start, a, b, right > 0))
    return found


def _bisected(name: str, equation: Node, start: Place, low: Fraction, high: Fraction, rising: bool) -> float:
    for _ in range(64):
        middle = (low + high) / 2
        sign = start.sign(substitute(equation, name, middle))
        if not sign:
            return float(middle)
        low, high = (low, middle) if (sign > 0) == rising else (middle, high)
    return float((low + high) / 2)


def _placed(plan: Layout, near: Mapping[str, float], start: Place) -> Place | None:
    """The place with the roots next to these floats, and the terms of the variables that stand alone."""
    out = Place({})
    out.values, out.roots = dict(start.values), list(start.roots)
    inner: dict[str, Node] = {}
    for v, equation in plan.roots:
        name = v + "''"
        root = out.bracket(name, place(substitute(equation, v, name), inner), near[v])
        if root is None:
            return None
        out.roots.append(root)
        inner[v] = name
    for v, term in plan.terms:
        inner[v] = fold(place(term, inner))
    out.values |= inner
    return out

