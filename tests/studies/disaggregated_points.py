"""Measured points of engines that prefill and decode on different GPUs, against the closed loop on kernels.

    python tests/studies/disaggregated_points.py POINTS.csv [TABLES]

POINTS.csv is ``silicon_sample.csv`` of the package ``aiconfigurator-core``. A point can be predicted where the model's
kernels are measured, each GPU of a worker has its share of every head, and the numbers of workers and the concurrency
are given; the most requests that a decode worker may hold do not say how many came. Prints how many of the others lack
what, and a Markdown row a point. No law of overhead is fitted: the points are too few.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from qtheory.errors import QTheoryError
from qtheory.profiles.kernels.closed_loop import disaggregated
from qtheory.profiles.kernels.iteration import Engine
from qtheory.profiles.kernels.serving import SHAPES, Point, engine_for

CONCURRENCY = re.compile(r"concurrency=(\d+)")


def lacking(row: dict[str, str]) -> str | None:
    """What a point lacks; None where it can be predicted."""
    if row["model_path"] not in SHAPES:
        return "kernels of latent or sparse attention"
    if not row["prefill_num_workers"] or not row["decode_num_workers"]:
        return "the numbers of workers"
    if not CONCURRENCY.search(row["silicon_data_source"]):
        return "a concurrency"
    if {row["prefill_attention_dp_size"], row["decode_attention_dp_size"]} != {"1"}:
        return "kernels of attention that is spread by requests"
    return None


def engine(row: dict[str, str], side: str, tables: str | None) -> Engine:
    point = Point(row["system"], row["backend"], row["backend_version"], SHAPES[row["model_path"]],
                  row["gemm_quant_mode"] or "bfloat16", int(row[f"{side}_tp_size"]), 1, 1, 1, 1, 1.0, 1.0)
    return engine_for(point, tables)


def main(path: str, tables: str | None) -> None:
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["mode"] == "disagg"]
    missing = Counter(reason for row in rows if (reason := lacking(row)))
    print(f"{len(rows)} points; " + "; ".join(f"{count} lack {reason}" for reason, count in missing.most_common()))
    print("\n| GPU, engine, model | prefill | decode | requests | TPOT measured | error | TTFT measured | error |\n|"
          + " --- |" * 8)
    errors = []
    for row in rows:
        if lacking(row):
            continue
        name = f"{row['system']}, {row['backend']}, {SHAPES[row['model_path']]}"
        nodes = int(row["prefill_num_workers"]), int(row["decode_num_workers"])
        told = CONCURRENCY.search(row["silicon_data_source"])
        assert told is not None  # else it is lacking
        concurrency = int(told[1])
        first, each = float(row["silicon_ttft_ms"]), float(row["silicon_tpot_ms"])
        try:
            found = disaggregated(engine(row, "prefill", tables), engine(row, "decode", tables), nodes, concurrency,
                                  int(row["isl"]), int(row["osl"]))
        except QTheoryError as error:
            print(f"| {name} | | | | | {error} | | |")
            continue
        errors.append((1e3 * found.per_token / each - 1, 1e3 * (found.waiting + found.first_token) / first - 1))
        sizes = [f"{count} of TP {row[f'{side}_tp_size']}" for count, side in zip(nodes, ("prefill", "decode"),
                                                                                strict=True)]
        print(f"| {name} | {sizes[0]} | {sizes[1]} | {concurrency} | {each:.1f} ms | {100 * errors[-1][0]:+.0f} % "
              f"| {first:,.0f} ms | {100 * errors[-1][1]:+.0f} % |")
    print("\nmedian size of the errors: TPOT, TTFT "
          + ", ".join(f"{100 * x:.0f} %" for x in np.median(np.abs(errors), axis=0)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
