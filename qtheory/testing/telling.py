"""What is said while a theorem is made a test of, where that takes longer than two seconds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TextIO

from qtheory.progress import progress_lines

TERMINAL: list[TextIO] = []  # standard error as it was before pytest kept it back, where it does


def slowly(label: str) -> AbstractContextManager[Callable[[float, float], None]]:
    return progress_lines(label, TERMINAL[-1] if TERMINAL else None)


__all__ = ["TERMINAL", "slowly"]
