"""Theorem 1(b) by the strong law: above (2.8)'s load the tokens grow without bound on almost every path."""

from __future__ import annotations

from qtheory.proofs.claims.axioms import STRONG_LAW, Step, Theorem, Use
from qtheory.proofs.claims.cases import Model

from .instability import after, slots, total
from .sources import sourced

CAME = "Sum(v(l), (l, 1, n))"
PATH = f"ForAll(n, And(Integer(n), n >= 1), And(X(n) >= {CAME} - S(n), S(n) <= b/t_b*(n + t_b)))"
HALF = "2*eta == lam*(m_p + m_d) - b/t_b"
SOURCES = {
    "v, X, S in functions": "along a path: the tokens that slot l brings, |X(n)| of l. 192 after n slots, and the "
                            "tokens loaded in these",
    PATH: "l. 143 to 150, added up, from any state; S(n): to.sec-2.3.max-rate.total, with batches that take n + t_b "
          "slots at most (added: c >= a b_0, of to.sec-2.3.max-rate.corrected)",
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
EXCESS = Step("eta > 0", (HALF, "lam*(m_p + m_d) > b/t_b"), concluding=True)
GROWTH = Step(
    given=("excess", "b >= 1", "t_b >= 1", HALF, PATH, STRONG_LAW.conclusion), near="eta",
    level="Max(N0, (h + b + 1)/eta)",
    through=("n >= N0", "n >= 1", f"{CAME} >= (mean - eta)*n", "S(n) <= b/t_b*n + b",
             "X(n) >= (mean - eta)*n - (b/t_b*n + b)", "(mean - eta)*n - b/t_b*n == eta*n", "X(n) >= eta*n - b",
             "n >= (h + b + 1)/eta", "eta*n >= h + b + 1"))
INSTANCE = ("low = 2", "high = 4", "lam = 3/2", "m_p = 1", "m_d = 1", "b = 1", "t_b = 1", "eta = 1", "v(l) = coin(l)",
            "S(n) = 0*n", "X(n) = 4*n")
MET = {"tosses": Step(slots("coin(l) <= 4"), at=("l",)),
       "at most": Step(after(f"{total('coin(l)')} <= 4*n"), ("tosses",)),
       PATH: Step(given=("at most",), at=("n",))}
ABOVE_THE_LOAD = Model(
    THEOREM, sources=sourced(THEOREM.where, SOURCES),
    hint={"steps": {"excess": EXCESS, "conclusion": GROWTH}, "instance": INSTANCE, "budget": 60, "met": MET})
