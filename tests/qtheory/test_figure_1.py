"""Figure 1 of the throughput-optimal paper recomputed: the rows, the caption's verdicts, the picture."""

from __future__ import annotations

import pytest

from qtheory.report import reproduce
from qtheory.report import reproduce_figure_1 as figure


@pytest.mark.slow
def test_no_rate_exceeds_the_work_conserving_one() -> None:
    for gpus, budgets in figure.BUDGETS.items():
        law = figure.law_of(gpus)
        assert law.c > law.a * law.b0  # what makes b/t_b grow to 1/a
        for b in budgets:
            full, *others = (figure.rate(gpus, i, b) for i in range(len(figure.SCHEDULERS)))
            assert full == pytest.approx(b / float(law.time(b)) / (129 + 112), rel=1e-12)
            assert max(others) < full < figure.most(law)


@pytest.mark.slow
def test_the_rows() -> None:
    """Each simulated growth agrees with the computed critical rate: none below it, some above it; decode-first batches
    and any batches that prompts alone fill grow by the difference."""
    table = reproduce.build("to-fig1")
    rates: dict[str, float] = {}
    seen = 0
    for place, what, _, computed, low, high, _ in table.rows:
        assert isinstance(computed, float)
        name, kind = str(what).rpartition(", ")[::2]
        if kind == "critical rate":
            rates[name] = computed
        elif kind == "growth":
            assert isinstance(low, float) and isinstance(high, float)
            seen += 1
            above = figure.RATE - rates[name]
            assert (low > 0) == (above > 0), (place, what)
            if name != "vLLM":  # its prompts go first, so that what decodes slows down
                assert low - 0.1 <= max(above, 0.0) <= high + 0.1, (place, what)
    assert seen == 15
    caption = "".join(map(str, table.caption))
    assert "Sarathi-Serve unstable (one A100, b = 512, one A100, b = 2048)" in caption
    assert "vLLM stable (two A100, b = 512, two A100, b = 2048)" in caption
    assert figure.as_shown() == ["two A100, b = 128"] and "it is so with: two A100, b = 128." in caption
    assert "with: one A100." in caption


@pytest.mark.slow
def test_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the budgets of the table alone, whose rates are known by then."""
    monkeypatch.setattr(figure, "DRAWN", figure.BUDGETS["two A100"])
    assert reproduce.picture("to-fig1", ".pdf").startswith(b"%PDF")
    svg = reproduce.picture("to-fig1", ".svg")
    assert svg.count(b"<path") > 20
