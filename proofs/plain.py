"""Terms and formulas in the statement language itself: for an undefined subterm, and for the texts of steps.

A statement is never shown by this: it is shown as it was typed, in the very text that is checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import MappingProxyType

from qtheory.proofs.kernel.grammar import APART
from qtheory.proofs.kernel.terms import Node, substitute, subterms
from qtheory.proofs.printer import ATOM, POWER, PRODUCT, Piece, Printer, infinite, to_infinity
from qtheory.proofs.signs import Notation, counting


def term_text(node: Node) -> str:
    """A term or formula in the statement language, where its notations suffice to say it."""
    return PLAIN.show(node)


def undefined_term(formula: Node, failing: Node) -> Node:
    """The subterm without a value; where it is a part of what a factorial or binomial coefficient stands for, that."""
    def holds(whole: Node) -> bool:
        found = counting(whole) if isinstance(whole, tuple) else None
        return found is not None and failing in subterms(whole) and not any(
            failing in subterms(a) for a in found.arguments)

    return max(filter(holds, subterms(formula)), key=lambda s: len(str(s)), default=failing)


class PlainPrinter(Printer):
    """The statement language itself; where it has no word, as for definedness, a readable one."""

    relations = MappingProxyType({">": ">", ">=": ">=", "<": "<", "<=": "<=", "=": "==", "!=": "!="})

    def name(self, name: str) -> str:
        return name

    def bracket(self, text: str) -> str:
        return f"({text})"

    def call(self, name: str, arguments: Sequence[Node]) -> str:
        return f"{name}({', '.join(self.show(a) for a in arguments)})"

    def product(self, factors: Sequence[Node]) -> str:
        return "*".join(self.factors(factors))

    def fraction(self, above: Sequence[Node], below: Sequence[Node]) -> Piece:
        top = self.product(above) if len(above) > 1 else self.grouped(PRODUCT, above[0]) if above else "1"
        return "/".join((top, *(self.grouped(POWER, b) for b in below))), PRODUCT

    def power(self, base: Node, exponent: Node) -> Piece:
        return f"{self.grouped(ATOM, base)}**{self.grouped(ATOM, exponent)}", POWER

    def operation(self, t: Node) -> Piece:
        head = t[0]
        if head in ("sum", "int"):
            x = bound_name(t[1], t[4])
            span = ", ".join((x, self.show(t[2]), self.show(t[3])))
            return f"{'Sum' if head == 'sum' else 'Integral'}({self.show(substitute(t[4], t[1], x))}, ({span}))", ATOM
        if head == "diff":
            inner = f"diff({self.show(t[2])}, {t[1]})"
            return (inner if t[3] == t[1] else f"At({inner}, {t[1]}, {self.show(t[3])})"), ATOM
        if head == "W":
            return self.call("LambertW", t[2:] if t[1] == 0 else (t[2], Fraction(t[1]))), ATOM
        if head == "app":
            return self.call(t[1], t[2:]), ATOM
        return self.call("Max" if head == "max" else head, t[1:]), ATOM

    def notation(self, notation: Notation) -> str:
        name, arguments = notation
        if name == "Limit":
            f, x, a, side, limit = arguments
            if x == "b'":
                return f"{self.show(to_infinity(f))} == {self.show(limit)}"
            way = "" if side == "+-" or infinite(a) else f', "{side}"'
            return f"Limit({self.show(f)}, {x}, {self.show(a)}{way}) == {self.show(limit)}"
        if name == "SequenceLimit" and arguments[1] == "b'":
            return f"{self.show(to_infinity(arguments[0]))} == {self.show(arguments[2])}"
        return f"{name}({', '.join(self.argument(a) for a in arguments)})"

    def argument(self, a: Node) -> str:
        return f'"{a[1]}"' if isinstance(a, tuple) and a[0] == "text" else self.show(a)

    def connected(self, head: str, parts: Sequence[Node]) -> str:
        return f"{ {'and': 'And', 'or': 'Or', 'imp': 'Implies'}[head]}({', '.join(self.formula(p) for p in parts)})"

    def quantified(self, head: str, x: str, body: Node) -> str:
        return f"{'for all' if head == 'all' else 'for some'} {x}: {self.formula(body)}"

    def predicate(self, head: str, t: Node) -> str:
        if head == "isint":
            return self.call("Integer", (t,))
        return f"{self.show(t)} is {'defined' if head == 'def' else 'undefined'}"

    def member(self, t: Node, family: str) -> str:
        return f"{self.show(t)} in {family}"


def bound_name(name: str, body: Node) -> str:
    """A bound variable that was renamed apart, as it was typed; numbered where the body speaks of that name itself."""
    typed, renamed, _ = name.partition(APART)
    if not renamed:
        return name
    used = {*spoken(body)}
    return next(x for x in (typed, *(f"{typed}_{n}" for n in range(1, len(used) + 2))) if x not in used)


def spoken(node: Node) -> Iterator[str]:
    """All names in the node, those of operations and bound variables with them."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from spoken(part)


PLAIN = PlainPrinter()
