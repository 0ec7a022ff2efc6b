"""The best phase of exclusive batching under any nondecreasing iteration-time law and any output law.

The fluid model of `kept_ages`: N slots, phases of D iterations, cohorts 0, D, 2D, ... iterations old. With ``S(t) =
Pr(O > t)`` the batch that starts a phase has N requests, of which ``n_i = N R_i/R_0`` decode in iteration i, ``R_i =
sum_j S(i + j D)``; N/R_0 of them are new. The time of a request is

    c(D) = (T_p(N L/R_0) + sum_{i < D} T_d(n_i)) R_0/N,

which is ``(alpha_d D + alpha_p) R_0/N`` and what the tokens cost where both laws are affine. The laws never decrease,
so that ``c`` lies between its values at ``n_i`` a little less and a little more: an interval that holds it in spite of
rounding. No phase of D iterations takes less than ``(T_p(1) + D T_d(1))/N`` a request, so that a search from D = 1 on
ends where this exceeds the least found: the minimum is over all D.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError

Array = NDArray[np.float64]
Law = Callable[[Array], Array]

ROUNDING = 1e-11  # relative, of sums of at most a million positive terms and their quotients


class Phase(NamedTuple):
    """A phase of ``iterations``, at whose end the share ``theta`` has completed; seconds a request between ``low`` and
    ``high``; ``certain``: whether every other phase takes longer, for sure."""

    iterations: int
    theta: float
    low: float
    high: float
    certain: bool = True


def phase_cost(survivors: Array, iterations: int, slots: int, prompt: float, prefill: Law, decode: Law) -> Phase:
    """Seconds a request of phases of so many iterations; arguments as for `best_phase`."""
    padded = np.zeros(-(-survivors.size // iterations) * iterations)
    padded[: survivors.size] = survivors
    batch = padded.reshape(-1, iterations).sum(axis=0)
    ends = []
    for factor in (1 - ROUNDING, 1 + ROUNDING):
        loaded = float(prefill(np.array([slots * prompt / batch[0] * factor]))[0])
        decoded = float(decode(np.minimum(slots * batch / batch[0] * factor, slots)).sum())
        ends.append((loaded + decoded) * float(batch[0]) / slots * factor)
    return Phase(iterations, float(1 / batch[0]), ends[0], ends[1])


def best_phase(survivors: ArrayLike, slots: int, prompt: float, prefill: Law, decode: Law) -> Phase:
    """The phase with the least time a request, over all lengths.

    ``survivors[t] = Pr(O > t)``, t = 0, 1, ..., falling from 1; ``prompt``: mean prompt length (tokens); ``prefill``,
    ``decode``: seconds of iterations with so many tokens, arrays to arrays, nondecreasing.
    Raises InputError for other survivors, and for a law that decreases between 1 and what occurs.
    """
    tail = np.asarray(survivors, dtype=float)
    if tail.ndim != 1 or not tail.size or tail[0] != 1 or (np.diff(tail) > 0).any() or (tail < 0).any():
        raise InputError("survivors must fall from Pr(O > 0) = 1 and stay at least 0")
    seen = np.geomspace(1, max(slots * prompt, 2), 400)
    for name, law in (("prefill", prefill), ("decode", decode)):
        if (np.diff(law(seen)) < 0).any():
            raise InputError(f"the {name} law decreases with the tokens")
    least = np.array([1.0])
    start, each = float(prefill(least * 0)[0]), float(decode(least * 0)[0])
    best: Phase | None = None
    certain = True
    for D in range(1, tail.size + 1):
        if best is not None and (start + D * each) / slots > best.high:
            break
        found = phase_cost(tail, D, slots, prompt, prefill, decode)
        if best is None or found.low < best.low:
            certain = best is None or found.high < best.low
            best = found
        elif found.low <= best.high:
            certain = False
    assert best is not None
    return best._replace(certain=certain)


def overflow_bound(survivors: ArrayLike, iterations: int, slots: int, prompt: float, capacity: float) -> float:
    """A bound on Pr(the memory exceeds ``capacity`` in a decode phase), phases of so many iterations in steady state.

    With phases of one length D the slots are independent, whatever the output law: in iteration i a slot decodes a
    request that is i + j D iterations old with probability ``S(i + j D)/R_0``, which then holds its prompt and
    i + j D + 1 tokens. The bound is Chernoff's, summed over the phase's iterations, at the best of its parameters; any
    of them gives one. Memory in tokens, all prompts of length ``prompt``.
    """
    from scipy.optimize import minimize_scalar

    tail = np.asarray(survivors, dtype=float)
    padded = np.zeros(-(-tail.size // iterations) * iterations)
    padded[: tail.size] = tail
    shares = padded.reshape(-1, iterations)
    shares = shares / shares[:, 0].sum()
    held = prompt + 1.0 + np.arange(padded.size, dtype=float).reshape(shares.shape)
    if slots * float((shares * held).sum(axis=0).max()) >= capacity:
        return 1.0
    idle = 1 - shares.sum(axis=0)
    top = float(held[shares > 0].max())

    def logarithm(s: float) -> float:
        scaled = (shares * np.exp(s * (held - top))).sum(axis=0) + idle * np.exp(-s * top)
        each = slots * (np.log(scaled) + s * top) - s * capacity
        most = float(each.max())
        return most + float(np.log(np.exp(each - most).sum()))

    # beyond this a slot that holds the most outweighs all others, and the logarithm grows
    best = minimize_scalar(logarithm, bounds=(0.0, 60.0 * slots / capacity), method="bounded").fun
    return float(min(1.0, np.exp(min(best, 0.0))))


def safe_slots(survivors: ArrayLike, iterations: int, prompt: float, capacity: float, eps: float) -> int:
    """The most slots whose `overflow_bound` is at most ``eps``; 0 where not even one is safe."""
    low, high = 0, int(capacity // (prompt + 1)) + 1
    while high - low > 1:
        middle = (low + high) // 2
        safe = overflow_bound(survivors, iterations, middle, prompt, capacity) <= eps
        low, high = (middle, high) if safe else (low, middle)
    return low
