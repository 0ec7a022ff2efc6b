r"""A paper's own commands: what each stands for, where that is plain, and what of the text depends on a condition."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from qtheory.proofs.latexing import COMMANDS

MAX_LENGTH = 20_000  # characters of what is read as one piece
WORD = re.compile(r"\\([A-Za-z@]+|.)", re.DOTALL)
DEFINING = re.compile(r"\\((?:re|provide)?newcommand|renewcommand|providecommand|DeclareRobustCommand|[gex]?def|let|"
                      r"DeclareMathOperator|DeclarePairedDelimiter\w*|(?:New|Renew|Provide|Declare)\w*DocumentCommand|"
                      r"mathchardef|DeclareMathSymbol|newcommandx|renewcommandx|global\s*\\let)\*?\s*\{?\s*"
                      r"\\([A-Za-z@]+|.)\s*\}?")
ONCE = ("newcommand", "DeclareMathOperator")  # which define what has no meaning yet
BRANCH = re.compile(r"\\(newif\s*\\if[A-Za-z@]*|if(?!f(?![A-Za-z])|thenelse|then)[A-Za-z@]*|else|fi)(?![A-Za-z@])")


@dataclass(frozen=True)
class Macro:
    """What a command of the paper stands for; ``body`` is None where that is not plain."""

    arguments: int = 0
    body: str | None = None


def argument_at(text: str, at: int) -> tuple[str, int]:
    """What TeX takes for an argument there, and where it ends."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at < len(text) and text[at] == "{":
        end = closing(text, at)
        return text[at + 1:end], end + 1
    found = WORD.match(text, at)
    end = found.end() if found else at + 1
    return text[at:end], end


def closing(text: str, at: int) -> int:
    """Where the brace that opens at the place is closed; the end of what is read, if it is not."""
    depth = 0
    for m in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at, at + MAX_LENGTH):
        depth += {"{": 1, "}": -1}.get(m.group(), 0)
        if depth == 0 and m.group() == "}":
            return m.start()
    return min(len(text), at + MAX_LENGTH)


def macros(preamble: str, body: str) -> dict[str, Macro]:
    """The paper's own commands. One is plain that is defined once, with all its arguments needed, in the preamble and
    under no condition."""
    out: dict[str, Macro] = {}
    branches = list(branched(preamble))
    for m in DEFINING.finditer(preamble):
        if touched(branches, m.start(), m.end()):
            out[m[2]] = Macro()
        else:
            refused = m[1] in ONCE and m[2] in COMMANDS  # TeX stops there, and keeps what it had if it goes on
            out[m[2]] = Macro() if m[2] in out or refused else _defined(preamble, m)
    out |= {m[2]: Macro() for m in DEFINING.finditer(body)}
    return out


def _defined(text: str, m: re.Match[str]) -> Macro:
    how, at = m[1], m.end()
    if how == "DeclareMathOperator":
        name, _ = argument_at(text, at)
        return Macro(0, rf"\operatorname{{{name}}}") if name.isalpha() else Macro()
    if how in ("newcommand", "renewcommand", "DeclareRobustCommand"):
        count = re.compile(r"\s*\[(\d)\]").match(text, at)
        at = count.end() if count else at
        if re.compile(r"\s*\[").match(text, at):  # an argument that may be left out
            return Macro()
        return Macro(int(count[1]) if count else 0, _body(text, at))
    if how == "def":
        parameters = re.compile(r"\s*((?:#\d)*)\s*(?=\{)").match(text, at)
        return Macro(parameters[1].count("#"), _body(text, parameters.end())) if parameters else Macro()
    return Macro()


def _body(text: str, at: int) -> str | None:
    found = re.compile(r"\s*(?=\{)").match(text, at)
    return None if found is None else text[found.end() + 1:closing(text, found.end())].strip()


def branched(text: str) -> Iterator[tuple[int, int]]:
    """Where the text depends on a condition, which only TeX can decide."""
    depth, start = 0, 0
    for m in BRANCH.finditer(text):
        if m[1].startswith("newif"):
            continue
        if m[1].startswith("if"):
            start, depth = (m.start(), 1) if depth == 0 else (start, depth + 1)
        elif m[1] == "fi" and depth:
            depth -= 1
            if depth == 0:
                yield start, m.end()
    if depth:
        yield start, len(text)


def touched(ranges: list[tuple[int, int]], start: int, end: int) -> bool:
    """Does one of the ranges, which stand in their order, meet the text from start to end?"""
    at = bisect.bisect_left(ranges, (end, 0)) - 1
    return at >= 0 and ranges[at][1] > start


__all__ = ["BRANCH", "DEFINING", "MAX_LENGTH", "WORD", "Macro", "argument_at", "branched", "closing", "macros",
           "touched"]
