"""Logs of a serving system: for each request when it came, when its first token did, and when it was complete."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.workloads.base import Array
from qtheory.workloads.files import read_json_lines, read_text
from qtheory.workloads.trace_formats import date_seconds

# what is read: the names of its column or key, and whether it is needed. vLLM's times of its own clock come before
# those of a client, whose clock is another.
NAMES = {
    "arrival": (("queued_ts", "arrival_time", "arrived_at", "arrival"), True),
    "first": (("first_token_ts", "first_token_time", "first_token"), True),
    "end": (("last_token_ts", "completion_time", "finished_at", "last_token", "completion"), True),
    "prompt": (("input_toks", "prompt_length", "num_prefill_tokens", "prompt_tokens"), False),
    "output": (("output_toks", "output_length", "num_decode_tokens", "output_tokens"), False),
}
WHAT = "a log is a CSV or JSON-lines file"
OPEN = ("first", "end", "output")  # what a request may lack that was waiting or in service when the log ended


@dataclass(frozen=True, eq=False)
class Log:
    """Times in seconds and lengths in tokens, in the file's order; NaN where a request had not come so far; lengths
    are None where the file has none."""

    arrival: Array
    first: Array
    end: Array
    prompt: Array | None
    output: Array | None


def read_log(path: str | Path) -> Log:
    """A CSV with a header, or JSON lines (.jsonl), a request a line.

    Arrival in ``arrival_time`` or ``arrived_at``, the first token in ``first_token_time``, the end in
    ``completion_time`` or ``finished_at``, in seconds or as dates, empty where it had not come; lengths in
    ``prompt_length`` and ``output_length``, if there are any; or vLLM's ``queued_ts``, ``first_token_ts``,
    ``last_token_ts``, ``input_toks`` and ``output_toks``. Raises InputError with file, line and column.
    """
    path = Path(path)
    rows = list(read_json_lines(path, WHAT) if path.suffix == ".jsonl" else _csv_rows(path))
    if not rows:
        raise InputError(f"{path}: no request; a log has one a line, below a header if it is a CSV")
    keys = {part: next((n for n in names if n in rows[0][1]), None) for part, (names, _) in NAMES.items()}
    for part, (names, needed) in NAMES.items():
        if needed and keys[part] is None:
            raise InputError(f"{path}: no column {' or '.join(names[:2])}; the first request has "
                             f"{', '.join(map(str, list(rows[0][1])[:8]))}")
    if keys["prompt"] is None or keys["output"] is None:
        keys["prompt"] = keys["output"] = None
    columns = {part: None if key is None else np.array([_number(path, line, key, row.get(key), part in OPEN)
                                                        for line, row in rows]) for part, key in keys.items()}
    return Log(**columns)  # type: ignore[arg-type]


def _number(path: Path, line: int, key: str, cell: Any, may_lack: bool) -> float:
    if may_lack and (cell is None or (isinstance(cell, str) and cell.strip().lower() in ("", "nan", "none", "null"))):
        return math.nan
    if isinstance(cell, str):
        date = date_seconds(cell)
        if date is not None:
            return date
        with suppress(ValueError):
            cell = float(cell.replace("_", "?"))  # float() would read 1_0 as 10
    if isinstance(cell, bool) or not isinstance(cell, int | float) or not math.isfinite(cell):
        raise InputError(f"{path}, line {line}, {key}: {cell!r} is not a number of seconds or tokens, nor a date")
    return float(cell)


def _csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.reader(io.StringIO(read_text(path, WHAT)), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        for cells in reader:
            if cells:
                if len(cells) != len(header):
                    raise InputError(f"{path}, line {reader.line_num}: {len(cells)} fields where the header has "
                                     f"{len(header)}")
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None
