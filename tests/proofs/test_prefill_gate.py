"""Lemma EC.1 of the planning paper: what is proved is the paper's sentence, from any start, and it takes the gate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qtheory.proofs.claims.axioms import DAI_WEISS
from qtheory.proofs.claims.gr.models.prefill_gate import GATED
from qtheory.proofs.corpus import paper
from qtheory.proofs.theorems import referee_theorem

CLAIM = next(c for c in paper("gr").claims if c.id == "gr.lem-EC.1")
THEOREM = GATED.theorem
GATE = next(w for w in THEOREM.where if "*du(j, t) == 0" in w)


def test_the_claim_is_that_none_is_above_its_target() -> None:
    """From one time on, for each of the K classes; no condition says how the classes start, or that some time is 0."""
    assert CLAIM.theorem == THEOREM and set(CLAIM.sources) == set(THEOREM.where)
    assert [use.axiom for use in THEOREM.uses] == [DAI_WEISS.name]
    assert THEOREM.let == ("t_0 = V(0)/r",)
    assert THEOREM.goal == ("And(t_0 >= 0, ForAll(t, t >= t_0, ForAll(i, And(Integer(i), i >= 1, i <= K), "
                            "x(i, t) <= xs(i))))")
    assert not any("(0)" in w or ", 0)" in w.replace("Max(0", "") for w in THEOREM.where)


@pytest.mark.slow
def test_without_the_gate_the_proof_stops_where_it_is_used() -> None:
    theorem = replace(THEOREM, where=tuple(w for w in THEOREM.where if w != GATE))
    falls, rest = CLAIM.proof.steps[1], (*CLAIM.proof.steps[:1], *CLAIM.proof.steps[2:])
    assert falls.label == "falls" and falls.by is not None and GATE in falls.by
    steps = (*rest, replace(falls, by=tuple(b for b in falls.by if b != GATE)))
    verdict = referee_theorem(theorem, replace(CLAIM.proof, steps=steps), 10.0)
    assert verdict.verdict == "unknown" and not verdict.axioms
    assert "not proved: falls " in verdict.note and "step 2.10.2.4 is not proved" in verdict.note, verdict.note
