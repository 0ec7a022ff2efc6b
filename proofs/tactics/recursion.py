"""Tactic: what a recursion keeps, by induction: a formula about f(n), where a fact gives f(k + 1) for every k."""

from __future__ import annotations

from qtheory.proofs.kernel.terms import ONE, KernelError, Node, free, ge, integer, substitute
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply, conjunction, hyp, parts
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.solving import bounds
from qtheory.proofs.tactics.state import Search


def recursive(facts: Facts) -> frozenset[str]:
    """The functions of which some universal fact gives the value at k + 1."""
    found = set[str]()
    for f in facts:
        body, bound = f.concl, set[str]()
        while body[0] in ("all", "imp"):
            bound |= {body[1]} if body[0] == "all" else set()
            body = body[2]
        for part in body[1:] if body[0] == "and" else (body,):
            if bound and part[0] == "=":
                found |= {name for name, t in values(part) if isinstance(t, tuple) and t[0] == "+" and t[2:] == (ONE,)
                          and t[1] in bound}
    return frozenset(found)


def values(formula: Node) -> list[tuple[str, Node]]:
    """The functions of one variable, and where they are taken, in a comparison or a conjunction of such."""
    pieces = formula[1:] if formula[0] == "and" else (formula,)
    terms = [t for p in pieces if p[0] in RELATIONS for t in occurring(p[1])]
    return [(t[1], t[2]) for t in terms if isinstance(t, tuple) and t[0] == "app" and len(t) == 3]


def over(goal: Node, facts: Facts) -> str | None:
    """The integer at which a goal takes a function that a recursion gives, and no function at anything else."""
    if goal[0] != "and" and goal[0] not in RELATIONS:
        return None
    places = {t for _, t in values(goal)}
    name = next(iter(places)) if len(places) == 1 else None
    if not isinstance(name, str) or not any(f.concl == ("isint", name) for f in facts):
        return None
    known = recursive(facts)
    return name if any(f in known for f, _ in values(goal)) else None


def by_recursion(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """By induction from the greatest integer that is known to lie below; a conjunction is assumed as a whole.

    What bounds the integer from above, as in a recursion of finitely many steps, stands before the goal as a premise.
    """
    v = over(goal, facts)
    assert v is not None  # the strategy applies
    limits = bounds(v, facts)
    lows = [a for a, side in limits if side == "low" and integer(a)]
    if not lows:
        raise Stuck(f"{v} has no least number")
    low = max(lows)
    others = [f for f in facts if v not in f.variables and all(v not in free(h) for h in f.hyps)]
    caps = [f for f in facts if v in f.variables and [side for _, side in bounds(v, [f])] == ["high"]]
    below = list(dict.fromkeys(f.concl for f in caps))
    premise: Node = ("and", *below) if len(below) > 1 else below[0] if below else ()
    claim: Node = ("imp", premise, goal) if below else goal
    start = each(search, substitute(goal, v, low), others, depth - 1)
    assumed = [hyp(("isint", v)), hyp(ge(v, low))]
    if below:
        further = substitute(premise, v, ("+", v, ONE))
        known = [*others, *assumed, *parts(hyp(further))]
        held = apply("imp_elim", hyp(claim), conjunction(premise, [search.atom(b, known) for b in below]))
        step = each(search, substitute(goal, v, ("+", v, ONE)), [*known, *parts(held)], depth - 1)
        start = apply("imp_intro", substitute(premise, v, low), start)
        step = apply("imp_intro", further, whole(step, hyp(further)))
    else:
        step = each(search, substitute(goal, v, ("+", v, ONE)), [*others, *assumed, *parts(hyp(goal))], depth - 1)
        step = whole(step, hyp(goal))
    every = apply("induction", v, low, claim, apply("integral_polynomial", low, ()), start, step)
    here = [search.atom(("isint", v), facts), search.atom(ge(v, low), facts)]
    at_v = apply("all_elim", every, v, ())
    found = apply("imp_elim", at_v, conjunction(every.concl[2][1], here))
    return apply("imp_elim", found, conjunction(premise, caps)) if below else found


def whole(step: Step, assumed: Step) -> Step:
    """On what was assumed as a whole, where the search used parts of it."""
    for leaf in parts(assumed):
        if leaf.concl in step.hyps and leaf.concl != assumed.concl:
            step = apply("cut", leaf, step)
    return step


def each(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A comparison, or each part of a conjunction, the later ones with what is known from the earlier ones."""
    found: list[Step] = []
    for part in goal[1:] if goal[0] == "and" else (goal,):
        try:
            found.append(search.atom(part, [*facts, *found], depth))
        except KernelError as error:
            raise Stuck(str(error)) from None
    return conjunction(goal, found) if goal[0] == "and" else found[0]


__all__ = ["by_recursion", "over"]
