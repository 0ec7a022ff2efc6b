"""The budget of a decision: work, which is counted, so that as much is tried on a slow machine."""

from __future__ import annotations

import pytest

from qtheory.networks import decide
from qtheory.networks.shipped import load


def test_the_budget_says_how_many_orders_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qtheory.networks.deciding._stable", lambda *_: None)
    little, again, much = (decide(load("dai-wang"), budget=budget) for budget in (0.02, 0.02, 5))
    assert {d.verdict for d in (little, again, much)} == {"undecided"} and little.searched == again.searched
    assert "under 2 complete orders" in little.searched[0]
    assert all("under 12 complete orders" in told for told in much.searched)
