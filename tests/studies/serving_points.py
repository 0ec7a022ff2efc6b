"""Sums of kernels against measured engines: errors of the times per token and to the first token.

    python tests/studies/serving_points.py POINTS.csv [TABLES]

POINTS.csv is ``silicon_sample.csv`` of the package ``aiconfigurator-core``, TABLES a folder of its tables (without it,
the installed package's). Prints Markdown: a row for each GPU, engine and model, then for each GPU and engine with its
law of overhead and the coverage of the prediction intervals. Overhead laws are fitted without the configuration
(model, number format, parallelism) that they predict. Where ``aiconfigurator-core`` can be imported, its own prediction
of the same points stands beside.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from aiconfigurator_points import theirs

from qtheory.errors import QTheoryError
from qtheory.profiles.kernels.iteration import Engine
from qtheory.profiles.kernels.overhead import Judged, Measured, fit, judged
from qtheory.profiles.kernels.serving import Point, engine_for, predicted, read_points


def measured(points: Sequence[Point], tables: str | None) -> tuple[list[Measured], list[Point], Counter[str]]:
    """The points with their kernels, the points themselves, and how many lack which table."""
    engines: dict[object, Engine | None] = {}
    found, kept, lacking = [], [], Counter[str]()
    for point in points:
        name = f"{point.gpu}, {point.engine}, {point.model}"
        if point.configuration not in engines:
            try:
                engines[point.configuration] = engine_for(point, tables)
            except QTheoryError:
                engines[point.configuration] = None
        engine = engines[point.configuration]
        if engine is None:
            lacking[f"{name}, TP {point.tensor_parallel}"] += 1
            continue
        found.append(Measured(f"{point.gpu}, {point.engine}", "/".join(map(str, point.configuration)),
                              predicted(point, engine, tables), point.per_token, point.first_token))
        kept.append(point)
    return found, kept, lacking


def percents(errors: Sequence[float]) -> str:
    sizes = np.abs(np.array(errors))
    return f"{100 * np.median(sizes):.1f} %, {100 * np.quantile(sizes, 0.9):.0f} %" if len(sizes) else ""


Theirs = dict[int, tuple[float, float]]  # by the id of a measured point: seconds per token and to the first token


def row(name: str, raw: Sequence[Measured], held: Sequence[Judged], by_model: Sequence[Judged], others: Theirs) -> str:
    known = [(others[id(m)], m) for m in raw if id(m) in others]
    cells = [name, str(len(raw)), percents([p.kernels.per_token / p.per_token - 1 for p in raw]),
             percents([j.per_token / j.point.per_token - 1 for j in held]),
             percents([j.per_token / j.point.per_token - 1 for j in by_model]),
             percents([t[0] / m.per_token - 1 for t, m in known]),
             percents([j.first_token / j.point.first_token - 1 for j in held]),
             percents([t[1] / m.first_token - 1 for t, m in known])]
    return "| " + " | ".join(cells) + " |"


def coverage(held: Sequence[Judged], within: Callable[[Judged], tuple[float, float]],
             truth: Callable[[Judged], float]) -> str:
    inside = [within(j)[0] <= truth(j) <= within(j)[1] for j in held]
    widths = [within(j)[1] / within(j)[0] for j in held]
    return f"{100 * np.mean(inside):.1f} %, x{np.median(widths):.2f}"


def main(path: str, tables: str | None) -> None:
    points, left_out = read_points(path)
    raw, kept, lacking = measured(points, tables)
    models = [Measured(m.group, p.model, m.kernels, m.per_token, m.first_token) for m, p in zip(raw, kept, strict=True)]
    name = {id(m): f"{p.gpu}, {p.engine}, {p.model}" for m, p in zip([*raw, *models], [*kept, *kept], strict=True)}
    held, by_model = judged(raw), judged(models)
    others = {id(m): found for m, p in zip(raw, kept, strict=True) if (found := theirs(p)) is not None}
    print("| GPU, engine, model | points | TPOT, kernels alone | TPOT, with overhead | TPOT, model unseen "
          "| TPOT, aiconfigurator | TTFT, with overhead | TTFT, aiconfigurator |\n|" + " --- |" * 8)
    for each in sorted(dict.fromkeys(name[id(m)] for m in raw)):
        print(row(each, [m for m in raw if name[id(m)] == each], [j for j in held if name[id(j.point)] == each],
                  [j for j in by_model if name[id(j.point)] == each], others))
    print(row("all", raw, held, by_model, others))
    both = [m for m in raw if id(m) in others]
    print(row("all with both predictions", both, [j for j in held if id(j.point) in others],
              [j for j in by_model if name[id(j.point)] in {name[id(m)] for m in both}], others))
    print("\n| GPU, engine | points | scale | ms an iteration | us a request | ms to start | prefill | queueing "
          "| TPOT held, width | TTFT held, width |\n|" + " --- |" * 10)
    for group in sorted({m.group for m in raw}):
        mine = [m for m in raw if m.group == group]
        law, ones = fit(mine), [j for j in held if j.point.group == group]
        print(f"| {group} | {len(mine)} | {law.scale:.3f} | {1e3 * law.per_iteration:.2f} "
              f"| {1e6 * law.per_request:.1f} | {1e3 * law.start:.1f} | {law.prefill:.2f} | {law.queueing:.3f} "
              f"| {coverage(ones, lambda j: j.per_token_within, lambda j: j.point.per_token)} "
              f"| {coverage(ones, lambda j: j.first_token_within, lambda j: j.point.first_token)} |")
    print(f"\nall: TPOT held {coverage(held, lambda j: j.per_token_within, lambda j: j.point.per_token)}; "
          f"TTFT held {coverage(held, lambda j: j.first_token_within, lambda j: j.point.first_token)}")
    print("\nleft out: " + "; ".join(f"{count} {reason}" for reason, count in left_out.items()))
    print("no table: " + "; ".join(f"{count} {reason}" for reason, count in lacking.items()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
