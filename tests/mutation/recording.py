"""Which functions each test runs: ``python tests/mutation/recording.py FILE TESTS...`` adds a line a test to FILE.

A fault in a function is then first shown to the tests that run it. What a test does in other processes and in
compiled code is not seen.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = tuple(f"{ROOT}/{name}/" for name in ("qtheory", "numerics", "simulate", "proofs"))


class Recorder:
    """The code that ran during each phase of each test, with the seconds of a processor that it took."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.seen: set[CodeType] = set()
        self.tests: dict[str, tuple[float, set[str]]] = {}

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        self.seen.add(frame.f_code)

    def _phase(self, item: pytest.Item) -> Iterator[None]:
        self.seen.clear()
        began = time.process_time()
        sys.settrace(self)
        yield
        sys.settrace(None)
        seconds, names = self.tests.get(item.nodeid, (0.0, set()))
        names |= {f"{c.co_filename.removeprefix(f'{ROOT}/')}::{c.co_qualname}"
                  for c in self.seen if c.co_filename.startswith(FOLDERS)}
        self.tests[item.nodeid] = seconds + time.process_time() - began, names

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        yield from self._phase(item)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        yield from self._phase(item)

    def pytest_sessionfinish(self) -> None:
        """One line a test, added to those of other runs."""
        with self.target.open("a") as out:
            for test, (seconds, names) in self.tests.items():
                out.write(json.dumps({"test": test, "seconds": round(seconds, 3), "ran": sorted(names)}) + "\n")


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:xdist", "-p", "no:cacheprovider", *sys.argv[2:]],
                         plugins=[Recorder(Path(sys.argv[1]))]))
