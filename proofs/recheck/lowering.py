"""Syntax trees to terms and formulas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from flint import fmpq

from .errors import RecheckError, demand
from .graph import (
    MINUS_ONE,
    ZERO,
    Node,
    add,
    conjunction,
    make,
    mul,
    names_bound,
    number,
    opposite,
    power,
    replace,
    var,
)
from .notations import PREDICATES, RENAMED, Mark, compare, equality, plain_terms, strictly
from .notations import values as values_of
from .operators import TERMS  # with those of laws and factorials
from .syntax import Tree

OUTSIDE = frozenset({"zoo", "nan", "I", "pi", "in", "inf", "infinity", "Infinity"})
TAKEN = OUTSIDE | {"oo"} | TERMS.keys() | PREDICATES.keys()
Definition = tuple[tuple[str, ...], Node]
MAX_DEPTH = 300  # of what a text says
SIGNS = {">": ">", ">=": ">=", "<": ">", "<=": ">=", "!=": "!="}


def negated(t: Node) -> Node:
    return number(-t.value) if t.op == "num" else opposite(t)


def known(name: str) -> None:
    """Demand that the name is none of those that the language keeps free."""
    demand(name not in OUTSIDE, f"{name} is outside the language")


def membership(name: str, family: str) -> Node:
    """The formula for ``name in family``."""
    if family == "integers":
        return make("isint", var(name))
    if family == "naturals":
        return conjunction(make("isint", var(name)), make(">=", var(name)))
    demand(family == "reals", f"unknown family {family!r}; there are naturals, integers, reals")
    return conjunction()


class Lowering:
    """The meaning of syntax trees under some definitions and function symbols."""

    def __init__(self, definitions: dict[str, Definition], functions: Iterable[str]) -> None:
        self.definitions, self.functions = definitions, frozenset(functions)
        self.loose: frozenset[str] = frozenset()  # free variables of the definitions used
        self.drawn: set[str] = set()  # variables with a law, which a sum over listed values no longer names

    def meaning(self, tree: Tree) -> Node:
        """The term or formula of a whole text, in which no definition's own free variable is bound."""
        value = self.lower(tree)
        demand(isinstance(value, Node) and value.depth <= MAX_DEPTH, "neither a term nor a formula, or one too deep")
        captured = ({name.partition(RENAMED)[0] for name in names_bound([value])} | self.drawn) & self.loose
        demand(not captured, f"{sorted(captured)[:1]} bound here and free in a definition")
        return cast(Node, value)

    def lower(self, tree: Tree) -> Any:
        """A term or formula; or a Mark for a limit, text or range."""
        return getattr(self, "_" + tree.kind)(*tree.parts)

    def term(self, tree: Tree) -> Node:
        (value,) = plain_terms(self.lower(tree))
        return value

    def _num(self, value: fmpq) -> Node:
        return number(value)

    def _text(self, text: str) -> Mark:
        return Mark("text", text)

    def _range(self, *parts: Tree) -> Mark:
        first, *others = map(self.lower, parts)
        if isinstance(first, Node) and others and isinstance(others[0], Mark) and others[0].kind == "law":
            self.drawn |= first.free
        return Mark("range", first, *others)

    def _name(self, name: str) -> Node:
        if name in self.definitions and not self.definitions[name][0]:
            self.loose |= self.definitions[name][1].free
            return self.definitions[name][1]
        taken = name in TERMS or name in PREDICATES or name in self.definitions or name in self.functions
        demand(not taken, f"{name} needs its arguments in brackets")
        known(name)
        return var(name)

    def _member(self, name: str, family: str) -> Node:
        demand(name not in TAKEN and name not in self.definitions and name not in self.functions,
               f"{name} is no variable, which stands before in")
        return membership(name, family)

    def _negative(self, tree: Tree) -> Node:
        return negated(self.term(tree))

    def _sum(self, signs: tuple[str, ...], parts: tuple[Tree, ...]) -> Node:
        terms = map(self.term, parts)
        return add(*(opposite(t) if sign == "-" else t for sign, t in zip(signs, terms, strict=True)))

    def _product(self, operators: tuple[str, ...], parts: tuple[Tree, ...]) -> Node:
        """A quotient of two literal numbers is a number; any other division is by a power -1."""
        factors: list[Node] = []
        for operator, part in zip(operators, parts, strict=True):
            t = self.term(part)
            if operator == "*":
                factors.append(t)
            elif t.op == "num" and t is not ZERO and factors[-1].op == "num":
                factors.append(number(factors.pop().value / t.value))
            else:
                factors.append(power(t, MINUS_ONE))
        return factors[0] if len(factors) == 1 else mul(*factors)

    def _power(self, base: Tree, exponent: Tree) -> Node:
        return power(self.term(base), self.term(exponent))

    def _chain(self, operators: tuple[str, ...], sides: tuple[Tree, ...]) -> Node:
        values = [self.lower(s) for s in sides]
        links = [self.link(o, values[i], values[i + 1]) for i, o in enumerate(operators)]
        return links[0] if len(links) == 1 else conjunction(*links)

    def link(self, operator: str, left: Any, right: Any) -> Node:
        if operator == "==":
            return equality(left, right)
        return compare(SIGNS[operator], right, left) if operator[0] == "<" else compare(SIGNS[operator], left, right)

    def _call(self, name: str, arguments: tuple[Tree, ...]) -> Any:
        values = [self.lower(a) for a in arguments]
        if name in self.definitions:
            return self.expanded(name, values)
        if name in self.functions:
            demand(len(values) > 0, f"{name} needs an argument")
            return make("app", *plain_terms(*values), tag=name)
        build = TERMS.get(name) or PREDICATES.get(name)
        if build is None:
            known(name)
            raise RecheckError(f"{name} is not a known function")
        try:
            return build(*values)
        except TypeError:
            raise RecheckError(f"{name}: wrong number of arguments") from None

    def expanded(self, name: str, values: list[Any]) -> Node:
        """The definition's body with the values for its parameters, all at once."""
        parameters, body = self.definitions[name]
        demand(len(values) == len(parameters), f"{name} takes {len(parameters)} arguments")
        arguments = list(zip(parameters, values_of(*values), strict=True))
        self.loose |= body.free - set(parameters)
        result = body
        for p in parameters:
            result = replace(result, p, var(p + "''"))
        for p, value in arguments:
            result = replace(result, p + "''", value)
        return strictly(body, arguments, result)
