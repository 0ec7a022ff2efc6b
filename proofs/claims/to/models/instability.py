"""Section 3's instability: FasterTransformer and vanilla vLLM below (2.7)'s load, along almost every path.

Functions of a slot l, by (2.4) at its start. In each slot a function of the state, which the rule lets fall by so much
at most, bounds what the rule loads; added up, the strong law makes what waits grow without bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qtheory.proofs.claims.axioms import STRONG_LAW, Step, Theorem, Use
from qtheory.proofs.claims.cases import Model

from .sources import sourced


def slots(*parts: str) -> str:
    """The parts, in each slot."""
    every = parts[0] if len(parts) == 1 else f"And({', '.join(parts)})"
    return f"ForAll(l, And(Integer(l), l >= 1), {every})"


def after(formula: str) -> str:
    """The formula, after each number n of slots."""
    return f"ForAll(n, And(Integer(n), n >= 1), {formula})"


def total(summand: str) -> str:
    return f"Sum({summand}, (l, 1, n))"


def grows(*what: str) -> str:
    """Each of these is beyond every level from some slot on."""
    beyond = [f"{w} > h" for w in what]
    every = beyond[0] if len(beyond) == 1 else f"And({', '.join(beyond)})"
    return f"ForAll(h, h >= 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), {every})))"


def lemma(goal: str, *given: str, **how: Any) -> Step:
    return Step(goal, given, concluding=True, **how)


def each(*given: str, goal: str, **how: Any) -> Step:
    """A lemma that is proved index by index."""
    return lemma(goal, *given, pointwise=True, **how)


def since_first(formula: str) -> Step:
    """What holds in the first slot, and in the next one if it does in one."""
    return Step(slots(formula), inductive=True)


def at_each(*conditions: str) -> dict[str, Step]:
    """Conditions that hold in each slot."""
    return {c: Step(at=("l",)) for c in conditions}


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
HELD = "(c*g({0}) + R({0}))"
NOW, NEXT, LAST = (HELD.format(at) for at in ("l", "l + 1", "n + 1"))
AT_MOST = "kappa*(c*d + t_b)"


def ft_steps(*positive: str) -> dict[str, Step]:
    """That prefill tokens wait which are not loaded; ``positive``: where c >= 1 and d >= 1 are."""
    return {
        "positive": lemma("kappa > 0", RATE, "b >= 1", *positive,
                          hint={"lemmas": ("c*(1 + d) > 0", "kappa == b/(c*(1 + d))")}),
        "held": each(FT_RULE, FT_RANGE, *positive, goal=slots(
            f"Or(And(p(l) == 0, {NEXT} >= {NOW} - 1), And(p(l) <= b, {NEXT} >= {NOW} + c*(1 + d) - 1))")),
        "prefilled": each("held", "positive", RATE, goal=slots(f"p(l) <= kappa*(1 + {NEXT} - {NOW})")),
        "waits": each(FT_FLOW, "prefilled", goal=slots(
            f"w(l + 1) + kappa*{NEXT} >= w(l) + kappa*{NOW} + V(l) - kappa")),
        "waits in all": lemma(after(f"w(n + 1) + kappa*{LAST} >= w(1) + kappa*{HELD.format(1)} + {total('V(l)')} - "
                                    "kappa*n"), "waits"),
        "cap": each(FT_RANGE, "positive", *positive, goal=slots(f"kappa*{NOW} <= {AT_MOST}", f"kappa*{NOW} >= 0")),
        "start": lemma(f"w(1) + kappa*{HELD.format(1)} >= 0", "cap", FT_FLOW),
        "end": lemma(after(f"kappa*{LAST} <= {AT_MOST}"), "cap"),
        "prefill": each("waits in all", "start", "end",
                        goal=after(f"w(n + 1) >= {total('V(l)')} - kappa*n - {AT_MOST}"))}


FT_ETA = "2*eta == lam*m_p - kappa"
FT = Theorem(
    ("V, w, p, g, R in functions", *STEADY, LOAD, RATE, BEYOND, FT_ETA, FT_FLOW, FT_RULE, FT_RANGE),
    ("lam", "m_p", "m_d", "b", "t_b", "c", "d", "kappa", "eta"),
    (Use("strong-law", {"draw(l)": "V(l)", "mean": "lam*m_p"},
         {"iid": f"the prefill tokens {IID}", "mean": "by (2.2), l. 83: lambda requests in the mean, whose number is "
          "independent of their sizes, each with m_p prefill tokens in the mean"}),),
    goal=grows("w(n + 1)"))
FT_GROWTH: Mapping[str, Step] = {
    **ft_steps("c >= 1", "d >= 1"), "excess": lemma("eta > 0", FT_ETA, BEYOND),
    "conclusion": Step(
        given=("excess", "positive", "prefill", "c >= 1", "d >= 1", "t_b >= 1", FT_ETA, STRONG_LAW.conclusion),
        near="eta", level=f"Max(N0, (h + {AT_MOST} + 1)/eta)",
        through=("n >= N0", "n >= 1", f"{total('V(l)')} >= (mean - eta)*n",
                 f"w(n + 1) >= (mean - eta)*n - kappa*n - {AT_MOST}", "(mean - eta)*n - kappa*n == eta*n",
                 f"w(n + 1) >= eta*n - {AT_MOST}", f"n >= (h + {AT_MOST} + 1)/eta", f"eta*n >= h + {AT_MOST} + 1"))}
FT_PATH = ("c = 1", "d = 2", "kappa = 5/3", "g(l) = 2 + 0*l", "R(l) = 0*l", "p(l) = 0*l")
FT_INSTANCE = ("low = 0", "high = 4", "lam = 1", "m_p = 2", "m_d = 2", "b = 5", "t_b = 1", "eta = 1/6",
               "V(l) = coin(l)", *FT_PATH, "w(1) = 0; w(l + 1) = w(l) + coin(l)")
FT_MET = {"waiting": since_first("w(l) >= 0"), **at_each(FT_FLOW)}
FT_NOTE = ("lambda = 1, (m_p, m_d) = (2, 2), b = 5 and t = 1 is load 4 of 5, and of 3 slots one at most prefills. The "
           "prefill tokens that wait exceed every level with probability 1, from any state; |X(n)| is no less. The "
           "conditions hold along runs of the chain: tests/proofs/test_instability.py. ")

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
VLLM_STEPS: Mapping[str, Step] = {
    "bound": each(VLLM_FLOW, COME, goal=slots("Q(l + 1) <= most")),
    "indicator": each(VLLM_RULE, goal=slots("u(l) <= 1", "u(l) >= 0")),
    "least": each(VLLM_RULE, goal=slots("Min(W(l), 1) == u(l)")),
    "least then": lemma(slots("Min(W(l + 1), 1) == u(l + 1)"), "least"),
    "short": each(COME, goal=slots("Min(V(l), 1) == m(l)")),
    "brought": each(VLLM_FLOW, goal=slots("W(l + 1) == V(l)")),
    "carried": each("brought", goal=slots("Min(W(l + 1), 1) == Min(V(l), 1)")),
    "marks": each("least then", "carried", "short", goal=slots("u(l + 1) == m(l)")),
    "decodes": each("marks", VLLM_FLOW, VLLM_RULE, goal=slots(
        f"Y(l + 1) + Q(l + 1) + b*u(l + 1) >= Y(l) + Q(l) + b*u(l) + ({DRAWN}) - b")),
    "decodes in all": lemma(after("Y(n + 1) + Q(n + 1) + b*u(n + 1) >= Y(1) + Q(1) + b*u(1) + "
                                  f"{total(DRAWN)} - b*n"), "decodes"),
    "at the end": lemma(after("And(Q(n + 1) <= most, u(n + 1) <= 1)"), "bound", "indicator"),
    "at the start": lemma("Y(1) + Q(1) + b*u(1) >= 0", VLLM_FLOW, "Q(1) >= 0", "indicator", "b >= 1"),
    "decode": each("decodes in all", "at the start", "at the end", "b >= 1",
                   goal=after(f"Y(n + 1) >= {total(DRAWN)} - b*n - most - b"))}
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
VLLM_GROWTH: Mapping[str, Step] = {
    **VLLM_STEPS, "excess": lemma("eta > 0", VLLM_ETA, OFTEN),
    "conclusion": Step(
        given=("excess", "decode", "b >= 1", "most >= 0", VLLM_ETA, STRONG_LAW.conclusion), near="eta",
        level="Max(N0, (h + most + b + 1)/eta)",
        through=("n >= N0", "n >= 1", f"{total(DRAWN)} >= (mean - eta)*n",
                 "Y(n + 1) >= (mean - eta)*n - b*n - most - b", "(mean - eta)*n - b*n == eta*n",
                 "Y(n + 1) >= eta*n - most - b", "n >= (h + most + b + 1)/eta", "eta*n >= h + most + b + 1"))}
VLLM_INSTANCE = ("low = 4", "high = 6", "lam = 1", "m_p = 1", "m_d = 1", "b = 4", "t_b = 1", "often = 1", "most = 2",
                 "eta = 1/2", "V(l) = 1 + 0*l", "D(l) = coin(l) - 4", "m(l) = 1 + 0*l", "W(l) = 1 + 0*l",
                 "k(l) = 0*l", "u(l) = 1 + 0*l", "Q(1) = 0; Q(l + 1) = coin(l) - 4",
                 "Y(1) = 0; Y(l + 1) = Y(l) + Q(l)")
VLLM_MET = {"held up": since_first("Q(l) >= 0"), "waiting": since_first("Y(l) >= 0"),
            **at_each(VLLM_FLOW, VLLM_RULE, COME)}
VLLM_NOTE = ("One request (1, 1) in each slot and b = 4 is load 2 of 4, and any b is as good: the load can be as low "
             "as one likes. Of a_n that can be 0 as well: one request (1, 3) with probability 3/4, b = 4. The decode "
             "tokens that wait exceed every level with probability 1, from any state whose prefill tokens fit a batch. "
             "The conditions hold along runs of the chain: tests/proofs/test_instability.py. ")

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
SHORTFALL = f"{AT_MOST} + m_d + b"
BOTH_STEPS: Mapping[str, Step] = {
    "longest": lemma("And(c >= 1, d >= 1, t_b >= 1)", "c == 1", "t_b == 1", "m_d >= 1"),
    **ft_steps("longest"),
    **VLLM_STEPS,
    "prompts": lemma(after(f"{total('V(l)')} == m_p*{total('a(l)')}")),
    "outputs": lemma(after(f"{total(DRAWN)} == (m_d + b)*{total('a(l)')}")),
    "waiting": each("prompts", "prefill", goal=after(f"w(n + 1) >= m_p*{total('a(l)')} - kappa*n - {AT_MOST}")),
    "decoding": each("outputs", "decode", goal=after(f"Y(n + 1) >= (m_d + b)*{total('a(l)')} - b*n - m_d - b")),
    "capped": lemma(f"{AT_MOST} >= 0", "positive", "longest"),
    "conclusion": Step(
        given=("positive", "capped", "waiting", "decoding", "b >= 1", "m_p >= 1", "m_d >= 1", *NARROW,
               STRONG_LAW.conclusion),
        near="eta", level=f"Max(N0, (h + {SHORTFALL} + 1)/eta)",
        through=("n >= N0", "n >= 1", f"{total('a(l)')} >= (mean - eta)*n",
                 f"m_p*{total('a(l)')} >= m_p*(mean - eta)*n", f"(m_d + b)*{total('a(l)')} >= (m_d + b)*(mean - eta)*n",
                 "m_p*(mean - eta)*n >= (kappa + eta)*n", "(m_d + b)*(mean - eta)*n >= (b + eta)*n",
                 f"w(n + 1) >= eta*n - {AT_MOST}", "Y(n + 1) >= eta*n - m_d - b",
                 f"n >= (h + {SHORTFALL} + 1)/eta", f"eta*n >= h + {SHORTFALL} + 1"))}
BOTH_INSTANCE = ("low = 0", "high = 1", "lam = 9/10", "m_p = 2", "m_d = 2", "b = 5", "t_b = 1", "eta = 1/24",
                 "a(l) = coin(l)", *(x for x in FT_PATH if not x.startswith("d =")), "k(l) = 0*l",
                 "w(1) = 0; w(l + 1) = w(l) + 2*coin(l)", "W(1) = 0; W(l + 1) = 2*coin(l)",
                 "u(1) = 0; u(l + 1) = coin(l)", "Q(1) = 0; Q(l + 1) = 2*coin(l)", "Y(1) = 0; Y(l + 1) = Y(l) + Q(l)")
BOTH_MET = {**FT_MET, "held up": since_first("Q(l) >= 0"), "decoding": since_first("Y(l) >= 0"),
            "marked": since_first("Or(And(W(l) == 0, u(l) == 0), And(W(l) >= 1, u(l) == 1))"),
            **at_each(BOTH_ROOM, VLLM_FLOW, VLLM_RULE, COME)}
BOTH_SOURCES: Mapping[str, str] = {
    "t_b == 1": "an instance: each batch takes one slot", "c == 1": "an instance: each batch takes one slot",
    "Q(1) >= 0": "a number of tokens", BOTH_ROOM: "an instance: of a_l, one request at most",
    ENOUGH: "an instance: " + VLLM_SOURCES[OFTEN].partition(": ")[2],
    **dict.fromkeys(NARROW, "a definition: small enough, as there is room in the two conditions before"),
    **{x: y for x, y in (*FT_SOURCES.items(), *VLLM_SOURCES.items()) if x in BOTH.where and x != "t_b == 1"}}


@dataclass(frozen=True)
class Shown:
    """A theorem, how it is proved, an instance and how it meets the conditions, and where these are stated."""

    theorem: Theorem
    steps: Mapping[str, Step]
    instance: tuple[str, ...]
    met: Mapping[str, Step]
    sources: Mapping[str, str]

    @property
    def model(self) -> Model:
        where = self.theorem.where
        own = {where[0]: "functions of a slot: what arrives, what is loaded, and by (2.4) what waits at its start",
               **self.sources}
        return Model(self.theorem, sources=sourced(where, {w: t for w, t in own.items() if w in where}),
                     hint={"steps": self.steps, "instance": self.instance, "budget": 60, "met": self.met})


HALF = "a definition: half of what arrives too much"
FASTER_TRANSFORMER = Shown(FT, FT_GROWTH, FT_INSTANCE, FT_MET, {**SIZES, **FT_SOURCES, FT_ETA: HALF}).model
VANILLA_VLLM = Shown(VLLM, VLLM_GROWTH, VLLM_INSTANCE, VLLM_MET, {**VLLM_SOURCES, VLLM_ETA: HALF}).model
BOTH_AT_ONCE = Shown(BOTH, BOTH_STEPS, BOTH_INSTANCE, BOTH_MET, BOTH_SOURCES).model
