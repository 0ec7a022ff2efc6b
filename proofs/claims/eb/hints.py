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

LOG_SIGN = "Implies(And(0 < x, x < 1), -log(1 - x) > 0)"
SLOTS, RATE = "floor(theta0*N)", "beta_p*mu_L + beta_d/p0"
LEFT_OVER = "(1 - p0)**t"

W = "LambertW(-exp(-1 - gamma), -1)"


def fixed(x: str) -> str:
    return f"(alpha_p - alpha_d/p0*log(1 - {x}))"


def fluctuation(n: str) -> tuple[Any, ...]:
    """sqrt(c n p0 (1 - p0)) <= sqrt(n), for n > 1."""
    inside = f"c*{n}*p0*(1 - p0)"
    return ((f"Implies({SHARE}, And(c*N*p*(1 - p) >= 0, c*N*p*(1 - p) <= N))", {"c": "c", "p": "p0", "N": n},
             f"{n} > 1"),
            (ROOTS, {"a": inside, "b": n}, f"{n} > 1"),
            f"Implies({n} > 1, sqrt({inside})/(c*{n}*p0) <= 1/(c*p0)/sqrt({n}))")


# the pure death process: steps of the logarithm against 1/(i + 1), summed by induction
STEP = "And(log(i + 1) - log(i) >= 1/(i + 1), log(i + 1) - log(i) <= 102/100/(i + 1))"
STEPS = f"ForAll(i, i >= 32, {STEP})"
LEFT_SUM = "Sum(1/(m + j), (j, 1, k))"
DEATHS: tuple[Any, ...] = (
    (STEPS, {}, "", ((f"Implies(i >= 32, {STEP})", {}, "", (
        ("Implies(And(0 < u, u <= 1/33), And(-log(1 - u) >= u, -log(1 - u) <= u + 33/64*u**2))", {"u": "1/(i + 1)"},
         "i >= 32"),
        "Implies(i >= 32, log(i) - log(i + 1) == log(1 - 1/(i + 1)))",
        "Implies(i >= 32, And(1/(i + 1) > 0, 1/(i + 1) <= 1/33))")),)),
    f"Implies({STEPS}, And({LEFT_SUM} <= log(m + k) - log(m), log(m + k) - log(m) <= 102/100*{LEFT_SUM}))",
    "log(1 - k/(m + k)) == log(m) - log(m + k)")

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
    "eb.app-B.3.source-1-size.half": {"lemmas": DEATHS},
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
    "eb.sec-3.2.1.TP-EB.corrected": {"lemmas": (
        "Td == (beta_d*k - alpha_d*log(1 - k/N))/p0", (LOG_SIGN, {"x": "k/N"}),
        ("Implies(And(k > 0, p > 0, A > 0, a > 0, l > 0, b >= 0, c >= 0, m > 0, t == (b*k + a*l)/p), "
         "k/(t + A + c*k*m) == 1/((A + a*l/p)/k + (c*m + b/p)))",
         {"k": "k", "p": "p0", "A": "alpha_p", "a": "alpha_d", "l": "-log(1 - k/N)", "b": "beta_d", "c": "beta_p",
          "m": "mu_L", "t": "Td"}))},
    "eb.eq-4.lower-bound": {"lemmas": (
        f"And({SLOTS} > 0, {SLOTS}/N > 0, {SLOTS}/N <= theta0)",
        ("Implies(And(0 < x, x <= t, t < 1), And(-log(1 - x) > 0, -log(1 - x) <= -log(1 - t)))",
         {"x": f"{SLOTS}/N", "t": "theta0"}),
        ("Implies(And(k > 0, A > 0, a > 0, p > 0, l > 0, l <= z, b >= 0), "
         "And((A + a*l/p)/k + b > 0, (A + a*l/p)/k + b <= (A + a*z/p)/k + b))",
         {"k": SLOTS, "A": "alpha_p", "a": "alpha_d", "p": "p0", "l": f"-log(1 - {SLOTS}/N)", "z": "-log(1 - theta0)",
          "b": RATE}),
        ("Implies(And(u > 0, u <= v), 1/v <= 1/u)",
         {"u": f"{fixed(f'{SLOTS}/N')}/{SLOTS} + {RATE}", "v": f"{fixed('theta0')}/{SLOTS} + {RATE}"},
         f"{SLOTS} > 0"))},
    "eb.app-B.1.error.size": {"lemmas": (
        f"And({LEFT_OVER} >= 0, {LEFT_OVER} <= 1)",
        ("Implies(And(q >= 0, q <= 1), And(q*(1 - q) >= 0, q*(1 - q) <= 1/4))", {"q": LEFT_OVER}),
        ("Implies(And(w >= 0, w <= 1/4, n > 0), And(w/n >= 0, w/n <= 1/(4*n)))",
         {"w": f"{LEFT_OVER}*(1 - {LEFT_OVER})", "n": "N"}),
        ("Implies(And(u >= 0, n > 0, u <= 1/(4*n)), sqrt(u) <= 1/(2*sqrt(n)))",
         {"u": f"{LEFT_OVER}*(1 - {LEFT_OVER})/N", "n": "N"}))},
    "eb.app-B.3.source-4-N.Td.corrected": {"lemmas": (
        ("Implies(And(0 < x, x < 1), And(-log(1 - x) > x, log(1 - x) < 0))", {"x": "p0"}), (LOG_SIGN, {"x": "theta"}),
        ("Implies(And(p > 0, q > p, l > 0, a > 0, b > 0, n > 0, m > n, t > 0), "
         "(a*l/p + b*n*t/p)/(a*(-l)/(-q) + b*n*t/p) > (a*l/p + b*m*t/p)/(a*(-l)/(-q) + b*m*t/p))",
         {"p": "p0", "q": "-log(1 - p0)", "l": "-log(1 - theta)", "a": "alpha_d", "b": "beta_d", "n": "N", "m": "N2",
          "t": "theta"}))},
    "eb.app-B.3.source-4-dominated.every-N.corrected": {
        "witness": {"N": "floor((2000/3*C)**2) + 65"}, "lemmas": (
            ("Implies(And(0 < p, p <= 1/100), -log(1 - p) >= p + p**2/2)", {"p": "p0"}),
            "gap(p0) >= p0/2", "gap(p0) >= 3/2000",
            ("Implies(And(C > 0, n > (2000/3*C)**2), C/sqrt(n) < 3/2000)",
             {"C": "C", "n": "floor((2000/3*C)**2) + 65"}))},
    "eb.app-B.3.source-4-dominated.in-use": {"lemmas": (
        ("Implies(And(0 < p, p <= 1/100), -log(1 - p) <= p + 51/100*p**2)", {"p": "p0"}), "gap(p0) <= 51/100*p0",
        ("Implies(And(n >= 64, n <= 2048), And(sqrt(n) > 0, sqrt(n) <= 46))", {"n": "N"}),
        "1/(4*sqrt(N)) >= 1/184")},
    "eb.eq-3.lambert": {"lemmas": (
        (f"And({W} <= -1, {W}*exp({W}) == -exp(-1 - gamma))", {}, "", (
            "Exists(v, And(v <= -1, v >= -4 - 2*gamma), v*exp(v) == -exp(-1 - gamma))", f"{W} == v")),
        ("exp(a + b) == exp(a)*exp(b)", {"a": f"-1 - gamma - {W}", "b": W}),
        ("Implies(And(e > 0, v*e == -f, c == h*e, c == f), -v == h)",
         {"e": f"exp({W})", "f": "exp(-1 - gamma)", "c": f"exp(-1 - gamma - {W} + {W})",
          "h": f"exp(-1 - gamma - {W})", "v": W}),
        ("Implies(And(a > 0, a == exp(b)), log(a) == b)", {"a": f"-{W}", "b": f"-1 - gamma - {W}"}),
        ("Implies(And(-v == exp(-1 - g - v), g > 0, v <= -1), v < -1)", {"v": W, "g": "gamma"}),
        ("Implies(v < -1, And(1/v < 0, 1/v > -1, 1 - (1 + 1/v) > 0, 1/(1 - (1 + 1/v)) == -v, "
         "log(1 - (1 + 1/v)) == -log(-v)))", {"v": W}),
        ("Implies(And(x < 0, y == -v, l == -m, m == -1 - g - v, x*v == 1), (1 + x)*y + l == g)",
         {"x": f"1/{W}", "v": W, "y": f"1/(1 - (1 + 1/{W}))", "l": f"log(1 - (1 + 1/{W}))", "m": f"log(-{W})",
          "g": "gamma"}))},
    "eb.eq-3.second-root": {"bracket": ("1 - exp(gamma + 2)", "0"), "lemmas": ("exp(gamma + 2) > 1",)},
}
