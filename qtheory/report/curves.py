"""The plots ``eb-threshold``, ``eb-throughput`` and ``eb-memory``: exclusive batching on measured hardware.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Proposition 3.1, (4) and (6). All
numbers come from `qtheory.theory` and `qtheory.numerics`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.models.laws import PrefillDecodeLaw
from qtheory.numerics.phases import phase_moments
from qtheory.numerics.special import base_threshold
from qtheory.profiles.schema import HardwareProfile
from qtheory.report.base_threshold import intervals_of, pair_of, threshold
from qtheory.report.inputs import with_prompts
from qtheory.report.memory_safety import EPS, REPLICATIONS, SEED
from qtheory.report.style import COLUMN, STYLES, drawn, words
from qtheory.theory.memory import numeric as memory
from qtheory.theory.memory import peak_tail_bound, simulate_peaks, threshold_count
from qtheory.theory.threshold import numeric
from qtheory.workloads import Workload

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

Profiles = Sequence[HardwareProfile]
Workloads = Sequence[Workload]
Array = NDArray[np.float64]
HEIGHT = 2.5  # inches
PHASES = 100  # of each replication; their 99th percentile must be smooth
MEANS = np.geomspace(4, 4096, 121)  # mean output lengths, tokens


def thresholds(profiles: Profiles, workloads: Workloads, batches: Sequence[int], suffix: str) -> bytes:
    """theta0 over the mean output length, a line and where there is a covariance a 95 percent band for each profile;
    ticks at the workloads' means."""
    if len(profiles) > len(STYLES):
        raise InputError(f"{len(profiles)} profiles are too many to tell apart; at most {len(STYLES)} are drawn")

    def theta0(law: PrefillDecodeLaw) -> list[float]:
        gamma = numeric("ratio", p0=1 / MEANS, alpha_p=law.alpha_p, alpha_d=law.alpha_d)
        return np.asarray(base_threshold(gamma).theta0, dtype=float).tolist()

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for (colour, dash), profile in zip(STYLES, profiles, strict=False):
            axes.plot(MEANS, theta0(pair_of(profile)), dash, color=colour, label=profile.name)
            _band(axes, MEANS, intervals_of(theta0, profile), colour)
        marks = sorted({round(float(w.output.mean)) for w in workloads})
        axes.plot(marks, [0.0] * len(marks), "|", color="0.3", markersize=7, clip_on=False, label="mean of a workload")
        axes.set(xscale="log", xlabel=r"mean output length $\mu_O$ (tokens)", ylabel=r"base threshold $\theta_0$",
                 xlim=(MEANS[0], MEANS[-1]), ylim=(0, None))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.legend()

    return drawn(draw, (COLUMN, HEIGHT), suffix)


def throughputs(profiles: Profiles, workloads: Workloads, batches: Sequence[int], suffix: str) -> bytes:
    """The fluid throughput over k/N for one profile and workload, a line a batch size, its best threshold marked."""
    profile, workload = _one(profiles, workloads)
    numbers, mu_L = threshold(profile, workload), float(workload.prompt.mean)

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for (colour, dash), N in zip(STYLES * 2, batches, strict=False):
            k = np.unique(np.geomspace(1, N - 1, 200).round()) if N > 2 else np.ones(1)

            def rate(law: PrefillDecodeLaw, k: Array = k, N: int = N) -> list[float]:
                return [float(numeric("throughput", k=int(each), N=N, p0=numbers.p0, alpha_p=law.alpha_p, mu_L=mu_L,
                                      alpha_d=law.alpha_d, beta_p=law.beta_p, beta_d=law.beta_d)) for each in k]

            values = np.array(rate(pair_of(profile)))
            axes.plot(k / N, values, dash, color=colour, label=f"$N = {N}$")
            _band(axes, k / N, intervals_of(rate, profile), colour)
            best = int(values.argmax())
            axes.plot(k[best] / N, values[best], "o", color=colour, markersize=3.5)
        axes.axvline(numbers.theta0, color="0.5", linewidth=0.7, linestyle=":")
        axes.annotate(r"$\theta_0$", (numbers.theta0, 0.02), xycoords=("data", "axes fraction"), xytext=(3, 0),
                      textcoords="offset points", color="0.3")
        axes.set(xscale="log", yscale="log", xlabel="threshold $k/N$", ylabel="throughput (requests/s)",
                 title=words(f"{profile.name}, {workload.name}"))
        _in_halves(axes.yaxis)
        axes.legend(loc="lower left")

    return drawn(draw, (COLUMN, HEIGHT), suffix)


def memories(profiles: Profiles, workloads: Workloads, batches: Sequence[int], suffix: str) -> bytes:
    """Memory against its bounds, over its mean at a phase's start: what (6) reserves, what the simulated process needs
    at risk 0.01, and a capacity with a guarantee; for one profile and workload, over the batch size."""
    profile, workload = _one(profiles, workloads)
    numbers, prompt = threshold(profile, workload), max(round(float(workload.prompt.mean)), 1)
    sizes = np.unique(np.geomspace(min(batches), max(batches), 9).round()).astype(int)
    sizes = sizes[np.floor(numbers.theta0 * sizes) >= 1]
    if sizes.size == 0:
        raise InputError(f"floor(theta0 N) is 0 for each batch size up to {max(batches)}; larger ones are needed")

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        rows = np.array([capacities(int(N), numbers.theta0, numbers.p0, prompt) for N in sizes])
        labels = ("(6) of the paper", f"what the process needs at risk {EPS:g}", f"guaranteed at risk {EPS:g}")
        for (colour, dash), values, label in zip(STYLES, rows.T, labels, strict=False):
            axes.plot(sizes, values, dash, color=colour, marker=".", markersize=4, label=label)
        axes.axhline(1.0, color="0.5", linewidth=0.7, linestyle=":")
        axes.set(xscale="log", xlabel="batch size $N$ (requests)", ylabel="capacity over mean memory",
                 title=words(f"{profile.name}, {workload.name}"))
        _in_halves(axes.xaxis)
        axes.legend()

    return drawn(draw, (COLUMN, HEIGHT), suffix)


def capacities(N: int, theta: float, p0: float, prompt: int) -> list[float]:
    """The capacities of `memories` for one batch size, over the exact mean memory at a phase's start."""
    k = threshold_count(theta, N)
    mean = N * (prompt + phase_moments(N, k, p0).tokens)
    paper = float(memory("mean_start", theta=theta, N=N, p0=p0, mu_L=prompt)
                  + memory("volatility", p0=p0, mu_L=prompt) * math.log(1 / EPS))
    peaks = simulate_peaks(N, k, p0, prompt, phases=PHASES, replications=REPLICATIONS, seed=SEED)
    low, high = mean, 2 * paper + N * (prompt + 20 / p0)  # beyond the greatest that the bound needs
    while high - low > 1e-3 * mean:
        middle = (low + high) / 2
        low, high = (low, middle) if peak_tail_bound(N, k, p0, prompt, middle) <= EPS else (middle, high)
    return [paper / mean, float(np.quantile(peaks.during, 1 - EPS)) / mean, high / mean]


def _band(axes: Axes, x: Array, ends: list[tuple[float, float]] | None, colour: str) -> None:
    if ends is not None:
        low, high = np.array(ends).T
        axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)


def _in_halves(axis: Axis) -> None:
    """Numbers at 1, 2 and 5 times the powers of ten, for a range of little more than one power."""
    from matplotlib.ticker import LogLocator

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")


def _one(profiles: Profiles, workloads: Workloads) -> tuple[HardwareProfile, Workload]:
    """The one profile and the one workload with a mean prompt length that a plot is for."""
    usable = with_prompts(workloads)
    for what, found in (("profile", profiles), ("workload with a mean prompt length", usable)):
        if len(found) != 1:
            raise InputError(f"the plot is for one {what}; {len(found)} are given")
    return profiles[0], usable[0]
