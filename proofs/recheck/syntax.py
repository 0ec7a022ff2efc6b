"""Text to syntax trees: a hand-written scanner and a recursive-descent parser.  No meaning is given here.

  comparison = sum { ("<" | "<=" | ">" | ">=" | "==" | "!=") sum }
  sum        = ["+" | "-"] product { ("+" | "-") product }
  product    = power { ("*" | "/") power }
  power      = primary [ ("**" | "^") ["-"] power ]
  primary    = number | name | name "(" [argument { "," argument } [","]] ")" | "(" comparison ")"
  argument   = text | "(" comparison "," comparison { "," comparison } ")" | name "in" name | comparison
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from flint import fmpq

from .errors import RecheckError, demand

MAX_LENGTH = 20_000
MAX_NESTING = 60
MAX_DIGITS = 400
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
DIGITS = frozenset("0123456789")
TWO_CHARACTERS = frozenset({"**", "<=", ">=", "==", "!="})
ONE_CHARACTER = frozenset("-+*/^()<>,=")


@dataclass(frozen=True)
class Tree:
    """A syntax tree: num, name, call, text, range, member, sum, product, power, negative, chain."""

    kind: str
    parts: tuple[Any, ...]


class Token(NamedTuple):
    kind: str  # number, name, op, text, end
    text: str


def is_name(text: str) -> bool:
    """Is the whole text a name of the language?"""
    return bool(text) and text[0] in LETTERS and all(c in LETTERS or c in DIGITS or c == "_" for c in text)


def scan(text: str) -> list[Token]:
    """The tokens of a text, closed by an end token."""
    demand(len(text) <= MAX_LENGTH, f"a text of more than {MAX_LENGTH} characters")
    tokens, at = [], 0
    while at < len(text):
        c = text[at]
        if c.isspace():
            at += 1
            continue
        if c in LETTERS:
            end = at + 1
            while end < len(text) and (text[end] in LETTERS or text[end] in DIGITS or text[end] == "_"):
                end += 1
            tokens.append(Token("name", text[at:end]))
        elif c in DIGITS or (c == "." and at + 1 < len(text) and text[at + 1] in DIGITS):
            end = _number_end(text, at)
            tokens.append(Token("number", text[at:end]))
        elif c in "\"'":
            end = text.find(c, at + 1) + 1
            demand(end > 0, "a text without an end")
            tokens.append(Token("text", text[at:end]))
        else:
            end = at + (2 if text[at:at + 2] in TWO_CHARACTERS else 1)
            demand(end == at + 2 or c in ONE_CHARACTER, f"column {at + 1}: unexpected {c!r}")
            tokens.append(Token("op", text[at:end]))
        at = end
    return [*tokens, Token("end", "")]


def _digits_end(text: str, at: int) -> int:
    while at < len(text) and text[at] in DIGITS:
        at += 1
    return at


def _number_end(text: str, at: int) -> int:
    at = _digits_end(text, at)
    if text[at:at + 1] == ".":
        at = _digits_end(text, at + 1)
    if text[at:at + 1] in ("e", "E"):
        start = at + 2 if text[at + 1:at + 2] in ("+", "-") else at + 1
        end = _digits_end(text, start)
        if end > start:
            return end
    return at


def decimal(text: str) -> fmpq:
    """The exact value of a decimal number."""
    demand(len(text) <= MAX_DIGITS, "a number with too many digits")
    mantissa, _, exponent = text.lower().partition("e")
    shift = int(exponent or 0)
    demand(abs(shift) <= MAX_DIGITS, "a number with too many digits")
    whole, _, fraction = mantissa.partition(".")
    return fmpq(int((whole + fraction) or 0)) * fmpq(10) ** (shift - len(fraction))


class Reader:
    """A recursive-descent parser over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.tokens = scan(text)
        self.at = 0
        self.depth = 0

    @property
    def here(self) -> Token:
        return self.tokens[self.at]

    def sees(self, *operators: str) -> bool:
        return self.here.kind == "op" and self.here.text in operators

    def advance(self) -> str:
        text = self.here.text
        if self.here.kind != "end":
            self.at += 1
        return text

    def expect(self, operator: str) -> None:
        demand(self.sees(operator), f"expected {operator!r}, found {self.here.text!r}")
        self.advance()

    def enter(self) -> None:
        self.depth += 1
        demand(self.depth <= MAX_NESTING, "nested too deeply")

    def read(self) -> Tree:
        """The tree of the whole text."""
        tree = self.comparison()
        demand(self.here.kind == "end", f"unexpected {self.here.text!r}")
        return tree

    def comparison(self) -> Tree:
        self.enter()
        sides, operators = [self.sum()], []
        while self.here.text in COMPARISONS and self.here.kind == "op":
            operators.append(self.advance())
            sides.append(self.sum())
        self.depth -= 1
        return Tree("chain", (tuple(operators), tuple(sides))) if operators else sides[0]

    def sum(self) -> Tree:
        sign = self.advance() if self.sees("+", "-") else "+"
        first = self.product()
        parts = [Tree("negative", (first,)) if sign == "-" else first]
        signs = ["+"]
        while self.sees("+", "-"):
            signs.append(self.advance())
            parts.append(self.product())
        return parts[0] if len(parts) == 1 else Tree("sum", (tuple(signs), tuple(parts)))

    def product(self) -> Tree:
        operators, parts = ["*"], [self.power()]
        while self.sees("*", "/"):
            operators.append(self.advance())
            parts.append(self.power())
        return parts[0] if len(parts) == 1 else Tree("product", (tuple(operators), tuple(parts)))

    def power(self) -> Tree:
        base = self.primary()
        if not self.sees("**", "^"):
            return base
        self.advance()
        self.enter()
        negative = self.sees("-")
        if negative:
            self.advance()
        exponent = self.power()
        self.depth -= 1
        return Tree("power", (base, Tree("negative", (exponent,)) if negative else exponent))

    def primary(self) -> Tree:
        token = self.here
        if token.kind == "number":
            self.advance()
            return Tree("num", (decimal(token.text),))
        if token.kind == "name":
            self.advance()
            return self.call(token.text) if self.sees("(") else Tree("name", (token.text,))
        demand(self.sees("("), f"expected a term, found {token.text!r}")
        self.advance()
        inner = self.comparison()
        self.expect(")")
        return inner

    def call(self, name: str) -> Tree:
        self.expect("(")
        arguments = []
        while not self.sees(")"):
            arguments.append(self.argument())
            if not self.sees(")"):
                self.expect(",")
        self.expect(")")
        return Tree("call", (name, tuple(arguments)))

    def argument(self) -> Tree:
        if self.here.kind == "text":
            return Tree("text", (self.advance()[1:-1],))
        if self.here.kind == "name" and self.tokens[self.at + 1] == Token("name", "in"):
            name = self.advance()
            self.advance()
            return Tree("member", (name, self.advance()))
        if self.sees("(") and self.is_range():
            self.advance()
            parts = [self.comparison()]
            while self.sees(","):
                self.advance()
                parts.append(self.comparison())
            self.expect(")")
            return Tree("range", tuple(parts))
        return self.comparison()

    def is_range(self) -> bool:
        """Is there a comma between this bracket and its partner, inside no other bracket?"""
        level = 0
        for token in self.tokens[self.at:]:
            if token.kind != "op":
                continue
            level += (token.text == "(") - (token.text == ")")
            if level == 0:
                return False
            if level == 1 and token.text == ",":
                return True
        return False


def parse(text: str) -> Tree:
    """The syntax tree of a text; RecheckError if it has none."""
    try:
        return Reader(text).read()
    except RecursionError:
        raise RecheckError("nested too deeply") from None
