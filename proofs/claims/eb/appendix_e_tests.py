"""Appendix E.4: the tests for an increasing hazard rate (Table 12).

Without ties the Mann-Kendall statistic S of n rates has the variance n (n - 1)(2 n + 5)/18, and its two-sided p-value
is 2 (1 - F(z)) <= exp(-z^2/2) with z = (|S| - 1)/sqrt(variance) and F the standard normal law.
"""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .printed import Place, Reading, conjunction, half_unit
from .tables import TABLES

TESTS = Place("Table 12")
T12, T9 = TABLES[12], TABLES[9]
WORKLOADS = ("sharegpt", "numina", "wildchat")
P_VALUES = [T12[f"{w} {test}"] for w in WORKLOADS for test in ("mann-kendall", "regression")]
LEVEL = "1e-5"  # of the caption
CAPTION = (1197, 1197)
# z^2/2 of n distinct rates of which s pairs are out of order
HALF_SQUARE = "half(n, s) = 9*(n*(n - 1)/2 - 2*s - 1)**2/(n*(n - 1)*(2*n + 5))"
LONGEST = T9["longbench output"].strip("[]").split(":")[1]
MEAN = T9["longbench mu_O"]

CLAIMS: tuple[Claim, ...] = (
    *TESTS.table(12, T12.lines, "The samples are not published; the p-values' order against 1e-5 is judged: "
                 "eb.table-12.reject."),
    *TESTS.stated(
        "eb.table-12.reject", "All three reject CFR (H0: eta = 0 or no monotonic trend) at p < 10^-5 under both tests",
        CAPTION, conjunction(f"{p} - {half_unit(p)} < {LEVEL}" for p in P_VALUES),
        note="Raw line 1197: 'All three reject CFR ... at p<10^{-5} under both tests'. Independent use: Table 12, line "
             f"{T12.line('wildchat')[0]}: Mann-Kendall gives {T12['wildchat mann-kendall']} for WildChat. The other "
             "five are below 1e-5.",
        right=conjunction([*(f"{p} + {half_unit(p)} < {LEVEL}" for p in P_VALUES if p != T12["wildchat mann-kendall"]),
                           f"{T12['wildchat mann-kendall']} + {half_unit(T12['wildchat mann-kendall'])} < 2e-5"]),
        right_note="Five of the six are below 1e-5, all are below 2e-5, which six tests at a joint level of 1e-4 "
                   "admit."),
    *TESTS.imprecise(
        "eb.table-12.support", "supporting Theorem 3.2's IFR assumption", CAPTION,
        "'Supporting' is no relation with a truth value; the p-values are two-sided and without their sign. Weak "
        "reading: they are small, eb.table-12.reject.corrected. Strong: a rate that is rejected at 1e-5 increases.",
        Reading("implies", "half(20, 1) <= 5*log(10)",
                "The rates of 20 lengths in increasing order but for one neighbouring pair are not those of an IFR "
                "law, and the test rejects a constant rate at p <= exp(-z^2/2) < 1e-5. Raw line 1197: 'supporting "
                "Theorem 3.2's IFR assumption'; independent use: line 1195, 'formal statistical tests of CFR vs. "
                "IFR', whose hypothesis, no monotonic trend, is all that they can reject.",
                (HALF_SQUARE,), right="And(Implies(n >= 14, half(n, 0) >= 12), exp(-12) < 1e-5)",
                right_note="The converse holds: from 14 lengths on, rates that increase throughout are rejected."),
        kind="empirical", others=("eb.table-12.reject.corrected",)),
    *TESTS.imprecise(
        "eb.table-12.longbench", "LongBench is excluded as mu_O ~ 12 is too short for hazard-rate analysis", CAPTION,
        "'Too short' has no measure. Readings: the mean is that of Table 9; no test on so few lengths can reject at "
        "1e-5.",
        Reading("mean", f"Abs(12 - {MEAN}) <= 1/2 + {half_unit(MEAN)}",
                f"Digits inconsistent: Table 9, line {T9.line('longbench')[0]}, has {MEAN}; only 11.5 rounds to both."),
        Reading("no-test", f"half({LONGEST}, 0) <= 5*log(10)",
                "Raw line 1197: 'is too short for hazard-rate analysis'; independent use: Table 9, line "
                f"{T9.line('longbench')[0]}: its outputs have up to {LONGEST} tokens, and the test needs 14 lengths "
                "(eb.table-12.support.implies.corrected), of those up to t95 (l. 1195). With 4,000 requests each rate "
                "has some 200 completions.",
                (HALF_SQUARE,), right=f"exp(-half({LONGEST}, 0)) < 1e-5",
                right_note=f"Rates that increase over {LONGEST} lengths are rejected at 1e-5.")),
)
