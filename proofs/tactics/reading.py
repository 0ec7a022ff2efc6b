"""Single texts in the language of a statement, whose definitions are read once for all of them."""

from __future__ import annotations

from qtheory.proofs.kernel.grammar import Macro, Parser, StatementError, clip
from qtheory.proofs.kernel.statements import Statement, condition, conjuncts, declared, definition, finite, strict
from qtheory.proofs.kernel.terms import Node, is_formula


class Reader:
    """Reads goals and conditions as a statement with the same definitions and functions would."""

    def __init__(self, statement: Statement) -> None:
        self.functions = {name for w in statement.where for name in declared(w, "functions")}
        self.macros: dict[str, Macro] = {}
        for text in statement.let:
            name, macro = definition(text, self.macros, self.functions)
            self.macros[name] = macro

    def goal(self, text: str) -> Node:
        node = Parser(text, self.macros, self.functions).whole()
        if not is_formula(node):
            raise StatementError(f"{clip(text)!r} is no comparison")
        finite(node)
        return strict(node)

    def condition(self, text: str) -> list[Node]:
        return conjuncts(condition(text, self.macros, self.functions))


__all__ = ["Reader"]
