"""Theorem 1 by the strong law: what arrives, the work that it brings, and the pending requests, on almost every path.

n is a time, in units of any length: a(l) requests arrive in the l-th unit, A(n) by time n; w(l) is the sum of the
effective completion times of those that arrive in the l-th unit; v(j) is that of request j.
"""

from __future__ import annotations

from dataclasses import replace

from qtheory.proofs.claims.axioms import Theorem, Use
from qtheory.proofs.claims.cases import Model


def units(formula: str) -> str:
    """In each unit of time, or of each request."""
    return f"ForAll(n, And(Integer(n), n >= 1), {formula})"


def near(term: str, value: str) -> str:
    """term/n tends to the value, as n does to infinity."""
    return (f"ForAll(e, e > 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), And({term} >= ({value} - e)*n, "
            f"{term} <= ({value} + e)*n))))")


BOUND = units("Tmax*Q(n) >= Sum(w(l)/r, (l, 1, n)) - n")
OVER, HALF = "lam*Tbar > r", "2*alpha == (lam*Tbar/r - 1)/Tmax"
SOURCES = {
    "a in functions": "l. 573: the arrivals in each unit of time", "v in functions": "l. 577: T_*^R(j)",
    "w in functions": "l. 577: sums of T_*^R(j), a unit of time",
    "Q, w in functions": "l. 289: a path of the pending requests; l. 577: sums of the effective times, a unit of time",
    "lam > 0": "Th. 1, l. 257: a rate", "Tbar > 0": "Th. 1, l. 287: a mean time", "r >= 1": "Sec. 3, l. 156: r nodes",
    "Tmax > 0": "(13), l. 549: a time", OVER: "Th. 1, l. 289", HALF: "a definition: half of what the proof has",
    BOUND: "Lemma 1, l. 555, times T^max, with the effective times of rad.prop-1.corrected: rad.lem-1.corrected"}


def along(where: tuple[str, ...], parameters: tuple[str, ...], use: Use, goal: str, *let: str) -> Model:
    return Model(Theorem(where, parameters, (use,), let, goal), sources={w: SOURCES[w] for w in where}, budget=60)


def times(draw: str, mean: str, iid: str, why: str) -> Use:
    return Use("strong-law", {"draw(l)": draw, "mean": mean}, {"iid": iid, "mean": why})


WORKS = times("w(l)", "lam*Tbar",
              "the sums of the effective times of the requests that arrive in a unit of time, l. 573 and 577: a "
              "Poisson point process, and lengths that are i.i.d. across requests",
              "lambda requests in the mean, independent of their lengths, of T^R each in the mean: (12), l. 523, and "
              "l. 287")
ARRIVALS = along(("a in functions", "lam > 0"), ("lam",), times(
    "a(l)", "lam", "the numbers of arrivals in the units of time, l. 573: a Poisson point process",
    "l. 257: its rate, lambda"), near("A(n)", "lam"), "A(n) = Sum(a(l), (l, 1, n))")
WORK = along(("w in functions", "lam > 0", "Tbar > 0"), ("lam", "Tbar"), WORKS,
             near("Sum(w(l), (l, 1, n))", "lam*Tbar"))
MEAN = along(("v in functions", "Tbar > 0", "r >= 1"), ("Tbar", "r"), times(
    "v(l)/r", "Tbar/r", "T_*^R(j)/r, functions of the lengths of request j, l. 537: i.i.d. across requests",
    "Th. 1, l. 287, and (12), l. 523: rad.eq-12, means taken"), near("Sum(v(l)/r, (l, 1, n))", "Tbar/r"))
OVERLOAD = along(
    ("Q, w in functions", "lam > 0", "Tbar > 0", "r >= 1", "Tmax > 0", OVER, HALF, BOUND),
    ("lam", "Tbar", "r", "Tmax", "alpha"), replace(WORKS, terms={"draw(l)": "w(l)/r", "mean": "lam*Tbar/r"}),
    "ForAll(h, h >= 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), And(alpha > 0, Q(n) > alpha*n + h))))")
