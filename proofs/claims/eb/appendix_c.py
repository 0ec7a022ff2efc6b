"""Appendix C.1 to C.5: the fluid model with the linear hazard rate, and the threshold's first-order correction."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import ages
from .increasing import BASE, CYC_0, CYC_1, DELTA, DUR, IFR_COSTS, MODEL, OPTIMA, OPTIMA_SOURCE, ifr
from .wording import POSITIVE, PSI, ZETA

BATCH = "n(u) = N*exp(-p0*u - eta*u**2/2)"
TIME = {"t >= 0": "App. C.1, l. 723: n(0) = N starts the phase"}
HAZARD = ("0 < p0 <= 1", "eta > 0", "N > 0")
SHARE = ("0 < p0 <= 1", "eta > 0", "0 < theta < 1")
FIRST_T = "zeta(theta)/p0 - eta*zeta(theta)**2/(2*p0**3)"
SLOPE_1 = "-alpha_d*zeta(theta)/(p0**3*(1 - theta))"

NOT_IID = ("The fluid argument below does not require i.i.d. cycles; the finite-N stochastic analog would require a "
           "mixing-time argument for the age-dependent Markov chain, which we leave to future work")
SCOPE = (
    ifr("eb.app-C.scope-cfr", "Appendix C, Scope", "Under CFR (memoryless), this is exact because hazards are "
        "state-independent", (717, 717), "distributional", "S(a + t) == S(a)*S(t)",
        ("0 < p0 <= 1", "a in naturals", "t in naturals"), ("S(x) = (1 - p0)**x",),
        sources={"a in naturals": "the age of a request at the phase's start",
                 "t in naturals": "App. B.1, l. 530: the iteration index"},
        note="A request of age a survives t more iterations with probability S(a + t)/S(a) = S(t), as a fresh one, "
             "where S(t) = Pr(O > t) = (1 - p0)^t (Section 3.2.1, l. 99): counting hazards from the "
             "phase's start changes nothing."),
    Claim("eb.app-C.scope-ages", "Appendix C, Scope", "under IFR, continuing requests carry heterogeneous ages across "
          "cycles, so successive cycles are no longer i.i.d. and the renewal-reward foundation does not apply directly",
          (717, 717), "distributional", run=ages.not_iid_run, says=ages.NOT_IID,
          note="At k = N no request continues, and the cycles are i.i.d. under any law."),
    Claim("eb.app-C.scope-not-iid", "Appendix C, Scope", NOT_IID, (717, 717), "theorem", verdict="imprecise",
          readings=("eb.app-C.scope-not-iid.fluid", "eb.app-C.scope-not-iid.mixing"),
          note="Weak reading: cycles of one length and one number of completions have their ratio as throughput, "
               "whatever they depend on (proved). Strong reading: for finite N the throughput cannot be had without a "
               "mixing time (false)."),
    ifr("eb.app-C.scope-not-iid.fluid", "Appendix C, Scope", NOT_IID, (717, 717), "identity",
        "Sum(k, (i, 1, m))/Sum(T, (j, 1, m)) == k/T", ("k > 0", "T > 0", "m in naturals", "m >= 1"),
        sources={"k > 0": "completions in each cycle", "T > 0": "length of each cycle", "m in naturals": "cycles",
                 "m >= 1": "at least one"}),
    Claim("eb.app-C.scope-not-iid.mixing", "Appendix C, Scope", "the finite-N stochastic analog would require a "
          "mixing-time argument for the age-dependent Markov chain", (717, 717), "theorem",
          run=ages.mixing_run, says=ages.MIXING,
          corrected_by="eb.app-C.scope-not-iid.mixing.corrected", severity="substantive",
          note="Renewals do: at N = 2, k = 1, h(t) = 1/4 + t/4, t the tokens generated before, the 71/16 completions "
               "over the 5041/1024 iterations between two phases that start with fresh requests alone give the "
               "throughput in steady state, 64/71. Raw line 717: 'the finite-N stochastic analog would require a "
               "mixing-time argument'; independent use: the same line, 'successive cycles are no longer i.i.d. and "
               "the renewal-reward foundation does not apply directly'."),
    Claim("eb.app-C.scope-not-iid.mixing.corrected", "Appendix C, Scope", "", (717, 717), "theorem",
          run=ages.renewal_run, says=ages.RENEWALS, corrects="eb.app-C.scope-not-iid.mixing",
          note="For N = 2, k = 1. Whenever each hazard rate is positive, all N requests complete in one iteration with "
               "positive probability, and the next phase starts with fresh requests alone."),
    Claim("eb.app-C.scope-empirical", "Appendix C, Scope", "Empirically, Delta theta > 0 is observed on both synthetic "
          "IFR workloads (Appendix E.3) and real LLM workloads (Appendix E.4)", (717, 717), "empirical",
          verdict="reported",
          note="Appendix E.4 has no threshold: its tests are of eta = 0 and of a trend of the hazard rate (Table 12). "
               "What is observed on real workloads there is eta > 0, and Delta theta > 0 is then (5)'s."),
)

EVOLUTION = (
    ifr("eb.app-C.1.log", "Appendix C.1", "Integrating both sides: ln n(t) - ln N = -p0 t - eta t^2/2", (729, 731),
        "identity",
        "And(log(n(t)) - log(N) == -p0*t - eta*t**2/2, Integral(-(p0 + eta*s), (s, 0, t)) == -p0*t - eta*t**2/2, "
        "diff(log(n(t)), t) == -(p0 + eta*t))", (*HAZARD, "t >= 0"), (BATCH,), sources=TIME,
        note="Both sides of the separated equation, integrated from 0 to t; n is the solution (16)."),
    ifr("eb.eq-16", "Appendix C.1, (16)", "n(t) = N exp(-p0 t - eta t^2/2)", (733, 735), "identity",
        "And(diff(n(t), t) == -(p0 + eta*t)*n(t), n(0) == N)", (*HAZARD, "t >= 0"), (BATCH,), sources=TIME,
        note="The printed function solves the equation of l. 723 with its initial value."),
    ifr("eb.eq-16.cfr", "Appendix C.1", "At eta = 0, this reduces to n(t) = N e^{-p0 t}, recovering the CFR solution",
        (737, 737), "identity", "N*exp(-p0*t - 0*t**2/2) == N*exp(-p0*t)", ("0 < p0 <= 1", "N > 0", "t >= 0"),
        sources=TIME),
    ifr("eb.app-C.2.stop", "Appendix C.2", "n(T) = N (1 - theta). ... Taking logarithms: p0 T + eta T^2/2 = -ln(1 - "
        "theta) = zeta(theta)", (741, 747), "identity",
        "And(p0*T + eta*T**2/2 == -log(1 - theta), -log(1 - theta) == zeta(theta))",
        (*SHARE, "N > 0", "T >= 0", "n(T) == N*(1 - theta)"), (ZETA, BATCH),
        sources={"T >= 0": "App. C.2, l. 741: T is the phase's duration", "n(T) == N*(1 - theta)": "App. C.2, l. 741"}),
    ifr("eb.app-C.2.root", "Appendix C.2", "This is a quadratic equation in T. Solving for the positive root: T(theta) "
        "= (-p0 + sqrt(p0^2 + 2 eta zeta(theta)))/eta", (749, 751), "identity",
        "And(dur(theta, eta) > 0, p0*dur(theta, eta) + eta*dur(theta, eta)**2/2 == zeta(theta), "
        "ForAll(T, And(T > 0, p0*T + eta*T**2/2 == zeta(theta)), T == dur(theta, eta)))", SHARE, (ZETA, DUR)),
    ifr("eb.app-C.2.xi", "Appendix C.2", "Define xi = eta zeta/p0^2 (dimensionless). Then: T = (p0/eta)(-1 + sqrt(1 + "
        "2 xi))", (753, 755), "identity", "dur(theta, eta) == p0/eta*(-1 + sqrt(1 + 2*xi(theta)))", SHARE,
        (ZETA, DUR, "xi(x) = eta*zeta(x)/p0**2")),
    ifr("eb.app-C.2.sqrt", "Appendix C.2", "(p0/eta)(-1 + sqrt(1 + 2 xi)) = (p0/eta)(-1 + 1 + xi - xi^2/2 + O(xi^3)) = "
        "(p0 xi/eta)(1 - xi/2 + O(xi^2))", (755, 755), "expansion",
        'And(BigO(sqrt(1 + 2*xi) - (1 + xi - xi**2/2), xi**3, xi, 0, "+"), '
        'BigO((-1 + sqrt(1 + 2*x))/x - (1 - x/2), x**2, x, 0, "+"))',
        note="The factors p0/eta and p0 xi/eta stand on both sides."),
    ifr("eb.eq-17", "Appendix C.2, (17)", "T(theta) = zeta/p0 - eta zeta^2/(2 p0^3) + O(eta^2)", (757, 759),
        "expansion", f'BigO(dur(theta, eta) - ({FIRST_T}), eta**2, eta, 0, "+")', ("0 < p0 <= 1", "0 < theta < 1"),
        (ZETA, DUR)),
    ifr("eb.eq-17.T0", "Appendix C.2", "T0 = zeta/p0 is the CFR decode time", (761, 761), "identity",
        "T == zeta(theta)/p0", ("0 < p0 <= 1", "0 < theta < 1", "exp(-p0*T) == 1 - theta"), (ZETA,),
        sources={"exp(-p0*T) == 1 - theta": "App. B.2, l. 544: the CFR phase ends when n(T) = 1 - theta"}),
    ifr("eb.eq-17.T1", "Appendix C.2", "T1 = -zeta^2/(2 p0^3) < 0 is the first-order correction (negative because IFR "
        "reduces decode time)", (761, 761), "inequality",
        "And(-zeta(theta)**2/(2*p0**3) < 0, dur(theta, eta) < zeta(theta)/p0)", SHARE, (ZETA, DUR)),
)

CYCLE = (
    ifr("eb.app-C.3.I0", "Appendix C.3", "I0 = N int_0^{T0} e^{-p0 s} ds = (N/p0)(1 - e^{-p0 T0}) = (N/p0)(1 - "
        "e^{-zeta}) = (N/p0)(1 - (1 - theta)) = N theta/p0", (769, 771), "identity",
        "And(N*Integral(exp(-p0*s), (s, 0, T0)) == N/p0*(1 - exp(-p0*T0)), "
        "N/p0*(1 - exp(-p0*T0)) == N/p0*(1 - exp(-zeta(theta))), "
        "N/p0*(1 - exp(-zeta(theta))) == N/p0*(1 - (1 - theta)), N/p0*(1 - (1 - theta)) == N*theta/p0)",
        ("0 < p0 <= 1", "0 < theta < 1", "N > 0"), (ZETA, "T0 = zeta(theta)/p0")),
    ifr("eb.app-C.3.by-parts", "Appendix C.3", "", (779, 783), "identity",
        "N*exp(-p0*T0)*(-zeta(theta)**2/(2*p0**3)) - N/2*Integral(s**2*exp(-p0*s), (s, 0, T0)) "
        "== N/p0**3*((1 - theta)*zeta(theta) - theta)", ("0 < p0 <= 1", "0 < theta < 1", "N > 0"),
        (ZETA, "T0 = zeta(theta)/p0"),
        note="The step from the bracket of l. 779 to that of (18), by parts."),
    ifr("eb.eq-18.small-theta", "Appendix C.3", "For small theta, zeta ~ theta + theta^2/2, so the correction ~ (1 - "
        "theta)(theta + theta^2/2) - theta = -theta^2/2 + O(theta^3) < 0", (785, 785), "expansion",
        'And(BigO((1 - theta)*zeta(theta) - theta + theta**2/2, theta**3, theta, 0, "+"), '
        'BigO((1 - x)*(x + x**2/2) - x + x**2/2, x**3, x, 0, "+"), '
        'BigO(zeta(y) - (y + y**2/2), y**3, y, 0, "+"), '
        "ForAll(u, 0 < u < 1, (1 - u)*zeta(u) - u < 0))", (), (ZETA,),
        note="The sign holds for every theta in (0, 1)."),
    ifr("eb.eq-19.T0", "Appendix C.4", "T_0(theta) = alpha_d zeta/p0 + beta_d N theta/p0 + alpha_p + beta_p N mu_L "
        "theta ... the CFR cycle time", (796, 802), "identity",
        "C0(theta) == Integral(alpha_d + beta_d*N*exp(-p0*t), (t, 0, s)) + (alpha_p + beta_p*N*mu_L*theta)",
        (*IFR_COSTS, "0 < theta < 1", "exp(-p0*s) == 1 - theta"), (ZETA, CYC_0)),
    ifr("eb.eq-19.T1", "Appendix C.4", "T_1(theta) = -alpha_d zeta^2/(2 p0^3) + (beta_d N/p0^3)((1 - theta) zeta - "
        "theta)", (796, 796), "identity",
        "alpha_d*(zeta(theta)/p0 - eta*zeta(theta)**2/(2*p0**3)) "
        "+ beta_d*(N*theta/p0 + eta*N/p0**3*((1 - theta)*zeta(theta) - theta)) + alpha_p + beta_p*N*mu_L*theta "
        "== C0(theta) + eta*C1(theta)", (*IFR_COSTS, "eta > 0", "0 < theta < 1"), (ZETA, CYC_0, CYC_1),
        note="The regrouping from line 795 to line 796."),
)

DERIVATIVES = (
    ifr("eb.app-C.5.T0-second", "Appendix C.5", "T_0''(theta) = d/dtheta [alpha_d/(p0 (1 - theta)) + beta_d N/p0 + "
        "beta_p N mu_L] = alpha_d/(p0 (1 - theta)^2)", (826, 828), "identity",
        "And(diff(C0(theta), theta, 2) == diff(alpha_d/(p0*(1 - theta)) + beta_d*N/p0 + beta_p*N*mu_L, theta), "
        "diff(alpha_d/(p0*(1 - theta)) + beta_d*N/p0 + beta_p*N*mu_L, theta) == alpha_d/(p0*(1 - theta)**2))",
        (*IFR_COSTS, "0 < theta < 1"), (ZETA, CYC_0)),
    ifr("eb.app-C.5.Phi-theta-value", "Appendix C.5", "dPhi/dtheta at (theta0, 0) = -theta0 alpha_d/(p0 (1 - "
        "theta0)^2)", (830, 832), "identity",
        "At(diff(C0(x) - x*diff(C0(x), x), x), x, theta0) == -theta0*alpha_d/(p0*(1 - theta0)**2)",
        (*IFR_COSTS, "0 < theta0 < 1"), (ZETA, CYC_0)),
    ifr("eb.app-C.5.T1-prime-1", "Appendix C.5", "T_1'(theta) = -alpha_d 2 zeta zeta'/(2 p0^3) + (beta_d N/p0^3)[-zeta "
        "+ (1 - theta) zeta' - 1] = -alpha_d zeta/(p0^3 (1 - theta)) + (beta_d N/p0^3)[-zeta + 1 - 1]", (852, 854),
        "identity",
        "And(diff(C1(theta), theta) == -alpha_d*2*zeta(theta)*diff(zeta(theta), theta)/(2*p0**3) + beta_d*N/p0**3*("
        "-zeta(theta) + (1 - theta)*diff(zeta(theta), theta) - 1), "
        f"diff(C1(theta), theta) == {SLOPE_1} + beta_d*N/p0**3*(-zeta(theta) + 1 - 1))",
        (*POSITIVE, "beta_d >= 0", "N > 0", "0 < theta < 1"), (ZETA, CYC_1)),
    ifr("eb.app-C.5.T1-prime-2", "Appendix C.5", "Simplifying: T_1'(theta) = -alpha_d zeta/(p0^3 (1 - theta)) - beta_d "
        "N zeta/p0^3", (856, 858), "identity", f"diff(C1(theta), theta) == {SLOPE_1} - beta_d*N*zeta(theta)/p0**3",
        (*POSITIVE, "beta_d >= 0", "N > 0", "0 < theta < 1"), (ZETA, CYC_1)),
)
RESIDUAL = "C1(theta0) - theta0*At(diff(C1(x), x), x, theta0)"
BRACKET = ("-alpha_d*zeta(theta0)**2/2 + theta0*alpha_d*zeta(theta0)/(1 - theta0) "
           "+ beta_d*N*(zeta(theta0) - theta0)")
AT_BASE = (*POSITIVE, "beta_d >= 0", "N > 0", "0 < theta0 < 1")
CORRECTION = (
    ifr("eb.app-C.5.difference-1", "Appendix C.5", "T_1(theta0) - theta0 T_1'(theta0) = -alpha_d zeta^2/(2 p0^3) + "
        "(beta_d N/p0^3)[(1 - theta0) zeta - theta0] + theta0 alpha_d zeta/(p0^3 (1 - theta0)) + theta0 beta_d N "
        "zeta/p0^3", (860, 862), "identity",
        f"{RESIDUAL} == -alpha_d*zeta(theta0)**2/(2*p0**3) + beta_d*N/p0**3*((1 - theta0)*zeta(theta0) - theta0) "
        "+ theta0*alpha_d*zeta(theta0)/(p0**3*(1 - theta0)) + theta0*beta_d*N*zeta(theta0)/p0**3", AT_BASE,
        (ZETA, CYC_1)),
    ifr("eb.app-C.5.difference-2", "Appendix C.5", "= (1/p0^3)[-alpha_d zeta^2/2 + theta0 alpha_d zeta/(1 - theta0) + "
        "beta_d N ((1 - theta0) zeta - theta0 + theta0 zeta)]", (863, 863), "identity",
        f"{RESIDUAL} == 1/p0**3*(-alpha_d*zeta(theta0)**2/2 + theta0*alpha_d*zeta(theta0)/(1 - theta0) "
        "+ beta_d*N*((1 - theta0)*zeta(theta0) - theta0 + theta0*zeta(theta0)))", AT_BASE, (ZETA, CYC_1)),
    ifr("eb.app-C.5.difference-3", "Appendix C.5", "= (1/p0^3)[-alpha_d zeta^2/2 + theta0 alpha_d zeta/(1 - theta0) + "
        "beta_d N (zeta - theta0)]", (864, 864), "identity", f"{RESIDUAL} == 1/p0**3*({BRACKET})", AT_BASE,
        (ZETA, CYC_1)),
    ifr("eb.app-C.5.quotient", "Appendix C.5", "Substituting into (20): Delta theta = -((1/p0^3)[-alpha_d zeta^2/2 + "
        "theta0 alpha_d zeta/(1 - theta0) + beta_d N (zeta - theta0)] / (-theta0 alpha_d/(p0 (1 - theta0)^2))) eta",
        (866, 868), "identity",
        f"-({RESIDUAL})/At(diff(C0(x) - x*diff(C0(x), x), x), x, theta0)*eta "
        f"== -(1/p0**3*({BRACKET})/(-theta0*alpha_d/(p0*(1 - theta0)**2)))*eta",
        (*AT_BASE, "eta > 0", "beta_p >= 0", "mu_L > 0"), (ZETA, CYC_0, CYC_1),
        note="(20) with dPhi/deta of l. 846 and dPhi/dtheta of l. 832 on the left; Delta theta is this first-order "
             "term (Theorem 3.2), the O(eta^2) of l. 818 apart."),
    ifr("eb.app-C.5.simplified", "Appendix C.5", "Simplifying: Delta theta = ((1 - theta0)^2/(p0^2 theta0 alpha_d)) "
        "[-alpha_d zeta^2/2 + theta0 alpha_d zeta/(1 - theta0) + beta_d N (zeta - theta0)] eta", (870, 872),
        "identity",
        f"-(1/p0**3*({BRACKET})/(-theta0*alpha_d/(p0*(1 - theta0)**2)))*eta "
        f"== (1 - theta0)**2/(p0**2*theta0*alpha_d)*({BRACKET})*eta", (*AT_BASE, "eta > 0"), (ZETA,)),
    ifr("eb.eq-21", "Appendix C.5, (21)", "Delta theta = (eta (1 - theta0)^2/(p0^2 theta0)) [zeta (theta0/(1 - theta0) "
        "- zeta/2) + (beta_d N/alpha_d)(zeta - theta0)]. This is Eq. (5) in the main text", (874, 878), "identity",
        f"(1 - theta0)**2/(p0**2*theta0*alpha_d)*({BRACKET})*eta == delta(theta0, eta)", (*AT_BASE, "eta > 0"),
        (ZETA, DELTA)),
)

CUM_N = "cum(theta, eta)"
WITH_INTEGRAL = (
    ifr("eb.app-C.3.upper", "Appendix C.3", "I(theta) = int_0^{T0 + eta T1} N e^{-p0 s} e^{-eta s^2/2} ds + O(eta^2)",
        (773, 775), "expansion",
        f'BigO({CUM_N} - Integral(N*exp(-p0*s)*exp(-eta*s**2/2), (s, 0, {FIRST_T})), eta**2, eta, 0, "+")',
        ("0 < p0 <= 1", "0 < theta < 1", "N > 0"), MODEL[:3],
        note="The interval between the two upper ends has the length O(eta^2) of (17), and n <= N there."),
    ifr("eb.app-C.3.first-order", "Appendix C.3", "I = I0 + eta [N e^{-p0 T0} T1 - (N/2) int_0^{T0} s^2 e^{-p0 s} ds] "
        "+ O(eta^2)", (777, 779), "expansion",
        f'BigO({CUM_N} - N*theta/p0 - eta*(N*exp(-p0*T0)*(-zeta(theta)**2/(2*p0**3)) '
        '- N/2*Integral(s**2*exp(-p0*s), (s, 0, T0))), eta**2, eta, 0, "+")',
        ("0 < p0 <= 1", "0 < theta < 1", "N > 0"), (*MODEL[:3], "T0 = zeta(theta)/p0")),
    ifr("eb.eq-18", "Appendix C.3, (18)", "I(theta) = N theta/p0 + (eta N/p0^3) [(1 - theta) zeta - theta] + O(eta^2)",
        (781, 783), "expansion",
        f'BigO({CUM_N} - N*theta/p0 - eta*N/p0**3*((1 - theta)*zeta(theta) - theta), eta**2, eta, 0, "+")',
        ("0 < p0 <= 1", "0 < theta < 1", "N > 0"), MODEL[:3]),
    ifr("eb.eq-18.reduces", "Appendix C.3", "confirming that IFR reduces cumulative batch size", (785, 785),
        "inequality", f"{CUM_N} < N*theta/p0", (*SHARE, "N > 0"), MODEL[:3],
        note="Its integrand is below that of CFR (eb.app-C.7.decay.integrand) and the phase is shorter "
             "(eb.eq-17.T1); the first-order term is negative for every theta (eb.eq-18.small-theta)."),
    ifr("eb.app-C.4.T", "Appendix C.4", "T(theta) = E[T_d] + E[T_p] = alpha_d T + beta_d I + alpha_p + beta_p N mu_L "
        "theta", (789, 791), "identity",
        "Integral(alpha_d + beta_d*(N*exp(-p0*s - eta*s**2/2)), (s, 0, dur(theta, eta))) "
        "+ (alpha_p + beta_p*(theta*N)*mu_L) == cyc(theta, eta)", (*IFR_COSTS, "eta > 0", "0 < theta < 1"), MODEL,
        note="Its special case eta = 0 is eb.eq-19.T0."),
)
CYCLE_OF = "cyc(e) = alpha_d*D(e) + beta_d*C(e) + alpha_p + beta_p*N*mu_L*theta"
FIRST_I = "N*theta/p0 + v*N/p0**3*((1 - theta)*zeta(theta) - theta)"
NEAR = ("c1 > 0", "c2 > 0", "0 < r <= 1")
FROM_17_18 = (
    "D in functions", "C in functions", *NEAR,
    f"ForAll(u, 0 < u < r, And(D(u) - ({FIRST_T.replace('eta*', 'u*')}) <= c1*u**2, "
    f"D(u) - ({FIRST_T.replace('eta*', 'u*')}) >= -c1*u**2))",
    f"ForAll(v, 0 < v < r, And(C(v) - ({FIRST_I}) <= c2*v**2, C(v) - ({FIRST_I}) >= -c2*v**2))")
CONSTANTS = {NEAR[0]: "the constant of the first O(eta^2)", NEAR[1]: "that of the second",
             NEAR[2]: "and how near to 0 eta is to be"}
SUBSTITUTED = {"D in functions": "T(theta) of C.2, as eta varies", "C in functions": "I(theta) of C.3, as eta varies",
               **CONSTANTS, FROM_17_18[-2]: "(17), l. 759", FROM_17_18[-1]: "(18), l. 783"}
EXPANDED = ("alpha_d*(zeta(theta)/p0 - eta*zeta(theta)**2/(2*p0**3)) "
            "+ beta_d*(N*theta/p0 + eta*N/p0**3*((1 - theta)*zeta(theta) - theta)) + alpha_p + beta_p*N*mu_L*theta")
FROM_19 = (
    "W in functions", "V in functions", *NEAR[:2],
    "ForAll(u, 0 < u < 1, And(W(u) - C0(theta) - u*C1(theta) <= c1*u**2, W(u) - C0(theta) - u*C1(theta) >= -c1*u**2))",
    "ForAll(v, 0 < v < 1, And(V(v) - C0p - v*C1p <= c2*v**2, V(v) - C0p - v*C1p >= -c2*v**2))")
PRIMES = ("C0p = alpha_d/(p0*(1 - theta)) + beta_d*N/p0 + beta_p*N*mu_L",
          f"C1p = {SLOPE_1} - beta_d*N*zeta(theta)/p0**3")
NEAR_0 = {"W in functions": "T(theta), as eta varies", "V in functions": "T'(theta), as eta varies",
          **{c: CONSTANTS[c] for c in NEAR[:2]},
          FROM_19[-2]: "(19), l. 800, in a unit of eta in which it holds up to 1",
          FROM_19[-1]: "l. 840, with T_0' of l. 828 and T_1' of l. 858"}
EXPANSIONS = (
    ifr("eb.app-C.4.substituted", "Appendix C.4", "Substituting the expansions (17) and (18): T(theta) = alpha_d "
        "(zeta/p0 - eta zeta^2/(2 p0^3)) + beta_d (N theta/p0 + (eta N/p0^3)[(1 - theta) zeta - theta]) + alpha_p + "
        "beta_p N mu_L theta + O(eta^2)", (793, 795), "expansion",
        f'BigO(cyc(eta) - ({EXPANDED}), eta**2, eta, 0, "+")',
        (*IFR_COSTS, "0 < theta < 1", *FROM_17_18), (ZETA, CYCLE_OF),
        sources=SUBSTITUTED, note="As printed, from (17) and (18)."),
    ifr("eb.eq-19", "Appendix C.4, (19)", "T(theta) = T_0(theta) + eta T_1(theta) + O(eta^2)", (798, 800), "expansion",
        'BigO(cyc(eta) - (C0(theta) + eta*C1(theta)), eta**2, eta, 0, "+")',
        (*IFR_COSTS, "0 < theta < 1", *FROM_17_18),
        (ZETA, CYCLE_OF, CYC_0, CYC_1), sources=SUBSTITUTED, note="As printed, from (17) and (18)."),
    ifr("eb.app-C.5.T-eta", "Appendix C.5", "From T = T_0 + eta T_1 + O(eta^2): dT/deta at eta = 0 is T_1(theta). "
        "Similarly, T' = T_0' + eta T_1' + O(eta^2), so d(theta T')/deta at eta = 0 is theta T_1'(theta)", (836, 842),
        "identity",
        'And(Eq(limit((W(eta) - C0(theta))/eta, eta, 0, "+"), C1(theta)), '
        'Eq(limit((theta*V(e) - theta*C0p)/e, e, 0, "+"), theta*C1p))',
        (*IFR_COSTS, "0 < theta < 1", *FROM_19), (ZETA, CYC_0, CYC_1, *PRIMES), sources=NEAR_0,
        note="The one-sided derivatives (eta >= 0), from the expansions that the sentence names; T and T' at eta = 0 "
             "are T_0 and T_0'."),
    ifr("eb.app-C.5.Phi-eta", "Appendix C.5", "dPhi/deta at (theta0, 0) = T_1(theta0) - theta0 T_1'(theta0)",
        (844, 846), "identity",
        'Eq(limit(((W(eta) - theta*V(eta)) - (C0(theta) - theta*C0p))/eta, eta, 0, "+"), C1(theta) - theta*C1p)',
        (*IFR_COSTS, "0 < theta < 1", *FROM_19), (ZETA, CYC_0, CYC_1, *PRIMES), sources=NEAR_0,
        note="At every theta, theta0 among them."),
)

RESIDUAL_OF = "cyc({0}, eta) - {0}*At(diff(cyc(x, eta), x), x, {0})"
IMPLICIT = (
    ifr("eb.app-C.5.Phi", "Appendix C.5", "The optimal threshold theta*(eta) satisfies the first-order condition "
        "Phi(theta*, eta) = 0. At eta = 0, we have theta*(0) = theta0", (806, 810), "identity",
        "And(Implies(diff(theta/cyc(theta, eta), theta) == 0, " + RESIDUAL_OF.format("theta") + " == 0), "
        "C0(theta0) - theta0*At(diff(C0(x), x), x, theta0) == 0)",
        (*IFR_COSTS, "eta > 0", "0 < theta < 1", *BASE), (PSI, *MODEL, CYC_0),
        note="With the slope itself, at beta_d = 0: eb.app-C.5.Phi.no-token-cost."),
    ifr("eb.app-C.5.Phi.no-token-cost", "Appendix C.5", "The optimal threshold theta*(eta) satisfies the first-order "
        "condition Phi(theta*, eta) = 0. At eta = 0, we have theta*(0) = theta0", (806, 810), "identity",
        "And(diff(theta/cyd(theta, eta), theta) == (cyd(theta, eta) - theta*diff(cyd(theta, eta), theta))/cyd(theta, "
        "eta)**2, C0(theta0) - theta0*At(diff(C0(x), x), x, theta0) == 0)",
        (*IFR_COSTS, "eta > 0", "0 < theta < 1", *BASE), (PSI, ZETA, DUR, CYC_0,
        "cyd(x, e) = alpha_d*dur(x, e) + alpha_p + beta_p*N*mu_L*x"),
        note="At beta_d = 0 for every eta; and at eta = 0 with all costs."),
    Claim("eb.eq-20", "Appendix C.5, (20)", "By the implicit function theorem, if dPhi/dtheta != 0 at (theta0, 0), "
          "then: dtheta*/deta at eta = 0 is -(dPhi/deta)/(dPhi/dtheta) at (theta0, 0)", (812, 814), "theorem",
          verdict="assumed",
          note="The implicit function theorem (Rudin, Principles of Mathematical Analysis, 3rd ed., Theorem 9.28), "
               "cited for Theorem 3.2's proof. It asks for Phi continuously differentiable around (theta0, 0); eta >= "
               "0 in the paper, but the formulas extend to small negative eta. dPhi/dtheta is not 0: "
               "eb.app-C.5.Phi-theta-value."),
    ifr("eb.app-C.5.Dtheta", "Appendix C.5", "Thus the first-order correction is: Delta theta = theta*(eta) - theta0 = "
        "-((dPhi/deta)/(dPhi/dtheta)) eta + O(eta^2)", (816, 818), "expansion",
        'BigO(th(eta) - theta0 + (C1(theta0) - theta0*At(diff(C1(x), x), x, theta0))/At(diff(C0(x) - x*diff(C0(x), x), '
        'x), x, theta0)*eta, eta**2, eta, 0, "+")',
        (*IFR_COSTS, *BASE, *OPTIMA), (PSI, *MODEL, CYC_0, CYC_1), sources=OPTIMA_SOURCE,
        note="As eb.thm-3.2.fluid, without the implicit function theorem; the equality of the two first-order terms is "
             "eb.eq-5. l. 818 calls the whole difference Delta theta, l. 868 its first-order term, as Theorem 3.2."),
    ifr("eb.app-C.5.Phi-theta", "Appendix C.5", "From Phi = T - theta T': dPhi/dtheta = T' - T' - theta T'' = -theta "
        "T''", (820, 824), "identity",
        "And(diff(W(theta, eta) - theta*diff(W(theta, eta), theta), theta) == diff(W(theta, eta), theta) - "
        "diff(W(theta, eta), theta) - theta*diff(W(theta, eta), theta, 2), diff(W(theta, eta) - theta*diff(W(theta, "
        "eta), theta), theta) == -theta*diff(W(theta, eta), theta, 2))",
        (*IFR_COSTS, "eta >= 0", "0 < theta < 1"), (ZETA, CYC_0, CYC_1, "W(x, e) = C0(x) + e*C1(x)"),
        sources={"eta >= 0": "App. C, l. 715: eta >= 0"},
        note="For the cycle time up to first order, (19), which is what C.5 differentiates, at eta = 0."),
)

CLAIMS: tuple[Claim, ...] = (*SCOPE, *EVOLUTION, *CYCLE, *WITH_INTEGRAL, *EXPANSIONS, *IMPLICIT, *DERIVATIVES,
                             *CORRECTION)
