"""A trace CSV as a workload: empirical laws of its lengths, its arrival times, its rows."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from qtheory.errors import InputError
from qtheory.workloads.base import GREATEST_LENGTH
from qtheory.workloads.files import read_text
from qtheory.workloads.tabulated import Empirical
from qtheory.workloads.trace_formats import date_seconds, read_jsonl
from qtheory.workloads.workload import RequestClass, Trace, Workload

# Names of each column in the layouts that are read: this library's, Splitwise's and Vidur's, Azure's, and
# BurstGPT's.
PROMPT_COLUMNS = ("prompt_length", "num_prefill_tokens", "ContextTokens", "Request tokens")
OUTPUT_COLUMNS = ("output_length", "num_decode_tokens", "GeneratedTokens", "Response tokens")
ARRIVAL_COLUMNS = ("arrival_time", "arrived_at", "TIMESTAMP", "Timestamp")


def read_trace(path: str | Path) -> Workload:
    """The workload of a CSV with a header, one request a line, other columns left alone; or of JSON lines (.jsonl).

    Prompt lengths in a column ``prompt_length``, ``num_prefill_tokens``, ``ContextTokens`` or ``Request tokens``,
    output lengths in ``output_length``, ``num_decode_tokens``, ``GeneratedTokens`` or ``Response tokens`` (integers of
    at least 1; BurstGPT's 0 is a request that failed), and, if there are any, arrival times (not decreasing) in seconds
    in ``arrival_time``, ``arrived_at`` or BurstGPT's ``Timestamp``, or as dates in ``TIMESTAMP``, from the first
    request on. JSON lines are those of Mooncake: ``timestamp`` in milliseconds, ``input_length``,
    ``output_length``, ``hash_ids``. Raises InputError with file, line and column.
    """
    path = Path(path)
    if path.suffix == ".jsonl":
        rows_ = read_jsonl(path)
        return _workload(path, (rows_.prompts, rows_.outputs), rows_.arrivals, tuple(rows_.hashes))
    rows = _rows(path)
    header = [name.strip() for name in next(rows)[1]]
    prompt, output = (_column(path, header, names) for names in (PROMPT_COLUMNS, OUTPUT_COLUMNS))
    arrival = next((header.index(name) for name in ARRIVAL_COLUMNS if name in header), None)
    lengths: tuple[list[int], list[int]] = [], []
    arrivals: list[float] = []
    origin: float | None = None
    for line, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{path}, line {line}: {len(cells)} fields where the header has {len(header)}")
        for column, values in zip((prompt, output), lengths, strict=True):
            values.append(_length(path, line, header[column], cells[column]))
        if arrival is not None:
            time = _time(path, line, header[arrival], cells[arrival])
            if header[arrival] == "TIMESTAMP":
                origin = time if origin is None else origin
                time -= origin
            if arrivals and time < arrivals[-1]:
                raise InputError(
                    f"{path}, line {line}, column {header[arrival]}: {time} after {arrivals[-1]}; "
                    "arrival times must not decrease"
                )
            arrivals.append(time)
    if not lengths[0]:
        raise InputError(f"{path}: no request below the header")
    return _workload(path, lengths, arrivals if arrival is not None else None)


def _workload(
    path: Path, lengths: tuple[list[int], list[int]], arrivals: list[float] | None,
    prefixes: tuple[tuple[int, ...], ...] | None = None,
) -> Workload:
    prompts, outputs = (np.array(values, dtype=np.int64) for values in lengths)
    trace = Trace(prompts, outputs, None if arrivals is None else np.array(arrivals), prefixes)
    basis = "as recorded"
    requests = RequestClass("all", 1.0, Empirical.of(prompts), Empirical.of(outputs), basis, basis)
    return Workload(path.stem, f"trace {path.name}", "", path.name, f"{len(trace)} requests", (requests,), trace)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(read_text(path, "a trace is a CSV file")), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        rows.extend((reader.line_num, cells) for cells in reader if cells)
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None
    if not rows:
        raise InputError(f"{path}: empty; a trace needs a header with {PROMPT_COLUMNS[0]} and {OUTPUT_COLUMNS[0]}")
    return iter(rows)


def _column(path: Path, header: list[str], names: tuple[str, ...]) -> int:
    for name in names:
        if header.count(name) > 1:
            raise InputError(f"{path}, line 1: column {name} appears {header.count(name)} times")
        if name in header:
            return header.index(name)
    found = ", ".join(header[:8])
    raise InputError(f"{path}, line 1: no column {' or '.join(names[:2])}; the header has {found}")


def _length(path: Path, line: int, column: str, cell: str) -> int:
    digits = cell.strip()
    length = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 16 else 0
    if not 1 <= length <= GREATEST_LENGTH:
        failed = column == OUTPUT_COLUMNS[-1] and digits == "0"
        raise InputError(f"{path}, line {line}, column {column}: " + ("0 tokens: this request failed; BurstGPT also "
                         "comes as files without these" if failed else
                         f"{cell!r} is not an integer of at least 1 token"))
    return length


def _time(path: Path, line: int, column: str, cell: str) -> float:
    if column == "TIMESTAMP":
        date = date_seconds(cell)
        if date is None:
            raise InputError(f"{path}, line {line}, column {column}: {cell!r} is not a date and time such as "
                             "2023-11-16 18:17:03.98")
        return date
    try:
        time = float(cell.replace("_", "?"))  # float() would read 1_0 as 10
    except ValueError:
        time = math.nan
    if not math.isfinite(time):
        raise InputError(f"{path}, line {line}, column {column}: {cell!r} is not a time in seconds")
    return time
