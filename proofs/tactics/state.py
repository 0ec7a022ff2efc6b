"""One search: its facts, what it keeps, and the work it counts.

The parts of a search put questions to one another without importing who answers: ``solve`` (a formula), ``atom`` (a
comparison), ``define`` (what a term needs to be defined), ``simplified`` (a term in standard form) and, at one point,
``universal``.  ``Prover`` is the table of those who answer, ``Search`` asks and keeps what came of it.  What follows by
combination of the facts alone it finds itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.kernel.theorem import Theorem
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, parts
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.compiled import Place
from qtheory.proofs.tactics.effort import after, left, spend, spend_again, spent
from qtheory.proofs.tactics.guidance import NOTHING, Guidance
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.sampling import Sampling
from qtheory.proofs.tactics.strategy import Strategy, first

if TYPE_CHECKING:  # in annotations alone: a standard form is made by a search
    from qtheory.proofs.tactics.simplify import Simplifier

Key = tuple[Node, frozenset[int]]  # a goal and its facts
Own = TypeVar("Own")
SEEN_FALSE = "seems false at a sample point"  # by rounded numbers


@dataclass(frozen=True)
class Prover:
    """Who answers the questions that the parts of a search put to one another.

    ``formulas``: the strategies by the shape of a formula; ``atoms``: those for a comparison; ``early``: those that
    need no point at which the facts hold; ``plain``: who answers what is simple, if it is another; the others are
    functions.
    """

    formulas: tuple[Strategy, ...]
    early: tuple[Strategy, ...]
    atoms: tuple[Strategy, ...]
    define: Callable[[Search, Node, Facts, int], list[Step]]
    simplified: Callable[[Search, Node, Facts, bool], Simplifier]
    equation: Callable[[Search, Node, Facts], Step | None]  # one that is seen at once
    whole: Callable[[Search, Node, Facts], Step]  # that a term is an integer
    universal: Callable[[Any, Node], Step]  # a universal statement at a point
    plain: Prover | None = None

    def search(self, seconds: float, told: Guidance = NOTHING) -> Search:
        """A search with that many seconds of work."""
        return Search(self, seconds, told)


class Search:
    """One search, with a deadline. ``solve(goal, facts)`` gives a step whose hypotheses are those of the facts."""

    def __init__(self, prover: Prover, seconds: float, told: Guidance = NOTHING) -> None:
        self.prover, self.told = prover, told
        self.deadline = int(after(seconds))  # by the clock that counts work
        self.sampling = Sampling()
        self.given: list[Step] = []  # what the steps of a proof have given
        self.with_given: dict[frozenset[int], list[Step]] = {}  # facts, and what follows with these
        self._numbers: dict[Theorem, int] = {}
        self._of_step: dict[Step, int] = {}  # by identity, so that a step's theorem is hashed once
        self._open: list[Key] = []
        self._found: dict[Key, Step] = {}
        self._failed: dict[Key, int] = {}
        self._proved: dict[Node, list[Step]] = {}  # goals, from whatever facts
        self._quick: dict[Key, Step | None] = {}
        self._combiners: dict[tuple[int, ...], Combiner] = {}
        self._not_combined: set[tuple[Node, frozenset[int], int, bool]] = set()
        self._alone: dict[tuple[Node, frozenset[int], int], int] = {}  # work in vain without signs of denominators
        self._own: dict[type, Any] = {}
        self._plain: Search | None = None

    def own(self, kind: type[Own]) -> Own:
        """What a part of the search keeps for itself, made when it is first asked for."""
        if kind not in self._own:
            self._own[kind] = kind()
        found: Own = self._own[kind]
        return found

    def plainly(self) -> Search:
        """A search for what is simple, with the same deadline."""
        if self.prover.plain is None:
            return self
        if self._plain is None:
            self._plain = self.prover.plain.search(left(self.deadline))
        return self._plain

    def tick(self) -> None:
        """Stuck once the work is spent."""
        if spent() > self.deadline:
            raise Stuck("out of time: a larger budget may decide it")

    # ---- facts ----

    def number(self, fact: Step) -> int:
        """Equal for steps with the same conclusion and the same hypotheses."""
        if fact not in self._of_step:
            self._of_step[fact] = self._numbers.setdefault(fact.theorem, len(self._numbers))
        return self._of_step[fact]

    def numbered(self, facts: Facts) -> frozenset[int]:
        """The facts as a key for what is derived from them, which rests on their hypotheses too."""
        return frozenset(map(self.number, facts))

    def use(self, given: list[Step]) -> None:
        """From here on these are given."""
        self.given = given
        self.with_given.clear()

    def points(self, goal: Node, facts: Facts) -> list[Place]:
        """Points at which the facts hold, of the goal's variables too."""
        return self.sampling.points(goal, facts)

    def seen_false(self, goal: Node, facts: Facts) -> bool:
        """Is the goal false at such a point?"""
        return self.sampling.seen_false(goal, facts, bool(self._open))

    # ---- questions ----

    def solve(self, goal: Node, facts: Facts, depth: int = 6) -> Step:
        """A step for the formula, by its outermost shape; Stuck if none is found."""
        self.tick()
        for f in facts:
            if f.concl == goal:
                return f
        return first(self, self.prover.formulas, goal, facts, depth, lambda reasons: reasons[-1])

    def atom(self, goal: Node, facts: Facts, depth: int = 3) -> Step:
        """A step for the comparison, or for an integer; no goal is looked for twice, or within itself."""
        if self.prover.early:
            try:
                return first(self, self.prover.early, goal, facts, depth)
            except (Stuck, KernelError):
                pass
        self.tick()
        for f in facts:
            if f.concl == goal:
                return f
        if goal[0] == "isint":
            return self.prover.whole(self, goal, facts)
        key = (goal, self.numbered(facts))
        if key in self._open:
            raise Stuck("the search runs in a circle")
        if key in self._found:
            return self._found[key]
        if (earlier := self.proved_before(goal, facts)) is not None:
            return earlier
        if self._failed.get(key, -1) >= depth:
            raise Stuck("tried before")
        if goal[0] == "=" and (found := self.prover.equation(self, goal, facts)
                               or self.quick(goal, facts)) is not None:
            return found
        if self.seen_false(goal, facts):
            raise Stuck(SEEN_FALSE)
        self._open.append(key)
        try:
            self._found[key] = first(self, self.prover.atoms, goal, facts, depth, lambda reasons: reasons[-1])
            self._proved.setdefault(goal, []).append(self._found[key])
            return self._found[key]
        except (Stuck, KernelError) as error:
            if spent() < self.deadline:
                self._failed[key] = depth
            raise Stuck(f"a step on the way {SEEN_FALSE}" if str(error) == SEEN_FALSE else str(error)) from None
        finally:
            self._open.pop()

    def define(self, term: Node, facts: Facts, depth: int = 3) -> list[Step]:
        """New facts that settle the definedness of the term; Stuck where that is not seen."""
        return self.prover.define(self, term, facts, depth)

    def simplified(self, goal: Node, facts: Facts, eliminate: bool) -> Simplifier:
        """The goal's term in standard form; ``eliminate``: without the variables that an equation determines."""
        return self.prover.simplified(self, goal, facts, eliminate)

    # ---- combination of the facts ----

    def quick(self, goal: Node, facts: Facts) -> Step | None:
        """The goal by combination alone, or None."""
        key = (goal, self.numbered(facts))
        if key not in self._quick:
            self._quick[key] = self.proved_before(goal, facts)
            try:
                if goal[0] == "isint":
                    self._quick[key] = self.whole_number(goal, facts)
                elif self._quick[key] is None and not self.seen_false(goal, facts):
                    self._quick[key] = self.combine(goal, [*facts, *self.define(goal[1], facts, 1)], 2)
            except (Stuck, KernelError):
                pass
        return self._quick[key]

    def proved_before(self, goal: Node, facts: Facts) -> Step | None:
        """The goal as it was proved from other facts, if that rests on no more than what these rest on."""
        earlier = self._proved.get(goal)
        if earlier is None:
            return None
        assumed = frozenset().union(*(f.hyps for f in facts))
        return next((s for s in earlier if s.hyps <= assumed), None)

    def whole_number(self, goal: Node, facts: Facts) -> Step:
        """That a polynomial of integers is one."""
        term = goal[1]
        extra = self.define(term, facts)
        extra += [parts(apply("floor_bounds", s[1], (*facts, *extra)))[0] for s in occurring(term)
                  if isinstance(s, tuple) and s[0] == "floor"]
        try:
            return apply("integral_polynomial", term, (*facts, *extra))
        except KernelError as error:
            raise Stuck(str(error)) from None

    def combined(self, goal: Node, facts: Facts, degree: int, signs: bool = False) -> Step:
        """The goal as a combination of the facts; ``signs``: and of those of denominators, where no fact tells them.

        What failed before is not tried again.
        """
        step = self.proved_before(goal, facts)
        if step is None:
            step = self._newly_combined(goal, facts, degree, signs)
            self._proved.setdefault(goal, []).append(step)
        return step

    def combine(self, goal: Node, facts: Facts, degree: int) -> Step:
        """The goal as a combination of the facts and of the signs of denominators that they give."""
        return self.combined(goal, facts, degree, signs=True)

    def _newly_combined(self, goal: Node, facts: Facts, degree: int, signs: bool) -> Step:
        tried = (goal, self.numbered(facts), degree)
        key = (*tried, signs)
        if key in self._not_combined:
            raise Stuck("no combination of the facts")
        try:
            base = self.combiner(facts)
            combiner = base.forked()
            extra = _signs_below(goal, combiner) if signs and goal[0] in (">", ">=") else []
            if extra:
                return Combiner([*facts, *extra], base).prove(goal, degree)
            if tried in self._alone:
                spend_again(self._alone[tried])
                raise Stuck("no combination of the facts")
            started = spent()
            try:
                return combiner.prove(goal, degree)
            except (Stuck, KernelError):
                self._alone[tried] = spent() - started
                raise
        except (Stuck, KernelError):
            self._not_combined.add(key)
            raise

    def combiner(self, facts: Facts) -> Combiner:
        """One for the facts, to be forked: most goals are tried with facts that others were tried with before."""
        key = tuple(map(self.number, facts))
        if key not in self._combiners:
            earlier = (self._combiners.get(key[:n]) for n in range(len(key) - 1, 0, -1))
            self._combiners[key] = Combiner(facts, next(filter(None, earlier), None))
        else:
            spend("combiner", len(self._combiners[key].facts))
        return self._combiners[key]


def _signs_below(goal: Node, combiner: Combiner) -> list[Step]:
    """The signs of the goal's denominators that no fact tells, so far as the facts give them."""
    return [step for d in combiner.missing(goal[1]) if (step := combiner.told_sign(d)) is not None]


__all__ = ["SEEN_FALSE", "Facts", "Prover", "Search"]
