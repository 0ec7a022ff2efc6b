"""Walking terms and formulas in order to print them: what binds how tightly, and what is written together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from qtheory.proofs.kernel.grammar import OO
from qtheory.proofs.kernel.terms import MINUS, ONE, Node
from qtheory.proofs.notation import Notation, quotient, recognise, recognise_term, sides, signed, summands

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly a piece of text binds
Piece = tuple[str, int]
LOOSE = (r"\forall", r"\exists", r"\Longrightarrow", r"\vee")  # what a comma would not end for every reader


class Printer:
    """Walks a node; its subclasses say what each operation looks like."""

    comma = ", "
    relations: Mapping[str, str] = {}
    name: Callable[[str], str]
    bracket: Callable[[str], str]
    call: Callable[[str, Sequence[Node]], str]
    product: Callable[[Sequence[Node]], str]
    fraction: Callable[[Sequence[Node], Sequence[Node]], Piece]
    power: Callable[[Node, Node], Piece]
    operation: Callable[[Node], Piece]
    notation: Callable[[Notation], str]
    connected: Callable[[str, Sequence[Node]], str]
    quantified: Callable[[str, str, Node], str]
    predicate: Callable[[str, Node], str]
    member: Callable[[Node, str], str]

    def show(self, node: Node) -> str:
        heads = {">", ">=", "=", "!=", "isint", "def", "undef", "and", "or", "imp", "all", "ex"}
        return self.formula(node) if isinstance(node, tuple) and node[0] in heads else self.term(node)[0]

    # ---- terms ----

    def term(self, t: Node) -> Piece:
        if isinstance(t, str):
            return self.name(t), ATOM
        notation = recognise_term(t)
        if notation:
            return self.call(notation.name, notation.arguments), ATOM
        if isinstance(t, Fraction) or t[0] in ("*", "^"):
            sign, body = signed(t)
            text, level = self.unsigned(body)
            return (text, level) if sign > 0 else ("-" + self.at_least(PRODUCT, text, level), SUM)
        if t[0] == "+":
            return self.sum(t), SUM
        return self.operation(t)

    def sum(self, t: Node) -> str:
        out = ""
        for i, (sign, part) in enumerate(parts := list(summands(t)), 1):
            text, level = self.term(part)
            read_on = text.startswith(("-", r"\sum") if i < len(parts) else "-")  # a sum would take in what follows
            text = self.at_least(PRODUCT, text, level) if sign < 0 or read_on else text
            out += (" + " if sign > 0 else " - ") + text if out else ("" if sign > 0 else "-") + text
        return out

    def unsigned(self, t: Node) -> Piece:
        above, below = quotient(t)
        above = [f for f in above if f != ONE]
        if below:
            return self.fraction(above, below)
        if not above:
            return "1", ATOM
        if len(above) > 1:
            return self.product(above), PRODUCT
        only = above[0]
        if isinstance(only, Fraction):
            return (str(only), ATOM) if only >= 0 else (str(only), SUM)
        return self.power(only[1], only[2]) if isinstance(only, tuple) and only[0] == "^" else self.term(only)

    def factors(self, factors: Sequence[Node]) -> list[str]:
        return [self.grouped(POWER if isinstance(f, tuple) and f[0] == "*" else PRODUCT, f) for f in factors]

    def at_least(self, wanted: int, text: str, level: int) -> str:
        return text if level >= wanted else self.bracket(text)

    def grouped(self, wanted: int, t: Node) -> str:
        return self.at_least(wanted, *self.term(t))

    # ---- formulas ----

    def formula(self, phi: Node) -> str:
        notation = recognise(phi)
        if notation:
            return self.notation(notation)
        head = phi[0]
        if head in (">", ">=", "=", "!="):
            relation, left, right = sides(phi)
            return f"{self.term(left)[0]} {self.relations[relation]} {self.term(right)[0]}"
        if head in ("and", "or"):
            parts = said(phi[1:]) if head == "and" else phi[1:]
            return self.formula(parts[0]) if len(parts) == 1 else self.connected(head, parts)
        if head == "imp":
            return self.connected("imp", phi[1:])
        if head in ("all", "ex"):
            return self.quantified(head, phi[1], phi[2])
        return self.predicate(head, phi[1])

    def conditions(self, formulas: Iterable[Node], sign: str = "") -> str:
        """A list of conditions, with a < x, x < b written as one chain and membership as one sign."""
        out: list[str] = []
        rest = list(formulas)
        while rest:
            first = rest.pop(0)
            low = sides(first) if first[0] in (">", ">=") else None
            two = first[0] in ("all", "def")  # formulas, or more, may say one thing together
            more = two and next((i for i, phi in enumerate(rest) if phi[0] != "def"), -1) + 1
            paired = ("and", first, *rest[:more]) if more else None
            if first[0] == "isint" and (">=", first[1]) in rest:
                rest.remove((">=", first[1]))
                out.append(self.member(first[1], "naturals"))
            elif paired is not None and recognise(paired):
                rest = rest[more:]
                out.append(self.formula(paired))
            elif low and low[0] in (">", ">=") and (high := self.upper(low[1], rest)):
                rest.remove(high)
                out.append(self.chain(low, sides(high)))
            else:
                out.append(self.formula(first))
        out = [self.bracket(text) if any(loose in text for loose in LOOSE) else text for text in out]
        return (sign or self.comma).join(out)

    def upper(self, middle: Node, formulas: list[Node]) -> Node | None:
        """A condition middle < b, if its other side is the very term that a condition above bounds from below."""
        if isinstance(middle, Fraction):
            return None
        for phi in formulas:
            if phi[0] in (">", ">="):
                relation, left, right = sides(phi)
                if (left == middle and relation in ("<", "<=")) or (right == middle and relation in (">", ">=")):
                    return phi
        return None

    def chain(self, low: tuple[str, Node, Node], high: tuple[str, Node, Node]) -> str:
        top = high[2] if high[1] == low[1] else high[1]
        less = {">": "<", ">=": "<=", "<": "<", "<=": "<="}
        return (f"{self.term(low[2])[0]} {self.relations[less[low[0]]]} {self.term(low[1])[0]} "
                f"{self.relations[less[high[0]]]} {self.term(top)[0]}")


def said(parts: Sequence[Node]) -> Sequence[Node]:
    """The parts of a conjunction without those on the definedness of a disjunction, its last part: see `printing`."""
    return [p for p in parts if not _of_definedness(p)] if parts and parts[-1][0] == "or" else parts


def _of_definedness(phi: Node) -> bool:
    """Does the formula say only that terms are defined, under guards or not?"""
    if phi[0] in ("and", "imp", "all"):
        return all(map(_of_definedness, phi[1:] if phi[0] == "and" else phi[2:]))
    return bool(phi[0] == "def")


def to_infinity(f: Node) -> Node:
    """A sum or integral to the bound b' of a limit, written to infinity."""
    return (*f[:3], OO, f[4]) if isinstance(f, tuple) and f[0] in ("sum", "int") and f[3] == "b'" else f


def infinite(a: Node) -> bool:
    return a in (OO, ("*", MINUS, OO))
