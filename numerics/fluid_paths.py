"""Exact paths of fluid networks under complete priorities: piecewise linear, event by event, in rationals.

A network is plain numbers: ``alpha`` (arrivals from outside) and ``mu`` by visit, ``inflow`` (for each visit those that
its requests come from, with the share of theirs), ``order`` (for each engine its visits, the most urgent first). Visit
k's buffer fills by alpha_k and by p mu_j u_j for each (j, p) of its inflow, and empties by mu_k u_k.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from qtheory.numerics.lp import ONE, ZERO, solve_exactly

State = tuple[Fraction, ...]
MAX_BITS = 1000  # of a denominator, after which a path is given up; a statement's numbers have 400 digits
MAX_RAYS = 3  # of a cone


@dataclass(frozen=True)
class Segment:
    """From ``start`` with these ``efforts`` for ``duration`` seconds."""

    start: State
    efforts: State
    duration: Fraction


@dataclass(frozen=True)
class Cycle:
    """Segments that lead from a state to ``growth`` times that state."""

    segments: tuple[Segment, ...]
    growth: Fraction

    @property
    def duration(self) -> Fraction:
        """Seconds that the first round takes; each next one takes ``growth`` times as long."""
        return sum((s.duration for s in self.segments), ZERO)

    def rates(self, weights: Sequence[Fraction] | None = None) -> tuple[Fraction, Fraction]:
        """(least, most) of the content over the time, on the path that spirals out of the empty state by this cycle.

        It reaches the cycle's start at duration/(growth - 1); between ends of segments the ratio is monotone.
        ``weights``: of the visits in the content, such as their tokens; 1 each by default.
        """
        time = self.duration / (self.growth - 1)
        ratios = []
        for s in self.segments:
            held = zip(s.start, weights or [ONE] * len(s.start), strict=True)
            ratios.append(sum((z * w for z, w in held), ZERO) / time)
            time += s.duration
        return min(ratios), max(ratios)


@dataclass(frozen=True)
class Cone:
    """Paths from a cone of states that lead back into it, for a growth that is no rational number.

    ``rounds``: for each ray of the cone its segments, all with the same efforts in the same order, so that a state
    between the rays passes between theirs; ``weights``: ray i ends at ``sum_j weights[i][j]`` times the start of ray j;
    ``growth``: the content of each ray, and so of every state of the cone, grows at least by this factor.
    """

    rounds: tuple[tuple[Segment, ...], ...]
    weights: tuple[tuple[Fraction, ...], ...]
    growth: Fraction


class Paths:
    """Paths of one network, with the directions for each set of nonempty buffers kept."""

    def __init__(self, alpha: Sequence[Fraction], mu: Sequence[Fraction],
                 inflow: Sequence[Sequence[tuple[int, Fraction]]], order: Sequence[Sequence[int]], eager: bool = False,
                 most: float = math.inf) -> None:
        self.alpha, self.mu, self.inflow, self.order, self.eager = alpha, mu, inflow, order, eager
        self.known: dict[frozenset[int], tuple[State, State] | None] = {}
        self.work = 0  # visits of the segments that were looked for, and at least twice those of the equations solved
        self.most = most  # work, after which no path goes on

    def rates(self, efforts: State) -> State:
        """Growth of each buffer."""
        done = [m * u for m, u in zip(self.mu, efforts, strict=True)]
        return tuple(sum((p * done[j] for j, p in sources), self.alpha[k]) - done[k]
                     for k, sources in enumerate(self.inflow))

    def direction(self, nonempty: frozenset[int]) -> tuple[State, State] | None:
        """(efforts, growth of the buffers) with which a path can go on from such a state; None if none is found.

        Where several can, the one that keeps most buffers empty, or, if ``eager``, the fewest.
        """
        if nonempty not in self.known:
            self.known[nonempty] = next(self._directions(nonempty), None)
        return self.known[nonempty]

    def _directions(self, nonempty: frozenset[int]) -> Iterator[tuple[State, State]]:
        choices = []
        for line in self.order:
            top = next((i for i, k in enumerate(line) if k in nonempty), None)
            places = list(range(len(line) if top is None else top + 1)) + ([] if top is not None else [-1])
            choices.append(places if self.eager else places[::-1])
        for tops in itertools.product(*choices):
            if self.work > self.most:
                return
            efforts = self._efforts(tops)
            if efforts is None or min(efforts) < 0:
                continue
            if any(t < 0 and sum(efforts[k] for k in line) > 1 for t, line in zip(tops, self.order, strict=True)):
                continue
            growth = self.rates(efforts)
            if all(growth[k] >= 0 for k in range(len(growth)) if k not in nonempty):
                yield efforts, growth

    def _efforts(self, tops: Sequence[int]) -> State | None:
        """Efforts that keep empty all buffers above the engines' tops (-1: all); with the top one they take all the
        engine's time, those below get none."""
        n = len(self.mu)
        self.work += max(2 * n, n * n // 4)
        rows, right = [], []
        for top, line in zip(tops, self.order, strict=True):
            kept = line if top < 0 else line[:top]
            for k in kept:
                row = [ZERO] * n
                row[k] = self.mu[k]
                for j, p in self.inflow[k]:
                    row[j] -= p * self.mu[j]
                rows.append(row)
                right.append(self.alpha[k])
            if top >= 0:
                rows.append([ONE if k in line[:top + 1] else ZERO for k in range(n)])
                right.append(ONE)
                for j in line[top + 1:]:
                    rows.append([ONE if k == j else ZERO for k in range(n)])
                    right.append(ZERO)
        found = solve_exactly(rows, right)
        return None if found is None else tuple(found)

    def step(self, state: State) -> Segment | None:
        """The segment from a state until a buffer empties; None if the path cannot go on, or grows for ever."""
        self.work += len(state)
        direction = self.direction(frozenset(k for k, z in enumerate(state) if z))
        if direction is None:
            return None
        efforts, growth = direction
        ends = [z / -g for z, g in zip(state, growth, strict=True) if g < 0]
        return Segment(state, efforts, min(ends)) if ends else None

    def end(self, segment: Segment) -> State:
        """The state after a segment."""
        growth = self.rates(segment.efforts)
        return tuple(z + g * segment.duration for z, g in zip(segment.start, growth, strict=True))

    def ends(self, segments: Sequence[Segment]) -> list[State]:
        """Where each segment ends; ValueError if the next one does not begin there."""
        found = [self.end(s) for s in segments]
        if any(s.start != end for s, end in zip(segments[1:], found, strict=False)):
            raise ValueError("the segments are not connected")
        return found

    def cycle(self, state: State, steps: int) -> Cycle | None:
        """The first growing cycle that the path from ``state`` meets within ``steps`` segments, or None."""
        segments: list[Segment] = []
        seen: dict[State, int] = {}
        for number in range(steps):
            total = sum(state)
            if not total or max(z.denominator.bit_length() for z in state) > MAX_BITS:
                return None
            shape = tuple(z / total for z in state)
            if shape in seen:
                first = seen[shape]
                growth = total / sum(segments[first].start)
                return Cycle(tuple(segments[first:]), growth) if growth > 1 else None
            seen[shape] = number
            segment = self.step(state)
            if segment is None:
                return None
            segments.append(segment)
            state = self.end(segment)
        return None

    def cone(self, state: State, steps: int) -> Cone | None:
        """A cone that the path from ``state`` settles in within ``steps`` segments and that grows, or None."""
        segments: list[Segment] = []
        for _ in range(steps):
            segment = self.step(state)
            if segment is None or max(z.denominator.bit_length() for z in state) > MAX_BITS:
                break
            segments.append(segment)
            state = self.end(segment)
        keys = [(frozenset(k for k, z in enumerate(s.start) if z), s.efforts) for s in segments]
        for period in range(1, len(keys) // 3):
            if keys[-period:] == keys[-2 * period:-period] == keys[-3 * period:-2 * period]:
                first = min(range(len(keys) - 2 * period, len(keys) - period), key=lambda i: len(keys[i][0]))
                return self._cone(segments[first:first + period], segments[first + period].start)
        return None

    def _cone(self, base: list[Segment], middle: State) -> Cone | None:
        """A narrow enough cone about the state in which the path has settled, back within at most three rounds."""
        support = [k for k, z in enumerate(base[0].start) if z]
        if len(support) > MAX_RAYS:
            return None
        total = sum(middle)
        middle = tuple((z / total).limit_denominator(1000) for z in middle)
        for times, width in itertools.product((1, 2, 3), (ONE, Fraction(1, 2), Fraction(1, 8), Fraction(1, 64))):
            rays = [tuple((1 - width) * z + (width if i == k else 0) for i, z in enumerate(middle)) for k in support]
            rounds = [self._follow(base * times, ray) for ray in rays]
            if any(r is None for r in rounds):
                continue
            ends = [self.end(r[-1]) for r in rounds if r is not None]
            weights = [solve_exactly([[ray[i] for ray in rays] for i in range(len(self.mu))], end) for end in ends]
            growth = min(sum(end, ZERO) / sum(ray, ZERO) for end, ray in zip(ends, rays, strict=True))
            if growth > 1 and all(w is not None and min(w) >= 0 for w in weights):
                return Cone(tuple(tuple(r) for r in rounds if r is not None),
                            tuple(tuple(w) for w in weights if w is not None), growth)
        return None

    def _follow(self, base: list[Segment], state: State) -> list[Segment] | None:
        """The path from another state with the same efforts, each segment until the same buffer empties, if it is a
        path: no buffer is full that is empty in ``base``, none becomes negative."""
        found = []
        for s in base:
            growth, after = self.rates(s.efforts), self.end(s)
            emptied = next(k for k, z in enumerate(s.start) if z and not after[k])
            segment = Segment(state, s.efforts, state[emptied] / -growth[emptied])
            end = self.end(segment)
            if min(end) < 0 or any((y or z) and not (s.start[k] or after[k])
                                   for k, (y, z) in enumerate(zip(state, end, strict=True))):
                return None
            found.append(segment)
            state = end
        return found


def starts(n: int) -> list[State]:
    """States to begin with: one full buffer, two, and some fixed mixtures."""
    units = [tuple(ONE if i == k else ZERO for i in range(n)) for k in range(n)]
    pairs = [tuple(ONE if i in pair else ZERO for i in range(n)) for pair in itertools.combinations(range(n), 2)]
    mixed = [tuple(Fraction((i * i + 3 * s * i + s) % 7) for i in range(n)) for s in range(1, 5)]
    return [*units, *pairs, *(m for m in mixed if any(m))]
