"""Where iterations run and are timed: the processor, or one NVIDIA GPU with its events, graphs and identity."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable
from time import perf_counter
from typing import Any, Protocol

import torch

from qtheory.errors import InputError
from qtheory.profiles.measuring.telemetry import Reading, free_memory

Runner = Callable[[], object]

# cudaMalloc, cuBLAS, cuDNN and the processor's allocator each say it in words of their own.
_MEMORY = re.compile(r"out of memory|not enough memory|cudaErrorMemoryAllocation|(?:can't|cannot|could not|unable to|"
                     r"failed to) allocate|_ALLOC_FAILED|_ALLOCATION_FAILED", re.IGNORECASE)


class Device(Protocol):
    """What the harness asks of a device.

    ``name``: cuda or cpu; ``place``: where tensors are put; ``timer``: what tells the time; ``copies``: how many pools
    hold an iteration's intermediate results at once.
    """

    name: str
    place: torch.device
    timer: str
    copies: int

    def elapsed(self, runner: Runner, times: int) -> float:
        """Seconds that so many runs in a row take, from an idle device to the last one's end."""

    def captured(self, runner: Runner, *, lasting: bool = True) -> tuple[Runner, str | None]:
        """What replays the runner as a graph, and None; or the runner itself, and why it cannot be replayed.

        ``lasting``: kept for the whole measurement, its intermediate results beside those of the other lasting ones.
        """

    def memory(self) -> tuple[int, int]:
        """Bytes free and bytes in all, as far as this process may use them."""

    def release(self) -> None:
        """Give back what PyTorch holds in reserve."""

    def provenance(self) -> dict[str, str]:
        """What the device and its libraries are."""

    def observed(self, load: Runner) -> dict[str, str]:
        """Clocks, power and temperature while ``load`` runs over and over; empty where nothing tells them."""


class Processor:
    """The processor, timed by its own clock."""

    name = "cpu"
    place = torch.device("cpu")
    timer = "processor clock"
    copies = 1

    def elapsed(self, runner: Runner, times: int) -> float:
        begun = perf_counter()
        for _ in range(times):
            runner()
        return perf_counter() - begun

    def captured(self, runner: Runner, *, lasting: bool = True) -> tuple[Runner, str | None]:
        return runner, "a processor has no graphs"

    def memory(self) -> tuple[int, int]:
        free = free_memory()
        return free, free

    def release(self) -> None:
        pass

    def provenance(self) -> dict[str, str]:
        return {"gpu": f"CPU {platform.machine()}", "cuda": "none"}

    def observed(self, load: Runner) -> dict[str, str]:
        return {}


class Gpu:
    """The current CUDA device. Raises InputError where PyTorch has none that it can use."""

    name = "cuda"
    timer = "CUDA events"
    copies = 2  # the eager allocator's and the graphs' own

    def __init__(self) -> None:
        if not torch.cuda.is_available():
            raise InputError(f"no NVIDIA GPU that PyTorch {torch.__version__} can use; --device cpu measures the "
                             "processor, for which the architecture small is meant")
        self.place = torch.device("cuda", torch.cuda.current_device())
        self._properties: Any = torch.cuda.get_device_properties(self.place)
        self._graphs = torch.cuda.graph_pool_handle()

    @property
    def uuid(self) -> str | None:
        """The GPU's UUID as the driver's tools know it: torch's index counts the visible GPUs alone, theirs all."""
        found = getattr(self._properties, "uuid", None)
        if found is None:
            return None
        text = str(found)
        return text if text.startswith(("GPU-", "MIG-")) else f"GPU-{text}"

    def elapsed(self, runner: Runner, times: int) -> float:
        torch.cuda.synchronize(self.place)
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(times):
            runner()
        end.record()
        end.synchronize()
        return float(start.elapsed_time(end)) / 1000

    def captured(self, runner: Runner, *, lasting: bool = True) -> tuple[Runner, str | None]:
        """One pool serves the lasting graphs: none reads what another has left there, in whatever order they run."""
        graph, stream = torch.cuda.CUDAGraph(), torch.cuda.current_stream(self.place)
        try:
            with torch.cuda.graph(graph, pool=self._graphs if lasting else None):
                runner()
        except RuntimeError as error:
            reason = "out of memory" if out_of_memory(error) else first_line(error)
        else:
            return Replay(graph, runner), None
        del graph
        torch.cuda.set_stream(stream)  # a capture that fails at its end leaves its own stream behind
        torch.cuda.synchronize(self.place)
        self.release()
        return runner, reason

    def memory(self) -> tuple[int, int]:
        free, total = torch.cuda.mem_get_info(self.place)
        return int(free), int(total)

    def release(self) -> None:
        torch.cuda.empty_cache()

    def provenance(self) -> dict[str, str]:
        return {
            "gpu": torch.cuda.get_device_name(self.place),
            "gpu_uuid": self.uuid or "not told",
            "gpu_memory": str(self._properties.total_memory),
            "compute_capability": f"{self._properties.major}.{self._properties.minor}",
            "cuda": str(torch.version.cuda),
            "cudnn": str(torch.backends.cudnn.version()),
        }

    def observed(self, load: Runner) -> dict[str, str]:
        """The load runs from before the question until after the answer, and no time is taken meanwhile."""
        if self.uuid is None:
            return {}
        load()
        reading = Reading(self.uuid)
        while not reading.done():
            self.elapsed(load, 1)
        return reading.state


class Replay:
    """Replays a graph; ``runner`` owns the token ids and positions that the graph reads, and lives as long."""

    def __init__(self, graph: torch.cuda.CUDAGraph, runner: Runner) -> None:
        self.graph, self.runner = graph, runner

    def __call__(self) -> None:
        self.graph.replay()


def device(name: str) -> Device:
    """The device of that name, cuda or cpu; raises InputError for another, and where there is no such GPU."""
    if name not in ("cuda", "cpu"):
        raise InputError(f"device {name!r}: cuda or cpu is wanted")
    return Gpu() if name == "cuda" else Processor()


def out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out, of the device or of the machine: by the error, or by one in whose handling it rose.

    A capture whose memory ran out ends in an error of the capture; what ran out stands behind it.
    """
    known: BaseException | None = error
    while known is not None:
        if isinstance(known, torch.OutOfMemoryError | MemoryError):
            return True
        if isinstance(known, RuntimeError) and _MEMORY.search(str(known)):
            return True
        known = known.__cause__ or known.__context__
    return False


def first_line(error: BaseException) -> str:
    """The error's kind and the first line of its message, at most 200 characters."""
    message = next(iter(str(error).strip().splitlines()), "")
    return f"{type(error).__name__}: {message}"[:200]
