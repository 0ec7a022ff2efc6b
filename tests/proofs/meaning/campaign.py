"""Statements by the thousand: what each says, against what each checker's reading of its text says.

A block of statements is a range of numbers; each is drawn from its number, so blocks can be run apart, and anew.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from recheck_support import as_tuple

from qtheory.proofs.kernel.statements import Statement as KernelStatement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.recheck import RecheckError
from qtheory.proofs.recheck.statement import Statement as SecondStatement

from .generator import drawn
from .primitive import Primitive
from .reals import WORK, TooLong
from .trees import Meant
from .truth import Env, every, holds, meets

MOST = 100_000  # values that are worked out for a statement, some seconds of them
Formulas = tuple[tuple[Any, ...], Any]  # the conditions, and what is to be proved of the goal
Reader = Callable[[dict[str, Any]], Formulas | None]


def kernel_reading(texts: dict[str, Any]) -> Formulas | None:
    """The formulas that the kernel makes of a statement; None where it refuses it."""
    try:
        s = KernelStatement.from_json(texts)
        return s.hypotheses, s.conclusion
    except KernelError:
        return None


def second_reading(texts: dict[str, Any]) -> Formulas | None:
    """The same of the second checker."""
    try:
        s = SecondStatement(texts)
    except RecheckError:
        return None
    return tuple(map(as_tuple, s.hypotheses)), as_tuple(s.conclusion)


@dataclass
class Finding:
    """One statement on which a reading and the meaning differ."""

    number: int
    reader: str
    what: str
    point: Env
    meant: bool | None
    read: bool | None
    texts: dict[str, Any]

    def __str__(self) -> str:
        at = ", ".join(f"{x} = {v}" for x, v in self.point.items()) or "no variables"
        return (f"{self.number}: {self.texts['goal']}   where {self.texts['where']}   let {self.texts['let']}\n"
                f"  the {self.what} at {at}: meant {self.meant}, read by {self.reader} as {self.read}")


@dataclass
class Tally:
    """What a block has shown."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


def compared(number: int, readers: dict[str, Reader], tally: Tally, stop: bool = False) -> None:
    """Compare the meaning of one statement with its readings."""
    meant, points = drawn(number)
    texts = meant.texts()
    readings = {name: reader(texts) for name, reader in readers.items()}
    tally.counts["statements"] += 1
    refused = [name for name, reading in readings.items() if reading is None]
    if refused:
        tally.counts["refused"] += 1
        if len(refused) < len(readings):
            tally.findings.append(Finding(number, ", ".join(refused), "text refused by one", {}, None, None, texts))
        return
    apart: dict[str, Formulas] = {}  # the same formulas are evaluated once
    for name, reading in readings.items():
        if reading is not None and reading not in apart.values():
            apart[name] = reading
    if len(apart) > 1:
        tally.findings.append(Finding(number, " and ".join(apart), "formulas differ", {}, None, None, texts))
    decided, evaluator, WORK.left = True, Primitive(), MOST
    try:
        for point in points:
            decided &= look(number, meant, point, apart, tally, texts, evaluator)
            if stop and tally.findings:
                return
    except TooLong:
        tally.counts["too long"] += 1
        decided = False
    finally:
        WORK.left = math.inf
    tally.counts["decided"] += decided


def look(number: int, meant: Meant, point: Env, readings: dict[str, Formulas], tally: Tally,
         texts: dict[str, Any], evaluator: Primitive) -> bool:
    """Compare at one point; is it decided there?"""
    met, good = meets(meant, point), holds(meant, point)
    tally.counts[f"goal {good}"] += 1
    decided = None not in (met, good)
    for name, (conditions, goal) in readings.items():
        read = every(evaluator.truth(h, point) for h in conditions), evaluator.truth(goal, point)
        decided &= None not in read
        for what, meaning, found in (("conditions", met, read[0]), ("goal", good, read[1])):
            if meaning is not None and found is not None and meaning != found:
                tally.findings.append(Finding(number, name, what, point, meaning, found, texts))
    return decided


def run(numbers: Iterable[int], readers: dict[str, Reader] | None = None, stop: bool = False) -> Tally:
    """Compare the statements of these numbers; with ``stop``, until the first finding."""
    readers = readers or {"the kernel": kernel_reading, "the second checker": second_reading}
    tally = Tally()
    sys.setrecursionlimit(10_000)
    for number in numbers:
        compared(number, readers, tally, stop)
        if stop and tally.findings:
            break
    return tally
