"""Atoms that speak of operators over laws without an end: some values are theirs, and the atom holds of these."""

from __future__ import annotations

from .events import sides
from .grammar import StatementError, valued
from .operators import VALUE
from .terms import CONNECTIVES, Node, children, free, substitute


def endless(t: Node, under: frozenset[str] = frozenset()) -> list[Node]:
    """The operators in a term, inner ones before those around them."""
    if not isinstance(t, tuple):
        return []
    outer, name, inner = children(t)
    found = [m for part in outer for m in endless(part, under)]
    found += [m for part in inner for m in endless(part, under | {str(name)})]
    if t[0] == "mean" and free(t) & under:
        raise StatementError("an operator over a law without an end speaks of a variable that is bound around it")
    return [*found, t] if t[0] == "mean" else found


def put(t: Node, old: Node, new: Node) -> Node:
    if t == old or not isinstance(t, tuple):
        return new if t == old else t
    return tuple(put(part, old, new) for part in t)


def apart(t: Node) -> list[Node]:
    """The largest terms in a term, outside its binders, that hold no operator."""
    return [t] if not endless(t) else [s for part in children(t)[0] for s in apart(part) if t[0] != "mean"]


def spoken(formula: Node) -> Node:
    """The formula with each such atom written out."""
    if formula[0] in CONNECTIVES:
        return tuple(spoken(part) if isinstance(part, tuple) else part for part in formula)
    met = list(dict.fromkeys(endless(formula[1])))
    if not met:
        return formula
    duties = [d for m in met for d in m[2:]]
    left, right = sides(formula[1])
    alone = right if met == [left] else left
    if formula[0] == "=" and met in ([left], [right]) and not endless(alone):
        return _settled(valued(substitute(met[0][1], VALUE, alone), *dict.fromkeys(duties), alone))
    body, values = formula, list[tuple[str, Node]]()
    for i in range(len(met)):
        values.append((f"v{i + 1}'", substitute(met[i][1], VALUE, f"v{i + 1}'")))
        body, *met[i + 1:] = (put(t, met[i], f"v{i + 1}'") for t in (body, *met[i + 1:]))
    for name, value in reversed(values):
        body = ("ex", name, ("and", *(value[1:] if value[0] == "and" else (value,)), body))
    return _settled(valued(body, *dict.fromkeys([*duties, *(apart(formula[1]) if formula[0] != "undef" else ())])))


def _settled(said: Node) -> Node:
    """That parameters are defined may speak of operators in its turn."""
    return ("and", *(spoken(p) if p[0] == "def" else p for p in said[1:])) if said[0] == "and" else said
