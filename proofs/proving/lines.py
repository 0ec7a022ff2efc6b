"""A proof as data: its steps, and what tells the search where to look. What comes of it is checked by the gate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

Terms = tuple[tuple[str, str], ...]  # names, and the terms that are put for them


@dataclass(frozen=True)
class Limit:
    """That a sum is beyond every level in the end, from what it is near to (``qtheory.proofs.tactics.eventually``)."""

    near: str
    level: str
    through: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """One step: a formula, for all points that meet ``given``, or with terms for some of its variables (``at``), where
    ``where`` holds; and how it is proved.

    ``by`` names the steps and conditions that it may use, by default all before it; ``proof`` are steps that serve it
    alone; ``slope``: by the mean value theorem in a variable, from an end of its interval; ``cases``: in the cases of
    these terms' signs; ``over``: a variable for induction; for the steps of a theorem, ``way``: one of ``WAYS``,
    ``points``: the terms at which its conditions are taken, index by index, and ``limit``: from a limit. A step
    without a formula is what an axiom asks for under its ``label``.  ``concluding``: it needs the axioms' conclusions.
    ``place`` is where it stands.
    """

    formula: str = ""
    by: tuple[str, ...] | None = None
    proof: tuple[Line, ...] = ()
    label: str = ""
    given: tuple[str, ...] = ()
    at: Terms = ()
    where: str = ""
    slope: tuple[str, str] | None = None
    cases: tuple[str, ...] = ()
    way: str = ""
    over: str = ""
    points: tuple[str, ...] = ()
    limit: Limit | None = None
    concluding: bool = False
    place: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """The whole formula."""
        if not self.given:
            return self.formula
        given = self.given[0] if len(self.given) == 1 else f"And({', '.join(self.given)})"
        return f"Implies({given}, {self.formula})"


WAYS = ("index by index", "guard by guard", "first parts of sums", "induction")
Law = tuple[tuple[str, tuple[str, ...]], ...]  # chances, each with what is so with it


@dataclass(frozen=True)
class Rate:
    """Of a limit over ``x``: the error is at most ``constant`` times the distance (1/x at infinity), or its root,
    where the distance is below ``within`` (x beyond it).  With ``less``, of an infinite limit at a point: the value is
    at least ``constant``/distance - ``less``."""

    x: str
    constant: str
    within: str
    less: str = ""
    root: bool = False


@dataclass(frozen=True)
class Order:
    """Of f = O(g) over ``x``: |f| <= ``constant`` |g| within (at infinity beyond) ``within``."""

    x: str
    constant: str
    within: str


@dataclass(frozen=True)
class Proof:
    """Steps, then what the goal needs: terms for what is said to exist, rates of limits, constants of orders,
    functions whose slopes bound an integrand (none: no antiderivative is sought), two terms between which there is a
    root; and ``goal``, what the goal itself is proved by. Then an instance of the conditions, ``values`` of what it
    leaves open, and the steps that show the conditions to be met there; for a chain also the law of its input, or
    ``ways``, what is chosen with such a law, which show that there is a chain, perhaps ``under`` conditions on its
    parameters alone. Of several theorems: ``parts``, a proof each."""

    steps: tuple[Line, ...] = ()
    witness: Terms = ()
    rates: tuple[Rate, ...] = ()
    orders: tuple[Order, ...] = ()
    antiderivatives: tuple[tuple[str, tuple[str, ...]], ...] = ()
    bracket: tuple[str, str] | None = None
    goal: Line = field(default_factory=Line)
    instance: tuple[str, ...] = ()
    law: Law = ()
    ways: tuple[tuple[tuple[str, ...], Law], ...] = ()
    under: tuple[str, ...] = ()
    values: Terms = ()
    met: tuple[Line, ...] = ()
    parts: tuple[Proof, ...] = ()
    name: str = field(default="", compare=False)
    source: str = field(default="", compare=False)

    def __bool__(self) -> bool:
        return self != Proof()

    def texts(self) -> tuple[str, ...]:
        """All texts in it, for those who ask which names it speaks of."""
        put = [t for _, t in self.witness] + [t for r in self.rates for t in (r.constant, r.less, r.within)]
        put += [t for order in self.orders for t in (order.constant, order.within)]
        return (*(t for step in every(self.steps) for t in (step.text, step.where, *(v for _, v in step.at))), *put,
                *self.goal.cases, *(self.bracket or ()), *(t for _, ts in self.antiderivatives for t in ts))


def every(steps: tuple[Line, ...]) -> Iterator[Line]:
    """The steps, each with those of its own proof."""
    for step in steps:
        yield step
        yield from every(step.proof)


def rewritten(value: Any, old: str, new: str) -> Any:
    """The value with one text for another wherever it stands in it: in a text, a mapping, a tuple or a data class."""
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, Mapping):
        out = {rewritten(k, old, new): rewritten(v, old, new) for k, v in value.items()}
        if len(out) < len(value):
            raise ValueError(f"with {new} for {old} two names become one")
        return out
    if isinstance(value, tuple):
        return tuple(rewritten(v, old, new) for v in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: rewritten(getattr(value, f.name), old, new) for f in fields(value)})
    return value


def since(*steps: str | Line) -> tuple[Line, ...]:
    """Steps, of which formulas alone may be written as such."""
    return tuple(Line(step) if isinstance(step, str) else step for step in steps)


def named(steps: Mapping[str, Line]) -> tuple[Line, ...]:
    """Steps with their labels."""
    return tuple(replace(step, label=label) for label, step in steps.items())


__all__ = ["WAYS", "Limit", "Line", "Order", "Proof", "Rate", "every", "named", "rewritten", "since"]
