"""Closed loops on measured kernels: against a plain iteration-by-iteration loop, and against measured engines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from kernel_files import SHARED, TABLES, write

from qtheory.errors import InputError
from qtheory.profiles import kernels
from qtheory.profiles.kernels import Batch, Engine, Shape, overhead
from qtheory.profiles.kernels.closed_loop import Steady, steady
from qtheory.profiles.kernels.overhead import Measured, Overhead, fit, judged
from qtheory.profiles.kernels.serving import engine_for, memory, predicted, read_points

POINTS = SHARED / "gpu-serving" / "silicon_sample.csv"
needs_points = pytest.mark.skipif(not (POINTS.is_file() and TABLES.is_dir()),
                                  reason="the measured points or kernels are not beside this checkout")
SMALL = Shape(title="small", source="nobody", layers=3, hidden=64, heads=8, kv_heads=4, head_dim=16, vocabulary=512,
              intermediate=256)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(kernels.tables("gpu", "vllm", write(tmp_path)), SMALL)


def looped(engine: Engine, concurrency: int, prompt: int, output: int, budget: int) -> tuple[float, float]:
    """Mean times to the first token and per token, request by request: chunks in order of arrival."""
    now, requests = 0.0, []  # [sent, prefilled, tokens, first token's time]
    first, per_token = [], []
    for i in range(concurrency):  # begun at different stages of decoding, so that prefills are spread
        done = 1 + i * (output - 1) // concurrency
        requests.append([0.0, prompt, done, 0.0] if output > 1 else [0.0, 0, 0, 0.0])
    while len(first) < 12 * concurrency:
        decodes = [r for r in requests if r[1] == prompt]
        room, chunks = budget - len(decodes), []
        for r in sorted((r for r in requests if r[1] < prompt), key=lambda r: r[0]):
            size = min(room, prompt - r[1])
            if size > 0:
                chunks.append((r, size))
                room -= size
        batch = Batch([(size, r[1]) for r, size in chunks], [prompt + r[2] for r in decodes],
                      finishing=sum(r[1] + size == prompt for r, size in chunks))
        now += float(engine.seconds(batch))
        for r, size in chunks:
            r[1] += size
            if r[1] == prompt:
                r[2], r[3] = 1, now
        for r in decodes:
            r[2] += 1
        for r in requests:
            if r[2] >= output:
                if r[3]:
                    first.append(r[3] - r[0])
                    per_token.append((now - r[3]) / max(output - 1, 1))
                r[:] = [now, 0, 0, 0.0]
    half = len(first) // 2
    return float(np.mean(first[half:])), float(np.mean(per_token[half:]))


@pytest.mark.sliced(3)
@pytest.mark.parametrize(("concurrency", "prompt", "output", "budget"), [
    (1, 200, 20, 512), (4, 100, 60, 512), (8, 300, 100, 512), (4, 1200, 80, 512), (16, 64, 120, 256),
    (12, 600, 12, 256), (12, 600, 40, 256),
])
def test_the_steady_state_is_that_of_a_loop(
    engine: Engine, concurrency: int, prompt: int, output: int, budget: int
) -> None:
    first, per_token = looped(engine, concurrency, prompt, output, budget)
    found = steady(engine, concurrency, prompt, output, budget)
    assert found.per_token == pytest.approx(per_token, rel=0.06)
    assert found.first_token == pytest.approx(first, rel=0.05)  # prefills that meet are left out


def test_one_client_alone(engine: Engine) -> None:
    found = steady(engine, 1, 300, 50)
    assert found.first_token == pytest.approx(float(engine.seconds(Batch([(300, 0)]))), rel=1e-12)
    assert found.per_token == pytest.approx(float(engine.seconds(Batch(decode=[325]))), rel=1e-12)
    assert steady(engine, 1, 300, 1).per_token == 0


def test_requests_without_a_slot_wait_by_littles_law(engine: Engine) -> None:
    full, all_run = steady(engine, 30, 100, 40, slots=10), steady(engine, 10, 100, 40)
    assert full.running == 10 and full.waiting > 0 and all_run.waiting == 0
    assert (full.per_token, full.first_token) == (all_run.per_token, all_run.first_token)
    stay = full.first_token + 39 * full.per_token
    assert 30 / (full.waiting + stay) == pytest.approx(10 / stay)


@pytest.mark.parametrize(("arguments", "message"), [
    ((0, 1, 1), "concurrency = 0"), ((1, 0, 1), "prompt = 0"), ((1, 1, 0), "output = 0"), ((9, 5, 5, 9), "budget = 9"),
    ((9, 5, 5, 99, 0), "slots = 0"),
])
def test_impossible_loops(engine: Engine, arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        steady(engine, *arguments)


LAW = Overhead(1.2, 2e-3, 3e-5, 0.02, 1.5, 0.04)


def synthetic(noise: float, seed: int = 0, groups: tuple[str, ...] = ("one",)) -> list[Measured]:
    """Points of 24 configurations with ``noise`` in proportion, half of it common to a configuration."""
    rng = np.random.default_rng(seed)
    points = []
    for group in groups:
        for name in range(24):
            common = noise * rng.normal()
            for _ in range(8):
                kernels_ = Steady(*rng.uniform([0.02, 0, 0.002, 1, 0], [0.5, 0, 0.03, 128, 1]))
                errors = np.exp(common + noise * rng.normal(size=2))
                points.append(Measured(group, str(name), kernels_, LAW.per_token(kernels_) * errors[0],
                                       LAW.first_token(kernels_) * errors[1]))
    return points


def test_a_planted_law_is_found() -> None:
    exact = fit(synthetic(0.0))
    names = [name for name in Overhead.__dataclass_fields__ if name != "models"]
    assert [getattr(exact, n) for n in names] == pytest.approx([getattr(LAW, n) for n in names], rel=1e-3)
    assert exact.models == {"": (1.0, 1.0)}
    spoilt = synthetic(0.01)
    for i in range(0, len(spoilt), 20):
        p = spoilt[i]
        spoilt[i] = Measured(p.group, p.configuration, p.kernels, 9 * p.per_token, 9 * p.first_token)
    assert fit(spoilt).scale == pytest.approx(LAW.scale, rel=0.05)
    with pytest.raises(InputError, match="5 points are too few"):
        fit(spoilt[:5])


@pytest.mark.later
def test_a_model_has_factors_that_a_new_configuration_of_it_shares() -> None:
    """Three models, one 1.4 times as slow: found within a tenth of the way to 1, and unknown for a fourth."""
    slow = [replace(p, model=f"m{int(p.configuration) % 3}",
                    per_token=p.per_token * (1.4 if int(p.configuration) % 3 == 0 else 1.0))
            for p in synthetic(0.01)]
    factors = {name: pair[0] for name, pair in fit(slow).models.items()}
    assert factors["m0"] / factors["m1"] == pytest.approx(1.4, rel=0.06)
    assert factors["m2"] / factors["m1"] == pytest.approx(1.0, rel=0.02)
    errors = [abs(j.per_token / j.point.per_token - 1) for j in judged(slow)]
    assert np.median(errors) < 0.03
    law, kernels_ = fit(slow), slow[0].kernels
    assert law.per_token(kernels_, "m0") == pytest.approx(factors["m0"] * law.per_token(kernels_, "another"))


@pytest.mark.later
def test_a_small_group_is_as_uncertain_as_the_others_at_least() -> None:
    """Four configurations beside a group of twenty-four with five times the noise."""
    large = synthetic(0.2, groups=("large",))
    small = [p for p in synthetic(0.002, seed=1, groups=("small",)) if int(p.configuration) < 4]
    widths = {group: np.median([j.per_token_within[1] / j.per_token_within[0] for j in found if j.point.group == group])
              for found in [judged(large + small)] for group in ("large", "small")}
    assert widths["small"] >= 0.8 * widths["large"]
    alone = judged(small)
    assert np.median([j.per_token_within[1] / j.per_token_within[0] for j in alone]) < 1.1


@pytest.mark.later
@pytest.mark.parametrize(("configurations", "own"), [(8, False), (9, True)])
def test_a_group_of_nine_configurations_has_an_interval_of_its_own(configurations: int, own: bool) -> None:
    """Each then has eight others."""
    large = [p for p in synthetic(0.2, groups=("large",)) if int(p.configuration) < 12]
    small = [p for p in synthetic(0.002, seed=1, groups=("small",)) if int(p.configuration) < configurations]
    widths = [j.per_token_within[1] / j.per_token_within[0] for j in judged(large + small) if j.point.group == "small"]
    assert (max(widths) < 1.1) == (min(widths) < 1.1) == own and len(widths) == 8 * configurations


def quantile(values: list[float], share: float) -> float:
    """Linear between the places of the ordered values."""
    ordered, at = sorted(values), share * (len(values) - 1)
    low = min(int(at), len(values) - 2)
    return ordered[low] + (at - low) * (ordered[low + 1] - ordered[low])


def test_an_intervals_tails_are_the_largest_that_hold_95_percent_of_each_from_the_others() -> None:
    """Of the points of all configurations together; where none does, from the least to the greatest."""
    tails, taken = (0.025, 0.02, 0.015, 0.01, 0.0075, 0.005, 0.0025, 0.0), set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        parts = [np.exp(rng.normal(0, 0.1, int(n)) + rng.normal(0, 0.02 * seed)) for n in rng.integers(20, 60, 24)]
        for tail in tails:
            held = 0
            for i, part in enumerate(parts):
                others = [float(v) for j, other in enumerate(parts) if j != i for v in other]
                low, high = quantile(others, tail), quantile(others, 1 - tail)
                held += sum(low <= v <= high for v in part)
            if held >= 0.95 * sum(map(len, parts)):
                break
        taken.add(tail)
        whole = [float(v) for part in parts for v in part]
        assert overhead._spread(parts) == pytest.approx((quantile(whole, tail), quantile(whole, 1 - tail)), rel=1e-12)
    assert len(taken) >= 3


@pytest.mark.slow
def test_intervals_hold_new_configurations() -> None:
    held = [low <= j.point.per_token <= high for seed in range(3)
            for j in judged(synthetic(0.05, seed)) for low, high in [j.per_token_within]]
    assert 0.93 <= np.mean(held) <= 0.985


@pytest.mark.slow
def test_a_configuration_is_never_fitted_on_itself() -> None:
    points = synthetic(0.02)
    before = {id(j.point): j.per_token for j in judged(points)}
    odd = [Measured(p.group, p.configuration, p.kernels, 5 * p.per_token, p.first_token)
           if p.configuration == "3" else p for p in points]
    after = [j for j in judged(odd) if j.point.configuration == "3"]
    same = [before[id(p)] for p in points if p.configuration == "3"]
    assert [j.per_token for j in after] == pytest.approx(same)
    assert judged([p for p in points if p.configuration == "3"]) == []


HEAD = ("id,model_path,system,backend,backend_version,mode,isl,osl,gemm_quant_mode,batch_size,tp_size,pp_size,"
        "attention_dp_size,moe_tp_size,moe_ep_size,silicon_ttft_ms,silicon_tpot_ms\n")
GOOD = "x,Qwen/Qwen3-32B,h200_sxm,vllm,0.1,agg,1024,128,fp8,16,2,1,1,2,1,300,20\n"


def test_points_are_read_and_others_counted(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text(HEAD + GOOD + GOOD.replace("agg", "disagg") + GOOD.replace("Qwen3-32B", "Unknown")
                    + GOOD.replace(",2,1,1,2", ",16,1,1,2"))
    points, left_out = read_points(path)
    assert [(p.model, p.per_token, p.first_token) for p in points] == [("qwen3-32b", 0.02, 0.3)]
    assert sorted(left_out.values()) == [1, 1, 1]


@pytest.mark.parametrize(("name", "degrees", "told", "expected"), [
    ("x_tp8_ep8_1", "64,1,1,8,8", 4, (8, 1, 8, 4)), ("x_tp8_ep8_1", "8,1,1,1,8", 4, (8, 1, 8, 4)),
    ("x_cfg3", "1,1,64,8,8", 4, (1, 8, 8, 256)), ("x_tp4_ep4_1", "4,1,4,1,16", 16, (1, 4, 4, 64)),
    ("x_tp4_epnone_1", "4,1,1,2,2", 9, (4, 1, 2, 9)), ("x_cfg3", "1,1,8,1,8", 2, (1, 8, 8, 16)),
    ("x_cfg3", "4,1,,4,1", 2, (4, 1, 1, 2)),
])
def test_each_gpu_counts_once(tmp_path: Path, name: str, degrees: str, told: int, expected: tuple[int, ...]) -> None:
    """GPUs that split attention, groups, GPUs with whole experts, and the requests of all groups."""
    path = tmp_path / "points.csv"
    path.write_text(f"{HEAD}{name},deepseek-ai/DeepSeek-R1,b200_sxm,trtllm,1,agg,1024,128,fp8,{told},{degrees},300,20\n")
    [point], _ = read_points(path)
    found = point.tensor_parallel, point.data_parallel, point.expert_parallel, point.concurrency
    assert found == expected


@pytest.mark.parametrize(("text", "message"), [
    ("a,b\n", "no column 'id'"), (HEAD + GOOD.replace(",20\n", ",\n"), r":2: column 'silicon_tpot_ms': ''"),
    (HEAD + GOOD.replace("1024", "-3"), r":2: column 'isl': '-3'"),
])
def test_bad_points_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "points.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_points(path)
    assert "points.csv" in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(InputError, match="cannot be read"):
        read_points(tmp_path / "none.csv")


@needs_points
@pytest.mark.slow
def test_measured_engines_are_met() -> None:
    """Kernels alone, nothing fitted: half of the points of three models on the H200 within 12 percent."""
    points, left_out = read_points(POINTS)
    assert len(points) + sum(left_out.values()) == 5221
    assert memory("h200_sxm", TABLES) == pytest.approx(141 * 2**30)
    engines: dict[object, Engine] = {}
    errors = []
    for point in points:
        if (point.gpu, point.engine) == ("h200_sxm", "vllm") and point.model in (
                "llama-3.1-70b", "gpt-oss-120b", "minimax-m2.5"):
            if point.configuration not in engines:
                engines[point.configuration] = engine_for(point, TABLES)
            found = predicted(point, engines[point.configuration], TABLES)
            errors.append(abs(found.per_token / point.per_token - 1))
    assert len(errors) == 219
    assert np.median(errors) < 0.12
