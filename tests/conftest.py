"""Order of the tests: what takes longest begins first, so that no worker of pytest-xdist ends alone with it; and what
each folder's tests cost, in minutes of a processor, for their number is not their cost; what the workers of a run
share, and what no other run may see."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time  # our own: a test may put another clock into the module
from typing import Any

import pytest

SPENT = "processor seconds"
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100  # in which the system counts a second
MINUTES: defaultdict[str, float] = defaultdict(float)  # by folder
BEFORE = pytest.StashKey[float]()  # of the test, when it begins
WHOLE: dict[str, float] = {}  # by worker, from its start to its end


def pytest_configure(config: pytest.Config) -> None:
    """Proofs are kept for this run alone: an earlier find would pass for one of the search as it is now."""
    if "QTHEORY_CACHE" not in os.environ:  # workers of pytest-xdist have it from the process that starts them
        kept = tempfile.TemporaryDirectory(prefix="qtheory-proofs-")
        os.environ["QTHEORY_CACHE"] = kept.name
        config.add_cleanup(lambda: (kept.cleanup(), os.environ.pop("QTHEORY_CACHE", None)))


def pytest_collection(session: pytest.Session) -> None:
    gc.disable()  # what collecting makes stays: looking through it for garbage again and again takes a sixth of it


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()  # nor is it looked through later on
    gc.set_threshold(50_000, 10, 10)  # terms are made and dropped by the million, hardly one of them in a circle
    gc.enable()


def _seconds(item: pytest.Item) -> float:
    return max((float(s) for mark in item.iter_markers("slow") for s in mark.args), default=0.0)


def _sliced(items: list[pytest.Item]) -> None:
    """Of a test marked ``sliced(n)`` the cases between each n-th and the next are slow; of one marked ``studied(n)``
    they are a study, but for those that the mark names. Of another of three cases or more two in three are ``later``.
    """
    cases, seen = Counter(item.nodeid.partition("[")[0] for item in items), Counter[str]()
    for item in items:
        test, _, case = item.nodeid.partition("[")
        number = seen[test]
        seen[test] += 1
        slices = [*item.iter_markers("sliced")]
        for mark in slices:
            if number % mark.args[0]:
                item.add_marker("slow")
        for mark in item.iter_markers("studied"):
            if number % mark.args[0] and case.removesuffix("]") not in mark.args[1:]:
                item.add_marker("study")
        if cases[test] >= 3 and not slices and number % 3:
            item.add_marker("later")


@pytest.hookimpl(tryfirst=True)  # before -m "not slow" is held against the markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _sliced(items)
    if "study" not in config.option.markexpr:  # what `make studies` runs: pytest -m study
        studies = [item for item in items if item.get_closest_marker("study")]
        config.hook.pytest_deselected(items=studies)
        items[:] = [item for item in items if not item.get_closest_marker("study")]
    items.sort(key=_seconds, reverse=True)  # stable: the others stay by file, beside those of their fixtures


def _spent() -> float:
    """Of this process and its threads, of its children that have ended, and of the processes below it that live."""
    times = os.times()
    return process_time() + times.children_user + times.children_system + sum(map(_below, _children("self")))


def _below(process: str) -> float:
    """Seconds of a live process, of its children that have ended, and of those that live: pools started by a
    forkserver are nobody's children until it ends. Of what has ended meanwhile nothing, for its parent has it then."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(map(_below, _children(process)))


def _children(process: str) -> list[str]:
    """None where the system does not tell."""
    try:
        return [c for task in os.listdir(f"/proc/{process}/task")
                for c in Path(f"/proc/{process}/task/{task}/children").read_text().split()]
    except OSError:
        return []


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    item.stash[BEFORE] = _spent()
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    yield
    item.user_properties.append((SPENT, _spent() - item.stash[BEFORE]))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":  # whose properties are those of the whole test
        folder = Path(report.location[0]).parent.as_posix()
        MINUTES[folder] += sum(float(str(s)) for name, s in report.user_properties if name == SPENT) / 60


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[], Any]], Any]:
    """What a function makes, under a name: the first worker of pytest-xdist that wants it calls the function, the
    others read it."""
    import fcntl  # not there on each system

    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def made(name: str, make: Callable[[], Any]) -> Any:
        file = folder / f"{name}.made"
        with file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                file.write_bytes(pickle.dumps(make()))
        return pickle.loads(file.read_bytes())

    return made


TOOLS = ("pdflatex", "pdftotext", "kpsewhich")
STYLES = ("adjustbox", "amsmath", "amssymb", "array", "booktabs", "enumitem", "geometry", "graphicx", "lmodern",
          "longtable", "siunitx")  # fmt: skip


@pytest.fixture(scope="session")
def tex() -> Callable[..., None]:
    """A function that skips the test where a program or a package of TeX is missing that our documents load, or a file
    of TeX that the test names besides."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]

    def without(*files: str) -> list[str]:
        found = subprocess.run(["kpsewhich", *files], capture_output=True, text=True).stdout
        return [name for name in files if f"/{name}" not in found]

    if not missing:
        missing = without(*(f"{name}.sty" for name in STYLES))

    def need(*files: str) -> None:
        lacking = missing or (without(*files) if files else [])
        if lacking:
            pytest.skip(f"needs pdflatex, pdftotext and packages of TeX; missing: {', '.join(lacking)}")

    return need


# what a reason to skip names, and what would have the tests run
TEX = "texlive-science texlive-latex-extra texlive-publishers lmodern poppler-utils"
LACKING = {
    "chromium is not": "a browser is missing; on Debian: apt-get install chromium chromium-driver",
    "pdflatex": f"a part of TeX is missing; on Debian: apt-get install {TEX}",
    "pdftotext": f"a part of TeX is missing; on Debian: apt-get install {TEX}",
    "beside this checkout": "they read the papers, traces and measured kernels, which are not part of the library: a "
                            "folder shared beside the checkout",
    "measurements are not here": "they read public measurements, which are not part of the library: a folder shared "
                                 "beside the checkout",
    "are not installed": "a package of Python is missing: pip install -e '.[test,gpu,docs]'",
    "is not installed": "a package of Python (pip install -e '.[test,gpu,docs]') or a program of the system is missing",
    "Jupyter": "a package of Python is missing: pip install -e '.[test]'",
    "could not import": "a package of Python is missing: pip install -e '.[test]'",
}


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is None:
        WHOLE["here"] = _spent() / 60  # of the workers, which are its children, what is not yet theirs is told below
    else:
        output[SPENT] = _spent()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    WHOLE[node.gateway.id] = node.workeroutput.get(SPENT, 0.0) / 60 if hasattr(node, "workeroutput") else 0.0


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    told = ", ".join(f"{folder} {minutes:.1f}" for folder, minutes in
                     sorted(MINUTES.items(), key=lambda item: -item[1]))
    workers = sum(minutes for name, minutes in WHOLE.items() if name != "here")
    whole = workers or WHOLE["here"]
    terminalreporter.write_line(f"minutes of a processor by folder: {told or 'none'}; collecting, importing and the "
                                f"rest {max(whole - sum(MINUTES.values()), 0.0):.1f}; in all {whole:.1f}")  # fmt: skip
    lacking = Counter[str]()
    for report in terminalreporter.stats.get("skipped", ()):
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        reason = reason.removeprefix("Skipped: ")
        lacking[next((what for words, what in LACKING.items() if words in reason), reason)] += 1
    for what, count in lacking.items():
        terminalreporter.write_line(f"skipped, {count} test{'s' * (count != 1)}: {what}")
