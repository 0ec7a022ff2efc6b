import signal
import tracemalloc

import numpy as np
import pytest

from qtheory.simulate.counts import CountsChain, Move, up_to
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel.pause import TURNS
from qtheory.simulate.laws import Deterministic, Erlang, Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import run

NETWORK = Network(
    (Station("s", 3, "preemptive"),),
    (
        JobClass("a", "s", Exponential(1.0), Exponential(0.6), priority=1, patience=Exponential(5.0)),
        JobClass("b", "s", Erlang(2, 1.0), Exponential(2.0), routes={"a": 0.3}),
    ),
)


def test_replications_and_seeds_differ():
    totals = {run(NETWORK, horizon=500.0, seed=s, replication=r).types.tobytes() for s in (0, 1) for r in (0, 1, 2)}
    assert len(totals) == 6


def test_memory_is_flat_in_the_horizon():
    def peak(horizon):
        tracemalloc.start()
        run(NETWORK, horizon=horizon)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(100.0)
    assert peak(200_000.0) <= 1.05 * peak(2000.0)


def test_a_run_of_many_slices_is_bit_for_bit_that_of_one():
    # One window of more than 2**19 events is run in slices; with progress each of 32 windows is run in one.
    sliced, whole = (
        run(NETWORK, horizon=3.0e5, seed=3, windows=32, progress=progress) for progress in (None, lambda f, e: None)
    )
    assert sliced.events > 2 * TURNS > 0 and whole.events / 32 < TURNS
    for name in ("classes", "types", "stations", "histogram", "cycles"):
        assert getattr(sliced, name).tobytes() == getattr(whole, name).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("model", [
    NETWORK,
    CountsChain({"x": 0}, (Move("up", {"x": 1}, 0.5), Move("down", {"x": -1}, 1.0, (up_to("x", 1),)))),
    LLMEngine((RequestClass("r", Deterministic(2), Deterministic(3), Exponential(1.0)),),
              IterationTime("affine", (0.01, 0.01)), "sarathi", {"budget": 8}),
], ids=["network", "chain", "engine"])  # fmt: skip
def test_a_run_is_interrupted_within_one_window(model):
    model.run(horizon=1.0)  # compiled

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            model.run(horizon=1e13, windows=1)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_jobs_left_at_the_horizon_are_counted():
    got = run(NETWORK, horizon=333.0, windows=7)
    assert got.left_over == got.types[:, :, 0].sum() - got.types[:, :, 1].sum() == got.stations[-1, :, 2].sum()


def test_progress_tells_fraction_and_events():
    calls = []
    got = run(NETWORK, horizon=100.0, windows=10, progress=lambda fraction, events: calls.append((fraction, events)))
    assert [round(f, 9) for f, _ in calls] == [i / 10 for i in range(1, 11)]
    assert calls[-1][1] == got.events and np.all(np.diff([e for _, e in calls]) > 0)
