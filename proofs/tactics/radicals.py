"""Roots, powers and logarithms taken apart: sqrt(8) = 2 sqrt(2), 8^(1/3) = 2, log(12) = 2 log(2) + log(3)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

from sympy import factorint, integer_nthroot

from qtheory.proofs.functions.log import prime_powers
from qtheory.proofs.functions.sqrt import equal_squares
from qtheory.proofs.kernel.arithmetic import Product
from qtheory.proofs.kernel.poly import Forms, Monomial
from qtheory.proofs.kernel.terms import MINUS, ONE, TWO, ZERO, KernelError, Node, integer, minus, neg_term
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, hyp, parts
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.signed import poly_term
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import swap

HALF, LARGEST, MOST = Fraction(1, 2), 10**9, 40


def by_radicals(search: Search, goal: Node, facts: Facts) -> Step:
    """t = 0, with simpler roots, powers and logarithms in place of each, and by the squares of roots."""
    known, t, equations = list(facts), goal[1], []
    for s in [s for s in occurring(t) if isinstance(s, tuple) and s[0] in ("sqrt", "^", "log")]:
        step = taken_apart(search, s, known)
        if step is not None:
            value = step.concl[1][2][2]  # of s - value
            t = swap(t, s, value)
            equations.append((s, value, step))
    roots = [s for s in occurring(t) if isinstance(s, tuple) and s[0] == "sqrt"]
    if not equations and not roots:
        raise Stuck("no roots, powers or logarithms")
    step = without_squares(search, ("=", t), roots, known)
    for s, value, equation in reversed(equations):
        back = apply("combine", ("=", minus(value, s)), (equation,), ((-ONE, ((0, 1),), ()),))
        later = [old for old, _, _ in equations[:equations.index((s, value, equation))]]
        template = goal[1]
        for old in later:
            template = swap(template, old, next(v for o, v, _ in equations if o == old))
        step = apply("rewrite", back, step, "z'", ("=", swap(template, s, "z'")), value, s)
    return step


def without_squares(search: Search, goal: Node, roots: Sequence[Node], facts: list[Step]) -> Step:
    """t = 0 by the equations s^2 = u of roots s = sqrt(u)."""
    squares = [parts(apply("sqrt_square", s[1], (*facts, *search.define(s, facts))))[1] for s in roots]
    forms = Forms()
    num, den = forms.quotient(goal[1])
    below = ("*", ONE, ONE, *(("^", poly_term(forms, dict(p)), Fraction(-e)) for p, e in den.items()))
    atoms = [next(iter(next(iter(forms.quotient(s)[0]))))[0] for s in roots]
    products = []
    for i, (s, atom) in enumerate(zip(roots, atoms, strict=True)):
        for _ in range(MOST):
            high = {m: c for m, c in num.items() if dict(m).get(atom, 0) >= 2}
            if not high:
                break
            share = poly_term(forms, {lowered(m, atom): c for m, c in high.items()})
            products.append((("*", share, below), ((i, 1),), ()))
            rest = minus(poly_term(forms, num), ("*", share, minus(("^", s, TWO), s[1])))
            num, more = forms.quotient(rest)
            if more:
                raise Stuck("a root of a quotient")
    if num:
        raise Stuck("not zero by the squares of the roots")
    needs = [n for p in products for n in search.define(p[0], [*facts, *squares])]
    return apply("combine", goal, (*squares, *facts, *search.define(goal[1], facts), *needs), tuple(products))


def taken_apart(search: Search, s: Node, facts: Facts) -> Step | None:
    """s - value = 0, with simpler roots, powers and logarithms in the value; None where there are none."""
    try:
        return root_apart(search, s, facts) if s[0] == "sqrt" else {"^": exact_power, "log": log_apart}[s[0]](s, facts)
    except (Stuck, KernelError):
        search.tick()
        return None


def root_apart(search: Search, s: Node, facts: Facts) -> Step:
    """sqrt(c f^2 g ..) = sqrt(c) f sqrt(g) .., for nonnegative factors."""
    forms = Forms()
    num, den = forms.quotient(s[1])
    if len(num) != 1 or any(len(p) != 1 for p in den):
        raise Stuck("a root of no product")
    (monomial, c), = num.items()
    factors = [(forms.names[a], e) for a, e in monomial] + [(poly_term(forms, dict(p)), -e) for p, e in den.items()]
    out, inside = square_part(c)
    value: list[Node] = [out]
    for f, e in [*((Fraction(p), 1) for p in inside), *factors]:
        value += [("^", f, Fraction(e // 2))] if e // 2 else []
        value += [("sqrt", f)] if e % 2 else []
    p: Node = ("*", *value) if len(value) > 1 else value[0]
    if len(value) == 2 and value[0] == ONE and value[1] == s:
        raise Stuck("a root of a prime")
    known = [*facts, *search.define(s, facts), *search.define(p, facts)]
    above, square = parts(apply("sqrt_square", s[1], tuple(known)))
    for f in value:
        if isinstance(f, tuple):
            known += parts(apply("sqrt_square", f[1], tuple(known))) if f[0] == "sqrt" else \
                [search.atom((">=", f), known, 2)]
    at_least = search.combined((">=", p), known, len(value))
    roots = [f for f in value if isinstance(f, tuple) and f[0] == "sqrt"]
    same = without_squares(search, ("=", minus(s[1], ("^", p, TWO))), roots, known)
    equal = apply("combine", ("=", minus(("^", s, TWO), ("^", p, TWO))), (square, same),
                  ((ONE, ((0, 1),), ()), (ONE, ((1, 1),), ())))
    return equal_squares(s, p, above, at_least, equal)


def lowered(m: Monomial, atom: int) -> Monomial:
    """The monomial divided by the atom's square."""
    return tuple((a, e - 2 if a == atom else e) for a, e in m if a != atom or e > 2)


def square_part(c: Fraction) -> tuple[Fraction, list[int]]:
    """(r, primes) with c = r^2 times the product of the primes, r > 0."""
    if c <= 0 or max(c.numerator, c.denominator) > LARGEST:
        raise Stuck("a root of such a number")
    outside, inside = Fraction(1, c.denominator), []
    for prime, e in factorint(c.numerator * c.denominator).items():
        outside *= Fraction(prime) ** (e // 2)
        inside += [prime] if e % 2 else []
    return outside, inside


def exact_power(s: Node, facts: Facts) -> Step:
    """a^(p/q) = r^p, for a number a = r^q."""
    _, a, b = s
    if not isinstance(a, Fraction) or not isinstance(b, Fraction) or integer(b) or a <= 0:
        raise Stuck("no rational power of a number")
    p, q = Fraction(b.numerator), Fraction(b.denominator)
    tops, exact = zip(*(integer_nthroot(n, b.denominator) for n in (a.numerator, a.denominator)), strict=True)
    if not all(exact):
        raise Stuck("no rational root")
    r = Fraction(int(tops[0]), int(tops[1]))
    value = r ** int(p)
    as_exp, of_base, of_value = apply("power_exp", a, b, ()), apply("log_power", r, q, ()), apply("log_power", r, p, ())
    exponent = ("*", b, ("log", a))
    same = apply("combine", ("=", minus(exponent, ("log", value))), (of_base, of_value),
                 ((b, ((0, 1),), ()), (-ONE, ((1, 1),), ())))
    start = apply("combine", ("=", minus(("exp", exponent), ("exp", exponent))), (same,), ())
    template = ("=", minus(("exp", exponent), ("exp", "z'")))
    moved = apply("rewrite", same, start, "z'", template, exponent, ("log", value))
    steps = (as_exp, moved, apply("exp_log", value, ()))
    return apply("combine", ("=", minus(s, value)), steps, one_each(steps))


def log_apart(s: Node, facts: Facts) -> Step:
    """log(n/d) by the logarithms of primes."""
    c = s[1]
    if not isinstance(c, Fraction) or c <= 0:
        raise Stuck("no logarithm of a number")
    powers = prime_powers(c)
    if len(powers) == 1 and powers[0][1] == 1:
        raise Stuck("the logarithm of a prime")
    value: Node = ("+", *(("*", Fraction(e), ("log", p)) for p, e in powers), ZERO)
    steps = [apply("log_power", p, Fraction(e), ()) for p, e in powers]
    rest = c
    for p, e in powers[:-1]:
        rest /= p ** e
        steps.append(apply("log_product", p ** e, rest, ()))
    return apply("combine", ("=", minus(s, value)), tuple(steps), one_each(steps))


def one_each(steps: Sequence[Step]) -> tuple[Product, ...]:
    """The sum of the facts."""
    return tuple((ONE, ((i, 1),), ()) for i in range(len(steps)))


def by_squared_root(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """a + b*r >= 0 for a square root r of u: from a >= 0 and a**2 >= b**2*u, or from b*r >= 0 and b**2*u >= a**2."""
    forms = Forms()
    num, den = forms.quotient(goal[1])
    roots = [i for i, n in enumerate(forms.names) if isinstance(n, tuple) and n[0] == "sqrt"
             and any(j == i for m in num for j, _ in m)]
    if den or len(roots) != 1 or depth < 2 or any(j == roots[0] and e > 1 for m in num for j, e in m):
        raise Stuck("not linear in one root")
    own, r = (roots[0], 1), forms.names[roots[0]]
    a = poly_term(forms, {m: c for m, c in num.items() if own not in m})
    b = poly_term(forms, {tuple(p for p in m if p != own): c for m, c in num.items() if own in m})
    known = [*facts, *search.define(goal[1], facts)]
    known += parts(apply("sqrt_square", r[1], tuple(known)))  # r >= 0 and r^2 = u
    gap = reduce_term(minus(("^", a, TWO), ("*", ("^", b, TWO), r[1])))
    for positive, difference, side in ((a, gap, MINUS), (("*", b, r), reduce_term(neg_term(gap)), ONE)):
        if search.seen_false((">=", positive), known) or search.seen_false((goal[0], difference), known):
            continue
        with suppress(Stuck, KernelError):
            above = search.atom((">=", positive), known, depth - 1)
            step = search.atom((goal[0], difference), known, depth - 1)
            return from_squares(goal, above, step, known[-1], ("*", side, ("^", b, TWO)), known)
        search.tick()
    raise Stuck("the squares are in no order that is seen")


def from_squares(goal: Node, above: Step, step: Step, square: Step, weight: Node, facts: Facts) -> Step:
    """t >= 0, or t > 0: with c = -t and p from ``above``, c*(c + 2*p) is the opposite of what ``step`` tells of."""
    t, cases = goal[1], []
    three = apply("trichotomy", t, tuple(facts))
    for case in three.concl[1:]:
        if case == (">", t) or (case[0] == "=" and goal[0] == ">="):
            cases.append(apply("combine", goal, (hyp(case),), ((ONE, ((0, 1),), ()),)))
            continue
        rows: list[Product] = [(ONE, ((1, 1),), ()), (weight, ((2, 1),), ())]
        rows += [(minus(t, ("*", TWO, above.concl[1])), ((0, 1),), ())] if case[0] == "=" else [
            (ONE, ((0, 2),), ()), (TWO, ((0, 1), (3, 1)), ())]
        false = apply("combine", (">", ZERO), (hyp(case), step, square, above, *facts), tuple(rows))
        cases.append(apply("absurd", false, goal))
    return apply("or_elim", three, tuple(cases), goal)
