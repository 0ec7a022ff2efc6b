"""The tests of the exclusive-batching paper (arXiv:2606.00516) for an increasing hazard rate, Table 12.

The samples are not published. The shipped workloads have the printed moments, and the greatest entropy given these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from qtheory import workloads
from qtheory.numerics.estimate import empirical_hazard, mann_kendall, percentile, regression_slope
from qtheory.proofs.claims.eb.models.tables import TABLES
from qtheory.report.reproduce_rows import Progress, Reproduced, Row
from qtheory.simulate.statistics import student

NAMED = {"sharegpt": "eb-sharegpt", "numina": "eb-numinamath", "wildchat": "eb-wildchat"}
SAMPLES, SEED = 40, 12
TESTS = ("mann-kendall", "regression")


class Tested(NamedTuple):
    """log10 of the two p-values, and the regression's slope per token."""

    mann_kendall: float
    regression: float
    slope: float


def tested(name: str, size: int, generator: np.random.Generator) -> Tested:
    """Both tests of Appendix E.4 on the empirical hazard rate of a sample, t = 1, ..., t95."""
    sample = workloads.load(NAMED[name]).output.sample(generator, size)
    hazard = empirical_hazard(sample, percentile(sample))
    trend, line = mann_kendall(hazard.rate), regression_slope(hazard.t, hazard.rate)
    least = np.finfo(float).tiny
    return Tested(math.log10(max(trend.p_value, least)), math.log10(max(line.p_value, least)), line.statistic)


def tests(progress: Progress) -> Reproduced:
    """Table 12: both tests on samples of the shipped laws."""
    caption = (f"Logarithms to base 10 of the p-values: the printed ones, and the mean over {SAMPLES} samples (seed "
               f"{SEED}) of the printed size from the law of the greatest entropy that ships for each workload, with "
               "its 95 percent interval. The share is that of the samples whose regression rises.",)
    return Reproduced("Tests for an increasing hazard rate", caption, list(_tests(progress)))


def _tests(progress: Progress) -> Iterator[Row]:
    for i, (name, c) in enumerate(TABLES[12].rows.items()):
        generator, found = np.random.default_rng([SEED, i]), []
        for done in range(SAMPLES):
            found.append(tested(name, int(c["n"]), generator))
            progress(i * SAMPLES + done + 1, SAMPLES * len(TABLES[12].rows))
        for place, test in enumerate(TESTS):
            mean = student([t[place] for t in found])
            yield Row(name, f"log10 p, {test}", math.log10(float(c[test])), mean.estimate, mean.low, mean.high)
        rising = student([float(t.slope > 0) for t in found])
        yield Row(name, "share that rises", None, rising.estimate, rising.low, rising.high)
