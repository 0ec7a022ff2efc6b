"""Enclosures of a term over a box: rational ends, with Arb balls for what is not rational.

``Enclosure(box, bits).of(t)`` = (low, high) implies that at every point of the box t is defined and
low <= t <= high.  Rational operations on the ends are exact; an end that grows long is replaced by the outer end of
an Arb ball around it.
"""

from __future__ import annotations

from typing import Any

from flint import arb, ctx, fmpq

from .errors import RecheckError, demand
from .graph import Node

Range = tuple[fmpq, fmpq]
MAX_SUM = 3000
MAX_BITS = 4000
MAX_EXPONENT = 5000  # of e
MAX_POWER_BITS = 4_000_000
GUARD = 64


def exact(ball: arb) -> fmpq:
    """The value of an exact ball."""
    top, shift = ball.man_exp()
    return fmpq(top) * fmpq(2) ** int(shift)


def ends(ball: arb) -> Range:
    demand(bool(ball.is_finite()), "ball: an enclosure that is not finite")
    return exact(ball.lower()), exact(ball.upper())


def length(q: fmpq) -> int:
    return int(q.p.bit_length()) + int(q.q.bit_length())


def low_of(function: str, q: fmpq) -> fmpq:
    return ends(getattr(arb(q), function)())[0]


def high_of(function: str, q: fmpq) -> fmpq:
    return ends(getattr(arb(q), function)())[1]


class Enclosure:
    """Enclosures over one box at one precision; to be used inside ``precision(bits)``. ``room`` bounds the
    summands, those of sums inside sums too."""

    def __init__(self, box: dict[str, Range], bits: int, room: int = MAX_SUM) -> None:
        self.box, self.bits, self.room = box, bits, room
        self.done: dict[Node, Range] = {}

    def of(self, t: Node) -> Range:
        if t not in self.done:
            low, high = self.raw(t)
            self.done[t] = self.outward(low, high)
        return self.done[t]

    def outward(self, low: fmpq, high: fmpq) -> Range:
        limit = 4 * (self.bits + GUARD)
        return (ends(arb(low))[0] if length(low) > limit else low,
                ends(arb(high))[1] if length(high) > limit else high)

    def raw(self, t: Node) -> Range:
        if t.op == "num":
            return t.value, t.value
        if t.op == "var":
            demand(t.tag in self.box, f"ball: {t.tag} is not in the box")
            return self.box[t.tag]
        if t.op == "sum":
            return self.finite_sum(t)
        if t.op in ("+", "*"):
            return self.ring(t.op, [self.of(k) for k in t.kids])
        if t.op == "^":
            return self.power(self.of(t.kids[0]), self.of(t.kids[1]))
        if t.op == "max":
            (a, b), (c, d) = (self.of(k) for k in t.kids)
            return max(a, c), max(b, d)
        if t.op in ("exp", "log", "sqrt", "floor"):
            return self.increasing(t.op, *self.of(t.kids[0]))
        raise RecheckError(f"ball: no enclosure for {t.op}")

    def ring(self, op: str, parts: list[Range]) -> Range:
        low, high = parts[0]
        for a, b in parts[1:]:
            if op == "+":
                low, high = self.outward(low + a, high + b)
            else:
                corners = (low * a, low * b, high * a, high * b)
                low, high = self.outward(min(corners), max(corners))
        return low, high

    def increasing(self, op: str, low: fmpq, high: fmpq) -> Range:
        if op == "floor":
            return fmpq(low.floor()), fmpq(high.floor())
        if op == "exp":
            demand(abs(low) <= MAX_EXPONENT and abs(high) <= MAX_EXPONENT, "ball: e to a large power")
        elif op == "log":
            demand(low > 0, "ball: log of a number that may be <= 0")
        else:
            demand(low >= 0, "ball: sqrt of a number that may be negative")
            return max(low_of(op, low), fmpq(0)), high_of(op, high)
        return low_of(op, low), high_of(op, high)

    def power(self, base: Range, exponent: Range) -> Range:
        if exponent[0] == exponent[1] and exponent[0].q == 1:
            return self.integer_power(base, int(exponent[0].p))
        demand(base[0] > 0, "ball: real power of a number that may be <= 0")
        logs = self.increasing("log", *base)
        corners = [a * b for a in logs for b in exponent]
        return self.increasing("exp", *self.outward(min(corners), max(corners)))

    def integer_power(self, base: Range, n: int) -> Range:
        demand(abs(n) * max(map(length, base)) <= MAX_POWER_BITS, "limit: ball: a power")
        if n == 0:
            return fmpq(1), fmpq(1)
        if n < 0:
            demand(base[0] > 0 or base[1] < 0, "ball: division by a number that may be zero")
        first, last = base[0] ** n, base[1] ** n
        straddles = base[0] < 0 < base[1]
        return (fmpq(0) if straddles and n % 2 == 0 else min(first, last)), max(first, last)

    def finite_sum(self, t: Node) -> Range:
        first, last = self.of(t.kids[0]), self.of(t.kids[1])
        demand(first[0] == first[1] and last[0] == last[1], "ball: a sum to unknown ends")
        demand(first[0].q == 1 and last[0].q == 1, "ball: a sum to ends that are no integers")
        start, stop = int(first[0].p), int(last[0].p)
        demand(stop >= start - 1, "ball: a sum with reversed ends")
        demand(stop - start < self.room, "limit: ball: a long sum")
        low, high = fmpq(0), fmpq(0)
        for i in range(start, stop + 1):
            inner = Enclosure({**self.box, t.tag: (fmpq(i), fmpq(i))}, self.bits, self.room // (stop - start + 1))
            a, b = inner.of(t.kids[2])
            low, high = self.outward(low + a, high + b)
        return low, high


def verify_on_box(goal: Node, box: dict[str, Range], tree: Any, bits: int) -> None:
    """Demand the inequality on every part of the subdivision of the box."""
    demand(8 <= bits <= MAX_BITS, "limit: ball: the precision")
    with ctx.workprec(bits + GUARD):
        _descend(goal, box, tree, bits)


def _descend(goal: Node, box: dict[str, Range], tree: Any, bits: int) -> None:
    if tree is None:
        low, high = Enclosure(box, bits).of(goal.kids[0])
        decided = low > 0 or (goal.op == ">=" and low >= 0) or (goal.op == "!=" and high < 0)
        demand(decided, "ball: undecided on a part")
        return
    name, cut, left, right = tree
    demand(name in box, "ball: a cut of what is not in the box")
    low, high = box[name]
    demand(low <= cut <= high, "ball: a cut outside the box")
    _descend(goal, {**box, name: (low, cut)}, left, bits)
    _descend(goal, {**box, name: (cut, high)}, right, bits)
