"""A statement in LaTeX as its file has it: sides where they were typed, definitions as names and told behind it.

Browsers do not break a formula into lines. So a statement is cut where it may be: between its conditions, and at the
signs between the parts of its conclusion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from qtheory.proofs.alike import look_alike
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.printing import LatexPrinter, statement_latex
from qtheory.proofs.steps import NAME, condition_latex, definition_latex, goal_latex

BEFORE_CONDITIONS = r" \quad \text{for } "
BETWEEN_CONDITIONS = r",\;"
BETWEEN_PARTS = (r"\;\wedge\;", r"\;\Longrightarrow\;", r"\;\Longleftrightarrow\;", r"\;\vee\;")
OPEN, CLOSED = frozenset("([{"), frozenset(")]}")


@cache
def printed(statement: Statement) -> str:
    """The goal, its conditions and its definitions, in the form of a verdict's ``latex``; where names would look alike,
    or something cannot be shown so, as the kernel has it, definitions put in."""
    parsed = statement.parsed()
    whole = statement_latex(parsed)
    printer = LatexPrinter()
    printer.statement(parsed)
    functions = [f for text in statement.where for f in declared(text, "functions")]
    goal = goal_latex(statement.goal, functions, statement.let)
    defined = {NAME.findall(text)[0] for text in statement.let}
    alike = look_alike(NAME.findall(" ".join((statement.goal, *statement.where, *statement.let))))
    if printer.alike() or alike & defined or goal is None:
        return whole
    beside = []
    for text in statement.where:
        shown = _alone(text) if declared(text) else condition_latex(text, functions, statement.let)
        if shown is None:
            return whole
        beside.append(shown)
    beside += [definition_latex(text, functions, statement.let) for text in statement.let]
    return goal + (BEFORE_CONDITIONS + f"{BETWEEN_CONDITIONS} ".join(beside) if beside else "")


def _alone(text: str) -> str:
    """A condition by itself: a declaration."""
    return statement_latex(Statement("0 < 1", (text,)).parsed()).partition(BEFORE_CONDITIONS)[2]


def statement_lines(latex: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of the conclusion, and the conditions, of a statement's LaTeX, each to be set by itself."""
    goal, _, conditions = latex.partition(BEFORE_CONDITIONS)
    return tuple(_cut(goal, BETWEEN_PARTS)), tuple(filter(None, _cut(conditions, (BETWEEN_CONDITIONS,), kept=False)))


def _cut(text: str, signs: tuple[str, ...], *, kept: bool = True) -> Iterator[str]:
    """The text cut at these signs where no bracket is open; ``kept``: each piece but the first begins with its sign,
    else no quantifier is cut from what it says, which stands behind its colon."""
    depth, start, at, quantified = 0, 0, 0, False
    sign = re.compile("|".join(map(re.escape, signs)))
    while at < len(text):
        found = sign.match(text, at) if depth == 0 and not quantified else None
        if found:
            yield text[start:at].strip()
            start = at if kept else found.end()
            at = found.end()
            continue
        depth += (text[at] in OPEN) - (text[at] in CLOSED)
        if depth == 0 and not kept:
            quantified = text.startswith((r"\forall", r"\exists"), at) or (quantified and text[at] != ":")
        at += 1
    yield text[start:].strip()


__all__ = ["printed", "statement_lines"]
