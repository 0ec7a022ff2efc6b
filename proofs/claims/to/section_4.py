"""Section 4: engines in parallel, two types of requests, and networks of agents."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .wording import NO_AXIOM, claim, correction, given, refuted

S42, S43 = "Section 4.2", "Section 4.3"
MEANS = ("m_p1 >= 1", "m_d1 >= 1", "m_p2 >= 1", "m_d2 >= 1", "l1 >= 0", "l2 >= 0", "b >= 1", "t_b >= 1")
BALANCE = ("dZ_p1 == l1 - dB_p1/m_p1", "dZ_d1 == dB_p1/m_p1 - dB_d1/m_d1", "dZ_p2 == l2 - dB_p2/m_p2",
           "dZ_d2 == dB_p2/m_p2 - dB_d2/m_d2", "dB_p1 >= 0", "dB_d1 >= 0", "dB_p2 >= 0", "dB_d2 >= 0")
FULL = "dB_p1 + dB_d1 + dB_p2 + dB_d2 == b/t_b"
LOAD = "l1*(m_p1 + m_d1) + l2*(m_p2 + m_d2) < b/t_p"
SAME = "t_p == t_b"
SOURCES = {
    **dict.fromkeys(MEANS[:4], "Sec. 4.2, l. 260, and Sec. 2.1, l. 77: mean token sizes"),
    **dict.fromkeys(MEANS[4:6], "Sec. 4.2, l. 260: an arrival rate"),
    **dict.fromkeys(MEANS[6:], "Sec. 2.1, l. 100, and Sec. 2.2, l. 156"),
    **dict.fromkeys(BALANCE[:4], "(C.10), (C.11) and (C.13), l. 516 to 519, type by type ('developed similarly', l. "
                                 "264)"),
    **dict.fromkeys(BALANCE[4:], "(C.12), l. 518, type by type"),
    FULL: "l. 270, where f(t) > 0", LOAD: "(4.2), l. 262", SAME: "App. C, l. 474: t_p is the processing time of a full "
    "batch; l. 274 has b/t_b"}
DELTA = "delta = b/t_b - l1*(m_p1 + m_d1) - l2*(m_p2 + m_d2)"
PRINTED_SLOPE = "df = m_p1*dZ_p1 + (m_p1 + m_d1)*dZ_d1 + m_p2*dZ_p2 + (m_p2 + m_d2)*dZ_d2"
TOKENS_SLOPE = "df = (m_p1 + m_d1)*dZ_p1 + m_d1*dZ_d1 + (m_p2 + m_d2)*dZ_p2 + m_d2*dZ_d2"
RAW = ("Raw line 266: 'm_p^j Z_p^j(t) + (m_p^j + m_d^j) Z_d^j(t)', in both transcriptions. Independent uses: l. 563 "
       "(C.19) "
       "and l. 678 (f^k) have the same weights. A request in prefill has m_p + m_d tokens to come, one in decode m_d. ")
# at a time t of one type, the other absent: the path of a single engine
PATH = ("f0 >= 0", "Z_p0 >= 0", "Z_d0 >= 0", "Z_p >= 0", "Z_d >= 0", "t >= 0", "Z_p == Z_p0 + l1*t - B_p/m_p1",
        "Z_d == Z_d0 + B_p/m_p1 - B_d/m_d1", "B_p >= 0", "B_d >= 0", "B_p + B_d == t*b/t_b")
PATH_SOURCES = {
    "f0 >= 0": "a workload", **dict.fromkeys(PATH[1:5], "App. C.3, l. 614"), "t >= 0": "l. 276",
    PATH[6]: "(C.10) and (C.13), l. 516 and 519", PATH[7]: "(C.11) and (C.13), l. 517 and 519",
    **dict.fromkeys(PATH[8:10], "(C.12), l. 518"), PATH[10]: "l. 270, while f(t) > 0"}
ONE_TYPE = ("m_p1 >= 1", "m_d1 >= 1", "l1 >= 0", "b >= 1", "t_b >= 1")

# (4.4) and (4.5): works of a short and a long visit in slots, and the rate of each type at rho = 0.9
SHORT, LONG, RATE = "s = (32 + 32)/768", "w = (512 + 32)/768", "r = 9/10/(s + w)"
CYCLE = (SHORT, LONG, RATE,
         "drain = w/(1 - r*w)",  # the long visits of one type, 1 at first, with arrivals that pass the other engine
         "behind = r*drain",  # short visits of the other type that wait meanwhile
         "empty = behind*s/(1 - r*s)",  # they are served alone then
         "grown = (behind + r*empty) - empty/w")  # and wait for their long visit when the last short one is done
FLUID = ("In the fluid model with the printed priorities: from one unit of type B before its long visit, and nothing "
         "else, "
         "agent 1 serves it for w/(1 - rho_l) slots, with rho_l = r w; type A waits at agent 1, and then passes it at "
         "1/s = 12 a slot, of which agent 2 serves 1/w; type B stands still meanwhile. ")
NO_WEAK = ("In the fluid model it is to.sec-4.3.rs-cycle. That the token-level chain follows is not by Dai (1996): its "
           "criterion asks that every fluid path from 0 leaves it, and the path that stays at 0 is one, for rho < 1. "
           "Theorems that follow one unstable path (Meyn, 1995; Puhalskii and Rybko, 2000) are not among the axioms; "
           "their hypotheses are about fluid limits, which the language has not. Tried: the priorities make the long "
           "visits a virtual station (to.sec-4.3.rs-virtual), exactly where a batch is one token; with b = 768 a batch "
           "that type B does not fill takes type A's tokens as well, and with visits of equal size both long classes "
           "can begin together again and again. Proved: to.sec-4.3.wc-not-all-stable, of another such network, for "
           "almost every path. ")

CLAIMS: tuple[Claim, ...] = (
    given("to.sec-4.networks-optimal", "Section 4", "We show that work-conserving scheduling algorithms can still "
          "achieve "
          "maximal throughput in several network scenarios.", 242, "theorem", "imprecise", "The scenarios are those of "
          "Proposition 1 and Section 4.2; each is judged there.", ("to.prop-1", "to.sec-4.2.dtmc")),
    given("to.prop-1", "Proposition 1", "Fix a load balancing algorithm and a work-conserving (K_p, K_d)-FCFS "
          "scheduling "
          "algorithm that is used in all engines. The DTMC describing the system is stable under load condition (4.1).",
          254, "theorem", "imprecise", "Strong reading: whatever algorithm routes the requests (false). Weak: for the "
          "three that Section 4.1 names.", ("to.prop-1.any", "to.prop-1.named")),
    refuted("to.prop-1.any", "Proposition 1", "Fix a load balancing algorithm", 254, "theorem",
            "lam_1*(m_p + m_d) <= b/t_b",
            ("K == 2", "m_p >= 1", "m_d >= 1", "b >= 1", "t_b >= 1", "lam_1 >= 0", "lam_2 >= 0",
             "(lam_1 + lam_2)*(m_p + m_d) < K*b/t_b"), corrected_by="to.prop-1.random",
            sources={"K == 2": "l. 246: K engines", "lam_1 >= 0": "l. 246: the requests routed to engine 1, a slot",
                     "lam_2 >= 0": "l. 246: those to engine 2", "(lam_1 + lam_2)*(m_p + m_d) < K*b/t_b": "(4.1), l. "
                     "248"},
            hint={"point": {"K": "2", "m_p": "1", "m_d": "1", "b": "3", "t_b": "1", "lam_1": "2", "lam_2": "0"}},
            note="A balancer that sends every request to engine 1 overloads it, lambda_1 (m_p + m_d) > b/t_b. Raw line "
                 "254: 'Fix a load balancing algorithm'; independent use: line 246, 'Requests can be routed to any one "
                 "of these LLM engines through a load balancing algorithm', with examples in line 250."),
    claim("to.prop-1.random", "Proposition 1", "", 254, "theorem", "lam/K*(m_p + m_d) < b/t_b",
          ("K in naturals", "K >= 1", "lam*(m_p + m_d) < K*b/t_b"),
          hint={"lemmas": (("Implies(And(k > 0, x < k*y), x/k < y)", {"k": "K", "x": "lam*(m_p + "
                                                                                     "m_d)", "y": "b/t_b"}),)},
          note="Under random routing each engine is one of Section 2 with arrival rate lambda/K, and meets (2.7)."),
    given("to.prop-1.named", "Proposition 1", "Fix a load balancing algorithm", 254, "theorem", "unknown",
          "Its printed sketch fails: to.app-C.5.jsq-one-arrivals, to.app-C.5.jsq-two. Proved by Foster's theorem for "
          "each of the three, for two engines, bounded sizes, a second moment of a slot's tokens and any "
          "work-conserving algorithm in each: to.prop-1.random.two-engines, to.prop-1.least-tokens.two-engines, "
          "to.prop-1.least-requests.two-engines. Open: more engines, and sizes without a bound, as for one engine (K = "
          "1 is to.thm-1a). No counterexample is known: an engine without work gets all arrivals, so that in the fluid "
          "model the tokens in all fall under each of the three."),
    claim("to.sec-4.2.rate", S42, "Under work-conserving scheduling algorithms, f(t) > 0 implies that sum_j dot "
          "B_p^j(t) + "
          "dot B_d^j(t) = b/t_b", (268, 272), "identity", "dB == b/t_b",
          ("m_p1 >= 1", "m_d1 >= 1", "m_p2 >= 1", "m_d2 >= 1", "Z_p1 >= 0", "Z_d1 >= 0", "Z_p2 >= 0", "Z_d2 >= 0",
           "Z_p1 + Z_d1 + Z_p2 + Z_d2 > 0",
           "Or(m_p1*Z_p1 + m_d1*Z_d1 + m_p2*Z_p2 + m_d2*Z_d2 <= 0, dB == b/t_b)"),
          table=SOURCES, sources={
              **dict.fromkeys(("Z_p1 >= 0", "Z_d1 >= 0", "Z_p2 >= 0", "Z_d2 >= 0"), "App. C.3, l. 614"),
              "Z_p1 + Z_d1 + Z_p2 + Z_d2 > 0": "l. 268: f(t) > 0, a positive combination of these",
              "Or(m_p1*Z_p1 + m_d1*Z_d1 + m_p2*Z_p2 + m_d2*Z_d2 <= 0, dB == b/t_b)":
                  "(C.17), l. 538, with (C.14), l. 520, for two types; dB is the sum of l. 270"},
          hint={"lemmas": ("(m_p1 - 1)*Z_p1 >= 0", "(m_d1 - 1)*Z_d1 >= 0", "(m_p2 - 1)*Z_p2 >= 0",
                           "(m_d2 - 1)*Z_d2 >= 0", "m_p1*Z_p1 + m_d1*Z_d1 + m_p2*Z_p2 + m_d2*Z_d2 > 0")}),
    refuted("to.sec-4.2.drift", S42, "Therefore, f(t) > 0 implies dot f(t) = -delta", 272, "drift", "df == -delta",
            (*MEANS, *BALANCE, FULL), (PRINTED_SLOPE, DELTA), table=SOURCES,
            note=RAW + "As for one type: to.prop-2a.drift."),
    correction("to.sec-4.2.drift", S42, 272, "drift", "df == -delta",
               ("m_p1 > 0", "m_d1 > 0", "m_p2 > 0", "m_d2 > 0", *BALANCE[:4], FULL), (TOKENS_SLOPE, DELTA),
               table=SOURCES,
               sources=dict.fromkeys(("m_p1 > 0", "m_d1 > 0", "m_p2 > 0", "m_d2 > 0"), "Sec. 4.2, l. 260"),
               note="With f(t) = sum_j ((m_p^j + m_d^j) Z_p^j(t) + m_d^j Z_d^j(t))."),
    claim("to.sec-4.2.delta", S42, "delta = b/t_b - sum_j lambda^j (m_p^j + m_d^j) > 0", (272, 274), "inequality",
          "delta > 0", (LOAD, SAME), (DELTA,), table=SOURCES),
    refuted("to.sec-4.2.empty", S42, "proving f(t) = 0 for t >= f(0)/delta", 276, "limit", "And(Z_p == 0, Z_d == 0)",
            (*ONE_TYPE, *PATH, "l1*(m_p1 + m_d1) < b/t_b", "f0 == m_p1*Z_p0 + (m_p1 + m_d1)*Z_d0",
             "t >= f0/(b/t_b - l1*(m_p1 + m_d1))"),
            table=SOURCES, sources={
                **PATH_SOURCES, "l1*(m_p1 + m_d1) < b/t_b": "(4.2), l. 262, with lambda^2 = 0",
                "f0 == m_p1*Z_p0 + (m_p1 + m_d1)*Z_d0": "l. 266, at 0 and with the second type absent",
                "t >= f0/(b/t_b - l1*(m_p1 + m_d1))": "l. 276"},
            corrected_by="to.prop-2a.empty.corrected", note=RAW + "Of one type, which suffices: to.prop-2a.empty."),
    given("to.sec-4.2.dtmc", S42, "Following the development in Section B.4, the DTMC describing the system is "
          "positive "
          "recurrent under load condition (4.2).", 276, "theorem", "unknown", NO_AXIOM + "The development is that of "
          "to.thm-1a.chain, whose Lemma 3 fails (to.lem-3). Proved: to.sec-4.2.drift.corrected; by Foster's theorem, "
          "for bounded sizes under any work-conserving algorithm, to.sec-4.2.dtmc.bounded, and for algorithms that "
          "load what there is where that is below the budget, to.sec-4.2.dtmc.loads-all. Open: the rest, as for one "
          "type (to.thm-1a)."),
    given("to.sec-4.3.fj-without-3", S43, "it is easy to see the conjecture is true for the resulting 2-agent "
          "system", 294,
          "theorem", "unknown", NO_AXIOM + "Without agent 3 three agents are left, 0, 1 and 2, not two. Each is one "
          "engine "
          "fed at rate lambda, by to.eq-C.4.start.corrected and to.prop-2a.drift.corrected. By Foster's theorem, for "
          "bounded sizes and a second moment of a slot's tokens: to.sec-4.3.fj-without-3.bounded."),
    given("to.sec-4.3.rs-unstable", S43, "the total number of tokens in this system grows without bound to infinity "
          "as time "
          "goes to infinity", 320, "limit", "unknown", NO_WEAK + "The growth factor per half cycle is that claim's."),
    claim("to.sec-4.3.rs-cycle", S43, "", (298, 320), "drift", "And(r*(s + w) == 9/10, grown > 4, grown < 41/10)", (),
          CYCLE, note=FLUID + "When the last type A request has passed agent 1, more than 4 units of type A wait for "
                      "their long visit, and nothing else but type B's short visits: the mirror image of the start, "
                      "larger by that factor."),
    claim("to.sec-4.3.rs-virtual", S43, "", (298, 320), "inequality", "And(r*(s + w) == 9/10, r*(w + w) > 161/100)", (),
          (SHORT, LONG, RATE), note="The two long visits, with priority, are never served at the same time in the "
                                    "fluid "
                                    "model (a virtual station), and need 1.61 of one engine's time; rho = 0.9 is far "
                                    "above the critical load, 19/34."),
    given("to.fig-8.up", "Figure 8", "[Up] Unstable scheduling policy's total number of request (left) and token "
          "(right) in "
          "two agents", 306, "empirical", "reported", "A plot; no number of it is in the text."),
    given("to.sec-4.3.rs-reversed", S43, "suppose one reverses the priority of two types at agents 1 and 2. One can "
          "prove "
          "that the corresponding Markov chain is positive recurrent using the fluid limit approach in Appendix "
          "B.", 322,
          "theorem", "unknown", NO_AXIOM + "First visits have priority then, so that each type's has an engine for "
          "itself, and the network is fed forward. By Foster's theorem, for bounded sizes and a second moment of a "
          "slot's tokens: to.sec-4.3.rs-reversed.bounded. Open: sizes without a bound, as Poisson ones."),
    given("to.sec-4.3.rs-reversed-bounded", S43, "As a consequence, the total number of tokens will not grow without "
                                                 "bound.",
          322, "limit", "unknown", "It follows from to.sec-4.3.rs-reversed, which is proved for bounded sizes "
          "alone: to.sec-4.3.rs-reversed.bounded. Of a positive recurrent chain the total does not tend to infinity, "
          "and yet is not bounded."),
    given("to.fig-8.down", "Figure 8", "[Down] Stable scheduling policy's total number of request (left) and token "
          "(right) "
          "in two agents at rho = 0.9", 306, "empirical", "reported", "A plot; no number of it is in the text."),
)
