"""What a certificate of a network has to prove: the complete list of formulas, from the network and a claim alone.

A claim is plain data that says what was found; how it was found does not matter here. If all its formulas are true,
the fluid model (:mod:`qtheory.theory.fluid`) is stable, or is not, for the reasons below. ``networks/rereading.py``
makes the same list anew from the network's file, written apart from this module.

``{"kind": "pieces", "pieces", "decay", "floor"}``: stable, by ``L = max of the pieces``, forms in R; one, or one an
engine. Decay and floor are positive. In every pattern but that of the empty network the only piece, or the pieces of
the nonempty engines, fall by ``decay`` a second. Where exactly some engines are nonempty the piece of each other one is
at most the mean of theirs, so that one of theirs attains the maximum, and L falls as it does; for an empty visit that
joins others this is asked for each of them that may attain their maximum. The pieces' sum is at least ``floor`` times
that of R for each of them, so that L is positive but for the empty network. So L and the network empty in time.

``{"kind": "quadratic", "matrix", "decay", "floor"}``: stable, by ``V = sum of Q_jk Z_j Z_k``; the matrix is given by
its lower half, and no visit joins others. ``V' = 2 sum_k Z_k (sum_j Q_kj Z_j')``: in every pattern each row k whose
buffer may be nonempty falls by ``decay`` a second, so that V' <= -2 decay sum Z; V is at least ``floor`` times the sum
of squares.

``{"kind": "stages", "stages": [{"weights", "decay", "tree"}, ..]}``: stable, since one stage after the other empties
for good; no visit joins others. The visits of a stage are those of positive weight, and each visit has one stage. Once
the stages before are empty, ``V = sum of weight_k Z_k`` over the stage's visits falls by ``decay`` a second at every
regular time at which it is above 0, so it comes to 0 in a time that its content then bounds, and stays there. The tree
(:mod:`qtheory.theory.boxes`, with [] and [engine, group, tree, tree]) splits all patterns into boxes; in each that
has a state with V above 0, V falls by what all of the box's patterns say of the efforts.

``{"kind": "product", "rates"}``: stable, as a Markov chain in place of a fluid model, where requests arrive by Poisson
processes, each visit's times of service are exponential with its mean, and an engine serves one request after the
other; each request is at one visit at a time. An engine serves first come, first served, then all its visits have the
same mean; or shares its time, whatever they have; or has one visit, served in the order of arrival. ``rates``: by visit
a positive solution of the traffic equations ``rate_k = outside_k + sum_j P_jk rate_j``. Then the product over the
requests present of ``rate_k mean_k`` of their visits (where time is shared, with the number of ways to order them) is
an invariant measure of the chain, since it balances station by station what a departure and what an arrival change:
Kelly (1975), Networks of queues with customers of different types, J. Appl. Prob. 12; Kelly (1979), Reversibility and
Stochastic Networks, Chapter 3; Baskett, Chandy, Muntz and Palacios (1975), Open, closed, and mixed networks of queues
with different classes of customers, J. ACM 22. Its sum is finite if at each engine the sum of ``rate_k mean_k`` is
below 1; the chain leaves its states at bounded rates and can empty from each, so it is positive recurrent.

``{"kind": "paths", "order", "efforts", "rays"}``: not stable, by paths that never empty. ``order``: by engine its
visits in a complete order within its groups; no engine chooses by first come, first served, and no visit joins others.
``rays``: {"starts", "durations", "weights"}, contents of a cone's rays at the start of each segment; ``efforts``: of
each segment, the same on all rays. Between rays paths pass as the same mixtures of theirs, so that in a segment every
buffer counts as nonempty that is so at either end on any ray. Each segment obeys balance, capacity, and work
conservation by the order; each ray holds something, takes time, and ends, with more than it began with, in a mixture
of the rays' starts. So a path from the cone comes back to it for ever, each time grown by a factor above 1.

``{"kind": "overload", "engine"}``: not stable, since the work for this engine grows whatever its efforts are.

Numbers are texts, p or p/q; visits and engines are counted from 0, visits in the order of the network's types, each
after those that it waits for.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.models.network import AgentNetwork
from qtheory.numerics.lp import ONE, ZERO, Form
from qtheory.theory.boxes import Box, Tree, leaves
from qtheory.theory.fluid import FluidModel, Pattern

VERDICTS = {"pieces": "stable", "quadratic": "stable", "stages": "stable", "product": "stable", "paths": "unstable",
            "overload": "unstable"}
KEYS = {"pieces": {"pieces", "decay", "floor"}, "quadratic": {"matrix", "decay", "floor"},
        "stages": {"stages"}, "product": {"rates"}, "paths": {"order", "efforts", "rays"}, "overload": {"engine"}}
_NUMBER = re.compile(r"-?[0-9]{1,400}(/[1-9][0-9]{0,399})?")


@dataclass(frozen=True)
class Obligation:
    """``wanted`` is true wherever all of ``given`` are, for all real values of the variables.

    ``about``: in words, for messages; ``forms``: of linear ones (goal, forms that are 0, forms that are >= 0) in
    variables ``letter``, for those who look for a proof.
    """

    about: str
    wanted: str
    given: frozenset[str] = frozenset()
    forms: tuple[Form, tuple[Form, ...], tuple[Form, ...]] | None = None
    letter: str = ""


def obligations(network: AgentNetwork, claim: Any) -> Iterator[Obligation]:
    """All that has to be proved for the claim to decide the network; ValueError for what is no claim about it."""
    kind = claim.get("kind") if isinstance(claim, dict) else None
    _require(isinstance(kind, str) and kind in KEYS and set(claim) == {"kind", *KEYS[kind]}, "a claim of known form")
    model = FluidModel.of(network)
    if kind == "paths":
        _require(not network.ruled, "a network without an engine whose own rule chooses between its visits")
        return _paths(model, claim)
    if kind == "overload":
        _require(type(claim["engine"]) is int and 0 <= claim["engine"] < len(model.groups), "an engine's number")
        return iter([overload(model, claim["engine"])])
    if kind == "product":
        return _product(network, model, _numbers(claim["rates"], len(model.alpha)))
    return draining(model, claim)


def draining(model: FluidModel, claim: dict[str, Any]) -> Iterator[Obligation]:
    """All that has to be proved for a claim of known form that the model drains."""
    kind = claim["kind"]
    if kind == "stages":
        return _stages(model, claim["stages"])
    rows = claim["pieces" if kind == "pieces" else "matrix"]
    _require(isinstance(rows, list), "rows of numbers")
    decay, floor = _number(claim["decay"]), _number(claim["floor"])
    if kind == "pieces":
        _require(len(rows) in (1, len(model.groups)), "one piece, or one for each engine")
        return pieces(model, [_numbers(r, len(model.alpha)) for r in rows], decay, floor)
    _require(not model.has_joins and len(rows) == len(model.alpha), "a row for each visit, and no visit that joins")
    return quadratic(model, [_numbers(r, k + 1) for k, r in enumerate(rows)], decay, floor)


def _require(condition: bool, wanted: str) -> None:
    if not condition:
        raise ValueError(f"{wanted} is needed")


def _number(raw: Any) -> Fraction:
    _require(isinstance(raw, str) and _NUMBER.fullmatch(raw) is not None, "a number p/q")
    value = Fraction(raw)
    _require(str(value) == raw, "a number in lowest terms")
    return value


def _numbers(raw: Any, count: int) -> list[Fraction]:
    _require(isinstance(raw, list) and len(raw) == count, f"a list of {count} numbers")
    return [_number(x) for x in raw]


# ---- texts ----

def signed(value: Fraction) -> str:
    return str(value) if value >= 0 else f"({value})"


def text(form: Form, letter: str) -> str:
    """The form with variables ``letter`` 1, 2, ... for its 0, 1, ...: the constant, unless it is 0 and something
    follows, and each term, by their numbers."""
    terms = [f"{signed(c)}*{letter}{k + 1}" for k, c in sorted(form.coefficients.items())]
    return " + ".join([signed(form.constant)] * bool(form.constant or not terms) + terms)


def total(values: Sequence[Fraction]) -> str:
    return " + ".join(map(signed, values))


def zero(form: Form, letter: str) -> str:
    return f"Eq({text(form, letter)}, 0)"


def least(form: Form, letter: str) -> str:
    return f"{text(form, letter)} >= 0"


def linear(about: str, letter: str, goal: Form, equal: Sequence[Form], rest: Sequence[Form], relation: str = ">="
           ) -> Obligation:
    """``goal`` is >= 0, or > 0, wherever all of ``equal`` are 0 and all of ``rest`` are >= 0."""
    given = frozenset([zero(f, letter) for f in equal] + [least(f, letter) for f in rest])
    return Obligation(about, f"{text(goal, letter)} {relation} 0", given, (goal, tuple(equal), tuple(rest)),
                      letter)


# ---- stable ----

def _positive(decay: Fraction, floor: Fraction) -> Obligation:
    return Obligation("decay and floor are positive", f"And({decay} > 0, {floor} > 0)")


def _first(pattern: Pattern) -> str:
    """The pattern in words."""
    tops = [f"engine {i + 1} {'empty' if top is None else f'at its group {top + 1}'}"
            for i, top in enumerate(pattern.tops)]
    return ", ".join([*tops, *(f"visit {k + 1} keeps up with {p + 1}" for k, p in pattern.joined)])


def falling(pattern: Pattern, single: bool) -> list[int]:
    """The pieces that must fall in a pattern: the only one, or those of the engines that are not empty."""
    return [0] if single else [i for i, top in enumerate(pattern.tops) if top is not None]


def comparisons(model: FluidModel) -> Iterator[tuple[tuple[int, ...], int]]:
    """(engines that are not empty, another), in every way."""
    used = [i for i, engine in enumerate(model.groups) if engine]
    for size in range(1, len(used) + 1):
        for some in itertools.combinations(used, size):
            yield from ((some, other) for other in range(len(model.groups)) if other not in some)


def nonempty(model: FluidModel, pattern: Pattern) -> list[int]:
    """The visits whose buffers may be nonempty in a pattern."""
    return sorted(k for engine, top in zip(model.groups, pattern.tops, strict=True) if top is not None
                  for group in engine[top:] for k in group)


def states(model: FluidModel, some: Collection[int]) -> Iterator[tuple[list[Form], list[Form]]]:
    """What holds of R where no other engines than these are nonempty: (forms that are 0, forms that are >= 0), for each
    way in which empty visits that join others keep up with one of these."""
    held = {(k, p): model.buffer(k, p) for k in model.visits for p in (model.after[k] or (None,))}
    empty = [k for k in model.visits if model.engine_of[k] not in some]
    for joined in model.joined(empty):
        tight = {(k, dict(joined).get(k, next(iter(model.after[k]), None))) for k in empty}
        yield [f for at, f in held.items() if at in tight], [f for at, f in held.items() if at not in tight]


def pieces(model: FluidModel, rows: Sequence[Sequence[Fraction]], decay: Fraction, floor: Fraction
           ) -> Iterator[Obligation]:
    """L, the largest of the forms in R with these coefficients, is a Lyapunov function."""
    yield _positive(decay, floor)
    values = [Form(dict(enumerate(row))) for row in rows]
    everything = Form(dict.fromkeys(model.visits, floor * len(rows)))
    [(_, contents)] = states(model, range(len(model.groups)))
    yield linear("L is positive", "R", sum(values, Form()) - everything, (), contents)
    for pattern in model.patterns():
        equal, rest = model.equations(pattern)
        for j in falling(pattern, len(rows) == 1):
            goal = model.margin * -decay - model.growth(values[j])
            yield linear(f"piece {j + 1} falls: {_first(pattern)}", "u", goal, equal, rest)
    for some, other in comparisons(model) if len(rows) > 1 else ():
        goal = sum((values[j] * Fraction(1, len(some)) for j in some), Form()) - values[other]
        about = f"only engines {', '.join(str(i + 1) for i in some)} nonempty: piece {other + 1} is not the largest"
        yield from (linear(about, "R", goal, equal, rest) for equal, rest in states(model, some))


def quadratic(model: FluidModel, rows: Sequence[Sequence[Fraction]], decay: Fraction, floor: Fraction
              ) -> Iterator[Obligation]:
    """V, with these rows as the lower half of its matrix, is a Lyapunov function."""
    yield _positive(decay, floor)
    terms = []
    for j, row in enumerate(rows):
        for k, q in enumerate(row):
            value = q - floor if j == k else 2 * q
            terms += [f"{signed(value)}*z{j + 1}" + ("^2" if j == k else f"*z{k + 1}")] if value else []
    given = frozenset(f"z{k + 1} >= 0" for k in model.visits)
    yield Obligation("V is positive", f"{' + '.join(terms) or 0} >= 0", given)
    grows = model.fills
    falls = [sum((grows[j] * rows[max(j, k)][min(j, k)] for j in model.visits), model.margin * decay) * -1
             for k in model.visits]
    for pattern in model.patterns():
        equal, rest = model.equations(pattern)
        for k in nonempty(model, pattern):
            yield linear(f"row {k + 1} falls: {_first(pattern)}", "u", falls[k], equal, rest)


@dataclass(frozen=True)
class Stage:
    """``weights``: by visit that of its content, above 0 for the visits of the stage and 0 for all others; ``decay``:
    how fast the weighted content falls, a second; ``tree``: the boxes of patterns in which it is shown to."""

    weights: tuple[Fraction, ...]
    decay: Fraction
    tree: Tree

    @property
    def visits(self) -> list[int]:
        return [k for k, w in enumerate(self.weights) if w]

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The weights of its visits by name, and the decay, as texts of exact rationals."""
        return {"weights": {names[k]: str(self.weights[k]) for k in self.visits}, "decay": str(self.decay)}

    def falls(self, model: FluidModel) -> Form:
        """What the weighted content falls by above the decay, as a form in the efforts."""
        return model.margin * -self.decay - sum((model.fills[k] * self.weights[k] for k in self.visits), Form())


def _stages(model: FluidModel, raw: Any) -> Iterator[Obligation]:
    _require(not model.has_joins and isinstance(raw, list), "a list of stages, and no visit that joins")
    found = []
    for stage in raw:
        _require(isinstance(stage, dict) and set(stage) == {"weights", "decay", "tree"}, "a stage of known form")
        weights = _numbers(stage["weights"], len(model.alpha))
        _require(min(weights) >= 0, "weights of at least 0")
        found.append(Stage(tuple(weights), _number(stage["decay"]), _tree(stage["tree"], Box.whole(model))))
    visits = sorted(k for stage in found for k in stage.visits)
    _require(visits == list(model.visits), "one stage for each visit")
    return stages(model, found)


def _tree(raw: Any, box: Box) -> Tree:
    _require(isinstance(raw, list) and len(raw) in (0, 4), "a tree")
    if not raw:
        return ()
    engine, group = raw[:2]
    _require(type(engine) is int and type(group) is int and (engine, group) in set(box.splits()), "a split of its box")
    some, none = box.split(engine, group)
    return engine, group, _tree(raw[2], some), _tree(raw[3], none)


def stages(model: FluidModel, found: Sequence[Stage]) -> Iterator[Obligation]:
    """One stage after the other empties."""
    drained: list[int] = []
    for number, stage in enumerate(found, 1):
        yield Obligation("the decay is positive", f"{stage.decay} > 0")
        falls = stage.falls(model)
        for box in leaves(stage.tree, Box.whole(model)):
            if not box.none(model, stage.visits, drained):
                equal, rest = box.equations(model, drained)
                yield linear(f"stage {number} falls: {_boxed(model, box)}", "u", falls, equal, rest)
        drained += stage.visits


def _boxed(model: FluidModel, box: Box) -> str:
    """The box in words."""
    return ", ".join(f"engine {i} at its group {empty + 1} to {within + 1}" for i, (empty, within, engine) in
                     enumerate(zip(box.empty, box.within, model.groups, strict=True), 1)
                     if empty or within < len(engine)) or "every pattern"


def has_product_form(network: AgentNetwork) -> bool:
    """Whether a request is at one visit at a time, and each engine has a discipline that can have a product form: first
    come, first served (if its visits have the same mean), processor sharing, or a single visit."""
    return not network.forks and all(e.policy in ("fcfs", "processor-sharing") or (
        e.policy != "sarathi" and sum(v.engine == e.name for v in network.visits) <= 1) for e in network.engines)


def _product(network: AgentNetwork, model: FluidModel, rates: Sequence[Fraction]) -> Iterator[Obligation]:
    """The rates solve the traffic equations, and the product form has a sum."""
    _require(has_product_form(network), "a product form")
    for k, (rate, visit) in enumerate(zip(rates, network.visits, strict=True)):
        comes = " + ".join([signed(network.arrivals[visit.name]), *(f"{signed(p)}*{signed(rates[j])}" for j, p in
                                                        sorted(model.inflow[k]))])
        yield Obligation(f"the requests that come to visit {k + 1}", f"And({rate} > 0, Eq({comes}, {rate}))")
    for i, engine in enumerate(model.groups):
        here = sorted(k for group in engine for k in group)
        if network.engines[i].policy == "fcfs":
            for k in here[1:]:
                yield Obligation(f"engine {i + 1} serves its visits at one rate",
                                 f"Eq({1 / model.mu[k]}, {1 / model.mu[here[0]]})")
        if here:
            work = " + ".join(f"{signed(rates[k])}*{1 / model.mu[k]}" for k in here)
            yield Obligation(f"the load of engine {i + 1} is below 1", f"1 > {work}")


# ---- unstable ----

def overload(model: FluidModel, engine: int) -> Obligation:
    """The work for the engine grows."""
    here = [k for k in model.visits if model.engine_of[k] == engine]
    work = Form({k: 1 / model.mu[k] for k in here})
    idle = Form(dict.fromkeys(here, -ONE), ONE)
    return linear(f"the work for engine {engine + 1} grows", "u", model.growth(work), (), (idle,), ">")


def _paths(model: FluidModel, claim: dict[str, Any]) -> Iterator[Obligation]:
    order, efforts, rays = claim["order"], claim["efforts"], claim["rays"]
    _require(not model.has_joins, "a network without joins")
    _require(isinstance(order, list) and len(order) == len(model.groups), "an order for each engine")
    for line, engine in zip(order, model.groups, strict=True):
        place = {k: i for i, group in enumerate(engine) for k in group}
        _require(isinstance(line, list) and all(type(k) is int for k in line) and sorted(line) == sorted(place)
                 and line == sorted(line, key=place.__getitem__), "an order within the network's priorities")
    _require(isinstance(efforts, list) and isinstance(rays, list) and bool(efforts and rays), "segments and rays")
    n = len(model.alpha)
    used = [_numbers(u, n) for u in efforts]
    weights, starts, durations = [], [], []
    for ray in rays:
        _require(isinstance(ray, dict) and set(ray) == {"starts", "durations", "weights"}
                 and isinstance(ray["starts"], list) and len(ray["starts"]) == len(used), "a ray's segments")
        starts.append([_numbers(z, n) for z in ray["starts"]])
        durations.append(_numbers(ray["durations"], len(used)))
        weights.append(_numbers(ray["weights"], len(rays)))
    return _growing(model, order, used, starts, durations, weights)


def _growing(model: FluidModel, order: Sequence[Sequence[int]], used: Sequence[Sequence[Fraction]],
             starts: Sequence[Sequence[Sequence[Fraction]]], durations: Sequence[Sequence[Fraction]],
             weights: Sequence[Sequence[Fraction]]) -> Iterator[Obligation]:
    """The paths of these rays obey the fluid model, and come back to their cone with more."""
    rays, grows = range(len(starts)), [model.growth(model.buffer(k)) for k in model.visits]
    ends = [[sum((w * starts[j][0][k] for j, w in enumerate(weights[i])), ZERO) for k in model.visits] for i in rays]
    states = [[*starts[i], ends[i]] for i in rays]
    mixed = [[" + ".join(f"{signed(w)}*{signed(starts[j][0][k])}" for j, w in enumerate(weights[i]))
              for k in model.visits] for i in rays]
    for s, u in enumerate(used):
        full = {k for k in model.visits if any(states[i][s + t][k] for i in rays for t in (0, 1))}
        says = [f"{x} >= 0" for x in u]
        for line in order:
            for first in range(1, len(line) + 1):
                taken = total([u[k] for k in line[:first]])
                says.append(f"Eq({taken}, 1)" if full & set(line[:first]) else f"{taken} <= 1")
        yield Obligation(f"segment {s + 1}: efforts obey the order", f"And({', '.join(says)})")
        for i in rays:
            says = [f"{durations[i][s]} >= 0"]
            for k, (grow, z) in enumerate(zip(grows, starts[i][s], strict=True)):
                end = mixed[i][k] if s + 1 == len(used) else str(starts[i][s + 1][k])
                rate = [f"{signed(c)}*{signed(u[j])}" for j, c in sorted(grow.coefficients.items())]
                moved = f"{z} + {signed(durations[i][s])}*({' + '.join([signed(grow.constant), *rate])})"
                says += [f"{z} >= 0", f"Eq({moved}, {end})"]
            yield Obligation(f"ray {i + 1}: segment {s + 1} leads on", f"And({', '.join(says)})")
    for i in rays:
        content = total(starts[i][0])
        end = " + ".join(f"{signed(w)}*({total(starts[j][0])})" for j, w in enumerate(weights[i]))
        says = [*(f"{w} >= 0" for w in weights[i]), f"{total(durations[i])} > 0", f"{content} > 0",
                f"{end} > {content}"]
        yield Obligation(f"ray {i + 1} comes back with more", f"And({', '.join(says)})")
