"""A slice of the mutations of networks' certificates: what is accepted is true; the oracle tells false from true."""

from __future__ import annotations

import importlib.util
from collections import Counter
from fractions import Fraction as F
from pathlib import Path

import pytest

from qtheory.models.network_classics import rybko_stolyar, tandem
from qtheory.models.network_files import dumps
from qtheory.networks import decide
from qtheory.networks.certified import Certified

_SPEC = importlib.util.spec_from_file_location("network_mutations", Path(__file__).with_name("network_mutations.py"))
assert _SPEC is not None and _SPEC.loader is not None
mutations = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(mutations)


@pytest.mark.later
@pytest.mark.sliced(10)
@pytest.mark.parametrize("part", range(10))
def test_no_mutation_is_accepted_falsely(part: int) -> None:
    found = Counter(mutations.outcome(seed) for seed in range(25 * part, 25 * part + 25))
    assert set(found) <= {"rejected", "accepted", "accepted, another network"}, found
    assert found["rejected"] > 10


@pytest.mark.later
def test_the_bases_are_accepted() -> None:
    for network, answer, data in mutations.bases():
        assert Certified(dumps(network), data).verdict == answer
        assert not mutations.contradicts(network, data["claim"], answer)


@pytest.mark.later
def test_the_oracle_contradicts_what_is_false() -> None:
    cycle = decide(rybko_stolyar()).certificate
    piece = decide(rybko_stolyar().reversed_priority()).certificate
    assert cycle is not None and piece is not None
    assert mutations.contradicts(rybko_stolyar(), piece["claim"], "stable")
    assert mutations.contradicts(rybko_stolyar(["1/10", "1/4", "1/10", "1/4"]), cycle["claim"], "unstable")
    assert mutations.contradicts(tandem(["1/2", 1]), piece["claim"], "stable")
    assert mutations.contradicts(tandem([F(1, 2)]), {"kind": "overload"}, "unstable")
