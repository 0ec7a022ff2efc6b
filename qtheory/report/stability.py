"""The table ``stability``: the critical request rate of one engine under each scheduler of the simulator.

The rates come from `qtheory.theory.capacity`, closed, and `qtheory.numerics.capacity`, exact; beside them the
simulator's stability test below and above, and what leaves a saturated engine.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from qtheory import __version__, profiles, workloads
from qtheory.models.laws import PiecewiseLinearLaw
from qtheory.numerics import capacity as exact
from qtheory.report.table import Column, Math, Table, Text, Value
from qtheory.simulate import LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.law_of_times import Exponential
from qtheory.simulate.law_of_values import Deterministic
from qtheory.simulate.sources import iteration_time, length_law
from qtheory.simulate.statistics import until_decided
from qtheory.simulate.statistics.intervals import Interval, student
from qtheory.simulate.workers import in_order
from qtheory.theory import capacity

PROFILE, PROMPT, MEAN, BUDGET = "a100-codellama-34b-tp2-vidur", 129, 112, 512
SLOTS, SWITCH, BATCH, THRESHOLD = 96, 24, 32, 4
CYCLE, COLUMNS, CHUNK = 48, 32, 128
OUTPUTS = {"geometric": workloads.Geometric(1 / MEAN), "uniform": workloads.Uniform(1, 2 * MEAN - 1)}
BELOW, ABOVE, ERROR_RATE, SEED, CONFIDENCE = 0.95, 1.05, 0.01, 0, 0.999
REPLICATIONS, REQUESTS, MOST, WINDOWS, WARM = 20, 15_000, 8, 100, 40

CLOSED, CHAIN = "closed", "exact"


@cache
def law(profile: str = PROFILE) -> PiecewiseLinearLaw:
    """A measured iteration-time law, that of the table by default."""
    found = profiles.load(profile).law
    assert isinstance(found, PiecewiseLinearLaw)
    return found


def by_total(law: PiecewiseLinearLaw) -> exact.Time:
    """Seconds of iterations with so many prefill and decode tokens, by a law of their sum."""
    return lambda prefill, decode: np.asarray(law.time(prefill + decode))


def seconds(prefill: exact.Array, decode: exact.Array) -> exact.Array:
    """The same by the table's law."""
    return by_total(law())(prefill, decode)


def affine() -> dict[str, float]:
    """The law's constants beyond its breakpoint, seconds and seconds a token."""
    return {"alpha": law().c - law().a * law().b0, "beta": law().a}


def survivors(output: str) -> exact.Array:
    """Pr(O > j) of an output law of the table, j = 0, 1, ..., to where it is below 1e-16."""
    lengths = OUTPUTS[output]
    last = lengths.maximum if lengths.maximum is not None else int(np.ceil(-np.log(1e-16) * MEAN))
    return np.asarray(lengths.survival(1 + np.arange(last)), dtype=float)  # Pr(O >= j + 1)


class Scheduler(NamedTuple):
    """A scheduler of the simulator: its parameters, how they are printed, its rate and how that is found by the output
    law's name.

    ``saturates``: prompts that always wait leave it time to decode; ``options``: more of the engine.
    """

    policy: str
    parameters: dict[str, Any]
    shown: str
    rate: Callable[[str], tuple[float, str] | None]
    saturates: bool = True
    options: dict[str, Any] = {}  # noqa: RUF012 (never changed)


def _work_conserving(output: str) -> tuple[float, str]:
    t_b = float(law().time(BUDGET))
    return float(capacity.work_conserving(PROMPT, MEAN, BUDGET, t_b)), CLOSED


def _geometric(rate: Callable[[], float]) -> Callable[[str], tuple[float, str] | None]:
    return lambda output: (rate(), CHAIN) if output == "geometric" else None


def _cycle(output: str, refill: bool) -> tuple[float, str] | None:
    if output != "geometric":
        return None
    return exact.cycle(CYCLE, COLUMNS, CHUNK, PROMPT, seconds, hazard=1 / MEAN, refill=refill), CHAIN


def schedulers() -> list[Scheduler]:
    """The rows of the table, in groups of one output law each."""
    b = {"budget": BUDGET}
    n = {"n": CYCLE, "t_col": COLUMNS, "t_lcm": CHUNK}
    cycles = f"n {CYCLE}, {COLUMNS} columns"
    return [
        Scheduler("sarathi", b, f"b {BUDGET}", _work_conserving),
        Scheduler("orca", b, f"b {BUDGET}", _work_conserving, saturates=False),
        Scheduler("kp-kd-fcfs", {**b, "k_p": BUDGET, "k_d": BUDGET}, f"b {BUDGET}, K {BUDGET}", _work_conserving),
        Scheduler("mixed", b, f"b {BUDGET}, {SLOTS} slots",
                  _geometric(lambda: exact.mixed(SLOTS, BUDGET, PROMPT, 1 / MEAN, seconds)),
                  options={"slots": SLOTS}),
        Scheduler("fcfs-memory", {}, f"{SLOTS} slots",
                  lambda output: (float(capacity.slots_refilled(SLOTS, PROMPT, MEAN, **affine())), CLOSED),
                  options={"slots": SLOTS}),
        Scheduler("wait", {"thresholds": THRESHOLD}, f"n {THRESHOLD}",
                  lambda output: (float(capacity.joint_thresholds(THRESHOLD, PROMPT, MEAN, **affine())), CLOSED),
                  saturates=False),
        Scheduler("vllm", b, f"b {BUDGET}",
                  lambda output: (exact.prefill_first(PROMPT, BUDGET, MEAN, seconds), CHAIN), saturates=False),
        Scheduler("faster-transformer", b, f"b {BUDGET}",
                  lambda output: (exact.decode_first(PROMPT, BUDGET, survivors(output), seconds), CHAIN)),
        Scheduler("request-level", {"batch": BATCH}, f"batch {BATCH}",
                  lambda output: (exact.one_batch(BATCH, PROMPT, survivors(output), seconds), CHAIN)),
        Scheduler("eb", {"k": SWITCH}, f"k {SWITCH}, {SLOTS} slots",
                  _geometric(lambda: exact.switching(SWITCH, SLOTS, PROMPT, 1 / MEAN, seconds)),
                  options={"slots": SLOTS}),
        Scheduler("eb", {"k": BATCH}, f"k {BATCH}, {BATCH} slots",
                  lambda output: (exact.one_batch(BATCH, PROMPT, survivors(output), seconds), CHAIN),
                  options={"slots": BATCH}),
        Scheduler("cycles", n, cycles, lambda output: _cycle(output, False), options={"slots": 2 * CYCLE}),
        Scheduler("rad", n, cycles, lambda output: _cycle(output, True), options={"slots": 2 * CYCLE}),
    ]


def engine(s: Scheduler, output: str, rate: float | None) -> LLMEngine:
    """The simulator's engine at a request rate, Poisson arrivals, or saturated."""
    arrivals = None if rate is None else Exponential.with_rate(rate)
    requests = RequestClass("request", Deterministic(PROMPT), length_law(OUTPUTS[output]), arrivals)
    return LLMEngine((requests,), iteration_time(law()), s.policy, s.parameters, saturated=rate is None, **s.options)


def saturated(s: Scheduler, output: str, about: float) -> Interval:
    """Requests a second that leave the saturated engine after a warm-up; ``about``: a rate that sets the horizons.

    They grow from one replication to the next: requests leave in crowds, whose phase at one horizon would be the same.
    """
    found = []
    for r in range(REPLICATIONS):
        horizon = REQUESTS / about / 8 * (1 + r / REPLICATIONS)
        run = engine(s, output, None).run(horizon=horizon, windows=WINDOWS, seed=SEED, replication=r)
        found.append(run.total(E.REQUESTS_OUT, WARM) / (horizon * (WINDOWS - WARM) / WINDOWS))
    return student(found, CONFIDENCE)


def verdict(s: Scheduler, output: str, rate: float) -> str:
    """The simulator's stability test at a request rate, over a longer horizon while it is undecided."""
    found = until_decided(engine(s, output, rate), horizon=REQUESTS / rate, limit=MOST * REQUESTS / rate,
                          replications=REPLICATIONS, error_rate=ERROR_RATE, windows=WINDOWS, seed=SEED)  # fmt: skip
    return found.verdict.verdict


@cache
def row(number: int, output: str) -> tuple[Value, ...]:
    """The row of scheduler ``number`` under an output law."""
    s = schedulers()[number]
    found = s.rate(output)
    about = found[0] if found else float(capacity.work_conserving(PROMPT, MEAN, BUDGET, float(law().time(BUDGET)))) / 2
    interval = saturated(s, output, about) if s.saturates else None
    tests = [verdict(s, output, f * found[0]) for f in (BELOW, ABOVE)] if found else [None, None]
    return (output, s.policy, s.shown, *(found or (None, None)), *tests, *(
        (interval.estimate, interval.low, interval.high) if interval else (None, None, None)))


RATE = Math(r"\lambda^\ast", "λ*")
COLUMNS_OF_TABLE = (
    Column("output", "outputs", "law of the output lengths", text=True, group=True),
    Column("scheduler", "scheduler", "scheduler of the simulator", text=True),
    Column("parameters", "parameters", "its parameters", text=True),
    Column("rate", RATE, "critical request rate", "requests/s", digits=4),
    Column("by", "by", "closed: closed form; exact: exact computation", text=True),
    Column("below", Math(rf"{BELOW}\,\lambda^\ast", f"{BELOW} λ*"),
           f"stability test at {BELOW} of the rate", text=True),
    Column("above", Math(rf"{ABOVE}\,\lambda^\ast", f"{ABOVE} λ*"),
           f"stability test at {ABOVE} of the rate", text=True),
    Column("saturated", "saturated", "simulated throughput of the saturated engine", "requests/s", digits=4),
    Column("saturated_low", "low", "lower end of its interval", "requests/s", digits=4,
           printed=False),
    Column("saturated_high", "high", "upper end of its interval", "requests/s", digits=4,
           printed=False),
)


def _row(place: tuple[int, str]) -> tuple[Value, ...]:
    return row(*place)


def table(executor: Executor | None = None) -> Table:
    """The table ``stability``; an ``executor`` shares its rows."""
    places = [(i, output) for output in OUTPUTS for i in range(len(schedulers()))]
    rows = tuple(in_order(_row, places, executor))
    return Table(name="stability", title="Critical request rates of one engine", caption=_caption(),
                 label="tab:stability", columns=COLUMNS_OF_TABLE, rows=rows, version=__version__,
                 provenance=({"profile": PROFILE},))


def _caption() -> Text:
    return (
        "The request rate ", RATE, f" at which one engine becomes unstable, under Poisson arrivals, prompts of "
        f"{PROMPT} tokens and outputs of {MEAN} tokens on average, geometric or uniform from 1 to {2 * MEAN - 1}, "
        f"with the measured law of profile {PROFILE} and no limit of memory. Closed: a formula for any output law; "
        "exact: a finite sum, or a Markov chain solved to rounding. No rate is printed for mixed batching on limited "
        "slots, EB(k) with k below the slots, and cycles that hold more requests than decode at once, where outputs "
        "are not geometric: the state holds every request's age. Not listed: EB with adaptive k and EB+, which "
        "estimate as they go, SLAI, whose batches depend on deadlines, Nested WAIT, whose segments wait for each "
        "other, "
        f"and DistServe, which is two engines. The verdicts are the simulator's, at {BELOW} and {ABOVE} of the rate: "
        f"{REPLICATIONS} replications of {REQUESTS:,} requests from the empty engine, doubled up to "
        f"{MOST * REQUESTS:,} while it is undecided, error rate {ERROR_RATE:g}. "
        f"Saturated: requests that leave a second while prompts always wait, its {100 * CONFIDENCE:g} percent interval "
        "in the data formats; it "
        "says nothing of schedulers that would then only prefill, and WAIT counts what waits. "
        f"Computed by qtheory {__version__}.")
