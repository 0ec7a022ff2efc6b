"""``qtheory referee``: a stranger's paper gets verdicts, and nothing that it holds is run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qtheory.cli import main

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
    assert ("note.below (Section 1): rho < 1 for lam > 0, mu > 0 where rho = lam/mu" in out) == bool(status)
    code, out, _ = refereed(capsys, str(tmp_path / "note.md"), "--format", "json")
    assert (code or 0) == status
    assert [c["verdict"] for c in json.loads(out)["claims"]] == ["proved", "refuted"][:1 + status]


def claim(name: str, goal: str, option: str = "", more: str = "") -> str:
    lines = f"```qtheory\n{more}goal: {goal}\n```\n" if goal else ""
    return f"\n::::{{claim}} {name}, inequality, l. 3\n{option}\n> so it is\n\n{lines}::::\n"


def test_what_is_imported_is_shown_with_its_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A proof from what is false says so; and every statement is shown as it was read."""
    row = "| x | all | | claim note.false: x > 5 | l. 4 |\n\n"
    (tmp_path / "note.md").write_text(NOTE.replace("l. 2 |\n\n", f"l. 2 |\n{row}") + claim("note.false", "mu < 1")
                                      + claim("note.uses", "x > 4"))
    _, out, _ = refereed(capsys, str(tmp_path / "note.md"))
    assert "note.positive (Section 1): rho > 0 for lam > 0, mu > 0 where rho = lam/mu" in out
    assert "note.uses (Section 1): x > 4 for x > 5\n  x > 5: given note.false (refuted); l. 4" in out


def test_nothing_is_proved_from_what_it_is_a_reading_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = "| x | all | | claim note.vague: x == 7 | l. 4 |\n\n"
    vague = claim("note.vague", "", ":verdict: imprecise\n:readings: note.strong\n")
    (tmp_path / "note.md").write_text(NOTE.replace("l. 2 |\n\n", f"l. 2 |\n{row}") + vague
                                      + claim("note.strong", "x == 7"))
    code, out, _ = refereed(capsys, str(tmp_path / "note.md"))
    assert code == 1 and "note.strong (Section 1): x == 7\n  at x = 1" in out


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
