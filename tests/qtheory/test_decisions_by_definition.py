"""What a decision and a critical factor say at the boundary itself, and claims that are not written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction as F
from itertools import count

import pytest

from qtheory.models.network_classics import dai_wang, tandem
from qtheory.models.network_files import dumps
from qtheory.networks import decide, regions
from qtheory.networks.cells import exact_largest
from qtheory.networks.certificates import cone_claim
from qtheory.networks.critical import bracket
from qtheory.numerics.fluid_paths import Cone, Segment
from qtheory.numerics.lp import Form
from qtheory.numerics.polytopes import Polytope
from qtheory.proofs.tactics.effort import COSTS, SECOND, after
from qtheory.theory.stability import virtual_stations


def test_an_engine_of_load_1_is_on_the_boundary_and_not_overloaded() -> None:
    """Nothing is looked for there, and no certificate of an overload is tried."""
    for means in ((1,), (F(1, 2), 1)):
        found = decide(tandem(means))
        assert found.verdict == "undecided" and not found.searched
        assert "has load 1 exactly: on the boundary" in found.reason and "overloaded" not in found.reason


def test_the_virtual_stations_of_a_decision_are_the_heaviest_first() -> None:
    made = [v.load for v in virtual_stations(dai_wang())]
    assert made == [F(7, 10), F(29, 30)] and [v.load for v in decide(dai_wang()).virtual] == made[::-1]


@pytest.mark.parametrize("width", [F(1, 4), F(1, 100)])
def test_a_critical_factor_lies_between_its_ends_at_any_width(width: F) -> None:
    """M/M/1 with services of 2/5: at 5/2 times its rate the load is 1; the upper end is overloaded for sure."""
    found = bracket(tandem((F(2, 5),)), width)
    assert found.stable is not None and found.unstable is not None
    assert found.stable < F(5, 2) < found.unstable <= found.stable / (1 - width) and found.exact == F(5, 2)
    for factor, verdict in found.tried:
        assert decide(tandem((F(2, 5),), factor)).verdict == verdict


def test_rays_that_differ_in_their_efforts_are_no_claim() -> None:
    network = tandem((F(2, 5),))
    one = Segment((F(1),), (F(1),), F(1))
    assert len(cone_claim(network, Cone(((one,), (one,)), ((F(2),), (F(3),)), F(2)))["rays"]) == 2
    other = replace(one, efforts=(F(1, 2),))
    with pytest.raises(ValueError, match="the rays part"):
        cone_claim(network, Cone(((one,), (other,)), ((F(2),), (F(3),)), F(2)))


def test_the_exact_point_of_a_program_with_bounds_from_below() -> None:
    """x_0 <= 3 - x_1 and x_1 >= 1/2; a row without variables holds or not wherever one is."""
    rows = [Form({0: F(-1), 1: F(-1)}, F(3)), Form({1: F(1)}, F(-1, 2))]
    for free in ([False, False], [False, True]):
        assert exact_largest(2, [*rows, Form({}, F(1))], free) == [F(5, 2), F(1, 2)]
    assert exact_largest(2, [*rows, Form({}, F(-1))], [False, False]) is None


def test_a_search_at_a_point_of_a_region_ends_by_its_work_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    def endless(model: object, tick: Callable[[str], None]) -> None:
        for number in count(1):
            begun.append(number)
            tick("program")

    monkeypatch.setattr(regions, "search_stages", endless)
    network = tandem((F(2, 5),))
    search = regions._Search(network, [(F(0), F(1))], dumps(network), after(60))
    assert search.staged(Polytope(((F(-1), F(1)), (F(2), F(-1)))), (F(1), F(0))) is None
    assert len(begun) == regions.A_POINT * SECOND // COSTS["program"] + 1
