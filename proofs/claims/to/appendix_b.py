"""Appendix B: the drift of the Markov chain, step by step, for batches of one slot.

c is eps/(4 L lambda); u and v are the indicators 1(p_i' > 0) before and after a batch.
"""

from __future__ import annotations

from functools import partial

from qtheory.proofs.claims.model import Claim

from . import wording
from .appendix_b_runs import DRIFT, conclusion_run

B = "Appendix B"
INDEX = "And(floor(i) == i, i >= 1)"
CONSTANTS = ("lam > 0", "L > 0", "eps > 0")
SOURCES = {
    "lam > 0": "(2.2), l. 83, where requests arrive", "L > 0": "App. B, l. 426: the bound of a second moment",
    "eps > 0": "App. B, l. 418: min(eps', L lambda), positive under (2.7)",
    "epsp == b - lam*(m_p + m_d)": "App. B, l. 418; p and d of the appendix are m_p and m_d",
    "eps == Min(epsp, L*lam)": "App. B, l. 418", "c == eps/(4*L*lam)": "App. B, l. 420: the weight of the square",
    "c > 0": "App. B, l. 420: eps/(4 L lambda)", "eps <= L*lam": "App. B, l. 456: by the definition of eps",
    "p in naturals": "Sec. 2.2, l. 124: unprocessed prefill tokens",
    "d in naturals": "Sec. 2.2, l. 124: unprocessed decode tokens",
    "d >= 1": "Sec. 2.2, l. 145: a request with D_i' = 0 has left", "dp in naturals": "Sec. 2.2, l. 132: delta_i^p",
    "dd in naturals": "Sec. 2.2, l. 132: delta_i^d", "dp <= p": "(2.5b), l. 135", "dd <= 1": "(2.5c), l. 136",
    "Or(p <= 0, dd == 0)": "(2.5a), l. 134", "q in naturals": "App. B, l. 420: Q(X), the number of requests",
    "p, d, u in functions": "the p_i', d_i' and 1(p_i' > 0) of the requests",
    "d in functions": "the d_i' of the requests", "p, z in functions": "the p_i' and 1(p_i' = 0) of the requests",
    "dt >= 1": "l. 448: the largest d_i', each at least 1 (Sec. 2.2, l. 145)", "b > 0": "Sec. 2.1, l. 100"}
REQUEST = ("p in naturals", "d in naturals", "d >= 1", "dp in naturals", "dd in naturals", "dp <= p", "dd <= 1",
           "Or(p <= 0, dd == 0)", "c > 0")
DECREASE = "dp + dd + c*((Min(p, 1) + d)**2 - (Min(p - dp, 1) + d - dd)**2)"
COUNTED = "dp + dd + c*(2*(d + Min(p, 1)) - 1)"
CASES = ("Or(And(p > dp, dd == 0, u == 1, v == 1, k == 0), And(p > 0, dp == p, dd == 0, u == 1, v == 0, k == 1), "
         "And(p == 0, dp == 0, dd == 1, u == 0, v == 0, k == 1), And(p == 0, dp == 0, dd == 0, u == 0, v == 0, k == "
         "0))")
TWO_POINTS = ("x in naturals", "x >= 1", "y in naturals", "y >= 1", "0 <= w", "w <= 1")
LAW = dict.fromkeys(TWO_POINTS, "Sec. 2.1, l. 77: v_d(i) in N; a law on x and y, with the weights w and 1 - w")
MOMENTS = ("M1 = w*x + (1 - w)*y", "M2 = w*x**2 + (1 - w)*y**2", "M2s = w*(x + 1)**2 + (1 - w)*(y + 1)**2")
WEIGHTS = f"ForAll(i, {INDEX}, w(i) >= 0)"
BOUNDED = {"M2 <= L": "App. B, l. 426: E[d_l^2] <= L"}
ARRIVALS = "lam*(m_p + m_d) + lam*eps*M2s/(4*L*lam)"
RAW_MOMENT = ("Raw line 426: 'E[(d_l + 1)^2] <= 2 E[d_l^2] <= 2L'; independent use: line 428, whose numerator 2 eps L "
              "lambda is that of 2L. (d + 1)^2 exceeds 2 d^2 for d = 1 and d = 2. ")
EXACT = ("The left side is exact: an arrival brings p_l + d_l + eps (1 + d_l)^2/(4 L lambda), as p_l >= 1; "
         "tests/proofs/test_claims_to.py computes it by enumeration on the chain as well. ")
PARTIAL = {"Sum(p(i) + z(i), (i, 1, q)) < b": "l. 444: the case",
           f"ForAll(i, {INDEX}, And(p(i) >= 0, z(i) >= 0, p(i) + z(i) >= 1))":
               "p_i' is a natural number, and z_i = 1(p_i' = 0)"}
LARGE = "B = 2*b*g**2 + b"
G = "g = 4*L*lam/eps*b"
TERM, TOP = "d(i) + 4*c*d(i)**2", "dt + 4*c*dt**2"
BELOW = f"ForAll(i, {INDEX}, And(d(i) >= 1, d(i) <= dt))"
PIGEON = (BELOW, "q in naturals", "d in functions", "c > 0", "b > 0", "dt >= 1", "q < b",
          f"Sum({TERM}, (i, 1, q)) >= B - b")
PIGEON_SOURCES = {BELOW: "Sec. 2.2, l. 145: d_i' >= 1; l. 448: dt is the largest", "q < b": "l. 456: Q(X) < b",
                  f"Sum({TERM}, (i, 1, q)) >= B - b": "l. 451: the conclusion of (i)"}
PIGEON_HINT = {"lemmas": (
    f"ForAll(i, {INDEX}, {TERM} <= {TOP})", f"Sum({TERM}, (i, 1, q)) <= Sum({TOP}, (i, 1, q))",
    f"Sum({TOP}, (i, 1, q)) == q*({TOP})",
    ("Implies(And(b > 0, q < b, v > 0, q*v >= x), v >= x/b)", {"v": TOP, "x": "B - b", "q": "q", "b": "b"}))}
PIGEON_NOTE = "4c is eps/(L lambda)."
LOADED = ("lam > 0", "L > 0", "epsp == b - lam*(m_p + m_d)", "epsp > 0", "eps == Min(epsp, L*lam)")
LOADED_SOURCES = {"epsp > 0": "(2.7), l. 182, with t_b = 1"}
ROOTS = ("dt >= 1", *CONSTANTS, "b > 0")

claim, refuted, correction = (partial(make, table=SOURCES) for make in (wording.claim, wording.refuted,
                                                                        wording.correction))

CLAIMS: tuple[Claim, ...] = (
    claim("to.app-B.decrease-by-1", B, "Note that 1(p_i' > 0) + d_i' will decrease by 1 only when delta_i^p = p_i' or "
          "delta_i^d = 1.", 422, "identity",
          "Implies(Min(p, 1) + d - (Min(p - dp, 1) + d - dd) == 1, Or(dp == p, dd == 1))", REQUEST[:-1]),
    refuted("to.app-B.Delta", B, "Thus the decrease of the Lyapunov function is Delta(X) = sum_i ((delta_i^p + "
            "delta_i^d) + eps (2 (d_i' + 1(p_i' > 0)) - 1)/(4 L lambda) 1(delta_i^p = p_i' or delta_i^d = 1))",
            (422, 424), "identity",
            f"And(Implies(Or(dp == p, dd == 1), {DECREASE} == {COUNTED}), Implies(And(dp != p, dd != 1), {DECREASE} == "
            "dp + dd))", REQUEST,
            note="A decoding request that is not served has p_i' = delta_i^p = 0, so the printed indicator is 1, and "
                 "nothing of it decreases. Raw line 424: '1(delta_i^p = p_i' or delta_i^d = 1)'. Independent use: line "
                 "458, 'all requests in the queue satisfy delta_i^p = p_i' or delta_i^d = 1', and line 444, where it "
                 "is to mean that each is served. Summand by summand; 1(p_i' > 0) is min(p_i', 1)."),
    correction("to.app-B.Delta", B, (422, 424), "identity",
               "dp + dd + c*((u + d)**2 - (v + d - dd)**2) == dp + dd + c*(2*(d + u) - 1)*k", (CASES, "c > 0"),
               sources={CASES: "(2.5a) to (2.5c), l. 134 to 136: the feasible batches, with k = 1 where the prefill "
                        "ends or a decode token is loaded (added: p_i' > 0 where the prefill ends)"},
               note="The indicator is 1((p_i' > 0 and delta_i^p = p_i') or delta_i^d = 1)."),
    claim("to.app-B.mean", B, "for the new arrivals, we have E[p_l + d_l] = p + d", 426, "identity",
          "Sum(w(i)*(x(i) + y(i)), (i, 1, n)) == Sum(w(i)*x(i), (i, 1, n)) + Sum(w(i)*y(i), (i, 1, n))",
          ("w, x, y in functions", "n in naturals"),
          sources={"w, x, y in functions": "(2.2), l. 83: a law of (p_l, d_l) gives the pair (x_i, y_i) weight w_i",
                   "n in naturals": "the first n of the pairs"},
          note="For the first n pairs of sizes, and so for all of them, as n grows. Expectation is linear, whatever "
               "the correlation of p_l and d_l."),
    refuted("to.app-B.second-moment-1", B, "E[(d_l + 1)^2] <= 2 E[d_l^2]", 426, "inequality", "M2s <= 2*M2",
            TWO_POINTS, MOMENTS[1:], sources=LAW, note=RAW_MOMENT + "d_l = 1 always: 4 against 2."),
    correction("to.app-B.second-moment-1", B, 426, "inequality",
               "Sum(w(i)*(i + 1)**2, (i, 1, n)) <= 4*Sum(w(i)*i**2, (i, 1, n))",
               ("w in functions", WEIGHTS, "n in naturals"),
               sources={"w in functions": "Sec. 2.1, l. 77: v_d(i) in N; w_i is the probability of d_l = i",
                        WEIGHTS: "probabilities", "n in naturals": "the part of the means at d_l <= n"},
               note="For the part of both means at d_l <= n, and so for the means, as n grows. d_l = 1 attains it."),
    claim("to.app-B.second-moment-2", B, "2 E[d_l^2] <= 2L", 426, "inequality", "2*M2 <= 2*L",
          (*TWO_POINTS, "M2 <= L"), MOMENTS[1:2], sources={**LAW, **BOUNDED},
          note="L is introduced by this line."),
    refuted("to.app-B.one-step", B, "the one-step change of the Lyapunov function is bounded by E[f(X(n+1))] - f(X(n)) "
            "<= lambda (p + d) + 2 eps L lambda/(4 L lambda) - Delta(X(n))", (426, 428), "drift",
            f"{ARRIVALS} - D <= lam*(m_p + m_d) + 2*eps*L*lam/(4*L*lam) - D", (*CONSTANTS, *TWO_POINTS, "M2 <= L"),
            MOMENTS[1:], sources={**LAW, **BOUNDED},
            hint={"point": {"x": "1", "y": "1", "w": "1", "L": "1", "lam": "1", "eps": "1", "m_p": "1", "m_d": "1",
                            "D": "0"}},
            note=RAW_MOMENT + "With d_l = 1 and L = 1 the arrivals bring eps, not eps/2. " + EXACT + "D is Delta."),
    correction("to.app-B.one-step", B, (426, 428), "drift",
               f"{ARRIVALS} - D <= lam*(m_p + m_d) + 2*eps*L*lam/(4*L*lam) - D", (*CONSTANTS, "M2s <= 2*L"),
               sources={"M2s <= 2*L": "added: L is a bound of E[(d_l + 1)^2]/2"},
               note="M2s is E[(d_l + 1)^2]. With L >= 2 E[d_l^2] all of the appendix's later steps stand."),
    Claim("to.eq-B.1", "Appendix B, (B.1)", "once f(X(n)) >= B for a large enough B, we have E[f(X(n+1))] - f(X(n)) <= "
          "lambda (p + d) + eps/2 - Delta(X(n)) <= -eps/2", (430, 432), "drift", run=conclusion_run,
          severity="substantive", corrected_by="to.app-B.conclusion.corrected",
          note=RAW_MOMENT + "With d_l = 1, L = 1, b = 3, prompts of 3 tokens and now and then of 2003, eps is 1/2 and "
               "the drift is 0, not at most -1/4, wherever the long prompt fills the batch, however many wait behind "
               "it: f is as large as one likes. All sizes are bounded. Another L repairs that (E[(d_l + 1)^2] <= 2L); "
               "the B of line 448 fails then for another reason: to.app-B.conclusion."),
    claim("to.app-B.case-full", B, "Delta(X(n)) >= sum_i (delta_i^p + delta_i^d) = b by the work-conserving policy",
          (436, 440), "inequality", "And(Delta >= S, S == b)",
          ("Delta == S + T", "M >= b", "Or(M < b, S == b)", "T >= 0"),
          sources={"Delta == S + T": "l. 424: S is sum_i (delta_i^p + delta_i^d), T the squares' part",
                   "M >= b": "l. 436: M is sum_i p_i' + sum_i 1(p_i' = 0)",
                   "Or(M < b, S == b)": "(2.6), l. 166 and 168; the appendix has no R, so each slot forms a batch",
                   "T >= 0": "l. 424: the squares' part of Delta, as d_i' >= 1"},
          note="For batches of one slot. Where t_b > 1, states with R > 0 form no batch, and Delta is 0 there."),
    refuted("to.app-B.case-full-drift-1", B, "E[f(X(n+1))] - f(X(n)) <= lambda (p + d) + eps/2 - b", 442, "drift",
            f"{ARRIVALS} - (b + T) <= lam*(m_p + m_d) + eps/2 - b", (*CONSTANTS, *TWO_POINTS, "M2 <= L", "T >= 0"),
            MOMENTS[1:], corrected_by="to.app-B.case-full-drift-1.corrected",
            sources={**LAW, **BOUNDED, "T >= 0": "l. 438: Delta = b + T"},
            hint={"point": {"x": "1", "y": "1", "w": "1", "L": "1", "lam": "1/2", "eps": "1/2", "m_p": "4", "m_d": "1",
                            "T": "0", "b": "3"}},
            note=RAW_MOMENT + "T = 0 where the batch is full of prefill tokens of a request that has more, here 3 of "
                 "4. " + EXACT),
    correction("to.app-B.case-full-drift-1", B, 442, "drift",
               f"{ARRIVALS} - (b + T) <= lam*(m_p + m_d) + eps/2 - b", (*CONSTANTS, "M2s <= 2*L", "T >= 0"),
               sources={"M2s <= 2*L": "added: L is a bound of E[(d_l + 1)^2]/2", "T >= 0": "l. 438: Delta = b + T"}),
    claim("to.app-B.case-full-drift-2", B, "lambda (p + d) + eps/2 - b <= eps/2 - eps'", 442, "inequality",
          "lam*(m_p + m_d) + eps/2 - b <= eps/2 - epsp", ("epsp == b - lam*(m_p + m_d)",), note="With equality."),
    claim("to.app-B.case-full-drift-3", B, "eps/2 - eps' <= -eps/2", 442, "inequality", "eps/2 - epsp <= -eps/2",
          LOADED, sources=LOADED_SOURCES),
    claim("to.app-B.intuition", B, "the decrease of the Lyapunov function Delta(X) will be lower bounded by eps (2 d~ "
          "- 1)/(4 L lambda) >= b, which will be sufficient for showing (B.1)", 446, "inequality",
          "And(Delta >= eps*(2*dt - 1)/(4*L*lam), eps*(2*dt - 1)/(4*L*lam) >= b)",
          (*ROOTS, "dt >= 4*L*lam/eps*b", "Delta == S + eps*(2*dt - 1)/(4*L*lam) + T", "S >= 0", "T >= 0"),
          sources={"dt >= 4*L*lam/eps*b": "l. 446: sufficiently large; l. 454",
                   "Delta == S + eps*(2*dt - 1)/(4*L*lam) + T": "l. 424, where this request, in decode, 'will be "
                   "served'; S are the tokens loaded, T is the other requests' part",
                   "S >= 0": "tokens loaded", "T >= 0": "as d_i' >= 1"},
          hint={"lemmas": ("eps/(4*L*lam) > 0", ("Implies(And(e > 0, r > 0, x >= r/e*b), e*x/r >= b)",
                                                 {"e": "eps", "r": "4*L*lam", "x": "dt", "b": "b"}),
                           ("Implies(And(e > 0, r > 0, x >= 1), e*(2*x - 1)/r >= e*x/r)",
                            {"e": "eps", "r": "4*L*lam", "x": "dt"}))}),
    claim("to.app-B.step-0", B, "f(X(n)) >= B implies sum_i (p_i' + d_i' + eps (d_i' + 1)^2/(4 L lambda)) >= B", 450,
          "inequality", "Sum(p(i) + d(i) + c*(d(i) + 1)**2, (i, 1, q)) >= B",
          ("q in naturals", "p, d, u in functions", f"ForAll(i, {INDEX}, And(p(i) >= 0, d(i) >= 0, 0 <= u(i), u(i) <= "
           "1))", "c > 0", "Sum(p(i) + d(i) + c*(u(i) + d(i))**2, (i, 1, q)) >= B"),
          sources={f"ForAll(i, {INDEX}, And(p(i) >= 0, d(i) >= 0, 0 <= u(i), u(i) <= 1))": "tokens, and an indicator",
                   "Sum(p(i) + d(i) + c*(u(i) + d(i))**2, (i, 1, q)) >= B": "l. 450: f(X(n)) >= B"},
          hint={"lemmas": (f"ForAll(i, {INDEX}, p(i) + d(i) + c*(d(i) + 1)**2 >= p(i) + d(i) + c*(u(i) + d(i))**2)",
                           "Sum(p(i) + d(i) + c*(d(i) + 1)**2, (i, 1, q)) >= Sum(p(i) + d(i) + c*(u(i) + d(i))**2, (i, "
                           "1, q))")}),
    claim("to.app-B.step-i", "Appendix B, (i)", "implies sum_i d_i' + eps (d_i')^2/(L lambda) >= B - b", 451,
          "inequality", "Sum(d(i) + 4*c*d(i)**2, (i, 1, q)) >= B - b",
          ("q in naturals", "d in functions", f"ForAll(i, {INDEX}, d(i) >= 1)", "c > 0",
           "P + Sum(d(i) + c*(d(i) + 1)**2, (i, 1, q)) >= B", "P < b"),
          sources={f"ForAll(i, {INDEX}, d(i) >= 1)": "Sec. 2.2, l. 145",
                   "P + Sum(d(i) + c*(d(i) + 1)**2, (i, 1, q)) >= B": "l. 450; P is sum_i p_i'",
                   "P < b": "l. 456: sum_i p_i' < b"},
          hint={"lemmas": (f"ForAll(i, {INDEX}, d(i) + c*(d(i) + 1)**2 <= d(i) + 4*c*d(i)**2)",
                           "Sum(d(i) + c*(d(i) + 1)**2, (i, 1, q)) <= Sum(d(i) + 4*c*d(i)**2, (i, 1, q))")},
          note="With brackets around the summand, as the sum of line 450 has them; 4c = eps/(L lambda)."),
    claim("to.app-B.step-i.prefill", "Appendix B, (i)", "(i) is due to that sum_i p_i' < b", 456, "inequality",
          "P < b", ("P + Zs < b", "Zs >= 0"),
          sources={"P + Zs < b": "l. 444: the case; P is sum_i p_i', Zs is sum_i 1(p_i' = 0)", "Zs >= 0": "a count"}),
    claim("to.app-B.step-i.double", "Appendix B, (i)", "d_i' + 1 <= 2 d_i' for d_i' >= 1", 456, "inequality",
          "d + 1 <= 2*d", ("d in naturals", "d >= 1")),
    claim("to.app-B.step-ii", "Appendix B, (ii)", "implies d~ + eps d~^2/(L lambda) >= (B - b)/b", 452, "inequality",
          f"{TOP} >= (B - b)/b", PIGEON, sources=PIGEON_SOURCES, hint=PIGEON_HINT, note=PIGEON_NOTE),
    claim("to.app-B.step-ii.count", "Appendix B, (ii)", "sum_i p_i' + sum_i 1(p_i' = 0) < b implies Q(X) < b (the "
          "number of requests is bounded by b since each request can be served by at least one token)", 456,
          "inequality", "q < b", ("q in naturals", "p, z in functions", *reversed(PARTIAL)),
          sources=PARTIAL),
    claim("to.app-B.step-ii.pigeonhole", "Appendix B, (ii)", "(ii) is due to that ... Q(X) < b ... and the pigeonhole "
          "principle", 456, "inequality", f"{TOP} >= (B - b)/b", PIGEON, sources=PIGEON_SOURCES,
          hint=PIGEON_HINT, note=PIGEON_NOTE),
    claim("to.app-B.step-iii", "Appendix B, (iii)", "implies 2 d~^2 >= (B - b)/b", 453, "inequality",
          "2*dt**2 >= (B - b)/b", (*ROOTS, "eps <= L*lam", "dt + eps*dt**2/(L*lam) >= (B - b)/b"),
          sources={"dt + eps*dt**2/(L*lam) >= (B - b)/b": "l. 452: the conclusion of (ii)"},
          hint={"lemmas": ("L*lam > 0", ("Implies(And(r > 0, e > 0, e <= r, x >= 1), x + e*x**2/r <= 2*x**2)",
                                         {"r": "L*lam", "e": "eps", "x": "dt"}))}),
    claim("to.app-B.step-iii.square", "Appendix B, (iii)", "d_i' <= d_i'^2", 456, "inequality", "d <= d**2",
          ("d in naturals", "d >= 1")),
    claim("to.app-B.step-iii.eps", "Appendix B, (iii)", "eps <= L lambda by the definition of eps", 456, "inequality",
          "eps <= L*lam", ("lam > 0", "L > 0", "eps == Min(epsp, L*lam)")),
    claim("to.app-B.step-iv", B, "implies d~ >= (4 L lambda/eps) b", 454, "inequality", "dt >= g",
          (*ROOTS, "2*dt**2 >= (B - b)/b"), (G, LARGE),
          sources={"2*dt**2 >= (B - b)/b": "l. 453: the conclusion of (iii)"},
          hint={"lemmas": ("g > 0", "(B - b)/b == 2*g**2", "dt**2 >= g**2",
                           ("Implies(And(x > 0, m >= 0, m**2 >= x**2), m >= x)", {"x": "g", "m": "dt"}))}),
    claim("to.app-B.Delta-lower-1", B, "Delta(X(n)) >= eps (2 d~ - 1)/(4 L lambda), because all requests in the queue "
          "satisfy delta_i^p = p_i' or delta_i^d = 1", (458, 460), "inequality",
          "S + c*(2*(dt + u) - 1) + R >= c*(2*dt - 1)", ("c > 0", "dt >= 1", "u >= 0", "S >= 0", "R >= 0"),
          sources={"u >= 0": "an indicator", "S >= 0": "tokens loaded",
                   "R >= 0": "l. 424: the other requests' part of Delta, as d_i' >= 1"},
          note="Of the printed Delta, whose indicator is 1 for every request then, as the line says. It is no bound of "
               "the decrease of f: to.app-B.Delta."),
    claim("to.app-B.Delta-lower-2", B, "eps (2 d~ - 1)/(4 L lambda) >= eps d~/(4 L lambda)", 460, "inequality",
          "eps*(2*dt - 1)/(4*L*lam) >= eps*dt/(4*L*lam)", ROOTS[:4]),
    claim("to.app-B.Delta-lower-3", B, "when f(X(n)) >= B, Delta(X(n)) >= eps d~/(4 L lambda) >= (eps/(4 L lambda)) (4 "
          "L lambda/eps) b = b", (462, 464), "inequality",
          "And(Delta >= eps*dt/(4*L*lam), eps*dt/(4*L*lam) >= eps/(4*L*lam)*(4*L*lam/eps*b), eps/(4*L*lam)*(4*L*lam/"
          "eps*b) == b)", (*ROOTS, "Delta >= eps*dt/(4*L*lam)", "dt >= 4*L*lam/eps*b"),
          sources={"Delta >= eps*dt/(4*L*lam)": "l. 460", "dt >= 4*L*lam/eps*b": "l. 454"}),
    Claim("to.app-B.conclusion", B, "Thus (B.1) holds and we complete the proof.", (466, 466), "drift",
          run=conclusion_run, says=DRIFT, severity="substantive", corrected_by="to.app-B.conclusion.corrected",
          note=RAW_MOMENT + "Besides: a scheduler that is idle unless it can fill the batch is work-conserving by "
               "(2.6), and has drift lambda (p + d) + ... > 0 at states with one request of any length "
               "(to.app-B.case-partial); and with t_b > 1 every state with R > 0 has a positive drift, as this f has "
               "no R. All three are computed on the chain of Section 2.2, with bounded token sizes (l. 204), in states "
               "with f >= B that are reached from the empty one. Where sizes are bounded the f of line 206 does: "
               "to.sec-2.3.sketch-drift."),
    correction("to.app-B.conclusion", B, (466, 466), "drift", f"{ARRIVALS} - Delta <= -eps/2",
               (*LOADED, "M2s <= 2*L", "Delta >= b"),
               sources={**LOADED_SOURCES, "M2s <= 2*L": "added: L is a bound of E[(d_l + 1)^2]/2",
                        "Delta >= b": "l. 438 and l. 464, of the Delta of to.app-B.Delta.corrected (added: batches of "
                                      "one slot, that load min{b, what there is})"},
               note="tests/proofs/test_claims_to.py holds it against the enumerated drift on random states."),
)
