"""A statement: definitions, conditions and a goal as text, and the formulas that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from .endless import spoken
from .grammar import (FUNCTIONS, OO, PREDICATES, RESERVED, Macro, Parser, StatementError, clip, membership, plain)
from .terms import Node, bounded, children, free, is_formula, negate, require, require_form, require_limit
from .theorem import settled

MAX_CONDITIONS = 60
DECLARATION = re.compile(r"({0}(?:(?:\s*,\s*|\s+){0})*)\s+in\s+({0})".format("[A-Za-z][A-Za-z0-9_]*"))
NAMES_TAKEN = RESERVED | FUNCTIONS.keys() | PREDICATES.keys()


@dataclass(frozen=True)
class Statement:
    """``let`` (definitions ``f(x) = ..``), ``where`` (conditions, ``n in naturals``, ``f in functions``), ``goal``.

    Free variables are real and universally quantified.  The statement says: wherever each condition is defined
    and true, the goal is defined and true.
    """

    goal: str
    where: tuple[str, ...] = ()
    let: tuple[str, ...] = ()

    @staticmethod
    def from_json(raw: Any) -> Statement:
        require_form(isinstance(raw, dict) and set(raw) == {"let", "where", "goal"}, "a statement")
        require_form(isinstance(raw["where"], list) and isinstance(raw["let"], list), "a statement's texts")
        return Statement(raw["goal"], tuple(raw["where"]), tuple(raw["let"])).parsed()

    def to_json(self) -> dict[str, Any]:
        return {"let": list(self.let), "where": list(self.where), "goal": self.goal}

    def parsed(self) -> Statement:
        """This statement, with its texts read; raises StatementError where they are no mathematics."""
        _ = self.formulas
        return self

    def same(self, other: Statement) -> bool:
        """Do they say the same, in whatever order their conditions stand?"""
        return self.conclusion == other.conclusion and set(self.hypotheses) == set(other.hypotheses)

    @cached_property
    def formulas(self) -> tuple[tuple[Node, ...], Node]:
        # A text of a class of its own may pose as another, which is kept as read already.
        require_form(all(type(t) is str for t in (self.goal, *self.where, *self.let)), "a statement's texts")
        return read(self.goal, tuple(self.where), tuple(self.let))

    @property
    def hypotheses(self) -> tuple[Node, ...]:
        return self.formulas[0]

    @property
    def conclusion(self) -> Node:
        return self.formulas[1]

    @property
    def variables(self) -> list[str]:
        return sorted(free(("and", *self.hypotheses, self.conclusion)))

    @property
    def refutation(self) -> Node:
        """At some point the hypotheses are true and the conclusion is not."""
        return closed(("and", *self.hypotheses, negate(self.conclusion)))

    @property
    def owed(self) -> tuple[Node, ...]:
        """What something has to meet, or the statement says nothing: its conditions, and the guards in its goal."""
        met = guards(self.conclusion, lambda phi: closed(("and", *self.hypotheses, phi)))
        return tuple(dict.fromkeys(met)) or ((closed(("and", *self.hypotheses)),) if self.hypotheses else ())

    def interpreted(self, definitions: list[str]) -> Statement:
        """What it says of these functions, in place of its function symbols, and at these values of variables.

        What is said of all functions is said of these. They are total, as function symbols are: a term that may be
        undefined would leave open what a condition on it says there.
        """
        require_form(isinstance(definitions, list) and all(type(t) is str for t in definitions), "functions")
        for text, (_, term) in zip(definitions, defined(tuple(definitions), frozenset()).values(), strict=True):
            require(settled(term, ()), f"{clip(text)}: not defined everywhere")
        return Statement(self.goal, tuple(w for w in self.where if not (definitions and declared(w, "functions"))),
                         (*definitions, *self.let))


@lru_cache(maxsize=64)  # what a text says is asked where it is stated, and again where its certificate is checked
def read(goal: str, where: tuple[str, ...], let: tuple[str, ...]) -> tuple[tuple[Node, ...], Node]:
    """The conditions and the goal of a statement as formulas."""
    require_limit(len(where) + len(let) <= MAX_CONDITIONS, f"more than {MAX_CONDITIONS} conditions")
    functions = {name for w in where for name in declared(w, "functions")}
    if functions & NAMES_TAKEN:
        raise StatementError(f"{sorted(functions & NAMES_TAKEN)[0]} has a meaning already")
    macros, hyps = dict(defined(let, frozenset(functions))), list[Node]()
    for text in where:
        for part in conjuncts(spoken(condition(text, macros, functions))):
            if part not in hyps:
                hyps.append(part)
    stated = Parser(goal, macros, functions).whole()
    if not is_formula(stated):
        raise StatementError(f"the goal {clip(goal)!r} is no comparison; write 'x > 0' or 'Eq(a, b)'")
    bounded((*hyps, conclusion := spoken(stated)))
    for formula in (*hyps, conclusion):
        finite(formula)
    return tuple(hyps), strict(conclusion)


@lru_cache(maxsize=64)  # the statements of a derivation share their definitions
def defined(let: tuple[str, ...], functions: frozenset[str]) -> dict[str, Macro]:
    macros: dict[str, Macro] = {}
    for text in let:
        name, macro = definition(text, macros, set(functions))
        macros[name] = macro
    return macros


def closed(formula: Node) -> Node:
    for x in sorted(free(formula), reverse=True):
        formula = ("ex", x, formula)
    return formula


def definition(text: str, macros: dict[str, Macro], functions: set[str]) -> tuple[str, Macro]:
    """``name = term`` or ``name(x, y) = term``."""
    head, sign, body = text.partition("=")
    name, bracket, rest = head.strip().partition("(")
    inside = rest.strip().removesuffix(")")
    parameters = tuple(p.strip() for p in inside.split(",")) if bracket else ()
    names = (name.strip(), *parameters)
    good = sign and (not bracket or rest.strip().endswith(")")) and all(n.isidentifier() and n.isascii() for n in names)
    if not good or len(set(names)) < len(names) or any(n.startswith("_") for n in names):
        raise StatementError(f"the definition {clip(text)!r} is not of the form f(x) = term")
    taken = set(names) & (NAMES_TAKEN | functions | macros.keys())
    if taken:
        raise StatementError(f"the definition {clip(text)!r}: {sorted(taken)[0]} has a meaning already")
    parser = Parser(body, macros, functions)
    term = parser.whole()
    if any(names[0] in free(t).difference(p) for p, t in (*macros.values(), (parameters, term))):
        raise StatementError(f"the definition {clip(text)!r}: {names[0]} is used in it or in a definition before it; "
                             "put a definition before its use")
    if not set(parameters) <= free(term).difference(*parser.loose.values()):
        raise StatementError(f"the definition {clip(text)!r}: a parameter is not used, or free in another definition")
    if is_formula(term) or not plain(term) or OO in free(term):
        raise StatementError(f"the definition {clip(text)!r} defines no term")
    return names[0], (parameters, term)


def declared(text: str, family: str | None = None) -> list[str]:
    """The names of a condition ``a, b in FAMILY`` (of the given family only), else none."""
    match = DECLARATION.fullmatch(text.strip())
    return match[1].replace(",", " ").split() if match and family in (None, match[2]) else []


def condition(text: str, macros: dict[str, Macro], functions: set[str]) -> Node:
    names = declared(text)
    if names:
        family = text.split()[-1]
        if family == "functions":
            return ("and",)
        if set(names) & (NAMES_TAKEN | macros.keys() | functions):
            raise StatementError(f"the condition {clip(text)!r}: a name has another meaning already")
        return ("and", *(membership(w, family) for w in names))
    formula = Parser(text, macros, functions).whole()
    if not is_formula(formula):
        raise StatementError(f"the condition {clip(text)!r} is no comparison")
    return formula


def conjuncts(formula: Node) -> list[Node]:
    return [p for f in formula[1:] for p in conjuncts(f)] if formula[0] == "and" else [formula]


def finite(node: Node) -> None:
    """Infinity, and limits, stand only where the grammar's definitions have removed them."""
    if isinstance(node, str) and node == OO:
        raise StatementError("oo stands where a number is needed")
    if isinstance(node, tuple):
        if node[0] in ("limit", "text", "range", "law"):
            raise StatementError("a limit, text, range or law where a term is needed; a limit is the left side of ==")
        outer, _, inner = children(node)
        for child in (*outer, *inner):
            finite(child)


def strict(goal: Node) -> Node:
    """The goal, and that it is defined on its whole domain: no part of a disjunction is saved by another.

    A domain is what a universal quantifier and the guards of implications leave over (as the conditions of the
    statement do, a guard that is undefined leaves nothing over).  An existence asks for one point at which all in
    it is defined and true; points at which something in it is undefined are no such points, and do no harm.
    """
    head = goal[0]
    if head == "and":
        return ("and", *(strict(f) for f in goal[1:]))
    if head == "or":
        return ("and", *(in_domain(f) for f in goal[1:]), ("or", *(strict(f) for f in goal[1:])))
    if head in ("imp", "all", "ex"):
        return (head, goal[1], strict(goal[2]))
    return goal


def guards(formula: Node, at: Callable[[Node], Node]) -> list[Node]:
    """For each guard in the formula: something meets it, and those on the way to it; ``at`` writes that way around it.

    A guard with others behind it is met where they are.  Those of notations, which alone speak of a variable with a
    prime, always are.
    """
    head, parts = formula[0], formula[1:]
    if head in ("and", "or"):
        return [g for part in parts for g in guards(part, at)]
    if head == "imp" and not any(x.endswith("'") for x in free(parts[0])):
        return guards(parts[1], lambda phi: at(("and", parts[0], phi))) or [at(parts[0])]
    if head == "ex" and parts[1][0] == "and" and len(parts[1]) > 1:
        x, first = parts[0], parts[1][1]
        found = guards(first, lambda phi: at(("ex", x, phi)))
        return found + guards(("and", *parts[1][2:]), lambda phi: at(("ex", x, ("and", first, phi))))
    return guards(parts[1], lambda phi: at(("ex", parts[0], phi))) if head in ("all", "ex") else []


def in_domain(formula: Node) -> Node:
    """All terms of the formula's atoms are defined, on the domain of each; those of existences are not asked for."""
    if formula[0] in ("and", "or"):
        return ("and", *(in_domain(f) for f in formula[1:]))
    if formula[0] in ("imp", "all"):
        return (*formula[:2], in_domain(formula[2]))
    return ("and",) if formula[0] == "ex" else ("def", formula[1])
