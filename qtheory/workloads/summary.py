"""What a recorded trace is like, and whether it is what papers assume: Poisson, geometric, independent.

Every test states its null hypothesis and gives a p-value; with thousands of requests small departures are found, so
that the size of each departure stands beside. Times recorded to a grain coarser than the gaps are first spread over it
at random, or ties alone would reject every law.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.workloads.base import Array
from qtheory.workloads.trace_formats import shared_prefix
from qtheory.workloads.workload import Workload

SCALES = (1.0, 10.0, 60.0, 600.0)  # seconds of the windows whose counts are compared
WINDOW = 600.0  # seconds within which the rate may be taken as constant
LAGS = 10
BINS = 20
LEVEL = 0.95


@dataclass(frozen=True)
class Dispersion:
    """Variance over mean of the arrivals in windows of ``scale`` seconds; 1 for a Poisson process of constant rate.

    ``p``: of the chi-square test that counts are of one Poisson law; None with fewer than ten windows.
    """

    scale: float
    index: float | None
    p: float | None


@dataclass(frozen=True)
class Hazard:
    """Share of requests with more than ``least - 1`` tokens that end by ``greatest``, per token, with a 95 percent
    band (Wilson's)."""

    least: int
    greatest: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class Summary:
    """A trace in numbers.

    ``gap_variation``: squared coefficient of variation of the times between arrivals (1 for Poisson).
    ``p_poisson``: arrivals within windows of 600 s are Poisson, at a rate that may change between windows
    (Kolmogorov-Smirnov on Brown's exponential transforms). ``p_geometric``: outputs are geometric with their mean
    (chi-square over 20 bins of equal probability). ``lengths_rho``: rank correlation of prompt and output;
    ``p_lengths``: there is none. ``output_lag`` and ``gap_lag``: rank correlation with the one before; ``p_outputs``
    and ``p_gaps``: none at the first ten lags (Ljung-Box on ranks). ``falls``: whether the hazard rate of the output
    falls somewhere beyond bands that hold in all bins at once (Bonferroni). ``shared``: share of prompt tokens in a
    prefix that came before, None without hashes.
    Fields of arrivals are None where none are recorded.
    """

    name: str
    requests: int
    seconds: float | None
    rate: float | None
    gap_variation: float | None
    dispersion: tuple[Dispersion, ...]
    prompt_mean: float
    prompt_variation: float
    output_mean: float
    output_variation: float
    hazards: tuple[Hazard, ...]
    falls: bool
    p_poisson: float | None
    p_geometric: float
    lengths_rho: float
    p_lengths: float
    output_lag: float
    p_outputs: float
    gap_lag: float | None
    p_gaps: float | None
    shared: float | None


def summarise(workload: Workload) -> Summary:
    """The summary of a trace; InputError for a workload that is none, or has fewer than 100 requests."""
    from scipy import stats

    trace = workload.trace
    if trace is None or len(trace) < 100:
        what = "is no trace" if trace is None else f"has {len(trace)} requests, fewer than 100"
        raise InputError(f"workload {workload.name!r} {what}; a summary needs a recorded trace")
    prompts, outputs = trace.prompt_lengths, trace.output_lengths
    times = None if trace.arrival_times is None else spread(trace.arrival_times)
    gaps = None if times is None else np.diff(times)
    rho = stats.spearmanr(prompts, outputs)
    return Summary(
        name=workload.name, requests=len(trace), seconds=None if times is None else float(times[-1] - times[0]),
        rate=None if times is None else trace.arrival_rate,
        gap_variation=None if gaps is None else float(gaps.var() / gaps.mean() ** 2),
        dispersion=() if times is None else tuple(dispersion(times, scale) for scale in SCALES),
        prompt_mean=float(prompts.mean()), prompt_variation=float(prompts.std() / prompts.mean()),
        output_mean=float(outputs.mean()), output_variation=float(outputs.std() / outputs.mean()),
        hazards=hazard_bands(outputs), falls=falls(hazard_bands(outputs, level=1 - (1 - LEVEL) / BINS)),
        p_poisson=None if times is None else poisson_p(times),
        p_geometric=geometric_p(outputs), lengths_rho=float(rho.statistic), p_lengths=float(rho.pvalue),
        output_lag=rank_lags(outputs)[0], p_outputs=ljung_box_p(outputs),
        gap_lag=None if gaps is None else rank_lags(gaps)[0], p_gaps=None if gaps is None else ljung_box_p(gaps),
        shared=None if trace.prefixes is None else float(shared_prefix(trace.prefixes, prompts).sum() / prompts.sum()),
    )


def spread(times: Array) -> Array:
    """Times whose recorded grain makes ties, each put at random (seed 0) between it and the next recorded one.

    Times without ties are left as they are. InputError if they span no time.
    """
    points, counts = np.unique(times, return_counts=True)
    if len(points) < 2:
        raise InputError("the trace's arrival times span no time")
    if len(points) == len(times):
        return times
    steps = np.append(np.diff(points), np.median(np.diff(points)))
    return np.sort(np.repeat(points, counts) + np.repeat(steps, counts) * np.random.default_rng(0).random(len(times)))


def dispersion(times: Array, scale: float) -> Dispersion:
    """The index of dispersion of counts in whole windows of ``scale`` seconds."""
    from scipy import stats

    windows = int((times[-1] - times[0]) // scale)
    if windows < 10:
        return Dispersion(scale, None, None)
    counts = np.histogram(times, bins=times[0] + scale * np.arange(windows + 1))[0]
    index = float(counts.var(ddof=1) / counts.mean())
    statistic = index * (windows - 1)
    both = 2 * min(stats.chi2.cdf(statistic, windows - 1), stats.chi2.sf(statistic, windows - 1))
    return Dispersion(scale, index, float(min(1.0, both)))


def poisson_p(times: Array, window: float = WINDOW) -> float | None:
    """The p-value that arrivals are Poisson within windows, whose rates may differ; None for fewer than 50."""
    from scipy import stats

    parts = []
    start = times[0]
    while start < times[-1]:
        inside = times[(times > start) & (times <= start + window)] - start
        length = min(window, times[-1] - start)
        if len(inside) >= 2:
            before = np.concatenate([[0.0], inside[:-1]])
            left = len(inside) - np.arange(len(inside))
            use = inside < length
            ratio = (length - inside[use]) / (length - before[use])
            parts.append(-left[use] * np.log(ratio))
        start += window
    pooled = np.concatenate(parts) if parts else np.empty(0)
    return float(stats.kstest(pooled, "expon").pvalue) if len(pooled) >= 50 else None


def geometric_p(lengths: NDArray[np.int64]) -> float:
    """The p-value of the chi-square test that lengths are geometric on 1, 2, ... with their mean."""
    from scipy import stats

    success = 1 / max(float(lengths.mean()), 1 + 1e-9)
    edges = np.unique(stats.geom.ppf(np.arange(1, BINS) / BINS, success))
    ends = np.concatenate([[0.0], edges, [np.inf]])
    expected = np.diff(stats.geom.cdf(ends, success)) * len(lengths)
    observed = np.histogram(lengths, bins=np.concatenate([[0.5], edges + 0.5, [np.inf]]))[0]
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return float(stats.chi2.sf(statistic, max(len(expected) - 2, 1)))


def hazard_bands(lengths: NDArray[np.int64], bins: int = BINS, level: float = LEVEL) -> tuple[Hazard, ...]:
    """Hazard rates of the length between its quantiles, each with a band at ``level``; the longest are one bin."""
    from scipy import stats

    edges = np.unique(np.quantile(lengths, np.arange(1, bins + 1) / bins, method="inverted_cdf").astype(int))
    found, least = [], 1
    z = float(stats.norm.ppf((1 + level) / 2))
    for greatest in edges:
        exposed = np.minimum(lengths, greatest) - (least - 1)
        tokens, ended = int(exposed[exposed > 0].sum()), int(((lengths >= least) & (lengths <= greatest)).sum())
        share = ended / tokens
        middle = (share + z**2 / (2 * tokens)) / (1 + z**2 / tokens)
        half = z * np.sqrt(share * (1 - share) / tokens + z**2 / (4 * tokens**2)) / (1 + z**2 / tokens)
        band = max(0.0, float(middle - half)), min(1.0, float(middle + half))
        found.append(Hazard(least, int(greatest), share, *band))
        least = int(greatest) + 1
    return tuple(found)


def falls(hazards: tuple[Hazard, ...]) -> bool:
    """Whether some band lies wholly below an earlier one: an increasing hazard rate is then rejected."""
    highest = 0.0
    for each in hazards:
        if each.high < highest:
            return True
        highest = max(highest, each.low)
    return False


def rank_lags(values: NDArray[np.float64] | NDArray[np.int64], lags: int = LAGS) -> list[float]:
    """Autocorrelations of the ranks at lags 1, 2, ..."""
    from scipy import stats

    ranks = stats.rankdata(values)
    ranks = ranks - ranks.mean()
    total = float(ranks @ ranks) or 1.0
    return [float(ranks[lag:] @ ranks[:-lag]) / total for lag in range(1, lags + 1)]


def ljung_box_p(values: NDArray[np.float64] | NDArray[np.int64], lags: int = LAGS) -> float:
    """The p-value that there is no correlation at the first lags."""
    from scipy import stats

    count = len(values)
    terms = [r**2 / (count - lag) for lag, r in enumerate(rank_lags(values, lags), 1)]
    return float(stats.chi2.sf(count * (count + 2) * sum(terms), lags))
