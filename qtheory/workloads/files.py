"""Reading a user's text file: whatever is wrong with it becomes one line that names the file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def read_json_lines(path: Path, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file that has one a line, each with the number of its line."""
    for line, text in enumerate(read_text(path, what).splitlines(), 1):
        if text.strip():
            try:
                row = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {line}: not JSON: {error}") from None
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {line}: not a JSON object")
            yield line, row
