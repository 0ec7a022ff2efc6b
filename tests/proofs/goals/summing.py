"""Sums, series, integrals and means by numbers.  Slow series and integrals make the look that asks ``rough``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import mpmath
from mpmath import mp, mpf

from .terms import Env, Undefined, Unsure, natural, power

if TYPE_CHECKING:
    from .numbers_of import Look

TERMS = 3_000
SMALL = mpf(10) ** -68
QUAD_DIGITS = 20
STEPS = [mpf(s) for s in ("1", "8", "64")]  # where an integral to infinity is cut


def total(look: Look, term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    if not mp.isint(low) or not (high == mpmath.inf or mp.isint(high)) or high < low - 1:
        raise Undefined
    if high != mpmath.inf:
        return mpmath.fsum(term(mpf(k)) for k in range(int(low), int(high) + 1))
    result, quiet, last = mpf(0), 0, mpf(0)
    for k in range(int(low), int(low) + TERMS):
        last = term(mpf(k))
        result += last
        quiet = quiet + 1 if abs(last) <= SMALL * max(1, abs(result)) else 0
        if quiet == 6:
            return result
    if abs(last) * TERMS > mpf(1) / 2:  # terms that fall no faster than 1/k
        raise Undefined
    look.rough = True
    with mp.workdps(QUAD_DIGITS):
        return mpmath.nsum(term, [low, mpmath.inf])


def integral(look: Look, term: Callable[[Any], Any], low: Any, high: Any) -> Any:
    look.rough = True
    if low == high:
        return mpf(0)
    with mp.workdps(QUAD_DIGITS):
        if high == mpmath.inf:
            sizes = [abs(term(low + d) * d) for d in (mpf(10) ** 3, mpf(10) ** 5)]
            if sizes[1] > mpf(10) ** -3 and sizes[1] >= sizes[0] / 2:
                raise Undefined
            value, error = mpmath.quad(term, [low, *(low + s for s in STEPS), mpmath.inf], error=True)
        else:
            value, error = mpmath.quad(term, [low, high], error=True)
    if error > mpf(10) ** -14 * (1 + abs(value)):
        raise Unsure
    return value


def weight(name: str, given: list[Any]) -> tuple[Callable[[Any], Any], Any, Any, bool]:
    """A law's weight, its least and largest value, and whether it is discrete; its parameters are valid."""
    match name, given:
        case "Geometric", [p] if 0 < p <= 1:
            return lambda k: p * power(1 - p, k - 1), mpf(1), mpmath.inf, True
        case "Poisson", [m] if m >= 0:
            return lambda k: power(m, k) * mp.exp(-m) / mp.factorial(k), mpf(0), mpmath.inf, True
        case "Binomial", [n, p] if 0 <= p <= 1:
            natural(n)
            return lambda k: mp.binomial(n, k) * power(p, k) * power(1 - p, n - k), mpf(0), n, True
        case "Exponential", [r] if r > 0:
            return lambda x: r * mp.exp(-r * x), mpf(0), mpmath.inf, False
        case "Gamma", [k, r] if r > 0 and natural(k) >= 1:
            return (lambda x: power(r, k) * power(x, k - 1) * mp.exp(-r * x) / mp.factorial(k - 1), mpf(0), mpmath.inf,
                    False)
        case "Uniform", [a, b] if a < b:
            return lambda x: 1 / (b - a), a, b, False
    raise Undefined


def mean(look: Look, operator: str, body: ast.expr, x: str, law: ast.expr, env: Env) -> Any:
    """E, Var or Pr of one variable; an event is a comparison of the variable with a term."""
    assert isinstance(law, ast.Call) and isinstance(law.func, ast.Name)
    w, low, high, discrete = weight(law.func.id, [look.value(a, env) for a in law.args])
    if operator == "Pr":
        assert isinstance(body, ast.Compare) and ast.unparse(body.left) == x
        (op,), bound = body.ops, look.value(body.comparators[0], env)
        if discrete:
            whole = mp.isint(bound)
            low = max(low, mp.ceil(bound) + (isinstance(op, ast.Gt) and whole)) if isinstance(
                op, ast.Gt | ast.GtE | ast.Eq) else low
            high = min(high, mp.floor(bound) - (isinstance(op, ast.Lt) and whole)) if isinstance(
                op, ast.Lt | ast.LtE | ast.Eq) else high
            return total(look, w, low, max(high, low - 1))
        if isinstance(op, ast.Gt | ast.GtE):
            low = max(low, bound)
        else:
            high = min(high, bound)
        return integral(look, w, low, max(high, low))

    def moment(exponent: int) -> Any:
        made = total if discrete else integral
        return made(look, lambda v: look.value(body, {**env, x: v}) ** exponent * w(v), low, high)

    return moment(1) if operator == "E" else moment(2) - moment(1) ** 2
