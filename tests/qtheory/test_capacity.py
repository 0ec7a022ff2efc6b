"""Critical request rates of one engine: closed forms, exact computations, and the simulator at odd parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy as sp

from qtheory import workloads
from qtheory.errors import InputError
from qtheory.models.laws import AffineLaw
from qtheory.numerics import capacity as exact
from qtheory.report import stability as report
from qtheory.report.table import Table
from qtheory.simulate import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.law_of_values import Deterministic, Law
from qtheory.simulate.sources import length_law
from qtheory.simulate.statistics.intervals import student
from qtheory.theory import capacity
from qtheory.theory.any_law import Times
from qtheory.theory.critical_rate import Engine, critical_rate

HAZARD = 1 / 12
GEOMETRIC = (1 - HAZARD) ** np.arange(430)
UNIFORM = np.asarray(workloads.Uniform(1, 23).survival(1 + np.arange(23)), dtype=float)
PAIR = {"alpha_p": 0.03, "beta_p": 3e-4, "alpha_d": 0.02, "beta_d": 1e-4}


def pair(prefill: exact.Array, decode: exact.Array) -> exact.Array:
    n = prefill + decode
    return np.where(prefill > 0, PAIR["alpha_p"] + PAIR["beta_p"] * n, PAIR["alpha_d"] + PAIR["beta_d"] * n)


def affine(prefill: exact.Array, decode: exact.Array) -> exact.Array:
    return 0.02 + 1e-4 * (prefill + decode)


def simulated(output: Law, prompt: int, policy: str, parameters: dict[str, Any], slots: int | None,
              about: float) -> Any:
    """Throughput of the saturated engine with the pair of laws, 99.9 percent, at horizons of different phases."""
    requests = RequestClass("request", Deterministic(prompt), output)
    engine = LLMEngine((requests,), IterationTime("two-affine", tuple(PAIR.values())), policy, parameters, slots=slots,
                       saturated=True)
    runs = [engine.run(horizon=6000 / about * (1 + r / 10), windows=200, seed=0, replication=r) for r in range(10)]
    return student([run.total(E.REQUESTS_OUT, 60) / (140 * run.window) for run in runs], 0.999)


OUTPUTS = {"geometric": (workloads.Geometric(HAZARD), GEOMETRIC), "uniform": (workloads.Uniform(1, 23), UNIFORM)}


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize(("prompt", "budget"), [(129, 512), (100, 64), (64, 64), (7, 50)])
def test_decode_first_cuts_prompts(output: str, prompt: int, budget: int) -> None:
    """Prompts longer than the budget, as long, and cut at the end of a batch."""
    lengths, survivors = OUTPUTS[output]
    rate = exact.decode_first(prompt, budget, survivors, pair)
    assert rate in simulated(length_law(lengths), prompt, "faster-transformer", {"budget": budget}, None, rate)


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("n", [1, 16])
def test_request_level(output: str, n: int) -> None:
    lengths, survivors = OUTPUTS[output]
    rate, law = exact.one_batch(n, 30, survivors, pair), length_law(lengths)
    assert rate in simulated(law, 30, "request-level", {"batch": n}, None, rate)
    assert rate in simulated(law, 30, "eb", {"k": n}, n, rate)
    assert exact.decode_first(30, 30 * n, survivors, pair) == pytest.approx(rate, rel=1e-12)


@pytest.mark.parametrize(("k", "slots"), [(1, 1), (1, 16), (5, 16), (15, 16), (16, 16)])
def test_switching(k: int, slots: int) -> None:
    rate = exact.switching(k, slots, 30, HAZARD, pair)
    assert rate in simulated(length_law(workloads.Geometric(HAZARD)), 30, "eb", {"k": k}, slots, rate)
    if k == slots:
        assert rate == pytest.approx(exact.one_batch(slots, 30, GEOMETRIC, pair), rel=1e-12)


@pytest.mark.parametrize(("slots", "budget", "prompt"), [(16, 64, 30), (8, 20, 50), (1, 10, 25), (16, 8, 5)])
def test_mixed(slots: int, budget: int, prompt: int) -> None:
    """A budget below the slots, below a prompt, one slot."""
    rate = exact.mixed(slots, budget, prompt, HAZARD, pair)
    assert rate in simulated(length_law(workloads.Geometric(HAZARD)), prompt, "mixed", {"budget": budget}, slots, rate)


@pytest.mark.parametrize(("policy", "refill"), [("cycles", False), ("rad", True)])
@pytest.mark.parametrize(("n", "columns", "chunk", "prompt"), [(16, 16, 128, 129), (20, 8, 64, 100), (1, 1, 8, 30)])
def test_cycles(policy: str, refill: bool, n: int, columns: int, chunk: int, prompt: int) -> None:
    rate = exact.cycle(n, columns, chunk, prompt, pair, hazard=HAZARD, refill=refill)
    parameters = {"n": n, "t_col": columns, "t_lcm": chunk}
    law = length_law(workloads.Geometric(HAZARD))
    assert rate in simulated(law, prompt, policy, parameters, 200, rate)
    if n <= columns:
        other = exact.cycle(n, columns, chunk, prompt, pair, survivors=GEOMETRIC, refill=refill)
        assert other == pytest.approx(rate, rel=1e-12)


def test_closed_forms_and_exact_computations_agree() -> None:
    n, prompt = 7, 30
    longest = float(capacity.longest_of_geometric(n, sp.Rational(1, 12)))
    closed = capacity.request_level(n, prompt, 12, longest, **PAIR)
    assert exact.one_batch(n, prompt, GEOMETRIC, pair) == pytest.approx(float(closed), rel=1e-12)
    # a budget that never binds: every idle slot is refilled in the next batch
    refilled = float(capacity.slots_refilled(16, prompt, 12, 0.02, 1e-4))
    assert exact.mixed(16, 16 * prompt, prompt, HAZARD, affine) == pytest.approx(refilled, rel=1e-8)
    # slots that never bind: the batch is full, as work-conserving schedulers' are
    full = float(capacity.work_conserving(prompt, 12, 64, float(affine(np.array(64.0), np.array(0.0)))))
    assert exact.mixed(65, 64, prompt, HAZARD, affine) == pytest.approx(full, rel=1e-8)


@pytest.mark.parametrize(("prompt", "mean"), [(4, 1.2), (8, 20.0)])
def test_prefill_first_of_whole_prompts_is_a_queue_of_busy_periods(prompt: int, mean: float) -> None:
    """One prompt a batch: T_d/(1 - rate T_p) seconds from one decode batch to the next, in which b tokens come."""
    decode, prefill = (float(affine(np.array([p]), np.array([d]))[0]) for p, d in ((0.0, prompt), (prompt, 0.0)))
    assert exact.prefill_first(prompt, prompt, mean, affine) == pytest.approx(
        prompt / (mean * decode + prompt * prefill), rel=1e-9)


@pytest.mark.slow
def test_prefill_first() -> None:
    """Against the full batch where a prompt fills it, and below it elsewhere; without overhead nothing is lost."""
    full = float(capacity.work_conserving(64, 12, 64, float(affine(np.array(64.0), np.array(0.0)))))
    assert exact.prefill_first(64, 64, 12, affine) == pytest.approx(full, rel=1e-8)
    assert exact.prefill_first(7, 50, 12, affine) < capacity.work_conserving(7, 12, 50, 0.025)
    free = exact.prefill_first(7, 50, 12, lambda p, d: 1e-4 * (p + d))
    assert free == pytest.approx(1e4 / 19, rel=1e-8)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="at most all 4 slots can be idle"):
        exact.switching(5, 4, 30, HAZARD, pair)
    with pytest.raises(InputError, match="need n <= columns, not 5 and 4"):
        exact.cycle(5, 4, 8, 30, pair, survivors=UNIFORM)
    with pytest.raises(InputError, match="survivors must fall"):
        exact.one_batch(4, 30, [1.0, 0.5, 0.7], pair)
    with pytest.raises(InputError, match="prompt is 0; it must be a whole number, at least 1"):
        exact.decode_first(0, 4, UNIFORM, pair)
    with pytest.raises(InputError, match=r"hazard is 0; it must lie in \(0, 1\]"):
        exact.mixed(4, 4, 4, 0, pair)
    with pytest.raises(InputError, match="mean_output is 0"):
        exact.prefill_first(4, 4, 0, pair)


@pytest.mark.slow
def test_the_table(built: Callable[[str], Table]) -> None:
    """Stable below, unstable above every rate; what leaves the saturated engine agrees with it."""
    table = built("stability")
    columns = ("scheduler", "by", "rate", "below", "above", "saturated_low", "saturated_high")
    seen = 0
    for scheduler, by, rate, below, above, low, high in zip(*map(table.column, columns), strict=True):
        if by is None:
            assert (rate, below, above) == (None, None, None)
            continue
        assert (below, above) == ("stable", "unstable"), scheduler
        assert isinstance(rate, float) and math.isfinite(rate)
        if isinstance(low, float) and isinstance(high, float):
            assert low <= rate <= high, scheduler
            seen += 1
    assert seen >= 14 and len(table.rows) == 2 * len(report.schedulers())


def test_a_law_is_read_once_for_many_workloads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its table in exact numbers takes most of the time: a table of every profile and workload took minutes."""
    asked = []
    real = Times.of_law
    monkeypatch.setattr(Times, "of_law", lambda law, most: asked.append(most) or real(law, most))
    law = AffineLaw(alpha=0.0123, beta=0.000077)
    for name in ("eb-balanced", "eb-sharegpt"):
        for limits in ({"budget": 512}, {"budget": 512, "slots": 9}):
            critical_rate(Engine(law, "orca", limits), workloads.load(name))
    assert asked == [512]
