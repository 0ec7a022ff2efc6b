"""Progress on standard error, for what takes longer than two seconds: a bar on a terminal.  Elsewhere, as in a log,
nothing is shown, but for commands that take minutes and ask for it: a line, ever more rarely.

Compiling a loop of the simulator is said before it begins: the compiler lets no bar move.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from qtheory.progress import DELAY, Report, progress_lines


def compiling(what: str) -> str:
    """What is said of a loop that is compiled."""
    return f"compiling, once for this version: {what}"


@contextmanager
def progress_bar(label: str, total: float | None = None, *,
                 lines: bool = False) -> Iterator[Report]:
    """A bar on standard error.  The caller reports (done, of how many, at what); without reports it shows the
    time spent, out of ``total`` seconds.  ``lines``: where there is no terminal, say a line after 2, 4, 8, ..
    seconds."""
    if not sys.stderr.isatty():
        with progress_lines(label) if lines else nullcontext(lambda done, of, at="": None) as report:
            yield report
        return
    from qtheory.simulate.kernel.jit import listeners

    bar = _Bar(label, total)
    listeners.append(bar.compiling)
    try:
        yield bar.report
    finally:
        listeners.remove(bar.compiling)
        bar.stop()


class _Bar:
    def __init__(self, label: str, total: float | None) -> None:
        self.label, self.total = label, total
        self.state: tuple[float, float, str] | None = None
        self.shown: Any = None
        self.task: Any = None
        self.lock = threading.Lock()
        self.timer = threading.Timer(DELAY, self.start)
        self.timer.daemon = True
        self.timer.start()

    def start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        counts = TextColumn("{task.fields[counts]}")  # empty until something is reported
        columns = TextColumn("{task.description}"), BarColumn(), counts, TimeElapsedColumn()
        with self.lock:
            if self.shown is not None:
                return
            self.shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.shown.add_task(self.label, total=None, counts="")
            self.shown.start()
        if self.state:
            self.report(*self.state)

    def report(self, done: float, of: float, at: str = "") -> None:
        self.state = done, of, at
        with self.lock:
            if self.shown is not None:
                self.shown.update(self.task, completed=done, total=of, counts=f"{int(done)}/{int(of)} {at}".strip())

    def compiling(self, what: str) -> None:
        """Say above the bar what is compiled."""
        self.timer.cancel()
        self.start()
        with self.lock:
            self.shown.console.print(compiling(what), highlight=False, soft_wrap=True)

    def stop(self) -> None:
        self.timer.cancel()
        with self.lock:
            if self.shown is not None:
                self.shown.stop()
