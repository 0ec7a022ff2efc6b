"""Rows as the bytes of a CSV or a Parquet file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from qtheory.errors import InputError


def as_csv(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> bytes:
    """``columns``: the header where there is no row."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_parquet(rows: Sequence[dict[str, Any]]) -> bytes:
    pyarrow, parquet = parquet_library()
    sink = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), sink)
    return sink.getvalue()


def parquet_library() -> tuple[Any, Any]:
    """pyarrow and its Parquet part; raises InputError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError("Parquet needs pyarrow, which is not installed: pip install pyarrow; or use csv") from None
    return pyarrow, pyarrow.parquet
