r"""What a theorem's words say of its symbols beside formulas: ``Let $n \ge 2$ be an integer``, ``If $x, y > 0$``.

Only what has one reading is taken apart; the rest stays as it is, and is refused where it is no formula.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from qtheory.errors import InputError
from qtheory.proofs.printing import GREEK

M = r"\d+"  # stands for a formula in the words of a theorem
KINDS = r"(?P<positive>positive )?(?:(?P<integer>integer)|real number|real)(?P<many>s?)"
FAMILIES = (re.compile(rf"(?P<n>{M}) (?:be|is|are) (?:an? |some )?{KINDS}(?![a-z])"),
            re.compile(rf"(?<![a-z])(?:an? )?{KINDS} (?P<n>{M})(?!\d| (?:be|is|are) )"))
NAMED = r"(?:\\(?:" + "|".join(sorted(GREEK, key=len, reverse=True)) + r")(?![A-Za-z])|[A-Za-z])" \
        r"(?:\s*_\s*(?:\{\s*[A-Za-z0-9]+\s*\}|[A-Za-z0-9]))?"
RELATION = r"(?:[=<>]|\\(?:le|leq|ge|geq|lt|gt|ne|neq|leqslant|geqslant|in)(?![A-Za-z]))"
ALONE = re.compile(NAMED)
SAID = re.compile(rf"({NAMED})\s*({RELATION}.*)", re.DOTALL)
OF_A_NUMBER = re.compile(rf"{NAMED}\s*{RELATION}\s*-?[0-9]+(?:\.[0-9]+)?")
SPACE = re.compile(r"^(?:\s|~|\\(?:q?quad(?![A-Za-z])|[,;:! ]))+|(?:\s|~|\\(?:q?quad(?![A-Za-z])|[,;:! ]))+$")


@dataclass(frozen=True)
class Family:
    """What the words say of the symbol with which a formula begins."""

    integer: bool
    positive: bool
    many: bool  # of several, as "integers" are


def families(said: str) -> tuple[str, dict[int, Family]]:
    """The words without those that say which numbers symbols are, and what these said, by the formula's number."""
    found: dict[int, Family] = {}

    def read(m: re.Match[str]) -> str:
        found[int(m["n"])] = Family(bool(m["integer"]), bool(m["positive"]), bool(m["many"]))
        return m["n"]

    for pattern in FAMILIES:
        said = pattern.sub(read, said)
    return re.sub(rf"\band let ({M})\b", r"and \1", said), found


def apart(latex: str) -> list[str]:
    r"""``x, y > 0`` and ``x > 0, y < 1`` as conditions of their own; one of another shape whole."""
    pieces = [SPACE.sub("", piece) for piece in _cut(latex)]
    alone = next((n for n, piece in enumerate(pieces) if not ALONE.fullmatch(piece)), len(pieces))
    told = [SAID.fullmatch(piece) for piece in pieces[alone:]]
    if len(pieces) == 1 or not told or not all(told) or not all(
            OF_A_NUMBER.fullmatch(piece) for piece in pieces[alone:-1]):
        return [latex]
    return [f"{piece} {told[0][2]}" for piece in pieces[:alone] if told[0]] + pieces[alone:]


def begun(latex: str, *, many: bool) -> list[tuple[str, str]]:
    """(symbol, condition) of each symbol with which the conditions begin; no condition of one that stands alone.
    ``many``: the words speak of all symbols in them. InputError where it is not plain of which symbol the words
    speak."""
    out = []
    pieces = apart(latex)
    if pieces == [latex] and all(ALONE.fullmatch(SPACE.sub("", piece)) for piece in _cut(latex)):
        return [(SPACE.sub("", piece), "") for piece in _cut(latex)]
    for piece in pieces:
        said = SAID.fullmatch(SPACE.sub("", piece))
        if said is None or (many and not OF_A_NUMBER.fullmatch(SPACE.sub("", piece))):  # as n < m be integers
            raise InputError("of which symbol the words say what numbers it is, is not plain")
        out.append((said[1], piece))
    return out


def _cut(latex: str) -> list[str]:
    pieces, depth = [""], 0
    for letter in latex.strip().removesuffix(".").removesuffix(","):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0 and not pieces[-1].endswith("\\"):
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


__all__ = ["Family", "apart", "begun", "families"]
