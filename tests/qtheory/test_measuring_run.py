"""The whole measuring path on the processor: run, raw CSV, profiles, and what cannot be measured."""

from __future__ import annotations

import gc
import json
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra gpu)")

from qtheory import profiles  # noqa: E402
from qtheory.cli import main  # noqa: E402
from qtheory.errors import InputError  # noqa: E402
from qtheory.models.laws import MixedQuadraticLaw, PrefillDecodeLaw  # noqa: E402
from qtheory.profiles.measurements import read, series_names  # noqa: E402
from qtheory.profiles.measuring import decoder, harness, record, telemetry  # noqa: E402
from qtheory.profiles.measuring.architectures import architecture  # noqa: E402
from qtheory.profiles.measuring.design import QUICK, Point, points  # noqa: E402

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
                "rounds", "run_seconds", "kv_bytes_per_token", "kv_capacity_tokens"):
        assert data.provenance[key], key
    assert data.provenance["model"] == "small" and data.leaves_out == ("scheduling", "network", "tokenization")


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


class Capture:
    """In place of ``torch.cuda.graph``: raises what it is told to."""

    error: Exception | None = None

    def __init__(self, graph: object, pool: object) -> None:
        self.pool = pool

    def __enter__(self) -> None:
        if Capture.error is not None:
            raise Capture.error

    def __exit__(self, *error: object) -> None:
        pass


class Graph:
    """In place of ``torch.cuda.CUDAGraph``: counts its replays."""

    replays = 0

    def replay(self) -> None:
        Graph.replays += 1


def test_short_iterations_are_replayed_as_graphs_that_keep_their_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "CUDAGraph", Graph)
    monkeypatch.setattr(torch.cuda, "graph", Capture)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    small = decoder.Decoder(architecture("small"), torch.device("cpu"), 0)
    pool = small.cache(1000)
    iteration = small.iteration(Point("decode", 4, 8), pool)
    alive = weakref.ref(iteration)
    runner, how = harness._runner(iteration, graphs=object())
    del iteration
    gc.collect()
    runner()
    assert how == "graph" and Graph.replays == 1 and alive() is not None  # else the graph reads freed token ids
    assert harness._runner(small.iteration(Point("p", chunk=513), pool), object())[1] == "eager"
    assert harness._runner(small.iteration(Point("p", chunk=8), pool), None)[1] == "eager"
    monkeypatch.setattr(Capture, "error", RuntimeError("operation not permitted when stream is capturing"))
    assert harness._runner(small.iteration(Point("p", chunk=8), pool), object())[1] == "eager"
    monkeypatch.setattr(Capture, "error", torch.OutOfMemoryError("out of memory"))
    with pytest.raises(torch.OutOfMemoryError):
        harness._runner(small.iteration(Point("p", chunk=8), pool), object())


def test_another_error_is_not_taken_for_scarce_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: decoder.Decoder, point: Point, pool: torch.Tensor) -> decoder.Iteration:
        raise RuntimeError("illegal instruction")

    monkeypatch.setattr(decoder.Decoder, "iteration", broken)
    with pytest.raises(RuntimeError, match="illegal instruction"):
        harness.measure(harness.Plan(architecture("small"), (Point("p", chunk=8),), "cpu", rounds=3))


def test_a_spent_budget_ends_after_three_rounds() -> None:
    plan = harness.Plan(architecture("small"), (Point("p", chunk=8),), "cpu", rounds=50, budget_s=1e-9)
    assert len(harness.measure(plan).order) == 3


def test_the_command_writes_what_profile_fit_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    torch.set_num_threads(1)
    arguments = ("measure", "small", "--device", "cpu", "--quick", "--rounds", "3", "--name", NAME, "-o", str(tmp_path))
    status, out, err = run(capsys, *arguments, "--format", "json")
    assert (status, err) == (0, "")
    shown = json.loads(out)
    assert {p["series"] for p in shown["points"]} == {p.series for p in points(QUICK)}
    assert str(tmp_path / f"{NAME}.csv") in shown["files"] and str(tmp_path / f"{NAME}.toml") in shown["files"]
    assert sorted(str(path) for path in tmp_path.iterdir()) == sorted(shown["files"])
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
    monkeypatch.setattr(harness, "free_memory", lambda: 10**9)
    with pytest.raises(InputError, match=r"the weights of Qwen3-8B take 16\.4 GB, 1\.0 GB are free on the cpu device"):
        harness.measure(harness.Plan(architecture("qwen3-8b"), (Point("p", chunk=8),), "cpu"))


def test_without_pytorch_the_extra_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("qtheory.profiles.measuring.")]:
        monkeypatch.delitem(sys.modules, name)
    import qtheory.profiles.measuring as package

    for name in ("harness", "record", "decoder"):
        monkeypatch.delattr(package, name, raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    status, out, err = run(capsys, "measure", "small", "-o", str(tmp_path))
    assert (status, out, err.count("\n")) == (2, "", 1) and "pip install 'qtheory-llm[gpu]'" in err


def test_clocks_and_power_are_read_off_nvidia_smi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 'NVIDIA H200, 570.1, 1980, 3201, 1980, 121.5, 700.0, 34, 0x0'\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    state = telemetry.gpu_state(0)
    assert state["clocks.sm"] == "1980" and state["power.draw"] == "121.5" and state["name"] == "NVIDIA H200"
    noted = harness._noted([state, state | {"power.draw": "650.0"}])
    assert noted["nvidia_smi.power.draw"] == "121.5; 650.0" and noted["nvidia_smi.clocks.sm"] == "1980"
    tool.write_text("#!/bin/sh\nexit 9\n")
    assert telemetry.gpu_state(0) == {}
    monkeypatch.setenv("PATH", str(tmp_path / "absent"))
    assert telemetry.gpu_state(0) == {}
