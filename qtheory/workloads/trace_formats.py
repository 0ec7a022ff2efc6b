"""Traces of other services by their own headers: Azure's dates, Mooncake's JSON lines, ServeGen's clients."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.workloads.base import GREATEST_LENGTH, Array
from qtheory.workloads.files import read_json_lines, read_text

BLOCK = 512  # prompt tokens for each hash of a Mooncake trace


def date_seconds(cell: str) -> float | None:
    """Seconds since 1970 of a date and time such as 2023-11-16 18:17:03.9799600; None for another text."""
    whole, dot, part = cell.strip().partition(".")
    if len(whole) != len("2023-11-16 18:17:03") or (dot and not (part.isascii() and part.isdecimal())):
        return None
    try:
        return datetime.fromisoformat(whole + "+00:00").timestamp() + (float("0." + part) if part else 0.0)
    except ValueError:
        return None


@dataclass(frozen=True, eq=False)
class JsonLines:
    """Requests of a Mooncake trace: lengths, arrivals in seconds, and for each the hashes of its prompt's blocks."""

    prompts: list[int]
    outputs: list[int]
    arrivals: list[float]
    hashes: list[tuple[int, ...]]


def read_jsonl(path: Path) -> JsonLines:
    """A file of JSON objects, one a line, with ``timestamp`` in milliseconds, ``input_length``, ``output_length`` and
    ``hash_ids``. InputError with file, line and key."""
    found = JsonLines([], [], [], [])
    for line, row in read_json_lines(path, "a trace is a CSV or JSON-lines file"):
        lengths = [_whole(path, line, row, key, 1) for key in ("input_length", "output_length")]
        time = row.get("timestamp")
        if isinstance(time, bool) or not isinstance(time, int | float) or not math.isfinite(time):
            raise InputError(f"{path}, line {line}, timestamp: {time!r} is not a time in milliseconds")
        if found.arrivals and time / 1000 < found.arrivals[-1]:
            raise InputError(f"{path}, line {line}, timestamp: {time} after {1000 * found.arrivals[-1]:g}; "
                             "arrival times must not decrease")
        ids = row.get("hash_ids", [])
        if not isinstance(ids, list) or not all(isinstance(i, int) and not isinstance(i, bool) for i in ids):
            raise InputError(f"{path}, line {line}, hash_ids: a list of whole numbers is wanted, one a block of "
                             f"{BLOCK} prompt tokens")
        if ids and len(ids) > -(-lengths[0] // BLOCK):
            raise InputError(f"{path}, line {line}, hash_ids: {len(ids)} blocks of {BLOCK} tokens in a prompt of "
                             f"{lengths[0]}")
        for values, value in zip((found.prompts, found.outputs, found.arrivals, found.hashes),
                                 (*lengths, time / 1000, tuple(ids)), strict=True):
            values.append(value)  # type: ignore[attr-defined]
    if not found.prompts:
        raise InputError(f"{path}: no request")
    return found


def _whole(path: Path, line: int, row: dict[str, object], key: str, least: int) -> int:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= GREATEST_LENGTH:
        raise InputError(f"{path}, line {line}, {key}: {value!r} is not an integer of at least {least} token")
    return value


def shared_prefix(
    hashes: tuple[tuple[int, ...], ...], prompts: NDArray[np.int64], blocks: int | None = None
) -> NDArray[np.int64]:
    """For each request the prompt tokens whose leading blocks are in a cache of what earlier requests had.

    The cache keeps the ``blocks`` used last, and of those used together the leading ones; None: all of them for ever.
    """
    seen: OrderedDict[tuple[int, int], int] = OrderedDict()  # a prefix's number and the next block: of both, the number
    numbers, found = count(1), np.zeros(len(hashes), dtype=np.int64)
    for i, ids in enumerate(hashes):
        path, last = dict[tuple[int, int], int](), 0
        for block in ids:
            step = last, block
            last = path[step] = seen.get(step) or next(numbers)
        found[i] = min(sum(step in seen for step in path) * BLOCK, int(prompts[i]))
        for step in reversed(path):
            seen[step] = path[step]
            seen.move_to_end(step)
        while blocks is not None and len(seen) > blocks:
            seen.popitem(last=False)
    return found


@dataclass(frozen=True, eq=False)
class Client:
    """One client of a ServeGen trace, by windows (windows,): start (s), requests a second, coefficient of variation of
    the times between arrivals, the fitted law's name ("" for an empty window), and its two parameters."""

    name: str
    starts: Array
    rates: Array
    variations: Array
    laws: tuple[str, ...]
    parameters: Array


def read_clients(folder: str | Path) -> tuple[Client, ...]:
    """The clients of a folder of ServeGen's ``chunk-<client>-trace.csv``, which have no header.

    A line is a window: start in seconds, rate, coefficient of variation, law (Gamma or Weibull), its two parameters.
    Raises InputError with file, line and column.
    """
    folder = Path(folder)
    files = sorted(folder.glob("chunk-*-trace.csv"), key=lambda f: (len(f.name), f.name))
    if not files:
        raise InputError(f"{folder}: no file chunk-<client>-trace.csv")
    return tuple(_client(file) for file in files)


def _client(path: Path) -> Client:
    rows: list[list[float]] = []
    laws: list[str] = []
    for line, text in enumerate(read_text(path, "a client is a CSV file").splitlines(), 1):
        if not text.strip():
            continue
        cells = [cell.strip() for cell in text.split(",")]
        if len(cells) != 6:
            raise InputError(f"{path}, line {line}: {len(cells)} fields; start, rate, variation, law and its two "
                             "parameters are wanted")
        numbers = []
        for name, cell in zip(("start", "rate", "variation", "parameter 1", "parameter 2"),
                              (*cells[:3], *cells[4:]), strict=True):
            try:
                number = float(cell)
            except ValueError:
                number = math.nan
            if not math.isfinite(number) or number < 0:
                raise InputError(f"{path}, line {line}, {name}: {cell!r} is not a number of at least 0")
            numbers.append(number)
        if cells[3] not in ("", "Gamma", "Weibull"):
            raise InputError(f"{path}, line {line}, law: {cells[3]!r} is neither Gamma nor Weibull")
        if rows and numbers[0] <= rows[-1][0]:
            raise InputError(f"{path}, line {line}, start: {cells[0]} after {rows[-1][0]:g}; windows must follow")
        rows.append(numbers)
        laws.append(cells[3])
    if not rows:
        raise InputError(f"{path}: no window")
    table = np.array(rows)
    return Client(path.name.split("-")[1], table[:, 0], table[:, 1], table[:, 2], tuple(laws), table[:, 3:])
