"""The architectures that can be measured and the designed points, without PyTorch."""

from __future__ import annotations

import pytest

from qtheory.errors import UnknownNameError
from qtheory.profiles.measuring.architectures import architecture, architectures
from qtheory.profiles.measuring.design import FULL, QUICK, Grid, Point, points


@pytest.mark.parametrize(("name", "parameters", "kv_bytes"), [
    # totals and cache sizes as the models' cards print them: 4.0, 8.2, 8.03 and 7.25 billion; 144 and 128 KiB
    ("qwen3-4b", 4.02e9, 144 * 1024), ("qwen3-8b", 8.19e9, 144 * 1024),
    ("llama-3-8b", 8.03e9, 128 * 1024), ("mistral-7b", 7.25e9, 128 * 1024),
])
def test_published_sizes(name: str, parameters: float, kv_bytes: int) -> None:
    a = architecture(name)
    assert a.parameters == pytest.approx(parameters, rel=1e-3) and a.kv_bytes == kv_bytes
    assert a.heads % a.kv_heads == 0


def test_an_unknown_architecture_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="unknown architecture 'qwen-4b'; nearest: qwen3-4b"):
        architecture("qwen-4b")
    assert list(architectures()) == ["small", "qwen3-4b", "qwen3-8b", "llama-3-8b", "mistral-7b"]


def test_what_a_point_holds() -> None:
    mixed = Point("mixed-64", decode_requests=3, context=10, chunk=5, chunk_context=7)
    assert (mixed.kind, mixed.tokens, mixed.decode_ratio, mixed.resident_tokens) == ("mixed", 8, 0.375, 3 * 11 + 12)
    assert Point("p", chunk=4).kind == "prefill" and Point("d", 2, 9).kind == "decode"
    assert Point("d", 2, 9).resident_tokens == 20


def test_contexts_are_whole_pages_of_a_cache() -> None:
    """Of 16 tokens, so that on the large grid no page is half full, of a context nor of a prompt."""
    assert not any(tokens % 16 for tokens in (
        FULL.context, *FULL.contexts, *FULL.mixed_contexts, *FULL.chunk_contexts, *FULL.prefill))


@pytest.mark.parametrize("grid", [FULL, QUICK])
def test_every_series_determines_its_law(grid: Grid) -> None:
    found = points(grid)
    assert len(set(found)) == len(found)
    by_series = {name: [p for p in found if p.series == name] for name in dict.fromkeys(p.series for p in found)}
    assert {p.kind for p in by_series["prefill"]} == {"prefill"} and {p.kind for p in by_series["decode"]} == {"decode"}
    assert len({p.tokens for p in by_series["prefill"]}) >= 5 and len({p.tokens for p in by_series["decode"]}) >= 5
    context = by_series["context"]
    assert len({p.tokens for p in context}) == 1 and len({p.resident_tokens for p in context}) >= 4
    mixed = [series for series in by_series if series.startswith("mixed-")]
    assert len(mixed) == len(grid.mixed_contexts)
    for series in mixed:
        assert {p.tokens for p in by_series[series]} == {grid.mixed_tokens}
        ratios = [p.decode_ratio for p in by_series[series]]
        assert ratios == sorted(ratios) and (ratios[0], ratios[-1]) == (0, 1) and len(ratios) >= 5
    assert {p.kind for p in by_series["chunk"]} == {"mixed"}
    assert len({p.chunk_context for p in by_series["chunk-context"]}) >= 3
