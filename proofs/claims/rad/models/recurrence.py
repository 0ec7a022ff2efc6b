"""Positive recurrence by Foster's theorem of what is pending at the starts of RAD's cycles, and of a scheduler with
smaller chunks where Theorem 1 says that there is none.

A state is x, the number of pending requests; the input m is their number at the next start, e the mean change.
"""

from __future__ import annotations

from collections.abc import Mapping

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State
from qtheory.proofs.claims.cases import Model


def counted(given: tuple[str, ...], change: str, parameters: tuple[str, ...], few: str, rate: str, most: str,
            words: str, sources: Mapping[str, str]) -> Model:
    """A chain of numbers whose mean change is as said; its function is the number itself."""
    theorem = Recurrence(
        Chain(given, State(("x",)), (Outcome({"x": "m"}, mean={"m": "1"}),), choices=(change,), inputs=("m",),
              input=("Natural(m)",), moments={"m": "x + e"}),
        parameters, "x", few, rate, most, words)
    return Model(theorem, sources={w: sources[w] for w in theorem.where}, budget=60)


SOURCES = {
    "x in naturals": "App. C.1, l. 624: X_r'[c], a number of requests", "r in naturals": "Sec. 3, l. 156: r nodes",
    "r >= 1": "Sec. 3, l. 156: r nodes", "n in naturals": "Alg. 1, l. 261: the most prefills a cycle",
    "n >= 1": "Alg. 1, l. 261", "u_col in naturals": "Assumption 1, l. 140: t^*_col",
    "u_col >= 1": "Assumption 1, l. 140: t^*_col", "lam > 0": "Th. 1, l. 257: a rate",
    "Tbar > 0": "Th. 1, l. 287: a mean time", "Tmax > 0": "Th. 2, l. 309: a time", "eps > 0": "Th. 2, l. 311"}

# ---- Lemma 3 ----

LOAD, SIZE = "lam*Tbar <= r*(1 - eps)", "n > (u_col - 1)*Tmax/(eps*Tbar)"
COMPLETED = ("1 <= k", "k <= n", "0 <= q", "q <= 1", "n*q <= k")
CHANGE = ("Or(And(x >= n, e <= k*(lam/r*Tbar - 1) + q*(lam/r)*((u_col - 1)*Tmax)), "
          "And(x <= n - 1, e <= 1 + lam/r*(n*Tmax)))")
CYCLES = counted(
    ("r in naturals", "r >= 1", "n in naturals", "n >= 1", "u_col in naturals", "u_col >= 1", "lam > 0", "Tbar > 0",
     "Tmax > 0", "eps > 0", *COMPLETED, LOAD, SIZE),
    CHANGE, ("lam", "r", "n", "u_col", "Tbar", "Tmax", "eps", "k", "q"), "x <= n - 1", "eps**2", "n",
    "the DTMC of Lemma 2, l. 628; irreducible on its states, as with positive chance nothing arrives in a cycle, and "
    "any number does; from x >= n requests on, a cycle completes k of the first n of them in the mean, all n with "
    "chance q, and takes k T^R + q (t^*_col - 1) T^max at most in the mean (l. 745, and rad.lem-3.step-1); else "
    "r/lambda + n T^max (l. 791)",
    {**SOURCES, LOAD: "Th. 2, l. 311", SIZE: "Th. 2, l. 311",
     **dict.fromkeys(COMPLETED, "the mean number of requests that a cycle completes, and the chance that these are n: "
                                "l. 272, where D may be empty before"),
     CHANGE: "l. 777, with the mean times above, and lambda/r as in l. 773; l. 781 for x < n"})

# ---- smaller chunks ----

SMALLER = ("lam*Tbar > 1", "S < u_col*Tbar", "lam*S < u_col")
TAKEN = "Or(And(x >= u_col, e <= lam*S - u_col), And(x <= u_col - 1, e <= lam*S - x))"
SMALLER_CHUNKS = counted(
    ("u_col in naturals", "u_col >= 1", "lam > 0", "Tbar > 0", "S > 0", *SMALLER), TAKEN,
    ("lam", "u_col", "Tbar", "S"), "x <= u_col - 1", "u_col - lam*S", "u_col",
    "on one node, requests of one size arrive as a Poisson process of rate lambda; the scheduler waits until t^*_col "
    "of them are pending, serves these in the time S, with chunks of t^*_col tokens, and looks again: x is the number "
    "that is pending then",
    {**SOURCES, "S > 0": "rad.prop-1's run: the time for t^*_col requests", "lam*Tbar > 1": "Th. 1, l. 289, with r = 1",
     "S < u_col*Tbar": "rad.prop-1's run: less than the sum of their T_*^R",
     "lam*S < u_col": "the rate is chosen so, which can be, as S < t^*_col T^R",
     TAKEN: "lambda S arrive in the mean while t^*_col are served; where fewer are pending the scheduler waits first"})
