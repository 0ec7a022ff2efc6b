"""Every refusal of the statement reader is needed: without it a text that is no statement is read as one."""

from __future__ import annotations

import re

import pytest
from exploits.texts import COVERED, TEXTS, Text
from kernel_copies import Check, guards, kernel_without
from outcomes import outcome

from qtheory.proofs.api import prove
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError

GUARDS = guards()
ENDLESS = {("Parser.whole", "bounded("), ("Parser.call", "bounded(")}  # without them the reader does not end in time


def matching(key: tuple[str, str, str]) -> list[Check]:
    """The refusals in this function whose source has this fragment."""
    return [g for g in GUARDS if g.key[:2] == key[:2] and key[2] in g.key[2]]


def name(case: Text) -> str:
    return f"{case.key[1]}-{case.goal[:30]}"


def test_every_refusal_has_a_text() -> None:
    listed = [t.key for t in TEXTS] + list(COVERED)
    found = [matching(key) for key in listed]
    assert [key for key, f in zip(listed, found, strict=True) if len(f) != 1] == [], "fragments of none or of several"
    assert {g.key for g in GUARDS} - {f[0].key for f in found} == set(), "unlisted refusals: write a text"


@pytest.mark.parametrize("case", TEXTS, ids=name)
def test_it_is_refused(case: Text) -> None:
    assert outcome(Statement(case.goal, case.where, case.let).parsed, KernelError) == "rejected"


@pytest.mark.sliced(4)
@pytest.mark.parametrize("case", [pytest.param(t, marks=[pytest.mark.slow] * (t.key[1:] in ENDLESS)) for t in TEXTS],
                         ids=[name(t) for t in TEXTS])
def test_without_the_refusal_it_is_read(case: Text) -> None:
    with kernel_without(matching(case.key)[0]) as kernel:
        statement = kernel.Statement(case.goal, case.where, case.let)
        assert outcome(statement.parsed, kernel.KernelError, seconds=3.0) != "rejected"


@pytest.mark.parametrize("goal", ["abs(" * 40 + "x" + ")" * 40 + " > 0", "+".join(["a9"] * 4000) + " > 0",
                                  "f(" * 40 + "x" + ")" * 40 + " > 0",
                                  "exp((" * 29 + "x" + "))" * 29 + " > 0", "2**" * 50 + "2 > 0", "(" * 9000])
def test_hostile_texts_end(goal: str) -> None:
    doubling = ("f(x) = x + x", "a0 = x + x", *(f"a{n} = a{n - 1} + a{n - 1}" for n in range(1, 10)))
    assert outcome(Statement(goal, (), doubling).parsed, KernelError) in ("accepted", "rejected")


def test_a_disjunction_is_defined() -> None:
    """Or(log(x) > 0, 1 > 0) is no theorem: where log(x) is undefined it fails."""
    goal = Statement("Or(log(x) > 0, 1 > 0)").conclusion
    assert goal[0] == "and" and ("def", ("log", "x")) in goal
    assert Statement("Exists(x, x > 0, Or(log(0 - x) > 0, x > 0))").conclusion != Statement(
        "Exists(x, x > 0, Or(x > 0, x > 0))").conclusion


UNDEFINED = [  # a statement, its condition, and the subterm that is undefined somewhere on the domain
    ("StrictlyIncreasing(1/x, x, Eq(x, 0))", "", "1/x"), ("Increasing(sqrt(x), x, x >= -1)", "", "sqrt(x)"),
    ("StrictlyDecreasing(log(x), x, Eq(x, 0))", "", "log(x)"), ("Convex(x/p, x, And(0 <= x, x <= p))", "p >= 0", "1/p"),
    ("Concave(log(x), x, x >= 0)", "", "log(x)"), ("Or(ForAll(x, x > -1, 1/x > 0), 1 > 0)", "", "1/x"),
    ("Or(1 > 0, ForAll(x, x > -1, ForAll(y, y > x, 1/y != 0)))", "", "1/y"),
    ("Or(StrictlyIncreasing(1/x, x, Eq(x, 0)), 1 > 0)", "", "1/x"),
    ("Or(Implies(x >= 0, log(x) > 5), 1 > 0)", "", "log(x)"),
    ("Or(And(x > 0, log(x) > 5), 1 > 0)", "", "log(x)"), ("Implies(y >= 0, Or(1/y > 0, 1 > 0))", "", "1/y"),
    ("Or(Or(ForAll(y, y >= 0, log(y) < y), x > 5), 1 > 0)", "", "log(y)"),
    ("ForAll(y, y >= 0, Or(ForAll(x, x >= 0, 1/(x + y) > 0), y > -1))", "", "1/(x + y)")]


@pytest.mark.parametrize(("goal", "where", "subterm"), UNDEFINED)
def test_undefined_somewhere_is_refuted(goal: str, where: str, subterm: str) -> None:
    record = prove(goal, (where,) if where else ())
    assert (record.verdict, record.undefined) == ("refuted", subterm)


@pytest.mark.parametrize("goal", [
    "StrictlyIncreasing(-1/x, x, x > 0)", "Or(ForAll(x, x > 0, 1/x > 0), 1 > 2)",
    "Or(Implies(x > 0, log(x) > 5), 1 > 0)", "Or(Exists(x, x > 0, 1/(x - 1) > 5), 2 > 1)",
    "ForAll(y, y > 0, Or(ForAll(x, x >= 0, 1/(x + y) > 0), y > 5))"])
def test_undefined_outside_its_domain_is_no_matter(goal: str) -> None:
    assert prove(goal).verdict == "proved"


@pytest.mark.parametrize(("goal", "says"), [
    ("Sum(x**n, n, 0, oo) == 1", "Sum: takes 2 positional arguments but 4 were given"),
    ("exp(1, 2) == 1", "exp: takes 1 positional argument but 2 were given"),
    ("Sum(x, 3) == 1", "Sum: needs a range"), ("foo(x) > 0", "foo: is not a known function")])
def test_wrong_arguments_are_told_in_the_notations_name(goal: str, says: str) -> None:
    with pytest.raises(KernelError, match=re.escape(says)):
        Statement(goal).parsed()
