"""Stopping a computation that forgets its time."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 0.1  # seconds: Python drops what is raised while a weak reference or the garbage collector calls back


class OutOfTime(BaseException):
    """The search ran past its budget and was stopped; no ``except Exception`` of a tactic may swallow this."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop a computation that forgets its budget, where the platform and the thread allow it.

    Processor time, as in all of the search: a busy machine must not change a verdict.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(signum: int, frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    left, interval = signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    started = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if left:  # somebody else's timer goes on
            signal.setitimer(signal.ITIMER_PROF, max(1e-3, left - (time.process_time() - started)), interval)
