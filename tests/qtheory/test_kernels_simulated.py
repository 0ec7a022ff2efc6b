"""The sum of measured kernels as the simulator's clock: the same times, and the same runs as iteration by iteration."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from kernel_files import TABLES, write

from qtheory.errors import InputError
from qtheory.profiles import kernels
from qtheory.profiles.kernels import Batch, Engine, Shape
from qtheory.profiles.kernels.closed_loop import disaggregated
from qtheory.profiles.kernels.shapes import Experts
from qtheory.simulate import KernelTime, LLMEngine, RequestClass, run_engine
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_kernels import kernel_sum
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.laws import Deterministic
from qtheory.simulate.scenarios import parse

MIXTURE = Experts(count=8, active=2, intermediate=32)
SMALL = Shape(title="small", source="nobody", layers=3, hidden=64, heads=8, kv_heads=4, head_dim=16, vocabulary=512,
              intermediate=256)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(kernels.tables("gpu", "vllm", write(tmp_path)), SMALL)


def drawn(rng: np.random.Generator, longest: int) -> Batch:
    decodes = rng.integers(1, longest, int(np.exp(rng.uniform(0, np.log(300)))))
    chunks = [(int(rng.integers(1, longest // 2)), int(rng.integers(0, 2) * rng.integers(1, longest // 2)))
              for _ in range(int(rng.integers(0, 4)))]
    return Batch(chunks, list(decodes), finishing=int(rng.integers(0, len(chunks) + 1)))


class Law(NamedTuple):
    """A law's parameters: compiled code is given arrays in a tuple."""

    parameters: np.ndarray


@compiled
def one_sum(law: Law, tokens: int, chunks: int, whole: float, work: float, decodes: int, held: float,
            sampled: int) -> float:
    return kernel_sum(law.parameters, tokens, chunks, whole, work, decodes, held, sampled)


def summed(time: KernelTime, batch: Batch) -> float:
    ends = [(chunk + before, before) for chunk, before in batch.prefill]
    whole, work = float(sum(e * e for e, _ in ends)), float(sum(e * e - b * b for e, b in ends))
    tokens = sum(chunk for chunk, _ in batch.prefill) + len(batch.decode)
    assert batch.finishing is not None
    return one_sum(Law(time.encode()[1]), tokens, len(ends), whole, work, len(batch.decode),
                   float(sum(batch.decode)), len(batch.decode) + batch.finishing)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("experts", [None, MIXTURE])
def test_the_clock_is_the_sum_of_kernels(tmp_path: Path, degree: int, experts: Experts | None) -> None:
    """Chunks after others, prompts that do not end, contexts and sequences beyond the tables included."""
    shape = Shape(title="small", source="nobody", layers=3, hidden=64, heads=8, kv_heads=4, head_dim=16,
                  vocabulary=512, intermediate=None if experts else 256, experts=experts)
    engine = Engine(kernels.tables("gpu", "vllm", write(tmp_path)), shape, degree)
    time, rng = KernelTime.of(engine), np.random.default_rng(degree)
    for batch in [drawn(rng, 9000) for _ in range(60)] + [Batch((), [200_000] * 3, 0), Batch([(30_000, 0)], (), 1)]:
        assert summed(time, batch) == pytest.approx(float(engine.seconds(batch)), rel=1e-3)


def test_what_an_engine_takes_beyond_its_kernels(engine: Engine) -> None:
    plain, more = KernelTime.of(engine), KernelTime.of(engine, 1.5, 2e-3, 3e-5)
    batch = Batch([(100, 0), (50, 7)], [300] * 5, 1)
    assert summed(more, batch) == pytest.approx(1.5 * summed(plain, batch) + 2e-3 + 7 * 3e-5, rel=1e-12)
    with pytest.raises(InputError, match="scale = 0"):
        KernelTime.of(engine, 0.0)


def one_by_one(engine: Engine, prompts: list[int], outputs: list[int], clients: int, budget: int
               ) -> list[tuple[float, float]]:
    """A closed loop in plain Python: first tokens and ends by order of arrival; every decode, then chunks in order."""
    now, sent = 0.0, 0
    waiting: list[list[int]] = []  # [number, prompt left]
    decoding: list[list[int]] = []  # [number, tokens in the cache, tokens left]
    first, last = {}, {}

    def send() -> None:
        nonlocal sent
        if sent < len(prompts):
            waiting.append([sent, prompts[sent]])
            sent += 1

    for _ in range(clients):
        send()
    while waiting or decoding:
        room, chunks, done = budget - len(decoding), [], []
        for r in waiting:
            size = min(room, r[1])
            if size > 0:
                chunks.append((size, prompts[r[0]] - r[1]))
                room, r[1] = room - size, r[1] - size
                if r[1] == 0:
                    done.append(r[0])
        now += float(engine.seconds(Batch(chunks, [c for _, c, _ in decoding], finishing=len(done))))
        waiting = [r for r in waiting if r[1]]
        for d in decoding:
            d[1:] = d[1] + 1, d[2] - 1
        ended = [d for d in decoding if d[2] == 0]
        decoding = [d for d in decoding if d[2]]
        for d in sorted(ended):
            last[d[0]] = now
            send()
        for number in done:
            first[number] = now
            decoding.append([number, prompts[number], outputs[number]])
    return [(first[i], last[i]) for i in range(len(prompts))]


@pytest.mark.later
def test_a_run_is_that_of_the_iterations_one_by_one(engine: Engine) -> None:
    """Contexts that grow within what is taken together, prompts cut into chunks, and a memory that is not short."""
    one = RequestClass("r", Deterministic(700), Deterministic(120))
    for clients, budget in ((3, 256), (12, 512)):
        model = LLMEngine((one,), KernelTime.of(engine), "sarathi", {"budget": budget}, concurrency=clients)
        wanted = one_by_one(engine, [700] * (4 * clients), [120] * (4 * clients), clients, budget)
        run = run_engine(model, horizon=wanted[-1][1] * 1.01, records=True)
        assert run.records is not None
        found = {int(r[6]): (r[2], r[3]) for r in run.records}
        for i in range(3 * clients):
            assert found[i] == pytest.approx(wanted[i], rel=2e-3)
        assert run.total(E.ITERATIONS) > 0


TEXT = """
horizon = 0.5
[engine]
policy = "sarathi"
budget = 256
concurrency = 4
time = {{kernels = {{gpu = "{gpu}", engine = "vllm", model = "llama-3.1-8b", tables = "{tables}"{more}}}}}
[[class]]
name = "r"
prompt = {{law = "deterministic", value = 100}}
output = {{law = "deterministic", value = 20}}
"""


@pytest.mark.parametrize(("gpu", "more", "said"), [
    ("gqu", "", "unknown GPU"), ("gpu", ", tensor_parallel = 0", "tensor_parallel must be a whole number"),
    ("gpu", ", memory = 3", "memory"),
])
def test_bad_kernels_of_a_scenario_are_one_line(tmp_path: Path, gpu: str, more: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        parse(TEXT.format(gpu=gpu, tables=write(tmp_path), more=more))
    assert "\n" not in str(caught.value)


@pytest.mark.later
@pytest.mark.skipif(not TABLES.is_dir(), reason="the measured kernels are not beside this checkout")
def test_measured_tables_are_met_within_half_a_percent() -> None:
    rng = np.random.default_rng(5)
    for gpu, model, degree in (("h200_sxm", "qwen3-32b", 2), ("b200_sxm", "qwen3-30b-a3b", 1)):
        engine = Engine(kernels.tables(gpu, "vllm", TABLES), kernels.shape(model), degree)
        time = KernelTime.of(engine)
        for batch in [drawn(rng, 6000) for _ in range(100)]:
            assert summed(time, batch) == pytest.approx(float(engine.seconds(batch)), rel=5e-3)


@pytest.mark.parametrize(("nodes", "clients"), [(1, 4), (1, 24), (3, 24)])
def test_prefill_on_nodes_of_its_own(engine: Engine, nodes: int, clients: int) -> None:
    """The computed closed loop beside the simulator's DistServe: where prefill binds, and where it does not."""
    found = disaggregated(engine, engine, (nodes, 1), clients, 300, 101)
    one = RequestClass("r", Deterministic(300), Deterministic(100))
    model = LLMEngine((one,), KernelTime.of(engine), "distserve",
                      {"prefill_nodes": nodes, "transfer": 0.0, "transfer_per_token": 0.0}, concurrency=clients)
    stay = found.waiting + found.first_token + 100 * found.per_token
    run = run_engine(model, horizon=60 * stay, windows=2)
    sums = run.class_sums[1].sum(axis=0)
    assert sums[E.CLASS_OUT] / run.window == pytest.approx(clients / stay, rel=0.06)
    assert sums[E.TPOT_SUM] / sums[E.TPOT_OUT] == pytest.approx(found.per_token, rel=0.08)


@pytest.mark.parametrize(("arguments", "said"), [
    (((0, 1), 4, 10, 10), "nodes = 0"), (((1, 1), 0, 10, 10), "concurrency = 0"), (((1, 1), 4, 10, 1), "output = 0")])
def test_impossible_pools(engine: Engine, arguments: tuple[object, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        disaggregated(engine, engine, *arguments)  # type: ignore[arg-type]


def test_a_scenario_names_its_kernels(tmp_path: Path, engine: Engine) -> None:
    shape = tmp_path / "small.toml"
    shape.write_text("".join(f"{k} = {v!r}\n" for k, v in SMALL.model_dump(exclude_defaults=True).items()))
    text = TEXT.format(gpu="gpu", tables=write(tmp_path), more="").replace("llama-3.1-8b", str(shape))
    model, = parse(text.replace("}}\n[[class]]", "}, scale = 1.5}\n[[class]]")).variants.values()
    assert isinstance(model, LLMEngine) and model.time == KernelTime.of(engine, 1.5)
