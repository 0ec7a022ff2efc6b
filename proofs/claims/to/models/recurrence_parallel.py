"""Proposition 1 for any number of engines and bounded sizes, by Foster's theorem, whatever work-conserving algorithm
they use.

The finite lists of requests (P_i, D_i, Z_i) are numbered 0, 1, 2, ...; list n has count(n) requests, request l with
P(n, l) and D(n, l), and tokens(n) in all. A row of the state is an engine: r is its R(n), x the number of its list. The
function is the sum over the engines of V log V - V + 1, V = 1 + tokens + R b/t_b. Its slopes log V differ by no more
than a constant between an engine that has the least tokens, or the fewest requests, and one that has more, as sizes are
bounded; so what comes adds no more than its rate times their mean, and a constant, and full engines take more away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State, each, joined

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


FUNCTIONS = "tokens, able, count, last, P, D, u, r, x, k, dp, dd, S, R1, G, V, slope, move, none in functions"
ARRIVALS = "vx in functions"
LOAD, PACE = f"{CAME} < K*b/t_b", "pace == b/t_b"
MARGIN, NOISE, FAR = f"h == pace - {CAME}/K", (
    f"C == K*(2*(1 + longest)*b**2 + 2*b**2) + {CAME}*(longest + b) + 2*Q"), "far*h == C + 1"
COUNT = lists("Natural(count(n))")
SIZES = lists(requests("Natural(P(n, l))", "Natural(D(n, l))", "D(n, l) >= 1", "D(n, l) <= longest"))
WHOLE_SIZES = lists(requests("P(n, l) + D(n, l) <= longest"))
MARK = lists(requests("Or(And(P(n, l) == 0, u(n, l) == 0), And(P(n, l) >= 1, u(n, l) == 1))"))
TOKENS = lists("tokens(n) == Sum(P(n, l) + D(n, l), (l, 1, count(n)))")
ABLE = lists("able(n) == Sum(P(n, l) + 1 - u(n, l), (l, 1, count(n)))")
LAST = f"ForAll(w, w >= 0, {lists('Or(tokens(n) > w, n <= last(w))')})"
FEASIBLE = each(requests("Natural(dp(i, l))", "Natural(dd(i, l))", "Or(P(x(i), l) <= 0, dd(i, l) == 0)",
                         "dp(i, l) <= P(x(i), l)", "dd(i, l) <= 1"))
BATCH = each("S(i) == Sum(dp(i, l) + dd(i, l), (l, 1, count(x(i))))")
INTEGRAL = each("Natural(R1(i))")
SLOT = each("Or(And(r(i) > 0, S(i) == 0, R1(i) == r(i) - 1), And(r(i) == 0, S(i) == b, R1(i) == t_b - 1), "
            "And(r(i) == 0, S(i) < b, 0 <= R1(i), R1(i) <= t_b - 1))")
WORK = each("Or(r(i) > 0, able(x(i)) < b, S(i) == b)")
WORKLOAD = each("V(i) == 1 + tokens(x(i)) + r(i)*pace")
SLOPE = each("slope(i) == log(V(i))")
MOVE = each("move(i) == (R1(i) - r(i))*pace - S(i)")
NONE = each("none(i) == 0")
JOINING, SHARED, SQUARED = each("G(i) >= 0"), f"{engines('G(i)')} == {CAME}", "Qs <= Q"
AT_RANDOM = (each(f"K*G(i) == {CAME}"),)
LEAST = "least in naturals"
LEAST_TOKENS = (LEAST, each("tokens(x(i)) >= least"), each("Or(G(i) == 0, tokens(x(i)) == least)"))
LEAST_REQUESTS = (LEAST, each("count(x(i)) >= least"), each("Or(G(i) == 0, count(x(i)) == least)"))
OF_ENGINE = ("r(i) <= t_b - 1", "k(i) >= 1", "k(i) <= 1")
WHOLE = each("Natural(r(i))", "Natural(x(i))", "Natural(k(i))")
ONCE = "engines == K"
NUMBERED = each("Natural(vx(i))")
V = "(1 + tokens(x(i)) + r(i)*pace)"
CURVE = f"k(i)*({V}*log({V}) - tokens(x(i)) - r(i)*pace)"
RISE, SQUARES = engines("slope(i)*Y(i)"), engines("Y(i)**2")
BUSY = engines("slope(i)*move(i) + 2*b**2")
HIGHEST = "last(exp(far))"
LET = ("one(i) = 1 + 0*i", "Y(i) = tokens(vx(i)) - (tokens(x(i)) - S(i))", f"H = {engines('slope(i)')}")
CHOICES = (FEASIBLE, BATCH, INTEGRAL, SLOT, WORK, WORKLOAD, SLOPE, MOVE, NONE, JOINING, SHARED, SQUARED)
WORDS = (
    "the chain of K engines that l. 254 speaks of, each as in l. 156 under an algorithm that meets the conditions, "
    "whose state is of each engine R(n) and its list of (P_i(n), D_i(n), Z_i(n)), r(i) and x(i), all such lists being"
    " numbered; k(i) is 1, so that all K engines are counted; its states are those of these that it can take, l. 130,"
    " and it is assumed irreducible on them, as in l. 176; by l. 143 to 154 at each engine, where vx(i) is its list "
    "when the requests of a slot have come, which bring Y(i) tokens to engine i, whose mean given X(n) is G(i); the "
    "mean, given X(n), of the sum of the squares of Y(i) is Qs")


def theorem(joining: tuple[str, ...], *given: str) -> Recurrence:
    chain = Chain(
        ("b in naturals", *NUMBERS[1:4], "longest in naturals", "longest >= 1", "K in naturals", "K >= 1", *MEANS,
         "Q >= 0", LOAD, PACE, MARGIN, NOISE, FAR, COUNT, SIZES, *given, MARK, TOKENS, ABLE, LAST),
        State((), ("r", "x", "k"), "q"), (Outcome(
            {}, "1", dict.fromkeys(("r", "x", "k"), "none"), {"r": "R1", "x": "vx", "k": "one"},
            {"": f"F + {BUSY}", RISE: "1", SQUARES: "2"}),),
        (FUNCTIONS, ARRIVALS), (ONCE,), OF_ENGINE, {"r": "0", "x": "0", "k": "1"}, {"engines": "k(i)", "F": CURVE},
        (*CHOICES, *joining), inputs=("vx",), input=(NUMBERED,),
        moments={RISE: engines("slope(i)*G(i)"), SQUARES: "Qs"}, stay="-k(i)", many="q")
    return Recurrence(
        chain, ("lam", "m_p", "m_d", "b", "t_b", "pace", "longest", "Q", "K", "h", "C", "far", "tokens", "able",
                "count", "last", "P", "D", "u"),
        "F", "H < far", "1", f"K*(2 + t_b + {HIGHEST})", WORDS, let=LET, assumed=True)


SOURCES: Mapping[str, str] = {
    FUNCTIONS: "of the lists, l. 128: tokens, tokens that can be loaded, requests, and P_i, D_i and an indicator for "
               "each; of the engines 1, ..., q: R(n), the list, what is loaded of each request, and what the "
               "conditions say",
    ARRIVALS: "l. 143 to 154: engine i's list at n + 1",
    "Q >= 0": "added: the square of the tokens of a slot's requests has a mean, at most Q",
    LOAD: "(4.1), l. 248", PACE: "a definition: tokens a slot", MARGIN: "a definition", NOISE: "a definition",
    FAR: "a definition",
    COUNT: "Sec. 2.2, l. 124: the number of requests", TOKENS: "(2.9), l. 190: the tokens of a list",
    SIZES: "l. 124 and 145: the tokens of those that are there; added: v_d(i) is bounded, as l. 204 has it",
    MARK: "l. 168: u is 1(p_i > 0), so that 1(p_i = 0) is 1 - u", ABLE: "l. 168: sum_i p_i + 1(p_i = 0)",
    LAST: "the lists with at most w tokens are finitely many (features are of a finite set, l. 77): last(w) is at "
          "least their numbers",
    WHOLE: "Sec. 2.2, l. 126: R(n) and the list's number", "q in naturals": "the number of engines",
    each(OF_ENGINE[0]): "l. 154, and (2.3), l. 114: no batch takes longer than a full one",
    each(OF_ENGINE[1]): "engine i counts as one", each(OF_ENGINE[2]): "engine i counts as one",
    ONCE: "Sec. 4.1, l. 246: K identical engines",
    FEASIBLE: "(2.5a) to (2.5c), l. 134 to 136", BATCH: "(2.5d), l. 137: engine i's b'",
    INTEGRAL: "l. 126 and 154: R(n+1) of engine i",
    SLOT: "l. 139, (2.5d), l. 154 and (2.3), as for one engine", WORK: "(2.6), l. 166 and 168",
    WORKLOAD: "a definition", SLOPE: "a definition", MOVE: "a definition", NONE: "a definition",
    JOINING: "a mean of tokens",
    SHARED: "(2.1) and (2.2), l. 81 and 83: each request is routed to one of the engines, l. 246",
    SQUARED: "the sum of squares of numbers that are not negative, and the square of their sum"}
WHERE = "(where several requests arrive in a slot, added: all join engines that have it when the slot begins)"
ROUTED_AT_RANDOM = replace(recurrent(theorem(AT_RANDOM), {
    **SOURCES, AT_RANDOM[0]: "Sec. 4.1, l. 250: each request uniformly among the engines"}), budget=400)
ROUTED_TO_LEAST_TOKENS = replace(recurrent(theorem(LEAST_TOKENS), {
    **SOURCES, LEAST: "the least number of tokens of an engine", LEAST_TOKENS[1]: "the same",
    LEAST_TOKENS[2]: f"Sec. 4.1, l. 250: an engine that has the least number of tokens {WHERE}"}), budget=400)
ROUTED_TO_LEAST_REQUESTS = replace(recurrent(theorem(LEAST_REQUESTS, WHOLE_SIZES), {
    **SOURCES, WHOLE_SIZES: "added: v_p(i) is bounded, as l. 204 has it", LEAST: "the least number of requests of an "
    "engine", LEAST_REQUESTS[1]: "the same",
    LEAST_REQUESTS[2]: f"Sec. 4.1, l. 250: an engine that has the least number of requests {WHERE}"}), budget=400)
