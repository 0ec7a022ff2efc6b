"""What a limit, or a sum or integral to infinity, is where a refuted goal says another: SymPy's answer, once proved."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import sympy

from qtheory.proofs.decide import decide
from qtheory.proofs.kernel import grammar
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, free, substitute
from qtheory.proofs.plain import term_text
from qtheory.proofs.suggest import stated_limit
from qtheory.proofs.tactics.bridge import answer, from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.verdict import Verdict

UNITS = 6.0  # of work for the proofs, that in general and that at the counterexample
WORDS = {"sum": "the sum", "int": "the integral"}
MINUS_OO: Node = ("*", Fraction(-1), grammar.OO)
INFINITE: dict[Any, Node] = {sympy.oo: grammar.OO, -sympy.oo: MINUS_OO}


def true_limit(statement: Statement, refuted: Verdict, budget: float) -> str:
    """What is said of the limit that a goal is wrong about; empty for other goals, and where none is proved in time."""
    found = stated_limit(statement)
    if found is None:
        return ""
    deadline = after(min(UNITS, budget))
    whole = found.arguments[0]
    word = WORDS.get(whole[0], "") if found.arguments[1] == "b'" else "the limit"
    here = {v: Fraction(q) for v, q in (refuted.counterexample or {}).items() if not q.startswith("[")}
    tries = [(word, statement.where, statement.let, dict[str, Fraction]()), (f"{word} there", (), (), here)]
    tries = tries[: 1 + bool(here)]
    for i, (said, where, let, at) in enumerate(tries):
        with suppress(Stuck, KernelError, ValueError, TypeError, NotImplementedError):
            *parts, _ = (_at(part, at) for part in found.arguments)
            value = _value(parts, _positive(statement))
            text = term_text(_says(parts, value))
            known = Statement(text, where, let).parsed()
            if decide(known, budget=left(deadline) / (len(tries) - i)).verdict == "proved":
                return f"{said} is {term_text(value)}"
    return ""


def _positive(statement: Statement) -> frozenset[str]:
    return frozenset(h[1] for h in statement.hypotheses if h[0] == ">" and isinstance(h[1], str))


def _at(node: Node, point: Mapping[str, Fraction]) -> Node:
    """The node with numbers for the variables that are free in it; a side of a limit is none."""
    for v, q in point.items():
        node = substitute(node, v, q) if isinstance(node, tuple) and v in free(node) else q if node == v else node
    return node


def _says(parts: list[Node], value: Node) -> Node:
    """The formula that says that the value is the limit."""
    f, x, *place = parts
    if x == "b'":
        return grammar.equation((*f[:3], grammar.OO, f[4]), value)
    if not place:
        return grammar.sequence_limit(f, x, value)
    to, side = place
    return grammar.tends(f, x, to, side, value)


def _value(parts: list[Node], positive: frozenset[str]) -> Node:
    """What SymPy says that it is."""
    f, x, *place = parts
    if x == "b'":
        _, k, low, _, body = f
        rule = sympy.integrate if f[0] == "int" else sympy.summation
        span = to_sympy(k), to_sympy(low, positive), sympy.oo
        found = answer(lambda: rule(to_sympy(body, positive), span))
    else:
        a, side = place or (grammar.OO, "-")
        known = positive | ({x} if a == grammar.OO else set())
        to = sympy.oo if a == grammar.OO else -sympy.oo if a == MINUS_OO else to_sympy(a, positive)
        found = answer(lambda: sympy.limit(to_sympy(f, known), to_sympy(x, known), to, side))
    return INFINITE[found] if found in INFINITE else from_sympy(answer(lambda: sympy.simplify(found)))
