r"""A caption of a user's own: plain text with formulas between dollar signs, as pandoc reads them (none that a blank
follows or ends, nor $5 to $10).

What TeX would stop at, or read as something else than it looks, is refused in a line before a table is computed.
"""

from __future__ import annotations

import re

from qtheory.errors import InputError

LITERAL = {r"\$": "\ue000"}  # while formulas are looked for
ESCAPED = re.compile(r"\\([%&_#{}])")
FORMULA = re.compile(r"\$(?=[^\s$])([^$]*[^\s$])\$(?!\d)")
OPENED = re.compile(r"\$(?=[^\s\d$])")  # but $5
OPENING = re.compile(r'(?<![^\s(\[])"')
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\s\\]|\\")
TAKING = dict.fromkeys(("mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "text", "hat", "bar", "tilde",
                        "vec", "dot", "ddot", "widehat", "widetilde", "overline", "underline", "sqrt"), 1) | {"frac": 2}
GREEK = ("alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi rho varrho "
         "sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega")
SIGNS = ("le leq ge geq ne neq lt gt in notin subset cup cap times cdot div pm mp ast star to rightarrow leftarrow "
         "Rightarrow infty sum prod int partial nabla approx sim simeq equiv propto ll gg mid forall exists ldots "
         "cdots dots prime dagger ddagger circ bullet ell quad qquad langle rangle lfloor rfloor lceil rceil lvert "
         "rvert exp log ln max min lim sup inf Pr sin cos tan arg det gcd limits nolimits")
KNOWN = {*GREEK.split(), *SIGNS.split(), *TAKING}
SPACES = {r"\,", r"\;", r"\:", r"\!", r"\ "}
DELIMITERS = {"(", ")", "[", "]", "|", ".", "/", "<", ">", r"\{", r"\}", r"\|", r"\langle", r"\rangle", r"\lfloor",
              r"\rfloor", r"\lceil", r"\rceil", r"\lvert", r"\rvert"}
BREAKING = {"begin", "end", "par", "input", "include", "def", "let", "newcommand", "renewcommand", "label", "caption",
            "verb", "item", "footnote", "usepackage", "documentclass", "over", "atop", "choose", "middle"}


def pieces(words: str) -> list[str]:
    """Plain text and formulas by turns, text first. InputError for a dollar sign without its other one, and for what is
    no formula."""
    line = " ".join(words.split()).replace(r"\$", LITERAL[r"\$"])
    found = FORMULA.split(line)
    out: list[str] = []
    for i, piece in enumerate(found):
        if i % 2:
            out.append(piece.replace(LITERAL[r"\$"], r"\$"))
            continue
        if opened := OPENED.search(piece):
            raise _wrong(f"the $ before {_shown(piece[opened.end():])} has no $ that closes it; a dollar sign is "
                         r"written \$")
        piece = ESCAPED.sub(r"\1", piece)
        if command := re.search(r"\\[A-Za-z]+", piece):
            raise _wrong(f"{command[0]} stands outside of formulas; text is plain there, and a formula is put between "
                         "dollar signs")
        out.append(OPENING.sub("“", piece).replace('"', "”").replace(LITERAL[r"\$"], "$"))
    return out


def require(words: str, *, whole: bool = False) -> None:
    """InputError where the caption would not compile; ``whole``: in a document without commands of one's own."""
    for formula in pieces(words)[1::2]:
        _Formula(formula, whole).read()


def compiles(formula: str) -> bool:
    """Does a formula, without its dollar signs, compile in any document?"""
    try:
        _Formula(formula, True).read()
    except InputError:
        return False
    return bool(formula.strip())


def _shown(text: str) -> str:
    text = text.replace(LITERAL[r"\$"], r"\$")
    return repr(text if len(text) <= 20 else text[:20] + "..").replace(r"\\", "\\")


def _wrong(what: str) -> InputError:
    return InputError(f"the caption: {what}")


class _Formula:
    """The tokens of a formula, and how far they are read."""

    def __init__(self, latex: str, whole: bool) -> None:
        self.latex, self.whole, self.at = latex, whole, 0
        self.tokens = TOKEN.findall(latex)

    def fail(self, what: str) -> InputError:
        return _wrong(f"in the formula ${self.latex}$ {what}")

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def read(self) -> None:
        self.until("")

    def until(self, stop: str) -> None:
        """Read to the end of a group, or of what stands between ``\\left`` and ``\\right``."""
        scripts: set[str] = set()
        while (token := self.peek()) != stop:
            if token == "":
                raise self.fail({"}": "a { is not closed", "]": "a [ is not closed"}.get(
                    stop, r"a \left has no \right"))
            self.at += 1
            if token in ("^", "_"):
                if token in scripts:
                    raise self.fail(f"two {token} follow each other; braces are needed")
                scripts.add(token)
                self.script(token)
            elif token == "'":
                if "^" in scripts:
                    raise self.fail("a prime follows a ^; braces are needed")
            else:
                scripts = set()
                self.one(token)
        self.at += 1

    def script(self, sign: str) -> None:
        token = self.peek()
        if token in ("", "}", "^", "_", "'", r"\right", *SPACES):
            raise self.fail(f"nothing stands behind {sign}")
        if token[1:] == "frac" or token in (r"\sqrt", r"\left"):
            raise self.fail(f"braces are needed behind {sign}")
        self.at += 1
        self.one(token)

    def one(self, token: str) -> None:
        """Read what begins with that token, which is read."""
        if token == "{":
            self.until("}")
        elif token == "}":
            raise self.fail("a } closes nothing")
        elif token == r"\left":
            self.delimiter(token)
            self.until(r"\right")
            self.delimiter(r"\right")
        elif token == r"\right":
            raise self.fail(r"a \right has no \left")
        elif token in ("&", "#", "%", "~", r"\\", "\\") or not token.isascii():
            raise self.fail(f"{token} cannot stand" + ("; Greek letters and signs are typed as commands, such as "
                                                       r"\theta" if not token.isascii() else ""))
        elif token[0] == "\\" and token[1:].isalpha():
            self.command(token[1:])
        elif token[0] == "\\" and token not in SPACES | DELIMITERS | {r"\$", r"\%", r"\&", r"\#", r"\_"}:
            raise self.fail(f"{token} cannot stand")

    def command(self, name: str) -> None:
        if name in BREAKING or (self.whole and name not in KNOWN):
            why = "cannot stand" if name in BREAKING else "is no command that a whole document knows"
            raise self.fail(f"\\{name} {why}")
        if name == "sqrt" and self.peek() == "[":
            self.at += 1
            self.until("]")
        for _ in range(TAKING.get(name, 0)):
            if self.peek() != "{":
                raise self.fail(f"braces are needed behind \\{name}")
            start = self.at
            self.at += 1
            self.until("}")
            if name == "text" and {"^", "_"} & set(self.tokens[start:self.at]):
                raise self.fail(r"^ and _ cannot stand in \text{..}")

    def delimiter(self, name: str) -> None:
        if self.peek() not in DELIMITERS:
            raise self.fail(f"no bracket stands behind {name}")
        self.at += 1


__all__ = ["compiles", "pieces", "require"]
