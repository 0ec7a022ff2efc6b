"""Memory-safe batch sizes: the paper's formulas, the bound that holds for the process, and the table."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy import optimize, stats

from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.peaks import exact_peak_tail
from qtheory.proofs.corpus import paper
from qtheory.report import tables
from qtheory.theory import memory

CALM = settings(derandomize=True, deadline=None, max_examples=40)
CLAIM = {c.id: c for c in paper("eb").claims}
SHARE, HAZARD, PROMPT = st.floats(0.01, 0.95), st.floats(0.002, 0.5), st.integers(1, 3000)


@pytest.mark.slow
@given(SHARE, HAZARD, PROMPT, st.floats(1e3, 1e6), st.floats(1e-6, 0.3))
@CALM
def test_batch_sizes_against_mpmath_and_in_order(theta, p0, mu_L, C, eps) -> None:
    """At a phase's start theta (1 - theta)^i of the requests have lived for i phases, each until theta of them end."""
    with mp.workdps(40):
        phase, left = mp.log(1 / (1 - mpf(theta))) / p0, 1 - mpf(theta)
        mean = mu_L + sum(theta * left**i * i * phase for i in range(math.ceil(45 / theta)))
        reserve = mp.log(1 / mpf(eps)) / (mpf(p0) ** 2 * mu_L)
        exact = mp.floor((C - reserve) / mean)
    point = {"C": C, "theta": theta, "p0": p0, "mu_L": mu_L}
    got = memory.numeric("probabilistic_batch", eps=eps, **point)
    assert got == float(exact)
    assert got <= memory.numeric("expected_batch", **point) <= memory.numeric("static_batch", **point)


@given(HAZARD, st.floats(0, 500), st.integers(1, 2000))
@CALM
def test_fluid_peak_is_the_largest_value(p0, x0, slots) -> None:
    times = [i * 0.02 / p0 for i in range(200)]
    values = [slots * math.exp(-p0 * t) * (x0 + t) for t in times]
    peak = memory.numeric("fluid_peak", N=slots, p0=p0, x0=max(x0, 1e-9))
    assert max(values) <= peak * (1 + 1e-12)
    if p0 * x0 <= 1:
        assert max(values) == pytest.approx(peak, rel=1e-3)


@pytest.mark.parametrize(("slots", "k", "p0", "prompt"), [(2, 1, 0.3, 2), (3, 2, 0.4, 1), (4, 3, 0.5, 0)])
def test_the_bound_holds_the_exact_tail(slots, k, p0, prompt) -> None:
    seen = 0
    for capacity in range(slots * (prompt + 1), slots * (prompt + 1) + 8):
        bound = memory.peak_tail_bound(slots, k, p0, prompt, capacity)
        assert exact_peak_tail(slots, k, p0, prompt, capacity) <= bound + 1e-15
        seen += bound < 1
    assert seen


@pytest.mark.parametrize(("slots", "k", "p0", "prompt"),
                         [(1, 1, 0.5, 3), (2, 1, 0.3, 2), (3, 2, 0.4, 1), (4, 3, 0.5, 0)])
def test_the_bound_is_its_definition(slots, k, p0, prompt) -> None:
    """E[M] Pr(O_1 + ... + O_N > capacity - N prompt): the sum by convolution, M by its tails, a term at a time."""
    one = {n: p0 * (1 - p0) ** (n - 1) for n in range(1, 60)}
    total = {0: 1.0}
    for _ in range(slots):
        total = {s: sum(total.get(s - n, 0.0) * q for n, q in one.items()) for s in range(60)}
    iterations = sum(sum(math.comb(slots, i) * (1 - (1 - p0) ** m) ** i * (1 - p0) ** (m * (slots - i))
                         for i in range(k)) for m in range(200))
    for capacity in range(slots * prompt, slots * prompt + 30):
        tail = 1 - sum(q for s, q in total.items() if s <= capacity - slots * prompt)
        found = memory.peak_tail_bound(slots, k, p0, prompt, capacity)
        assert found == pytest.approx(min(1.0, iterations * tail), abs=1e-9), capacity


def test_the_safe_batch_is_safe_and_the_papers_is_not() -> None:
    """ShareGPT's and LongBench's means at the capacity where (6) gives 256."""
    for prompt, output, theta in ((105, 280, 0.1), (2492, 11, 0.35)):
        p0, eps = 1 / output, 0.01
        capacity = (memory.numeric("mean_start", theta=theta, N=256, p0=p0, mu_L=prompt)
                    + memory.numeric("volatility", p0=p0, mu_L=prompt) * math.log(1 / eps) + 1)
        assert memory.numeric("probabilistic_batch", C=capacity, eps=eps, theta=theta, p0=p0, mu_L=prompt) == 256
        paper = memory.simulate_peaks(256, memory.threshold_count(theta, 256), p0, prompt, phases=40, replications=30)
        mean, half = paper.tail(capacity)
        assert mean - half > eps
        safe = memory.safe_batch(capacity, eps, theta, p0, prompt)
        assert 0.8 * 256 < safe < 256
        ours = memory.simulate_peaks(safe, memory.threshold_count(theta, safe), p0, prompt, phases=40, replications=30)
        assert ours.tail(capacity)[0] <= eps
        assert memory.peak_tail_bound(safe + 1, memory.threshold_count(theta, safe + 1), p0, prompt, capacity) > eps


def test_every_slot_is_safe_where_all_outputs_are_single_tokens() -> None:
    """With p0 = 1 a request holds its prompt and one token: as many are safe as fit, to the last one."""
    for capacity, prompt in ((30, 2), (31, 2), (32, 2), (7, 6), (6, 6)):
        assert memory.safe_batch(capacity, 0.01, 0.5, 1.0, prompt) == capacity // (prompt + 1)


@pytest.mark.parametrize(("excess", "p0"), [(2.0, 0.5), (9.0, 0.2), (0.3, 0.9), (300.0, 0.01)])
def test_the_tail_rate_is_the_legendre_transform_of_a_geometric_law(excess, p0) -> None:
    """I(r) = sup_t (t r - log E exp(t G)), G + 1 geometric: by a search over t with the mean as a sum of its terms."""
    def below(t: float) -> float:
        return -(t * excess - math.log(p0) + math.log1p(-(1 - p0) * math.exp(t)))

    found = optimize.minimize_scalar(below, bounds=(0.0, -math.log1p(-p0) * (1 - 1e-12)), method="bounded",
                                     options={"xatol": 1e-12})
    assert memory.numeric("tail_rate", r=excess, p0=p0) == pytest.approx(-found.fun, rel=1e-6, abs=1e-9)
    fails = stats.nbinom.sf(math.ceil(8 * excess) - 1, 8, p0)  # of eight, the sum at least 8 r
    assert fails <= math.exp(-8 * memory.numeric("tail_rate", r=excess, p0=p0)) * (1 + 1e-9)


def test_no_capacity_no_batch_and_bad_input_is_named() -> None:
    assert memory.safe_batch(5.0, 0.01, 0.3, 0.1, 10) == 0
    with pytest.raises(InputError, match="eps must be above 0 and below 1, not 1"):
        memory.safe_batch(5.0, 1.0, 0.3, 0.1, 10)
    with pytest.raises(InputError, match="theta must be above 0 and below 1, not 1"):
        memory.numeric("mean_start", theta=1, N=2, p0=0.1, mu_L=1)
    with pytest.raises(InputError, match="needs a value for mu_L"):
        memory.numeric("volatility", p0=0.1)
    with pytest.raises(UnknownNameError, match="volatility"):
        memory.numeric("volatillity", p0=0.1)
    with pytest.raises(UnknownNameError, match="mu_L"):
        memory.numeric("volatility", p0=0.1, muL=1)


def test_each_formula_names_claims_of_the_referee() -> None:
    for formula in memory.FORMULAS.values():
        assert formula.claims and all(c in CLAIM and CLAIM[c].severity is None for c in formula.claims)
        assert isinstance(formula(), sp.Expr)


# ---- the table ----

def test_the_table_in_every_format() -> None:
    table = tables.build("eb-memory", ["a100-40gb-qwen-8b"], ["eb-longbench", "eb-geometric-64", "eb-wildchat"], [64])
    rows = table.to_dict()["rows"]
    assert [row["workload"] for row in rows] == ["eb-longbench", "eb-geometric-64"]  # WildChat has no mean prompt
    long, short = rows
    assert long["exceeds"] > 0.3 and long["safe"] < 64
    assert short["exceeds"] == 0 and short["safe"] > 2 * 64
    for row in rows:
        assert row["bound"] <= row["eps"]
        least = {"theta": row["theta0"], "p0": 1 / row["mu_O"], "mu_L": row["mu_L"], "eps": row["eps"]}
        assert memory.numeric("probabilistic_batch", C=row["capacity"], **least) == row["N"]
        assert memory.numeric("probabilistic_batch", C=row["capacity"] - 2, **least) == row["N"] - 1
    assert all(table.render(form) for form in tables.FORMATS)


def test_the_deviation_and_the_interval_of_a_row() -> None:
    """The spread of memory at a phase's start by playing phases, and the interval by replications of its own."""
    [row] = tables.build("eb-memory", ["a100-40gb-qwen-8b"], ["eb-longbench"], [64]).to_dict()["rows"]
    slots, k, p0 = row["N"], row["k"], 1 / row["mu_O"]
    rng, copies = np.random.default_rng(7), 4000
    held = np.zeros((copies, slots), dtype=int)
    for _ in range(4 * slots // k):  # phases until what a request holds at a start has forgotten the first
        lives = rng.geometric(p0, (copies, slots))
        ends = np.sort(lives, axis=1)[:, k - 1 : k]
        held = np.where(lives <= ends, 0, held + ends)
    assert held.sum(axis=1).std() == pytest.approx(row["deviation"], rel=0.04)
    lives = rng.geometric(p0, (copies, slots))
    last = np.sort(lives, axis=1)[:, k - 1]
    outgrown = np.zeros(copies, dtype=bool)
    for t in range(1, last.max() + 1):  # in iteration t of the phase each that decodes gets a token
        memory_held = np.where(lives >= t, row["mu_L"] + held + t, 0).sum(axis=1)
        outgrown |= (memory_held > row["capacity"]) & (t <= last)
    error = math.sqrt(outgrown.mean() * (1 - outgrown.mean()) * (1 / copies + 1 / 800))
    assert row["exceeds"] == pytest.approx(outgrown.mean(), abs=4 * error) and 0.2 < row["exceeds"] < 0.8
    runs = memory.simulate_peaks(slots, k, p0, round(row["mu_L"]), phases=20, replications=40, seed=row["seed"])
    shares = (runs.during > row["capacity"]).mean(axis=1)
    half = stats.t.ppf(0.975, 39) * shares.std(ddof=1) / math.sqrt(40)
    assert row["exceeds"] == pytest.approx(shares.mean())
    assert row["exceeds_high"] == pytest.approx(min(shares.mean() + half, 1.0))
    assert row["exceeds_low"] == pytest.approx(max(shares.mean() - half, 0.0))


def test_no_threshold_no_probability() -> None:
    table = tables.build("eb-memory", ["a100-40gb-qwen-8b"], ["eb-sharegpt"], [8])
    assert table.column("k") == (0,) and table.column("exceeds") == (None,)


@pytest.mark.slow
def test_intervals_reach_every_size() -> None:
    table = tables.build("eb-memory", ["a100-llama3-70b-tp2-vidur-pair"], ["eb-sharegpt"], [64], intervals=True)
    [row] = table.to_dict()["rows"]
    for name in ("theta0", "capacity", "static", "safe", "k"):
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"], name
    assert row["capacity_low"] < row["capacity"] < row["capacity_high"]
    printed = [c.name for c in table.columns if c.printed]
    assert [name for name in printed if name.startswith("safe")] == ["safe", "safe_low", "safe_high"]
    assert "delta method" in table.render("latex")
    plain = tables.build("eb-memory", ["a100-llama3-70b-tp2-vidur-pair"], ["eb-sharegpt"], [64])
    assert plain.column("safe_low") == table.column("safe_low") and "delta method" not in plain.render("md")
    with pytest.raises(InputError, match="no profile of a100-40gb-qwen-8b has a covariance"):
        tables.build("eb-memory", ["a100-40gb-qwen-8b"], intervals=True)
