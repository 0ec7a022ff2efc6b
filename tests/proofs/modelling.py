"""Formulas of the kernel with a value in a state: to hold a theorem's conditions and terms against a chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from qtheory.proofs.axiomatic import owed
from qtheory.proofs.chains import Recurrence, needed
from qtheory.proofs.claims.to.models.chain import Law
from qtheory.proofs.claims.to.models.schedulers import (
    Scheduler,
    faster_transformer,
    idles_unless_full,
    k_fcfs,
    orca,
    sarathi,
    vllm,
)
from qtheory.proofs.kernel.statements import Statement, declared

UNMIXED: tuple[Scheduler, ...] = (faster_transformer, vllm)


def conserving(k_p: int, k_d: int) -> dict[str, Scheduler]:
    """Work-conserving algorithms; (K_p, K_d)-FCFS is one for K_p, K_d >= b."""
    return {"Sarathi-Serve": sarathi, "Orca": orca, "(K_p, K_d)-FCFS": partial(k_fcfs, k_p=k_p, k_d=k_d),
            "idles unless full": idles_unless_full}


class Undefined(Exception):
    """A term without a value."""


@dataclass
class Model:
    """Numbers for variables and functions, at which formulas of the kernel have a value; i runs over 1, ..., last.

    The derivative of a function is the one under its name with a ``d`` before it, which raises Undefined where there is
    none. Where there are logarithms, a function under the name "log" stands for log."""

    values: Mapping[str, Fraction]
    functions: Mapping[str, Any]
    last: int

    def term(self, t: Any, at: Mapping[str, Fraction]) -> Fraction:
        if isinstance(t, Fraction):
            return t
        if isinstance(t, str):
            return at[t] if t in at else self.values[t]
        head, parts = t[0], t[1:]
        if head == "app":
            given = (self.term(p, at) for p in parts[1:])
            return Fraction(self.functions[parts[0]](*(int(x) if x.denominator == 1 else x for x in given)))
        if head == "diff":
            return Fraction(self.functions["d" + parts[1][1]](int(self.term(parts[2], at))))
        if head == "sum":
            i, low, high, body = parts
            ends = range(int(self.term(low, at)), int(self.term(high, at)) + 1)
            return sum((self.term(body, {**at, i: Fraction(n)}) for n in ends), Fraction(0))
        numbers = [self.term(p, at) for p in parts]
        if head == "+":
            return sum(numbers, Fraction(0))
        if head == "*":
            product = Fraction(1)
            for x in numbers:
                product *= x
            return product
        if head == "log":
            return Fraction(self.functions["log"](numbers[0]))
        if head == "^":
            return Fraction(numbers[0] ** int(numbers[1]))
        return max(numbers) if head == "max" else Fraction(numbers[0] // 1)  # floor

    def holds(self, f: Any, at: Mapping[str, Fraction] | None = None) -> bool:
        at, head = at or {}, f[0]
        if head in ("and", "or"):
            return (all if head == "and" else any)(self.holds(p, at) for p in f[1:])
        if head == "imp":
            return not self.holds(f[1], at) or self.holds(f[2], at)
        if head == "all":
            return all(self.holds(f[2], {**at, f[1]: Fraction(n)}) for n in range(1, self.last + 1))
        try:
            value = self.term(f[1], at)
        except Undefined:
            return bool(head == "undef")
        return {"def": True, ">": value > 0, ">=": value >= 0, "=": value == 0, "!=": value != 0,
                "isint": value.denominator == 1}[head]


TWO_SIZES: Law = ((Fraction(1, 2), ()), (Fraction(1, 4), ((2, 3),)), (Fraction(1, 4), ((1, 1), (1, 2))))


LETS: dict[str, tuple[str, ...]] = {}  # by theorem, which is drawn up again by each test, and takes a second to read


def _let(theorem: Recurrence) -> tuple[str, ...]:
    known = repr(theorem)
    if known not in LETS:
        LETS[known] = owed(theorem).let
    return LETS[known]


def conditions(theorem: Recurrence) -> list[tuple[str, Any]]:
    functions, let = tuple(w for w in theorem.where if declared(w, "functions")), _let(theorem)
    return [(w, h) for w in theorem.where if w not in functions
            for h in Statement("1 > 0", (w, *functions), needed(w, let)).hypotheses]


def term(theorem: Recurrence, symbol: str) -> Any:
    functions = tuple(w for w in theorem.where if declared(w, "functions"))
    return Statement(f"{symbol} == 0", functions, needed(symbol, _let(theorem))).conclusion[1]
