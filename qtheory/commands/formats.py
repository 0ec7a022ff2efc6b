"""The output formats that every command with a verdict or a number offers."""

from __future__ import annotations

from enum import StrEnum


class OutputFormat(StrEnum):
    text = "text"
    json = "json"
