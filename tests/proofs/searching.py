"""What a search makes of a statement, its certificate checked besides."""

from __future__ import annotations

from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.search import search


def verdict(goal: str, *where: str) -> str:
    statement = Statement(goal, where).parsed()
    found = search(statement, budget=10.0)
    if found.certificate is not None:
        check(found.certificate, statement)
    return found.verdict
