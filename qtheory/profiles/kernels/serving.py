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
from typing import NamedTuple

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
    "deepseek-ai/DeepSeek-R1": "deepseek-v3",
    "deepseek-ai/DeepSeek-V3": "deepseek-v3",
    "nvidia/DeepSeek-R1-NVFP4": "deepseek-v3",
    "nvidia/DeepSeek-V3.1-NVFP4": "deepseek-v3",
    "moonshotai/Kimi-K2.5": "kimi-k2.5",
}
NODE = 8  # GPUs among which collective operations are measured
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
    data_parallel: int = 1

    @property
    def configuration(self) -> tuple[str, str, str, str, int, int, int]:
        """What one engine is started with: GPU, engine, model, number format, and parallelism."""
        return (self.gpu, self.engine, self.model, self.dtype, self.tensor_parallel, self.expert_parallel,
                self.data_parallel)


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
        number = {name: _number(path, line, row, name) for name in ("isl", "osl", "batch_size", "silicon_ttft_ms",
                                                                    "silicon_tpot_ms")}
        degrees = _degrees(path, line, row)
        found.append(Point(
            row["system"], row["backend"], row["backend_version"], SHAPES[row["model_path"]],
            row["gemm_quant_mode"] or "bfloat16", degrees.tensor, degrees.experts, int(number["isl"]),
            int(number["osl"]), int(number["batch_size"]) * degrees.groups_told, number["silicon_ttft_ms"] / 1e3,
            number["silicon_tpot_ms"] / 1e3, degrees.groups,
        ))
    return found, left_out


_COLUMNS = ("id", "model_path", "system", "backend", "backend_version", "mode", "isl", "osl", "gemm_quant_mode",
            "batch_size", "tp_size", "pp_size", "attention_dp_size", "moe_tp_size", "moe_ep_size", "silicon_ttft_ms",
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
    if _whole(path, line, row, "pp_size") > 1:
        return "layers in a pipeline"
    degrees = _degrees(path, line, row)
    gpus, experts = degrees.tensor * degrees.groups, shape(SHAPES[row["model_path"]]).experts
    if gpus > NODE:
        return "parallelism beyond one node"
    if experts is not None and degrees.told_experts != gpus:
        return "experts and attention told to be on different GPUs"
    if experts is None and degrees.groups > 1:
        return "a dense model's attention spread by requests"
    return None


class Degrees(NamedTuple):
    """Parallelism: GPUs that split the attention's heads; groups that split the requests, as they are and as they are
    told; GPUs over which whole experts are spread; and over how many the experts are in all."""

    tensor: int
    groups: int
    groups_told: int
    experts: int
    told_experts: int


def _degrees(path: Path, line: int, row: dict[str, str]) -> Degrees:
    """A point's parallelism, each GPU counted once.

    Where the experts are spread over all n GPUs, some sources tell the degrees as products: 64 GPUs that split
    attention, and experts 8 x 8, are the same run as ``tp8_ep8`` with 8 and 1 x 8, to the last digit of its times. An
    id with ``epnone`` means what it says.
    """
    tensor, groups = (_whole(path, line, row, name) for name in ("tp_size", "attention_dp_size"))
    split, whole = (_whole(path, line, row, name) for name in ("moe_tp_size", "moe_ep_size"))
    twice = "epnone" not in row["id"] and (split == whole > 1 or (tensor == groups > 1 and whole == tensor * groups))
    if not twice:
        return Degrees(tensor, groups, groups, whole, split * whole)
    n = whole if split > 1 else tensor
    return Degrees(1 if groups > 1 else n, n if groups > 1 else 1, groups, n, n)


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
    blocks where those are measured, those of gpt-oss are in MXFP4. 4-bit checkpoints of models with latent attention
    leave that in bfloat16, and those in INT4 all but the experts.
    """
    model = shape(point.model)
    measured = tables(point.gpu, point.engine, path)
    caches = ("bfloat16",) if point.dtype == "bfloat16" else ("fp8", "bfloat16")
    tried: InputError | None = None
    for cache in caches:
        for dtype, experts in _formats(model, point):
            found = _tried(measured, model, point, cache, dtype, experts)
            if isinstance(found, Engine):
                return found
            tried = tried or found
    assert tried is not None
    raise tried


def _formats(model: Shape, point: Point) -> list[tuple[str | None, str | None]]:
    """Number formats of the products and the experts, the likeliest first."""
    dtype = point.dtype
    if model.experts is None:
        return [(dtype, None)]
    if dtype == "int4_wo":
        return [("bfloat16", dtype)]
    if model.experts.dtype and "mxfp4" in model.experts.dtype:
        return [(None, "w4a8_mxfp4_mxfp8"), (None, "w4a16_mxfp4")]
    if not dtype.startswith("fp8"):
        return [(dtype, dtype)]
    # vLLM's tables of products that are scaled by blocks hold the host's launches
    blocks = [("fp8_block", "fp8_block")] if model.latent and point.engine != "vllm" else []
    return [*blocks, (dtype, "fp8_block"), (dtype, dtype)]


def _tried(
    measured: KernelTables, model: Shape, point: Point, cache: str, dtype: str | None, experts: str | None
) -> Engine | InputError:
    parallel = point.expert_parallel if model.experts else 1
    attention = "bfloat16" if model.latent and point.dtype == "nvfp4" else None
    try:
        engine = Engine(measured, model, point.tensor_parallel, dtype, cache, experts, parallel, point.data_parallel,
                        attention)
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
