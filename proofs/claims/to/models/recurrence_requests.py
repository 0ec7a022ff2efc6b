"""Proposition 1 for two engines of which a request joins the one with the fewest requests, by Foster's theorem.

Sizes are bounded, so that an engine with few tokens has few requests, but the one with the fewest requests may have
more tokens, and the sum of the squares of ``recurrence_parallel`` may grow. The function here is the sum of s W +
exp(-s W) over the engines: its slope s (1 - exp(-s W)) is small where an engine is almost empty, and no more than s
anywhere, so that each engine with much work takes part in the fall alike, whichever the arrivals join.
"""

from __future__ import annotations

from collections.abc import Mapping

from qtheory.proofs.chains import Recurrence, each

from .recurrence import (
    CAME,
    MEANS,
    NEW_TOKENS,
    NUMBERS,
    ROW,
    recurrent,
)
from .recurrence_parallel import (
    AT,
    CHOICES,
    ENGINES,
    LOAD,
    PARALLEL_WORDS,
    engines,
    moved,
)
from .recurrence_parallel import LET as OF_ENGINES
from .recurrence_parallel import SOURCES as OF_TWO

OTHER = {"a": "b", "b": "a"}
RATE = "(b/t_b)"
TOKENS = "p(i) + d(i) <= longest"
SIZES = each(TOKENS)
CHANCES = "And(va >= 0, vb >= 0, va + vb == 1)"
FEWEST = ("Or(Na <= Nb, va == 0)", "Or(Nb <= Na, vb == 0)")
MARGIN, WEIGHT, FAR = f"g == Min(b/t_b, 2*b/t_b - {CAME})", "8*s*(1 + Y) == g", f"F*s*g == 4*{RATE}"
TRANSFORM = (f"1 - s*{CAME} <= phi", f"phi <= 1 - s*{CAME} + s**2*Q/2", "phi >= 0")
SHORT = tuple(f"{short}{x} == {long}" for x in ENGINES for short, long in (
    ("w", f"W{x}"), ("n", f"N{x}"), ("x", f"exp(-s*W{x})"), ("y", f"exp(-s*L{x})"), ("c", f"D{x}")))
DEFINED = (*OF_ENGINES[:8], "Na = Sum(1 - e(i), (i, 1, q))", "Nb = Sum(e(i), (i, 1, q))",
           f"Y = 2*b**2 + b*{CAME} + Q + 2*(1 + longest)*b*b", "atA(i) = 0*i", "atB(i) = 1 + 0*i")
VALUE = "s*(Ta + ra*b/t_b + Tb + rb*b/t_b) + exp(-s*(Ta + ra*b/t_b)) + exp(-s*(Tb + rb*b/t_b))"
LEVEL = "(1 + longest)*F + b"
TRANSFORMED = f"exp(-s*{NEW_TOKENS})"
BY_ENGINE = {x: {"": f"s*(La + Lb) + exp(-s*L{OTHER[x]})", NEW_TOKENS: "s", TRANSFORMED: f"exp(-s*L{x})"}
             for x in ENGINES}
THEOREM = Recurrence(
    engines((*NUMBERS[1:], "longest in naturals", "longest >= 1", "K == 2", *MEANS, "Q >= 0", LOAD, MARGIN, WEIGHT, FAR,
             *TRANSFORM), (*CHOICES, CHANCES, *FEWEST, *SHORT), (*ROW, AT, TOKENS),
            {NEW_TOKENS: CAME, TRANSFORMED: "phi"},
            (moved(BY_ENGINE["a"], "atA", "va"), moved(BY_ENGINE["b"], "atB", "vb")), (*ROW, TOKENS)),
    ("lam", "m_p", "m_d", "b", "t_b", "kinds", "longest", "Q", "K", "g", "s", "F", "phi"), VALUE, f"Wa + Wb < {LEVEL}",
    "s*g/2", f"2*t_b + (3 + kinds)*({LEVEL})", PARALLEL_WORDS + "where given X(n) the requests of a slot join engine a "
    "with probability va, or else engine b, whatever they are; they bring lambda (m_p + m_d) tokens in the mean, and "
    "phi is the mean of exp(-s tokens)", let=DEFINED, assumed=True)
MEAN = f"(s*(La + Lb + {CAME}) + exp(-s*La)*(1 - va + va*phi) + exp(-s*Lb)*(1 - vb + vb*phi))"
FALL = f"(s*({CAME} + ca + cb) + ya*(1 - va + va*phi) + yb*(1 - vb + vb*phi) - xa - xb)"
NOISE = f"s**2*(2*b**2 + b*{CAME} + Q)"


STARTS = tuple(f"{what} {x}" for what in ("slope", "work") for x in ENGINES)


SOURCES: Mapping[str, str] = {
    **{w: source for w, source in OF_TWO.items() if w in THEOREM.where},
    SIZES: "added: sizes are bounded, as l. 204 has it",
    CHANCES: "Sec. 4.1, l. 250: each request joins one engine; va and vb are the probabilities, given X(n), that those "
             "of a slot join engine a, or b (where several arrive in a slot, added: all join the same)",
    FEWEST[0]: "Sec. 4.1, l. 250: to the engine that has the least number of requests, when the slot begins; whichever "
               "of them, where both have as many", FEWEST[1]: "the same",
    MARGIN: "a definition: how much more than what arrives two engines serve, and no more than one serves",
    WEIGHT: "a definition: a small weight s", FAR: "a definition",
    TRANSFORM[0]: "phi is the mean of exp(-s y), y the tokens of a slot's requests, whose mean is lambda (m_p + m_d): "
                  "exp(-s y) >= 1 - s y",
    TRANSFORM[1]: "the same, with Q the mean of y^2: exp(-s y) <= 1 - s y + s^2 y^2/2 for y >= 0",
    TRANSFORM[2]: "a mean of positive numbers", **dict.fromkeys(SHORT, "a definition")}
ROUTED_TO_LEAST_REQUESTS = recurrent(THEOREM, SOURCES)
