"""Short names for long texts in a proof: ``Write `h(z)` for `p + e*z`.``  They are put back before anything is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
HEAD = re.compile(r"([A-Za-z]\w*)\s*(?:\(([^()]*)\))?")
MAX_LENGTH = 20_000  # characters of a text written out, as for a statement's


@dataclass(frozen=True)
class Abbreviation:
    parameters: tuple[str, ...]
    body: str


class Abbreviations:
    """Names with what they stand for; a body may use those before it. Raises ValueError for what cannot be used."""

    def __init__(self, outer: Abbreviations | None = None) -> None:
        self.known: dict[str, Abbreviation] = dict(outer.known) if outer else {}

    def add(self, head: str, body: str) -> None:
        match = HEAD.fullmatch(head.strip())
        if match is None:
            raise ValueError(f"`{head}` is no name, nor a name with its arguments such as `h(z)`")
        name, listed = match.groups()
        parameters = tuple(p.strip() for p in listed.split(",")) if listed else ()
        if name in self.known:
            raise ValueError(f"`{name}` stands for something else already")
        if len(set(parameters)) != len(parameters) or not all(NAME.fullmatch(p) for p in parameters):
            raise ValueError(f"the arguments of `{name}` are different names")
        inner = Abbreviations()
        inner.known = {n: a for n, a in self.known.items() if n not in parameters}
        self.known[name] = Abbreviation(parameters, inner.expand(body))

    def expand(self, text: str) -> str:
        """The text written out."""
        text = " ".join(text.split())
        whole = self.known.get(text)
        if whole is not None and not whole.parameters:
            return whole.body
        out, at = [], 0
        for match in NAME.finditer(text):
            known = self.known.get(match[0])
            if known is None or match.start() < at or text[match.start() - 1:match.start()].isalnum():
                continue
            end, put = match.end(), known.body
            if known.parameters:
                if text[end:end + 1] != "(":
                    raise ValueError(f"`{match[0]}` needs its arguments: `{match[0]}({', '.join(known.parameters)})`")
                close = closing(text, end)
                given = [self.expand(t) for t in split(text[end + 1:close])]
                if len(given) != len(known.parameters):
                    raise ValueError(f"`{match[0]}` has {len(known.parameters)} arguments, not {len(given)}")
                terms = dict(zip(known.parameters, map(bracketed, given), strict=True))
                put, end = NAME.sub(lambda m, terms=terms: terms.get(m[0], m[0]), put), close + 1  # type: ignore[misc]
            out += [text[at:match.start()], put if len(split(put)) > 1 else bracketed(put)]
            at = end
        whole_text = "".join(out) + text[at:]
        if len(whole_text) > MAX_LENGTH:
            raise ValueError(f"written out it has more than {MAX_LENGTH} characters")
        return whole_text


def closing(text: str, start: int) -> int:
    """Where the bracket that opens at ``start`` closes."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    raise ValueError(f"a bracket is not closed in `{text}`")


def split(text: str, at: str = ",") -> list[str]:
    """The parts between the commas that stand outside of all brackets. ValueError where brackets do not match."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0:
            break
        parts = [*parts, ""] if c == at and depth == 0 else [*parts[:-1], parts[-1] + c]
    if depth:
        raise ValueError(f"brackets do not match in `{text}`")
    return [p.strip() for p in parts]


def bracketed(text: str) -> str:
    """In brackets, unless it is one piece: a name, a number, a call or what is in brackets already."""
    match = re.match(r"[A-Za-z]\w*|\d+(?:\.\d+)?|", text)
    rest = text[match.end():] if match else text
    if not rest or (rest[0] == "(" and closing(rest, 0) == len(rest) - 1):
        return text
    return f"({text})"


def conditions(texts: Sequence[str]) -> tuple[str, ...]:
    """Lists of conditions as one list."""
    return tuple(part for text in texts for part in split(text))


__all__ = ["Abbreviations", "bracketed", "closing", "conditions", "split"]
