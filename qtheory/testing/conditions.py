"""Thresholds of the papers' policies, which meet or break the conditions that the papers put on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qtheory.errors import InputError, UnknownNameError
from qtheory.theory import memory, threshold

# claim or equation: what it asks of a threshold
CONDITIONS = {
    "eb.prop-3.1": "k has the largest fluid throughput of all thresholds from 1 to N - 1",
    "eb.prop-3.3.corrected": "the bound on Pr(X_max > capacity) is at most eps",
    "wait.eq-9": "d0 + d1 M <= n_j/lambda_j for each type j",
}


def decimals(low: int, high: int, below: int) -> SearchStrategy[float]:
    """Whole numbers over ``below``, such as 0.0123: floats that print shortly."""
    return st.integers(low, high).map(lambda n: n / below)


@dataclass(frozen=True)
class Threshold:
    """A switching threshold of exclusive batching, and the system that it is for.

    ``k`` of ``N`` slots idle end a decode phase, 1 <= k < N; hazard rate ``p0`` per iteration; ``alpha_*`` in s,
    ``beta_*`` in s/token; prompts of ``prompt`` tokens; ``capacity`` in tokens, exceeded with probability ``eps`` at
    most.  The arguments of ``LLMEngine``'s policy "eb" are ``{"k": k}`` and ``slots=N``.
    """

    k: int
    N: int
    p0: float
    alpha_p: float
    alpha_d: float
    beta_p: float
    beta_d: float
    prompt: int
    capacity: int
    eps: float

    @property
    def theta(self) -> Fraction:
        return Fraction(self.k, self.N)

    def meets(self, condition: str) -> bool:
        """Does it meet the condition of ``CONDITIONS``?"""
        if condition == "eb.prop-3.1":
            return self.k in _best(self.N, self.p0, self.alpha_p, self.alpha_d, self.beta_p, self.beta_d, self.prompt)
        if condition == "eb.prop-3.3.corrected":
            return memory.peak_tail_bound(self.N, self.k, self.p0, self.prompt, self.capacity) <= self.eps
        raise UnknownNameError("condition on a threshold of exclusive batching", condition, _of("eb"))


@dataclass(frozen=True)
class WaitThresholds:
    """Thresholds ``n`` of WAIT, one a type, and the system that they are for, in exact numbers.

    Types arrive at ``rates`` (1/s) with prompts of ``prompts`` and outputs of ``outputs`` tokens; an iteration over
    M tokens takes ``d0 + d1 M`` seconds.  ``LLMEngine``'s policy "wait" takes ``{"thresholds": n}``.
    """

    n: tuple[int, ...]
    rates: tuple[Fraction, ...]
    prompts: tuple[int, ...]
    outputs: tuple[int, ...]
    d0: Fraction
    d1: Fraction

    @property
    def memory(self) -> Fraction:
        """M of (9), the tokens of a batch at the thresholds: sum of ``n_j (l'_j + 1)(l_j + l'_j/2)``."""
        rows = zip(self.n, self.prompts, self.outputs, strict=True)
        return sum((n * (out + 1) * (prompt + Fraction(out, 2)) for n, prompt, out in rows), Fraction(0))

    @property
    def iteration(self) -> Fraction:
        """Delta T of (9): seconds of an iteration at the thresholds."""
        return self.d0 + self.d1 * self.memory

    def meets(self, condition: str) -> bool:
        """Does it meet the condition of ``CONDITIONS``?"""
        if condition == "wait.eq-9":
            return all(self.iteration <= n / rate for n, rate in zip(self.n, self.rates, strict=True))
        raise UnknownNameError("condition on WAIT's thresholds", condition, _of("wait"))


def thresholds(*, meets: str | Iterable[str] = (), breaks: str | Iterable[str] = ()
               ) -> SearchStrategy[Threshold] | SearchStrategy[WaitThresholds]:
    """Thresholds that meet, and break, these conditions of one paper; of exclusive batching where none is named.

    The conditions are named by claims and equations: ``eb.prop-3.1`` (k is the best threshold),
    ``eb.prop-3.3.corrected`` (memory-safe), ``wait.eq-9`` (the thresholds of WAIT's Theorem 1).
    """
    wanted, unwanted = ({c} if isinstance(c, str) else set(c) for c in (meets, breaks))
    for name in sorted(wanted | unwanted):
        if name not in CONDITIONS:
            raise UnknownNameError("condition on thresholds", name, list(CONDITIONS))
    if wanted & unwanted:
        raise InputError(f"{sorted(wanted & unwanted)[0]} cannot be met and broken at once")
    papers = {name.partition(".")[0] for name in wanted | unwanted}
    if len(papers) > 1:
        raise InputError(f"conditions of one paper are needed, not of {' and '.join(sorted(papers))}")
    asked = {**dict.fromkeys(wanted, True), **dict.fromkeys(unwanted, False)}
    return _wait(asked.get("wait.eq-9")) if "wait" in papers else \
        _exclusive(asked.get("eb.prop-3.1"), asked.get("eb.prop-3.3.corrected"))


def _of(paper: str) -> list[str]:
    return [c for c in CONDITIONS if c.startswith(paper)]


def _best(N: int, p0: float, alpha_p: float, alpha_d: float, beta_p: float, beta_d: float, mu_L: float) -> list[int]:
    """The thresholds whose throughput is the largest, up to rounding."""
    k = np.arange(1, N)
    rates = np.asarray(threshold.numeric("throughput", k=k, N=N, p0=p0, alpha_p=alpha_p, alpha_d=alpha_d,
                                         beta_p=beta_p, beta_d=beta_d, mu_L=mu_L))
    return [int(i) for i in k[rates >= rates.max() * (1 - 1e-12)]]


@st.composite
def _exclusive(draw: DrawFn, best: bool | None, safe: bool | None) -> Threshold:
    N = draw(st.integers(3 if best is False else 2, 128))
    p0 = 1 / draw(st.integers(1, 512))
    alpha_p, alpha_d = draw(decimals(1, 999, 10**4)), draw(decimals(1, 999, 10**4))
    beta_p, beta_d = draw(decimals(0, 99, 10**6)), draw(decimals(0, 99, 10**6))
    prompt, eps = draw(st.integers(1, 512)), draw(st.sampled_from([0.01, 0.05, 0.1, 0.001]))
    right = _best(N, p0, alpha_p, alpha_d, beta_p, beta_d, prompt)
    if best is False:
        wrong = [k for k in range(1, N) if k not in right]
        assume(wrong)
        k = draw(st.sampled_from(wrong))
    else:
        k = draw(st.sampled_from(right) if best else st.integers(1, N - 1))
    least = _least_capacity(N, k, p0, prompt, eps)
    spare = draw(st.integers(0, 999))
    capacity = least + spare if safe else least - 1 - spare % least if safe is False else least + spare - 500
    return Threshold(k, N, p0, alpha_p, alpha_d, beta_p, beta_d, prompt, max(capacity, 1), eps)


def _least_capacity(N: int, k: int, p0: float, prompt: int, eps: float) -> int:
    """The smallest capacity (tokens) at which the bound on the peak is at most eps, by bisection."""
    low, high = 0, N * (prompt + 1)
    while memory.peak_tail_bound(N, k, p0, prompt, high) > eps:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if memory.peak_tail_bound(N, k, p0, prompt, middle) <= eps else (middle, high)
    return high


@st.composite
def _wait(draw: DrawFn, met: bool | None) -> WaitThresholds:
    count = draw(st.integers(1, 3))
    n = tuple(draw(st.integers(1, 32)) for _ in range(count))
    prompts = tuple(draw(st.integers(1, 256)) for _ in range(count))
    outputs = tuple(draw(st.integers(1, 256)) for _ in range(count))
    d0, d1 = Fraction(draw(st.integers(1, 99)), 1000), Fraction(draw(st.integers(1, 99)), 10**7)
    still = WaitThresholds(n, (Fraction(1),) * count, prompts, outputs, d0, d1).iteration
    # rates at these shares of the largest that (9) allows; one above it breaks (9)
    shares = [Fraction(draw(st.integers(1, 10 if met is not None else 15)), 10) for _ in range(count)]
    if met is False:
        shares[draw(st.integers(0, count - 1))] = Fraction(draw(st.integers(11, 20)), 10)
    rates = tuple(share * k / still for share, k in zip(shares, n, strict=True))
    return WaitThresholds(n, rates, prompts, outputs, d0, d1)


__all__ = ["CONDITIONS", "Threshold", "WaitThresholds", "decimals", "thresholds"]
