"""Is a run stable? A test against critical growth, with error rates, before any steady-state mean is believed.

A network started empty grows linearly when it is overloaded, stays bounded when it is stable, and at the
critical load grows like the square root of time (reflected Brownian motion). Let A1 and A2 be the time averages
of the backlog over the first and the second half of a run. For a backlog that grows like t^p,
A2/A1 = 2^(1+p) - 1: 3 for linear growth, 2 sqrt(2) - 1 at the critical load, 1 for a bounded one. So the mean of
D = A2 - (2 sqrt(2) - 1) A1 is positive for overload, zero at the critical load and negative for stability: two
one-sided Student tests on independent replications, each at the stated error rate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qtheory.errors import InputError, QTheoryError
from qtheory.simulate.statistics.intervals import Interval, student

CRITICAL_RATIO = 2.0 * math.sqrt(2.0) - 1.0


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
    ``error_rate``: bound on the probability of "stable" for a network at or above its critical load, and of
    "unstable" for one at or below it. D is a little skewed (0.2 for reflected Brownian motion): at 0.01 and the
    critical load "stable" comes in 1.0 to 1.3 percent and "unstable" in 0.6 to 1.1, from 5 to 50 replications.
    """

    verdict: str
    drift: Interval
    growth: Interval
    error_rate: float
    statistic: float
    replications: int

    def __str__(self) -> str:
        return (
            f"{self.verdict} (error rate {self.error_rate:g}, {self.replications} replications); "
            f"the number of jobs grows by {self.growth} a second"
            + ("; a longer horizon or more replications would decide" if self.verdict == "undecided" else "")
        )


def _halves(paths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Time averages over the two halves by the trapezoidal rule, from 0 at the start.

    Values at the ends of windows alone are late by half a window, which counts most where a path is steep: at the
    critical load, with 100 windows and 50 replications, "stable" would come in 1.4 percent where 1 is stated.
    """
    half = paths.shape[1] // 2
    middle = (paths + np.hstack((np.zeros((paths.shape[0], 1)), paths[:, :-1]))) / 2.0
    return middle[:, :half].mean(axis=1), middle[:, half : 2 * half].mean(axis=1)


def stability_of_paths(work: np.ndarray, jobs: np.ndarray, window: float, error_rate: float = 0.01) -> Stability:
    """The verdict on independent replications from the empty state.

    ``work``, ``jobs``: backlog and number of jobs at the ends of windows of ``window`` seconds, shape
    (replications, windows), at least (5, 20).
    """
    from scipy.special import stdtrit

    if work.shape[0] < 5 or work.shape[1] < 20:
        raise InputError(
            f"a stability test needs at least 5 replications of 20 windows, not {work.shape[0]} of {work.shape[1]}"
        )
    if not 0 < error_rate < 0.5:
        raise InputError(f"an error rate lies in (0, 0.5), not {error_rate}")
    first, second = _halves(work)
    difference = second - CRITICAL_RATIO * first
    spread = float(difference.std(ddof=1)) / math.sqrt(difference.size)
    statistic = float(difference.mean()) / spread if spread > 0 else math.copysign(math.inf, difference.mean())
    limit = float(stdtrit(difference.size - 1, 1.0 - error_rate))
    if difference.any():
        verdict = "stable" if statistic < -limit else "unstable" if statistic > limit else "undecided"
    else:
        verdict = "stable"  # nothing was ever left over
    span = window * (work.shape[1] // 2)
    jobs_first, jobs_second = _halves(jobs)
    return Stability(
        verdict,
        student((second - first) / span, 1.0 - 2.0 * error_rate, "growth of the backlog"),
        student((jobs_second - jobs_first) / span, 1.0 - 2.0 * error_rate, "growth of the number of jobs"),
        error_rate,
        statistic,
        int(difference.size),
    )


def stability(runs: Sequence[Any], error_rate: float = 0.01) -> Stability:
    """The verdict on independent replications, at least 5, of one model and one horizon.

    ``runs``: of any kind that has the paths ``backlog`` and ``present`` and the length ``window``.
    """
    work, jobs = np.array([r.backlog for r in runs]), np.array([r.present for r in runs])
    return stability_of_paths(work, jobs, runs[0].window, error_rate)
