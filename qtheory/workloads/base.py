"""What every law of a prompt or output length offers: moments, tails, hazard rate, quantiles, sampling."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError

if TYPE_CHECKING:
    from qtheory.workloads.symbolic import SymbolicLaw

Array = NDArray[np.float64]
Lengths = NDArray[np.int64]

# Two computed hazard rates closer than this (relatively) count as equal: their rounding errors are below it.
HAZARD_TOLERANCE = 1e-10
# A law without a largest length is examined up to the age that a request reaches with this probability ...
EXAMINED_TAIL = 1e-12
# ... or up to this age, whichever is first.
EXAMINED_AGES = 1_000_000
# Up to here each integer is a float of its own.
GREATEST_LENGTH = 2**53


@dataclass(frozen=True)
class FailureRateVerdict:
    """Does the hazard rate never decrease? True in a condition exactly when ``increasing``.

    ``exact``: decided by an argument or in exact arithmetic, for all ages from ``first_age`` to ``last_age``
    (None: all ages); otherwise the rates at these ages were computed in floating point and compared.
    ``decrease``: the first age t whose rate exceeds that of age t + 1, with both rates, where one is known.
    """

    increasing: bool
    exact: bool
    first_age: int
    last_age: int | None
    reason: str
    decrease: tuple[int, float, float] | None = None

    def __bool__(self) -> bool:
        return self.increasing


class LengthLaw(ABC):
    """A probability law of a length O on 1, 2, ... (tokens).

    An age t is a number of tokens. Each function of ages takes an integer or an array of integers and returns
    a float or an array of the same shape; it raises InputError for what is not an integer. So do the
    constructors for parameters outside their ranges.
    """

    @property
    @abstractmethod
    def mean(self) -> float:
        """Mean length E[O] (tokens)."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """Variance of the length (tokens squared)."""

    @property
    @abstractmethod
    def minimum(self) -> int:
        """The smallest length of positive probability."""

    @property
    def maximum(self) -> int | None:
        """The largest length of positive probability; None where there is none."""
        return None

    @property
    def standard_deviation(self) -> float:
        """Square root of the variance (tokens)."""
        return float(np.sqrt(self.variance))

    def pmf(self, age: ArrayLike) -> float | Array:
        """f(t) = P(O = t)."""
        return self._at(age, self._pmf, before=0.0, beyond=0.0)

    def log_pmf(self, age: ArrayLike) -> float | Array:
        """log P(O = t), finite where f(t) itself underflows; minus infinity where f(t) is 0."""
        return self._at(age, self._log_pmf, before=-np.inf, beyond=-np.inf)

    def survival(self, age: ArrayLike) -> float | Array:
        """P(O >= t), the probability that a request generates its t-th token; 1 for t <= 1.

        This is the at-risk convention of the exclusive-batching paper (Appendix E.1), not P(O > t).
        """
        return self._at(age, self._survival, before=1.0, beyond=0.0)

    def log_survival(self, age: ArrayLike) -> float | Array:
        """log P(O >= t), finite where the probability itself underflows."""
        return self._at(age, self._log_survival, before=0.0, beyond=-np.inf)

    def hazard(self, age: ArrayLike) -> float | Array:
        """h(t) = f(t) / P(O >= t), the probability that a request which reaches age t completes there.

        Exclusive-batching paper, Section 3.2 and Appendix E.1 (there of counts, #{O = t} / #{O >= t}).
        0 below age 1; NaN at ages that no request reaches.
        """
        return self._at(age, self._hazard, before=0.0, beyond=np.nan)

    def quantile(self, probability: float) -> int:
        """The smallest length t with P(O <= t) >= ``probability`` in [0, 1)."""
        q = real("probability", probability)
        if not 0 <= q < 1:
            raise InputError(f"probability is {probability!r}; a quantile needs 0 <= probability < 1")
        low, high = self.minimum, self.minimum
        while 1 - self.survival(high + 1) < q:
            low, high = high + 1, 2 * high
            if high >= GREATEST_LENGTH:
                raise InputError(f"the quantile of {q} is beyond 2**53 tokens")
        while low < high:
            middle = (low + high) // 2
            if 1 - self.survival(middle + 1) < q:
                low = middle + 1
            else:
                high = middle
        return low

    def increasing_failure_rate(self, up_to: int | None = None) -> FailureRateVerdict:
        """Whether h(t) <= h(t + 1) at all ages that requests reach (IFR; a constant rate counts).

        Decided exactly where the family allows it. Else the computed rates of all ages up to the largest
        length, or to the first age reached with probability below 1e-12 (at most 1,000,000), are compared; the
        verdict names the ages. ``up_to``: look at the ages 1 to ``up_to`` only (the exclusive-batching paper,
        Appendix E.1, stops at the 95th percentile, ``law.quantile(0.95)``).
        """
        if up_to is None:
            return self._increasing_failure_rate()
        last = integer("up_to", up_to)
        return self._examine(min(last, self.maximum or last, EXAMINED_AGES))

    def sample(self, generator: np.random.Generator, size: int | tuple[int, ...] = 1) -> Lengths:
        """Independent lengths, an int64 array of shape ``size``, drawn from the caller's generator."""
        if not isinstance(generator, np.random.Generator):
            raise InputError(f"generator must be a numpy.random.Generator, not {type(generator).__name__}")
        shape = size if isinstance(size, tuple) else (size,)
        if any(isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0 for n in shape):
            raise InputError(f"size must be a count or a tuple of counts, not {size!r}")
        return np.asarray(self._sample(generator, shape), dtype=np.int64)

    def symbolic(self) -> SymbolicLaw:
        """The closed forms in SymPy, with None for what has none."""
        from qtheory.workloads.symbolic import symbolic_law

        return symbolic_law(self)

    @abstractmethod
    def describe(self) -> str:
        """The law in a few words."""

    # What a family defines, for float arrays of ages between 1 and the largest length.

    @abstractmethod
    def _pmf(self, t: Array) -> Array: ...

    @abstractmethod
    def _survival(self, t: Array) -> Array: ...

    @abstractmethod
    def _sample(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.generic]: ...

    def _log_pmf(self, t: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._pmf(t)))

    def _log_survival(self, t: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._survival(t)))

    def _hazard(self, t: Array) -> Array:
        return self._pmf(t) / self._survival(t)

    def _increasing_failure_rate(self) -> FailureRateVerdict:
        last = self.maximum or self.quantile(1 - EXAMINED_TAIL)
        return self._examine(min(last, EXAMINED_AGES))

    # Shared machinery.

    def _at(self, age: ArrayLike, function: Callable[[Array], Array], before: float, beyond: float) -> float | Array:
        ages = _ages(age)
        inside = ages >= 1
        values = np.where(inside, beyond, before)
        if self.maximum is not None:
            inside &= ages <= self.maximum
        if inside.any():
            values[inside] = function(ages[inside])
        return float(values) if ages.ndim == 0 else values

    def _examine(self, last: int) -> FailureRateVerdict:
        """Compare the computed hazard rates of the ages 1 to ``last``."""
        rates = self._hazard(np.arange(1, last + 1, dtype=float))
        falls = rates[1:] < rates[:-1] * (1 - HAZARD_TOLERANCE)
        if falls.any():
            i = int(np.argmax(falls))
            decrease = (i + 1, float(rates[i]), float(rates[i + 1]))
            reason = f"the hazard rate falls after age {i + 1}"
            return FailureRateVerdict(False, False, 1, last, reason, decrease)
        reason = f"no fall of the computed hazard rate at the ages 1 to {last}"
        return FailureRateVerdict(True, False, 1, last, reason)


def _ages(age: ArrayLike) -> Array:
    try:
        raw = np.asarray(age)
        if raw.dtype.kind not in "iuf" and raw.size:
            raise TypeError(f"it is of type {raw.dtype}")
        ages = raw.astype(float)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"age must be an integer or an array of integers: {error}") from None
    whole = np.isfinite(ages) & (ages == np.floor(ages))
    if not whole.all():
        index = np.unravel_index(int(np.argmin(whole)), ages.shape)
        place = f"age[{', '.join(str(int(i)) for i in index)}]" if index else "age"
        raise InputError(f"{place} is {ages[index]}; an age is an integer number of tokens")
    return ages


def real(name: str, value: object) -> float:
    """``value`` as a finite float, or InputError naming the parameter."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{name} is {value!r}; it must be a number")
    try:
        number = float(value)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise InputError(f"{name} is {number}; it must be finite")
    return number


def positive(name: str, value: object) -> float:
    """``value`` as a finite float above 0, or InputError naming the parameter."""
    number = real(name, value)
    if number <= 0:
        raise InputError(f"{name} is {value!r}; it must be above 0")
    return number


def integer(name: str, value: object, least: int = 1) -> int:
    """``value`` as an int of at least ``least``, or InputError naming the parameter."""
    number = real(name, value)
    if number != np.floor(number):
        raise InputError(f"{name} is {value!r}; it must be an integer")
    if number < least:
        raise InputError(f"{name} is {value!r}; it must be at least {least}")
    if number > GREATEST_LENGTH:
        raise InputError(f"{name} is {number:.17g}; it must be at most 2**53")
    return int(number)
