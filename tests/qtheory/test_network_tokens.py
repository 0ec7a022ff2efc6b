"""Networks of agents token by token: growth, returns, the map and the plots beside the fluid model; Figure 8."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import bramson, fork_join, lu_kumar, rybko_stolyar_agents
from qtheory.networks import decide
from qtheory.networks.simulation import evidence_for, in_tokens, simulator_network, token_model
from qtheory.networks.tokens import fluid_return, growth, returned, simulated, spiral
from qtheory.report import plots, reproduce, reproduce_agents, sample_path, stability_map, tables
from qtheory.simulate.statistics import stability
from qtheory.simulate.statistics.intervals import paired_difference, student
from qtheory.theory.stability import nominal_loads

CRITICAL = Fraction(19, 34)


def test_the_returning_path_is_the_cycle_of_the_certificate() -> None:
    network = rybko_stolyar_agents()
    back, cycle = fluid_return(network, "A1"), decide(network).cycle
    assert back is not None and cycle is not None
    assert (back.growth, back.duration) == (cycle.growth, cycle.duration)
    times, contents = back.contents()
    assert times[-1] == back.duration and contents[-1] == (back.growth, 0, 0, 0) and contents[0] == (1, 0, 0, 0)
    assert cycle.rates([Fraction(1)] * 4) == cycle.rates() == (Fraction(1392, 1615),) * 2


def test_the_returning_path_tells_the_critical_load() -> None:
    growths = []
    for load in (CRITICAL - Fraction(1, 10**6), CRITICAL, CRITICAL + Fraction(1, 10**6)):
        back = fluid_return(rybko_stolyar_agents(load), "A1")
        assert back is not None
        growths.append(back.growth)
    assert growths[0] < growths[1] == 1 < growths[2]
    assert reproduce_agents.critical_load() == CRITICAL
    assert fluid_return(rybko_stolyar_agents("1/4").reversed_priority(), "A1") is None  # it drains


def test_paths_that_cannot_be_asked_for() -> None:
    with pytest.raises(UnknownNameError, match="unknown visit 'A3'"):
        fluid_return(rybko_stolyar_agents(), "A3")
    with pytest.raises(InputError, match="a complete order"):
        fluid_return(fork_join(), "0")


@pytest.mark.slow
def test_growth_is_the_fluid_models() -> None:
    """The paper's instance: requests, and the extremes of the unprocessed tokens in a cycle."""
    network = rybko_stolyar_agents()
    cycle = decide(network).cycle
    assert cycle is not None
    runs = simulated(network, 200_000, replications=10, windows=1000)
    rate = student(growth(runs), 0.999)
    assert rate.low < float(cycle.rates()[0]) < rate.high and rate.half_width < 0.01
    tokens = cycle.rates([v.length for v in network.visits])
    for end, values in zip(tokens, spiral(runs, float(cycle.growth)), strict=True):
        assert float(values.mean()) == pytest.approx(float(end), rel=0.01)  # what the start lacks is still seen


@pytest.mark.slow
def test_one_token_a_batch_moves_no_critical_load() -> None:
    """What the rule adds to a cycle at the critical load does not grow with the cycle: it vanishes beside it."""
    network = rybko_stolyar_agents(CRITICAL)
    back = fluid_return(network, "A1")
    assert back is not None
    added = []
    for count in (500, 8000):
        with_rule, without = (returned(network, back, count, replications=12, one_token=one) for one in (True, False))
        added.append(paired_difference(count * with_rule, count * without, 0.999))
    assert all(a.low > 60 and a.high < 130 for a in added)
    for load, verdict in ((Fraction(53, 100), "stable"), (Fraction(59, 100), "unstable")):
        for one in (True, False):
            runs = simulated(rybko_stolyar_agents(load), 60_000, replications=10, one_token=one)
            assert stability(runs).verdict == verdict == decide(rybko_stolyar_agents(load)).verdict


def test_first_come_first_served_blows_up_below_load_1() -> None:
    """Bramson (1994): as simulated evidence, since neither kind of certificate speaks of first come, first served."""
    network = bramson()
    said = evidence_for(network)
    assert said is not None and said.model == "with exponential times"
    assert max(nominal_loads(network).values()) < 1 and said.stability.verdict == "unstable"


@pytest.mark.slow
def test_what_can_be_simulated_token_by_token() -> None:
    assert token_model(lu_kumar()) is None and token_model(fork_join()) is not None
    said = evidence_for(fork_join())
    assert said is not None and said.model == "token by token" and said.stability.verdict == "stable"


@pytest.mark.slow
def test_times_made_tokens_where_a_network_forks() -> None:
    """Loads and works are those of the network; a load above 1 is seen, and a fork at the arrival is one."""
    times = [("1", "a", "2/5", ()), ("2", "b", "3/7", ()), ("3", "a", "1/3", ("1", "2"))]
    visits = tuple(Visit(n, e, Fraction(w), after=after) for n, e, w, after in times)
    network = AgentNetwork((Engine("a"), Engine("b")), (RequestType("t", Fraction(1), visits),))
    made = in_tokens(network)
    assert made.works == network.works and nominal_loads(made) == nominal_loads(network)
    assert min(v.length for v in made.visits) == 16
    with pytest.raises(InputError, match="forks or joins"):
        simulator_network(AgentNetwork(network.engines, (RequestType("t", Fraction(1), visits[:2]),)))
    for rate, verdict in (("9/10", "stable"), ("3/2", "unstable")):
        said = evidence_for(network.scaled(rate))
        assert said is not None and said.model.startswith("with times made tokens")
        assert said.stability.verdict == verdict


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A coarse map and short runs."""
    monkeypatch.setattr(stability_map, "LENGTHS", (128, 384, 640))
    monkeypatch.setattr(sample_path, "START", 100)
    for name, value in (("LONG", 40_000), ("SLOTS", 20_000), ("REPLICATIONS", 6), ("STARTS", (200, 400))):
        monkeypatch.setattr(reproduce_agents, name, value)
    yield
    stability_map.point.cache_clear()


@pytest.mark.slow
def test_the_map(small: None) -> None:
    table = tables.build("to-map")
    lengths = list(zip(table.column("first"), table.column("second"), strict=True))
    assert lengths == [(128, 128), (128, 384), (128, 640), (384, 384), (384, 640), (640, 640)]
    assert table.column("fluid") == ("stable", "stable", "overloaded", "unstable", "overloaded", "overloaded")
    assert table.column("simulated") == ("stable", "stable", "unstable", "unstable", "unstable", "unstable")
    columns = (table.column(name) for name in ("load", "virtual", "fluid"))
    for load, virtual, verdict in zip(*columns, strict=True):
        assert isinstance(load, float) and isinstance(virtual, float)
        assert verdict == ("overloaded" if load > 1 else "unstable" if virtual > 1 else "stable")
    assert "and their sum is below 611.6 tokens" in "".join(map(str, table.caption))


@pytest.mark.later
def test_the_maps_boundary_is_where_the_verdict_changes() -> None:
    """On both sides of it, and of the load of an agent, by a millionth of a token."""
    for first in (64, 300, 512):
        edge = stability_map.boundary(first)
        assert edge + first == stability_map.longest_sum() == Fraction(608 * 10, 9) - 64  # b / rate less both outputs
        for off, verdict in ((-1, "stable"), (1, "unstable")):
            network = stability_map.network(first, edge + Fraction(off, 10**6))  # type: ignore[arg-type]
            assert decide(network).verdict == verdict
    assert stability_map.farthest() == Fraction(608 * 10, 9) - 96
    assert stability_map.network(512, 512) == rybko_stolyar_agents()


def test_the_maps_loads_and_growth_by_hand() -> None:
    """While x requests of a type have their long visit, of load r, first, x r/(1 - r) of the other type gather."""
    rate, network = Fraction(108, 95) / 768, stability_map.network(300, 400)
    long = [rate * (m + 32) for m in (300, 400)]
    assert stability_map.loads(network) == (long[0] + 64 * rate, long[1] + 64 * rate, sum(long))
    found = decide(network)
    assert found.verdict == "unstable" and found.cycle is not None
    assert found.cycle.growth == math.prod(r / (1 - r) for r in long)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["to-map", "to-path"])
def test_plots(name: str, small: None) -> None:
    svg = plots.find(name).draw(".svg")
    assert b"<image" not in svg and svg.count(b"<path") > 20 and plots.find(name).draw(".svg") == svg
    assert plots.find(name).draw(".png").startswith(b"\x89PNG")
    with pytest.raises(InputError, match="takes no --batch"):
        plots.find(name).draw(".png", batch=[4])


@pytest.mark.slow
def test_figure_8(small: None) -> None:
    seen: list[tuple[float, float]] = []
    table = reproduce.build("to-fig8", lambda done, of: seen.append((done, of)))
    rows = {(r[0], r[1]): r[2:] for r in table.rows}
    assert len(rows) == len(table.rows) == 29 and seen[-1] == (7, 7)
    assert rows["up: printed", "load of each agent"][:2] == (0.9, 0.9)
    assert rows["up: printed", "critical load, fluid"][1] == pytest.approx(19 / 34)
    grown, fluid = rows["up: printed", "growth"][1], rows["up: printed", "growth, fluid"][1]
    assert fluid == pytest.approx(1000 * 1392 / 1615) and grown == pytest.approx(fluid, rel=0.05)
    for place in ("down: reversed", "up, 0.9 in all"):
        rate = rows[place, "growth"][1]
        assert isinstance(rate, float) and abs(rate) < 10
    for _, computed, low, high, _ in rows.values():
        assert isinstance(computed, float) and math.isfinite(computed)
        assert low is None or (isinstance(low, float) and isinstance(high, float) and low <= computed <= high)
    said = "".join(map(str, table.caption))
    assert "the printed priority is unstable (test of the simulation: unstable), the reversed one stable" in said


@pytest.mark.slow
def test_figure_8s_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce_agents, "SHOWN", 2000)
    assert reproduce.picture("to-fig8", ".pdf").startswith(b"%PDF")
    svg = reproduce.picture("to-fig8", ".svg")
    assert b"<image" not in svg and svg.count(b"<path") > 40
