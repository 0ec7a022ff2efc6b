"""What a certificate has to prove of a network at all arrival rates of a polygon at once.

The free rates ``x_1, x_2, ..`` are variables beside the efforts. ``rates`` gives each type's arrival rate as an affine
form in them, so that ``R_k' = alpha_k(x) - mu_k u_k`` stays affine in both together, and so does whatever a certificate
with fixed weights has to show: a claim on a ``cell``, a polygon of free rates (or an interval, or a body), is a list of
linear implications whose facts are those of one network *and* the cell's inequalities. One proof of each holds at every
point of the cell; no point, and no corner, is looked at by itself.

``{"kind": "region", "rates", "cell", "margin", "claim"}``: ``cell`` and ``margin`` are affine forms, [constant,
coefficients..]; the claim holds at every point of the cell (all its forms >= 0) where the margin is above 0. In the
cell no type's rate is negative; a type whose rate is 0 has stopped to arrive, and may still have fluid at the start.

The inner claims:

- "pieces", "quadratic", "stages": as for one network (:mod:`qtheory.theory.obligations`), with a decay of ``decay``
  times the margin. At a point of positive margin they are that network's certificate of stability.
- ``{"kind": "overload", "engine", "growth"}``: the work for the engine grows by ``growth`` times the margin a second,
  whatever is done.
- ``{"kind": "growing", "order", "phases", "growth", "emptying"}``: a path that grows for ever, whatever the exact times
  of its corners. ``order``: as of paths. A phase ``{"efforts", "full", "ends", "weights"}`` has efforts that are affine
  in the free rates, visits that may hold fluid, the visit whose emptying ends it, and weights of contents.

Why a growing path grows. In a phase all buffers outside ``full`` are and stay empty, those of ``full`` but ``ends`` do
not fall, and ``ends`` falls at ``emptying`` times the margin at least, so that the phase ends, and after a finite time.
The efforts use all of an engine's time where a prefix of its order may hold fluid. What may be full when a phase ends
may be so in the next one, after the last of which the first comes again. The weighted content grows in each phase by
``growth`` times the margin a second, and falls at no change of phase, since the weights of what may be full do not. A
path that starts the first phase with fluid at a visit of positive weight has positive weighted content, so it is never
empty, and its content exceeds every bound. It takes time for ever: of the visits that may hold fluid when the first
phase begins only those that end a phase have positive weight there, so one of them has its share of the weighted
content, holds it until the phase that it ends, and empties at a bounded speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from qtheory.models.network import AgentNetwork
from qtheory.numerics.lp import ONE, ZERO, Form
from qtheory.theory.fluid import FluidModel
from qtheory.theory.obligations import KEYS, Obligation, _number, _require, draining, linear, signed

Affine = tuple[Fraction, ...]  # (constant, coefficient of each free rate)
VERDICTS = {"pieces": "stable", "quadratic": "stable", "stages": "stable", "growing": "unstable",
            "overload": "unstable"}
MOST_RATES = 3
_KEYS = {**{k: KEYS[k] for k in ("pieces", "quadratic", "stages")}, "overload": {"engine", "growth"},
         "growing": {"order", "phases", "growth", "emptying"}}


@dataclass(frozen=True)
class RateModel(FluidModel):
    """The fluid model with free rates, the variables after the visits' efforts. ``alpha`` is at free rates 0;
    ``slopes``: by visit what it grows by with each of them; ``limits``, ``threshold``: the cell and the margin."""

    slopes: tuple[Affine, ...] = ()
    limits: tuple[Form, ...] = ()
    threshold: Form = field(default_factory=Form)

    @classmethod
    def on(cls, network: AgentNetwork, rates: Sequence[Affine], cell: Sequence[Affine], margin: Affine) -> RateModel:
        """``rates``: of each type, affine in the free rates; ``cell``, ``margin``: forms in these."""
        base = FluidModel.of(network)
        of_type = {v.name: i for i, t in enumerate(network.types) for v in t.visits}
        alpha = [tuple(network.rates[v.name] / network.types[of_type[v.name]].rate * c for c in rates[of_type[v.name]])
                 for v in network.visits]
        n = len(alpha)
        return cls(tuple(a[0] for a in alpha), base.mu, base.after, base.random, base.groups,
                   tuple(a[1:] for a in alpha), tuple(form(f, n) for f in cell), form(margin, n))

    @property
    def margin(self) -> Form:
        return self.threshold

    @property
    def cell(self) -> tuple[Form, ...]:
        return self.limits

    def rate(self, k: int) -> Form:
        return super().rate(k) + form((ZERO, *self.slopes[k]), len(self.alpha))


def form(affine: Sequence[Fraction], visits: int) -> Form:
    """The affine form in the free rates, whose variables come after those of so many visits."""
    return Form({visits + j: c for j, c in enumerate(affine[1:])}, affine[0])


def verdict(claim: Any) -> str:
    """What a claim of known form says of its cell."""
    return VERDICTS[claim["claim"]["kind"]]


def obligations(network: AgentNetwork, claim: Any) -> Iterator[Obligation]:
    """All that has to be proved for the claim to hold on its cell; ValueError for what is no claim about the network.
    """
    _require(isinstance(claim, dict) and set(claim) == {"kind", "rates", "cell", "margin", "claim"}
             and claim["kind"] == "region", "a claim about a region")
    margin = claim["margin"]
    _require(isinstance(margin, list) and 2 <= len(margin) <= MOST_RATES + 1, f"one to {MOST_RATES} free rates")
    rates = _rows(claim["rates"], len(margin))
    _require(len(rates) == len(network.types), "a rate for each type")
    model = RateModel.on(network, rates, _rows(claim["cell"], len(margin)), _row(margin, len(margin)))
    inside = claim["claim"]
    kind = inside.get("kind") if isinstance(inside, dict) else None
    if not isinstance(kind, str) or kind not in _KEYS or set(inside) != {"kind", *_KEYS[kind]}:
        raise ValueError("an inner claim of known form is needed")
    return _all(network, model, rates, kind, inside)


def _all(network: AgentNetwork, model: RateModel, rates: Sequence[Affine], kind: str, inside: dict[str, Any]
         ) -> Iterator[Obligation]:
    n = len(model.alpha)
    for t, rate in zip(network.types, rates, strict=True):
        yield linear(f"the rate of type {t.name!r} is not negative", "u", form(rate, n), (), model.cell)
    if kind == "overload":
        yield from _overload(model, inside)
    elif kind == "growing":
        open_orders = all(e.policy in ("priority", "work-conserving") or sum(map(len, network.groups[e.name])) < 2
                          for e in network.engines)
        _require(open_orders and not model.has_joins, "a network of priorities or open orders, and without joins,")
        yield from _growing(model, inside)
    else:
        yield from draining(model, inside)


def _overload(model: RateModel, inside: dict[str, Any]) -> Iterator[Obligation]:
    engine, growth = inside["engine"], _number(inside["growth"])
    _require(type(engine) is int and 0 <= engine < len(model.groups), "an engine's number")
    yield Obligation("the growth is positive", f"{growth} > 0")
    here = [k for k in model.visits if model.engine_of[k] == engine]
    work = model.growth(Form({k: 1 / model.mu[k] for k in here})) - model.margin * growth
    idle = Form(dict.fromkeys(here, -ONE), ONE)
    yield linear(f"the work for engine {engine + 1} grows", "u", work, (), (idle, *model.cell))


def _growing(model: RateModel, inside: dict[str, Any]) -> Iterator[Obligation]:
    """The phases lead to each other, and the weighted content grows."""
    order, phases = inside["order"], inside["phases"]
    growth, emptying = _number(inside["growth"]), _number(inside["emptying"])
    _require(isinstance(order, list) and len(order) == len(model.groups), "an order for each engine")
    for line, engine in zip(order, model.groups, strict=True):
        place = {k: i for i, group in enumerate(engine) for k in group}
        _require(isinstance(line, list) and all(type(k) is int for k in line) and sorted(line) == sorted(place)
                 and line == sorted(line, key=place.__getitem__), "an order within the network's priorities")
    _require(isinstance(phases, list) and bool(phases), "phases")
    n, width, read = len(model.alpha), len(model.slopes[0]) + 1, []
    for phase in phases:
        _require(isinstance(phase, dict) and set(phase) == {"efforts", "full", "ends", "weights"}, "a phase")
        full = phase["full"]
        _require(isinstance(full, list) and all(type(k) is int and 0 <= k < n for k in full)
                 and type(phase["ends"]) is int and phase["ends"] in full, "visits that may hold fluid")
        efforts = [form(e, n) for e in _rows(phase["efforts"], width)]
        _require(len(efforts) == n, "an effort for each visit")
        read.append((efforts, set(full), phase["ends"], _row(phase["weights"], n)))
    yield Obligation("growth and emptying are positive", f"And({growth} > 0, {emptying} > 0)")
    begin = read[-1][1] - {read[-1][2]}
    ended = {ends for _, _, ends, _ in read}
    _require(bool(begin & ended), "a phase that ends with what the first begins with")
    for k in sorted(begin):
        value = signed(read[0][3][k])
        yield Obligation(f"content of visit {k + 1} counts, if it ends a phase",
                         f"{value} > 0" if k in ended else f"0 >= {value}")
    for number, (efforts, full, ends, weights) in enumerate(read):
        _, next_full, _, next_weights = read[(number + 1) % len(read)]
        _require(full - {ends} <= next_full, "what may be full may be so in the next phase")
        for k in sorted(full - {ends}):
            yield Obligation(f"no weight falls after phase {number + 1}: visit {k + 1}",
                             f"{signed(next_weights[k])} >= {signed(weights[k])}")
        for about, goal in _phase(model, order, efforts, full, ends):
            yield linear(f"phase {number + 1}: {about}", "u", goal, (), model.cell)
        rise = {k: moved(model, k, efforts) for k in full}
        yield linear(f"phase {number + 1}: visit {ends + 1} empties", "u",
                     rise[ends] * Fraction(-1) - model.margin * emptying, (), model.cell)
        total = sum((rise[k] * weights[k] for k in sorted(full)), Form())
        yield linear(f"phase {number + 1}: the weighted content grows", "u", total - model.margin * growth, (),
                     model.cell)


def _phase(model: RateModel, order: Sequence[Sequence[int]], efforts: Sequence[Form], full: set[int], ends: int
           ) -> Iterator[tuple[str, Form]]:
    """What has to be >= 0 in a phase, in words and as a form: that the path obeys the fluid model there."""
    for k in model.visits:
        yield f"the effort of visit {k + 1}", efforts[k]
        rise = moved(model, k, efforts)
        if k != ends:
            yield f"visit {k + 1} does not fall", rise
        if k not in full:
            yield f"visit {k + 1} does not rise", rise * Fraction(-1)
    for line in order:
        for first in range(1, len(line) + 1):
            rest = Form({}, ONE) - sum((efforts[k] for k in line[:first]), Form())
            yield "the engine's time is enough", rest
            if full & set(line[:first]):
                yield "the engine's time is used", rest * Fraction(-1)


def moved(model: RateModel, k: int, efforts: Sequence[Form]) -> Form:
    """How fast a visit's content grows with these efforts, as a form in the free rates."""
    rise = model.fills[k]
    n = len(model.alpha)
    own = Form({c: x for c, x in rise.coefficients.items() if c >= n}, rise.constant)
    return own + sum((efforts[j] * c for j, c in rise.coefficients.items() if j < n), Form())


def _row(raw: Any, width: int) -> Affine:
    _require(isinstance(raw, list) and len(raw) == width, f"a list of {width} numbers")
    return tuple(map(_number, raw))


def _rows(raw: Any, width: int) -> list[Affine]:
    _require(isinstance(raw, list), "rows of numbers")
    return [_row(r, width) for r in raw]
