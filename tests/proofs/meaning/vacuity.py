"""Is each guard of a statement met somewhere?  From its tree, and from the witnesses that the checkers ask for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from .trees import Meant, Tree
from .truth import GRID, Env, Meaning, every, meets


class Unsure(Exception):
    """The evaluator cannot tell whether a guard is true at some point."""


def everywhere(names: list[str]) -> Iterator[Env]:
    return (dict(zip(names, values, strict=True)) for values in itertools.product(GRID, repeat=len(names)))


def met(meant: Meant, names: list[str]) -> bool | None:
    """Are the conditions, and each guard together with those on the way to it, met at some point of the grid?"""
    meaning = Meaning(meant)

    def kept(envs: list[Env], guard: Tree, strictly: bool = False) -> list[Env]:
        answers = [(e, (meaning.goal if strictly else meaning.truth)(guard, e)) for e in envs]
        if any(a is None for _, a in answers):
            raise Unsure
        return [e for e, a in answers if a]

    def spread(envs: list[Env], x: str) -> list[Env]:
        return [inner for e in envs for inner in meaning.spread(x, e)]

    def guards(f: Tree, envs: list[Env]) -> bool:
        kind, *rest = f
        match kind:
            case "And" | "Or":
                return all(guards(g, envs) for g in rest)
            case "Implies":
                inside = kept(envs, rest[0])
                return bool(inside) and guards(rest[1], inside)
            case "ForAll":
                inside = kept(spread(envs, rest[0]), rest[1])
                return bool(inside) and guards(rest[2], inside)
            case "Exists" | "ExistsUnique":
                wide = spread(envs, rest[0])
                return guards(rest[1], wide) and (not guarded(rest[2]) or guards(rest[2], kept(wide, rest[1], True)))
            case "shape":
                return bool(kept(spread(envs, rest[2]), rest[3]))
        return True

    places = list(everywhere(names))
    answers = [(e, meets(meant, e)) for e in places]
    if every([a is not None for _, a in answers]) is not True:
        return None
    envs = [e for e, a in answers if a]
    try:
        return bool(envs) and guards(meant.goal, envs)
    except Unsure:
        return None


def guarded(f: Tree) -> bool:
    """Has the formula a guard that something has to meet?"""
    if f[0] in ("Implies", "ForAll", "shape"):
        return True
    return f[0] in ("And", "Or", "Exists", "ExistsUnique") and any(guarded(g) for g in f[1:] if isinstance(g, tuple))
