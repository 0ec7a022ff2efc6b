"""Strategies for the search: rates of limits, constants of orders, lemmas on the way, places of counterexamples.

They need no trust.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# lemmas (formula, terms for its variables, condition under which these are defined)
SMALL = "And(0 < p0, p0 < 1/2)"
LOG_P0 = f"Implies({SMALL}, And(log(1 - p0) < -p0, -log(1 - p0) <= p0 + 2*p0**2))"
PSI = "theta/(1 - theta) + log(1 - theta)"
LEFT = "And(0 < theta, theta < 1/2)"
SHARE = "And(0 < c, c <= 1, 0 < p, p <= 1, N > 0)"
ROOTS = "Implies(And(a >= 0, b > 0, a <= b), sqrt(a) <= sqrt(b))"
S, CEIL = "exp(-p0*s)", "exp(-p0*ceil(s))"
LOSS = "t*log(1 - p0) + p0*t"
DELAY = "-z - z/p0*log(1 - p0)"
GAINS = "(ceil(s) - s)/s", f"({S} - {CEIL})/theta"


def fluctuation(n: str) -> tuple[Any, ...]:
    """sqrt(c n p0 (1 - p0)) <= sqrt(n), for n > 1."""
    inside = f"c*{n}*p0*(1 - p0)"
    return ((f"Implies({SHARE}, And(c*N*p*(1 - p) >= 0, c*N*p*(1 - p) <= N))", {"c": "c", "p": "p0", "N": n},
             f"{n} > 1"),
            (ROOTS, {"a": inside, "b": n}, f"{n} > 1"),
            f"Implies({n} > 1, sqrt({inside})/(c*{n}*p0) <= 1/(c*p0)/sqrt({n}))")


HINTS: Mapping[str, Mapping[str, Any]] = {
    "eb.lem-B.2.at-1": {"rate": {"theta": ("1/2", "1", "1/2"), "x": ("1", "1/2"), "y": ("4", "1/2", "sqrt")},
                        "lemmas": ("Implies(And(0 < y, y < 1), log(1 - y) >= 2 - 2/sqrt(1 - y))",)},
    "eb.lem-B.4.at-0": {"rate": {"theta": ("2*alpha_d/p0", "1/2")}, "lemmas": (
        f"Implies({LEFT}, And({PSI} <= 2*theta, {PSI} >= 0))",
        f"Implies({LEFT}, Phi(theta) == alpha_p - alpha_d/p0*({PSI}))",
        ("Implies(And(a > 0, s >= 0, s <= 2*x), And(a*s >= 0, a*s <= 2*a*x))",
         {"a": "alpha_d/p0", "s": PSI, "x": "theta"}, LEFT))},
    "eb.lem-B.4.at-1": {"rate": {"theta": ("alpha_d/p0/2", "alpha_d/p0 + alpha_p", "1/2"),
                                 "x": ("alpha_d/p0", "0", "1/2")}},
    "eb.sec-3.1.fluid.small-p0": {"rate": {"p0": ("2", "1/2")}, "lemmas": (
        LOG_P0, "log(1 - theta) < 0", "beta_d*N*theta >= 0", "-alpha_d*log(1 - theta) > 0",
        ("Implies(And(0 < p, p < q, q <= p + 2*p**2, l > 0, b >= 0), "
         "And((l/p + b/p)/(l/q + b/p) - 1 >= 0, (l/p + b/p)/(l/q + b/p) - 1 <= 2*p))",
         {"p": "p0", "q": "-log(1 - p0)", "l": "-alpha_d*log(1 - theta)", "b": "beta_d*N*theta"}, SMALL))},
    "eb.app-B.1.relative": {"order": {"p0": ("2*z*exp(z)", "1/2")}, "lemmas": (
        LOG_P0, f"Implies({SMALL}, (1 - p0)**(z/p0) == exp(z/p0*log(1 - p0)))",
        f"Implies({SMALL}, And(0 <= {DELAY}, {DELAY} <= 2*z*p0))",
        ("Implies(And(0 <= u, u <= w, w <= z), And(exp(u) >= 1, exp(u) - 1 <= w*exp(z)))",
         {"u": DELAY, "w": "2*z*p0"}, SMALL),
        f"Implies({SMALL}, exp(-p0*(z/p0))/exp(z/p0*log(1 - p0)) == exp({DELAY}))")},
    "eb.app-B.3.source-1-size.every-k": {"point": {"N": "64", "k": "63"}},
    "eb.app-B.3.source-4-dominated.every-N": {"point": {"p0": "1/100", "N": "40000"}},
    "eb.app-B.3.source-2-stop.fluid": {"lemmas": (
        ("Implies(a <= b, exp(a) <= exp(b))", {"a": "-p0*ceil(s)", "b": "-p0*s"}),
        ("Implies(a < b, exp(a) < exp(b))", {"a": "-p0*s", "b": "-p0*(ceil(s) - 1)"}))},
    "eb.app-B.3.source-2-bounded.bound": {"lemmas": (
        "s > 0", "And(ceil(s) >= s, ceil(s) < s + 1)",
        ("Implies(a <= b, And(exp(a) <= exp(b), exp(b) - exp(a) <= exp(b)*(b - a)))",
         {"a": "-p0*ceil(s)", "b": "-p0*s"}),
        ("Implies(v > 0, 1 - exp(-v) >= v*exp(-v))", {"v": "p0*s"}),
        ("Implies(And(p > 0, a > 0, b >= 0, s > 0, t >= s, t < s + 1, e > 0, e >= f, e - f <= p*e*(t - s), "
         "1 - e >= p*s*e), And((a*t + b*(1 - f)/p)/(a*s + b*(1 - e)/p) - 1 >= 0, "
         "(a*t + b*(1 - f)/p)/(a*s + b*(1 - e)/p) - 1 <= 1/s))",
         {"p": "p0", "a": "alpha_d", "b": "beta_d*N", "s": "s", "t": "ceil(s)", "e": S, "f": CEIL}))},
    "eb.app-B.3.source-2-bounded.remains.corrected": {"witness": {"e": f"Min({GAINS[0]}, {GAINS[1]})"}, "lemmas": (
        "s > 0", ("Implies(a < b, exp(a) < exp(b))", {"a": "-p0*ceil(s)", "b": "-p0*s"}),
        f"And({GAINS[0]} > 0, {GAINS[1]} > 0)",
        ("Implies(And(a > 0, b > 0), And(Min(a, b) > 0, Min(a, b) <= a, Min(a, b) <= b))",
         {"a": GAINS[0], "b": GAINS[1]}),
        ("Implies(And(p > 0, a > 0, b >= 0, n > 0, s > 0, t > s, e > f, h > 0, h == 1 - e, s*w <= t - s, "
         "h*w <= e - f), (a*t + b*n*(1 - f)/p)/(a*s + b*n*(1 - e)/p) - 1 >= w)",
         {"p": "p0", "a": "alpha_d", "b": "beta_d", "t": "ceil(s)", "e": S, "f": CEIL, "h": "theta",
          "w": f"Min({GAINS[0]}, {GAINS[1]})", "n": "n", "s": "s"}))},
    "eb.app-B.3.source-3.order": {"order": {"N": ("1/theta", "1")}},
    "eb.app-B.3.source-4-gap.corrected": {"order": {"p0": ("2", "1/2")}},
    "eb.table-8.fluctuation": {"order": {"N": ("1/(c*p0)", "1")}, "rate": {"n": ("1/(c*p0)", "1", "sqrt")},
                               "lemmas": (*fluctuation("N"), *fluctuation("n"))},
    "eb.table-8.rounding": {"order": {"N": ("1/theta", "1")}, "rate": {"n": ("1/theta", "1")}},
    "eb.table-8.fluid.small-p0": {"rate": {"p0": ("t + 1", "1/2")}, "lemmas": (
        LOG_P0, f"Implies({SMALL}, (1 - p0)**t == exp(t*log(1 - p0)))",
        f"Implies({SMALL}, And({LOSS} <= 0, {LOSS} >= -t*p0))",
        ("Implies(u <= 0, And(exp(u) <= 1, exp(u) >= 1 + u))", {"u": LOSS}, SMALL),
        f"Implies({SMALL}, exp(t*log(1 - p0))/exp(-p0*t) == exp({LOSS}))")},
}
