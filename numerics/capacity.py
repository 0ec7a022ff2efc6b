"""Critical request rates of one LLM engine under schedulers that are not work-conserving, computed exactly.

Below the rate returned the engine is stable, above it the requests that wait grow without bound: in each case the
rate at which requests leave while very many wait, or, under prefill-first batches, while very many decode.  Requests
arrive in a Poisson process (only prefill-first batches depend on more than its rate), every prompt has the same
length L in tokens, output lengths O >= 1 are independent, and a request decodes one token an iteration.

Arguments throughout: ``time(prefill, decode)``: seconds of an iteration with so many tokens of each kind, arrays of
one shape to an array; ``prompt``: L; ``survivors[j] = Pr(O > j)``, j = 0, 1, ..., shape (n,), cut where it is
negligible; ``hazard``: the constant hazard rate p of a geometric output length.  Rates are in requests a second.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError

Array = NDArray[np.float64]
Time = Callable[[Array, Array], Array]

_NEGLIGIBLE = 1e-17  # binomial probabilities left out, each
_CLOSE = 1e-9  # relative width of the bounds on a rate
LARGEST = 200_000  # states of a chain
_DENSE = 1500  # states up to which elimination is faster than iterations


def one_batch(n: int, prompt: int, survivors: ArrayLike, time: Time) -> float:
    """Request-level batching in batches of ``n``: n over the time of one prefill batch and of the decode to its end.

    After j iterations a binomial number of the n requests is left, each with probability Pr(O > j).
    """
    _whole(n=n, prompt=prompt)
    return n / (_one(time, n * prompt, 0) + decode_to_the_end(n, survivors, time))


def decode_to_the_end(n: int, survivors: ArrayLike, time: Time) -> float:
    """Mean seconds until the last of ``n`` requests that start together has decoded its output."""
    from scipy.stats import binom

    tail = _survivors(survivors)
    left, rows = np.arange(1, n + 1), 1 + 10**6 // n  # at a time, for the room that they take
    seconds = np.asarray(time(np.zeros(n), left.astype(float)))
    parts = (tail[i:i + rows, None] for i in range(0, len(tail), rows))
    return float(sum((binom.pmf(left, n, part) @ seconds).sum() for part in parts))


def decode_first(prompt: int, budget: int, survivors: ArrayLike, time: Time) -> float:
    """Decode-first exclusive batches (FasterTransformer): a full batch of prompt tokens, the last prompt cut, then the
    requests whose prompts it ended decode to the end.

    The tokens of the cut prompt that are done run through the multiples of gcd(L, b): over L/gcd(L, b) prefill
    batches b/gcd(L, b) prompts end, at most ceil(b/L) in one batch.
    """
    _whole(prompt=prompt, budget=budget)
    step = math.gcd(prompt, budget)
    done = np.arange(0, prompt, step)
    ended = (done + budget) // prompt
    seconds = {int(n): decode_to_the_end(int(n), survivors, time) if n else 0.0 for n in np.unique(ended)}
    total = done.size * _one(time, budget, 0) + sum(seconds[int(n)] for n in ended)
    return float(ended.sum() / total)


def switching(k: int, slots: int, prompt: int, hazard: float, time: Time) -> float:
    """EB(k) with N = ``slots`` and geometric outputs: decode from N requests until at least k slots are idle, then one
    prefill batch for all of them.

    Geometric outputs have no age, so each decode phase begins anew, and the rate is that of a renewal-reward process.
    For k = N it is `one_batch`, whatever the output law.
    """
    _whole(k=k, slots=slots, prompt=prompt)
    if k > slots:
        raise InputError(f"k is {k}; at most all {slots} slots can be idle")
    seconds, visits, idle = 0.0, np.zeros(slots + 1), np.zeros(slots + 1)
    visits[slots] = 1.0  # expected number of iterations with so many requests, from all slots busy
    for n in range(slots, slots - k, -1):
        after = _left(n, hazard)
        visits[n] /= 1.0 - after[n]
        seconds += visits[n] * _one(time, 0, n)
        flow = visits[n] * after[:n]
        inside = max(slots - k + 1, 0)
        visits[inside:n] += flow[inside:]
        idle[slots - np.arange(min(inside, n))] += flow[:inside]
    refilled = np.arange(slots + 1)
    some = refilled[idle > 0].astype(float)
    seconds += float(idle[idle > 0] @ time(some * prompt, np.zeros(some.size)))
    return float(idle @ refilled / seconds)


def cycle(n: int, columns: int, chunk: int, prompt: int, time: Time, *, hazard: float | None = None,
          survivors: ArrayLike | None = None, refill: bool = False) -> float:
    """A cycle of the tiling paper: ``n`` prompts in chunks of at most ``chunk`` tokens, one request a batch, and
    decodes of at most ``columns`` requests.

    Algorithm 2 prefills all n first; RAD (``refill``) until ``columns`` requests decode, and again when one has ended.
    Geometric outputs by their ``hazard``: the decoding requests and the prompts to come are a chain that only falls.
    Others by their ``survivors``, where n <= columns: then all n decode together under both.
    """
    _whole(n=n, columns=columns, chunk=chunk, prompt=prompt)
    full, rest = divmod(prompt, chunk)
    prefill = full * _one(time, chunk, 0) + (_one(time, rest, 0) if rest else 0.0)
    if survivors is not None and n <= columns:
        return n / (n * prefill + decode_to_the_end(n, survivors, time))
    if hazard is None:
        raise InputError(f"outputs that are not geometric need n <= columns, not {n} and {columns}")
    laws = [_left(m, hazard) for m in range(min(n, columns) + 1)]
    if not refill:
        left = np.zeros(n + 1)
        for m in range(1, n + 1):
            active = min(m, columns)
            law = laws[active]
            others = law[:active] @ left[m - active:m]
            left[m] = (_one(time, 0, active) + others) / (1.0 - law[active])
        return float(n / (n * prefill + left[n]))
    most = min(n, columns)
    before = np.zeros(most + 1)  # seconds to the cycle's end with d decoding, one prompt fewer to come
    for to_come in range(n + 1):
        now = np.zeros(most + 1)
        if to_come:
            now[:most] = prefill + before[1:]
        for d in [most] if to_come else range(1, most + 1):
            others = laws[d][:d] @ now[:d]
            now[d] = (_one(time, 0, d) + others) / (1.0 - laws[d][d])
        before = now
    return float(n / before[0])


def prefill_first(prompt: int, budget: int, mean_output: float, time: Time) -> float:
    """Prefill-first exclusive batches (vanilla vLLM): a decode batch only when no prompt token waits.

    With more than b requests decoding, a cycle is a full decode batch and the prefill batches, of at most b tokens and
    the last prompt cut, until no prompt token waits. The tokens that wait are a Markov chain on the multiples of
    gcd(L, b), and the decode tokens to come fall if ``rate mean_output E[cycle] < b``: the rate returned makes the two
    sides equal. Output lengths matter by their mean alone.

    The chain is cut where bounds from below (beyond the cut nothing more) and from above (beyond it a linear function
    that falls by at least the time of each batch) are within 1e-9 of each other.
    """
    from scipy.optimize import brentq

    _whole(prompt=prompt, budget=budget)
    if not mean_output > 0:
        raise InputError(f"mean_output is {mean_output}; it must be positive")
    tokens = np.arange(1.0, budget + 1.0)
    # No cycle has more tokens a second than the best batch; and prompts alone must not be too many.
    best = max(float((tokens / time(tokens, np.zeros(budget))).max()), budget / _one(time, 0, budget))
    high = min((1.0 + 1e-6) * best / (prompt + mean_output), (1.0 - 1e-4) * budget / (prompt * _one(time, budget, 0)))
    size = 4 * (budget + prompt)

    def surplus(rate: float, upper: bool) -> float:
        if rate == 0:
            return -1.0
        return rate * mean_output * _between_decodes(rate, prompt, budget, time, size, upper) / budget - 1.0

    while size // math.gcd(prompt, budget) <= LARGEST:
        if surplus(high, False) > 0:
            rate = float(brentq(surplus, 0.0, high, args=(False,), xtol=1e-12 * high, rtol=1e-12))
            if surplus(rate, True) < _CLOSE:  # it grows at least in proportion to the rate
                return rate
        size *= 2
    raise InputError(f"prompts of {prompt} tokens and a budget of {budget} need a chain of more than {LARGEST} states")


def _between_decodes(rate: float, prompt: int, budget: int, time: Time, size: int, upper: bool) -> float:
    """Mean seconds from a decode batch of b tokens to the next, bounded from above or below by a cut at ``size``."""
    from scipy.sparse import csr_matrix
    from scipy.stats import poisson

    step = math.gcd(prompt, budget)
    tokens = np.arange(step, size + 1, step)
    done = np.minimum(tokens, budget)
    own = time(np.arange(step, budget + 1, step, dtype=float), np.zeros(budget // step))
    seconds = own[done // step - 1]
    full = float(own[-1])
    slope = full / (budget - rate * prompt * full) if budget > rate * prompt * full else math.inf
    at = np.arange(step, budget + 1, step)
    offset = float(max(0.0, ((own * (1 + slope * rate * prompt) - slope * at) * np.exp(rate * own)).max()))
    mean = rate * max(float(own.max()), _one(time, 0, budget))
    arrivals = np.arange(int(mean + 10.0 * math.sqrt(mean) + 20.0))  # more of them: below 1e-17
    law = poisson.pmf(arrivals[:, None], rate * own[None, :])[:, done // step - 1]
    to = (tokens - done)[None, :] + prompt * arrivals[:, None]
    inside, outside = (to > 0) & (to <= size), to > size
    rows = np.broadcast_to(np.arange(tokens.size), to.shape)
    onward = csr_matrix((law[inside], (rows[inside], to[inside] // step - 1)), shape=(tokens.size, tokens.size))
    given = seconds + ((law * (offset + slope * to) * outside).sum(axis=0) if upper else 0.0)
    if tokens.size <= _DENSE:
        left = np.linalg.solve(np.eye(tokens.size) - onward.toarray(), given)
    else:
        # From 0 the iterates rise, from the linear function they fall: a bound on either side at each step.
        left, was = offset + slope * tokens if upper else np.zeros(tokens.size), np.full(tokens.size, np.inf)
        while np.abs(left - was).max() > 1e-13 * np.abs(left).max():
            left, was = given + onward @ left, left
    decode = _one(time, 0, budget)
    total = decode
    for k, chance in zip(arrivals[1:], poisson.pmf(arrivals[1:], rate * decode), strict=True):
        if k * prompt <= size:
            total += float(chance * left[k * prompt // step - 1])
        elif upper:
            total += float(chance * (offset + slope * k * prompt))
    return total


def mixed(slots: int, budget: int, prompt: int, hazard: float, time: Time) -> float:
    """Decode-first mixed batches of at most ``budget`` tokens on ``slots`` slots, geometric outputs.

    The decoding requests and the tokens left of the one prompt that was begun are a Markov chain. By power
    iterations, until the rate stands still to 1e-11 over 100 of them.
    """
    from scipy.sparse import csr_matrix

    _whole(slots=slots, budget=budget, prompt=prompt)
    if (slots + 1) * prompt > LARGEST:
        raise InputError(f"{slots} slots and prompts of {prompt} tokens need more than {LARGEST} states")
    laws = [_left(m, hazard) for m in range(min(slots, budget) + 1)]
    rows: list[Any] = []
    columns: list[Any] = []
    chances: list[Any] = []
    prefill, decode = np.zeros((slots + 1) * prompt), np.zeros((slots + 1) * prompt)
    for d in range(slots + 1):
        for left in range(prompt if d < slots else 1):
            state = d * prompt + left
            decode[state] = min(d, budget)
            prefill[state], ended, begun = _chunks(d, left, slots, prompt, budget - min(d, budget))
            law = laws[min(d, budget)]
            kept = np.flatnonzero(law > _NEGLIGIBLE)
            rows.append(np.full(kept.size, state))
            columns.append((d - min(d, budget) + kept + ended) * prompt + begun)
            chances.append(law[kept])
    shape = (prefill.size, prefill.size)
    onward = csr_matrix((np.concatenate(chances), (np.concatenate(columns), np.concatenate(rows))), shape=shape)
    reached = prefill + decode > 0
    seconds = np.zeros(prefill.size)
    seconds[reached] = time(prefill[reached], decode[reached])
    share, rate, mean = np.zeros(prefill.size), -1.0, np.zeros(prefill.size)
    share[0] = 1.0
    while True:
        # averaged over 100 steps: the chain may be periodic
        mean[:] = 0.0
        for _ in range(100):
            share = onward @ share
            mean += share
        share /= share.sum()
        was, rate = rate, float(hazard * (mean @ decode) / (mean @ seconds))
        if abs(rate - was) <= 1e-11 * rate:
            return rate


def _chunks(decoding: int, left: int, slots: int, prompt: int, room: int) -> tuple[int, int, int]:
    """Prompt tokens loaded into ``room`` tokens, prompts that end, and tokens left of a prompt that is begun."""
    loaded = min(left, room)
    left, ended = left - loaded, int(0 < left == loaded)
    if left == 0:
        whole = min((room - loaded) // prompt, slots - decoding - ended)
        loaded, ended = loaded + whole * prompt, ended + whole
        if loaded < room and decoding + ended < slots:
            left, loaded = prompt - (room - loaded), room
    return loaded, ended, left


def _left(n: int, hazard: float) -> Array:
    """Probabilities of 0, ..., n requests left of n after an iteration."""
    from scipy.stats import binom

    if not 0 < hazard <= 1:
        raise InputError(f"hazard is {hazard}; it must lie in (0, 1]")
    return np.asarray(binom.pmf(np.arange(n + 1), n, 1.0 - hazard))


def _one(time: Time, prefill: int, decode: int) -> float:
    return float(time(np.array([float(prefill)]), np.array([float(decode)]))[0])


def _survivors(values: ArrayLike) -> Array:
    tail = np.asarray(values, dtype=float)
    if tail.ndim != 1 or not tail.size or tail[0] != 1 or (np.diff(tail) > 0).any() or (tail < 0).any():
        raise InputError("survivors must fall from Pr(O > 0) = 1 and stay at least 0")
    return tail


def _whole(**values: int) -> None:
    for name, value in values.items():
        if value != int(value) or value < 1:
            raise InputError(f"{name} is {value}; it must be a whole number, at least 1")
