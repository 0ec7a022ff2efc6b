"""Section 2: the model, its Markov chain, and Theorem 1."""

from __future__ import annotations

from typing import Any

from qtheory.proofs.claims.cases import Run
from qtheory.proofs.claims.model import Claim

from . import overload
from . import section_2_runs as runs
from .algorithms import FEASIBLE, sarathi_mixes
from .schedulers import sarathi
from .section_3 import rule
from .wording import RATES, claim, correction, given, refuted

S1, S2, S3 = "Section 2.1", "Section 2.2", "Section 2.3"
LAW = ("c > 0", "a >= 0", "b_0 >= 0")
BATCH = ("x >= 1", "x <= b")
SOURCES = {"c > 0": "(2.3), l. 114: a processing time", "a >= 0": "(2.3), l. 114: time for a token",
           "b_0 >= 0": "(2.3), l. 114: a token load", "x >= 1": "Sec. 2.1, l. 100: a batch of b' tokens",
           "x <= b": "(2.5d), l. 137"}
PIECEWISE = "Or(And({0} <= b_0, {1} == c), And({0} > b_0, {1} == c + a*({0} - b_0)))"
TIMES = (PIECEWISE.format("x", "t_x"), PIECEWISE.format("b", "t_b"))
TIMES_SOURCES = dict.fromkeys(TIMES, "(2.3), l. 114, at the load b' and at b, case by case")
STEEP = "added: a load of b_0 tokens is no more efficient than further tokens are"
SLOT = "Or(And(R > 0, S == 0, R1 == R - 1), And(R == 0, S == b, R1 == t_b - 1))"
FEW = {"P + N < b": "of a state in C: P is sum_i p_i, N is sum_i 1(p_i = 0)", "P >= 0": "tokens", "N >= 0": "a count",
       "q <= P + N": "its q requests: each has a prefill token or counts in N", "q >= 0": "a count",
       "T <= D*q": "its decode tokens; l. 204: all random variables in (2.1) are bounded, v_d by D",
       "D >= 1": "Sec. 2.1, l. 77: v_d(i) in N"}
TOKENS = ("p in naturals", "d in naturals", "dp in naturals", "dd in naturals")
TOKEN_SOURCES = dict.fromkeys(TOKENS, "Sec. 2.2, l. 124 and l. 132: numbers of tokens")
A = ("Or(p <= 0, dd == 0)", "dp <= p", "dd <= 1")
A_SOURCES = dict(zip(A, ("(2.5a), l. 134", "(2.5b), l. 135", "(2.5c), l. 136"), strict=True))
RAW_RATE = ("Raw line 194: 'b/t_b represents the maximal token processing rate'; independent use: (2.3), l. 114, "
            "leaves (c, a, b_0) free, and line 116 says that they 'depend on the LLM model and configuration'. ")
OVER = ("Where c < a b_0 a batch of b_0 tokens is the most efficient one. At c = 1, a = 1, b_0 = 2, b = 4 the rate is "
        "2 at two tokens and 4/3 at four, and a load of 3/2 is carried for ever by Sarathi-Serve, whose batches "
        "happen to be small. The constants of line 116 have c = 45.5 > a b_0 = 19.2. ")
PRINTED_TIMES = ("t_x = c + a*Max(0, x - b_0)", "t_b = c + a*Max(0, b - b_0)")


def measured(id: str, place: str, line: int, quote: str, kind: str = "empirical", note: str = "") -> Claim:
    return given(id, place, quote, line, kind, "reported", note)


def judged(id: str, line: int, quote: str, kind: str, run: Run, **more: Any) -> Claim:
    return Claim(id, more.pop("place", S3), quote, (line, line), kind, run=run, **more)


SETUP: tuple[Claim, ...] = (
    measured("to.sec-2.load-only", "Section 2", 73, "the processing time of a batch depends primarily on the total "
             "number of tokens, rather than the specific contents of the batch. Moreover, the relationship is "
             "piecewise linear"),
    given("to.sec-2.1.continuous-time", S1, "The discrete-time model is introduced for simplicity. Extending it to "
          "continuous time is straightforward.", 85, "theorem", "unknown",
          "No statement of its own: it says that a proof is easy, of a model that is not written down."),
    *(claim(f"to.sec-2.1.constraints-2.5{part}", S1, "the following feasible constraints: (defined mathematically in "
            "Eq.(2.5))", 87, "identity", f"And({', '.join(goal)})", (*TOKENS, *where),
            sources={**TOKEN_SOURCES, **sources}, note=note)
      for part, goal, where, sources, note in (
        ("", A, ("Or(dd < 1, p == 0)", "dp <= p", "dd < 2"),
         {"Or(dd < 1, p == 0)": "(a), l. 91: all prefill tokens before the first decode token",
          "dp <= p": "(a), l. 91: only unprocessed tokens", "dd < 2": "(b), l. 95: no two decode tokens"},
         "(a) and (b) for the numbers of tokens of a request give (2.5a) to (2.5c); the converse is "
         "to.sec-2.1.constraints-2.5.converse. The order of tokens, of which (a) speaks, is no matter of numbers."),
        (".converse", ("Or(dd < 1, p == 0)", "dp <= p", "dd < 2"), A, A_SOURCES, "(2.5a) to (2.5c) give (a) and (b)."),
    )),
    rule("to.sec-2.1.sarathi", 102, "Sarathi-Serve prioritizes decoding requests when loading a batch while allowing "
         "prefill tokens to be appended in a first-come, first-served manner up to the token budget b", sarathi,
         f"decode tokens first, then prefill tokens first come first served up to the budget, {FEASIBLE}",
         sarathi_mixes, place=S1),
    measured("to.fig-3.constant", "Figure 3", 105, "Batch processing time remains relatively constant for a given "
             "token budget (when the LLM is at full token load)"),
    measured("to.fig-3.cov", "Figure 3", 105, "the CoV (coefficient of variation) becomes even smaller given larger "
             "models"),
    measured("to.fig-4", "Figure 4", 108, "R^2 is above 0.985 for all cases"),
    measured("to.sec-2.1.constants", S1, 116, "we observe c = 45.5 ms, a = 0.30, and b_0 = 64 ms/token", "table value",
             "Measured. By (2.3) b_0 is a number of tokens and a a time for a token: the unit ms/token belongs to a. "
             "What follows from them: to.sec-2.1.constants.efficient, to.fig-1.printed-constants."),
    claim("to.sec-2.1.constants.efficient", S1, "", 116, "inequality", "And(c >= a*b_0, c - a*b_0 == 263/10)",
          ("c == 455/10", "a == 3/10", "b_0 == 64"),
          sources=dict.fromkeys(("c == 455/10", "a == 3/10", "b_0 == 64"), "l. 116"),
          note="With the printed constants b'/t_b' grows with b': the hypothesis of to.sec-2.3.max-rate.corrected."),
    measured("to.sec-2.1.mlp-dominance", S1, 118, "The strong agreement between equation (2.3) and real processing "
             "times is due to the dominance of linear-layer computations"),
)

CHAIN: tuple[Claim, ...] = (
    claim("to.sec-2.2.meaning-2.5a", S2, "Eq. 2.5a requires prefill tokens to be completed before decoding", 139,
          "inequality", "p <= 0", (*TOKENS, A[0], "dd >= 1"),
          sources={**TOKEN_SOURCES, A[0]: A_SOURCES[A[0]], "dd >= 1": "l. 139: a decode token is loaded"}),
    claim("to.sec-2.2.meaning-2.5b", S2, "Eq. 2.5b bounds batched tokens within unprocessed ones", 139, "inequality",
          "And(p - dp >= 0, d - dd >= 0)", (*TOKENS, *A[1:], "d >= 1"),
          sources={**TOKEN_SOURCES, A[1]: A_SOURCES[A[1]], A[2]: A_SOURCES[A[2]],
                   "d >= 1": "l. 145: a request without decode tokens has left"},
          note="For decode tokens (2.5c) does it, as a request that is there has one left."),
    claim("to.sec-2.2.meaning-2.5c", S2, "Eq. 2.5c enforces sequential decoding", 139, "inequality", "d - dd >= d - 1",
          (*TOKENS, A[2]), sources={**TOKEN_SOURCES, A[2]: A_SOURCES[A[2]]}, note="At most one step of a request's "
          "decoding in a batch."),
    claim("to.sec-2.2.meaning-2.5d", S2, "and Eq. 2.5d sets the token budget constraint", 139, "inequality", "x <= b",
          ("x == S", "S <= b"), sources={"x == S": "(2.5d), l. 137: b' is the sum", "S <= b": "(2.5d), l. 137"}),
    Claim("to.sec-2.2.dtmc", S2, "Assume the iid assumption (2.1), under any scheduling algorithm, {X_n : n in N} is a "
          "DTMC.", (156, 156), "distributional", run=runs.markov_run, says=runs.MARKOV,
          note="By (2.4) to (2.6) X(n+1) is a function of X(n) and of slot n's arrivals, which are independent of the "
               "past; the requests' order is part of the state."),
)

OPTIMAL: tuple[Claim, ...] = (
    given("to.sec-2.3.main", S3, "a class of 'work-conserving' scheduling algorithms can (almost) achieve the system's "
          "maximal throughput rate", 162, "theorem", "imprecise",
          "'(Almost)' and 'maximal' are Theorem 1's two halves: every load below b/t_b is carried, and none above.",
          ("to.thm-1a", "to.thm-1b")),
    rule("to.sec-2.3.no-waste", 170, "whenever possible, pi will not waste the bandwidth: it will serve up to the "
         "token "
         "budget. This is achieved by allowing batches that can mix prefill- and decode-tokens.", sarathi,
         "a batch of min{b, sum_i p_i + 1(p_i = 0)} tokens, mixed where need be", sarathi_mixes,
         "Of Sarathi-Serve's rule, at the states where b tokens can be loaded and at all others.", S3),
    given("to.sec-2.3.kfcfs-values", S3, "The exact values of (K_p, K_d) are not important in our "
          "fluid limit analysis.", 174, "theorem",
          "imprecise", "Strong reading: whatever K_p, K_d >= 1, the class has work-conserving algorithms (false). "
          "Weak: so for all K_p, K_d >= b (checked).",
          ("to.sec-2.3.kfcfs-values.any", "to.sec-2.3.kfcfs-values.large")),
    judged("to.sec-2.3.kfcfs-values.any", 174, "The exact values of (K_p, K_d) are not important in our fluid "
           "limit analysis.", "theorem",
           runs.any_k_run, says=runs.EVERY_K, severity="substantive", corrected_by="to.sec-2.3.kfcfs-values.large",
           note="With K_d < b no (K_p, K_d)-FCFS algorithm is work-conserving: b requests that decode need b tokens of "
                "b requests in a batch. Raw line 174: 'K_p, K_d >= 1'; independent use: Theorem 1, l. 184, 'any "
                "work-conserving (K_p, K_d)-FCFS algorithm', a class that is empty for K_p < b or K_d < b."),
    judged("to.sec-2.3.kfcfs-values.large", 174, "The exact values of (K_p, K_d) are not important in our fluid "
           "limit analysis.", "theorem",
           runs.large_k_run, says=runs.LARGE_K, corrects="to.sec-2.3.kfcfs-values.any"),
    judged("to.sec-2.3.irreducible", 176, "This condition is easily satisfied by assuming P{a_n = 0} > 0 because the "
           "work-conserving policy will empty the queue eventually if there is no incoming requests.", "distributional",
           runs.irreducible_run, severity="substantive", corrected_by="to.sec-2.3.irreducible.corrected",
           note="(2.6) asks for nothing where fewer than b tokens can be loaded. Raw line 176: 'the work-conserving "
                "policy will empty the queue eventually'; independent use: (C.2), l. 488, asks for a full batch, and "
                "for nothing else."),
    judged("to.sec-2.3.irreducible.corrected", 176, "", "distributional", runs.empties_run, says=runs.EMPTIES,
           corrects="to.sec-2.3.irreducible", note="Then the empty state is reached from every state; irreducible is "
           "the chain on the states that are reached from it."),
    given("to.thm-1a", "Theorem 1(a)", "Then the DTMC {X_n, n in N} is positive recurrent under any work-conserving "
          "(K_p, K_d)-FCFS algorithm.", (180, 184), "theorem", "unknown",
          "Both printed proofs fail: Appendix B's at to.app-B.conclusion, the one by fluid limits at to.lem-3. Proved "
          "by Foster's theorem: for v_d bounded, under any work-conserving algorithm, to.sec-2.3.sketch-foster; and "
          "as it stands for algorithms that also load what there is where that is below the budget, "
          "to.thm-1a.loads-all, as those that Section 3 names do. Open: sizes without a bound, and an algorithm that "
          "leaves tokens out then: with one request of d decode tokens it may idle, whatever d, so that no function "
          "of the tokens falls there in one step. No counterexample is known. Tried: never to load the longest "
          "request unless it must; it seems that requests which are long enough, with short ones after them, bring it "
          "to exactly b tokens that can be loaded, where it must, at a rate that does not depend on its tokens. The "
          "class is empty for K_p < b or K_d < b: "
          "to.sec-2.3.kfcfs-values.any. D_1 of the moment assumption is not defined; v_d(1) is meant."),
    judged("to.thm-1b", 190, "(b) Assume lambda (m_p + m_d) > b/t_b. Then P{lim |X(n)| = infinity} = 1", "theorem",
           runs.overload_run, place="Theorem 1(b), (2.9)", severity="substantive",
           corrected_by="to.thm-1b.corrected",
           note=OVER + "Raw line 186: 'lambda (m_p + m_d) > b/t_b', and raw line 190, (2.9). Independent use: line "
                "194, 'when condition (2.8) is satisfied - it is evident that no scheduling algorithm can stabilize "
                "the system'."),
    claim("to.thm-1b.growth", "Theorem 1(b), (2.9)", "", (186, 190), "theorem", "X >= eta*n - b",
               ("n in naturals", "b > 0", "t_b > 0", "S <= b/t_b*T", "T <= n + t_b", "X == V - S", "eta > 0",
                "V >= (b/t_b + eta)*n"),
               sources={"n in naturals": "a slot", "b > 0": "l. 100", "t_b > 0": "l. 156", "S <= b/t_b*T":
                        "to.sec-2.3.max-rate.total: S tokens loaded in batches of T slots in all (added: c >= a b_0)",
                        "T <= n + t_b": "the batches begun by slot n", "X == V - S": "(2.9), l. 192: V tokens have "
                        "come", "eta > 0": "(2.8), l. 186: below lambda (m_p + m_d) - b/t_b",
                        "V >= (b/t_b + eta)*n": "the strong law, from some n on"},
               note="So |X(n)| grows at least linearly on every path on which the strong law holds, under every "
                    "scheduling algorithm."),
    overload.CLAIM,
    refuted("to.sec-2.3.max-rate", S3, "Note that b/t_b represents the maximal token processing rate.", 194,
            "inequality", "x/t_x <= b/t_b", (*LAW, "b in naturals", "x in naturals", *BATCH), PRINTED_TIMES,
            sources={**SOURCES, "b in naturals": "Sec. 2.1, l. 100", "x in naturals": "Sec. 2.1, l. 100"},
            hint={"point": {"c": "1", "a": "1", "b_0": "2", "b": "4", "x": "2"}}, note=RAW_RATE + OVER),
    correction("to.sec-2.3.max-rate", S3, 194, "inequality", "And(t_x > 0, t_b > 0, x*t_b <= b*t_x)",
               (*LAW, *BATCH, "c >= a*b_0", *TIMES), sources={**SOURCES, **TIMES_SOURCES, "c >= a*b_0": STEEP},
               hint={"lemmas": ("a*(b - x) >= 0", "(c - a*b_0)*(b - x) >= 0",
                                ("Implies(And(a >= 0, b >= 1, x <= b_0), a*b*(b_0 - x) >= 0)",
                                 {"a": "a", "b": "b", "b_0": "b_0", "x": "x"}))},
               note="That is b'/t_b' <= b/t_b."),
    claim("to.sec-2.3.max-rate.total", S3, "", 194, "inequality", "Sum(x(i), (i, 1, N)) <= r*Sum(t(i), (i, 1, N))",
          ("N in naturals", "x, t in functions", "ForAll(i, And(floor(i) == i, i >= 1), x(i) <= r*t(i))"),
          sources={"N in naturals": "batches", "x, t in functions": "the load and the time of a batch",
                   "ForAll(i, And(floor(i) == i, i >= 1), x(i) <= r*t(i))": "to.sec-2.3.max-rate.corrected: r is "
                   "b/t_b"},
          note="No sequence of batches is faster than r = b/t_b."),
    judged("to.sec-2.3.overload", 194, "when the system is overloaded - i.e., when condition (2.8) is satisfied - it "
           "is evident that no scheduling algorithm can stabilize the system", "limit", runs.overload_run,
           severity="substantive", corrected_by="to.thm-1b.corrected",
           note=OVER + "Raw line 194: 'when condition (2.8) is satisfied'; independent use: line 557, 'Under any "
                "scheduling algorithm'."),
    given("to.sec-2.3.sketch-two-proofs", S3, "We will provide two proofs for Part a.", (202, 204), "theorem",
          "imprecise", "A summary of proofs, each judged where it stands: the sketch's drift for bounded variables "
          "(proved), Appendix B's conclusion (false as printed), and Lemma 3 (false), on which the one by fluid limits "
          "rests.", ("to.sec-2.3.sketch-drift", "to.app-B.conclusion", "to.lem-3")),
    claim("to.sec-2.3.sketch-drift", S3, "We will show that this Lyapunov function f exhibits a negative drift "
          "whenever X(n) is not in C, for some finite set C.", (204, 208), "drift",
          "And(df < 0, q < b, P < b, T < D*b)",
          (*RATES, "lam*(m_p + m_d) < b/t_b", SLOT, *FEW), ("df = lam*(m_p + m_d) - S + (R1 - R)*b/t_b",),
          sources={SLOT: "l. 208: X(n) is not in C, the states with R = 0 and sum_i p_i + 1(p_i = 0) < b: no batch "
                         "while R > 0 (Sec. 2.2, l. 139 and 154), else b tokens (2.6), l. 166", **FEW},
          hint={"lemmas": (("Implies(And(D >= 1, q < b, T <= D*q), T < D*b)",
                            {"D": "D", "q": "q", "b": "b", "T": "T"}),)},
          note="S tokens are loaded and R1 is R(n+1). First: the drift outside C is lambda (m_p + m_d) - b/t_b. Then: "
               "C is finite, as its states have fewer than b requests, with fewer than b prefill tokens in all and at "
               "most D decode tokens each. Line 204 bounds the variables for this proof; without that C has the states "
               "(0, {(0, d)}) for every d, and the drift there can be positive: to.sec-2.3.sketch-drift.unbounded."),
    claim("to.sec-2.3.sketch-drift.unbounded", S3, "", (206, 208), "drift",
          "lam*(m_p + m_d) - 1 + (t_1 - 1)*b/t_b > 0", ("lam == 1", "m_p == 1", "m_d == 1", "b == 3", "t_b == 1",
                                                       "t_1 == 1"),
          sources=dict.fromkeys(("lam == 1", "m_p == 1", "m_d == 1", "b == 3", "t_b == 1", "t_1 == 1"),
                                "an instance that meets (2.7)"),
          note="The drift of this f at (0, {(0, d)}), whatever d is. So for Theorem 1(a), which bounds E[D_1^2] alone, "
               "this f does not do."),
    judged("to.sec-2.3.sketch-policies", 210, "it accommodates a wide class of scheduling algorithms pi, including "
           "those that make decisions based on flexible prioritization rules", "theorem",
           runs.rules_run, says=runs.RULES,
           note="Where a full batch is formed the drift does not depend on which tokens are in it. The states where "
                "none can be formed are finitely many, as the variables are bounded: to.sec-2.3.sketch-drift."),
)


CLAIMS: tuple[Claim, ...] = (*SETUP, *CHAIN, *OPTIMAL)
