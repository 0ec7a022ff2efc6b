"""Claims that rest on axioms: the search for what they owe, and the verdict that the check of it allows."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qtheory.proofs import chains
from qtheory.proofs.axiomatic import SCHEMA, at_instance, check_theorem, owed, rests_on, said, to_json
from qtheory.proofs.bundle import SCHEMA as BUNDLE
from qtheory.proofs.chains import Recurrence
from qtheory.proofs.citing import library_version
from qtheory.proofs.claims.axioms import Step, Theorem
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.tactics.eventually import eventually
from qtheory.proofs.tactics.guarded import guarded
from qtheory.proofs.tactics.pointwise import pointwise
from qtheory.proofs.verdict import Certificate, Verdict


class Open(Exception):
    """An obligation without a proof; says which, and why."""


def referee_theorem(theorem: Theorem | Recurrence, hint: Mapping[str, Any], budget: float) -> Verdict:
    """``proved`` with the axioms' names exactly if the kernel accepts all that is owed, else ``unknown``.

    ``hint``: ``steps``, a mapping from names of obligations and of lemmas to ``Step``, lemmas before what needs them;
    and ``instance``, definitions at which the conditions hold.
    """
    started = time.perf_counter()
    recurrent = isinstance(theorem, Recurrence)
    axioms = (theorem.axiom,) if isinstance(theorem, Recurrence) else tuple(u.axiom for u in theorem.uses)
    data, note = None, ""
    try:
        search = found_chain if recurrent else found
        data = json.loads(json.dumps(search(theorem, hint, budget)))  # type: ignore[operator]
        check_theorem(data)
    except (KernelError, RecursionError, Open) as error:
        data, note = None, f"{', '.join(axioms)}: {error}"
    if data is None:
        return Verdict(stated(theorem), "unknown", hypotheses=theorem.where, evidence={"axioms": rests_on(theorem)},
                       seconds=time.perf_counter() - started, note=note)
    owing = len((chains.owed(theorem) if isinstance(theorem, Recurrence) else owed(theorem)).obligations)
    return Verdict(
        stated(theorem), "proved", latex=rf"\text{{{said(theorem)}}}" if theorem.goal is None else "",
        hypotheses=theorem.where, method=f"{owing} obligation{'s' * (owing > 1)} of axioms", axioms=axioms,
        certificate=Certificate(data), evidence={"axioms": rests_on(theorem)}, seconds=time.perf_counter() - started)


def stated(theorem: Theorem | Recurrence) -> str:
    """The theorem in a text: what it concludes, under which conditions, with which definitions."""
    if isinstance(theorem, Recurrence):
        return "\n".join(chains.lines(theorem))
    conditions = f" for {', '.join(theorem.where)}" if theorem.where else ""
    definitions = f" where {'; '.join(theorem.let)}" if theorem.let else ""
    return said(theorem) + conditions + definitions


def found(theorem: Theorem, hint: Mapping[str, Any], budget: float) -> dict[str, Any]:
    """The certificate as data; Open where something that is owed is not proved."""
    due, steps = owed(theorem), hint.get("steps", {})
    until = after(budget)
    obligations = _Derivation(theorem.where, due.let, until)
    for label, step in steps.items():
        if label not in due.obligations and label != "conclusion" and not step.concluding:
            obligations.add(label, step.goal, step)
    for label, goal in due.obligations.items():
        obligations.add(label, goal, steps.get(label, Step()))
    conclusion = None
    if theorem.goal is not None:
        conclusion = _Derivation((*theorem.where, *due.conclusions), due.let, until)
        for label, step in steps.items():
            if step.concluding:
                conclusion.add(label, step.goal, step)
        conclusion.add("conclusion", theorem.goal, steps.get("conclusion", Step()))
    instance = tuple(hint.get("instance", ()))
    met = decide(at_instance(theorem, due, instance), hint=hint.get("met"), budget=max(1.0, obligations.left()))
    if met.verdict != "proved" or met.certificate is None:
        raise Open(f"the conditions are not seen to be met at the instance ({met.verdict}: {met.note})")
    return {"schema": SCHEMA, "theorem": to_json(theorem), "obligations": obligations.data(),
            "conclusion": None if conclusion is None else conclusion.data(),
            "witness": {"instance": list(instance), "certificate": met.certificate.data}}


def found_chain(claim: Recurrence, hint: Mapping[str, Any], budget: float) -> dict[str, Any]:
    """The certificate of a chain's recurrence as data; Open where something that is owed is not proved."""
    due, steps, until = chains.owed(claim), hint.get("steps", {}), after(budget)
    main = _Derivation(claim.where, due.let, until)
    apart = _Derivation(chains.states(claim.chain), (*due.let, *due.ways), until)
    for label, step in steps.items():
        if label not in due.obligations and label not in due.possible:
            (apart if step.concluding else main).add(label, step.goal, step)
    for derivation, owing in ((main, due.obligations), (apart, due.possible)):
        for label, goal in owing.items():
            derivation.attempt(label, goal, steps.get(label))
    instance, law = tuple(hint.get("instance", ())), [[c, list(v)] for c, v in hint.get("law", ())]
    certificates = []
    for statement in (chains.at_instance(claim, instance),
                      *((chains.lawful(claim, instance, law),) if claim.chain.inputs else ())):
        met = decide(statement, hint=hint.get("met"), budget=max(1.0, main.left()))
        if met.verdict != "proved" or met.certificate is None:
            raise Open(f"the conditions are not seen to be met at the instance ({met.verdict}: {met.note})")
        certificates.append(met.certificate.data)
    return {"schema": chains.SCHEMA, "theorem": chains.to_json(claim), "obligations": main.data(),
            "possible": apart.data() if due.possible else None,
            "witness": {"instance": list(instance), "certificate": certificates[0], "law": law,
                        "lawful": certificates[1] if claim.chain.inputs else None}}


@dataclass
class _Derivation:
    """The steps that are found so far, in the form of ``qtheory.proofs.bundle``."""

    where: tuple[str, ...]
    let: tuple[str, ...]
    until: float
    steps: list[dict[str, Any]] = field(default_factory=list)

    def attempt(self, label: str, goal: str, how: Step | None) -> None:
        """As the step says; without one by the search, and then index by index."""
        try:
            self.add(label, goal, how or Step())
        except Open:
            if how is not None:
                raise
            self.add(label, goal, Step(guarded=True) if goal.startswith("Implies") else Step(pointwise=True))

    def add(self, label: str, goal: str, how: Step) -> None:
        functions = tuple(w for w in self.where if declared(w, "functions"))
        goals = {s["label"]: s["goal"] for s in self.steps}
        given = [w for w in self.where if w not in functions] if how.given is None else list(how.given)
        if unknown := [g for g in given if g not in goals and g not in self.where]:
            raise Open(f"{label}: the step rests on {unknown[0]!r}, which is neither a condition nor proved before")
        statement = Statement(goal, (*functions, *(goals.get(g, g) for g in given)), self.let)
        share = self.left()
        if share <= 0:
            raise Open(f"out of time before {label}")
        if how.pointwise or how.split or how.near or how.guarded:
            def term(text: str) -> Node:
                return Statement(f"({text}) == 0", functions, self.let).conclusion[1]

            through = [Statement(text, functions, self.let).conclusion for text in how.through]
            try:
                certificate = (eventually(statement.parsed(), term(how.near), term(how.level), through, share)
                               if how.near else guarded(statement.parsed(), share, how.hint) if how.guarded
                               else pointwise(statement.parsed(), share, map(term, how.split)))
            except Stuck as error:
                raise Open(f"not proved: {label} ({error})") from None
        else:
            verdict = decide(statement.parsed(), hint=how.hint, budget=share)
            if verdict.verdict != "proved" or verdict.certificate is None:
                refuted = verdict.verdict == "refuted"
                why = f"refuted at {dict(verdict.counterexample or {})}" if refuted else verdict.note
                raise Open(f"not proved: {label} ({why})")
            certificate = dict(verdict.certificate.data)
        self.steps.append({"label": label, "goal": goal, "verdict": "proved",
                           "rests_on": [g for g in given if g in goals], "certificate": certificate})

    def left(self) -> float:
        """Seconds of work."""
        return left(self.until)

    def data(self) -> dict[str, Any]:
        return {"schema": BUNDLE, "derivation": "", "version": library_version(), "let": list(self.let),
                "context": list(self.where), "steps": self.steps}
