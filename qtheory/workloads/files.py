"""Reading a user's text file: whatever is wrong with it becomes one line that names the file."""

from __future__ import annotations

from pathlib import Path

from qtheory.errors import InputError


def read_text(path: Path, what: str) -> str:
    """The file's UTF-8 text without a byte-order mark. ``what`` says what the file should be."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text at byte {error.start}; {what}") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValueError as error:  # a null byte in the name
        raise InputError(f"{str(path)!r}: {error}") from None
