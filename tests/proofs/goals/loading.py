"""The goals as data: a file of JSON lines a kind, each line a statement with its truth and its source.

``witness`` belongs to a false goal: a point (values are terms, such as ``"1 + 1/10**21"``) at which the conditions
hold and the goal is false or undefined; it is empty where the goal has no free variables.  ``needs`` names functions
that the language does not have yet.  ``held_out`` follows from the goal's own text by ``held_out_of``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
SEED = 17
LATER = ("erf", "gamma", "loggamma", "sin", "cos")  # functions that may be needed and missing


@dataclass(frozen=True)
class Goal:
    """One statement: its texts, whether it is true, where it is from."""

    id: str
    goal: str
    where: tuple[str, ...]
    let: tuple[str, ...]
    true: bool
    source: str
    held_out: bool
    witness: dict[str, str] = field(default_factory=dict, hash=False)
    needs: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.id.split(".")[0]

    @property
    def text(self) -> str:
        return f"{self.goal} | {'; '.join(self.where)} | {'; '.join(self.let)}"


def kinds() -> list[str]:
    return sorted(path.stem for path in DATA.glob("*.jsonl"))


def read(kind: str) -> list[Goal]:
    """The goals of a kind, in the order of their file."""
    lines = (DATA / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_goal(json.loads(line)) for line in lines]


def read_all() -> list[Goal]:
    return [goal for kind in kinds() for goal in read(kind)]


def _goal(data: dict[str, Any]) -> Goal:
    return Goal(**data | {name: tuple(data.get(name, ())) for name in ("where", "let", "needs")})


def held_out_of(goals: Sequence[Goal]) -> set[str]:
    """The ids of every second goal of a kind, of the true and of the false ones, in the order of a seeded hash."""
    chosen: set[str] = set()
    for kind in {goal.kind for goal in goals}:
        for true in (True, False):
            same = [goal for goal in goals if goal.kind == kind and goal.true is true]
            same.sort(key=lambda g: hashlib.sha256(f"{SEED} {g.text}".encode()).hexdigest())
            chosen |= {goal.id for goal in same[::2]}
    return chosen
