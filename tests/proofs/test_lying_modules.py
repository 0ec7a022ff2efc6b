"""Modules that are not trusted are made to lie, and nothing false is proved.

For each name in ``qtheory.proofs.trusted.LIARS`` a test here has it return what an enemy would: forged certificates,
verdicts on other statements, worthless numbers. Whatever comes of a false statement then, it is not ``proved``.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import qtheory.commands.check as check_command
import qtheory.proofs.bundle as bundle
import qtheory.proofs.cache as cache
import qtheory.proofs.claims.loading as loading
import qtheory.proofs.decide as decide_module
import qtheory.proofs.plain as plain
import qtheory.proofs.recheck as recheck
import qtheory.proofs.records as records
import qtheory.proofs.suggest as suggest
import qtheory.proofs.tactics.refute as refute
import qtheory.proofs.tactics.search as search_module
import qtheory.proofs.theorems as theorems
import qtheory.proofs.trusted as trusted
import qtheory.proofs.vacuous as vacuous
import qtheory.proofs.verdict as verdict_module
import qtheory.proofs.working as working
from qtheory.errors import InputError
from qtheory.proofs import api, corpus, gate, remarks
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.outcomes import Fails, Holds
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.proving.lines import Line, Proof
from qtheory.proofs.tactics.search import Outcome
from qtheory.proofs.verdict import Verdict

FALSE = [("x**2 > 0", ()), ("1 == 2", ()), ("x > 1", ("x > 0",)), ("limit(x, x, 0) == 1", ()), ("1/x == 1/x", ())]
TRUE = Statement("x**2 >= 0")


def lying(name: str) -> Callable[[Any], Any]:
    """Says which of the modules the test makes lie."""
    return pytest.mark.parametrize("liar", [name])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Every test has a cache of its own."""
    monkeypatch.setenv("QTHEORY_CACHE", str(tmp_path))
    yield tmp_path


def true_certificate() -> dict[str, Any]:
    data = api.decide(TRUE).certificate
    assert data is not None
    return dict(data.data)


def forgeries(statement: Statement) -> Iterator[Any]:
    """What is no certificate of the statement, and says that it is one."""
    good = true_certificate()
    wrong = api.decide(statement).certificate  # of the refutation
    assert wrong is not None
    yield good
    yield {**good, "statement": statement.to_json()}
    yield {**wrong.data, "verdict": "proved"}
    yield {**wrong.data, "verdict": "proved", "steps": [], "main": 0}
    yield {**copy.deepcopy(good), "statement": statement.to_json(), "main": -1}
    yield from ({"schema": 2, "verdict": "proved"}, [], None, "proved", 3)


def words(goal: str, where: tuple[str, ...]) -> set[str]:
    """What the doors say of a statement; an error is none."""
    said = set()
    claim = Claim("me.false", "S", "q", (1, 1), "inequality", Statement(goal, where))
    for door in (lambda: api.prove(goal, where, budget=1), lambda: corpus.referee(claim, 1.0)):
        try:
            verdict = door()
        except (KernelError, InputError):
            continue
        said.add(verdict.verdict)
    return said


def nothing_false_is_proved() -> None:
    for goal, where in FALSE:
        assert "proved" not in words(goal, where), goal


@lying("qtheory.proofs.tactics")
def test_a_search_that_forges(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for goal, where in FALSE:
        with monkeypatch.context() as patched:
            for data in list(forgeries(Statement(goal, where))):
                answer = Outcome("proved", data, "trust me", witness={"x": "1"})
                patched.setattr(search_module, "search", lambda *a, answer=answer, **k: answer)
                patched.setattr(refute, "witness", lambda *a, answer=answer: answer)
                patched.setattr(vacuous, "met_by", lambda *a, answer=answer: ((), answer))
                assert "proved" not in words(goal, where)


@lying("qtheory.proofs.recheck")
def test_a_second_checker_that_accepts_everything(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck, "check", lambda *a: None)
    nothing_false_is_proved()
    for goal, where in FALSE:
        for data in forgeries(Statement(goal, where)):
            with pytest.raises(KernelError):
                gate.certified(Statement(goal, where), data)


@lying("qtheory.proofs.vacuous")
def test_a_look_that_sees_no_contradiction(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vacuous, "why_vacuous", lambda *a: None)
    monkeypatch.setattr(vacuous, "met", lambda *a: True)
    nothing_false_is_proved()
    empty = api.prove("x > 5", ["x < 0", "x > 1"], budget=1)  # which nothing makes false
    assert empty.verdict != "proved" or "satisfiable: unknown" in empty.title


@lying("qtheory.proofs.vacuous")
def test_everything_is_said_to_be_met_or_not(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in (None, "nothing meets it", "proved"):
        monkeypatch.setattr(vacuous, "vacuous", lambda *a, answer=answer: answer)
        nothing_false_is_proved()


@lying("qtheory.proofs.decide")
def test_verdicts_on_other_statements(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = gate.certified(TRUE, true_certificate())
    for module in (api, corpus):
        monkeypatch.setattr(module, "decide", lambda *a, **k: other)
    nothing_false_is_proved()


@lying("qtheory.proofs.decide")
def test_it_cannot_change_what_was_certified(liar: str) -> None:
    other = gate.certified(TRUE, true_certificate())
    for change in ({"statement": "1 == 2"}, {"latex": "1 = 2"}, {"verdict": "refuted"}, {"hypotheses": ()}):
        with pytest.raises(ValueError):
            replace(other, **change)
        with pytest.raises(ValueError, match="cannot be changed"):
            other.annotated(**change)
    with pytest.raises(ValueError, match="given by"):
        Verdict("1 == 2", "proved")
    assert decide_module.accepted(Statement("1 == 2"), {"certificate": true_certificate()}, 1.0)[0] is None


@pytest.mark.later
@lying("qtheory.proofs.cache")
def test_a_cache_of_forgeries(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for goal, where in FALSE:
        with monkeypatch.context() as patched:
            for data in list(forgeries(Statement(goal, where))):
                entry = {"certificate": data, "method": "trust me", "counterexample": {"x": "7"}}
                patched.setattr(cache, "load", lambda statement, entry=entry: entry)
                assert "proved" not in words(goal, where)


@lying("qtheory.proofs.suggest")
def test_a_repair_that_repairs_nothing(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggest, "weakest_repair", lambda *a: "0 == 0; proved")
    monkeypatch.setattr(remarks, "extra_condition", lambda *a: "proved with the extra condition 0 == 0; proved")
    monkeypatch.setattr(api, "hint", lambda *a: "the limit is 0; proved")
    nothing_false_is_proved()


@lying("qtheory.proofs.decimals")
def test_sides_that_are_not_those_of_the_goal(liar: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """They are a line below the word, which stays what it is, and text that is shown as text."""
    from qtheory.cli import main

    monkeypatch.setattr(gate, "sides_at", lambda *a: ["\n\x1b[2Jproved  1 == 2   (both checkers)", "x = 1"])
    nothing_false_is_proved()
    with pytest.raises(SystemExit) as end:
        main(["prove", "x**2 > 0"])
    first, *others = capsys.readouterr().out.splitlines()
    assert end.value.code == 1 and first.startswith("refuted  x**2 > 0")
    assert all(line.startswith("  ") and "\x1b" not in line for line in others)


@pytest.mark.later
@lying("qtheory.files")
def test_files_that_hold_forgeries(liar: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    """Whatever is written, in a cache or as a certificate, is checked when it is read."""
    from qtheory.cli import main

    for goal, where in FALSE[:3]:
        for forged in list(forgeries(Statement(goal, where))):
            def write(target: Path, text: str, forged: Any = forged) -> None:
                target.write_text(json.dumps(forged))

            for module in (cache, verdict_module):
                monkeypatch.setattr(module, "write_whole", write)
            assert "proved" not in words(goal, where) | words(goal, where)
            api.prove("x**2 >= 0").certificate.save(tmp_path / "c.json")  # type: ignore[union-attr]
            with pytest.raises(SystemExit) as end:
                main(["check", str(tmp_path / "c.json"), "--goal", goal, *(f"--where={w}" for w in where)])
            assert end.value.code == 1 and "proved" not in capsys.readouterr().out


@lying("qtheory.proofs.working")
def test_processes_that_hand_back_other_verdicts(liar: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from qtheory.proofs.claims.model import Claim\n"
                    "from qtheory.proofs.kernel.statements import Statement\n"
                    "CLAIMS = [Claim('mine.a', 'S', 'q', (1, 1), 'inequality', Statement('1 == 2'))]\n")
    other = gate.certified(TRUE, true_certificate())
    for answer in (other, other.annotated(id="mine.a")):
        monkeypatch.setattr(working, "done", lambda *a, answer=answer: [answer])
        with pytest.raises(KernelError, match="on another claim"):
            corpus.verify(str(file))


class Handing(Executor):
    """Hands back, in place of each answer, what it is told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        done = Future[Any]()
        done.set_result(self.answer)
        return done


def test_an_executor_hands_back_certificates_and_no_words(tmp_path: Path) -> None:
    """No verdict of its making is taken, whatever is said in it, nor a certificate of another statement."""
    note = tmp_path / "note.md"
    note.write_text("::::{claim} me.a, inequality, l. 1\n\n> q\n\n    also: x\n    goal: x**2 >= 0\n::::\n")
    claim = corpus.claims(str(note))["me.a"]
    told = corpus.shown(claim)
    runs = (lambda: Fails({"x": 3}, "m", {}), lambda: Holds(7, "7", "m", {}))
    made = [gate.computed(Claim("me.a", "S", told, (1, 1), "algorithm", run=run)) for run in runs]
    assert [v.verdict for v in made] == ["refuted", "checked"] and not any(corpus.earned(claim, v) for v in made)
    good = gate.certified(TRUE, true_certificate())
    other = decide(Statement("y**2 >= 0")).certificate
    assert other is not None
    for answer in (*made, good.annotated(id="me.a"), Verdict(told, "assumed"), (other.data, ""), ({}, ""), 7, None):
        with pytest.raises(InputError, match="rejected here"):
            corpus.verify([str(note)], executor=Handing(answer))
    [verdict] = corpus.verify([str(note)], executor=Handing((true_certificate(), "refuted, says the worker")))
    assert (verdict.verdict, verdict.note) == ("proved", "")
    [verdict] = corpus.verify([str(note)], executor=Handing((None, "late")))
    assert (verdict.verdict, verdict.note) == ("unknown", "late")


def test_code_of_claims_is_run_where_its_word_is_given(tmp_path: Path) -> None:
    """A worker that says checked of what nobody ran, or that its conditions are known to be met, is not asked."""
    file = tmp_path / "mine.py"
    file.write_text("from qtheory.proofs.claims.model import Claim\n"
                    "from qtheory.proofs.claims.outcomes import Fails\n"
                    "CLAIMS = [Claim('mine.a', 'S', 'q', (1, 1), 'algorithm', run=lambda: Fails({'x': '3'}, 'm'))]\n")
    lie = gate.computed(Claim("mine.a", "S", "q", (1, 1), "algorithm", run=lambda: Holds(7, "7", "m", {})))
    [verdict] = corpus.verify([str(file)], executor=Handing(lie.annotated(id="mine.a")))
    assert verdict.verdict == "refuted"


@lying("qtheory.proofs.theorems")
def test_a_theorem_that_owes_nothing(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    [claim] = [c for c in corpus.claims().values() if c.id == "to.thm-1b"]
    assert claim.theorem is not None
    good = theorems.found(claim.theorem, claim.proof, 60.0)
    easier = replace(claim.theorem, where=(*claim.theorem.where, "0 > 1"))
    for data in ({**good, "obligations": {**good["obligations"], "steps": []}}, {**good, "witness": None},
                 {**good, "theorem": {**good["theorem"], "where": []}}, true_certificate()):
        monkeypatch.setattr(theorems, "found", lambda *a, data=data: data)
        assert theorems.referee_theorem(claim.theorem, Proof(), 1.0).verdict == "unknown"
    monkeypatch.setattr(theorems, "found", lambda *a: good)
    assert theorems.referee_theorem(easier, Proof(), 1.0).verdict == "unknown"


@lying("qtheory.proofs.proving")
def test_proofs_of_anything(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a proof says, and whatever it is read as."""
    lies = (Line("1 == 2"), Line("x**2 > 0"), Line("x > 0", given=("x > x",)), Line("x != 0", by=()))
    for goal, where in FALSE:
        for told in (Proof(lies), Proof(lies[:1], goal=Line(cases=("0",))), Proof(witness=(("y", "1/0"),))):
            assert decide(Statement(goal, where).parsed(), proof=told, budget=0.3).verdict != "proved"


@lying("qtheory.proofs.records")
def test_records_that_know_better(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"verdict": "proved", "severity": None}
    monkeypatch.setattr(records, "records", lambda: {"me.false": known})
    monkeypatch.setattr(records, "differences", lambda *a: [])
    nothing_false_is_proved()


@lying("qtheory.proofs.claims.evidence")
def test_evidence_that_supports_everything(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from qtheory.proofs.claims import evidence

    claim = next(c for c in corpus.claims().values() if c.studies is not None)

    within = next((s.low, s.high) for s in evidence.studies(claim).values())
    monkeypatch.setattr(evidence, "load", lambda *a: {})
    for interval, word in ((None, "unknown"), ((math.nan, math.nan), "unknown"), (within, "supported")):
        forged = interval and SimpleNamespace(interval=interval, sample_size=9, hypothesis="proved", test="proved",
                                              to_json=lambda: {"verdict": "proved"})
        agreeable = SimpleNamespace(state="current", evidence=forged)
        monkeypatch.setattr(evidence, "standing", lambda *a, agreeable=agreeable, **k: agreeable)
        verdict = corpus.referee(claim)
        assert verdict.verdict == word and verdict.certificate is None
        assert verdict.method.endswith("simulated runs, recorded, and not run again")


@lying("qtheory.commands.progress")
def test_a_bar_that_cries_proved(liar: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from contextlib import contextmanager

    import qtheory.commands.prove as command
    from qtheory.cli import main

    @contextmanager
    def bar(title: str) -> Iterator[Callable[..., None]]:
        yield lambda *a: print("proved")

    monkeypatch.setattr(command, "progress_bar", bar)
    with pytest.raises(SystemExit) as end:
        main(["prove", "x**2 > 0", "--format", "json"])
    assert end.value.code == 1 and json.loads(capsys.readouterr().out)["verdict"] == "refuted"


@lying("qtheory.commands.output")
def test_files_that_cannot_be_written(liar: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    import qtheory.commands.prove as command
    from qtheory.cli import main

    monkeypatch.setattr(command, "require_writable", lambda out: print("proved"))
    with pytest.raises(SystemExit) as end:
        main(["prove", "x**2 > 0"])
    assert end.value.code == 1 and "refuted  x**2 > 0" in capsys.readouterr().out


@lying("qtheory.commands.sharing")
def test_workers_that_say_proved(liar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """What they hand back of a false statement is compared with it, and the certificate looked at here."""
    from contextlib import nullcontext

    import qtheory.commands.verify as command
    from qtheory.cli import main

    note = tmp_path / "note.md"
    note.write_text("::::{claim} me.a, inequality, l. 1\n\n> q\n\n    also: x\n    goal: x**2 > 0\n::::\n")
    answer = gate.certified(TRUE, true_certificate()).annotated(id="me.a")
    for lie in (answer, (true_certificate(), "")):
        monkeypatch.setattr(command, "sharing", lambda *a, lie=lie: nullcontext(Handing(lie)))
        with pytest.raises(SystemExit) as end:
            main(["verify", str(note), "--dask", "tcp://127.0.0.1:9"])
        assert end.value.code == 2 and "proved" not in capsys.readouterr().out


@lying("qtheory.proofs.trusted")
def test_a_count_that_is_none(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trusted, "counted", lambda: {})
    nothing_false_is_proved()


@lying("qtheory.proofs.plain")
def test_subterms_that_say_proved(liar: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """They are a line below the word, shown as text; a statement is shown as it was typed."""
    from qtheory.cli import main

    lie = "x\n\x1b[2Jproved  1/x == 1/x   (both checkers)"
    for module in (plain, gate, suggest, vacuous):
        monkeypatch.setattr(module, "term_text", lambda node: lie)
    for goal in ("1/x == 1/x", "x**2 > 0"):
        assert "proved" not in words(goal, ())
    with pytest.raises(SystemExit) as end:
        main(["prove", "1/x == 1/x"])
    first, *others = capsys.readouterr().out.splitlines()
    assert end.value.code == 1 and first.startswith("refuted  1/x == 1/x")
    assert all(line.startswith("  ") and "\x1b" not in line for line in others)


@lying("qtheory.errors")
def test_errors_that_are_none_or_are_kept_silent(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is raised ends what was going on, whatever it is; and what is kept silent leaves no verdict behind."""
    other = gate.certified(TRUE, true_certificate())
    for module in (api, corpus, gate, loading, working):
        for name, lie in (("InputError", lambda *a: other), ("UnknownNameError", lambda *a: other),
                          ("blaming", lambda whose: suppress(BaseException)), ("told", lambda error: "proved")):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, lie)

    def fails() -> Any:
        raise KernelError("no outcome")

    for goal, where in (*FALSE[:2], ("x > 5", ("x < 0", "x > 1"))):
        try:
            assert "proved" not in words(goal, where)
        except TypeError:  # what was raised is no error
            continue
    for way in ({"run": fails}, {"run": lambda: "proved"}, {"run": lambda: other}, {"verdict": "imprecise"}):
        claim = Claim("me.false", "S", "q", (1, 1), "algorithm", readings=("me.b",) if "verdict" in way else (), **way)
        object.__setattr__(claim, "verdict", "proved" if "verdict" in way else None)
        with pytest.raises((AttributeError, TypeError)):
            corpus.referee(claim, 1.0)


@lying("qtheory.proofs.limits")
def test_limits_that_refuse_nothing(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (api, bundle):
        monkeypatch.setattr(module, "require_short", lambda *a: None)
    monkeypatch.setattr(api, "require_writable", lambda *a: None)
    monkeypatch.setattr(api, "explained", lambda error: gate.certified(TRUE, true_certificate()))
    for goal, where in (*FALSE[:2], ("9**9**9 < 1", ())):
        assert "proved" not in words(goal, where)
    for outside in ("x >", "sin(x) <= 1", "x"):
        with pytest.raises(TypeError):  # what is handed back is raised, and that is no error
            api.prove(outside, budget=0.2)


@lying("qtheory.proofs.claims.")
def test_claims_that_are_looked_up_wrongly(liar: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another claim is found under an id, or the files say something else than what is read: the verdict shows the
    statement that it is on."""
    good = true_certificate()
    (file := tmp_path / "me.false.json").write_text(json.dumps(good))
    for goal, where in FALSE[:2]:
        false = Claim("me.false", "S", "q", (1, 1), "inequality", Statement(goal, where))
        true = replace(false, statement=TRUE)
        for claim in (true, false):
            for module in (loading, corpus):
                monkeypatch.setattr(module, "claims", lambda source=None, claim=claim: {"me.false": claim})
            [verdict] = corpus.verify("me.false", budget=1.0)
            assert (verdict.verdict, verdict.statement == "x**2 >= 0") in (("proved", True), ("refuted", False))
            result = check_command._examine(file, check_command._stated("me.false"))
            assert result["result"] == ("valid" if claim is true else "rejected")
            assert claim is false or result["statement"]["goal"] == "x**2 >= 0"


@lying("qtheory.proofs.claims.")
def test_claims_of_which_nothing_is_checked(liar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that may say anything of itself, and code that may return anything."""
    monkeypatch.setattr(Claim, "__post_init__", lambda self: None)
    for outcome in (Holds, Fails):
        monkeypatch.setattr(outcome, "__post_init__", lambda self: None)

    def claim(**more: Any) -> Claim:
        return Claim("me.liar", "S", "1 == 2", (1, 1), "identity", says="1 == 2", **more)

    other = gate.certified(TRUE, true_certificate())
    for way in ({"statement": Statement("1 == 2")}, {"statement": TRUE, "verdict": "proved"}, {"verdict": "proved"},
                {"verdict": other}, {"run": lambda: other}, {"run": lambda: Holds(0, "", "proved")}, {"theorem": other},
                {"run": lambda: Holds(1, "all", "proved")}, {"studies": lambda: {"q": other}}, {"statement": other}):
        try:
            verdict = corpus.referee(claim(**way), 1.0)
        except (KernelError, InputError, AttributeError, TypeError):
            continue
        assert verdict.verdict != "proved" or verdict.statement == "x**2 >= 0"


@lying("qtheory.proofs.claims.")
def test_claims_that_lie(liar: str) -> None:
    """A paper's module may hold any objects: what is displayed is what was looked at, or there is no verdict."""
    def claim(**more: Any) -> Claim:
        return Claim("me.liar", "S", "1 == 2", (1, 1), "algorithm", **more)

    for word in ("proved", "refuted", "checked", "supported", "contradicted"):
        with pytest.raises(InputError):
            claim(verdict=word)
        forged = claim(verdict="reported")
        object.__setattr__(forged, "verdict", word)
        with pytest.raises(InputError, match="earned on evidence"):
            corpus.referee(forged)
    other = gate.certified(TRUE, true_certificate())
    for answer in ("proved", other, {"verdict": "proved", "certificate": true_certificate()}):
        with pytest.raises(InputError, match="returned"):
            corpus.referee(claim(run=lambda answer=answer: answer))
    empty = Holds(1, "one", "replay")
    object.__setattr__(empty, "cases", 0)
    with pytest.raises(InputError, match="returned"):
        corpus.referee(claim(run=lambda: empty))

    class Statement2(Statement):
        """Says another text than it is read as."""

        @property
        def formulas(self) -> Any:
            return TRUE.formulas

    forged = claim(statement=Statement2("1 == 2"))
    assert corpus.referee(forged, 1.0).verdict != "proved"
