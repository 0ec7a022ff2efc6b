"""Theorems and the table of rules.  Only the rules of this package make theorems."""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from typing import NamedTuple

from .terms import Node, evidently_defined, integer, subterms

# name -> (function, kinds of its arguments); kinds are decoded by ``certificate.decode``
RULES: dict[str, tuple[Callable[..., Theorem], tuple[str, ...]]] = {}


class Theorem(NamedTuple):
    """At every point at which all hyps are true, concl is true."""

    hyps: frozenset[Node]
    concl: Node


def rule(*kinds: str) -> Callable[[Callable[..., Theorem]], Callable[..., Theorem]]:
    def register(function: Callable[..., Theorem]) -> Callable[..., Theorem]:
        RULES[function.__name__] = (function, kinds)
        return function

    return register


def all_hyps(*theorems: Theorem) -> frozenset[Node]:
    return frozenset().union(*(t.hyps for t in theorems))


def settled(term: Node, theorems: tuple[Theorem, ...]) -> bool:
    """Is the term defined wherever the theorems' conclusions are true?

    Every subterm whose operation is partial must either stand in a true atom, or meet its condition by a
    conclusion of exactly that shape; sums, integrals, derivatives and W only the former.
    """
    found = list(filter(partial, subterms(term)))
    facts = [t.concl for t in theorems] if found else []
    doubtful = {s for s in found if not met(s, facts)}
    for fact in facts:
        doubtful = doubtful and doubtful.difference(filter(partial, evidently_defined(fact)))
    return not doubtful


def partial(term: Node) -> bool:
    """Is the operation at its head not total?"""
    return isinstance(term, tuple) and term[0] not in {"+", "*", "exp", "max", "floor", "app"}


def met(s: Node, facts: Collection[Node]) -> bool:
    """Is the condition of the operation at the head of s among the facts?"""
    if s[0] in ("log", "sqrt"):
        return holds(">", s[1], facts) or (s[0] == "sqrt" and holds(">=", s[1], facts))
    return s[0] == "^" and power_defined(s[1], s[2], facts)


def holds(relation: str, term: Node, facts: Collection[Node]) -> bool:
    """Is ``(relation, term)`` among the facts, or plain from the numbers?"""
    if type(term) is not Fraction and not isinstance(term, int):
        return (relation, term) in facts
    return {">": term > 0, ">=": term >= 0, "!=": term != 0, "=": term == 0}[relation]


def power_defined(base: Node, exponent: Node, facts: Collection[Node]) -> bool:
    if (integer(exponent) and exponent >= 0) or holds(">", base, facts):
        return True
    if integer(exponent):
        return holds("!=", base, facts)
    if ("isint", exponent) in facts and (holds(">=", exponent, facts) or holds("!=", base, facts)):
        return True
    return holds(">=", base, facts) and holds(">", exponent, facts)
