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
            if f <= t:
                by_hand += p + d * (1.0 if e <= t else (t - f) / (e - f))
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


@pytest.mark.slow
def test_errors_at_the_critical_load_are_as_stated() -> None:
    """400 logs at load 1 and an error rate of 0.05 of each kind: at most what chance makes of it."""
    verdicts = [saturation(**queue(1.0, 5_000, seed), error_rate=0.05).verdict for seed in range(400)]
    for verdict in ("saturated", "not saturated"):
        assert verdicts.count(verdict) <= 20 + 3 * 4.4, verdict


def test_the_rare_swing_is_that_of_reflected_brownian_motion() -> None:
    g = np.random.default_rng(2)
    steps = g.standard_normal((4000, 1600)) / 40
    walk = np.cumsum(steps, axis=1)
    reflected = (walk - np.minimum.accumulate(np.minimum(walk, 0), axis=1))[:, ::8]
    swings = reflected.std(axis=1)
    for level in (0.01, 0.05):
        share = float((swings < least_swing(level)).mean())
        assert abs(share - level) < 4 * np.sqrt(level / 4000)


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
