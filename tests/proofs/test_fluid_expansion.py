"""Theorem 3.2's expansion in the fluid model: what its proof proves is the claim, and none of the claim's false kin."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qtheory.proofs.corpus import claims
from qtheory.proofs.decide import decide

CLAIM = claims()["eb.thm-3.2"]
BUDGET = 25.0  # with which the claim itself is proved; with 18 it is not


@pytest.mark.slow(10)
@pytest.mark.parametrize(("old", "new"), [
    ("- delta(", "+ delta("),
    *(pytest.param(*kin, marks=pytest.mark.study) for kin in
      ((", eta**2", ", eta**3"), ("- delta(", "- 2*delta("),
       (CLAIM.statement.goal if CLAIM.statement else "", "1 < 0")))])
def test_no_false_kin_is_proved(old: str, new: str) -> None:
    assert CLAIM.statement is not None and CLAIM.statement.goal.count(old) == 1
    kin = replace(CLAIM.statement, goal=CLAIM.statement.goal.replace(old, new))
    assert decide(kin, proof=CLAIM.proof, budget=BUDGET).verdict != "proved"
