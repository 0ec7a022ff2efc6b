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
from qtheory.workloads.workload import RequestClass, Trace, Workload

# Names of each column in the layouts that are read: this library's, and that of the Splitwise and Vidur traces.
PROMPT_COLUMNS = ("prompt_length", "num_prefill_tokens")
OUTPUT_COLUMNS = ("output_length", "num_decode_tokens")
ARRIVAL_COLUMNS = ("arrival_time", "arrived_at")


def read_trace(path: str | Path) -> Workload:
    """The workload of a CSV with a header, one request a line; other columns are left alone.

    Prompt lengths in a column ``prompt_length`` or ``num_prefill_tokens``, output lengths in ``output_length``
    or ``num_decode_tokens`` (integers of at least 1), and, if there are any, arrival times in seconds in
    ``arrival_time`` or ``arrived_at`` (not decreasing). Raises InputError with file, line and column.
    """
    path = Path(path)
    rows = _rows(path)
    header = [name.strip() for name in next(rows)[1]]
    prompt, output = (_column(path, header, names) for names in (PROMPT_COLUMNS, OUTPUT_COLUMNS))
    arrival = next((header.index(name) for name in ARRIVAL_COLUMNS if name in header), None)
    lengths: tuple[list[int], list[int]] = [], []
    arrivals: list[float] = []
    for line, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{path}, line {line}: {len(cells)} fields where the header has {len(header)}")
        for column, values in zip((prompt, output), lengths, strict=True):
            values.append(_length(path, line, header[column], cells[column]))
        if arrival is not None:
            time = _time(path, line, header[arrival], cells[arrival])
            if arrivals and time < arrivals[-1]:
                raise InputError(
                    f"{path}, line {line}, column {header[arrival]}: {time} after {arrivals[-1]}; "
                    "arrival times must not decrease"
                )
            arrivals.append(time)
    if not lengths[0]:
        raise InputError(f"{path}: no request below the header")
    return _workload(path, lengths, arrivals if arrival is not None else None)


def _workload(path: Path, lengths: tuple[list[int], list[int]], arrivals: list[float] | None) -> Workload:
    prompts, outputs = (np.array(values, dtype=np.int64) for values in lengths)
    trace = Trace(prompts, outputs, None if arrivals is None else np.array(arrivals))
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


def _column(path: Path, header: list[str], names: tuple[str, str]) -> int:
    for name in names:
        if header.count(name) > 1:
            raise InputError(f"{path}, line 1: column {name} appears {header.count(name)} times")
        if name in header:
            return header.index(name)
    found = ", ".join(header[:8])
    raise InputError(f"{path}, line 1: no column {names[0]} or {names[1]}; the header has {found}")


def _length(path: Path, line: int, column: str, cell: str) -> int:
    digits = cell.strip()
    length = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 16 else 0
    if not 1 <= length <= GREATEST_LENGTH:
        raise InputError(f"{path}, line {line}, column {column}: {cell!r} is not an integer of at least 1 token")
    return length


def _time(path: Path, line: int, column: str, cell: str) -> float:
    try:
        time = float(cell.replace("_", "?"))  # float() would read 1_0 as 10
    except ValueError:
        time = math.nan
    if not math.isfinite(time):
        raise InputError(f"{path}, line {line}, column {column}: {cell!r} is not a time in seconds")
    return time
