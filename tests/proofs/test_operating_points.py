"""A counterexample stands where a server runs, and where the note beside it says."""

from __future__ import annotations

from fractions import Fraction

import pytest

from qtheory.proofs import corpus
from qtheory.proofs.claims.eb.operating_points import OPERATING, POINTS, RUNS


def number(text: str) -> Fraction:
    return Fraction(text)


@pytest.mark.parametrize("id", OPERATING)
def test_the_counterexample_is_the_operating_point(id: str) -> None:
    found = corpus.referee(corpus.claims()[id])
    assert found.verdict == "refuted" and found.counterexample is not None
    for name, text in OPERATING[id]["point"].items():
        assert number(str(found.counterexample[name])) == number(text), name


def test_the_printed_kappa() -> None:
    c0, c1, c2 = (number(OPERATING["eb.eq-9.iteration"]["point"][c]) for c in ("c0", "c1", "c2"))
    assert 2 * c2 / (c0 + c1 + c2) == number("-11.6")


def test_the_launches_of_the_runs() -> None:
    launch, slots, outputs, prompts = (number(RUNS[n]) for n in ("alpha_MB", "N", "mu_O", "mu_L"))
    share = launch * (1 + outputs) / (slots * (prompts + outputs))
    assert round(float(share) * 1e6, 1) == 9.8
    point = POINTS["eb.app-A.4.from-runs"]
    measured = 1 / (number(point["TP"]) * (prompts + outputs))
    assert measured == number(RUNS["beta_MB"]) + share
