"""What a search tried, what each try cost and what was missing, for a reader: ``qtheory prove --explain``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.effort import SECOND, spent

MOST = 20_000  # entries; what is tried after that is counted only
_recording: ContextVar[Trace | None] = ContextVar("trace", default=None)


@dataclass
class Entry:
    """One try of a strategy. ``outcome``: empty while it runs and where the goal was found, else what was missing;
    ``work`` in seconds, with what was tried within it."""

    level: int
    strategy: str
    goal: Node
    work: float = 0.0
    outcome: str = ""


@dataclass
class Trace:
    """The tries in the order in which they began, each one level deeper than that within which it was made."""

    entries: list[Entry] = field(default_factory=list)
    level: int = 0
    left_out: int = 0

    @contextmanager
    def trying(self, strategy: str, goal: Node) -> Iterator[Entry]:
        """Records the try that the block makes; what it raises is what was missing."""
        entry, started = Entry(self.level, strategy, goal), spent()
        if len(self.entries) < MOST:
            self.entries.append(entry)
        else:
            self.left_out += 1
        self.level += 1
        try:
            yield entry
        except BaseException as error:
            entry.outcome = str(error) or type(error).__name__
            raise
        finally:
            self.level -= 1
            entry.work = (spent() - started) / SECOND


def recording() -> Trace | None:
    """The trace that is being written, if one is."""
    return _recording.get()


@contextmanager
def traced(wanted: bool = True) -> Iterator[Trace | None]:
    """What searches try in the block is written down; nothing, and None is given, where that is not ``wanted``."""
    token = _recording.set(trace := Trace() if wanted else None)
    try:
        yield trace
    finally:
        _recording.reset(token)


@contextmanager
def trying(strategy: str, goal: Node) -> Iterator[Entry]:
    """Records the try that the block makes, where a trace is being written."""
    trace = recording() or Trace()
    with trace.trying(strategy, goal) as entry:
        yield entry


__all__ = ["Entry", "Trace", "recording", "traced", "trying"]
