r"""What a theorem's words say of its symbols beside formulas: ``Let $n \ge 2$ be an integer``, ``If $x, y > 0$``.

Only what has one reading is taken apart; the rest stays as it is, and is refused where it is no formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from qtheory.errors import InputError
from qtheory.proofs.printing import GREEK
from qtheory.proofs.tex_sets import SET

M = r"\d+"  # stands for a formula in the words of a theorem
KINDS = r"(?P<positive>positive )?(?:(?P<integer>integer)|real number|real)(?P<many>s?)"
# "for an integer" may say of each, or of some: its article stays, and so no sentence is read that has it
FAMILIES = (re.compile(rf"(?P<n>{M}) (?P<verb>be|is|are) (?:an? |some )?{KINDS}(?![a-z])"),
            re.compile(rf"(?<![a-z])(?:(?<=given )an? )?(?P<all>(?<=all ))?{KINDS} (?P<n>{M})"
                       r"(?!\d| (?:be|is|are) )"))
SOME = re.compile(r"\bfor (an?|one) ")
NAMED = r"(?:\\(?:" + "|".join(sorted(GREEK, key=len, reverse=True)) + r")(?![A-Za-z])|[A-Za-z])" \
        r"(?:\s*_\s*(?:\{\s*[A-Za-z0-9]+\s*\}|[A-Za-z0-9]))?"
RELATION = r"(?:[=<>]|\\(?:le|leq|ge|geq|lt|gt|ne|neq|leqslant|geqslant|in)(?![A-Za-z]))"
BOUNDING = r"(?:[<>]|\\(?:le|leq|ge|geq|lt|gt|leqslant|geqslant|in)(?![A-Za-z]))"
# a term in which no symbol stands: of any symbol it says the same
CONSTANT = r"(?:(?:[0-9.+\-/*^{}()\[\],\s]|\\(?:[dt]?frac|left|right|infty)(?![A-Za-z]))+)"
ALONE = re.compile(NAMED)
OTHER_COMMAND = re.compile(rf"(?!{NAMED})\\[A-Za-z]+")
SAID = re.compile(rf"({NAMED})\s*({RELATION}.*)", re.DOTALL)
OF_A_NUMBER = re.compile(rf"{NAMED}\s*{RELATION}\s*{CONSTANT}")
SHARED = re.compile(rf"{NAMED}\s*{BOUNDING}\s*(?:{CONSTANT}|(?<=\\in)\s*{SET}(?:\s*_\s*(?:0|\{{[^{{}}]*\}}))?)\s*")
COUNTING = frozenset("ijklmnIJKLMN")  # letters of what may be an integer, said or not
NUMBERED = re.compile(rf"{CONSTANT}\s*{BOUNDING}\s*{NAMED}\s*(?:{BOUNDING}.*)?|"
                      rf"{NAMED}\s*\\(?:ne|neq)(?![A-Za-z])\s*{CONSTANT}", re.DOTALL)  # 0 < x \le y, x \ne 0
SPACE = re.compile(r"^(?:\s|~|\\(?:q?quad(?![A-Za-z])|[,;:! ]))+|(?:\s|~|\\(?:q?quad(?![A-Za-z])|[,;:! ]))+$")


@dataclass(frozen=True)
class Family:
    """What the words say of the symbols with which a formula begins."""

    integer: bool
    positive: bool
    many: bool  # of several, as "integers" are, and "all real"
    verb: str  # behind the formula, as "are" is; "" where the words stand before it


def families(said: str) -> tuple[str, dict[int, Family]]:
    """The words without those that say which numbers symbols are, and what these said, by the formula's number."""
    found: dict[int, Family] = {}

    def read(m: re.Match[str]) -> str:
        words = m.groupdict()
        found[int(m["n"])] = Family(bool(m["integer"]), bool(m["positive"]),
                                    bool(m["many"]) or words.get("all") is not None, words.get("verb") or "")
        return m["n"]

    for pattern in FAMILIES:
        said = pattern.sub(read, said)
    if some := SOME.search(said):
        raise InputError(f'two readings of "for {some[1]} ..", for each and for one; "for every" says the first')
    return said, found


def together(given: Iterable[tuple[int, str]], latex: Sequence[str], numbers: Mapping[int, Family]) -> None:
    """Refuse conditions, each with the words before it, of which it is not plain whether what the words say of one's
    symbols is said of another's: ``for every integer $n \\ge 1$ and $m \\ge 1$``."""
    unclear = InputError("of which symbols the words say what numbers they are, is not plain")
    inside: set[str] | None = None  # the symbols of which the words said so last
    first, ended = True, False  # "$n$ is an integer", and ends there
    one = False  # "let $n$ be an integer", of which what follows is not said, but where it may be one of several
    for n, before in given:
        family = numbers.get(n)
        first |= before.endswith("let ")
        joined = before in (" and ", ", and ")
        inside = None if before.endswith("let ") or (ended and joined) else inside
        if family is None and inside is not None and not symbols(latex[n]) <= inside:
            others = symbols(latex[n]) - inside
            if not (one and before == " and ") or any(name[0] in COUNTING for name in others):
                raise unclear
        # "let $x > 0$ and $n$ be an integer" may say it of both; "if $x > 0$ and $n$ is an integer" does not
        if family is not None and family.verb and not first and not (family.verb == "is" and joined):
            raise unclear
        if family is not None and (family.integer or family.positive):
            inside = symbols(latex[n]) | (inside or set())
        one = family.verb == "be" and not family.many if family is not None else one
        first, ended = False, family is not None and family.verb == "is"


def symbols(latex: str) -> set[str]:
    """The symbols in a formula, as they are spelt."""
    return {re.sub(r"[\s{}]", "", name) for name in ALONE.findall(OTHER_COMMAND.sub(" ", latex))}


def apart(latex: str) -> list[str]:
    r"""``x, y > 0`` and ``x > 0, y < 1`` as conditions of their own; one of another shape whole.

    A relation is shared that bounds by a number: of ``p, q = 1 - p`` the second may define q by any p.
    """
    pieces = [SPACE.sub("", piece) for piece in _cut(latex)]
    if len(pieces) == 1:
        return [latex]
    if SHARED.fullmatch(pieces[-1]) and all(map(ALONE.fullmatch, pieces[:-1])):
        shared = SAID.fullmatch(pieces[-1])
        return [f"{piece} {shared[2]}" for piece in pieces[:-1] if shared] + pieces[-1:]
    heads = {said[1] for piece in pieces if (said := SAID.fullmatch(piece))}  # for x < 0, x > 1 may be for either
    if len(heads) == len(pieces) and all(map(OF_A_NUMBER.fullmatch, pieces[:-1])):
        return pieces
    if ALONE.fullmatch(pieces[0]):
        raise InputError("two readings of a list of symbols, whose relation is said of each, and of the last alone")
    return [latex]


def begun(latex: str, family: Family) -> list[tuple[str, str]]:
    """(symbol, condition) of each symbol with which the conditions begin; no condition of one that stands alone.
    InputError where it is not plain of which symbol the words speak: one is, and so are several that share a relation,
    if the words speak of several."""
    pieces = [SPACE.sub("", piece) for piece in _cut(latex)]
    bare = all(map(ALONE.fullmatch, pieces))
    told = pieces if bare else apart(latex)
    if len(pieces) == 1 and family.verb and family.many:  # "let $x > 0$ and let $n > 0$ be integers" may say it of both
        raise InputError("of which symbols the words say what numbers they are, is not plain")
    if len(pieces) > 1 and (not family.many or not (bare or SHARED.fullmatch(pieces[-1])) or
                            not all(map(ALONE.fullmatch, pieces[:-1])) or (family.positive and not bare)):
        raise InputError("of which symbols the words say what numbers they are, is not plain")
    out = []
    for piece in map(lambda piece: SPACE.sub("", piece), told):
        said = SAID.fullmatch(piece)
        if not bare and (said is None or not OF_A_NUMBER.fullmatch(piece)):  # as n < m be integers
            raise InputError("of which symbol the words say what numbers it is, is not plain")
        out.append((piece, "") if said is None else (said[1], piece))
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


__all__ = ["NUMBERED", "SAID", "SHARED", "Family", "apart", "begun", "families", "symbols", "together"]
