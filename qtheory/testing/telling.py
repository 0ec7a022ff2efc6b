"""What is said while a theorem is made a test of, and what of an earlier run need not be tried again."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, TextIO

from qtheory import __version__
from qtheory.progress import progress_lines

if TYPE_CHECKING:  # the plugin is loaded in every run of pytest
    from qtheory.proofs.kernel.statements import Statement

TERMINAL: list[TextIO] = []  # standard error as it was before pytest kept it back, where it does


class Memory(Protocol):
    """What pytest keeps from run to run."""

    def get(self, key: str, default: bool) -> bool: ...

    def set(self, key: str, value: object) -> None: ...


MEMORY: list[Memory] = []  # of this run of pytest, where there is one


def known_undecided(statement: Statement, budget: float) -> bool:
    """Did an earlier run of pytest spend the budget on this statement, as it is typed, in vain?  A line says so."""
    found = bool(MEMORY) and MEMORY[-1].get(_key(statement, budget), False) is True
    if found:
        print(f"{statement.goal!r}: undecided in an earlier run with budget {budget:g}, and not refereed again "
              "(pytest --cache-clear forgets that)", file=TERMINAL[-1] if TERMINAL else sys.stderr, flush=True)
    return found


def keep_undecided(statement: Statement, budget: float) -> None:
    if MEMORY:
        MEMORY[-1].set(_key(statement, budget), True)


def _key(statement: Statement, budget: float) -> str:
    stated = repr((__version__, statement.goal, statement.where, statement.let, float(budget)))
    return f"qtheory/undecided/{hashlib.sha256(stated.encode()).hexdigest()}"


def slowly(label: str) -> AbstractContextManager[Callable[[float, float], None]]:
    return progress_lines(label, TERMINAL[-1] if TERMINAL else None)


__all__ = ["MEMORY", "TERMINAL", "Memory", "keep_undecided", "known_undecided", "slowly"]
