"""Claims that rest on axioms: the search for what they owe, and the verdict that the check of it allows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from qtheory.proofs import gate
from qtheory.proofs.axiomatic import SCHEMA, Owed, at_instance, introduced, lines, owed, rests_on, to_json
from qtheory.proofs.bundle import SCHEMA as BUNDLE
from qtheory.proofs.citing import library_version
from qtheory.proofs.claims.axioms import Step, Theorem
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.tactics.along import along
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.tactics.eventually import eventually
from qtheory.proofs.tactics.pointwise import pointwise
from qtheory.proofs.verdict import Verdict


class Open(Exception):
    """An obligation without a proof; says which, and why."""


def referee_theorem(theorem: Theorem, hint: Mapping[str, Any], budget: float) -> Verdict:
    """``proved`` with the axioms' names exactly if the gate accepts all that is owed, else ``unknown``.

    ``hint``: ``steps``, a mapping from names of obligations and of lemmas to ``Step``, lemmas before what needs them;
    ``instance``, definitions at which the conditions hold; and ``met``, the steps that show this.
    """
    started = time.perf_counter()
    try:
        verdict = gate.by_axioms(theorem, found(theorem, hint, budget))
    except (KernelError, RecursionError, Open) as error:
        names, told = ", ".join(u.axiom for u in theorem.uses), (theorem.goal or "", dict[str, Any]())
        with suppress(KernelError):  # of what is no theorem at all
            told = stated(theorem), rests_on(theorem)
        verdict = Verdict(told[0], "unknown", hypotheses=theorem.where, note=f"{names}: {error}",
                          evidence={"axioms": told[1]})
    return verdict.annotated(seconds=time.perf_counter() - started)


def stated(theorem: Theorem) -> str:
    """The theorem in a text, what is no formula in it included."""
    return "\n".join(lines(theorem))


def found(theorem: Theorem, hint: Mapping[str, Any], budget: float) -> dict[str, Any]:
    """The certificate as data; Open where something that is owed is not proved."""
    due, steps, until = owed(theorem), hint.get("steps", {}), after(budget)
    first = {label: step for label, step in steps.items() if not step.concluding and label != "conclusion"}
    obligations = _derived(theorem.where, due, first, until)
    conclusion = None
    if theorem.goal is not None:
        context = (*theorem.where, *introduced(due.given)[0], *due.conclusions)
        last = {label: step for label, step in steps.items() if step.concluding or label == "conclusion"}
        conclusion = _derived(context, Owed(due.let, {"conclusion": theorem.goal}, (), ()), last, until)
    instance = tuple(hint.get("instance", ()))
    met = _derived(*at_instance(theorem, due, instance), hint.get("met") or {}, until, together=True)
    return {"schema": SCHEMA, "theorem": to_json(theorem), "obligations": obligations, "conclusion": conclusion,
            "witness": {"instance": list(instance), "derivation": met}}


def _derived(context: tuple[str, ...], due: Owed, steps: Mapping[str, Step], until: float,
             together: bool = False) -> dict[str, Any]:
    """Lemmas in their order, then what is owed; ``together``: the lemmas may be used wherever nothing else is said."""
    lemmas = [label for label in steps if label not in due.obligations]
    derivation = _Derivation(context, due.let, until, lemmas if together else [])
    for label in lemmas:
        derivation.add(label, steps[label].goal, steps[label])
    for label, goal in due.obligations.items():
        derivation.add(label, goal, steps.get(label, Step()))
    return derivation.data()


@dataclass
class _Derivation:
    """The steps that are found so far, in the form of ``qtheory.proofs.bundle``."""

    where: tuple[str, ...]
    let: tuple[str, ...]
    until: float
    usual: list[str]
    steps: list[dict[str, Any]] = field(default_factory=list)

    def add(self, label: str, goal: str, how: Step) -> None:
        functions = tuple(w for w in self.where if declared(w, "functions"))
        goals = {s["label"]: s["goal"] for s in self.steps}
        usual = [*(w for w in self.where if w not in functions), *(g for g in self.usual if g in goals)]
        given = usual if how.given is None else list(how.given)
        if unknown := [g for g in given if g not in goals and g not in self.where]:
            raise Open(f"{label}: the step rests on {unknown[0]!r}, which is neither a condition nor proved before")
        statement = Statement(goal, (*functions, *(goals.get(g, g) for g in given)), self.let)
        share = self.left()
        if share <= 0:
            raise Open(f"out of time before {label}")
        if how.pointwise or how.split or how.near or how.at or how.inductive:
            def term(text: str) -> Node:
                return Statement(f"({text}) == 0", functions, self.let).conclusion[1]

            through = [Statement(text, functions, self.let).conclusion for text in how.through]
            try:
                if how.near:
                    certificate = eventually(statement.parsed(), term(how.near), term(how.level), through, share)
                elif how.at or how.inductive:
                    certificate = along(statement.parsed(), map(term, how.at), share, map(term, how.split),
                                        inductive=how.inductive)
                else:
                    certificate = pointwise(statement.parsed(), share, map(term, how.split))
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
