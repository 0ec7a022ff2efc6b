"""The goals given to the prover, one result a line of a file that a later run goes on with, and the figures by kind."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path

from qtheory.errors import InputError
from qtheory.proofs.api import prove

from .loading import Goal

WIDTH = 160  # of an obstacle in the list
HEAD = "| kind | true proved | false refuted | unknown | wrong | median s | 90th percentile s |"


def judged(goal: Goal, budget: float) -> tuple[str, str]:
    """The verdict's word, and the obstacle of one that is unknown; a goal that the language cannot read yet is an
    input error."""
    try:
        verdict = prove(goal.goal, goal.where, let=goal.let, budget=budget)
    except InputError as error:
        return "input error", str(error)
    return verdict.verdict, verdict.note if verdict.verdict == "unknown" else ""


def results(path: Path, budget: float) -> dict[str, tuple[str, float, str]]:
    """What the file knows of runs with this budget: by the text of the goal, its verdict, seconds and obstacle."""
    if not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line["text"]: (line["verdict"], line["seconds"], line.get("obstacle", ""))
            for line in lines if line["budget"] == budget}


def run(goals: Iterable[Goal], budget: float, path: Path, most: int | None = None) -> int:
    """Judge what the file does not know yet, at most that many goals; the number of those that were judged."""
    os.environ["QTHEORY_CACHE"] = "off"  # what was found before would change both verdicts and times
    known, done = results(path, budget), 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        for goal in goals:
            if goal.text in known or (most is not None and done >= most):
                continue
            started = time.process_time()
            verdict, obstacle = judged(goal, budget)
            line = {"id": goal.id, "text": goal.text, "budget": budget, "verdict": verdict,
                    "seconds": round(time.process_time() - started, 4), "obstacle": obstacle}
            file.write(json.dumps(line) + "\n")
            file.flush()
            done += 1
    return done


def is_wrong(goal: Goal, verdict: str) -> bool:
    return verdict == ("refuted" if goal.true else "proved")


def command(goal: Goal, budget: float) -> str:
    """The command that gives the goal to the prover."""
    options = [f'--where "{c}"' for c in goal.where] + [f'--let "{d}"' for d in goal.let]
    return " ".join([f'qtheory prove "{goal.goal}"', *options, f"--budget {budget:g}"])


def at_part(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def table(goals: Iterable[Goal], path: Path, budget: float) -> str:
    """By kind, and of all, what became of the goals that were judged."""
    known = results(path, budget)
    rows: dict[str, list[tuple[Goal, str, float]]] = {}
    for goal in goals:
        if goal.text in known:
            row = (goal, *known[goal.text][:2])
            rows.setdefault(goal.kind, []).append(row)
            rows.setdefault("all", []).append(row)
    lines = [HEAD, "|" + " --- |" * 7]
    for kind in [*sorted(rows.keys() - {"all"}), *(["all"] if rows else [])]:
        of_kind = rows[kind]
        true, false = ([(g, v) for g, v, _ in of_kind if g.true is side] for side in (True, False))
        wrong = [g for g, v, _ in of_kind if is_wrong(g, v)]
        open_ones = sum(v not in ("proved", "refuted") for _, v, _ in of_kind)
        seconds = [s for *_, s in of_kind]
        proved, refuted = (sum(v == word for _, v in side) for side, word in ((true, "proved"), (false, "refuted")))
        lines.append(f"| {kind} | {proved} of {len(true)} | {refuted} of {len(false)} | {open_ones} | {len(wrong)} | "
                     f"{at_part(seconds, 0.5):.2f} | {at_part(seconds, 0.9):.2f} |")
    return "\n".join(lines)


def misses(goals: Iterable[Goal], path: Path, budget: float) -> str:
    """The goals that are neither proved nor refuted, each with its obstacle."""
    known = results(path, budget)
    lines = ["| goal | true | its obstacle |", "| --- | --- | --- |"]
    for goal in goals:
        verdict, _, obstacle = known.get(goal.text, ("proved", 0.0, ""))
        if verdict not in ("proved", "refuted"):
            told = " ".join(obstacle.replace("|", "/").replace("`", "'").split())
            told = told if len(told) <= WIDTH else told[:WIDTH - 2] + ".."
            where = ", ".join(f"`{c}`" for c in goal.where)
            lines.append(f"| `{goal.goal}`{' for ' if where else ''}{where} | {'yes' if goal.true else 'no'} | "
                         f"{told or 'not recorded'} |")
    return "\n".join(lines)
