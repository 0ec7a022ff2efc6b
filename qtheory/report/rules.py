"""The table ``eb-rules``: the paper's thresholds against a rule that fits no hazard rate, on any output law.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Proposition 3.1, (5) and Algorithm 1.
The numbers come from `qtheory.theory.increasing_hazard`.
"""

from __future__ import annotations

from collections.abc import Iterator

from qtheory import __version__
from qtheory.models.laws import PrefillDecodeLaw
from qtheory.numerics import increasing_hazard as numbers
from qtheory.profiles.schema import HardwareProfile
from qtheory.report.approximation import fitted_hazard
from qtheory.report.base_threshold import pair_of, profiles_sentence, provenance, threshold, workloads_sentence
from qtheory.report.inputs import with_prompts
from qtheory.report.table import Column, Math, Table, Text, Value
from qtheory.theory import increasing_hazard as ih
from qtheory.workloads import Workload

CLIP = (0.05, 0.9)  # theta_min and theta_max, which the paper does not print: those of the shipped scenarios
THETA_HAT = Math(r"\hat\theta^\ast", "θ̂*")

COLUMNS = (
    Column("profile", "profile", "hardware profile", text=True, group=True),
    Column("workload", "workload", "named workload", text=True, once=True),
    Column("p0", Math(r"\hat p_0", "p̂0"), "intercept of the hazard rate that Section 3.4 fits", "1/iteration",
           digits=2, once=True, bare=True),
    Column("eta", Math(r"\hat\eta", "η̂"), "slope of that hazard rate", "1/iteration^2", digits=3, once=True, bare=True,
           printed=False),
    Column("N", Math("N", "N"), "batch size", "requests", bare=True),
    Column("theta0", Math(r"\theta_0", "θ0"), "base threshold (3) at p0 = 1/mu_O", digits=3),
    Column("theta5", THETA_HAT, "Algorithm 1's threshold: (3) and (5) at the fitted hazard rate, clipped", digits=3),
    Column("general", Math(r"\theta_S", "θS"), "threshold of the general rule, from the survival function", digits=3),
    Column("iterations", Math("D", "D"), "decode iterations of a phase by the general rule", "iterations", bare=True,
           printed=False),
    Column("more0", Math(r"{+}\theta_0", "+θ0"), "fixed time that theta0 takes beyond the general rule's", "%",
           digits=2),
    Column("more5", Math(r"{+}\hat\theta^\ast", "+θ̂*"), "fixed time that Algorithm 1's threshold takes beyond the "
           "general rule's", "%", digits=2),
    Column("loss0", Math(r"{-}\theta_0", "−θ0"), "throughput that theta0 loses to the general rule", "%", digits=2),
    Column("loss5", Math(r"{-}\hat\theta^\ast", "−θ̂*"), "throughput that Algorithm 1's threshold loses to the general "
           "rule", "%", digits=2),
    Column("throughput", "best", "throughput by the general rule", "requests/s", digits=3, printed=False),
    Column("workload_source", "source", "source of the workload", text=True, printed=False),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


def table(
    profiles: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...], batches: tuple[int, ...],
) -> Table:
    """The thresholds of the paper's rules and of `general_rule`, and what throughput they lose to it, for profiles
    with a prefill and decode pair, workloads and batch sizes (requests); no throughput without a mean prompt length."""
    rows = tuple(row for profile in profiles for workload in workloads for row in _rows(profile, workload, batches))
    return Table(
        name="eb-rules", title="Threshold rules for any output law", caption=_caption(profiles, workloads),
        label="tab:eb-rules", columns=COLUMNS, rows=rows, version=__version__,
        provenance=tuple(provenance(profile) for profile in profiles))


def fitted_threshold(law: PrefillDecodeLaw, p0: float, eta: float, N: int) -> float | None:
    """Algorithm 1's threshold: the solution of (3) at the fitted ``p0``, raised by (5) where ``eta`` is positive, and
    clipped; None where ``p0`` is not positive, so that (3) has no solution and the algorithm makes no update."""
    if p0 <= 0:
        return None
    rise = numbers.first_order(p0 * law.alpha_p / law.alpha_d, max(eta, 0.0) / p0**2, law.beta_d * N / law.alpha_d)
    return min(max(float(rise.theta), CLIP[0]), CLIP[1])


def _rows(profile: HardwareProfile, workload: Workload, batches: tuple[int, ...]) -> Iterator[tuple[Value, ...]]:
    law, output = pair_of(profile), workload.output
    base = threshold(profile, workload).theta0
    p0, eta = fitted_hazard(output)
    rule = ih.general_rule(output, law.alpha_p, law.alpha_d)
    tokens = None  # seconds that a request's tokens take, whatever the threshold
    if with_prompts([workload]):
        tokens = law.beta_p * float(workload.prompt.mean) + law.beta_d * float(output.mean)
    for N in batches:
        fixed, fitted = rule.cost * law.alpha_d / N, fitted_threshold(law, p0, eta, N)
        more = [None if theta is None else ih.relative_cost(output, theta, law.alpha_p, law.alpha_d) - 1
                for theta in (base, fitted)]
        loss = [None if tokens is None or m is None else 100 * fixed * m / (fixed * (1 + m) + tokens) for m in more]
        yield (profile.name, workload.name, p0, eta, N, base, fitted, rule.theta, rule.iterations,
               *(None if m is None else 100 * m for m in more), *loss,
               None if tokens is None else 1 / (fixed + tokens), workload.source, __version__)


def _caption(profiles: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...]) -> Text:
    return (
        "Thresholds k/N by three rules: ", Math(r"\theta_0", "θ0"), ", the base threshold (3) of arXiv:2606.00516 at ",
        Math(r"p_0=1/\mu_O", "p0 = 1/μ_O"), "; ", THETA_HAT, ", that of its Algorithm 1, (3) and (5) at the hazard "
        f"rate that Section 3.4 fits to the law, clipped to [{CLIP[0]}, {CLIP[1]}], and none where the fitted ",
        Math(r"\hat p_0", "p̂0"), " is not positive; ", Math(r"\theta_S", "θS"), ", which fits nothing: the share that "
        "has completed after the whole number D of iterations with the least fixed time per request, ",
        Math(r"(\alpha_d D+\alpha_p)\sum_{j\ge0}\Pr(O>jD)", "(α_d·D + α_p)·Σ_j Pr(O > j·D)"),
        ", for large batches whose requests keep their age. Then the fixed time that the paper's rules take beyond "
        "that (+), and the share of the best throughput that they lose (-). "
        + profiles_sentence(profiles) + " " + workloads_sentence(workloads),
        f" Computed by qtheory {__version__}.",
    )
