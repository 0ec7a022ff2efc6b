"""Units of terms: products of powers of seconds, tokens, requests and iterations, and the rules by which they combine.

A unit is known or not: a symbol declared without one fits everywhere, and so does whatever it is multiplied with.
Numbers have no unit, but zero fits everywhere, and so does a number that is all of one side of a comparison.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from qtheory.errors import InputError
from qtheory.proofs.kernel.terms import MINUS, Node, is_formula
from qtheory.proofs.notation import difference
from qtheory.proofs.plain import term_text

BASES = ("s", "token", "request", "iteration")
PLURALS = {f"{base}s": base for base in BASES[1:]}
PIECE = re.compile(r"\s*(?:(?P<name>[A-Za-z]+)|(?P<number>-?\d+)|(?P<op>\*\*|[*/^()]))")


@dataclass(frozen=True)
class Unit:
    """A product of powers of the base units; no powers: a plain number."""

    powers: tuple[tuple[str, Fraction], ...] = ()

    @staticmethod
    def of(powers: Mapping[str, Fraction]) -> Unit:
        return Unit(tuple((b, powers[b]) for b in BASES if powers.get(b)))

    def times(self, other: Unit, exponent: Fraction = Fraction(1)) -> Unit:
        """self * other**exponent"""
        powers = dict(self.powers)
        for base, power in other.powers:
            powers[base] = powers.get(base, Fraction(0)) + power * exponent
        return Unit.of(powers)

    def __str__(self) -> str:
        above = [_power(b, p) for b, p in self.powers if p > 0]
        below = [_power(b, -p) for b, p in self.powers if p < 0]
        bottom = below[0] if len(below) == 1 else f"({'*'.join(below)})"
        return ("*".join(above) or "1") + (f"/{bottom}" if below else "")


PLAIN_NUMBER = Unit()


def _power(base: str, power: Fraction) -> str:
    return base if power == 1 else f"{base}**{power}" if power.denominator == 1 else f"{base}**({power})"


def read_unit(text: str) -> Unit:
    """The unit of a text such as ``s/iteration`` or ``s/(token*request)``; ``1`` is a plain number.

    Raises InputError for a text that is no unit.
    """
    if not isinstance(text, str) or len(text) > 200:
        raise InputError(f"the unit is {str(text)[:40]!r}; a text such as 's/iteration' is needed")
    pieces, at = [], 0
    while at < len(text.rstrip()):
        match = PIECE.match(text, at)
        if not match:
            raise InputError(f"the unit {text!r}: column {at + 1}: unexpected {text[at:].strip()[0]!r}")
        pieces.append(match.group().strip())
        at = match.end()
    unit, rest = _product(text, pieces)
    if rest:
        raise InputError(f"the unit {text!r}: unexpected {rest[0]!r}")
    return unit


def _product(text: str, pieces: list[str]) -> tuple[Unit, list[str]]:
    unit, sign = PLAIN_NUMBER, Fraction(1)
    while True:
        factor, pieces = _factor(text, pieces)
        unit = unit.times(factor, sign)
        if not pieces or pieces[0] not in ("*", "/"):
            return unit, pieces
        sign, pieces = Fraction(1 if pieces[0] == "*" else -1), pieces[1:]


def _factor(text: str, pieces: list[str]) -> tuple[Unit, list[str]]:
    head, rest = (PLURALS.get(pieces[0], pieces[0]), pieces[1:]) if pieces else ("", [])
    if head == "(":
        unit, rest = _product(text, rest)
        if not rest or rest[0] != ")":
            raise InputError(f"the unit {text!r}: a bracket is not closed")
        rest = rest[1:]
    elif head in BASES:
        unit = Unit.of({head: Fraction(1)})
    elif head == "1":
        unit = PLAIN_NUMBER
    else:
        raise InputError(f"the unit {text!r}: {head or 'nothing'!r} stands where one of {', '.join(BASES)} or 1 "
                         "is needed")
    if rest and rest[0] in ("**", "^"):
        if len(rest) < 2 or not re.fullmatch(r"-?\d{1,2}", rest[1]):
            raise InputError(f"the unit {text!r}: a whole number is needed as exponent")
        unit, rest = PLAIN_NUMBER.times(unit, Fraction(int(rest[1]))), rest[2:]
    return unit, rest


Units = Mapping[str, Unit | None]
Functions = Mapping[str, tuple[Unit | None, Unit | None]]  # a function's own unit, and that of its arguments


class UnitChecker:
    """Finds the unit of a term; raises InputError where two that differ meet."""

    def __init__(self, symbols: Units, functions: Functions) -> None:
        self.symbols, self.functions = dict(symbols), functions

    def formula(self, node: Node) -> None:
        """Check every comparison of a formula."""
        head = node[0]
        if head in ("and", "or", "imp"):
            for part in node[1:]:
                self.formula(part)
        elif head in ("all", "ex"):
            self.formula(node[2])
        else:
            # a number alone on one side of a comparison, as in p0 <= 1, is read in the unit of the other side
            left, right = difference(node[1]) or (node[1], None)
            if isinstance(left, Fraction) or isinstance(right, Fraction):
                self.term(right if isinstance(left, Fraction) and right is not None else left)
            else:
                self.term(node[1])

    def term(self, node: Node) -> Unit | None:
        """The unit of a term; None where it is not known."""
        if isinstance(node, Fraction):
            return None if node == 0 else PLAIN_NUMBER
        if isinstance(node, str):
            return self.symbols.get(node)
        head = node[0]
        if head == "mean":  # an operator over a law without an end
            return None
        if head in ("+", "max"):
            return self.common(node[1:], node)
        if head == "*":
            return self.product(node)
        if head == "^":
            return self.power(node)
        if head in ("exp", "log", "W"):
            self.plain(node[-1], node)
            return PLAIN_NUMBER
        if head == "sqrt":
            inner = self.term(node[1])
            return None if inner is None else PLAIN_NUMBER.times(inner, Fraction(1, 2))
        if head == "floor":
            return self.term(node[1])
        return self.binder(node) if head in ("sum", "int", "diff") else self.application(node)

    def common(self, parts: tuple[Node, ...], whole: Node) -> Unit | None:
        """The one unit of summands."""
        first: tuple[Node, Unit] | None = None
        for part in parts:
            unit = self.term(part)
            if unit is None:
                continue
            if first is not None and first[1] != unit:
                raise InputError(f"units differ: {_shown(first[0])} is in {_named(first[1])} and {_shown(part)} in "
                                 f"{_named(unit)}, which meet in {_shown(whole)}")
            first = first or (part, unit)
        return None if first is None else first[1]

    def product(self, node: Node) -> Unit | None:
        unit: Unit | None = PLAIN_NUMBER
        for part in node[1:]:
            factor = self.term(part)
            unit = None if unit is None or factor is None else unit.times(factor)
        return unit

    def power(self, node: Node) -> Unit | None:
        base = self.term(node[1])
        self.plain(node[2], node)
        if isinstance(node[2], Fraction):
            return None if base is None else PLAIN_NUMBER.times(base, node[2])
        if base is not None and base != PLAIN_NUMBER:
            raise InputError(f"units: {_shown(node[1])} is in {_named(base)}, so its exponent must be a number in "
                             f"{_shown(node)}")
        return base

    def plain(self, part: Node, whole: Node) -> None:
        unit = self.term(part)
        if unit is not None and unit != PLAIN_NUMBER:
            raise InputError(f"units: {_shown(part)} is in {_named(unit)} where {_shown(whole)} needs a plain number")

    def binder(self, node: Node) -> Unit | None:
        name = node[1]
        if node[0] == "diff":
            at = self.term(node[3])
            body, variable = self.inside(name, at, node[2])
        else:
            at = self.common((node[2], node[3]), ("max", node[2], node[3]))
            body, variable = self.inside(name, at, node[4])
            if node[0] == "sum":
                return body
        if body is None or variable is None:
            return None
        return body.times(variable, Fraction(-1 if node[0] == "diff" else 1))

    def inside(self, name: str, unit: Unit | None, body: Node) -> tuple[Unit | None, Unit | None]:
        """The unit of a body under a binder, whose variable has the unit of its range, or else the declared one."""
        before = self.symbols.get(name)
        variable = before if unit is None else unit
        self.symbols[name] = variable
        try:
            return self.term(body), variable
        finally:
            self.symbols[name] = before

    def application(self, node: Node) -> Unit | None:
        own, wanted = self.functions.get(node[1], (None, None))
        for argument in node[2:]:
            unit = self.term(argument)
            if wanted is not None and unit is not None and unit != wanted:
                raise InputError(f"units: {_shown(argument)} is in {_named(unit)} where {node[1]} needs "
                                 f"{_named(wanted)}")
        return own


def _shown(node: Node) -> str:
    # the right side of a comparison stands in the kernel's difference with the factor -1
    if isinstance(node, tuple) and node[0] == "*" and len(node) == 3 and node[1] == MINUS:
        node = node[2]
    text = term_text(node)
    return text if len(text) <= 60 else text[:57] + "..."


def _named(unit: Unit) -> str:
    return "no unit (a plain number)" if unit == PLAIN_NUMBER else str(unit)


def check_units(formula_or_term: Node, symbols: Units, functions: Functions) -> Unit | None:
    """The unit of a term, or None after a formula's comparisons have been checked; InputError where units differ."""
    checker = UnitChecker(symbols, functions)
    if is_formula(formula_or_term):
        checker.formula(formula_or_term)
        return None
    return checker.term(formula_or_term)
