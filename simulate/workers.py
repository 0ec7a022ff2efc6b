"""Executors that share the work of many runs: processes of this machine, or the workers of a Dask cluster.

Whatever the executor, each task's result is handed on as soon as it is there, so that what a crash of the caller loses
is only what was under way. Anything with the ``submit`` of ``concurrent.futures.Executor`` serves.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from qtheory.errors import InputError

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 256  # tasks that are handed to an executor and whose results are still to come
_LOOK = 0.5  # seconds between two looks at whether the caller is still there
_PATIENCE = 30.0  # seconds in which a cluster's scheduler must answer


def as_finished(
    function: Callable[[T], R], tasks: Iterable[T], executor: Executor | None = None
) -> Iterator[tuple[int, R]]:
    """The number of each task, from 0, and ``function`` of it, as they are finished; tasks may be without end.

    An executor has up to ``AHEAD`` of them at a time. Raises InputError where it breaks: what was handed on is there.
    An interrupt leaves the waiting ones as they are: to cancel them while their processes end makes Python's pool fail
    with an InvalidStateError of its own.
    """
    if executor is None:
        yield from enumerate(map(function, tasks))
        return
    waiting: dict[Future[R], int] = {}
    left = enumerate(tasks)
    try:
        while True:
            while len(waiting) < AHEAD and (task := next(left, None)) is not None:
                waiting[executor.submit(function, task[1])] = task[0]
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()
    except (BrokenExecutor, CancelledError):
        raise InputError("a process that shared the work ended before its work (killed, or short of memory), or the "
                         "cluster was closed; a sweep with a folder goes on from what is finished") from None
    except Exception:
        for future in waiting:
            future.cancel()
        raise


def in_order(function: Callable[[T], R], tasks: Iterable[T], executor: Executor | None = None) -> Iterator[R]:
    """``function`` of each task, in order, as ``map`` gives it."""
    held: dict[int, R] = {}
    coming = 0
    for number, result in as_finished(function, tasks, executor):
        held[number] = result
        while coming in held:
            yield held.pop(coming)
            coming += 1


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a Dask cluster, by its scheduler's address or the file in which the scheduler wrote it.

    Raises InputError where Dask is not installed or nobody answers. A worker that dies has its tasks done by another;
    what kills one worker after another is an InputError too.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise InputError("a cluster needs Dask, which is not installed: pip install 'qtheory-llm[cluster]'") from None
    file = None if "://" in address else Path(address)
    if file is not None and not file.is_file():
        raise InputError(f"{address}: neither a scheduler's address, such as tcp://host:8786, nor a file of one")
    where = {"address": address} if file is None else {"scheduler_file": str(file)}
    try:
        client = Client(**where, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{address}: no Dask scheduler answers there: {error}") from None
    with client:
        try:
            yield client.get_executor()
        except KilledWorker as error:
            said = f"{address}: the workers that tried a task all died of it: {error}"
            raise InputError(" ".join(said.split())) from None


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
