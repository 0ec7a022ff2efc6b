r"""What set a symbol is said to be in: ``x \in \mathbb{R}_{>0}``, ``n \in \mathbb{N}_0``.

Whether 0 is a natural number papers do not agree on: ``\mathbb{N}`` alone is read where the paper says what it is, as
in ``\mathbb{N} = \{0, 1, \ldots\}``, and says so in one way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from qtheory.errors import InputError
from qtheory.proofs.tex_macros import Macro

FROM = r"_\s*\{\s*(?P<sign>>|\\geq?(?![A-Za-z])|\\geqslant)\s*(?P<least>\d+)\s*\}"
ZERO = r"\\\{\s*0\s*\\\}"
SET = r"\\mathbb\s*(?:\{\s*[RZN]\s*\}|[RZN])"
MEMBER = re.compile(
    r"(?P<symbol>.+?)\s*\\in\s*\\mathbb\s*(?:\{\s*(?P<braced>[RZN])\s*\}|(?P<bare>[RZN]))\s*"
    rf"(?:{FROM}|(?P<with>_\s*(?:0|\{{\s*0\s*\}})|\\cup\s*{ZERO})|(?P<without>\\setminus\s*{ZERO}))?\s*", re.DOTALL)
SAID = r"\s*(?::=|=|\\coloneqq|\\triangleq)\s*\\\{{\s*(\d)\s*,(?:\s*\d\s*,)+\s*" \
       r"(?:\\[cl]?dots(?![A-Za-z])|\.\.\.)\s*,?\s*\\\}}"
NATURALS = re.compile(r"\\mathbb\s*\{?\s*N\s*\}?")


def least_natural(text: str, macros: Mapping[str, Macro]) -> int | None:
    r"""The number with which the paper says that ``\mathbb{N}`` begins; None where it does not, or in two ways."""
    named = [r"\\mathbb\s*(?:\{\s*N\s*\}|N)", *(rf"\\{re.escape(name)}(?![A-Za-z])" for name, macro in macros.items()
                                               if macro.body and NATURALS.fullmatch(macro.body))]
    said = {int(m[1]) for m in re.finditer(rf"(?:{'|'.join(named)}){SAID.format()}", text)}
    return said.pop() if len(said) == 1 and said <= {0, 1} else None


def member(latex: str, natural: int | None) -> tuple[str, tuple[str, ...]] | None:
    """The symbol, as typed, and what is said of it, with {} for its name; None for what names no such set.

    ``natural``: where the paper's natural numbers begin. InputError where that is needed and not known.
    """
    m = MEMBER.fullmatch(latex.strip().removesuffix(".").removesuffix(",").strip())
    if m is None:
        if re.search(rf"\\in\s*{SET}", latex):
            raise InputError("a set of numbers that is not read")
        return None
    kind, whole = m["braced"] or m["bare"], ("{} in integers",)
    if kind == "N" and m["sign"] is None and m["with"] is None and m["without"] is None and natural is None:
        raise InputError(r"two readings, \mathbb{N} with 0 and without, and the paper does not say which, as in "
                         r"\mathbb{N} = \{0, 1, 2, \ldots\}")
    if kind != "N" and m["with"]:
        raise InputError("a set of numbers that is not read")
    bound = (f"{{}} {'>' if m['sign'] == '>' else '>='} {m['least']}",) if m["sign"] else ()
    if kind == "R":
        return m["symbol"], bound or (("{} != 0",) if m["without"] else ())
    if kind == "Z":
        return m["symbol"], (*whole, *(bound or (("{} != 0",) if m["without"] else ())))
    least = 0 if m["with"] else 1 if m["without"] else natural
    return m["symbol"], (*whole, *(bound or (f"{{}} >= {least}",)))


__all__ = ["SET", "least_natural", "member"]
