"""What is proved already, at a point: instances of steps, and universal statements that are such instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from qtheory.proofs.kernel.terms import KernelError, Node, free
from qtheory.proofs.tactics.branches import Branch, branches
from qtheory.proofs.tactics.builder import Step, Stuck, apply, cut_all
from qtheory.proofs.tactics.closed import Assignment, Point


def instance_at(point: Point, step: Step, at: Mapping[str, Node]) -> Step:
    """The step at the point's values of its variables; its hypotheses stay."""
    for v in sorted(free(step.concl).union(*map(free, step.hyps))):
        if v not in at:
            raise Stuck("a variable has no value")
        step = apply("instance", step, v, at[v], point.settle(at[v]))
    return step


def shown(point: Point, formula: Node) -> Step:
    """A closed formula, by any of its branches."""
    if formula in point.known:
        return point.known[formula]
    for b in branches(formula):
        if not b.variables:
            try:
                return point.prove(formula, b.plan, {})
            except (Stuck, KernelError):
                continue
    raise Stuck("not shown at the point")


def from_given(branch: Branch, given: Sequence[Step]) -> Branch:
    """The branch, where a universal statement is an instance of a given step whose hypotheses hold, if there is one."""
    def hard(point: Point, formula: Node, at: Assignment) -> Step:
        for step in given if formula not in point.known else ():
            try:
                step = instance_at(point, step, at)
            except (Stuck, KernelError):
                continue
            if step.concl == formula:
                point.known[formula] = cut_all([shown(point, h) for h in sorted(step.hyps, key=str)], step)
        return point.hard(formula)

    def put(plan: Any) -> Any:
        if plan == ("hard",):
            return ("by", hard)
        return tuple(map(put, plan)) if isinstance(plan, tuple) else plan

    return replace(branch, plan=put(branch.plan)) if given and branch.hard else branch


__all__ = ["from_given", "instance_at", "shown"]
