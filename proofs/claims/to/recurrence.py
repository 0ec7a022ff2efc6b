"""Positive recurrence of Section 2.2's chain by Foster's theorem: its conditions, and how what that asks for is proved.

A state is R(n) and, of each request that is there, (P_i, D_i, Z_i), the last a number of its feature; i = 1, ..., q,
and beyond q the functions are of no matter. A batch loads dp(i) and dd(i), and p1(i) and d1(i) are what it leaves of
request i, nothing if that departs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from qtheory.proofs.chains import FOSTER, Chain, Outcome, Recurrence, State, each, joined
from qtheory.proofs.claims.axioms import Step
from qtheory.proofs.claims.model import Claim, sourced

from .wording import STATED, spread


def total(summand: str) -> str:
    return f"Sum({summand}, (i, 1, q))"


ROW = ("d(i) >= 1", "z(i) <= kinds")
REQUESTS = (each("Natural(p(i))", "Natural(d(i))", "Natural(z(i))"), *map(each, ROW))
FEASIBLE = each("Natural(dp(i))", "Natural(dd(i))", "Or(p(i) <= 0, dd(i) == 0)", "dp(i) <= p(i)", "dd(i) <= 1")
LET = ("p1(i) = p(i) - dp(i)", "d1(i) = d(i) - dd(i)")
LEFT = each("Or(And(d(i) > dd(i), p1(i) == p(i) - dp(i), d1(i) == d(i) - dd(i)), "
            "And(d(i) == dd(i), p1(i) == 0, d1(i) == 0))")
MARK = each("Or(And(p(i) == 0, u(i) == 0), And(p(i) >= 1, u(i) == 1))")
MARK_LEFT = each("Or(And(p1(i) == 0, u1(i) == 0), And(p1(i) >= 1, u1(i) == 1))")
BATCH = f"S == {total('dp(i) + dd(i)')}"
ABLE = f"M == {total('p(i) + 1 - u(i)')}"
BOUNDED = each("d(i) <= longest")
SLOT = ("Or(And(r > 0, S == 0, R1 == r - 1, k == 0), And(r == 0, S == b, R1 == t_b - 1, k == 0), "
        "And(r == 0, S < b, 0 <= R1, R1 <= t_b - 1, k == 1))")
SLOTS = "R1 in naturals"
CONSERVING = "Or(r > 0, M < b, S == b)"
LOADS_ALL = each("Or(k == 0, dp(i) + dd(i) == p(i) + 1 - u(i))")
NUMBERS = ("b in naturals", "b >= 1", "t_b in naturals", "t_b >= 1", "kinds in naturals")
LOAD = "lam*(m_p + m_d) < b/t_b"
CAME = "lam*(m_p + m_d)"
MEANS = ("lam >= 0", "m_p >= 1", "m_d >= 1")
FUNCTIONS = "p, d, z, dp, dd, u, u1 in functions"
ARRIVALS = "vp, vd, vz in functions"
SOURCES: Mapping[str, str] = {
    FUNCTIONS: "of the requests 1, ..., q, l. 126: P_i, D_i and Z_i, what is loaded, and indicators",
    ARRIVALS: "(2.1), l. 81: v_p(i) and v_d(i) of the requests 1, ..., m that arrive in a slot, and their features",
    "r in naturals": "Sec. 2.2, l. 126: R(n)", "q in naturals": "Sec. 2.2, l. 124: the number of requests in Q_n",
    "t_b in naturals": "Sec. 2.2, l. 156: a number of slots", "kinds in naturals": "Sec. 2.1, l. 77: K is a finite set",
    "longest in naturals": "l. 204: a bound of v_d(i)", "longest >= 1": "l. 77: v_d(i) >= 1",
    **dict.fromkeys(REQUESTS, "Sec. 2.2, l. 124 and l. 145: the tokens of those that are there; l. 77: features, "
                    "numbered"),
    FEASIBLE: "(2.5a) to (2.5c), l. 134 to 136",
    MARK: "l. 168: u(i) is 1(p_i > 0), so that 1(p_i = 0) is 1 - u(i)", MARK_LEFT: "u1(i) is 1(p_i' > 0)",
    BATCH: "(2.5d), l. 137: S is b'", ABLE: "l. 168: M is sum_i p_i + 1(p_i = 0)",
    BOUNDED: "l. 204: all random variables in (2.1) are bounded",
    SLOT: "l. 139: no batch while R > 0, else b' <= b (2.5d), l. 137; l. 154: R1 is R(n+1), and by (2.3), l. 114, no "
          "batch takes longer than a full one; k is 1 where a batch below the budget is formed",
    SLOTS: "l. 126 and 154: R(n+1)", CONSERVING: "(2.6), l. 166 and 168", LOAD: "(2.7), l. 182"}
WORDS = ("the DTMC of l. 156, whose state is X(n) of (2.4), l. 128, R(n) and (P_i(n), D_i(n), Z_i(n)) for each request "
         "in Q_n; assumed irreducible, l. 176; by l. 143 to 154, and (2.1) and (2.2), l. 81 and 83, a slot's requests "
         "bring {mean} in the mean")
TOKENS, TOKENS_LEFT = total("p(i) + d(i)"), total("p1(i) + d1(i)")


def arrivals(*row: str, more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """That what arrives are such requests."""
    rows = [re.sub(r"\b([pdze])\(i\)", r"v\1(i)", text) for text in row]
    return "Natural(m)", each("Natural(vp(i))", "Natural(vd(i))", "Natural(vz(i))", *more, *rows)


def arriving(goal: str, *row: str) -> str:
    """That it holds of what arrives."""
    return f"Implies({joined(arrivals(*(row or ROW)))}, {goal})"


def slots(given: tuple[str, ...], choices: tuple[str, ...], total_of: str, mean: Mapping[str, str],
          moments: Mapping[str, str], row: tuple[str, ...] = ROW) -> Chain:
    """Section 2.2's chain, with a sum over the requests, T, whose next value has a bound by stated means."""
    return Chain(given, State(("r",), ("p", "d", "z"), "q"), (Outcome(
        {"r": "R1"}, "1", {"p": "p1", "d": "d1"}, {"p": "vp", "d": "vd", "z": "vz"}, mean),),
        (FUNCTIONS, ARRIVALS), row=row, blank={"p": "0", "d": "1", "z": "0"}, totals={"T": total_of}, choices=choices,
        inputs=("m", "vp", "vd", "vz"), input=arrivals(*row), moments=moments, stay="d1(i)", many="m")


# Steps that both of the functions below need: no more requests than tokens that can be loaded; the size of a state
COUNTED: Mapping[str, Step] = {
    "a token each": Step(each("p(i) + 1 - u(i) >= 1"), (MARK, *REQUESTS), pointwise=True),
    "requests": Step(f"q <= {total('p(i) + 1 - u(i)')}", ("a token each", "q in naturals")),
    f"{FOSTER}: positive rate": Step(given=(LOAD,))}
# That next states are states
CLOSED: Mapping[str, Step] = {
    LEFT: Step(LEFT, (*REQUESTS, FEASIBLE), pointwise=True, split=("d(i) - dd(i)",)),
    f"{FOSTER}: next": Step(given=(SLOTS,)),
    f"{FOSTER}: rows left": Step(given=(*REQUESTS, FEASIBLE), pointwise=True),
    f"{FOSTER}: rows came": Step(given=()), f"{FOSTER}: blank row": Step(given=("kinds in naturals",))}


# ---- Section 2.3's function f = sum_i (P_i + D_i) + R b/t_b, for bounded sizes and any work-conserving algorithm ----

BROUGHT = {"T_came": CAME}
WORK = {"": "T_left + R1*b/t_b", "T_came": "1"}  # what is left, and what has come
SKETCHED = Recurrence(
    slots((*NUMBERS, "longest in naturals", "longest >= 1", *MEANS, LOAD),
          (FEASIBLE, MARK, BATCH, ABLE, SLOT, SLOTS, CONSERVING), "p(i) + d(i)", WORK, BROUGHT,
          (*ROW, "d(i) <= longest")),
    ("lam", "m_p", "m_d", "b", "t_b", "kinds", "longest"), "T + r*b/t_b", "And(r <= 0, M < b)",
    f"b/t_b - {CAME}", "(2 + longest + kinds)*b", WORDS.format(mean="lambda (m_p + m_d) tokens"), let=LET)
SKETCHED_STEPS: Mapping[str, Step] = {
    **CLOSED,
    f"{FOSTER}: rows left": Step(given=(*REQUESTS, BOUNDED, FEASIBLE), pointwise=True),
    f"{FOSTER}: blank row": Step(given=("kinds in naturals", "longest >= 1")),
    f"{FOSTER}: mean": Step(given=("t_b >= 1", "q in naturals"), guarded=True),
    "left": Step(each("p1(i) + d1(i) == p(i) + d(i) - (dp(i) + dd(i))"), (*REQUESTS, FEASIBLE, LEFT), pointwise=True),
    "left in all": Step(f"{TOKENS_LEFT} == {TOKENS} - {total('dp(i) + dd(i)')}", ("q in naturals", "left")),
    "fall": Step(f"{TOKENS_LEFT} == {TOKENS} - S", ("left in all", BATCH)),
    "sign": Step(each("p(i) + d(i) >= 0"), REQUESTS, pointwise=True),
    "total": Step(f"{TOKENS} >= 0", ("q in naturals", "sign")),
    **COUNTED,
    f"{FOSTER}: bounded below": Step(given=("total", "r in naturals", "b >= 1", "t_b >= 1")),
    f"{FOSTER}: drift": Step(given=("fall", SLOT, CONSERVING, "t_b >= 1")),
    "numbers": Step(each("p(i) + d(i) + z(i) <= (p(i) + 1 - u(i)) + longest + kinds"), (MARK, *REQUESTS, BOUNDED),
                    pointwise=True),
    "numbers in all": Step(f"{total('p(i) + d(i) + z(i)')} <= {total('(p(i) + 1 - u(i)) + longest + kinds')}",
                           ("numbers", "q in naturals")),
    "numbers apart": Step(f"{total('(p(i) + 1 - u(i)) + longest + kinds')} == {total('p(i) + 1 - u(i)')} + "
                          "q*(longest + kinds)", ("q in naturals",)),
    "all numbers": Step(f"{total('p(i) + d(i) + z(i)')} <= M + q*(longest + kinds)",
                        ("numbers in all", "numbers apart", ABLE)),
    f"{FOSTER}: finite set": Step(
        given=("all numbers", "requests", ABLE, "kinds in naturals", "longest in naturals", "q in naturals"),
        hint={"lemmas": ("q <= M", ("Implies(And(w >= 0, q <= M, M < b), q*w <= b*w)",
                                    {"w": "longest + kinds", "q": "q", "M": "M", "b": "b"}))})}

# ---- with squares, for sizes with a second moment and algorithms that load what there is where it is below b ----

GAP = "(b/t_b - lam*(m_p + m_d))"
WEIGHT = f"c == {GAP}/(2*(1 + Q))"
SQUARED = "p(i) + d(i) + c*(u(i) + d(i))**2"
VALUED = "p(i) + d(i) + c*(Min(p(i), 1) + d(i))**2"
VALUED_LEFT, VALUED_NEW = (re.sub(r"\b([pd])\(i\)", name, VALUED) for name in (r"\g<1>1(i)", r"v\1(i)"))
NEW_TOKENS, NEW_SQUARES = "Sum(vp(i) + vd(i), (i, 1, m))", "Sum((1 + vd(i))**2, (i, 1, m))"
NEW_BOTH = "vp(i) + vd(i) + c*(1 + vd(i))**2"
SQUARED_LEFT = "p1(i) + d1(i) + c*(u1(i) + d1(i))**2"
FALL = f"({total(SQUARED_LEFT)} - {total(SQUARED)})"
SQUARES = Recurrence(
    slots((*NUMBERS, *MEANS, "Q >= 0", LOAD, WEIGHT),
          (FEASIBLE, MARK, MARK_LEFT, BATCH, SLOT, SLOTS, LOADS_ALL), VALUED,
          {"": "T_left + R1*b/t_b", NEW_TOKENS: "1", NEW_SQUARES: "c"}, {NEW_TOKENS: CAME, NEW_SQUARES: "Q"}),
    ("lam", "m_p", "m_d", "b", "t_b", "kinds", "Q", "c"), "T + r*b/t_b", f"And(r <= 0, S < b, c*{total('d(i)')} < b)",
    f"{GAP}/2", "(2 + kinds)*b + b/c", WORDS.format(mean="lambda (m_p + m_d) tokens, and Q in squares of 1 + v_d(i),"),
    let=LET)
ADDED = ("added: where a batch is below the budget it has all tokens that can be loaded, as those of Orca and "
         "Sarathi-Serve have: to.sec-3.orca-wc.stable, to.sec-3.sarathi-wc.stable")
SQUARES_SOURCES = {
    "Q >= 0": "the mean of the sum of (1 + v_d(i))^2 over the requests of a slot: l. 180, where D_1 is v_d(1)",
    WEIGHT: "a definition: the weight of the squares, as line 420's eps/(4 L lambda) is"}
SQUARES_STEPS: Mapping[str, Step] = {
    **CLOSED,
    "weight": Step("c > 0", (WEIGHT, LOAD, "Q >= 0"), hint={"lemmas": (f"{GAP}/(2*(1 + Q)) > 0",)}),
    "squares that come": Step(f"c*Q <= {GAP}/2", (WEIGHT, "weight", "Q >= 0"),
                              hint={"lemmas": (f"2*c*(1 + Q) == {GAP}",)}),
    "mark": Step(each("Min(p(i), 1) == u(i)"), (MARK,), pointwise=True),
    "with the mark": Step(each(f"{VALUED} == {SQUARED}"), ("mark",), pointwise=True),
    "value": Step(f"{total(VALUED)} == {total(SQUARED)}", ("with the mark", "q in naturals")),
    "mark left": Step(each("Min(p1(i), 1) == u1(i)"), (MARK_LEFT,), pointwise=True),
    "with the mark left": Step(each(f"{VALUED_LEFT} == {SQUARED_LEFT}"), ("mark left",), pointwise=True),
    "value left": Step(f"{total(VALUED_LEFT)} == {total(SQUARED_LEFT)}", ("with the mark left", "q in naturals")),
    "gone": Step(each(f"Implies(d1(i) <= 0, {VALUED_LEFT} == 0)"), ("with the mark left", LEFT, MARK_LEFT, "weight"),
                 pointwise=True),
    f"{FOSTER}: rows left": Step(given=(*REQUESTS, FEASIBLE, "gone"), pointwise=True),
    "new": Step(arriving(each(f"{VALUED_NEW} <= {NEW_BOTH}")), ("weight",), guarded=True),
    "new in all": Step(arriving(f"Sum({VALUED_NEW}, (i, 1, m)) <= Sum({NEW_BOTH}, (i, 1, m))"), ("new",), guarded=True),
    "new apart": Step(arriving(f"Sum({NEW_BOTH}, (i, 1, m)) == {NEW_TOKENS} + c*{NEW_SQUARES}"), (), guarded=True),
    f"{FOSTER}: mean": Step(given=("new in all", "new apart", "t_b >= 1", "q in naturals"), guarded=True),
    "served": Step(each(f"{SQUARED_LEFT} <= {SQUARED} - (dp(i) + dd(i))"),
                   (*REQUESTS, FEASIBLE, LEFT, MARK, MARK_LEFT, "weight"), pointwise=True),
    "fall": Step(f"{total(SQUARED_LEFT)} <= {total(SQUARED)} - {total('dp(i) + dd(i)')}", ("served", "q in naturals")),
    "fall of S": Step(f"{FALL} <= -S", ("fall", BATCH)),
    "two cases": Step("Or(k == 0, k == 1)", (SLOT,)),
    "decoded": Step(each(f"{SQUARED_LEFT} <= {SQUARED} - k*c*d(i)"),
                    (*REQUESTS, FEASIBLE, LEFT, MARK, MARK_LEFT, LOADS_ALL, "weight", "two cases"), pointwise=True),
    "fall below": Step(f"{total(SQUARED_LEFT)} <= {total(SQUARED)} - k*c*{total('d(i)')}",
                       ("decoded", "q in naturals")),
    "sign": Step(each(f"{SQUARED} >= 0"), (*REQUESTS, MARK, "weight"), pointwise=True),
    "total": Step(f"{total(SQUARED)} >= 0", ("q in naturals", "sign")),
    **COUNTED,
    f"{FOSTER}: bounded below": Step(given=("total", "value", "r in naturals", "b >= 1", "t_b >= 1")),
    "change": Step(f"lam*(m_p + m_d) + c*Q + {total(SQUARED_LEFT)} + R1*b/t_b - ({total(VALUED)} + r*b/t_b) <= "
                   f"lam*(m_p + m_d) + {GAP}/2 + {FALL} + (R1 - r)*(b/t_b)",
                   ("squares that come", "value", "fall", "t_b >= 1")),
    "clock": Step("Or(And(r > 0, S == 0, (R1 - r)*(b/t_b) == -(b/t_b)), And(r <= 0, S == b, (R1 - r)*(b/t_b) == b - "
                  "b/t_b), And(r <= 0, S < b, (R1 - r)*(b/t_b) <= b - b/t_b, k == 1))", (SLOT, "b >= 1", "t_b >= 1")),
    "decoding": Step(f"Or(k == 0, {FALL} <= -(c*{total('d(i)')}))", ("two cases", "fall below")),
    "cases": Step(f"Or(And(r <= 0, S < b, {FALL} + (R1 - r)*(b/t_b) <= b - b/t_b - c*{total('d(i)')}), "
                  f"{FALL} + (R1 - r)*(b/t_b) <= -(b/t_b))", ("clock", "fall of S", "decoding", "fall below")),
    "outside": Step(f"Or(And(r <= 0, S < b, c*{total('d(i)')} < b), {FALL} + (R1 - r)*(b/t_b) <= -(b/t_b))",
                    ("cases", "fall below"), split=(f"c*{total('d(i)')} - b",)),
    f"{FOSTER}: drift": Step(given=("outside", "change", "fall below", "value", "value left")),
    "loaded": Step(each("(p(i) + 1 - u(i))*k == (dp(i) + dd(i))*k"), (LOADS_ALL,), pointwise=True),
    "loaded in all": Step(f"k*{total('p(i) + 1 - u(i)')} == k*S", ("loaded", BATCH, "q in naturals")),
    "loaded below": Step(f"Or(r > 0, S == b, {total('p(i) + 1 - u(i)')} == S)", ("loaded in all", SLOT)),
    "numbers": Step(each("p(i) + d(i) + z(i) <= (p(i) + 1 - u(i)) + d(i) + kinds"), (MARK, *REQUESTS), pointwise=True),
    "numbers in all": Step(f"{total('p(i) + d(i) + z(i)')} <= {total('(p(i) + 1 - u(i)) + d(i) + kinds')}",
                           ("numbers", "q in naturals")),
    "numbers apart": Step(f"{total('(p(i) + 1 - u(i)) + d(i) + kinds')} == {total('p(i) + 1 - u(i)')} + "
                          f"{total('d(i)')} + q*kinds", ("q in naturals",)),
    f"{FOSTER}: finite set": Step(
        given=("weight", "loaded below", "requests", "numbers in all", "numbers apart", "kinds in naturals",
               "q in naturals"),
        hint={"lemmas": (("Implies(And(w > 0, w*x < b), x < b/w)", {"w": "c", "x": total("d(i)"), "b": "b"}),
                         ("Implies(And(w >= 0, q <= b), q*w <= b*w)", {"w": "kinds", "q": "q", "b": "b"}))})}

# Two requests that decode their last token, in a full batch
INSTANCE = ("b = 2", "t_b = 1", "kinds = 1", "longest = 3", "r = 0", "q = 2", "Q = 2", "c = 1/6", "p(i) = 0*i",
            "d(i) = 1 + 0*i", "z(i) = 0*i", "dp(i) = 0*i", "dd(i) = 1 + 0*i",
            "u(i) = 0*i", "u1(i) = 0*i", "S = 2", "M = 2", "R1 = 0", "k = 0", "vp(i) = 1 + 0*i",
            "vd(i) = 1 + 0*i", "vz(i) = 0*i")
LAW = (("1/2", ("m = 0",)), ("1/2", ("m = 1",)))  # one request (1, 1) with probability 1/2
RATES = ("lam = 1/2", "m_p = 1", "m_d = 1")


def recurrent(id: str, place: str, quote: str, line: int | tuple[int, int], theorem: Recurrence,
              steps: Mapping[str, Step], sources: Mapping[str, str] | None = None,
              instance: tuple[str, ...] = (*RATES, *INSTANCE), note: str = "",
              law: tuple[tuple[str, tuple[str, ...]], ...] = LAW, **exists: Any) -> Claim:
    """Positive recurrence under the theorem's conditions, each with its source. ``exists``: ``ways`` and ``under``, in
    which there is such a chain in every state; without them it is shown at the instance."""
    stated = sourced(id, theorem.where, sources, SOURCES, STATED)
    return Claim(id, place, quote, spread(line), "theorem", theorem=theorem, sources=stated, note=note,
                 hint={"steps": steps, "instance": instance, "law": law, "budget": 120, **exists})


CLAIMS: tuple[Claim, ...] = (
    recurrent("to.sec-2.3.sketch-foster", "Section 2.3", "By the Foster-Lyapunov criterion, this implies the stability "
              "of the system.", 208, SKETCHED, SKETCHED_STEPS,
              note="Of the variables in (2.1) it is v_d(i) alone that must be bounded; of the others (2.2) will do."),
    recurrent("to.thm-1a.loads-all", "Theorem 1(a)", "", (180, 184), SQUARES, SQUARES_STEPS,
              {**SQUARES_SOURCES, LOADS_ALL: ADDED},
              note="Theorem 1(a) with the moments that it asks for, for every t_b, without fluid limits."),
)
