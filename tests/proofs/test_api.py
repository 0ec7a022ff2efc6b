"""``prove``: verdicts that rest on the kernel alone, one line for bad input, a cache that is never believed."""

from __future__ import annotations

import copy
import itertools
import json
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sympy as sp

import qtheory as qt
import qtheory.proofs.tactics.search as search_module
from qtheory.errors import InputError
from qtheory.proofs import cache
from qtheory.proofs.api import prove, read
from qtheory.proofs.decide import decide
from qtheory.proofs.gate import used_conditions
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.limits import MAX_BUDGET
from qtheory.proofs.records import ADMITTED, admitted
from qtheory.proofs.tactics import bridge, critical, stopping
from qtheory.proofs.tactics.builder import Stuck, hyp
from qtheory.proofs.tactics.effort import COSTS, SECOND, spend, spent
from qtheory.proofs.tactics.monomials import packed
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.search import Outcome
from qtheory.proofs.tactics.signed import Places, PolyFact, Table
from qtheory.proofs.tactics.stopping import OutOfTime, limited
from qtheory.proofs.verdict import FIELDS, READ, VERDICTS, Verdict

FIELD_ORDER = ["id", "paper", "place", "kind", "statement", "latex", "hypotheses", "verdict", "severity", "method",
               "axioms", "rests_on", "rank", "root", "reading", "seconds", "certificate", "counterexample", "witness",
               "undefined", "evidence", "corrected_by", "coq", "note"]
X = sp.Symbol("x")
P = sp.Symbol("p", positive=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Every test has a cache of its own."""
    monkeypatch.setenv("QTHEORY_CACHE", str(tmp_path))
    yield tmp_path


def answer(monkeypatch: pytest.MonkeyPatch, outcome: Any) -> None:
    """The search answers this, or raises it."""
    def search(statement: Statement, *, proof: Any = None, point: Any = None, budget: float = 10.0,
               reread: bool = True, met: bool = True) -> Outcome:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome(statement) if callable(outcome) else outcome

    monkeypatch.setattr(search_module, "search", search)


# ---- verdicts ----

def test_proved_with_a_certificate_for_exactly_this_goal() -> None:
    verdict = prove("x**2 + y**2 >= 2*x*y", "x > 0")
    assert verdict.verdict == "proved" and verdict.note == ""
    assert verdict.certificate is not None and verdict.witness is not None
    check(verdict.certificate.data, Statement("x**2 + y**2 >= 2*x*y", ("x > 0",)))
    assert verdict.latex == r"x^{2} + y^{2} \ge 2 \, x \, y \quad \text{for } x > 0"


def test_only_the_used_conditions_are_listed() -> None:
    where = ("0 < x < 2", "n in naturals", "f in functions", "d(z) > 5", "y > 0")
    statement = Statement("x*y > 0", where, ("d(t) = t/2",))
    positive, _, integer, natural, big, _ = statement.hypotheses
    assert used_conditions(statement, frozenset({positive, big})) == ("0 < x < 2", "d(z) > 5")
    assert used_conditions(statement, frozenset({integer})) == used_conditions(statement, frozenset({natural}))
    verdict = prove("x*y > 0", ["x > 0", "y > 0"])
    assert verdict.verdict == "proved" and verdict.hypotheses == ("x > 0", "y > 0")


def test_refuted_with_numbers_and_a_repair() -> None:
    verdict = prove("1/x > 0", "x >= 0")
    assert (verdict.verdict, verdict.counterexample, verdict.undefined) == ("refuted", {"x": "0"}, "1/x")
    assert "proved with the extra condition" in verdict.note
    repair = verdict.note.removeprefix("proved with the extra condition ")
    assert prove("1/x > 0", ["x >= 0", repair]).verdict == "proved"


@pytest.mark.parametrize(("goal", "hint"), [
    ("|x| >= 0", "an absolute value is written abs(x)"), ("n! >= 1", "a factorial is written factorial(n)"),
    ("log2(x) > 0", "log2 is written log(x)/log(2)"),
    ("log(x, 2) > 0", "the logarithm to base 2 is written log(x)/log(2)"),
    ("Celing(x) >= x", "did you mean ceiling?"), ("SQRT(x) >= 0", "did you mean sqrt?"),
    ("sin(x) <= 1", "the language has no sin"), ("n // 2 <= n", "a whole quotient is written floor(n/m)"),
    ("C(n, k) >= 1", "C is written binomial(n, k)"),
    ("x => 1", "at least is written >=, and an implication Implies(a, b)"),
    ("x ≥ 1", "at least is written >="), ("λ/μ < 1", "a name is in Latin letters, as lam"),
    ("ρ < 1", "a name is in Latin letters, as rho"), ("x > 0 and y > 0", "both are said by And(a, b), or one by one"),
    ("f'(x) > 0", "a derivative is written diff(f(x), x)"),
    ("not x > 0", "the opposite of a comparison is written instead of not"),
    ("sum(k, (k, 1, n)) == n", "sum is written Sum(f, (k, 1, n))"), ("E[X] > 0", "brackets are round"),
    ("2x > 1", "a product is written with *"), ("np.exp(x) > 0", "a function stands without its module, as exp(x)"),
])
def test_what_is_written_in_another_language_is_told_in_this_one(goal: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        prove(goal)
    assert str(caught.value).endswith(f"; {hint}")


def test_euler_s_number_is_no_variable() -> None:
    assert prove("e**x > x", "e > 0").note.endswith("e is a variable here, and Euler's number is exp(1)")
    assert prove("exp(1)**x > x").verdict == "proved"


@pytest.mark.parametrize("goal, where, said", [
    ("limit(x/(x + 1), x, oo) == 2", (), "the limit is 1"), ("SequenceLimit(n/(n + 1), n, 2)", (), "the limit is 1"),
    ("limit(rho/(1 - rho), rho, 1, '-') == 5", (), "the limit is oo"),
    ("limit(lam*n/(mu*n + 1), n, oo) == 2", ("lam > 0", "mu > 0"), "the limit is lam/mu"),
    ("limit(lam/(mu - lam), mu, oo) == 1", ("lam > 0",), "the limit there is 0"),
    ("Sum(rho**k, (k, 0, oo)) == 1/(1 + rho)", ("0 < rho < 1",), "the sum there is 2"),
    ("Integral(exp(-mu*t), (t, 0, oo)) == mu", ("mu > 0",), "the integral is 1/mu"),
    ("limit(1/x, x, 0) == 0", (), ""),
])
def test_of_a_refuted_limit_the_true_one_is_said(goal: str, where: tuple[str, ...], said: str) -> None:
    verdict = prove(goal, where)
    assert (verdict.verdict, verdict.note) == ("refuted", said)


@pytest.mark.parametrize("goal, where, repair", [
    ("1/(mu - lam) > 0", (), "condition lam < mu"),
    ("1/(mu - lam) > 1/mu", ("mu > 0", "lam > 0"), "condition lam < mu"),
    ("lam*ES2/(2*(1 - rho)) > 0", ("0 < rho < 1", "ES2 > 0"), "condition lam > 0"),
    ("lam*ES2/(2*(1 - lam*ES)) > 0", ("ES > 0", "ES2 > 0"), "conditions lam*ES < 1 and lam > 0"),
    ("1/(mu1 + mu2 - lam) > 0", ("mu1 > 0", "mu2 > 0", "lam > 0"), "condition lam < mu1 + mu2"),
    ("N*p0/(1 - p0) > 0", ("N >= 1", "0 < p0 <= 1"), "condition p0 < 1"),
    ("rho/(1 - rho) > 0", ("rho > 0",), "condition rho < 1"),
    ("log(1 - k/N) <= 0", ("N >= 1", "k >= 1"), "condition k < N"),
    ("lam/(1 - lam/mu) > 0", ("lam > 0", "mu > 0"), "condition lam < mu"),
    ("log(mu - lam) > -1/(mu - lam)", (), "condition lam < mu"),
    ("1/x > 0", ("x >= 0",), "condition x > 0"),
    ("x/x == 1", (), "condition x != 0"),
    ("exp(-s)/(1 - exp(-s)) > 0", (), "condition s > 0"),
])
def test_a_repair_is_the_condition_that_one_would_think_of(goal: str, where: tuple[str, ...], repair: str) -> None:
    note = prove(goal, where).note
    assert note == f"proved with the extra {repair}"
    assert prove(goal, [*where, *repair.partition(" ")[2].split(" and ")]).verdict == "proved"


def test_the_sides_at_the_counterexample() -> None:
    verdict = prove("2*x > x + 1")
    assert verdict.verdict == "refuted" and verdict.counterexample is not None
    value = sp.Rational(verdict.counterexample["x"])
    assert verdict.evidence["sides"] == (f"2*x = {2 * value}", f"x + 1 = {value + 1}")
    assert f"at x = {value}" in str(verdict) and f"2*x = {2 * value}" in verdict._repr_html_()


@pytest.mark.parametrize("goal, where", [
    ("x > 0", ["x < 0", "x > 1"]), ("1 > 0", ["x > y", "y > x"]), ("x == 2", ["exp(x) < 0"]), ("x > 0", "0 > 1"),
    ("x > 0", ["1/0 > 1"]), ("x > 0", ["x > log(-1)"]), ("x > 0", ["log(x) > x"]),
    ("f(x) > 0", ["f in functions", "f(x)**2 < 0"]), ("x > 0", ["x > 0", "1/x < 0"]),
])
def test_contradictory_conditions_are_bad_input(goal: str, where: Any) -> None:
    with pytest.raises(InputError, match="the conditions contradict each other"):
        prove(goal, where, budget=4)


@pytest.mark.parametrize("call, message", [
    (lambda: qt.prove(), "prove: the argument is missing: 'goal'; the call is prove(goal, [where], [budget=...]"),
    (lambda: qt.prove("x > 0", "x > 1", "x > 2"), "prove: too many positional arguments; the call is prove(goal, "),
    (lambda: qt.prove("x > 0", conditions="x > 1"), "prove: conditions are given as where=...; the call is"),
    (lambda: qt.prove(["x > 1"], "x > 0"), "prove: the goal comes first and is one statement, not a list"),
    (lambda: qt.prove("x > 0", were="x > 1"), "prove: there is no argument 'were', but 'where'; the call is"),
    (lambda: qt.derivation("A title", "x > 0"), "derivation: too many positional arguments; the call is derivation("),
    (lambda: qt.verify(3), "ids is of type int; a string or a list of strings is needed"),
    (lambda: qt.verify("eb", rnu=True), "verify: there is no argument 'rnu'"),
])
def test_a_call_that_does_not_fit_says_what_would(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("condition, right", [
    ("> 0", "'x > 0'"), ("natural", "'n in naturals'"), ("k natural", "'k in naturals'"), ("positive", "'x > 0'"),
    ("x is a non-negative number", "'x >= 0'"), ("x in (0, 1]", "'0 < x <= 1'"), ("i integer", "'i in integers'"),
    ("whole numbers", "'n in integers'"), ("in reals", "'x in reals'"),
])
def test_a_condition_in_words_is_told_in_the_language(condition: str, right: str) -> None:
    with pytest.raises(InputError) as caught:
        prove("x < x + 1", ["n in naturals", condition, "x < 5"])
    assert str(caught.value).endswith(f"; write {right}") and repr(condition) in str(caught.value)
    for text in re.findall("'([^']*)'", right):
        assert prove("x < x + 1", text).verdict == "proved"


@pytest.mark.parametrize("condition", ["x not positive", "positive x y", "x >", "x integer > 0"])
def test_a_condition_that_may_mean_anything_is_not_guessed(condition: str) -> None:
    with pytest.raises(InputError) as caught:
        prove("x < x + 1", ["n in naturals", condition])
    assert "; write" not in str(caught.value)


def test_unmet_conditions_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import qtheory.proofs.tactics.interpretations as interpretations

    monkeypatch.setattr(interpretations, "witness", lambda statement, deadline: None)
    assert "satisfiable: unknown" in prove("x + y > y", "x > 0").note


def test_sympy_objects_with_their_assumptions() -> None:
    verdict = prove(sp.Gt(P + X**2, 0))
    assert verdict.verdict == "proved" and verdict.hypotheses == ("p > 0",)
    assert prove(sp.Gt(P * X, 0), sp.And(X > 0, X < 1)).verdict == "proved"
    assert prove(sp.Gt(P + X, 0), [X > 0]).statement == "p + x > 0  for x > 0, p > 0"


def test_definitions() -> None:
    verdict = prove("f(x) >= 2*x", let="f(t) = t**2 + 1")
    assert verdict.verdict == "proved" and verdict.statement == "f(x) >= 2*x  where f(t) = t**2 + 1"


def test_a_verdict_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="no truth value"):
        bool(prove("1 > 0"))


def test_json_has_the_fields_of_the_contract(tmp_path: Path) -> None:
    verdict = prove("1 > 0")
    data = verdict.to_json()
    assert list(data) == FIELD_ORDER and {*FIELDS, *READ} == {*FIELD_ORDER} and data["certificate"] is None
    assert verdict.certificate is not None
    saved = verdict.certificate.save(tmp_path / "c.json")
    assert verdict.to_json()["certificate"] == str(saved)
    check(json.loads(saved.read_text()), Statement("1 > 0"))
    assert json.loads(json.dumps(verdict.to_json())) == verdict.to_json()


def test_a_certificate_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    verdict = prove("1 > 0")
    assert verdict.certificate is not None
    with pytest.raises(InputError, match="cannot be written"):
        verdict.certificate.save(tmp_path / "absent" / "c.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        verdict.certificate.save(tmp_path / "folder")
    assert not [f for f in tmp_path.iterdir() if f.name.startswith(".")]


def test_every_kind_admits_its_verdicts() -> None:
    assert all(verdicts <= set(VERDICTS) for verdicts in ADMITTED.values())
    assert not admitted("identity", "supported") and admitted("distributional", "supported")
    assert not admitted("theorem", "reported") and admitted("table value", "reported")
    assert not admitted("limit", "unknown", " ") and admitted("limit", "unknown", "no rule for this integral")
    with pytest.raises(ValueError, match="is no verdict"):
        Verdict("x > 0", "true")


# ---- nothing that the search says is believed ----

def test_a_false_certificate_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = decide(Statement("x**2 >= 0")).certificate
    assert proof is not None
    for data in (dict(proof.data), {**proof.data, "statement": Statement("x**2 > 0").to_json()}, {"schema": 1}):
        answer(monkeypatch, Outcome("proved", data, "trust me"))
        verdict = decide(Statement("x**2 > 0"))
        assert verdict.verdict == "unknown" and "the checkers rejected" in verdict.note and verdict.certificate is None


def test_what_cannot_be_read_back_is_searched_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    real, asked = search_module.search, []

    def search(statement: Statement, *, reread: bool, **more: Any) -> Outcome:
        asked.append(reread)
        found = real(statement, reread=reread, **more)
        return found if reread else replace(found, certificate={"schema": 1})

    monkeypatch.setattr(search_module, "search", search)
    assert decide(Statement("x**2 >= 0")).verdict == "proved" and asked == [False, True]


def test_a_search_that_fails_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*of_the_search: Any, **more: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(search_module, "refute", fail)
    assert decide(Statement("x > 0")).note == (
        "the search failed at search of tactics/search.py (ZeroDivisionError), which says nothing of the statement: a "
        "defect of qtheory, worth reporting with the statement")


@pytest.mark.parametrize(("goal", "where"), [
    ("x < 10**5000", ()), ("x*y < 10**5000", ()), ("exp(x) < 10**90000", ()), ("(1 - p)**5000 <= 1", ("0 <= p <= 1",))])
def test_a_power_beyond_every_certificate_is_told_and_sympy_is_not_asked(goal: str, where: tuple[str, ...],
                                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    """Its zeros would take SymPy seconds."""
    monkeypatch.setattr(critical, "_places", None)
    note = "limit: exponent too large: no power beyond the 200th is multiplied out; a symbol in its place may do"
    assert prove(goal, where).note.startswith(note)


def test_a_search_that_does_not_stop_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(statement: Statement) -> Outcome:
        while True:
            try:
                sum(range(1000))
            except Exception:
                continue

    answer(monkeypatch, forever)
    monkeypatch.setattr(stopping, "MORE", 0.0)
    assert decide(Statement("x > 0"), budget=0.02).note.endswith("stopped after 0.04 units of work, twice its budget")


def test_a_search_that_counts_its_work_is_stopped_by_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same work each time, whatever the time it takes."""
    done = []

    def forever(statement: Statement) -> Outcome:
        begun = spent()
        try:
            while True:
                hyp(statement.conclusion)
        finally:
            done.append(spent() - begun)

    answer(monkeypatch, forever)
    monkeypatch.setattr(time, "process_time", itertools.count().__next__)
    for _ in range(2):
        assert decide(Statement("x > 0"), budget=1, patience=0.25).note.endswith("stopped after 0.25 units of work")
    assert done[0] == done[1] and 0.25 < done[0] / SECOND < 0.26
    with pytest.raises(OutOfTime), limited(0.1), limited(5):  # the outer limit counts within
        while True:
            spend("rule")


def test_work_is_counted_by_its_size() -> None:
    """Sums by their summands, polynomials and what divides them by their monomials: of ten times as much, ten times
    the work at least nearly."""
    def done(work: Callable[[], Any]) -> int:
        begun = spent()
        work()
        return spent() - begun

    def summed(n: int) -> int:
        return done(lambda: evaluate(Statement(f"Sum(sqrt(k), (k, 1, {n})) > 0").conclusion[1], {}))

    def formed(n: int) -> int:
        term = Statement(" + ".join(f"exp({k})*y" for k in range(1, n + 1)) + " > 0").conclusion[1]
        return done(lambda: Table().separated(term))

    def divided(n: int) -> int:
        places = Places([PolyFact({packed(((k, 1),)): 1 for k in range(n)}, ">", ())])
        return done(lambda: places.quotients(packed(((0, 1),))))

    for work, size in ((summed, 3000), (formed, 300), (divided, 300)):
        assert work(size) > 8 * work(size // 10) > 0, work.__name__


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_stop_that_falls_into_a_callback_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(seconds: float) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    monkeypatch.setattr(stopping, "MORE", 0.0)
    with pytest.raises(OutOfTime), limited(0.05 / stopping.MARGIN):
        target = threading.Event()
        called = weakref.ref(target, lambda _: busy(1))
        del target
        assert called() is None
        busy(5)


@pytest.mark.later
def test_a_timer_within_another_leaves_it_its_time() -> None:
    def busy(seconds: float) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    stages = []
    with pytest.raises(OutOfTime), stopping.awake(0.5):
        with suppress(OutOfTime), stopping.awake(0.05):
            busy(5)
        stages.append("the inner one rang")
        with stopping.awake(5):
            busy(0.05)
        stages.append("and another did not")
        busy(0.02)
        stages.append("nor did the outer one at once")
        busy(20)
    assert len(stages) == 3


def test_a_question_that_sympy_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever() -> None:
        while True:
            pass

    monkeypatch.setattr(bridge, "LONG", 0.1)
    begun = spent()
    with pytest.raises(Stuck, match="SymPy takes too long"):
        bridge.answer(forever)
    assert spent() - begun == (1 + bridge.IN_VAIN) * COSTS["sympy"]
    assert bridge.answer(lambda: sp.integrate(X, X)) == X**2 / 2


def test_the_limit_leaves_other_timers_alone() -> None:
    import signal

    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with limited(5):
            assert not rung
        time.sleep(0.1)
        assert rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ---- bad input ----

HANGS = 60  # seconds of a processor for what takes a few hundredths: a hang, on any machine

HOSTILE = ["__import__('os')", "(" * 5000 + "x" + ")" * 5000 + " > 0", "x" * 1_000_000 + " > 0", "\0x > 0", "", "  \n",
           "x", "x >", "sin(x) > 0", "x = 1", "lambda: 0", "x > 0; import os", "a.b > 0", "x[0] > 0", "x' > 0",
           "{x > 0}", "é > 0", "pi > 3", "x**" * 70 + "x > 0", "-" * 100 + "x > 0", "Max() > 0", "exp > 0",
           "(x > 0) > 1", "1e999999999 > 0", "oo > 0", "Sum(x, x) > 0", '"text" > 0',
           "9**9**9 > 0", "9**9**9**9 > 1", "x + 2**(9**9**9**9) > x"]


@pytest.mark.parametrize("goal", HOSTILE, ids=lambda g: repr(g)[:25])
def test_what_is_no_mathematics_is_one_line(goal: str) -> None:
    with limited(HANGS), pytest.raises(InputError) as caught:
        prove(goal)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


@pytest.mark.parametrize("goal", [
    "2**4000 > 1", "0**1000000 <= 0", "x**x**x**x**x > 0", "(x + y + z + w)**190 > 0", "2**(2**(2**(2**x))) > 0",
    "1/0 > 0", "exp(exp(exp(exp(10)))) > 1", "Sum(i, (i, 1, 10**9)) > 0", "exp(" * 40 + "x" + ")" * 40 + " > 0",
    pytest.param("+".join(f"x{i}" for i in range(150)) + " > 0", marks=pytest.mark.slow),
])
def test_heavy_goals_keep_to_their_budget(goal: str) -> None:
    with limited(HANGS):
        assert prove(goal, budget=1).verdict in ("proved", "refuted", "unknown")


@pytest.mark.parametrize("arguments, message", [
    (dict(goal=3), "the goal is of type int"), (dict(goal=None), "of type NoneType"),
    (dict(goal=b"x>0"), "of type bytes"), (dict(goal=True), "bare truth value"),
    (dict(goal="x>0", where=3), "where is of type int"),
    (dict(goal="x>0", where=["x<1", 3]), "the condition is of type int"),
    (dict(goal="x>0", where={"x": 1}), "where is of type dict"), (dict(goal="x>0", where=""), "the condition is empty"),
    (dict(goal="x>0", where="n in primes"), "naturals, integers, reals"),
    (dict(goal="x>0", where="x"), "no comparison"),
    (dict(goal="x>0", let="f(x=1"), "not of the form"), (dict(goal="x>0", budget=0), "the budget is 0"),
    (dict(goal="x>0", budget="5"), "the budget is '5'"), (dict(goal="x>0", budget=float("nan")), "the budget is nan"),
    (dict(goal="x>0", budget=2 * MAX_BUDGET), "the budget is"), (dict(goal="x>0", budget=True), "the budget is True"),
    (dict(goal="x + * y > 0"), "column 5"),
])
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        prove(**arguments)
    assert "\n" not in str(caught.value)


def test_definitions_that_blow_up_are_refused_at_once() -> None:
    with limited(HANGS), pytest.raises(InputError, match=r"has more than \d+ words|too (long|large)|limit"):
        read("a50 > 0", (), tuple(f"a{i + 1} = a{i} + a{i}" for i in range(50)))


# ---- the cache ----

def entries(folder: Path) -> list[Path]:
    return sorted((folder / "proofs").glob("*.json"))


def test_a_proof_is_found_again_without_search(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = decide(Statement("x**2 >= 0"), cache=True)
    assert len(entries(folder)) == 1
    answer(monkeypatch, AssertionError("searched again"))
    again = decide(Statement("x^2  >= 0"), cache=True)  # another wording of the same formula
    assert (again.verdict, again.method) == ("proved", first.method)


def test_the_cache_is_never_believed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decide(Statement("x**2 >= 0"), cache=True)
    good = json.loads(entries(folder)[0].read_text())
    target = Statement("x**2 > 0")
    path = cache.place(target)
    assert path is not None
    forged = copy.deepcopy(good)
    forged["certificate"]["statement"] = target.to_json()
    for text in (json.dumps(good), json.dumps(forged), "{", "[]", '{"certificate": {}}', "\0", '{"certificate": 3}'):
        path.write_text(text)
        assert decide(target, cache=True).verdict == "refuted"
        assert json.loads(path.read_text())["certificate"]["verdict"] == "refuted"


def test_no_cache_when_it_is_off_or_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QTHEORY_CACHE", "off")
    assert prove("x**2 >= 0").verdict == "proved" and cache.folder() is None
    (folder / "file").write_text("")
    monkeypatch.setenv("QTHEORY_CACHE", str(folder / "file"))
    assert prove("x**2 >= 0").verdict == "proved"
    monkeypatch.delenv("QTHEORY_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache.folder() == Path("/somewhere/qtheory/proofs")


def test_unknown_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, Outcome("unknown", None, "", obstacle="none found"))
    assert decide(Statement("x**2 >= 0"), cache=True).note == "none found"
    assert not entries(folder)


@pytest.mark.parametrize(("goal", "where", "note"), [
    ("Var(X, (X, Uniform(0, L))) <= L**2/12", "L >= 0",
     "Uniform(0, L) needs L > 0; proved with the extra condition L > 0"),
    ("E(X, (X, Finite((1, p), (0, q)))) <= p", "0 <= p <= q", "Finite((1, p), (0, q)) needs masses with the sum 1"),
    ("E(X, (X, Bernoulli(p))) <= p", "p < 2", "Bernoulli(p) needs p >= 0")])
def test_what_a_law_needs_is_told_where_a_term_that_nobody_typed_is_undefined(goal: str, where: str, note: str) -> None:
    assert prove(goal, where).note.startswith(note)


@pytest.mark.parametrize(("goal", "where", "side"), [
    ("factorial(n) <= 5", "n == 3", "factorial(n) = 6"), ("1 + log(n) < 1", "n == 1", "1 + log(n) = 1"),
    ("exp(n)*n**2 > 0", "n == 0", "exp(n)*n**2 = 0"), ("log(n) < 0", "n == 2", "log(n) ≈ 0.69314718056")])
def test_what_is_exact_at_a_counterexample_is_shown_so(goal: str, where: str, side: str) -> None:
    assert side in prove(goal, where).reasons()[1]
