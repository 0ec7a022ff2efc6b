"""Atoms that speak of endless operators, as the notation that they are (docs/language.md, end of section 3)."""

from __future__ import annotations

from collections.abc import Iterator

from .errors import demand
from .graph import ATOMS, NO_NAMES, ZERO, Node, conjunction, make, replace, var
from .notations import valued
from .operators import VALUE, parted


def inside(t: Node, around: frozenset[str] = NO_NAMES) -> Iterator[Node]:
    """The endless operators in a term, each after those in it; none speaks of a name that is bound around it."""
    for kid in t.outer:
        yield from inside(kid, around)
    if t.scope is not None:
        yield from inside(t.scope, around | {t.tag})
    if t.op == "endless":
        demand(not t.free & around, "an endless operator speaks of a name that is bound around it")
        yield t


def without(t: Node) -> Iterator[Node]:
    """Of what stands outside a binder, the largest terms that have no endless operator in them."""
    if not any(inside(t)):
        yield t
    elif t.op != "endless":
        for kid in t.outer:
            yield from without(kid)


def exchanged(t: Node, old: Node, new: Node) -> Node:
    if t is old:
        return new
    kids = [exchanged(k, old, new) for k in t.kids]
    return t if all(a is b for a, b in zip(kids, t.kids, strict=True)) else make(t.op, *kids, tag=t.tag)


def settle(f: Node) -> Node:
    """The formula with every such atom written out."""
    if f.op not in ATOMS:
        return make(f.op, *map(settle, f.kids), tag=f.tag)
    operators = list(dict.fromkeys(inside(f.kids[0])))
    if not operators:
        return f
    needed = list(dict.fromkeys(d for o in operators for d in o.kids[1:]))
    value = equated(f, operators)
    if value is not None:
        needed.append(value)
        meaning = replace(operators[0].kids[0], VALUE, value)
    else:
        meaning = described(f, operators, 1)
        needed = list(dict.fromkeys([*needed, *(without(f.kids[0]) if f.op != "undef" else ())]))
    whole = valued(meaning, *needed)
    if whole is meaning:
        return meaning
    return conjunction(*map(settle, whole.kids[:-1]), meaning)


def equated(f: Node, operators: list[Node]) -> Node | None:
    """What the one operator of an equation is said to be, where it stands alone on a side."""
    if f.op != "=" or len(operators) > 1:
        return None
    for a, b in (pair := parted(f.kids[0]) or (f.kids[0], ZERO), pair[::-1]):
        if a is operators[0] and not any(inside(b)):
            return b
    return None


def described(f: Node, operators: list[Node], count: int) -> Node:
    """Some v has the first operator's value, and so on for the others, and the atom holds of these."""
    if not operators:
        return f
    first, v = operators[0], var(f"v{count}'")
    said = replace(first.kids[0], VALUE, v)
    rest = described(exchanged(f, first, v), [exchanged(o, first, v) for o in operators[1:]], count + 1)
    return make("ex", conjunction(*(said.kids if said.op == "and" else (said,)), rest), tag=v.tag)
