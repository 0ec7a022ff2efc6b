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


def latent_ms(kind: str, batch: float, length: float, heads: float) -> float:
    """Latent attention of ``kind`` (prefill, decode), and its whole block (prefill block, decode block)."""
    factor = 30.0 if kind.endswith("block") else 1.0
    return factor * (1e-6 * batch * length**2 if kind.startswith("prefill") else 1e-5 * batch * length) * heads**0.5


def absorbed_ms(tokens: float, heads: float) -> float:
    return 1e-3 * tokens**0.5 * heads


def write_latent(root: Path, blocks: bool, gpu: str = "gpu", engine: str = "vllm", version: str = "1.0") -> Path:
    """Tables of latent attention: kernel by kernel, or (``blocks``) as whole blocks."""
    words = {"mla_dtype": "bfloat16", "kv_cache_dtype": "bfloat16", "gemm_type": "bfloat16"}
    suffix, end = ("_module_perf", " block") if blocks else ("_perf", "")
    names = {f"mla/mla_context{suffix}" if blocks else "mla/context_mla_perf": f"prefill{end}",
             f"mla/mla_generation{suffix}" if blocks else "mla/generation_mla_perf": f"decode{end}"}
    files: dict[str, list[dict[str, object]]] = {
        file: [{**words, "batch_size": b, "num_heads": h, "latency": latent_ms(kind, b, s, h),
                **({"isl": s} if kind.startswith("prefill") else {"isl": 1, "step": s - 1})}
               for b, s, h in product((1, 4, 32), SIZES, (2, 8))] for file, kind in names.items()}
    if not blocks:
        files["mla_bmm/mla_bmm_perf"] = [
            {"op_name": name, "bmm_dtype": "bfloat16", "num_tokens": m, "num_heads": h, "latency": absorbed_ms(m, h)}
            for name, m, h in product(("mla_gen_pre", "mla_gen_post"), SIZES, (2, 8))]
    return _written(files, root, gpu, engine, version)


def write(root: Path, gpu: str = "gpu", engine: str = "vllm", version: str = "1.0") -> Path:
    """Tables of a matrix product, attention, experts (32 wide, 8 of which 2, of which a slower kernel is measured too),
    all-reduces over 2 GPUs, and NCCL's exchanges over 2 and 4."""
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
             "inter_size": 32, "topk": 2, "num_experts": 8, "moe_tp_size": t, "moe_ep_size": e,
             "kernel_source": source, "latency": factor * experts_ms(m)}
            for m, (t, e), (source, factor) in product(
                SIZES, ((1, 1), (2, 1), (1, 4)), (("fast", 1.0), ("slow", 3.0)))],
        "comm/custom_allreduce_perf": [
            {"kernel_source": source, "num_gpus": 2, "message_size": 2**i, "latency": factor * all_reduce_ms(2**i)}
            for (source, factor), i in product((("own_graph", 1.0), ("own_eager", 9.0)), range(0, 24, 2))],
    }
    exchanges: dict[str, list[dict[str, object]]] = {"comm/nccl_perf": [
        {"op_name": name, "nccl_dtype": "half", "num_gpus": n, "message_size": 2**i, "latency": all_reduce_ms(2**i)}
        for name, n, i in product(("all_gather", "reduce_scatter"), (2, 4), range(0, 24, 2))]}
    _written(exchanges, root, gpu, "nccl", version)
    return _written(files, root, gpu, engine, version)


def _written(files: dict[str, list[dict[str, object]]], root: Path, gpu: str, engine: str, version: str) -> Path:
    for name, rows in files.items():
        table, file = name.split("/")
        folder = root / gpu / table / engine / version
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{file}.parquet")
    return root
