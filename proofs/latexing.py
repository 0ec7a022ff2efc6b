"""From LaTeX to the statement language, by a grammar of our own: what papers write in displayed formulas.

Read are relations (chains too), membership of an interval, implications, sums, products (also by juxtaposition),
fractions, powers, roots, exp, ln, log, max, min, absolute values, floors and ceilings, sums, integrals, derivatives,
limits, names with subscripts and stars, and calls of declared functions, for which an index may stand (lambda_i for
lam(i)).  A name is one letter, a Greek letter, or a word in \\mathrm or \\operatorname; what is declared decides which
spelling of a subscript is meant (theta0 or theta_0).
Everything else is refused with its position.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress

from qtheory.errors import InputError
from qtheory.proofs.latex_names import ACCENTS, OTHER_NAMES, VARIANTS, WORDS, NameReader
from qtheory.proofs.printing import GREEK

MAX_LENGTH, MAX_NESTING = 20_000, 40
IMPLIES = (r"\implies", r"\Rightarrow", r"\Longrightarrow")
RELATIONS = {"<": "<", ">": ">", "=": "==", r"\le": "<=", r"\leq": "<=", r"\leqslant": "<=", r"\ge": ">=",
             r"\geq": ">=", r"\geqslant": ">=", r"\ne": "!=", r"\neq": "!=", r"\lt": "<", r"\gt": ">"}
FRACTIONS = {r"\frac", r"\dfrac", r"\tfrac"}
CALLS = {r"\exp": "exp", r"\ln": "log", r"\log": "log", r"\max": "Max", r"\min": "Min"}
FENCES = {"(": ")", "[": "]", r"\{": r"\}"}
TO_INFINITY = re.compile(r"(Sum|Integral)\(.*, oo\)\)")
SUM, PRODUCT, POWER, ATOM = range(4)
Piece = tuple[str, int]


def to_text(latex: str, known: Collection[str], functions: Collection[str]) -> str:
    """The formula in the statement language. ``known``: the declared names; ``functions``: those that take arguments.

    Raises InputError, with the column, for what is outside the grammar.
    """
    if not isinstance(latex, str) or len(latex) > MAX_LENGTH:
        raise InputError(f"the LaTeX of a step is a text of at most {MAX_LENGTH} characters")
    return LatexReader(latex, known, functions).formula()


class LatexReader(NameReader):
    """A precedence reader over the tokens of one formula; each piece of text knows how tightly it binds."""

    # ---- formulas ----

    def formula(self) -> str:
        out = self.implication()
        if self.at < len(self.tokens) and self.peek() not in (".", ","):
            raise self.fail(f"{self.peek()!r} is outside the grammar here")
        if self.at < len(self.tokens) - 1:
            self.at += 1
            raise self.fail("a formula ends before this")
        return out

    def implication(self) -> str:
        parts = [self.bracketed() or self.comparison()]
        while self.peek() in IMPLIES:
            self.take()
            parts.append(self.bracketed() or self.comparison())
        out = parts.pop()
        while parts:
            out = f"Implies({parts.pop()}, {out})"
        return out

    def bracketed(self) -> str | None:
        """A formula in brackets; None where a bracket begins a term."""
        start: int = self.at
        depth: int = self.depth
        bound = len(self.bound)
        if self.peek() != "(" or depth >= MAX_NESTING:
            return None
        self.depth += 1
        with suppress(InputError):
            self.take("(")
            inner = self.implication()
            self.take(")")
            if self.peek() in ("", ".", ",", ")", *IMPLIES):
                self.depth = depth
                return inner
        self.at, self.depth = start, depth
        del self.bound[bound:]
        return None

    def comparison(self) -> str:
        """A chain of relations between terms."""
        parts = [self.sum()[0]]
        if self.peek() == r"\in":
            return self.inclusion(parts[0])
        while self.peek() in RELATIONS or self.peek() == r"\not":
            parts += [self.relation(), self.sum()[0]]
        if len(parts) == 3 and parts[1] == "==" and TO_INFINITY.fullmatch(parts[2]):
            parts.reverse()  # the statement language has what is to infinity on the left
        if len(parts) == 1:
            known = self.at >= len(self.tokens) or self.peek() in (".", ",", *IMPLIES)
            raise self.fail("a relation such as = or \\le is missing" if known
                            else f"{self.peek()!r} is outside the grammar here")
        return " ".join(parts)

    def inclusion(self, term: str) -> str:
        """``x \\in [a, b)``, with an infinite end left out."""
        self.take()
        if self.peek() not in ("(", "["):
            raise self.fail("an interval such as (0, 1) or [0, 1) stands after \\in")
        below = "<" if self.take() == "(" else "<="
        low = self.sum()[0]
        self.take(",")
        high = self.sum()[0]
        if self.peek() not in (")", "]"):
            raise self.fail("the interval is not closed")
        above = "<" if self.take() == ")" else "<="
        left = "" if low == "-oo" else f"{low} {below} "
        right = "" if high == "oo" else f" {above} {high}"
        if not left and not right:
            raise self.fail("the interval has no finite end")
        return f"{left}{term}{right}"

    def relation(self) -> str:
        if self.peek() == r"\not":
            self.take()
            self.take("=")
            return "!="
        return RELATIONS[self.take()]

    def sum(self) -> Piece:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail("nested too deeply")
        sign = self.take() if self.peek() in ("+", "-") else ""
        text, level = self.product()
        if sign == "-":
            text, level = "-" + text, SUM
        while self.peek() in ("+", "-"):
            operator = self.take()
            text, level = f"{text} {operator} {self.grouped(PRODUCT, self.product())}", SUM
        self.depth -= 1
        return text, level

    def product(self) -> Piece:
        piece = self.factor()
        while True:
            token = self.peek()
            if token in (r"\cdot", r"\times", "*"):
                self.take()
                sign = "*"
            elif token in ("/", r"\div"):
                self.take()
                sign = "/"
            elif self.begins():
                sign = "*"
            else:
                return piece
            right = self.factor()
            piece = f"{self.grouped(PRODUCT, piece)}{sign}{self.grouped(POWER, right)}", PRODUCT

    def begins(self) -> bool:
        """Does a factor begin here, so that juxtaposition means a product?"""
        token = self.peek()
        if self.bound[-1:] == ["int"] and (token == "d" or self.upright_d()):
            return False  # the d of the integral that is being read
        return (token.isalnum() or token in FENCES or token in FRACTIONS or token in CALLS or token in WORDS
                or token in ACCENTS or token in (r"\sqrt", r"\lfloor", r"\lceil", r"\sum", r"\int", r"\lim", r"\infty")
                or token[1:] in GREEK or token[1:] in VARIANTS)

    def factor(self) -> Piece:
        base = self.atom()
        if self.peek() != "^":
            return base
        self.take()
        exponent = self.script()
        if base[0] == "e" and "e" not in self.known:
            return f"exp({exponent[0]})", ATOM
        return f"{self.grouped(ATOM, base)}**{self.grouped(ATOM, exponent)}", POWER

    def grouped(self, level: int, piece: Piece) -> str:
        return piece[0] if piece[1] >= level else f"({piece[0]})"

    def atom(self) -> Piece:
        token = self.peek()
        if not token:
            raise self.fail("expected a term, found the end")
        if re.fullmatch(r"\d+\.?\d*|\.\d+", token):
            return self.take().rstrip("."), ATOM
        if token in FENCES:
            return f"({self.inside()[0]})", ATOM
        if token in ("|", r"\lvert"):
            return self.between(token, {"|": "|", r"\lvert": r"\rvert"}[token], "Abs"), ATOM
        if token in (r"\lfloor", r"\lceil"):
            name = "floor" if token == r"\lfloor" else "ceil"
            return self.between(token, token.replace(r"\l", r"\r"), name), ATOM
        if token in FRACTIONS:
            return self.fraction()
        if token == r"\sqrt":
            return self.root()
        if token in CALLS:
            return self.call(CALLS[self.take()]), ATOM
        if token in (r"\sum", r"\int", r"\lim"):
            return {r"\sum": self.series, r"\int": self.integral, r"\lim": self.limit}[token]()
        if token == r"\infty":
            self.take()
            return "oo", ATOM
        return self.named()

    def inside(self, *, many: bool = False) -> list[str]:
        """What stands in brackets or braces, in which a d is a name like any other."""
        closing = {**FENCES, "{": "}"}[self.take()]
        self.bound.append("(")
        parts = [self.sum()[0]]
        while many and self.peek() == ",":
            self.take()
            parts.append(self.sum()[0])
        self.bound.pop()
        self.take(closing)
        return parts

    def between(self, opening: str, closing: str, name: str) -> str:
        self.take(opening)
        inner = self.sum()[0]
        self.take(closing)
        return f"{name}({inner})"

    def group(self) -> Piece:
        self.take("{")
        self.bound.append("{")
        piece = self.sum()
        self.bound.pop()
        self.take("}")
        return piece

    def argument(self) -> Piece:
        """What TeX takes for an argument: a group, or one token, of a number its first digit."""
        token = self.peek()
        if token.isdigit() and len(token) > 1:
            at = self.tokens[self.at][1]
            self.tokens[self.at:self.at + 1] = [(token[0], at), (token[1:], at + 1)]
        return self.group() if token == "{" else self.atom()

    def script(self) -> Piece:
        """What stands after ^: a group, or one token."""
        if self.peek() == "{":
            return self.group()
        token = self.peek()
        if token.isdigit() and len(token) > 1:  # TeX takes one digit
            raise self.fail(f"write ^{{{token}}}")
        return self.atom()

    def fraction(self) -> Piece:
        start = self.at
        self.take()
        slope = self.slope()
        if slope is not None:
            return slope
        self.at = start + 1
        above, below = self.argument(), self.argument()
        return f"{self.grouped(PRODUCT, above)}/{self.grouped(POWER, below)}", PRODUCT

    def slope(self) -> Piece | None:
        """``{d}{dx} f``, ``{d^2}{dx^2} f``, ``{d f}{dx}``, with d upright or not; None for another fraction."""
        if self.peek() != "{":
            return None
        self.take()
        if not self.d():
            return None
        order = self.order()
        if not 1 <= order <= 6:
            return None
        inner = None if self.peek() == "}" else self.product()
        if self.peek() != "}" or self.peek(1) != "{":
            return None
        self.at += 2
        if not self.d():
            return None
        variable = self.name()
        if self.order() != order or self.peek() != "}":
            return None
        self.take()
        text = (inner or self.product())[0]
        return f"diff({text}, {variable})" if order == 1 else f"diff({text}, {variable}, {order})", ATOM

    def d(self) -> bool:
        if self.peek() in ("d", r"\partial"):
            self.at += 1
            return True
        if self.upright_d():
            self.at += 4
            return True
        return False

    def upright_d(self) -> bool:
        return [self.peek(i) for i in range(4)] == [r"\mathrm", "{", "d", "}"]

    def order(self) -> int:
        if self.peek() != "^":
            return 1
        self.take()
        text = self.script()[0]
        return int(text) if text.isdigit() else 0  # 0: no derivative

    def root(self) -> Piece:
        self.take()
        if self.peek() != "[":
            return f"sqrt({self.argument()[0]})", ATOM
        self.take()
        order = self.sum()
        self.take("]")
        return f"{self.grouped(ATOM, self.argument())}**(1/{self.grouped(POWER, order)})", POWER

    def call(self, name: str) -> str:
        """The arguments in brackets or braces, or the one factor after it."""
        if self.peek() == "^":
            raise self.fail("a power of a function's name; write (f(x))^2")
        if self.peek() not in ("(", r"\{", "[", "{"):
            if name in ("Max", "Min"):
                raise self.fail("the arguments of max and min stand in brackets")
            return f"{name}({self.factor()[0]})"
        return f"{name}({', '.join(self.inside(many=True))})"

    def indexed(self) -> str | None:
        """``f_i`` for a declared function f is f(i), unless a symbol has that name; None for another form."""
        start = self.at
        base = self.bare()
        names = OTHER_NAMES.get(base, (base,))
        function = next((b for b in names if b in self.functions), None)
        below = self.at
        if function is not None and self.peek() == "_":
            with suppress(InputError):  # an index may be any term
                subscript = self.subscript()
                if any(n in self.known for b in names for n in (b + subscript, f"{b}_{subscript}")):
                    function = None
            if function is not None:
                self.at = below + 1
                return f"{function}({self.group()[0] if self.peek() == '{' else self.atom()[0]})"
        self.at = start
        return None

    def named(self) -> Piece:
        indexed = self.indexed()
        if indexed is not None:
            return indexed, ATOM
        name = self.name()
        primes = 0
        while self.peek() == "'":
            self.take()
            primes += 1
        if name not in self.functions:
            if primes:
                raise self.fail(f"{name} is no declared function, so it has no derivative")
            return name, ATOM
        if self.peek() != "(":
            raise self.fail(f"the function {name} needs its arguments in brackets")
        text = self.call(name)
        if not primes:
            return text, ATOM
        inside, order = text[len(name) + 1:-1], "" if primes == 1 else f", {primes}"
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", inside):
            return f"diff({text}, {inside}{order})", ATOM
        return f"At(diff({name}(u0), u0{order}), u0, {inside})", ATOM

    # ---- sums, integrals, limits ----

    def series(self) -> Piece:
        """\\sum_{i=1}^{n} body"""
        for token in (r"\sum", "_", "{"):
            self.take(token)
        variable = self.name()
        self.take("=")
        low = self.sum()[0]
        self.take("}")
        self.take("^")
        high = self.script()[0]
        self.bound.append(variable)
        body = self.product()[0]
        self.bound.pop()
        return f"Sum({body}, ({variable}, {low}, {high}))", ATOM

    def integral(self) -> Piece:
        """\\int_a^b body \\,dx"""
        self.take()
        self.take("_")
        low = self.script()[0]
        self.take("^")
        high = self.script()[0]
        self.bound.append("int")
        body = "1" if self.peek() in ("d", r"\mathrm") and not self.begins() else self.sum()[0]
        self.bound.pop()
        if not self.d():
            raise self.fail("the integral has no dx")
        return f"Integral({body}, ({self.name()}, {low}, {high}))", ATOM

    def limit(self) -> Piece:
        """\\lim_{x \\to a^+} body"""
        for token in (r"\lim", "_", "{"):
            self.take(token)
        variable = self.name()
        if self.take() not in (r"\to", r"\rightarrow", r"\downarrow", r"\uparrow"):
            raise self.fail("expected \\to")
        to, side = self.sum_before_side()
        self.take("}")
        return f"Limit({self.product()[0]}, {variable}, {to}{side})", ATOM

    def sum_before_side(self) -> tuple[str, str]:
        for ahead in range(len(self.tokens) - self.at):
            if self.peek(ahead) == "}":
                break
            sign = self.peek(ahead + 2) if self.peek(ahead + 1) == "{" else self.peek(ahead + 1)
            if self.peek(ahead) == "^" and sign in ("+", "-"):
                place, length = self.at + ahead, 4 if self.peek(ahead + 1) == "{" else 2
                self.tokens[place:place + length] = []
                return self.sum()[0], f', "{sign}"'
        return self.sum()[0], ""
