"""Single means of the search, asked alone: a run of all finds another proof, and would not notice their loss."""

from __future__ import annotations

import pytest

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Step, hyp
from qtheory.proofs.tactics.limits import limit
from qtheory.proofs.tactics.monotone import easier_shapes
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.prover import ORDINARY, THOROUGH
from qtheory.proofs.tactics.thorough import squares_strategy


def stated(text: str, *where: str) -> tuple[Node, list[Step]]:
    statement = Statement(text, where).parsed()
    return statement.conclusion, [hyp(h) for h in statement.hypotheses]


@pytest.mark.parametrize("goal", ["log(x)**2 + 1 >= 2*log(x)", "(log(x) - 1/x)**2 >= 0"])
def test_squares_of_terms_that_the_facts_define(goal: str) -> None:
    """The logarithm is defined because x > 1 makes x > 0, which nothing says in so many words."""
    wanted, facts = stated(goal, "x > 1")
    found = squares_strategy(THOROUGH.search(5.0), wanted, facts, 2)
    assert found.concl == wanted and found.hyps <= {f.concl for f in facts}


def test_what_is_divided_by_a_positive_factor_of_its_logarithm() -> None:
    (_, term), facts = stated("x*log(x) - x + 1 > 0", "x > 1")
    (whole, nothing), (divided, positive) = easier_shapes(ORDINARY.search(5.0), term, facts)
    assert (whole, nothing) == (term, None)
    assert positive is not None and positive.concl == ("and", (">", "x")), "what it is divided by is positive"
    for x in (2, 7):
        value, by = (float(evaluate(t, {"x": x})) for t in (term, divided))
        assert value == pytest.approx(x * by), "the term is x times what is yielded"


@pytest.mark.parametrize(("text", "finite"), [
    ("Limit((x + 1)/(x + 2), x, oo) == 1", True), ("Limit(3/x, x, oo) == 0", True),
    ("Limit(2*x + 1, x, oo) == oo", False)])
def test_explicit_bounds_far_out(text: str, finite: bool) -> None:
    """Finite limits by K/x, infinite ones by a line."""
    (_, _, rest), _ = stated(text)
    wanted, facts = (rest[2], [hyp(rest[1])]) if finite else (rest, [])
    found = limit(ORDINARY.search(5.0), wanted, facts, 3)
    assert found.concl == wanted and found.hyps <= {f.concl for f in facts}
