"""Times in mixed units: rows that differ as seconds, milliseconds and microseconds do, found and named by line.

Two rows of nearby loads bound each other. No iteration takes less time for more work, none grows faster than its tokens
(their square, where attention counts) or than the tokens that it holds in memory. So the ratio of two times lies in an
interval of at most a few octaves; where it lies outside, and a factor of 1000, or of its powers, brings it inside, the
units differ. A ratio that no such factor explains (a stall, a compilation) is nobody's unit and passes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.models.laws import RATIO, RESIDENT, TOKENS

Array = NDArray[np.float64]
Index = NDArray[np.intp]

_UNIT = 3.0  # decades between seconds, milliseconds and microseconds
_POWERS = (1, -1, 2, -2, 3, -3)
_ROOM = 0.5  # decades that noise, outliers and what the variables leave out may add
_KINDS_ROOM = 1.2  # the same, between prefill, decode and mixed iterations, or different numbers of GPUs
_KINDS_ROOM_AFTER = 1.5  # the same, once a unit is corrected: of so distant kinds nothing but a unit is left to say
_RATIO_ROOM = 2.0  # decades by which the time may change from no decode token to decode tokens alone
_SQUARE = 256.0  # tokens from which attention's square may count
_NEAR = 0.6  # decades: rows of two kinds are held against each other within a factor of four in tokens
_REACH = 3  # a row is held against so many neighbours on either side
_USUAL = -1.5  # decimal logarithm of 30 milliseconds: of two halves, the one nearer is taken for seconds
_NAMED = 12  # lines that an error names


class _Links(NamedTuple):
    """Pairs of rows (pairs,), by how many powers of 1000 the second's unit exceeds the first's, and how tight.

    ``strange``: no power explains the pair.
    """

    first: Index
    second: Index
    power: NDArray[np.int_]
    width: Array
    strange: NDArray[np.bool_]

    def some(self, keep: NDArray[np.bool_]) -> _Links:
        return _Links(self.first[keep], self.second[keep], self.power[keep], self.width[keep], self.strange[keep])


def check(
    path: str | Path, lines: Sequence[int], column: str, times: Array, loads: Mapping[str, Array], kinds: Array,
    unit: str,
) -> None:
    """Raise InputError where times (rows,) of ``column`` are in mixed units, naming the odd lines.

    ``loads``: those of tokens, resident_tokens and decode_ratio that are known; ``kinds`` (rows,): numbers that tell
    kinds of iterations apart; ``unit``: what the column is meant to be in.
    """
    logs = np.log10(times)
    groups = [np.flatnonzero(kinds == kind) for kind in np.unique(kinds)]
    within = [_joined([_neighbours(logs, loads, rows, name) for name in loads]) for rows in groups]
    power = np.zeros(len(times), dtype=int)
    every = _joined(within)
    links = every.some(~every.strange)
    if links.power.any():
        power = np.where(_outvoted(every, len(times)), 0, _powers(links, len(times)))
    between = _between(logs - _UNIT * power, loads, groups)
    for (_, other), shift in between.items():
        power[groups[other]] += shift
    if not np.ptp(power):
        return
    odd = power != _usual(power, logs)
    shown, beside = _pair(odd, links, loads)
    names = [name for name in (TOKENS, RESIDENT, RATIO) if name in loads]
    where = f"{names[0]} {loads[names[0]][shown]:g} and {loads[names[0]][beside]:g}" if names else "repeats"
    rest = sorted(lines[int(i)] for i in np.flatnonzero(odd) if i != shown)
    more = f", {len(rest) - _NAMED} more" if len(rest) > _NAMED else ""
    likewise = f"; likewise in lines {', '.join(map(str, rest[:_NAMED]))}{more}" if rest else ""
    raise InputError(f"{path}:{lines[shown]}: column {column!r}: {times[shown]:g} beside {times[beside]:g} in line "
                     f"{lines[beside]} ({where}): mixed units? all times in {unit}{likewise}")


def check_alike(path: str | Path, line: int, columns: Mapping[str, Array], unit: str) -> None:
    """Raise InputError where whole columns of alike operations differ by a unit: ``columns`` by name, (rows,) each.

    ``line``: the header's. Their typical times may lie two decades apart.
    """
    typical = {name: float(np.median(np.log10(times))) for name, times in columns.items()}
    middle = float(np.median(list(typical.values())))
    if np.ptp(list(typical.values())) < _UNIT - 1:
        return
    odd = max(typical, key=lambda name: abs(typical[name] - middle))
    other = min(typical, key=lambda name: abs(typical[name] - middle))
    raise InputError(f"{path}:{line}: column {odd!r}: times around {10 ** typical[odd]:.2g} beside "
                     f"{10 ** typical[other]:.2g} in column {other!r}: mixed units? all times in {unit}")


def _neighbours(logs: Array, loads: Mapping[str, Array], rows: Index, name: str) -> _Links:
    """Each row beside those that follow it in order of one variable, then of the others, then of the time."""
    others = [loads[other][rows] for other in loads if other != name]
    order = rows[np.lexsort((logs[rows], *others, loads[name][rows]))]
    return _joined([_links(logs, loads, order[:-step], order[step:], _ROOM, _ROOM) for step in range(1, _REACH + 1)])


def _links(
    logs: Array, loads: Mapping[str, Array], first: Index, second: Index, room: float, room_after: float
) -> _Links:
    """The pairs in which one power of 1000 makes the times agree, within ``room`` as they are, within ``room_after``
    once corrected; and the strange ones, in which none does. Where several do, the pair says nothing."""
    most, least = np.zeros(len(first)), np.zeros(len(first))
    for name, load in loads.items():
        if name == RATIO:
            growth = _RATIO_ROOM * np.abs(load[second] - load[first])
            most, least = np.maximum(most, growth), np.minimum(least, -growth)
            continue
        size = np.maximum(load, 1.0)
        effort = np.log10(size) + (np.log10(np.maximum(size, _SQUARE)) if name == TOKENS else 0.0)
        growth = effort[second] - effort[first]
        most, least = np.maximum(most, growth), np.minimum(least, growth)
    step = logs[second] - logs[first]

    def agrees(power: int, room: float) -> NDArray[np.bool_]:
        return np.asarray((step - _UNIT * power <= most + room) & (step - _UNIT * power >= least - room))

    found, known = np.zeros(len(first), dtype=int), agrees(0, room)
    several = np.zeros(len(first), dtype=bool)
    for power in _POWERS:
        fits = agrees(power, room_after)
        found = np.where(fits & ~known, power, found)
        several, known = several | (known & fits), known | fits
    return _Links(first, second, found, most - least, ~known).some(~several)


def _joined(parts: Sequence[_Links]) -> _Links:
    if not parts:
        none = np.zeros(0, dtype=int)
        return _Links(none, none, none, np.zeros(0), none.astype(bool))
    first, second, power, width, strange = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _Links(first, second, power, width, strange)


def _outvoted(links: _Links, rows: int) -> NDArray[np.bool_]:
    """The rows (rows,) of which more than twice as many pairs are strange as speak of a unit: a stall, not a unit."""
    count = np.zeros((2, rows), dtype=int)
    for side in (links.first, links.second):
        np.add.at(count[0], side[links.power != 0], 1)
        np.add.at(count[1], side[links.strange], 1)
    return np.asarray(count[1] > 2 * count[0])


def _powers(links: _Links, rows: int) -> NDArray[np.int_]:
    """For each row the power of 1000 by which its unit exceeds that of most rows that it is linked with.

    The tightest links decide; where none leads from one part of a kind to another, each part has its own most rows.
    """
    parent, offset, size = list(range(rows)), [0] * rows, [1] * rows

    def root(row: int) -> tuple[int, int]:
        total = 0
        while parent[row] != row:
            total += offset[row]
            row = parent[row]
        return row, total

    for i in np.argsort(links.width, kind="stable"):
        (a, up), (b, down) = root(int(links.first[i])), root(int(links.second[i]))
        if a == b:
            continue
        shift = up + int(links.power[i]) - down  # of b's root against a's
        if size[a] < size[b]:
            a, b, shift = b, a, -shift
        parent[b], offset[b], size[a] = a, shift, size[a] + size[b]
    found = [root(row) for row in range(rows)]
    counts: dict[int, Counter[int]] = {}
    for part, power in found:
        counts.setdefault(part, Counter())[power] += 1
    return np.array([power - counts[part].most_common(1)[0][0] for part, power in found])


def _between(logs: Array, loads: Mapping[str, Array], groups: Sequence[Index]) -> dict[tuple[int, int], int]:
    """Pairs of kinds of which the second's unit exceeds the first's, and by which power; the smaller kind is second."""
    order = sorted(range(len(groups)), key=lambda i: -len(groups[i]))
    found: dict[tuple[int, int], int] = {}
    settled: set[int] = set()
    for a, b in combinations(order, 2):
        if a in settled or b in settled:
            continue
        links = _links(logs, loads, *_nearest(loads, groups[a], groups[b]), _KINDS_ROOM, _KINDS_ROOM_AFTER)
        counts = Counter(links.power[~links.strange].tolist())
        power, votes = max(counts.items(), key=lambda item: item[1], default=(0, 0))
        if power and votes > len(links.power) / 2:
            found[a, b] = int(power)
            settled.add(b)
    return found


def _nearest(loads: Mapping[str, Array], first: Index, second: Index) -> tuple[Index, Index]:
    """For each row of the second kind the nearest of the first by tokens: the smaller half of those within a factor of
    four, whose fixed times weigh most, or the nearest pair of all."""
    name = next((name for name in (TOKENS, RESIDENT) if name in loads), None)
    if name is None:
        return np.repeat(first, len(second)), np.tile(second, len(first))
    size = np.log10(np.maximum(loads[name], 1.0))
    order = first[np.argsort(size[first], kind="stable")]
    at = np.searchsorted(size[order], size[second])
    low, high = order[np.clip(at - 1, 0, len(order) - 1)], order[np.clip(at, 0, len(order) - 1)]
    best = np.where(np.abs(size[low] - size[second]) <= np.abs(size[high] - size[second]), low, high)
    apart = np.abs(size[best] - size[second])
    keep = apart <= max(_NEAR, float(apart.min()))
    keep &= size[second] <= np.median(size[second][keep])
    return best[keep], second[keep]


def _usual(power: NDArray[np.int_], logs: Array) -> int:
    """The power of most rows; of two halves, the one with the more usual times."""
    counts = Counter(power.tolist())
    most = max(counts.values())
    halves = [p for p, count in counts.items() if count == most]
    return min(halves, key=lambda p: abs(float(np.median(logs[power == p])) - _USUAL))


def _pair(odd: NDArray[np.bool_], links: _Links, loads: Mapping[str, Array]) -> tuple[int, int]:
    """The first odd row, with the row of the usual unit beside which it stands."""
    across = odd[links.first] != odd[links.second]
    if across.any():
        ends = np.stack([links.first[across], links.second[across]])
        rows = np.where(odd[ends[0]], ends[0], ends[1])
        best = np.lexsort((links.width[across], rows))[0]
        return int(rows[best]), int(ends[:, best].sum() - rows[best])
    shown = int(np.flatnonzero(odd)[0])
    usual = np.flatnonzero(~odd)
    if not loads:
        return shown, int(usual[0])
    size = next(iter(loads.values()))
    return shown, int(usual[np.argmin(np.abs(size[usual] - size[shown]))])
