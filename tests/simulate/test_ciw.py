"""Ciw on the same models, by two-sample tests of sojourn times; Ciw has its own loop and its own random numbers."""

import ciw
import numpy as np
import pytest
from scipy.stats import ks_2samp, mannwhitneyu

from qtheory.simulate import measures
from qtheory.simulate.laws import Deterministic, Exponential, Uniform
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.runs import replicate

HORIZON, WARM, REPLICATIONS = 400.0, 100.0, 40
EXP, FIXED, UNIFORM = ciw.dists.Exponential, ciw.dists.Deterministic, ciw.dists.Uniform

BLOCKING = {"blocking": "after-service"}
MODELS = {
    "M/M/3": (
        Network((Station("s", 3),), (JobClass("a", "s", Exponential(1.0), Exponential(0.5)),)),
        {"arrival_distributions": [EXP(2.0)], "service_distributions": [EXP(1.0)], "number_of_servers": [3]},
    ),
    "U/D/1": (
        Network((Station("s"),), (JobClass("a", "s", Deterministic(1.0), Uniform(0.5, 2.0)),)),
        {
            "arrival_distributions": [UNIFORM(0.5, 2.0)],
            "service_distributions": [FIXED(1.0)],
            "number_of_servers": [1],
        },
    ),
    "tandem with feedback": (
        Network(
            (Station("x"), Station("y", 2)),
            (
                JobClass("a", "x", Exponential(0.5), Exponential(1.0), routes={"b": 0.7}),
                JobClass("b", "y", Uniform(0.5, 1.5), routes={"a": 0.2}),
            ),
        ),
        {
            "arrival_distributions": [EXP(1.0), None],
            "service_distributions": [EXP(2.0), UNIFORM(0.5, 1.5)],
            "routing": [[0.0, 0.7], [0.2, 0.0]],
            "number_of_servers": [1, 2],
        },
    ),
    "blocking after service": (
        Network(
            (Station("x", 2), Station("y", capacity=3, **BLOCKING), Station("z", capacity=1, **BLOCKING)),
            (
                JobClass("a", "x", Exponential(1.0), Exponential(1.4), routes={"b": 1.0}),
                JobClass("b", "y", Uniform(0.5, 1.5), routes={"c": 0.5}),
                JobClass("c", "z", Exponential(1.0)),
            ),
        ),
        {
            "arrival_distributions": [EXP(1 / 1.4), None, None],
            "service_distributions": [EXP(1.0), UNIFORM(0.5, 1.5), EXP(1.0)],
            "routing": [[0.0, 1.0, 0.0], [0.0, 0.0, 0.5], [0.0, 0.0, 0.0]],
            "number_of_servers": [2, 1, 1],
            "queue_capacities": [float("inf"), 2, 0],  # of the waiting alone
        },
    ),
}


def ciw_stays(network, seed):
    ciw.seed(seed)
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(HORIZON)
    first, last = {}, {}
    records = simulation.get_all_records(only=["service"])
    at_end = {i.id_number for node in simulation.nodes[1:-1] for i in node.all_individuals}
    for r in records:
        first[r.id_number] = min(first.get(r.id_number, np.inf), r.arrival_date)
        last[r.id_number] = max(last.get(r.id_number, 0.0), r.exit_date)
    return np.array([last[i] - first[i] for i in first if i not in at_end and last[i] > WARM])


@pytest.mark.later
@pytest.mark.sliced(2)
@pytest.mark.parametrize("name", MODELS)
def test_same_law_of_sojourn_times_as_ciw(name):
    ours, theirs = MODELS[name]
    runs = replicate(ours, replications=REPLICATIONS, horizon=HORIZON, records=True)
    stays = [(r.records[:, 2] - r.records[:, 1])[r.records[:, 2] > WARM] for r in runs]
    other = [ciw_stays(ciw.create_network(**theirs), seed) for seed in range(REPLICATIONS)]
    # Means of replications are independent; of each one's sojourn times every 25th is nearly so.
    means = [np.mean(x) for x in stays], [np.mean(x) for x in other]
    assert mannwhitneyu(*means).pvalue > 0.001
    assert ks_2samp(np.concatenate([x[::25] for x in stays]), np.concatenate([x[::25] for x in other])).pvalue > 0.001
    value = measures.sojourn("a").value(runs[0])
    assert value == pytest.approx(np.mean(runs[0].records[:, 2] - runs[0].records[:, 1]))
