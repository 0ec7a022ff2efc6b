"""Events as terms: indicators, and the bounds that comparisons put to a variable."""

from __future__ import annotations

from .grammar import FUNCTIONS, formulas
from .terms import ONE, ZERO, Node, free, minus, neg_term


def indicator(event: Node) -> Node:
    """1 where a formula without quantifiers is true, else 0: floor(u) + 1 is >= 1 where u >= 0, else <= 0."""
    formulas(event)
    relation, u = event[0], event[1] if len(event) == 2 else ZERO
    if relation == ">=":
        return FUNCTIONS["Max"](ZERO, FUNCTIONS["Min"](ONE, ("+", ("floor", u), ONE)))
    if relation == ">":
        return minus(ONE, indicator((">=", neg_term(u))))
    if relation == "=":
        return ("*", indicator((">=", u)), indicator((">=", neg_term(u))))
    if relation == "!=":
        return minus(ONE, indicator(("=", u)))
    if relation not in ("and", "or"):
        raise ValueError("an event is made of comparisons, And and Or")
    product: Node = ONE
    for part in event[1:]:
        product = ("*", product, indicator(part) if relation == "and" else minus(ONE, indicator(part)))
    return product if relation == "and" else minus(ONE, product)


def sides(t: Node) -> tuple[Node, Node]:
    """The a and b of a difference a - b; else the term and 0."""
    second = t[2] if isinstance(t, tuple) and t[0] == "+" and len(t) == 3 else None
    return (t[1], second[2]) if isinstance(second, tuple) and second == neg_term(second[-1]) else (t, ZERO)


def bounds(event: Node, x: str, whole: bool) -> tuple[list[Node], list[Node]]:
    """What a comparison of x with other terms, or a conjunction of such, puts to it from below and above.

    ``whole``: x is an integer.  Nothing is told of other events.
    """
    found: tuple[list[Node], list[Node]] = [], []
    for part in event[1:] if event[0] == "and" else (event,):
        relation, (left, right) = part[0], sides(part[1]) if part[0] in (">", ">=", "=") else (ZERO, ZERO)
        t, high = (right, False) if left == x else (left, True)
        if x not in (left, right) or x in free(t):
            return [], []
        up, down = neg_term(("floor", neg_term(t))), ("floor", t)
        for above in (False, True) if relation == "=" else (high,):
            end = (minus(up, ONE) if above else ("+", down, ONE)) if relation == ">" else (down if above else up)
            found[above].append(end if whole else t)
    return found


FUNCTIONS["Indicator"] = indicator
