"""Numbers on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from qtheory.errors import InputError


def batch_sizes(given: Sequence[str] | None) -> list[int]:
    """The values of ``--batch``; InputError for one that is no integer of at least 1."""
    return [_size(text) for text in given or ()]


def _size(text: str) -> int:
    try:
        size = int(text)
    except ValueError:  # not a number, or one of thousands of digits
        size = 0
    if size < 1:
        raise InputError(f"--batch is {text[:40]!r}; it must be an integer of at least 1")
    return size
