"""Sample points steer the search: where some conditions gave none, none are sought for more of them."""

from __future__ import annotations

from typing import Any

import pytest

from qtheory.proofs.tactics import solve
from qtheory.proofs.tactics.builder import hyp
from qtheory.proofs.tactics.solve import Prover


def test_no_points_are_sought_where_some_of_the_conditions_gave_none(monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[list[Any]] = []

    def samples(conditions: list[Any], *rest: Any) -> list[dict[str, float]]:
        sought.append(conditions)
        return [] if (">", "x") in conditions else [{"y": 1.0}]

    monkeypatch.setattr(solve, "samples", samples)
    prover, x, y = Prover(1.0), hyp((">", "x")), hyp((">", "y"))
    assert prover.points((">", "y"), [y]) == [{"y": 1.0}]
    assert prover.points((">", "x"), [x]) == []
    assert prover.points((">", "x"), [x, y]) == []
    assert sought == [[(">", "y")], [(">", "x")]]
    assert prover.points((">", "y"), [y]) == [{"y": 1.0}] and len(sought) == 2
