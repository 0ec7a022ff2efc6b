"""The table ``eb-memory``: the memory-safe batch size of exclusive batching, held against the process.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Proposition 3.3 and Appendix D.5. All
numbers come from `qtheory.theory.memory`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from qtheory import __version__
from qtheory.numerics.phases import phase_moments
from qtheory.profiles.schema import HardwareProfile
from qtheory.report.base_threshold import (
    Ends,
    intervals_of,
    intervals_sentence,
    profiles_sentence,
    provenance,
    require_covariance,
    threshold,
    threshold_with,
    with_ends,
    workloads_sentence,
)
from qtheory.report.inputs import with_prompts
from qtheory.report.table import Column, Math, Table, Text, Value, ends_of
from qtheory.theory.memory import numeric, peak_tail_bound, safe_batch, simulate_peaks, threshold_count
from qtheory.workloads import Workload

EPS = 0.01
SEED, PHASES, REPLICATIONS = 1, 20, 40
LEAST = 1e-9  # an end of theta0's interval beyond 0 or 1 is taken this far inside, where the sizes have their limits
MU_O = Math(r"\mu_O", "μ_O")
FROM_THETA: Text = (", those of the sizes computed at the ends of the interval of ", Math(r"\theta_0", "θ0"),
                    " (the reserve, the deviation and the probability are in the data formats)")

COLUMNS = (
    Column("profile", "profile", "hardware profile", text=True, group=True),
    Column("workload", "workload", "named workload", text=True, once=True),
    Column("mu_L", Math(r"\mu_L", "μ_L"), "mean prompt length", "tokens", digits=4, trim=True, once=True),
    Column("mu_O", MU_O, "mean output length", "tokens", digits=4, trim=True, once=True),
    Column("theta0", Math(r"\theta_0", "θ0"), "base threshold, the solution of (3)", digits=3, once=True,
           printed=False),
    *ends_of("theta0", r"\theta_0", "θ0", digits=3, once=True),
    Column("N", Math("N", "N"), "batch size that (6) admits", "requests", bare=True),
    Column("capacity", Math("C", "C"), "least capacity at which (6) admits N", "tokens"),
    *ends_of("capacity", "C", "C", "tokens"),
    Column("reserve", Math("R", "R"), "the paper's reserve, vbar ln(1/eps)", "tokens", digits=3),
    Column("deviation", Math(r"\sigma", "σ"), "exact standard deviation of the memory at a phase's start",
           "tokens", digits=3),
    Column("exceeds", Math("P", "P"), "simulated probability that a phase outgrows C",
           digits=2, trim=True),
    Column("exceeds_low", "from", "lower end of its 95 percent interval", printed=False),
    Column("exceeds_high", "to", "upper end of its 95 percent interval", printed=False),
    Column("static", Math(r"N^\ast_{\mathrm{static}}", "N*_static"), "Appendix D.5 at C", "requests", printed=False),
    *ends_of("static", r"N^\ast_{\mathrm{static}}", "N*_static", "requests"),
    Column("safe", Math(r"N_{\mathrm{safe}}", "N_safe"), "batch size with a guarantee for the process", "requests",
           bare=True),
    *ends_of("safe", r"N_{\mathrm{safe}}", "N_safe", "requests"),
    Column("bound", "bound", "bound on the probability at N_safe", digits=3, printed=False),
    Column("k", Math("k", "k"), "idle slots at which the phase switches", "requests", printed=False),
    *ends_of("k", "k", "k", "requests"),
    Column("eps", "eps", "risk level", printed=False),
    Column("seed", "seed", "seed of the simulation", printed=False),
    Column("phases", "phases", "simulated phases", printed=False),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


# With the ends of intervals printed, what leads to the sizes stays in the data formats, and so does what is simulated.
HIDDEN = ("mu_L", "reserve", "deviation", "exceeds_low", "exceeds_high", "exceeds",
          *(f"{name}{end}" for name in ("static", "k") for end in ("", "_low", "_high")))


def table(
    profiles: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...], batches: tuple[int, ...],
    intervals: bool = False,
) -> Table:
    """The table for profiles with a prefill and decode pair, workloads with a mean prompt length, and batch sizes.

    The data formats hold the ends of intervals wherever the profile has a covariance; ``intervals`` prints those of
    theta0 and of the sizes.
    """
    if intervals:
        require_covariance(profiles)
    usable = with_prompts(workloads)
    rows = tuple(row for profile in profiles for workload in usable for row in _rows(profile, workload, batches))
    return Table(
        name="eb-memory", title="Memory-safe batch size of exclusive batching",
        caption=_caption(profiles, usable, intervals) + (intervals_sentence(FROM_THETA) if intervals else ()),
        label="tab:eb-memory", columns=with_ends(COLUMNS, HIDDEN) if intervals else COLUMNS, rows=rows,
        version=__version__,
        provenance=tuple(provenance(profile) for profile in profiles),
        notes=(),
    )


def _rows(profile: HardwareProfile, workload: Workload, batches: tuple[int, ...]) -> Iterator[tuple[Value, ...]]:
    numbers = threshold(profile, workload)
    prompt, p0, theta = max(round(float(workload.prompt.mean)), 1), numbers.p0, numbers.theta0
    reserve = float(numeric("volatility", p0=p0, mu_L=prompt)) * math.log(1 / EPS)
    found = intervals_of(lambda law: [threshold_with(law, profile, workload).theta0], profile)
    ends = None if found is None else (max(found[0][0], LEAST), min(found[0][1], 1 - LEAST))
    for N in batches:
        k, capacity, static, safe = sizes = _sizes(theta, N, p0, prompt, reserve)
        around = [sizes, *(_sizes(end, N, p0, prompt, reserve) for end in ends or ())]
        pairs: list[Ends] = [(min(of), max(of)) if ends else (None, None) for of in zip(*around, strict=True)]
        bound = peak_tail_bound(safe, threshold_count(theta, safe), p0, prompt, capacity) if safe else None
        deviation = exceeds = low = high = None
        if k > 0:
            moments = phase_moments(N, k, p0)
            deviation = math.sqrt(N * moments.tokens_variance + N * (N - 1) * moments.tokens_covariance)
            exceeds, half = simulate_peaks(N, k, p0, prompt, phases=PHASES, replications=REPLICATIONS,
                                           seed=SEED).tail(capacity)
            low, high = max(exceeds - half, 0.0), min(exceeds + half, 1.0)
        yield (profile.name, workload.name, prompt, numbers.mu_O, theta, *(ends or (None, None)), N, capacity,
               *pairs[1], reserve, deviation, exceeds, low, high, static, *pairs[2], safe, *pairs[3], bound, k,
               *pairs[0], EPS, SEED, PHASES * REPLICATIONS, __version__)


def _sizes(theta: float, N: int, p0: float, prompt: int, reserve: float) -> tuple[int, int, int, int]:
    """k, the least capacity at which (6) admits N, and at it N*_static and the size with a guarantee."""
    k = min(math.floor(theta * N), N - 1)
    capacity = math.ceil(float(numeric("mean_start", theta=theta, N=N, p0=p0, mu_L=prompt)) + reserve)
    static = int(numeric("static_batch", C=capacity, theta=theta, p0=p0, mu_L=prompt))
    return k, capacity, static, safe_batch(capacity, EPS, theta, p0, prompt)


def _caption(profiles: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...], intervals: bool) -> Text:
    behind: Text = (
        "the paper's reserve ", Math(r"R = \ln(1/\epsilon)/(p_0^2\mu_L)", "R = ln(1/ε)/(p0²·μ_L)"),
        "; the exact standard deviation ", Math(r"\sigma", "σ"),
        " of the memory at the start of a decode phase in steady state; the probability ",
        Math("P", "P"), " that the phase outgrows ", Math("C", "C"),
        f", simulated over {PHASES * REPLICATIONS} phases (seed {SEED}) with geometric outputs of mean ",
        MU_O, " and all prompts of length ", Math(r"\mu_L", "μ_L"), "; and, at the same capacity, ")
    return (
        "At the least capacity ", Math("C", "C"), " at which (6) of arXiv:2606.00516 admits ", Math("N", "N"),
        " requests at ", Math(r"\epsilon = 0.01", "ε = 0.01"), " and the base threshold: ",
        *(("for geometric outputs of mean ", MU_O, " and prompts of one length, ") if intervals else behind),
        "the largest batch size ",
        Math(r"N_{\mathrm{safe}}", "N_safe"), " for which ",
        Math(r"\mathrm{E}[M]\Pr(\sum_{i=1}^{N}(L_i+O_i)>C)\le\epsilon", "E[M]·Pr(Σ(L_i + O_i) > C) ≤ ε"), ", ",
        Math("M", "M"), " the iterations of a phase. Left out where ",
        Math(r"\lfloor\theta_0 N\rfloor = 0", "⌊θ0 N⌋ = 0"),
        ". " + profiles_sentence(profiles) + " " + workloads_sentence(workloads),
        f" Computed by qtheory {__version__}.",
    )


