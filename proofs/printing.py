"""A statement as it was typed, and LaTeX of terms, formulas and statements, made from what the kernel checks.

That every term of a statement is defined is part of what the statement says, so it is not printed again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from contextvars import ContextVar
from fractions import Fraction
from types import MappingProxyType

from qtheory.proofs.kernel.grammar import APART, OO
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import ONE, Node
from qtheory.proofs.notation import recognise_term
from qtheory.proofs.operating import as_stated
from qtheory.proofs.printer import ATOM, POWER, PRODUCT, SUM, Piece, Printer, infinite, said, to_infinity
from qtheory.proofs.signs import Notation, operator_sign

GREEK = frozenset(re.findall(r"\w+", """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau upsilon phi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"""))
SPELLINGS = {"lam": "lambda", "lamda": "lambda", "eps": "varepsilon", "epsilon": "varepsilon", "phi": "varphi"}
FENCES = {"Abs": ("|", "|"), "floor": (r"\lfloor", r"\rfloor"), "ceiling": (r"\lceil", r"\rceil")}
ACCENTS = {"hat": "hat", "bar": "bar", "tilde": "tilde"}
BOUND = {"e'": r"\varepsilon", "d'": r"\delta", "m'": "M", "b'": "b", "c'": "c"}  # bound by a definition

# the names of a document that would look alike in it, in formulas apart too
LOOK_ALIKE: ContextVar[frozenset[str]] = ContextVar("LOOK_ALIKE", default=frozenset())


def latex(node: Node) -> str:
    """A term or formula as LaTeX for math mode."""
    return distinct(lambda printer: printer.show(node))


def statement_text(statement: Statement) -> str:
    """The statement as it was typed: the very text that the kernel reads."""
    conditions = "  for " + ", ".join(statement.where) if statement.where else ""
    definitions = "  where " + ", ".join(statement.let) if statement.let else ""
    return " ".join(statement.goal.split()) + conditions + definitions


def statement_latex(statement: Statement) -> str:
    """The parsed statement as LaTeX for math mode."""
    return distinct(lambda printer: printer.statement(statement))


def distinct(write: Callable[[LatexPrinter], str]) -> str:
    """What is written, with names that would look alike as they were typed."""
    first = LatexPrinter()
    text = write(first)
    return write(LatexPrinter(first.alike())) if first.alike() else text


class LatexPrinter(Printer):
    """LaTeX with amsmath and amssymb; ``verbatim`` are the names that are not made pretty."""

    relations = MappingProxyType({">": ">", ">=": r"\ge", "<": "<", "<=": r"\le", "=": "=", "!=": r"\ne"})
    comma = r",\; "
    TALL = re.compile(r"\\(frac|sum|int|left|sqrt)")
    COMPOUND = ("and", "or", "imp", "all", "ex")

    def __init__(self, verbatim: Collection[str] = ()) -> None:
        self.verbatim = {*verbatim, *LOOK_ALIKE.get()}
        self.shown = defaultdict[str, set[str]](set)
        self.bound = set[str]()
        self.operators: dict[str, Notation] = {}

    def alike(self) -> set[str]:
        """The names that were written like others, or like values that a bound variable counts: x_i beside a sum over
        i, on which no symbol depends."""
        return {name for names in self.shown.values() for name in names if len(names) > 1 or any(
            part in self.bound or (len(part) == 2 and not self.bound.isdisjoint(part)) for part in name.split("_")[1:])}

    def binder(self, name: str) -> str:
        """The name of a variable where it is bound."""
        self.bound.add(name)
        return self.name(name)

    def statement(self, s: Statement) -> str:
        kinds = [self.name(f) + r" \text{ a function}" for w in s.where for f in declared(w, "functions")]
        stated, self.operators = as_stated(s)
        conditions = self.comma.join(filter(None, (self.conditions(stated[:-1]), *kinds)))
        return self.formula(stated[-1]) + (r" \quad \text{for } " + conditions if conditions else "")

    def name(self, name: str) -> str:
        if name in self.operators:
            return operator_sign(self.binder, self.show, self.operators[name])
        self.shown[text := self.pretty(name)].add(name)
        bare = name.rstrip("'")
        word = bare.replace("_", r"\_")
        return rf"\mathrm{{{word}}}{name[len(bare):]}" if name in self.verbatim else text

    def pretty(self, name: str) -> str:
        if name in BOUND:
            return BOUND[name]
        if name == OO:
            return r"\infty"
        bare = name.rstrip("'")
        base, *subscripts = bare.split("_")
        match = re.fullmatch(r"([A-Za-z]*?)(\d*)", base)
        if match and match[1] and match[2]:
            base, subscripts = match[1], [match[2], *subscripts]
        below = ",".join(self.symbol(s) for s in subscripts if s)
        primes = len(name) - len(bare)  # a variable that was renamed apart has at least three
        primes -= primes >= len(APART) and len(APART) - 1
        return self.symbol(base) + (f"_{{{below}}}" if below else "") + "'" * primes

    def symbol(self, word: str) -> str:
        for suffix, accent in ACCENTS.items():
            if word.endswith(suffix) and len(word) > len(suffix):
                return rf"\{accent}{{{self.symbol(word.removesuffix(suffix))}}}"
        if word in GREEK or word in SPELLINGS:
            return "\\" + SPELLINGS.get(word, word)
        return word if len(word) == 1 or word.isdigit() else rf"\mathrm{{{word}}}"

    def bracket(self, text: str) -> str:
        return rf"\left({text}\right)" if self.TALL.search(text) else f"({text})"

    def call(self, name: str, arguments: Sequence[Node]) -> str:
        shown = ", ".join(self.show(a) for a in arguments)
        if name in FENCES:
            return rf"\left{FENCES[name][0]} {shown} \right{FENCES[name][1]}"
        if name == "factorial":
            return self.before_sign(arguments[0]) + "!"
        if name == "binomial":
            return rf"\binom{{{self.show(arguments[0])}}}{{{self.show(arguments[1])}}}"
        word = {"log": r"\ln", "Max": r"\max", "Min": r"\min", "exp": r"\exp"}.get(name) or self.name(name)
        return word + self.bracket(shown)

    def before_sign(self, t: Node) -> str:
        """What stands before ``!``: in brackets, where it is no name and no number, for else nobody could tell how far
        back the sign reaches."""
        shown = self.grouped(ATOM, t)
        return self.bracket(shown) if isinstance(t, tuple) and not shown.startswith(("(", r"\left(")) else shown

    def product(self, factors: Sequence[Node]) -> str:
        out = last = ""
        for text in self.factors(factors):
            like_order = last == "O" and text.endswith(")")
            dotted = text[0].isdigit() or text.startswith(r"\frac") or like_order
            out, last = out + (r" \cdot " if dotted and out else r" \, " if out else "") + text, text
        return out

    def fraction(self, above: Sequence[Node], below: Sequence[Node]) -> Piece:
        top, bottom = (self.product(f) if len(f) > 1 else self.show(f[0]) if f else "1" for f in (above, below))
        return rf"\frac{{{top}}}{{{bottom}}}", PRODUCT

    def power(self, base: Node, exponent: Node) -> Piece:
        return f"{self.grouped(ATOM, base)}^{{{self.small(exponent)}}}", POWER

    def small(self, t: Node) -> str:
        return str(t) if isinstance(t, Fraction) else self.show(t)

    def operation(self, t: Node) -> Piece:
        head = t[0]
        if head == "exp":
            return self.exponential(t[1])
        if head == "sqrt":
            return rf"\sqrt{{{self.show(t[1])}}}", ATOM
        if head == "max":
            return self.call("Max", maxima(t)), ATOM
        if head in ("log", "floor"):
            return self.call(head, t[1:]), ATOM
        if head == "sum":
            ends = rf"_{{{self.binder(t[1])}={self.show(t[2])}}}^{{{self.show(t[3])}}}"
            return rf"\sum{ends} {self.grouped(PRODUCT, t[4])}", SUM
        if head == "int":
            ends = rf"_{{{self.show(t[2])}}}^{{{self.show(t[3])}}}"
            return rf"\int{ends} {self.grouped(PRODUCT, t[4])} \,\mathrm{{d}}{self.binder(t[1])}", SUM
        if head == "diff":
            return self.slope(t), SUM if t[3] == t[1] else PRODUCT
        if head == "W":
            self.shown[f"W_{{{t[1]}}}"].add(head)
            return f"W_{{{t[1]}}}" + self.bracket(self.show(t[2])), ATOM
        return self.call(t[1], t[2:]), ATOM  # app

    def exponential(self, u: Node) -> Piece:
        shown = self.show(u)
        if self.TALL.search(shown) or "exp" in self.verbatim:  # where a variable is called e
            return self.call("exp", (u,)), ATOM
        self.shown["e"].add("exp")
        return ("e", ATOM) if u == ONE else (f"e^{{{shown}}}", POWER)

    def slope(self, t: Node) -> str:
        _, x, body, at = t
        order = 1
        while at == x and isinstance(body, tuple) and body[0] == "diff" and body[1] == x and body[3] == x:
            order, body = order + 1, body[2]
        power = f"^{{{order}}}" if order > 1 else ""
        variable = self.binder(x)
        text = rf"\frac{{\mathrm{{d}}{power}}}{{\mathrm{{d}}{variable}{power}}} {self.bracket(self.show(body))}"
        return text if at == x else rf"\left.{text}\right|_{{{variable}={self.show(at)}}}"

    def notation(self, notation: Notation) -> str:
        name, arguments = notation
        if name in ("Limit", "SequenceLimit"):
            f, x, *to, limit = arguments
            if x == "b'":
                return f"{self.show(to_infinity(f))} = {self.show(limit)}"
            place = self.show(to[0]) if to else r"\infty"
            side = f"^{{{to[1]}}}" if to and to[1] != "+-" and not infinite(to[0]) else ""
            return (rf"\lim_{{{self.binder(x)} \to {place}{side}}} {self.grouped(PRODUCT, f)} = {self.show(limit)}")
        if name in ("ForAll", "Exists", "ExistsUnique"):
            x, where, body = arguments
            sign = {"ForAll": r"\forall", "Exists": r"\exists", "ExistsUnique": r"\exists!"}[name]
            return (rf"{sign}\, {self.binder(x)},\; {self.conditions(self.parts(where))}: \; "
                    rf"{self.conditions(self.parts(body))}")
        if name == "BigO":
            f, g, x, a, side = arguments
            way = f"^{{{side[1]}}}" if side[1] != "+-" and not infinite(a) else ""
            return (rf"{self.show(f)} = O\left({self.show(g)}\right) \text{{ as }} "
                    rf"{self.binder(x)} \to {self.show(a)}{way}")
        f, x, where = arguments
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
        return (rf"{self.binder(x)} \mapsto {self.show(f)} \text{{ is {words} on }} "
                rf"\{{{self.conditions(self.parts(where))}\}}")

    def parts(self, formula: Node) -> Sequence[Node]:
        return said(formula[1:]) if formula[0] == "and" and len(formula) > 1 else (formula,)

    def connected(self, head: str, parts: Sequence[Node]) -> str:
        if not parts:
            return r"\top" if head == "and" else r"\bot"
        sign = {"and": r" \;\wedge\; ", "or": r" \;\vee\; ", "imp": r" \;\Longrightarrow\; "}[head]
        if head == "and" and not any(p[0] in self.COMPOUND for p in parts):
            return self.conditions(parts, sign)
        return sign.join(self.bracket(self.formula(p)) if p[0] in self.COMPOUND else self.formula(p) for p in parts)

    def quantified(self, head: str, x: str, body: Node) -> str:
        return rf"\{'forall' if head == 'all' else 'exists'}\, {self.binder(x)}: \; {self.formula(body)}"

    def predicate(self, head: str, t: Node) -> str:
        if head == "isint":
            return self.member(t, "integers")
        return rf"{self.show(t)} \text{{ is {'defined' if head == 'def' else 'undefined'}}}"

    def member(self, t: Node, family: str) -> str:
        return rf"{self.show(t)} \in \mathbb{{{'N' if family == 'naturals' else 'Z'}}}"


def maxima(t: Node) -> tuple[Node, ...]:
    """The arguments of nested maxima."""
    if isinstance(t, tuple) and t[0] == "max" and not recognise_term(t):
        return (*maxima(t[1]), *maxima(t[2]))
    return (t,)


LATEX = LatexPrinter()

__all__ = ["latex", "statement_latex", "statement_text"]
