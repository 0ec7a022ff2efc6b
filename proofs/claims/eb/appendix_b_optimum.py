"""Appendices B.4 to B.9: cycle time, first-order condition, existence, uniqueness, independence, second order."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .section_3_2_1 import FIRST_ORDER, FIRST_ORDER2, SAME, SAME_TUPLE, SECOND, SECOND_OPTIMUM
from .wording import CYCLE, CYCLE2, FLUID, PHI, POSITIVE, PSI, RATE, ZETA, claim, iff

STOP = "exp(-p0*s) == 1 - theta"
DURATION = "Td = Integral(alpha_d + beta_d*N*exp(-p0*t), (t, 0, s))"
UNGROUPED = "alpha_d*zeta(theta)/p0 + beta_d*N*theta/p0 + alpha_p + beta_p*N*mu_L*theta"
SLOPE = "alpha_d/(p0*(1 - theta)) + beta_d*N/p0 + beta_p*N*mu_L"
EXPANDED = "alpha_d*theta/(p0*(1 - theta)) + beta_d*N*theta/p0 + beta_p*N*mu_L*theta"
CANCELLED = "alpha_d*zeta(theta)/p0 + alpha_p == alpha_d*theta/(p0*(1 - theta))"
MULTIPLIED = "zeta(theta) + p0*alpha_p/alpha_d == theta/(1 - theta)"
NO_THETA = FLUID[:-1]  # theta is bound in the goal
MODEL, WITH_PHI = (ZETA, CYCLE, RATE), (ZETA, CYCLE, PHI)
ROOT = ("0 < theta0 < 1", "Psi(theta0) == p0*alpha_p/alpha_d")


PREFILL_AND_CYCLE = (
    claim("eb.app-B.4", "Appendix B.4", "E[T_p] = alpha_p + beta_p (theta N) mu_L = alpha_p + beta_p N mu_L theta",
          (587, 591), "identity",
          "And(alpha_p + beta_p*Sum(mu_L, (i, 1, k)) == alpha_p + beta_p*(theta*N)*mu_L, "
          "alpha_p + beta_p*(theta*N)*mu_L == alpha_p + beta_p*N*mu_L*theta)",
          ("alpha_p > 0", "beta_p >= 0", "mu_L > 0", "N in naturals", "k in naturals", "1 <= k <= N", "k == theta*N"),
          sources={"k == theta*N": "App. B.4, l. 587: the k = theta N completed requests"},
          note="The expectation of T_p(k) = alpha_p + beta_p sum L_i (Section 3.1) is taken by linearity: E[L_i] = "
               "mu_L."),
    claim("eb.app-B.5.sum", "Appendix B.5", "T(theta) = E[T_d] + E[T_p] = alpha_d zeta/p0 + beta_d N theta/p0 + "
                                            "alpha_p "
          "+ beta_p N mu_L theta", (595, 597), "identity",
          f"Td + (alpha_p + beta_p*N*mu_L*theta) == {UNGROUPED}", (*FLUID, STOP), (ZETA, DURATION)),
    claim("eb.app-B.5.grouped", "Appendix B.5", "Grouping terms: T(theta) = alpha_d zeta(theta)/p0 + alpha_p + (beta_d "
          "N/p0 + beta_p N mu_L) theta", (599, 601), "identity", f"{UNGROUPED} == T(theta)", FLUID, (ZETA, CYCLE)),
)

OPTIMALITY = (
    claim("eb.app-B.6.dR", "Appendix B.6", "dR/dtheta = (T(theta) - theta T'(theta))/T(theta)^2 = 0", (609, 611),
          "identity", "diff(R(theta), theta) == (T(theta) - theta*diff(T(theta), theta))/T(theta)**2", FLUID, MODEL,
          note="'= 0' is the condition that is set (eb.eq-14), not part of the identity."),
    claim("eb.eq-14", "Appendix B.6, (14)", "This yields the first-order optimality condition: T(theta) = theta "
          "T'(theta)", (613, 615), "identity",
          iff("diff(R(theta), theta) == 0", FIRST_ORDER), FLUID, MODEL),
    claim("eb.app-B.6.zeta-prime", "Appendix B.6", "Since zeta(theta) = -ln(1 - theta), we have zeta'(theta) = 1/(1 - "
          "theta)", (617, 617), "identity", "diff(zeta(theta), theta) == 1/(1 - theta)", ("0 < theta < 1",), (ZETA,)),
    claim("eb.app-B.6.T-prime", "Appendix B.6", "T'(theta) = alpha_d/(p0 (1 - theta)) + beta_d N/p0 + beta_p N mu_L",
          (619, 619), "identity", f"diff(T(theta), theta) == {SLOPE}", FLUID, (ZETA, CYCLE)),
    claim("eb.app-B.6.substituted", "Appendix B.6", "Substituting into (14): alpha_d zeta/p0 + beta_d N theta/p0 + "
          "alpha_p + beta_p N mu_L theta = theta [alpha_d/(p0 (1 - theta)) + beta_d N/p0 + beta_p N mu_L]", (621, 623),
          "identity", iff(FIRST_ORDER, f"{UNGROUPED} == theta*({SLOPE})"), FLUID, (ZETA, CYCLE)),
    claim("eb.app-B.6.expanded", "Appendix B.6", "Expanding the right-hand side: alpha_d theta/(p0 (1 - theta)) + "
                                                 "beta_d "
          "N theta/p0 + beta_p N mu_L theta", (625, 627), "identity", f"theta*({SLOPE}) == {EXPANDED}", FLUID),
    claim("eb.app-B.6.cancelled", "Appendix B.6", "The terms ... appear on both sides and cancel: alpha_d zeta/p0 + "
                                                  "alpha_p "
          "= alpha_d theta/(p0 (1 - theta))", (629, 631), "identity",
          iff(f"{UNGROUPED} == {EXPANDED}", CANCELLED), FLUID, (ZETA,)),
    claim("eb.app-B.6.multiplied", "Appendix B.6", "Multiplying both sides by p0/alpha_d: zeta + p0 alpha_p/alpha_d = "
          "theta/(1 - theta)", (633, 635), "identity", iff(CANCELLED, MULTIPLIED),
          (*POSITIVE, "0 < theta < 1"), (ZETA,)),
    claim("eb.eq-15", "Appendix B.6, (15)", "theta0/(1 - theta0) + ln(1 - theta0) = p0 alpha_p/alpha_d", (637, 639),
          "identity", iff(FIRST_ORDER, "Psi(theta) == p0*alpha_p/alpha_d"), FLUID, (ZETA, CYCLE, PSI)),
)

UNIQUENESS = (
    claim("eb.lem-B.2", "Lemma B.2", "Equation (15) has a unique solution theta0 in (0, 1) for any gamma = p0 "
          "alpha_p/alpha_d > 0", (645, 645), "existence/uniqueness",
          "ExistsUnique(theta, And(0 < theta, theta < 1), Psi(theta) == p0*alpha_p/alpha_d)",
          ("p0*alpha_p/alpha_d > 0",), (PSI,)),
    claim("eb.lem-B.2.derivative-1", "Lemma B.2, proof, Step 1", "Psi'(theta) = ((1 - theta) - theta (-1))/(1 - "
          "theta)^2 - 1/(1 - theta) = 1/(1 - theta)^2 - 1/(1 - theta)", (651, 653), "identity",
          "And(diff(Psi(theta), theta) == ((1 - theta) - theta*(-1))/(1 - theta)**2 - 1/(1 - theta), "
          "((1 - theta) - theta*(-1))/(1 - theta)**2 - 1/(1 - theta) == 1/(1 - theta)**2 - 1/(1 - theta))",
          ("0 < theta < 1",), (PSI,)),
    claim("eb.lem-B.2.derivative-2", "Lemma B.2, proof, Step 1", "Psi'(theta) = (1 - (1 - theta))/(1 - theta)^2 = "
          "theta/(1 - theta)^2", (653, 653), "identity",
          "And(diff(Psi(theta), theta) == (1 - (1 - theta))/(1 - theta)**2, "
          "(1 - (1 - theta))/(1 - theta)**2 == theta/(1 - theta)**2)", ("0 < theta < 1",), (PSI,)),
    claim("eb.lem-B.2.monotone", "Lemma B.2, proof, Step 1", "we have Psi'(theta) > 0, so Psi is strictly increasing",
          (655, 655), "inequality",
          "And(ForAll(theta, 0 < theta < 1, diff(Psi(theta), theta) > 0), "
          "StrictlyIncreasing(Psi(x), x, And(0 < x, x < 1)))", (), (PSI,)),
    claim("eb.lem-B.2.at-0", "Lemma B.2, proof, Step 2", "lim_{theta->0+} Psi(theta) = 0", (659, 659), "limit",
          'Eq(limit(Psi(theta), theta, 0, "+"), 0)', (), (PSI,)),
    claim("eb.lem-B.2.at-1", "Lemma B.2, proof, Step 2", "the first term dominates (it grows like 1/(1 - theta) while "
          "the second decreases like ln(1 - theta)), so lim_{theta->1-} Psi(theta) = +infinity", (661, 661), "limit",
          'And(Eq(limit(Psi(theta), theta, 1, "-"), oo), Eq(limit(x/(1 - x)/(1/(1 - x)), x, 1, "-"), 1), '
          'Eq(limit(log(1 - y)/(y/(1 - y)), y, 1, "-"), 0))', (), (PSI,)),
    claim("eb.lem-B.2.exists", "Lemma B.2, proof, Step 3", "for any gamma > 0, there exists a unique theta0 in (0, 1) "
          "such that Psi(theta0) = gamma", (663, 663), "existence/uniqueness",
          "ExistsUnique(theta, And(0 < theta, theta < 1), Psi(theta) == gamma)", ("gamma > 0",), (PSI,)),
)

INDEPENDENCE = (
    claim("eb.cor-B.3", "Corollary B.3", "The optimal threshold theta0 depends only on the ratio p0 alpha_p/alpha_d "
          "and is independent of beta_d, beta_p, N, and mu_L", (669, 673), "identity", "theta == phi",
          (*FLUID, "0 < q0 <= 1", "0 < phi < 1", *SECOND, "p0*alpha_p/alpha_d == q0*alpha_p2/alpha_d2", FIRST_ORDER,
           FIRST_ORDER2), (ZETA, CYCLE, CYCLE2),
          sources={**SECOND_OPTIMUM, "p0*alpha_p/alpha_d == q0*alpha_p2/alpha_d2": "both systems have one ratio"},
          note="Two systems that share nothing but the ratio; each threshold solves its own condition (14)."),
    claim("eb.cor-B.3.decode", "Corollary B.3, proof, 1", "The per-token decode cost beta_d N theta/p0 depends on the "
          "number of requests that complete, which equals theta N regardless of when they complete", (679, 679),
          "identity",
          "Integral(beta_d*(N*exp(-p0*t)), (t, a, b)) == beta_d/p0*(N*exp(-p0*a) - N*exp(-p0*b))",
          ("0 < p0 <= 1", "beta_d >= 0", "N > 0", "0 <= a <= b"),
          sources={"0 <= a <= b": "any stretch of a decode phase: 'regardless of when they complete'"},
          note="The cost of any stretch of the phase is beta_d/p0 times the completions in it. In the exact chain the "
               "expected cost is beta_d/p0 times the expected completions, overshoot included: "
               "eb.cor-B.3.decode.chain."),
    claim("eb.cor-B.3.prefill", "Corollary B.3, proof, 2", "The prefill cost beta_p N mu_L theta similarly depends "
                                                           "only "
          "on the total tokens prefilled, not the timing", (683, 683), "identity",
          "beta_p*N*mu_L*theta == beta_p*N2*mu_L2*phi",
          ("beta_p >= 0", "mu_L > 0", "N > 0", "0 < theta < 1", "mu_L2 > 0", "N2 > 0", "0 < phi < 1",
           "(theta*N)*mu_L == (phi*N2)*mu_L2"),
          sources={"(theta*N)*mu_L == (phi*N2)*mu_L2": "both prefills have the same total of tokens"}),
    claim("eb.cor-B.3.timing", "Corollary B.3, proof", "the marginal cost-benefit trade-off at the optimal threshold "
          "depends only on the timing-related parameters (alpha_d, alpha_p, p0)", (685, 685), "identity",
          "T(theta) - theta*diff(T(theta), theta) == T2(theta) - theta*diff(T2(theta), theta)",
          (*FLUID, "0 < q0 <= 1", *SECOND, *SAME_TUPLE), (ZETA, CYCLE, CYCLE2), sources=SAME,
          note="The margin is Phi of Lemma B.4, whose zero is the optimal threshold."),
)

GLOBAL_MAXIMUM = (
    claim("eb.lem-B.4", "Lemma B.4", "The critical point theta0 satisfying (15) is a global maximum of R(theta)",
          (693, 693), "inequality", "ForAll(theta, 0 < theta < 1, R(theta) <= R(theta0))",
          (*NO_THETA, *ROOT), (PSI, *MODEL)),
    claim("eb.lem-B.4.Phi-prime", "Lemma B.4, proof", "Phi'(theta) = T'(theta) - T'(theta) - theta T''(theta) = -theta "
          "T''(theta)", (697, 699), "identity",
          "And(diff(Phi(theta), theta) == diff(T(theta), theta) - diff(T(theta), theta) - theta*diff(T(theta), theta, "
          "2), diff(Phi(theta), theta) == -theta*diff(T(theta), theta, 2))", FLUID, WITH_PHI),
    claim("eb.lem-B.4.T-second", "Lemma B.4, proof", "Since T''(theta) = alpha_d/(p0 (1 - theta)^2) > 0", (701, 701),
          "identity",
          "And(diff(T(theta), theta, 2) == alpha_d/(p0*(1 - theta)**2), alpha_d/(p0*(1 - theta)**2) > 0)", FLUID,
          (ZETA, CYCLE)),
    claim("eb.lem-B.4.decreasing", "Lemma B.4, proof", "we have Phi'(theta) < 0 for theta > 0, so Phi is strictly "
          "decreasing", (701, 701), "inequality",
          "And(ForAll(theta, 0 < theta < 1, diff(Phi(theta), theta) < 0), "
          "StrictlyDecreasing(Phi(x), x, And(0 < x, x < 1)))", NO_THETA, WITH_PHI),
    claim("eb.lem-B.4.at-0", "Lemma B.4, proof", "Phi(0+) = T(0) - 0 = alpha_p > 0", (705, 705), "limit",
          'And(Eq(limit(Phi(theta), theta, 0, "+"), T(0) - 0), T(0) - 0 == alpha_p, alpha_p > 0)', NO_THETA, WITH_PHI),
    claim("eb.lem-B.4.at-1", "Lemma B.4, proof", "Phi(1-) -> -infinity (since T'(theta) -> +infinity as theta -> 1-)",
          (707, 707), "limit",
          'And(Eq(limit(Phi(theta), theta, 1, "-"), -oo), '
          'Eq(limit(At(diff(T(u), u), u, x), x, 1, "-"), oo))', NO_THETA, WITH_PHI),
    claim("eb.lem-B.4.zero", "Lemma B.4, proof", "Thus Phi has a unique zero at theta0, with Phi(theta) > 0 for "
                                                 "theta < "
          "theta0 and Phi(theta) < 0 for theta > theta0", (709, 709), "existence/uniqueness",
          "And(Phi(theta0) == 0, ForAll(theta, 0 < theta < theta0, Phi(theta) > 0), "
          "ForAll(phi, And(theta0 < phi, phi < 1), Phi(phi) < 0))", (*NO_THETA, *ROOT), (PSI, *WITH_PHI)),
    claim("eb.lem-B.4.dR", "Lemma B.4, proof", "Since dR/dtheta = Phi(theta)/T(theta)^2", (709, 709), "identity",
          "diff(R(theta), theta) == Phi(theta)/T(theta)**2", FLUID, (*MODEL, PHI)),
    claim("eb.lem-B.4.unimodal", "Lemma B.4, proof", "this confirms R is increasing for theta < theta0 and decreasing "
          "for theta > theta0, so theta0 is the unique global maximum", (709, 709), "inequality",
          "And(StrictlyIncreasing(R(x), x, And(0 < x, x < theta0)), "
          "StrictlyDecreasing(R(z), z, And(theta0 < z, z < 1)), "
          "ForAll(theta, And(0 < theta, theta < 1, theta != theta0), R(theta) < R(theta0)))",
          (*NO_THETA, *ROOT), (PSI, *MODEL)),
)

CLAIMS: tuple[Claim, ...] = (*PREFILL_AND_CYCLE, *OPTIMALITY, *UNIQUENESS, *INDEPENDENCE, *GLOBAL_MAXIMUM)
