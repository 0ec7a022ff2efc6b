"""Strategies for Lemma C.2, for every eta > 0: the critical threshold is the maximum. They need no trust.

In the phase's duration z, with A = exp(p0 z + eta z^2/2), h = p0 + eta z and m the slope of the costs at theta in the
share of completions, F(z) = alpha_d z + beta_d I(z) + alpha_p - m (1 - 1/A) is the cycle's cost above its tangent
through the origin: alpha_p at 0, and 0 at theta.  F' = K/A with K = alpha_d A + beta_d N - m h, which is convex and 0
at theta; so its slope there is positive (else F would rise from alpha_p to theta), and F >= 0 everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .ifr_hints import CYCLE, ZETA, duration, positive_area

Lemma = tuple[Any, ...]
D, P, H = "dur(theta, eta)", "dur(phi, eta)", "sqrt(p0**2 + 2*eta*zeta(theta))"
SLOPE = f"(alpha_d/(1 - theta) + beta_d*N)/{H}"  # m
WITHIN = "And(0 < phi, phi < 1)"
DEFINED = "And(0 < phi, phi < 1, p0**2 + 2*eta*zeta(phi) > 0)"  # dur(phi, eta)
LASTING = f"And(0 < phi, phi < 1, p0**2 + 2*eta*zeta(phi) > 0, {P} > 0)"
COSTS = {"a": "alpha_d", "b": "beta_d*N", "p": "p0", "e": "eta", "m": "m"}


def exponent(z: str) -> str:
    return f"(p0*{z} + eta*{z}**2/2)"


def grown(z: str) -> str:
    return f"exp{exponent(z)}"


def left(z: str) -> str:
    """1/A as the integrand has it."""
    return f"exp(-p0*{z} - eta*{z}**2/2)"


def hazard(z: str) -> str:
    return f"(p0 + eta*{z})"


def rate(z: str) -> str:
    """K."""
    return f"alpha_d*{grown(z)} + beta_d*N - m*{hazard(z)}"


def cost(z: str) -> str:
    return f"alpha_d*{z} + beta_d*Integral(N*{left('s')}, (s, 0, {z})) + alpha_p"


def excess(z: str) -> str:
    """F."""
    return f"{cost(z)} - m*(1 - 1/{grown(z)})"


def tangent(y: str, z: str, where: str = "") -> Lemma:
    """A(y) lies above A's tangent in the exponent at z."""
    return ("exp(u) >= exp(v)*(1 + u - v)", {"u": exponent(y), "v": exponent(z)}, where,
            ("exp(u) == exp(v)*exp(u - v)",))


def apart(y: str, z: str) -> str:
    return f"(1 + p*{y} + e*{y}**2/2 - (p*{z} + e*{z}**2/2))"


def slopes(where: str, sign: str, *by: Any) -> Lemma:
    """F', in the shape in which the derivative is printed, has the sign of K."""
    return (f"ForAll(z, {where}, alpha_d + beta_d*(N*{left('z')}) - {grown('z')}*{hazard('z')}*m/{grown('z')}**2 "
            f"{sign} 0)", {}, "", (
                f"{grown('z')} > 0", f"Implies({where}, {left('z')} == 1/{grown('z')})", *by,
                (f"Implies(And(B == 1/Z, Z > 0, a*Z + b*n - m*h {sign} 0), a + b*(n*B) - Z*h*m/Z**2 {sign} 0)",
                 {"a": "alpha_d", "b": "beta_d", "n": "N", "m": "m", "h": hazard("z"), "Z": grown("z"),
                  "B": left("z")}, where)))


def beside(order: str, slope: str, where: str) -> Lemma:
    """K > 0 on the side of S to which its slope at S points, where it is not negative at S."""
    above = f"a*Z >= a*P*{apart('z', 'S')}"
    at_s, moved = "a*P + b - m*(p + e*S) >= 0", "(m*e - a*P*(p + e*S))*(S - z) >= 0"
    return (f"Implies(And(a > 0, e > 0, P > 0, {order}, Z >= P*{apart('z', 'S')}, {slope}, {at_s}), "
            "a*Z + b - m*(p + e*z) > 0)", {**COSTS, "P": grown("S"), "Z": grown("z"), "S": "S", "z": "z"}, where, (
                f"Implies(Z >= P*{apart('z', 'S')}, {above})", "a*P*e*(S - z)**2 > 0", moved,
                f"Implies(And({above}, a*P*e*(S - z)**2 > 0, {moved}, {at_s}), a*Z + b - m*(p + e*z) > 0)"))


BELOW, BETWEEN = "And(0 < z, z < S)", "And(S < z, z < T)"
FALLING, RISING = "a*P*(p + e*S) <= m*e", "a*P*(p + e*S) >= m*e"
# where K is not negative and falls, F is above its value at 0
FIRST = (f"Implies(And(0 < S, {rate('S')} >= 0, alpha_d*{grown('S')}*{hazard('S')} <= m*eta), {excess('S')} > "
         "alpha_p)", (f"{grown('S')} > 0",
                      slopes(BELOW, ">", tangent("z", "S", BELOW), beside("z < S", FALLING, BELOW))), ("S", "0"))
# where K is not negative and rises, F >= 0 goes on
LATER = (f"Implies(And(0 < S, S <= T, {rate('S')} >= 0, alpha_d*{grown('S')}*{hazard('S')} >= m*eta, {excess('S')} >= "
         f"0), {excess('T')} >= 0)", (
             f"{grown('S')} > 0",
             slopes(BETWEEN, ">", tangent("z", "S", BETWEEN), beside("S < z", RISING, BETWEEN))), ("T", "S"))


def chord() -> Lemma:
    """K < 0 between two places at which it is not positive."""
    p, q, z = "a*P + b - m*(p + e*S)", "a*Q + b - m*(p + e*T)", "a*Z + b - m*(p + e*z)"
    of_p = f"a*(T - z)*P >= a*(T - z)*Z*{apart('S', 'z')}"
    of_q = f"a*(z - S)*Q >= a*(z - S)*Z*{apart('T', 'z')}"
    curved = "a*Z*e*(z - S)*(T - z)*(T - S) > 0"
    return (f"Implies(And(a > 0, e > 0, Z > 0, S < z, z < T, P >= Z*{apart('S', 'z')}, Q >= Z*{apart('T', 'z')}, "
            f"{p} <= 0, {q} <= 0), {z} < 0)", {**COSTS, "P": grown("S"), "Q": grown("T"), "Z": grown("z"), "S": "S",
                                              "T": "T", "z": "z"}, BETWEEN, (
                f"Implies(And(a > 0, z < T, P >= Z*{apart('S', 'z')}), {of_p})",
                f"Implies(And(a > 0, S < z, Q >= Z*{apart('T', 'z')}), {of_q})",
                f"Implies(And({p} <= 0, z < T), (T - z)*({p}) <= 0)",
                f"Implies(And({q} <= 0, S < z), (z - S)*({q}) <= 0)", curved,
                f"Implies(And({of_p}, {of_q}, (T - z)*({p}) <= 0, (z - S)*({q}) <= 0, {curved}), (T - S)*({z}) < 0)",
                ("Implies(And(x*d < 0, d > 0), x < 0)", {"x": z, "d": "T - S"})))


# before such a place F falls to it
BEFORE = (f"Implies(And(S < T, 0 < S, {rate('S')} <= 0, {rate('T')} <= 0, {excess('T')} >= 0), {excess('S')} >= 0)", (
    slopes(BETWEEN, "<", tangent("S", "z", BETWEEN), tangent("T", "z", BETWEEN), chord()),), ("S", "T"))


def edge() -> Lemma:
    """Where K is positive before a place at which it is not, it falls."""
    above, at_r, at_t = f"a*Q >= a*P*{apart('t', 'r')}", "a*P + b - m*(p + e*r) > 0", "a*Q + b - m*(p + e*t) <= 0"
    falls = "(m*e - a*P*(p + e*r))*(t - r) > 0"
    return (f"Implies(And(a > 0, e > 0, P > 0, r < t, Q >= P*{apart('t', 'r')}, {at_t}, {at_r}), a*P*(p + e*r) <= m*e)",
            {**COSTS, "t": "t", "r": "r", "P": grown("r"), "Q": grown("t")}, "", (
                f"Implies(Q >= P*{apart('t', 'r')}, {above})", "a*P*e*(t - r)**2 >= 0",
                f"Implies(And({above}, a*P*e*(t - r)**2 >= 0, {at_t}, {at_r}), {falls})",
                ("Implies(And(x*d > 0, d > 0), x > 0)", {"x": "m*e - a*P*(p + e*r)", "d": "t - r"})))


def used(lemma: Lemma, **at: str) -> Lemma:
    formula, by, along = lemma
    return (formula, at, "", by, along)


def instance(lemma: Lemma, where: str = "", **at: str) -> Lemma:
    """Of a lemma that is proved before."""
    return (lemma[0], at, where)


CRITICAL = f"{excess('t')} == 0, {rate('t')} == 0"
UPWARD, DOWNWARD = (f"alpha_d*{grown('t')}*{hazard('t')} {sign} m*eta" for sign in (">", "<="))
# K rises at t: the case that it falls is told apart, so that FIRST is used in it alone
TURNS: tuple[Lemma, ...] = (
    ("Or(x > m*eta, x <= m*eta)", {"x": f"alpha_d*{grown('t')}*{hazard('t')}"}), used(FIRST),
    (f"Implies(And(Or({UPWARD}, {DOWNWARD}), {CRITICAL}, 0 < t), {UPWARD})", {}, "",
     (instance(FIRST, DOWNWARD, S="t"),)))
# F(r) >= 0: each case beside those that it is told from, so that no lemma is tried where it does not serve
BEHIND: Lemma = (f"Implies(t <= r, {excess('r')} >= 0)", {}, "", (used(LATER, S="t", T="r"),))
EARLY: Lemma = (f"Implies({rate('r')} > 0, {excess('r')} >= 0)", {}, "",
                (tangent("t", "r"), edge(), instance(FIRST, S="r")))
LATE: Lemma = (f"Implies({rate('r')} <= 0, {excess('r')} >= 0)", {}, "", (used(BEFORE, S="r", T="t"),))
AHEAD: Lemma = (f"Implies(r < t, {excess('r')} >= 0)", {}, "", (
    ("Or(x > 0, x <= 0)", {"x": rate("r")}),
    (f"Implies(Or({rate('r')} > 0, {rate('r')} <= 0), {excess('r')} >= 0)", {}, "", (EARLY, LATE))))
LEAST: Lemma = (f"Implies(And(0 < t, 0 < r, {CRITICAL}), {excess('r')} >= 0)", {"t": D, "r": P, "m": SLOPE}, DEFINED, (
    (UPWARD, {}, "", TURNS), f"{grown('t')} > 0", f"{grown('r')} > 0", "Or(t <= r, r < t)",
    (f"Implies(Or(t <= r, r < t), {excess('r')} >= 0)", {}, "", (BEHIND, AHEAD))))
GROWN = "Implies(And(u == -log(1 - x), 0 < x, x < 1), exp(u) == 1/(1 - x))"
# K's slope is positive at theta
RISES: Lemma = (f"Implies(And(0 < t, 0 < x, x < 1, p0*t + eta*t**2/2 == -log(1 - x), {cost('t')} == m*x, "
         "alpha_d/(1 - x) + beta_d*N == m*(p0 + eta*t)), alpha_d*(p0 + eta*t)/(1 - x) > m*eta)",
         {"t": D, "x": "theta", "m": SLOPE}, "", ((GROWN, {"u": exponent("t"), "x": "x"}), *TURNS))

LEFT = ("Implies(And(u == -log(1 - x), 0 < x, x < 1), exp(-u) == 1 - x)",
        {"u": f"p0*{D} + eta*{D}**2/2", "x": "theta"})
AT_THETA = (LEFT, f"diff(cyc(theta, eta), theta) == {SLOPE} + beta_p*N*mu_L",
            f"alpha_d*{D} + beta_d*cum(theta, eta) + alpha_p == {SLOPE}*theta")
THERE = {"m": SLOPE, "x": "theta", "Y": grown(D)}
GLOBAL = (
    f"Implies({WITHIN}, zeta(phi) > 0)", duration(z="zeta(phi)", where=WITHIN),
    f"Implies({WITHIN}, p0**2 + 2*eta*zeta(phi) > 0)", positive_area("phi", DEFINED),
    f"Implies({WITHIN}, cyc(phi, eta) > alpha_p)",
    ("Implies(And(u == -log(1 - x), 0 < x, x < 1), 1/exp(u) == 1 - x)", {"u": exponent(P), "x": "phi"}, DEFINED),
    *CYCLE, *AT_THETA, (GROWN, {"u": exponent(D), "x": "theta"}),
    ("Implies(And(q == m*x, Y == 1/(1 - x), x < 1), q - m*(1 - 1/Y) == 0)", {"q": cost(D), **THERE}),
    ("Implies(And(a/(1 - x) + b == m*k, k == h, Y == 1/(1 - x), x < 1), a*Y + b - m*h == 0)",
     {"a": "alpha_d", "b": "beta_d*N", "k": H, "h": hazard(D), **THERE}),
    LEAST,
    ("Implies(And(q - m*(1 - 1/Y) >= 0, 1/Y == 1 - y), q >= m*y)",
     {"q": cost(P), "m": SLOPE, "Y": grown(P), "y": "phi"}, LASTING),
    ("Implies(And(q >= m*y, x > 0, k == m*x), x*q >= y*k)",
     {"q": cost(P), "m": SLOPE, "x": "theta", "y": "phi", "k": cost(D)}, LASTING),
    f"Implies({WITHIN}, phi*cyc(theta, eta) <= theta*cyc(phi, eta))",
    ("Implies(And(0 < x, 0 < y, c > 0, d > 0, y*c <= x*d), y/d <= x/c)",
     {"x": "theta", "y": "phi", "c": "cyc(theta, eta)", "d": "cyc(phi, eta)"}, LASTING))

W, W1, W2 = "cyc(theta, eta)", "diff(cyc(theta, eta), theta)", "diff(cyc(theta, eta), theta, 2)"
D1, D2 = "diff(dur(theta, eta), theta)", "diff(dur(theta, eta), theta, 2)"
LEFT_AT = f"exp(-p0*{D} - eta*{D}**2/2)"
BENT = f"({H}**2 - eta)/((1 - theta)**2*{H}**3)"
# b is split from n, so that what is put for them has the shape of the facts
SHARED = "(a*h**2 - (a + b*n*(1 - x))*e)/((1 - x)*h)"
OUTER = "a*h/(1 - x) - (a/(1 - x) + b*n)/h*e"
INNER = "(a + b*n*(1 - x))*((h**2 - e)/((1 - x)**2*h**3)) - b*n/((1 - x)*h)"
CURVE, AS_FACTORS = "a*y2 + b*n*B*(y2 - h*y1**2)", "(a + b*n*(1 - x))*r - b*n/((1 - x)*h)"
SECOND = (
    ZETA, "p0**2 + 2*eta*zeta(theta) > 0", f"{H} > 0", *CYCLE[1:],
    ("Implies(c > 0, And(c**2 > 0, c**3 > 0))", {"c": W}),
    f"diff(R(theta), theta, 2) == (-theta*{W2} - 2*({W} - theta*{W1})*{W1}/{W})/{W}/{W}",
    *AT_THETA, RISES,
    ("Implies(And(0 < x, x < 1, h > 0, b >= 0, n > 0, a*h/(1 - x) > (a/(1 - x) + b*n)/h*e), "
     f"{INNER} > 0)", {"x": "theta", "h": H, "a": "alpha_d", "b": "beta_d", "n": "N", "e": "eta"}, "", (
         f"Implies(And(0 < x, x < 1, h > 0), {OUTER} == {SHARED})",
         f"Implies(And(0 < x, x < 1, h > 0), {INNER} == {SHARED}/((1 - x)*h**2))")),
    f"{D2} == {BENT}", f"{W2} == alpha_d*{D2} + beta_d*N*{LEFT_AT}*({D2} - {H}*{D1}**2)",
    (f"Implies(And(w == {CURVE}, B == 1 - x, y1 == 1/((1 - x)*h), h > 0, x < 1, y2 == r, {AS_FACTORS} > 0), w > 0)",
     {"w": W2, "a": "alpha_d", "b": "beta_d", "n": "N", "B": LEFT_AT, "x": "theta", "h": H, "y1": D1, "y2": D2,
      "r": BENT}, "", (
         f"Implies(And(w == {CURVE}, B == 1 - x, y1 == 1/((1 - x)*h), h > 0, x < 1, y2 == r), w == {AS_FACTORS})",)),
    ("Implies(And(w > 0, r > 0, x > 0, w == x*v, q == (-x*r - 2*(w - x*v)*v/w)/w/w), q < 0)",
     {"w": W, "r": W2, "x": "theta", "v": W1, "q": "diff(R(theta), theta, 2)"}))

MAXIMUM: Mapping[str, Mapping[str, Any]] = {
    "eb.lem-C.2": {"primitives": {"s": ()}, "lemmas": GLOBAL, "budget": 100.0},
    "eb.lem-C.2.soc": {"primitives": {"s": ()}, "lemmas": SECOND, "budget": 40.0},
}
