"""Proposition 1 for two engines and bounded sizes, by Foster's theorem, whatever work-conserving algorithm they use.

A state is R(n) of each engine and, of each request that is there, (P_i, D_i, Z_i) and its engine: e(i) is 0 at engine
a, 1 at engine b. The function is the sum of the squares of W = tokens + R b/t_b, engine by engine: beyond a bound an
engine serves b/t_b tokens a slot, so the mean change is at most C - h (W_a + W_b), with h = 2b/t_b - lambda (m_p +
m_d), where the engine that has more does not get more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State, each

from .recurrence import (
    ARRIVALS,
    CAME,
    CONSERVING,
    FEASIBLE,
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
        "whose mean is Ga to engine a and Gb to engine b, and the mean of whose square is Qa and Qb", let=LET,
        assumed=True)


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
ROUTED_AT_RANDOM = recurrent(theorem(AT_RANDOM), {**SOURCES, **RANDOM_SOURCES})
ROUTED_TO_LEAST_TOKENS = recurrent(theorem(LEAST_TOKENS), {**SOURCES, **TOKENS_SOURCES})
