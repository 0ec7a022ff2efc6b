"""Certificates for what a search has found: the claim as plain data, and a proof of each of its formulas.

What has to be proved is not decided here (:mod:`qtheory.theory.obligations`), nor whether it is
(:mod:`qtheory.networks.certified`): a proof that is missing or wrong is found there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from qtheory.models.network import AgentNetwork
from qtheory.networks.certified import SCHEMA, statement
from qtheory.networks.quadratic import Positive, Quadratic
from qtheory.numerics.fluid_paths import Cone, Cycle, Paths
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Step, apply, certificate, conjunction, parts
from qtheory.theory.fluid import FluidModel
from qtheory.theory.lyapunov import Lyapunov, Proof, cover
from qtheory.theory.obligations import Obligation, Stage, obligations

Product = tuple[Fraction, tuple[tuple[int, int], ...], tuple[Node, ...]]


def _texts(values: Iterable[Fraction]) -> list[str]:
    return [str(v) for v in values]


def made(network: AgentNetwork, claim: dict[str, Any], proofs: Iterable[Proof] | None = None,
         positive: Positive | None = None, ask: Callable[..., Iterable[Obligation]] = obligations) -> dict[str, Any]:
    """The certificate of a claim: with these proofs of its linear formulas (default: they are looked for), and why its
    form in contents is positive. ``ask``: what a claim of its kind has to show. ValueError if none is found;
    KernelError if the kernel refuses one.
    """
    claim = json.loads(json.dumps(claim))  # as it is read back: lists, no tuples
    asked = list(ask(network, claim))
    found = cover(asked) if proofs is None else proofs
    if found is None:
        raise ValueError("a formula is not proved")
    entries = [_entry((), o.wanted, _numbers) for o in asked if o.forms is None and not o.given]
    entries += [_entry(sorted(o.given), o.wanted, lambda goal: _positive(goal, positive))
                for o in asked if o.forms is None and o.given]
    entries += [_linear(p) for p in found]
    return {"schema": SCHEMA, "claim": claim, "proofs": entries}


def _entry(given: Sequence[str], wanted: str, prove: Any) -> dict[str, Any]:
    stated = statement(given, wanted)
    return {"given": list(given), "wanted": wanted,
            "certificate": certificate(stated, "proved", prove(stated.conclusion))}


def _linear(proof: Proof) -> dict[str, Any]:
    """Facts imply the goal, as a sum of multiples of theirs and a number."""
    products: list[Product] = [(a, ((i, 1),), ()) for i, a in enumerate(proof.multipliers)]
    if proof.rest:
        products.append((proof.rest, (), ()))
    return _entry(proof.given, proof.wanted, lambda goal: _combined(goal, products))


def _combined(goal: Node, products: Sequence[Product]) -> Step:
    if goal[0] != "imp":
        return apply("combine", goal, (), tuple(products))
    _, given, wanted = goal
    return apply("imp_intro", given, apply("combine", wanted, tuple(parts(apply("hyp", given))), tuple(products)))


# ---- claims ----

def lyapunov_claim(found: Lyapunov) -> dict[str, Any]:
    return {"kind": "pieces", "pieces": [_texts(row) for row in found.pieces], "decay": str(found.decay),
            "floor": str(found.floor)}


def quadratic_claim(found: Quadratic) -> dict[str, Any]:
    return {"kind": "quadratic", "matrix": [_texts(row) for row in found.half], "decay": str(found.decay),
            "floor": str(found.floor)}


def stages_claim(found: Sequence[Stage]) -> dict[str, Any]:
    return {"kind": "stages", "stages": [{"weights": _texts(s.weights), "decay": str(s.decay), "tree": s.tree}
                                         for s in found]}


def product_claim(network: AgentNetwork) -> dict[str, Any]:
    """The rates that solve the traffic equations."""
    return {"kind": "product", "rates": _texts(network.rates[v.name] for v in network.visits)}


def overload_claim(network: AgentNetwork, engine: str) -> dict[str, Any]:
    return {"kind": "overload", "engine": [e.name for e in network.engines].index(engine)}


def cycle_claim(order: AgentNetwork, cycle: Cycle) -> dict[str, Any]:
    """A growing cycle is a cone of one ray."""
    return cone_claim(order, Cone((cycle.segments,), ((cycle.growth,),), cycle.growth))


def cone_claim(order: AgentNetwork, cone: Cone) -> dict[str, Any]:
    """``order``: the network under the complete order that the paths obey. ValueError for rays that part."""
    for together in zip(*cone.rounds, strict=True):
        if len({s.efforts for s in together}) > 1:
            raise ValueError("the rays part")
    rays = [{"starts": [_texts(s.start) for s in segments], "durations": _texts(s.duration for s in segments),
             "weights": _texts(weights)} for segments, weights in zip(cone.rounds, cone.weights, strict=True)]
    lines = [[k for group in engine for k in group] for engine in FluidModel.of(order).groups]
    return {"kind": "paths", "order": lines, "efforts": [_texts(s.efforts) for s in cone.rounds[0]], "rays": rays}


def paths_of(model: FluidModel, eager: bool = False, most: float = math.inf) -> Paths:
    """Exact paths of a fluid model with complete priorities and no joins, with at most so much work."""
    order = [[k for g in engine for k in g] for engine in model.groups]
    return Paths(model.outside, model.mu, model.inflow, order, eager, most)


# ---- proofs ----

def _positive(goal: Node, positive: Positive | None) -> Step:
    """Products of contents and squares of their sums."""
    if positive is None:
        raise ValueError("nothing says why the form is positive")
    _, given, _ = goal
    contents = [fact.concl[1] for fact in parts(apply("hyp", given))]
    place = {z: i for i, z in enumerate(contents)}
    by_number = sorted(contents, key=lambda z: int(z[1:]))
    products: list[Product] = []
    for j, row in enumerate(positive.products):
        at = place[by_number[j]]
        products += [(2 * row[k], ((place[by_number[k]], 1), (at, 1)), ()) for k in range(j) if row[k]]
        if row[j]:
            products.append((row[j], ((at, 2),), ()))
    products += [(d, (), (_weighted(line, by_number),)) for d, line in positive.squares]
    return _combined(goal, products)


def _weighted(line: Sequence[Fraction], contents: Sequence[Node]) -> Node:
    """The weighted sum of contents."""
    terms = [z if c == 1 else ("*", c, z) for c, z in zip(line, contents, strict=True) if c]
    return terms[0] if len(terms) == 1 else ("+", *terms)


def _numbers(goal: Node) -> Step:
    """True comparisons of numbers, or one."""
    if goal[0] != "and":
        return _number(goal)
    return conjunction(goal, [_number(c) for c in goal[1:]])


def _number(goal: Node) -> Step:
    value = _value(goal[1])
    return apply("combine", goal, (), ((value, (), ()),) if value else ())


def _value(node: Node) -> Fraction:
    """The value of a term of sums and products of numbers."""
    if isinstance(node, Fraction):
        return node
    values = [_value(c) for c in node[1:]]
    if node[0] == "+":
        return sum(values, Fraction(0))
    if node[0] == "*":
        product = Fraction(1)
        for v in values:
            product *= v
        return product
    return Fraction(values[0] ** values[1])


__all__ = ["cone_claim", "cycle_claim", "lyapunov_claim", "made", "overload_claim", "paths_of", "product_claim",
           "quadratic_claim", "stages_claim"]
