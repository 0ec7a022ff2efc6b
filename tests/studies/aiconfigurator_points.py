"""The prediction of the package ``aiconfigurator-core`` itself for measured points, where it installs and answers."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

from qtheory.profiles.kernels.closed_loop import BUDGET
from qtheory.profiles.kernels.serving import Point

MODELS = {"llama-3.1-70b": "meta-llama/Meta-Llama-3.1-70B", "llama-3.1-8b": "meta-llama/Meta-Llama-3.1-8B",
          "qwen3-32b": "Qwen/Qwen3-32B", "qwen3-235b-a22b": "Qwen/Qwen3-235B-A22B-FP8",
          "gpt-oss-120b": "openai/gpt-oss-120b", "minimax-m2.5": "MiniMaxAI/MiniMax-M2.5",
          "deepseek-v3": "deepseek-ai/DeepSeek-V3", "kimi-k2.5": "moonshotai/Kimi-K2.5"}
EXPERTS = {"fp8": "fp8_block", "fp8_block": "fp8_block", "nvfp4": "nvfp4", "int4_wo": "int4_wo"}


def theirs(point: Point) -> tuple[float, float] | None:
    """Seconds per token and to the first token; None where the package has no answer.

    It is asked for the same concurrency, lengths, parallelism, number formats and tokens an iteration as ours.
    """
    try:
        from aiconfigurator_core.sdk.config import RuntimeConfig

        backend, database, model = _engine(*point.configuration)
        asked = RuntimeConfig(batch_size=point.concurrency // point.data_parallel, isl=point.prompt, osl=point.output)
        found = backend.run_agg(model, database, asked, ctx_tokens=BUDGET).get_result_dict()
        return found["tpot"] / 1e3, found["ttft"] / 1e3
    except Exception:  # the package raises errors of many kinds for what it does not hold
        return None


@cache
def _engine(gpu: str, engine: str, model: str, dtype: str, degree: int, expert_parallel: int,
            groups: int) -> tuple[Any, Any, Any]:
    from aiconfigurator_core.sdk import common
    from aiconfigurator_core.sdk.backends.factory import get_backend
    from aiconfigurator_core.sdk.config import ModelConfig
    from aiconfigurator_core.sdk.models import get_model
    from aiconfigurator_core.sdk.perf_database import get_database

    logging.disable(logging.CRITICAL)
    low = dtype != "bfloat16"
    options: dict[str, Any] = {
        "tp_size": degree, "moe_tp_size": degree * groups // expert_parallel, "moe_ep_size": expert_parallel,
        "attention_dp_size": groups,
        "kvcache_quant_mode": common.KVCacheQuantMode["fp8" if low else "bfloat16"],
        "fmha_quant_mode": common.FMHAQuantMode.bfloat16,
    }
    if model != "gpt-oss-120b":  # whose checkpoint names its formats
        if model in ("deepseek-v3", "kimi-k2.5"):  # blocks of FP8; INT4 is the experts' alone
            options["gemm_quant_mode"] = common.GEMMQuantMode[
                {"fp8": "fp8_block", "int4_wo": "bfloat16"}.get(dtype, dtype)]
        else:
            options["gemm_quant_mode"] = common.GEMMQuantMode[dtype]
        if model in ("qwen3-235b-a22b", "minimax-m2.5", "deepseek-v3", "kimi-k2.5"):
            options["moe_quant_mode"] = common.MoEQuantMode[EXPERTS[dtype]]
    return (get_backend(engine), get_database(gpu, engine, "current"),
            get_model(MODELS[model], ModelConfig(**options), engine))
