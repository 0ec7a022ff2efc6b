"""What a derivation says of a step besides its standing: on what it waits, when it would hold, what may decide it."""

from __future__ import annotations

from collections.abc import Sequence

from qtheory.proofs import computing
from qtheory.proofs.bundle import names
from qtheory.proofs.context import Context
from qtheory.proofs.decide import STOPPED, decide
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.steps import Step
from qtheory.proofs.suggest import extra_condition
from qtheory.proofs.vacuous import met
from qtheory.proofs.verdict import Verdict

AMBITION = 2.2  # a search plans for this many times the time that it gets: its first round then fills that
LOOK = 0.2  # seconds, at most, for a remark


def waiting(steps: Sequence[Step]) -> str:
    """Of a conditional step: which of the steps that it rests on are not proved."""
    broken = ", ".join(f"({s.label}), which is {s.standing}" for s in steps if not s.proved)
    return f"not proved: it follows from {broken}"


def mended(context: Context, goal: str, refuted: Verdict, seconds: float) -> str:
    """Of a refuted step: that it never holds, or the condition with which it is proved."""
    opposite = computing.opposite(goal, context)
    share = min(LOOK, seconds)
    if opposite is not None and share > 0.02 and settled(context, opposite, share) == "proved":
        return f"it contradicts the assumptions: {opposite} is proved"
    if refuted.certificate is None:
        return ""
    return extra_condition(context.statement(goal, refuted.certificate.data["statement"]["where"]), refuted, share)


def remedy(context: Context, verdict: Verdict, nodes: tuple[Node, ...], budget: float, *, inductive: bool) -> str:
    """What may decide a step whose search was stopped; nothing for other steps. One that is an ``inductive`` step has
    no use for the advice to take it by induction."""
    if not verdict.note.startswith(STOPPED):
        return ""
    about = frozenset().union(*map(names, nodes))
    counted = [n for n in context.units if not inductive and n in about
               and any(c.text == f"{n} in naturals" for c in context.conditions)]
    way = f", and d.induction({counted[0]!r}, ...) goes from {counted[0]} to {counted[0]} + 1" if counted else ""
    return f"qt.derivation(..., budget=...) gives more than {budget:g}{way}"


def base(context: Context, goal: str, n: str, seconds: float) -> str:
    """Of an induction over n that is not proved: whether its base case is."""
    found = settled(context, computing.substituted(goal, {n: "0"}, context), seconds)
    return f"the base case, 0, is {found}" + "; what fails is the induction step" * (found == "proved")


def overlooked(context: Context, verdict: Verdict, seconds: float) -> str:
    """The conditions on other symbols alone, which what is decided leaves out, unless something meets them."""
    if verdict.verdict not in ("proved", "refuted") or verdict.certificate is None:
        return ""
    seen = verdict.certificate.data["statement"]["where"]
    rest = tuple(dict.fromkeys(c.text for c in context.conditions if c.text not in seen))
    if not rest or met(context.statement("0 < 1", rest), seconds):
        return ""
    return f"not looked at, and met by nothing that is known: {', '.join(rest)}"


def settled(context: Context, goal: str, seconds: float) -> str:
    """The verdict on a formula from the context alone."""
    where = context.where(frozenset().union(*map(names, context.goal(goal))))
    return decide(context.statement(goal, where), budget=AMBITION * seconds, patience=seconds).verdict
