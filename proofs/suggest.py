"""What is proposed in place of a refuted goal: extra conditions under which it might hold, guessed from the
counterexample, the weakest first; of a limit its value."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from qtheory.proofs.decide import decide
from qtheory.proofs.decimals import Box, boxed, fulfilled
from qtheory.proofs.kernel.grammar import Macro, Parser, StatementError
from qtheory.proofs.kernel.named import LAWS
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.statements import Statement, declared, definition
from qtheory.proofs.kernel.terms import KernelError, Node, free, integer, subterms
from qtheory.proofs.notation import recognise
from qtheory.proofs.plain import term_text
from qtheory.proofs.signs import Notation
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.verdict import Verdict

SECONDS, SLICE = 0.5, 0.15  # for all guesses together, and for one: a refutation should not wait long for its repair
DEFINED = 1.0  # for one that an undefined term needs: it is likely to be what was forgotten


def hint(statement: Statement, refuted: Verdict, budget: float) -> str:
    """What is said of what is true instead, where that is proved in time, and of what may have been meant."""
    true = ""
    if stated_limit(statement) is not None:
        from qtheory.proofs.true_limits import true_limit  # which loads SymPy

        true = true_limit(statement, refuted, budget)
    euler = "e is a variable here, and Euler's number is exp(1)" if "e" in statement.variables else ""
    law = law_needs(statement, refuted.undefined) if refuted.undefined else ""
    return "; ".join(filter(None, (law, true or extra_condition(statement, refuted, budget), euler)))


def law_needs(statement: Statement, undefined: str) -> str:
    """What a law that is typed in the goal needs of its parameters, where the undefined term says that and no more."""
    macros: dict[str, Macro] = {}
    functions = {f for w in statement.where for f in declared(w, "functions")}
    for text in statement.let:
        name, macro = definition(text, macros, functions)
        macros[name] = macro
    for found in re.finditer(rf"\b(?:{'|'.join(LAWS)})\(", statement.goal):
        depths = itertools.accumulate({"(": 1, ")": -1}.get(c, 0) for c in statement.goal[found.end() - 1:])
        typed = statement.goal[found.start():found.end() + next((i for i, d in enumerate(depths) if d == 0), 0)]
        with suppress(KernelError):
            _, name, *given = Parser(typed, macros, functions).whole()
            for duty in LAWS[name]("x'", *given).valid:
                if isinstance(duty, tuple) and duty[0] in ("log", "sqrt") and term_text(duty) == undefined:
                    least = isinstance(duty[1], tuple) and duty[1][0] == "*" and duty[0] == "sqrt"
                    wanted = compared(">" if duty[0] == "log" else ">=", duty[1])
                    return f"{typed} needs {'masses with the sum 1' if least else wanted}"
    return ""


def stated_limit(statement: Statement) -> Notation | None:
    """The goal as a limit, or a sum or integral to infinity, and what it is said to be; None for other goals."""
    found = recognise(statement.conclusion)
    return found if found is not None and found.name in ("Limit", "SequenceLimit") else None


def extra_condition(statement: Statement, refuted: Verdict, seconds: float) -> str:
    """What is said of the condition with which a refuted goal is proved; empty where none is found in time."""
    point = refuted.counterexample
    repair = weakest_repair(statement, point, refuted.undefined, seconds) if point else None
    return f"proved with the extra condition{'s' * (' and ' in repair)} {repair}" if repair else ""


def weakest_repair(statement: Statement, point: Mapping[str, Any], undefined: str | None, seconds: float) -> str | None:
    """The first guessed condition with which the goal is proved, and can be met; None where none is found in time."""
    most = SECONDS if undefined is None else SECONDS + DEFINED
    return _repair(statement, point, undefined, after(min(most, seconds)), more=True)


def _repair(statement: Statement, point: Mapping[str, Any], undefined: str | None, deadline: float, more: bool
            ) -> str | None:
    """As `weakest_repair`; ``more``: where a sign that the goal's own quotients and roots want does not suffice, a
    second condition is looked for that does with it."""
    box = boxed(point)
    wanted, likely = list(dict.fromkeys(wants(statement))), set(needs(statement, undefined))
    for text in dict.fromkeys(guesses(statement, box, undefined)):
        if left(deadline) < 0.02:
            return None
        repaired = sharpened(statement, text, box)
        if repaired is not None:
            part = DEFINED if text in likely else SLICE
            verdict = decide(repaired, budget=min(part, left(deadline)))
            if verdict.verdict == "proved" and verdict.witness is not None:
                return text
            if more and text in wanted and verdict.verdict == "refuted" and verdict.counterexample:
                second = _repair(repaired, verdict.counterexample, verdict.undefined, deadline, more=False)
                if second is not None:
                    return f"{text} and {second}"
    return None


def sharpened(statement: Statement, text: str, box: Box) -> Statement | None:
    """The statement with the condition, if that excludes the counterexample and is neither the goal itself nor an
    equation in disguise."""
    try:
        repaired = Statement(statement.goal, (*statement.where, text), statement.let).parsed()
    except StatementError:
        return None
    guess = repaired.hypotheses[-1]
    trivial = guess == statement.conclusion or guess in statement.hypotheses
    return None if trivial or fulfilled(guess, box) is not False or forces_equality(guess, statement) else repaired


def forces_equality(guess: Node, statement: Statement) -> bool:
    """t >= 0 where the conditions say -t >= 0 already."""
    try:
        return guess[0] == ">=" and any(h[0] == ">=" and Forms().zero(("+", h[1], guess[1]))
                                        for h in statement.hypotheses)
    except KernelError:
        return False


def guesses(statement: Statement, box: Box, undefined: str | None) -> Iterator[str]:
    """Conditions as text, the weaker ones first."""
    yield from (compared(">", h[1]) for h in statement.hypotheses if h[0] == ">=")
    yield from needs(statement, undefined)
    yield from wants(statement)
    names = [x for x in sorted(free(statement.conclusion)) if x in box]
    for bound in ("{} != 0", "{} >= 0", "{} > 0"):  # before an order of two names, which may imply a sign by accident
        yield from (bound.format(x) for x in names)
    pairs = list(itertools.permutations(names[:5], 2))
    yield from (f"{y} <= {x}" for x, y in pairs)
    for bound in ("{} >= 1", "{} > 1", "{} >= -1", "{} <= 1", "{} < 1", "{} <= 0", "{} < 0"):
        yield from (bound.format(x) for x in names)
    yield from (f"{y} < {x}" for x, y in pairs)


def needs(statement: Statement, undefined: str | None) -> Iterator[str]:
    """What the undefined subterm needs in order to have a value."""
    if undefined is None:
        return
    try:
        term = Parser(undefined, {}, {f for w in statement.where for f in declared(w, "functions")}).whole()
    except StatementError:
        return
    for s in sorted(set(subterms(term)), key=lambda t: len(repr(t))):
        if not isinstance(s, tuple) or s[0] not in ("log", "sqrt", "^"):
            continue
        kind = s[0] if s[0] != "^" else "quotient" if integer(s[2]) else "power"
        relations = {"log": ("!=", ">"), "sqrt": (">=",), "quotient": ("!=", ">"), "power": (">=", ">")}[kind]
        for relation in relations:
            yield from comparisons(relation, s[1])


def wants(statement: Statement) -> Iterator[str]:
    """The signs under which the goal's quotients, roots and logarithms of sums are those that their authors think of:
    ``lam < mu`` for 1/(mu - lam)."""
    for s in subterms(statement.conclusion):
        if isinstance(s, tuple) and (s[0] in ("log", "sqrt") or (s[0] == "^" and s[2] == -1)):
            for part in subterms(s[1]) if isinstance(s[1], tuple) and s[1][0] == "*" else (s[1],):
                if isinstance(part, tuple) and part[0] == "+" and _algebraic(part):
                    yield from comparisons(">=" if s[0] == "sqrt" else ">", part)


def _algebraic(term: Node) -> bool:
    return not any(isinstance(t, tuple) and t[0] not in ("+", "*", "^") for t in subterms(term))


def comparisons(relation: str, term: Node) -> Iterator[str]:
    """The term's comparison with 0, first without a symbol by which it divides: ``k < N`` for 1 - k/N, as if N > 0."""
    below = {s[1] for s in subterms(term) if isinstance(s, tuple) and s[0] == "^" and s[2] == -1}
    if len(below) == 1 and isinstance(d := below.pop(), str) and isinstance(term, tuple) and term[0] == "+":
        yield compared(relation, ("+", *(t if sign > 0 else ("*", Fraction(-1), t)
                                         for sign, part in _summands(term, 1) for t in [_times(part, d)])))
    yield compared(relation, term)


def _times(term: Node, d: str) -> Node:
    """The term times a symbol by which it may divide."""
    over = ("^", d, Fraction(-1))
    factors = list(term[1:]) if isinstance(term, tuple) and term[0] == "*" else [term]
    if over in factors:
        factors.remove(over)
    else:
        factors = [f for f in (*factors, d) if f != 1]
    return ("*", *factors) if len(factors) > 1 else factors[0] if factors else Fraction(1)


def compared(relation: str, term: Node) -> str:
    """A term's comparison with 0 as one would write it: what is subtracted stands on the left, ``lam < mu``."""
    less, more = (tuple(t for sign, t in _summands(term, 1) if sign == s) for s in (-1, 1))
    if relation == "!=" or not less:
        return term_text((relation, term))
    turned = {">": "<", ">=": "<="}[relation]
    return f"{term_text(('+', *less))} {turned} {term_text(('+', *more)) if more else '0'}"


def _summands(term: Node, sign: int) -> Iterator[tuple[int, Node]]:
    """The parts of a sum, each with its sign; numbers are told by their own, and 0 is left out."""
    if isinstance(term, tuple) and term[0] == "+":
        for part in term[1:]:
            yield from _summands(part, sign)
    elif isinstance(term, tuple) and term[:2] == ("*", -1) and len(term) == 3:
        yield from _summands(term[2], -sign)
    elif isinstance(term, Fraction):
        yield from [(sign if term > 0 else -sign, abs(term))] * (term != 0)
    else:
        yield sign, term
