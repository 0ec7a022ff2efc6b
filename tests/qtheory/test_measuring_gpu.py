"""The CUDA part of the harness against a CUDA that is not there: its tensors lie on the processor, its graphs record
the real operators of a capture and run them again, its events tell the processor's time."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra gpu)")

from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

from qtheory.errors import InputError  # noqa: E402
from qtheory.profiles.measuring import decoder, devices, harness, record  # noqa: E402
from qtheory.profiles.measuring.architectures import architecture  # noqa: E402
from qtheory.profiles.measuring.design import QUICK, Point, points  # noqa: E402
from qtheory.profiles.measuring.harness import Run  # noqa: E402
from qtheory.profiles.measuring.telemetry import Reading  # noqa: E402

UUID = "5f2c1c1e-0000-4444-8888-123456789abc"


class Event:
    def __init__(self, enable_timing: bool) -> None:
        assert enable_timing

    def record(self) -> None:
        self.at = perf_counter()

    def synchronize(self) -> None:
        self.at = perf_counter()

    def elapsed_time(self, end: Event) -> float:
        return 1000 * (end.at - self.at)


class Operators(TorchDispatchMode):
    """Keeps each operator with its arguments."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, Any, Any]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.calls.append((func, args, kwargs or {}))
        return func(*args, **(kwargs or {}))


class CUDAGraph:
    replays = 0

    def __init__(self) -> None:
        self.operators = Operators()

    def replay(self) -> None:
        CUDAGraph.replays += 1
        with torch.inference_mode():
            for func, args, kwargs in self.operators.calls:
                func(*args, **kwargs)


class Capture:
    """In place of ``torch.cuda.graph``; ``error`` is what its end raises, as CUDA's does."""

    error: Exception | None = None
    pools: ClassVar[list[object]] = []

    def __init__(self, graph: CUDAGraph, pool: object) -> None:
        self.graph = graph
        Capture.pools.append(pool)

    def __enter__(self) -> None:
        self.graph.operators.__enter__()

    def __exit__(self, *error: object) -> None:
        self.graph.operators.__exit__(*error)
        if Capture.error is not None:
            raise Capture.error


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The absent CUDA, in place; what was asked of it."""
    asked: list[str] = []
    properties = SimpleNamespace(uuid=UUID, total_memory=10**9, major=9, minor=0)
    place = torch.device("cpu")
    for name, value in {
        "is_available": lambda: True, "current_device": lambda: 0, "get_device_properties": lambda at: properties,
        "get_device_name": lambda at: "Drawn GPU", "graph_pool_handle": lambda: "the pool", "Event": Event,
        "CUDAGraph": CUDAGraph, "graph": Capture, "current_stream": lambda at: "the stream",
        "set_stream": lambda stream: asked.append(f"set {stream}"), "synchronize": lambda at: asked.append("wait"),
        "empty_cache": lambda: asked.append("empty"), "mem_get_info": lambda at: (9 * 10**8, 10**9),
    }.items():
        monkeypatch.setattr(torch.cuda, name, value)
    monkeypatch.setattr(torch.backends.cudnn, "version", lambda: 91002)
    monkeypatch.setattr(devices.Gpu, "place", property(lambda self: place, lambda self, value: None), raising=False)
    monkeypatch.setattr(Capture, "error", None)
    monkeypatch.setattr(Capture, "pools", [])
    torch.set_num_threads(1)
    yield asked


def tool(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    path = folder / "nvidia-smi"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


ANSWER = f"echo 'Drawn GPU, GPU-{UUID}, 570.1, 1980, 3201, 1980, 650.5, 700.0, 61, 99, 0x0'"


@pytest.mark.slow
def test_a_whole_run(gpu: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path, monkeypatch, f'echo "$@" >> {tmp_path}/asked\n{ANSWER}')
    run = harness.measure(harness.Plan(architecture("small"), tuple(points(QUICK)), "cuda", rounds=3, command="me"))
    assert {len(times) for times in run.seconds.values()} == {3} and not run.skipped
    assert {mode for mode, _ in run.modes.values()} == {"graph"}  # whatever the number of tokens
    noted = run.provenance
    assert (noted["gpu"], noted["gpu_uuid"], noted["driver"]) == ("Drawn GPU", f"GPU-{UUID}", "570.1")
    assert (noted["cudnn"], noted["compute_capability"], noted["timer"]) == ("91002", "9.0", "CUDA events")
    assert noted["command"] == "me" and noted["nvidia_smi.power.draw"] == "650.5" and "graph_faults" not in noted
    queries = (tmp_path / "asked").read_text().splitlines()
    assert len(queries) == 4 and all(f"--id=GPU-{UUID} " in query for query in queries)  # before, after each round
    text = record.csv_text(run)
    assert "# cudnn: 91002" in text and ",graph," in text and ",eager," not in text
    assert {f.name for f in record.fitted(text, "x.csv", "x") if f.profile} >= {"x", "x-prefill", "x-decode"}


@pytest.mark.slow
def test_a_replayed_graph_computes_the_iteration(gpu: list[str]) -> None:
    """The operators that the graph repeats write the same keys and values as the iteration itself."""
    small = decoder.Decoder(architecture("small"), devices.device("cuda"), 0)
    pool = small.cache(1000)
    iteration = small.iteration(Point("chunk", 3, 8, 700, 50), pool)  # a long chunk is replayed as well
    iteration.run()
    expected = pool.clone()
    runner, obstacle = small.device.captured(iteration.run)
    assert obstacle is None
    pool[:, :, 8] = 0  # the first request's new key
    pool[:, :, 27 + 50:27 + 750] = 0  # the chunk's
    runner()
    torch.testing.assert_close(pool, expected)
    alive, before = weakref.ref(iteration), CUDAGraph.replays
    del iteration
    gc.collect()
    runner()
    assert CUDAGraph.replays == before + 1 and alive() is not None  # else the graph reads freed token ids


def test_trials_of_backends_are_replayed_from_pools_of_their_own(gpu: list[str]) -> None:
    small = decoder.Decoder(architecture("small"), devices.device("cuda"), 0)
    iteration = small.iteration(Point("decode", 4, 8), small.cache(100))
    assert Capture.pools == [None, None]  # flash and math, the two that a processor has
    small.device.captured(iteration.run)
    assert Capture.pools[2:] == ["the pool"]


@pytest.mark.parametrize(("error", "reason"), [
    (RuntimeError("CUDA error: operation not permitted when stream is capturing\nmore"),
     "RuntimeError: CUDA error: operation not permitted when stream is capturing"),
    (torch.OutOfMemoryError("CUDA out of memory"), "out of memory"),
])
def test_what_cannot_be_captured_runs_as_it_is(
    gpu: list[str], monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    monkeypatch.setattr(Capture, "error", error)
    monkeypatch.setattr(devices.Gpu, "observed", lambda self, load: {})
    found = harness.measure(harness.Plan(architecture("small"), (Point("p", chunk=8),), "cuda", rounds=3))
    assert [mode for mode, _ in found.modes.values()] == ["eager"] and len(found.order) == 3
    assert found.provenance["graph_faults"] == reason
    assert "set the stream" in gpu and "empty" in gpu


def test_memory_that_runs_out_in_a_replay_costs_that_point_alone(
    gpu: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices.Gpu, "observed", lambda self, load: {})
    plain, chosen = CUDAGraph.replay, (Point("p", chunk=8), Point("p", chunk=32))
    seconds: dict[Point, list[float]] = {}

    def scarce(self: CUDAGraph) -> None:
        of_32 = any(getattr(a, "shape", ())[:1] == (32,) for _, args, _ in self.operators.calls for a in args)
        if of_32 and len(seconds.get(chosen[1], [])) == 1:
            raise RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`")
        plain(self)

    monkeypatch.setattr(CUDAGraph, "replay", scarce)
    monkeypatch.setattr(harness, "Run", lambda plan: Run(plan, seconds=seconds))
    found = harness.measure(harness.Plan(architecture("small"), chosen, "cuda", rounds=3))
    assert found.skipped == {chosen[1]: "out of memory in round 2"} and set(found.order) == {chosen[0]}
    assert gpu.count("empty") >= 1


def test_the_state_is_read_while_the_gpu_works(
    gpu: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tool answers only once it has seen iterations begin after its own start."""
    beats = tmp_path / "beats"
    beats.write_text("")
    tool(tmp_path, monkeypatch, f"seen=$(wc -l < {beats})\nwhile [ $(wc -l < {beats}) -lt $((seen + 3)) ]; do "
                                f"sleep 0.01; done\n{ANSWER}")

    def load() -> None:
        with beats.open("a") as handle:
            handle.write("iteration\n")

    state = devices.device("cuda").observed(load)
    assert (state["power.draw"], state["clocks.sm"], state["utilization.gpu"]) == ("650.5", "1980", "99")
    assert len(beats.read_text().splitlines()) >= 4 and gpu.count("wait") >= 3


@pytest.mark.parametrize("script", ["exit 9", f"{ANSWER}; {ANSWER}", "echo none", "sleep 60"])
def test_a_tool_that_does_not_answer_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    tool(tmp_path, monkeypatch, script.replace("sleep", "exec sleep"))
    reading = Reading("GPU-x", seconds=0.2 if "sleep" in script else 20)
    while not reading.done():
        pass
    assert reading.state == {} and reading.done()
    monkeypatch.setenv("PATH", str(tmp_path / "absent"))
    assert Reading("GPU-x").done()


def test_a_gpu_that_tells_no_uuid_is_not_asked_for_by_index(gpu: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_properties",
                        lambda at: SimpleNamespace(total_memory=1, major=7, minor=0))
    found = devices.device("cuda")
    assert found.observed(lambda: pytest.fail("no load is needed")) == {}
    assert found.provenance()["gpu_uuid"] == "not told"


def test_states_are_noted_by_round() -> None:
    state = {"driver_version": "570.1", "power.draw": "121.5", "clocks.sm": "1980"}
    noted = harness._noted([{}, state, state | {"power.draw": "650.0"}])
    assert noted["nvidia_smi.power.draw"] == "; 121.5; 650.0" and noted["driver"] == "570.1"
    assert harness._noted([{}, {}]) == {}


def test_no_gpu_is_a_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match=r"no NVIDIA GPU that PyTorch .* can use; --device cpu measures the processor"):
        devices.device("cuda")
