"""Strategies for the claims on increasing hazard: constants of orders, lemmas on the way, places of counterexamples.

They need no trust.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ROOT = "(-p + sqrt(p**2 + 2*e*z))/e"
NEAR_0 = "And(0 < eta, eta < 1)"


def duration(eta: str = "eta", z: str = "zeta(theta)", where: str = "") -> tuple[Any, ...]:
    """The phase's duration is positive and solves its quadratic equation."""
    at = {"p": "p0", "e": eta, "z": z}
    return (f"Implies(And(p > 0, e > 0, z > 0), And({ROOT} > 0, p*({ROOT}) + e*({ROOT})**2/2 == z))", at,
            *([where] if where else []))


SERIES = "Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), And(t < z/p, t - (z/p - e*z**2/(2*p**3)) >= 0, "
SERIES += "t - (z/p - e*z**2/(2*p**3)) <= e**2*z**3/(2*p**5)))"
SQRT = "Implies(x > 0, And(sqrt(1 + 2*x) >= 1 + x - x**2/2, sqrt(1 + 2*x) <= 1 + x - x**2/2 + x**3/2))"
ZETA = "zeta(theta) > 0"

HINTS: Mapping[str, Mapping[str, Any]] = {
    "eb.app-C.1.log": {"lemmas": (
        "exp(-p0*t - eta*t**2/2) > 0",
        ("Implies(And(N > 0, x > 0), log(N*x) == log(N) + log(x))", {"x": "exp(-p0*t - eta*t**2/2)", "N": "N"}))},
    "eb.app-C.2.stop": {"lemmas": ("exp(-p0*T - eta*T**2/2) == 1 - theta",)},
    "eb.app-C.2.xi": {"lemmas": (
        ZETA, "sqrt(p0**2 + 2*eta*zeta(theta))**2 == p0**2*sqrt(1 + 2*xi(theta))**2",
        ("Implies(And(p > 0, s > 0, r > 0, s**2 == p**2*r**2), s == p*r)",
         {"p": "p0", "s": "sqrt(p0**2 + 2*eta*zeta(theta))", "r": "sqrt(1 + 2*xi(theta))"}))},
    "eb.app-C.2.sqrt": {"order": {"xi": ("1/2", "1"), "x": ("1/2", "1")}, "lemmas": (
        (SQRT, {"x": "xi"}, "xi > 0"), SQRT)},
    "eb.eq-17": {"order": {"eta": ("zeta(theta)**3/(2*p0**5)", "1")}, "lemmas": (
        ZETA, duration(where=NEAR_0),
        (SERIES, {"p": "p0", "e": "eta", "t": "dur(theta, eta)", "z": "zeta(theta)"}, NEAR_0))},
    "eb.eq-17.T1": {"lemmas": (
        ZETA, duration(), (SERIES, {"p": "p0", "e": "eta", "t": "dur(theta, eta)", "z": "zeta(theta)"}))},
}
