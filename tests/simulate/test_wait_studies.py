"""Slices of the studies of WAIT: orders over the scale, first come first served, memory, policies on equal requests."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from qtheory.simulate.kernel import engine_layout as E

sys.path.insert(0, str(Path(__file__).parents[1] / "studies"))

import wait_policies
import wait_scaling

SHORT = wait_scaling.HORIZONS[:3]


@pytest.mark.parametrize("number", [1, 2])
def test_the_gap_falls_with_the_scale_and_the_latency_stays(number: int) -> None:
    """Below load 1 the gap times the horizon and the latency are bounded (Theorems 1 and 2)."""
    case = wait_scaling.cases()[number]._replace(horizons=SHORT)
    gaps, latencies = wait_scaling.measured(case, 4, seed=5)
    inside = gaps.mean(axis=0) * np.array(SHORT) * case.batch
    first, *_, last = latencies.mean(axis=0)
    assert (gaps >= 0).all() and inside[-1] < 1.5 * inside[0] and last < 2 * first


def test_first_come_first_served_keeps_its_gap() -> None:
    """By exact numbers of the instance the gap is at least 2/63 a second from the first horizon to the last."""
    types = wait_scaling.waiting.request_types((wait_scaling.Fraction(5, 21),), 1, (1,))
    engine = wait_scaling.LLMEngine(wait_scaling.classes(types), wait_scaling.IterationTime("memory", (1.0, 1.0)),
                                    "fcfs-memory", {}, capacity=2)
    gaps, _ = wait_scaling.measured(wait_scaling.Case("", engine, types, 1.0, 0, 0, SHORT), 10, seed=2)
    assert gaps[:, -1].mean() > 1 / 63


def test_a_batch_alone_is_passed_and_what_suffices_is_not() -> None:
    types = wait_scaling.waiting.request_types((150, 75, 75), 20, (20, 40, 80))
    parts, law = wait_scaling.waiting.segments(types), wait_scaling.MemoryLinearLaw(0.1, 1e-7)
    n = wait_scaling.waiting.cheapest(wait_scaling.waiting.nested_system(parts, law))
    need = wait_scaling.waiting.requirement(parts, n, 400, 1e-3)
    for tokens, least, most in ((float(need.batch), 5, 8), (need.total, 0, 0)):
        engine = wait_scaling.LLMEngine(wait_scaling.unknown(types), wait_scaling.IterationTime("memory", (0.1, 1e-7)),
                                        "nested-wait", {"thresholds": n, "ends": parts.ends}, capacity=int(tokens))
        assert least <= wait_scaling.passed(engine, 400 * n[0] / 300, 8, seed=1) <= most


def test_policies_meet_the_same_requests() -> None:
    """Of a drawn part every policy has the same arrivals, and completes no more than came."""
    drawn = np.random.default_rng(1)
    part = wait_policies.Part(drawn.exponential(0.2, 400), drawn.integers(5, 60, 400), drawn.integers(1, 40, 400))
    chosen = wait_policies.thresholds([part], 5.0)
    assert chosen is not None and len(chosen[0]) == len(chosen[1])
    for policy, engine in wait_policies.engines(part, *chosen):
        run = wait_policies.run_engine(engine, horizon=part.seconds + 1, windows=1)
        assert run.total(E.REQUESTS_IN) == 400, policy
        assert wait_policies.output_rate(run) * run.seconds <= part.outputs.sum()
