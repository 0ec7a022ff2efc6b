"""Section 3.2.2, extension to an increasing hazard rate, with Theorem 3.2."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import ages
from .increasing import BASE, CYC_0, CYC_1, DELTA, DELTA_N, DUR, IFR, IFR_COSTS, MODEL, OPTIMA, OPTIMA_SOURCE, ifr
from .wording import POSITIVE, PSI, ZETA

WAITING = ("Within a decode phase, this accelerating completion rate reduces the additional wall-clock cost of waiting "
           "for one more idle slot. Consequently, the opportunity cost of delaying the phase switch is lower than "
           "under CFR")
THEOREM = ("Under a linear hazard rate h(t) = p0 + eta t with eta > 0, the optimal threshold admits the expansion "
           "theta* = theta0 + Delta theta + O(eta^2)")
EQUATION = ("Delta theta = (eta (1 - theta0)^2/(p0^2 theta0)) [zeta (theta0/(1 - theta0) - zeta/2) + (beta_d "
            "N/alpha_d) (zeta - theta0)]")
RHO = ("Delta theta depends explicitly on rho = beta_d N/alpha_d, so IFR effects amplify for large batches with high "
       "per-token overhead (rho >> 1)")
DIFFERS = ("Because the strength of IFR varies across workloads, the exact optimal limit theta* can differ "
           "substantially from the base CFR limit theta0")
KEPT = ("In steady state with phases of D iterations the batch consists of cohorts that are 0, D, 2D, ... iterations "
        "old, of which theta N, theta N S(D), ... are left, with theta = 1/M(D), M(D) = S(0) + S(D) + S(2D) + ...")

CRITICAL = "cyc(theta, eta) == theta*At(diff(cyc(x, eta), x), x, theta)"
FIXED = "alpha_d*T + alpha_p == alpha_d*(theta/(1 - theta)/(p0 + eta*T))"

HIGHER = (
    Claim("eb.sec-3.2.2.real-ifr", "Section 3.2.2", "Real LLM workloads exhibit IFR: as a request generates more "
          "tokens, it becomes progressively more likely to complete in the near future", (125, 125), "empirical",
          verdict="reported"),
    ifr("eb.sec-3.2.2.waiting-cost", "Section 3.2.2", WAITING, (125, 125), "inequality",
        "(alpha_d + beta_d*N*(1 - theta))*diff(dur(theta, eta), theta) "
        "< (alpha_d + beta_d*N*(1 - theta))*diff(zeta(theta)/p0, theta)",
        (*IFR, "0 < theta < 1"), (ZETA, DUR),
        note="The wall-clock cost of a small increase of theta: iterations dT/dtheta, each of alpha_d + beta_d n with "
             "n = N (1 - theta) active requests, against CFR at the same p0, in Appendix C's model. The iterations "
             "up to any higher threshold: eb.app-C.7.duration.cfr."),
    Claim("eb.sec-3.2.2.higher", "Section 3.2.2", "In short, IFR workloads support higher optimal switching thresholds "
          "than the CFR baseline", (125, 125), "inequality", run=ages.higher_run, says=ages.HIGHER,
          corrected_by="eb.sec-3.2.2.higher.corrected", severity="substantive",
          note="Geometric outputs with p0 = 1/40 cut at 121 tokens, an increasing hazard rate, have the best "
               "threshold 0.824 at alpha_p/alpha_d = 160, where the constant rates of the same start and of the same "
               "mean have 0.856 and 0.860. Said of IFR workloads at large, in the system of Section 3.1, where a "
               "continuing request keeps its KV cache and so its age. Raw line 125: 'IFR workloads support higher "
               "optimal switching thresholds than the CFR baseline'; independent use: App. E.3, l. 1186, compares "
               "Gamma outputs of one mean with and without IFR in the running system. In the fluid model of Appendix "
               "C, where ages start anew with each phase, the threshold does rise for every eta > 0: "
               "eb.sec-3.2.2.higher.fluid."),
    ifr("eb.sec-3.2.2.higher.fluid", "Section 3.2.2", "IFR workloads support higher optimal switching thresholds than "
        "the CFR baseline", (125, 125), "inequality", "theta > theta0",
        (*IFR_COSTS, "eta > 0", "0 < theta < 1", *BASE, CRITICAL), (PSI, *MODEL),
        sources={CRITICAL: "App. C.5, l. 810: Phi(theta*, eta) = 0"},
        note="In Appendix C's model, for every eta > 0 and not small ones alone, by the condition's form in "
             "eb.thm-3.2.fluid."),
    ifr("eb.sec-3.2.2.higher.no-token-cost", "Section 3.2.2", "IFR workloads support higher optimal switching "
        "thresholds than the CFR baseline", (125, 125), "inequality", "theta > theta0",
        (*POSITIVE, "eta > 0", "0 < theta < 1", *BASE, "T > 0", "p0*T + eta*T**2/2 == zeta(theta)", FIXED), (ZETA, PSI),
        sources={"T > 0": "App. C.2, l. 741: T is the phase's duration", "p0*T + eta*T**2/2 == zeta(theta)":
                 "App. C.2, l. 747", FIXED: "App. C.5, l. 810: Phi(theta*, eta) = 0, at beta_d = 0 (App. C.7, l. 934), "
                 "with dT/dtheta = 1/((1 - theta)(p0 + eta T)) from l. 747; the prefill cost per token cancels"},
        note="In Appendix C's model at beta_d = 0, for every eta > 0 and not small ones alone."),
    Claim("eb.sec-3.2.2.differs", "Section 3.2.2", DIFFERS, (127, 127), "inequality", verdict="imprecise",
          readings=("eb.sec-3.2.2.differs.formula", "eb.sec-3.2.2.differs.share"),
          note="'Substantially' has no figure. Strong reading: by any amount, as far as the expansion says: there is "
               "a batch size from which theta0 + Delta theta is no threshold any more. Weak reading: in Appendix C's "
               "model at beta_d = 0 there is a system with theta0 < 1/5 and theta* > 3/5."),
    ifr("eb.sec-3.2.2.differs.formula", "Section 3.2.2", DIFFERS, (127, 127), "inequality",
        "Exists(n, n > 0, theta0 + deltaN(theta0, eta, n) > 1)",
        (*POSITIVE, "eta > 0", "beta_d > 0", "0 < theta0 < 1"), (ZETA, DELTA_N),
        sources={"beta_d > 0": "App. C, l. 918: beta_d, N, alpha_d > 0"},
        note="However small eta is: the expansion holds at fixed N only."),
    ifr("eb.sec-3.2.2.differs.share", "Section 3.2.2", DIFFERS, (127, 127), "inequality",
        "And(Exists(theta0, And(0 < theta0, theta0 < 1/5), Psi(theta0) == 1/40), Exists(theta, And(3/5 < theta, theta "
        "< 1), dur(theta, 10) + 1/40 == theta/((1 - theta)*sqrt(1 + 2*10*zeta(theta)))))", (),
        (ZETA, PSI, "dur(x, e) = (-1 + sqrt(1 + 2*e*zeta(x)))/e"),
        note="p0 = 1, alpha_p/alpha_d = 1/40, eta = 10, with dT/dtheta = 1/((1 - theta) sqrt(p0^2 + 2 eta "
             "zeta)); in the model only eta/p0^2 and the ratio count."),
)

TOKENS = (
    ifr("eb.sec-3.2.2.kept-ages.tokens", "Section 3.2.2", "", (125, 133), "identity",
        "Sum(theta*(W(j + 1) - W(j)), (j, 0, m)) == theta*W(m + 1)",
        ("m in naturals", "W in functions", "W(0) == 0", "0 < theta < 1"),
        sources={"m in naturals": "the oldest cohort", "W in functions": "W(j): the mean number of iterations of a "
                 "request's first j phases", "W(0) == 0": "none before its first phase"},
        note=KEPT + ". In a phase the cohort that is in its (j+1)-th phase is decoded for theta N (W(j+1) - W(j)) "
             "request-iterations; together they are theta N times the mean output length. So the per-token cost per "
             "completed request is beta_d mu_O whatever the threshold, as Corollary B.3's proof says (l. 679)."),
    ifr("eb.sec-3.2.2.kept-ages.independent", "Section 3.2.2", "", (125, 133), "inequality",
        "Implies((alpha_d*D + alpha_p)*M(D)/N + beta_d*mu_O + beta_p*mu_L <= (alpha_d*G + alpha_p)*M(G)/N + "
        "beta_d*mu_O + beta_p*mu_L, (alpha_d*D + alpha_p)*M(D)/N2 + beta_d2*mu_O + beta_p2*mu_L2 <= "
        "(alpha_d*G + alpha_p)*M(G)/N2 + beta_d2*mu_O + beta_p2*mu_L2)",
        ("alpha_p > 0", "alpha_d > 0", "beta_d >= 0", "beta_p >= 0", "mu_L > 0", "N > 0", "N2 > 0", "beta_d2 >= 0",
         "beta_p2 >= 0", "mu_L2 > 0", "mu_O > 0", "M in functions", "D > 0", "G > 0"),
        sources={"mu_O > 0": "Sec. 3.1, l. 77: the mean of the output lengths", "M in functions": "M(D), the batch "
                 "over the requests admitted in a cycle", "D > 0": "a phase length (iterations)",
                 "G > 0": "another phase length"},
        note=KEPT + ". The time per completed request is (alpha_d D + alpha_p) M(D)/N + beta_d mu_O + beta_p mu_L "
             "(eb.sec-3.2.2.kept-ages.tokens): which phase length is best depends on S and alpha_p/alpha_d alone, not "
             "on N, beta_d, beta_p or mu_L."),
)

THEOREM_3_2 = (
    Claim("eb.thm-3.2", "Theorem 3.2", THEOREM, (129, 133), "expansion", verdict="imprecise",
          readings=("eb.thm-3.2.fluid", "eb.thm-3.2.kept-ages"),
          note="The theorem speaks of the optimal threshold of Section 3.1's system; the Scope paragraph of its proof "
               "(l. 717) of a fluid model in which every request's hazard starts anew with each phase. In that model "
               "(strong reading of the Scope): eb.thm-3.2.fluid. In the system itself the optimal threshold depends "
               "on neither N nor beta_d, so that the expansion cannot hold: eb.thm-3.2.kept-ages."),
    ifr("eb.thm-3.2.fluid", "Theorem 3.2", THEOREM, (129, 133), "expansion",
        'BigO(th(eta) - theta0 - delta(theta0, eta), eta**2, eta, 0, "+")',
        (*POSITIVE, "beta_d >= 0", "beta_p >= 0", "mu_L > 0", "N > 0", *BASE, *OPTIMA), (PSI, *MODEL, DELTA),
        sources=OPTIMA_SOURCE,
        note="From the first-order condition in the form Psi(theta*) - Psi(theta0) = eta (T^2/2 + gamma T/p0 + "
             "(beta_d/alpha_d) int_0^T (T - s) n(s) ds), T the phase's length, gamma = p0 alpha_p/alpha_d: exact, for "
             "every eta. The constant of O(eta^2) is explicit, for eta < p0^2/(4 (1 + beta_d N/alpha_d))."),
    ifr("eb.thm-3.2.kept-ages", "Theorem 3.2", THEOREM, (129, 133), "expansion",
        'BigO(deltaN(theta0, eta, N2) - deltaN(theta0, eta, N), eta**2, eta, 0, "+")',
        ("0 < p0 <= 1", "alpha_d > 0", "beta_d > 0", "N > 0", "N2 > 0", "N < N2", *BASE[:1]), (ZETA, DELTA_N),
        sources={"beta_d > 0": "App. C, l. 918: beta_d, N, alpha_d > 0", "N < N2": "a smaller and a larger batch"},
        corrected_by="eb.thm-3.2.kept-ages.corrected", severity="substantive",
        hint={"point": {"p0": "1/100", "alpha_d": "1", "beta_d": "1/20", "N": "64", "N2": "128", "alpha_p": "1"}},
        note="At gamma = 0.016 (theta0 = 0.159), eta/p0^2 = 1/2 the optimum of the system with ages is 0.182 for "
             "every rho, while theta0 + Delta theta grows with rho and is 0.294 at rho = 3 (Appendix C's optimum "
             "there is 0.540). The statement is a consequence: two batch sizes have one optimal threshold "
             "(eb.sec-3.2.2.kept-ages.independent), so that their expansions differ by O(eta^2) at most; but the two "
             "Delta theta differ by a multiple of eta. Raw line 131: 'the optimal threshold admits the expansion', l. "
             "133: (beta_d N/alpha_d)(zeta - theta0); independent use: l. 137, 'IFR effects amplify for large "
             "batches'. The proof is of another model, l. 717: eb.thm-3.2.fluid."),
    ifr("eb.eq-5", "Theorem 3.2, (5)", EQUATION, (131, 133), "identity",
        "-(C1(theta0) - theta0*At(diff(C1(x), x), x, theta0))/At(diff(C0(x) - x*diff(C0(x), x), x), x, theta0)*eta "
        "== delta(theta0, eta)",
        (*IFR, "beta_p >= 0", "mu_L > 0", *BASE), (ZETA, PSI, CYC_0, CYC_1, DELTA),
        note="Delta theta as the first-order term of (20), from the cycle time (19)."),
    ifr("eb.thm-3.2.positive", "Theorem 3.2", "The correction satisfies Delta theta > 0 for all eta > 0", (135, 135),
        "inequality", "delta(theta0, eta) > 0", (*IFR, *BASE), (ZETA, PSI, DELTA)),
    Claim("eb.sec-3.2.2.rho", "Section 3.2.2", RHO, (137, 137), "inequality", verdict="imprecise",
          readings=("eb.sec-3.2.2.rho.formula", "eb.sec-3.2.2.rho.system"),
          note="Weak reading, of the formula: Delta theta grows with rho, without bound. Strong reading, of the "
               "system: the optimal threshold of Section 3.1's system is another for another rho (false)."),
    ifr("eb.sec-3.2.2.rho.formula", "Section 3.2.2", RHO, (137, 137), "inequality",
        "And(StrictlyIncreasing(deltaN(theta0, eta, n), n, n > 0), "
        "diff(deltaN(theta0, eta, N), N) == eta*(1 - theta0)**2/(p0**2*theta0)*beta_d/alpha_d*(zeta(theta0) - theta0))",
        (*POSITIVE, "beta_d > 0", "N > 0", "eta > 0", "0 < theta0 < 1"), (ZETA, DELTA_N),
        sources={"beta_d > 0": "App. C, l. 918: beta_d, N, alpha_d > 0"}),
    ifr("eb.sec-3.2.2.rho.system", "Section 3.2.2", RHO, (137, 137), "inequality",
        "Exists(n, n > N, Or((alpha_d*D + alpha_p)*m/n + beta_d*mu_O < (alpha_d*G + alpha_p)*l/n + beta_d*mu_O, "
        "(alpha_d*D + alpha_p)*m/n + beta_d*mu_O > (alpha_d*G + alpha_p)*l/n + beta_d*mu_O))",
        ("alpha_p > 0", "alpha_d > 0", "beta_d >= 0", "N > 0", "mu_O > 0", "D > 0", "D < G", "m >= 1", "l >= 1",
         "(alpha_d*D + alpha_p)*m/N + beta_d*mu_O == (alpha_d*G + alpha_p)*l/N + beta_d*mu_O"),
        sources={"mu_O > 0": "Sec. 3.1, l. 77: the mean of the output lengths", "D > 0": "a phase length (iterations)",
                 "D < G": "another phase length", "m >= 1": "M(D), the batch over the requests admitted in a cycle",
                 "l >= 1": "M(G)", "(alpha_d*D + alpha_p)*m/N + beta_d*mu_O == (alpha_d*G + alpha_p)*l/N + beta_d*mu_O":
                 "two phase lengths that are equally good at N"},
        corrected_by="eb.sec-3.2.2.rho.system.corrected", severity="substantive",
        note="The time per completed request is (alpha_d D + alpha_p)*M(D)/N + beta_d mu_O + beta_p mu_L "
             "(eb.sec-3.2.2.kept-ages.tokens), so that which phase length D is best is the same for every rho. Strong "
             "reading, in the system with ages: that a preference between two phase lengths arises with a larger "
             "batch. Raw line 137: 'Delta theta depends explicitly on rho = beta_d N/alpha_d, so IFR effects amplify "
             "for large batches with high per-token overhead'; independent use: C.7, l. 932, 'This benefit scales "
             "with rho'. Against it stands Corollary B.3's own argument, l. 679: the per-token cost depends on the "
             "number of requests that complete, regardless of when they complete."),
    ifr("eb.sec-3.2.2.prefactor", "Section 3.2.2", "the prefactor eta/p0^2 automatically rescales the correction "
        "across workloads with varying degrees of IFR", (137, 137), "identity",
        "delta(theta0, eta) == eta/p0**2*((1 - theta0)**2/theta0*(zeta(theta0)*(theta0/(1 - theta0) - "
        "zeta(theta0)/2) + beta_d*N/alpha_d*(zeta(theta0) - theta0)))",
        (*IFR, "0 < theta0 < 1"), (ZETA, DELTA),
        note="At given theta0 and rho the correction is proportional to eta/p0^2; theta0 itself depends on p0."),
)

SLOPE = "slope(x) = exp(-x)*x*(2*(1 - exp(-2*x)) - x*exp(-x)*(3 + exp(-x)))/(2*(1 - exp(-x))**2)"
SLOPES = ("M1 = -exp(-x)/(1 - exp(-x))**2", "M2 = exp(-x)*(1 + exp(-x))/(1 - exp(-x))**3",
          "A1 = exp(-x)*(2*x*(1 + exp(-x)) - x**2*(1 + 2*exp(-x)))/(2*(1 - exp(-x))**3) "
          "- 3*x**2*exp(-x)**2*(1 + exp(-x))/(2*(1 - exp(-x))**4)")
CORRECTIONS = (
    ifr("eb.sec-3.2.2.higher.corrected", "Section 3.2.2", "", (125, 125), "inequality", "slope(zeta(theta0)) > 0",
        BASE[:1], (ZETA, SLOPE), corrects="eb.sec-3.2.2.higher",
        note="In the system with ages, under h(t) = p0 + eta t, the optimal threshold rises for small eta: its "
             "derivative in eta/p0^2 at 0 is this expression (eb.thm-3.2.kept-ages.corrected). For IFR laws at large "
             "nothing of the kind holds."),
    ifr("eb.thm-3.2.kept-ages.corrected", "Theorem 3.2", "", (129, 133), "identity",
        "A(x)*(1 - exp(-x))**2 + exp(-x)*(A(x) + (1 - exp(-x))/exp(-x)*A1)*(1 - exp(-x)) == slope(x)",
        ("x > 0",), ("A(x) = x**2*exp(-x)*(1 + exp(-x))/(2*(1 - exp(-x))**3)", SLOPE, SLOPES[-1]),
        sources={"x > 0": "the phase's length in units of 1/p0 at eta = 0"}, corrects="eb.thm-3.2.kept-ages",
        note="The first-order correction of the system with ages, by the implicit function theorem: with M = M0 - "
             "(eta/p0^2) A + ..., M0 = sum e^{-jx} and A = (x^2/2) sum j^2 e^{-jx}, the phase length minimizes (x + "
             "gamma) M and theta = 1/M; so Delta theta = (eta/p0^2) (1 - theta0) zeta [2 theta0 (2 - theta0) - zeta "
             "(1 - theta0)(4 - theta0)]/(2 theta0^2), without rho."),
    ifr("eb.thm-3.2.kept-ages.slopes", "Theorem 3.2", "", (129, 133), "identity",
        "And(diff(M0(x), x) == M1, diff(M0(x), x, 2) == M2, diff(A(x), x) == A1, diff(1 - exp(-x), x) == exp(-x), "
        "M0(x) + (x + g)*M1 == 0, x + g == (1 - exp(-x))/exp(-x), 2*M1 + (x + g)*M2 == 1/(1 - exp(-x)))",
        ("x > 0", "g == 1/exp(-x) - 1 - x"),
        ("M0(x) = 1/(1 - exp(-x))", "A(x) = x**2*exp(-x)*(1 + exp(-x))/(2*(1 - exp(-x))**3)", *SLOPES),
        sources={"x > 0": "the phase's length in units of 1/p0 at eta = 0",
                 "g == 1/exp(-x) - 1 - x": "(3) in zeta = x: gamma = e^zeta - 1 - zeta"},
        note="The optimality condition M + (x + gamma) M' = 0 at eta = 0, and the derivatives in "
             "eb.thm-3.2.kept-ages.corrected: A' = A1; of 1/M in x; of the condition in x, 2 M0' + (x + gamma) M0''."),
    ifr("eb.thm-3.2.kept-ages.sums", "Theorem 3.2", "", (129, 133), "identity",
        "And(Sum(q**j, (j, 0, m)) == (1 - q**(m + 1))/(1 - q), Sum(i**2*q**i, (i, 0, m)) == q*(1 + q)/(1 - q)**3 - "
        "q**(m + 1)*((m + 1)**2/(1 - q) + 2*(m + 1)*q/(1 - q)**2 + q*(1 + q)/(1 - q)**3))",
        ("0 < q", "q < 1", "m in naturals"),
        sources={"0 < q": "q = e^{-x}", "q < 1": "q = e^{-x}", "m in naturals": "the oldest cohort"},
        note="The partial sums of M0 and A in eb.thm-3.2.kept-ages.corrected."),
    ifr("eb.sec-3.2.2.rho.system.corrected", "Section 3.2.2", "", (137, 137), "inequality",
        "ForAll(n, n > 0, (alpha_d*D + alpha_p)*m/n + beta_d*mu_O <= (alpha_d*G + alpha_p)*l/n + beta_d*mu_O)",
        ("alpha_p > 0", "alpha_d > 0", "beta_d >= 0", "N > 0", "mu_O > 0", "D > 0", "G > 0", "m > 0", "l > 0",
         "(alpha_d*D + alpha_p)*m/N + beta_d*mu_O <= (alpha_d*G + alpha_p)*l/N + beta_d*mu_O"),
        sources={"mu_O > 0": "Sec. 3.1, l. 77: the mean of the output lengths", "D > 0": "a phase length (iterations)",
                 "G > 0": "another phase length", "m > 0": "M(D), the batch over the requests admitted in a cycle",
                 "l > 0": "M(G)", "(alpha_d*D + alpha_p)*m/N + beta_d*mu_O <= (alpha_d*G + alpha_p)*l/N + beta_d*mu_O":
                 "the first phase length is no worse at N"}, corrects="eb.sec-3.2.2.rho.system",
        note="A phase length that is no worse at one batch size is so at every other."),
)

CLAIMS: tuple[Claim, ...] = (*HIGHER, *TOKENS, *THEOREM_3_2, *CORRECTIONS)
