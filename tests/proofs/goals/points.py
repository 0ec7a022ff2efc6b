"""Points at which conditions hold: seeded samples of a goal's domain, and solutions of the equations among them."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from mpmath import mp, mpf

from .terms import FLIP, SIGNS, Env, Undefined, names_in, parsed

if TYPE_CHECKING:
    from .numbers_of import Look

WIDE, WIDER = mpf(12), mpf(3000)  # how far a range without an end is looked at: for samples, for solutions
GRID = 48
HEAVY = ("Sum(", "Integral(", "Pr(", "E(", "Var(", "limit(", "SequenceLimit(",
         "Exists")  # looked at away from edges alone
NATURALS = 50  # whole numbers below it are drawn, small ones more often


def families(where: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in where:
        names, _, family = text.partition(" in ")
        if family:
            found |= {name.strip(): family.strip() for name in names.split(",")}
    return found


def conditions(where: tuple[str, ...]) -> list[ast.expr]:
    return [parsed(text) for text in where if " in " not in text]


def parts(formula: ast.expr) -> Iterator[ast.expr]:
    if isinstance(formula, ast.Call) and formula.func.id == "And":  # type: ignore[attr-defined]
        for a in formula.args:
            yield from parts(a)
    else:
        yield formula


def links(formulas: list[ast.expr]) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """The comparisons in conjunctions, each also the other way round."""
    for formula in (p for f in formulas for p in parts(f)):
        if isinstance(formula, ast.Compare):
            sides = [formula.left, *formula.comparators]
            for op, a, b in zip(formula.ops, sides, sides[1:], strict=False):
                sign = SIGNS[type(op)]
                yield a, sign, b
                yield b, FLIP[sign], a


def ends(look: Look, x: str, formulas: list[ast.expr], env: Env) -> tuple[Any, Any]:
    """The bounds of x that conditions state by terms that are known at the point; None where there is none."""
    low = high = None
    for a, sign, b in links(formulas):
        if isinstance(a, ast.Name) and a.id == x and names_in(b) <= env.keys() and sign not in ("==", "!="):
            try:
                value = look.value(b, env)
            except Undefined:
                continue
            if sign in (">", ">="):
                low = value if low is None else max(low, value)
            else:
                high = value if high is None else min(high, value)
    return low, high


def drawn(low: Any, high: Any, family: str, chance: random.Random, edges: bool) -> Any:
    """A number between the ends, which may be None: often a simple one, now and then (``edges``) one next to an end."""
    if family in ("naturals", "integers"):
        size = chance.choice((8, NATURALS))
        start = mp.ceil(low) if low is not None and low > 0 else mpf(0)
        values: list[Any] = [start + k for k in range(size)]
        values += [mpf(-k) for k in range(1, size)] if family == "integers" and not start else []
        values = [v for v in values if (low is None or v >= low) and (high is None or v <= high)]
        return chance.choice(values or [mpf(0)])
    if low is not None and high is not None:
        part = mpf(chance.randint(1, 99)) / 100
        if edges and chance.random() < 0.15:
            part = mpf(10) ** -chance.randint(3, 9)
            part = chance.choice((part, 1 - part))
        return low + part * (high - low)
    away = mpf(chance.choice((chance.randint(1, 40), chance.randint(1, 240)))) / 20
    if edges and chance.random() < 0.15:
        away = mpf(10) ** -chance.randint(3, 9)
    if low is None and high is None:
        return chance.choice((away, -away))
    return low + away if low is not None else high - away


def equations(formulas: list[ast.expr], free: set[str]) -> dict[str, ast.Compare]:
    """The variable that each equation among the conditions is solved for: one that is a whole side of it, rather one
    that is not on the other side as well; else the last of its variables by name."""
    found: dict[str, ast.Compare] = {}
    for formula in (p for f in formulas for p in parts(f)):
        if isinstance(formula, ast.Compare) and len(formula.ops) == 1 and isinstance(formula.ops[0], ast.Eq):
            a, b = formula.left, formula.comparators[0]
            sides = [s.id for s in (a, b) if isinstance(s, ast.Name) and s.id in free - found.keys()]
            alone = [s for s in sides if not (s in names_in(a) and s in names_in(b))]
            rest = sorted((names_in(formula) & free) - found.keys())
            for name in [*alone, *sides, *rest[::-1]][:1]:
                found[name] = formula
    return found


def solutions(look: Look, x: str, equation: ast.Compare, low: Any, high: Any, env: Env) -> list[Any]:
    """The x between the ends at which both sides agree, as a grid and what is refined from it show them."""
    a, b = equation.left, equation.comparators[0]
    for side, other in ((a, b), (b, a)):
        if isinstance(side, ast.Name) and side.id == x and x not in names_in(other):
            return [look.value(other, env)]

    def gap(v: Any) -> Any:
        try:
            return look.value(a, {**env, x: v}) - look.value(b, {**env, x: v})
        except Undefined:
            return None

    places = _grid(low, high)
    values = [gap(v) for v in places]
    found: list[Any] = []
    for i, (v, g) in enumerate(zip(places, values, strict=True)):
        if g is not None and abs(g) < mpf(10) ** -60:
            found.append(v)
        if i and g is not None and values[i - 1] is not None and g * values[i - 1] < 0:
            found.append(_between(gap, places[i - 1], v))
        around = values[max(i - 1, 0):i + 2]
        if len(around) == 3 and i and None not in around and all(g * n > 0 for n in around) and all(
                abs(g) <= abs(n) for n in around):
            found.append(_touching(gap, places[i - 1], places[i + 1]))
    kept: list[Any] = []
    for v in found:
        if v is not None and all(abs(v - k) > mpf(10) ** -20 for k in kept):
            kept.append(v)
    return kept


def _grid(low: Any, high: Any) -> list[Any]:
    """Evenly between two ends; from one end or from 0 with steps that grow."""
    parts = [mpf(k) / GRID for k in range(GRID + 1)]
    if low is not None and high is not None:
        return [low + (high - low) * t for t in parts]
    away = [WIDER * t**3 for t in parts]
    if low is not None:
        return [low + d for d in away]
    return [high - d for d in away[::-1]] if high is not None else [-d for d in away[:0:-1]] + away


def _between(gap: Any, low: Any, high: Any) -> Any:
    """Where the sign changes, unless by a leap: false position, the value at the end that stays halved (Illinois)."""
    at_low, at_high = gap(low), gap(high)
    for _ in range(120):
        v = (low * at_high - high * at_low) / (at_high - at_low)
        whole = mp.nint(v)
        for near in (whole, v) if min(low, high) < whole < max(low, high) else (v,):
            value = gap(near)
            if value is None:
                return None
            if abs(value) < mpf(10) ** -62:
                return near
        if value * at_high < 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = v, value
    return None


def _touching(gap: Any, low: Any, high: Any) -> Any:
    """Where the gap comes down to 0 and does not change its sign."""
    for _ in range(170):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if abs(gap(a)) <= abs(gap(b)) else (a, high)
    for v in (mp.nint(low * 1000) / 1000, low):
        if abs(gap(v)) < mpf(10) ** -48:
            return v
    return None


def domain(look: Look, where: tuple[str, ...], free: set[str], count: int, seed: str, edges: bool
           ) -> Iterator[Env]:
    """That many points of the free variables at which all conditions hold, or fewer where they are hard to meet."""
    formulas, family, chance = conditions(where), families(where), random.Random(seed)
    solved = equations(formulas, free)
    chosen = sorted(free - solved.keys())
    found = 0
    for _ in range(60 * count):
        chance.shuffle(chosen)  # bounds by other variables are of use after these
        env: Env = {}
        for x in [*chosen, *solved]:
            low, high = ends(look, x, formulas, env)
            if low is not None and high is not None and low > high:
                break
            if x in solved:
                values = solutions(look, x, solved[x], low, high, env)
                if not values:
                    break
                env[x] = chance.choice(values)
            else:
                env[x] = drawn(low, high, family.get(x, "reals"), chance, edges)
        else:
            if holds_all(look, formulas, family, env):
                yield env
                found += 1
                if found == count:
                    return


def holds_all(look: Look, formulas: list[ast.expr], family: dict[str, str], env: Env) -> bool:
    for x, kind in family.items():
        if x in env and kind != "reals" and not (mp.isint(env[x]) and (kind == "integers" or env[x] >= 0)):
            return False
    return all(look.truth(f, env, True) for f in formulas)


def spread(look: Look, x: str, guard: ast.expr, env: Env) -> list[Any]:
    """Values of a bound variable at which its guard holds, those near its ends among them."""
    low, high = ends(look, x, [guard], env)
    low = (-WIDE if high is None else high - WIDE) if low is None else low
    high = low + WIDE if high is None else high
    values = [low + (high - low) * mpf(k) / GRID for k in range(GRID + 1)]
    values += [low + (high - low) / 1000, high - (high - low) / 1000]
    return [v for v in values if look.truth(guard, {**env, x: v}, True)]


def met(look: Look, x: str, formulas: list[ast.expr], env: Env) -> list[Any]:
    """Values of x at which a guard and a body hold: solutions of an equation in the body, else places of a grid."""
    guard, body = formulas
    solved = equations([body], {x})
    if x in solved:
        places = solutions(look, x, solved[x], *ends(look, x, formulas, env), env)
    else:
        places = spread(look, x, guard, env)
    found = []
    for v in places:
        try:
            if look.truth(guard, {**env, x: v}, True) and look.truth(body, {**env, x: v}):
                found.append(v)
        except Undefined:
            continue
    return found
