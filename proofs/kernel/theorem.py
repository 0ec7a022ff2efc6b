"""Theorems and the table of rules.  Only the rules of this package make theorems."""

from __future__ import annotations

from collections.abc import Callable
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
    defined: set[Node] = set().union(*(evidently_defined(t.concl) for t in theorems))
    facts = {t.concl for t in theorems}
    for s in subterms(term) - defined:
        if not isinstance(s, tuple) or s[0] in ("+", "*", "exp", "max", "floor", "app"):
            continue
        if s[0] == "log":
            good = holds(">", s[1], facts)
        elif s[0] == "sqrt":
            good = holds(">=", s[1], facts) or holds(">", s[1], facts)
        elif s[0] == "^":
            good = power_defined(s[1], s[2], facts)
        else:
            good = False
        if not good:
            return False
    return True


def holds(relation: str, term: Node, facts: set[Node]) -> bool:
    """Is ``(relation, term)`` among the facts, or plain from the numbers?"""
    if not isinstance(term, Fraction):
        return (relation, term) in facts
    return {">": term > 0, ">=": term >= 0, "!=": term != 0, "=": term == 0}[relation]


def power_defined(base: Node, exponent: Node, facts: set[Node]) -> bool:
    if integer(exponent) and exponent >= 0:
        return True
    if holds(">", base, facts):
        return True
    if integer(exponent):
        return holds("!=", base, facts)
    if ("isint", exponent) in facts and (holds(">=", exponent, facts) or holds("!=", base, facts)):
        return True
    return holds(">=", base, facts) and holds(">", exponent, facts)
