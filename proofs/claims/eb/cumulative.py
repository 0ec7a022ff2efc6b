"""Strategies for (18) and the step before it: the integral between bounds, these to second order. They need no trust.

With w = eta T^2/2 the phase's end gives e^{-p0 T} = (1 - theta) e^w; the integrand is bounded by
1 - v <= e^{-v} <= 1 - v + v^2/2 for v >= 0.  Up to T_0 + eta T_1 in place of T the integral loses at most N times the
difference of the two, which (17) bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .ifr_hints import AREA, FIRST_T, LASTS, SERIES, ZETA, area, duration

AT = {"n": "N", "p": "p0", "e": "eta", "d": LASTS}
MAIN = "(1 - {x})/p - e/p**3 + e/2*{x}*({d}**2/p + 2*{d}/p**2 + 2/p**3)"
ENDS = MAIN.format(x="exp(-p*d)", d="d")
LOWER = "n*(-exp(-p*s)/p + e/2*exp(-p*s)*(s**2/p + 2*s/p**2 + 2/p**3))"
LOW, HIGH = f"{AREA} >= n*({ENDS})", f"{AREA} <= n*({ENDS}) + n*e**2*d**5/40"
SOME = "Implies(And(p > 0, e > 0, n > 0, d > 0), {})"
INTEGRAND = (
    ("Implies(v >= 0, And(exp(-v) >= 1 - v, exp(-v) <= 1 - v + v**2/2))", {"v": "e*s**2/2"}),
    "exp(-p*s - e*s**2/2) == exp(-p*s)*exp(-e*s**2/2)",
    "Implies(And(p > 0, s >= 0), And(exp(-p*s) > 0, exp(-p*s) <= 1))",
    ("Implies(And(u > 0, u <= 1, v >= 0, f >= 1 - v, f <= 1 - v + v**2/2), And(u*f >= u*(1 - v), "
     "u*f <= u*(1 - v) + v**2/2))", {"u": "exp(-p*s)", "v": "e*s**2/2", "f": "exp(-e*s**2/2)"}),
    "Implies(And(p > 0, e > 0, s >= 0), And(exp(-p*s - e*s**2/2) >= exp(-p*s)*(1 - e*s**2/2), "
    "exp(-p*s - e*s**2/2) <= exp(-p*s)*(1 - e*s**2/2) + e**2*s**4/8))")
BOUNDS = (SOME.format(f"And({LOW}, {HIGH})"), AT, "", (*INTEGRAND, SOME.format(LOW), SOME.format(HIGH)))

W = f"eta*{LASTS}**2/2"
LEFT, TOTAL = f"-p0*{LASTS}", f"{W} + log(1 - theta)"
ORDER = "Implies(a >= b, exp(a) >= exp(b))"
END = (
    ("Implies(x >= 0, And(exp(x) >= 1 + x, exp(x)*(1 - x) <= 1))", {"x": W}), "exp(log(1 - theta)) == 1 - theta",
    ("Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), And(-p*t < 0, t <= z/p))",
     {"p": "p0", "e": "eta", "t": LASTS, "z": "zeta(theta)"}),
    ("exp(x + l) == exp(l)*exp(x)", {"x": W, "l": "log(1 - theta)"}),
    (ORDER, {"a": LEFT, "b": TOTAL}), (ORDER, {"a": TOTAL, "b": LEFT}), ("Implies(y < 0, exp(y) <= 1)", {"y": LEFT}),
    ("Implies(And(a >= b, b >= a, b == c*d, c == u, a <= 1), And(a == u*d, u*d <= 1))",
     {"a": f"exp({LEFT})", "b": f"exp({TOTAL})", "c": "exp(log(1 - theta))", "d": f"exp({W})", "u": "1 - theta"}))

GAP = MAIN.format(x="q*h", d="t") + " - (1 - q)/p - e/p**3*(q*z - (1 - q))"
SIZE = "(z**4/4 + z**2*(1 + z)/2)/p**5"
FIRST, SECOND = "q*(1 - h + w*h)", "q*((h - 1)*(p*t + 1) - w)"
TERMS = {"p": "p0", "e": "eta", "t": LASTS, "q": "1 - theta", "z": "zeta(theta)", "h": f"exp({W})"}
SMALL = ("Implies(And(p > 0, e > 0, t > 0, q > 0, w == e*t**2/2, h >= 1 + w, h*(1 - w) <= 1, q*h <= 1, p*t + w == z), "
         f"And({GAP} >= 0, {GAP} <= e**2*{SIZE}))", {**TERMS, "w": W}, "", (
             "w >= 0", "t <= z/p", "p*t <= z", "e*t**2 <= e*z**2/p**2", "w <= e*z**2/(2*p**2)",
             f"{FIRST} >= 0", "1 - h + w*h <= w**2*h", "w**2*(q*h) <= w**2", f"{FIRST} <= w**2",
             "(h - 1)*(p*t + 1) - w >= 0", "(h - 1)*(p*t + 1) - w <= w*h*(1 + z)", "w*(1 + z)*(q*h) <= w*(1 + z)",
             f"{SECOND} >= 0", f"{SECOND} <= w*(1 + z)", f"{GAP} == {FIRST}/p + e*({SECOND})/p**3",
             "w**2 <= e**2*z**4/(4*p**4)", "z >= 0",
             ("Implies(And(w <= a, y >= 1), w*y <= a*y)", {"w": "w", "a": "e*z**2/(2*p**2)", "y": "1 + z"}),
             "w**2/p <= e**2*z**4/(4*p**5)", "e*(w*(1 + z))/p**3 <= e**2*z**2*(1 + z)/(2*p**5)",
             f"And({FIRST}/p >= 0, {FIRST}/p <= w**2/p)",
             f"And(e*({SECOND})/p**3 >= 0, e*({SECOND})/p**3 <= e*(w*(1 + z))/p**3)"))
AREA_IN, REST = MAIN.format(x="x", d="t"), "i - n*(1 - q)/p - e*n/p**3*(q*z - (1 - q))"
TOGETHER = (f"Implies(And(p > 0, e > 0, n > 0, t > 0, t <= z/p, x == q*h, {GAP} >= 0, {GAP} <= e**2*{SIZE}, "
            f"i >= n*({AREA_IN}), i <= n*({AREA_IN}) + n*e**2*t**5/40), "
            f"And({REST} >= 0, {REST} <= e**2*(n*({SIZE} + z**5/p**5/40))))",
            {**TERMS, "x": f"exp({LEFT})", "n": "N", "i": "cum(theta, eta)"}, "", (
                ("Implies(And(t > 0, t <= y), t**5 <= y**5)", {"t": "t", "y": "z/p"}),
                f"{REST} == (i - n*({AREA_IN})) + n*({GAP})", f"n*({GAP}) >= 0", f"n*({GAP}) <= n*(e**2*{SIZE})",
                "n*e**2*t**5/40 <= n*e**2*(z/p)**5/40"))
CONSTANT = ("N*((zeta(theta)**4/4 + zeta(theta)**2*(1 + zeta(theta))/2)/p0**5 + zeta(theta)**5/p0**5/40)")
REMAINDER = "cum(theta, eta) - N*theta/p0 - eta*N/p0**3*((1 - theta)*zeta(theta) - theta)"
EXPANSION: tuple[Any, ...] = (
    f"Implies(And(0 < eta, eta < 1), And({REMAINDER} >= 0, {REMAINDER} <= ({CONSTANT})*eta**2))", {}, "",
    (ZETA, duration(), BOUNDS, *END, SMALL, TOGETHER))
EQ_18 = {"primitives": {"s": (LOWER, f"{LOWER} + n*e**2*s**5/40")}, "order": {"eta": (CONSTANT, "1")},
         "lemmas": (EXPANSION,), "budget": 20.0}

WITH_FACTORS = "Integral({n}*exp(-{p}*s)*exp(-{e}*s**2/2), (s, 0, {d}))"  # the integrand as C.3 has it
LONGER, SHORTER = area("p", "e", "n", "b"), area("p", "e", "n", "a")
PRODUCT = WITH_FACTORS.format(n="n", p="p", e="e", d="a")
GIVEN = "p > 0, e > 0, n > 0, 0 < a"
POSITIVE_UP_TO = "p0**2/zeta(theta)"  # T_0 + eta T_1 is
NEAR = f"And(0 < eta, eta < {POSITIVE_UP_TO})"
LEFT_OUT: tuple[Any, ...] = (
    f"Implies(And({GIVEN}, a <= b), And({LONGER} - {PRODUCT} >= 0, {LONGER} - {PRODUCT} <= n*(b - a)))",
    {"p": "p0", "e": "eta", "n": "N", "a": FIRST_T, "b": LASTS}, NEAR, (
        (f"Implies(And({GIVEN}), And({SHORTER} >= {PRODUCT}, {SHORTER} <= {PRODUCT}))", {}, "", (), ("a", "0")),
        (f"Implies(And({GIVEN}, a <= b), And({LONGER} >= {SHORTER}, {LONGER} <= {SHORTER} + n*(b - a)))", {}, "", (),
         ("b", "a"))))
UPPER = {"primitives": {"s": ()}, "order": {"eta": ("N*zeta(theta)**3/(2*p0**5)", POSITIVE_UP_TO)}, "lemmas": (
    ZETA, duration(where=NEAR), (SERIES, {"p": "p0", "e": "eta", "t": LASTS, "z": "zeta(theta)"}, NEAR),
    ("Implies(And(p > 0, z > 0, e > 0, e < p**2/z), z/p - e*z**2/(2*p**3) > 0)",
     {"p": "p0", "e": "eta", "z": "zeta(theta)"}, NEAR, ("e*z < p**2",)),
    LEFT_OUT,
    ("Implies(And(n > 0, i - g >= 0, i - g <= n*d, d <= y), And(i - g >= 0, i - g <= n*y))",
     {"n": "N", "i": "cum(theta, eta)", "g": WITH_FACTORS.format(n="N", p="p0", e="eta", d=FIRST_T),
      "d": f"{LASTS} - ({FIRST_T})", "y": "eta**2*zeta(theta)**3/(2*p0**5)"}, NEAR)), "budget": 20.0}

CUMULATIVE: Mapping[str, Mapping[str, Any]] = {
    "eb.app-C.3.upper": UPPER,
    "eb.eq-18": EQ_18,
    "eb.app-C.3.first-order": {**EQ_18, "lemmas": (
        EXPANSION, "N*exp(-p0*T0)*(-zeta(theta)**2/(2*p0**3)) - N/2*Integral(s**2*exp(-p0*s), (s, 0, T0)) "
        "== N/p0**3*((1 - theta)*zeta(theta) - theta)")},
}
