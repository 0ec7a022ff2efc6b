"""Over which spans of a run its growth can be judged where the arrival rate varies in time.

A backlog that rises and falls with the rate shows a growth of its own within each period: half a period at one end
passes for a drift. So growth is judged between averages over whole periods, 20 of them at least, as many as the spans
of the stability test; and of a rate that changes once, only where the change is over in the first of these spans.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from qtheory.simulate.laws import Law, VaryingRate

LEAST = 20  # periods in a run, and spans of the stability test
RESOLVED = 4  # windows a period: of fewer, samples at their ends beat with it
SHIFT = 0.02  # of a period: by how much the phase may shift over the run where a number of periods is called whole


def _whole(ratio: float, times: float) -> bool:
    """Is ``ratio`` a whole number, at least 1, so nearly that ``times`` of it are still in phase?"""
    return round(ratio) >= 1 and abs(ratio - round(ratio)) * times <= SHIFT


def _common(periods: Sequence[float], horizon: float) -> float:
    """The least multiple of the last of ``periods`` that is one of all and fits LEAST times; 0 if there is none."""
    for i in range(1, int(horizon / periods[-1] / LEAST * (1.0 + 1e-9)) + 1):
        block = i * periods[-1]
        if all(_whole(block / p, horizon / block) for p in periods):
            return block
    return 0.0


def judged_over(laws: Sequence[Law], window: float, windows: int) -> tuple[float, str]:
    """Seconds of the spans of whole periods to average over (0: the windows as they are), or why there is no verdict.

    ``laws``: of the arrivals; the run has ``windows`` windows of ``window`` seconds.
    """
    varying = [law.varies for law in laws if isinstance(law, VaryingRate)]
    horizon, last = window * windows, max((change for _, change in varying), default=0.0)
    if last * LEAST > horizon * (1.0 + 1e-9):
        return 0.0, (f"the arrival rate still changes at {last:g} s: a horizon of at least {LEAST * last:g} s, "
                     "of which that is a twentieth, would decide")  # fmt: skip
    periods = sorted({period for period, _ in varying if period > 0.0})
    if not periods:
        return 0.0, ""
    shortest, longest = periods[0], periods[-1]
    if longest * LEAST > horizon * (1.0 + 1e-9):
        return 0.0, (f"the arrival rate has a period of {longest:g} s, of which the run holds {horizon / longest:.3g}; "
                     f"a verdict needs {LEAST}: a horizon of at least {LEAST * longest:g} s would decide")  # fmt: skip
    block = _common(periods, horizon)
    if not block:
        return 0.0, (f"the arrival rates' periods of {', '.join(f'{p:g}' for p in periods)} s have no common multiple "
                     "in a twentieth of the run: a longer horizon would decide")  # fmt: skip
    if shortest >= RESOLVED * window * (1.0 - 1e-9) or _whole(block / window, horizon / block):
        return block, ""
    if _whole(window / block, windows):
        return 0.0, ""
    return 0.0, (f"windows of {window:g} s do not show a period of {shortest:g} s: at least "
                 f"{math.ceil(RESOLVED * horizon / shortest - 1e-6)} windows would decide")  # fmt: skip


def block_averages(averages: np.ndarray, window: float, block: float) -> np.ndarray:
    """Averages over spans of ``block`` seconds from averages over windows, shape (replications, windows)."""
    ends = np.arange(averages.shape[1] + 1) * window
    integrals = np.hstack((np.zeros((averages.shape[0], 1)), np.cumsum(averages, axis=1) * window))
    at = np.arange(int(ends[-1] / block * (1.0 + 1e-9)) + 1) * block
    return np.diff(np.array([np.interp(at, ends, path) for path in integrals]), axis=1) / block
