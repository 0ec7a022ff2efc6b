"""The corpus's machinery: refereeing claims, selecting them, the record, the catalogue, the size of the kernel."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qtheory import progress
from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs import corpus, notebook, records
from qtheory.proofs.catalogue import Item, items
from qtheory.proofs.claims import loading
from qtheory.proofs.claims.model import KINDS, Claim
from qtheory.proofs.claims.outcomes import Fails, Holds, Undecided
from qtheory.proofs.claims.papers import Paper
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.records import ADMITTED
from qtheory.proofs.verdict import Verdict

SHARED = Path(__file__).resolve().parents[3] / "shared" / "claims"
ITEM = re.compile(r"- \*\*(?P<id>[^*]+)\*\* \[(?P<place>[^\]]+)\] (?P<text>.*) Kind: (?P<kind>.+?)\.?$")


def claim(name: str, goal: str | None = None, where: tuple[str, ...] = (), kind: str = "inequality",
          **more: Any) -> Claim:
    statement = None if goal is None else Statement(goal, where)
    return Claim(f"me.{name}", "Section 1", f"quote of {name}", (1, 2), kind, statement, **more)


CLAIMS = (
    claim("square", "x**2 >= 0"),
    claim("strict", "x**2 > 0", severity="edge", corrected_by="me.strict.corrected", note="fails at 0"),
    claim("strict.corrected", "x**2 > 0", ("x > 0",), sources={"x > 0": "added"}, corrects="me.strict"),
    claim("measured", kind="empirical", verdict="reported"),
    claim("vague", kind="theorem", verdict="imprecise", readings=("me.square", "me.strict")),
    claim("small", kind="algorithm", run=lambda: Holds(8, "8 requests", "replay"), says="each request is served"),
    claim("outside", "x > foo(x)"),
)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A corpus of these claims with a record of its own."""
    listed = {c.id: c for c in CLAIMS}

    def claims(source: str | None = None) -> dict[str, Claim]:
        assert source is None
        return listed

    for module in (loading, corpus, records):
        monkeypatch.setattr(module, "claims", claims)
        monkeypatch.setattr(module, "paper", lambda name: Paper("mine", ()))
    for module in (loading, corpus):
        monkeypatch.setattr(module, "papers", lambda: ())
    monkeypatch.setattr(records, "RECORDS", tmp_path / "records.json")
    yield tmp_path / "records.json"


def test_each_way_to_a_verdict(own: Path) -> None:
    verdicts = {v.id: v for v in corpus.verify()}
    assert {i: v.verdict for i, v in verdicts.items()} == {
        "me.square": "proved", "me.strict": "refuted", "me.strict.corrected": "proved", "me.measured": "reported",
        "me.vague": "imprecise", "me.small": "checked", "me.outside": "unknown"}
    strict = verdicts["me.strict"]
    assert (strict.severity, strict.corrected_by, strict.paper) == ("edge", "me.strict.corrected", "me")
    assert strict.counterexample == {"x": "0"} and strict.note == "fails at 0"
    assert strict.evidence["quote"] == "quote of strict" and strict.evidence["lines"] == (1, 2)
    assert {i: v.evidence["sources"] for i, v in verdicts.items() if "sources" in v.evidence} == {
        "me.strict.corrected": {"x > 0": "added"}}
    assert verdicts["me.square"].severity is None and verdicts["me.square"].certificate is not None
    check(verdicts["me.square"].certificate.data, Statement("x**2 >= 0"))
    assert verdicts["me.vague"].evidence["readings"] == ("me.square", "me.strict")
    assert verdicts["me.outside"].note.startswith("outside the language: column 5")


def test_a_claims_own_code_gives_no_word_itself() -> None:
    good = claim("run", kind="algorithm", run=lambda: Holds(3, "3 requests", "replay"), says="it ends")
    verdict = corpus.referee(good)
    assert (verdict.verdict, verdict.statement, verdict.evidence["cases"]) == ("checked", "it ends", 3)
    assert "test_corpus." in verdict.rests_on[0]
    fails = corpus.referee(replace(good, run=lambda: Fails({"x": "2"}, "replay")))
    assert (fails.verdict, fails.counterexample) == ("refuted", {"x": "2"})
    assert corpus.referee(replace(good, run=lambda: Undecided("too large"))).note == "too large"
    for answer in ("proved", {"verdict": "proved"}, None, 3):
        with pytest.raises(InputError, match=r"the code of 'me\.run' returned"):
            corpus.referee(replace(good, run=lambda a=answer: a))

    def broken() -> Any:
        raise ZeroDivisionError("inside")

    with pytest.raises(InputError, match="ZeroDivisionError: inside"):
        corpus.referee(replace(good, run=broken))


def test_the_record_is_compared_with(own: Path) -> None:
    verdicts = corpus.verify()
    assert {d.why.split(", ")[1] for d in records.differences(verdicts)} == {"not recorded yet"}
    records.write_records(verdicts)
    assert records.differences(verdicts) == [] and len(records.records()) == len(CLAIMS)
    raw = json.loads(own.read_text())
    raw["records"]["me.strict"]["severity"] = "substantive"
    raw["records"]["me.gone"] = {"verdict": "proved", "severity": None}
    raw["records"]["me.square"]["stated"] = "another"
    own.write_text(json.dumps(raw))
    changed, difference = records.differences(verdicts)
    assert (difference.id, difference.why) == ("me.strict", "refuted edge, recorded as refuted substantive")
    assert changed == records.Difference("me.square", "the statement changed: proved now, and the record is on another")
    records.write_records(verdicts[:2])
    assert "me.gone" not in records.records() and len(records.records()) == len(CLAIMS)


def test_strict_asks_for_more(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = corpus.verify()
    assert records.strict_differences(verdicts) == []
    by_id = {str(v.id): v for v in verdicts}

    def whys(changed: Verdict) -> list[str]:
        return [d.why for d in records.strict_differences([changed]) if d.id == changed.id]

    assert whys(by_id["me.strict"].annotated(corrected_by=None)) == [
        "refuted, and neither a correction nor a root's repair is named"]
    unproved = by_id["me.strict"].annotated(corrected_by="me.outside")
    assert whys(unproved) == ["its correction 'me.outside' is not proved"]
    assert whys(by_id["me.strict"].annotated(severity=None)) == [
        "a refutation needs its severity: substantive, edge, remark"]
    assert whys(Verdict("q", "reported", id="me.square", kind="inequality")) == [
        "the kind inequality does not admit the verdict reported"]
    assert whys(by_id["me.outside"].annotated(note="")) == [
        "the kind inequality does not admit the verdict unknown without its obstacle"]
    assert whys(by_id["me.small"].annotated(evidence={"stale": "other seeds"})) == ["stale evidence: other seeds"]
    vague = Verdict("q", "imprecise", id="me.vague", kind="theorem", evidence={"readings": ["me.gone"]})
    assert whys(vague) == ["its reading 'me.gone' is no claim"]


def test_strict_asks_for_sources_and_for_what_a_claim_rests_on(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "paper", lambda name: Paper("mine", (), items=("me.square",)))
    assert records.strict_differences(corpus.verify()) == []
    doubtful = claim("square", "x >= 0", ("x > 0",), imported=("me.strict",))
    monkeypatch.setattr(records, "claims", lambda: {**corpus.claims(), "me.square": doubtful})
    assert [(d.id, d.why) for d in records.strict_differences(corpus.verify())] == [
        ("me.square", "the condition 'x > 0' has no source: only a correction may add one"),
        ("me.square", "it rests on me.strict, which is not recorded as proved")]


OWN_FILE = """
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.kernel.statements import Statement
CLAIMS = [Claim("mine.a", "here", "q", (1, 1), "inequality", Statement("x**2 + 1 > 0")),
          Claim("mine.b", "here", "q", (1, 1), "inequality", Statement("x > 0"))]
"""


@pytest.mark.slow
def test_claims_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN_FILE)
    assert [(v.id, v.verdict) for v in corpus.verify(str(file))] == [("mine.a", "proved"), ("mine.b", "refuted")]
    (tmp_path / "helper.py").write_text("raise SystemExit\n")
    assert [v.id for v in corpus.verify([str(tmp_path)], jobs=2)] == ["mine.a", "mine.b"]


@pytest.mark.later
def test_an_interrupt_ends_the_processes_at_work(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(
        "import time\n"
        "from qtheory.proofs.claims.model import Claim\n"
        "from qtheory.proofs.claims.outcomes import Holds\n"
        "def asleep():\n    time.sleep(3600)\n    return Holds(1, 'one', 'late')\n"
        "def awake():\n    return Holds(1, 'one', 'at once')\n"
        "CLAIMS = [Claim(f'mine.{j.__name__}', 'S', 'q', (1, 1), 'algorithm', run=j, says='it ends')\n"
        "          for j in (asleep, awake)]\n")
    others = set(multiprocessing.active_children())

    def interrupt(done: int, total: int, name: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        corpus.verify([str(tmp_path)], jobs=2, progress=interrupt)
    left = set(multiprocessing.active_children()) - others
    for process in left:
        process.join(60)
    assert not any(process.is_alive() for process in left)


@pytest.mark.parametrize("text, message", [
    ("x = \n", "line 1: SyntaxError"), ("\n1/0\n", "line 2: ZeroDivisionError"), ("CLAIMS = 3\n", "must be a list"),
    ("VALUE = 1\n", "must be a list"), (OWN_FILE.replace("mine.b", "mine.a"), "two claims have the id 'mine.a'"),
    (OWN_FILE.replace('"inequality"', '"guess"'), "no known kind"),
    (OWN_FILE.replace(', Statement("x > 0")', ""), "exactly one of"),
])
def test_faulty_files_are_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        corpus.verify(str(file))
    assert "\n" not in str(caught.value)


def test_unknown_names_and_missing_files(own: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"me\.square"):
        corpus.find("me.sqare")
    with pytest.raises(UnknownNameError, match=r"nearest: me\.strict"):
        corpus.verify("me.strct")
    with pytest.raises(InputError, match="no such file"):
        corpus.verify("absent/file.py")


def test_a_claim_is_found_without_the_other_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    real = loading.paper
    monkeypatch.setattr(loading, "paper", lambda name: read.append(name) or real(name))
    assert corpus.placed("eb.prop-3.1") == (None, "eb.prop-3.1")
    found = corpus.find("eb.prop-3.1")
    assert {*read} == {"eb"} and found is corpus.claims()["eb.prop-3.1"]


@pytest.mark.later
def test_the_verdicts_of_a_notebook_say_how_far_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                         capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.02)
    real = corpus.referee

    def slow(*arguments: Any, **options: Any) -> Any:
        time.sleep(0.5)
        return real(*arguments, **options)

    monkeypatch.setattr(corpus, "referee", slow)
    (note := tmp_path / "note.md").write_text("# A note\n\n" + "".join(
        f"::::{{claim}} mine.{n}, inequality, l. 1\n\n> quote\n\n    goal: {n} > 0\n::::\n\n" for n in "123"))
    verdicts = notebook.verify(str(note))
    told = rf"^refereeing: [12] of {len(verdicts)}, at mine\.[23], \d s so far$"
    assert re.search(told, capsys.readouterr().err, re.M)
    notebook.verify(str(note), progress=lambda done, of, name: None)  # one's own
    assert not capsys.readouterr().err


def test_a_folder_without_claims(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("raise SystemExit\n")
    with pytest.raises(InputError, match=r"no paper\.toml, and no Python file in it has CLAIMS"):
        corpus.verify(str(tmp_path))


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN_FILE)
    corpus.verify(str(file))
    file.write_text(OWN_FILE.replace("mine.b", "mine.c"))
    os.utime(file, ns=(1, 1))
    assert [v.id for v in corpus.verify(str(file))] == ["mine.a", "mine.c"]


def test_ids_may_be_named_twice(own: Path) -> None:
    assert [v.id for v in corpus.verify(["me.square", "me.measured", "me.square"])] == ["me.square", "me.measured"]


# ---- the catalogue ----

def test_the_catalogue_admits_only_known_kinds() -> None:
    listed = items("eb")
    assert len(listed) > 450 and len({i.id for i in listed}) == len(listed)
    assert {i.kind for i in listed} <= set(KINDS) == set(ADMITTED)
    by_id = {i.id: i for i in listed}
    assert by_id["eb.prop-3.1"] == Item("eb.prop-3.1", "theorem", "Section 3.2.1")


def test_a_paper_that_there_is_not() -> None:
    with pytest.raises(InputError, match="there is no paper 'nope'; the papers are eb, "):
        items("nope")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the written catalogues are not beside this checkout")
@pytest.mark.parametrize("name", corpus.papers())
def test_the_claims_are_those_of_the_written_catalogue(name: str) -> None:
    """Each item of the written list is a claim of its kind, or is context, or is said to have none yet."""
    written = [ITEM.match(line) for line in (SHARED / f"{name}.md").read_text(encoding="utf-8").splitlines()]
    listed = {m["id"]: m["kind"] for m in written if m is not None}
    paper = corpus.paper(name)
    assert sorted(listed) == sorted((*paper.items, *paper.context, *paper.open))
    for item in items(name):
        assert listed[item.id].startswith(item.kind) and (item.flag in listed[item.id]), item.id
    for id in paper.context:
        assert "(definition)" in listed[id] or "(assumption)" in listed[id], id


