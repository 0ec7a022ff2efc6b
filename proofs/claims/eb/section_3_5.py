"""Section 3.5, mixed against exclusive batching: Proposition 3.4 and the rule of EB+."""

from __future__ import annotations

from typing import Any

from qtheory.proofs.claims.model import Claim

from .wording import PSI, claim, iff

MU = ("mu_O > 0", "mu_L > 0")
MB = ("alpha_MB > 0", "beta_MB > 0")
EB = ("alpha_p > 0", "alpha_d > 0", "beta_EB > 0", "0 < theta0 < 1")
TP_MB = "TP_MB = 1/(alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O))"
TP_EB = "TP_EB = 1/((alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O))"
RHS = "RHS = 1/(mu_L + mu_O)*((alpha_p + alpha_d*zeta*mu_O)/k0 - alpha_MB*(1 + mu_O)/N)"
AT_THETA0 = "k0 = theta0*N"
COSTS = "A = (alpha_p + alpha_d*zeta*mu_O)/theta0 - alpha_MB*(1 + mu_O)"
COSTS_NAMED = COSTS.replace("A =", "A ==")
BIAS_NAMED = ("B == (alpha_p - alpha_d*log(1 - theta)*mu_O)/theta - (alpha_p + alpha_d*zeta*mu_O)/theta0")
SOURCES = {
    "mu_O > 0": "Sec. 3.1, l. 77: the mean of the output lengths (tokens)",
    "alpha_MB > 0": "Sec. 3.5, l. 172: the fixed overhead for launching a mixed batch",
    "beta_MB > 0": "Sec. 3.5, l. 172: the empirically measured effective per-token marginal cost",
    "beta_EB > 0": "Sec. 3.2.1, l. 107: the workload-weighted average of the exclusive per-token costs",
    "N_p > 0": "Sec. 3.5, l. 165: the average number of requests finishing prefill per iteration",
    "N_d == N_p*mu_O": "eb.sec-3.5.Nd",
    "N == N_p*(1 + mu_O)": "eb.sec-3.5.N",
    "zeta == -log(1 - theta0)": "Prop. 3.1, l. 115: zeta := -ln(1 - theta0)",
    "k0 in naturals": "Sec. 3.2.1, l. 117: k0* = floor(theta0 N), a threshold, so in {1, ..., N} by (1)",
    "1 <= k0 <= N": "(1), l. 82: k in {1, ..., N}",
    "1 <= k0 < N": "(1), l. 82, where Sec. 3.2.1's TP_EB is defined",
    COSTS_NAMED: "N times the bracket of (7) at k0* = theta0 N, l. 180, by a name of its own",
    BIAS_NAMED: "the numerator of (8), l. 186, at thetahat* less that at thetahat0, by a name of its own",
    "mu_O >= 1": "Sec. 3.1, l. 73: a request completes by generating a token, so O >= 1",
    "Psi(theta0) == alpha_p/(mu_O*alpha_d)": "(3), l. 113, with mu_O = 1/p0, l. 99",
    "n > 0": "N_obs, l. 184: the EMA-smoothed active batch occupancy",
}
RULE = "R(n) = ((alpha_p + alpha_d*zeta*mu_O)/theta0 - alpha_MB*(1 + mu_O))/(n*(mu_L + mu_O))"
PROPOSITION = "TP_MB(N) > TP_EB(k0*, N) if and only if (7)"
SIGN = ("alpha_MB > alpha_d mu_O/((1 + mu_O)(1 - theta0)), at theta0 = 0.3 and mu_O = 100 a mixed batch's fixed time "
        "of 1.41 times a decode iteration's: see eb.eq-7.sign. ")
UNBOUNDED = ("By (3) that is alpha_MB (1 + mu_O) > (alpha_p + alpha_d zeta mu_O)/theta0, a negative bracket; nothing "
             "in the paper bounds alpha_MB, which it prints for no hardware. In the counterexample alpha_MB is 1.5 "
             "alpha_d, and alpha_p 7.2 alpha_d: a mixed batch launches at a fifth of a prefill's fixed time. With "
             "alpha_p = alpha_d and mu_O = 100 1.14 alpha_d is enough. ")
RAW_8 = ("Raw line 186: (8) has ((alpha_p + alpha_d zeta mu_O)/theta0 - alpha_MB (1 + mu_O))/(N_obs (mu_L + mu_O)) + "
         "delta; independent use: (7), l. 180, has the same two terms.")
CHEAP = "alpha_MB*(1 + mu_O) < (alpha_p + alpha_d*zeta*mu_O)/theta0"
ONE_SYSTEM = (*MU, *MB, *EB, "zeta == -log(1 - theta0)")
# what a counterexample must meet besides
SOLVED = ("mu_O >= 1", "Psi(theta0) == alpha_p/(mu_O*alpha_d)")


# ---- lemmas on the way; they need no trust ----

S = "mu_L + mu_O"
GAP = "beta_MB - beta_EB"
FIXED_MB = "alpha_MB*(1 + mu_O)/N"


def compared(mixed: str, exclusive: str, order: str) -> tuple[Any, ...]:
    """That the times per request are positive; and that the greater throughput (``order`` ">": of MB) is the
    inequality of the marginal-cost gap: to it, and from it."""
    x, y, back = f"{mixed} + beta_MB*({S})", f"{exclusive} + beta_EB*({S})", "<" if order == ">" else ">"
    at = {"x": x, "y": y, "s": S, "u": mixed, "v": exclusive, "g": "beta_MB", "h": "beta_EB"}
    times = "x > 0, y > 0, s > 0, x == u + g*s, y == v + h*s"
    faster, gap = f"1/x {order} 1/y", f"g - h {back} 1/s*(v - u)"
    return (f"And({x} > 0, {y} > 0)", (f"Implies(And({times}, {gap}), {faster})", at),
            (f"Implies(And({times}, {faster}), {gap})", at))


def over_n(numerator: str, divisor: str = "1") -> dict[str, Any]:
    """|c/n| <= (1 + |c|)/n."""
    size = f"(1 + Abs({numerator}))/({divisor})"
    return {"order": {"n": (size, "1")}, "rate": {"n": (size, "1")}}


POSITIVE_ZETA = "zeta > 0"
SOLVED_RHS = "SOLVED = (alpha_d*mu_O/(1 - theta0) - alpha_MB*(1 + mu_O))/(N*(mu_L + mu_O))"
SIGN_PARTS = ("m*(1 - t) < a", "(a/(1 - t) - m)/(n*s) > 0")
SIGN_AT = {"s": S, "n": "N", "t": "theta0", "m": "alpha_MB*(1 + mu_O)", "a": "alpha_d*mu_O"}
FIXED_EB = "(alpha_p + alpha_d*zeta*mu_O)/k0"
COMPARED_AT_K0 = {"lemmas": (POSITIVE_ZETA, *compared(FIXED_MB, FIXED_EB, ">"))}
COMPARED_ONE_WAY = {"lemmas": (POSITIVE_ZETA, *compared(FIXED_MB, FIXED_EB, ">")[::2])}
COMPARED_BELOW_N = {"lemmas": (("Implies(And(0 < x, x < 1), -log(1 - x) > 0)", {"x": "k0/N"}),
                               *COMPARED_AT_K0["lemmas"])}
SAME_RULE = (POSITIVE_ZETA, "RHS == R(n)")


def crossover(id: str, quote: str, lines: tuple[int, int], kind: str, goal: str, where: tuple[str, ...],
              let: tuple[str, ...] = (), *, place: str = "Section 3.5", **more: Any) -> Claim:
    return claim(id, place, quote, lines, kind, goal, where, let, table=SOURCES, **more)


def imprecise(id: str, quote: str, lines: tuple[int, int], kind: str, readings: tuple[str, ...], note: str,
              place: str = "Section 3.5") -> Claim:
    return Claim(id, place, quote, lines, kind, verdict="imprecise", readings=readings, note=note)


MIXED = (
    Claim("eb.sec-3.5.little", "Section 3.5", "By Little's Law, the average number of tokens decoded in each iteration "
          "is N_p mu_O", (165, 165), "theorem", verdict="assumed",
          note="Little's law, cited: with N_p requests an iteration that each decode for mu_O iterations on average, "
               "N_p mu_O decode at a time. As eb.sec-3.5.Nd says, each of them decodes one token an iteration."),
    crossover("eb.sec-3.5.Nd", "Because the MB discipline generates exactly one decoded token per request per "
              "iteration, the average number of decoding requests in a batch is directly N_d = N_p mu_O", (165, 165),
              "identity", "N_d == N_p*mu_O", (*MU, "N_p > 0", "1*N_d == tokens", "tokens == N_p*mu_O"),
              sources={"1*N_d == tokens": "l. 165: exactly one decoded token per request per iteration",
                     "tokens == N_p*mu_O": "eb.sec-3.5.little"}),
    crossover("eb.sec-3.5.N", "the average effective batch size per iteration is N = N_p + N_d = N_p (1 + mu_O)",
              (165, 165), "identity", "N_p + N_d == N_p*(1 + mu_O)", (*MU, "N_p > 0", "N_d == N_p*mu_O")),
    crossover("eb.sec-3.5.TP-MB-1", "TP_MB(N) = N_p [alpha_MB + beta_MB^e (N_p mu_L + N_d)]^{-1}", (167, 169),
              "identity", "TP == N_p*(alpha_MB + beta_MB*(N_p*mu_L + N_d))**(-1)",
              (*MU, *MB, "N_p > 0", "N_d == N_p*mu_O", "tokens == N_p*mu_L + N_d", "T == alpha_MB + beta_MB*tokens",
               "TP*T == N_p"),
              sources={"tokens == N_p*mu_L + N_d": "l. 165: N_p prompts of mean length mu_L, and N_d tokens",
                     "T == alpha_MB + beta_MB*tokens": "Sec. 1, T_iter = alpha + beta n_tok, and l. 172",
                     "TP*T == N_p": "throughput, l. 81: completions over time; N_p requests an iteration in steady "
                                    "state"}),
    crossover("eb.sec-3.5.TP-MB-2", "TP_MB(N) = [alpha_MB (1 + mu_O) N^{-1} + beta_MB^e (mu_L + mu_O)]^{-1}",
              (169, 170), "identity", "N_p*(alpha_MB + beta_MB*(N_p*mu_L + N_d))**(-1) == TP_MB",
              (*MU, *MB, "N_p > 0", "N_d == N_p*mu_O", "N == N_p*(1 + mu_O)"), (TP_MB,)),
)

COMPARED = (
    imprecise("eb.prop-3.4", PROPOSITION, (174, 180), "theorem",
              ("eb.prop-3.4.by-eq-4", "eb.prop-3.4.throughput"),
              "TP_EB(k0*, N) is the function TP_EB(k, N) of Section 3.2.1 at k0* = floor(theta0 N), and (4) prints "
              "another value for it (eb.eq-4). With (4)'s value the equivalence is plain algebra; with the function's "
              "own it needs zeta = -ln(1 - k0*/N).", place="Proposition 3.4, (7)"),
    crossover("eb.prop-3.4.by-eq-4", PROPOSITION, (174, 180), "theorem",
              iff("TP_MB > TP_EB", "beta_MB - beta_EB < RHS"),
              (*ONE_SYSTEM, "N > 0", "k0 in naturals", "1 <= k0 <= N"), (TP_MB, TP_EB, RHS),
              place="Proposition 3.4, (7)", hint=COMPARED_AT_K0),
    crossover("eb.prop-3.4.throughput", PROPOSITION, (174, 180), "theorem",
              iff("TP_MB > TP_EB", "beta_MB - beta_EB < RHS"),
              (*ONE_SYSTEM, *SOLVED, "N in naturals", "theta0*N >= 1"),
              (PSI, "k0 = floor(theta0*N)", TP_MB, TP_EB.replace("zeta", "(-log(1 - k0/N))"), RHS),
              sources={"theta0*N >= 1": "(1), l. 82: k0* = floor(theta0 N) in {1, ..., N}"},
              place="Proposition 3.4, (7)", corrected_by="eb.prop-3.4.corrected", severity="substantive",
              note="At N = 64, p0 = 1/100, mu_L = 100 and alpha_p = alpha_d = alpha_MB = 1 the right-hand side of (7) "
                   "is 0.00137, and MB is the slower one from a gap of 0.00109 on. TP_EB(k, N) has theta = k/N (l. "
                   "103), (7) has zeta at theta0: between the two lies the rounding of k0* = 8. Raw line 180: zeta, "
                   "with zeta := -ln(1 - theta0), l. 115. Independent use: (4), l. 121."),
    crossover("eb.prop-3.4.corrected", PROPOSITION, (174, 180), "theorem",
              iff("TP_MB > TP_EB", "beta_MB - beta_EB < RHS"),
              (*MU, *MB, *EB[:3], "N in naturals", "k0 in naturals", "1 <= k0 < N", "zeta == -log(1 - k0/N)"),
              (TP_MB, TP_EB, RHS), sources={"zeta == -log(1 - k0/N)": "Sec. 3.2.1, l. 103: theta = k/N"},
              place="Proposition 3.4, (7)", corrects="eb.prop-3.4.throughput", hint=COMPARED_BELOW_N,
              note="With zeta = -ln(1 - k0*/N), for every threshold below N."),
    crossover("eb.eq-7", "beta_MB^e - beta_EB^w < (1/(mu_L + mu_O)) [(alpha_p + alpha_d zeta mu_O)/k0* - alpha_MB "
              "(1 + mu_O)/N]", (174, 180), "inequality", "beta_MB - beta_EB < RHS",
              (*ONE_SYSTEM, "N > 0", "k0 in naturals", "1 <= k0 <= N", "TP_MB > TP_EB"), (TP_MB, TP_EB, RHS),
              sources={"TP_MB > TP_EB": "Prop. 3.4, l. 174"}, place="Proposition 3.4, (7)", hint=COMPARED_ONE_WAY,
              note="The inequality where MB is the better one, TP_EB(k0*, N) as (4) prints it."),
    crossover("eb.eq-7.solved", "", (180, 182), "identity", "RHS == SOLVED",
              (*ONE_SYSTEM, "Psi(theta0) == alpha_p/(mu_O*alpha_d)", "N > 0"), (PSI, AT_THETA0, RHS, SOLVED_RHS),
              place="Proposition 3.4, (7)",
              note="Beyond the paper: with theta0 from (3), alpha_p + alpha_d zeta mu_O is alpha_d mu_O theta0/(1 - "
                   "theta0), so (7)'s right-hand side has no alpha_p."),
    crossover("eb.eq-7.sign", "", (180, 182), "inequality",
              iff("SOLVED > 0", "alpha_MB*(1 + mu_O)*(1 - theta0) < alpha_d*mu_O"), (*ONE_SYSTEM, "N > 0"),
              (SOLVED_RHS,), place="Proposition 3.4, (7)",
              hint={"lemmas": tuple((f"Implies(And(s > 0, n > 0, 0 < t, t < 1, {p}), {q})", SIGN_AT)
                                    for p, q in (SIGN_PARTS[::-1], SIGN_PARTS))},
              note="Beyond the paper: whether (7)'s right-hand side is an advantage of MB is one comparison of fixed "
                   "times."),
    crossover("eb.sec-3.5.lhs", "the LHS represents the marginal-cost gap incurred by co-locating prefill and decode "
              "tokens in the same forward pass", (182, 182), "identity",
              "beta_MB - beta_EB == (beta_MB*(mu_L + mu_O) - (beta_p*mu_L + beta_d*mu_O))/(mu_L + mu_O)",
              (*MU, *MB, "beta_d >= 0", "beta_p >= 0"), ("beta_EB = (beta_p*mu_L + beta_d*mu_O)/(mu_L + mu_O)",),
              note="Per token: a request's tokens in mixed batches against its prompt in prefill and its output in "
                   "decode batches."),
    imprecise("eb.sec-3.5.rhs", "The RHS captures the amortized fixed-cost advantage of MB, which requires fewer "
              "distinct kernel launches", (182, 182), "inequality",
              ("eb.sec-3.5.rhs.positive", "eb.sec-3.5.rhs.launches"),
              "Strong reading: the right-hand side is an advantage of MB, positive. Weak reading: MB launches fewer "
              "batches per request."),
    crossover("eb.sec-3.5.rhs.positive", "The RHS captures the amortized fixed-cost advantage of MB", (182, 182),
              "inequality", "RHS > 0", (*ONE_SYSTEM, *SOLVED, "N > 0"), (PSI, AT_THETA0, RHS), severity="substantive",
              corrected_by="eb.sec-3.5.rhs.positive.corrected",
              note="The right-hand side of (7) is negative once " + SIGN + UNBOUNDED + "Raw line 182: 'The RHS "
                                                                                       "captures the amortized "
                                                                                       "fixed-cost advantage of MB'; "
                                                                                       "independent use: l. 190 takes "
                                                                                       "the right-hand side as large."),
    crossover("eb.sec-3.5.rhs.launches", "MB, which requires fewer distinct kernel launches", (182, 182), "inequality",
              "(1 + mu_O)/N < (1 + zeta*mu_O)/k0", (*ONE_SYSTEM, "N > 0"), (AT_THETA0,),
              note="Iterations per request: MB N_p = N/(1 + mu_O) requests an iteration; EB one prefill batch and "
                   "zeta mu_O decode iterations (App. B.2) for k0* = theta0 N requests."),
    crossover("eb.sec-3.5.scaling", "Substituting k0* = theta0 N, both terms inside the bracket of the RHS scale as "
              "1/N", (182, 182), "identity",
              "And((alpha_p + alpha_d*zeta*mu_O)/(theta0*(c*N)) == ((alpha_p + alpha_d*zeta*mu_O)/(theta0*N))/c, "
              "alpha_MB*(1 + mu_O)/(c*N) == (alpha_MB*(1 + mu_O)/N)/c)", (*ONE_SYSTEM, "N > 0", "c > 0"),
              sources={"c > 0": "any factor: the term at c N is 1/c of that at N"}),
    crossover("eb.sec-3.5.O-1-N", "Therefore, the RHS is O(1/N) and naturally vanishes at high utilization", (182, 182),
              "limit", "And(BigO(A/(n*(mu_L + mu_O)), 1/n, n, oo), limit(A/(n*(mu_L + mu_O)), n, oo) == 0)",
              (*ONE_SYSTEM, COSTS_NAMED), hint=over_n("A", S)),
    crossover("eb.sec-3.5.saturated", "In saturated regimes, the comparison is entirely governed by the marginal-cost "
              "gap beta_MB^e - beta_EB^w", (182, 182), "limit",
              f"limit(beta_MB*({S}) - (A/n + beta_EB*({S})), n, oo) == (beta_MB - beta_EB)*({S})",
              (*ONE_SYSTEM, COSTS_NAMED), hint=over_n("A"),
              note="The difference of the times per request, 1/TP_MB - 1/TP_EB with k0* = theta0 N, as N grows."),
    Claim("eb.sec-3.5.fig-2", "Section 3.5", "Figure 2 confirms this empirically: on the H200, the mixed-batch "
          "marginal cost remains low across most decode ratios, whereas on the RTX PRO 6000, bandwidth constraints "
          "inflate the cost above the threshold over intermediate ratios", (182, 182), "empirical", verdict="reported"),
)

FIVE = ("0 < p0 <= 1", "alpha_d > 0", "beta_d >= 0", "N > 0", "0 < theta0 < 1")
ZETA0 = "zeta = -log(1 - theta0)"
DELTA_THETA = ("delta_theta(e, n) = e*(1 - theta0)**2/(p0**2*theta0)*(zeta*(theta0/(1 - theta0) - zeta/2) "
               "+ beta_d*n/alpha_d*(zeta - theta0))")
NAMED = ("u == delta_theta(eta, 0)", "v == delta_theta(eta, 1) - delta_theta(eta, 0)")
SLOPE = "g == delta_theta(1, N)"
OCCUPANCY = (*ONE_SYSTEM, "n > 0")
SWITCH = (
    crossover("eb.sec-3.5.theta-gap", "the gap thetahat* - thetahat0 = O(eta) is bounded", (184, 184), "expansion",
              "BigO(eta*g, eta, eta, 0, '+')", (*FIVE, SLOPE), (ZETA0, DELTA_THETA),
              sources={SLOPE: "(5), l. 133: Delta theta/eta, by a name of its own"},
              hint={"order": {"eta": ("1 + Abs(g)", "1")}},
              note="At a given batch size. As N grows (5) is unbounded where beta_d > 0 (eb.sec-3.5.theta-gap.in-N); "
                   "Section 3.4 clips thetahat* to [theta_min, theta_max], which bounds the gap whatever (5) says."),
    crossover("eb.sec-3.5.theta-gap.in-N", "", (184, 184), "inequality",
              "ForAll(c, c > 0, Exists(N, N > 0, u + v*N > c))",
              ("0 < p0 <= 1", "alpha_d > 0", "beta_d > 0", "0 < theta0 < 1", "eta > 0", *NAMED), (ZETA0, DELTA_THETA),
              sources={"eta > 0": "Thm. 3.2, l. 131", "beta_d > 0": "App. C, l. 918: beta_d > 0 (or zero)",
                     **dict.fromkeys(NAMED, "(5), l. 133: Delta theta = u + v N, by names of their own")},
              hint={"lemmas": (("Implies(And(0 < x, x < 1), -log(1 - x) > x)", {"x": "theta0"}),
                               ("Implies(And(e > 0, p > 0, t > 0, t < 1, b > 0, a > 0, z > t), "
                                "e*(1 - t)**2/(p**2*t)*(b/a*(z - t)) > 0)",
                                {"e": "eta", "p": "p0", "t": "theta0", "b": "beta_d", "a": "alpha_d", "z": "zeta"}),
                               "v > 0"),
                    "witness": {"N": "(c + Abs(u))/v + 1"}},
              note="What eb.sec-3.5.theta-gap leaves open: the correction exceeds every bound for large batches."),
    crossover("eb.sec-3.5.bias", "the resulting estimation bias is O(1/N_obs) and vanishes under saturation",
              (184, 184), "expansion",
              f"And(BigO(B/(n*({S})), 1/n, n, oo), limit(B/(n*({S})), n, oo) == 0)",
              (*ONE_SYSTEM, "0 < theta < 1", BIAS_NAMED),
              sources={"0 < theta < 1": "Sec. 3.4, l. 159: thetahat*, clipped to [theta_min, theta_max]"},
              hint=over_n("B", S),
              note="The right-hand side of (8) with thetahat* less that with thetahat0, at given estimates."),
    crossover("eb.eq-8.reversal", "By reversing the inequality from Proposition 3.4, we formally define the EB+ "
              "control rule", (184, 186), "inequality", iff(f"{GAP} > RHS", f"{GAP} > R(n) + 0"),
              OCCUPANCY, ("N = n", AT_THETA0, RHS, RULE), place="Section 3.5, (8)", hint={"lemmas": SAME_RULE},
              note="At delta = 0 and k0* = theta0 N_obs the rule is (7) with > for <."),
    crossover("eb.sec-3.5.delta-positive", "setting delta > 0 lowers the threshold for MB (favoring lower TTFT)",
              (188, 188), "inequality", f"Implies({GAP} > R(n) + delta, {GAP} > R(n))", (*OCCUPANCY, "delta > 0"),
              (RULE,), sources={"delta > 0": "l. 188"},
              note="Wherever the rule with delta takes EB, it does with delta = 0. What TTFT does then is measured, "
                   "not derived."),
    crossover("eb.sec-3.5.delta-negative", "delta < 0 biases the system toward EB (favoring higher token throughput)",
              (188, 188), "inequality", f"Implies({GAP} > R(n), {GAP} > R(n) + delta)", (*OCCUPANCY, "delta < 0"),
              (RULE,), sources={"delta < 0": "l. 188"},
              note="Wherever the rule takes EB with delta = 0, it does with delta < 0."),
    crossover("eb.sec-3.5.light", "under light traffic loads, the RHS is large, causing EB+ to safely default to MB",
              (190, 190), "limit", "limit(R(n), n, 0, '+') == oo", (*ONE_SYSTEM, *SOLVED), (PSI, RULE),
              severity="substantive", corrected_by="eb.sec-3.5.light.corrected",
              note="As N_obs -> 0 the right-hand side of (8) goes to -infinity, and EB+ takes EB, once " + SIGN
                   + UNBOUNDED + RAW_8),
    crossover("eb.sec-3.5.heavy", "As traffic load increases and N_obs grows, the RHS shrinks; once resource "
              "contention dominates, the system dynamically shifts to EB", (190, 190), "limit",
              f"And(StrictlyDecreasing(R(n), n, n > 0), Implies({GAP} > delta, Exists(M, M > 0, ForAll(n, n > M, "
              f"{GAP} > R(n) + delta))))", (*ONE_SYSTEM, *SOLVED), (PSI, RULE), severity="substantive",
              corrected_by="eb.sec-3.5.heavy.corrected",
              note="The right-hand side of (8) rises with N_obs once " + SIGN + UNBOUNDED + "Contention dominates: the "
                   "marginal-cost gap exceeds delta. " + RAW_8),
    imprecise("eb.sec-3.5.drift", "Independently, beta_MB^e_hat(rhat) continuously tracks workload drift via the "
              "shifting decode ratio", (190, 190), "algorithm", ("eb.sec-3.5.drift.ratio", "eb.sec-3.5.drift.cost"),
              "Weak reading: rhat moves with the mean output length. Strong reading: the marginal cost tells any two "
              "decode ratios apart."),
    crossover("eb.sec-3.5.drift.ratio", "via the shifting decode ratio", (188, 190), "algorithm",
              "And(StrictlyIncreasing(m/(mu_L + m), m, m > 0), StrictlyDecreasing(mu_O/(l + mu_O), l, l > 0))", MU),
    crossover("eb.sec-3.5.drift.cost", "beta_MB^e_hat(rhat) continuously tracks workload drift", (190, 190),
              "algorithm", "Implies(r != s, c0 + c1*r + c2*r**2 != c0 + c1*s + c2*s**2)",
              ("0 < r < 1", "0 < s < 1", "c0 > 0", "c0 + c1 + c2 > 0", "c2 < 0"),
              sources={"c0 > 0": "K(0), a time", "c0 + c1 + c2 > 0": "App. A.3, l. 504: K(1) > 0",
                     "c2 < 0": "App. A.3, l. 504: kappa is negative on most GPUs",
                     "0 < r < 1": "Sec. 1, l. 32: the decode ratio of a mixed batch", "0 < s < 1": "another one"},
              severity="substantive", corrected_by="eb.sec-3.5.drift.ratio",
              note="One cost stands for two ratios: the concave K(r) = 1 + r - r^2 has 1.24 at r = 0.4 and at r = "
                   "0.6, so that by itself it does not tell which way a workload has moved. Strong reading; Figure 2 "
                   "and App. A.3 have a cost that rises and falls between pure prefill and pure decode. Raw line 190: "
                   "'continuously tracks workload drift via the shifting decode ratio'; independent use: App. A.4, l. "
                   "512, beta(r) = c0 + c1 r + c2 r^2."),
    imprecise("eb.sec-3.5.endpoints", "EB+ cleanly subsumes both EB(khat*) and MB as theoretical endpoints, seamlessly "
              "recovering the superior scheduling discipline regime-by-regime", (190, 190), "theorem",
              ("eb.sec-3.5.endpoints.zero", "eb.sec-3.5.endpoints.any"),
              "With exact estimates. Weak reading: at delta = 0 the rule takes EB exactly where (4)'s throughput at "
              "k0* = theta0 N_obs is the higher one. Strong reading: at every margin delta, the paper's own 1e-5 (l. "
              "512) included."),
    crossover("eb.sec-3.5.endpoints.zero", "recovering the superior scheduling discipline regime-by-regime", (190, 190),
              "theorem", iff("TP_EB > TP_MB", f"{GAP} > R(n)"), OCCUPANCY,
              ("N = n", AT_THETA0, TP_MB, TP_EB, RHS, RULE),
              hint={"lemmas": (*SAME_RULE, *compared(FIXED_MB, FIXED_EB, "<"))}),
    crossover("eb.sec-3.5.endpoints.any", "recovering the superior scheduling discipline regime-by-regime", (190, 190),
              "theorem", iff("TP_EB > TP_MB", f"{GAP} > R(n) + delta"), (*OCCUPANCY, *SOLVED),
              (PSI, "N = n", AT_THETA0, TP_MB, TP_EB, RULE), severity="substantive",
              corrected_by="eb.sec-3.5.endpoints.zero",
              note="The paper's own margin, delta = 1e-5, is as large as the |LHS - RHS| that it finds typical, 1e-6 "
                   "to 1e-5 (l. 512): where EB's lead lies in that range the rule keeps MB, the slower one. So does "
                   "any delta > 0 for a gap between the right-hand side and that plus delta. " + RAW_8),
)

CORRECTED: tuple[tuple[Any, ...], ...] = (
    ("eb.sec-3.5.rhs.positive", (182, 182), "inequality", "RHS > 0", (*ONE_SYSTEM, "N > 0", CHEAP),
     (AT_THETA0, RHS), {}),
    ("eb.sec-3.5.light", (190, 190), "limit", "limit(R(n), n, 0, '+') == oo", (*ONE_SYSTEM, CHEAP), (COSTS, RULE),
     {"rate": {"n": (f"A/({S})", "0", "1")}}),
    ("eb.sec-3.5.heavy", (190, 190), "limit",
     f"And(StrictlyDecreasing(R(n), n, n > 0), Implies({GAP} > delta, Exists(M, M > 0, ForAll(n, n > M, "
     f"{GAP} > R(n) + delta))))", (*ONE_SYSTEM, CHEAP), (COSTS, RULE),
     {"witness": {"M": f"A/(({S})*({GAP} - delta))"},
      "lemmas": (("Implies(And(a > 0, s > 0, g > 0, n > a/(s*g)), a/(n*s) < g)",
                  {"a": "A", "s": S, "g": f"{GAP} - delta", "n": "n"}, f"And({GAP} > delta, n > 0)"),)}),
)
CORRECTIONS = tuple(
    crossover(f"{id}.corrected", "", lines, kind, goal, where, let,
              sources={CHEAP: "added: the bracket of (7) is positive at k0* = theta0 N"}, corrects=id, hint=hint,
              note="Where a mixed batch is not too dear to launch.")
    for id, lines, kind, goal, where, let, hint in CORRECTED)

CLAIMS: tuple[Claim, ...] = (*MIXED, *COMPARED, *SWITCH, *CORRECTIONS)
