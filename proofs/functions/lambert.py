"""Lambert's W on its two real branches: w exp(w) = u; the branch 0 or -1 stands before the argument."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import lambertw

from qtheory.proofs.functions.function import Function, always
from qtheory.proofs.functions.values import LOST, Flags, Values
from qtheory.proofs.kernel.logic import failures
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Step, attempt

if TYPE_CHECKING:  # in annotations alone: the search reads this table
    from qtheory.proofs.tactics.state import Search



def _facts(search: Search, s: Node, known: tuple[Step, ...]) -> list[Step | None]:
    return [attempt("lambert_equation", s, known)]


def _failing(s: Node) -> list[Node]:
    return list(failures(s))


def _real(u: float, branch: int) -> float:
    w = lambertw(u, branch)
    return float(w.real) if abs(w.imag) < 1e-12 and abs(u) > 1e-300 else math.nan


def _array(parts: list[Values], undefined: Flags, branch: int) -> Values:
    v, size = parts[0].value, parts[0].size
    w = lambertw(v, branch)
    outside = (v < -np.exp(-1)) if branch == 0 else (v < -np.exp(-1)) | (v >= 0)
    steep = size * np.abs(w.real) / np.maximum(np.abs(v * (1 + w.real)), LOST)  # beyond all bounds at -1/e
    return Values(np.where(outside, np.nan, w.real), undefined | outside, np.abs(w.real) + 1 + steep)


LAMBERT = Function("W", "lambert", _real, _array, first=2, failing=_failing, facts=_facts, curved=always, alone=True)
