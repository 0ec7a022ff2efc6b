r"""Signs with two readings; above all letters before brackets: is ``T(n + 1)`` a product, or a function's value?

What is printed is the same. A product is beyond doubt where the letter stands in its own brackets, as in ``p(1 - p)``,
or where the same formula has it beside another factor too, as in ``x(y + 1) = x y + x``, and before no other brackets,
as a function has its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from qtheory.errors import InputError
from qtheory.proofs.latex_names import NAME, NUMBER, STARS, NameReader

FUNCTIONS = frozenset("fghFGHOo")  # mostly
OFTEN = {"Gamma", "Phi", "phi", "Psi", "psi"}  # functions, unless they stand in their own brackets
SIGNS = (r"\cdot", r"\times", "/")
BINDING = {r"\int", r"\sum", r"\lim", r"\partial", r"\d", "d"}  # in front of these, or behind, stands a function too
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
    beside: bool  # another factor stands before it, or behind
    applied: bool  # it is set as an operator is, or has an exponent, as an inverse has


def perhaps_function(latex: str, functions: Collection[str]) -> str:
    """A letter of the formula that may be a function, or ""; ``functions``: those that are some."""
    reader = NameReader(latex, (), ())
    tokens = [token for token, _ in reader.tokens]
    upright = {n for n, (_, place) in enumerate(reader.tokens) if "{" in reader.sources.get(place, "")}
    found = list(_standing(tokens, upright))
    for called in found:
        if called.inside is None:
            continue
        same = [s for s in found if s.symbol == called.symbol]
        own = any(s.at in outer.inside for s in same if s.inside is None for outer in same if outer.inside is not None)
        brackets = {" ".join(tokens[n] for n in s.inside) for s in same if s.inside is not None}
        beside = (any(s.beside for s in same) and len(brackets) == 1 and called.name not in OFTEN
                  and not called.applied and not BINDING & set(tokens))
        if called.name in FUNCTIONS or called.name in functions or not (own or beside):
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


def _standing(tokens: list[str], upright: Collection[int]) -> Iterator[Standing]:
    padded, below = [*tokens, "", ""], 0  # what stands below a symbol ends before that
    for at, name in enumerate(tokens):
        if at < below or not NAME.fullmatch(name):
            continue
        symbol, end, applied = name, at + 1, at in upright
        while padded[end] in ("_", "^"):
            start, sign = end + 1, padded[end]
            end = _closed(padded, start)
            below = end if sign == "_" else below
            script = "".join(padded[start:end]).strip("{}")
            symbol += "_" + script if sign == "_" else "*" * (script in STARS)
            applied |= sign == "^" and script not in STARS
        inside = range(end, _closed(padded, end)) if padded[end] in ("(", "[", r"\{") else None
        beside = _is_factor(padded[at - 1]) or (_is_factor(padded[end]) and padded[end] != ")")  # padded[-1] is ""
        yield Standing(name, symbol, at, inside, inside is None and beside, applied)


def _is_factor(token: str) -> bool:
    return token in SIGNS or token == ")" or bool(NAME.fullmatch(token) or NUMBER.fullmatch(token))


def _closed(tokens: list[str], at: int) -> int:
    """Behind the brackets that open there, or behind one token."""
    depth = 0
    for end in range(at, len(tokens)):
        depth += (tokens[end] in ("(", "[", "{", r"\{")) - (tokens[end] in (")", "]", "}", r"\}"))
        if depth <= 0:
            return end + 1
    return len(tokens)


__all__ = ["other_reading", "perhaps_function", "spelt"]
