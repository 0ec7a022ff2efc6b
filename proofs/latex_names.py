"""The tokens of a LaTeX formula, and the names in it: letters, Greek, words, accents, subscripts, stars."""

from __future__ import annotations

import re
from collections.abc import Collection

from qtheory.errors import InputError
from qtheory.proofs.printing import GREEK

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+\.?\d*|\.\d+|[A-Za-z]|[^\s]")
VARIANTS = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho"}
OTHER_NAMES = {"lambda": ("lambda", "lam", "lamda"), "epsilon": ("epsilon", "eps")}
IGNORED = {r"\,", r"\;", r"\:", r"\!", r"\ ", r"\quad", r"\qquad", "~", "&", r"\displaystyle", r"\limits", r"\left",
           r"\right", r"\big", r"\Big", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr"}
WORDS = {r"\mathrm", r"\operatorname", r"\mathit", r"\text", r"\mathsf"}
ACCENTS = {r"\hat": "hat", r"\bar": "bar", r"\tilde": "tilde", r"\widehat": "hat", r"\overline": "bar"}
STARS = ("*", r"\ast", r"\star")  # as in k_0^*, which is declared as k0_star or k0star


class NameReader:
    """The tokens one after the other, with their places; what is declared decides which spelling a name means."""

    def __init__(self, text: str, known: Collection[str], functions: Collection[str]) -> None:
        self.text, self.known, self.functions = text, known, functions
        body = text.strip()
        start = len(text) - len(text.lstrip())
        for opening, closing in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
            if body.startswith(opening) and body.endswith(closing) and len(body) >= 2 * len(opening):
                start, body = start + len(opening), body[len(opening):-len(closing)]
                break
        found = [(m.group(), m.start() + start) for m in TOKEN.finditer(body)]
        self.tokens = [(t, at) for t, at in found if t not in IGNORED]
        self.end = start + len(body.rstrip())
        self.at = self.depth = 0
        self.bound: list[str] = []

    def fail(self, why: str, at: int | None = None) -> InputError:
        place = at if at is not None else self.tokens[self.at][1] if self.at < len(self.tokens) else self.end
        return InputError(f"LaTeX, column {place + 1}: {why}; near {self.text[max(0, place - 10):place + 20]!r}")

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted: str | None = None) -> str:
        token = self.peek()
        if not token or (wanted is not None and token != wanted):
            raise self.fail(f"expected {wanted or 'more'!r}, found {token or 'the end'!r}")
        self.at += 1
        return token

    def name(self) -> str:
        """A name with its subscript, as it is declared."""
        at = self.tokens[self.at][1] if self.at < len(self.tokens) else self.end
        base = self.bare()
        star = self.star()
        below = self.subscript() if self.peek() == "_" else ""
        star = star or self.star()
        ends = ("_star", "star") if star else ("",)
        for b in OTHER_NAMES.get(base, (base,)):
            for name in ((b,) if not below else (b + below, f"{b}_{below}")):
                for end in ends:
                    if name + end in self.known or name + end in self.bound:
                        return name + end
        if below or star:
            end = ends[0]
            raise self.fail(f"no symbol {base}_{below}{end} (or {base}{below}{end}) is declared" if below
                            else f"no symbol {base}{end} is declared", at)
        return base

    def star(self) -> bool:
        """Reads a star above a name: ``^*``, ``^\\ast``, ``^{\\star}``."""
        braced = self.peek(1) == "{" and self.peek(3) == "}"
        if self.peek() != "^" or self.peek(2 if braced else 1) not in STARS:
            return False
        self.at += 4 if braced else 2
        return True

    def bare(self, *, within: bool = False) -> str:
        """A name without scripts; ``within``: in a subscript, where max and min are words."""
        token = self.take()
        if token in WORDS or token in ACCENTS:
            self.take("{")
            word = self.bare()
            while self.peek() not in ("}", ""):
                word += self.bare() if self.peek() not in ("_", r"\_") else self.take()[-1]
            self.take("}")
            return word + ACCENTS.get(token, "")
        if token[1:] in GREEK or token[1:] in VARIANTS:
            return VARIANTS.get(token[1:], token[1:])
        if re.fullmatch(r"[A-Za-z0-9]+", token):
            return token
        if within and token in (r"\max", r"\min"):
            return token[1:]
        self.at -= 1
        raise self.fail(f"{token!r} is outside the grammar")

    def subscript(self) -> str:
        self.take("_")
        if self.peek() != "{":
            return self.bare(within=True)
        self.take()
        parts = [self.bare(within=True)]
        while self.peek() != "}":
            if self.peek() == ",":
                self.take()
                parts.append("_" + self.bare(within=True))
            else:
                parts.append(self.bare(within=True))
        self.take()
        return "".join(parts)
