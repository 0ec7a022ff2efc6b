"""What is positive recurrent comes back: the axiom's true uses, and false ones that find no way round what it owes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from theorem_uses import IID, Shown

from qtheory.proofs.axiomatic import check_theorem, lines
from qtheory.proofs.claims.axioms import ANY, RETURNS, Theorem, Use
from qtheory.proofs.claims.to.models.instability import slots
from qtheory.proofs.proving.lines import Line

QUICK = 2.5  # seconds of work for what is false
COIN = ("low = 0", "high = 2", "x(l) = coin(l)")
WORDS = {"chain": "x(n) is the queue of the example, which is irreducible and positive recurrent"}
AGAIN = "ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), x(n) == level))"
LATE = "Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), {}))"
BELOW = AGAIN.replace("x(n) == level", "x(n) <= level")


def returning(*where: str, goal: str = AGAIN, size: str = "x(n)", functions: str = "x",
              words: Mapping[str, str] = WORDS, parameters: tuple[str, ...] = (), let: tuple[str, ...] = ()) -> Theorem:
    return Theorem((f"{functions} in functions", *where), parameters,
                   (Use(RETURNS.name, {"size(n)": size}, words),), let, goal)


TRUE: dict[str, Shown] = {
    "a queue comes back to a length": Shown(returning(), COIN),
    "and so does not tend to infinity": Shown(returning(goal=BELOW), COIN),
    "nor does twice its length": Shown(
        returning(goal=AGAIN.replace("x(n) == level", "2*x(n) == 2*level")), COIN),
    "nor does its length beside a constant": Shown(
        returning("c >= 0", size="x(n)", goal=AGAIN.replace("x(n) == level", "x(n) + c == level + c"),
                  parameters=("c",)), (*COIN, "c = 1")),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_uses_are_proved(name: str) -> None:
    verdict = TRUE[name].verdict()
    assert (verdict.verdict, verdict.axioms) == ("proved", (RETURNS.name,)), verdict.note
    assert verdict.certificate is not None
    assert check_theorem(verdict.certificate.data, TRUE[name].theorem) == TRUE[name].theorem


def test_the_axiom_is_said_with_its_words() -> None:
    assert RETURNS.source and RETURNS.says and set(RETURNS.terms.values()) == {ANY}
    shown = lines(TRUE["a queue comes back to a length"].theorem)
    assert shown[-1] == f"with probability 1, for some level, {AGAIN}"  # after all that is given
    assert any("that is irreducible and positive recurrent: x(n) is the queue of the example" in x for x in shown)


def false(why: str, *where: str, instance: tuple[str, ...] = COIN, more: tuple[str, ...] = (),
          **how: Any) -> tuple[Shown, str]:
    return Shown(returning(*where, **how), (*instance, *more), {"conclusion": Line(points=("N",))}), why


def tied(condition: str) -> tuple[Shown, str]:
    """A condition that no two tosses meet."""
    return Shown(returning(condition), COIN), f"not proved: {condition} "


END = "not proved: conclusion"
ATTACKS: dict[str, tuple[Shown, str]] = {
    "it is bounded": false(END, goal=slots("x(l) <= level")),
    "it stays where it was": false(END, goal="Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), x(n) == level))"),
    "it comes back to where it began": false(END, goal="level == x(1)"),
    "it is never elsewhere": false(END, goal="ForAll(n, And(Integer(n), n >= 1), x(n) == level)"),
    "it comes back to 0": false(END, goal="level == 0"),
    "it comes back to a negative number": false(END, goal="level < 0"),
    "it comes back within ten slots": false(
        END, goal="ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N, n <= N + 10), x(n) == level))"),
    "it comes back at even times": false(
        END, goal="ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), x(2*n) == level))"),
    "it falls below its level": false(
        END, goal="ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), x(n) < level))"),
    "another function comes back": false(END, goal=AGAIN.replace("x(n)", "y(n)"), functions="x, y",
                                         more=("y(n) = n",)),
    "two levels are one": false("speaks of level2", goal="level == level2"),
    "a walk that rises": tied(slots("x(l + 1) >= x(l) + 1")),
    "a walk that counts": tied(slots("x(l) == l")),
    "a walk that stands": tied(slots("x(l) == x(1)")),
    "a walk that alternates": tied(slots("x(l + 1) == 2 - x(l)")),
    "a start that is known": tied("x(1) == 0"),
    "a walk that is elsewhere": tied(slots("x(l) == 7")),
    "a chain of one state": false("not proved: two values", instance=("low = 1", "high = 1", "x(l) = coin(l)")),
    "an instance that is no chain": false("not proved: tosses", instance=("low = 0", "high = 2", "x(l) = l")),
    "an instance that stands": false("not proved: tosses", instance=("low = 0", "high = 2", "x(l) = 1 + 0*l")),
    "an instance that is moved": false("not proved: tosses", instance=("low = 0", "high = 2", "x(l) = coin(l + 1)")),
    "a coin that counts": false("coin has a meaning", slots("x(l + 1) >= x(l) + 1"), instance=(
        "low = 0", "high = 2", "coin(l) = l", "x(l) = coin(l)")),
    "a size that the instance says": false("size has a meaning", instance=(
        "low = 0", "high = 2", "x(l) = l", "size(n) = coin(n)")),
    "a size that is moved by the time": false(
        END, goal="ForAll(h, h >= 0, Exists(n, And(Integer(n), n >= 1), x(n) < -h))", size="x(n) + n",
        instance=("low = 0", "high = 2", "x(l) = coin(l) - l")),
    "the average tends to the level": false(END, goal=LATE.format("Sum(x(l), (l, 1, n)) <= 2*level*n")),
    "it tends to the level": false(END, goal=f"ForAll(e, e > 0, {LATE.format('Abs(x(n) - level) <= e')})"),
    "it comes to every value": false(
        END, goal="ForAll(k, And(Integer(k), k >= 0), Exists(n, And(Integer(n), n >= 1), x(n) == k))"),
    "it comes to each level that is given": false(END, goal=f"ForAll(level, level > 0, {AGAIN})"),
    "a guard that no level meets": false("not proved: met", goal="Implies(And(level > 5, level < 4), 0 > 1)"),
    "a level that a condition knows": false("uses a symbol of the axiom", "level == 0"),
    "a level that is a parameter": false("uses a symbol of the axiom", parameters=("level",)),
    "a level in a definition": false("uses a symbol of the axiom", let=("k = level",)),
    "the axiom's symbol in the goal": false("uses a symbol of the axiom", goal="size(1) == size(1)"),
    "a size of a free index": false("size(n) speaks of k", size="x(n + k)"),
    "a size without a value": false("not proved: positive-recurrent: numbers", size="1/x(n)"),
    "no words": false("its words", words={}),
    "words that are left out": false("words are left out", words={"chain": " "}),
    "a goal about nothing": false("not proved: met: Exists(n", goal="ForAll(n, And(n > 0, n < 0), x(n) > 5)"),
    "a goal that is false": false(END, goal="0 > 1"),
}


@pytest.mark.sliced(8)
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_fail_where_they_should(name: str) -> None:
    shown, why = ATTACKS[name]
    verdict = shown.verdict(QUICK)
    assert verdict.verdict == "unknown" and not verdict.axioms and verdict.certificate is None
    assert why in verdict.note, verdict.note


BOTH = (Use(RETURNS.name, {"size(n)": "s(n)"}, WORDS), Use("strong-law", {"draw(l)": "v(l)", "mean": "m"}, IID))


@pytest.mark.parametrize("instance", [("v(l) = coin(l)", "s(l) = coin(l)"), (
    "v(l) = coin(l)", "s(1) = 0; s(l + 1) = s(l) + v(l)"), ("s(l) = coin(l)", "v(l) = coin(l + 1) - coin(l)")])
def test_a_walk_of_draws_is_no_chain_that_comes_back(instance: tuple[str, ...]) -> None:
    """Whatever the words say: its steps and itself are no tosses both."""
    walk = Theorem(("v, s in functions", slots("s(l + 1) == s(l) + v(l)")), ("m",), BOTH, (), AGAIN.replace("x(", "s("))
    verdict = Shown(walk, ("low = 0", "high = 2", "m = 1", *instance)).verdict(QUICK)
    assert verdict.verdict == "unknown" and verdict.certificate is None
    assert re.search(r"not proved: (tosses|draws|ForAll)", verdict.note), verdict.note
