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

BETWEEN = "And(theta0 < zeta(theta0), zeta(theta0) < theta0/(1 - theta0))"
POSITIVE_TERMS = (
    BETWEEN, ("Implies(And(0 < x, x < z, z < y), z*(y - z/2) > 0)",
              {"x": "theta0", "z": "zeta(theta0)", "y": "theta0/(1 - theta0)"}),
    "beta_d*N/alpha_d*(zeta(theta0) - theta0) >= 0", "eta*(1 - theta0)**2/(p0**2*theta0) > 0",
    ("Implies(And(c > 0, a > 0, b >= 0), c*(a + b) > 0)",
     {"c": "eta*(1 - theta0)**2/(p0**2*theta0)", "a": "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)",
      "b": "beta_d*N/alpha_d*(zeta(theta0) - theta0)"}))
# the slope of the phase's duration: 1/((1 - theta) h), h = sqrt(p0^2 + 2 eta zeta) > p0
H = "sqrt(p0**2 + 2*eta*zeta(theta))"
FASTER = (ZETA, f"{H} > p0", f"diff(dur(theta, eta), theta) == 1/((1 - theta)*{H})",
          "diff(zeta(theta)/p0, theta) == 1/((1 - theta)*p0)",
          ("Implies(And(u > 0, p > 0, h > p), 1/(u*h) < 1/(u*p))", {"u": "1 - theta", "h": H, "p": "p0"}))
SOLVED = (ZETA, duration(), f"{H} == p0 + eta*dur(theta, eta)",
          f"diff(dur(theta, eta), theta) == 1/((1 - theta)*{H})")
WITHIN = "And(0 < eta, eta < r)"
FIRST_T = "zeta(theta)/p0 - eta*zeta(theta)**2/(2*p0**3)"
FIRST_I = "N*theta/p0 + eta*N/p0**3*((1 - theta)*zeta(theta) - theta)"
SUBSTITUTED = {"order": {"eta": ("alpha_d*c1 + beta_d*c2", "r")}, "lemmas": (
    ("Implies(And(a > 0, b >= 0, x <= c*s, x >= -c*s, y <= d*s, y >= -d*s), "
     "And(a*x + b*y <= (a*c + b*d)*s, a*x + b*y >= -(a*c + b*d)*s))",
     {"a": "alpha_d", "b": "beta_d", "c": "c1", "d": "c2", "s": "eta**2", "x": f"D(eta) - ({FIRST_T})",
      "y": f"C(eta) - ({FIRST_I})"}, WITHIN),)}


def quotient(e: str, w: str, a: str, b: str, c: str) -> tuple[Any, ...]:
    """The difference quotient from the expansion."""
    return ("Implies(And(e > 0, w - a - e*b <= c*e**2, w - a - e*b >= -c*e**2), And((w - a)/e - b <= c*e, "
            "(w - a)/e - b >= -c*e))", {"w": w, "a": a, "b": b, "c": c, "e": e}, f"And(0 < {e}, {e} < 1)")


def area(p: str, e: str, n: str, d: str) -> str:
    """I of C.3 for a phase of d iterations."""
    return f"Integral({n}*exp(-{p}*s - {e}*s**2/2), (s, 0, {d}))"


LASTS = "dur(theta, eta)"
AREA = area("p", "e", "n", "d")
# the area is below that of CFR over the same time, which is shorter than the phase of CFR
SMALLER = {"primitives": {"s": ("-n*exp(-p*s)/p",)}, "lemmas": (
    ZETA, duration(), ("Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), -p*t > -z)",
                       {"p": "p0", "e": "eta", "t": LASTS, "z": "zeta(theta)"}),
    ("Implies(a > b, exp(a) > exp(b))", {"a": f"-p0*{LASTS}", "b": "log(1 - theta)"}),
    "exp(log(1 - theta)) == 1 - theta",
    (f"Implies(And(n > 0, p > 0, e > 0, d > 0), {AREA} <= n/p*(1 - exp(-p*d)))",
     {"n": "N", "p": "p0", "e": "eta", "d": LASTS}),
    ("Implies(And(n > 0, p > 0, x > 1 - t, i <= n/p*(1 - x)), i < n*t/p)",
     {"n": "N", "p": "p0", "t": "theta", "x": f"exp(-p0*{LASTS})", "i": "cum(theta, eta)"}))}


def positive_area(x: str, *where: str) -> tuple[Any, ...]:
    return (f"Implies(And(p > 0, e > 0, n > 0, d > 0), {AREA} >= 0)",
            {"p": "p0", "e": "eta", "n": "N", "d": f"dur({x}, eta)"}, *where)


def bounded(x: str) -> tuple[Any, ...]:
    """The rate lies between 0 and x/alpha_p: the cycle is longer than alpha_p."""
    within = f"And(0 < {x}, {x} < 1)"
    return (f"Implies({within}, zeta({x}) > 0)",
            (f"Implies(And(p > 0, e > 0, z > 0), {ROOT} > 0)", {"p": "p0", "e": "eta", "z": f"zeta({x})"}, within),
            positive_area(x, within),
            f"Implies({within}, cyc({x}, eta) > alpha_p)",
            ("Implies(And(0 < x, x < 1, a > 0, c > a), And(0 < x/c, x/c < x/a, x/c < 1/a))",
             {"x": x, "a": "alpha_p", "c": f"cyc({x}, eta)"}, within),
            f"ForAll({x}, {within}, And(0 < R({x}), R({x}) < {x}/alpha_p, R({x}) < 1/alpha_p))")


CYCLE = (*SOLVED, positive_area("theta"), "alpha_d*dur(theta, eta) > 0", "cyc(theta, eta) > 0")
RATE = "diff(theta/cyc(theta, eta), theta)"
RESIDUAL = "cyc(theta, eta) - theta*At(diff(cyc(x, eta), x), x, theta)"

HINTS: Mapping[str, Mapping[str, Any]] = {
    "eb.eq-18.reduces": SMALLER,
    "eb.app-C.7.decay": SMALLER,
    "eb.lem-C.2.boundary": {"rate": {"x": ("1/alpha_p", "1")}, "primitives": {"s": ()},
                            "lemmas": (*bounded("x"), *bounded("y"))},
    "eb.lem-C.2.local-0": {"lemmas": (  # the cycle time lies above its tangent at theta0
        ("Implies(And(u > 0, u != 1), log(u) < u - 1)", {"u": "(1 - x)/(1 - theta0)"}, "And(0 < x, x < 1)"),
        "Implies(And(0 < x, x < 1), log((1 - x)/(1 - theta0)) == log(1 - x) - log(1 - theta0))",
        "Implies(And(0 < x, x < 1, x != theta0), (1 - x)/(1 - theta0) != 1)",
        "Implies(And(0 < x, x < 1, x != theta0), log(1 - theta0) - log(1 - x) > (x - theta0)/(1 - theta0))",
        ("Implies(And(p > 0, a > 0, 0 < y, y < 1, g == p*k/a, y/(1 - y) + m == g, m - l > (x - y)/(1 - y)), "
         "y*(k - a*l/p) > x*(k - a*m/p))",
         {"p": "p0", "a": "alpha_d", "k": "alpha_p", "y": "theta0", "g": "p0*alpha_p/alpha_d", "m": "log(1 - theta0)",
          "l": "log(1 - x)", "x": "x"}, "And(0 < x, x < 1)"),
        "C0(theta0) > 0", "Implies(And(0 < x, x < 1), C0(x) > 0)",
        ("Implies(And(0 < x, x < 1, u > 0, v > 0, y*u > x*v), x/u < y/v)",
         {"y": "theta0", "u": "C0(x)", "v": "C0(theta0)", "x": "x"}, "And(0 < x, x < 1)"))},
    "eb.sec-3.2.2.higher.no-token-cost": {"lemmas": (
        "zeta(theta) < theta/(1 - theta)",
        ("Implies(And(a > 0, p > 0, e > 0, t > 0, a*t + c == a*(y/(p + e*t)), p*t + e*t**2/2 == z, z < y), "
         "y - z > p*c/a)", {"p": "p0", "e": "eta", "t": "T", "a": "alpha_d", "c": "alpha_p", "z": "zeta(theta)",
                            "y": "theta/(1 - theta)"}),
        "Psi(theta) > Psi(theta0)",
        ("Implies(And(0 < a, a <= b, b < 1), Psi(a) <= Psi(b))", {"a": "theta", "b": "theta0"}))},
    "eb.thm-3.2.kept-ages.slopes": {"lemmas": ("And(0 < exp(-x), exp(-x) < 1)",)},
    "eb.thm-3.2.kept-ages.corrected": {"lemmas": (
        "And(0 < exp(-x), exp(-x) < 1)", "exp(-2*x) == exp(-x)**2",
        ("Implies(And(0 < q, q < 1), x**2*q*(1 + q)/(2*(1 - q)**3)*(1 - q)**2 + q*(x**2*q*(1 + q)/(2*(1 - q)**3) + "
         "(1 - q)/q*(q*(2*x*(1 + q) - x**2*(1 + 2*q))/(2*(1 - q)**3) - 3*x**2*q**2*(1 + q)/(2*(1 - q)**4)))*(1 - q) "
         "== q*x*(2*(1 - q**2) - x*q*(3 + q))/(2*(1 - q)**2))", {"q": "exp(-x)"}))},
    "eb.sec-3.2.2.higher.corrected": {"lemmas": (
        "zeta(theta0) > 0", ("Implies(x > 0, slope(x) > 0)", {"x": "zeta(theta0)"}))},
    "eb.sec-3.2.2.rho.formula": {"lemmas": (
        BETWEEN, "eta*(1 - theta0)**2/(p0**2*theta0)*beta_d/alpha_d*(zeta(theta0) - theta0) > 0")},
    "eb.app-C.7.rho.every-threshold.corrected": {"lemmas": (
        "And(x < zeta(x), zeta(x) < x/(1 - x))", "2*(zeta(x) - x) > x*zeta(x) - (1 - x)*zeta(x)**2/2",
        "2/(1 - x)*(zeta(x) - x) > zeta(x)*(x/(1 - x) - zeta(x)/2)",
        "r*(zeta(x) - x) >= 2/(1 - x)*(zeta(x) - x)")},
    "eb.app-C.5.Phi.no-token-cost": {"lemmas": (*SOLVED, "alpha_d*dur(theta, eta) > 0", "cyd(theta, eta) > 0")},
    "eb.app-C.7.rho.large": {"witness": {
        "r": "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)/(zeta(theta0) - theta0)"}, "lemmas": (
        BETWEEN, POSITIVE_TERMS[1], ("Implies(And(c > 0, s > t/c), s*c > t)", {
            "c": "zeta(theta0) - theta0", "t": "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)"}))},
    "eb.lem-C.2.convex": {"lemmas": (ZETA, f"{H} > p0", f"{H}**2 > eta")},
    "eb.lem-C.2.boundary.no-token-cost": {"lemmas": (
        ZETA, duration(), "beta_p*N*mu_L*theta >= 0", "alpha_d*dur(theta, eta) > 0")},
    "eb.lem-C.2.global.inference": {"point": {"y": "9/10"}},
    "eb.app-C.7.rho.every-threshold": {"point": {"r": "10", "x": "19/20"}},
    "eb.app-C.4.T": {"primitives": {"s": ()}, "lemmas": SOLVED[:2]},
    "eb.app-C.5.Phi": {"primitives": {"s": ()}, "lemmas": (
        *CYCLE, f"{RATE} == ({RESIDUAL})/cyc(theta, eta)**2",
        ("Implies(And(c > 0, d == g/c**2, d == 0), g == 0)", {"c": "cyc(theta, eta)", "d": RATE, "g": RESIDUAL}))},
    "eb.app-C.4.substituted": SUBSTITUTED,
    "eb.eq-19": SUBSTITUTED,
    "eb.app-C.5.T-eta": {"rate": {"eta": ("c1", "1"), "e": ("theta*c2", "1")}, "lemmas": (
        quotient("eta", "W(eta)", "C0(theta)", "C1(theta)", "c1"), quotient("e", "V(e)", "C0p", "C1p", "c2"))},
    "eb.app-C.5.Phi-eta": {"rate": {"eta": ("c1 + theta*c2", "1")}, "lemmas": (
        quotient("eta", "W(eta)", "C0(theta)", "C1(theta)", "c1"), quotient("eta", "V(eta)", "C0p", "C1p", "c2"))},
    "eb.prop-C.1": {"lemmas": POSITIVE_TERMS},
    "eb.prop-C.1.conclusion": {"lemmas": POSITIVE_TERMS},
    "eb.thm-3.2.positive": {"lemmas": POSITIVE_TERMS},
    "eb.app-C.7.duration.cfr": {"lemmas": (
        ("Implies(And(p > 0, e > 0, t > 0, t < s, p*t + e*t**2/2 == a, p*s + e*s**2/2 == b), s - t < b/p - a/p)",
         {"p": "p0", "e": "eta", "t": "T", "s": "S", "a": "zeta(theta)", "b": "zeta(phi)"}),)},
    "eb.sec-3.2.2.waiting-cost": {"lemmas": (
        *FASTER, ("Implies(And(c > 0, a < b), c*a < c*b)",
                  {"c": "alpha_d + beta_d*N*(1 - theta)", "a": "diff(dur(theta, eta), theta)",
                   "b": "diff(zeta(theta)/p0, theta)"}))},
    "eb.sec-3.2.2.differs.formula": {"witness": {
        "n": "alpha_d*p0**2*theta0/(beta_d*eta*(1 - theta0)*(zeta(theta0) - theta0))"}, "lemmas": (
        BETWEEN, ("Implies(And(0 < x, x < z, z < y), z*(y - z/2) > 0)",
                  {"x": "theta0", "z": "zeta(theta0)", "y": "theta0/(1 - theta0)"}))},
    "eb.app-C.1.log": {"lemmas": (
        "exp(-p0*t - eta*t**2/2) > 0",
        ("Implies(And(N > 0, x > 0), log(N*x) == log(N) + log(x))", {"x": "exp(-p0*t - eta*t**2/2)", "N": "N"}))},
    "eb.app-C.2.stop": {"lemmas": ("exp(-p0*T - eta*T**2/2) == 1 - theta",)},
    "eb.app-C.2.xi": {"lemmas": (
        ZETA, "sqrt(p0**2 + 2*eta*zeta(theta))**2 == p0**2*sqrt(1 + 2*xi(theta))**2",
        ("Implies(And(p > 0, s > 0, r > 0, s**2 == p**2*r**2), s == p*r)",
         {"p": "p0", "s": "sqrt(p0**2 + 2*eta*zeta(theta))", "r": "sqrt(1 + 2*xi(theta))"}))},
    "eb.app-C.2.sqrt": {"order": {"xi": ("1/2", "1"), "x": ("1/2", "1")}, "lemmas": (
        (SQRT, {"x": "xi"}, "xi > 0", (), ("x", "0")), (SQRT, {}, "", (), ("x", "0")))},
    "eb.eq-17": {"order": {"eta": ("zeta(theta)**3/(2*p0**5)", "1")}, "lemmas": (
        ZETA, duration(where=NEAR_0),
        (SERIES, {"p": "p0", "e": "eta", "t": "dur(theta, eta)", "z": "zeta(theta)"}, NEAR_0))},
    "eb.eq-18.small-theta": {"order": {"theta": ("1", "1/2"), "x": ("1", "1/2"), "y": ("1", "1/2")}},
    "eb.eq-17.T1": {"lemmas": (
        ZETA, duration(), (SERIES, {"p": "p0", "e": "eta", "t": "dur(theta, eta)", "z": "zeta(theta)"}))},
}
