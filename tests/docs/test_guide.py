"""The guide's blocks of commands and Python run in order in an empty folder, and print what is shown.

A line ``...`` of a shown output stands for any lines, ``...`` inside a line for any characters; runs of blanks count as
one.  A ``text`` block after a ``python`` block is what that prints; a block with a caption is a file.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from qtheory.cli import main

VERDICTS = (0, 1, 3)  # statuses of commands that return one
PAGES = sorted((Path(__file__).parents[2] / "docs").glob("guide*.md"))
FENCE = re.compile(r"^(`{3,})(?:\{code-block\} )?(\w+)\n(?::caption: (\S+)\n\n)?(.*?)^\1$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block: what it is written in, the file that it is, its text, and the line where it begins."""

    language: str
    file: str | None
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    return [Block(m[2], m[3], m[4], page[:m.start()].count("\n") + 1) for m in FENCE.finditer(page)]


def agrees(shown: str, said: str) -> bool:
    """Is the output what is shown, the ellipses and the lengths of blanks aside?"""
    parts: list[str] = []
    for line in " ".join(shown.split(" ")).strip().splitlines():
        text = r".*".join(re.escape(piece) for piece in re.split(r"\.\.\.", re.sub(r" +", " ", line.strip())))
        parts.append("(?:[^\n]*\n)*?" if line.strip() == "..." else text + "\n")
    flat = "\n".join(re.sub(r" +", " ", line.strip()) for line in said.strip().splitlines()) + "\n"
    return re.fullmatch("".join(parts), flat) is not None


def commanded(line: str) -> str:
    """What a command prints: ours in this process, others in one of their own, which must succeed; ours may end with
    a verdict's status, but not with that of bad input."""
    program, *arguments = shlex.split(line)
    out = io.StringIO()
    if program == "qtheory":
        unhurried = patch("qtheory.progress.DELAY", 3600.0)  # a slow machine's progress is no output
        with redirect_stdout(out), redirect_stderr(out), unhurried, pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code in (None, *VERDICTS), f"{line}\n{out.getvalue()}"
        return out.getvalue()
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    run = subprocess.run([sys.executable if program == "python" else program, *arguments], capture_output=True,
                         text=True, errors="replace", timeout=300, check=False)
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    return run.stdout


def run_console(block: Block) -> None:
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        line, _, shown = part.partition("\n")
        said = commanded(line)
        assert "Traceback" not in said and agrees(shown, said), f"line {block.line}: {line}\n{said}"


def run_page(text: str) -> int:
    """Run the blocks of a page; how many ran."""
    space: dict[str, Any] = {"__name__": "guide"}
    ran, said = 0, ""
    for block in blocks(text):
        if block.file is not None:
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            out = io.StringIO()
            with redirect_stdout(out):
                exec(compile(block.text, f"line {block.line}", "exec"), space)
            said = out.getvalue()
        elif block.language == "text":
            assert agrees(block.text, said), f"line {block.line}:\n{said}"
        else:
            assert block.language == "console", f"line {block.line}: nobody runs {block.language}"
            run_console(block)
        ran += 1
    return ran


def test_how_outputs_are_compared() -> None:
    assert agrees("a\n...\nb c", "a\nx\ny\nb   c\n") and agrees("a ... s", "a 1.2 s") and agrees("...", "x\ny")
    assert not agrees("a\nb", "a\nx\nb") and not agrees("a ... s", "a 1.2 t") and not agrees("a", "a\nb")


@pytest.mark.slow
def test_what_a_slow_machine_says_of_its_progress_is_no_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = "# A note\n\n::::{claim} mine.one, inequality, l. 1\n\n> one\n\n    goal: 1 > 0\n::::\n"
    (tmp_path / "note.md").write_text(note, encoding="utf-8")
    monkeypatch.setattr("qtheory.progress.DELAY", 1e-6)
    said = commanded(f"qtheory referee {tmp_path / 'note.md'} -j 1")
    assert "1 claims: 1 proved" in said and "so far" not in said


def test_each_block_of_a_page_is_one_that_can_run() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert blocks(text) and not re.findall(r"^```", FENCE.sub("", text), re.M), page.name
        for link in re.findall(r"\]\(([^)#]+)\)", text.replace("\n", " ")):
            assert (page.parent / link).exists(), link


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                   tex: Callable[..., None]) -> None:
    text = page.read_text(encoding="utf-8")
    if "$ pdflatex" in text:
        tex()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QTHEORY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    assert run_page(text) > 20
