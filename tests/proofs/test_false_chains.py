"""False chains by other routes: what ties a constant to the state, hides a path, or has no law; none is proved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from chain_uses import ARRIVES, COIN, QUEUE, TRUE, XY, Shown, X, fed, moves, recurs, split, whole

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State, at_instance, possible
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.proving.lines import Line

STAY = "(1 - Min(x, 1))/10"
UP = Chain((), X, moves(("9/10", "x + 1"), ("Min(x, 1)/10", "x - 1"), (STAY, "x")))
FAIR = Chain((), X, moves(("1/2", "x + 1"), ("Min(x, 1)/2", "x - 1"), ("(1 - Min(x, 1))/2", "x")))
AT = ("x = 3", "y = 1", "c = 3", "p = 1/8", "lam = 1/2", "n = 2", "D = 1", "g(i) = 4 + 0*i", "A = 1")
LOOSE: dict[str, Any] = {"value": "x", "exception": "x >= 0", "rate": "1", "most": "c"}
DRIFT: dict[str, Any] = {"value": "x", "exception": "x < 1", "rate": "1/10", "most": "1"}


def of(chain: Chain, parameters: str = "", said: dict[str, Any] = DRIFT, **more: Any) -> Recurrence:
    said = {**said, **{k: v for k, v in more.items() if k in (*said, "lowest", "let", "horizon")}}
    parts = [said.pop(k) for k in ("value", "exception", "rate", "most")]
    return recurs(chain, parameters, *parts, **said)


def up(**more: Any) -> Chain:
    return replace(UP, **more)


def ways(chain: Chain, height: str = "x", rise: str = "x", root: str = "0", before: str = "x - 1") -> Chain:
    return replace(chain, root={"x": root}, height=height, before={"x": before}, rise=rise)


def at(claim: Recurrence, **more: Any) -> Shown:
    return Shown(claim, AT, steps=more.pop("steps", split("x - 1")), **more)


CASES = {"way to the root": Line(cases=("x",)), "way from the root": Line(cases=("x",))}
FALSE: dict[str, Shown] = {
    # constants that follow the state, by another way
    "a definition of the state as the most": at(of(UP, "", LOOSE, most="w", let=("w = x",))),
    "a definition within a definition": at(of(UP, "", LOOSE, most="w", let=("v = x + 1", "w = 2*v"))),
    "a floor of the state as the most": at(of(UP, "", LOOSE, most="floor(x)")),
    "the larger of a constant and the state": at(of(UP, "c", LOOSE, most="Max(c, x)")),
    "a function symbol as the most": at(of(up(functions=("g in functions",)), "", LOOSE, most="g(1)")),
    "a function symbol that bounds the state": at(
        of(up(functions=("g in functions",), space=("x <= g(1)",)), "", LOOSE, most="g(1)")),
    "a function symbol among the conditions on parameters": at(
        of(up(functions=("g in functions",), given=("g(1) >= x",)), "", LOOSE, most="g(1)")),
    "a parameter that a quantifier ties to the states": at(
        of(up(given=("ForAll(x, Natural(x), x <= c)",)), "c", LOOSE)),
    "a parameter that exists for each state": at(
        of(up(given=("Exists(z, z >= 0, x <= z)",)), "c", LOOSE, most="z")),
    "a rate that an unbounded sum of the state hides": at(of(UP, "", rate="Sum(x, (i, 1, 1))")),
    "a rate of the number of steps": at(of(UP, "", rate="steps")),
    "a lower bound by the limit of the state": at(of(UP, "", value="-x", lowest="-(x + 1)")),
    "a lower bound that is a definition of the state": at(
        of(UP, "", value="-x", lowest="w", rate="8/10", let=("w = -x",))),
    "a parameter renamed in a definition": at(of(UP, "c", LOOSE, most="w", let=("w = c + x",))),
    "a definition that redefines a parameter": at(of(UP, "c", LOOSE, let=("c = x",))),
    "a definition of itself": at(of(UP, "", LOOSE, most="w", let=("w = w + x",))),
    "two definitions of one name": at(of(UP, "", LOOSE, most="w", let=("w = 3", "w = x"))),
    "a definition of the mean": at(of(UP, "", let=("mean = x - 1",))),
    "a definition of a state's name": at(of(UP, "", let=("x = 0",))),
    "a choice called as the state's bound": at(of(up(choices=("c >= x",)), "c", LOOSE), chosen=(("c = x",),)),
    "a choice that is a copy of the state": at(
        of(up(choices=("y == x",)), "", LOOSE, most="y"), chosen=(("y = x",),)),
    "a choice that bounds the state, in some states": at(
        of(up(choices=("y in naturals", "x <= y", "y <= 3")), "", LOOSE, most="3"), chosen=(("y = 3",), ("y = x",))),
    "a choice that exists by an empty disjunction": at(
        of(up(choices=("y in naturals", "x + y <= 3")), "", LOOSE, most="3"), chosen=()),
    "conditions under which nothing is left": at(
        of(up(given=("0 < p",), choices=("y in naturals", "x + y <= 3")), "p", LOOSE, most="3"),
        chosen=(("y = 0",),), under=("p < 0",)),
    "conditions on the state as ones on parameters": at(
        of(up(choices=("y in naturals", "x + y <= 3")), "", LOOSE, most="3"), chosen=(("y = 0",),), under=("x <= 3",)),
    # inputs
    "a mean that is a negative number": at(of(replace(
        QUEUE, given=(), moments={"A": "-1"}), "", rate="1"), law=COIN),
    "a mean that depends on what is chosen, without a law": at(
        of(Chain((), X, (fed("x"),), choices=("y <= -1",), inputs=("A",), input=("Natural(A)",), moments={"A": "y"}),
           "", rate="1"), law=whole("y"), chosen=(("y = -1",),)),
    "a mean of the state that no input below 2 has": at(
        of(Chain((), X, (Outcome({"x": "A"}, mean={"A": "1"}),), inputs=("A",), input=("Natural(A)", "A <= 1"),
                 moments={"A": "x/2"}), "", exception="x <= 1", rate="1/2"), law=whole("x/2")),
    "a law whose chances do not add up": at(
        of(QUEUE, "lam", rate="1 - lam"), law=(("1/2", ("A = 0",)), ("lam", ("A = 1",)))),
    "a law whose chances are no chances": at(
        of(replace(QUEUE, given=("lam == -1",)), "lam", rate="1 - lam"), law=COIN),
    "a law that ends its brackets": at(
        of(QUEUE, "lam", rate="1 - lam"), law=(("1) == 1, (0", ("A = 7",)),)),
    "a law at values that are no input": at(
        of(QUEUE, "lam", rate="1 - lam"), law=(("1", ("A = lam",)),)),
    "a second moment below the first": at(
        of(replace(QUEUE, moments={"A": "lam", "A**2": "lam/2"}), "lam", rate="1 - lam"), law=COIN),
    "moments that say what they like": at(
        of(replace(FAIR, outcomes=(Outcome({"x": "x + A"}, mean={"": "x", "0*A + 1": "-1"}),), inputs=("A",),
                   input=("Natural(A)",), moments={"0*A + 1": "1"}), "", rate="1"), law=(("1", ("A = 1",)),)),
    "a choice that knows what will come": at(
        of(Chain(("0 <= lam", "lam <= 1"), X, (fed("x - D"),), choices=("D in naturals", "D <= x", "D >= A"),
                 **ARRIVES), "lam", rate="1"), law=COIN, chosen=(("D = A",),)),
    "an input that a definition ties to the state": at(
        of(replace(QUEUE, input=("Natural(A)", "A <= w")), "lam", rate="1 - lam", let=("w = x",)), law=COIN),
    # transitions
    "a step to a number that is none": at(of(Chain((), X, moves(("1", "x + 1/2"))), "", LOOSE, most="1")),
    "a step out of the space": at(of(up(space=("x <= c",)), "c", LOOSE)),
    "a space of no state": at(of(up(space=("x <= c", "x >= c + 1")), "c", LOOSE)),
    "parameters of which there are none": at(of(up(given=("c < 0", "c > 0")), "c", LOOSE)),
    "chances that hide a negative one": at(of(Chain((), X, moves(("3/2", "x"), ("-1/2", "x + 1"))), "", rate="1/2")),
    "chances below one that the mean forgets": at(of(Chain((), X, moves(("1/2", "x + 1"), ("1/4", "0"))), "")),
    "a chance without a value at 0": at(of(Chain((), X, moves(("1/x", "x - 1"), ("1 - 1/x", "x + 1"))), "")),
    # functions
    "a function of logarithms": at(of(FAIR, "", value="log(x + 1)", rate="1/10")),
    "a function that is not defined at 0": at(of(FAIR, "", value="-1/x", lowest="-1")),
    "a function that is bounded, of a walk that leaves": at(
        of(UP, "", value="1/(x + 1)", rate="1/1000", exception="x < 2", most="2")),
    "a finite set of all even numbers": at(of(UP, "", exception="floor(x/2) == x/2", most="2")),
    "a finite set by what is undefined": at(of(UP, "", exception="1/(x - 3) > 0", most="2")),
    "a finite set by a quantifier": at(of(UP, "c", LOOSE, exception="ForAll(x, Natural(x), x <= c)")),
    # ways
    "a way to the root through what has no chance": at(
        of(ways(Chain((), X, moves(("0", "x - 1"), ("1/2", "x"), ("1/2", "x + 1")))), "", LOOSE, most="1"),
        steps=CASES),
    "a way back that starts outside the space": at(
        of(ways(replace(TRUE["a walk that is reflected"].claim.chain), before="x + 1"), "up down", rate="down - up")),
    "a way that only grows": at(of(ways(UP, height="0*x", rise="x"), "", LOOSE, most="1"), steps=CASES),
    "two classes, of even and of odd numbers": at(
        of(ways(Chain((), X, moves(("Min(floor(x/2), 1)", "x - 2"), ("1 - Min(floor(x/2), 1)", "x"))), height="x"),
           "", exception="x < 2", rate="1", most="2"), steps={**split("x - 2"), **CASES}),
    # horizons
    "a horizon without a bound by a number": at(of(UP, "", horizon="x/2 + 1")),
    "a horizon that is not natural where the state is 3": at(of(UP, "", horizon="1 + Abs(x - 3)/2")),
    "a horizon of a choice": at(of(up(choices=("y in naturals",)), "", horizon="y + 1"), chosen=(("y = 0",),)),
    "a function of the steps that does not start as itself": at(
        of(UP, "", value="x*Max(0, 1 - steps)", horizon="2"), steps={"steps ahead": Line(cases=("steps - 1",))}),
    "rows whose number follows a name of the state": Shown(recurs(
        Chain((), State(("x",), ("p",), "x"), (Outcome({"x": "x + 1"}, "1", {"p": "p"}),), ("p in functions",),
              stay="1", blank={"p": "0"}), "", "x", "x >= 0", "1", "1"), (*AT, "p(i) = 0*i")),
    "two scalars of one name": Shown(recurs(Chain((), State(("x", "x")), moves(("1", "x + 1"))), "", "x", "x < 1",
                                            "1", "1"), AT),
    "a walk in the plane that leaves by the other axis": Shown(recurs(
        Chain((), XY, (Outcome({"x": "x - 1"}, "Min(x, 1)/2"), Outcome({"y": "y + 1"}, "1 - Min(x, 1)/2"))), "",
        "x", "x < 1", "1/2", "1"), AT, (), split("x - 1")),
}


@pytest.mark.sliced(4)
@pytest.mark.parametrize("name", FALSE)
def test_none_is_proved(name: str) -> None:
    verdict = FALSE[name].verdict(3.0)
    assert verdict.verdict == "unknown" and verdict.certificate is None, verdict


@pytest.mark.parametrize("name", [n for n, shown in FALSE.items() if shown.claim.chain.choices])
def test_none_is_proved_by_what_holds_at_one_state(name: str) -> None:
    """Without a way for every state a chain may be none at all: that there is one is then assumed, and said to be."""
    shown = FALSE[name]
    verdict = replace(shown, claim=replace(shown.claim, assumed=True), law=(), chosen=((),)).verdict(3.0)
    assert verdict.verdict == "unknown" or "satisfiable: unknown" in verdict.title
    assert verdict.verdict == "unknown" or "given that in every state there is a choice" in verdict.statement


NOWHERE = "ForAll(k, {}**2 >= 0, k >= 3 + x)"  # of a real number in the place of {}: x <= -3


@pytest.mark.parametrize("put", [
    {"functions": ("h in functions",), "choices": (NOWHERE.format("h(k)"),)},
    {"choices": (NOWHERE.format("(u + k)"),)}])
def test_a_way_gives_what_is_chosen_a_value(put: Any) -> None:
    """Where it has none, a condition on it selects nothing, and is met by what no choice can be."""
    claim = of(up(**put), "", exception="x < 0")
    way = ("h(k) = sqrt(k - 3 - x)",) if "functions" in put else ("u = sqrt(-1)",)
    if "functions" in put:
        for door in (lambda: possible(claim, [(way, [("1", ())])]), lambda: at_instance(claim, ("x = 0", *way), ())):
            with pytest.raises(KernelError, match="not defined everywhere"):
                door()
    else:
        assert "u_1 == u_1" in possible(claim, [(way, [("1", ())])]).obligations["foster-lyapunov: possible"]
        assert "u == u" in at_instance(claim, ("x = 0", *way), ()).goal
