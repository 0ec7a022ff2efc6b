"""Lemma 1 and (C.24): the fluid limits' first two steps, by the theorems on cluster points of bounded sequences.

x_1, x_2, ... are states of the unbounded set, x_n of at least n tokens. That a subsequence converges is said as: to a
point, or a path on [0, T], the sequence is as near as one likes, however late. The scaled service processes are step
functions; between slots they are joined by lines here, which are Lipschitz continuous with constant b, and from which
they differ by a batch, b/|x_n| scaled.
"""

from __future__ import annotations

from qtheory.proofs.chains import joined
from qtheory.proofs.claims.axioms import Theorem, Use
from qtheory.proofs.claims.cases import Model

from .sources import sourced


def late(*parts: str) -> str:
    """The parts, for each state of the sequence."""
    return f"ForAll(n, And(Integer(n), n >= 1), {joined(parts)})"


def near(inner: str, more: str = "") -> str:
    """Near the limit, for each e, however late."""
    return (f"ForAll(e, e > 0, {more}ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), {inner}"
            f"{')' if more else ''})))")


# ---- (C.24) ----

COUNTED = late("Z_p(n) >= 0", "Z_d(n) >= 0", "Z_p(n) + Z_d(n) <= X(n)", "X(n) >= 1")
INITIAL = {"sequence1(n)": "Z_p(n)/X(n)", "sequence2(n)": "Z_d(n)/X(n)", "most": "1"}
WITHIN = ", ".join(f"{x}(n)/X(n) - {z} <= e, {z} - {x}(n)/X(n) <= e" for x, z in (("Z_p", "cluster1"),
                                                                              ("Z_d", "cluster2")))
C_24 = Theorem(
    ("Z_p, Z_d, X in functions", COUNTED), (), (Use("bolzano-weierstrass", INITIAL),),
    goal=f"And(cluster1 >= 0, cluster2 >= 0, {near(f'And({WITHIN})')})")
C_24_SOURCES = {
    "Z_p, Z_d, X in functions": "of the states x_n: Z_p(0) and Z_d(0), l. 480, and |x_n|, l. 585",
    COUNTED: "l. 480 and 585: numbers of requests, each with a token to come (l. 145), and l. 593: |x| > 0"}
SUBSEQUENCE = Model(C_24, sources=sourced(C_24.where, C_24_SOURCES), budget=60)

# ---- Lemma 1 ----

PHASES = ("B_p", "B_d")
UNBOUNDED = late("X(n) >= n")
SLOTS = {f: late(f"{f}(n, 0) == 0", f"ForAll(j, And(Integer(j), j >= 0), ForAll(k, And(Integer(k), k >= j), And(0 <= "
                 f"{f}(n, k) - {f}(n, j), {f}(n, k) - {f}(n, j) <= b*(k - j))))") for f in PHASES}
SCALED = [f"{f}(n, floor(X(n)*t))/X(n)" for f in PHASES]
CLOSE = ", ".join(f"{s} - cluster{i}(t) <= e, cluster{i}(t) - {s} <= e" for i, s in enumerate(SCALED, 1))
LIMIT = near(f"ForAll(t, And(0 <= t, t <= T), And({CLOSE}))", "ForAll(T, T > 0, ")
LEMMA = Theorem(
    ("B_p, B_d, X in functions", "b >= 1", UNBOUNDED, *SLOTS.values()), ("b",),
    (Use("arzela-ascoli", {**{f"path{i}(n, t)": f"joined{i}(n, X(n)*t)/X(n)" for i in (1, 2)},
                           "most": "1", "pace": "b"}),),
    tuple(f"joined{i}(n, s) = {f}(n, floor(s)) + (s - floor(s))*({f}(n, floor(s) + 1) - {f}(n, floor(s)))"
          for i, f in enumerate(PHASES, 1)), LIMIT)
LEMMA_SOURCES = {
    "B_p, B_d, X in functions": "along one path: B_f(n, k) is B_f^{x_n}(k), l. 490 and 591, and |x_n|, l. 585",
    UNBOUNDED: "l. 606: A is unbounded, so that it has states x_n of at least n tokens",
    **{SLOTS[f]: "l. 490: tokens that are processed by slot k; each slot ends one batch at most (l. 139), of b "
                 "tokens at most (2.5d), l. 137" for f in PHASES}}
FLUID_LIMIT = Model(LEMMA, sources=sourced(LEMMA.where, LEMMA_SOURCES), budget=120)
