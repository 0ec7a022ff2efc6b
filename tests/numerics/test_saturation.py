"""The test of a log for saturation: its parts by definition, its errors on queues whose load is known, its refusals."""

from __future__ import annotations

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.numerics.saturation import least_swing, saturation, work_done


def queue(load: float, requests: int, seed: int) -> dict[str, np.ndarray]:
    """A log of one server, prompts of 10 tokens, outputs of 30 on average, a token a second, as it is seen when the
    last request comes."""
    g = np.random.default_rng(seed)
    output = g.geometric(1 / 30, requests).astype(float)
    arrival = np.cumsum(g.exponential(40 / load, requests))
    work = 10 + output
    end = np.maximum.accumulate(arrival - np.concatenate(([0.0], np.cumsum(work)[:-1]))) + np.cumsum(work)
    first = end - output
    last = arrival[-1]
    first, end = np.where(first <= last, first, np.nan), np.where(end <= last, end, np.nan)
    return {"arrival": arrival, "first": first, "end": end, "prompt": np.full(requests, 10.0), "output": output}


def test_work_done_is_the_sum_over_requests() -> None:
    g = np.random.default_rng(0)
    first = g.uniform(0, 50, 40)
    end = first + g.choice([0.0, 3.0, 20.0], 40)
    prompt, output = g.integers(1, 9, 40).astype(float), g.integers(1, 9, 40).astype(float)
    first[::7] = end[::7] = np.nan
    times = np.linspace(-1, 80, 30)
    for t, value in zip(times, work_done(times, first, end, prompt, output), strict=True):
        by_hand = 0.0
        for f, e, p, d in zip(first, end, prompt, output, strict=True):
            by_hand += p * (f <= t) + d * (e <= t)
        assert value == pytest.approx(by_hand, abs=1e-9)


@pytest.mark.parametrize(("load", "verdict"), [(0.3, "not saturated"), (0.9, "not saturated"), (1.1, "saturated"),
                                               (2.0, "saturated")])
def test_a_load_far_from_one_is_told(load: float, verdict: str) -> None:
    for seed in range(5):
        found = saturation(**queue(load, 20_000, seed))
        assert found.verdict == verdict, found
        assert (found.low <= 1 <= found.high) is False or verdict == "not saturated"


def test_without_lengths_and_in_any_order() -> None:
    columns = queue(1.2, 20_000, 3)
    kept = {name: columns[name] for name in ("arrival", "first", "end")}
    found = saturation(**kept)
    assert found.verdict == "saturated" and found.unit == "requests"
    mixed = np.random.default_rng(1).permutation(20_000)
    assert saturation(**{name: c[mixed] for name, c in kept.items()}) == found


@pytest.mark.parametrize("idle", ["before", "after"])
def test_most_of_the_work_in_a_small_part_decides_nothing(idle: str) -> None:
    """One request long before or after 5,000 that come half as fast again as they are served."""
    log = queue(1.5, 5000, 2)
    alone = float(log["arrival"][0] - 1e8 if idle == "before" else log["arrival"][-1] + 1e8)
    log["first"], log["end"] = (np.where(np.isnan(log[k]), log["arrival"][-1] + 1e6, log[k]) for k in ("first", "end"))
    longer = {k: np.append(v, {"arrival": alone, "first": alone + 10, "end": alone + 40}.get(k, 20.0))
              for k, v in log.items()}
    found = saturation(**longer)
    assert found.verdict == "undecided" and "100% of the work comes within 1/25" in found.reason


def test_what_never_waits_is_not_saturated() -> None:
    arrival = queue(0.5, 2000, 4)["arrival"]
    found = saturation(arrival, arrival, arrival)
    assert found.verdict == "not saturated" and found.swing == 0


@pytest.mark.parametrize(("lengths", "why"), [
    ((0.0, 0.0), "no work at all"), ((-5.0, 3.0), "request 1: its prompt is below 0"),
    ((3.0, -5.0), "request 1: its output is below 0"), ((1e308, 1e308), "more tokens than can be counted")])
def test_lengths_are_work(lengths: tuple[float, float], why: str) -> None:
    prompt, output = (np.full(2000, value) for value in lengths)
    with pytest.raises(InputError, match=why):
        saturation(**{**queue(0.5, 2000, 4), "prompt": prompt, "output": output})


def test_work_comes_after_the_first_request() -> None:
    log = queue(0.5, 2000, 4)
    first = np.where(np.arange(2000) == 0, 1.0, 0.0)
    with pytest.raises(InputError, match="no work comes after"):
        saturation(**{**log, "prompt": first, "output": first})


@pytest.mark.slow
def test_errors_at_the_critical_load_are_as_stated() -> None:
    """400 logs at load 1 and an error rate of 0.05 of each kind: at most what chance makes of it."""
    verdicts = [saturation(**queue(1.0, 5_000, seed), error_rate=0.05).verdict for seed in range(400)]
    for verdict in ("saturated", "not saturated"):
        assert verdicts.count(verdict) <= 20 + 3 * 4.4, verdict


# Quantiles of the swing of reflected Brownian motion seen at 200 moments, of 10,000,000 paths: right to a digit or two
# of the last.
QUANTILES = {0.0005: 0.0812, 0.001: 0.0857, 0.0025: 0.0925, 0.005: 0.0990, 0.01: 0.1069, 0.025: 0.1205, 0.05: 0.1348,
             0.1: 0.1550}


@pytest.mark.parametrize("level", QUANTILES)
def test_the_least_swing_is_never_generous_and_near_the_quantile(level: float) -> None:
    assert 0.98 * QUANTILES[level] < least_swing(level) < QUANTILES[level]


@pytest.mark.later
def test_the_quantiles_are_those_of_reflected_brownian_motion() -> None:
    g = np.random.default_rng(2)
    walk = np.cumsum(g.standard_normal((2000, 1600)) / 40, axis=1)
    reflected = (walk - np.minimum.accumulate(np.minimum(walk, 0), axis=1))[:, 7::8]
    swings = reflected.std(axis=1)
    magnitude = np.abs(np.cumsum(g.standard_normal((20_000, 200)), axis=1)).std(axis=1) / np.sqrt(200)  # the same law
    for level, quantile in QUANTILES.items():
        for found in (swings, magnitude):
            assert abs((found < quantile).mean() - level) < 4 * np.sqrt(level / found.size)


def test_bad_logs_are_named() -> None:
    columns = queue(0.5, 1_000, 0)
    with pytest.raises(InputError, match="has 999 requests; the test needs 1000"):
        saturation(**{name: c[:999] for name, c in columns.items()})
    wrong = columns | {"first": columns["first"].copy()}
    wrong["first"][4] = columns["arrival"][4] - 1
    with pytest.raises(InputError, match=r"request 5: its first token at .* is before its arrival"):
        saturation(**wrong)
    with pytest.raises(InputError, match="an error rate lies in"):
        saturation(**columns, error_rate=0.5)
    with pytest.raises(InputError, match="arrive at one moment"):
        saturation(np.zeros(1000), np.ones(1000), np.ones(1000) * 2)
