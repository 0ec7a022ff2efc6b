"""Lemmas that a hint names: proved first, then facts wherever their premises hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.terms import KernelError, Node, children, free
from qtheory.proofs.tactics.builder import Step, Stuck, apply, hyp, parts

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]


@dataclass(frozen=True)
class Lemma:
    """A formula to be proved, and the terms that are then put for some of its free variables, where these terms are
    defined only under a condition."""

    formula: Node
    at: Mapping[str, Node]
    where: Node | None = None


class Given:
    """The hinted lemmas of one search."""

    def learn(self: Prover, facts: Facts) -> None:
        """Prove the hinted lemmas in their order, each with the help of those before it."""
        for lemma in self.hint.get("lemmas", ()):
            step = self.lemma_proved(lemma, facts)
            moved = {x: f"{x}''" for x in lemma.at}  # all at once: a term may speak of a lemma's variable
            for x, y in moved.items():
                step = apply("instance", step, x, y, ())
            assumed = [] if lemma.where is None else parts(hyp(lemma.where))
            for x, t in lemma.at.items():
                now = self.applied([*facts, *assumed])
                step = apply("instance", step, moved[x], t, (*now, *self.define(t, now)))
            self.given.append(step if lemma.where is None else apply("imp_intro", lemma.where, step))
            self.with_given.clear()

    def lemma_proved(self: Prover, lemma: Lemma, facts: Facts) -> Step:
        """From no facts if it is to be used at terms; else from those that speak of its variables only, or all."""
        if lemma.at:
            return self.solve(lemma.formula, [], 5)
        names = free(lemma.formula)
        try:
            return self.solve(lemma.formula, [f for f in facts if free(f.concl) <= names], 5)
        except (Stuck, KernelError):
            return self.solve(lemma.formula, facts, 5)

    def applied(self: Prover, facts: Facts) -> list[Step]:
        """The facts, and the conclusions of those lemmas whose premises they give."""
        key = self.numbered(facts)
        if key not in self.with_given:
            out, self.with_given[key] = list(facts), list(facts)
            for lemma in self.given:
                out += [s for s in self.consequence(lemma, out) if s.concl not in {f.concl for f in out}]
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
        spoken = frozenset().union(*(free(f.concl) for f in facts))
        if not free(formula) <= spoken:
            raise Stuck("nothing is known of a variable")
        found = self.quick(formula, facts) if formula[0] in (">", ">=", "=", "!=", "isint") else None
        return found or self.solve(formula, facts, 1)


    def from_universal(self: Prover, goal: Node, facts: Facts) -> Step | None:
        """The goal as an instance of a universal fact whose premises hold."""
        for f in facts:
            for path, pattern in conclusions(f.concl):
                names = {x for x in path if isinstance(x, str)}
                binding: dict[str, Node] = {}
                if not names or not matches(pattern, goal, names, binding) or binding.keys() != names:
                    continue
                try:
                    return self.instantiated(f, path, binding, facts)
                except (Stuck, KernelError):
                    self.tick()
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
    """Is the term the pattern with terms for the names?  Nothing is put under a binder."""
    if isinstance(pattern, str) and pattern in names:
        return binding.setdefault(pattern, term) == term
    if not isinstance(pattern, tuple) or not isinstance(term, tuple):
        return pattern == term
    if children(pattern)[1] is not None:
        return pattern == term
    return len(pattern) == len(term) and pattern[0] == term[0] and \
        all(matches(p, t, names, binding) if not isinstance(p, int) else p == t
            for p, t in zip(pattern[1:], term[1:], strict=True))


__all__ = ["Given", "Lemma"]
