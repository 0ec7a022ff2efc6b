"""The named laws: over which range each has which weight, and where its parameters are valid."""

from __future__ import annotations

from fractions import Fraction

from .factorials import binomial, factorial
from .grammar import FUNCTIONS, OO
from .laws import LAWS as LAWS
from .laws import Law
from .terms import MINUS, ONE, ZERO, Node, minus, neg_term


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


LAWS.update({"Binomial": successes, "Geometric": geometric, "Poisson": poisson, "Uniform": uniform,
             "Exponential": exponential, "Gamma": gamma})
FUNCTIONS.update({name: lambda *given, name=name: ("law", name, *given) for name in LAWS})
