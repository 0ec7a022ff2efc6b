"""Mixed against exclusive batching: the formulas, their numeric twins, and the referee's claims."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from drawn import VIDUR_PAIR
from formula_claims import assert_proved
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory import profiles, workloads
from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.special import base_threshold
from qtheory.proofs.claims.eb import CLAIMS
from qtheory.report import tables
from qtheory.theory import crossover as cr
from qtheory.theory import threshold as th

CALM = settings(derandomize=True, deadline=None, max_examples=60)
COST, LENGTH = st.floats(1e-6, 10), st.floats(1, 3000)
CLAIM = {c.id: c for c in CLAIMS}


@given(st.integers(2, 2000), st.floats(0.01, 0.99), COST, COST, COST, COST, COST, COST, LENGTH, LENGTH)
@CALM
def test_the_faster_discipline_is_the_one_that_7_names(N, share, alpha_p, alpha_d, alpha_MB, beta_p, beta_d, beta_MB,
                                                       mu_L, mu_O) -> None:
    k = min(max(int(share * N), 1), N - 1)
    exclusive = th.numeric("throughput", k=k, N=N, p0=1 / mu_O, alpha_p=alpha_p, alpha_d=alpha_d, beta_p=beta_p,
                           beta_d=beta_d, mu_L=mu_L)
    mixed = cr.numeric("mixed_throughput", N=N, alpha_MB=alpha_MB, beta_MB=beta_MB, mu_L=mu_L, mu_O=mu_O)
    gap = beta_MB - cr.numeric("exclusive_cost", beta_p=beta_p, beta_d=beta_d, mu_L=mu_L, mu_O=mu_O)
    right = cr.numeric("largest_gap", k=k, N=N, alpha_p=alpha_p, alpha_d=alpha_d, alpha_MB=alpha_MB, mu_L=mu_L,
                       mu_O=mu_O)
    if abs(mixed / exclusive - 1) > 1e-9:
        assert (mixed > exclusive) == (gap < right)


@given(st.floats(0.001, 5), COST, COST, LENGTH, LENGTH, st.integers(1, 2000))
@CALM
def test_the_solved_form_is_8_at_the_base_threshold(gamma, alpha_d, alpha_MB, mu_L, mu_O, n) -> None:
    theta = float(base_threshold(gamma).theta0)
    shared = {"theta": theta, "alpha_d": alpha_d, "alpha_MB": alpha_MB, "mu_L": mu_L, "mu_O": mu_O}
    online = cr.numeric("online_bound", n=n, alpha_p=gamma * alpha_d * mu_O, delta=0, **shared)
    size = (alpha_d * mu_O / (1 - theta) + alpha_MB * (1 + mu_O)) / (n * (mu_L + mu_O))
    assert online == pytest.approx(cr.numeric("largest_gap_at_optimum", N=n, **shared), abs=1e-11 * size)


@given(st.floats(0.01, 10), st.floats(0.01, 10), st.floats(0.01, 10))
@CALM
def test_the_relative_interference_is_largest_at_the_best_ratio(prefill, decode, m) -> None:
    constants = {"c0": prefill, "c1": decode - prefill + m, "c2": -m}
    r = np.linspace(0, 1, 2001)
    gain = cr.numeric("interference", r=r, c2=-m) / ((1 - r) * prefill + r * decode)
    best = cr.numeric("best_decode_ratio", **constants)
    assert abs(r[np.argmax(gain)] - best) <= 1 / 2000
    assert gain.max() <= m / (prefill**0.5 + decode**0.5) ** 2 * (1 + 1e-12)
    assert cr.numeric("convexity_index", **constants) == pytest.approx(-2 * m / decode)


def test_the_tokens_reading_of_9_has_the_factor_1_over_n() -> None:
    r, n = cr.RATIO, sp.Symbol("n", positive=True)
    mixed, exclusive = cr.kernel_time() / n, ((1 - r) * cr.kernel_time(0) + r * cr.kernel_time(1)) / n
    assert sp.expand(mixed - exclusive - cr.interference() / n) == 0


def test_kappa_leaves_the_prefill_cost_open() -> None:
    assert cr.numeric("convexity_index", c0=1, c1=3, c2=-2) == cr.numeric("convexity_index", c0=2, c1=2, c2=-2)
    coefficients = sp.Matrix([[1, 1, 1], [0, 0, 1]])  # K(1) and kappa K(1)/2
    assert coefficients.rank() == 2 and coefficients.col_join(sp.Matrix([[1, 0, 0]])).rank() == 3  # and K(0)


def test_table_names_the_faster_discipline_on_either_side_of_7() -> None:
    table = tables.eb_crossover(profiles=["a100-40gb-qwen-8b"], workloads=["eb-sharegpt", "eb-wildchat"],
                                batch=[4, 64, 256])
    columns = {c: table.column(c) for c in ("N", "k0", "gap", "bound", "mixed", "exclusive", "faster", "break_even",
                                            "beta_MB")}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    assert rows[0]["k0"] == 0 and rows[0]["bound"] is None and rows[0]["faster"] is None
    for row in rows[1:3]:
        assert row["faster"] == ("MB" if row["gap"] < row["bound"] else "EB")
        assert (row["mixed"] > row["exclusive"]) == (row["faster"] == "MB")
        assert row["break_even"] - row["bound"] == pytest.approx(row["beta_MB"] * 1e6 - row["gap"])
    assert {row["faster"] for row in rows[1:3]} == {"MB", "EB"}
    with pytest.raises(InputError, match="no profile of a100-40gb-qwen-8b has a covariance"):
        tables.build("eb-crossover", ["a100-40gb-qwen-8b"], intervals=True)


SI = {"s/Mtoken": 1e-6, "s/token": 1.0, "requests/s": 1.0, "s": 1.0, "requests": 1.0, "": 1.0}


def test_every_column_in_the_unit_of_its_header() -> None:
    """(7) and both throughputs from the profile's constants, in seconds and tokens, by their definitions."""
    table = tables.build("eb-crossover", [VIDUR_PAIR, "a100-40gb-qwen-8b"], ["eb-sharegpt", "eb-longbench"], [64, 256])
    unit = {c.name: SI[c.unit] for c in table.columns}
    for row in table.to_dict()["rows"]:
        law, workload = profiles.load(row["profile"]).law, workloads.load(row["workload"])
        N, k, mu_L, mu_O = row["N"], row["k0"], float(workload.prompt.mean), float(workload.output.mean)
        exclusive_token = (law.beta_p * mu_L + law.beta_d * mu_O) / (mu_L + mu_O)
        want = {"r": mu_O / (mu_L + mu_O), "gap": law.beta_p - exclusive_token, "alpha_MB": law.alpha_p,
                "beta_MB": law.beta_p}
        # each of N requests stays for 1 + mu_O iterations, one of these for its prompt
        iteration = law.alpha_p + law.beta_p * N * (mu_L + mu_O) / (1 + mu_O)
        want["mixed"] = N / (1 + mu_O) / iteration
        if k:
            decode = law.alpha_d * mu_O * -math.log1p(-k / N) + law.beta_d * mu_O * k
            want["exclusive"] = k / (decode + law.alpha_p + law.beta_p * mu_L * k)
            want["lead"] = want["mixed"] - want["exclusive"]
            want["bound"] = ((law.alpha_d * mu_O * -math.log1p(-k / N) + law.alpha_p) / k
                             - law.alpha_p * (1 + mu_O) / N) / (mu_L + mu_O)
            want["break_even"] = want["bound"] + exclusive_token
        for name, value in want.items():
            assert row[name] * unit[name] == pytest.approx(value, rel=1e-9), (row["profile"], row["workload"], name)


def test_an_undecided_comparison_is_marked() -> None:
    """The pair's intervals decide at N = 64 and 256; between them the two disciplines are even."""
    pair = profiles.load("a100-llama3-70b-tp2-vidur-pair")
    table = tables.eb_crossover([pair], ["eb-sharegpt"], [64, 145, 256], intervals=True)
    rows = table.to_dict()["rows"]
    assert [row["undecided"] for row in rows] == [False, True, False]
    assert (rows[0]["faster"], rows[-1]["faster"]) == ("MB", "EB")
    for row in rows:
        assert row["lead"] == pytest.approx(row["mixed"] - row["exclusive"])
        assert row["lead_low"] < row["lead"] < row["lead_high"]
        assert row["undecided"] is (row["lead_low"] <= 0 <= row["lead_high"])
        # the leads are correlated: the difference is known better than its parts would say
        wide = (row["mixed_high"] - row["mixed_low"]) + (row["exclusive_high"] - row["exclusive_low"])
        assert row["lead_high"] - row["lead_low"] < wide
    assert "holds 0" in table.render("md") and "delta method" in table.render("latex")


@pytest.mark.parametrize(("name", "arguments", "message"), [
    ("interference", {"r": 2, "c2": -1}, "r must be at least 0 and at most 1, not 2"),
    ("convexity_index", {"c0": 1, "c1": 0, "c2": -1}, r"needs c0 \+ c1 \+ c2 > 0"),
    ("interference", {"r": 0.5}, "needs a value for c2"),
    ("interference", {"r": "a", "c2": 1}, "must be a number"),
    ("largest_gap", {"k": 4, "N": 4, "alpha_p": 1, "alpha_d": 1, "alpha_MB": 1, "mu_L": 1, "mu_O": 1}, "needs k < N"),
])
def test_bad_input_is_named(name, arguments, message) -> None:
    with pytest.raises(InputError, match=message):
        cr.numeric(name, **arguments)
    with pytest.raises(UnknownNameError):
        cr.numeric(name + "s")


def test_each_formula_names_claims_of_the_referee() -> None:
    for formula in cr.FORMULAS.values():
        assert formula.claims and all(CLAIM[c].severity is None for c in formula.claims)


# ---- one formula, one object: the claim built from the function's own expression, and its certificate ----

def sides(formula: str) -> tuple[sp.Basic, tuple[str, ...]]:
    s, n = cr.MU_O + th.MU_L, th.SLOTS
    if formula == "mixed_throughput":
        prefills = sp.Symbol("N_p", positive=True)
        per_iteration = prefills / (cr.ALPHA_MB + cr.BETA_MB * (prefills * th.MU_L + prefills * cr.MU_O))
        return sp.Eq(per_iteration, cr.mixed_throughput(N=prefills * (1 + cr.MU_O)), evaluate=False), ()
    if formula == "exclusive_cost":
        return sp.Eq(cr.exclusive_cost() * s, th.BETA_P * th.MU_L + th.BETA_D * cr.MU_O, evaluate=False), ()
    if formula == "largest_gap":
        times = (1 / th.throughput(p0=1 / cr.MU_O) - cr.exclusive_cost() * s
                 - 1 / cr.mixed_throughput() + cr.BETA_MB * s)
        return sp.Eq(cr.largest_gap() * s, times, evaluate=False), ("k < N",)
    if formula == "largest_gap_at_optimum":
        root = th.base_threshold_equation()
        same = cr.online_bound(n=n, delta=0)
        return sp.Eq(cr.largest_gap_at_optimum(), same, evaluate=False), (
            "theta < 1", f"{root.lhs} == alpha_p/(mu_O*alpha_d)")
    if formula == "online_bound":
        fixed = (th.ALPHA_P + th.ALPHA_D * th.zeta() * cr.MU_O) / th.THETA - cr.ALPHA_MB * (1 + cr.MU_O)
        return sp.Eq(cr.online_bound() - cr.MARGIN, fixed / (cr.OCCUPANCY * s), evaluate=False), ("theta < 1",)
    if formula == "kernel_time":
        return sp.Eq(cr.kernel_time(1), cr.C0 + cr.C1 + cr.C2, evaluate=False), ()
    if formula == "interference":
        mean = (1 - cr.RATIO) * cr.kernel_time(0) + cr.RATIO * cr.kernel_time(1)
        return sp.Eq(cr.kernel_time() - mean, cr.interference(), evaluate=False), ()
    if formula == "convexity_index":
        return sp.Eq(cr.C2, cr.convexity_index() * cr.kernel_time(1) / 2, evaluate=False), ("c0 + c1 + c2 > 0",)
    ratio = cr.best_decode_ratio()
    return sp.Eq(ratio * sp.sqrt(cr.kernel_time(1)), (1 - ratio) * sp.sqrt(cr.kernel_time(0)), evaluate=False), (
        "c0 > 0", "c0 + c1 + c2 > 0")


@pytest.mark.parametrize("formula", sorted(cr.FORMULAS))
def test_the_claim_of_each_formula_is_proved_from_its_own_expression(formula) -> None:
    assert_proved(*sides(formula))
