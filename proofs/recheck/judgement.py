"""Judgements ``hyps |- claim``, the table of rules, and when a term is known to be defined."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .errors import demand
from .graph import RELATIONS, Node, asserted, make, strict_parts


@dataclass(frozen=True)
class Judgement:
    """Wherever all hyps are true, the claim is true."""

    hyps: frozenset[Node]
    claim: Node


Facts = tuple[Judgement, ...]
NOTHING: frozenset[Node] = frozenset()
TABLE: dict[str, tuple[tuple[str, ...], Callable[..., Judgement]]] = {}


def rule(*kinds: str) -> Callable[[Callable[..., Judgement]], Callable[..., Judgement]]:
    """Enter a rule under its function's name, with the kinds of its arguments."""
    def enter(function: Callable[..., Judgement]) -> Callable[..., Judgement]:
        TABLE[function.__name__] = kinds, function
        return function

    return enter


def pooled(judgements: Iterable[Judgement]) -> frozenset[Node]:
    """All hypotheses together."""
    return NOTHING.union(*(j.hyps for j in judgements))


def given(sign: str, t: Node, claims: set[Node]) -> bool:
    """Is ``t SIGN 0`` one of the claims, or true of a number?"""
    if t.op != "num":
        return make(sign, t) in claims
    v = t.value
    return bool({">": v > 0, ">=": v >= 0, "=": v == 0, "!=": v != 0}[sign])


def _power_is_defined(base: Node, exponent: Node, claims: set[Node]) -> bool:
    n = exponent.whole
    if n is not None and n >= 0:
        return True
    if given(">", base, claims):
        return True
    nonzero = given("!=", base, claims)
    if n is not None:
        return nonzero
    if make("isint", exponent) in claims and (nonzero or given(">=", exponent, claims)):
        return True
    return given(">=", base, claims) and given(">", exponent, claims)


def operation_is_defined(t: Node, claims: set[Node]) -> bool:
    """Is t defined, if its parts are?"""
    match t.op:
        case "num" | "var" | "+" | "*" | "exp" | "max" | "floor" | "app":
            return True
        case "log":
            return given(">", t.kids[0], claims)
        case "sqrt":
            return given(">=", t.kids[0], claims) or given(">", t.kids[0], claims)
        case "^":
            return _power_is_defined(t.kids[0], t.kids[1], claims)
    return False


def need_defined(facts: Facts, *terms: Node) -> None:
    """Demand that the terms are defined wherever the facts' claims are true."""
    claims = {f.claim for f in facts}
    known = set().union(*(asserted(c) for c in claims))
    for term in terms:
        for t in strict_parts(term):
            demand(t in known or operation_is_defined(t, claims), f"a term may be undefined: {t.op}")


def evidently_defined(term: Node) -> bool:
    """Is the term defined everywhere, by the numbers in it alone?"""
    return all(operation_is_defined(t, set()) for t in strict_parts(term))


def is_comparison(f: Node) -> bool:
    return f.op in RELATIONS
