r"""Signs with two readings; above all letters before brackets: is ``T(n + 1)`` a product, or a function's value?

What is printed is the same. A product is beyond doubt where the letter stands in its own brackets, as in ``p(1 - p)``.
That it stands beside another factor too tells nothing: ``T(n + 1) = \\lambda T`` is said of a function.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from qtheory.errors import InputError
from qtheory.proofs.latex_names import NAME, STARS, NameReader

FUNCTIONS = frozenset("fghFGHOo")  # mostly
DOUBTFUL = tuple((re.compile(pattern), readings) for pattern, readings in (
    (r"\\(?:text|operatorname)\*?\s*\{[^{}]*\}", "a symbol, and a word or an operator"),
    (r"\[[^()\[\],]*[+-][^()\[\],]*\]", "brackets, and an integer part"),
    (r"[^\s^{]\s*\*", "a product, and a convolution"),
    (r"(?:(?<![A-Za-z\\])[A-Za-z]*[a-df-zA-Z]|\))\s*\^\s*(?:T(?![A-Za-z])|\{\s*T\s*\})",  # but e^T and \rho^T
     "a power, and what is transposed")))


@dataclass(frozen=True)
class Standing:
    """A symbol where it stands in a formula."""

    name: str
    symbol: str  # with what stands below it, and its star
    at: int  # in the tokens
    inside: range | None  # the tokens of the brackets that follow


def perhaps_function(latex: str, functions: Collection[str]) -> str:
    """A letter of the formula that may be a function, or ""; ``functions``: those that are some."""
    reader = NameReader(latex, (), ())
    tokens = [token for token, _ in reader.tokens]
    found = list(_standing(tokens))
    for called in found:
        if called.inside is None:
            continue
        same = [s for s in found if s.symbol == called.symbol]
        own = any(s.at in outer.inside for s in same if s.inside is None for outer in same if outer.inside is not None)
        if called.name in FUNCTIONS or called.name in functions or not own:
            return called.name
    return ""


def other_reading(latex: str) -> str:
    """What of the formula has two readings, and which, or ""."""
    found = ((pattern.search(latex), readings) for pattern, readings in DOUBTFUL)
    return next((f"{' '.join(m.group().split())}, {readings}" for m, readings in found if m), "")


def spelt(functions: Iterable[str]) -> frozenset[str]:
    """The names of letters that stand somewhere before arguments, as they are in tokens."""
    out = set[str]()
    for latex in functions:
        with suppress(InputError):
            out |= {token for token, _ in NameReader(latex, (), ()).tokens[:1]}
    return frozenset(out)


def _standing(tokens: list[str]) -> Iterator[Standing]:
    padded, below = [*tokens, "", ""], 0  # what stands below a symbol ends before that
    for at, name in enumerate(tokens):
        if at < below or not NAME.fullmatch(name):
            continue
        symbol, end = name, at + 1
        while padded[end] in ("_", "^"):
            start, sign = end + 1, padded[end]
            end = _closed(padded, start)
            below = end if sign == "_" else below
            script = "".join(padded[start:end]).strip("{}")
            symbol += "_" + script if sign == "_" else "*" * (script in STARS)
        inside = range(end, _closed(padded, end)) if padded[end] in ("(", "[", r"\{") else None
        yield Standing(name, symbol, at, inside)


def _closed(tokens: list[str], at: int) -> int:
    """Behind the brackets that open there, or behind one token."""
    depth = 0
    for end in range(at, len(tokens)):
        depth += (tokens[end] in ("(", "[", "{", r"\{")) - (tokens[end] in (")", "]", "}", r"\}"))
        if depth <= 0:
            return end + 1
    return len(tokens)


__all__ = ["other_reading", "perhaps_function", "spelt"]
