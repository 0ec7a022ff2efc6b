"""The measured transformer computes what a decoder computes: chunks, decode steps and batches agree."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra gpu)")

from qtheory.errors import InputError  # noqa: E402
from qtheory.profiles.measuring.architectures import architecture  # noqa: E402
from qtheory.profiles.measuring.decoder import Decoder  # noqa: E402
from qtheory.profiles.measuring.design import Point  # noqa: E402

LENGTH = 24
CLOSE = {"rtol": 0.05, "atol": 0.02}  # bf16 has eight bits


@pytest.fixture(scope="module")
def decoder() -> Decoder:
    torch.set_num_threads(1)
    found = Decoder(architecture("small"), torch.device("cpu"), seed=1)
    for layer in found.layers:  # weights large enough that attention matters to the next layer's keys
        layer.qkv.mul_(10), layer.out.mul_(10)
    return found


def prefilled(decoder: Decoder, ids: torch.Tensor, chunks: list[int]) -> torch.Tensor:
    """Keys and values (layers, 2, tokens, kv heads, head dimension) of a prompt processed in chunks."""
    pool = torch.zeros_like(decoder.cache(len(ids)))
    done = 0
    for size in chunks:
        iteration = decoder.iteration(Point("chunk", chunk=size, chunk_context=done), pool)
        iteration.ids = ids[done:done + size]
        iteration.run()
        done += size
    return pool


@pytest.fixture(scope="module")
def ids(decoder: Decoder) -> torch.Tensor:
    return torch.randint(decoder.architecture.vocabulary, (LENGTH,), generator=torch.Generator().manual_seed(3))


@pytest.mark.parametrize("chunks", [[16, 8], [1, 22, 1], [8, 8, 8]])
def test_a_prompt_in_chunks_is_the_prompt_at_once(decoder: Decoder, ids: torch.Tensor, chunks: list[int]) -> None:
    whole, parts = prefilled(decoder, ids, [LENGTH]), prefilled(decoder, ids, chunks)
    assert whole[1].abs().mean() > 0.1  # the second layer's keys rest on the first layer's attention
    torch.testing.assert_close(parts, whole, **CLOSE)


def test_decode_steps_beside_a_chunk_are_the_prompts_next_token(decoder: Decoder, ids: torch.Tensor) -> None:
    """Two requests decode their 24th token while a third's chunk of 8 follows 16: each as if alone."""
    whole = prefilled(decoder, ids, [LENGTH])
    point = Point("mixed", decode_requests=2, context=LENGTH - 1, chunk=8, chunk_context=16)
    pool = torch.zeros_like(decoder.cache(point.resident_tokens))
    before = prefilled(decoder, ids[:-1], [LENGTH - 1])
    for request in range(2):
        pool[:, :, request * LENGTH:(request + 1) * LENGTH - 1] = before
    pool[:, :, 2 * LENGTH:2 * LENGTH + 16] = whole[:, :, :16]
    iteration = decoder.iteration(point, pool)
    iteration.ids = torch.cat([ids[-1:], ids[-1:], ids[16:]])
    sampled = iteration.run()
    for start in (0, LENGTH, 2 * LENGTH):
        torch.testing.assert_close(pool[:, :, start:start + LENGTH], whole, **CLOSE)
    assert sampled.shape == (3,) and sampled[0] == sampled[1]


def test_a_pool_too_small_is_refused(decoder: Decoder) -> None:
    with pytest.raises(InputError, match="11 tokens in the KV cache, the pool holds 10"):
        decoder.iteration(Point("decode", decode_requests=1, context=10), decoder.cache(10))


def test_the_fastest_attention_is_named(decoder: Decoder) -> None:
    iteration = decoder.iteration(Point("mixed", 2, 8, 4), decoder.cache(100))
    assert iteration.attention.startswith("decode ") and ", chunk " in iteration.attention
