"""The table ``profiles-laws``: how well every law fits the measured kernels of every profile, and where it fails.

The errors are those of the study `tests/studies/kernel_laws.py`, which fits each law to sums of measured kernels; they
ship beside the shapes of the models.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from importlib.resources import files

from qtheory import __version__
from qtheory.profiles.quality import ADEQUATE
from qtheory.report.table import Column, Math, Table, Value

SOURCE = "aiconfigurator-core 0.12.0 (NVIDIA, Apache-2.0)"

COLUMNS = (
    Column("set", "measured", "GPU, engine and version, model, tensor parallelism", text=True, group=True),
    Column("law", "law", "kind of the iteration-time law", text=True),
    Column("median", "median", "median size of the held-out errors", "%", digits=2),
    Column("p95", Math("p_{95}", "p95"), "95th percentile of it", "%", digits=2),
    Column("band", "fails most at", "band of token counts with the greatest median error", "tokens", text=True),
    Column("band_error", "there", "median size of the errors there", "%", digits=2),
    Column("worst", "worst", "the greatest single error; positive: predicted too long", "%", digits=2),
    Column("worst_at", "at", "token count of it", "tokens"),
    Column("rate_error", Math(r"\lambda^\ast", "λ*"), "error of the critical rate that follows from the law", "%",
           digits=2),
    Column("adequate", "adequate", "whether the law serves the papers' stability and throughput conclusions: the "
           f"critical rate is off by at most {100 * ADEQUATE:g} percent", text=True),
    Column("batches", "batches", "batches fitted and held out", printed=False),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


def table() -> Table:
    """The table ``profiles-laws``; where times do not bend a law that bends is no other than the affine one."""
    rows = tuple(_rows())
    return Table(
        name="profiles-laws", title="Iteration-time laws against measured kernels", label="tab:profiles-laws",
        columns=COLUMNS, rows=rows, version=__version__, provenance=({"measurements": SOURCE},),
        caption=("Every law fitted to iteration times from measured kernels over the batches of serving: errors held "
                 "out in five folds, the band between powers of two of tokens where the law fails most, its greatest "
                 "single error, and the error of the critical rate that follows from its time of a full iteration. "
                 "Where no row is of the concave law, the times bend nowhere that way. "
                 f"Measurements: {SOURCE}. Computed by qtheory {__version__}.",))


def _rows() -> Iterator[tuple[Value, ...]]:
    text = files("qtheory.profiles.kernels").joinpath("data", "laws.csv").read_text(encoding="utf-8")
    for r in csv.DictReader(io.StringIO(text)):
        name = f"{r['gpu']}, {r['engine']} {r['version']}, {r['model']}, TP {r['tensor_parallel']}"
        median, p95, there, worst, rate = (100 * float(r[key]) for key in ("median", "p95", "band_error", "worst_error",
                                                                           "rate_error"))
        band = f"{int(r['band_from']):,} to {int(r['band_to']):,}"
        yield (name, r["law"].replace("_", " "), median, p95, band, there, worst, int(r["worst_at"]), rate,
               "yes" if abs(rate) <= 100 * ADEQUATE else "no", int(r["batches"]), __version__)
