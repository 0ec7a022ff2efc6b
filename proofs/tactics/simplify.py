"""Rewriting a term to a standard form, with the proof that it is equal: exponentials and logarithms taken apart,
derivatives and integrals carried out, powers with a symbolic exponent split."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import ONE, ZERO, KernelError, Node, free, ge, integer, minus, substitute
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply, fresh, hyp, transitive, unused
from qtheory.proofs.tactics.cases import by_contradiction, equal_from
from qtheory.proofs.tactics.equations import definitions, lambert_values
from qtheory.proofs.tactics.integrals import integral_value
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term, shortest
from qtheory.proofs.tactics.smooth import smoothed
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import size, swap

MAX_REWRITES = 80
BINDERS = ("diff", "int", "sum")


class Simplifier:
    """Rewrites one term; ``facts`` grows by the conditions that are proved on the way."""

    def __init__(self, search: Search, term: Node, facts: Sequence[Step]) -> None:
        self.search, self.start, self.facts = search, term, list(facts)
        self.current, self.equation = term, None  # type: tuple[Node, Step | None]
        lambert_values(search, term, self.facts)
        self.facts += search.define(term, self.facts)

    def eliminate(self) -> None:
        """Replace each variable that an equation among the facts determines."""
        for variable, value, equation in definitions(self.search, self.facts):
            if variable in free(self.current):
                self.facts += self.search.define(value, self.facts)
                self.use(variable, value, equation)

    def run(self) -> None:
        for equation in [f for f in self.facts if f.concl[0] == "=" and is_value(f.concl[1])]:
            w, value = parts_of_difference(equation.concl[1])
            if w in occurring(self.current) and w not in occurring(value):
                self.use(w, value, equation)
        tried: set[Node] = set()
        for _ in range(MAX_REWRITES):
            opaque = [s for s in occurring(self.current) if isinstance(s, tuple) and s not in tried
                      and (s[0] in BINDERS or (s[0] in FUNCTIONS and FUNCTIONS[s[0]].rewritten is not None))]
            opaque = [s for s in opaque if s[0] != "^" or not integer(s[2])]
            if not opaque:
                return
            target = min(opaque, key=lambda s: (size(s), str(s)))
            tried.add(target)
            try:
                found = self.rewritten(target)
            except (Stuck, KernelError):
                found = None
            if found is not None and found[0] != target:
                self.use(target, *found)
                if target[0] == "sum":  # the last summand of another one may bring it back
                    tried.discard(target)
                if target[0] == "int":  # its value may hold terms that were rewritten before, and other integrals
                    tried = {t for t in tried if t not in occurring(found[0]) and t[0] != "int"}

    def rewritten(self, target: Node) -> tuple[Node, Step] | None:
        """The subterm in standard form, and the equation between the two; None where it is that already."""
        if target[0] in BINDERS:
            return {"diff": self.rewrite_diff, "int": self.rewrite_int, "sum": self.rewrite_sum}[target[0]](target)
        rewritten = FUNCTIONS[target[0]].rewritten
        return None if rewritten is None else rewritten(self, target)

    def reduce(self) -> None:
        """Cancel common factors of the whole term, where the result is defined as well."""
        new = shortest(self.current)
        if new == self.current:
            return
        try:
            more = self.search.define(new, self.facts, 1)
            facts = [*self.facts, *more]
            if self.equation is None:
                self.equation = apply("combine", ("=", minus(self.start, new)), tuple(facts), ())
            else:
                same = apply("combine", ("=", minus(self.current, new)), tuple(facts), ())
                self.equation = transitive(self.equation, same, self.start, new, facts)
        except (Stuck, KernelError):
            return
        self.facts, self.current = facts, new

    def use(self, old: Node, new: Node, equation: Step) -> None:
        if self.equation is None:
            self.equation = apply("combine", ("=", minus(self.start, self.start)), tuple(self.facts), ())
        z = fresh("z", self.start, self.current, old, new)
        template = ("=", minus(self.start, swap(self.current, old, z)))
        self.equation = apply("rewrite", equation, self.equation, z, template, old, new)
        self.current = swap(self.current, old, new)
        self.facts.append(self.equation)

    # each returns (new term, step for old - new = 0) or None

    def formal(self, old: Node, new: Node) -> Step:
        """old = new because they are formally equal and both defined."""
        self.facts += self.search.define(new, self.facts)
        return apply("combine", ("=", minus(old, new)), tuple(self.facts), ())

    def within(self, head: tuple, old: Node, new: Node) -> Step:
        """head(old) = head(new) for formally equal arguments."""
        inner = self.formal(old, new)
        a = (*head, old)
        reflexive = apply("combine", ("=", minus(a, a)), tuple(self.facts), ())
        z = fresh("z", old, new)
        return apply("rewrite", inner, reflexive, z, ("=", minus(a, (*head, z))), old, new)

    def known(self, term: Node) -> tuple[Step, ...]:
        self.facts += self.search.define(term, self.facts)
        return tuple(self.facts)

    def from_both_sides(self, goal: Node, above: Step, facts: Facts) -> Step:
        """t = 0 from t >= 0, by contradiction with t > 0."""
        below = by_contradiction(self.search, (">=", ("*", Fraction(-1), goal[1])), facts)
        return equal_from(self.search, goal, above, below)

    def rewrite_diff(self, term: Node) -> tuple[Node, Step] | None:
        try:
            plain, duties = undiff(term)
        except KernelError:
            return smoothed(self.search, term, self.facts)
        for d in (plain, *duties):
            self.facts += self.search.define(d, self.facts)
        return plain, apply("differentiate", term, tuple(self.facts))

    def rewrite_int(self, term: Node) -> tuple[Node, Step] | None:
        same = self.same_integral(term)
        if same is not None:
            return same
        step = integral_value(self.search, term, self.facts)
        value = next(t for t in parts_of_difference(step.concl[1]) if t != term)
        return value, step

    def same_integral(self, term: Node) -> tuple[Node, Step] | None:
        """One that the term or the facts speak of, with the same ends in shorter words."""
        _, x, a, b, f = term
        others = {s: None for t in (self.start, *(g.concl[1] for g in self.facts if g.concl[0] in RELATIONS))
                  for s in occurring(t) if isinstance(s, tuple) and s[:2] == term[:2] and s[4] == f}
        for other in sorted((s for s in others if size(s) < size(term)), key=size):
            _, _, low, high, _ = other
            if reduce_term(minus(a, low)) == ZERO == reduce_term(minus(b, high)):
                z = fresh("z", term, other)
                step = apply("combine", ("=", minus(term, term)), tuple(self.facts), ())
                for old, new, made in ((a, low, ("int", x, z, b, f)), (b, high, ("int", x, low, z, f))):
                    if old != new:
                        step = apply("rewrite", self.formal(old, new), step, z, ("=", minus(term, made)), old, new)
                return other, step
        return None

    def rewrite_sum(self, term: Node) -> tuple[Node, Step] | None:
        """A sum over a number of places known as a number, written out from its end; or to n + 1, by one place."""
        _, i, low, high, body = term
        end = reduce_term(high)
        if end != high:
            z = fresh("z", term)
            same = apply("combine", ("=", minus(term, term)), tuple(self.facts), ())
            template = ("=", minus(term, ("sum", i, low, z, body)))
            return ("sum", i, low, end, body), apply("rewrite", self.formal(high, end), same, z, template, high, end)
        gap = reduce_term(minus(high, low))
        whole = [self.search.quick(("isint", t), self.facts) for t in (low, high)]
        if any(w is None for w in whole):
            return None
        self.facts += [w for w in whole if w is not None]
        if i not in free(body) and not isinstance(gap, Fraction):
            return self.constant_sum(term)
        if isinstance(gap, Fraction) and gap == -1:
            return ZERO, apply("combine", ("=", minus(term, ZERO)),
                               (apply("sum_empty", term, self.known(high)),), ((ONE, ((0, 1),), ()),))
        forms = Forms()
        shift = forms.quotient(high)[0].get((), ZERO)
        if not (isinstance(gap, Fraction) and 0 <= gap <= 40) and not (shift > 0 and not isinstance(gap, Fraction)):
            return None
        self.facts.append(self.search.atom(ge(high, low), self.facts))
        split = ("+", ("sum", i, low, minus(high, ONE), body), substitute(body, i, high))
        return split, apply("sum_last", term, tuple(self.facts))

    def constant_sum(self, term: Node) -> tuple[Node, Step] | None:
        """A sum of equal summands is their number times one of them, by induction over the upper end."""
        _, i, low, high, body = term
        search = self.search
        start = minus(low, ONE)
        facts = [*self.facts, search.atom(("isint", start), self.facts)]
        n = unused("n", facts, term)

        def value(end: Node) -> Node:
            return ("*", ("+", minus(end, low), ONE), body)

        def phi(end: Node) -> Node:
            return ("=", minus(("sum", i, low, end, body), value(end)))

        empty = apply("sum_empty", ("sum", i, low, start, body), tuple(facts))
        begin = apply("combine", phi(start), (empty, *facts), ((ONE, ((0, 1),), ()),))
        known = [*facts, hyp(("isint", n)), hyp(ge(n, start)), hyp(phi(n))]
        upper: Node = ("+", n, ONE)
        known += [search.atom(("isint", upper), known)]
        known += [search.atom(ge(upper, low), known)]
        z = fresh("z", term, n)
        back = apply("combine", ("=", minus(n, minus(upper, ONE))), tuple(known), ())
        known.append(apply("rewrite", back, hyp(phi(n)), z, phi(z), n, minus(upper, ONE)))
        last = apply("sum_last", ("sum", i, low, upper, body), tuple(known))
        step = apply("combine", phi(upper), (last, known[-1], *known), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
        every = apply("induction", n, start, phi(n), facts[-1], begin, step)
        both = apply("and_intro", (search.atom(("isint", high), facts), search.atom(ge(high, start), facts)))
        return value(high), apply("imp_elim", apply("all_elim", every, high, tuple(facts)), both)

def is_value(term: Node) -> bool:
    """W(u) - v?"""
    return isinstance(term, tuple) and term[0] == "+" and isinstance(term[1], tuple) and term[1][0] == "W" \
        and len(term) == 3 and term == minus(term[1], term[2][2])


def parts_of_difference(term: Node) -> tuple[Node, Node]:
    """(a, b) of minus(a, b)."""
    return term[1], term[2][2]


def simplified(search: Search, goal: Node, facts: Facts, eliminate: bool) -> Simplifier:
    """The goal's term in standard form; ``eliminate``: without the variables that an equation determines."""
    simple = Simplifier(search, goal[1], facts)
    if eliminate:
        simple.eliminate()
    simple.run()
    simple.reduce()
    return simple
