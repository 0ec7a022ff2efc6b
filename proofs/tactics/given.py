"""The steps of a proof: each proved in its turn, then a fact wherever its premises hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from qtheory.proofs.kernel.terms import KernelError, Node, free, ge
from qtheory.proofs.tactics.applied import applied, consequence
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.cases import by_all_cases
from qtheory.proofs.tactics.conditions import conditions_of, whole_from_floor
from qtheory.proofs.tactics.guidance import Lemma, named
from qtheory.proofs.tactics.induction import by_induction
from qtheory.proofs.tactics.monotone import from_end
from qtheory.proofs.tactics.state import Search


@dataclass
class Lessons:
    """What the steps of the proof have given, by label; existences whose variables stand for one of what exists; and
    the lemmas by their formula."""

    labelled: list[tuple[str, Step]] = field(default_factory=list)
    opened: list[Step] = field(default_factory=list)
    learnt: dict[Node, list[Step]] = field(default_factory=dict)


def learn(search: Search, lemmas: Sequence[Lemma], facts: Facts) -> None:
    """Prove the lemmas in their order, each with the help of those before it."""
    for lemma in lemmas:
        before = list(search.given)
        only(search, lemma.uses)
        if lemma.at:
            search.use([g for g in search.given if serves(search, g, lemma)])
        try:
            taught(search, lemma, facts, before)
        except (Stuck, KernelError) as error:
            if " is not proved: " in str(error) or not lemma.place:
                raise
            raise Stuck(f"{lemma.place}: step {lemma.label} is not proved: {error}") from None


def taught(search: Search, lemma: Lemma, facts: Facts, before: list[Step]) -> None:
    """Prove the lemma, and make what it says ready for use."""
    step = learned_before(search, lemma, facts) or proved_lemma(search, lemma, facts)
    search.use(before)
    moved = {x: f"{x}''" for x in lemma.at}  # all at once: a term may speak of a lemma's variable
    for x, y in moved.items():
        step = apply("instance", step, x, y, ())
    assumed = [] if lemma.where is None else parts(hyp(lemma.where))
    assumed += whole_from_floor(assumed)
    for x, t in lemma.at.items():
        step = apply("instance", step, moved[x], t, tuple(settling(search, t, [*facts, *assumed])))
    step = step if lemma.where is None else apply("imp_intro", lemma.where, step)
    new = usable(search, step, lemma, facts)
    search.own(Lessons).labelled += [(lemma.label, s) for s in new]
    search.use([*before, *new])


def only(search: Search, labels: Sequence[str] | None) -> None:
    """Use the steps of these labels alone."""
    if labels is not None:
        told = [s for label, s in search.own(Lessons).labelled if any(named(x, label) for x in labels)]
        search.use([g for g in search.given if any(g is s for s in told)])


def proved_lemma(search: Search, lemma: Lemma, facts: Facts) -> Step:
    """The lemma proved, with the help of those that serve it alone."""
    opened = len(search.own(Lessons).opened)
    learn(search, lemma.by, assumed(search, lemma, facts))
    step = without_opened(search, lemma_proved(search, lemma, facts), opened)
    if lemma.formula[0] == "imp" and lemma.formula[1] in step.hyps:  # what was opened rests on the premise
        step = apply("imp_intro", lemma.formula[1], apply("imp_elim", step, hyp(lemma.formula[1])))
    search.own(Lessons).learnt.setdefault(lemma.formula, []).append(step)
    return step


def learned_before(search: Search, lemma: Lemma, facts: Facts) -> Step | None:
    """The lemma as it was proved for other terms, if that rests on no more than what holds here, and on nothing
    about the variables that the terms are put for."""
    earlier = search.own(Lessons).learnt.get(lemma.formula, ())
    assumed = frozenset().union(*(f.hyps for f in (*facts, *search.given))) if earlier else frozenset()
    return next((s for s in earlier if s.hyps <= assumed and not any(free(h) & lemma.at.keys() for h in s.hyps)),
                None)


def usable(search: Search, step: Step, lemma: Lemma, facts: Facts) -> list[Step]:
    """The lemma in parts where its premise holds anyway, an existence opened, or else as it is."""
    if step.concl[0] == "ex":
        return open_existence(search, step, facts)
    at_once = lemma.at and lemma.where is None
    return (consequence(search, step, applied(search, facts)) if at_once else []) or [step]


def open_existence(search: Search, step: Step, facts: Facts) -> list[Step]:
    """Let x be one of those that the lemma says to exist, under its own name."""
    if any(step.concl[1] in f.variables for f in (*facts, *search.given)):
        raise Stuck(f"{step.concl[1]} has another meaning outside")
    search.own(Lessons).opened.append(step)
    return parts(hyp(step.concl[2]))


def without_opened(search: Search, step: Step, opened: int) -> Step:
    """A step that speaks of none of what was opened since, from the existences themselves."""
    lessons = search.own(Lessons)
    for existence in reversed(lessons.opened[opened:]):
        for leaf in parts(hyp(existence.concl[2])):
            if leaf.concl in step.hyps and leaf.concl != existence.concl[2]:
                step = apply("cut", leaf, step)
        step = apply("ex_elim", existence, existence.concl[1], step)
    del lessons.opened[opened:]
    return step


def assumed(search: Search, lemma: Lemma, facts: Facts) -> Facts:
    """What the lemmas that serve this one may use: its premise too."""
    if not lemma.by or lemma.formula[0] != "imp":
        return facts
    premise = parts(hyp(lemma.formula[1]))
    return [*facts, *premise, *whole_from_floor(premise), *conditions_of(premise)]


def serves(search: Search, given: Step, lemma: Lemma) -> bool:
    """May it help with a lemma that is to be used at terms?  It speaks of nothing else, and assumes nothing of the
    variables that the terms are put for: of the terms that might be false."""
    return given.variables <= free(lemma.formula) and not any(free(h) & lemma.at.keys() for h in given.hyps)


def settling(search: Search, t: Node, facts: Facts) -> list[Step]:
    """Facts by which the term is defined, from the lemmas only if need be."""
    plain = [*facts, *(p for g in search.given if g.concl[0] != "imp" for p in parts(g))]
    try:
        return [*plain, *search.define(t, plain, 0)]
    except (Stuck, KernelError):
        now = applied(search, facts)
        return [*now, *search.define(t, now)]


def lemma_proved(search: Search, lemma: Lemma, facts: Facts) -> Step:
    """From the facts that speak of its variables only; else from all, unless it is to be used at terms: then
    nothing is known of the variables that the terms are put for."""
    names = free(lemma.formula) - lemma.at.keys()
    for existence in search.own(Lessons).opened:
        if existence.concl[1] in names:
            names |= free(existence.concl)
    near = [f for f in facts if f.variables <= names]
    if lemma.at:  # what rests on something else is of no use to it, and would keep it from being used elsewhere
        near = [f for f in near if f.variables or not any(map(free, f.hyps))]
    told = in_its_way(search, lemma, lemma.formula, near)
    if told is not None:
        return told
    try:
        return search.solve(lemma.formula, near, 5)
    except (Stuck, KernelError):
        if lemma.at:
            raise
        return search.solve(lemma.formula, facts, 5)


def in_its_way(search: Search, how: Lemma, goal: Node, facts: Facts) -> Step | None:
    """The goal in the way that the proof says; None where it says none."""
    if how.along is not None:
        v, end = how.along
        return in_parts(search, goal, facts, lambda g, known: slope_from(search, end, v, g, known))
    if how.cases:
        return in_parts(search, goal, facts, lambda g, known: by_all_cases(
            search, how.cases, g, applied(search, known)))
    if how.induction:
        return in_parts(search, goal, facts, lambda g, known: by_induction(
            search, g, applied(search, known), 5, (how.induction,)), how.induction)
    return None


def in_parts(search: Search, goal: Node, facts: Facts, way: Callable[[Node, Facts], Step],
             over: str = "") -> Step:
    """The goal, each comparison in it proved in this way from what is assumed there; what is said of all, whole where
    it speaks of ``over``, so that an induction may assume it."""
    if goal[0] == "imp":
        assumed = parts(hyp(goal[1]))
        return apply("imp_intro", goal[1], in_parts(search, goal[2], [*facts, *assumed], way, over))
    if goal[0] == "and":
        return apply("and_intro", tuple(in_parts(search, g, facts, way, over) for g in goal[1:]))
    if goal[0] == "all" and over not in free(goal):
        return apply("all_intro", goal[1], in_parts(search, goal[2], facts, way, over))
    return way(goal, facts)


def slope_from(search: Search, end: Node, v: str, goal: Node, facts: Facts) -> Step:
    """A comparison by the mean value theorem in v, from the end of its interval."""
    known = applied(search, facts)
    known += [s for s in search.define(end, known) if s not in known]
    side = "low" if search.quick(ge(v, end), known) is not None else "high"
    return from_end(search, goal[0], goal[1], v, end, side, known, 4, [], between=True)
