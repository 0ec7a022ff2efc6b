"""A strategy of the search as data, and the dispatcher that tries those which apply, the cheapest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.tactics.builder import Step, Stuck
from qtheory.proofs.tactics.tracing import recording

if TYPE_CHECKING:  # in annotations alone: a search holds strategies
    from qtheory.proofs.tactics.builder import Facts
    from qtheory.proofs.tactics.state import Search


@dataclass(frozen=True)
class Strategy:
    """One way to a goal.

    ``applies(search, goal, facts, depth)``: is it worth a try?  A look, without a search of its own.  ``run`` gives the
    step, or raises Stuck with what is missing.  ``cost`` is its place among those for the same question: the cheap and
    the sure come first.  ``does``, ``example`` (a goal and its conditions that it proves) and ``needs`` are for the
    reader; a test proves each example and finds the strategy in the trace.
    """

    name: str
    cost: int
    run: Callable[[Search, Node, Facts, int], Step]
    applies: Callable[[Search, Node, Facts, int], bool]
    does: str
    example: tuple[str, ...]
    needs: str = ""


def by_cost(*strategies: Strategy) -> tuple[Strategy, ...]:
    return tuple(sorted(strategies, key=lambda s: s.cost))


def first(search: Search, strategies: Sequence[Strategy], goal: Node, facts: Facts, depth: int,
          said: Callable[[list[str]], str] = lambda reasons: reasons[0]) -> Step:
    """The goal by the first strategy that applies and succeeds; Stuck with what is ``said`` of the failures."""
    reasons = []
    trace = recording()
    for strategy in strategies:
        if not strategy.applies(search, goal, facts, depth):
            continue
        search.tick()
        try:
            if trace is None:
                return strategy.run(search, goal, facts, depth)
            with trace.trying(strategy.name, goal):
                return strategy.run(search, goal, facts, depth)
        except (Stuck, KernelError) as error:
            reasons.append(str(error))
        except OverflowError:
            reasons.append("a number beyond the floats")
    raise Stuck(said(reasons) if reasons else f"no strategy for {goal[0]}")


def always(search: Search, goal: Node, facts: Facts, depth: int) -> bool:
    return True


__all__ = ["Strategy", "always", "by_cost", "first"]
