"""`make studies`: what keeps its promise is not run again, what the clock ends misses nothing, the rest is told."""

from __future__ import annotations

import importlib.util
import math
import time
from pathlib import Path

import pytest

SPEC = importlib.util.spec_from_file_location("all_studies", Path(__file__).parent / "studies" / "all.py")
assert SPEC is not None and SPEC.loader is not None
studies = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(studies)


def study(name: str, code: str) -> object:
    return studies.Study(name, lambda kept: ["-c", code])


@pytest.mark.later
def test_a_study_is_kept_missed_or_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mark = str(tmp_path / "mark")
    once = study("once", f"open({mark!r}, 'x'); print('all of it')")
    assert studies.run(once, tmp_path, math.inf) is True
    assert studies.run(once, tmp_path, math.inf) is True  # run again it would fail: the file is there
    assert capsys.readouterr().out.count("all of it") == 2
    assert studies.run(study("wrong", "print('0.8 for 0.9'); raise SystemExit(1)"), tmp_path, math.inf) is False
    assert "MISSED  wrong" in (told := capsys.readouterr().out) and "0.8 for 0.9" in told
    began = time.monotonic()
    slow = study("slow", "import subprocess; subprocess.run(['sleep', '600'])")
    assert studies.run(slow, tmp_path, began + 0.5) == studies.ENDED and time.monotonic() - began < 60
    assert studies.run(study("late", "raise SystemExit(1)"), tmp_path, began) == studies.ENDED


def test_each_study_has_its_own_name_and_its_files() -> None:
    every = (*studies.STUDIES, *studies.FULL)
    assert len({s.name for s in every}) == len(every)
    for one in every:
        files = [a for a in one.command(Path("kept")) if a.startswith("tests/")]
        assert all((studies.ROOT / f).exists() for f in files), one.name
