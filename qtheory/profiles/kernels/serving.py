"""Measured end-to-end points of engines that serve a constant number of requests, and the engines that fit them.

The points are those of ``silicon_sample.csv`` in the package ``aiconfigurator-core`` (NVIDIA, Apache-2.0): model, GPU,
engine, precision, lengths, concurrency, parallelism, and measured times to the first token and per token.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from qtheory.errors import InputError
from qtheory.profiles.kernels.closed_loop import Steady, steady
from qtheory.profiles.kernels.iteration import Engine
from qtheory.profiles.kernels.shapes import Shape, shape
from qtheory.profiles.kernels.tables import KernelTables, root, tables

SHAPES = {  # the models of the points whose kernels are measured, by the name of their shape
    "meta-llama/Llama-3.1-70B": "llama-3.1-70b",
    "meta-llama/Llama-3.1-8B-Instruct": "llama-3.1-8b",
    "nvidia/Llama-3.1-8B-Instruct-FP8": "llama-3.1-8b",
    "Qwen/Qwen3-32B": "qwen3-32b",
    "nvidia/Qwen3-32B-NVFP4": "qwen3-32b",
    "Qwen/Qwen3-235B-A22B-FP8": "qwen3-235b-a22b",
    "openai/gpt-oss-120b": "gpt-oss-120b",
    "MiniMaxAI/MiniMax-M2.5": "minimax-m2.5",
}
_MEMORY = re.compile(r"^\s*mem_capacity:\s*([0-9]+)", re.MULTILINE)


@dataclass(frozen=True)
class Point:
    """One measured closed loop; times in seconds, ``dtype`` of the products' weights."""

    gpu: str
    engine: str
    version: str
    model: str
    dtype: str
    tensor_parallel: int
    expert_parallel: int
    prompt: int
    output: int
    concurrency: int
    first_token: float
    per_token: float

    @property
    def configuration(self) -> tuple[str, str, str, str, int, int]:
        """What one engine is started with: GPU, engine, model, number format, and parallelism."""
        return self.gpu, self.engine, self.model, self.dtype, self.tensor_parallel, self.expert_parallel


def read_points(path: str | Path) -> tuple[list[Point], dict[str, int]]:
    """The aggregated points that the sum of kernels can predict, and of the others how many, by the reason.

    Raises InputError with file, line and column for what cannot be used.
    """
    path = Path(path)
    found, left_out = [], dict[str, int]()
    for line, row in _rows(path):
        if reason := _reason(path, line, row):
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        number = {name: _number(path, line, row, name) for name in (
            "tp_size", "isl", "osl", "batch_size", "silicon_ttft_ms", "silicon_tpot_ms")}
        found.append(Point(
            row["system"], row["backend"], row["backend_version"], SHAPES[row["model_path"]],
            row["gemm_quant_mode"] or "bfloat16", int(number["tp_size"]), _whole(path, line, row, "moe_ep_size"),
            int(number["isl"]), int(number["osl"]), int(number["batch_size"]),
            number["silicon_ttft_ms"] / 1e3, number["silicon_tpot_ms"] / 1e3,
        ))
    return found, left_out


_COLUMNS = ("model_path", "system", "backend", "backend_version", "mode", "isl", "osl", "gemm_quant_mode", "batch_size",
            "tp_size", "pp_size", "attention_dp_size", "moe_tp_size", "moe_ep_size", "silicon_ttft_ms",
            "silicon_tpot_ms")


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            for name in _COLUMNS:
                if name not in (reader.fieldnames or ()):
                    raise InputError(f"{path}: no column {name!r}, which a file of measured points has")
            for row in reader:
                yield reader.line_num, {name: (row[name] or "").strip() for name in _COLUMNS}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV: {error}") from None


def _reason(path: Path, line: int, row: dict[str, str]) -> str | None:
    """Why a point is left out; None if it is not."""
    if row["mode"] != "agg":
        return "prefill and decode on different GPUs"
    if row["model_path"] not in SHAPES:
        return "no shape of the model (latent, linear or sparse attention)"
    if _whole(path, line, row, "attention_dp_size") > 1 or _whole(path, line, row, "pp_size") > 1:
        return "attention data-parallel or layers in a pipeline"
    degree = _whole(path, line, row, "tp_size")
    split = _whole(path, line, row, "moe_tp_size") * _whole(path, line, row, "moe_ep_size")
    if degree > 8 or (split != degree and shape(SHAPES[row["model_path"]]).experts is not None):
        return "parallelism beyond one node, or experts and attention split differently"
    return None


def _whole(path: Path, line: int, row: dict[str, str], name: str) -> int:
    """A degree of parallelism; 1 where the cell is empty or 0, as for models without experts."""
    return max(1, int(_number(path, line, row, name))) if row[name] not in ("", "0", "0.0") else 1


def _number(path: Path, line: int, row: dict[str, str], name: str) -> float:
    try:
        value = float(row[name])
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= 0:
        raise InputError(f"{path}:{line}: column {name!r}: {row[name]!r} is not a number above 0")
    return value


def engine_for(point: Point, path: str | Path | None = None) -> Engine:
    """The engine of a point's configuration, from the newest tables; InputError or UnknownNameError without them.

    8- and 4-bit models keep an 8-bit cache where attention on one is measured; experts of FP8 checkpoints are scaled by
    blocks where those are measured, those of gpt-oss are in MXFP4.
    """
    model = shape(point.model)
    measured = tables(point.gpu, point.engine, path)
    caches = ("bfloat16",) if point.dtype == "bfloat16" else ("fp8", "bfloat16")
    tried: InputError | None = None
    for cache in caches:
        for dtype, experts in _formats(model, point.dtype):
            found = _tried(measured, model, point, cache, dtype, experts)
            if isinstance(found, Engine):
                return found
            tried = tried or found
    assert tried is not None
    raise tried


def _formats(model: Shape, dtype: str) -> list[tuple[str | None, str | None]]:
    """Number formats of the products and the experts, the likeliest first."""
    if model.experts is None:
        return [(dtype, None)]
    if model.experts.dtype and "mxfp4" in model.experts.dtype:
        return [(None, "w4a8_mxfp4_mxfp8"), (None, "w4a16_mxfp4")]
    return [(dtype, "fp8_block"), (dtype, dtype)] if dtype.startswith("fp8") else [(dtype, dtype)]


def _tried(
    measured: KernelTables, model: Shape, point: Point, cache: str, dtype: str | None, experts: str | None
) -> Engine | InputError:
    parallel = point.expert_parallel if model.experts else 1
    try:
        engine = Engine(measured, model, point.tensor_parallel, dtype, cache, experts, parallel)
        _ = engine.kernels
    except InputError as error:
        return error
    return engine


def predicted(point: Point, engine: Engine, path: str | Path | None = None) -> Steady:
    """The steady state of a point's closed loop, of kernels alone; requests that do not fit in memory wait."""
    room = engine.cache_tokens(memory(point.gpu, path)) / (point.prompt + point.output)
    return steady(engine, point.concurrency, point.prompt, point.output, slots=max(1, int(room)))


def memory(gpu: str, path: str | Path | None = None) -> float:
    """Bytes of a GPU's memory, from the data sheet beside its tables."""
    folder = root(path)
    for sheet in (folder / f"{gpu}.yaml", folder.parent / f"{gpu}.yaml"):
        if sheet.is_file() and (found := _MEMORY.search(sheet.read_text("utf-8"))):
            return float(found[1])
    raise InputError(f"{folder}: no {gpu}.yaml with a line mem_capacity, in bytes")
