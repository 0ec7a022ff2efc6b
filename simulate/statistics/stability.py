"""Is a run stable? A test against critical growth, with error rates, before any steady-state mean is believed.

A network started empty grows linearly when it is overloaded, stays bounded when it is stable, and at the
critical load grows like the square root of time (reflected Brownian motion). Let A1 and A2 be the time averages
of the backlog over the first and the second half of a run. For a backlog that grows like t^p,
A2/A1 = 2^(1+p) - 1: 3 for linear growth, 2 sqrt(2) - 1 at the critical load, 1 for a bounded one. So the mean of
D = A2 - (2 sqrt(2) - 1) A1 is positive for overload, zero at the critical load and negative for stability: one-sided
Student tests on independent replications, each at the stated error rate.

What is in service comes at once and stays, hundreds of requests in an LLM engine, and D would take it for stability.
So "stable" is said of what knows no constant: of the averages over twentieths of the run, once it has settled, the
standard deviation over the root mean square of their steps. It is large for a path that wanders, as at the critical
load, larger for one that grows, and small for one that stays: a Student test of its logarithm against the mean for
reflected Brownian motion, and the last quarter must not be above the third. What grows above a constant is unstable
by averages B1, B2, B3 over spans that double: B3 - B2 - sqrt(2) (B2 - B1) has mean zero at the critical load.

All this holds on the system's own time scale, and a short run lies below it. What piles up at the critical load swings
as reflected Brownian motion does whose variance, a second, is that of the work that arrives, which the model knows
(``noise``). A run that swings as much, for the load is near 1, or its cycles are long, or queues take turns to grow,
shows nothing yet: so "stable" takes, besides, a Student test of the logarithm of the swing, its standard deviation,
against the mean for that motion. And as long as departures rise, what is in service still builds up, and the number
grows whatever the load: "unstable" is not said before they have settled.

Where the arrival rate varies in time, all averages are over whole periods of it (:mod:`.periods`). There is no verdict
on fewer than 20 periods, nor on an engine whose longest iteration exceeds a twentieth of the run, for within an
iteration what has come only waits and the path rises, whatever the load.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qtheory.errors import InputError, QTheoryError
from qtheory.simulate.statistics.intervals import Interval, normalised, student
from qtheory.simulate.statistics.periods import LEAST, block_averages, judged_over

CRITICAL_RATIO = 2.0 * math.sqrt(2.0) - 1.0
SPANS, SETTLING = LEAST, 2  # of a run, and how many until what is in service has come
WANDERING = 0.46  # mean of the logarithm for reflected Brownian motion; 0.39 its standard deviation
STAYING = -0.5 * math.log(2.0)  # of noise without memory, and of a constant
SWING = -1.35  # mean of the logarithm of the swing over the root of noise and horizon: -1.32 at 100 windows and more
SKEWED = 0.5  # of the error rate: the level of that test, for the logarithm's skewness of 0.3 nearly doubles its errors
SETTLED, SEEN = 0.02, 0.05  # departures rise by more than this after the second quarter: the level of that test
RISING = 0.01  # of the error rate: the level of the test for a rise, which else would leave a stable run undecided


class NotStableError(QTheoryError):
    """A steady-state mean was asked of runs that are not stable; ``verdict`` has the growth rate in its place."""

    def __init__(self, verdict: Stability) -> None:
        self.verdict = verdict
        super().__init__(f"no steady-state mean: {verdict}")


@dataclass(frozen=True)
class Stability:
    """``verdict``: stable, unstable or undecided.

    ``drift``: interval of the growth rate of the backlog (seconds of work a second); ``growth``: the same of the
    number of jobs (jobs a second); both from the two halves, (A2 - A1)/(T/2), at ``1 - 2 error_rate``.
    ``error_rate``: level of the tests, for the probability of "stable" for a network at or above its critical load, and
    of "unstable" for one at or below it, with any constant number in service. At 0.01 and the critical load
    "stable" comes in 0.7 to 1.0 percent and "unstable" in 0.7 to 1.3 (reflected Brownian motion, alone and above a
    level, from 5 to 50 replications of 100 windows): a little more than stated, for the statistics are skewed.
    ``statistic``: Student's, of D. ``note``: over which periods of the arrival rate the growth is judged, or why the
    runs allow no verdict; empty where there is nothing to say.
    """

    verdict: str
    drift: Interval
    growth: Interval
    error_rate: float
    statistic: float
    replications: int
    note: str = ""

    def __str__(self) -> str:
        return (
            f"{self.verdict} (error rate {self.error_rate:g}, {self.replications} replications); "
            f"the number of jobs grows by {self.growth} a second"
            + (f"; {self.remark}" if self.remark else "")
        )

    @property
    def remark(self) -> str:
        """The note; of what is undecided without one, what would decide."""
        if self.note or self.verdict != "undecided":
            return self.note
        return "a longer horizon or more replications would decide"


def _averages(paths: np.ndarray) -> np.ndarray:
    """Time averages over the windows by the trapezoidal rule, from 0 at the start.

    Values at the ends of windows alone are late by half a window, which counts most where a path is steep: at the
    critical load, with 100 windows and 50 replications, "stable" would come in 1.4 percent where 1 is stated.
    """
    return (paths + np.hstack((np.zeros((paths.shape[0], 1)), paths[:, :-1]))) / 2.0


def _halves(averages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    half = averages.shape[1] // 2
    return averages[:, :half].mean(axis=1), averages[:, half : 2 * half].mean(axis=1)


def _beyond_critical(averages: np.ndarray) -> np.ndarray:
    """D of each replication."""
    first, second = _halves(averages)
    return second - CRITICAL_RATIO * first


def _wandering(averages: np.ndarray) -> np.ndarray:
    """Logarithm of the standard deviation over the root mean square of the steps, of each replication."""
    length = averages.shape[1] // SPANS
    spans = averages[:, : SPANS * length].reshape(-1, SPANS, length).mean(axis=2)[:, SETTLING:]
    steps, spread = np.square(np.diff(spans, axis=1)).mean(axis=1), spans.var(axis=1)
    ratio = np.divide(spread, steps, out=np.full(steps.size, math.exp(2.0 * STAYING)), where=steps > 0.0)
    return 0.5 * np.log(ratio)


def _doubling(averages: np.ndarray) -> np.ndarray:
    """B3 - B2 - sqrt(2) (B2 - B1) of each replication."""
    eighth = averages.shape[1] // 8
    b1, b2, b3 = (averages[:, eighth * 2**i : eighth * 2 ** (i + 1)].mean(axis=1) for i in range(3))
    return np.asarray(b3 - b2 - math.sqrt(2.0) * (b2 - b1))


def _rise(averages: np.ndarray) -> np.ndarray:
    """The last quarter less the third of each replication."""
    quarter = averages.shape[1] // 4
    third, last = (averages[:, i * quarter : (i + 1) * quarter].mean(axis=1) for i in (2, 3))
    return np.asarray(last - third)


def _student(values: np.ndarray) -> float:
    """Student's statistic of the mean against 0."""
    mean, spread = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(values.size)
    return mean / spread if spread > 0 else math.copysign(math.inf, mean) if mean else 0.0


def _swing(averages: np.ndarray, scale: float) -> np.ndarray:
    """Logarithm of the standard deviation, once settled, over ``scale``, of each replication."""
    spread = averages[:, averages.shape[1] * SETTLING // SPANS :].std(axis=1) / scale
    return np.log(np.maximum(spread, math.exp(10.0 * SWING)))


def _above_zero(values: np.ndarray, level: float) -> bool:
    """Is the mean above zero, by Student's test at ``level``?"""
    from scipy.special import stdtrit

    return _student(values) > float(stdtrit(values.size - 1, 1.0 - level))


def _building_up(departed: np.ndarray) -> float:
    """By which share more departed, at equal lengths, in the second half than in the quarter before it; 0 where that is
    not seen."""
    quarter = departed.shape[1] // 4
    before, after = departed[:, quarter : 2 * quarter].sum(axis=1), departed[:, 2 * quarter : 4 * quarter].sum(axis=1)
    if not _above_zero(after / 2.0 - (1.0 + SETTLED) * before, SEEN):
        return 0.0
    return float(after.sum() / 2.0 / before.sum() - 1.0) if before.sum() > 0 else math.inf


def _verdict(averages: np.ndarray, error_rate: float, scale: float, departed: np.ndarray | None) -> tuple[str, str]:
    """The verdict, and why it is open where what decides is known; ``scale``: root of noise and horizon, or 0."""
    beyond = _beyond_critical(averages)
    grows = _above_zero(beyond, error_rate)
    rising = _above_zero(_rise(averages), RISING * error_rate)
    if not grows and not rising and _above_zero(WANDERING - _wandering(averages), SKEWED * error_rate):
        swing = _swing(averages, scale) if scale else np.full(averages.shape[0], 2.0 * SWING)
        if _above_zero(SWING - swing, SKEWED * error_rate):
            return "stable", ""
        times = math.ceil((2.0 * math.exp(float(swing.mean()) - SWING)) ** 2)
        return "undecided", ("its ups and downs are as large as those of the critical load; if they grow no more, a "
                             f"horizon {times} times as long would decide")  # fmt: skip
    # A level at the start hides what grows above it.
    if not grows and not (_above_zero(-beyond, error_rate) and _above_zero(_doubling(averages), error_rate)):
        return "undecided", ""
    rise = 0.0 if departed is None else _building_up(departed)
    if not rise:
        return "unstable", ""
    return "undecided", (f"departures rose by {rise:.1%} after the second quarter: what is in service builds up, and a "
                         "longer horizon would decide")  # fmt: skip


def stability_of_paths(
    work: np.ndarray,
    jobs: np.ndarray,
    window: float,
    error_rate: float = 0.01,
    *,
    noise: float = 0.0,
    departed: np.ndarray | None = None,
    block: float = 0.0,
    why: str = "",
) -> Stability:
    """The verdict on independent replications from the empty state.

    ``work``, ``jobs``: backlog and number of jobs at the ends of windows of ``window`` seconds, shape
    (replications, windows), at least (5, 20). ``block``: seconds of the whole periods of the arrival rate, at least 20
    in all, over which growth is judged; 0 for a rate that does not vary. ``noise``: variance, a second, of the work
    that arrives for the most loaded station, 0 where it is not known and no swing is judged; ``departed``: jobs that
    left in each window, if that is known. ``why`` no verdict is possible, if none is.
    """
    if work.shape[0] < 5 or work.shape[1] < 20:
        raise InputError(
            f"a stability test needs at least 5 replications of 20 windows, not {work.shape[0]} of {work.shape[1]}"
        )
    if not 0 < error_rate < 0.5:
        raise InputError(f"an error rate lies in (0, 0.5), not {error_rate}")
    scaled, exponent = normalised(work)
    averages, jobs_averages = _averages(scaled), _averages(jobs)
    note = why
    if block:
        averages, jobs_averages = (block_averages(a, window, block) for a in (averages, jobs_averages))
        departed = None if departed is None else block_averages(departed, window, block)
        note = why or f"judged over {averages.shape[1]} spans of {block:g} s, whole periods of the arrival rate"
    scale = math.ldexp(math.sqrt(noise * window * work.shape[1]), -exponent) if math.isfinite(noise) else 0.0
    verdict, open_why = ("undecided", "") if why else _verdict(averages, error_rate, scale, departed)
    first, second = _halves(averages)
    span = (block or window) * (averages.shape[1] // 2)
    jobs_first, jobs_second = _halves(jobs_averages)
    return Stability(
        verdict,
        student(np.ldexp((second - first) / span, exponent), 1.0 - 2.0 * error_rate, "growth of the backlog"),
        student((jobs_second - jobs_first) / span, 1.0 - 2.0 * error_rate, "growth of the number of jobs"),
        error_rate,
        _student(_beyond_critical(averages)),
        work.shape[0],
        "; ".join(filter(None, (note, open_why))),
    )


def stability(runs: Sequence[Any], error_rate: float = 0.01) -> Stability:
    """The verdict on independent replications, at least 5, of one model and one horizon.

    ``runs``: of any kind that has the paths ``backlog`` and ``present`` and the length ``window``; where they have
    them, the laws of their ``arrivals`` and their ``longest`` iteration say whether and how growth can be judged, and
    ``noise`` and ``departed`` (see :func:`stability_of_paths`) whether the horizon is long enough.
    """
    work, jobs = np.array([r.backlog for r in runs]), np.array([r.present for r in runs])
    window, windows = runs[0].window, work.shape[-1]
    block, why = judged_over(getattr(runs[0], "arrivals", ()), window, windows)
    longest = max(getattr(r, "longest", 0.0) for r in runs)
    if longest * SPANS > window * windows:
        why = (f"an iteration takes up to {longest:g} s: a horizon of at least {SPANS} of them, {SPANS * longest:g} s, "
               "would decide")  # fmt: skip
    try:
        with np.errstate(over="ignore"):
            noise = float(np.mean([getattr(r, "noise", 0.0) for r in runs]))
    except OverflowError:  # the square of a time is no number
        noise = math.inf
    departed = np.array([r.departed for r in runs], dtype=float) if hasattr(runs[0], "departed") else None
    return stability_of_paths(work, jobs, window, error_rate, noise=noise, departed=departed, block=block, why=why)
