"""The goal-directed prover: logic by its shape, atoms by combination, simplification, mean value, cases and balls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.calculus import derivative
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import (
    ONE,
    ZERO,
    KernelError,
    Node,
    evidently_defined,
    free,
    ge,
    gt,
    integer,
    minus,
    neg_term,
    substitute,
    subterms,
)
from qtheory.proofs.kernel.theorem import settled
from qtheory.proofs.tactics.bridge import reduce_term
from qtheory.proofs.tactics.builder import Step, Stuck, apply, attempt, conjunction, fresh, hyp, parts
from qtheory.proofs.tactics.combination import Combiner, poly_term
from qtheory.proofs.tactics.numeric import evaluate, holds, samples
from qtheory.proofs.tactics.simplify import Simplifier, antiderivative, size

Facts = Sequence[Step]
RELATIONS = (">", ">=", "=", "!=")
MAX_LEAVES = 1500


class Prover:
    """One search, with a deadline. ``solve(goal, facts)`` gives a step whose hypotheses are those of the facts."""

    def __init__(self, deadline: float, hint: Mapping[str, Any] | None = None) -> None:
        self.deadline, self.hint = deadline, dict(hint or {})
        self.open: list[tuple[Node, frozenset[Node]]] = []
        self.found: dict[tuple[Node, frozenset[Node]], Step] = {}
        self.failed: dict[tuple[Node, frozenset[Node]], int] = {}
        self.inverses: set[Node] = set()
        self.quick_cache: dict[tuple[Node, frozenset[Node]], Step | None] = {}

    def tick(self) -> None:
        if time.monotonic() > self.deadline:
            raise Stuck("out of time")

    # ---- logic ----

    def solve(self, goal: Node, facts: Facts, depth: int = 6) -> Step:
        """A step for the goal, by its outermost shape; Stuck if none is found."""
        self.tick()
        for f in facts:
            if f.concl == goal:
                return f
        head = goal[0]
        if head in RELATIONS or head == "isint":
            return self.atom(goal, facts, depth)
        if head == "def":
            return apply("defined", goal[1], (*facts, *self.define(goal[1], facts)))
        if head == "and":
            return apply("and_intro", tuple(self.solve(g, facts, depth) for g in goal[1:]))
        if head == "imp":
            assumed = parts(hyp(goal[1]))
            step = self.solve_with(goal[2], assumed, facts, depth)
            return apply("imp_intro", goal[1], step)
        if head == "all":
            return self.universal(goal, facts, depth)
        if head == "or":
            return self.disjunction(goal, facts, depth)
        if head == "ex":
            from qtheory.proofs.tactics.existence import existential

            return existential(self, goal, facts, depth)
        raise Stuck(f"no tactic for {head}")

    def solve_with(self, goal: Node, assumed: list[Step], facts: Facts, depth: int) -> Step:
        """Solve under assumptions; one that is a disjunction or an existence is taken apart first."""
        for i, a in enumerate(assumed):
            others = assumed[:i] + assumed[i + 1:]
            if a.concl[0] == "or":
                cases = [self.solve_with(goal, [*parts(hyp(c)), *others], facts, depth) for c in a.concl[1:]]
                cases = [_restore(c, p) for c, p in zip(cases, a.concl[1:], strict=True)]
                return apply("or_elim", a, tuple(cases), goal)
            if a.concl[0] == "ex":
                y = fresh("y", goal, [f.concl for f in (*facts, *assumed)], [h for f in facts for h in f.hyps])
                body = substitute(a.concl[2], a.concl[1], y)
                use = self.solve_with(goal, [*parts(hyp(body)), *others], facts, depth)
                return apply("ex_elim", a, y, _restore(use, body))
        return self.solve(goal, [*facts, *assumed], depth)

    def universal(self, goal: Node, facts: Facts, depth: int) -> Step:
        _, x, body = goal
        if all(x not in free(h) for f in facts for h in f.hyps):
            return apply("all_intro", x, self.solve(body, [f for f in facts if x not in free(f.concl)], depth))
        y = fresh(x.rstrip("'"), body, [f.concl for f in facts], [h for f in facts for h in f.hyps])
        renamed = substitute(body, x, y)
        step = apply("all_intro", y, self.solve(renamed, facts, depth))
        back = apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ()))
        return apply("cut", step, back)

    def disjunction(self, goal: Node, facts: Facts, depth: int) -> Step:
        points = self.points(goal, facts)
        for part in goal[1:]:
            if part[0] == "undef" or (points and not all(holds(part, p) for p in points)):
                continue
            try:
                return apply("or_intro", self.solve(part, facts, depth), goal)
            except (Stuck, KernelError):
                self.tick()
        if depth > 0 and len(goal) > 2:  # the first part, or its complement, which must give the rest
            first, rest = goal[1], ("or", *goal[2:])
            middle = apply("excluded_middle", first)
            yes = apply("or_intro", hyp(first), goal)
            other = middle.concl[2]
            no = self.solve_with(rest, parts(hyp(other)), facts, depth - 1)
            inner = apply("or_elim", no, tuple(apply("or_intro", hyp(g), goal) for g in goal[2:]), goal)
            return apply("or_elim", middle, (yes, _restore(inner, other)), goal)
        raise Stuck("no part of the disjunction is proved")

    # ---- definedness ----

    def define(self, term: Node, facts: Facts, depth: int = 3) -> list[Step]:
        """New facts that settle the definedness of the term."""
        new: list[Step] = []
        known: set[Node] = set().union(*(evidently_defined(f.concl) for f in facts)) if facts else set()
        concls = {f.concl for f in facts}
        for s in sorted(subterms(term) - known, key=size):
            need = _need(s, concls)
            if need is None:
                continue
            step = self.condition(s, need, [*facts, *new], depth)
            new.append(step)
            concls.add(step.concl)
            known |= evidently_defined(step.concl)
        return new

    def condition(self, s: Node, need: str, facts: Facts, depth: int) -> Step:
        if s in set().union(*(evidently_defined(f.concl) for f in facts), set()):
            return apply("defined", s, tuple(facts))
        if need == "int":
            return self.integral(s, facts)
        if need == "diff":
            simple = Simplifier(self, ZERO, facts)
            found = simple.rewrite_diff(s)
            if found is not None:
                return found[1]
        if need == "sum":
            return self.summable(s, facts)
        if need in ("W", "sum", "diff", "int"):
            raise Stuck(f"{need}: definedness")
        base = s[1]
        for relation in {">": (">",), ">=": (">", ">="), "!=": (">", "!=")}[need]:
            points = self.points((relation, base), facts)
            if points and not all(holds((relation, base), p) for p in points):
                continue
            try:
                return self.atom((relation, base), facts, depth)
            except Stuck:
                self.tick()
        raise Stuck("a subterm may be undefined")

    def summable(self, s: Node, facts: Facts) -> Step:
        """A finite sum of defined terms is defined, by induction over its upper end."""
        _, i, low, high, body = s
        top = fresh("n", s, [f.concl for f in facts], [h for f in facts for h in f.hyps])
        self_facts = list(facts)
        low_int = self.atom(("isint", low), self_facts)
        start = minus(low, ONE)
        first = ("sum", i, low, start, body)
        begin = apply("sum_empty", first, (low_int, *self.define(start, facts)))
        phi = ("def", ("sum", i, low, top, body))
        assumed = [hyp(("isint", top)), hyp(ge(top, start)), hyp(phi)]
        inside = [*self_facts, *assumed, low_int]
        upper = ("+", top, ONE)
        inside.append(self.atom(("isint", upper), inside))
        inside.append(self.atom(ge(upper, low), inside))
        inside += self.define(substitute(body, i, upper), inside)
        back = apply("combine", ("=", minus(top, minus(upper, ONE))), tuple(inside), ())
        z = fresh("z", s, top)
        shifted = apply("rewrite", back, assumed[2], z, ("def", ("sum", i, low, z, body)), top, minus(upper, ONE))
        inside.append(shifted)
        more = apply("sum_last", ("sum", i, low, upper, body), tuple(inside))
        step = apply("defined", ("sum", i, low, upper, body), (more,))
        at_start = apply("defined", first, (begin,))
        whole = self.atom(("isint", start), [*facts, low_int])
        every = apply("induction", top, start, phi, whole, at_start, step)
        high_int = self.atom(("isint", high), facts)
        above = self.atom(ge(high, start), facts)
        there = apply("all_elim", every, high, tuple(facts))
        return apply("imp_elim", there, apply("and_intro", (high_int, above)))

    # ---- atoms ----

    def points(self, goal: Node, facts: Facts) -> list[dict[str, float]]:
        conditions = [f.concl for f in facts if f.concl[0] in (*RELATIONS, "isint")]
        names = free(goal).union(*(free(c) for c in conditions)) if conditions else free(goal)
        # equations make random points useless; then nothing is learnt from sampling
        return samples([c for c in conditions], names, 16) if len(names) <= 12 else []

    def quick(self, goal: Node, facts: Facts) -> Step | None:
        """The goal by combination alone, or None."""
        key = (goal, frozenset(f.concl for f in facts))
        if key not in self.quick_cache:
            try:
                self.quick_cache[key] = self.whole_number(goal, facts) if goal[0] == "isint" else \
                    self.combine(goal, facts, 2, with_lemmas=False)
            except (Stuck, KernelError):
                self.quick_cache[key] = None
        return self.quick_cache[key]

    def whole_number(self, goal: Node, facts: Facts) -> Step:
        term = goal[1]
        extra = self.define(term, facts)
        try:
            return apply("integral_polynomial", term, (*facts, *extra))
        except KernelError as error:
            raise Stuck(str(error)) from None

    def combine(self, goal: Node, facts: Facts, degree: int, with_lemmas: bool = True) -> Step:
        facts = [*facts, *self.define(goal[1], facts, 1)] if not with_lemmas else list(facts)
        combiner = Combiner(facts)
        extra = []
        for d in combiner.missing(goal[1]):
            if goal[0] in ("=", "!="):
                continue
            for t in (d, neg_term(d)):
                try:
                    extra.append(Combiner(facts).prove((">", t), 2))
                    break
                except Stuck:
                    continue
        if extra:
            combiner = Combiner([*facts, *extra])
        return combiner.prove(goal, degree)

    def atom(self, goal: Node, facts: Facts, depth: int = 3) -> Step:
        """A comparison: by what its terms are, then by ever dearer means."""
        self.tick()
        for f in facts:
            if f.concl == goal:
                return f
        if goal[0] == "isint":
            return self.whole_number(goal, facts)
        key = (goal, frozenset(f.concl for f in facts))
        if key in self.open:
            raise Stuck("the search runs in a circle")
        if key in self.found:
            return self.found[key]
        if self.failed.get(key, -1) >= depth:
            raise Stuck("tried before")
        points = self.points(goal, facts)
        if any(not holds(goal, p) for p in points):
            raise Stuck("false at a sample point")
        self.open.append(key)
        try:
            self.found[key] = self.by_means(goal, facts, depth)
            return self.found[key]
        except (Stuck, KernelError) as error:
            if time.monotonic() < self.deadline:
                self.failed[key] = depth
            raise Stuck(str(error)) from None
        finally:
            self.open.pop()

    def by_means(self, goal: Node, facts: Facts, depth: int) -> Step:
        found = self.quick(goal, facts)
        if found is not None:
            return found
        facts = self.inverted(facts)
        simple = self.simplified(goal, facts, eliminate=False)
        now, known = (goal[0], simple.current), simple.facts
        try:
            inner = self.cheaply(now, known)
        except (Stuck, KernelError):
            changed = self.simplified(goal, facts, eliminate=True) if any(f.concl[0] == "=" for f in facts) else simple
            if changed.current == simple.current:
                inner = self.reduced_goal(now, known, depth)
            else:
                try:
                    inner = self.reduced_goal((goal[0], changed.current), changed.facts, depth)
                    simple = changed
                except (Stuck, KernelError):
                    inner = self.reduced_goal(now, known, depth)
        if simple.equation is None:
            return inner
        return apply("combine", goal, (inner, simple.equation, *simple.facts),
                     ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))

    def simplified(self, goal: Node, facts: Facts, eliminate: bool) -> Simplifier:
        simple = Simplifier(self, goal[1], facts)
        if eliminate:
            simple.eliminate()
        simple.run()
        simple.reduce()
        return simple

    def cheaply(self, goal: Node, facts: Facts) -> Step:
        """A goal in standard form by a combination with the facts about its functions."""
        facts = facts if isinstance(goal[1], Fraction) else self.with_lemmas(goal, facts)
        try:
            return Combiner(facts).prove(goal, 1)
        except Stuck:
            return self.combine(goal, facts, 2)

    # ---- equations among the facts ----

    def inverted(self, facts: Facts) -> list[Step]:
        """The facts, and for each e^u = w also u = log w, for each log u = w also u = e^w."""
        out = list(facts)
        for f in facts:
            if f.concl[0] != "=" or f.concl in self.inverses:
                continue
            for s in subterms(f.concl[1]):
                if isinstance(s, tuple) and s[0] in ("exp", "log"):
                    step = self.inverse(f, s, out)
                    if step is not None:
                        out.append(step)
        return out

    def inverse(self, fact: Step, s: Node, facts: list[Step]) -> Step | None:
        value = solve_for(fact.concl[1], s)
        if value is None or free(value) & free(s[1]) or not free(s[1]):
            return None
        other = {"exp": "log", "log": "exp"}[s[0]]
        goal = ("=", minus(s[1], (other, value)))
        if any(f.concl == goal for f in facts):
            return None
        try:
            facts = [*facts, *self.define(value, facts)]
            equal = self.combine(("=", minus(s, value)), facts, 1)
            if s[0] == "exp":
                positive = apply("exp_positive", s[1], tuple(facts))
                moved = apply("rewrite", equal, positive, "z'", (">", "z'"), s, value)
                facts.append(moved)
                undo = apply("log_exp", s[1], tuple(facts))
            else:
                undo = apply("exp_log", s[1], tuple(facts))
            step = apply("rewrite", equal, undo, "z'", ("=", minus((other, "z'"), s[1])), s, value)
            self.inverses.add(goal)
            return apply("combine", goal, (step, *facts), ((-ONE, ((0, 1),), ()),))
        except (Stuck, KernelError):
            return None

    def definitions(self, facts: Facts) -> list[tuple[str, Node, Step]]:
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
                       and (value := solve_for(f.concl[1], v)) is not None and v not in free(value)]
            for _, v, value in sorted(choices, key=lambda c: c[:2])[:3]:
                try:
                    below = [poly_term(forms, dict(d)) for forms in [Forms()] for d in forms.quotient(value)[1]]
                    if any(self.quick((">", d), facts) is None for d in below):
                        continue
                    more = [*facts, *self.define(value, facts, 1)]
                    out.append((v, value, self.combine(("=", minus(v, value)), more, 1)))
                    break
                except (Stuck, KernelError):
                    continue
        return out

    def lambert_values(self, term: Node, facts: list[Step]) -> None:
        """For each W(u) in the term that no fact speaks of: W(u) = v, with v read off the term as an equation."""
        known: set[Node] = set().union(*(evidently_defined(f.concl) for f in facts), set())
        for w in sorted((s for s in subterms(term) - known if isinstance(s, tuple) and s[0] == "W"), key=size):
            values = [self.hint["lambert"]] if "lambert" in self.hint else []
            solved = solve_for(term, w)
            for v in [*values, *([] if solved is None else [solved])]:
                try:
                    more = [*facts, *self.define(v, facts)]
                    equation = self.atom(("=", minus(("*", v, ("exp", v)), w[2])), more)
                    side = self.atom((">=", ("+", v, ONE)) if w[1] == 0 else (">=", neg_term(("+", v, ONE))), more)
                    facts.append(apply("lambert_value", w, v, equation, side))
                    break
                except (Stuck, KernelError):
                    continue

    def reduced_goal(self, goal: Node, facts: Facts, depth: int) -> Step:
        """A goal in standard form whose definedness is settled."""
        if isinstance(goal[1], Fraction):
            raise Stuck("a plain number of the wrong sign")
        facts = self.with_lemmas(goal, facts)
        means: list[Callable[[], Step]] = [lambda: self.cheaply(goal, facts)]
        if depth > 0 and any(f.concl[0] == "isint" and in_exponent(goal[1], f.concl[1]) for f in facts):
            means += [lambda: self.by_induction(goal, facts, depth)]
        if goal[0] != "=":
            means += [lambda: self.by_ball(goal, facts)]
            if goal[0] != "!=" and depth > 1:
                means += [lambda: self.by_contradiction(goal, facts)]
            if depth > 0:
                means += [lambda: self.by_max(goal, facts, depth)]
            if depth > 0 and goal[0] != "!=":
                means += [lambda: self.by_mean_value(goal, facts, depth),
                          lambda: self.by_sign_cases(goal, facts, depth)]
            means += [lambda: self.combine(goal, facts, 3)]
        elif depth > 0:
            means += [lambda: self.by_max(goal, facts, depth), lambda: self.by_two_sides(goal, facts, depth)]
        reasons = []
        for mean in means:
            self.tick()
            try:
                return mean()
            except Stuck as stuck:
                reasons.append(str(stuck))
            except KernelError as error:
                reasons.append(str(error))
        raise Stuck(reasons[0])

    def with_lemmas(self, goal: Node, facts: Facts) -> list[Step]:
        """The facts about the functions that occur: positivity, tangents, bounds."""
        out = list(facts)
        seen: set[Node] = set()
        terms = [goal[1], *(f.concl[1] for f in facts if f.concl[0] in RELATIONS)]
        for s in sorted({s for t in terms for s in subterms(t) if isinstance(s, tuple)}, key=size):
            if s in seen:
                continue
            seen.add(s)
            for step in self.lemmas(s, out):
                out.append(step)
        return out

    def lemmas(self, s: Node, facts: list[Step]) -> Iterator[Step]:
        known = tuple(facts)
        steps: list[Step | None] = []
        if s[0] == "exp":
            steps = [attempt("exp_positive", s[1], known), attempt("exp_above_tangent", s[1], known),
                     self.exp_from_above(s[1], known)]
        elif s[0] == "log":
            steps = [attempt("log_below_tangent", s[1], known), self.log_from_below(s[1], known)]
        elif s[0] == "max":
            steps = [attempt("max_bounds", s[1], s[2], known)]
        elif s[0] == "sqrt":
            steps = [attempt("sqrt_square", s[1], known)]
        elif s[0] == "floor":
            steps = [attempt("floor_bounds", s[1], known)]
        elif s[0] == "W":
            steps = [attempt("lambert_equation", s, known)]
        elif s[0] == "^" and not integer(s[2]):
            steps = [self.power_positive(s, known)]
        for step in steps:
            if step is not None:
                yield from parts(step)

    def exp_from_above(self, u: Node, known: tuple[Step, ...]) -> Step | None:
        """(1 - u) e^u <= 1, from the tangent of e^(-u)."""
        v = neg_term(u)
        tangent = attempt("exp_above_tangent", v, known)
        positive = attempt("exp_positive", u, known)
        split = attempt("exp_sum", u, v, known)
        if tangent is None or positive is None or split is None:
            return None
        zero = attempt("combine", ("=", minus(("+", u, v), ZERO)), known, ())
        if zero is None:
            return None
        one = apply("rewrite", zero, split, "z'", ("=", minus(("exp", "z'"), split.concl[1][2][2])), ("+", u, v), ZERO)
        goal = (">=", minus(ONE, ("*", minus(ONE, u), ("exp", u))))
        return attempt("combine", goal, (tangent, positive, one, apply("exp_zero"), *known),
                       ((ONE, ((0, 1), (1, 1)), ()), (ONE, ((2, 1),), ()), (-ONE, ((3, 1),), ())))

    def log_from_below(self, u: Node, known: tuple[Step, ...]) -> Step | None:
        """log u >= 1 - 1/u, from the tangent of log(1/u)."""
        inverse = ("^", u, Fraction(-1))
        positive = next((f for f in known if f.concl == (">", u)), None)
        if positive is None:
            return None
        above = apply("combine", (">", inverse), (positive,), ((ONE, ((0, -1),), ()),))
        power = attempt("log_power", u, Fraction(-1), (*known, positive))
        tangent = attempt("log_below_tangent", inverse, (above, *known))
        if power is None or tangent is None:
            return None
        goal = (">=", ("+", ("log", u), inverse, Fraction(-1)))
        return attempt("combine", goal, (tangent, power, *known), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))

    def power_positive(self, s: Node, known: tuple[Step, ...]) -> Step | None:
        """a^n > 0 for a > 0 (>= 0 for a >= 0 is not needed so far)."""
        if not any(f.concl == (">", s[1]) for f in known):
            return None
        log = ("*", s[2], ("log", s[1]))
        equal = attempt("power_exp", s[1], s[2], known)
        positive = attempt("exp_positive", log, known)
        if equal is None or positive is None:
            return None
        return attempt("combine", (">", s), (positive, equal, *known), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))

    # ---- dearer means ----

    def by_two_sides(self, goal: Node, facts: Facts, depth: int) -> Step:
        above = self.atom((">=", goal[1]), facts, depth - 1)
        below = self.atom((">=", neg_term(goal[1])), facts, depth - 1)
        return self.equal_from(goal, above, below)

    def equal_from(self, goal: Node, above: Step, below: Step) -> Step:
        """t = 0 from t >= 0 and -t >= 0: neither t > 0 nor -t > 0."""
        t = goal[1]
        three = apply("trichotomy", t, (above,))
        no_plus = apply("absurd", apply("combine", (">", ZERO), (hyp((">", t)), below),
                                        ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))), goal)
        no_minus = apply("absurd", apply("combine", (">", ZERO), (hyp((">", neg_term(t))), above),
                                         ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ()))), goal)
        return apply("or_elim", three, (no_plus, hyp(goal), no_minus), goal)

    def by_max(self, goal: Node, facts: Facts, depth: int) -> Step:
        """Cases on which argument of a maximum is the greater one."""
        done = {h for f in facts for h in f.hyps}
        for s in sorted({s for t in (goal[1], *(f.concl[1] for f in facts if f.concl[0] in RELATIONS))
                         for s in subterms(t) if isinstance(s, tuple) and s[0] == "max"}, key=size):
            gap = minus(s[1], s[2])
            if any(h in done for h in ((">", gap), ("=", gap), (">", neg_term(gap)))):
                continue
            return self.by_cases(gap, goal, facts, depth)
        raise Stuck("no maximum to split")

    def by_cases(self, t: Node, goal: Node, facts: Facts, depth: int) -> Step:
        """Cases on the sign of a term."""
        three = apply("trichotomy", t, (*facts, *self.define(t, facts)))
        cases = []
        for case in three.concl[1:]:
            cases.append(self.case(case, goal, facts, depth - 1))
        return apply("or_elim", three, tuple(cases), goal)

    def case(self, case: Node, goal: Node, facts: Facts, depth: int) -> Step:
        assumed = hyp(case)
        now = [*facts, assumed]
        try:  # the case may be impossible
            return apply("absurd", Combiner(now).contradiction(), goal)
        except Stuck:
            pass
        return self.atom(goal, now, depth)

    def by_contradiction(self, goal: Node, facts: Facts) -> Step:
        """The goal's complement and the facts give 0 > 0."""
        t = goal[1]
        three = apply("trichotomy", t, tuple(facts))
        cases = []
        for case in three.concl[1:]:
            assumed = hyp(case)
            if case[0] == ">" and case[1] == t or case[0] == "=" and goal[0] == ">=":
                cases.append(apply("combine", goal, (assumed,), ((ONE, ((0, 1),), ()),)))
            else:
                cases.append(apply("absurd", Combiner([*facts, assumed]).contradiction(), goal))
        return apply("or_elim", three, tuple(cases), goal)

    def by_sign_cases(self, goal: Node, facts: Facts, depth: int) -> Step:
        """Cases on the sign of a variable, or of a variable minus one, where the facts leave it open."""
        names = sorted(free(goal[1]))
        points = self.points(goal, facts)
        pairs = [minus(v, w) for v in names for w in names if v < w and points
                 and all(abs(evaluate(substitute(goal[1], v, w), p)) < 1e-9 for p in points)]
        for v in [*pairs, *names]:
            for t in (v, minus(v, ONE)) if isinstance(v, str) else (v,):
                if depth < 2 or self.quick((">", t), facts) or self.quick((">", neg_term(t)), facts):
                    continue
                if any(f.concl[1] == t for f in facts if f.concl[0] in RELATIONS and f.concl[0] != "!="):
                    continue
                values = [evaluate(t, p) for p in self.points(goal, facts)]
                if not values or min(values) > 0 or max(values) < 0:
                    continue
                try:
                    return self.by_cases(t, goal, facts, depth - 1)
                except Stuck:
                    self.tick()
        raise Stuck("no sign to split")

    def bounds(self, v: str, facts: Facts) -> list[tuple[Node, str]]:
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

    def by_mean_value(self, goal: Node, facts: Facts, depth: int) -> Step:
        """The sign at one end of an interval, and that of the derivative on it."""
        relation, t = goal
        points = self.points(goal, facts)
        names = sorted(free(t), key=lambda v: (v not in free_of_functions(t), v))
        for v in names:
            ends = self.bounds(v, facts)
            # first the ends at which the goal's term vanishes
            extra = [(c, side) for c in (ZERO, ONE) for side in ("low", "high")
                     if (c, side) not in ends and self.quick(ge(v, c) if side == "low" else ge(c, v), facts)]
            def vanishes(end: tuple[Node, str], v: str = v) -> bool:
                base = substitute(t, v, end[0]) if end[0] != v else t
                return not all(abs(evaluate(base, p)) < 1e-9 for p in points)

            for a, side in sorted(dict.fromkeys([*ends, *extra]), key=vanishes):
                for function, factor in self.shapes(t, facts):
                    self.tick()
                    try:
                        step = self.from_end(relation, function, v, a, side, facts, depth, points)
                        return step if factor is None else self.combine(goal, [*facts, step, *parts(factor)], 2)
                    except (Stuck, KernelError):
                        continue
        raise Stuck("no end of an interval from which the sign follows")

    def shapes(self, t: Node, facts: Facts) -> Iterator[tuple[Node, Step | None]]:
        """t, and t divided by a positive term, where that makes the derivative simpler."""
        yield t, None
        forms = Forms()
        num, den = forms.quotient(t)
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
                    yield ("+", lead, ("*", poly_term(forms, rest), ("^", c, Fraction(-1)))), positive
                    break

    def from_end(self, relation: str, f: Node, v: str, a: Node, side: str, facts: Facts, depth: int,
                 points: list[dict[str, float]]) -> Step:
        """f REL 0 at v, from f at the end a and the slope between."""
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
        slope = derivative(fz, z)
        wanted: Node = slope if rising else neg_term(slope)
        base_relation = ">=" if relation == ">" and strict is not None else relation
        slopes = [r for r in (">", ">=") if r == ">" or relation == ">=" or base_relation == ">"]
        step = None
        for r in slopes:
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
            step = apply("combine", (step.concl[0], wanted_literal), (step, *inside, *self.define(wanted_literal, [*inside, step])),
                         ((ONE, ((0, 1),), ()),))
            change = apply("mean_value", z, neg_term(fz), low, high, order, domain, step)
        else:
            change = apply("mean_value", z, fz, low, high, order, domain, step)
        at_end = self.atom((base_relation, base), facts, depth - 1)
        return apply("combine", (relation, f), (change, at_end, *facts), ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))

    def by_induction(self, goal: Node, facts: Facts, depth: int) -> Step:
        """Over an integer variable with a numeric lower bound that stands in an exponent or at the end of a sum."""
        for v in sorted(free(goal[1])):
            if not any(f.concl == ("isint", v) for f in facts) or not in_exponent(goal[1], v):
                continue
            low = next((a for a, side in self.bounds(v, facts) if side == "low" and isinstance(a, Fraction)), None)
            if low is None or low.denominator != 1:
                continue
            others = [f for f in facts if v not in free(f.concl) and all(v not in free(h) for h in f.hyps)]
            start = self.atom(substitute(goal, v, low), others, depth - 1)
            assumed = [hyp(("isint", v)), hyp(ge(v, low)), hyp(goal)]
            step = self.atom(substitute(goal, v, ("+", v, ONE)), [*others, *assumed], depth - 1)
            whole = apply("integral_polynomial", low, ())
            every = apply("induction", v, low, goal, whole, start, step)
            at_v = apply("all_elim", every, v, ())
            both = conjunction(every.concl[2][1], [self.atom(("isint", v), facts), self.atom(ge(v, low), facts)])
            return apply("imp_elim", at_v, both)
        raise Stuck("no variable for induction")

    def by_ball(self, goal: Node, facts: Facts) -> Step:
        """A box of numeric bounds around the variables, subdivided until each part is decided."""
        if goal[0] not in (">", ">=", "!="):
            raise Stuck("not for balls")
        box: dict[str, tuple[Fraction, Fraction]] = {}
        for v in sorted(free(goal[1])):
            ends = [(a, side) for a, side in self.bounds(v, facts) if isinstance(a, Fraction)]
            lows, highs = [a for a, s in ends if s == "low"], [a for a, s in ends if s == "high"]
            if not lows or not highs:
                raise Stuck(f"{v} has no numeric bounds")
            box[v] = (max(lows), min(highs))
            if box[v][0] > box[v][1]:
                raise Stuck("an empty box")
        bits = 96 if not box else 53
        budget = [MAX_LEAVES]
        tree = self.subdivide(goal, box, bits, budget, 0)
        step = apply("ball", goal, box, tree, bits)
        for x, (low, high) in box.items():
            for bound in (ge(x, low), ge(high, x)):
                step = apply("cut", Combiner(facts).prove(bound, 1), step)
        return step

    def subdivide(self, goal: Node, box: dict[str, tuple[Fraction, Fraction]], bits: int, budget: list[int],
                  depth: int) -> Any:
        self.tick()
        budget[0] -= 1
        if budget[0] < 0 or depth > 40:
            raise Stuck("the box needs too many parts")
        try:
            low, high = enclose(goal[1], box, bits)
            if low > 0 or goal[0] == ">=" and low >= 0 or goal[0] == "!=" and high < 0:
                return None
            if high < 0 and goal[0] != "!=" or low == high:
                raise Stuck("false on the box")
        except KernelError:
            if not box:
                raise Stuck("no enclosure") from None
        if not box:
            raise Stuck("undecided number")
        x = max(box, key=lambda n: box[n][1] - box[n][0])
        low, high = box[x]
        cut = (low + high) / 2
        return (x, cut, self.subdivide(goal, {**box, x: (low, cut)}, bits, budget, depth + 1),
                self.subdivide(goal, {**box, x: (cut, high)}, bits, budget, depth + 1))

    # ---- integrals ----

    def integral(self, term: Node, facts: Facts) -> Step:
        """int_a^b f = F(b) - F(a), with F by SymPy."""
        _, x, a, b, f = term
        facts = [*facts, *self.define(a, facts), *self.define(b, facts)]
        positive = frozenset(v for v in free(term) if self.quick((">", v), facts))
        primitive = antiderivative(f, x, positive)
        try:
            order = self.atom(ge(b, a), facts)
        except Stuck:
            other = ("int", x, b, a, f)
            flipped = self.integral(other, facts)
            return self.flip(term, flipped, facts)
        z = fresh("z", term, primitive, [s.concl for s in facts], [h for s in facts for h in s.hyps])
        fz, pz = substitute(f, x, z), substitute(primitive, x, z)
        closed = [*facts, hyp(ge(z, a)), hyp(ge(b, z))]
        domain = apply("defined", fz, (*closed, *self.define(fz, closed)))
        whole = apply("defined", pz, (*closed, *self.define(pz, closed)))
        inside = [*facts, hyp(gt(z, a)), hyp(gt(b, z))]
        slope = self.atom(("=", minus(derivative(pz, z), fz)), inside)
        named = ("int", z, a, b, fz)
        step = apply("fundamental_theorem", named, pz, order, domain, whole, slope)
        return step if named == term else self.rename(term, x, a, b, f, primitive, facts)

    def rename(self, term: Node, x: str, a: Node, b: Node, f: Node, primitive: Node, facts: Facts) -> Step:
        """The same with the integral's own variable, which must then be free in no fact."""
        if any(x in free(h) for s in facts for h in s.hyps) or x in free(a) | free(b):
            raise Stuck(f"the integration variable {x} has another meaning outside")
        facts = [s for s in facts if x not in free(s.concl)]
        closed = [*facts, hyp(ge(x, a)), hyp(ge(b, x))]
        domain = apply("defined", f, (*closed, *self.define(f, closed)))
        whole = apply("defined", primitive, (*closed, *self.define(primitive, closed)))
        inside = [*facts, hyp(gt(x, a)), hyp(gt(b, x))]
        slope = self.atom(("=", minus(derivative(primitive, x), f)), inside)
        return apply("fundamental_theorem", term, primitive, self.atom(ge(b, a), facts), domain, whole, slope)

    def flip(self, term: Node, flipped: Step, facts: Facts) -> Step:
        turn = apply("integral_flip", term, (flipped, *facts))
        value = neg_term(flipped.concl[1][2][2])
        return apply("combine", ("=", minus(term, value)), (turn, flipped, *facts),
                     ((ONE, ((0, 1),), ()), (-ONE, ((1, 1),), ())))


def _restore(step: Step, formula: Node) -> Step:
    """A step that used the conjuncts of a formula as hypotheses, with the formula itself as hypothesis."""
    for leaf in parts(hyp(formula)):
        if leaf.concl in step.hyps and leaf.concl != formula:
            step = apply("cut", leaf, step)
    return step


def _need(s: Node, concls: set[Node]) -> str | None:
    """What is missing for the operation at the head of s to be defined."""
    if not isinstance(s, tuple) or s[0] in ("+", "*", "exp", "max", "floor", "app"):
        return None
    if s[0] in ("sum", "int", "diff", "W"):
        return str(s[0])
    from qtheory.proofs.kernel.terms import ZERO as zero  # noqa: F401
    from qtheory.proofs.kernel.theorem import holds as kernel_holds
    from qtheory.proofs.kernel.theorem import power_defined

    if s[0] == "log":
        return None if kernel_holds(">", s[1], concls) else ">"
    if s[0] == "sqrt":
        return None if kernel_holds(">=", s[1], concls) or kernel_holds(">", s[1], concls) else ">="
    if power_defined(s[1], s[2], concls):
        return None
    return "!=" if integer(s[2]) else ">"


def free_of_functions(t: Node) -> frozenset[str]:
    """The variables inside exp, log and their kin: those in which a derivative is worth taking."""
    if not isinstance(t, tuple):
        return frozenset()
    if t[0] in ("exp", "log", "sqrt", "W") or (t[0] == "^" and not integer(t[2])):
        return free(t)
    return frozenset().union(*(free_of_functions(c) for c in t[1:] if not isinstance(c, int)))


def solve_for(t: Node, s: Node) -> Node | None:
    """The value of the atom s at which t, linear in it, is zero."""
    forms = Forms()
    num, _ = forms.quotient(t)
    key = forms.quotient(s)[0]
    atom = next(iter(next(iter(key))))[0]
    if any(a == atom and e > 1 for m in num for a, e in m) or not any(a == atom for m in num for a, _ in m):
        return None
    slope = {tuple(p for p in m if p[0] != atom): c for m, c in num.items() if (atom, 1) in m}
    rest = {m: -c for m, c in num.items() if (atom, 1) not in m}
    return reduce_term(("*", poly_term(forms, rest), ("^", poly_term(forms, slope), Fraction(-1))))


def in_function(t: Node, v: str) -> bool:
    """Does v stand inside a function, an exponent or a binder?"""
    if not isinstance(t, tuple):
        return False
    if t[0] in ("+", "*") or t[0] == "^" and integer(t[2]):
        return any(in_function(c, v) for c in t[1:])
    return v in free(t)


def in_exponent(t: Node, v: str) -> bool:
    if not isinstance(t, tuple) or not isinstance(v, str):
        return False
    if t[0] == "^" and v in free(t[2]) or t[0] == "sum" and v in free(t[3]):
        return True
    return any(in_exponent(c, v) for c in t[1:] if isinstance(c, tuple))


def prove_statement(statement: Any, deadline: float, hint: Mapping[str, Any] | None = None) -> Step:
    """A step whose conclusion is the statement's, from its hypotheses."""
    prover = Prover(deadline, hint)
    facts = [hyp(h) for h in statement.hypotheses]
    return prover.solve_with(statement.conclusion, facts, [], 6)


__all__ = ["Prover", "prove_statement", "settled"]
