"""The figures of the WAIT paper recomputed: the example, the experiments' slices, the memory's parts."""

from __future__ import annotations

import numpy as np
import pytest

from qtheory.report import reproduce, reproduce_waiting
from qtheory.report.reproduce_waiting import COUNTS, EXPERIMENTS, PANELS, Experiment


def silent(done: float, of: float | None = None) -> None:
    pass


def test_the_example_is_the_papers_up_to_its_last_batch() -> None:
    """Prompts are neither lost nor made, and the figure's last line alone differs."""
    rows = reproduce_waiting.figure_6(silent).rows
    assert {r.place for r in rows if r.printed != r.computed} == {"t = 14, after"}
    came = sum(len(e.types) for e in reproduce_waiting.EVENTS)
    ended = sum(r.computed for r in rows if r.what == "complete")
    assert came == ended + sum(r.computed for r in rows if r.place == "t = 14, after" and r.what != "complete")


@pytest.mark.later
@pytest.mark.sliced(3)
@pytest.mark.parametrize("number", [16, 17, 18])
def test_the_parts_are_all_of_the_memory(number: int) -> None:
    found = [reproduce_waiting.parts_of(*panel, count) for panel in PANELS[number] for count in COUNTS[:4]]
    present = [p for p in found if p is not None]
    assert len(present) >= 6 and all(p.batch > 0 and p.reserve >= 0 for p in present)
    table = reproduce.build(f"wait-fig-{number}")
    shares = [v for what, v in zip(table.column("what"), table.column("computed"), strict=True)
              if not str(what).startswith("L of")]
    assert reproduce.picture(f"wait-fig-{number}", ".pdf").startswith(b"%PDF")
    assert sum(shares) == pytest.approx(100 * len(shares) / 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [7, 11])
def test_at_a_low_rate_what_comes_is_what_is_complete(number: int) -> None:
    """On the same requests: no policy completes more output tokens than came, and the limits are those of a full
    batch."""
    full = EXPERIMENTS[number]
    assert full.limit == (505 if number == 7 else 1715) and full.budget > full.limit
    short = Experiment(full.workload, (30,), 30.0, tuple(1 for _ in full.thresholds), full.ends)
    found = reproduce_waiting.compared(short, 30, replications=4, seed=1)
    assert set(found) == {"wait" if number == 7 else "nested-wait", "sarathi", "vllm-whole"}
    mean = np.dot([c.output.mean for c in short.classes(1.0)], [1 / c.arrivals.mean for c in short.classes(1.0)])
    for tokens, seconds in found.values():
        assert tokens.shape == seconds.shape == (4,) and (seconds > 0).all()
        assert (tokens < 30 * mean * 1.3).all() and (tokens > 0).all()
    work = [tokens.mean() for name, (tokens, _) in found.items() if "wait" not in name]
    assert work[0] == pytest.approx(work[1], rel=0.05)  # far from full, both complete what comes
