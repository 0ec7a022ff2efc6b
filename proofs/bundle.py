"""A derivation in one file: its context, its steps in order, and a certificate for each; checked by both checkers.

  {"schema": 1, "derivation": title, "version", "let": [..], "context": [..], "steps": [{"label", "goal",
   "verdict": "proved" | "refuted" | "unknown", "rests_on": [labels], "certificate": {..} or null}, ..]}

A step is proved when the kernel accepts its certificate for exactly its goal, each hypothesis that the proof uses is
a condition of the context or part of the goal of a step that it rests on, its definitions are the file's, and these
steps stand before it and are proved themselves. It is conditional when one of them is not, and refuted when the
kernel accepts a point at which every condition that bears on the goal's symbols holds and the goal does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from qtheory.proofs.checkers import second
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.operators import VALUE
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError, Node, free, require
from qtheory.proofs.limits import require_short

SCHEMA = 1
MAX_STEPS = 2000
KEYS = {"schema", "derivation", "version", "let", "context", "steps"}
STEP_KEYS = {"label", "goal", "verdict", "rests_on", "certificate"}


def is_bundle(data: Any) -> bool:
    return isinstance(data, dict) and "derivation" in data


def check_bundle(data: Any, also: Callable[[Any], None] | None = second) -> list[str]:
    """Check a derivation's file; the standing of each step: proved, conditional, refuted, unknown.

    ``also`` is called with each certificate after the kernel: the second checker.  Raises KernelError for a file that
    does not prove or refute what it says.
    """
    require(isinstance(data, dict) and set(data) == KEYS, f"a derivation has the keys {sorted(KEYS)}")
    require(type(data["schema"]) is int and data["schema"] == SCHEMA, f"schema {SCHEMA} is read here")
    require(isinstance(data["derivation"], str) and isinstance(data["version"], str), "title and version are texts")
    require(texts(data["let"]) and texts(data["context"]), "definitions and context are lists of texts")
    require(isinstance(data["steps"], list) and len(data["steps"]) <= MAX_STEPS, "steps is no list, or too long")
    let = tuple(data["let"])
    require_short("", data["context"], let)
    functions = declarations(data["context"])
    read = cache(lambda text: hypotheses(text, functions, let))
    context = [h for text in data["context"] for h in read(text)]
    standings: dict[str, str] = {}
    goals: dict[str, str] = {}
    for step in data["steps"]:
        require(isinstance(step, dict) and set(step) == STEP_KEYS, f"a step has the keys {sorted(STEP_KEYS)}")
        label, goal, rests = step["label"], step["goal"], step["rests_on"]
        require(isinstance(label, str) and isinstance(goal, str) and texts(rests), "a step's label, goal, rests_on")
        require(label not in standings, f"two steps are labelled {label!r}")
        require(all(r in standings for r in rests), f"step {label} rests on a step that does not stand before it")
        require_short(goal, (), let)
        usable = [c for r in rests for c in read(goals[r])]
        try:
            standings[label] = _standing(step, Statement(goal, functions, let), context, usable,
                                         all(standings[r] == "proved" for r in rests))
        except KernelError as error:
            raise KernelError(f"step {label}: {error}") from None
        goals[label] = goal
        if also is not None and step["certificate"] is not None:
            also(step["certificate"])
    return list(standings.values())


def _standing(step: dict[str, Any], stated: Statement, context: Sequence[Node], usable: Sequence[Node],
              all_proved: bool) -> str:
    verdict, certificate = step["verdict"], step["certificate"]
    if verdict == "unknown":
        require(certificate is None, "an unknown step has a certificate")
        stated.parsed()
        return "unknown"
    require(verdict in ("proved", "refuted"), "the verdict is none of proved, refuted, unknown")
    statement, reader = check(certificate)
    require(certificate["verdict"] == verdict, "the certificate's verdict is another one")
    require(set(statement.let) <= set(stated.let), "its certificate has a definition that the file has not")
    same = statement == stated or statement.conclusion == stated.conclusion  # in words, which need not be read again
    require(same, "the certificate is for another goal")
    if verdict == "refuted":
        needed = set(bearing(context, names(stated.conclusion)))
        require(needed <= set(statement.hypotheses), "the counterexample leaves out a condition of the context")
        return "refuted"
    used = reader.steps[certificate["main"]].hyps
    require(used <= {*context, *usable}, "a hypothesis is neither in the context nor the goal of a step it rests on")
    return "proved" if all_proved else "conditional"


def declarations(conditions: Iterable[str]) -> tuple[str, ...]:
    """Those of the conditions that declare functions."""
    return tuple(text for text in conditions if declared(text, "functions"))


def hypotheses(text: str, functions: tuple[str, ...], let: tuple[str, ...]) -> tuple[Node, ...]:
    """A condition's formulas, as the kernel reads them."""
    where = functions if text in functions else (text, *functions)
    return Statement("1 > 0", where, let).hypotheses


def names(node: Node) -> frozenset[str]:
    """The free variables and the function symbols of a node; v', the value of an operator without an end, is none."""
    return frozenset(free(node) - {VALUE}) | _applied(node)


def _applied(node: Node) -> frozenset[str]:
    if not isinstance(node, tuple):
        return frozenset()
    own = frozenset((node[1],)) if node[0] == "app" else frozenset()
    return own.union(*map(_applied, node[1:]))


def bearing(conditions: Sequence[Node], seed: frozenset[str]) -> list[Node]:
    """The conditions that share a symbol with the seed, directly or through other conditions, in their order.

    The others speak of other symbols alone: where they can be met at all, they can be met at any point of these.
    """
    left, reached, found = list(conditions), set(seed), []
    while True:
        more = [c for c in left if not names(c) or names(c) & reached]
        if not more:
            return [c for c in conditions if c in found]
        found += more
        left = [c for c in left if c not in more]
        reached |= frozenset().union(*map(names, more))


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
