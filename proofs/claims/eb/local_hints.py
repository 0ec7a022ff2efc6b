"""Strategy for Lemma C.2's neighbourhood: R'' < 0 within an explicit radius. It needs no trust.

In the phase's duration z, with A = exp(p z + e z^2/2), L = 1/A and h = p + e z, the first-order condition reads
Phi(z) = a z + b I(z) + w - (a A + b n - a - b n L)/h = 0, and Phi' = -(A - 1) S/h^2, where S = a (h^2 - e) - e b n L
grows and has the sign of the cycle time's second derivative.  At the critical T, S > 0: else Phi would not have come
down from w.  Left of T, as long as S > 0, Phi >= 0 too; right of it Phi falls by at most (P - T) (A - 1) S/h(T)^2.
R'' has the sign of -(y S/((1 - y)^2 h^3) W + 2 Phi W'), W the cycle time.  It is negative where |P - T| < Q, with
Q e h (2 a + b n) < S and 2 Q (a + b n + c (h + e)) (h + e)^2 < w p^2 at T; and |P - T| < Q where |y - x| <
Q p (1 - x)/2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .ifr_hints import duration, positive_area
from .maximum_hints import D, H, P

Lemma = tuple[Any, ...]
General = tuple[Any, ...]  # a lemma without the terms at which it is used: its formula, and what Lemma has after them


def used(lemma: General, **at: str) -> Lemma:
    return (lemma[0], at, "", *lemma[1:])


def put(text: str, **terms: str) -> str:
    """The text with terms for names."""
    return re.sub(r"\b[a-zA-Z_]\w*\b", lambda m: terms.get(m[0], m[0]), text)


# ---- in the phase's duration ----

GIVEN = "a > 0, p > 0, e > 0, b >= 0, n > 0"


def exponent(z: str) -> str:
    return f"p*{z} + e*{z}**2/2"


def grown(z: str) -> str:
    """A."""
    return f"exp({exponent(z)})"


def left(z: str) -> str:
    """L."""
    return f"exp(-p*{z} - e*{z}**2/2)"


def hazard(z: str) -> str:
    """h."""
    return f"(p + e*{z})"


def residual(z: str) -> str:
    """Phi."""
    area = f"Integral(n*exp(-p*s - e*s**2/2), (s, 0, {z}))"
    return f"(a*{z} + b*{area} + w - (a*{grown(z)} + b*n - a - b*n*{left(z)})/{hazard(z)})"


def slope(z: str) -> str:
    """Phi' as the derivative is printed."""
    return f"(-a*({grown(z)} - 1) + e*(a*({grown(z)} - 1) + b*n*(1 - {left(z)}))/{hazard(z)}/{hazard(z)})"


def bend(z: str) -> str:
    """S."""
    return f"(a*({hazard(z)}**2 - e) - e*b*n*{left(z)})"


ORDER = "Implies(x <= y, exp(x) <= exp(y))"
ALIKE: General = (
    f"Implies(And(p > 0, e > 0, 0 < u, u <= l), And({grown('u')} <= {grown('l')}, {left('u')} >= {left('l')}, "
    f"{hazard('u')} <= {hazard('l')}, {grown('u')} > 1, {left('u')}*{grown('u')} == 1, {hazard('u')} > 0))", (
        f"{exponent('u')} > 0", f"{exponent('u')} <= {exponent('l')}", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        (ORDER, {"x": exponent("u"), "y": exponent("l")}),
        (ORDER, {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"})))
GROWS: General = (f"Implies(And({GIVEN}, 0 < u, u <= l), {bend('u')} <= {bend('l')})", (
    used(ALIKE, u="u", l="l"), "(p + e*u)**2 <= (p + e*l)**2", "a*(p + e*u)**2 <= a*(p + e*l)**2",
    f"e*b*n*{left('u')} >= e*b*n*{left('l')}"))
# -(A - 1) S/h^2
FORM: Lemma = ("Implies(And(k > 0, v*q == 1), -a*(q - 1) + e*(a*(q - 1) + b*n*(1 - v))/k/k == "
               "-((q - 1)*(a*(k**2 - e) - e*b*n*v))/k/k)", {"k": hazard("z"), "v": left("z"), "q": grown("z")})
BELOW_ONE = "Implies(k > 0, And(1/k > 0, 1/k*(1/k) > 0))"
STEEPEST = f"({grown('P')} - 1)*{bend('P')}/{hazard('T')}/{hazard('T')}"


def signed(s: str, sign: str) -> Lemma:
    """-(A - 1) S/h^2 where S ``s`` 0."""
    return (f"Implies(And(q >= 0, s {s} 0, k > 0), -(q*s)/k/k {sign} 0)",
            {"q": f"{grown('z')} - 1", "s": bend("z"), "k": hazard("z")}, "",
            (f"q*s {s} 0", BELOW_ONE, f"q*s*(1/k*(1/k)) {s} 0"))


def throughout(where: str, bound: str, *by: Any) -> Lemma:
    return (f"ForAll(z, {where}, {slope('z')} {bound})", {}, "",
            ((f"Implies({where}, {slope('z')} {bound})", {}, "", by),))


def moved(premise: str, change: str, above: str, *along: str) -> General:
    """Phi's change over an interval, by the mean value theorem."""
    return (f"Implies(And({GIVEN}, {premise}), {change} >= 0)", (f"ForAll(z, z > {above}, {hazard('z')} > 0)",), along)


WITHIN, BEFORE, FROM_0 = "And(T < z, z < P)", "And(P < z, z < T)", "And(0 < z, z < T)"
RIGHT: General = (
    f"Implies(And({GIVEN}, 0 < T, T <= P, {bend('T')} >= 0), {residual('P')} - {residual('T')} + {STEEPEST}*(P - T) "
    ">= 0)", (
        throughout(WITHIN, f">= -({STEEPEST})", used(ALIKE, u="z", l="P"), used(ALIKE, u="T", l="z"),
                   used(GROWS, u="T", l="z"), used(GROWS, u="z", l="P"), FORM,
                   ("Implies(And(q >= 0, q <= g, s >= 0, s <= v, r > 0, r <= k), q*s/k/k <= g*v/r/r)",
                    {"q": f"{grown('z')} - 1", "g": f"{grown('P')} - 1", "s": bend("z"), "v": bend("P"),
                     "r": hazard("T"), "k": hazard("z")}, "",
                    ("q*s <= g*v", "q*s >= 0", "1/k <= 1/r", BELOW_ONE, "1/k*(1/k) <= 1/r*(1/r)",
                     "q*s*(1/k*(1/k)) <= g*v*(1/r*(1/r))"))),
        used(moved(f"0 < T, T <= P, ForAll(z, {WITHIN}, {slope('z')} >= -m)",
                   f"{residual('P')} - {residual('T')} + m*(P - T)", "T", "P", "T"), m=STEEPEST)))
LEFT: General = (
    f"Implies(And({GIVEN}, 0 < P, P <= T, {bend('P')} >= 0), {residual('P')} - {residual('T')} >= 0)", (
        throughout(BEFORE, "<= 0", used(ALIKE, u="P", l="z"), used(GROWS, u="P", l="z"), FORM, signed(">=", "<=")),
        used(moved(f"0 < P, P <= T, ForAll(z, {BEFORE}, {slope('z')} <= 0)", f"{residual('P')} - {residual('T')}", "P",
                   "P", "T"), T="T")))
EARLY: General = (
    f"Implies(And({GIVEN}, 0 < T, {bend('T')} <= 0), {residual('T')} - w >= 0)", (
        throughout(FROM_0, ">= 0", used(ALIKE, u="z", l="T"), used(GROWS, u="z", l="T"), FORM, signed("<=", ">=")),
        used(moved(f"0 < T, ForAll(z, {FROM_0}, {slope('z')} >= 0)", f"{residual('T')} - w", "0", "T", "0"), T="T")))
BENT_UP: General = (
    f"Implies(And({GIVEN}, w > 0, 0 < T, {residual('T')} == 0), {bend('T')} > 0)", (
        (f"Implies({bend('T')} <= 0, {bend('T')} > 0)", {}, "", (
            used(EARLY, T="T"),
            ("Implies(And(f - w >= 0, f == 0, w > 0), s > 0)", {"f": residual("T"), "s": bend("T")}))),
        ("Or(s > 0, s <= 0)", {"s": bend("T")}),
        f"Implies(Or({bend('T')} > 0, {bend('T')} <= 0), {bend('T')} > 0)"))
GAP = f"({exponent('P')} - ({exponent('T')}))"
# S > 0 a little before T as well
STILL: General = (
    f"Implies(And({GIVEN}, 0 < P, P <= T, T - P < q, q*(e*{hazard('T')}*(2*a + b*n)) < {bend('T')}), {bend('P')} > 0)",
    (used(ALIKE, u="P", l="T"), f"{left('P')} <= 1", ("exp(v) >= 1 + v", {"v": GAP}),
     f"{left('T')} == {left('P')}*exp{GAP}", f"-{GAP} >= 0", f"-{GAP} <= (T - P)*{hazard('T')}",
     f"{left('P')} - {left('T')} <= {left('P')}*(-{GAP})",
     ("Implies(And(l <= 1, 0 <= d, d <= g, f <= l*d), f <= g)",
      {"l": left("P"), "d": f"-{GAP}", "g": f"(T - P)*{hazard('T')}", "f": f"{left('P')} - {left('T')}"}, "",
      ("l*d <= d",)),
     f"{hazard('T')}**2 - {hazard('P')}**2 <= 2*e*(T - P)*{hazard('T')}",
     ("Implies(And(a > 0, e > 0, b >= 0, n > 0, r > 0, i < q, u - v <= i*r, r**2 - k**2 <= 2*e*i*r, q*(e*r*(2*a + "
      "b*n)) < a*(r**2 - e) - e*b*n*v), a*(k**2 - e) - e*b*n*u > 0)",
      {"u": left("P"), "v": left("T"), "i": "T - P", "r": hazard("T"), "k": hazard("P")}, "",
      ("a*(r**2 - k**2) <= a*(2*e*i*r)", "e*b*n*(u - v) <= e*b*n*(i*r)", "e*r*(2*a + b*n) > 0",
       "(q - i)*(e*r*(2*a + b*n)) > 0"))))
# durations are close where thresholds are
CLOSE: General = (
    "Implies(And(0 < i, i <= j, j < 1, j - i < q*p*(1 - j), 0 < p, e > 0, r > 0, t > 0, p*r + e*r**2/2 == -log(1 - j), "
    "p*t + e*t**2/2 == -log(1 - i)), And(r >= t, r - t < q))", (
        ("Implies(And(u > 0, v > 0), And(log(u/v) <= u/v - 1, log(u/v) == log(u) - log(v)))",
         {"u": "1 - i", "v": "1 - j"}),
        ("Implies(And(u >= v, v > 0), log(u) >= log(v))", {"u": "1 - i", "v": "1 - j"}),
        "(1 - i)/(1 - j) - 1 == (j - i)/(1 - j)", "(j - i)/(1 - j) < q*p",
        "(r - t)*(p + e*(r + t)/2) == log(1 - i) - log(1 - j)", "p + e*(r + t)/2 > 0",
        ("Implies(And(k*l == m, m >= 0, l > 0), k >= 0)",
         {"k": "r - t", "l": "p + e*(r + t)/2", "m": "log(1 - i) - log(1 - j)"}),
        "p*(r - t) < q*p", ("Implies(And(p*k < q*p, p > 0), k < q)", {"k": "r - t"})))

# ---- -R'' at the threshold y of duration P, times W^3; v is W' there ----

COSTLY = "v == (a/(1 - y) + b*n)/k + c"
NEGATIVE = "y*(s/((1 - y)**2*k**3))*W + 2*f*v > 0"
JUST_ABOVE: General = (
    "Implies(And(0 < y, y < 1, 0 < p, a > 0, b >= 0, n > 0, c >= 0, e > 0, r >= p, g >= 0, g < q, q <= 1, k == r + "
    "e*g, H == r + e, s > 0, W >= w, w > 0, q*(2*(a + b*n + c*H)*H**2) < w*p**2, f - t + (j - 1)*s/r/r*g >= 0, t == "
    f"0, j == 1/(1 - y), {COSTLY}), {NEGATIVE})", (
        "k > 0", "k <= H", "v > 0", "j - 1 == y/(1 - y)",
        ("Implies(And(i == j - 1, r > 0, y < 1, i == y/(1 - y)), i*s/r/r*g == y*s*g/((1 - y)*r**2))", {"i": "j - 1"}),
        ("Implies(And(f - t + i >= 0, t == 0, i == m), f >= -m)",
         {"i": "(j - 1)*s/r/r*g", "m": "y*s*g/((1 - y)*r**2)"}), "f*v >= -(y*s*g/((1 - y)*r**2))*v",
        "(1 - y)*k*v == a + b*n*(1 - y) + c*k*(1 - y)", "b*n*(1 - y) <= b*n", "c*k*(1 - y) <= c*k", "c*k <= c*H",
        "(1 - y)*k*v <= a + b*n + c*H", "k**2 <= H**2",
        ("Implies(And(0 <= u, u <= z, 0 <= i, i <= m, g >= 0, g < q), 2*g*u*i <= 2*q*z*m)",
         {"u": "(1 - y)*k*v", "z": "a + b*n + c*H", "i": "k**2", "m": "H**2"}, "",
         ("u*i <= z*m", "u*i >= 0", "z*m >= 0",
          ("Implies(And(g >= 0, h <= l, l >= 0, g < q), g*h <= q*l)", {"h": "u*i", "l": "z*m"}, "",
           ("g*h <= g*l", "(q - g)*l >= 0")))),
        "p**2 <= r**2", "w*p**2 <= W*r**2", "2*g*((1 - y)*k*v)*k**2 < W*r**2",
        ("Implies(And(y > 0, s > 0, l > 0, k > 0, r > 0, 2*g*(l*k*v)*k**2 < W*r**2), y*(s/(l**2*k**3))*W > "
         "2*(y*s*g/(l*r**2))*v)", {"l": "1 - y"}, "",
         ("y*s/(l**2*k**3*r**2) > 0",
          "y*s/(l**2*k**3*r**2)*(2*g*(l*k*v)*k**2) < y*s/(l**2*k**3*r**2)*(W*r**2)"))))
JUST_BELOW: General = (
    "Implies(And(0 < y, y < 1, k > 0, s > 0, W > 0, a > 0, b >= 0, n > 0, c >= 0, f - t >= 0, t == 0, "
    f"{COSTLY}), {NEGATIVE})",
    ("v > 0", "f >= 0", "f*v >= 0", "s/((1 - y)**2*k**3) > 0", "y*(s/((1 - y)**2*k**3))*W > 0"))
AT_P = {"v": "V", "k": hazard("P"), "s": bend("P"), "f": residual("P"), "t": residual("T")}
AT_BOTH = f"y*({bend('P')}/((1 - y)**2*{hazard('P')}**3))*W + 2*({residual('P')})*V > 0"
FURTHER = f"({hazard('T')} + e)"
NEARBY: General = (
    f"Implies(And({GIVEN}, w > 0, c >= 0, 0 < T, 0 < P, 0 < x, x < 1, 0 < y, y < 1, {exponent('T')} == -log(1 - x), "
    f"{exponent('P')} == -log(1 - y), 0 < o, o <= 1, {bend('T')} > 0, {residual('T')} == 0, W >= w, "
    f"V == (a/(1 - y) + b*n)/{hazard('P')} + c, o*(2*(a + b*n + c*{FURTHER})*{FURTHER}**2) < w*p**2, "
    f"o*(e*{hazard('T')}*(2*a + b*n)) < {bend('T')}, y - x < o*p*(1 - y), x - y < o*p*(1 - x)), {AT_BOTH})", (
        (f"Implies(x <= y, {AT_BOTH})", {}, "", (
            used(CLOSE, i="x", j="y", t="T", r="P", q="o"),
            ("Implies(And(u == -log(1 - y), 0 < y, y < 1), exp(u) == 1/(1 - y))", {"u": exponent("P")}),
            used(GROWS, u="T", l="P"), used(RIGHT, T="T"),
            ("Implies(And(u <= v, u > 0), v > 0)", {"u": bend("T"), "v": bend("P")}),
            ("Implies(And(e > 0, T > 0), p + e*T >= p)", {"T": "T"}),
            ("p + e*u == p + e*v + e*(u - v)", {"u": "P", "v": "T"}),
            used(JUST_ABOVE, q="o", r=hazard("T"), g="P - T", j=grown("P"), H=FURTHER, **AT_P))),
        (f"Implies(y <= x, {AT_BOTH})", {}, "", (
            used(CLOSE, i="y", j="x", t="P", r="T", q="o"), used(STILL, q="o"), used(LEFT, T="T"),
            ("Implies(And(p > 0, e > 0, P > 0), p + e*P > 0)", {"P": "P"}), used(JUST_BELOW, **AT_P))),
        "Or(x <= y, y <= x)", f"Implies(Or(x <= y, y <= x), {AT_BOTH})"))

# ---- in the claim's names ----

COSTS = {"a": "alpha_d", "p": "p0", "e": "eta", "b": "beta_d", "n": "N", "w": "alpha_p"}
C = "beta_p*N*mu_L"


def named(text: str, **durations: str) -> str:
    return put(text, **COSTS, **durations)


def ends(y: str, z: str) -> tuple[Lemma, Lemma]:
    """A and L at the end of the phase."""
    return (("Implies(And(u == -log(1 - y), 0 < y, y < 1), exp(u) == 1/(1 - y))",
             {"u": f"p0*{z} + eta*{z}**2/2", "y": y}),
            ("Implies(And(v == log(1 - x), x < 1), exp(v) == 1 - x)", {"v": f"-p0*{z} - eta*{z}**2/2", "x": y}))


def costs(y: str, z: str) -> dict[str, str]:
    return {"x": y, "a": "alpha_d", "b": "beta_d", "n": "N", "l": C, "t": f"(alpha_d*{z} + beta_d*cum({y}, eta) + "
            "alpha_p)", "A": f"exp(p0*{z} + eta*{z}**2/2)", "B": f"exp(-p0*{z} - eta*{z}**2/2)"}


SPREAD = "x*((a/(1 - x) + b*n)/h) == (a*(1/(1 - x)) + b*n - a - b*n*(1 - x))/h"
WITH_A_AND_B = "x < 1, A == 1/(1 - x), B == 1 - x"
W, SLOPE_T, H_T = "cyc(theta, eta)", "diff(cyc(theta, eta), theta)", f"(p0 + eta*{D})"
BEND_T = named(bend("T"), T=D)
STRAIGHT = f"eta*{H_T}*(2*alpha_d + beta_d*N)"
SPARE = f"2*(alpha_d + beta_d*N + ({C})*({H_T} + eta))*({H_T} + eta)**2"
CRITICAL: Lemma = (
    f"And({D} > 0, p0*{D} + eta*{D}**2/2 == -log(1 - theta), {named(residual('T'), T=D)} == 0, {BEND_T} > 0, {C} >= 0, "
    f"{STRAIGHT} >= 0, {SPARE} >= 0)", {}, "", (
        "zeta(theta) > 0", duration(), "p0**2 + 2*eta*zeta(theta) > 0", f"{H} == {H_T}", f"{H_T} > 0",
        *ends("theta", D), f"{SLOPE_T} == (alpha_d/(1 - theta) + beta_d*N)/{H_T} + {C}",
        (f"Implies(And(k == x*w1, w1 == (a/(1 - x) + b*n)/h + l, k == t + l*x, h > 0, {WITH_A_AND_B}), "
         "t - (a*A + b*n - a - b*n*B)/h == 0)", {**costs("theta", D), "k": W, "w1": SLOPE_T, "h": H_T}, "", (SPREAD,)),
        used(BENT_UP, T=D, **COSTS), f"{C} >= 0", f"{STRAIGHT} >= 0", f"{SPARE} >= 0"))


def at_phi(f: str, times: int = 1) -> str:
    return f"At(diff({f}, x, {times}), x, phi)"


CYCLE, W1, W2 = "cyc(phi, eta)", at_phi("cyc(x, eta)"), at_phi("cyc(x, eta)", 2)
D1, D2, R2 = at_phi("dur(x, eta)"), at_phi("dur(x, eta)", 2), at_phi("R(x)", 2)
ROOT, H_P, LEFT_P = "sqrt(p0**2 + 2*eta*zeta(phi))", f"(p0 + eta*{P})", f"exp(-p0*{P} - eta*{P}**2/2)"
BENT = f"({ROOT}**2 - eta)/((1 - phi)**2*{ROOT}**3)"
CURVED = f"alpha_d*({BENT}) + beta_d*N*(1 - phi)*({BENT} - {ROOT}*(1/((1 - phi)*{ROOT}))**2)"
RATIO = f"({named(bend('P'), P=P)})/((1 - phi)**2*{H_P}**3)"
RESIDUAL = named(residual("P"), P=P)
WEIGHED = f"phi*({RATIO})*{CYCLE} + 2*({RESIDUAL})*{W1}"
WHOLE = {"a": "alpha_d", "d": P, "b": "beta_d", "i": "cum(phi, eta)", "w": "alpha_p"}
AS_BEND = "a*((h**2 - e)/(u**2*h**3)) + b*n*u*((h**2 - e)/(u**2*h**3) - h*(1/(u*h))**2) == "
ANYWHERE: Lemma = (
    f"Implies(And(0 < phi, phi < 1), And({P} > 0, p0*{P} + eta*{P}**2/2 == -log(1 - phi), {CYCLE} >= alpha_p, "
    f"{W1} == (alpha_d/(1 - phi) + beta_d*N)/{H_P} + {C}, {R2} == -({WEIGHED})/{CYCLE}**3, {CYCLE}**3 > 0))", {}, "", (
        "zeta(phi) > 0", duration(z="zeta(phi)"), "p0**2 + 2*eta*zeta(phi) > 0", f"{ROOT} > 0", f"{ROOT} == {H_P}",
        *ends("phi", P), f"{D1} == 1/((1 - phi)*{ROOT})", f"{D2} == {BENT}",
        f"{W1} == (alpha_d/(1 - phi) + beta_d*N)/{ROOT} + {C}", positive_area("phi"),
        ("Implies(And(a > 0, d > 0, b >= 0, i >= 0, w > 0, q >= 0, n > 0, l > 0, x > 0), And(a*d + b*i + w + q*n*l*x "
         ">= w, a*d + b*i + w + q*n*l*x > 0))", {"a": "alpha_d", "d": P, "b": "beta_d", "i": "cum(phi, eta)",
                                                "w": "alpha_p", "q": "beta_p", "n": "N", "l": "mu_L", "x": "phi"}),
        ("Implies(c > 0, And(c**2 > 0, c**3 > 0))", {"c": CYCLE}),
        f"{R2} == -(phi*{W2}*{CYCLE} + 2*({CYCLE} - phi*{W1})*{W1})/{CYCLE}**3",
        f"{W2} == alpha_d*{D2} + beta_d*N*{LEFT_P}*({D2} - {ROOT}*{D1}**2)",
        ("Implies(And(w == a*y2 + b*n*B*(y2 - h*y1**2), B == u, y1 == v, y2 == r), w == a*r + b*n*u*(r - h*v**2))",
         {"w": W2, "a": "alpha_d", "b": "beta_d", "n": "N", "B": LEFT_P, "u": "1 - phi", "h": ROOT, "y1": D1,
          "v": f"1/((1 - phi)*{ROOT})", "y2": D2, "r": BENT}),
        (f"Implies(And(h > 0, u > 0, h == k, B == u), {AS_BEND}(a*(k**2 - e) - e*b*n*B)/(u**2*k**3))",
         {"a": "alpha_d", "b": "beta_d", "n": "N", "u": "1 - phi", "h": ROOT, "e": "eta", "k": H_P, "B": LEFT_P}, "",
         (f"Implies(And(h > 0, u > 0), {AS_BEND}(a*(h**2 - e) - e*b*n*u)/(u**2*h**3))",)),
        (f"Implies(And(w1 == (a/(1 - x) + b*n)/h + l, h == k, h > 0, {WITH_A_AND_B}), "
         "a*d + b*i + w - (a*A + b*n - a - b*n*B)/k == a*d + b*i + w + l*x - x*w1)",
         {**costs("phi", P), **WHOLE, "w1": W1, "h": ROOT, "k": H_P}, "", (SPREAD,)),
        f"{W1} == (alpha_d/(1 - phi) + beta_d*N)/{H_P} + {C}",
        ("Implies(And(g == -(y*w2*W + 2*(W - y*v)*v)/W**3, w2 == z, z == s, f == a*d + b*i + w + l*y - y*v, W == a*d + "
         "b*i + w + l*y, W > 0), g == -(y*s*W + 2*f*v)/W**3)",
         {"g": R2, "y": "phi", "w2": W2, "W": CYCLE, "v": W1, "z": CURVED, "s": RATIO, "f": RESIDUAL,
          **WHOLE, "l": C}, "", ("f == W - y*v",))))

# Q, of factors that are defined anywhere: x exp(-x) < 1
SIZE = "alpha_p*p0**2"
FACTORS = f"({BEND_T})*({SIZE})*exp(-({BEND_T}))*exp(-({SIZE}))*exp(-({STRAIGHT}))*exp(-({SPARE}))"
ONE_FACTOR: General = ("Implies(And(z >= 0, y == exp(-z)), And(z*y < 1, y <= 1, y > 0))",
                       ("exp(z) > z", "exp(z) >= 1", "exp(z)*y == 1"))
THREE: General = ("Implies(And(a > 0, a <= 1, b > 0, b <= 1, c > 0, c <= 1), And(a*b*c <= 1, a*b*c > 0))",
                  ("a*b <= 1", "a*b > 0", "a*b*c <= a*b"))
SMALL: Lemma = (
    "Implies(And(f >= 0, g >= 0, s > 0, m > 0, i == exp(-s), j == exp(-m), k == exp(-f), l == exp(-g)), "
    "And(s*m*i*j*k*l > 0, s*m*i*j*k*l <= 1, s*m*i*j*k*l*f < s, s*m*i*j*k*l*g < m))",
    {"f": STRAIGHT, "g": SPARE, "s": BEND_T, "m": SIZE, "i": f"exp(-({BEND_T}))", "j": f"exp(-({SIZE}))",
     "k": f"exp(-({STRAIGHT}))", "l": f"exp(-({SPARE}))"}, "", (
        used(ONE_FACTOR, z="s", y="i"), used(ONE_FACTOR, z="m", y="j"), used(ONE_FACTOR, z="f", y="k"),
        used(ONE_FACTOR, z="g", y="l"), used(THREE, a="s*i", b="m*j", c="k*l"), used(THREE, a="i", b="m*j", c="l"),
        used(THREE, a="s*i", b="j", c="k"), "s*(i*(m*j)*l)*(k*f) < s", "m*(s*i*j*k)*(l*g) < m"))
RADIUS = "Q*p0*(1 - theta)/2"
WITHIN_RADIUS: Lemma = (
    f"Implies(And(0 < phi, phi < 1, theta - {RADIUS} < phi, phi < theta + {RADIUS}), {R2} < 0)", {}, "", (
        (ANYWHERE[0], {"phi": "phi"}),
        ("Implies(And(0 < q, q <= 1, 0 < p, p <= 1, x < 1, x - q*p*(1 - x)/2 < y, y < x + q*p*(1 - x)/2), And(x - y < "
         "q*p*(1 - x), y - x < q*p*(1 - y)))", {"q": "Q", "p": "p0", "x": "theta", "y": "phi"}, "",
         ("0 < q*p", "Implies(And(0 < q, q <= 1, 0 < p, p <= 1), q*p <= 1)", "q*p*(1 - x) <= 1 - x",
          ("Implies(And(y < x + m/2, m <= 1 - x), 1 - y > (1 - x)/2)", {"m": "q*p*(1 - x)"}),
          "q*p*(1 - y) > q*p*((1 - x)/2)")),
        used(NEARBY, **COSTS, c=C, o="Q", T=D, P=P, x="theta", y="phi", W=CYCLE, V=W1),
        ("Implies(And(g == -m/W, W > 0, m > 0), g < 0)", {"g": R2, "m": WEIGHED, "W": f"{CYCLE}**3"})))
# the first three are proved where nothing is known of their variables, so that they serve wherever they are used
NEIGHBOURHOOD = (
    used(ALIKE, u="u"), used(GROWS, u="u"), used(CLOSE, q="q"), ANYWHERE, CRITICAL, SMALL,
    f"Exists(Q, Q > 0, And(Q <= 1, Q*({STRAIGHT}) < {BEND_T}, Q*({SPARE}) < {SIZE}))", WITHIN_RADIUS)

LOCAL: Mapping[str, Mapping[str, Any]] = {
    "eb.lem-C.2.local": {"primitives": {"s": ()}, "witness": {"Q": FACTORS, "d": RADIUS}, "lemmas": NEIGHBOURHOOD,
                         "budget": 40.0}}
