"""``qtheory referee``: a stranger's paper gets verdicts, and nothing that it holds is run."""

from __future__ import annotations

import io
import json
import re
import time
from pathlib import Path

import pytest

from qtheory import progress
from qtheory.cli import main
from qtheory.proofs import decide, gate
from qtheory.proofs.corpus import verify

NOTE = """# A note

| symbol | where | meaning | conditions or definition | source |
| --- | --- | --- | --- | --- |
| lam, mu | all | rates | > 0 | l. 1 |
| rho | all | load | = lam/mu | l. 2 |

## Section 1. Loads

::::{claim} note.positive, inequality, l. 3

> the load is positive

```qtheory
goal: rho > 0
```
::::
"""
FALSE = NOTE + NOTE[NOTE.index("::::"):].replace("note.positive", "note.below").replace("rho > 0", "rho < 1")


def refereed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["referee", *arguments, "--jobs", "1"])
    return ended.value.code, *capsys.readouterr()


@pytest.mark.parametrize(("text", "status"), [(NOTE, 0), (FALSE, 1)])
def test_the_status_says_whether_something_is_refuted(text: str, status: int, tmp_path: Path,
                                                      capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text(text)
    code, out, _ = refereed(capsys, str(tmp_path / "note.md"))
    assert (code or 0) == status and "note.positive" in out
    assert out.count('\nin "Section 1"\nnote.positive: ') == 1 == out.count("Section 1")
    assert ("\nnote.below: rho < 1 for lam > 0, mu > 0 where rho = lam/mu\n" in out) == bool(status)
    code, out, _ = refereed(capsys, str(tmp_path / "note.md"), "--format", "json")
    assert (code or 0) == status
    assert [c["verdict"] for c in json.loads(out)["claims"]] == ["proved", "refuted"][:1 + status]


def test_what_an_earlier_run_found_is_checked_again_and_not_searched_for(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("QTHEORY_CACHE", str(tmp_path / "cache"))
    searches, checks, search, check = [], [], decide.searched, gate.certified
    monkeypatch.setattr(decide, "searched", lambda *what, **how: searches.append(what[0]) or search(*what, **how))
    monkeypatch.setattr(gate, "certified", lambda *what, **how: checks.append(what[0]) or check(*what, **how))
    monkeypatch.setattr("qtheory.commands.referee.instead", lambda claim, verdict: "")

    def said() -> list[dict[str, object]]:
        told = json.loads(refereed(capsys, str(tmp_path / "note.md"), "--format", "json")[1])["claims"]
        return [{key: value for key, value in claim.items() if key != "seconds"} for claim in told]

    (tmp_path / "note.md").write_text(FALSE)
    first = said()
    assert len(searches) == len(checks) == 2
    assert said() == first
    assert len(searches) == 2 and len(checks) == 4
    (tmp_path / "note.md").write_text(FALSE.replace("rho < 1", "rho < 2"))
    assert "rho < 2" in str(said()) and len(searches) == 3
    for kept in (tmp_path / "cache").rglob("*.json"):  # the proof of the one as that of the other
        kept.write_text(max((tmp_path / "cache").rglob("*.json"), key=lambda p: p.stat().st_size).read_text())
    (tmp_path / "note.md").write_text(FALSE)
    assert said() == first
    verify(str(tmp_path / "note.md"))
    assert len(searches) > 5  # anew, all of them


def test_the_claim_at_work_is_named_and_counted(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(FALSE)
    told: list[tuple[int, int, str]] = []
    verify(str(tmp_path / "note.md"), progress=lambda *said: told.append(said))
    assert told == [(0, 2, "note.positive"), (1, 2, "note.below"), (2, 2, "")]
    lines = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "DELAY", 0.02)
        with progress.progress_lines("refereeing", lines) as report:
            report(0, 2, "note.positive")
            time.sleep(0.07)
            report(1, 2, "note.below")
            time.sleep(0.15)
    assert "refereeing: 0 of 2, at note.positive, 0 s so far\n" in lines.getvalue()
    assert "refereeing: 1 of 2, at note.below, 0 s so far\n" in lines.getvalue()


@pytest.mark.later
@pytest.mark.parametrize(("goal", "said"), [
    ("limit(1/(1 + rho*x), x, 0) == 2", "the limit there is 1"),
    ("1/(1 - rho) > 0", "proved with the extra condition lam < mu"),
])
def test_what_is_true_instead_is_said_unless_the_note_does(goal: str, said: str, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text(text := FALSE.replace("rho < 1", goal))
    assert f"\n  {said}\n" in refereed(capsys, str(tmp_path / "note.md"))[1]
    corrected = NOTE[NOTE.index("::::"):].replace("note.positive", "note.below.corrected")
    (tmp_path / "note.md").write_text(text + corrected)
    assert said not in refereed(capsys, str(tmp_path / "note.md"))[1]


@pytest.mark.parametrize(("old", "new", "where", "why"), [
    ("goal: rho > 0", "goal: lam < 2mu", "line 15", "column 8: unexpected 'mu' in 'lam < 2mu'"),
    ("goal: rho > 0", "goal: |rho| > 0", "line 15", "'|rho| > 0'; an absolute value is written abs(x)"),
    ("goal: rho > 0", "goal: rho > log2(lam)", "line 15", "declares it; log2 is written log(x)/log(2)"),
    ("goal: rho > 0", "goal: P(X > rho) > 0", "line 15", "; P is written Pr(X > 1, (X, Exponential(mu)))"),
    ("goal: rho > 0", "goal: Sum(1/k**2, (k, 1, lam)) < pi*mu", "line 15", "pi is outside the language"),
    ("goal: rho > 0", "given: lam < (mu  # l. 3\ngoal: rho > 0", "line 15", "expected ')', found the end"),
    ("goal: rho > 0", "let: W = rho/\ngoal: W > 0", "line 15", "expected a term, found the end"),
    ("= lam/mu", "= lam mu", "line 6", "unexpected 'mu'"), ("| > 0 |", "| > 0 0 |", "line 5", "unexpected '0'"),
    ("goal: rho > 0", "given: lam < mu  # l. 3\ngiven: rho > 1  # l. 3\ngoal: rho > 0", "note.positive",
     "it says nothing: the conditions contradict each other"),
])
def test_what_is_mistyped_or_contradicts_itself_is_bad_input(
        old: str, new: str, where: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert old in NOTE
    (tmp_path / "note.md").write_text(NOTE.replace(old, new))
    code, _, err = refereed(capsys, str(tmp_path / "note.md"))
    assert code == 2 and err.count("\n") == 1 and where in err and why in err


def claim(name: str, goal: str, option: str = "", more: str = "") -> str:
    lines = f"```qtheory\n{more}goal: {goal}\n```\n" if goal else ""
    return f"\n::::{{claim}} {name}, inequality, l. 3\n{option}\n> so it is\n\n{lines}::::\n"


def test_what_is_imported_is_shown_with_its_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A proof from what is false says so; and every statement is shown as it was read."""
    row = "| x | all | | claim note.false: x > 5 | l. 4 |\n\n"
    (tmp_path / "note.md").write_text(NOTE.replace("l. 2 |\n\n", f"l. 2 |\n{row}") + claim("note.false", "x > 5")
                                      + claim("note.uses", "x > 4"))
    _, out, _ = refereed(capsys, str(tmp_path / "note.md"))
    assert "note.positive: rho > 0 for lam > 0, mu > 0 where rho = lam/mu" in out
    assert "note.uses: x > 4 for x > 5\n" in out and "  x > 5: given note.false (refuted); l. 4\n" in out
    assert "  rests on note.false (refuted)\n" in out


def test_nothing_is_proved_from_what_it_is_a_reading_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = "| x | all | | claim note.vague: x == 7 | l. 4 |\n\n"
    vague = claim("note.vague", "", ":verdict: imprecise\n:readings: note.strong\n")
    (tmp_path / "note.md").write_text(NOTE.replace("l. 2 |\n\n", f"l. 2 |\n{row}") + vague
                                      + claim("note.strong", "x == 7"))
    code, out, _ = refereed(capsys, str(tmp_path / "note.md"))
    assert code == 1 and "note.strong: x == 7\n" in out and "  at x = 1" in out


@pytest.mark.parametrize("value, why", [
    ("sqrt(2)", ""), ("lam", "note.md, line 24: the value of mu speaks of lam; write a number"),
    ("1/0", "note.md, line 24: the value of mu is not computed")])
def test_a_first_point_is_a_number(value: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text(NOTE + claim("note.below", "rho < 1", more=f"first-at: mu = {value} # of l. 9\n"))
    code, out, err = refereed(capsys, str(tmp_path / "note.md"))
    assert (code == 2 and why in err) if why else "2 claims: 1 proved, 1 refuted" in out, err


def test_a_variable_with_listed_values_is_bound_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text(NOTE + claim("note.mean", "E(mu + rho, (mu, Bernoulli(1/2))) >= 0"))
    code, _, err = refereed(capsys, str(tmp_path / "note.md"))
    assert code == 2 and "mu has a row in the table of symbols" in err


@pytest.mark.parametrize("mark", ["\u2028", "\x0b", "\x0c", "\x85"])
def test_lines_are_those_of_markdown(mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No condition comes after a mark that some take for a line's end."""
    text = NOTE.replace("goal: rho > 0\n", f"goal: rho > 1  # the sentence {mark}given: rho > 1\n")
    (tmp_path / "note.md").write_text(text, encoding="utf-8")
    code, out, _ = refereed(capsys, str(tmp_path / "note.md"))
    assert code == 1 and "rho > 1 for lam > 0, mu > 0 where" in out


def test_a_folder_is_a_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its table in a file of its own; Python beside it is left alone."""
    head, _, rest = NOTE.partition("## Section 1")
    (tmp_path / "symbols.md").write_text(head)
    (tmp_path / "section-1.md").write_text("# Section 1" + rest)
    (tmp_path / "paper.toml").write_text('title = "A note"\nsections = ["section-1.md"]\n')
    (tmp_path / "models.py").write_text("CLAIMS = 1/0\n")
    code, out, _ = refereed(capsys, str(tmp_path))
    assert not code and "1 claims: 1 proved" in out


@pytest.mark.parametrize(("name", "text", "why"), [
    ("note.md", "# Nothing\n", "no claim in it"), ("note.py", "1/0\n", "a Markdown file"),
    ("note.md", NOTE.replace("goal: rho > 0", "model: os.system"), "line 15: a model names code"),
    ("note.md", NOTE.replace("note.positive", "eb.eq-3"), "is one of the corpus"),
    ("note.md", NOTE.replace("l. 3\n", "l. 3\n:kind: limit\n"), "line 11: unknown option of a claim"),
    *(("note.md", text, f"note.md, line {line}: column {column}: unexpected '\u2265'") for text, line, column in (
        (NOTE.replace("rho > 0", "rho \u2265 0"), 15, 5), (NOTE.replace("goal", "given: \u2265 1\ngoal"), 15, 1),
        (NOTE.replace("goal", "let: c = \u2265\ngoal"), 15, 5), (NOTE.replace("goal", "also: \u2265\ngoal"), 15, 1),
        (NOTE.replace("= lam/mu", "= lam \u2265 mu"), 6, 5), (NOTE.replace("| > 0", "| \u2265 0"), 5, 1))),
    ("paper.toml", "title = 1/0\n", "paper.toml"), ("paper.toml", "code = 'os'\n", "code is no setting of a paper"),
    ("paper.toml", "sections = ['gone.md']\n", "gone.md"),
    ("paper.toml", "sections = 3\n", "sections is no list of texts"),
    ("paper.toml", "title = 3\n", "title is no text"), ("paper.toml", "sections = ['../note.md']\n", "no file of this"),
])
def test_bad_input_is_one_line(name: str, text: str, why: str, tmp_path: Path,
                               capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_text(text)
    code, out, err = refereed(capsys, str(tmp_path if name == "paper.toml" else tmp_path / name))
    assert code == 2 and not out and why in err and len(err.strip().splitlines()) == 1, err


@pytest.mark.parametrize(("row", "lines", "compared"), [
    ("x > 5", "goal: x > 5", True), ("5 < x", "goal: And(lam > -1, x > 5)", True),
    ("x > 5", "goal: 1 > 0", False), ("x > 6", "goal: x > 5", False), ("x > 5", "given: x > 9\ngoal: x > 5", False),
    ("x > 5", "given: x > 5\ngoal: x > 5", False), ("x > 5", "goal: Exists(y, y > 5, y > 4)", True),
    ("x > 6", "goal: Exists(y, y > 5, y > 4)", False), ("x > 5", "goal: ForAll(y, y > 5, y > 5)", False),
    ("x > lam", "let: f(y) = y + lam\ngoal: f(x) > 2*lam", False), ("x > 5", "given: lam > 0 - 0\ngoal: x > 5", False)])
def test_a_result_is_given_only_where_it_is_what_the_claim_states(
        row: str, lines: str, compared: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its goal or a part of it, under no condition but those of the claim that takes it."""
    head, _, goal = lines.rpartition("goal: ")
    (tmp_path / "note.md").write_text(
        NOTE.replace("l. 2 |\n\n", f"l. 2 |\n| x | all | | claim note.main: {row} | l. 4 |\n\n")
        + claim("note.main", goal, more=head) + claim("note.uses", "x + lam > 4"))
    _, out, _ = refereed(capsys, str(tmp_path / "note.md"))
    assert (f"  {row}: given note.main (" in out) == compared, out
    assert (f"  {row}: given, as note.main has it (not compared); l. 4" in out) != compared
    assert re.search(r"rests on note.main \((proved|refuted)\)\n", out)


def test_what_a_claim_rests_on_is_in_its_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the verdict, in whatever form it is asked for, and through what is imported in turn."""
    rows = "| x | all | | claim note.bad: x > 5 | l. 4 |\n| y | all | | claim note.middle: y > 1 | l. 5 |\n\n"
    note = tmp_path / "note.md"
    note.write_text(NOTE.replace("l. 2 |\n\n", f"l. 2 |\n{rows}") + claim("note.bad", "x > 5")
                    + claim("note.middle", "x > 4") + claim("note.last", "y > 0"))
    rests = {"note.positive": [], "note.bad": [], "note.middle": ["note.bad (refuted)"],
             "note.last": ["note.middle (proved)", "note.bad (refuted)"]}
    for command in (["referee"], ["verify"], ["verify", "--strict"]):
        with pytest.raises(SystemExit):
            main([*command, str(note), "--jobs", "1", "--format", "json"])
        out, err = capsys.readouterr()
        assert {c["id"]: c["rests_on"] for c in json.loads(out)["claims"]} == rests
        flagged = [line for line in err.splitlines() if "it rests on note.bad, which is refuted" in line]
        assert len(flagged) == (2 if "--strict" in command else 0)


@pytest.mark.parametrize("source", ["l. 3; given note.positive (proved);", "given note.positive; l. 3",
                                    "l. 3 (not compared)", "(proved) l. 3", "Given, as note.a (checked), l. 3"])
def test_a_source_has_no_words_of_the_referee(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = f"given: rho > 0  # {source}\n"
    for text in (NOTE.replace("l. 1 |", f"{source} |"), NOTE + claim("note.b", "rho > 0", more=given)):
        (tmp_path / "note.md").write_text(text)
        code, _, err = refereed(capsys, str(tmp_path / "note.md"))
        assert code == 2 and re.match(r"note.md, line \d+: |.*: note.md, line \d+: ", err), err


def test_a_place_is_no_statement(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What stands behind a claim's id is what is checked; the place is quoted, on a line of its own."""
    place = 'Theorem 1): 0 == 1   proved (by" "'
    for text in (claim("note.b", "rho > 0", f":place: {place}\n"), f"\n## {place}\n" + claim("note.b", "rho > 0")):
        (tmp_path / "note.md").write_text(NOTE + text)
        _, out, _ = refereed(capsys, str(tmp_path / "note.md"))
        [line] = [line for line in out.splitlines() if "0 == 1" in line]
        assert line.startswith('in "') and line.endswith('"') and line.count('"') - line.count('\\"') == 2
        assert "\nnote.b: rho > 0 for" in out
