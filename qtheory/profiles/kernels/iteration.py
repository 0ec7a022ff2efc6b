"""The time of one iteration of an engine, as the sum of its measured kernels.

A dense decoder's iteration is, for each layer, the products for queries, keys and values, for the output, gate and up,
and down, at the batch's tokens; attention of the prompts' chunks and of the decoding sequences; at a tensor
parallelism above 1 two all-reduces; and once the head's product. With experts their kernel and the router's product
take the place of gate, up and down. Latent attention (MLA) has its own products, and a model may split its attention
by requests instead of heads. What else an engine does in an iteration (norms, sampling, scheduling) is not in the
tables; it shows in the difference to measured runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from qtheory.errors import InputError
from qtheory.profiles.kernels.attention import SAMPLED, TOKENS, Kernel, Surfaces, by_heads, of_surfaces
from qtheory.profiles.kernels.interpolation import Array, Curve, Grid, corners
from qtheory.profiles.kernels.latent import latent_kernels
from qtheory.profiles.kernels.shapes import Experts, Shape
from qtheory.profiles.kernels.tables import KernelTables, Rows

HEAD_DTYPE = "bfloat16"  # the head's and the router's products are not quantised
MEMORY_SHARE = 0.9  # of a GPU's memory that engines use unless told otherwise
WHOLE = ("experts", "gather and scatter")  # kernels that see the tokens of all groups
DISTRIBUTION = "power_law_1.2"  # how unevenly tokens choose experts; the tables have it for every layer


@dataclass(frozen=True)
class Batch:
    """One iteration: each prefill's chunk with the tokens already in its cache, each decode's tokens in the cache.

    ``prefill``: pairs (chunk, context); ``decode``: contexts; ``finishing``: how many of the chunks end their prompt,
    so that the head is computed for them (None: all).
    """

    prefill: Sequence[tuple[int, int]] = ()
    decode: Sequence[int] = ()
    finishing: int | None = None

    def __post_init__(self) -> None:
        for chunk, context in self.prefill:
            if chunk < 1 or context < 0:
                raise InputError(f"a chunk of {chunk} tokens after {context}: at least 1, after at least 0")
        if any(context < 0 for context in self.decode):
            raise InputError(f"a decode with {min(self.decode)} tokens in its cache: at least 0 is wanted")
        if not self.prefill and not self.decode:
            raise InputError("an empty batch: a chunk or a decode is wanted")

    def load(self) -> Load:
        """The batch as the sums on which its kernels' times depend."""
        chunks = np.array([c for c, _ in self.prefill], dtype=float)
        ends = chunks + np.array([before for _, before in self.prefill], dtype=float)
        work = float((ends**2 - (ends - chunks) ** 2).sum())
        whole = float((ends**2).sum())
        count = len(chunks)
        finishing = count if self.finishing is None else self.finishing
        return Load(
            tokens=float(chunks.sum()) + len(self.decode), prefills=float(count),
            length=float(np.sqrt(whole / count)) if count else 0.0, share=work / whole if count else 0.0,
            decodes=float(len(self.decode)), context=float(np.mean(self.decode)) if self.decode else 0.0,
            sampled=float(len(self.decode) + finishing),
        )


@dataclass(frozen=True)
class Load:
    """What the kernels' times depend on, each a number or an array of one shape.

    ``tokens``: processed; ``prefills``: chunks; ``length``: root mean square of the tokens that they see at their
    end; ``share``: of the attention's work of whole prompts of that length, how much the chunks do; ``decodes``:
    decoding sequences; ``context``: mean tokens in their cache; ``sampled``: rows of the head's product.
    """

    tokens: ArrayLike
    prefills: ArrayLike = 0.0
    length: ArrayLike = 0.0
    share: ArrayLike = 1.0
    decodes: ArrayLike = 0.0
    context: ArrayLike = 0.0
    sampled: ArrayLike = 0.0

    @classmethod
    def decoding(cls, sequences: ArrayLike, context: ArrayLike) -> Load:
        """Iterations of decoding sequences alone, with a mean number of tokens in their caches."""
        return cls(tokens=sequences, decodes=sequences, context=context, sampled=sequences)

    @classmethod
    def mixed(cls, chunk: ArrayLike, before: ArrayLike, decodes: ArrayLike, context: ArrayLike) -> Load:
        """Iterations of one chunk, of a prompt of which ``before`` tokens are in the cache, beside decodes."""
        size, end = np.asarray(chunk, dtype=float), np.asarray(chunk, dtype=float) + np.asarray(before, dtype=float)
        present = (size > 0).astype(float)
        share = np.where(size > 0, 1 - ((end - size) / np.maximum(end, 1)) ** 2, 0.0)
        sequences = np.asarray(decodes, dtype=float)
        return cls(size + sequences, present, end, share, sequences, context, sequences + present)

    def columns(self) -> list[Array]:
        """The numbers as arrays of one shape, in the order of the fields."""
        values = (self.tokens, self.prefills, self.length, self.share, self.decodes, self.context, self.sampled)
        return list(np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in values)))


@dataclass(frozen=True)
class Engine:
    """A model on one GPU's kernels at a tensor parallelism.

    ``dtype`` and ``kv_dtype``: of the products' weights (None: the model's) and of the cache; ``attention_dtype``: of
    latent attention's products, where they are another (None: the same). ``data_parallel``: groups of
    ``tensor_parallel`` GPUs, each with all of the attention's weights and its share of the requests; experts are
    spread over all. ``expert_parallel``: over how many of the GPUs whole experts are spread, the rest splitting each
    one. Raises InputError for a model
    that does not divide among the GPUs, and for a kernel that the tables lack.
    """

    tables: KernelTables
    shape: Shape
    tensor_parallel: int = 1
    dtype: str | None = None
    kv_dtype: str = "bfloat16"
    expert_dtype: str | None = None
    expert_parallel: int = 1
    data_parallel: int = 1
    attention_dtype: str | None = None
    distribution: str = DISTRIBUTION
    _cache: dict[str, Kernel] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        degree = self.tensor_parallel
        widths = {"heads": self.shape.heads, "intermediate": self.shape.intermediate or degree}
        for name, width in widths.items():
            if degree < 1 or width % degree:
                raise InputError(f"{self.shape.title}: {name} = {width} does not divide among {degree} GPUs")
        if self.expert_parallel < 1 or self.gpus % self.expert_parallel:
            raise InputError(f"expert_parallel = {self.expert_parallel} does not divide {self.gpus} GPUs")

    @property
    def gpus(self) -> int:
        """The number of its GPUs."""
        return self.tensor_parallel * self.data_parallel

    @cached_property
    def kernels(self) -> dict[str, Kernel]:
        """The iteration's kernels by name, each a function of a load's columns."""
        found = self._attention_kernels() if self.shape.latent is None else latent_kernels(self, self.shape.latent)
        prefill, decode = found.pop("prefill attention"), found.pop("decode attention")
        found |= self._layers_kernels()
        found["head"] = self.product(HEAD_DTYPE, self.shape.vocabulary / self.tensor_parallel, self.shape.hidden, 1,
                                     SAMPLED)
        found |= {"prefill attention": prefill, "decode attention": decode}
        if self.tensor_parallel > 1:
            found["all-reduce"] = self._all_reduce()
        if self.data_parallel > 1:
            found["gather and scatter"] = self._gather_and_scatter()
        return found

    def _attention_kernels(self) -> dict[str, Kernel]:
        s, degree, dtype = self.shape, self.tensor_parallel, self.dtype or self.shape.dtype
        heads, kv_heads = s.heads // degree, max(1, s.kv_heads // degree)
        return {
            "qkv": self.product(dtype, (heads + 2 * kv_heads) * s.head_dim, s.hidden, s.layers),
            "output": self.product(dtype, s.hidden, heads * s.head_dim, s.layers),
            "prefill attention": self._attention("prefill", heads, kv_heads),
            "decode attention": self._attention("decode", heads, kv_heads),
        }

    def _layers_kernels(self) -> dict[str, Kernel]:
        """The products after attention: of dense layers, and of those with experts."""
        s, degree, dtype = self.shape, self.tensor_parallel, self.dtype or self.shape.dtype
        dense = s.layers if s.experts is None else s.dense_layers
        found = {}
        if s.intermediate is not None:
            width = s.intermediate // degree
            found["gate-up"] = self.product(dtype, 2 * width, s.hidden, dense)
            found["down"] = self.product(dtype, s.hidden, width, dense)
        if s.experts is not None:
            found["router"] = self.product(HEAD_DTYPE, s.experts.count, s.hidden, s.layers - dense)
            found["experts"] = self._experts(s.experts)
            if s.experts.shared:
                width = s.experts.shared * s.experts.intermediate // degree
                found["shared gate-up"] = self.product(dtype, 2 * width, s.hidden, s.layers - dense)
                found["shared down"] = self.product(dtype, s.hidden, width, s.layers - dense)
        return found

    def parts(self, batch: Batch | Load) -> dict[str, Array]:
        """Seconds of each kernel, all layers together."""
        columns = (batch.load() if isinstance(batch, Batch) else batch).columns()
        group = self._of_a_group(columns)
        return {name: kernel(columns if name in WHOLE else group) for name, kernel in self.kernels.items()}

    def _of_a_group(self, columns: list[Array]) -> list[Array]:
        """What one of the groups that split the requests does: the prompts are spread as widely as they can be."""
        if self.data_parallel == 1:
            return columns
        tokens, prefills, length, share, decodes, context, sampled = columns
        busy = np.clip(prefills, 1.0, self.data_parallel)
        decoding = decodes / self.data_parallel
        return [decoding + (tokens - decodes) / busy, prefills / busy, length, share, decoding, context,
                decoding + (sampled - decodes) / busy]

    def seconds(self, batch: Batch | Load) -> Array:
        """Seconds of the iteration: the sum of its kernels."""
        return np.asarray(sum(self.parts(batch).values()))

    def cache_tokens(self, memory: float, share: float = MEMORY_SHARE) -> float:
        """Tokens that all GPUs' caches hold beside the weights: each GPU has ``memory`` bytes and uses a ``share``.

        Windowed layers, which keep little, are left out.
        """
        s, degree = self.shape, self.tensor_parallel
        weights = s.parameters * _bytes(self.dtype or s.dtype)
        if s.experts is not None:
            each = (s.layers - s.dense_layers) * s.experts.count * 3 * s.hidden * s.experts.intermediate
            dtype = self.expert_dtype or s.experts.dtype or self.dtype or s.dtype
            weights += each * (_bytes(dtype) - _bytes(self.dtype or s.dtype))
            weights += (self.data_parallel - 1) * (s.parameters - each) * _bytes(self.dtype or s.dtype)
        # Fewer heads than GPUs are held several times, and what is latent on each of them.
        copies = degree if s.latent is not None else max(1.0, degree / s.kv_heads)
        return (share * memory * self.gpus - weights) / (s.kv_numbers * _bytes(self.kv_dtype) * copies)

    def product(self, dtype: str, n: float, k: float, times: int, column: int = TOKENS) -> Kernel:
        """The kernel of ``times`` matrix products of that column's rows, n columns, and inner width k."""
        curves = _grid(self.tables.where("gemm", gemm_dtype=dtype), n, k)

        def seconds(columns: list[Array]) -> Array:
            rows = columns[column]
            return np.where(rows > 0, times * np.exp(curves.log_seconds(rows, n, k)), 0.0)

        return seconds

    def _experts(self, experts: Experts) -> Kernel:
        dtype = self.expert_dtype or experts.dtype or self.dtype or self.shape.dtype
        rows = self.tables.where(
            "moe", hidden_size=self.shape.hidden, inter_size=experts.intermediate, num_experts=experts.count,
            topk=experts.active, moe_dtype=dtype, moe_ep_size=self.expert_parallel,
            moe_tp_size=self.gpus // self.expert_parallel, distribution=self.distribution,
        )
        sources = [rows.where(kernel_source=name) for name in np.unique(rows.columns["kernel_source"])]
        curves = [Curve.of(each.columns["num_tokens"], each.seconds) for each in sources]
        layers = self.shape.layers - self.shape.dense_layers

        def seconds(columns: list[Array]) -> Array:  # of several kernels an engine takes the fastest
            return layers * np.exp(np.min([curve.log_seconds(columns[TOKENS]) for curve in curves], axis=0))

        return seconds

    def _attention(self, kind: str, heads: int, kv_heads: int) -> Kernel:
        s = self.shape
        layers = [(s.layers - s.window_layers, 0), (s.window_layers, s.window)]
        return of_surfaces(kind, [(count, self._surface(kind, heads, kv_heads, window))
                                  for count, window in layers if count])

    def _surface(self, kind: str, heads: int, kv_heads: int, window: int) -> Surfaces:
        rows = self.tables.where(kind, head_dim=self.shape.head_dim, window_size=window,
                                 kv_cache_dtype=self.kv_dtype, attn_dtype="bfloat16")
        known = np.unique(rows.columns["num_key_value_heads"])
        if kv_heads not in known:  # older tables name every head's own keys and values otherwise
            raise InputError(f"{rows.file}: no attention with {kv_heads} key-value heads; it has "
                             f"{', '.join(f'{each:g}' for each in known)}")
        return by_heads(rows.where(num_key_value_heads=kv_heads), heads)

    def _all_reduce(self) -> Kernel:
        return self._exchange(all_reduce_rows(self.tables), 2 * self.shape.layers, self.tensor_parallel)

    def _gather_and_scatter(self) -> Kernel:
        """What brings all groups' tokens to the experts, and their results back."""
        layers = self.shape.layers - self.shape.dense_layers
        rows = self.tables.rows("nccl").where(nccl_dtype="half")
        gather, scatter = (self._exchange(rows.where(op_name=name), layers, self.gpus)
                           for name in ("all_gather", "reduce_scatter"))
        return lambda columns: gather(columns) + scatter(columns)

    def _exchange(self, rows: Rows, times: int, gpus: int) -> Kernel:
        """Collective operations on the tokens' states; among more GPUs than measured, as among the most of these."""
        rows = rows.where(num_gpus=min(float(gpus), float(rows.columns["num_gpus"].max())))
        curve, width = Curve.of(rows.columns["message_size"], rows.seconds), self.shape.hidden
        return lambda columns: times * np.exp(curve.log_seconds(columns[TOKENS] * width))


def _bytes(dtype: str) -> float:
    """Bytes of a number with its share of the scales, by the formats' names in the tables."""
    if any(part in dtype for part in ("fp4", "int4", "w4")):
        return 0.5 + 1 / 16
    return 1.0 if dtype.startswith(("fp8", "int8", "sq")) else 2.0


def all_reduce_rows(tables: KernelTables) -> Rows:
    """All-reduces of 16-bit numbers: the engine's own as it runs within a CUDA graph, else NCCL's."""
    if not tables.has("allreduce"):
        return tables.rows("nccl").where(op_name="all_reduce", nccl_dtype="half")
    rows = tables.rows("allreduce")
    graphs = sorted({source for source in rows.columns["kernel_source"] if "graph" in source})
    return rows.where(kernel_source=graphs[0]) if graphs else rows


def _grid(rows: Rows, n: float, k: float) -> Grid:
    """The curves over m of the pairs around (n, k), all that a product of that width needs."""
    ns, ks = rows.columns["n"], rows.columns["k"]
    wanted = [(i, j) for i, _ in corners(n, ns) for j, _ in corners(k, ks)]
    curves = {pair: Curve.of(rows.columns["m"][at], rows.seconds[at]) for pair in wanted
              if (at := (ns == pair[0]) & (ks == pair[1])).any()}
    if not curves:
        pairs = np.unique(np.stack([ns, ks], axis=-1), axis=0)
        i, j = pairs[np.argmin(np.abs(np.log(pairs / (n, k))).sum(axis=1))]
        at = (ns == i) & (ks == j)
        curves = {(float(i), float(j)): Curve.of(rows.columns["m"][at], rows.seconds[at])}
    return Grid(curves)
