"""Beyond the paper: the base threshold in closed form, and what else its model says."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import processes
from .section_3_1 import BELOW_N_SOURCE, CYCLE_TIME
from .section_3_1 import FLUID_TD as FLUID_TD_AT
from .section_3_2_1 import BETA_EB, MU_O, TP_PRINTED
from .wording import COSTS, CYCLE, FLUID, POSITIVE, PSI, RATE, ZETA, claim

CLOSED = "closed(g) = 1 + 1/LambertW(-exp(-1 - g), -1)"
ROOT = ("0 < theta0 < 1", "Psi(theta0) == p0*alpha_p/alpha_d")

CLAIMS: tuple[Claim, ...] = (
    claim("eb.eq-3.lambert", "(3), closed form", "", (113, 113), "identity",
          "And(Psi(closed(gamma)) == gamma, 0 < closed(gamma), closed(gamma) < 1)", ("gamma > 0",), (PSI, CLOSED),
          note="theta0 = 1 + 1/W_{-1}(-exp(-1 - gamma)) solves (3) and lies in (0, 1)."),
    claim("eb.eq-3.lambert.equal", "(3), closed form", "", (113, 113), "identity",
          "theta0 == closed(p0*alpha_p/alpha_d)", (*POSITIVE, *ROOT), (PSI, CLOSED),
          note="The implicit threshold of (3) is the closed form."),
    claim("eb.eq-3.lambert.zeta", "(3), closed form", "", (113, 115), "identity",
          "-log(1 - theta0) == -LambertW(-exp(-1 - gamma), -1) - 1 - gamma",
          ("gamma > 0", "0 < theta0 < 1", "Psi(theta0) == gamma"), (PSI,),
          sources={"Psi(theta0) == gamma": "(3), l. 113, with gamma = p0 alpha_p/alpha_d"},
          note="zeta in closed form."),
    claim("eb.eq-3.zeta", "(3)", "", (113, 115), "identity", "exp(zeta) - 1 - zeta == gamma",
          ("0 < theta0 < 1", "Psi(theta0) == gamma"), (PSI, "zeta = -log(1 - theta0)"),
          sources={"Psi(theta0) == gamma": "(3), l. 113, with gamma = p0 alpha_p/alpha_d"},
          note="(3) in zeta: e^zeta - 1 - zeta = gamma."),
    claim("eb.eq-3.second-root", "(3)", "", (113, 113), "existence/uniqueness",
          "ExistsUnique(theta, theta < 0, Psi(theta) == gamma)", ("gamma > 0",), (PSI,),
          note="Over the reals below 1, (3) has a second, negative solution: a root finder must start inside (0, 1)."),
    claim("eb.eq-3.increasing", "(3)", "", (113, 113), "inequality", "theta0 < phi",
          ("gamma > 0", "0 < theta0 < 1", "0 < phi < 1", "Psi(theta0) == gamma", "Psi(phi) > gamma"), (PSI,),
          sources={"Psi(theta0) == gamma": "(3), l. 113", "Psi(phi) > gamma": "(3) at a larger ratio"},
          note="The threshold grows with the ratio."),
    claim("eb.eq-3.bounds", "(3)", "", (113, 113), "inequality",
          "And(theta0**2/2 <= gamma, gamma <= theta0**2/(2*(1 - theta0)**2))",
          ("0 < theta0 < 1", "Psi(theta0) == gamma"), (PSI,),
          sources={"Psi(theta0) == gamma": "(3), l. 113"},
          note="So theta0 <= sqrt(2 gamma), with equality in the limit gamma -> 0."),
    claim("eb.sec-3.1.every-threshold", "Section 3.1", "", (87, 87), "limit",
          "SequenceLimit((theta*N/cycle(theta, N))/(theta0*N/cycle(theta0, N)), N, 1)",
          (*COSTS, "beta_d > 0", "0 < theta < 1", *ROOT),
          (PSI, "cycle(x, n) = (beta_d*n*x - alpha_d*log(1 - x))/p0 + alpha_p + beta_p*n*x*mu_L"),
          sources={"beta_d > 0": "a token costs time"},
          note="As N -> infinity every fixed threshold has the same fluid throughput, to first order: asymptotic "
               "optimality in throughput does not single out theta0."),
    claim("eb.lem-B.4.cost", "Lemma B.4", "", (693, 693), "inequality",
          "R(theta) <= 1/(alpha_d/(p0*(1 - theta0)) + beta_d*N/p0 + beta_p*N*mu_L)", (*FLUID, *ROOT),
          (ZETA, CYCLE, RATE, PSI),
          note="The best normalized throughput in closed form: R(theta0) = 1/T'(theta0)."),
    claim("eb.sec-3.1.neighbours", "Section 3.1", "", (87, 87), "inequality",
          "And(Implies(j < floor(theta0*N), TP(j, N) < TP(floor(theta0*N), N)), "
          "Implies(j > floor(theta0*N) + 1, TP(floor(theta0*N) + 1, N) > TP(j, N)))",
          (*COSTS, "N in naturals", "j in naturals", "1 <= j", "j < N", *ROOT, "1 <= theta0*N",
           "floor(theta0*N) + 1 < N"), (PSI, MU_O, BETA_EB, TP_PRINTED),
          sources={"j in naturals": "(1), l. 82: any threshold", "1 <= j": "(1), l. 82", "j < N": BELOW_N_SOURCE,
                   "1 <= theta0*N": "so that floor(theta0 N) is a threshold",
                   "floor(theta0*N) + 1 < N": "and so is its successor"},
          note="The optimum of the fluid model is floor(theta0 N) or the next integer."),
    Claim("eb.cor-B.3.decode.chain", "Corollary B.3, proof, 1", "", (679, 679), "algorithm",
          run=processes.decode_cost_run, says=processes.DECODE_COST,
          note="In the exact chain too, under any threshold, the expected sum of the batch sizes over a phase is the "
               "expected number of completions (overshoot included) divided by p0."),
    claim("eb.eq-1.unit", "(1)", "", (81, 81), "identity", "k/cycle(k/N) == N*((k/N)/cycle(k/N))",
          (*COSTS, "N in naturals", "k in naturals", "1 <= k <= N", "k < N"), (FLUID_TD_AT, CYCLE_TIME),
          sources={"k < N": "where the fluid duration is defined"},
          note="(1) is N times the normalized throughput R(k/N) of Appendix B.6."),
)
