"""From LaTeX to the statement language, by a grammar of our own: what papers write in displayed formulas.

Read are relations (chains too), membership of an interval, implications, sums, products (also by juxtaposition),
fractions, powers, roots, exp, ln, log, max, min, absolute values, floors and ceilings, factorials, binomial
coefficients, sums, integrals, derivatives, limits, names with subscripts and stars, and calls of declared functions,
for which an index may stand (lambda_i for lam(i)). A name is one letter, a Greek letter, or a word in \\mathrm or
\\operatorname; what is declared decides which spelling of a subscript is meant (theta0 or theta_0).
Everything else is refused with its position, and so is what two readers may read in two ways: then both readings are
shown.  Nothing is guessed; where a construct's end is not plain, brackets are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from itertools import count
from types import MappingProxyType

from qtheory.errors import InputError
from qtheory.proofs.latex_names import IGNORED, NAME, NUMBER, OTHER, OTHER_NAMES, NameReader
from qtheory.proofs.printing import GREEK

MAX_LENGTH, MAX_NESTING = 20_000, 40
IMPLIES = (r"\implies", r"\Rightarrow", r"\Longrightarrow")
RELATIONS = {"<": "<", ">": ">", "=": "==", r"\le": "<=", r"\leq": "<=", r"\leqslant": "<=", r"\ge": ">=",
             r"\geq": ">=", r"\geqslant": ">=", r"\ne": "!=", r"\neq": "!=", r"\lt": "<", r"\gt": ">"}
SIGNS = {r"\cdot": "*", r"\times": "*", "*": "*", "/": "/", r"\div": "/"}
PRODUCTS = (*SIGNS, "begins", "^", "|")  # whatever multiplies what stands before it, or is its exponent
FENCES = {"(": ")", "[": "]", r"\{": r"\}", "{": "}"}
PAIRS = {"|": ("|", "Abs"), r"\lvert": (r"\rvert", "Abs"), r"\lfloor": (r"\rfloor", "floor"),
         r"\lceil": (r"\rceil", "ceil")}
CALLS = {r"\exp": "exp", r"\ln": "log", r"\log": "log", r"\max": "Max", r"\min": "Min"}
ARROWS = {r"\to": "", r"\rightarrow": "", r"\downarrow": "+", r"\uparrow": "-"}
PROBABILITY = re.compile(r"(E|P|V)(?![A-Za-z])")
SUM, PRODUCT, POWER, ATOM = range(4)
Piece = tuple[str, int]


def to_text(latex: str, known: Collection[str], functions: Collection[str],
            hidden: Mapping[str, Collection[str]] | None = None, written: dict[str, str] | None = None) -> str:
    """The formula in the statement language. ``known``: the declared names; ``functions``: those that take arguments;
    ``hidden``: the symbols that each definition speaks of, which stand in a formula unseen; ``written``: how names were
    written before, to which it adds those in the formula.

    Raises InputError, with the column, for what is outside the grammar or ambiguous.
    """
    if not isinstance(latex, str) or len(latex) > MAX_LENGTH:
        raise InputError(f"the LaTeX of a step is a text of at most {MAX_LENGTH} characters")
    reader = LatexReader(latex, known, functions, written)
    reader.hidden = hidden or {}
    return reader.formula()


class LatexReader(NameReader):
    """A precedence reader over the tokens of one formula; each piece of text knows how tightly it binds."""

    at: int
    depth = 0
    in_integral = False  # a d ends what is being read
    hidden: Mapping[str, Collection[str]] = MappingProxyType({})  # what definitions speak of

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
        out = self.part()
        if self.peek() not in IMPLIES:
            return out
        self.take()
        right = self.part()
        if self.peek() in IMPLIES:
            raise self.fail(f"two readings, Implies({out}, Implies({right}, ..)) and And(Implies({out}, {right}), "
                            f"Implies({right}, ..)); write brackets")
        return f"Implies({out}, {right})"

    def part(self) -> str:
        """A comparison, or a formula in brackets."""
        if self.peek() != "(" or not {*RELATIONS, *IMPLIES, r"\in"} & set(self.directly_inside()[0]):
            return self.comparison()
        self.deeper()
        self.take()
        inner = self.implication()
        self.take(")")
        self.depth -= 1
        return inner

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail("nested too deeply")

    def comparison(self) -> str:
        """A chain of relations between terms."""
        start, parts = self.place(), [self.sum()[0]]
        if self.peek() == r"\in":
            return self.inclusion(parts[0])
        while self.peek() in RELATIONS:
            parts += [RELATIONS[self.take()], self.sum()[0]]
        if len(parts) == 1:
            raise self.fail(r"a relation such as = or \le is missing" if self.peek() in ("", ".", ",", *IMPLIES)
                            else f"{self.peek()!r} is outside the grammar here")
        if len(parts) > 3 and ("!=" in parts or len({p[0] for p in parts[1::2]} & {"<", ">"}) > 1):
            raise self.fail(f"a chain with \\ne or in two directions says nothing of {parts[0]} and {parts[-1]}; "
                            "write each relation alone", start)
        return " ".join(parts)

    def inclusion(self, term: str) -> str:
        """``x \\in [a, b)``, with an infinite end left out."""
        self.take()
        if self.peek() not in ("(", "["):
            raise self.fail("an interval such as (0, 1) or [0, 1) stands after \\in")
        left, low = self.take(), self.sum()[0]
        self.take(",")
        high = self.sum()[0]
        if self.peek() not in (")", "]"):
            raise self.fail("the interval is not closed")
        ends: tuple[str, ...] = (low, "<=" if left == "[" else "<", term, "<=" if self.take() == "]" else "<", high)
        ends = ends[2 * (ends[:2] == ("-oo", "<")):5 - 2 * (ends[3:] == ("<", "oo"))]
        if len(ends) == 1:
            raise self.fail("the interval has no finite end")
        return " ".join(ends)

    # ---- sums and products ----

    def sum(self) -> Piece:
        sign = self.take() if self.peek() in ("+", "-") else ""
        text, level = self.product()
        if sign == "-":
            text, level = "-" + text, SUM
        while self.peek() in ("+", "-"):
            self.together(False)
            text, level = text + self.link(), SUM
        return text, level

    @property
    def chained(self) -> bool:
        """Is there more than one relation?"""
        return sum(token in RELATIONS for token, _ in self.tokens) > 1

    def together(self, factors: bool) -> None:
        """Refuse a gap here, as in ``x = 1 \\quad y = 2``: two formulas beside each other are no product."""
        if (factors and self.at in self.wide) or (self.at in self.wide | self.loose and self.chained):
            raise self.fail("two readings, one formula and two with a gap between them; write each formula alone, and "
                            r"a product with \cdot")

    def product(self) -> Piece:
        text, level = self.factor()
        while self.peek() in SIGNS or self.begins():
            token, left = self.peek(), text
            if token not in SIGNS:
                self.together(True)
            if NUMBER.fullmatch(token):
                raise self.fail(rf"two readings, {left} \cdot {token} and {self.peek(-1)}{token}")
            link = self.link()
            if token.endswith("frac") and left.isdigit() and re.fullmatch(r"\*\(\d+/\d+\)", link):
                raise self.fail(f"two readings, {left}{link} and {left} + {link[2:-1]}")
            text, level = left + link, PRODUCT
            if link[0] == "/":
                self.ends_here(PRODUCTS, f"({text})", f"{left}/({link[1:]}{{}})".format)
        return text, level

    def link(self) -> str:
        """The sign that comes next, or that juxtaposition stands for, and what it joins."""
        token = self.peek()
        if token in ("+", "-"):
            return f" {self.take()} {self.grouped(PRODUCT, self.product())}"
        if token == "^":
            self.take()
            return f"**{self.grouped(ATOM, self.script())}"
        if token in SIGNS:
            self.take()
        return SIGNS.get(token, "*") + self.grouped(POWER, self.factor())

    def ends_here(self, stops: Collection[str], text: str, wider: Callable[[str], str]) -> None:
        """Refuse one of the ``stops`` if it comes next, for it may join ``text`` or what is last in it."""
        at = self.place()
        if self.peek() in stops or ("begins" in stops and self.begins()):
            rest = self.link()
            raise self.fail(f"two readings, {text}{rest} and {wider(rest)}; write brackets", at)

    def begins(self) -> bool:
        """Does a factor begin here, so that juxtaposition means a product?"""
        token = self.peek()
        if self.in_integral and token in ("d", r"\d"):
            return False  # the d of the integral that is being read
        return bool(NAME.fullmatch(token) or NUMBER.fullmatch(token) or (token in READERS and token != "|"))

    def factor(self) -> Piece:
        start = self.at
        base = piece = self.factorial(start, self.atom())
        if self.peek() == "^" and base[1] == ATOM and self.raised() not in ("+", "-"):
            piece = f"{base[0]}{self.link()}", POWER
        if NAME.fullmatch(base[0]) and self.peek() in FENCES:
            self.product_or_call(base[0])
        if self.peek() == "!":
            raise self.fail(f"brackets are needed around what ! stands behind, ({piece[0]})! or its last part alone")
        return piece

    def factorial(self, start: int, piece: Piece) -> Piece:
        """``n!``, where it is plain how far back the sign reaches: behind a symbol, an integer, a pair of brackets."""
        bracketed = self.tokens[start][0] == "("
        if self.peek() != "!" or not (NAME.fullmatch(piece[0]) or piece[0].isdigit() or bracketed):
            return piece
        at = self.place()
        self.take()
        if self.peek() == "!":
            raise self.fail("two readings, a double factorial and the factorial of a factorial; write brackets", at)
        if self.peek() == "=" and self.place() == at + 1:
            raise self.fail(rf"two readings, {piece[0]} \ne .. and ({piece[0]})! = ..; write \ne, or a space before =",
                            at)
        return f"factorial({piece[0][1:-1] if bracketed else piece[0]})", ATOM

    def product_or_call(self, name: str) -> None:
        """Refuse ``x(y)`` and ``x[y]`` for a symbol x; ``x(y + 1)`` is a product."""
        if PROBABILITY.match(name):
            self.operator(name[0], self.place())
        if name == "O":
            raise self.fail(r"two readings, the product O \cdot (.. and an order of magnitude, BigO in the language")
        inside = self.directly_inside()[0]
        if self.peek() != "(" or "," in inside or not {"+", "-"} & set(inside[2:]):
            raise self.fail(rf"two readings, the product {name} \cdot {self.peek()}.. and the value of a function "
                            f"{name}, which is not declared")

    def grouped(self, level: int, piece: Piece) -> str:
        return piece[0] if piece[1] >= level else f"({piece[0]})"

    def atom(self) -> Piece:
        token = self.peek()
        self.deeper()
        piece = READERS[token](self) if token in READERS else self.named()
        self.depth -= 1
        return piece

    def bracket(self) -> Piece:
        token, at = self.peek(), self.place()
        inner = self.group()
        if token == "[" and inner[1] != SUM:
            raise self.fail(f"two readings, brackets around {inner[0]} and its integer part", at)
        return f"({inner[0]})", ATOM

    def group(self) -> Piece:
        """One term in brackets or braces."""
        pieces = self.inside()
        if len(pieces) > 1:
            raise self.fail("one term is expected in these brackets")
        return pieces[0]

    def inside(self) -> list[Piece]:
        """What stands in brackets or braces, between commas; a d is a name like any other there."""
        closing = FENCES[self.take()]
        outer, self.in_integral = self.in_integral, False
        pieces = [self.sum()]
        while self.peek() == ",":
            self.take()
            pieces.append(self.sum())
        self.in_integral = outer
        self.take(closing)
        return pieces

    def between(self) -> Piece:
        """An absolute value, floor or ceiling."""
        closing, name = PAIRS[self.take()]
        inner = self.sum()[0]
        self.take(closing)
        if closing == "|" and self.begins():  # as in |a|b|c|
            raise self.fail(f"two readings, |..| around {inner} alone and around more; write \\lvert .. \\rvert")
        return f"{name}({inner})", ATOM

    def script(self) -> Piece:
        """What stands after ^: a group, or one token."""
        bracket = self.peek(1) == "("
        self.deeper()
        piece = self.argument()
        self.depth -= 1
        if bracket and piece[1] == ATOM and self.peek(-1) == "}" and self.peek(-2) == ")":
            raise self.fail(f"two readings, the power {piece[0]} and an index in brackets")
        return piece

    def argument(self) -> Piece:
        """What TeX takes for an argument: a group, or one token."""
        if self.peek() == "{":
            return self.group()
        at, token = self.place(), self.one()
        names = self.declared(token, "") or [token]
        if len(names) > 1 or not token.isalnum() or names[0] in self.functions or names[0] in {"e", "E"} - self.known:
            raise self.fail(f"braces are needed around {token!r}", at)
        return names[0] if token.isdigit() else self.one_spelling(names[0], at), ATOM

    # ---- fractions, derivatives, roots ----

    def fraction(self) -> Piece:
        self.take()
        token = self.peek()
        if token.isdigit() and len(token) == 2:  # \frac12
            self.take()
            return f"{token[0]}/{token[1]}", PRODUCT
        after = self.directly_inside()[1] + 2 - self.at
        if token == "{" and {self.peek(1), self.peek(after)} <= {"d", r"\d", r"\partial"}:
            return self.slope(), ATOM
        above, below = self.argument(), self.argument()
        return f"{self.grouped(PRODUCT, above)}/{self.grouped(POWER, below)}", PRODUCT

    def slope(self) -> str:
        """``{d}{dx} f``, ``{d^2}{dx^2} f``, ``{d f}{dx}``, with d upright or not."""
        self.take("{")
        order = self.d()
        outer, self.in_integral = self.in_integral, False
        inner = "" if self.peek() == "}" else self.product()[0]
        self.in_integral = outer
        self.take("}", "{")
        self.d()
        variable = self.name()
        span = variable + (f", {order}" if order != "1" else "")
        if self.order() != order:
            raise self.fail("a derivative is by one variable, with one order above and below")
        self.take("}")

        def of(text: str) -> str:
            self.unrelated(variable, text)
            words = set(NAME.findall(text))
            if words and variable not in words.union(*(self.hidden.get(word, ()) for word in words)):
                raise self.fail(f"two readings, 0, as {variable} does not occur in {text}, and the derivative of a "
                                f"quantity that depends on {variable}; write it as a function, as in f({variable})")
            return f"diff({text}, {span})"

        if not inner:
            return self.body(of, self.operand)
        self.ends_here(("(", "["), of(inner), lambda rest: f"the derivative at {rest[1:]}")
        return of(inner)

    def operand(self) -> Piece:
        """What a derivative is of: one factor, or what stands in brackets."""
        piece = self.atom() if self.peek() == "(" else self.factor()
        self.ends_here(PRODUCTS, f"(d {piece[0]})", lambda rest: f"(d {piece[0]}{rest})")
        return piece

    def d(self) -> str:
        """Reads a d, and returns its order."""
        if self.take() == "d" and "d" in self.known:
            raise self.fail(r"two readings, the symbol d and a differential, which is written \mathrm{d}")
        return self.order()

    def order(self) -> str:
        return self.link()[2:] if self.peek() == "^" else "1"

    def coefficient(self) -> Piece:
        """``\\binom{n}{k}``"""
        self.take()
        return f"binomial({self.argument()[0]}, {self.argument()[0]})", ATOM

    def root(self) -> Piece:
        self.take()
        if self.peek() == "[":
            raise self.fail("two readings, x**(1/3), without a value for x < 0, and the root of an odd order; "
                            "write x^{1/3} for the first")
        return f"sqrt({self.argument()[0]})", ATOM

    # ---- functions and names ----

    def call(self) -> Piece:
        """max and min with their arguments; exp and log of what stands in brackets, or of one plain factor."""
        name, token = CALLS[self.take()], self.peek()
        if token == "^":
            raise self.fail(f"two readings, {name}(x)**n and {name} applied n times; write (f(x))^n")
        if name in ("Max", "Min"):
            parts = self.inside() if token in ("(", "[", r"\{") else []
            if len(parts) < 2:
                raise self.fail("the arguments of max and min, two or more, stand in brackets")
            return f"{name}({', '.join(p[0] for p in parts)})", ATOM
        inner, level = self.group() if token in FENCES else self.atom()
        if token == "{" and level < ATOM:
            raise self.fail(f"two readings, {name}({inner}) and {name} of its first factor; write brackets")
        plain = token not in FENCES or (token == "{" and inner[:1] != "(")
        if self.peek() == "!":
            raise self.fail(f"two readings, ({name}({inner}))! and {name}({inner}!); write brackets")
        self.ends_here(PRODUCTS if plain else ("(", "[", "^"), f"{name}({inner})",
                       lambda rest: f"{name}({self.grouped(POWER, (inner, level))}{rest})")
        return f"{name}({inner})", ATOM

    def named(self) -> Piece:
        """A symbol, a power of e, or the value of a declared function."""
        if NUMBER.fullmatch(self.peek()):
            return self.take(), ATOM
        at, base = self.place(), self.word()
        function = next((b for b in OTHER_NAMES.get(base, (base,)) if b in self.functions), "")
        indexed = self.indexed(function, base, at) if function and self.peek() == "_" else ""
        name = indexed or self.scripted(base, at)
        if name in self.functions:
            return self.applied(name), ATOM
        if self.peek() == "'":
            raise self.fail(f"{name} is no declared function, so it has no derivative")
        if name != "e" or "e" in self.known:
            return name, ATOM
        if self.peek() != "^":
            raise self.fail(r"two readings, a symbol e, which is not declared, and Euler's number, \exp(1)", at)
        self.take()
        return f"exp({self.script()[0]})", POWER

    def indexed(self, function: str, base: str, at: int) -> str:
        """``f_i`` for a declared function f is f(i), unless a symbol has that name."""
        start, below, symbols = self.at, "", list[str]()
        with suppress(InputError):  # an index may be any term
            below = self.subscript()
            symbols = self.declared(base, below)
        if symbols and (len(below) == 1 or below.isdigit()):
            raise self.fail(f"two readings, the symbol {symbols[0]} and {function}({below})", at)
        if symbols:
            return self.one_spelling(symbols[0], at, start, self.at)
        self.at = start + 1
        index = self.argument()[0]
        if "*" in index or self.peek() in FENCES:
            raise self.fail(f"two readings of the index {index} of {function}; write {function}(..)", at)
        self.one_spelling(function, at)
        return f"{function}({index})"

    def applied(self, name: str) -> str:
        """``f(x)``, ``f'(x)``, ``f''(2 x)`` ..."""
        primes = 0
        while self.peek() == "'":
            self.take()
            primes += 1
        if self.peek() != "(":
            raise self.fail(f"the function {name} needs its arguments in brackets; {name}^n has two readings, a power "
                            f"and {name} applied n times")
        inside = ", ".join(p[0] for p in self.inside())
        if not primes:
            return f"{name}({inside})"
        loose = {*self.hidden, *(x for spoken in self.hidden.values() for x in spoken)}
        if NAME.fullmatch(inside) and inside not in loose:
            return f"diff({name}({inside}), {inside}, {primes})"
        x = next(x for n in count() if (x := f"u{n}") not in {*self.known, *loose})
        return f"At(diff({name}({x}), {x}, {primes}), {x}, {inside})"

    # ---- sums, integrals, limits ----

    def body(self, whole: Callable[[str], str], read: Callable[[], Piece]) -> str:
        """What a sum, limit or derivative is of; where terms come after it, it is in brackets."""
        end = self.directly_inside()[1] if self.peek() == "(" else -2
        text = read()[0]
        if self.at != end + 1:
            self.ends_here(("+", "-"), whole(text), lambda rest: whole(text + rest))
        return whole(text)

    def series(self) -> Piece:
        """\\sum_{i=1}^{n} body"""
        self.take(r"\sum", "_", "{")
        span = variable = self.name()
        self.take("=")
        span += f", {self.sum()[0]}"
        self.take("}", "^")
        span += f", {self.script()[0]}"
        return self.over(variable, self.body(lambda body: f"Sum({body}, ({span}))", self.product))

    def over(self, variable: str, text: str) -> Piece:
        """A sum, integral or limit over this variable."""
        self.unrelated(variable, text)
        return text, ATOM

    def integral(self) -> Piece:
        """\\int_a^b body \\,dx"""
        self.take(r"\int", "_")
        low = self.script()[0]
        self.take("^")
        high = self.script()[0]
        outer, self.in_integral = self.in_integral, True
        body = "1" if self.peek() in ("d", r"\d") else self.sum()[0]
        self.in_integral = outer
        if self.peek() not in ("d", r"\d") or self.d() != "1":
            raise self.fail("the integral has no dx")
        variable = self.name()
        span = f"({variable}, {low}, {high})"
        self.ends_here(PRODUCTS, f"Integral({body}, {span})", lambda rest: f"Integral(({body}){rest}, {span})")
        return self.over(variable, f"Integral({body}, {span})")

    def limit(self) -> Piece:
        """\\lim_{x \\to a^+} body"""
        self.take(r"\lim", "_", "{")
        variable, arrow = self.name(), self.take()
        if arrow not in ARROWS:
            raise self.fail("expected \\to")
        to, side = self.sum()[0], ARROWS[arrow]
        if self.raised() in ("+", "-") and not side:
            side = self.raised()
            self.skip_raised()
        self.take("}")
        if side and to.endswith("oo"):
            raise self.fail("infinity has no sides; write \\to")
        way = f', "{side}"' if side else ""
        return self.over(variable, self.body(lambda body: f"Limit({body}, {variable}, {to}{way})", self.product))


READERS: dict[str, Callable[[LatexReader], Piece]] = {
    **dict.fromkeys(("(", "["), LatexReader.bracket), **dict.fromkeys(PAIRS, LatexReader.between),
    **dict.fromkeys((r"\frac", r"\dfrac", r"\tfrac"), LatexReader.fraction), r"\sqrt": LatexReader.root,
    **dict.fromkeys((r"\binom", r"\dbinom", r"\tbinom"), LatexReader.coefficient),
    **dict.fromkeys(CALLS, LatexReader.call), r"\sum": LatexReader.series, r"\int": LatexReader.integral,
    r"\lim": LatexReader.limit}
COMMANDS = frozenset(name.removeprefix("\\") for name in (  # that LaTeX defines itself, among those that are read
    *IMPLIES, *RELATIONS, *SIGNS, *PAIRS, *ARROWS, *READERS, *IGNORED, r"\d", r"\Pr", r"\mathbb", *OTHER, *GREEK))
