"""Theorems asserted at one case: what passes, what fails, and what is said where nothing can be told."""

from __future__ import annotations

import doctest
import io
import math
import os
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from qtheory import progress
from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.special import base_threshold
from qtheory.proofs import decide
from qtheory.proofs.kernel.grammar import Parser
from qtheory.testing import (
    BrokenHypothesesError,
    Case,
    MissingValueError,
    NoFiniteCasesError,
    NotATheoremError,
    TheoremFailedError,
    Tolerance,
    UndecidedError,
    assert_theorem,
    cases,
    claims,
    theorem,
)
from qtheory.testing.asserting import Question
from qtheory.testing.claims import _recorded, conjecture, theorem_of
from qtheory.testing.drawing import _case
from qtheory.testing.places import Place, Root, solved
from qtheory.testing.truth import truth
from qtheory.theory.threshold import numeric

CALM = settings(derandomize=True, database=None, deadline=None, max_examples=10,
                phases=[Phase.generate], suppress_health_check=list(HealthCheck))
BASE = {"p0": "0.01", "alpha_p": "0.03", "alpha_d": "0.02"}
ALIKE = "log(3 + 2*sqrt(2))"  # 2*log(1 + sqrt(2)): no enclosure tells them apart, and no rule here knows it
OTHER = "2*log(1 + sqrt(2))"


def theta0(p0, alpha_p, alpha_d):
    return base_threshold(p0 * alpha_p / alpha_d).theta0


def best(N, p0, alpha_p, alpha_d, beta_p, beta_d, mu_L):
    k = np.arange(1, N)
    return k[np.argmax(numeric("throughput", k=k, N=N, p0=p0, alpha_p=alpha_p, alpha_d=alpha_d, beta_p=beta_p,
                               beta_d=beta_d, mu_L=mu_L))]


# ---- what a case says ----

def test_a_root_is_solved_for_and_the_conclusion_holds() -> None:
    case = assert_theorem("eb.prop-3.1.zeta", **BASE)
    with mpmath.workdps(30):
        gamma = mpmath.mpf("0.015")
        exact = 1 + 1 / mpmath.lambertw(-mpmath.exp(-1 - gamma), -1).real
    assert case["theta0"] == float(exact)
    assert case.checked == ("-log(1 - theta0) > 0",) and not case.left_out
    assert repr(case) == "Case('eb.prop-3.1.zeta', alpha_d=1/50, alpha_p=3/100, p0=1/100, theta0≈0.154939)"


def test_what_no_case_decides_is_left_out_and_said() -> None:
    case = assert_theorem("eb.prop-3.1", **BASE)
    assert [c.partition("(")[0] for c in case.checked] == ["ExistsUnique"]
    assert any("kstar" in c for c in case.left_out)


def test_a_variable_asked_for_as_an_attribute_is_said_to_be_an_item() -> None:
    case = assert_theorem(conjecture("x + id > x", where=["id > 0"]), x=1, id=2)
    assert (case.id, case["id"]) == ("x + id > x", 2)
    with pytest.raises(AttributeError, match=r"has no attribute 'x'; a value of the case is case\['x'\]"):
        case.x  # noqa: B018
    with pytest.raises(AttributeError, match=r"has no attribute 'y'$"):
        case.y  # noqa: B018
    assert pickle.loads(pickle.dumps(Case("c", {"x": 1.0}))) == Case("c", {"x": 1.0})


def test_bound_variables_are_variables_of_a_case() -> None:
    given_ = {**BASE, "beta_d": 0, "beta_p": 0, "mu_L": 1, "N": 8}
    assert not assert_theorem("eb.lem-B.4", theta="1/3", **given_).left_out
    with pytest.raises(InputError, match="needs a value for 1 of theta, theta0"):
        assert_theorem("eb.lem-B.4", **given_)


def test_what_a_case_does_not_reach_is_listed() -> None:
    """A derivative at theta, and a comparison of two other points, to which the case gives no values."""
    case = assert_theorem("eb.lem-B.2.monotone", theta="1/3")
    assert [c.startswith("diff") for c in case.checked] == [True]
    assert len(case.left_out) == 2 and all("x/(1 - x)" in part for part in case.left_out)


def test_who_is_to_blame_for_a_broken_condition() -> None:
    """The function, where each condition that fails speaks of its value; else the case."""
    question = Question("eb.sec-3.2.1.accurate.rounding")
    of_k, of_p0, good = formula("k > 1"), formula("p0 > 1/2"), formula("p0 > 0")
    place = Place({"k": Fraction(1), "p0": Fraction(1, 4)})
    with pytest.raises(TheoremFailedError, match="k does not meet its condition"):
        question._meeting([of_k, good], [place], frozenset({"k"}))
    for literals in ([of_k, of_p0], [of_p0], [of_p0, of_k]):
        with pytest.raises(BrokenHypothesesError, match="the case breaks a hypothesis"):
            question._meeting(literals, [place], frozenset({"k"}))


def test_a_float_is_the_binary_number_and_a_text_the_decimal() -> None:
    exact = assert_theorem("eb.prop-3.1.zeta", p0="0.1", alpha_p=1, alpha_d=1)
    binary = assert_theorem("eb.prop-3.1.zeta", p0=0.1, alpha_p=1, alpha_d=1)
    assert exact["p0"] == Fraction(1, 10) != binary["p0"] == Fraction(0.1)


def test_a_conclusion_that_is_false_at_a_case_fails_the_theorem() -> None:
    """As no case of a proved claim is: theta0 = -1 breaks the hypotheses of this one, which are not asked here."""
    question = Question("eb.prop-3.1.zeta")
    with pytest.raises(TheoremFailedError, match=r"eb.prop-3.1.zeta fails: -log\(1 - theta0\) > 0[^&]*-0\.693"):
        question.holds(question.theorem.parts[0], Place({"theta0": Fraction(-1)}))


def test_a_hypothesis_that_is_not_decided_is_neither_met_nor_broken() -> None:
    question, good = Question("eb.prop-3.1.zeta"), formula("x > 0")
    place = Place({"x": Fraction(1)})
    with pytest.raises(UndecidedError, match="not decided whether log"):
        question._meeting([good, formula(f"{ALIKE} > 2*log(1 + sqrt(2))")], [place], frozenset())
    assert question._meeting([good], [place], frozenset()) == [place]


# ---- implementations ----

def test_each_place_of_a_case_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an equation has several roots, the conclusion must hold and the function be right at each."""
    case = assert_theorem("eb.prop-3.1", {"theta0": theta0}, **BASE)
    places = Question.places
    monkeypatch.setattr(Question, "places", lambda *asked: 2 * places(*asked))
    assert assert_theorem("eb.prop-3.1", {"theta0": theta0}, **BASE).compared == 2 * case.compared
    wrong = Place({"theta0": Fraction(-1)})
    monkeypatch.setattr(Question, "places", lambda *asked: [*places(*asked), wrong])
    with pytest.raises(TheoremFailedError, match="theta0 = -1"):
        assert_theorem("eb.prop-3.1.zeta", **BASE)


def test_a_function_is_held_against_the_truth_at_the_floats_that_it_is_called_with() -> None:
    case = assert_theorem("eb.prop-3.1", {"theta0": theta0}, p0="0.1", alpha_p="0.3", alpha_d="0.7")
    assert [case[n] for n in ("p0", "alpha_p", "alpha_d")] == [Fraction(0.1), Fraction(0.3), Fraction(0.7)]


def test_an_implementation_is_held_against_the_root() -> None:
    assert assert_theorem("eb.prop-3.1", {"theta0": theta0}, ulps=2, **BASE).compared == 1
    with pytest.raises(TheoremFailedError, match=r"theta0 = 0\.173.* is off by 0\.12 of it: the true value is 0\.1549"):
        assert_theorem("eb.prop-3.1", {"theta0": lambda p0, alpha_p, alpha_d: math.sqrt(2 * p0 * alpha_p / alpha_d)},
                       **BASE)


@pytest.mark.parametrize("rtol", [1e-9, 0.0, 1.23456789e-9, 0.1])
@pytest.mark.parametrize("above", [Fraction(1, 10**k) for k in (1, 5, 8, 12, 20)])
def test_a_gap_is_told_in_digits_that_differ_from_what_is_allowed(rtol: float, above: Fraction) -> None:
    tolerance = Tolerance(rtol)
    told = tolerance.broken_by(3 * (Fraction(rtol) * (1 + above) + above * Fraction(1, 10**300)), Fraction(3))
    assert told != str(tolerance)
    if not told.startswith("more than"):
        assert float(told.removesuffix(" of it")) > float(str(tolerance).removesuffix(" of it")) == rtol


def test_a_wrong_value_is_told_with_the_arguments_of_its_call() -> None:
    with pytest.raises(TheoremFailedError, match=r"zeta\(0\.5\) = 0\.7 is off by"):
        assert_theorem("eb.eq-13.final", {"zeta": lambda x: 0.7}, theta=0.5, N=64, p0=0.01, alpha_d=0.02, beta_d=1e-4)


def test_the_root_that_the_conclusion_says_exists() -> None:
    case = assert_theorem("eb.eq-3", {"theta": theta0}, ulps=2, **BASE)
    assert case.compared == 1
    assert [c.partition("(")[0] for c in case.checked] == ["ExistsUnique"]  # which root it is, is not decided besides


@pytest.mark.parametrize("alpha_p", [1e-20, 1e-10, 1e10])
def test_roots_next_to_the_ends_are_found(alpha_p: float) -> None:
    assert assert_theorem("eb.eq-3", {"theta": theta0}, ulps=2, p0=1, alpha_p=alpha_p, alpha_d=1).compared == 1


def test_a_tolerance_in_ulps_is_exact() -> None:
    def off(steps: int):
        def zeta(x):
            value = -math.log1p(-x)
            for _ in range(steps):
                value = math.nextafter(value, math.inf)
            return value
        return zeta

    case = {"theta": 0.5, "N": 64, "p0": 0.01, "alpha_d": 0.02, "beta_d": 1e-4}
    for steps, good in ((0, True), (1, True), (3, False)):
        if good:
            assert_theorem("eb.eq-13.final", {"zeta": off(steps)}, ulps=2, **case)
        else:
            with pytest.raises(TheoremFailedError, match=r"is off by 2\.8 ulps: .*, allowed is 2 ulps"):
                assert_theorem("eb.eq-13.final", {"zeta": off(steps)}, ulps=2, **case)


def test_a_function_supplies_a_variable_that_no_equation_fixes() -> None:
    case = {**BASE, "beta_d": "1/8192", "beta_p": "1/8192", "mu_L": 100, "N": 16}
    found = assert_theorem("eb.sec-3.2.1.accurate.rounding", {"k": best}, **case)
    assert abs(found["k"] / 16 - found["theta0"]) < 1 / 16
    with pytest.raises(TheoremFailedError, match="k does not meet its condition"):
        assert_theorem("eb.sec-3.2.1.accurate.rounding", {"k": lambda theta0, N: N - 1}, **case)


@pytest.mark.parametrize(("function", "message"), [
    (lambda p0, alpha_p, alpha_d: 1 / 0, r"theta0\(p0=0\.01, .*\) raised ZeroDivisionError"),
    (lambda p0, alpha_p, alpha_d: None, "returned None, which is no finite number"),
    (lambda p0, alpha_p, alpha_d: math.nan, "returned nan, which is no finite number"),
    (lambda p0, alpha_p, alpha_d: -math.inf, "returned -inf, which is no finite number"),
    (lambda p0, alpha_p, alpha_d: np.array([1.0, 2.0]), r"returned array\(\[1\., 2\.\]\), which is no finite number; a "
     "test calls it at one case at a time: wrap a vectorised function in one of numbers"),
    (lambda p0, alpha_p, alpha_d: [0.1], r"returned \[0\.1\], .*at one case at a time"),
    (lambda p0, alpha_p, alpha_d: pytest.skip("later"), "raised Skipped: later"),
    (lambda p0, alpha_p, alpha_d: sys.exit(0), "raised SystemExit: 0"),
])
def test_a_function_that_returns_no_number(function, message: str) -> None:
    with pytest.raises(TheoremFailedError, match=message):
        assert_theorem("eb.prop-3.1", {"theta0": function}, **BASE)


def test_numpy_and_exact_results_are_numbers() -> None:
    for kind in (np.float64, lambda v: np.array(v), lambda v: mpmath.mpf(float(v)), lambda v: Fraction(float(v))):
        assert_theorem("eb.prop-3.1", {"theta0": lambda p0, alpha_p, alpha_d, kind=kind: kind(
            theta0(p0, alpha_p, alpha_d))}, **BASE)


def test_the_parameters_of_numpys_vectorize_are_those_of_its_function() -> None:
    assert_theorem("eb.prop-3.1", {"theta0": np.vectorize(theta0)}, **BASE)
    with pytest.raises(TheoremFailedError, match=r"theta0 = .* is off by"):
        assert_theorem("eb.prop-3.1", {"theta0": np.vectorize(lambda p0, alpha_d: p0 * alpha_d)}, **BASE)
    with pytest.raises(UnknownNameError, match="'p'"):
        assert_theorem("eb.prop-3.1", {"theta0": np.vectorize(lambda p, alpha_d: p * alpha_d)}, **BASE)


# ---- errors ----

@pytest.mark.parametrize(("function", "taken"), [
    (lambda *given, **named: theta0(*given, **named), r"\*given and \*\*named"), (lambda *given: 1.0, r"\*given"),
])
def test_a_function_whose_signature_names_no_parameter(function, taken: str) -> None:
    """As a decorator's that does not copy its function's: it would be called without arguments."""
    with pytest.raises(InputError, match=rf"the function for theta0 names no parameter, its signature has {taken} "
                       "alone; wrap it in a lambda that names them"):
        assert_theorem("eb.prop-3.1", {"theta0": function}, **BASE)


@pytest.mark.parametrize(("name", "error", "message"), [
    ("eb.prop-3.11", UnknownNameError, "unknown claim 'eb.prop-3.11'; nearest: eb.prop-3.1"),
    ("eb.app-A.1.gqa", NotATheoremError, "refuted as printed, .*; its correction is 'eb.app-A.1.gqa.corrected'"),
    ("eb.thm-3.2", NoFiniteCasesError, "no cases to draw|no finite cases"),
    ("eb.table-17.rtx-every", NoFiniteCasesError, "no variables: it is a fact about printed numbers"),
    ("wait.alg-2.corrected", NoFiniteCasesError, "a statement about a process or an algorithm"),
    (3, InputError, "the claim is 3; first comes its id"),
])
def test_claims_that_cannot_be_asserted(name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        assert_theorem(name)
    with pytest.raises(error, match=message):
        theorem(name)


@pytest.mark.parametrize("record", [{}, {"eb.eq-10": {"verdict": "unknown", "severity": None}}])
def test_what_is_not_proved_is_no_theorem(record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "records", lambda: record)
    with pytest.raises(NotATheoremError, match=r"'eb.eq-10' is recorded as (nothing yet|unknown), so it is no theorem"):
        _recorded.__wrapped__("eb.eq-10")


NOTE = """# A note

| symbol | where | meaning | conditions or definition | source |
| --- | --- | --- | --- | --- |
| lam, mu | all | rates (1/s) | > 0 | Section 1 |

## Section 1. The wait

::::{{claim}} mine.wait, inequality

    given: lam < mu  # the sentence
    goal: {goal}
::::
"""


def test_a_note_s_proof_is_kept_between_runs_and_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QTHEORY_CACHE", str(tmp_path / "cache"))
    searched: list[str] = []
    whole = decide.searched
    monkeypatch.setattr(decide, "searched", lambda *what, **how: searched.append("") or whole(*what, **how))
    note, name = tmp_path / "note.md", f"{tmp_path / 'note.md'}#mine.wait"

    def asked(goal: str) -> None:
        note.write_text(NOTE.format(goal=goal), encoding="utf-8")
        claims._own.clear()  # as in another run
        assert_theorem(name, lam=1, mu=2)

    asked("1/(mu - lam) > 1/mu")
    asked("1/(mu - lam) > 1/mu")
    assert len(searched) == 1
    [kept] = (tmp_path / "cache").rglob("*.json")
    with pytest.raises(NotATheoremError, match="refuted as printed at lam = "):
        asked("1/(mu - lam) > 2/mu")
    [other] = set((tmp_path / "cache").rglob("*.json")) - {kept}
    for forged in (kept.read_text(), "{}", "no JSON", '{"certificate": []}'):
        other.write_text(forged)
        with pytest.raises(NotATheoremError, match="refuted as printed at lam = "):
            asked("1/(mu - lam) > 2/mu")


def test_a_file_rewritten_under_the_same_time_is_read_again(tmp_path: Path) -> None:
    note, listed = tmp_path / "note.md", tmp_path / "listed.py"
    statement = ("from qtheory.proofs.claims.model import Claim\n"
                 "from qtheory.proofs.kernel.statements import Statement\n"
                 "CLAIMS = [Claim('mine.wait', 'p. 1', '', (1, 1), 'inequality', "
                 "Statement('1/(mu - lam) > {}/mu', ('0 < lam < mu',)))]\n")
    for share in (1, 2, 1):
        note.write_text(NOTE.format(goal=f"1/(mu - lam) > {share}/mu"), encoding="utf-8")
        listed.write_text(statement.format(share), encoding="utf-8")
        for file in (note, listed):
            os.utime(file, ns=(10**18, 10**18))
            if share == 1:
                assert assert_theorem(f"{file}#mine.wait", lam=1, mu=2).checked
            else:
                with pytest.raises(NotATheoremError, match="refuted as printed at lam = "):
                    assert_theorem(f"{file}#mine.wait", lam=1, mu=2)


def test_a_hypothesis_is_kept_also_where_nothing_depends_on_it() -> None:
    with pytest.raises(BrokenHypothesesError, match="beta_d >= 0"):
        assert_theorem("eb.prop-3.1", **BASE, beta_d=-1)


def test_an_equation_without_a_solution_is_not_taken_for_a_broken_hypothesis() -> None:
    """Psi is not negative: no theta has Psi(theta) = -1, but that none was found shows nothing."""
    with pytest.raises(UndecidedError, match="no solution of its equations was found"):
        Question("eb.eq-3.second-root")._meeting([], [], frozenset())
    with pytest.raises(BrokenHypothesesError, match="gamma > 0"):
        assert_theorem("eb.eq-3.second-root", gamma=-1)


def test_no_finite_cases_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        assert_theorem("eb.thm-3.2", alpha_d=1)


@pytest.mark.parametrize(("case", "error", "message"), [
    ({"p0": 2, "alpha_p": 1, "alpha_d": 1}, BrokenHypothesesError, "breaks a hypothesis .* at .*: 1 - p0 >= 0|p0 <= 1"),
    ({"p0": 1, "alpha_p": 1, "alpha_d": 1, "theta0": "1/2"}, BrokenHypothesesError, r"theta0/\(1 - theta0\)"),
    ({"p0": 1, "alpha_p": 1}, MissingValueError, "needs a value for"),
    ({"p0": 1, "alpha_p": 1, "alpha_q": 1}, UnknownNameError, "unknown variable .* 'alpha_q'; nearest: alpha_p"),
    ({"p0": "a tenth"}, InputError, "p0 is 'a tenth'; a number is needed"),
    ({"p0": True}, InputError, "p0 is True; a number is needed"),
    ({"p0": math.nan}, InputError, "p0 is nan; a number is needed"),
    ({"p0": "1/0"}, InputError, "p0 is '1/0'; a number is needed"),
])
def test_cases_that_cannot_be_used(case, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        assert_theorem("eb.prop-3.1.zeta", **case)


@pytest.mark.parametrize(("using", "message"), [
    ({"theta1": theta0}, "unknown variable or definition of eb.prop-3.1 'theta1'; nearest: theta"),
    ({"theta0": lambda gamma: gamma}, "parameter of the function for theta0; .* 'gamma'"),
    ({"theta0": 0.5}, "not a function"),
    ({"theta0": np.sqrt}, "it may take a variable or definition of eb.prop-3.1, not 'x'"),
    ([theta0], "using is a dict"),
    ({"Psi": lambda x: x}, "no value of Psi occurs at this case"),
])
def test_implementations_that_cannot_be_used(using, message: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=message):
        assert_theorem("eb.prop-3.1", using, **BASE)


@pytest.mark.parametrize(("call", "message"), [
    (lambda: conjecture("f(x) > x", using={"f": math.exp}),
     r"conjecture: functions go with the test: theorem\(conjecture\(...\), using={'f': f}\); the call is"),
    (lambda: conjecture(), r"conjecture: the argument is missing: 'goal'; the call is conjecture\(goal, \[where\]"),
    (lambda: theorem(), r"theorem: the argument is missing: 'id'; the call is theorem\(id, \[using\]"),
    (lambda: assert_theorem(), r"assert_theorem: the argument is missing: 'id'; .*, \[ulps=...\], \[case=...\]\)"),
])
def test_calls_that_do_not_fit(call, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("options", [{"rtol": -1.0}, {"rtol": math.nan}, {"ulps": math.inf}, {"rtol": "1e-9"}])
def test_tolerances_that_cannot_be_used(options) -> None:
    with pytest.raises(InputError, match="a number of at least 0 is needed"):
        Tolerance(**options)


# ---- decisions ----

def formula(text: str):
    return Parser(text, {}, set()).whole()


@pytest.mark.parametrize(("text", "verdict"), [
    ("log(2) > 693147180559945309417232121458/10^30", True),
    ("log(2) > 693147180559945309417232121459/10^30", False),
    ("log(4) == 2*log(2)", True), ("log(4) >= 2*log(2)", True), ("log(4) > 2*log(2)", False),
    ("log(4) == 2*log(2) + 1/10^20", False),
    ("log(4) >= 2*log(2) + 1/10^30", False),  # apart by 2^-100 of what is subtracted, but enclosed more narrowly
    ("log(4) == 2*log(2) + 1/10^70", False), ("log(4) == 2*log(2) + 1/10^90", False),
    (f"{ALIKE} == {OTHER} + 1/10^70", False),  # agreeing to 80 bits is not enough where more tell them apart
    (f"{ALIKE} == {OTHER} + 1/10^90", True),  # closer than 256 bits: no enclosure here tells them apart
    (f"{ALIKE} >= {OTHER}", True), (f"{ALIKE} > {OTHER}", None), (f"{ALIKE} > {OTHER} + 1/10^90", None),
    ("x + 1 == 2*x", True), ("1/x > 0", True), ("1/(x - 1) > 0", False), ("log(x - 2) > 0", False),
    ("sqrt(x - 2) >= 0", False), ("floor(x) == x", True), ("Integral(t^2, (t, 0, x)) == 1/3", True),
    ("LambertW(-1/10, -1) < -3577/1000", True), ("Sum(1/i, (i, 1, 4)) == 25/12", True),
    ("ForAll(j, And(floor(j) == j, 1 <= j, j < 50), j^2 >= j)", True),
    ("ForAll(j, And(floor(j) == j, 1 <= j, j < 50), j^2 > j)", False),
    ("ForAll(j, And(floor(j) == j, 1 <= j, j <= 50), j < 50)", False),  # at the last integer alone
    ("ForAll(j, And(floor(j) == j, 1 <= j, j <= 50), j > 1)", False),  # at the first
    ("ForAll(j, And(floor(j) == j, x/2 < j, j < 7*x/2), Or(j == 1, j == 2, j == 3))", True),
    ("ForAll(j, And(floor(j) == j, x/2 < j, j <= 4*x), j < 4)", False),
    ("Exists(y, y > 0, y^2 == 2)", True), ("Exists(y, y < 9, y^2 == 2)", True),
    ("ExistsUnique(y, y < 9, y^2 == 2)", False),
    ("Or(x > 5, x == 1)", True), ("Implies(x > 5, x > 7)", True), ("And(x > 0, x > 1)", False),
    # what is undecided stays so
    (f"Implies({ALIKE} > {OTHER}, x > 5)", None), (f"And({ALIKE} > {OTHER}, x > 0)", None),
    (f"Or({ALIKE} > {OTHER}, x > 5)", None), (f"And({ALIKE} > {OTHER}, x > 5)", False),
    (f"ForAll(j, And(floor(j) == j, 1 <= j, j <= 2), j*{ALIKE} > j*{OTHER})", None),
    (f"{ALIKE} != {OTHER}", None), (f"{ALIKE} != {OTHER} + 1/10^90", None),
    ("Exists(y, y > 5, y^2 == 2)", None),  # neither root is meant, and no search shows that there is no third
    # equal to 80 bits of what is subtracted, and not of 1
    ("log(4)/10^40 == 2*log(2)/10^40 + 1/10^60", False), ("log(4)*10^40 == 2*log(2)*10^40 + 1", False),
    (f"{ALIKE}*10^60 == {OTHER}*10^60 + 1/10^30", True),
    (f"floor(1 + {ALIKE} - {OTHER}) == 1", None),  # 0 or 1, for all that any number of bits says
    # both sides are the same number, written with radicals, factorials or logarithms
    ("x < factorial(x)", False), ("4^(x/2) < 2", False), ("4^(x/2) <= 2", True), ("8^(1/3) != 2*x", False),
    ("exp(log(3)*x) < 3", False), ("log(8)/log(2) > 3", False), ("sqrt(8)*sqrt(3) < 2*sqrt(6)", False),
    ("2*sqrt(2)*4^(1/4) > 4", False), ("binomial(3*x, 2) > 3", False), ("Max(4^(x/2), 1) < 2", False),
    ("floor(27^(1/3)) < 3", False), ("floor(4^(x/2)/2) < 1", False), ("exp(-log(2)) == 1/2", True),
    # and not the same
    ("4^(x/2) < 2 + 1/10^90", True), ("exp(log(3)) < 3 + 1/10^90", True), ("log(9)/log(2) > 3", True),
    ("sqrt(5)*sqrt(2) == sqrt(10) + 1/10^90", False), ("factorial(20) == 20^20", False),
    ("sqrt(2) + sqrt(3) > sqrt(10)", False), ("(1/4)^(x/2) > 1/2 - 1/10^90", True),
])
def test_truth_at_a_place(text: str, verdict: bool | None) -> None:
    assert truth(formula(text), Place({"x": Fraction(1)})) is verdict


@pytest.mark.parametrize(("bits", "least", "verdict"), [(79, "1/2", None), (81, "1/2", True), (81, "1/8", None)])
def test_sides_that_no_enclosure_tells_apart_agree_to_80_bits(bits: int, least: str, verdict: bool | None,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """However many bits are asked for: two sides of a size of at least ``least``, a difference known to 2^-bits."""
    equation, width = formula("log(2 + exp(x)) == 1"), Fraction(1, 2**bits)
    monkeypatch.setattr(Place, "enclose", lambda self, term, asked: (
        (-width, width) if term == equation[1] else (Fraction(least), Fraction(1, 2))))
    assert truth(equation, Place({"x": Fraction(1)})) is verdict


def test_a_root_is_enclosed_as_narrowly_as_asked() -> None:
    [at], left = solved([formula("x > 0"), formula("exp(x) == 2")], ["x"], Place({}))
    assert left == ()
    low, high = at.enclose("x", 240)
    with mpmath.workdps(90):
        true = Fraction(mpmath.nstr(mpmath.log(2), 85))
    assert high - low < Fraction(1, 2**238) and low - Fraction(1, 10**84) < true < high + Fraction(1, 10**84)


@pytest.mark.parametrize(("cube", "low", "high"), [("2", -1, 2), ("1/8", -1, 2), ("-1/8", -2, 1)])
@pytest.mark.parametrize("rising", [True, False])
def test_a_root_is_kept_where_only_cuts_narrow_it(cube: str, low: int, high: int, rising: bool) -> None:
    """Newton's step is none while the interval holds 0, where the slope of x^3 is 0; a cut may fall on the root."""
    equation = formula(f"x^3 - ({cube}) == 0" if rising else f"({cube}) - x^3 == 0")[1]
    root = Root("x", equation, Fraction(low), Fraction(high), rising)
    Place({}).narrow(root, 64)
    assert root.low**3 <= Fraction(cube) <= root.high**3
    assert root.high - root.low <= max(abs(root.low), abs(root.high)) / 2**64


# ---- drawn cases ----

@pytest.mark.later
@given(cases("eb.lem-B.4.unimodal"))
@CALM
def test_drawn_cases_meet_the_hypotheses(case) -> None:
    question = Question("eb.lem-B.4.unimodal")
    part = question.theorem.parts[case.part]
    assert all(truth(f, place) for place in case.places for f in question.literals(part))
    assert 0 < case["theta0"] < 1 and 0 < case["p0"] <= 1


def test_cases_start_with_plain_numbers() -> None:
    question = Question("eb.prop-3.1.zeta")
    first = _case(question, 0, {"p0": Fraction(1), "alpha_p": Fraction(1), "alpha_d": Fraction(1)})
    assert first is not None and first["theta0"] == pytest.approx(0.6821555671)


@pytest.mark.later
def test_a_fault_is_shown_at_a_plain_case() -> None:
    """Wrong only where alpha_d is above 10: the case that is shown is a simple one of these."""
    @theorem("eb.prop-3.1", {"theta0": lambda p0, alpha_p, alpha_d: theta0(p0, alpha_p, min(alpha_d, 10.0))},
             settings=settings(derandomize=True, database=None, phases=[Phase.generate, Phase.shrink],
                               report_multiple_bugs=False))
    def check(case) -> None:
        pass

    with pytest.raises(TheoremFailedError) as failure:
        check()
    shown = dict(part.split(" = ") for part in str(failure.value).rpartition("  at ")[2].split(", "))
    assert float(shown["alpha_d"]) > 10
    assert all(len(shown[name]) <= len("1000000") for name in ("p0", "alpha_p", "alpha_d")), shown


def test_max_examples_is_checked() -> None:
    with pytest.raises(InputError, match="max_examples is 0"):
        theorem("eb.prop-3.1.zeta", max_examples=0)


def test_an_undecided_case_is_an_error_and_not_drawn() -> None:
    """exp(-lam t) is so small at lam t = 20000 that the kernel's balls refuse it."""
    with pytest.raises(UndecidedError):
        assert_theorem("eb.app-E.3.gamma-1", lam=200, t=100)

    @given(cases("eb.app-E.3.gamma-1"))
    @CALM
    def drawn(case) -> None:
        question = Question("eb.app-E.3.gamma-1")
        assert question.said(question.theorem.parts[case.part], case.places[0]) is True

    drawn()


@given(st.integers(1, 40), st.integers(1, 40))
@CALM
def test_parts_of_an_equivalence_are_reached_by_their_suppositions(a: int, b: int) -> None:
    """eb.eq-7.sign says "A if and only if B": at each case exactly one side's supposition may hold with the other's."""
    case = assert_theorem("eb.eq-7.sign", mu_O=a, mu_L=1, alpha_MB=1, alpha_d=b, N=1, theta0="1/2") \
        if 2 * a * b > 1 + a else None
    assert case is None or len(case.checked) >= 1


# ---- what an import costs ----

@pytest.mark.slow
def test_the_face_is_light_and_says_what_is_missing() -> None:
    code = """
import sys
sys.modules["hypothesis"] = None
import qtheory.testing as t
import qtheory.testing.plugin
assert not {"numpy", "sympy", "scipy", "qtheory.proofs.corpus"} & sys.modules.keys()
from qtheory.testing import assert_theorem
assert_theorem("eb.prop-3.1.zeta", p0=1, alpha_p=1, alpha_d=1)
try:
    t.profiles
except Exception as error:
    print(error)
try:
    t.profile
except AttributeError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == "qtheory.testing.profiles needs hypothesis: pip install 'qtheory-llm[testing]'"
    assert second.startswith("module 'qtheory.testing' has no attribute 'profile'; it has ")


def test_the_docstring_s_examples_and_names() -> None:
    import qtheory.testing
    from qtheory.testing import asserting

    assert doctest.testmod(asserting) == doctest.TestResults(failed=0, attempted=5)
    assert all(getattr(qtheory.testing, name) for name in qtheory.testing.__all__)
    assert theorem_of("eb.prop-3.1").id == "eb.prop-3.1"


@pytest.mark.later
def test_a_decorated_test_that_would_not_be_run_is_refused() -> None:
    async def later(theta0: float) -> None:
        raise AssertionError

    def stepwise(theta0: float) -> Iterator[None]:
        yield

    for test in (later, stepwise):
        with pytest.raises(InputError, match="would not be run"):
            theorem("eb.prop-3.1.zeta")(test)

    @theorem("eb.prop-3.1.zeta", max_examples=2)
    def says(theta0: float) -> bool:
        return theta0 > 1e9

    with pytest.raises(InputError, match="a test returns nothing"):
        says()


@pytest.mark.parametrize(("test", "message"), [
    (lambda *a, **kw: None, r"<lambda>: .* the names of its parameters, and \*a and \*\*kw cannot be; write their"),
    (lambda theta0, /: None, r"the names of its parameters, and theta0 cannot be"),
    (partial(print, "x"), "a test of a theorem is a plain function, not of type partial; write one that calls it"),
    (classmethod(lambda cls: None), "not of type classmethod; .*, or the decorator below @classmethod"),
    (3, "a test of a theorem is a plain function, not of type int; write one"),
    (Fraction, "Fraction: a test of a theorem is a function; decorate the methods of the class"),
])
def test_a_decorated_thing_that_is_no_function_of_named_parameters_is_refused(test, message: str) -> None:
    with pytest.raises(InputError, match=message):
        theorem("eb.prop-3.1.zeta")(test)


def test_an_implementation_that_no_case_reaches_is_refused() -> None:
    """The definition sums an unknown function, so that nothing tells its value."""
    with pytest.raises(InputError, match="no value of dp occurs"):
        theorem("to.sec-2.1.constraints-2.5", using={"dp": lambda: 123.456})


@pytest.mark.parametrize("kept_back", [False, True])
def test_what_takes_long_is_said_where_it_is_seen(kept_back: bool, monkeypatch: pytest.MonkeyPatch,
                                                  capsys: pytest.CaptureFixture[str]) -> None:
    """On standard error, also where pytest keeps back what is written while it collects tests."""
    terminal = io.StringIO()
    monkeypatch.setattr("qtheory.testing.telling.TERMINAL", [terminal] * kept_back)
    monkeypatch.setattr(progress, "DELAY", 0.02)

    def slow(name: str) -> tuple[None, str]:
        time.sleep(0.3)
        return None, name

    monkeypatch.setattr(claims, "placed", slow)
    assert theorem_of("eb.prop-3.1").id == "eb.prop-3.1"
    said = capsys.readouterr().err, terminal.getvalue()
    assert re.match("reading eb.prop-3.1: 0 s so far\n", said[kept_back]) and not said[not kept_back]
