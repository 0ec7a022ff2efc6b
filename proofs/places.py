"""What a checked certificate says of a place: the point at which something holds, read off its steps.

A refutation, and a witness, proves a closed "there are x, y, ... such that"; the terms with which it does so are the
point. They are read here, from the steps that both checkers replayed, so that no other point can be shown. A term that
is a rational is shown as it is; one that speaks of roots, each between the rational ends of its intermediate value, as
an interval that encloses it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from qtheory.proofs.kernel.balls import Interval, enclose
from qtheory.proofs.kernel.certificate import Reader
from qtheory.proofs.kernel.terms import KernelError, Node, substitute, subterms
from qtheory.proofs.kernel.theorem import RULES

BITS = 160  # of the enclosures, which are shown with at most 64
TELLING = {"mean_value": "mean value", "induction": "induction", "ball": "balls",
           "intermediate_value": "intermediate value", "fundamental_theorem": "fundamental theorem",
           "differentiate": "differentiation", "trichotomy": "cases"}
ONWARDS = {"cut": 1, "ex_elim": 2, "ex_intro": 2, "or_intro": 0, "imp_intro": 1}  # which argument goes on


@dataclass
class Place:
    """``point``: values of the outer variables; ``inner``: of those within; ``undefined``: a subterm without a value
    at the point, as it reads there."""

    point: dict[str, Node] = field(default_factory=dict)
    inner: dict[str, Node] = field(default_factory=dict)
    boxes: dict[str, Interval] = field(default_factory=dict)
    undefined: Node | None = None

    def texts(self, values: dict[str, Node]) -> dict[str, str]:
        """The values as texts, "1/3" or "[1/3, 3/8]"; one that the enclosures do not bound is left out."""
        return {x: text for x, value in values.items() if (text := self.text(value)) is not None}

    def text(self, value: Node) -> str | None:
        if isinstance(value, Fraction):
            return str(value)
        try:
            low, high = self.boxes[value] if isinstance(value, str) else enclose(value, self.boxes, BITS)
        except (KernelError, KeyError):
            return None
        if not isinstance(value, str) and low < high:
            low, high = -_above(-low), _above(high)
        return str(low) if low == high else f"[{low}, {high}]"

    def symbolic(self, within: Node) -> Node | None:
        """The undefined subterm as it stands in a formula of which the place is an instance; else as it reads there."""
        def at(term: Node) -> Node:
            for x, value in (*self.point.items(), *self.inner.items()):
                term = substitute(term, x, value)
            return term

        for term in _terms(within) if self.undefined is not None else ():
            try:
                if at(term) == self.undefined:
                    return term
            except KernelError:
                continue
        return self.undefined


def place(data: Any, reader: Reader, number: int, outer: int) -> Place:
    """The place of which the step of that number tells, its first ``outer`` quantifiers being the outer ones."""
    found = Place()
    while True:
        rule, *arguments = data["steps"][number]
        if rule == "ex_elim":
            root = arguments[0]
            while data["steps"][root][0] == "cut":
                root = data["steps"][root][2]
            if data["steps"][root][0] == "intermediate_value":
                low, high = (reader.node(raw) for raw in data["steps"][root][3:5])
                if isinstance(low, Fraction) and isinstance(high, Fraction):
                    found.boxes[arguments[1]] = low, high
        elif rule == "ex_intro":
            values = found.point if len(found.point) < outer else found.inner
            values.setdefault(reader.node(arguments[0])[1], reader.node(arguments[1]))
        elif rule == "undefined":
            found.undefined = reader.node(arguments[1])
        if rule == "and_intro" and arguments[0]:
            number = arguments[0][-1]  # of a conjunction the goal's part comes last
        elif rule in ONWARDS:
            number = arguments[ONWARDS[rule]]
        else:
            return found


def telling(data: Any, number: int) -> str:
    """The telling rules among those on which the step rests."""
    seen, left = set[int](), [number]
    while left:
        here = left.pop()
        if here not in seen:
            seen.add(here)
            rule, *arguments = data["steps"][here]
            for kind, raw in zip(RULES[rule][1], arguments, strict=True):
                left += [raw] if kind == "thm" else raw if kind == "thms" else []
    rules = {data["steps"][n][0] for n in seen}
    return ", ".join(name for rule, name in TELLING.items() if rule in rules) or "positive combination"


def _terms(formula: Node) -> list[Node]:
    if not isinstance(formula, tuple):
        return []
    if formula[0] in ("and", "or", "imp", "all", "ex"):
        return [t for part in formula[1:] for t in _terms(part)]
    return subterms(formula[1])


def _above(q: Fraction) -> Fraction:
    """A number not below q with 64 digits in base two."""
    unit = Fraction(2) ** (q.numerator.bit_length() - q.denominator.bit_length() - 64)
    return q if q.denominator.bit_length() <= 65 else (q / unit).__ceil__() * unit
