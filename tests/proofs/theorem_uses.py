"""True uses of the axioms, as textbooks make them: theorems, how they are proved, and instances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from qtheory.proofs.claims.axioms import STRONG_LAW, Theorem, Use
from qtheory.proofs.claims.to.models.instability import grows, slots, total
from qtheory.proofs.proving.lines import Limit, Line, Proof, named
from qtheory.proofs.theorems import referee_theorem
from qtheory.proofs.verdict import Verdict


def after(formula: str) -> str:
    """The formula, after each number n of draws."""
    return f"ForAll(n, And(Integer(n), n >= 1), {formula})"


IID = {"iid": "the draws of the example", "mean": "their mean"}


@dataclass(frozen=True)
class Shown:
    """A theorem, and what the search is told."""

    theorem: Theorem
    instance: tuple[str, ...]
    steps: Mapping[str, Line] = field(default_factory=dict)
    met: Mapping[str, Line] = field(default_factory=dict)

    @property
    def proof(self) -> Proof:
        return Proof(named(self.steps), instance=self.instance, met=named(self.met))

    def verdict(self, budget: float = 20.0) -> Verdict:
        return referee_theorem(self.theorem, self.proof, budget)


# ---- the strong law: v(1), v(2), ... are drawn ----

def drawn(where: tuple[str, ...], goal: str, parameters: tuple[str, ...] = ("m",), *, functions: str = "v",
          draw: str = "v(l)", mean: str = "m", let: tuple[str, ...] = ()) -> Theorem:
    return Theorem((f"{functions} in functions", *where), parameters,
                   (Use("strong-law", {"draw(l)": draw, "mean": mean}, IID),), let, goal)


def beyond(near: str, level: str, *through: str, given: tuple[str, ...] | None = None) -> Mapping[str, Line]:
    """The sum of the draws is near its mean, and from the level on beyond the goal's."""
    return {"conclusion": Line(by=given, limit=Limit(near, level, ("n >= N0", "n >= 1", *through)))}


NEAR = ("ForAll(e, e > 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), "
        f"And({total('v(l)')} >= (m - e)*n, {total('v(l)')} <= (m + e)*n))))")
FALLS = f"ForAll(h, h >= 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), {total('v(l)')} < -h)))"
TOSS = ("low = 0", "high = 2", "v(l) = coin(l)", "m = 1")
DOWN = ("low = -3", "high = 1", "v(l) = coin(l)", "m = -1")
QUEUE = slots("q(l + 1) >= q(l) + v(l) - c", "q(l) >= 0")
RENEWAL = slots("v(l) >= 0", "s(l + 1) == s(l) + v(l)")
STRONG: dict[str, Shown] = {
    "averages tend to the mean": Shown(drawn((), NEAR), TOSS),
    "so do those of draws that are positive": Shown(drawn(("m > 0", slots("v(l) >= 0")), NEAR), TOSS,
                                                    met={slots("v(l) >= 0"): Line(points=("l",))}),
    "sums with a negative mean fall below every level": Shown(
        drawn(("d > 0", "m == -2*d"), FALLS, ("m", "d")), (*DOWN, "d = 1/2"),
        beyond("d", "Max(N0, (h + 1)/d)", f"{total('v(l)')} <= (m + d)*n", "n >= (h + 1)/d", "d*n >= h + 1")),
    "sums with a positive mean exceed every level": Shown(
        drawn(("m > 0",), grows(total("v(l)"))), TOSS,
        beyond("m/2", "Max(N0, (h + 1)/(m/2))", f"{total('v(l)')} >= (m - m/2)*n", "n >= (h + 1)/(m/2)",
               "m/2*n >= h + 1")),
    "an overloaded queue grows without bound": Shown(
        drawn(("2*d == m - c", "m > c", QUEUE), grows("q(n + 1)"), ("m", "c", "d"), functions="v, q"),
        (*TOSS, "c = 1/2", "d = 1/4", "q(1) = 0; q(l + 1) = q(l) + coin(l)"),
        {"more": Line("d > 0", ("2*d == m - c", "m > c"), concluding=True),
         "in all": Line(after(f"q(n + 1) >= q(1) + {total('v(l)')} - c*n"), (QUEUE,), concluding=True),
         "first": Line("q(1) >= 0", (QUEUE,), concluding=True),
         **beyond("d", "Max(N0, (h + 1)/d)", f"{total('v(l)')} >= (m - d)*n", "q(n + 1) >= (m - d)*n - c*n",
                  "(m - d)*n - c*n == d*n", "n >= (h + 1)/d", "d*n >= h + 1",
                  given=("more", "in all", "first", "2*d == m - c", STRONG_LAW.conclusion))},
        {"there": Line(slots("q(l) >= 0"), way="induction"), QUEUE: Line(points=("l",))}),
    "renewals come at the rate of their mean time": Shown(
        drawn(("d > 0", RENEWAL, "s(1) == 0"),
              "ForAll(h, h >= 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), And(s(n + 1) >= (m - d)*n - h, "
              "s(n + 1) <= (m + d)*n + h))))", ("m", "d"), functions="v, s"),
        (*TOSS, "d = 1", "s(1) = 0; s(l + 1) = s(l) + coin(l)"),
        {"times": Line(after(f"s(n + 1) == {total('v(l)')}"), (RENEWAL, "s(1) == 0"), concluding=True),
         **beyond("d", "Max(N0, 1)", f"{total('v(l)')} >= (m - d)*n", f"{total('v(l)')} <= (m + d)*n",
                  given=("d > 0", "times", STRONG_LAW.conclusion))},
        {RENEWAL: Line(points=("l",))}),
}


# ---- Lipschitz continuous functions of time that fall while they are positive ----

GROWN = "ForAll(t, t >= 0, ForAll(s, And(0 <= s, s <= t), And({0}(t) - {0}(s) >= 0, {0}(t) - {0}(s) <= {1}*(t - s))))"


def smooth(*parts: str) -> str:
    """The times at which all of these are differentiable."""
    return f"And(t > 0, {', '.join(f'Abs(diff({p}(t), t)) >= 0' for p in parts)})"


def falling(where: tuple[str, ...], goal: str, parameters: tuple[str, ...], load: str, parts: Mapping[str, str],
            growth: str, pace: str, rate: str, functions: str) -> Theorem:
    terms = {"load(t)": load, "growth": growth, "pace": pace, "rate": rate}
    for i, (part, weight) in enumerate(parts.items(), 1):
        terms |= {f"part{i}(t)": part, f"weight{i}": weight}
    return Theorem((f"{functions} in functions", *where), parameters, (Use("dai-weiss", terms),), (), goal)


WORK = "ForAll(t, t >= 0, And(w(t) == w(0) + a*t - B(t), w(t) >= 0))"
BUSY = f"ForAll(t, {smooth('B')}, Or(w(t) <= 0, diff(B(t), t) == c))"


def steps(parts: int = 1) -> dict[str, Line]:
    """Each obligation, time by time."""
    names = ("nonnegative", "drift", *(f"Lipschitz {i}" for i in range(1, parts + 1)))
    return {"dai-weiss: sum": Line(points=("t", "0")), "conclusion": Line(points=("t", "0")),
            **{f"dai-weiss: {name}": Line(points=("t", "s")) for name in names}}


def workload(goal: str = "ForAll(t, And(t >= 0, (c - a)*t >= w(0)), w(t) == 0)", *, without: str = "",
             more_where: tuple[str, ...] = (), parameters: tuple[str, ...] = ("a", "c"), functions: str = "w, B",
             **terms: str) -> Theorem:
    """The fluid model of a queue: work arrives at rate a, and is served at rate c while there is some."""
    where = ("0 <= a", "a < c", "B(0) == 0", WORK, GROWN.format("B", "c"), BUSY)
    theorem = falling((*(w for w in where if w != without), *more_where), goal, parameters, "w(t)", {"B(t)": "-1"},
                      "a", "c", "c - a", functions)
    use = theorem.uses[0]
    put = {**use.terms, **{"part1(t)" if x == "part1" else x: text for x, text in terms.items()}}
    return replace(theorem, uses=(replace(use, terms=put),))


OWN = f"ForAll(t, {smooth('g')}, Or(g(t) <= 0, diff(g(t), t) <= -r))"
LEVEL = "ForAll(t, t >= 0, g(t) >= 0)"
CLOSE = "ForAll(t, t >= 0, ForAll(s, And(0 <= s, s <= t), And(g(t) - g(s) <= p*(t - s), g(s) - g(t) <= p*(t - s))))"
TWO = ("ForAll(t, t >= 0, And(x(t) == x(0) + a1*t - B1(t), y(t) == y(0) + a2*t - B2(t), x(t) >= 0, y(t) >= 0))",
       "B1(0) == 0", "B2(0) == 0", GROWN.format("B1", "1"), GROWN.format("B2", "1"),
       f"ForAll(t, {smooth('B1', 'B2')}, Or(x(t) + y(t) <= 0, diff(B1(t), t) + diff(B2(t), t) == 1))")
IDLE = ("a = 1", "c = 2", "w(t) = 0*t", "B(t) = t")
FLUID: dict[str, Shown] = {
    "the workload of M/G/1 drains": Shown(workload(), IDLE, steps()),
    "and is empty by one time for all starts below a level": Shown(
        workload("ForAll(t, And(t >= 0, (c - a)*t >= k), w(t) == 0)", more_where=("k >= 0", "w(0) <= k"),
                 parameters=("a", "c", "k")),
        (*IDLE, "k = 1"), steps()),
    "a function that falls by itself": Shown(
        falling(("r > 0", LEVEL, CLOSE, OWN), "ForAll(t, And(t >= 0, r*t >= g(0)), g(t) == 0)", ("r", "p"), "g(t)",
                {"g(t)": "1"}, "0", "p", "r", "g"), ("r = 1", "p = 1", "g(t) = 0*t"), steps()),
    "two classes, in whatever order": Shown(
        falling(("0 <= a1", "0 <= a2", "a1 + a2 < 1", *TWO),
                "ForAll(t, And(t >= 0, (1 - a1 - a2)*t >= x(0) + y(0)), And(x(t) == 0, y(t) == 0))", ("a1", "a2"),
                "x(t) + y(t)",
                {"B1(t)": "-1", "B2(t)": "-1"}, "a1 + a2", "1", "1 - a1 - a2", "x, y, B1, B2"),
        ("a1 = 1/4", "a2 = 1/4", "x(t) = 0*t", "y(t) = 0*t", "B1(t) = t/4", "B2(t) = t/4"), steps(2)),
    "jobs of a size, on servers of a speed": Shown(
        falling(("0 < k", "0 <= lam", "0 < mu", "lam < k*mu", "D(0) == 0", GROWN.format("D", "k*mu"),
                 "ForAll(t, t >= 0, And(z(t) == z(0) + lam*t - D(t), z(t) >= 0))",
                 f"ForAll(t, {smooth('D')}, Or(z(t) <= 0, diff(D(t), t) == k*mu))"),
                "ForAll(t, And(t >= 0, (k*mu - lam)*t >= z(0)), z(t) == 0)", ("k", "lam", "mu"), "z(t)",
                {"D(t)": "-1"}, "lam", "k*mu", "k*mu - lam", "z, D"),
        ("k = 2", "lam = 1", "mu = 1", "z(t) = 0*t", "D(t) = t"), steps()),
}


# ---- cluster points of sequences x, and of sequences of functions g ----

BOUND = "ForAll(n, And(Integer(n), n >= 1), And(x(n) <= c, -c <= x(n)))"
ZEROS = ("c = 1", "x(n) = 0*n")


def clustering(goal: str, *, where: tuple[str, ...] = (BOUND,), parameters: tuple[str, ...] = ("c",),
               functions: str = "x", most: str = "c", **terms: str) -> Theorem:
    put = {"sequence1(n)": "x(n)", "most": most, **{f"{x}(n)": text for x, text in terms.items()}}
    return Theorem((f"{functions} in functions", *where), parameters, (Use("bolzano-weierstrass", put),), (), goal)


NEAR_IT = "ForAll(e, e > 0, Exists(n, And(Integer(n), n >= 1), And(x(n) - cluster1 <= e, cluster1 - x(n) <= e)))"
START = "ForAll(n, And(Integer(n), n >= 1), And(g(n, 0) <= c, -c <= g(n, 0)))"
LEAPS = ("ForAll(n, And(Integer(n), n >= 1), ForAll(t, t >= 0, ForAll(s, And(0 <= s, s <= t), "
         "And(g(n, t) - g(n, s) <= p*(t - s), g(n, s) - g(n, t) <= p*(t - s)))))")
FLAT = ("c = 1", "p = 1", "g(n, t) = 0*n + 0*t")


def limiting(goal: str, *, where: tuple[str, ...] = (START, LEAPS), parameters: tuple[str, ...] = ("c", "p"),
             functions: str = "g", path: str = "g(n, t)", most: str = "c", pace: str = "p", **terms: str) -> Theorem:
    put = {"path1(n, t)": path, "most": most, "pace": pace, **{f"{x}(n, t)": text for x, text in terms.items()}}
    return Theorem((f"{functions} in functions", *where), parameters, (Use("arzela-ascoli", put),), (), goal)


CLUSTER: dict[str, Shown] = {
    "a bounded sequence is near some point": Shown(clustering(NEAR_IT), ZEROS, {"conclusion": Line(points=("e", "1"))}),
    "which is no higher than the sequence": Shown(
        clustering("ForAll(e, e > 0, And(cluster1 <= c + e, cluster1 >= -c - e))"), ZEROS,
        {"conclusion": Line(points=("e", "1"))}),
    "two sequences have a point at the same times": Shown(
        clustering("ForAll(e, e > 0, Exists(n, And(Integer(n), n >= 1), And(x(n) - cluster1 <= e, "
                   "y(n) - cluster2 <= e)))", where=(BOUND, BOUND.replace("x(", "y(")), functions="x, y",
                   sequence2="y(n)"), (*ZEROS, "y(n) = 0*n"), {"conclusion": Line(points=("e", "1"))}),
    "and come near it on an interval, however near": Shown(
        limiting("ForAll(e, e > 0, ForAll(T, T > 0, Exists(n, And(Integer(n), n >= 1), ForAll(t, And(0 <= t, t <= T), "
                 "And(g(n, t) - cluster1(t) <= e, cluster1(t) - g(n, t) <= 2*e)))))"), FLAT,
        {"conclusion": Line(points=("e", "T", "1", "t"))}),
    "fluid scaled paths have a limit": Shown(
        limiting("ForAll(e, e > 0, And(cluster1(0) <= c + e, cluster1(0) >= -c - e))"), FLAT,
        {"conclusion": Line(points=("e", "1", "0"))}),
}
