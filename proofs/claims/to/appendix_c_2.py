"""Appendix C.2: the fluid model, its Lyapunov function and Proposition 2."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from .wording import (
    BOUNDS,
    BUSY,
    CONTENT,
    LEVELS,
    POSITIVE,
    PRINTED,
    PRINTED_0,
    PRINTED_SLOPE,
    RATES,
    RAW_WEIGHTS,
    SLOPES,
    TOKENS,
    TOKENS_0,
    TOKENS_SLOPE,
    claim,
    correction,
    given,
    refuted,
)

C2, PROOF = "Appendix C.2", "Proof of Proposition 2"
PAIR = ("0 <= s", "s <= t", "And(0 <= D_p, D_p <= (t - s)*b/t_b)", "And(0 <= D_d, D_d <= (t - s)*b/t_b)")
PAIR_SOURCES = {"0 <= s": "(C.12), l. 518", "s <= t": "(C.12), l. 518",
                "And(0 <= D_p, D_p <= (t - s)*b/t_b)": "(C.12), l. 518: D_p is B_p(t) - B_p(s)",
                "And(0 <= D_d, D_d <= (t - s)*b/t_b)": "(C.12), l. 518: D_d is B_d(t) - B_d(s)"}
REQUESTS = "Abs(lam*(t - s) - D_p/m_p) <= (lam + b/(t_b*m_p))*(t - s)"
DECODES = "Abs(D_p/m_p - D_d/m_d) <= (b/(t_b*m_p) + b/(t_b*m_d))*(t - s)"
EACH = ("Abs(D_p) <= b/t_b*(t - s)", "Abs(D_d) <= b/t_b*(t - s)", "Abs(D_p/m_p) <= b/(t_b*m_p)*(t - s)",
        "Abs(D_d/m_d) <= b/(t_b*m_d)*(t - s)", REQUESTS, DECODES,
        "Abs(m_p*(lam*(t - s) - D_p/m_p)) <= m_p*(lam + b/(t_b*m_p))*(t - s)",
        "Abs(m_d*(D_p/m_p - D_d/m_d)) <= m_d*(b/(t_b*m_p) + b/(t_b*m_d))*(t - s)")
PER_REQUEST = tuple(
    ("Implies(And(m > 0, 0 <= D, D <= r), And(0 <= D/m, D/m <= r/m, Abs(D/m) <= r/m))",
     {"m": m, "D": D, "r": "(t - s)*b/t_b"}) for m, D in (("m_p", "D_p"), ("m_d", "D_d")))
DIFFERENCES = (("Implies(And(0 <= x, x <= u, 0 <= y, y <= v), Abs(x - y) <= u + v)",
                {"x": "lam*(t - s)", "u": "lam*(t - s)", "y": "D_p/m_p", "v": "b/(t_b*m_p)*(t - s)"}),
               ("Implies(And(0 <= x, x <= u, 0 <= y, y <= v), Abs(x - y) <= u + v)",
                {"x": "D_p/m_p", "u": "b/(t_b*m_p)*(t - s)", "y": "D_d/m_d", "v": "b/(t_b*m_d)*(t - s)"}))
SCALED = tuple(("Implies(And(m > 0, Abs(x) <= u), Abs(m*x) <= m*u)", parts) for parts in (
    {"m": "m_p", "x": "lam*(t - s) - D_p/m_p", "u": "(lam + b/(t_b*m_p))*(t - s)"},
    {"m": "m_d", "x": "D_p/m_p - D_d/m_d", "u": "(b/(t_b*m_p) + b/(t_b*m_d))*(t - s)"}))
LIPSCHITZ = {"lemmas": ("lam*(t - s) >= 0", *PER_REQUEST, *DIFFERENCES, *SCALED)}
POSITIVE_WORK = ("Implies(And(p > 0, d > 0, x >= 0, y >= 0, (p + d)*x + d*y > 0), p*x + d*y > 0)",
                 {"p": "m_p", "d": "m_d", "x": "Z_p", "y": "Z_d"})
LOAD = ("t_p == t_b", "m_b == m_d", "lam*(m_p + m_b) < b/t_p")
OVERLOAD = ("t_p == t_b", "lam*(m_p + m_d) > b/t_p")
EMPTY = {"Z_p0 == 0": "Def. 4, l. 549: starting from 0", "Z_d0 == 0": "Def. 4, l. 549: starting from 0"}
JOINT = {"B_p + B_d <= t*b/t_b": "added: the phases share the budget: prop-2b.rate's line, l. 575, integrated"}
FULL = "B_p + B_d == t*b/t_b"
ONLY_PREFILL = ("A solution with these rates: Z_p(0) = 1, Z_d(0) = 0 and prefill first, as Orca has it: B_p(t) = t "
                "b/t_b, B_d(t) = 0 until Z_p is 0. ")
SEPARATE = ("Raw line 518: '0 <= B_f(t) - B_f(s) <= (t - s)b/t_b, ... f in {p, d}', each phase by itself; independent "
            "use: (C.8), l. 502, 'for each f in {p, d}'. Definition 2, l. 541: a fluid model solution satisfies "
            "(C.10)-(C.14), and no more. ")

CLAIMS: tuple[Claim, ...] = (
    claim("to.app-C.2.lip-B", C2, "the function B_f(.) is Lipschitz continuous with Lipschitz constant b/t_b", 522,
          "inequality", "And(Abs(D_p) <= b/t_b*(t - s), Abs(D_d) <= b/t_b*(t - s))", (*RATES, *PAIR),
          sources=PAIR_SOURCES),
    claim("to.app-C.2.lip-F", C2, "Fluid model equation (C.13) implies that function F_f(.) is Lipschitz continuous",
          522, "inequality", "And(Abs(D_p/m_p) <= b/(t_b*m_p)*(t - s), Abs(D_d/m_d) <= b/(t_b*m_d)*(t - s))",
          (*RATES, *PAIR), sources=PAIR_SOURCES, hint={"lemmas": PER_REQUEST},
          note="(C.13) prints B_f(f) for B_f(t), as (C.26) has it."),
    claim("to.app-C.2.lip-ZW", C2, "(C.10)-(C.11) and (C.14) imply that Z_f(.) and W_f(.) are Lipschitz continuous as "
          "well", 522, "inequality", f"And({', '.join(EACH[4:])})", (*RATES, *PAIR), sources=PAIR_SOURCES,
          hint=LIPSCHITZ, note="Increments between s and t; the constants are lambda + b/(t_b m_p) and b/(t_b m_p) + "
                               "b/(t_b m_d), and m_f times these."),
    claim("to.eq-C.15", "Appendix C.2, (C.15)", "In conclusion, the multidimensional function (B_f, F_f, W_f, Z_f, f "
          "in {p, d}) is Lipschitz continuous", (522, 526), "inequality", f"And({', '.join(EACH)})", (*RATES, *PAIR),
          sources=PAIR_SOURCES, hint={"lemmas": (*LIPSCHITZ["lemmas"], *EACH)}, note="Component by component."),
    given("to.app-C.2.abs-continuous", C2, "this function is absolutely continuous. As a consequence, it is "
          "differential almost surely everywhere", 526, "theorem", "assumed",
          "Rademacher's theorem in one dimension; cited: Dai and Harrison (2020), Lemma A.2."),
    given("to.eq-C.16", "Appendix C.2, (C.16)", "for any component x(.) in (C.15), x(t) - x(s) = int_s^t dot x(u) du",
          (526, 530), "theorem", "assumed", "The fundamental theorem of calculus for absolutely continuous functions; "
          "cited: Dai and Harrison (2020), Lemma A.3."),
    refuted("to.eq-C.19.interpretation", C2, "One interpretation of the total workload is the time needed for the LLM "
            "engine to clear off all existing 'fluid tokens' in the system when the request arrival is turned off.",
            565, "identity", "f0 == t*b/t_b", (*RATES, *CONTENT, "lam == 0", FULL, "Z_p == 0", "Z_d == 0"), PRINTED_0,
            sources={"lam == 0": "l. 565: the request arrival is turned off",
                     FULL: "(C.17), l. 538, on [0, t]: the engine works until it is empty",
                     "Z_p == 0": "l. 565: to clear off all", "Z_d == 0": "l. 565: to clear off all"},
            note=RAW_WEIGHTS + "One request in prefill with m_p = m_d = 1 has two tokens to come, and f = 1. A time it "
                 "can be only in units of t_b/b; that is granted here."),
    correction("to.eq-C.19.interpretation", C2, 565, "identity", "And(f0 == t*b/t_b, t == f0/(b/t_b))",
               (*POSITIVE, *CONTENT, "lam == 0", FULL, "Z_p == 0", "Z_d == 0"), TOKENS_0,
               sources={"lam == 0": "l. 565: the request arrival is turned off",
                        FULL: "(C.17), l. 538, on [0, t]: the engine works until it is empty",
                        "Z_p == 0": "l. 565: to clear off all", "Z_d == 0": "l. 565: to clear off all"},
               note="With (m_p + m_d) Z_p + m_d Z_d, the tokens that are left; the time is that over b/t_b."),
    refuted("to.prop-2.f-balance", PROOF, "It follows from fluid model equations (C.10)-(C.14) that f(t) = f(0) + "
            "lambda (m_p + m_d) t - (B_p(t) + B_d(t)).", (565, 567), "identity",
            "f == f0 + lam*(m_p + m_d)*t - (B_p + B_d)", (*RATES, *CONTENT, *BOUNDS), (*PRINTED, *PRINTED_0),
            note=RAW_WEIGHTS + "By (C.10) to (C.13) f(t) - f(0) is lambda m_p t + (m_d/m_p) B_p(t) - (1 + m_p/m_d) "
                 "B_d(t)."),
    correction("to.prop-2.f-balance", PROOF, (565, 567), "identity",
               "f == f0 + lam*(m_p + m_d)*t - (B_p + B_d)", (*POSITIVE, *CONTENT), (*TOKENS, *TOKENS_0),
               note="With f(t) = (m_p + m_d) Z_p(t) + m_d Z_d(t)."),
    refuted("to.prop-2a.drift", "Proof of Proposition 2(a)", "For each regular point t > 0, f(t) > 0 implies that dot "
            "f(t) = lambda (m_p + m_d) - b/t_p", 569, "drift", "df == lam*(m_p + m_d) - b/t_p",
            (*RATES, *LEVELS, *SLOPES, BUSY, "t_p == t_b", "f > 0"), (*PRINTED, *PRINTED_SLOPE),
            sources={"f > 0": "l. 569"},
            note=RAW_WEIGHTS + "While an engine serves prefill tokens alone f grows at rate lambda m_p + (m_d/m_p) "
                 "b/t_b, whatever the load. " + ONLY_PREFILL),
    correction("to.prop-2a.drift", "Proof of Proposition 2(a)", 569, "drift",
               "And(W_p + W_d > 0, df == lam*(m_p + m_d) - b/t_p)",
               (*POSITIVE, *LEVELS, *SLOPES[:4], "dB_p + dB_d == b/t_b", "t_p == t_b", "f > 0"),
               (*TOKENS, *TOKENS_SLOPE),
               sources={"f > 0": "l. 569", "dB_p + dB_d == b/t_b": "(C.17), l. 538, where W_p + W_d > 0, as it is"},
               hint={"lemmas": (POSITIVE_WORK,)}, note="With f(t) = (m_p + m_d) Z_p(t) + m_d Z_d(t)."),
    claim("to.prop-2a.negative", "Proof of Proposition 2(a)", "which is negative by load condition (C.1)", 569,
          "inequality", "lam*(m_p + m_d) - b/t_p < 0", (*RATES, *LOAD)),
    refuted("to.prop-2a.empty", "Proof of Proposition 2(a)", "It follows from Lemma 8.5 of (Dai & Harrison, 2020) that "
            "f(t) = 0 for t >= f(0)/delta", 569, "theorem", "f == 0",
            (*RATES, *CONTENT, *BOUNDS, FULL, *LOAD, "t >= f0/delta"),
            (*PRINTED, *PRINTED_0, "delta = b/t_p - lam*(m_p + m_d)"),
            sources={FULL: "(C.17), l. 538, while W_p + W_d > 0 on [0, t]", "t >= f0/delta": "l. 569"},
            note=RAW_WEIGHTS + "From Z_p(0) = 1, Z_d(0) = 0 the engine needs (m_p + m_d)/delta, and at f(0)/delta = "
                 "m_p/delta there are m_d tokens left."),
    correction("to.prop-2a.empty", "Proof of Proposition 2(a)", 569, "theorem",
               "And(f == f0 - delta*t, t <= f0/delta)", (*POSITIVE, *CONTENT, *BOUNDS, FULL, *LOAD),
               (*TOKENS, *TOKENS_0, "delta = b/t_p - lam*(m_p + m_d)"),
               sources={FULL: "(C.17), l. 538, while W_p + W_d > 0 on [0, t]"},
               hint={"lemmas": ("f == f0 - delta*t", "f >= 0", "delta > 0",
                                ("Implies(And(g > 0, x - g*y >= 0), y <= x/g)", {"g": "delta", "x": "f0", "y": "t"}))},
               note="As long as the engine has not been empty, f(t) = (m_p + m_d) Z_p(t) + m_d Z_d(t) falls at rate "
                    "delta, and that lasts at most until f(0)/delta. That f stays 0 then is Lemma 8.5: to.prop-2a."),
    claim("to.prop-2a.delta", "Proof of Proposition 2(a)", "delta = b/t_p - lambda (m_p + m_d) > 0", (569, 571),
          "inequality", "b/t_p - lam*(m_p + m_d) > 0", (*RATES, *LOAD)),
    refuted("to.prop-2b.rate", "Proof of Proposition 2(b)", "Let t > 0 be a regular point. dot B_p(t) + dot B_d(t) <= "
            "b/t_b", (573, 575), "inequality", "dB_p + dB_d <= b/t_b", (*RATES, *LEVELS, *SLOPES),
            note=SEPARATE + "So each phase may take the whole budget: dot B_p = dot B_d = b/t_b. Without "
                 "work-conservation, which Proposition 2(b) does not ask for, nothing else bounds the sum."),
    correction("to.prop-2b.rate", "Proof of Proposition 2(b)", (573, 575), "inequality", "dB_p + dB_d <= b/t_b",
               (*POSITIVE, BUSY, "W_p + W_d > 0"),
               sources={"W_p + W_d > 0": "added: a work-conserving solution that is not empty"},
               note="For every algorithm the bound has to be an equation of the fluid model: B_p(t) + B_d(t) - B_p(s) "
                    "- B_d(s) <= (t - s) b/t_b in place of (C.12)'s two."),
    refuted("to.prop-2b.drift", "Proof of Proposition 2(b)", "dot f(t) >= lambda (m_p + m_d) - b/t_p > 0", 577, "drift",
            "And(df >= lam*(m_p + m_d) - b/t_p, lam*(m_p + m_d) - b/t_p > 0)",
            (*RATES, *LEVELS, *SLOPES, "dB_p + dB_d <= b/t_b", *OVERLOAD), PRINTED_SLOPE,
            sources={"dB_p + dB_d <= b/t_b": "l. 575"},
            note=RAW_WEIGHTS + "While an engine serves decode tokens alone dot f is lambda m_p - (1 + m_p/m_d) b/t_b, "
                 "which may be negative. The joint bound of line 575 is granted here."),
    correction("to.prop-2b.drift", "Proof of Proposition 2(b)", 577, "drift",
               "And(df >= lam*(m_p + m_d) - b/t_p, lam*(m_p + m_d) - b/t_p > 0)",
               (*POSITIVE, *LEVELS, *SLOPES, "dB_p + dB_d <= b/t_b", *OVERLOAD), TOKENS_SLOPE,
               sources={"dB_p + dB_d <= b/t_b": "l. 575"}, note="With f(t) = (m_p + m_d) Z_p(t) + m_d Z_d(t)."),
    refuted("to.prop-2b.growth", "Proof of Proposition 2(b)", "Since f(0) is assumed to zero, it follows that f(t) = "
            "int_0^t dot f(u) du >= t (lambda (m_p + m_d) - b/t_p) > 0.", (577, 579), "inequality",
            "And(f >= t*(lam*(m_p + m_d) - b/t_p), t*(lam*(m_p + m_d) - b/t_p) > 0)",
            (*RATES, *CONTENT, *BOUNDS, *EMPTY, "B_p + B_d <= t*b/t_b", "t > 0", *OVERLOAD), PRINTED,
            sources={**EMPTY, "B_p + B_d <= t*b/t_b": "l. 575, integrated"},
            note=RAW_WEIGHTS + "If every request that has been prefilled is decoded at once, f(t) is m_p/(m_p + m_d) "
                 "of the printed bound, in a full engine. The joint bound of line 575 is granted here."),
    correction("to.prop-2b.growth", "Proof of Proposition 2(b)", (577, 579), "inequality",
               "And(f >= t*(lam*(m_p + m_d) - b/t_p), t*(lam*(m_p + m_d) - b/t_p) > 0)",
               (*POSITIVE, *CONTENT, *BOUNDS, *EMPTY, "B_p + B_d <= t*b/t_b", "t > 0", *OVERLOAD), TOKENS,
               sources={**EMPTY, "B_p + B_d <= t*b/t_b": "l. 575, integrated"},
               note="With f(t) = (m_p + m_d) Z_p(t) + m_d Z_d(t)."),
    refuted("to.prop-2b", "Proposition 2(b)", "Assume (C.18). Under any scheduling algorithm, the fluid model is "
            "weakly unstable.", (553, 557), "theorem", "Z_p + Z_d != 0",
            (*RATES, *CONTENT, *BOUNDS, *EMPTY, "t > 0", *OVERLOAD), sources=EMPTY,
            note=SEPARATE + "With lambda m_p and lambda m_d both at most b/t_b, B_p(t) = lambda m_p t and B_d(t) = "
                 "lambda m_d t solve (C.10) to (C.14) with Z = 0 at all times, though lambda (m_p + m_d) > b/t_p. The "
                 "missing equation is the joint budget, which (C.8) does not have either."),
    correction("to.prop-2b", "Proposition 2(b)", (553, 557), "theorem", "Z_p + Z_d != 0",
               (*POSITIVE, *CONTENT, *BOUNDS, *EMPTY, "B_p + B_d <= t*b/t_b", "t > 0", *OVERLOAD),
               TOKENS, sources={**EMPTY, **JOINT}, hint={"lemmas": (
                   "f == lam*(m_p + m_d)*t - (B_p + B_d)",
                   ("Implies(And(t > 0, l > r, w <= t*r), l*t - w > 0)",
                    {"l": "lam*(m_p + m_d)", "r": "b/t_b", "w": "B_p + B_d", "t": "t"}), "f > 0", POSITIVE_WORK,
                   ("Implies(And(p > 0, d > 0, x >= 0, y >= 0, p*x + d*y > 0), x + y > 0)",
                    {"p": "m_p", "d": "m_d", "x": "Z_p", "y": "Z_d"}))}, note="At every t > 0."),
    refuted("to.prop-2b.any-a", "Proof of Proposition 2(b)", "Thus, the fluid model is weakly unstable by choosing any "
            "a > 0.", 581, "existence/uniqueness", "Implies(t > 0, Z_p + Z_d != 0)",
            (*RATES, *CONTENT, *BOUNDS, *EMPTY, *OVERLOAD), sources=EMPTY, corrected_by="to.prop-2b.corrected",
            note="t is a. " + SEPARATE + "See to.prop-2b: Z = 0 at all times is a solution."),
)
