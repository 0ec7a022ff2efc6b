"""Tables of a subject's formulas: the claims of the referee that prove them, and their numeric twins."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray
from sympy.codegen.rewriting import log1p_opt, optimize

from qtheory.errors import InputError, UnknownNameError

Formula = TypeVar("Formula", bound=Callable[..., Any])
Array = NDArray[np.float64]
Value = Any  # a SymPy expression or a number


class Range(NamedTuple):
    """An interval in which a variable's numbers lie; the ends in ``closed`` ("[", "]") belong to it."""

    low: float
    high: float = float("inf")
    closed: str = ""

    def holds(self, numbers: Array) -> NDArray[np.bool_]:
        above = numbers >= self.low if "[" in self.closed else numbers > self.low
        below = numbers <= self.high if "]" in self.closed else numbers < self.high
        return np.asarray(above & below)

    def __str__(self) -> str:
        low = f"at least {self.low:g}" if "[" in self.closed else f"above {self.low:g}"
        high = f"at most {self.high:g}" if "]" in self.closed else f"below {self.high:g}"
        return " and ".join(text for text, end in ((low, self.low), (high, self.high)) if np.isfinite(end)) or "finite"


POSITIVE, NOT_NEGATIVE, REAL = Range(0), Range(0, closed="["), Range(-float("inf"))


def numbers(name: str, value: ArrayLike, within: Range) -> Array:
    """The value as an array of floats; InputError for what is none, or names the first index that is out of range."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be a number or an array of numbers: {error}") from None
    good = within.holds(array)
    if not good.all():
        index = np.unravel_index(int(np.argmin(good)), good.shape)
        place = f"{name}[{', '.join(str(int(i)) for i in index)}]" if index else name
        raise InputError(f"{place} must be {within}, not {array[index]:g}")
    return array


class Formulas(dict[str, Callable[..., Any]]):
    """The formulas of one subject by name: functions whose parameters' defaults are the subject's symbols.

    ``ranges``: where a variable's numbers must lie, by its name, if the assumptions of its symbol (positive,
    nonnegative, real) do not say so.
    """

    def __init__(self, ranges: Mapping[str, Range] | None = None) -> None:
        super().__init__()
        self.ranges = dict(ranges or {})
        self.compiled: dict[str, Callable[..., Any]] = {}
        self.conditions: dict[str, Any] = {}

    def proved_by(self, *claims: str, where: Any = None,
                  twin: Callable[..., Any] | None = None) -> Callable[[Formula], Formula]:
        """Register a formula with the ids of the claims that prove it, its attribute ``claims``.

        ``where``: a relation between its symbols without which it says nothing; ``twin``: its numeric form, where
        the compiled expression would lose digits.
        """
        def register(formula: Formula) -> Formula:
            name = formula.__name__
            formula.claims = claims  # type: ignore[attr-defined]
            self[name] = formula
            if where is not None:
                self.conditions[name] = where
            if twin is not None:
                self.compiled[name] = twin
            return formula

        return register

    @cached_property
    def numeric_names(self) -> tuple[str, ...]:
        """Those whose value is a number: no equations."""
        return tuple(name for name, formula in self.items() if isinstance(formula(), sp.Expr))

    def numeric(self, name: str, arguments: Mapping[str, ArrayLike]) -> Array | float:
        """The formula of that name for numbers or arrays (broadcast together), by its arguments' names.

        Raises InputError for a missing, unknown or unusable argument, naming the first index that is out of range.
        """
        if name not in self.numeric_names:
            raise UnknownNameError("formula", name, list(self.numeric_names))
        symbols = {n: p.default for n, p in inspect.signature(self[name]).parameters.items()}
        for given in arguments:
            if given not in symbols:
                raise UnknownNameError(f"argument of {name}", given, list(symbols))
        if missing := [n for n in symbols if n not in arguments]:
            raise InputError(f"{name}: needs a value for {', '.join(missing)}")
        values = [numbers(n, arguments[n], self.ranges.get(n, _assumed(s))) for n, s in symbols.items()]
        try:
            values = list(np.broadcast_arrays(*values))
        except ValueError as error:
            raise InputError(f"{name}: {error}") from None
        condition = self.conditions.get(name)
        if condition is not None and not np.all(_compile(symbols.values(), condition)(*values)):
            raise InputError(f"{name} needs {condition}")
        if name not in self.compiled:
            self.compiled[name] = _compile(symbols.values(), self[name]())
        result = np.asarray(self.compiled[name](*values), dtype=np.float64)
        return result if result.ndim else float(result)


def _assumed(symbol: sp.Symbol) -> Range:
    return POSITIVE if symbol.is_positive else NOT_NEGATIVE if symbol.is_nonnegative else REAL


def _compile(symbols: Iterable[sp.Symbol], expression: Any) -> Callable[..., Any]:
    # NumPy has no log1p of SymPy's own; ln(1 - theta) would lose its digits at small theta
    compiled: Callable[..., Any] = sp.lambdify(list(symbols), optimize(expression, [log1p_opt]), "numpy")
    return compiled
