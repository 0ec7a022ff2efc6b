"""Iteration times from kernels as measurement sets, to which every law is fitted as to a GPU's own measurements.

The batches are those of serving: decodes alone at several contexts, prompts alone, and both in one iteration, over a
grid of sizes. The sets are named as ``qtheory profile measure`` names its series; ``serving`` is of all batches.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from qtheory.errors import UnknownNameError
from qtheory.models.laws import DECODE, RESIDENT, TOKENS
from qtheory.profiles.kernels.iteration import Engine, Load
from qtheory.profiles.kernels.tables import LICENCE
from qtheory.profiles.measurements import Array, Measurements

SEQUENCES = np.unique(np.round(np.geomspace(1, 256, 25)))
CONTEXTS = np.array([256.0, 1024.0, 4096.0])
CHUNKS = np.unique(np.round(np.geomspace(16, 8192, 28)))
BESIDE = np.array([8.0, 32.0, 128.0])  # decodes in an iteration with a chunk
ENGINES = {"vllm": "vLLM", "sglang": "SGLang", "trtllm": "TensorRT-LLM"}
SETS = ("decode", "prefill", "pair", "serving")
LEAVES_OUT = ("norms, activations and rotary positions", "embedding, sampling and scheduling")


def measurements(engine: Engine, name: str = "serving", cache: float = 500_000.0) -> Measurements:
    """One measurement set: ``decode``, ``prefill``, ``pair`` (both, told apart) or ``serving`` (with mixed iterations).

    Batches whose contexts exceed ``cache`` tokens are left out. Raises UnknownNameError for another set.
    """
    if name not in SETS:
        raise UnknownNameError("set of batches", name, list(SETS))
    decode = [grid.ravel() for grid in np.meshgrid(SEQUENCES, CONTEXTS, indexing="ij")]
    parts = {"decode": _rows(engine, Load.decoding(*decode), 1.0),
             "prefill": _rows(engine, Load.mixed(CHUNKS, 0.0, 0.0, 0.0), 0.0)}
    if name == "serving":
        sizes = [grid.ravel() for grid in np.meshgrid(CHUNKS, BESIDE, CONTEXTS, indexing="ij")]
        parts["mixed"] = _rows(engine, Load.mixed(sizes[0], 0.0, sizes[1], sizes[2]), 0.5)
    chosen = [part for key, part in parts.items() if name in ("pair", "serving") or key == name]
    tokens, phase, resident, seconds = np.concatenate(chosen, axis=1)
    fits = resident <= cache
    columns = {TOKENS: tokens[fits], RESIDENT: resident[fits]}
    if name == "pair":
        columns[DECODE] = phase[fits]
    measured = engine.tables
    return Measurements(
        LICENCE, columns, seconds[fits],
        gpu=measured.gpu, model=engine.shape.title, tensor_parallel=engine.tensor_parallel, leaves_out=LEAVES_OUT,
        layout="kernels", series=(name,), mixed=name == "serving",
        provenance={"engine": ENGINES.get(measured.engine, measured.engine),
                    "engine_version": measured.versions["gemm"][0], "tables": ", ".join(used(engine))},
    )


def used(engine: Engine) -> list[str]:
    """The files that an engine's kernels come from, with how many rows each has: gpu/table/engine/version/file."""
    _ = engine.kernels
    folder = engine.tables.folder
    return [f"{Path(rows.file).relative_to(folder)} ({len(rows):,} rows)" for rows in engine.tables.read()]


def _rows(engine: Engine, load: Load, phase: float) -> Array:
    """Rows of tokens, phase, tokens in the cache and seconds."""
    columns = load.columns()
    tokens, decodes, context = columns[0], columns[4], columns[5]
    chunk_context = np.where(columns[1] > 0, columns[2], 0.0)
    return np.stack([tokens, np.full(tokens.shape, phase), decodes * context + chunk_context, engine.seconds(load)])
