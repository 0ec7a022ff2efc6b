"""Where to look for counterexamples: numbers at which a server runs, the paper's own where it prints some.

Times are in decode iterations' fixed times unless a comment says otherwise. What an equation fixes is left out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

# 64 slots, geometric outputs of mean 100: the middle of the regime of App. B.3, l. 576
PHASES = {"p0": "1/100", "alpha_p": "1", "alpha_d": "1", "beta_d": "1/20", "beta_p": "0", "mu_L": "100", "N": "64"}
# milliseconds: a batch of 4096 tokens with the kappa of -11.6 that App. A.3, l. 504, prints for RTX PRO 6000
MIXED = {"n": "4096", "alpha_MB": "15", "alpha_p": "10", "alpha_d": "10", "c0": "100", "c1": "716", "c2": "-696"}
AT_0 = {"witness": {"r": "0"}}
# theta0 = 3/10 and a mixed batch that takes half as long again to launch as a decode iteration
DEAR = {"theta0": "3/10", "mu_O": "100", "mu_L": "100", "alpha_d": "1", "alpha_MB": "3/2", "beta_MB": "1/20",
        "beta_EB": "1/20"}
# seconds: Table 3's lengths, and the margin of A.4, l. 512
MARGIN = {"theta0": "3/10", "mu_O": "256", "mu_L": "512", "alpha_d": "1/100", "alpha_MB": "1/100", "n": "512",
          "beta_EB": "1/50000", "beta_MB": "13/500000", "delta": "1/100000"}
# seconds: launches of 10 ms, 20 microseconds a token
RUNS = {"alpha_MB": "1/100", "beta_MB": "1/50000", "mu_L": "512", "mu_O": "512", "N": "512"}


def only(point: dict[str, str], names: str) -> dict[str, str]:
    return {name: point[name] for name in names.split()}


POINTS: dict[str, dict[str, str]] = {
    # LongBench's prompts (Table 9) at vLLM's default budget (l. 417)
    "eb.app-A.1.derivations.every-k": {"k": "8", "mu_L": "2492", "B": "8192", "alpha_p": "1", "beta_p": "1/1000"},
    "eb.app-A.1.gemm-flops.every-L": {"L": "16384", "d": "2048"},
    "eb.app-A.1.gqa": {"L": "4096", "d": "4096", "g": "1/4"},
    "eb.app-A.1.scope.same-cost": {"d": "4096", "B": "8192", "m": "15", "n": "131072"},
    "eb.app-A.3.i.across": {"K1": "1", "kappa1": "-4", "K2": "3", "kappa2": "-2", "n": "4096", "r": "1/2"},
    "eb.app-A.3.ii.gain": {"c0": "1", "c1": "4", "c2": "-1", "r": "1/3"},
    "eb.app-A.4.from-kappa": {"kappa": "-2", "a1": "1", "b1": "3/2", "b2": "-1"},
    "eb.app-A.4.from-runs": {**RUNS, "TP": str(1 / (Fraction(513, 512 * 100) + Fraction(1024, 50000)))},
    "eb.app-B.3.source-2-bounded.remains": {**only(PHASES, "p0 alpha_d beta_d"), "s": "100"},
    "eb.app-B.3.source-4-N.Td": {**only(PHASES, "p0 alpha_d beta_d N"), "theta": "1/2", "N2": "2048"},
    "eb.app-D.3.v-n-approx.workloads": {"p0": "1/11", "mu_L": "2492", "n": "64", "sigma_L": "0"},
    "eb.app-D.6.orthogonal.threshold": {"mu_O": "280", "s_KV": "1/2", "b": "16", "total": "16000", "f0": "0",
                                        "N": "256", "N2": "512"},
    "eb.prop-3.4.throughput": {"N": "64", "mu_O": "100", "mu_L": "100", "alpha_p": "1", "alpha_d": "1",
                               "alpha_MB": "1", "beta_EB": "1/20", "beta_MB": "32/625"},
    "eb.rem-B.1.large-N": {**only(PHASES, "p0 alpha_d beta_d N"), "theta": "1/2", "M": "69"},
    "eb.sec-3.1.fluid.ten-percent": {**only(PHASES, "p0 alpha_d beta_d"), "N": "1024", "k": "1"},
    "eb.sec-3.1.large-k.backlog": {**PHASES, "k": "1", "j": "8", "m": "1"},
    "eb.sec-3.1.small-k.throughput": {**PHASES, "k": "8", "j": "32"},
    "eb.sec-3.2.1.TP-EB": {**PHASES, "k": "64"},
    "eb.sec-3.2.1.Td": {**only(PHASES, "p0 alpha_d beta_d N"), "k": "64"},
    # phases of 33 and of 63 iterations that cost alike, with half and with four fifths of the slots idle at their ends
    "eb.sec-3.2.2.rho.system": {**only(PHASES, "alpha_d beta_d N"), "alpha_p": "17", "mu_O": "50", "D": "33", "m": "2",
                                "G": "63", "l": "5/4"},
    "eb.sec-3.5.drift.cost": {"c0": "1", "c1": "1", "c2": "-1", "r": "2/5", "s": "3/5"},
    "eb.sec-3.5.endpoints.any": MARGIN,
    "eb.sec-3.5.heavy": {**DEAR, "delta": "1/100000"},
    "eb.sec-3.5.light": DEAR,
    "eb.sec-3.5.rhs.positive": {**DEAR, "N": "64"},
    # all three fixed costs about double, that of a mixed batch a little more
    "eb.sec-4.3.2.model-size": {"alpha_p": "1", "alpha_d": "1", "alpha_MB": "1", "mu_O": "100", "mu_L": "100",
                                "N": "64", "p": "2", "d": "2", "m": "11/5"},
}

# the same at no cost per prompt token, beta_p = 0: one ratio, r = 0, then tells the two sides apart whatever the factor
FREE_PROMPTS = {**MIXED, "alpha_MB": "10", "c0": "10", "c1": "806"}

OPERATING: dict[str, dict[str, Any]] = {
    **{id: {"point": point} for id, point in POINTS.items()},
    **{id: {"point": MIXED, **AT_0} for id in ("eb.eq-9.iteration", "eb.app-A.3.combined.iteration")},
    "eb.eq-9.MB.iteration": {"point": only(FREE_PROMPTS, "n alpha_MB c0 c1 c2"), **AT_0},
    "eb.eq-9.EB.iteration": {"point": only(FREE_PROMPTS, "n alpha_p alpha_d c0 c1 c2"), **AT_0},
}
