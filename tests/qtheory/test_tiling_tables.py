"""The tables and pictures of RAD: certified bounds above exact rates, the best composition below every schedule."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest

from qtheory import profiles, workloads
from qtheory.errors import InputError
from qtheory.models.laws import ContextAffineLaw, StaircaseLaw
from qtheory.proofs.claims import replay
from qtheory.report import plots, regret, tables, tiling, tiling_drain, tiling_plot
from qtheory.simulate import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.laws import Deterministic, Geometric
from qtheory.theory.capacity import Request

# rows x columns of the tiles that the paper's Section 2.3 prints
SIZES = ((256, 128), (128, 256), (128, 128), (256, 64), (64, 256), (128, 64), (64, 128), (64, 64))


@pytest.mark.later
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


@pytest.mark.slow
def test_the_tiles_table_by_definition() -> None:
    """Mistral-7B's 32 layers of 4,096 features (14,336 between), 32,000 words, at 312 TFLOP/s and 2.039 TB/s. A request
    reads at each decode iteration what it has; a chunk takes a column of tiles for each t_col of its tokens."""
    rows = tables.rad_tiles().to_dict()["rows"]
    lengths = workloads.load("rad-openchat-sharegpt4")
    d, weights = 4096, 32 * (3 * 4096 * 4096 + 2 * 14336 * 4096) + 4096 * 32000
    prompts, longest = np.arange(1, 8193), 8192 + int(lengths.output.quantile(1 - 1e-12))
    chance = np.where(prompts < 1731, 0.5 / 1730, np.where(prompts < 5697, 0.4 / 3966, 0.1 / 2496))
    ages = np.arange(1, longest - 8192 + 1)
    goes_on = np.asarray(lengths.output.survival(ages))
    read = np.arange(1, longest + 1)
    # of vectors by tiles of 64 x 64: in each layer d features by the tokens read, and the tokens read by the features
    vector = 32 * 2 * 64 * 64 / 2.039e12 * d * (2 * np.ceil(read / 64) / 64)
    reads = np.convolve(chance, goes_on)[:longest - 1]  # at i + 2 tokens: of a prompt below it whose output goes on
    decodes = float(reads @ vector[1:])
    mean = float(chance @ prompts + goes_on.sum())
    assert chance.sum() == pytest.approx(1)
    for row, (rows_, columns) in zip(rows, SIZES, strict=True):
        pair = 32 * 2 * rows_ * columns * 32 / 312e12
        column = pair * d * (np.ceil(read / rows_) / 32 + np.ceil(read / 32) / rows_)

        def cut(prompt: int, first: int, size: int, column: np.ndarray = column, columns: int = columns) -> float:
            """Attention of chunks that end at first, first + size, ... and at the prompt."""
            ends = np.append(np.arange(first, prompt, size), prompt)
            return float(column[ends - 1] @ np.ceil(np.diff(ends, prepend=0) / columns))

        products = 2 * weights * columns / 312e12
        assert row["tile"] == f"{rows_} x {columns}" and row["lcm"] == max(rows_, columns)
        assert row["column"] == pytest.approx(1e3 * products, rel=1e-8)
        for name, chunks in (("printed", [cut(n, row["lcm"], row["lcm"]) for n in prompts]),
                             ("least", [cut(n, n % columns or columns, columns) for n in prompts])):
            wanted = products * mean / columns + decodes + float(chance @ chunks)
            assert row[name] == pytest.approx(wanted, rel=1e-6), name
        assert row["rate"] == pytest.approx(1 / row["least"]) and row["least"] <= row["printed"]
        assert row["over"] == pytest.approx(100 * (row["printed"] - row["least"]) / row["least"], abs=1e-9)
        worst = products * longest + vector.sum() + np.maximum(column - vector, 0)[:8192].sum()
        assert row["worst"] == pytest.approx(worst, rel=1e-6)
        # a drift below 0 at a slack of a tenth: n - 1 prefills a cycle are too few
        assert row["cycle"] - 1 <= (columns - 1) * row["worst"] / (0.1 * row["printed"]) < row["cycle"]
    one, other = rows[0], rows[1]  # 256 x 128 beats its own printed mean by more than the padding of the last chunk
    assert one["lcm"] == other["lcm"] == 256 and one["least"] < other["least"]


@pytest.mark.later
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
    # four batches of a column and a half; whoever has n tokens reads twice n tiles of one, a twentieth each
    assert clock.seconds == 4 * F(3, 2) + F(2 * (3 + 5 + 6 + 7), 20)
    found = tiling_drain.drained(law, [Request(5, 2)])
    assert found["RAD"] == 4 * F(3, 2) + F(2 * (4 + 5 + 6 + 7), 20)


@pytest.mark.later
def test_the_picture_shows_the_best_chunks() -> None:
    for ms, limit in tiling_plot.BARS:
        law = tiling_plot.law_of(ms)
        best = law.chunks(tiling_plot.LONG, limit)
        assert best.prompt == tiling_plot.LONG and max(best.chunks) <= (limit or tiling_plot.LONG)
        assert best.seconds <= min(law.cut(tiling_plot.LONG, int(c)).seconds for c in (128, 256, 1024, 2048, 8192))
        assert (np.array(best.chunks) % 128 == 0).all()
    svg = plots.find("rad-chunks").draw(".svg")
    assert b"<image" not in svg and svg.count(b"<path") > 100
