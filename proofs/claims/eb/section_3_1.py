"""Section 3.1, problem formulation, and the opening of Section 3.2."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .processes import EXACT_OPTIMUM, exact_optimum_run
from .wording import COSTS, POSITIVE, PSI, REGIME, SLOTS, claim

FLUID_TD = "Td(x) = (beta_d*N*x - alpha_d*log(1 - x))/p0"
CYCLE_TIME = "cycle(x) = Td(x) + alpha_p + beta_p*N*x*mu_L"
BELOW_N = "k < N"
BELOW_N_SOURCE = "Sec. 3.2.1, l. 101: the fluid duration has ln(1 - theta), which needs theta = k/N < 1"

LARGE_K = ("large k (late switching) leaves completed slots idle longer and inflates queued requests' wait time")
SMALL_K = ("small k (early switching) amortizes the fixed prefill overhead alpha_p over fewer requests and reduces "
           "efficiency")
LIMIT = ("We show that theta* converges to a limit theta0 that depends exclusively on the output distribution and is "
         "independent of N")
DECOUPLED = ("the threshold theta0 is optimal asymptotically and may not perfectly coincide with the exact finite-N "
             "solution")
FLUID_QUOTE = "This approximation is highly accurate in the large-batch regime typical of modern LLM serving."
DIRECTION = ("a higher hazard rate means completions arrive faster (favoring delayed switching), while a lower rate "
             "makes waiting costly (favoring earlier switching)")

INSTANCE = ("N == 4", "p0 == 1/4", "alpha_p == 1", "alpha_d == 1", "beta_d == 1", "beta_p == 1", "mu_L == 1")

CLAIMS: tuple[Claim, ...] = (
    Claim("eb.sec-3.1.large-k", "Section 3.1", LARGE_K, (75, 75), "inequality", verdict="imprecise",
          readings=("eb.sec-3.1.large-k.idle", "eb.sec-3.1.large-k.next-admission", "eb.sec-3.1.large-k.backlog"),
          note="The wait of which queued request is not said: in the saturated regime the queue never empties. "
               "Weak readings: the mean idle time of a completed slot, and the time until the next admission, grow "
               "with k (both true). Strong reading: the wait of a request behind a given backlog grows with k "
               "(false below the optimal threshold)."),
    claim("eb.sec-3.1.large-k.idle", "Section 3.1", LARGE_K, (75, 75), "inequality",
          "StrictlyIncreasing(Integral(1 - exp(-p0*t), (t, 0, -log(1 - x)/p0))/x, x, And(0 < x, x < 1))",
          ("0 < p0 <= 1",),
          hint={"lemmas": ["ForAll(z, And(0 < z, z < 1), z + (1 - z)*log(1 - z) > 0)"]},
          note="Mean idle time (iterations) of a completed slot in the fluid decode phase, by Section 3.2.1: N (1 - "
               "n(t)) "
               "slots are idle after t iterations, theta N of them complete."),
    claim("eb.sec-3.1.large-k.next-admission", "Section 3.1", LARGE_K, (75, 75), "inequality",
          "StrictlyIncreasing((beta_d*N*x - alpha_d*log(1 - x))/p0, x, And(0 < x, x < 1))",
          (*POSITIVE, "beta_d >= 0", "N > 0"),
          note="Time from the start of a decode phase to the next prefill, with Section 3.2.1's fluid duration."),
    claim("eb.sec-3.1.large-k.backlog", "Section 3.1", LARGE_K, (75, 75), "inequality",
          "m/k*cycle(k/N) < m/j*cycle(j/N)",
          (*COSTS, *SLOTS, "j in naturals", "k < j", "j < N", "m > 0"), (FLUID_TD, CYCLE_TIME),
          sources={"j in naturals": "as for k, a larger threshold", "k < j": "large k against small k",
                   "j < N": BELOW_N_SOURCE, "m > 0": "a backlog of m requests (the reading)"},
          corrected_by="eb.sec-3.1.large-k.backlog.corrected", severity="substantive",
          note="At p0 = 1/100, N = 64, alpha_p = alpha_d = 1, beta_d = 1/20, beta_p = 0 a cycle takes 7.57 per "
               "request at k = 1 and 6.79 at k = 8, so that the wait behind a given backlog is shorter under the "
               "larger k. Strong reading: m requests are served at rate TP(k, N) = k/cycle. Raw line 75: '(late "
               "switching) leaves completed slots idle longer and inflates queued requests' wait time'. Independent "
               "use: Lemma B.4, by which the throughput grows with theta below theta0."),
    Claim("eb.sec-3.1.small-k", "Section 3.1", SMALL_K, (75, 75), "inequality", verdict="imprecise",
          readings=("eb.sec-3.1.small-k.amortized", "eb.sec-3.1.small-k.throughput"),
          note="'Efficiency' is not defined. Weak reading: the prefill time per admitted request rises as k falls "
               "(true). Strong reading: the throughput falls with every decrease of k (false above the optimal "
               "threshold)."),
    claim("eb.sec-3.1.small-k.amortized", "Section 3.1", SMALL_K, (75, 75), "inequality",
          "(alpha_p + beta_p*k*mu_L)/k > (alpha_p + beta_p*j*mu_L)/j",
          ("alpha_p > 0", "beta_p >= 0", "mu_L > 0", *SLOTS, "j in naturals", "k < j"),
          sources={"j in naturals": "as for k, a larger threshold", "k < j": "small k against large k"}),
    claim("eb.sec-3.1.small-k.throughput", "Section 3.1", SMALL_K, (75, 75), "inequality",
          "k/cycle(k/N) < j/cycle(j/N)",
          (*COSTS, *SLOTS, "j in naturals", "k < j", "j < N"), (FLUID_TD, CYCLE_TIME),
          sources={"j in naturals": "as for k, a larger threshold", "k < j": "small k against large k",
                   "j < N": BELOW_N_SOURCE},
          corrected_by="eb.sec-3.1.small-k.throughput.corrected", severity="substantive",
          note="At p0 = 1/100, N = 64, alpha_p = alpha_d = 1, beta_d = 1/20, beta_p = 0 a cycle takes 7.20 per "
               "request at k = 32 and 6.79 at k = 8: above the optimal threshold the throughput rises as k falls. "
               "Strong reading, with (1) and the fluid duration of Section 3.2.1. Raw line 75: 'small k (early "
               "switching) amortizes the fixed prefill overhead ... over fewer requests and reduces efficiency'. "
               "Independent use: Lemma B.4, by which the throughput falls with theta above theta0."),
    claim("eb.sec-3.1.theta0-limit", "Section 3.1", LIMIT, (85, 85), "limit",
          "theta == phi",
          ("0 < p0 <= 1", "alpha_p > 0", "alpha_d > 0", "alpha_p2 > 0", "alpha_d2 > 0",
           "0 < theta < 1", "0 < phi < 1", "Psi(theta) == p0*alpha_p/alpha_d", "Psi(phi) == p0*alpha_p2/alpha_d2"),
          (PSI,),
          sources={"Psi(theta) == p0*alpha_p/alpha_d": "Prop. 3.1, (3), l. 113: what theta0 is",
                   "Psi(phi) == p0*alpha_p2/alpha_d2": "(3) for a second system with the same output distribution"},
          corrected_by="eb.sec-3.1.theta0-limit.corrected", severity="substantive",
          hint={"point": {"p0": "1/100", "alpha_p": "1", "alpha_d": "1", "alpha_p2": "10", "alpha_d2": "1"}},
          note="Two systems with one output distribution have two limits: at p0 = 1/100 theta0 is 0.129 for alpha_p = "
               "alpha_d, and 0.340 for alpha_p = 10 alpha_d. Raw line 85: 'theta* converges to a limit theta0 that "
               "depends exclusively on the output distribution and is independent of N'. Independent use: (3) at line "
               "113 and Corollary B.3 at line 669 have p0 alpha_p/alpha_d; line 117 computes the threshold from "
               "(alpha_p, alpha_d, p0)."),
    Claim("eb.sec-3.1.decoupled", "Section 3.1", DECOUPLED, (87, 87), "limit", verdict="imprecise",
          readings=("eb.sec-3.1.decoupled.fluid", "eb.sec-3.1.decoupled.differs", "eb.sec-3.1.decoupled.exact"),
          note="'Optimal asymptotically' does not say for which model, or in which sense. Weak reading: in the fluid "
               "model the throughput at floor(theta0 N) relative to the best tends to 1 (true, and true of every "
               "fixed threshold when a token costs time: eb.sec-3.1.every-threshold). Strong reading: the optimal "
               "k*/N of (1) with the exact E[T_d] tends to theta0."),
    claim("eb.sec-3.1.decoupled.fluid", "Section 3.1", DECOUPLED, (87, 87), "limit",
          "SequenceLimit((floor(theta0*N)/cycle(floor(theta0*N)/N, N))/(theta0*N/cycle(theta0, N)), N, 1)",
          (*COSTS, "0 < theta0 < 1", "Psi(theta0) == p0*alpha_p/alpha_d"),
          (PSI, "cycle(x, n) = (beta_d*n*x - alpha_d*log(1 - x))/p0 + alpha_p + beta_p*n*x*mu_L"),
          note="The fluid throughput never exceeds N R(theta0) (Lemma B.4), which stands in the denominator."),
    claim("eb.sec-3.1.decoupled.differs", "Section 3.1", DECOUPLED, (87, 87), "inequality",
          "And(floor(theta0*N) == 1, 2/cycle(2/N) > 1/cycle(1/N))",
          ("0 < theta0 < 1", "Psi(theta0) == p0*alpha_p/alpha_d", *INSTANCE), (PSI, FLUID_TD, CYCLE_TIME),
          sources=dict.fromkeys(INSTANCE, "an instance: 'may not perfectly coincide'"),
          note="An instance, in the fluid model, where floor(theta0 N) = 1 and k = 2 is better."),
    Claim("eb.sec-3.1.decoupled.exact", "Section 3.1", DECOUPLED, (87, 87), "limit",
          run=exact_optimum_run, says=EXACT_OPTIMUM,
          corrected_by="eb.prop-3.1", severity="substantive",
          note="At p0 = 1/100, alpha_p = alpha_d = 1, beta_d = 1/20 and every N >= 10^7 a request costs more than "
               "5.033 at each k with k/N within 1/1000 of theta0, and less than 5.001 at k = N, which has no "
               "overshoot. Strong reading: (1) as printed, with the exact expected decode time of the state machine "
               "of Section 3.1 and geometric outputs. (1) counts k completions a cycle and pays for those beyond k as "
               "well (Source 2): a fixed share where theta lies between two iterations, which as N -> infinity "
               "outweighs the fixed times. Raw line 87: 'the threshold theta0 is optimal asymptotically and may not "
               "perfectly coincide with the exact finite-N solution'. Independent use: Proposition 3.1 has 'the fluid "
               "approximation of the decode phase duration' among its hypotheses; this sentence has not. Where every "
               "completion counts: eb.app-B.3.immaterial.completions."),
    Claim("eb.sec-3.1.fluid", "Section 3.1", FLUID_QUOTE, (89, 89), "expansion", verdict="imprecise",
          readings=("eb.sec-3.1.fluid.ten-percent", "eb.sec-3.1.fluid.small-p0"),
          note="'Highly accurate' has no figure. Strong reading: within 10 percent for every threshold at N >= 64 "
               "and the paper's own p0 (false). Weak reading: the error vanishes as p0 -> 0 at a fixed threshold "
               "(true for the mean "
               "trajectory)."),
    claim("eb.sec-3.1.fluid.ten-percent", "Section 3.1", FLUID_QUOTE, (89, 89), "inequality",
          "Td(k/N) >= 9/10*(alpha_d + beta_d*N)",
          (REGIME, "alpha_d > 0", "beta_d >= 0", *SLOTS, "k < N", "N >= 64"), (FLUID_TD,),
          sources={"k < N": BELOW_N_SOURCE, "N >= 64": "App. B.3, l. 570: practical systems operate at N >= 64"},
          corrected_by="eb.sec-3.1.fluid.ten-percent.corrected", severity="substantive",
          note="At N = 1024, k = 1, p0 = 1/100, alpha_d = 1, beta_d = 1/20 the fluid duration is 5.1, and every "
               "decode phase has at least one iteration at the full batch, of 52.2. So E[T_d(k; N)] >= alpha_d + "
               "beta_d N (Section 3.1), and being within 10 percent of it needs this inequality. Raw line 89: 'This "
               "approximation is highly accurate in the large-batch regime'. Independent use: Appendix B.3, Source 2, "
               "l. 572, admits a bias that does not vanish with N."),
    claim("eb.sec-3.1.fluid.small-p0", "Section 3.1", FLUID_QUOTE, (89, 89), "limit",
          "Eq(limit(((beta_d*N*theta - alpha_d*log(1 - theta))/p0)"
          "/(alpha_d*(log(1 - theta)/log(1 - p0)) + beta_d*N*theta/p0), p0, 0, \"+\"), 1)",
          ("alpha_d > 0", "beta_d >= 0", "N > 0", "0 < theta < 1"),
          note="Against the mean discrete trajectory N (1 - p0)^t (App. B.1), stopped when 1 - theta of it is left."),
    claim("eb.sec-3.2.direction", "Section 3.2", DIRECTION, (93, 93), "inequality",
          "And(theta < phi, -log(1 - x)/q0 < -log(1 - x)/p0)",
          ("0 < p0 <= 1", "0 < q0 <= 1", "p0 < q0", "alpha_p > 0", "alpha_d > 0", "0 < theta < 1", "0 < phi < 1",
           "Psi(theta) == p0*alpha_p/alpha_d", "Psi(phi) == q0*alpha_p/alpha_d", "0 < x < 1"), (PSI,),
          sources={"p0 < q0": "a higher hazard rate against a lower",
                   "Psi(theta) == p0*alpha_p/alpha_d": "(3), l. 113, at the lower rate",
                   "Psi(phi) == q0*alpha_p/alpha_d": "(3), l. 113, at the higher rate",
                   "0 < x < 1": "App. B.2: any fraction of completions"},
          note="Under CFR: the threshold grows with the hazard rate, and the fluid time to any fraction of "
               "completions falls."),
)
