"""Profiles in files: reading TOML with errors that say where, and writing it whole or not at all."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from qtheory.errors import InputError
from qtheory.files import write_whole
from qtheory.profiles.schema import HardwareProfile

_PLACE = re.compile(r"\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


def read_profile(path: str | Path) -> HardwareProfile:
    """Read a profile from a TOML file.

    Raises InputError: for TOML that cannot be parsed with file, line and column, for a wrong field with file
    and key.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None
    return parse_profile(text, str(path))


def parse_profile(text: str, file: str) -> HardwareProfile:
    """Read a profile from TOML text; ``file`` names it in errors."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(toml_problem(text, file, str(error))) from None
    except RecursionError:
        raise InputError(f"{file}: nested too deeply to be a profile") from None
    return profile_from_dict(data, file)


def profile_from_dict(data: dict[str, Any], where: str) -> HardwareProfile:
    """Check plain data against the schema; raises InputError with ``where`` and the wrong key."""
    try:
        return HardwareProfile.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{where}: {first_problem(error)}") from None


def toml_problem(text: str, file: str, message: str) -> str:
    """What is wrong with a TOML text, with file, line and column."""
    place = _PLACE.search(message)
    if place is None:
        return f"{file}: {message}"
    lines = text.splitlines() or [""]
    line = int(place["line"] or len(lines))
    column = int(place["column"] or len(lines[-1]) + 1)
    return f"{file}:{line}:{column}: {message[: place.start()]}"


def first_problem(error: ValidationError, what: str = "profile") -> str:
    """The first thing that is wrong with a file, by its key."""
    problems = error.errors()
    first = problems[0]
    key = ".".join(str(part) for part in first["loc"]) or what
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = "unknown key"
    elif first["type"] == "missing":
        message = "missing"
    given = first.get("input")
    shown = "" if isinstance(given, (dict, list)) or first["type"] == "missing" else f" (given: {given!r})"
    more = f"; {len(problems) - 1} more" if len(problems) > 1 else ""
    return f"key '{key}': {message}{shown}{more}"


def write_profile(profile: HardwareProfile, path: str | Path) -> None:
    """Write a profile as TOML; the file appears whole or not at all. Raises InputError if it cannot be written."""
    write_whole(path, to_toml(profile))


def to_toml(profile: HardwareProfile) -> str:
    """The profile as TOML, readable back by ``parse_profile``."""
    return "\n".join(_table(profile.to_dict(), ())).lstrip("\n") + "\n"


def _table(data: dict[str, Any], path: tuple[str, ...]) -> list[str]:
    plain = {k: v for k, v in data.items() if not _is_table(v)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    if path and (lines or not data):
        lines.insert(0, f"\n[{'.'.join(map(_key, path))}]")
    for key, value in data.items():
        if isinstance(value, dict):
            lines += _table(value, (*path, key))
        elif _is_table(value):
            for element in value:
                part = _table(element, (*path, key))
                lines += [f"\n[[{'.'.join(map(_key, (*path, key)))}]]", *part[1:]]
    return lines


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's escapes are TOML's, except that TOML also wants DEL escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return "[" + ", ".join(_value(element) for element in value) + "]"
    return repr(value)
