"""The budget of a decision: units of work of all that it does, and who is told as they are spent.

A unit is about a second of an idle core.  Virtual stations, functions, stages, paths, the checking of what is found and
the simulation beside it count alike (:mod:`qtheory.proofs.tactics.effort` says what each costs), so that a slow machine
tries as much as a fast one.
"""

from __future__ import annotations

from collections.abc import Callable

from qtheory.proofs.tactics.effort import COSTS, SECOND, spend, spent
from qtheory.theory.draining import Gone

EARLY = 1.0  # units of work after which a decision is no quick one

Tick = Callable[..., None]


class Budget:
    """``units`` of work from now on.

    ``early``: called once, as soon as more than :data:`EARLY` units are spent; ``report``: told (units spent, of how
    many), whole ones, as they pass.
    """

    def __init__(self, units: float, early: Callable[[], object] | None = None,
                 report: Callable[[float, float], None] | None = None) -> None:
        self.units, self.begin = units, spent()
        self.early, self.report, self.told = early, report, -1

    @property
    def used(self) -> float:
        """Units of work so far."""
        return (spent() - self.begin) / SECOND

    def left(self, share: float = 1.0) -> float:
        """Units of work until this share of the budget is spent."""
        return share * self.units - self.used

    def spend(self, kind: str, amount: int = 1) -> None:
        """Count so many of a kind of work, and tell of it."""
        spend(kind, amount)
        if self.early is not None and self.used > EARLY:
            early, self.early = self.early, None
            early()
        if self.report is not None and int(self.used) > self.told:
            self.told = int(self.used)
            self.report(min(self.told, int(self.units)), int(self.units))

    def until(self, share: float) -> Tick:
        """What a search calls with each piece of its work, (kind, how many of them): it raises
        :class:`~qtheory.theory.draining.Gone` once this share of the budget is spent."""
        def tick(kind: str, amount: int = 1) -> None:
            self.spend(kind, amount)
            if self.left(share) < 0:
                raise Gone("none within the budget")
        return tick

    def affords(self, kind: str, amount: int) -> bool:
        """Whether so much is left."""
        return COSTS[kind] * amount <= self.left() * SECOND


__all__ = ["EARLY", "Budget", "Tick"]
