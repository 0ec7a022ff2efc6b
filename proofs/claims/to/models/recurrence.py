"""Positive recurrence of Section 2.2's chain by Foster's theorem: its conditions, and how what that asks for is proved.

A state is R(n) and, of each request that is there, (P_i, D_i, Z_i), the last a number of its feature; i = 1, ..., q,
and beyond q the functions are of no matter. A batch loads dp(i) and dd(i), and p1(i) and d1(i) are what it leaves of
request i, nothing if that departs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State, each, joined
from qtheory.proofs.claims.cases import Model
from qtheory.proofs.proving.lines import Proof

from .sources import sourced


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
    FUNCTIONS: "of the requests 1, ..., q, l. 124: P_i, D_i and Z_i; l. 132: what is loaded; and indicators",
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
         "in Q_n; its states are those of these that it can take, l. 130, and it is assumed irreducible on them, as in "
         "l. 176; by l. 143 to 154, and (2.1) and (2.2), l. 81 and 83, a slot's requests bring {mean} in the mean")
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


# ---- Section 2.3's function f = sum_i (P_i + D_i) + R b/t_b, for bounded sizes and any work-conserving algorithm ----

BROUGHT = {"T_came": CAME}
WORK = {"": "T_left + R1*b/t_b", "T_came": "1"}  # what is left, and what has come
SKETCHED = Recurrence(
    slots((*NUMBERS, "longest in naturals", "longest >= 1", *MEANS, LOAD),
          (FEASIBLE, MARK, BATCH, ABLE, SLOT, SLOTS, CONSERVING), "p(i) + d(i)", WORK, BROUGHT,
          (*ROW, "d(i) <= longest")),
    ("lam", "m_p", "m_d", "b", "t_b", "kinds", "longest"), "T + r*b/t_b", "And(r <= 0, M < b)",
    f"b/t_b - {CAME}", "(2 + longest + kinds)*b", WORDS.format(mean="lambda (m_p + m_d) tokens"), let=LET, assumed=True)

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
    let=LET, assumed=True)
A_CLASS = ("an instance, a class: where a batch is below the budget it has all tokens that can be loaded, in whatever "
           "order, as those of l. 220 and l. 222 have")
MEANT = ("work-conserving, as the paper uses the word: where a batch is below the budget it has all tokens that can be "
         "loaded: l. 444, each request is served, 'otherwise the work-conserving assumption is violated', l. 176, "
         "'will empty the queue', l. 170, 'will not waste the bandwidth'; (2.6), the definition, asks for less")
SQUARES_SOURCES = {
    "Q >= 0": "the mean of the sum of (1 + v_d(i))^2 over the requests of a slot: l. 180, where D_1 is v_d(1)",
    WEIGHT: "a definition: the weight of the squares, as line 420's eps/(4 L lambda) is"}

def recurrent(theorem: Recurrence, sources: Mapping[str, str] | None = None, proof: Proof | None = None) -> Model:
    """Positive recurrence under the theorem's conditions, each with its source; its proof, where code makes that."""
    return Model(theorem, sources=sourced(theorem.where, sources, SOURCES), proof=proof or Proof(), budget=120)


STABLE = {
    "delta > 0": "Def. 6, l. 648: the time from which on each fluid limit is 0",
    "z_0*(m_p + m_d) == 1": "of the one along x_k, k requests at their start, of the law of (2.1): |x_k|/k tends to "
                            "m_p + m_d, (C.22), l. 600, and z_0 is Zhat_p(0), l. 612; Zhat_d(0) is 0",
    "z_0 + lam*delta - B_p/m_p == 0": "(C.30), l. 650: Zhat_p(delta), by (C.26) and (C.27); B_p is Bhat_p(delta)",
    "B_p/m_p - B_d/m_d == 0": "(C.30), l. 650: Zhat_d(delta), by (C.26) and (C.28), l. 624 and 626",
    "B_p + B_d <= delta*b/t_b": "l. 194: b/t_b is the maximal token processing rate"}
IF_STABLE = replace(SQUARES, parameters=(*SQUARES.parameters, "delta", "z_0", "B_p", "B_d"), chain=replace(
    SQUARES.chain, given=(*(w for w in SQUARES.chain.given if w != LOAD), *STABLE)))

BOUNDED_SIZES = recurrent(SKETCHED)
A_CLASS_OF_ALGORITHMS = recurrent(SQUARES, {**SQUARES_SOURCES, LOADS_ALL: A_CLASS})
LOADS_ALL_IT_CAN = recurrent(SQUARES, {**SQUARES_SOURCES, LOADS_ALL: MEANT})
IF_LIMITS_ARE_STABLE = recurrent(IF_STABLE, {**SQUARES_SOURCES, **STABLE, LOADS_ALL: MEANT})
