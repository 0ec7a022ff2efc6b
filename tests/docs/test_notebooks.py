"""The notebooks run from top to bottom in a real Jupyter kernel, and say what their stored outputs say."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat", reason="the notebooks need Jupyter: pip install nbclient ipykernel")
nbclient = pytest.importorskip("nbclient", reason="the notebooks need Jupyter: pip install nbclient ipykernel")
pytest.importorskip("ipykernel", reason="the notebooks need Jupyter: pip install nbclient ipykernel")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))
CHANGING = re.compile(r"\[?\d+\.\d\d s\]?|sha256:[0-9a-f]{64}|qtheory \d[^}]*|\x1b\[[0-9;]*m|"  # from run to run
                      r"^[^\n]+ \d+ s so far\n", re.M)


def said(cell: Any) -> list[str]:
    """What a cell shows as text, without what changes from run to run; what it prints comes in pieces of any size.
    A slow machine says besides how far it is."""
    texts: list[str] = []
    before = None
    for o in cell.get("outputs", ()):
        text = o.get("text") or o.get("data", {}).get("text/plain") or "\n".join(o.get("traceback", ()))
        stream = o.get("name") if o.output_type == "stream" else None
        if stream is not None and stream == before:
            texts[-1] += text
        else:
            texts.append(text)
        before = stream
    return [text for text in (CHANGING.sub("", text) for text in texts) if text]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_and_says_what_is_stored(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QTHEORY_CACHE", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    stored = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    for cell in run.cells:
        cell.pop("outputs", None) if cell.cell_type != "code" else cell.update(outputs=[])
    nbclient.NotebookClient(run, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": str(path.parent)}}).execute()
    assert any(cell.get("outputs") for cell in stored.cells)
    for before, after in zip(stored.cells, run.cells, strict=True):
        assert said(after) == said(before), before.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_the_stored_outputs_are_whole_and_short(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        errors = [o for o in cell.outputs if o.output_type == "error"]
        assert bool(errors) == ("raises-exception" in cell.metadata.get("tags", []))
        assert all(len(o.traceback) == 1 and "\n" not in o.traceback[0] for o in errors)
    assert len(path.read_text(encoding="utf-8")) < 100_000
