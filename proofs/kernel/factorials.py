"""Factorials and binomial coefficients: a factorial is the exponential of a sum of logarithms."""

from __future__ import annotations

from .grammar import FUNCTIONS, terms
from .terms import MINUS, ONE, Node, minus


def factorial(n: Node) -> Node:
    """1 2 .. n: the sum is defined for the integers n >= 0 alone."""
    terms(n)
    return ("exp", ("sum", "k'", ONE, n, ("log", "k'")))


def binomial(n: Node, k: Node) -> Node:
    """n!/(k! (n - k)!) for the integers 0 <= k <= n."""
    return ("*", factorial(n), ("^", ("*", factorial(k), factorial(minus(n, k))), MINUS))


FUNCTIONS.update(factorial=factorial, binomial=binomial)
