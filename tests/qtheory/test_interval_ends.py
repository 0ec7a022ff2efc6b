"""The ends of the intervals that tables hold, by the delta method with derivatives at 30 digits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

from qtheory import profiles, workloads
from qtheory.profiles.schema import HardwareProfile
from qtheory.report import tables

PAIR, WORKLOAD, N, EPS = "a100-llama3-70b-tp2-vidur-pair", "eb-sharegpt", 64, 0.01


def interval(value: Callable[..., mp.mpf], profile: HardwareProfile) -> tuple[float, float]:
    """Of a function of (alpha_p, beta_p, alpha_d, beta_d), 95 percent."""
    table = profile.law_table
    assert table is not None and table.covariance is not None and profile.fit is not None
    order = ("alpha_p", "beta_p", "alpha_d", "beta_d")
    at = [mp.mpf(profile.law.constants[name]) for name in order]
    matrix = table.covariance.array()
    named = {name: i for i, name in enumerate(table.covariance.constants)}
    with mp.workdps(30):
        slopes = [mp.diff(lambda x, i=i: value(*at[:i], x, *at[i + 1:]), at[i], h=at[i] * mp.mpf("1e-9"))
                  for i in range(4)]
        variance = sum(float(slopes[i]) * float(slopes[j]) * float(matrix[named[a], named[b]])
                       for i, a in enumerate(order) for j, b in enumerate(order))
        middle = float(value(*at))
    half = stats.t.ppf(0.975, profile.fit.rows - 4) * math.sqrt(variance)
    return middle - half, middle + half


def lengths() -> tuple[float, float]:
    of = workloads.load(WORKLOAD)
    return float(of.prompt.mean), float(of.output.mean)


def test_the_ends_in_the_table_of_the_crossover() -> None:
    profile, (L, O) = profiles.load(PAIR), lengths()  # noqa: E741
    row, = tables.build("eb-crossover", [PAIR], [WORKLOAD], [N]).to_dict()["rows"]
    k = row["k0"]
    zeta = mp.log(mp.mpf(N) / (N - k))

    def mixed(ap: mp.mpf, bp: mp.mpf, ad: mp.mpf, bd: mp.mpf) -> mp.mpf:
        return N / (ap * (1 + O) + bp * N * (L + O))

    def exclusive(ap: mp.mpf, bp: mp.mpf, ad: mp.mpf, bd: mp.mpf) -> mp.mpf:
        return k / (ad * O * zeta + bd * O * k + ap + bp * L * k)

    numbers = {
        "gap": lambda ap, bp, ad, bd: 1e6 * (bp - (bp * L + bd * O) / (L + O)),
        "bound": lambda ap, bp, ad, bd: 1e6 * ((ad * O * zeta + ap) / k - ap * (1 + O) / N) / (L + O),
        "mixed": mixed, "exclusive": exclusive, "lead": lambda *of: mixed(*of) - exclusive(*of)}
    for name, number in numbers.items():
        found = row[f"{name}_low"], row[f"{name}_high"]
        assert found == pytest.approx(interval(number, profile), rel=1e-3), name


def base(ap: mp.mpf, bp: mp.mpf, ad: mp.mpf, bd: mp.mpf) -> mp.mpf:
    """theta0 solves theta/(1 - theta) + ln(1 - theta) = p0 alpha_p/alpha_d."""
    gamma = ap / ad / lengths()[1]
    return mp.findroot(lambda t: t / (1 - t) + mp.log(1 - t) - gamma, mp.sqrt(2 * gamma))  # near it for small ones


def start(theta: float, slots: int, L: int, mean: float) -> float:
    """The fluid's memory as a phase begins."""
    return slots * (L + (1 - theta) / theta * -math.log1p(-theta) * mean)


def risk(slots: int, capacity: int, theta: float, L: int, mean: float) -> float:
    """E[M] Pr(the sum of L + O exceeds the capacity), M the iterations until k of the slots are idle."""
    k, p = max(1, min(math.floor(theta * slots), slots - 1)), 1 / mean
    ended = 1 - (1 - p) ** np.arange(5 * math.ceil(mean))
    phase = float(stats.binom.cdf(k - 1, slots, ended).sum())
    return phase * float(stats.nbinom.sf(capacity - slots * L - slots, slots, p))


def guaranteed(capacity: int, theta: float, L: int, mean: float) -> int:
    """The most slots at which that is at most eps."""
    return next(n for n in range(capacity // (L + 1), -1, -1) if n == 0 or risk(n, capacity, theta, L, mean) <= EPS)


@pytest.mark.slow
def test_the_ends_in_the_table_of_memory() -> None:
    (prompt, mean), profile = lengths(), profiles.load(PAIR)
    row, = tables.build("eb-memory", [PAIR], [WORKLOAD], [N]).to_dict()["rows"]
    L = round(prompt)
    ends = interval(base, profile)
    assert (row["theta0_low"], row["theta0_high"]) == pytest.approx(ends, rel=1e-4)
    reserve = mean**2 / L * math.log(1 / EPS)
    sizes: list[Sequence[int]] = []
    for theta in (row["theta0"], row["theta0_low"], row["theta0_high"]):
        capacity = math.ceil(start(theta, N, L, mean) + reserve)
        fits = max(n for n in range(1, 2 * N) if start(theta, n, L, mean) <= capacity)
        sizes.append((min(math.floor(theta * N), N - 1), capacity, fits, guaranteed(capacity, theta, L, mean)))
    assert row["reserve"] == pytest.approx(reserve, rel=1e-9)
    assert row["bound"] == pytest.approx(risk(row["safe"], row["capacity"], row["theta0"], L, mean), rel=1e-6)
    assert row["phases"] == 800 and row["seed"] == 1 and row["eps"] == EPS, "as the caption says"
    for name, values in zip(("k", "capacity", "static", "safe"), zip(*sizes, strict=True), strict=True):
        assert (row[name], row[f"{name}_low"], row[f"{name}_high"]) == (values[0], min(values), max(values)), name


@pytest.mark.slow
def test_the_ends_in_the_table_of_thresholds() -> None:
    """k0* is held in the throughput, and has the ends of theta0."""
    profile, (L, O) = profiles.load(PAIR), lengths()  # noqa: E741
    row, = tables.build("eb-threshold", [PAIR], [WORKLOAD], [N]).to_dict()["rows"]
    k = row["k0"]

    def throughput(ap: mp.mpf, bp: mp.mpf, ad: mp.mpf, bd: mp.mpf) -> mp.mpf:
        return k / (ad * O * mp.log(mp.mpf(N) / (N - k)) + bd * O * k + ap + bp * L * k)

    numbers = {"ratio": lambda ap, bp, ad, bd: ap / ad / O, "theta0": base,
               "zeta": lambda *of: -mp.log(1 - base(*of)), "throughput": throughput}
    for name, number in numbers.items():
        assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx(interval(number, profile), rel=1e-3), name
    assert (row["k0_low"], row["k0_high"]) == tuple(math.floor(row[f"theta0_{end}"] * N) for end in ("low", "high"))


def test_without_a_threshold_nothing_is_compared() -> None:
    """At k0* = 0 the phase never ends: the gap and mixed batching stay, all that needs a phase is missing."""
    row, = tables.build("eb-crossover", [PAIR], [WORKLOAD], [2]).to_dict()["rows"]
    assert row["k0"] == 0
    ends = ("", "_low", "_high")
    assert all(row[f"{name}{end}"] is None for name in ("bound", "exclusive", "lead") for end in ends)
    assert row["faster"] is row["undecided"] is row["break_even"] is None
    assert all(row[f"{name}_low"] < row[name] < row[f"{name}_high"] for name in ("gap", "mixed"))
