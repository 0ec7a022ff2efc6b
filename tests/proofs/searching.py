"""What a search makes of a statement, its certificate checked besides."""

from __future__ import annotations

from qtheory.proofs.api import read
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.search import search
from qtheory.proofs.verdict import Verdict


def verdict(goal: str, *where: str) -> str:
    statement = Statement(goal, where).parsed()
    found = search(statement, budget=10.0)
    if found.certificate is not None:
        check(found.certificate, statement)
    return found.verdict


def decided(goal: str, where: tuple[str, ...] = (), budget: float = 10.0) -> Verdict:
    """The verdict of ``prove``, which both checkers accept, without what that looks for in place of a refuted goal:
    this takes longer than most refutations, and is asked for in tests of its own."""
    return decide(read(goal, where), budget=budget)
