"""Statements with E, Var, Pr and indicators, as they are printed: with the operators that were typed.

What is printed is read from the statement's texts by the kernel's own parser, which here keeps what each operator was
made of; and only if what was read so is what the kernel checks.
"""

from __future__ import annotations

from qtheory.proofs.kernel.endless import put, spoken
from qtheory.proofs.kernel.grammar import Macro, Parser
from qtheory.proofs.kernel.statements import Statement, condition, conjuncts, declared, definition, strict
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.signs import SIGNS, Notation


class Noting(Parser):
    """The parser, with the operators that it has met: what each stands for, and how it was written."""

    made: dict[Node, Notation]

    def meaning(self, name: str, arguments: list[Node]) -> Node:
        node = super().meaning(name, arguments)
        if name in SIGNS or name == "Indicator":
            self.made[node] = Notation(name, tuple(arguments))
        return node


def as_stated(s: Statement) -> tuple[tuple[Node, ...], dict[str, Notation]]:
    """The conditions, then the goal, for printing; and names in them that stand for operators, with what these are."""
    lowered = (*s.hypotheses, s.conclusion)
    functions = {name for w in s.where for name in declared(w, "functions")}
    macros, made = dict[str, Macro](), dict[Node, Notation]()

    def read(text: str) -> Node:
        parser = Noting(text, macros, functions)
        parser.made = made
        return parser.whole()

    for text in s.let:
        name, macro = definition(text, macros, functions)
        read(text.partition("=")[2])
        macros[name] = macro
    written = [condition(w, macros, functions) if declared(w) else read(w) for w in s.where]
    stated = (*dict.fromkeys(part for w in written for part in conjuncts(w)), read(s.goal))
    met = dict.fromkeys(part for h in stated[:-1] for part in conjuncts(spoken(h)))
    if not made or tuple(met) != s.hypotheses or strict(spoken(stated[-1])) != s.conclusion:
        return lowered, {}
    names: dict[str, Notation] = {}
    for i, (operator, arguments) in enumerate(made.values()):  # inner ones come first
        for name, inner in zip(names, made, strict=False):
            arguments = tuple(put(a, inner, name) for a in arguments)
        names[f"?{i}"] = Notation(operator, arguments)
    for name, node in reversed([*zip(names, made, strict=True)]):
        stated = tuple(put(f, node, name) for f in stated)
    return (lowered, {}) if any(map(raw, stated)) else (stated, names)


def raw(t: Node) -> bool:
    """Does the node hold an operator without an end of which it is not known how it was written?"""
    return isinstance(t, tuple) and (t[0] == "mean" or any(map(raw, t)))
