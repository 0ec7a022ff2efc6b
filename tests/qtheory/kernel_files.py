"""Small synthetic tables of kernels, in which every time is known: powers of the sizes, without noise."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

SHARED = Path(__file__).parents[3] / "shared" / "data"
TABLES = SHARED / "kernel-timings"

SIZES = (1, 2, 8, 64, 512, 4096)
HEADS = ((4, 2), (8, 2), (8, 4))


def product_ms(m: float, n: float, k: float) -> float:
    return 1e-7 * m**0.5 * n * k


def prefill_ms(batch: float, length: float, heads: float) -> float:
    return 1e-6 * batch * length**2 * heads


def decode_ms(batch: float, length: float, heads: float) -> float:
    return 1e-5 * batch * length * heads


def experts_ms(tokens: float) -> float:
    return 1e-2 * tokens**0.25


def all_reduce_ms(size: float) -> float:
    return 1e-6 * size


def write(root: Path, gpu: str = "gpu", engine: str = "vllm", version: str = "1.0") -> Path:
    """Tables of a matrix product, attention, experts (32 wide, 8 of which 2) and all-reduces over 2 GPUs."""
    attention = {"head_dim": 16, "attn_dtype": "bfloat16", "kv_cache_dtype": "bfloat16"}
    files: dict[str, list[dict[str, object]]] = {
        "gemm/gemm_perf": [
            {"gemm_dtype": "bfloat16", "m": m, "n": n, "k": k, "latency": product_ms(m, n, k)}
            for m, n, k in product(SIZES, (32, 64, 512), (32, 64, 512))],
        "attention/context_attention_perf": [
            {**attention, "batch_size": b, "isl": s, "num_heads": h, "num_key_value_heads": kv,
             "latency": prefill_ms(b, s, h)} for b, s, (h, kv) in product((1, 4, 32), SIZES, HEADS)],
        "attention/generation_attention_perf": [
            {**attention, "batch_size": b, "isl": 1, "step": s - 1, "num_heads": h, "num_key_value_heads": kv,
             "latency": decode_ms(b, s, h)} for b, s, (h, kv) in product((1, 4, 32), SIZES, HEADS)],
        "moe/moe_perf": [
            {"moe_dtype": "bfloat16", "distribution": "power_law_1.2", "num_tokens": m, "hidden_size": 64,
             "inter_size": 32, "topk": 2, "num_experts": 8, "moe_tp_size": t, "moe_ep_size": 1,
             "latency": experts_ms(m)} for m, t in product(SIZES, (1, 2))],
        "comm/custom_allreduce_perf": [
            {"kernel_source": source, "num_gpus": 2, "message_size": 2**i, "latency": factor * all_reduce_ms(2**i)}
            for (source, factor), i in product((("own_graph", 1.0), ("own_eager", 9.0)), range(0, 24, 2))],
    }
    for name, rows in files.items():
        table, file = name.split("/")
        folder = root / gpu / table / engine / version
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{file}.parquet")
    return root
