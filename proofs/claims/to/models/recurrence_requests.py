"""Proposition 1 for two engines of which a request joins the one with the fewest requests, by Foster's theorem.

Sizes are bounded, so that an engine with few tokens has few requests, but the one with the fewest requests may have
more tokens, and the sum of the squares of ``recurrence_parallel`` may grow. The function here is the sum of s W +
exp(-s W) over the engines: its slope s (1 - exp(-s W)) is small where an engine is almost empty, and no more than s
anywhere, so that each engine with much work takes part in the fall alike, whichever the arrivals join.
"""

from __future__ import annotations

from collections.abc import Mapping

from qtheory.proofs.chains import FOSTER, Recurrence, each
from qtheory.proofs.claims.axioms import Step

from .recurrence import (
    BOUNDED,
    CAME,
    FEASIBLE,
    LEFT,
    MEANS,
    NEW_TOKENS,
    NUMBERS,
    ROW,
    arriving,
    recurrent,
    total,
)
from .recurrence_parallel import (
    AT,
    CHOICES,
    CLOSED,
    ENGINES,
    HELD,
    LOAD,
    MINE,
    PARALLEL_WORDS,
    PLACED,
    REQUESTS,
    engines,
    moved,
    of_engine,
)
from .recurrence_parallel import INSTANCE as ENGINES_AT
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
    "phi is the mean of exp(-s tokens)", let=DEFINED)
MEAN = f"(s*(La + Lb + {CAME}) + exp(-s*La)*(1 - va + va*phi) + exp(-s*Lb)*(1 - vb + vb*phi))"
FALL = f"(s*({CAME} + ca + cb) + ya*(1 - va + va*phi) + yb*(1 - vb + vb*phi) - xa - xb)"
NOISE = f"s**2*(2*b**2 + b*{CAME} + Q)"


def shortly(x: str) -> Mapping[str, Step]:
    """What is known of engine x, in the short names: its work w, its requests n, x = exp(-s w), and its change c."""
    defined = tuple(s for s in SHORT if s.startswith(tuple(f"{n}{x} ==" for n in "wnxyc")))
    mine, X, E = MINE[x], f"exp(-s*W{x})", f"exp(-s*L{x})"
    kept = {k: step for k, step in of_engine(x).items()
            if not k.startswith(("squared", "served", "change", "crossed"))}
    return {
        **kept,
        f"moves {x}": Step(f"And(c{x} <= b, c{x} >= -b)", (f"moves of {x}", *defined)),
        f"works {x}": Step(f"Or(c{x} == -{RATE}, And(w{x} <= (1 + longest)*b, c{x} <= b))", (f"low {x}", *defined)),
        f"work {x}": Step(f"w{x} >= 0", (f"sign of W{x}", *defined)),
        f"exponentials {x}": Step(
            f"And({E} > 0, {X} > 0, {X} <= 1, {X} >= 1 - s*W{x}, {X}*(1 + s*W{x}) <= 1)",
            (f"sign of W{x}", "s > 0", "t_b >= 1", "q in naturals"), hint={"lemmas": (
                ("exp(v) > 0", {"v": f"-s*L{x}"}),
                ("Implies(And(w >= 0, s > 0), And(exp(-s*w) > 0, exp(-s*w) <= 1, exp(-s*w) >= 1 - s*w, "
                 "exp(-s*w)*(1 + s*w) <= 1))", {"w": f"W{x}", "s": "s"}))}),
        f"after {x}": Step(f"{X} == {E}*exp(s*L{x} - s*W{x})", ("t_b >= 1", "q in naturals"), hint={"lemmas": (
            ("exp(v) == exp(y)*exp(v - y)", {"v": f"-s*W{x}", "y": f"-s*L{x}"}),)}),
        f"convex {x}": Step(f"{X} >= {E}*(1 + s*L{x} - s*W{x})", (f"after {x}", f"exponentials {x}"), hint={"lemmas": (
            ("Implies(And(x == y*exp(k), y > 0), x >= y*(1 + k))", {"x": X, "y": E, "k": f"s*L{x} - s*W{x}"}),)}),
        f"slope {x}": Step(f"And(x{x} > 0, y{x} > 0, x{x} <= 1, x{x} >= 1 - s*w{x}, x{x}*(1 + s*w{x}) <= 1)",
                           (f"exponentials {x}", *defined), hint={"lemmas": (
            ("Implies(And(x == k, w == v, k > 0, k <= 1, k >= 1 - s*v, k*(1 + s*v) <= 1), And(x > 0, x <= 1, x >= 1 - "
             "s*w, x*(1 + s*w) <= 1))", {"x": f"x{x}", "k": X, "w": f"w{x}", "v": f"W{x}", "s": "s"}),)}),
        f"tangent {x}": Step(f"x{x} >= y{x}*(1 + s*c{x})", (f"convex {x}", f"step at {x}", *defined), hint={"lemmas": (
            ("Implies(And(x == k, y == f, v == m, l == w + m, k >= f*(1 + s*l - s*w)), x >= y*(1 + s*v))",
             {"x": f"x{x}", "k": X, "y": f"y{x}", "f": E, "v": f"c{x}", "m": f"D{x}", "l": f"L{x}", "w": f"W{x}",
              "s": "s"}),)}),
        f"counted {x}": Step(each(f"{mine} <= {mine}*(p(i) + d(i))"), (*REQUESTS, PLACED), pointwise=True),
        f"sized {x}": Step(each(f"{mine}*(p(i) + d(i)) <= longest*{mine}"), (PLACED, SIZES), pointwise=True),
        f"requests of {x}": Step(f"N{x} <= T{x}", (f"counted {x}", "q in naturals")),
        f"sizes of {x}": Step(f"T{x} <= {total(f'longest*{mine}')}", (f"sized {x}", "q in naturals")),
        f"sizes in all of {x}": Step(f"{total(f'longest*{mine}')} == longest*N{x}", ("q in naturals",)),
        f"requests {x}": Step(f"n{x} <= w{x}", (f"requests of {x}", f"tokens of {x}", *defined)),
        f"sizes {x}": Step(f"w{x} <= longest*n{x} + b",
                           (f"sizes of {x}", f"sizes in all of {x}", f"tokens of {x}", *defined))}


def falls(x: str) -> Mapping[str, Step]:
    """How engine x's term of the function changes, and what is far from empty there."""
    w, v, X, E = (f"{n}{x}" for n in "wcxy")
    shrunk = f"1 - s*{v} + 2*(s*b)**2"
    grown = f"s*{v} + {E}*(1 - v{x} + v{x}*phi) - {X}"
    return {
        f"slow {x}": Step(f"And(s*{v} <= s*b, s*{v} >= -(s*b))", (f"moves {x}", "s > 0"), hint={"lemmas": (
            ("Implies(And(v <= b, v >= -b, s > 0), And(s*v <= s*b, s*v >= -(s*b)))", {"v": v, "b": "b", "s": "s"}),)}),
        f"shrunk {x}": Step(f"{E} <= {X}*({shrunk})",
                            (f"tangent {x}", f"slope {x}", f"slow {x}", "step size"), hint={"lemmas": (
            ("Implies(And(x >= y*(1 + k), x > 0, y > 0, k >= -m, k <= m, m <= 1/2), y <= x*(1 - k + 2*m**2))",
             {"x": X, "y": E, "k": f"s*{v}", "m": "s*b"}),)}),
        f"mixed {x}": Step(
            f"({shrunk})*phi <= 1 - s*{v} - s*{CAME} + {NOISE}",
            (f"slow {x}", "step size", *TRANSFORM[1:], "arrivals"), hint={"lemmas": (
                ("Implies(And(k <= m, k >= -m, m > 0, m <= 1/2, c >= 0, n >= 0, f <= 1 - c + n/2), "
                 "(1 - k + 2*m**2)*f <= 1 - k - c + 2*m**2 + m*c + n)",
                 {"k": f"s*{v}", "m": "s*b", "c": f"s*{CAME}", "n": "s**2*Q", "f": "phi"}),)}),
        f"joined {x}": Step(
            f"{grown} <= s*(1 - {X})*{v} - v{x}*(s*{X}*{CAME}) + {NOISE}",
            (f"shrunk {x}", f"mixed {x}", f"slope {x}", CHANCES, TRANSFORM[2], "noise"), hint={"lemmas": (
                ("Implies(And(y <= x*r, x > 0, r <= k, n <= 1), y*(1 - n) <= x*k*(1 - n))",
                 {"x": X, "y": E, "r": shrunk, "n": f"v{x}", "k": f"1 - s*{v} + {NOISE}"}),
                ("Implies(And(y <= x*r, x > 0, f >= 0, n >= 0, r*f <= k), y*(n*f) <= x*k*n)",
                 {"x": X, "y": E, "r": shrunk, "n": f"v{x}", "f": "phi", "k": f"1 - s*{v} - s*{CAME} + {NOISE}"}),
                ("Implies(And(x <= 1, m >= 0), x*m <= m)", {"x": X, "m": NOISE}))}),
        f"served {x}": Step(
            f"s*(1 - {X})*{v} <= -(s*{RATE}*(1 - {X})) + 2*s**2*(1 + longest)*b*b",
            (f"works {x}", f"slope {x}", f"work {x}", "rate", "s > 0", "b >= 1", "longest in naturals"),
            hint={"lemmas": (
                ("Implies(And(x <= 1, x >= 1 - s*w, w >= 0, s > 0, b >= 1, f >= 0, f <= b, l >= 0, Or(v == -f, And(w "
                 "<= (1 + l)*b, v <= b))), (1 - x)*v <= -f*(1 - x) + 2*s*(1 + l)*b*b)",
                 {"x": X, "s": "s", "w": w, "v": v, "f": RATE, "b": "b", "l": "longest"}),
                ("Implies(And(s > 0, m <= n), s*m <= s*n)",
                 {"s": "s", "m": f"(1 - {X})*{v}", "n": f"-{RATE}*(1 - {X}) + 2*s*(1 + longest)*b*b"}))}),
        f"far {x}": Step(f"Or({w} < F, s*({RATE}*{X}) <= (s*g)/4)", (f"slope {x}", "margin", "s > 0", FAR, "t_b >= 1"),
                         split=(f"{w} - F",))}


def ends(x: str) -> Mapping[str, Step]:
    """Where all arrivals join engine x: the other one has no fewer requests, and is far, or both are near."""
    o = OTHER[x]
    bound = f"s*{CAME}*(1 - x{x}) - s*{RATE}*(2 - xa - xb) + 2*s**2*Y"
    return {
        f"pulled {x}": Step(
            f"{bound} <= s*({RATE}*x{o}) - 3*(s*g)/4", (f"slope {x}", "margin", "quiet", "s > 0", "t_b >= 1"),
            hint={"lemmas": (
                ("Implies(And(x > 0, x <= 1, g <= m, g <= 2*m - c, s > 0, n <= s*g/4), "
                 "s*c*(1 - x) - s*m*(2 - y - x) + n <= s*(m*y) - 3*(s*g)/4)",
                 {"x": f"x{x}", "y": f"x{o}", "g": "g", "m": RATE, "c": CAME, "s": "s", "n": "2*s**2*Y"}),)}),
        f"weighed {x}": Step(
            f"v{x}*({bound}) <= v{x}*(s*({RATE}*x{o}) - 3*(s*g)/4)", (f"pulled {x}", CHANCES, "t_b >= 1"),
            hint={"lemmas": (("Implies(And(v >= 0, k <= n), v*k <= v*n)",
                              {"v": f"v{x}", "k": bound, "n": f"s*({RATE}*x{o}) - 3*(s*g)/4"}),)}),
        f"near {x}": Step(f"Or(n{x} > n{o}, w{o} >= F, wa + wb < {LEVEL})",
                          (f"sizes {x}", f"requests {o}", "longest in naturals"),
                          split=(f"n{x} - n{o}", f"w{o} - F")),
        f"least {x}": Step(f"Or(n{x} <= n{o}, v{x} == 0)", (*FEWEST, *SHORT[1::5])),
        f"either {x}": Step(f"Or(v{x} == 0, wa + wb < {LEVEL}, s*({RATE}*x{o}) <= (s*g)/4)",
                            (f"least {x}", f"near {x}", f"far {o}", "t_b >= 1")),
        f"outside {x}": Step(f"Or(wa + wb < {LEVEL}, v{x}*(s*({RATE}*x{o})) <= v{x}*((s*g)/4))",
                             (f"either {x}", CHANCES, "t_b >= 1"))}


STARTS = tuple(f"{what} {x}" for what in ("slope", "work") for x in ENGINES)
def came(x: str, n: str) -> Mapping[str, Step]:
    """The mean of the function where what arrives joins engine x, outcome n."""
    def if_so(goal: str) -> str:
        return arriving(goal, *ROW, TOKENS).replace("And(", f"And(v{x} > 0, ", 1)

    o, size = OTHER[x], f"T{x}_came{n}"
    return {
        f"joins {x}": Step(if_so(f"{size} == {NEW_TOKENS}"), (), guarded=True),
        f"joins not {x}": Step(if_so(f"T{o}_came{n} == 0"), (), guarded=True),
        f"grows {x}": Step(if_so(f"exp(-s*(L{x} + {NEW_TOKENS})) == exp(-s*L{x})*{TRANSFORMED}"),
                           ("q in naturals", "t_b >= 1"), {"lemmas": (
            ("exp(v + y) == exp(v)*exp(y)", {"v": f"-s*L{x}", "y": f"-s*{NEW_TOKENS}"}),)}, guarded=True),
        f"grown {x}": Step(if_so(f"exp(-s*(L{x} + {size})) == exp(-s*(L{x} + {NEW_TOKENS}))"),
                           (f"joins {x}", "q in naturals", "t_b >= 1"), {"lemmas": (
            ("Implies(y == n, s*y == s*n)", {"y": size, "n": NEW_TOKENS, "s": "s"}),
            ("Implies(y == n, exp(y) == exp(n))", {"y": f"-s*(L{x} + {size})", "n": f"-s*(L{x} + {NEW_TOKENS})"}))},
                            guarded=True),
        f"grown not {x}": Step(if_so(f"exp(-s*(L{o} + T{o}_came{n})) == exp(-s*L{o})"),
                               (f"joins not {x}", "q in naturals", "t_b >= 1"), {"lemmas": (
            ("Implies(y == 0, s*y == 0)", {"y": f"T{o}_came{n}", "s": "s"}),
            ("Implies(y == n, exp(y) == exp(n))", {"y": f"-s*(L{o} + T{o}_came{n})", "n": f"-s*L{o}"}))},
                               guarded=True),
        f"{FOSTER}: mean{n}": Step(given=(
            f"joins {x}", f"joins not {x}", f"grows {x}", f"grown {x}", f"grown not {x}", "q in naturals",
            "t_b >= 1"), guarded=True),
        f"{FOSTER}: next{n}": CLOSED[f"{FOSTER}: next"], f"{FOSTER}: rows came{n}": CLOSED[f"{FOSTER}: rows came"],
        f"{FOSTER}: rows left{n}": Step(given=(*REQUESTS, PLACED, SIZES, FEASIBLE), pointwise=True)}


STEPS: Mapping[str, Step] = {
    **{k: x for k, x in CLOSED.items() if not k.startswith(FOSTER)},
    f"{FOSTER}: blank row": CLOSED[f"{FOSTER}: blank row"], f"{FOSTER}: chances": Step(given=(CHANCES,)),
    "left": Step(each("p1(i) + d1(i) == p(i) + d(i) - (dp(i) + dd(i))"), (*REQUESTS, FEASIBLE, LEFT), pointwise=True),
    "rate": Step("And(b/t_b <= b, b/t_b > 0)", ("b >= 1", "t_b >= 1")),
    BOUNDED: Step(BOUNDED, (SIZES, *REQUESTS), pointwise=True),
    "came": Step(f"{CAME} >= 0", MEANS),
    "room": Step(f"2*b/t_b - {CAME} > 0", (LOAD, "K == 2", "t_b >= 1")),
    "margin": Step(f"And(g > 0, g <= b/t_b, g <= 2*b/t_b - {CAME})", (MARGIN, "room", "rate"), hint={"lemmas": (
        ("Implies(And(g == Min(m, n), m > 0, n > 0), And(g > 0, g <= m, g <= n))",
         {"g": "g", "m": "b/t_b", "n": f"2*b/t_b - {CAME}"}),)}),
    "Y": Step("Y >= 2*b**2", ("came", "Q >= 0", "b >= 1", "longest in naturals")),
    "s > 0": Step("s > 0", (WEIGHT, "margin", "Y", "b >= 1"), hint={"lemmas": (
        ("Implies(And(8*s*(1 + y) == g, g > 0, y >= 2*b**2), s > 0)", {"s": "s", "y": "Y", "g": "g", "b": "b"}),)}),
    "step size": Step("And(s*b <= 1/2, s*b > 0)", (WEIGHT, "margin", "Y", "b >= 1", "rate", "s > 0"), hint={"lemmas": (
        ("Implies(And(8*s*(1 + y) == g, g <= b, s > 0, b >= 1, y >= 2*b**2), And(s*b <= 1/2, s*b > 0))",
         {"s": "s", "y": "Y", "g": "g", "b": "b"}),)}),
    "arrivals": Step(f"And(s*{CAME} >= 0, s**2*Q >= 0)", ("came", "Q >= 0", "s > 0"), hint={"lemmas": (
        ("Implies(And(s > 0, c >= 0), s*c >= 0)", {"s": "s", "c": CAME}),
        ("Implies(Q >= 0, s**2*Q >= 0)", {"s": "s", "Q": "Q"}))}),
    "noise": Step(f"And({NOISE} >= 0, 2*(s*b)**2 <= {NOISE})", ("came", "Q >= 0", "b >= 1"), hint={"lemmas": (
        ("Implies(And(b >= 1, c >= 0, Q >= 0), And(s**2*(2*b**2 + b*c + Q) >= 0, 2*(s*b)**2 <= s**2*(2*b**2 + b*c + "
         "Q)))", {"s": "s", "b": "b", "c": CAME, "Q": "Q"}),)}),
    "quiet": Step("2*s**2*Y <= s*g/4", (WEIGHT, "s > 0", "Y"), hint={"lemmas": (
        ("Implies(And(8*s*(1 + y) == g, s > 0), 2*s**2*y <= s*g/4)", {"s": "s", "y": "Y", "g": "g"}),)}),
    **shortly("a"), **shortly("b"), **falls("a"), **falls("b"), **ends("a"), **ends("b"),
    "together": Step(f"{FALL} <= s*{CAME} - va*(s*xa*{CAME}) - vb*(s*xb*{CAME}) - s*{RATE}*(2 - xa - xb) + 2*s**2*Y",
                     ("joined a", "joined b", "served a", "served b", "t_b >= 1")),
    "in all": Step(f"{FALL} <= va*(s*({RATE}*xb)) + vb*(s*({RATE}*xa)) - 3*(s*g)/4",
                   ("together", "weighed a", "weighed b", CHANCES, "t_b >= 1"), hint={"lemmas": (
                       ("Implies(v + w == 1, v*m + w*m == m)",
                        {"v": "va", "w": "vb", "m": f"s*{CAME} - s*{RATE}*(2 - xa - xb) + 2*s**2*Y + 3*(s*g)/4"}),)}),
    "outside": Step(f"Or(wa + wb < {LEVEL}, {FALL} <= -(s*g/2))",
                    ("outside a", "outside b", "in all", CHANCES, "t_b >= 1"), hint={"lemmas": (
                        ("Implies(v + w == 1, v*m + w*m == m)", {"v": "va", "w": "vb", "m": "(s*g)/4"}),)}),
    "mean": Step(f"mean == {MEAN}", (CHANCES, "q in naturals", "t_b >= 1"), hint={"lemmas": (
        ("Implies(v + w == 1, v*m + w*m == m)", {"v": "va", "w": "vb", "m": f"s*(La + Lb) + s*{CAME}"}),
        *(("Implies(v + w == 1, w*m == m - v*m)", {"v": f"v{x}", "w": f"v{OTHER[x]}", "m": f"exp(-s*L{x})"})
          for x in ENGINES))}),
    "change": Step(f"change == {FALL}", ("mean", "step at a", "step at b", "q in naturals", "t_b >= 1", *SHORT)),
    f"{FOSTER}: drift": Step(given=("outside", "change", *SHORT)),
    "value": Step("value == s*(wa + wb) + xa + xb", SHORT),
    f"{FOSTER}: bounded below": Step(given=("value", *STARTS, "s > 0"), hint={"lemmas": (
        ("Implies(And(s > 0, w >= 0, n >= 0), s*(w + n) >= 0)", {"s": "s", "w": "wa", "n": "wb"}),)}),
    f"{FOSTER}: positive rate": Step(given=("s > 0", "margin"), hint={"lemmas": (
        ("Implies(And(s > 0, g > 0), s*g > 0)", {"s": "s", "g": "g"}),)}),
    **{k: HELD[k] for k in ("numbers", "a token each", "apart", "scaled", "requests",
                            "numbers in all", "size")},
    f"{FOSTER}: finite set": Step(given=("size", "kinds in naturals"), hint={"lemmas": (
        ("Implies(And(k >= 0, n <= t + (3 + k)*w, w < c), n <= t + (3 + k)*c)",
         {"n": "size", "t": "2*t_b", "w": "Wa + Wb", "c": LEVEL, "k": "kinds"}),)}),
    **came("a", "1"), **came("b", "2"),
}

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
# One request (1, 1) with probability 1/2; two decode their last token in a full batch, the other engine is idle
INSTANCE = (
    *(x for x in ENGINES_AT if not x.startswith("Q =")), "Q = 2", "va = 0", "vb = 1", "g = 2", "s = 1/180", "F = 720",
    "phi = 1/2 + exp(-1/90)/2", "wa = 2", "wb = 0", "na = 2", "nb = 0", "xa = exp(-1/90)", "xb = 1", "ya = 1", "yb = 1",
    "ca = -2", "cb = 0")

ROUTED_TO_LEAST_REQUESTS = recurrent(THEOREM, STEPS, SOURCES, INSTANCE)
