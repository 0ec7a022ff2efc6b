"""Processes that share the work of a run: work in order whatever the executor, and none that outlives its caller."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 256  # tasks that are handed to an executor before their results are asked for
_LOOK = 0.5  # seconds between two looks at whether the caller is still there


def in_order(function: Callable[[T], R], tasks: Iterable[T], executor: Executor | None = None) -> Iterator[R]:
    """``function`` of each task, in order; an executor works on up to ``AHEAD`` of them at a time.

    As ``executor.map``, but tasks may be without end, and an interrupt leaves the waiting ones as they are: to cancel
    them while their processes end makes Python's pool fail with an InvalidStateError of its own.
    """
    if executor is None:
        yield from map(function, tasks)
        return
    waiting: deque[Future[R]] = deque()
    try:
        for task in tasks:
            waiting.append(executor.submit(function, task))
            if len(waiting) == AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except Exception:
        for future in waiting:
            future.cancel()
        raise


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """``count`` processes, which end at once when their caller is interrupted, and soon when it is killed."""
    from multiprocessing import active_children, get_context

    others = set(active_children())
    with ProcessPoolExecutor(count, get_context("spawn"), _end_with, (os.getpid(),)) as pool:
        try:
            yield pool
        except KeyboardInterrupt:  # nobody waits for what they are at
            for worker in set(active_children()) - others:
                worker.terminate()
            raise


def _end_with(caller: int) -> None:
    """In each process: look whether the caller is still there, and end with it."""

    def watch() -> None:
        while os.getppid() == caller:
            time.sleep(_LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="caller").start()

