"""Evaluation of terms at many points at once, with what is undefined kept apart from what overflows.

Nothing rests on it: the search for counterexamples looks here, and the kernel decides at the exact point.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qtheory.proofs.functions.table import FUNCTIONS
from qtheory.proofs.functions.values import NEVER, Array, Flags, Values, either
from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.tactics.effort import spend
from qtheory.proofs.tactics.order import by_identity, shared

Points = dict[str, Array]
MAX_SUMMANDS = 300
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_GRID = np.concatenate([*((k + (1 + _NODES) / 2) / 4 for k in range(4)), [0.0, 1.0]])  # the ends are for a look
_SHARES = np.concatenate([_WEIGHTS / 8] * 4)
# the last coefficients of an expansion in Legendre's polynomials by its values at the nodes
_LAST = np.stack([(n + 1 / 2) * _WEIGHTS * np.polynomial.legendre.Legendre.basis(n)(_NODES) for n in (30, 31)], axis=1)
_STEP, _ROUGH = 1e-6, 1e-4  # of a difference in place of a derivative, and how well it tells that
_RELATIVE = 1e-12  # of the summands' sizes: values below this much of them may be rounding


# Values by a variable's name, or by the identity of a term, which stands beside them so that no other takes it: a look
# at a term by its contents would read all of it.  Equal terms are one object here.
Known = dict[str | int, tuple[Node, Values]]


def values(term: Node, at: Points, known: Known | None = None) -> Values:
    """The term at the points; nan where floating point cannot tell, which is not the same as undefined.

    ``known``: the values of terms at these points, to which those of the term's parts are added; for a variable that
    an equation gives, a size that tells how far its own value may be off.
    """
    with np.errstate(all="ignore"):
        return _values(shared(term), at, {} if known is None else known)


def _defined(value: Array) -> Values:
    return Values(value, NEVER, np.abs(value))


def _values(t: Node, at: Points, known: Known) -> Values:
    key = t if isinstance(t, str) else id(t)
    found = known.get(key)
    if found is None:
        found = known[key] = t, _leaf(t, at) if not isinstance(t, tuple) else _operation(t, at, known)
        spend("array", 6 + found[1].value.size // 100)
    return found[1]


def _leaf(t: Node, at: Points) -> Values:
    if isinstance(t, str):
        return _defined(at.get(t, np.asarray(np.nan)))  # a variable bound further out has no value here
    try:
        return _defined(np.asarray(float(t)))
    except OverflowError:
        return _defined(np.asarray(np.inf if t > 0 else -np.inf))


def _operation(t: tuple[Any, ...], at: Points, known: Known) -> Values:
    head = t[0]
    if head == "sum":
        return _sum(t, at, known)
    if head == "int":
        return _integral(t, at, known)
    if head == "diff":
        return _derivative(t, at, known)
    if head == "app":
        return _defined(np.asarray(np.nan))
    function = FUNCTIONS.get(head)
    parts = [_values(c, at, known) for c in (t[1:] if function is None else function.arguments(t))]
    undefined = either([p.undefined for p in parts])
    if head == "+":
        return Values(_fold(np.add, [p.value for p in parts]), undefined, _fold(np.add, [p.size for p in parts]))
    if function is None:  # a product
        return Values(_fold(np.multiply, [p.value for p in parts]), undefined,
                      _fold(np.multiply, [p.size for p in parts]))
    return function.array(parts, undefined, *function.parameters(t))


def _fold(operation: np.ufunc, parts: list[Array]) -> Array:
    out = parts[0]
    for p in parts[1:]:
        out = operation(out, p)
    return np.asarray(out)


def in_columns(known: Known) -> Known:
    """The values along a further axis, for an evaluation at several points for each of these."""
    return {v: (t, Values(found.value[..., None], found.undefined[..., None], found.size[..., None]))
            for v, (t, found) in known.items()}


def _sum(t: Node, at: Points, known: Known) -> Values:
    _, index, low_end, high_end, body = t
    low, high = _values(low_end, at, known), _values(high_end, at, known)
    outer: Known = {v: found for v, found in known.items() if isinstance(v, str) and v != index}
    bad = low.undefined | high.undefined | (low.value != np.floor(low.value)) \
        | (high.value != np.floor(high.value)) | (high.value < low.value - 1)
    shape = np.broadcast_shapes(low.value.shape, high.value.shape, *(a.shape for a in at.values()))
    total, size, undefined = np.zeros(shape), np.zeros(shape), np.zeros(shape, bool) | bad
    if np.all(bad):
        return Values(total, undefined, size)
    first, last = np.nanmin(low.value), np.nanmax(high.value)
    for i in np.arange(first, min(last, first + MAX_SUMMANDS) + 1):
        part = _values(body, {**at, index: np.asarray(i)}, dict(outer))
        inside = (low.value <= i) & (i <= high.value)
        total = total + np.where(inside, part.value, 0.0)
        size = size + np.where(inside, part.size, 0.0)
        undefined = undefined | (inside & part.undefined)
    return Values(np.where(high.value > first + MAX_SUMMANDS, np.nan, total), undefined, size)


def _integral(t: Node, at: Points, known: Known) -> Values:
    """Gauss-Legendre on four pieces; too rough for a proof, good enough for a look."""
    _, x, a, b, body = t
    low, high = _values(a, at, known), _values(b, at, known)
    wide = {v: np.asarray(value)[..., None] for v, value in at.items()}
    outer = in_columns({v: found for v, found in known.items() if isinstance(v, str) and v != x})
    left, width = low.value[..., None], high.value - low.value
    inner = _values(body, {**wide, x: left + width[..., None] * _GRID}, outer)
    whole = np.broadcast_to(inner.value, np.broadcast_shapes(inner.value.shape, _GRID.shape))
    f, ends = whole[..., :-2], whole[..., -2:]
    bad = np.broadcast_to(inner.undefined, np.broadcast_shapes(inner.undefined.shape, _GRID.shape))
    size = np.abs(f) @ _SHARES * 1e6  # a quadrature's error is far above rounding,
    # and larger with too few nodes, and where the integrand is near its ends what no node sees
    last = np.abs(f.reshape(*f.shape[:-1], 4, _NODES.size) @ _LAST).sum(axis=(-1, -2)) / 4
    unseen = np.nan_to_num(np.abs(ends - f[..., [0, -1]]), posinf=0.0).sum(axis=-1) * _GRID[0]
    undefined = low.undefined | high.undefined | np.any(bad[..., :-2], axis=-1)
    return Values(f @ _SHARES * width, undefined, (size + (last + unseen) / _RELATIVE) * np.abs(width))


@by_identity
def _carried_out(t: Node) -> Node | None:
    """The derivative as a term, and what must be defined for it; None where it cannot be written so."""
    try:
        plain, duties = undiff(t)
    except KernelError:
        return None
    return shared((plain, *duties))


def _derivative(t: Node, at: Points, known: Known) -> Values:
    carried_out = _carried_out(t)
    if carried_out is None:
        return _difference(t, at)
    plain, *duties = carried_out
    out = _values(plain, at, known)
    undefined = either([out.undefined, *(_values(duty, at, known).undefined for duty in duties)])
    if not np.any(undefined):
        return out
    # where the literal derivative is undefined the derivative itself may still exist
    function = _values(t[2], {**at, t[1]: _values(t[3], at, known).value}, {})
    return Values(np.where(undefined, np.nan, out.value), undefined & function.undefined, out.size)


def _difference(t: Node, at: Points) -> Values:
    """The slope between neighbours, of what has kinks or jumps, but none nearby: as far as that tells."""
    point = _values(t[3], at, {}).value
    step = _STEP * (1 + np.abs(point))
    below, here, above = (_values(t[2], {**at, t[1]: point + sign * step}, {}).value for sign in (-1, 0, 1))
    left, right = (here - below) / step, (above - here) / step
    rough = _ROUGH * (1 + np.abs(left) + np.abs(right))
    slope = np.where(np.abs(right - left) <= rough, (left + right) / 2, np.nan)
    return Values(slope, np.zeros(np.shape(slope), bool), rough / _RELATIVE)


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


__all__ = ["Array", "Flags", "Known", "Points", "Values", "in_columns", "margin", "values"]
