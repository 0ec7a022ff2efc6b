"""Lemmas on the way to the optimal number of idle slots: the throughput rises up to theta0 and falls beyond, so that
the optimum lies within one of theta0 N. They need no trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .optimum import BALANCE, BOTH_SIDES, CARRY, QUOTIENT, Entry, growth, psi, strict

ABOVE, BELOW = "And(theta0 <= x, x < y, y < 1)", "And(0 < x, x < y, y <= theta0)"
TOUCHING = "alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p"  # V's tangent goes through the origin
AT = {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0", "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x",
      "y": "y", "l": "log(1 - x)", "m": "log(1 - y)"}
POSITIVE = "Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)"
TOKENS = "beta_p*mu_L + beta_d/p0"


def fixed(x: str) -> str:
    """The fixed time of a cycle at the threshold x."""
    return f"(alpha_p - alpha_d/p0*log(1 - {x}))"


def positive(where: str, *places: str) -> Entry:
    return tuple((POSITIVE, {"x": x, "a": "alpha_d", "p": "p0", "A": "alpha_p"}, where) for x in places)


def rises(x: str, y: str, where: str) -> Entry:
    """From theta0 on the fixed time per request grows strictly with the threshold: V(x) <= x V'(x), as V's tangent at
    x lies below V(theta0) = theta0 V'(theta0), and V(y) > V(x) + (y - x) V'(x)."""
    return (f"Implies({ABOVE}, y*{fixed('x')} < x*{fixed('y')})", {"x": x, "y": y}, where, (
        TOUCHING, (QUOTIENT, {"a": "1 - theta0", "b": "1 - x"}, ABOVE),
        *strict("a/b", "Implies(And(0 < u, u < 1), log(u) < u - 1)", "<"),
        ("Implies(And(q > 0, 0 < t, t <= x, x < y, q*(t*d + n) == A, d <= e, n - l <= (x - t)*e, m - l < (x - y)*e), "
         "y*(A - q*l) < x*(A - q*m))", {**AT, "e": "1/(1 - x)"}, ABOVE, (
             "q*t*(e - d) >= 0", "A - q*l <= q*x*e", "A - q*m > A - q*l + q*(y - x)*e"))))


def falls(x: str, y: str, where: str) -> Entry:
    """Up to theta0 the fixed time per request falls strictly with the threshold: V(y) >= y V'(y), as V lies above its
    tangent at theta0, y V'(theta0), and V(x) > V(y) - (y - x) V'(y)."""
    return (f"Implies({BELOW}, y*{fixed('x')} > x*{fixed('y')})", {"x": x, "y": y}, where, (
        TOUCHING, (QUOTIENT, {"a": "1 - y", "b": "1 - theta0"}, BELOW),
        *strict("b/a", "Implies(u > 1, log(u) < u - 1)", ">"),
        ("Implies(And(q > 0, 0 < y, x < y, q*(t*d + n) == A, e <= d, m - n <= (t - y)*d, l - m < (y - x)*e), "
         "y*(A - q*l) > x*(A - q*m))", {**AT, "e": "1/(1 - y)"}, BELOW, (
             "q*y*(d - e) >= 0", "A - q*m >= q*y*e", "A - q*l > A - q*m - q*(y - x)*e"))))


def rate(side: str, x: str, y: str) -> Entry:
    """The throughput rises strictly up to theta0, and falls strictly from there on."""
    other, where, by = (">", BELOW, falls("x", "y", BELOW)) if side == "<" else ("<", ABOVE, rises("x", "y", ABOVE))
    return (f"Implies({where}, R(x) {side} R(y))", {"x": x, "y": y}, "", (
        f"Implies({ABOVE}, And(0 < x, 0 < y, x < 1))", by, f"{CARRY} >= 0", *positive(where, "x", "y"),
        ("Implies(And(0 < x, 0 < y, U > 0, V > 0, c >= 0, W == U + c*x, Z == V + c*y, "
         f"y*U {other} x*V), x/W {side} y/Z)",
         {"x": "x", "y": "y", "c": CARRY, "U": fixed("x"), "V": fixed("y"), "W": "T(x)", "Z": "T(y)"}, where)))


def better(j: str, k: str, side: str, where: str, place: str) -> Entry:
    """TP(j, N) is on that side of TP(k, N) where ``where`` holds, which gives the ``place`` of j/N and k/N."""
    x, y = f"({j})/N", f"({k})/N"
    other, slope = ("<", rises) if side == ">" else (">", falls)
    at = {"n": "N", "j": j, "k": k, "x": x, "y": y, "U": fixed(x), "V": fixed(y), "b": TOKENS}
    of_size = {v: at[v] for v in ("n", "j", "k", "x", "y", "U", "V")}
    of_rate = {v: at[v] for v in ("j", "k", "U", "V", "b")}
    return (f"Implies({where}, TP({j}, N) {side} TP({k}, N))", {}, "", (
        f"Implies({where}, {place})", slope(x, y, where),
        (f"Implies(And(n > 0, y*U {other} x*V, x == j/n, y == k/n), k*U {other} j*V)", of_size, where),
        *positive(where, x, y),
        f"{TOKENS} >= 0",
        (f"Implies(And(j > 0, k > 0, U > 0, V > 0, b >= 0, k*U {other} j*V), 1/(U/j + b) {side} 1/(V/k + b))",
         of_rate, where)))


def within_one(k: str) -> Entry:
    """If no number of idle slots is better than k, neither neighbour is, so k lies within one of theta0 N."""
    after, before = f"{k} >= theta0*N + 1", f"{k} <= theta0*N - 1"
    return ((f"{k} < theta0*N + 1", {}, "", (
                better(f"{k} - 1", k, ">", after,
                       f"And({k} - 1 >= 1, theta0 <= ({k} - 1)/N, ({k} - 1)/N < {k}/N, {k}/N < 1)"),
                f"Implies({after}, {k} - 1 >= 1)", f"Implies({after}, TP({k} - 1, N) <= TP({k}, N))")),
            (f"{k} > theta0*N - 1", {}, "", (
                better(k, f"{k} + 1", "<", before,
                       f"And({k} + 1 < N, 0 < {k}/N, {k}/N < ({k} + 1)/N, ({k} + 1)/N <= theta0)"),
                f"Implies({before}, {k} + 1 < N)", f"Implies({before}, TP({k} + 1, N) <= TP({k}, N))")),
            ("Implies(And(n > 0, k < t*n + 1, k > t*n - 1), And(k/n - t < 1/n, t - k/n < 1/n))",
             {"n": "N", "k": k, "t": "theta0"}))


def close(k: str) -> str:
    return f"And({k}/N - theta0 < 1/N, theta0 - {k}/N < 1/N)"


def optimal(premise: str, *more: str | Entry) -> Entry:
    """The same for k*, a function of N."""
    k = "kstar(N)"
    return (f"Implies({premise}, {close(k)})", {}, "",
            (f"And(1 <= {k}, {k} < N, floor({k}) == {k})", *more, *within_one(k)))


SLOTS, NEXT = "floor(theta0*N)", "(floor(theta0*N) + 1)"
WHOLE, BEFORE = "And(floor(N) == N, N >= 1)", "And(0 <= x, x <= theta0)"
AT_SLOTS = {"n": "N", "k": SLOTS, "x": f"{SLOTS}/N", "t": "theta0", "U": fixed(f"{SLOTS}/N"), "V": fixed("theta0"),
            "b": TOKENS, "C": f"cycle({SLOTS}/N, N)", "D": "cycle(theta0, N)"}
# the throughput at floor(theta0 N) against N R(theta0): at most 1, and at least floor(theta0 N)/(theta0 N)
ROUNDED: Entry = (
    f"And(-log(1 - theta0) > 0, {TOKENS} >= 0, {fixed('theta0')} > 0)",
    f"Implies({WHOLE}, And({SLOTS} >= 0, {SLOTS} <= theta0*N, {SLOTS} > theta0*N - 1))",
    ("Implies(And(n >= 1, k >= 0, k <= t*n), And(k/n >= 0, k/n <= t))", {v: AT_SLOTS[v] for v in "nkt"}, WHOLE),
    (f"Implies({BEFORE}, And({fixed('x')} > 0, {fixed('x')} <= {fixed('theta0')}, "
     f"theta0*{fixed('x')} >= x*{fixed('theta0')}))", {"x": AT_SLOTS["x"]}, WHOLE, (
         BALANCE, (QUOTIENT, {"a": "1 - x", "b": "1 - theta0"}, BEFORE),
         ("Implies(And(q > 0, y > 0, A == q*(y*d + m), l - m <= (y - x)*d), y*(A - q*l) >= x*(A - q*m))",
          {"q": "alpha_d/p0", "y": "theta0", "d": "1/(1 - theta0)", "m": "log(1 - theta0)", "A": "alpha_p",
           "l": "log(1 - x)", "x": "x"}, BEFORE, ("q*y*((y - x)*d - (l - m)) >= 0",)),
         ("Implies(And(0 <= x, x <= y, y < 1), And(-log(1 - x) >= 0, -log(1 - x) <= -log(1 - y)))",
          {"x": "x", "y": "theta0"}, BEFORE))),
    ("Implies(And(n > 0, x == k/n, t*U >= x*V), t*n*U >= k*V)", {v: AT_SLOTS[v] for v in "nkxtUV"}, WHOLE),
    ("Implies(And(n > 0, t > 0, k >= 0, k <= t*n, k > t*n - 1, U > 0, V > 0, U <= V, b >= 0, t*n*U >= k*V, "
     "C == U + b*k, D == V + b*(t*n)), And((k/C)/(t*n/D) - 1 <= 1/t/n, (k/C)/(t*n/D) - 1 >= -(1/t)/n))",
     {v: AT_SLOTS[v] for v in "nktUVbCD"}, WHOLE))
BEFORE_IT = "Implies(And(g < 0, g >= e*c, c > 0), e < 0)"
SIZE = "(beta_d/p0 + beta_p*mu_L)"
EXCESS = f"(theta*{fixed('theta0')} + theta0*{fixed('theta')})/(theta0*theta*{SIZE})"
NATURAL = "floor(N) == N, N >= 2"
INTEGER_OPTIMUM: Mapping[str, Mapping[str, Any]] = {
    "eb.sec-3.2.1.accurate.rounding": {"budget": 30, "lemmas": (
        (close("k"), {}, "", within_one("k")),
        ("Implies(And(a < b, -a < b), Abs(a) < b)", {"a": "k/N - theta0", "b": "1/N"}))},
    "eb.sec-3.2.1.accurate.limit": {"budget": 30, "rate": {"N": ("1", "2")}, "lemmas": (optimal(f"And({NATURAL})"),)},
    "eb.prop-3.1": {"budget": 30, "rate": {"N": ("1", "2")}, "lemmas": (
        optimal(f"And(0 <= theta0, theta0 <= 1, Psi(theta0) == p0*alpha_p/alpha_d, {NATURAL})",
                "theta0 < 1", (f"Implies(And(0 <= x, x < 1, {psi('x')} > 0), x > 0)", {"x": "theta0"}, "", (
                    "log(1 - x) <= -x", "x*(x/(1 - x)) > 0"))),)},
    "eb.lem-B.4.unimodal": {"budget": 20, "lemmas": (
        rate("<", "x", "y'"), rate(">", "z", "y'"),
        ("Implies(And(0 < theta, theta < 1, theta != theta0), R(theta) < R(theta0))", {}, "", (
            rate("<", "theta", "theta0"), rate(">", "theta0", "theta"), "Or(theta < theta0, theta > theta0)",
            "Implies(Or(theta < theta0, theta > theta0), R(theta) < R(theta0))")))},
    "eb.sec-3.1.neighbours": {"lemmas": (
        f"And({SLOTS} >= 1, {SLOTS} <= theta0*N, {NEXT} > theta0*N)",
        better("j", SLOTS, "<", f"j < {SLOTS}",
               f"And(j >= 1, {SLOTS} < N, 0 < j/N, j/N < {SLOTS}/N, {SLOTS}/N <= theta0)"),
        better(NEXT, "j", ">", f"j > {NEXT}", f"And({NEXT} >= 1, theta0 <= {NEXT}/N, {NEXT}/N < j/N, j/N < 1)"))},
    "eb.sec-3.1.decoupled.fluid": {"rate": {"N": ("1/theta0", "1")}, "lemmas": ROUNDED},
    "eb.sec-3.1.every-threshold": {"rate": {"N": (EXCESS, "1")}, "lemmas": (
        f"And({SIZE} > 0, -log(1 - theta) > 0, -log(1 - theta0) > 0, {fixed('theta')} > 0, {fixed('theta0')} > 0)",
        f"{EXCESS} > 0",
        ("Implies(And(n > 0, t > 0, z > 0, b > 0, s > 0, r > 0, C == b*n*t + s, D == b*n*z + r), "
         "And((t*n/C)/(z*n/D) - 1 <= (t*r + z*s)/(z*t*b)/n, (t*n/C)/(z*n/D) - 1 >= -(t*r + z*s)/(z*t*b)/n))",
         {"n": "N", "t": "theta", "z": "theta0", "b": SIZE, "s": fixed("theta"), "r": fixed("theta0"),
          "C": "cycle(theta, N)", "D": "cycle(theta0, N)"}))},
    "eb.sec-3.1.decoupled.differs": {"budget": 20, "lemmas": (
        ("floor(theta0*N) == 1", {}, "", (
            f"{psi('theta0')} == 1/4", f"{psi('1/2')} > 1/4", f"{psi('1/4')} < 1/4",
            BOTH_SIDES, *growth("1/2", "theta0"), *growth("theta0", "1/4"),
            (BEFORE_IT, {"g": f"{psi('theta0')} - ({psi('1/2')})", "e": "theta0 - 1/2",
                         "c": "1/2/((1 - 1/2)*(1 - theta0))"}),
            (BEFORE_IT, {"g": f"{psi('1/4')} - ({psi('theta0')})", "e": "1/4 - theta0",
                         "c": "theta0/((1 - theta0)*(1 - 1/4))"}),
            "And(theta0*N >= 1, theta0*N < 2)", "floor(theta0*N) >= 1", "floor(theta0*N) <= 1")),
        "And(2/N == 1/2, 1/N == 1/4)", "And(-log(1 - 2/N) < 3/4, -log(1 - 1/N) > 1/4)",
        "And(cycle(2/N) < 14, cycle(1/N) > 7)", "cycle(2/N) > 0",
        ("Implies(And(0 < c, c < 14, d > 7), 2/c > 1/d)", {"c": "cycle(2/N)", "d": "cycle(1/N)"}))},
}
