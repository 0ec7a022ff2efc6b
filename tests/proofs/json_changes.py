"""The parts of JSON data, and the data with one of them changed: how tests take a certificate apart."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Path = tuple[Any, ...]


def leaves(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The paths to all texts, numbers and missing values, with these."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    else:
        yield path, data


def put(data: Any, path: Path, value: Any) -> Any:
    """A copy with the value at that path."""
    out = copy.deepcopy(data)
    inner = out
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return out
