"""The tables, each made once for all tests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the helpers that several tests share


Once = Callable[[str, Callable[[], Any]], Any]


@pytest.fixture(scope="session")
def built(once: Once) -> Callable[[str], Any]:
    """A table by its name as a user asks for it."""
    from qtheory.report import tables

    return lambda name: once(name, lambda: tables.build(name))
