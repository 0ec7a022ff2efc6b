"""Lemma EC.1: the fluid model of the occupancy gate, for any number K of classes, from any start.

Functions of a class i and a time t. Conditions are said of every i >= 1, sums are over the first K: those beyond K are
copies of class 1, which no sum counts. A regular time is one at which all fluid coordinates, and what each class is
short of, are differentiable (l. 3676). As these are Lipschitz continuous, almost every time is regular, for which the
language has no word: G is a Lipschitz continuous function that has a derivative at regular times alone. Such a function
there is for every set of times of measure 0 (Zahorski, Bull. Soc. Math. France 74 (1946)), so that it restricts
nothing; it is the second part in the axiom, with weight 0.
"""

from __future__ import annotations

from qtheory.proofs.claims.axioms import DAI_WEISS, Theorem, Use
from qtheory.proofs.claims.cases import Model


def each(formula: str, more: str = "", i: str = "i") -> str:
    """The formula, of each class i for which ``more`` holds."""
    return f"ForAll({i}, And(Integer({i}), {i} >= 1{more}), {formula})"


def always(formula: str) -> str:
    """The formula, at each time."""
    return f"ForAll(t, t >= 0, {formula})"


def regular(formula: str, more: str = "") -> str:
    """The formula, at each regular time at which ``more`` holds."""
    return f"ForAll(t, And(t > 0, Abs(diff(G(t), t)) >= 0{more}), {formula})"


def lipschitz(change: str) -> str:
    """Of t and an earlier time s."""
    return always(f"ForAll(s, And(0 <= s, s <= t), {change})")


def at_most(value: str) -> str:
    """The value changes by no more than L times the time from s to t."""
    now, before = value.format("t"), value.format("s")
    return f"And({now} - {before} <= L*(t - s), {before} - {now} <= L*(t - s))"


AHEAD = ", (x(i, t) - xs(i))/xs(i) < (x(j, t) - xs(j))/xs(j)"
OWN = "a fact of slopes: of a function that is never negative, where it is 0"
SOURCES: dict[str, str] = {
    "x, q, dx, dq, du, gap, dgap, V, X, dV, dX, G, xs, qs, lam, mup, th in functions":
        "l. 717: x_i, q_{p,i}, their slopes and that of u_{p,i}; gap_i = max(0, x*_i - x_i) and its slope; V, the sum "
        "of gap_i, X, that of x_i, and their slopes; (40), l. 890: x*_i, q*_{p,i}, lambda_i, mu_{p,i} and theta_i",
    "Natural(K)": "l. 402: the number of classes i in I",
    "K >= 1": "l. 402: the number of classes i in I",
    "r > 0": "a name: the least of mu_{p,i} x*_i and theta_i q*_{p,i} over the K classes, which are positive",
    "L > 0": "a name: a Lipschitz constant",
    each("And(xs(i) > 0, qs(i) > 0, mup(i) > 0, th(i) > 0, lam(i) - th(i)*qs(i) == mup(i)*xs(i), mup(i)*xs(i) >= r, "
         "th(i)*qs(i) >= r)"):
        "(40), l. 890; l. 985: x*_i > 0, as the index divides by it; l. 3050: q*_{p,i} > 0; l. 402: rates; l. 3314: "
        "theta_i > 0 for all i; of every i >= 1 here and below: classes beyond K are copies of class 1, in no sum",
    lipschitz(each(at_most("x(i, {})"))): "l. 3328: the Lipschitz property of the fluid processes",
    lipschitz(at_most("G({})")): "l. 3676: G has a derivative at regular times alone; there is such a function, as "
                                 "almost every time is regular (Zahorski)",
    always(each("q(i, t) >= 0")): "l. 717: queue contents",
    "mixed == Sum(xs(j), (j, 1, K))": "l. 964: the share of mixed GPUs",
    always("X(t) <= mixed"): "l. 974 and 980: prefills run on mixed GPUs alone, one on each",
    always(each("gap(i, t) == Max(0, xs(i) - x(i, t))")): "a definition",
    always("And(V(t) == Sum(gap(j, t), (j, 1, K)), X(t) == Sum(x(j, t), (j, 1, K)))"): "definitions; x(t), l. 755",
    regular(each("And(diff(x(i, t), t) == dx(i, t), diff(q(i, t), t) == dq(i, t), diff(gap(i, t), t) == dgap(i, t))")):
        "l. 3676: a regular time, at which all fluid coordinates are differentiable, and names for their slopes",
    regular("And(diff(V(t), t) == dV(t), dV(t) == Sum(dgap(j, t), (j, 1, K)), diff(X(t), t) == dX(t), dX(t) == "
            "Sum(dx(j, t), (j, 1, K)))"): "names; the slope of a sum is the sum of the slopes",
    regular(each("And(dx(i, t) == du(i, t) - mup(i)*x(i, t), dq(i, t) == lam(i) - du(i, t) - th(i)*q(i, t))")):
        "(24) and (25), l. 707, with (29) to (31), at a regular time",
    regular(each("dgap(i, t) == -dx(i, t)", ", x(i, t) < xs(i)")): "a fact of slopes: gap_i = x*_i - x_i around t",
    regular(each("dgap(i, t) == 0", ", x(i, t) >= xs(i)")): OWN,
    regular(each("dq(i, t) == 0", ", q(i, t) == 0")): OWN,
    regular("dX(t) == 0", ", X(t) == mixed"):
        "a fact of slopes: of a function that never exceeds a number, where it has this value",
    always(each("q(i, t)*(mixed - X(t)) == 0")): "l. 980-984: while a class waits, no reserved slot is idle",
    regular(each(each("q(i, t)*du(j, t) == 0", AHEAD, "j"))):
        "l. 984-995: while class i waits, none with a larger deviation index is admitted",
}


def gated() -> Theorem:
    terms = {"load(t)": "V(t)", "growth": "0", "pace": "K*L", "rate": "r", "part1(t)": "V(t)", "weight1": "1",
             "part2(t)": "G(t)", "weight2": "0"}
    goal = f"And(t_0 >= 0, ForAll(t, t >= t_0, {each('x(i, t) <= xs(i)', ', i <= K')}))"
    return Theorem(tuple(SOURCES), ("K", "r", "L", "mixed"), (Use(DAI_WEISS.name, terms),), ("t_0 = V(0)/r",), goal)


GATED = Model(gated(), sources=SOURCES, budget=60)
