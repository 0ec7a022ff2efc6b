"""The tables, each made once for all tests."""

from __future__ import annotations

import json
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


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both checkers, asked once of each proof that they accept: in a certificate of which one number is changed the
    other proofs are as they were."""
    from qtheory.networks import certified

    both, known = certified.both, dict[Any, Any]()

    def once(data: Any, statement: Any) -> Any:
        key = json.dumps(data), statement
        if key not in known:
            known[key] = both(data, statement)
        return known[key]

    monkeypatch.setattr(certified, "both", once)
