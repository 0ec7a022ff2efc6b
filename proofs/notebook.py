"""What a notebook calls by ``qt``: the same functions as elsewhere, with calls that do not fit told in one line."""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from typing import Any

from qtheory.errors import InputError
from qtheory.progress import progress_lines
from qtheory.proofs import api, corpus
from qtheory.proofs.arguments import fitting
from qtheory.proofs.verdict import Verdict


@wraps(api.prove)
def _prove(goal: Any, where: Any = (), **options: Any) -> Verdict:
    if isinstance(goal, list | tuple | dict):
        raise InputError(f"prove: the goal comes first and is one statement, not a {type(goal).__name__}; its "
                         "conditions come second: prove('x > 0', ['x > 1'])")
    return api.prove(goal, where, **options)


prove = fitting(_prove, conditions="conditions are given as where=...")


@fitting
@wraps(corpus.verify)
def verify(ids: str | Iterable[str] = (), **options: Any) -> list[Verdict]:
    names = api.listed(ids, "ids")
    if "progress" in options:
        return corpus.verify(names, **options)
    with progress_lines("refereeing") as progress:
        return corpus.verify(names, progress=progress, **options)


__all__ = ["prove", "verify"]
