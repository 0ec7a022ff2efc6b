"""Markov chains of textbooks, as data, that are positive recurrent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State
from qtheory.proofs.proving.lines import Line, Proof, named, since
from qtheory.proofs.theorems import referee_theorem
from qtheory.proofs.verdict import Verdict

X, XY = State(("x",)), State(("x", "y"))
Law = Sequence[tuple[str, Sequence[str]]]


@dataclass(frozen=True)
class Shown:
    """A chain's recurrence, the instance of its witness, a law of the input with what is chosen, in each of several
    ways, and the steps where the search needs them."""

    claim: Recurrence
    instance: tuple[str, ...]
    law: Law = ()
    steps: Mapping[str, Line] = field(default_factory=dict)
    chosen: Sequence[Sequence[str]] = ((),)
    under: Sequence[str] = ()

    def verdict(self, budget: float = 20.0) -> Verdict:
        steps = named({f"{self.claim.axiom}: {k}": s for k, s in self.steps.items()})
        law = tuple((chance, tuple(what)) for chance, what in self.law or [("1", ())])
        ways = tuple((tuple(way), law) for way in self.chosen)
        proof = Proof(steps, instance=self.instance, ways=ways, under=tuple(self.under))
        return referee_theorem(self.claim, proof, budget)


def recurs(chain: Chain, parameters: str, value: str, exception: str, rate: str, most: str, **more: Any) -> Recurrence:
    return Recurrence(chain, tuple(parameters.split()), value, exception, rate, most, "a chain of textbooks", **more)


def moves(*steps: tuple[str, str]) -> tuple[Outcome, ...]:
    """Of x: chances and where they lead."""
    return tuple(Outcome({"x": then} if then != "x" else {}, chance) for chance, then in steps)


def fed(then: str, chance: str = "1", **coefficients: str) -> Outcome:
    """x becomes ``then`` + A, where A has a stated mean."""
    return Outcome({"x": f"{then} + A"}, chance, mean={"": then, "A": "1"})


def quotient(g: str, y: str, c: str) -> Line:
    """By y < c/g, from g y < c."""
    return Line(proof=(Line("y < c/g", given=("g > 0", "g*y < c"), at=(("g", g), ("y", y), ("c", c))),))


def split(*terms: str) -> dict[str, Line]:
    return {"drift": Line(cases=terms)}


COIN: Law = (("1 - lam", ("A = 0",)), ("lam", ("A = 1",)))  # for a mean lam below 1


def whole(mean: str) -> Law:
    """A natural number with that mean: the one below it, or the one above."""
    return ((f"1 - ({mean} - floor({mean}))", (f"A = floor({mean})",)),
            (f"{mean} - floor({mean})", (f"A = floor({mean}) + 1",)))


WALK = Chain(("0 < up", "up < down", "up + down <= 1"), X,
             moves(("up", "x + 1"), ("down*Min(x, 1)", "x - 1"), ("1 - up - down*Min(x, 1)", "x")))
ROOTED = Chain(("0 < up", "up < 1/2"), X, moves(("up", "x + 1"), ("1 - up", "Max(x - 1, 0)")))
ARRIVES: dict[str, Any] = {"inputs": ("A",), "input": ("Natural(A)",), "moments": {"A": "lam"}}
QUEUE = Chain(("0 <= lam", "lam < 1"), X, (fed("x - 1", "Min(x, 1)"), fed("x", "1 - Min(x, 1)")), **ARRIVES)
SQUARED: dict[str, Any] = {"inputs": ("A",), "input": ("Natural(A)",), "moments": {"A": "lam", "A**2": "s"}}
LIST = Chain(  # of each request a number of tokens, of which one is served a slot; requests arrive
    ("0 <= lam", "lam < 1"), State((), ("p",), "q"),
    (Outcome({}, "1", {"p": "p1"}, {"p": "v"}, {"": "T_left", "T_came": "1"}),), ("p, v, a in functions",),
    row=("p(i) >= 1",), blank={"p": "1"}, totals={"T": "p(i)"},
    choices=("ForAll(i, And(floor(i) == i, i >= 1), And(Natural(a(i)), a(i) <= p(i)))",
             "Or(q <= 0, Sum(a(i), (i, 1, q)) >= 1)"),
    inputs=("m", "v"), input=("Natural(m)", "ForAll(i, And(floor(i) == i, i >= 1), And(Natural(v(i)), v(i) >= 1))"),
    moments={"T_came": "lam"}, stay="p1(i)", many="m")
EACH = LIST.choices[0]

TRUE: dict[str, Shown] = {
    "a walk that is reflected": Shown(
        recurs(WALK, "up down", "x", "x < 1", "down - up", "1"), ("x = 3", "up = 1/4", "down = 1/2"), (),
        split("x - 1")),
    "a walk with its ways to 0 and back": Shown(
        recurs(Chain(WALK.given, X, WALK.outcomes, root={"x": "0"}, height="x", before={"x": "x - 1"}, rise="x"),
               "up down", "x", "x < 1", "down - up", "1"), ("x = 3", "up = 1/4", "down = 1/2"), (), {
            **split("x - 1"), "way to the root": Line(cases=("x",)), "way from the root": Line(cases=("x",))}),
    "the M/M/1 queue, uniformised": Shown(
        recurs(Chain(("0 < l", "l < mu"), X, moves(("l/(l + mu)", "x + 1"), ("mu/(l + mu)*Min(x, 1)", "x - 1"),
                                                    ("mu/(l + mu)*(1 - Min(x, 1))", "x"))),
               "l mu", "x", "x < 1", "(mu - l)/(l + mu)", "1"), ("x = 3", "l = 1", "mu = 2"), (), split("x - 1")),
    "the M/M/3 queue, uniformised": Shown(
        recurs(Chain(("0 < l", "0 < mu", "l + 3*mu == 1", "l < 3*mu"), X, moves(
            ("l", "x + 1"), ("mu*Min(x, 3)", "x - 1"), ("mu*(3 - Min(x, 3))", "x"))),
               "l mu", "x", "x < 3", "3*mu - l", "3"), ("x = 3", "l = 1/4", "mu = 1/4"), (), split("x - 3")),
    "births and deaths whose rates grow": Shown(
        recurs(Chain(("0 < a",), X, moves(("1/(x + 2)", "x + 1"), ("x/(x + 2)", "x - 1"), ("1/(x + 2)", "x"))),
               "a", "x", "x < 3", "1/10", "3"), ("x = 3", "a = 1"), (), split("x - 3")),
    "a queue with any arrivals of a mean below one": Shown(
        recurs(QUEUE, "lam", "x", "x < 1", "1 - lam", "1"), ("x = 3", "lam = 1/2"), COIN, split("x - 1")),
    "a queue of two servers": Shown(
        recurs(Chain(("0 <= lam", "lam < 2"), X, (fed("x - D"),), choices=(
            "D in naturals", "Or(And(x >= 2, D == 2), And(x < 2, D == x))"), **ARRIVES),
               "lam", "x", "x < 2", "2 - lam", "2"),
        ("x = 3", "lam = 1/2", "D = 2"), (("1 - lam/2", ("A = 0",)), ("lam/2", ("A = 2",))),
        {**split("x - 2"), "possible": Line(cases=("x - 2",))}, (("D = 2",), ("D = x",))),
    "M/G/1 at departures, work of finite support": Shown(  # of 0, 1, 2 arrivals during a service
        recurs(Chain(("0 <= a", "0 <= c", "a + 2*c < 1", "a + c <= 1"), X, tuple(
            Outcome({"x": f"{base} + {n}"}, f"({now})*{chance}") for now, base in (
                ("Min(x, 1)", "x - 1"), ("1 - Min(x, 1)", "x"))
            for n, chance in ((0, "(1 - a - c)"), (1, "a"), (2, "c")))), "a c", "x", "x < 1", "1 - a - 2*c", "1"),
        ("x = 3", "a = 1/4", "c = 1/4"), (), split("x - 1")),
    "a queue by its square": Shown(
        recurs(Chain(("0 <= lam", "lam < 1", "0 <= s"), X, (
            Outcome({"x": "x - D + A"}, "1", mean={"": "(x - D)**2", "A": "2*(x - D)", "A**2": "1"}),),
            choices=("D in naturals", "Or(And(x >= 1, D == 1), And(x == 0, D == 0))"),
            **SQUARED),
               "lam s", "x**2", "Or(x < 1, 2*x*(1 - lam) < 2 + s)", "1", "1 + (2 + s)/(2*(1 - lam))"),
        ("x = 3", "lam = 1/2", "s = 1/2", "D = 1"), COIN, {
            "possible": Line(cases=("x - 1",)), "drift": Line(cases=("2*x*(1 - lam) - 2 - s",)),
            "finite set": quotient("2*(1 - lam)", "x", "2 + s")}, (("D = 1",), ("D = 0",)), ("s == lam",)),
    "two classes, the first with priority": Shown(
        recurs(Chain(("0 < a", "0 < c", "a + c < mu", "a + c + mu == 1"), XY, (
            Outcome({"x": "x + 1"}, "a"), Outcome({"y": "y + 1"}, "c"), Outcome({"x": "x - 1"}, "mu*Min(x, 1)"),
            Outcome({"y": "y - 1"}, "mu*(1 - Min(x, 1))*Min(y, 1)"),
            Outcome({}, "mu*(1 - Min(x, 1))*(1 - Min(y, 1))"))),
            "a c mu", "x + y", "And(x < 1, y < 1)", "mu - a - c", "2"),
        ("x = 1", "y = 1", "a = 1/8", "c = 1/8", "mu = 3/4"),
        (), split("x - 1", "y - 1")),
    "a queue that joins the shorter of two": Shown(
        recurs(Chain(("0 < a", "a < 1/2"), XY, (
            Outcome({"x": "x + 1 - D", "y": "y - H"}, "a*s"), Outcome({"x": "x - D", "y": "y + 1 - H"}, "a*(1 - s)"),
            Outcome({"x": "x - D", "y": "y - H"}, "1 - a")), choices=(
            "D in naturals", "H in naturals", "Or(And(x >= 1, D == 1), And(x == 0, D == 0))",
            "Or(And(y >= 1, H == 1), And(y == 0, H == 0))", "s in naturals",
            "Or(And(x <= y, s == 1), And(x > y, s == 0))")),
            "a", "x + y", "And(x < 1, y < 1)", "1 - a", "2"),
        ("x = 1", "y = 2", "a = 1/4", "D = 1", "H = 1", "s = 1"), (), {
            **split("x - 1", "y - 1"), "possible": Line(cases=("x - 1", "y - 1", "x - y"))},
        [(f"D = {d}", f"H = {h}", f"s = {n}") for d in (0, 1) for h in (0, 1) for n in (0, 1)]),
    "ALOHA with control": Shown(  # with the backlog known: a success with probability 1/3 wherever there is one
        recurs(Chain(("0 <= lam", "3*lam < 1"), X, (
            fed("x - 1", "Min(x, 1)/3"), fed("x", "1 - Min(x, 1)/3")), **ARRIVES),
            "lam", "x", "x < 1", "1/3 - lam", "1"),
        ("x = 3", "lam = 1/4"), COIN, split("x - 1")),
    "a storage of which a unit is drawn": Shown(
        recurs(Chain(("0 < p", "p < 1", "n*p < 1", "n in naturals"), X, (
            Outcome({"x": "x - 1 + n"}, "p*Min(x, 1)"), Outcome({"x": "x + n"}, "p*(1 - Min(x, 1))"),
            Outcome({"x": "x - 1"}, "(1 - p)*Min(x, 1)"), Outcome({}, "(1 - p)*(1 - Min(x, 1))"))),
            "n p", "x", "x < 1", "1 - n*p", "1"), ("x = 3", "n = 3", "p = 1/4"), (), split("x - 1")),
    "branching with immigration, all members alike": Shown(
        recurs(Chain(("0 <= lam", "0 < p", "p < 1"), X, (
            Outcome({"x": "x + A"}, "p", mean={"": "x", "A": "1"}),
            Outcome({"x": "A"}, "1 - p", mean={"": "0", "A": "1"})),
            **ARRIVES), "lam p", "x", "(1 - p)*x < lam + 1", "1", "(lam + 1)/(1 - p)"),
        ("x = 3", "lam = 1/2", "p = 1/2"), whole("lam"), {
            "drift": Line(cases=("(1 - p)*x - lam - 1",)), "finite set": quotient("1 - p", "x", "lam + 1")}),
    "a branching whose size shrinks in the mean": Shown(
        recurs(Chain(("0 <= r", "r < 1", "0 <= lam"), X, (Outcome({"x": "A"}, "1", mean={"A": "1"}),),
                     inputs=("A",), input=("Natural(A)",), moments={"A": "r*x + lam"}),
               "r lam", "x", "(1 - r)*x < lam + 1", "1", "(lam + 1)/(1 - r)"),
        ("x = 1", "lam = 0", "r = 1/2"), whole("r*x + lam"), {
            "drift": Line(cases=("(1 - r)*x - lam - 1",)), "finite set": quotient("1 - r", "x", "lam + 1")}),
    "tokens of requests, one at least served a slot": Shown(
        recurs(LIST, "lam", "T", "q <= 0", "1 - lam", "0", let=("p1(i) = p(i) - a(i)",)),
        ("lam = 1/2", "q = 1", "p(i) = 1 + 0*i", "a(i) = 1 + 0*i", "v(i) = 1 + 0*i"),
        (("1 - lam", ("m = 0", "v(i) = 1 + 0*i")), ("lam", ("m = 1", "v(i) = 1 + 0*i"))), {
            "rows left": Line(way="index by index"),
            "bounded below": Line(proof=since("Sum(p(i), (i, 1, q)) >= 0")),
            "fall": Line("Sum(p(i) - a(i), (i, 1, q)) == Sum(p(i), (i, 1, q)) - Sum(a(i), (i, 1, q))",
                         ("q in naturals",)),
            "drift": Line(by=("foster-lyapunov: fall", LIST.choices[1]))}, (("a(i) = 1 + 0*i",),)),
    "a clock that is wound at random": Shown(
        recurs(Chain(("n in naturals", "n >= 1"), X, moves(("Min(x, 1)", "x - 1"), ("1 - Min(x, 1)", "n"))),
               "n", "x", "x < 1", "1", "1"), ("x = 0", "n = 3"), (), split("x - 1")),
    "a walk in a strip": Shown(
        recurs(Chain(("n in naturals", "n >= 1"), X, moves(
            ("Min(n - x, 1)/2", "x + 1"), ("Min(x, 1)/2", "x - 1"), ("1 - Min(n - x, 1)/2 - Min(x, 1)/2", "x")),
            space=("x <= n",)), "n", "x", "x >= 0", "1", "n"), ("x = 1", "n = 3")),
    "a success run that ends": Shown(
        recurs(Chain(("0 < p", "p < 1"), X, moves(("p", "x + 1"), ("1 - p", "0"))),
               "p", "x", "(1 - p)*x < p + 1", "1", "(p + 1)/(1 - p)"), ("x = 1", "p = 1/2"), (), {
            "drift": Line(cases=("(1 - p)*x - p - 1",)),
            "finite set": quotient("1 - p", "x", "p + 1")}),
    "the longer of two queues is served": Shown(
        recurs(Chain(("0 <= lam", "lam < 1"), XY, (
            Outcome({"x": "x - D + A", "y": "y - H + B"}, "1", mean={"": "x + y - D - H", "A": "1", "B": "1"}),),
            choices=("D in naturals", "H in naturals", "D <= x", "H <= y", "Or(And(x <= 0, y <= 0), D + H == 1)"),
            inputs=("A", "B"), input=("Natural(A)", "Natural(B)"), moments={"A": "lam/2", "B": "lam/2"}),
            "lam", "x + y", "And(x <= 0, y <= 0)", "1 - lam", "0"),
        ("x = 1", "y = 0", "D = 1", "H = 0", "lam = 1/2"),
        (("1 - lam", ("A = 0", "B = 0")), ("lam/2", ("A = 1", "B = 0")), ("lam/2", ("A = 0", "B = 1"))), {
            "possible": Line(cases=("x - 1", "y - 1"))}, (("D = 1", "H = 0"), ("D = 0", "H = 1"), ("D = 0", "H = 0"))),
    "a countdown, seen when it has ended": Shown(  # the horizon is x + 1 steps
        recurs(Chain((), X, moves(("Min(x, 1)", "x - 1"), ("1 - Min(x, 1)", "x"))), "", "Max(x - steps, 0)", "x < 1",
               "1/2", "1", horizon="x + 1"), ("x = 3",), (), {
            "steps ahead": Line(cases=("x - 1", "steps - x")), **split("x - 1")}),
}
