"""Order of the tests: what takes longest begins first, so that no worker of pytest-xdist ends alone with it; and what
each folder's tests cost, in minutes of a processor, for their number is not their cost."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

SPENT = "processor seconds"
MINUTES: Counter[str] = Counter()  # by folder


def _seconds(item: pytest.Item) -> float:
    return max((float(s) for mark in item.iter_markers("slow") for s in mark.args), default=0.0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_seconds, reverse=True)  # stable: the others stay by file, beside those of their fixtures


def _spent() -> float:
    """Of this process, its threads and those of its children that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _counted(item: pytest.Item) -> Iterator[None]:
    before = _spent()
    yield
    item.user_properties.append((SPENT, _spent() - before))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    yield from _counted(item)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    yield from _counted(item)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    yield from _counted(item)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":  # whose properties are those of all three
        folder = Path(report.location[0]).parent.as_posix()
        MINUTES[folder] += sum(float(str(s)) for name, s in report.user_properties if name == SPENT) / 60


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    told = ", ".join(f"{folder} {minutes:.1f}" for folder, minutes in MINUTES.most_common())
    terminalreporter.write_line(f"minutes of a processor by folder: {told}")
