"""Stopping a computation that forgets its time."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from qtheory.proofs.tactics.effort import OutOfTime, after, until

# What counts no work, as the loading of modules, is stopped after so many times the seconds that it is given, and some
# more: that is for what hangs, and decides nothing else, on a machine many times slower than usual.
MARGIN, MORE = 4.0, 10.0
AGAIN = 0.1  # seconds: Python drops what is raised while a weak reference or the garbage collector calls back


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop a computation that forgets its budget, in seconds of work, in the main thread.

    What counts no work is stopped by processor time, where the platform allows it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with until(after(seconds)), awake(MARGIN * seconds + MORE):
        yield


@contextmanager
def awake(seconds: float) -> Iterator[None]:
    """Stop the computation after so many seconds of processor time, in the main thread, where the platform allows it.

    A busy machine must not change a verdict, nor a slow one: only what would hang may be stopped so.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    upto = seconds  # what will have gone by when the timer rings next

    def stop(signum: int, frame: FrameType | None) -> None:
        nonlocal upto
        upto += AGAIN
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    left, interval = signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    finally:
        rest, _ = signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if left:  # somebody else's timer goes on
            signal.setitimer(signal.ITIMER_PROF, max(1e-3, left - (upto - rest)), interval)


__all__ = ["OutOfTime", "awake", "limited"]
