"""Witnesses with functions: what meets conditions on function symbols is shown, checked twice, and never a pretence."""

from __future__ import annotations

from typing import Any

import pytest

from qtheory.errors import InputError
from qtheory.proofs.api import prove
from qtheory.proofs.checkers import second
from qtheory.proofs.decide import decide
from qtheory.proofs.gate import certified, concerning
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.tactics.interpretations import met_by

EACH = "ForAll(i, And(Integer(i), i >= 0), {})"
MET = {
    "a constant": ("S(x) == S(y)", ("S in functions", "x == y")),
    "a geometric sequence": ("S(2) == (1 - p)*S(1)", (
        "S in functions", "0 < p < 1", "S(0) == 1", EACH.format("S(i + 1) == (1 - p)*S(i)"))),
    "two functions": ("f(0) + g(0) >= 0", ("f, g in functions", "ForAll(t, t >= 0, And(f(t) >= 0, g(t) >= f(t)))")),
    "a function of two": ("f(1, 2) >= 0", ("f in functions", "ForAll(t, t == t, ForAll(s, s == s, f(s, t) >= 0))")),
    "one that an equation gives": ("f(3) == 7", ("f in functions", "ForAll(t, t >= 0, f(t) - 2*t == 1)")),
    "a symbol of the name of an index": ("t(1) >= 0", ("t in functions", "ForAll(u, u >= 0, t(u) >= 0)"))}


@pytest.mark.parametrize("name", MET)
def test_functions_that_meet_the_conditions_are_found_and_shown(name: str) -> None:
    goal, where = MET[name]
    verdict = prove(goal, where)
    assert verdict.verdict == "proved" and "unknown" not in verdict.title and verdict.certificate is not None
    functions = verdict.certificate.data["functions"]
    assert functions and verdict.witness is not None
    for text in functions:
        head, _, body = text.partition(" = ")
        assert verdict.witness[head] == body and f"{head} = {body}" in str(verdict)
    check(verdict.certificate.data, Statement(goal, where))
    second(verdict.certificate.data, Statement(goal, where))


def rejected(data: Any, statement: Statement) -> bool:
    """By each of the checkers, by itself."""
    for one in (check, second):
        with pytest.raises(KernelError):
            one(data, statement)
    with pytest.raises(KernelError):
        certified(statement, data, look=0)
    return True


@pytest.mark.sliced(3)
@pytest.mark.parametrize("functions", [
    [], ["S(t) = 1/t"], ["S(t) = log(t)"], ["S(t) = 2 + 0*t"], ["S(t) = t"], ["R(t) = (1/2)**t"], ["S(t) = p**t"],
    ["S(t) = (1/2)**t", "S(t) = 1 + 0*t"], ["S(t) = S(t)"], ["S(t) = (1/2)**t", "x = 1/0"], ["S = 1"],
    ["S(t, u) = t + u"],
    ["S(t) = (1/2)**t", "p = 1/3"], ["S(t) = (1/2)**t", "i = 1"], [7], "S(t) = t", None, {"S(t)": "t"}])
def test_other_functions_are_rejected(functions: Any) -> None:
    goal, where = MET["a geometric sequence"]
    verdict = prove(goal, where)
    assert verdict.certificate is not None and verdict.certificate.data["functions"] == ["S(tau) = (1/2)**tau"]
    assert rejected({**verdict.certificate.data, "functions": functions}, Statement(goal, where))


def test_a_name_for_the_index_is_as_good_as_another() -> None:
    goal, where = MET["a geometric sequence"]
    verdict = prove(goal, where)
    assert verdict.certificate is not None
    other = {**verdict.certificate.data, "functions": ["S(n) = (1/2)**n"]}
    check(other, Statement(goal, where))
    second(other, Statement(goal, where))


PARTIAL = ("S in functions", "ForAll(t, Or(S(t) > 0, S(t) <= 0), S(t)*t == 1)")


def test_no_partial_function_meets_what_no_function_meets() -> None:
    """At 0 no function does; the reciprocal has no value there, of which the guard would say nothing."""
    statement = Statement("S(2) == 1/2", PARTIAL).parsed()
    assert met_by(statement, ("S(t) = 1/t",)) == ((), None)
    with pytest.raises(KernelError, match="not defined everywhere"):
        statement.interpreted(["S(t) = 1/t"])
    try:
        verdict = prove("S(2) == 1/2", PARTIAL)
    except InputError:  # the conditions are seen to contradict each other
        return
    assert verdict.witness is None and (verdict.verdict != "proved" or "satisfiable: unknown" in verdict.title)


@pytest.mark.parametrize("where", [
    ("S in functions", "S(0) == 1", "S(0) == 2"), ("S in functions", "ForAll(t, t > 0, And(S(t) > 0, S(t) < 0))"),
    ("S, R in functions", "ForAll(t, t >= 0, S(t) > R(t))", "R(1) >= S(1)"),
    ("S in functions", "ForAll(t, t >= 0, S(t + 1) >= S(t) + 1)", "ForAll(t, t >= 0, S(t) <= 3)", "S(0) >= 3")])
def test_what_nothing_meets_has_no_witness(where: tuple[str, ...]) -> None:
    statement = Statement("S(0) >= S(0)", where).parsed()
    assert met_by(statement)[1] is None


def test_what_a_certificate_defines_besides_is_not_shown() -> None:
    statement = Statement("x + 1 > 1", ("x > 0",))
    found = decide(statement).certificate
    assert found is not None
    for more in (["a = 3", "q = a"], ["x_1 = 1"]):
        assert set(certified(statement, {**found.data, "functions": more}).witness or {}) == {"x"}
    assert concerning("S(x) > 0", {"c": "3", "b": "c", "S(x)": "b*x", "d": "b"}) == {"c": "3", "b": "c", "S(x)": "b*x"}
