"""The whole measuring path on the processor: run, raw CSV, profiles, and what cannot be measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra gpu)")

from qtheory import profiles  # noqa: E402
from qtheory.cli import main  # noqa: E402
from qtheory.errors import InputError  # noqa: E402
from qtheory.models.laws import MixedQuadraticLaw, PrefillDecodeLaw  # noqa: E402
from qtheory.profiles.measurements import read, series_names  # noqa: E402
from qtheory.profiles.measuring import decoder, devices, harness, record, telemetry  # noqa: E402
from qtheory.profiles.measuring.architectures import architecture, architectures  # noqa: E402
from qtheory.profiles.measuring.design import QUICK, Point, points  # noqa: E402
from qtheory.profiles.measuring.harness import Run  # noqa: E402

NAME = "cpu-small"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(["profile", *arguments])
    out, err = capsys.readouterr()
    return int(caught.value.code or 0), out, err


@pytest.fixture(scope="module")
def measured() -> harness.Run:
    torch.set_num_threads(1)
    return harness.measure(harness.Plan(architecture("small"), tuple(points(QUICK)), "cpu", rounds=3))


@pytest.fixture(scope="module")
def text(measured: harness.Run) -> str:
    return record.csv_text(measured)


@pytest.mark.slow
def test_every_point_is_repeated_in_interleaved_order(measured: harness.Run) -> None:
    assert {len(times) for times in measured.seconds.values()} == {3} and not measured.skipped
    assert set(measured.seconds) == set(points(QUICK))
    count = len(measured.seconds)
    rounds = [measured.order[i * count:(i + 1) * count] for i in range(3)]
    assert all(set(one) == set(measured.seconds) for one in rounds)  # no point twice before all have come
    assert rounds[0] != rounds[1] != list(points(QUICK))
    assert all(min(times) > 0 for times in measured.seconds.values())
    for point, (middle, spread) in measured.medians().items():
        assert middle == np.median(measured.seconds[point]) and spread >= 0


@pytest.mark.slow
def test_more_work_takes_longer() -> None:
    torch.set_num_threads(1)
    light, heavy = Point("p", chunk=16), Point("p", chunk=1024)
    found = harness.measure(harness.Plan(architecture("small"), (light, heavy), "cpu", rounds=5)).medians()
    assert found[heavy][0] > 3 * found[light][0]


def test_memory_of_a_token_is_counted(measured: harness.Run) -> None:
    assert measured.kv_bytes_per_token == architecture("small").kv_bytes == 256
    assert 0 < measured.capacity_tokens < telemetry.free_memory() * 2 / 256


def test_the_raw_csv_holds_every_repetition_and_its_provenance(
    measured: harness.Run, text: str, tmp_path: Path
) -> None:
    path = tmp_path / f"{NAME}.csv"
    path.write_text(text)
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(rows) == 1 + 3 * len(points(QUICK))
    assert series_names(text, path) and set(series_names(text, path)) == {p.series for p in points(QUICK)}
    data = read(path, series=["decode"])
    decode = [p for p in points(QUICK) if p.series == "decode"]
    assert sorted(data.columns["tokens"].tolist()) == sorted(p.tokens for p in decode)
    for tokens, seconds in zip(data.columns["tokens"], data.seconds, strict=True):
        [point] = [p for p in decode if p.tokens == tokens]
        assert seconds == pytest.approx(measured.medians()[point][0], rel=1e-5)
    for key in ("qtheory", "measured_at", "gpu", "model", "architecture", "torch", "timer", "threads", "seed",
                "rounds", "run_seconds", "kv_bytes_per_token", "kv_capacity_tokens", "command", "python", "system"):
        assert data.provenance[key], key
    assert data.provenance["model"] == "small" and data.leaves_out == ("scheduling", "network", "tokenization")


@pytest.mark.slow
def test_profiles_are_fitted_from_its_series(text: str) -> None:
    found = {f.name: f for f in record.fitted(text, f"{NAME}.csv", NAME)}
    endings = ("prefill", "decode", "memory", "mixed-16", "mixed-128")
    assert set(found) == {NAME, *(f"{NAME}-{ending}" for ending in endings)}
    pair = found[NAME].profile
    assert pair is not None and isinstance(pair.law, PrefillDecodeLaw)
    assert pair.law_table is not None and pair.law_table.covariance is not None
    assert pair.engine == "PyTorch" and pair.kv_cache is not None and pair.kv_cache.bytes_per_token == 256
    assert f"{NAME}.csv, measured 20" in str(pair.source.measurements)
    mixed = found[f"{NAME}-mixed-128"]
    if mixed.profile is not None:  # noise may bend the parabola below zero, which is then said
        assert isinstance(mixed.profile.law, MixedQuadraticLaw) and mixed.crossover is not None
        assert mixed.profile.law_table is not None and mixed.profile.law_table.tokens == QUICK.mixed_tokens
    else:
        assert mixed.reason


def test_what_does_not_fit_is_skipped_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = decoder.Decoder.iteration

    def scarce(self: decoder.Decoder, point: Point, pool: torch.Tensor) -> decoder.Iteration:
        if point.chunk == 32:
            raise torch.OutOfMemoryError("CUDA out of memory")
        if point.chunk == 64:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes")
        return plain(self, point, pool)

    monkeypatch.setattr(decoder.Decoder, "iteration", scarce)
    huge = Point("context", decode_requests=10**6, context=10**9)
    asked = (Point("prefill", chunk=8), Point("prefill", chunk=32), Point("prefill", chunk=64), huge)
    found = harness.measure(harness.Plan(architecture("small"), asked, "cpu", rounds=3))
    assert list(found.seconds) == [asked[0]] and set(found.skipped) == set(asked[1:])
    text = record.csv_text(found)
    assert "# skipped: series prefill, 0 decode requests at 0 tokens, chunk of 32 after 0: out of memory" in text
    assert "# skipped: series context, 1000000 decode requests at 1000000000 tokens" in text
    assert "skipped: " in "\n".join(record.lines(found, record.fitted(text, "x.csv", "x")))
    with pytest.raises(InputError, match="no point fits"):
        harness.measure(harness.Plan(architecture("small"), (huge,), "cpu", rounds=3))


def test_memory_that_runs_out_in_a_later_round_costs_that_point_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The allocator refuses in the third round's run of one point: its two earlier repetitions go with it."""
    plain, runs = decoder.Iteration.run, 0
    first, third = Point("prefill", chunk=8), Point("prefill", chunk=32)

    def scarce(self: decoder.Iteration) -> torch.Tensor:
        nonlocal runs
        if self.point == third:
            runs += 1
            if len(found_so_far.get(third, [])) == 2:
                torch.empty(2**60, dtype=torch.uint8)  # the real error of PyTorch's own allocator
        return plain(self)

    found_so_far: dict[Point, list[float]] = {}
    monkeypatch.setattr(decoder.Iteration, "run", scarce)
    monkeypatch.setattr(harness, "Run", lambda plan: Run(plan, seconds=found_so_far))
    plan = harness.Plan(architecture("small"), (first, third), "cpu", rounds=5)
    found = harness.measure(plan)
    assert found.skipped == {third: "out of memory in round 3"}
    assert set(found.order) == set(found.seconds) == set(found.modes) == {first} and len(found.order) == 5
    text = record.csv_text(found)
    assert "chunk of 32 after 0: out of memory in round 3" in text and ",32,0," not in text


def test_a_backends_fault_is_noted_and_a_point_that_none_does_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = decoder.Iteration._chunk
    short, long = Point("prefill", chunk=8), Point("prefill", chunk=32)

    def faulty(self: decoder.Iteration, index: int, query: torch.Tensor) -> torch.Tensor:
        if self.point == long:
            raise RuntimeError("No available kernel. Aborting execution.")
        if torch.backends.cuda.flash_sdp_enabled():
            raise RuntimeError("CUDA error: misaligned address\nmore")
        return plain(self, index, query)

    monkeypatch.setattr(decoder.Iteration, "_chunk", faulty)
    found = harness.measure(harness.Plan(architecture("small"), (short, long), "cpu", rounds=3))
    assert found.modes[short] == ("eager", "chunk math") and set(found.seconds) == {short}
    assert found.provenance["attention_faults"] == "chunk flash: RuntimeError: CUDA error: misaligned address"
    assert found.skipped[long].startswith("no attention of PyTorch") and "out of memory" not in found.skipped[long]


@pytest.mark.parametrize(("error", "expected"), [
    (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"), True),
    (RuntimeError("CUDA error: out of memory"), True),
    (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), True),
    (RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"), True),
    (RuntimeError("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED"), True),
    (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"), True),
    (RuntimeError("[enforce fail at alloc_cpu.cpp:117] DefaultCPUAllocator: not enough memory"), True),
    (MemoryError(), True),
    (RuntimeError("CUDA error: an illegal memory access was encountered"), False),
    (RuntimeError("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED"), False),
    (RuntimeError("out of range"), False),
    (ValueError("out of memory"), False),
])
def test_what_counts_as_out_of_memory(error: Exception, expected: bool) -> None:
    assert devices.out_of_memory(error) is expected


def test_memory_that_ran_out_behind_another_error_is_seen() -> None:
    """A capture that lacks memory ends in an error of the capture."""
    with pytest.raises(RuntimeError) as caught:
        try:
            raise torch.OutOfMemoryError("CUDA out of memory")
        finally:
            raise RuntimeError("CUDA error: operation failed due to a previous error during capture")
    assert devices.out_of_memory(caught.value)


def test_weights_that_the_allocator_refuses_are_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def scarce(self: decoder.Decoder, *shape: int) -> torch.Tensor:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 1 GiB\nmore")

    monkeypatch.setattr(decoder.Decoder, "_random", scarce)
    with pytest.raises(InputError, match=r"the weights of small do not fit on the cpu device: .* allocate 1 GiB$"):
        harness.measure(harness.Plan(architecture("small"), (Point("p", chunk=8),), "cpu"))


def test_another_error_is_not_taken_for_scarce_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: decoder.Decoder, point: Point, pool: torch.Tensor) -> decoder.Iteration:
        raise RuntimeError("illegal instruction")

    monkeypatch.setattr(decoder.Decoder, "iteration", broken)
    with pytest.raises(RuntimeError, match="illegal instruction"):
        harness.measure(harness.Plan(architecture("small"), (Point("p", chunk=8),), "cpu", rounds=3))


def test_a_spent_budget_ends_after_three_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(devices.Processor, "observed", lambda self, load: asked.append(load) or {})
    chosen = tuple(Point("p", chunk=size) for size in (8, 16))
    plan = harness.Plan(architecture("small"), chosen, "cpu", rounds=50, budget_s=1e-9)
    assert len(harness.measure(plan).order) == 6
    assert len(asked) == 4  # before the first round and after three: not after 47 empty ones


@pytest.mark.slow
def test_the_command_writes_what_profile_fit_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    torch.set_num_threads(1)
    arguments = ("measure", "small", "--device", "cpu", "--quick", "--rounds", "3", "--name", NAME, "-o", str(tmp_path))
    status, out, err = run(capsys, *arguments, "--format", "json")
    assert (status, err) == (0, "")
    shown = json.loads(out)
    assert {p["series"] for p in shown["points"]} == {p.series for p in points(QUICK)}
    assert str(tmp_path / f"{NAME}.csv") in shown["files"] and str(tmp_path / f"{NAME}.toml") in shown["files"]
    assert sorted(str(path) for path in tmp_path.iterdir()) == sorted(shown["files"])
    command = "qtheory profile measure small --device cpu --quick --rounds 3 --budget 420 --seed 0"
    assert shown["provenance"]["command"] == command
    profile = profiles.load(tmp_path / f"{NAME}.toml")
    assert profile.name == NAME and isinstance(profile.law, PrefillDecodeLaw)
    again = tmp_path / "again.toml"
    status, out, _ = run(capsys, "fit", str(tmp_path / f"{NAME}.csv"), "--series", "prefill", "--series", "decode",
                         "--law", "prefill_decode", "--name", NAME, "-o", str(again))
    assert status == 0 and profiles.load(again) == profile
    status, out, _ = run(capsys, "show", str(again))
    assert "KV cache" in out and "PyTorch" in out


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_no_gpu_is_one_clear_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capsys, "measure", "qwen3-4b", "-o", str(tmp_path))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "no NVIDIA GPU that PyTorch" in err and "--device cpu" in err and not list(tmp_path.iterdir())


@pytest.mark.parametrize(("arguments", "words"), [
    (["smal"], "unknown architecture 'smal'; nearest: small"),
    (["small", "--device", "tpu"], "device 'tpu': cuda or cpu is wanted"),
    (["small", "--device", "cpu", "--rounds", "2"], "rounds is 2; a median and its spread need at least 3"),
    (["small", "--device", "cpu", "--budget", "0"], "budget is 0 s; a positive number"),
    (["small", "--device", "cpu", "--budget", "nan"], "budget is nan s; a positive number"),
    (["small", "--name", "No Name"], "such as 'no-name'"),
    (["small", "-o", "absent"], "absent: not a folder"),
])
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, "measure", *arguments, *([] if "-o" in arguments else ["-o", "."]))
    assert (status, out, err.count("\n")) == (2, "", 1) and words in err
    assert not list(tmp_path.iterdir())


def test_weights_that_do_not_fit_are_said_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "free_memory", lambda: 10**9)
    with pytest.raises(InputError, match=r"the weights of Qwen3-8B take 16\.4 GB, 1\.0 GB are free on the cpu device"):
        harness.measure(harness.Plan(architecture("qwen3-8b"), (Point("p", chunk=8),), "cpu", large_on_cpu=True))


@pytest.mark.parametrize("name", [name for name in architectures() if name != "small"])
def test_a_processor_is_not_given_gigabytes_without_a_word(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(*arguments: object) -> None:
        raise AssertionError("weights were drawn")

    monkeypatch.setattr(harness, "Decoder", made)
    status, out, err = run(capsys, "measure", name, "--device", "cpu", "-o", str(tmp_path))
    assert (status, out, err.count("\n")) == (2, "", 1) and not list(tmp_path.iterdir())
    assert "GB of weights" in err and "the architecture small" in err and "--large-on-cpu" in err
    monkeypatch.setattr(devices, "free_memory", lambda: 10**12)
    with pytest.raises(AssertionError, match="weights were drawn"):  # the flag is deliberate: then it goes on
        harness.measure(harness.Plan(architecture(name), (Point("p", chunk=8),), "cpu", large_on_cpu=True))


def test_without_pytorch_the_extra_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("qtheory.profiles.measuring.")]:
        monkeypatch.delitem(sys.modules, name)
    import qtheory.profiles.measuring as package

    for name in ("harness", "record", "decoder", "devices"):
        monkeypatch.delattr(package, name, raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    status, out, err = run(capsys, "measure", "small", "-o", str(tmp_path))
    assert (status, out, err.count("\n")) == (2, "", 1) and "pip install 'qtheory-llm[gpu]'" in err


def test_free_memory_is_that_of_the_container(tmp_path: Path) -> None:
    proc = tmp_path / "meminfo"
    proc.write_text("MemTotal: 64000000 kB\nMemAvailable:   32000000 kB\n")
    assert telemetry.free_memory(proc, tmp_path) == 32_000_000 * 1024
    (tmp_path / "memory.max").write_text("8000000000\n")
    (tmp_path / "memory.current").write_text("5000000000\n")
    (tmp_path / "memory.stat").write_text("anon 1\ninactive_file 1000000000\n")
    assert telemetry.free_memory(proc, tmp_path) == 4_000_000_000
    (tmp_path / "memory.max").write_text("max\n")
    assert telemetry.free_memory(proc, tmp_path) == 32_000_000 * 1024
    assert telemetry.free_memory(tmp_path / "absent", tmp_path) > 0
