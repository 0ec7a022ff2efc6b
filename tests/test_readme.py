"""What the README says of the referee is what the record says, and the commands that it shows print what it shows."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest

from qtheory.cli import main
from qtheory.proofs.corpus import claims
from qtheory.proofs.records import records, title
from qtheory.proofs.trusted import kernel_lines, notebook_lines, trusted_lines
from qtheory.report import tables
from qtheory.report.errata import errata

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
VERDICTS = (ROOT / "docs" / "verdicts.md").read_text(encoding="utf-8")
SECONDS = re.compile(r"\d+\.\d\d s")
ERRATA = {"eb": "errata.md", "to": "errata-to.md", "wait": "errata-wait.md", "gr": "errata-gr.md",
          "rad": "errata-rad.md"}
COMMANDS = re.findall(r"^\$ qtheory (.+)\n((?:(?!\$ |```).*\n)*)", README, re.M)


def test_the_counts_are_the_records() -> None:
    counts = Counter(title(r) for r in records().values())
    said = re.search(r"^(\d+) claims: (.+)$", README, re.M)
    assert said is not None and int(said[1]) == len(records()) == len(claims())
    assert {name: int(n) for n, name in (part.split(" ", 1) for part in re.split(r", (?=\d)", said[2]))} == counts


def test_the_kernel_is_as_long_as_it_says() -> None:
    assert f"the kernel of {kernel_lines()} lines; trusted in all: {trusted_lines()} lines, which prove, check and "\
        f"verify import; derivations in a notebook import {notebook_lines()} more" in README
    assert f"(`proofs/kernel`, {kernel_lines():,} lines" in README
    assert f"a false `proved` has {trusted_lines():,} lines" in " ".join(README.split())


@pytest.mark.parametrize("paper", ERRATA)
def test_the_table_of_verdicts_is_the_records(paper: str) -> None:
    assert tables.verdicts(paper).render("md").split("\n\n")[0] in VERDICTS


def test_the_table_is_the_one_that_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    command = re.search(r"`qtheory (table eb-threshold .*)`:\n\n((\|.*\n)+)", README)
    assert command is not None
    with pytest.raises(SystemExit):
        main(shlex.split(command[1]))
    assert capsys.readouterr().out.startswith(command[2])


def test_the_derivation_prints_what_is_shown(capsys: pytest.CaptureFixture[str],
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QTHEORY_CACHE", "off")
    code, shown = re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", README, re.S)[0]
    exec(compile(code, "README.md", "exec"), {})
    assert SECONDS.sub("s", capsys.readouterr().out) == SECONDS.sub("s", shown)


def test_the_page_is_short() -> None:
    assert len(README.splitlines()) < 130


@pytest.mark.parametrize("paper, page", ERRATA.items())
def test_the_errata_are_the_records(paper: str, page: str) -> None:
    stored = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert stored == errata(paper).markdown(), f"qtheory errata {paper} -o docs/{page} writes it anew"


def test_each_highlight_is_a_refuted_claim_with_a_correction() -> None:
    section = VERDICTS.split("What is not true as printed", 1)[1].split("\n## ", 1)[0]
    named = re.findall(r"^- `(eb\.[\w.-]+)`", section, re.M)
    assert len(named) >= 10
    for name in named:
        assert records()[name]["verdict"] == "refuted" and claims()[name].corrected_by, name


@pytest.mark.parametrize("command, shown", COMMANDS, ids=[command for command, _ in COMMANDS])
def test_the_shown_commands_print_what_is_shown(command: str, shown: str, capsys: pytest.CaptureFixture[str],
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QTHEORY_CACHE", "off")
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(command))
    assert ended.value.code in (0, 1)
    assert SECONDS.sub("s", capsys.readouterr().out).strip() == SECONDS.sub("s", shown).strip()


def test_commands_are_shown() -> None:
    assert len(COMMANDS) >= 2
