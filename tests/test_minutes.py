"""What ``conftest`` prints at the end of a run: minutes of a processor, and what was skipped for want of what."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
LIVE = bool([*Path("/proc/self/task").glob("*/children")])


BURN = "import time\nwhile time.process_time() < 1: pass"  # a second of a processor


@pytest.mark.later
@pytest.mark.skipif(not LIVE, reason="the system does not tell of its processes")
def test_a_pool_of_a_forkserver_is_counted_before_and_after_it_ends(request: pytest.FixtureRequest) -> None:
    """Its processes are children of another process than this, and nobody has waited for them while they live."""
    plugin = next(p for p in request.config.pluginmanager.get_plugins() if getattr(p, "__file__", "") == str(CONFTEST))
    before = plugin._spent()
    with ProcessPoolExecutor(1, get_context("forkserver")) as pool:
        pool.submit(exec, BURN).result()
        assert plugin._spent() - before > 0.7
    assert plugin._spent() - before > 0.7


def test_another_clock_in_a_test_is_not_asked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = next(p for p in request.config.pluginmanager.get_plugins() if getattr(p, "__file__", "") == str(CONFTEST))
    before = plugin._spent()
    monkeypatch.setattr(time, "process_time", lambda: -1000.0)
    assert plugin._spent() >= before


def test_garbage_is_collected_while_tests_run() -> None:
    """It is not while they are collected."""
    assert gc.isenabled()


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The tests of the folder, which has its own conftest.py, by a pytest of their own."""
    return subprocess.run([sys.executable, "-m", "pytest", *options, "-c", "/dev/null", "--rootdir", str(folder), "-p",
                           "no:cacheprovider", str(folder)], cwd=folder, capture_output=True, text=True)


@pytest.mark.later
def test_folders_the_rest_and_what_was_skipped_are_printed(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "test_one.py").write_text(
        "import pytest\ndef test_one(): pass\n"
        "@pytest.mark.skip(reason='pdflatex is not installed')\ndef test_two(): pass\n"
        "@pytest.mark.skip(reason='no moon tonight')\ndef test_three(): pass\n")
    done = run(tmp_path, "-q")
    said = done.stdout
    assert done.returncode == 0 and "collecting, importing and the rest" in said and "in all" in said
    assert "skipped, 1 test: a part of TeX is missing; on Debian: apt-get install texlive-science" in said
    assert "skipped, 1 test: no moon tonight" in said


@pytest.mark.later
def test_of_a_studied_test_each_nth_case_and_those_named_are_run_and_the_others_are_a_study(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "test_one.py").write_text(
        "import pytest\n"
        "@pytest.mark.studied(3, '4')\n@pytest.mark.parametrize('n', range(7))\ndef test_many(n): pass\n")
    for options, cases in (([], "0346"), (["-m", "study"], "125")):
        told = run(tmp_path, "-v", *options).stdout
        assert [line.split("[")[1][0] for line in told.splitlines() if "PASSED" in line] == [*cases]


@pytest.mark.slow
def test_of_a_sliced_test_each_nth_case_is_fast_and_of_another_of_three_each_third(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "test_one.py").write_text(
        "import pytest\ndef test_before(): pass\n"
        "@pytest.mark.sliced(3)\n@pytest.mark.parametrize('n', range(8))\ndef test_many(n): pass\n"
        "@pytest.mark.sliced(2)\n@pytest.mark.parametrize('n', range(2))\ndef test_two(n): pass\n"
        "@pytest.mark.parametrize('n', range(4))\ndef test_four(n): pass\n"
        "@pytest.mark.parametrize('n', range(2))\ndef test_both(n): pass\n")
    fast = run(tmp_path, "-v", "-m", "not slow and not later").stdout
    assert [line.split("::")[1].split()[0] for line in fast.splitlines() if "PASSED" in line] == [
        "test_before", "test_many[0]", "test_many[3]", "test_many[6]", "test_two[0]", "test_four[0]", "test_four[3]",
        "test_both[0]", "test_both[1]"]
    assert "17 passed" in run(tmp_path, "-v").stdout
