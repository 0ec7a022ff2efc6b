"""The strategies of the search: each does what its page says, and the page is that of the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

from qtheory.proofs.api import prove
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.plain import term_text
from qtheory.proofs.tactics.prover import prove_statement, prove_thoroughly, strategies
from qtheory.proofs.tactics.strategy import Strategy
from qtheory.proofs.tactics.telling import story, strategies_page, tally
from qtheory.proofs.tactics.tracing import Trace, traced
from qtheory.proofs.verdict import Verdict

PAGE = Path(__file__).parents[2] / "docs" / "strategies.md"
ALL = list(strategies())


def test_the_page_is_what_the_command_prints() -> None:
    assert PAGE.read_text(encoding="utf-8") == strategies_page()


def test_names_are_given_once_and_each_strategy_says_what_it_does() -> None:
    assert len({s.name for _, s in ALL}) == len(ALL) > 50
    assert all(s.does and (s.example or s.needs) for _, s in ALL)


@pytest.mark.parametrize(("question", "strategy"), [(q, s) for q, s in ALL if s.example], ids=lambda v: getattr(
    v, "name", ""))
def test_a_strategy_proves_its_example(question: str, strategy: Strategy) -> None:
    """Not alone, but it finds a step of the proof, which what is cheaper than it did not."""
    goal, *where = strategy.example
    statement = Statement(goal, tuple(where)).parsed()
    with traced() as trace:
        step = prove_thoroughly(statement, 5.0) if question.endswith("thoroughly") else prove_statement(statement, 5.0)
    assert trace is not None and step.concl == statement.conclusion and step.hyps <= set(statement.hypotheses)
    assert tally(trace)[strategy.name].found, sorted(tally(trace))


def explained(goal: str, where: str) -> tuple[Verdict, Trace]:
    with traced() as trace:
        verdict = prove(goal, where)
    assert trace is not None
    return verdict, trace


def test_a_search_tells_what_was_tried_what_it_cost_and_what_was_missing() -> None:
    verdict, trace = explained("log(1 + x) > x/(1 + x)", "x > 0")
    told = story(trace, term_text)
    assert verdict.verdict == "proved" and tally(trace)["mean value"].found == 1
    assert "balls: log(1 + x) - x/(1 + x) > 0: x has no numeric bounds" in told
    whole = next(e for e in trace.entries if e.strategy == "proof")
    assert whole.work >= sum(e.work for e in trace.entries if e.level == whole.level + 1)


def test_a_refutation_has_a_trace_too() -> None:
    verdict, trace = explained("x > 1", "x > 0")
    assert verdict.verdict == "refuted" and trace.entries[0].strategy == "counterexample"
