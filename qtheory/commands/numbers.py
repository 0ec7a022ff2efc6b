"""Numbers on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from qtheory.errors import InputError


def batch_sizes(given: Sequence[str] | None) -> list[int]:
    """The values of ``--batch``; InputError for one that is no integer."""
    return [_size(text) for text in given or ()]


def _size(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # not a number, or one of thousands of digits
        raise InputError(f"--batch is {text[:40]!r}; it must be an integer of at least 1") from None
