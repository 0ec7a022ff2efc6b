"""The p-values of a trace's summary from their definitions: plain loops, and the laws' tails by mpmath."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace

import mpmath as mp
import numpy as np
import pytest

from qtheory.report import traces
from qtheory.workloads.summary import BINS, WINDOW, geometric_p, ljung_box_p, poisson_p, rank_lags

COUNT = 400


def chi_square(statistic: float, freedom: int) -> float:
    return float(mp.gammainc(mp.mpf(freedom) / 2, mp.mpf(statistic) / 2, mp.inf, regularized=True))


@pytest.mark.parametrize(("seed", "mean"), [(1, 30.0), (2, 3.0), (3, 1.5)])
@pytest.mark.parametrize("heavy", [0, 12])
def test_lengths_are_held_against_the_geometric_law(seed: int, mean: float, heavy: int) -> None:
    """Between the law's twentieths, those that coincide taken once; one degree for the mean, one for the total."""
    lengths = np.random.default_rng(seed).geometric(1 / mean, COUNT)
    lengths[:heavy] = 3 * math.ceil(mean)
    p = COUNT / int(lengths.sum())
    edges = sorted({next(n for n in range(1, 1000) if 1 - (1 - p) ** n >= i / BINS - 1e-13) for i in range(1, BINS)})
    statistic, low = 0.0, 0
    for high in (*edges, math.inf):
        share = (1 - p) ** low - (0.0 if high == math.inf else (1 - p) ** high)
        statistic += (sum(low < n <= high for n in lengths) - COUNT * share) ** 2 / (COUNT * share)
        low = int(high) if high < math.inf else low
    assert geometric_p(lengths) == pytest.approx(chi_square(statistic, max(len(edges) - 1, 1)), rel=1e-6)


def ranks(values: Sequence[float]) -> list[float]:
    """The middle of their places for those that are equal."""
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]


@pytest.mark.parametrize("whole", [True, False])
def test_successive_values_are_held_against_no_correlation(whole: bool) -> None:
    drawn = np.random.default_rng(4).exponential(5.0, 120)
    values = [float(v) for v in np.cumsum(np.ceil(drawn) if whole else drawn) % 17]
    of = ranks(values)
    mean = sum(of) / len(of)
    whole_sum = sum((x - mean) ** 2 for x in of)
    lags = [sum((of[i] - mean) * (of[i - lag] - mean) for i in range(lag, len(of))) / whole_sum
            for lag in range(1, 11)]
    assert rank_lags(np.array(values)) == pytest.approx(lags)
    n = len(values)
    statistic = n * (n + 2) * sum(r * r / (n - lag) for lag, r in enumerate(lags, 1))
    assert ljung_box_p(np.array(values)) == pytest.approx(chi_square(statistic, 10), rel=1e-6)


@pytest.mark.parametrize(("seed", "bursts"), [(5, 0), (6, 0), (7, 40)])
def test_arrivals_are_held_against_poisson_within_windows(seed: int, bursts: int) -> None:
    """Given how many come, the j-th of n still to come is the least of n - j uniform times of what is left of the
    window; the logarithm of what it leaves, times n - j, is exponential. The distance is Kolmogorov's."""
    rng = np.random.default_rng(seed)
    rates = (0.05, 0.4, 0.2)
    times = [0.0]
    for window, rate in enumerate(rates):
        came = rng.uniform(window * WINDOW, (window + 1) * WINDOW, rng.poisson(rate * WINDOW))
        times += sorted(float(t) for t in came)
    times = sorted(times + [t + 0.5 for t in times[1:bursts + 1]])
    pooled, begin = [], 0.0
    while begin < times[-1]:
        length = min(WINDOW, times[-1] - begin)
        inside = [t - begin for t in times if begin < t <= begin + WINDOW]
        before = 0.0
        for j, t in enumerate(inside):
            if t < length:  # the last arrival of all ends its window
                pooled.append((len(inside) - j) * math.log((length - before) / (length - t)))
            before = t
        begin += WINDOW
    pooled.sort()
    n = len(pooled)
    far = max(max((i + 1) / n - -math.expm1(-x), -math.expm1(-x) - i / n) for i, x in enumerate(pooled))
    root = math.sqrt(n)
    x = root * far + 1 / (6 * root) + (root * far - 1) / (4 * n)  # Vrbik's correction of the limit
    p = 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 40))
    assert poisson_p(np.array(times)) == pytest.approx(p, rel=0.01, abs=1e-6)


def test_each_number_of_a_summary_stands_in_its_column() -> None:
    """Also the smallest p-value that is printed, and the index of windows of a minute, not of others."""
    of = dict(name="x", requests=5, rate=0.5, gap_variation=2.5, gap_lag=0.25, prompt_mean=70.0, output_mean=80.0,
              output_variation=1.5, falls=True, lengths_rho=0.125, shared=0.75, p_poisson=1e-98, p_gaps=0.02,
              p_geometric=0.03, p_lengths=1e-120, p_outputs=0.05)
    indices = tuple(SimpleNamespace(scale=scale, index=scale / 10) for scale in (600.0, 60.0, 6.0))
    row = dict(zip((c.name for c in traces.COLUMNS), traces._row(SimpleNamespace(**of, dispersion=indices)),  # type: ignore[arg-type]
                   strict=True))
    assert [row[f"p_{name}"] for name in ("poisson", "gaps", "geometric", "lengths", "outputs")] == [
        1e-98, 0.02, 0.03, 0.0, 0.05]
    assert row["dispersion_60"] == 6.0 and row["trace"] == "x"
    assert all(row[n] == v for n, v in of.items() if not n.startswith("p_") and n != "name")
