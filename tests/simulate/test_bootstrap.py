"""A recorded trace is one sample: no interval, no test; and a block bootstrap of it where the user asks for one."""

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.simulate import results
from qtheory.simulate.bootstrap import Bootstrapped, is_random
from qtheory.simulate.experiments import ONE_RUN, run_scenario
from qtheory.simulate.laws import Exponential, Geometric, Listed
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.scenarios import parse, parse_points

SCENARIO = """
horizon = 100.0
windows = 100
replications = 8
{more}
[engine]
policy = "sarathi"
budget = 64
time = {{law = "affine", constants = [0.01, 0.001]}}
[[class]]
name = "r"
prompt = {{law = "trace", file = "trace.csv"}}
output = {{law = "trace", file = "trace.csv"}}
arrivals = {{law = "trace", file = "trace.csv"}}
[[expect]]
says = "it is stable"
variant = "sarathi"
stability = "stable"
"""


@pytest.fixture()
def folder(tmp_path):
    random = np.random.default_rng(3)
    arrived = np.cumsum(random.exponential(0.2, 500))
    rows = zip(arrived, random.integers(1, 40, 500), random.integers(1, 20, 500), strict=True)
    text = "\n".join(f"{t:.6f},{p},{d}" for t, p, d in rows)
    (tmp_path / "trace.csv").write_text(f"arrived_at,num_prefill_tokens,num_decode_tokens\n{text}\n")
    return tmp_path


def test_a_trace_has_no_interval_and_no_test(folder):
    (document,) = results.run_points(parse_points(SCENARIO.format(more=""), folder=folder))
    (variant,) = document["variants"]
    assert variant["sample"] == ONE_RUN and variant["stability"] is None
    assert document["claims"][0]["verdict"] == "undecided"
    measures = [m for m in variant["measures"].values() if m is not None]
    assert len(measures) > 10 and all(m["low"] is m["high"] is None for m in measures)


def test_what_is_random_is_told_from_what_is_not(folder):
    traced = next(iter(parse(SCENARIO.format(more=""), folder=folder).variants.values()))
    assert not is_random(traced)
    fixed = JobClass("a", "s", Listed((1.0, 2.0), 1.0), Listed((1.0,)), routes={"b": 1.0})
    after = JobClass("b", "s", Listed((1.0,), 1.0))
    assert not is_random(Network((Station("s"),), (fixed, after)))
    for chance in (JobClass("a", "s", Exponential(1.0), Listed((1.0,)), routes={"b": 1.0}),
                   JobClass("a", "s", Listed((1.0,), 1.0), Listed((1.0,)), routes={"b": 0.5})):  # fmt: skip
        assert is_random(Network((Station("s"),), (chance, after)))


def test_a_bootstrap_draws_whole_blocks_of_requests(folder):
    traced = next(iter(parse(SCENARIO.format(more=""), folder=folder).variants.values()))
    parts = ("arrivals", "prompt", "output")
    rows = list(zip(*(getattr(traced.classes[0], p).values for p in parts), strict=True))
    place = {row: i for i, row in enumerate(rows)}
    drawn = Bootstrapped(traced, 50).drawn(4, 2)
    new = [place[row] for row in zip(*(getattr(drawn.classes[0], p).values for p in parts), strict=True)]
    assert len(new) == 500
    starts = [new[i] for i in range(0, 500, 50)]
    assert new == [(s + k) % 500 for s in starts for k in range(50)] and len(set(starts)) > 5
    assert Bootstrapped(traced, 50).drawn(4, 2) == drawn != Bootstrapped(traced, 50).drawn(4, 3)
    first = [place[next(zip(*(getattr(Bootstrapped(traced, 500).drawn(4, r).classes[0], p).values for p in parts),
                            strict=True))] for r in range(100)]
    assert min(first) < 50 and max(first) >= 450, "a block begins anywhere, and goes on from the end at the start"


def test_a_bootstrap_gives_intervals_and_says_what_they_are(folder):
    (document,) = results.run_points(parse_points(SCENARIO.format(more="bootstrap = 50"), folder=folder))
    (variant,) = document["variants"]
    assert variant["sample"] == "block bootstrap of the trace, blocks of 50 requests"
    assert variant["stability"]["verdict"] == "stable"  # five requests a second, iterations of hundredths of one
    rate = variant["measures"]["requests a second"]
    last = float((folder / "trace.csv").read_text().splitlines()[-1].split(",")[0])
    assert rate["low"] < 500 / last < rate["high"]  # what is drawn has the trace's gaps
    scenario = parse(SCENARIO.format(more="bootstrap = 50"), folder=folder)
    runs = run_scenario(scenario)["sarathi"]
    assert len({r.requests for r in runs}) > 1 and runs[0].engine == scenario.variants["sarathi"]


@pytest.mark.parametrize(("more", "change", "why"), [
    ("bootstrap = 501", lambda t: t, "blocks are of 1 to 500 requests"),
    ("bootstrap = 5", lambda t: t.replace('{law = "trace", file = "trace.csv"}', '{law = "geometric", mean = 3}')
     .replace('arrivals = {law = "geometric", mean = 3}', 'arrivals = {law = "poisson-process", rate = 1}'),
     "class 'r' has none"),
    ("bootstrap = 2", lambda t: t.replace('output = {law = "trace", file = "trace.csv"}',
                                          'output = {law = "listed", values = [1, 2], beyond = 1}'), "2 and 500"),
    ("bootstrap = -1", lambda t: t, "bootstrap"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(folder, more, change, why):
    with pytest.raises(InputError, match=why):
        parse(change(SCENARIO.format(more=more)), folder=folder)


def test_only_an_engine_has_a_bootstrap():
    text = ('horizon = 10.0\nbootstrap = 2\n[[station]]\nname = "s"\n[[class]]\nname = "a"\nstation = "s"\n'
            'service = {law = "exponential", mean = 1.0}\narrivals = {law = "poisson-process", rate = 0.5}\n')
    with pytest.raises(InputError, match="this is no engine"):
        parse(text)


def test_lengths_at_random_keep_a_trace_of_arrivals_random(folder):
    traced = next(iter(parse(SCENARIO.format(more="").replace(
        'output = {law = "trace", file = "trace.csv"}', 'output = {law = "geometric", mean = 5}'),
        folder=folder).variants.values()))  # fmt: skip
    assert is_random(traced) and isinstance(traced.classes[0].output, Geometric)
