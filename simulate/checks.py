"""What every number that describes a model is checked for; raises InputError that names it otherwise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from qtheory.errors import InputError

MOST = 10**12  # of any whole number: a million of the largest still fits the kernel's integers


def positive(name: str, value: float) -> float:
    """``value`` as a finite positive float."""
    if not (math.isfinite(value) and value > 0):
        raise InputError(f"{name} must be positive and finite, not {value}")
    return float(value)


def kind(value: Any) -> str:
    """A value that is not what was asked for, in words: a text itself, else its type."""
    return repr(value[:60]) if isinstance(value, str) else f"a value of type {type(value).__name__}"


def require_model(value: Any, *kinds: type, call: str) -> None:
    """InputError, with what a model is made from, for what is no model of these kinds; ``call``: how it is called."""
    if not isinstance(value, kinds):
        named = " or ".join(k.__name__ for k in kinds)
        raise InputError(f"{call} takes one {named}, not {kind(value)}; a file or a shipped scenario is read by "
                         "qtheory.simulate.load(NAME) and run by run_scenario")


def whole(name: str, value: Any, least: int = 1, most: int = MOST) -> int:
    """``value`` as a whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{name} must be a whole number, not {value!r}")
    if not least <= value <= most or value != int(value):
        least_most = f"at least {least}" if value < least or not value > most else f"at most {most}"
        raise InputError(f"{name} must be a whole number, {least_most}, not {value}")
    return int(value)


def probabilities(name: str, values: Sequence[float]) -> np.ndarray:
    """Probabilities that sum to 1 within 1e-9, shape (m,)."""
    p = np.asarray(values, dtype=float)
    if p.ndim != 1 or p.size == 0 or not np.all(p >= 0) or abs(p.sum() - 1.0) > 1e-9:
        raise InputError(f"{name} must be nonnegative and sum to 1, not {list(values)}")
    return p
