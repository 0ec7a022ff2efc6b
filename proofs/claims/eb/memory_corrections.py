"""Corrections of the refuted statements of Section 3.3 and Appendix D, and what holds beyond them."""

from __future__ import annotations

from typing import Any

from qtheory.proofs.claims.model import Claim

from . import memory_processes as processes
from .appendix_d import SPREAD_OUT, VARIANCE_OF_SPREAD
from .memory_hints import SPREAD
from .memory_wording import EXPECTED, INCREMENT_VARIANCE, MEAN, SAFE, VBAR, W, stated
from .section_3_3 import BLOCKS, F_KV, GATE
from .wording import checked, iff

RATE = "rate(r) = r*log(r/((1 - p0)*(1 + r))) - log(p0*(1 + r))"  # exponent of the negative binomial tail
ABOVE = ("0 < p0 <= 1", "p0 < 1", "r > (1 - p0)/p0")
TOKENS = {"p0 < 1": "outputs of more than one token", "r > (1 - p0)/p0": "more tokens a request than the mean of O - 1"}
USE = "use(i) = i*mu_O*s_KV/(b*total) + f0"  # what (23) clips
CLIPPED = tuple((f"Implies({when}, Min(6/10, Max(5/100, x)) == {then})", {"x": f"use({n})"}) for when, then in (
    ("And(x >= 5/100, x <= 6/10)", "x"), ("x <= 5/100", "5/100"), ("x >= 6/10", "6/10")) for n in ("N", "N2"))
MEMORY_AT = "X(t) = N*exp(-p0*t)*(x0 + t)"
STARTED = {"x0 >= 0": "the mean memory of a request at the start of a phase, E[X_0]/N", "t >= 0": "time in the phase"}
VARIANCE_OK = f"{SPREAD} <= 2"
UNDERSTATED = "v(n, p0)/(2*n*p0*mu_L) <= (2*N/p0)/(2*N*p0*mu_L)"


def correction(of: str, place: str, lines: tuple[int, int], kind: str, goal: str, where: tuple[str, ...] = (),
               let: tuple[str, ...] = (), **more: Any) -> Claim:
    return stated(f"{of}.corrected", place, "", lines, kind, goal, where, let, corrects=of, **more)


CORRECTED = (
    checked("eb.prop-3.3", "Proposition 3.3", (143, 147), "theorem",
            run=processes.domination_run, says=processes.CHERNOFF,
            note="A batch size N with E[M] Pr(sum_{i=1}^N (L_i + O_i) > C) <= eps is safe. Couple the completions: let "
                 "each slot have a coin for each iteration, whether it is busy or not. A slot's request has generated "
                 "more than g tokens only if its last g coins showed no completion, so that the memory during an "
                 "iteration is at most that of N requests of full, independent lengths; and a phase that outgrows C "
                 "has at least one such iteration, so that the share of such phases is at most E[M] times that of such "
                 "iterations. The negative binomial tail is at most exp(-N I(r)) with eb.prop-3.3.rate's I, r = (C - N "
                 "L)/N - 1."),
    checked("eb.sec-3.3.conservative", "Section 3.3", (151, 151), "distributional",
            run=processes.domination_ifr_run, says=processes.DOMINATED_IFR,
            note="The corrected batch size at the least hazard rate p0 is safe for every law whose hazard rate is "
                 "never below p0: each coin shows a completion at least as often."),
    checked("eb.app-D.1.start", "Appendix D.1", (968, 968), "algorithm",
            run=processes.new_requests_run, says=processes.NEW),
    correction("eb.app-D.3.v-n-approx.spread", "Appendix D.3", (1014, 1016), "expansion",
               'Eq(limit(v(p0)/(2*n/p0), p0, 0, "+"), 1 + s**2/2)', ("mu_L > 0", "s >= 0", "n > 0"),
               (VARIANCE_OF_SPREAD,), sources=SPREAD_OUT, hint={"rate": {"p0": ("mu_L**2 + 2*mu_L + 2", "1")}},
               note="So 2n/p0 needs prompts that spread little as well, sigma_L << 1/p0."),
    correction("eb.app-D.3.v-n-approx.workloads", "Appendix D.3", (1014, 1016), "expansion",
               "And(v(n, p0) >= 2*n/p0*((1 - p0)*(1 + (1 + p0*mu_L)**2)/2), v(n, p0) - 2*n/p0*((1 - p0)*(1 + (1 + "
               "p0*mu_L)**2)/2) == n*p0*sigma_L**2)", ("0 < p0 <= 1", "mu_L > 0", "sigma_L >= 0", "n > 0"),
               (INCREMENT_VARIANCE,),
               note="The exact factor by which 2n/p0 is off, up to n p0 sigma_L^2: (1 - p0)(1 + (1 + p0 mu_L)^2)/2, at "
                    "LongBench 23,535."),
    correction("eb.app-D.4.walk.machine", "Appendix D.4", (1020, 1020), "identity",
               "N - p0*(X0 + N) == N*(1 - (p0*(mu_L + 1) + (1 - theta)/theta*log(1/(1 - theta))))",
               (*W, "N > 0"), ("X0 = N*mu_L + N*(1 - theta)/(theta*p0)*log(1/(1 - theta))",),
               note="The drift at the start of a phase: negative exactly where p0 (mu_L + 1) + ((1 - theta)/theta) "
                    "ln(1/(1 - theta)) > 1."),
    correction("eb.eq-22.mean", "Appendix D.4, (22)", (1020, 1022), "inequality", "M <= v/(2*Abs(d))",
               ("d < 0", "v >= 0", "M == M + d + i1", "M2 + i2 == M2 + 2*M*d + v + d**2", "i2 >= i1**2"),
               sources={"d < 0": "(22), l. 1020: negative drift", "v >= 0": "(22), l. 1020: the variance of a step X",
                        "M == M + d + i1": "added: the supremum W is in law W + X + I, X independent of W and I = "
                                           "max(0, -(W + X)) (Lindley); M = E[W], i1 = E[I]",
                        "M2 + i2 == M2 + 2*M*d + v + d**2": "added: the same squared, with (W + X + I) I = 0; M2 = "
                                                            "E[W^2], i2 = E[I^2]",
                        "i2 >= i1**2": "added: a variance is not negative"},
               note="Kingman's bound, from the first two moments of Lindley's recursion."),
    checked("eb.eq-22.tail", "Appendix D.4, (22)", (1020, 1022), "theorem",
            run=processes.lundberg_run, says=processes.LUNDBERG,
            note="Lundberg's inequality: the walk's own exponent in place of 2|d|/v."),
    correction("eb.app-D.4.n-equals-N", "Appendix D.4", (1024, 1026), "inequality", iff(UNDERSTATED, VARIANCE_OK),
               ("0 < p0 <= 1", "mu_L > 0", "sigma_L >= 0", "N > 0", "n > 0"), (INCREMENT_VARIANCE,),
               note="Exactly when the estimate is conservative: only where p0 mu_L is of the order of p0."),
    checked("eb.app-D.4.requirement", "Appendix D.4", (1034, 1034), "distributional",
            run=processes.union_run, says=processes.UNION,
            note="X_0 is random: its tail has to be paid for too."),
    correction("eb.app-D.4.tail", "Appendix D.4", (1036, 1036), "identity",
               "1/z*((1 - p0) + p0*(z**l*(p0*z/(1 - (1 - p0)*z)))) == 1",
               ("0 < p0 <= 1", "l in naturals", "0 < z < 1",
                "(z - (1 - p0))*(1 - (1 - p0)*z) == p0**2*z**(l + 1)"),
               sources={"l in naturals": "added: prompts of one length l",
                        "0 < z < 1": "added: the walk's exponent is -ln z",
                        "(z - (1 - p0))*(1 - (1 - p0)*z) == p0**2*z**(l + 1)":
                            "added: z solves it; then E[z^{-DX}] = 1 for DX = N - sum Z_i S_i"},
               note="Pr(sup Y_t > x) <= z^x (eb.eq-22.tail.corrected) with z^{-1}(1 - p0 + p0 E[z^S]) = 1, the same "
                    "for every N; E[z^O] = p0 z/(1 - (1 - p0) z)."),
    correction("eb.app-D.5.order-1", "Appendix D.5", (1062, 1062), "inequality", f"{SAFE} <= {EXPECTED}",
               (*W, "0 < eps <= exp(-1)", "C > 0"), (MEAN, VBAR),
               sources={"0 < eps <= exp(-1)": "added: a risk level of at most 1/e"}),
    correction("eb.app-D.5.gap.small", "Appendix D.5", (1062, 1062), "inequality",
               iff("vbar*log(1/eps) <= C/10", "C*p0**2*mu_L >= 10*log(1/eps)"),
               ("0 < p0 <= 1", "mu_L > 0", "0 < eps < 1", "C > 0"), (VBAR,),
               note="When the reserve is below a tenth of the capacity."),
    correction("eb.app-D.6.oscillation", "Appendix D.6", (1074, 1074), "inequality", "free >= needed",
               (*BLOCKS, "needed >= 0", "needed <= 6/10*total", "f0 >= needed/total", "free >= f(N)*total"), (F_KV,),
               sources={**GATE, "needed >= 0": "added: the blocks that the prompts of a refill need",
                        "needed <= 6/10*total": "added: no more than the upper clip",
                        "f0 >= needed/total": "added: the base reserve covers the prompts",
                        "free >= f(N)*total": "(23), l. 1070: the gate lets through"},
               note="With a base reserve f_0 that covers the refill's prompts, what the gate lets through can be "
                    "allocated."),
    correction("eb.app-D.6.orthogonal.threshold", "Appendix D.6", (1074, 1074), "inequality",
               "And(Implies(And(use(N) >= 5/100, use(N2) <= 6/10), f(N2) - f(N) == (N2 - N)*mu_O*s_KV/(b*total)), "
               "Implies(use(N2) <= 5/100, f(N2) == f(N)), Implies(use(N) >= 6/10, f(N2) == f(N)))",
               (*BLOCKS, "N2 > 0", "N < N2"), (F_KV, USE), hint={"lemmas": ("use(N) < use(N2)", *CLIPPED)},
               sources={**GATE, "N2 > 0": "another batch size", "N < N2": "a larger one"},
               note="Each slot more raises the threshold by mu_O s_KV/(b total_blocks), except where one clip holds at "
                    "both batch sizes."),
)

BEYOND = (
    stated("eb.eq-6.rounding", "(6)", "", (145, 147), "inequality",
           "-(1 - theta)/theta*log(1 - theta) > -(1 - theta0)/theta0*log(1 - theta0)",
           ("0 < theta < 1", "0 < theta0 < 1", "theta < theta0"),
           sources={"theta < theta0": "theta = floor(theta0 N)/N, where theta0 N is no integer"},
           note="(6) takes theta0 where its derivation has k/N: the mean memory at k/N is larger."),
    stated("eb.prop-3.3.fluid-peak", "Section 3.3", "", (141, 141), "inequality",
           "And(X(t) <= N/p0*exp(p0*x0 - 1), X(1/p0 - x0) == N/p0*exp(p0*x0 - 1))",
           ("0 < p0 <= 1", "N > 0", "x0 >= 0", "t >= 0"), (MEMORY_AT,), sources=STARTED,
           note="In the fluid model N e^{-p0 t} requests, each with x0 + t tokens, are active after t iterations: the "
                "peak in closed form. It is at t = 1/p0 - x0 where that is not negative, else at the start."),
    stated("eb.prop-3.3.fluid-peak.in-phase", "Section 3.3", "", (141, 141), "inequality",
           "1/p0 - (mu_L + (1 - theta)/(theta*p0)*log(1/(1 - theta))) < 1/p0*log(1/(1 - theta))", W,
           note="With the paper's x0 = E[X_0]/N the fluid peak is never after the end t* of the phase."),
    stated("eb.prop-3.3.fluid-peak.above", "Section 3.3", "", (141, 141), "inequality",
           "And(N*x0 <= N/p0*exp(p0*x0 - 1), Implies(p0*x0 != 1, N*x0 < N/p0*exp(p0*x0 - 1)))",
           ("0 < p0 <= 1", "N > 0", "x0 >= 0"), sources={"x0 >= 0": STARTED["x0 >= 0"]},
           note="E[X_0] never exceeds the fluid peak: N*_static ignores a growth that is proportional to N."),
    stated("eb.prop-3.3.generating", "Proposition 3.3", "", (143, 147), "identity",
           "SequenceLimit(Sum(p0*y**g, (g, 0, n)), n, p0/(1 - y))",
           ("0 < p0 <= 1", "0 < y < 1"), sources={"0 < y < 1": "y = (1 - p0) z, any z at which the series converges"},
           note="E[z^G] of the tokens G = O - 1, Pr(G = g) = p0 (1 - p0)^g."),
    stated("eb.prop-3.3.rate", "Proposition 3.3", "", (143, 147), "inequality",
           "log(p0/(1 - (1 - p0)*z)) - r*log(z) >= -rate(r)", (*ABOVE, "z > 0", "(1 - p0)*z < 1"), (RATE,),
           sources={**TOKENS, "z > 0": "any z in Chernoff's bound", "(1 - p0)*z < 1": "any z in Chernoff's bound"},
           note="Chernoff: Pr(G_1 + ... + G_N >= N r) <= (z^{-r} E[z^G])^N for every z >= 1; no z does better than "
                "exp(-N I(r)), I(r) = r ln(r/((1 - p0)(1 + r))) - ln(p0 (1 + r))."),
    stated("eb.prop-3.3.rate.attained", "Proposition 3.3", "", (143, 147), "identity",
           "And(z > 1, (1 - p0)*z < 1, log(p0/(1 - (1 - p0)*z)) - r*log(z) == -rate(r))", ABOVE,
           (RATE, "z = r/((1 - p0)*(1 + r))"), sources=TOKENS, note="It is attained."),
    stated("eb.prop-3.3.rate.positive", "Proposition 3.3", "", (143, 147), "inequality", "rate(r) > 0", ABOVE, (RATE,),
           sources=TOKENS, note="So the tail falls exponentially in N at every r above the mean."),
    stated("eb.prop-3.3.safe", "Proposition 3.3", "", (143, 147), "inequality", "M*exp(-N*rate(r)) <= eps",
           (*ABOVE, "0 < eps < 1", "N > 0", "M > 0", "N*rate(r) >= log(M/eps)"), (RATE,),
           sources={**TOKENS, "M > 0": "E[M], the mean number of iterations in a phase",
                    "N*rate(r) >= log(M/eps)": "the batch size rule: N I((C - N L)/N - 1) >= ln(E[M]/eps)"},
           note="So a batch size with N I((C - N L)/N - 1) >= ln(E[M]/eps) is safe."),
)

CLAIMS: tuple[Claim, ...] = (*CORRECTED, *BEYOND)
