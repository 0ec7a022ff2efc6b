"""Statements as trees, and their text.

Terms:    ("num", q) ("var", x) ("neg", a) ("+" | "-" | "*" | "/" | "**", a, b) ("fn", name, a, ..)
          ("Sum" | "Integral", body, x, low, high) ("diff", body, x, order) ("At", body, x, value)
          ("def", name, a, ..) ("app", f, a, ..) ("Indicator", f)
          ("E" | "Var", body, clauses) ("Pr", f, clauses), a clause being (x, (law, a, ..)); Finite has pairs (v, p)
Formulas: ("chain", relations, terms) ("Integer" | "Natural", a) ("And" | "Or", f, ..) ("Implies", f, g)
          ("ForAll" | "Exists" | "ExistsUnique", x, guard, body) ("shape", name, a, x, domain)
          ("limit", a, x, to, side, value, flipped) ("sequence", a, n, value) ("BigO", a, b, x, to, side)
          ("improper", "Sum" | "Integral", body, x, low, value)
``to`` and ``value`` of limits may be INFINITY or MINUS_INFINITY.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .reals import Q

Tree = tuple[Any, ...]
INFINITY: Tree = ("oo", 1)
MINUS_INFINITY: Tree = ("oo", -1)


@dataclass(frozen=True)
class Meant:
    """A statement: definitions (name, parameters, term), declarations (names, family), conditions and a goal."""

    goal: Tree
    where: tuple[Tree, ...] = ()
    declared: tuple[tuple[tuple[str, ...], str], ...] = ()
    let: tuple[tuple[str, tuple[str, ...], Tree], ...] = ()

    def texts(self) -> dict[str, Any]:
        """What the checkers read."""
        let = [f"{name}({', '.join(ps)}) = {text(body)}" if ps else f"{name} = {text(body)}"
               for name, ps, body in self.let]
        where = [f"{', '.join(names)} in {family}" for names, family in self.declared]
        return {"let": let, "where": where + [text(c) for c in self.where], "goal": text(self.goal)}


def number(q: Q) -> str:
    return str(q) if q >= 0 and q.q == 1 else f"({q})"


def text(t: Tree) -> str:
    """The tree as it is typed; each operation in brackets of its own."""
    kind, *rest = t
    match kind:
        case "num":
            return number(rest[0])
        case "var":
            return str(rest[0])
        case "oo":
            return "oo" if rest[0] > 0 else "-oo"
        case "neg":
            return f"(-{text(rest[0])})"
        case "+" | "-" | "*" | "/" | "**":
            return f"({text(rest[0])} {kind} {text(rest[1])})"
        case "fn" | "def" | "app":
            return f"{rest[0]}({', '.join(map(text, rest[1:]))})" if len(rest) > 1 else rest[0]
        case "Sum" | "Integral":
            return f"{kind}({text(rest[0])}, ({rest[1]}, {text(rest[2])}, {text(rest[3])}))"
        case "diff":
            return f"diff({text(rest[0])}, {rest[1]}" + (f", {rest[2]})" if rest[2] != 1 else ")")
        case "At":
            return f"At({text(rest[0])}, {rest[1]}, {text(rest[2])})"
        case "Indicator":
            return f"Indicator({text(rest[0])})"
        case "E" | "Var" | "Pr":
            return f"{kind}({text(rest[0])}, {', '.join(f'({x}, {law_text(*law)})' for x, law in rest[1])})"
        case "chain":
            relations, sides = rest
            return text(sides[0]) + "".join(f" {r} {text(s)}" for r, s in zip(relations, sides[1:], strict=True))
        case "Integer" | "Natural" | "And" | "Or" | "Implies":
            return f"{kind}({', '.join(map(text, rest))})"
        case "ForAll" | "Exists" | "ExistsUnique":
            return f"{kind}({rest[0]}, {text(rest[1])}, {text(rest[2])})"
        case "shape":
            return f"{rest[0]}({text(rest[1])}, {rest[2]}, {text(rest[3])})"
        case "limit":
            body, x, to, side, value, flipped = rest
            left = f"limit({text(body)}, {x}, {text(to)}" + ("" if side == "+-" else f', "{side}"') + ")"
            return f"{text(value)} == {left}" if flipped else f"{left} == {text(value)}"
        case "sequence":
            return f"SequenceLimit({text(rest[0])}, {rest[1]}, {text(rest[2])})"
        case "BigO":
            body, g, x, to, side = rest
            return f"BigO({text(body)}, {text(g)}, {x}, {text(to)}" + ("" if side == "+-" else f', "{side}"') + ")"
        case "improper":
            return f"{rest[0]}({text(rest[1])}, ({rest[2]}, {text(rest[3])}, oo)) == {text(rest[4])}"
    raise AssertionError(kind)


def law_text(name: str, *given: Tree) -> str:
    shown = [f"({text(v)}, {text(p)})" for v, p in given] if name == "Finite" else map(text, given)
    return f"{name}({', '.join(shown)})"
