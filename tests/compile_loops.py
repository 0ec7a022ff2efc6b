"""Compiles the simulator's loops before pytest's workers start, each once and two at a time.

Every worker would else compile all of them: the first tests that simulate come at the same time.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from qtheory.models.network_classics import fork_join
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.counts import CountsChain, Move, up_to
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.fleet import FleetChain, GPUFleet
from qtheory.simulate.laws import Deterministic, Exponential
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.routing import RoutedFleet
from qtheory.simulate.runs import run
from qtheory.theory.planning import plan, two_class_instance


def engine() -> None:
    requests = RequestClass("a", Deterministic(4.0), Deterministic(4.0), Exponential(1.0))
    run_engine(LLMEngine((requests,), IterationTime("affine", (0.02, 0.001)), "fcfs-memory", {}, slots=4), horizon=10.0)


def nodes() -> None:
    requests = RequestClass("a", Deterministic(4.0), Deterministic(4.0), Exponential(1.0))
    parameters = {"prefill_nodes": 1, "decode_nodes": 2, "transfer": 0.0, "transfer_per_token": 0.0}
    law = IterationTime("affine", (0.02, 0.001))
    run_engine(LLMEngine((requests,), law, "distserve-nodes", parameters), horizon=10.0)


def agents() -> None:
    SlottedAgents(fork_join()).run(horizon=200)


def network() -> None:
    run(Network((Station("s", 1),), (JobClass("a", "s", Exponential(2.0), Exponential(1.0)),)), horizon=10.0)


def counts() -> None:
    CountsChain({"n": 1}, (Move("out", {"n": -1}, 1.0, (up_to("n"),)),)).run(horizon=10.0)


def fleet() -> None:
    for level in (FleetChain, GPUFleet):
        level(plan(two_class_instance()), "gate-and-route", 5).run(horizon=10.0)


def routed() -> None:
    one = RequestClass("r", Deterministic(64), Deterministic(8), Exponential(0.5))
    RoutedFleet((one,), IterationTime("affine", (0.01, 1e-4)), 3).run(horizon=10.0)


# the one that takes longest first
LOOPS: tuple[Callable[[], None], ...] = (engine, nodes, fleet, routed, agents, network, counts)


def main() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for done in [pool.submit(loop) for loop in LOOPS]:
            done.result()


if __name__ == "__main__":
    main()
