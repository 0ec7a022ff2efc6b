"""Reading and checking certificates: plain JSON data, replayed rule by rule.

  {"schema": 2, "verdict": "proved" | "refuted", "statement": {"let", "where", "goal"}, "nodes": [..],
   "steps": [[rule, argument, ..], ..], "main": step, "witness": [step, ..] or null}

``nodes`` lists terms and formulas, each a number or variable (str) or an operation whose children are numbers of
earlier nodes; steps name nodes and earlier steps by number.  "proved": the main step's conclusion is the
statement's, its hypotheses among the statement's.  "refuted": the main step says, with no hypotheses, that at
some point the hypotheses are true and the conclusion is false.  The witness's steps say that the hypotheses, and the
guards in the conclusion, can be met (``Statement.owed``); with null that is not known. A certificate may have
``functions`` too, definitions of functions, and of values, for which the witness shows this.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from . import analysis, arithmetic, logic  # noqa: F401  (they fill RULES)
from .statements import Statement
from .terms import (ARITY, CONNECTIVES, LABELLED, MAX_DEPTH, MAX_SIZE, KernelError, Node, bounded, is_formula, reject,
                    require, require_form, require_limit)
from .theorem import RULES, Theorem

SCHEMA = 2
MAX_NODES = 200_000
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}'{0,8}")
NUMBER = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")


class Reader:
    """Decodes the arguments of steps; every malformed one ends in KernelError."""

    def __init__(self, raw: Any) -> None:
        require_form(isinstance(raw, list), "nodes is no list")
        require_limit(len(raw) <= MAX_NODES, "too many nodes")
        self.nodes: list[Node] = []
        self.sizes: list[tuple[int, int]] = []  # (size as a tree, depth) of each node
        self.steps: list[Theorem] = []
        self.counted: dict[int, tuple[Node, int]] = {}  # sizes of formulas of theorems
        for item in raw:
            self.nodes.append(self.build(item))

    def build(self, item: Any) -> Node:
        if isinstance(item, str):
            self.sizes.append((1, 1))
            return item if NAME.fullmatch(item) else number(item)
        require_form(isinstance(item, list) and len(item) >= 1 and isinstance(item[0], str), "a node")
        head, rest = item[0], item[1:]
        label: tuple[Any, ...] = ()
        if head == "W":
            require_form(len(rest) == 2 and rest[0] in (0, -1) and type(rest[0]) is int, "W")
            label, rest = (rest[0],), rest[1:]
        elif head in LABELLED:
            require_form(len(rest) >= 1, head)
            label, rest = (self.name(rest[0]),), rest[1:]
        require_form(all([type(i) is int and 0 <= i < len(self.nodes) for i in rest]), "a node's child")
        parts, sizes = [self.nodes[i] for i in rest], [self.sizes[i] for i in rest]
        size, depth = 1 + sum([s for s, _ in sizes]), 1 + max([d for _, d in sizes], default=0)
        require_limit(size <= MAX_SIZE and depth <= MAX_DEPTH, "a term too large")
        self.sizes.append((size, depth))
        require_form(well_formed(head, parts), f"the node {head}")
        return (head, *label, *parts)

    def name(self, raw: Any) -> str:
        require_form(isinstance(raw, str) and NAME.fullmatch(raw) is not None, "a name")
        return str(raw)

    def node(self, raw: Any) -> Node:
        require_form(type(raw) is int and 0 <= raw < len(self.nodes), "a node number")
        return self.nodes[raw]

    def argument(self, kind: str, raw: Any) -> Any:
        if kind == "name":
            return self.name(raw)
        if kind == "int":
            require_form(type(raw) is int, "an integer")
            return raw
        if kind in ("term", "formula"):
            node = self.node(raw)
            require_form(is_formula(node) == (kind == "formula"), f"a {kind}")
            return node
        if kind == "thm":
            require_form(type(raw) is int and 0 <= raw < len(self.steps), "a step number")
            return self.steps[raw]
        if kind == "tree":
            return self.tree(raw, 0)
        require_form(isinstance(raw, list), f"a list for {kind}")
        if kind == "thms":
            return tuple(self.argument("thm", r) for r in raw)
        if kind == "box":
            return {self.name(r[0]): self.interval(r) for r in raw if self.shape(r, 3)}
        return tuple(self.product(r) for r in raw if self.shape(r, 3))  # kind == "products"

    def shape(self, raw: Any, length: int) -> bool:
        require_form(isinstance(raw, list) and len(raw) == length, f"a list of {length}")
        return True

    def interval(self, raw: list[Any]) -> tuple[Fraction, Fraction]:
        low, high = number(raw[1]), number(raw[2])
        require_form(low <= high, "an interval")
        return low, high

    def product(self, raw: list[Any]) -> arithmetic.Product:
        multiplier, powers, squares = raw
        require_form(isinstance(powers, list) and isinstance(squares, list), "a product")
        require_form(all(self.shape(p, 2) and type(p[0]) is int and type(p[1]) is int for p in powers), "a power")
        return (self.argument("term", multiplier), tuple((p[0], p[1]) for p in powers),
                tuple(self.argument("term", s) for s in squares))

    def tree(self, raw: Any, depth: int) -> Any:
        require_limit(depth <= 60, "a subdivision too deep")
        if raw is None:
            return None
        self.shape(raw, 4)
        return self.name(raw[0]), number(raw[1]), self.tree(raw[2], depth + 1), self.tree(raw[3], depth + 1)

    def run(self, raw: Any) -> None:
        require_form(isinstance(raw, list), "steps is no list")
        for position, step in enumerate(raw):
            require_form(isinstance(step, list) and len(step) >= 1 and isinstance(step[0], str), f"step {position}")
            function, kinds = RULES.get(step[0]) or reject(f"step {position}: no rule {step[0]!r}")
            self.shape(step, len(kinds) + 1)
            try:
                theorem = function(*map(self.argument, kinds, step[1:]))
                bounded((theorem.concl, *theorem.hyps), self.counted)
                self.steps.append(theorem)
            except (KernelError, RecursionError) as error:
                raise KernelError(f"step {position} ({step[0]}): {error}") from None


def number(raw: Any) -> Fraction:
    require_form(isinstance(raw, str) and NUMBER.fullmatch(raw) is not None, "a number")
    top, _, bottom = raw.partition("/")
    require_form(bottom == "" or int(bottom) != 0, "a zero denominator")
    return Fraction(int(top), int(bottom or 1))


def well_formed(head: str, parts: list[Node]) -> bool:
    """A known head, the right number of subnodes, terms and formulas in their places (subnodes are well formed)."""
    low, high = ARITY.get(head, (1, 0))
    return low <= len(parts) <= high and all([is_formula(p) == (head in CONNECTIVES) for p in parts])


def check(data: Any, statement: Statement | None = None) -> tuple[Statement, Reader]:
    """Check a certificate, for the caller's statement if one is given; returns what it is about.

    Raises KernelError for every certificate that is not one.
    """
    keys = {"schema", "verdict", "statement", "nodes", "steps", "main", "witness"}
    good = isinstance(data, dict) and set(data) - {"functions"} == keys
    require_form(good, f"a certificate has the keys {sorted(keys)}")
    known = type(data["schema"]) is int and data["schema"] == SCHEMA
    require_form(known, f"schema {SCHEMA} is read here; statements of another one may mean something else")
    stated = Statement.from_json(data["statement"])
    require(statement is None or statement.same(stated), "the certificate is for another statement")
    reader = Reader(data["nodes"])
    reader.run(data["steps"])
    main = reader.argument("thm", data["main"])
    if data["verdict"] == "proved":
        require(main.concl == stated.conclusion, "the last theorem is not the statement's conclusion")
        require(main.hyps <= set(stated.hypotheses), "the last theorem needs a hypothesis that was not stated")
    else:
        require(data["verdict"] == "refuted", "the verdict is neither proved nor refuted")
        require(not main.hyps and main.concl == stated.refutation, "the last theorem is not the refutation")
    if data["witness"] is not None:
        met = reader.argument("thms", data["witness"])
        owed = stated.interpreted(data.get("functions", [])).owed
        require([(t.hyps, t.concl) for t in met] == [(frozenset(), phi) for phi in owed],
                "the witness is for other conditions or guards")
    return stated, reader
