"""The measured transformer computes what a decoder computes: chunks, decode steps and batches agree."""

from __future__ import annotations

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra gpu)")

from qtheory.errors import InputError  # noqa: E402
from qtheory.profiles.measuring import decoder as decoder_module  # noqa: E402
from qtheory.profiles.measuring.architectures import architecture  # noqa: E402
from qtheory.profiles.measuring.decoder import Decoder  # noqa: E402
from qtheory.profiles.measuring.design import Point  # noqa: E402
from qtheory.profiles.measuring.devices import Processor  # noqa: E402

LENGTH = 24
CLOSE = {"rtol": 0.05, "atol": 0.02}  # bf16 has eight bits


@pytest.fixture(scope="module")
def decoder() -> Decoder:
    torch.set_num_threads(1)
    found = Decoder(architecture("small"), Processor(), seed=1)
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


def refusing(monkeypatch: pytest.MonkeyPatch, errors: dict[str, Exception]) -> None:
    """Backends, by name, that raise these errors instead of computing."""
    plain = decoder_module.sdpa_kernel

    def picked(backend: decoder_module.SDPBackend) -> object:
        if error := errors.get(backend.name):
            raise error
        return plain(decoder_module.SDPBackend.MATH)

    monkeypatch.setattr(decoder_module, "sdpa_kernel", picked)


SCARCE = torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 8 GiB")
NONE = RuntimeError("No available kernel. Aborting execution.")
FAULT = RuntimeError("cuDNN Frontend error: [cudnn_frontend] Error: No execution plans\nat line 9")
ALL = ("FLASH_ATTENTION", "CUDNN_ATTENTION", "EFFICIENT_ATTENTION", "MATH")


def test_a_backend_that_fails_is_told_from_one_that_cannot(decoder: Decoder, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, {"FLASH_ATTENTION": SCARCE, "CUDNN_ATTENTION": FAULT, "EFFICIENT_ATTENTION": NONE})
    iteration = decoder.iteration(Point("decode", 2, 8), decoder.cache(100))
    assert iteration.attention == "decode math"
    assert iteration.faults == ["decode cudnn: RuntimeError: cuDNN Frontend error: [cudnn_frontend] Error: No "
                                "execution plans"]


def test_where_no_backend_runs_memory_is_named_only_if_it_was_memory(
    decoder: Decoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing(monkeypatch, dict.fromkeys(ALL, NONE) | {"MATH": SCARCE})
    with pytest.raises(torch.OutOfMemoryError, match="in every attention that runs at this point: chunk math"):
        decoder.iteration(Point("p", chunk=8), decoder.cache(100))
    refusing(monkeypatch, dict.fromkeys(ALL, NONE) | {"CUDNN_ATTENTION": FAULT})
    with pytest.raises(InputError, match=r"no attention of PyTorch .* runs for the chunk of .*cudnn: RuntimeError: cu"):
        decoder.iteration(Point("p", chunk=8), decoder.cache(100))


class Slow(Processor):
    """A clock that finds the backends' medians as told, each with an odd first trial."""

    def __init__(self, seconds: dict[str, list[float]]) -> None:
        self.seconds, self.asked = seconds, dict.fromkeys(seconds, 0)

    def elapsed(self, runner: Callable[[], object], times: int) -> float:
        [backend] = runner.__defaults__ or ()  # type: ignore[attr-defined]
        self.asked[backend.name] += 1
        return self.seconds[backend.name].pop(0)


def test_the_median_of_many_trials_decides(decoder: Decoder, monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, {})
    clock = Slow({"FLASH_ATTENTION": [9.0, *[2.0] * 6], "CUDNN_ATTENTION": [0.1, *[3.0] * 6],
                  "EFFICIENT_ATTENTION": [5.9, *[1.0] * 6], "MATH": [3.1, *[0.5] * 6]})
    monkeypatch.setattr(decoder, "device", clock)
    assert decoder.iteration(Point("decode", 2, 8), decoder.cache(100)).attention == "decode efficient"
    # three times the best median so far is beyond hope, and costs one trial alone
    assert clock.asked == {"FLASH_ATTENTION": 7, "CUDNN_ATTENTION": 7, "EFFICIENT_ATTENTION": 7, "MATH": 1}
