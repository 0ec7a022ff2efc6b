"""What a notebook calls by ``qt``: the same functions as elsewhere, with calls that do not fit told in one line."""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from typing import Any

from qtheory.proofs import api, corpus
from qtheory.proofs.arguments import fitting
from qtheory.proofs.verdict import Verdict

prove = fitting(api.prove, conditions="conditions are given as where=...")


@fitting
@wraps(corpus.verify)
def verify(ids: str | Iterable[str] = (), **options: Any) -> list[Verdict]:
    return corpus.verify(api.listed(ids, "ids"), **options)


__all__ = ["prove", "verify"]
