"""Strategy for the Gamma laws of shape a > 1: their hazard rate increases. It needs no trust.

With f the density, F(x) its integral from 0 to x, and t < s: f(z + s - t) f(t) < f(s) f(z) for z > t, since
(z + s - t) t < s z.  So D(b) = f(s) (F(b) - F(t)) - f(t) (F(b + s - t) - F(s)) grows with b from D(t) = 0, and exceeds
D(t + 1) > 0 beyond t + 1.  As b grows, F(b) and F(b + s - t) tend to 1, so that f(s) (1 - F(t)) > f(t) (1 - F(s)).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Lemma = tuple[Any, ...]
GENERAL = {"c": "C", "k": "a - 1", "l": "lam"}
SOME = "c > 0, k > 0, l > 0"


def share(x: str) -> str:
    """F."""
    return f"Integral(f(u), (u, 0, {x}))"


def area(x: str) -> str:
    """F for a density c u^k e^(-l u)."""
    return f"Integral(c*u**k*exp(-l*u), (u, 0, {x}))"


def height(x: str) -> str:
    return f"(c*({x})**k*exp(-l*({x})))"


def beyond(e: str) -> str:
    """From some place on F is within e of 1."""
    return f"Exists(d, d == d, ForAll(b, b > d, And({e} > {share('b')} - 1, {e} + ({share('b')} - 1) > 0)))"


def near(b: str, e: str) -> tuple[str, str]:
    return f"{e} > {share(b)} - 1", f"{e} + ({share(b)} - 1) > 0"


GROWS: Lemma = (f"Implies(And({SOME}), ForAll(x, x >= 0, ForAll(y, y > x, {area('y')} > {area('x')})))", GENERAL, "",
                (), ("y", "x"))
FAR, STEP = "(d**2 + x + 2)", f"({share('x + 1')} - {share('x')})"
BELOW_ONE: Lemma = (f"Implies(x >= 0, {share('x')} < 1)", {}, "", (
    f"{share('x + 1')} > {share('x')}", beyond(STEP), f"{FAR} > d", f"{FAR} > x + 1",
    f"{share(FAR)} > {share('x + 1')}", *near(FAR, STEP),
    ("Implies(And(p > q, q - r > p - 1), r < 1)", {"p": share(FAR), "q": share("x + 1"), "r": share("x")})))

HERE = f"{SOME}, 0 <= t, t < s"
LEFT, RIGHT = "(z + s - t)**k*t**k", "s**k*z**k"
POWERS: Lemma = (f"Implies(And(k > 0, 0 < t, t < s, t < z), {LEFT} < {RIGHT})", {}, "", (
    "(z + s - t)*t < s*z", f"{LEFT} == ((z + s - t)*t)**k", f"{RIGHT} == (s*z)**k", "(z + s - t)*t > 0",
    ("Implies(And(k > 0, v > 0, v < w), v**k < w**k)", {"v": "(z + s - t)*t", "w": "s*z"})))
AT_ZERO: Lemma = (f"Implies(And(k > 0, 0 <= t, t <= 0, s > 0, z > 0), {LEFT} < {RIGHT})", {}, "", (
    "t == 0", "t**k == 0", f"{RIGHT} > 0"))
MOVED = f"{height('z + s - t')}*{height('t')} < {height('s')}*{height('z')}"
RATIO: Lemma = (f"Implies(And({HERE}, t < z), {MOVED})", {}, "", (
    POWERS, "exp(-l*(z + s - t))*exp(-l*t) == exp(-l*s)*exp(-l*z)", AT_ZERO, "Or(t > 0, t <= 0)",
    f"Implies(Or(t > 0, t <= 0), {LEFT} < {RIGHT})",
    ("Implies(And(c > 0, e > 0, p < q, v == e), c*c*(p*v) < c*c*(q*e))",
     {"e": "exp(-l*s)*exp(-l*z)", "v": "exp(-l*(z + s - t))*exp(-l*t)", "p": LEFT, "q": RIGHT})))
RATES: Lemma = (f"Implies(And({HERE}), ForAll(z, t < z, {MOVED}))", GENERAL, "", (RATIO,))


def growing(x: str, y: str) -> Lemma:
    """D(b) - D(x) > 0 for b > x >= t, y being x + s - t."""
    return (f"Implies(And(c > 0, k > 0, t >= 0, s > t, {x} >= t, p > 0, q >= 0, ForAll(z, z > t, "
            f"{height('z + s - t')}*q < p*{height('z')})), ForAll(b, b > {x}, p*({area('b')} - {area(x)}) > "
            f"q*({area('b + s - t')} - {area(y)})))", {**GENERAL, "p": "f(s)", "q": "f(t)"}, "",
            ("ForAll(z, z > t, And(z > 0, z + s - t > 0))",), ("b", x))


NEXT, LAST = "(t + 1)", "(d**2 + t + 2)"
NEXT_S, LAST_S = f"{NEXT} + s - t", f"{LAST} + s - t"
GAP = f"(f(s)*({share(NEXT)} - {share('t')}) - f(t)*({share(NEXT_S)} - {share('s')}))"  # D(t + 1)
EPSILON = f"{GAP}/(f(s) + f(t))"
RISES: Lemma = ("Implies(And(t >= 0, s > t), f(s)/S(s) - f(t)/S(t) > 0)", {}, "", (
    "s > 0", RATES, "f(s) > 0", "f(t) >= 0", growing("t", "s"), growing(NEXT, NEXT_S), "f(s) + f(t) > 0",
    f"f(s)*({share(NEXT)} - {share('t')}) > f(t)*({share(NEXT_S)} - {share('s')})", f"{EPSILON} > 0",
    beyond(EPSILON), f"{LAST} > d", f"{LAST} > {NEXT}", f"{LAST_S} > d", *near(LAST, EPSILON), *near(LAST_S, EPSILON),
    f"f(s)*({share(LAST)} - {share(NEXT)}) > f(t)*({share(LAST_S)} - {share(NEXT_S)})",
    f"{EPSILON}*(f(s) + f(t)) == {GAP}",
    ("Implies(And(p > 0, q >= 0, p + q > 0, g == p*(v - i) - q*(w - j), e*(p + q) == g, e > m - 1, e + (n - 1) > 0, "
     "p*(m - v) > q*(n - w)), p*(1 - i) > q*(1 - j))",
     {"p": "f(s)", "q": "f(t)", "g": GAP, "e": EPSILON, "v": share(NEXT), "i": share("t"), "w": share(NEXT_S),
      "j": share("s"), "m": share(LAST), "n": share(LAST_S)}),
    "S(s) > 0", "S(t) > 0",
    ("Implies(And(i < 1, j < 1, p*(1 - i) > q*(1 - j)), p/(1 - j) - q/(1 - i) > 0)",
     {"p": "f(s)", "q": "f(t)", "i": share("t"), "j": share("s")})))

INCREASING_HAZARD: Mapping[str, Any] = {"primitives": {"u": ()}, "budget": 30.0, "lemmas": (
    GROWS, BELOW_ONE, f"ForAll(x, x >= 0, {share('x')} < 1)", RISES,
    "ForAll(t, t >= 0, ForAll(s, s > t, f(s)/S(s) - f(t)/S(t) > 0))", "Implies(t >= 0, S(t) > 0)")}
