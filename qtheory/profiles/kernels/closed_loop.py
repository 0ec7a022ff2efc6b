"""The steady state of an engine that serves a constant number of like requests: mean times by iteration counts.

Each of ``concurrency`` clients sends its next request when the last one ends; every request has ``prompt`` and
``output`` tokens. An iteration decodes every running request once and computes at most ``budget`` tokens, the rest of
them chunks of prompts (chunked prefill as in vLLM; TensorRT-LLM and SGLang mix likewise). While chunks are rare each
prompt takes its chunks' iterations, and every other request waits along; where the budget is full, decodes and chunks
share it and requests queue for their prefill. Nothing is random here: the mean-value computation leaves out the
client's own time, the ramps at both ends of a run, and evictions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from qtheory.errors import InputError
from qtheory.profiles.kernels.iteration import Engine, Load

BUDGET = 8192  # vLLM's default max_num_batched_tokens for serving on data-centre GPUs


@dataclass(frozen=True)
class Steady:
    """Mean times in seconds: ``first_token``, from a request's start to its first token; ``waiting``, before that,
    for room in memory; ``per_token``, between tokens. ``running``: requests at once; ``mixed``: share of iterations
    with a chunk.
    """

    first_token: float
    waiting: float
    per_token: float
    running: float
    mixed: float


def steady(
    engine: Engine, concurrency: int, prompt: int, output: int, budget: int = BUDGET, slots: int | None = None,
) -> Steady:
    """The steady state, of kernels alone; at most ``slots`` requests run at once (None: all), the others wait.

    Raises InputError for counts below 1 and a budget that the decodes alone exhaust.
    """
    for name, value in (("concurrency", concurrency), ("prompt", prompt), ("output", output), ("slots", slots)):
        if value is not None and value < 1:
            raise InputError(f"{name} = {value}: at least 1 is wanted")
    running = concurrency if slots is None else min(concurrency, slots)
    if budget <= running:
        raise InputError(f"budget = {budget} tokens is no more than the {running} requests that decode")
    found = _without_waiting(engine, running, prompt, output, budget)
    stay = found.first_token + (output - 1) * found.per_token
    return replace(found, waiting=stay * (concurrency / running - 1))


def _without_waiting(engine: Engine, running: int, prompt: int, output: int, budget: int) -> Steady:
    steps, context = output - 1, prompt + output / 2
    if steps:
        decoding = steps * budget / (prompt + steps)  # where every iteration is full, by Little's law
        in_flight = decoding + np.ceil(prompt / max(budget - decoding, 1.0))
        if in_flight < running:
            prompts = (budget - decoding) / prompt
            load = Load(tokens=float(budget), prefills=max(prompts, 1.0), length=float(prompt), share=min(prompts, 1.0),
                        decodes=decoding, context=context, sampled=decoding * (1 + 1 / steps))
            each, rate = float(engine.seconds(load)), decoding / steps
            return Steady((running - decoding) / rate * each, 0.0, each, running, 1.0)
    chunk = min(prompt, budget - running + 1)
    before = np.arange(0, prompt, chunk)
    decodes = (running - 1) * steps / (steps + len(before))
    mixed = float(np.mean(engine.seconds(Load.mixed(np.minimum(chunk, prompt - before), before, decodes, context))))
    alone = float(engine.seconds(Load.decoding(float(running), context)))
    seen = min(1.0, (running - 1) * len(before) / max(steps + len(before) - 1, 1))
    per_token = (1 - seen) * alone + seen * mixed
    share = min(1.0, running * len(before) / (steps + len(before)))
    return Steady(len(before) * mixed, 0.0, per_token if steps else 0.0, running, share)


def disaggregated(
    prefill: Engine, decode: Engine, nodes: tuple[int, int], concurrency: int, prompt: int, output: int,
) -> Steady:
    """The steady state where some nodes prefill, a prompt at a time, and others decode, the requests spread evenly.

    ``nodes``: of either kind; one whose attention is spread by requests prefills a prompt in each of its groups. Each
    request is in one of three places: waiting for a prefill node, on it, or decoding with ``running`` requests on its
    node. What it takes to bring the cache from node to node is left out. Raises
    InputError for counts below 1, and outputs of fewer than two tokens.
    """
    counts = {"concurrency": concurrency, "prompt": prompt, "nodes": min(nodes), "output": output - 1}
    for name, value in counts.items():
        if value < 1:
            raise InputError(f"{name} = {value}: at least 1 is wanted")
    groups = float(prefill.data_parallel)
    whole = float(prefill.seconds(Load(groups * prompt, groups, float(prompt), 1.0, sampled=groups)))
    steps, context = output - 1, prompt + output / 2

    def rate(running: float) -> float:
        """Requests a second of the decode nodes, with so many on each."""
        return nodes[1] * running / (steps * float(decode.seconds(Load.decoding(running, context))))

    # More on each decode node serve more, so that by Little's law one number fits: what does not decode prefills.
    low, high = 0.0, concurrency / nodes[1]
    for _ in range(60):
        middle = (low + high) / 2
        busy = rate(max(middle, 1e-9)) * whole
        fits = busy + nodes[1] * middle <= concurrency and busy <= nodes[0] * groups
        low, high = (middle, high) if fits else (low, middle)
    served = rate(max(low, 1e-9))
    waiting = concurrency / served - whole - steps * float(decode.seconds(Load.decoding(low, context)))
    return Steady(whole, max(0.0, waiting), float(decode.seconds(Load.decoding(low, context))), low, 0.0)
