"""A counterexample stands where a server runs: at the setting that the claim names, and where its note says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from qtheory.proofs import corpus

CLAIMS = {c.id: c for c in corpus.paper("eb").claims if c.first_at and c.severity in ("substantive", "remark")}


def at(id: str, name: str) -> Fraction:
    return Fraction(CLAIMS[id].first_at[name])


@pytest.mark.parametrize("id", CLAIMS)
def test_the_counterexample_is_the_operating_point(id: str) -> None:
    found = corpus.referee(CLAIMS[id])
    assert found.verdict == "refuted" and found.counterexample is not None
    for name in CLAIMS[id].first_at:
        assert Fraction(str(found.counterexample[name])) == at(id, name), name
