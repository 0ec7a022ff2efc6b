"""The shapes of a claim's own code: all cases one after another, one input at which the claim is false, and a model.

None says a verdict. Cases are counted here, so that no code can claim to have looked at cases that it has not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeAlias

from qtheory.proofs.chains import Recurrence
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.claims.outcomes import Fails, Holds, Outcome, Undecided
from qtheory.proofs.proving.lines import Proof

Point: TypeAlias = Mapping[str, object]
Case: TypeAlias = Point | Undecided | None  # where the claim is false; that this cannot be told; None: it is true
Run: TypeAlias = Callable[[], Outcome]


@dataclass(frozen=True)
class Model:
    """What a claim's line ``model:`` names, where that is no run: a theorem by axioms, with the sources of its
    conditions, with its proof where that is made by code, and the seconds that it takes, or simulations."""

    theorem: Theorem | Recurrence | None = None
    studies: Callable[[], Mapping[str, Any]] | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    proof: Proof = field(default_factory=Proof)
    budget: float | None = None


def every(bound: str, method: str) -> Callable[[Callable[[], Iterator[Case]]], Run]:
    """A run from a generator of all cases up to the bound; it keeps the generator's name and module."""

    def decorate(cases: Callable[[], Iterator[Case]]) -> Run:
        @wraps(cases)
        def run() -> Outcome:
            number = 0
            for case in cases():
                if isinstance(case, Undecided):
                    return case
                if case is not None:
                    return Fails(text(case), method)
                number += 1
            return Holds(number, bound, method) if number else Undecided("there is no case up to the bound")

        return run

    return decorate


def shown(fails: bool, point: Point, method: str, **evidence: object) -> Outcome:
    """The claim fails at the point if it does; else the input shows nothing."""
    return Fails(text(point), method, evidence) if fails else Undecided(f"the input shows nothing: {method}")


def found(outcome: Outcome) -> Outcome:
    """The same input where the claim says that there is one: a case that holds, and its numbers. Cases none of which is
    such an input show nothing: there may be one beyond their bound."""
    if isinstance(outcome, Holds):
        return Undecided(f"no such input among the {outcome.cases} cases {outcome.bound}")
    if not isinstance(outcome, Fails):
        return outcome
    at = {name: told for name, told in outcome.point.items() if name != "trace"}
    told = {"trace": outcome.point["trace"]} if "trace" in outcome.point else {}
    return Holds(1, "; ".join(f"{name} = {value}" for name, value in at.items()), outcome.method,
                 {**told, **outcome.evidence})


def text(point: Point) -> dict[str, str]:
    return {name: str(value) for name, value in point.items()}
