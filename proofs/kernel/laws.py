"""The named laws: what each of them takes as values, with which weight, and where its parameters are valid."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from .factorials import binomial, factorial
from .grammar import FUNCTIONS, OO
from .terms import MINUS, ONE, TWO, ZERO, Node, minus, neg_term


class Law(NamedTuple):
    """Pairs (value, mass); or, where there are none, a sum or integral (the head) from low to high of a weight.

    The parameters are valid where each of the terms ``valid`` is defined; ``total``: and where the weight's total is 1,
    which no term says.
    """

    head: str
    low: Node
    high: Node
    weight: Node
    valid: tuple[Node, ...]
    pairs: tuple[tuple[Node, Node], ...] = ()
    total: bool = False


def one(total: Node) -> Node:
    """A term that is defined where the total is 1."""
    return ("sqrt", neg_term(("^", minus(total, ONE), TWO)))


def finite(x: str, *given: Node) -> Law:
    masses = [p for _, _, p in given]
    total = masses[0] if len(masses) == 1 else ("+", *masses)
    duties = [d for _, v, p in given for d in (v, ("sqrt", p))]
    return Law("+", ZERO, ZERO, ZERO, (*duties, one(total)), tuple((v, p) for _, v, p in given))


def empirical(x: str, *observed: Node) -> Law:
    return Law("+", ZERO, ZERO, ZERO, observed, tuple((v, Fraction(1, len(observed))) for v in observed))


def bernoulli(x: str, p: Node) -> Law:
    return finite(x, ("range", ONE, p), ("range", ZERO, minus(ONE, p)))


def successes(x: str, n: Node, p: Node) -> Law:
    weight = ("*", binomial(n, x), ("^", p, x), ("^", minus(ONE, p), minus(n, x)))
    return Law("sum", ZERO, n, weight, (factorial(n), ("sqrt", p), ("sqrt", minus(ONE, p))))


def geometric(x: str, p: Node) -> Law:
    weight = ("*", p, ("^", minus(ONE, p), minus(x, ONE)))
    return Law("sum", ONE, OO, weight, (("log", p), ("sqrt", minus(ONE, p))))


def poisson(x: str, m: Node) -> Law:
    weight = ("*", ("^", m, x), ("exp", neg_term(m)), ("^", factorial(x), MINUS))
    return Law("sum", ZERO, OO, weight, (("sqrt", m),))


def uniform(x: str, a: Node, b: Node) -> Law:
    return Law("int", a, b, ("^", minus(b, a), MINUS), (("log", minus(b, a)),))


def exponential(x: str, r: Node) -> Law:
    return Law("int", ZERO, OO, ("*", r, ("exp", neg_term(("*", r, x)))), (("log", r),))


def gamma(x: str, k: Node, r: Node) -> Law:
    less = k - 1 if isinstance(k, Fraction) else minus(k, ONE)
    factors = ("^", r, k), ("^", x, less), ("exp", neg_term(("*", r, x))), ("^", factorial(less), MINUS)
    return Law("int", ZERO, OO, ("*", *factors), (factorial(less), ("log", r)))


def weighted(head: str) -> Callable[..., Law]:
    """A mass function or density that the statement gives."""
    def build(x: str, weight: Node, low: Node, high: Node) -> Law:
        whole = (head, x, low, high, ("sqrt", weight)), one((head, x, low, high, weight))
        return Law(head, low, high, weight, (low,) if high == OO else whole, total=high == OO)

    return build


GIVEN = ("Pmf", "Density")  # the laws whose weight the statement gives
LAWS: dict[str, Callable[..., Law]] = {
    "Finite": finite, "Empirical": empirical, "Bernoulli": bernoulli, "Binomial": successes, "Geometric": geometric,
    "Poisson": poisson, "Uniform": uniform, "Exponential": exponential, "Gamma": gamma, "Pmf": weighted("sum"),
    "Density": weighted("int")}
FUNCTIONS.update({name: lambda *given, name=name: ("law", name, *given) for name in LAWS})
