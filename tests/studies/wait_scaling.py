"""How WAIT's throughput gap and latency grow with the scale, and how often Nested WAIT passes its memory: simulated.

    python tests/studies/wait_scaling.py [REPLICATIONS] [RUNS] [SEED]

prints tables in Markdown, and exits with 1 where a fitted exponent's interval misses the order that Theorems 1 and 2 of
the WAIT paper (16 April 2025) state, where the gap of first come first served falls on Proposition 4's instances, or
where memory is passed more often than it is guaranteed.

The scale is the horizon, zeta T (Section 4.2), in batches at the thresholds. The gap is that of output tokens (Section
2.3): with A_j requests that came and D_j that are complete, ``sum of l'_j (A_j - D_j)/T``, whose mean is Thoughput*
less the throughput's. Exponents are slopes of least squares through the logarithms of the means over the longer half
of the horizons, with 95 percent intervals of Student's law from groups of replications.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from qtheory.errors import InputError
from qtheory.models.laws import MemoryLinearLaw
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic, Discrete, Exponential
from qtheory.simulate.statistics import Interval, student
from qtheory.theory import waiting

HORIZONS = tuple(4**k for k in range(4, 10))  # batches
GROUPS = 10
ROOM = 0.05  # by which an exponent's interval may miss the order: at the horizons' ends requests in service still count
Types = tuple[waiting.RequestType, ...]


class Case(NamedTuple):
    """An engine, its types, seconds of a batch at the thresholds, and the stated exponents of gap and latency."""

    name: str
    engine: LLMEngine
    types: Types
    batch: float
    gap: float
    latency: float
    horizons: tuple[int, ...] = HORIZONS


def classes(types: Types) -> tuple[RequestClass, ...]:
    """A class a type: its lengths are known when it comes."""
    return tuple(RequestClass(f"type {j}", Deterministic(t.prompt), Deterministic(t.output),
                              Exponential.with_rate(float(t.rate))) for j, t in enumerate(types, 1))


def unknown(types: Types) -> tuple[RequestClass, ...]:
    """One class: its outputs are known when they end."""
    rates = [float(t.rate) for t in types]
    outputs = Discrete(tuple(float(t.output) for t in types), tuple(r / sum(rates) for r in rates))
    return (RequestClass("any", Deterministic(types[0].prompt), outputs, Exponential.with_rate(sum(rates))),)


def known_case(name: str, n: tuple[int, ...], types: Types, law: MemoryLinearLaw, gap: float, latency: float) -> Case:
    time = waiting.wait_system(types, law).iteration(n)
    assert time is not None
    engine = LLMEngine(classes(types), IterationTime("memory", (law.d0, law.d1)), "wait", {"thresholds": n})
    return Case(name, engine, types, float(time), gap, latency)


def nested_case(name: str, types: Types, law: MemoryLinearLaw, slack: Fraction) -> Case:
    parts = waiting.segments(types)
    system = waiting.nested_system(parts, law, slack)
    n = waiting.cheapest(system)
    time = system.iteration(n)
    assert time is not None
    engine = LLMEngine(unknown(types), IterationTime("memory", (law.d0, law.d1)), "nested-wait",
                       {"thresholds": n, "ends": parts.ends})
    return Case(name, engine, types, float(time), -1.0, 0.0, HORIZONS[:4])


def cases() -> list[Case]:
    """Theorem 1 with equality in (9) and without, and Theorem 2; Section 6.1's lengths of low demand."""
    lengths = ((10, 10), (10, 20))
    types = waiting.request_types((40, 20), *zip(*lengths, strict=True))
    n = (2, 1)  # 50 ms of arrivals each; a batch of both takes 30 + 20 ms, or 25 + 15 ms
    tokens = float(sum(x * t.work for x, t in zip(n, types, strict=True)))
    equal, less = MemoryLinearLaw(0.03, 0.02 / tokens), MemoryLinearLaw(0.025, 0.015 / tokens)
    four = waiting.request_types((20, 40, 80, 160), 10, (20, 40, 80, 160))
    return [
        known_case("Theorem 1, equality in (9)", n, types, equal, -0.5, 0.5),
        known_case("Theorem 1, (9) strictly", n, types, less, -1.0, 0.0)._replace(horizons=HORIZONS[:4]),
        nested_case("Theorem 2, lengths of Section 6.2", four, MemoryLinearLaw(0.05, 1e-7), Fraction(1, 10)),
    ]


def measured(case: Case, replications: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """(replications, horizons) of the gap (tokens/s) and of the mean latency (s) of those complete by then."""
    horizons, step = np.array(case.horizons), case.horizons[0]
    gaps, latencies = (np.zeros((replications, len(horizons))) for _ in range(2))
    outputs = np.array([t.output for t in case.types], dtype=float)
    for r in range(replications):
        run = run_engine(case.engine, horizon=horizons[-1] * case.batch, windows=int(horizons[-1] // step), seed=seed,
                         replication=r)
        past = run.class_sums.cumsum(axis=0)[horizons // step - 1]
        if len(case.types) == past.shape[1]:
            inside = (past[:, :, E.CLASS_IN] - past[:, :, E.CLASS_OUT]) @ outputs
        else:  # what came, by its mean length: who is inside will have as many tokens on average, or more
            rates = np.array([float(t.rate) for t in case.types])
            inside = past[:, 0, E.CLASS_IN] * (outputs @ rates / rates.sum()) - past[:, 0, E.OUTPUT_TOKENS]
        gaps[r] = inside / (horizons * case.batch)
        latencies[r] = past[:, :, E.LATENCY_SUM].sum(axis=1) / np.maximum(past[:, :, E.CLASS_OUT].sum(axis=1), 1)
    return gaps, latencies


def exponent(horizons: tuple[int, ...], values: np.ndarray) -> Interval:
    """The slope of the logarithm of the mean over that of the horizon, over the longer half of the horizons."""
    last = len(horizons) // 2
    x = np.log(horizons[last:])
    means = np.array([part.mean(axis=0)[last:] for part in np.array_split(values, GROUPS)])
    return student([np.polyfit(x, np.log(y), 1)[0] for y in means])


def shown(x: Interval) -> str:
    return f"{x.estimate:.3f} ({x.low:.3f} to {x.high:.3f})"


def scaling(replications: int, seed: int) -> bool:
    good = True
    print("| | " + " | ".join(f"{h:,}" for h in HORIZONS) + " | exponent | stated |\n| --- |" + " ---: |" *
          (len(HORIZONS) + 2))
    for case in cases():
        for name, values, stated in zip(("gap (tokens/s)", "latency (s)"), measured(case, replications, seed),
                                        (case.gap, case.latency), strict=True):
            slope = exponent(case.horizons, values)
            good &= slope.low - ROOM <= stated <= slope.high + ROOM
            cells = " | ".join([f"{v:.4g}" for v in values.mean(axis=0)] + [""] * (len(HORIZONS) - len(case.horizons)))
            print(f"| {case.name}: {name} | {cells} | {shown(slope)} | {stated:g} |")
    return good


# ---- First come first served, Proposition 4 ----

def first_come(replications: int, seed: int) -> bool:
    """The gap of both instances at C = M*: Appendix A.3's, and one of a single type, where M* is no whole number."""
    instances = (("Appendix A.3, C = 9", waiting.request_types((1, 1), 1, (1, 2)), MemoryLinearLaw(0.5, 1 / 18), 9),
                 ("one type, M* = 2.5", waiting.request_types((Fraction(5, 21),), 1, (1,)), MemoryLinearLaw(1, 1), 2))
    good = True
    print("\n| first come first served | " + " | ".join(f"{h:,} s" for h in HORIZONS) + " | benchmark |\n| --- |" +
          " ---: |" * (len(HORIZONS) + 1))
    for name, types, law, capacity in instances:
        engine = LLMEngine(classes(types), IterationTime("memory", (law.d0, law.d1)), "fcfs-memory", {},
                           capacity=capacity)
        gaps, _ = measured(Case(name, engine, types, 1.0, 0, 0), replications, seed)
        found = [student(list(g)) for g in gaps.T]
        good &= found[-1].low > 0.5 * found[len(found) // 2].estimate  # it does not fall with the horizon
        whole = float(waiting.equilibrium(types, law).throughput)
        print(f"| {name}: gap (tokens/s) | " + " | ".join(map(shown, found)) + f" | {whole:.4g} |")
    return good


# ---- The memory of Nested WAIT ----

BATCHES, DELTAS = 400, (0.1, 0.01)


def passed(engine: LLMEngine, horizon: float, runs: int, seed: int) -> int:
    """In how many runs the engine was short of memory."""
    count = 0
    for r in range(runs):
        try:
            count += run_engine(engine, horizon=horizon, windows=1, seed=seed, replication=r).total(E.OUT_OF_MEMORY) > 0
        except InputError:  # paused requests held it all
            count += 1
    return count


def exceedance(runs: int, seed: int) -> bool:
    """How often what (12) asks for, and what `waiting.requirement` asks for, is passed; at the same thresholds."""
    types, law, good = waiting.request_types((150, 75, 75), 20, (20, 40, 80)), MemoryLinearLaw(0.1, 1e-7), True
    parts = waiting.segments(types)
    print("\n| slack | thresholds | delta | memory | tokens | runs | passed | share, 95 percent | |\n| ---: | --- | "
          "---: | --- | ---: | ---: | ---: | --- | --- |")
    for slack in (Fraction(1, 100), Fraction(5, 100)):
        n = waiting.cheapest(waiting.nested_system(parts, law, slack))
        horizon = BATCHES * n[0] / float(parts.rate)
        for delta in DELTAS:
            batches, late = waiting.most_batches(parts, law, n, horizon, delta / 10)
            need = waiting.requirement(parts, n, batches, delta - late)
            for name, tokens in (("(12)", waiting.printed(parts, n, batches, delta).total), ("exact law", need.total),
                                 ("a batch alone", float(need.batch))):
                engine = LLMEngine(unknown(types), IterationTime("memory", (law.d0, law.d1)), "nested-wait",
                                   {"thresholds": n, "ends": parts.ends}, capacity=int(tokens))
                count = passed(engine, horizon, runs, seed)
                low, high = clopper_pearson(count, runs)
                kept = name == "a batch alone" or low <= delta
                good &= kept
                print(f"| {float(slack):g} | {', '.join(map(str, n))} | {delta:g} | {name} | {tokens:,.0f} | {runs:,} "
                      f"| {count:,} | {low:.2g} to {high:.2g} | {'' if kept else 'too often'} |", flush=True)
    return good


def clopper_pearson(count: int, runs: int) -> tuple[float, float]:
    from scipy.stats import beta

    return (float(beta.ppf(0.025, count, runs - count + 1)) if count else 0.0,
            float(beta.ppf(0.975, count + 1, runs - count)) if count < runs else 1.0)


def main(replications: int = 40, runs: int = 1000, seed: int = 0) -> int:
    good = [scaling(replications, seed), first_come(replications, seed), exceedance(runs, seed)]
    print(f"\n{sum(good)} of {len(good)} are as stated: exponents, first come first served, memory")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:4])))
