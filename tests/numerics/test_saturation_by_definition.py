"""Each number of the verdict on a log by plain loops over its requests, and each threshold from both sides."""

from __future__ import annotations

import math
import statistics
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from qtheory.numerics.saturation import SWING, Saturation, _verdict, saturation

SEED, REQUESTS, BLOCKS, BATCHES, ERROR = 7, 4000, 200, 25, 0.01
ONE_SIDED = stats.t.ppf(1 - ERROR, BATCHES - 1)  # of the test that says saturated
STRICTER = stats.t.ppf(1 - 0.75 * ERROR, BATCHES - 1)  # a quarter of the error rate is the swing's


def batch_means(values: list[float]) -> tuple[float, float]:
    """The mean, and its standard error by 25 batches, of which the first ones have one value more."""
    size, longer = divmod(len(values), BATCHES)
    means, at = [], 0
    for k in range(BATCHES):
        part = values[at:at + size + (k < longer)]
        at += len(part)
        means.append(sum(part) / len(part))
    return sum(values) / len(values), statistics.stdev(means) / math.sqrt(BATCHES)


def log(load: float) -> list[tuple[float, float, float, float, float]]:
    """A single server in order of arrival: (arrival, first token, completion, prompt, output)."""
    rng, free, now, out = np.random.default_rng(SEED), 0.0, 0.0, []
    for _ in range(REQUESTS):
        now += rng.exponential()
        prompt, output = float(rng.integers(1, 20)), float(rng.integers(1, 30))
        begin = max(now, free)
        first = begin + load * prompt / 25
        free = first + load * output / 25
        out.append((now, first, free, prompt, output))
    return out


@pytest.mark.parametrize("load", [0.7, 1.1])
def test_every_number_of_the_verdict(load: float) -> None:
    requests = log(load)
    found = saturation(*(np.array(column) for column in zip(*requests, strict=True)), error_rate=ERROR)
    begin, last = requests[0][0], requests[-1][0]
    length = (last - begin) / BLOCKS
    edges = np.linspace(begin, last, BLOCKS + 1).tolist()  # the last arrival is in the last block, not after it
    come = [sum(p + d for t, _, _, p, d in requests if t <= edge) for edge in edges]
    done = [sum(p * (f <= edge) + d * (e <= edge) for _, f, e, p, d in requests) for edge in edges]
    there = [c - s for c, s in zip(come, done, strict=True)]
    arrived = [b - a for a, b in pairwise(come)]
    served = [b - a for a, b in pairwise(done)]
    place = sorted(there)
    third = place[66] + (200 / 3 - 66) * (place[67] - place[66])
    pressed = [s for s, v in zip(served, there, strict=False) if v > third]
    (coming, spread), (doing, noise) = batch_means(arrived), batch_means(pressed)
    ratio, error = coming / doing, math.hypot(spread / coming, noise / doing)
    assert found.load == pytest.approx(ratio) and found.seconds == pytest.approx(last - begin)
    assert (found.rate, found.capacity) == (pytest.approx(coming / length), pytest.approx(doing / length))
    assert found.low == pytest.approx(ratio * math.exp(-ONE_SIDED * error))
    assert found.high == pytest.approx(ratio * math.exp(ONE_SIDED * error))
    assert found.swing == pytest.approx(statistics.pstdev(there[1:]) / (spread * BLOCKS))
    assert math.exp(-SWING[1] - SWING[0] / found.least_swing**2) == pytest.approx(0.25 * ERROR)
    assert (found.requests, found.unit) == (REQUESTS, "tokens")


def judged(excess: float, swing: float, gathered: float = 0.0) -> Saturation:
    """A log whose load is so many standard errors from 1 on the logarithm's scale, its backlog's swing so many times
    the least one, and of whose work a share comes in one batch."""
    rng = np.random.default_rng(SEED)
    a, s = (np.exp(0.1 * rng.standard_normal(BLOCKS)) for _ in range(2))
    if gathered:
        a[:8] *= gathered / (1 - gathered) * a[8:].sum() / a[:8].sum()
    (coming, spread), (doing, noise) = batch_means(a.tolist()), batch_means(s.tolist())
    s *= coming / doing * math.exp(-excess * math.hypot(spread / coming, noise / doing))
    waiting = np.resize([0.0, 2.0], BLOCKS)  # of deviation 1
    waiting = np.concatenate(([0.0], waiting * swing * LEAST_SWING * spread * BLOCKS))
    return _verdict(waiting, a, s, 1.0, ERROR, REQUESTS, "tokens")


LEAST_SWING = math.sqrt(SWING[0] / (-math.log(0.25 * ERROR) - SWING[1]))


@pytest.mark.parametrize(("excess", "swing", "gathered", "verdict"), [
    (ONE_SIDED + 0.01, 2.0, 0.0, "saturated"), (ONE_SIDED - 0.01, 2.0, 0.0, "undecided"),
    (-STRICTER - 0.01, 2.0, 0.0, "not saturated"), (-STRICTER + 0.01, 2.0, 0.0, "undecided"),
    (0.0, 0.99, 0.0, "not saturated"), (0.0, 1.01, 0.0, "undecided"),
    (-2 * STRICTER, 2.0, 0.49, "not saturated"), (-2 * STRICTER, 2.0, 0.51, "undecided"),
])
def test_each_threshold_from_both_sides(excess: float, swing: float, gathered: float, verdict: str) -> None:
    assert judged(excess, swing, gathered).verdict == verdict
