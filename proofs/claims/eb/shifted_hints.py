"""Strategy for Appendix B.3, Source 4: the base threshold at -ln(1 - p0) in place of p0. It needs no trust.

With Psi convex and 0 at 0, Psi(s)/s grows, so that the thresholds' quotient is at most that of the right-hand sides of
(15), -ln(1 - p0)/p0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .hints import HINTS
from .optimum import psi

BELOW = "And(0 < x, x < 1/2)"
BOTH = "And(0 < u, u < 1, 0 < v, v < 1)"
BASE, MOVED = "th(x)", "ph(x)"
RATIO = "alpha_p/alpha_d"
AT = {"t": BASE, "s": MOVED, "L": "-log(1 - x)"}
LEMMAS: tuple[Any, ...] = (
    "Implies(And(0 < x, x < 1/2), And(log(1 - x) < -x, -log(1 - x) <= x + 2*x**2))",
    f"Implies({BELOW}, And(0 < {BASE}, {BASE} < 1, 0 < {MOVED}, {MOVED} < 1, {psi(BASE)} == x*({RATIO}), "
    f"{psi(MOVED)} == -log(1 - x)*({RATIO})))",
    ("Implies(And(a > 0, g == x*a, h == L*a, L >= x), g <= h)",
     {"x": "x", "a": RATIO, "g": psi(BASE), "h": psi(MOVED), "L": "-log(1 - x)"}, BELOW),
    (f"Implies({BOTH}, {psi('v')} - ({psi('u')}) >= (v - u)*u/((1 - u)*(1 - v)))", {"u": MOVED, "v": BASE}, BELOW, (
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))",
         {"a": "1 - u", "b": "1 - v"}, BOTH),)),
    ("Implies(And(c > 0, d >= (v - u)*c, d <= 0), v <= u)",
     {"c": f"{MOVED}/((1 - {MOVED})*(1 - {BASE}))", "d": f"{psi(BASE)} - ({psi(MOVED)})", "u": MOVED, "v": BASE},
     BELOW),
    (f"Implies(And(0 < t, t <= s, s < 1), s*({psi('t')}) <= t*({psi('s')}))", {"t": BASE, "s": MOVED}, BELOW, (),
     ("s", "t")),
    ("Implies(And(a > 0, g == x*a, h == L*a, s*g <= t*h), s*x <= t*L)",
     {**AT, "a": RATIO, "g": psi(BASE), "h": psi(MOVED)}, BELOW),
    ("Implies(And(x > 0, t > 0, s*x <= t*L, L <= x + 2*x**2), s <= t*(1 + 2*x))", AT, BELOW),
    ("Implies(And(t > 0, s <= t*(1 + 2*x), t <= s), And(s/t - 1 >= 0, s/t - 1 <= 2*x))",
     {"s": MOVED, "t": BASE}, BELOW))
SHIFTED: Mapping[str, Mapping[str, Any]] = {
    "eb.app-B.3.source-4-order": {"order": {"p0": ("2", "1/2"), "x": ("2", "1/2")}, "lemmas": (
        *LEMMAS, *HINTS["eb.sec-3.1.fluid.small-p0"]["lemmas"])},
}
