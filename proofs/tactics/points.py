"""Candidate points for a branch's literals: simple numbers, domain edges, random ones, and a local search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from qtheory.proofs.functions.values import Array, Flags, Values
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.arrays import Known, Points, in_columns, margin, values
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.elimination import Bound, Layout, algebraic
from qtheory.proofs.tactics.numeric import laborious
from qtheory.proofs.tactics.order import by_identity, names


def _numbers(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


SIMPLE = _numbers("1/2 1 2 0 -1 3 1/4 3/4 -1/2 1/3 2/3 1/10 9/10 -2 5 10 1/100 99/100 100 1/1000 1000 -3 -10 1/1000000 "
                  "1000000 -1000")
STEPS = _numbers("1/2 1 2 1/10 3 1/4 1/1000 10 1/1000000 100 1000 1000000")
SHARES = _numbers("1/2 1/4 3/4 1/10 9/10 1/3 2/3 1/100 99/100 1/1000 999/1000 1/1000000 999999/1000000")
WHOLE = _numbers("1 2 0 3 -1 4 5 -2 10 7 20 50 -3 100 200 201 199")
Candidate = dict[str, Fraction | float]  # exact values of the chosen variables, floats near the roots
GRID, RANDOM, ROOTS, FEWER_ROOTS = 2500, 2500, 160, 24
LOOKED_AT = 200  # smaller integers in place of one
VAGUE = 1000.0  # a root whose rounding counts this many times as much as its own size


@dataclass
class Batch:
    """Points; ``clear`` where every inequality holds beyond rounding, ``level`` where some >= does only up to it."""

    at: Points
    clear: Flags
    level: Flags
    score: Array  # where asked for: 0 where nothing fails, else minus the sum of the relative failures


@lru_cache(maxsize=50_000)
def exact(x: float) -> Fraction:
    """The simple rational that the float stands for."""
    simple = Fraction(x).limit_denominator(1000)
    return simple if float(simple) == x else Fraction(repr(float(x)))


def pool(v: str, layout: Layout) -> tuple[Fraction, ...]:
    """Simple values for a variable within its bounds, the plainest first."""
    return _pool(v in layout.whole, layout.low.get(v, (None, True)), layout.high.get(v, (None, True)))


@lru_cache(maxsize=5_000)
def _pool(whole: bool, below: Bound, above: Bound) -> tuple[Fraction, ...]:
    (low, low_open), (high, high_open) = below, above
    raw = WHOLE if whole else SIMPLE
    out = list(raw)
    if whole:
        start = low if low is not None else Fraction(0)
        out = [start.__ceil__() + n for n in WHOLE] if low is not None else out
        out = [Fraction(n) for n in out] + list(raw)
    elif low is not None and high is not None:
        out += [low + (high - low) * s for s in SHARES] + [low, high]
    elif low is not None:
        out += [low] + [low + s for s in STEPS]
    elif high is not None:
        out += [high] + [high - s for s in STEPS]
    kept = [q for q in out if (low is None or q > low or (q == low and not low_open))
            and (high is None or q < high or (q == high and not high_open))]
    return tuple(dict.fromkeys(kept)) or (Fraction(0),)


def complete(layout: Layout, at: Points) -> Points:
    """The points with the variables that equations fix."""
    return _completed((), layout, at)[0]


def _completed(literals: Sequence[Node], layout: Layout, at: Points) -> tuple[Points, Points]:
    """The points with the variables that equations fix, and the sizes of these, which tell how far they may be off.
    Roots, which are dear, are looked for only where the literals hold that speak of no such variable."""
    at, sizes = dict(at), dict[str, Array]()
    for v, equation in layout.roots:
        count = max((np.size(a) for a in at.values()), default=1)
        most = min(count, ROOTS if not laborious(equation) else FEWER_ROOTS)
        first = {u: np.broadcast_to(a, (count,))[:most] for u, a in at.items()}
        rows = np.arange(most)[_meeting(literals, first, most)]
        at, sizes = ({u: np.broadcast_to(a, (count,))[rows] for u, a in some.items()} for some in (at, sizes))
        place, at[v], sizes[v] = _roots(v, equation, layout, at, _known(at, sizes), rows.size)
        at, sizes = ({u: a if u == v else a[place] for u, a in some.items()} for some in (at, sizes))
    for v, term in layout.terms:
        found = values(term, at, _known(at, sizes))
        at[v] = np.where(found.undefined, np.nan, found.value) + 0.0
        sizes[v] = found.size
    shapes = {np.size(a) for a in at.values()} or {1}
    size = 0 if 0 in shapes else max(shapes)
    at, sizes = ({v: np.broadcast_to(a if size else np.zeros(0), (size,)) for v, a in some.items()}
                 for some in (at, sizes))
    return at, sizes


def _known(at: Points, sizes: Points) -> Known:
    never = np.zeros((), bool)
    return {v: (v, Values(at[v], never, size)) for v, size in sizes.items()}


def _meeting(literals: Sequence[Node], at: Points, count: int) -> Flags:
    """Where those literals hold, at least up to rounding, that speak of the points' variables alone."""
    flags, known = np.ones(count, bool), Known()
    for lit in literals:
        if lit[0] != "=" and names(lit) <= at.keys():
            m, error = margin(lit, at, known)
            flags &= (m > error) if lit[0] in (">", "!=") else (m >= -error)
    return flags


def _roots(v: str, equation: Node, layout: Layout, at: Points, known: Known, count: int) -> tuple[Array, Array, Array]:
    """The roots of the equation in v (at most two at a point), found by sign changes, and how large the numbers are
    whose rounding moves them; before both, at which of the points they stand."""
    low, high = layout.low.get(v, (None, True))[0], layout.high.get(v, (None, True))[0]
    grid = _span(None if low is None else float(low), None if high is None else float(high))
    wide = {u: a[:, None] for u, a in at.items()}
    f = values(equation, {**wide, v: grid[None, :]}, in_columns(known))
    value = np.broadcast_to(np.where(f.undefined, np.nan, f.value), (count, grid.size))
    size = np.broadcast_to(f.size, value.shape)
    sure = np.where(np.abs(value) > 1e-13 * size, np.sign(value), 0.0)
    rows, columns = np.nonzero(sure[:, :-1] * sure[:, 1:] < 0)
    over, passed = np.nonzero((sure[:, :-2] * sure[:, 2:] < 0) & (sure[:, 1:-1] == 0))  # a grid point on the root
    order = np.argsort(np.concatenate([rows, over]), kind="stable")
    width = np.concatenate([np.ones_like(columns), 2 * np.ones_like(passed)])[order]
    rows, columns = np.concatenate([rows, over])[order], np.concatenate([columns, passed])[order]
    first = np.concatenate([[True], rows[1:] != rows[:-1]]) if rows.size else np.zeros(0, bool)
    second = np.concatenate([[False], first[:-1]]) if rows.size else first
    keep = first | second
    rows, columns, width = rows[keep], columns[keep], width[keep]
    many = {u: a[rows] for u, a in wide.items()}
    left, right = grid[columns], grid[columns + width]
    ends = value[rows, columns], value[rows, columns + width]
    slope = np.abs((ends[1] - ends[0]) / (right - left))
    sign = np.sign(ends[0])[:, None]
    cuts = np.linspace(0.0, 1.0, 17)[None, :]
    for _ in range(13 if rows.size else 0):  # 16 pieces at a time: few calls on longer arrays
        line = left[:, None] + (right - left)[:, None] * cuts
        beyond = np.sign(values(equation, {**many, v: line}).value) != sign
        beyond[:, 0], beyond[:, -1] = False, True
        place = np.argmax(beyond, axis=1)
        row = np.arange(place.size)
        left, right = line[row, place - 1], line[row, place]
    root = (left + right) / 2
    return rows, root, np.abs(root) + size[rows, columns] / slope


def _span(low: float | None, high: float | None) -> Array:
    logs = np.geomspace(1e-9, 1, 60)
    if low is not None and high is not None:
        half = (high - low) / 2
        return np.unique(np.concatenate([low + half * logs, high - half * logs]))
    wide = np.geomspace(1e-9, 1e6, 120)
    if low is not None:
        return low + wide
    if high is not None:
        return high - wide[::-1]
    return np.concatenate([-wide[::-1], [0.0], wide])


def judge(literals: Sequence[Node], layout: Layout, at: Points, *, scored: bool = False) -> Batch:
    """Where the literals hold.  Without scores, those that come last are looked at first, which are the conclusion's
    and the likeliest to fail, those that the layout meets last, and each only at the points that are left."""
    spend("batch")
    at, errors = _completed(() if scored else literals, layout, at)
    size, sizes, known = next((a.size for a in at.values()), 1), errors, _known(at, errors)
    solved = bool(layout.terms or layout.roots)
    rational = {*layout.chosen}
    rational |= {v for v, term in layout.terms if algebraic(term) and names(term) <= rational}
    clear, level, score = np.ones(size, bool), np.ones(size, bool), np.zeros(size)
    there, places = at, np.arange(size)  # what is left
    for lit in literals if scored else sorted(reversed(literals), key=lambda lit: solved and lit[0] == "="):
        if not scored and 2 * np.count_nonzero(level[places]) <= places.size:
            kept = level[places]
            places, there, sizes = places[kept], *({v: a[kept] for v, a in some.items()} for some in (there, sizes))
            if not places.size:  # what holds clearly holds up to rounding
                break
            known = _known(there, sizes)
        if lit[0] == "=" and solved and _fixed(lit, there, known):
            defined = ~np.broadcast_to(values(lit[1], there, known).undefined, places.shape)
            clear[places] &= defined
            level[places] &= defined
            continue
        m, error = (np.broadcast_to(part, places.shape) for part in margin(lit, there, known))
        strict = lit[0] in (">", "!=")
        holds = m > error if strict else m >= -error
        # a tie in mere arithmetic is hardly an accident of rounding; one of logarithms is
        tied = lit[0] != ">=" or (algebraic(lit[1]) and names(lit) <= rational)
        clear[places] &= holds if tied else m > error
        level[places] &= holds
        if scored:
            with np.errstate(all="ignore"):
                relative = np.clip(m / (error * 1e12 + 1e-300), -3.0, 0.0)
            score += np.where(np.isnan(relative), -3.0, relative)
    for v, _ in layout.roots:  # a tie at a vague root is none
        level &= clear | (errors[v] <= VAGUE * np.abs(at[v]))
    return Batch(at, clear, level & ~clear, score)


def _fixed(equation: Node, at: Points, known: Known) -> bool:
    """Is the equation met, up to the error of a numerical solution, wherever it is defined?"""
    found = values(equation[1], at, known)
    with np.errstate(all="ignore"):
        good = np.abs(found.value) <= 1e-7 * found.size + 1e-12
    return bool(np.all(good | found.undefined | ~np.isfinite(found.value)))


def simple_points(layout: Layout, rng: np.random.Generator, most: int = GRID) -> Points:
    """The grid of simple values, or a sample of it that favours the simplest."""
    pools = [_floats(pool(v, layout)) for v in layout.chosen]
    count = int(np.prod([p.size for p in pools], dtype=float)) if pools else 1
    if count <= most:
        grids = np.meshgrid(*pools, indexing="ij")
        return {v: grid.ravel() for v, grid in zip(layout.chosen, grids, strict=True)}
    places = rng.random((len(pools), most)) ** 1.7
    return {v: p[np.minimum((place * p.size).astype(int), p.size - 1)]
            for v, p, place in zip(layout.chosen, pools, places, strict=True)}


@by_identity
def _floats(numbers: tuple[Fraction, ...]) -> Array:
    return np.array([float(q) for q in numbers])


def random_points(layout: Layout, rng: np.random.Generator, count: int = RANDOM) -> Points:
    out = {}
    for v in layout.chosen:
        low, high = layout.low.get(v, (None, True))[0], layout.high.get(v, (None, True))[0]
        u = rng.random(count)
        size = np.exp(rng.uniform(-7, 7, count))
        near = np.exp(rng.uniform(-12, 0, count))
        kind = rng.integers(0, 4, count)
        if low is not None and high is not None:
            a, b = float(low), float(high)
            x = np.where(kind < 2, a + (b - a) * u, np.where(kind == 2, a + (b - a) * near, b - (b - a) * near))
        elif low is not None:
            x = float(low) + np.where(kind < 2, 3 * u, size)
        elif high is not None:
            x = float(high) - np.where(kind < 2, 3 * u, size)
        else:
            x = np.where(kind < 2, 6 * u - 3, size * np.where(rng.random(count) < 0.5, -1, 1))
        if v in layout.whole:
            x = np.round(np.clip(x * 3, -40, 60))
        out[v] = rounded(v, x, layout)
    return out


def rounded(v: str, x: Array, layout: Layout, digits: int = 3) -> Array:
    """To a few significant digits of the distance from the nearest end, so that points stay simple and inside."""
    if v in layout.whole:
        return np.round(x)
    ends = [float(e) for e in (layout.low.get(v, (None,))[0], layout.high.get(v, (None,))[0]) if e is not None]
    ends = [*ends, 0.0]
    nearest = np.array(ends)[np.argmin([np.abs(x - e) for e in ends], axis=0)]
    gap = x - nearest
    with np.errstate(all="ignore"):
        place = np.where(gap == 0, 0, digits - 1 - np.floor(np.log10(np.abs(gap))))
        place = np.clip(np.nan_to_num(place), -12, 14)
        power = 10.0 ** place
        return nearest + np.round(gap * power) / power


def improve(literals: Sequence[Node], layout: Layout, start: Batch, rng: np.random.Generator,
            rounds: int = 14) -> Iterator[Batch]:
    """Local search: children around the best points, at scales from coarse to fine."""
    best = head(start, 30)
    for step in range(rounds):
        at = {}
        for v in layout.chosen:
            base = np.repeat(best.at[v], 24)
            noise = rng.standard_normal(base.size) * 10.0 ** rng.uniform(-1 - step / 4, 0.3 - step / 8, base.size)
            ends = [float(e[0]) for e in (layout.low.get(v), layout.high.get(v)) if e is not None and e[0] is not None]
            gap = np.min([np.abs(base - e) for e in [*ends, 0.0]], axis=0)
            scale = np.where(rng.random(base.size) < 0.6, gap, np.minimum(1.0, np.abs(base) + 1e-3))
            move = rng.random(base.size) < max(0.5, 1 / len(layout.chosen))
            at[v] = rounded(v, base + np.where(move, noise * np.maximum(scale, 1.0 if v in layout.whole else 0.0), 0.0),
                            layout, 3 + step // 4)
        batch = judge(literals, layout, at, scored=True)
        yield batch
        best = head(merged(best, batch), 30)


def merged(a: Batch, b: Batch) -> Batch:
    names = a.at.keys() & b.at.keys()
    return Batch({v: np.concatenate([a.at[v], b.at[v]]) for v in names}, np.concatenate([a.clear, b.clear]),
                 np.concatenate([a.level, b.level]), np.concatenate([a.score, b.score]))


def head(batch: Batch, count: int) -> Batch:
    order = np.argsort(-np.nan_to_num(batch.score, nan=-9.0), kind="stable")[:count]
    return Batch({v: a[order] for v, a in batch.at.items()}, batch.clear[order], batch.level[order],
                 batch.score[order])


def complexity(q: Fraction) -> int:
    """Small for numbers that are easily read; zero and negative ones are degenerate or odd more often than not."""
    return q.numerator.bit_length() + 2 * q.denominator.bit_length() + 3 * (q <= 0)


def plainer(literals: Sequence[Node], layout: Layout, start: Candidate) -> Candidate:
    """The point with coordinates replaced, one after the other, by simpler ones at which the literals still hold."""
    point = dict(start)
    for v in [*layout.chosen, *(v for v in layout.chosen if v in layout.whole)]:  # what is left out is seen then
        now = point[v]
        simpler = _simpler(v, now, layout) if isinstance(now, Fraction) else []
        if not simpler:
            continue
        others = {u: np.full(len(simpler), float(q)) for u, q in point.items()}
        batch = judge(literals, layout, others | {v: np.array([float(q) for q in simpler])})
        found = candidates(batch, layout, batch.clear, 1)
        point = found[0] if found else point
    return point


def _simpler(v: str, now: Fraction, layout: Layout) -> list[Fraction]:
    """Plainer values than this one, the plainest first: of an integer smaller ones, with gaps if they are many."""
    low = layout.low.get(v, (None, True))[0]
    least, end = max(1, (low or Fraction(1)).__ceil__()), int(now)
    below = range(least, end) if v in layout.whole else range(0)
    some = {*below[:: max(1, len(below) // LOOKED_AT)], *below[-LOOKED_AT:]}
    plain = {q for q in pool(v, layout) if complexity(q) < complexity(now)}
    return sorted(plain.union(map(Fraction, some)), key=lambda q: (complexity(q), q))


def candidates(batch: Batch, layout: Layout, flags: Flags, count: int) -> list[Candidate]:
    """The simplest flagged points: exact values for chosen variables, floats for roots."""
    places = np.nonzero(flags)[0]
    names = {v for v, _ in layout.roots}
    rows = []
    for i in places[:120]:
        point: Candidate = {v: exact(float(batch.at[v][i])) for v in layout.chosen}
        cost = sum(complexity(q) for q in point.values() if isinstance(q, Fraction))
        cost += sum(4 for v, _ in layout.terms if batch.at[v][i] <= 0)
        point |= {v: float(batch.at[v][i]) for v in names}
        rows.append((cost, int(i), point))
    rows.sort(key=lambda r: r[:2])
    return [p for _, _, p in rows[:count]]


__all__ = ["Batch", "candidates", "complete", "exact", "head", "improve", "judge", "merged", "plainer", "random_points",
           "simple_points"]
