"""A user's own implementation of a variable or definition of a theorem, held against the true value by enclosures."""

from __future__ import annotations

import inspect
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node, free
from qtheory.testing.claims import Theorem, spelled
from qtheory.testing.errors import TheoremFailedError
from qtheory.testing.places import PRECISIONS, Place
from qtheory.testing.series import UndecidedError
from qtheory.testing.truth import decimal

MOST_DIGITS = 5000  # of a number that is given as text
LEAST = Fraction(sys.float_info.min)  # below it a float has few digits or none: formulas that are right end in 0
LARGEST = Fraction(sys.float_info.max)
EXPONENT = re.compile(r"[eE]([+-]?[0-9_]+)")


@dataclass(frozen=True)
class Tolerance:
    """How far an implementation's value may lie from the true one: ``ulps`` of it where given, else ``rtol`` of it."""

    rtol: float = 1e-9
    ulps: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("rtol", self.rtol), ("ulps", self.ulps)):
            if value is not None and not (isinstance(value, Real) and 0 <= value < math.inf):
                raise InputError(f"{name} is {value!r}; a number of at least 0 is needed")

    @property
    def most(self) -> float:
        return self.rtol if self.ulps is None else self.ulps

    def unit(self, size: Fraction) -> Fraction:
        """What is allowed is a multiple of this, where the true value has that size; no float has a larger ulp."""
        return size if self.ulps is None else Fraction(math.ulp(float(min(size, LARGEST))))

    def allowed(self, size: Fraction) -> Fraction:
        return Fraction(self.most) * self.unit(size)

    def named(self, text: str) -> str:
        return f"{text} of it" if self.ulps is None else f"{text} ulps"

    def __str__(self) -> str:
        short = f"{self.most:g}"
        return self.named(short if float(short) == self.most else repr(float(self.most)))

    def broken_by(self, gap: Fraction, size: Fraction) -> str:
        """A gap beside a true value, in the unit of what is allowed and in as many digits as tell it from that."""
        share = gap / self.unit(size)
        if share >= 10**300:
            return self.named("more than 1e300 times" if self.ulps is None else "more than 1e300")
        told = (f"{float(share):.{digits}g}" for digits in range(2, 18))
        return self.named(next((text for text in told if float(text) > self.most), f"more than {self.most!r}"))


@dataclass(frozen=True)
class Implementation:
    """``function`` for the variable or definition ``name``; ``parameters`` are the names that it is called with."""

    name: str
    function: Callable[..., Any]
    leading: int  # arguments of the definition, passed by position
    parameters: tuple[str, ...]

    def value(self, arguments: Sequence[int | float], named: Mapping[str, int | float]) -> Fraction:
        """What the function returns; TheoremFailedError where it fails or returns no finite number."""
        __tracebackhide__ = True
        call = self.call(arguments, named)
        try:
            result = self.function(*arguments, **named)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever else the user's function ends in is its failure, a skip included
            raise TheoremFailedError(f"{call} raised {type(error).__name__}: {error}") from error
        try:
            if isinstance(result, str):
                raise TypeError("a text")
            return rational(result)
        except (TypeError, ValueError, OverflowError):
            shown = " ".join(repr(result).split())
            several = isinstance(result, list | tuple) or getattr(result, "shape", ()) != ()
            hint = "; a test calls it at one case at a time: wrap a vectorised function in one of numbers" * several
            raise TheoremFailedError(f"{call} returned {shown}, which is no finite number{hint}") from None

    def call(self, arguments: Sequence[int | float], named: Mapping[str, int | float]) -> str:
        """The call as one writes it."""
        return f"{self.name}({', '.join([*map(repr, arguments), *(f'{n}={v!r}' for n, v in named.items())])})"

    def named(self, theorem: Theorem, at: Place, whole: frozenset[str]) -> dict[str, int | float]:
        """The values of the parameters that are named after variables and definitions."""
        return {p: passed(at, p if p in at.values else theorem.call(p), whole) for p in self.parameters}


def implementations(theorem: Theorem, using: Mapping[str, Callable[..., Any]]) -> list[Implementation]:
    """The functions with their parameters' names resolved; InputError for one that cannot be called from a case."""
    if not isinstance(using, Mapping):
        raise InputError("using is a dict such as {'theta0': my_function}")
    return [_resolved(theorem, name, function) for name, function in using.items()]


def _resolved(theorem: Theorem, name: str, function: Callable[..., Any]) -> Implementation:
    known = sorted(theorem.variables | theorem.macros.keys())
    if name not in known:
        raise UnknownNameError(f"variable or definition of {theorem.id}", name, known)
    if not callable(function):
        raise InputError(f"using[{name!r}] is {function!r}, not a function")
    leading = len(theorem.macros[name][0]) if name in theorem.macros else 0
    plain = theorem.variables | {n for n, (formals, _) in theorem.macros.items() if not formals}
    named = []
    for place, p in enumerate(_signature(name, function, leading)):
        if place < leading:
            continue
        if p.name not in plain - {name}:
            if p.default is not p.empty:
                continue
            raise UnknownNameError(f"parameter of the function for {name}; it may take a variable or definition of "
                                   f"{theorem.id}, not", p.name, sorted(plain - {name}))
        named.append(p.name)
    return Implementation(name, function, leading, tuple(named))


def _signature(name: str, function: Callable[..., Any], leading: int) -> list[inspect.Parameter]:
    """The parameters that have names: of numpy's ``vectorize`` those of the function that it was made from."""
    inner = getattr(function, "pyfunc", None)
    try:
        parameters = list(inspect.signature(inner if callable(inner) else function).parameters.values())
    except (TypeError, ValueError):
        if leading:
            return []
        raise InputError(f"the function for {name} does not tell its parameters; wrap it in a lambda that names "
                         "them") from None
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if parameters and not named and not leading:
        taken = " and ".join(str(p) for p in parameters)
        raise InputError(f"the function for {name} names no parameter, its signature has {taken} alone; wrap it in a "
                         "lambda that names them")
    return named


def passed(at: Place, term: Node, whole: frozenset[str]) -> int | float:
    """An argument for a function: a whole number as an int, else the nearest float."""
    value = at.number(term) if isinstance(term, str) else None
    if term in whole and value is not None:
        return int(value)
    return at.nearest(term)


def rational(value: Any) -> Fraction:
    """The exact value of a number: floats are the binary rationals that they are, texts are decimals or fractions.

    Raises TypeError, ValueError or ZeroDivisionError for what is no finite number, or one beyond all use.
    """
    if isinstance(value, bool) or getattr(value, "mask", False):
        raise TypeError("a truth value, or a masked one")
    if isinstance(value, str | Decimal):
        text = str(value)
        exponent = EXPONENT.search(text)
        if len(text) > MOST_DIGITS or (exponent and abs(int(exponent[1])) > MOST_DIGITS):
            raise ValueError(f"more than {MOST_DIGITS} digits")
    if isinstance(value, str | Fraction | Decimal | int):
        return Fraction(value)
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if getattr(value, "shape", None) == ():
        value = value.item()
    if getattr(value, "is_Rational", False):  # SymPy's
        return Fraction(int(value.p), int(value.q))
    return Fraction(float(value))


# ---- comparison ----

def judged(theorem: Theorem, own: Implementation, at: Place, whole: frozenset[str], tolerance: Tolerance) -> int:
    """Hold the implementation against the true values at this place; the number of comparisons.

    A definition's true value is taken at the very floats that the function is called with.  Raises
    TheoremFailedError where the function is wrong, UndecidedError where the enclosures do not tell.
    """
    named = own.named(theorem, at, whole)
    if own.name in at.values:
        _compare(own.name, own.value((), named), own.name, at, tolerance)
        return 1
    count = 0
    for arguments in calls(theorem, own.name) if own.leading else [()]:
        if frozenset().union(*map(free, arguments)) <= at.values.keys():
            floats = [passed(at, a, whole) for a in arguments]
            term = theorem.call(own.name, *(Fraction(x) for x in floats if math.isfinite(x)))
            there = Place({v: Fraction(passed(at, v, whole)) for v in sorted(free(term))})
            if there.enclose(term, PRECISIONS[0]) is None:
                at.reason = there.reason
            else:
                told = own.call(floats, named) if floats else own.name  # the case tells no arguments
                _compare(told, own.value(floats, named), term, there, tolerance)
                count += 1
    return count


def calls(theorem: Theorem, name: str) -> list[tuple[Node, ...]]:
    """The arguments with which the statement calls a definition."""
    said = theorem.statement
    rest = tuple(text for text in said.let if text.partition("=")[0].partition("(")[0].strip() != name)
    opened = Statement(said.goal, (*said.where, f"{name} in functions"), rest)
    found = [_renamed(a) for f in (*opened.hypotheses, opened.conclusion) for a in _applications(f, name)]
    return list(dict.fromkeys(found))


def _applications(node: Node, name: str) -> Iterator[tuple[Node, ...]]:
    if isinstance(node, tuple):
        if node[:2] == ("app", name):
            yield node[2:]
        for child in node:
            yield from _applications(child, name)


def _renamed(node: Node) -> Node:
    """Bound variables spelled as a case spells them."""
    if isinstance(node, tuple):
        return tuple(_renamed(c) for c in node)
    return spelled(node) if isinstance(node, str) else node


def _compare(name: str, value: Fraction, term: Node, at: Place, tolerance: Tolerance) -> None:
    for bits in PRECISIONS:
        found = at.enclose(term, bits)
        if found is None:
            break
        sizes = sorted((abs(found[0]), abs(found[1]))) if found[0] * found[1] > 0 else \
            [Fraction(0), max(abs(found[0]), abs(found[1]))]
        gaps = abs(value - found[0]), abs(value - found[1])
        if max(gaps) <= max(tolerance.allowed(sizes[0]), LEAST):
            return
        nearest = Fraction(0) if found[0] <= value <= found[1] else min(gaps)
        if nearest > max(tolerance.allowed(sizes[1]), LEAST):
            share = f"off by {tolerance.broken_by(nearest, sizes[1])}" if sizes[1] else "not 0"
            raise TheoremFailedError(f"{name} = {float(value)!r} is {share}: the true value is {decimal(term, at)}, "
                                     f"allowed is {tolerance}")
    raise UndecidedError(f"the enclosures do not tell whether {name} = {float(value)!r} is within {tolerance}"
                         f"{at.reason}")


__all__ = ["Implementation", "Tolerance", "implementations", "judged", "rational"]
