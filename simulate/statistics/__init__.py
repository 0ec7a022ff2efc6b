"""Estimates with intervals, and a verdict on stability before any of them."""

from qtheory.simulate.statistics.intervals import Interval, batch_means, paired_difference, regenerative, student
from qtheory.simulate.statistics.quantiles import histogram_quantile, sojourn_quantile
from qtheory.simulate.statistics.stability import NotStableError, Stability, stability
from qtheory.simulate.statistics.steady import (
    Decided,
    Sequential,
    regenerative_sojourn,
    steady_state,
    until_decided,
    until_precise,
    warm_up_windows,
)

__all__ = [
    "Decided",
    "Interval",
    "NotStableError",
    "Sequential",
    "Stability",
    "batch_means",
    "histogram_quantile",
    "paired_difference",
    "regenerative",
    "regenerative_sojourn",
    "sojourn_quantile",
    "stability",
    "steady_state",
    "student",
    "until_decided",
    "until_precise",
    "warm_up_windows",
]
