"""Rewriting a term to a standard form, with the proof that it is equal: exponentials and logarithms taken apart,
derivatives and integrals carried out, powers with a symbolic exponent split."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import ONE, ZERO, KernelError, Node, free, ge, integer, minus, substitute
from qtheory.proofs.tactics.bridge import Rational, reduce_term, shortest
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply, fresh, hyp, parts
from qtheory.proofs.tactics.cases import by_contradiction, equal_from
from qtheory.proofs.tactics.equations import definitions, lambert_values
from qtheory.proofs.tactics.instances import floor_of_integer
from qtheory.proofs.tactics.integrals import integral_value
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.smooth import smoothed
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import replace, size

MAX_REWRITES = 80


def transitive(first: Step, second: Step, a: Node, c: Node, facts: Sequence[Step]) -> Step:
    """a = c from a - b = 0 and b - c = 0."""
    return apply("combine", ("=", minus(a, c)), (first, second, *facts),
                 ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))


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
                      and s[0] in ("exp", "log", "diff", "int", "^", "sum", "sqrt", "max", "floor")]
            opaque = [s for s in opaque if s[0] != "^" or not integer(s[2])]
            if not opaque:
                return
            target = min(opaque, key=lambda s: (size(s), str(s)))
            tried.add(target)
            try:
                found = getattr(self, "rewrite_" + ("power" if target[0] == "^" else target[0]))(target)
            except (Stuck, KernelError):
                found = None
            if found is not None and found[0] != target:
                self.use(target, *found)
                if target[0] == "int":  # its value may hold terms that were rewritten before, and other integrals
                    tried = {t for t in tried if t not in occurring(found[0]) and t[0] != "int"}

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
        template = ("=", minus(self.start, replace(self.current, old, z)))
        self.equation = apply("rewrite", equation, self.equation, z, template, old, new)
        self.current = replace(self.current, old, new)
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

    def rewrite_exp(self, term: Node) -> tuple[Node, Step] | None:
        u = term[1]
        v = reduce_term(u)
        if v == ZERO:
            zero = apply("exp_zero")
            same = self.within(("exp",), u, ZERO)
            return ONE, transitive(same, zero, term, ONE, self.facts)
        logs, rest = split_logs(v, self.facts)
        if not logs:
            return self.split_exp(term, u, v)
        pieces: list[Node] = [("*", c, ("log", w)) if c != 1 else ("log", w) for c, w in logs]
        values: list[Node] = [("^", w, c) if c != 1 else w for c, w in logs]
        if rest != ZERO:
            pieces.append(rest)
            values.append(("exp", rest))
        whole = pieces[-1]
        steps = [self.exp_of(pieces[-1], values[-1])]
        value: Node = values[-1]
        for piece, item in zip(reversed(pieces[:-1]), reversed(values[:-1]), strict=True):
            product = apply("exp_sum", piece, whole, self.known(("+", piece, whole)))
            both = ("*", item, value)
            joined = self.chain_product(("exp", ("+", piece, whole)), product, ("exp", piece), item,
                                        self.exp_of(piece, item), ("exp", whole), value, steps[-1])
            whole, value = ("+", piece, whole), both
            steps.append(joined)
        same = self.within(("exp",), u, whole)
        return value, transitive(same, steps[-1], term, value, (*self.facts, steps[-1]))

    def known(self, term: Node) -> tuple[Step, ...]:
        self.facts += self.search.define(term, self.facts)
        return tuple(self.facts)

    def chain_product(self, left: Node, product: Step, a: Node, a2: Node, ea: Step, b: Node, b2: Node,
                      eb: Step) -> Step:
        """left = a b, a = a2, b = b2 give left = a2 b2."""
        steps = (product, ea, eb, *self.known(("*", a2, b2)))
        return apply("combine", ("=", minus(left, ("*", a2, b2))), steps,
                     ((ONE, ((0, 1),), ()), (b, ((1, 1),), ()), (a2, ((2, 1),), ())))

    def exp_of(self, piece: Node, value: Node) -> Step:
        """exp(piece) = value, for a multiple of a logarithm, or anything else left as it is."""
        if value == ("exp", piece):
            return apply("combine", ("=", minus(value, value)), self.known(value), ())
        if piece[0] == "log":
            return apply("exp_log", piece[1], self.known(piece))
        c, log = piece[1], piece[2]
        power = apply("exp_multiple", log, c, self.known(piece))
        base = apply("exp_log", log[1], self.known(log))
        z = fresh("z", piece)
        return apply("rewrite", base, power, z, ("=", minus(("exp", piece), ("^", z, c))), ("exp", log), log[1])

    def split_exp(self, term: Node, u: Node, v: Node) -> tuple[Node, Step] | None:
        """exp(c1 m1 + c2 m2 + ..) as a product of powers of exp(g m), g the common measure of m's coefficients."""
        others = [s[1] for s in occurring(self.current) if isinstance(s, tuple) and s[0] == "exp"]
        if len(others) < 2 and not mostly_negative(v):
            return (("exp", v), self.within(("exp",), u, v)) if v != u else None
        forms = Forms()
        tables = []
        for o in [v, *(reduce_term(o) for o in others)]:
            num, den = forms.quotient(o)
            tables.append((num, den))
        num, den = tables[0]
        pieces: list[tuple[Node, int]] = []
        for m, c in sorted(num.items()):
            measures = [abs(n[m]) for n, d in tables if d == den and m in n]
            g = reduce(lambda a, b: Fraction(gcd(a.numerator * b.denominator, b.numerator * a.denominator),
                                             lcm(1, a.denominator * b.denominator)), measures)
            below = [("^", poly_term(forms, dict(f)), Fraction(-e)) for f, e in den.items()]
            unit = poly_term(forms, {m: g})
            unit = ("*", unit, *below) if below else unit
            pieces.append((reduce_term(unit), int(c / g)))
        if len(others) < 2:
            pieces = [(reduce_term(("*", Fraction(-1), v)), -1)]
        if len(pieces) == 1 and pieces[0][1] == 1:
            return (("exp", v), self.within(("exp",), u, v)) if v != u else None
        whole: Node | None = None
        value: Node = ONE
        step: Step | None = None
        for unit, n in reversed(pieces):
            piece = unit if n == 1 else ("*", Fraction(n), unit)
            item: Node = ("exp", unit) if n == 1 else ("^", ("exp", unit), Fraction(n))
            positive = apply("exp_positive", unit, self.known(unit))
            self.facts.append(positive)
            own = self.exp_of(piece, ("exp", piece)) if n == 1 else \
                apply("exp_multiple", unit, Fraction(n), self.known(unit))
            if whole is None or step is None:
                whole, value, step = piece, item, own
                continue
            product = apply("exp_sum", piece, whole, self.known(("+", piece, whole)))
            step = self.chain_product(("exp", ("+", piece, whole)), product, ("exp", piece), item, own,
                                      ("exp", whole), value, step)
            whole, value = ("+", piece, whole), ("*", item, value)
        if whole is None or step is None:
            return None
        same = self.within(("exp",), u, whole)
        return value, transitive(same, step, term, value, (*self.facts, step))

    def rewrite_log(self, term: Node) -> tuple[Node, Step] | None:
        u = term[1]
        v = reduce_term(u)
        if v == ONE:
            return ZERO, transitive(self.within(("log",), u, ONE), apply("log_one"), term, ZERO, self.facts)
        if isinstance(v, tuple) and v[0] == "exp":
            same = self.within(("log",), u, v)
            return v[1], transitive(same, apply("log_exp", v[1], self.known(v)), term, v[1], self.facts)
        factors = self.factors(v)
        if factors is None:
            return (("log", v), self.within(("log",), u, v)) if v != u else None
        self.facts += [s for w, e in factors if (s := self.search.quick((">", w), self.facts)) is not None]
        value: Node | None = None
        whole: Node = ONE
        step: Step | None = None
        for w, e in reversed(factors):
            item = w if e == 1 else ("^", w, Fraction(e))
            image: Node = ("log", w) if e == 1 else ("*", Fraction(e), ("log", w))
            own = apply("combine", ("=", minus(image, image)), self.known(image), ()) if e == 1 else \
                apply("log_power", w, Fraction(e), self.known(("log", w)))
            if value is None or step is None:
                whole, value, step = item, image, own
                continue
            positive = [self.search.atom((">", t), self.facts) for t in (item, whole)]
            self.facts += positive
            split = apply("log_product", item, whole, self.known(("+", ("log", item), ("log", whole))))
            step = apply("combine", ("=", minus(("log", ("*", item, whole)), ("+", image, value))),
                         (split, own, step, *self.known(("+", image, value))),
                         tuple((ONE, ((i, 1),), ()) for i in range(3)))
            whole, value = ("*", item, whole), ("+", image, value)
        if value is None or step is None:
            return None
        same = self.within(("log",), u, whole)
        return value, transitive(same, step, term, value, (*self.facts, step))

    def factors(self, v: Node) -> list[tuple[Node, int]] | None:
        """v as a product of powers of terms, each provably positive; None if v does not split."""
        forms = Forms()
        num, den = forms.quotient(v)
        content, rows = Rational(forms).split(num, den)
        if len(rows) == 0 or (len(rows) == 1 and rows[0][1] == 1 and content == 1):
            return None
        out: list[tuple[Node, int]] = []
        for p, e in rows:
            w = poly_term(forms, p)
            if self.search.quick((">", w), self.facts) is None:
                w = poly_term(forms, {m: -a for m, a in p.items()})
                if self.search.quick((">", w), self.facts) is None:
                    return None
                content *= -1 if e % 2 else 1
            out.append((w, e))
        if content <= 0:
            return None
        return out + ([(content, 1)] if content != 1 else [])

    def rewrite_max(self, term: Node) -> tuple[Node, Step] | None:
        """max(a, b) = a where a >= b is plain."""
        _, a, b = term
        for first, second in ((a, b), (b, a)):
            order = self.search.quick(ge(first, second), self.facts)
            if order is None:
                continue
            facts = [*self.facts, order, *parts(apply("max_bounds", a, b, self.known(term)))]
            goal = ("=", minus(term, first))
            above = next(f for f in facts if f.concl == ge(term, first))
            below = by_contradiction(self.search, (">=", ("*", Fraction(-1), goal[1])), facts)
            return first, equal_from(self.search, goal, above, below)
        return None

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

    def rewrite_power(self, term: Node) -> tuple[Node, Step] | None:
        _, base, exponent = term
        forms = Forms()
        num, den = forms.quotient(exponent)
        shift = num.get((), ZERO)
        if not den and not num.keys() - {()}:  # a number, but not written as one
            return ("^", base, shift), self.within(("^", base), exponent, shift)
        if not den and shift.denominator == 1 and shift > 0 and len(num) > 1:
            below = poly_term(forms, {**num, (): shift - 1} if shift != 1 else {m: c for m, c in num.items() if m})
            whole = self.search.quick(("isint", below), self.facts)
            if whole is not None:
                self.facts.append(whole)
                step = apply("power_step", base, below, self.known(("^", base, below)))
                same = self.within(("^", base), exponent, ("+", below, ONE))
                value: Node = ("*", ("^", base, below), base)
                return value, transitive(same, step, term, value, self.facts)
        if any(f.concl == ("isint", exponent) for f in self.facts):
            return None
        positive = self.search.quick((">", base), self.facts)
        if positive is None:
            return None
        self.facts.append(positive)
        value = ("exp", ("*", exponent, ("log", base)))
        return value, apply("power_exp", base, exponent, self.known(("+", exponent, ("log", base))))

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
        n = fresh("n", term, [f.concl for f in facts], [h for f in facts for h in f.hyps])

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

    def rewrite_floor(self, term: Node) -> tuple[Node, Step] | None:
        if self.search.quick(("isint", term[1]), self.facts) is None:
            return None
        return term[1], floor_of_integer(self.search, term[1], self.known(term))

    def rewrite_sqrt(self, term: Node) -> tuple[Node, Step] | None:
        v = reduce_term(term[1])
        return (("sqrt", v), self.within(("sqrt",), term[1], v)) if v != term[1] else None


def is_value(term: Node) -> bool:
    """W(u) - v?"""
    return isinstance(term, tuple) and term[0] == "+" and isinstance(term[1], tuple) and term[1][0] == "W" \
        and len(term) == 3 and term == minus(term[1], term[2][2])


def parts_of_difference(term: Node) -> tuple[Node, Node]:
    """(a, b) of minus(a, b)."""
    return term[1], term[2][2]


def mostly_negative(v: Node) -> bool:
    """Is the first coefficient negative, so that exp(-v) is the better atom?"""
    num, _ = Forms().quotient(v)
    first = next((c for m, c in sorted(num.items()) if m), ONE)
    return first < 0


def split_logs(v: Node, facts: Sequence[Step]) -> tuple[list[tuple[Node, Node]], Node]:
    """v = sum of c log(w) + rest, c an integer or a term known to be one."""
    forms = Forms()
    num, den = forms.quotient(v)
    below = [("^", poly_term(forms, dict(f)), Fraction(-e)) for f, e in den.items()]
    whole = {forms.key(f.concl[1]) for f in facts if f.concl[0] == "isint"}
    logs: list[tuple[Node, Node]] = []
    rest = dict(num)
    for index, name in enumerate(list(forms.names)):
        with_log = {m: c for m, c in rest.items() if (index, 1) in m}
        if not isinstance(name, tuple) or name[0] != "log" or not with_log:
            continue
        slope = poly_term(forms, {tuple(p for p in m if p[0] != index): c for m, c in with_log.items()})
        factor = reduce_term(("*", slope, *below)) if below else slope
        polynomial, under = forms.quotient(factor)
        good = not under and all(c.denominator == 1 and all(forms.key(forms.names[a]) in whole for a, _ in m)
                                 for m, c in polynomial.items())
        if good:
            logs.append((factor, name[1]))
            rest = {m: c for m, c in rest.items() if m not in with_log}
    left = poly_term(forms, rest)
    return logs, reduce_term(("*", left, *below)) if below else left


def simplified(search: Search, goal: Node, facts: Facts, eliminate: bool) -> Simplifier:
    """The goal's term in standard form; ``eliminate``: without the variables that an equation determines."""
    simple = Simplifier(search, goal[1], facts)
    if eliminate:
        simple.eliminate()
    simple.run()
    simple.reduce()
    return simple
