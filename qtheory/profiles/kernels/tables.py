"""Tables of measured kernel times: Parquet files by GPU, kind of table, engine and version.

The layout is that of the package ``aiconfigurator-core`` (NVIDIA, Apache-2.0), of which any part may lie in a folder
of one's own: ``<gpu>/<table>/<engine>/<version>/<file>.parquet``, one row a measurement, ``latency`` in milliseconds.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError, UnknownNameError

Array = NDArray[np.float64]

PACKAGE = "aiconfigurator_core"
LICENCE = "aiconfigurator-core (NVIDIA, Apache-2.0)"
LATENCY = "latency"
_MILLISECOND = 1e-3
_VERSION_PART = re.compile(r"\d+|[a-z]+")


@dataclass(frozen=True)
class Kind:
    """One kind of table: its folder, its file, and the columns that name a measurement's point."""

    folder: str
    file: str
    numbers: tuple[str, ...]
    words: tuple[str, ...]


KINDS = {
    "gemm": Kind("gemm", "gemm_perf", ("m", "n", "k"), ("gemm_dtype",)),
    "prefill": Kind("attention", "context_attention_perf",
                    ("batch_size", "isl", "num_heads", "num_key_value_heads", "head_dim", "window_size"),
                    ("attn_dtype", "kv_cache_dtype")),
    "decode": Kind("attention", "generation_attention_perf",
                   ("batch_size", "isl", "step", "num_heads", "num_key_value_heads", "head_dim", "window_size"),
                   ("attn_dtype", "kv_cache_dtype")),
    "latent prefill": Kind("mla", "context_mla_perf", ("batch_size", "isl", "num_heads"), ("kv_cache_dtype",)),
    "latent decode": Kind("mla", "generation_mla_perf", ("batch_size", "isl", "step", "num_heads"),
                          ("kv_cache_dtype",)),
    "latent product": Kind("mla_bmm", "mla_bmm_perf", ("num_tokens", "num_heads"), ("op_name", "bmm_dtype")),
    "latent prefill block": Kind("mla", "mla_context_module_perf", ("batch_size", "isl", "num_heads"),
                                 ("mla_dtype", "kv_cache_dtype", "gemm_type")),
    "latent decode block": Kind("mla", "mla_generation_module_perf", ("batch_size", "isl", "step", "num_heads"),
                                ("mla_dtype", "kv_cache_dtype", "gemm_type")),
    "moe": Kind("moe", "moe_perf",
                ("num_tokens", "hidden_size", "inter_size", "topk", "num_experts", "moe_tp_size", "moe_ep_size"),
                ("moe_dtype", "distribution", "kernel_source")),
    "allreduce": Kind("comm", "custom_allreduce_perf", ("num_gpus", "message_size"), ("kernel_source",)),
    "nccl": Kind("comm", "nccl_perf", ("num_gpus", "message_size"), ("op_name", "nccl_dtype")),
}
_MAY_LACK: dict[str, object] = {"window_size": 0, "kernel_source": ""}  # older tables: no windows, and one kernel


@dataclass(frozen=True, eq=False)
class Rows:
    """The measurements of one file: columns by name, ``seconds`` (rows,), and where they come from."""

    file: str
    version: str
    columns: Mapping[str, NDArray[Any]]
    seconds: Array

    def __len__(self) -> int:
        return len(self.seconds)

    def where(self, **equal: object) -> Rows:
        """The rows whose columns equal those values; InputError naming the first value that none has."""
        keep = np.ones(len(self), dtype=bool)
        for name, value in equal.items():
            left = keep & (self.columns[name] == value)
            if not left.any():
                known = np.unique(self.columns[name][keep])
                few = ", ".join(map(str, known[:12])) + (", ..." if len(known) > 12 else "")
                raise InputError(f"{self.file}: no row with {name} = {value}; it has {few}")
            keep = left
        return Rows(self.file, self.version, {n: c[keep] for n, c in self.columns.items()}, self.seconds[keep])


def root(path: str | Path | None = None) -> Path:
    """The folder that holds a folder for each GPU: ``path``, or that of the installed package."""
    if path is not None:
        folder = Path(path)
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder; kernel tables lie in <gpu>/<table>/<engine>/<version>/")
        return folder
    found = importlib.util.find_spec(PACKAGE)
    for place in (found.submodule_search_locations or ()) if found else ():
        if (folder := Path(place) / "systems" / "data").is_dir():
            return folder
    raise InputError("no folder of kernel tables given, and the package aiconfigurator-core is not installed "
                     "(pip install 'qtheory-llm[kernels]')")


def gpus(path: str | Path | None = None) -> list[str]:
    """The GPUs that a folder of tables has, in alphabetical order."""
    return sorted(entry.name for entry in root(path).iterdir() if (entry / "gemm").is_dir())


def engines(gpu: str, path: str | Path | None = None) -> list[str]:
    """The engines whose matrix products and attention are measured on that GPU."""
    folder = _gpu_folder(gpu, root(path))
    names = [{e.name for e in (folder / kind).iterdir() if e.is_dir()} if (folder / kind).is_dir() else set()
             for kind in ("gemm", "attention")]
    return sorted(set.intersection(*names))


def _gpu_folder(gpu: str, folder: Path) -> Path:
    if not (folder / gpu).is_dir():
        raise UnknownNameError(f"GPU of {folder}:", gpu, sorted(e.name for e in folder.iterdir() if e.is_dir()))
    return folder / gpu


def _order(version: str) -> list[tuple[int, int, str]]:
    """A version as a key: 1.0 before 1.0.1, 1.2rc5 before 1.2rc20 before 1.2."""
    parts = [(1, int(p), "") if p.isdigit() else (0, 0, p) for p in _VERSION_PART.findall(version)]
    return [*parts, (1, -1, "")]


@dataclass(frozen=True)
class KernelTables:
    """The measured kernels of one GPU and engine; a table is read when first asked for.

    ``versions``: for each kind of table the engine's versions that are read, the newest first.
    """

    folder: Path
    gpu: str
    engine: str
    versions: Mapping[str, tuple[str, ...]]

    @cached_property
    def _read(self) -> dict[tuple[str, str], Rows]:
        return {}

    def rows(self, kind: str, version: str | None = None) -> Rows:
        """All measurements of that kind in the newest version, or in another; InputError if there are none."""
        version = version or self._known(kind)[0]
        if (kind, version) not in self._read:
            self._read[kind, version] = read_file(self._path(kind, version), kind, version)
        return self._read[kind, version]

    def read(self) -> list[Rows]:
        """The tables that have been read so far."""
        return list(self._read.values())

    def where(self, kind: str, **equal: object) -> Rows:
        """The measurements whose columns equal those values, of the newest version that has any.

        A new version may hold the models that came with it alone. InputError names what the newest one lacks.
        """
        first: InputError | None = None
        for version in self._known(kind):
            try:
                return self.rows(kind, version).where(**equal)
            except InputError as error:
                first = first or error
        assert first is not None
        raise first

    def has(self, kind: str) -> bool:
        """Whether there is a table of that kind."""
        return kind in self.versions

    def _known(self, kind: str) -> tuple[str, ...]:
        if kind not in self.versions:
            raise InputError(f"{self.folder / self.gpu}: no table {KINDS[kind].file}.parquet of {self.engine}")
        return self.versions[kind]

    def _path(self, kind: str, version: str) -> Path:
        engine = "nccl" if kind == "nccl" else self.engine
        return self.folder / self.gpu / KINDS[kind].folder / engine / version / f"{KINDS[kind].file}.parquet"


def tables(gpu: str, engine: str, path: str | Path | None = None, *, version: str | None = None) -> KernelTables:
    """The tables of a GPU and an engine, from a folder or (``path`` None) the installed package.

    ``version``: the engine's version; None: for each kind of table all, the newest first. Raises UnknownNameError for
    a GPU, an engine or a version that has no tables, and InputError where products or attention are missing.
    """
    folder = root(path)
    place = _gpu_folder(gpu, folder)
    if engine not in engines(gpu, folder):
        raise UnknownNameError(f"engine of {place}:", engine, engines(gpu, folder))
    found: dict[str, tuple[str, ...]] = {}
    for name, kind in KINDS.items():
        versions = [file.parent.name for file in
                    place.glob(f"{kind.folder}/{'nccl' if name == 'nccl' else engine}/*/{kind.file}.parquet")]
        if version is not None and name != "nccl":
            if name in ("gemm", "prefill", "decode") and version not in versions:
                raise UnknownNameError(f"version of {engine}'s {kind.file} on {gpu}", version, versions)
            versions = [v for v in versions if v == version]
        if versions:
            found[name] = tuple(sorted(versions, key=_order, reverse=True))
    for name in ("gemm", "prefill", "decode"):
        if name not in found:
            raise InputError(f"{place}: no table {KINDS[name].file}.parquet of {engine}")
    return KernelTables(folder, gpu, engine, found)


def read_file(path: Path, kind: str, version: str = "") -> Rows:
    """One Parquet file of that kind; InputError, in one line, for one that is missing, broken or of another form."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError("reading kernel tables needs pyarrow: pip install 'qtheory-llm[kernels]'") from None
    wanted = KINDS[kind]
    try:
        present = set(pq.read_schema(path).names)
        columns = [*wanted.numbers, *wanted.words, LATENCY]
        for name in columns:
            if name not in present and name not in _MAY_LACK:
                raise InputError(f"{path}: no column {name!r}, which a table {wanted.file} has")
        table = pq.read_table(path, columns=[name for name in columns if name in present])
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: not a readable Parquet file: {str(error).splitlines()[0]}") from None
    if not table.num_rows:
        raise InputError(f"{path}: a table without rows")
    data: dict[str, NDArray[Any]] = {}
    for name in columns:
        if name not in present:
            data[name] = np.full(table.num_rows, _MAY_LACK[name])
        elif name in wanted.words:
            data[name] = table.column(name).to_numpy(zero_copy_only=False)
        else:
            data[name] = _numbers(path, name, table.column(name).to_pylist)
    seconds = data.pop(LATENCY) * _MILLISECOND
    return Rows(str(path), version, data, seconds)


def _numbers(path: Path, name: str, values: Any) -> Array:
    """A column as positive finite floats (steps, windows and contexts may be 0)."""
    try:
        column = np.array(values(), dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{path}: column {name!r} does not hold numbers") from None
    least = 0.0 if name in ("step", "window_size") else np.nextafter(0.0, 1.0)
    bad = ~(np.isfinite(column) & (column >= least))
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(f"{path}: row {row + 1}, column {name!r}: {column[row]} is not a number above 0")
    return column
