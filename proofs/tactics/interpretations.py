"""Search: functions for a statement's function symbols, and values of its variables, at which its conditions hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice, product

from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free
from qtheory.proofs.proving.lines import Line, Proof, Terms
from qtheory.proofs.tactics.builder import RELATIONS, Step, Stuck
from qtheory.proofs.tactics.closed import place
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.tactics.elimination import fold
from qtheory.proofs.tactics.guidance import guidance
from qtheory.proofs.tactics.prover import prove_statement
from qtheory.proofs.tactics.refute import Meeting, Witness, meeting, witness

BUDGET, EACH, GIVEN = 1.0, 0.25, 20.0  # seconds of work: for the stock, for one of it, and for what a claim proposes
MOST = 60  # ways to take functions from the stock
STOCK = ("{x}", "1 + {0}", "{0}", "(1/2)**{x}", "2 + {0}", "Max(1 - {x}, {0})")
INDEX = "tau"  # of the functions; a symbol of that name keeps them from being found
WORD = re.compile(r"\w+")


def met_by(statement: Statement, instance: Sequence[str] = (), values: Terms = (),
           steps: tuple[Line, ...] = ()) -> tuple[tuple[str, ...], Witness | None]:
    """Definitions of its function symbols, and a witness for them; none where none was found.

    A proof may propose an ``instance``, definitions of functions and variables, ``values`` of other variables there,
    and the ``steps`` that show the conditions to be met by these.
    """
    if instance:
        with suppress(KernelError, Stuck):
            return tuple(instance), shown(statement.interpreted([*instance]), Proof(steps, values))
    symbols = [f for text in statement.where for f in declared(text, "functions")]
    if not symbols:
        return (), witness(statement, after(BUDGET))
    until = after(BUDGET)
    for definitions in (*stocked(statement, symbols, 1), *solved(statement, symbols), *stocked(statement, symbols)):
        if left(until) <= 0:
            break
        with suppress(KernelError):
            met = witness(statement.interpreted([*definitions]), min(until, after(EACH)))
            if met is not None:
                return definitions, met
    return (), None


def stocked(statement: Statement, symbols: Sequence[str], most: int = MOST) -> Iterator[tuple[str, ...]]:
    """First the same kind of function for all of them, then, where there are ``most`` ways, each with each."""
    arities = {s[1]: len(s) - 2 for f in (*statement.hypotheses, statement.conclusion) for s in applied(f)}
    kinds = [*([form] * len(symbols) for form in STOCK), *islice(product(STOCK, repeat=len(symbols)), most)]
    for forms in kinds:
        yield tuple(made(f, arities.get(f, 1), form) for f, form in zip(symbols, forms, strict=True))


def solved(statement: Statement, symbols: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Functions that are what a comparison of each index says of them, at numbers that meet the other conditions."""
    others = tuple(w for w in statement.where if declared(w, "functions") or not set(WORD.findall(w)) & {*symbols})
    found = witness(Statement("0 == 0", others, statement.let), after(EACH))
    numbers = {x: v for x, v in found.point.items() if isinstance(v, Fraction)} if found else {}
    fixed = tuple(f"{x} = {v}" for x, v in numbers.items() if not any(x in declared(w) for w in others))
    for sign in (ONE, MINUS):
        bodies = dict[str, str]()
        for formula in statement.hypotheses:
            for index, atom in atoms(formula):
                for s in applied(atom):
                    if len(s) == 3 and s[2] == index and s[1] not in bodies:
                        rest = fold(("*", sign, place(without(atom[1], s), {**numbers, index: INDEX})))
                        if not applied(rest):
                            named = "" if INDEX in free(rest) else f" + 0*{INDEX}"
                            bodies[s[1]] = f"{s[1]}({INDEX}) = {written(rest)}{named}"
        if bodies.keys() == {*symbols}:
            yield (*fixed, *bodies.values())


def written(term: Node) -> str:
    """A term without binders as the language has it, each part in parentheses."""
    if isinstance(term, str):
        return term
    if isinstance(term, Fraction):
        return f"({term})"
    head = {"^": "**", "max": "Max"}.get(term[0], term[0])
    parts = [written(part) for part in term[1:]]
    return f"({f' {head} '.join(parts)})" if head in ("+", "*", "**") else f"{head}({', '.join(parts)})"


def atoms(formula: Node, index: str = "") -> Iterator[tuple[str, Node]]:
    """Comparisons for each index, with its name."""
    if formula[0] == "all":
        yield from atoms(formula[2], formula[1])
    elif formula[0] == "imp":
        yield from atoms(formula[2], index)
    elif formula[0] == "and":
        for part in formula[1:]:
            yield from atoms(part, index)
    elif formula[0] in RELATIONS and index:
        yield index, formula


def without(term: Node, gone: Node) -> Node:
    """With 0 in its place."""
    if term == gone:
        return ZERO
    return (term[0], *(without(part, gone) for part in term[1:])) if isinstance(term, tuple) else term


def applied(node: Node) -> list[Node]:
    if not isinstance(node, tuple):
        return []
    own = [node] if node[0] == "app" else []
    return [*own, *(s for part in node[1:] for s in applied(part))]


def made(symbol: str, arity: int, form: str) -> str:
    names = [f"{INDEX}{n or ''}" for n in range(arity)]
    others = "".join(f" + 0*{x}" for x in names[1:])
    return f"{symbol}({', '.join(names)}) = {form.format(f'0*{INDEX}', x=INDEX)}{others}"


def shown(statement: Statement, how: Proof) -> Witness:
    """Each of what is owed by the search for points, or by the prover as the proof says. Stuck where both fail."""
    found = list[Meeting]()
    for formula in statement.owed:
        met = meeting(formula, after(EACH))
        found.append(met or (proved(statement, formula, how), {}))
    return Witness(tuple(step for step, _ in found), found[0][1] if found else {})


def proved(statement: Statement, formula: Node, how: Proof) -> Step:
    """The closed formula, as the goal of a statement in these definitions."""
    alone = Statement("0 == 0", (), statement.let)
    told = guidance(alone, how)
    alone.__dict__["formulas"] = (), formula  # which no text says
    return prove_statement(alone, GIVEN, told)


__all__ = ["met_by"]
