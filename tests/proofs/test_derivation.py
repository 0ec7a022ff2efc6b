"""Derivations: each step decided at once, none proved that builds on a wrong one, one file that the kernel checks."""

from __future__ import annotations

import copy
import hashlib
import html
import io
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import sympy
from appendices import appendix_a, appendix_c, appendix_d
from appendix_b import appendix_b, declared

import qtheory as qt
from qtheory import progress
from qtheory.cli import main
from qtheory.errors import InputError, QTheoryError
from qtheory.proofs.bundle import bearing, check_bundle
from qtheory.proofs.citing import certificate_hash
from qtheory.proofs.derivation import Derivation, derivation
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, minus
from qtheory.proofs.latexing import to_text
from qtheory.proofs.printing import latex
from qtheory.proofs.tactics.stopping import OutOfTime
from qtheory.proofs.units import Unit, read_unit


@dataclass
class Run:
    exit_code: int
    output: str


def command(*arguments: str) -> Run:
    """The command line, in this process."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out), pytest.raises(SystemExit) as end:
        main(list(arguments))
    return Run(int(end.value.code or 0), out.getvalue())


BUDGET = 10.0  # a busy machine must not change a standing


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("QTHEORY_CACHE", str(tmp_path / "cache"))
    yield


def small() -> Derivation:
    """Two proved steps, a wrong one, what follows from it, and one that does not need it."""
    d = derivation("Small", budget=BUDGET)
    d.symbol("x", "0 < x < 1")
    d.let("f(u) = u/(1 - u)")
    d.less("0", "f(x)")
    d.equal("f(x) - x", "x**2/(1 - x)")
    d.less("x", "1/2")
    d.less("x/2", "1/4")
    d.less("x", "f(x)", by=[1, 2])
    return d


# ---- standings ----

@pytest.mark.slow
def test_the_proof_of_the_base_threshold(record_property: Callable[[str, object], None],
                                         tex: Callable[[], None]) -> None:
    d = appendix_b(BUDGET)
    record_property("seconds", [round(s.seconds, 3) for s in d.steps])
    assert len(d.steps) == 24 and d.proved, d.verdict
    assert d.verdict == "proved: all 24 steps"
    assert check_bundle(json.loads(json.dumps(d.certificate().data))) == ["proved"] * 24
    compiled(d, tex)


@pytest.mark.slow
@pytest.mark.parametrize("take, steps", [(appendix_c, 16), (appendix_d, 14), (appendix_a, 12)])
def test_the_proofs_of_other_appendices(take: Callable[[float], Derivation], steps: int,
                                        record_property: Callable[[str, object], None]) -> None:
    d = take(BUDGET)
    record_property("seconds", [round(s.seconds, 3) for s in d.steps])
    assert d.verdict == f"proved: all {steps} steps"
    assert check_bundle(json.loads(json.dumps(d.certificate().data))) == ["proved"] * steps


def test_nothing_that_builds_on_a_wrong_step_is_proved() -> None:
    d = small()
    assert [s.standing for s in d.steps] == ["proved", "proved", "refuted", "refuted", "proved"]
    assert d.steps[2].verdict.counterexample is not None
    assert Fraction(d.steps[2].verdict.counterexample["x"]) >= Fraction(1, 2)
    named = d.less("x/2", "1/4", by=3)
    assert named.standing == "conditional" and named.rests_on == ("3",)
    assert named.note == "not proved: it follows from (3), which is refuted"
    on_that = d.less("x/4", "1/8", by=named)
    assert on_that.standing == "conditional" and "(6), which is conditional" in on_that.note
    assert not d.proved and d.verdict.startswith("not proved: (3) refuted, (4) refuted, (6) conditional")


def test_a_step_that_follows_only_from_an_unproved_one_is_conditional() -> None:
    d = derivation("Functions", budget=2)
    d.symbol("x", "x > 0")
    d.function("h", "increasing")
    unknown = d.step("h(x) > 0")
    assert unknown.standing in ("unknown", "refuted")
    follows = d.step("2*h(x) > 0", by=unknown)
    assert follows.standing == "conditional" and follows.rests_on == ("1",)


def test_a_step_names_what_it_rests_on() -> None:
    d = derivation("Rests", budget=BUDGET)
    d.symbol("x", "x > 0")
    d.symbol("y", "y > 0")
    d.function("h", "positive", on="x > 0")
    first = d.step("h(x) > 0")
    assert first.proved and first.conditions == ("x > 0", "ForAll(x, x > 0, h(x) > 0)") and first.rests_on == ()
    second = d.less("0", "y*h(x)", by=first)
    assert second.proved and second.rests_on == ("1",) and "y > 0" in second.conditions
    assert second.reason.endswith(", (1)") and second.verdict.witness is not None  # with a function for h
    assert "h(tau)" in second.verdict.witness


def test_a_step_that_contradicts_the_assumptions_says_so() -> None:
    d = derivation("Contradiction", budget=BUDGET)
    d.symbol("x", "0 < x < 1")
    step = d.less("2", "x")
    assert step.standing == "refuted" and step.note == "it contradicts the assumptions: x <= 2 is proved"
    assert d.less("x", "1/2").note == ""


@pytest.mark.parametrize("goal, hint", [
    ("1/(mu - lam) > 0", "proved with the extra condition lam < mu"),
    ("log(x) < x", "proved with the extra condition x > 0"),
    ("x < x - 1", "it contradicts the assumptions: x - 1 <= x is proved"),
])
def test_a_refuted_step_says_when_it_would_hold(goal: str, hint: str) -> None:
    d = derivation("Extra", budget=BUDGET)
    for name in ("lam", "mu", "x"):
        d.symbol(name)
    step = d.step(goal)
    assert step.standing == "refuted" and step.note == hint
    assert qt.prove(goal).note in ("", hint)


@pytest.mark.slow
def test_steps_that_are_not_proved_are_taken_again_when_more_is_assumed(capsys: pytest.CaptureFixture[str]) -> None:
    d = derivation("Late", budget=BUDGET)
    for name in ("lam", "mu", "z"):
        d.symbol(name)
    d.function("h", "increasing")
    first = d.step("1/(mu - lam) > 0")
    other = d.less("z", "z**2", by=[])
    d.step("2/(mu - lam) > 0", by=first)
    unknown = d.step("h(lam) > 0")
    assert [s.standing for s in d.steps] == ["refuted", "refuted", "conditional", "unknown"]
    d.live = True
    d.assume("lam < mu")
    assert [s.standing for s in d.steps] == ["proved", "refuted", "proved", "unknown"]
    assert d.steps[1] is other and first.standing == "refuted" and d.steps[2].note == ""
    assert [line[:12] for line in capsys.readouterr().out.split("\n") if line[:1] == "("] == [
        "(1) proved  ", "(3) proved  ", "(4) unknown "]
    assert d.step("3/(mu - lam) > 0", by=first).rests_on in ((), ("1",))
    d.assume("h(lam) == 1")
    assert d.steps[3].standing == "proved" and unknown.standing == "unknown"
    assert check_bundle(json.loads(json.dumps(d.certificate().data)))[:4] == ["proved", "refuted", "proved", "proved"]


def test_a_step_that_is_taken_again_rests_on_earlier_ones_alone() -> None:
    d = derivation("Order", budget=BUDGET)
    d.symbol("x")
    d.symbol("y")
    d.step("x > 1")
    d.step("x > 1")
    d.assume("y > x")
    assert [s.standing for s in d.steps] == ["refuted", "refuted"] and not d.proved
    d.assume("x > 2")
    assert [s.rests_on for s in d.steps] == [(), ()] and d.proved


def test_a_substitution_is_taken_again_into_what_is_proved_by_then() -> None:
    d = derivation("Again", budget=BUDGET)
    d.symbol("x")
    d.symbol("y")
    d.symbol("u", "u > 3")
    step = d.less("x", "x**2")
    into = d.substitute(step, {"x": "y + u"})
    assert (d.steps[0].standing, into.standing) == ("refuted", "refuted")
    d.assume("x > 1", "y > x")
    assert d.proved, d


def test_side_conditions_and_undefined_terms() -> None:
    d = derivation("Sides", budget=BUDGET)
    d.symbol("x", "x >= 0")
    step = d.less("0", "1/x")
    assert step.standing == "refuted" and "1/x has no value there" in step.reason
    assert step.side_conditions == ("x != 0",)
    d.assume("x > 0")
    assert d.less("0", "1/x").proved


@pytest.mark.parametrize(("goal", "conditions"), [
    ("Implies(x > 0, log(x) < x)", ()), ("Implies(log(x) > 0, x > 1)", ()), ("Implies(x > 1, sqrt(x - 1) > 0)", ()),
    ("Exists(x, x > 1, log(x) > 0)", ()), ("x**n == x**n", ()),
    ("And(Implies(x > 0, x > -1), 1/y == 1/y)", ("y != 0",)),
    ("y**(1/3) >= 0", ("y >= 0",)), ("y**(-1/3) > 0", ("y > 0",))])
def test_a_side_condition_of_a_proved_step_is_true_wherever_the_step_is(goal: str, conditions: tuple[str, ...]) -> None:
    d = derivation("Guards", budget=BUDGET)
    d.symbol("x")
    d.symbol("y", "y > 0")
    d.natural("n")
    step = d.step(goal)
    assert step.proved and step.side_conditions == conditions
    assert all(d.step(c).proved for c in conditions)


@pytest.mark.later
def test_a_proved_step_says_which_conditions_nothing_known_meets() -> None:
    d = derivation("Elsewhere", budget=BUDGET)
    d.symbol("x", "x > 0")
    for name in "abc":
        d.natural(name, f"{name} > 0")
    assert d.less("1", "x + 1").reason.count("satisfiable") == 0
    d.assume("a**3 + b**3 == c**3")
    step = d.less("1", "x + 1")
    assert step.proved and step.reason.endswith("; satisfiable: unknown")
    assert "met by nothing that is known: a in naturals" in step.note and "a**3 + b**3 == c**3" in step.note
    assert d.verdict == "proved: all 2 steps (satisfiable: unknown in (2))"


@pytest.mark.slow
def test_a_unique_solution_is_sought_in_the_family_that_is_declared() -> None:
    d = derivation("Families", budget=BUDGET)
    for name in ("reals", "integers", "naturals"):
        d.symbol(name[0], f"{name[0]} in {name}")
    d.symbol("z")
    assert d.solve_unique("r*(2*r - 1) == 0", "r").standing != "proved"
    assert d.solve_unique("2*r - 1 == 0", "r").proved and not d.solve_unique("2*i - 1 == 0", "i").proved
    assert d.solve_unique("i*(2*i - 1) == 0", "i").proved
    assert d.solve_unique("(n - 2)*(n + 2) == 0", "n").proved and not d.solve_unique("(i - 2)*(i + 2) == 0", "i").proved
    assert d.solve_unique("z*(2*z - 1) == 0", "z", "z in integers", "z > -1").proved
    for family in ("functions", "numbers"):
        with pytest.raises(InputError):
            d.solve_unique("z == 1", "z", f"z in {family}")


# ---- the kinds of steps ----

def test_results_left_open_are_computed_and_proved() -> None:
    d = derivation("Open", budget=BUDGET)
    d.symbol("x", "0 < x < 1")
    d.symbol("a", "a > 0")
    assert d.differentiate("x/(1-x)", "x").goal.startswith("diff(x/(1-x), x) == ")
    assert d.differentiate("x**3", "x", order=2).goal == "diff(x**3, x, 2) == 6*x"
    assert d.integrate("2*u", "u", "0", "a").goal.startswith("Integral(2*u, (u, 0, a)) == ")
    left = d.integrate("1/(1 + u) + exp(-u)", "u", "0", "a")
    assert left.proved and "0" not in left.goal.partition("== ")[2]  # nor log(0 + 1) nor exp(-0)
    assert d.expand("(x + 1)**2").goal.startswith("(x + 1)**2 == ")
    assert d.proved, d.verdict
    assert d.differentiate("x**2", "x", "3*x").standing == "refuted"
    with pytest.raises(InputError, match="give the result yourself"):
        d.differentiate("floor(x)", "x")


def test_substitution_needs_the_conditions_of_what_is_put_in() -> None:
    d = derivation("Substitution", budget=BUDGET)
    d.symbol("x", "0 < x < 1")
    d.symbol("y", "0 < y < 1/2")
    general = d.less("x", "-log(1 - x)")
    good = d.substitute(general, {"x": "2*y"})
    assert good.proved and good.goal in ("2*y < -log(1 - 2*y)", "-log(1 - 2*y) > 2*y")
    assert not d.substitute(general, {"x": "4*y"}).proved
    swapped = d.substitute(d.less("x*y", "x"), {"x": "y", "y": "x"})
    assert swapped.goal in ("y*x < y", "y > y*x")


def test_a_substitution_keeps_the_direction_that_is_written() -> None:
    d = derivation("Direction", budget=BUDGET)
    d.symbol("x")
    d.symbol("y")
    assert d.at_most("x", "x**2 + 1").goal == "x <= x**2 + 1"
    into = d.substitute(1, {"x": "y"})
    assert into.goal == "y <= y**2 + 1" and into.proved
    assert d.substitute(d.step("x**2 + 1 >= x"), {"x": "y"}).goal == "y**2 + 1 >= y"
    assert d.substitute(d.step("-1 < x**2"), {"x": "x + y"}).goal == "-1 < (x + y)**2"
    both = d.substitute(d.step("And(x < x + 1, x <= x)"), {"x": "y"})
    assert both.proved


def test_substitution_captures_nothing() -> None:
    """A symbol that is put beside a bound variable of the same name stays the symbol that it is."""
    d = derivation("Capture", budget=BUDGET)
    d.natural("x", "x >= 1")
    d.symbol("z")
    put = d.substitute(d.step("Sum(z, (x, 1, x)) == z*x"), {"z": "x"})
    assert put.proved and put.goal == "Sum(x, (x_1, 1, x)) == x*x"


def test_substitution_into_a_step_far_back() -> None:
    d = derivation("Engine", budget=BUDGET)
    for name in ("a", "b", "c"):
        d.symbol(name, f"{name} > 0")
    d.symbol("lam", "0 < lam < 1/a")
    d.let("mu(b) = b/(c + a*b)")
    general = d.less("mu(b)", "1/a")
    d.assume("lam*(c + a*b) < b")
    for i in range(8):
        assert d.step(f"b > -{i}*b").proved
    assert d.substitute(general, {"b": "2*b"}).proved
    assert d.substitute(general, {"b": "3*b"}, by=2).proved


@pytest.mark.later
def test_a_unique_solution_and_induction() -> None:
    d = derivation("Kinds", budget=BUDGET)
    d.symbol("x", "x > 0")
    d.natural("n")
    d.symbol("c", "c > 0")
    assert d.solve_unique("x**2 == c", "x").proved
    twice = d.solve_unique("x**2 == c", "x", "x != 0")
    assert twice.goal == "ExistsUnique(x, x != 0, x**2 == c)" and not twice.proved
    assert d.induction("n", "Sum(i, (i, 0, n)) == n*(n + 1)/2").proved
    wrong = d.induction("n", "Sum(i, (i, 0, n)) == n**2")
    assert wrong.standing == "refuted" and wrong.verdict.counterexample is not None
    n = int(wrong.verdict.counterexample["n"])
    assert n * (n + 1) // 2 != n**2


def classes() -> Derivation:
    """Request classes whose number is a symbol, and their loads."""
    d = derivation("Families", budget=BUDGET)
    d.natural("n", "n >= 1")
    d.natural("j", "1 <= j <= n")
    d.symbol("c", "c > 0")
    d.family("lam", "n", "lam(i) > 0")
    d.family("b", "n", "b(i) > 0")
    return d


def standings(d: Derivation, goals: list[str]) -> list[str]:
    """Each goal on its own: no step may use another."""
    return [d.step(goal, by=[]).standing for goal in goals]


@pytest.mark.slow
def test_families_over_a_symbolic_number_of_classes() -> None:
    d = classes()
    right = ["lam(j) > 0", "0 < Sum(lam(i), (i, 1, n))", "0 < Sum(lam(i)*b(i), (i, 1, n))",
             "Sum(c*lam(i), (i, 1, n)) == c*Sum(lam(i), (i, 1, n))",
             "Sum(lam(i) + b(i), (i, 1, n)) == Sum(lam(i), (i, 1, n)) + Sum(b(i), (i, 1, n))",
             "Sum(lam(i)/c, (i, 1, n)) < Sum(lam(i)/c + b(i), (i, 1, n))",
             "ForAll(i, And(Integer(i), 1 <= i, i <= n), lam(i)*b(i) > 0)"]
    assert standings(d, right) == ["proved"] * len(right)
    assert check_bundle(json.loads(json.dumps(d.certificate().data))) == ["proved"] * len(right)
    wrong = ["Sum(lam(i), (i, 1, n)) < 0", "Sum(lam(i) - b(i), (i, 1, n)) > 0", "lam(n + 1) > 0",
             "Sum(lam(i)*b(i), (i, 1, n)) == Sum(lam(i), (i, 1, n))*Sum(b(i), (i, 1, n))",
             "Sum(lam(i), (i, 1, n + 1)) > 0"]  # one that holds for some families, or speaks of none
    d.budget = 1.0
    assert standings(d, wrong) == ["unknown"] * len(wrong)


def test_families_in_latex() -> None:
    d = classes()
    step = d.latex(r"\sum_{i=1}^{n} \lambda_i b_i > 0")
    assert step.goal == "Sum(lam(i)*b(i), (i, 1, n)) > 0" and step.proved
    assert d.latex(r"\lambda_{j} > 0").goal == "lam(j) > 0"
    with pytest.raises(InputError, match="LaTeX, column 1: no symbol x_i"):
        d.latex("x_i > 0")


@pytest.mark.slow
def test_functions_with_properties() -> None:
    d = derivation("Functions", budget=BUDGET)
    d.symbol("x", "x >= 0")
    d.symbol("y", "y > x")
    d.symbol("t", "0 < t < 1")
    d.function("h", "increasing", "positive", on="x >= 0")
    d.function("c", "convex", on="x >= 0")
    right = ["c(t*x + (1 - t)*y) <= t*c(x) + (1 - t)*c(y)", "c((x + y)/2) <= (c(x) + c(y))/2", "h(x) <= h(y)",
             "h(x) <= h(x + 1)"]
    assert standings(d, right) == ["proved"] * len(right)
    d.budget = 1.0
    wrong = ["h(x) < h(y)", "c(x) <= c(y)", "t*c(x) + (1 - t)*c(y) <= c(t*x + (1 - t)*y)"]
    assert standings(d, wrong) == ["unknown"] * len(wrong)


# ---- bad input leaves the derivation as it was ----

@pytest.mark.parametrize("act, message", [
    (lambda d: d.less("q", "1"), "the symbol q is used before it is declared .column 1"),
    (lambda d: d.symbol("x", "x > 0"), "x is declared already"),
    (lambda d: d.symbol("exp"), "exp has a meaning already"),
    (lambda d: d.symbol("z", "z > w"), "the symbol w is used before"),
    (lambda d: d.symbol("z", "z > 0", "z < 0"), "contradict each other"),
    (lambda d: d.assume("x > 2"), "contradict each other"),
    (lambda d: d.assume("x"), "no comparison"),
    (lambda d: d.assume(), r"nothing is assumed; .* d.assume\('x < y'\)"),
    (lambda d: d.let(), r"nothing is defined; .* d.let\('Psi\(x\) = "),
    (lambda d: d.let("g(u) = u + q"), "the symbol q is used before"),
    (lambda d: d.let("g(u) = "), "expected a term"),
    (lambda d: d.less("x"), "two terms or more"),
    (lambda d: d.less("x", "y < 1"), "comparison where a term is needed|used before"),
    (lambda d: d.step("x + * 1 > 0"), "column 5"),
    (lambda d: d.step(3), "of type int"),
    (lambda d: d.less("0", "x", by=99), "there is no step '99'"),
    (lambda d: d.induction("x", "x > 0"), "induction is over a natural number"),
    (lambda d: d.differentiate("x", "w"), "the symbol w is used before"),
    (lambda d: d.function("g", {"a": 1}), "the condition is of type dict"),
    (lambda d: d.solve_unique("x == 1", {}), "'{}' stands where the name of a declared symbol is needed"),
    (lambda d: d.solve_unique(["x > 0"], "x"), "the equation is of type list"),
    (lambda d: d.induction([], "x > 0"), r"'\[\]' stands where the name of a declared symbol is needed"),
    (lambda d: d.induction("x > 0", "x"), "'x > 0' stands where the name of a declared symbol is needed"),
    (lambda d: d.differentiate("x", "x\nw"), "'x w' stands where the name of a declared symbol is needed"),
    (lambda d: d.solve_unique("z == 1", "z"), "the symbol z is used before"),
    (lambda d: d.latex(r"\frac{x}{2} \heartsuit 3"), r"LaTeX, column 13: .*outside the grammar"),
    (lambda d: d.symbol("z", unit="m/s"), "'m' stands where one of s, token, request, iteration"),
])
def test_bad_input_is_one_line_and_changes_nothing(act: Callable[[Derivation], Any], message: str) -> None:
    d = derivation("Bad", budget=2)
    d.symbol("x", "0 < x < 1")
    before = repr(d)
    with pytest.raises(QTheoryError, match=message) as caught:
        act(d)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300 and repr(d) == before
    assert caught.value._render_traceback_() == [f"InputError: {caught.value}"]
    assert d.less("0", "x").proved


@pytest.mark.slow
def test_a_derivation_speaks_of_operators_without_an_end() -> None:
    d = derivation("Means", budget=5)
    d.symbol("p", "0 < p < 1", unit="1/request")
    d.let("nu = E(X, (X, Geometric(p)))")
    assert d.step("E(X, (X, Geometric(p))) == 1/p").proved and d.step("nu == 1/p").proved
    with pytest.raises(InputError, match="the derivative of this term in p is not found"):
        d.differentiate("nu", "p")


def test_bad_titles_and_budgets() -> None:
    for arguments in ({"title": ""}, {"title": 3}, {"budget": 0}, {"budget": "1"}, {"budget": True}):
        with pytest.raises(InputError):
            derivation(**arguments)  # type: ignore[arg-type]


# ---- units ----

@pytest.mark.parametrize("text", ["s", "1/s", "s/(token*iteration)", "s**2/request", "1", "token*request"])
def test_units_are_read_and_written(text: str) -> None:
    assert str(read_unit(text)) == text and read_unit(str(read_unit(text))) == read_unit(text)


def test_units_multiply() -> None:
    assert read_unit("s/token").times(read_unit("token")) == read_unit("s")
    assert read_unit("s^2").times(read_unit("s"), Fraction(-2)) == Unit()
    for bad in ("", "s s", "(s", "s**x", "s/", "é"):
        with pytest.raises(InputError):
            read_unit(bad)


@pytest.mark.parametrize("goal, message", [
    ("alpha_d + p0 > 0", "alpha_d is in s/iteration and p0 in 1/iteration"),
    ("alpha_p < beta_p", "beta_p is in s/token and alpha_p in s"),
    ("alpha_p + 1 > 0", "alpha_p is in s and 1 in no unit"),
    ("exp(alpha_p) > 0", "alpha_p is in s where exp"), ("log(N) > 0", "N is in request where log"),
    ("2**alpha_p > 0", "alpha_p is in s where"), ("Max(alpha_p, N) > 0", "alpha_p is in s and N in request"),
    ("Integral(beta_d, (u, 0, t)) > alpha_p", "in s/request and alpha_p in s"),
    ("diff(exp(-p0*t), t) > t", "in 1/iteration and t in iteration"),
    ("Sum(alpha_p, (i, 1, 3)) == N", "in s and N in request"),
])
def test_units_that_do_not_match(goal: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        declared().context.goal(goal)


@pytest.mark.parametrize("goal", [
    "p0 <= 1", "0 < alpha_p", "alpha_d/p0 + alpha_p > 0", "beta_p*mu_L*N + alpha_d*t > 0", "exp(-p0*t) < 1",
    "sqrt(alpha_p**2) == alpha_p", "Psi(theta) == p0*alpha_p/alpha_d", "Integral(alpha_d, (u, 0, t)) == alpha_d*t",
    "diff(alpha_d*t**2, t) == 2*alpha_d*t", "floor(t) <= t", "N >= 64", "R(theta) > 0"])
def test_units_that_match(goal: str) -> None:
    assert declared().context.goal(goal)


# ---- LaTeX ----

KNOWN = {"x", "y", "n", "theta", "theta0", "zeta", "k0_star", "lam_max", "alpha_d", "mu_O", "T", "Psi", "p0", "f"}
CALLABLE = {"zeta", "Psi", "T", "f"}
READ = [
    (r"\theta > \theta_0", "theta > theta0"), (r"\frac{x}{y+1} \le 2 x y", "x/(y + 1) <= 2*x*y"),
    (r"e^{-x} + \exp\left(-\frac{x}{2}\right) < 1", "exp(-x) + exp(-x/2) < 1"),
    (r"\ln(1-x) \neq \sqrt{x}", "log(1 - x) != sqrt(x)"), (r"x^2 y^{n+1} \geq -x", "x**2*y**(n + 1) >= -x"),
    (r"\sum_{i=1}^{n} i^2 = n", "Sum(i**2, (i, 1, n)) == n"),
    (r"\int_0^x e^{-u}\,du = 1 - e^{-x}", "Integral(exp(-u), (u, 0, x)) == 1 - exp(-x)"),
    (r"\int_{0}^{x} \frac{1}{1+u} \,\mathrm{d}u = \ln(1+x)", "Integral(1/(1 + u), (u, 0, x)) == log(1 + x)"),
    (r"\frac{d}{dx} x^2 = 2x", "diff(x**2, x) == 2*x"),
    (r"\frac{\mathrm{d}^2}{\mathrm{d}x^2} (x^3) = 6 x", "diff(x**3, x, 2) == 6*x"),
    (r"\zeta'(\theta) = \frac{1}{1-\theta}", "diff(zeta(theta), theta) == 1/(1 - theta)"),
    (r"\max(x, y) = |x| + \lfloor y \rfloor", "Max(x, y) == Abs(x) + floor(y)"),
    (r"0 < \alpha_d \cdot \mu_O \leq 0.5", "0 < alpha_d*mu_O <= 0.5"), (r"$x(y+1) = xy + x$", "x*(y + 1) == x*y + x"),
    (r"\lim_{x \to 0^+} f(x) = 0", 'Limit(f(x), x, 0, "+") == 0'),
    (r"\frac{1}{1-x} = \sum_{n=0}^{\infty} x^n", "Sum(x**n, (n, 0, oo)) == 1/(1 - x)"),
    (r"\lim_{x \to \infty} f(x) = 0", "Limit(f(x), x, oo) == 0"), (r"\mathrm{T}(x) = \text{T}(x)", "T(x) == T(x)"),
    (r"\frac12 x = \frac{x}2", "1/2*x == x/2"), (r"\sqrt2 > \frac\theta3", "sqrt(2) > theta/3"),
    (r"\frac{\partial}{\partial x} x^2 = 2x", "diff(x**2, x) == 2*x"), (r"x \in (0, 1]", "0 < x <= 1"),
    (r"x \in [y, \infty)", "y <= x"), (r"x < y \implies (x \in (0, 1) \Rightarrow \theta > 0)",
                                      "Implies(x < y, Implies(0 < x < 1, theta > 0))"),
    (r"k_0^* > k^{\ast}_0 - \lambda_{\max}", "k0_star > k0_star - lam_max"),
    (r"x^{1/3} = y", "x**(1/3) == y"), (r"-x^2 - (-y) < 0", "-x**2 - (-y) < 0"),
]


@pytest.mark.parametrize("source, text", READ, ids=lambda s: s[:25])
def test_latex_is_read(source: str, text: str) -> None:
    where = tuple(f"{f} in functions" for f in sorted(CALLABLE))
    assert Statement(to_text(source, KNOWN, CALLABLE), where).conclusion == Statement(text, where).conclusion


@pytest.mark.parametrize("text", [t for _, t in READ if "Limit" not in t])
def test_what_is_printed_is_read_back(text: str) -> None:
    where = tuple(f"{f} in functions" for f in sorted(CALLABLE))
    conclusion = Statement(text, where).conclusion
    again = Statement(to_text(latex(conclusion), KNOWN, CALLABLE), where).conclusion
    # (1/2)*x is printed as x/2 is, and -(-y) as y
    assert again == conclusion or (again[0] == conclusion[0] and Forms().zero(minus(again[1], conclusion[1])))


@pytest.mark.parametrize("source, column", [
    (r"x + \foo > 0", 5), (r"\frac{x}{y > 0", 11), (r"x >", 4), (r"x", 2), (r"\theta_9 > 0", 1), (r"x > 0 ; y", 7),
    (r"\max x > 0", 6), (r"\int_0^1 x > 0", 12), (r"x^10 > 0", 3), (r"\ln^2 x > 0", 4), (r"\zeta'x > 0", 7),
    (r"x \in \mathbb{N}", 7), (r"x \in (0, 1", 11), (r"\theta^* > 0", 1), (r"x \implies y > 0", 3), (r"2^* > 0", 3),
    (r"x \in (-\infty, \infty)", 23), (r"x'(y) > 0", 3), ("(" * 60 + "x", 40), (r"\left( x > 0", 13),
])
def test_what_is_outside_the_grammar_is_refused_with_its_column(source: str, column: int) -> None:
    with pytest.raises(InputError, match=r"^LaTeX, column \d+: ") as caught:
        Statement(to_text(source, KNOWN, {"zeta", "Psi", "T"}))
    assert abs(int(re.findall(r"column (\d+)", str(caught.value))[0]) - column) <= 1
    assert "\n" not in str(caught.value)


def test_a_limit_as_a_term_binds_its_variable() -> None:
    d = derivation("Limits", budget=BUDGET)
    d.symbol("a", "a > 0")
    assert d.equal('Limit(a*t, t, 0, "+")', "0").proved
    with pytest.raises(InputError, match="the symbol b is used before it is declared"):
        d.equal("limit(b*t, t, 0)", "0")
    with pytest.raises(InputError, match="the symbol t is used before it is declared"):
        d.equal("limit(a*s, s, t)", "0")


def test_a_step_in_latex() -> None:
    d = declared(BUDGET)
    step = d.latex(r"\frac{\theta}{1-\theta} + \ln(1-\theta) > 0")
    assert step.proved and step.goal == "theta/(1 - theta) + log(1 - theta) > 0"


def compiled(d: Derivation, tex: Callable[[], None]) -> None:
    tex()
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "t.tex").write_text("\\documentclass{article}\\usepackage{amsmath,amssymb}\n\\begin{document}\n"
                                         f"{d.to_latex()}\\end{{document}}\n", encoding="utf-8")
        run = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"], cwd=folder,
                             capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stdout[-2000:]


@pytest.mark.parametrize("act, message", [
    (lambda d: d.less("x < 1"), r"each on its own: d.less\('x', '1'\)"),
    (lambda d: d.step("x = 1"), "an equation is written with =="),
    (lambda d: d.step("2x > 0"), r"a product is written with \*"),
    (lambda d: d.solve_unique("x**2 = 1/4", "x"), "column 6: .* an equation is written with =="),
    (lambda d: d.substitute(1, "x"), "a dictionary such as"),
    (lambda d: d.integrate("exp(-u)", "u", "0", "oo"), "an integral to infinity is not computed"),
    (lambda d: d.equal("1/(1 - x)", "1 + Sum(x**n, (n, 1, oo))"), "to oo is one whole side of =="),
    (lambda d: d.less(0.5, "x"), "the term is of type float; a string"),
    (lambda d: d.function("h", "convx"), "unknown property of a function 'convx'; nearest: convex"),
    (lambda d: d.function("convex", "h"), r"comes first, then its properties: \('f', 'convex'\)"),
    (lambda d: d.symbol("z > 0"), r"the name comes first, then its conditions: \('z', 'z > 0'\)"),
    (lambda d: d.symbol("z > 0", "z"), r"the name comes first, then its conditions: \('z', 'z > 0'\)"),
    (lambda d: d.natural("n in naturals"), r"the name comes first, then its conditions: \('n', 'n in naturals'\)"),
    (lambda d: d.symbol("a, b"), "the name is 'a, b'; a call declares one name"),
    (lambda d: d.symbol("3x"), "letters, digits and _ are allowed, a letter first"),
    (lambda d: d.symbol("mu", "> 0"), "; write 'mu > 0'$"),
    (lambda d: d.symbol("mu", "y > 0", "<= 1"), "y is used before it is declared"),
    (lambda d: d.symbol("mu", "mu > 0", "<= 1"), "; write 'mu <= 1'$"),
    (lambda d: d.symbol("n", "natural"), "; write 'n in naturals'$"),
    (lambda d: d.symbol("n", "in naturals"), "; write 'n in naturals'$"),
    (lambda d: d.symbol("n", "positive integer"), "; write 'n > 0' and 'n in integers'$"),
    (lambda d: d.symbol("p", "[0, 1)"), "; write '0 <= p < 1'$"),
    (lambda d: d.assume("x is positive"), "; write 'x > 0'$"),
    (lambda d: d.assume("> 0"), "; write 'x > 0'$"),
    (lambda d: d.symbol(sympy.Symbol("z"), "z > 0"), "the name is of type Symbol; a string is needed: 'z'$"),
    (lambda d: d.substitute(1, {"x": "1/2", sympy.Symbol("x"): "1/3"}), "two terms are given for x, of which one"),
    (lambda d: d.less("x", 10**5000), "less: a number has more than 4300 digits"),
    (lambda d: d.step(sympy.Symbol("x") < sympy.Rational(1, 10**5000)), "step: a number has more than 4300 digits"),
    (lambda d: d.let("z == 1"), "a definition has one '=', as in"),
    (lambda d: d.equal("x"), r"d.equal\('x', '1'\); a whole comparison is a step"),
    (lambda d: d.symbol(), "symbol: the argument is missing: 'name'; the call is d.symbol.name, .conditions, ....,"),
    (lambda d: d.symbol("z", units="s"), "symbol: there is no argument 'units', but 'unit'; the call is d.symbol"),
    (lambda d: d.step("x > 0", "x < 1"), "step: too many positional arguments; the call is d.step.goal, .by=....,"),
    (lambda d: d.induction("x > 0"), "induction: the argument is missing: 'goal'; the call is d.induction.n, goal, "),
    (lambda d: d.save(), "save: the argument is missing: 'path'; the call is d.save.path."),
])
def test_messages_say_what_to_write(act: Callable[[Derivation], Any], message: str) -> None:
    d = derivation("Messages", budget=BUDGET)
    d.symbol("x", "0 < x < 1")
    assert d.less(0, "x").proved and d.less("x", Fraction(3, 2)).goal == "x < 3/2"
    with pytest.raises(QTheoryError, match=message) as caught:
        act(d)
    assert "\n" not in str(caught.value) and len(d.steps) == 2


def test_formulas_are_shown_as_typed() -> None:
    d = derivation("Typed", budget=BUDGET)
    d.symbol("x", "0 < x < 1")
    d.let("f(u) = u/(1 - u)")
    assert d.less("0", "x", "1").latex == "0 < x < 1"
    assert d.equal("f(x) - x", "x*f(x)").latex == r"f(x) - x = x \, f(x)"
    assert d.step("Implies(x > 1/2, x**2 > 1/4)").latex.startswith(r"x > \frac{1}{2} \;\Longrightarrow")
    d.symbol("y", "1 <= y", "y in naturals")
    assert r"Assume $0 < x < 1$, $1 \le y$, $y \in \mathbb{N}$." in d.to_latex()
    assert "0 &< x < 1 &&" in d.to_latex() and "& x > " in d.to_latex()


def test_the_latex_compiles_with_wrong_steps_and_odd_titles(tex: Callable[[], None]) -> None:
    d = small()
    d.title = "100% of $\\theta_0$ & more # {"
    text = d.to_latex()
    assert r"\begin{align}" in text and r"\tag{3}" in text and re.search(r"refuted: false at \$x = [\d/]+\$", text)
    compiled(d, tex)


# ---- rendering ----

def test_text_and_html() -> None:
    d = small()
    assert "(3) refuted     x < 1/2" in str(d) and repr(d.steps[2]) == str(d.steps[2])
    page = d._repr_html_()
    assert page.count("<tr>") == 5 and "refuted" in page and "x &lt; " in page and "<b>Small</b>" in page
    assert "units" not in page
    d.symbol("t", unit="s")
    assert "units <code>t [s]</code>" in d._repr_html_() and "  units t [s]\n" in str(d)


@pytest.mark.later
def test_formulas_are_read_where_nothing_sets_them(tmp_path: Path) -> None:
    """A saved notebook without the network: the goal as it was typed; where MathJax has set the formula, that alone."""
    browser = shutil.which("chromium") or pytest.skip("chromium is not installed")
    step, page = small().steps[2], tmp_path / "page.html"
    told = "<script>document.title = [...document.querySelectorAll('.qtheory-tex, code')].map("\
           "e => getComputedStyle(e).display == 'none' || e.offsetWidth <= 1 ? '' : e.textContent).join('|')</script>"
    set_as = ("", "<mjx-container></mjx-container>", "<math></math>")
    shown = (step._repr_html_().replace('class="qtheory-tex">', f'class="qtheory-tex">{formula}') for formula in set_as)
    page.write_text(f"<!doctype html><meta charset=utf-8><body>{''.join(shown)}{told}", encoding="utf-8")
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()],
                          capture_output=True, text=True, timeout=120, check=True)
    said = html.unescape(done.stdout.partition("<title>")[2].partition("</title>")[0]).split("|")
    assert said == ["", step.goal, *(rf"$\displaystyle {step.latex}$", "") * 2]


def test_steps_are_shown_when_they_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with derivation("Shown", budget=BUDGET) as d:
        d.symbol("x", "x > 0")
        d.less("0", "2*x")
        assert "(1) proved      0 < 2*x" in capsys.readouterr().out
    assert capsys.readouterr().out == "Shown: proved: its one step\n"
    d.less("0", "3*x")
    assert capsys.readouterr().out == ""


def test_it_is_a_name_of_the_library() -> None:
    assert qt.derivation is derivation


# ---- the file ----

def saved(d: Derivation, tmp_path: Path) -> Path:
    return d.certificate().save(tmp_path / "d.json")


def test_the_file_is_checked_by_the_kernel_alone(tmp_path: Path) -> None:
    path = saved(small(), tmp_path)
    run = command("check", str(path))
    assert run.exit_code == 0, run.output
    assert "derivation 'Small' (nothing checks title and labels): not every step proved\n" in run.output
    assert "(3) refuted: x < 1/2" in run.output
    assert "for 0 < x < 1" in run.output and "valid, by both checkers (3 of 5 steps proved)" in run.output
    data = json.loads(command("check", str(path), "--format", "json").output)["results"][0]
    assert [s["standing"] for s in data["steps"]] == ["proved", "proved", "refuted", "refuted", "proved"]


def test_a_goal_is_looked_for_among_the_proved_steps(tmp_path: Path) -> None:
    d = derivation("Three", budget=BUDGET)
    d.symbol("x", "0 < x < 1")
    d.step("x**2 < x")
    d.step("x < 1/2")
    d.step("x**2 < 1/2", by=2)
    path = saved(d, tmp_path)
    run = command("check", str(path), "--goal", "x**2 < x", "--where", "0 < x < 1")
    assert run.exit_code == 0 and "valid for the goal that was asked for" in run.output
    assert "step 1 of 'Three'" in run.output
    run = command("check", str(path), "--goal", "x**2 < x", "--where", "x < 1", "--where", "x > 0")
    assert run.exit_code == 0 and "step 1 of 'Three'" in run.output
    for goal, condition in (("x**2 < x", "0 < x < 2"), ("x < 1/2", "0 < x < 1"), ("x**2 < 1/2", "x < 1/2")):
        run = command("check", str(path), "--goal", goal, "--where", condition)
        assert run.exit_code == 1 and "no proved step" in run.output, goal
    run = command("check", str(path), "--goal", "x**2 < x", "--where", "0 < x < 1", "--format", "json")
    data = json.loads(run.output)
    assert [s["label"] for s in data["results"][0]["steps"]] == ["1"] and data["results"][0]["verdict"] == "proved"


def change(path: list[Any], value: Any) -> Callable[[Any], None]:
    def act(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return act


TAMPERED: list[tuple[str, Callable[[Any], None]]] = [
    ("another goal", change(["steps", 0, "goal"], "0 > f(x)")),
    ("a proof for a refuted step", change(["steps", 2, "verdict"], "proved")),
    ("a refuted step called unknown", change(["steps", 2, "verdict"], "unknown")),
    ("no certificate", change(["steps", 0, "certificate"], None)),
    ("a condition taken away", change(["context"], [])),
    ("a condition added after a refutation", change(["context"], ["0 < x < 1", "x < 1/2"])),
    ("another definition", change(["let"], ["f(u) = u/(2 - u)"])),
    ("what it rests on left out", change(["steps", 5, "rests_on"], [])),
    ("a step after it", change(["steps", 0, "rests_on"], ["5"])),
    ("resting on itself", change(["steps", 2, "rests_on"], ["3"])),
    ("one label twice", change(["steps", 1, "label"], "1")),
    ("another certificate", lambda d: d["steps"][0].update(certificate=d["steps"][1]["certificate"])),
    ("a forged statement", change(["steps", 0, "certificate", "statement", "goal"], "f(x) < 0")),
    ("schema", change(["schema"], 2)), ("steps", change(["steps"], {})), ("a step", change(["steps", 0], 3)),
    ("label", change(["steps", 0, "label"], 1)), ("goal", change(["steps", 0, "goal"], None)),
    ("rests_on", change(["steps", 0, "rests_on"], [[1]])), ("let", change(["let"], [3])),
    ("context", change(["context"], "x > 0")), ("title", change(["derivation"], None)),
    ("an extra key", change(["extra"], 1)), ("no mathematics", change(["steps", 0, "goal"], "x +")),
    ("certificate", change(["steps", 0, "certificate"], [])),
]


@pytest.fixture(scope="module")
def bundle() -> Any:
    d = small()
    d.less("x/2", "1/4", by=3)
    return d.certificate().data


@pytest.mark.parametrize("act", [a for _, a in TAMPERED], ids=[n for n, _ in TAMPERED])
def test_a_tampered_file_is_rejected(act: Callable[[Any], None], bundle: Any, tmp_path: Path) -> None:
    data = copy.deepcopy(bundle)
    assert check_bundle(data) == ["proved", "proved", "refuted", "refuted", "proved", "conditional"]
    act(data)
    with pytest.raises((KernelError, InputError)):
        check_bundle(data)
    path = tmp_path / "t.json"
    path.write_text(json.dumps(data))
    run = command("check", str(path))
    assert run.exit_code == 1 and "rejected" in run.output and "Traceback" not in run.output


def test_a_step_on_an_unproved_one_never_becomes_proved(bundle: Any) -> None:
    data = copy.deepcopy(bundle)
    data["steps"][2].update(verdict="unknown", certificate=None)
    assert check_bundle(data)[5] == "conditional"


def test_infinity_is_no_symbol_to_declare() -> None:
    assert derivation("To infinity").equal("Integral(0*t, (t, 0, oo))", "0").proved


def test_conditions_that_bear_on_a_goal() -> None:
    a, b, c = Statement("1 > 0", ("x > y", "y > 0", "z > 0")).hypotheses
    assert bearing([a, b, c], frozenset({"x"})) == [a, b] and bearing([a, b, c], frozenset({"z"})) == [c]


def test_citing(bundle: Any) -> None:
    d = small()
    entry = d.cite()
    data = json.dumps(d.certificate().data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert entry.startswith("@misc{qtheory:Small,")
    assert f"sha256:{hashlib.sha256(data.encode()).hexdigest()}" in entry
    assert certificate_hash({"a": [1, "é"], "b": None}) == certificate_hash({"b": None, "a": [1, "é"]}) == (
        "1e02bc81a26af2f027329541e97eef36f3290bedc6dfe043dbe66b057ecb13ba")  # of {"a":[1,"é"],"b":null}
    assert certificate_hash(bundle) == certificate_hash(json.loads(json.dumps(bundle, indent=3)))
    run = command("show", "eb.app-B.6.zeta-prime", "--bibtex")
    assert run.exit_code == 0 and re.search(r"@misc\{qtheory:eb\.app-B\.6\.zeta-prime,", run.output)
    assert re.search(r"note = \{proved; certificate sha256:[0-9a-f]{64}\}", run.output)


def test_sympy_objects_are_taken_as_prove_takes_them() -> None:
    sp = pytest.importorskip("sympy")
    lam, mu, rho, x = sp.symbols("lam mu rho x")
    d = derivation("From SymPy", budget=3)
    d.symbol("lam", lam > 0)
    d.symbol("mu")
    d.assume(mu > 2*lam)
    d.let(sp.Eq(rho, lam/mu))
    d.symbol("x", sp.Symbol("x", positive=True) < 1)  # what its symbol assumes is a condition too
    assert d.context.texts == ["lam > 0", "mu > 2*lam", "x < 1", "x > 0"]
    d.step(sp.Lt(lam/mu, 1))
    d.less(rho, sp.Rational(1, 2), 1)
    d.expand((lam + mu)**2, lam**2 + 2*lam*mu + mu**2)
    d.integrate(x**2, x, 0, 1)
    d.substitute(1, {lam: lam/2})
    assert d.proved and [s.goal for s in d.steps][:2] == ["lam/mu < 1", "rho < 1/2 < 1"], d


def test_what_a_sympy_symbol_assumes_is_a_condition_or_the_step_is_refused() -> None:
    """SymPy simplifies by assumptions: for a positive x it makes sqrt(x**2) an x before anybody sees it."""
    sp = pytest.importorskip("sympy")
    x = sp.Symbol("x", positive=True)
    d = derivation("Assumptions")
    d.symbol("x")
    d.symbol("y")
    for refused in (lambda: d.step(sp.Ge(sp.sqrt(x**2) + sp.Symbol("y")**2, 0, evaluate=False)),
                    lambda: d.at_most(0, sp.sqrt(x**2)), lambda: d.let(sp.Eq(sp.Symbol("f"), sp.sqrt(x**2)))):
        with pytest.raises(InputError, match=r"assumes x > 0 in SymPy.*d\.assume\('x > 0'\)"):
            refused()
    d.assume("x > 0")
    assert d.at_most(0, sp.sqrt(x**2)).proved
    for bound in (lambda: d.integrate(sp.sqrt(x**2), "x", -1, 1), lambda: d.solve_unique(sp.Eq(x, 1), "x", "x < 2")):
        with pytest.raises(InputError, match="a symbol without assumptions"):
            bound()
    for evaluated in (x > 0, sp.true):
        with pytest.raises(InputError, match="bare truth value"):
            d.step(evaluated)


@pytest.mark.parametrize("goal", ["Convex(a**2/2/(1 + a + a**2/2), a, a > 0)", "Increasing(-a**2, a, a > 0)"])
def test_a_refuted_step_about_every_value_shows_the_values_at_which_it_fails(goal: str) -> None:
    d = derivation("Shapes", budget=3)
    d.symbol("a", "a > 0")
    step = d.step(goal)
    assert step.standing == "refuted"
    assert re.fullmatch(r"false with a = \S+, y' = \S+(, t' = \S+)?", step.reason)
    assert step.reason in str(step) and step.reason in d.to_latex()


@pytest.mark.parametrize(("goal", "word"), [("x/x == 1", "refuted"), ("x**2 >= 0", "proved")])
def test_the_latex_of_a_verdict_says_its_word(goal: str, word: str) -> None:
    """A notebook that is printed shows this form alone."""
    verdict = qt.prove(goal)
    assert verdict.verdict == word and verdict._repr_latex_().startswith(rf"$\displaystyle \text{{{verdict.title}: }} ")


def test_a_step_whose_search_is_stopped_says_what_gives_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise OutOfTime

    monkeypatch.setenv("QTHEORY_CACHE", "off")
    monkeypatch.setattr("qtheory.proofs.tactics.search.search", stopped)
    d = derivation("Stopped", budget=0.4)
    d.natural("c")
    d.symbol("x")
    more = "qt.derivation(..., budget=...) gives more than 0.4"
    d.step("x < 2*x + 1")
    step = d.step("x**2 >= 0")  # with the step before it as well
    assert step.verdict.note == "the search was stopped when the step's 0.4 units of work were spent"
    assert step.note == more
    assert "d.induction('c', ...)" in str(d.step("Sum(k, (k, 1, c)) <= c**2"))
    by_induction = d.induction("c", "Sum(k, (k, 1, c)) <= c**2")
    assert more in by_induction.note and "d.induction(" not in str(by_induction)


def test_sympy_symbols_assume_nothing_where_it_does_not_hold() -> None:
    """Around a point, on a range, of a definition: SymPy has simplified by it already."""
    sp = pytest.importorskip("sympy")
    d = derivation("Assumed")
    d.integer("x")
    d.symbol("w")
    d.symbol("y", "y >= 0")
    d.let("z = w - 5")
    d.assume("z >= 0")
    below, above = sp.Symbol("v", real=True, positive=False), sp.Symbol("y", real=True, negative=False)
    whole, y, z = sp.Symbol("x", integer=True), sp.Symbol("y", nonnegative=True), sp.Symbol("z", nonnegative=True)
    for refused in (lambda: d.step(sp.Eq(sp.Integral(sp.Abs(below), (below, 0, 1)), sp.Rational(-1, 2))),
                    lambda: d.equal(sp.Limit(sp.sqrt(below**2), below, 3), -3),
                    lambda: d.equal(sp.Derivative(sp.Abs(above), above), 1),
                    lambda: d.differentiate(sp.floor(whole), whole), lambda: d.differentiate(sp.Abs(y), y),
                    lambda: d.equal(sp.Derivative(sp.Abs(z), sp.Symbol("w")), 1),
                    lambda: d.function("h", "positive", on=sp.Abs(y) < 1),
                    lambda: d.family("lam", "x", sp.Symbol("i") > 0)):
        with pytest.raises(InputError):
            refused()
    assert not d.steps


def test_a_point_put_into_what_a_definition_holds_is_shown_expanded() -> None:
    d = derivation("At")
    d.symbol("x", "0 < x < 1")
    d.let("f = x**2")
    step = d.step("At(f + x, x, 2) == 6")
    assert step.proved and "f" not in step.latex
    d.let("g = At(f + x, x, 2)")
    assert "f + 2" not in d.to_latex()
    d.let("k = x")
    for variable in ("(x)", "+x", "At(x, x, x)", "k"):
        step = d.step(f"At(f*x*k, {variable}, 3) == 81")
        assert step.proved and not {"f", "k", "x"} & set(step.latex)


def test_a_disjunction_that_is_assumed_is_not_shown_as_if_each_part_had_a_value() -> None:
    d = derivation("Either")
    d.symbol("x", "Or(x < 0, log(x) > 2)")
    assert r"Assume $(x < 0 \;\vee\; \ln(x) > 2)$." in d.to_latex()


def test_a_definition_by_a_mean_is_shown_as_a_mean() -> None:
    d = derivation("Mean")
    d.symbol("p", "0 < p < 1")
    d.let("nu = (1 - p)*E(X, (X, Geometric(p)))")
    assert r"\nu := (1 - p) \, \mathbb{E}_{X \sim \mathrm{Geometric}(p)}\left[X\right]" in d.to_latex()


def test_a_definition_by_a_mean_is_not_shown_as_when_it_is_defined() -> None:
    d = derivation("Mean")
    d.symbol("p", "0 < p < 1")
    d.let("nu = E(X, (X, Geometric(p)))")
    assert "is defined" not in d.to_latex()


def test_names_of_a_document_that_look_alike_are_shown_as_typed_in_each_formula() -> None:
    d = derivation("Alike")
    d.symbol("x1", "x1 > 5")
    d.symbol("x_1", "x_1 < 3")
    d.symbol("e", "0 < e < 1")
    steps = [d.step(goal).latex for goal in ("x1 > 4", "x_1 < 4", "e < 1")]
    assert steps == [r"\mathrm{x1} > 4", r"\mathrm{x\_1} < 4", r"\mathrm{e} < 1"]
    assert "x_{1}" not in d.to_latex()
    assert d.step("exp(x1) > 0").latex == r"\exp(\mathrm{x1}) > 0"
    d.symbol("lam")
    with pytest.raises(InputError, match="printed like a name that steps show"):
        d.symbol("lambda_")
    d = derivation("Euler's number")
    d.symbol("x")
    assert d.step("exp(x) > 0").latex == "e^{x} > 0"
    with pytest.raises(InputError, match="printed like a name that steps show"):
        d.symbol("e")


def test_the_index_of_a_family_is_not_its_size() -> None:
    d = derivation("Family")
    d.natural("i", "i >= 1")
    with pytest.raises(InputError, match="speaks of i, its index"):
        d.family("p", "i", "p(i) > 0")


@pytest.mark.later
def test_operators_are_shown_as_they_are_written_and_false_ones_are_refuted() -> None:
    d = qt.derivation("Means", budget=3)
    d.symbol("p", "0 < p <= 1")
    d.let("w = 1/p")
    d.step("Var(X, (X, Geometric(p))) <= 1/p**2")
    d.step("E(X, (X, Geometric(p))) == 2*w")
    d.step("Var(X, (X, Bernoulli(p))) == p")
    assert [step.standing for step in d.steps] == ["proved", "refuted", "refuted"]
    d.symbol("q", "0 < q < 1")
    opposed = d.step("E(B**2, (B, Finite((1, q), (0, 1 - q)))) > q")
    assert opposed.note == ("it contradicts the assumptions: E(B**2, (B, Finite((1, q), (0, 1 - q)))) <= q is proved")
    text = d.to_latex()
    for shown in (r"\frac{1}{p^{2}} \ge \operatorname{Var}_{X \sim \mathrm{Geometric}(p)}\left[X\right] &&",
                  r"\mathbb{E}_{X \sim \mathrm{Geometric}(p)}\left[X\right] = 2 \, w &&",
                  r"\operatorname{Var}_{X \sim \mathrm{Bernoulli}(p)}\left[X\right] = p &&"):
        assert f"& {shown}" in text


def test_a_step_that_takes_longer_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.02)
    module = sys.modules[Derivation.__module__]
    real = module.decide

    def slowly(*given: Any, **more: Any) -> Any:
        time.sleep(0.1)
        return real(*given, **more)

    monkeypatch.setattr(module, "decide", slowly)
    qt.derivation("Slow").step("2 > 1")
    assert capsys.readouterr().err.startswith("step 1: 0 s so far\n")


def test_that_masses_sum_to_1_is_shown_as_an_equation() -> None:
    d = qt.derivation("Masses")
    d.symbol("p", "0 < p < 1")
    step = d.step("E(X, (X, Finite((1, p), (0, 1 - p)))) == p")
    assert step.side_conditions == ("p >= 0", "p <= 1", "p + 1 - p == 1")


def test_a_mean_stays_one_when_a_term_is_put_for_a_symbol() -> None:
    d = qt.derivation("Means")
    d.symbol("p", "0 < p < 1")
    d.symbol("q", "0 < q < 1")
    mean = d.step("E(X, (X, Finite((1, p), (0, 1 - p)))) <= 1")
    assert d.substitute(mean, {"p": "q/2"}).goal == "E(X, (X, Finite((1, (q/2)), (0, 1 - (q/2))))) <= 1"
