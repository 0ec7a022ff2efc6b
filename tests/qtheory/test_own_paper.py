"""Claims of one's own: every command and the tests know them by their file, and none makes a false one stand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from qtheory import testing
from qtheory.cli import main
from qtheory.errors import InputError, UnknownNameError
from qtheory.report import tables
from qtheory.report.errata import errata
from qtheory.testing.errors import BrokenHypothesesError, NoFiniteCasesError, NotATheoremError, TheoremFailedError

NOTE = """# A note on <b>one</b> queue

| symbol | where | meaning | conditions or definition | source |
| --- | --- | --- | --- | --- |
| lam, mu | all | rates | > 0 | l. 1 |
| rho | all | load | = lam/mu | l. 2 |
| W | all | wait | = rho/(mu - lam) | (1) |
| b | all | bound | claim mine.half: W < 1/mu | l. 4 |
| y | all | open | ? | |

## Section 1. The wait

::::{claim} mine.positive, inequality

> <script>alert(1)</script> the wait is [positive](javascript:alert(1))

    given: rho < 1  # the sentence
    goal: W > 0
::::

::::{claim} mine.half, inequality, l. 4

> less than a service

    given: rho == 1/2  # the sentence
    goal: W < 1/mu
::::

::::{claim} mine.half.corrected, inequality, l. 4

    given: rho == 1/2  # the sentence
    goal: W <= 1/mu
::::

::::{claim} mine.often, theorem, unknown

> the queue empties infinitely often

Not stated yet. The language has no paths of a process. What is missing is a model of the queue in time.
::::

## Section 2. More

::::{claim} mine.taken, inequality, l. 9

> what follows from a false bound

    given: b == 1  # the sentence
    given: rho == 1/2  # the sentence
    goal: 1 < 0
::::

::::{claim} mine.open, inequality, l. 10

> y is positive

    goal: y > 0
::::
"""


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.md").write_text(NOTE)
    return tmp_path / "note.md"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0), *capsys.readouterr()


@pytest.mark.later
def test_show_and_check_know_a_claim_by_its_file(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "show", "note.md#mine.half", "-o", "half.json")
    assert code == 0 and "\nrefuted  (counterexample" in out and "corrected by mine.half.corrected" in out
    assert "mine.positive  [Section 1, line 13 of its file]" in run(capsys, "show", f"{note}#mine.positive")[1]
    assert run(capsys, "check", "half.json", "--id", "note.md#mine.half")[0] == 0
    assert run(capsys, "check", "half.json", "--id", "note.md#mine.half.corrected")[0] == 1
    Path("mine.half.corrected.json").write_bytes(Path("half.json").read_bytes())
    assert run(capsys, "check", "mine.half.corrected.json", "--named", "--paper", "note.md")[0] == 1
    Path("mine.half.json").write_bytes(Path("half.json").read_bytes())
    assert run(capsys, "check", "mine.half.json", "--named", "--paper", "note.md")[0] == 0
    assert run(capsys, "verify", "note.md#mine.half", "-j", "1")[1].count("mine.") == 1


def test_what_a_claim_imports_is_judged_with_it(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "show", "note.md#mine.taken")
    assert "(given, as mine.half has it (not compared); l. 4)" in out or "given mine.half (refuted)" in out
    assert "rests on mine.half (refuted)" in out and "\nproved " not in out


@pytest.mark.parametrize("name, why", [
    ("note.md", "name one of its claims: note.md#mine.positive"), ("note.md#mine.halves", "nearest: mine.half"),
    ("nix.md#a", "nix.md: no such file"), ("other.txt#a", "Markdown file"), ("#mine.half", "no such file")])
def test_what_is_no_claim_of_it_is_told(name: str, why: str, note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.txt").write_text(NOTE)
    code, _, err = run(capsys, "show", name)
    assert code == 2 and why in err and err.count("\n") == 1


@pytest.mark.later
def test_the_tables_and_the_errata_are_of_fresh_verdicts(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = tables.errata("note.md")
    assert found.column("claim") == ("mine.half",) and found.column("correction") == ("mine.half.corrected: proved",)
    assert found.column("counterexample")[0].startswith("lam = ") and "<b>" not in found.render("html")
    counted = tables.verdicts("note.md")
    assert counted.column("section")[:2] == ("Section 1", "Section 2")
    assert (counted.column("proved"), counted.column("refuted")) == ((1, 0, 1), (1, 0, 0))
    _, out, _ = run(capsys, "errata", "note.md")
    assert "the command qtheory show note.md#ID gives" in " ".join(out.split())
    assert "## Statements that are not true as printed\n\n- `mine.half` (Section 1, l. 4), refuted" in out
    note.write_text(NOTE.replace("goal: W < 1/mu", "goal: W <= 1/mu"))
    assert tables.errata("note.md").column("claim") == ()
    for made in (tables.errata, tables.verdicts):
        with pytest.raises(UnknownNameError):
            made("nix")


def test_errata_of_ones_own_say_where_it_fails_and_leave_out_what_is_empty(note: Path) -> None:
    said = errata("note.md").latex()
    assert r"\emph{Fails at:} $\lambda$ = " in said and ".'." not in said and "Summary" not in said
    assert "refuted: `less than a service'." in said


def test_a_false_claim_without_a_quote_fails_like_any_other(note: Path) -> None:
    beside = "\n::::{claim} mine.beside, inequality\n\n    goal: lam < mu\n::::\n"
    note.write_text(NOTE.replace("less than a service", "2^n beats lam^2") + beside)
    said = errata("note.md")
    text, (first, *_) = said.markdown(), [line for line in said.markdown().splitlines() if "mine.beside" in line]
    assert "Remarks" not in text and "3 refuted" not in text and "2 refuted" in text
    assert first.startswith("- `mine.beside` (Section 2, line 60 of its file), refuted. *Fails at:* lam = ")
    assert "`mine.half` (Section 1, l. 4), refuted: '2^n beats lam^2'." in text
    assert r"2\textasciicircum{}n beats lam\textasciicircum{}2" in said.latex()
    counted = tables.verdicts("note.md")
    assert counted.column("items") == (3, 3, 1) and counted.column("refuted") == (1, 1, 0)
    assert "others" not in [column.name for column in counted.columns]
    about = tables.errata("note.md").column("about")
    assert "mine.beside (line 60 of its file; kernel)" in about


def test_the_errata_of_a_file_speak_of_a_note_and_those_of_a_folder_of_a_paper(note: Path) -> None:
    beside = "\n::::{claim} mine.beside, inequality\n\n    goal: lam < mu\n::::\n"
    note.write_text(NOTE + beside)
    said = errata("note.md").markdown()
    assert "Of the statements that the note prints, " in said
    assert "paper" not in said
    Path("folder").mkdir()
    Path("folder/paper.toml").write_text('title = "Mine"\nsections = ["section-1.md"]\n')
    Path("folder/section-1.md").write_text(NOTE)
    assert "Of the statements that the paper prints, " in errata("folder").markdown()


def test_what_is_confirmed_is_named_and_an_obstacle_told_whole(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = errata("note.md").markdown()
    assert "- `mine.positive` (Section 1): proved" in said and "further statement" not in said
    missing = "The language has no paths of a process. What is missing is a model of the queue in time."
    assert f"`mine.often` (Section 1): {missing}" in said
    _, out, _ = run(capsys, "referee", "note.md", "-j", "1")
    assert f'mine.often\n  not decided: "Not stated yet. {missing}"' in out
    assert 'mine.open\n  not decided: "Not stated: the table of symbols does not say yet what y (line' in out


def test_a_note_that_cannot_be_read_leaves_no_folder(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note.write_text(NOTE.replace("goal: W < 1/mu", "gaol: W < 1/mu"))
    code, _, err = run(capsys, "report", "note.md", "-o", "out", "-j", "1")
    assert code == 2 and err.count("\n") == 1 and not Path("out").exists()


def test_a_report_shows_a_notes_html_as_text(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "report", "note.md", "-o", "out", "-j", "1")[0] == 0
    page = Path("out/index.html").read_text()
    assert "alert(1)" in page
    assert not any(raw in page for raw in ("<script>alert", "<b>one", 'href="javascript'))


def test_a_report_says_what_is_true_instead_of_a_false_claim(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As the command referee does; the verdict is on what the note states."""
    stated = NOTE.partition("::::{claim} mine.half")[0].replace("    given: rho < 1  # the sentence\n", "")
    note.write_text(stated.replace("claim mine.half: W < 1/mu", "> 0"))
    assert run(capsys, "report", "note.md", "-o", "out", "-j", "1")[0] == 0
    page, latex = Path("out/index.html").read_text(), Path("out/note.tex").read_text()
    assert '<span class="badge refuted">refuted' in page and "<dt>note</dt><dd>proved with the extra condition" in page
    assert r"\emph{Note:} proved with the extra condition $\lambda$ < $\mu$." in latex.replace(r"\textless{}", "<")
    assert "What was confirmed" not in latex


def wait(lam: float, mu: float) -> float:
    return lam / (mu * (mu - lam))


def test_theorems_of_ones_own_are_refereed_first(note: Path) -> None:
    case = testing.assert_theorem("note.md#mine.positive", {"W": wait}, lam=1, mu=2)
    assert case.compared == 1
    with pytest.raises(BrokenHypothesesError):
        testing.assert_theorem("note.md#mine.positive", lam=2, mu=1)
    with pytest.raises(TheoremFailedError):
        testing.assert_theorem("note.md#mine.positive", {"W": lambda lam, mu: 1 / mu}, lam=1, mu=3)
    ran = []
    testing.theorem("note.md#mine.positive", {"W": wait}, max_examples=3)(lambda lam: ran.append(lam))()
    assert ran
    for name, error, why in [("half", NotATheoremError, r"its correction is .note\.md#mine\.half\.corrected."),
                             ("open", NoFiniteCasesError, "no cases"), ("nix", UnknownNameError, "nearest")]:
        with pytest.raises(error, match=why):
            testing.theorem(f"note.md#mine.{name}")
    note.write_text(NOTE.replace("goal: W > 0", "goal: W > 1"))  # what the file says, not what it said
    with pytest.raises(NotATheoremError, match=r"is refuted as printed at lam = .*, so it is no theorem"):
        testing.theorem("note.md#mine.positive")


@pytest.mark.later
def test_a_conjecture_is_a_statement_without_a_file() -> None:
    made = testing.conjecture("W > 0", where=["0 < lam", "lam < mu"], let="W = lam/mu/(mu - lam)")
    assert testing.assert_theorem(made, {"W": wait}, lam=1, mu=2).compared == 1
    ran = []
    made(lambda lam, mu: ran.append(lam < mu))()
    assert ran and all(ran)
    with pytest.raises(TheoremFailedError, match="is off by"):
        testing.theorem(made, {"W": lambda lam, mu: 1 / mu}, max_examples=5)(lambda: None)()
    for goal, where, error in [("W < 1", ["W > 0"], NotATheoremError), ("1/x > 0", [], NotATheoremError),
                               ("x > 0", ["x > 1", "x < 0"], InputError), ("x >", [], InputError),
                               ("2 > 1", [], NoFiniteCasesError)]:
        with pytest.raises(error):
            testing.theorem(testing.conjecture(goal, where))


@pytest.mark.later
def test_a_template_is_refereed_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "new.md"
    assert run(capsys, "referee", "--new", str(path))[0] == 0
    code, out, _ = run(capsys, "referee", str(path), "-j", "1", "--format", "json")
    assert code == 1
    assert [c["verdict"] for c in json.loads(out)["claims"]] == ["proved", "refuted", "proved", "proved", "unknown"]
    code, _, err = run(capsys, "referee", "--new", str(path))
    assert code == 2 and "is there already" in err


@pytest.mark.parametrize("change, why", [
    (("goal: W > 0", "let: W = 1\n    goal: W > 0"), "W has a row in the table of symbols"),
    (("goal: W > 0", "let: rho(x) = x\n    goal: W > 0"), "rho has a row"),
    (("goal: W > 0", "given: mu in functions  # the sentence\n    goal: W > 0"), "mu has a row"),
    (("| rho | all | load | = lam/mu | l. 2 |", "| rho | all | load | = lam/mu | l. 2 |\n| rho | all | load | = 0 | |"),
     "rho has another row"),
    (("goal: W > 0", "goal: ForAll(mu, mu > 0, W > 0)"), "mu has a row")])
def test_no_symbol_gets_another_meaning(change: tuple[str, str], why: str, note: Path,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    note.write_text(NOTE.replace(*change))
    code, _, err = run(capsys, "referee", "note.md", "-j", "1")
    assert code == 2 and why in err


def test_a_file_without_an_end_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert "not a file" in run(capsys, "referee", str(tmp_path / "pipe.md"))[2]
    (tmp_path / "large.md").write_text("x" * 2_000_001)
    assert "larger than" in run(capsys, "referee", str(tmp_path / "large.md"))[2]
