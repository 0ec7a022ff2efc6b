"""Positive recurrence for the schedulers that the paper names, for two types of requests, and from (B.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State, each
from qtheory.proofs.claims.cases import Model
from qtheory.proofs.proving.lines import rewritten

from .recurrence import (
    A_CLASS,
    BOUNDED,
    LOADS_ALL,
    MEANS,
    MEANT,
    ROW,
    SKETCHED,
    SQUARES,
    SQUARES_SOURCES,
    VALUED,
    recurrent,
    total,
)
from .sources import LOAD as LOAD_BY_TYPE
from .sources import MEANS as MEANS_2
from .sources import SAME, TWO_TYPES

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


def ruled(rule: Mapping[str, str]) -> Recurrence:
    """The rule, instead of that a batch below the budget holds all that can be loaded, which is proved from it."""
    choices = (*(w for w in SQUARES.chain.choices if w != LOADS_ALL), *rule)
    return replace(SQUARES, chain=replace(SQUARES.chain, choices=choices))


def by_rule(rule: Mapping[str, str]) -> Model:
    return recurrent(ruled(rule), {**SQUARES_SOURCES, **rule})


def either() -> Model:
    """Both rules in one theorem: Sarathi-Serve's where ``system`` is 0, Orca's where it is 1."""
    rules = {w.replace("Or(r > 0", f"Or(system == {other}, r > 0"): said for other, rule in ((1, SARATHI), (0, ORCA))
             for w, said in rule.items()}
    which = {"Or(system == 0, system == 1)": "l. 12: Orca and Sarathi-Serve; 0 is Sarathi-Serve, 1 is Orca"}
    theorem = ruled(rules)
    theorem = replace(theorem, parameters=(*theorem.parameters, "system"),
                      chain=replace(theorem.chain, given=(*theorem.chain.given, *which)))
    return recurrent(theorem, {**SQUARES_SOURCES, **rules, **which})


# ---- two types ----

ONE, TWO = "lam*(m_p + m_d)", "(l1*(m_p1 + m_d1) + l2*(m_p2 + m_d2))"
IN_WORDS = "lambda (m_p + m_d)", "lambda^1 (m_p1 + m_d1) + lambda^2 (m_p2 + m_d2)"
BY_TYPE, LOAD_2 = (*MEANS_2[:4], "l1 >= 0", "l2 >= 0"), LOAD_BY_TYPE


def two_types(theorem: Recurrence, sources: Mapping[str, str]) -> Model:
    """A theorem of Section 2's chain, for the requests of two types."""
    theorem, load = rewritten(rewritten(theorem, ONE, TWO), *IN_WORDS), f"{TWO} < b/t_b"
    kept = (w for w in theorem.chain.given if w not in (*MEANS, load))
    theorem = replace(theorem, chain=replace(theorem.chain, given=(*kept, *BY_TYPE, LOAD_2, SAME)),
                      parameters=("l1", "l2", "m_p1", "m_d1", "m_p2", "m_d2", "t_p", *theorem.parameters[3:]))
    own = {w: TWO_TYPES[w] for w in (*BY_TYPE, LOAD_2, SAME)}
    return recurrent(theorem, {**rewritten(sources, ONE, TWO), **own})


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
    "its states are those of these that it can take, l. 130, and it is assumed irreducible on them, as in l. 176",
    let=("none(i) = 0*i",))
B_SOURCES = {"p, d, z in functions": "App. B, l. 420: p_i', d_i' and the feature, i in [Q(X)]",
             "vp, vd, vz in functions": "the same of X(n+1)", "q in naturals": "App. B, l. 420: Q(X)",
             "c > 0": "App. B, l. 420: the weight eps/(4 L lambda)",
             "eps > 0": "App. B, l. 418", DRIFT: "(B.1), l. 430 to 432, once f(X(n)) >= B"}

BY_SARATHI, BY_ORCA, BY_EITHER = by_rule(SARATHI), by_rule(ORCA), either()
A_CLASS_FOR_TWO_TYPES = two_types(SQUARES, {**SQUARES_SOURCES, LOADS_ALL: A_CLASS})
TWO_TYPES_LOAD_ALL = two_types(SQUARES, {**SQUARES_SOURCES, LOADS_ALL: MEANT, "Q >= 0": (
    f"{SQUARES_SOURCES['Q >= 0']}; the development of Theorem 1, l. 276, has it too")})
TWO_TYPES_BOUNDED = two_types(SKETCHED, {BOUNDED: "added: sizes are bounded, as l. 204 has it"})
BY_DRIFT = recurrent(FROM_B_1, B_SOURCES)
