"""Goals that something exists: roots, limits, orders of magnitude, and plain witnesses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    ge,
    gt,
    minus,
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.bridge import reduce_term
from qtheory.proofs.tactics.builder import Step, Stuck, apply, conjunction, fresh, hyp, parts
from qtheory.proofs.tactics.generalise import generalised
from qtheory.proofs.tactics.limits import big_o, conjuncts, limit
from qtheory.proofs.tactics.numeric import evaluate, samples
from qtheory.proofs.tactics.rates import guessed, ordered, rated
from qtheory.proofs.tactics.sides import two_sided
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.tending import from_tendency

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]
HALF = Fraction(1, 2)


def existential(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    """A step for ("ex", x, body)."""
    x = goal[1]
    reasons = []
    for tactic in (by_witness, rated, ordered, from_tendency, compound_level, unique_root, big_o, from_sides, guessed,
                   limit, plain):
        prover.tick()
        try:
            return tactic(prover, goal, facts, depth)
        except (Stuck, KernelError) as reason:
            reasons.append(str(reason))
    raise Stuck(f"no witness for {x}: " + "; ".join(dict.fromkeys(r for r in reasons if r != "not of this shape")))


def compound_level(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    return generalised(prover, goal, facts, depth, unique_root)


def from_sides(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    return two_sided(prover, goal, facts, depth, existential)


def introduce(prover: Prover, goal: Node, t: Node, facts: Facts, depth: int) -> Step:
    """The existence by the witness t."""
    facts = [*facts, *prover.define(t, facts)]
    step = prover.solve(substitute(goal[2], goal[1], t), facts, depth)
    return apply("ex_intro", goal, t, step, tuple(facts))


def by_witness(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    witness = prover.strategy.witness.get(goal[1])
    if witness is None:
        raise Stuck("not of this shape")
    return introduce(prover, goal, witness, prover.applied(facts), depth)


def plain(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    """Numbers and terms that stand about."""
    _, x, body = goal
    either = [[p for p in b[1:] if p[0] != "undef"] or [b] if b[0] == "or" else [b] for b in conjuncts(body)]
    seen = [parts for parts in either if all(p[0] in (">", ">=", "=", "!=", "isint") for p in parts)]
    wanted, conditions = [p for parts in either for p in parts], [p for parts in seen for p in parts]
    points = samples([f.concl for f in facts if f.concl[0] in (">", ">=", "=", "isint")],
                     free(goal).union(*(f.variables for f in facts)), 8)
    candidates: list[Node] = [ZERO, ONE, Fraction(2), HALF, MINUS, Fraction(1, 10), Fraction(9, 10), Fraction(10)]
    names = sorted(free(goal))
    candidates += names
    candidates += [t for n in names for below in [("^", ("+", n, ONE), MINUS)] for t in
                   (("+", n, ONE), ("*", HALF, n), below, ("*", Fraction(2), n), ("*", n, below),
                    ("*", Fraction(2), ("^", n, MINUS)))]
    candidates += [solved for c in conditions if c[0] == "=" if (solved := solve_linear(c[1], x)) is not None]
    beyond = [solved for c in conditions if c[0] in (">", ">=") and free(c[1]) != {x}
              if (solved := solve_linear(minus(c[1], ONE), x)) is not None]
    candidates += [t for s in beyond for t in (s, ("+", ("max", s, neg_term(s)), ONE))]
    if any(c[0] == "isint" for c in conditions):
        ends = [solved for c in wanted if c[0] in (">", ">=", "=") and free(c[1]) != {x}
                if (solved := solve_linear(c[1], x)) is not None]
        ends = [*([("max", *ends[:2])] if len(ends) > 1 else []), *ends]
        candidates += [("+", ("floor", ("max", s, ZERO)), ONE) for s in ends]
        candidates += [t for s in ends for low, high in [(("floor", s), neg_term(("floor", neg_term(s))))]
                       for t in (low, ("+", low, ONE), high, minus(high, ONE))]
    bounds = [solved for c in conditions if c[0] in (">", ">=") and (solved := solve_linear(c[1], x)) is not None][:4]
    candidates += [*(("*", HALF, ("+", s, t)) for s, t in combinations(bounds, 2)), *bounds,
                   *(t for s in bounds for t in (("+", s, ONE), minus(s, ONE)))]
    for t in candidates:
        values = [{**p, x: evaluate(t, p)} for p in points]
        if any(not all(any(_plausible(p, v) for p in parts) for parts in seen) for v in values):
            continue
        try:
            return introduce(prover, goal, t, facts, depth - 1)
        except (Stuck, KernelError):
            prover.tick()
    raise Stuck("no candidate fits")


def _plausible(c: Node, at: dict[str, float]) -> bool:
    from qtheory.proofs.tactics.numeric import holds

    return holds(c, at)


def solve_linear(t: Node, x: str) -> Node | None:
    """The x at which t, linear in x, is zero."""
    forms = Forms()
    num, _ = forms.quotient(t)
    atom = next((i for i, n in enumerate(forms.names) if n == x), None)
    if atom is None or any(a == atom and e > 1 for m in num for a, e in m):
        return None
    slope = {tuple(p for p in m if p[0] != atom): c for m, c in num.items() if (atom, 1) in m}
    rest = {m: -c for m, c in num.items() if (atom, 1) not in m}
    if any(isinstance(forms.names[a], tuple) and x in free(forms.names[a]) for m in num for a, _ in m):
        return None
    return reduce_term(("*", poly_term(forms, rest), ("^", poly_term(forms, slope), MINUS)))


# ---- a unique root ----

def unique_root(prover: Prover, goal: Node, facts: Facts, depth: int) -> Step:
    """There is exactly one x in an interval with f(x) = 0: a change of sign and strict monotonicity.

    Also without the part on uniqueness.
    """
    _, x, body = goal
    pieces = conjuncts(body)
    equations = [p for p in pieces if p[0] == "=" and x in free(p)]
    if len(equations) != 1 or any(p[0] not in (">", ">=", "=", "all", "!=") for p in pieces):
        raise Stuck("not of this shape")
    if any(p[0] == "all" and p[2][0] == "imp" and all(c[0] != "=" for c in conjuncts(p[2][1])) for p in pieces):
        raise Stuck("not of this shape")
    f = equations[0][1]
    v = x if all(x not in free(h) for s in facts for h in s.hyps) else fresh("r", goal, [s.concl for s in facts])
    f, pieces = substitute(f, x, v), [substitute(p, x, v) for p in pieces]
    domain = [p for p in pieces if p[0] in (">", ">=", "!=")]
    ends = prover.bounds(v, [hyp(p) for p in domain])
    outside = [e for e, _ in prover.bounds(v, [hyp(p) for p in domain if p[0] == ">"])]
    for low, high in brackets(prover, ends, level(f, v), facts):
        for sign in (1, -1):
            g = f if sign > 0 else neg_term(f)
            try:
                root = root_between(prover, g, v, low, high, facts, outside)
            except (Stuck, KernelError):
                prover.tick()
                continue
            found = parts(hyp(root.concl[2]))
            known = [*facts, *prover.define(low, facts), *prover.define(high, facts), *found]
            equation = apply("combine", ("=", f), (found[-1], *known, *prover.define(f, known)),
                             ((Fraction(sign), ((0, 1),), ()),))
            known.append(equation)
            leaves = [equation]
            for p in pieces:
                if p[0] == "all":
                    leaves.append(prover.solve(p, [*known, *leaves], depth) if p[2][0] != "imp" else
                                  only_root(prover, p, f, v, [*known, *leaves], depth, outside))
                elif p != equation.concl:
                    leaves.append(prover.atom(p, known))
            whole = conjunction(substitute(body, x, v), leaves)
            step = apply("ex_intro", goal, v, whole, ())
            for leaf in found:
                if leaf.concl in step.hyps:
                    step = apply("cut", leaf, step)
            return apply("ex_elim", root, v, step)
    raise Stuck("no bracket for the root")


def only_root(prover: Prover, claim: Node, f: Node, x: str, facts: Facts, depth: int,
              outside: Sequence[Node] = ()) -> Step:
    """For all y in the domain with f(y) = 0: y = x, since f is strictly monotone between them; or, where f has
    another root at an end a ``outside`` the domain, f(x)/(x - a) is."""
    _, y, (_, premise, conclusion) = claim
    assumed = parts(hyp(premise))
    known = [*facts, *assumed]
    gap = minus(y, x)
    three = apply("trichotomy", gap, ())
    cases = []
    fy = substitute(f, x, y)
    zero_y = next(s for s in assumed if s.concl[0] == "=")
    zero_x = next(s for s in facts if s.concl == ("=", f))
    shares = [ONE, *(("^", minus(x, a), MINUS) for a in outside if vanishes(prover, substitute(f, x, a), facts))]
    compared = [(s, substitute(s, x, y), sign) for s in shares for sign in (ONE, MINUS)]
    for case in three.concl[1:]:
        if case[0] == "=":
            cases.append(apply("combine", conclusion, (hyp(case),), ((ONE, ((0, 1),), ()),)))
            continue
        # without the equations, which would make every sample point miss
        plain_facts = [s for s in known if s.concl[0] != "=" or not (free(s.concl) & {x, y})]
        plain_facts += [*prover.conditions_of(known), hyp(case)]
        false = None
        for at_x, at_y, sign in compared:
            difference = minus(("*", at_y, fy), ("*", at_x, f)) if at_x != ONE else minus(fy, f)
            try:
                step = prover.atom((">", difference if sign > 0 else neg_term(difference)), plain_facts, depth)
            except (Stuck, KernelError):
                prover.tick()
                continue
            false = apply("combine", (">", ZERO), (step, zero_y, zero_x, *plain_facts, *prover.define(
                          difference, plain_facts)), ((ONE, ((0, 1),), ()), (("*", -sign, at_y), ((1, 1),), ()),
                                                      (("*", sign, at_x), ((2, 1),), ())))
            break
        if false is None:
            raise Stuck("the function is not seen to be strictly monotone")
        cases.append(apply("absurd", false, conclusion))
    step = apply("or_elim", three, tuple(cases), conclusion)
    for leaf in assumed:
        if leaf.concl in step.hyps and leaf.concl != premise:
            step = apply("cut", leaf, step)
    return apply("all_intro", y, apply("imp_intro", premise, step))


def vanishes(prover: Prover, t: Node, facts: Facts) -> bool:
    """Is the term 0 at the sample points of the facts?"""
    points = prover.points(("=", t), facts) if free(t) else [{}]
    return bool(points) and all(abs(evaluate(t, p)) < 1e-12 for p in points)


def level(f: Node, v: str) -> list[Node]:
    """The parts of f that do not speak of v: the height at which the root lies, and the parameters."""
    from qtheory.proofs.tactics.signed import summands

    fixed = [s for s in summands(f) if v not in free(s) and free(s)]
    whole = [] if not fixed else [fixed[0] if len(fixed) == 1 else ("+", *fixed)]
    return [reduce_term(t) for w in whole for t in (neg_term(w), w)] + sorted(free(f) - {v})


def brackets(prover: Prover, ends: Iterable[tuple[Node, str]], names: Iterable[Node],
             facts: Facts) -> Iterator[tuple[Node, Node]]:
    """Pairs of terms between which the root may be sought: the ends, and points near them or far out."""
    if prover.strategy.bracket is not None:
        yield prover.strategy.bracket
    ends = list(ends)
    lows = [a for a, side in ends if side == "low"]
    highs = [a for a, side in ends if side == "high"]
    # 2 + the height is large where the height is
    positive: list[Node] = []
    for n in names:
        try:
            if not isinstance(n, Fraction) and not (positive and isinstance(n, str)):
                prover.atom((">", n), [*facts, *prover.define(n, facts)], 1)
                positive.append(n)
        except (Stuck, KernelError):
            continue
    big: Node = ("+", Fraction(2), *positive) if positive else Fraction(2)
    far = [("^", big, Fraction(k)) for k in (1, 2, 3)] + [("exp", big)]
    near = [("^", big, Fraction(-k)) for k in (1, 2, 3)] + [("exp", neg_term(big))]
    low_choices: list[Node] = [*lows, *(("+", a, n) for a in lows for n in near)] or \
        [ZERO, *near, *(neg_term(n) for n in far)]
    high_choices: list[Node] = [*highs, *(minus(b, n) for b in highs for n in near)] or \
        [*(("+", a, n) for a in lows for n in far), *far]
    for low in low_choices:
        for high in high_choices:
            yield low, high


def root_between(prover: Prover, f: Node, v: str, low: Node, high: Node, facts: Facts,
                 outside: Sequence[Node] = ()) -> Step:
    """A root of f in [low, high], f negative at low and positive at high; not at an end that is ``outside``."""
    facts = [*facts, *prover.define(low, facts), *prover.define(high, facts)]
    at_low, at_high = neg_term(substitute(f, v, low)), substitute(f, v, high)
    points = prover.points(("=", ZERO), facts)
    if any(evaluate(t, p) == 0 for end, t in ((low, at_low), (high, at_high)) if end in outside for p in points):
        raise Stuck("a root at an end that is left out")
    if any(evaluate(at_low, p) < -1e-9 or evaluate(at_high, p) < -1e-9 or evaluate(low, p) > evaluate(high, p)
           for p in points):
        raise Stuck("no change of sign")
    signs = []
    for end, t in ((low, at_low), (high, at_high)):
        try:
            signs.append(prover.atom((">", t), facts, 2))
        except Stuck:
            if end in outside:
                raise
            signs.append(prover.atom((">=", t), facts, 2))
    order = prover.atom(ge(high, low), facts, 2)
    closed = [*facts, hyp(ge(v, low)), hyp(ge(high, v))]
    domain = apply("defined", f, (*closed, *prover.define(f, closed)))
    return apply("intermediate_value", v, f, low, high, order, domain, *signs)


__all__ = ["existential", "gt"]
