"""The kernels of multi-head latent attention (MLA), as in DeepSeek-V3 and Kimi-K2.

Queries, and keys and values, come through products with a narrow middle; the cache holds the narrow side of keys and
values. A prompt widens it for its own tokens, a decode multiplies queries and results by the widening matrices
instead. Where these kernels are not measured one by one, the whole block is, projections included: once for the
prompts' tokens and once for the decodes, which then do not share their products.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qtheory.errors import InputError
from qtheory.profiles.kernels.attention import DECODES, LENGTH, PREFILLS, SHARE, Kernel, by_heads, of_surfaces
from qtheory.profiles.kernels.interpolation import Array, Curve, corners
from qtheory.profiles.kernels.shapes import Latent

if TYPE_CHECKING:
    from qtheory.profiles.kernels.iteration import Engine


def latent_kernels(engine: Engine, part: Latent) -> dict[str, Kernel]:
    """The kernels of the attention block of an engine's model, by name."""
    tables = engine.tables
    if tables.has("latent prefill") and tables.has("latent decode") and tables.has("latent product"):
        return _singly(engine, part)
    if not tables.has("latent prefill block") or not tables.has("latent decode block"):
        raise InputError(f"{tables.folder / tables.gpu}: no tables of latent attention of {tables.engine}")
    return _as_blocks(engine)


def _singly(engine: Engine, part: Latent) -> dict[str, Kernel]:
    s, heads, dtype = engine.shape, engine.shape.heads // engine.tensor_parallel, _dtype(engine)
    widen = engine.product(dtype, heads * (part.head + part.value), part.cache, s.layers)
    attention = {kind: of_surfaces(kind, [(s.layers, by_heads(engine.tables.where(
        f"latent {kind}", kv_cache_dtype=engine.kv_dtype), heads))]) for kind in ("prefill", "decode")}
    absorbed = [_absorbed(engine, name, heads) for name in ("mla_gen_pre", "mla_gen_post")]

    def prefill(columns: list[Array]) -> Array:
        prompts, length, share = columns[PREFILLS], columns[LENGTH], columns[SHARE]
        return attention["prefill"](columns) + widen([prompts * length * share])

    def decode(columns: list[Array]) -> Array:
        return attention["decode"](columns) + sum(kernel(columns) for kernel in absorbed)

    return {
        "compress": engine.product(dtype, part.query + part.cache + part.rotary, s.hidden, s.layers),
        "queries": engine.product(dtype, heads * (part.head + part.rotary), part.query, s.layers),
        "output": engine.product(dtype, s.hidden, heads * part.value, s.layers),
        "prefill attention": prefill, "decode attention": decode,
    }


def _absorbed(engine: Engine, name: str, heads: int) -> Kernel:
    """The product of the decodes' queries, or of their results, with the widening matrices."""
    wanted = "bfloat16" if _dtype(engine) == "bfloat16" else "fp8"
    rows = engine.tables.rows("latent product")
    known = set(rows.columns["bmm_dtype"])
    rows = rows.where(op_name=name, bmm_dtype=wanted if wanted in known else "bfloat16")
    curves = [(Curve.of(one.columns["num_tokens"], one.seconds), weight)
              for each, weight in corners(heads, rows.columns["num_heads"]) for one in [rows.where(num_heads=each)]]
    layers = engine.shape.layers

    def seconds(columns: list[Array]) -> Array:
        decodes = columns[DECODES]
        time = layers * np.exp(sum(weight * curve.log_seconds(decodes) for curve, weight in curves))
        return np.where(decodes > 0, time, 0.0)

    return seconds


def _as_blocks(engine: Engine) -> dict[str, Kernel]:
    s, heads = engine.shape, engine.shape.heads // engine.tensor_parallel
    wanted = "fp8_block" if _dtype(engine).startswith("fp8") else _dtype(engine)
    return {f"{kind} attention": of_surfaces(kind, [(s.layers, by_heads(engine.tables.where(
        f"latent {kind} block", mla_dtype="bfloat16", kv_cache_dtype=engine.kv_dtype, gemm_type=wanted), heads))])
        for kind in ("prefill", "decode")}


def _dtype(engine: Engine) -> str:
    return engine.attention_dtype or engine.dtype or engine.shape.dtype
