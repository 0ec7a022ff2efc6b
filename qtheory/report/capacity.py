"""The critical rate by simulation, what `qtheory capacity` prints, and the table ``capacity``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from qtheory import __version__
from qtheory.errors import InputError
from qtheory.report.base_threshold import profiles_sentence, provenance, workloads_sentence
from qtheory.report.inputs import with_prompts
from qtheory.report.table import Column, Math, Table, Value
from qtheory.theory.critical_rate import FULL, CriticalRate, Engine, critical_rate

if TYPE_CHECKING:
    from qtheory.profiles.schema import HardwareProfile
    from qtheory.simulate import LLMEngine
    from qtheory.workloads.workload import Workload

REPLICATIONS, REQUESTS, MOST, WINDOWS, ERROR_RATE = 10, 3_000, 8, 100, 0.01
RESTS = ("above: the iterations of a second take at most a second (the step law.line of docs/any-law.md); below: a "
         "scheduler that loads all it can works off the tokens to come by full iterations (to.thm-1a)")


class Simulated(NamedTuple):
    """The simulator's verdict at a request rate, and its error rate."""

    verdict: str
    rate: float
    error_rate: float
    requests: float
    note: str


def simulated(engine: Engine, workload: Workload, rate: float, *, requests: int = REQUESTS, seed: int = 0) -> Simulated:
    """The simulator's stability test of one of the engines at its share of a request rate, Poisson arrivals; lengths
    are drawn from the workload's laws, those of a trace from its rows, prompt and output on their own."""
    from qtheory.simulate.statistics import until_decided

    share = rate / engine.engines
    found = until_decided(simulator(engine, workload, share), horizon=requests / share, limit=MOST * requests / share,
                          replications=REPLICATIONS, error_rate=ERROR_RATE, windows=WINDOWS, seed=seed)
    return Simulated(found.verdict.verdict, rate, ERROR_RATE, requests, found.verdict.remark)


def simulator(engine: Engine, workload: Workload, rate: float) -> LLMEngine:
    """The simulator's engine; classes of a workload arrive each at its share of the rate."""
    from qtheory.simulate import LLMEngine, RequestClass
    from qtheory.simulate.law_of_times import Exponential
    from qtheory.simulate.sources import iteration_time, length_law

    classes = []
    for c, share in zip(workload.classes, workload.probabilities, strict=True):
        if c.prompt is None:
            raise InputError(f"workload {workload.name!r} says nothing of the prompt lengths")
        classes.append(RequestClass(c.name, length_law(c.prompt), length_law(c.output),
                                    Exponential.with_rate(rate * float(share))))
    limits = dict(engine.limits)
    slots, memory = limits.pop("slots", None), limits.pop("memory", None)
    return LLMEngine(tuple(classes), iteration_time(engine.law), engine.scheduler, limits, slots=slots, capacity=memory)


def certificate(found: CriticalRate, engine: Engine) -> dict[str, Any]:
    """What shows the bound that holds under every scheduler, in exact numbers, to be checked by hand or by machine."""
    lengths = found.lengths
    return {
        "claim": "no scheduler is stable above `rate`, of each engine",
        "law": {"kind": engine.law.kind} | {name: str(Fraction(str(v))) for name, v in engine.law.constants.items()},
        "line": {"intercept": str(found.line.intercept), "slope": str(found.line.slope)},
        "tokens_at_most": found.most,
        "lengths": {name: str(value) for name, value in asdict(lengths).items()},
        "limit": found.limit,
        "rate": found.any_scheduler / engine.engines,
        "checked": f"the line lies nowhere above the law at 1 to {found.most} tokens, one by one, in exact numbers",
        "rests_on": RESTS,
    }


def proof_goal(found: CriticalRate, engine: Engine) -> tuple[str, tuple[str, ...]] | None:
    """The statement for both checkers that the line lies below the law, for all real n from 1 on; None for a pair."""
    n = "n"
    laws = {
        "affine": "{alpha} + {beta}*n", "context_affine": "{alpha} + {beta}*n",
        "piecewise_linear": "{c} + {a}*Max(0, n - {b0})",
        "concave": "{alpha} + {beta}*n + {eta}*Min(n, {b0})",
        "staircase": "{tile_time}*ceiling(n/{t_col}) + {token_time}*n",
        "memory_linear": "{d0} + {d1}*n",
    }
    if engine.law.kind not in laws:
        return None
    numbers = {name: f"({Fraction(str(v))})" for name, v in engine.law.constants.items()}
    line = f"({found.line.intercept}) + ({found.line.slope})*{n}"
    return f"{line} <= {laws[engine.law.kind].format(**numbers)}", (f"1 <= n <= {found.most}",)


def lines(found: CriticalRate, engine: Engine) -> list[str]:
    """What the command prints of a critical rate."""
    each = f" ({engine.engines} engines)" if engine.engines > 1 else ""
    if found.low is not None and found.high == found.low:
        text = [f"critical rate {found.high:.6g} requests/s{each}, {found.kind}"]
    else:
        low = "?" if found.low is None else f"{found.low:.6g}"
        text = [f"critical rate from {low} to {found.high:.6g} requests/s{each}, {found.kind}"]
    text.append(f"  no scheduler with these limits serves more than {found.any_scheduler:.6g} requests/s: limited by "
                f"{found.limit}")
    a, b = float(found.line.intercept), float(found.line.slope)
    text.append(f"  shown by the line {a:.6g} s + {b:.6g} s n below the law, at each n = 1 to {found.most}")
    if not found.exact:
        text.append("  the lengths' means are those of their laws in floating point")
    if found.note:
        text.append(f"  {found.note}")
    if found.kind == "certified" and engine.scheduler in FULL:
        text.append(f"  rests on {RESTS}")
    return text


BUDGETS, SLOTS = (512, 2048, 8192), 256
COLUMNS = (
    Column("profile", "profile", "hardware profile", text=True, group=True),
    Column("workload", "workload", "named workload", text=True, once=True),
    Column("tokens", "tokens", "mean tokens of a request", "tokens", digits=4, once=True, printed=False),
    Column("budget", Math("b", "b"), "tokens of an iteration at most", "tokens", bare=True),
    Column("low", Math(r"\lambda^-", "λ⁻"), "Sarathi-Serve is stable below", "requests/s", digits=4),
    Column("high", Math(r"\lambda^+", "λ⁺"), "every scheduler is unstable above", "requests/s", digits=4),
    Column("slots", Math("N", "N"), "slots of the next column", "requests", bare=True, printed=False),
    Column("with_slots", Math(r"\lambda^+_N", "λ⁺ of N"), "every scheduler on N slots is unstable above", "requests/s",
           digits=4),
    Column("limit", "limit", "what binds on N slots", text=True),
    Column("exact", "exact", "whether the workload's means are exact", printed=False),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


def table(chosen: Iterable[HardwareProfile], workloads: tuple[Workload, ...]) -> Table:
    """The table ``capacity``: certified critical rates, a row a profile, workload and budget."""
    profiles, usable = tuple(chosen), with_prompts(workloads)
    rows = tuple(_row(p, w, b) for p in profiles for w in usable for b in BUDGETS)
    return Table(
        name="capacity", title="Certified critical rates of one engine", label="tab:capacity", columns=COLUMNS,
        rows=rows, version=__version__, provenance=tuple(provenance(p) for p in profiles),
        caption=("Request rates of one engine by a profile's law: with iterations of at most b tokens Sarathi-Serve is "
                 "stable below ", Math(r"\lambda^-", "λ⁻"), ", and no scheduler is above ",
                 Math(r"\lambda^+", "λ⁺"), f"; with {SLOTS} requests in service at most, none above ",
                 Math(r"\lambda^+_N", "λ⁺ of N"), ". By straight lines below the law, checked at every number of "
                 f"tokens in exact arithmetic; no limit of memory. {profiles_sentence(profiles)} "
                 f"{workloads_sentence(usable)} Computed by qtheory {__version__}."))


def _row(profile: HardwareProfile, workload: Workload, budget: int) -> tuple[Value, ...]:
    free = critical_rate(Engine(profile.law, "sarathi", {"budget": budget}), workload)
    slots = critical_rate(Engine(profile.law, "orca", {"budget": budget, "slots": SLOTS}), workload)
    return (profile.name, workload.name, float(free.lengths.tokens), budget, free.low, free.high, SLOTS,
            slots.any_scheduler, slots.limit, free.exact, __version__)
