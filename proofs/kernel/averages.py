"""The clauses (X, LAW) of an operator, and means over them."""

from __future__ import annotations

from .grammar import OO, values, variable
from .laws import GIVEN, Law
from .named import LAWS
from .terms import ZERO, Node, free, substitute

END = "b'"  # where what has no end is cut off
Clauses = list[tuple[str, Law]]


def heading(node: Node) -> str:
    return str(node[0]) if isinstance(node, tuple) else ""


def stated(spans: tuple[Node, ...]) -> Clauses:
    """The clauses (X, LAW) of an operator: independent variables, of which no parameter speaks."""
    if not spans or any(heading(s) != "range" or len(s) != 3 or heading(s[2]) != "law" for s in spans):
        raise ValueError("needs a law for each variable, as in (X, Geometric(p))")
    names, clauses = [variable(x) for _, x, _ in spans], []
    for _, x, (_, name, *given) in spans:
        if name == "Finite" and any(heading(pair) != "range" or len(pair) != 3 for pair in given):
            raise ValueError("Finite takes values with their masses, (v, p), ..")
        parameters = [part for pair in given for part in pair[1:]] if name == "Finite" else [*given]
        if name in GIVEN:
            parameters[:1] = [substitute(t, x, ZERO) for t in given[:1]]  # a weight speaks of its own variable
        values(*(t for t in parameters if name not in GIVEN or t != OO))
        if names.count(x) > 1 or not given or any(free(t) & {*names} for t in parameters):
            raise ValueError(f"{name} needs parameters that do not speak of the variables, whose names differ")
        clauses.append((x, LAWS[name](x, *given)))
    return clauses


def over(law: Law, x: str, body: Node) -> Node:
    return (law.head, x, law.low, END if law.high == OO else law.high, body)


def mean(clauses: Clauses, g: Node) -> Node:
    for x, law in reversed(clauses):
        parts = [("*", substitute(g, x, v), p) for v, p in law.pairs] or [over(law, x, ("*", g, law.weight))]
        g = parts[0] if len(parts) == 1 else ("+", *parts)
    return g
