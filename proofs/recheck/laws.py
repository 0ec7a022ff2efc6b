"""The laws of random variables (docs/language.md, section 3): values, weights, and what makes parameters valid.

A law is a Mark in the syntax; ``stated`` makes of it, and of the variable's name, an object that can average.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from .errors import demand
from .factorials import binomial, factorial
from .graph import (
    MINUS_ONE,
    ONE,
    TWO,
    ZERO,
    Node,
    add,
    difference,
    exp,
    log,
    make,
    mul,
    number,
    opposite,
    power,
    replace,
    var,
)
from .notations import OO, TERMS, Mark, plain_terms, values

CUT = var("b'")  # the upper end, where there is none


def root(t: Node) -> Node:
    return make("sqrt", t)


def is_one(total: Node) -> Node:
    """A term with a value where the total is 1."""
    return root(opposite(power(difference(total, ONE), TWO)))


class Law:
    """The law of one variable.  ``listed``: pairs of value and mass; else ``op`` is a sum or integral of the weight."""

    def __init__(self, name: str, op: str, low: Node, high: Node, weight: Node, *valid: Node,
                 listed: tuple[tuple[Node, Node], ...] = (), unchecked: bool = False) -> None:
        self.name, self.op, self.low, self.high, self.weight = name, op, low, high, weight
        self.valid, self.listed, self.unchecked = valid, listed, unchecked

    @property
    def ends(self) -> bool:
        return self.high is not OO

    def across(self, body: Node, low: Node | None = None, high: Node | None = None) -> Node:
        """The sum or integral of the body over the values, or over a part of them."""
        top = self.high if high is None else high
        return make(self.op, low or self.low, CUT if top is OO else top, body, tag=self.name)

    def average(self, g: Node) -> Node:
        if not self.listed:
            return self.across(mul(g, self.weight))
        shares = [mul(replace(g, self.name, v), p) for v, p in self.listed]
        return add(*shares) if len(shares) > 1 else shares[0]


def _listed(name: str, pairs: tuple[tuple[Node, Node], ...], *valid: Node) -> Law:
    return Law(name, "+", ZERO, ZERO, ZERO, *valid, listed=pairs)


def _finite(name: str, *pairs: tuple[Node, Node]) -> Law:
    total = add(*(p for _, p in pairs)) if len(pairs) > 1 else pairs[0][1]
    each = [t for v, p in pairs for t in (v, root(p))]
    return _listed(name, pairs, *each, is_one(total))


def _empirical(name: str, *seen: Node) -> Law:
    share = number(1) if len(seen) == 1 else make("num", tag=(1, len(seen)))
    return _listed(name, tuple((v, share) for v in seen), *seen)


def _bernoulli(name: str, p: Node) -> Law:
    return _finite(name, (ONE, p), (ZERO, difference(ONE, p)))


def _binomial(name: str, n: Node, p: Node) -> Law:
    k, q = var(name), difference(ONE, p)
    weight = mul(binomial(n, k), power(p, k), power(q, difference(n, k)))
    return Law(name, "sum", ZERO, n, weight, factorial(n), root(p), root(q))


def _geometric(name: str, p: Node) -> Law:
    q = difference(ONE, p)
    return Law(name, "sum", ONE, OO, mul(p, power(q, difference(var(name), ONE))), log(p), root(q))


def _poisson(name: str, m: Node) -> Law:
    k = var(name)
    return Law(name, "sum", ZERO, OO, mul(power(m, k), exp(opposite(m)), power(factorial(k), MINUS_ONE)), root(m))


def _uniform(name: str, a: Node, b: Node) -> Law:
    width = difference(b, a)
    return Law(name, "int", a, b, power(width, MINUS_ONE), log(width))


def _exponential(name: str, r: Node) -> Law:
    return Law(name, "int", ZERO, OO, mul(r, exp(opposite(mul(r, var(name))))), log(r))


def _gamma(name: str, k: Node, r: Node) -> Law:
    before = number(k.value - 1) if k.op == "num" else difference(k, ONE)
    decay, norm = exp(opposite(mul(r, var(name)))), factorial(before)
    weight = mul(power(r, k), power(var(name), before), decay, power(norm, MINUS_ONE))
    return Law(name, "int", ZERO, OO, weight, norm, log(r))


def _given(op: str, name: str, weight: Node, low: Node, high: Node) -> Law:
    if high is OO:
        return Law(name, op, low, high, weight, low, unchecked=True)
    masses, total = make(op, low, high, root(weight), tag=name), make(op, low, high, weight, tag=name)
    return Law(name, op, low, high, weight, masses, is_one(total))


BUILDERS: dict[str, Any] = {
    "Finite": _finite, "Empirical": _empirical, "Bernoulli": _bernoulli, "Binomial": _binomial,
    "Geometric": _geometric, "Poisson": _poisson, "Uniform": _uniform, "Exponential": _exponential, "Gamma": _gamma,
    "Pmf": partial(_given, "sum"), "Density": partial(_given, "int")}
TERMS |= {name: partial(Mark, "law", name) for name in BUILDERS}


def _pair(value: Any) -> tuple[Node, ...]:
    demand(isinstance(value, Mark) and value.kind == "range" and len(value.parts) == 2, "Finite takes pairs (v, p)")
    return values(*value.parts)


def stated(spans: tuple[Any, ...]) -> list[Law]:
    """The laws of the clauses (X, LAW) of one operator."""
    demand(bool(spans), "an operator needs a law for each variable")
    for s in spans:
        good = isinstance(s, Mark) and s.kind == "range" and len(s.parts) == 2
        demand(good and isinstance(s.parts[1], Mark) and s.parts[1].kind == "law", "a clause is (X, LAW)")
    names = [Mark.variable(s.parts[0]) for s in spans]
    demand(len(set(names)) == len(names), "two variables of one name")
    return [_law(name, names, *s.parts[1].parts) for name, s in zip(names, spans, strict=True)]


def _law(name: str, names: list[str], kind: str, *given: Any) -> Law:
    demand(bool(given), f"{kind} has parameters")
    if kind == "Finite":
        given = tuple(map(_pair, given))
        spoken = frozenset[str]().union(*(t.free for pair in given for t in pair))
    elif kind in ("Pmf", "Density"):
        weight, *ends = plain_terms(*given)
        demand(not any("oo" in t.free for t in (weight, *ends[:-1])), "oo stands where a number is needed")
        demand(ends[-1:] == [OO] or "oo" not in ends[-1].free if ends else False, "an end is a term or oo")
        spoken = (weight.free - {name}).union(*(t.free for t in ends))
    else:
        spoken = frozenset[str]().union(*(t.free for t in values(*given)))
    demand(not spoken & set(names), "a parameter speaks of a variable of the operator")
    return BUILDERS[kind](name, *given)  # type: ignore[no-any-return]
