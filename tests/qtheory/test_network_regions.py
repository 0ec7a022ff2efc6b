"""Regions of arrival rates, against what is published; each polygon's certificate holds at all of its points."""

from __future__ import annotations

import copy
import random
from fractions import Fraction as F
from types import SimpleNamespace
from typing import Any

import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import dai_wang, fork_join, lu_kumar, rybko_stolyar, tandem
from qtheory.models.network_files import dumps
from qtheory.networks import decide, load
from qtheory.networks.certified import Rejected
from qtheory.networks.certified_cells import CertifiedCell
from qtheory.networks.region_cells import open_sides
from qtheory.networks.regions import Region, factors, region
from qtheory.numerics.lp import Form
from qtheory.numerics.polytopes import Polytope, at
from qtheory.theory.regions import _phase
from tests.qtheory.network_instances import every_order


def corners(found: Region, verdict: str) -> list[set[tuple[F, ...]]]:
    return [set(p.vertices) for p in found.merged(verdict)]


def intervals(found: Region, verdict: str) -> list[tuple[F, F]]:
    return sorted((p.vertices[0][0], p.vertices[-1][0]) for p in found.merged(verdict))


MEANS = ["1/10", "3/5", "1/5", "2/3"]


@pytest.fixture(scope="module")
def rybko() -> Region:
    return region(rybko_stolyar(MEANS), ["A", "B"])


def test_rybko_and_stolyars_region_is_exact(rybko: Region) -> None:
    """Stable below the engines' and the virtual station's lines, x/10 + 2y/3, 3x/5 + y/5 and 3x/5 + 2y/3 < 1."""
    assert corners(rybko, "stable") == [{(F(0), F(0)), (F(5, 3), F(0)), (F(0), F(3, 2))}]
    assert rybko.share("undecided") == 0
    rng = random.Random(1)
    for _ in range(200):
        x, y = (F(rng.randrange(0, 200), 100) for _ in range(2))
        loads = (x / 10 + 2 * y / 3, 3 * x / 5 + y / 5, 3 * x / 5 + 2 * y / 3)
        assert rybko.at((x, y)) == ("stable" if max(loads) < 1 else "unstable" if max(loads) > 1 else "undecided")


def test_the_border_itself_is_undecided_and_zero_rates_are_stable(rybko: Region) -> None:
    assert [rybko.at(p) for p in ((0, 0), (F(1), 0), (0, F(1)))] == ["stable"] * 3
    assert [rybko.at(p) for p in ((F(5, 3), 0), (0, F(3, 2)), (F(5, 6), F(3, 4)))] == ["undecided"] * 3
    assert rybko.at((F(5, 6) + F(1, 10**30), F(3, 4))) == "unstable"
    assert rybko.at((F(5, 6) - F(1, 10**30), F(3, 4))) == "stable"
    assert rybko.at((10**9, 0)) == rybko.at((0, 10**9)) == "unstable"
    with pytest.raises(InputError, match="a point has 2 rates of at least 0: A, B"):
        rybko.at((-1, 0))


def test_a_side_is_open_where_the_verdict_is_not_shown(rybko: Region) -> None:
    some = False
    for cell in (*rybko.cells, *rybko.beyond):
        assert cell.certified is not None
        for side, is_open in zip(cell.polytope.sides, open_sides(cell), strict=True):
            if there := [v for v in cell.polytope.vertices if at(side, v) == 0]:
                middle = [sum(x, F(0)) / len(there) for x in zip(*there, strict=True)]
                assert cell.certified.holds(middle) != is_open
                some |= is_open
    assert some


@pytest.mark.later
def test_points_of_a_region_are_decided_alike_one_by_one(rybko: Region) -> None:
    rng = random.Random(7)
    base = rybko_stolyar(MEANS)
    for _ in range(6):
        x, y = (F(rng.randrange(1, 150), 100) for _ in range(2))
        types = tuple(RequestType(t.name, r, t.visits) for t, r in zip(base.types, (x, y), strict=True))
        assert decide(AgentNetwork(base.engines, types)).verdict == rybko.at((x, y))


def test_lu_and_kumars_interval_is_exact() -> None:
    """m2 + m4 = 4/3: stable below 3/4, unstable above, with loads below 1 up to 30/23."""
    found = factors(lu_kumar())
    assert intervals(found, "stable") == [(F(0), F(3, 4))] and intervals(found, "unstable") == [(F(3, 4), F(30, 23))]
    assert found.at((F(3, 4),)) == "undecided" and found.at((F(2),)) == "unstable"


def test_the_last_buffers_first_leave_lu_and_kumar_nothing_but_loads() -> None:
    found = factors(lu_kumar().reversed_priority())
    assert intervals(found, "stable") == [(F(0), F(30, 23))] and found.share("stable") == 1


def test_a_tandem_is_stable_to_its_load() -> None:
    assert intervals(factors(tandem(["1/2", "1/3"])), "stable") == [(F(0), F(2))]


@pytest.mark.slow
def test_dai_and_wangs_critical_factor_lies_in_what_is_undecided() -> None:
    """m3 x + m5 x/(1 - m1 x) = 1 is no rational number for these means; it lies between the certified intervals."""
    found = factors(every_order(dai_wang(["1/5", "1/10", "1/2", "1/10", "3/5"])), budget=10)
    [(zero, low)], [(high, _)] = intervals(found, "stable"), intervals(found, "unstable")

    def load(x: F) -> F:
        return x / 2 + F(3, 5) * x / (1 - x / 5)

    assert zero == 0 and load(low) < 1 < load(high) and high - low < F(1, 20)
    assert intervals(found, "undecided") == [(low, high)]


def test_two_types_beside_a_third_of_fixed_rate() -> None:
    """One engine of three types: a half of it is taken, so that x/2 + y < 1/2."""
    visits = [Visit(n, "e", F(m)) for n, m in (("a", "1/2"), ("b", "1"), ("c", "1/4"))]
    types = [RequestType(v.name, F(2), (v,)) for v in visits]
    found = region(AgentNetwork((Engine("e"),), tuple(types)), ["a", "b"])
    assert corners(found, "stable") == [{(F(0), F(0)), (F(1), F(0)), (F(0), F(1, 2))}]
    assert [found.at(p) for p in ((0, 0), (1, 0), (2, 0))] == ["stable", "undecided", "unstable"]


def test_three_free_rates() -> None:
    visits = [Visit(n, e, F(m)) for n, e, m in (("a", "e", "1/2"), ("b", "f", "1"), ("c", "e", "1/4"))]
    found = region(AgentNetwork((Engine("e"), Engine("f")), tuple(RequestType(v.name, F(1), (v,)) for v in visits)),
                   ["a", "b", "c"])
    assert found.share("stable") == 1 and found.whole is not None
    assert found.whole.volume == 4  # (2 * 4 / 2) * 1
    assert found.at((1, F(1, 2), 1)) == "stable" and found.at((1, 1, 1)) == "undecided"


@pytest.mark.parametrize("work", ["1", "5/4"])
def test_nothing_is_left_of_rates_beside_a_full_engine(work: str) -> None:
    """An engine that others fill: its load is 1, or above, whatever the free rate is."""
    types = RequestType("fixed", F(1), (Visit("f", "e", F(work)),)), RequestType("free", F(1), (Visit("x", "e", F(1)),))
    found = region(AgentNetwork((Engine("e"),), types), ["free"])
    assert found.whole is None and found.cells == ()
    assert found.at((0,)) == ("undecided" if work == "1" else "unstable") and found.at((1,)) == "unstable"
    assert found.share("stable") == 0


def test_visits_that_join() -> None:
    found = factors(fork_join())
    assert intervals(found, "stable") == [(F(0), F(12, 5))]


def test_requests_that_choose_at_random() -> None:
    found = factors(load("tool-calls"))
    assert intervals(found, "stable") == [(F(0), F(256, 207))]


def test_what_is_stable_and_unstable_does_not_overlap(rybko: Region) -> None:
    for one in rybko.cells:
        for other in rybko.cells:
            if one.verdict != other.verdict:
                both = Polytope((*one.polytope.sides, *other.polytope.sides))
                assert not both.full


def test_one_rate_names() -> None:
    network = rybko_stolyar(MEANS)
    with pytest.raises(UnknownNameError, match="unknown type 'C'"):
        region(network, ["A", "C"])
    for free in ([], ["A", "A"]):
        with pytest.raises(InputError, match="over the rates of one to 3 different types"):
            region(network, free)
    with pytest.raises(InputError, match="the budget is 0"):
        region(network, ["A"], budget=0)


# ---- certificates that lie ----

@pytest.fixture(scope="module")
def stable(rybko: Region) -> CertifiedCell:
    found = next(c.certified for c in rybko.cells if c.verdict == "stable")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def unstable(rybko: Region) -> CertifiedCell:
    found = next(c.certified for c in rybko.cells if c.verdict == "unstable")
    assert found is not None
    return found


def changed(cell: CertifiedCell, change: Any) -> dict[str, Any]:
    data: dict[str, Any] = copy.deepcopy(cell.certificate)
    change(data["claim"])
    return data


def test_a_certificate_is_read_again(stable: CertifiedCell, unstable: CertifiedCell) -> None:
    for cell in (stable, unstable):
        again = CertifiedCell(cell.text, cell.certificate)
        assert (again.verdict, again.polytope) == (cell.verdict, cell.polytope)


LIES = {
    "a wider cell": lambda c: c["cell"].pop(0),
    "a cell without sides": lambda c: c["cell"].clear(),
    "a larger margin": lambda c: c.update(margin=["2", *c["margin"][1:]]),
    "a margin with the sign turned": lambda c: c.update(margin=[str(-F(x)) for x in c["margin"]]),
    "other rates": lambda c: c.update(rates=[["0", "2", "0"], ["0", "0", "1"]]),
    "rates below zero": lambda c: c.update(rates=[["-1", "1", "0"], ["0", "0", "1"]]),
    "a rate too few": lambda c: c["rates"].pop(),
    "four free rates": lambda c: c.update(margin=[*c["margin"], "0", "0"]),
    "no free rate": lambda c: c.update(margin=["1"], cell=[], rates=[["1"], ["1"]]),
    "another kind": lambda c: c.update(kind="pieces"),
    "a key too many": lambda c: c.update(more=1),
    "numbers that are no texts": lambda c: c.update(margin=[1, 0, 0]),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_changed_claim_is_rejected(stable: CertifiedCell, unstable: CertifiedCell, lie: str) -> None:
    for cell in (stable, unstable):
        with pytest.raises(Rejected):
            CertifiedCell(cell.text, changed(cell, LIES[lie]))


INNER_STABLE = {
    "a faster decay": lambda c: c.update(decay=str(2 * F(c["decay"]))),
    "a decay of 0": lambda c: c.update(decay="0"),
    "a decay below 0": lambda c: c.update(decay="-1"),
    "a higher floor": lambda c: c.update(floor="1000"),
    "weights of 0": lambda c: c.update(pieces=[["0"] * len(r) for r in c["pieces"]]),
    "paths of one network": lambda c: c.update(kind="paths"),
}
INNER_UNSTABLE = {
    "a faster growth": lambda c: c.update(growth=str(2 * F(c["growth"]))),
    "a growth of 0": lambda c: c.update(growth="0"),
    "an emptying of 0": lambda c: c.update(emptying="0"),
    "a faster emptying": lambda c: c.update(emptying=str(100 * F(c["emptying"]))),
    "an order that the priorities exclude": lambda c: c.update(order=[line[::-1] for line in c["order"]]),
    "a phase left out": lambda c: c["phases"].pop(),
    "phases in another order": lambda c: c["phases"].reverse(),
    "another end": lambda c: c["phases"][0].update(ends=next(k for k in range(4) if k != c["phases"][0]["ends"])),
    "a buffer forgotten": lambda c: c["phases"][0]["full"].remove(
        next(k for k in c["phases"][0]["full"] if k != c["phases"][0]["ends"])),
    "weights of nothing": lambda c: [p.update(weights=["0"] * 4) for p in c["phases"]],
    "an effort too large": lambda c: c["phases"][0]["efforts"][0].__setitem__(0, "2"),
    "an effort too few": lambda c: c["phases"][0]["efforts"].pop(),
    "a visit that is none": lambda c: c["phases"][0].update(full=[0, 1, 2, 9]),
    "no phases": lambda c: c.update(phases=[]),
}


@pytest.mark.parametrize("lie", INNER_STABLE)
def test_a_changed_stability_is_rejected(stable: CertifiedCell, lie: str) -> None:
    with pytest.raises(Rejected):
        CertifiedCell(stable.text, changed(stable, lambda c: INNER_STABLE[lie](c["claim"])))


@pytest.mark.parametrize("lie", INNER_UNSTABLE)
def test_a_changed_growth_is_rejected(unstable: CertifiedCell, lie: str) -> None:
    with pytest.raises(Rejected):
        CertifiedCell(unstable.text, changed(unstable, lambda c: INNER_UNSTABLE[lie](c["claim"])))


def test_a_certificate_is_of_its_network(stable: CertifiedCell, unstable: CertifiedCell) -> None:
    slower = dumps(rybko_stolyar(["1/10", "3/5", "1/5", "3/4"]))
    for cell in (stable, unstable):
        with pytest.raises(Rejected):
            CertifiedCell(slower, cell.certificate)
        proofs = cell.certificate["proofs"]
        with pytest.raises(Rejected):
            CertifiedCell(cell.text, {**cell.certificate, "proofs": proofs[:-1]})
        with pytest.raises(Rejected):
            CertifiedCell(cell.text, {"claim": cell.certificate["claim"]})
    fcfs = dumps(AgentNetwork(tuple(Engine(e, policy="fcfs") for e in "AB"), rybko_stolyar(MEANS).types))
    with pytest.raises(Rejected):  # a path under some order says nothing of this one
        CertifiedCell(fcfs, unstable.certificate)


def test_a_phase_obeys_an_engines_order() -> None:
    """Efforts on a grid, and which visits hold fluid: what the claim asks of an engine's time is met where it has time
    for all, and fluid of a visit leaves no time for those after it."""
    rng, met = random.Random(2), 0
    model: Any = SimpleNamespace(visits=())
    for _ in range(2000):
        line = rng.sample(range(4), rng.randrange(1, 4))
        efforts = [F(rng.choice((0, 0, 1, 1, 2, 3, 4)), 4) for _ in range(4)]
        full = {k for k in range(4) if rng.random() < 0.5}
        asked = [goal.constant for _, goal in _phase(model, [line], [Form({}, e) for e in efforts], full, 0)]
        left, obeys = F(1), True
        for k in line:  # a visit without fluid may have any part of what those before it leave
            left -= efforts[k]
            obeys &= left >= 0 and (left == 0 or k not in full)
        met += obeys
        assert (min(asked) >= 0) == obeys, (line, efforts, full)
    assert 100 < met < 1900
