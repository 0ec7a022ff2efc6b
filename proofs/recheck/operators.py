"""Expectation, variance and probability (docs/language.md, section 3).

An endless operator is a node ``endless``: what says that the variable v' is its value, then what makes its laws valid.
No rule knows such a node: ``endless.settle`` replaces the atoms that hold one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .errors import demand
from .graph import ONE, TWO, ZERO, Node, add, conjunction, difference, make, mul, opposite, power, relation, var
from .laws import CUT, Law, root, stated
from .notations import OO, TERMS, far_integers, formulas, plain_terms, strictly, tends

VALUE = "v'"


def average(laws: list[Law], g: Node) -> Node:
    return average(laws[:-1], laws[-1].average(g)) if laws else g


def result(laws: list[Law], t: Node, sizes: Node | None) -> Node:
    """The operator whose term is t; ``sizes`` is what stays bounded where t converges absolutely."""
    valid = [d for law in laws for d in law.valid]
    if all(law.ends for law in laws):
        return strictly(ZERO, [("", d) for d in valid], t)
    parts = [converges(law.across(add(law.weight, mul(ZERO, root(law.weight)))), ONE)
             for law in laws if law.unchecked]
    if sizes is not None:
        parts.append(make("ex", far_integers(CUT.tag, relation(">=", var("c'"), sizes)), tag="c'"))
    parts.append(converges(t, var(VALUE)))
    return make("endless", conjunction(*parts) if len(parts) > 1 else parts[0], *valid)


def converges(t: Node, value: Node) -> Node:
    return tends(t, value, lambda body: far_integers(CUT.tag, body))


def _expectation(g: Any, /, *spans: Any) -> Node:
    (t,), laws = plain_terms(g), stated(spans)
    return result(laws, average(laws, t), average(laws, TERMS["Abs"](t)))


def _variance(g: Any, /, *spans: Any) -> Node:
    (t,), laws = plain_terms(g), stated(spans)
    second = average(laws, power(t, TWO))
    return result(laws, difference(second, power(average(laws, t), TWO)), second)


def _probability(event: Any, /, *spans: Any) -> Node:
    (a,), laws = formulas(event), stated(spans)
    law = laws[0]
    cuts = bounds(a, law) if len(laws) == 1 and not law.listed else []
    least = [t for up, t in cuts if not up]
    most = [t for up, t in cuts if up]
    if not cuts or (most and law.unchecked):
        return result(laws, average(laws, indicator(a)), None)
    start = TERMS["Max"](law.low, *least)
    last = most if law.high is OO else [law.high, *most]
    if not last:
        return result(laws, law.across(law.weight, start), None)
    before = difference(start, ONE) if law.op == "sum" else start
    end = TERMS["Max"](TERMS["Min"](*last), before)
    law.high = end  # what is cut has an end
    return result(laws, law.across(law.weight, start, end), None)


def parted(t: Node) -> tuple[Node, Node] | None:
    """(a, b) of a - b."""
    if t.op == "+" and len(t.kids) == 2:
        a, rest = t.kids
        if rest.op == "*" and len(rest.kids) == 2 and difference(a, rest.kids[1]) is t:
            return a, rest.kids[1]
    return None


def bounds(event: Node, law: Law) -> list[tuple[bool, Node]]:
    """Bounds of the variable, (is it an upper one, the bound); none if the event is more than such bounds."""
    x, found = var(law.name), list[tuple[bool, Node]]()
    for atom in event.kids if event.op == "and" else (event,):
        if atom.op not in (">", ">=", "="):
            return []
        a, b = parted(atom.kids[0]) or (atom.kids[0], ZERO)
        upper = a is not x
        t = a if upper else b
        if x not in (a, b) or law.name in t.free:
            return []
        for up in (False, True) if atom.op == "=" else (upper,):
            found.append((up, nearest(t, up, atom.op == ">") if law.op == "sum" else t))
    return found


def nearest(t: Node, upper: bool, strict: bool) -> Node:
    """The last integer on this side of t, t itself left out if ``strict``."""
    floor, ceiling = make("floor", t), TERMS["ceiling"](t)
    if strict:
        return difference(ceiling, ONE) if upper else add(floor, ONE)
    return floor if upper else ceiling  # type: ignore[no-any-return]


def indicator(a: Node) -> Node:
    """1 where the formula is true, else 0."""
    def no(t: Node) -> Node:
        return difference(ONE, t)

    def all_of(factors: Iterator[Node]) -> Node:
        whole = ONE
        for t in factors:
            whole = mul(whole, t)
        return whole

    match a.op:
        case "and":
            return all_of(map(indicator, a.kids))
        case "or":
            return no(all_of(no(indicator(k)) for k in a.kids))
        case "!=":
            return no(indicator(make("=", *a.kids)))
        case ">":
            return no(indicator(make(">=", opposite(a.kids[0]))))
        case "=":
            u = a.kids[0]
            return mul(indicator(make(">=", u)), indicator(make(">=", opposite(u))))
    demand(a.op == ">=", "an event is made of comparisons, And and Or")
    return TERMS["Max"](ZERO, TERMS["Min"](ONE, add(make("floor", a.kids[0]), ONE)))


TERMS |= {"E": _expectation, "Var": _variance, "Pr": _probability,
          "Indicator": lambda a, /: indicator(*formulas(a))}

__all__ = ["TERMS", "VALUE", "parted"]
