"""Processes that share the work of refereeing.  What they hand back is compared with what was asked for."""

from __future__ import annotations

import gc
import importlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, nullcontext
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from threading import Thread
from typing import Any

from qtheory.errors import InputError, blaming
from qtheory.proofs import corpus
from qtheory.proofs.claims.names import parts
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.limits import require_budget
from qtheory.proofs.verdict import Verdict

SEARCH = ("qtheory.proofs.tactics.refute", "qtheory.proofs.tactics.search", "qtheory.proofs.recheck")
Task = tuple[str | None, str]  # the source of a claim, and its id
_ONE = threading.Lock()  # threads of an executor take turns: a search counts the work of its process


def done(tasks: Sequence[Task], jobs: int, budget: float | None, rerun: bool,
         progress: Callable[[int, int, str], None] | None, executor: Executor | None = None,
         kept: bool = False) -> list[Verdict]:
    """The verdicts on the claims, in their order; the ``executor``, else ``jobs`` processes, share the work.

    A claim by parts is searched for by no one: it has the certificates of the claims that are its parts, which are
    looked at together once each of these is done, asked for or not."""
    if budget is not None:
        require_budget(budget)
    wholes = {task: those for task in tasks if (those := _parts(*task))}
    alone = list(dict.fromkeys(part for task in tasks for part in wholes.get(task, [task])))
    found: dict[Task, Verdict] = {}

    def told(name: str) -> None:
        if progress:
            progress(len(found), len(alone) + len(wholes), name)

    jobs = min(jobs, len(alone))
    if executor is None and jobs <= 1:
        for task in (*alone, *wholes):
            told(task[1])
            found[task] = _task(*task, budget, rerun, kept) if task not in wholes else _given(
                *task, _together(wholes[task], found))
        told("")
        return [found[task] for task in tasks]
    # the long ones first: one that came last would keep a single process busy
    first = sorted(alone, key=lambda task: _effort(*task), reverse=True)
    with nullcontext(executor) if executor is not None else _processes(jobs) as pool:
        asked = [task for task in first if executor is None or _searched(*task)]
        work: Callable[..., Any] = _task if executor is None else _elsewhere
        futures = {pool.submit(work, *task, budget, rerun, kept): task for task in asked}
        later: dict[Future[Any], Task] = {}
        try:
            for task in first:
                if task not in asked:
                    found[task] = _task(*task, budget, rerun)
            told(asked[0][1] if asked else "")
            for begun in (futures, later):
                for future in as_completed(begun):
                    task = begun[future]
                    found[task] = future.result() if executor is None else _given(*task, future.result())
                    for whole in [w for w, those in wholes.items() if task in those and found.keys() >= {*those}]:
                        given = (*whole, _together(wholes[whole], found))
                        if executor is None:
                            later[pool.submit(_given, *given)] = whole
                        else:
                            found[whole] = _given(*given)
                    told(next((task[1] for task in (*asked, *later.values()) if task not in found), ""))
        except BaseException as error:
            for future in (*futures, *later):
                future.cancel()
            if isinstance(error, BrokenExecutor):
                raise InputError("a process that shared the work ended before its work: the code of a claim ended it, "
                                 "or there was too little memory; --jobs 1 says more") from None
            raise
    return [found[task] for task in tasks]


def _parts(source: str | None, name: str) -> list[Task]:
    """Those of a claim by parts, in their order; none of one that has its theorems from nowhere else."""
    known = corpus.claims(source)
    named = [part for part in parts(known[name].marks.get("parts", "")) if part in known]
    return [(source, part) for part in named] if known[name].theorem == tuple(known[i].theorem for i in named) else []


def _together(those: Sequence[Task], found: Mapping[Task, Verdict]) -> tuple[Any, str]:
    """The certificate of a claim with these parts, or why there is none."""
    from qtheory.proofs.theorems import together

    return together([found[part] for part in those])


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """So many processes, which end at once when the work is broken off."""
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, _context(), _start) as pool:
        try:
            yield pool
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, KeyboardInterrupt):  # nobody waits for what they are at
                for worker in set(multiprocessing.active_children()) - others:
                    worker.terminate()
            raise


def ready() -> None:
    """Let the process from which others are forked load what all need, where the system can."""
    if _forked():
        _context()


def _task(source: str | None, name: str, budget: float | None, rerun: bool, kept: bool = False) -> Verdict:
    with _ONE, blaming(f"the claim {name!r}") if source else nullcontext():  # whose objects may be anything
        return corpus.referee(corpus.claims(source)[name], budget, rerun, kept=kept and bool(source))


def _searched(source: str | None, name: str) -> bool:
    """Is there anything to search for?  Code of a claim is run where its word is given."""
    claim = corpus.claims(source)[name]
    return claim.statement is not None or claim.theorem is not None


def _elsewhere(source: str | None, name: str, budget: float | None, rerun: bool, kept: bool) -> tuple[Any, str]:
    """What a process that is no part of this run hands back: a certificate, or why there is none, and no verdict."""
    verdict = _task(source, name, budget, rerun, kept)
    return verdict.certificate and verdict.certificate.data, verdict.note


def _given(source: str | None, name: str, found: tuple[Any, str]) -> Verdict:
    """The verdict on what came from elsewhere, which is looked at here."""
    try:
        data, why = found
        return corpus.referee(corpus.claims(source)[name], found=(data, why))
    except (KernelError, RecursionError, TypeError, ValueError) as error:
        raise InputError(f"what a worker found for {name!r} is rejected here (is it of the same version?): "
                         f"{str(error)[:200]}") from None


def _effort(source: str | None, name: str) -> tuple[bool, int]:
    """Larger for claims that are likely to take longer: computed ones, then those of long statements and proofs."""
    claim = corpus.claims(source)[name]
    stated = claim.statement or claim.theorem
    with blaming(f"the claim {name!r}"):
        return stated is None, 0 if stated is None else len(str((stated, claim.proof)))


def _forked() -> bool:
    return "forkserver" in multiprocessing.get_all_start_methods()


def _context() -> BaseContext:
    """Of processes that share the work: forked, where the system can, from one that has loaded what all need, which
    takes seconds."""
    if not _forked():
        return multiprocessing.get_context("spawn")
    from multiprocessing.forkserver import ensure_running

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*SEARCH, *(f"qtheory.proofs.claims.{p}" for p in corpus.papers())])
    with _own_path():
        ensure_running()
    return context


@contextmanager
def _own_path() -> Iterator[None]:
    """Python that is started meanwhile looks for modules where this one does, and not first in the current folder,
    which may hold another ``qtheory``: the process from which others are forked is told of no path by Python 3.11."""
    told = {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(os.path.abspath(place) for place in sys.path)}
    before = {name: os.environ.get(name) for name in told}
    os.environ.update(told)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _start() -> None:
    """In each process that shares the work: a search makes tuples by the million and hardly a cycle of references, so
    that Python's search for cycles, as often as is its default, would cost a tenth of the time.  An interrupt is the
    caller's: in the midst of the queue it would leave the others waiting.  But none outlives the caller, however that
    ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    for module in SEARCH:  # that what is loaded is not searched each time
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)


def _end_with(caller: BaseProcess | None) -> None:
    if caller is not None:
        caller.join()
        os._exit(1)
