"""The budget of a decision: work, which is counted, so that as much is tried on a slow machine."""

from __future__ import annotations

from fractions import Fraction

import pytest

from qtheory.models.network_classics import last_buffer_first, reentrant_line
from qtheory.networks import decide
from qtheory.networks.shipped import load
from qtheory.proofs.tactics.effort import SECOND, spent


def test_the_budget_says_how_many_orders_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qtheory.networks.deciding._stable", lambda *_: None)
    little, again, much = (decide(load("dai-wang"), budget=budget) for budget in (0.02, 0.02, 5))
    assert {d.verdict for d in (little, again, much)} == {"undecided"} and little.searched == again.searched
    assert "under 2 complete orders" in little.searched[0]
    assert all("under 12 complete orders" in told for told in much.searched)


def test_the_budget_ends_a_path_of_many_visits() -> None:
    """24 visits at eight engines, of which each direction of a path may be one of tens of thousands."""
    line = reentrant_line("ABCDEFGHHGFEDCBACADBGEHF", [Fraction(3, 10)] * 24)
    order = last_buffer_first(line).with_priority({"A": ("1", "16", "18")})
    begin = spent()
    found = decide(order, budget=0.2)
    assert found.verdict == "undecided" and spent() - begin < 2 * SECOND
