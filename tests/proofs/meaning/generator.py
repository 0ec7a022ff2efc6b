"""Statements drawn at random: nested constructs with undefined parts in every slot, over small domains.

A statement is drawn from its number alone, so that any block of a campaign can be run anew.  Most terms are rational,
so that their signs are exact; a limit is most often drawn with the value that it tends to, or one beside it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .reals import ONE, ZERO, Q
from .trees import INFINITY, MINUS_INFINITY, Meant, Tree
from .truth import GRID, Env

NUMBERS: list[Q] = [Q(k) for k in (-2, -1, 0, 0, 1, 1, 2, 3)] + [Q(1, 2), Q(-1, 2)]
RELATIONS = ["<", "<=", ">", ">=", "==", "!="]
SHAPES = [s + k for s in ("", "Strictly") for k in ("Increasing", "Decreasing", "Convex", "Concave")]
POINTS = 4  # at which a statement is looked at


def num(q: Any) -> Tree:
    return ("num", Q(q))


def var(x: str) -> Tree:
    return ("var", x)


class Draw:
    """One statement; ``scope`` lists the variables that may be used, with those that run over integers apart."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.let: list[tuple[str, tuple[str, ...], Tree]] = []
        self.declared: list[tuple[tuple[str, ...], str]] = []
        self.functions = False
        self.fresh = 0

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def bound(self, scope: list[str]) -> str:
        """A name to bind: most often a new one."""
        if self.chance(0.12) and not self.let:
            return self.rng.choice(["x", "y"])
        self.fresh += 1
        return "stuvw"[self.fresh % 5] + str(self.fresh)

    # ---- terms ----

    def bad(self, scope: list[str]) -> Tree:
        """A term that is undefined, everywhere or somewhere."""
        some = self.simple(scope)
        return self.rng.choice([
            ("fn", "sqrt", num(-1)), ("fn", "log", num(0)), ("/", num(1), num(0)), ("fn", "LambertW", num(-1)),
            ("**", num(0), num(-1)), ("**", num(-2), num(Q(1, 2))), ("fn", "sqrt", some), ("/", num(1), some),
            ("fn", "log", num(-1)), ("-", ("/", num(1), some), ("/", num(1), some)),
            ("fn", "LambertW", num(0), num(-1)),
            ("**", some, ("neg", num(Q(1, 2)))), ("Sum", num(1), "k0", num(1), num(Q(1, 2))),
            ("Sum", num(1), "k0", num(1), num(-1)), ("*", num(0), ("fn", "log", some))])

    def simple(self, scope: list[str]) -> Tree:
        return var(self.rng.choice(scope)) if scope and self.chance(0.65) else num(self.rng.choice(NUMBERS))

    def term(self, depth: int, scope: list[str]) -> Tree:
        rng = self.rng
        if depth <= 0 or self.chance(0.3):
            return self.bad(scope) if self.chance(0.08) else self.simple(scope)
        kind = rng.choices(["arith", "power", "fn", "Sum", "Integral", "diff", "At", "def", "app", "bad", "law"],
                           [9, 3, 4, 2, 1, 2, 2, 3 if self.let else 0, 1 if self.functions else 0, 1, 3])[0]
        sub: Callable[[], Tree] = lambda: self.term(depth - 1, scope)  # noqa: E731
        match kind:
            case "arith":
                op = rng.choice(["+", "-", "*", "/", "*", "+", "neg"])
                return ("neg", sub()) if op == "neg" else (op, sub(), sub())
            case "power":
                return ("**", sub(), num(rng.choice([2, 2, 3, 0, -1, -2, Q(1, 2)])) if self.chance(0.8) else sub())
            case "fn":
                return self.function(depth, scope)
            case "Sum" | "Integral":
                x = self.bound(scope)
                low = self.simple(scope) if self.chance(0.3) else num(rng.choice([0, 1, 1, 2]))
                high = self.term(depth - 2, scope) if self.chance(0.3) else num(rng.choice([0, 1, 2, 3, Q(1, 2)]))
                return (kind, self.term(depth - 1, [*scope, x]), x, low, high)
            case "diff" if scope:
                x = rng.choice(scope)
                return ("diff", self.moving(depth - 1, scope, x), x, rng.choice([1, 1, 1, 2]))
            case "At":
                x = self.bound(scope)
                body = self.moving(depth - 1, [*scope, x], x)
                if self.chance(0.25):
                    k = self.bound(scope)
                    body = ("Sum", body, k, num(1), num(rng.choice([0, 0, 2])))
                return ("At", body, x, self.value(depth - 1, scope))
            case "def":
                name, parameters, _ = rng.choice(self.let)
                return ("def", name, *(self.value(depth - 2, scope) for _ in parameters))
            case "law":
                return self.operator(depth - 1, scope)
            case "app":
                return ("app", "g", sub(), sub()) if self.chance(0.3) else ("app", rng.choice("fh"), sub())
        return self.bad(scope)

    def operator(self, depth: int, scope: list[str]) -> Tree:
        """E, Var or Pr over one law, or two; most often of a polynomial."""
        rng = self.rng
        outer = [x for x in scope if x[0] in "xy" or rng.random() < 0.2]  # what is bound may not stand in endless laws
        laws = [self.law(outer)]
        if self.chance(0.2):  # of two without an end the sums are long
            laws.append(rng.choice([("Bernoulli", num(Q(1, 2))), ("Empirical", self.simple(outer), num(1))]))
        clauses = tuple((self.fresh_name(), law) for law in laws)
        inside = [*outer, *(x for x, _ in clauses)]
        x = var(clauses[0][0])
        kind = rng.choice(["E", "E", "E", "Var", "Pr", "Pr"])
        if kind == "Pr":
            ends = (x, self.simple(outer)) if self.chance(0.5) else (self.simple(outer), x)
            event = ("chain", (rng.choice(RELATIONS),), ends)
            more = ("chain", (rng.choice(RELATIONS),), (self.term(0, inside), self.term(1, inside)))
            return (kind, rng.choice([event, event, event, ("And", event, ("chain", ("<=",), (x, num(2)))),
                                      ("Or", event, more), more]), clauses)
        body = rng.choice([x, x, ("**", x, num(2)), ("-", self.simple(outer), x), ("*", self.simple(outer), x)])
        return (kind, body if self.chance(0.7) else self.term(depth, inside), clauses)

    def fresh_name(self) -> str:
        self.fresh += 1
        return "XYZ"[self.fresh % 3] + str(self.fresh)

    def law(self, scope: list[str]) -> Tree:
        """A law, most often with valid parameters."""
        rng = self.rng
        p = self.value(0, scope) if self.chance(0.2) else num(rng.choice([Q(1, 2), Q(1, 2), Q(3, 4), ONE, ZERO]))
        values = [self.term(0, scope) for _ in range(rng.choice([1, 2, 3]))]
        rest = ("-", num(1), p)
        a = self.simple(scope)
        return rng.choice([
            ("Finite", (values[0], p), (num(2), rest)), ("Finite", (values[0], num(Q(1, 2))), (values[-1], p)),
            ("Empirical", *values), ("Empirical", *values), ("Bernoulli", p), ("Bernoulli", p),
            ("Binomial", num(rng.choice([0, 1, 2, 3, 3, -1, Q(1, 2)])), p), ("Binomial", a, p),
            ("Geometric", p), ("Geometric", p), ("Poisson", rng.choice([num(1), p, a])), ("Uniform", a, num(2)),
            ("Uniform", num(0), num(1)), ("Exponential", rng.choice([num(1), p, a])),
            ("Gamma", rng.choice([num(1), num(2), a]), num(1)),
            ("Finite", (values[0], num(1)))])

    def value(self, depth: int, scope: list[str]) -> Tree:
        """A term in a slot that asks for a value."""
        return self.bad(scope) if self.chance(0.2) else self.term(depth, scope)

    def moving(self, depth: int, scope: list[str], x: str) -> Tree:
        """A term in which x occurs free."""
        t = self.term(depth, scope)
        return t if occurs(t, x) else self.rng.choice([("*", t, var(x)), ("+", var(x), t), ("**", var(x), num(2))])

    def function(self, depth: int, scope: list[str]) -> Tree:
        rng = self.rng
        name = rng.choice(["Abs", "Max", "Min", "floor", "ceil", "sqrt", "exp", "log", "Max", "Abs", "ln", "LambertW",
                           "factorial", "binomial"])
        count = rng.choice([2, 2, 3]) if name[0] == "M" else 2 if name == "binomial" else 1
        arguments = [self.term(depth - 1, scope) for _ in range(count)]
        if name == "LambertW" and self.chance(0.3):
            arguments.append(num(-1))
        return ("fn", name, *arguments)

    # ---- formulas ----

    def formula(self, depth: int, scope: list[str]) -> Tree:
        rng = self.rng
        if depth <= 0 or self.chance(0.2):
            return self.compared(1, scope) if self.chance(0.7) else self.limit(scope)
        kinds = {"chain": 5, "Integer": 1, "And": 2, "Or": 4, "Implies": 2, "ForAll": 3, "Exists": 3, "ExistsUnique": 1,
                 "shape": 3, "limit": 8}
        kind = rng.choices(list(kinds), list(kinds.values()))[0]
        match kind:
            case "Integer":
                return (rng.choice(["Integer", "Natural"]), self.term(depth, scope))
            case "And" | "Or":
                return (kind, *(self.formula(depth - 1, scope) for _ in range(rng.choice([1, 2, 2, 3]))))
            case "Implies":
                return (kind, self.formula(depth - 1, scope), self.formula(depth - 1, scope))
            case "ForAll" | "Exists" | "ExistsUnique":
                x = self.bound(scope)
                return (kind, x, self.guard(x, scope), self.formula(depth - 1, [*scope, x]))
            case "shape":
                x = self.bound(scope)
                return (kind, rng.choice(SHAPES), self.moving(2, [*scope, x], x), x, self.guard(x, scope))
            case "limit":
                return self.limit(scope)
        return self.compared(depth, scope)

    def compared(self, depth: int, scope: list[str]) -> Tree:
        if self.chance(0.25):  # a term against itself or its double: often true where it is defined
            a = self.term(depth + 1, scope)
            relation, other = self.rng.choice(["==", "<=", ">=", "!=", "<"]), self.rng.choice([a, ("+", a, num(1))])
            return ("chain", (relation,), (a, other))
        if self.chance(0.06):  # a probability against one that it may have
            x, p = self.fresh_name(), num(self.rng.choice([Q(1, 4), Q(1, 2), Q(3, 4)]))
            event = ("chain", (self.rng.choice(RELATIONS),), (var(x), num(self.rng.choice([ZERO, ONE, Q(2)]))))
            law = self.rng.choice([("Binomial", num(self.rng.choice([1, 2, 3])), p), ("Geometric", p)])
            value = self.rng.choice([p, num(0), num(1)])
            return ("chain", (self.rng.choice(RELATIONS),), (("Pr", event, ((x, law),)), value))
        links = self.rng.choice([1, 1, 1, 2])
        return ("chain", tuple(self.rng.choice(RELATIONS) for _ in range(links)),
                tuple(self.term(depth, scope) for _ in range(links + 1)))

    def guard(self, x: str, scope: list[str]) -> Tree:
        """A condition on x; most often an interval."""
        if self.chance(0.1):
            return self.formula(1, [*scope, x])
        v, low, high = var(x), num(self.rng.choice([-2, -1, 0, 0, 1])), num(self.rng.choice([1, 2, 3]))
        between = ("chain", (self.rng.choice(["<", "<="]), self.rng.choice(["<", "<="])), (low, v, high))
        return self.rng.choice([
            between, between, ("And", ("Integer", v), between), ("Natural", v), ("chain", (">",), (v, low)),
            ("chain", ("<",), (("fn", "log", v), high)), ("chain", ("!=",), (("/", num(1), v), low)),
            ("Or", ("chain", (">",), (v, low)), ("chain", (">",), (("fn", "log", v), num(0)))),
            ("chain", ("<",), (v, self.value(1, scope)))])

    def limit(self, scope: list[str]) -> Tree:
        rng, x = self.rng, self.bound(scope)
        outer = [v for v in scope if v != x]
        kind = rng.choices(["limit", "BigO", "sequence", "improper"], [6, 3, 2, 1])[0]
        to, side, expected, body = self.near(x, outer)
        if self.chance(0.35):
            body = self.moving(2, [*outer, x], x)
        shift = num(rng.choice([1, -1, Q(1, 2)]))
        answer = rng.choices([expected, ("+", expected, shift) if expected[0] != "oo" else INFINITY, MINUS_INFINITY,
                              self.value(1, outer), self.bad(outer)], [10, 3, 1, 2, 1])[0]
        if kind == "limit":
            return ("limit", body, x, to, side, answer, self.chance(0.2))
        if kind == "BigO":
            v = var(x)
            away = v if to[0] == "oo" else ("-", v, to)
            scale = rng.choice([away, ("**", away, num(2)), num(1), num(2), ("fn", "Abs", away), ("/", num(1), away)])
            f = rng.choice([body, away, ("*", num(3), away), num(1), ("**", away, num(2)), ("fn", "Abs", away)])
            return ("BigO", f, scale, x, to, side)
        inverse = ("/", num(1), var(x))
        if kind == "sequence":
            terms = [(inverse, num(0)), (("/", ("+", var(x), num(1)), var(x)), num(1)), (var(x), INFINITY),
                     (("**", num(-1), var(x)), num(1)), (("**", num(Q(1, 2)), var(x)), num(0)),
                     (("-", num(0), ("**", var(x), num(2))), MINUS_INFINITY),
                     (("Sum", num(1), "k0", num(1), var(x)), INFINITY),
                     (("-", var(x), ("fn", "floor", var(x))), num(0))]
            body, expected = rng.choice(terms)
            answer = rng.choice([expected, expected, expected, shift, self.value(1, outer), INFINITY])
            return ("sequence", body, x, answer)
        low = rng.choice([num(0), num(1), num(1), self.value(0, outer), num(Q(1, 2))])
        body = rng.choice([("**", num(2), ("neg", var(x))), num(0), num(1), ("/", num(1), var(x))])
        return ("improper", rng.choice(["Sum", "Sum", "Integral"]), body, x, low,
                rng.choice([num(2), num(1), num(0), INFINITY, self.bad(outer)]))

    def near(self, x: str, scope: list[str]) -> tuple[Tree, str, Tree, Tree]:
        """A point, a side, the value that a body tends to there, and the body."""
        rng, v = self.rng, var(x)
        side = rng.choice(["+-", "+-", "+", "-"])
        if self.chance(0.2):
            to, side = rng.choice([(INFINITY, "+-"), (INFINITY, "-"), (MINUS_INFINITY, "+-"), (MINUS_INFINITY, "+")])
            cases = [(num(0), ("/", num(1), v)), (to, v), (num(1), ("/", ("+", v, num(2)), v)),
                     (INFINITY, ("**", v, num(2))), (num(0), ("/", v, ("+", num(1), ("**", v, num(2)))))]
            return (to, side, *rng.choice(cases))
        to = self.bad(scope) if self.chance(0.15) else self.simple(scope) if self.chance(0.75) else self.term(1, scope)
        away = ("-", v, to)
        lifted = ("**", to, num(2))
        cases = [(to, v), (lifted, ("**", v, num(2))), (num(0), ("fn", "Abs", away)), (num(1), ("/", away, away)),
                 (num(0), ("*", away, v)), (INFINITY, ("/", num(1), ("**", away, num(2)))),
                 (num(-1) if side == "-" else num(1), ("/", away, ("fn", "Abs", away))),
                 (MINUS_INFINITY if side == "-" else INFINITY, ("/", num(1), away)),
                 (num(0), ("fn", "sqrt", away)), (to, ("fn", "floor", v)), (num(0), ("-", v, to)),
                 (("*", num(2), to), ("/", ("-", ("**", v, num(2)), lifted), away)),
                 (num(0), ("*", away, ("/", away, away)))]
        return (to, side, *rng.choice(cases))

    # ---- statements ----

    def definitions(self) -> None:
        shapes: list[tuple[tuple[str, ...], Tree]] = [
            (("p",), ("Sum", var("p"), "k1", num(1), num(0))), (("p",), ("+", var("p"), num(1))),
            (("p", "q"), ("+", var("p"), ("Sum", ("*", var("q"), var("k1")), "k1", num(1), num(0)))),
            (("p",), ("/", num(1), var("p"))), ((), num(Q(3, 4))), ((), ("fn", "sqrt", num(-1))),
            (("p", "q"), ("Integral", ("*", var("p"), var("q")), "k1", num(1), num(1))),
            (("p",), ("diff", ("**", var("p"), num(2)), "p", 1)),
            (("p",), ("Sum", ("diff", ("*", var("p"), var("k1")), "p", 1), "k1", num(1), num(2))),
            (("p",), ("**", var("p"), num(0)))]
        for name in ("c1", "c2")[:self.rng.choice([0, 0, 1, 1, 2])]:
            self.let.append((name, *self.rng.choice(shapes)))

    def statement(self) -> tuple[Meant, list[Env]]:
        """A statement, and points at which to look at it."""
        rng = self.rng
        self.functions = self.chance(0.1)
        if self.functions:
            self.declared.append((("f", "h", "g"), "functions"))
        if self.chance(0.4):
            self.definitions()
        variables = ["x", "y"][:rng.choice([0, 1, 1, 2])]
        if variables and self.chance(0.15):
            self.declared.append(((variables[0],), rng.choice(["naturals", "integers", "reals"])))
        where = [self.formula(1, variables) if self.chance(0.4) else self.compared(1, variables)
                 for _ in range(rng.choice([0, 0, 0, 1, 1, 2]))] if variables else []
        goal = self.formula(rng.choice([1, 2, 2]), variables)
        meant = Meant(goal, tuple(where), tuple(self.declared), tuple(self.let))
        drawn = {tuple(rng.choice(GRID) for _ in variables): None for _ in range(POINTS)}
        return meant, [dict(zip(variables, values, strict=True)) for values in drawn]


def occurs(t: Tree, x: str) -> bool:
    """Does the variable occur free?"""
    kind, *rest = t
    match kind:
        case "var":
            return bool(rest[0] == x)
        case "num" | "oo":
            return False
        case "Sum" | "Integral":
            body, name, low, high = rest
            return (name != x and occurs(body, x)) or occurs(low, x) or occurs(high, x)
        case "diff":
            return bool(rest[1] == x) or occurs(rest[0], x)
        case "E" | "Var" | "Pr":
            body, clauses = rest
            return (x not in [name for name, _ in clauses] and occurs(body, x)) or any(
                occurs(("law", *law[1:]), x) for _, law in clauses)
        case "At":
            body, name, value = rest
            return (name != x and occurs(body, x)) or occurs(value, x)
    return any(occurs(part, x) for part in rest if isinstance(part, tuple))


def drawn(number: int) -> tuple[Meant, list[Env]]:
    """The statement of this number."""
    return Draw(number).statement()
