"""A closed formula as a choice of branches: which literals must hold, at values for which variables.

Every existential quantifier of a branch becomes a variable to be searched for, every disjunction a chosen part;
``plan`` keeps how the literals' proofs make a proof of the formula.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from qtheory.proofs.functions.table import FUNCTIONS, PARTIAL
from qtheory.proofs.kernel.logic import failures as kernel_failures
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, children, integer, negate, substitute
from qtheory.proofs.tactics.order import occurring, shared

MAX_BRANCHES = 48
UNSURE = (*PARTIAL, "diff", "sum", "int")
ATOMIC = (">", ">=", "=", "!=", "isint", "def")


@dataclass(frozen=True)
class Branch:
    """Literals over the variables; ``plan`` mirrors the formula that they prove.

    Plans: ("literal",), ("and", plans), ("or", part, plan), ("imp", part, plan), ("ex", variable, plan),
    ("undef", subterm, plan).  ``undefined`` is the subterm whose failure the branch rests on.
    """

    literals: tuple[Node, ...]
    plan: tuple[Any, ...]
    variables: tuple[str, ...] = ()
    undefined: Node | None = None
    hard: tuple[Node, ...] = ()  # universal statements and implications, which no point settles
    value: bool = False  # is what is undefined a value that a limit or an order of magnitude speaks of?


def branches(formula: Node) -> list[Branch]:
    """The branches of a closed formula, those that rest on an undefined term last."""
    found = itertools.islice(_branches(shared(formula), set()), MAX_BRANCHES)
    return sorted(found, key=lambda b: (b.undefined is not None, len(b.hard)))


def failing(statement: Statement, found: Branch, last: Callable[..., Any]) -> Branch:
    """Of a branch on which the statement's conditions hold, and perhaps more: one of its refutation, in which ``last``
    proves that the conclusion fails."""
    plan: tuple[Any, ...] = ("and", (*found.plan[1][:len(statement.hypotheses)], ("by", last)))
    for x in reversed(statement.variables):
        plan = ("ex", x, plan)
    return replace(found, plan=plan, variables=(*statement.variables, *found.variables))


def _branches(phi: Node, taken: set[str]) -> Iterator[Branch]:
    head = phi[0]
    if head in ATOMIC:
        yield Branch((phi,), ("literal",))
    elif head == "and":
        lists = [list(itertools.islice(_branches(f, taken), MAX_BRANCHES)) for f in phi[1:]]
        yield from map(_joined, itertools.product(*lists))
    elif head == "or":
        last = phi[-1]
        tending = last[0] in ("all", "ex") and last[1].endswith("'")  # as the complement of a limit's definition
        for i, part in enumerate(phi[1:]):
            for b in _branches(part, taken):
                yield replace(b, plan=("or", i, b.plan), value=b.value or (tending and part[0] == "undef"))
    elif head == "imp":
        for i, part in enumerate((negate(phi[1]), phi[2])):
            for b in _branches(part, taken):
                yield replace(b, plan=("imp", i, b.plan))
    elif head == "ex":
        name = phi[1]
        while name in taken or (name != phi[1] and name in _binders(phi[2])):
            name += "'"
        taken.add(name)
        body = substitute(phi[2], phi[1], name) if name != phi[1] else phi[2]
        for b in _branches(body, taken):
            yield replace(b, plan=("ex", name, b.plan), variables=(name, *b.variables))
    elif head == "undef":
        yield from _undefined(phi[1], taken)
    else:
        yield Branch((), ("hard",), hard=(phi,))


def _binders(node: Node) -> set[str]:
    """The variables that the node binds anywhere: a new name may be none of them, or it would be captured."""
    names, nodes = set[str](), [node]
    for t in nodes:  # which grow in number
        if isinstance(t, tuple):
            outer, name, inner = children(t)
            nodes += (*outer, *inner)
            names |= set() if name is None else {name}
    return names


def _joined(choice: tuple[Branch, ...]) -> Branch:
    literals = tuple(dict.fromkeys(lit for b in choice for lit in b.literals))
    return Branch(literals, ("and", tuple(b.plan for b in choice)), tuple(v for b in choice for v in b.variables),
                  next((b.undefined for b in choice if b.undefined is not None), None),
                  tuple(h for b in choice for h in b.hard), any(b.value for b in choice))


def _undefined(term: Node, taken: set[str]) -> Iterator[Branch]:
    """One branch for each way in which a subterm's condition fails (the kernel's rule ``undefined``)."""
    partial = [s for s in occurring(term) if isinstance(s, tuple) and s[0] in UNSURE]
    for s in sorted(partial, key=lambda s: (len(str(s)), str(s))):
        for failing in failures(s):
            for b in _branches(failing, taken):
                yield replace(b, plan=("undef", s, failing, b.plan), undefined=b.undefined or s)


def failures(s: Node) -> list[Node]:
    """What makes the operation at the head of s undefined: the premises that the kernel's rule accepts."""
    if s[0] in FUNCTIONS:
        return FUNCTIONS[s[0]].failing(s)
    if s[0] == "diff":
        return [("undef", substitute(s[2], s[1], s[3]))]
    return [f for f in _at_head(s) if not _about_whole_numbers(f)]


def _at_head(s: Node) -> list[Node]:
    try:
        return list(kernel_failures(s))
    except KernelError:  # an end of the sum or integral speaks of its variable
        return []


def _about_whole_numbers(failing: Node) -> bool:
    """Does it say of an integer that it is none?"""
    return bool(failing[0] == "!=" and integer(failing[1][1]))


__all__ = ["Branch", "branches", "failures"]
