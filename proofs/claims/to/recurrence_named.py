"""Positive recurrence for the schedulers that the paper names, for two types of requests, and from (B.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from qtheory.proofs.chains import FOSTER, Chain, Outcome, Recurrence, State, each
from qtheory.proofs.claims.axioms import Step
from qtheory.proofs.claims.model import Claim

from .recurrence import (
    ADDED,
    BATCH,
    BOUNDED,
    FEASIBLE,
    INSTANCE,
    LOADS_ALL,
    MEANS,
    RATES,
    REQUESTS,
    ROW,
    SKETCHED,
    SKETCHED_STEPS,
    SLOT,
    SQUARES,
    SQUARES_SOURCES,
    SQUARES_STEPS,
    VALUED,
    recurrent,
    total,
)
from .section_4 import LOAD as LOAD_BY_TYPE
from .section_4 import MEANS as MEANS_2
from .section_4 import SAME
from .section_4 import SOURCES as TWO_TYPES

# ---- the rules of Section 3, whatever the order among requests ----

DECODES, PROMPTS = f"Sd == {total('dd(i)')}", f"Sp == {total('dp(i)')}"
SARATHI = {DECODES: "Sd are the decode tokens of the batch",
           each("Or(r > 0, Sd == b, dd(i) == 1 - u(i))"): "l. 222: as many decode tokens as possible, at most one for "
           "each request: the budget is used up by them, or each request without prefill tokens left has one",
           each("Or(r > 0, S == b, dp(i) == p(i))"): "l. 222: with additional space as many prompt tokens as possible"}
ORCA = {PROMPTS: "Sp are the prefill tokens of the batch",
        each("Or(r > 0, Sp == b, dp(i) == p(i))"): "l. 220: it fills in i with p_i > 0 first",
        each("Or(r > 0, S == b, dd(i) == 1 - u(i))"): "l. 220: only then as many decode tokens as possible till the "
        "token budget limit (without a limit on the requests of a batch)"}


def by_rule(id: str, line: int, rule: Mapping[str, str], part: str, tokens: str, instance: str) -> Claim:
    """The rule, instead of that a batch below the budget holds all that can be loaded, which is proved from it."""
    counted, *said = rule
    choices = (*(w for w in SQUARES.chain.choices if w != LOADS_ALL), *rule)
    theorem = replace(SQUARES, chain=replace(SQUARES.chain, choices=choices))
    steps = {"parts": Step(each(f"dp(i) + dd(i) >= {tokens}"), (FEASIBLE,), pointwise=True),
             "part of the batch": Step(f"{total('dp(i) + dd(i)')} >= {total(tokens)}", ("parts", "q in naturals")),
             "part": Step(f"{part} <= S", ("part of the batch", counted, BATCH)),
             "below": Step(f"Or(k == 0, And(r <= 0, S < b, {part} < b))", (SLOT, "part")),
             LOADS_ALL: Step(LOADS_ALL, ("below", *said), pointwise=True), **SQUARES_STEPS}
    return recurrent(id, "Section 3", "", line, theorem, steps, {**SQUARES_SOURCES, **rule},
                     (*RATES, *INSTANCE, instance), "Whatever the order among requests is: first come first served, "
                     "the fewest remaining tokens first, or by features (l. 210).")


# ---- two types ----

ONE, TWO = "lam*(m_p + m_d)", "(l1*(m_p1 + m_d1) + l2*(m_p2 + m_d2))"
BY_TYPE, LOAD_2 = (*MEANS_2[:4], "l1 >= 0", "l2 >= 0"), LOAD_BY_TYPE


def rewritten(value: Any, old: str, new: str) -> Any:
    """The value with one text for another wherever it stands."""
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, Mapping):
        return {rewritten(k, old, new): rewritten(v, old, new) for k, v in value.items()}
    if isinstance(value, tuple):
        return tuple(rewritten(v, old, new) for v in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: rewritten(getattr(value, f.name), old, new) for f in fields(value)})
    return value


def two_types(id: str, theorem: Recurrence, steps: Mapping[str, Step], sources: Mapping[str, str], note: str) -> Claim:
    """A theorem of Section 2's chain, for the requests of two types."""
    theorem, load = rewritten(theorem, ONE, TWO), f"{TWO} < b/t_b"
    kept = (w for w in theorem.chain.given if w not in (*MEANS, load))
    theorem = replace(theorem, chain=replace(theorem.chain, given=(*kept, *BY_TYPE, LOAD_2, SAME)),
                      parameters=("l1", "l2", "m_p1", "m_d1", "m_p2", "m_d2", "t_p", *theorem.parameters[3:]))
    own = {w: TWO_TYPES[w] for w in (*BY_TYPE, LOAD_2, SAME)}
    return recurrent(id, "Section 4.2", "", 276, theorem, {load: Step(load, (LOAD_2, SAME)), **rewritten(
        steps, ONE, TWO)}, {**rewritten(sources, ONE, TWO), **own},
                     ("l1 = 1/2", "l2 = 0", "m_p1 = 1", "m_d1 = 1", "m_p2 = 1", "m_d2 = 1", "t_p = 1", *INSTANCE),
                     f"The type is the feature, and may decide about the order in which tokens are loaded. {note}")


# ---- Appendix B: from (B.1) ----

F = total(VALUED)
DRIFT = "Or(F < B, D <= -eps/2)"
NUMBERS = "p(i) + d(i) + z(i)"
NEW = "Natural(m)", each("Natural(vp(i))", "Natural(vd(i))", "Natural(vz(i))", "vd(i) >= 1", "vz(i) <= kinds")
FROM_B_1 = Recurrence(
    Chain(("kinds in naturals", "c > 0", "eps > 0"), State((), ("p", "d", "z"), "q"), (Outcome(
        {}, "1", {"p": "none", "d": "none"}, {"p": "vp", "d": "vd", "z": "vz"}, {"F_came": "1"}),),
        ("p, d, z in functions", "vp, vd, vz in functions"), row=ROW, blank={"p": "0", "d": "1", "z": "0"},
        totals={"F": VALUED}, choices=(DRIFT,), inputs=("m", "vp", "vd", "vz"), input=NEW, moments={"F_came": "F + D"},
        stay="-1", many="m"),
    ("kinds", "c", "eps", "B"), "F", "F < B", "eps/2", "(2 + kinds)*Max(B, 0)",
    "the DTMC of l. 156, whose state is (p_i', d_i'), l. 420, and the feature, of each request in Q(X) (the appendix "
    "has no R); the rows that come are all of the next state's; D is E[f(X(n+1))] - f(X(n)), l. 428, with f of l. 420; "
    "assumed irreducible, l. 176", let=("none(i) = 0*i",))
STEPS: Mapping[str, Step] = {
    f"{FOSTER}: next": Step(given=()), f"{FOSTER}: rows came": Step(given=(), guarded=True),
    f"{FOSTER}: rows left": Step(given=(*REQUESTS, "c > 0"), pointwise=True),
    f"{FOSTER}: blank row": Step(given=("kinds in naturals",)),
    "none left": Step("F_left == 0", ("q in naturals",)),
    f"{FOSTER}: mean": Step(given=("none left",), guarded=True),
    "sign": Step(each(f"{VALUED} >= 0"), (*REQUESTS, "c > 0"), pointwise=True),
    "total": Step(f"{F} >= 0", ("sign", "q in naturals")),
    f"{FOSTER}: bounded below": Step(given=("total",)),
    f"{FOSTER}: drift": Step(given=(DRIFT, "total")),
    "numbers": Step(each(f"1 + {NUMBERS} <= (2 + kinds)*({VALUED})"), (*REQUESTS, "c > 0", "kinds in naturals"),
                    pointwise=True),
    "numbers in all": Step(f"{total(f'1 + {NUMBERS}')} <= {total(f'(2 + kinds)*({VALUED})')}",
                           ("numbers", "q in naturals")),
    "one each": Step(f"{total(f'1 + {NUMBERS}')} == q + {total(NUMBERS)}", ("q in naturals",)),
    "so many": Step(f"{total(f'(2 + kinds)*({VALUED})')} == (2 + kinds)*{F}", ("q in naturals",)),
    f"{FOSTER}: finite set": Step(given=("numbers in all", "one each", "so many", "kinds in naturals")),
    "such rows": Step(each("And(Natural(vp_1(i)), Natural(vd_1(i)), Natural(vz_1(i)), vd_1(i) >= 1, vz_1(i) <= kinds)"),
                      ("kinds in naturals",), pointwise=True, concluding=True),
    "none come": Step("F_came_1 == 0", (), concluding=True),
    "a value": Step("F >= F", ("q in naturals",), concluding=True),
    "all leave": Step("Or(F < B, D_1 <= -eps/2)", ("a value", "B >= eps/2"), concluding=True),
    f"{FOSTER}: possible": Step(given=("such rows", "none come", "all leave", "a value"))}
# The next state is empty
EMPTIED = ((("D = -F",), (("1", ("m = 0", "vp(i) = 0*i", "vd(i) = 1 + 0*i", "vz(i) = 0*i")),)),)
B_SOURCES = {"p, d, z in functions": "App. B, l. 420: p_i', d_i' and the feature, i in [Q(X)]",
             "vp, vd, vz in functions": "the same of X(n+1)", "q in naturals": "App. B, l. 420: Q(X)",
             "c > 0": "App. B, l. 420: the weight eps/(4 L lambda)",
             "eps > 0": "App. B, l. 418", DRIFT: "(B.1), l. 430 to 432, once f(X(n)) >= B"}

CLAIMS: tuple[Claim, ...] = (
    by_rule("to.sec-3.sarathi-wc.stable", 222, SARATHI, "Sd", "dd(i)", "Sd = 2"),
    by_rule("to.sec-3.orca-wc.stable", 220, ORCA, "Sp", "dp(i)", "Sp = 0"),
    two_types("to.sec-4.2.dtmc.loads-all", SQUARES, SQUARES_STEPS, {**SQUARES_SOURCES, LOADS_ALL: ADDED},
              "Sizes with a second moment."),
    two_types("to.sec-4.2.dtmc.bounded", SKETCHED, SKETCHED_STEPS, {BOUNDED: "added: sizes are bounded, as l. 204 has "
              "it"}, "Any work-conserving algorithm; of the sizes it is v_d(i) alone that must be bounded."),
    recurrent("to.app-B.foster", "Appendix B", "we can invoke the classical Foster-Lyapunov Criterion (Theorem 4.3.1 "
              "in (Xu, 2023)) to conclude that X(n) is positive recurrent", 434, FROM_B_1, STEPS, B_SOURCES,
              ("kinds = 1", "c = 1", "eps = 1", "B = 1", "q = 0", "D = 0", "p(i) = 0*i", "d(i) = 1 + 0*i",
               "z(i) = 0*i", "vp(i) = 0*i", "vd(i) = 1 + 0*i", "vz(i) = 0*i"),
              "From (B.1), which fails as printed: to.eq-B.1. Where it holds, this follows.", ways=EMPTIED,
              under=("B >= eps/2",)),
)
