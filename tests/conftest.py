"""Order of the tests: what takes longest begins first, so that no worker of pytest-xdist ends alone with it."""

from __future__ import annotations

import pytest


def _seconds(item: pytest.Item) -> float:
    return max((float(s) for mark in item.iter_markers("slow") for s in mark.args), default=0.0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_seconds, reverse=True)  # stable: the others stay by file, beside those of their fixtures
