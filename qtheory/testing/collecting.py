"""What a module's statements come to while pytest collects its tests: an error of one does not keep the others away.

A conjecture, or a strategy of cases, that cannot be had is put off: its error is raised by the test that it was for,
and by an item of its own where there is none.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from qtheory.errors import QTheoryError


@dataclass(eq=False)
class PutOff:
    """An error, the call and the line that it comes from, and whether a test is known that raises it."""

    call: str
    line: int
    error: QTheoryError
    raised: bool = False


FAILING = "_fails_for_its_claim"  # the attribute of a test that raises such an error
COLLECTED: list[list[PutOff]] = []  # a list for the module that is being collected; a test may run pytest in turn


def put_off(call: str, error: QTheoryError) -> bool:
    """Is the error kept for a test?  It is while pytest collects a module, and at no other time."""
    if COLLECTED:
        COLLECTED[-1].append(PutOff(call, _line(), error))
    return bool(COLLECTED)


def raised(error: QTheoryError) -> None:
    """A test will raise the error."""
    for kept in (k for module in COLLECTED for k in module if k.error is error):
        kept.raised = True


def _line() -> int:
    """The line, outside of this library, that called it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "qtheory":
        frame = frame.f_back
    return frame.f_lineno


__all__ = ["COLLECTED", "FAILING", "PutOff", "put_off", "raised"]
