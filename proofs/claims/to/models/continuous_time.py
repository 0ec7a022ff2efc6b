"""Theorem 1(a) in continuous time, for bounded sizes: Foster's theorem for the requests that are there whenever a batch
begins, or would.

There is no R then, and t_b is a time. Let ``wait`` be the mean of the time until the next batch begins, or would.
Requests come at rate lambda, whatever their times, so that they bring wait times lambda (m_p + m_d) tokens in the mean.
"""

from __future__ import annotations

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State

from .recurrence import (
    ABLE,
    ARRIVALS,
    BATCH,
    BOUNDED,
    BROUGHT,
    CAME,
    FEASIBLE,
    LET,
    LOAD,
    MARK,
    MEANS,
    ROW,
    arrivals,
    recurrent,
)

FUNCTIONS = "p, d, z, dp, dd, u in functions"
NUMBERS = ("b in naturals", "b >= 1", "t_b > 0", "kinds in naturals", "longest in naturals", "longest >= 1")
FULL_OR_NOT = "Or(And(S == b, wait == t_b), And(M < b, wait >= 0))"
SHORT = (*ROW, "d(i) <= longest")
AT_BATCHES = Recurrence(
    Chain((*NUMBERS, *MEANS, LOAD), State((), ("p", "d", "z"), "q"), (Outcome(
        {}, "1", {"p": "p1", "d": "d1"}, {"p": "vp", "d": "vd", "z": "vz"}, {"": "T_left", "T_came": "1"}),),
        (FUNCTIONS, ARRIVALS), row=SHORT, blank={"p": "0", "d": "1", "z": "0"}, totals={"T": "p(i) + d(i)"},
        choices=(FEASIBLE, MARK, BATCH, ABLE, FULL_OR_NOT), inputs=("m", "vp", "vd", "vz"), input=arrivals(*SHORT),
        moments={term: f"wait*{mean}" for term, mean in BROUGHT.items()}, stay="d1(i)", many="m"),
    ("lam", "m_p", "m_d", "b", "t_b", "kinds", "longest"), "T", "M < b", f"b - t_b*{CAME}", "(2 + longest + kinds)*b",
    "(P_i, D_i, Z_i) of each request that is there when a batch begins, or would where the algorithm has none begin, "
    "in continuous time; the requests come in such a way that this is a Markov chain, as by a Poisson process of rate "
    "lambda, and those until the next such time, which is wait later in the mean, bring wait lambda (m_p + m_d) tokens "
    "in the mean; its states are those of these that it can take, and it is assumed irreducible on them, as in l. 176",
    let=LET, assumed=True)
BATCH_BY_BATCH = recurrent(AT_BATCHES, {
    FUNCTIONS: "of the requests 1, ..., q, l. 124: P_i, D_i and Z_i; l. 132: what is loaded; and an indicator",
    "lam >= 0": "l. 85 and (2.2), l. 83: the rate of arrivals, requests a unit of time",
    ARRIVALS: "(2.1), l. 81: v_p(i) and v_d(i) of the requests 1, ..., m that arrive until the next batch begins, or "
              "would, and their features", "t_b > 0": "l. 85 and (2.3), l. 114: the time that a full batch takes",
    BOUNDED: "added: v_d(i) is bounded, as l. 204 has it",
    FULL_OR_NOT: "(2.6), l. 166 and 168: a full batch, which takes t_b, unless fewer than b tokens can be loaded: then "
                 "any batch, of any time, or none until any time"})
