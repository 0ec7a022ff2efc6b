"""The two checkers, asked for one certificate; what one of them rejects is rejected."""

from __future__ import annotations

from typing import Any

from qtheory.proofs.kernel.certificate import Reader
from qtheory.proofs.kernel.certificate import check as kernel_check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError


def both(data: Any, statement: Statement | None = None) -> tuple[Statement, Reader]:
    """Check a certificate by the kernel and by the second checker, for exactly this statement if one is given.

    Returns what it is about, as the kernel reads it. Raises KernelError for what either of them rejects.
    """
    found = kernel_check(data, statement)
    second(data, statement)
    return found


def second(data: Any, statement: Statement | None = None) -> None:
    """The second checker alone; whatever it raises is its rejection."""
    from qtheory.proofs.recheck import check

    try:
        check(data, None if statement is None else statement.to_json())
    except Exception as error:
        raise KernelError(f"the second checker disagrees: {error}") from None
