"""A copy of the checkout in which faults are planted, and tests that are run there, never in the checkout itself.

Tests run in a child of a process that has imported what others wrote and nothing of ours, so that a run costs no
second start; the child and every process that it starts import the copy. What Numba compiles for a fault in compiled
code lies in a folder of its own, which is empty before: that code is then compiled from the file with the fault.
"""

from __future__ import annotations

import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mutation.faults import ROOT, Fault

PACKAGES = {"qtheory": "qtheory", "qtheory.numerics": "numerics", "qtheory.proofs": "proofs",
            "qtheory.simulate": "simulate"}  # fmt: skip
OTHERS = ("numpy", "scipy.stats", "scipy.optimize", "scipy.signal", "scipy.integrate", "sympy", "mpmath", "networkx",
          "flint", "pydantic", "typer.testing", "jinja2", "markdown_it", "hypothesis", "jsonschema",
          "numba")  # fmt: skip
COMPILED = ("simulate/kernel/", "simulate/fleet/loop.py", "simulate/fleet/gpu_l")  # how the names of such files begin
MEMORY = 6 << 30  # bytes: a fault may fill any room
WALL = 15  # times its seconds of a processor a run may last, beside others
CLOCK = "the clock"  # ended what ran too long
RUN = "the run itself"  # noticed a fault, and none of its tests: it had no test to run, or could not begin

FINDER = '''
import sys
from importlib.util import spec_from_file_location
class Copy:
    @staticmethod
    def find_spec(name, path=None, target=None):
        folder = {packages!r}.get(name)
        if folder is None:
            return None
        folder = {tree!r} + "/" + folder
        return spec_from_file_location(name, folder + "/__init__.py", submodule_search_locations=[folder])
sys.meta_path.insert(0, Copy)
'''


class Outcome(NamedTuple):
    """The first test that failed, or ""; whether the run was ``ended`` by a limit; seconds of a processor; how many
    functions were compiled."""

    failed: str
    ended: bool
    seconds: float
    compiled: int


class Scratch:
    """A copy of what git tracks or may track, in ``folder``, which is made."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tree, self.planted = folder, folder / "tree", 10**9
        self.output = folder / "output.txt"

    def fill(self) -> None:
        """Copy anew, without any bytecode."""
        shutil.rmtree(self.tree, ignore_errors=True)
        tracked = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                                 check=True, capture_output=True, text=True).stdout
        for name in filter(None, tracked.split("\0")):
            if (ROOT / name).exists():
                target = self.tree / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, target)
        shared, site = self.folder / "shared", self.folder / "site"
        if (ROOT.parent / "shared").exists() and not shared.exists():
            shared.symlink_to((ROOT.parent / "shared").resolve())
        site.mkdir(parents=True, exist_ok=True)
        (site / "sitecustomize.py").write_text(self._finder())

    def _finder(self) -> str:
        return FINDER.format(packages=PACKAGES, tree=str(self.tree))

    def run(self, tests: Sequence[str], fault: Fault | None = None, limit: float = 60.0) -> Outcome:
        """Run the tests in this order until one fails, with the fault planted or, without one, as they are.

        ``limit``: seconds of a processor. Bytecode is believed by the time of its file: each planted one has its own.
        """
        if fault is None:
            return self._run(tests, self.folder / "numba", limit)
        target, numba = self.tree / fault.file, self.folder / "numba"
        if fault.file.startswith(COMPILED):
            numba = self.folder / "numba-of-a-fault"
            shutil.rmtree(numba, ignore_errors=True)
        source, times = target.read_text(encoding="utf-8"), target.stat()
        self.planted += 1
        try:
            target.write_text(fault.planted(source), encoding="utf-8")
            os.utime(target, (self.planted, self.planted))
            return self._run(tests, numba, limit)
        finally:
            target.write_text(source, encoding="utf-8")
            os.utime(target, (times.st_atime, times.st_mtime))

    def _run(self, tests: Sequence[str], numba: Path, limit: float) -> Outcome:
        before, began, used = _entries(numba), time.monotonic(), _used()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            self._child(tests, numba, writing, limit)
        os.close(writing)
        status = _waited(child, began + WALL * limit)
        if status is None:
            os.killpg(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
        with os.fdopen(reading) as pipe:
            told = pipe.read()
        ended = os.WIFSIGNALED(status)
        failed = "" if "passed" in told else next(iter(told.splitlines()), CLOCK if ended else RUN)
        return Outcome(failed, ended, _used() - used, _entries(numba) - before)

    def _child(self, tests: Sequence[str], numba: Path, writing: int, limit: float) -> None:
        """Never returns."""
        os.setsid()
        out = os.open(self.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(out, stream)
        spent = int(time.process_time() + limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (spent, spent))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        os.chdir(self.tree)
        sys.path[:] = [p for p in sys.path if not Path(p).resolve().is_relative_to(ROOT / "tests")]
        os.environ.update(NUMBA_CACHE_DIR=str(numba), PYTHONPATH=str(self.folder / "site"), PYTHONHASHSEED="0")
        exec(self._finder(), {})
        status = 70
        try:
            status = int(pytest.main(["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *tests],
                                     plugins=[_Told(writing)]))  # fmt: skip
        finally:
            if status in (0, 5):  # 5: nothing was asked
                os.write(writing, b"passed\n")
            sys.stdout.flush()
            os._exit(status)


class _Told:
    """Writes which test failed as soon as it has."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os.write(self.pipe, f"{report.nodeid}\n".encode())

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            os.write(self.pipe, f"{report.nodeid} (cannot be imported)\n".encode())


def _entries(numba: Path) -> int:
    return len(list(numba.rglob("*.numba")))


def _used() -> float:
    """Processor seconds of all children that have ended."""
    times = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.ru_utime + times.ru_stime


def _waited(child: int, until: float) -> int | None:
    """The child's status, or None where it still runs."""
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.02)
    return None


def warm() -> None:
    """Import what others wrote, once for all children."""
    for name in OTHERS:
        importlib.import_module(name)
