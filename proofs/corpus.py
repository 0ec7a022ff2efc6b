"""The corpus of claims, or files of one's own, refereed afresh."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from qtheory.proofs import gate
from qtheory.proofs.claims.loading import claims, find, paper, papers, placed, select
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.papers import at_setting
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.printing import statement_text
from qtheory.proofs.verdict import Verdict

BUDGET = 10.0  # seconds of work for a claim that the record does not know
# By what the record says: a decided claim gets ample time, so that a slow machine decides it too; one that was
# left open with BUDGET gets little, so that a run stays short.  No verdict is taken from the record.
DECIDED, OPEN = 60.0, 3.0


def referee(claim: Claim, budget: float | None = None, rerun: bool = False,
            found: tuple[Any, str] | None = None, kept: bool = False) -> Verdict:
    """The verdict on a claim, given afresh by the gate: nothing recorded goes into it but the records of simulations
    that are not stale, and with ``rerun`` not these.

    ``budget``: seconds of work for the search; by default what ``patience`` gives.  ``found``: a certificate, or None
    and why there is none, in place of a search; nothing else of the verdict is somebody else's word. ``kept``: what an
    earlier run found is looked at by both checkers in place of a search, but of a claim with a proof of its own.
    """
    started = time.perf_counter()
    usual = patience(claim.id) if budget is None else budget
    time_given = usual if claim.budget is None else float(claim.budget)
    stated = claim.statement or claim.theorem
    if found is not None and stated is not None:
        data, why = found
        verdict = (Verdict(shown(claim), "unknown", note=str(why)) if data is None else gate.certified(stated, data)
                   if isinstance(stated, Statement) else gate.by_axioms(stated, data))
    elif claim.statement is not None:
        verdict = _decided(claim, claim.statement, time_given, kept and not claim.proof)
    elif claim.theorem is not None:
        from qtheory.proofs.theorems import referee_theorem

        verdict = referee_theorem(claim.theorem, claim.proof, time_given)
    elif claim.run is not None:
        verdict = gate.computed(claim)
    elif claim.studies is not None:
        verdict = gate.simulated(claim, rerun)
    else:
        verdict = gate.declared(claim)
    evidence: dict[str, Any] = {"quote": claim.quote, "lines": list(claim.lines), **claim.marks}
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


def _decided(claim: Claim, statement: Statement, budget: float, cache: bool) -> Verdict:
    try:
        statement.parsed()
    except KernelError as error:
        return Verdict(claim.quote, "unknown", note=f"outside the language: {error}")
    return gate.about(decide(statement, proof=claim.proof, point=claim.first_at, budget=budget, cache=cache), statement)


def shown(claim: Claim) -> str:
    """What a verdict on the claim is on, as it is displayed: its statement, else its words, else its quote."""
    if claim.theorem is not None:
        return gate.stated(claim.theorem)
    with suppress(KernelError):
        if claim.statement is not None:
            return statement_text(gate.flat(claim.statement))
    return claim.says or claim.quote


def verify(ids: str | Iterable[str] = (), *, jobs: int = 1, budget: float | None = None, rerun: bool = False,
           progress: Callable[[int, int, str], None] | None = None, executor: Any = None,
           kept: bool = False) -> list[Verdict]:
    """The verdicts on the named claims, papers and files (on the whole corpus by default), in the corpus's order.

    ``budget`` and ``rerun`` are as for ``referee``. ``jobs`` processes share the work; a script that asks for more
    than one needs the usual ``__main__`` guard. An ``executor`` (a ``concurrent.futures.Executor``, Dask's too)
    searches instead; its workers need the files that are named. Its certificates are looked at here, and the code of
    claims is run here: nothing that a worker says is believed. ``kept`` is as for ``referee``, of claims in files of
    one's own alone. ``progress`` is told how many claims are done, of how many, and the id of one that is being looked
    at, or "".
    Raises UnknownNameError for a name that is none of these.
    """
    from qtheory.proofs.working import done, ready

    names = [ids] if isinstance(ids, str) else list(ids)
    if jobs > 1 and (not names or any(n in papers() for n in names)):
        ready()  # so that what all need is loaded while the claims are read here
    tasks = select(names)
    verdicts = done(tasks, jobs, budget, rerun, progress, executor, kept)
    judged = [claims(source)[name] for source, name in tasks]
    for claim, verdict in zip(judged, verdicts, strict=True):
        if type(verdict) is not Verdict or verdict.id != claim.id or verdict.statement != shown(claim):
            raise KernelError(f"the verdict on {claim.id!r} is on another claim")
        if not earned(claim, verdict):
            raise KernelError(f"the verdict on {claim.id!r} is {verdict.verdict}, without what earns that for it")
    found, by_id = {str(v.id): v.verdict for v in verdicts}, {c.id: c for c in judged}
    return [resting(c, v, found, by_id) for c, v in zip(judged, verdicts, strict=True)]


def earned(claim: Claim, verdict: Verdict) -> bool:
    """Has the verdict what its word takes for this claim: of a statement or a theorem a certificate, else what the
    claim has itself?"""
    word = verdict.verdict
    if claim.statement is None and claim.theorem is None:
        words = ("refuted", "checked") if claim.run is not None else ("supported", "contradicted")
        return word == claim.verdict or (claim.verdict is None and word in (*words, "unknown"))
    return word == "unknown" or (word in ("proved", "refuted") and verdict.certificate is not None)


def resting(claim: Claim, verdict: Verdict, found: Mapping[str, str], known: Mapping[str, Claim]) -> Verdict:
    """The verdict, with the claims whose results it takes as conditions, and those on which these rest in turn, each
    with the word ``found``, or of one of the corpus that is not judged now the recorded one."""
    from qtheory.proofs.records import word

    named = list(claim.imported)
    for name in named:  # which grow in number
        more = known.get(name) or claims().get(name)
        named += [i for i in more.imported if i not in named] if more is not None else []
    if not named:
        return verdict
    words = {i: found.get(i) or word(i) for i in named}
    said = [f"{i} ({w if i in found else f'recorded: {w}'})" for i, w in words.items()]
    return verdict.annotated(rests_on=said, evidence={"imported": words})


__all__ = ["claims", "find", "paper", "papers", "placed", "referee", "select", "shown", "verify"]
