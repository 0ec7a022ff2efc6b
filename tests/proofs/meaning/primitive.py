"""The truth of a lowered formula at a point: the primitive language of the certificates, evaluated on samples.

Formulas are the kernel's nested tuples; the second checker's graph is unfolded to them first.  A quantifier ranges over
the grid; one over a variable with a prime, which only the lowerings make, over the ladder of its letter; and one whose
scope speaks of a distance d' over points chosen from the roots of what guards it, so that all of its cells are met.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import itemgetter
from typing import Any

from . import reals
from .reals import ZERO, CannotTell, Q, Real, Undefined
from .truth import BETWEEN, FUNCTIONS, GRID, Env, answered, every, opposite, some

Node = Any
BIG, SMALL = Q(10 ** 30), Q(1, 10 ** 30)
LATE = Q(79)  # where a partial sum is near its limit
VALUE = re.compile(r"v\d+'")  # an operator's value
BESIDE = Q(1, 10 ** 33)  # nearer to a root than any distance of the ladder
SURE = {"e'": Q(1, 20), "m'": Q(29)}  # rungs beyond these fail by slowness as well
LADDERS: dict[str, tuple[Q, ...]] = {
    "e'": (Q(-1), Q(0), Q(1), Q(1, 20), Q(1, 10 ** 9)),
    "m'": (Q(-29), Q(0), Q(29), Q(10 ** 9), Q(-10 ** 9)),
    "d'": (SMALL, BIG, -BIG, Q(45), Q(0), Q(-1)),
    "c'": (Q(1), Q(1000), Q(10 ** 6), Q(0), Q(-1)),
    "t'": (*BETWEEN, Q(0), Q(1), Q(-1, 2), Q(2))}
ATOMS = {">", ">=", "=", "!=", "isint", "def", "undef"}
BOUND = {"sum": 4, "int": 4, "diff": 2, "all": 2, "ex": 2}  # the place of what stands under the bound variable


class Primitive:
    """Evaluates the formulas of one statement; what a quantified part says under the same values is asked once."""

    def __init__(self) -> None:
        self.names: dict[int, tuple[str, ...]] = {}
        self.known: dict[tuple[Any, ...], bool | None] = {}
        self.made: dict[int, Callable[[Env], Real]] = {}

    def free(self, t: Node) -> tuple[str, ...]:
        """The free variables of a node (which is kept alive by the statement)."""
        if isinstance(t, str):
            return (t,)
        if not isinstance(t, tuple):
            return ()
        if id(t) not in self.names:
            inner = BOUND.get(t[0])
            parts = [set(self.free(part)) - ({t[1]} if i == inner else set()) for i, part in enumerate(t)
                     if i >= (2 if inner or t[0] in ("W", "app") else 1)]
            self.names[id(t)] = tuple(sorted(set().union(*parts)))
        return self.names[id(t)]

    def value(self, t: Node, env: Env) -> Real:
        """The value of a term."""
        reals.WORK.one()
        made = self.made.get(id(t))
        if made is None:
            made = self.made[id(t)] = self.term(t)
        return made(env)

    def term(self, t: Node) -> Callable[[Env], Real]:
        """The term as a function of the variables' values."""
        if isinstance(t, str):
            return itemgetter(t)
        if not isinstance(t, tuple):
            number = Q(t.numerator, t.denominator)
            return lambda env: number
        head = t[0]
        if head in ("sum", "int", "diff"):
            return self.bound_term(*t)
        if head == "exp" and isinstance(t[1], tuple) and t[1][:1] == ("sum",) and t[1][4] == ("log", t[1][1]):
            low, high = self.term(t[1][2]), self.term(t[1][3])  # of a product, which is exact
            return lambda env: reals.product(low(env), high(env))
        parts = [self.term(part) for part in t[2 if head in ("app", "W") else 1:]]
        match head:
            case "+" | "*":
                return folded(reals.add if head == "+" else reals.mul, parts)
            case "^":
                base, exponent = parts
                return lambda env: reals.power(base(env), exponent(env))
            case "max":
                left, right = parts
                return lambda env: reals.larger(left(env), right(env))
            case "app":
                return lambda env: FUNCTIONS[t[1]](*[part(env) for part in parts])
            case "W":
                return lambda env: reals.lambert(t[1], parts[0](env))
        operation, inner = getattr(reals, head), parts[0]
        return lambda env: operation(inner(env))

    def bound_term(self, head: str, x: str, *rest: Node) -> Callable[[Env], Real]:
        if head == "diff":
            body, at = map(self.term, rest)
            return lambda env: reals.derivative(lambda v: body({**env, x: v}), at(env))
        low, high, body = map(self.term, rest)
        made = reals.total if head == "sum" else reals.integral
        return lambda env: made(low(env), high(env), lambda v: body({**env, x: v}))

    def truth(self, f: Node, env: Env) -> bool | None:
        """Is the formula true at the point?"""
        match f[0]:
            case "and":
                return every(self.truth(g, env) for g in f[1:])
            case "or":
                return some(self.truth(g, env) for g in f[1:])
            case "imp":
                return some(opposite(self.truth(g, env)) if g is f[1] else self.truth(g, env) for g in f[1:])
            case "all" | "ex":
                key = (id(f), *(env[x] for x in self.free(f)))
                if key not in self.known:
                    self.known[key] = self.quantified(f, env)
                return self.known[key]
            case "undef":
                return opposite(answered(lambda: atom("def", self.value(f[1], env))))
        return answered(lambda: atom(f[0], self.value(f[1], env)))

    def quantified(self, f: Node, env: Env) -> bool | None:
        name = f[1]
        try:
            places = self.spread(f, env)
        except CannotTell:
            return None
        except Undefined:
            places = GRID
        if f[0] == "all":
            return every(doubted(name, v, self.truth(f[2], {**env, name: v})) for v in places)
        return some(self.truth(f[2], {**env, name: v}) for v in places)

    def spread(self, f: Node, env: Env) -> Iterable[Real]:
        """The values over which a quantifier is taken."""
        name, body = f[1], f[2]
        if name in LADDERS:
            return LADDERS[name]
        if VALUE.fullmatch(name):
            return [*self.limits(name, body, env), *GRID]
        if body[0] == "imp" and "d'" in env and "d'" in self.free(body[1]):
            return self.cells(name, body[1], env)
        return GRID

    def limits(self, name: str, body: Node, env: Env) -> Iterator[Real]:
        """What the formula says that partial sums tend to, from a late one."""
        for part in body[1:]:
            if part[:2] == ("all", "e'") and name in self.free(part):
                gap = part[2][2][2][2][2][2][1][2]  # all e': e' > 0 -> some d': all b': .. -> .. and e' + (t - v) > 0
                yield reals.simple(self.value(gap[1], {**env, "b'": LATE}))

    def said(self, f: Node, env: Env) -> Iterator[tuple[Node, Env]]:
        """The terms of the atoms, and what is known there; that of an operator without an end is known by its value."""
        if f[0] == "ex" and VALUE.fullmatch(f[1]):
            for value in self.limits(f[1], f[2], env):
                yield from self.said(f[2][-1], {**env, f[1]: value})
        elif f[0] in ("and", "or", "imp"):
            for part in f[1:]:
                yield from self.said(part, env)
        else:
            yield from ((a, env) for a in atoms(f))

    def cells(self, x: str, guard: Node, env: Env) -> list[Real]:
        """Points in each cell that the guard's comparisons make, their roots included, and integers beyond the last."""
        roots: dict[Real, None] = {}
        for a, known in self.said(guard, env):
            if not {x, *known}.issuperset(self.free(a)):
                continue
            try:
                zero, one, two = (self.value(a, {**known, x: Q(k)}) for k in range(3))
            except Undefined:
                continue
            slope = reals.sub(one, zero)
            if reals.differ(slope, ZERO) and not reals.differ(reals.sub(two, one), slope):
                roots[reals.neg(reals.mul(zero, reals.power(slope, Q(-1))))] = None
        ordered = sorted(roots, key=reals.decimal)
        if not ordered:
            return list(GRID)
        points = [reals.add(r, k) for r in ordered for k in (ZERO, BESIDE, -BESIDE)]
        for low, high in itertools.pairwise(ordered):
            points += [reals.add(low, reals.mul(k, reals.sub(high, low))) for k in (Q(1, 3), Q(6, 7))]
        first, last = ordered[0], ordered[-1]
        points += [reals.add(reals.mul(Q(k), end), Q(3 * k, 7) * side) for k in (1, 2)
                   for end, side in ((first, -1), (last, 1))]
        if isinstance(last, Q):
            points += [Q(last.floor()) + k for k in range(1, 4)]
        if x != "b'":
            points += [Q(10 ** 40), Q(10 ** 40 + 1), -Q(10 ** 40)]
        return points


def folded(combine: Callable[[Real, Real], Real], parts: list[Callable[[Env], Real]]) -> Callable[[Env], Real]:
    """The parts combined from the left."""
    if len(parts) == 2:
        left, right = parts
        return lambda env: combine(left(env), right(env))
    return lambda env: reduce(combine, [part(env) for part in parts])


def atom(relation: str, v: Real) -> bool:
    if relation == "def":
        return True
    if relation == "isint":
        return reals.whole(v)
    s = reals.sign(v)
    return s > 0 if relation == ">" else s >= 0 if relation == ">=" else s == 0 if relation == "=" else s != 0


def doubted(name: str, at: Real, answer: bool | None) -> bool | None:
    """A bound so narrow that slowness alone may miss it shows nothing."""
    sure = SURE.get(name)
    if answer is False and sure is not None and (at < sure if name == "e'" else abs(at) > sure):
        return None
    return answer


def atoms(f: Node) -> list[Node]:
    if f[0] in ATOMS:
        return [f[1]]
    return [a for g in (f[1:] if f[0] in ("and", "or", "imp") else f[2:]) for a in atoms(g)]
