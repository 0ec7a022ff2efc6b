"""SLAI beside Sarathi-Serve and vLLM on the tiling paper's workload: times to and between tokens, and the capacity.

The paper measures Mistral-7B on an RTX 6000 Ada; here the engine is simulated, with the measured law of Llama-3.1-8B on
an L40S, which has the same chip. Policies are compared on the same random numbers, replication by replication.
Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", Section 7 and Appendix F.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from qtheory import __version__
from qtheory.report.table import Column, Table, Text, Value, ends_of
from qtheory.simulate.engine_runs import EngineRun
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Exponential
from qtheory.simulate.sources import profile_time, workload_law
from qtheory.simulate.statistics import histogram_quantile, paired_difference, student
from qtheory.simulate.statistics.intervals import Interval
from qtheory.simulate.workers import in_order

PROFILE, WORKLOAD = "l40s-llama-8b-vllm-kernels", "rad-openchat-sharegpt4"
SHARES = (0.05, 0.5, 0.95)  # of paying users
TTFT, PAYING, FREE = 0.5, 0.1, 0.5  # limits in seconds: median TTFT; 99th percentile of the time between tokens
SLOTS, CAPACITY, BUDGET, WHOLE = 128, 200_000, 512, 16_384  # tokens: 48 GB less 16 GB of weights, at 128 KiB a token
HORIZON, REPLICATIONS, SEED = 4000.0, 8, 7
LEAST, MOST, HALVINGS = 0.2, 2.4, 8  # requests a second between which a capacity is sought


class Policy(NamedTuple):
    """A curve of the paper's Figure 6: a policy of the simulator with its parameters, and the order of prompts."""

    name: str
    policy: str
    parameters: dict[str, float]
    order: str = "fcfs"


_FIXED = {"budget": BUDGET, "decode_limit": SLOTS, "offset": 10.0}
_DYNAMIC = _FIXED | {"offset": 5.0, "offset_full": 10.0, "full": 0.96}
POLICIES = (
    Policy("Sarathi-Serve (FCFS)", "sarathi", {"budget": BUDGET}),
    Policy("Sarathi-Serve (SPF)", "sarathi", {"budget": BUDGET}, "spf"),
    Policy("SLAI (FCFS, fixed)", "slai", _FIXED),
    Policy("SLAI (SPF, fixed)", "slai", _FIXED, "spf"),
    Policy("SLAI (SPF, dynamic)", "slai-dynamic", _DYNAMIC, "spf"),
    Policy("vLLM", "vllm-whole", {"budget": WHOLE}),
)
PRIORITY = Policy("SLAI (SPF with priority, dynamic)", "slai-dynamic", _DYNAMIC, "class-spf")
BASE, BEST = POLICIES[0], POLICIES[4]
Classes = Callable[[float, float, int], tuple[tuple[RequestClass, ...], float]]


@cache
def _lengths() -> tuple[Any, Any]:
    return workload_law(WORKLOAD, "prompt"), workload_law(WORKLOAD, "output")


def poisson(rate: float, share: float, replication: int) -> tuple[tuple[RequestClass, ...], float]:
    """Paying and free users at ``rate`` requests a second in all, a Poisson process each, and the seconds to run."""
    return _users(rate, share), HORIZON


@cache  # each law's thousands of lengths are looked through when a class is made: policies are tried at the same rates
def _users(rate: float, share: float) -> tuple[RequestClass, ...]:
    prompt, output = _lengths()
    return tuple(
        RequestClass(name, prompt, output, Exponential(1 / (rate * part)), tbt_slo=limit)
        for name, part, limit in (("paying", share, PAYING), ("free", 1 - share, FREE)))


@dataclass(frozen=True)
class Seen:
    """What a replication shows, in seconds: medians and 99th percentiles of the TTFT and of the time between tokens;
    those of paying and free users, with the means of their TTFT; ``rate``: requests that leave a second."""

    ttft: float
    ttft_99: float
    tbt: float
    tbt_99: float
    paying_99: float
    free_99: float
    paying_mean: float
    free_mean: float
    rate: float


def within_limits(found: Seen) -> bool:
    """Whether the limits of Section 7 are met: on the median TTFT, and on the tails of the time between tokens."""
    return found.ttft <= TTFT and found.paying_99 <= PAYING and found.free_99 <= FREE


def seen(policy: Policy, rate: float, share: float, replication: int, classes: Classes = poisson) -> Seen:
    """One replication at a request rate, from the empty engine."""
    requests, horizon = classes(rate, share, replication)
    engine = LLMEngine(requests, profile_time(PROFILE), policy.policy, policy.parameters, slots=SLOTS,
                       capacity=CAPACITY, order=policy.order)
    return _read(engine.run(horizon=horizon, windows=10, seed=SEED, replication=replication))


def _read(run: EngineRun) -> Seen:
    both, sums = run.histogram, run.class_sums.sum(axis=0)
    paying, free = (run.class_histogram[k] for k in (0, 1))
    first, other = (float(sums[k, E.TTFT_SUM] / max(sums[k, E.FIRST_TOKENS], 1)) for k in (0, 1))
    q = histogram_quantile
    return Seen(float(q(both[E.TTFT], 0.5)), float(q(both[E.TTFT], 0.99)), float(q(both[E.TBT], 0.5)),
                float(q(both[E.TBT], 0.99)), float(q(paying[E.TBT], 0.99)), float(q(free[E.TBT], 0.99)), first,
                other, run.throughput)


def largest_rate(policy: Policy, share: float, replication: int, classes: Classes = poisson,
                 good: Callable[[Seen], bool] = within_limits, most: float = MOST) -> float:
    """The largest rate (1/s), up to ``most``, at which a replication meets the limits, by halving; it takes them for
    met below it."""
    low, high = LEAST, most
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if good(seen(policy, middle, share, replication, classes)):
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _faster(level: float, found: Seen) -> bool:
    return found.ttft <= level


def loaded(level: float, share: float, replications: int, executor: Executor | None = None) -> list[float]:
    """The rate (1/s) of each replication at which Sarathi-Serve (FCFS) comes to a median TTFT of ``level`` seconds."""
    return list(in_order(partial(_loaded, level, share), range(replications), executor))


def _loaded(level: float, share: float, replication: int) -> float:
    return largest_rate(BASE, share, replication, good=partial(_faster, level))


def capacities(policies: Sequence[Policy], share: float, replications: int, executor: Executor | None = None,
               classes: Classes = poisson, most: float = MOST, good: Callable[[Seen], bool] = within_limits
               ) -> dict[str, list[float]]:
    """`largest_rate` of each policy by replication, on common random numbers. A median says nothing of those that wait
    for ever: where a policy lets long prompts wait, ``good`` may ask for more than the paper's limits."""
    tasks = [(p, r) for p in policies for r in range(replications)]
    found = list(in_order(partial(_capacity, share, classes, most, good), tasks, executor))
    return {p.name: found[i * replications:(i + 1) * replications] for i, p in enumerate(policies)}


def _capacity(share: float, classes: Classes, most: float, good: Callable[[Seen], bool], task: tuple[Policy, int]
              ) -> float:
    return largest_rate(task[0], share, task[1], classes, good, most)


def observed(policies: Sequence[Policy], rates: Sequence[float], share: float, executor: Executor | None = None,
             classes: Classes = poisson) -> dict[str, list[Seen]]:
    """`seen` of each policy by replication, on common random numbers; ``rates``: of the replications (1/s)."""
    replications = len(rates)
    tasks = [(p, r, rate) for p in policies for r, rate in enumerate(rates)]
    found = list(in_order(partial(_observed, share, classes), tasks, executor))
    return {p.name: found[i * replications:(i + 1) * replications] for i, p in enumerate(policies)}


def _observed(share: float, classes: Classes, task: tuple[Policy, int, float]) -> Seen:
    return seen(task[0], task[2], share, task[1], classes)


def gain(rates: Sequence[float], base: Sequence[float]) -> Interval:
    """How much larger, as a share of the base's mean: the paired difference's 95 percent interval."""
    mean = sum(base) / len(base)
    return paired_difference([r / mean for r in rates], [b / mean for b in base])


HIGH = 1.5  # seconds: the median TTFT of Sarathi-Serve (FCFS) that the paper calls high load
COLUMNS = (
    Column("share", "paying", "share of paying users", digits=2, trim=True, once=True),
    Column("policy", "policy", "scheduler", text=True),
    Column("ttft", "median TTFT", "median TTFT at high load", "s", digits=3),
    Column("ttft_99", "99 %", "99th percentile of the TTFT there", "s", digits=3),
    Column("tbt", "median TBT", "median time between tokens there", "s", digits=3),
    Column("paying_99", "paying, 99 %", "99th percentile of paying users' time between tokens there", "s", digits=3),
    Column("free_99", "free, 99 %", "99th percentile of free users' time between tokens there", "s", digits=3),
    Column("capacity", "capacity", "largest rate with the limits met", "1/s", digits=4),
    *ends_of("capacity", "", "capacity", "1/s"),
    Column("gain", "gain", "capacity over that of Sarathi-Serve (FCFS), less 1, in pairs", digits=3),
    *ends_of("gain", "", "gain"),
    Column("rate", "rate", "mean request rate of high load", "1/s", printed=False),
)


def table(shares: Iterable[float] = SHARES, replications: int = REPLICATIONS, executor: Executor | None = None
          ) -> Table:
    """The table ``slai``."""
    rows: list[tuple[Value, ...]] = []
    for share in shares:
        high = loaded(HIGH, share, replications, executor)
        there = observed(POLICIES, high, share, executor)
        rates = capacities(POLICIES, share, replications, executor)
        for p in POLICIES:
            most, more = student(rates[p.name]), gain(rates[p.name], rates[BASE.name])
            means = [sum(getattr(s, name) for s in there[p.name]) / replications
                     for name in ("ttft", "ttft_99", "tbt", "paying_99", "free_99")]
            base = p is BASE
            rows.append((share, p.name, *means, most.estimate, most.low, most.high,
                         *((None,) * 3 if base else (more.estimate, more.low, more.high)),
                         sum(high) / replications))
    return Table(name="slai", title="SLAI, Sarathi-Serve and vLLM", caption=_caption(replications), label="tab:slai",
                 columns=COLUMNS, rows=tuple(rows), version=__version__, provenance=({"profile": PROFILE},))


def _caption(replications: int) -> Text:
    return (
        f"The schedulers of Figure 6 of the tiling paper in simulation: lengths of its Table 1, Poisson arrivals, a "
        f"budget of {BUDGET} tokens, {SLOTS} active requests, {CAPACITY:,} tokens of KV cache, and the measured law of "
        f"profile {PROFILE}. High load is a replication's rate at which Sarathi-Serve (FCFS) has a median TTFT of "
        f"{HIGH:g} s. Capacity: the largest rate with a median TTFT of at most {TTFT:g} s and 99th "
        "percentiles of the time between "
        f"tokens of at most {PAYING:g} s (paying) and {FREE:g} s (free users). Means of {replications} replications of "
        f"{HORIZON:g} s from the empty engine on common random numbers, with 95 percent intervals, of the gain in "
        f"pairs. Computed by qtheory {__version__}.",
    )
