"""Proved claims have false neighbours, each refuted by a certificate, and none is called proved: a few of a few claims.

`tests/studies/false_variants.py` asks for 20 of each claim of some sections and of one claim in six of the others.
"""

from __future__ import annotations

import zlib

import pytest
from variant_checks import PROVED, answerable, held
from variant_tables import LONG, QUICK

from qtheory.proofs.claims.model import Claim

PART, FEW = 12, (4, 1)  # one claim of so many, but for those that take long; so many variants, of which near ones
ASKED = [c for c in PROVED if c.id in QUICK
         or (c.id not in LONG and answerable(c) and zlib.crc32(c.id.encode()) % PART == 0)]


def test_there_are_claims_of_every_paper() -> None:
    assert len(PROVED) >= 500 and len(ASKED) >= 45
    assert {c.id.partition(".")[0] for c in ASKED} == {c.id.partition(".")[0] for c in PROVED}


@pytest.mark.parametrize("claim", [pytest.param(c, marks=[pytest.mark.slow] * (c.id not in QUICK), id=c.id)
                                   for c in ASKED])
def test_false_variants_are_refuted_and_not_proved(claim: Claim) -> None:
    held(claim, FEW)
