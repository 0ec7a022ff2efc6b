"""The exceptions of the library: each message is one line that says what is wrong, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class QTheoryError(Exception):
    """Base class of every error that bad input can cause; the command line prints it and exits with status 2."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]


class InputError(QTheoryError, ValueError):
    """A value, file or option that cannot be used."""


class UnknownNameError(QTheoryError, KeyError):
    """A name that is not known; the message names the nearest known ones."""

    def __init__(self, kind: str, name: str, known: list[str]) -> None:
        from difflib import get_close_matches

        name = name if len(name) <= 80 else name[:77] + "..."
        starts = sorted(k for k in known if name and k.startswith(name))[:3]
        close = [k for k in get_close_matches(name, known, n=3, cutoff=0.4) if k not in starts]
        near = [*starts, *close][:3] or sorted(known)[:5]
        super().__init__(f"unknown {kind} {name!r}; nearest: {', '.join(near)}")

    def __str__(self) -> str:  # KeyError would print the repr of the message
        return str(self.args[0])


@contextmanager
def blaming(whose: str) -> Iterator[None]:
    """Whatever a stranger's code ends in, an exit included, is an InputError that says whose code it was."""
    try:
        yield
    except (QTheoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise InputError(f"{whose} failed: {told(error)}") from None


def told(error: BaseException) -> str:
    """Kind and text of an error, in a line; the text may be no text."""
    try:
        return " ".join(f"{type(error).__name__}: {error}".split())
    except BaseException:
        return type(error).__name__
