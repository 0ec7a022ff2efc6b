"""Appendix C.5: the sketch of the proof of Proposition 1, K engines in parallel."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .wording import BOUNDS, CONTENT, POSITIVE, RATES, RAW_WEIGHTS, TOKENS, TOKENS_0, claim, correction, given, refuted

C5 = "Appendix C.5"
RANDOM = "dA == lam/K"
WHOLE = ("K in naturals", "K >= 1")
ENGINE = (*RATES, *WHOLE)
SLOPES = ("dZ_p == dA - dB_p/m_p", "dZ_d == dB_p/m_p - dB_d/m_d", "dB_p >= 0", "dB_d >= 0", "dB_p + dB_d == b/t_b",
          "t_p == t_b")
SLOPE_SOURCES = {
    "dZ_p == dA - dB_p/m_p": "(C.10) and (C.13), l. 516 and 519, with A^k in place of lambda t",
    "dZ_d == dB_p/m_p - dB_d/m_d": "(C.11) and (C.13), l. 517 and 519",
    "dB_p >= 0": "(C.12), l. 518", "dB_d >= 0": "(C.12), l. 518",
    "dB_p + dB_d == b/t_b": "(C.17), l. 538, of an engine that is not empty: f^k(t) > 0"}
PRINTED_SLOPE = ("df = m_p*dZ_p + (m_p + m_d)*dZ_d",)
TOKENS_SLOPE = ("df = (m_p + m_d)*dZ_p + m_d*dZ_d",)
OF_ONE = ("Z_p == Z_p0 + lam/K*t - F_p",)
PATH = tuple(c for c in CONTENT if c != "Z_p == Z_p0 + lam*t - F_p")
FULL = "B_p + B_d == t*b/t_b"
PATH_SOURCES = {OF_ONE[0]: "(C.10), l. 516, with A^k(t) = lambda t/K", FULL: "(C.17), l. 538, while W_p + W_d > 0"}
DELTA = "delta = b/t_b - (m_p + m_d)*lam/K"
COUNTS = ("Z_p1 >= 0", "Z_d1 >= 0", "Z_p2 >= 0", "Z_d2 >= 0")
JOIN = ("dA_1 >= 0", "dA_2 >= 0", "dA_1 + dA_2 == lam", "lam >= 0")
LEAST_REQUESTS = ("Or(Z_p1 + Z_d1 >= Z_p2 + Z_d2, dA_2 == 0)", "Or(Z_p1 + Z_d1 <= Z_p2 + Z_d2, dA_1 == 0)")
LEAST_TOKENS = ("Or(w1 >= w2, dA_2 == 0)", "Or(w1 <= w2, dA_1 == 0)")
JOIN_SOURCES = {
    **dict.fromkeys(COUNTS, "App. C.5, l. 676: the fluid request level at server k"),
    "dA_1 >= 0": "App. C.5, l. 676: A^k is cumulative", "dA_2 >= 0": "App. C.5, l. 676: A^k is cumulative",
    "dA_1 + dA_2 == lam": "App. C.5, l. 711"}
REQUEST_SOURCES = {
    LEAST_REQUESTS[0]: "Sec. 4.1, l. 250: the engine that has the least number of requests",
    LEAST_REQUESTS[1]: "Sec. 4.1, l. 250: the engine that has the least number of requests"}
WORK = ("w1 = (m_p + m_d)*Z_p1 + m_d*Z_d1", "w2 = (m_p + m_d)*Z_p2 + m_d*Z_d2")
WORK_PRINTED = ("f1 = m_p*Z_p1 + (m_p + m_d)*Z_d1", "f2 = m_p*Z_p2 + (m_p + m_d)*Z_d2")
RAW_JOIN = ("Raw line 694: 'Since dot A^l(t) = 0', of the engine with the single largest f^l, and line 250: 'to assign "
            "an arriving request to the engine that has the least number of requests'; independent use: line 686, "
            "'Under the join-lowest-request load balancing algorithm'. The engine with the most work may have the "
            "fewest requests, which all are at their start, and then gets every arrival. ")

CLAIMS: tuple[Claim, ...] = (
    given("to.app-C.5.technique", C5, "The fluid limit technique for proving Theorem 1 continues to apply here.", 676,
          "theorem", "unknown", "No statement of its own: that a proof can be adapted. The step of it that Theorem 1 "
          "rests on fails as printed: to.lem-3."),
    claim("to.app-C.5.random-split", C5, "Under the random assignment load-balancing algorithm, at each regular point, "
          "dot A^k(t) = lambda/K", 680, "identity", "a/h == lam/K",
          ("K in naturals", "K >= 1", "lam >= 0", "h > 0", "a*K == lam*h"),
          sources={"h > 0": "a time from a regular point on",
                   "a*K == lam*h": "Sec. 4.1, l. 250: uniformly among K engines, which get a each of lambda h"},
          note="In the fluid model: of the lambda h requests that arrive in a time h each engine gets the same part."),
    refuted("to.app-C.5.random-drift", C5, "Assume f^k(t) > 0, dot f^k(t) = (m_p + m_d) lambda/K - b/t_p < 0.",
            (680, 682), "drift", "And(df == (m_p + m_d)*lam/K - b/t_p, (m_p + m_d)*lam/K - b/t_p < 0)",
            (*ENGINE, *SLOPES, RANDOM, "lam*(m_p + m_d) < K*b/t_b"), PRINTED_SLOPE,
            sources={**SLOPE_SOURCES, RANDOM: "l. 680"},
            note=RAW_WEIGHTS + "As for one engine: to.prop-2a.drift."),
    correction("to.app-C.5.random-drift", C5, (680, 682), "drift",
               "And(df == (m_p + m_d)*lam/K - b/t_p, (m_p + m_d)*lam/K - b/t_p < 0)",
               (*POSITIVE, *WHOLE, *SLOPES, RANDOM, "lam*(m_p + m_d) < K*b/t_b"), TOKENS_SLOPE,
               sources={**SLOPE_SOURCES, RANDOM: "l. 680"}, note="With f^k(t) = (m_p + m_d) Z_p^k(t) + m_d Z_d^k(t)."),
    refuted("to.app-C.5.random-empty", C5, "Thus f^k(t) = 0 for t >= f^k(0)/delta and k = 1, ..., K, where b/t_b - "
            "(m_p + m_d) lambda/K > 0.", 684, "limit", "f == 0",
            (*ENGINE, *PATH, *OF_ONE, *BOUNDS, FULL, "lam*(m_p + m_d) < K*b/t_b", "t >= f0/delta"),
            ("f = m_p*Z_p + (m_p + m_d)*Z_d", "f0 = m_p*Z_p0 + (m_p + m_d)*Z_d0", DELTA),
            sources={**PATH_SOURCES, "t >= f0/delta": "l. 684"},
            note=RAW_WEIGHTS + "As for one engine: to.prop-2a.empty. delta is not named; it is the number that the "
                 "line calls positive."),
    correction("to.app-C.5.random-empty", C5, 684, "limit", "And(f == f0 - delta*t, t <= f0/delta)",
               (*POSITIVE, *WHOLE, *PATH, *OF_ONE, *BOUNDS, FULL, "lam*(m_p + m_d) < K*b/t_b"),
               (*TOKENS, *TOKENS_0, DELTA),
               sources=PATH_SOURCES, hint={"lemmas": (
                   ("Implies(And(k > 0, l*m < k*r), r - m*l/k > 0)",
                    {"k": "K", "l": "lam", "m": "m_p + m_d", "r": "b/t_b"}),
                   "f == f0 - delta*t", "f >= 0", "delta > 0",
                   ("Implies(And(g > 0, x - g*y >= 0), y <= x/g)", {"g": "delta", "x": "f0", "y": "t"}))},
               note="As to.prop-2a.empty.corrected, engine by engine."),
    refuted("to.app-C.5.random-stable", C5, "It follows that Z(t) = 0 for t > max(f^k(0))/delta, proving the fluid "
            "model is stable.", 684, "limit", "And(Z_p == 0, Z_d == 0)",
            (*ENGINE, *PATH, *OF_ONE, *BOUNDS, FULL, "lam*(m_p + m_d) < K*b/t_b", "K == 1", "t > f0/delta"),
            ("f0 = m_p*Z_p0 + (m_p + m_d)*Z_d0", DELTA),
            sources={**PATH_SOURCES, "t > f0/delta": "l. 684", "K == 1": "l. 246: K engines, here one"},
            corrected_by="to.app-C.5.random-empty.corrected",
            note=RAW_WEIGHTS + "At max f^k(0)/delta there are tokens left, as in to.prop-2a.empty; K = 1 suffices. "
                 "With the weights put right the time is max f^k(0)/delta; 'stable' needs a bound over |Z(0)| <= 1, "
                 "which it gives."),
    claim("to.app-C.5.jsq-one-derivative", C5, "Suppose that f^l(t) > max_{k != l} f^k(t). At each regular point of t "
          "that is also a differential point of f, dot f(t) = dot f^l(t)", 690, "identity",
          "Implies(And(Abs(g1 - f1) <= L*h, Abs(g2 - f2) <= L*h), Max(g1, g2) - Max(f1, f2) == g1 - f1)",
          ("f1 > f2", "L > 0", "h > 0", "2*L*h < f1 - f2"),
          sources={"f1 > f2": "l. 690: f^l(t) > max_{k != l} f^k(t); f2 is that maximum",
                   "L > 0": "App. C.2, l. 522: f^k is Lipschitz continuous, with a constant L", "h > 0": "a time from "
                   "t on, or back to it", "2*L*h < f1 - f2": "near t"},
          hint={"lemmas": ("Max(f1, f2) == f1", "Implies(And(Abs(g1 - f1) <= L*h, Abs(g2 - f2) <= L*h), g1 > g2)")},
          note="Near t the increments of f and of f^l are the same, so their derivatives at t are. g1 and g2 are the "
               "values at the other time."),
    refuted("to.app-C.5.jsq-one-arrivals", C5, "Since dot A^l(t) = 0", 694, "identity", "dA_1 == 0",
            ("m_p >= 1", "m_d >= 1", *COUNTS, *JOIN, *LEAST_REQUESTS, "f1 > f2"), WORK_PRINTED,
            hint={"point": {"m_p": "1", "m_d": "1", "Z_p1": "0", "Z_d1": "1", "Z_p2": "3/2", "Z_d2": "0", "dA_1": "1",
                            "dA_2": "0", "lam": "1"}},
            sources={**JOIN_SOURCES, **REQUEST_SOURCES, "f1 > f2": "l. 690, with K = 2 engines and l = 1"},
            note=RAW_JOIN + "So by the printed f^k: (Z_p, Z_d) = (0, 1) against (3/2, 0) with m_p = m_d; and by the "
                 "tokens that are left: (1, 0) against (0, 3/2)."),
    correction("to.app-C.5.jsq-one-arrivals", C5, 694, "identity", "dA_1 == 0",
               ("m_p >= 1", "m_d >= 1", *COUNTS, *JOIN, *LEAST_TOKENS, "w1 > w2"), WORK,
               sources={**JOIN_SOURCES, LEAST_TOKENS[0]: "Sec. 4.1, l. 250: the engine that has the least number of "
                        "tokens (added: not of requests)", LEAST_TOKENS[1]: "the same",
                        "w1 > w2": "l. 690, with K = 2 engines and l = 1"}, note="Under join-least-tokens."),
    refuted("to.app-C.5.jsq-one-drift", C5, "dot f^l(t) = -b/t_p. Therefore, dot f(t) = -b/t_p.", (696, 698), "drift",
            "df == -b/t_p", (*RATES, *SLOPES, "dA == 0"), PRINTED_SLOPE,
            sources={**SLOPE_SOURCES, "dA == 0": "l. 694"},
            note=RAW_WEIGHTS + "Without arrivals f^l grows while the engine prefills, at rate (m_d/m_p) b/t_b. The "
                 "line before, which fails by itself (to.app-C.5.jsq-one-arrivals), is granted here."),
    correction("to.app-C.5.jsq-one-drift", C5, (696, 698), "drift", "df == -b/t_p", (*POSITIVE, *SLOPES, "dA == 0"),
               TOKENS_SLOPE, sources={**SLOPE_SOURCES, "dA == 0": "l. 694"},
               note="With f^k(t) = (m_p + m_d) Z_p^k(t) + m_d Z_d^k(t), where no arrivals come: under "
                    "join-least-tokens (to.app-C.5.jsq-one-arrivals.corrected)."),
    refuted("to.app-C.5.jsq-two", C5, "Suppose that f^l1(t) = f^l2(t) > max_{k not in {l1, l2}} f^k(t). One can also "
            "prove dot f(t) = dot f^l1(t) = -b/t_p.", 700, "drift", "df == -b/t_p",
            (*RATES, *SLOPES, "dA == lam/2"), PRINTED_SLOPE, corrected_by="to.app-C.5.jsq-one-drift.corrected",
            sources={**SLOPE_SOURCES, "dA == lam/2": "Sec. 4.1, l. 250, if the two with the most work have the fewest "
                     "requests, equally many: by symmetry each gets half"},
            note="Raw line 700: 'f^{l_1}(t) = f^{l_2}(t) > max_{k not in {l_1, l_2}} f^k(t). One can also prove dot "
                 "f(t) = dot f^{l_1}(t) = -b/t_p'; independent use: line 694, dot A^l = 0. Where the two engines "
                 "with the most work have the fewest requests, they get all arrivals: with the weights of f put right "
                 "dot f = lambda (m_p + m_d)/2 - b/t_p then, and with the printed ones it depends on the phase that is "
                 "served, as in to.prop-2a.drift. Cases of three to K - 1 largest engines are not treated."),
    refuted("to.app-C.5.jsq-all-equal", C5, "Suppose that f^1(t) = ... = f^K(t). In this case, dot f(t) = dot f^k(t) "
            "and f^k(t) > 0", (702, 704), "identity", "And(Max(f1, f2) == f1, f1 > 0, f2 > 0)",
            ("f1 == f2", "f1 >= 0"), severity="edge", sources={"f1 == f2": "l. 702, with K = 2",
                                                               "f1 >= 0": "l. 678: a workload"},
            note="Where all engines are empty, f^k(t) = 0. Raw line 704: 'and f^k(t) > 0, k = 1, ..., K'; independent "
                 "use: line 680, 'Assume f^k(t) > 0'."),
    correction("to.app-C.5.jsq-all-equal", C5, (702, 704), "identity",
               "And(f1 > 0, f2 > 0, Implies(And(d <= d1, d <= d2, d >= d1, d >= d2), And(d == d1, d == d2)))",
               ("f1 == f2", "f1 >= 0", "Max(f1, f2) > 0"),
               sources={"f1 == f2": "l. 702, with K = 2", "f1 >= 0": "l. 678: a workload",
                        "Max(f1, f2) > 0": "added: f(t) > 0"},
               note="d, d1, d2 are the derivatives of f = max f^k, of f^1 and of f^2: as f - f^k is least at t, where "
                    "it is 0, its right derivative is at least 0 and its left derivative at most 0, and both are the "
                    "derivative at a differential point."),
    refuted("to.app-C.5.jsq-all-average", C5, "Thus dot f(t) = (1/K) sum_k dot f^k(t) = (1/K) sum_k (dot A^k(t) (m_p + "
            "m_d) - b/t_p)", (706, 708), "identity", "df == dA*(m_p + m_d) - b/t_p", (*RATES, *SLOPES), PRINTED_SLOPE,
            sources=SLOPE_SOURCES, note=RAW_WEIGHTS + "Each summand fails; here K = 1."),
    correction("to.app-C.5.jsq-all-average", C5, (706, 708), "identity", "df == dA*(m_p + m_d) - b/t_p",
               (*POSITIVE, *SLOPES), TOKENS_SLOPE, sources=SLOPE_SOURCES,
               note="Summand by summand, with f^k(t) = (m_p + m_d) Z_p^k(t) + m_d Z_d^k(t)."),
    claim("to.app-C.5.jsq-all-sum", C5, "= (1/K) (m_p + m_d) sum_k dot A^k(t) - b/t_p", 709, "identity",
          "1/K*Sum(dA(k)*(m_p + m_d) - b/t_p, (k, 1, K)) == 1/K*(m_p + m_d)*Sum(dA(k), (k, 1, K)) - b/t_p",
          ("K in naturals", "K >= 1", "t_p > 0", "dA in functions"),
          sources={"t_p > 0": "l. 474: a processing time", "dA in functions": "dot A^k(t), by k"},
          note="The last equality of the chain, from line 708's right side. That dot f(t) equals it fails with the "
               "first: to.app-C.5.jsq-all-average."),
    claim("to.app-C.5.jsq-all-total", C5, "Because sum_k dot A^k(t) = lambda", 711, "identity",
          "Sum(a(k)/h, (k, 1, K)) == lam",
          ("K in naturals", "K >= 1", "h > 0", "a in functions", "Sum(a(k), (k, 1, K)) == lam*h"),
          sources={"h > 0": "a time from t on", "a in functions": "A^k(t + h) - A^k(t), by k",
                   "Sum(a(k), (k, 1, K)) == lam*h": "l. 246: each request is routed to one of the engines"},
          note="Of the increments over any time h, so of their derivatives."),
    refuted("to.app-C.5.jsq-all-drift", C5, "one has dot f(t) = -delta < 0", 711, "drift",
            "And(df == -delta, -delta < 0)",
            (*RATES, *WHOLE, *SLOPES, "dA == lam/K", "lam*(m_p + m_d) < K*b/t_b"), (*PRINTED_SLOPE, DELTA),
            sources={**SLOPE_SOURCES, "dA == lam/K": "l. 711, where all engines are alike, whatever their number"},
            note=RAW_WEIGHTS + "Of engines that are alike, so that dot f = dot f^k; as for one engine: "
                 "to.prop-2a.drift."),
    correction("to.app-C.5.jsq-all-drift", C5, 711, "drift", "And(df == -delta, -delta < 0)",
               (*POSITIVE, *WHOLE, "t_p == t_b", "lam*(m_p + m_d) < K*b/t_b",
                "df == 1/K*(m_p + m_d)*S - b/t_p", "S == lam"), (DELTA,),
               sources={"df == 1/K*(m_p + m_d)*S - b/t_p": "to.app-C.5.jsq-all-average.corrected, averaged over k "
                        "(to.app-C.5.jsq-all-sum): f^k has its weights put right; S is sum_k dot A^k(t)",
                        "S == lam": "l. 711"}, note="With f^k(t) = (m_p + m_d) Z_p^k(t) + m_d Z_d^k(t)."),
)
