"""Appendices D.1 to D.4: the proof of Proposition 3.3."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import memory_processes as processes
from .memory_wording import INCREMENT_VARIANCE, MEAN, SIZES, VBAR, W, stated

IS_N = {"N in naturals": "Sec. 3.1, l. 71: N slots"}
LAW = "ForAll(i, And(floor(i) == i, i >= 0), P(i + 2) == (1 - theta)*P(i + 1))"
G = "G = 1/(theta*p0)*log(1/(1 - theta))"
AT_THETA = "0 < theta < 1"
WALK = ("The memory process Y_t = X_t - X_0 resembles a random walk with negative drift d_n < 0 and per-step variance "
        "v_n")
SUPREMUM = ("For such walks, the all-time supremum satisfies (Feller, 1971): E[sup Y_t] = v/(2|d|), Pr(sup Y_t > x) <= "
            "exp(-2|d|x/v)")
CONSERVATIVE = "Using n = N as an upper bound yields conservative estimates: v_N ~ 2N/p0, |d_N| = N p0 mu_L"
DOMINANT = ("For p0 << 1 and outputs dominating inputs (mu_L << 1/p0), the dominant terms are: v_n ~ n p0 1/p0^2 + n "
            "p0 1/p0^2 = 2n/p0")
ITERATION = ("E[X_1 - X_0] = N - p0 (E[X_0] + N): N tokens are generated, then each request completes with probability "
             "p0")
LONGBENCH = ("p0 == 1/11", "mu_L == 2492")
TABLE_9 = dict.fromkeys(LONGBENCH, "Table 9, l. 1108: LongBench, mu_L = 2492, mu_O = 11")
# v_n where sigma_L = s/p0
VARIANCE_OF_SPREAD = "v(q) = n*q*((s/q)**2 + (1 - q)/q**2) + n*q*(1 - q)*(mu_L + 1/q)**2"
SPREAD_OUT = {"s >= 0": "App. D.3, l. 1010: sigma_L = s/p0, which no condition of l. 1014 excludes"}

AGES = (
    stated("eb.app-D.1.age", "Appendix D.1", "At steady state, A follows a geometric distribution: Pr(A = a) = theta "
           "(1 - theta)^{a-1}, a = 1, 2, ...", (962, 964), "distributional", "P(n + 1) == theta*(1 - theta)**n",
           (AT_THETA, "P in functions", "P(1) == theta", LAW, "n in naturals"),
           sources={"P in functions": "App. D.1, l. 964: P(a) = Pr(A = a)",
                    "P(1) == theta": "App. D.1, l. 962: in each cycle, k out of N requests complete and are replaced",
                    LAW: "App. D.1, l. 962: the others, a share 1 - theta whatever their age (geometric lengths), have "
                         "taken part in one phase more",
                    "n in naturals": "App. D.1, l. 964: a = n + 1 = 1, 2, ..."},
           note="Under the sentence that just k requests complete in each cycle. In the machine of Section 3.1 more "
                "may (App. B.3, Source 2), and the share is E[idle slots]/N: eb.app-D.1.age.machine."),
    Claim("eb.app-D.1.age.machine", "Appendix D.1", "", (962, 964), "distributional",
          run=processes.ages_run, says=processes.AGES,
          note="With overshoot the age is geometric still, with a larger share of new requests than k/N."),
    stated("eb.app-D.1.mean", "Appendix D.1", "with mean E[A] = 1/theta", (966, 966), "identity",
           "SequenceLimit(Sum(a*(theta*(1 - theta)**(a - 1)), (a, 1, n)), n, 1/theta)", (AT_THETA,),
           note="The series of the mean, as the limit of its partial sums."),
    Claim("eb.app-D.1.start", "Appendix D.1", "At decode start, the batch contains k new requests (age A = 1) and (N - "
          "k) continuing requests (age A >= 2)", (968, 968), "algorithm", run=processes.start_run,
          corrected_by="eb.app-D.1.start.corrected", severity="substantive",
          note="At N = 2, k = 1, p0 = 1/2 the next batch has 2 new requests and no continuing one with probability "
               "1/3: several requests may complete in the last iteration of a phase. Raw line 968: 'At decode start, "
               "the batch contains k new requests (age A=1) and (N-k) continuing requests (age A>=2)'. Independent "
               "use: E[X_0] at l. 986. App. B.3, Source 2, l. 572, names the overshoot, and line 71 has each batch "
               "operate at capacity N."),
    stated("eb.app-D.1.continuing", "Appendix D.1", "For continuing requests, the memoryless property gives: E[A - 1 | "
           "A >= 2] = E[A] = 1/theta", (968, 970), "identity",
           "SequenceLimit(Sum((a - 1)*(theta*(1 - theta)**(a - 1)/(1 - theta)), (a, 2, n)), n, 1/theta)", (AT_THETA,),
           note="Given A >= 2, an event of probability 1 - Pr(A = 1) = 1 - theta; E[A] = 1/theta is eb.app-D.1.mean."),
    stated("eb.app-D.2.t-star", "Appendix D.2", "the expected decode phase duration (in iterations) is t* = (1/p0) "
           "ln(1/(1 - theta))", (974, 976), "identity", "s == 1/p0*log(1/(1 - theta))",
           ("0 < p0 <= 1", AT_THETA, "exp(-p0*s) == 1 - theta"),
           note="Under the fluid approximation, as the sentence says."),
    stated("eb.app-D.2.G", "Appendix D.2", "E[G | continuing] = E[A - 1 | A >= 2] t* = (1/theta)(1/p0) ln(1/(1 - "
           "theta)) = (1/(theta p0)) ln(1/(1 - theta))", (980, 982), "identity",
           "And(older*s == 1/theta*(1/p0)*log(1/(1 - theta)), "
           "1/theta*(1/p0)*log(1/(1 - theta)) == 1/(theta*p0)*log(1/(1 - theta)))",
           ("0 < p0 <= 1", AT_THETA, "older == 1/theta", "s == 1/p0*log(1/(1 - theta))"),
           sources={"older == 1/theta": "App. D.1, l. 970: E[A - 1 | A >= 2]",
                    "s == 1/p0*log(1/(1 - theta))": "App. D.2, l. 976: s is t*"},
           note="Under the fluid approximation, where every phase lasts t*: a request that has survived A - 1 phases "
                "has generated (A - 1) t* tokens."),
    stated("eb.app-D.2.X0", "Appendix D.2", "E[X_0] = k mu_L + (N - k)(mu_L + E[G]) = N mu_L + (N (1 - theta)/(theta "
           "p0)) ln(1/(1 - theta))", (984, 986), "identity",
           "k*mu_L + (N - k)*(mu_L + G) == N*mu_L + N*(1 - theta)/(theta*p0)*log(1/(1 - theta))",
           ("0 < p0 <= 1", "mu_L > 0", "N in naturals", "k in naturals", "1 <= k <= N", "k < N"),
           ("theta = k/N", G)),
)

INCREMENTS = (
    stated("eb.app-D.3.S-mean", "Appendix D.3", "completed requests have E[S | complete] = mu_L + 1/p0", (996, 996),
           "identity", "SequenceLimit(mu_L + Sum(o*(p0*(1 - p0)**(o - 1)), (o, 1, n)), n, mu_L + 1/p0)",
           ("0 < p0 <= 1", "mu_L > 0"),
           note="Over all completed requests, each of which completes once: E[L] + E[O]. In a given iteration of "
                "a phase it is another number: the k new requests complete in the first one at O = 1 only."),
    stated("eb.app-D.3.mean", "Appendix D.3", "E[DX] = n - n p0 (mu_L + 1/p0) = n - n p0 mu_L - n = -n p0 mu_L = d_n",
           (998, 998), "drift", "And(n - n*p0*(mu_L + 1/p0) == n - n*p0*mu_L - n, n - n*p0*mu_L - n == -n*p0*mu_L)",
           ("0 < p0 <= 1", "mu_L > 0", "n in naturals"),
           note="With the S_i of D.3, independent of each other and of who completes. The machine's own drift at the "
                "start of a phase is another: eb.app-D.4.walk.machine."),
    stated("eb.app-D.3.total-variance", "Appendix D.3", "We compute Var(DX) = E[Var(DX | J)] + Var(E[DX | J])",
           (1000, 1000), "identity",
           "V == W + U", ("V == S - M**2", "W == S - Q", "U == Q - M**2"),
           sources={"V == S - M**2": "the variance V of DX, with M = E[DX] = E[E[DX | J]] and S = E[DX^2] = E[E[DX^2 | "
                                     "J]]",
                    "W == S - Q": "W = E[Var(DX | J)] = E[E[DX^2 | J] - E[DX | J]^2], with Q = E[E[DX | J]^2]",
                    "U == Q - M**2": "the variance U of E[DX | J]"}),
    stated("eb.app-D.3.within", "Appendix D.3", "Thus Var(DX | J = j) = j Var(S), and E[Var(DX | J)] = E[J] Var(S) = n "
           "p0 Var(S)", (1002, 1004), "identity",
           "And(Sum(V, (i, 1, j)) == j*V, Sum(p0, (i, 1, n))*V == n*p0*V)",
           ("0 < p0 <= 1", "V >= 0", "n in naturals", "j in naturals"),
           sources={"V >= 0": "App. D.3, l. 1002: V = Var(S)"},
           note="Variances of independent summands add; E[J] is the sum of the n probabilities p0."),
    stated("eb.app-D.3.between", "Appendix D.3", "E[DX | J] = n - J E[S], so: Var(E[DX | J]) = E[S]^2 Var(J) = (mu_L + "
           "1/p0)^2 n p0 (1 - p0)", (1006, 1008), "identity",
           "And((n - j*(mu_L + 1/p0)) - (n - n*p0*(mu_L + 1/p0)) == -(mu_L + 1/p0)*(j - n*p0), "
           "(mu_L + 1/p0)**2*Sum(p0*(1 - p0)**2 + (1 - p0)*(0 - p0)**2, (i, 1, n)) == (mu_L + 1/p0)**2*n*p0*(1 - p0))",
           ("0 < p0 <= 1", "mu_L > 0", "n in naturals", "j in naturals"),
           note="The deviation of n - J E[S] from its mean is -E[S] times that of J, and Var(J) is the sum of the n "
                "variances of the Z_i."),
    stated("eb.app-D.3.S-variance", "Appendix D.3", "using Var(S) = sigma_L^2 + (1 - p0)/p0^2", (1010, 1010),
           "identity",
           "SequenceLimit(sigma_L**2 + Sum((o - 1/p0)**2*(p0*(1 - p0)**(o - 1)), (o, 1, n)), n, "
           "sigma_L**2 + (1 - p0)/p0**2)", ("0 < p0 <= 1", "sigma_L >= 0"),
           note="Var(L) + Var(O): L does not depend on O, for every active request completes with p0 (App. B.1, l. "
                "520)."),
    stated("eb.app-D.3.v-n", "Appendix D.3", "v_n = n p0 [sigma_L^2 + (1 - p0)/p0^2] + n p0 (1 - p0)(mu_L + 1/p0)^2",
           (1010, 1012), "identity",
           "n*p0*V + (mu_L + 1/p0)**2*n*p0*(1 - p0) == n*p0*(sigma_L**2 + (1 - p0)/p0**2) + n*p0*(1 - p0)*(mu_L + 1/p0)"
           "**2", ("0 < p0 <= 1", "mu_L > 0", "sigma_L >= 0", "n in naturals"), ("V = sigma_L**2 + (1 - p0)/p0**2",)),
    Claim("eb.app-D.3.v-n-approx", "Appendix D.3", DOMINANT, (1014, 1016), "expansion", verdict="imprecise",
          readings=("eb.app-D.3.v-n-approx.limit", "eb.app-D.3.v-n-approx.spread", "eb.app-D.3.v-n-approx.workloads"),
          note="'Dominant' has no figure, and the two conditions do not speak of sigma_L, which is in v_n. Weak "
               "reading: the quotient tends to 1 as p0 -> 0 with the law of L fixed (true). Strong reading: under the "
               "two conditions alone, whatever the spread of the prompts (false). As it is used: within a factor 2 at "
               "the paper's own workloads, where the second condition fails (false: 23,535 at LongBench)."),
    stated("eb.app-D.3.v-n-approx.limit", "Appendix D.3", DOMINANT, (1014, 1016), "expansion",
           'Eq(limit(v(n, p0)/(2*n/p0), p0, 0, "+"), 1)', ("mu_L > 0", "sigma_L >= 0", "n > 0"), (INCREMENT_VARIANCE,)),
    stated("eb.app-D.3.v-n-approx.spread", "Appendix D.3", DOMINANT, (1014, 1016), "expansion",
           'Eq(limit(v(p0)/(2*n/p0), p0, 0, "+"), 1)', ("mu_L > 0", "s >= 0", "n > 0"), (VARIANCE_OF_SPREAD,),
           sources=SPREAD_OUT, corrected_by="eb.app-D.3.v-n-approx.spread.corrected", severity="substantive",
           hint={"point": {"mu_L": "105", "n": "64", "s": "1"}},
           note="With sigma_L = 1/p0, however small p0 and p0 mu_L are, v_n is 3n/p0 in the limit. ShareGPT's prompts "
                "spread more: 4,000 of mean 105 with one of 20,448 (Table 9, l. 1107) have a standard deviation of at "
                "least 321 tokens, and 1/p0 is 280. Raw line 1014: 'For p0 << 1 and outputs dominating inputs (mu_L << "
                "1/p0), the dominant terms are'. Independent use: v_n at l. 1012, with n p0 sigma_L^2 in it, and v_N ~ "
                "2N/p0 at l. 1026."),
    stated("eb.app-D.3.v-n-approx.workloads", "Appendix D.3", DOMINANT, (1014, 1016), "expansion",
           "v(n, p0) <= 2*(2*n/p0)", ("0 < p0 <= 1", "mu_L > 0", "sigma_L >= 0", "n > 0", *LONGBENCH),
           (INCREMENT_VARIANCE,), sources=TABLE_9, corrected_by="eb.app-D.3.v-n-approx.workloads.corrected",
           severity="substantive",
           note="At LongBench (mu_L = 2492, mu_O = 11), on which the paper evaluates (6), v_n is at least 23,535 "
                "times 2n/p0. Strong reading: within a factor 2. Raw line 1016: v_n ~ n p0 1/p0^2 + n p0 1/p0^2 = "
                "2n/p0. Independent use: v_N ~ 2N/p0 at l. 1026, and so the constant of (6), applied in Sec. 4.3, l. "
                "230. There mu_L is 227 times 1/p0, against the condition mu_L << 1/p0, which Proposition 3.3 drops."),
)

SUPREMUM_BOUND = (
    Claim("eb.app-D.4.walk", "Appendix D.4", WALK, (1020, 1020), "distributional", verdict="imprecise",
          readings=("eb.app-D.3.mean", "eb.app-D.4.walk.machine"),
          note="'Resembles' has no truth value. Weak reading: the increments of D.3, whose S_i do not depend on what "
               "has been generated, have the drift d_n = -n p0 mu_L (proved). Strong reading: so the memory itself "
               "falls on average from a phase's first iteration on (false)."),
    stated("eb.app-D.4.walk.machine", "Appendix D.4", WALK, (1020, 1020), "distributional", "N - p0*(X0 + N) < 0",
           (*W, "N > 0"), ("X0 = N*mu_L + N*(1 - theta)/(theta*p0)*log(1/(1 - theta))",),
           corrected_by="eb.app-D.4.walk.machine.corrected", severity="substantive",
           note="At Table 10's mu_O = 64, mu_L = 1, theta = 0.46 the drift of a phase's first iteration is +0.245 N, "
                "and the fluid memory peaks 4 percent above E[X_0]. It is the machine's own drift, with the paper's "
                "E[X_0] (l. 986): E[X_1 - X_0] = N - p0 (E[X_0] + N): N tokens are generated, then each request "
                "completes with probability p0. It is positive where requests are young when a phase starts (theta "
                "large, mu_L small). Raw line 1020: 'The memory process Y_t = X_t - X_0 resembles a random walk with "
                "negative drift d_n<0'. Independent use: l. 1026, |d_N| = N p0 mu_L, in (6)."),
    Claim("eb.eq-22.mean", "Appendix D.4, (22)", SUPREMUM, (1020, 1022), "theorem",
          run=processes.supremum_mean_run, says=processes.SUPREMUM_MEAN,
          corrected_by="eb.eq-22.mean.corrected", severity="substantive",
          note="For the walk with steps +1 (probability 1/4) and -1 the supremum has the mean 1/2, where v/(2|d|) is "
               "3/4. It is an equality for Brownian motion with drift; for walks v/(2|d|) is an upper bound "
               "(Kingman). Raw line 1022: E[sup_{t>=0} Y_t] = v/(2|d|). Independent use: l. 1030, and N*_expected at "
               "l. 1054, 'uses E[sup Y_t] = vbar'."),
    Claim("eb.eq-22.tail", "Appendix D.4, (22)", SUPREMUM, (1020, 1022), "theorem",
          run=processes.supremum_tail_run, says=processes.SUPREMUM_TAIL,
          corrected_by="eb.eq-22.tail.corrected", severity="substantive",
          note="For the walk with steps +1 (probability 1/4) and -1 Pr(sup Y_t > 5) is 0.00137 and exp(-2|d|5/v) is "
               "0.00127; at every x from 0.83 to below 1 it is 1/3 against less. The bound holds for Brownian motion; "
               "a walk needs its own exponent (Lundberg), which is smaller where its steps are skewed upwards. Raw "
               "line 1022: Pr(sup_{t>=0} Y_t > x) <= exp(-2|d|x/v). Independent use: l. 1036."),
    stated("eb.app-D.4.not-iid", "Appendix D.4", "Since the batch size n decreases during decode (from N to N - k), "
           "increments are not strictly i.i.d.", (1024, 1024), "distributional",
           "-n*p0*mu_L != -(N*p0*mu_L)", ("0 < p0 <= 1", "mu_L > 0", "N in naturals", "n in naturals", "n < N"),
           sources={"n < N": "App. D.4, l. 1024: the batch size decreases from N"},
           note="Their means differ."),
    stated("eb.app-D.4.n-equals-N", "Appendix D.4", CONSERVATIVE, (1024, 1026), "inequality",
           "v(n, p0)/(2*n*p0*mu_L) <= (2*N/p0)/(2*N*p0*mu_L)",
           ("0 < p0 <= 1", "mu_L > 0", "sigma_L >= 0", "N > 0", "0 < n <= N"), (INCREMENT_VARIANCE,),
           sources={"0 < n <= N": "App. D.4, l. 1024: n from N to N - k, N as an upper bound"},
           corrected_by="eb.app-D.4.n-equals-N.corrected", severity="substantive",
           note="At ShareGPT (mu_L = 105, mu_O = 280) v/(2|d|) is at least 1,075 tokens where the estimate has 747; "
                "at LongBench 1,142 against 0.05. Both bounds of (22) grow with v/|d|, so conservative means that "
                "v/(2|d|) is not understated; in it the batch size cancels, and what remains, 2N/p0 for v_N, is too "
                "small wherever (1 - p0) mu_L >= 1. Raw line 1024: 'Using n=N as an upper bound yields conservative "
                "estimates'. Independent use: l. 1030."),
    stated("eb.app-D.4.v-bar", "Appendix D.4", "E[sup Y_t] ~ v_N/(2|d_N|) = (2N/p0)/(2 N p0 mu_L) = 1/(p0^2 mu_L) =: "
           "vbar", (1028, 1030), "identity", "(2*N/p0)/(2*N*p0*mu_L) == 1/(p0**2*mu_L)",
           ("0 < p0 <= 1", "mu_L > 0", "N > 0")),
    stated("eb.app-D.4.v-bar-N", "Appendix D.4", "it characterizes the memory volatility arising from stochastic "
           "completion timing, and is notably independent of N", (1032, 1032), "identity",
           "(2*N/p0)/(2*N*p0*mu_L) == (2*N2/p0)/(2*N2*p0*mu_L)", ("0 < p0 <= 1", "mu_L > 0", "N > 0", "N2 > 0"),
           note="The expression is. The machine's volatility is not: the standard deviation of X_0 grows as sqrt(N) "
                "(table eb-memory), which is why (6) fails at every large N."),
    Claim("eb.app-D.4.requirement", "Appendix D.4", "For OOM probability at most eps, we require Pr(sup Y_t > C - "
          "E[X_0]) <= eps", (1034, 1034), "inequality", run=processes.requirement_run, says=processes.REQUIREMENT,
          corrected_by="eb.app-D.4.requirement.corrected", severity="substantive",
          note="At N = 2, k = 1, p0 = 1/2, L = 0, C = 4, eps = 1/16 Pr(sup Y_t > C - E[X_0]) is 1/16 and Pr(X_max > "
               "C) 7/64: the peak is X_0 + sup Y_t with a random X_0, and its mean is put in its place. Raw line "
               "1034: Pr(sup Y_t > C - E[X_0]) <= eps. Independent use: l. 1040, E[X_0] + x_eps <= C. With N = 256 "
               "slots and ShareGPT's means the standard deviation of X_0 is over 4,000 tokens, where (6) leaves 3,439 "
               "at eps = 1/100."),
    stated("eb.app-D.4.tail", "Appendix D.4", "Pr(sup Y_t > x) <= exp(-2|d_N|x/v_N) = exp(-x/vbar)", (1036, 1036),
           "inequality", "(1 - p0)**N <= exp(-x/vbar)",
           ("0 < p0 <= 1", "mu_L > 0", "N in naturals", "N >= 1", "0 <= x < N"), (VBAR,),
           sources={"0 <= x < N": "(22), l. 1022: any level; of those below N"},
           corrected_by="eb.app-D.4.tail.corrected", severity="substantive",
           note="With LongBench's means and N = 16 nobody completes in the first iteration with probability 0.218, so "
                "that Pr(sup Y_t > 15) is at least that, and exp(-15/vbar) is below 10^-130. What the bound implies: "
                "then Y_1 = N > x (l. 992). False wherever p0 mu_L exceeds about 1. Raw line 1036: exp(-2|d_N|x/v_N) "
                "= exp(-x/vbar). Independent use: l. 1038."),
    stated("eb.app-D.4.x-eps", "Appendix D.4", "Setting this to eps and solving: x_eps = vbar ln(1/eps)", (1038, 1038),
           "identity", "And(exp(-(vbar*log(1/eps))/vbar) == eps, Implies(exp(-x/vbar) == eps, x == vbar*log(1/eps)))",
           ("0 < p0 <= 1", "mu_L > 0", "0 < eps < 1"), (VBAR,)),
    stated("eb.app-D.4.constraint", "Appendix D.4", "The constraint E[X_0] + x_eps <= C yields: N mu_L + (N (1 - "
           "theta)/(theta p0)) ln(1/(1 - theta)) + vbar ln(1/eps) <= C", (1040, 1042), "inequality",
           "N*mu_L + N*(1 - theta)/(theta*p0)*log(1/(1 - theta)) + vbar*log(1/eps) <= C",
           (*SIZES, "N in naturals", "k in naturals", "1 <= k <= N", "theta == k/N",
            "k*mu_L + (N - k)*(mu_L + G) + vbar*log(1/eps) <= C"), (VBAR, G),
           sources={"theta == k/N": "App. D.1, l. 966", "k*mu_L + (N - k)*(mu_L + G) + vbar*log(1/eps) <= C":
                    "App. D.4, l. 1040, with E[X_0] as at l. 986 and x_eps as at l. 1038"}),
    stated("eb.app-D.4.solve", "Appendix D.4", "Solving for N gives (6)", (1044, 1044), "identity",
           "And(Implies(N*m + vbar*log(1/eps) <= C, N <= floor((C - vbar*log(1/eps))/m)), "
           "Implies(N <= floor((C - vbar*log(1/eps))/m), N*m + vbar*log(1/eps) <= C))",
           (*SIZES, "N in naturals"), (MEAN, VBAR),
           note="The batch sizes that meet the constraint of l. 1042 are those up to (6). Where the bound is below 1 "
                "there is none."),
)

CLAIMS: tuple[Claim, ...] = (*AGES, *INCREMENTS, *SUPREMUM_BOUND)
