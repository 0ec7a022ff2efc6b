"""Tables that take long are built once for all tests, whichever worker of pytest-xdist runs them."""

from __future__ import annotations

import fcntl
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the helpers that several tests share


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """A table by its name as a user asks for it: the first worker that wants it builds it, the others read it."""
    from qtheory.report import tables

    own = tmp_path_factory.getbasetemp()
    folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def table(name: str) -> Any:
        file = folder / f"{name}.table"
        with file.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                file.write_bytes(pickle.dumps(tables.build(name)))
        return pickle.loads(file.read_bytes())

    return table
