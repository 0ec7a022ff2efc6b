"""A path whose numbers grow too long is given up."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from qtheory.models.network_classics import rybko_stolyar
from qtheory.networks.certificates import paths_of
from qtheory.numerics import fluid_paths
from qtheory.theory.fluid import FluidModel


def test_numbers_of_too_many_digits_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    start = (F(1), F(0), F(0), F(0))
    found = paths_of(FluidModel.of(rybko_stolyar())).cycle(start, 12)
    assert found is not None and found.growth == F(9, 4)
    monkeypatch.setattr(fluid_paths, "MAX_BITS", 2)
    assert paths_of(FluidModel.of(rybko_stolyar())).cycle(start, 12) is None
