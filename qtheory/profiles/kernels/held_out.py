"""How far interpolated kernel times are from measured ones that were held out, by kernel and by what is interpolated.

Each measurement within a curve is predicted from the curve without it, and each product's width, batch size or number
of heads from its neighbours without it. The grids are measured at factors of two or less, and a held-out point leaves
a gap twice as wide: the errors are those of a coarser table than the one in use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from qtheory.profiles.kernels.interpolation import Array, Curve, Grid, Surface
from qtheory.profiles.kernels.iteration import DISTRIBUTION, all_reduce_rows
from qtheory.profiles.kernels.tables import KernelTables, Rows

SERIES = 40  # series of each kind that are looked at, drawn at random


@dataclass(frozen=True)
class HeldOut:
    """The errors ``predicted / measured - 1`` of one kernel along one axis: sizes of the median and the 90th
    percentile, and the number of held-out measurements."""

    kernel: str
    axis: str
    points: int
    median: float
    p90: float


def held_out(tables: KernelTables, seed: int = 0) -> list[HeldOut]:
    """The errors for every kind of table that is there; ``seed`` draws the series."""
    rng = np.random.default_rng(seed)
    looks: list[tuple[str, str, str, Callable[[Rows, np.random.Generator], Iterator[float]]]] = [
        ("gemm", "matrix product", "tokens", _product_tokens), ("gemm", "matrix product", "widths", _product_widths),
        ("prefill", "prefill attention", "length", _along), ("prefill", "prefill attention", "sequences", _across),
        ("decode", "decode attention", "length", _along), ("decode", "decode attention", "sequences", _across),
        *((kind, kind, axis, errors) for kind in (
            "latent prefill", "latent decode", "latent prefill block", "latent decode block")
          for axis, errors in (("length", _along), ("sequences", _across))),
        ("moe", "experts", "tokens", _experts), ("allreduce", "all-reduce", "size", _all_reduce),
    ]
    found = []
    for kind, kernel, axis, errors in looks:
        if kind == "allreduce":
            if not tables.has("allreduce") and not tables.has("nccl"):
                continue
            rows = all_reduce_rows(tables)
        elif tables.has(kind):
            rows = tables.rows(kind)
        else:
            continue
        sizes = np.abs(np.fromiter(errors(rows, rng), dtype=float))
        if sizes.size:
            found.append(HeldOut(kernel, axis, sizes.size, float(np.median(sizes)), float(np.quantile(sizes, 0.9))))
    return found


def markdown(found: dict[str, list[HeldOut]]) -> str:
    """The errors as a Markdown table, a row a GPU and engine (the keys), a column a kernel and axis."""
    heads = list(dict.fromkeys((e.kernel, e.axis) for errors in found.values() for e in errors))
    lines = ["| tables | " + " | ".join(f"{kernel}, {axis}" for kernel, axis in heads) + " |",
             "|" + " --- |" * (len(heads) + 1)]
    for name, errors in found.items():
        by = {(e.kernel, e.axis): f"{100 * e.median:.1f} %, {100 * e.p90:.1f} % ({e.points:,})" for e in errors}
        lines.append(f"| {name} | " + " | ".join(by.get(head, "") for head in heads) + " |")
    return "\n".join(lines) + "\n"


def _series(rows: Rows, names: tuple[str, ...], rng: np.random.Generator) -> Iterator[Rows]:
    """Some of the groups of rows that agree in those columns, drawn at random."""
    codes = np.stack([np.unique(rows.columns[name], return_inverse=True)[1] for name in names], axis=-1)
    group = np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1)
    count = int(group.max()) + 1
    for each in rng.permutation(count)[:SERIES]:
        at = group == each
        yield Rows(rows.file, rows.version, {n: c[at] for n, c in rows.columns.items()}, rows.seconds[at])


def _left_out(sizes: Array, seconds: Array) -> Iterator[float]:
    """Errors at each size but the least and the greatest, from a curve through the others."""
    for size in np.unique(sizes)[1:-1]:
        at = sizes == size
        predicted = np.exp(Curve.of(sizes[~at], seconds[~at]).log_seconds(size))
        yield from predicted / seconds[at] - 1


def _product_tokens(rows: Rows, rng: np.random.Generator) -> Iterator[float]:
    for part in _series(rows, ("gemm_dtype", "n", "k"), rng):
        yield from _left_out(part.columns["m"], part.seconds)


def _product_widths(rows: Rows, rng: np.random.Generator) -> Iterator[float]:
    """Products of a width n (all inner widths k of one kind of number) from the widths beside it."""
    for dtype in np.unique(rows.columns["gemm_dtype"]):
        part = rows.where(gemm_dtype=dtype)
        ns, ks = part.columns["n"], part.columns["k"]
        known = np.unique(ns)
        for n in rng.permutation(known[1:-1])[:4]:
            beside = known[np.searchsorted(known, n) + np.array([-1, 1])]
            for k in rng.permutation(np.unique(ks[ns == n]))[:4]:
                curves = {(float(i), float(k)): Curve.of(part.columns["m"][at], part.seconds[at])
                          for i in beside if (at := (ns == i) & (ks == k)).any()}
                if len(curves) < 2:
                    continue
                at = (ns == n) & (ks == k)
                predicted = np.exp(Grid(curves).log_seconds(part.columns["m"][at], float(n), float(k)))
                yield from predicted / part.seconds[at] - 1


_HEADS = ("num_heads", "num_key_value_heads", "head_dim", "window_size", "attn_dtype", "kv_cache_dtype", "mla_dtype",
          "gemm_type")


def _heads(rows: Rows) -> tuple[str, ...]:
    """What tells the curves of attention apart, of which grouped-query and latent attention each have a part."""
    return tuple(name for name in _HEADS if name in rows.columns)


def _tokens(rows: Rows) -> Array:
    return np.asarray(rows.columns["isl"] + rows.columns.get("step", 0), dtype=float)


def _along(rows: Rows, rng: np.random.Generator) -> Iterator[float]:
    for part in _series(rows, (*_heads(rows), "batch_size"), rng):
        yield from _left_out(_tokens(part), part.seconds)


def _across(rows: Rows, rng: np.random.Generator) -> Iterator[float]:
    for part in _series(rows, _heads(rows), rng):
        first, second = part.columns["batch_size"], _tokens(part)
        levels = np.unique(first)
        for level in levels[1:-1]:
            at = first == level
            # What neither neighbour measured at that length would test the extrapolation of both.
            beside = levels[np.searchsorted(levels, level) + np.array([-1, 1])]
            both = np.intersect1d(second[first == beside[0]], second[first == beside[1]])
            at &= np.isin(second, both)
            if at.any():
                rest = np.isin(first, beside)
                predicted = np.exp(Surface.of(first[rest], second[rest], part.seconds[rest]).log_seconds(
                    first[at], second[at]))
                yield from predicted / part.seconds[at] - 1


def _experts(rows: Rows, rng: np.random.Generator) -> Iterator[float]:
    names = ("hidden_size", "inter_size", "topk", "num_experts", "moe_tp_size", "moe_ep_size", "moe_dtype")
    chosen = rows.columns["distribution"] == DISTRIBUTION
    if chosen.any():
        rows = rows.where(distribution=DISTRIBUTION)
    for part in _series(rows, (*names, "distribution", "kernel_source"), rng):
        yield from _left_out(part.columns["num_tokens"], part.seconds)


def _all_reduce(rows: Rows, rng: np.random.Generator) -> Iterator[float]:
    for part in _series(rows, ("num_gpus",), rng):
        yield from _left_out(part.columns["message_size"], part.seconds)
