"""The notebooks run from top to bottom in a real Jupyter kernel, and say what their stored outputs say: here all in one
that forgets between them what they named, by make studies each in its own."""

from __future__ import annotations

import re
from collections.abc import Callable
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


def cells(path: Path) -> list[Any]:
    """Without outputs."""
    found: list[Any] = nbformat.read(path, as_version=4).cells
    for cell in found:
        cell.pop("outputs", None) if cell.cell_type != "code" else cell.update(outputs=[])
    return found


def run(many: list[Any], folder: Path, past_errors: bool = False) -> None:
    """In a kernel of their own, which keeps proofs in the folder and no others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QTHEORY_CACHE", str(folder))
        patch.setenv("IPYTHONDIR", str(folder))
        nbclient.NotebookClient(nbformat.v4.new_notebook(cells=many), timeout=300, kernel_name="python3",
                                allow_errors=past_errors,
                                resources={"metadata": {"path": str(NOTEBOOKS[0].parent)}}).execute()


def as_stored(path: Path, ran: list[Any]) -> None:
    stored = nbformat.read(path, as_version=4).cells
    assert any(cell.get("outputs") for cell in stored)
    for before, after in zip(stored, ran, strict=True):
        assert said(after) == said(before), before.source


@pytest.fixture(scope="module")
def in_one_kernel(tmp_path_factory: pytest.TempPathFactory, once: Callable[[str, Callable[[], Any]], Any],
                  ) -> dict[str, list[Any]]:
    """The cells of all notebooks as they ran one after the other: what the library imports is imported once. Before
    each the kernel forgets all names, and it finds no proof of another's."""
    def made() -> dict[str, list[Any]]:
        folder = tmp_path_factory.mktemp("notebooks")
        notebooks, many = {path.stem: cells(path) for path in NOTEBOOKS}, list[Any]()
        for name, own in notebooks.items():
            anew = f"%reset -f\nimport os\nos.environ['QTHEORY_CACHE'] = {str(folder / name)!r}\ndel os"
            many += [nbformat.v4.new_code_cell(anew), *own]
        for number, cell in enumerate(many):
            cell["id"] = f"cell-{number}"  # they are told apart by it
        run(many, folder, past_errors=True)
        return notebooks

    ran: dict[str, list[Any]] = once("notebooks", made)
    return ran


@pytest.mark.slow(25)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_and_says_what_is_stored(path: Path, in_one_kernel: dict[str, list[Any]]) -> None:
    as_stored(path, in_one_kernel[path.stem])


@pytest.mark.study
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_in_a_kernel_of_its_own(path: Path, tmp_path: Path) -> None:
    own = cells(path)
    run(own, tmp_path)
    as_stored(path, own)


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
