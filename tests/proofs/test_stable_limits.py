"""What Proposition 3 is taken to say of one fluid limit. Its proof takes the load condition from that; none of these
conditions says it alone: without any one of them it is refuted."""

from __future__ import annotations

import pytest

import qtheory as qt
from qtheory.proofs.chains import Recurrence
from qtheory.proofs.claims.to.models import recurrence

POSITIVE = ("lam >= 0", "m_p >= 1", "m_d >= 1", "b >= 1", "t_b >= 1")


def test_the_load_condition_is_not_among_them() -> None:
    theorem, other = recurrence.IF_LIMITS_ARE_STABLE.theorem, recurrence.SQUARES
    assert isinstance(theorem, Recurrence) and recurrence.LOAD not in theorem.where and recurrence.LOAD in other.where
    assert {*theorem.where} - {*other.where} == {*recurrence.STABLE}


@pytest.mark.parametrize("left_out", recurrence.STABLE)
def test_each_condition_is_needed(left_out: str) -> None:
    others = [text for text in recurrence.STABLE if text != left_out]
    verdict = qt.prove(recurrence.LOAD, where=(*POSITIVE, *others), budget=20.0)
    assert verdict.verdict == "refuted", verdict


def test_a_limit_that_begins_empty_says_less() -> None:
    """Of one without requests at its start the load may be 1, where the chain is not positive recurrent."""
    others = [text for text in recurrence.STABLE if "z_0*" not in text]
    verdict = qt.prove(recurrence.LOAD, where=(*POSITIVE, *others, "z_0 == 0"), budget=20.0)
    assert verdict.verdict == "refuted", verdict
