"""Tactics: equations among the facts, used as definitions."""

from __future__ import annotations

from contextlib import suppress

from qtheory.proofs.functions.function import Inverse
from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
    ONE,
    KernelError,
    Node,
    free,
    minus,
    neg_term,
)
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply
from qtheory.proofs.tactics.conditions import settled_by
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.solving import solve_for
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import in_function, size


class Inverses(set[Node]):
    """The equations that were inverted from others."""


def inverted(search: Search, facts: Facts, freely: bool = False) -> list[Step]:
    """The facts, and for each e^u = w also u = log w, for each log u = w also u = e^w; ``freely``: where u and w are
    terms that share variables too."""
    out = list(facts)
    for f in facts:
        if f.concl[0] != "=" or f.concl in search.own(Inverses):
            continue
        for s in occurring(f.concl[1]):
            if isinstance(s, tuple) and s[0] in FUNCTIONS and (inverse := FUNCTIONS[s[0]].inverse) is not None:
                step = inverse_of(search, f, s, inverse, out, freely)
                if step is not None:
                    out.append(step)
    return out


def inverse_of(search: Search, fact: Step, s: Node, inverse: Inverse, facts: list[Step],
               freely: bool) -> Step | None:
    value = solve_for(fact.concl[1], s)
    if value is None or not free(s[1]):
        return None
    plain = s[0] == "exp" and isinstance(value, str)  # x = exp(m (x - 1)) is inverted
    if free(value) & free(s[1]) and not (freely or plain):
        return None
    goal = ("=", minus(s[1], (inverse.head, value)))
    if any(f.concl == goal for f in facts):
        return None
    try:
        facts = [*facts, *search.define(value, facts)]
        equal = search.combine(("=", minus(s, value)), facts, 1)
        if inverse.positive:
            positive = apply(inverse.positive, s[1], tuple(facts))
            moved = apply("rewrite", equal, positive, "z'", (">", "z'"), s, value)
            facts.append(moved)
        undo = apply(inverse.undo, s[1], tuple(facts))
        step = apply("rewrite", equal, undo, "z'", ("=", minus((inverse.head, "z'"), s[1])), s, value)
        search.own(Inverses).add(goal)
        return apply("combine", goal, (step, *facts), ((-ONE, ((0, 1),), ()),))
    except (Stuck, KernelError):
        return None


def definitions(search: Search, facts: Facts) -> list[tuple[str, Node, Step]]:
    """(variable, value, step for variable - value = 0) for equations that determine a variable; each value is
    free of the variables determined before it."""
    out: list[tuple[str, Node, Step]] = []
    for f in facts:
        if f.concl[0] != "=":
            continue
        if any(w in free(f.concl[1]) for w, _, _ in out):
            continue
        used = set().union(*(free(value) for _, value, _ in out), set())
        choices = [(size(value), v, value) for v in free(f.concl[1]) - used if not in_function(f.concl[1], v)
                   and (value := solve_for(f.concl[1], v)) is not None and v not in free(value)
                   and not any(isinstance(s, tuple) and s[0] == "app" for s in occurring(value))]
        for _, v, value in sorted(choices, key=lambda c: c[:2])[:3]:
            try:
                below = [poly_term(forms, dict(d)) for forms in [Forms()] for d in forms.quotient(value)[1]]
                if any(search.quick((">", d), facts) is None for d in below):
                    continue
                more = [*facts, *search.define(value, facts, 1)]
                out.append((v, value, search.combine(("=", minus(v, value)), more, 1)))
                break
            except (Stuck, KernelError):
                continue
    return out


def differentiated(search: Search, goal: Node, facts: Facts) -> Step | None:
    """The equation, if it is formally true once its derivatives are carried out."""
    if not any(isinstance(s, tuple) and s[0] == "diff" for s in occurring(goal[1])):
        return None
    try:
        plain, duties = undiff(goal[1])
        if not Forms().zero(plain):
            return None
        known = list(facts)
        for t in (*duties, plain):
            known += search.define(t, known)
        step = apply("differentiate", goal[1], tuple(known))
        return apply("combine", goal, (step, *known), ((ONE, ((0, 1),), ()),))
    except (Stuck, KernelError):
        search.tick()
        return None


def lambert_values(search: Search, term: Node, facts: list[Step]) -> None:
    """For each W(u) in the term that no fact speaks of: W(u) = v, with v read off the term as an equation."""
    known: set[Node] = set().union(*(settled_by(search, f) for f in facts))
    unknown = [s for s in occurring(term) if isinstance(s, tuple) and s[0] == "W" and s not in known]
    for w in sorted(unknown, key=size):
        v = solve_for(term, w)
        if v is not None:
            with suppress(Stuck, KernelError):
                more = [*facts, *search.define(v, facts)]
                equation = search.atom(("=", minus(("*", v, ("exp", v)), w[2])), more)
                side = search.atom((">=", ("+", v, ONE)) if w[1] == 0 else (">=", neg_term(("+", v, ONE))), more)
                facts.append(apply("lambert_value", w, v, equation, side))

