"""What takes long is made once for all tests, whichever worker of pytest-xdist runs them."""

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


Once = Callable[[str, Callable[[], Any]], Any]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """What a function makes, under a name: the first worker that wants it calls the function, the others read it."""
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


@pytest.fixture(scope="session")
def built(once: Once) -> Callable[[str], Any]:
    """A table by its name as a user asks for it."""
    from qtheory.report import tables

    return lambda name: once(name, lambda: tables.build(name))
