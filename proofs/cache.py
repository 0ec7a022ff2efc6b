"""Proofs found before, by goal.  An entry saves a search, never a check: the kernel re-checks it on each use.

The folder is ``$XDG_CACHE_HOME/qtheory/proofs`` (``~/.cache`` by default); the environment variable QTHEORY_CACHE
names another one, or is "off".
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from qtheory.errors import InputError
from qtheory.files import write_whole
from qtheory.proofs.kernel.certificate import SCHEMA
from qtheory.proofs.kernel.statements import Statement

MAX_BYTES = 50_000_000


def folder() -> Path | None:
    """Where proofs are kept; None when the cache is off."""
    named = os.environ.get("QTHEORY_CACHE", "")
    if named == "off":
        return None
    if named:
        return Path(named) / "proofs"
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "qtheory" / "proofs"


def place(statement: Statement) -> Path | None:
    """The file of a statement: named by its formulas, so that two wordings of one statement share it."""
    base = folder()
    if base is None:
        return None
    key = repr((SCHEMA, statement.hypotheses, statement.conclusion))
    return base / f"{hashlib.sha256(key.encode()).hexdigest()}.json"


def load(statement: Statement) -> Mapping[str, Any] | None:
    """The entry for a statement; None for one that is absent or unreadable."""
    path = place(statement)
    try:
        if path is None or path.stat().st_size > MAX_BYTES:
            return None
        entry = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def store(statement: Statement, entry: Mapping[str, Any]) -> None:
    """Keep an entry; a cache that cannot be written is no error."""
    path = place(statement)
    if path is None:
        return
    with suppress(OSError, InputError, ValueError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(entry, separators=(",", ":")))
