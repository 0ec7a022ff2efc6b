r"""The numbers of a paper's equations, by the rules of amsmath: one a row of an aligned display, but for ``\nonumber``,
``\notag`` and ``\tag``; letters in ``subequations``; by section, where the preamble says ``\numberwithin``.

As with theorems there are none from the place on where something else may count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qtheory.proofs.tex_macros import closing
from qtheory.proofs.tex_numbers import ARTICLES, CLASS, COUNTING, DECLARED, UNKNOWN

ROWS = ("align", "gather", "eqnarray", "flalign", "alignat")
ONE = ("equation", "multline")
INNER = re.findall(r"\w+", "split aligned alignedat gathered cases dcases rcases array matrix pmatrix bmatrix vmatrix "
                   "Vmatrix Bmatrix smallmatrix displaymath math")
TEXT = re.findall(r"\w+", "document abstract proof itemize enumerate description figure table tabular tabularx center "
                  "quote quotation flushleft minipage thebibliography algorithm algorithmic remark example keywords "
                  "acks verse small footnotesize tikzpicture verbatim comment lstlisting minted filecontents Verbatim "
                  "IEEEkeywords CCSXML")
# What numbers equations in another way, or may
OTHERWISE = re.compile(
    r"showonlyrefs|autonum|\\mathtoolsset|breqn|empheq|IEEEtrantools|subeqn|mathenv|subnumcases|numcases|witharrows|"
    r"\\usepackage\s*(?:\[[^\]]*\])?\s*\{[^{}]*\bcases\b[^{}]*\}|"
    r"\\(?:end)?(?:equation|align|gather|multline|eqnarray|flalign|alignat|subequations)(?![A-Za-z])|"
    r"\\newtheorem\s*\{[^{}]*\}\s*\[\s*equation\s*\]|\\newtheorem\s*\{[^{}]*\}\s*\{[^{}]*\}\s*\[\s*equation\s*\]")
AMSMATH = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{[^{}]*\b(?:amsmath|mathtools)\b[^{}]*\}|"
                     r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{\s*(?:amsart|amsproc|acmart)\s*\}")
BEGINS = re.compile(rf"\\(?:begin|end)\s*\{{(?:{'|'.join((*ROWS, *ONE, 'subequations'))})\*?\}}")
WITHIN = re.compile(r"\\numberwithin\s*\{equation\}\s*\{([^{}]*)\}")
EVENT = re.compile(r"\\(begin|end)\s*\{([A-Za-z]+)(\*?)\}")
TAG = re.compile(r"\\tag\*?\s*\{\s*\$?\s*([\w.*'+-]{1,12}|\\(?:ast|star|dagger))\s*\$?\s*\}")
UNNUMBERED = re.compile(r"\\(?:nonumber|notag)(?![A-Za-z])")
NESTED = re.compile(r"\\(begin|end)\s*\{[^{}]*\}")


def cut(text: str) -> list[str]:
    r"""The rows of a display: what stands between its ``\\``, outside of braces and of what is set inside it."""
    out, at, depth = [""], 0, 0
    while at < len(text):
        if nested := NESTED.match(text, at):
            depth += 1 if nested[1] == "begin" else -1
            end = nested.end()
        elif text[at] == "{":
            end = min(closing(text, at) + 1, len(text))
        elif text.startswith("\\\\", at) and depth == 0:
            out.append("")
            at = re.compile(r"\\\\\*?(?:\[[^\]]*\])?").match(text, at).end()  # type: ignore[union-attr]
            continue
        else:
            end = at + (2 if text[at] == "\\" else 1)
        out[-1] += text[at:end]
        at = end
    return out


def equation_numbers(text: str, start: int, whole: str, preamble: str, sections: Sequence[tuple[int, str]],
                     theorems: Mapping[str, str], until: int, *, roman: bool) -> dict[int, tuple[str, ...]]:
    """The numbers of each display's rows ("" for one that has none), by where it begins.

    ``sections``: where the number of a section begins, and which; ``until``: where something begins that may be printed
    or not; ``roman``: whether sections may be numbered in another way than 1, 1.1.
    """
    within = {m[1].strip() for m in WITHIN.finditer(whole)}
    classes = {name.strip() for name in CLASS.findall(whole)} - ARTICLES
    shared = any((m[3] or "").strip() == "equation" or (m[4] or "").strip() == "equation"
                 for m in DECLARED.finditer(whole))
    if (COUNTING.search(whole) or OTHERWISE.search(whole) or BEGINS.search(preamble) or shared or len(within) > 1
            or not classes <= {"IEEEtran"} or not within <= {"section"} or (within and (roman or classes))
            or not AMSMATH.search(whole)):
        return {}
    known = {*INNER, *TEXT, *(name.rstrip("*") for name in theorems)}
    out: dict[int, tuple[str, ...]] = {}
    count, letter, outer, parent = 0, 0, "", False
    for m in EVENT.finditer(text, start, until):
        kind, begins = m[2], m[1] == "begin"
        if kind not in known and kind not in (*ROWS, *ONE, "subequations"):
            return out
        if kind == "subequations":
            if begins == parent:
                return out
            parent, letter = begins, 0
            count += begins
            if begins:
                outer, count = _section(within, sections, m.start(), outer, count)
            continue
        if not begins or m[3] or kind not in (*ROWS, *ONE):
            continue
        close = re.compile(rf"\\end\s*\{{{kind}\}}").search(text, m.end(), until)
        if close is None:
            return out
        inside = re.sub(r"^\s*\{\d+\}", "", text[m.end():close.start()]) if kind == "alignat" else \
            text[m.end():close.start()]
        told = cut(inside) if kind in ROWS else [inside]
        if any(not row.strip() for row in told) or BEGINS.search(inside):
            return out
        numbers = []
        for row in told:
            if r"\tag" in row:
                tag = TAG.search(row)
                numbers.append(tag[1].lstrip("\\") if tag else "")
                continue
            if UNNUMBERED.search(row):
                numbers.append("")
                continue
            if parent:
                letter += 1
            else:
                count += 1
                outer, count = _section(within, sections, m.start(), outer, count)
            if letter > 26 or UNKNOWN in outer:
                return out
            numbers.append(f"{outer}{count}" + (chr(96 + letter) if parent else ""))
        out[m.start()] = tuple(numbers)
    return out


def ends(numbers: Sequence[str]) -> str:
    """The number of several rows: the first and the last one, or the only one."""
    some = [number for number in numbers if number]
    return "-".join(dict.fromkeys([*some[:1], *some[-1:]]))


def _section(within: set[str], sections: Sequence[tuple[int, str]], at: int, before: str, count: int
             ) -> tuple[str, int]:
    """What stands before a number, with its dot, and the number, which is 1 after another section has begun."""
    if not within:
        return "", count
    here = next((number for start, number in reversed(sections) if start < at), "0").split(".")[0] + "."
    return here, count if here == before else 1


__all__ = ["EVENT", "cut", "ends", "equation_numbers"]
