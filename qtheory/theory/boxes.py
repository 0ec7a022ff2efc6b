"""Boxes of patterns: of each engine how many of its first groups are empty at least, and at most.

A tree that splits the box of all patterns says which boxes a proof looks at, few where one engine decides and many
where all do. A tree is () where a box is looked at as it is, or (engine, group, tree, tree): first the box in which one
of the engine's groups up to this one is nonempty, then the one in which all of these are empty. Engines and groups are
counted from 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from qtheory.numerics.lp import ONE, Form
from qtheory.theory.fluid import FluidModel

Tree: TypeAlias = "tuple[()] | tuple[int, int, Tree, Tree]"


@dataclass(frozen=True)
class Box:
    """By engine: the first ``empty`` groups are empty, and one of the first ``within`` + 1 groups is not; ``within`` is
    the number of groups where nothing is said."""

    empty: tuple[int, ...]
    within: tuple[int, ...]

    @classmethod
    def whole(cls, model: FluidModel) -> Box:
        """All patterns."""
        return cls((0,) * len(model.groups), tuple(len(engine) for engine in model.groups))

    def split(self, engine: int, group: int) -> tuple[Box, Box]:
        """One of the engine's groups up to this one is nonempty; all of them are empty."""
        within, empty = list(self.within), list(self.empty)
        within[engine], empty[engine] = group, group + 1
        return Box(self.empty, tuple(within)), Box(tuple(empty), self.within)

    def splits(self) -> Iterator[tuple[int, int]]:
        """The (engine, group) at which the box can be split."""
        for engine, (least, most) in enumerate(zip(self.empty, self.within, strict=True)):
            yield from ((engine, group) for group in range(least, most))

    def none(self, model: FluidModel, visits: Collection[int], drained: Collection[int]) -> bool:
        """Whether the box has no state in which one of these visits is nonempty and all drained ones are empty."""
        for engine, least, most in zip(model.groups, self.empty, self.within, strict=True):
            if most < len(engine) and all(k in drained for group in engine[least:most + 1] for k in group):
                return True
        return set(visits) <= set(self._empty(model))

    def _empty(self, model: FluidModel) -> list[int]:
        return [k for engine, least in zip(model.groups, self.empty, strict=True) for g in engine[:least] for k in g]

    def equations(self, model: FluidModel, drained: Collection[int]) -> tuple[list[Form], list[Form]]:
        """What holds of the efforts in the box at a regular time: (forms that are 0, forms that are >= 0)."""
        empty = sorted({*self._empty(model), *drained})
        equal, rest = [model.fills[k] for k in empty], [*(Form({k: ONE}) for k in model.visits), *model.cell]
        for engine, most in zip(model.groups, self.within, strict=True):
            idle = Form(dict.fromkeys((k for group in engine[:most + 1] for k in group), -ONE), ONE)
            (equal if most < len(engine) else rest).append(idle)
            equal += [Form({k: ONE}) for group in engine[most + 1:] for k in group]
        return equal, rest


def leaves(tree: Tree, box: Box) -> Iterator[Box]:
    """The boxes that a tree makes of one."""
    if not tree:
        yield box
        return
    engine, group, first, second = tree
    some, none = box.split(engine, group)
    yield from leaves(first, some)
    yield from leaves(second, none)
