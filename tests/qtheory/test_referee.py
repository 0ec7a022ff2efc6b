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
