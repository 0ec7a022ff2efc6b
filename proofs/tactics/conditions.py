"""What a true fact says besides: that its terms are defined, and integers by their own floors."""

from __future__ import annotations

from fractions import Fraction

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.terms import ZERO, Node, free, neg_term
from qtheory.proofs.tactics.builder import Facts, Step, apply, parts
from qtheory.proofs.tactics.order import evident
from qtheory.proofs.tactics.state import Search


def conditions_of(facts: Facts) -> list[Step]:
    """What the facts' terms need in order to be defined, and so is true: u > 0 for log u, u != 0 for 1/u."""
    out: dict[Node, Step] = {}
    for f in facts:
        for s in evident(f.concl):
            if isinstance(s, tuple) and s[0] in FUNCTIONS and FUNCTIONS[s[0]].tells(s):
                if isinstance(s[1], Fraction):
                    continue
                step = apply("condition", f, s)
                out.setdefault(step.concl, step)
    return [s for c, s in out.items() if all(c != f.concl for f in facts)]


def whole_from_floor(facts: Facts) -> list[Step]:
    """u is an integer, for each fact floor(u) = u."""
    out = []
    for f in facts:
        t = f.concl[1] if f.concl[0] == "=" else ZERO
        if isinstance(t, tuple) and t[0] == "+" and len(t) == 3 and isinstance(t[1], tuple) and t[1][0] == "floor" \
                and t[2] == neg_term(t[1][1]):
            u = t[1][1]
            whole = parts(apply("floor_bounds", u, (f,)))[0]
            z = next(n for n in ("z'", "z''") if n not in free(t))
            out.append(apply("rewrite", f, whole, z, ("isint", z), t[1], u))
    return out



class Settled(dict[Step, dict[Node, None]]):
    """By the fact, what it settles."""


def settled_by(search: Search, fact: Step) -> dict[Node, None]:
    """Terms that need be defined by more than their parts, and are where the fact is true."""
    kept = search.own(Settled)
    if fact not in kept:
        kept[fact] = {s: None for s in evident(fact.concl) if partial_operation(s)}
    return kept[fact]


def partial_operation(s: Node) -> bool:
    """Is the operation at the head of s defined for some arguments only?"""
    return isinstance(s, tuple) and s[0] not in ("+", "*", "app") and not (
        s[0] in FUNCTIONS and FUNCTIONS[s[0]].total)
