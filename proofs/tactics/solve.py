"""The goal-directed prover: logic by its shape, atoms by ever dearer means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import (
    ONE,
    KernelError,
    Node,
    free,
    substitute,
)
from qtheory.proofs.kernel.theorem import Theorem
from qtheory.proofs.tactics.builder import RELATIONS, Step, Stuck, apply, fresh, hyp, parts
from qtheory.proofs.tactics.cases import Cases, difference_of_variables, in_exponent
from qtheory.proofs.tactics.cleared import Cleared
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.congruence import Congruence
from qtheory.proofs.tactics.curvature import Curvature
from qtheory.proofs.tactics.definedness import Definedness
from qtheory.proofs.tactics.effort import after, spend, spend_again, spent
from qtheory.proofs.tactics.equations import Equations, in_function
from qtheory.proofs.tactics.given import Given
from qtheory.proofs.tactics.instances import Instances, whole_from_floor
from qtheory.proofs.tactics.integrals import Integrals
from qtheory.proofs.tactics.lemmas import Lemmas
from qtheory.proofs.tactics.moments import described, moments, shape
from qtheory.proofs.tactics.monotone import Monotone, free_of_functions
from qtheory.proofs.tactics.numeric import Point, holds_at
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.radicals import Radicals
from qtheory.proofs.tactics.sampling import Sampling
from qtheory.proofs.tactics.simplify import Simplifier
from qtheory.proofs.tactics.strategy import NOTHING, Strategy
from qtheory.proofs.tactics.unrolled import unrolled
from qtheory.proofs.tactics.whole_numbers import WholeNumbers

Facts = Sequence[Step]
Key = tuple[Node, frozenset[int]]  # a goal and its facts


class Prover(Definedness, Equations, Lemmas, Cases, Monotone, Integrals, Given, Instances, Cleared, Curvature,
             Sampling, WholeNumbers, Congruence, Radicals):
    """One search, with a deadline. ``solve(goal, facts)`` gives a step whose hypotheses are those of the facts."""

    deadline: int  # by the clock that counts work

    def __init__(self, seconds: float, told: Strategy = NOTHING) -> None:
        super().__init__()
        self.deadline, self.strategy = int(after(seconds)), told
        self.numbers: dict[Theorem, int] = {}
        self.of_step: dict[Step, int] = {}  # by identity, so that a step's theorem is hashed once
        self.open: list[Key] = []
        self.found: dict[Key, Step] = {}
        self.failed: dict[Key, int] = {}
        self.proved: dict[Node, list[Step]] = {}  # goals, from whatever facts
        self.of_true: dict[Step, dict[Node, None]] = {}
        self.inverses: set[Node] = set()
        self.given: list[Step] = []
        self.labelled: list[tuple[str, Step]] = []  # what the steps of the proof have given
        self.opened: list[Step] = []  # existences whose variables stand for one of what exists
        self.with_given: dict[frozenset[int], list[Step]] = {}
        self.bounds_proved: dict[Node, list[Step]] = {}  # by the value of exp or log
        self.learnt: dict[Node, list[Step]] = {}  # by the lemma's formula
        self.refused: set[Key] = set()  # premises of lemmas
        self.doubtful: set[Node] = set()  # those refused from some facts
        self.pending: set[Node] = set()  # premises whose proof is under way
        self.near: dict[tuple[tuple[Node, ...], frozenset[str]], list[Point]] = {}  # where limits are looked at
        self.integrals: dict[Node, list[Step]] = {}
        self.integral_sides: dict[tuple[Node, Node], tuple[set[frozenset[int]], list[Step]]] = {}
        self.not_elementary: set[tuple[Node, str]] = set()
        self.shorter: dict[Node, list[Step]] = {}
        self.instancing: bool = False
        self.instance_depth = 0  # of universal facts whose premises are instances of universal facts
        self.instanced: dict[tuple[int, Node, frozenset[int]], list[Step]] = {}
        self.quick_cache: dict[Key, Step | None] = {}
        self.combiners: dict[tuple[int, ...], Combiner] = {}
        self.not_combined: set[tuple[Node, frozenset[int], int, bool]] = set()
        self.alone: dict[tuple[Node, frozenset[int], int], int] = {}  # the work in vain without signs of denominators

    def tick(self) -> None:
        if spent() > self.deadline:
            raise Stuck("out of time")

    def number(self, fact: Step) -> int:
        """Equal for steps with the same conclusion and the same hypotheses."""
        if fact not in self.of_step:
            self.of_step[fact] = self.numbers.setdefault(fact.theorem, len(self.numbers))
        return self.of_step[fact]

    def numbered(self, facts: Facts) -> frozenset[int]:
        """The facts as a key for what is derived from them, which rests on their hypotheses too."""
        return frozenset(map(self.number, facts))

    # ---- logic ----

    def solve(self, goal: Node, facts: Facts, depth: int = 6) -> Step:
        """A step for the goal, by its outermost shape; Stuck if none is found."""
        self.tick()
        for f in facts:
            if f.concl == goal:
                return f
        head = goal[0]
        if head in RELATIONS or head in ("isint", "def"):
            found = self.from_universal(goal, facts, facts) if head != "def" else None
            if found is not None:
                return found
            known = self.applied(facts)
            if head == "def":
                return apply("defined", goal[1], (*known, *self.define(goal[1], known)))
            lemmas = [f for f in known[len(facts):] if f.concl[0] == "all"]
            return self.from_universal(goal, known, lemmas) or self.atom(goal, known, depth)
        if head == "and":
            return apply("and_intro", tuple(self.solve(g, facts, depth) for g in goal[1:]))
        if head == "imp":
            assumed = parts(hyp(goal[1]))
            step = self.solve_with(goal[2], assumed, facts, depth)
            return apply("imp_intro", goal[1], step)
        if head in ("all", "ex") and shape(goal) is not None:
            with suppress(Stuck, KernelError):
                return moments(self, goal, facts)
            self.tick()
        if head == "ex" and goal[1].startswith("v") and goal[1].endswith("'"):
            with suppress(Stuck, KernelError):
                return described(self, goal, facts, depth)
            self.tick()
        if head == "all":
            try:
                return self.curvature(goal, facts, depth)
            except (Stuck, KernelError):
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
                cases = [self.impossible(c, goal, [*facts, *others])
                         or self.solve_with(goal, [*parts(hyp(c)), *others], facts, depth) for c in a.concl[1:]]
                cases = [_restore(c, p) for c, p in zip(cases, a.concl[1:], strict=True)]
                return apply("or_elim", a, tuple(cases), goal)
            if a.concl[0] == "ex":
                y = fresh("y", goal, [f.concl for f in (*facts, *assumed)], [h for f in facts for h in f.hyps])
                body = substitute(a.concl[2], a.concl[1], y)
                use = self.solve_with(goal, [*parts(hyp(body)), *others], facts, depth)
                return apply("ex_elim", a, y, _restore(use, body))
        return self.solve(goal, [*facts, *assumed, *whole_from_floor(assumed)], depth)

    def impossible(self, case: Node, goal: Node, facts: Facts) -> Step | None:
        """The goal in the case that a term has no value, where the facts give it one."""
        if case[0] != "undef":
            return None
        try:
            value = apply("defined", case[1], (*facts, *self.define(case[1], facts)))
        except (Stuck, KernelError):
            return None
        return apply("clash", value, hyp(case), goal)

    def universal(self, goal: Node, facts: Facts, depth: int) -> Step:
        _, x, body = goal
        if all(x not in free(h) for f in facts for h in f.hyps):
            return apply("all_intro", x, self.solve(body, [f for f in facts if x not in f.variables], depth))
        y = fresh(x.rstrip("'"), body, [f.concl for f in facts], [h for f in facts for h in f.hyps])
        renamed = substitute(body, x, y)
        step = apply("all_intro", y, self.solve(renamed, facts, depth))
        back = apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ()))
        return apply("cut", step, back)

    def disjunction(self, goal: Node, facts: Facts, depth: int) -> Step:
        points = self.points(goal, facts)
        for part in goal[1:]:
            if part[0] == "undef" or (points and not holds_at(part, points)):
                continue
            try:
                return apply("or_intro", self.solve(part, facts, depth), goal)
            except (Stuck, KernelError):
                self.tick()
        try:
            return self.by_signs(goal, facts)
        except (Stuck, KernelError):
            self.tick()
        if depth > 0 and any(f.concl[0] == "isint" for f in facts):
            try:
                return self.by_remainders(goal, facts, (2, 3, 4), sorted(free(goal)))
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

    # ---- atoms ----

    def quick(self, goal: Node, facts: Facts) -> Step | None:
        """The goal by combination alone, or None."""
        key = (goal, self.numbered(facts))
        if key not in self.quick_cache:
            self.quick_cache[key] = self.proved_before(goal, facts)
            try:
                if goal[0] == "isint":
                    self.quick_cache[key] = self.whole_number(goal, facts)
                elif self.quick_cache[key] is None and not self.seen_false(goal, facts):
                    self.quick_cache[key] = self.combine(goal, facts, 2, with_lemmas=False)
            except (Stuck, KernelError):
                pass
        return self.quick_cache[key]

    def proved_before(self, goal: Node, facts: Facts) -> Step | None:
        """The goal as it was proved from other facts, if that rests on no more than what these rest on."""
        earlier = self.proved.get(goal)
        if earlier is None:
            return None
        assumed = frozenset().union(*(f.hyps for f in facts))
        return next((s for s in earlier if s.hyps <= assumed), None)

    def whole_number(self, goal: Node, facts: Facts) -> Step:
        term = goal[1]
        extra = self.define(term, facts)
        extra += [parts(apply("floor_bounds", s[1], (*facts, *extra)))[0] for s in occurring(term)
                  if isinstance(s, tuple) and s[0] == "floor"]
        try:
            return apply("integral_polynomial", term, (*facts, *extra))
        except KernelError as error:
            raise Stuck(str(error)) from None

    def combine(self, goal: Node, facts: Facts, degree: int, with_lemmas: bool = True) -> Step:
        facts = [*facts, *self.define(goal[1], facts, 1)] if not with_lemmas else list(facts)
        return self.combined(goal, facts, degree, signs=True)

    def combined(self, goal: Node, facts: Facts, degree: int, signs: bool = False) -> Step:
        """The goal as a combination of the facts; ``signs``: and of those of denominators, where no fact tells them.

        What failed before is not tried again.
        """
        step = self.proved_before(goal, facts)
        if step is None:
            step = self.newly_combined(goal, facts, degree, signs)
            self.proved.setdefault(goal, []).append(step)
        return step

    def newly_combined(self, goal: Node, facts: Facts, degree: int, signs: bool) -> Step:
        tried = (goal, self.numbered(facts), degree)
        key = (*tried, signs)
        if key in self.not_combined:
            raise Stuck("no combination of the facts")
        try:
            base = self.combiner(facts)
            combiner = base.forked()
            extra = self.signs_below(goal, combiner) if signs and goal[0] in (">", ">=") else []
            if extra:
                return Combiner([*facts, *extra], base).prove(goal, degree)
            if tried in self.alone:
                spend_again(self.alone[tried])
                raise Stuck("no combination of the facts")
            started = spent()
            try:
                return combiner.prove(goal, degree)
            except (Stuck, KernelError):
                self.alone[tried] = spent() - started
                raise
        except (Stuck, KernelError):
            self.not_combined.add(key)
            raise

    def combiner(self, facts: Facts) -> Combiner:
        """One for the facts, to be forked: most goals are tried with facts that others were tried with before."""
        key = tuple(map(self.number, facts))
        if key not in self.combiners:
            earlier = (self.combiners.get(key[:n]) for n in range(len(key) - 1, 0, -1))
            self.combiners[key] = Combiner(facts, next(filter(None, earlier), None))
        else:
            spend("combiner", len(self.combiners[key].facts))
        return self.combiners[key]

    def signs_below(self, goal: Node, combiner: Combiner) -> list[Step]:
        """The signs of the goal's denominators that no fact tells, so far as the facts give them."""
        return [step for d in combiner.missing(goal[1]) if (step := combiner.told_sign(d)) is not None]

    def atom(self, goal: Node, facts: Facts, depth: int = 3) -> Step:
        """A comparison: by what its terms are, then by ever dearer means."""
        self.tick()
        for f in facts:
            if f.concl == goal:
                return f
        if goal[0] == "isint":
            return self.whole(goal, facts)
        key = (goal, self.numbered(facts))
        if key in self.open:
            raise Stuck("the search runs in a circle")
        if key in self.found:
            return self.found[key]
        if (earlier := self.proved_before(goal, facts)) is not None:
            return earlier
        if self.failed.get(key, -1) >= depth:
            raise Stuck("tried before")
        if goal[0] == "=" and (found := self.differentiated(goal, facts) or self.quick(goal, facts)) is not None:
            return found
        if self.seen_false(goal, facts):
            raise Stuck("false at a sample point")
        self.open.append(key)
        try:
            with suppress(Stuck, KernelError):
                self.found[key] = unrolled(self, goal, facts, depth)
                return self.found[key]
            self.found[key] = self.by_means(goal, facts, depth)
            self.proved.setdefault(goal, []).append(self.found[key])
            return self.found[key]
        except (Stuck, KernelError) as error:
            if spent() < self.deadline:
                self.failed[key] = depth
            raise Stuck(str(error)) from None
        finally:
            self.open.pop()

    def by_means(self, goal: Node, facts: Facts, depth: int) -> Step:
        functions = goal[0] != "=" and bool(free_of_functions(goal[1]))
        # a function that no fact speaks of needs the facts about it, which come below
        found = None if functions and self.spoken_anew(goal, facts) else self.quick(goal, facts)
        if found is not None:
            return found
        if goal[0] == ">=" and depth > 0:
            try:
                return self.rounded(goal, facts, depth)
            except (Stuck, KernelError):
                self.tick()
        if functions:
            try:  # before logarithms of products are taken apart, which loses their tangents
                return self.cheaply(goal, [*facts, *self.define(goal[1], facts)])
            except (Stuck, KernelError):
                self.tick()
        more = self.instances(goal, facts)
        if len(more) > len(facts) and (found := self.quick(goal, more)) is not None:
            return found
        facts = self.inverted(more)
        simple = self.simplified(goal, facts, eliminate=False)
        now, known = (goal[0], simple.current), simple.facts
        try:
            inner = self.cheaply(now, known)
        except (Stuck, KernelError):
            rooted = depth > 1 and goal[0] in (">", ">=") and any(
                f.concl[0] == "=" and any(in_function(f.concl[1], v) for v in free(f.concl[1])) for f in facts)
            gap = self.meeting(goal, facts) if rooted else None
            if gap is not None:
                try:
                    return self.by_cases(gap, goal, facts, depth)
                except (Stuck, KernelError):
                    self.tick()
            changed = self.simplified(goal, facts, eliminate=True) if any(f.concl[0] == "=" for f in facts) else simple
            if changed.current == simple.current:
                inner = self.reduced_goal(now, known, depth, tried=True)
            else:
                try:
                    inner = self.reduced_goal((goal[0], changed.current), changed.facts, depth)
                    simple = changed
                except (Stuck, KernelError):
                    inner = self.reduced_goal(now, known, depth, tried=True)
        if simple.equation is None:
            return inner
        return apply("combine", goal, (inner, simple.equation, *simple.facts),
                     ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))

    def spoken_anew(self, goal: Node, facts: Facts) -> bool:
        """Does the goal, in normal form, hold what none of the facts speaks of: a variable, or a function's value?"""
        base = self.combiner(facts)
        try:
            numerator, _ = base.forked().forms.form(goal[1])
        except KernelError:
            return False
        return any(a >= base.common for m in numerator for a, _ in m)

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
            return self.combined(goal, facts, 1)
        except Stuck:
            return self.combine(goal, facts, 2)

    def reduced_goal(self, goal: Node, facts: Facts, depth: int, tried: bool = False) -> Step:
        """A goal in standard form whose definedness is settled; ``tried``: cheaply, with these facts."""
        if isinstance(goal[1], Fraction):
            raise Stuck("a plain number of the wrong sign")
        facts = self.with_lemmas(goal, facts)
        # again, with what the facts about functions say of functions in turn: that gives no strict sign
        again = not (tried and goal[0] == ">" and free_of_functions(goal[1]))
        means: list[Callable[[], Step]] = [lambda: self.cheaply(goal, facts)] if again else []
        if goal[0] == "=":
            means += [lambda: self.by_radicals(goal, facts)]
        if self.values_of_functions(goal, facts):
            means += [lambda: self.by_congruence(goal, facts)]
        if goal[0] == "=" and any(f.concl[0] == "=" for f in facts):
            means += [lambda: self.by_clearing(goal, facts)]
        if depth > 0 and any(f.concl[0] == "isint" and in_exponent(goal[1], f.concl[1]) for f in facts):
            means += [lambda: self.by_induction(goal, facts, depth)]
        if depth > 0 and goal[0] == ">=" and any(f.concl[0] == "isint" for f in facts):
            means += [lambda: self.by_whole(goal, facts, depth)]
        if goal[0] == "!=" and any(f.concl[0] == "isint" for f in facts):
            means += [lambda: self.unequal_by_remainders(goal, facts)]
        if goal[0] != "=":
            means += [lambda: self.by_factors(goal, facts), lambda: self.by_ball(goal, facts)]
            if goal[0] != "!=" and depth > 1:
                means += [lambda: self.by_contradiction(goal, facts)]
            if depth > 0:
                means += [lambda: self.by_max(goal, facts, depth)]
            if depth > 0 and goal[0] != "!=":
                means += [lambda: self.by_mean_value(goal, facts, depth),
                          lambda: self.by_sign_cases(goal, facts, depth)]
            means += [lambda: self.combine(goal, facts, 3)]
        elif depth > 0:
            means += [lambda: self.by_contradiction(goal, facts)] if difference_of_variables(goal[1]) else []
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


def _restore(step: Step, formula: Node) -> Step:
    """A step that used the conjuncts of a formula as hypotheses, with the formula itself as hypothesis."""
    for leaf in parts(hyp(formula)):
        if leaf.concl in step.hyps and leaf.concl != formula:
            step = apply("cut", leaf, step)
    return step


def prove_statement(statement: Statement, seconds: float, told: Strategy = NOTHING) -> Step:
    """A step whose conclusion is the statement's, from its hypotheses; ``seconds`` of work at most."""
    prover = Prover(seconds, told)
    facts = [hyp(h) for h in statement.hypotheses]
    facts += prover.signed(prover.conditions_of(facts), facts)
    prover.learn(told.lemmas, facts)
    if told.goal is not None:
        prover.only(told.goal.uses)
        step = prover.in_its_way(told.goal, statement.conclusion, facts)
        if step is not None:
            return prover.closed(step, 0)
    return prover.closed(prover.solve_with(statement.conclusion, facts, [], 6), 0)


__all__ = ["Prover", "prove_statement"]
