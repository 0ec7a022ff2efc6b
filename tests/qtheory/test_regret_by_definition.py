"""The table of regret under laws that are not affine pairs: with steps, and with a time per token of context.

Outputs of one length, where a phase of D iterations has N/ceil(O/D) new requests; mixed batches' times
by linear programs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from drawn import pair, requests
from scipy.optimize import linprog

from qtheory.models.laws import ContextAffineLaw, Law, StaircaseLaw
from qtheory.report import regret
from qtheory.testing.strategies import _profile
from qtheory.workloads import Deterministic, RequestClass, Workload

MOST = 512  # tokens of a mixed iteration at most, here


def row_of(law: Law, prompt: int, output: int, slots: int) -> dict[str, Any]:
    workload = Workload("fixed", "drawn", "", "drawn", "", (
        RequestClass("all", 1.0, Deterministic(prompt), Deterministic(output)),))
    row, = regret.table((_profile(law),), (workload,), (slots,)).to_dict()["rows"]
    return row


def line(time: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """(intercept, slope) by least squares over 200 sizes between two ends."""
    x = [low + (high - low) * i / 199 for i in range(200)]
    y = [time(v) for v in x]
    mx, my = math.fsum(x) / 200, math.fsum(y) / 200
    slope = math.fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / math.fsum((a - mx) ** 2 for a in x)
    return my - slope * mx, slope


def means(time: Callable[[float], float], at: float) -> tuple[float, float]:
    """The least and the greatest time, as linear programs, of iterations of 1 to MOST tokens in which ``at`` tokens
    are worked off: the greatest of one on average, the least of one or more."""
    sizes = np.arange(1.0, MOST + 1)
    times, ones = np.array([time(float(n)) for n in sizes]), np.ones(MOST)
    least = linprog(times, A_ub=[-ones], b_ub=[-1], A_eq=[sizes], b_eq=[at])
    most = linprog(-times, A_eq=[sizes, ones], b_eq=[at, 1])
    return least.fun, -most.fun


def expected(time: Callable[[float], float], held: float, L: int, O: int, N: int) -> dict[str, Any]:  # noqa: E741
    def cost(D: int) -> float:
        """Seconds a request of phases of D iterations: its N/R_0 requests are D apart in age."""
        batch = [sum(1 for t in range(i, O, D)) for i in range(D)]
        return (time(N * L / batch[0]) + sum(time(N * b / batch[0]) for b in batch if b)) * batch[0] / N + held

    D = min(range(1, O + 1), key=cost)
    least = {1 / math.ceil(O / d) for d in range(1, O + 1) if cost(d) <= cost(D) * (1 + 1e-9)}  # of steps several
    (a_p, b_p), (a_d, b_d) = line(time, L, N * L), line(time, 1, N)
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        more = middle / (1 - middle) + math.log(1 - middle) > a_p / a_d / O
        low, high = (low, middle) if more else (middle, high)
    theta0, needed = low, (1 + O) / N
    theirs = next(d for d in range(1, O + 1) if 1 / math.ceil(O / d) >= theta0)
    shortest, longest = means(time, (L + O) / needed)
    rate, mixed_low, mixed_high = 1 / cost(D), 1 / (needed * longest + held), 1 / (needed * shortest + held)
    closed = 1 / ((a_p - a_d * O * math.log(1 - theta0)) / (theta0 * N) + b_p * L + b_d * O)
    a_m, b_m = line(time, min(N, MOST / 2), MOST)
    by_7 = "mixed" if 1 / (a_m * (1 + O) / N + b_m * (L + O)) > closed else "exclusive"
    by_law = "mixed" if mixed_low > rate else "exclusive" if mixed_high < rate else "open"
    lost = None if by_law == "open" else 0.0 if by_7 == by_law else (
        100 * (1 - mixed_high / rate) if by_law == "exclusive" else 100 * (1 - rate / mixed_low))
    return {"theta0": theta0, "best": least, "rate": rate, "loss": 100 * (1 - cost(D) / cost(theirs)),
            "mixed_low": mixed_low, "mixed_high": mixed_high, "by_7": by_7, "by_law": by_law, "wrong_loss": lost}


def compared(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name, value in wanted.items():
        if isinstance(value, set):
            assert any(found[name] == pytest.approx(v, rel=1e-9) for v in value), (name, found[name], value)
        else:
            close = pytest.approx(value, rel=1e-6, abs=1e-6) if isinstance(value, float) else value
            assert found[name] == close, (name, found[name], value)


# (seconds a tile, a token; tokens a tile, of a prompt, of an output; slots), with what (7) and the law then say: under
# one law for all batches no other scheduler does better than mixed batches can
STEPS = {
    ("mixed", "open"): (0.004, 3.4e-7, 192, 65, 30, 63), ("exclusive", "open"): (0.004, 7.7e-7, 64, 7, 30, 56),
    ("mixed", "mixed"): (0.004, 1.1e-6, 256, 245, 30, 34), ("exclusive", "mixed"): (0.004, 1.1539e-5, 64, 297, 30, 48)}


@pytest.mark.parametrize("says", STEPS)
def test_under_a_law_of_steps(says: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regret, "MOST", MOST)
    tile, token, width, L, O, N = STEPS[says]  # noqa: E741
    wanted = expected(lambda n: math.ceil(n / width) * tile + token * n, 0.0, L, O, N)
    assert (wanted["by_7"], wanted["by_law"]) == says and wanted["mixed_high"] > 1.005 * wanted["mixed_low"]
    assert "open" in says or (wanted["wrong_loss"] > 1) == (says[0] != says[1])
    compared(row := row_of(StaircaseLaw(tile, token, width), L, O, N), wanted)
    assert isinstance(row["certain"], bool) and not (row["certain"] and len(wanted["best"]) > 1)


@pytest.mark.parametrize("gamma", [0.0, 2e-7])
def test_under_a_law_with_a_time_per_token_of_context(gamma: float) -> None:
    """What the context takes no threshold changes, and every rate has it. Phases of 7 lose an eighth to one of 20."""
    alpha, beta, L, O, N = 0.01, 1e-6, 100, 20, 16  # noqa: E741
    held = gamma * sum(L + k for k in range(O))
    wanted = expected(lambda n: alpha + beta * n, held, L, O, N)
    del wanted["by_law"], wanted["wrong_loss"]  # one law for all batches: (1 + O) iterations for N requests either way
    compared(row := row_of(ContextAffineLaw(alpha, beta, gamma), L, O, N), wanted)
    assert row["certain"] is True  # one phase is the least, by far more than rounding
    assert wanted["loss"] > 8 and wanted["best"] == {1.0}


@pytest.mark.later
def test_the_closed_forms_choice() -> None:
    """From the pair's numbers alone, where few iterations a request make its prefill's one weigh."""
    alpha_p, beta_p, beta_d, mean, L, N = 0.02, 3e-5, 2e-5, 4.0, 30, 64
    choices = []
    for alpha_d in np.geomspace(0.004, 0.04, 13):
        row, = regret.table((pair(alpha_p, beta_p, alpha_d, beta_d),), (requests(mean, L),), (N,)).to_dict()["rows"]
        theta = row["theta0"]
        closed = (alpha_p - alpha_d * mean * math.log(1 - theta)) / (theta * N) + beta_p * L + beta_d * mean
        mixed = alpha_p * (1 + mean) / N + beta_p * (L + mean)
        choices.append(row["by_7"])
        assert row["by_7"] == ("mixed" if mixed < closed else "exclusive"), alpha_d
    assert {*choices} == {"mixed", "exclusive"}
