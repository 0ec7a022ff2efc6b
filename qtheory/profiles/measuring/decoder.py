"""A decoder transformer with random weights in bf16, a KV cache, and one engine iteration over a designed batch."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import causal_lower_right

from qtheory.errors import InputError
from qtheory.profiles.measuring.architectures import Architecture
from qtheory.profiles.measuring.design import Point
from qtheory.profiles.measuring.devices import Device, first_line, out_of_memory

DTYPE = torch.bfloat16
_EPSILON = 1e-6
_SPREAD = 0.02  # standard deviation of random weights, as models are initialised
_BACKENDS = (
    SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH
)
_TRIALS = 7
_HOPELESS = 3.0  # times the best median: beyond it one trial is enough
# How PyTorch's backends say that they do not do this: no news, where another does it.
_UNSUPPORTED = re.compile(r"no (available|viable) (kernel|backend)|not support|unsupported|not implemented", re.I)


@dataclass(frozen=True)
class Layer:
    """Weights of one layer, those of joint products stacked: ``qkv`` and ``gate_up`` (outputs, hidden)."""

    qkv: Tensor
    out: Tensor
    gate_up: Tensor
    down: Tensor
    before_attention: Tensor
    before_mlp: Tensor
    query_norm: Tensor
    key_norm: Tensor


class Decoder:
    """The transformer of an architecture on a device, its weights drawn with ``seed``."""

    def __init__(self, architecture: Architecture, device: Device, seed: int) -> None:
        self.architecture, self.device = architecture, device
        self.generator = torch.Generator(device.place).manual_seed(seed)
        a = architecture
        self.embedding = self._random(a.vocabulary, a.hidden)
        self.head = self.embedding if a.tied_embeddings else self._random(a.vocabulary, a.hidden)
        self.final_norm = torch.ones(a.hidden, dtype=DTYPE, device=device.place)
        self.layers = [self._layer() for _ in range(a.layers)]
        exponents = torch.arange(0, a.head_dim, 2, dtype=torch.float32, device=device.place) / a.head_dim
        self.frequencies = a.rope_theta**-exponents

    def _random(self, *shape: int) -> Tensor:
        values = torch.empty(shape, dtype=DTYPE, device=self.device.place)
        return values.normal_(0, _SPREAD, generator=self.generator)

    def _layer(self) -> Layer:
        a = self.architecture

        def ones(size: int) -> Tensor:
            return torch.ones(size, dtype=DTYPE, device=self.device.place)

        return Layer(
            qkv=self._random((a.heads + 2 * a.kv_heads) * a.head_dim, a.hidden),
            out=self._random(a.hidden, a.heads * a.head_dim),
            gate_up=self._random(2 * a.intermediate, a.hidden),
            down=self._random(a.hidden, a.intermediate),
            before_attention=ones(a.hidden), before_mlp=ones(a.hidden),
            query_norm=ones(a.head_dim), key_norm=ones(a.head_dim),
        )

    def cache(self, tokens: int) -> Tensor:
        """A pool (layers, 2, tokens, kv heads, head dimension) of random keys and values."""
        a = self.architecture
        pool = torch.empty((a.layers, 2, tokens, a.kv_heads, a.head_dim), dtype=DTYPE, device=self.device.place)
        for layer in pool:  # one by one: normal_ of a whole pool would need as much memory again
            layer.normal_(generator=self.generator)
        return pool

    def iteration(self, point: Point, pool: Tensor) -> Iteration:
        """What runs the point's iteration on this decoder; raises InputError if the pool is too small for it."""
        return Iteration(self, point, pool)


class Iteration:
    """One engine iteration, ready to run: random token ids, positions, and views of the pool of keys and values.

    Attention is PyTorch's fastest for these shapes; ``attention`` names the backends chosen for the decoding
    requests and for the chunk, ``faults`` those that failed as no backend should. Every run writes the new keys and
    values into the pool and samples greedily. Raises torch.OutOfMemoryError where memory alone stands against every
    backend, and InputError where none runs.
    """

    def __init__(self, decoder: Decoder, point: Point, pool: Tensor) -> None:
        if point.resident_tokens > pool.shape[2]:
            raise InputError(f"{point.resident_tokens} tokens in the KV cache, the pool holds {pool.shape[2]}")
        self.decoder, self.point = decoder, point
        a, device = decoder.architecture, decoder.device.place
        self.ids = torch.randint(a.vocabulary, (point.tokens,), device=device, generator=decoder.generator)
        before = torch.arange(point.chunk_context, point.chunk_context + point.chunk, device=device)
        positions = torch.cat([torch.full((point.decode_requests,), point.context, device=device), before])
        angles = positions[:, None].float() * decoder.frequencies
        self.cosine, self.sine = (f(angles).to(DTYPE)[:, None, :] for f in (torch.cos, torch.sin))
        split = point.decode_requests * (point.context + 1)
        shape = (a.layers, 2, point.decode_requests, point.context + 1, a.kv_heads, a.head_dim)
        self.decoding = pool[:, :, :split].view(shape) if point.decode_requests else None
        self.prompt = pool[:, :, split:point.resident_tokens] if point.chunk else None
        # A chunk's tokens see all that stands before them and, among themselves, what came earlier.
        behind = point.chunk and point.chunk_context
        self.mask = causal_lower_right(point.chunk, point.chunk_context + point.chunk) if behind else None
        # Sampling needs logits of every decoding request and of the chunk's last token.
        self.sampled = torch.arange(point.tokens, device=device)
        if point.chunk:
            self.sampled = torch.cat([self.sampled[:point.decode_requests], self.sampled[-1:]])
        self.backends: dict[str, SDPBackend] = {}
        self.faults: list[str] = []
        self._choose_backends()

    @property
    def attention(self) -> str:
        """The attention backends chosen, such as ``decode flash, chunk cudnn``."""
        return ", ".join(f"{part} {_short(b)}" for part, b in self.backends.items())

    @torch.inference_mode()
    def run(self) -> Tensor:
        """One iteration; the sampled token ids (decoding requests and, with a chunk, one more)."""
        d = self.decoder
        state = F.embedding(self.ids, d.embedding)
        for index, layer in enumerate(d.layers):
            state = state + self._attention(index, layer, _norm(state, layer.before_attention))
            gate, up = F.linear(_norm(state, layer.before_mlp), layer.gate_up).chunk(2, dim=-1)
            state = state + F.linear(F.silu(gate) * up, layer.down)
        logits = F.linear(_norm(state[self.sampled], d.final_norm), d.head)
        return logits.argmax(dim=-1)

    def _attention(self, index: int, layer: Layer, state: Tensor) -> Tensor:
        a, n = self.decoder.architecture, self.point.decode_requests
        sizes = [a.heads * a.head_dim, a.kv_heads * a.head_dim, a.kv_heads * a.head_dim]
        query, key, value = F.linear(state, layer.qkv).split(sizes, dim=-1)
        query = query.view(-1, a.heads, a.head_dim)
        key, value = (x.view(-1, a.kv_heads, a.head_dim) for x in (key, value))
        if a.qk_norm:
            query, key = _norm(query, layer.query_norm), _norm(key, layer.key_norm)
        query, key = self._rotated(query), self._rotated(key)
        parts = []
        if self.decoding is not None:
            self.decoding[index, 0, :, -1], self.decoding[index, 1, :, -1] = key[:n], value[:n]
            with sdpa_kernel(self.backends["decode"]):
                parts.append(self._decode(index, query[:n]))
        if self.prompt is not None:
            before = self.point.chunk_context
            self.prompt[index, 0, before:], self.prompt[index, 1, before:] = key[n:], value[n:]
            with sdpa_kernel(self.backends["chunk"]):
                parts.append(self._chunk(index, query[n:]))
        return F.linear(parts[0] if len(parts) == 1 else torch.cat(parts), layer.out)

    def _rotated(self, x: Tensor) -> Tensor:
        first, second = x.chunk(2, dim=-1)
        return torch.cat([first * self.cosine - second * self.sine, second * self.cosine + first * self.sine], dim=-1)

    def _decode(self, index: int, query: Tensor) -> Tensor:
        """The heads that share keys stand as one request's queries: nothing is masked, and keys are read once."""
        assert self.decoding is not None
        a = self.decoder.architecture
        grouped = query.view(-1, a.kv_heads, a.heads // a.kv_heads, a.head_dim)
        key, value = self.decoding[index].transpose(2, 3)
        return F.scaled_dot_product_attention(grouped, key, value).reshape(-1, a.heads * a.head_dim)

    def _chunk(self, index: int, query: Tensor) -> Tensor:
        assert self.prompt is not None
        key, value = self.prompt[index].transpose(1, 2)[:, None]
        heads = query.transpose(0, 1)[None]
        if self.mask is not None:
            found = F.scaled_dot_product_attention(heads, key, value, attn_mask=self.mask, enable_gqa=True)
        else:
            found = F.scaled_dot_product_attention(heads, key, value, is_causal=True, enable_gqa=True)
        return found[0].transpose(0, 1).reshape(self.point.chunk, -1)

    @torch.inference_mode()
    def _choose_backends(self) -> None:
        a, n = self.decoder.architecture, self.point.decode_requests
        query = torch.randn((self.point.tokens, a.heads, a.head_dim), dtype=DTYPE, device=self.decoder.device.place)
        if self.decoding is not None:
            self.backends["decode"] = self._fastest("decode", lambda index: self._decode(index, query[:n]))
        if self.prompt is not None:
            self.backends["chunk"] = self._fastest("chunk", lambda index: self._chunk(index, query[n:]))

    def _fastest(self, part: str, attention: Callable[[int], Tensor]) -> SDPBackend:
        """The backend with the least median time over all layers; what refused is told from what ran out of memory."""
        times: dict[SDPBackend, float] = {}
        scarce, refused = [], []
        for backend in _BACKENDS:
            name = _short(backend)

            def all_layers(backend: SDPBackend = backend) -> None:
                with sdpa_kernel(backend):
                    for index in range(self.decoder.architecture.layers):  # each layer's keys anew, not from a cache
                        attention(index)

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a backend that cannot says why, at length
                try:
                    times[backend] = self._median(all_layers, min(times.values(), default=math.inf))
                    continue
                except RuntimeError as error:
                    if out_of_memory(error):  # MATH holds all scores at once
                        scarce.append(f"{part} {name}")
                    else:
                        refused.append(f"{name}: {first_line(error)}")
                        if not _UNSUPPORTED.search(str(error)):
                            self.faults.append(f"{part} {refused[-1]}")
            self.decoder.device.release()
        if times:
            return min(times, key=lambda backend: times[backend])
        if scarce:
            raise torch.OutOfMemoryError(f"out of memory in every attention that runs at this point: "
                                         f"{', '.join(scarce)}")
        raise InputError(f"no attention of PyTorch {torch.__version__} runs for the {part} of {self.point}: "
                         f"{'; '.join(refused)}")

    def _median(self, attention: Callable[[], None], best: float) -> float:
        """Median seconds of some runs, replayed as the iteration will be; of one, where it is far beyond the best."""
        device = self.decoder.device
        attention()
        runner, _ = device.captured(attention, lasting=False)
        runner()
        trials = [device.elapsed(runner, 1)]
        if trials[0] < _HOPELESS * best:
            trials += [device.elapsed(runner, 1) for _ in range(_TRIALS - 1)]
        return median(trials)


def _short(backend: SDPBackend) -> str:
    return str(backend.name).lower().removesuffix("_attention")


def _norm(x: Tensor, weight: Tensor) -> Tensor:
    return F.rms_norm(x, (x.shape[-1],), weight, _EPSILON)
