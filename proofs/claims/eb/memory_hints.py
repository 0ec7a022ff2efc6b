"""Strategies for the claims on memory: rates of the infinite sums, lemmas on the way, places of counterexamples.

They need no trust.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FAR = "And(floor(n) == n, n >= 2)"
# (1 - x)^b against the expansion of (1 + x)^b
POWER_1 = "Implies(And(floor(b) == b, b >= 1, 0 < x, x < 1), (1 - x)**b*(1 + b*x) <= 1)"
POWER_2 = "Implies(And(floor(b) == b, b >= 2, 0 < x, x <= 1), (1 - x)**b*(1 + b*x + b*(b - 1)*x**2/2) <= 1)"
POWER_3 = ("Implies(And(floor(b) == b, b >= 2, 0 < x, x <= 1), (1 - x)**b*(1 + b*x + b*(b - 1)*x**2/2 "
           "+ b*(b - 1)*(b - 2)*x**3/6) <= 1)")
LOG = "log(1/(1 - theta)) > 0"
FLOORS = "Implies(x <= y, floor(x) <= floor(y))"
SPREAD = "p0**2*sigma_L**2 + (1 - p0)*(1 + (1 + p0*mu_L)**2)"  # p0 v_n/n


def remainder(rest: str, size: str) -> str:
    """q times the rest, with q below 1/(1 + b x + b (b - 1) x^2/2), is below size/b."""
    return ("Implies(And(b >= 2, 0 < x, x <= 1, q >= 0, q*(1 + b*x + b*(b - 1)*x**2/2) <= 1), "
            f"And(q*({rest}) >= 0, q*({rest}) <= ({size})/b))")


def second(partial: str, x: str, q: str, rest: str, size: str) -> tuple[Any, ...]:
    """Lemmas for a series whose remainder is q^n (rest) with a rest of first order in n."""
    return ((partial, {}, FAR), (POWER_2, {"b": "n", "x": x}, FAR),
            (remainder(rest, size), {"b": "n", "x": x, "q": q}, FAR))


SQUARE_REST = ("Implies(And(b >= 2, 0 < x, x <= 1, q >= 0, q*(1 + b*x + b*(b - 1)*x**2/2 + b*(b - 1)*(b - 2)*x**3/6) "
               "<= 1), And(q*((1 - x)/x**2 + b**2) >= 0, q*((1 - x)/x**2 + b**2) <= 100/x**3/b))")

HINTS: Mapping[str, Mapping[str, Any]] = {
    "eb.app-D.1.mean": {"rate": {"n": ("12/theta**3", "2")}, "lemmas": second(
        "Implies(And(floor(n) == n, n >= 1), Sum(a*(theta*(1 - theta)**(a - 1)), (a, 1, n)) "
        "== 1/theta - (1 - theta)**n*(n + 1/theta))", "theta", "(1 - theta)**n", "b + 1/x", "12/x**3")},
    "eb.app-D.1.continuing": {"rate": {"n": ("12/theta**3/(1 - theta)", "2")}, "lemmas": (
        ("Implies(And(floor(n) == n, n >= 1), Sum((a - 1)*(theta*(1 - theta)**(a - 1)/(1 - theta)), (a, 2, n)) "
         "== 1/theta - (1 - theta)**n*(n + 1/theta - 1)/(1 - theta))", {}, FAR),
        (POWER_2, {"b": "n", "x": "theta"}, FAR),
        ("Implies(And(b >= 2, 0 < x, x < 1, q >= 0, q*(1 + b*x + b*(b - 1)*x**2/2) <= 1), "
         "And(q*(b + 1/x - 1)/(1 - x) >= 0, q*(b + 1/x - 1)/(1 - x) <= 12/x**3/(1 - x)/b))",
         {"b": "n", "x": "theta", "q": "(1 - theta)**n"}, FAR))},
    "eb.app-D.3.S-mean": {"rate": {"n": ("12/p0**3", "2")}, "lemmas": second(
        "Implies(And(floor(n) == n, n >= 1), Sum(o*(p0*(1 - p0)**(o - 1)), (o, 1, n)) "
        "== 1/p0 - (1 - p0)**n*(n + 1/p0))", "p0", "(1 - p0)**n", "b + 1/x", "12/x**3")},
    "eb.app-D.3.S-variance": {"rate": {"n": ("100/p0**3", "2")}, "lemmas": (
        ("Implies(And(floor(n) == n, n >= 1), Sum((o - 1/p0)**2*(p0*(1 - p0)**(o - 1)), (o, 1, n)) == (1 - p0)/p0**2 "
         "- (1 - p0)**n*((1 - p0)/p0**2 + n**2))", {}, FAR), (POWER_3, {"b": "n", "x": "p0"}, FAR),
        (SQUARE_REST, {"b": "n", "x": "p0", "q": "(1 - p0)**n"}, FAR))},
    "eb.app-D.3.v-n-approx.limit": {"rate": {"p0": ("sigma_L**2/2 + mu_L**2 + 2*mu_L + 2", "1")}},
    "eb.app-D.4.n-equals-N": {"point": {"p0": "1/280", "mu_L": "105", "sigma_L": "0", "N": "64", "n": "64"}},
    "eb.app-D.4.n-equals-N.corrected": {"lemmas": (
        f"v(n, p0)/(2*n*p0*mu_L) == ({SPREAD})/(2*(p0**2*mu_L))", "(2*N/p0)/(2*N*p0*mu_L) == 1/(p0**2*mu_L)",
        ("Implies(c > 0, And(Implies(a/(2*c) <= 1/c, a <= 2), Implies(a <= 2, a/(2*c) <= 1/c)))",
         {"a": SPREAD, "c": "p0**2*mu_L"}))},
    "eb.app-D.4.walk.machine": {"point": {"p0": "1/64", "mu_L": "1", "theta": "46/100", "N": "256"}},
    "eb.app-D.4.tail": {"point": {"p0": "1/11", "mu_L": "2492", "N": "64", "x": "1"}},
    "eb.app-D.4.solve": {"lemmas": (LOG, "m > 0", (
        "Implies(And(floor(i) == i, y > 0), And(Implies(i*y + b <= c, i <= floor((c - b)/y)), "
        "Implies(i <= floor((c - b)/y), i*y + b <= c)))",
        {"i": "N", "y": "m", "b": "vbar*log(1/eps)", "c": "C"}))},
    "eb.eq-6": {"lemmas": (LOG, "m > 0", (
        "Implies(y > 0, And(floor(z/y)*y <= z, (floor(z/y) + 1)*y > z))",
        {"y": "m", "z": "C - log(1/eps)/(p0**2*mu_L)"}))},
    "eb.app-D.5.order-1": {"point": {"eps": "1/2", "p0": "1/11", "mu_L": "1", "theta": "1/2", "C": "1000"}},
    "eb.app-D.5.order-1.corrected": {"lemmas": (LOG, "m > 0", "log(1/eps) >= 1", (
        "Implies(And(y > 0, b >= 0, l >= 1), (c - b*l)/y <= (c - b)/y)",
        {"y": "m", "b": "vbar", "c": "C", "l": "log(1/eps)"}),
        (FLOORS, {"x": "(C - vbar*log(1/eps))/m", "y": "(C - vbar)/m"}))},
    "eb.app-D.5.order-2": {"lemmas": (LOG, "m > 0", (
        "Implies(And(y > 0, b >= 0), (c - b)/y <= c/y)", {"y": "m", "b": "vbar", "c": "C"}),
        (FLOORS, {"x": "(C - vbar)/m", "y": "C/m"}))},
    "eb.app-D.5.gap.difference": {"lemmas": (LOG, "m > 0", (
        "Implies(y > 0, Abs(floor(c/y) - floor((c - b)/y) - b/y) < 1)", {"y": "m", "b": "vbar*log(1/eps)", "c": "C"}))},
    "eb.eq-23.clip": {"lemmas": (
        ("Implies(x <= y, Max(5/100, x) <= Max(5/100, y))", {"x": "u + f0", "y": "w + f0"}),
        ("Implies(x <= y, Min(6/10, x) <= Min(6/10, y))", {"x": "Max(5/100, u + f0)", "y": "Max(5/100, w + f0)"}))},
    "eb.app-D.6.oscillation.corrected": {"lemmas": (
        ("Implies(And(t > 0, n <= 6/10*t), 6/10 >= n/t)", {"t": "total", "n": "needed"}),
        "N*mu_O*s_KV/(b*total) >= 0", "N*mu_O*s_KV/(b*total) + f0 >= needed/total",
        ("Implies(a >= n, Max(5/100, a) >= n)", {"a": "N*mu_O*s_KV/(b*total) + f0", "n": "needed/total"}),
        ("Implies(And(a >= n, c >= n), Min(a, c) >= n)",
         {"a": "6/10", "c": "Max(5/100, N*mu_O*s_KV/(b*total) + f0)", "n": "needed/total"}),
        ("Implies(And(t > 0, g >= h*t, h >= n/t), g >= n)",
         {"t": "total", "g": "free", "h": "Min(6/10, Max(5/100, N*mu_O*s_KV/(b*total) + f0))", "n": "needed"}))},
    "eb.prop-3.3.fluid-peak": {"lemmas": (
        "exp(p0*(x0 + t) - 1) >= p0*(x0 + t)", "exp(p0*x0 - 1) == exp(p0*(x0 + t) - 1)*exp(-p0*t)",
        "exp(-p0*(1/p0 - x0)) == exp(p0*x0 - 1)",
        ("Implies(And(n > 0, e > 0, p > 0, y >= p*s, g == y*e), n*e*s <= n/p*g)",
         {"n": "N", "e": "exp(-p0*t)", "p": "p0", "y": "exp(p0*(x0 + t) - 1)", "s": "x0 + t", "g": "exp(p0*x0 - 1)"}))},
    "eb.eq-6.rounding": {"lemmas": (
        "ForAll(z, And(0 < z, z < 1), -log(1 - z) - z > 0)",
        "StrictlyDecreasing(-(1 - x)/x*log(1 - x), x, And(0 < x, x < 1))")},
    "eb.prop-3.3.rate": {"lemmas": (
        "r > 0", "1 - (1 - p0)*z > 0", "log((1 + r)*(1 - (1 - p0)*z)) <= (1 + r)*(1 - (1 - p0)*z) - 1",
        "log((1 - p0)*z*(1 + r)/r) <= (1 - p0)*z*(1 + r)/r - 1",
        "log((1 + r)*(1 - (1 - p0)*z)) == log(1 + r) + log(1 - (1 - p0)*z)",
        "log((1 - p0)*z*(1 + r)/r) == log(z) - log(r/((1 - p0)*(1 + r)))",
        "log(p0/(1 - (1 - p0)*z)) == log(p0) - log(1 - (1 - p0)*z)", "log(p0*(1 + r)) == log(p0) + log(1 + r)",
        ("Implies(And(r > 0, a <= s - 1, b <= u - 1, s + r*u == 1 + r), -a - r*b >= 0)",
         {"a": "log((1 + r)*(1 - (1 - p0)*z))", "b": "log((1 - p0)*z*(1 + r)/r)", "s": "(1 + r)*(1 - (1 - p0)*z)",
          "u": "(1 - p0)*z*(1 + r)/r"}))},
    "eb.prop-3.3.rate.positive": {"lemmas": (
        "r > 0", "p0*(1 + r) > 1", "log(r/((1 - p0)*(1 + r))) >= 1 - (1 - p0)*(1 + r)/r",
        ("Implies(u > 1, log(u) < u - 1)", {"u": "p0*(1 + r)"}),
        ("Implies(And(r > 0, l >= 1 - w, w*r == r - s), r*l >= s)",
         {"l": "log(r/((1 - p0)*(1 + r)))", "w": "(1 - p0)*(1 + r)/r", "s": "p0*(1 + r) - 1"}))},
    "eb.prop-3.3.safe": {"lemmas": (
        ("Implies(And(m > 0, e > 0, x >= log(m/e)), m*exp(-x) <= e)", {"m": "M", "e": "eps", "x": "N*rate(r)"}),)},
    "eb.prop-3.3.generating": {"rate": {"n": ("p0/(1 - y)**2", "2")}, "lemmas": (
        ("Implies(And(floor(n) == n, n >= 1), Sum(p0*y**g, (g, 0, n)) == p0/(1 - y) - y**n*(p0*y/(1 - y)))", {}, FAR),
        (POWER_1, {"b": "n", "x": "1 - y"}, FAR),
        ("Implies(And(b >= 1, 0 < y, y < 1, q > 0, p > 0, q*(1 + b*(1 - y)) <= 1), "
         "And(q*(p*y/(1 - y)) >= 0, q*(p*y/(1 - y)) <= p/(1 - y)**2/b))", {"b": "n", "q": "y**n", "p": "p0"}, FAR))},
    "eb.app-D.6.gap-sharegpt": {"witness": {"e": "47.72", "v1": "48.96"}},
    "eb.app-D.6.gap-numina": {"witness": {"e": "1.68", "v1": "1.83"}},
    "eb.app-D.5.gap.small": {"point": {"p0": "1/64", "mu_L": "1", "theta": "46/100", "N": "64", "eps": "1/100"}},
}
