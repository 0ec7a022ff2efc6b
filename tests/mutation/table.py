"""What the study's page says: by room how many faults were planted, killed, and why others change nothing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mutation.faults import CHOSEN, DRAWN, ROOMS

SECTION = re.compile(r"(## Planted faults\n.*?\n\n)\| room.*?\n\n", re.DOTALL)
WHY = Path(__file__).with_name("equivalent.toml")
PROMISED = dict.fromkeys(ROOMS, 0.95) | dict.fromkeys(("testing", "theory", "statistics", "networks"), 0.98)


def equivalent() -> dict[str, str]:
    """Why a fault, by its id, changes nothing that can be observed."""
    return dict(tomllib.loads(WHY.read_text(encoding="utf-8")))


def counted(rows: Iterable[dict[str, Any]]) -> tuple[int, int, int, int]:
    """How many were planted, were killed, change nothing, survived."""
    same, found = equivalent(), [0, 0, 0, 0]
    for row in rows:
        found[0] += 1
        found[1 if row["outcome"] == "killed" else 2 if row["id"] in same else 3] += 1
    return found[0], found[1], found[2], found[3]


def share(planted: int, killed: int, same: int, survived: int) -> float:
    """The share killed of those that change something."""
    return killed / (killed + survived) if killed + survived else 1.0


def table(rows: dict[str, dict[str, Any]]) -> str:
    """In Markdown."""
    lines = ["| room | of the drawn killed | of the chosen killed | change nothing | survived | killed of the rest | "
             "promised |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for room in (*ROOMS, "all"):
        of = [r for r in rows.values() if room in (r["room"], "all")]
        if of:
            by = [counted(r for r in of if r["origin"] == origin) for origin in (DRAWN, CHOSEN)]
            whole = counted(of)
            least = f"{100 * PROMISED[room]:.0f} %" if room in PROMISED else ""
            lines.append(f"| {room} | {by[0][1]} of {by[0][0]} | {by[1][1]} of {by[1][0]} | {whole[2]} | {whole[3]} | "
                         f"{100 * share(*whole):.0f} % | {least} |")  # fmt: skip
    return "\n".join(lines)


def written(page: str, text: str) -> str:
    """The page with the table in its section."""
    found, count = SECTION.subn(lambda m: f"{m[1]}{text}\n\n", page)
    if not count:
        raise ValueError("the page has no section of planted faults with a table")
    return found


def missed(rows: dict[str, dict[str, Any]]) -> list[str]:
    """The rooms in which nothing was planted, of either origin, or fewer were killed than is promised."""
    out = []
    for room, least in PROMISED.items():
        of = [r for r in rows.values() if r["room"] == room]
        out += [f"nothing {origin} planted in {room}" for origin in (DRAWN, CHOSEN)
                if not any(r["origin"] == origin for r in of)]
        found = counted(of)
        if share(*found) < least:
            out.append(f"{room}: {100 * share(*found):.1f} percent killed of those that change something, "
                       f"{100 * least:.0f} promised")  # fmt: skip
    return out
