"""Appendix C.1 to C.5: the fluid model with the linear hazard rate, and the threshold's first-order correction."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .increasing import BASE, CYC_0, CYC_1, DELTA, DUR, IFR, IFR_COSTS, MODEL, ifr
from .wording import POSITIVE, PSI, ZETA

BATCH = "n(u) = N*exp(-p0*u - eta*u**2/2)"
TIME = {"t >= 0": "App. C.1, l. 723: n(0) = N starts the phase"}
HAZARD = ("0 < p0 <= 1", "eta > 0", "N > 0")
SHARE = ("0 < p0 <= 1", "eta > 0", "0 < theta < 1")
FIRST_T = "zeta(theta)/p0 - eta*zeta(theta)**2/(2*p0**3)"
SLOPE_1 = "-alpha_d*zeta(theta)/(p0**3*(1 - theta))"

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

CLAIMS: tuple[Claim, ...] = (*EVOLUTION, *CYCLE, *DERIVATIVES, *CORRECTION)
