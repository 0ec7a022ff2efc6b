"""Lemmas on the way to sums over a geometric law, and to whole iterations as p0 -> 0. They need no trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NATURAL, POSITIVE = "And(floor(n) == n, n >= 0)", "And(floor(n) == n, n >= 1)"
TAIL = "(1 - p0)**n"
MEAN, SURVIVAL = "Sum(t*(p0*(1 - p0)**(t - 1)), (t, 1, n))", "Sum(S(t), (t, 0, n))"
ZETA = "-log(1 - theta)"


def near(total: str, size: str, *by: Any) -> tuple[Any, ...]:
    return (f"ForAll(n, {POSITIVE}, And({total} - 1/p0 <= 0, {total} - 1/p0 >= -{size}/n))", {}, "", by)


def small(p: str) -> str:
    return f"And(0 < {p}, {p} < 1/2)"


def iterations(p: str) -> str:
    return f"ceil(log(1 - theta)/log(1 - {p}))"


def rounded(p: str) -> tuple[Any, ...]:
    """-log(1 - p) of the whole iterations lies between zeta and zeta - log(1 - p)."""
    m = iterations(p)
    return (f"Implies({small(p)}, And(log(1 - {p}) < -{p}, -log(1 - {p}) <= {p} + 2*{p}**2))",
            f"Implies({small(p)}, And({m} >= log(1 - theta)/log(1 - {p}), {m} < log(1 - theta)/log(1 - {p}) + 1))",
            ("Implies(And(k > 0, f >= l/k, f < l/k + 1), And(f*k >= l, f*k <= l + k))",
             {"k": f"-log(1 - {p})", "l": ZETA, "f": m}, small(p)))


SPENT = {"q": "-log(1 - p0)", "l": ZETA, "c": iterations("p0")}
EXPONENT = f"{iterations('q')}*log(1 - q)"

TAILS: Mapping[str, Mapping[str, Any]] = {
    "eb.app-B.geometric": {"rate": {"b'": ("4/p0**2", "1")}, "lemmas": (near(
        MEAN, "4/p0**2",
        f"ForAll(n, {NATURAL}, {TAIL}*(1 + n*p0 + n*(n - 1)*p0**2/2) <= 1)",
        f"ForAll(n, {NATURAL}, {TAIL}*(1 + n*p0)**2 <= 4)", f"ForAll(n, {NATURAL}, {TAIL} >= 0)",
        f"ForAll(n, {NATURAL}, {TAIL}*(n + 1/p0) <= 4/(p0*(1 + n*p0)))",
        f"ForAll(n, {NATURAL}, {MEAN} == 1/p0 - {TAIL}*(n + 1/p0))",
        f"ForAll(n, {POSITIVE}, And({TAIL}*(n + 1/p0) >= 0, 4/(p0*(1 + n*p0)) <= 4/p0**2/n))"),)},
    "eb.sec-3.2.1.geometric": {"rate": {"b'": ("1/p0**2", "1")}, "lemmas": (near(
        SURVIVAL, "1/p0**2",
        f"ForAll(n, {NATURAL}, S(n) == {TAIL})", f"ForAll(n, {NATURAL}, {TAIL} >= 0)",
        f"ForAll(n, {NATURAL}, {TAIL}*(1 + n*p0) <= 1)",
        f"ForAll(n, {NATURAL}, {SURVIVAL} == 1/p0 - (1 - p0)*S(n)/p0)",
        ("Implies(And(0 < p, p <= 1, n >= 1, q >= 0, q*(1 + n*p) <= 1), "
         "And((1 - p)*q/p >= 0, (1 - p)*q/p <= 1/p**2/n))", {"p": "p0", "q": TAIL, "n": "n"}, POSITIVE)),)},
    "eb.rem-B.1.small-p0": {
        "rate": {"p0": ("1 - 2*log(1 - theta)", "1/2"), "q": ("2*(1 - theta)", "1/2")}, "lemmas": (
            "log(1 - theta) < 0", *rounded("p0"),
            ("Implies(And(0 < q, l > 0, q*c >= l), c > 0)", SPENT, small("p0")),
            ("Implies(And(0 < p, p < q, q <= p + 2*p**2, p < 1/2, l > 0, c > 0, q*c >= l, q*c <= l + q), "
             "And(p*c <= l + p, (1 + 2*p)*(p*c) >= l))", {**SPENT, "p": "p0"}, small("p0")),
            ("Implies(And(0 < p, l > 0, (1 + 2*p)*y >= l), y >= l - 2*l*p)",
             {"p": "p0", "l": ZETA, "y": f"p0*{iterations('p0')}"}, small("p0")),
            *rounded("q"),
            f"Implies({small('q')}, (1 - q)**{iterations('q')} == exp({EXPONENT}))",
            ("Implies(And(a <= b, a >= b + c), And(exp(a) <= exp(b), exp(a) >= exp(b)*(1 + c)))",
             {"a": EXPONENT, "b": "log(1 - theta)", "c": "log(1 - q)"}, small("q")),
            "exp(log(1 - theta)) == 1 - theta",
            ("Implies(And(w == e, b == 1 - t, e <= b, e >= b*(1 + c), c >= -q - 2*q**2, q > 0, q < 1/2, t < 1), "
             "And(1 - w - t >= 0, 1 - w - t <= 2*(1 - t)*q))",
             {"w": f"(1 - q)**{iterations('q')}", "e": f"exp({EXPONENT})", "b": "exp(log(1 - theta))", "t": "theta",
              "c": "log(1 - q)", "q": "q"}, small("q")))},
}
