"""Section 3.2.1, base threshold under CFR, with Proposition 3.1."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .wording import COSTS, CYCLE, CYCLE2, FLUID, POSITIVE, PSI, SLOTS, ZETA, claim

TD = "Td = Integral(alpha_d + beta_d*N*exp(-p0*t), (t, 0, -log(1 - k/N)/p0))"
BETA_EB = "beta_EB = (beta_p*mu_L + beta_d*mu_O)/(mu_L + mu_O)"
TP_PRINTED = "TP(k, N) = 1/((alpha_p - alpha_d*mu_O*log(1 - k/N))/k + beta_EB*(mu_L + mu_O))"
MU_O = "mu_O = 1/p0"
EDGE = ("Fails only at k = N, which (1) admits: theta = 1, ln(1 - theta) is undefined, the fluid batch never empties "
        "(the exact expected duration is finite). ")
SECOND = ("alpha_p2 > 0", "alpha_d2 > 0", "beta_d2 >= 0", "beta_p2 >= 0", "mu_L2 > 0", "N2 > 0")
FIRST_ORDER = "T(theta) == theta*diff(T(theta), theta)"
FIRST_ORDER2 = "T2(phi) == phi*diff(T2(phi), phi)"
SAME_TUPLE = ("alpha_p2 == alpha_p", "alpha_d2 == alpha_d", "q0 == p0")
SAME = {c: "(alpha_p, alpha_d, p0) are the same in both systems" for c in SAME_TUPLE}
SECOND_OPTIMUM = {FIRST_ORDER2: "(14), l. 615, of a second system"}
GEOMETRIC = "a constant hazard rate h(t) = p0 (i.e., geometric output lengths), implying mu_O = 1/p0"
# each number k of idle slots at which TP_EB(k, N) is defined is no better than kstar(N)
ARGMAX = ("ForAll(N, And(floor(N) == N, N >= 2), And(1 <= kstar(N), kstar(N) < N, floor(kstar(N)) == kstar(N), "
          "ForAll(k, And(floor(k) == k, 1 <= k, k < N), TP(k, N) <= TP(kstar(N), N))))")
ARGMAX_SOURCE = ("Sec. 3.2.1, l. 107: k* = argmax_k TP_EB(k, N), over the k in {1, ..., N} at which TP_EB is defined "
                 "(not k = N); there are such k from N = 2 on")

PROPOSITION = ("the limiting optimal normalized threshold theta0 := lim theta* = lim k*/N is the unique solution to "
               "theta0 (1 - theta0)^{-1} + ln(1 - theta0) = p0 alpha_p alpha_d^{-1}, (3)")

CLAIMS: tuple[Claim, ...] = (
    claim("eb.sec-3.2.1.geometric", "Section 3.2.1", GEOMETRIC, (99, 99), "distributional",
          "Sum(S(t), (t, 0, oo)) == 1/p0",
          ("0 < p0 <= 1", "S in functions", "S(0) == 1",
           "ForAll(i, And(floor(i) == i, i >= 0), S(i) - S(i + 1) == p0*S(i))"),
          sources={"S in functions": "S(t) = Pr(O > t), the survival function of the output length (Sec. 3.2, l. 93)",
                   "S(0) == 1": "Sec. 3.1, l. 73: a request completes by generating a token, so O >= 1",
                   "ForAll(i, And(floor(i) == i, i >= 0), S(i) - S(i + 1) == p0*S(i))":
                       "Sec. 3.2.1, l. 99: the hazard rate is the constant p0, Pr(O = i + 1) = p0 Pr(O >= i + 1); at "
                       "risk are those still active, as Sec. 3.4's estimator has it"},
          note="The mean of a positive integer variable as the sum of Pr(O > t) over t = 0, 1, ... With the survival "
               "function Pr(O > t) in the denominator, as h = f/Fbar is often meant, a lattice law of hazard p0 has "
               "mean 1 + 1/p0; the paper's own estimator (Section 3.4) has O >= t there."),
    claim("eb.sec-3.2.1.Td", "Section 3.2.1", "E[T_d(k; N)] = [beta_d N theta - alpha_d ln(1 - theta)] p0^{-1}, where "
          "theta = k/N", (99, 103), "identity",
          "Td == (beta_d*N*theta - alpha_d*log(1 - theta))/p0",
          ("0 < p0 <= 1", "alpha_d > 0", "beta_d >= 0", *SLOTS), (TD, "theta = k/N"),
          corrected_by="eb.sec-3.2.1.Td.corrected", severity="edge",
          note=EDGE + "Raw line 101: [beta_d N theta - alpha_d ln(1 - theta)] p0^{-1}; line 82: k in {1, ..., N}. "
               "Independent use: App. B.2, l. 558, restates it."),
    claim("eb.sec-3.2.1.TP-EB", "Section 3.2.1", "TP_EB(k, N) = [(alpha_p - alpha_d mu_O ln(1 - theta))/k + beta_EB^w "
          "(mu_L + mu_O)]^{-1}", (103, 107), "identity",
          "k/(Td + alpha_p + beta_p*k*mu_L) == TP(k, N)", (*COSTS, *SLOTS), (MU_O, BETA_EB, TD, TP_PRINTED),
          corrected_by="eb.sec-3.2.1.TP-EB.corrected", severity="edge",
          note=EDGE + "Raw line 105: [(alpha_p - alpha_d mu_O ln(1 - theta))/k + beta_EB^w (mu_L + mu_O)]^{-1}. "
               "Independent use: (4), l. 121, at k0*."),
    claim("eb.prop-3.1", "Proposition 3.1, (3)", PROPOSITION, (109, 115), "theorem",
          "And(ExistsUnique(theta, And(0 <= theta, theta <= 1), Psi(theta) == p0*alpha_p/alpha_d), "
          "Implies(And(0 <= theta0, theta0 <= 1, Psi(theta0) == p0*alpha_p/alpha_d), "
          "SequenceLimit(kstar(N)/N, N, theta0)))",
          (*COSTS, "kstar in functions", ARGMAX), (PSI, MU_O, BETA_EB, TP_PRINTED),
          sources={"kstar in functions": "Sec. 3.2.1, l. 107: k* for each N", ARGMAX: ARGMAX_SOURCE},
          note="The fluid approximation of the decode phase duration is in TP_EB (Section 3.2.1). N = 1, where no k "
               "has a defined TP_EB, does not touch the limit."),
    claim("eb.eq-3", "Proposition 3.1, (3)", "the unique solution to theta0 (1 - theta0)^{-1} + ln(1 - theta0) = p0 "
          "alpha_p alpha_d^{-1}", (111, 113), "existence/uniqueness",
          "ExistsUnique(theta, And(0 <= theta, theta <= 1), theta*(1 - theta)**(-1) + log(1 - theta) "
          "== p0*alpha_p*alpha_d**(-1))", POSITIVE,
          note="theta0 is a limit of k*/N with k* in {1, ..., N}, so it lies in [0, 1]. Over all the reals below 1 "
               "there is a second, negative solution: eb.eq-3.second-root."),
    claim("eb.prop-3.1.ratio", "Proposition 3.1", "which depends only on the single ratio p0 alpha_p/alpha_d",
          (115, 115), "identity", "theta == phi",
          (*POSITIVE, "alpha_p2 > 0", "alpha_d2 > 0", "0 < q0 <= 1", "0 < theta < 1", "0 < phi < 1",
           "Psi(theta) == p0*alpha_p/alpha_d", "Psi(phi) == q0*alpha_p2/alpha_d2",
           "p0*alpha_p/alpha_d == q0*alpha_p2/alpha_d2"), (PSI,),
          sources={"Psi(theta) == p0*alpha_p/alpha_d": "(3), l. 113",
                   "Psi(phi) == q0*alpha_p2/alpha_d2": "(3), l. 113, of a second system",
                   "p0*alpha_p/alpha_d == q0*alpha_p2/alpha_d2": "both systems have one ratio"}),
    claim("eb.prop-3.1.independent", "Proposition 3.1", "In particular, it is independent of N, mu_L, and the "
          "per-token costs beta_p, beta_d", (115, 115), "identity", "theta == phi",
          (*FLUID, "0 < q0 <= 1", "0 < phi < 1", *SECOND, *SAME_TUPLE, FIRST_ORDER, FIRST_ORDER2),
          (ZETA, CYCLE, CYCLE2), sources={**SAME, **SECOND_OPTIMUM},
          note="Two systems with the same (alpha_p, alpha_d, p0), all else different; each threshold solves its own "
               "system's optimality condition (14), so that (3) is not taken for granted."),
    claim("eb.prop-3.1.zeta", "Proposition 3.1", "We define zeta := -ln(1 - theta0) > 0", (115, 115), "inequality",
          "-log(1 - theta0) > 0", (*POSITIVE, "0 <= theta0 <= 1", "Psi(theta0) == p0*alpha_p/alpha_d"), (PSI,)),
    Claim("eb.sec-3.2.1.accurate", "Section 3.2.1", "theta* can be accurately approximated by theta0 in the "
          "large-batch regime", (117, 117), "expansion", verdict="imprecise",
          readings=("eb.sec-3.2.1.accurate.rounding", "eb.sec-3.2.1.accurate.limit"),
          note="'Accurately' has no figure. Strong reading: k*/N is within 1/N of theta0 for every N >= 2. Weak "
               "reading: the difference vanishes (Proposition 3.1). Both in the fluid model, as in the proposition."),
    claim("eb.sec-3.2.1.accurate.rounding", "Section 3.2.1", "theta* can be accurately approximated by theta0",
          (117, 117), "inequality", "Abs(k/N - theta0) < 1/N",
          (*COSTS, "N in naturals", "k in naturals", "1 <= k", "k < N", "0 < theta0 < 1",
           "Psi(theta0) == p0*alpha_p/alpha_d",
           "ForAll(j, And(floor(j) == j, 1 <= j, j < N), TP(j, N) <= TP(k, N))"), (PSI, MU_O, BETA_EB, TP_PRINTED),
          sources={"1 <= k": "(1), l. 82", "k < N": "where TP_EB is defined",
                   "ForAll(j, And(floor(j) == j, 1 <= j, j < N), TP(j, N) <= TP(k, N))": ARGMAX_SOURCE}),
    claim("eb.sec-3.2.1.accurate.limit", "Section 3.2.1", "theta* can be accurately approximated by theta0",
          (117, 117), "limit", "SequenceLimit(kstar(N)/N - theta0, N, 0)",
          (*COSTS, "0 < theta0 < 1", "Psi(theta0) == p0*alpha_p/alpha_d", "kstar in functions", ARGMAX),
          (PSI, MU_O, BETA_EB, TP_PRINTED),
          sources={"kstar in functions": "Sec. 3.2.1, l. 107: k* for each N", ARGMAX: ARGMAX_SOURCE}),
    claim("eb.sec-3.2.1.tuple", "Section 3.2.1", "it is computed once from the easily measured tuple (alpha_p, "
          "alpha_d, p0)", (117, 117), "identity",
          "ExistsUnique(theta, And(0 < theta, theta < 1), theta/(1 - theta) + log(1 - theta) == p0*alpha_p/alpha_d)",
          POSITIVE, note="The tuple determines one threshold."),
    claim("eb.eq-4", "Section 3.2.1, (4)", "The optimal throughput for the first-step problem is then given by: "
          "TP_EB(k0*, N) = [(alpha_p + alpha_d zeta mu_O)/k0* + beta_EB^w (mu_L + mu_O)]^{-1}", (119, 121), "identity",
          "TP(k0, N) == 1/((alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O))",
          (*COSTS, "N in naturals", "N >= 1", "0 < theta0 < 1", "Psi(theta0) == p0*alpha_p/alpha_d"),
          (PSI, MU_O, BETA_EB, TP_PRINTED, "k0 = floor(theta0*N)", "zeta = -log(1 - theta0)"),
          corrected_by="eb.eq-4.corrected", severity="substantive",
          hint={"point": {"N": "64", "p0": "1/100", "alpha_p": "1", "alpha_d": "1", "beta_d": "1/20", "beta_p": "0",
                          "mu_L": "100"}},
          note="At N = 64, p0 = 1/100, alpha_p = alpha_d = 1, beta_d = 1/20, beta_p = 0 the printed value is 0.8 "
               "percent below TP_EB(k0*, N), which has theta = k0*/N (l. 103) and not theta0. (4) is exact only where "
               "theta0 N is an integer, and understates the throughput elsewhere (eb.eq-4.lower-bound); at theta0 N < "
               "1 it divides by k0* = 0. Raw line 121: [(alpha_p + alpha_d zeta mu_O)/k0* + beta_EB^w (mu_L + "
               "mu_O)]^{-1} with zeta = -ln(1 - theta0), l. 115. Independent use: (7), l. 180, takes the same "
               "bracket. With k0* = theta0 N, as l. 182 substitutes, (4) is exact (eb.eq-4.unrounded)."),
)
