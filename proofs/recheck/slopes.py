"""Literal derivatives, continuity by shape, and derivatives carried out inside a term.

``slope(f, x)`` never simplifies away a subterm with x in it: where f and its slope are defined, f is
differentiable in x and the slope is its derivative (each inner function lies in the open part of its domain).
An integral has one in its upper end, where the integrand is defined together with its own slope, and so around it.
"""

from __future__ import annotations

from flint import fmpq

from .errors import RecheckError, demand
from .graph import MINUS_ONE, ONE, ZERO, Node, add, exp, make, mul, number, opposite, power, replace

HALF = number(fmpq(1, 2))


def slope(f: Node, x: str) -> Node:
    """The literal derivative of f in x."""
    if x not in f.free:
        return ZERO
    first = f.kids[0] if f.kids else f
    match f.op:
        case "var":
            return ONE
        case "+":
            return add(*(slope(k, x) for k in f.kids))
        case "*":
            return _product_rule(f, x)
        case "^":
            return _power_rule(f, x)
        case "exp":
            return mul(f, slope(first, x))
        case "log":
            return mul(power(first, MINUS_ONE), slope(first, x))
        case "sqrt":
            return mul(HALF, power(f, MINUS_ONE), slope(first, x))
        case "W":
            return mul(exp(opposite(f)), power(add(ONE, f), MINUS_ONE), slope(first, x))
        case "sum":
            low, high, body = f.kids
            demand(x not in low.free | high.free, "derivative: the variable stands in the ends of a sum")
            return make("sum", low, high, slope(body, x), tag=f.tag)
        case "int":
            low, high, body = f.kids
            demand(upper_end_only(f, x), "derivative: not only the upper end of an integral moves")
            kept = mul(ZERO, replace(slope(body, f.tag), f.tag, high))  # so that the integrand goes on beyond the end
            return mul(add(replace(body, f.tag, high), kept), slope(high, x))
    raise RecheckError(f"derivative: {f.op} is not differentiated")


def _product_rule(f: Node, x: str) -> Node:
    parts = []
    for i, k in enumerate(f.kids):
        if x in k.free:
            parts.append(mul(slope(k, x), *f.kids[:i], *f.kids[i + 1:]))
    return parts[0] if len(parts) == 1 else add(*parts)


def _power_rule(f: Node, x: str) -> Node:
    base, exponent = f.kids
    n = exponent.whole
    if n == 0:
        return mul(ZERO, slope(base, x))
    if n is not None:
        return mul(exponent, power(base, number(n - 1)), slope(base, x))
    demand(x not in exponent.free, "derivative: the variable stands in an exponent")
    return mul(exponent, f, power(base, MINUS_ONE), slope(base, x))


def upper_end_only(f: Node, x: str) -> bool:
    """Does the integral depend on x by its upper end alone?"""
    low, _, body = f.kids
    return x not in low.free and (x == f.tag or x not in body.free)


def continuous(f: Node, x: str) -> bool:
    """Is f continuous in x on every interval on which it is defined, by its shape alone?"""
    if x not in f.free or f.op == "var":
        return True
    if f.op == "^":
        return x not in f.kids[1].free and continuous(f.kids[0], x)
    if f.op == "sum":
        return all(x not in k.free for k in f.kids[:2]) and continuous(f.kids[2], x)
    if f.op == "int":
        return upper_end_only(f, x) and continuous(f.kids[1], x)
    return f.op in ("+", "*", "exp", "log", "sqrt", "max", "W") and all(continuous(k, x) for k in f.kids)


def carried_out(t: Node) -> tuple[Node, list[Node]]:
    """The term without ``diff``, and the terms that must be defined for the two to be equal.

    The conditions of an inner derivative must hold around the point, so their slopes must be defined as well.
    """
    if t.op == "diff":
        body, needs = carried_out(t.kids[0])
        point, conditions = carried_out(t.kids[1])
        conditions.append(point)
        rate = slope(body, t.tag)
        for need in (*needs, *(slope(n, t.tag) for n in needs), body, rate):
            conditions.append(replace(need, t.tag, point))
        return replace(rate, t.tag, point), conditions
    if t.op in ("sum", "int", "app") or not t.kids:
        return t, []
    done = [carried_out(k) for k in t.kids]
    return make(t.op, *(d[0] for d in done), tag=t.tag), [c for d in done for c in d[1]]
