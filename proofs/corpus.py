"""The corpus of claims: loading it, and refereeing it afresh."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from qtheory.errors import InputError, UnknownNameError, blaming, told
from qtheory.proofs import gate
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.papers import SETTINGS, Paper, at_setting, read
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.printing import statement_text
from qtheory.proofs.verdict import Verdict

BUDGET = 10.0  # seconds of work for a claim that the record does not know
# By what the record says: a decided claim gets ample time, so that a slow machine decides it too; one that was
# left open with BUDGET gets little, so that a run stays short.  No verdict is taken from the record.
DECIDED, OPEN = 60.0, 3.0


# ---- claims ----

PACKAGE = "qtheory.proofs.claims"


@cache
def papers() -> tuple[str, ...]:
    """The papers that have a folder of claims."""
    return tuple(sorted(f.parent.name for f in Path(__file__).with_name("claims").glob("*/paper.toml")))


@cache
def paper(name: str) -> Paper:
    """What the folder of this paper holds. Raises InputError for a paper that has none."""
    if name not in papers():
        raise InputError(f"there is no paper {name!r}; the papers are {', '.join(papers())}")
    return read(Path(__file__).with_name("claims") / name, f"{PACKAGE}.{name}")


def claims(source: str | None = None) -> Mapping[str, Claim]:
    """The claims by id: of the corpus, or of one's own: a Markdown file or folder (``docs/claims.md``), or Python files
    that have ``CLAIMS``."""
    files = () if source is None else _files(Path(source))
    with blaming(str(source)) if files else nullcontext():
        return _claims(files, tuple(f.stat().st_mtime_ns for f in files))


@cache
def _claims(files: tuple[Path, ...], stamps: tuple[int, ...]) -> Mapping[str, Claim]:
    """The claims of these files as of these times; of the corpus where there are none."""
    listed = _own(files) if files else [("the corpus", paper(name).claims) for name in papers()]
    found: dict[str, Claim] = {}
    for place, those in listed:
        for claim in those:
            if claim.id in found:
                raise InputError(f"two claims have the id {claim.id!r}")
            if files and claim.id.partition(".")[0].lower() in papers():
                raise InputError(f"{place}: the id {claim.id!r} is one of the corpus or looks it; choose one that does "
                                 f"not begin with {', '.join(papers())}")
            found[claim.id] = claim
    return found


def _own(files: tuple[Path, ...]) -> list[tuple[str, Sequence[Claim]]]:
    if files[0].suffix == ".py":
        return [(str(f), _listed(_module(f))) for f in files]
    path = files[0].parent if files[0].name == SETTINGS else files[0]
    return [(str(path), read(path).claims)]


def _files(path: Path) -> tuple[Path, ...]:
    """The file, or those of a folder: its paper's, or the Python files that speak of CLAIMS; no other is run."""
    if not path.is_dir():
        return (path,)
    if (path / SETTINGS).exists():
        return (path / SETTINGS, *sorted(path.glob("*.md")))
    files = tuple(f for f in sorted(path.rglob("*.py")) if b"CLAIMS" in f.read_bytes())
    if not files:
        raise InputError(f"{path}: this folder has no {SETTINGS}, and no Python file in it has CLAIMS")
    return files


def _module(file: Path) -> ModuleType:
    name = str(file.with_suffix("")).replace(".", "_")  # which no other file has
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the user's file may fail in any way; say where
        raise InputError(f"{file}: {_where(error, file)}{told(error)}") from None
    return module


def _where(error: BaseException, file: Path) -> str:
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
            wanted: Iterable[tuple[str | None, str]] = [(None, c.id) for c in paper(name).claims]
        elif name in claims():
            wanted = [(None, name)]
        elif name.endswith((".py", ".md")) or os.sep in name or Path(name).is_dir():
            if not Path(name).exists():
                raise InputError(f"{name}: no such file or folder")
            source = str(Path(name).resolve())
            wanted = [(source, i) for i in claims(source)]
        else:
            raise UnknownNameError("claim or paper", name, [*papers(), *claims()])
        out.update(dict.fromkeys(wanted))
    if len({i for _, i in out}) < len(out):
        raise InputError("two claims of different files have one id; name one file at a time")
    return list(out)


def find(name: str) -> Claim:
    """The claim of this id; raises UnknownNameError with the nearest ids."""
    if name not in claims():
        raise UnknownNameError("claim", name, list(claims()))
    return claims()[name]


# ---- verdicts ----

def referee(claim: Claim, budget: float | None = None, rerun: bool = False) -> Verdict:
    """The verdict on a claim, given afresh by the gate: nothing recorded or cached goes into it but the records of
    simulations that are not stale, and with ``rerun`` not these.

    ``budget``: seconds of work for the search; by default what ``patience`` gives.
    """
    started = time.perf_counter()
    usual = patience(claim.id) if budget is None else budget
    time_given = usual if claim.budget is None else float(claim.budget)
    if claim.statement is not None:
        verdict = _decided(claim, claim.statement, time_given)
    elif claim.theorem is not None:
        from qtheory.proofs.theorems import referee_theorem

        verdict = referee_theorem(claim.theorem, claim.proof, time_given)
    elif claim.run is not None:
        verdict = gate.computed(claim)
    elif claim.studies is not None:
        verdict = gate.simulated(claim, rerun)
    else:
        verdict = gate.declared(claim)
    evidence: dict[str, Any] = {"quote": claim.quote, "lines": list(claim.lines)}
    if claim.sources:
        evidence["sources"] = dict(claim.sources)
    refuted = verdict.verdict in ("refuted", "contradicted")
    return verdict.annotated(
        id=claim.id, paper=claim.id.split(".")[0], place=claim.place, kind=claim.kind, evidence=evidence,
        severity=(verdict.severity or claim.severity) if refuted else None,
        corrected_by=claim.corrected_by if refuted else None, seconds=time.perf_counter() - started,
    ).with_note(at_setting(claim, verdict.counterexample))


def patience(name: str) -> float:
    from qtheory.proofs.records import records

    known = records().get(name)
    return BUDGET if known is None else OPEN if known["verdict"] == "unknown" else DECIDED


def _decided(claim: Claim, statement: Statement, budget: float) -> Verdict:
    try:
        statement.parsed()
    except KernelError as error:
        return Verdict(claim.quote, "unknown", note=f"outside the language: {error}")
    return gate.about(decide(statement, proof=claim.proof, point=claim.first_at, budget=budget), statement)


def shown(claim: Claim) -> str:
    """What a verdict on the claim is on, as it is displayed: its statement, else its words, else its quote."""
    if claim.theorem is not None:
        return gate.stated(claim.theorem)
    with suppress(KernelError):
        if claim.statement is not None:
            return statement_text(gate.flat(claim.statement))
    return claim.says or claim.quote


def verify(ids: str | Iterable[str] = (), *, jobs: int = 1, budget: float | None = None, rerun: bool = False,
           progress: Callable[[int, int], None] | None = None, executor: Any = None) -> list[Verdict]:
    """The verdicts on the named claims, papers and files (on the whole corpus by default), in the corpus's order.

    ``budget`` and ``rerun`` are as for ``referee``. ``jobs`` processes share the work; a script that asks for more
    than one needs the usual ``__main__`` guard. An ``executor`` (a ``concurrent.futures.Executor``, Dask's too) does
    instead; its workers need the files that are named.
    Raises UnknownNameError for a name that is none of these.
    """
    from qtheory.proofs.working import done, ready

    names = [ids] if isinstance(ids, str) else list(ids)
    if jobs > 1 and (not names or any(n in papers() for n in names)):
        ready()  # so that what all need is loaded while the claims are read here
    tasks = select(names)
    verdicts = done(tasks, jobs, budget, rerun, progress, executor)
    for (source, name), verdict in zip(tasks, verdicts, strict=True):
        if verdict.id != name or verdict.statement != shown(claims(source)[name]):
            raise KernelError(f"the verdict on {name!r} is on another claim")
    return verdicts
