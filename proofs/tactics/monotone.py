"""Tactics: the sign of a function from its value at an end and the sign of its slope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from qtheory.proofs.kernel.calculus import derivative, undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
    ONE,
    ZERO,
    KernelError,
    Node,
    free,
    ge,
    gt,
    integer,
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.bridge import reduce_term
from qtheory.proofs.tactics.builder import Step, Stuck, apply, fresh, hyp, parts
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.given import conclusions
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.signed import poly_term

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]
BEYOND_SIZE = 1500  # more nodes than a slope that is worth trying has


class Monotone:
    """The mean value theorem, from an end of an interval."""

    def bounds(self: Prover, v: str, facts: Facts) -> list[tuple[Node, str]]:
        """Terms a with a < v or a <= v (side "low"), v < a or v <= a ("high"), read off the facts."""
        out: list[tuple[Node, str]] = []
        for f in facts:
            if f.concl[0] not in (">", ">=") or v not in free(f.concl[1]):
                continue
            forms = Forms()
            num, den = forms.quotient(f.concl[1])
            atom = next((i for i, n in enumerate(forms.names) if n == v), None)
            own = ((atom, 1),) if atom is not None else None
            if den or own is None or own not in num:
                continue
            rest = {m: -c / num[own] for m, c in num.items() if m != own}
            end = poly_term(forms, rest)
            if v not in free(end):
                out.append((end, "low" if num[own] > 0 else "high"))
        return out

    def by_mean_value(self: Prover, goal: Node, facts: Facts, depth: int) -> Step:
        """The sign at one end of an interval, and that of the derivative on it."""
        relation, t = goal
        points = self.points(goal, facts)
        found: list[tuple[tuple[bool, bool, int], str, Node, str]] = []
        for v in sorted(free(t)):
            ends = self.bounds(v, facts)
            extra = [(c, side) for c in (ZERO, ONE) for side in ("low", "high")
                     if (c, side) not in ends and self.quick(ge(v, c) if side == "low" else ge(c, v), facts)]
            inside, size = v in free_of_functions(t), slope_size(t, v)
            for a, side in dict.fromkeys([*ends, *extra]):
                base = substitute(t, v, a)
                vanishes = all(abs(evaluate(base, p)) < 1e-9 for p in points)
                found.append(((not inside, not vanishes, size), v, a, side))
        # first the ends at which the goal's term vanishes, and the variables with the simplest slope
        for _, v, a, side in sorted(found, key=lambda c: c[0]):
            for function, factor in self.shapes(t, facts):
                self.tick()
                try:
                    step = self.from_end(relation, function, v, a, side, facts, depth, points)
                    if factor is None:
                        return step
                    if factor.concl[0] == ">":  # the function is t times the factor
                        known = (step, factor, *facts, *self.define(t, facts))
                        return apply("combine", goal, known, ((ONE, ((0, 1), (1, -1)), ()),))
                    return self.combine(goal, [*facts, step, *parts(factor)], 2)
                except (Stuck, KernelError):
                    continue
        raise Stuck("no end of an interval from which the sign follows")

    def shapes(self: Prover, t: Node, facts: Facts) -> Iterator[tuple[Node, Step | None]]:
        """t, and t divided by a positive term, where that makes the derivative simpler."""
        yield t, None
        forms = Forms()
        num, den = forms.quotient(t)
        if len(den) > 1 and (cleared := self.without_divisors(t, forms, den, facts)) is not None:
            yield cleared
        if den and any(isinstance(n, tuple) for n in forms.names):
            for d in Combiner(facts).missing(t):
                found = self.quick((">", d), facts)
                facts = [*facts, found] if found else facts
            if not Combiner(facts).missing(t):
                yield poly_term(forms, num), apply("and_intro", ())
        for index, name in enumerate(forms.names):
            if not isinstance(name, tuple) or name[0] not in ("log", "exp", "W"):
                continue
            coefficient = {tuple((a, e) for a, e in m if a != index): c for m, c in num.items() if (index, 1) in m}
            inside = {forms.names[a] for m in coefficient for a, _ in m}
            if not coefficient or set(coefficient) == {()} or any(isinstance(n, tuple) for n in inside):
                continue
            factor = poly_term(forms, coefficient)
            for sign in (1, -1):
                c = factor if sign > 0 else neg_term(factor)
                positive = self.quick((">", c), facts)
                if positive is not None:
                    rest = {m: a for m, a in num.items() if (index, 1) not in m}
                    lead: Node = name if sign > 0 else neg_term(name)
                    yield ("+", lead, ("*", poly_term(forms, rest), ("^", c, Fraction(-1)))), \
                        apply("and_intro", (positive,))
                    break

    def without_divisors(self: Prover, t: Node, forms: Forms, den: Mapping[Any, int],
                         facts: Facts) -> tuple[Node, Step] | None:
        """t times those of its divisors that hold no function, and their product, which is positive."""
        steps: list[tuple[Step, int]] = []
        for p, e in den.items():
            d = poly_term(forms, dict(p))
            if free_of_functions(d):
                continue
            found = self.quick((">", d), facts) or self.quick((">", neg_term(d)), facts)
            if found is None:
                return None
            steps.append((found, e))
        if not steps:
            return None
        factor: Node = ("*", ONE, *(("^", s.concl[1], Fraction(e)) for s, e in steps))
        positive = apply("combine", (">", factor), (*(s for s, _ in steps), *facts),
                         ((ONE, tuple((i, e) for i, (_, e) in enumerate(steps)), ()),))
        spread = [("*", factor, s) for s in (t[1:] if isinstance(t, tuple) and t[0] == "+" else (t,))]
        whole: Node = ("+", *(reduce_term(s) for s in spread)) if len(spread) > 1 else reduce_term(spread[0])
        return whole, positive

    def from_end(self: Prover, relation: str, f: Node, v: str, a: Node, side: str, facts: Facts, depth: int,
                 points: list[dict[str, float]], between: bool = False) -> Step:
        """f REL 0 at v, from f at the end a and the slope between; ``between``: what the facts say of all values of a
        variable is told of the place between."""
        facts = [*facts, *self.define(f, facts)]
        rising = side == "low"
        base = substitute(f, v, a)
        values = [evaluate(base, p) for p in points]
        if any(x < -1e-7 * max(1.0, abs(x)) for x in values):
            raise Stuck("the end has the wrong sign")
        strict = self.quick(gt(v, a) if rising else gt(a, v), facts)
        order = strict or self.quick(ge(v, a) if rising else ge(a, v), facts)
        if order is None:
            raise Stuck("the variable may lie beyond the end")
        z = fresh("z", f, a, [h for s in facts for h in s.hyps], [s.concl for s in facts])
        low, high = (a, v) if rising else (v, a)
        fz = substitute(f, v, z)
        closed = [*facts, hyp(ge(z, low)), hyp(ge(high, z))]
        domain = apply("defined", fz, (*closed, *self.define(fz, closed)))
        inside = [*facts, hyp(gt(z, low)), hyp(gt(high, z))]
        inside += self.told(z, inside) if between else []
        slope = derivative(fz, z)
        wanted: Node = slope if rising else neg_term(slope)
        base_relation = ">=" if relation == ">" and strict is not None else relation
        slopes = [r for r in (">", ">=") if r == ">" or relation == ">=" or base_relation == ">"]
        slopes = [relation] if between and relation == ">=" else slopes
        step = None
        for r in slopes:
            if between:
                step = self.quick((r, wanted), [s for s in inside if s.variables <= free(wanted)])
                if step is not None:
                    break
            try:
                step = self.atom((r, wanted), inside, depth - 1)
                break
            except Stuck:
                self.tick()
        if step is None:
            raise Stuck("the slope has no sign")
        if not rising:  # the rule speaks of f(b) - f(a): use -f
            domain = apply("defined", neg_term(fz), (domain,))
            wanted_literal = derivative(neg_term(fz), z)
            known = (step, *inside, *self.define(wanted_literal, [*inside, step]))
            step = apply("combine", (step.concl[0], wanted_literal), known, ((ONE, ((0, 1),), ()),))
            change = apply("mean_value", z, neg_term(fz), low, high, order, domain, step)
        else:
            change = apply("mean_value", z, fz, low, high, order, domain, step)
        at_end = self.atom((base_relation, base), facts, depth - 1)
        return apply("combine", (relation, f), (change, at_end, *facts), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))

    def told(self: Prover, z: str, facts: Facts) -> list[Step]:
        """The universal facts about one variable, at z."""
        out: list[Step] = []
        for f in facts:
            for path, _ in conclusions(f.concl) if f.concl[0] == "all" else ():
                with suppress(Stuck, KernelError):
                    out.append(self.instantiated(f, path, {f.concl[1]: z}, facts))
        return out


def slope_size(t: Node, v: str) -> int:
    """Nodes of the derivative, carried out."""
    try:
        return _nodes(reduce_term(undiff(derivative(t, v))[0]))
    except KernelError:
        return BEYOND_SIZE


def _nodes(t: Node) -> int:
    return 1 + sum(_nodes(c) for c in t[1:] if not isinstance(c, int)) if isinstance(t, tuple) else 1


def free_of_functions(t: Node) -> frozenset[str]:
    """The variables inside exp, log and their kin: those in which a derivative is worth taking."""
    if not isinstance(t, tuple):
        return frozenset()
    if t[0] in ("exp", "log", "sqrt", "W") or (t[0] == "^" and not integer(t[2])):
        return free(t)
    return frozenset().union(*(free_of_functions(c) for c in t[1:] if not isinstance(c, int)))
