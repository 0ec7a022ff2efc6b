"""Iteration times from tables of kernels: exact on tables of powers, and laws of the sum on the measured ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernel_files import TABLES, all_reduce_ms, decode_ms, experts_ms, prefill_ms, product_ms, write

from qtheory.errors import InputError, UnknownNameError
from qtheory.profiles import kernels
from qtheory.profiles.kernels import Batch, Engine, Load, Shape
from qtheory.profiles.kernels.held_out import held_out, markdown
from qtheory.profiles.kernels.interpolation import Curve, isotone

needs_tables = pytest.mark.skipif(not TABLES.is_dir(), reason="the measured kernels are not beside this checkout")

SMALL = Shape(title="small", source="nobody", layers=3, hidden=64, heads=8, kv_heads=4, head_dim=16, vocabulary=512,
              intermediate=256)
MIXTURE = Shape.model_validate(SMALL.model_dump() | {
    "intermediate": None, "experts": {"count": 8, "active": 2, "intermediate": 32}})


@pytest.fixture
def tables(tmp_path: Path) -> kernels.KernelTables:
    return kernels.tables("gpu", "vllm", write(tmp_path))


def dense_ms(degree: int, tokens: float, sampled: float) -> float:
    heads, kv, width = 8 // degree, 4 // degree, 256 // degree
    layer = (product_ms(tokens, (heads + 2 * kv) * 16, 64) + product_ms(tokens, 64, heads * 16)
             + product_ms(tokens, 2 * width, 64) + product_ms(tokens, 64, width))
    reduce = 2 * all_reduce_ms(tokens * 64) if degree > 1 else 0.0
    return 3 * (layer + reduce) + product_ms(sampled, 512 / degree, 64)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("tokens", [3, 100, 2500, 9000])
def test_an_iteration_is_the_sum_of_its_kernels(tables: kernels.KernelTables, degree: int, tokens: int) -> None:
    """Sizes between the measured ones and beyond: powers are interpolated without error."""
    engine = Engine(tables, SMALL, degree)
    heads = 8 // degree
    prefill = dense_ms(degree, tokens, 1) + 3 * prefill_ms(1, tokens, heads)
    if tokens <= 4096:  # beyond, times grow in proportion, which these do not
        assert float(engine.seconds(Batch([(tokens, 0)]))) == pytest.approx(prefill / 1e3, rel=1e-9)
        decode = dense_ms(degree, 20, 20) + 3 * decode_ms(20, tokens, heads)
        assert float(engine.seconds(Batch(decode=[tokens] * 20))) == pytest.approx(decode / 1e3, rel=1e-9)
    else:
        beyond = dense_ms(degree, 20, 20) + 3 * decode_ms(20, tokens, heads)
        assert float(engine.seconds(Batch(decode=[tokens] * 20))) == pytest.approx(beyond / 1e3, rel=1e-9)


def test_experts_take_the_place_of_the_dense_products(tables: kernels.KernelTables) -> None:
    dense, mixture = (Engine(tables, shape, 2).parts(Batch(decode=[100] * 20)) for shape in (SMALL, MIXTURE))
    assert float(mixture["experts"]) == pytest.approx(3 * experts_ms(20) / 1e3)
    assert float(mixture["router"]) == pytest.approx(3 * product_ms(20, 32, 64) / 1e3)  # 32: least measured
    assert set(dense) - set(mixture) == {"gate-up", "down"}
    assert all(float(dense[name]) == float(mixture[name]) for name in set(dense) & set(mixture))


def test_the_chunks_of_a_prompt_share_the_attention_of_the_whole(tables: kernels.KernelTables) -> None:
    engine = Engine(tables, SMALL)
    whole = engine.parts(Batch([(3000, 0)]))["prefill attention"]
    chunks = [engine.parts(Batch([(1000, done)]))["prefill attention"] for done in (0, 1000, 2000)]
    assert sum(map(float, chunks)) == pytest.approx(float(whole), rel=1e-9)
    assert chunks == sorted(chunks, key=float)


def test_order_does_not_count_and_arrays_are_batches(tables: kernels.KernelTables) -> None:
    engine = Engine(tables, SMALL)
    one = Batch([(30, 5), (70, 0)], [10, 2000, 400])
    other = Batch([(70, 0), (30, 5)], [400, 10, 2000])
    assert float(engine.seconds(one)) == pytest.approx(float(engine.seconds(other)), rel=1e-12)
    sequences = np.array([1.0, 7.0, 90.0])
    alone = [float(engine.seconds(Batch(decode=[300] * int(n)))) for n in sequences]
    assert engine.seconds(Load.decoding(sequences, 300.0)) == pytest.approx(alone, rel=1e-12)
    mixed = [float(engine.seconds(Batch([(64, 128)], [300] * int(n)))) for n in sequences]
    assert engine.seconds(Load.mixed(64.0, 128.0, sequences, 300.0)) == pytest.approx(mixed, rel=1e-12)


def test_isotone_is_the_nearest_nondecreasing_sequence() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        values = rng.normal(size=rng.integers(1, 12))
        fitted = isotone(values)
        assert (np.diff(fitted) >= 0).all()
        assert isotone(fitted) == pytest.approx(fitted)
        assert fitted.sum() == pytest.approx(values.sum())
        other = np.sort(rng.normal(size=len(values)))
        assert ((fitted - values) ** 2).sum() <= ((other - values) ** 2).sum() + 1e-12


def test_curves_pass_through_rising_points_and_never_fall() -> None:
    sizes, seconds = np.array([4.0, 1.0, 16.0, 4.0]), np.array([2.0, 1.0, 8.0, 2.0])
    curve = Curve.of(sizes, seconds)
    assert np.exp(curve.log_seconds(sizes)) == pytest.approx(seconds)
    assert np.exp(curve.log_seconds([0.0, 8.0, 160.0])) == pytest.approx([1.0, 4.0, 80.0])
    assert (np.diff(Curve.of(sizes, seconds[::-1]).log_seconds(np.arange(1, 99))) >= 0).all()


def test_held_out_points_of_powers_are_met(tables: kernels.KernelTables) -> None:
    found = held_out(tables)
    assert {(e.kernel, e.axis) for e in found} >= {("matrix product", "tokens"), ("matrix product", "widths"),
                                                  ("decode attention", "sequences"), ("experts", "tokens")}
    assert all(e.p90 < 1e-9 and e.points > 0 for e in found)
    assert markdown({"gpu": found}).count("0.0 %, 0.0 %") == len(found)


def changed(root: Path, file: str, column: str, value: object, every: bool = False) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = next(root.rglob(file))
    rows = pq.read_table(path).to_pylist()
    for row in rows if every else rows[2:3]:
        row[column] = value
    pq.write_table(pa.Table.from_pylist(rows), path)


@pytest.mark.parametrize(("value", "message"), [
    (float("nan"), r"row 3, column 'latency': nan is not a number above 0"),
    (-1.0, r"row 3, column 'latency': -1.0 is not"), (None, "row 3, column 'latency': nan|does not hold numbers"),
])
def test_bad_cells_are_named(tmp_path: Path, value: object, message: str) -> None:
    changed(write(tmp_path), "gemm_perf.parquet", "latency", value)
    with pytest.raises(InputError, match=message) as caught:
        kernels.tables("gpu", "vllm", tmp_path).rows("gemm")
    assert "gemm_perf.parquet" in str(caught.value) and "\n" not in str(caught.value)


def test_what_is_missing_is_named_in_one_line(tmp_path: Path) -> None:
    root = write(tmp_path)
    tables = kernels.tables("gpu", "vllm", root)
    with pytest.raises(InputError, match="no such folder"):
        kernels.tables("gpu", "vllm", tmp_path / "none")
    with pytest.raises(UnknownNameError, match=r"unknown GPU of .* 'gpx'; nearest: gpu"):
        kernels.tables("gpx", "vllm", root)
    with pytest.raises(UnknownNameError, match=r"unknown engine of .* 'vlm'; nearest: vllm"):
        kernels.tables("gpu", "vlm", root)
    with pytest.raises(UnknownNameError, match=r"unknown version of vllm's gemm_perf on gpu '2\.0'"):
        kernels.tables("gpu", "vllm", root, version="2.0")
    with pytest.raises(InputError, match="no row with gemm_dtype = fp8; it has bfloat16"):
        Engine(tables, SMALL, dtype="fp8").seconds(Batch(decode=[5]))
    with pytest.raises(InputError, match=r"no attention with 1 key-value heads; it has 2, 4"):
        Engine(tables, SMALL, 4).seconds(Batch(decode=[5]))
    with pytest.raises(InputError, match="heads = 8 does not divide among 3 GPUs"):
        Engine(tables, SMALL, 3)
    next(root.rglob("moe_perf.parquet")).write_bytes(b"no parquet")
    with pytest.raises(InputError, match=r"moe_perf\.parquet: not a readable Parquet file"):
        kernels.tables("gpu", "vllm", root).rows("moe")
    next(root.rglob("gemm_perf.parquet")).unlink()
    with pytest.raises(InputError, match=r"no table gemm_perf\.parquet of vllm"):
        kernels.tables("gpu", "vllm", root)


def test_the_newest_version_is_read(tmp_path: Path) -> None:
    for version in ("0.9.1", "0.10.0rc2", "0.10.0rc10"):
        write(tmp_path, version=version)
    assert kernels.tables("gpu", "vllm", tmp_path).versions["gemm"][0] == "0.10.0rc10"
    assert write(tmp_path, version="0.10.0") and kernels.tables("gpu", "vllm", tmp_path).versions["moe"][0] == "0.10.0"
    assert kernels.tables("gpu", "vllm", tmp_path, version="0.9.1").versions["decode"] == ("0.9.1",)


def test_what_the_newest_version_lacks_is_taken_from_an_older_one(tmp_path: Path) -> None:
    write(tmp_path, version="1.0")
    write(tmp_path, version="1.1")
    changed(tmp_path / "gpu" / "moe" / "vllm" / "1.1", "moe_perf.parquet", "num_experts", 16, every=True)
    tables = kernels.tables("gpu", "vllm", tmp_path)
    assert float(Engine(tables, MIXTURE, 2).parts(Batch(decode=[9] * 20))["experts"]) > 0
    with pytest.raises(InputError, match=r"1\.1.*no row with num_experts = 4; it has 16"):
        tables.where("moe", num_experts=4)


@pytest.mark.parametrize(("batch", "message"), [
    (lambda: Batch(), "empty batch"), (lambda: Batch([(0, 5)]), "chunk of 0 tokens"),
    (lambda: Batch(decode=[-1]), "-1 tokens in its cache"),
])
def test_impossible_batches(batch: type[Batch], message: str) -> None:
    with pytest.raises(InputError, match=message):
        batch()


def test_shipped_shapes_have_the_parameters_of_their_names() -> None:
    billions = {"llama-3.1-8b": 8.0, "llama-3.1-70b": 70.6, "qwen3-8b": 8.2, "qwen3-32b": 32.8, "mixtral-8x7b": 46.7,
                "qwen3-30b-a3b": 30.5, "qwen3-235b-a22b": 235.1, "gpt-oss-120b": 116.8, "minimax-m2.5": 228.7,
                "deepseek-v3": 671.0, "kimi-k2.5": 1026.4}
    assert set(kernels.names()) == set(billions)
    for name, size in billions.items():
        shape = kernels.shape(name)
        assert shape.parameters / 1e9 == pytest.approx(size, rel=0.01), name
        assert shape.source.startswith("config.json of ")


@pytest.mark.parametrize(("change", "message"), [
    ("layers = 0", "layers: Input should be greater than 0"), ("kv_heads = 3", "heads = 8 is no multiple"),
    ("colour = 1", "colour: Extra inputs"), ("window = 5", "window = 5 in window_layers = 0"), ("x", "not TOML"),
])
def test_bad_shapes_are_one_line(tmp_path: Path, change: str, message: str) -> None:
    values = SMALL.model_dump(exclude_none=True)
    lines = [f"{k} = {v!r}" for k, v in values.items() if k != change.partition(" ")[0]]
    path = tmp_path / "shape.toml"
    path.write_text("\n".join(lines).replace("'", '"') + "\n" + change + "\n")
    with pytest.raises(InputError, match=message) as caught:
        kernels.shape(path)
    assert "\n" not in str(caught.value)


def test_an_unknown_model_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown model 'llama-3-8b'; nearest: llama-3\.1-8b"):
        kernels.shape("llama-3-8b")


@needs_tables
@pytest.mark.parametrize(("gpu", "engine"), [("a100_sxm", "vllm"), ("a100_sxm", "sglang"), ("a100_sxm", "trtllm"),
                                             ("h100_sxm", "vllm"), ("h200_sxm", "vllm"), ("b200_sxm", "vllm")])
def test_more_work_takes_no_less_time(gpu: str, engine: str) -> None:
    tables = kernels.tables(gpu, engine, TABLES)
    for model, degree in (("llama-3.1-8b", 1), ("qwen3-32b", 2), ("mixtral-8x7b", 2)):
        run = Engine(tables, kernels.shape(model), degree)
        rng = np.random.default_rng(1)
        sequences = np.unique(rng.integers(1, 600, 60)).astype(float)
        context, chunk = rng.integers(1, 6000, 60).astype(float), rng.integers(1, 4000, 60).astype(float)
        assert (np.diff(run.seconds(Load.decoding(sequences, 700.0))) >= 0).all()
        assert (np.diff(run.seconds(Load.decoding(32.0, np.sort(context)))) >= 0).all()
        assert (np.diff(run.seconds(Load.mixed(np.sort(chunk), 0.0, 16.0, 900.0))) >= 0).all()


@needs_tables
@pytest.mark.slow
def test_measured_rows_are_met_within_the_tables_noise() -> None:
    found = [error for gpu in kernels.gpus(TABLES) for engine in kernels.engines(gpu, TABLES)
             for error in held_out(kernels.tables(gpu, engine, TABLES))]
    assert len(found) == 48
    assert max(error.median for error in found) < 0.1


def test_parameters_are_the_entries_of_the_matrices() -> None:
    """Of each layer: queries, keys, values and the way back of attention, gate, up and down; embeddings and head."""
    layer = [(64, 8 * 16), (64, 4 * 16), (64, 4 * 16), (8 * 16, 64), (64, 256), (64, 256), (256, 64)]
    assert SMALL.parameters == 3 * sum(a * b for a, b in layer) + 2 * 512 * 64
    experts = 8 * [(64, 32), (64, 32), (32, 64)] + [(64, 8)]
    assert MIXTURE.parameters == 3 * sum(a * b for a, b in [*layer[:4], *experts]) + 2 * 512 * 64
