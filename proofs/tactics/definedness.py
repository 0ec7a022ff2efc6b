"""Tactics: that terms are defined."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.arithmetic import Product
from qtheory.proofs.kernel.terms import (
    ONE,
    ZERO,
    KernelError,
    Node,
    integer,
    minus,
    neg_term,
)
from qtheory.proofs.kernel.theorem import holds as kernel_holds
from qtheory.proofs.kernel.theorem import power_defined
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp, parts, unused
from qtheory.proofs.tactics.cleared import sign_of
from qtheory.proofs.tactics.conditions import partial_operation, settled_by
from qtheory.proofs.tactics.integrals import integral_bounds, integral_value
from qtheory.proofs.tactics.numeric import holds_at
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.roots import root_between
from qtheory.proofs.tactics.simplify import Simplifier
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.sums import by_range
from qtheory.proofs.tactics.terms import size

UNDEFINED = {
    "int": "an integral is not known to have a value: its integrand needs one on the whole range (an improper integral "
           "is a limit of proper ones)",
    "diff": "a derivative is not known to exist", "sum": "a sum is not known to have a value",
    "W": "W is not known to have a value, which needs an argument of at least -1/e",
}


def define(search: Search, term: Node, facts: Facts, depth: int = 3) -> list[Step]:
    """New facts that settle the definedness of the term."""
    new: list[Step] = []
    doubtful = [s for s in occurring(term) if partial_operation(s)]
    if not doubtful:
        return new
    known: set[Node] = set().union(*(settled_by(search, f) for f in facts))
    concls = {f.concl for f in facts}
    for s in sorted((s for s in doubtful if s not in known), key=size):
        need = _need(s, concls)
        if need is None:
            continue
        if need == ">" and s[0] == "^":
            new += natural_exponent(search, s[2], [*facts, *new]) or at_zero_too(search, s, [*facts, *new])
            concls |= {f.concl for f in new}
            if power_defined(s[1], s[2], concls):
                continue
        steps = lambert_value(search, s, [*facts, *new]) if need == "W" else \
            [condition_of(search, s, need, [*facts, *new], depth)]
        new += steps
        concls.update(step.concl for step in steps)
    return new


def natural_exponent(search: Search, exponent: Node, facts: Facts) -> list[Step]:
    """That the exponent is a natural number, if that is seen: then the power is defined at any base."""
    whole = search.quick(("isint", exponent), facts)
    positive = whole and search.quick((">=", exponent), [*facts, whole])
    return [whole, positive] if whole and positive else []


def at_zero_too(search: Search, s: Node, facts: Facts) -> list[Step]:
    """That the base is nonnegative and the exponent positive, if that is seen and the base may be zero."""
    base, exponent = s[1], s[2]
    if base != ZERO and (isinstance(base, Fraction) or search.quick((">", base), facts)):
        return []
    positive = search.quick((">", exponent), facts)
    nonnegative = positive and base != ZERO and search.quick((">=", base), facts)
    return [f for f in (positive, nonnegative) if f] if nonnegative or base == ZERO else []


def condition_of(search: Search, s: Node, need: str, facts: Facts, depth: int) -> Step:
    if any(s in settled_by(search, f) for f in facts):
        return apply("defined", s, tuple(facts))
    if need == "int":
        told = s[1] in search.told.antiderivatives  # then its bounds are nearer than its value
        for bounds in (told, not told):
            try:
                return integral_bounds(search, s, facts)[0] if bounds else integral_value(search, s, facts)
            except (Stuck, IndexError):
                search.tick()
    if need == "diff":
        simple = Simplifier(search, ZERO, facts)
        found = simple.rewrite_diff(s)
        if found is not None:
            return found[1]
    if need == "sum":
        with suppress(Stuck, KernelError):  # of nothing: then its summands need no value
            return apply("sum_empty", s, (*facts, search.atom(("isint", s[2]), facts)))
        return summable(search, s, facts)
    if need in UNDEFINED:
        raise Stuck(UNDEFINED[need])
    base = s[1]
    for relation in {">": (">",), ">=": (">", ">="), "!=": (">", "!=")}[need]:
        points = search.points((relation, base), facts)
        if points and not holds_at((relation, base), points):
            continue
        try:
            return search.atom((relation, base), facts, depth)
        except Stuck:
            search.tick()
    raise Stuck("a subterm may be undefined")


def lambert_value(search: Search, s: Node, facts: Facts) -> list[Step]:
    """W(u) on its main branch has a value: w exp(w) - u has a root w from 0 to u + 1, from -1 to 0 or
    from -1 to u + 2.

    With it come its bounds and its equation.
    """

    if any(s in settled_by(search, f) for f in facts):
        return [apply("defined", s, tuple(facts))]
    w = unused("w", facts, s)
    equation = minus(("*", w, ("exp", w)), s[2])
    wide = (("+", s[2], ONE), -ONE, ("+", s[2], Fraction(2)))
    for side, low, high in (
            (s[2], ZERO, ("+", s[2], ONE)), (neg_term(s[2]), -ONE, ZERO), wide) if s[1] == 0 else ():
        try:
            known = [*facts, search.atom((">=", side), facts, 1)]
            exists = root_between(search, equation, w, low, high, known, ())
        except (Stuck, KernelError):
            search.tick()
            continue
        above, below, root = parts(hyp(exists.concl[2]))
        # (w - low) + (low + 1)
        up: list[Product] = [(ONE, ((0, 1),), ()), *([(low + 1, (), ())] if low + 1 else [])]
        value = apply("lambert_value", s, w, root, apply("combine", (">=", ("+", w, ONE)), (above,), tuple(up)))
        ends = ((above, minus(s, low), ONE), (below, minus(high, s), -ONE))
        bounds = [apply("combine", (f.concl[0], t), (f, value, *facts),
                        ((ONE, ((0, 1),), ()), (sign, ((1, 1),), ()))) for f, t, sign in ends]
        both = apply("ex_elim", exists, w, apply("and_intro", (apply("defined", s, (value,)), *bounds)))
        return [*parts(both), *parts(apply("lambert_equation", s, (*parts(both), *facts)))]
    raise Stuck(UNDEFINED["W"])


def with_signs(search: Search, conditions: Facts, facts: Facts) -> list[Step]:
    """The conditions, and of a sum that is not 0 its sign where that is plain: by it a comparison loses its
    denominator."""
    out = list(conditions)
    for c in conditions:
        relation, term = c.concl
        if relation == "!=" and isinstance(term, tuple) and term[0] == "+":
            found = sign_of(search, term, ">", facts)
            out += [found[0]] if found is not None else []
    return out


def summable(search: Search, s: Node, facts: Facts) -> Step:
    """A finite sum of terms that are defined within its range is defined, by induction over its upper end."""
    def claim(end: Node) -> Node:
        upto = (*s[:3], end, s[4])
        return ("=", minus(upto, upto))

    return apply("defined", s, (by_range(search, [s], claim, facts, empty=True),))


def _need(s: Node, concls: set[Node]) -> str | None:
    """What is missing for the partial operation at the head of s to be defined."""
    if s[0] in ("sum", "int", "diff", "W"):
        return str(s[0])

    if relation := FUNCTIONS[s[0]].need:
        stronger = any(kernel_holds(r, s[1], concls) for r in (relation, ">"))
        return None if stronger else relation
    if power_defined(s[1], s[2], concls):
        return None
    return "!=" if integer(s[2]) else ">"
