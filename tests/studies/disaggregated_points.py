"""Measured points of engines that prefill and decode on different GPUs, against the closed loop on kernels.

    python tests/studies/disaggregated_points.py POINTS.csv [TABLES]

POINTS.csv is ``silicon_sample.csv`` of the package ``aiconfigurator-core``. A point can be predicted where the model's
kernels are measured and the numbers of workers and the concurrency are given; the most requests that a decode worker
may hold do not say how many came. Prints how many of the others lack what, and a Markdown row for each GPU, engine and
model: median and 90th percentile of the errors' sizes by kernels alone, and with the law of overhead of the GPU and
engine (``qtheory.profiles.kernels.overhead``), fitted without the parallelism of either side that it predicts.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from serving_points import coverage, percents

from qtheory.errors import QTheoryError
from qtheory.profiles.kernels.closed_loop import disaggregated
from qtheory.profiles.kernels.iteration import Engine
from qtheory.profiles.kernels.overhead import Judged, Measured, judged
from qtheory.profiles.kernels.serving import SHAPES, Point, engine_for

CONCURRENCY = re.compile(r"concurrency=(\d+)")
SIDES = ("prefill", "decode")


def lacking(row: dict[str, str]) -> str | None:
    """What a point lacks; None where it can be predicted."""
    if row["model_path"] not in SHAPES:
        return "a shape (sparse attention)"
    if not row["prefill_num_workers"] or not row["decode_num_workers"]:
        return "the numbers of workers"
    if not CONCURRENCY.search(row["silicon_data_source"]):
        return "a concurrency"
    return None


def parallelism(row: dict[str, str], side: str) -> tuple[int, int, int]:
    """GPUs that split the heads, groups that split the requests, and GPUs over which whole experts are spread."""
    tensor, groups, experts = (int(float(row[f"{side}_{name}"] or 1)) for name in (
        "tp_size", "attention_dp_size", "moe_ep_size"))
    return tensor, max(1, groups), max(1, experts)


def engine(row: dict[str, str], side: str, tables: str | None) -> Engine:
    tensor, groups, experts = parallelism(row, side)
    point = Point(row["system"], row["backend"], row["backend_version"], SHAPES[row["model_path"]],
                  row["gemm_quant_mode"] or "bfloat16", tensor, experts, 1, 1, 1, 1.0, 1.0, groups)
    return engine_for(point, tables)


def measured(row: dict[str, str], engines: dict[object, Engine], tables: str | None) -> Measured:
    """A point beside the closed loop of its kernels; QTheoryError where a table is missing."""
    model = SHAPES[row["model_path"]]
    sides = []
    for side in SIDES:
        key = row["system"], row["backend"], model, row["gemm_quant_mode"], parallelism(row, side)
        if key not in engines:
            engines[key] = engine(row, side, tables)
        sides.append(engines[key])
    told = CONCURRENCY.search(row["silicon_data_source"])
    assert told is not None  # else it is lacking
    nodes = int(float(row["prefill_num_workers"])), int(float(row["decode_num_workers"]))
    found = disaggregated(*sides, nodes, int(told[1]), int(float(row["isl"])), int(float(row["osl"])))
    return Measured(f"{row['system']}, {row['backend']}",
                    "/".join(str((model, row["gemm_quant_mode"], *(parallelism(row, side) for side in SIDES)))), found,
                    float(row["silicon_tpot_ms"]) / 1e3, float(row["silicon_ttft_ms"]) / 1e3,
                    f"{model}, {row['gemm_quant_mode']}")


def line(name: str, points: Sequence[Measured], held: Sequence[Judged]) -> str:
    kernels = [percents([p.kernels.per_token / p.per_token - 1 for p in points]),
               percents([(p.kernels.waiting + p.kernels.first_token) / p.first_token - 1 for p in points])]
    fitted = [percents([j.per_token / j.point.per_token - 1 for j in held]),
              percents([j.first_token / j.point.first_token - 1 for j in held])]
    return f"| {name} | {len(points)} | {kernels[0]} | {fitted[0]} | {kernels[1]} | {fitted[1]} |"


def main(path: str, tables: str | None) -> None:
    with Path(path).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["mode"] == "disagg"]
    missing = Counter(reason for row in rows if (reason := lacking(row)))
    engines: dict[object, Engine] = {}
    points: list[tuple[str, Measured]] = []
    for row in rows:
        if lacking(row):
            continue
        try:
            points.append((f"{row['system']}, {row['backend']}, {SHAPES[row['model_path']]}",
                           measured(row, engines, tables)))
        except QTheoryError:
            missing["a table at that parallelism"] += 1
    print(f"{len(rows)} points, {len(points)} predicted; "
          + "; ".join(f"{count} lack {reason}" for reason, count in missing.most_common()))
    held = {id(j.point): j for j in judged([m for _, m in points])}
    print("\n| GPU, engine, model | points | TPOT, kernels alone | TPOT, with overhead | TTFT, kernels alone "
          "| TTFT, with overhead |\n|" + " --- |" * 6)
    for name in [*sorted({name for name, _ in points}), "all"]:
        mine = [m for other, m in points if name in (other, "all")]
        print(line(name, mine, [held[id(m)] for m in mine if id(m) in held]))
    ones = list(held.values())
    print(f"\nTPOT held {coverage(ones, lambda j: j.per_token_within, lambda j: j.point.per_token)}; "
          f"TTFT held {coverage(ones, lambda j: j.first_token_within, lambda j: j.point.first_token)}; "
          f"{len(points) - len(ones)} without another configuration of their GPU and engine")
    ratios = [np.median([getattr(m.kernels, name) / getattr(m, name) for _, m in points])
              for name in ("per_token", "first_token")]
    print(f"kernels alone over measured, median: TPOT {ratios[0]:.2f}, TTFT without waiting {ratios[1]:.2f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
