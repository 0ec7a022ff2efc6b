"""Theorem 1(b) by the strong law: above (2.8)'s load the tokens grow without bound on almost every path."""

from __future__ import annotations

from qtheory.proofs.claims.axioms import Theorem, Use
from qtheory.proofs.claims.cases import Model

from .sources import sourced

CAME = "Sum(v(l), (l, 1, n))"
PATH = f"ForAll(n, And(Integer(n), n >= 1), And(X(n) >= {CAME} - S(n), S(n) <= b/t_b*(n + t_b)))"
HALF = "2*eta == lam*(m_p + m_d) - b/t_b"
SOURCES = {
    "v, X, S in functions": "along a path: the tokens that slot l brings, |X(n)| of l. 192 after n slots, and the "
                            "tokens loaded in these",
    PATH: "l. 143 to 150, added up, from any state; S(n): to.sec-2.3.max-rate.total, with batches that take n + t_b "
          "slots at most; to.sec-2.3.max-rate: b/t_b is the maximal rate (l. 194)",
    "lam*(m_p + m_d) > b/t_b": "(2.8), l. 186", HALF: "a definition: half of what the load is too much"}
THEOREM = Theorem(
    ("v, X, S in functions", "lam >= 0", "m_p >= 1", "m_d >= 1", "b >= 1", "t_b >= 1", "lam*(m_p + m_d) > b/t_b", HALF,
     PATH),
    ("lam", "m_p", "m_d", "b", "t_b", "eta"),
    (Use("strong-law", {"draw(l)": "v(l)", "mean": "lam*(m_p + m_d)"},
         {"iid": "the tokens of the requests that arrive in slot l: a function of a_l and of the sizes of these "
                 "requests, (2.1), l. 81",
          "mean": "by (2.2), l. 83: lambda requests in the mean, whose number is independent of their sizes, each with "
                  "m_p + m_d tokens in the mean"}),),
    goal="ForAll(h, h >= 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), X(n) > h)))")
ABOVE_THE_LOAD = Model(THEOREM, sources=sourced(THEOREM.where, SOURCES), budget=60)
