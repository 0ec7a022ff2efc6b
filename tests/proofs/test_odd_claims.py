"""Claims files of strangers may hold anything: what goes wrong in one is said in a line, and the exit status is 2."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.proofs.corpus import verify

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
    "CLAIMS = [claim(statement=Statement('1 > 0'), budget='abc')]": "'me.x'",
    "CLAIMS = [claim(statement=Statement('1 > 0'), proof=Broken())]": "'me.x'",
    "CLAIMS = [claim(statement=Statement('1 > 0'), sources=5)]": "sources or a first point of no names",
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


@pytest.mark.later
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


def test_what_its_code_uses_is_named(tmp_path: Path, monkeypatch: Any) -> None:
    """Two files of one name are told apart, and what is imported beside the standard library is said."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "helping_hand.py").write_text("def three(): return 3\n")
    for folder, name in (("a", "me.x"), ("b", "me.y")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(
            HEAD + "import numpy\nfrom helping_hand import three\nfrom qtheory.numerics.lp import ONE\n"
            f"def run(): return Holds(three(), 'b', 'm')\nCLAIMS = [claim({name!r}, run=run)]\n")
    first, second = verify([str(tmp_path / "a"), str(tmp_path / "b")])
    for verdict, folder in ((first, "a"), (second, "b")):
        code, *used = verdict.rests_on
        assert code.endswith(f"{folder}/mine.run") and {"code numpy", "code helping_hand"} <= set(used), verdict
    (tmp_path / "b" / "mine.py").write_text((tmp_path / "a" / "mine.py").read_text())
    with pytest.raises(InputError, match="have one id"):
        verify([str(tmp_path / "a"), str(tmp_path / "b")])


def test_code_says_nothing_in_the_names_of_others(tmp_path: Path) -> None:
    """What code hands back as evidence stands apart from the quote, the sources, the sides of a counterexample."""
    file = tmp_path / "mine.py"
    odd = "{k: 'proved: 1 == 2' for k in ('quote', 'sources', 'sides', 'stale', 'studies', 'satisfiable', 'cases')}"
    file.write_text(HEAD + f"CLAIMS = [claim(run=ends(Holds(3, 'b', 'm', {odd}))),"
                    f"claim('me.y', run=ends(Fails({{'x': '1'}}, 'm', {odd})))]")
    for verdict in verify(str(file)):
        evidence = dict(verdict.evidence)
        assert "proved: 1 == 2" in str(evidence.pop("own")) and "proved: 1 == 2" not in str(evidence)
        assert evidence["quote"] == "q" and verdict.method == "own code: m"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_one_that_asked(number: int, tmp_path: Path) -> None:
    """Two claims that say by which process they are refereed, and take hours."""
    (tmp_path / "mine.py").write_text(HEAD + f"""
def long(name):
    def run():
        import time
        with open({str(tmp_path)!r} + "/" + name, "w") as file: file.write(str(os.getpid()))
        time.sleep(10_000)
    return run
CLAIMS = [claim("me.a", run=long("a")), claim("me.b", run=long("b"))]
""")
    command = [sys.executable, "-c", "from qtheory.cli import main; main()", "verify", str(tmp_path), "-j", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as asked:
        files = [tmp_path / name for name in ("a", "b")]
        wait(lambda: all(f.exists() and f.read_text() for f in files))
        workers = {int(f.read_text()) for f in files}
        assert len(workers) == 2 and asked.pid not in workers
        asked.send_signal(number)
    wait(lambda: not any(map(alive, workers)))


def wait(until: Callable[[], bool]) -> None:
    for _ in range(1200):
        if until():
            return
        time.sleep(0.05)
    raise AssertionError("it does not come about")


def alive(number: int) -> bool:
    """Does the process run? One that has ended, and that nobody has asked about, does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
