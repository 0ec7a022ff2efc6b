"""What running a claim's own code ends in: typed evidence, from which the gate alone makes a verdict.

The code stands beside the claim: printed pseudo-code replayed literally, or all small cases enumerated in exact
arithmetic. It returns no verdict: it says what happened, and the gate runs it again whenever a verdict is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qtheory.errors import InputError


@dataclass(frozen=True)
class Fails:
    """An input at which what the claim says is false: ``point`` has the input and, as ``trace``, what happens there."""

    point: Mapping[str, str]
    method: str
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.point, Mapping) or not self.point:
            raise InputError("what fails needs the input at which it fails")


@dataclass(frozen=True)
class Holds:
    """What the claim says is true in each of ``cases`` cases, which are all up to ``bound``."""

    cases: int
    bound: str
    method: str
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if type(self.cases) is not int or self.cases < 1:
            raise InputError(f"what holds does so in a number of cases, at least 1, not {self.cases!r:.80}")
        if not isinstance(self.bound, str) or not self.bound.strip():
            raise InputError("what holds needs its bound: which cases were all that there are")


@dataclass(frozen=True)
class Undecided:
    """Neither; says why."""

    why: str


Outcome = Fails | Holds | Undecided
