"""Measured iteration times from CSV files: plain ones and those in the layout of Vidur's ``mlp.csv``.

A plain file has the columns ``tokens`` and ``seconds``; ``kind`` (prefill or decode), ``resident_tokens``
and ``decode_ratio`` are read where present. Repeated token counts are repeated measurements; wholly identical
rows are taken for copies and rejected. Every error names the file, the line and the column.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import DECODE, RATIO, RESIDENT, TOKENS

Array = NDArray[np.float64]

SECONDS = "seconds"
KIND = "kind"  # the column of a file; the laws' variable is its indicator DECODE
_SMALLEST, _LARGEST = 1e-9, 1e12  # a nanosecond; more tokens than any memory holds
_PLAIN = (TOKENS, SECONDS, KIND, RESIDENT, RATIO)
_VIDUR_TOKENS = "num_tokens"
_VIDUR_WORKERS = "num_tensor_parallel_workers"
# Once per layer; the embedding ("emb") runs once per batch, attention and the all-reduce are not measured.
VIDUR_OPERATIONS = (
    "input_layernorm",
    "attn_pre_proj",
    "attn_rope",
    "attn_post_proj",
    "post_attention_layernorm",
    "mlp_up_proj",
    "mlp_act",
    "mlp_down_proj",
    "add",
)
VIDUR_LEAVES_OUT = ("attention", "all-reduce between the GPUs", "embedding, sampling and scheduling")
LAYERS = {
    "CodeLlama-34b-Instruct-hf": 48,
    "Llama-2-70b-hf": 80,
    "Llama-2-7b-hf": 32,
    "Meta-Llama-3-70B": 80,
    "Meta-Llama-3-8B": 32,
}
_VIDUR_NAME = re.compile(r"(?P<gpu>[A-Za-z0-9-]+)_(?P<organisation>[^_]+)_(?P<model>.+)\.mlp\.csv")


@dataclass(frozen=True)
class Measurements:
    """Iteration times ``seconds`` (rows,) and the laws' variables ``columns``, each (rows,), of ``file``."""

    file: str
    columns: dict[str, Array]
    seconds: Array
    gpu: str | None = None
    model: str | None = None
    tensor_parallel: int | None = None
    leaves_out: tuple[str, ...] = ()
    layout: str = "plain"

    def only(self, keep: NDArray[np.bool_], what: str) -> Measurements:
        """The rows where ``keep`` holds; raises InputError if none is left, saying ``what`` was kept."""
        if not keep.any():
            raise InputError(f"{self.file}: no row with {what}")
        columns = {name: column[keep] for name, column in self.columns.items()}
        return replace(self, columns=columns, seconds=self.seconds[keep])

    def tokens_between(self, least: float = 0.0, most: float = math.inf) -> Measurements:
        """The rows with ``least <= tokens <= most``."""
        tokens = self._tokens()
        return self.only((tokens >= least) & (tokens <= most), f"{least:g} to {most:g} tokens")

    def _tokens(self) -> Array:
        if TOKENS not in self.columns:
            raise InputError(f"{self.file}: no column {TOKENS!r}, by which rows could be chosen")
        return self.columns[TOKENS]

    def phases_split_at(self, decode_at_most: float, prefill_at_least: float) -> Measurements:
        """Rows of few tokens as decode iterations, rows of many as prefill iterations, the rest left out.

        For files that do not tell the phases apart because they hold the linear operations alone, in which a
        prefill token and a decode token cost the same.
        """
        if decode_at_most >= prefill_at_least:
            raise InputError(f"decode up to {decode_at_most:g} overlaps prefill from {prefill_at_least:g} tokens")
        tokens = self._tokens()
        low, high = tokens <= decode_at_most, tokens >= prefill_at_least
        for rows, what in ((low, f"at most {decode_at_most:g}"), (high, f"at least {prefill_at_least:g}")):
            self.only(rows, f"{what} tokens")
        part = self.only(low | high, "tokens in either range")
        indicator = (part.columns[TOKENS] <= decode_at_most).astype(float)
        return replace(part, columns=part.columns | {DECODE: indicator})


def read(path: str | Path, *, workers: int | None = None, layers: int | None = None) -> Measurements:
    """Read a CSV of iteration times in either layout.

    ``workers``: for Vidur's layout, the number of tensor-parallel GPUs; needed if the file has several.
    ``layers``: for Vidur's layout, the model's layers; known for the models of LAYERS.
    Raises InputError with file, line and column for whatever cannot be used.
    """
    header, rows = _rows(Path(path))
    if _VIDUR_TOKENS in header and any(name.startswith("time_stats.") for name in header):
        return _vidur(Path(path), header, rows, workers, layers)
    for option, value in (("workers", workers), ("layers", layers)):
        if value is not None:
            raise InputError(f"{path}: {option} is for files in Vidur's layout, which this is not")
    return _plain(Path(path), header, rows)


Rows = list[tuple[int, list[str]]]


def _rows(path: Path) -> tuple[list[str], Rows]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    lines = [(number, row) for number, row in _parsed(path, text) if any(cell.strip() for cell in row)]
    if not lines:
        raise InputError(f"{path}: empty file; a header such as 'tokens,seconds' and rows are wanted")
    header = [name.strip() for name in lines[0][1]]
    for name in header:
        if header.count(name) > 1:
            raise InputError(f"{path}:{lines[0][0]}: column {name!r} appears twice")
    if len(lines) == 1:
        raise InputError(f"{path}:{lines[0][0]}: a header and no rows")
    seen: dict[tuple[str, ...], int] = {}
    for number, row in lines[1:]:
        if len(row) != len(header):
            raise InputError(f"{path}:{number}: {len(row)} cells, the header has {len(header)}")
        key = tuple(cell.strip() for cell in row)
        if key in seen:
            raise InputError(f"{path}:{number}: the same in every cell as line {seen[key]}; remove the copy")
        seen[key] = number
    return header, lines[1:]


def _parsed(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"{path}:{reader.line_num}: not CSV: {error}") from None
        yield reader.line_num, row


def _number(path: Path, line: int, column: str, cell: str, *, positive: bool = False) -> float:
    where = f"{path}:{line}: column {column!r}"
    if not cell.strip():
        raise InputError(f"{where}: empty cell")
    try:
        value = float(cell)
    except ValueError:
        raise InputError(f"{where}: {cell.strip()!r} is not a number") from None
    if not math.isfinite(value):
        raise InputError(f"{where}: {cell.strip()} is not a finite number")
    if value > _LARGEST or 0 < value < _SMALLEST:
        raise InputError(f"{where}: {cell.strip()} is beyond any measurement ({_SMALLEST:g} to {_LARGEST:g})")
    if value < 0 or (positive and value == 0):
        raise InputError(f"{where}: {cell.strip()} is not {'positive' if positive else 'at least 0'}")
    return value


def _plain(path: Path, header: list[str], rows: Rows) -> Measurements:
    if SECONDS not in header:
        raise InputError(f"{path}: no column 'seconds'; it has {', '.join(header)}")
    known = [name for name in header if name in _PLAIN]
    if len(known) == 1:
        raise InputError(f"{path}: no column of a law's variable; wanted {TOKENS}, {RESIDENT} or {RATIO}")
    columns: dict[str, list[float]] = {name: [] for name in known}
    for line, row in rows:
        for name, cell in zip(header, row, strict=True):
            if name == KIND:
                columns[name].append(_decode(path, line, cell))
            elif name in columns:
                columns[name].append(_plain_number(path, line, name, cell))
    arrays = {DECODE if name == KIND else name: np.array(values) for name, values in columns.items()}
    return Measurements(str(path), arrays, arrays.pop(SECONDS))


def _plain_number(path: Path, line: int, name: str, cell: str) -> float:
    value = _number(path, line, name, cell, positive=name in (SECONDS, TOKENS))
    if name == RATIO and value > 1:
        raise InputError(f"{path}:{line}: column {name!r}: {cell.strip()} is not a share from 0 to 1")
    return value


def _decode(path: Path, line: int, cell: str) -> float:
    kinds = {"prefill": 0.0, "decode": 1.0}
    if cell.strip() not in kinds:
        raise InputError(f"{path}:{line}: column {KIND!r}: {cell.strip()!r} is neither prefill nor decode")
    return kinds[cell.strip()]


def _vidur(
    path: Path, header: list[str], rows: Rows, workers: int | None, layers: int | None
) -> Measurements:
    wanted = [f"time_stats.{operation}.median" for operation in VIDUR_OPERATIONS]
    for name in (_VIDUR_WORKERS, *wanted):
        if name not in header:
            raise InputError(f"{path}: Vidur's layout without column {name!r}")
    at = {name: header.index(name) for name in (_VIDUR_TOKENS, _VIDUR_WORKERS, *wanted)}
    column = at[_VIDUR_WORKERS]
    counts = [_number(path, line, _VIDUR_WORKERS, row[column], positive=True) for line, row in rows]
    present = sorted(set(counts))
    listed = ", ".join(f"{count:g}" for count in present)
    if workers is None and len(present) > 1:
        raise InputError(f"{path}: measured with {listed} GPUs; say which with --workers")
    chosen = present[0] if workers is None else workers
    if chosen not in present:
        raise InputError(f"{path}: no row with {chosen} GPUs; it has {listed}")
    named = _VIDUR_NAME.fullmatch(path.name)
    model = named["model"] if named else None
    depth = _layers(path, model, layers)
    tokens, seconds = [], []
    for (line, row), count in zip(rows, counts, strict=True):
        # The whole file is checked, also the rows of other numbers of GPUs.
        load = _number(path, line, _VIDUR_TOKENS, row[at[_VIDUR_TOKENS]], positive=True)
        layer = sum(_number(path, line, name, row[at[name]], positive=True) for name in wanted)
        if count == chosen:
            tokens.append(load)
            seconds.append(depth * layer / 1000)
    gpu = named["gpu"].upper() if named else None
    columns = {TOKENS: np.array(tokens)}
    seconds_array = np.array(seconds)
    return Measurements(str(path), columns, seconds_array, gpu, model, int(chosen), VIDUR_LEAVES_OUT, "vidur")


def _layers(path: Path, model: str | None, layers: int | None) -> int:
    if layers is not None:
        if layers < 1:
            raise InputError(f"layers = {layers}: at least 1 is wanted")
        return layers
    if model is None:
        raise InputError(f"{path}: no model in the name (GPU_ORGANISATION_MODEL.mlp.csv); give --layers")
    if model not in LAYERS:
        raise UnknownNameError("model (or give --layers)", model, list(LAYERS))
    return LAYERS[model]
