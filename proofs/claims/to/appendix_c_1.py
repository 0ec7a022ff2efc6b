"""Appendix C.1: the counters of the chain, and what they satisfy."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import counters
from .wording import claim, correction, given, refuted

C1 = "Appendix C.1"
SLOTS = "ForAll(j, And(floor(j) == j, j >= 0), {})"
NO_START = ("Raw line {}: no initial value. Independent use: (C.10) and (C.11), l. 516 and 517, and (C.27) and (C.28), "
            "l. 625 and 626, have one, and line 593 starts in 'the given initial state x', with |x| > 0. ")
STEP = SLOTS.format("And(a(j + 1) >= 0, g(j + 1) >= 0, g(j + 1) <= Z(j), Z(j + 1) == Z(j) + a(j + 1) - g(j + 1))")
COUNTS = {"n in naturals": "Sec. 2.1, l. 77: a slot",
          "Z, a, g in functions": "by slot: what is there, what comes, what completes", STEP: "App. C.1, l. 480 and "
          "492: what is there changes by what comes and what completes, and no more completes than is there",
          "Z(0) >= 0": "a count", "Z(0) == 0": "a start from the empty system",
          "Z == Z_0 + A - F": "{}.start.corrected", "Z_0 >= 0": "a count", "A >= 0": "a count", "F >= 0": "a count"}
TOTALS = ("A = Sum(a(l), (l, 1, n))", "F = Sum(g(l), (l, 1, n))")


def balance(id: str, line: int, quote: str, words: str) -> tuple[Claim, ...]:
    """A counter is what has come less what has gone: of a system that starts empty, but not of one that does not."""
    place = f"{C1}, (C.{id[-1]})"
    run, state = ("n in naturals", "Z, a, g in functions", STEP), ("Z == Z_0 + A - F", "Z_0 >= 0", "A >= 0", "F >= 0")
    sources = {**COUNTS, "Z == Z_0 + A - F": f"{id}.start.corrected"}
    return (
        given(id, place, quote, line, "identity", "imprecise", f"{words} From which state is not said. Weak reading: "
              "from the empty system (true). Strong: from any state x, as Appendix C.3 needs it (false).",
              readings=(f"{id}.empty", f"{id}.start")),
        claim(f"{id}.empty", place, quote, line, "identity", "And(Z(n) == A - F, Z(n) >= 0)", (*run, "Z(0) == 0"),
              TOTALS, table=sources),
        refuted(f"{id}.start", place, quote, line, "identity", "Z == A - F", state, table=sources,
                note=NO_START.format(line)),
        correction(f"{id}.start", place, line, "identity", "And(Z(n) == Z(0) + A - F, Z(n) >= 0)",
                   (*run, "Z(0) >= 0"), TOTALS, table=sources),
    )


CLAIMS: tuple[Claim, ...] = (
    claim("to.app-C.1.recap", C1, "Using newly introduced notation, we recap the definitions of two families of "
          "scheduling algorithms. When W_p(n) + Z_d(n) >= b, the next batch is a full batch.", (484, 490), "identity",
          "Sum(p(i) + z(i), (i, 1, q)) == Sum(p(i), (i, 1, q)) + Sum(z(i), (i, 1, q))",
          ("q in naturals", "p, z in functions"),
          sources={"q in naturals": "the number of requests",
                   "p, z in functions": "(2.6), l. 168: p_i, and 1(p_i = 0) of the requests"},
          note="Where a batch is complete no tokens are in process, so W_p is the sum of the p_i, and Z_d the number "
               "of requests with p_i = 0. The second family, (K_p, K_d)-FCFS, is not recapped."),
    Claim("to.eq-C.7", f"{C1}, (C.7)", "W_d(n) = V_d(F_p(n)) - B_d(n) >= 0", (501, 501), "identity",
          run=counters.c_7_run, severity="substantive", corrected_by="to.eq-C.7.corrected",
          note="V_d(F_p(n)) are the decode tokens of the first F_p(n) requests, which with K_p >= 2 need not be those "
               "that have been prefilled: of (2, 1) and (1, 5) the second is the first to decode. Raw line 501: "
               "'V_d(F_p(n)) - B_d(n)', with line 496, 'brought in by the first N requests'; independent use: line "
               "174, 'Among these K_f requests, tokens can be selected in any rule including the "
               "smallest-remaining-token-first'."),
    Claim("to.eq-C.7.corrected", f"{C1}, (C.7)", "", (501, 501), "algorithm",
          run=counters.in_order_run, says=counters.IN_ORDER,
          corrects="to.eq-C.7"),
    Claim("to.eq-C.8", f"{C1}, (C.8)", "B_f(n_2 t_b) - B_f(n_1 t_b) <= (n_2 - n_1) b", (502, 503), "inequality",
          run=counters.c_8_run, severity="substantive", corrected_by="to.eq-C.8.corrected",
          note="A window of t_b slots may see the end of a full batch and a whole smaller one, as batches need not "
               "begin at multiples of t_b. Raw line 502: 'B_f(n_2 t_b) - B_f(n_1 t_b)'. "
               "Independent use: line 610, 'the Lipschitz property (C.8)', for which one batch more does no harm. It "
               "bounds each phase by itself: to.prop-2b.rate."),
    Claim("to.eq-C.8.corrected", f"{C1}, (C.8)", "", (502, 503), "algorithm",
          run=counters.window_run, says=counters.WINDOW,
          corrects="to.eq-C.8"),
    Claim("to.eq-C.9.lower", f"{C1}, (C.9)", "V_f(F_f(n) - K_f + 1) - (K_f - 1) max_{1<=i<=E(n)} v_f(i) <= B_f(n), f "
          "in {p, e}", (505, 508), "inequality", run=counters.c_9_lower_run, severity="substantive",
          corrected_by="to.eq-C.9.corrected",
          note="For f = d (printed e): with K_p = 2 and K_d = 1 the second of (2, 5), (1, 1) is the first to decode "
               "and to leave, so V_d(1) = 5 > B_d = 1. Raw line 508: 'f in {p, e}', in both "
               "transcriptions. Independent use: line 492, 'for each phase f in {p, d}'. For f = p it holds: "
               "to.eq-C.9.prefill."),
    Claim("to.eq-C.9.upper", f"{C1}, (C.9)", "B_f(n) <= V_f(F_f(n) + K_f), f in {p, e}", (505, 508), "inequality",
          run=counters.c_9_upper_run, severity="substantive", corrected_by="to.eq-C.9.corrected",
          note="For f = d (printed e): with K_p = 2 and K_d = 1 the second of (2, 1), (1, 5) decodes first, so B_d = 4 "
               "> V_d(1) = 1. Raw line 508: 'B_f(n) <= V_f(F_f(n) + K_f), f in {p, e}', in both transcriptions. "
               "Independent use: line 492, 'for each phase f in {p, d}'."),
    Claim("to.eq-C.9.corrected", f"{C1}, (C.9)", "", (505, 508), "algorithm",
          run=counters.in_order_run, says=counters.IN_ORDER),
    Claim("to.eq-C.9.prefill", f"{C1}, (C.9)", "", (505, 508), "algorithm",
          run=counters.prefill_run, says=counters.PREFILL,
          note="For f = p both bounds hold, out of order or not, with V_p(N) = 0 for N <= 0."),
    *balance("to.eq-C.4", 498, "Z_p(n) = E(n) - F_p(n) >= 0", "Requests in prefill."),
    *balance("to.eq-C.5", 499, "Z_d(n) = F_p(n) - F_d(n) >= 0", "Requests in decode; what comes are those that end "
             "their prefill."),
    *balance("to.eq-C.6", 500, "W_p(n) = V_p(E(n)) - B_p(n) >= 0", "Prefill tokens; what comes are the tokens of the "
             "requests that arrive, V_p(E(n)) in all."),
    given("to.app-C.1.key-relationship", C1, "Relationship (C.1) is identical to the Key Relationship (6.51) in (Dai & "
          "Harrison, 2020), which plays an important role in defining fluid limits.", 510, "theorem", "unknown",
          "A comparison with a book that is not at hand. (C.1) is the load condition, l. 472: (C.9) is meant, which "
          "fails for the decode phase if K_p >= 2: to.eq-C.9.lower."),
)
