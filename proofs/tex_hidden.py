r"""Where a paper's text goes through commands and environments of its own that need not print it: ``\ignore{..}``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from qtheory.proofs.tex_macros import Macro
from qtheory.proofs.tex_numbers import GROUP

DEFINERS = ("newcommand", "renewcommand", "providecommand", "newenvironment", "renewenvironment", "NewDocumentCommand",
            "RenewDocumentCommand", "ProvideDocumentCommand", "DeclareRobustCommand")
LATER = ("AtBeginDocument", "AtEndDocument", "sbox", "savebox", "phantom", "@gobble")  # or never
ENVIRONMENTS = re.compile(r"\\((?:re)?newenvironment|newenvironmentx|(?:New|Renew|Provide|Declare)DocumentEnvironment|"
                          r"(?:Ren|N)ewEnviron|excludecomment|specialcomment|lstnewenvironment|newminted|"
                          r"(?:Define|Recustom)VerbatimEnvironment)\*?\s*(?:\[[^\]]*\])?\s*\{([^{}]+)\}")
# What may keep from print, or print later, what it is given
HIDING = re.compile(r"\\(?:setbox|sbox|savebox|comment|if[a-z]*|[a-z]*verbatim|BODY|bgroup|[A-Za-z]*@)|"
                    r"\{(?:lrbox|comment|[a-z]*verbatim)\}")
MEANING = re.compile(rf"\s*(?:\[[^\]]*\]\s*)*({GROUP}\s*{GROUP})")  # of an environment: how it begins, and ends
MAX_DEPTH = 1000  # of braces; beyond it nothing is known
PIECE = re.compile(r"\\([A-Za-z@]+|.)|[{}]", re.DOTALL)
BETWEEN = re.compile(r"(?:\s|\*|#\d|\[[^\]]*\])*")  # a command and its argument
WORD = re.compile(r"\\([A-Za-z@]+)")


def hiding(macros: Mapping[str, Macro]) -> frozenset[str]:
    """The commands that need not print each of their arguments once, in their order."""
    def plain(macro: Macro) -> bool:
        used = "".join(re.findall(r"#(\d)", macro.body or ""))
        return macro.body is not None and not HIDING.search(macro.body) and used == "123456789"[:macro.arguments]

    found = {name for name, macro in macros.items() if not plain(macro)}
    while more := {name for name, macro in macros.items() if name not in found
                   and found.intersection(WORD.findall(macro.body or ""))}:
        found |= more
    return frozenset(found)


def arguments(text: str, start: int, end: int, commands: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where the arguments of these commands stand, in the text from start to end; none of one within another."""
    stack: list[tuple[str, int]] = []
    command, after = "", start
    for m in PIECE.finditer(text, start, end):
        if m[1]:
            command, after = m[1], m.end()
        elif m.group() == "{":
            near = command and m.start() - after < 200 and BETWEEN.fullmatch(text, after, m.start())
            stack.append((command if near else "", m.start()))
            command = ""
            if len(stack) > MAX_DEPTH:
                yield start, end
                return
        elif stack:
            command, at = stack.pop()
            after = m.end()
            if command in commands and not any(outer in commands for outer, _ in stack):
                yield at, m.end()


def environments(whole: str, text: str, names: Collection[str]) -> Iterator[tuple[int, int]]:
    """Where environments stand in the text that need not print what is in them: of these names, and those that the
    whole defines so."""
    own = set(names)
    for m in ENVIRONMENTS.finditer(whole):
        meaning = MEANING.match(whole, m.end()) if m[1].endswith("newenvironment") else None
        if meaning is None or HIDING.search(meaning[1]):
            own.add(m[2].strip())
    for m in re.finditer(r"\\begin\s*\{([^{}]+)\}", text):
        if m[1] in own:
            close = text.find(f"\\end{{{m[1]}}}", m.end())
            yield m.start(), close if close >= 0 else len(text)
            if close < 0:
                return


def hidden(whole: str, text: str, start: int, end: int, macros: Mapping[str, Macro]) -> list[tuple[int, int]]:
    """The parts of the text that need not be printed as they stand, in their order."""
    commands = hiding(macros)
    found = sorted({*arguments(text, start, end, {*commands, *DEFINERS, *LATER}), *environments(whole, text, commands)})
    out: list[tuple[int, int]] = []
    for low, high in found:
        if out and low <= out[-1][1]:
            out[-1] = out[-1][0], max(high, out[-1][1])
        elif high > start:
            out.append((low, high))
    return out


__all__ = ["hidden"]
