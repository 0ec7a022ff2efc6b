"""Corrections of the refuted statements of Sections 3.1 to 3.2.1 and Appendix B."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import processes
from .appendix_b_fluid import ABSORBED, DISCRETE_CYCLE, DISCRETE_TD, FLUID_TD, GAP, TD_AT
from .section_3_1 import BELOW_N_SOURCE, CYCLE_TIME
from .section_3_1 import FLUID_TD as FLUID_TD_AT
from .section_3_2_1 import BETA_EB, MU_O, TD, TP_PRINTED
from .wording import COSTS, PSI, REGIME, checked, claim, correction

BELOW_N = {"k < N": "added: at k = N ln(1 - theta) is undefined"}
BELOW_1 = {"p0 < 1": "added: at p0 = 1 ln(1 - p0) is undefined"}
# of the regime, which each refuted claim has: its correction holds in a wider one
LOGARITHM = {"p0 < 1": "App. B.3, l. 576: ln(1 - p0), in the regime p0 in [0.003, 0.01]"}
INDEX = {"t in naturals": "App. B.1, l. 530: t is the iteration index"}
OTHER_K = {"j in naturals": "as for k, a larger threshold", "k < j": "small k against large k", "j < N": BELOW_N_SOURCE}
ROOT = ("0 < theta0 < 1", "Psi(theta0) == p0*alpha_p/alpha_d")

SECTION_3 = (
    correction("eb.sec-3.1.large-k.backlog", "Section 3.1", (75, 75), "inequality",
               "m/k*cycle(k/N) < m/j*cycle(j/N)",
               (*COSTS, "N in naturals", "k in naturals", "1 <= k <= N", "j in naturals", "k < j", "j < N", "m > 0",
                *ROOT, "theta0*N <= k"), (PSI, FLUID_TD_AT, CYCLE_TIME),
               sources={**OTHER_K, "m > 0": "a backlog of m requests", "theta0*N <= k": "added: late switching, past "
                        "the optimal threshold"}),
    correction("eb.sec-3.1.small-k.throughput", "Section 3.1", (75, 75), "inequality",
               "k/cycle(k/N) < j/cycle(j/N)",
               (*COSTS, "N in naturals", "k in naturals", "1 <= k <= N", "j in naturals", "k < j", "j < N", *ROOT,
                "j <= theta0*N"), (PSI, FLUID_TD_AT, CYCLE_TIME),
               sources={**OTHER_K, "j <= theta0*N": "added: early switching, before the optimal threshold"}),
    correction("eb.sec-3.1.theta0-limit", "Section 3.1", (85, 85), "limit", "theta == phi",
               ("0 < p0 <= 1", "alpha_p > 0", "alpha_d > 0", "alpha_p2 > 0", "alpha_d2 > 0", "0 < theta < 1",
                "0 < phi < 1", "Psi(theta) == p0*alpha_p/alpha_d", "Psi(phi) == p0*alpha_p2/alpha_d2",
                "alpha_p/alpha_d == alpha_p2/alpha_d2"), (PSI,),
               sources={"Psi(theta) == p0*alpha_p/alpha_d": "(3), l. 113",
                        "Psi(phi) == p0*alpha_p2/alpha_d2": "(3) for a second system with the same output distribution",
                        "alpha_p/alpha_d == alpha_p2/alpha_d2": "added: the ratio of the fixed times is the same"},
               note="theta0 depends on the output distribution and on the ratio of the fixed times alpha_p/alpha_d."),
    correction("eb.sec-3.1.fluid.ten-percent", "Section 3.1", (89, 89), "inequality",
               "And((beta_d*N*theta - alpha_d*log(1 - theta))/p0 <= (1 + gap(p0))*(" + DISCRETE_TD + "), "
               + DISCRETE_TD + " <= (beta_d*N*theta - alpha_d*log(1 - theta))/p0)",
               ("0 < p0 <= 1", "p0 < 1", "alpha_d > 0", "beta_d >= 0", "N > 0", "0 < theta < 1"), (GAP,),
               sources=LOGARITHM,
               note="Against the mean discrete trajectory (1 - p0)^t, stopped when 1 - theta of it is left, the fluid "
                    "duration is too long by at most -ln(1 - p0)/p0 - 1, about p0/2. Rounding to whole iterations and "
                    "overshoot (Source 2) come on top, and are small only where the phase has many iterations, theta "
                    ">> p0."),
    correction("eb.sec-3.2.1.Td", "Section 3.2.1", (99, 103), "identity",
               "Td == (beta_d*N*theta - alpha_d*log(1 - theta))/p0",
               ("0 < p0 <= 1", "alpha_d > 0", "beta_d >= 0", "N in naturals", "k in naturals", "1 <= k <= N", "k < N"),
               (TD, "theta = k/N"), sources=BELOW_N),
    correction("eb.sec-3.2.1.TP-EB", "Section 3.2.1", (103, 107), "identity",
               "k/(Td + alpha_p + beta_p*k*mu_L) == TP(k, N)",
               (*COSTS, "N in naturals", "k in naturals", "1 <= k <= N", "k < N"), (MU_O, BETA_EB, TD, TP_PRINTED),
               sources=BELOW_N),
    correction("eb.eq-4", "Section 3.2.1, (4)", (119, 121), "identity",
               "TP(k0, N) == 1/((alpha_p - alpha_d*mu_O*log(1 - k0/N))/k0 + beta_EB*(mu_L + mu_O))",
               (*COSTS, "N in naturals", "N >= 1", "0 < theta0 < 1", "theta0*N >= 1"),
               (MU_O, BETA_EB, TP_PRINTED, "k0 = floor(theta0*N)"),
               sources={"theta0*N >= 1": "added: else floor(theta0 N) = 0 is no threshold"},
               note="zeta is to be taken at k0*/N, not at theta0."),
    claim("eb.eq-4.unrounded", "Section 3.2.1, (4)", "", (119, 121), "identity",
          "TP(k0, N) == 1/((alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O))",
          (*COSTS, "N in naturals", "N >= 1", "0 < theta0 < 1"),
          (MU_O, BETA_EB, TP_PRINTED, "k0 = theta0*N", "zeta = -log(1 - theta0)"),
          note="The other reading of (4): with k0* = theta0 N, as Sec. 3.5, l. 182, substitutes, it is exact."),
    claim("eb.eq-4.lower-bound", "Section 3.2.1, (4)", "", (119, 121), "inequality",
          "1/((alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)) <= TP(k0, N)",
          (*COSTS, "N in naturals", "N >= 1", "0 < theta0 < 1", "theta0*N >= 1"),
          (MU_O, BETA_EB, TP_PRINTED, "k0 = floor(theta0*N)", "zeta = -log(1 - theta0)"),
          sources={"theta0*N >= 1": "added: else floor(theta0 N) = 0 is no threshold"},
          note="What (4) prints never exceeds the fluid throughput at k0*."),
)

APPENDIX_B = (
    checked("eb.app-B.1.convergence", "Appendix "
                                      "B.1", (526, 532), "distributional",
                                      run=processes.discrete_limit_run, says=processes.DISCRETE_LIMIT,
            note="N_t/N tends to (1 - p0)^t uniformly over t <= T: Pr(max_{t <= T} |N_t/N - (1 - p0)^t| > eps) <= "
                 "T/(4 N "
                 "eps^2), by Chebyshev's inequality, as N_t ~ Binomial(N, (1 - p0)^t)."),
    checked("eb.app-B.1.error", "Appendix B.1", (534, 534), "distributional",
            run=processes.variance_run, says=processes.VARIANCE,
            note="About the discrete trajectory: Var(N_t/N) = (1 - p0)^t (1 - (1 - p0)^t)/N <= 1/(4N), so the error "
                 "around (1 - p0)^t is of order 1/sqrt(N)."),
    claim("eb.app-B.1.error.size", "Appendix B.1", "", (534, 534), "inequality",
          "sqrt((1 - p0)**t*(1 - (1 - p0)**t)/N) <= 1/(2*sqrt(N))", ("0 < p0 <= 1", "t in naturals", "N > 0"),
          sources=INDEX, note="The standard deviation of N_t/N."),
    correction("eb.rem-B.1.large-N", "Remark B.1", (564, 564), "identity",
               "alpha_d*M + beta_d*N*Sum((1 - p0)**i, (i, 0, M - 1)) == alpha_d*M + beta_d*N*(1 - (1 - p0)**M)/p0",
               ("0 < p0 <= 1", "alpha_d > 0", "beta_d >= 0", "N > 0", "M in naturals", "M >= 1"),
               sources={"M in naturals": "Remark B.1: the number of iterations", "M >= 1": "Remark B.1: i = 1, ..., M"},
               note="Along the mean trajectory the sum is alpha_d M + beta_d N (1 - (1 - p0)^M)/p0; it agrees with "
                    "(13) "
                    "in the limit p0 -> 0 (eb.rem-B.1.small-p0)."),
    checked("eb.app-B.3.source-2-stop", "Appendix B.3, Source 2", (572, 572), "algorithm",
            run=processes.integer_stop_run, says=processes.INTEGER_STOP,
            note="M is a random integer (on the mean trajectory ceil(ln(1 - theta)/ln(1 - p0))); whenever k < N the "
                 "phase overshoots k with positive probability."),
    correction("eb.app-B.3.source-2-bounded.remains", "Appendix B.3, Source 2", (572, 572), "limit",
               "Exists(e, e > 0, ForAll(n, n > 0, D(ceil(s), n)/D(s, n) - 1 >= e))",
               ("0 < p0 <= 1", "alpha_d > 0", "beta_d >= 0", "0 < theta < 1", "exp(-p0*s) == 1 - theta", "ceil(s) > s"),
               (TD_AT,), sources={"ceil(s) > s": "added: t* is no integer"}),
    correction("eb.app-B.3.source-3.negligible", "Appendix B.3, Source 3", (574, 574), "inequality",
               "(theta*N - floor(theta*N))/(theta*N) < 1/(theta*N)", ("0 < theta < 1", "N in naturals", "N >= 32"),
               sources={"N >= 32": "App. B.3, l. 574"},
               note="The relative error is below 1/(theta N): below 5 percent once theta N >= 20."),
    correction("eb.app-B.3.source-4-discrete", "Appendix B.3, Source 4", (576, 576), "identity",
               "(1 - p0)**t == exp(t*log(1 - p0))", ("0 < p0 <= 1", "p0 < 1", "t in naturals"),
               sources={**INDEX, **BELOW_1}),
    correction("eb.app-B.3.source-4-gap", "Appendix B.3, Source 4", (576, 576), "expansion",
               'BigO(-p0 - log(1 - p0) - p0**2/2, p0**3, p0, 0, "+")'),
    claim("eb.app-B.3.source-4-gap.positive", "Appendix B.3, Source 4", "", (576, 576), "inequality",
          "And(-p0 - log(1 - p0) >= p0**2/2, -p0 - log(1 - p0) <= p0**2/(2*(1 - p0)))", ("0 < p0 <= 1", "p0 < 1"),
          sources=BELOW_1, note="Bounds of the gap over the whole range of p0."),
    correction("eb.app-B.3.source-4-N.Td", "Appendix B.3, Source 4", (576, 576), "inequality",
               f"({FLUID_TD})/({DISCRETE_TD}) > ({FLUID_TD.replace('N', 'N2')})/({DISCRETE_TD.replace('N', 'N2')})",
               ("0 < p0 <= 1", "p0 < 1", "alpha_d > 0", "beta_d > 0", "N > 0", "N2 > 0", "0 < theta < 1", "N < N2"),
               sources={**LOGARITHM, "beta_d > 0": "added: a token costs time",
                        "N < N2": "a smaller and a larger batch"},
               note="Where a token costs time the relative error of E[T_d] falls strictly with N; it tends to 0."),
    correction("eb.app-B.3.source-4-absorbed", "Appendix B.3, Source 4", (576, 576), "identity",
               ABSORBED, (*COSTS, "p0 < 1", "N > 0", "0 < theta < 1"), (PSI, DISCRETE_CYCLE), sources=BELOW_1),
    correction("eb.app-B.3.source-4-dominated.every-N", "Appendix B.3, Source 4", (576, 576), "inequality",
               "Exists(N, And(floor(N) == N, N >= 64), gap(p0) > C/sqrt(N))", (REGIME, "C > 0"), (GAP,),
               sources={"C > 0": "any constant in O(1/sqrt(N))"},
               note="Whatever the constant of O(1/sqrt(N)), the gap exceeds it at some N."),
)

CLAIMS: tuple[Claim, ...] = (*SECTION_3, *APPENDIX_B)
