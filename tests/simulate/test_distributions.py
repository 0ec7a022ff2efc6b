"""Percentiles and whole distributions with bands, against the exponential sojourn time of M/M/1."""

import csv

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.simulate.experiments import run_scenario, summarise
from qtheory.simulate.results import write_distributions
from qtheory.simulate.scenarios import load, parse, read, with_changes
from qtheory.simulate.statistics.quantiles import distribution

RATE = 0.2  # of the shipped M/M/1: mu - lambda


@pytest.fixture(scope="module")
def sample():
    scenario = with_changes(load("mm1"), horizon=40_000.0, percentiles=(10, 50, 99.9), confidence=0.99)
    return scenario, run_scenario(scenario)


def test_percentiles_asked_for_are_those_of_the_closed_form(sample):
    scenario, runs = sample
    measures = summarise(scenario, runs)["network"]["measures"]
    for p in (10, 50, 99.9):
        found = measures[f"{p:g}% quantile of the sojourn time of job, s"]
        assert found.low < -np.log(1 - p / 100) / RATE < found.high
        assert found.half_width < 0.3 * found.estimate


def test_the_band_holds_the_closed_form(sample):
    _, runs = sample
    d = distribution([r.histogram[0] for r in runs["network"]], 0.99)
    truth = 1 - np.exp(-RATE * d.times)
    assert (np.diff(d.estimate) >= 0).all() and d.estimate[-1] == 1 and (d.low <= d.high).all()
    middle = (truth > 0.01) & (truth < 0.99)
    assert ((d.low <= truth) & (truth <= d.high))[middle].mean() > 0.9
    assert (d.high - d.low)[middle].max() < 0.06


def test_equal_replications_have_a_band_of_no_width():
    counts = np.zeros(10_240, dtype=int)
    counts[[5000, 5001]] = 1, 3
    d = distribution([counts, 2 * counts])
    assert d.estimate.tolist() == d.low.tolist() == d.high.tolist() == [0.25, 1.0]


def test_the_file_has_a_row_for_each_time(sample, tmp_path):
    write_distributions(tmp_path, *sample)
    with (tmp_path / "distributions.csv").open() as file:
        table = list(csv.DictReader(file))
    assert {r["measure"] for r in table} == {"sojourn time of job"} and float(table[-1]["fraction_at_most"]) == 1
    assert all(float(r["low"]) <= float(r["fraction_at_most"]) <= float(r["high"]) for r in table)


@pytest.mark.parametrize("value", ["[]", "[0]", "[50, 100]", "50"])
def test_percentiles_that_are_none_are_refused(value):
    text, name, folder = read("mm1")
    with pytest.raises(InputError, match="percentiles"):
        parse(f"percentiles = {value}\n" + text, name, folder)
