"""Columns of tables that no other test recomputes, each from its definition, in seconds and tokens.

The laws are affine and the outputs geometric, where everything has a closed form or a plain sum.
"""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from drawn import pair, requests

from qtheory import workloads
from qtheory.errors import InputError
from qtheory.models.laws import AffineLaw, PrefillDecodeLaw
from qtheory.profiles.units import check as check_units
from qtheory.report import (
    approximation,
    base_threshold,
    capacity,
    crossover,
    regret,
    reproduce_agents,
    rules,
    stability,
)
from qtheory.report.base_threshold import workloads_sentence
from qtheory.report.capacity import certificate, simulator
from qtheory.report.rules import fitted_threshold
from qtheory.testing.strategies import _profile
from qtheory.theory.critical_rate import Engine, critical_rate
from qtheory.workloads import Deterministic, RequestClass, Workload

ALPHA, BETA = 0.012, 4e-5
MEAN, PROMPT = 40.0, 200
M = MEAN + PROMPT


def test_each_column_of_the_capacities() -> None:
    """An affine law's line is the law. b tokens an iteration: a request is m/b of one; N slots: it is in 1 + mu_O
    iterations with N - 1 others at most."""
    found = capacity.table([_profile(AffineLaw(ALPHA, BETA))], (requests(MEAN, PROMPT),))
    units = {c.name: c.unit for c in found.columns}
    assert [units[n] for n in ("tokens", "budget", "low", "high", "slots", "with_slots")] == [
        "tokens", "tokens", "requests/s", "requests/s", "requests", "requests/s"]
    for row, b in zip(found.to_dict()["rows"], (512, 2048, 8192), strict=True):
        full = b / ((ALPHA + BETA * b) * M)
        needed = max(M / b, (1 + MEAN) / 256)
        assert (row["tokens"], row["budget"], row["slots"]) == (M, b, 256)
        assert row["low"] == pytest.approx(full, rel=1e-9) and row["high"] == pytest.approx(full, rel=1e-9)
        assert row["with_slots"] == pytest.approx(1 / (ALPHA * needed + BETA * M), rel=1e-9)
        assert row["limit"] == ("slots" if needed > M / b else "tokens a second")  # of full iterations, the fastest
        assert row["exact"] is True
    by_moments = capacity.table([_profile(AffineLaw(ALPHA, BETA))], (workloads.load("eb-longbench"),))
    assert by_moments.column("exact") == (False,) * 3


def test_engines_share_the_rate() -> None:
    one, three = (Engine(AffineLaw(ALPHA, BETA), "sarathi", {"budget": 512}, n) for n in (1, 3))
    single, together = (critical_rate(e, requests(MEAN, PROMPT)) for e in (one, three))
    assert together.high == pytest.approx(3 * single.high)
    assert certificate(together, three)["rate"] == pytest.approx(certificate(single, one)["rate"])
    model = simulator(one, requests(MEAN, PROMPT), 2.5)
    assert [c.arrivals.mean for c in model.classes] == [pytest.approx(1 / 2.5)]
    classes = tuple(RequestClass(name, weight, Deterministic(PROMPT), Deterministic(40)) for name, weight in
                    (("a", 3.0), ("b", 1.0)))
    of_two = simulator(one, Workload("two", "drawn", "", "drawn", "", classes), 2.5)
    assert [c.arrivals.mean for c in of_two.classes] == [pytest.approx(1 / 1.875), pytest.approx(1 / 0.625)]


def survival(t: np.ndarray) -> np.ndarray:
    return (1 - 1 / MEAN) ** t


def batch(D: int) -> float:
    """M(D), the batch over the requests that a phase begins with."""
    return float(survival(np.arange(0, 4000, D)).sum())


@pytest.mark.parametrize(("alpha_p", "N"), [(0.05, 32), (0.6, 32), (0.02, 8)])
def test_each_column_of_the_regret(alpha_p: float, N: int) -> None:
    """Under a pair: phases of D iterations, whose requests keep their age; mixed batches by the prefill law."""
    beta_p, alpha_d, beta_d = 3e-5, 0.01, 2e-5
    row, = regret.table((pair(alpha_p, beta_p, alpha_d, beta_d),), (requests(MEAN, PROMPT),), (N,)).to_dict()["rows"]
    tokens = beta_p * PROMPT + beta_d * MEAN

    def seconds(D: int, slots: int = N) -> float:
        return (alpha_d * D + alpha_p) * batch(D) / slots + tokens

    D = min(range(1, 1000), key=seconds)
    assert row["best"] == pytest.approx(1 / batch(D)) and row["rate"] == pytest.approx(1 / seconds(D), rel=1e-6)
    gamma = alpha_p / alpha_d / MEAN
    assert row["theta0"] / (1 - row["theta0"]) + math.log(1 - row["theta0"]) == pytest.approx(gamma, rel=1e-9)
    theirs = next(d for d in range(1, 1000) if 1 / batch(d) >= row["theta0"] * (1 - 1e-9))
    assert row["loss"] == pytest.approx(100 * (1 - seconds(D) / seconds(theirs)), abs=1e-5)
    # a slot's cycle is 1 + mu_O iterations of N m/(1 + mu_O) tokens on average
    mixed = 1 / (alpha_p * (1 + MEAN) / N + beta_p * M)
    assert row["mixed_low"] == pytest.approx(mixed) == pytest.approx(row["mixed_high"])
    zeta = -math.log(1 - row["theta0"])
    closed = 1 / ((alpha_p + alpha_d * MEAN * zeta) / (row["theta0"] * N) + tokens)
    assert row["by_7"] == ("mixed" if mixed > closed else "exclusive")
    assert row["by_law"] == ("mixed" if mixed > 1 / seconds(D) else "exclusive")
    best, other = max(mixed, 1 / seconds(D)), min(mixed, 1 / seconds(D))
    lost = 0.0 if row["by_7"] == row["by_law"] else 100 * (1 - other / best)
    assert row["wrong_loss"] == pytest.approx(lost, abs=1e-4)
    assert row["safe_gain"] == pytest.approx(100 * (_rate(row["safe"], seconds) * seconds(D) - 1), abs=1e-4)
    # (6): the fluid memory at a phase's start and the reserve
    reserve = math.log(100) * MEAN**2 / PROMPT
    start = N * (PROMPT + (1 - row["theta0"]) / row["theta0"] * zeta * MEAN)
    assert row["capacity"] == math.ceil(start + reserve)
    assert row["overflow"] == pytest.approx(outgrown(D, N, row["capacity"]), rel=1e-3)  # the least of a search
    safe = row["safe"]
    assert outgrown(D, safe, row["capacity"]) <= 0.01 * 1.001 and 1.001 * outgrown(D, safe + 1, row["capacity"]) > 0.01


def outgrown(D: int, slots: int, capacity: float) -> float:
    """Chernoff's bound on the memory's excess over a phase of D iterations, summed over these, at the best parameter.

    In iteration i a slot decodes a request of age i + j D with probability S(i + j D)/M(D), else none.
    """
    ages = np.arange(0, 2000, D)
    laws = [(survival(i + ages) / batch(D), PROMPT + i + ages + 1.0) for i in range(D)]
    if slots * max(float(shares @ held) for shares, held in laws) >= capacity:
        return 1.0

    def above(s: float) -> float:
        return math.log(sum(math.exp(slots * math.log1p(float(shares @ np.expm1(s * held))) - s * capacity)
                            for shares, held in laws))  # fmt: skip

    low, high = 0.0, 0.9 / MEAN / 2
    for _ in range(60):  # convex
        first, second = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, second) if above(first) < above(second) else (first, high)
    return min(1.0, math.exp(above(low)))


def _rate(slots: int, seconds) -> float:  # type: ignore[no-untyped-def]
    return max(1 / seconds(D, slots) for D in range(1, 1000))


def test_a_wrong_choice_loses_what_the_other_has_more() -> None:
    """(7) with theta0 takes exclusive batching to be the worse one where its best threshold makes it the better."""
    choices = set()
    for alpha_p in (0.012, 0.014, 0.016, 0.018, 0.02, 0.022):
        table = regret.table((pair(alpha_p, 3e-5, 0.01, 2e-5),), (requests(4.0, 30),), (64,))
        row, = table.to_dict()["rows"]
        choices.add((row["by_7"], row["by_law"]))
        if row["by_7"] != row["by_law"] != "open":
            assert row["wrong_loss"] > 0
    assert len(choices) >= 2


def test_the_losses_of_the_rules_where_they_are_large() -> None:
    """The base threshold, too small for outputs of one length, takes a seventh more fixed time."""
    law, N = pair(0.02, 1e-5, 0.01, 4e-5, "cheap"), 16
    mean = 40
    workload = Workload("fixed", "drawn", "", "drawn", "", (RequestClass("all", 1.0, Deterministic(200),
                                                                         Deterministic(mean)),))
    row, = rules.table((law,), (workload,), (N,)).to_dict()["rows"]

    def fixed(D: int) -> float:
        return (0.01 * D + 0.02) * math.ceil(mean / D) / N

    best = min(fixed(D) for D in range(1, mean + 1))
    tokens = 1e-5 * 200 + 4e-5 * mean
    phase = next(D for D in range(1, mean + 1) if 1 / math.ceil(mean / D) >= row["theta0"] - 1e-12)
    assert fixed(phase) > 1.05 * best
    assert row["more0"] == pytest.approx(100 * (fixed(phase) / best - 1), rel=1e-9)
    assert row["loss0"] == pytest.approx(100 * (1 - (best + tokens) / (fixed(phase) + tokens)), rel=1e-9)
    assert row["throughput"] == pytest.approx(1 / (best + tokens), rel=1e-9)


def test_algorithm_1_clips_at_both_ends() -> None:
    law = pair(0.1, 1e-5, 0.01, 4e-5).law
    assert isinstance(law, PrefillDecodeLaw)
    assert fitted_threshold(law, 1e-12, 0.0, 64) == 0.05
    assert fitted_threshold(law, 0.9, 1e6, 64) == 0.9


def test_sources_of_different_depth_are_named() -> None:
    sources = ("a paper, Table 1, row 2", "a paper, Table 3", "a paper, Table 1, row 4")
    named = tuple(requests(4.0, 10, f"w{i}", source) for i, source in enumerate(sources))
    assert workloads_sentence(named) == (
        "Workloads from a paper, Table 1, row 2 (w0); Table 3 (w1); Table 1, row 4 (w2).")
    deep = tuple(requests(4.0, 10, f"w{i}", source) for i, source in enumerate(("a paper, Table 1", sources[0])))
    assert workloads_sentence(deep) == "Workloads from a paper, Table 1 (w0); Table 1, row 2 (w1)."


def test_what_a_row_is_of_and_where_it_is_from() -> None:
    """Of a profile and a workload whose every name differs; a profile from measurements has the file for a source."""
    changed = {"model": "a model", "engine": "an engine", "engine_version": "7.1", "tensor_parallel": 2}
    profile = pair(0.02, 1e-5, 0.01, 4e-5, "p", "a GPU").model_copy(update=changed)
    load = requests(MEAN, PROMPT, "w", "a paper, Table 9")
    made = [t.table((profile,), (load,), (64,)) for t in (base_threshold, crossover, rules)]
    for table in made:
        row, = table.to_dict()["rows"]
        assert (row["profile"], row["workload"], row["workload_source"], row["N"]) == ("p", "w", "a paper, Table 9", 64)
        assert table.provenance == ({"profile": "p", "gpu": "a GPU", "model": "a model", "engine": "an engine 7.1",
                                     "tensor_parallel": 2, "source": "measurements drawn.csv"},)
    row, = made[0].to_dict()["rows"]
    assert (row["gpu"], row["model"], row["engine"]) == ("a GPU", "a model", "an engine 7.1")
    assert (row["profile_source"], row["mu_L"]) == ("measurements drawn.csv", PROMPT)


@pytest.mark.parametrize("power", [-3, -2, -1, 1, 2, 3])
@pytest.mark.parametrize("place", [0, 5, 11])
def test_one_time_in_another_unit_is_found(power: int, place: int) -> None:
    tokens = np.linspace(100, 210, 12)
    times = 1e-4 * tokens * (1.0 if power < 0 else 1e-5)
    check_units("f.csv", range(2, 14), "seconds", times, {"tokens": tokens}, np.zeros(12), "seconds")
    times[place] *= 1000.0**power
    with pytest.raises(InputError, match=f"f.csv:{place + 2}: .*mixed units"):
        check_units("f.csv", range(2, 14), "seconds", times, {"tokens": tokens}, np.zeros(12), "seconds")


def test_ends_of_intervals_stay_in_their_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """A threshold is a share, a ratio and a rate are not negative, k0* goes with the ends of theta0."""
    profile = pair(0.02, 1e-5, 0.01, 4e-5)
    monkeypatch.setattr(base_threshold, "intervals_of", lambda computed, of: [(-0.1, 0.2), (-0.5, 1.5), (-1.0, 3.0),
                                                                              (-2.0, 9.0)])
    row, = base_threshold.table((profile,), (requests(MEAN, PROMPT),), (64,)).to_dict()["rows"]
    ends = {name: (row[f"{name}_low"], row[f"{name}_high"]) for name in ("ratio", "theta0", "zeta", "k0", "throughput")}
    assert ends == {"ratio": (0.0, 0.2), "theta0": (0.0, 1.0), "zeta": (0.0, 3.0), "k0": (0, 63),
                    "throughput": (0.0, 9.0)}


@pytest.mark.parametrize(("tokens", "inside"), [(31, False), (32, True), (100, True), (512, True), (513, False)])
def test_a_laws_range_holds_its_ends(tokens: int, inside: bool) -> None:
    profile = pair(0.02, 1e-5, 0.01, 4e-5)
    assert profile.law_table is not None
    table = profile.law_table.model_copy(update={"tokens_min": 32, "tokens_max": 512})
    assert base_threshold._in_range(profile.model_copy(update={"law_table": table}), tokens) is inside


def test_columns_of_words_and_of_numbers_of_the_schedulers() -> None:
    words = {c.name for c in stability.COLUMNS_OF_TABLE if c.text}
    assert words == {"output", "scheduler", "parameters", "by", "below", "above"}
    assert {c.unit for c in stability.COLUMNS_OF_TABLE if c.name not in words} == {"requests/s"}
    assert stability._caption()


def test_shares_have_two_digits_and_given_parameters_no_zeros_behind_them() -> None:
    """Losses in percent are known no better; what was chosen as 0.5 is not printed as 0.500."""
    assert {c.digits for c in rules.COLUMNS if c.unit == "%" and c.digits is not None} == {2}
    assert all(c.trim for c in approximation.COLUMNS if not c.text)


def test_what_is_stable_grows_by_nothing_in_the_fluid() -> None:
    """The row that stands beside the simulated growth, before anything is simulated."""
    panel = SimpleNamespace(decision=SimpleNamespace(cycle=None))
    first = next(reproduce_agents._side(Fraction(54, 100), panel, None))  # type: ignore[arg-type]
    assert (first.what, first.computed, first.printed) == ("growth, fluid", 0.0, None)
