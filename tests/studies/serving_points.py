"""Sums of kernels against measured engines: errors of the times per token and to the first token.

    python tests/studies/serving_points.py POINTS.csv [TABLES]

Each point is predicted twice: by the mean-value computation of `qtheory.profiles.kernels.closed_loop`, and by the
simulator, which runs the closed loop from its start, when all clients send at once, over ten requests a client (not
where attention is spread by requests, for which the simulator has no engine).

POINTS.csv is ``silicon_sample.csv`` of the package ``aiconfigurator-core``, TABLES a folder of its tables (without it,
the installed package's). Prints Markdown: a row for each GPU, engine and model, then for each GPU and engine with its
law of overhead and the coverage of the prediction intervals. Overhead laws are fitted without the configuration
(model, number format, parallelism) that they predict; *model unseen* without any of the model. Points of the same
conditions that differ are counted at the end: no prediction from these columns can meet both. Where
``aiconfigurator-core`` can be imported, its own prediction of the same points stands beside.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from aiconfigurator_points import theirs

from qtheory.errors import QTheoryError
from qtheory.profiles.kernels.closed_loop import BUDGET, Steady
from qtheory.profiles.kernels.iteration import Engine
from qtheory.profiles.kernels.overhead import Judged, Measured, fit, judged
from qtheory.profiles.kernels.serving import Point, engine_for, memory, predicted, read_points
from qtheory.profiles.kernels.shapes import shape
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


Kernels = dict[int, Measured]  # by the number of the point


def measured(points: Sequence[Point], tables: str | None
             ) -> tuple[Kernels, Kernels, Counter[str]]:
    """The points with their kernels by either prediction, and how many lack which table."""
    engines: dict[object, tuple[Engine, KernelTime | None] | None] = {}
    computed, run, lacking = Kernels(), Kernels(), Counter[str]()
    for i, point in enumerate(points):
        name = f"{point.gpu}, {point.engine}, {point.model}"
        if point.configuration not in engines:
            try:
                engine = engine_for(point, tables)
                clock = KernelTime.of(engine) if engine.data_parallel == 1 else None
                engines[point.configuration] = engine, clock
            except QTheoryError:
                engines[point.configuration] = None
        found = engines[point.configuration]
        if found is None:
            lacking[f"{name}, TP {point.tensor_parallel}"] += 1
            continue
        engine, clock = found
        steady = predicted(point, engine, tables)
        computed[i] = beside(point, steady)
        if clock is not None:
            run[i] = beside(point, simulated(point, engine, clock, steady, tables))
    return computed, run, lacking


def beside(point: Point, kernels: Steady) -> Measured:
    return Measured(f"{point.gpu}, {point.engine}", "/".join(map(str, point.configuration)), kernels, point.per_token,
                    point.first_token, f"{point.model}, {point.dtype}")


def spread(points: Iterable[Point]) -> dict[str, tuple[int, float, float]]:
    """Of each GPU and engine how many conditions were measured with results further apart than a hundredth, and the
    median and the greatest ratio of their times per token."""
    same: dict[object, list[float]] = {}
    for point in points:
        conditions = point.configuration, point.prompt, point.output, point.concurrency
        same.setdefault(conditions, []).append(point.per_token)
    ratios: dict[str, list[float]] = {}
    for key, times in same.items():
        if max(times) > 1.01 * min(times):
            ratios.setdefault(", ".join(key[0][:2]), []).append(max(times) / min(times))  # type: ignore[index]
    return {name: (len(each), float(np.median(each)), max(each)) for name, each in sorted(ratios.items())}


def percents(errors: Sequence[float]) -> str:
    sizes = np.abs(np.array(errors))
    return f"{100 * np.median(sizes):.1f} %, {100 * np.quantile(sizes, 0.9):.0f} %" if len(sizes) else ""


Theirs = dict[int, tuple[float, float]]  # seconds per token and to the first token, by the number of the point


def row(name: str, raw: Kernels, held: Sequence[Judged], by_run: Sequence[Judged],
        by_model: Sequence[Judged], others: Theirs) -> str:
    known = [(others[i], m) for i, m in raw.items() if i in others]
    cells = [name, str(len(raw)), percents([m.kernels.per_token / m.per_token - 1 for m in raw.values()]),
             percents([j.per_token / j.point.per_token - 1 for j in held]),
             percents([j.per_token / j.point.per_token - 1 for j in by_run]),
             percents([j.per_token / j.point.per_token - 1 for j in by_model]),
             percents([t[0] / p.per_token - 1 for t, p in known]),
             percents([j.first_token / j.point.first_token - 1 for j in held]),
             percents([j.first_token / j.point.first_token - 1 for j in by_run]),
             percents([t[1] / p.first_token - 1 for t, p in known])]
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
    raw, run, lacking = measured(points, tables)
    predictions = raw, run, {i: replace(m, configuration=points[i].model) for i, m in raw.items()}
    held = {id(j.point): j for ones in predictions for j in judged(list(ones.values()))}
    others = {i: found for i in raw if (found := theirs(points[i])) is not None}

    def line(name: str, kept: Callable[[int], bool]) -> str:
        one, two, three = ([held[id(m)] for i, m in ones.items() if kept(i) and id(m) in held] for ones in predictions)
        return row(name, {i: m for i, m in raw.items() if kept(i)}, one, two, three, others)

    print("| GPU, engine, model | points | TPOT, kernels alone | TPOT, with overhead | TPOT, simulated "
          "| TPOT, model unseen | TPOT, aiconfigurator | TTFT, with overhead | TTFT, simulated | TTFT, aiconfigurator |"
          "\n|" + " --- |" * 10)
    names = {i: f"{points[i].gpu}, {points[i].engine}, {points[i].model}" for i in raw}
    for name in sorted(set(names.values())):
        print(line(name, lambda i, name=name: names[i] == name))
    latent = {i: shape(points[i].model).latent is not None for i in raw}
    print(line("all with grouped-query attention", lambda i: not latent[i]))
    print(line("all with latent attention", lambda i: latent[i]))
    print(line("all", lambda i: True))
    print(line("all with both predictions", lambda i: i in others))
    alone = [float(np.median([(m.kernels.waiting + m.kernels.first_token) / m.first_token for m in ones.values()]))
             for ones in (raw, run)]
    print(f"\nTTFT, kernels alone over measured, median: computed {alone[0]:.2f}, simulated {alone[1]:.2f}")
    for title, ones in (("computed", raw), ("simulated", run)):
        print_laws(title, list(ones.values()), [held[id(m)] for m in ones.values() if id(m) in held])
    print("\nleft out: " + "; ".join(f"{count} {reason}" for reason, count in left_out.items()))
    print("no table: " + "; ".join(f"{count} {reason}" for reason, count in lacking.items()))
    print("the same conditions, other times: " + "; ".join(
        f"{name} {count}, by a factor {median:.2f} in the middle, {most:.1f} at most"
        for name, (count, median, most) in spread(points[i] for i in raw).items()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
