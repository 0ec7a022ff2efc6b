"""Progress on standard error, for what takes longer than two seconds: a line, ever more rarely."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

DELAY = 2.0  # seconds before anything appears


@contextmanager
def progress_lines(label: str, out: TextIO | None = None) -> Iterator[Callable[[float, float], None]]:
    """Say after 2, 4, 8, .. seconds how far the work is.  The caller reports (done, of how many), or nothing; ``out``
    is where it is said, by default what standard error is by then."""
    said = _Lines(label, out)
    try:
        yield said.report
    finally:
        said.ended.set()


class _Lines:
    def __init__(self, label: str, out: TextIO | None) -> None:
        self.label, self.out, self.state, self.ended = label, out, "", threading.Event()
        threading.Thread(target=self.run, daemon=True).start()

    def report(self, done: float, of: float) -> None:
        self.state = f" {int(done)} of {int(of)},"

    def run(self) -> None:
        started = time.monotonic()
        wait = DELAY
        while not self.ended.wait(wait):
            wait = time.monotonic() - started
            print(f"{self.label}:{self.state} {wait:.0f} s so far", file=self.out or sys.stderr, flush=True)


__all__ = ["DELAY", "progress_lines"]
