"""The notations of the statement language, as the page of the language defines each (docs/language.md).

Values (points and values of limits, points of BigO, ends to infinity, arguments of definitions and of At) have to be
defined.  Where the rest of a formula does not say so, ``def`` does; where a term would not notice, 0 times the argument
is added to it.  Variables with a prime cannot be typed, so those bound by a notation are never the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .errors import demand
from .graph import (
    MINUS_ONE,
    ONE,
    ZERO,
    Node,
    add,
    conjunction,
    difference,
    exp,
    log,
    make,
    mul,
    names_bound,
    opposite,
    relation,
    replace,
    strict_parts,
    var,
)
from .judgement import evidently_defined

OO = var("oo")
MINUS_OO = opposite(OO)
RENAMED = "'''"  # stands after the name of a bound variable that is renamed


class Mark:
    """What is no term and no formula: a limit, a text, or a range, as an argument of a notation."""

    def __init__(self, kind: str, *parts: Any) -> None:
        self.kind, self.parts = kind, parts

    @staticmethod
    def variable(x: Any) -> str:
        """The name of a variable that may be bound."""
        demand(isinstance(x, Node) and x.op == "var" and x is not OO, "a variable is needed")
        return str(x.tag)

    @staticmethod
    def side(value: Any, point: Node) -> str:
        """The side of a limit at the point."""
        good = isinstance(value, Mark) and value.kind == "text" and value.parts[0] in ("+", "-", "+-")
        demand(good, 'the side of a limit is "+", "-" or "+-"')
        beyond = {"+": OO, "-": MINUS_OO}.get(value.parts[0])
        demand(point is not beyond, "nothing lies on that side of infinity")
        return str(value.parts[0])


BOTH = Mark("text", "+-")


def plain_terms(*values: Any) -> tuple[Node, ...]:
    """The values, if all are terms."""
    demand(all(isinstance(v, Node) and not v.is_formula for v in values), "a term is needed")
    return values


def values(*given: Any) -> tuple[Node, ...]:
    """The terms, as arguments of a definition or of At: infinity is none."""
    found = plain_terms(*given)
    demand(not any("oo" in t.free for t in found), "oo stands where a number is needed")
    return found


def strictly(body: Node, arguments: Iterable[tuple[str, Node]], result: Node) -> Node:
    """The result of putting arguments for names in the body, undefined where an argument is.

    Where the name stands only under binders, an empty range could hide that its argument has no value.
    """
    needed = {t.tag for t in strict_parts(body) if t.op == "var"}
    hidden = [a for name, a in arguments if name not in needed and not evidently_defined(a)]
    return add(result, *(mul(ZERO, a) for a in hidden)) if hidden else result


def valued(formula: Node, *terms: Node) -> Node:
    """The terms have values, and the formula is true."""
    needed = [make("def", t) for t in terms if not evidently_defined(t)]
    return conjunction(*needed, formula) if needed else formula


def unused(name: str, *nodes: Node) -> str:
    """The name, with as many more primes as it takes to occur nowhere in the nodes."""
    taken = names_bound(nodes).union(*(n.free for n in nodes))
    while name in taken:
        name += "'"
    return name


def compare(sign: str, left: Any, right: Any) -> Node:
    """left SIGN right; against a literal zero the left side alone."""
    a, b = plain_terms(left, right)
    return make(sign, a) if b is ZERO else relation(sign, a, b)


# ---- notations for terms ----

def _one(build: Callable[[Node], Node]) -> Callable[[Any], Node]:
    return lambda a, /: build(*plain_terms(a))


def _many(build: Callable[[Node, Node], Node]) -> Callable[..., Node]:
    def apply(first: Any, /, *others: Any) -> Node:
        value, *rest = plain_terms(first, *others)
        for other in rest:
            value = build(value, other)
        return value

    return apply


def _over_range(op: str) -> Callable[[Any, Any], Node]:
    def apply(body: Any, span: Any, /) -> Node:
        demand(isinstance(span, Mark) and span.kind == "range" and len(span.parts) == 3, "needs (x, from, to)")
        low, high, inside = plain_terms(span.parts[1], span.parts[2], body)
        name = span.variable(span.parts[0])
        if name in low.free | high.free:  # there it is another variable
            fresh = unused(name + RENAMED, low, high, inside)
            name, inside = fresh, replace(inside, name, var(fresh))
        return make(op, low, high, inside, tag=name)

    return apply


def _derivative(body: Any, x: Any, times: Any = ONE, /) -> Node:
    (f,) = plain_terms(body)
    order = times.whole if isinstance(times, Node) else None
    demand(order is not None and 1 <= order <= 6, "the order of a derivative is a number from 1 to 6")
    name = Mark.variable(x)
    for _ in range(order or 0):
        f = make("diff", f, var(name), tag=name)
    return f


def _at(body: Any, x: Any, value: Any, /) -> Node:
    (f,), (point,), name = plain_terms(body), values(value), Mark.variable(x)
    demand(name in f.free, f"{name} does not occur")
    return strictly(f, [(name, point)], replace(f, name, point))


def _limit(body: Any, x: Any, to: Any, side: Any = BOTH, /) -> Mark:
    f, point = plain_terms(body, to)
    return Mark("limit", f, Mark.variable(x), point, Mark.side(side, point))


def _lambert(u: Any, branch: Any = ZERO, /) -> Node:
    demand(branch is ZERO or branch is MINUS_ONE, "the real branches are 0 and -1")
    return make("W", *plain_terms(u), tag=branch.whole)


def _absolute(a: Node) -> Node:
    return make("max", a, opposite(a))


def _minimum(a: Node, b: Node) -> Node:
    return opposite(make("max", opposite(a), opposite(b)))


def _ceiling(a: Node) -> Node:
    return opposite(make("floor", opposite(a)))


TERMS: dict[str, Callable[..., Any]] = {
    "exp": _one(exp), "log": _one(log), "ln": _one(log),
    "sqrt": _one(lambda a: make("sqrt", a)), "floor": _one(lambda a: make("floor", a)),
    "ceil": _one(_ceiling), "ceiling": _one(_ceiling),
    "abs": _one(_absolute), "Abs": _one(_absolute),
    "max": _many(lambda a, b: make("max", a, b)), "Max": _many(lambda a, b: make("max", a, b)),
    "min": _many(_minimum), "Min": _many(_minimum),
    "Sum": _over_range("sum"), "Integral": _over_range("int"), "integrate": _over_range("int"),
    "diff": _derivative, "Derivative": _derivative, "At": _at, "Limit": _limit, "limit": _limit,
    "LambertW": _lambert,
}


# ---- notations for formulas ----

def equality(left: Any, right: Any, /) -> Node:
    """left == right; a limit, or a sum or integral to infinity, on either side by epsilon and delta."""
    if to_infinity(right) and not to_infinity(left):
        left, right = right, left
    (value,) = plain_terms(right)
    if isinstance(left, Mark) and left.kind == "limit":
        f, x, point, side = left.parts
        foreign(x, point, value)
        return valued(tends(f, value, lambda body: close_to(x, point, side, body)), point, value)
    (whole,) = plain_terms(left)
    if not to_infinity(whole):
        return compare("=", whole, value)
    low, _, inside = whole.kids
    partial = make(whole.op, low, var("b'"), inside, tag=whole.tag)

    def eventually(body: Node) -> Node:
        return close_to("b'", OO, "-", body) if whole.op == "int" else far_integers("b'", body)

    return valued(tends(partial, value, eventually), low, value)


def to_infinity(value: Any) -> bool:
    """Is it a limit, or a sum or integral to infinity?"""
    if isinstance(value, Mark):
        return value.kind == "limit"
    return isinstance(value, Node) and value.op in ("int", "sum") and value.kids[1] is OO


def foreign(x: str, *outside: Node) -> None:
    demand(not any(x in t.free for t in outside), f"{x} is bound here and stands outside as well")


def tends(f: Node, value: Node, eventually: Callable[[Node], Node]) -> Node:
    """Every neighbourhood of the value holds f eventually."""
    if value is OO:
        return make("all", eventually(relation(">", f, var("m'"))), tag="m'")
    if value is MINUS_OO:
        return make("all", eventually(relation(">", var("m'"), f)), tag="m'")
    e, error = var("e'"), difference(f, value)
    within = conjunction(make(">", difference(e, error)), make(">", add(e, error)))
    return make("all", make("imp", make(">", e), eventually(within)), tag="e'")


def close_to(x: str, point: Node, side: str, body: Node) -> Node:
    """Some d makes the body true at all x within d of the point on that side, the point left out."""
    d, v = var("d'"), var(x)
    if point is OO or point is MINUS_OO:
        far = relation(">", v, d) if point is OO else relation(">", d, v)
        return make("ex", make("all", make("imp", far, body), tag=x), tag="d'")
    upper, lower = relation(">", add(point, d), v), relation(">", v, difference(point, d))
    if side == "+":
        near = conjunction(relation(">", v, point), upper)
    elif side == "-":
        near = conjunction(relation(">", point, v), lower)
    else:
        near = conjunction(relation("!=", v, point), upper, lower)
    return make("ex", conjunction(make(">", d), make("all", make("imp", near, body), tag=x)), tag="d'")


def far_integers(x: str, body: Node) -> Node:
    """Some d makes the body true at all integers x beyond d."""
    far = conjunction(make("isint", var(x)), relation(">", var(x), var("d'")))
    return make("ex", make("all", make("imp", far, body), tag=x), tag="d'")


def _sequence_limit(f: Any, n: Any, value: Any, /) -> Node:
    a, b = plain_terms(f, value)
    name = Mark.variable(n)
    foreign(name, b)
    return valued(tends(a, b, lambda body: far_integers(name, body)), b)


def _big_o(f: Any, g: Any, x: Any, point: Any, side: Any = BOTH, /) -> Node:
    a, b, p = plain_terms(f, g, point)
    name, where = Mark.variable(x), Mark.side(side, p)
    foreign(name, p)
    most = mul(var("c'"), _absolute(b))
    within = conjunction(make(">=", difference(most, a)), make(">=", add(most, a)))
    return valued(make("ex", close_to(name, p, where, within), tag="c'"), p)


def formulas(*values: Any) -> tuple[Node, ...]:
    demand(all(isinstance(v, Node) and v.is_formula for v in values), "a comparison is needed")
    return values


def _implies(a: Any, b: Any, /) -> Node:
    return make("imp", *formulas(a, b))


def _for_all(x: Any, where: Any, body: Any, /) -> Node:
    return make("all", make("imp", *formulas(where, body)), tag=Mark.variable(x))


def _exists(x: Any, where: Any, body: Any, /) -> Node:
    return make("ex", conjunction(*formulas(where, body)), tag=Mark.variable(x))


def _exists_unique(x: Any, where: Any, body: Any, /) -> Node:
    condition, property_ = formulas(where, body)
    name, other = Mark.variable(x), var(unused("y'", condition, property_))
    also = replace(conjunction(condition, property_), name, other)
    single = make("all", make("imp", also, relation("=", other, var(name))), tag=other.tag)
    return make("ex", conjunction(condition, property_, single), tag=name)


def _everywhere(f: Node, name: str, domain: Node) -> Node:
    """f has a value at each point of the domain."""
    return make("all", make("imp", domain, make("def", f)), tag=name)


def _monotone(sign: str, rising: bool) -> Callable[[Any, Any, Any], Node]:
    def build(f: Any, x: Any, where: Any, /) -> Node:
        (first,), (domain,) = plain_terms(f), formulas(where)
        name, y = Mark.variable(x), var(unused("y'", first, domain))
        second = replace(first, name, y)
        ordered = conjunction(domain, replace(domain, name, y), relation(">", y, var(name)))
        step = relation(sign, second, first) if rising else relation(sign, first, second)
        pairs = make("all", make("all", make("imp", ordered, step), tag=y.tag), tag=name)
        return conjunction(_everywhere(first, name, domain), pairs)

    return build


def _curved(sign: str, convex: bool) -> Callable[[Any, Any, Any], Node]:
    def build(f: Any, x: Any, where: Any, /) -> Node:
        (first,), (domain,) = plain_terms(f), formulas(where)
        name, y, t = Mark.variable(x), var(unused("y'", first, domain)), var("t'")
        second, rest = replace(first, name, y), difference(ONE, t)
        middle = replace(first, name, add(mul(rest, var(name)), mul(t, y)))
        chord = add(mul(rest, first), mul(t, second))
        ordered = conjunction(domain, replace(domain, name, y), relation(">", y, var(name)), make(">", t),
                              relation(">", ONE, t))
        bow = relation(sign, chord, middle) if convex else relation(sign, middle, chord)
        inner = make("all", make("imp", ordered, bow), tag="t'")
        chords = make("all", make("all", inner, tag=y.tag), tag=name)
        return conjunction(_everywhere(first, name, domain), chords)

    return build


def _whole(a: Any, /) -> Node:
    return make("isint", *plain_terms(a))


PREDICATES: dict[str, Callable[..., Node]] = {
    "Eq": equality, "Ne": lambda a, b, /: compare("!=", a, b),
    "Gt": lambda a, b, /: compare(">", a, b), "Lt": lambda a, b, /: compare(">", b, a),
    "Ge": lambda a, b, /: compare(">=", a, b), "Le": lambda a, b, /: compare(">=", b, a),
    "Integer": _whole, "Natural": lambda a, /: conjunction(_whole(a), make(">=", a)),
    "And": lambda *parts: conjunction(*formulas(*parts)), "Or": lambda *parts: make("or", *formulas(*parts)),
    "Implies": _implies, "ForAll": _for_all, "Exists": _exists, "ExistsUnique": _exists_unique,
    "SequenceLimit": _sequence_limit, "BigO": _big_o,
    "Increasing": _monotone(">=", True), "StrictlyIncreasing": _monotone(">", True),
    "Decreasing": _monotone(">=", False), "StrictlyDecreasing": _monotone(">", False),
    "Convex": _curved(">=", True), "StrictlyConvex": _curved(">", True),
    "Concave": _curved(">=", False), "StrictlyConcave": _curved(">", False),
}
