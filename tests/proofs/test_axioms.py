"""Theorems that rest on axioms: true uses are proved, and a false one finds no way round what it owes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from theorem_uses import (
    BOUND,
    BUSY,
    CLUSTER,
    DOWN,
    FALLS,
    FLAT,
    FLUID,
    GROWN,
    IDLE,
    LEAPS,
    NEAR,
    NEAR_IT,
    START,
    STRONG,
    TOSS,
    WORK,
    ZEROS,
    Shown,
    clustering,
    drawn,
    limiting,
    smooth,
    steps,
    workload,
)

from qtheory.proofs.axiomatic import check_theorem, lines, said
from qtheory.proofs.claims.axioms import ANY, AXIOMS, CONSTANT
from qtheory.proofs.claims.to.models.instability import slots, total
from qtheory.proofs.proving.lines import Line

TRUE = {**STRONG, **FLUID, **CLUSTER}
QUICK = 2.5  # seconds of work for what is false


@pytest.mark.sliced(4)
@pytest.mark.parametrize("name", TRUE)
def test_textbook_uses_are_proved(name: str) -> None:
    shown = TRUE[name]
    verdict = shown.verdict()
    assert (verdict.verdict, verdict.axioms) == ("proved", tuple(u.axiom for u in shown.theorem.uses)), verdict.note
    given = (*shown.theorem.where, *shown.theorem.let, *(w for u in shown.theorem.uses for w in u.words.values()))
    assert all(text in verdict.statement for text in (*given, shown.theorem.goal))
    assert verdict.certificate is not None and check_theorem(verdict.certificate.data, shown.theorem) == shown.theorem


def test_the_axioms_name_their_source_and_nobody_s_symbols() -> None:
    for name in ("strong-law", "dai-weiss", "bolzano-weierstrass", "arzela-ascoli"):
        axiom = AXIOMS[name]
        assert axiom.source and axiom.says and axiom.hypotheses and set(axiom.terms.values()) <= {ANY, CONSTANT}
        assert bool(axiom.words) == bool(axiom.tossed)  # what stays words is held to a witness


def test_what_is_no_formula_stands_in_the_statement() -> None:
    shown = lines(STRONG["an overloaded queue grows without bound"].theorem)
    assert shown[0].startswith("with probability 1, ForAll(h,")
    assert shown[1] == "for all m, c, d; 2*d == m - c; m > c"  # the parameters first, with conditions of their own
    assert shown[2].startswith("for all random v, q in functions; ForAll(l,")
    assert any(x.startswith("given that draw(1), draw(2), ... are independent and identically") for x in shown)
    assert {"with draw(l) = v(l)", "with mean = m"} <= set(shown)
    assert not any("given that" in x for name in (*FLUID, *CLUSTER) for x in lines(TRUE[name].theorem))
    assert said(CLUSTER["a bounded sequence is near some point"].theorem) == f"for some cluster1, {NEAR_IT}"


def test_a_statement_as_written_by_hand() -> None:
    """A condition on parameters alone stands with these, though it speaks of them by a definition; what exists comes
    after all that is given."""
    shown = Shown(drawn(("k <= 1", slots("v(l) <= 2*k")), "m <= 2*k", ("m",), let=("k = m/2",)), TOSS)
    assert shown.verdict(QUICK).statement == """with probability 1, m <= 2*k
for all m; k <= 1
for all random v in functions; ForAll(l, And(Integer(l), l >= 1), v(l) <= 2*k)
where k = m/2
given that draw(1), draw(2), ... are independent and identically distributed random variables: the draws of the example
given that their mean exists, is finite, and is the number mean: their mean
with draw(l) = v(l)
with mean = m"""
    assert lines(CLUSTER["two sequences have a point at the same times"].theorem) == (
        "for all c",
        "for all x, y in functions; ForAll(n, And(Integer(n), n >= 1), And(x(n) <= c, -c <= x(n))); "
        "ForAll(n, And(Integer(n), n >= 1), And(y(n) <= c, -c <= y(n)))",
        "for some cluster1, for some cluster2, ForAll(e, e > 0, Exists(n, And(Integer(n), n >= 1), "
        "And(x(n) - cluster1 <= e, y(n) - cluster2 <= e)))")


# ---- false theorems, and true ones for false reasons ----

def not_drawn(*where: str, goal: str = NEAR, instance: tuple[str, ...] = TOSS, more: tuple[str, ...] = (),
              **how: Any) -> Shown:
    return Shown(drawn(where, goal, **how), (*instance, *more))


def tied(condition: str, *where: str, instance: tuple[str, ...] = TOSS) -> tuple[Shown, str]:
    """Draws that are tied: no independent tosses meet the condition."""
    return not_drawn(condition, *where, instance=instance), f"not proved: {condition} "


EMPTY = "ForAll(n, And(n > 0, n < 0), v(1) > 5)"
FALSE_DRAWS: dict[str, tuple[Shown, str]] = {
    "a mean that is the index": (not_drawn("m == l"), "m == l speaks of l"),
    "a mean that is every index": tied(slots("m == l")),
    "a mean that depends on a free index": (not_drawn("m <= 1/(1 + l)"), "speaks of l"),
    "a mean that is a draw": (not_drawn(mean="v(1)"), "mean speaks of v"),
    "a mean that no parameter is": (not_drawn(parameters=()), "mean speaks of m"),
    "a parameter that is a function": (not_drawn(parameters=("m", "v")), "or a function"),
    "a parameter that a state decides": (not_drawn("m == w(k)", functions="v, w"), "speaks of k"),
    "draws that count": tied(slots("v(l) == l")),
    "each draw one more than the last": tied(slots("v(l + 1) == v(l) + 1")),
    "draws that are all the first one": tied(slots("v(l) == v(1)")),
    "draws that are the mean": tied(slots("v(l) == m")),
    "draws that alternate": tied(slots("v(l + 1) == 2*m - v(l)")),
    "two draws of which one is zero": tied("Or(v(1) == 0, v(2) == 0)"),
    "two draws of which one is not": tied("v(1) + v(2) > 0"),
    "a first draw that is known": tied("v(1) == 2"),
    "draws that bring the conclusion with them": tied(
        f"ForAll(n, And(Integer(n), n >= 1), {total('v(l)')} >= m*n - 1)"),
    "draws that follow a path of their own": tied(slots("v(l) == w(l)", "w(l + 1) == w(l)").replace("w", "v")),
    "a negative mean of what is not negative": tied(slots("v(l) >= 0"), "m < 0", instance=DOWN),
    "a mean above all draws": tied(slots("v(l) <= 1"), "m > 1", instance=("low = 0", "high = 3", *TOSS[2:3], "m = 2")),
    "a mean that is another one": tied("m == 5", slots("Or(v(l) == 0, v(l) == 2)")),
    "what is never random": (not_drawn(draw="v(l) - v(l)", goal="m == m"), "not proved: draws"),
    "half of what is drawn": (not_drawn(draw="2*v(l)", goal="m == m"), "not proved: draws"),
    "draws without a value": (not_drawn(draw="1/v(l)"), "not proved: strong-law: draws"),
    "a level that the sums do not fall below": (
        not_drawn("m < 0", goal=FALLS.replace("h >= 0", "h >= m"), instance=DOWN), "not proved: conclusion"),
    "a fall without a negative mean": (not_drawn("m <= 0", goal=FALLS), "not proved: conclusion"),
    "a draw of another index": (not_drawn(draw="v(l) + n"), "draw(l) speaks of n"),
    "a definition with the axiom's variable": (not_drawn(draw="v(l) + k", let=("k = n",)), "draw(l) speaks of n"),
    "an index that is the axiom's, as a parameter": (
        not_drawn(draw="v(l) + n", parameters=("m", "n"), more=("n = 0",)), "is bound here and free in a definition"),
    "a definition of the axiom's symbol": (not_drawn(let=("mean = m + 1",)), "uses a symbol of the axiom"),
    "a condition on the axiom's symbol": (not_drawn("draw(1) >= 0"), "uses a symbol of the axiom"),
    "a goal with the axiom's symbol": (not_drawn(goal="mean == m"), "uses a symbol of the axiom"),
    "a goal with a variable of nobody": (not_drawn(goal=NEAR.replace("(m - e)", "(y - e)")), "speaks of y"),
    "a goal of which nothing is asked": (not_drawn(goal=EMPTY), "not proved: met: Exists(n, "),
    "a goal that is false": (not_drawn(goal="0 > 1"), "not proved: conclusion"),
}


def not_empty(why: str, *args: Any, instance: tuple[str, ...] = IDLE, more: tuple[str, ...] = (),
              **how: Any) -> tuple[Shown, str]:
    return Shown(workload(*args, **how), (*instance, *more), steps()), why


GOAL = "ForAll(t, And(t >= 0, (c - a)*t >= w(0)), w(t) == 0)"
JUMPS = GROWN.format("B", "c")
FALSE_ENDS: dict[str, tuple[Shown, str]] = {
    "a rate that depends on the time": not_empty("rate speaks of t", rate="(c - a)/(1 + t)"),
    "a rate that is the slope": not_empty("rate speaks of B, t", rate="diff(B(t), t) - a"),
    "a rate that is a function's value": not_empty("rate speaks of B", rate="B(1)"),
    "a rate that is no parameter": not_empty("speaks of c", parameters=("a",)),
    "a rate below what a free time decides": not_empty("speaks of t", more_where=("c - a <= 1/(1 + t)",)),
    "a rate below what every time decides": not_empty("not proved: ForAll(t", more_where=(
        "ForAll(t, t >= 0, c - a <= 1/(1 + t))",)),
    "a rate of nothing": not_empty("positive rate", rate="0*c"),
    "a rate of any sign": not_empty("positive rate", without="a < c"),
    "a rate that is too fast": not_empty("drift", rate="2*c - a"),
    "a growth that depends on the time": not_empty("growth speaks of t", growth="a + t"),
    "a growth that is another one": not_empty("sum", growth="a/2"),
    "a weight of the other sign": not_empty("sum", weight1="1"),
    "a weight that is a value": not_empty("weight1 speaks of B", weight1="-B(1)"),
    "another part": not_empty("sum", part1="2*B(t)"),
    "a part that is not Lipschitz": not_empty("Lipschitz 1", without=JUMPS),
    "a part that may fall as it likes": not_empty("Lipschitz 1", without=JUMPS, more_where=(
        JUMPS.replace("B(t) - B(s) >= 0, ", "B(t) >= 0, "),)),
    "a part that jumps at one time": not_empty("Lipschitz 1", without=JUMPS, more_where=(
        JUMPS.replace("ForAll(s, And(0 <= s,", "ForAll(s, And(1 <= s,"),)),
    "a pace that is too slow": not_empty("Lipschitz 1", pace="c/2"),
    "a pace that depends on the time": not_empty("pace speaks of t", pace="c*t"),
    "a level that may be negative": not_empty("nonnegative", without=WORK, more_where=(
        "ForAll(t, t >= 0, w(t) == w(0) + a*t - B(t))",)),
    "a level that is negative once": not_empty("nonnegative", without=WORK, more_where=(
        "ForAll(t, t >= 0, And(w(t) == w(0) + a*t - B(t), Or(t == 2, w(t) >= 0)))",)),
    "a server that idles": not_empty("drift", without=BUSY),
    "a server that idles at one level": not_empty("drift", without=BUSY, more_where=(
        BUSY.replace("Or(w(t) <= 0,", "Or(w(t) <= 0, w(t) == 1,"),)),
    "a server that begins late": not_empty("drift", without=BUSY, more_where=(BUSY.replace("t > 0", "t > 1"),)),
    "a server that works where another one is smooth": not_empty("drift", without=BUSY, more_where=(
        BUSY.replace(smooth("B"), smooth("B", "V")),), functions="w, B, V"),
    "a server that works at no time": not_empty("drift", without=BUSY, more_where=(
        BUSY.replace("t > 0", "t < 0"),)),
    "a server that works where its slope is known": not_empty("drift", without=BUSY, more_where=(
        BUSY.replace("Abs(diff(B(t), t)) >= 0", "diff(B(t), t) == c"),)),
    "an end before the first value over the rate": not_empty("not proved: conclusion",
                                                             GOAL.replace("(c - a)*t", "c*t")),
    "an end at once": not_empty("not proved: conclusion", "ForAll(t, t >= 0, w(t) == 0)"),
    "an end of all that is below a level": not_empty("not proved: conclusion", GOAL.replace("w(0)", "1")),
    "a weight without a part": not_empty("its terms are", weight2="1"),
    "an axiom's symbol as a function": not_empty("uses a symbol of the axiom", more_where=(
        "ForAll(t, t >= 0, load(t) >= 0)",)),
}
BESIDE = BOUND.replace("x(n) <= c, -c <= x(n)", "x(n) <= c")
CONVERGES = ("ForAll(e, e > 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), And(x(n) - cluster1 <= e, "
             "cluster1 - x(n) <= e))))")


def no_point(why: str, goal: str = NEAR_IT, more: tuple[str, ...] = (), **how: Any) -> tuple[Shown, str]:
    return Shown(clustering(goal, **how), (*ZEROS, *more), {"conclusion": Line(points=("e", "1"))}), why


def no_limit(why: str, goal: str = "ForAll(e, e > 0, cluster1(0) <= c + e)", more: tuple[str, ...] = (),
             **how: Any) -> tuple[Shown, str]:
    return Shown(limiting(goal, **how), (*FLAT, *more), {"conclusion": Line(points=("e", "1", "0"))}), why


FALSE_POINTS: dict[str, tuple[Shown, str]] = {
    "a sequence without a bound": no_point("bounded 1", where=("c > 0",)),
    "a bound from above": no_point("bounded 1", where=(BESIDE,)),
    "a bound of each second one": no_point("bounded 1", where=(BOUND.replace("x(n)", "x(2*n)"),)),
    "a bound from some time on": no_point("bounded 1", where=(BOUND.replace("n >= 1", "n >= 7"),)),
    "a bound that is the index": no_point("most speaks of n", most="n"),
    "a bound that is a value": no_point("most speaks of x", most="x(1)"),
    "a bound that is a free index's": no_point("speaks of n", where=(BOUND, "c >= n")),
    "a bound that is every index's": no_point("not proved", where=(BOUND, slots("c >= l"))),
    "a bound that is negative": no_point("not proved", where=(BOUND, "c < 0")),
    "another sequence": no_point("bounded 1", where=(BOUND.replace("x(", "y("),), functions="x, y"),
    "a point that the conditions know": no_point("uses a symbol", where=(BOUND, "cluster1 == 0")),
    "a point that is a parameter": no_point("uses a symbol", parameters=("c", "cluster1")),
    "a point that a definition knows": (Shown(replace(clustering(NEAR_IT), let=("k = cluster1",)), ZEROS),
                                        "uses a symbol"),
    "a second point of one sequence": no_point("speaks of cluster2", "cluster1 == cluster2"),
    "two sequences with one point": no_point("not proved: conclusion", "cluster1 == cluster2", where=(
        BOUND, BOUND.replace("x(", "y(")), functions="x, y", sequence2="y(n)", more=("y(n) = 0*n",)),
    "a sequence that converges": no_point("not proved: conclusion", CONVERGES),
    "a point that is a value": no_point("not proved: conclusion", "cluster1 == x(1)"),
    "a point above the sequence": no_point("not proved: conclusion", "cluster1 > c"),
    "a point at the bound": no_point("not proved: conclusion", "cluster1 == c"),
    "a sequence at a free index": no_point("sequence1(n) speaks of k", sequence1="x(n + k)"),
}
FALSE_LIMITS: dict[str, tuple[Shown, str]] = {
    "functions without a pace": no_limit("Lipschitz 1", where=(START,)),
    "functions without a bound": no_limit("bounded 1", where=(LEAPS,)),
    "a pace for each function": no_limit("pace speaks of n", pace="p*n"),
    "a pace that is a function": no_limit("pace speaks of q", pace="q(1)", functions="g, q"),
    "a pace that depends on the time": no_limit("pace speaks of t", pace="p*t"),
    "a pace for each function, in the conditions": no_limit(
        "Lipschitz 1", where=(START, LEAPS.replace("p*(", "p*n*("))),
    "a pace from one time on": no_limit("Lipschitz 1", where=(START, LEAPS.replace("0 <= s,", "1 <= s,"))),
    "a pace of rises alone": no_limit("Lipschitz 1", where=(START, LEAPS.replace("g(n, s) - g(n, t) <= p*(t - s)",
                                                                                "p*(t - s) >= 0"))),
    "a pace in the other argument": no_limit("bounded 1", path="g(t, n)"),
    "a bound at another time": no_limit("bounded 1", where=(START.replace("g(n, 0)", "g(n, 1)"), LEAPS)),
    "a bound of the first one": no_limit("bounded 1", where=("And(g(1, 0) <= c, -c <= g(1, 0))", LEAPS)),
    "a bound that is a value": no_limit("most speaks of g", most="g(1, 0)"),
    "a bound below a free time": no_limit("speaks of t", where=(START, LEAPS, "c >= t")),
    "a limit that the conditions know": no_limit("uses a symbol", where=(START, LEAPS, "cluster1(0) == 5")),
    "a limit that is a function of the claim": no_limit("uses a symbol", functions="g, cluster1"),
    "a limit that is a path": no_limit("not proved: conclusion", "ForAll(t, t >= 0, cluster1(t) == g(1, t))"),
    "a limit at the bound": no_limit("not proved: conclusion", "cluster1(0) == c"),
    "a limit beyond the bound": no_limit("not proved: conclusion", "cluster1(0) > c"),
    "a limit that is near in the end": no_limit(
        "not proved: conclusion", "ForAll(e, e > 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), "
        "cluster1(0) - g(n, 0) <= e)))"),
    "a limit that is near at all times": no_limit(
        "not proved: conclusion", "ForAll(e, e > 0, Exists(n, And(Integer(n), n >= 1), ForAll(t, t >= 0, "
        "cluster1(t) - g(n, t) <= e)))"),
}
ATTACKS = {"strong-law": FALSE_DRAWS, "dai-weiss": FALSE_ENDS, "bolzano-weierstrass": FALSE_POINTS,
           "arzela-ascoli": FALSE_LIMITS}
EVERY = [(axiom, name) for axiom, attacks in ATTACKS.items() for name in attacks]


@pytest.mark.sliced(24)
@pytest.mark.studied(3, "dai-weiss: a rate of nothing")
@pytest.mark.parametrize("axiom, name", EVERY, ids=[f"{a}: {n}" for a, n in EVERY])
def test_attacks_fail_where_they_should(axiom: str, name: str) -> None:
    shown, why = ATTACKS[axiom][name]
    verdict = shown.verdict(QUICK)
    assert verdict.verdict == "unknown" and not verdict.axioms and verdict.certificate is None
    assert why in verdict.note


def test_there_are_twenty_attacks_on_each_axiom() -> None:
    assert all(len(attacks) >= 20 for attacks in ATTACKS.values())


# ---- witnesses that are none ----

LOOSE = drawn((slots("w(l) >= v(l)"),), NEAR, functions="v, w")
BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "a parameter that is left open": (("low = 0", "high = 2", "v(l) = coin(l)", "w(l) = 2 + 0*l"), "leaves m open"),
    "a parameter that is tossed": (("low = 0", "high = 2", "m = coin(1)", "v(l) = coin(l)", "w(l) = 2 + 0*l"),
                                   "leaves m open"),
    "a value of the coin that is tossed": (("low = 0", "high = coin(1)", *TOSS[2:], "w(l) = 2 + 0*l"),
                                           "leaves high open"),
    "a coin with one side": (("low = 1", "high = 1", *TOSS[2:], "w(l) = 2 + 0*l"), "not proved: low"),
    "a mean that the coin has not": (("low = 2", "high = 3", *TOSS[2:], "w(l) = 3 + 0*l"), "not proved: low"),
    "draws that are no tosses": (("low = 0", "high = 2", "v(l) = 1 + 0*l", "m = 1", "w(l) = 2 + 0*l"),
                                 "not proved: draws"),
    "tosses that are moved": (("low = 0", "high = 2", "v(l) = coin(l + 1)", "m = 1", "w(l) = 2 + 0*l"),
                              "not proved: draws"),
    "a function that is left open": (TOSS, "w: is not a known function"),
    "a function with a variable of nobody": ((*TOSS, "w(l) = 2 + 0*l + y"), "speaks of y"),
    "a function that is not defined everywhere": ((*TOSS, "w(l) = 2 + 1/l"), "not defined everywhere"),
    "a sum, which is not defined everywhere": ((*TOSS, "w(l) = 2 + Sum(coin(k), (k, 1, l))"), "not defined everywhere"),
    "a function that begins nowhere": ((*TOSS, "w(l + 1) = 2"), "the definition"),
    "a function by its next value": ((*TOSS, "w(1) = 2; w(l + 1) = w(l + 2)"), "not defined by what stands before"),
    "a function by itself": ((*TOSS, "w(1) = 2; w(l + 1) = w(l + 1) + 1"), "not defined by what stands before"),
    "a first value by a later one": ((*TOSS, "w(1) = w(2); w(l + 1) = 2"), "not defined by what stands before"),
    "a step without a value": ((*TOSS, "w(1) = 2; w(l + 1) = 1/(w(l) - 2)"), "not defined everywhere"),
    "a step that is a condition": ((*TOSS, "w(1) = 2; w(l + 1) = 2) == 0 + (3"), "not defined everywhere"),
    "a function that is defined twice": ((*TOSS, "w(1) = 2; w(l + 1) = 2", "w(1) = 3; w(l + 1) = 3"), "defined twice"),
    "a coin that is defined": ((*TOSS, "coin(1) = 2; coin(l + 1) = 2", "w(l) = 2 + 0*l"), "defined twice"),
    "steps of another kind": ((*TOSS, "w(0) = 2; w(l + 1) = 2"), "not w(1) = a"),
}


@pytest.mark.parametrize("name", BAD)
def test_witnesses_that_show_nothing(name: str) -> None:
    instance, why = BAD[name]
    verdict = Shown(LOOSE, instance, met={slots("w(l) >= v(l)"): Line(points=("l",))}).verdict(QUICK)
    assert verdict.verdict == "unknown" and why in verdict.note


def test_the_same_theorem_with_a_witness() -> None:
    for w in ("w(l) = 2 + 0*l", "w(1) = 2; w(l + 1) = w(l) + coin(l)"):
        more = {"least": Line(slots("w(l) >= 2"), way="induction")}
        shown = Shown(LOOSE, (*TOSS, w), met={**more, slots("w(l) >= v(l)"): Line(points=("l",))})
        assert shown.verdict().verdict == "proved"


def test_an_axiom_of_nobody_is_unknown() -> None:
    shown = STRONG["averages tend to the mean"]
    changes: list[dict[str, Any]] = [{"axiom": "oracle"}, {"words": {}}, {"terms": {}},
                                     {"words": {**shown.theorem.uses[0].words, "oracle": "yes"}}]
    for change in changes:
        use = replace(shown.theorem.uses[0], **change)
        verdict = replace(shown, theorem=replace(shown.theorem, uses=(use,))).verdict(QUICK)
        assert verdict.verdict == "unknown" and ("no axiom" in verdict.note or "its terms are" in verdict.note)


def test_a_step_rests_on_what_stands_before_it() -> None:
    shown = STRONG["averages tend to the mean"]
    other = replace(shown, steps={"conclusion": Line(by=("m > 7",))})
    assert "neither a condition nor proved before" in other.verdict(QUICK).note


def test_no_guard_of_the_goal_is_empty() -> None:
    """A goal about nothing is true, and says nothing."""
    for guard in ("And(n > 0, n < 0)", "And(Integer(n), n > m, n < m)", "n > n"):
        shown = not_drawn(goal=f"ForAll(n, {guard}, {total('v(l)')} > 5)")
        note = shown.verdict(QUICK).note
        assert "not proved: met: Exists(n" in note or "not proved: conclusion" in note
    # met along some tosses alone
    apart = not_drawn(goal="And(m >= m, ForAll(n, And(Integer(n), n >= 1, v(n) > 1), v(n) > 0))")
    assert "not proved: met: Exists(n" in apart.verdict(QUICK).note
