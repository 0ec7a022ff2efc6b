"""What a goal says at a point, by numbers of 70 digits that are compared to 50: no reader or checker of ours in it.

Texts are parsed by Python's own grammar, which agrees with the language's on what the goals use.  Quantifiers and
shapes range over finite samples, limits are looked at near their points, series and integrals are summed up; so what
comes out is a look, not a proof.  ``Undefined`` is raised where a term has no value, ``Unsure`` where the digits do
not tell.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import mpmath
from mpmath import mp, mpf

from . import points, summing
from .terms import SIGNS, Env, Undefined, Unsure, defined_by, natural, power

DIGITS, COMPARED, ROUGH = 70, 50, 12  # of work; of a comparison; of one with an integral or a slow series in it
NEAR, NEARER = 30, 60  # digits: how near limits look


def where_at_least(function: Callable[[Any], Any], least: Any, reached: bool) -> Callable[[Any], Any]:
    def called(a: Any) -> Any:
        if a < least or (a == least and not reached):
            raise Undefined
        return function(a)

    return called


def lambert(a: Any, branch: Any = 0) -> Any:
    if a < -mp.exp(-1) or (branch == -1 and a >= 0):
        raise Undefined
    return mp.re(mp.lambertw(a, int(branch)))


def binomial(n: Any, k: Any) -> Any:
    natural(n - k)
    return mp.binomial(natural(n), natural(k))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": mp.exp, "log": where_at_least(mp.log, 0, False), "ln": where_at_least(mp.log, 0, False),
    "sqrt": where_at_least(mp.sqrt, 0, True), "Max": max, "Min": min, "Abs": abs, "floor": mp.floor,
    "ceiling": mp.ceil, "LambertW": lambert, "binomial": binomial, "factorial": lambda n: mp.factorial(natural(n)),
    "erf": mp.erf, "gamma": where_at_least(mp.gamma, 0, False), "loggamma": where_at_least(mp.loggamma, 0, False),
    "sin": mp.sin, "cos": mp.cos}


class Look:
    """One look at a statement's texts.  ``ties``: what a strict comparison of numbers says that agree to 50 digits
    and are not seen to be the same: None to be unsure, False at a witness, where equality is what is meant."""

    def __init__(self, let: tuple[str, ...] = (), ties: bool | None = None) -> None:
        self.let, self.ties, self.rough = defined_by(let), ties, False

    # ---- terms ----

    def value(self, node: ast.expr, env: Env) -> Any:
        match node:
            case ast.Constant(value=int(n)):
                return mpf(n)
            case ast.Name(id=name):
                return env[name] if name in env else self.value(self.let[name][1], env)
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return -self.value(a, env)
            case ast.BinOp(left=a, op=op, right=b):
                return self.operation(op, self.value(a, env), self.value(b, env))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self.called(name, arguments, env)
        raise AssertionError(ast.unparse(node))

    def operation(self, op: ast.operator, a: Any, b: Any) -> Any:
        match op:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.Div():
                if b == 0:
                    raise Undefined
                return a / b
        return power(a, b)

    def called(self, name: str, arguments: list[ast.expr], env: Env) -> Any:
        if name in ("Sum", "Integral"):
            x, low, high = arguments[1].elts  # type: ignore[attr-defined]
            return self.whole(name, arguments[0], x.id, self.value(low, env), high, env)
        if name in ("E", "Var", "Pr"):
            x, law = arguments[1].elts  # type: ignore[attr-defined]
            return summing.mean(self, name, arguments[0], x.id, law, env)
        values = [self.value(a, env) for a in arguments]
        if name in self.let:
            parameters, body = self.let[name]
            return self.value(body, {**env, **dict(zip(parameters, values, strict=True))})
        return FUNCTIONS[name](*values)

    def whole(self, name: str, body: ast.expr, x: str, low: Any, high: ast.expr, env: Env) -> Any:
        def term(v: Any) -> Any:
            return self.value(body, {**env, x: v})

        end = mpmath.inf if ast.unparse(high) == "oo" else self.value(high, env)
        return summing.total(self, term, low, end) if name == "Sum" else summing.integral(self, term, low, end)

    # ---- formulas ----

    def truth(self, node: ast.expr, env: Env, guard: bool = False) -> bool:
        """Is the formula true?  In a guard what is undefined is false; in a goal ``Undefined`` is raised."""
        match node:
            case ast.Compare(left=left, ops=ops, comparators=rest):
                sides = [left, *rest]
                try:
                    return all([self.link(SIGNS[type(op)], a, b, env)
                                for op, a, b in zip(ops, sides, rest, strict=False)])
                except Undefined:
                    if guard:
                        return False
                    raise
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self.formula(name, arguments, env, guard)
        raise AssertionError(ast.unparse(node))

    def link(self, sign: str, left: ast.expr, right: ast.expr, env: Env) -> bool:
        if isinstance(right, ast.Call) and right.func.id == "limit":  # type: ignore[attr-defined]
            left, right = right, left
        if isinstance(left, ast.Call) and left.func.id == "limit":  # type: ignore[attr-defined]
            body, x, to, *side = left.args
            return self.tends(lambda v: self.value(body, {**env, x.id: v}),  # type: ignore[attr-defined]
                              self.places(to, ast.literal_eval(side[0]) if side else "+-", env), right, env)
        self.rough = False
        return self.compared(sign, self.value(left, env), self.value(right, env))

    def compared(self, sign: str, a: Any, b: Any) -> bool:
        gap = a - b
        if not mp.isfinite(gap):
            raise Unsure
        same = gap == 0 or abs(gap) < (mpf(10) ** -ROUGH * (1 + abs(a)) if self.rough else
                                       mpf(10) ** -COMPARED * max(abs(a), abs(b)) + mpf(10) ** -60)
        if same and gap != 0 and sign in ("<", ">", "!="):
            if self.ties is None:
                raise Unsure
            return self.ties
        return bool({"==": same, "!=": not same, "<=": gap < 0 or same, ">=": gap > 0 or same, "<": gap < 0,
                     ">": gap > 0}[sign])

    def formula(self, name: str, arguments: list[ast.expr], env: Env, guard: bool) -> bool:
        match name:
            case "And":
                return all([self.truth(a, env, guard) for a in arguments])
            case "Or":
                return any([self.truth(a, env, guard) for a in arguments])
            case "Implies":
                return not self.truth(arguments[0], env, True) or self.truth(arguments[1], env, guard)
            case "Integer" | "Natural":
                self.rough, value = False, self.value(arguments[0], env)
                return self.compared("==", value, mp.nint(value)) and (name == "Integer" or value >= 0)
            case "ForAll":
                x = arguments[0].id  # type: ignore[attr-defined]
                return all(self.truth(arguments[2], {**env, x: v}, guard)
                           for v in points.spread(self, x, arguments[1], env))
            case "Exists" | "ExistsUnique":
                met = points.met(self, arguments[0].id, arguments[1:], env)  # type: ignore[attr-defined]
                return len(met) == 1 if name == "ExistsUnique" else bool(met)
            case "SequenceLimit":
                body, n, to = arguments
                return self.tends(lambda v: self.value(body, {**env, n.id: v}),  # type: ignore[attr-defined]
                                  [[mpf(10) ** d + k for k in (0, 1)] for d in (NEAR, NEARER)], to, env)
            case "BigO":
                f, g, x, to = arguments
                return self.dominated(f, g, x.id, self.places(to, "+-", env), env)  # type: ignore[attr-defined]
        return self.shape(name, arguments, env)

    def shape(self, name: str, arguments: list[ast.expr], env: Env) -> bool:
        f, variable, domain = arguments
        x, kind = variable.id, name.removeprefix("Strictly")  # type: ignore[attr-defined]
        sign = ">" if name.startswith("Strictly") else ">="
        places = sorted(points.spread(self, x, domain, env))
        values = [self.value(f, {**env, x: v}) for v in places]
        if kind in ("Increasing", "Decreasing"):
            return all(self.compared(sign, b, a) if kind == "Increasing" else self.compared(sign, a, b)
                       for a, b in pairwise(values))
        answers = []
        for i, u in enumerate(places):
            for j in range(i + 2, len(places), 5):
                v = places[j]
                middle, chord = self.value(f, {**env, x: (u + v) / 2}), (values[i] + values[j]) / 2
                answers.append(self.compared(sign, *((chord, middle) if kind == "Convex" else (middle, chord))))
        return all(answers)

    # ---- limits ----

    def places(self, to: ast.expr, side: str, env: Env) -> list[list[Any]]:
        text = ast.unparse(to)
        if text in ("oo", "-oo"):
            return [[(-1 if text == "-oo" else 1) * mpf(10) ** d * c for c in (1, mpf(3) / 2)] for d in (NEAR, NEARER)]
        at, signs = self.value(to, env), {"+": (1,), "-": (-1,), "+-": (1, -1)}[side]
        with mp.workdps(5 * DIGITS):
            return [[at + s * c / mpf(10) ** d for s in signs for c in (1, mpf(3) / 7)] for d in (NEAR, NEARER)]

    def tends(self, f: Callable[[Any], Any], places: list[list[Any]], to: ast.expr, env: Env) -> bool:
        with mp.workdps(5 * DIGITS):
            try:
                values = [[f(p) for p in group] for group in places]
            except Undefined:  # so near to the point: the limit does not exist
                return False
            if ast.unparse(to) in ("oo", "-oo"):
                sign = -1 if ast.unparse(to) == "-oo" else 1
                low, lower = (min(sign * v for v in group) for group in values)
                return bool(lower > 10**6 and lower > 10 * low)
            value = self.value(to, env)
            far, near = (max(abs(v - value) for v in group) for group in values)
            if near < mpf(10) ** -20 or (near < mpf(10) ** -2 and near < far / 10):
                return True
            if near > mpf(10) ** -3 and near > far * 9 / 10:
                return False
        raise Unsure

    def dominated(self, f: ast.expr, g: ast.expr, x: str, places: list[list[Any]], env: Env) -> bool:
        with mp.workdps(5 * DIGITS):
            ratios = [max(abs(self.value(f, {**env, x: p}) / self.value(g, {**env, x: p})) for p in group)
                      for group in places]
        return bool(ratios[1] <= ratios[0] * 3 / 2)
