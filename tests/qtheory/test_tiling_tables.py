"""The tables and pictures of RAD: certified bounds above exact rates, the best composition below every schedule."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from qtheory import profiles
from qtheory.errors import InputError
from qtheory.models.laws import ContextAffineLaw, StaircaseLaw
from qtheory.proofs.claims import replay
from qtheory.report import plots, regret, tables, tiling, tiling_drain, tiling_plot
from qtheory.simulate import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.laws import Deterministic, Geometric
from qtheory.theory import capacity
from qtheory.theory.capacity import Request


def test_bounds_of_all_shipped_profiles() -> None:
    """Fewer requests in service, or fewer tokens a batch, never help."""
    shipped = tiling.usable(regret.usable())
    assert len(shipped) > 40
    for profile in shipped:
        free = tiling.bounds(profile.law)
        assert 0 < tiling.bounds(profile.law, 4) <= tiling.bounds(profile.law, tiling.COLUMNS) <= free
        assert tiling.bounds(profile.law, budget=256) <= free


def test_rad_is_optimal_by_a_staircase_and_not_by_a_law_with_a_fixed_time() -> None:
    """By the staircase RAD comes up to the bound of all schedulers as its cycle grows; alpha is paid a batch."""
    found = tiling.rates(StaircaseLaw(tile_time=0.01, token_time=1e-5, t_col=64.0))
    assert found.rad < found.endless == pytest.approx(found.held, rel=1e-12) == pytest.approx(found.any, rel=1e-12)
    law = ContextAffineLaw(alpha=0.01, beta=5e-5, gamma=1e-7)
    found = tiling.rates(law)
    held = tiling.OUTPUT * (found.prompt + tiling.OUTPUT - 1)
    by_hand = (found.prompt / 256 * (0.01 + 256 * 5e-5) + tiling.OUTPUT / 128 * (0.01 + 128 * 5e-5) + held * 1e-7)
    assert found.endless == pytest.approx(1 / by_hand, rel=1e-12) and found.rad < found.endless < 0.9 * found.held
    full = (found.prompt + tiling.OUTPUT) / 512 * (0.01 + 512 * 5e-5) + held * 1e-7
    assert found.sarathi == pytest.approx(1 / full, rel=1e-12) and found.any == pytest.approx(1 / full, rel=1e-9)
    with pytest.raises(InputError, match="no profile given has a law by tokens"):
        tiling.usable([profiles.load("a100-40gb-qwen-8b")])


def test_rads_rate_with_context_is_the_simulators() -> None:
    """Context is added to the time of a request: a saturated engine serves what the table says, within its noise."""
    law = ContextAffineLaw(alpha=0.01, beta=5e-5, gamma=1e-7)
    found = tiling.rates(law)
    requests = RequestClass("r", Deterministic(found.prompt), Geometric.with_mean(tiling.OUTPUT))
    engine = LLMEngine((requests,), IterationTime("affine", (0.01, 5e-5), 0.0, 1e-7), "rad",
                       {"n": 2 * found.t_col, "t_col": found.t_col, "t_lcm": 256}, slots=400, saturated=True)
    run = engine.run(horizon=60_000, windows=10, seed=5)
    assert run.throughput == pytest.approx(found.rad, rel=0.01)


def test_the_tiles_table_by_definition() -> None:
    rows = tables.rad_tiles().to_dict()["rows"]
    for row, (tile, law) in zip(rows, tiling.tile_laws().items(), strict=True):
        assert row["tile"] == f"{tile.row} x {tile.col}" and row["least"] <= row["printed"]
        assert row["rate"] == pytest.approx(1 / row["least"])
        assert row["column"] == pytest.approx(1e3 * float(law.column))
        assert row["cycle"] == capacity.cycle_length(law, row["printed"], row["worst"], tiling.SLACK)
    one, other = rows[0], rows[1]  # 256 x 128 beats its own printed mean by more than the padding of the last chunk
    assert one["lcm"] == other["lcm"] == 256 and one["least"] < other["least"]


def test_no_schedule_is_faster_than_the_least() -> None:
    rows = tables.rad_drain().to_dict()["rows"]
    assert len(rows) == len(tiling_drain.FIXED) * len(tiling_drain.INSTANCES)
    for row in rows:
        assert row["bound"] <= row["least"] * (1 + 1e-12)
        assert min(row["rad"], row["sarathi"], row["vllm"]) >= 0
    whole = next(r for r in rows if r["instance"] == "long prompts")
    assert whole["rad"] == 0 < whole["sarathi"]  # whole tiles are RAD's


def test_the_clock_adds_up_the_tile_law() -> None:
    law = tiling_drain.law_of(F(1, 2))
    clock = tiling_drain.Clock(law, [replay.Request("a", 5, 2)])
    tiling_drain.prefill_first(clock, 3)
    assert clock.batches == [("PI(a, 1, 3)",), ("PI(a, 4, 2)",), ("DI(a)",), ("DI(a)",)]
    assert clock.seconds == law.batch([(1, 3)]) + law.batch([(4, 2)]) + law.batch(decodes=[6]) + law.batch(decodes=[7])
    found = tiling_drain.drained(law, [Request(5, 2)])
    assert found["RAD"] == law.batch([(1, 4)]) + law.batch([(5, 1)]) + law.batch(decodes=[6]) + law.batch(decodes=[7])


def test_the_picture_shows_the_best_chunks() -> None:
    for ms, limit in tiling_plot.BARS:
        law = tiling_plot.law_of(ms)
        best = law.chunks(tiling_plot.LONG, limit)
        assert best.prompt == tiling_plot.LONG and max(best.chunks) <= (limit or tiling_plot.LONG)
        assert best.seconds <= min(law.cut(tiling_plot.LONG, int(c)).seconds for c in (128, 256, 1024, 2048, 8192))
        assert (np.array(best.chunks) % 128 == 0).all()
    svg = plots.find("rad-chunks").draw(".svg")
    assert b"<image" not in svg and svg.count(b"<path") > 100
