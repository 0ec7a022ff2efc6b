"""A proof that of N >= 2 slots half, rounded up, are the best number of idle ones, at costs whose theta0 is 1/2.

It is what the false variants of Proposition 3.1 need: a number of idle slots, as a term in N, that is optimal for every
N.  Between k and m idle slots on one side of N/2 the throughput is compared by its slope; the two nearest to N/2 for an
odd N by a bound of the logarithm.  The cases are put together for a free m, for which the term stands at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from proof_steps import steps

from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node, free
from qtheory.proofs.proving.lines import Proof
from qtheory.proofs.tactics.builder import Step, apply, conjunction, cut_all, hyp, parts
from qtheory.proofs.tactics.conditions import whole_from_floor
from qtheory.proofs.tactics.guidance import guidance
from qtheory.proofs.tactics.prover import ORDINARY, prove_statement

Entry = tuple[Any, ...]


def psi(x: str) -> str:
    return f"({x})/(1 - ({x})) + log(1 - ({x}))"


def fixed(x: str) -> str:
    """The fixed time of a cycle at the threshold x."""
    return f"(alpha_p - alpha_d/p0*log(1 - {x}))"


QUOTIENT = "Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))"
BALANCE = f"alpha_d/p0*({psi('theta0')}) == alpha_p"
CHORD = "-x*log(1 - y) + y*log(1 - x)"
POSITIVE = "Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)"
TOKENS = "beta_p*mu_L + beta_d/p0"
NATURAL = "floor(N1) == N1, N1 >= 2"
MU_O = "mu_O = 1/p0"
BETA_EB = "beta_EB = (beta_p*mu_L + beta_d*mu_O)/(mu_L + mu_O)"
TP_PRINTED = "TP(k1, N1) = 1/((alpha_p - alpha_d*mu_O*log(1 - k1/N1))/k1 + beta_EB*(mu_L + mu_O))"
ARGMAX = ("ForAll(N1, And(floor(N1) == N1, N1 >= 2), And(1 <= kstar(N1), kstar(N1) < N1, "
          "floor(kstar(N1)) == kstar(N1), ForAll(k1, And(floor(k1) == k1, 1 <= k1, k1 < N1), "
          "TP(k1, N1) <= TP(kstar(N1), N1))))")
COSTS = ("0 < p0 <= 1", "alpha_p > 0", "alpha_d > 0", "beta_d >= 0", "beta_p >= 0", "mu_L > 0")
ROUNDED_UP = "kstar(y) = -floor(-y/2)"
WHERE, LET = (*COSTS, BALANCE.replace("theta0", "(1/2)")), (MU_O, BETA_EB, TP_PRINTED, ROUNDED_UP)
SECONDS = 30.0  # of work, for each part

AT_HALF = {"q": "alpha_d/p0", "g": psi("1/2"), "A": "alpha_p", "x": "x", "y": "y", "u": "-log(1 - y)",
           "v": "log(1 - x)"}
UPPER, LOWER = "And(1/2 <= x, x <= y, y < 1)", "And(0 < x, x <= y, y <= 1/2)"


def positive(where: str, *places: str) -> Entry:
    return tuple((POSITIVE, {"x": x, "a": "alpha_d", "p": "p0", "A": "alpha_p"}, where) for x in places)


def slope(where: str, first: tuple[str, str], second: tuple[str, str], side: str, flat: str, psi_side: str) -> Entry:
    """How the fixed time per request at x < y compares on one side of 1/2; two quotients bound the logarithms."""
    u = {UPPER: "x", LOWER: "y"}[where]  # the one that is nearer to 1/2 in the bound
    premise = {UPPER: "g <= P", LOWER: "P <= g"}[where]
    return (f"Implies({where}, y*{fixed('x')} {side} x*{fixed('y')})", (
        f"Implies({where}, And(1 - x > 0, 1 - y > 0))", BALANCE.replace("theta0", "(1/2)"),
        *((QUOTIENT, {"a": a, "b": b}, where) for a, b in (first, second)),
        f"Implies({where}, {psi(u)} {psi_side} {psi('1/2')})",
        f"Implies({where}, {CHORD} {flat} (y - x)*({psi(u)}))",
        (f"Implies(And(q > 0, q*g == A, x <= y, {premise}, x*u + y*v {flat} (y - x)*P), "
         f"y*(A - q*v) {side} x*(A + q*u))", {**AT_HALF, "P": psi(u)}, where)))


RISES = slope(UPPER, ("1 - y", "1 - x"), ("1/2", "1 - x"), "<=", ">=", ">=")
FALLS = slope(LOWER, ("1 - x", "1 - y"), ("1 - y", "1/2"), ">=", "<=", "<=")


def lowered(j: str, k1: str, where: str) -> Entry:
    """TP(j, N) <= TP(k, N) from the fixed times."""
    x, y = f"({j})/N1", f"({k1})/N1"
    at = {"j": j, "k1": k1, "U": fixed(x), "V": fixed(y), "b": TOKENS, "p": f"TP({j}, N1)", "q": f"TP({k1}, N1)"}
    return (*positive(where, x, y), f"{TOKENS} >= 0",
            f"Implies({where}, TP({j}, N1) == 1/({at['U']}/({j}) + {TOKENS}))",
            f"Implies({where}, TP({k1}, N1) == 1/({at['V']}/({k1}) + {TOKENS}))",
            ("Implies(And(j > 0, k1 > 0, U > 0, V > 0, b >= 0, k1*U >= j*V, p == 1/(U/j + b), q == 1/(V/k1 + b)), "
             "p <= q)",
             at, where))


def no_better(by: Entry, j: str, k1: str, where: str, place: Callable[[str, str], str]) -> Entry:
    """TP(j, N) <= TP(k, N) by a slope, where ``where`` gives the ``place`` of the two shares of N."""
    low, high, side = (j, k1, ">=") if by is FALLS else (k1, j, "<=")
    x, y = f"({low})/N1", f"({high})/N1"
    at = {"n": "N1", "j": low, "k1": high, "x": x, "y": y, "U": fixed(x), "V": fixed(y)}
    return (f"Implies({where}, TP({j}, N1) <= TP({k1}, N1))", {}, "", (
        f"Implies({where}, {place(x, y)})", (by[0], {"x": x, "y": y}, where, by[1]),
        (f"Implies(And(n > 0, y*U {side} x*V, x == j/n, y == k1/n), k1*U {side} j*V)", at, where),
        *lowered(j, k1, where)))


def before(m: str) -> Callable[[str, str], str]:
    return lambda x, y: f"And({m} < N1, 0 < {x}, {x} < 1, {x} <= {y}, {y} <= 1/2)"


ABOVE = no_better(RISES, "k1", "m", "And(N1 >= 2, N1 <= 2*m, k1 >= m, k1 < N1)",
                  lambda x, y: f"And(1/2 <= {x}, {x} <= {y}, {y} < 1)")
BELOW = no_better(FALLS, "k1", "m", "And(N1 >= 2, 1 <= k1, k1 <= m - 1, 2*m <= N1)", before("m"))

ODD, X, Y = "And(m >= 2, N1 == 2*m - 1)", "(m - 1)/N1", "m/N1"
V1, V2 = f"(1 - {X})/(1/2)", f"(1/2)/(1 - {Y})"
LOG_BELOW = "Implies(v > 1, log(v) <= (v - 1)*(5 + v)/(2 + 4*v))"


def bound(v: str) -> str:
    return f"({v} - 1)*(5 + {v})/(2 + 4*({v}))"


NEAREST: Entry = (f"Implies({ODD}, TP(m - 1, N1) <= TP(m, N1))", {}, "", (
    f"Implies({ODD}, And({X} > 0, {X} < 1, {Y} > 0, {Y} < 1, {V1} > 1, {V2} > 1))",
    (QUOTIENT, {"a": f"1 - {X}", "b": "1/2"}, ODD), (QUOTIENT, {"a": "1/2", "b": f"1 - {Y}"}, ODD),
    (LOG_BELOW, {"v": V1}, ODD), (LOG_BELOW, {"v": V2}, ODD),
    f"Implies({ODD}, (m - 1)*{bound(V2)} + m*{bound(V1)} <= 1)",
    ("Implies(And(A == a*(1 + h), p == z - h, q == h - v, s > 0, p <= P, q <= Q, s*Q + (s + 1)*P <= 1, a > 0), "
     "s*(A - a*v) <= (s + 1)*(A - a*z))",
     {"A": "alpha_p", "a": "alpha_d/p0", "h": "log(1/2)", "z": f"log(1 - {X})", "v": f"log(1 - {Y})",
      "p": f"log({V1})", "q": f"log({V2})", "P": bound(V1), "Q": bound(V2), "s": "m - 1"}, ODD),
    *lowered("m - 1", "m", ODD)))
BELOW_ODD = "And(N1 >= 2, 1 <= k1, k1 <= m - 1, 2*m <= N1 + 1, 2*m >= N1 + 1)"
BELOW_IF_ODD: Entry = (f"Implies({BELOW_ODD}, TP(k1, N1) <= TP(m, N1))", {}, "", (
    no_better(FALLS, "k1", "(m - 1)", "And(N1 >= 2, 1 <= k1, k1 <= m - 1, 2*m <= N1 + 1)", before("m - 1")),
    (f"Implies({BELOW_ODD}, TP(m - 1, N1) <= TP(m, N1))", {}, "", (NEAREST,)),
    ("Implies(And(a <= b, b <= c), a <= c)", {"a": "TP(k1, N1)", "b": "TP(m - 1, N1)", "c": "TP(m, N1)"}, BELOW_ODD)))
OF_HALF = ("2*kstar(N1) >= N1", "2*kstar(N1) <= N1 + 1", "floor(kstar(N1)) == kstar(N1)", "kstar(N1) >= 1",
           "kstar(N1) < N1")


def formula(text: str) -> Node:
    return Statement("0 == 0", (text,), LET).hypotheses[0]


ALPHA_P = formula(f"{psi('1/2')} >= 0")[1]  # at alpha_d = p0 = 1


def case(entry: Entry) -> Step:
    """TP(k, N) <= TP(m, N) from the premises of a lemma, each a hypothesis."""
    goal, _, _, lemmas = entry
    statement = Statement(goal, WHERE, LET)
    step = prove_statement(statement, SECONDS, guidance(statement, Proof(steps(lemmas))))
    premise = step.concl[1]
    return apply("imp_elim", step, conjunction(premise, [hyp(p) for p in premise[1:]]))


def compared() -> Step:
    """TP(k, N) <= TP(m, N) for k on either side of m, and 2 m = N or 2 m = N + 1."""
    above, below, odd = (case(e) for e in (ABOVE, BELOW, BELOW_IF_ODD))
    goal = above.concl
    even_or_odd, sides = (hyp(formula(f)) for f in ("Or(2*m <= N1, 2*m >= N1 + 1)", "Or(k1 >= m, k1 <= m - 1)"))
    return apply("or_elim", sides, (above, apply("or_elim", even_or_odd, (below, odd), goal)), goal)


@cache
def half_is_best() -> Step:
    """What the claims assume of kstar, of the model; the hypotheses left are the conditions of ``WHERE``."""
    _, n, (_, natural, best) = formula(ARGMAX)
    _, k1, (_, place, last) = best[-1]
    of_n, of_k = parts(hyp(natural)), parts(hyp(place))
    known = [cut_all(of_n, prove_statement(Statement(text, tuple(NATURAL.split(", ")), LET), SECONDS))
             for text in OF_HALF]
    step = apply("instance", compared(), "m", formula("kstar(N1) >= 0")[1], ())
    facts = [*of_n, *of_k, *known]
    step = with_proofs(step, [*facts, *whole_from_floor(facts)])
    assert step.concl == last
    every = apply("all_intro", k1, apply("imp_intro", place, cut_all(of_k, step)))
    firsts = [ORDINARY.search(SECONDS).solve(part, [*of_n, *known]) for part in best[1:-1]]
    both = cut_all(of_n, apply("and_intro", (*firsts, every)))
    return apply("all_intro", n, apply("imp_intro", natural, both))


def with_proofs(step: Step, facts: list[Step]) -> Step:
    """The step without those hypotheses that speak of N; they follow from the facts."""
    known: dict[Any, Step] = {f.concl: f for f in facts}
    for h in sorted((h for h in step.hyps if "N1" in free(h)), key=str):
        step = apply("cut", known[h] if h in known else ORDINARY.search(SECONDS).solve(h, facts), step)
    return step


__all__ = ["ALPHA_P", "ROUNDED_UP", "half_is_best"]
