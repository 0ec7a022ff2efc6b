"""The measuring run: points prepared, timed in interleaved order, and what could not be measured recorded."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from time import perf_counter
from typing import Any

import numpy as np
import torch
from torch import Tensor

from qtheory.errors import InputError
from qtheory.profiles.measuring.architectures import BYTES, Architecture
from qtheory.profiles.measuring.decoder import Decoder, Iteration, synchronize
from qtheory.profiles.measuring.design import Point
from qtheory.profiles.measuring.telemetry import free_memory, gpu_state

_USABLE = 0.9  # share of the device's memory that weights, activations and cache may take
_LEAST_ROUNDS = 3
_STRETCH = 5e-3  # seconds that one repetition lasts at least, by running the iteration several times
_GRAPH_TOKENS = 512  # up to which launches, and not work, may take the time; engines capture up to here too
_WARM_UPS = 3


@dataclass(frozen=True)
class Plan:
    """What to measure: ``rounds`` repetitions of every point, fewer when ``budget_s`` seconds are spent, never < 3."""

    architecture: Architecture
    points: tuple[Point, ...]
    device: str = "cuda"
    rounds: int = 7
    budget_s: float = 420.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.rounds < _LEAST_ROUNDS:
            raise InputError(f"rounds is {self.rounds}; a median and its spread need at least {_LEAST_ROUNDS}")
        if not self.budget_s > 0:
            raise InputError(f"budget is {self.budget_s:g} s; a positive number of seconds is needed")
        if not self.points:
            raise InputError("no points to measure")


@dataclass
class Run:
    """What was measured: ``seconds`` of each point by repetition, and the provenance of them all.

    ``skipped``: the reason for each point that could not be measured; ``modes``: for each point how it was run
    (graph or eager, attention backends); ``capacity_tokens``: tokens of KV cache that fit beside the weights.
    """

    plan: Plan
    seconds: dict[Point, list[float]] = field(default_factory=dict)
    order: list[Point] = field(default_factory=list)
    skipped: dict[Point, str] = field(default_factory=dict)
    modes: dict[Point, tuple[str, str]] = field(default_factory=dict)
    provenance: dict[str, str] = field(default_factory=dict)
    kv_bytes_per_token: float = 0.0
    capacity_tokens: int = 0

    def medians(self) -> dict[Point, tuple[float, float]]:
        """For each point the median time in seconds and its relative interquartile range."""
        found = {}
        for point, times in self.seconds.items():
            low, middle, high = np.quantile(times, [0.25, 0.5, 0.75])
            found[point] = (float(middle), float((high - low) / middle))
        return found


def measure(plan: Plan, report: Callable[[float, float], None] = lambda done, of: None) -> Run:
    """Measure the plan's points; ``report`` is told (repetitions done, of how many).

    Raises InputError where the device is absent or cannot hold the weights. A point that does not fit is skipped
    and recorded.
    """
    started = perf_counter()
    device = _device(plan)
    run = Run(plan)
    run.provenance = _provenance(plan, device)
    _check_room(plan.architecture, device)
    decoder = Decoder(plan.architecture, device, plan.seed)
    pool = _pool(run, decoder)
    ready = _prepare(run, decoder, pool)
    if not ready:
        raise InputError(f"no point fits: {next(iter(run.skipped.values()))}")
    rng = np.random.default_rng(plan.seed)
    states = [gpu_state(device.index or 0)] if device.type == "cuda" else []
    done = 0
    for number in range(plan.rounds):
        for index in rng.permutation(len(ready)):
            if number >= _LEAST_ROUNDS and perf_counter() - started > plan.budget_s:
                break
            _repetition(run, device, *ready[index])
            done += 1
            report(done, plan.rounds * len(ready))
        if device.type == "cuda":
            states.append(gpu_state(device.index or 0))
    run.provenance |= _noted(states) | {
        "rounds": str(max(len(times) for times in run.seconds.values())),
        "run_seconds": f"{perf_counter() - started:.1f}",
        "kv_bytes_per_token": f"{run.kv_bytes_per_token:g}",
        "kv_capacity_tokens": str(run.capacity_tokens),
    }
    return run


def _device(plan: Plan) -> torch.device:
    if plan.device not in ("cuda", "cpu"):
        raise InputError(f"device {plan.device!r}: cuda or cpu is wanted")
    if plan.device == "cuda" and not torch.cuda.is_available():
        raise InputError(f"no NVIDIA GPU that PyTorch {torch.__version__} can use; --device cpu measures the "
                         "processor, for which the architecture small is meant")
    return torch.device("cuda", torch.cuda.current_device()) if plan.device == "cuda" else torch.device("cpu")


def _memory(device: torch.device) -> tuple[int, int]:
    """Bytes free and bytes in all, as far as this process may use them."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)
    free = free_memory()
    return free, free


def _check_room(architecture: Architecture, device: torch.device) -> None:
    needed, (free, _) = architecture.parameters * BYTES, _memory(device)
    if needed > _USABLE * free:
        raise InputError(f"the weights of {architecture.title} take {needed / 1e9:.1f} GB, {free / 1e9:.1f} GB are "
                         f"free on the {device.type} device")


def _pool(run: Run, decoder: Decoder) -> Tensor:
    """The KV cache of the largest point that fits; the capacity is noted."""
    kv, device = decoder.architecture.kv_bytes, decoder.device
    small = decoder.cache(1)
    run.kv_bytes_per_token = small.numel() * small.element_size()
    del small
    free, total = _memory(device)
    largest = max(point.tokens for point in run.plan.points)
    room = free - (1 - _USABLE) * total - largest * _activation_bytes(decoder.architecture)
    run.capacity_tokens = max(0, int(room // kv))
    wanted = [p.resident_tokens for p in run.plan.points if p.resident_tokens <= run.capacity_tokens]
    size = max(wanted, default=0)
    while size:
        try:
            return decoder.cache(size)
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
            size //= 2  # what is fragmented cannot be taken in one piece
    raise InputError(f"no point fits beside the weights of {decoder.architecture.title}: {run.capacity_tokens} tokens "
                     "of KV cache do")


def out_of_memory(error: BaseException) -> bool:
    """Whether the device, or for PyTorch's processor allocator the machine, has no memory left."""
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or "allocate memory" in str(error)


def _activation_bytes(a: Architecture) -> int:
    """Bytes of one token's largest intermediate results: residual, joint products of the MLP, logits."""
    return BYTES * (4 * a.hidden + 3 * a.intermediate + 3 * a.heads * a.head_dim + a.vocabulary)


def _prepare(run: Run, decoder: Decoder, pool: Tensor) -> list[tuple[Point, Callable[[], object], int]]:
    """Each point with what runs it and how often in one repetition; those that do not fit are recorded."""
    ready = []
    graphs = torch.cuda.graph_pool_handle() if decoder.device.type == "cuda" else None
    for point in run.plan.points:
        if point.resident_tokens > pool.shape[2]:
            run.skipped[point] = (f"out of memory: {point.resident_tokens} tokens in the KV cache, "
                                  f"{pool.shape[2]} fit")
            continue
        try:
            iteration = decoder.iteration(point, pool)
            for _ in range(_WARM_UPS):
                iteration.run()
            runner, how = _runner(iteration, graphs)
            runner()
            seconds = _timed(decoder.device, runner, 1)
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error):
                raise
            run.skipped[point] = "out of memory: the iteration's intermediate results do not fit"
            if decoder.device.type == "cuda":
                torch.cuda.empty_cache()
            continue
        run.modes[point] = (how, iteration.attention)
        ready.append((point, runner, max(1, min(100, math.ceil(_STRETCH / max(seconds, 1e-6))))))
    return ready


def _runner(iteration: Iteration, graphs: Any) -> tuple[Callable[[], object], str]:
    """The iteration as a replayed CUDA graph where it is short and can be captured, else as it is."""
    if graphs is None or iteration.point.tokens > _GRAPH_TOKENS:
        return iteration.run, "eager"
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph, pool=graphs):
            iteration.run()
    except RuntimeError as error:
        if out_of_memory(error):
            raise
        torch.cuda.synchronize()
        return iteration.run, "eager"

    return partial(_replay, graph, iteration), "graph"


def _replay(graph: torch.cuda.CUDAGraph, iteration: Iteration) -> None:
    """``iteration`` owns the token ids and positions that the graph reads: it must live as long as the graph."""
    graph.replay()


def _repetition(run: Run, device: torch.device, point: Point, runner: Callable[[], object], times: int) -> None:
    runner()  # the point before has left other weights and keys in the caches
    run.seconds.setdefault(point, []).append(_timed(device, runner, times))
    run.order.append(point)


def _timed(device: torch.device, runner: Callable[[], object], times: int) -> float:
    """Seconds of one iteration, the mean of so many in a row."""
    synchronize(device)
    if device.type == "cuda":
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(times):
            runner()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) / 1000 / times
    begun = perf_counter()
    for _ in range(times):
        runner()
    return (perf_counter() - begun) / times


def _provenance(plan: Plan, device: torch.device) -> dict[str, str]:
    a = plan.architecture
    gpu = torch.cuda.get_device_name(device) if device.type == "cuda" else _processor()
    return {
        "qtheory": version("qtheory-llm"),
        "measured_at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "gpu": gpu,
        "model": a.title,
        "weights": f"random, bf16, {a.parameters} parameters",
        "architecture": ", ".join(f"{name} {getattr(a, name)}" for name in (
            "layers", "hidden", "heads", "kv_heads", "head_dim", "intermediate", "vocabulary")),
        "torch": torch.__version__,
        "cuda": str(torch.version.cuda) if device.type == "cuda" else "none",
        "timer": "CUDA events" if device.type == "cuda" else "processor clock",
        "threads": str(torch.get_num_threads()),
        "seed": str(plan.seed),
        "points": str(len(plan.points)),
        "leaves_out": "scheduling; network; tokenization",
    }


def _processor() -> str:
    return f"CPU {platform.machine()}"


def _noted(states: list[dict[str, str]]) -> dict[str, str]:
    """Clocks, power and temperature before the run and after each round."""
    noted = {}
    for name in (states[0] if states else {}):
        values = [state.get(name, "") for state in states]
        noted[f"nvidia_smi.{name}"] = values[0] if len(set(values)) == 1 else "; ".join(values)
    return noted
