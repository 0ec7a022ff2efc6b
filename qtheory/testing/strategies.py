"""Hypothesis strategies for the library's objects: each value is valid, and shrinks to one that is easily read.

Times are in seconds and lengths in tokens, as everywhere in the library; drawn numbers are short decimals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qtheory import profiles as shipped_profiles
from qtheory import workloads as shipped_workloads
from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import LAWS, Law
from qtheory.models.network import AgentNetwork, RequestType, Visit
from qtheory.models.network import Engine as Station
from qtheory.profiles.schema import HardwareProfile
from qtheory.simulate import laws as times
from qtheory.simulate.engines import LLMEngine
from qtheory.simulate.engines import RequestClass as Requests
from qtheory.simulate.sources import iteration_time
from qtheory.testing.conditions import Threshold, WaitThresholds, decimals, thresholds
from qtheory.workloads import (
    Binned,
    Deterministic,
    DiscretisedGamma,
    Empirical,
    Geometric,
    LengthLaw,
    Mixture,
    NegativeBinomial,
    Poisson,
    RequestClass,
    ShiftedExponential,
    Uniform,
    Workload,
)

LONGEST = 4096  # tokens


def _known(kind: str, name: str | None, names: Sequence[str]) -> list[str]:
    if name is not None and name not in names:
        raise UnknownNameError(kind, name, list(names))
    return [*names] if name is None else [name]


# ---- iteration-time laws and profiles ----

@st.composite
def _law(draw: DrawFn, kind: str) -> Law:
    whole, share = decimals(1, 999, 10**4), decimals(0, 999, 10**6)  # seconds an iteration, seconds a token
    law: Callable[..., Law] = LAWS[kind]
    match kind:
        case "prefill_decode":
            return law(draw(whole), draw(share), draw(whole), draw(share))
        case "piecewise_linear":
            return law(draw(whole), draw(share), float(draw(st.integers(1, 2048))))
        case "concave":
            return law(draw(whole), draw(share), draw(share), float(draw(st.integers(1, 2048))))
        case "context_affine":
            return law(draw(whole), draw(share), draw(share))
        case "staircase":
            return law(draw(whole), draw(share), float(draw(st.sampled_from([64, 128, 256]))))
        case "mixed_quadratic":
            first, last = draw(whole), draw(whole)  # K(0) and K(1)
            bend = draw(decimals(-999, 999, 10**4))
            slope = last - first - bend
            return law(first, slope, bend) if first + slope + bend > 0 else law(first, 0.0, 0.0)
    return law(draw(whole), draw(share))


def laws(kind: str | None = None) -> SearchStrategy[Law]:
    """Iteration-time laws (``qtheory.models.laws``) of that kind, or of any; UnknownNameError for an unknown one."""
    return st.sampled_from(_known("law", kind, list(LAWS))).flatmap(_law)


def profiles(kind: str | None = None, *, shipped: bool = True) -> SearchStrategy[HardwareProfile]:
    """Complete hardware profiles: made-up ones, and those shipped with the library unless ``shipped`` is false.

    ``kind``: of the iteration-time law, as in ``laws``.
    """
    kinds = _known("law", kind, list(LAWS))
    made = st.builds(_profile, laws(kind))
    every = {n: shipped_profiles.load(n) for n in shipped_profiles.names()} if shipped else {}
    complete = [n for n, p in every.items() if p.complete and p.kind in kinds]
    return made | st.sampled_from(complete).map(shipped_profiles.load) if complete else made


def _profile(law: Law) -> HardwareProfile:
    constants = {n: {"value": v, "unit": law.units[n]} for n, v in law.constants.items()}
    return HardwareProfile.model_validate({
        "name": "drawn", "gpu": "drawn", "source": {"paper": "none", "place": "drawn by qtheory.testing"},
        "law": {"kind": law.kind, "constants": constants}})


# ---- length laws and workloads ----

def lengths(*, increasing_hazard: bool | None = None, longest: int = LONGEST) -> SearchStrategy[LengthLaw]:
    """Laws of prompt or output lengths with means up to ``longest`` tokens.

    ``increasing_hazard``: true for laws whose hazard rate never decreases (the hypothesis of the exclusive-batching
    paper's Theorem 3.2; a constant rate counts), false for laws whose rate falls somewhere, None for both.
    """
    if isinstance(longest, bool) or not isinstance(longest, int) or longest < 8:
        raise InputError(f"longest is {longest!r}; a whole number of at least 8 tokens is needed")
    rising, falling = _rising(longest), _falling(longest)
    return rising | falling if increasing_hazard is None else rising if increasing_hazard else falling


def _rising(longest: int) -> SearchStrategy[LengthLaw]:
    tokens = st.integers(1, longest)
    spans = st.tuples(tokens, tokens).map(sorted)
    return st.one_of(
        tokens.map(Deterministic), tokens.map(Geometric.with_mean), spans.map(lambda s: Uniform(*s)),
        st.builds(lambda shift, beyond: ShiftedExponential.with_mean(shift + beyond + 1, shift),
                  st.integers(0, longest // 2), st.integers(1, longest // 2)),
        st.integers(1, longest).map(lambda rate: Poisson(float(rate))),
        st.builds(DiscretisedGamma.with_mean, st.integers(2, longest), decimals(10, 80, 10)),
        st.builds(NegativeBinomial.with_mean, st.integers(2, longest), st.integers(1, 8)))


def _falling(longest: int) -> SearchStrategy[LengthLaw]:
    """Laws with a hazard rate that falls: two kinds of requests, a gap between lengths, a gamma of shape below 1."""
    short, long = st.integers(1, longest // 4), st.integers(longest // 2, longest)
    halves = st.integers(1, 9)
    return st.one_of(
        st.builds(lambda a, b, w: Mixture((Geometric.with_mean(a), Geometric.with_mean(b)), (float(w), 10.0 - w)),
                  short, long, halves),
        st.builds(lambda a, b, w: Empirical((a, b), (w, 10 - w)), short, long, halves),
        st.builds(lambda a, b, w: Binned((1, a + 1, b + longest, b + longest + 2), (float(w), 1.0, 10.0)), short, long,
                  st.integers(100, 900)),
        st.builds(DiscretisedGamma.with_mean, st.integers(longest // 4, longest), decimals(2, 6, 10)),
    ).filter(lambda law: not law.increasing_failure_rate())


def workloads(*, classes: int = 3, increasing_hazard: bool | None = None, longest: int = LONGEST,
              shipped: bool = True) -> SearchStrategy[Workload]:
    """Workloads of up to ``classes`` classes; those shipped too unless ``shipped`` is false or a hazard is asked for.

    ``increasing_hazard`` and ``longest`` are as in ``lengths`` and concern the output lengths of each class.
    """
    if isinstance(classes, bool) or not isinstance(classes, int) or classes < 1:
        raise InputError(f"classes is {classes!r}; a whole number of at least 1 is needed")
    outputs = lengths(increasing_hazard=increasing_hazard, longest=longest)
    one = st.tuples(st.integers(1, 9), lengths(longest=longest), outputs)
    made = st.lists(one, min_size=1, max_size=classes).map(_workload)
    if not shipped or increasing_hazard is not None or longest != LONGEST:
        return made
    every = {n: shipped_workloads.load(n) for n in shipped_workloads.names()}
    whole = [n for n, w in every.items() if len(w.classes) <= classes and all(c.prompt is not None for c in w.classes)]
    return made | st.sampled_from(whole).map(shipped_workloads.load)


def _workload(rows: Sequence[tuple[int, LengthLaw, LengthLaw]]) -> Workload:
    classes = tuple(RequestClass(f"class {i}", float(w), prompt, output) for i, (w, prompt, output)
                    in enumerate(rows, 1))
    return Workload("drawn", "drawn workload", "", "drawn by qtheory.testing", "", classes)


# ---- engines ----

_BUDGET = st.sampled_from([64, 256, 512, 2048])
# policy: its parameters, and the engine's options, drawn together
_POLICIES: dict[str, SearchStrategy[tuple[dict[str, Any], dict[str, Any]]]] = {
    **{name: _BUDGET.map(lambda b: ({"budget": b}, {})) for name in ("faster-transformer", "vllm", "orca", "sarathi")},
    "kp-kd-fcfs": st.tuples(_BUDGET, st.integers(1, 4), st.integers(1, 64)).map(
        lambda t: ({"budget": t[0], "k_p": t[1], "k_d": t[2]}, {})),
    "request-level": st.integers(1, 64).map(lambda b: ({"batch": b}, {})),
    "eb": st.integers(1, 64).flatmap(lambda n: st.integers(1, n).map(lambda k: ({"k": k}, {"slots": n}))),
    "mixed": st.tuples(_BUDGET, st.integers(1, 64)).map(lambda t: ({"budget": t[0]}, {"slots": t[1]})),
    "fcfs-memory": st.just(({}, {})),
    "wait": st.integers(1, 16).map(lambda n: ({"thresholds": n}, {})),
    "nested-wait": st.tuples(st.integers(1, 16), st.integers(1, 16), st.integers(1, 32), st.integers(1, 64)).map(
        lambda t: ({"thresholds": t[:2], "ends": (t[2], t[2] + t[3])}, {})),
}


@st.composite
def _engine(draw: DrawFn, policy: str) -> LLMEngine:
    law = draw(st.sampled_from(["affine", "prefill_decode", "piecewise_linear", "concave", "staircase"]).flatmap(_law))
    parameters, options = draw(_POLICIES[policy])
    count = draw(st.integers(1, 2))
    laws_ = [(draw(_simulated(256)), draw(_simulated(64)), draw(decimals(1, 99, 10))) for _ in range(count)]
    classes = tuple(Requests(f"class {i}", prompt, output, times.Exponential(gap))
                    for i, (prompt, output, gap) in enumerate(laws_, 1))
    if policy == "wait":
        parameters = {"thresholds": (parameters["thresholds"],) * count}
    return LLMEngine(classes, iteration_time(law), policy, parameters, **options)


def _simulated(longest: int) -> SearchStrategy[times.Law]:
    """Lengths, in tokens, by the simulator's own laws."""
    tokens = st.integers(1, longest)
    two = st.tuples(tokens, tokens, st.integers(1, 3)).map(lambda t: times.Discrete(
        (float(t[0]), float(t[0] + t[1])), (t[2] / 4, 1 - t[2] / 4)))
    return st.one_of(tokens.map(lambda n: times.Deterministic(float(n))),
                     tokens.map(lambda n: times.Geometric.with_mean(float(n))), two)


def engines(policy: str | None = None) -> SearchStrategy[LLMEngine]:
    """LLM engines that the simulator runs (``engine.run(horizon=...)``), open, with one or two request classes.

    ``policy``: one of those whose parameters have no context of their own: request-level, faster-transformer, vllm,
    orca, sarathi, kp-kd-fcfs, eb, mixed, fcfs-memory, wait, nested-wait.
    """
    return st.sampled_from(_known("policy", policy, list(_POLICIES))).flatmap(_engine)


# ---- networks ----

@st.composite
def networks(draw: DrawFn, *, engines: int = 3, types: int = 2, load: str | Fraction | None = None,
             routes: bool = False) -> AgentNetwork:
    """Networks of agents (``qtheory.models.network``): chains of visits and fork-joins, with any order or priorities.

    At most ``engines`` engines and ``types`` request types; ``load``: of the busiest engine, an exact number; by
    default it is drawn, from 1/10 to 6/5, so that overloaded networks occur; ``routes``: every type's requests choose
    their way at random, back to visits that they have made among others.
    """
    names = [f"engine {i}" for i in range(1, draw(st.integers(1, engines)) + 1)]
    kind = _random_type if routes else _request_type
    made = [draw(kind(letter, names)) for letter in "ABCDEFGH"[:draw(st.integers(1, types))]]
    here = {n: [v.name for t in made for v in t.visits if v.engine == n] for n in names}
    stations = tuple(draw(_station(n, here[n])) for n in names)
    network = AgentNetwork(stations, tuple(made), "drawn")
    busiest = max(sum((network.rates[v] * network.works[v] for v in here[n]), Fraction(0)) for n in names)
    wanted = draw(st.integers(1, 12)) * Fraction(1, 10) if load is None else Fraction(load)
    return network.scaled(wanted / busiest)


@st.composite
def _request_type(draw: DrawFn, name: str, engines: Sequence[str]) -> RequestType:
    count = draw(st.integers(1, 4))
    fork = count >= 3 and draw(st.booleans())  # the first visit forks, the last one joins
    visits = []
    for i in range(1, count + 1):
        after = [] if i == 1 else [1] if fork and i < count else list(range(2, count)) if fork else [i - 1]
        visits.append(Visit(f"{name}{i}", draw(st.sampled_from(engines)), Fraction(draw(st.integers(1, 16))),
                            after=tuple(f"{name}{j}" for j in after)))
    return RequestType(name, Fraction(1), tuple(visits))


@st.composite
def _random_type(draw: DrawFn, name: str, engines: Sequence[str]) -> RequestType:
    """In quarters: at least one goes on to the next visit or, after the last one, leaves; up to three go back."""
    count = draw(st.integers(1, 4))
    visits = []
    for i in range(1, count + 1):
        back = draw(st.integers(1 if count == 1 else 0, 3))
        ways = {f"{name}{draw(st.integers(1, i))}": Fraction(back, 4)} if back else {}
        if i < count:
            ways[f"{name}{i + 1}"] = Fraction(draw(st.integers(1, 4 - back)), 4)
        visits.append(Visit(f"{name}{i}", draw(st.sampled_from(engines)), Fraction(draw(st.integers(1, 16))),
                            routes=tuple(ways.items())))
    return RequestType(name, Fraction(1), tuple(visits))


@st.composite
def _station(draw: DrawFn, name: str, visits: Sequence[str]) -> Station:
    budget = draw(st.sampled_from([1, 64, 512]))
    policy = draw(st.sampled_from(["work-conserving", "fcfs", "priority"] if visits else ["work-conserving", "fcfs"]))
    order = tuple((v,) for v in draw(st.permutations(visits))) if policy == "priority" else ()
    return Station(name, Fraction(budget), Fraction(draw(st.integers(1, 10)), 10), policy, order)


__all__ = ["Threshold", "WaitThresholds", "engines", "laws", "lengths", "networks", "profiles", "thresholds",
           "workloads"]
