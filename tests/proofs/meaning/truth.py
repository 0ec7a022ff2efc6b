"""What a statement says at a point: the meaning of its tree, from the page of the language.

Quantifiers over the reals, and the domains of shapes, range over a fixed grid of rationals, which both the trees and
the lowered formulas are evaluated on.  A limit is decided by values very near its point, with room for doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from . import averages, reals
from .averages import Law
from .reals import CannotTell, Q, Real, Undefined
from .trees import Meant, Tree

Env = dict[str, Real]
GRID = tuple(Q(k, 2) for k in (-6, -4, -2, -1, 0, 1, 2, 3, 4, 6))
BETWEEN = (Q(1, 4), Q(1, 2), Q(2, 3))  # for chords
NEAR, NEARER = 12, 30  # digits: how near limits look
FACTORS = (Q(1), Q(3, 7))
FUNCTIONS: dict[str, Callable[..., Real]] = {"f": lambda a: reals.add(reals.mul(a, a), Q(-1)),
                                             "h": lambda a: reals.floor(a), "g": lambda a, b: reals.sub(a, b)}
ENDLESS = {"Geometric", "Poisson", "Exponential", "Gamma"}
UNARY: dict[str, Callable[[Real], Real]] = {
    "exp": reals.exp, "log": reals.log, "ln": reals.log, "sqrt": reals.sqrt, "floor": reals.floor,
    "ceil": lambda a: reals.neg(reals.floor(reals.neg(a))), "Abs": lambda a: reals.larger(a, reals.neg(a))}
OPERATIONS = {"+": reals.add, "-": reals.sub, "*": reals.mul, "**": reals.power,
              "/": lambda a, b: reals.mul(a, reals.power(b, Q(-1)))}


def every(answers: Iterable[bool | None]) -> bool | None:
    unknown = False
    for a in answers:
        if a is False:
            return False
        unknown |= a is None
    return None if unknown else True


def some(answers: Iterable[bool | None]) -> bool | None:
    unknown = False
    for a in answers:
        if a:
            return True
        unknown |= a is None
    return None if unknown else False


def opposite(a: bool | None) -> bool | None:
    return None if a is None else not a


def related(relation: str, a: Real, b: Real) -> bool:
    s = reals.sign(reals.sub(a, b))
    return {"<": s < 0, "<=": s <= 0, ">": s > 0, ">=": s >= 0, "==": s == 0, "!=": s != 0}[relation]


def answered(question: Callable[[], bool | None]) -> bool | None:
    """False where a term is undefined; None where the numbers do not tell."""
    try:
        return question()
    except Undefined:
        return False
    except CannotTell:
        return None


class Meaning:
    """The meaning of trees under the definitions of one statement."""

    def __init__(self, meant: Meant) -> None:
        self.definitions = {name: (parameters, body) for name, parameters, body in meant.let}

    # ---- terms ----

    def value(self, t: Tree, env: Env) -> Real:
        reals.WORK.one()
        kind, *rest = t
        if kind in ("Sum", "Integral", "diff", "E", "Var", "Pr"):  # also where nothing is summed
            for inner in self.endless(rest[0]):
                with suppress(KeyError):  # one that speaks of a listed law's name is looked at with each of its values
                    self.value(inner, env)
        match kind:
            case "num":
                return rest[0]
            case "var":
                return env[rest[0]]
            case "neg":
                return reals.neg(self.value(rest[0], env))
            case "+" | "-" | "*" | "/" | "**":
                return OPERATIONS[kind](self.value(rest[0], env), self.value(rest[1], env))
            case "fn":
                return self.called(rest[0], [self.value(a, env) for a in rest[1:]])
            case "app":
                return FUNCTIONS[rest[0]](*[self.value(a, env) for a in rest[1:]])
            case "def":  # every argument has a value, also where the body does not come to use it
                parameters, body = self.definitions[rest[0]]
                values = [self.value(a, env) for a in rest[1:]]
                return self.value(body, {**env, **dict(zip(parameters, values, strict=True))})
            case "Sum" | "Integral":
                body, x, low, high = rest
                made = reals.total if kind == "Sum" else reals.integral
                return made(self.value(low, env), self.value(high, env), self.function(body, x, env))
            case "diff":
                return self.slope(rest[0], rest[1], rest[2], env)
            case "At":
                return self.value(rest[0], {**env, rest[1]: self.value(rest[2], env)})
            case "Indicator":
                return Q(self.happens(rest[0], env))
            case "E" | "Var" | "Pr":
                body, clauses = rest
                laws = [Law(x, name, self.parameters(name, x, given, env)) for x, (name, *given) in clauses]
                return averages.value(kind, laws, lambda at: Q(self.happens(body, {**env, **at}))
                                      if kind == "Pr" else self.value(body, {**env, **at}))
        raise AssertionError(kind)

    def endless(self, t: Any) -> Iterator[Tree]:
        """The operators in a term over laws without an end, which have values also under a binder."""
        if isinstance(t, tuple):
            if t[:1] in (("E",), ("Var",), ("Pr",)) and any(law[0] in ENDLESS for _, law in t[2]):
                if t[0] == "Pr":  # a cut may give it an end
                    raise CannotTell
                yield t
            for part in t:
                yield from self.endless(part)
            if t[:1] == ("def",):
                yield from self.endless(self.definitions[t[1]][1])

    def happens(self, f: Tree, env: Env) -> bool:
        """Is an event true?  All its terms have values."""
        if f[0] in ("And", "Or"):
            answers = [self.happens(g, env) for g in f[1:]]
            return all(answers) if f[0] == "And" else any(answers)
        sides = [self.value(t, env) for t in f[2]]
        return all([related(r, a, b) for r, a, b in zip(f[1], sides, sides[1:], strict=False)])

    def parameters(self, name: str, x: str, given: list[Any], env: Env) -> list[Any]:
        """The values of a law's parameters; of a weight, the function."""
        if name == "Finite":
            return [(self.value(v, env), self.value(p, env)) for v, p in given]
        if name in ("Pmf", "Density"):
            high = given[2] if given[2][0] == "oo" else self.value(given[2], env)
            return [self.function(given[0], x, env), self.value(given[1], env), high]
        return [self.value(t, env) for t in given]

    def function(self, body: Tree, x: str, env: Env) -> Callable[[Real], Real]:
        return lambda value: self.value(body, {**env, x: value})

    def slope(self, body: Tree, x: str, order: int, env: Env) -> Real:
        function = self.function(body, x, env)
        for _ in range(order):
            function = (lambda f: lambda v: reals.derivative(f, v))(function)
        return function(env[x])

    def called(self, name: str, values: list[Real]) -> Real:
        if name in UNARY:
            return UNARY[name](values[0])
        if name in ("factorial", "binomial"):
            n, *chosen = values
            parts = [reals.factorial(k) for k in (n, *chosen, *(reals.sub(n, k) for k in chosen))]
            return parts[0] if not chosen else reals.mul(parts[0], reals.power(reals.mul(*parts[1:]), Q(-1)))
        if name == "LambertW":
            return reals.lambert(int(values[1]) if len(values) > 1 else 0, values[0])
        result = values[0]
        for v in values[1:]:
            result = reals.larger(result, v) if name == "Max" else reals.neg(
                reals.larger(reals.neg(result), reals.neg(v)))
        return result

    def has_value(self, t: Tree, env: Env) -> bool | None:
        def question() -> bool:
            self.value(t, env)
            return True

        return answered(question)

    def stands(self, t: Tree, env: Env) -> bool | None:
        """Has it a value, but for operators without an end?  Of these the parameters have to be valid alone: what has
        no value equals nothing and is less than nothing, as a limit that does not exist."""
        found = self.has_value(t, env)
        if found is not False or not self.holds_endless(t):
            return found
        kind, *rest = t
        if kind in ("+", "-", "*", "/", "**", "neg"):
            return every(self.stands(part, env) for part in rest)
        if kind in ("fn", "app"):
            return every(self.stands(part, env) for part in rest[1:])
        if kind not in ("E", "Var", "Pr") or self.holds_endless(rest[0]):
            return None
        valid = answered(lambda: self.valid(rest[1], env))
        return None if valid and kind == "Pr" else valid  # a cut may give it an end

    def valid(self, clauses: Any, env: Env) -> bool:
        laws = [Law(x, name, self.parameters(name, x, given, env)) for x, (name, *given) in clauses]
        return all(averages.masses(law) is not None or averages.moments(law) for law in laws)

    def holds_endless(self, t: Tree) -> bool:
        """Has the term an operator over a law without an end?"""
        try:
            return any(True for _ in self.endless(t))
        except CannotTell:
            return True

    # ---- formulas ----

    def truth(self, f: Tree, env: Env) -> bool | None:
        """Is the formula true at the point?"""
        return self.holds(f, env, self.truth)

    def goal(self, f: Tree, env: Env) -> bool | None:
        """Is the formula true, and defined on its whole domain?"""
        if f[0] == "Or":
            return every([*(self.meaningful(g, env) for g in f[1:]), some(self.goal(g, env) for g in f[1:])])
        return self.holds(f, env, self.goal)

    def holds(self, f: Tree, env: Env, inside: Callable[[Tree, Env], bool | None]) -> bool | None:
        """Is it true, if its parts are judged so?  Guards of universal quantifiers and implications only select."""
        kind, *rest = f
        match kind:
            case "chain":
                return every(self.link(r, a, b, env) for r, a, b in zip(rest[0], rest[1], rest[1][1:], strict=False))
            case "Integer" | "Natural":
                return answered(lambda: self.integer(kind, self.value(rest[0], env)))
            case "And":
                return every(inside(g, env) for g in rest)
            case "Or":
                return some(inside(g, env) for g in rest)
            case "Implies":
                return some([opposite(self.truth(rest[0], env)), inside(rest[1], env)])
            case "ForAll":
                x, guard, body = rest
                return every(some([opposite(self.truth(guard, e)), inside(body, e)]) for e in self.spread(x, env))
            case "Exists":
                x, guard, body = rest
                return some(every([inside(guard, e), inside(body, e)]) for e in self.spread(x, env))
            case "ExistsUnique":
                x, guard, body = rest
                return self.unique(x, guard, body, env, inside)
            case "shape":
                name, a, x, domain = rest
                return self.shape(name, a, x, domain, env)
        return self.approach(f, env)

    def meaningful(self, f: Tree, env: Env) -> bool | None:
        """Have all its terms values on its domain?  Of an existence this is not asked."""
        kind, *rest = f
        match kind:
            case "chain":
                return every(self.stands(t, env) for t in rest[1])
            case "Integer" | "Natural":
                return self.stands(rest[0], env)
            case "And" | "Or":
                return every(self.meaningful(g, env) for g in rest)
            case "Implies":
                return some([opposite(self.truth(rest[0], env)), self.meaningful(rest[1], env)])
            case "ForAll":
                x, guard, body = rest
                return every(some([opposite(self.truth(guard, e)), self.meaningful(body, e)])
                             for e in self.spread(x, env))
            case "Exists" | "ExistsUnique":
                return True
            case "shape":
                name, a, x, domain = rest
                return self.drawn(a, x, domain, env, "Con" in name)
        return every(self.has_value(t, env) for t in {"limit": rest[2::2], "sequence": rest[2:], "BigO": rest[3:4],
                                                      "improper": rest[3:]}[kind] if isinstance(t, tuple)
                     and t[0] != "oo")

    def drawn(self, a: Tree, x: str, domain: Tree, env: Env, bent: bool) -> bool | None:
        """Has a shape's function a value all over its domain; of a bent one, also between its points?"""
        inside = [(v, self.truth(domain, {**env, x: v})) for v in GRID]
        places = list(inside)
        if bent:
            places += [((1 - t) * v + t * w, every((here, there))) for v, here in inside for w, there in inside
                       if v < w for t in BETWEEN]
        return every(some([opposite(known), self.has_value(a, {**env, x: v})]) for v, known in places
                     if known is not False)

    def spread(self, x: str, env: Env) -> Iterator[Env]:
        return ({**env, x: value} for value in GRID)

    def link(self, relation: str, a: Tree, b: Tree, env: Env) -> bool | None:
        return answered(lambda: related(relation, self.value(a, env), self.value(b, env)))

    def integer(self, kind: str, value: Real) -> bool:
        return reals.whole(value) and (kind == "Integer" or reals.sign(value) >= 0)

    def unique(self, x: str, guard: Tree, body: Tree, env: Env, inside: Callable[[Tree, Env], bool | None]
               ) -> bool | None:
        met = [every([self.truth(guard, e), self.truth(body, e)]) for e in self.spread(x, env)]
        found = [every([inside(guard, e), inside(body, e)]) for e in self.spread(x, env)]
        return some(every([here, *(opposite(m) for j, m in enumerate(met) if j != i)]) for i, here in enumerate(found))

    def shape(self, name: str, a: Tree, x: str, domain: Tree, env: Env) -> bool | None:
        """Defined on the domain; and of any two points of it, each with its value, the order or the chord."""
        inside = [(v, answer) for v in GRID if (answer := self.truth(domain, {**env, x: v})) is not False]
        answers = [some([opposite(known), self.has_value(a, {**env, x: v})]) for v, known in inside]
        if every(answers) is False:
            return False
        f = self.function(a, x, env)
        strictly, kind = name.startswith("Strictly"), name.removeprefix("Strictly")
        for v, here in inside:
            for w, there in inside:
                if v < w:
                    for question in self.comparisons(f, v, w, kind, strictly):
                        answers.append(some([opposite(here), opposite(there), answered(question)]))
        return every(answers)

    def comparisons(self, f: Callable[[Real], Real], v: Q, w: Q, kind: str, strictly: bool
                    ) -> Iterator[Callable[[], bool | None]]:
        relation = ">" if strictly else ">="
        if kind in ("Increasing", "Decreasing"):
            yield lambda: related(relation, f(w), f(v)) if kind == "Increasing" else related(relation, f(v), f(w))
            return
        for t in BETWEEN:
            def chord(t: Q = t) -> bool:
                high = reals.add(reals.mul(1 - t, f(v)), reals.mul(t, f(w)))
                middle = f((1 - t) * v + t * w)
                return related(relation, *((high, middle) if kind == "Convex" else (middle, high)))

            yield chord

    # ---- limits ----

    def approach(self, f: Tree, env: Env) -> bool | None:
        kind, *rest = f

        def question() -> bool | None:
            if kind == "limit":
                body, x, to, side, value, _ = rest
                return tends(self.function(body, x, env), self.places(to, side, env), self.end(value, env))
            if kind == "sequence":
                body, n, value = rest
                places = [[Q(10 ** d + k) for k in range(3)] for d in (NEAR, NEARER)]
                return tends(self.function(body, n, env), places, self.end(value, env))
            if kind == "BigO":
                body, g, x, to, side = rest
                return dominated(self.function(body, x, env), self.function(g, x, env), self.places(to, side, env))
            head, body, x, low, value = rest
            start, made = self.value(low, env), reals.total if head == "Sum" else reals.integral
            far = [[Q(46 + k) for k in range(3)], [Q(60 + k) for k in range(3)]] if head == "Sum" else [
                [Q(10 ** d + k) for k in range(2)] for d in (NEAR, NEARER)]
            return tends(lambda b: made(start, b, self.function(body, x, env)), far, self.end(value, env))

        return answered(question)

    def end(self, value: Tree, env: Env) -> Real | str:
        """The value of a limit: a number, or "oo" or "-oo"."""
        if value[0] == "oo":
            return "oo" if value[1] > 0 else "-oo"
        return self.value(value, env)

    def places(self, to: Tree, side: str, env: Env) -> list[list[Real]]:
        """Arguments near the point on the side, and much nearer ones; the point is no one of them."""
        if to[0] == "oo":
            return [[to[1] * (10 ** d + k) / c for c in FACTORS for k in (0, 1)] for d in (NEAR, NEARER)]
        a = self.value(to, env)
        signs = {"+": (1,), "-": (-1,), "+-": (1, -1)}[side]
        return [[reals.add(a, s * c / 10 ** d) for c in FACTORS for s in signs] for d in (NEAR, NEARER)]


def tends(f: Callable[[Real], Real], places: list[list[Real]], value: Any) -> bool | None:
    """Do the values near the point lie within every bound?  None where they come on, but slowly."""
    if isinstance(value, str):
        sign = Q(1 if value == "oo" else -1)
        low, lower = (min(reals.decimal(reals.mul(sign, reals.plain(f(p)))) for p in group) for group in places)
        return True if lower > 10 ** 9 else False if lower < 30 and lower <= max(1, 1.5 * low) else None
    far, near = (max(abs(reals.decimal(reals.sub(f(p), value))) for p in group) for group in places)
    if near < 10 ** -9:
        return True if far < 10 ** -3 else None
    return False if near > 0.05 and near > 0.9 * far else None


def dominated(f: Callable[[Real], Real], g: Callable[[Real], Real], places: list[list[Real]]) -> bool | None:
    ratios = []
    for group in places:
        ratios.append(0)
        for p in group:
            above, below = f(p), g(p)
            if reals.sign(below) == 0:
                if reals.sign(above) != 0:
                    return False
            else:
                ratios[-1] = max(ratios[-1], abs(reals.decimal(above) / reals.decimal(below)))
    return True if ratios[1] <= 1.5 * ratios[0] and ratios[1] < 1000 else False if ratios[1] > 10 ** 9 else None


def meets(meant: Meant, env: Env) -> bool | None:
    """Are the conditions defined and true at the point?"""
    meaning = Meaning(meant)
    families = [every(meaning_of_family(family, env[n]) for n in names) for names, family in meant.declared
                if family != "functions"]
    return every([*families, *(meaning.truth(c, env) for c in meant.where)])


def meaning_of_family(family: str, value: Real) -> bool | None:
    if family == "reals":
        return True
    return answered(lambda: reals.whole(value) and (family == "integers" or reals.sign(value) >= 0))


def holds(meant: Meant, env: Env) -> bool | None:
    """Is the goal true and defined at the point?"""
    return Meaning(meant).goal(meant.goal, env)
