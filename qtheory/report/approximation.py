"""The table ``eb-approximation``: where the closed forms of exclusive batching are good.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Sections 3.2, 3.3 and 3.5 and
Appendix D. All numbers come from `qtheory.theory.accuracy`; the plot is in `qtheory.report.approximation_plot`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from qtheory import __version__, workloads
from qtheory.numerics.special import base_threshold
from qtheory.report.table import Column, Math, Table, Text, Value
from qtheory.theory import accuracy

if TYPE_CHECKING:
    from qtheory.workloads import LengthLaw

GAMMAS = (0.01, 0.1, 1.0)
RHOS = (0.0, 1.0, 10.0)
HAZARDS = (0.003, 0.01)  # the ends of the paper's operating regime (Appendix B.3)
SHARES = (0.1, 0.3, 0.5, 0.9)
RATES = (0.01, 1.0)  # p0 mu_L: the ends between which most of the paper's workloads lie
SPREADS = (("equal", 0.0), ("geometric", 1.0))  # sigma_L/mu_L of prompts, that of geometric ones nearly
# the paper's workloads with prompt lengths and outputs of many tokens, from the least p0 mu_L to the greatest
MEMORY_WORKLOADS = ("eb-geometric-384", "eb-geometric-64", "eb-numinamath", "eb-decode-heavy", "eb-sharegpt",
                    "eb-balanced", "eb-prefill-heavy", "eb-longbench")
# alpha_p/alpha_d of the paper's H200 with Qwen3-8B, which is not printed: the median over the rows of Table 10 of the
# ratio at which (3) gives the row's mean optimal threshold
RATIO = 17.0

GAMMA = Math(r"\gamma", "γ")
RHO = Math(r"\rho", "ρ")
EPSILON = Math(r"\eta/p_0^2", "η/p0²")
RATE = Math(r"p_0\mu_L", "p0·μ_L")

COLUMNS = (
    Column("form", "closed form", "closed form of the paper", text=True, group=True),
    Column("exact", "exact answer", "what it is held against", text=True, once=True),
    Column("gamma", GAMMA, "p0 alpha_p/alpha_d", digits=2, trim=True),
    Column("rho", RHO, "beta_d N/alpha_d", digits=3, trim=True),
    Column("p0", Math("p_0", "p0"), "hazard rate", "1/iteration", digits=2, trim=True, bare=True),
    Column("rate", RATE, "p0 mu_L", digits=2, trim=True),
    Column("theta", Math(r"\theta", "θ"), "threshold k/N at which the form is taken", digits=2, trim=True),
    Column("variable", "in", "the parameter that bounds the region", text=True),
    Column("within_1", Math(r"1\,\%", "1 %"), "end of the region of at most 1 percent error", digits=3, trim=True),
    Column("within_5", Math(r"5\,\%", "5 %"), "end of the region of at most 5 percent error", digits=3, trim=True),
    Column("within_20", Math(r"20\,\%", "20 %"), "end of the region of at most 20 percent error", digits=3, trim=True),
)
SLOPE_UP_TO, BATCH_FROM, RATE_UP_TO = "slope", "N", "rate"


def table() -> Table:
    """Each closed form, and the region in which it is within 1, 5 and 20 percent of the exact answer."""
    return Table(
        name="eb-approximation", title="Where the closed forms of exclusive batching are good", caption=_caption(),
        label="tab:eb-approximation", columns=COLUMNS, rows=(*_threshold_rows(), *_memory_rows()), version=__version__)


def _threshold_rows() -> Iterator[tuple[Value, ...]]:
    slopes = accuracy.SLOPES
    for gamma in GAMMAS:
        for rho in RHOS:
            errors = accuracy.correction_error(gamma, rho, slopes)
            reach = [accuracy.slope_reach(errors, level, slopes) for level in accuracy.LEVELS]
            yield ("expansion (5)", "best, fresh clocks", gamma, rho, None, None, None, SLOPE_UP_TO, *reach)
    slopes = accuracy.FEWER_SLOPES
    kept = {gamma: accuracy.kept_age_errors(gamma, RHOS, slopes) for gamma in GAMMAS}
    for gamma, errors in kept.items():
        for rho, row in zip(RHOS, errors[:-1], strict=True):
            reach = [accuracy.slope_reach(row, level, slopes) for level in accuracy.LEVELS]
            yield ("expansion (5)", "best, kept ages", gamma, rho, None, None, None, SLOPE_UP_TO, *reach)
    for gamma, errors in kept.items():
        reach = [accuracy.slope_reach(errors[-1], level, slopes) for level in accuracy.LEVELS]
        yield ("base threshold (3)", "best, kept ages", gamma, None, None, None, None, SLOPE_UP_TO,
               *reach)
    for p0 in HAZARDS:
        for gamma in GAMMAS:
            found = accuracy.batch_reaches(lambda n, g=gamma, p=p0: accuracy.threshold_error(g, p, n),  # type: ignore[misc]
                                           accuracy.SMALLER_BATCHES)
            yield ("base threshold (3)", "chain's best k/N", gamma, None, p0, None, None, BATCH_FROM, *found)
    for p0 in HAZARDS:
        for share in SHARES:
            found = accuracy.batch_reaches(lambda n, s=share, p=p0: accuracy.decode_error(s, p, n))  # type: ignore[misc]
            yield ("decode phase (Sec. 3.2.1)", "chain's mean", None, None, p0, None, share, BATCH_FROM, *found)
    for p0 in HAZARDS:
        for gamma in GAMMAS:
            found = accuracy.batch_reaches(lambda n, g=gamma, p=p0: accuracy.throughput_error(g, p, n))  # type: ignore[misc]
            yield ("throughput (4)", "(1), chain's phase", gamma, None, p0, None, None, BATCH_FROM, *found)
    for gamma in GAMMAS:
        found = accuracy.reaches(accuracy.condition_errors(gamma, accuracy.EVERY_BATCH), accuracy.EVERY_BATCH)
        yield ("condition (7)", "zeta at k0*/N", gamma, None, None, None, None, BATCH_FROM, *found)


def _memory_rows() -> Iterator[tuple[Value, ...]]:
    for p0 in HAZARDS:
        for rate in RATES:
            for share in SHARES:
                found = accuracy.batch_reaches(
                    lambda n, s=share, p=p0, m=rate: float(accuracy.start_error(m, s, p, n)))  # type: ignore[misc]
                yield ("mean memory E[X0] (App. D.2)", "chain's mean", None, None, p0, rate, share, BATCH_FROM,
                       *found)
    for prompts, spread in SPREADS:
        for p0 in HAZARDS:
            errors = np.asarray(accuracy.variance_error(accuracy.PROMPTS, p0, spread))
            reach = [accuracy.slope_reach(errors, level, accuracy.PROMPTS) for level in accuracy.LEVELS]
            yield ("variance 2n/p0 (App. D.3)", f"v_n, {prompts}", None, None, p0, None, None, RATE_UP_TO,
                   *reach)
    at = [("", p0, round(rate / p0), share) for p0 in HAZARDS for rate in RATES for share in SHARES]
    at += [(name.removeprefix("eb-"), *memory_point(name)) for name in MEMORY_WORKLOADS]
    errors_at = [[accuracy.batch_errors(theta, p0, prompt, n) for n in accuracy.SMALLER_BATCHES]
                 for _, p0, prompt, theta in at]
    for i, form in enumerate(("N_static (App. D.5)", "N_expected (App. D.5)", "safe batch (6)")):
        for (name, p0, prompt, theta), sizes in zip(at, errors_at, strict=True):
            found = accuracy.reaches([e[i] for e in sizes], accuracy.SMALLER_BATCHES)
            yield (form, name or "largest safe", p0 * RATIO if name else None, None, p0, p0 * prompt, theta, BATCH_FROM,
                   *found)


def memory_point(name: str) -> tuple[float, int, float]:
    """(p0, prompt length in whole tokens, theta0) of a workload at a constant hazard rate, ``alpha_p/alpha_d`` = 17."""
    workload = workloads.load(name)
    p0 = 1 / float(workload.output.mean)
    return p0, max(round(float(workload.prompt.mean)), 1), float(base_threshold(p0 * RATIO).theta0)


def _caption() -> Text:
    return (
        "Where the closed forms of arXiv:2606.00516 are within 1, 5 and 20 percent of the exact answer: "
        "the largest slope ", EPSILON, " of the hazard rate or rate ", RATE, " (from 0.001 on) up to which, or the "
        "least power of two ", Math("N", "N"),
        " from 8 to 4096 (1024 for the base threshold and the batch sizes; for (7) every ", Math("N", "N"),
        ", as its error jumps with the rounding) from which on, they are; nothing where they are not. ", GAMMA, " is ",
        Math(r"p_0\alpha_p/\alpha_d", "p0·α_p/α_d"), ", ", RHO, " is ", Math(r"\beta_d N/\alpha_d", "β_d·N/α_d"),
        "; rows without ", RHO, " have no cost per token. Fresh clocks: every request's hazard starts anew with each "
        "phase (Appendix C); kept ages: it does not (Section 3.1), and the optimum is the same for every ", RHO,
        ". The variance is held against ", Math("v_n", "v_n"), " with prompts of equal or of geometric length. "
        "Of (7) the term ",
        Math(r"(\alpha_p+\alpha_d\zeta\mu_O)/k_0^\ast", "(α_p + α_d·ζ·μ_O)/k0*"), ", whose ", Math(r"\zeta", "ζ"),
        " is at ", Math(r"\theta_0", "θ0"), ". The batch sizes are held against ",
        Math("N", "N"), " at the capacity that ", Math("N", "N"),
        " requests need for a risk of ", Math(r"\epsilon = 0.01", "ε = 0.01"),
        ", with constant hazard rate and all prompts of one length; for the paper's workloads (WildChat has no prompt "
        "lengths) it is their mean length, and ", Math(r"\theta", "θ"), " is ", Math(r"\theta_0", "θ0"), " at ",
        Math(rf"\alpha_p/\alpha_d = {RATIO:g}", f"α_p/α_d = {RATIO:g}"),
        f". The capacity is a quantile of {accuracy.PHASES * accuracy.REPLICATIONS} simulated phases, good to about "
        f"0.3 percent at 1024 requests and 1 percent at 64. Computed by qtheory {__version__}.")


# ---- the paper's operating points ----

class OperatingPoint(NamedTuple):
    """A workload of the paper with the linear hazard rate that fits it: pure numbers."""

    name: str
    gamma: float
    epsilon: float


def operating_points() -> tuple[list[OperatingPoint], list[str]]:
    """The paper's workloads at ``alpha_p/alpha_d`` = 17, and the names of those whose fitted p0 is not positive."""
    points, without = [], []
    for name in workloads.names():
        workload = workloads.load(name)
        if workload.paper != "eb":
            continue
        p0, eta = fitted_hazard(workload.output)
        if p0 <= 0:
            without.append(name)
        elif eta / p0**2 > 1e-9:  # a constant hazard rate has no place on a logarithmic axis
            points.append(OperatingPoint(name, float(p0 * RATIO), float(eta / p0**2)))
    return points, without


def fitted_hazard(law: LengthLaw) -> tuple[float, float]:
    """(p0, eta) of Section 3.4's fit to the law's own hazard rate: weighted least squares over t = 1, ..., the 95th
    percentile, the weights the shares at risk. p0 may be negative."""
    t = np.arange(1, law.quantile(0.95) + 1)
    root = np.sqrt(np.asarray(law.survival(t)))
    p0, eta = np.linalg.lstsq(np.stack([root, t * root], axis=1), np.asarray(law.hazard(t)) * root, rcond=None)[0]
    return float(p0), float(eta)
