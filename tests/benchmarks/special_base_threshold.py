"""Speed and accuracy of the base threshold: solutions a second on one core, and the worst errors in ulp.

Run it as ``python tests/benchmarks/special_base_threshold.py``; it exits 1 when a promised figure is missed.
"""

from __future__ import annotations

import sys
import time

import mpmath
import numpy as np
from numpy.typing import NDArray

from qtheory.numerics.special import base_threshold

PROMISED_PER_SECOND = 2e6
PROMISED_ULP = 8.0


def exact(ratio: float) -> tuple[mpmath.mpf, mpmath.mpf, mpmath.mpf]:
    """theta0, 1 - theta0, zeta by the Lambert function to 50 digits; 30 more pay for its branch point."""
    with mpmath.workdps(80):
        growth = -mpmath.lambertw(-mpmath.exp(-1 - mpmath.mpf(ratio)), -1).real
        return (growth - 1) / growth, 1 / growth, mpmath.log(growth)


def worst_ulp_errors(ratios: NDArray[np.float64]) -> tuple[float, float, float]:
    """The largest errors of theta0, 1 - theta0 and zeta over ``ratios``, in units in the last place."""
    computed = base_threshold(ratios)
    worst = [0.0, 0.0, 0.0]
    for i, ratio in enumerate(ratios):
        for j, truth in enumerate(exact(float(ratio))):
            ulp = mpmath.mpf(float(np.spacing(float(truth))))
            value = mpmath.mpf(float(np.atleast_1d(computed[j])[i]))
            worst[j] = max(worst[j], float(abs(value - truth) / ulp))
    return worst[0], worst[1], worst[2]


def solutions_per_second(count: int = 2_000_000, repeats: int = 3) -> float:
    """The best of ``repeats`` timings over log-uniform ratios from 1e-12 to 1e12, on one core."""
    ratios = 10.0 ** np.random.default_rng(0).uniform(-12, 12, count)
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        base_threshold(ratios)
        seconds.append(time.perf_counter() - start)
    return count / min(seconds)


def main() -> int:
    """Print the promised figures and what was measured; 1 when one is missed."""
    speed = solutions_per_second()
    errors = worst_ulp_errors(np.geomspace(1e-12, 1e12, 4001))
    print(f"solutions per second   {speed:14,.0f}   promised {PROMISED_PER_SECOND:,.0f}; ratio "
          f"{speed / PROMISED_PER_SECOND:.3g}" + ("" if speed >= PROMISED_PER_SECOND else "  MISSED"))
    for name, error in zip(("theta0", "1 - theta0", "zeta"), errors, strict=True):
        print(f"worst error {name:10s} {error:10.2f} ulp   promised {PROMISED_ULP:g} ulp"
              + ("" if error <= PROMISED_ULP else "  MISSED"))
    return int(speed < PROMISED_PER_SECOND or max(errors) > PROMISED_ULP)


if __name__ == "__main__":
    sys.exit(main())
