"""Was a system saturated, by a recorded log of its requests: a test with stated error rates.

A log shows when requests arrived, had their first token and were complete. Work is counted in tokens: a prompt's when
the first token comes, an output's when the last one does, so that the work that has arrived less the work that is done,
V, is known at every moment, whatever the scheduler. A system is saturated when work comes as fast as it is done while
there is enough of it, or faster.

*Rates.* The log is cut into blocks of equal length. The rate at which work comes is its mean over all blocks; the rate
at which it can be done is the mean over those blocks that begin with V above its lowest third, when work is there. The
blocks are chosen by what came before them, so that the mean is that of the service under pressure; where pressure is
rare it comes out too low, never below the rate of arrival in a system that is not saturated. The logarithm of the ratio
has a standard error from batch means, which tells correlations up to a twenty-fifth of the log, and a Student test.

*Swing.* At the critical load V is a reflected Brownian motion, whose standard deviation over the log is hardly ever
small against what comes and goes by chance (`least_swing`). A log whose V swings less was not saturated; so are told
the loads at which a queue is soon empty and the rates above say little.

Both tests suppose that the requests come alike all along. A log of which most comes in a small part of the time, as
when a machine stood idle before or after, is not decided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError

Array = NDArray[np.float64]

BLOCKS, BATCHES = 200, 25
PRESSED = 1 / 3  # share of the moments below which V is low
BY_SWING = 0.25  # of the error rate: the level of the test by the swing, one of two that say "not saturated"
GATHERED = 0.5  # of the work in one of the batches: beyond it their spread tells nothing
LEAST = 1000  # requests in a log
# Pr(swing < x) is 0.90 to 0.995 of exp(-SWING[1] - SWING[0]/x^2) where that is 0.0005 to 0.1: by 10,000,000 paths of
# |B|, whose law is that of reflected Brownian motion from 0, seen at the moments 1/200, 2/200, ..., 1.
SWING = (0.0481, 0.295)


@dataclass(frozen=True)
class Saturation:
    """``verdict``: saturated, not saturated or undecided; each of the two wrong with at most ``error_rate``.

    ``load``: work that comes over work that can be done, with its interval at ``1 - 2 error_rate``; ``capacity`` and
    ``rate`` in tokens a second (in requests, for a log without lengths); ``swing``: of the backlog, over what chance
    would make of it at the critical load, and ``least_swing``, below which the log was not saturated.
    """

    verdict: str
    reason: str
    error_rate: float
    load: float
    low: float
    high: float
    rate: float
    capacity: float
    swing: float
    least_swing: float
    requests: int
    seconds: float
    unit: str


def work_done(times: Array, first: Array, end: Array, prompt: Array, output: Array) -> Array:
    """Work done up to each of the ``times``: prompts at the first token, outputs at the last; NaN: not yet."""
    at, work = np.concatenate((first, end)), np.concatenate((prompt, output))
    seen = np.isfinite(at)
    order = np.argsort(at[seen], kind="stable")
    total = np.concatenate(([0.0], np.cumsum(work[seen][order])))
    return np.asarray(total[np.searchsorted(at[seen][order], times, side="right")])


def least_swing(level: float) -> float:
    """Below it the standard deviation over time of reflected Brownian motion on [0, 1] of variance 1, seen at 200
    moments, lies with a probability of at most ``level``, from 0.0005 to 0.1, and of at least 0.9 of that. The form is
    that of a small ball's probability."""
    return math.sqrt(SWING[0] / (-math.log(level) - SWING[1]))


def saturation(arrival: ArrayLike, first: ArrayLike, end: ArrayLike, prompt: ArrayLike | None = None,
               output: ArrayLike | None = None, error_rate: float = 0.01) -> Saturation:
    """The verdict on a log: times of arrival, of the first token and of completion in seconds, lengths in tokens.

    Arrays of one length, at least 1,000 requests, in any order. A request that had no first token, or was not complete,
    when the log ended has NaN there, and may have NaN for its output. Without lengths each request counts as one,
    half of it at its first token. Raises InputError, naming the request, for times that fall and lengths below 0.
    """
    if not 0.002 <= error_rate <= 0.1:
        raise InputError(f"an error rate lies in [0.002, 0.1], not {error_rate}")
    come, start, done, p, d = _columns(arrival, first, end, prompt, output)
    begin, last = float(come[0]), float(come[-1])
    if not last > begin:
        raise InputError("all requests of the log arrive at one moment; it shows no rate")
    if not np.isfinite(done).any():
        raise InputError("no request of the log was completed")
    d = np.where(np.isfinite(d), d, float(np.mean(d[np.isfinite(d)])))
    edges = np.linspace(begin, last, BLOCKS + 1)
    arrived = np.concatenate(([0.0], np.cumsum(p + d)))[np.searchsorted(come, edges, side="right")]
    served = work_done(edges, start, done, p, d)
    waiting, a, s = arrived - served, np.diff(arrived), np.diff(served)
    if not a.sum() > 0:
        raise InputError("no work comes after the log's first request")
    pressed = s[waiting[:-1] > np.quantile(waiting, PRESSED)]
    if pressed.size < BATCHES:  # there is hardly ever pressure, and the swing alone can tell
        pressed = s
    return _verdict(waiting, a, pressed, (last - begin) / BLOCKS, error_rate, come.size,
                    "requests" if prompt is None else "tokens")


def _verdict(waiting: Array, a: Array, pressed: Array, block: float, error_rate: float, requests: int, unit: str
             ) -> Saturation:
    from scipy.special import stdtrit

    coming, spread = _mean(a)
    doing, noise = _mean(pressed)
    swing, least = 0.0, least_swing(BY_SWING * error_rate)
    if spread > 0:  # the arrivals' variance over the log, without the service's: the scale is rather too small
        swing = float(waiting[1:].std() / (spread * BLOCKS))
    load = coming / doing if doing > 0 else math.inf
    error = math.hypot(spread / coming, noise / doing) if doing > 0 else math.inf
    bound = float(stdtrit(BATCHES - 1, 1 - error_rate))
    stricter = float(stdtrit(BATCHES - 1, 1 - (1 - BY_SWING) * error_rate))
    low, high = (load * math.exp(sign * bound * error) if math.isfinite(error) else load for sign in (-1, 1))
    most = max(part.sum() for part in np.array_split(a, BATCHES)) / a.sum()
    if most > GATHERED:
        verdict, reason = "undecided", (f"{most:.0%} of the work comes within 1/{BATCHES} of the log's time, of which "
                                        "the rest says nothing; a log of that part alone would decide")
    elif math.log(load) > bound * error:
        verdict, reason = "saturated", (f"work comes at {load:.4f} [{low:.4f}, {high:.4f}] of the rate at which it is "
                                        "done under pressure")
    elif spread > 0 and swing < least:
        verdict, reason = "not saturated", (f"the backlog swings by {swing:.3f} of what chance would make of it at the "
                                            f"critical load, where less than {least:.3f} is rare")
    elif math.log(load) < -stricter * error:
        verdict, reason = "not saturated", (f"work comes at {load:.4f} [{low:.4f}, {high:.4f}] of the rate at which it "
                                            "is done under pressure")
    else:
        verdict, reason = "undecided", (f"the load is {load:.4f} [{low:.4f}, {high:.4f}], so that the critical one is "
                                        "among what chance allows; a longer log would decide")
    return Saturation(verdict, reason, error_rate, load, low, high, coming / block, doing / block, swing, least,
                      requests, block * BLOCKS, unit)


def _mean(values: Array) -> tuple[float, float]:
    """The mean of values in their order, and its standard error by means of batches of them."""
    batches = np.array([part.mean() for part in np.array_split(values, min(BATCHES, values.size))])
    return float(values.mean()), float(batches.std(ddof=1) / math.sqrt(batches.size))


def _columns(arrival: ArrayLike, first: ArrayLike, end: ArrayLike, prompt: ArrayLike | None, output: ArrayLike | None
             ) -> tuple[Array, Array, Array, Array, Array]:
    come = np.asarray(arrival, dtype=float)
    half = np.full(come.size, 0.5)
    named = {"arrival": come, "first token": first, "completion": end, "prompt": half if prompt is None else prompt,
             "output": half if output is None else output}
    columns = {}
    for name, values in named.items():
        columns[name] = np.asarray(values, dtype=float)
        if columns[name].shape != (come.size,) or come.ndim != 1:
            raise InputError(f"{name}: {columns[name].size} values for {come.size} arrivals")
    if come.size < LEAST:
        raise InputError(f"the log has {come.size} requests; the test needs {LEAST} at least")
    for name, low, high in (("first token", "arrival", "first token"), ("completion", "first token", "completion")):
        wrong = (columns[high] < columns[low]) | (np.isfinite(columns[high]) & ~np.isfinite(columns[low]))
        if wrong.any():
            i = int(np.argmax(wrong))
            raise InputError(f"request {i + 1}: its {name} at {columns[high][i]} is before its {low}, "
                             f"{columns[low][i]}")
    for name in ("arrival", "prompt"):
        if not np.isfinite(columns[name]).all():
            raise InputError(f"request {int(np.argmin(np.isfinite(columns[name]))) + 1}: its {name} is missing")
    for name in ("prompt", "output"):
        if (columns[name] < 0).any():
            raise InputError(f"request {int(np.argmax(columns[name] < 0)) + 1}: its {name} is below 0")
    if not 0 < float(np.nansum(columns["prompt"] / 1e9 + columns["output"] / 1e9)) < 1e12:
        raise InputError("the requests of the log are no work at all, or more tokens than can be counted")
    order = np.argsort(come, kind="stable")
    come, start, done, p, d = (column[order] for column in columns.values())
    return come, start, done, p, d
