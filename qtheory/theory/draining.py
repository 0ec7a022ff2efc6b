"""Stages in which a fluid model drains, one after the other, found over few boxes of patterns.

A stage is a set of visits whose weighted content falls once the stages before are empty: one visit as under
first-buffer-first, where each empties once those before it are; the visits of an engine; or all, as under
last-buffer-first, where the content falls as the last nonempty buffer decides. What a stage must show is
:func:`qtheory.theory.obligations.stages`. Dai and Weiss (1996), Stability and instability of fluid models for
reentrant lines, Math. Oper. Res. 21; weights of one stage of all visits are the linear functions of Chen and Zhang
(2000), Stability of multiclass queueing networks under priority service disciplines, Oper. Res. 48.

Instead of all patterns a box of many is looked at. Where its equations do not show that the content falls, the efforts
under which it falls least are either those of a pattern, and bound the weights, or no pattern's, and the box is split
where they are none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qtheory.numerics.lp import ONE, ZERO, least_value, roundings
from qtheory.theory.boxes import Box, Tree
from qtheory.theory.fluid import FluidModel
from qtheory.theory.lyapunov import LEAST, Proof, Tick, below, cover, untold
from qtheory.theory.obligations import Stage, stages

CLOSE = 1e-7  # within which floats obey an equation
FEW = 4  # boxes of a stage of few visits that is looked for first
MAX_BOXES = 2000  # of a stage
MAX_CUTS = 200  # efforts of patterns that bound the weights of a stage


class Gone(Exception):
    """The search may take no longer."""


@dataclass
class _Node:
    """A box, what is known of it, and how it was split.

    ``value``: how fast the content falls at least, by the weights in ``known``, under the efforts ``worst``.
    """

    box: Box
    known: np.ndarray | None = None
    value: float = float("inf")
    worst: np.ndarray | None = None
    at: tuple[int, int] = (0, 0)
    parts: tuple[_Node, _Node] | None = None

    def tree(self) -> Tree:
        return () if self.parts is None else (*self.at, self.parts[0].tree(), self.parts[1].tree())

    def leaves(self) -> list[_Node]:
        return [self] if self.parts is None else [n for p in self.parts for n in p.leaves()]


class _Search:
    """The search for one stage of these visits, once the drained ones are empty."""

    def __init__(self, model: FluidModel, visits: Sequence[int], drained: Collection[int],
                 tick: Tick, most: int, cuts: int) -> None:
        self.most, self.most_cuts = most, cuts
        self.model, self.visits, self.drained, self.tick = model, list(visits), frozenset(drained), tick
        self.root, self.boxes = _Node(Box.whole(model)), 1
        self.matrix = np.array([[float(g.coefficients.get(j, ZERO)) for j in model.visits] for g in model.fills])
        self.constant = np.array([float(g.constant) for g in model.fills])
        self.cuts: list[np.ndarray] = []
        engines = {model.engine_of[k] for k in visits}
        if len(engines) == 1:  # nothing has to be shown where all of their groups are empty
            [engine] = engines
            last = max(i for i, group in enumerate(model.groups[engine]) if set(group) & set(visits))
            some, none = self.root.box.split(engine, last)
            self.root.at, self.root.parts, self.boxes = (engine, last), (_Node(some), _Node(none)), 2

    def stage(self) -> tuple[np.ndarray, float, Tree] | None:
        """(weights, how fast the content falls, tree) as floats; None if none is found."""
        weights, wanted = np.ones(len(self.visits)), 100 * LEAST
        while True:
            least, bad = np.inf, None
            for node in self.root.leaves():
                value = self._falls(node, weights)
                if value < wanted:
                    bad = node
                    break
                least = min(least, value)
            if bad is None:
                return weights, least, self.root.tree()
            assert bad.worst is not None
            if self._is_real(bad.box, bad.worst):
                self.cuts.append((self.matrix @ bad.worst + self.constant)[self.visits])
                solved = self._weights() if len(self.cuts) <= self.most_cuts else None
                if solved is None:
                    return None
                weights, wanted = solved
            elif self.boxes >= self.most or not self._split(bad, weights, wanted):
                return None

    def _weights(self) -> tuple[np.ndarray, float] | None:
        """Weights between 0 and 1 under which the content falls most in all cuts, and half of that."""
        from scipy.optimize import linprog

        n = len(self.visits)
        if n == 1:
            return None  # the content grows, whatever the weight is
        rows = np.vstack([np.hstack([np.array(self.cuts), np.ones((len(self.cuts), 1))]),
                          np.hstack([-np.eye(n), np.ones((n, 1))])])
        found = linprog([0.0] * n + [-1.0], A_ub=rows, b_ub=np.zeros(len(rows)), bounds=[(0, 1)] * n + [(0, 1)])
        if found.x is None or found.x[-1] < 1000 * LEAST:
            return None
        return found.x[:n], float(found.x[-1]) / 2

    def _falls(self, node: _Node, weights: np.ndarray) -> float:
        """How fast the content falls at least in a box; infinite where the box has no efforts or no such state."""
        if node.known is not weights:
            node.known, node.value = weights, self._least(node, weights)
        return node.value

    def _least(self, node: _Node, weights: np.ndarray) -> float:
        if node.box.none(self.model, self.visits, self.drained):
            return float("inf")
        costs, constant = -(weights @ self.matrix[self.visits]), float(weights @ self.constant[self.visits])
        if node.worst is not None and float(costs @ node.worst) < constant:
            return float(costs @ node.worst) - constant  # as good as anything else that does not fall
        self.tick("program")
        found = least_value(costs, *node.box.equations(self.model, self.drained))
        if found is None:
            return float("inf")
        node.worst = found[1]
        return found[0] - constant

    def _levels(self, engine: int, box: Box, efforts: np.ndarray, grow: np.ndarray) -> list[int]:
        """At how many empty first groups of an engine the efforts are possible, within the box."""
        groups, found = self.model.groups[engine], []
        used = 0.0
        for level in range(box.within[engine] + 1):
            if level and max(abs(grow[k]) for k in groups[level - 1]) > CLOSE:
                break
            if level == len(groups):
                if used <= 1 + CLOSE:
                    found.append(level)
                break
            used += sum(efforts[k] for k in groups[level])
            if level >= box.empty[engine] and abs(used - 1) <= CLOSE and not self.drained.issuperset(groups[level]):
                found.append(level)
        return found

    def _is_real(self, box: Box, efforts: np.ndarray) -> bool:
        """Whether the efforts are possible in a pattern of the box in which some visit of the stage is not empty."""
        grow = self.matrix @ efforts + self.constant
        some = False
        for engine, groups in enumerate(self.model.groups):
            levels = self._levels(engine, box, efforts, grow)
            if not levels:
                return False
            some |= any(k in self.visits for group in groups[levels[0]:] for k in group)
        return some

    def _split(self, node: _Node, weights: np.ndarray, wanted: float) -> bool:
        """Split a box where its worst efforts belong to no pattern, so that at best a part needs no more splits."""
        assert node.worst is not None
        grow = self.matrix @ node.worst + self.constant
        odd = {i for i in range(len(self.model.groups)) if not self._levels(i, node.box, node.worst, grow)}
        best: tuple[tuple[float, float], tuple[int, int], tuple[_Node, _Node]] | None = None
        for at in node.box.splits():
            parts = tuple(map(_Node, node.box.split(*at)))
            values = sorted((self._falls(p, weights) for p in parts), reverse=True)
            if values[0] < wanted and odd and at[0] not in odd:
                continue  # of no use
            rank = (values[1], min(values[0], wanted))
            if best is None or rank > best[0]:
                best = rank, at, (parts[0], parts[1])
            if values[0] >= wanted:
                best = rank, at, (parts[0], parts[1])
                break
        if best is None:
            return False
        node.at, node.parts = best[1:]
        self.boxes += 1
        return True


def search(model: FluidModel, tick: Tick = untold) -> tuple[list[Stage], list[Proof]] | None:
    """Stages in which the model drains, with their proofs; None if none are found. ``tick``: told of each
    piece of work, (kind, how many), before it is done; ends the search by raising :class:`Gone`."""
    if model.has_joins:
        return None
    drained: list[int] = []
    found: list[Stage] = []
    while left := [k for k in model.visits if k not in drained]:
        stage = next(filter(None, (_stage(model, visits, drained, tick, *most) for visits, *most in
                                    _likely(model, left))), None)
        if stage is None:
            return None
        found.append(stage)
        drained += stage.visits
    proofs = cover(stages(model, found), tick)
    return None if proofs is None else (found, proofs)


def _likely(model: FluidModel, left: list[int]) -> Iterator[tuple[list[int], int, int]]:
    """What may be a stage among the visits that are left, and how many boxes and cuts it may have: few, then many."""
    engines = [[k for k in left if model.engine_of[k] == i] for i in range(len(model.groups))]
    some = [*([k] for k in left), *(e for e in engines if 1 < len(e) < len(left))]
    yield from ((visits, 2, 0) for visits in some)
    yield left, 2 * len(left) + FEW, 0
    yield from ((visits, FEW, FEW) for visits in some)
    yield left, 2 * len(left) + FEW, len(left)
    yield from ((visits, len(left) + FEW, FEW) for visits in some)
    yield left, MAX_BOXES, MAX_CUTS


def _stage(model: FluidModel, visits: Sequence[int], drained: Sequence[int], tick: Tick, boxes: int,
           cuts: int) -> Stage | None:
    """An exact stage of these visits."""
    solved = _Search(model, visits, drained, tick, boxes, cuts).stage()
    if solved is None:
        return None
    weights, falls, tree = solved
    decay = below(falls / 2) if falls < float("inf") else ONE
    for rounded in roundings(list(weights)):
        if min(rounded) <= 0:
            continue
        exact = dict(zip(visits, rounded, strict=True))
        stage = Stage(tuple(exact.get(k, ZERO) for k in model.visits), decay, tree)
        before = [Stage(tuple(ONE if k in drained else ZERO for k in model.visits), ONE, ())] if drained else []
        here = (o for o in stages(model, [*before, stage]) if o.about.startswith(f"stage {len(before) + 1} "))
        if cover(here, tick) is not None:
            return stage
    return None


__all__ = ["Gone", "search"]
