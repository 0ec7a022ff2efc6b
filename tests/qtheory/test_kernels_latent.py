"""Latent attention, shared experts and attention that is spread by requests: exact on tables of powers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernel_files import absorbed_ms, all_reduce_ms, experts_ms, latent_ms, product_ms, write, write_latent

from qtheory.errors import InputError
from qtheory.profiles import kernels
from qtheory.profiles.kernels import Batch, Engine, Load, Shape
from qtheory.profiles.kernels.closed_loop import disaggregated, steady
from qtheory.profiles.kernels.held_out import held_out
from qtheory.simulate import KernelTime

LAYERS, DENSE, HIDDEN, HEADS = 5, 2, 64, 8
DEEP = Shape.model_validate({
    "title": "deep", "source": "nobody", "layers": LAYERS, "dense_layers": DENSE, "hidden": HIDDEN, "heads": HEADS,
    "kv_heads": HEADS, "head_dim": 32, "vocabulary": 512, "intermediate": 256,
    "latent": {"query": 64, "cache": 32, "rotary": 32, "head": 32, "value": 32},
    "experts": {"count": 8, "active": 2, "intermediate": 32, "shared": 2}})


def tables(root: Path, blocks: bool) -> kernels.KernelTables:
    write_latent(write(root), blocks)
    return kernels.tables("gpu", "vllm", root)


def after_attention_ms(tokens: float, degree: int) -> float:
    """Dense layers, and the shared experts of the others."""
    dense = product_ms(tokens, 2 * 256 / degree, HIDDEN) + product_ms(tokens, HIDDEN, 256 / degree)
    shared = product_ms(tokens, 2 * 64 / degree, HIDDEN) + product_ms(tokens, HIDDEN, 64 / degree)
    return DENSE * dense + (LAYERS - DENSE) * shared


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize(("prefill", "decodes"), [(300, 0), (0, 20), (300, 20)])
def test_kernel_by_kernel(tmp_path: Path, degree: int, prefill: int, decodes: int) -> None:
    parts = Engine(tables(tmp_path, blocks=False), DEEP, degree).parts(
        Batch([(prefill, 0)] if prefill else [], [100] * decodes))
    heads, tokens = HEADS / degree, prefill + decodes
    expected = {
        "compress": LAYERS * product_ms(tokens, 128, HIDDEN), "queries": LAYERS * product_ms(tokens, heads * 64, 64),
        "output": LAYERS * product_ms(tokens, HIDDEN, heads * 32), "experts": (LAYERS - DENSE) * experts_ms(tokens),
        "prefill attention": LAYERS * (latent_ms("prefill", 1, prefill, heads)
                                       + product_ms(prefill, heads * 64, 32)) if prefill else 0.0,
        "decode attention": LAYERS * (latent_ms("decode", decodes, 100, heads)
                                      + 2 * absorbed_ms(decodes, heads)) if decodes else 0.0,
    }
    for name, milliseconds in expected.items():
        assert float(parts[name]) == pytest.approx(milliseconds / 1e3, rel=1e-9), name
    rest = sum(float(parts[name]) for name in ("gate-up", "down", "shared gate-up", "shared down"))
    assert rest == pytest.approx(after_attention_ms(tokens, degree) / 1e3, rel=1e-9)


def test_a_block_holds_its_products(tmp_path: Path) -> None:
    parts = Engine(tables(tmp_path, blocks=True), DEEP, 2).parts(Batch([(300, 0)], [100] * 20))
    assert not {"compress", "queries", "output", "qkv"} & set(parts)
    assert float(parts["prefill attention"]) == pytest.approx(LAYERS * latent_ms("prefill block", 1, 300, 4) / 1e3)
    assert float(parts["decode attention"]) == pytest.approx(LAYERS * latent_ms("decode block", 20, 100, 4) / 1e3)


def test_without_tables_of_latent_attention_one_line_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no tables of latent attention of vllm") as caught:
        Engine(kernels.tables("gpu", "vllm", write(tmp_path)), DEEP).seconds(Batch(decode=[9]))
    assert "\n" not in str(caught.value)


def test_the_cache_holds_what_is_latent(tmp_path: Path) -> None:
    measured = tables(tmp_path, blocks=False)
    one, two = (Engine(measured, DEEP, degree).cache_tokens(1e9) for degree in (1, 2))
    assert DEEP.kv_numbers == LAYERS * 64
    assert one == pytest.approx((0.9e9 - 2 * DEEP.parameters) / (2 * DEEP.kv_numbers))
    assert two == pytest.approx((1.8e9 - 2 * DEEP.parameters) / (2 * 2 * DEEP.kv_numbers))  # on each GPU the same


def test_groups_share_the_requests_and_the_experts_see_all(tmp_path: Path) -> None:
    measured = tables(tmp_path, blocks=False)
    alone, four = Engine(measured, DEEP), Engine(measured, DEEP, expert_parallel=4, data_parallel=4)
    of_all, of_a_group = four.parts(Load.decoding(80.0, 100.0)), alone.parts(Load.decoding(20.0, 100.0))
    exchange = of_all.pop("gather and scatter")
    assert float(exchange) == pytest.approx(2 * (LAYERS - DENSE) * all_reduce_ms(80 * HIDDEN) / 1e3)
    assert float(of_all.pop("experts")) == pytest.approx((LAYERS - DENSE) * experts_ms(80) / 1e3)
    for name, seconds in of_all.items():
        assert float(seconds) == pytest.approx(float(of_a_group[name])), name
    # One prompt is in one group, four are in all of them: the slowest group's time is the same.
    names = ("compress", "prefill attention", "head")
    one, each = (four.parts(Load(300.0 * n, n, 300.0, 1.0, sampled=n)) for n in (1.0, 4.0))
    assert [float(one[name]) for name in names] == pytest.approx([float(each[name]) for name in names])
    assert steady(four, 80, 100, 50).per_token < steady(alone, 80, 100, 50).per_token
    assert steady(four, 80, 100, 50).running == 80
    with pytest.raises(InputError, match="spread by requests over 4 groups"):
        KernelTime.of(four)


def test_groups_of_a_prefill_node_take_a_prompt_each(tmp_path: Path) -> None:
    measured = tables(tmp_path, blocks=False)
    alone, four = Engine(measured, DEEP), Engine(measured, DEEP, expert_parallel=4, data_parallel=4)
    one, each = (disaggregated(node, alone, (1, 2), 64, 2000, 20) for node in (alone, four))
    assert each.waiting < one.waiting and each.running > one.running


def test_the_simulator_takes_the_kernels_of_latent_attention(tmp_path: Path) -> None:
    engine = Engine(tables(tmp_path, blocks=False), DEEP)
    clock = KernelTime.of(engine)
    assert clock.tables.size and np.isfinite(clock.tables).all()
    assert clock.least(1.0) == pytest.approx(float(engine.seconds(Load(1.0))))


@pytest.mark.parametrize("blocks", [False, True])
def test_held_out_points_of_powers_are_met(tmp_path: Path, blocks: bool) -> None:
    found = [each for each in held_out(tables(tmp_path, blocks)) if each.kernel.startswith("latent")]
    assert {(each.kernel, each.axis) for each in found} >= {
        (f"latent {kind}{' block' if blocks else ''}", "length") for kind in ("prefill", "decode")}
    assert all(each.points > 0 and each.p90 < 1e-9 for each in found)


@pytest.mark.parametrize(("change", "message"), [
    ({"dense_layers": 0}, "either 'intermediate'"), ({"dense_layers": 5}, "dense_layers = 5 of 5"),
    ({"intermediate": None}, "either 'intermediate'"), ({"experts": None}, "dense_layers = 2 of 5"),
])
def test_impossible_shapes(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Shape.model_validate(DEEP.model_dump() | change)
