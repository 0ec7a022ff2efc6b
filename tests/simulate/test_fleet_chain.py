"""The cluster's chain on counts: against exact chains of one or two GPUs, the fluid model, the optimum, and itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import fleet_by_hand as hand
import numpy as np
import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.fleet import FleetChain, GPUFleet, chain, loop
from qtheory.simulate.runs import replicate
from qtheory.theory.planning import RequestClass, plan, two_class_instance
from qtheory.theory.planning.fluid import FluidModel
from qtheory.theory.planning.instance import Instance
from qtheory.theory.planning.policies import GATES, POLICIES, Policy

TWO = two_class_instance()
PLANNED = plan(TWO)
ALL = {**POLICIES, **hand.OWN}


@pytest.mark.parametrize("name", ALL)
def test_one_gpu_is_the_chain_by_hand(name: str) -> None:
    """Two classes, one GPU, which takes prefills: every count of the stationary law, within five standard errors."""
    planned = hand.impatient(2)
    wanted = hand.exact_levels(planned, ALL[name], 1, 2)
    found, error = hand.levels(FleetChain(planned, name if name in POLICIES else ALL[name], 1).run(
        horizon=3e5, windows=60, warm_up=0.02, seed=4))
    assert (np.abs(found - wanted) <= 5 * error + 4e-4).all()
    assert wanted[1].min() > 0.02  # every class has prefills


@cache
def crowded_levels(gate: str) -> np.ndarray:
    return hand.exact_levels(hand.crowded(), Policy(gate, "immediate", planned=False), 1, 6)


@pytest.mark.parametrize("fleet", [FleetChain, GPUFleet])
@pytest.mark.parametrize("gate", GATES)
def test_each_gate_is_the_chain_by_hand_and_no_other(gate: str, fleet: type[FleetChain | GPUFleet]) -> None:
    """Where many wait, each gate has levels of its own, which the run tells from those of the others."""
    run = fleet(hand.crowded(), Policy(gate, "immediate", planned=False), 1).run(
        horizon=2e5, windows=60, warm_up=0.02, seed=4)
    found, error = hand.levels(run)
    off = {other: float((np.abs(found - crowded_levels(other)) / (5 * error + 4e-4)).max()) for other in GATES}
    assert off.pop(gate) <= 1 < min(off.values())


@pytest.mark.parametrize("name", [n for n, p in ALL.items() if p.planned and n != "GG-SP"])
def test_two_gpus_are_the_chain_by_hand(name: str) -> None:
    """One class on a partition of one GPU for prefills and one without."""
    planned = hand.impatient(1)
    assert planned.mixed_gpus(2) == 1
    wanted = hand.exact_levels(planned, ALL[name], 2, 3)
    found, error = hand.levels(FleetChain(planned, ALL[name], 2).run(horizon=3e5, windows=60, warm_up=0.02, seed=5))
    assert (np.abs(found - wanted) <= 5 * error + 4e-4).all()


@pytest.mark.parametrize("name", ALL)
def test_slots_hold_what_they_can_and_requests_are_conserved(name: str) -> None:
    """(12) to (20) at the ends of 400 short windows, from the plan and from the empty cluster."""
    for start in ("empty", "plan"):
        c = FleetChain(PLANNED, ALL[name], 23, start)
        run = c.run(horizon=400.0, windows=400, seed=2)
        at, b = run.at_end.sum(axis=2), TWO.batch
        running = at[:, loop.PREFILLS]
        assert (run.at_end >= 0).all() and (running <= c.mixed_gpus).all()
        assert (at[:, loop.MIXED] <= (b - 1) * running).all()
        assert (at[:, loop.SOLO] + at[:, loop.IDLE] <= b * (23 - running)).all()
        first = c.first_counts()
        came = first[1:].sum(axis=0) + np.cumsum(run.fired[:, loop.SOURCES], axis=0)
        gone = np.cumsum(run.fired[:, [1, 3, 4, 5, 6, 7]].sum(axis=1), axis=0)
        assert (came - gone == run.at_end[:, 1:].sum(axis=1)).all()
        entered = np.cumsum(run.switched[:, loop.TO_MIXED] - run.switched[:, loop.TO_IDLE], axis=0)
        beside = run.at_end[:, loop.MIXED] - first[loop.MIXED] + np.cumsum(run.fired[:, loop.MIXED], axis=0)
        assert (beside >= entered).all()  # (18): what is beside a prefill was switched there or admitted there
        if ALL[name].router == "immediate":
            assert (beside == entered).all() and run.at_end[:, loop.FOR_SOLO].sum() == 0


@pytest.mark.later
@pytest.mark.sliced(2)
@pytest.mark.parametrize("charging", ["bundled", "separate"])
def test_nobody_earns_more_than_the_optimum(charging: str) -> None:
    """The program bounds every policy at every n: mean occupancies obey its rows."""
    best = plan(TWO, charging)
    for policy in ALL.values():
        for gpus in (1, 7, 40):
            revenue = FleetChain(best, policy, gpus).run(horizon=4000.0, windows=20, warm_up=0.2, seed=3).revenue()[4:]
            error = revenue.std(ddof=1) / np.sqrt(revenue.size)
            assert revenue.mean() <= float(best.value) + 4 * error, (policy.name, gpus)


def test_revenue_is_what_is_completed() -> None:
    run = FleetChain(PLANNED, "gate-and-route", 9).run(horizon=300.0, windows=3)
    ends, done = run.fired[:, loop.PREFILLS], run.fired[:, [5, 6, 7]].sum(axis=1)
    seconds = 9 * 100.0
    assert run.revenue("bundled") == pytest.approx(done @ [230.0, 380.0] / seconds)
    assert run.revenue("separate") == pytest.approx((ends @ [30.0, 300.0] + done @ [200.0, 80.0]) / seconds)
    assert (run.revenue() == run.revenue("bundled")).all()


@pytest.mark.later
@pytest.mark.sliced(2)
@pytest.mark.parametrize("policy", ["gate-and-route", "prioritize-and-route", "sli-aware", "general-sli-aware"])
def test_many_gpus_follow_the_fluid_model(policy: str) -> None:
    """Theorem 1 at a load of 2, in both halves of a minute from the empty cluster: with 16 times as many GPUs the
    distance of all mean counts from the fluid path is a quarter, the order of fluctuations; less than half is asked."""
    heavy = plan(TWO.scaled(2))
    path, between = FluidModel(heavy, policy).path(60.0), np.linspace(0, 60, 6001)
    wanted = dict[str, np.ndarray]()
    for name in hand.NAMES:
        whole = np.stack([np.interp(between, path.times, column) for column in getattr(path, name).T], axis=1)
        wanted[name] = np.stack([whole[:3001].mean(axis=0), whole[3000:].mean(axis=0)])

    def distance(gpus: int, replications: int) -> float:
        runs = replicate(FleetChain(heavy, policy, gpus), replications=replications, horizon=60.0, windows=2, seed=1)
        return float(np.mean([sum(np.abs(r.occupancies[name] - wanted[name]).max() for name in hand.NAMES)
                              for r in runs]))

    few, many = distance(500, 4), distance(8000, 1)
    assert many < few / 2
    assert few < 8


def test_runs_are_the_same_however_they_are_cut_and_shared() -> None:
    c = FleetChain(PLANNED, "FG-SP", 12)
    whole, parts = c.run(horizon=100.0, windows=1, seed=8), c.run(horizon=100.0, windows=7, seed=8)
    assert (whole.at_end[-1] == parts.at_end[-1]).all() and (whole.fired[0] == parts.fired.sum(axis=0)).all()
    assert whole.area[0] == pytest.approx(parts.area.sum(axis=0))
    with ThreadPoolExecutor(2) as pool:
        shared = replicate(c, replications=3, executor=pool, horizon=50.0, seed=8)
    alone = replicate(c, replications=3, horizon=50.0, seed=8)
    assert [r.fired.tolist() for r in shared] == [r.fired.tolist() for r in alone]
    assert alone[0].fired.sum() != alone[1].fired.sum()


def test_long_queues_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rings that are too short are replaced: without patience nothing else depends on them."""
    never = Instance(tuple(RequestClass(c.name, c.prompt, c.decode, c.rate) for c in TWO.classes), TWO.times, TWO.batch,
                     TWO.prices).scaled(Fraction(9, 10))
    c = FleetChain(plan(never), Policy("fcfs", "immediate", planned=False), 1)
    longer = c.run(horizon=30_000.0, seed=6)
    monkeypatch.setattr(chain, "_RING", 4)
    assert (c.run(horizon=30_000.0, seed=6).fired == longer.fired).all()
    assert longer.at_end[:, loop.WAITING].sum(axis=1).max() > 4


def test_who_gave_up_is_swept_out_of_the_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five times the load: rings that are swept time and again, and rings that never fill, which find one who gives up
    by other draws."""
    heavy = FleetChain(plan(TWO.scaled(5)), "FG-SP", 10)
    runs = []
    for room in (8, 1 << 18):
        monkeypatch.setattr(chain, "_RING", room)
        runs.append(heavy.run(horizon=1500.0, windows=100, warm_up=0.2, seed=1))
    short, long = runs
    assert (short.fired != long.fired).any() and (short.fired[:, loop.SOURCES] == long.fired[:, loop.SOURCES]).all()
    assert (short.at_end >= 0).all() and short.at_end[50:, loop.WAITING].sum(axis=1).min() > 100
    assert short.mean(short.revenue()) == pytest.approx(long.mean(long.revenue()), rel=0.005)
    for name in ("q_p", "x"):
        assert short.mean(short.occupancies[name]) == pytest.approx(long.mean(long.occupancies[name]), rel=0.02)


@pytest.mark.parametrize("seed", range(8))
def test_a_sweep_keeps_the_order_of_those_who_stay(seed: int) -> None:
    rng = np.random.default_rng(seed)
    head, lengths = rng.integers(0, 20, 3), np.array([7, 7, rng.integers(0, 7)])  # two of the rings of 8 take no more
    before = [rng.choice([loop.GONE, 0, 1, 2], size, p=[0.55, 0.15, 0.15, 0.15]).tolist() for size in lengths]
    rings = np.full((3, 8), 99)
    for ring, start, order in zip(rings, head, before, strict=True):
        ring[(start + np.arange(len(order))) % 8] = order
    state = SimpleNamespace(rings=rings, head=head, tail=head + lengths)
    stay = [[i for i in order if i != loop.GONE] for order in before[:2]]
    assert getattr(loop._room, "py_func", loop._room)(state) == all(len(order) < 4 for order in stay)
    found = [[int(ring[place % 8]) for place in range(first, last)]
             for ring, first, last in zip(rings, head, state.tail, strict=True)]
    assert found == [*stay, before[2]]


def test_bad_input() -> None:
    with pytest.raises(InputError, match="number of GPUs"):
        FleetChain(PLANNED, "gate-and-route", 0)
    with pytest.raises(UnknownNameError, match="gate-and-rout"):
        FleetChain(PLANNED, "gate-and-rout", 3)
    with pytest.raises(UnknownNameError, match="start"):
        FleetChain(PLANNED, "FI-WSP", 3, "full")
    with pytest.raises(InputError, match="not partitioned"):
        Policy("fcfs", "immediate")
    with pytest.raises(InputError, match="parts of the cluster"):
        Policy("fcfs", "split", planned=False)
    with pytest.raises(UnknownNameError, match="gate"):
        Policy("random", "greedy")
    with pytest.raises(InputError, match="records"):
        FleetChain(PLANNED, "FI-WSP", 3).run(horizon=1.0, records=True)
    with pytest.raises(InputError, match="horizon"):
        FleetChain(PLANNED, "FI-WSP", 3).run(horizon=0.0)
    with pytest.raises(UnknownNameError, match="flow"):
        FleetChain(PLANNED, "FI-WSP", 3).run(horizon=1.0).flow("left")
    with pytest.raises(UnknownNameError, match="charging"):
        FleetChain(PLANNED, "FI-WSP", 3).run(horizon=1.0).revenue("free")


def test_names_of_policies() -> None:
    assert [ALL[n].name for n in POLICIES if n != "GG-SP"] == [n for n in POLICIES if n != "GG-SP"]
    assert POLICIES["GG-SP"].name == "gate-and-route"
    assert Policy("queue", "split").name == "queue gate, split router, planned"
    assert {p.gate for p in POLICIES.values()} == set(GATES)
