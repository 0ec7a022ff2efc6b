"""What a module's statements come to while pytest collects its tests: an error of one does not keep the others away.

What the collected module's own code asks for and cannot have is put off: its error is raised by the test that it was
for, and by an item of its own where pytest collects no such test.  In any other module, a helper or a conftest, it is
raised at once: which file is told of it would depend on which imports that module first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar, cast

from qtheory.errors import QTheoryError
from qtheory.proofs.arguments import ArgumentsError, fitting

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(eq=False)
class PutOff:
    """An error, and the call and the line that it comes from."""

    call: str
    line: int
    error: QTheoryError | AssertionError


@dataclass
class Collected:
    """A module that is being collected, and what is put off in it."""

    path: Path
    kept: list[PutOff] = field(default_factory=list)


COLLECTED: list[Collected] = []  # the last one is collected now: a test may run pytest in turn
FAILING = "_fails_for_its_claim"  # the attribute of a test that raises such an error
RAISED = "_raised_by_a_test"  # the attribute of an error that a strategy has raised in the test that draws from it
KEPT = "_put_off_by_qtheory"  # what is put off in a module stays with it: pytest may collect it again


def put_off(call: str, error: QTheoryError | AssertionError) -> bool:
    """Is the error kept for a test?  It is where the code of the module that pytest collects made the call."""
    frame = _caller()
    if not COLLECTED or not _is_file(frame.f_globals.get("__file__"), COLLECTED[-1].path):
        return False
    kept = COLLECTED[-1].kept = frame.f_globals.setdefault(KEPT, COLLECTED[-1].kept)
    if all(k.error is not error for k in kept):
        kept.append(PutOff(call, frame.f_lineno, error))
    return True


def asked_for(failing: Callable[[QTheoryError], Any], function: Function, **elsewhere: str) -> Function:
    """The function as ``fitting`` makes it; ``failing``: what stands for its value where such an error is put off."""
    inner = fitting(function, **elsewhere)

    @wraps(function)
    def called(*arguments: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        try:
            return inner(*arguments, **named)
        except ArgumentsError as error:
            if not put_off(f"{function.__name__}({', '.join(repr(str(a)) for a in arguments[:1])})", error):
                raise
            return failing(error)

    return cast(Function, called)


def failing_for(test: object) -> QTheoryError | None:
    """The error that the test raises for its claim."""
    with suppress(Exception):  # whatever stands in a module is looked at, and may object
        error = getattr(test, FAILING, None)
        return error if isinstance(error, QTheoryError) else None
    return None


def _caller() -> FrameType:
    """The place, outside of this library, that called it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "qtheory":
        frame = frame.f_back
    return frame


def _is_file(name: object, path: Path) -> bool:
    return isinstance(name, str) and os.path.realpath(name) == os.path.realpath(path)


__all__ = ["COLLECTED", "FAILING", "KEPT", "RAISED", "Collected", "PutOff", "asked_for", "failing_for", "put_off"]
