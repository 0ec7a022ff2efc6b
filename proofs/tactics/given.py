"""The steps of a proof: each proved in its turn, then a fact wherever its premises hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, children, free, ge, neg_term
from qtheory.proofs.tactics.builder import Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.effort import SECOND, spent
from qtheory.proofs.tactics.instances import whole_from_floor
from qtheory.proofs.tactics.numeric import holds_at
from qtheory.proofs.tactics.strategy import Lemma, named

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]
MAX_INSTANCE_DEPTH = 4
PATIENCE = SECOND // 4  # for a premise
LESS = PATIENCE // 3  # for one that was refused from other facts


class Given:
    """The proof that one search is told."""

    def learn(self: Prover, lemmas: Sequence[Lemma], facts: Facts) -> None:
        """Prove the lemmas in their order, each with the help of those before it."""
        for lemma in lemmas:
            before = list(self.given)
            self.only(lemma.uses)
            if lemma.at:
                self.use([g for g in self.given if self.serves(g, lemma)])
            try:
                self.taught(lemma, facts, before)
            except (Stuck, KernelError) as error:
                if " is not proved: " in str(error) or not lemma.place:
                    raise
                raise Stuck(f"{lemma.place}: step {lemma.label} is not proved: {error}") from None

    def taught(self: Prover, lemma: Lemma, facts: Facts, before: list[Step]) -> None:
        """Prove the lemma, and make what it says ready for use."""
        step = self.learned_before(lemma, facts) or self.learned(lemma, facts)
        self.use(before)
        moved = {x: f"{x}''" for x in lemma.at}  # all at once: a term may speak of a lemma's variable
        for x, y in moved.items():
            step = apply("instance", step, x, y, ())
        assumed = [] if lemma.where is None else parts(hyp(lemma.where))
        assumed += whole_from_floor(assumed)
        for x, t in lemma.at.items():
            step = apply("instance", step, moved[x], t, tuple(self.settling(t, [*facts, *assumed])))
        step = step if lemma.where is None else apply("imp_intro", lemma.where, step)
        new = self.usable(step, lemma, facts)
        self.labelled += [(lemma.label, s) for s in new]
        self.use([*before, *new])

    def only(self: Prover, labels: Sequence[str] | None) -> None:
        """Use the steps of these labels alone."""
        if labels is not None:
            told = [s for label, s in self.labelled if any(named(x, label) for x in labels)]
            self.use([g for g in self.given if any(g is s for s in told)])

    def learned(self: Prover, lemma: Lemma, facts: Facts) -> Step:
        """The lemma proved, with the help of those that serve it alone."""
        opened = len(self.opened)
        self.learn(lemma.by, self.assumed(lemma, facts))
        step = self.closed(self.lemma_proved(lemma, facts), opened)
        if lemma.formula[0] == "imp" and lemma.formula[1] in step.hyps:  # what was opened rests on the premise
            step = apply("imp_intro", lemma.formula[1], apply("imp_elim", step, hyp(lemma.formula[1])))
        self.learnt.setdefault(lemma.formula, []).append(step)
        return step

    def learned_before(self: Prover, lemma: Lemma, facts: Facts) -> Step | None:
        """The lemma as it was proved for other terms, if that rests on no more than what holds here, and on nothing
        about the variables that the terms are put for."""
        earlier = self.learnt.get(lemma.formula, ())
        assumed = frozenset().union(*(f.hyps for f in (*facts, *self.given))) if earlier else frozenset()
        return next((s for s in earlier if s.hyps <= assumed and not any(free(h) & lemma.at.keys() for h in s.hyps)),
                    None)

    def usable(self: Prover, step: Step, lemma: Lemma, facts: Facts) -> list[Step]:
        """The lemma in parts where its premise holds anyway, an existence opened, or else as it is."""
        if step.concl[0] == "ex":
            return self.open_existence(step, facts)
        at_once = lemma.at and lemma.where is None
        return (self.consequence(step, self.applied(facts)) if at_once else []) or [step]

    def open_existence(self: Prover, step: Step, facts: Facts) -> list[Step]:
        """Let x be one of those that the lemma says to exist, under its own name."""
        if any(step.concl[1] in f.variables for f in (*facts, *self.given)):
            raise Stuck(f"{step.concl[1]} has another meaning outside")
        self.opened.append(step)
        return parts(hyp(step.concl[2]))

    def closed(self: Prover, step: Step, opened: int) -> Step:
        """A step that speaks of none of what was opened since, from the existences themselves."""
        for existence in reversed(self.opened[opened:]):
            for leaf in parts(hyp(existence.concl[2])):
                if leaf.concl in step.hyps and leaf.concl != existence.concl[2]:
                    step = apply("cut", leaf, step)
            step = apply("ex_elim", existence, existence.concl[1], step)
        del self.opened[opened:]
        return step

    def assumed(self: Prover, lemma: Lemma, facts: Facts) -> Facts:
        """What the lemmas that serve this one may use: its premise too."""
        if not lemma.by or lemma.formula[0] != "imp":
            return facts
        premise = parts(hyp(lemma.formula[1]))
        return [*facts, *premise, *whole_from_floor(premise), *self.conditions_of(premise)]

    def serves(self: Prover, given: Step, lemma: Lemma) -> bool:
        """May it help with a lemma that is to be used at terms?  It speaks of nothing else, and assumes nothing of the
        variables that the terms are put for: of the terms that might be false."""
        return given.variables <= free(lemma.formula) and not any(free(h) & lemma.at.keys() for h in given.hyps)

    def use(self: Prover, given: list[Step]) -> None:
        self.given = given
        self.with_given.clear()

    def settling(self: Prover, t: Node, facts: Facts) -> list[Step]:
        """Facts by which the term is defined, from the lemmas only if need be."""
        plain = [*facts, *(p for g in self.given if g.concl[0] != "imp" for p in parts(g))]
        try:
            return [*plain, *self.define(t, plain, 0)]
        except (Stuck, KernelError):
            now = self.applied(facts)
            return [*now, *self.define(t, now)]

    def lemma_proved(self: Prover, lemma: Lemma, facts: Facts) -> Step:
        """From the facts that speak of its variables only; else from all, unless it is to be used at terms: then
        nothing is known of the variables that the terms are put for."""
        names = free(lemma.formula) - lemma.at.keys()
        for existence in self.opened:
            if existence.concl[1] in names:
                names |= free(existence.concl)
        near = [f for f in facts if f.variables <= names]
        told = self.in_its_way(lemma, lemma.formula, near)
        if told is not None:
            return told
        try:
            return self.solve(lemma.formula, near, 5)
        except (Stuck, KernelError):
            if lemma.at:
                raise
            return self.solve(lemma.formula, facts, 5)

    def in_its_way(self: Prover, how: Lemma, goal: Node, facts: Facts) -> Step | None:
        """The goal in the way that the proof says; None where it says none."""
        if how.along is not None:
            v, end = how.along
            return self.in_parts(goal, facts, lambda g, known: self.slope_from(end, v, g, known))
        if how.cases:
            return self.in_parts(goal, facts, lambda g, known: self.by_all_cases(how.cases, g, self.applied(known)))
        if how.induction:
            return self.in_parts(goal, facts, lambda g, known: self.by_induction(
                g, self.applied(known), 5, (how.induction,)), how.induction)
        return None

    def in_parts(self: Prover, goal: Node, facts: Facts, way: Callable[[Node, Facts], Step], over: str = "") -> Step:
        """The goal, each comparison in it proved in this way from what is assumed there; what is said of all, whole
        where it speaks of ``over``, so that an induction may assume it."""
        if goal[0] == "imp":
            assumed = parts(hyp(goal[1]))
            return apply("imp_intro", goal[1], self.in_parts(goal[2], [*facts, *assumed], way, over))
        if goal[0] == "and":
            return apply("and_intro", tuple(self.in_parts(g, facts, way, over) for g in goal[1:]))
        if goal[0] == "all" and over not in free(goal):
            return apply("all_intro", goal[1], self.in_parts(goal[2], facts, way, over))
        return way(goal, facts)

    def slope_from(self: Prover, end: Node, v: str, goal: Node, facts: Facts) -> Step:
        """A comparison by the mean value theorem in v, from the end of its interval."""
        known = self.applied(facts)
        known += [s for s in self.define(end, known) if s not in known]
        side = "low" if self.quick(ge(v, end), known) is not None else "high"
        return self.from_end(goal[0], goal[1], v, end, side, known, 4, [], between=True)

    def applied(self: Prover, facts: Facts) -> list[Step]:
        """The facts, and the conclusions of those lemmas whose premises they give."""
        key = self.numbered(facts)
        if key not in self.with_given:
            out, self.with_given[key] = list(facts), list(facts)
            for lemma in self.given:
                found = self.consequence(lemma, out)
                out += [s for s in (*found, *whole_from_floor(found)) if s.concl not in {f.concl for f in out}]
            self.with_given[key] = out
        return self.with_given[key]

    def consequence(self: Prover, step: Step, facts: Facts) -> list[Step]:
        while step.concl[0] == "imp":
            try:
                premise = self.premise(step.concl[1], facts)
            except (Stuck, KernelError):
                self.tick()
                return []
            step = apply("imp_elim", step, premise)
        return parts(step)

    def premise(self: Prover, formula: Node, facts: Facts) -> Step:
        """A premise by combination alone, or cheaply."""
        if formula[0] == "and":
            return apply("and_intro", tuple(self.premise(p, facts) for p in formula[1:]))
        for f in facts:
            if f.concl == formula:
                return f
        spoken = frozenset().union(*(f.variables for f in facts))
        if not free(formula) <= spoken:
            raise Stuck("nothing is known of a variable")
        at_hand = self.literally(formula, facts)  # before points are sought, which may cost much
        if at_hand is not None:
            return at_hand
        points = self.points(formula, facts)
        if not holds_at(formula, points):
            raise Stuck("false at a sample point")
        found = self.quick(formula, facts) if formula[0] in (">", ">=", "=", "!=", "isint") else None
        if found is not None:
            return found
        opposite = {">": ">=", ">=": ">"}.get(formula[0])
        if opposite and not points and self.quick((opposite, neg_term(formula[1])), facts) is not None:
            raise Stuck("false")
        key = (formula, self.numbered(facts))
        if key in self.refused or (formula[0] == "all" and formula in self.pending):
            raise Stuck("tried before")
        deadline = self.deadline  # many premises do not hold: none may take long
        self.deadline = min(deadline, spent() + (LESS if formula in self.doubtful else PATIENCE))
        self.pending.add(formula)  # else a universal premise is sought for its own proof, and so on
        try:
            return self.solve(formula, facts, 1)
        except (Stuck, KernelError):
            self.refused.add(key)
            self.doubtful.add(formula)
            raise
        finally:
            self.pending.discard(formula)
            self.deadline = deadline

    def literally(self: Prover, formula: Node, facts: Facts) -> Step | None:
        """a > b or a >= b where a fact compares just these two, from that fact; Stuck if it says the opposite."""
        if formula[0] not in (">", ">="):
            return None
        here = sides(formula[1])
        for f in facts:
            if f.concl[0] not in (">", ">=", "=") or (there := sides(f.concl[1])) not in (here, here[::-1]):
                continue
            same, equal = there == here, f.concl[0] == "="
            if formula[0] == ">=" and (same or equal):
                return apply("combine", formula, (f, *facts), ((ONE if same else MINUS, ((0, 1),), ()),))
            if equal or (not same and ">" in (formula[0], f.concl[0])):
                raise Stuck("false")
        return None

    def from_universal(self: Prover, goal: Node, facts: Facts, among: Facts) -> Step | None:
        """The goal as an instance of one of these universal facts whose premises hold."""
        for f in among if self.instance_depth < MAX_INSTANCE_DEPTH else ():
            for path, pattern in conclusions(f.concl):
                names = {x for x in path if isinstance(x, str)}
                binding: dict[str, Node] = {}
                if not names or pattern[1] in names or not matches(pattern, goal, names, binding) \
                        or binding.keys() != names:
                    continue  # "x > 0 for all x > a" would ask for x - a > 0, and that for x - 2a > 0
                self.instance_depth += 1
                try:
                    return self.instantiated(f, path, binding, facts)
                except (Stuck, KernelError):
                    self.tick()
                finally:
                    self.instance_depth -= 1
        return None

    def instantiated(self: Prover, step: Step, path: Sequence[str | int | None], binding: Mapping[str, Node],
                     facts: Facts) -> Step:
        for way in path:
            if isinstance(way, int):
                step = apply("and_elim", step, way)
            elif way is None:
                step = apply("imp_elim", step, self.solve(step.concl[1], facts, 2))
            else:
                step = apply("all_elim", step, binding[way], (*facts, *self.define(binding[way], facts)))
        return step


def sides(term: Node) -> tuple[Node, Node]:
    """(a, b) of a - b."""
    if isinstance(term, tuple) and term[0] == "+" and len(term) == 3:
        second = term[2]
        if isinstance(second, tuple) and second[0] == "*" and len(second) == 3 and second[1] == MINUS:
            return term[1], second[2]
    return term, ZERO


Path = tuple["str | int | None", ...]


def conclusions(formula: Node) -> list[tuple[Path, Node]]:
    """What the formula says once variables are replaced and premises met: (the way there, the atom)."""
    if formula[0] == "all":
        return [((formula[1], *path), a) for path, a in conclusions(formula[2])]
    if formula[0] == "imp":
        return [((None, *path), a) for path, a in conclusions(formula[2])]
    if formula[0] == "and":
        return [((i, *path), a) for i, part in enumerate(formula[1:]) for path, a in conclusions(part)]
    return [((), formula)]


def matches(pattern: Node, term: Node, names: set[str], binding: dict[str, Node]) -> bool:
    """Is the term the pattern with terms for the names?  Nothing is put under a binder, but in an integral's ends."""
    if isinstance(pattern, str) and pattern in names:
        return binding.setdefault(pattern, term) == term
    if not isinstance(pattern, tuple) or not isinstance(term, tuple):
        return pattern == term
    outer, bound, inner = children(pattern)
    if bound is not None:
        ends = (("ends", *outer), ("ends", *children(term)[0]))
        if pattern[0] == "int" and not names & free(inner[0]) - {bound}:
            return pattern[0] == term[0] and (bound, inner) == children(term)[1:] and matches(*ends, names, binding)
        return pattern == term
    return len(pattern) == len(term) and pattern[0] == term[0] and \
        all(matches(p, t, names, binding) if not isinstance(p, int) else p == t
            for p, t in zip(pattern[1:], term[1:], strict=True))


__all__ = ["Given"]
