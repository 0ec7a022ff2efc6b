"""What the test of silence is made of: classes of false statements, each with the door that it knocks at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

BUDGET = 0.3  # seconds of search for a false statement; more would prove no more of these
AMPLE = 5.0   # and for the true ones beside them


@dataclass(frozen=True)
class Case:
    """One statement at a door. ``run``: what the door says of it: proved (or valid), refuted (or rejected), unknown, or
    input error. ``near``: the true statement that it is one step away from, if there is one."""

    text: str
    run: Callable[[], str]
    near: str = ""


@dataclass(frozen=True)
class Class:
    """At most ten false statements of a kind, and the true ones beside them."""

    door: str
    name: str
    false: tuple[Case, ...]
    true: tuple[Case, ...] = ()


Reader = Callable[[str, float], str]


def read(door: str, name: str, block: str, says: Reader) -> Class:
    """A class from its lines: a true statement has ``= `` before it, and the false ones below it are near to it."""
    false, true, near = list[Case](), list[Case](), ""
    for line in block.strip("\n").splitlines():
        text = line.removeprefix("= ").strip()
        if not text:
            near = ""
        elif line.startswith("= "):
            true.append(Case(text, lambda text=text: says(text, AMPLE)))  # type: ignore[misc]
            near = text
        else:
            beside = text.split(" >> ")[0].strip() if " >> " in text else near
            false.append(Case(text, lambda text=text: says(text, BUDGET), beside))  # type: ignore[misc]
    return Class(door, name, tuple(false), tuple(true))


def parts(line: str) -> tuple[str, list[str], list[str]]:
    """``goal | condition; condition | definition; definition``"""
    goal, where, let = ([*line.split("|"), "", ""])[:3]
    return goal.strip(), listed(where), listed(let)


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]
