"""False neighbours of a proved claim: one change each, refuted by a certificate, and none is called proved."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from false_neighbours import Variant, modelled, variants
from proof_steps import steps
from text_mutations import mutations
from variant_tables import ASSEMBLED, AT_A_POINT, FEWER, GIVEN, LITTLE, MODELS, PARTS, POINTS

from qtheory.proofs.claims.model import Claim
from qtheory.proofs.corpus import claims
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import declared
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.proving.lines import Proof
from qtheory.proofs.recheck import certifies
from qtheory.proofs.records import records
from qtheory.proofs.tactics.builder import Step, Stuck, certificate, replayed
from qtheory.proofs.tactics.prover import prove_statement
from qtheory.proofs.tactics.search import search

ASKED = 20, 5  # variants of a claim, and how many of them near it
OF_A_SORT = 3
BUDGET, PROVER = 300.0, 0.05  # seconds of work: for a claim's variants, and for each attempt at a proof
PLAIN = 5.0  # seconds for a proof about printed numbers


def given(claim: Claim, models: tuple[str, ...]) -> list[Step]:
    """Proofs of what the claim's conditions say of the models."""
    assert claim.statement is not None
    out = [ASSEMBLED[claim.id]()] if claim.id in ASSEMBLED else []
    for name, lemmas in GIVEN.get(claim.id, {}).items():
        about = next(w for w in claim.statement.where if name in w)
        where = tuple(w for w in claim.statement.where if w.endswith("> 0"))
        statement = replace(modelled(claim.statement, models), goal=about, where=where)
        found = search(statement, proof=Proof(steps(lemmas)), budget=60.0)
        assert found.certificate is not None, found.obstacle
        out.append(replayed(found.certificate))
    return out


PROVED = [c for c in claims().values() if c.statement is not None
          and records().get(c.id, {}).get("verdict") == "proved"]


def answerable(claim: Claim) -> bool:
    """Can a point refute its changes? What is said of any function is refuted by one, for which a model stands."""
    assert claim.statement is not None
    return claim.id in MODELS or not any(declared(w, "functions") for w in claim.statement.where)


def about_limits(claim: Claim) -> bool:
    assert claim.statement is not None
    return any(word in claim.statement.goal for word in ("imit(", "SequenceLimit(", "BigO(", "oo)"))


def proof(claim: Claim, models: tuple[str, ...]) -> Step | None:
    """A proof of a claim about limits or orders, with the models: what it says refutes many a variant."""
    assert claim.statement is not None
    if not about_limits(claim) or FEWER.get(claim.id) == (0, 0):
        return None
    statement, told = modelled(claim.statement, models), Proof() if models else claim.proof
    if claim.id in PARTS:
        goal, told = PARTS[claim.id]
        statement = replace(statement, goal=goal, where=tuple(w for w in statement.where if "(" not in w))
    if claim.id in AT_A_POINT:
        where, told = AT_A_POINT[claim.id]
        statement = replace(statement, where=where)
    found = search(statement, proof=told, budget=60.0)
    return None if found.certificate is None or found.verdict != "proved" else replayed(found.certificate)


def room(claim: Claim, found: list[Variant], only_near: bool) -> list[str]:
    """The changes of a claim without variables that are neither refuted nor true, of sorts not yet complete."""
    assert claim.statement is not None
    tally, known = Counter(v.sort for v in found), {v.statement.formulas for v in found}
    out = []
    for m in mutations(claim.statement):
        if tally[m.sort] < OF_A_SORT and (m.near or not only_near):
            try:
                if m.statement.formulas not in known:
                    prove_statement(m.statement, PLAIN)
            except Stuck:
                out.append(m.change)
            except KernelError:  # the change makes no statement
                continue
    return out


def held(claim: Claim, asked: tuple[int, int] = ASKED) -> list[Variant]:
    """So many variants, of which so many near ones, or as many as the claim has; each refuted and not proved."""
    assert claim.statement is not None
    models = MODELS.get(claim.id, ())
    count, near = (min(of) for of in zip(FEWER.get(claim.id, ASKED), asked, strict=True))
    wanted, budget = (count, BUDGET) if count else (asked[0], LITTLE)
    plain = not claim.statement.variables and not about_limits(claim)
    found = variants(claim.statement, wanted, near=near, budget=LITTLE if plain else budget, models=models,
                     proof=proof(claim, models), point=POINTS.get(claim.id), given=given(claim, models))
    # what is said of a few printed numbers may have no more false neighbours, or none within one percent
    assert len(found) >= count or (plain and not room(claim, found, False)), [v.change for v in found]
    assert sum(v.near for v in found) >= near or (plain and not room(claim, found, True)), [v.change for v in found]
    assert max(Counter(v.sort for v in found).values(), default=0) <= OF_A_SORT
    assert len({v.statement.formulas for v in found} | {claim.statement.formulas}) == len(found) + 1
    for v in found:
        assert v.instance == (modelled(v.statement, models) if models else v.statement)
        data = json.loads(json.dumps(certificate(v.instance, "refuted", v.refutation.step)))
        stated, _ = check(data, v.instance)
        assert stated.same(v.instance) and data["verdict"] == "refuted"
        assert certifies(data, v.instance.to_json()), v.change
        with pytest.raises((Stuck, KernelError, RecursionError)):  # what the search takes for "no proof"
            prove_statement(v.statement, PROVER)
    return found
