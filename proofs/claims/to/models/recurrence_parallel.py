"""Proposition 1 for two engines and bounded sizes, by Foster's theorem, whatever work-conserving algorithm they use.

A state is R(n) of each engine and, of each request that is there, (P_i, D_i, Z_i) and its engine: e(i) is 0 at engine
a, 1 at engine b. The function is the sum of the squares of W = tokens + R b/t_b, engine by engine: beyond a bound an
engine serves b/t_b tokens a slot, so the mean change is at most C - h (W_a + W_b), with h = 2b/t_b - lambda (m_p +
m_d), where the engine that has more does not get more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from qtheory.proofs.chains import FOSTER, Chain, Outcome, Recurrence, State, each
from qtheory.proofs.claims.axioms import Step

from .recurrence import (
    ARRIVALS,
    BOUNDED,
    CAME,
    CONSERVING,
    FEASIBLE,
    LEFT,
    MARK,
    MEANS,
    NUMBERS,
    ROW,
    SLOT,
    arrivals,
    recurrent,
    total,
)
from .recurrence import LET as OF_REQUESTS

ENGINES = ("a", "b")
MINE = {"a": "(1 - e(i))", "b": "e(i)"}
FUNCTIONS = "p, d, z, e, dp, dd, u, ve in functions"
LOAD = f"{CAME} < K*b/t_b"
AT = "Or(e(i) == 0, e(i) == 1)"
PLACED = each(AT)
WHOLE = each("Natural(p(i))", "Natural(d(i))", "Natural(z(i))", "Natural(e(i))")
REQUESTS = (WHOLE, *map(each, ROW))


def at(x: str, summand: str) -> str:
    """The sum over the requests at engine x."""
    return total(f"{MINE[x]}*({summand})")


def own(x: str, condition: str) -> str:
    """A condition of Section 2 with engine x's names for r, S, M and R1."""
    return re.sub(r"\b(r|S|M|R1)\b", rf"\1{x}", condition)


BATCHES = {x: f"S{x} == {at(x, 'dp(i) + dd(i)')}" for x in ENGINES}
ABLES = {x: f"M{x} == {at(x, 'p(i) + 1 - u(i)')}" for x in ENGINES}
SLOTS = {x: own(x, SLOT).replace(", k == 0", "").replace(", k == 1", "") for x in ENGINES}
WORK = {x: own(x, CONSERVING) for x in ENGINES}
IN_TIME = {x: f"r{x} <= t_b - 1" for x in ENGINES}
SHARED = f"Ga + Gb == {CAME}"
SQUARED = "Qa + Qb <= Q"
AT_RANDOM = ("Ga == Gb",)
LEAST_TOKENS = ("Or(Ta <= Tb, Ga == 0)", "Or(Tb <= Ta, Gb == 0)")
LET = (*OF_REQUESTS, *(f"W{x} = T{x} + r{x}*b/t_b" for x in ENGINES),
       *(f"L{x} = {at(x, 'p1(i) + d1(i)')} + R1{x}*b/t_b" for x in ENGINES),
       *(f"D{x} = (R1{x} - r{x})*(b/t_b) - S{x}" for x in ENGINES), f"h = 2*b/t_b - {CAME}",
       f"C = 8*(1 + longest)*b**2 + 2*b**2 + 4*b*{CAME} + Q")
VALUE = "(Ta + ra*b/t_b)**2 + (Tb + rb*b/t_b)**2"
OVER = "h*(Wa + Wb) - (C + 1)"
PARALLEL_WORDS = (
    "the chain of K = 2 engines that l. 254 speaks of, each as in l. 156 under an algorithm that meets the conditions, "
    "whose state is R(n) of each engine, and (P_i(n), D_i(n), Z_i(n)) and the engine of each request that is there; "
    "assumed irreducible, as in l. 176; by l. 143 to 154 at each engine, ")
INTEGRAL = {x: f"R1{x} in naturals" for x in ENGINES}
CHOICES = (FEASIBLE, MARK, *BATCHES.values(), *ABLES.values(), *SLOTS.values(), *INTEGRAL.values(), *WORK.values())
# of the tokens that come to each engine the mean, and the mean of the square
MOMENTS = {k: v for x in ENGINES for k, v in ((f"T{x}_came", f"G{x}"), (f"T{x}_came**2", f"Q{x}"))}


def engines(given: tuple[str, ...], choices: tuple[str, ...], row: tuple[str, ...], moments: Mapping[str, str],
            outcomes: tuple[Outcome, ...], new: tuple[str, ...] = ()) -> Chain:
    """Two engines; the totals are each engine's tokens. What arrives has an engine, or is such a ``new`` row."""
    come = arrivals(*new) if new else arrivals(*row, more=("Natural(ve(i))",))
    return Chain(("b in naturals", *given), State(("ra", "rb"), ("p", "d", "z", "e"), "q"), outcomes,
                 (FUNCTIONS, ARRIVALS), tuple(IN_TIME.values()), row, {"p": "0", "d": "1", "z": "0", "e": "0"},
                 {f"T{x}": f"{MINE[x]}*(p(i) + d(i))" for x in ENGINES}, choices,
                 inputs=("m", "vp", "vd", "vz", *(() if new else ("ve",))),
                 input=come, moments=moments, stay="d1(i)", many="m")


def moved(mean: Mapping[str, str], engine: str = "ve", chance: str = "1") -> Outcome:
    return Outcome({f"r{x}": f"R1{x}" for x in ENGINES}, chance, {"p": "p1", "d": "d1"},
                   {"p": "vp", "d": "vd", "z": "vz", "e": engine}, mean)


BOTH_ROWS = (*ROW, AT, "d(i) <= longest")


def theorem(joining: tuple[str, ...]) -> Recurrence:
    chain = engines(
        (*NUMBERS[1:], "longest in naturals", "longest >= 1", "K == 2", *MEANS, "Q >= 0", LOAD),
        (*CHOICES, SHARED, "Ga >= 0", "Gb >= 0", SQUARED, *joining), BOTH_ROWS, MOMENTS,
        (moved({"": "La**2 + Lb**2", **{k: v for x in ENGINES for k, v in (
            (f"T{x}_came", f"2*L{x}"), (f"T{x}_came**2", "1"))}}),))
    return Recurrence(
        chain, ("lam", "m_p", "m_d", "b", "t_b", "kinds", "longest", "Q", "K"), VALUE, "h*(Wa + Wb) < C + 1", "1",
        "2*t_b + (3 + kinds)*((C + 1)/h)", PARALLEL_WORDS + "where given X(n) the requests of a slot bring tokens "
        "whose mean is Ga to engine a and Gb to engine b, and the mean of whose square is Qa and Qb", let=LET)


CLOSED: Mapping[str, Step] = {
    LEFT: Step(LEFT, (*REQUESTS, FEASIBLE), pointwise=True, split=("d(i) - dd(i)",)),
    f"{FOSTER}: next": Step(given=(*SLOTS.values(), *INTEGRAL.values(), *IN_TIME.values(), "t_b >= 1")),
    f"{FOSTER}: rows left": Step(given=(*REQUESTS, PLACED, BOUNDED, FEASIBLE), pointwise=True),
    f"{FOSTER}: rows came": Step(given=(), guarded=True),
    f"{FOSTER}: blank row": Step(given=("kinds in naturals", "longest >= 1")),
    f"{FOSTER}: mean": Step(given=("t_b >= 1", "q in naturals"), guarded=True)}


def of_engine(x: str) -> Mapping[str, Step]:
    """W_x D_x <= -W_x b/t_b + 2 (1 + longest) b^2, where D_x is how W_x changes without arrivals."""
    tokens, able, room, share = at(x, "p(i) + d(i)"), f"{MINE[x]}*(p(i) + 1 - u(i))", "(1 + longest)", "b/t_b"
    w, v, g = f"W{x}", f"D{x}", f"G{x}"
    return {
        f"left at {x}": Step(each(f"{MINE[x]}*(p1(i) + d1(i)) == {MINE[x]}*(p(i) + d(i)) - {MINE[x]}*(dp(i) + dd(i))"),
                             ("left", PLACED), pointwise=True),
        f"left in all at {x}": Step(f"{at(x, 'p1(i) + d1(i)')} == {tokens} - {at(x, 'dp(i) + dd(i)')}",
                                    ("q in naturals", f"left at {x}")),
        f"step at {x}": Step(f"L{x} == {w} + {v}", (f"left in all at {x}", BATCHES[x], "t_b >= 1")),
        f"sign at {x}": Step(each(f"{MINE[x]}*(p(i) + d(i)) >= 0"), (*REQUESTS, PLACED), pointwise=True),
        f"total at {x}": Step(f"{tokens} >= 0", ("q in naturals", f"sign at {x}")),
        f"few at {x}": Step(each(f"{MINE[x]}*(p(i) + d(i)) <= {room}*({able})"),
                            (*REQUESTS, PLACED, MARK, BOUNDED, "longest in naturals"), pointwise=True),
        f"scaled at {x}": Step(f"{total(f'{room}*({able})')} == {room}*{total(able)}", ("q in naturals",)),
        f"few summed at {x}": Step(f"{tokens} <= {total(f'{room}*({able})')}", (f"few at {x}", "q in naturals")),
        f"few in all at {x}": Step(f"{tokens} <= {room}*{total(able)}", (f"few summed at {x}", f"scaled at {x}")),
        f"loaded at {x}": Step(each(f"{MINE[x]}*(dp(i) + dd(i)) >= 0"), (FEASIBLE, PLACED), pointwise=True),
        f"batch of {x}": Step(f"S{x} >= 0", ("q in naturals", f"loaded at {x}", BATCHES[x]),
                              hint={"lemmas": (f"{at(x, 'dp(i) + dd(i)')} >= 0",)}),
        f"small {x}": Step(f"Or(r{x} > 0, S{x} == b, T{x} <= {room}*b)",
                           (f"few in all at {x}", ABLES[x], WORK[x], "longest in naturals"), hint={"lemmas": (
                               ("Implies(And(l >= 0, m < b, t <= (1 + l)*m), t <= (1 + l)*b)",
                                {"l": "longest", "m": f"M{x}", "b": "b", "t": f"T{x}"}),)}),
        f"clock of {x}": Step(f"Or({v} == -({share}), And(r{x} <= 0, S{x} < b, {v} <= b, {v} >= -b))",
                              (SLOTS[x], f"batch of {x}", "b >= 1", "t_b >= 1")),
        f"time of {x}": Step(f"r{x} >= 0", (f"r{x} in naturals",)),
        f"sign of {w}": Step(f"{w} >= 0", (f"total at {x}", f"r{x} in naturals", "b >= 1", "t_b >= 1")),
        f"low {x}": Step(f"Or({v} == -({share}), And({w} <= {room}*b, {v} <= b))",
                         (f"clock of {x}", f"small {x}", f"time of {x}", "q in naturals", "t_b >= 1"), hint={"lemmas": (
                             ("Implies(And(r <= 0, r >= 0), r*k == 0)", {"r": f"r{x}", "k": share}),)}),
        f"moves of {x}": Step(f"And({v} <= b, {v} >= -b)", (f"clock of {x}", "rate", "b >= 1")),
        f"squared {x}": Step(f"{v}**2 <= b**2", (f"moves of {x}",), hint={"lemmas": (
            ("Implies(And(v <= b, v >= -b), v**2 <= b**2)", {"v": v, "b": "b"}),)}),
        f"served at {x}": Step(
            f"{w}*{v} <= -({share})*{w} + 2*{room}*b*b",
            (f"low {x}", f"sign of {w}", "rate", "b >= 1", "longest in naturals"), hint={"lemmas": (
                ("Implies(And(w >= 0, f >= 0, b >= 1, b >= f, Or(v == -f, And(w <= (1 + l)*b, v <= b)), l >= 0), "
                 "w*v <= -f*w + 2*(1 + l)*b*b)", {"w": w, "v": v, "f": share, "b": "b", "l": "longest"}),)}),
        f"change of {x}": Step(
            f"L{x}**2 + 2*L{x}*{g} == {w}**2 + 2*({w}*{v}) + {v}**2 + 2*({w}*{g}) + 2*({v}*{g})", (f"step at {x}",),
            hint={"lemmas": (("Implies(l == w + v, l**2 + 2*l*g == w**2 + 2*(w*v) + v**2 + 2*(w*g) + 2*(v*g))",
                              {"l": f"L{x}", "w": w, "v": v, "g": g}),)}),
        f"crossed {x}": Step(f"{v}*{g} <= b*{g}", (f"moves of {x}", f"{g} >= 0"), hint={"lemmas": (
            ("Implies(And(v <= b, g >= 0), v*g <= b*g)", {"v": v, "b": "b", "g": g}),)}),
        f"tokens of {x}": Step(
            f"And({w} <= T{x} + b, T{x} <= {w})", (IN_TIME[x], f"time of {x}", "b >= 1", "t_b >= 1", "q in naturals"),
            hint={"lemmas": (("Implies(And(r >= 0, r <= t - 1, b >= 1, t >= 1), And(r*b/t <= b, r*b/t >= 0))",
                              {"r": f"r{x}", "b": "b", "t": "t_b"}),)})}


RECEIVED = f"Wa*Ga + Wb*Gb <= {CAME}/2*(Wa + Wb) + b*{CAME}"
RATES = ("lam >= 0", "m_p >= 1", "m_d >= 1")
BY_TOKENS: Mapping[str, Step] = {
    "received by tokens": Step(
        f"Ta*Ga + Tb*Gb <= {CAME}/2*(Ta + Tb)", (SHARED, "Ga >= 0", "Gb >= 0", *LEAST_TOKENS, "q in naturals"),
        hint={"lemmas": (("Implies(And(Or(s <= t, g == 0), Or(t <= s, f == 0), g >= 0, f >= 0), "
                          "s*g + t*f <= (g + f)/2*(s + t))", {"s": "Ta", "t": "Tb", "g": "Ga", "f": "Gb"}),)}),
    "received": Step(
        RECEIVED, ("received by tokens", "tokens of a", "tokens of b", SHARED, "Ga >= 0", "Gb >= 0", *RATES),
        hint={"lemmas": (
            *(("Implies(And(w <= t + b, g >= 0), w*g <= t*g + b*g)",
               {"w": f"W{x}", "t": f"T{x}", "b": "b", "g": f"G{x}"}) for x in ENGINES),
            ("Implies(And(c >= 0, s <= w), c/2*s <= c/2*w)", {"c": CAME, "s": "Ta + Tb", "w": "Wa + Wb"}))})}
EVENLY: Mapping[str, Step] = {
    "received": Step(RECEIVED, (SHARED, "Ga == Gb", *RATES, "b >= 1", "t_b >= 1", "q in naturals"), hint={"lemmas": (
        ("Implies(And(g + f == c, g == f, b >= 1, c >= 0), s*g + t*f <= c/2*(s + t) + b*c)",
         {"s": "Wa", "t": "Wb", "g": "Ga", "f": "Gb", "c": CAME, "b": "b"}),)})}
BOTH = "(1 - e(i))*(p(i) + d(i)) + e(i)*(p(i) + d(i))"
HELD: Mapping[str, Step] = {
    "change": Step("change <= C - h*(Wa + Wb)", (
        *(f"{part} {x}" for part in ("change of", "served at", "squared", "crossed") for x in ENGINES), "received",
        SHARED, SQUARED)),
    "defined": Step(f"{OVER} >= {OVER}", ("t_b >= 1", "q in naturals")),
    "outside": Step("Or(h*(Wa + Wb) < C + 1, C - h*(Wa + Wb) <= -1)", ("defined",), split=(OVER,)),
    f"{FOSTER}: drift": Step(given=("outside", "change")),
    "squares": Step("value >= lowest", ("t_b >= 1", "q in naturals"), hint={"lemmas": (
        ("x**2 + y**2 >= 0", {"x": "Wa", "y": "Wb"}),)}),
    f"{FOSTER}: bounded below": Step(given=("squares", "q in naturals", "t_b >= 1")),
    f"{FOSTER}: positive rate": Step(given=()),
    "margin": Step("h > 0", (LOAD, "K == 2", "t_b >= 1")),
    "numbers": Step(each(f"p(i) + d(i) + z(i) + e(i) <= (2 + kinds)*({BOTH})"),
                    (*REQUESTS, PLACED, "kinds in naturals"), pointwise=True),
    "a token each": Step(each(f"1 <= {BOTH}"), (*REQUESTS, PLACED), pointwise=True),
    "apart": Step(f"{total(BOTH)} == {at('a', 'p(i) + d(i)')} + {at('b', 'p(i) + d(i)')}", ("q in naturals",)),
    "scaled": Step(f"{total(f'(2 + kinds)*({BOTH})')} == (2 + kinds)*{total(BOTH)}", ("q in naturals",)),
    "requests": Step(f"q <= {total(BOTH)}", ("a token each", "q in naturals")),
    "numbers in all": Step(f"{total('p(i) + d(i) + z(i) + e(i)')} <= {total(f'(2 + kinds)*({BOTH})')}",
                           ("numbers", "q in naturals")),
    "size": Step("size <= 2*t_b + (3 + kinds)*(Wa + Wb)", (
        "numbers in all", "scaled", "apart", "requests", *IN_TIME.values(), "tokens of a", "tokens of b",
        "kinds in naturals", "q in naturals", "t_b >= 1"), hint={"lemmas": (
            ("Implies(And(t <= w, k >= 0), (3 + k)*t <= (3 + k)*w)",
             {"t": "Ta + Tb", "w": "Wa + Wb", "k": "kinds"}),)}),
    f"{FOSTER}: finite set": Step(given=("size", "margin", "kinds in naturals"), hint={"lemmas": (
        ("Implies(And(g > 0, k >= 0, s <= t + (3 + k)*w, g*w < c), s <= t + (3 + k)*(c/g))",
         {"s": "size", "t": "2*t_b", "g": "h", "w": "Wa + Wb", "c": "C + 1", "k": "kinds"}),)})}


def steps(joining: Mapping[str, Step]) -> Mapping[str, Step]:
    return {**CLOSED, "left": Step(each("p1(i) + d1(i) == p(i) + d(i) - (dp(i) + dd(i))"), (*REQUESTS, FEASIBLE, LEFT),
                         pointwise=True),
            "rate": Step("And(b/t_b <= b, b/t_b > 0)", ("b >= 1", "t_b >= 1")),
            **of_engine("a"), **of_engine("b"), **joining, **HELD}


SOURCES: Mapping[str, str] = {
    FUNCTIONS: "of the requests 1, ..., q, l. 126: P_i, D_i and Z_i, the engine, what is loaded, and an indicator; ve "
               "is the engine that an arriving request joins",
    WHOLE: "Sec. 2.2, l. 124 and l. 145: the tokens of those that are there, and the engine's number",
    "K == 2": "Sec. 4.1, l. 246: K identical engines (added: two)",
    PLACED: "Sec. 4.1, l. 246: e(i) is request i's engine",
    "Q >= 0": "added: the tokens of a slot's requests have a second moment, Q",
    LOAD: "(4.1), l. 248",
    SHARED: "(2.1) and (2.2), l. 81 and 83: each request is routed to one of the engines, l. 246",
    "Ga >= 0": "a mean of tokens", "Gb >= 0": "a mean of tokens",
    SQUARED: "the squares of two numbers that are not negative, and the square of their sum",
    **{k: v for x in ENGINES for k, v in (
        (f"r{x} in naturals", f"Sec. 2.2, l. 126: R(n) of engine {x}"),
        (BATCHES[x], f"(2.5d), l. 137: engine {x}'s b'"), (ABLES[x], f"l. 168: engine {x}'s sum_i p_i + 1(p_i = 0)"),
        (INTEGRAL[x], f"l. 126 and 154: R(n+1) of engine {x}"),
        (SLOTS[x], "l. 139, (2.5d), l. 154 and (2.3), as for one engine"),
        (IN_TIME[x], "l. 154, and (2.3), l. 114: no batch takes longer than a full one"),
        (WORK[x], "(2.6), l. 166 and 168"))}}
RANDOM_SOURCES = {"Ga == Gb": "Sec. 4.1, l. 250: each request uniformly among the engines"}
TOKENS_SOURCES = dict.fromkeys(
    LEAST_TOKENS, "Sec. 4.1, l. 250: the engine that has the least number of tokens (where several requests arrive in "
                  "a slot, added: all join the one that has it when the slot begins)")
# An engine at which two requests decode their last token, in a full batch, and an idle one
INSTANCE = (
    "lam = 1/2", "m_p = 1", "m_d = 1", "b = 2", "t_b = 1", "kinds = 1", "longest = 3", "K = 2", "Q = 4", "ra = 0",
    "rb = 0", "q = 2", "p(i) = 0*i", "d(i) = 1 + 0*i", "z(i) = 0*i", "e(i) = 0*i", "dp(i) = 0*i", "dd(i) = 1 + 0*i",
    "vp(i) = 1 + 0*i", "vd(i) = 1 + 0*i", "vz(i) = 0*i", "u(i) = 0*i", "Sa = 2", "Ma = 2", "R1a = 0", "Sb = 0",
    "Mb = 0", "R1b = 0")

ROUTED_AT_RANDOM = recurrent(
    theorem(AT_RANDOM), steps(EVENLY), {**SOURCES, **RANDOM_SOURCES},
    (*INSTANCE, "Ga = 1/2", "Gb = 1/2", "Qa = 1", "Qb = 1"),
    (("1/2", ("m = 0", "ve(i) = 0*i")), ("1/4", ("m = 1", "ve(i) = 0*i")), ("1/4", ("m = 1", "ve(i) = 1 + 0*i"))))
ROUTED_TO_LEAST_TOKENS = recurrent(
    theorem(LEAST_TOKENS), steps(BY_TOKENS), {**SOURCES, **TOKENS_SOURCES},
    (*INSTANCE, "Ga = 0", "Gb = 1", "Qa = 0", "Qb = 2"),
    (("1/2", ("m = 0", "ve(i) = 1 + 0*i")), ("1/2", ("m = 1", "ve(i) = 1 + 0*i"))))
