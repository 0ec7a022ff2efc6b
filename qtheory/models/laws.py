"""Iteration-time laws: how long one iteration of an LLM engine takes, in seconds, given its token counts.

Each law is a frozen dataclass whose fields are its constants in seconds and tokens. Its formula is written
once, as a SymPy expression in the paper's symbols; the vectorised numeric form is compiled from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, reduce
from numbers import Real
from typing import ClassVar

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from qtheory.errors import InputError, UnknownNameError

Array = NDArray[np.float64]

TOKENS = "tokens"  # tokens processed in the iteration: the chunk's prompt tokens, one for each decode request
DECODE = "decode"  # 1 for a decode-only iteration, 0 for a prefill iteration
RESIDENT = "resident_tokens"  # tokens whose keys and values the iteration holds in memory
RATIO = "decode_ratio"  # share of decode tokens among the iteration's tokens

_MEANING = {
    TOKENS: "a nonnegative number of tokens",
    DECODE: "0 (prefill) or 1 (decode)",
    RESIDENT: "a nonnegative number of tokens",
    RATIO: "a number from 0 to 1",
}


def _maximum(values: tuple[ArrayLike, ...], axis: int = 0) -> Array:
    # SymPy prints Max as numpy.amax over a tuple, which cannot hold a scalar beside an array.
    return reduce(np.maximum, values)  # type: ignore[arg-type]


def _minimum(values: tuple[ArrayLike, ...], axis: int = 0) -> Array:
    return reduce(np.minimum, values)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Law:
    """An iteration-time law.

    Class attributes: ``kind``, its name in profiles; ``variables``, the names of its arguments, in order;
    ``letters``, the papers' symbols for its constants and then its variables; ``breakpoint``, the constant on
    which the time does not depend linearly, or None; ``source``, where the papers state it; ``units``, the unit
    of each constant.
    Raises InputError for a constant that is not a finite number or outside its range.
    """

    kind: ClassVar[str]
    variables: ClassVar[tuple[str, ...]]
    letters: ClassVar[str]
    breakpoint: ClassVar[str | None] = None
    continuous: ClassVar[bool] = True  # whether the time is continuous in the breakpoint
    signed: ClassVar[bool] = False  # whether constants may be negative
    source: ClassVar[str]
    units: ClassVar[dict[str, str]]

    def __post_init__(self) -> None:
        for name, value in self.constants.items():
            if not isinstance(value, Real) or isinstance(value, bool) or not abs(value) < np.inf:
                raise InputError(f"{self.kind}: {name} = {value!r} is not a finite number")
            if value < 0 and not self.signed:
                raise InputError(f"{self.kind}: {name} = {value} {self.units[name]} is negative")
        if not any(getattr(self, name) for name in self.linear_constants()):
            raise InputError(f"{self.kind}: {', '.join(self.linear_constants())} are all zero")

    @classmethod
    def constant_names(cls) -> tuple[str, ...]:
        """The names of the law's constants, in the order of its fields."""
        return tuple(field.name for field in fields(cls))

    @classmethod
    def symbols(cls) -> dict[str, sp.Symbol]:
        """The SymPy symbol of each constant and then of each variable, by field or variable name."""
        names = (*cls.constant_names(), *cls.variables)
        free = cls.constant_names() if cls.signed else ()
        return {
            name: sp.Symbol(letter, real=True, nonnegative=None if name in free else True)
            for name, letter in zip(names, cls.letters.split(), strict=True)
        }

    @classmethod
    def symbolic(cls) -> sp.Expr:
        """The law as a SymPy expression in the paper's symbols (seconds)."""
        raise NotImplementedError

    @property
    def constants(self) -> dict[str, float]:
        """The law's constants by name, in seconds and tokens."""
        return {name: getattr(self, name) for name in self.constant_names()}

    def expression(self) -> sp.Expr:
        """The law with its constants put in, as exact rationals of their decimal notation."""
        symbols = self.symbols()
        return self.symbolic().subs({symbols[k]: sp.Rational(str(v)) for k, v in self.constants.items()})

    def time(self, *arguments: ArrayLike, **named: ArrayLike) -> Array:
        """Iteration time in seconds for arrays (or numbers) of the law's ``variables``, broadcast together.

        Raises InputError for a missing or unknown argument, and for a value out of range, with its index.
        """
        if len(arguments) > len(self.variables):
            takes = ", ".join(self.variables)
            raise InputError(f"{self.kind}: takes {takes}; {len(arguments)} arguments given")
        given = dict(zip(self.variables, arguments, strict=False)) | named
        for name in given:
            if name not in self.variables:
                raise UnknownNameError(f"variable of {self.kind}", name, list(self.variables))
        missing = [name for name in self.variables if name not in given]
        if missing:
            raise InputError(f"{self.kind}: {', '.join(missing)} not given")
        columns = [_checked(name, given[name]) for name in self.variables]
        try:
            columns = list(np.broadcast_arrays(*columns))
        except ValueError:
            shapes = ", ".join(f"{n} {np.shape(c)}" for n, c in zip(self.variables, columns, strict=True))
            raise InputError(f"{self.kind}: shapes do not broadcast together: {shapes}") from None
        value = _compiled(self.kind)(*map(float, self.constants.values()), *columns)
        return np.broadcast_to(np.asarray(value, dtype=float), columns[0].shape).copy()

    @classmethod
    def linear_constants(cls) -> tuple[str, ...]:
        """The constants in which the time is linear: all but the breakpoint."""
        return tuple(name for name in cls.constant_names() if name != cls.breakpoint)

    @classmethod
    def design(cls, columns: dict[str, Array], breakpoint: ArrayLike | None = None) -> Array:
        """Derivatives of the time by each linear constant, shape (..., rows, linear constants).

        ``columns`` maps each variable to an array of shape (rows,); ``breakpoint``, needed if the law has
        one, is a number or an array of shape (...) of values.
        """
        data = [np.asarray(columns[name], dtype=float) for name in cls.variables]
        shape: tuple[int, ...] = data[0].shape
        extra: list[Array] = []
        if cls.breakpoint is not None:
            at = np.asarray(breakpoint, dtype=float)[..., None]
            shape, extra = np.broadcast_shapes(at.shape, shape), [at]
        parts = [np.broadcast_to(column(*extra, *data), shape) for column in _compiled_design(cls.kind)]
        return np.stack(parts, axis=-1)


    def gradient(self, columns: dict[str, Array]) -> Array:
        """Derivatives of the time by every constant, shape (rows, constants), the breakpoint included.

        Raises InputError for a law that is not continuous in its breakpoint.
        """
        if not self.continuous:
            raise InputError(f"{self.kind}: the time jumps with {self.breakpoint}; it has no derivative by it")
        data = [np.asarray(columns[name], dtype=float) for name in self.variables]
        parts = [column(*map(float, self.constants.values()), *data) for column in _compiled_gradient(self.kind)]
        return np.stack([np.broadcast_to(part, data[0].shape) for part in parts], axis=-1)


def _checked(name: str, values: ArrayLike) -> Array:
    try:
        column = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name}: not numbers; {_MEANING[name]} is wanted") from None
    bad = ~np.isfinite(column) | (column < 0)
    if name == DECODE:
        bad |= (column != 0) & (column != 1)
    if name == RATIO:
        bad |= column > 1
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        where = f"[{', '.join(map(str, index))}]" if index else ""
        raise InputError(f"{name}{where} = {column[index]}: {_MEANING[name]} is wanted")
    return column


def _lambdify(arguments: list[sp.Symbol], expression: sp.Expr) -> Callable[..., Array]:
    compiled: Callable[..., Array] = sp.lambdify(
        arguments, expression, [{"amax": _maximum, "amin": _minimum}, "numpy"])
    return compiled


@cache
def _compiled(kind: str) -> Callable[..., Array]:
    law = LAWS[kind]
    return _lambdify(list(law.symbols().values()), law.symbolic())


@cache
def _compiled_design(kind: str) -> tuple[Callable[..., Array], ...]:
    law = LAWS[kind]
    symbols = law.symbols()
    wanted = ([law.breakpoint] if law.breakpoint else []) + list(law.variables)
    arguments = [symbols[name] for name in wanted]
    expression = sp.expand(law.symbolic())
    return tuple(_lambdify(arguments, expression.coeff(symbols[name], 1)) for name in law.linear_constants())


@cache
def _compiled_gradient(kind: str) -> tuple[Callable[..., Array], ...]:
    law = LAWS[kind]
    symbols = law.symbols()
    return tuple(
        _lambdify(list(symbols.values()), sp.diff(law.symbolic(), symbols[name])) for name in law.constant_names()
    )


@dataclass(frozen=True)
class AffineLaw(Law):
    """``alpha + beta n``: a fixed time per iteration and a time per token."""

    kind: ClassVar[str] = "affine"
    variables: ClassVar[tuple[str, ...]] = (TOKENS,)
    letters: ClassVar[str] = "alpha beta n"
    source: ClassVar[str] = "Threshold-Based Exclusive Batching, Appendix A.1; gate-and-route, (3)"
    units: ClassVar[dict[str, str]] = {"alpha": "s", "beta": "s/token"}
    alpha: float
    beta: float

    @classmethod
    def symbolic(cls) -> sp.Expr:
        alpha, beta, n = cls.symbols().values()
        return alpha + beta * n


@dataclass(frozen=True)
class PrefillDecodeLaw(Law):
    """Exclusive batches: ``alpha_p + beta_p n`` for a prefill, ``alpha_d + beta_d n`` for a decode iteration.

    With the indicator delta of a decode-only iteration the two are one expression.
    """

    kind: ClassVar[str] = "prefill_decode"
    variables: ClassVar[tuple[str, ...]] = (TOKENS, DECODE)
    letters: ClassVar[str] = "alpha_p beta_p alpha_d beta_d n delta"
    source: ClassVar[str] = "Threshold-Based Exclusive Batching, Section 3.1 (timing model)"
    units: ClassVar[dict[str, str]] = {
        "alpha_p": "s", "beta_p": "s/token", "alpha_d": "s", "beta_d": "s/token"
    }
    alpha_p: float
    beta_p: float
    alpha_d: float
    beta_d: float

    @classmethod
    def symbolic(cls) -> sp.Expr:
        alpha_p, beta_p, alpha_d, beta_d, n, delta = cls.symbols().values()
        return (1 - delta) * (alpha_p + beta_p * n) + delta * (alpha_d + beta_d * n)

    @property
    def prefill(self) -> AffineLaw:
        """The time of a prefill iteration."""
        return AffineLaw(self.alpha_p, self.beta_p)

    @property
    def decode(self) -> AffineLaw:
        """The time of a decode iteration."""
        return AffineLaw(self.alpha_d, self.beta_d)


@dataclass(frozen=True)
class PiecewiseLinearLaw(Law):
    """``c + a max(0, b' - b0)``: flat up to ``b0`` tokens, then linear."""

    kind: ClassVar[str] = "piecewise_linear"
    variables: ClassVar[tuple[str, ...]] = (TOKENS,)
    letters: ClassVar[str] = "c a b_0 b'"
    breakpoint: ClassVar[str | None] = "b0"
    source: ClassVar[str] = "throughput-optimal scheduling, (2.3); gate-and-route, (1)"
    units: ClassVar[dict[str, str]] = {"c": "s", "a": "s/token", "b0": "tokens"}
    c: float
    a: float
    b0: float

    @classmethod
    def symbolic(cls) -> sp.Expr:
        c, a, b0, load = cls.symbols().values()
        return c + a * sp.Max(0, load - b0)


@dataclass(frozen=True)
class ConcaveLaw(Law):
    """``alpha + beta n + eta min(n, b0)``: two straight lines, steeper up to ``b0`` tokens than beyond.

    No constant is negative, so that every one is concave and nondecreasing; all such laws of two pieces are of this
    form. The affine law is the one with ``eta = 0``.
    """

    kind: ClassVar[str] = "concave"
    variables: ClassVar[tuple[str, ...]] = (TOKENS,)
    letters: ClassVar[str] = "alpha beta eta b_0 n"
    breakpoint: ClassVar[str | None] = "b0"
    source: ClassVar[str] = "no paper: mixtures of small experts bend this way (docs/measurements.md)"
    units: ClassVar[dict[str, str]] = {"alpha": "s", "beta": "s/token", "eta": "s/token", "b0": "tokens"}
    alpha: float
    beta: float
    eta: float
    b0: float

    @classmethod
    def symbolic(cls) -> sp.Expr:
        alpha, beta, eta, b0, n = cls.symbols().values()
        return alpha + beta * n + eta * sp.Min(n, b0)


@dataclass(frozen=True)
class StaircaseLaw(Law):
    """``ceil(tau / t_col) / mu_Lin + tau / mu_nLin``: matrix products tile by tile, the rest token by token.

    The linear and the non-linear operations of (7); its attention terms depend on every request's position
    and are left out. The constants are the times ``1 / mu_Lin`` of a tile and ``1 / mu_nLin`` of a token.
    """

    kind: ClassVar[str] = "staircase"
    variables: ClassVar[tuple[str, ...]] = (TOKENS,)
    letters: ClassVar[str] = "mu_Lin^-1 mu_nLin^-1 t_col tau"
    breakpoint: ClassVar[str | None] = "t_col"
    continuous: ClassVar[bool] = False
    source: ClassVar[str] = "Optimal Scheduling Algorithms for LLM Inference, (4) and (7)"
    units: ClassVar[dict[str, str]] = {"tile_time": "s/tile", "token_time": "s/token", "t_col": "tokens/tile"}
    tile_time: float
    token_time: float
    t_col: float

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.t_col < 1 or self.t_col != int(self.t_col):
            raise InputError(f"{self.kind}: t_col = {self.t_col} is not a whole number of tokens, at least 1")

    @classmethod
    def symbolic(cls) -> sp.Expr:
        tile_time, token_time, t_col, tau = cls.symbols().values()
        return tile_time * sp.ceiling(tau / t_col) + token_time * tau


@dataclass(frozen=True)
class MemoryLinearLaw(Law):
    """``d0 + d1 M``: a fixed time and a time per token that the iteration holds in the KV cache."""

    kind: ClassVar[str] = "memory_linear"
    variables: ClassVar[tuple[str, ...]] = (RESIDENT,)
    letters: ClassVar[str] = "d_0 d_1 M"
    source: ClassVar[str] = "Fluid-Guided Online Scheduling with Memory Constraints, (1)"
    units: ClassVar[dict[str, str]] = {"d0": "s", "d1": "s/token"}
    d0: float
    d1: float

    @classmethod
    def symbolic(cls) -> sp.Expr:
        d0, d1, memory = cls.symbols().values()
        return d0 + d1 * memory


@dataclass(frozen=True)
class MixedQuadraticLaw(Law):
    """``K(r) = c0 + c1 r + c2 r^2``: a mixed batch of one total token count, r its share of decode tokens.

    Raises InputError if the time is not positive at r = 0 or r = 1, where it is a pure batch's.
    """

    kind: ClassVar[str] = "mixed_quadratic"
    variables: ClassVar[tuple[str, ...]] = (RATIO,)
    letters: ClassVar[str] = "c0 c1 c2 r"
    signed: ClassVar[bool] = True
    source: ClassVar[str] = "Threshold-Based Exclusive Batching, Appendix A.3"
    units: ClassVar[dict[str, str]] = {"c0": "s", "c1": "s", "c2": "s"}
    c0: float
    c1: float
    c2: float

    def __post_init__(self) -> None:
        super().__post_init__()
        for ratio, time in ((0, self.c0), (1, self.c0 + self.c1 + self.c2)):
            if time <= 0:
                raise InputError(f"{self.kind}: K({ratio}) = {time!r} is not positive")

    @classmethod
    def symbolic(cls) -> sp.Expr:
        c0, c1, c2, r = cls.symbols().values()
        return c0 + c1 * r + c2 * r**2

    @classmethod
    def symbolic_convexity_index(cls) -> sp.Expr:
        """The interference convexity index ``kappa = 2 c2 / (c0 + c1 + c2)`` ((11), dimensionless)."""
        c0, c1, c2, _ = cls.symbols().values()
        return 2 * c2 / (c0 + c1 + c2)

    @property
    def kappa(self) -> float:
        """The interference convexity index of these constants; negative where mixing costs extra."""
        symbols = self.symbols()
        return float(self.symbolic_convexity_index().subs({symbols[k]: v for k, v in self.constants.items()}))

    @property
    def crossover(self) -> float | None:
        """The decode ratio from which a mixed batch takes longer than a pure decode batch of as many tokens.

        The least ``r0`` with ``K(r) > K(1)`` for all ``r0 < r < 1``; None where ``K`` does not fall towards 1.
        ``K(r) - K(1) = (r - 1) (c1 + c2 (1 + r))``, so that for ``c2 < 0`` it is ``-c1/c2 - 1``, at least 0.
        """
        if self.c1 + 2 * self.c2 >= 0:
            return None
        return max(0.0, -self.c1 / self.c2 - 1) if self.c2 < 0 else 0.0


@dataclass(frozen=True)
class ContextAffineLaw(Law):
    """``alpha + beta n + gamma M``: a time per token processed, and one per token of context that attention reads."""

    kind: ClassVar[str] = "context_affine"
    variables: ClassVar[tuple[str, ...]] = (TOKENS, RESIDENT)
    letters: ClassVar[str] = "alpha beta gamma n M"
    source: ClassVar[str] = "no paper: sums of measured kernels (docs/measurements.md)"
    units: ClassVar[dict[str, str]] = {"alpha": "s", "beta": "s/token", "gamma": "s/token"}
    alpha: float
    beta: float
    gamma: float

    @classmethod
    def symbolic(cls) -> sp.Expr:
        alpha, beta, gamma, n, memory = cls.symbols().values()
        return alpha + beta * n + gamma * memory


LAWS: dict[str, type[Law]] = {
    law.kind: law
    for law in (
        AffineLaw, PrefillDecodeLaw, PiecewiseLinearLaw, ConcaveLaw, StaircaseLaw, MemoryLinearLaw, ContextAffineLaw,
        MixedQuadraticLaw,
    )
}


def law_type(kind: str) -> type[Law]:
    """The law of that ``kind``; raises UnknownNameError with the nearest names."""
    if kind not in LAWS:
        raise UnknownNameError("law", kind, list(LAWS))
    return LAWS[kind]
