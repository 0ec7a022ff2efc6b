"""Figure 1 of the throughput-optimal paper recomputed: which schedulers carry its requests on the GPU that it names.

The paper prints the requests and the GPU, neither how many GPUs, nor the token budget, nor the constants of (2.3) for
this model. They are taken from Vidur's measurements here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from qtheory.models.laws import PiecewiseLinearLaw
from qtheory.numerics import capacity as exact
from qtheory.report.reproduce_rows import Progress, Reproduced, Row, measured
from qtheory.report.stability import MEAN as OUTPUT
from qtheory.report.stability import PROMPT, by_total, law
from qtheory.report.style import PAGE, STYLES, drawn
from qtheory.report.table import Text
from qtheory.simulate import LLMEngine, RequestClass, replicate
from qtheory.simulate.law_of_times import Exponential
from qtheory.simulate.law_of_values import Deterministic
from qtheory.simulate.sources import iteration_time
from qtheory.simulate.statistics import stability
from qtheory.theory import capacity

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RATE = 14.3  # requests a second
PROFILES = {"one A100": "a100-codellama-34b-tp1-vidur", "two A100": "a100-codellama-34b-tp2-vidur"}
BUDGETS = {"one A100": (512, 2048), "two A100": (128, 512, 2048)}
DRAWN = (128, 192, 256, 384, 512, 1024, 2048)
HORIZON, WINDOWS, REPLICATIONS, ERROR_RATE, SEED = 2000.0, 100, 10, 0.01, 0


class Scheduler(NamedTuple):
    """A curve of the figure: the simulator's policies of that critical rate, and the rate by law and budget."""

    name: str
    policy: str
    rate: Callable[[PiecewiseLinearLaw, int], float]


SCHEDULERS = (
    Scheduler("Sarathi-Serve", "sarathi",
              lambda law, b: float(capacity.work_conserving(PROMPT, OUTPUT, b, float(law.time(b))))),
    Scheduler("vLLM", "vllm", lambda law, b: exact.prefill_first(PROMPT, b, OUTPUT, by_total(law))),
    Scheduler("FasterTransformer", "faster-transformer",
              lambda law, b: exact.decode_first(PROMPT, b, np.ones(OUTPUT), by_total(law))),
)


def law_of(gpus: str) -> PiecewiseLinearLaw:
    """The measured law of (2.3)."""
    return law(PROFILES[gpus])


@cache
def rate(gpus: str, scheduler: int, budget: int) -> float:
    """Critical rate of one of ``SCHEDULERS``, requests a second."""
    return SCHEDULERS[scheduler].rate(law_of(gpus), budget)


def most(law: PiecewiseLinearLaw) -> float:
    """Requests a second that no scheduler reaches at any budget: b/t_b is below 1/a where c > a b_0."""
    return 1 / law.a / (PROMPT + OUTPUT)


def engine(gpus: str, s: Scheduler, budget: int) -> LLMEngine:
    """The figure's requests on that GPU, in a Poisson process."""
    requests = RequestClass("request", Deterministic(PROMPT), Deterministic(OUTPUT), Exponential.with_rate(RATE))
    return LLMEngine((requests,), iteration_time(law_of(gpus)), s.policy, {"budget": budget})


def figure_1(progress: Progress, executor: Executor | None = None) -> Reproduced:
    """The rows of ``to-fig1``; an ``executor`` shares the replications."""
    rows: list[Row] = []
    verdicts: dict[str, list[str]] = {}
    cases = [(gpus, b) for gpus, budgets in BUDGETS.items() for b in budgets]
    for done, (gpus, b) in enumerate(cases):
        if b == BUDGETS[gpus][0]:
            rows.append(Row(f"{gpus}, any b", "critical rate below", None, most(law_of(gpus))))
        place = f"{gpus}, b = {b}"
        rows.append(Row(place, "load of (2.7)", None, RATE / rate(gpus, 0, b)))
        for i in range(len(SCHEDULERS)):
            rows += _rows(place, gpus, i, b, verdicts, executor)
        progress(done + 1, len(cases))
    return Reproduced("Figure 1's requests on the GPU that it names", _caption(verdicts), rows)


def _rows(place: str, gpus: str, i: int, budget: int, verdicts: dict[str, list[str]],
          executor: Executor | None) -> Iterator[Row]:
    s = SCHEDULERS[i]
    yield Row(place, f"{s.name}, critical rate", None, rate(gpus, i, budget))
    runs = replicate(engine(gpus, s, budget), replications=REPLICATIONS, executor=executor, horizon=HORIZON,
                     windows=WINDOWS, seed=SEED)
    half = WINDOWS // 2
    present = np.array([run.present for run in runs])
    yield measured(place, f"{s.name}, growth", (present[:, -1] - present[:, half - 1]) / (HORIZON / 2))
    verdicts.setdefault(f"{s.name} {stability(runs, ERROR_RATE).verdict}", []).append(place)


def _caption(verdicts: dict[str, list[str]]) -> Text:
    tested = "; ".join(f"{said} ({', '.join(places)})" for said, places in sorted(verdicts.items()))
    return (
        f"CodeLlama-34B, requests of {PROMPT} and {OUTPUT} tokens at {RATE} a second, which is all that Figure 1 "
        f"prints; here with budgets of b tokens and the laws (2.3) of profiles {' and '.join(PROFILES.values())}, no "
        "attention, no overhead and no limit of memory. Critical rate: requests a second, computed; from there on "
        f"requests pile up. Growth: requests a second at {RATE}, simulated over the second half of {HORIZON:,.0f} s, "
        f"{REPLICATIONS} replications. The test of the simulation (error rate {ERROR_RATE:g}) says: {tested}. The "
        "figure shows FasterTransformer and vLLM unstable and Sarathi-Serve stable. By the critical rates it is so "
        f"with: {', '.join(as_shown()) or 'none of these'}. No budget carries the load, by these fits, with: "
        f"{', '.join(g for g in PROFILES if most(law_of(g)) < RATE) or 'neither'}.",)


def as_shown() -> list[str]:
    """The cases in which the critical rates put Sarathi-Serve below them at the figure's rate, the others above."""
    return [f"{gpus}, b = {b}" for gpus, budgets in BUDGETS.items() for b in budgets
            if [rate(gpus, i, b) > RATE for i in range(len(SCHEDULERS))] == [True, False, False]]


def picture(suffix: str) -> bytes:
    """Critical rates over the budget, one GPU left, two right, and the figure's rate."""

    def draw(figure: Figure) -> None:
        grid = figure.subplots(1, 2, sharey=True)
        for axes, gpus in zip(grid, PROFILES, strict=True):
            for i, ((colour, dash), s) in enumerate(zip(STYLES, SCHEDULERS, strict=False)):
                axes.plot(DRAWN, [rate(gpus, i, b) for b in DRAWN], dash, color=colour, label=s.name)
            axes.axhline(RATE, color="0.5", linewidth=0.8)
            axes.set(xscale="log", xlim=(DRAWN[0], DRAWN[-1]), title=gpus, xlabel="token budget")
            axes.set_xticks((ticks := (128, 256, 512, 1024, 2048)), map(str, ticks))
            axes.minorticks_off()
        grid[0].set(ylabel="critical rate, requests/s", ylim=(0, None))
        grid[0].annotate(f"Figure 1: {RATE}", (DRAWN[0], RATE), (3, 3), textcoords="offset points", fontsize=7)
        grid[0].legend(loc="upper left")

    return drawn(draw, (PAGE, 2.4), suffix)
