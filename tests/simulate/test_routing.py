"""Engines behind a router: iteration by iteration by hand, exact queues, the shortest queue, caches of prefixes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from closed_forms import mmc_wait, pollaczek_khinchine, shortest_queue_number

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.engines import IterationTime, RequestClass
from qtheory.simulate.laws import Deterministic, Discrete, Exponential, Geometric, Listed
from qtheory.simulate.results import run_points
from qtheory.simulate.routing import RULES, Prefixes, RoutedFleet
from qtheory.simulate.routing import layout as L
from qtheory.simulate.scenarios import load, parse, parse_points
from qtheory.simulate.statistics import stability
from qtheory.simulate.statistics.quantiles import bin_edges

LAW = IterationTime("piecewise", (0.01, 2e-4, 20.0), 0.0, 3e-6)
# Each law, and its seconds of an iteration of so many tokens, some of a prompt or none: added up token by token.
LAWS = {
    LAW: lambda tokens, prompt: 0.01 + sum(2e-4 for n in range(tokens) if n >= 20),
    IterationTime("affine", (0.01, 1e-4)): lambda tokens, prompt: 0.01 + sum([1e-4] * tokens),
    IterationTime("staircase", (0.004, 16.0, 1e-5), 0.0, 1e-6):
        lambda tokens, prompt: sum(1e-5 if n % 16 else 0.004 + 1e-5 for n in range(tokens)),
    IterationTime("concave", (0.004, 1e-4, 3e-4, 16.0)):
        lambda tokens, prompt: 0.004 + sum(4e-4 if n < 16 else 1e-4 for n in range(tokens)),
    IterationTime("two-affine", (0.01, 1e-4, 0.005, 2e-4)):
        lambda tokens, prompt: 0.01 + sum([1e-4] * tokens) if prompt else 0.005 + sum([2e-4] * tokens),
}


def by_hand(rows: list[tuple[float, int, int]], fleet: RoutedFleet) -> Iterator[tuple[float, float, int]]:
    """First and last token of each request (arrival, prompt, output) on one engine, and its output, iteration by
    iteration."""
    seconds, context = LAWS[fleet.time], {"piecewise": 3e-6, "staircase": 1e-6}.get(fleet.time.kind, 0.0)
    now, coming, queue, decodes, prefill = 0.0, list(rows), list[Any](), list[Any](), None
    while coming or queue or decodes or prefill:
        while coming and coming[0][0] <= now:
            queue.append(coming.pop(0))
        if prefill is None and queue and len(decodes) < fleet.slots:
            one = queue.pop(0)
            prefill = [one, one[1]]
        if prefill is None and not decodes:
            now = coming[0][0]
            continue
        held = sum(one[1] + 1 + done for one, done, _ in decodes)
        taken = 0 if prefill is None else min(prefill[1], fleet.chunk - len(decodes))
        now += seconds(len(decodes) + taken, taken > 0) + context * held
        for d in decodes:
            d[1] += 1
        for one, _, first in (d for d in decodes if d[1] == d[0][2] - 1):
            yield first - one[0], now - one[0], one[2]
        decodes = [d for d in decodes if d[1] < d[0][2] - 1]
        if prefill is not None:
            prefill[1] -= taken
            if prefill[1] == 0:
                one, prefill = prefill[0], None
                if one[2] == 1:
                    yield now - one[0], now - one[0], 1
                else:
                    decodes.append([one, 0, now])


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("engines", [1, 3])
def test_iteration_by_iteration(engines: int, law: IterationTime) -> None:
    """In turns, so that each engine has every third request: sums of times are those of the loop by hand."""
    draw = np.random.default_rng(engines)
    count = 300
    gaps = draw.exponential(0.25 / engines, count)
    gaps[100:130] = 0.002 / engines  # a crowd
    prompts, outputs = draw.integers(1, 200, count), draw.choice([1, 2, 7, 40, 90], count)
    one = RequestClass("r", Listed(tuple(map(float, prompts)), 1.0), Listed(tuple(map(float, outputs)), 1.0),
                       Listed(tuple(map(float, gaps))))
    fleet = RoutedFleet((one,), law, engines, "round-robin", slots=6, chunk=48)
    run = fleet.run(horizon=400.0, windows=4)
    rows = list(zip(np.cumsum(gaps).tolist(), prompts.tolist(), outputs.tolist(), strict=True))
    found = [r for g in range(engines) for r in by_hand(rows[g::engines], fleet)]
    assert len(found) == count
    total = run.sums.sum(axis=(0, 1))
    assert total[[L.ARRIVED, L.STARTED, L.ENDED]].tolist() == [count] * 3 and total[L.TOKENS_OUT] == outputs.sum()
    first, last = sum(f for f, _, _ in found), sum(e for _, e, _ in found)
    assert total[[L.TTFT_SUM, L.LATENCY_SUM]] == pytest.approx([first, last])
    per_token = [(e - f) / (n - 1) for f, e, n in found if n > 1]
    assert total[L.TPOT_SUM] == pytest.approx(sum(per_token))
    for seen, times in zip(run.histogram.sum(axis=0), ([f for f, _, _ in found], per_token, [e for _, e, _ in found]),
                           strict=True):
        wanted = np.histogram(times, bin_edges())[0]
        assert seen.sum() == wanted.sum() and np.abs(np.cumsum(seen - wanted)).max() <= 3  # times on an edge
    assert run.fleet_sums[:, L.AREA].sum() == pytest.approx(last)  # Little's law


STEP = 1e-3  # seconds of an iteration: services of a second are a thousand of them


def server(rate: float, engines: int, rule: str, slots: int = 1, output: Any = None) -> RoutedFleet:
    """Engines of ``slots`` servers each: one token of prompt, then services of a second on average."""
    one = RequestClass("r", Deterministic(1), output or Geometric.with_mean(1 / STEP), Exponential.with_rate(rate))
    return RoutedFleet((one,), IterationTime("affine", (STEP, 0.0)), engines, rule, slots=slots, chunk=slots)


def requests(fleet: RoutedFleet, horizon: float = 4e5) -> tuple[float, float]:
    """Mean number of requests, and its standard error by batches."""
    run = fleet.run(horizon=horizon, windows=50, warm_up=0.02, seed=6)
    values = run.level[run.warm_up:]
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(len(values)))


@pytest.mark.parametrize("servers", [1, 3])
def test_one_engine_is_mmc(servers: int) -> None:
    """M/M/1 and M/M/c, where an iteration is short and takes as long with any batch."""
    rate = 0.8 * servers
    found, error = requests(server(rate, 1, "shortest-queue", servers), 2e5)
    assert found == pytest.approx(rate * (1 + mmc_wait(rate, 1.0, servers)), abs=4 * error + 0.01 * found)


def test_deterministic_services_are_pollaczek_khinchine() -> None:
    run = server(0.7, 1, "random", output=Deterministic(1000)).run(horizon=4e5, windows=50, warm_up=0.02, seed=2)
    assert run.means()["latency"] == pytest.approx(1 + pollaczek_khinchine(0.7, 1.0, 0.0), rel=0.02)
    assert run.means()["busy"] == pytest.approx(0.7, rel=0.01)


@pytest.mark.parametrize("rule", ["shortest-queue", "least-tokens"])
def test_join_the_shortest_queue_is_the_exact_chain(rule: str) -> None:
    """Of requests that are alike the fewest tokens are with the shortest queue."""
    found, error = requests(server(1.6, 2, rule))
    wanted = shortest_queue_number(1.6, (1.0, 1.0), 24)
    assert found == pytest.approx(wanted, abs=4 * error + 0.01 * wanted) and error < 0.02 * wanted


def test_rules_rank_as_they_should() -> None:
    """The more a rule sees, the fewer wait: two M/M/1, then in turns, the shortest queue, and M/M/2 below all."""
    levels = {rule: requests(server(1.6, 2, rule)) for rule in ("random", "round-robin", "shortest-queue")}
    found, error = levels["random"]
    assert found == pytest.approx(8.0, abs=5 * error + 0.08)
    ranked = [levels[r][0] for r in ("random", "round-robin", "shortest-queue")] + [1.6 * (1 + mmc_wait(1.6, 1.0, 2))]
    assert all(worse > better for worse, better in pairwise(ranked))


def chat(rate: float, engines: int, rule: str, prefixes: Prefixes | None = None, bound: float = 1.25) -> RoutedFleet:
    kinds = (RequestClass("chat", Geometric.with_mean(120), Geometric.with_mean(60), Exponential.with_rate(rate)),
             RequestClass("code", Discrete((300.0, 900.0), (0.5, 0.5)), Geometric.with_mean(8),
                          Exponential.with_rate(rate / 4)))
    return RoutedFleet(kinds, LAW, engines, rule, slots=16, chunk=256, prefixes=prefixes, bound=bound)


@pytest.mark.parametrize("rule", RULES)
def test_runs_are_their_seeds_however_they_are_cut(rule: str) -> None:
    """And rows and levels that are too few at first are replaced: a fleet that cannot serve what comes."""
    fleet = chat(120.0, 3, rule, Prefixes(40, 30, 1.0, 5))
    whole, parts = fleet.run(horizon=30.0, windows=1, seed=4), fleet.run(horizon=30.0, windows=9, seed=4)
    assert whole.sums[0] == pytest.approx(parts.sums.sum(axis=0)) and whole.events == parts.events
    assert whole.present[-1] == parts.present[-1] > 1024 + 4 * 3  # the rows at first
    other = fleet.run(horizon=30.0, windows=1, seed=4, replication=1)
    assert (other.sums != whole.sums).any()


@pytest.mark.parametrize("rule", ["prefix-affinity", "round-robin"])
def test_a_prefix_is_computed_once_where_it_is_kept(rule: str) -> None:
    """With room for all prefixes: once at its home, or once on each engine that it comes to."""
    prefixes, engines = Prefixes(20, 64, 0.5, 20), 4
    run = chat(8.0, engines, rule, prefixes, bound=1e6).run(horizon=4000.0, windows=1, seed=1)
    total = run.sums.sum(axis=(0, 1))
    computed = total[L.STARTED] - total[L.SKIPPED] / prefixes.tokens  # up to one that is in prefill at the end
    assert computed == pytest.approx(20 if rule == "prefix-affinity" else 80, abs=engines)


def test_a_bound_keeps_the_load_even() -> None:
    """All ask for one prefix: without a bound one engine serves them all, with one they are spread."""
    one = Prefixes(1, 64, 0.0, 1)
    crowd, spread = (chat(16.0, 8, "prefix-affinity", one, bound).run(horizon=200.0, windows=1, seed=3).means()
                     for bound in (1e9, 1.0))
    assert crowd["busy"] == pytest.approx(1 / 8, rel=0.05) and spread["busy"] > 0.5
    assert spread["latency"] < crowd["latency"] / 5


def test_affinity_saves_prefill() -> None:
    """Many prefixes and few kept: an engine that sees its own ones alone finds more of them."""
    known = Prefixes(200, 400, 0.8, 20)
    seen = {rule: chat(40.0, 16, rule, known).run(horizon=400.0, windows=10, warm_up=0.2).means()
            for rule in ("shortest-queue", "prefix-affinity")}
    assert seen["prefix-affinity"]["skipped"] > 1.5 * seen["shortest-queue"]["skipped"] > 0


def test_stability_is_told() -> None:
    capacity = 16 * 4 / (0.012 * 60)  # about: full batches of decodes, some 12 ms an iteration
    runs = {load: [chat(load * capacity, 4, "shortest-queue").run(horizon=600.0, seed=1, replication=r)
                   for r in range(5)] for load in (0.2, 2.0)}
    assert [stability(r).verdict for r in runs.values()] == ["stable", "unstable"]


@pytest.mark.parametrize(("changes", "message"), [
    ({"engines": 0}, "number of engines"), ({"slots": 0}, "slots"), ({"slots": 64, "chunk": 32}, "no room"),
    ({"rule": "prefix-affinity"}, "needs prefixes"), ({"bound": 0.5}, "bound"), ({"classes": ()}, "at least one"),
    ({"time": IterationTime("memory", (0.1, 0.1))}, "a fleet takes a law"),
    ({"time": IterationTime("affine", (0.1, 0.1), 1e-9)}, "prefill_attention"),
    ({"classes": (RequestClass("r", Deterministic(1), Deterministic(1)),)}, "arrivals are missing"),
    ({"classes": (RequestClass("r", Deterministic(1), Deterministic(0), Exponential(1.0)),)}, "at least 1 token"),
    ({"classes": (RequestClass("r", Deterministic(1), Deterministic(1), Exponential(1.0), Deterministic(2)),)},
     "no sizes"),
    ({"classes": (RequestClass("r", Deterministic(1), Deterministic(1), Exponential(1.0), ttft_slo=1.0),)}, "goodput"),
])
def test_bad_input(changes: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"classes": chat(1.0, 1, "random").classes, "time": LAW, "engines": 2}
    with pytest.raises(InputError, match=message):
        RoutedFleet(**{**good, **changes})


def test_bad_names_and_prefixes() -> None:
    with pytest.raises(UnknownNameError, match="shortest"):
        chat(1.0, 1, "shortest")
    for wrong in ((0, 1), (1, 0), (1, 1, -1.0), (1, 1, 0.0, -1)):
        with pytest.raises(InputError):
            Prefixes(*wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="records"):
        chat(1.0, 1, "random").run(horizon=1.0, records=True)


SCENARIO = """
horizon = 60.0
windows = 60
replications = 5
[fleet]
engines = 4
slots = 16
chunk = 256
time = {law = "affine", constants = [0.01, 1e-4]}
prefixes = {number = 30, tokens = 50, exponent = 1, cached = 4}
[[compare]]
rule = "prefix-affinity"
bound = 1.5
[[compare]]
rule = "prefix-affinity"
[[class]]
name = "r"
prompt = {law = "geometric", mean = 100}
output = {law = "geometric", mean = 20}
arrivals = {law = "poisson-process", rate = 20.0}
"""


def test_a_scenario_of_a_fleet() -> None:
    found = parse(SCENARIO).variants
    assert list(found) == ["shortest-queue", "prefix-affinity", "prefix-affinity 3"]
    one = RequestClass("r", Geometric.with_mean(100.0), Geometric.with_mean(20.0), Exponential.with_rate(20.0))
    made = RoutedFleet((one,), IterationTime("affine", (0.01, 1e-4)), 4, "prefix-affinity", 16, 256,
                       Prefixes(30, 50, 1, 4), 1.5)
    assert found["prefix-affinity"] == made
    assert [v.rule for v in load("fleet-routing").variants.values()] == list(dict.fromkeys(
        ["shortest-queue", *RULES]))


def test_a_sweep_of_fleets_is_kept_and_told(tmp_path: Path) -> None:
    """Two numbers of engines; what is kept is not run again."""
    swept = SCENARIO + '[[sweep]]\nkey = "fleet.engines"\nvalues = [1, 4]\n'
    ran: list[int] = []
    documents = [run_points(parse_points(swept), tmp_path, each=lambda n, point, runs: ran.append(n))
                 for _ in range(2)]
    assert documents[0] == documents[1] and ran == [0, 1]
    few, many = (d["variants"][0]["measures"] for d in documents[0])
    for name in ("mean TTFT, s", "mean latency, s", "TTFT, 99% quantile, s"):
        assert few[name]["estimate"] > many[name]["estimate"] > 0
    assert many["requests a second"]["low"] < 20 < many["requests a second"]["high"] + 1
    little = many["mean latency, s"]["estimate"] * many["requests a second"]["estimate"]
    assert many["mean number of requests"]["estimate"] == pytest.approx(little, rel=0.05)


@pytest.mark.parametrize(("change", "says"), [
    (("engines = 4", ""), "fleet lacks engines"), (("engines = 4", "engines = 0"), "number of engines"),
    (("slots = 16", "slot = 16"), "unknown key in fleet 'slot'"), (("bound = 1.5", "bound = 0"), "bound on an engine"),
    (("[fleet]", "[engine]\n[fleet]"), "engine and fleet"), (("[fleet]", "[[fleet]]"), "written as [fleet]"),
    (("number = 30", "number = 0.5"), "number of prefixes"), (("number = 30, ", ""), "fleet.prefixes lacks number"),
    (('rule = "prefix-affinity"', 'rule = "affinity"'), "unknown rule of the fleet 'affinity'"),
    (('"affine", constants = [0.01, 1e-4]', '"memory", constants = [0.01, 1e-4]'), "a fleet takes a law"),
    (("[[class]]", "[[clas]]"), "clas"), (("replications = 5", "bootstrap = 5"), "this is no engine"),
])
def test_bad_scenarios_are_one_line(change: tuple[str, str], says: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=re.escape(says)) as told:
        parse(SCENARIO.replace(*change, 1))
    assert "\n" not in str(told.value)
