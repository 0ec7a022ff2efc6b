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


def test_the_printed_kappa() -> None:
    c0, c1, c2 = (at("eb.eq-9.iteration", c) for c in ("c0", "c1", "c2"))
    assert 2 * c2 / (c0 + c1 + c2) == Fraction("-11.6")


def test_the_launches_of_the_runs() -> None:
    launch, slots, outputs, prompts, token = (at("eb.app-A.4.from-runs.at-N", n)
                                              for n in ("alpha_MB", "N", "mu_O", "mu_L", "beta_MB"))
    share = launch * (1 + outputs) / (slots * (prompts + outputs))
    assert round(float(share) * 1e6, 1) == 9.8
    assert 1 / (at("eb.app-A.4.from-runs.at-N", "TP") * (prompts + outputs)) == token + share
