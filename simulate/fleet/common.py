"""What the two levels of a cluster have in common: what is given of one, and what a run earns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import UnknownNameError
from qtheory.simulate.showing import InALine, Replication
from qtheory.theory.planning.plan import Plan
from qtheory.theory.planning.policies import Policy
from qtheory.theory.planning.programs import CHARGING

Array = NDArray[np.float64]


class PlannedCluster(InALine):
    """``gpus`` GPUs that serve the arrivals of the plan's instance under a policy."""

    plan: Plan
    policy: Policy | str
    gpus: int

    @property
    def line(self) -> str:
        rule = f"{self.rule.gate} gate, {self.rule.router} router"
        return f"{self.gpus:,} GPUs, {rule}; {len(self.plan.instance)} classes"

    @property
    def rule(self) -> Policy:
        """The policy as what it is made of."""
        assert isinstance(self.policy, Policy)
        return self.policy

    @property
    def mixed_gpus(self) -> int:
        """GPUs that may take prefills: M = ceil(n x*) where they are planned, else all."""
        return self.plan.mixed_gpus(self.gpus) if self.rule.planned else self.gpus

    @property
    def event_rate(self) -> tuple[float, str]:
        """Events a second in the long run at most, where nobody is served twice: four of each request."""
        return 4.0 * self.gpus * sum(float(c.rate) for c in self.plan.instance.classes), "events"


class Earnings(Replication):
    """What is read off a run from its prefills and decodes that end, a second and GPU, in each of its windows."""

    warm_up: int
    area: Array  # integrals over the windows, its first axis

    @property
    def windows(self) -> int:
        return int(self.area.shape[0])

    @property
    def plan(self) -> Plan:
        """What its cluster is run by."""
        raise NotImplementedError

    @property
    def prefilled(self) -> Array:
        """Prefills that end, a second and GPU; shape (w, k)."""
        raise NotImplementedError

    @property
    def decoded(self) -> Array:
        """Requests that are complete, a second and GPU; shape (w, k)."""
        raise NotImplementedError

    def revenue(self, charging: str | None = None) -> Array:
        """$ a second of a GPU in each window (w,): (22) or (23), by default as the plan charges."""
        charging = charging or self.plan.charging
        if charging not in CHARGING:
            raise UnknownNameError("charging scheme", charging, list(CHARGING))
        it = self.plan.instance
        if charging == "bundled":
            return np.asarray(self.decoded @ np.array([float(w) for w in it.rewards]))
        prompts = float(it.prices.prefill) * np.array([float(c.prompt) for c in it.classes])
        decodes = float(it.prices.decode) * np.array([float(c.decode) for c in it.classes])
        return np.asarray(self.prefilled @ prompts + self.decoded @ decodes)

    def mean(self, values: Array) -> Any:
        """The mean over the windows after the warm-up of an array whose first axis they are."""
        found = np.asarray(values[self.warm_up:].mean(axis=0))
        return float(found) if found.ndim == 0 else found
