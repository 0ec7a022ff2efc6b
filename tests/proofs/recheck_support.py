"""What the tests of the second checker share: both checkers side by side, and random material for them."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from qtheory.proofs.kernel.certificate import Reader
from qtheory.proofs.kernel.certificate import check as kernel_check
from qtheory.proofs.kernel.statements import Statement as KernelStatement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.kernel.theorem import RULES
from qtheory.proofs.recheck import RecheckError, check
from qtheory.proofs.recheck.graph import Node
from qtheory.proofs.recheck.replay import Replay
from qtheory.proofs.recheck.statement import Statement


def as_tuple(node: Node) -> Any:
    """A node of the second checker in the kernel's notation."""
    if node.op == "num":
        return Fraction(*node.tag)
    if node.op == "var":
        return node.tag
    head = (node.op,) if node.tag is None else (node.op, node.tag)
    return (*head, *map(as_tuple, node.kids))


def kernel_reads(let: list[str], where: list[str], goal: str) -> Any:
    """The formulas that the kernel reads in a statement, or None if it refuses it."""
    try:
        s = KernelStatement.from_json({"let": let, "where": where, "goal": goal})
        return s.hypotheses, s.conclusion, s.refutation, s.owed
    except KernelError:
        return None


def recheck_reads(let: list[str], where: list[str], goal: str) -> Any:
    """The same of the second checker."""
    try:
        s = Statement({"let": let, "where": where, "goal": goal})
    except RecheckError:
        return None
    return (tuple(map(as_tuple, s.hypotheses)), as_tuple(s.conclusion), as_tuple(s.refutation),
            tuple(map(as_tuple, s.witnesses)))


def kernel_accepts(data: Any) -> bool:
    try:
        kernel_check(data)
    except KernelError:
        return False
    return True


def recheck_accepts(data: Any) -> bool:
    try:
        check(data)
    except RecheckError:
        return False
    return True


class Pair:
    """Both checkers on one list of nodes; steps are tried on both."""

    def __init__(self, nodes: list[Any]) -> None:
        self.kernel, self.second = Reader(nodes), Replay(nodes, [])
        self.nodes = nodes
        self.steps: list[Any] = []
        self.messages = ("", "")

    def attempt(self, step: list[Any]) -> tuple[Any, Any]:
        """The theorems of the two checkers, None for a refusal; accepted by both, the step is kept."""
        ours: Any = None
        theirs: Any = None
        messages = ["", ""]
        before = len(self.kernel.steps)
        try:
            self.kernel.run([step])
            theorem = self.kernel.steps.pop()
            theirs = (theorem.hyps, theorem.concl)
        except KernelError as error:
            messages[0] = str(error)
        assert len(self.kernel.steps) == before
        try:
            judgement = self.second.step(step)
            ours = (frozenset(map(as_tuple, judgement.hyps)), as_tuple(judgement.claim))
        except RecheckError as error:
            messages[1] = str(error)
        if ours is not None and theirs is not None:
            self.kernel.steps.append(theorem)
            self.second.steps.append(judgement)
            self.steps.append(step)
        self.messages = messages[0], messages[1]
        return theirs, ours


def random_nodes(rng: random.Random, count: int) -> list[Any]:
    """A list of well-formed nodes: numbers, variables, terms and formulas."""
    nodes: list[Any] = ["x", "y", "n", "0", "1", "-1", "2", "-2", "1/2"]
    terms = list(range(len(nodes)))
    formulas: list[int] = []

    def term() -> int:
        return rng.choice(terms[:9]) if rng.random() < 0.5 else rng.choice(terms)

    def variable() -> str:
        return rng.choice(["x", "y", "n"])

    while len(nodes) < count:
        shape = rng.random()
        if shape < 0.55:
            op = rng.choice(["+", "+", "*", "*", "^", "^", "exp", "log", "sqrt", "max", "floor", "W", "sum", "int",
                             "diff", "app"])
            if op in ("+", "*", "^", "max"):
                nodes.append([op, term(), term()])
            elif op == "W":
                nodes.append([op, rng.choice([0, -1]), term()])
            elif op in ("sum", "int"):
                nodes.append([op, variable(), term(), term(), term()])
            elif op == "diff":
                nodes.append([op, variable(), term(), term()])
            else:
                nodes.append([op, "f", term()] if op == "app" else [op, term()])
            terms.append(len(nodes) - 1)
        elif shape < 0.9 or not formulas:
            nodes.append([rng.choice([">", ">", ">=", "=", "!=", "!=", "isint", "def", "undef"]), term()])
            formulas.append(len(nodes) - 1)
        else:
            op = rng.choice(["and", "or", "imp", "all", "ex"])
            if op in ("all", "ex"):
                nodes.append([op, variable(), rng.choice(formulas)])
            else:
                nodes.append([op, rng.choice(formulas), rng.choice(formulas)])
            formulas.append(len(nodes) - 1)
    return nodes


def random_argument(rng: random.Random, kind: str, pair: Pair, formulas: list[int], terms: list[int]) -> Any:
    """An argument of the kind, most often a legal one."""
    steps = max(1, len(pair.steps))

    def thm() -> int:
        return rng.randrange(steps)

    if kind == "name":
        return rng.choice(["x", "y", "n"])
    if kind == "int":
        return rng.choice([0, 1, 2, 53, 80])
    if kind == "term":
        return rng.choice(terms)
    if kind == "formula":
        return rng.choice(formulas)
    if kind == "thm":
        return thm()
    if kind == "thms":
        return [thm() for _ in range(rng.choice([0, 1, 2, 2, 3, 6]))]
    if kind == "tree":
        return rng.choice([None, None, ["x", "1", None, None]])
    if kind == "box":
        box = [["x", *rng.choice([("1", "2"), ("-1", "1"), ("1/3", "2/3")])],
               ["y", *rng.choice([("1", "2"), ("-1", "1")])], ["n", "3", "3"]]
        return box[:rng.randrange(4)]
    return [[rng.choice(terms[:9]), [[rng.randrange(3), rng.choice([1, 1, 2, -1])] for _ in range(rng.randrange(3))],
             rng.choice([[], [], [rng.choice(terms)]])] for _ in range(rng.randrange(3))]


def random_step(rng: random.Random, pair: Pair, formulas: list[int], terms: list[int]) -> list[Any]:
    rule = rng.choice([*sorted(RULES), "hyp", "hyp", "hyp", "and_intro", "combine"])
    return [rule, *(random_argument(rng, kind, pair, formulas, terms) for kind in RULES[rule][1])]
