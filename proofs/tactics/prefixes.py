"""Tactic: what holds of all first parts of sums, by induction from the empty ones; whole numbers among them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import ONE, ZERO, KernelError, Node, ge, minus, substitute, subterms
from qtheory.proofs.tactics.builder import Step, Stuck, apply, certificate, cut_all, fresh, hyp, parts
from qtheory.proofs.tactics.guarded import Opened
from qtheory.proofs.tactics.guidance import NOTHING, Guidance
from qtheory.proofs.tactics.logic import solve_with
from qtheory.proofs.tactics.prover import ORDINARY, prove_statement
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.whole_numbers import whole_term


def prefixes(statement: Statement, budget: float, told: Guidance = NOTHING) -> dict[str, Any]:
    """A certificate of ``ForAll(n, And(Integer(n), n >= 0), And(A, ..))``, where n is the upper end of sums from 1.

    Each part is proved from those before it, and from all of them at n for n + 1; conditions ``ForAll(i, G, B)`` are
    taken at n + 1. With another guard there is no induction, and conditions are taken at n and n - 1. Stuck if that
    does not do.
    """
    search, goal = ORDINARY.search(budget), statement.conclusion
    if goal[0] != "all" or goal[2][0] != "imp":
        raise Stuck("nothing is said of each number")
    n, claim = goal[1], goal[2][2]
    if goal[2][1] != ("and", ("isint", n), (">=", n)):
        return certificate(statement, "proved", at_index(statement, search, budget, told))
    try:
        facts = [apply("integral_polynomial", end, ()) for end in (ZERO, ONE)]
        for h in statement.hypotheses:
            facts.append(hyp(h))
        empty = [apply("sum_empty", s, tuple(facts)) for s in sums(substitute(claim, n, ZERO)) if s[3] == ZERO]
        facts += empty
        start = together(substitute(claim, n, ZERO), search, facts)
        upper: Node = ("+", n, ONE)
        known = [*facts, hyp(("isint", n)), hyp(ge(n, ZERO))]
        known.append(apply("integral_polynomial", upper, tuple(known)))
        known.append(search.combine(ge(upper, ONE), known, 1))
        back = apply("combine", ("=", minus(n, minus(upper, ONE))), tuple(known), ())
        z = fresh("z", n, claim)
        before = parts(hyp(claim))
        known += before
        known += [apply("rewrite", back, s, z, substitute(s.concl, n, z), n, minus(upper, ONE)) for s in before]
        for h in statement.hypotheses:
            known += taken(search, h, upper, known)
        for s in sums(substitute(claim, n, upper)):
            if s[3] == upper:
                known.append(apply("sum_last", s, tuple(known)))
                last = substitute(s[4], s[1], upper)
                if not sums(last):
                    with suppress(Stuck):  # which makes those parts of it known to be integers that are
                        whole(search, last, known)
        step = together(substitute(claim, n, upper), search, known)
        step = cut_all(reversed([k for k in known if k.hyps != frozenset((k.concl,))]), step)
        start = cut_all(reversed(facts), start)
        every = apply("all_elim", apply("induction", n, ZERO, claim, facts[0], start, step), n, ())
        guard = parts(hyp(goal[2][1]))
        least = apply("combine", ge(n, ZERO), tuple(guard), ((ONE, ((1, 1),), ()),))
        each = apply("imp_elim", every, apply("and_intro", (guard[0], least)))
        main = apply("all_intro", n, apply("imp_intro", goal[2][1], each))
    except KernelError as error:
        raise Stuck(str(error)) from None
    return certificate(statement, "proved", main)


def at_index(statement: Statement, search: Search, budget: float, told: Guidance) -> Step:
    """For each index, from what is known there and at the one before."""
    goal, facts = statement.conclusion, [hyp(h) for h in statement.hypotheses]
    n, guard = goal[1], goal[2][1]
    try:
        known = [*facts, *parts(hyp(guard))]
        known.append(search.atom(("isint", n), known))
        known += [s for h in statement.hypotheses for t in (n, minus(n, ONE)) for s in taken(search, h, t, known)]
        if told.lemmas:
            opened: Any = Opened(tuple(k.concl for k in known if k.concl[0] != "all"), goal[2][2])
            step = prove_statement(opened, budget, told)
        else:
            step = together(goal[2][2], search, known)
        for part in reversed(known):
            if part.concl in step.hyps and part.concl not in statement.hypotheses and part.concl != guard:
                step = apply("cut", part, step)
        return apply("all_intro", n, apply("imp_intro", guard, step))
    except KernelError as error:
        raise Stuck(str(error)) from None


def sums(formula: Node) -> list[Node]:
    """The sums in it, those within others' ends and terms first."""
    if not isinstance(formula, tuple):
        return []
    inner = [s for part in formula[1:] for s in sums(part)]
    return list(dict.fromkeys([*inner, *([formula] if formula[0] == "sum" else [])]))


def taken(search: Search, h: Node, upper: Node, known: Sequence[Step]) -> list[Step]:
    """What a universal condition says at the term."""
    if h[0] != "all" or h[2][0] != "imp":
        return []
    there = apply("all_elim", hyp(h), upper, tuple(known))
    try:
        return parts(apply("imp_elim", there, solve_with(search, there.concl[1], list(known), [], 3)))
    except Stuck:
        return []


def together(claim: Node, search: Search, known: Sequence[Step]) -> Step:
    """The conjunction, part by part."""
    if claim[0] == "isint":
        return whole(search, claim[1], list(known))
    if claim[0] != "and":
        return solve_with(search, claim, list(known), [], 4)
    proved, facts = list[Step](), list(known)
    for part in claim[1:]:
        proved.append(together(part, search, facts))
        facts.append(proved[-1])
    return apply("and_intro", tuple(proved))


def whole(search: Search, term: Node, known: list[Step]) -> Step:
    """That the term is an integer, the larger of two integers being one."""
    for s in subterms(term):
        if isinstance(s, tuple) and s[0] == "max":
            integers = [whole(search, side, known) for side in s[1:]]
            cases = apply("trichotomy", minus(s[1], s[2]), tuple(known))
            bounds = parts(apply("max_bounds", s[1], s[2], tuple(known)))
            sides = list[Step]()
            for case, side, integer in zip(cases.concl[1:], (s[1], s[1], s[2]), (*integers[:1]*2, integers[1]),
                                           strict=True):
                same = solve_with(search, ("=", minus(side, s)), [*bounds, hyp(case), *integers], [], 3)
                sides.append(apply("rewrite", same, integer, "z'", ("isint", "z'"), side, s))
            known.append(apply("or_elim", cases, tuple(sides), ("isint", s)))
    return whole_term(search, ("isint", term), known)


__all__ = ["prefixes"]
