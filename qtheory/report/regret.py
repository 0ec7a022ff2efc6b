"""The table ``regret``: what the closed forms of exclusive batching lose under a profile's own law.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Propositions 3.1, 3.3 and 3.4. The
closed forms take an affine law for each kind of batch: the pair of the profile, or lines fitted to its law by least
squares. The memory-safe size is that of phases of the best length: the iteration-time law enters through it alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from qtheory import __version__, profiles
from qtheory.models.laws import RATIO, TOKENS, ContextAffineLaw, Law, PrefillDecodeLaw
from qtheory.numerics.any_phase import Law as Seconds
from qtheory.numerics.any_phase import Phase, best_phase, overflow_bound, phase_cost, safe_slots
from qtheory.numerics.kept_ages import phase_length
from qtheory.numerics.special import base_threshold
from qtheory.profiles.schema import HardwareProfile
from qtheory.report.base_threshold import profiles_sentence, provenance, workloads_sentence
from qtheory.report.inputs import with_prompts
from qtheory.report.memory_safety import EPS
from qtheory.report.table import Column, Math, Table, Value
from qtheory.theory.any_law import Lengths, Times, with_slots_refilled
from qtheory.theory.critical_rate import lengths_of, survivors
from qtheory.theory.memory import numeric
from qtheory.workloads.workload import Workload

SLOTS = 256
MOST = 8192  # tokens of a mixed iteration at most: vLLM's and SGLang's largest chunk by default

COLUMNS = (
    Column("profile", "profile", "hardware profile", text=True, group=True),
    Column("law", "law", "kind of its law", text=True, once=True, printed=False),
    Column("workload", "workload", "named workload", text=True, once=True),
    Column("N", Math("N", "N"), "slots", "requests", bare=True),
    Column("theta0", Math(r"\theta_0", "θ0"), "base threshold (3) at p0 = 1/mu_O", digits=3),
    Column("best", Math(r"\theta_T", "θT"), "best threshold under the law and the output law", digits=3),
    Column("rate", "EB", "throughput at the best threshold", "requests/s", digits=4, bare=True),
    Column("loss", Math(r"{-}\theta_0", "−θ0"), "share of it that the base threshold loses", "%", digits=2),
    Column("mixed_low", "mixed from", "certified lower bound on the throughput of mixed batches", "requests/s",
           digits=4, bare=True),
    Column("mixed_high", "to", "certified upper bound on it", "requests/s", digits=4, bare=True),
    Column("by_7", "by formula", "which is faster by the closed form", text=True),
    Column("by_law", "by law", "which is faster under the law; open: between the bounds", text=True),
    Column("wrong_loss", "lost", "share of the throughput that the closed form's choice loses at least", "%", digits=2),
    Column("capacity", "C", "least capacity at which the closed form (6) admits N at theta0 and eps = 0.01", "tokens",
           printed=False),
    Column("safe", Math(r"N_{\mathrm{safe}}", "N_safe"), "the most slots that C holds with a guarantee, in phases of "
           "the best length", "requests", bare=True),
    Column("overflow", "overflow", "bound on the probability that a phase of N slots outgrows C", printed=False),
    Column("safe_gain", "gain", "throughput at N_safe over that at N, less 1", "%", digits=2, printed=False),
    Column("certain", "certain", "whether the best threshold is certified on intervals", printed=False),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


class Pair(NamedTuple):
    """Affine laws of a prefill and of a decode batch (s, s/token)."""

    alpha_p: float
    beta_p: float
    alpha_d: float
    beta_d: float


def usable() -> tuple[HardwareProfile, ...]:
    """The shipped profiles whose law gives the time of a batch by its tokens."""
    return tuple(p for p in map(profiles.load, profiles.names()) if fits(p))


def fits(profile: HardwareProfile) -> bool:
    """Whether the profile's law is complete and gives a time by tokens."""
    return bool(profile.kind) and profile.complete and TOKENS in profile.law.variables and RATIO not in (
        profile.law.variables)


def seconds(law: Law) -> tuple[Seconds, Seconds]:
    """The times of prefill and of decode batches by their tokens; context apart, which no threshold changes."""
    if isinstance(law, PrefillDecodeLaw):
        return law.prefill.time, law.decode.time
    if isinstance(law, ContextAffineLaw):
        return (lambda n: np.asarray(law.time(n, 0.0)),) * 2
    return law.time, law.time


def pair_of(law: Law, slots: int, prompt: float) -> Pair:
    """The pair of affine laws that the closed forms take: the law's own, or lines by least squares over decode batches
    of 1 to N requests and prefill batches of one prompt to N."""
    if isinstance(law, PrefillDecodeLaw):
        return Pair(law.alpha_p, law.beta_p, law.alpha_d, law.beta_d)
    prefill, decode = seconds(law)
    lines = []
    for time, sizes in ((prefill, np.linspace(prompt, slots * prompt, 200)), (decode, np.linspace(1, slots, 200))):
        slope, intercept = np.polyfit(sizes, time(sizes), 1)
        lines.append((max(float(intercept), 1e-9), max(float(slope), 0.0)))
    return Pair(*lines[0], *lines[1])


def table(chosen: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...], batches: tuple[int, ...]) -> Table:
    """The regret of the closed forms, for profiles with a law by tokens, workloads with prompts, and slots."""
    usable = with_prompts(workloads)
    rows = tuple(row for p in chosen for w in usable for row in _rows(p, w, batches))
    return Table(
        name="regret", title="What closed forms lose under measured laws", label="tab:regret", columns=COLUMNS,
        rows=rows, version=__version__, provenance=tuple(provenance(p) for p in chosen),
        caption=("Exclusive batching on N slots under each profile's own law and any output law, requests keeping "
                 "their age: the base threshold (3) of arXiv:2606.00516 by affine laws, by least squares "
                 "where the profile has another, against the best one; and which of mixed and exclusive batching is "
                 "the faster one by its (7) and by bounds that hold under the law for whole prompts in iterations "
                 f"of up to {MOST:,} tokens (requests a second); and at the least capacity at which its (6) admits N, "
                 f"the most slots that outgrow it in at most {EPS:g} of the phases of the best length, all prompts of "
                 f"the mean length. {profiles_sentence(chosen)} {workloads_sentence(usable)} "
                 f"Computed by qtheory {__version__}.",))


@lru_cache(maxsize=64)
def _tail(workload: Workload) -> np.ndarray:
    return survivors(workload.output)


def _rows(profile: HardwareProfile, workload: Workload, batches: tuple[int, ...]) -> Iterator[tuple[Value, ...]]:
    law, tail = profile.law, _tail(workload)
    prefill, decode = seconds(law)
    lengths, _ = lengths_of(workload)
    L, mean = float(lengths.prompt), float(lengths.output)
    held = law.gamma * float(lengths.held) if isinstance(law, ContextAffineLaw) else 0.0
    for N in batches:
        pair = pair_of(law, N, L)
        theta0 = float(base_threshold(pair.alpha_p / pair.alpha_d / mean).theta0)
        best = best_phase(tail, N, L, prefill, decode)
        theirs = phase_cost(tail, phase_length(tail, max(theta0, 1 / tail.sum())), N, L, prefill, decode)
        rate = 1 / (best.high + held)
        loss = 1 - (best.low + held) / (theirs.low + held)
        memory = _memory(tail, best, N, L, mean, theta0)
        safe = best_phase(tail, memory.safe, L, prefill, decode) if memory.safe else None
        low, high = _mixed(law, lengths, N)
        choice, truth, lost = None, None, None
        if low is not None and high is not None:
            choice = "mixed" if _mixed_closed(law, lengths, N) > _closed(pair, theta0, N, L, mean) else "exclusive"
            truth = "mixed" if low > rate else "exclusive" if high < rate else "open"
            if truth != "open":
                lost = 0.0 if choice == truth else 1 - (high / rate if choice == "mixed" else rate / low)
        yield (profile.name, law.kind.replace("_", " "), workload.name, N, theta0, best.theta, rate, 100 * loss, low,
               high, choice, truth, None if lost is None else 100 * lost, memory.capacity, memory.safe,
               memory.overflow, None if safe is None else 100 * (1 / (safe.high + held) / rate - 1), best.certain,
               __version__)


class Memory(NamedTuple):
    """The capacity at which (6) admits N, the size that is safe there, and a bound on the overflow of N."""

    capacity: int
    safe: int
    overflow: float


def _memory(tail: np.ndarray, best: Phase, N: int, prompt: float, mean: float, theta0: float) -> Memory:
    reserve = numeric("volatility", p0=1 / mean, mu_L=prompt) * np.log(1 / EPS)
    capacity = int(np.ceil(numeric("mean_start", theta=theta0, N=N, p0=1 / mean, mu_L=prompt) + reserve))
    phases = best.iterations, prompt, capacity
    return Memory(capacity, safe_slots(tail, *phases, EPS), overflow_bound(tail, phases[0], N, *phases[1:]))


def _closed(pair: Pair, theta: float, N: int, L: float, mean: float) -> float:
    """The throughput at theta by the closed form."""
    fixed = (pair.alpha_p - pair.alpha_d * mean * float(np.log1p(-theta))) / (theta * N)
    return 1 / (fixed + pair.beta_p * L + pair.beta_d * mean)


def _line(law: Law, N: int) -> tuple[float, float]:
    """The affine law of a mixed batch, from N tokens to the most, by least squares; a pair's prefill law."""
    if isinstance(law, PrefillDecodeLaw):
        return law.alpha_p, law.beta_p
    sizes = np.linspace(min(N, MOST / 2), MOST, 200)
    slope, intercept = np.polyfit(sizes, seconds(law)[0](sizes), 1)
    return float(intercept), float(slope)


def _mixed_closed(law: Law, lengths: Lengths, N: int) -> float:
    alpha, beta = _line(law, N)
    return 1 / (alpha * float(1 + lengths.output) / N + beta * float(lengths.tokens))


@lru_cache(maxsize=64)
def _times(law: Law) -> Times:
    return Times.of_law(law.prefill if isinstance(law, PrefillDecodeLaw) else law, MOST)


def _mixed(law: Law, lengths: Lengths, N: int) -> tuple[float | None, float | None]:
    """Bounds on the throughput of mixed batches; None where they would be too large."""
    if N * lengths.tokens / (1 + lengths.output) > MOST:
        return None, None
    low, high = with_slots_refilled(_times(law), lengths, N)
    return float(low), float(high)
