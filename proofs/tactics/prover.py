"""The provers: the tables of strategies, and of those who answer what the parts of a search ask one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.atoms import ATOMS, COMBINATION, STANDARD
from qtheory.proofs.tactics.builder import Step, hyp
from qtheory.proofs.tactics.conditions import conditions_of
from qtheory.proofs.tactics.definedness import define, with_signs
from qtheory.proofs.tactics.equations import differentiated
from qtheory.proofs.tactics.existence import EXISTENCES
from qtheory.proofs.tactics.given import in_its_way, learn, only, without_opened
from qtheory.proofs.tactics.guidance import NOTHING, Guidance
from qtheory.proofs.tactics.logic import FORMULAS, solve_with
from qtheory.proofs.tactics.simplify import simplified
from qtheory.proofs.tactics.state import Prover
from qtheory.proofs.tactics.strategy import Strategy, always, by_cost
from qtheory.proofs.tactics.thorough import EARLY, FURTHER
from qtheory.proofs.tactics.universal import universal
from qtheory.proofs.tactics.whole_numbers import whole_term

ORDINARY = Prover(FORMULAS, (), ATOMS, define, simplified, differentiated, whole_term, universal)
# tries more, which costs time in every attempt that fails, of which a search has many
THOROUGH = replace(ORDINARY, early=EARLY, atoms=by_cost(
    *(s for s in ATOMS if s is not COMBINATION), replace(COMBINATION, applies=always), *FURTHER), plain=ORDINARY)


def strategies() -> Iterator[tuple[str, Strategy]]:
    """Each strategy with the question that it answers, in the order in which they are tried."""
    for question, table in (("any formula", FORMULAS), ("an existence", EXISTENCES), ("a comparison", ATOMS),
                            ("a comparison in standard form", STANDARD),
                            ("a comparison, thoroughly", (*EARLY, *FURTHER))):
        for strategy in table:
            yield question, strategy


def prove_statement(statement: Statement, seconds: float, told: Guidance = NOTHING) -> Step:
    """A step whose conclusion is the statement's, from its hypotheses; ``seconds`` of work at most."""
    search = ORDINARY.search(seconds, told)
    facts = [hyp(h) for h in statement.hypotheses]
    facts += with_signs(search, conditions_of(facts), facts)
    learn(search, told.lemmas, facts)
    if told.goal is not None:
        only(search, told.goal.uses)
        step = in_its_way(search, told.goal, statement.conclusion, facts)
        if step is not None:
            return without_opened(search, step, 0)
    return without_opened(search, solve_with(search, statement.conclusion, facts, [], 6), 0)


def prove_thoroughly(statement: Statement, seconds: float) -> Step:
    """As ``prove_statement``, with the further strategies before the usual ones."""
    search = THOROUGH.search(seconds)
    facts = [hyp(h) for h in statement.hypotheses]
    facts += with_signs(search, conditions_of(facts), facts)
    return solve_with(search, statement.conclusion, facts, [], 6)


__all__ = ["ORDINARY", "THOROUGH", "prove_statement", "prove_thoroughly", "strategies"]
