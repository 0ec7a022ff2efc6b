"""Building proofs: each rule is applied by the kernel at once, and recorded as a step of a certificate."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from qtheory.proofs.kernel.certificate import SCHEMA, Reader
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import MINUS, ONE, KernelError, Node, free, minus, substitute
from qtheory.proofs.kernel.theorem import RULES, Theorem
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.order import replaced

Facts = Sequence["Step"]
RELATIONS = (">", ">=", "=", "!=")  # of atoms that compare a term with 0


class Stuck(Exception):
    """The search found nothing; says what it could not do."""


@dataclass(frozen=True, eq=False)
class Step:
    """A rule application that the kernel accepted, and the theorem that it gave."""

    rule: str
    arguments: tuple[Any, ...]
    theorem: Theorem

    @property
    def concl(self) -> Node:
        return self.theorem.concl

    @property
    def hyps(self) -> frozenset[Node]:
        return self.theorem.hyps

    @cached_property
    def variables(self) -> frozenset[str]:
        """Those that are free in the conclusion."""
        return free(self.theorem.concl)


def apply(rule: str, *arguments: Any) -> Step:
    """Apply a rule; steps and tuples of steps stand for premises. Raises KernelError where the kernel refuses."""
    function, kinds = RULES[rule]
    decoded = [_theorems(kind, a) for kind, a in zip(kinds, arguments, strict=True)]
    spend("rule")
    spend("fact", sum(len(d) for kind, d in zip(kinds, decoded, strict=True) if kind == "thms"))
    return Step(rule, tuple(arguments), function(*decoded))


def attempt(rule: str, *arguments: Any) -> Step | None:
    try:
        return apply(rule, *arguments)
    except KernelError:
        return None


def _theorems(kind: str, argument: Any) -> Any:
    if kind == "thm":
        return argument.theorem
    if kind == "thms":
        return tuple(s.theorem for s in argument)
    return argument


def hyp(formula: Node) -> Step:
    return apply("hyp", formula)


def parts(step: Step) -> list[Step]:
    """The conjuncts of a step's conclusion, each as a step; the step itself if it is no conjunction."""
    if step.concl[0] != "and":
        return [step]
    return [p for i in range(len(step.concl) - 1) for p in parts(apply("and_elim", step, i))]


def assume(formula: Node) -> list[Step]:
    """The conjuncts of an assumed formula."""
    return parts(hyp(formula))


def conjunction(formula: Node, leaves: Iterable[Step]) -> Step:
    """The conjunction, put together from steps for its leaves in any order."""
    by_formula = {s.concl: s for s in leaves}

    def build(phi: Node) -> Step:
        if phi in by_formula:
            return by_formula[phi]
        if phi[0] != "and":
            raise Stuck(f"no step for a part of a conjunction: {phi}")
        return apply("and_intro", tuple(build(p) for p in phi[1:]))

    return build(formula)


def cut_all(lemmas: Iterable[Step], step: Step) -> Step:
    """The step without those hypotheses that the lemmas prove."""
    for lemma in lemmas:
        if lemma.concl in step.hyps:
            step = apply("cut", lemma, step)
    return step


def in_place_of(old: Node, new: Node, equation: Step, goal: Node, facts: Facts,
                prove: Callable[[Node, Facts], Step]) -> Step:
    """The goal by one with ``new`` for ``old``, wherever it stands there and in the facts, by old - new = 0."""
    def template(formula: Node) -> Node:
        return replaced(formula, old, "z'")

    def moved(f: Step) -> Step:
        return f if template(f.concl) == f.concl else apply("rewrite", equation, f, "z'", template(f.concl), old, new)

    step = prove(substitute(template(goal), "z'", new), [moved(f) for f in facts])
    back = apply("combine", ("=", minus(new, old)), (equation,), ((MINUS, ((0, 1),), ()),))
    return apply("rewrite", back, step, "z'", template(goal), new, old)


def called(v: str, t: Node, said: Sequence[Step], facts: Facts, prove: Callable[[list[Step]], Step]) -> Step:
    """What follows where t is called v, a new variable: what is ``said`` of t, as comparisons with 0 or that it is an
    integer, is said of v, and then that v - t = 0."""
    body = ("and", *((s.concl[0], v) for s in said), ("=", minus(v, t)))
    same = apply("combine", ("=", minus(t, t)), tuple(facts), ())
    exists = apply("ex_intro", ("ex", v, body), t, apply("and_intro", (*said, same)), tuple(facts))
    step = prove([hyp(part) for part in body[1:]])  # by itself each: an induction keeps those without its variable
    return apply("ex_elim", exists, v, cut_all(parts(hyp(body)), step))


def fresh(stem: str, *avoid: Node | Iterable[Node]) -> str:
    """A variable that is free in none of the nodes."""
    taken: set[str] = set()
    for a in avoid:
        nodes = [a] if isinstance(a, str | Fraction) or (isinstance(a, tuple) and a and isinstance(a[0], str)) else a
        for node in nodes:
            taken |= free(node)
    return next(n for n in (f"{stem}{i}" for i in itertools.count(1)) if n not in taken)


def unused(stem: str, facts: Facts, *avoid: Node | Iterable[Node]) -> str:
    """A variable of which the facts say nothing, free in none of the nodes."""
    return fresh(stem, *avoid, [f.concl for f in facts], [h for f in facts for h in f.hyps])


def replayed(data: dict[str, Any]) -> Step:
    """The main step of a certificate, each of its rules applied again.  KernelError if the kernel refuses one."""
    reader = Reader(data["nodes"])
    steps: list[Step] = []
    for rule, *raw in data["steps"]:
        function, kinds = RULES[rule]
        decoded = [reader.argument(kind, r) for kind, r in zip(kinds, raw, strict=True)]
        premises = [steps[r] if kind == "thm" else tuple(steps[i] for i in r) if kind == "thms" else d
                    for kind, r, d in zip(kinds, raw, decoded, strict=True)]
        steps.append(Step(rule, tuple(premises), function(*decoded)))
        reader.steps.append(steps[-1].theorem)
    main: int = data["main"]
    return steps[main]


def certificate(statement: Statement, verdict: str, main: Step, witness: Sequence[Step] | None = None,
                functions: Sequence[str] = ()) -> dict[str, Any]:
    """The certificate as plain data: the steps that the main step and the witness's need, over shared nodes.
    ``functions``: the definitions of which the witness speaks."""
    data = _Writer().certificate(statement, verdict, main, witness)
    return {**data, "functions": list(functions)} if functions and witness is not None else data


class _Writer:
    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.numbers: dict[Any, int] = {}  # by what is written: a node's own hash takes a walk over all of it
        self.seen: dict[int, int] = {}  # by identity, which the steps keep
        self.steps: list[Any] = []
        self.places: dict[int, int] = {}

    def certificate(self, statement: Statement, verdict: str, main: Step,
                    witness: Sequence[Step] | None) -> dict[str, Any]:
        self.step(main)
        for met in witness or ():
            self.step(met)
        return {"schema": SCHEMA, "verdict": verdict, "statement": statement.to_json(), "nodes": self.nodes,
                "steps": self.steps, "main": self.places[id(main)],
                "witness": None if witness is None else [self.places[id(met)] for met in witness]}

    def node(self, node: Node) -> int:
        number = self.seen.get(id(node))
        if number is None:
            raw = self.raw(node)
            key = raw if isinstance(raw, str) else tuple(raw)
            number = self.numbers.get(key)
            if number is None:
                number = self.numbers[key] = self.append(raw)
            self.seen[id(node)] = number
        return number

    def append(self, raw: Any) -> int:
        self.nodes.append(raw)
        return len(self.nodes) - 1

    def raw(self, node: Node) -> Any:
        if isinstance(node, str):
            return node
        if isinstance(node, Fraction):
            return str(node)
        if node[0] in ("sum", "int", "diff", "all", "ex", "app", "W"):
            return [node[0], node[1], *(self.node(c) for c in node[2:])]
        return [node[0], *(self.node(c) for c in node[1:])]

    def step(self, top: Step) -> None:
        """Write a step after its premises, without recursion: proofs can be long."""
        stack = [(top, False)]
        while stack:
            step, ready = stack.pop()
            if id(step) in self.places:
                continue
            kinds = RULES[step.rule][1]
            if not ready:
                stack.append((step, True))
                stack.extend((s, False) for k, a in zip(kinds, step.arguments, strict=True) for s in _premises(k, a))
                continue
            self.steps.append([step.rule, *(self.argument(k, a) for k, a in zip(kinds, step.arguments, strict=True))])
            self.places[id(step)] = len(self.steps) - 1

    def argument(self, kind: str, value: Any) -> Any:
        if kind in ("term", "formula"):
            return self.node(value)
        if kind == "thm":
            return self.places[id(value)]
        if kind == "thms":
            return [self.places[id(s)] for s in value]
        if kind == "products":
            return [[self.node(c), [list(p) for p in powers], [self.node(s) for s in squares]]
                    for c, powers, squares in value]
        if kind == "box":
            return [[x, str(low), str(high)] for x, (low, high) in value.items()]
        if kind == "tree":
            return _tree(value)
        return value


def _premises(kind: str, argument: Any) -> tuple[Step, ...]:
    if kind == "thm":
        return (argument,)
    return tuple(argument) if kind == "thms" else ()


def _tree(tree: Any) -> Any:
    return None if tree is None else [tree[0], str(tree[1]), _tree(tree[2]), _tree(tree[3])]


def transitive(first: Step, second: Step, a: Node, c: Node, facts: Facts) -> Step:
    """a = c from a - b = 0 and b - c = 0."""
    return apply("combine", ("=", minus(a, c)), (first, second, *facts),
                 ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))


__all__ = [
    "Facts",
    "Step",
    "Stuck",
    "apply",
    "assume",
    "attempt",
    "called",
    "certificate",
    "conjunction",
    "cut_all",
    "fresh",
    "hyp",
    "in_place_of",
    "minus",
    "parts",
    "replayed",
    "transitive",
    "unused",
]
