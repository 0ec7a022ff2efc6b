"""Claims that rest on axioms: the search for what they owe, and the verdict that the check of it allows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from qtheory.errors import InputError
from qtheory.proofs import chains, gate
from qtheory.proofs.axiomatic import SCHEMA, Owed, Stated, at_instance, introduced, owed, rests_on, to_json
from qtheory.proofs.bundle import SCHEMA as BUNDLE
from qtheory.proofs.chains import Recurrence
from qtheory.proofs.citing import library_version
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.decide import searched
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.proving.lines import Line, Proof
from qtheory.proofs.tactics.along import along
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.tactics.eventually import eventually
from qtheory.proofs.tactics.guarded import guarded
from qtheory.proofs.tactics.guidance import guidance
from qtheory.proofs.tactics.pointwise import pointwise
from qtheory.proofs.tactics.prefixes import prefixes
from qtheory.proofs.verdict import Verdict


class Open(Exception):
    """An obligation without a proof; says which, and why."""


def referee_theorem(theorem: Stated, proof: Proof, budget: float) -> Verdict:
    """``proved`` with the axioms' names exactly if the gate accepts all that is owed, else ``unknown``.

    The steps of the proof are what is owed, and lemmas before what needs them; the conditions hold at its instance, as
    the steps of ``met`` show. Of several theorems each has the whole budget.
    """
    started = time.perf_counter()
    if isinstance(theorem, tuple):
        given, why = together([referee_theorem(*part, budget) for part in zip(theorem, proof.parts, strict=True)])
        verdict = gate.by_axioms(theorem, given) if given else Verdict(gate.stated(theorem), "unknown", note=why)
        return verdict.annotated(seconds=time.perf_counter() - started)
    try:
        data = found_chain(theorem, proof, budget) if isinstance(theorem, Recurrence) else found(theorem, proof, budget)
        verdict = gate.by_axioms(theorem, data)
    except (KernelError, RecursionError, Open) as error:
        named = [theorem.axiom] if isinstance(theorem, Recurrence) else [u.axiom for u in theorem.uses]
        names, told = ", ".join(named), (theorem.goal or chains.SAYS, dict[str, Any]())
        with suppress(KernelError, KeyError):  # of what is no theorem at all, or rests on no axiom
            told = gate.stated(theorem), rests_on(theorem)
        verdict = Verdict(told[0], "unknown", hypotheses=theorem.where, note=f"{names}: {error}",
                          evidence={"axioms": told[1]})
    return verdict.annotated(seconds=time.perf_counter() - started)


def together(parts: Sequence[Verdict]) -> tuple[dict[str, Any] | None, str]:
    """The certificate of several theorems, which have these verdicts, or None and why there is none."""
    why = "; ".join(f"({n}) {part.note}" for n, part in enumerate(parts, 1) if part.certificate is None)
    return (None, why) if why else ({"theorem": [part.certificate.data for part in parts if part.certificate]}, "")


def found(theorem: Theorem, proof: Proof, budget: float) -> dict[str, Any]:
    """The certificate as data; Open where something that is owed is not proved."""
    due, steps, until = owed(theorem), labelled(proof.steps), after(budget)
    first = {label: step for label, step in steps.items() if not step.concluding and label != "conclusion"}
    last = {label: step for label, step in steps.items() if label not in first}
    obligations = _derived(theorem.where, due, first, until)
    context = (*theorem.where, *introduced(due.given)[0], *due.conclusions)
    conclusion = _derived(context, Owed(due.let, {"conclusion": theorem.goal}), last, until)
    around, wanted = at_instance(theorem, due, proof.instance)
    guards, lemmas = {f"met: {text}": Line(text) for text in _guards(theorem.goal)}, labelled(proof.met)
    met = _derived(around, wanted, {**guards, **lemmas}, until, [x for x in lemmas if x not in wanted.obligations])
    return {"schema": SCHEMA, "theorem": to_json(theorem), "obligations": obligations, "conclusion": conclusion,
            "witness": {"instance": list(proof.instance), "derivation": met}}


def labelled(steps: Sequence[Line]) -> dict[str, Line]:
    """The steps by their labels."""
    for step in steps:
        if sum(step.label == other.label for other in steps) > 1:
            raise InputError(f"{step.place}: there are two steps {step.label!r}".removeprefix(": "))
    return {step.label: step for step in steps}


def found_chain(claim: Recurrence, proof: Proof, budget: float) -> dict[str, Any]:
    """The certificate of a chain's recurrence as data; Open where something that is owed is not proved. Of the proof's
    steps the concluding ones stand under the conditions of states alone, where its ways, or what is chosen there
    already with its law, show that there is such a chain; one that is assumed they show at the instance."""
    chain, due, steps, until = claim.chain, chains.owed(claim), labelled(proof.steps), after(budget)
    main, apart = _Derivation(claim.where, due.let, until, ()), None
    instance, under, owing = proof.instance, [*proof.under], [(main, due.obligations)]
    ways = [([*chosen], [(chance, [*values]) for chance, values in law])
            for chosen, law in proof.ways or (((), proof.law or (("1", ()),)),)]
    some = chains.possible(claim, ways, instance if claim.assumed else ()) if chain.choices or chain.inputs else None
    if some is not None and not claim.assumed:
        apart = _Derivation((*chains.states(chain), *under), some.let, until, ())
        owing.append((apart, some.obligations))
    owed_labels = {label for _, obligations in owing for label in obligations}
    for label, step in steps.items():
        if label not in owed_labels:
            (apart if step.concluding and apart else main).add(label, step.text, step)
    settled = Line(by=tuple(text for text in chain.given if not declared(text, "functions")))
    for derivation, obligations in owing:
        for label, goal in obligations.items():
            derivation.attempt(label, goal, steps.get(label) or (settled if label.endswith("blank row") else None))

    def met(statement: Statement) -> dict[str, Any]:
        outcome = searched(statement, Proof(proof.met), max(1.0, main.left()))
        if outcome.get("certificate") is None or outcome["certificate"]["verdict"] != "proved":
            raise Open(f"the conditions are not seen to be met at the instance ({outcome.get('obstacle', 'refuted')})")
        return dict(outcome["certificate"])

    witness = {"instance": list(instance), "certificate": met(chains.at_instance(claim, instance, under))}
    exists = apart.data() if apart else None
    if some is not None and apart is None:
        goal, = some.obligations.values()
        exists = met(Statement(goal, (), some.let).parsed())
    return {"schema": chains.SCHEMA, "theorem": chains.to_json(claim), "obligations": main.data(), "witness": witness,
            "possible": exists and {"under": under, "ways": ways, "proof": exists}}


def _guards(goal: str) -> list[str]:
    """That something meets the guards of a goal, each with those on the way to it."""
    head, bracket, rest = goal.strip().partition("(")
    if not bracket or head not in ("ForAll", "Exists", "And", "Or", "Implies"):
        return []
    parts, depth = [""], 0
    for c in rest.rstrip().removesuffix(")"):
        depth += (c == "(") - (c == ")")
        parts = [*parts, ""] if c == "," and depth == 0 else [*parts[:-1], parts[-1] + c]
    if head in ("And", "Or"):
        return [text for part in parts for text in _guards(part)]
    inner = _guards(parts[-1])
    if head == "Implies":
        return [f"And({parts[0]}, {text})" for text in inner or ["1 > 0"]]
    return [f"Exists({parts[0]}, {parts[1]}, {text})" for text in inner or ["1 > 0"] * (head == "ForAll")]


def _derived(context: tuple[str, ...], due: Owed, steps: Mapping[str, Line], until: float,
             usual: Sequence[str] = ()) -> dict[str, Any]:
    """Lemmas in their order, then what is owed; the ``usual`` ones are used wherever nothing else is said."""
    derivation = _Derivation(context, due.let, until, usual)
    for label, step in steps.items():
        if label not in due.obligations:
            derivation.add(label, step.text, step)
    for label, goal in due.obligations.items():
        derivation.add(label, goal, steps.get(label, Line()))
    return derivation.data()


@dataclass
class _Derivation:
    """The steps that are found so far, in the form of ``qtheory.proofs.bundle``."""

    where: tuple[str, ...]
    let: tuple[str, ...]
    until: float
    usual: Sequence[str]
    steps: list[dict[str, Any]] = field(default_factory=list)

    def attempt(self, label: str, goal: str, how: Line | None) -> None:
        """As the step says; without one by the search, and then by its guard or index by index."""
        try:
            self.add(label, goal, how or Line())
        except Open:
            if how is not None:
                raise
            self.add(label, goal, Line(way="guard by guard" if goal.startswith("Implies") else "index by index"))

    def add(self, label: str, goal: str, how: Line) -> None:
        functions = tuple(w for w in self.where if declared(w, "functions"))
        goals = {s["label"]: s["goal"] for s in self.steps}
        usual = [*(w for w in self.where if w not in functions), *(g for g in self.usual if g in goals)]
        given = usual if how.by is None else list(how.by)
        if unknown := [g for g in given if g not in goals and g not in self.where]:
            raise Open(f"{how.place or label}: the step rests on {unknown[0]!r}, which is neither a condition nor "
                       "proved before")
        statement = Statement(goal, (*functions, *(goals.get(g, g) for g in given)), self.let)
        share, at = self.left(), f"{how.place}: " * bool(how.place)
        if share <= 0:
            raise Open(f"out of time before {label}")
        if how.way or how.cases or how.limit or how.points:
            def term(text: str) -> Node:
                return Statement(f"({text}) == 0", functions, self.let).conclusion[1]

            certificate: Any
            try:
                if how.limit:
                    through = [Statement(text, functions, self.let).conclusion for text in how.limit.through]
                    near, level = term(how.limit.near), term(how.limit.level)
                    certificate = eventually(statement.parsed(), near, level, through, share)
                elif how.points or how.way == "induction":
                    certificate = along(statement.parsed(), map(term, how.points), share, map(term, how.cases),
                                        inductive=how.way == "induction")
                elif how.way == "first parts of sums":
                    certificate = prefixes(statement.parsed(), share, guidance(statement, Proof(how.proof)))
                elif how.way == "guard by guard":
                    certificate = guarded(statement.parsed(), share, guidance(statement, Proof(how.proof)))
                else:
                    certificate = pointwise(statement.parsed(), share, map(term, how.cases))
            except Stuck as error:
                raise Open(f"{at}not proved: {label} ({error})") from None
        else:
            outcome = searched(statement.parsed(), Proof(how.proof), share, reread=True, met=False)
            certificate = outcome.get("certificate")
            if certificate is None or certificate["verdict"] != "proved":
                raise Open(f"{at}not proved: {label} ({outcome['obstacle'] if certificate is None else 'refuted'})")
        self.steps.append({"label": label, "goal": goal, "verdict": "proved",
                           "rests_on": [g for g in given if g in goals], "certificate": certificate})

    def left(self) -> float:
        """Seconds of work."""
        return left(self.until)

    def data(self) -> dict[str, Any]:
        return {"schema": BUNDLE, "derivation": "", "version": library_version(), "let": list(self.let),
                "context": list(self.where), "steps": self.steps}
