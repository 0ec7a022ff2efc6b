"""The figures of the WAIT paper (16 April 2025) recomputed: Figure 6's example, its experiments, its memory's parts.

The curves of Figures 7 to 18 are pictures; what the paper says of them in words stands in each caption, with what was
found. Simulated schedulers meet the same requests: a difference is that of pairs of runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qtheory import workloads
from qtheory.report.reproduce_rows import Progress, Reproduced, Row, measured
from qtheory.report.style import PAGE, STYLES, drawn
from qtheory.report.waiting import LAW, SLACK, segment_types
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Exponential
from qtheory.simulate.runs import replicate
from qtheory.simulate.sources import length_law, profile_time
from qtheory.theory import waiting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from qtheory.simulate.engine_runs import EngineRun

GPU = "a100-llama2-7b-tp1-vidur"
REPLICATIONS, SEED = 10, 0
Array = NDArray[np.float64]


# ---- Figure 6 ----

class Event(NamedTuple):
    """The types of those who come, and the numbers printed: in segments 1 and 2; after a batch these, and complete."""

    when: str
    types: tuple[int, ...]
    before: tuple[int, int]
    after: tuple[int, int, int] | None = None


EVENTS = (Event("t = 0", (1, 1), (2, 0)), Event("t = 1", (2,), (3, 0), (0, 1, 2)), Event("t = 5", (1, 2), (2, 1)),
          Event("t = 7", (2, 2), (4, 1), (1, 3, 1)), Event("t = 11", (2,), (2, 3)),
          Event("t = 14", (1, 2), (4, 3), (1, 3, 3)))
THRESHOLD = 3


def figure_6(progress: Progress) -> Reproduced:
    """The numbers of prompts in the figure's table, and those that Section 5.1's text gives for the same arrivals."""
    caption = (f"Numbers of prompts in Figure 6 of the WAIT paper, thresholds {THRESHOLD} in both segments, and by "
               "Section 5.1's text for the same arrivals: a batch takes as many prompts of a segment as its threshold, "
               "and a segment is one stage, as the figure draws it. At t = 14 the figure has P3, P5 and P6 in the "
               "batch and completes two of them; by the text P6 is complete too.",)
    return Reproduced("The example of Nested WAIT", caption, list(_example()))


def _example() -> Iterator[Row]:
    first: list[int] = []
    second = 0
    for event in EVENTS:
        first += event.types
        for name, printed, now in zip(("segment 1", "segment 2"), event.before, (len(first), second), strict=True):
            yield Row(event.when, name, printed, now)
        if len(first) < THRESHOLD:
            continue
        assert event.after is not None
        ends = THRESHOLD if second >= THRESHOLD else 0
        batch, first = first[:THRESHOLD], first[THRESHOLD:]
        second += batch.count(2) - ends
        found = (len(first), second, ends + batch.count(1))
        for name, printed, now in zip(("segment 1", "segment 2", "complete"), event.after, found, strict=True):
            yield Row(f"{event.when}, after", name, printed, now)


# ---- Figures 7, 8, 11 to 14 ----

class Experiment(NamedTuple):
    """A workload at total rates (1/s) over ``horizon`` seconds; thresholds, and the ends of the segments where lengths
    are unknown on arrival."""

    workload: str
    rates: tuple[float, ...]
    horizon: float
    thresholds: tuple[int, ...]
    ends: tuple[int, ...] = ()

    @property
    def prompt(self) -> int:
        return int(self.classes(1.0)[0].prompt.mean)

    @property
    def limit(self) -> int:
        """Requests of a batch at the thresholds, the limit of the other schedulers."""
        if not self.ends:
            return sum(n * int(c.output.mean + 1) for n, c in zip(self.thresholds, self.classes(1.0), strict=True))
        steps = (b - a for a, b in pairwise((0, *self.ends)))
        return self.thresholds[0] + sum(n * s for n, s in zip(self.thresholds, steps, strict=True))

    @property
    def budget(self) -> int:
        """Tokens of that batch, theirs too."""
        entering = sum(self.thresholds) if not self.ends else self.thresholds[0]
        return int(self.limit + entering * (self.prompt - 1))

    def classes(self, rate: float) -> tuple[RequestClass, ...]:
        found = workloads.load(self.workload).classes
        total = sum(c.weight for c in found)
        return tuple(RequestClass(c.name or "any", length_law(c.prompt), length_law(c.output),  # type: ignore[arg-type]
                                  Exponential.with_rate(rate * c.weight / total)) for c in found)

    def engine(self, rate: float, policy: str) -> LLMEngine:
        """The engine under "wait" or "nested-wait", or another policy."""
        parameters: dict[str, Any] = {"budget": self.budget}
        if policy == "wait":
            parameters = {"thresholds": self.thresholds}
        elif policy == "nested-wait":
            parameters = {"thresholds": self.thresholds, "ends": self.ends}
        slots = None if "wait" in policy else int(self.limit)
        return LLMEngine(self.classes(rate), profile_time(GPU), policy, parameters, slots=slots)


OTHERS: Mapping[str, str] = {"sarathi": "Sarathi", "vllm-whole": "vLLM"}
RATIO, BINS = (66, 43, 32, 24, 17, 11, 7, 4, 2, 1), tuple(range(50, 501, 50))
EXPERIMENTS = {
    7: Experiment("wait-low-demand", (300, 600, 2000), 20.0, (23, 12)),
    8: Experiment("wait-high-demand", (40, 80, 12000), 60.0, (10, 3, 1)),
    11: Experiment("wait-nested", (60, 110, 300), 60.0, (15, 14, 12, 8), (20, 40, 80, 160)),
    12: Experiment("wait-lmsys-clustered", (55,), 909.0, RATIO, BINS),
    13: Experiment("wait-lmsys-clustered", (550,), 91.0, RATIO, BINS),
    14: Experiment("wait-lmsys", (55, 550), 300.0, RATIO, BINS),
}
SAID = {
    7: "WAIT has the higher throughput at all rates", 8: "WAIT has the higher throughput at all rates",
    11: "Nested WAIT has the higher throughput and the lower latency",
    12: "Nested WAIT has the higher throughput and the lower latency",
    13: "Nested WAIT has the higher throughput and the lower latency",
    14: "Nested WAIT has the higher throughput, and its latency is about 0.5 s a prompt higher",
}


def output_rate(run: EngineRun) -> float:
    """Output tokens a second of the requests that are complete (Section 2.3)."""
    return float(run.class_sums[:, :, E.OUTPUT_TOKENS].sum()) / run.seconds


def latency(run: EngineRun) -> float:
    """Mean seconds from arrival to completion of the requests that are complete."""
    sums = run.class_sums.sum(axis=(0, 1))
    return float(sums[E.LATENCY_SUM] / max(sums[E.CLASS_OUT], 1))


def compared(experiment: Experiment, rate: float, replications: int = REPLICATIONS, seed: int = SEED,
             executor: Executor | None = None) -> dict[str, tuple[Array, Array]]:
    """Output tokens a second and mean latency of each policy, replication by replication, on the same requests."""
    ours = "nested-wait" if experiment.ends else "wait"
    found = {}
    for policy in (ours, *OTHERS):
        runs = replicate(experiment.engine(rate, policy), horizon=experiment.horizon, replications=replications,
                         seed=seed, windows=1, executor=executor)
        found[policy] = (np.array([output_rate(r) for r in runs]), np.array([latency(r) for r in runs]))
    return found


def experiment_rows(experiment: Experiment, rate: float, executor: Executor | None = None) -> Iterator[Row]:
    """Our scheduler's two measures, and what it has more than each other one."""
    place, found = f"{rate:,g}/s", compared(experiment, rate, executor=executor)
    (_, (tokens, wait)), *others = found.items()
    yield measured(place, "output tokens/s", tokens)
    for policy, (theirs, _) in others:
        yield measured(place, f"percent more than {OTHERS[policy]}", 100 * (tokens / theirs - 1))
    yield measured(place, "latency (s)", wait)
    for policy, (_, theirs) in others:
        yield measured(place, f"seconds more than {OTHERS[policy]}", wait - theirs)


def figure(number: int, progress: Progress, executor: Executor | None = None) -> Reproduced:
    """Figures 7, 8 and 11 to 14."""
    experiment, rows = EXPERIMENTS[number], list[Row]()
    for done, rate in enumerate(experiment.rates, 1):
        rows += experiment_rows(experiment, rate, executor)
        progress(done, len(experiment.rates))
    scale = ("ratio's least whole multiple" if experiment.ends else "rule B·ρ_j/(l'_j+1)")
    caption = (f"The workload {experiment.workload} on the law {GPU} (the paper: Vidur's A100, Llama-2-7B), "
               f"{experiment.horizon:g} s from the empty engine, {REPLICATIONS} replications; what is more is that of "
               f"pairs on the same requests. Thresholds {', '.join(map(str, experiment.thresholds))} by the paper's "
               f"{scale}; the others have as many requests ({experiment.limit:,}) and tokens ({experiment.budget:,}) "
               f"in a batch at most as that gives. The paper prints no value; it says: {SAID[number]}.",)
    return Reproduced(f"Figure {number} of the WAIT paper", caption, rows)


# ---- Figures 16 to 18 ----

PANELS = {16: ((50, 200, 0.1), (50, 200, 1e-5)), 17: ((500, 200, 0.1), (500, 200, 1e-5)),
          18: ((50, 20, 1e-3), (50, 2000, 1e-3))}
COUNTS = (1, 2, 3, 5, 8, 10, 15, 20, 30)


def parts_of(rate: float, horizon: float, delta: float, count: int) -> waiting.Parts | None:
    """The three parts of (15) for the least thresholds of (14), with the tokens that a batch really has; None where
    there are no thresholds."""
    parts = waiting.segments(segment_types(rate), count)
    n = waiting.nested_system(parts, LAW, SLACK).least()
    if n is None:
        return None
    batches, _ = waiting.most_batches(parts, LAW, n, horizon, delta / 10)
    return waiting.printed(parts, n, batches, delta)


def memory_shares(number: int, progress: Progress) -> Reproduced:
    """Figures 16, 17 and 18: the parts' shares over the number of segments."""
    rows, least = [], []
    for rate, horizon, delta in PANELS[number]:
        place, totals = f"λ={rate:g}, T={horizon:g}, δ={delta:g}", {}
        for count in COUNTS:
            found = parts_of(rate, horizon, delta, count)
            if found is None:
                continue
            totals[count] = found.total
            rows += [Row(place, f"L = {count}: {name}", None, 100 * part / found.total) for name, part in
                     (("batch", found.batch), ("queues", found.queues), ("reserve", found.reserve))]
        least.append(min(totals, key=totals.__getitem__))
        rows.append(Row(place, "L of the least memory", None, least[-1]))
        progress(len(least), 2)
    first = sum(r.what.endswith("batch") and r.computed > 50 for r in rows)
    caption = ("Shares in percent of the three parts of (15), 500 lengths by the ten bins of Section 6.2 and prompts "
               "of 62 tokens, for the least whole thresholds that meet (14) with a slack of 10 percent, at 20 ms and "
               "20 ns a token; the paper prints neither its thresholds nor these. It says that the first part is the "
               f"largest, and that the memory is U-shaped in L: a batch is more than half in {first} of "
               f"{sum(r.what.endswith('batch') for r in rows)} cases (L without rows has no thresholds), and the "
               f"memory is least at L = {least[0]} and {least[1]}.",)
    return Reproduced(f"Figure {number} of the WAIT paper", caption, rows)


def shares_picture(number: int, suffix: str) -> bytes:
    """The three parts over the number of segments, one panel a setting."""
    found = [[parts_of(*panel, count) for count in COUNTS] for panel in PANELS[number]]

    def draw(drawing: Figure) -> None:
        panels = drawing.subplots(1, 2, sharey=True)
        for axes, (rate, horizon, delta), parts in zip(panels, PANELS[number], found, strict=True):
            below = np.zeros(len(COUNTS))
            for (colour, _), name in zip(STYLES, ("batch", "queues", "reserve"), strict=False):
                heights = np.array([0.0 if p is None else getattr(p, name) for p in parts]) / 1000
                axes.bar(range(len(COUNTS)), heights, bottom=below, color=colour, label=name)
                below += heights
            axes.set(xticks=range(len(COUNTS)), xlabel="segments $L$",
                     title=rf"rate {rate}/s, $T={horizon}$ s, $\delta=10^{{{round(np.log10(delta))}}}$")
            axes.set_xticklabels(map(str, COUNTS))
        panels[0].set_ylabel("memory (1,000 tokens)")
        panels[0].legend()

    return drawn(draw, (PAGE, 2.6), suffix)
