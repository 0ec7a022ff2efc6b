"""How far the uncertainty of measured constants reaches into what is computed from them.

``propagate`` carries the profiles' covariances to any function of their laws, such as a threshold, a throughput or a
plan's shadow price, by the delta method. ``bootstrap`` finds the same from the measurements themselves, by fitting
resampled points: slower, and the check of the former.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError
from qtheory.models.laws import Law
from qtheory.profiles import robust
from qtheory.profiles.estimating import most_likely
from qtheory.profiles.fitting import clusters
from qtheory.profiles.measurements import Measurements
from qtheory.profiles.robust import Errors
from qtheory.profiles.schema import HardwareProfile

Array = NDArray[np.float64]

_STEP = 1e-2  # of a standard error: small beside the noise, large beside rounding
_LEAST = 1e-7  # of the constant: no smaller step has a reliable difference


@dataclass(frozen=True)
class Estimate:
    """Values computed from measured constants, with standard errors and the ends of intervals at ``confidence``.

    ``value``, ``standard_error``, ``low`` and ``high`` have the shape of what the function returned; they are in its
    units. ``covariance`` (values, values) is that of the flattened values.
    """

    value: Array
    standard_error: Array
    low: Array
    high: Array
    covariance: Array
    confidence: float


def propagate(
    function: Callable[..., ArrayLike],
    *profiles: HardwareProfile,
    confidence: float = 0.95,
) -> Estimate:
    """The delta method: ``function(law, ...)`` of the profiles' laws, one argument each, with its uncertainty.

    The function must be smooth around the constants; a floor or the choice of a mode has to be held fixed in it.
    Different profiles are taken for independent. Quantiles are Student's with the fewest rows less constants that a
    profile records, normal where none records them.
    Raises InputError for a profile without covariance, and for values that are not finite.
    """
    laws = [profile.law for profile in profiles]
    value = _finite(function(*laws), "at the profiles' constants")
    spread = np.zeros((value.size, value.size))
    for index, profile in enumerate(profiles):
        table = profile.law_table
        if table is None or table.covariance is None:
            raise InputError(f"profile {profile.name}: no covariance of its constants, from which an interval could be "
                             "computed; fits of measurements record it")
        matrix = table.covariance.array()
        slopes = np.stack([
            _slope(function, laws, index, name, float(np.sqrt(variance)), value.size)
            for name, variance in zip(table.covariance.constants, np.diag(matrix), strict=True)
        ], axis=-1)
        spread += slopes @ matrix @ slopes.T
    deviation = np.sqrt(np.maximum(np.diag(spread), 0.0)).reshape(value.shape)
    half = _quantile(profiles, confidence) * deviation
    return Estimate(value, deviation, value - half, value + half, spread, confidence)


def _slope(
    function: Callable[..., ArrayLike], laws: Sequence[Law], index: int, name: str, deviation: float, size: int
) -> Array:
    """Derivative (values,) by one constant of one law: central, or forward where the constant stands at 0."""
    if deviation == 0:
        return np.zeros(size)
    law = laws[index]
    at = law.constants[name]
    step = max(_STEP * deviation, _LEAST * abs(at))
    below = at - step if law.signed or at > step else at

    def moved(value: float) -> Array:
        changed = type(law)(**(law.constants | {name: value}))
        return _finite(function(*laws[:index], changed, *laws[index + 1:]), f"at {name} = {value!r}").ravel()

    return np.asarray((moved(at + step) - moved(below)) / (at + step - below))


def _finite(value: ArrayLike, where: str) -> Array:
    array = np.asarray(value, dtype=float)
    if not np.isfinite(array).all():
        raise InputError(f"the function is not finite {where}")
    return array


def _quantile(profiles: Sequence[HardwareProfile], confidence: float) -> float:
    if not 0 < confidence < 1:
        raise InputError(f"confidence = {confidence}: a number between 0 and 1 is wanted")
    from scipy import stats  # half a second, which most commands need not wait for

    freedoms = [p.fit.rows - len(p.law_table.constants) for p in profiles if p.fit and p.law_table]
    return float(stats.t.ppf((1 + confidence) / 2, max(min(freedoms), 1))) if freedoms else float(
        stats.norm.ppf((1 + confidence) / 2))


def bootstrap(
    function: Callable[[Law], ArrayLike],
    law: type[Law],
    data: Measurements,
    *,
    errors: Errors = "relative",
    samples: int = 200,
    confidence: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """``function(law)`` of the most likely law, with its spread over fits of resampled points, repeats together.

    A breakpoint is searched anew in every sample. Raises InputError for fewer than 20 samples or values not finite.
    """
    if samples < 20 or not 0 < confidence < 1:
        raise InputError(f"samples = {samples}, confidence = {confidence}: at least 20, and one in (0, 1), are wanted")
    value = _finite(function(law(**most_likely(law, data, errors).constants)), "at the fitted constants")
    groups = clusters(law, data)
    count = int(groups.max()) + 1
    draw = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=samples)
    found = np.stack([_finite(function(sample), "at a resampled fit").ravel()
                      for sample in _refitted(law, data, draw[:, groups].astype(float), errors)])
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(found, tails, axis=0)
    covariance = np.atleast_2d(np.cov(found, rowvar=False))
    deviation = np.sqrt(np.diag(covariance))
    shape = value.shape
    return Estimate(value, deviation.reshape(shape), low.reshape(shape), high.reshape(shape), covariance, confidence)


def _refitted(law: type[Law], data: Measurements, weights: Array, errors: Errors) -> list[Law]:
    """The law fitted to each sample; ``weights`` (samples, rows) count the rows."""
    if law.breakpoint is not None:
        index = [np.repeat(np.arange(len(row)), row.astype(int)) for row in weights]
        return [law(**most_likely(law, data.rows(rows), errors).constants) for rows in index]
    design = law.design(data.columns)[None]
    batch = robust.fit(design, data.seconds, weights, errors=errors, signed=law.signed)
    return [law(**dict(zip(law.constant_names(), map(float, theta), strict=True))) for theta in batch.theta]
