"""The factor of all arrival rates at which a verdict changes, between two that are certified."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.models.network import AgentNetwork, NetworkError
from qtheory.networks.budget import Budget
from qtheory.networks.deciding import decide, require_network
from qtheory.networks.wording import about
from qtheory.theory.draining import Gone
from qtheory.theory.stability import nominal_loads, virtual_stations


@dataclass(frozen=True)
class Critical:
    """Factors of all arrival rates: ``stable`` and ``unstable`` are certified, and differ little if nothing between
    them is undecided; ``exact`` is where the heaviest virtual station or engine has load 1, if that lies between. None
    where none was found. ``tried``: all factors that were decided, in order, with their verdicts."""

    stable: Fraction | None
    unstable: Fraction | None
    exact: Fraction | None
    tried: tuple[tuple[Fraction, str], ...] = ()

    @property
    def undecided(self) -> tuple[Fraction, ...]:
        """The factors that were tried in vain."""
        return tuple(factor for factor, verdict in self.tried if verdict == "undecided")

    @property
    def monotone(self) -> bool:
        """Whether nothing that was tried is stable above what is not, or above what is undecided."""
        ranks = [("stable", "undecided", "unstable").index(verdict) for _, verdict in self.tried]
        return ranks == sorted(ranks)

    def __str__(self) -> str:
        if self.stable is None or self.unstable is None:
            return "no factor of the arrival rates is known at which the verdict changes"
        exact = "" if self.exact is None else f"; a load there is 1 at {about(self.exact)} = {float(self.exact):.9g}"
        gap = ""
        if self.undecided:
            gap = (f"; undecided at {len(self.undecided)} factors that were tried, from "
                   f"{float(self.undecided[0]):.6g} to {float(self.undecided[-1]):.6g}")
        if not self.monotone:
            gap += "; the verdicts do not follow each other: " + ", ".join(
                f"{verdict} at {float(factor):.6g}" for factor, verdict in self.tried)
        return (f"with arrival rates times {float(self.stable):.9g} it is stable, times {float(self.unstable):.9g} not"
                f"{exact}{gap}")

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {k: None if v is None else str(v) for k, v in
                                 (("stable", self.stable), ("unstable", self.unstable), ("exact", self.exact))}
        return found | {"tried": [{"factor": str(factor), "verdict": verdict} for factor, verdict in self.tried]}


def bracket(network: AgentNetwork, width: Fraction = Fraction(1, 10**6), *, coarse: Fraction = Fraction(1, 1000),
            budget: float = 60.0, total: float = math.inf) -> Critical:
    """Two factors of the arrival rates, at most ``width`` times their size apart, with a certificate of stability at
    the lower and of instability at the upper.

    Where a factor between is undecided, both ends of what is undecided are looked for, each up to ``coarse`` of the
    largest factor. ``budget``: as :func:`decide`, at each factor; ``total``: units of work for all of them, after
    which the two that are nearest so far are given.
    """
    require_network(network)
    work = Budget(total)
    most = 1 / max(nominal_loads(network).values()) * (1 + width / 2)
    tried = {most: "unstable"}  # the busiest engine is overloaded

    def verdict(factor: Fraction) -> str:
        if work.left() <= 0:
            raise Gone
        try:
            scaled = network.scaled(factor)
        except NetworkError:  # rates of more digits than a network's numbers may have
            tried[factor] = "undecided"
        else:
            tried[factor] = decide(scaled, budget=min(budget, work.left())).verdict
        return tried[factor]

    low, high = Fraction(0), most
    try:
        while high - low > width * high:
            middle = _middle(low, high)
            found = verdict(middle)
            if found == "undecided":
                low = _halve(low, middle, lambda x: verdict(x) == "stable", coarse * most)[0]
                high = _halve(middle, high, lambda x: verdict(x) != "unstable", coarse * most)[1]
                break
            low, high = (middle, high) if found == "stable" else (low, middle)
    except Gone:
        low = max((f for f, found in tried.items() if found == "stable"), default=Fraction(0))
        high = min(f for f, found in tried.items() if found == "unstable" and f > low)
    exact = _binding(network, low, high) if "undecided" not in tried.values() else None
    return Critical(low or None, high, exact, tuple(sorted(tried.items())))


def _middle(low: Fraction, high: Fraction) -> Fraction:
    return ((low + high) / 2).limit_denominator(10**9)


def _halve(low: Fraction, high: Fraction, below: Callable[[Fraction], bool], width: Fraction
           ) -> tuple[Fraction, Fraction]:
    """An interval of at most this width within the given one, whose lower end is below what is looked for."""
    while high - low > width:
        middle = _middle(low, high)
        low, high = (middle, high) if below(middle) else (low, middle)
    return low, high


def _binding(network: AgentNetwork, low: Fraction, high: Fraction) -> Fraction | None:
    """The factor between, if there is one, at which an engine or a virtual station without pushed visits has load 1."""
    # the first push start of each pair of engines pushes no visit
    loads = [*nominal_loads(network).values(), *(v.load for v in virtual_stations(network, most=1))]
    return next((1 / load for load in loads if low <= 1 / load <= high), None)


__all__ = ["Critical", "bracket"]
