"""The corpus of claims: loading it, and refereeing it afresh."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import multiprocessing
import os
import pkgutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import cache
from multiprocessing.context import BaseContext
from pathlib import Path
from types import ModuleType

from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.outcomes import Fails, Holds, Undecided
from qtheory.proofs.decide import decide, with_note
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.verdict import Verdict

BUDGET = 10.0  # seconds of work for a claim that the record does not know
# By what the record says: a decided claim gets ample time, so that a slow machine decides it too; one that was
# left open with BUDGET gets little, so that a run stays short.  No verdict is taken from the record.
DECIDED, OPEN = 60.0, 3.0
SEARCH = ("qtheory.proofs.tactics.refute", "qtheory.proofs.tactics.search")


# ---- claims ----

@cache
def papers() -> tuple[str, ...]:
    """The papers that have a package of claims."""
    import qtheory.proofs.claims as package

    return tuple(m.name for m in pkgutil.iter_modules(package.__path__) if m.ispkg)


@cache
def paper_module(paper: str) -> ModuleType:
    return importlib.import_module(f"qtheory.proofs.claims.{paper}")


def claims(source: str | None = None) -> Mapping[str, Claim]:
    """The claims by id: of the corpus, or of a Python file or folder of one's own whose modules have ``CLAIMS``."""
    files = () if source is None else _files(Path(source))
    return _claims(files, tuple(f.stat().st_mtime_ns for f in files))


@cache
def _claims(files: tuple[Path, ...], stamps: tuple[int, ...]) -> Mapping[str, Claim]:
    """The claims of these files as of these times; of the corpus where there are none."""
    modules = [_module(f) for f in files] if files else [paper_module(p) for p in papers()]
    found: dict[str, Claim] = {}
    for module in modules:
        for claim in _listed(module):
            if claim.id in found:
                raise InputError(f"two claims have the id {claim.id!r}")
            found[claim.id] = claim
    return found


def _files(path: Path) -> tuple[Path, ...]:
    """The file, or those of a folder that speak of CLAIMS: no other is run."""
    if not path.is_dir():
        return (path,)
    files = tuple(f for f in sorted(path.rglob("*.py")) if b"CLAIMS" in f.read_bytes())
    if not files:
        raise InputError(f"{path}: no Python file in this folder has CLAIMS")
    return files


def _module(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"qtheory_claims_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # the user's file may fail in any way; say where
        raise InputError(f"{file}: {_where(error, file)}{type(error).__name__}: {error}") from None
    return module


def _where(error: Exception, file: Path) -> str:
    trace, line = error.__traceback__, getattr(error, "lineno", None)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"line {line}: " if line else ""


def _listed(module: ModuleType) -> Sequence[Claim]:
    listed = getattr(module, "CLAIMS", None)
    place = module.__file__ or module.__name__
    if not isinstance(listed, list | tuple) or not all(isinstance(c, Claim) for c in listed):
        raise InputError(f"{place}: CLAIMS must be a list of qtheory.proofs.claims.model.Claim")
    return listed


def select(names: Iterable[str]) -> list[tuple[str | None, str]]:
    """(source, id) of the claims that ids, papers and paths name; of the whole corpus where nothing is named."""
    names = list(names)
    if not names:
        return [(None, i) for i in claims()]
    out: dict[tuple[str | None, str], None] = {}
    for name in names:
        if name in papers():
            wanted: Iterable[tuple[str | None, str]] = [(None, c.id) for c in _listed(paper_module(name))]
        elif name in claims():
            wanted = [(None, name)]
        elif name.endswith(".py") or os.sep in name or Path(name).is_dir():
            if not Path(name).exists():
                raise InputError(f"{name}: no such file or folder")
            source = str(Path(name).resolve())
            wanted = [(source, i) for i in claims(source)]
        else:
            raise UnknownNameError("claim or paper", name, [*papers(), *claims()])
        out.update(dict.fromkeys(wanted))
    return list(out)


def find(name: str) -> Claim:
    """The claim of this id; raises UnknownNameError with the nearest ids."""
    if name not in claims():
        raise UnknownNameError("claim", name, list(claims()))
    return claims()[name]


# ---- verdicts ----

def referee(claim: Claim, budget: float | None = None, rerun: bool = False) -> Verdict:
    """The verdict on a claim, computed afresh: nothing recorded or cached goes into it but the records of simulations
    that are not stale, and with ``rerun`` not these.

    ``budget``: seconds of work for the search; by default what ``patience`` gives.
    """
    started = time.perf_counter()
    if claim.statement is not None:
        verdict = _decided(claim, patience(claim.id) if budget is None else budget)
    elif claim.theorem is not None:
        from qtheory.proofs.theorems import referee_theorem

        time_given = patience(claim.id) if budget is None else budget
        verdict = referee_theorem(claim.theorem, claim.hint, float(claim.hint.get("budget", time_given)))
    elif claim.run is not None:
        verdict = _judged(claim)
    elif claim.studies is not None:
        from qtheory.proofs.claims.evidence import judged

        verdict = Verdict(claim.says, **judged(claim, rerun))
    elif claim.readings:
        verdict = Verdict(claim.quote, "imprecise", evidence={"readings": list(claim.readings)})
    else:
        verdict = Verdict(claim.quote, str(claim.verdict))
    evidence = {"quote": claim.quote, "lines": list(claim.lines), **verdict.evidence}
    if claim.sources:
        evidence["sources"] = dict(claim.sources)
    refuted = verdict.verdict in ("refuted", "contradicted")
    verdict = replace(
        verdict, id=claim.id, paper=claim.id.split(".")[0], place=claim.place, kind=claim.kind, evidence=evidence,
        severity=(verdict.severity or claim.severity) if refuted else None,
        corrected_by=claim.corrected_by if refuted else None, seconds=time.perf_counter() - started)
    return with_note(verdict, claim.note)


def patience(name: str) -> float:
    from qtheory.proofs.records import records

    known = records().get(name)
    return BUDGET if known is None else OPEN if known["verdict"] == "unknown" else DECIDED


def _decided(claim: Claim, budget: float) -> Verdict:
    assert claim.statement is not None
    try:
        claim.statement.parsed()
    except KernelError as error:
        return Verdict(claim.quote, "unknown", note=f"outside the language: {error}")
    return decide(claim.statement, hint=claim.hint, budget=float(claim.hint.get("budget", budget)))


def _judged(claim: Claim) -> Verdict:
    """What the claim's own code ends in, as a verdict."""
    assert claim.run is not None
    try:
        found = claim.run()
    except Exception as error:  # it is code of the claim's author; say whose failed, and how
        raise InputError(f"the run of {claim.id!r} failed: {type(error).__name__}: {error}") from None
    if isinstance(found, Fails):
        return Verdict(claim.says, "refuted", method=found.method, counterexample=found.point, evidence=found.evidence)
    if isinstance(found, Holds):
        return Verdict(claim.says, "checked", method=found.method,
                       evidence={**found.evidence, "cases": found.cases, "bound": found.bound})
    if isinstance(found, Undecided):
        return Verdict(claim.says, "unknown", note=found.why)
    raise InputError(f"the run of {claim.id!r} returned {found!r:.80}; it returns Fails, Holds or Undecided")


def _task(source: str | None, name: str, budget: float | None, rerun: bool) -> Verdict:
    return referee(claims(source)[name], budget, rerun)


def _effort(source: str | None, name: str) -> tuple[bool, int]:
    """Larger for claims that are likely to take longer: computed ones, then those of long statements and hints."""
    claim = claims(source)[name]
    stated = claim.statement or claim.theorem
    return stated is None, 0 if stated is None else len(str((stated, dict(claim.hint))))


def _forked() -> bool:
    return "forkserver" in multiprocessing.get_all_start_methods()


def _context() -> BaseContext:
    """Of processes that share the work: forked, where the system can, from one that has loaded what all need, which
    takes seconds."""
    if not _forked():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*SEARCH, *(f"qtheory.proofs.claims.{p}" for p in papers())])
    return context


def _start() -> None:
    """In each process that shares the work: a search makes tuples by the million and hardly a cycle of references, so
    that Python's search for cycles, as often as is its default, would cost a tenth of the time.  An interrupt is the
    caller's: in the midst of the queue it would leave the others waiting."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for module in SEARCH:  # that what is loaded is not searched each time
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 50)


def verify(ids: str | Iterable[str] = (), *, jobs: int = 1, budget: float | None = None, rerun: bool = False,
           progress: Callable[[int, int], None] | None = None) -> list[Verdict]:
    """The verdicts on the named claims, papers and files (on the whole corpus by default), in the corpus's order.

    ``budget`` and ``rerun`` are as for ``referee``. ``jobs`` processes share the work; a script that asks for more
    than one needs the usual ``__main__`` guard.
    Raises UnknownNameError for a name that is none of these.
    """
    names = [ids] if isinstance(ids, str) else list(ids)
    if jobs > 1 and (not names or any(n in papers() for n in names)) and _forked():
        from multiprocessing.forkserver import ensure_running

        _context()
        ensure_running()  # so that it loads what all need while the claims are read here
    tasks = select(names)
    jobs = min(jobs, len(tasks))
    done: dict[tuple[str | None, str], Verdict] = {}
    if jobs <= 1:
        for task in tasks:
            done[task] = _task(*task, budget, rerun)
            if progress:
                progress(len(done), len(tasks))
    else:
        # the long ones first: one that came last would keep a single process busy
        first = sorted(tasks, key=lambda task: _effort(*task), reverse=True)
        others = set(multiprocessing.active_children())
        with ProcessPoolExecutor(jobs, _context(), _start) as pool:
            futures = {pool.submit(_task, *task, budget, rerun): task for task in first}
            try:
                for future in as_completed(futures):
                    done[futures[future]] = future.result()
                    if progress:
                        progress(len(done), len(tasks))
            except BaseException as error:
                pool.shutdown(wait=False, cancel_futures=True)
                if isinstance(error, KeyboardInterrupt):  # nobody waits for what they are at
                    for worker in set(multiprocessing.active_children()) - others:
                        worker.terminate()
                raise
    return [done[task] for task in tasks]
