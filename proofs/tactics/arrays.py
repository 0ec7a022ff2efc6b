"""Evaluation of terms at many points at once, with what is undefined kept apart from what overflows.

Nothing rests on it: the search for counterexamples looks here, and the kernel decides at the exact point.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import lambertw

from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.terms import KernelError, Node

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Points = dict[str, Array]
MAX_SUMMANDS = 300
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_NEVER = np.zeros((), bool)  # of any shape, where it is joined with others
_RELATIVE = 1e-12  # of the summands' sizes: values below this much of them may be rounding


class Values(NamedTuple):
    """Values, where they are undefined, and a bound for the size of what was added up to them."""

    value: Array
    undefined: Flags
    size: Array


Known = dict[Node, Values]


def values(term: Node, at: Points, known: Known | None = None) -> Values:
    """The term at the points; nan where floating point cannot tell, which is not the same as undefined.

    ``known``: the values of terms at these points, to which those of the term's parts are added.
    """
    with np.errstate(all="ignore"):
        return _values(term, at, {} if known is None else known)


def _defined(value: Array) -> Values:
    return Values(value, _NEVER, np.abs(value))


def _values(t: Node, at: Points, known: Known) -> Values:
    if isinstance(t, str):
        return _defined(at.get(t, np.asarray(np.nan)))  # a variable bound further out has no value here
    if not isinstance(t, tuple):
        return _defined(np.asarray(float(t)))
    found = known.get(t)
    if found is None:
        found = known[t] = _operation(t, at, known)
    return found


def _operation(t: tuple[Any, ...], at: Points, known: Known) -> Values:
    head = t[0]
    if head == "sum":
        return _sum(t, at)
    if head == "int":
        return _integral(t, at)
    if head == "diff":
        return _derivative(t, at, known)
    if head == "app":
        return _defined(np.asarray(np.nan))
    parts = [_values(c, at, known) for c in t[2 if head == "W" else 1:]]
    undefined = parts[0].undefined
    for p in parts[1:]:
        undefined = undefined | p.undefined
    if head == "+":
        return Values(_fold(np.add, [p.value for p in parts]), undefined, _fold(np.add, [p.size for p in parts]))
    if head == "*":
        return Values(_fold(np.multiply, [p.value for p in parts]), undefined,
                      _fold(np.multiply, [p.size for p in parts]))
    v, size = parts[0].value, parts[0].size
    if head == "^":
        return _power(parts[0], parts[1], undefined)
    if head == "exp":
        value = np.exp(v)
        return Values(value, undefined, value * (1 + size))
    if head == "log":
        value = np.log(v)
        return Values(value, undefined | (v <= 0), np.abs(value) + size / np.abs(v))
    if head == "sqrt":
        value = np.sqrt(v)
        return Values(value, undefined | (v < 0), np.maximum(value, size / np.maximum(value, 1e-300)))
    if head == "max":
        return Values(np.maximum(v, parts[1].value), undefined, np.maximum(size, parts[1].size))
    if head == "floor":
        return Values(np.floor(v), undefined, np.abs(np.floor(v)))
    w = lambertw(v, t[1])
    outside = (v < -np.exp(-1)) if t[1] == 0 else (v < -np.exp(-1)) | (v >= 0)
    return Values(np.where(outside, np.nan, w.real), undefined | outside, np.abs(w.real) + 1)


def _fold(operation: np.ufunc, parts: list[Array]) -> Array:
    out = parts[0]
    for p in parts[1:]:
        out = operation(out, p)
    return np.asarray(out)


def _power(base: Values, exponent: Values, undefined: Flags) -> Values:
    a, b = base.value, exponent.value
    value = np.asarray(np.power(a, b))
    whole = b == np.floor(b)
    bad = ((a == 0) & (b < 0)) | ((a < 0) & ~whole)
    relative = np.where(a != 0, base.size / np.abs(a), 1.0)
    return Values(value, undefined | bad, np.abs(value) * (1 + np.abs(b) * relative * (np.abs(b) < 1e6)))


def _sum(t: Node, at: Points) -> Values:
    _, index, low_end, high_end, body = t
    low, high = _values(low_end, at, {}), _values(high_end, at, {})
    bad = low.undefined | high.undefined | (low.value != np.floor(low.value)) \
        | (high.value != np.floor(high.value)) | (high.value < low.value - 1)
    shape = np.broadcast_shapes(low.value.shape, high.value.shape, *(a.shape for a in at.values()))
    total, size, undefined = np.zeros(shape), np.zeros(shape), np.zeros(shape, bool) | bad
    if np.all(bad):
        return Values(total, undefined, size)
    first, last = np.nanmin(low.value), np.nanmax(high.value)
    for i in np.arange(first, min(last, first + MAX_SUMMANDS) + 1):
        part = _values(body, {**at, index: np.asarray(i)}, {})
        inside = (low.value <= i) & (i <= high.value)
        total = total + np.where(inside, part.value, 0.0)
        size = size + np.where(inside, part.size, 0.0)
        undefined = undefined | (inside & part.undefined)
    return Values(np.where(high.value > first + MAX_SUMMANDS, np.nan, total), undefined, size)


def _integral(t: Node, at: Points) -> Values:
    """Gauss-Legendre on four pieces; too rough for a proof, good enough for a look."""
    _, x, a, b, body = t
    low, high = _values(a, at, {}), _values(b, at, {})
    wide = {name: np.asarray(v)[..., None] for name, v in at.items()}
    left, width = low.value[..., None], (high.value - low.value)[..., None]
    grid = np.concatenate([(k + (1 + _NODES) / 2) / 4 for k in range(4)])
    weights = np.concatenate([_WEIGHTS / 8] * 4)
    inner = _values(body, {**wide, x: left + width * grid}, {})
    value = np.sum(inner.value * weights, axis=-1) * width[..., 0]
    size = np.sum(np.abs(inner.value) * weights, axis=-1) * np.abs(width[..., 0])
    undefined = low.undefined | high.undefined | np.any(inner.undefined, axis=-1)
    return Values(value, undefined, size * 1e6)  # a quadrature's error is far above rounding


_carried_out = lru_cache(maxsize=2_000)(undiff)


def _derivative(t: Node, at: Points, known: Known) -> Values:
    try:
        plain, duties = _carried_out(t)
    except KernelError:
        return _defined(np.asarray(np.nan))
    out = _values(plain, at, known)
    undefined = out.undefined
    for duty in duties:
        undefined = undefined | _values(duty, at, known).undefined
    # where the literal derivative is undefined the derivative itself may still exist
    function = _values(t[2], {**at, t[1]: _values(t[3], at, known).value}, {})
    return Values(np.where(undefined, np.nan, out.value), undefined & function.undefined, out.size)


def margin(atom: Node, at: Points, known: Known | None = None) -> tuple[Array, Array]:
    """How far the atom is from failing (positive: true; nan: no telling) and how much of that may be rounding.

    ``known`` is as for ``values``.
    """
    head, term = atom
    v = values(term, at, known)
    error = _RELATIVE * v.size
    if head in ("def", "undef"):
        return np.where(v.undefined == (head == "undef"), 1.0, -1.0), np.zeros(np.shape(v.value))
    if head in (">", ">="):
        value = v.value
    elif head == "=":
        value = -np.abs(v.value)
    elif head == "!=":
        value = np.abs(v.value)
    else:
        value = -np.abs(v.value - np.round(v.value))
    reliable = np.isfinite(error) & ~np.isnan(value)
    return np.where(v.undefined, -np.inf, np.where(reliable, value, np.nan)), np.where(v.undefined, 0.0, error)


__all__ = ["Array", "Flags", "Known", "Points", "Values", "margin", "values"]
