"""The steady-state programs of the fluid model: bundled charging (40), separate charging (42), service levels (49).

Variables, in the order of the classes i = 1, 2, ..: ``x_i`` requests a GPU in prefill, ``ym_i`` in decode beside a
prefill, ``ys_i`` in decode on GPUs without, ``qp_i`` and ``qd_i`` waiting for either (these only for classes that lose
patience: without it nobody can wait for ever). Source: arXiv:2602.02987v1, Sections 3.1, 4.2 and 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.linprog import LinearProgram, Row
from qtheory.theory.planning.instance import Instance
from qtheory.theory.planning.levels import DecodeFairness, PrefillFairness, ServiceLevel, TokenTime

CHARGING = ("bundled", "separate")
KINDS = ("x", "ym", "ys", "qp", "qd")


def steady_state(instance: Instance, charging: str = "bundled", levels: Sequence[ServiceLevel] = (), *,
                 buffers: bool | None = None) -> LinearProgram:
    """The program of a cluster's GPU: $ a second, to be as large as can be, over the fluid model's steady states.

    ``levels``: bounds become rows; weights of the fairness levels go into the objective; that of :class:`TokenTime`, a
    ratio, does not (see :func:`qtheory.theory.planning.penalised.maximise`). ``buffers``: may requests wait for decode?
    By default they may unless a fairness level is active, as (43) and (45) have it.
    """
    if charging not in CHARGING:
        raise UnknownNameError("charging scheme", charging, list(CHARGING))
    kinds = [type(level) for level in levels]
    if len(set(kinds)) < len(kinds):
        raise InputError("each service level is given once")
    if buffers is None:
        buffers = not any(isinstance(level, PrefillFairness | DecodeFairness) for level in levels)
    rows = [*_capacities(instance), *_balances(instance, buffers)]
    objective = revenue(instance, charging)
    for level in levels:
        if isinstance(level, TokenTime):
            rows += _token_time(instance, level)
        else:
            rows += _fairness(instance, level)
            kind = "x" if isinstance(level, PrefillFairness) else "ys"
            objective |= {f"{kind}max": -level.weight, f"{kind}min": level.weight}
    return LinearProgram(objective, tuple(rows), _variables(instance, buffers))


def revenue(instance: Instance, charging: str) -> dict[str, Fraction]:
    """$ a second by variable: on completion (22), or for prefill and decode tokens as they are done (23)."""
    found: dict[str, Fraction] = {}
    c_p, c_d = instance.prices.prefill, instance.prices.decode
    rates = zip(instance.classes, instance.rewards, instance.mu_p, instance.mu_m, instance.mu_s, strict=True)
    for i, (c, w, p, m, s) in enumerate(rates, 1):
        if charging == "bundled":
            found |= {f"ym_{i}": w * m, f"ys_{i}": w * s}
        else:
            found |= {f"x_{i}": c_p * c.prompt * p, f"ym_{i}": c_d * c.decode * m, f"ys_{i}": c_d * c.decode * s}
    return found


def _variables(instance: Instance, buffers: bool) -> tuple[str, ...]:
    kinds = KINDS if buffers else KINDS[:-1]
    return tuple(f"{kind}_{i}" for kind in kinds for i, c in enumerate(instance.classes, 1)
                 if not kind.startswith("q") or c.patience)


def _capacities(instance: Instance) -> list[Row]:
    each = range(1, len(instance) + 1)
    one, batch = Fraction(1), Fraction(instance.batch)
    x = {f"x_{i}": one for i in each}
    return [
        Row("prefill_capacity", x, "<=", one, "at most one prefill a GPU"),
        Row("mixed_capacity", {f"ym_{i}": one for i in each} | {v: 1 - batch for v in x}, "<=", Fraction(0),
            f"at most {instance.batch - 1} decodes beside a prefill"),
        Row("solo_capacity", {f"ys_{i}": one for i in each} | dict.fromkeys(x, batch), "<=", batch,
            f"at most {instance.batch} decodes on a GPU without prefill"),
    ]


def _balances(instance: Instance, buffers: bool) -> list[Row]:
    rows = []
    rates = zip(instance.classes, instance.mu_p, instance.mu_m, instance.mu_s, strict=True)
    for i, (c, p, m, s) in enumerate(rates, 1):
        waits = {f"qp_{i}": c.patience} if c.patience else {}
        rows.append(Row(f"prefill_{i}", {f"x_{i}": p, **waits}, "==", c.rate,
                        f"all requests of {c.name!r} are prefilled" + (" or give up" if waits else "")))
        waits = {f"qd_{i}": -c.patience} if c.patience and buffers else {}
        rows.append(Row(f"decode_{i}", {f"x_{i}": p, f"ym_{i}": -m, f"ys_{i}": -s, **waits}, "==", Fraction(0),
                        f"what is prefilled of {c.name!r} is decoded" + (" or gives up" if waits else "")))
    return rows


def _fairness(instance: Instance, level: PrefillFairness | DecodeFairness) -> list[Row]:
    """The largest occupancy less the least is at most the bound; both are variables of their own."""
    kind = "x" if isinstance(level, PrefillFairness) else "ys"
    one = Fraction(1)
    rows = []
    for i, c in enumerate(instance.classes, 1):
        rows += [Row(f"{kind}max_{i}", {f"{kind}_{i}": one, f"{kind}max": -one}, "<=", Fraction(0),
                     f"{c.name!r} is at most the largest ({level})"),
                 Row(f"{kind}min_{i}", {f"{kind}_{i}": -one, f"{kind}min": one}, "<=", Fraction(0),
                     f"{c.name!r} is at least the least ({level})")]
    if level.bound is not None:
        rows.append(Row(row_of(level), {f"{kind}max": one, f"{kind}min": -one}, "<=", level.bound,
                        f"{level} is at most {float(level.bound):g}"))
    return rows


def _token_time(instance: Instance, level: TokenTime) -> list[Row]:
    """``tau (B - 1) x + (B/gamma)(1 - x) <= eta (B - x)``, (47) times its denominator."""
    if level.bound is None:
        return []
    batch, times = Fraction(instance.batch), instance.times
    slope = times.mixed * (batch - 1) - times.solo * batch + level.bound
    return [Row(row_of(level), {f"x_{i}": slope for i in range(1, len(instance) + 1)}, "<=",
                batch * (level.bound - times.solo),
                f"{level} is at most {float(level.bound):g} s (without prefill it is {float(times.solo):g} s)")]


def row_of(level: ServiceLevel) -> str:
    """The row of a service level's bound; its price is what the level costs."""
    return {PrefillFairness: "prefill_fairness", DecodeFairness: "decode_fairness",
            TokenTime: "token_time"}[type(level)]
