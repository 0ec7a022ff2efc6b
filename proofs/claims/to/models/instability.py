"""Section 3's instability: FasterTransformer and vanilla vLLM below (2.7)'s load, along almost every path.

Functions of a slot l, by (2.4) at its start. In each slot a function of the state, which the rule lets fall by so much
at most, bounds what the rule loads; added up, the strong law makes what waits grow without bound.
"""

from __future__ import annotations

from collections.abc import Mapping

from qtheory.proofs.claims.axioms import Theorem, Use
from qtheory.proofs.claims.cases import Model

from .sources import sourced


def slots(*parts: str) -> str:
    """The parts, in each slot."""
    every = parts[0] if len(parts) == 1 else f"And({', '.join(parts)})"
    return f"ForAll(l, And(Integer(l), l >= 1), {every})"


def total(summand: str) -> str:
    return f"Sum({summand}, (l, 1, n))"


def grows(*what: str) -> str:
    """Each of these is beyond every level from some slot on."""
    beyond = [f"{w} > h" for w in what]
    every = beyond[0] if len(beyond) == 1 else f"And({', '.join(beyond)})"
    return f"ForAll(h, h >= 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), {every})))"


STEADY = ("lam >= 0", "m_p >= 1", "m_d >= 1", "b >= 1", "t_b >= 1", "c >= 1", "d >= 1")
LOAD = "lam*(m_p + m_d) < b/t_b"
IID = ("of the requests that arrive in slot l: a function of a_l and of the sizes of these requests, (2.1), l. 81; "
       "independent of the other slots")
SIZES: Mapping[str, str] = {
    "c >= 1": "(2.3), l. 114: c, the least that a batch takes, in slots",
    "d >= 1": "l. 77: v_d(i) in N; d is the least number of decode tokens of a request"}

# ---- FasterTransformer: w are the prefill tokens that wait, g the decode tokens that hold them up ----

FT_FLOW = slots("w(l + 1) == w(l) + V(l) - p(l)", "w(l) >= 0")
FT_RULE = slots(
    "Or(And(R(l) >= 1, p(l) == 0, R(l + 1) == R(l) - 1, g(l + 1) >= g(l)), "
    "And(R(l) == 0, g(l) >= 1, p(l) == 0, R(l + 1) >= c - 1, g(l + 1) >= g(l) - 1), "
    "And(R(l) == 0, g(l) == 0, w(l) >= 1, p(l) <= b, R(l + 1) >= c - 1, g(l + 1) >= d), "
    "And(R(l) == 0, g(l) == 0, w(l) == 0, p(l) == 0, R(l + 1) >= 0, g(l + 1) >= 0))")
FT_RANGE = slots("0 <= g(l)", "g(l) <= d", "0 <= R(l)", "R(l) <= t_b")
RATE, BEYOND = "kappa*c*(1 + d) == b", "lam*m_p > kappa"
FT_SOURCES: Mapping[str, str] = {
    FT_FLOW: "l. 143 to 150: w(l) are the prefill tokens that wait, sum_i P_i(l); p(l) are loaded in slot l and V(l) "
             "arrive",
    FT_RULE: "l. 216, in any order among requests: decode tokens wherever a request has no prefill tokens left; prefill"
             " tokens only where none is so, never mixed; R(l + 1) by l. 154, t_b' >= c by (2.3). An instance, v_p(i) "
             "<= b and v_d(i) >= d: a batch of prefill tokens holds all of the first request's, which then decodes. "
             "g(l): the most decode tokens left of a request without prefill tokens, or d if it has more",
    FT_RANGE: "as g is defined; l. 154 and (2.3), l. 114: no batch takes longer than a full one",
    RATE: "a definition: of c (1 + d) slots c at most prefill, b tokens at most",
    BEYOND: "an instance: more prefill tokens arrive than so many a slot"}
FT_ETA = "2*eta == lam*m_p - kappa"
FT = Theorem(
    ("V, w, p, g, R in functions", *STEADY, LOAD, RATE, BEYOND, FT_ETA, FT_FLOW, FT_RULE, FT_RANGE),
    ("lam", "m_p", "m_d", "b", "t_b", "c", "d", "kappa", "eta"),
    (Use("strong-law", {"draw(l)": "V(l)", "mean": "lam*m_p"},
         {"iid": f"the prefill tokens {IID}", "mean": "by (2.2), l. 83: lambda requests in the mean, whose number is "
          "independent of their sizes, each with m_p prefill tokens in the mean"}),),
    goal=grows("w(n + 1)"))
# ---- vanilla vLLM: Y are the decode tokens that wait behind the prompts ----

VLLM_FLOW = slots("W(l + 1) == V(l)", "Q(l + 1) == D(l)", "Y(l + 1) == Y(l) + Q(l) - k(l)", "Y(l) >= 0")
VLLM_RULE = slots("Or(And(W(l) >= 1, k(l) == 0, u(l) == 1), And(W(l) == 0, k(l) <= b, u(l) == 0))")
COME = slots("Or(And(V(l) == 0, m(l) == 0), And(V(l) >= 1, m(l) == 1))", "D(l) >= 0", "D(l) <= most")
OFTEN = "lam*m_d + b*often > b"
VLLM_SOURCES: Mapping[str, str] = {
    "t_b == 1": "an instance: each batch takes one slot",
    "0 <= often": "the probability that requests arrive in a slot", "often <= 1": "a probability",
    "most >= 0": "an instance: the most decode tokens that a slot brings",
    "Q(1) >= 0": "a number of tokens",
    OFTEN: "an instance: a slot is left to decode tokens only where none brought prompts before it, at most b of them",
    VLLM_FLOW: "l. 143 to 150. An instance, a_n and the sizes bounded: the prefill tokens that a slot brings fit into "
               "one batch, so that those that wait, W(l), are all loaded by l. 218; Q(l) are the decode tokens of "
               "their requests, Y(l) those of requests without prefill tokens left, k(l) those that are loaded",
    VLLM_RULE: "l. 218: no decode token is loaded where prefill tokens wait, never mixed; (2.5d), l. 137; u(l) is 1 "
               "where prefill tokens wait",
    COME: "V(l) and D(l): the prefill and the decode tokens that arrive in slot l; m(l) is 1 where requests do"}
DRAWN = "D(l) + b*m(l)"
VLLM_ETA = "2*eta == lam*m_d + b*often - b"
VLLM = Theorem(
    ("V, D, m, W, Q, Y, k, u in functions", "lam >= 0", "m_p >= 1", "m_d >= 1", "b >= 1", "t_b == 1", "0 <= often",
     "often <= 1", "most >= 0", LOAD, OFTEN, VLLM_ETA, "Q(1) >= 0", VLLM_FLOW, VLLM_RULE, COME),
    ("lam", "m_p", "m_d", "b", "t_b", "often", "most", "eta"),
    (Use("strong-law", {"draw(l)": DRAWN, "mean": "lam*m_d + b*often"},
         {"iid": f"the decode tokens, and b where there are requests, {IID}", "mean": "by (2.2), l. 83: lambda "
          "requests in the mean, independent of their sizes, with m_d decode tokens in the mean; and P(a_1 >= 1) is "
          "often"}),),
    goal=grows("Y(n + 1)"))
# ---- both on one engine: one request at most in a slot, all of one size ----

ONE_SIZE = ("V(l) = m_p*a(l)", "D(l) = m_d*a(l)", "m(l) = a(l)", "d = m_d", "most = m_d")
NARROW = ("eta > 0", "m_p*(lam - eta) >= kappa + eta", "(m_d + b)*(lam - eta) >= b + eta")
ENOUGH = "lam*(m_d + b) > b"
BOTH_ROOM = slots("a(l) >= 0", "a(l) <= 1")
BOTH = Theorem(
    ("a, w, p, g, R, W, Q, Y, k, u in functions", "lam >= 0", "m_p >= 1", "m_d >= 1", "b >= 1", "t_b == 1", "c == 1",
     LOAD, RATE, BEYOND, ENOUGH, *NARROW, "Q(1) >= 0", BOTH_ROOM,
     FT_FLOW, FT_RULE, FT_RANGE, VLLM_FLOW, VLLM_RULE, COME),
    ("lam", "m_p", "m_d", "b", "t_b", "c", "kappa", "eta"),
    (Use("strong-law", {"draw(l)": "a(l)", "mean": "lam"},
         {"iid": "the numbers of requests that arrive, (2.1), l. 81", "mean": "(2.2), l. 83"}),),
    ONE_SIZE, grows("w(n + 1)", "Y(n + 1)"))
BOTH_SOURCES: Mapping[str, str] = {
    "t_b == 1": "an instance: each batch takes one slot", "c == 1": "an instance: each batch takes one slot",
    "Q(1) >= 0": "a number of tokens", BOTH_ROOM: "an instance: of a_l, one request at most",
    ENOUGH: "an instance: " + VLLM_SOURCES[OFTEN].partition(": ")[2],
    **dict.fromkeys(NARROW, "a definition: small enough, as there is room in the two conditions before"),
    **{x: y for x, y in (*FT_SOURCES.items(), *VLLM_SOURCES.items()) if x in BOTH.where and x != "t_b == 1"}}


def grown(theorem: Theorem, sources: Mapping[str, str]) -> Model:
    """A theorem, with where its conditions are stated."""
    own = {theorem.where[0]: "functions of a slot: what arrives, what is loaded, and by (2.4) what waits at its start",
           **sources}
    return Model(theorem, sources=sourced(theorem.where, {w: t for w, t in own.items() if w in theorem.where}),
                 budget=60)


AGAIN = Theorem(("total in functions",), (), (Use("positive-recurrent", {"size(n)": "total(n)"}, {
    "chain": "total(n) are the tokens in the network with the priorities reversed, l. 322, whose chain is positive "
             "recurrent by the sentence before, to.sec-4.3.rs-reversed, and assumed irreducible, as in l. 176"}),),
    goal="ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), total(n) <= level))")
HALF = "a definition: half of what arrives too much"
FASTER_TRANSFORMER = grown(FT, {**SIZES, **FT_SOURCES, FT_ETA: HALF})
VANILLA_VLLM = grown(VLLM, {**VLLM_SOURCES, VLLM_ETA: HALF})
BOTH_AT_ONCE = grown(BOTH, BOTH_SOURCES)
COMES_BACK = grown(AGAIN, {AGAIN.where[0]: "l. 320: the total number of tokens, slot by slot"})
