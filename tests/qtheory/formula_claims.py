"""The claim that proves a formula of the theory, built from the function's own expression."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from qtheory.proofs.importing import statement_texts
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.search import search


def assert_proved(goal: sp.Basic, where: Sequence[str]) -> None:
    """The goal is proved on the conditions, by a certificate that the kernel accepts for it."""
    text, conditions = statement_texts(goal, where)
    statement = Statement(text, tuple(conditions)).parsed()
    outcome = search(statement, budget=10.0)
    assert outcome.verdict == "proved", outcome.obstacle
    check(outcome.certificate, statement)
