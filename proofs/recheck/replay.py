"""Reading and replaying certificates (the format is described where they are written)."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

from flint import fmpq

from . import rules_analysis, rules_logic  # noqa: F401  (they fill the table of rules)
from .errors import RecheckError, demand
from .graph import ATOMS, Node, make, number, var
from .judgement import TABLE, Judgement
from .statement import Statement, at

SCHEMA = 2
MAX_NODES = 200_000
MAX_SIZE = 8_000  # of an expression that is read, as a tree
MAX_DEPTH = 150
MAX_TREE = 60
KEYS = {"schema", "verdict", "statement", "nodes", "steps", "main", "witness"}
LETTERS = frozenset(string.ascii_letters)
DIGITS = frozenset(string.digits)
ARITY = {"+": range(2, 401), "*": range(2, 401), "^": range(2, 3), "max": range(2, 3), "exp": range(1, 2),
         "log": range(1, 2), "sqrt": range(1, 2), "floor": range(1, 2), "W": range(1, 2), "sum": range(3, 4),
         "int": range(3, 4), "diff": range(2, 3), "app": range(1, MAX_SIZE)}
CONNECTIVES = {"and": range(MAX_SIZE), "or": range(MAX_SIZE), "imp": range(2, 3), "all": range(1, 2), "ex": range(1, 2)}
TAGGED = ("sum", "int", "diff", "all", "ex", "app", "W")


def is_name(raw: Any) -> bool:
    if not isinstance(raw, str):
        return False
    stem = raw.rstrip("'")
    tail = len(raw) - len(stem)
    return tail <= 8 and 1 <= len(stem) <= 41 and stem[0] in LETTERS and all(
        c in LETTERS or c in DIGITS or c == "_" for c in stem)


def rational(raw: Any) -> fmpq:
    """The number of a text ``p`` or ``p/q``."""
    demand(isinstance(raw, str), "malformed: a number is a text")
    parts = raw.removeprefix("-").split("/")
    demand(len(parts) <= 2 and all(1 <= len(p) <= 4000 and set(p) <= DIGITS for p in parts), "malformed: a number")
    bottom = int(parts[1]) if len(parts) == 2 else 1
    demand(bottom != 0, "malformed: a zero denominator")
    return fmpq(-int(parts[0]) if raw.startswith("-") else int(parts[0]), bottom)


def items(raw: Any, length: int | None = None) -> list[Any]:
    """A JSON list, of this length."""
    demand(isinstance(raw, list), "malformed: a list is needed")
    demand(length is None or len(raw) == length, f"malformed: a list of {length} is needed")
    return list(raw)


def choose(table: list[Any], raw: Any) -> Any:
    """The entry of the table that the number names."""
    demand(type(raw) is int and 0 <= raw < len(table), "malformed: a number that names nothing")
    return table[raw]


def name(raw: Any) -> str:
    demand(is_name(raw), "malformed: a name")
    return str(raw)


def integer(raw: Any) -> int:
    demand(type(raw) is int, "malformed: an integer")
    return int(raw)


class Replay:
    """The nodes and steps of one certificate."""

    def __init__(self, nodes: Any, steps: Any) -> None:
        demand(len(items(nodes)) <= MAX_NODES, "limit: nodes")
        self.nodes: list[Node] = []
        self.steps: list[Judgement] = []
        self.kinds: dict[str, Callable[[Any], Any]] = {
            "name": name, "int": integer, "term": self.term, "formula": self.formula, "thm": self.thm,
            "thms": lambda raw: tuple(map(self.thm, items(raw))), "box": self.box, "tree": self.tree,
            "products": lambda raw: tuple(map(self.product, items(raw))),
        }
        for raw in nodes:
            self.nodes.append(self.node(raw))
        for place, raw in enumerate(items(steps)):
            try:
                self.steps.append(self.step(raw))
            except RecheckError as error:
                raise RecheckError(f"step {place}: {error}") from None

    def node(self, raw: Any) -> Node:
        if isinstance(raw, str):
            return var(raw) if is_name(raw) else number(rational(raw))
        parts = items(raw)
        demand(len(parts) > 0 and isinstance(parts[0], str), "malformed: a node")
        op, rest, tag = parts[0], parts[1:], None
        if op in TAGGED:
            demand(len(rest) > 0, "malformed: a node")
            tag = rest.pop(0)
            demand((type(tag) is int and tag in (0, -1)) if op == "W" else is_name(tag), "malformed: a node")
        kids = [choose(self.nodes, i) for i in rest]
        self.fits(op, kids)
        node = make(op, *kids, tag=tag)
        demand(node.size <= MAX_SIZE and node.depth <= MAX_DEPTH, "limit: an expression")
        return node

    @staticmethod
    def fits(op: str, kids: list[Node]) -> None:
        """Demand that the operation is known and has children of the right kind and number."""
        if op in ATOMS:
            good = len(kids) == 1 and not kids[0].is_formula
        elif op in CONNECTIVES:
            good = len(kids) in CONNECTIVES[op] and all(k.is_formula for k in kids)
        else:
            good = op in ARITY and len(kids) in ARITY[op] and not any(k.is_formula for k in kids)
        demand(good, f"malformed: the node {op[:20]}")

    def step(self, raw: Any) -> Judgement:
        rule, *arguments = items(raw) or [None]
        demand(isinstance(rule, str) and rule in TABLE, "no such rule")
        kinds, function = TABLE[rule]
        demand(len(arguments) == len(kinds), "malformed: the number of arguments")
        result = function(*(self.kinds[k](a) for k, a in zip(kinds, arguments, strict=True)))
        formulas = (result.claim, *result.hyps)
        demand(sum(f.size for f in formulas) <= 10 * MAX_SIZE, "limit: a judgement")
        demand(all(f.depth <= 2 * MAX_DEPTH for f in formulas), "limit: a judgement")
        return result

    def term(self, raw: Any) -> Node:
        node: Node = choose(self.nodes, raw)
        demand(not node.is_formula, "malformed: a term is needed")
        return node

    def formula(self, raw: Any) -> Node:
        node: Node = choose(self.nodes, raw)
        demand(node.is_formula, "malformed: a formula is needed")
        return node

    def thm(self, raw: Any) -> Judgement:
        result: Judgement = choose(self.steps, raw)
        return result

    def box(self, raw: Any) -> dict[str, tuple[fmpq, fmpq]]:
        box = {}
        for side in items(raw):
            x, low, high = items(side, 3)
            box[name(x)] = rational(low), rational(high)
            demand(box[x][0] <= box[x][1], "malformed: an interval")
        return box

    def tree(self, raw: Any, depth: int = 0) -> Any:
        demand(depth <= MAX_TREE, "limit: a subdivision")
        if raw is None:
            return None
        x, cut, left, right = items(raw, 4)
        return name(x), rational(cut), self.tree(left, depth + 1), self.tree(right, depth + 1)

    def product(self, raw: Any) -> rules_analysis.Product:
        multiplier, powers, squares = items(raw, 3)
        pairs = [items(p, 2) for p in items(powers)]
        factors = tuple((integer(i), integer(e)) for i, e in pairs)
        return self.term(multiplier), factors, tuple(map(self.term, items(squares)))


def check(data: Any, statement: dict[str, Any] | None = None) -> None:
    """Re-check a certificate, for the given statement (``{"let", "where", "goal"}``) if there is one.

    Raises RecheckError for anything that is no valid certificate.
    """
    try:
        _check(data, statement)
    except RecursionError:
        raise RecheckError("limit: nested too deeply") from None


def _check(data: Any, statement: dict[str, Any] | None) -> None:
    demand(isinstance(data, dict) and set(data) - {"functions"} == KEYS, "malformed: the keys of a certificate")
    demand(type(data["schema"]) is int and data["schema"] == SCHEMA, "another schema: its statements may say otherwise")
    stated = Statement(data["statement"])
    if statement is not None:
        asked = Statement(statement)
        same = asked.conclusion is stated.conclusion and set(asked.hypotheses) == set(stated.hypotheses)
        demand(same, "the certificate is for another statement")
    replay = Replay(data["nodes"], data["steps"])
    main = replay.thm(data["main"])
    if data["verdict"] == "proved":
        demand(main.claim is stated.conclusion, "the main step proves another conclusion")
        demand(main.hyps <= set(stated.hypotheses), "the main step needs a hypothesis that is not stated")
    else:
        demand(data["verdict"] == "refuted", "the verdict is neither proved nor refuted")
        demand(not main.hyps and main.claim is stated.refutation, "the main step is not the refutation")
    if data["witness"] is not None:
        wanted = at(data["statement"], items(data.get("functions", []))).witnesses
        met = [replay.thm(i) for i in items(data["witness"], len(wanted))]
        for judgement, formula in zip(met, wanted, strict=True):
            demand(not judgement.hyps and judgement.claim is formula, "a witness is for other conditions")


def certifies(data: Any, statement: dict[str, Any] | None = None) -> bool:
    """Is this a valid certificate (for the statement)?"""
    try:
        check(data, statement)
    except RecheckError:
        return False
    return True
