"""Section 3.3, memory-constrained batch sizing, with Proposition 3.3, and Appendices D.5 and D.6."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import gate
from . import memory_processes as processes
from .memory_wording import EXPECTED, MEAN, SAFE, SIZES, STATIC, VBAR, W, stated

SAWTOOTH = ("Memory evolves dynamically during decode, increasing as tokens are generated and dropping abruptly upon "
            "request completion, creating a sawtooth pattern whose peak determines feasibility")
PROPOSITION = ("Under the CFR model with threshold theta0 (i.e., k = floor(theta0 N)), the maximum batch size "
               "satisfying Pr(X_max(k, N) > C) <= eps is N* = floor((C - ln(1/eps)/(p0^2 mu_L))/(mu_L + ((1 - "
               "theta0)/(theta0 "
               "p0)) ln(1/(1 - theta0)))). (6)")
CONSERVATIVE = "The solution (6) also serves as a conservative bound for IFR scenarios"
PREDICTABLE = "IFR workloads yield lower peak memory due to more predictable completion patterns"
ORDER = "These satisfy N* <= N*_expected <= N*_static"
GAP = "The gap depends on vbar ln(1/eps), which is typically small relative to C for practical workloads"
GUARANTEE = ("The design-time bound N* above guarantees expected-value memory safety: with N <= N*, the supremum of "
             "the memory process exceeds the KV capacity with probability at most eps under the model assumptions")
DEVIATE = ("Under high output-length variance (sigma_O large), the realized peak can transiently deviate from E[sup "
           "Y_t] beyond the eps-tolerance, especially for MoE models")
CLIP = "The threshold f_KV scales with the expected per-batch decode KV usage and is clipped into [0.05, 0.6]"
OSCILLATION = ("This prevents the DECODE <-> REFILL_PREFILL oscillation triggered when phase 2 ratio-eligibility "
               "coincides with insufficient KV for prefill block allocation")
ORTHOGONAL = ("The gate is orthogonal to N*: N* bounds the static batch parameter, while the gate adds a runtime "
              "feasibility check at the moment of switching")
REDUCES = ("Empirically (Table 2, H200 block), this reduces the EB(khat*) vs. v1 gap on Qwen3-30B-A3B ShareGPT from "
           "-12.0% to -2.5% and on NuminaMath from -11.4% to -8.2%")

F_KV = "f(i) = Min(6/10, Max(5/100, i*mu_O*s_KV/(b*total) + f0))"
BLOCKS = ("b > 0", "total > 0", "mu_O > 0", "s_KV > 0", "f0 >= 0", "N > 0")
GATE = {"b > 0": "(23), l. 1072: b is the block size", "total > 0": "(23), l. 1070: the number of blocks",
        "mu_O > 0": "Sec. 3.1, l. 77: the mean output length", "s_KV > 0": "(23), l. 1072: a safety multiplier",
        "f0 >= 0": "(23), l. 1072: a base reserve (default 0)"}
TABLE_10 = ("mu_L == 1", "1/384 <= p0 <= 1/64", "64 <= N <= 512", "C == N*m + vbar*log(1/eps)")
POINTS = {"mu_L == 1": "App. E.2.1, l. 1129: mu_L = 1",
          "1/384 <= p0 <= 1/64": "App. E.2.1, l. 1129: mu_O from 64 to 384",
          "64 <= N <= 512": "App. E.2.1, l. 1129: N in {64, ..., 512}",
          "C == N*m + vbar*log(1/eps)": "(6): the least capacity at which it admits the N of the experiment"}

BATCH = (
    Claim("eb.sec-3.3.sawtooth", "Section 3.3", SAWTOOTH, (141, 141), "algorithm",
          run=processes.sawtooth_run, says=processes.SAWTOOTH),
    Claim("eb.prop-3.3", "Proposition 3.3, (6)", PROPOSITION, (143, 147), "theorem", run=processes.batch_size_run,
          corrected_by="eb.prop-3.3.corrected", severity="substantive",
          note="With LongBench's means, k = 1, eps = 1/100 and C = 40,043, where (6) gives N = 16, a decode phase "
               "outgrows C with probability 0.363; with mu_L = 1, mu_O = 64 and C = 19,871 it gives 16 where 17 "
               "fails with probability below 10^-30. The second meets the mu_L << 1/p0 that the proof asks for (l. "
               "1014) and the proposition does not; LongBench, on which the paper uses (6), is far from it. X_max is "
               "taken over one decode phase in steady state (over an unbounded execution with geometric outputs "
               "every capacity is outgrown with probability 1) and at the ends of iterations, as Appendix D's "
               "increments are; during iterations it is larger. Raw line 147: the numerator C - ln(1/eps)/(p_0^2 "
               "mu_L), the denominator mu_L + ((1 - theta_0)/(theta_0 p_0)) ln(1/(1 - theta_0)). Independent use: "
               "App. D.5, l. 1060, with 'OOM probability <= eps'. What goes wrong: X_0 is replaced by its mean, "
               "whose deviation grows as sqrt(N) while the reserve does not grow (eb.app-D.4.requirement); the "
               "reserve falls with mu_L (eb.app-D.4.n-equals-N); and it is far too large at small mu_L. By "
               "simulation, eps = 1/100, prompts all of length mu_L, at the capacity where (6) gives N = 256, during "
               "iterations: ShareGPT's means (105, 280) at theta0 = 0.1 26 percent, LongBench's at 0.35 73 percent; "
               "at mu_L = 1, mu_O = 384 the reserve is 679,060 tokens for a memory of 86,272 (table eb-memory)."),
    stated("eb.eq-6", "Proposition 3.3, (6)", PROPOSITION, (145, 147), "identity",
           "And(Nstar*m + vbar*log(1/eps) <= C, (Nstar + 1)*m + vbar*log(1/eps) > C)", SIZES,
           (MEAN, VBAR, "Nstar = floor((C - log(1/eps)/(p0**2*mu_L))/m)"),
           note="(6) is the largest integer that meets the constraint at l. 1042, with theta0 for theta; it may be 0 "
                "or negative. At theta = k/N with k = floor(theta0 N) the mean memory is no smaller: "
                "eb.eq-6.rounding."),
    Claim("eb.sec-3.3.conservative", "Section 3.3", CONSERVATIVE, (151, 151), "inequality",
          run=processes.conservative_run, says=processes.CONSERVATIVE,
          corrected_by="eb.sec-3.3.conservative.corrected", severity="substantive",
          note="At h(t) = 1/2 + t/20 up to 1, prompts of 100 tokens, theta0 = 1/2, eps = 1/100 and C = 203 (6) gives "
               "N = 2, with which a phase outgrows C with probability 0.073. With (6) at the hazard rate's intercept "
               "p0, as Section 3.4 has it. Raw line 151: 'The solution (6) also serves as a conservative bound for "
               "IFR scenarios'. Independent use: l. 159. It is unsafe at eta = 0 already (eb.prop-3.3)."),
    Claim("eb.sec-3.3.ifr-peak", "Section 3.3", PREDICTABLE, (151, 151), "inequality", verdict="imprecise",
          readings=("eb.sec-3.3.ifr-peak.every-capacity", "eb.sec-3.3.ifr-peak.rare"),
          note="Lower than what, and in which sense? Against a constant rate with the same mean output. Strong "
               "reading: Pr(X_max > C) is no larger at any C (false). Weak reading: where it is at most 1/4 under the "
               "constant rate (checked on small systems)."),
    Claim("eb.sec-3.3.ifr-peak.every-capacity", "Section 3.3", PREDICTABLE, (151, 151), "inequality",
          run=processes.lower_peak_run, says=processes.LOWER_PEAK, corrected_by="eb.sec-3.3.ifr-peak.rare",
          severity="substantive",
          note="At N = 2, k = 1, C = 2 and no prompts a phase outgrows C with probability 0.580 under h(t) = 1/10 + "
               "9t/20 and 0.524 under the constant rate with the same mean output. Strong reading; the peak counts the "
               "tokens generated before a release ('peak instantaneous memory footprint', l. 79). At the ends of "
               "iterations alone it is so too: at N = k = 2, C = 0, with 0.698 and 0.524 after one iteration. Where C "
               "is large IFR has the lower tail: eb.sec-3.3.ifr-peak.rare. Raw line 151: 'IFR workloads yield lower "
               "peak memory due to more predictable completion patterns'; independent use: the sentence before, by "
               "which (6) is conservative under IFR. Requests that start together then also complete together."),
    Claim("eb.sec-3.3.ifr-peak.rare", "Section 3.3", PREDICTABLE, (151, 151), "algorithm",
          run=processes.rare_peak_run, says=processes.RARE_PEAK, corrects="eb.sec-3.3.ifr-peak.every-capacity"),
)

BOUNDS = (
    stated("eb.app-D.5.order-1", "Appendix D.5", ORDER, (1062, 1062), "inequality", f"{SAFE} <= {EXPECTED}", SIZES,
           (MEAN, VBAR), corrected_by="eb.app-D.5.order-1.corrected", severity="edge",
           note="Fails for risk levels above 1/e, where ln(1/eps) < 1 and the probabilistic reserve is the smaller "
                "one. Raw line 1062: N* <= N*_expected <= N*_static; independent use: (2), l. 83, which puts no bound "
                "on eps."),
    stated("eb.app-D.5.order-2", "Appendix D.5", ORDER, (1062, 1062), "inequality", f"{EXPECTED} <= {STATIC}",
           (*W, "C > 0"), (MEAN, VBAR)),
    Claim("eb.app-D.5.gap", "Appendix D.5", GAP, (1062, 1062), "inequality", verdict="imprecise",
          readings=("eb.app-D.5.gap.difference", "eb.app-D.5.gap.small"),
          note="'Typically small' has no figure. Weak reading: N*_static - N* is vbar ln(1/eps)/m up to rounding "
               "(true). Strong reading: at the paper's own Table 10 the reserve is under a tenth of the capacity "
               "(false: 97 percent)."),
    stated("eb.app-D.5.gap.difference", "Appendix D.5", GAP, (1062, 1062), "inequality",
           f"Abs({STATIC} - {SAFE} - vbar*log(1/eps)/m) < 1", SIZES, (MEAN, VBAR)),
    stated("eb.app-D.5.gap.small", "Appendix D.5", GAP, (1062, 1062), "inequality", "vbar*log(1/eps) <= C/10",
           (*SIZES, "N > 0", *TABLE_10), (MEAN, VBAR), sources=POINTS, corrected_by="eb.app-D.5.gap.small.corrected",
           severity="substantive",
           note="At the paper's own mu_L = 1, mu_O = 64, theta = 0.46, N = 64 (Table 10) and eps = 1/100 the reserve "
                "vbar ln(1/eps) is 18,863 tokens, and the mean memory of the batch 3,027. Strong reading: under a "
                "tenth of the capacity. Raw line 1062: 'The gap depends on vbar ln(1/eps), which is typically small "
                "relative to C for practical workloads'; independent use: (6), l. 147, which takes it off C."),
)

RUNTIME = (
    Claim("eb.app-D.6.guarantee", "Appendix D.6", GUARANTEE, (1066, 1066), "inequality",
          run=processes.guarantee_run, corrected_by="eb.prop-3.3.corrected", severity="substantive",
          note="With LongBench's means (Table 9), prompts of one length, eps = 1/100 and C = 40,043, where (6) gives "
               "N = 16, nobody completes in the walk's first iteration with probability 0.218, and then it rises by "
               "16 where C - E[X_0] is 0.62. Under the model assumptions: the walk of D.3 from E[X_0]. Raw line 1066: "
               "'the supremum of the memory process exceeds the KV capacity with probability at most eps under the "
               "model assumptions'. Independent use: Prop. 3.3, l. 145. In the machine itself: eb.prop-3.3."),
    Claim("eb.app-D.6.deviate", "Appendix D.6", DEVIATE, (1066, 1066), "empirical", verdict="reported",
          note="A qualitative measurement. That the peak exceeds E[X_0] + x_eps more often than eps needs no high "
               "variance and no MoE model: eb.prop-3.3."),
    stated("eb.eq-23.clip", "Appendix D.6, (23)", CLIP, (1072, 1072), "inequality",
           "And(5/100 <= g(u), g(u) <= 6/10, g(u) <= g(w))", ("f0 >= 0", "u >= 0", "u <= w"),
           ("g(x) = Min(6/10, Max(5/100, x + f0))",),
           sources={"f0 >= 0": GATE["f0 >= 0"], "u >= 0": "(23), l. 1070: u = N mu_O s_KV/(b total_blocks), the usage",
                    "u <= w": "a larger usage"}),
    Claim("eb.app-D.6.oscillation", "Appendix D.6", OSCILLATION, (1074, 1074), "algorithm",
          run=gate.oscillation_run, says=gate.PREVENTS,
          corrected_by="eb.app-D.6.oscillation.corrected", severity="substantive",
          note="With LongBench's lengths, the printed defaults, 24,588 blocks of 16 tokens and N = 157, which is N* of "
               "(6) at theta = 0.35, the gate (f_KV = 0.05) lets phase 2 start with 8,417 free blocks where the 54 "
               "prompts need 8,424: the allocation fails, back to phase 1 with the same numbers. The gate would have "
               "let it start with 1,230. What f_KV counts is the decode usage N mu_O; what the refill "
               "needs is blocks for prompts, which (23) does not speak of. Raw line 1070: f_KV = min(0.6, max(0.05, N "
               "mu_O s_KV/(b total_blocks) + f_0)); l. 1072: 'default s_KV = 0.5', 'f_0 a base reserve (default 0)'. "
               "Independent use: l. 1072, 'scales with the expected per-batch decode KV usage'."),
    Claim("eb.app-D.6.orthogonal", "Appendix D.6", ORTHOGONAL, (1074, 1074), "algorithm", verdict="imprecise",
          readings=("eb.app-D.6.orthogonal.delays", "eb.app-D.6.orthogonal.threshold"),
          note="'Orthogonal' is not defined. Weak reading: the gate only delays a switch, and leaves N alone (true). "
               "Strong reading: its threshold does not depend on the batch parameter (false: (23) has N in it)."),
    Claim("eb.app-D.6.orthogonal.delays", "Appendix D.6", ORTHOGONAL, (1074, 1074), "algorithm",
          run=gate.delay_run, says=gate.DELAYS),
    stated("eb.app-D.6.orthogonal.threshold", "Appendix D.6", ORTHOGONAL, (1074, 1074), "inequality", "f(N) == f(N2)",
           (*BLOCKS, "N2 > 0"), (F_KV,), sources={**GATE, "N2 > 0": "another batch size"},
           corrected_by="eb.app-D.6.orthogonal.threshold.corrected", severity="substantive",
           note="The gate's f_KV has N in it, and grows with it between its clips: with mu_O = 280, s_KV = 0.5 and "
                "16,000 blocks of 16 tokens it is 0.14 at N = 256 and 0.28 at N = 512: the reserve that the gate asks "
                "for is another for another N*. Strong reading. Raw line 1070: N mu_O s_KV/(b total_blocks) in f_KV; "
                "independent use: l. 1074: 'The gate is orthogonal to N*'."),
    stated("eb.app-D.6.gap-sharegpt", "Appendix D.6", REDUCES, (1074, 1074), "table value",
           "Exists(e, Abs(e - 47.72) <= 5/1000, Exists(v1, Abs(v1 - 48.96) <= 5/1000, "
           "Abs((e - v1)/v1*100 + 2.5) <= 5/100))",
           note="What other printed numbers determine: the gap with the gate, from the throughputs of Table 2 (l. "
                "255). The gap without it, -12.0%, is a measurement of which nothing else is printed."),
    stated("eb.app-D.6.gap-numina", "Appendix D.6", REDUCES, (1074, 1074), "table value",
           "Exists(e, Abs(e - 1.68) <= 5/1000, Exists(v1, Abs(v1 - 1.83) <= 5/1000, "
           "Abs((e - v1)/v1*100 + 8.2) <= 5/100))",
           note="As for ShareGPT, from l. 258 of Table 2; -11.4% is a measurement of which nothing else is printed."),
)

CLAIMS: tuple[Claim, ...] = (*BATCH, *BOUNDS, *RUNTIME)
