"""The gate: words are earned on evidence, what is shown was certified, and text from files is shown as text."""

from __future__ import annotations

import copy
import json
import math
import multiprocessing
import os
import pickle
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.proofs import cache, corpus, gate, records
from qtheory.proofs.api import prove
from qtheory.proofs.claims import evidence
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.decide import decide
from qtheory.proofs.derivation import derivation
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.steps import TAKEN, Step
from qtheory.proofs.tactics.search import search
from qtheory.proofs.verdict import ANNOTATIONS, EARNED, FIELDS, Verdict
from qtheory.proofs.visible import json_text, visible

HOSTILE = "\x1b[2J\x1b[Hproved: 1 == 2\nby both checkers\u202e\u200b\r\x07"
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Every test has a cache of its own."""
    monkeypatch.setenv("QTHEORY_CACHE", str(tmp_path / "cache"))
    yield tmp_path


def certificate(goal: str, *where: str) -> dict[str, Any]:
    found = decide(Statement(goal, where)).certificate
    assert found is not None
    return copy.deepcopy(dict(found.data))


def claim(**more: Any) -> Claim:
    return Claim("me.x", "S", "quote", (1, 2), "inequality", **more)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out + said.err


# ---- words are earned ----

@pytest.mark.parametrize("word", sorted(EARNED))
def test_a_word_is_given_by_the_gate_alone(word: str) -> None:
    with pytest.raises(ValueError, match="given by"):
        Verdict("1 == 2", word)
    with pytest.raises(ValueError, match="given by"):
        replace(Verdict("1 == 2", "reported"), verdict=word)
    with pytest.raises(ValueError, match="given by"):
        Verdict("1 == 2", word, axioms=("kurtz",), certificate=prove("1 > 0").certificate)
    with pytest.raises(InputError):
        claim(verdict=word)


UNMET = ("f in functions", "f(1) == 3", "f(2) == 5", "f(3) == 11")  # no function of the stock that is searched


@pytest.mark.parametrize("name", sorted(set(FIELDS) - ANNOTATIONS))
def test_what_was_certified_cannot_be_changed(name: str) -> None:
    for verdict in (prove("x**2 >= 0", "x > 1"), prove("x > 0")):
        with pytest.raises(ValueError):
            replace(verdict, **{name: getattr(verdict, name)})
        with pytest.raises(ValueError, match="cannot be changed"):
            verdict.annotated(**{name: getattr(verdict, name)})


@pytest.mark.later
def test_annotations_add_to_a_verdict_and_survive_other_processes() -> None:
    verdict = prove("f(x) > 0", [*UNMET, "f(x) > 0"]).annotated(
        id="me.x", note="as printed", evidence={"quote": "q", "satisfiable": "known"})
    assert verdict.evidence == {"quote": "q", "satisfiable": "unknown"} and "satisfiable: unknown" in verdict.title
    again = pickle.loads(pickle.dumps(verdict))
    assert again.to_json() == verdict.to_json() and again.verdict == "proved"


def test_a_certificate_is_for_its_own_statement() -> None:
    for forged in (certificate("1 > 0"), {**certificate("1 > 0"), "statement": Statement("1 == 2").to_json()}):
        with pytest.raises(KernelError):
            gate.certified(Statement("1 == 2"), forged)
    with pytest.raises(KernelError, match="another statement"):
        gate.about(prove("1 > 0"), Statement("1 == 2"))


def test_a_step_says_what_its_verdict_says() -> None:
    d = derivation("D")
    d.symbol("x", "x > 0")
    step = d.step("x**2 > 0")
    for change in ({"goal": "1 == 2"}, {"standing": "refuted"}, {"verdict": Verdict("x**2 > 0", "unknown")}):
        with pytest.raises(ValueError, match="its verdict is"):
            replace(step, **change, seal=TAKEN)


def test_steps_are_taken_and_not_changed() -> None:
    d = derivation("D")
    d.symbol("x", "x > 0")
    d.let("Psi(x) = x**2")
    step = d.step("Psi(x) > 0")
    for name in (f.name for f in fields(Step)):
        with pytest.raises(ValueError, match="taken by a derivation"):
            replace(step, **{name: getattr(step, name)})
        with pytest.raises(AttributeError):
            setattr(step, name, "1 == 2")
    with pytest.raises(TypeError, match="of no other kind"):
        type("Mine", (Step,), {})
    for change in (lambda: d.steps.append(step), lambda: d.context.conditions.clear(),  # type: ignore[attr-defined]
                   lambda: d.context.let.update({"Psi": "Psi(x) = -1"}),  # type: ignore[attr-defined]
                   lambda: d.context.units.clear()):  # type: ignore[attr-defined]
        with pytest.raises(AttributeError):
            change()
    assert d.verdict == "proved: its one step" and "for x > 0" in str(d) and "let Psi(x) = x**2" in str(d)


def test_what_was_certified_is_in_nobody_elses_hands() -> None:
    verdict = prove("x > 3", "x > 1").annotated(evidence={"rows": [[1, 2]], "odd": object})
    before = verdict.to_json()
    for mapping in (verdict.counterexample, verdict.evidence):
        with pytest.raises(TypeError):
            mapping["x"] = "77"  # type: ignore[index]
        assert not hasattr(mapping, "update") and not hasattr(verdict, "__dict__")
    assert verdict.certificate is not None
    verdict.certificate.data["statement"]["goal"] = "1 == 2"
    assert verdict.to_json() == before and verdict.certificate.data["statement"]["goal"] == "x > 3"
    assert copy.deepcopy(verdict).to_json() == pickle.loads(pickle.dumps(verdict)).to_json() == before


def test_a_pickled_verdict_is_of_this_run(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = prove("x > 3", "x > 1")
    data = pickle.dumps(verdict)
    for old, new in ((b"refuted", b"pr\x6fved\x20"), (b"x > 3", b"x > 4")):
        assert old in data
        with pytest.raises(pickle.UnpicklingError, match="of the run that gave it"):
            pickle.loads(data.replace(old, new))
    with pytest.raises(pickle.UnpicklingError, match="made by the gate"):
        object.__new__(Verdict).__setstate__(["1 == 2", "proved"])
    monkeypatch.setattr(multiprocessing.current_process(), "authkey", b"another run")
    with pytest.raises(pickle.UnpicklingError, match="of the run that gave it"):
        pickle.loads(data)


def test_the_modules_of_a_claims_code_are_named() -> None:
    named = gate.computed(corpus.claims()["eb.app-B.1.convergence"]).rests_on
    assert {"code qtheory.proofs.claims.eb.models.chain", "code qtheory.proofs.claims.cases"} <= set(named)


def test_the_statement_is_read_anew() -> None:
    stated = Statement("1 == 2").parsed()
    stated.__dict__["formulas"] = Statement("1 > 0").formulas
    with pytest.raises(KernelError):
        gate.certified(stated, certificate("1 > 0"))


@pytest.mark.parametrize("data", [None, 3, [], {}, "x", float("nan"), {1: object()}, {"schema": 2}])
def test_what_is_no_certificate_is_rejected(data: Any) -> None:
    with pytest.raises(KernelError):
        gate.certified(Statement("1 > 0"), data)


def test_both_checkers_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    import qtheory.proofs.recheck as recheck

    def refuses(*arguments: Any) -> None:
        raise ValueError("not like this")

    d = derivation("D")
    d.symbol("x", "x > 0")
    d.step("x**2 > 0")
    saved = d.certificate().data
    assert gate.by_derivation(saved) == ["proved"]
    data = certificate("1 > 0")
    monkeypatch.setattr(recheck, "check", refuses)
    for ask in (lambda: gate.certified(Statement("1 > 0"), data), lambda: gate.by_derivation(saved)):
        with pytest.raises(KernelError, match="the second checker disagrees: not like this"):
            ask()
    assert prove("1 > 0").verdict == "unknown"


# ---- counterexamples and witnesses are the certificate's ----

GOALS = {"x**2 > 2*x": lambda x, y: x**2 > 2 * x, "x*y >= 0": lambda x, y: x * y >= 0,
         "x**3 - x > 0": lambda x, y: x**3 - x > 0, "x/y > 1": lambda x, y: x / y > 1,
         "And(x > 0, y > x)": lambda x, y: x > 0 and y > x, "Implies(x > 1, y > 1)": lambda x, y: x <= 1 or y > 1,
         "Max(x, y) < 3": lambda x, y: max(x, y) < 3, "x - floor(x) > y": lambda x, y: x - x // 1 > y}
CONDITIONS = {(): lambda x, y: True, ("x > 0", "y > 0"): lambda x, y: x > 0 and y > 0,
              ("0 < x < 1", "y != 0"): lambda x, y: 0 < x < 1 and y != 0,
              ("x + y == 1", "y > 0"): lambda x, y: x + y == 1 and y > 0, ("x > y",): lambda x, y: x > y,
              ("x in naturals", "y == 2*x + 1"): lambda x, y: x.denominator == 1 and x >= 0 and y == 2 * x + 1}


@pytest.mark.parametrize("where", CONDITIONS, ids=str)
@pytest.mark.parametrize("goal", GOALS)
def test_a_counterexample_breaks_the_goal_and_meets_the_conditions(goal: str, where: tuple[str, ...]) -> None:
    verdict = decide(Statement(goal, where), budget=2)
    point = verdict.counterexample or verdict.witness or {}
    at = [Fraction(point.get(name, "1")) for name in ("x", "y")]
    assert verdict.verdict in ("proved", "refuted") or "nothing meets the guard" in verdict.note
    if where and point:
        assert CONDITIONS[where](*at)
    if verdict.verdict == "refuted":
        assert at[1] == 0 if verdict.undefined else not GOALS[goal](*at)


@pytest.mark.parametrize(("goal", "shown"), [
    ("Increasing(y/x, x, x < 0)", "y' = "), ("limit(x*e, x, 0) == e", "e' = "), ("ForAll(z, z > 2, z < x)", "z = "),
    ("Convex(factorial(x), x, Natural(x))", "t' = ")])
def test_a_value_within_a_notation_goes_by_no_name_of_the_users(goal: str, shown: str) -> None:
    verdict = prove(goal, where=["y > 0"] if "y" in goal else [])
    assert verdict.verdict == "refuted" and shown in verdict.method
    assert verdict.undefined is None or "Sum(log(k')" in verdict.undefined


def test_an_edited_cache_shows_no_other_counterexample(folder: Path) -> None:
    statement = Statement("x > 3", ("x > 1",))
    first = decide(statement, cache=True)
    path = cache.place(statement)
    assert path is not None
    entry = json.loads(path.read_text())
    path.write_text(json.dumps(entry | {"counterexample": {"x": "77"}, "undefined": "1/x", "witness": {"x": "5"},
                                        "method": "counterexample at x = 77"}))
    again = decide(statement, cache=True)
    assert again.counterexample == first.counterexample and "77" not in str(again)
    assert (again.undefined, again.method) == (None, first.method)
    value = Fraction(str((again.counterexample or {})["x"]))
    assert 1 < value <= 3


@pytest.mark.parametrize("goal, where, undefined", [
    ("1/x > 0", ("x >= 0",), "1/x"), ("log(x - 1) < x", ("x > 0",), "log(x - 1)"), ("x > sqrt(-1)", (), "sqrt(-1)"),
    ("binomial(n, m) >= 1", ("n in naturals", "m in naturals"), "binomial(n, m)"),
    ("factorial(n - m) >= 1", ("n in naturals", "m in naturals"), "factorial(n - m)"),
    ("factorial(n/m) >= 1", ("n in naturals", "m in naturals"), "1/m")])
def test_the_undefined_subterm_is_read_off_the_certificate(goal: str, where: tuple[str, ...], undefined: str) -> None:
    assert decide(Statement(goal, where)).undefined == undefined


def test_a_root_is_shown_with_its_interval() -> None:
    verdict = prove("x**3 != 2")
    [value] = (verdict.counterexample or {}).values()
    low, high = (Fraction(end) for end in value.strip("[]").split(","))
    assert low < high and low**3 < 2 < high**3


# ---- conditions that nothing meets ----

@pytest.mark.parametrize("goal, where", [
    ("x > 5", ("x < 0", "x > 1")), ("1 == 2", ("2*n == 7", "n in naturals")), ("f(x) == 7", ("f in functions",
     "f(x) > 1", "f(x) < 0")), ("ForAll(y, And(y > 0, y < 0), y == 7)", ()), ("Implies(x**2 < 0, 1 == 2)", ()),
    ("ForAll(y, And(y > x, y < 0), y == 1)", ("x > 1",))])
def test_what_nothing_meets_is_never_proved(goal: str, where: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match=r"contradict each other|nothing meets the guard"):
        prove(goal, where, budget=4)
    found = corpus.referee(claim(statement=Statement(goal, where)), 4.0)
    assert found.verdict == "unknown" and found.note


def test_a_file_that_proves_nothing_is_rejected(tmp_path: Path, capsys: Any) -> None:
    data = certificate("x*x > 0", "x > 1")
    empty = copy.deepcopy(data)
    empty["statement"]["where"].append("x < 0")
    empty["witness"] = None
    path = tmp_path / "c.json"
    path.write_text(json.dumps(empty))
    code, said = run(capsys, "check", str(path))
    assert code == 1 and "contradict each other" in said
    data["witness"] = None
    path.write_text(json.dumps(data))
    code, said = run(capsys, "check", str(path))
    assert code == 0 and said.startswith("proved (satisfiable: unknown): x*x > 0")


@pytest.mark.later
def test_the_witness_is_shown_wherever_the_verdict_is() -> None:
    met, unmet = prove("x**2 > 0", "x > 0"), prove("f(x) > 0", [*UNMET, "f(x) > 0"])
    assert met.witness == {"x": "1"} and met.to_json()["witness"] == {"x": "1"}
    for text in (str(met), met._repr_html_()):
        assert "x = 1" in text and "satisfiable" not in text
    for text in (str(unmet), unmet._repr_html_(), json.dumps(unmet.to_json())):
        assert "satisfiable: unknown" in text
    d = derivation("D", budget=2)
    d.symbol("x", "x > 0")
    d.function("f", "positive")
    assert "the conditions hold at x = 1" in str(d.step("x**2 > 0"))
    assert "f(tau) = " in str(d.step("f(x) > 0")) and "satisfiable" not in d.verdict


# ---- evidence, records, files of one's own ----

def number(run: Any) -> float:
    """Of a replication."""
    return float(run)


@pytest.mark.parametrize("values, word", [((2.0, 2.1, 2.2, 2.1), "contradicted"), ((0.1, 0.2, 0.1, 0.1), "supported"),
                                          ((0.9, 1.1, 1.0, 1.0), "unknown")])
def test_an_edited_word_of_evidence_changes_nothing(values: tuple[float, ...], word: str, tmp_path: Path,
                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    study: Any = evidence.Study("the mean is at most 1", "no model", number, -math.inf, 1.0, 10.0, 40)  # type: ignore
    mine = Claim("me.sim", "S", "quote", (1, 1), "theorem", studies=lambda: {"mean": study})
    bound = evidence.studies(mine)["mean"]
    monkeypatch.setattr(evidence, "RECORDS", tmp_path / "evidence.json")
    evidence.save(evidence.RECORDS, {bound.claim: evidence.Evidence.of(bound, values * 10)})
    assert gate.simulated(mine).verdict == word
    raw = json.loads(evidence.RECORDS.read_text())
    [(key, entry)] = raw.items()
    for name, value in entry.items():
        other = [0.0] * 40 if name == "values" else [None, 5.0] if name == "range" else "supported"
        if isinstance(value, float):
            other = 2 * value
        evidence.RECORDS.write_text(json.dumps({key: entry | {name: other}}))
        found = gate.simulated(mine)
        assert found.verdict == "unknown" and "stale" in found.note, name


@pytest.mark.parametrize("name", ["eb.prop-3.1", "eb.prop-3.l", "EB.prop-3.1", "to", "eb-prop-3.1", "eb_x"])
def test_an_id_of_the_corpus_is_not_for_others(name: str, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from qtheory.proofs.claims.model import Claim\n"
                    "from qtheory.proofs.kernel.statements import Statement\n"
                    f"CLAIMS = [Claim('{name}', 'S', 'q', (1, 1), 'inequality', Statement('1 > 0'))]\n")
    before = Path(str(records.RECORDS)).read_text()
    code, said = run(capsys, "verify", str(file), "--update-records")
    assert code == 2 and f"the id '{name}' is one of the corpus" in said
    assert Path(str(records.RECORDS)).read_text() == before


@pytest.mark.later
def test_a_record_is_bound_to_its_statement() -> None:
    stated = {i: records.digest(corpus.shown(c)) for i, c in corpus.claims().items()}
    assert {i: r.get("stated") for i, r in records.records().items()} == stated


# ---- display ----

def test_every_character_that_is_shown_is_seen() -> None:
    assert visible("a < b, ≈ \\frac é") == "a < b, ≈ \\frac é"
    assert visible(HOSTILE) == visible(visible(HOSTILE)) and not RAW.search(visible(HOSTILE)) and "\n" not in visible(
        HOSTILE)
    assert json.loads(json_text({"a": HOSTILE, "b": "≈ \U000e0041"})) == {"a": HOSTILE, "b": "≈ \U000e0041"}
    assert not RAW.search(json_text([HOSTILE, "\u2028"]))


@pytest.mark.later
@given(st.text())
def test_no_text_breaks_its_line(text: str) -> None:
    shown = visible(text)
    assert len(shown.splitlines()) <= 1 and shown.isprintable() and json.loads(json_text(text)) == text


def test_verdicts_show_text_as_text() -> None:
    verdict = Verdict(HOSTILE, "reported", note=HOSTILE, method=HOSTILE, undefined=HOSTILE, rests_on=(HOSTILE,),
                      counterexample={HOSTILE: HOSTILE}, witness={"x": HOSTILE}, evidence={"sides": [HOSTILE]})
    for text in (str(verdict), verdict._repr_html_()):
        assert not RAW.search(text) and "\nby both" not in text


def test_a_file_cannot_speak_for_the_program(tmp_path: Path, capsys: Any) -> None:
    d = derivation("D")
    d.symbol("x", "x > 0")
    d.step("x**2 > 0")
    bundle = json.loads(json.dumps(d.certificate().data))
    bundle["derivation"] = HOSTILE
    bundle["steps"][0]["label"] = HOSTILE
    single = certificate("x**2 > 0", "x > 0")
    single["statement"]["where"] = ["x >\n 0"]
    unread = {**single, HOSTILE: 1}
    wrong = {**single, "statement": {**single["statement"], "goal": HOSTILE}}
    for n, data in enumerate((bundle, single, unread, wrong)):
        path = tmp_path / f"c{n}.json"
        path.write_text(json.dumps(data))
        for form in ("text", "json"):
            code, said = run(capsys, "check", str(path), "--format", form)
            assert code == (0 if n < 2 else 1) and not RAW.search(said), said
            assert not any(line.startswith(("proved: 1", "by both")) for line in said.splitlines())


def test_claims_show_text_as_text(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"from qtheory.proofs.claims.model import Claim\nBAD = {HOSTILE!r}\n"
                    "CLAIMS = [Claim('mine.a' + BAD, BAD, BAD, (1, 1), 'empirical', verdict='reported', note=BAD)]\n")
    for form in ("text", "json"):
        assert not RAW.search(run(capsys, "verify", str(file), "--format", form, "--jobs", "1")[1])


# ---- what a hostile reader got past it once ----

def test_a_small_budget_does_not_hide_a_contradiction() -> None:
    verdict = prove("1 == 2", ("x**2 == 2", "x == 1"), budget=0.01)
    assert verdict.verdict == "unknown" and "contradict each other" in verdict.note


def test_a_context_that_nothing_meets_proves_nothing() -> None:
    """Each step has a condition of its own that can be met; together they cannot."""
    steps = []
    for label, goal, where in (("1", "x > 5", ("x > 6",)), ("2", "x < 4", ("x < 3",))):
        found = prove(goal, where).certificate
        assert found is not None
        steps.append({"label": label, "goal": goal, "verdict": "proved", "rests_on": [], "certificate": found.data})
    data = {"schema": 1, "derivation": "d", "version": "0", "let": [], "context": ["x > 6", "x < 3"], "steps": steps}
    with pytest.raises(gate.Vacuous):
        gate.by_derivation(data)
    assert gate.by_derivation({**data, "context": ["x > 6"], "steps": steps[:1]}) == ["proved"]


def test_a_guard_that_nothing_meets_proves_nothing_in_a_step_either() -> None:
    """Nothing of it stands in the derivation's context; beside it a step whose guard is met."""
    for guard, proves in (("And(x > 6, x < 7)", True), ("And(x > 6, x < 3)", False)):
        goal = f"ForAll(x, {guard}, x > 5)"
        found = search(Statement(goal).parsed(), budget=3.0)
        assert found.verdict == "proved" and gate.unmet(found.certificate) is not proves
        step = {"label": "1", "goal": goal, "verdict": "proved", "rests_on": [], "certificate": found.certificate}
        data = {"schema": 1, "derivation": "d", "version": "0", "let": [], "context": [], "steps": [step]}
        if proves:
            assert gate.by_derivation(data) == ["proved"]
        else:
            with pytest.raises(gate.Vacuous, match="nothing meets the guard"):
                gate.by_derivation(data)


@pytest.mark.parametrize(("declare", "then"), [
    (lambda d: d.symbol("w", "y < w", "w < 1"), "proved"), (lambda d: d.natural("w", "y <= -w"), "proved"),
    (lambda d: d.function("f", "f(0) == y", "f(0) < 1"), "proved"),
    (lambda d: d.family("g", "2", "g(i) >= y"), "unknown")])
def test_conditions_of_a_declaration_reopen_what_was_refuted(declare: Any, then: str) -> None:
    d = derivation("late", budget=1)
    d.symbol("y")
    d.symbol("z", "z > 0")
    assert d.less("y", "1").standing == d.less("z", "1").standing == "refuted"
    declare(d)
    assert [s.standing for s in d.steps] == [then, "refuted"]


@pytest.mark.parametrize("late", ["y < 1", "y <= -z"])
def test_what_an_assumption_saves_is_refuted_no_longer(late: str, tmp_path: Path) -> None:
    d = derivation("late", budget=1)
    d.symbol("y")
    d.symbol("z", "z > 0")
    assert d.less("y", "1").standing == d.less("z", "1").standing == "refuted"
    d.assume(late)
    assert [s.standing for s in d.steps] == ["proved", "refuted"]
    assert re.search(r"proved +y < 1", str(d)) and re.search(r"refuted +z < 1", str(d))
    assert gate.by_derivation(json.loads(d.save(tmp_path / "d.json").read_text())) == ["proved", "refuted"]


@pytest.mark.later
def test_a_counterexample_says_which_conditions_it_leaves_out(tmp_path: Path, capsys: Any) -> None:
    """Those on other symbols alone hold somewhere else, or nowhere: then nothing is refuted."""
    chained = "exp(a) == b**3 + 5", "exp(b) == c**3 + 7", "exp(c) == a**3 + 11"
    for unseen, left_out in ((("b > 0", "c > 0"), False), (chained, True)):
        d = derivation("d", budget=1)
        for name in "abcd":
            d.symbol(name)
        d.symbol("x", "x > 0")
        d.assume(*unseen)
        step = d.less("x", "1")
        assert step.standing == "refuted" and ("met by nothing that is known" in str(step)) == left_out
        assert all((text in str(step)) == left_out for text in unseen)
        code, said = run(capsys, "check", str(d.save(tmp_path / "d.json")))
        assert code == 0 and f"refuted: x < 1   not looked at: {', '.join(unseen)}" in said


def test_what_is_written_is_whole_and_where_it_was_asked_for(tmp_path: Path) -> None:
    found = prove("1 > 0").certificate
    assert found is not None
    (tmp_path / "link.json").symlink_to(tmp_path / "there.json")
    (tmp_path / "nothing").symlink_to("/dev/null")
    for name in ("link.json", "nothing"):
        found.save(tmp_path / name)
        assert (tmp_path / name).is_symlink()
    assert json.loads((tmp_path / "there.json").read_text()) == found.data
    assert Path("/dev/null").is_char_device()
    (tmp_path / "there.json").chmod(0o600)
    found.save(tmp_path / "link.json")
    assert (tmp_path / "there.json").stat().st_mode & 0o777 == 0o600


def test_a_result_goes_to_a_file_and_a_link_is_said_to_be_one(tmp_path: Path, capsys: Any) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nothing").symlink_to("/dev/null")
    for place in ("/dev/null", tmp_path / "pipe", tmp_path / "nothing"):
        code, said = run(capsys, "prove", "1 > 0", "-o", str(place))
        assert code == 2 and f"{place}: cannot be written: it is a device or a pipe; name a file" in said
    (tmp_path / "link").symlink_to(tmp_path / "there.json")
    code, said = run(capsys, "prove", "1 > 0", "-o", str(tmp_path / "link"))
    assert code == 0 and f"link is a link: {tmp_path / 'there.json'} is written" in said
    assert (tmp_path / "link").is_symlink() and json.loads((tmp_path / "there.json").read_text())
    (tmp_path / "astray").symlink_to(tmp_path / "absent" / "c.json")
    code, said = run(capsys, "prove", "1 > 0", "-o", str(tmp_path / "astray"))
    assert code == 2 and f"there is no folder {tmp_path / 'absent'}" in said


def test_a_valid_refutation_is_told_from_a_proof(tmp_path: Path, capsys: Any) -> None:
    for goal, sense in (("1 == 2", "valid as a refutation of the goal"), ("1 < 2", "valid for the goal")):
        (tmp_path / "c.json").write_text(json.dumps(certificate(goal)))
        for more in ((), ("--goal", goal)):
            code, said = run(capsys, "check", str(tmp_path / "c.json"), *more)
            assert code == 0 and sense in said


def test_an_edited_record_tells_no_reading(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    edited = {i: {**r, "verdict": "proved"} for i, r in records.records().items()}
    monkeypatch.setattr(records, "records", lambda: edited)
    code, said = run(capsys, "show", "eb.table-4.b300")
    assert code == 0 and "reading eb.table-4.b300.ttft: refuted" in said


def test_a_file_without_end_is_unreadable(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from qtheory.commands import check

    monkeypatch.setattr(check, "MAX_BYTES", 1000)
    code, said = run(capsys, "check", "/dev/zero")
    assert code == 2 and "larger than 1000 bytes" in said


def test_a_label_writes_no_verdict(tmp_path: Path, capsys: Any) -> None:
    found = prove("1 > 0").certificate
    assert found is not None
    label = "1) proved: 1 == 2   by both checkers, (2"
    step = {"label": label, "goal": "1 > 0", "verdict": "proved", "rests_on": [], "certificate": found.data}
    data = {"schema": 1, "derivation": "d", "version": "0", "let": [], "context": [], "steps": [step]}
    (tmp_path / "d.json").write_text(json.dumps(data))
    for more in ((), ("--goal", "1 > 0")):
        with pytest.raises(SystemExit) as end:
            main(["check", str(tmp_path / "d.json"), *more])
        out = capsys.readouterr().out
        assert end.value.code == 0 and "1 == 2" not in out and "proved: 1 > 0" in out


@pytest.mark.parametrize("change", [
    {"id": "../escaped"}, {"id": "mine." + "x" * 140}, {"id": "eb.prop-3.1 "}, {"id": "\u0435b.prop-3.1"}, {"id": ""},
    {"id": 5}, {"id": None}, {"note": 5}, {"quote": None}, {"lines": None}, {"lines": (1, "2")}, {"proof": None},
    {"first_at": []}, {"sources": []}])
def test_a_claim_of_other_things_is_refused(change: dict[str, Any]) -> None:
    told: dict[str, Any] = {"id": "me.x", "place": "S", "quote": "q", "lines": (1, 1), "kind": "inequality",
                            "statement": Statement("1 > 0")}
    Claim(**told)
    with pytest.raises(InputError):
        Claim(**{**told, **change})


def test_a_step_is_on_all_of_its_goal() -> None:
    d = derivation("d", budget=1)
    d.symbol("x", "0 < x < 1")
    step = d.less("x", "10")
    for goal in ("x < 1", ""):
        with pytest.raises(ValueError, match="is not proved"):
            replace(step, goal=goal, seal=TAKEN)


def test_a_verdict_has_no_other_kind() -> None:
    class Word(str):
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            return other == "unknown"

    with pytest.raises(TypeError, match="of no other kind"):
        type("Mine", (Verdict,), {})
    with pytest.raises(ValueError, match="no verdict"):
        Verdict("1 == 2", Word("proved"))


class Posing(str):
    """It is equal to another text, under which what is read of it would be kept."""

    def __new__(cls, own: str, other: str) -> Posing:
        made = super().__new__(cls, own)
        made.other = other
        return made

    other: str

    def __eq__(self, other: object) -> bool:
        return self.other == (other.other if isinstance(other, Posing) else other)

    def __hash__(self) -> int:
        return hash(self.other)


def test_a_text_that_poses_as_another_is_not_read() -> None:
    posing = Posing("d = 1/4", "d = 3/4")
    for read in (lambda: Statement("1 > 0", (), (posing,)).parsed(),
                 lambda: Statement("d > 1/2", (Posing("d < 1/2", "d < 1"),)).parsed(),
                 lambda: Statement(Posing("1 > 0", "1 > 2")).parsed(),
                 lambda: Statement("f(1) > 0", ("f in functions",)).interpreted([Posing("f(x) = 1", "f(x) = -1")]),
                 lambda: Statement.from_json({"goal": "1 > 0", "where": [], "let": [posing]})):
        with pytest.raises(KernelError, match=r"texts|functions"):
            read()
    assert decide(Statement("d > 1/2", (), ("d = 3/4",))).verdict == "proved"
    assert prove(Posing("1 > 2", "1 > 0")).verdict == "refuted"  # what is asked is what it says


@pytest.mark.later
def test_a_theorem_is_shown_as_it_was_checked() -> None:
    claim = corpus.find("to.thm-1b")
    found = corpus.referee(claim)
    assert claim.theorem is not None and found.certificate is not None

    class Other(type(claim.theorem)):  # type: ignore[misc]
        """Equal to everything."""

        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    t = claim.theorem
    shown = gate.by_axioms(Other(t.where, t.parameters, t.uses, t.let, "1 == 2"), found.certificate.data)
    assert shown.statement == found.statement and "1 == 2" not in shown.statement


def test_a_record_of_another_statement_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = records.records()
    edited = {i: {**r, "verdict": "proved", "stated": "0" * 16} if i == "wait.alg-1" else r for i, r in kept.items()}
    assert records.current() == kept
    monkeypatch.setattr(records, "records", lambda: edited)
    assert "wait.alg-1" not in records.current() and len(records.current()) == len(kept) - 1
