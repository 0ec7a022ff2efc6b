"""Proposition 1 for any number of engines, by Foster's theorem, for sizes without a bound.

The finite lists of requests (P_i, D_i, Z_i) are numbered 0, 1, 2, ...; list n has count(n) requests, request l with
P(n, l) and D(n, l), and its worth is the sum of p + d + c d (d + p). A row of the state is an engine: r is its R(n), x
the number of its list. The function is the sum over the engines of V phi(V), V = worth + R b/t_b, where phi grows, but
slowly. In a slot V falls by b/t_b, but for arrivals, as in a batch below the budget c d - c longest is taken off for
each request with d decode tokens; where that is less than b in all, V is at most ``room``. What comes adds no more than
its rate times phi(V), as phi hardly differs between an engine that has least and one that has more.

Of what a slot brings, Y in worth, Y phi(Y) must have a mean. Where Y has one, as where v_p, v_d^2 and v_d v_p have,
there is such a phi, of log(1 + log(1 + v)) as slow a function as it takes (de la Vallee-Poussin's theorem).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State, each, joined
from qtheory.proofs.claims.cases import Model

from .recurrence import CAME, MEANS, NUMBERS, recurrent


def lists(*parts: str) -> str:
    """That it holds of each list."""
    return f"ForAll(n, And(floor(n) == n, n >= 0), {joined(parts)})"


def requests(*parts: str) -> str:
    """That it holds of each request of a list."""
    return f"ForAll(l, And(floor(l) == l, l >= 1), {joined(parts)})"


def engines(summand: str) -> str:
    """The sum over the engines."""
    return f"Sum({summand}, (i, 1, q))"


FUNCTIONS = "worth, tokens, able, count, P, D, phi, r, x, k, e, X, Y, S, L, R1, g, G, slope, none in functions"
ARRIVALS = "vx in functions"
LOAD, PACE = f"{CAME} < K*b/t_b", "pace == b/t_b"
WEIGHT, MEAN = f"c == (K*pace - {CAME})/(2*(1 + Q))", f"mu == {CAME} + c*Q"
SLOW = "ForAll(v, v >= 0, ForAll(y, y >= v, And(0 <= phi(v), phi(v) <= phi(y), v*(phi(y) - phi(v)) <= steep*(y - v))))"
SHARES = "ForAll(v, v >= 0, ForAll(y, y >= 0, phi(v + y) <= phi(v) + phi(y)))"
GROWS = "ForAll(v, v >= 0, Or(phi(v) >= far, v <= top))"
CALM = "rise == step + steep + 2*phi(b)"
MARGIN, LITTLE = "h == pace - mu/K", "big == (room + b)*phi(room + b) + pace*phi(room)"
NOISE, FAR = "C == K*big + mu*rise + N", "far*h == C + 1"
COUNT = lists("Natural(count(n))")
SIZES = lists(requests("Natural(P(n, l))", "Natural(D(n, l))", "D(n, l) >= 1"))
TOKENS = lists("tokens(n) == Sum(P(n, l) + D(n, l), (l, 1, count(n)))")
ABLE = lists("able(n) == Sum(Max(P(n, l), 1), (l, 1, count(n)))")
WORTH = lists("worth(n) == Sum(P(n, l) + D(n, l) + c*D(n, l)*(D(n, l) + P(n, l)), (l, 1, count(n)))")
ROOM = lists("Or(able(n) >= b, c*Sum(D(n, l), (l, 1, count(n))) >= b + c*longest*b, worth(n) <= room)")
LAST = lists("Or(worth(n) > top, n <= last)")
NEAR_TOKENS, NEAR_REQUESTS = (lists(f"phi(worth(n)) <= phi({x}(n)) + step") for x in ("tokens", "count"))
LEFT = each(requests("Natural(X(i, l))", "Natural(Y(i, l))", "X(i, l) <= P(x(i), l)", "Y(i, l) <= D(x(i), l)",
                     "D(x(i), l) - 1 <= Y(i, l)", "Or(P(x(i), l) == 0, Y(i, l) == D(x(i), l))"))
WORTH_LEFT = each("L(i) == Sum(X(i, l) + Y(i, l) + c*Y(i, l)*(Y(i, l) + X(i, l)), (l, 1, count(x(i))))")
BATCH = each("S(i) == Sum(P(x(i), l) - X(i, l) + D(x(i), l) - Y(i, l), (l, 1, count(x(i))))")
INTEGRAL = each("Natural(R1(i))")
SLOT = each("Or(And(r(i) > 0, S(i) == 0, R1(i) == r(i) - 1, e(i) == 0), "
            "And(r(i) == 0, S(i) == b, R1(i) == t_b - 1, e(i) == 0), "
            "And(r(i) == 0, S(i) < b, 0 <= R1(i), R1(i) <= t_b - 1, e(i) == 1))")
WORK = each("Or(r(i) > 0, able(x(i)) < b, S(i) == b)")
LOADS = each(requests("Or(e(i) == 0, D(x(i), l) <= longest, And(P(x(i), l) >= 1, X(i, l) == 0), "
                      "And(P(x(i), l) == 0, Y(i, l) == D(x(i), l) - 1))"))
V = "(worth(x(i)) + r(i)*pace)"
AFTER, SLOPE, NONE = each("g(i) == L(i) + R1(i)*pace"), each(f"slope(i) == phi{V}"), each("none(i) == 0")
JOINING, SHARED, SPREAD = each("G(i) >= 0"), f"{engines('G(i)')} <= mu", "Qs <= N"
AT_RANDOM, LEAST = (each("K*G(i) <= mu"),), "least in naturals"
LEAST_TOKENS = (LEAST, each("tokens(x(i)) >= least"), each("Or(G(i) == 0, tokens(x(i)) == least)"))
LEAST_REQUESTS = (LEAST, each("count(x(i)) >= least"), each("Or(G(i) == 0, count(x(i)) == least)"))
OF_ENGINE = ("r(i) <= t_b - 1", "k(i) >= 1", "k(i) <= 1")
WHOLE = each("Natural(r(i))", "Natural(x(i))", "Natural(k(i))")
ONCE, NUMBERED = "engines == K", each("Natural(vx(i))")
RISE, HIGHER = engines("(phi(g(i)) + steep)*new(i)"), engines("new(i)*phi(new(i))")
LET = ("one(i) = 1 + 0*i", "new(i) = Max(worth(vx(i)) + R1(i)*pace - g(i), 0)", f"H = {engines('slope(i)')}")
CHOICES = (LEFT, WORTH_LEFT, BATCH, INTEGRAL, SLOT, WORK, LOADS, AFTER, SLOPE, NONE, JOINING, SHARED, SPREAD)
WORDS = (
    "the chain of K engines that l. 254 speaks of, each as in l. 156 under an algorithm that meets the conditions, "
    "whose state is of each engine R(n) and its list of (P_i(n), D_i(n), Z_i(n)), r(i) and x(i), all such lists being "
    "numbered; k(i) is 1, so that all K engines are counted; its states are those of these that it can take, l. 130, "
    "and it is assumed irreducible on them, as in l. 176; by l. 143 to 154 at each engine, where vx(i) is its list "
    "after a slot's requests have come, which bring new(i) in worth to engine i; given X(n) its mean is G(i), mu at "
    "most in all, and that of the sum of new(i) phi(new(i)) is Qs")


def theorem(joining: tuple[str, ...], *given: str) -> Recurrence:
    chain = Chain(
        ("b in naturals", *NUMBERS[1:4], "longest in naturals", "K in naturals", "K >= 1", *MEANS, "Q >= 0", LOAD, PACE,
         WEIGHT, MEAN, "steep >= 0", "step >= 0", "room >= 0", "last in naturals", SLOW, SHARES, GROWS, CALM, MARGIN,
         LITTLE, NOISE, FAR, COUNT, SIZES, TOKENS, ABLE, WORTH, ROOM, LAST, *given),
        State((), ("r", "x", "k"), "q"), (Outcome(
            {}, "1", dict.fromkeys(("r", "x", "k"), "none"), {"r": "R1", "x": "vx", "k": "one"},
            {"": engines("g(i)*phi(g(i))"), RISE: "1", HIGHER: "1"}),),
        (FUNCTIONS, ARRIVALS), (ONCE,), OF_ENGINE, {"r": "0", "x": "0", "k": "1"},
        {"engines": "k(i)", "F": f"k(i)*({V}*phi{V})"},
        (*CHOICES, *joining), inputs=("vx",), input=(NUMBERED,),
        moments={RISE: engines("(phi(g(i)) + steep)*G(i)"), HIGHER: "Qs"}, stay="-k(i)", many="q")
    return Recurrence(
        chain, ("lam", "m_p", "m_d", "b", "t_b", "pace", "longest", "Q", "K", "c", "mu", "steep", "step", "rise",
                "room", "top", "last", "h", "big", "N", "C", "far", "worth", "tokens", "able", "count", "P", "D",
                "phi"),
        "F", "H < far", "1", "K*(2 + t_b + last)", WORDS, let=LET, assumed=True)


SOURCES: Mapping[str, str] = {
    FUNCTIONS: "of the lists, l. 128, and of their requests; phi; of the engines 1, ..., q what the conditions say",
    ARRIVALS: "l. 143 to 154: engine i's list at n + 1", LOAD: "(4.1), l. 248", "room >= 0": "a number",
    "Q >= 0": "the mean of the sum of v_d (v_d + v_p) over a slot's requests, of v_d^2 by l. 180; added: of v_d v_p",
    "longest in naturals": "a number of decode tokens: 0, as at line 170's algorithms, or l. 204's bound of v_d",
    **dict.fromkeys((PACE, WEIGHT, MARGIN, LITTLE, NOISE, FAR, CALM, WORTH, WORTH_LEFT, AFTER, SLOPE, NONE),
                    "a definition"), JOINING: "a mean", "last in naturals": "the number of a list",
    MEAN: "a definition: the mean of what a slot brings, p + d + c d (d + p) for each request",
    **dict.fromkeys(("steep >= 0", "step >= 0", SLOW, SHARES), "added: phi grows, but slowly: to.prop-1.slow"),
    GROWS: "phi grows: far is passed from top on", COUNT: "Sec. 2.2, l. 124: the number of requests",
    TOKENS: "(2.9), l. 190: the tokens of a list", SIZES: "l. 124 and 145: the tokens of those that are there",
    ABLE: "l. 168: sum_i p_i + 1(p_i = 0), which is the larger of p_i and 1",
    ROOM: "few lists have so few tokens, with features of a finite set, l. 77: room is at least their worth",
    LAST: "few lists are worth top at most: last is at least their numbers", SLOT: "l. 139, (2.5d), l. 154 and (2.3), "
    "as for one engine; e is 1 where a batch below the budget is formed", "q in naturals": "the number of engines",
    WHOLE: "Sec. 2.2, l. 126: R(n) and the list's number", ONCE: "Sec. 4.1, l. 246: K identical engines",
    each(OF_ENGINE[0]): "l. 154, and (2.3), l. 114: no batch takes longer than a full one",
    **dict.fromkeys(map(each, OF_ENGINE[1:]), "engine i counts as one"), WORK: "(2.6), l. 166 and 168",
    LEFT: "(2.5a) to (2.5c), l. 134 to 136: X and Y are what is left of p and d, l. 143 to 145",
    BATCH: "(2.5d), l. 137: engine i's b'", INTEGRAL: "l. 126 and 154: R(n+1) of engine i",
    LOADS: "added: such a batch has all tokens that can be loaded of requests with over longest decode tokens: with "
           "longest 0 of all, as line 170 has it; where v_d is bounded by longest nothing is asked",
    SHARED: "(2.1) and (2.2), l. 81 and 83: each request is routed to one of the engines, l. 246",
    SPREAD: "added: of a slot's worth Y, Y phi(Y) has a mean, at most N; that of the parts is no more"}
WHERE = "(where several requests arrive in a slot, added: all join engines that have it when the slot begins)"


def routed(joining: tuple[str, ...], told: str, *near: str, slowly: str = "") -> Model:
    """The theorem for these conditions of routing, the last of which is the rule."""
    return replace(recurrent(theorem(joining, *near), {
        **SOURCES, **dict.fromkeys(joining, "the least number of an engine"), **dict.fromkeys(near, slowly),
        joining[-1]: f"Sec. 4.1, l. 250: {told}"}), budget=400)


ROUTED_AT_RANDOM = routed(AT_RANDOM, "each request uniformly among the engines")
ROUTED_TO_LEAST_TOKENS = routed(
    LEAST_TOKENS, f"an engine that has the least number of tokens {WHERE}", NEAR_TOKENS,
    slowly="added: phi grows so slowly; worth is at most t + c t^2 for t tokens")
ROUTED_TO_LEAST_REQUESTS = routed(
    LEAST_REQUESTS, f"an engine that has the least number of requests {WHERE}", NEAR_REQUESTS, slowly="added: v_p and "
    "v_d are bounded, as l. 204 has it, so that worth is at most a multiple of the number of requests")
