"""Figures of the planning paper that its programs give: charging schemes, frontiers, constants, prices; all exact.

Source: "Large-Scale LLM Inference with Heterogeneous Workloads: Prefill-Decode Contention and Asymptotically Optimal
Control" (arXiv:2602.02987v1), Figures 2 and 8 to 10, on the two-class instance of Section 6.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from qtheory.report.planning_plot import ALPHA, BETA, BUDGETS, GAMMA, constants
from qtheory.report.reproduce_rows import Progress, Reproduced, Row
from qtheory.theory.planning import (
    DecodeFairness,
    Instance,
    Plan,
    PrefillFairness,
    Prices,
    frontier,
    plan,
    two_class_instance,
)
from qtheory.theory.planning.penalised import token_time_frontier

RATES = tuple(Fraction(k, 10) for k in range(1, 13))
PRINTED = {"bundled": 300.2, "separate": 452.9}  # "OPT" in Figure 2
SETTING = Fraction(1, 2)  # lambda_i of Section 6.2
LIMITS = tuple(Fraction(k, 10_000) for k in (220, 221, 222, 224, 226, 228, 230, 240))  # s, eta_3
BATCHES = (2, 4, 8, 12, 16, 20, 24, 32, 36)
SWEEPS = {"α": ("0.005", "0.0174", "0.04", "0.07", "0.1"), "β": ("0.00001", "0.000062", "0.0002", "0.0005", "0.001"),
          "γ": ("5", "10", "20", "45.45", "50")}


def _queues(found: Plan) -> Iterator[tuple[str, float]]:
    for i in range(len(found.instance)):
        yield f"C{i} prefill queue", float(found.q_p[i])
        yield f"C{i} decode queue", float(found.q_d[i])


def charging_schemes(progress: Progress) -> Reproduced:
    """Figure 2: the optimal revenue and queues by the arrival rate, under both ways of charging."""
    rows = list[Row]()
    for charging, printed in PRINTED.items():
        for rate in RATES:
            found = plan(two_class_instance((rate, rate)), charging)
            place = f"{charging}, λ = {float(rate):g}"
            rows.append(Row(place, "revenue ($/s)", printed if rate == SETTING else None, float(found.value)))
            rows += [Row(place, what, None, value) for what, value in _queues(found)]
    caption = ("Optima of (40) and (42) per GPU, exact, both classes at the rate λ; the rest as in Section 6.2. The "
               "figure prints OPT = 300.2 and 452.9 and no arrival rate for them; at Section 6.2's λ = 0.5 the optima "
               "are those below, and at λ = 1 the separate one is 451.7. Under separate charging, plans are optimal "
               "with other queues too: (42) knows the classes by sums alone.",)
    return Reproduced("Figure 2 of the planning paper", caption, rows)


def frontiers(progress: Progress) -> Reproduced:
    """Figure 8: revenue at every breakpoint of the fairness frontiers, and the price of each piece; at bounds on the
    mean time per output token."""
    it, rows = two_class_instance(), list[Row]()
    for level, high, name in ((PrefillFairness(), Fraction(3, 10), "8a, η₁"),
                              (DecodeFairness(), Fraction(10), "8b, η₂")):
        found = frontier(it, level, Fraction(0), high)
        for piece in found.pieces:
            place = f"{name} = {float(piece.low):.4g}"
            rows += [Row(place, "revenue ($/s)", None, float(piece.value)),
                     Row(place, "shadow price, up to the next", None, float(piece.slope))]
    late = token_time_frontier(it)
    for bound in (b for b in LIMITS if b >= it.times.solo):
        rows += [Row(f"8c, η₃ = {float(1000 * bound):g} ms", "revenue ($/s)", None, float(late.at(bound))),
                 Row(f"8c, η₃ = {float(1000 * bound):g} ms", "shadow price ($/s per ms)", None,
                     float(late.price(bound) / 1000))]
    caption = ("Exact frontiers of the bundled revenue against one bound at a time, at all breakpoints of 8a and 8b. "
               "The paper prints no value. It says that prefill fairness is steep, decode fairness nearly flat, and "
               "that the price of a low time per output token grows towards 22 ms, which is the time without any "
               "prefill.",)
    return Reproduced("Figure 8 of the planning paper", caption, rows)


def sensitivity(progress: Progress) -> Reproduced:
    """Figure 9: revenue and mean time per output token over the batch size and the iteration-time constants."""
    each: list[tuple[str, Instance]] = [(f"B = {b}", constants(batch=b)) for b in BATCHES]
    default = {"α": ALPHA, "β": BETA, "γ": GAMMA}
    for name, values in SWEEPS.items():
        for value in values:
            a, b, g = (Fraction(value) if name == k else v for k, v in default.items())
            each.append((f"{name} = {value}", constants(a, b, g)))
    rows = list[Row]()
    for place, instance in each:
        found = plan(instance)
        rows += [Row(place, "revenue ($/s)", None, float(found.value)),
                 Row(place, "time per output token (ms)", None, 1000 * float(found.token_time or 0))]
    caption = ("Optima of (40) with one constant changed at a time, the others as in Section 6.2 (α = 0.0174 s, "
               "β = 0.000062 s, γ = 45.45/s, B = 16), and (47) at the optimum. The paper draws curves and prints no "
               "value; it says that revenue saturates around B = 16, falls sharply with β, and grows with γ.",)
    return Reproduced("Figure 9 of the planning paper", caption, rows)


def prices(progress: Progress) -> Reproduced:
    """Figure 10: revenue over batch size and β, and the best split of a price budget."""
    rows = [Row(f"10a, B = {b}, β = {value}", "revenue ($/s)", None, float(plan(constants(
        beta=Fraction(value), batch=b)).value)) for b in (4, 16, 36) for value in ("0.0001", "0.0004", "0.001")]
    for charging in PRINTED:
        for budget in BUDGETS:
            k, found = Fraction(budget), dict[Fraction, Fraction]()
            for share in (Fraction(j, 10) for j in range(11)):
                found[share] = plan(replace(two_class_instance(), prices=Prices(k * share, k * (1 - share))),
                                    charging).value
            best = max(found, key=found.__getitem__)
            place = f"10b, {charging}, budget {budget}"
            rows += [Row(place, "best c_p/(c_p + c_d)", None, float(best)),
                     Row(place, "revenue there ($/s)", None, float(found[best])),
                     Row(place, "revenue at c_p = c_d ($/s)", None, float(found[Fraction(1, 2)]))]
    caption = ("Exact optima. The best split is the same for every budget, as the paper says: the revenue of a plan is "
               "linear in both prices. The optimum is convex along c_p + c_d = k, so that the best split is an end of "
               "it, all on prefill or all on decode tokens, and no ratio between; shares in steps of 1/10.",)
    return Reproduced("Figure 10 of the planning paper", caption, rows)
