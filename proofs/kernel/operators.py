"""E, Var and Pr over stated laws, each written out as its definition.

An operator over laws that end is a term.  One over a law without an end is a node ``(mean, V, d..)`` until
``endless.spoken`` removes it: V says of the variable v' that it is the value, and the laws are valid where each d is
defined.
"""

from __future__ import annotations

from .events import bounds, indicator
from .grammar import (FUNCTIONS, OO, absolute, at_large_integers, formulas, near, strict_in, terms, values,
                      variable)
from .laws import GIVEN, LAWS, Law
from .terms import ONE, TWO, ZERO, Node, free, minus, substitute

END, VALUE = "b'", "v'"  # where what has no end is cut off; the value of an operator
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


def tending(term: Node, to: Node) -> Node:
    return near(term, to, lambda body: at_large_integers(END, body))


def operator(clauses: Clauses, term: Node, absolutely: Node | None) -> Node:
    """The term; or, of laws without an end, that v' is its limit, the partial sums ``absolutely`` being bounded."""
    valid = [d for _, law in clauses for d in law.valid]
    if all(law.high != OO for _, law in clauses):
        return strict_in(valid, term)
    parts = [tending(over(law, x, ("+", law.weight, ("*", ZERO, ("sqrt", law.weight)))), ONE)
             for x, law in clauses if law.total]
    if absolutely is not None:
        parts.append(("ex", "c'", at_large_integers(END, (">=", minus("c'", absolutely)))))
    parts.append(tending(term, VALUE))
    return ("mean", parts[0] if len(parts) == 1 else ("and", *parts), *valid)


def expectation(g: Node, *spans: Node) -> Node:
    terms(g)
    clauses = stated(spans)
    return operator(clauses, mean(clauses, g), mean(clauses, absolute(g)))


def variance(g: Node, *spans: Node) -> Node:
    terms(g)
    clauses = stated(spans)
    square = mean(clauses, ("^", g, TWO))
    return operator(clauses, minus(square, ("^", mean(clauses, g), TWO)), square)


def probability(event: Node, *spans: Node) -> Node:
    formulas(event)
    clauses = stated(spans)
    x, law = clauses[0]
    below, above = bounds(event, x, law.head == "sum") if len(clauses) == 1 and not law.pairs else ([], [])
    if not (below or above) or (above and law.total):
        return operator(clauses, mean(clauses, indicator(event)), None)
    low, ends = FUNCTIONS["Max"](law.low, *below), [e for e in (law.high, *above) if e != OO]
    least = minus(low, ONE) if law.head == "sum" else low
    high = FUNCTIONS["Max"](FUNCTIONS["Min"](*ends), least) if ends else OO
    cut = law._replace(low=low, high=high)
    return operator([(x, law._replace(high=high))], over(cut, x, law.weight), None)


FUNCTIONS.update(E=expectation, Var=variance, Pr=probability)
