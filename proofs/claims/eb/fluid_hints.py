"""Strategy for Theorem 3.2 in its fluid model: the optimal threshold to first order in eta.  It needs no trust.

Times h/a, the first-order condition at the threshold x reads, exactly,
    psi(x) - psi(y) = G = e T^2/2 + e g T/p + (b/a) M,    M = h I - n (1 - L) = e int_0^T I,
where T is the phase's length, h = p + e T, psi(x) = x/(1 - x) + ln(1 - x), y the base threshold, psi(y) = g = p w/a.
With 0 <= M <= A, M >= A - n e^2 T^4/24, A = n e (T/p - (1 - e^{-pT})/p^2), and T to first order, G = e B + O(e^2) with
B = (c^2/2 + g c + r (c - y))/p^2, c = -ln(1 - y), r = b n/a.  As psi is convex, x - y is at most G (1 - y)^2/y and
at least G (1 - x)^2/x.  Every constant is explicit, for e < p^2/(4 (1 + r)), where -ln(1 - x) < g + 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .ifr_hints import ROOT, area
from .local_hints import GIVEN, General, exponent, hazard, left, put, used


def integral(z: str) -> str:
    return area("p", "e", "n", z)


# ---- M ----

CFR = "n*(1 - exp(-p*u))/p"  # the integral at e = 0
AREAS: General = (
    f"Implies(And(p > 0, e > 0, n > 0, 0 < u), And({integral('u')} >= 0, {integral('u')} <= {CFR}, "
    f"{integral('u')} >= {CFR} - n*e*u**3/6))", (
        ("Implies(v >= 0, And(exp(-v) <= 1, exp(-v) >= 1 - v))", {"v": "e*s**2/2"}),
        ("exp(-p*s - e*s**2/2) == exp(-p*s)*exp(-e*s**2/2)", {"s": "s"}),
        ("Implies(And(p > 0, s >= 0), And(exp(-p*s) > 0, exp(-p*s) <= 1))", {"s": "s"}),
        ("Implies(And(p > 0, e > 0, s >= 0), And(exp(-p*s - e*s**2/2) <= exp(-p*s), exp(-p*s - e*s**2/2) >= exp(-p*s) "
         "- e*s**2/2))", {"s": "s"})), ("u", "0"))


def saved(z: str) -> str:
    """M."""
    return f"({hazard(z)}*{integral(z)} - n*(1 - {left(z)}))"


def first(z: str) -> str:
    """M/(n e) at e = 0."""
    return f"({z}/p - (1 - exp(-p*{z}))/p**2)"


NOT_LOST: General = (f"Implies(And(p > 0, e > 0, n > 0, 0 < u), {saved('u')} >= 0)", (), ("u", "0"))
SAVED: General = (
    f"Implies(And(p > 0, e > 0, n > 0, 0 < u), And({saved('u')} <= n*e*{first('u')}, {saved('u')} >= "
    f"n*e*{first('u')} - n*e**2*u**4/24))", (), ("u", "0"))
# as a change of the length by at most m changes it
FIRST_MOVES: General = (
    f"Implies(And(p > 0, T > 0, t > 0, T - t <= m, t - T <= m), And({first('T')} - {first('t')} <= m/p, {first('T')} - "
    f"{first('t')} >= -m/p))", (
        *(("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": f"p*{z}"}) for z in "Tt"),
        *(("exp(u) >= exp(v)*(1 + u - v)", {"u": f"-p*{y}", "v": f"-p*{z}"}, "", ("exp(u) == exp(v)*exp(u - v)",))
          for y, z in ("Tt", "tT")),
        ("Implies(And(p > 0, T - t <= m, t - T <= m, 0 < j, j < 1, 0 < f, f < 1, j >= f*(1 - p*T + p*t), f >= j*(1 - "
         "p*t + p*T)), And(T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) <= m/p, T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) "
         ">= -m/p))", {"j": "exp(-p*T)", "f": "exp(-p*t)"}, "", (
             "T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) == (T - t)/p + (j - f)/p**2",
             "j - f <= -j*p*(T - t)", "(j - f)/p**2 <= -j*(T - t)/p", "(1 - j)*(T - t) <= m",
             "(1 - j)*(T - t)/p <= m/p", "j - f >= -f*p*(T - t)", "(j - f)/p**2 >= -f*(T - t)/p",
             "(1 - f)*(T - t) >= -m", "(1 - f)*(T - t)/p >= -m/p"))))

# ---- the first-order condition ----


def duration(x: str) -> str:
    return put(f"({ROOT})", z=f"(-log(1 - {x}))")


def cycle(x: str) -> str:
    return f"(a*{duration(x)} + b*{integral(duration(x))} + w + f*n*m*{x})"


def psi(x: str) -> str:
    return f"({x}/(1 - {x}) + log(1 - {x}))"


# the threshold is q here, for x is bound in the claims' slope
LENGTH, OWN = duration("q"), "sqrt(p**2 + 2*e*(-log(1 - q)))"
SLOPE = f"At(diff({cycle('x')}, x), x, q)"
SLOPES: General = (
    f"Implies(And({GIVEN}, 0 < q, q < 1), And({LENGTH} > 0, {exponent(LENGTH)} == -log(1 - q), {hazard(LENGTH)} > 0, "
    f"{SLOPE} == (a/(1 - q) + b*n)/{hazard(LENGTH)} + f*n*m))", (
        "-log(1 - q) > 0", (f"Implies(And(p > 0, e > 0, z > 0), And({ROOT} > 0, {exponent(f'({ROOT})')} == z))",
                            {"z": "-log(1 - q)"}),
        "p**2 + 2*e*(-log(1 - q)) > 0", f"{OWN} > 0", f"{OWN} == {hazard(LENGTH)}", f"{hazard(LENGTH)} > 0",
        ("Implies(And(v == log(1 - q), q < 1), exp(v) == 1 - q)", {"v": f"-p*{LENGTH} - e*{LENGTH}**2/2"}),
        f"{SLOPE} == (a/(1 - q) + b*n)/{OWN} + f*n*m"))
GAIN = "(e*T**2/2 + e*g*T/p + k)"  # G
ENDS = ("Implies(And(u == -log(1 - x), 0 < x, x < 1), And(exp(u) == 1/(1 - x), exp(-u) == 1 - x))",
        {"u": exponent("T")})
EXACT: General = (
    f"Implies(And({GIVEN}, 0 < T, 0 < x, x < 1, p*w == g*a, {exponent('T')} == -log(1 - x), {hazard('T')} > 0, v == "
    f"(a/(1 - x) + b*n)/{hazard('T')} + f*n*m, a*T + b*{integral('T')} + w + f*n*m*x == x*v), {psi('x')} - g == "
    f"{put(GAIN, k='b/a*' + saved('T'))})", (
        ENDS, (
            "Implies(And(a > 0, p > 0, h > 0, h == p + e*T, p*w == g*a, v == (a/(1 - x) + b*n)/h + l, a*T + b*i + w + "
            "l*x == x*v, p*T + e*T**2/2 == z, L == 1 - x, x < 1), x/(1 - x) - z - g == e*T**2/2 + e*g*T/p + b/a*(h*i - "
            "n*(1 - L)))", {"h": hazard("T"), "L": left("T"), "i": integral("T"), "z": "-log(1 - x)", "l": "f*n*m"},
            "", (
                "w == g*a/p", "a*T + b*i + w == x*((a/(1 - x) + b*n)/h)",
                "a*T*h + b*i*h + w*h == a*(x/(1 - x)) + b*n*x"))))

# ---- bounds ----

TANGENT: General = (f"Implies(And(0 < u, u < 1, 0 < v, v < 1), {psi('u')} - {psi('v')} >= v/(1 - v)**2*(u - v))", (
    ("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))",
     {"u": "1 - u", "v": "1 - v"}),
    "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)", "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
    "(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - u)*(1 - v)**2)",
    "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
    ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)",
     {"d": "u/(1 - u)", "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
      "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"})))
# z < g + 2
NOT_LONG: General = (
    "Implies(And(0 < p, 0 < e, 0 <= r, 0 < g, 4*e*(1 + r) <= p**2, 0 < z, 0 < T, T <= z/p, k <= r*e*T**2/2, "
    f"exp(z) - 1 - z - g == {GAIN}), z < g + 2)", (
        "exp(z) >= 1 + z + z**2/2", "e*(1 + r)*T**2 <= e*(1 + r)*(z/p)**2", "e*(1 + r)*(z/p)**2 <= z**2/4",
        "e*g*T/p <= e*g*(z/p)/p", "4*e*r >= 0", "4*e <= p**2", "g*z*(4*e) <= g*z*p**2", "e*g*(z/p)/p <= g*z/4",
        "z**2/2 <= g + z**2/8 + g*z/4", "Implies(And(z**2/2 <= g + z**2/8 + g*z/4, g > 0), z < g + 2)"))
# -ln(1 - x) from the thresholds
EXPONENTS: General = (
    "Implies(And(0 < y, y <= x, x < 1, z == -log(1 - x), c == -log(1 - y)), And(z - c >= x - y, x/(1 - x) - y/(1 - y) "
    "- (z - c) >= y/(1 - y)*(z - c)))", (
        ("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) <= u/v - 1, log(u/v) == log(u) - "
         "log(v)))", {"u": "1 - y", "v": "1 - x"}),
        "(1 - y)/(1 - x) - 1 == (x - y)/(1 - x)", "1 - 1/((1 - y)/(1 - x)) == (x - y)/(1 - y)",
        "(x - y)/(1 - y) >= x - y", "x/(1 - x) - y/(1 - y) == (x - y)/(1 - x)*(1/(1 - y))",
        ("Implies(And(d <= f, q > 0), d*q <= f*q)", {"d": "z - c", "f": "(x - y)/(1 - x)", "q": "1/(1 - y)"}),
        "(z - c)*(1/(1 - y)) - (z - c) == y/(1 - y)*(z - c)"))
LENGTHS: General = (
    "Implies(And(p > 0, e > 0, T > 0, p*T + e*T**2/2 == z, z < h, z - c >= 0, z - c <= e*v/p**2, c > 0), And(T <= h/p, "
    "c/p <= h/p, T - c/p <= e*(v + h**2)/p**3, c/p - T <= e*(v + h**2)/p**3))", (
        "p*T <= h", "T <= h/p", "c/p <= h/p", "T**2 <= (h/p)**2", "e*T**2/2 <= e*h**2/p**2", "e*T**2/2 >= 0",
        "p*(T - c/p) == z - c - e*T**2/2", "e*v/p**2 >= 0", "e*h**2/p**2 >= 0",
        "e*(v + h**2)/p**2 == e*v/p**2 + e*h**2/p**2",
        ("Implies(And(l == d - i, i >= 0, d >= 0, d <= u, i <= j, q == u + j), And(l <= q, -l <= q))",
         {"l": "p*(T - c/p)", "d": "z - c", "i": "e*T**2/2", "u": "e*v/p**2", "j": "e*h**2/p**2",
          "q": "e*(v + h**2)/p**2"}),
        *(("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": gap, "i": "e*(v + h**2)/p**2"})
          for gap in ("T - c/p", "c/p - T"))))
# G against e B, t the length at e = 0
AT_0 = "e*(t**2/2 + g*t/p + r*j)"
GAINS: General = (
    "Implies(And(p > 0, e > 0, g > 0, r >= 0, T > 0, t > 0, T <= h, t <= h, T - t <= m, t - T <= m, i - j <= m/p, "
    f"i - j >= -m/p, k <= r*e*i, k >= r*e*i - r*e**2*T**4/24), And({GAIN} - {AT_0} <= e*(m*(h + (g + r)/p) + "
    f"r*e*h**4), {GAIN} - {AT_0} >= -e*(m*(h + (g + r)/p) + r*e*h**4)))", (
        "m >= 0", "T**2/2 - t**2/2 == (T - t)*((T + t)/2)", "(T + t)/2 <= h", "(T + t)/2 > 0",
        ("Implies(And(l <= m, -l <= m, 0 < d, d <= h, m >= 0), And(l*d <= m*h, l*d >= -m*h))",
         {"l": "T - t", "d": "(T + t)/2"}, "", ("l*d <= m*d", "l*d >= -m*d", "m*d <= m*h")),
        "e*(T**2/2 - t**2/2) <= e*(m*h)", "e*(T**2/2 - t**2/2) >= -e*(m*h)", "e*(g*T/p - g*t/p) <= e*(m*g/p)",
        "e*(g*T/p - g*t/p) >= -e*(m*g/p)", "r*e*(i - j) <= e*(m*r/p)", "r*e*(i - j) >= -e*(m*r/p)", "T**4 <= h**4",
        "r*e**2*T**4 <= r*e**2*h**4", "r*e**2*T**4 >= 0", "r*e**2*h**4 >= 0",
        "e*(m*(h + (g + r)/p) + r*e*h**4) == e*(m*h) + e*(m*g/p) + e*(m*r/p) + r*e**2*h**4"))
# x - y against e B (1 - y)^2/y, with G between e B - e^2 m and e B + e^2 m
REST = "x - y - e*B*((1 - y)**2/y)"
BOTH_WAYS: General = (
    "Implies(And(e > 0, 0 < y, y <= x, x < 1, G >= y/(1 - y)**2*(x - y), x/(1 - x)**2*(x - y) >= G, x - y <= e*v, "
    f"G >= 0, G <= e*u, G - e*B <= e**2*m, G - e*B >= -e**2*m), And({REST} <= e**2*(m*((1 - y)**2/y) + u*v/y**2), "
    f"{REST} >= -e**2*(m*((1 - y)**2/y) + u*v/y**2)))", (
        "(1 - y)**2/y > 0",
        ("Implies(And(q > 0, q*i == 1, G >= i*l), G*q >= l)", {"q": "(1 - y)**2/y", "i": "y/(1 - y)**2", "l": "x - y"},
         "", ("q*G >= q*(i*l)", "q*(i*l) == l")),
        ("Implies(And(q > 0, q*i == 1, i*l >= G), l >= G*q)", {"q": "(1 - x)**2/x", "i": "x/(1 - x)**2", "l": "x - y"},
         "", ("q*(i*l) >= q*G", "q*(i*l) == l")),
        "1/y - 1/x <= (x - y)/y**2", "(1 - x)**2/x == 1/x - 2 + x", "(1 - y)**2/y == 1/y - 2 + y",
        "(1 - x)**2/x >= (1 - y)**2/y - (x - y)/y**2",
        ("Implies(And(G >= 0, f >= q - d), G*f >= G*q - G*d)",
         {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2"}),
        ("Implies(And(0 <= G, G <= i, 0 <= d, d <= j), And(G*d <= i*j, i*j >= 0))",
         {"i": "e*u", "d": "x - y", "j": "e*v"}),
        "G*((x - y)/y**2) <= e**2*(u*v/y**2)", "e**2*(u*v/y**2) >= 0",
        ("Implies(And(q > 0, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(G*q <= e*B*q + e**2*m*q, G*q >= e*B*q - "
         "e**2*m*q))", {"q": "(1 - y)**2/y"}),
        ("Implies(And(q > 0, G*q >= l, l >= G*f, G*f >= G*q - G*d, G*d <= e**2*h, e**2*h >= 0, G*q <= e*B*q + "
         "e**2*m*q, G*q >= e*B*q - e**2*m*q), And(l - e*B*q <= e**2*(m*q + h), l - e*B*q >= -e**2*(m*q + h)))",
         {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2", "l": "x - y", "h": "u*v/y**2"})))

# ---- together ----

TOP = "((1 + r)*(g + 2)**2/2 + g*(g + 2))"  # G <= e TOP/p^2
FURTHER = f"({TOP}*(1 - y)/y)"  # z - c <= e FURTHER/p^2
APART = f"({FURTHER} + (g + 2)**2)"  # |T - c/p| <= e APART/p^3
OFF = f"(({APART}*(2*g + 2 + r) + r*(g + 2)**4)/p**4)"  # |G - e B| <= e^2 OFF
RATE = "((c**2/2 + g*c + r*(c - y))/p**2)"  # B
ERROR = f"({OFF}*((1 - y)**2/y) + ({TOP}/p**2)*({FURTHER}/p**2)/y**2)"
MOVED = f"(e*{APART}/p**3)"
SECOND_ORDER: General = (
    "Implies(And(p > 0, e > 0, g > 0, r >= 0, 4*e*(1 + r) <= p**2, 0 < x, x < 1, 0 < y, y < 1, T > 0, "
    f"{exponent('T')} == -log(1 - x), {psi('y')} == g, {psi('x')} - g == {GAIN}, k >= 0, k <= r*e*{first('T')}, k >= "
    f"r*e*{first('T')} - r*e**2*T**4/24, c == -log(1 - y)), And({put(REST, B=RATE)} <= e**2*{ERROR}, "
    f"{put(REST, B=RATE)} >= -e**2*{ERROR}))", (
        "-log(1 - x) > 0", "c > 0", "p*T <= -log(1 - x)", "T <= -log(1 - x)/p",
        ("Implies(v > 0, exp(-v) <= 1 - v + v**2/2)", {"v": "p*T"}), f"{first('T')} <= T**2/2",
        f"r*e*{first('T')} <= r*e*(T**2/2)", "k <= r*e*T**2/2", "exp(-log(1 - x)) == 1/(1 - x)",
        "x/(1 - x) == 1/(1 - x) - 1", used(NOT_LONG, z="-log(1 - x)"), "T < (g + 2)/p", "T**2 <= ((g + 2)/p)**2",
        "e*g*T/p <= e*g*((g + 2)/p)/p", "r*e*T**2/2 <= r*e*((g + 2)/p)**2/2", "e*T**2/2 <= e*((g + 2)/p)**2/2",
        f"{GAIN} <= e*({TOP}/p**2)", f"{GAIN} >= 0", used(TANGENT, u="x", v="y"), used(TANGENT, u="y", v="x"),
        f"x/(1 - x)**2*(x - y) >= {GAIN}", f"{GAIN} >= y/(1 - y)**2*(x - y)", "x/(1 - x)**2 > 0",
        ("Implies(And(q*l >= i, i >= 0, q > 0), l >= 0)", {"q": "x/(1 - x)**2", "l": "x - y", "i": GAIN}),
        used(EXPONENTS, z="-log(1 - x)"), f"{GAIN} >= y/(1 - y)*(-log(1 - x) - c)",
        ("Implies(And(f > 0, i <= w, i >= f*l), l <= w/f)",
         {"l": "-log(1 - x) - c", "f": "y/(1 - y)", "w": f"e*({TOP}/p**2)", "i": GAIN}, "",
         ("f*l <= w", "1/f*(f*l) <= 1/f*w")),
        ("e*(u/p**2)/(y/(1 - y)) == e*(u*(1 - y)/y)/p**2", {"u": TOP}),
        used(LENGTHS, z="-log(1 - x)", h="g + 2", v=FURTHER), used(FIRST_MOVES, t="c/p", m=MOVED),
        "exp(-p*(c/p)) == 1 - y",
        used(GAINS, h="(g + 2)/p", t="c/p", m=MOVED, i=first("T"), j="c/p/p - y/p**2"),
        f"{RATE} == (c/p)**2/2 + g*(c/p)/p + r*(c/p/p - y/p**2)",
        ("e*(e*u/p**3*(h/p + (g + r)/p) + r*e*(h/p)**4) == e**2*((u*(h + g + r) + r*h**4)/p**4)",
         {"u": APART, "h": "g + 2"}),
        used(BOTH_WAYS, G=GAIN, B=RATE, m=OFF, u=f"{TOP}/p**2", v=f"{FURTHER}/p**2")))
POSITIVE: General = (f"Implies(And(p > 0, g > 0, r >= 0, 0 < y, y < 1), {ERROR} > 0)", (
    f"{TOP} > 0", ("Implies(And(u > 0, 0 < y, y < 1), u*(1 - y)/y > 0)", {"u": TOP}), f"{APART} > 0",
    "r*(g + 2)**4 >= 0", f"{APART}*(2*g + 2 + r) > 0", f"{OFF} > 0", "(1 - y)**2/y > 0"))
RATIOS = {"g": "(p*w/a)", "r": "(b*n/a)", "c": "(-log(1 - y))"}
FAR = put(f"{put(REST, B=RATE)} <= e**2*{ERROR}, {put(REST, B=RATE)} >= -e**2*{ERROR}", x="q", **RATIOS)
SMALL = "p**2/(4*(1 + b*n/a))"
WHOLE: General = (
    f"Implies(And({GIVEN}, w > 0, e < {SMALL}, 0 < q, q < 1, 0 < y, y < 1, {psi('y')} == p*w/a, {cycle('q')} == "
    f"q*{SLOPE}), And({FAR}))", (
        used(SLOPES, q="q"), used(EXACT, x="q", T=LENGTH, g="p*w/a", v=SLOPE), used(NOT_LOST, u=LENGTH),
        used(SAVED, u=LENGTH), "p*w/a > 0", "b*n/a >= 0",
        ("Implies(And(a > 0, b >= 0, i >= 0, i <= n*e*h, i >= n*e*h - n*e**2*d**4/24), And(b/a*i >= 0, b/a*i <= "
         "b*n/a*e*h, b/a*i >= b*n/a*e*h - b*n/a*e**2*d**4/24))",
         {"i": saved(LENGTH), "h": first(LENGTH), "d": LENGTH}, "",
         ("b/a >= 0", "b/a*i <= b/a*(n*e*h)", "b/a*i >= b/a*(n*e*h - n*e**2*d**4/24)")),
        ("Implies(And(r >= 0, e < p**2/(4*(1 + r))), 4*e*(1 + r) <= p**2)", {"r": "b*n/a"}, "",
         ("4*(1 + r) > 0", "e*(4*(1 + r)) < p**2/(4*(1 + r))*(4*(1 + r))")),
        used(SECOND_ORDER, **RATIOS, x="q", T=LENGTH, k=f"(b/a*{saved(LENGTH)})")))
# at every eta: G > 0
ABOVE: General = (
    f"Implies(And({GIVEN}, w > 0, 0 < q, q < 1, 0 < y, y < 1, {psi('y')} == p*w/a, {cycle('q')} == q*{SLOPE}), q > "
    "y)", (
        used(SLOPES, q="q"), used(EXACT, x="q", T=LENGTH, g="p*w/a", v=SLOPE), used(NOT_LOST, u=LENGTH),
        "p*w/a > 0", ("Implies(And(a > 0, b >= 0, i >= 0), b/a*i >= 0)", {"i": saved(LENGTH)}),
        ("Implies(And(p > 0, e > 0, d > 0, g > 0, i >= 0, j == e*d**2/2 + e*g*d/p + i), j > 0)",
         {"d": LENGTH, "g": "p*w/a", "i": f"b/a*{saved(LENGTH)}", "j": f"{psi('q')} - p*w/a"}, "",
         ("e*d**2/2 > 0", "e*g*d/p > 0")),
        used(TANGENT, u="y", v="q"), "q/(1 - q)**2 > 0",
        ("Implies(And(j > 0, k > 0, -j >= k*l), l < 0)",
         {"j": f"{psi('q')} - p*w/a", "k": "q/(1 - q)**2", "l": "y - q"})))

# ---- in the claim's names ----

NAMES = {"a": "alpha_d", "p": "p0", "e": "eta", "b": "beta_d", "n": "N", "w": "alpha_p", "f": "beta_p", "m": "mu_L",
         "y": "theta0"}
CONSTANT, RADIUS = put(put(ERROR, **RATIOS), **NAMES), put(SMALL, **NAMES)
TERM = put(put(f"e*{RATE}*((1 - y)**2/y)", **RATIOS), **NAMES)
WITHIN = f"And(0 < eta, eta < {RADIUS})"
OPTIMUM = "th(eta)"


def expansion(term: str) -> dict[str, Any]:
    """With the claim's first-order term."""
    return {"primitives": {"s": ()}, "order": {"eta": (CONSTANT, RADIUS)}, "budget": 40.0, "lemmas": (
        used(AREAS, u="u"), used(NOT_LOST, u="u"), used(SAVED, u="u"), used(SECOND_ORDER, k="k"),
        f"Implies({WITHIN}, And(0 < {OPTIMUM}, {OPTIMUM} < 1, cyc({OPTIMUM}, eta) == {OPTIMUM}*At(diff(cyc(x, eta), "
        f"x), x, {OPTIMUM})))",
        (WHOLE[0], {**NAMES, "q": OPTIMUM}, WITHIN, WHOLE[1]), f"{term} == {TERM}",
        "p0*alpha_p/alpha_d > 0", "beta_d*N/alpha_d >= 0", f"{RADIUS} > 0",
        used(POSITIVE, **{x: put(t, **NAMES) for x, t in {"p": "p", "y": "y", **RATIOS}.items() if x != "c"}),
        ("Implies(And(l - d <= e**2*q, l - d >= -e**2*q, i == d), And(q*e**2 - (l - i) >= 0, q*e**2 + (l - i) >= 0))",
         {"l": f"{OPTIMUM} - theta0", "d": TERM, "e": "eta", "q": CONSTANT, "i": term}, WITHIN))}


FLUID: Mapping[str, Mapping[str, Any]] = {
    "eb.sec-3.2.2.higher.fluid": {"primitives": {"s": ()}, "lemmas": (
        used(AREAS, u="u"), used(NOT_LOST, u="u"), used(ABOVE, **NAMES, q="theta"))},
    "eb.thm-3.2.fluid": expansion("delta(theta0, eta)"),
    "eb.app-C.5.Dtheta": expansion(
        "-(C1(theta0) - theta0*At(diff(C1(x), x), x, theta0))/At(diff(C0(x) - x*diff(C0(x), x), x), x, theta0)*eta")}
