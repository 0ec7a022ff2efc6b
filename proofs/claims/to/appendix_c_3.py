"""Appendices C, C.3 and C.4: fluid limits, and what Theorem 1 is made of.

Two sequences of states are the counterexamples. One request that decodes, with 2k tokens to come: |x_k| = 2k, and of
it one token is done a slot (t_1 = 1). Arrivals do not change it: they add lambda (m_p + m_d) tokens a slot at most. And
k requests that decode, with one token each to come, where the mean m_d is larger.
"""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .wording import NO_AXIOM, claim, correction, given, refuted

C3, C4 = "Appendix C.3", "Appendix C.4"
ONE_REQUEST = ("x_k is one request with 2k decode tokens to come, so that Zhat_d(0) = 1/(2k) tends to 0 and What_d(0) "
               "= "
               "1. |x| counts tokens, l. 585, and Z requests, l. 480; (C.20) is about the requests that arrive, not "
               "about those of the initial state. ")
ONE_TOKEN_EACH = ("x_k are k requests that decode, each with one token to come, so that |x_k| = k whether tokens (l. "
                  "585) or requests (l. 545) are counted, Zhat_d(0) = 1 and What_d(0) = 1, while m_d = 2: v_d is 1 or "
                  "3. (C.20) is about the requests that arrive, not about those of the initial state. ")
IF_REQUESTS = ("If |x| counted requests, against line 585, the norm would be 1, and (C.29) and (C.14) fail all the "
               "same: to.eq-C.29, to.lem-3. ")
COUNTS = ("Z_p in naturals", "Z_d in naturals", "x in naturals", "x >= 1", "Z_p + Z_d <= x")
COUNT_SOURCES = {**dict.fromkeys(COUNTS[:2], "App. C.1, l. 480: numbers of requests"),
                 "x in naturals": "App. C.3, l. 585: |x| is the total number of tokens", "x >= 1": "l. 593: |x| > 0",
                 "Z_p + Z_d <= x": "Sec. 2.2, l. 145: each request that is there has a token to come"}
UNIT = ("Raw line 610: 'Since |Zhat^{(x_k)}(0, omega)| = 1'; independent use: line 545, '|Z(0)| = Z_p(0) + Z_d(0)', "
        "with "
        "line 480, 'the number of requests', and line 585, '|x| = z_p + z_d to be the total number of tokens'. ")
MEAN = {"m_f >= 1": "Sec. 2.1, l. 77", "x > 0": "l. 593: |x| > 0", "r >= 0": "a number of tokens",
        "F >= 0": "a number of requests", "Z >= 0": "a number of requests", "e > 0": "any",
        "Abs(B - V) <= r": "(C.9): B_f(n) differs from V_f(F_f(n)) by the tokens of K_f requests and K_f more (added: "
                           "all requests are of the iid sequence)",
        "Abs(V - m_f*F) <= e*F": "(C.22), l. 600, for F_f(n) large enough",
        "Abs(W - m_f*Z) <= e*Z + r": "(C.22), l. 600 (added: all requests in the phase but K_f are untouched, and of "
                                     "the iid sequence)"}


def near(*names: str) -> tuple[tuple[str, ...], dict[str, str]]:
    return names, {n: MEAN[n] for n in names}


FRESH_F, FRESH_F_SOURCES = near("m_f >= 1", "x > 0", "r >= 0", "F >= 0", "e > 0", "Abs(B - V) <= r",
                                "Abs(V - m_f*F) <= e*F")
FRESH_W, FRESH_W_SOURCES = near("m_f >= 1", "x > 0", "r >= 0", "Z >= 0", "e > 0", "Abs(W - m_f*Z) <= e*Z + r")
RAW_F = ("Raw line 624: 'Fhat_f(t) = (1/m_f) Bhat_f(t)'; independent use: line 606, 'each unbounded set A' of states. ")
RAW_W = ("Raw line 627: 'What_f(t) = m_f Zhat_f(t)'; independent use: line 606, 'each unbounded set A' of states. ")
RAW_LEMMA = ("Raw line 627: 'What_f(t) = m_f Zhat_f(t)'. Independent use: line 606, 'each unbounded set A' of states. ")
PATH = ("Abs(E - lam*t) <= e", "Abs(F - F_l) <= e", "Abs(G - G_l) <= e", "Abs(z - z_l) <= e")
PATH_SOURCES = dict(zip(PATH, (
    "(C.22), l. 600, scaled", "(C.25), l. 620: the limit of Fhat_p", "(C.25), l. 620: the limit of Fhat_d",
    "(C.24), l. 612"), strict=True))

ANNOUNCED: tuple[Claim, ...] = (
    given("to.app-C.proved-before", "Appendix C", "Theorem 1 has been proved in Appendix A without invoking fluid "
          "limit "
          "technique when random variables in (2.1) are bounded", 476, "theorem", "imprecise",
          "Appendix A has no proof; Appendix B is meant, whose title is 'Proof of Theorem 1 Part a'. Strong reading: "
          "as "
          "it stands (false). Weak: with its constants put right, for batches of one slot and schedulers that load "
          "what they can (the drift is proved); and so is, for bounded variables, that of the sketch's f (l. 206).",
          ("to.app-B.conclusion", "to.app-B.conclusion.corrected", "to.sec-2.3.sketch-drift")),
)

LIMITS: tuple[Claim, ...] = (
    given("to.app-C.3.tails", C3, "Clearly, both light- and heavy-tailed token sizes are allowed.", 589,
          "distributional", "assumed", "Geometric laws have all moments, and power tails of index above 1 + eps have "
          "one "
          "of order 1 + eps. Theorem 1 itself asks for E[D_1^2] < infinity, l. 180."),
    given("to.eq-C.21", f"{C3}, (C.21)", "Under condition (C.20), Proposition B.8 implies the following", (589, 591),
          "theorem", "assumed", "Max of n variables with a finite moment of order 1 + eps over n: Borel and Cantelli; "
          "cited: Dai and Harrison (2020), Proposition B.8."),
    given("to.eq-C.22", f"{C3}, (C.22)", "Following the SLLN theorem", (598, 600), "theorem", "assumed",
          "The strong law of large numbers (Kolmogorov), three times."),
    claim("to.app-C.3.omega0", C3, "Denote the set Omega_0 in which the limits in (C.22) and (C.21) exist. Clearly "
          "P{Omega_0} = 1.", 602, "distributional", "P == 1",
          ("P <= 1", "P >= P_1 + P_2 - 1", "P_1 == 1", "P_2 == 1"),
          sources={"P <= 1": "a probability", "P >= P_1 + P_2 - 1": "Omega_0 is an intersection of two sets",
                   "P_1 == 1": "(C.21), l. 591", "P_2 == 1": "(C.22), l. 600"}),
    given("to.lem-1", "Lemma 1, (C.23)", "there exists a sequence {x_k} in A with |x_k| -> infinity, and a function "
          "(Bhat_p, Bhat_d) such that lim sup |B_f^{(x_k)}(t, omega) - Bhat_f(t)| = "
          "0", (606, 608), "theorem", "unknown",
          "The Arzela-Ascoli theorem, which the kernel has not. (C.23) prints B_f^{(x_k)} without its hat, l. 608. The "
          "strongest part that is proved: to.app-C.2.lip-B; (C.8) fails by at most a batch: to.eq-C.8.corrected."),
    given("to.lem-1.lipschitz", C3, "The proof follows from the Lipschitz property (C.8) and is identical to the "
          "proof of "
          "(12.37) on page 285 of (Dai & Harrison, 2020).", 610, "theorem", "unknown",
          "A proof in a book that is not at hand. (C.8) is false by at most one batch (to.eq-C.8), which vanishes in "
          "the "
          "limit."),
    refuted("to.app-C.3.unit-norm", C3, "Since |Zhat^{(x_k)}(0, omega)| = 1", 610, "identity", "(Z_p + Z_d)/x == 1",
            COUNTS, sources=COUNT_SOURCES, note=UNIT + ONE_REQUEST + IF_REQUESTS),
    correction("to.app-C.3.unit-norm", C3, 610, "identity", "(W_p + W_d + U)/x == 1", ("x >= 1", "x == W_p + W_d + U"),
               sources={"x >= 1": "l. 593: |x| > 0", "x == W_p + W_d + U": "l. 585: |x| is the total number of "
                        "tokens; U "
                        "(added) are the decode tokens of the requests in prefill"},
               note="It is the tokens whose scaled number is 1."),
    claim("to.app-C.3.compact", C3, "the sequence {Zhat^{(x_k)}(0, omega), k >= 1} is in a compact set of R^2_+", 610,
          "existence/uniqueness", "And(0 <= Z_p/x, Z_p/x <= 1, 0 <= Z_d/x, Z_d/x <= 1)", COUNTS, sources=COUNT_SOURCES,
          hint={"lemmas": (("Implies(And(x >= 1, 0 <= z, z <= x), And(0 <= z/x, z/x <= 1))", {"z": "Z_p", "x": "x"}),
                           ("Implies(And(x >= 1, 0 <= z, z <= x), And(0 <= z/x, z/x <= 1))", {"z": "Z_d", "x": "x"}))},
          note="In [0, 1]^2, though not for the printed reason: to.app-C.3.unit-norm."),
    given("to.eq-C.24", f"{C3}, (C.24)", "By taking a subsequence if needed, we will assume Z^{(x_k)}(0, omega) -> "
                                         "z", (610,
          612), "limit", "unknown", "The Bolzano-Weierstrass theorem, which the kernel has not; the sequence is in [0, "
          "1]^2: to.app-C.3.compact. Printed without the hat, l. 612."),
    refuted("to.lem-2", "Lemma 2, (C.25)", "Under any (K_p, K_d)-FCFS scheduling algorithm, (Fhat_f, What_f, Zhat_f) "
            "-> "
            "(Fhat_f, What_f, Zhat_f) u.o.c., where (C.26)-(C.29)", (618, 627), "theorem",
            "SequenceLimit(k/k - m_d*(k/k), k, 0)", ("m_d >= 1",), hint={"point": {"m_d": "2"}},
            corrected_by="to.eq-C.29.corrected",
            note="At t = 0, What_d - m_d Zhat_d along x_k. " + ONE_TOKEN_EACH + RAW_LEMMA),
    refuted("to.eq-C.26", "Lemma 2, (C.26)", "Fhat_f(t) = (1/m_f) Bhat_f(t)", 624, "theorem",
            "SequenceLimit(k/k - 1/m_d*(k/k), k, 0)", ("m_d >= 1",), hint={"point": {"m_d": "2"}},
            note="At t = 1, slot k, with b = 1, t_1 = 1 and decode tokens first: Fhat_d - Bhat_d/m_d along x_k; k "
                 "requests have completed, with k tokens. " + ONE_TOKEN_EACH + RAW_F),
    correction("to.eq-C.26", "Lemma 2, (C.26)", 624, "theorem", "Abs(B - m_f*F) <= r + e*F", FRESH_F,
               sources=FRESH_F_SOURCES, note="Divided by |x|, whose growth F is bounded by, both sides' limits agree."),
    claim("to.eq-C.27", "Lemma 2, (C.27)", "Zhat_p(t) = z_p + lambda t - Fhat_p(t)", 625, "limit",
          "Abs((z + E - F) - (z_l + lam*t - F_l)) <= 3*e".replace("E", "A"),
          tuple(c.replace("E", "A") for c in (PATH[0], PATH[1], PATH[3])),
          sources={c.replace("E", "A"): PATH_SOURCES[c] for c in (PATH[0], PATH[1], PATH[3])},
          note="For every e > 0, by to.eq-C.4.start.corrected, scaled; A is Ehat."),
    claim("to.eq-C.28", "Lemma 2, (C.28)", "Zhat_d(t) = z_d + Fhat_p(t) - Fhat_d(t)", 626, "limit",
          "Abs((z + F - G) - (z_l + F_l - G_l)) <= 3*e", PATH[1:], table=PATH_SOURCES,
          note="For every e > 0, by to.eq-C.5.start.corrected, scaled; F is Fhat_p and G is Fhat_d."),
    refuted("to.eq-C.29", "Lemma 2, (C.29)", "What_f(t) = m_f Zhat_f(t)", 627, "limit",
            "SequenceLimit(k/k - m_d*(k/k), k, 0)", ("m_d >= 1",), hint={"point": {"m_d": "2"}},
            note="At t = 0, along x_k. " + ONE_TOKEN_EACH + RAW_W),
    correction("to.eq-C.29", "Lemma 2, (C.29)", 627, "limit", "Abs(W/x - m_f*(Z/x)) <= (e*Z + r)/x", FRESH_W,
               sources=FRESH_W_SOURCES, hint={"lemmas": (
                   ("Implies(And(x > 0, Abs(y) <= s), Abs(y/x) <= s/x)", {"y": "W - m_f*Z", "s": "e*Z + r", "x": "x"}),
                   "W/x - m_f*(Z/x) == (W - m_f*Z)/x")},
               note="For initial states whose requests are at their start and of the iid sequence."),
    refuted("to.lem-2.proof-F", "Proof of Lemma 2", "For Fhat_f^{x_k} we utilize relationship (C.1). The proof is "
            "given by Lemma 6.8 of (Dai & Harrison, 2020).", 630, "theorem", "SequenceLimit(k/k - 1/m_d*(k/k), k, 0)",
            ("m_d >= 1",), hint={"point": {"m_d": "2"}}, corrected_by="to.eq-C.26.corrected",
            note="What it is to prove, (C.26), fails: to.eq-C.26. (C.1) is the load condition; (C.9) is meant. "
                 + ONE_TOKEN_EACH + "Raw line 630: 'For Fhat_f^{x_k} we utilize relationship (C.1)'. Independent use: "
                 "line 624, (C.26)."),
    refuted("to.lem-2.proof-rest", "Proof of Lemma 2", "The rest of the proof is easy to complete, following "
            "(C.4)-(C.7) and analogous to the proof of Theorem 12.13 in (Dai & Harrison, 2020).", 630, "theorem",
            "SequenceLimit(k/k - m_d*(k/k), k, 0)", ("m_d >= 1",), hint={"point": {"m_d": "2"}},
            corrected_by="to.eq-C.29.corrected",
            note="The rest is (C.27) to (C.29), and (C.29) fails: to.eq-C.29; (C.27) and (C.28) hold. "
                 + ONE_TOKEN_EACH + "Raw line 630: 'The rest of the proof is easy to complete'. Independent use: line "
                 "627, (C.29)."),
    refuted("to.lem-3", "Lemma 3", "each fluid limit satisfies fluid model equations (C.10)-(C.17)", 638, "theorem",
            "SequenceLimit(k/k - m_d*(k/k), k, 0)", ("m_d >= 1",), hint={"point": {"m_d": "2"}},
            corrected_by="to.eq-C.29.corrected",
            note="(C.14) fails at t = 0; of another sequence (C.17) after it (to.lem-3.wc). " + ONE_TOKEN_EACH
                 + "Raw line 638: 'each fluid limit satisfies fluid model equations (C.10)-(C.17)'; independent use: "
                 "Definition 5, l. 634, allows 'a sequence of initial states' without a condition."),
    given("to.lem-3.first", "Proof of Lemma 3", "The fluid limit satisfies fluid model equations (C.10)-(C.15) is "
          "covered "
          "in (C.26)-(C.29).", 642, "identity", "imprecise", "Weak reading: those of them that (C.26) to (C.29) speak "
          "of "
          "(true). Strong: each, (C.12) included (false; it is of Lemma 1).",
          ("to.lem-3.first.equations", "to.lem-3.first.bounds")),
    claim("to.lem-3.first.equations", "Proof of Lemma 3", "(C.10)-(C.15) is covered in (C.26)-(C.29)", 642, "identity",
          "And(Z_p == Z_p0 + lam*t - F_p, Z_d == Z_d0 + F_p - F_d, F_p == B_p/m_p)",
          ("Z_p == z_p + lam*t - F_p", "Z_d == z_d + F_p - F_d", "F_p == B_p/m_p", "Z_p0 == z_p", "Z_d0 == z_d"),
          sources={"Z_p == z_p + lam*t - F_p": "(C.27), l. 625", "Z_d == z_d + F_p - F_d": "(C.28), l. 626",
                   "F_p == B_p/m_p": "(C.26), l. 624", "Z_p0 == z_p": "(C.24), l. 612", "Z_d0 == z_d": "(C.24), l. "
                   "612"}),
    refuted("to.lem-3.first.bounds", "Proof of Lemma 3", "(C.10)-(C.15) is covered in (C.26)-(C.29)", 642, "identity",
            "B_p <= t*b/t_b", ("Z_p == z_p + lam*t - F_p", "F_p == B_p/m_p", "m_p >= 1", "t > 0", "b >= 1", "t_b >= 1",
                               "Z_p >= 0", "z_p >= 0"), corrected_by="to.eq-C.8.corrected",
            sources={"Z_p == z_p + lam*t - F_p": "(C.27), l. 625", "F_p == B_p/m_p": "(C.26), l. 624",
                     "z_p >= 0": "l. 614"},
            note="(C.12) does not follow from (C.26) to (C.29); it is the limit of (C.8). Raw line 642: 'is covered in "
                 "(C.26)-(C.29)'; independent use: line 610, where Lemma 1 has it from (C.8)."),
    refuted("to.lem-3.wc", "Proof of Lemma 3", "each work-conserving fluid limit satisfies (C.17). The proof of the "
            "latter "
            "is analogous to the proof of Theorem 7.2 of (Dai & Harrison, 2020).", 642, "theorem",
            "SequenceLimit((k/(2*k))/(1/2), k, b)", ("b >= 2",), sources={"b >= 2": "Sec. 2.1, l. 102: b = 256, 512; "
                                                                          "t_b' = 1"},
            note="The rate of Bhat_d between 0 and 1/2 along x_k, where What_d > 0: one token a slot, not b. Raw line "
                 "642: "
                 "'each work-conserving fluid limit satisfies (C.17)'; independent use: (C.2), l. 488, has W_p + Z_d, "
                 "requests and not tokens in the decode phase. " + ONE_REQUEST + "If |x| counted requests: k - 1 "
                 "requests of one token beside one of k, when those are done."),
    correction("to.lem-3.wc", "Proof of Lemma 3", 642, "theorem", "W_p + Z_d >= b",
               ("x > 0", "e > 0", "W_p/x + Z_d/x >= e", "x >= b/e"),
               sources={"x > 0": "l. 593: |x| > 0", "e > 0": "any", "W_p/x + Z_d/x >= e": "added: prefill tokens or "
                        "decoding requests, scaled, are positive in the limit", "x >= b/e": "|x_k| -> infinity"},
               hint={"lemmas": (("Implies(And(x > 0, u/x + v/x >= e), u + v >= e*x)", {"u": "W_p", "v": "Z_d", "e": "e",
                                                                                       "x": "x"}),
                                ("Implies(And(e > 0, x >= b/e), e*x >= b)", {"e": "e", "x": "x", "b": "b"}))},
               note="Then (C.2) asks for full batches: dot Bhat_p + dot Bhat_d = b/t_b where What_p + Zhat_d > 0."),
)

THEOREM: tuple[Claim, ...] = (
    given("to.prop-3", "Proposition 3", "If the fluid limits are stable, then the corresponding DTMC in Section 2.2 is "
          "positive recurrent.", 656, "theorem", "unknown", NO_AXIOM + "With one request of 2k decode tokens the fluid "
          "limits are not those of the fluid model: to.lem-3."),
    given("to.prop-3.lyapunov", "Proof of Proposition 3", "The Lyapunov function used in Lemma 3.7 of (Dai & Harrison, "
          "2020) in the continuous setting can be copied verbatim in the current setting", 660, "theorem", "unknown",
          "A proof in a book that is not at hand."),
    given("to.eq-C.31", f"{C4}, (C.31)", "{E(n)/n, n >= 1} is uniformly integrable", (660, 662), "distributional",
          "assumed", "The averages of an integrable iid sequence are uniformly integrable (a reversed martingale): "
          "Doob."),
    given("to.prop-3.first-moment", "Proof of Proposition 3", "one concludes that Proposition B.5 continues to hold "
          "under "
          "the first moment assumption on a_n as in (2.2)", 664, "theorem", "assumed",
          "Cited: Dai and Harrison (2020), Proposition B.5; Dai (1995), Lemma 4.5."),
    refuted("to.thm-1a.unit-norm", "Proof of Theorem 1(a)", "each fluid limit satisfies |Z(0)| = 1 and fluid model "
            "equations (C.10)-(C.17)", 668, "theorem", "SequenceLimit(1/(2*k), k, 1)",
            corrected_by="to.app-C.3.unit-norm.corrected",
            note="|Zhat(0)| along x_k. " + ONE_REQUEST + "Raw line 668: 'satisfies |Z(0)| = 1'; independent use: line "
                 "545, |Z(0)| = Z_p(0) + Z_d(0). " + IF_REQUESTS),
    given("to.thm-1a.chain", "Proof of Theorem 1(a)", "The fluid model has been shown stable under the load condition "
          "(C.1). Therefore the fluid limits are stable. By Proposition 3, the DTMC is positive recurrent.", 668,
          "theorem", "unknown", NO_AXIOM + "The middle step needs Lemma 3, which fails (to.lem-3); the first one's "
          "printed proof fails too (to.prop-2a.drift), and its steps are proved with the weights put right."),
    given("to.thm-1b.chain", "Proof of Theorem 1(b)", "the proof of Theorem 3.2 of (Dai, 1996) can be adapted to "
          "conclude "
          "Part (b)", 670, "theorem", "unknown", "That a proof can be adapted is no statement. What it uses fails: "
          "to.lem-3 "
          "and to.prop-2b; and so does the conclusion, to.thm-1b. Put right, it needs no fluid limit: "
          "to.thm-1b.corrected."),
)

CLAIMS: tuple[Claim, ...] = (*ANNOUNCED, *LIMITS, *THEOREM)
