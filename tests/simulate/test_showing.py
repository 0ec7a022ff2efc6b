"""What a notebook shows of models and runs is a line; ``repr`` of a model, on which hashes rest, has all of it."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from IPython.lib.pretty import pretty

from qtheory import networks, simulate
from qtheory.models.network_classics import rybko_stolyar_agents
from qtheory.planning import deciding, shipped
from qtheory.simulate.experiments import summarise
from qtheory.simulate.fleet import FleetChain, GPUFleet
from qtheory.simulate.laws import Discrete, Listed
from qtheory.simulate.scenarios import with_changes
from qtheory.simulate.statistics.quantiles import Distribution
from qtheory.theory.planning import plan, two_class_instance

CLUSTER = (plan(two_class_instance()), "gate-and-route", 20)


def variant(name: str) -> Any:
    return next(iter(simulate.load(name).variants.values()))


@pytest.mark.parametrize(("model", "line"), [
    (variant("tandem-priority"), "<network of stations first, second; "),
    (variant("policy-sarathi"), "<engine under sarathi, budget 512; chat>"),
    (variant("trace-burstgpt"), "<engine under sarathi, budget 512; request>"),
    (variant("chain-processor-sharing"), "<chain of a, b; moves a comes, b comes, a goes, b goes>"),
    (variant("fleet-routing"), "<64 engines behind a router, shortest-queue; chat>"),
    (simulate.SlottedAgents(rybko_stolyar_agents()), "<agents, token by token: Rybko-Stolyar network of LLM agents"),
    (FleetChain(*CLUSTER), "<20 GPUs, occupancy gate, greedy router; 2 classes>"),
    (GPUFleet(*CLUSTER), "<20 GPUs, occupancy gate, greedy router; 2 classes>"),
    (variant("trace-burstgpt").classes[0], "<requests 'request': in the mean prompts of 398.685, outputs of "),
    (Listed(tuple(range(400))), "<listed law of 400 values of mean 199.5>"),
    (Discrete.poisson(500.0), "<discrete law on 808 values, of mean 500>"),
    (simulate.load("mm1"), "<scenario 'M/M/1 at load 0.8': network; 10 replications of 200,000 s>"),
], ids=lambda v: type(v).__name__ if not isinstance(v, str) else "")
def test_a_model_is_a_line_and_its_repr_is_whole(model: Any, line: str) -> None:
    assert pretty(model).startswith(line) and len(pretty(model)) < 120
    assert all(f"{f.name}={getattr(model, f.name)!r}" in repr(model) for f in fields(model) if f.repr)


@pytest.mark.parametrize(("name", "horizon"), [("mm1", 200.0), ("policy-sarathi", 10.0), ("fleet-routing", 10.0),
                                               ("rybko-stolyar-tokens", 200.0)])
def test_a_run_is_a_line_in_a_terminal_too(name: str, horizon: float) -> None:
    run = variant(name).run(horizon=horizon, windows=10, seed=3, replication=2)
    window = f"; seed 3, replication 2; 10 windows of {horizon / 10:g} s>"
    assert repr(run) == f"<run of {run.model.line if hasattr(run, 'model') else variant(name).line}{window}"
    assert pretty([run]) == f"[{run!r}]"


def test_a_scenario_is_printed_with_its_variants_and_requests() -> None:
    scenario = simulate.load("eb-against-mixed")
    assert str(scenario).splitlines()[:5] == [
        scenario.line, "  eb: engine under eb, k 19; request", "  mixed: engine under mixed, budget 2,048; request",
        "  eb 3: engine under eb, k 1; request", "  requests 'request': in the mean prompts of 512, outputs of 256",
    ]
    assert str(scenario).endswith(f"  what the paper says: {scenario.claim}") and repr(scenario).startswith("Scenario(")


def test_results_show_the_means_of_each_variant() -> None:
    scenario = with_changes(simulate.load("mm1"), horizon=2000.0, replications=5)
    results = simulate.run_scenario(scenario)
    told = summarise(scenario, results)["network"]
    assert repr(results).splitlines()[:3] == [
        f"results of {scenario.line}; means after the warm-up, intervals at 0.95", " " * 44 + "network",
        f"{'stability':44}stable",
    ]
    for name, mean in told["measures"].items():
        shown = f"{mean.estimate:.5g} ({mean.low:.5g} to {mean.high:.5g})"
        assert f"{name:42}  {shown}\n" in f"{results!r}\n"
        assert f"<tr><td>{name}</td><td>{shown}</td></tr>" in results._repr_html_()  # type: ignore[attr-defined]
    assert results == dict(results) and pretty(results) == repr(results)
    again = pickle.loads(pickle.dumps(results))
    assert repr(again) == repr(results)


def test_results_of_too_few_replications_say_so() -> None:
    results = simulate.run_scenario(with_changes(simulate.load("mm1"), horizon=2000.0, replications=2))
    assert repr(results).startswith("<results of ") and "no means: a stability test needs at least 5" in repr(results)
    assert "no means: a stability test" in results._repr_html_()  # type: ignore[attr-defined]


def test_a_distribution_is_a_line() -> None:
    values = np.linspace(0.0, 1.0, 300)
    shown = pretty(Distribution(2 * values, values, values, values, 0.95))
    assert shown == "<distribution at 300 times, 0 to 2 s, with bands of confidence 0.95>"


def test_decisions_and_what_they_are_made_of_fit_a_screen() -> None:
    network = networks.decide(networks.load("lu-kumar"))
    assert repr(network) == str(network) and len(str(network).splitlines()) < 25
    assert repr(network.certified).startswith("<certificate that ") and len(repr(network.certified)) < 120
    cluster = shipped.load("two-classes")
    found = deciding.decide(cluster.model_copy(update={"seconds": 60.0}), fleets=False)
    assert repr(found).startswith("<plan for 'Code generation and paper summaries on A100s': $")
    assert repr(cluster).endswith("A100; classes code, summary; limits: ttft 2, tpot 0.05>")
    parts = (found, found.hour, found.plan, found.plan.optimum, found.certified, found.certified.program)
    shown = [pretty(part) for part in parts]
    assert all(len(text) < 160 and text.startswith("<") and text.endswith(">") for text in shown)
    assert "requests in" in shown[1] and shown[2].startswith("<plan of 2 classes on A100: ")
    assert repr(replace(found.plan.optimum)).startswith("Optimum(program=LinearProgram(objective=")
