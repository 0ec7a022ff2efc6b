"""Lemmas on the way to the optimal threshold: the throughput's rise, fall and maximum. They need no trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Entry = tuple[Any, ...]


def psi(x: str) -> str:
    return f"({x})/(1 - ({x})) + log(1 - ({x}))"


UNIT = "And(0 < theta, theta < 1)"
PAIR = "And(0 < x, x < 1, 0 < y, y < 1)"
ORDERED = "And(0 < x, x < y, y < 1)"
QUOTIENT = "Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))"
BALANCE = f"alpha_d/p0*({psi('theta0')}) == alpha_p"
CARRY = "beta_d*N/p0 + beta_p*N*mu_L"
COST = f"alpha_d/(p0*(1 - theta0)) + {CARRY}"
CARRY2 = "beta_d2*N2/q0 + beta_p2*N2*mu_L2"
K, J = "k/N", "j/N"
FIXED = {s: f"alpha_p - alpha_d/p0*log(1 - {s})" for s in (K, J)}
SIZES = {"n": "N", "k": "k", "j": "j", "U": FIXED[K], "V": FIXED[J], "c": "beta_d/p0 + beta_p*mu_L"}
AT = {"q": "alpha_d/p0", "g": psi("theta0"), "A": "alpha_p", "x": K, "y": J, "u": f"-log(1 - {J})",
      "v": f"log(1 - {K})"}


def tangent(*where: str) -> Entry:
    """The tangent of T at theta0 passes through the origin and lies below T."""
    return ((QUOTIENT, {"a": "1 - theta", "b": "1 - theta0"}, *where),
            ("Implies(And(0 < x, x < 1), -log(1 - x) > 0)", {"x": "theta"}, *where),
            BALANCE,
            ("Implies(And(q > 0, q*g == A, z + g >= x*r), q*x*r <= q*z + A)",
             {"q": "alpha_d/p0", "g": psi("theta0"), "A": "alpha_p", "z": "-log(1 - theta)", "x": "theta",
              "r": "1/(1 - theta0)"}, *where),
            "And(beta_d*N/p0 >= 0, beta_p*N*mu_L >= 0)")


def not_above(x: str, y: str) -> Entry:
    """Psi(x) <= Psi(y) for x <= y."""
    return ((QUOTIENT, {"a": "1 - x", "b": "1 - y"}, "And(0 < x, x <= y, y < 1)"),
            (f"Implies(And(0 < x, x <= y, y < 1), {psi('x')} <= {psi('y')})", {"x": x, "y": y}))


def strict(quotient: str, tangent: str, side: str) -> Entry:
    """The strict tangent of log at the quotient of 1 - x and 1 - y, one way or the other."""
    top, bottom = quotient.split("/")
    return ((tangent, {"u": quotient}, "And(0 < a, a < b)"),
            (f"Implies(And(0 < a, a < b), And({quotient} {side} 1, {quotient} > 0, "
             f"log({quotient}) == log({top}) - log({bottom})))", {"a": "a", "b": "b"}),
            (f"Implies(And(0 < a, a < b), log({top}) - log({bottom}) < {quotient} - 1)",
             {"a": "1 - y", "b": "1 - x"}, ORDERED))


CHORD = "-x*log(1 - y) + y*log(1 - x)"
STEEP = (*strict("a/b", "Implies(And(0 < u, u < 1), log(u) < u - 1)", "<"),
         (f"Implies({ORDERED}, {CHORD} > (y - x)*({psi('x')}))", {"x": K, "y": J}))
FLAT = (*strict("b/a", "Implies(u > 1, log(u) < u - 1)", ">"),
        (f"Implies({ORDERED}, {CHORD} < (y - x)*({psi('y')}))", {"x": K, "y": J}))


BOTH_SIDES = (QUOTIENT, {"a": "1 - x", "b": "1 - y"}, PAIR)


def growth(x: str, y: str) -> Entry:
    return ((f"Implies({PAIR}, {psi('y')} - ({psi('x')}) >= (y - x)*x/((1 - x)*(1 - y)))", {"x": x, "y": y}),)


def root(cycle: str, p: str, alpha: tuple[str, str], carry: str, x: str) -> Entry:
    """From T(x) = x T'(x) to Psi(x) = p alpha_p/alpha_d."""
    decode, prefill = alpha
    return (f"{cycle}({x}) == {x}*({decode}/({p}*(1 - {x})) + {carry})",
            ("Implies(And(p > 0, a > 0, x < 1, -a*log(1 - x)/p + A + c*x == x*(a/(p*(1 - x)) + c)), "
             f"{psi('x')} == p*A/a)", {"p": p, "a": decode, "A": prefill, "c": carry, "x": x}))


def not_beyond(x: str, y: str) -> Entry:
    return (("Implies(And(d > 0, x > 0, 0 >= e*x/d), e <= 0)",
             {"d": f"(1 - {x})*(1 - {y})", "x": x, "e": f"{y} - {x}"}),)


SAME_ROOT: Entry = (
    BOTH_SIDES, *growth("theta", "phi"), *growth("phi", "theta"),
    *root("T", "p0", ("alpha_d", "alpha_p"), f"({CARRY})", "theta"),
    *root("T2", "q0", ("alpha_d2", "alpha_p2"), f"({CARRY2})", "phi"),
    ("Implies(And(u == A, v == B, A == B), u == v)",
     {"u": psi("theta"), "v": psi("phi"), "A": "p0*alpha_p/alpha_d", "B": "q0*alpha_p2/alpha_d2"}),
    "And((1 - theta)*(1 - phi) > 0, (1 - phi)*(1 - theta) > 0)",
    *not_beyond("theta", "phi"), *not_beyond("phi", "theta"),
    ("Implies(And(x - y <= 0, y - x <= 0), x == y)", {"x": "theta", "y": "phi"}))
GAP, SQUARE = f"{psi('phi')} - ({psi('theta')})", "theta**2/(1 - theta)"

OPTIMUM: Mapping[str, Mapping[str, Any]] = {
    "eb.lem-B.4.cost": {"lemmas": (*tangent(), ("Implies(And(s > 0, U > 0, x > 0, x*s <= U), x/U <= 1/s)",
                                              {"x": "theta", "s": COST, "U": "T(theta)"}))},
    "eb.lem-B.4": {"lemmas": (*tangent(UNIT), f"theta0*({COST}) == T(theta0)", (
        "Implies(And(s > 0, U > 0, x > 0, x*s <= U, t > 0, V == t*s), x/U <= t/V)",
        {"x": "theta", "s": COST, "U": "T(theta)", "t": "theta0", "V": "T(theta0)"}, UNIT))},
    "eb.sec-3.1.large-k.backlog.corrected": {"lemmas": (
        f"And(0 < {K}, {K} < {J}, {J} < 1, theta0 <= {K})", BALANCE, *not_above("theta0", K), *STEEP,
        ("Implies(And(q > 0, q*g == A, x < y, g <= P, x*u + y*v > (y - x)*P), y*(A - q*v) < x*(A + q*u))",
         {**AT, "P": psi(K)}),
        ("Implies(And(n > 0, k > 0, j > 0, m > 0, j/n*U < k/n*V), m/k*(U + c*k) < m/j*(V + c*j))",
         {**SIZES, "m": "m"}))},
    "eb.sec-3.1.small-k.throughput.corrected": {"lemmas": (
        f"And(0 < {K}, {K} < {J}, {J} < 1, theta0 >= {J})", BALANCE, *not_above(J, "theta0"), *FLAT,
        ("Implies(And(q > 0, q*g == A, x < y, P <= g, x*u + y*v < (y - x)*P), y*(A - q*v) > x*(A + q*u))",
         {**AT, "P": psi(J)}),
        f"And(-log(1 - {K}) > 0, -log(1 - {J}) > 0)",
        *(("Implies(And(a > 0, p > 0, l > 0, A > 0), A + a/p*l > 0)",
           {"a": "alpha_d", "p": "p0", "l": f"-log(1 - {s})", "A": "alpha_p"}) for s in (K, J)),
        "And(beta_d/p0 >= 0, beta_p*mu_L >= 0)",
        ("Implies(And(n > 0, k > 0, j > 0, U > 0, V > 0, c >= 0, W == U + c*k, Z == V + c*j, j/n*U > k/n*V), "
         "k/W < j/Z)", {**SIZES, "W": "cycle(k/N)", "Z": "cycle(j/N)"}))},
    "eb.cor-B.3": {"lemmas": SAME_ROOT},
    "eb.prop-3.1.independent": {"lemmas": SAME_ROOT},
    "eb.app-B.3.source-4-impact": {"lemmas": (
        ("Implies(And(0 < p, p <= 1/100), And(-log(1 - p) <= p + 3*p**2/5, -log(1 - p) > p))", {"p": "p0"}),
        (f"Implies(And(0 < x, x < 1), {psi('x')} <= x**2/(1 - x))", {"x": "theta"}),
        "alpha_p/alpha_d > 0",
        ("Implies(And(r > 0, p > 0, p <= 1/100, l > p, l <= p + 3*p**2/5, u == p*r, v == l*r), "
         "And(v > u, v - u <= 6/1000*u))",
         {"r": "alpha_p/alpha_d", "p": "p0", "l": "-log(1 - p0)", "u": psi("theta"), "v": psi("phi")}),
        "And((1 - theta)*(1 - phi) > 0, (1 - phi)*(1 - theta) > 0)",
        BOTH_SIDES, *growth("phi", "theta"),
        ("Implies(And(d > 0, y > 0, 0 > e*y/d), e < 0)",
         {"d": "(1 - phi)*(1 - theta)", "y": "phi", "e": "theta - phi"}),
        *growth("theta", "phi"),
        ("Implies(And(w <= 6/1000*s, s <= a, w >= b), b <= 6/1000*a)",
         {"w": GAP, "s": psi("theta"), "a": SQUARE, "b": "(phi - theta)*theta/((1 - theta)*(1 - phi))"}),
        ("Implies(And(x > 0, c > 0, d > 0, e*x/(c*d) <= 6/1000*(x**2/c)), e <= 6/1000*x*d)",
         {"x": "theta", "c": "1 - theta", "d": "1 - phi", "e": "phi - theta"}),
        ("Implies(And(0 < x, 0 < y, y < 1, e <= 6/1000*x*(1 - y)), e < 1/100*x)",
         {"x": "theta", "y": "phi", "e": "phi - theta"}),
        ("Implies(And(e > 0, e < b), Abs(e) < b)", {"e": "phi - theta", "b": "1/100*theta"}))},
}
