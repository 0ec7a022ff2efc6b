"""The tokens of a LaTeX formula, and the names in it: letters, Greek, words, accents, subscripts, stars."""

from __future__ import annotations

import re
from collections.abc import Collection

from qtheory.errors import InputError
from qtheory.proofs.printing import GREEK

TOKEN = re.compile(r"\\(?:mathrm|operatorname|mathit|text|mathsf)\s*\{(?P<word>[A-Za-z0-9\\_ ]*)\}"
                   r"|(?P<letters>[A-Za-z]+)|\\(?P<accent>hat|bar|tilde|widehat|overline)\s*\{\s*\\?(?P<under>[A-Za-z]+)\s*\}"
                   r"|(?:\\left|\\right)\s*(?P<bar>\|)|\\mathbb\s*\{(?P<field>[EPV])\}|\\(?P<pr>Pr)(?![A-Za-z])"
                   r"|\\(?P<command>[A-Za-z]+)|\\.|\d+(?:\.\d+)?|\.\d+|\S", re.ASCII)
GROUPED = re.compile(r"(?<![\d.])[1-9]\d{0,2}(?:\{?,\}?\d{3})+(?!\d)", re.ASCII)  # 10,000 and 10{,}000
INDEX = re.compile(r"_\s*\{[\w\s,\\]*$", re.ASCII)
NAME, NUMBER = re.compile(r"[A-Za-z][A-Za-z0-9_]*"), re.compile(r"\d+(?:\.\d+)?|\.\d+", re.ASCII)
OTHER = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho", "infty": "oo",
         "widehat": "hat", "overline": "bar"}
OTHER_NAMES = {"lambda": ("lambda", "lam", "lamda"), "epsilon": ("epsilon", "eps")}
UPRIGHT = re.compile(r"\\(?:operatorname|text)\{")  # which look alike
WIDE = (r"\quad", r"\qquad", "&")  # what stands on its two sides is not multiplied
GAPS = {r"\ ": 2, "~": 2, r"\;": 1, r"\:": 1, r"\,": 1}  # two of the small ones may divide formulas, too
IGNORED = {*GAPS, r"\!", *WIDE, r"\displaystyle", r"\limits", r"\left",
           r"\right", r"\big", r"\Big", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr"}
STARS = ("*", r"\ast", r"\star")  # as in k_0^*, which is declared as k0_star or k0star
FIELD = {"E": "the expectation", "Var": "the variance", "Cov": "the covariance", "Pr": "the probability",
         "P": "the probability", "V": "the variance"}
SPELT = {"log", "ln", "exp", "max", "min", "sqrt", "floor", "ceil", "sum", "int", "lim", "sup", "sin", "cos", "tan",
         "Var", "Cov", "Pr"}  # side by side without a backslash, these letters are hardly meant as a product


class NameReader:
    """The tokens one after the other, with their places; what is declared decides which spelling a name means.

    A name is a token without a backslash: theta for \\theta, xhat for \\hat{x}, oo for \\infty; an upright d is \\d.
    """

    at: int = 0  # the place in the tokens

    def __init__(self, text: str, known: Collection[str], functions: Collection[str],
                 written: dict[str, str] | None = None) -> None:
        self.text, self.known, self.functions = text, frozenset(known), functions
        self.written = {} if written is None else written  # how each name was written: no two symbols become one
        self.tokens: list[tuple[str, int]] = []
        self.sources: dict[int, str] = {}  # by their places, how tokens were written
        self.wide, self.loose = set[int](), set[int]()  # the places in the tokens before which there is a gap, or some
        for opening, closing in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]"), ("", "")):
            body = text.strip()
            if body.startswith(opening) and body.endswith(closing) and len(body) >= 2 * len(opening):
                break
        start, self.end = text.index(body) + len(opening), text.index(body) + len(body) - len(closing)
        gap = 0
        for m in TOKEN.finditer(text, start, self.end):
            gap = gap + GAPS[m.group()] if m.group() in GAPS else 0
            if gap > 1:
                self.loose.add(len(self.tokens))
            if m["letters"]:
                self.tokens += [(letter, m.start() + i) for i, letter in enumerate(self.letters(m))]
            elif m.group() in WIDE:
                self.wide.add(len(self.tokens))
            elif m.group() not in IGNORED:
                self.tokens.append((self.token(m), m.start()))
                self.sources[m.start()] = UPRIGHT.sub(r"\\mathrm{", re.sub(r"\s", "", m.group()))
        for m in GROUPED.finditer(text):
            parts = re.findall("[0-9]+", m.group())
            raise self.fail(f"two readings, the number {''.join(parts)} and the numbers {', '.join(parts)}; write no "
                            "comma, or a space after it", m.start())

    def letters(self, m: re.Match[str]) -> str:
        """Letters side by side, a product; refused where they spell something."""
        run = m.group()
        words = [run[i:j] for i in range(len(run)) for j in range(i + 2, len(run) + 1)] if len(run) < 40 else [run]
        for word in words:
            if word in self.known | SPELT and not INDEX.search(self.text, 0, m.start()):
                self.operator(word, m.start())
                product = " ".join(word)
                raise self.fail(rf"two readings, \mathrm{{{word}}} (or \{word}) and the product {product}", m.start())
        return run

    def token(self, m: re.Match[str]) -> str:
        """A token in one spelling."""
        if m["field"] or m["pr"]:
            self.operator(m["field"] or m["pr"], m.start())
        if m["word"]:
            return {"d": r"\d"}.get(m["word"]) or re.sub(r"[\\ ]", "", m["word"])
        if m["accent"]:
            return OTHER.get(m["under"], m["under"]) + OTHER.get(m["accent"], m["accent"])
        if m["bar"]:
            return r"\lvert" if "left" in m.group() else r"\rvert"
        name = OTHER.get(m["command"], m["command"])
        return name if name in GREEK or name == "oo" else m.group()

    def operator(self, word: str, at: int) -> None:
        """Refuse the field's operators, which are no symbols."""
        if word in FIELD:
            name = {"P": "Pr", "V": "Var"}.get(word, word)
            typed = "E(X, (X, Geometric(p)))" if word == "E" else f"{name}(.., (X, Geometric(p)))"
            how = f"which is not read from LaTeX: type it as text, {typed}" if name in ("E", "Var", "Pr") else \
                "which the statement language does not have yet"
            raise self.fail(f"{word} is {FIELD[word]}, {how}" + r"; Euler's number is \exp(1)" * (word == "E"), at)

    def fail(self, why: str, at: int | None = None) -> InputError:
        place = self.place() if at is None else at
        return InputError(f"LaTeX, column {place + 1}: {why}; near {self.text[max(0, place - 10):place + 20]!r}")

    def place(self) -> int:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else self.end

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][0] if self.at + ahead < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """The next token; each of the wanted ones in turn."""
        for token in wanted or (self.peek(),):
            if not token or self.peek() != token:
                raise self.fail(f"expected {token or 'more'!r}, found {self.peek() or 'the end'!r}")
            self.at += 1
        return self.peek(-1)

    def directly_inside(self) -> tuple[list[str], int]:
        """The tokens directly inside the bracket that opens here, and the place in the tokens where it closes."""
        depth, found = 0, []
        for at, (token, _) in enumerate(self.tokens[self.at:], self.at):
            depth += (token in ("(", "[", "{", r"\{")) - (token in (")", "]", "}", r"\}"))
            found += [token] if depth == 1 else []
            if depth == 0:
                return found, at
        return found, len(self.tokens)

    def word(self) -> str:
        """A name without scripts."""
        if not NAME.fullmatch(self.peek()):
            raise self.fail(f"expected a term; {self.peek()!r} is outside the grammar" if self.peek() else
                            "expected a term, found the end")
        return self.take()

    def name(self) -> str:
        """A name with its subscript and star, as it is declared."""
        at = self.place()
        return self.scripted(self.word(), at)

    def scripted(self, base: str, at: int) -> str:
        """The rest of a name that begins with the base."""
        start = self.at
        star = self.star()
        below = self.subscript() if self.peek() == "_" else ""
        star = star or self.star()
        found = self.declared(base, below, star)
        if len(found) > 1:
            raise self.fail(f"two readings, {' and '.join(found)}, which are both declared", at)
        if not found and not below:
            self.operator(base if base not in ("P", "V") else "", at)
        if not found and (below or star or (len(base) > 1 and base not in (*GREEK, "oo"))):
            raise self.fail(f"no symbol {base}{'_' * bool(below)}{below}{'^*' * star} is declared", at)
        return self.one_spelling(found[0] if found else base, at, start, self.at)

    def one_spelling(self, name: str, at: int, start: int = 0, end: int = 0) -> str:
        """The name, unless what was read as it before looks different; its scripts are the tokens from start to end."""
        scripts = [self.sources.get(place, token) for token, place in self.tokens[start:end]]
        below = "".join(s for s in scripts if s not in ("^", "{", "}", *STARS)).removeprefix("_")
        raised = "".join("*" if s == r"\ast" else s for s in scripts if s in STARS)
        scripted = f"_{{{below}}}" * bool(below) + f"^{{{raised}}}" * bool(raised)
        spelling = self.sources.get(at, self.text[at]) + scripted
        if self.written.setdefault(name, spelling) != spelling:
            raise self.fail(f"two spellings, {self.written[name]} and {spelling}, of one name, {name}; use one of "
                            "them, or another name", at)
        return name

    def unrelated(self, variable: str, text: str) -> None:
        """Refuse a symbol with a bound variable below it, on which no symbol depends: the x_i of a sum over i."""
        bound = self.written.get(variable, variable)
        for name in (name for name in NAME.findall(text) if name not in self.functions):
            _, _, below = self.written.get(name, "").partition("_{")
            parts = below.partition("}^{")[0].removesuffix("}").split(",")
            if any(part == bound or (len(part) == 2 and bound in part) for part in parts):
                raise self.fail(f"two readings, the one symbol {name}, which does not depend on {variable}, and one of "
                                f"many that {variable} counts; write it as a function, as in x({variable})")

    def declared(self, base: str, below: str, star: bool = False) -> list[str]:
        """The declared names with this spelling."""
        ends = ("_star", "star") if star else ("",)
        bases = OTHER_NAMES.get(base, (base,))
        return sorted({b + "_" * u + below + e for b in bases for u in (0, bool(below)) for e in ends} & self.known)

    def raised(self) -> str:
        """The only token of the superscript that comes next, if it has but one."""
        braced = self.peek(1) == "{" and self.peek(3) == "}"
        return self.peek(2 if braced else 1) if self.peek() == "^" else ""

    def skip_raised(self) -> bool:
        self.at += 4 if self.peek(1) == "{" else 2
        return True

    def star(self) -> bool:
        """Reads a star above a name: ``^*``, ``^\\ast``, ``^{\\star}``."""
        return self.raised() in STARS and self.skip_raised()

    def subscript(self) -> str:
        self.take("_")
        if self.peek() != "{":
            return self.one()
        self.take()
        parts = ""
        while self.peek() != "}":
            if not re.fullmatch(r"\\max|\\min|,|\w+", self.peek(), re.ASCII):
                raise self.fail(f"{self.peek()!r} is outside the grammar of a subscript")
            parts += self.take().replace(",", "_").lstrip("\\")
        self.take()
        return parts

    def one(self) -> str:
        """An unbraced script or argument, if it is plain how far it reaches."""
        at = self.place()
        token = self.take()
        glued = token.isalpha() and self.place() == at + 1 and self.peek()[:1].isalnum()
        if glued or (token.isdigit() and len(token) > 1):
            both = token + self.peek() * glued
            raise self.fail(f"two readings, {{{both[0]}}}{both[1:]} and {{{both}}}; write braces", at)
        return token
