"""Extra conditions under which a refuted goal might hold: guesses from the counterexample, weakest first."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from qtheory.proofs.decide import boxed, decide, fulfilled
from qtheory.proofs.kernel.grammar import Parser
from qtheory.proofs.kernel.statements import Statement, StatementError, conjuncts
from qtheory.proofs.kernel.terms import ONE, Node, free, ge, gt, integer, neg_term, subterms
from qtheory.proofs.printing import term_text

SECONDS = 0.6  # for all guesses together: a refutation should not wait long for its repair
MOST = 24


def weakest_repair(statement: Statement, point: Mapping[str, Any], undefined: str | None, seconds: float) -> str | None:
    """The first guessed condition with which the goal is proved, and can be met; None where none is found in time."""
    deadline = time.monotonic() + min(SECONDS, seconds)
    box = boxed(point)
    seen: set[Node] = set()
    for guess in itertools.islice(guesses(statement, box, undefined), 4 * MOST):
        if guess in seen or guess in statement.hypotheses or fulfilled(guess, box) is not False or len(seen) >= MOST:
            continue
        seen.add(guess)
        left = deadline - time.monotonic()
        if left <= 0.02:
            return None
        repaired = with_condition(statement, term_text(guess))
        if repaired is None:
            continue
        verdict = decide(repaired, budget=left / 2)
        if verdict.verdict == "proved" and verdict.witness is not None:
            return term_text(guess)
    return None


def with_condition(statement: Statement, text: str) -> Statement | None:
    try:
        return Statement(statement.goal, (*statement.where, text), statement.let).parsed()
    except StatementError:
        return None


def guesses(statement: Statement, box: Mapping[str, tuple[Fraction, Fraction]],
            undefined: str | None) -> Iterator[Node]:
    """Conditions that the counterexample breaks come first where they are weak: !=, then >=, then >."""
    yield from needs(statement, undefined)
    yield from (("!=", h[1]) for h in statement.hypotheses if h[0] == ">=")
    yield from (gt_of(h) for h in statement.hypotheses if h[0] == ">=")
    names = [x for x in sorted(free(statement.conclusion)) if x in box]
    for x in names:
        yield ("!=", x)
    for build in (ge, gt):
        for x in names:
            yield from (build(x, n) if n else (build(x, n)[0], x) for n in (Fraction(0), ONE, Fraction(-1)))
            yield from (build(n, x) if n else (build(x, n)[0], neg_term(x)) for n in (ONE, Fraction(0)))
        for x, y in itertools.permutations(names[:5], 2):
            yield build(x, y)


def gt_of(h: Node) -> Node:
    return (">", h[1])


def needs(statement: Statement, undefined: str | None) -> Iterator[Node]:
    """What the undefined subterm, or else any partial operation of the goal, needs in order to have a value."""
    if undefined is None:
        return
    try:
        term = Parser(undefined, {}, set()).whole()
    except StatementError:
        return
    inside = [s for atom in conjuncts(("and", statement.conclusion)) for t in atom[1:] for s in subterms(t)
              if atom[0] in (">", ">=", "=", "!=")]
    for s in [t for t in subterms(term) if t in inside] or [term]:
        if not isinstance(s, tuple):
            continue
        if s[0] == "log":
            yield ("!=", s[1])
            yield (">", s[1])
        elif s[0] == "sqrt":
            yield (">=", s[1])
        elif s[0] == "^":
            if integer(s[2]):
                yield ("!=", s[1])
            yield (">=", s[1])
            yield (">", s[1])
