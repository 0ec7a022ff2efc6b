"""What a derivation may speak of: declared symbols with domains and units, functions, definitions, assumptions."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs.alike import look_alike
from qtheory.proofs.api import check_text, consistent
from qtheory.proofs.bundle import bearing, names
from qtheory.proofs.kernel.grammar import OO, Macro, Parser
from qtheory.proofs.kernel.statements import NAMES_TAKEN, Statement, condition, conjuncts, declared, definition
from qtheory.proofs.kernel.terms import KernelError, Node, is_formula
from qtheory.proofs.limits import WORD, explained, require_short
from qtheory.proofs.units import Unit, check_units, read_unit

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}")
NOT_SYMBOLS = {OO, "+", "-", "+-"}  # infinity and the sides of a limit, which stand in a term like symbols
CONSISTENCY_BUDGET = 1.0  # seconds in which an assumption is looked at for contradictions
PROPERTIES = {"increasing": "Increasing({f}(x), x, {on})", "decreasing": "Decreasing({f}(x), x, {on})",
              "strictly increasing": "StrictlyIncreasing({f}(x), x, {on})",
              "strictly decreasing": "StrictlyDecreasing({f}(x), x, {on})",
              "convex": "Convex({f}(x), x, {on})", "concave": "Concave({f}(x), x, {on})",
              "positive": "ForAll(x, {on}, {f}(x) > 0)", "nonnegative": "ForAll(x, {on}, {f}(x) >= 0)"}


@dataclass(frozen=True)
class Condition:
    """A condition of the context: its text, what it is for a reader, and the formulas that it means."""

    text: str
    role: str
    nodes: tuple[Node, ...]


def _spoken(node: Node) -> frozenset[str]:
    """The symbols that a term speaks of; a limit written as a term binds its variable."""
    if isinstance(node, tuple) and node[0] == "limit":
        _, body, x, to, _ = node
        return frozenset(names(body) - {x}) | names(to)
    return frozenset(names(node))


class Context:
    """Declared symbols, definitions and conditions; each change is checked, and made whole or not at all."""

    def __init__(self) -> None:
        self._units: dict[str, Unit | None] = {}
        self._functions: dict[str, tuple[Unit | None, Unit | None]] = {}
        self._let: dict[str, str] = {}
        self._macros: dict[str, Macro] = {}
        # what others see of these, and cannot change
        self.units, self.functions = MappingProxyType(self._units), MappingProxyType(self._functions)
        self.let, self.macros = MappingProxyType(self._let), MappingProxyType(self._macros)
        self.conditions: tuple[Condition, ...] = ()
        self.shown = False  # in a step, so that each name keeps its looks

    # ---- declarations ----

    def symbol(self, name: str, conditions: Sequence[str], unit: str | None) -> None:
        self.require_new(name)
        self._units[name] = None if unit is None else read_unit(unit)
        try:
            self.add(conditions, f"domain of {name}", name)
        except BaseException:
            del self._units[name]
            raise

    def function(self, name: str, conditions: Sequence[str], unit: str | None, argument: str | None) -> None:
        self.require_new(name)
        read = tuple(None if u is None else read_unit(u) for u in (unit, argument))
        self._functions[name] = (read[0], read[1])
        try:
            self.add(conditions, f"property of {name}")
        except BaseException:
            del self._functions[name]
            raise

    def define(self, text: str) -> None:
        check_text("definition", text)
        require_short("", (), (*self.let.values(), text))
        try:
            name, macro = definition(text, self._macros, set(self.functions))
        except KernelError as error:
            hint = "; a definition has one '=', as in f(x) = x**2" if "==" in text else ""
            raise InputError(f"{error}{hint}") from None
        self.require_new(name)
        parameters, term = macro
        self.require_declared(text, names(term) - set(parameters))
        check_units(term, {**self.units, **dict.fromkeys(parameters)}, self.functions)
        self._let[name], self._macros[name] = " ".join(text.split()), macro

    def add(self, texts: Sequence[str], role: str, of: str = "") -> None:
        """Conditions that from now on hold, ``of`` a symbol; InputError where one contradicts those that hold already.
        """
        before = self.conditions
        try:
            for text in [part for given in texts for part in self._with_assumptions(given)]:
                check_text("condition", text)
                nodes = self.parts(text, of)
                self.conditions += (Condition(" ".join(text.split()), role, nodes),)
            where = self.where(frozenset().union(*(names(n) for c in self.conditions[len(before):] for n in c.nodes)))
            if texts:
                consistent(self.statement("0 < 1", where), CONSISTENCY_BUDGET)
        except BaseException:
            self.conditions = before
            raise

    def require_new(self, name: Any) -> None:
        if not isinstance(name, str):
            told = f": {str(name)!r}" if NAME.fullmatch(str(name)) else ""
            raise InputError(f"the name is of type {type(name).__name__}; a string is needed{told}")
        if not NAME.fullmatch(name):
            raise InputError(f"the name is {name[:60]!r}; {_instead(name)}")
        if name in NAMES_TAKEN:
            raise InputError(f"{name} has a meaning already in the statement language; choose another name")
        if name in self.units or name in self.functions or name in self.let:
            raise InputError(f"{name} is declared already")
        if self.shown and look_alike([*self.names, name]) - {name} - look_alike(self.names):
            raise InputError(f"{name} is printed like a name that steps show already; choose another name")

    @property
    def names(self) -> tuple[str, ...]:
        """All that is declared."""
        return (*self.units, *self.functions, *self.let)

    # ---- reading ----

    def written(self, value: Any, role: str, bound: str | None = None) -> Any:
        """A SymPy object as the text of a step, term or definition; anything else as it is.

        Raises InputError where a symbol assumes what the context does not: SymPy may have simplified by it. Nothing may
        be assumed of ``bound``, whose range the step says.
        """
        text, assumed = _from_sympy(value, role)
        here = {part for c in self.conditions for part in c.nodes}
        for said, name in assumed:
            elsewhere = ("is a definition, of which nothing holds around a point" if name in self.let else
                         "has the range that the step says itself" if name == bound else "")
            if elsewhere:
                raise InputError(f"the {role}'s symbol {name} assumes {said} in SymPy, and {elsewhere}; use a symbol "
                                 "without assumptions")
            if not set(self.parts(said)) <= here:
                raise InputError(f"the {role}'s symbol {name} assumes {said} in SymPy, which is no condition here; "
                                 f"write d.assume({said!r}) first")
        return text

    @staticmethod
    def _with_assumptions(value: Any) -> list[Any]:
        """A condition, and after a SymPy object the assumptions of its symbols."""
        text, assumed = _from_sympy(value, "condition")
        return [text, *(said for said, _ in assumed)]

    def parts(self, text: str, of: str = "") -> tuple[Node, ...]:
        """The formulas of a condition ``of`` a symbol, or of several; InputError for undeclared symbols and units that
        do not match."""
        require_short(text, (), tuple(self.let.values()))
        try:
            node = condition(text, self._macros, set(self.functions))
        except KernelError as error:
            raise explained(error, (text,), of) from None
        return self.checked(text, node)

    def goal(self, text: str) -> tuple[Node, ...]:
        """A step's formulas, checked in the same way."""
        check_text("step", text)
        node = self.node(text)
        if not is_formula(node):
            raise InputError(f"the step {text!r} is no comparison; write 'a == b', 'a < b' or 'a <= b'")
        self.statement(text, ())
        return self.checked(text, node)

    def term(self, text: Any) -> Node:
        """A term, checked in the same way."""
        if isinstance(text, float):
            raise InputError("the term is of type float; a string such as 'x**2/4' is needed")
        check_text("term", text)
        node = self.node(text)
        if is_formula(node):
            raise InputError(f"{text!r} is a comparison where a term is needed")
        self.require_declared(text, _spoken(node))
        check_units(node, self.units, self.functions)
        return node

    def node(self, text: str) -> Node:
        require_short(text, (), tuple(self.let.values()))
        try:
            return Parser(text, self._macros, set(self.functions)).whole()
        except KernelError as error:
            raise explained(error) from None
        except (RecursionError, MemoryError):
            raise InputError("the text is nested too deeply") from None

    def checked(self, text: str, node: Node) -> tuple[Node, ...]:
        self.require_declared(text, names(node))
        check_units(node, self.units, self.functions)
        return tuple(conjuncts(node))

    def require_declared(self, text: str, used: Iterable[str]) -> None:
        for name in sorted(set(used) - NOT_SYMBOLS):
            if name not in self.units and name not in self.functions and name not in self.let:
                found = re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", text)
                where = f" (column {found.start() + 1} of {text!r})" if found else f" (in {text!r})"
                raise InputError(f"the symbol {name} is used before it is declared{where}; "
                                 f"write d.symbol({name!r}, ...) first")

    # ---- statements ----

    def where(self, seed: frozenset[str], extra: Mapping[str, Sequence[Node]] | None = None) -> tuple[str, ...]:
        """The texts of the conditions that bear on these symbols, then the extra ones."""
        extra = extra or {}
        seed = seed.union(*(names(n) for nodes in extra.values() for n in nodes))
        found = set(bearing([n for c in self.conditions for n in c.nodes], seed))
        texts = [c.text for c in self.conditions if any(n in found for n in c.nodes)]
        return tuple(dict.fromkeys((*texts, *extra)))

    def statement(self, goal: str, where: Sequence[str], beside: Sequence[str] = ()) -> Statement:
        """The parsed statement with the declarations and the definitions that its texts, or those of a proof, use."""
        let = self.used_let((goal, *where, *beside))
        words = {w for text in (goal, *where, *let) for w in WORD.findall(text)}
        functions = [f"{f} in functions" for f in self.functions if f in words]
        require_short(goal, where, let)
        try:
            return Statement(goal, (*functions, *(w for w in where if not declared(w, "functions"))), let).parsed()
        except KernelError as error:
            raise explained(error) from None

    def used_let(self, texts: Iterable[str]) -> tuple[str, ...]:
        words = {w for text in texts for w in WORD.findall(text)}
        used: set[str] = set()
        for name, text in reversed(self._let.items()):
            if name in words:
                used.add(name)
                words |= set(WORD.findall(text.partition("=")[2]))
        return tuple(text for name, text in self.let.items() if name in used)

    @property
    def texts(self) -> list[str]:
        """All conditions, the declarations of functions included."""
        return [*(f"{f} in functions" for f in self.functions), *dict.fromkeys(c.text for c in self.conditions)]


def _from_sympy(value: Any, role: str) -> tuple[Any, list[tuple[str, str]]]:
    """A SymPy object's text and what its symbols assume, each with its symbol; anything else as it is."""
    if "sympy" not in sys.modules:
        return value, []
    from qtheory.proofs.importing import Writer, is_sympy

    if not is_sympy(value):
        return value, []
    writer = Writer()
    if role == "definition" and type(value).__name__ == "Equality":
        text = f"{writer.statement(value.lhs, role)} = {writer.statement(value.rhs, role)}"
    else:
        text = writer.statement(value, role)
    return text, writer.assumptions()


def _instead(text: str) -> str:
    """What would be right where a name was needed."""
    found = NAME.findall(text)
    if found and re.search(r"[<>=]| in ", text):
        return f"the name comes first, then its conditions: ({found[0]!r}, {text[:60]!r})"
    if len(found) > 1 and all(map(NAME.fullmatch, re.split(r"[\s,]+", text.strip()))):
        return "a call declares one name"
    return "letters, digits and _ are allowed, a letter first"


def properties(name: str, wanted: Sequence[str], on: str) -> list[str]:
    """The conditions that say the properties of a function: words such as "convex", or conditions in full."""
    if name in PROPERTIES:
        raise InputError(f"the name of a function comes first, then its properties: ('f', {name!r})")
    for word in wanted:
        if isinstance(word, str) and word not in PROPERTIES and re.fullmatch(r"[A-Za-z]+( [A-Za-z]+)?", word):
            raise UnknownNameError("property of a function", word, list(PROPERTIES))
    return [PROPERTIES[w].format(f=name, on=on) if isinstance(w, str) and w in PROPERTIES else w for w in wanted]
