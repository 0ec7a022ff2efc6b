"""Mixed units: no alarm on any measurement set or on any law with noise; rows in another unit named by line."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest

from qtheory.errors import InputError
from qtheory.models.laws import (
    LAWS,
    AffineLaw,
    ConcaveLaw,
    ContextAffineLaw,
    Law,
    MemoryLinearLaw,
    MixedQuadraticLaw,
    PiecewiseLinearLaw,
    PrefillDecodeLaw,
    StaircaseLaw,
)
from qtheory.profiles.measurements import VIDUR_OPERATIONS, Measurements, parse, read_sets

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "vidur-profiling"
VIDUR = pytest.mark.skipif(not DATA.exists(), reason="Vidur's measurements are not here")
TRIALS = 12

DOUBLING = 2.0 ** np.arange(13)
GRIDS = {
    "doubling": DOUBLING,
    "few": np.array([64.0, 128, 256, 512, 1024]),
    "twice": np.repeat(DOUBLING[:11], 2),
    "designed": np.unique(np.concatenate([DOUBLING, np.arange(32.0, 513.0, 32.0)])),
}
RATIOS = np.repeat(np.linspace(0, 1, 9), 2)
Columns = dict[str, np.ndarray]


def between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def drawn(kind: str, rng: np.random.Generator) -> Law:
    """A law with constants over more than the range of the shipped profiles."""
    fixed, token = between(rng, 0.003, 0.1), between(rng, 1e-6, 1e-3)
    if kind == "prefill_decode":
        decode = between(rng, 0.003, 0.03)
        return PrefillDecodeLaw(decode * between(rng, 0.5, 17), token, decode, between(rng, 1e-7, 1e-4))
    if kind == "mixed_quadratic":
        while True:
            ends, bend = (between(rng, 0.01, 0.1), between(rng, 0.01, 0.1)), rng.uniform(-0.1, 0.1)
            law = MixedQuadraticLaw(ends[0], ends[1] - ends[0] - bend, bend)
            if law.time(RATIOS).min() > 0.003:
                return law
    return {
        "affine": lambda: AffineLaw(fixed, token),
        "piecewise_linear": lambda: PiecewiseLinearLaw(fixed, token, between(rng, 8, 512)),
        "concave": lambda: ConcaveLaw(fixed, token, token * between(rng, 0.1, 10), between(rng, 8, 512)),
        "staircase": lambda: StaircaseLaw(fixed, token, float(rng.integers(16, 513))),
        "context_affine": lambda: ContextAffineLaw(fixed, token, between(rng, 1e-8, 1e-6)),
        "memory_linear": lambda: MemoryLinearLaw(fixed, between(rng, 1e-8, 1e-5)),
    }[kind]()


def columns(kind: str, grid: np.ndarray) -> Columns:
    if kind == "memory_linear":
        return {"resident_tokens": 64 * grid}
    if kind == "context_affine":
        return {"tokens": grid, "resident_tokens": 64 * grid}
    if kind == "mixed_quadratic":
        return {"decode_ratio": RATIOS}
    if kind == "prefill_decode":
        prefill, decode = grid[grid >= 64], grid[grid <= 256]
        phases = np.repeat([0.0, 1.0], [len(prefill), len(decode)])
        return {"tokens": np.concatenate([prefill, decode]), "decode": phases}
    return {"tokens": grid}


def text(chosen: Columns, seconds: np.ndarray) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    kinds = {0.0: "prefill", 1.0: "decode", 2.0: "mixed"}
    writer.writerow(["seconds", *("kind" if name == "decode" else name for name in chosen), "row"])
    for i, time in enumerate(seconds):
        cells = (kinds[float(c[i])] if name == "decode" else repr(float(c[i])) for name, c in chosen.items())
        writer.writerow([repr(float(time)), *cells, i])  # the row's number keeps repeats from being copies
    return out.getvalue()


def named(chosen: Columns, seconds: np.ndarray) -> set[int]:
    """The rows that the reader names; empty where it reads the file."""
    try:
        parse(text(chosen, seconds), "m.csv")
    except InputError as error:
        message = str(error)
        assert "mixed units? all times in seconds" in message and "\n" not in message
        first = re.match(r"m\.csv:(\d+): column 'seconds'", message)
        more = re.search(r"likewise in lines ([\d, ]+?)(?:, \d+ more)?$", message)
        assert first is not None
        lines = [first[1], *(more[1].split(", ") if more else [])]
        return {int(line) - 2 for line in lines}
    return set()


@pytest.mark.sliced(4)
@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("kind", LAWS)
def test_noise_is_no_unit_and_a_unit_is_named(kind: str, grid: str) -> None:
    """Noise of 2 to 10 percent raises nothing; a row, some rows or a half of them in another unit are named, or in a
    half's case the other half."""
    rng = np.random.default_rng([0, list(LAWS).index(kind), list(GRIDS).index(grid)])
    for _ in range(TRIALS):
        law, chosen = drawn(kind, rng), columns(kind, GRIDS[grid])
        times = law.time(**{name: chosen[name] for name in law.variables})
        seconds = times * np.exp(rng.normal(0, rng.uniform(0.02, 0.1), times.size))
        assert named(chosen, seconds) == set(), law
        count = len(seconds)
        for size in (1, max(2, count // 5), count // 2):
            odd = np.sort(rng.choice(count, size, replace=False))
            mixed = seconds.copy()
            mixed[odd] *= rng.choice([1e3, 1e-3])
            found, others = named(chosen, mixed), set(range(count)) - set(odd.tolist())
            assert found, (law, odd)
            assert found <= set(odd.tolist()) or (2 * size >= count - 1 and found <= others), (law, odd, found)
            assert len(found) == min(size, 13) or not found <= set(odd.tolist())


@pytest.mark.parametrize("factor", [1e3, 1e-3, 1e6, 1e-6])
def test_a_whole_kind_in_another_unit(factor: float) -> None:
    rng = np.random.default_rng(7)
    for grid in GRIDS.values():
        for _ in range(TRIALS):
            law, chosen = drawn("prefill_decode", rng), columns("prefill_decode", grid)
            times = law.time(**{name: chosen[name] for name in law.variables})
            decode = chosen["decode"] == 1
            found = named(chosen, np.where(decode, factor * times, times))
            assert found and (found <= set(np.flatnonzero(decode)) or found <= set(np.flatnonzero(~decode)))


def test_kinds_whose_sizes_do_not_meet() -> None:
    """Decodes of 1 to 32 requests, prefills from 512 tokens on."""
    chosen = {"tokens": np.array([1.0, 4, 16, 32, 512, 1024, 2048]), "decode": np.array([1.0, 1, 1, 1, 0, 0, 0])}
    seconds = np.array([0.012, 0.0121, 0.0125, 0.013, 0.03, 0.055, 0.11])
    assert named(chosen, seconds) == set()
    scale = np.where(chosen["decode"] == 1, 1000.0, 1.0)
    assert named(chosen, seconds * scale) == named(chosen, seconds / scale) == {4, 5, 6}  # the fewer rows
    mixed = {name: np.append(column, extra) for (name, column), extra in zip(chosen.items(), (512.0, 2.0), strict=True)}
    assert named(mixed, np.append(seconds, 0.04)) == set()
    assert named(mixed, np.append(seconds, 40.0)) == {7}


def test_measured_series_with_every_column() -> None:
    """A measured file's points: contexts at one token count, a mixed series, and chunks behind a prompt."""
    contexts = np.array([64.0, 256, 1024, 4096, 16384])
    chosen = {
        "tokens": np.concatenate([np.full(5, 32.0), np.full(9, 512.0), np.full(5, 256.0)]),
        "resident_tokens": np.concatenate([32 * contexts, 512 + 64 * 1024 * np.linspace(0, 1, 9), 256 + contexts]),
        "decode_ratio": np.concatenate([np.ones(5), np.linspace(0, 1, 9), np.zeros(5)]),
        "decode": np.concatenate([np.ones(5), [0, *[2] * 7, 1], np.zeros(5)]),
    }
    seconds = 0.008 + 4e-5 * chosen["tokens"] * (1.2 - chosen["decode_ratio"]) + 3e-8 * chosen["resident_tokens"]
    assert named(chosen, seconds) == set()
    for row in range(len(seconds)):
        for factor in (1e3, 1e-3):
            scaled = seconds.copy()
            scaled[row] *= factor
            assert named(chosen, scaled) == {row}, (row, factor)


def test_one_repetition_in_another_unit_is_not_hidden_by_the_median() -> None:
    rows = [f"decode,decode,{n},{0.01 + 1e-5 * n:.7g},{r}" for n in (1, 2, 4, 8) for r in range(3)]
    head = "series,kind,tokens,seconds,repeat\n"
    assert len(parse(head + "\n".join(rows), "m.csv").seconds) == 4
    rows[7] = "decode,decode,4,10.04,1"
    with pytest.raises(InputError, match=r"m\.csv:9: column 'seconds': 10\.04 beside 0\.010\d+ in line"):
        parse(head + "\n".join(rows), "m.csv")


def test_a_stall_or_a_compilation_is_nobodys_unit() -> None:
    chosen = {"tokens": np.array([8.0, 8, 8, 16, 16, 32])}
    for stall in (5.0, 20.0, 100.0):
        assert named(chosen, np.array([0.01 * stall, 0.01, 0.0102, 0.0103, 0.0101, 0.0105])) == set()


def test_many_odd_lines_are_counted() -> None:
    seconds = np.full(60, 0.01) * np.where(np.arange(60) % 3 == 0, 1000, 1)
    with pytest.raises(InputError, match=r"m\.csv:2: .* likewise in lines 5, 8, .*, 38, 7 more$"):
        parse(text({"tokens": np.arange(1.0, 61.0)}, seconds), "m.csv")


# Vidur's layout.


@pytest.mark.slow
@VIDUR
@pytest.mark.parametrize("file", sorted(path.name for path in DATA.glob("*.csv")))
def test_no_shipped_set_is_alarmed(file: str) -> None:
    found = read_sets(DATA / file)
    assert len(found) == 4 and all(isinstance(one, Measurements) for one in found)


def vidur_text(change: dict[tuple[int, int], float], columns: dict[int, float] | None = None) -> str:
    """Milliseconds of every operation at 16 counts for 1 and 2 GPUs, some cells or columns multiplied."""
    header = [f"time_stats.{op}.median" for op in VIDUR_OPERATIONS] + ["num_tokens", "num_tensor_parallel_workers"]
    lines, number = [",".join(header)], 0
    for workers in (1, 2):
        for tokens in 2.0 ** np.arange(12):
            times = [(0.3 if "_proj" in op else 0.02) * (1 + tokens / 200) / workers for op in VIDUR_OPERATIONS]
            factors = [change.get((number, i), 1.0) * (columns or {}).get(i, 1.0) for i in range(len(times))]
            cells = [repr(float(t * f)) for t, f in zip(times, factors, strict=True)]
            lines.append(",".join([*cells, str(int(tokens)), str(workers)]))
            number += 1
    return "\n".join(lines) + "\n"


NAME = "a100_meta-llama_Llama-2-7b-hf.mlp.csv"


def test_vidurs_cells_rows_and_groups() -> None:
    parse(vidur_text({}), NAME, workers=1)
    rng = np.random.default_rng(3)
    every = range(len(VIDUR_OPERATIONS))
    for factor in (1e3, 1e-3):
        for row, column in zip(rng.integers(0, 24, 8), rng.integers(0, 9, 8), strict=True):
            words = rf":{row + 2}: column 'time_stats\.{VIDUR_OPERATIONS[column]}\.median'"
            with pytest.raises(InputError, match=words):
                parse(vidur_text({(int(row), int(column)): factor}), NAME, workers=1)
        with pytest.raises(InputError, match=r":7: .* all times in milliseconds; likewise in lines 11$"):
            parse(vidur_text({(row, i): factor for row in (5, 9) for i in every}), NAME, workers=2)
        with pytest.raises(InputError, match=r":(2|14): .* likewise in lines (3|15), .*(13|25)$"):
            parse(vidur_text({(row, i): factor for row in range(12, 24) for i in every}), NAME, workers=1)
        for column in every:
            words = rf":1: column 'time_stats\.{VIDUR_OPERATIONS[column]}\.median': times around .* mixed units\?"
            with pytest.raises(InputError, match=words):
                parse(vidur_text({}, {column: factor}), NAME, workers=1)
