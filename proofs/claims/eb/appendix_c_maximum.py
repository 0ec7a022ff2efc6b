"""Appendix C.6 to C.8: the sign of the correction, its interpretation, and the second order."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .increasing import BASE, CYC_0, DELTA, DUR, IFR, IFR_COSTS, MODEL, ifr
from .wording import POSITIVE, PSI, ZETA

GAMMA = "g = p0*alpha_p/alpha_d"
TERM_1 = "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)"
TERM_2 = "beta_d*N/alpha_d*(zeta(theta0) - theta0)"
DURATION = ("Under IFR, the hazard rate increases over time, meaning later completions occur faster than earlier ones. "
            "This reduces the expected time to accumulate additional completions beyond the CFR prediction. "
            "Mathematically, the term zeta(theta0/(1 - theta0) - zeta/2) captures the reduction in decode phase "
            "duration per additional completion achieved")
DECAY = ("Under IFR, the batch size decays faster than exponential (the Gaussian factor e^{-eta t^2/2} accelerates the "
         "decay). This reduces the cumulative per-token cost beta_d int n(s) ds for a given number of completions")
DOMINATES = ("This benefit scales with rho = beta_d N/alpha_d ... For systems with large batches and significant "
             "per-token costs (rho >> 1), this effect dominates")
CYD = "cyd(x, e) = alpha_d*dur(x, e) + alpha_p + beta_p*N*mu_L*x"
RATE_C, RATE_D = "R(x) = x/cyc(x, eta)", "R(x) = x/cyd(x, eta)"
OPTIMAL_C = "cyc(theta, eta) == theta*diff(cyc(theta, eta), theta)"
OPTIMAL = {OPTIMAL_C: "App. C.5, l. 810: Phi(theta*, eta) = 0"}
H = "sqrt(p0**2 + 2*eta*zeta(theta))"
SMALL = {"eta <= p0**2": "Lemma C.2, l. 942: for sufficiently small eta > 0"}
MODEL_D = (ZETA, DUR, CYD, RATE_D)
COSTS_D = (*POSITIVE, "beta_p >= 0", "mu_L > 0", "N > 0", "eta > 0")
MAXIMAL = ("For every eta > 0: the same strategy proves it without eta <= p0^2. In the phase's duration z, with h = "
           "p0 + eta z, A = exp(p0 z + eta z^2/2) and m the slope at theta of the costs in the share of completions, "
           "the cost above its tangent through the origin, F(z) = alpha_d z + beta_d I(z) + alpha_p - m (1 - 1/A), is "
           "alpha_p at 0, 0 at theta, and F' = K/A with K = alpha_d A + beta_d N - m h convex and 0 at theta. Were K "
           "falling there, K would be positive before, and F could not come down to 0; so K rises there, and F >= 0 "
           "on both sides.")
NEAR = ("For every eta > 0: the same strategy proves it without eta <= p0^2, and with an explicit d. R'' has the sign "
        "of -(theta Tcyc'' Tcyc + 2 Phi Tcyc'). The numerator of Tcyc'', S = alpha_d (h^2 - eta) - beta_d N eta (1 - "
        "theta), grows, and is positive at theta*: else Phi, whose slope in the phase's duration is -(A - 1) S/h^2, "
        "would not have come down from alpha_p to 0. Left of theta*, where S > 0, Phi > 0 as well; right of it |Phi| "
        "is at most the iterations beyond T times (A - 1) S/h(T)^2, so that the first term wins nearby.")
CURVED = ("For every eta > 0: the same strategy proves it without eta <= p0^2. Where Phi = 0, R'' = -theta "
          "Tcyc''/Tcyc^2, and Tcyc'' has the sign of K' at theta, K as in eb.lem-C.2's note.")

POSITIVITY = (
    ifr("eb.prop-C.1", "Proposition C.1", "Delta theta > 0 for all theta0 in (0, 1) and eta > 0", (882, 884),
        "inequality", "delta(theta0, eta) > 0", (*IFR, "0 < theta0 < 1"), (ZETA, DELTA),
        note="For every theta0 in (0, 1): equation (3) is not needed."),
    ifr("eb.prop-C.1.prefactor", "Proposition C.1, proof", "The prefactor eta (1 - theta0)^2/(p0^2 theta0) > 0 for all "
        "valid parameters", (888, 888), "inequality", "eta*(1 - theta0)**2/(p0**2*theta0) > 0",
        ("0 < p0 <= 1", "eta > 0", "0 < theta0 < 1")),
    ifr("eb.prop-C.1.gamma", "Proposition C.1, proof", "Using the baseline condition (15): theta0/(1 - theta0) = "
        "gamma + zeta, where gamma = p0 alpha_p/alpha_d > 0", (894, 896), "identity",
        "And(theta0/(1 - theta0) == g + zeta(theta0), g > 0)", (*POSITIVE, *BASE), (ZETA, PSI, GAMMA)),
    ifr("eb.prop-C.1.term-1a", "Proposition C.1, proof", "theta0/(1 - theta0) - zeta/2 = gamma + zeta - zeta/2 = "
        "gamma + zeta/2 > 0", (898, 900), "inequality",
        "And(theta0/(1 - theta0) - zeta(theta0)/2 == g + zeta(theta0) - zeta(theta0)/2, g + zeta(theta0) - "
        "zeta(theta0)/2 == g + zeta(theta0)/2, g + zeta(theta0)/2 > 0)", (*POSITIVE, *BASE), (ZETA, PSI, GAMMA)),
    ifr("eb.prop-C.1.term-1b", "Proposition C.1, proof", "Since zeta = -ln(1 - theta0) > 0 for theta0 in (0, 1): zeta "
        "(theta0/(1 - theta0) - zeta/2) = zeta (gamma + zeta/2) > 0", (902, 904), "inequality",
        f"And(zeta(theta0) > 0, {TERM_1} == zeta(theta0)*(g + zeta(theta0)/2), zeta(theta0)*(g + zeta(theta0)/2) > 0)",
        (*POSITIVE, *BASE), (ZETA, PSI, GAMMA)),
    ifr("eb.prop-C.1.q", "Proposition C.1, proof", "Define q(x) = -ln(1 - x) - x for x in [0, 1). Then: q(0) = 0; "
        "q'(x) = 1/(1 - x) - 1 = x/(1 - x) > 0 for x in (0, 1)", (910, 914), "inequality",
        "And(q(0) == 0, ForAll(x, 0 < x < 1, And(diff(q(x), x) == 1/(1 - x) - 1, 1/(1 - x) - 1 == x/(1 - x), "
        "x/(1 - x) > 0)))", (), ("q(x) = -log(1 - x) - x",)),
    ifr("eb.prop-C.1.zeta-theta", "Proposition C.1, proof", "we have q(theta0) > 0 for all theta0 in (0, 1), i.e., "
        "zeta > theta0", (908, 916), "inequality",
        "And(-log(1 - theta0) - theta0 > 0, zeta(theta0) > theta0, -log(1 - theta0) > theta0)", ("0 < theta0 < 1",),
        (ZETA,)),
    ifr("eb.prop-C.1.term-2", "Proposition C.1, proof", "Since beta_d, N, alpha_d > 0, the second term is positive (or "
        "zero if beta_d = 0)", (918, 918), "inequality",
        f"And(Implies(beta_d > 0, {TERM_2} > 0), Implies(beta_d == 0, {TERM_2} == 0))",
        ("alpha_d > 0", "beta_d >= 0", "N > 0", "0 < theta0 < 1"), (ZETA,)),
    ifr("eb.prop-C.1.conclusion", "Proposition C.1, proof", "Both terms are non-negative with the first strictly "
        "positive, hence Delta theta > 0", (920, 920), "inequality",
        f"And({TERM_1} > 0, {TERM_2} >= 0, delta(theta0, eta) > 0)", (*IFR, *BASE), (ZETA, PSI, DELTA)),
)

SHARE = ("0 < p0 <= 1", "eta > 0", "0 < theta < 1")
INTERPRETATION = (
    Claim("eb.app-C.7.duration", "Appendix C.7", DURATION, (926, 928), "inequality", verdict="imprecise",
          readings=("eb.app-C.7.duration.later", "eb.app-C.7.duration.cfr", "eb.app-C.7.duration.term"),
          note="'Later completions occur faster than earlier ones' can compare the batch's completions with each other "
               "(strong reading: false wherever eta <= p0^2, as in the theorem's small eta) or with those of CFR (weak "
               "reading: true). What the term measures, exactly: eb.app-C.7.duration.term."),
    ifr("eb.app-C.7.duration.later", "Appendix C.7", "later completions occur faster than earlier ones", (926, 926),
        "inequality", "StrictlyDecreasing(1/((p0 + eta*t)*N*exp(-p0*t - eta*t**2/2)), t, t >= 0)",
        ("0 < p0 <= 1", "eta > 0", "N > 0"), corrected_by="eb.app-C.7.duration.later.corrected",
        severity="substantive", hint={"point": {"p0": "1/100", "eta": "1/10000", "N": "64"}},
        note="At p0 = 1/100, eta = p0^2 the time between completions, 1/(h(t) n(t)), is 100/N at the phase's start "
             "and 224/N at t = 100, where the hazard rate is twice as high. Each request's rate rises, but fewer "
             "requests are left: h n falls wherever h^2 > eta, from the phase's start on if eta <= p0^2 (h and n of "
             "C.1). Raw line 926: 'the hazard rate increases over time, meaning later completions occur faster than "
             "earlier ones'; independent use: l. 125, 'this accelerating completion rate'."),
    ifr("eb.app-C.7.duration.later.corrected", "Appendix C.7", "", (926, 926), "inequality",
        "StrictlyIncreasing(1/((p0 + eta*t)*N*exp(-p0*t - eta*t**2/2)), t, t >= 0)",
        ("0 < p0 <= 1", "eta > 0", "N > 0", "eta <= p0**2"), sources={"eta <= p0**2": "added: eta small"},
        corrects="eb.app-C.7.duration.later",
        note="For eta <= p0^2 later completions take longer, as under CFR."),
    ifr("eb.app-C.7.duration.cfr", "Appendix C.7", "This reduces the expected time to accumulate additional "
        "completions beyond the CFR prediction", (926, 926), "inequality",
        "S - T < zeta(phi)/p0 - zeta(theta)/p0",
        (*SHARE, "0 < phi < 1", "0 < T", "T < S", "p0*T + eta*T**2/2 == zeta(theta)",
         "p0*S + eta*S**2/2 == zeta(phi)"), (ZETA,),
        sources={"0 < phi < 1": "any higher threshold", "0 < T": "App. C.2, l. 741: T is the time at which the share "
                 "theta has completed", "T < S": "S is that of a higher one",
                 "p0*T + eta*T**2/2 == zeta(theta)": "App. C.2, l. 747",
                 "p0*S + eta*S**2/2 == zeta(phi)": "App. C.2, l. 747, at the higher threshold"},
        note="Its limit, for one more completion: eb.sec-3.2.2.waiting-cost."),
    ifr("eb.app-C.7.duration.term", "Appendix C.7", "the term zeta(theta0/(1 - theta0) - zeta/2) captures the "
        "reduction in decode phase duration per additional completion achieved", (928, 928), "identity",
        "zeta(theta)*(theta/(1 - theta) - zeta(theta)/2) == p0**3*(T1(theta) - theta*diff(T1(theta), theta))",
        ("0 < p0 <= 1", "0 < theta < 1"), (ZETA, "T1(x) = -zeta(x)**2/(2*p0**3)"),
        note="To first order in eta and in units of p0^3/eta the term is theta times the reduction per additional "
             "share, -theta T1', less the reduction of the whole phase, -T1."),
    ifr("eb.app-C.7.decay", "Appendix C.7", DECAY, (930, 930), "inequality",
        "And(ForAll(t, t > 0, N*exp(-p0*t - eta*t**2/2) < N*exp(-p0*t)), "
        "beta_d*cum(theta, eta) < beta_d*(N*theta/p0))", (*IFR, "beta_d > 0", "0 < theta < 1"), MODEL[:3],
        sources={"beta_d > 0": "App. C, l. 918: beta_d, N, alpha_d > 0"},
        note="In Appendix C's model, whose n(s) it names: every request's clock starts with the phase (l. 717), and "
             "the rates with and without IFR have the same p0, so that the mean output length falls as well. To first "
             "order: eb.eq-18.small-theta. In the system whose requests keep their age a completion costs beta_d mu_O "
             "at any threshold (eb.app-C.7.decay.kept-ages), less only as the mean output length is."),
    ifr("eb.app-C.7.decay.integrand", "Appendix C.7", "the batch size decays faster than exponential", (930, 930),
        "inequality", "N*exp(-p0*t - eta*t**2/2) < N*exp(-p0*t)", ("0 < p0 <= 1", "eta > 0", "N > 0", "t > 0"),
        sources={"t > 0": "App. C.1: after the phase's start"}),
    ifr("eb.app-C.7.decay.kept-ages", "Appendix C.7", "", (930, 930), "identity",
        "beta_d*Sum(theta*N*(W(j + 1) - W(j)), (j, 0, m)) == beta_d*(theta*N)*W(m + 1)",
        ("m in naturals", "W in functions", "W(0) == 0", "0 < theta < 1", "N > 0", "beta_d >= 0"),
        sources={"m in naturals": "the oldest cohort", "W in functions": "W(j): the mean number of iterations of a "
                 "request's first j phases", "W(0) == 0": "none before its first phase"},
        note="The cost of a phase in which the cohort that is in its (j+1)-th phase is decoded for theta N (W(j + 1) - "
             "W(j)) request-iterations; with m the oldest cohort, W(m + 1) is the mean output length (see "
             "eb.sec-3.2.2.kept-ages.tokens)."),
    Claim("eb.app-C.7.rho", "Appendix C.7", DOMINATES, (932, 932), "inequality", verdict="imprecise",
          readings=("eb.app-C.7.rho.every-threshold", "eb.app-C.7.rho.large"),
          note="rho >> 1 has no figure. Strong reading: where rho >= 10, the per-token term exceeds the duration "
               "term, whatever theta0 (false). Weak reading: for each theta0 there is one."),
    ifr("eb.app-C.7.rho.every-threshold", "Appendix C.7", DOMINATES, (932, 932), "inequality",
        "r*(zeta(x) - x) > zeta(x)*(x/(1 - x) - zeta(x)/2)", ("0 < x", "x < 1", "r >= 10"), (ZETA,),
        sources={"0 < x": "x is theta0", "x < 1": "x is theta0", "r >= 10": "l. 932: rho >> 1, an order of magnitude"},
        corrected_by="eb.app-C.7.rho.every-threshold.corrected",
        severity="substantive",
        note="The terms are equal at rho = 2.3 for theta0 = 1/2, but at 12.9 for 0.9 and at 123 for 0.99: rho = 10 is "
             "not enough there. Raw line 932: 'For systems with large batches and significant per-token costs (rho >> "
             "1), this effect dominates'; independent use: l. 137, 'IFR effects amplify for large batches with high "
             "per-token overhead (rho >> 1)'."),
    ifr("eb.app-C.7.rho.every-threshold.corrected", "Appendix C.7", "", (932, 932), "inequality",
        "r*(zeta(x) - x) > zeta(x)*(x/(1 - x) - zeta(x)/2)", ("0 < x", "x < 1", "r >= 2/(1 - x)"), (ZETA,),
        sources={"0 < x": "x is theta0", "x < 1": "x is theta0", "r >= 2/(1 - x)": "added: rho (1 - theta0) >= 2"},
        corrects="eb.app-C.7.rho.every-threshold", note="From rho = 2/(1 - theta0) on it does."),
    ifr("eb.app-C.7.rho.large", "Appendix C.7", DOMINATES, (932, 932), "inequality",
        "Exists(r, r > 0, ForAll(s, s > r, s*(zeta(theta0) - theta0) > " + TERM_1 + "))", ("0 < theta0 < 1",), (ZETA,)),
    ifr("eb.app-C.7.beta-zero", "Appendix C.7", "Special case: beta_d = 0 ... Delta theta = (eta (1 - theta0)^2/(p0^2 "
        "theta0)) zeta (gamma + zeta/2)", (934, 936), "identity",
        "delta(theta0, eta) == eta*(1 - theta0)**2/(p0**2*theta0)*zeta(theta0)*(g + zeta(theta0)/2)",
        (*POSITIVE, "N > 0", "eta > 0", "beta_d == 0", *BASE), (ZETA, PSI, DELTA, GAMMA),
        sources={"beta_d == 0": "App. C.7, l. 934"}),
)

SECOND_ORDER = (
    ifr("eb.lem-C.2", "Lemma C.2", "The corrected threshold theta* = theta0 + Delta theta + O(eta^2) remains a "
        "maximum of the throughput function for sufficiently small eta > 0", (940, 942), "inequality",
        "ForAll(phi, 0 < phi < 1, R(phi) <= R(theta))",
        (*IFR_COSTS, "eta > 0", "eta <= p0**2", "0 < theta < 1", OPTIMAL_C), (*MODEL, RATE_C),
        sources={**OPTIMAL, **SMALL}, note=MAXIMAL),
    ifr("eb.lem-C.2.convex", "Lemma C.2", "", (940, 950), "inequality",
        f"And(diff(dur(theta, eta), theta, 2) == ({H}**2 - eta)/((1 - theta)**2*{H}**3), "
        "diff(dur(theta, eta), theta, 2) > 0)", ("0 < p0 <= 1", "eta > 0", "eta <= p0**2", "0 < theta < 1"),
        (ZETA, DUR), sources=SMALL,
        note="For eta <= p0^2 the phase's duration is convex. At beta_d = 0 so is the cycle time, and then "
             "R'' = -theta Tcyc''/Tcyc^2 < 0 where Phi = 0, and every critical point is the global maximum "
             "(eb.lem-C.2.global.inference.corrected)."),
    ifr("eb.lem-C.2.boundary.no-token-cost", "Lemma C.2, proof", "the boundary behavior (R(0+) = 0 and R(1-) bounded) "
        "is preserved under small perturbations", (952, 952), "inequality",
        "And(0 < R(theta), R(theta) < theta/alpha_p)", (*COSTS_D, "0 < theta < 1"), MODEL_D,
        note="At beta_d = 0: so R(0+) = 0, and R is bounded on (0, 1)."),
    ifr("eb.lem-C.2.soc", "Lemma C.2, proof", "The second-order condition requires d^2R/dtheta^2 < 0 at the optimum",
        (946, 946), "inequality", "diff(R(theta), theta, 2) < 0",
        (*IFR_COSTS, "eta > 0", "eta <= p0**2", "0 < theta < 1", OPTIMAL_C), (*MODEL, RATE_C),
        sources={**OPTIMAL, **SMALL}, note=CURVED),
    ifr("eb.lem-C.2.local-0", "Lemma C.2, proof", "At eta = 0, we showed in Appendix B that theta0 is a strict local "
        "maximum with Phi'(theta0) = -theta0 T_0''(theta0) < 0", (948, 948), "inequality",
        "And(At(diff(C0(x) - x*diff(C0(x), x), x), x, theta0) == -theta0*At(diff(C0(x), x, 2), x, theta0), "
        "-theta0*At(diff(C0(x), x, 2), x, theta0) < 0, "
        "ForAll(x, And(0 < x, x < 1, x != theta0), x/C0(x) < theta0/C0(theta0)))",
        (*IFR_COSTS, *BASE), (ZETA, PSI, CYC_0),
        note="The cycle time lies above its tangent at theta0, which goes through the origin."),
    ifr("eb.lem-C.2.local", "Lemma C.2, proof", "By continuity, for sufficiently small eta, the second derivative "
        "remains negative in a neighborhood of theta*(eta), confirming it remains a local maximum", (950, 950),
        "inequality",
        "Exists(d, d > 0, ForAll(phi, And(0 < phi, phi < 1, theta - d < phi, phi < theta + d), "
        "At(diff(R(x), x, 2), x, phi) < 0))",
        (*IFR_COSTS, "eta > 0", "eta <= p0**2", "0 < theta < 1", OPTIMAL_C), (*MODEL, RATE_C),
        sources={**OPTIMAL, **SMALL}, note=NEAR),
    ifr("eb.lem-C.2.boundary", "Lemma C.2, proof", "the boundary behavior (R(0+) = 0 and R(1-) bounded) is preserved "
        "under small perturbations", (952, 952), "limit",
        'And(Eq(limit(R(x), x, 0, "+"), 0), ForAll(y, 0 < y < 1, And(0 < R(y), R(y) < 1/alpha_p)))',
        (*IFR_COSTS, "eta > 0"), (*MODEL, RATE_C), note="For every eta > 0: the cycle is longer than alpha_p."),
    Claim("eb.lem-C.2.global", "Lemma C.2, proof", "To verify it is the global maximum, observe that the boundary "
          "behavior ... is preserved under small perturbations, ensuring the interior maximum is global", (952, 952),
          "inequality", verdict="imprecise",
          readings=("eb.lem-C.2.global.inference", "eb.lem-C.2"),
          note="As an inference from what is said, strong reading: a strict local maximum of a function with R(0+) = 0 "
               "and R(1-) bounded is global (false: eb.lem-C.2.global.inference). As a statement on this R, weak "
               "reading: true, by uniqueness of Phi's zero, which the proof does not show."),
    ifr("eb.lem-C.2.global.inference", "Lemma C.2, proof", "ensuring the interior maximum is global", (952, 952),
        "inequality",
        "Implies(And(At(diff(H(x), x), x, 1/4) == 0, At(diff(H(x), x, 2), x, 1/4) < 0, H(0) == 0, "
        "ForAll(z, 0 < z < 1, And(0 < H(z), H(z) < 1))), H(y) <= H(1/4))", ("0 < y", "y < 1"),
        ("H(x) = 9*x/80 - 2*x**2/5 + 11*x**3/20 - x**4/4",),
        sources={"0 < y": "y is any threshold", "y < 1": "y is any threshold"}, severity="substantive",
        corrected_by="eb.lem-C.2.global.inference.corrected",
        note="A strict local maximum with R(0+) = 0 and R(1-) bounded need not be global: the polynomial here has one "
             "at 1/4, with the value 0.0107, and 0.0142 at 9/10. Raw line 952: 'the boundary behavior (R(0+) = 0 and "
             "R(1-) bounded) is preserved under small perturbations, ensuring the interior maximum is global'; "
             "independent use: l. 709, where Appendix B does show the zero of Phi to be unique before it concludes."),
    ifr("eb.lem-C.2.global.inference.corrected", "Lemma C.2, proof", "", (952, 952), "inequality",
        "ForAll(y, 0 < y < 1, y/W(y) <= theta/W(theta))",
        ("0 < theta < 1", "W in functions", "ForAll(x, 0 < x < 1, And(W(x) > 0, W(x) >= W(theta) + s*(x - theta)))",
         "W(theta) == theta*s"), (),
        sources={"W in functions": "the cycle time",
                 "ForAll(x, 0 < x < 1, And(W(x) > 0, W(x) >= W(theta) + s*(x - theta)))":
                 "added: the cycle time is positive and nowhere below its tangent at theta, of slope s (it is convex)",
                 "W(theta) == theta*s": "App. C.5, l. 810: Phi(theta*, eta) = 0"},
        corrects="eb.lem-C.2.global.inference", note="Convexity makes the critical point the global maximum."),
)

CLAIMS: tuple[Claim, ...] = (*POSITIVITY, *INTERPRETATION, *SECOND_ORDER)
