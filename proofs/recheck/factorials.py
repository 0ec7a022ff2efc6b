"""``factorial`` and ``binomial`` (docs/language.md, section 2)."""

from __future__ import annotations

from typing import Any

from .graph import MINUS_ONE, ONE, Node, difference, exp, log, make, mul, power, var
from .notations import TERMS, plain_terms


def factorial(argument: Any, /) -> Node:
    (n,) = plain_terms(argument)
    return exp(make("sum", ONE, n, log(var("k'")), tag="k'"))


def binomial(top: Any, chosen: Any, /) -> Node:
    n, k = plain_terms(top, chosen)
    return mul(factorial(n), power(mul(factorial(k), factorial(difference(n, k))), MINUS_ONE))


TERMS |= {"factorial": factorial, "binomial": binomial}
