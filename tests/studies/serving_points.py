"""Sums of kernels against measured engines: errors of the times per token and to the first token.

    python tests/studies/serving_points.py POINTS.csv [TABLES]

Each point is predicted twice: by the mean-value computation of `qtheory.profiles.kernels.closed_loop`, and by the
simulator, which runs the closed loop from its start, when all clients send at once, over ten requests a client.

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
from qtheory.profiles.kernels.closed_loop import BUDGET, Steady
from qtheory.profiles.kernels.iteration import Engine
from qtheory.profiles.kernels.overhead import Judged, Measured, fit, judged
from qtheory.profiles.kernels.serving import Point, engine_for, memory, predicted, read_points
from qtheory.simulate import KernelTime, LLMEngine, RequestClass, run_engine
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic

ROUNDS = 10  # requests a client, as the public benchmarks send


def simulated(point: Point, engine: Engine, clock: KernelTime, computed: Steady, tables: str | None) -> Steady:
    """The closed loop from its start, iteration by iteration, of kernels alone; waits count as first tokens'."""
    one = RequestClass("r", Deterministic(point.prompt), Deterministic(point.output - 1))
    room = engine.cache_tokens(memory(point.gpu, tables)) / (point.prompt + point.output)
    model = LLMEngine((one,), clock, "sarathi", {"budget": BUDGET}, concurrency=point.concurrency,
                      slots=max(1, min(point.concurrency, int(room))))
    stay = computed.waiting + computed.first_token + (point.output - 1) * computed.per_token
    run = run_engine(model, horizon=ROUNDS * stay)
    sums = run.class_sums.sum(axis=(0, 1))
    return Steady(float(sums[E.TTFT_SUM] / sums[E.FIRST_TOKENS]), 0.0,
                  float(sums[E.TPOT_SUM] / max(sums[E.TPOT_OUT], 1.0)), computed.running, computed.mixed)


def measured(points: Sequence[Point], tables: str | None
             ) -> tuple[list[Measured], list[Measured], list[Point], Counter[str]]:
    """The points with their kernels by either prediction, the points themselves, and how many lack which table."""
    engines: dict[object, tuple[Engine, KernelTime] | None] = {}
    computed, run, kept, lacking = [], [], [], Counter[str]()
    for point in points:
        name = f"{point.gpu}, {point.engine}, {point.model}"
        if point.configuration not in engines:
            try:
                engine = engine_for(point, tables)
                engines[point.configuration] = engine, KernelTime.of(engine)
            except QTheoryError:
                engines[point.configuration] = None
        found = engines[point.configuration]
        if found is None:
            lacking[f"{name}, TP {point.tensor_parallel}"] += 1
            continue
        steady = predicted(point, found[0], tables)
        for into, each in ((computed, steady), (run, simulated(point, *found, steady, tables))):
            into.append(Measured(f"{point.gpu}, {point.engine}", "/".join(map(str, point.configuration)), each,
                                 point.per_token, point.first_token))
        kept.append(point)
    return computed, run, kept, lacking


def percents(errors: Sequence[float]) -> str:
    sizes = np.abs(np.array(errors))
    return f"{100 * np.median(sizes):.1f} %, {100 * np.quantile(sizes, 0.9):.0f} %" if len(sizes) else ""


Theirs = dict[int, tuple[float, float]]  # by the id of a measured point: seconds per token and to the first token


def row(name: str, raw: Sequence[Measured], held: Sequence[Judged], by_run: Sequence[Judged],
        by_model: Sequence[Judged], others: Theirs) -> str:
    known = [(others[id(m)], m) for m in raw if id(m) in others]
    cells = [name, str(len(raw)), percents([p.kernels.per_token / p.per_token - 1 for p in raw]),
             percents([j.per_token / j.point.per_token - 1 for j in held]),
             percents([j.per_token / j.point.per_token - 1 for j in by_run]),
             percents([j.per_token / j.point.per_token - 1 for j in by_model]),
             percents([t[0] / m.per_token - 1 for t, m in known]),
             percents([j.first_token / j.point.first_token - 1 for j in held]),
             percents([j.first_token / j.point.first_token - 1 for j in by_run]),
             percents([t[1] / m.first_token - 1 for t, m in known])]
    return "| " + " | ".join(cells) + " |"


def coverage(held: Sequence[Judged], within: Callable[[Judged], tuple[float, float]],
             truth: Callable[[Judged], float]) -> str:
    inside = [within(j)[0] <= truth(j) <= within(j)[1] for j in held]
    widths = [within(j)[1] / within(j)[0] for j in held]
    return f"{100 * np.mean(inside):.1f} %, x{np.median(widths):.2f}"


def print_laws(title: str, raw: Sequence[Measured], held: Sequence[Judged]) -> None:
    """The laws of overhead of one prediction, and how often its intervals hold."""
    print(f"\n{title}\n\n| GPU, engine | points | scale | ms an iteration | us a request | ms to start | prefill "
          "| queueing | TPOT held, width | TTFT held, width |\n|" + " --- |" * 10)
    for group in sorted({m.group for m in raw}):
        mine = [m for m in raw if m.group == group]
        law, ones = fit(mine), [j for j in held if j.point.group == group]
        print(f"| {group} | {len(mine)} | {law.scale:.3f} | {1e3 * law.per_iteration:.2f} "
              f"| {1e6 * law.per_request:.1f} | {1e3 * law.start:.1f} | {law.prefill:.2f} | {law.queueing:.3f} "
              f"| {coverage(ones, lambda j: j.per_token_within, lambda j: j.point.per_token)} "
              f"| {coverage(ones, lambda j: j.first_token_within, lambda j: j.point.first_token)} |")
    print(f"\nall: TPOT held {coverage(held, lambda j: j.per_token_within, lambda j: j.point.per_token)}; "
          f"TTFT held {coverage(held, lambda j: j.first_token_within, lambda j: j.point.first_token)}")


def main(path: str, tables: str | None) -> None:
    points, left_out = read_points(path)
    raw, run, kept, lacking = measured(points, tables)
    models = [Measured(m.group, p.model, m.kernels, m.per_token, m.first_token) for m, p in zip(raw, kept, strict=True)]
    name = {id(m): f"{p.gpu}, {p.engine}, {p.model}"
            for m, p in zip([*raw, *run, *models], [*kept, *kept, *kept], strict=True)}
    held, by_run, by_model = judged(raw), judged(run), judged(models)
    others = {id(m): found for m, p in zip(raw, kept, strict=True) if (found := theirs(p)) is not None}
    known = {id(r) for m, r in zip(raw, run, strict=True) if id(m) in others} | set(others)
    print("| GPU, engine, model | points | TPOT, kernels alone | TPOT, with overhead | TPOT, simulated "
          "| TPOT, model unseen | TPOT, aiconfigurator | TTFT, with overhead | TTFT, simulated | TTFT, aiconfigurator |"
          "\n|" + " --- |" * 10)
    for each in sorted(dict.fromkeys(name[id(m)] for m in raw)):
        of = [[j for j in ones if name[id(j.point)] == each] for ones in (held, by_run, by_model)]
        print(row(each, [m for m in raw if name[id(m)] == each], *of, others))
    print(row("all", raw, held, by_run, by_model, others))
    both = [m for m in raw if id(m) in others]
    print(row("all with both predictions", both, [j for j in held if id(j.point) in known],
              [j for j in by_run if id(j.point) in known],
              [j for j in by_model if name[id(j.point)] in {name[id(m)] for m in both}], others))
    alone = [float(np.median([(m.kernels.waiting + m.kernels.first_token) / m.first_token for m in ones]))
             for ones in (raw, run)]
    print(f"\nTTFT, kernels alone over measured, median: computed {alone[0]:.2f}, simulated {alone[1]:.2f}")
    print_laws("computed", raw, held)
    print_laws("simulated", run, by_run)
    print("\nleft out: " + "; ".join(f"{count} {reason}" for reason, count in left_out.items()))
    print("no table: " + "; ".join(f"{count} {reason}" for reason, count in lacking.items()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
