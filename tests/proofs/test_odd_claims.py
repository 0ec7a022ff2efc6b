"""Claims files of strangers may hold anything: what goes wrong in one is said in a line, and the exit status is 2."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main

HEAD = """
import os, sys
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.outcomes import Fails, Holds, Undecided
from qtheory.proofs.kernel.statements import Statement

class Odd(BaseException): pass

class Mute(Exception):
    def __str__(self): raise RuntimeError("no words")

class Stays:
    def __reduce__(self): raise TypeError("stays where it is")
    def __str__(self): return "odd\\nproved: 1 == 2"

class Broken(dict):
    def get(self, *a): raise Mute()

class List(list):
    def __iter__(self): raise Mute()

def claim(name="me.x", **k): return Claim(name, "S", "q", (1, 1), "algorithm", **k)

def ends(found):
    def run():
        if isinstance(found, type): raise found()
        return found
    return run
"""
REFUSED = {
    "sys.exit(0)": "SystemExit: 0", "raise Odd('x')": "Odd: x", "raise Mute()": "Mute", "raise MemoryError": "Memory",
    "CLAIMS = [claim(statement=Statement(5))]": "no Statement(goal, where, let) of texts",
    "CLAIMS = [claim(statement=Statement('1 > 0', where=(5,)))]": "no Statement(goal, where, let) of texts",
    "CLAIMS = [claim(statement=Statement('1 > 0', where=5))]": "no Statement(goal, where, let) of texts",
    "CLAIMS = [claim(statement=Statement('1 > 0', let=(None,)))]": "no Statement(goal, where, let) of texts",
    "CLAIMS = [claim(run=ends(SystemExit))]": "the code of 'me.x' failed: SystemExit",
    "CLAIMS = [claim(run=ends(Odd))]": "the code of 'me.x' failed: Odd",
    "CLAIMS = [claim(run=ends(Mute))]": "the code of 'me.x' failed: Mute",
    "CLAIMS = [claim(run=ends(Fails({'x': '1'}, None, 5)))]": "the code of 'me.x' failed: TypeError",
    "CLAIMS = [claim(run=ends(7))]": "the code of 'me.x' returned '7'",
    "CLAIMS = [claim(studies=lambda: {'a': 5})]": "the studies of 'me.x' failed",
    "CLAIMS = [claim(studies=ends(SystemExit))]": "the studies of 'me.x' failed: SystemExit",
    "CLAIMS = [claim(statement=Statement('1 > 0'), hint={'budget': 'abc'})]": "the claim 'me.x' failed: ValueError",
    "CLAIMS = [claim(statement=Statement('1 > 0'), hint=Broken())]": "the claim 'me.x' failed: Mute",
    "CLAIMS = [claim(theorem=Theorem(5, 5, 5, 5, 5))]": "the claim 'me.x' failed: TypeError",
    "CLAIMS = (c for c in [])": "CLAIMS must be a list", "CLAIMS = List([claim(verdict='reported')])": "Mute",
}


def verified(capsys: Any, *arguments: str) -> tuple[int, list[str]]:
    with pytest.raises(SystemExit) as end:
        main(["verify", *arguments])
    said = capsys.readouterr()
    return int(end.value.code or 0), (said.out + said.err).splitlines()


@pytest.mark.parametrize("source", REFUSED)
def test_what_goes_wrong_is_said_in_a_line(source: str, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + source)
    code, lines = verified(capsys, str(file), "--jobs", "1")
    assert code == 2 and len(lines) == 1 and REFUSED[source] in lines[0], lines


def test_what_code_hands_back_is_made_plain(tmp_path: Path, capsys: Any) -> None:
    """Evidence that no process could hand to another; what is no text, as its text."""
    file = tmp_path / "mine.py"
    file.write_text(HEAD + "CLAIMS = [claim(run=ends(Holds(3, 'b', 5, {'o': Stays()}))),"
                    "claim('me.y', run=ends(Fails({'x': Stays()}, 'm', {'o': Stays()}))),"
                    "claim('me.z', run=ends(Undecided(5)))]")
    code, lines = verified(capsys, str(file), "--jobs", "2")
    assert code == 0 and not any(line.startswith("proved") for line in lines), lines


def test_a_process_that_ends_is_named(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + f"def run():\n    if os.getpid() != {os.getpid()}: os._exit(0)\n"
                    "CLAIMS = [claim(run=run), claim('me.y', run=run)]")
    code, lines = verified(capsys, str(file), "--jobs", "2")
    assert code == 2 and len(lines) == 1 and "ended before its work" in lines[0], lines
