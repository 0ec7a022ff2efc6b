"""Reading the notations of the statement language back from the formulas that they were written out to.

The grammar lowers ``a - b``, ``a / b``, limits, "exactly one", monotonicity and convexity to their definitions.
Each reader here guesses the notation's arguments from the shape and keeps the guess only if the grammar's own
definition, applied to them, gives the very formula back; so a reader cannot misread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from qtheory.proofs.kernel import grammar
from qtheory.proofs.kernel.terms import MINUS, Node, minus, neg_term
from qtheory.proofs.signs import Notation, counting


def sides(atom: Node) -> tuple[str, Node, Node]:
    """(relation, left, right) of a comparison; a number on the left changes places with a term on the right."""
    relation, term = atom
    left, right = difference(term) or (term, Fraction(0))
    if isinstance(left, Fraction) and not isinstance(right, Fraction):
        return {">": "<", ">=": "<="}.get(relation, relation), right, left
    return relation, left, right


def difference(term: Node) -> tuple[Node, Node] | None:
    """(a, b) of the kernel's ``minus(a, b)``."""
    if isinstance(term, tuple) and term[0] == "+" and len(term) == 3:
        second = term[2]
        if isinstance(second, tuple) and second[0] == "*" and len(second) == 3 and second[1] == MINUS:
            return term[1], second[2]
    return None


def summands(term: Node) -> Iterator[tuple[int, Node]]:
    """The signed terms of a sum, nested sums included."""
    if isinstance(term, tuple) and term[0] == "+":
        for part in term[1:]:
            yield from summands(part)
    else:
        yield signed(term)


def signed(term: Node) -> tuple[int, Node]:
    """(sign, term without it): the signs of a product's numbers are taken together to its front."""
    if isinstance(term, Fraction):
        return (-1, -term) if term < 0 else (1, term)
    if not isinstance(term, tuple) or term[0] != "*" or recognise_term(term):
        return 1, term
    pieces = [signed(f) for f in term[1:]]
    if all(s > 0 for s, _ in pieces):
        return 1, term
    factors = [f for (_, f), old in zip(pieces, term[1:], strict=True) if old != MINUS]
    sign = -1 if sum(s < 0 for s, _ in pieces) % 2 else 1
    return sign, Fraction(1) if not factors else factors[0] if len(factors) == 1 else ("*", *factors)


def quotient(term: Node) -> tuple[list[Node], list[Node]]:
    """Factors above and below the fraction bar of a product or power, signs left in place."""
    if isinstance(term, tuple) and term[0] == "*" and not recognise_term(term):
        above: list[Node] = []
        below: list[Node] = []
        for factor in term[1:]:
            over, under = quotient(factor)
            above += over
            below += under
        return above, below
    if isinstance(term, tuple) and term[0] == "^" and isinstance(term[2], Fraction) and term[2] < 0:
        return [], [term[1] if term[2] == MINUS else ("^", term[1], -term[2])]
    if isinstance(term, Fraction) and term.denominator != 1:
        top, bottom = Fraction(term.numerator), Fraction(term.denominator)
        return ([] if top == 1 else [top]), [bottom]
    return [term], []


def recognise_term(term: Node) -> Notation | None:
    """min, absolute value, ceiling, factorials and binomial coefficients."""
    if not isinstance(term, tuple) or (found := counting(term)):
        return found if isinstance(term, tuple) else None
    if term[0] == "max" and term[2] == neg_term(term[1]):
        return Notation("Abs", (term[1],))
    if term[0] == "*" and len(term) == 3 and term[1] == MINUS and isinstance(term[2], tuple):
        inner = term[2]
        parts = [negated(t) for t in inner[1:]] if inner[0] in ("max", "floor") else [None]
        if all(p is not None for p in parts):
            return Notation("Min" if inner[0] == "max" else "ceiling", tuple(parts))
    return None


def negated(term: Node) -> Node | None:
    return term[2] if isinstance(term, tuple) and term[0] == "*" and len(term) == 3 and term[1] == MINUS else None


def recognise(formula: Node) -> Notation | None:
    """The notation that a formula is the definition of, if it is one of those that the printers show."""
    readers = {"all": (_limit, _for_all), "ex": (_unique, _big_o, _exists)}
    tending = formula[-1] if _valued(formula) else formula  # what follows the definedness of its values
    shapes = (_monotone, _curved) if tending is formula else (_limit, _big_o) if tending[0] in readers else ()
    for reader in readers.get(formula[0], shapes if formula[0] == "and" else ()):
        for guess, build in reader(tending):
            try:
                if build(*guess.arguments) == formula:
                    return guess
            except (ValueError, IndexError, TypeError, KeyError):
                continue
    return None


def _valued(formula: Node) -> bool:
    """Does it say first that values are defined, as the definitions of limits and orders of magnitude do?"""
    return formula[0] == "and" and len(formula) > 2 and all(p[0] == "def" for p in formula[1:-1])


Guess = Iterator[tuple[Notation, Callable[..., Node]]]


def _at(node: Node, *path: int) -> Node:
    """A part of a node, or None where the shape is another."""
    for i in path:
        if not isinstance(node, tuple) or not -len(node) <= i < len(node):
            return None
        node = node[i]
    return node


def _limit(formula: Node) -> Guess:
    """tends(f, x, a, side, limit), the same along the integers, and for a sum or integral to infinity."""
    if formula[1] == "m'":
        eventually, upper = formula[2], _at(formula, 2, 2)
    else:
        eventually, upper = _at(formula, 2, 2), None
    quantified = eventually
    if _at(eventually, 0) == "ex" and _at(eventually, 2, 0) == "and":
        quantified = ("ex", eventually[1], _at(eventually, 2, 2))
    body = _at(quantified, 2, 2, 2)
    x = _at(quantified, 2, 1)
    inner = difference(_at(body, 1, 1))
    for f, limit in _neighbourhood(body, inner, upper):
        if x == "b'" and _at(f, 3) == x:
            name, place = ("Limit", (x, grammar.OO, "-")) if f[0] == "int" else ("SequenceLimit", (x,))
            whole = (*f[:3], grammar.OO, f[4])
            yield Notation(name, (f, *place, limit)), lambda *_, t=whole, value=limit: grammar.equation(t, value)
        yield Notation("SequenceLimit", (f, x, limit)), grammar.sequence_limit
        for a, side in _places(quantified, x):
            yield Notation("Limit", (f, x, a, side, limit)), grammar.tends


def _neighbourhood(body: Node, inner: tuple[Node, Node] | None, upper: Node) -> Iterator[tuple[Node, Node]]:
    if inner is not None:
        pair = difference(inner[1])
        if pair is not None:
            yield pair
    unbounded = difference(_at(body, 1))
    if unbounded is not None:
        yield unbounded[0], grammar.OO
        yield unbounded[1], neg_term(grammar.OO)


def _places(quantified: Node, x: str) -> Iterator[tuple[Node, str]]:
    yield grammar.OO, "-"
    yield neg_term(grammar.OO), "+"
    ball = _at(quantified, 2, 2, 1)
    for index in (1, 2):
        pair = difference(_at(ball, index, 1))
        if pair is not None:
            a = pair[1] if pair[0] == x else pair[0]
            yield from ((a, side) for side in ("+-", "+", "-"))


def _monotone(formula: Node) -> Guess:
    x, where, f = _domain(formula)
    for strict, relation in (("Strictly", ">"), ("", ">=")):
        for name, sign in (("Increasing", 1), ("Decreasing", -1)):
            yield Notation(strict + name, (f, x, where)), grammar.monotone(relation, sign)


def _curved(formula: Node) -> Guess:
    x, where, f = _domain(formula)
    for strict, relation in (("Strictly", ">"), ("", ">=")):
        for name, sign in (("Convex", 1), ("Concave", -1)):
            yield Notation(strict + name, (f, x, where)), grammar.curved(relation, sign)


def _domain(formula: Node) -> tuple[Node, Node, Node]:
    """(x, domain, f) of the part that says that f(x) is defined there."""
    return _at(formula, 1, 1), _at(formula, 1, 2, 1), _at(formula, 1, 2, 2, 1)


def _for_all(formula: Node) -> Guess:
    if _at(formula, 2, 0) == "imp":
        yield Notation("ForAll", (formula[1], formula[2][1], formula[2][2])), grammar.for_all


def _unique(formula: Node) -> Guess:
    if _at(formula, 2, 0) == "and" and len(formula[2]) == 4:
        yield Notation("ExistsUnique", (formula[1], formula[2][1], formula[2][2])), grammar.exists_unique


def _exists(formula: Node) -> Guess:
    if _at(formula, 2, 0) == "and" and len(formula[2]) == 3:
        yield Notation("Exists", (formula[1], formula[2][1], formula[2][2])), grammar.exists


def _big_o(formula: Node) -> Guess:
    eventually = formula[2]
    if formula[0] != "ex" or formula[1] != "c'" or _at(eventually, 0) != "ex":
        return
    if _at(eventually, 2, 0) == "and":
        eventually = ("ex", eventually[1], eventually[2][2])
    pair = difference(_at(eventually, 2, 2, 2, 1, 1))
    x = _at(eventually, 2, 1)
    if pair is None:
        return
    g = _at(pair[0], 2, 1)
    for a, side in _places(eventually, x):
        yield Notation("BigO", (pair[1], g, x, a, ("text", side))), grammar.big_o


__all__ = ["Notation", "difference", "minus", "quotient", "recognise", "recognise_term", "sides", "signed", "summands"]
