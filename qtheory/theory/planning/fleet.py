"""How many GPUs a recorded stretch of requests needs at least, whatever the scheduler does: a linear program.

A GPU works through iterations, each with at most ``slots`` decode requests (a token each) and ``budget`` tokens; one
with t tokens, whose decode requests hold r tokens of context, takes at least ``fixed + slope t + context r`` seconds by
each line of its kind. So in ``seconds`` of arrivals n GPUs do no more than what n * seconds hold of iterations, tokens
and context.

What need not be done by then: limits on means leave only so much for later. Who has no first token at the end has
waited since its arrival, and the sum of such waits is at most the limit on the mean TTFT times the requests. Who has no
last token has been waiting or in decode since its arrival, and the time in decode is at most the limit on the mean TPOT
times the decode tokens. So the most prompt tokens, decode tokens and context that can be left undone are fractional
knapsacks (:func:`left_over`). Without a limit on the mean TTFT everything can be left for later, without one on the
mean TPOT all decodes. In the long run, in which such requests come for ever, a stable fleet does all of them.

The time per output token: an iteration with d decodes keeps each of them for as long as it takes, ``d (fixed + slope
d)`` seconds in all or more, and that is at least its tangent at any d0, which is linear in d and in the number of
iterations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.models.laws import AffineLaw, ContextAffineLaw, Law, PiecewiseLinearLaw
from qtheory.numerics.linprog import LinearProgram, Row

ZERO, ONE = Fraction(0), Fraction(1)
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Requests:
    """Requests in the order of their arrival: ``arrivals`` (s, from 0), ``prompts`` and ``outputs`` (tokens, at least
    1); the first output token comes with the prefill. Arrays of one length."""

    arrivals: Floats
    prompts: Integers
    outputs: Integers

    def __len__(self) -> int:
        return len(self.prompts)

    @property
    def seconds(self) -> Fraction:
        """From 0 to the last arrival."""
        return Fraction(float(self.arrivals[-1]))

    @property
    def decodes(self) -> Integers:
        """Tokens after the first."""
        return self.outputs - 1

    @property
    def contexts(self) -> Integers:
        """Tokens that a request's decode iterations hold, summed: prompt + 1, ..., prompt + decodes."""
        d = self.decodes
        return d * self.prompts + d * (d + 1) // 2


@dataclass(frozen=True)
class Worker:
    """A kind of GPU: ``lines`` (fixed, slope) below its iteration time, ``context``: seconds for each token held;
    at most ``budget`` tokens and ``slots`` decodes an iteration; ``price``: $ an hour."""

    name: str
    lines: tuple[tuple[Fraction, Fraction], ...]
    context: Fraction
    budget: int
    slots: int
    price: Fraction

    @staticmethod
    def of_law(name: str, law: Law, budget: int, slots: int, price: Fraction) -> Worker:
        """From an affine, context-affine or piecewise linear law, its constants as printed."""
        c = {k: Fraction(str(v)) for k, v in law.constants.items()}
        if isinstance(law, AffineLaw):
            return Worker(name, ((c["alpha"], c["beta"]),), ZERO, budget, slots, price)
        if isinstance(law, ContextAffineLaw):
            return Worker(name, ((c["alpha"], c["beta"]),), c["gamma"], budget, slots, price)
        if isinstance(law, PiecewiseLinearLaw):
            lines = ((c["c"], ZERO), (c["c"] - c["a"] * c["b0"], c["a"]))
            return Worker(name, lines, ZERO, budget, slots, price)
        raise InputError(f"GPU {name!r}: a law of kind {law.kind} has no line a token")

    @property
    def least_decode(self) -> Fraction:
        """Seconds of an iteration with one decode token alone, its context left out."""
        return max(a + b for a, b in self.lines)

    def least_prefill(self, prompts: Integers) -> Fraction:
        """The least mean time that the prompts' own prefills take, by themselves on such a GPU."""
        chunks = int(np.sum(-(-prompts // self.budget)))
        return max(a * chunks + b * int(prompts.sum()) for a, b in self.lines) / len(prompts)

    def prefills(self, prompts: Integers) -> Floats:
        """The least seconds of each prompt's prefill, by itself on such a GPU."""
        chunks = -(-prompts // self.budget)
        return np.max([float(a) * chunks + float(b) * prompts for a, b in self.lines], axis=0)


def left_over(values: Integers, waits: Floats, room: float) -> int:
    """The most that requests can leave undone: sum of values, those chosen having waited for ``room`` in all at most.

    The fractional knapsack, rounded up: a bound on the whole one. ``waits``: seconds, by request.
    """
    order = np.argsort(-values / np.maximum(waits, 1e-12), kind="stable")
    spent = np.cumsum(waits[order])
    whole = int(np.searchsorted(spent, room * (1 + 1e-9) + 1e-9, side="right"))
    return int(values[order[:whole + 1]].sum())


@dataclass(frozen=True)
class Needs:
    """What must be done while requests arrive: prompt tokens, decode tokens, context held; and the seconds that decodes
    may take in all (None: any)."""

    seconds: Fraction
    prompts: int
    decodes: int
    contexts: int
    decode_seconds: Fraction | None

    @staticmethod
    def of(requests: Requests, ttft: Fraction | None, tpot: Fraction | None, least_decode: Fraction = ZERO) -> Needs:
        """By the limits on the means (s). ``least_decode``: seconds that any decode token takes at least; what is done
        by the end has taken that much of the time in decode, which leaves less for those that are not done."""
        waits = float(requests.arrivals[-1]) - requests.arrivals
        every = Needs.forever(requests, tpot)
        totals, decode_seconds = (every.prompts, every.decodes, every.contexts), every.decode_seconds
        undone = list(totals)
        if ttft is not None:
            first = float(ttft) * len(requests)
            undone[0] = left_over(requests.prompts, waits, first)
        if ttft is not None and decode_seconds is not None:
            for _ in range(4):  # at most so many decodes are left, so that at least the others have taken their time
                spent = float(least_decode) * (totals[1] - undone[1])
                room = first + max(float(decode_seconds) - spent, 0.0)
                undone[1] = min(undone[1], left_over(requests.decodes, waits, room))
            undone[2] = left_over(requests.contexts, waits, room)
        prompts, decodes, contexts = (max(t - u, 0) for t, u in zip(totals, undone, strict=True))
        return Needs(requests.seconds, prompts, decodes, contexts, decode_seconds)

    @staticmethod
    def forever(requests: Requests, tpot: Fraction | None) -> Needs:
        """All of it, as a stable fleet does it when such requests come for ever."""
        prompts, decodes, contexts = (int(v.sum()) for v in (requests.prompts, requests.decodes, requests.contexts))
        return Needs(requests.seconds, prompts, decodes, contexts, None if tpot is None else tpot * decodes)


def least_fleet(needs: Needs, workers: Sequence[Worker], objective: str = "price") -> LinearProgram:
    """The program whose optimum, with its sign changed, is the least ``price`` (of all GPUs, $ an hour) or the least
    number of GPUs (``count``) with which the needs can be met; ``n_g`` GPUs of kind g, from 1."""
    rows, aim = list[Row](), dict[str, Fraction]()
    for g, w in enumerate(workers, 1):
        aim[f"n_{g}"] = -(w.price if objective == "price" else ONE)
        tokens = {f"p_{g}": ONE, f"d_{g}": ONE}
        rows += [
            Row(f"slots_{g}", {f"k_{g}": Fraction(w.slots), f"d_{g}": -ONE}, ">=", ZERO,
                f"at most {w.slots} decodes an iteration on {w.name}"),
            Row(f"budget_{g}", {f"k_{g}": Fraction(w.budget), f"p_{g}": -ONE, f"d_{g}": -ONE}, ">=", ZERO,
                f"at most {w.budget} tokens an iteration on {w.name}")]
        for k, (fixed, slope) in enumerate(w.lines, 1):
            work = {f"k_{g}": -fixed} | {v: -slope for v in tokens} | {f"r_{g}": -w.context}
            rows.append(Row(f"time_{g}_{k}", {f"n_{g}": needs.seconds, **work}, ">=", ZERO,
                            f"an iteration on {w.name} takes its time"))
            if needs.decode_seconds is not None:
                rows += _tangents(g, k, w, fixed, slope)
    each = range(1, len(workers) + 1)
    for name, letter, amount in (("prompts", "p", needs.prompts), ("decodes", "d", needs.decodes),
                                 ("contexts", "r", needs.contexts)):
        rows.append(Row(name, {f"{letter}_{g}": ONE for g in each}, ">=", Fraction(amount),
                        f"{amount:,} tokens ({name}) are done while requests arrive"))
    if needs.decode_seconds is not None:
        rows.append(Row("tpot", {f"v_{g}": ONE for g in each}, "<=", needs.decode_seconds,
                        "the mean time per output token is within its limit"))
    return LinearProgram(aim, tuple(rows))


def _tangents(g: int, k: int, w: Worker, fixed: Fraction, slope: Fraction) -> list[Row]:
    """``v >= (fixed + 2 slope d0) d - slope d0^2 k`` at some d0, and ``v >= (fixed + slope) d + context r``."""
    rows = [Row(f"decode_time_{g}_{k}_0", {f"v_{g}": ONE, f"d_{g}": -(fixed + slope), f"r_{g}": -w.context}, ">=", ZERO,
                f"a decode on {w.name} lasts at least its own iteration")]
    at, number = 1, 0
    while slope and at <= w.slots:
        number += 1
        rows.append(Row(f"decode_time_{g}_{k}_{number}",
                        {f"v_{g}": ONE, f"d_{g}": -(fixed + 2 * slope * at), f"k_{g}": slope * at * at}, ">=", ZERO,
                        f"a decode on {w.name} lasts as long as its iteration"))
        at = max(at + 1, math.ceil(at * 1.25))
    return rows


__all__ = ["Needs", "Requests", "Worker", "least_fleet", "left_over"]
