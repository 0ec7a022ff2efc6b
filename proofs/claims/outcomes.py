"""What running a claim's own code ends in: typed evidence, from which the gate alone makes a verdict.

The code stands beside the claim: printed pseudo-code replayed literally, or all small cases enumerated in exact
arithmetic. It returns no verdict: it says what happened, and the gate runs it again whenever a verdict is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Fails:
    """An input at which what the claim says is false: ``point`` has the input and, as ``trace``, what happens there."""

    point: Mapping[str, str]
    method: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Holds:
    """What the claim says is true in each of ``cases`` cases, which are all up to ``bound``."""

    cases: int
    bound: str
    method: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Undecided:
    """Neither; says why."""

    why: str


Outcome = Fails | Holds | Undecided
