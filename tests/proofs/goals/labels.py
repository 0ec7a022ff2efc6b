"""Is a goal's label right?  True ones at seeded points of their domain, false ones at a stated or searched witness."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import mpmath
from mpmath import mp

from . import points
from .loading import SEED, Goal
from .numbers_of import DIGITS, Look
from .terms import Env, Undefined, Unsure, names_in, parsed

POINTS, SPARE = 40, 10  # of a true goal's domain
SEARCHED = 1_500


def free_of(goal: Goal) -> set[str]:
    """The free variables of a goal and its conditions."""
    look = Look(goal.let)
    texts = [goal.goal, *(c for c in goal.where if " in " not in c)]
    names = {name for text in texts for name in names_in(parsed(text)) - bound(text)}
    return (names | points.families(goal.where).keys()) - look.let.keys() - {"oo"}


def bound(text: str) -> set[str]:
    """Names that a text binds; none of the goals has one of them free as well."""
    found: set[str] = set()
    for call in (n for n in ast.walk(parsed(text)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)):
        name, arguments = call.func.id, call.args  # type: ignore[attr-defined]
        if name in ("Sum", "Integral", "E", "Var", "Pr"):
            found.add(arguments[1].elts[0].id)  # type: ignore[attr-defined]
        elif name in ("ForAll", "Exists", "ExistsUnique"):
            found.add(arguments[0].id)  # type: ignore[attr-defined]
        elif name in ("limit", "SequenceLimit") or name.endswith(("creasing", "onvex", "oncave")):
            found.add(arguments[1].id)  # type: ignore[attr-defined]
        elif name == "BigO":
            found.add(arguments[2].id)  # type: ignore[attr-defined]
    return found


def places(goal: Goal, count: int) -> Iterator[Env]:
    """Different points of the goal's domain, up to that many."""
    free, seen = free_of(goal), set[frozenset[Any]]()
    if not free:
        yield {}
        return
    edges = not any(word in goal.text for word in points.HEAVY)
    for env in points.domain(Look(goal.let, False), goal.where, free, 40 * count, f"{SEED} {goal.text}", edges):
        if (key := frozenset(env.items())) not in seen:
            seen.add(key)
            yield env
            if len(seen) == count:
                return


def says(goal: Goal, env: Env, ties: bool | None = None) -> bool | None:
    """The goal at the point; None where the numbers do not tell."""
    try:
        return Look(goal.let, ties).truth(parsed(goal.goal), env)
    except Undefined:
        return False
    except (Unsure, mpmath.libmp.NoConvergence, OverflowError):
        return None


def at(goal: Goal, witness: dict[str, str]) -> Env:
    return {x: Look().value(parsed(term), {}) for x, term in witness.items()}


def problems(goal: Goal) -> Iterator[str]:
    """What speaks against the goal's label; nothing, if it is right."""
    with mp.workdps(DIGITS):
        if goal.true:
            found = list(places(goal, POINTS + SPARE))
            answers = [says(goal, env) for env in found]
            for env, answer in zip(found, answers, strict=True):
                if answer is False:
                    yield f"{goal.id} is false at {shown(env)}"
            if answers.count(True) < (POINTS if free_of(goal) else 1):
                yield f"{goal.id}: decided at {answers.count(True)} of {len(found)} points"
            return
        env = at(goal, goal.witness)
        if env.keys() != free_of(goal):
            yield f"{goal.id}: a witness names each free variable, no other"
        elif not points.holds_all(Look(goal.let), points.conditions(goal.where), points.families(goal.where), env):
            yield f"{goal.id}: the witness does not meet the conditions"
        elif says(goal, env, False) is not False:
            yield f"{goal.id} is true at its witness"


def searched(goal: Goal) -> dict[str, str] | None:
    """A witness of a false goal, if the numbers show one."""
    with mp.workdps(DIGITS):
        for env in places(goal, SEARCHED if len(free_of(goal)) > 1 else SEARCHED // 5):
            if says(goal, env) is False:
                return shown(env)
    return None


def shown(env: Env) -> dict[str, str]:
    return {x: simple(v) for x, v in env.items()}


def simple(v: Any) -> str:
    """A number as a term: a fraction where it is a simple one, else its decimals."""
    for bottom in (1, 20, 100, 1000):
        top = mp.nint(v * bottom)
        if abs(v * bottom - top) < mp.mpf(10) ** -60:
            return f"{int(top)}/{bottom}" if bottom > 1 else str(int(top))
    digits = 60
    return f"{int(mp.nint(v * mp.mpf(10) ** digits))}/10**{digits}"
