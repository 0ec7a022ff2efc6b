"""Points at which the facts of a search hold: a goal that is false at one of them does not follow from the facts."""

from __future__ import annotations

from qtheory.proofs.kernel.terms import Node, free
from qtheory.proofs.tactics.builder import Facts, Step
from qtheory.proofs.tactics.compiled import Place
from qtheory.proofs.tactics.numeric import holds, holds_at, laborious, samples
from qtheory.proofs.tactics.solving import solved
from qtheory.proofs.tactics.terms import conjuncts

INEQUALITIES = (">", ">=", "!=", "isint")
ENOUGH = 8  # points, of those that are sought


class Sampling:
    """The conditions on which the facts of one search rest, and points that meet them."""

    def __init__(self) -> None:
        self.sampled: dict[tuple[frozenset[int], frozenset[str]], list[Place]] = {}
        self.not_sampled: list[frozenset[int]] = []  # places of conditions for which no point was found
        self.conditions: list[Node] = []
        self.spoken_of: list[frozenset[str]] = []  # the variables of each condition
        self.places: dict[Node, int] = {}  # of the conditions
        self.of_fact: dict[Step, tuple[int, ...]] = {}
        self.unseen: set[Step] = set()  # what is assumed of all values tells them of integrals

    def points(self, goal: Node, facts: Facts) -> list[Place]:
        """Points at which the facts are true: where their hypotheses are, so far as these are evaluated.

        None for a goal about integrals where the facts have what is assumed of all values tell of integrals.
        """
        if self.unseen_in(facts) and laborious(goal):
            return []
        grounds = dict.fromkeys(i for f in facts for i in self.grounds(f))
        conditions = [self.conditions[i] for i in grounds]
        names = free(goal).union(*(self.spoken_of[i] for i in grounds))
        key = (frozenset(grounds), names)
        if key not in self.sampled:
            if len(names) > 16 or any(few <= key[0] for few in self.not_sampled):
                self.sampled[key] = []
            else:
                self.sampled[key] = self.narrowed(key) or samples(conditions, names, 16, 0, solved(conditions))
                if not self.sampled[key]:
                    self.not_sampled.append(key[0])
        return self.sampled[key]

    def unseen_in(self, facts: Facts) -> bool:
        for f in facts:
            self.grounds(f)
        return any(f in self.unseen for f in facts)

    def narrowed(self, key: tuple[frozenset[int], frozenset[str]]) -> list[Place]:
        """Those among the points of the most of the conditions, of the same variables, at which the others hold too:
        a goal is tried under ever more conditions.  None where these leave only few."""
        grounds, names = key
        earlier = max((k for k, points in self.sampled.items() if points and k[0] <= grounds and k[1] == names),
                      key=lambda k: len(k[0]), default=None)
        if earlier is None:
            return []
        further = [self.conditions[i] for i in sorted(grounds - earlier[0])]
        found = [p for p in self.sampled[earlier] if all(holds(c, p, clearly=True) for c in further)]
        return found if len(found) >= ENOUGH else []

    def grounds(self, fact: Step) -> tuple[int, ...]:
        """The places in ``conditions`` of what makes the fact true: inequalities behind it, or else itself."""
        if fact not in self.of_fact:
            shown = sorted((p for h in fact.hyps for p in conjuncts(h)), key=str)  # in no order that changes
            if any(p[0] not in INEQUALITIES for p in shown):
                # of the equations only the assumed ones: the others follow, and solving them would mislead
                here = fact.concl[0] in INEQUALITIES or (fact.concl[0] == "=" and fact.rule in ("hyp", "and_elim"))
                if here and laborious(fact.concl) and any(p[0] in ("all", "ex") for p in shown):
                    here = False
                    self.unseen.add(fact)
                shown = [fact.concl] if here else []
            for c in shown:
                if c not in self.places:
                    self.places[c] = len(self.conditions)
                    self.conditions.append(c)
                    self.spoken_of.append(free(c))
            self.of_fact[fact] = tuple(self.places[c] for c in shown)
        return self.of_fact[fact]

    def seen_false(self, goal: Node, facts: Facts, within: bool) -> bool:
        """Is the goal false at a point?  What is assumed of all values of a variable is not evaluated there, so that
        it counts for goals alone that stand ``within`` the proof of another one."""
        if not within and any(f.concl[0] == "all" and f.variables & free(goal) for f in facts):
            return False
        return not holds_at(goal, self.points(goal, facts))
