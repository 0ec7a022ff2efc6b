"""The cluster whose GPUs are told apart: against exact chains and queues, the chain on counts, and Little's law."""

from __future__ import annotations

from fractions import Fraction

import fleet_by_hand as hand
import numpy as np
import pytest
from closed_forms import erlang_a, erlang_c

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate import streams
from qtheory.simulate.fleet import FleetChain, GPUFleet, gpu_loop, gpus
from qtheory.simulate.fleet import gpu_layout as L
from qtheory.theory.planning import IterationTimes, Plan, Prices, RequestClass, plan, two_class_instance
from qtheory.theory.planning.instance import Instance
from qtheory.theory.planning.policies import POLICIES

TWO = two_class_instance()
PLANNED = plan(TWO, "separate")
ALL = {**{name: p for name, p in POLICIES.items() if name != "GG-SP"}, **hand.OWN}


@pytest.mark.parametrize("name", ALL)
def test_one_gpu_is_the_chain_by_hand(name: str) -> None:
    """Two classes, one GPU, which takes prefills: every count of the stationary law, within five standard errors."""
    planned = hand.impatient(2)
    wanted = hand.exact_levels(planned, ALL[name], 1, 2)
    found, error = hand.levels(GPUFleet(planned, ALL[name], 1).run(horizon=3e5, windows=60, warm_up=0.02, seed=4))
    assert (np.abs(found - wanted) <= 5 * error + 4e-4).all()


@pytest.mark.parametrize("name", [n for n, p in ALL.items() if p.planned])
def test_two_gpus_are_the_chain_by_hand(name: str) -> None:
    """One class on a partition of one GPU for prefills and one without."""
    planned = hand.impatient(1)
    wanted = hand.exact_levels(planned, ALL[name], 2, 3)
    found, error = hand.levels(GPUFleet(planned, ALL[name], 2).run(horizon=3e5, windows=60, warm_up=0.02, seed=5))
    assert (np.abs(found - wanted) <= 5 * error + 4e-4).all()


@pytest.mark.later
def test_the_next_for_decode_is_by_the_weights_of_its_pool() -> None:
    """EC.6: of the classes that wait for a pool, each by its weight there; where none of them has one, by numbers."""
    fleet = GPUFleet(PLANNED, hand.OWN["first come and weights"], 20)
    behind = np.array([[0.2, 0.8], [1.0, 0.0], [0.6, 0.4], [0.0, 1.0]])  # what another row than the pool's would hold
    model = fleet.arrays(streams.Plan(horizon=1.0).key, 1.0)._replace(weights=behind[:2])
    for queue, waiting, chances in [(L.FOR_SOLO, (3, 1), (0.2, 0.8)), (L.FOR_SOLO, (3, 0), (1.0, 0.0)),
                                    (L.FOR_MIXED, (1, 3), (1.0, 0.0)), (L.FOR_MIXED, (0, 3), (0.0, 1.0))]:
        state = fleet._new_state(1)
        state.size[2 * queue:2 * queue + 2] = waiting
        found = np.bincount([gpu_loop._weighed(model, state, queue) for _ in range(1000)], minlength=2) / 1000
        assert (np.abs(found - chances) <= 4 * np.sqrt(np.multiply(chances, np.subtract(1, chances)) / 1000)).all()


@pytest.mark.sliced(3)
@pytest.mark.parametrize("name", ALL)
def test_both_levels_agree(name: str) -> None:
    """Twenty GPUs at the load of Section 6.2: revenue and mean counts of the partitioned policies within statistical
    error. Without a partition the chain's symmetry is not exact: revenue within 1 percent, counts within 10."""
    runs = [cls(PLANNED, ALL[name], 20).run(horizon=20_000.0, windows=50, warm_up=0.1, seed=3)
            for cls in (GPUFleet, FleetChain)]
    values = [np.column_stack([r.revenue("bundled"), r.revenue("separate"), *r.occupancies.values()])[r.warm_up:]
              for r in runs]
    (one, other), errors = [v.mean(axis=0) for v in values], [v.std(axis=0, ddof=1) / np.sqrt(len(v)) for v in values]
    slack = 4.5 * np.hypot(*errors) + 1e-9
    if not ALL[name].planned:
        slack += np.concatenate([[0.01] * 2, [0.1] * 10]) * other
    assert (np.abs(one - other) <= slack).all()


def one_class(rate: str, prompt: int, decode: int, batch: int, patience: str = "0") -> Plan:
    """Iterations of a second, with or without a prefill, in chunks of a token: rates 1/prompt and 1/decode."""
    made = RequestClass("a", Fraction(prompt), Fraction(decode), Fraction(rate), Fraction(patience))
    return plan(Instance((made,), IterationTimes(Fraction(1), Fraction(1), Fraction(1)), batch,
                         Prices(Fraction(1), Fraction(1))))


def present(servers: int, offered: float) -> float:
    """Mean number in M/M/c."""
    return offered + erlang_c(servers, offered) * offered / (servers - offered)


@pytest.mark.parametrize(("n", "movers"), [(1, 1), (4, 2)])
def test_equal_speeds_without_patience_are_two_queues_in_a_row(n: int, movers: int) -> None:
    """Where a prefill slows nobody, prefill is M/M/M (M/M/1 for one GPU), its departures are a Poisson process (Burke
    1956), and decode is M/M/c with c = B(n - M) + (B - 1)M."""
    planned = one_class("0.09", 5 if n == 4 else 8, 25, 4)
    assert planned.mixed_gpus(n) == movers
    run = GPUFleet(planned, "gate-and-route", n).run(horizon=4e6 / n, windows=40, warm_up=0.02, seed=2)
    first, second = 0.09 * n * float(planned.instance.classes[0].prompt), 0.09 * n * 25
    slots = 4 * (n - movers) + 3 * movers
    found, error = hand.levels(run)
    q_p, x, q_d, y_m, y_s = found[:, 0] * n
    assert q_p + x == pytest.approx(present(movers, first), abs=6 * n * error[:2, 0].sum())
    assert q_d + y_m + y_s == pytest.approx(present(slots, second), abs=6 * n * error[2:, 0].sum())
    assert (error[:, 0] * n < 0.05 * present(slots, second)).all()
    seen = run.delays()
    assert seen["prefill"][0] == pytest.approx(present(movers, first) / (0.09 * n), rel=0.03)  # Little's law
    assert seen["token"][0] == pytest.approx(1.0, rel=0.01)


def test_impatient_prefills_are_erlang_a() -> None:
    planned = one_class("0.30", 5, 1, 8, "0.05")
    n, movers = 3, planned.mixed_gpus(3)
    run = GPUFleet(planned, "gate-and-route", n).run(horizon=2e5, windows=40, warm_up=0.02, seed=3)
    gone, waiting = erlang_a(0.9, 0.2, 0.05, movers)
    found, error = hand.levels(run)
    assert found[0, 0] * n == pytest.approx(waiting, abs=5 * n * error[0, 0])
    assert run.mean(run.abandoned)[0] / 0.30 == pytest.approx(gone, rel=0.03)
    assert error[0, 0] * n < 0.05 * waiting


@pytest.mark.parametrize("name", ALL)
def test_slots_hold_what_they_can(name: str) -> None:
    """(12) to (20) at the ends of 400 short windows."""
    fleet = GPUFleet(PLANNED, ALL[name], 23)
    run = fleet.run(horizon=400.0, windows=400, seed=2)
    at, b = run.at_end.sum(axis=1), TWO.batch
    running = at[:, L.X]
    assert (run.at_end >= 0).all() and (running <= fleet.mixed_gpus).all()
    assert (at[:, L.Y_M] <= (b - 1) * running).all() and (at[:, L.Y_S] <= b * (23 - running)).all()
    came, gone = run.totals[:, :, L.ARRIVED], run.totals[:, :, [1, 2, 4, 5]].sum(axis=2)
    assert (np.cumsum(came - gone, axis=0) == run.at_end.sum(axis=2)).all()
    switched = np.cumsum(run.totals[:, :, L.TO_MIXED] - run.totals[:, :, L.TO_SOLO], axis=0)
    beside = run.at_end[:, :, L.Y_M] + np.cumsum(run.totals[:, :, L.DECODED_MIXED], axis=0)
    assert (beside >= switched).all()  # (18): what is beside a prefill was switched there or admitted there
    if ALL[name].router == "immediate":
        assert (beside == switched).all() and at[:, [L.Q_S, L.Q_M]].sum() == 0


def test_revenue_is_what_is_completed() -> None:
    run = GPUFleet(PLANNED, "gate-and-route", 9).run(horizon=300.0, windows=3)
    ends, done = run.totals[:, :, L.PREFILLED], run.totals[:, :, [L.DECODED_MIXED, L.DECODED_SOLO]].sum(axis=2)
    assert run.revenue("bundled") == pytest.approx(done @ [230.0, 380.0] / 900.0)
    assert run.revenue("separate") == pytest.approx((ends @ [30.0, 300.0] + done @ [200.0, 80.0]) / 900.0)
    assert (run.revenue() == run.revenue("separate")).all()


def test_runs_are_their_seeds_and_rows_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many rows there are at first changes nothing."""
    heavy = GPUFleet(plan(TWO.scaled(3)), "FG-SP", 5)
    run = heavy.run(horizon=500.0, windows=5, seed=8)
    monkeypatch.setattr(gpus, "_QUEUED", 1)
    again = heavy.run(horizon=500.0, windows=5, seed=8)
    assert (run.totals == again.totals).all() and (run.area == again.area).all()
    assert run.at_end.sum() > 5 * TWO.batch + 1
    assert (heavy.run(horizon=500.0, windows=5, seed=8, replication=1).totals != run.totals).any()


def test_bad_input() -> None:
    with pytest.raises(InputError, match="number of GPUs"):
        GPUFleet(PLANNED, "gate-and-route", 0)
    with pytest.raises(UnknownNameError, match="gate-and-rout"):
        GPUFleet(PLANNED, "gate-and-rout", 3)
    with pytest.raises(InputError, match="records"):
        GPUFleet(PLANNED, "FI-WSP", 3).run(horizon=1.0, records=True)
    with pytest.raises(UnknownNameError, match="charging"):
        GPUFleet(PLANNED, "FI-WSP", 3).run(horizon=1.0).revenue("free")
