"""Progress on standard error, for what takes longer than two seconds: a line, ever more rarely."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

DELAY = 2.0  # seconds before anything appears
SELDOM = 10  # where the work goes on, a line is said after this part of the time spent


class Report(Protocol):
    """Is told how much is done, of how much, and the name of what is being done."""

    def __call__(self, done: float, of: float, at: str = "", /) -> None: ...


@contextmanager
def progress_lines(label: str, out: TextIO | None = None) -> Iterator[Report]:
    """Say after 2, 4, 8, .. seconds how far the work is, and between them where it went on.  The caller reports (done,
    of how many), with the name of what it is at, or nothing; ``out`` is where it is said, by default what standard
    error is by then."""
    said = _Lines(label, out)
    try:
        yield said.report
    finally:
        said.ended.set()


class _Lines:
    def __init__(self, label: str, out: TextIO | None) -> None:
        self.label, self.out, self.state, self.count, self.ended = label, out, "", 0.0, threading.Event()
        threading.Thread(target=self.run, daemon=True).start()

    def report(self, done: float, of: float, at: str = "") -> None:
        self.count, self.state = done, f" {int(done)} of {int(of)}," + f" at {at}," * bool(at)

    def run(self) -> None:
        started, said, counted = time.monotonic(), 0.0, self.count
        while not self.ended.wait(DELAY):
            spent = time.monotonic() - started
            if spent >= 2 * said or (self.count > counted and spent - said >= max(2 * DELAY, spent / SELDOM)):
                said, counted = spent, self.count
                print(f"{self.label}:{self.state} {spent:.0f} s so far", file=self.out or sys.stderr, flush=True)


__all__ = ["DELAY", "Report", "progress_lines"]
