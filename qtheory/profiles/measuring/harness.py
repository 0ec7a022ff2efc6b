"""The measuring run: points prepared, timed in interleaved order, and what could not be measured recorded."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from time import perf_counter

import numpy as np
import torch
from torch import Tensor

from qtheory.errors import InputError
from qtheory.profiles.measuring.architectures import BYTES, Architecture
from qtheory.profiles.measuring.decoder import Decoder
from qtheory.profiles.measuring.design import Point
from qtheory.profiles.measuring.devices import Device, Runner, first_line, out_of_memory
from qtheory.profiles.measuring.devices import device as chosen

_USABLE = 0.9  # share of the device's memory that weights, activations and cache may take
_LEAST_ROUNDS = 3
_STRETCH = 5e-3  # seconds that one repetition lasts at least, by running the iteration several times
_WARM_UPS = 3
_PROCESSORS = 10**8  # weights beyond which a processor is measured only where that is asked for


@dataclass(frozen=True)
class Plan:
    """What to measure: ``rounds`` repetitions of every point, fewer when ``budget_s`` seconds are spent, never < 3.

    ``large_on_cpu``: a processor is to run what takes gigabytes; ``command``: the command line, for the provenance.
    """

    architecture: Architecture
    points: tuple[Point, ...]
    device: str = "cuda"
    rounds: int = 7
    budget_s: float = 420.0
    seed: int = 0
    large_on_cpu: bool = False
    command: str = ""

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

    def skip(self, point: Point, reason: str) -> None:
        """Record why a point has no times; those it may have are dropped."""
        self.skipped[point] = reason
        self.seconds.pop(point, None)
        self.modes.pop(point, None)
        self.order = [other for other in self.order if other != point]

    def note(self, key: str, found: Iterable[str]) -> None:
        """Add to the provenance what it does not say yet."""
        known = [part for part in self.provenance.get(key, "").split("; ") if part]
        if all_of := list(dict.fromkeys([*known, *found])):
            self.provenance[key] = "; ".join(all_of)


def measure(plan: Plan, report: Callable[[float, float], None] = lambda done, of: None) -> Run:
    """Measure the plan's points; ``report`` is told (repetitions done, of how many).

    Raises InputError where the device is absent, cannot hold the weights, or is not meant for the architecture. A point
    for which memory runs out, before or in the middle, is skipped and recorded.
    """
    started = perf_counter()
    device = chosen(plan.device)
    _check_room(plan, device)
    run = Run(plan)
    run.provenance = _provenance(plan, device)
    decoder = _decoder(plan, device)
    pool = _pool(run, decoder)
    ready = _prepare(run, decoder, pool)
    states = _rounds(run, device, ready, started, report)
    if not run.seconds:
        raise InputError(f"no point fits: {next(iter(run.skipped.values()))}")
    run.provenance |= _noted(states) | {
        "rounds": str(max(len(times) for times in run.seconds.values())),
        "run_seconds": f"{perf_counter() - started:.1f}",
        "kv_bytes_per_token": f"{run.kv_bytes_per_token:g}",
        "kv_capacity_tokens": str(run.capacity_tokens),
    }
    return run


def _check_room(plan: Plan, device: Device) -> None:
    a = plan.architecture
    needed = a.parameters * BYTES
    if device.name == "cpu" and a.parameters > _PROCESSORS and not plan.large_on_cpu:
        raise InputError(f"{a.title} on the processor: {needed / 1e9:.1f} GB of weights and many seconds an iteration; "
                         "--device cpu is meant for the architecture small (--large-on-cpu measures it all the same)")
    free, _ = device.memory()
    if needed > _USABLE * free:
        raise InputError(f"the weights of {a.title} take {needed / 1e9:.1f} GB, {free / 1e9:.1f} GB are free on the "
                         f"{device.name} device")


def _decoder(plan: Plan, device: Device) -> Decoder:
    try:
        return Decoder(plan.architecture, device, plan.seed)
    except (RuntimeError, MemoryError) as error:
        if not out_of_memory(error):
            raise
        raise InputError(f"the weights of {plan.architecture.title} do not fit on the {device.name} device: "
                         f"{first_line(error)}") from None


def _pool(run: Run, decoder: Decoder) -> Tensor:
    """The KV cache of the largest point that fits; the capacity is noted."""
    kv, device = decoder.architecture.kv_bytes, decoder.device
    small = decoder.cache(1)
    run.kv_bytes_per_token = small.numel() * small.element_size()
    del small
    free, total = device.memory()
    largest = max(point.tokens for point in run.plan.points)
    room = free - (1 - _USABLE) * total - device.copies * largest * _activation_bytes(decoder.architecture)
    run.capacity_tokens = max(0, int(room // kv))
    wanted = [p.resident_tokens for p in run.plan.points if p.resident_tokens <= run.capacity_tokens]
    size = max(wanted, default=0)
    while size:
        try:
            return decoder.cache(size)
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error):
                raise
        device.release()
        size //= 2  # what is fragmented cannot be taken in one piece
    raise InputError(f"no point fits beside the weights of {decoder.architecture.title}: {run.capacity_tokens} tokens "
                     "of KV cache do")


def _activation_bytes(a: Architecture) -> int:
    """Bytes of one token's largest intermediate results: residual, joint products of the MLP, logits."""
    return BYTES * (4 * a.hidden + 3 * a.intermediate + 3 * a.heads * a.head_dim + a.vocabulary)


@dataclass(frozen=True)
class Ready:
    """A point with what runs its iteration, and how often in one repetition."""

    point: Point
    runner: Runner
    times: int


def _prepare(run: Run, decoder: Decoder, pool: Tensor) -> list[Ready]:
    """The points that fit, warmed up; those that do not are recorded."""
    ready = []
    for point in run.plan.points:
        if point.resident_tokens > pool.shape[2]:
            run.skipped[point] = (f"out of memory: {point.resident_tokens} tokens in the KV cache, "
                                  f"{pool.shape[2]} fit")
            continue
        try:
            ready.append(_made_ready(run, decoder, point, pool))
            continue
        except InputError as error:  # no attention does this point: no reason to lose the others
            run.skip(point, str(error))
            continue
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error):
                raise
        run.skip(point, "out of memory: the iteration's intermediate results do not fit")
        decoder.device.release()  # after the handler, whose error holds what was allocated
    return ready


def _made_ready(run: Run, decoder: Decoder, point: Point, pool: Tensor) -> Ready:
    iteration = decoder.iteration(point, pool)
    for _ in range(_WARM_UPS):
        iteration.run()
    runner, obstacle = decoder.device.captured(iteration.run)
    runner()
    seconds = decoder.device.elapsed(runner, 1)
    run.modes[point] = ("graph" if obstacle is None else "eager", iteration.attention)
    run.note("attention_faults", iteration.faults)
    if decoder.device.name == "cuda" and obstacle is not None:
        run.note("graph_faults", [obstacle])
    return Ready(point, runner, max(1, min(100, math.ceil(_STRETCH / max(seconds, 1e-6)))))


def _rounds(
    run: Run, device: Device, ready: list[Ready], started: float, report: Callable[[float, float], None]
) -> list[dict[str, str]]:
    """Time the points round by round, each round in an order of its own, until the budget is spent; the device's
    states under the load of the largest point, before the first round and after each."""
    plan, rng, done = run.plan, np.random.default_rng(run.plan.seed), 0
    states = [_state(device, ready)]
    for number in range(plan.rounds):
        for each in [ready[i] for i in rng.permutation(len(ready))]:
            if number >= _LEAST_ROUNDS and perf_counter() - started > plan.budget_s:
                return states
            done += 1
            if not _repeated(run, device, each, number):
                ready = [other for other in ready if other.point != each.point]
                device.release()
            report(done, plan.rounds * max(len(ready), 1))
        states.append(_state(device, ready))
    return states


def _state(device: Device, ready: list[Ready]) -> dict[str, str]:
    largest = max(ready, key=lambda each: each.point.tokens, default=None)
    if largest is None:
        return {}
    try:
        return device.observed(largest.runner)
    except RuntimeError as error:
        if not out_of_memory(error):
            raise
        return {}


def _repeated(run: Run, device: Device, each: Ready, number: int) -> bool:
    """Time one repetition; where memory runs out skip the point with all its repetitions, and say False."""
    try:
        each.runner()  # the point before has left other weights and keys in the caches
        seconds = device.elapsed(each.runner, each.times) / each.times
    except (RuntimeError, MemoryError) as error:
        if not out_of_memory(error):
            raise
        run.skip(each.point, f"out of memory in round {number + 1}")
        return False
    run.seconds.setdefault(each.point, []).append(seconds)
    run.order.append(each.point)
    return True


def _provenance(plan: Plan, device: Device) -> dict[str, str]:
    a = plan.architecture
    return device.provenance() | {
        "qtheory": version("qtheory-llm"),
        "measured_at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": plan.command or "none: called from Python",
        "model": a.title,
        "weights": f"random, bf16, {a.parameters} parameters",
        "architecture": ", ".join(f"{name} {getattr(a, name)}" for name in (
            "layers", "hidden", "heads", "kv_heads", "head_dim", "intermediate", "vocabulary")),
        "torch": torch.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "timer": device.timer,
        "threads": str(torch.get_num_threads()),
        "seed": str(plan.seed),
        "points": str(len(plan.points)),
        "leaves_out": "scheduling; network; tokenization",
    }


def _noted(states: list[dict[str, str]]) -> dict[str, str]:
    """The driver; clocks, power and temperature under load, before the first round and after each."""
    noted = {"driver": driver} if (driver := next((s["driver_version"] for s in states if s), None)) else {}
    for name in dict.fromkeys(name for state in states for name in state):
        values = [state.get(name, "") for state in states]
        noted[f"nvidia_smi.{name}"] = values[0] if len(set(values)) == 1 else "; ".join(values)
    return noted
