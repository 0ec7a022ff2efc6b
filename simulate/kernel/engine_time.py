"""Seconds of an iteration, and how many alike iterations cover a span of time."""

from __future__ import annotations

import math

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_kernels import REACH, kernel_sum
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import inlined


@inlined
def law_time(engine: Engine, prefill: int, decode: int, context: float, squares: float) -> float:
    """Seconds of an iteration with so many tokens; ``context``: tokens in the KV cache of its decode requests,
    ``squares``: sum of the squared prefill chunks."""
    par = engine.law_parameters
    n = float(prefill + decode)
    if engine.law == E.AFFINE:
        time = par[0] + par[1] * n
    elif engine.law == E.PIECEWISE:
        time = par[0] + par[1] * max(0.0, n - par[2])
    elif engine.law == E.KERNELS:  # of a prompt as a whole; an iteration's chunks are told by `clock`
        whole = int(prefill > 0)
        return kernel_sum(par, prefill + decode, whole, squares, squares, decode, context, decode + whole)
    elif engine.law == E.CONCAVE:
        time = par[0] + par[1] * n + par[2] * min(n, par[3])
    elif engine.law == E.STAIRCASE:
        time = par[0] * math.ceil(n / par[1]) + par[2] * n + par[3]
    elif engine.law == E.TWO_AFFINE:
        time = (par[0] + par[1] * n) if prefill > 0 else (par[2] + par[3] * n)
    elif engine.law == E.MIXED_QUADRATIC:
        ratio = decode / n
        time = par[0] + (par[1] + par[2] * ratio + par[3] * ratio * ratio) * n
    else:
        time = par[0] + par[1] * (context + n)
    return float(time + par[4] * squares + par[5] * context)


@inlined
def slope_of(engine: Engine, decode: int) -> float:
    """By how much an iteration is longer than the one before it when ``decode`` requests each hold a token more."""
    growth = engine.law_parameters[5] + (engine.law_parameters[1] if engine.law == E.MEMORY else 0.0)
    return float(growth * decode)


@inlined
def clock(
    engine: Engine, s: EngineState, n: int, prefill: int, decode: int, context: float, squares: float, ends: int,
    pieces: int,
) -> tuple[int, float, float]:
    """Of up to ``n`` alike iterations, those to be taken together, the seconds of the first, and by how much each is
    longer than the one before it. ``decode`` requests verify a token each, and their drafts.

    Measured attention is no straight line in the context: where the sum of kernels is the law, what is taken together
    lets contexts grow by a share `REACH`, along the chord.
    """
    verified = decode * (1 + engine.draft)
    if engine.law != E.KERNELS:
        return n, law_time(engine, prefill, verified, context, squares), slope_of(engine, decode)
    par, tokens, sampled = engine.law_parameters, prefill + verified, verified + ends
    whole, work = s.floats[E.CHUNK_WHOLE], s.floats[E.CHUNK_WORK]
    first = kernel_sum(par, tokens, pieces, whole, work, decode, context, sampled)
    n = 1 if prefill > 0 else min(n, 1 + int(REACH * context / decode))
    if n == 1:
        return 1, first, 0.0
    last = kernel_sum(par, tokens, 0, 0.0, 0.0, decode, context + decode * (n - 1.0), sampled)
    return n, first, max(0.0, (last - first) / (n - 1))


@inlined
def iterations_over(span: float, first: float, slope: float) -> int:
    """The least n, at least 1, with n first + slope n (n - 1)/2 >= ``span``: iterations that cover it."""
    ratio = span / first
    if not ratio < 1e15:
        return E.ENDLESS
    n = int(math.ceil(ratio))  # noqa: RUF046 (compiled, ceil gives a float)
    if slope > 0.0:
        half = first - 0.5 * slope
        n = int((math.sqrt(half * half + 2.0 * slope * max(span, 0.0)) - half) / slope)
        while n * first + slope * (0.5 * n * (n - 1)) < span:
            n += 1
        while n > 1 and (n - 1) * first + slope * (0.5 * (n - 1) * (n - 2)) >= span:
            n -= 1
    return max(1, n)
