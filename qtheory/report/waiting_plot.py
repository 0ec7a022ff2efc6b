"""The plots ``wait-path``, ``wait-memory`` and ``wait-region``: fluid and sample paths, memory and bound, thresholds.

Source: "Optimizing LLM Inference: Fluid-Guided Online Scheduling with Memory Constraints" (16 April 2025), Sections
3 to 5.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from qtheory.models.laws import MemoryLinearLaw
from qtheory.report.style import COLUMN, STYLES, drawn
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic, Exponential
from qtheory.theory import waiting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RATES, PROMPTS, OUTPUTS = (40, 20), (10, 10), (10, 20)  # requests a second at scale 1
SHARE, FIXED = 0.4, 0.02  # d1 R; d0 in seconds
SCALES, HORIZON, WINDOWS = (1, 25), 3.0, 300
NESTED, NESTED_OUTPUTS, BATCHES = (150, 75, 75), (20, 40, 80), 5000
DELTAS = np.geomspace(1e-1, 1e-6, 16)


def _mix(scale: int) -> tuple[tuple[waiting.RequestType, ...], MemoryLinearLaw]:
    types = tuple(waiting.RequestType(Fraction(r * scale), p, o)
                  for r, p, o in zip(RATES, PROMPTS, OUTPUTS, strict=True))
    return types, MemoryLinearLaw(FIXED, SHARE / float(waiting.total_work(types)))


def fluid_path(types: tuple[waiting.RequestType, ...], law: MemoryLinearLaw, until: float) -> tuple[list[float], ...]:
    """Ends of iterations (s) and the tokens that are still held then, from the empty engine: what arrives in an
    iteration enters the next."""
    times, memory, entered = [0.0], [0.0], [[float(t.rate) * law.d0] for t in types]
    while times[-1] < until:
        held = [(past[-1 - k] * (t.prompt + k), k < t.output) for t, past in zip(types, entered, strict=True)
                for k in range(min(t.stages, len(past)))]
        took = law.d0 + law.d1 * sum(tokens for tokens, _ in held)
        times.append(times[-1] + took)
        memory.append(sum(tokens for tokens, stays in held if stays))
        for t, past in zip(types, entered, strict=True):
            past.append(float(t.rate) * took)
    return times, memory


def path_picture(suffix: str) -> bytes:
    """Tokens held between batches over the scale: the fluid path, and WAIT's at two scales and its least thresholds."""
    types, law = _mix(1)
    times, memory = fluid_path(types, law, HORIZON)
    entering = waiting.equilibrium(types, law).entering
    level = float(sum(x * (t.work - t.prompt - t.output) for x, t in zip(entering, types, strict=True)))
    paths = []
    for scale in SCALES:
        scaled, its = _mix(scale)
        classes = tuple(RequestClass(f"type {j}", Deterministic(t.prompt), Deterministic(t.output),
                                     Exponential(1 / float(t.rate))) for j, t in enumerate(scaled, 1))
        model = LLMEngine(classes, IterationTime("memory", (its.d0, its.d1)), "wait",
                          {"thresholds": waiting.wait_rule(scaled, its).thresholds})
        run = run_engine(model, horizon=HORIZON, windows=WINDOWS, seed=1)
        paths.append(run.sums[:, E.RESIDENT_AT_END] / scale)

    def draw(figure: Figure) -> None:
        axes, at = figure.subplots(), np.arange(1, WINDOWS + 1) * HORIZON / WINDOWS
        for (colour, _), scale, path in zip(STYLES[1:], SCALES, paths, strict=False):
            axes.plot(at, path, color=colour, linewidth=0.8, label=f"WAIT, rates times {scale}")
        axes.plot(times, memory, color=STYLES[0][0], label="fluid path")
        axes.axhline(level, color="black", linewidth=0.6, linestyle=":", label="equilibrium")
        axes.set(xlabel="time (s)", ylabel="tokens held between batches / scale", xlim=(0, HORIZON), ylim=(0, None))
        axes.legend()

    return drawn(draw, (COLUMN, 2.6), suffix)


def memory_picture(suffix: str) -> bytes:
    """The memory of Nested WAIT over the probability allowed: (12), and what suffices, at the same thresholds."""
    parts = waiting.segments(waiting.request_types(NESTED, 20, NESTED_OUTPUTS))
    law = MemoryLinearLaw(FIXED * 5, 1e-7)
    n = waiting.cheapest(waiting.nested_system(parts, law, Fraction(5, 100)))
    printed = [waiting.printed(parts, n, BATCHES, float(d)).total for d in DELTAS]
    needed = [waiting.requirement(parts, n, BATCHES, float(d)) for d in DELTAS]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for (colour, dash), values, label in zip(
                STYLES, (printed, [r.total for r in needed]), ("(12)", "exact law of the queues"), strict=False):
            axes.plot(DELTAS, np.array(values) / 1000, dash, color=colour, label=label)
        axes.axhline(float(needed[0].batch) / 1000, color="black", linewidth=0.6, linestyle=":",
                     label=r"a batch, $M^\pi$")
        axes.set(xscale="log", xlabel=rf"probability $\delta$ of more in {BATCHES:,} batches",
                 ylabel="memory (1,000 tokens)")
        axes.legend()

    return drawn(draw, (COLUMN, 2.6), suffix)


def region_picture(suffix: str) -> bytes:
    """The thresholds of two types that (9) admits, the least whole ones, and the paper's choice by its batch limit."""
    types, law = _mix(2)
    system = waiting.wait_system(types, law)
    found = waiting.cheapest(system)
    most = 6 * max(found)
    grid = np.linspace(0, most, 241)
    first, second = np.meshgrid(grid, grid)
    weights = [float(w) for w in system.weights]
    time = law.d0 + law.d1 * (weights[0] * first + weights[1] * second)
    slacks = [first / float(types[0].rate) - time, second / float(types[1].rate) - time]
    limits = np.linspace(0, 40 * most, 50)
    shares = [float(t.rate) / sum(float(u.rate) for u in types) / t.stages for t in types]

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        axes.contourf(first, second, np.minimum(*slacks), levels=[0, np.inf], colors=["0.88"])
        for (colour, _), slack, j in zip(STYLES, slacks, (1, 2), strict=False):
            axes.contour(first, second, slack, levels=[0], colors=[colour])
            axes.plot([], [], color=colour, label=f"(9) for type {j}")
        axes.plot(limits * shares[0], limits * shares[1], "--", color="black", linewidth=0.8,
                  label=r"paper's $B\rho_j/(l'_j+1)$")
        axes.plot(*found, "o", color="black", markersize=4, label=f"least whole ones {found}")
        axes.set(xlabel="$n_1$ (requests)", ylabel="$n_2$ (requests)", xlim=(0, most), ylim=(0, most / 2))
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)

    return drawn(draw, (COLUMN, 2.6), suffix)
