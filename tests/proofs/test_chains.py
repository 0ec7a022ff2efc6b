"""Recurrence of chains that are data: textbook chains are proved, and no false one, whatever is said of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import test_false_chains
from chain_uses import ARRIVES, COIN, LIST, QUEUE, TRUE, WALK, XY, Shown, X, fed, moves, recurs, split
from json_changes import leaves, put
from more_chains import MORE

from qtheory.proofs.axiomatic import check_theorem, lines, owed, rests_on
from qtheory.proofs.chains import Chain, Outcome, Recurrence, State, from_json, to_json
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.proving.lines import Line
from qtheory.proofs.verdict import Verdict

LONG = {"a queue that joins the shorter of two", "a queue by its square"}  # seconds each; others are much like them


@pytest.mark.sliced(6)
@pytest.mark.studied(2)
@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.study] * (n in LONG)) for n in (*TRUE, *MORE)])
def test_textbook_chains_are_proved(name: str) -> None:
    shown = {**TRUE, **MORE}[name]
    verdict = shown.verdict()
    assert (verdict.verdict, verdict.axioms) == ("proved", (shown.claim.axiom,)), verdict.note
    chain = shown.claim.chain
    rows = [*(f"{f}(i) becomes {t}(i)" for o in chain.outcomes for f, t in o.left.items()),
            *(f"{t}(i)" for o in chain.outcomes for t in o.came.values())]
    assert all(text in verdict.statement for text in (
        *chain.functions, *chain.given, *chain.space, *chain.row, *chain.choices, *chain.inputs, *chain.input,
        chain.stay, *(f"mean of {term} == {mean}" for term, mean in chain.moments.items()), *rows,
        *chain.totals.values(), *(f"with probability {o.chance}: " for o in chain.outcomes),
        *(f"{x} becomes {then}" for o in chain.outcomes for x, then in o.next.items()), *shown.claim.let))
    assert verdict.certificate is not None and check_theorem(verdict.certificate.data, shown.claim) == shown.claim
    assert from_json(json.loads(json.dumps(to_json(shown.claim)))) == shown.claim


def test_the_page_counts_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "measurements.md").read_text(encoding="utf-8")
    true = len({*TRUE, *MORE})
    assert f"| {true} of {true}; 0 of {len(FALSE) + len(test_false_chains.FALSE)} proved |" in page


def test_what_is_not_proved_stands_in_the_statement() -> None:
    stated = {name: {x for x in lines(shown.claim) if x.startswith("given that")} for name, shown in TRUE.items()}
    is_one = "given that X is a Markov chain with these states and steps: a chain of textbooks"
    irreducible = "given that X is irreducible"
    assert stated["a walk that is reflected"] == {is_one, irreducible}
    assert stated["a walk with its ways to 0 and back"] == {is_one}
    assert stated["a queue of two servers"] == {is_one, irreducible}  # a choice is shown to be possible
    assert stated["a branching whose size shrinks in the mean"] == {is_one, irreducible}


def test_what_is_shown_at_one_state_alone_is_said_to_be_open() -> None:
    """A chain of which nothing shows for every state that there is a choice may be none at all, and its verdict says
    that this is unknown; nor can it be shown for every state."""
    tied = Chain((), X, moves(("9/10", "x + 1"), ("Min(x, 1)/10", "x - 1"), ("(1 - Min(x, 1))/10", "x")),
                 choices=("x + 0*y <= 3",))
    tied_claim = recurs(tied, "", "x", "x >= 0", "1", "3")
    assumed = replace(tied_claim, assumed=True)
    verdict = Shown(assumed, ("x = 3", "y = 1")).verdict()
    assert verdict.verdict == "proved" and "satisfiable: unknown" in verdict.title and verdict.witness is None
    assert {*verdict.statement.split("\n")} - {*lines(tied_claim)} == {
        "given that in every state there is a choice as said"}
    for chosen, why in (((), "left open"), (("y = 1",), "possible")):
        verdict = Shown(tied_claim, ("x = 3", "y = 1"), chosen=(chosen,)).verdict()
        assert verdict.verdict == "unknown" and why in verdict.note


def test_what_is_shown_where_it_is_assumed_does_not_do_where_it_is_not() -> None:
    shown = TRUE["a queue of two servers"]
    assumed = Shown(replace(shown.claim, assumed=True), shown.instance, shown.law, split("x - 2"))
    for one, other in ((shown, assumed), (assumed, shown)):
        data = one.verdict().certificate
        assert data is not None
        check_theorem(data.data, one.claim)
        with pytest.raises(KernelError):
            check_theorem({**data.data, "theorem": to_json(other.claim)})


def test_nothing_is_assumed_where_nothing_is_open() -> None:
    """A walk has neither choices nor an input: that there is one as said would be no condition at all."""
    found = TRUE["a walk that is reflected"].verdict()
    assert found.certificate is not None
    data = found.certificate.data
    data["theorem"]["assumed"] = True
    with pytest.raises(KernelError, match="only of what is open"):
        check_theorem(data)


def test_a_statement_as_written_by_hand(queue: Verdict) -> None:
    assert queue.statement == """X is positive recurrent
for all lam; 0 <= lam; lam < 2
its states: natural numbers x
its choices, by the state, any with D in naturals; Or(And(x >= 2, D == 2), And(x < 2, D == x))
its input (A), by state, choice and outcome of any law with Natural(A); mean of A == lam
a step, with probability 1: x becomes x - D + A
given that X is a Markov chain with these states and steps: a chain of textbooks
given that X is irreducible"""
    assert lines(TRUE[TOKENS].claim) == (
        "X is positive recurrent",
        "for all lam; p, v, a in functions; 0 <= lam; lam < 1",
        "its states: natural numbers q; rows p(i) for i = 1, ..., q; p(i) >= 1",
        "its choices, by the state, any with ForAll(i, And(floor(i) == i, i >= 1), And(Natural(a(i)), a(i) <= p(i))); "
        "Or(q <= 0, Sum(a(i), (i, 1, q)) >= 1)",
        "its input (m, v), by state, choice and outcome of any law with Natural(m); "
        "ForAll(i, And(floor(i) == i, i >= 1), And(Natural(v(i)), v(i) >= 1)); mean of T_came == lam",
        "a step, with probability 1: p(i) becomes p1(i); row i stays where p1(i) > 0; m rows v(i) come",
        "where T = Sum(p(i), (i, 1, q))", "where p1(i) = p(i) - a(i)", "where T_left = Sum(p1(i), (i, 1, q))",
        "where T_came = Sum(v(i), (i, 1, m))",
        "given that X is a Markov chain with these states and steps: a chain of textbooks",
        "given that X is irreducible")
    assert lines(TRUE[ROOTED].claim)[2:] == (
        "its states: natural numbers x", "a step, with probability up: x becomes x + 1",
        "a step, with probability down*Min(x, 1): x becomes x - 1",
        "a step, with probability 1 - up - down*Min(x, 1): none",
        "given that X is a Markov chain with these states and steps: a chain of textbooks")


def test_the_axioms_name_their_source() -> None:
    assert rests_on(TRUE[SERVERS].claim) == {"foster-lyapunov": {
        "source": "Brémaud, Markov Chains (Springer, 1999), Chapter 5, Theorem 1.1 (Foster's theorem)",
        "words": {"chain": "a chain of textbooks"},
        "terms": {"value": "x", "exception": "x < 2", "horizon": "", "lowest": "0", "rate": "2 - lam", "most": "2"}}}
    [(name, told)] = rests_on(TRUE[COUNT].claim).items()
    assert name == "foster-lyapunov-state-dependent" and told["terms"]["horizon"] == "x + 1"
    assert told["source"].startswith("Meyn and Tweedie, Markov Chains and Stochastic Stability (2nd ed., ")


# ---- false ones ----

FREE = Chain(("0 <= lam",), X, (fed("x - 1", "Min(x, 1)"), fed("x", "1 - Min(x, 1)")), **ARRIVES)
UP = Chain((), X, moves(("9/10", "x + 1"), ("Min(x, 1)/10", "x - 1"), ("(1 - Min(x, 1))/10", "x")))
EVEN = Chain((), X, moves(("1/2", "x + 1"), ("Min(x, 1)/2", "x - 1"), ("(1 - Min(x, 1))/2", "x")))
AT: tuple[str, ...] = ("x = 3", "up = 1/4", "down = 1/2", "lam = 1/2", "c = 3", "low = -3", "p = 1/16", "y = 1",
                      "D = 1")


def up(parameters: str = "", **more: Any) -> Recurrence:
    """A walk that goes up nine times out of ten, said to be recurrent."""
    said: dict[str, Any] = {"value": "x", "exception": "x < 1", "rate": "8/10", "most": "1", **more}
    return recurs(said.pop("chain", UP), parameters, **said)


def like(shown: str, **more: Any) -> Shown:
    """A true one with something changed, in its chain where that has it."""
    true = TRUE[shown]
    of_chain = {k: v for k, v in more.items() if hasattr(true.claim.chain, k)}
    other = {k: v for k, v in more.items() if k not in of_chain}
    return replace(true, claim=replace(true.claim, chain=replace(true.claim.chain, **of_chain), **other))


def chain(chain: Chain, **more: Any) -> Chain:
    return replace(chain, **more)


ROOTED = "a walk with its ways to 0 and back"
SERVERS, BRANCHES = "a queue of two servers", "a branching whose size shrinks in the mean"
COUNT, ANY_ARRIVALS = "a countdown, seen when it has ended", "a queue with any arrivals of a mean below one"
TOKENS = "tokens of requests, one at least served a slot"
FALSE: dict[str, tuple[Shown, str]] = {
    # finding 4: constants that follow the state, a drift that is said
    "a walk up": (Shown(up(), AT, (), split("x - 1")), "drift"),
    "a walk up whose drift is a condition": (
        Shown(up(chain=chain(UP, choices=("change <= -8/10",))), AT), "a symbol of the axiom"),
    "a walk up whose states are cut off": (
        Shown(up("c", chain=chain(UP, space=("x <= c",)), exception="x >= 0", most="c"), AT), "next1"),
    "a walk up under a bound that follows the state": (
        Shown(up("c", chain=chain(UP, given=("x <= c",)), exception="x >= 0", most="c"), AT), "speaks of x"),
    "a walk up with a probability that follows the state": (
        Shown(up("p", chain=Chain(("p*(x + 1) <= 1/4", "p > 0"), X, moves(
            ("1/2 - p", "x + 1"), ("(1/2 + p)*Min(x, 1)", "x - 1"), ("(1/2 + p)*(1 - Min(x, 1))", "x"))), rate="2*p"),
              AT), "speaks of x"),
    "a lower bound that follows the state": (
        Shown(up("low", chain=chain(UP, given=("low <= -x",)), value="-x", lowest="low"), AT), "speaks of x"),
    "a lower bound in the states' conditions": (
        Shown(up("low", chain=chain(UP, space=("low <= -x",)), value="-x", lowest="low"), AT), "next1"),
    "a bound of the states by a choice": (
        Shown(up("c", chain=chain(UP, choices=("y in naturals", "x + y <= c")),
                 exception="x >= 0", most="c"), AT, chosen=(("y = 0",),)), "possible"),
    "a choice that is there only where it helps": (
        Shown(up(chain=chain(UP, choices=("y in naturals", "y*(x - 1) <= 0", "y >= 1")),
                 exception="x <= 1", most="1"), AT, chosen=(("y = 1",),)), "possible"),
    "a choice that is possible by itself alone": (
        Shown(up(chain=chain(UP, choices=("y in naturals", "x <= y", "y <= 3")),
                 exception="x <= 3", most="3"), AT, chosen=(("y = y",),)), ""),
    "a choice of a parameter": (
        Shown(up("c", chain=chain(UP, choices=("x <= c",)), exception="x >= 0", most="c"), AT, chosen=(("c = x",),)),
        "nothing that is chosen"),
    # transient and null recurrent chains
    "a fair walk": (Shown(up(chain=EVEN, rate="0"), AT, (), split("x - 1")), "positive rate"),
    "a fair walk with a rate": (Shown(up(chain=EVEN, rate="1/2"), AT, (), split("x - 1")), "drift"),
    "a fair walk with a rate that fades": (Shown(up(chain=EVEN, rate="1/(1 + x)"), AT), "speaks of x"),
    "a fair walk by its square": (Shown(up(chain=EVEN, value="x**2", rate="1"), AT, (), split("x - 1")), "drift"),
    "a queue at load one": (
        Shown(recurs(chain(QUEUE, given=("0 <= lam", "lam <= 1")), "lam", "x", "x < 1", "1 - lam", "1"), AT, COIN,
              split("x - 1")), "positive rate"),
    "a queue at any load": (
        Shown(recurs(FREE, "lam", "x", "x < 1", "1 - lam", "1"), AT, COIN, split("x - 1")), "positive rate"),
    "births that outrun deaths": (like("births and deaths whose rates grow", outcomes=moves(
        ("x/(x + 2)", "x + 1"), ("1/(x + 2)*Min(x, 1)", "x - 1"), ("2/(x + 2) - 1/(x + 2)*Min(x, 1)", "x"))), "drift"),
    "a branching whose size does not shrink": (like(BRANCHES, given=("0 <= r", "0 <= lam")), ""),
    "three servers for two": (like(SERVERS, given=("0 <= lam", "lam < 3")), "positive rate"),
    # probabilities
    "probabilities beyond one": (Shown(recurs(Chain((), X, moves(("1/2", "x + 1"), ("Min(x, 1)", "x - 1"), (
        "1 - Min(x, 1)", "x"))), "", "x", "x < 1", "1/2", "1"), AT, (), split("x - 1")), "chances"),
    "probabilities below one": (Shown(recurs(Chain((), X, moves(("1/4", "x + 1"), ("Min(x, 1)/2", "x - 1"))),
                                             "", "x", "x < 1", "1/4", "1"), AT, (), split("x - 1")), "chances"),
    "a negative probability": (Shown(recurs(Chain((), X, moves(
        ("-1", "x + 1"), ("1", "x"), ("1", "x"))), "", "x", "x < 0", "1", "0"), AT), "chances"),
    "a probability that the input decides": (
        Shown(recurs(chain(QUEUE, outcomes=(fed("x - 1", "Min(A, 1)"), fed("x", "1 - Min(A, 1)"))), "lam", "x", "x < 1",
                     "1 - lam", "1"), AT, COIN), "before the input is drawn"),
    # states
    "a step below zero": (Shown(recurs(Chain((), X, moves(("1", "x - 1"))), "", "x", "x < 1", "1", "1"), AT), "next"),
    "a step between the naturals": (Shown(recurs(Chain((), X, moves(("1", "x/2"))), "", "x", "x < 1", "1/2", "1"), AT),
                                    "next"),
    "no step": (Shown(recurs(Chain((), X, ()), "", "x", "x < 1", "1", "1"), AT), "outcomes"),
    "a request that comes without a token": (like(TOKENS, input=(
        "Natural(m)", "ForAll(i, And(floor(i) == i, i >= 1), Natural(v(i)))")), "rows came"),
    "a request that leaves with its tokens": (like(TOKENS, stay="p1(i) - 1"), "rows left"),
    "a request that speaks of the next one": (like(TOKENS, totals={"T": "p(i + 1)"}), "another one"),
    "rows that there are not": (like(TOKENS, row=("p(i) >= 1", "p(i) <= 0")), "blank row"),
    # the function and its exception
    "a function without a lower bound": (Shown(up(value="-x", lowest="0"), AT), "bounded below"),
    "an exception that is not finite": (Shown(up(exception="x >= 0"), AT), "finite set"),
    "an exception of another variable": (Shown(up(exception="y >= 0", most="5"), AT), "speaks of y"),
    "a bound of the exception that follows the state": (Shown(up(exception="x >= 0", most="x"), AT), "speaks of x"),
    "a function of a choice": (Shown(up(value="y"), AT), "speaks of y"),
    "a function that looks at all states at once": (
        Shown(up(value="Sum(x, (n, 1, 3))"), AT), "may not say Sum"),
    **{f"a function in which {value} captures": (
        Shown(recurs(Chain(("X in naturals", "X >= 3"), State(("x",)), moves(
            ("1/2", "x + X"), ("Min(x, 1)/2", "x - 1"), ("(1 - Min(x, 1))/2", "x"))), "X", value, "x < 1", "1/2", "1"),
            ("x = 3", "X = 3"), steps=split("x - 1")), "may not say")
       for value in ("E(x, (X, Empirical(0)))", "E(x, (X, Finite((0, 1))))", "At(x, X, 0)", "2*x - diff(x*X, X)")},
    "a function that hides the state in a definition": (Shown(up(value="w", let=("w = x",)), AT), "speaks of"),
    # means
    "a mean that no law has": (
        Shown(recurs(QUEUE, "lam", "x", "x < 1", "1 - lam", "1"), AT, (("1/2", ("A = 0",)), ("1/2", ("A = 2",))),
              split("x - 1")), "possible"),
    "a law of a negative probability": (
        Shown(recurs(QUEUE, "lam", "x", "x < 1", "1 - lam", "1"), AT, (("3/2", ("A = 0",)), ("-1/2", ("A = -1",))),
              split("x - 1")), "possible"),
    "means that contradict each other": (
        Shown(recurs(chain(FREE, outcomes=(Outcome({"x": "x - 1 + A"}, "Min(x, 1)", mean={
            "": "x - 1", "2*A": "1/2"}), fed("x", "1 - Min(x, 1)")), moments={"A": "9/10", "2*A": "1"}),
            "lam", "x", "x < 1", "1/2", "1"), AT, (("1/10", ("A = 0",)), ("9/10", ("A = 1",))), split("x - 1")),
        "possible"),
    "a law that changes a parameter": (
        Shown(recurs(chain(QUEUE, input=("Natural(A)", "A <= lam")), "lam", "x", "x < 1", "1 - lam", "1"), AT,
              (("1/2", ("A = 0", "lam = 0")), ("1/2", ("A = 1", "lam = 1"))), split("x - 1")), "something else"),
    "no law at all": (Shown(recurs(QUEUE, "lam", "x", "x < 1", "1 - lam", "1"), AT, (), split("x - 1")),
                      "left open"),
    "a bound that is none": (
        like("a queue by its square", outcomes=(
            Outcome({"x": "x - D + A"}, "1", mean={"": "(x - D)**2", "A": "2*(x - D)"}),)),
        "mean"),
    "a bound that speaks of the input": (
        like(ANY_ARRIVALS, outcomes=(Outcome(
            {"x": "x + A"}, "1", mean={"": "x + A - 1", "A": "1"}),)), "before the input is drawn"),
    "a mean that the input decides": (
        like(ANY_ARRIVALS, moments={"A": "A"}), "before the input is drawn"),
    "a condition on the state that poses as one on choices": (
        Shown(up("p", chain=chain(EVEN, given=("0 < p", "p < 1/2"), choices=("p*(x + 1) <= 1/4",)), rate="p/8"), AT),
        "nothing that is chosen"),
    "a condition on the state that poses as a declaration": (
        Shown(up(chain=chain(UP, functions=("x <= 5",), root={"x": "0"}, height="x", before={"x": "x - 1"}, rise="x"),
                 exception="x >= 0", rate="1", most="5"), AT, (),
              {"way to the root": Line(cases=("x",)), "way from the root": Line(cases=("x",))}), "declarations"),
    "a total that counts where a row stands": (
        Shown(recurs(Chain((), State((), ("p",), "q"), (Outcome({}, "1", {}, {"p": "v"}),), ("p in functions",),
                           row=("p(i) == 1",), blank={"p": "1"}, totals={"T": "i - 2"}, stay="1", many="1"), "", "T",
                     "0 > 1", "1", "0", lowest="-5", let=("v(j) = 1 + 0*j",)), ("q = 1", "p(i) = 1 + 0*i")),
        "of its number"),
    "a single outcome of a tenth": (
        Shown(recurs(Chain((), X, (Outcome({"x": "0"}, "1/10"),)), "", "x", "x < 1", "1", "1"), AT, (), split("x - 1")),
        "chances"),
    "a law that knows how many steps are ahead": (
        Shown(recurs(Chain((), X, (Outcome({"x": "x + 1"}, "Max(0, Min(steps, 1))"),
                                   Outcome({"x": "0"}, "1 - Max(0, Min(steps, 1))"))), "",
                     "x*Max(0, 1 - steps)", "x < 1", "1", "1", horizon="1"), AT, (),
              {"steps ahead": Line(cases=("steps - 1",)), **split("x - 1")}),
        "speaks of steps"),
    "conditions of the input on the state": (
        Shown(recurs(Chain((), X, (Outcome({"x": "x + 1"}, "1", mean={"": "x + 1 - 2*Max(0, Min(x - 3, 1))"}),),
                           inputs=("A",), input=("A == 0", "x + A <= 3")), "", "x", "x <= 3", "1", "3"), AT,
              (("1", ("A = 0",)),), {"mean": Line(cases=("x - 3",)), "drift": Line(cases=("x - 4",))}),
        "of the input, speaks of x"),
    "a chance of nothing declared": (
        Shown(recurs(Chain((), X, (Outcome({"x": "x - 1"}, "Min(x, 1)"), Outcome({"x": "x"}, "1 - Min(x, 1)"),
                                   Outcome({"x": "x"}, "0*z"))), "", "x", "x < 1", "1", "1"), AT, (), split("x - 1")),
        "speaks of z"),
    "rows that leave where nothing says so": (like(TOKENS, stay="sqrt(-1)"), "rows left"),
    "a possible choice that redefines Min": (
        Shown(up(chain=chain(UP, choices=("y in naturals", "x + y <= Min(3, x)")),
                 exception="x >= 0", rate="1", most="3"),
              ("x = 3", "y = 0"), chosen=(("y = 0", "Min(s, t) = t + 0*s"),)), ""),
    "an input that redefines Max": (
        Shown(recurs(Chain((), X, (Outcome({"x": "x + A"}, "1", mean={"": "x", "Max(A, 0)": "1"}),),
                           inputs=("A", "Max"), input=("Natural(A)",), moments={"A": "2", "Max(A, 0)": "-1"}),
                     "", "x", "x < 1", "1", "1"),
              AT, (("1", ("A = 2", "Max(s, t) = -1 + 0*s + 0*t")),)), "has a meaning"),
    "a parameter that is a sentence": (like(
        "a walk that is reflected", parameters=("up", "down", "where up >= down; every lam")), "a name is none"),
    "no words": (Shown(replace(up(), words=" "), AT), "left out"),
    "words that are not seen": (Shown(replace(up(), words="a walk \x1b[2J"), AT), "not seen"),
    "an input that a choice ties to the state": (
        like(ANY_ARRIVALS, choices=("A <= 0",)),
        "before the input is drawn"),
    "an input without a bound by means": (like(ANY_ARRIVALS, outcomes=(
        Outcome({"x": "x - 1 + A"}, "Min(x, 1)"), fed("x", "1 - Min(x, 1)"))), "before the input is drawn"),
    # ways
    "a way to the root that stands still": (like(ROOTED, height="1 + 0*x"), "way to the root"),
    "a way that nothing takes": (like(ROOTED, outcomes=moves(("up", "x + 1"), ("1 - up", "x"))), ""),
    "a root that is no state": (like(ROOTED, root={"x": "-1"}), "root"),
    "a way back by two": (like(ROOTED, before={"x": "x - 2"}), "way from the root"),
    "a height that is no natural number": (like(ROOTED, height="x/2"), ""),
    "a walk with two halves": (Shown(recurs(Chain((), XY, (
        Outcome({"x": "x - 1"}, "Min(x, 1)"), Outcome({"x": "3"}, "1 - Min(x, 1)")), space=("y <= 1",),
        root={"x": "0", "y": "0"},
        height="x + y", before={"x": "x", "y": "y"}, rise="x + y"), "", "x", "x < 1", "1", "2"), AT, (), {
            **split("x - 1"), "way to the root": Line(cases=("x", "y"))}), ""),
    # the horizon
    "a horizon of no step": (like(COUNT, horizon="0"), "horizon"),
    "a horizon of half a step": (like(COUNT, horizon="1/2"), "horizon"),
    "a fall that the steps do not give": (like(COUNT, value="Max(x - 2*steps, 0)"), "steps ahead"),
    "a walk up that falls far ahead": (Shown(up(value="x - steps", lowest="0", horizon="x + 1", rate="1"), AT),
                                       "steps ahead"),
    "a fall that is smaller than the horizon": (like(COUNT, horizon="(x + 1)**2"), "drift"),
    "steps ahead without a horizon": (like("a walk that is reflected", value="x - steps"), "speaks of steps"),
    "a parameter of steps": (Shown(up("steps", value="x - steps"), AT), "all different"),
    # names
    "a state that is a parameter": (Shown(up("x"), AT), "all different"),
    "a state that is an input": (like(ANY_ARRIVALS, inputs=("x",)), "all different"),
    "a total in a parameter's name": (like(TOKENS, parameters=("lam", "T_left")), "all different"),
    "a formula that ends its place": (Shown(up(exception="x <= 0, 0 <= 0"), AT), "unexpected ','"),
    "a formula that leaves its place": (Shown(up(exception="0 > 1), Or(0 < 1"), AT), "unexpected ')'"),
    "a term that leaves its place": (Shown(up(value="0) + (x"), AT), "unexpected ')'"),
    "contradictory parameters": (like("a walk that is reflected", given=("0 < up", "up < down", "down < up")), ""),
}


@pytest.mark.sliced(5)
@pytest.mark.parametrize("name", FALSE)
def test_no_false_chain_is_proved(name: str) -> None:
    shown, why = FALSE[name]
    verdict = shown.verdict(4.0)
    assert verdict.verdict == "unknown" and not verdict.axioms and verdict.certificate is None
    assert why in verdict.note


@pytest.mark.slow
def test_a_blank_row_is_one_whatever_rows_there_are() -> None:
    """A row p(i) from 1 to n says n >= 1; but with n = 0 there are states, without a row, and the walk goes up."""
    up, down = "3/4 - Min(n, 1)/2", "1/4 + Min(n, 1)/2"
    steps = ((up, "x + 1"), (f"({down})*Min(x, 1)", "x - 1"), (f"({down})*(1 - Min(x, 1))", "x"))
    rows = Chain(("n in naturals",), State(("x",), ("p",), "q"), tuple(
        Outcome({"x": then}, chance, {"p": "z"}) for chance, then in steps), ("p in functions",),
        row=("p(i) >= 1", "p(i) <= n"), blank={"p": "1"}, stay="-1", totals={"T": "p(i)"})
    least, most = (f"ForAll(i, And(floor(i) == i, i >= 1), {x})" for x in rows.row)
    known = ("foster-lyapunov: pos", "x in naturals")
    total = ("foster-lyapunov: sum", "x in naturals", "q in naturals")
    verdict = Shown(recurs(rows, "n", "x + T", "x + T < 1", "1/2", "1", let=("z(i) = 0*i",)),
                    ("x = 1", "q = 0", "n = 1", "p(i) = 1 + 0*i"), (), {
        "one": Line("p(1) >= 1", (least,), points=("1",)), "two": Line("p(1) <= n", (most,), points=("1",)),
        "pos": Line("n >= 1", ("foster-lyapunov: one", "foster-lyapunov: two")),
        "sum": Line("Sum(p(i), (i, 1, q)) >= q", ("q in naturals", least)),
        "left": Line("Sum(z(i), (i, 1, q)) == 0", ("q in naturals",)),
        "finite set": Line(by=total), "bounded below": Line(by=total), "blank row": Line(by=known[:1]),
        "drift": Line(by=(*known, *total, "foster-lyapunov: left"), cases=("x - 1",)), "chances": Line(by=known),
    }).verdict(30.0)
    assert verdict.verdict == "unknown" and "a blank row where there may be none" in verdict.note


# ---- certificates that are changed ----

def accepted(data: Any, wanted: Recurrence | None) -> bool:
    try:
        check_theorem(data, wanted)
    except KernelError:
        return False
    return True


@pytest.fixture(scope="module")
def queue() -> Verdict:
    return TRUE["a queue of two servers"].verdict()


def test_every_change_of_what_is_said_is_rejected(queue: Verdict) -> None:
    assert queue.certificate is not None
    data, claim = queue.certificate.data, TRUE[SERVERS].claim
    assert accepted(data, claim) and not accepted(data, TRUE["a walk that is reflected"].claim)
    for path, value in leaves(data["theorem"]):
        for other in ({"0": "-1"}.get(value, "0*x"), 7, None, ""):
            if other != value:
                assert not accepted(put(data, ("theorem", *path), other), claim), path
                if path[0] not in ("words", "parameters"):
                    assert not accepted(put(data, ("theorem", *path), other), None), (path, other)


@pytest.mark.later
def test_every_part_of_a_certificate_is_needed(queue: Verdict) -> None:
    assert queue.certificate is not None
    data = queue.certificate.data
    for where in (("obligations",), ("possible", "proof")):
        derivation = data[where[0]] if len(where) == 1 else data["possible"]["proof"]
        for n, step in enumerate(derivation["steps"]):
            for key, other in (("goal", "1 > 0"), ("label", "other"), ("verdict", "unknown"), ("certificate", None)):
                assert not accepted(put(data, (*where, "steps", n, key), other), None), (step["label"], key)
        for key in ("context", "let", "steps"):
            assert not accepted(put(data, (*where, key), []), None)
    witness, ways = data["witness"], data["possible"]["ways"]
    changes: list[tuple[tuple[str | int, ...], Any]] = [
        (("witness", "instance"), []), (("witness", "certificate"), None), (("possible", "under"), ["lam < 1"]),
        (("witness", "certificate"), derivation["steps"][0]["certificate"]), (("possible", "ways"), ways[:1]),
        (("possible", "proof"), witness["certificate"]), (("possible", "ways", 0, 1, 0, 0), "1"),
        (("possible", "ways", 0, 1, 0, 1), ["A = 1"]), (("possible", "ways", 0, 1), []),
        (("possible", "ways", 0, 0), []), (("possible", "ways", 0, 0), ["x = 2"])]
    for path, changed in changes:
        assert not accepted(put(data, path, changed), None), path
    for key in data:
        assert not accepted({k: v for k, v in data.items() if k != key}, None)
        assert not accepted({**data, key: None}, None)


def test_what_is_owed_is_made_from_the_chain() -> None:
    names = {x.partition(": ")[2] for x in owed(TRUE[TOKENS].claim).obligations}
    assert names == {"next", "rows left", "rows came", "mean", "blank row", "bounded below", "positive rate", "drift",
                     "finite set"}
    changed = owed(recurs(WALK, "up down", "x**2", "x < 1", "1", "1")).let
    assert "mean = (up)*((x + 1)**2) + (down*Min(x, 1))*((x - 1)**2) + (1 - up - down*Min(x, 1))*((x)**2)" in changed
    assert LIST.many == "m" and State(("x",)) == X
