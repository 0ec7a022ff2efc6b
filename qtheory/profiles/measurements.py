"""Measured iteration times from CSV files: plain ones and those in the layout of Vidur's ``mlp.csv``.

A plain file has the columns ``tokens`` and ``seconds``; ``kind`` (prefill, decode or mixed), ``resident_tokens``
and ``decode_ratio`` are read where present. Repeated token counts are repeated measurements; wholly identical
rows are taken for copies and rejected. Every error names the file, the line and the column.

``qtheory profile measure`` writes plain files with provenance in lines ``# key: value`` before the header, with a
column ``series``, of which one or some are read, and a column ``repeat``: of a point's repetitions the median is read.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import DECODE, RATIO, RESIDENT, TOKENS
from qtheory.profiles.units import check as check_units
from qtheory.profiles.units import check_alike as check_columns

Array = NDArray[np.float64]

SECONDS = "seconds"
KIND = "kind"  # the column of a file; the laws' variable is its indicator DECODE
SERIES = "series"
REPEAT = "repeat"
PAIR = ("prefill", "decode")  # the series that together determine a prefill and decode pair
_SMALLEST, _LARGEST = 1e-9, 1e12  # a nanosecond; more tokens than any memory holds
_PLAIN = (TOKENS, SECONDS, KIND, RESIDENT, RATIO)
_PLACES = (SERIES, "decode_requests", "context", "chunk", "chunk_context")  # what else tells points apart
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
    """Iteration times ``seconds`` (rows,) and the laws' variables ``columns``, each (rows,), of ``file``.

    ``provenance``: what the file's own lines ``# key: value`` say; ``series``: those read, where the file has some;
    ``mixed``: among the rows are mixed iterations, so that no column tells prefill from decode.
    """

    file: str
    columns: dict[str, Array]
    seconds: Array
    gpu: str | None = None
    model: str | None = None
    tensor_parallel: int | None = None
    leaves_out: tuple[str, ...] = ()
    layout: str = "plain"
    provenance: dict[str, str] = field(default_factory=dict)
    series: tuple[str, ...] = ()
    mixed: bool = False

    def only(self, keep: NDArray[np.bool_], what: str) -> Measurements:
        """The rows where ``keep`` holds; raises InputError if none is left, saying ``what`` was kept."""
        if not keep.any():
            raise InputError(f"{self.file}: no row with {what}")
        return self.rows(np.flatnonzero(keep))

    def rows(self, index: NDArray[np.intp]) -> Measurements:
        """The rows of those indices (rows,), which may repeat."""
        columns = {name: column[index] for name, column in self.columns.items()}
        return replace(self, columns=columns, seconds=self.seconds[index])

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


def read(
    path: str | Path, *, workers: int | None = None, layers: int | None = None, series: Sequence[str] = ()
) -> Measurements:
    """Read a CSV of iteration times in either layout.

    ``workers``: for Vidur's layout, the number of tensor-parallel GPUs; needed if the file has several.
    ``layers``: for Vidur's layout, the model's layers; known for the models of LAYERS.
    ``series``: for files with a column ``series``, those to read; needed if the file has several.
    Raises InputError with file, line and column for whatever cannot be used.
    """
    return parse(_text(Path(path)), path, workers=workers, layers=layers, series=series)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as UTF-8 text: {error}") from None


def parse(
    text: str, path: str | Path, *, workers: int | None = None, layers: int | None = None, series: Sequence[str] = ()
) -> Measurements:
    """As `read`, of a file's text; ``path`` names it in errors, and tells GPU and model in Vidur's layout."""
    path = Path(path)
    provenance, header, rows = _rows(path, text)
    if _VIDUR_TOKENS in header and any(name.startswith("time_stats.") for name in header):
        if series:
            raise InputError(f"{path}: series are of files that qtheory measured, which this is not")
        return _vidur(path, header, rows, workers, layers)
    for option, value in (("workers", workers), ("layers", layers)):
        if value is not None:
            raise InputError(f"{path}: {option} is for files in Vidur's layout, which this is not")
    chosen, series = _of_series(path, header, rows, series)
    left_out = (part.strip() for part in provenance.get("leaves_out", "").split(";"))
    return replace(
        _plain(path, header, chosen), series=tuple(series), provenance=provenance, gpu=provenance.get("gpu"),
        model=provenance.get("model"), leaves_out=tuple(part for part in left_out if part),
    )


def read_sets(path: str | Path, workers: Sequence[int] = ()) -> list[Measurements]:
    """Every measurement set of a file: in Vidur's layout one for each number of GPUs, or for those of ``workers``; of a
    file with series one for each, and one for prefill and decode together; else the file itself.

    Raises InputError as `read` does.
    """
    path = Path(path)
    text = _text(path)
    _, header, rows = _rows(path, text)
    if _VIDUR_WORKERS in header:
        at = header.index(_VIDUR_WORKERS)
        present = sorted({int(_number(path, line, _VIDUR_WORKERS, row[at], positive=True)) for line, row in rows})
        return [parse(text, path, workers=count) for count in workers or present]
    names = series_names(text, path)
    chosen = [[name] for name in names] + [list(PAIR)] * (set(PAIR) <= set(names))
    return [parse(text, path, series=series) for series in chosen or [[]]]


Rows = list[tuple[int, list[str]]]


def series_names(text: str, path: str | Path) -> list[str]:
    """The series of a file's text, in order of appearance; empty where it has none."""
    _, header, rows = _rows(Path(path), text)
    at = header.index(SERIES) if SERIES in header else None
    return [] if at is None else list(dict.fromkeys(row[at].strip() for _, row in rows))


def _of_series(path: Path, header: list[str], rows: Rows, series: Sequence[str]) -> tuple[Rows, Sequence[str]]:
    if SERIES not in header:
        if series:
            raise InputError(f"{path}: no column {SERIES!r}, by which rows could be chosen")
        return rows, ()
    at = header.index(SERIES)
    known = list(dict.fromkeys(row[at].strip() for _, row in rows))
    if not series and len(known) > 1:
        raise InputError(f"{path}: several series: {', '.join(known)}; say which with --series")
    for name in series:
        if name not in known:
            raise UnknownNameError(f"series of {path}", name, known)
    return [(line, row) for line, row in rows if not series or row[at].strip() in series], series or known


_NOTE = re.compile(r"#\s*([A-Za-z0-9_. -]+?)\s*:\s*(.*)")


def _rows(path: Path, text: str) -> tuple[dict[str, str], list[str], Rows]:
    """The lines ``# key: value`` before the header, the header, and the rows with their line numbers."""
    provenance: dict[str, str] = {}
    before = 0
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        before += 1
        if note := _NOTE.fullmatch(line.strip()):
            provenance.setdefault(note[1], note[2])
    body = "".join(text.splitlines(keepends=True)[before:])
    lines = [(number + before, row) for number, row in _parsed(path, body, before) if any(c.strip() for c in row)]
    if not lines:
        raise InputError(f"{path}: empty file; a header such as 'tokens,seconds' and rows are wanted")
    header = [name.strip() for name in lines[0][1]]
    for name in header:
        if header.count(name) > 1:
            raise InputError(f"{path}:{lines[0][0]}: column {name!r} appears twice")
    if len(lines) == 1:
        raise InputError(f"{path}:{lines[0][0]}: a header and no rows")
    for number, row in lines[1:]:
        if len(row) != len(header):
            raise InputError(f"{path}:{number}: {len(row)} cells, the header has {len(header)}")
    return provenance, header, lines[1:]


def _parsed(path: Path, text: str, before: int) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"{path}:{reader.line_num + before}: not CSV: {error}") from None
        yield reader.line_num, row


def _number(path: Path, line: int, column: str, cell: str, *, positive: bool = False) -> float:
    where = f"{path}:{line}: column {column!r}"
    if not cell.strip():
        raise InputError(f"{where}: empty cell")
    try:
        value = float(cell)
    except ValueError:
        if unit := re.fullmatch(r"\s*[-+0-9.eE]+\s*(ns|us|µs|ms|s|sec|seconds|min)\s*", cell):
            raise InputError(f"{where}: {cell.strip()!r} carries the unit {unit[1]!r}; plain numbers in one unit "
                             "are wanted, seconds in a file with a column 'seconds'") from None
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
    loads = {name: arrays[name] for name in (TOKENS, RESIDENT, RATIO) if name in arrays}
    kinds = np.nan_to_num(arrays.get(DECODE, np.zeros(len(rows))), nan=2.0)
    check_units(path, [line for line, _ in rows], SECONDS, arrays[SECONDS], loads, kinds, SECONDS)
    if REPEAT in header:  # a median would hide the one repetition in another unit, so that units come first
        tell = [i for i, name in enumerate(header) if name in _PLACES or (name in known and name != SECONDS)]
        arrays = _medians(arrays, [tuple(row[i] for i in tell) for _, row in rows])
    mixed = DECODE in arrays and bool(np.isnan(arrays[DECODE]).any())
    if mixed:
        del arrays[DECODE]  # a law of two phases says nothing of mixed iterations
    return Measurements(str(path), arrays, arrays.pop(SECONDS), mixed=mixed)


def _medians(arrays: dict[str, Array], groups: list[tuple[str, ...]]) -> dict[str, Array]:
    """One row a point, the median of its repetitions."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for index, group in enumerate(groups):
        rows.setdefault(group, []).append(index)
    first = [indices[0] for indices in rows.values()]
    seconds = np.array([np.median(arrays[SECONDS][indices]) for indices in rows.values()])
    return {name: column[first] for name, column in arrays.items()} | {SECONDS: seconds}


def _plain_number(path: Path, line: int, name: str, cell: str) -> float:
    value = _number(path, line, name, cell, positive=name in (SECONDS, TOKENS))
    if name == RATIO and value > 1:
        raise InputError(f"{path}:{line}: column {name!r}: {cell.strip()} is not a share from 0 to 1")
    return value


def _decode(path: Path, line: int, cell: str) -> float:
    kinds = {"prefill": 0.0, "decode": 1.0, "mixed": math.nan}
    if cell.strip() not in kinds:
        raise InputError(f"{path}:{line}: column {KIND!r}: {cell.strip()!r} is none of prefill, decode and mixed")
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
    # The whole file is checked, also the rows of other numbers of GPUs.
    cells = np.array([[_number(path, line, name, row[at[name]], positive=True) for name in (_VIDUR_TOKENS, *wanted)]
                      for line, row in rows])
    tokens, operations, kinds = cells[:, 0], cells[:, 1:], np.array(counts)
    for name, times in zip(wanted, operations.T, strict=True):
        check_units(path, [line for line, _ in rows], name, times, {TOKENS: tokens}, kinds, "milliseconds")
    for of_products in (True, False):
        alike = {n: t for n, t in zip(wanted, operations.T, strict=True) if ("_proj" in n) == of_products}
        check_columns(path, rows[0][0] - 1, alike, "milliseconds")
    of_chosen = kinds == chosen
    gpu = named["gpu"].upper() if named else None
    seconds = depth * operations[of_chosen].sum(axis=1) / 1000
    columns = {TOKENS: tokens[of_chosen]}
    return Measurements(str(path), columns, seconds, gpu, model, int(chosen), VIDUR_LEAVES_OUT, "vidur")


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
