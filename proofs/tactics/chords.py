"""Tactic: a convex or concave function's values at three points of a goal, one between the two others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import sympy

from qtheory.proofs.kernel.terms import KernelError, Node, children
from qtheory.proofs.tactics.bridge import from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Step, Stuck, apply, conjunction
from qtheory.proofs.tactics.state import Search

MOST = 4  # points of one function


def curvatures(facts: Sequence[Node]) -> list[tuple[Node, str]]:
    """The facts that say that a function is convex or concave, in the statement language's words, with its name."""
    found = []
    for fact in facts:
        inner = fact
        for _ in range(3):
            inner = inner[2] if inner[0] == "all" else ()
            if not inner:
                break
        if inner and inner[0] == "imp" and inner[2][0] in (">=", ">"):
            names = {t[1] for t in _applications(inner[2])}
            if len(names) == 1 and len(_applications(inner[2])) == 3:
                found.append((fact, names.pop()))
    return found


def chord_facts(search: Search, goal: Node, facts: Sequence[Step]) -> list[Step]:
    """What convexity says of the points at which a goal has the function."""
    new: list[Step] = []
    by_formula = {f.concl: f for f in facts}
    for fact, name in curvatures(list(by_formula)):
        points = sorted({t[2] for t in _applications(goal) if t[1] == name and len(t) == 3}, key=str)[:MOST]
        for low, high, middle in permutations(points, 3):
            share = _share(low, high, middle)
            if share is None:
                continue
            try:
                new.append(_instance(search, by_formula[fact], (low, high, share), list(facts)))
            except (Stuck, KernelError):
                continue
    return new


def _instance(search: Search, every: Step, terms: Sequence[Node], facts: list[Step]) -> Step:
    for term in terms:
        facts += search.define(term, facts)
        every = apply("all_elim", every, term, tuple(facts))
    premise = every.concl[1]
    return apply("imp_elim", every, conjunction(premise, [search.atom(p, facts) for p in premise[1:]]))


def _share(low: Node, high: Node, middle: Node) -> Node | None:
    """t with middle = (1 - t) low + t high, where it is a polynomial."""
    a, b, m = map(to_sympy, (low, high, middle))
    if sympy.expand(b - a) == 0:
        return None
    t = sympy.cancel((m - a) / (b - a))
    return from_sympy(t) if sympy.denom(t).is_number and t not in (0, 1) else None


def _applications(t: Node) -> set[Node]:
    """The applications of functions outside binders."""
    if not isinstance(t, tuple) or t[0] in ("all", "ex", "sum", "int", "diff"):
        return set()
    own = {t} if t[0] == "app" else set()
    return own.union(*map(_applications, children(t)[0]))


__all__ = ["chord_facts", "curvatures"]
