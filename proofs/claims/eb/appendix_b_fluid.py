"""Appendices B.1 to B.3 with Table 8: the stochastic model, its fluid approximation and the error of it."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import processes
from .wording import COSTS, PSI, REGIME, ZETA, claim

TD_AT = "D(x, n) = alpha_d*x + beta_d*n*(1 - exp(-p0*x))/p0"
DISCRETE_TD = "alpha_d*log(1 - theta)/log(1 - p0) + beta_d*N*theta/p0"
FLUID_TD = "alpha_d*(-log(1 - theta))/p0 + beta_d*N*theta/p0"
DISCRETE_CYCLE = "Tq(x) = alpha_d*log(1 - x)/log(1 - p0) + beta_d*N*x/p0 + alpha_p + beta_p*N*mu_L*x"
# the new p0 is a positive number, and the optimality condition (14) along the exact trajectory is (15) with it
ABSORBED = ("And(-log(1 - p0) > 0, "
            "Implies(Tq(theta) == theta*diff(Tq(theta), theta), Psi(theta) == -log(1 - p0)*alpha_p/alpha_d), "
            "Implies(Psi(theta) == -log(1 - p0)*alpha_p/alpha_d, Tq(theta) == theta*diff(Tq(theta), theta)))")
GAP = "gap(x) = -log(1 - x)/x - 1"
THRESHOLDS = "ForAll(y, 0 < y < 1, And(0 < th(y), th(y) < 1, Psi(th(y)) == y*alpha_p/alpha_d))"
SHIFTED = "ForAll(y, 0 < y < 1, And(0 < ph(y), ph(y) < 1, Psi(ph(y)) == -log(1 - y)*alpha_p/alpha_d))"
MEAN_STEP = "ForAll(i, And(floor(i) == i, i >= 0), m(i + 1) == m(i) - p0*m(i))"
DECODE = ("0 < p0 <= 1", "alpha_d > 0", "beta_d >= 0", "N > 0", "0 < theta < 1", "exp(-p0*s) == 1 - theta")
STEPS = ("M in naturals", "M >= 1", "(1 - p0)**M <= 1 - theta", "(1 - p0)**(M - 1) > 1 - theta")
KURTZ = ("for any fixed T > 0: sup_{0<=t<=T} |N_t/N - n(t)| -> 0 in probability as N -> infinity, with n(t) = e^{-p0 "
         "t}")
SOURCE_1 = ("By Kurtz's theorem (Kurtz, 1970), the scaled batch size N_t/N converges uniformly to the ODE solution "
            "n(t) = "
            "e^{-p0 t}, with fluctuations of order O(1/sqrt(N))")
SOURCE_2 = "Both effects ... produce a bounded relative error that does not vanish with N"
BIAS = ("The bias is more pronounced at small theta, because the batch size at the switching point is still large, "
        "leading to larger per-iteration completion variance and thus larger overshoot relative to k")
FEW_PERCENT = ("Since practical LLM serving systems operate at batch sizes N >= 64, this contributes at most a few "
               "percent relative error to the decode time estimate")
ROUNDING = ("The continuous threshold theta N is rounded to k = floor(theta N) in practice. This contributes an O(1/N) "
            "relative error and is negligible for N >= 32")
DOMINATED = "is dominated by the O(1/sqrt(N)) stochastic fluctuation (Source 1)"
IMMATERIAL = "argue that they do not materially affect the optimal threshold"
LAST_ROW = ("Continuous-time fluid limit; e^{-p0 t} vs (1 - p0)^t; O(p0); vanishes as N -> infinity: Yes (as p0 -> "
            "0)")
NOT_THE_ODE = ("At fixed p0, as printed, N_t/N tends to (1 - p0)^t, as the paper itself says at l. 540 ('The exact "
               "discrete trajectory is (1 - p0)^t'), which at p0 = 0.01 lies up to 0.0018 below e^{-p0 t}. The limit "
               "e^{-p0 t} needs p0 -> 0 with p0 t fixed as well. ")

MODEL = (
    claim("eb.app-B.geometric", "Appendix B", "This corresponds to geometric output length distributions, with mean "
          "output length mu_O = 1/p0", (516, 516), "distributional", "Sum(t*(p0*(1 - p0)**(t - 1)), (t, 1, oo)) == "
                                                                     "1/p0",
          ("0 < p0 <= 1",),
          note="The geometric law on 1, 2, ... with success probability p0; at p0 = 1 the term t = 1 is 0^0 = 1."),
    Claim("eb.app-B.1.convergence", "Appendix B.1", KURTZ, (526, 532), "theorem", run=processes.convergence_run,
          corrected_by="eb.app-B.1.convergence.corrected", severity="substantive",
          note=NOT_THE_ODE + "Raw line 532: sup_{0<=t<=T} |Nbar_t^{(N)} - n(t)| ->P 0 as N -> infinity; independent "
                             "use: "
               "Source 1, l. 570. Kurtz's theorem is about continuous-time jump chains; the paper cites it for a chain "
               "in discrete time. The kernel refutes a consequence, for the means: eb.app-B.1.convergence.means."),
    claim("eb.app-B.1.convergence.means", "Appendix B.1", KURTZ, (526, 532), "limit",
          "SequenceLimit(((1 - p0)**t*N)/N, N, exp(-p0*t))", ("0 < p0 <= 1", "t in naturals"),
          sources={"t in naturals": "App. B.1, l. 530: t is the iteration index"},
          corrected_by="eb.app-B.1.convergence.corrected", severity="substantive",
          hint={"point": {"p0": "1/100", "t": "100"}},
          note="The means do not converge to it: E[N_t/N] is (1 - p0)^t (eb.app-B.1.discrete), at p0 = 1/2, t = 1 for "
               "every N 0.5 where e^{-p0 t} is 0.607. N_t/N lies in [0, 1], so convergence in probability would give "
               "that of the means. Raw line 532: sup_{0<=t<=T} |Nbar_t^{(N)} - n(t)| ->P 0 as N -> infinity; "
               "independent use: Source 1, l. 570."),
    Claim("eb.app-B.1.error", "Appendix B.1", "The approximation error is O(1/sqrt(N)), arising from the central limit "
          "theorem for the cumulative martingale differences", (534, 534), "expansion",
          run=processes.convergence_run, corrected_by="eb.app-B.1.error.corrected", severity="substantive",
          note=NOT_THE_ODE + "The error |N_t/N - e^{-p0 t}| does not vanish, so it is not O(1/sqrt(N)). Raw line 534: "
                             "'The approximation error is O(1/sqrt(N))'; independent use: Table 8 lists a further "
                             "error O(p0) for the ODE."),
    claim("eb.app-B.1.solution", "Appendix B.1", "The ODE (12) has solution: n(t) = e^{-p0 t}", (536, 538), "identity",
          "And(diff(exp(-p0*t), t) == -p0*exp(-p0*t), exp(-p0*0) == 1)", ("0 < p0 <= 1", "t >= 0"),
          sources={"t >= 0": "(12), l. 528: n(0) = 1 starts the phase"}),
    claim("eb.app-B.1.discrete", "Appendix B.1", "The exact discrete trajectory is (1 - p0)^t", (540, 540), "identity",
          "m(t) == (1 - p0)**t", ("0 < p0 <= 1", "m in functions", "m(0) == 1", MEAN_STEP, "t in naturals"),
          sources={"m in functions": "m(t) = E[N_t]/N", "m(0) == 1": "App. B.1: N_0 = N",
                   MEAN_STEP: "App. B.1, l. 522: N_{t+1} = N_t - D_t, with D_t of conditional mean p0 N_t (l. 570)",
                   "t in naturals": "App. B.1, l. 530: t is the iteration index"}),
    claim("eb.app-B.1.relative", "Appendix B.1", "the continuous-time fluid limit e^{-p0 t} used here introduces an "
          "additional O(p0) relative error (the gap between -p0 and ln(1 - p0))", (540, 540), "expansion",
          'BigO(exp(-p0*(z/p0))/(1 - p0)**(z/p0) - 1, p0, p0, 0, "+")', ("z > 0",),
          sources={"z > 0": "App. B.2, l. 546: at t* = zeta/p0, where the phase ends"},
          note="At the time t = z/p0 at which a fixed fraction has completed; at a fixed t it is even O(p0^2)."),
    claim("eb.app-B.2.t-star", "Appendix B.2", "e^{-p0 t*} = 1 - theta implies t* = -ln(1 - theta)/p0 = zeta(theta)/p0",
          (544, 548), "identity",
          "And(s == -log(1 - theta)/p0, -log(1 - theta)/p0 == zeta(theta)/p0)",
          ("0 < p0 <= 1", "exp(-p0*s) == 1 - theta"), (ZETA,)),
    claim("eb.eq-13", "Appendix B.2, (13)", "E[T_d] = int_0^{t*} t_d(N n(t)) dt = int_0^{t*} (alpha_d + beta_d N "
                                            "e^{-p0 "
          "t}) dt", (552, 552), "identity",
          "Integral(td(N*n(t)), (t, 0, s)) == Integral(alpha_d + beta_d*N*exp(-p0*t), (t, 0, s))", DECODE,
          ("td(x) = alpha_d + beta_d*x", "n(u) = exp(-p0*u)"),
          note="The first equality is the fluid approximation itself (a definition of E[T_d] in the model)."),
    claim("eb.eq-13.split", "Appendix B.2", "E[T_d] = alpha_d t* + beta_d N int_0^{t*} e^{-p0 t} dt", (554, 556),
          "identity",
          "Integral(alpha_d + beta_d*N*exp(-p0*t), (t, 0, s)) == alpha_d*s + beta_d*N*Integral(exp(-p0*u), (u, 0, s))",
          DECODE),
    claim("eb.eq-13.integrated", "Appendix B.2", "= alpha_d zeta/p0 + beta_d N (1 - e^{-p0 t*})/p0", (557, 557),
          "identity",
          "Integral(alpha_d + beta_d*N*exp(-p0*t), (t, 0, s)) == alpha_d*(zeta(theta)/p0) + beta_d*N*((1 - "
          "exp(-p0*s))/p0)", DECODE, (ZETA,)),
    claim("eb.eq-13.final", "Appendix B.2", "= alpha_d zeta/p0 + beta_d N theta/p0, where the last equality uses 1 - "
          "e^{-p0 t*} = theta", (558, 560), "identity",
          "And(Integral(alpha_d + beta_d*N*exp(-p0*t), (t, 0, s)) == alpha_d*zeta(theta)/p0 + beta_d*N*theta/p0, "
          "1 - exp(-p0*s) == theta)", DECODE, (ZETA,)),
    Claim("eb.rem-B.1", "Remark B.1", "This is the fluid-limit analog of the discrete sum sum_{i=1}^{M} t_d(N_i), "
                                      "where M "
          "is the (random) number of iterations until k completions", (564, 564), "limit", verdict="imprecise",
          readings=("eb.rem-B.1.large-N", "eb.rem-B.1.small-p0"),
          note="'Analog' does not say in which limit. Strong reading: as N -> infinity at fixed p0, where the integral "
               "is claimed to be the limit of the process (B.1): false. Weak reading: as p0 -> 0 at fixed theta."),
    claim("eb.rem-B.1.large-N", "Remark B.1", "the fluid-limit analog of the discrete sum", (564, 564), "identity",
          "alpha_d*M + beta_d*N*Sum((1 - p0)**i, (i, 0, M - 1)) == "
          "Integral(alpha_d + beta_d*N*exp(-p0*t), (t, 0, s))", (*DECODE, *STEPS),
          sources={"M in naturals": "Remark B.1: the number of iterations", "M >= 1": "Remark B.1: i = 1, ..., M",
                   STEPS[2]: "App. B.2: at the end 1 - theta or less is left of the mean trajectory (1 - p0)^t (l. "
                             "540)",
                   STEPS[3]: "and not before"},
          corrected_by="eb.rem-B.1.large-N.corrected", severity="substantive",
          note="At p0 = 1/100 and theta = 1/2 the sum along the mean trajectory, which the process follows as N -> "
               "infinity, has 69 iterations where the integral has 69.31. Raw line 564: 'the fluid-limit analog of "
               "the discrete sum'; independent use: l. 540, 'The exact discrete trajectory is (1 - p0)^t'."),
    claim("eb.rem-B.1.small-p0", "Remark B.1", "the fluid-limit analog of the discrete sum", (564, 564), "limit",
          'And(Eq(limit(p0*ceil(log(1 - theta)/log(1 - p0)), p0, 0, "+"), -log(1 - theta)), '
          'Eq(limit(1 - (1 - q)**ceil(log(1 - theta)/log(1 - q)), q, 0, "+"), theta))', ("0 < theta < 1",),
          note="Times p0, the numbers of iterations and of request-iterations tend to those of (13): zeta and theta."),
)

SOURCE_1_AND_2 = (
    Claim("eb.app-B.3.source-1", "Appendix B.3, Source 1", SOURCE_1, (570, 570), "theorem",
          run=processes.convergence_run, corrected_by="eb.app-B.1.convergence.corrected", severity="substantive",
          note=NOT_THE_ODE + "Raw line 570: 'converges uniformly to the ODE solution n(t) = e^{-p0 t}, with "
                             "fluctuations "
               "of order O(1/sqrt(N))'; independent use: B.1, l. 532."),
    Claim("eb.app-B.3.source-1-size", "Appendix B.3, Source 1", FEW_PERCENT, (570, 570), "expansion",
          verdict="imprecise", readings=("eb.app-B.3.source-1-size.every-k", "eb.app-B.3.source-1-size.half"),
          note="'A few percent' has no figure, and no range of k is given. The fluctuation alone is that of the pure "
               "death process without rounding to iterations, whose mean time to k completions is the sum of 1/((N - "
               "i) p0), against -ln(1 - k/N)/p0. Strong reading: within 5 percent for every k < N (false near k = N). "
               "Weak: within 2 percent up to k = N/2 (true)."),
    claim("eb.app-B.3.source-1-size.every-k", "Appendix B.3, Source 1", FEW_PERCENT, (570, 570), "inequality",
          "Abs(-log(1 - k/N) - Sum(1/(N - i), (i, 0, k - 1))) <= 5/100*Sum(1/(N - i), (i, 0, k - 1))",
          ("N in naturals", "k in naturals", "N >= 64", "1 <= k", "k < N"),
          sources={"N >= 64": "App. B.3, l. 570", "1 <= k": "(1), l. 82", "k < N": "App. B.2: e^{-p0 t*} = 1 - theta "
                                                                                   "> 0"},
          corrected_by="eb.app-B.3.source-1-size.half", severity="edge",
          note="Fails as k comes close to N: at N = 64, k = 63 the error is 11 percent. Raw line 570: 'this "
               "contributes at most a few percent relative error to the decode time estimate'; independent use: Table "
               "8, l. 580, which names no range of k either."),
    claim("eb.app-B.3.source-1-size.half", "Appendix B.3, Source 1", FEW_PERCENT, (570, 570), "inequality",
          "And(H <= -log(1 - k/N), -log(1 - k/N) <= 102/100*H)",
          ("k in naturals", "1 <= k", "m >= 32"), ("N = m + k", "H = Sum(1/(m + j), (j, 1, k))"),
          sources={"1 <= k": "(1), l. 82", "m >= 32": "weak reading: m requests are left, at least 32 at N >= 64 "
                                                      "(App. B.3, l. 570) and thresholds up to 1/2"},
          note="H is the sum of 1/(N - i) over i = 0, ..., k - 1, in the order of the requests left."),
    Claim("eb.app-B.3.source-2-stop", "Appendix B.3, Source 2", "the system can only stop at integer iteration "
                                                                "indices M "
          "= ceil(t*) ... multiple requests may complete within a single iteration, causing the cumulative completion "
          "count to overshoot the threshold k", (572, 572), "algorithm",
          run=processes.stopping_run, says=processes.CEILING,
          corrected_by="eb.app-B.3.source-2-stop.corrected", severity="substantive",
          note="At N = 2, k = 1, p0 = 1/2 the phase ends after one iteration with probability 3/4, and after two with "
               "3/16, where ceil(t*) is 2: M is random. Said of 'the actual discrete system'. Raw line 572: 'the "
               "system can only stop at integer iteration indices M = ceil(t*)'; independent use: Remark B.1, l. 564, "
               "has 'M is the (random) number of iterations'. Even the mean trajectory, which the system follows as N "
               "-> infinity, stops at another integer than ceil(t*): eb.app-B.3.source-2-stop.mean. For the fluid "
               "path the ceiling is right: eb.app-B.3.source-2-stop.fluid."),
    Claim("eb.app-B.3.source-2-stop.mean", "Appendix B.3, Source 2", "integer iteration indices M = "
                                                                     "ceil(t*)", (572, 572),
          "algorithm",
          run=processes.mean_field_stop_run, says=processes.MEAN_CEILING,
          corrected_by="eb.app-B.3.source-2-stop.corrected",
          severity="substantive", note="At p0 = 1/100, theta = 1/2 the mean discrete trajectory (1 - p0)^t of B.1, l. "
                                       "540, first reaches 1 - theta at t = 69, where ceil(t*) is 70. Raw line 572: "
                                       "'integer iteration indices M = ceil(t*)'; independent use: Remark B.1, l. "
                                       "564, 'M is the (random) number of iterations'."),
    claim("eb.app-B.3.source-2-stop.fluid", "Appendix B.3, Source 2", "integer iteration indices M = ceil(t*)",
          (572, 572), "inequality", "And(exp(-p0*ceil(s)) <= 1 - theta, exp(-p0*(ceil(s) - 1)) > 1 - theta)",
          ("0 < p0 <= 1", "0 < theta < 1", "exp(-p0*s) == 1 - theta"),
          note="The first integer at which the fluid path has lost theta is ceil(t*)."),
    Claim("eb.app-B.3.source-2-bounded", "Appendix B.3, Source 2", SOURCE_2, (572, 572), "limit", verdict="imprecise",
          readings=("eb.app-B.3.source-2-bounded.bound", "eb.app-B.3.source-2-bounded.remains"),
          note="Which relative error is not said; read as that of the decode time when the fluid path is stopped at "
               "ceil(t*) instead of t*. Weak reading: bounded over all N (true). Strong: and bounded away from zero "
               "for "
               "every theta (false where t* is an integer)."),
    claim("eb.app-B.3.source-2-bounded.bound", "Appendix B.3, Source 2", SOURCE_2, (572, 572), "inequality",
          "And(0 <= D(ceil(s), N)/D(s, N) - 1, D(ceil(s), N)/D(s, N) - 1 <= 1/s, "
          "Implies(And(theta*N <= i, i <= N), And(0 <= (i - theta*N)/(theta*N), "
          "(i - theta*N)/(theta*N) <= (1 - theta)/theta)))", DECODE, (TD_AT,),
          note="i is the number of idle slots at the end of the phase, at least k = theta N: the overshoot relative "
               "to k. Neither bound has N in it."),
    claim("eb.app-B.3.source-2-bounded.remains", "Appendix B.3, Source 2", SOURCE_2, (572, 572), "limit",
          "Exists(e, e > 0, ForAll(n, n > 0, D(ceil(s), n)/D(s, n) - 1 >= e))",
          ("0 < p0 <= 1", "alpha_d > 0", "beta_d >= 0", "0 < theta < 1", "exp(-p0*s) == 1 - theta"), (TD_AT,),
          corrected_by="eb.app-B.3.source-2-bounded.remains.corrected", severity="edge",
          note="Fails exactly where t* is an integer, theta = 1 - e^{-p0 m}: there stopping at ceil(t*) makes no "
               "error. Raw line 572: 'a bounded relative error that does not vanish with N'; independent use: Table "
               "8, l. 581: 'Bounded ... No'."),
    Claim("eb.app-B.3.source-2-small-theta", "Appendix B.3, Source 2", BIAS, (572, 572), "inequality",
          verdict="imprecise",
          readings=("eb.app-B.3.source-2-small-theta.monotone", "eb.app-B.3.source-2-small-theta.largest",
                    "eb.app-B.3.source-2-small-theta.variance"),
          note="'More pronounced at small theta' is no order relation. Strong reading: the expected overshoot relative "
               "to k falls with every increase of k (false). Weak readings: it is largest at k = 1 (checked), and the "
               "variance of the completions in one iteration falls with theta (true)."),
    Claim("eb.app-B.3.source-2-small-theta.monotone", "Appendix B.3, Source 2", BIAS, (572, 572), "algorithm",
          run=processes.overshoot_monotone_run, says=processes.FALLING_OVERSHOOT,
          corrected_by="eb.app-B.3.source-2-small-theta.largest",
          severity="substantive",
          note="At p0 = 0.01, N = 2048 the overshoot relative to k is at most 0.433 at k = 18 and at least 0.494 at k "
               "= 23: it rises where k passes the 20.5 completions of one iteration. Strong reading, at the paper's "
               "own p0 and N (l. 576, 230). Raw line 572: 'The bias is more pronounced at small theta ... thus larger "
               "overshoot relative to k'; independent use: l. 564, M counts whole iterations."),
    Claim("eb.app-B.3.source-2-small-theta.largest", "Appendix B.3, Source 2", BIAS, (572, 572), "algorithm",
          run=processes.overshoot_largest_at_one_run, says=processes.LARGEST_OVERSHOOT,
          corrects="eb.app-B.3.source-2-small-theta.monotone"),
    claim("eb.app-B.3.source-2-small-theta.variance", "Appendix B.3, Source 2", BIAS, (572, 572), "inequality",
          "N*(1 - theta)*p0*(1 - p0) > N*(1 - phi)*p0*(1 - p0)",
          ("0 < p0 <= 1", "p0 < 1", "N > 0", "0 < theta < 1", "0 < phi < 1", "theta < phi"),
          sources={"p0 < 1": "added: at p0 = 1 all complete at once, without variance",
                   "theta < phi": "small theta against large"},
          note="The variance of Binomial(n, p0) at n = N (1 - theta), where the phase ends."),
)

SOURCE_3_AND_4 = (
    Claim("eb.app-B.3.source-3", "Appendix B.3, Source 3", ROUNDING, (574, 574), "expansion", verdict="imprecise",
          readings=("eb.app-B.3.source-3.order", "eb.app-B.3.source-3.negligible"),
          note="'Negligible' has no figure. Weak reading: the O(1/N) (true). Strong: below 5 percent for every theta "
               "at "
               "N >= 32 (false at small theta, where floor(theta N) may even be 0)."),
    claim("eb.app-B.3.source-3.order", "Appendix B.3, Source 3", ROUNDING, (574, 574), "expansion",
          "BigO((theta*N - floor(theta*N))/(theta*N), 1/N, N, oo)", ("0 < theta < 1",)),
    claim("eb.app-B.3.source-3.negligible", "Appendix B.3, Source 3", ROUNDING, (574, 574), "inequality",
          "(theta*N - floor(theta*N))/(theta*N) <= 5/100", ("0 < theta < 1", "N in naturals", "N >= 32"),
          sources={"N >= 32": "App. B.3, l. 574"}, corrected_by="eb.app-B.3.source-3.negligible.corrected",
          severity="substantive",
          note="At theta = 1/10, N = 32 the error is 0.2/3.2, 6 percent, and where theta N < 1 it is 100 percent. "
               "Strong reading: at most 5 percent for each threshold. Raw line 574: 'This contributes an O(1/N) "
               "relative error and is negligible for N >= 32'; independent use: Table 8, l. 582. The error is up to "
               "1/(theta N), and theta0 is small where gamma is: about 0.13 at gamma = 0.01."),
    claim("eb.app-B.3.source-4-discrete", "Appendix B.3, Source 4", "the exact discrete trajectory is (1 - p0)^t = "
                                                                    "e^{t "
          "ln(1 - p0)}", (576, 576), "identity", "(1 - p0)**t == exp(t*log(1 - p0))", ("0 < p0 <= 1", "t in naturals"),
          sources={"t in naturals": "App. B.1, l. 530: t is the iteration index"},
          corrected_by="eb.app-B.3.source-4-discrete.corrected", severity="edge",
          note="Undefined at p0 = 1 (all requests complete in the first iteration). Raw line 576: (1 - p0)^t = e^{t "
               "ln(1 - p0)}; independent use: l. 540 has (1 - p0)^t alone."),
    claim("eb.app-B.3.source-4-gap", "Appendix B.3, Source 4", "The gap -p0 - ln(1 - p0) = -p0^2/2 + O(p0^3)",
          (576, 576), "expansion", 'BigO(-p0 - log(1 - p0) - (-p0**2/2), p0**3, p0, 0, "+")',
          corrected_by="eb.app-B.3.source-4-gap.corrected", severity="substantive",
          note="The sign is wrong: at p0 = 1/100 -p0 - ln(1 - p0) is +0.0000503, and in general +p0^2/2 + O(p0^3), "
               "positive on (0, 1). Raw line 576: -p_{0}-\\ln(1-p_{0})=-p_{0}^{2}/2+O(p_{0}^{3}). Independent use: l. "
               "540 calls it 'the gap between -p0 and ln(1 - p0)'. Taken the other way, ln(1 - p0) + p0, the gap is "
               "-p0^2/2 + O(p0^3): the printed left side has to change its sign, or the right one. The orders that "
               "follow from it stand."),
    claim("eb.app-B.3.source-4-order", "Appendix B.3, Source 4", "contributes an additional O(p0) relative error to "
          "E[T_d] and to theta0", (576, 576), "expansion",
          f'And(BigO(({FLUID_TD})/({DISCRETE_TD}) - 1, p0, p0, 0, "+"), BigO(ph(x)/th(x) - 1, x, x, 0, "+"))',
          ("alpha_p > 0", "alpha_d > 0", "beta_d >= 0", "N > 0", "0 < theta < 1", "th in functions", "ph in functions",
           THRESHOLDS, SHIFTED), (PSI,),
          sources={"th in functions": "theta0 as a function of p0", "ph in functions": "theta0 with p0 replaced",
                   THRESHOLDS: "(15), l. 639", SHIFTED: "(15) at -ln(1 - p0), l. 576"}),
    Claim("eb.app-B.3.source-4-N", "Appendix B.3, Source 4", "This source is independent of N, "
                                                             "deterministic", (576, 576),
          "identity", verdict="imprecise", readings=("eb.app-B.3.source-4-N.trajectory", "eb.app-B.3.source-4-N.Td"),
          note="Independent in which effect? In the trajectory (true). In the relative error of E[T_d], of which the "
               "sentence before speaks: false, for the cost per token is exact along (1 - p0)^t, so that the error "
               "sits "
               "in the fixed time alone and its share falls with N."),
    claim("eb.app-B.3.source-4-N.trajectory", "Appendix B.3, Source 4", "This source is independent of N", (576, 576),
          "identity", "(N*exp(-p0*t) - N*(1 - p0)**t)/(N*exp(-p0*t)) == (N2*exp(-p0*t) - N2*(1 - "
                      "p0)**t)/(N2*exp(-p0*t))",
          ("0 < p0 <= 1", "t in naturals", "N > 0", "N2 > 0"),
          sources={"t in naturals": "App. B.1, l. 530: t is the iteration index"}),
    claim("eb.app-B.3.source-4-N.Td", "Appendix B.3, Source 4", "This source is independent of "
                                                                "N", (576, 576), "identity",
          f"({FLUID_TD})/({DISCRETE_TD}) == ({FLUID_TD.replace('N', 'N2')})/({DISCRETE_TD.replace('N', 'N2')})",
          ("0 < p0 <= 1", "p0 < 1", "alpha_d > 0", "beta_d >= 0", "N > 0", "N2 > 0", "0 < theta < 1"),
          sources={"p0 < 1": "App. B.3, l. 576: ln(1 - p0)"},
          corrected_by="eb.app-B.3.source-4-N.Td.corrected", severity="substantive",
          note="At p0 = 1/100, theta = 1/2, alpha_d = 1, beta_d = 1/20 the relative error of E[T_d] is 0.15 percent "
               "at N = 64 and 0.007 percent at N = 2048. Raw line 576: 'This source is independent of N, "
               "deterministic', after 'an additional O(p0) relative error to E[T_d]'; independent use: Table 8, l. "
               "583, 'Yes (as p0 -> 0)'."),
    claim("eb.app-B.3.source-4-absorbed", "Appendix B.3, Source 4", "would be absorbed exactly by reparametrizing p0 "
                                                                    "-> "
          "-ln(1 - p0) in (15)", (576, 576), "identity",
          ABSORBED, (*COSTS, "N > 0", "0 < theta < 1"), (PSI, DISCRETE_CYCLE),
          corrected_by="eb.app-B.3.source-4-absorbed.corrected", severity="edge",
          note="Undefined at p0 = 1, where all requests complete in the first iteration; for p0 < 1 it is exact. Of "
               "the cycle time along the exact trajectory (1 - p0)^t, stopped when 1 - theta of it is left: ln(1 - "
               "theta)/ln(1 - p0) iterations, and theta N/p0 request-iterations. Raw line 576: 'reparametrizing p0 -> "
               "-ln(1 - p0) in (15)'; independent use: (15), l. 639."),
    claim("eb.app-B.3.source-4-impact", "Appendix B.3, Source 4", "For our operating regime p0 in [0.003, 0.01], the "
          "numerical impact on theta0 is below 1%", (576, 576), "inequality", "Abs(phi - theta) < 1/100*theta",
          (REGIME, "alpha_p > 0", "alpha_d > 0", "0 < theta < 1", "0 < phi < 1",
           "Psi(theta) == p0*alpha_p/alpha_d", "Psi(phi) == -log(1 - p0)*alpha_p/alpha_d"), (PSI,),
          sources={"Psi(theta) == p0*alpha_p/alpha_d": "(15), l. 639",
                   "Psi(phi) == -log(1 - p0)*alpha_p/alpha_d": "(15) with p0 -> -ln(1 - p0), l. 576"}),
    Claim("eb.app-B.3.source-4-dominated", "Appendix B.3, Source 4", DOMINATED, (576, 576), "inequality",
          verdict="imprecise",
          readings=("eb.app-B.3.source-4-dominated.every-N", "eb.app-B.3.source-4-dominated.in-use"),
          note="O(1/sqrt(N)) names no constant and no range of N. Strong reading: at every N >= 64 the gap is below "
               "1/sqrt(N) (false: the gap does not depend on N). Weak: at the batch sizes of the paper's experiments "
               "(true)."),
    claim("eb.app-B.3.source-4-dominated.every-N", "Appendix B.3, Source 4", DOMINATED, (576, 576), "inequality",
          "gap(p0) <= 1/sqrt(N)", (REGIME, "N in naturals", "N >= 64"), (GAP,),
          sources={"N >= 64": "App. B.3, l. 570"},
          corrected_by="eb.app-B.3.source-4-dominated.every-N.corrected", severity="substantive",
          note="At p0 = 1/100 the gap is 0.0050 at every N, and 1/sqrt(N) is below it from N = 39,469 on; with any "
               "other constant it is from another N on (eb.app-B.3.source-4-dominated.every-N.corrected). Raw line "
               "576: 'is dominated by the O(1/sqrt(N)) stochastic fluctuation (Source 1)'; independent use: Table 8 "
               "itself has the one vanish and the other not depend on N."),
    claim("eb.app-B.3.source-4-dominated.in-use", "Appendix B.3, Source 4", DOMINATED, (576, 576), "inequality",
          "gap(p0) < 1/(4*sqrt(N))", (REGIME, "64 <= N <= 2048"), (GAP,),
          sources={"64 <= N <= 2048": "App. B.3, l. 570 and Sec. 4.3, l. 230: N in {256, ..., 2048}"}),
)

TABLE_8 = (
    claim("eb.table-8.fluctuation", "Table 8", "Stochastic fluctuation; Binomial -> expectation; O(1/sqrt(N)); Yes",
          (580, 580), "limit",
          "And(BigO(sqrt(c*N*p0*(1 - p0))/(c*N*p0), 1/sqrt(N), N, oo), "
          "SequenceLimit(sqrt(c*n*p0*(1 - p0))/(c*n*p0), n, 0))", ("0 < p0 <= 1", "0 < c <= 1"),
          sources={"0 < c <= 1": "App. B.1: N_t = c N requests are still active"},
          note="The standard deviation of D_t ~ Binomial(N_t, p0) relative to its expectation p0 N_t."),
    Claim("eb.table-8.overshoot", "Table 8", "Discretization & overshoot; Discrete stopping; Bounded; No", (581, 581),
          "limit", verdict="imprecise",
          readings=("eb.app-B.3.source-2-bounded.bound", "eb.app-B.3.source-2-bounded.remains"),
          note="The same statement as eb.app-B.3.source-2-bounded."),
    claim("eb.table-8.rounding", "Table 8", "Integer rounding; floor(theta N); O(1/N); Yes", (582, 582), "limit",
          "And(BigO((theta*N - floor(theta*N))/(theta*N), 1/N, N, oo), "
          "SequenceLimit((theta*n - floor(theta*n))/(theta*n), n, 0))", ("0 < theta < 1",)),
    Claim("eb.table-8.fluid", "Table 8", LAST_ROW, (583, 583), "limit", verdict="imprecise",
          readings=("eb.table-8.fluid.fixed-p0", "eb.table-8.fluid.small-p0"),
          note="The column asks whether the error vanishes as N -> infinity, the entry answers for p0 -> 0. Strong "
               "reading: as N -> infinity, as the column has it (false). Weak reading: as p0 -> 0, as the bracket "
               "has it, at whatever N (true)."),
    claim("eb.table-8.fluid.fixed-p0", "Table 8", LAST_ROW, (583, 583), "limit",
          "SequenceLimit((N*exp(-p0*t) - N*(1 - p0)**t)/(N*exp(-p0*t)), N, 0)", ("0 < p0 <= 1", "t in naturals"),
          sources={"t in naturals": "App. B.1, l. 530: t is the iteration index"},
          corrected_by="eb.table-8.fluid.small-p0", severity="substantive",
          hint={"point": {"p0": "1/100", "t": "100"}},
          note="At fixed p0 the relative error, 1 - ((1 - p0) e^{p0})^t, does not change with N: at p0 = 1/100, t = "
               "100 it is 0.5 percent. Raw line 583: 'Yes (as p0 -> 0)' under 'Vanishes as N -> infinity?'. "
               "Independent use: l. 576, 'This source is independent of N'."),
    claim("eb.table-8.fluid.small-p0", "Table 8", LAST_ROW, (583, 583), "limit",
          'Eq(limit((exp(-p0*t) - (1 - p0)**t)/exp(-p0*t), p0, 0, "+"), 0)', ("t in naturals",),
          sources={"t in naturals": "App. B.1, l. 530: t is the iteration index"},
          corrects="eb.table-8.fluid.fixed-p0", note="N cancels: the error vanishes as p0 -> 0 at whatever N."),
    Claim("eb.app-B.3.immaterial", "Appendix B.3", IMMATERIAL, (568, 568), "expansion", verdict="imprecise",
          readings=("eb.app-B.3.immaterial.optimum", "eb.app-B.3.immaterial.completions",
                    "eb.app-B.3.immaterial.throughput"),
          note="'Materially' has no figure. Strong reading: the exact optimum of (1) is floor(theta0 N) or the next "
               "integer (false at the paper's own p0 = 0.01 and N = 64). Weak readings: so it nearly is where the "
               "completions beyond k count too, and floor(theta0 N) loses less than 5 percent of the throughput for "
               "alpha_p >= alpha_d (both checked)."),
    Claim("eb.app-B.3.immaterial.optimum", "Appendix B.3", IMMATERIAL, (568, 568), "algorithm",
          run=processes.immaterial_strong_run, says=processes.NEXT_INTEGER,
          corrected_by="eb.app-B.3.immaterial.completions",
          severity="substantive",
          note="At N = 64, p0 = 1/100, alpha_p = alpha_d = 1, beta_d = 1/20, beta_p = 0 floor(theta0 N) is 8 and the "
               "best threshold of (1) is 14, with 1.1 percent more throughput. (1) as printed counts k completions a "
               "cycle, l. 81, while the phase completes more (Source 2). Raw line 568: 'argue that they do not "
               "materially affect the optimal threshold'. Independent use: line 79 defines the throughput as the "
               "average number of completions per unit time; by that count theta0 N is right: "
               "eb.app-B.3.immaterial.completions."),
    Claim("eb.app-B.3.immaterial.completions", "Appendix B.3", IMMATERIAL, (568, 568), "algorithm",
          run=processes.immaterial_completions_run, says=processes.COMPLETIONS,
          corrects="eb.app-B.3.immaterial.optimum",
          note="By l. 79, throughput is the average number of completions per unit time; a phase completes as many "
               "requests as slots are idle at its end. The costs per token cancel, as in Corollary B.3."),
    Claim("eb.app-B.3.immaterial.throughput", "Appendix B.3", IMMATERIAL, (568, 568), "algorithm",
          run=processes.immaterial_weak_run, says=processes.SMALL_LOSS),
)

CLAIMS: tuple[Claim, ...] = (*MODEL, *SOURCE_1_AND_2, *SOURCE_3_AND_4, *TABLE_8)
