"""A fleet simulated: requests sent to GPUs as they arrive, each GPU an engine of the simulator.

The dispatcher knows of each GPU only what it sent there: it keeps for each the seconds of work that it should have
left, and sends a request where least is left after it (``least-work``), in turns by speed (``in-turns``), or at random
by speed (``random``).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from qtheory.errors import UnknownNameError
from qtheory.models.laws import Law
from qtheory.theory.planning.fleet import Floats, Integers, Requests, Worker

RULES = ("least-work", "in-turns", "random")
EQUAL = 1e-9  # seconds: of GPUs as good as each other one gets a request that got fewer
LONGEST = 24 * 3600.0  # seconds after the last arrival in which everything has to be done


@dataclass(frozen=True)
class Measured:
    """Of all requests: mean and percentiles (50, 90, 99) of the time to the first token and of each request's time per
    output token (s); ``tpot``: the mean over tokens; ``unfinished``: requests not done a day after the last arrival."""

    requests: int
    ttft: float
    tpot: float
    ttft_percentiles: tuple[float, ...]
    tpot_percentiles: tuple[float, ...]
    unfinished: int

    def meets(self, ttft: float | None, tpot: float | None) -> bool:
        """Are the means within the limits?"""
        return not self.unfinished and (ttft is None or self.ttft <= ttft) and (tpot is None or self.tpot <= tpot)


def seconds_of_work(worker: Worker, requests: Requests) -> Floats:
    """What each request takes of a GPU that is busy, in seconds: its tokens in full iterations, and its context."""
    steepest = max(worker.lines, key=lambda line: line[1])
    fixed, slope = float(steepest[0]), float(steepest[1])
    tokens = requests.prompts + requests.decodes
    full = tokens / worker.budget + requests.decodes / worker.slots
    return fixed * np.maximum(full, 1e-9) + slope * tokens + float(worker.context) * requests.contexts


def dispatch(requests: Requests, workers: Sequence[Worker], counts: Sequence[int], rule: str, seed: int) -> Integers:
    """The GPU of each request, GPUs counted from 0 in the order of the kinds. Shape (n,)."""
    if rule not in RULES:
        raise UnknownNameError("dispatch rule", rule, list(RULES))
    kind = np.repeat(np.arange(len(workers)), counts)
    work = np.stack([seconds_of_work(w, requests) for w in workers])
    if rule == "random":
        speed = 1 / work.mean(axis=1)[kind]
        return np.random.default_rng(seed).choice(len(kind), size=len(requests), p=speed / speed.sum())
    left, sent, last = np.zeros(len(kind)), np.zeros(len(kind)), 0.0
    found = np.empty(len(requests), dtype=np.int64)
    order = np.random.default_rng(seed).permutation(len(kind))
    for i, now in enumerate(requests.arrivals):
        if rule == "least-work":
            np.maximum(left - (now - last), 0.0, out=left)
            last = now
        then = left + work[kind, i]
        g = order[int(np.argmin((then + EQUAL * sent)[order]))]
        sent[g] += 1
        left[g] = then[g]
        found[i] = g
    return found


def simulate_fleet(requests: Requests, laws: Sequence[Law], workers: Sequence[Worker], counts: Sequence[int], *,
                   policy: str = "sarathi", rule: str = "least-work", seed: int = 0,
                   executor: Executor | None = None) -> Measured:
    """All requests on ``counts`` GPUs of each kind; deterministic from the seed."""
    to = dispatch(requests, workers, counts, rule, seed)
    kind = np.repeat(np.arange(len(workers)), counts)
    tasks = [(laws[kind[g]], workers[kind[g]], requests.arrivals[to == g], requests.prompts[to == g],
              requests.decodes[to == g], policy) for g in range(len(kind)) if (to == g).any()]
    runs = list(executor.map(_engine, *zip(*tasks, strict=True)) if executor else
                (_engine(*task) for task in tasks))
    records = np.concatenate(runs)
    arrival, first, end, after = records[:, 1], records[:, 2], records[:, 3], records[:, 5]
    some = after > 0
    ttft, tpot = first - arrival, (end - first)[some] / after[some]
    marks = (50, 90, 99)
    return Measured(len(requests), float(ttft.mean()), float((end - first).sum() / max(after.sum(), 1)),
                    tuple(np.percentile(ttft, marks)), tuple(np.percentile(tpot, marks)) if some.any() else (0.0,) * 3,
                    len(requests) - len(records))


def _engine(law: Law, worker: Worker, arrivals: Floats, prompts: Integers, decodes: Integers, policy: str) -> Floats:
    """The records of one GPU's requests: class, arrival, first token, end, prompt, decodes, number. The
    engine's output is what comes after the first token, which the end of the prompt brings."""
    from qtheory.simulate import LLMEngine, RequestClass, run_engine
    from qtheory.simulate.law_of_values import Listed
    from qtheory.simulate.sources import iteration_time

    if not arrivals[-1]:
        arrivals = arrivals + 1.0  # the simulator wants time between arrivals; waits stay what they are
    gaps = np.diff(arrivals, prepend=0.0)
    one = RequestClass("request", Listed(tuple(map(float, prompts)), 1.0), Listed(tuple(map(float, decodes)), 1.0),
                       Listed(tuple(map(float, gaps))))
    engine = LLMEngine((one,), iteration_time(law), policy, {"budget": worker.budget}, slots=worker.slots)
    run = run_engine(engine, horizon=float(arrivals[-1]) + LONGEST, windows=1, records=True)
    assert run.records is not None
    return run.records
