"""What a search tried, told to a reader; and the list of its strategies as a page of the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.prover import strategies
from qtheory.proofs.tactics.tracing import Entry, Trace

WIDTH = 100  # characters of a goal
LINES = 60  # of the tries
HEAD = """# Strategies of the search

What the search for proofs can do: for each question the strategies that answer it, in the order in which they are
tried. `qtheory prove GOAL --explain` tells what was tried for a goal, what it cost and what was missing. Nothing that
a strategy finds is believed: its certificate is checked. This page is what
`python -m qtheory.proofs.tactics` prints.
"""


@dataclass
class Tally:
    """A strategy's tries of one search."""

    tries: int = 0
    found: int = 0
    work: float = 0.0


def story(trace: Trace, show: Callable[[Node], str]) -> str:
    """The dearest tries, as they stand within one another, and the strategies' tallies; ``show`` writes a goal."""
    shown = set(sorted(range(len(trace.entries)), key=lambda i: (-trace.entries[i].work, i))[:LINES])
    lines = ["units of work, with what was tried within; the goal; what was missing"]
    lines += [_line(e, show) for i, e in enumerate(trace.entries) if i in shown]
    hidden = len(trace.entries) - len(shown) + trace.left_out
    lines += [f"and {hidden} more"] if hidden else []
    lines += ["", f"{'strategy':24} {'tries':>6} {'found':>6} {'units':>9}"]
    tallies = tally(trace)
    lines += [f"{name:24} {t.tries:6} {t.found:6} {t.work:9.3f}" for name, t in sorted(
        tallies.items(), key=lambda item: (-item[1].work, item[0]))]
    return "\n".join(lines)


def tally(trace: Trace) -> dict[str, Tally]:
    """By strategy; work is that of the outermost of its tries alone, for it tries itself within itself."""
    out: dict[str, Tally] = {}
    within: list[tuple[int, str]] = []
    for e in trace.entries:
        while within and within[-1][0] >= e.level:
            within.pop()
        t = out.setdefault(e.strategy, Tally())
        t.tries += 1
        t.found += not e.outcome
        t.work += 0.0 if any(name == e.strategy for _, name in within) else e.work
        within.append((e.level, e.strategy))
    return out


def _line(e: Entry, show: Callable[[Node], str]) -> str:
    goal = show(e.goal)
    goal = goal if len(goal) <= WIDTH else goal[:WIDTH - 2] + ".."
    return f"{e.work:8.3f} {'  ' * min(e.level, 20)}{e.strategy}: {goal}: {e.outcome or 'found'}"


def strategies_page() -> str:
    """The page, in Markdown."""
    return "\n".join([HEAD, *_sections()]) + "\n"


def _sections() -> Iterator[str]:
    last = ""
    for question, s in strategies():
        if question != last:
            yield f"{'' if not last else chr(10)}## {question[0].upper()}{question[1:]}\n"
            yield "| strategy | what it does | an example | what it needs |\n| --- | --- | --- | --- |"
            last = question
        goal, *where = s.example or ("",)
        example = f"`{goal}`" + (" for " + ", ".join(f"`{c}`" for c in where) if where else "") if goal else ""
        yield f"| {s.name} | {s.does} | {example} | {s.needs} |"


__all__ = ["Tally", "story", "strategies_page", "tally"]
