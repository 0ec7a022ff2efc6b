"""Series, integrals and expectations without an end, and limits of such terms: partial sums in closed form, and what
is left of them bounded.

What a geometric, or exponential, weight makes of a polynomial has partial sums L + r(b), where r is a sum of c b^j u^k
with u = a^b, or exp(-s b), and numbers c of the parameters; so have terms in b that are limits of their own.  With
u (1 + s b)^m <= 1 for a small s, which induction gives, or the tangent of exp, b |r(b)| is at most some M: that bounds
the partial sums, and gives the distance of a limit's definition.  Sums with c^k/k! are likewise
(``exponential_sums``).  The proofs are put together step by step, nothing is searched for but the closed forms and
the simplest facts.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import sympy

from qtheory.proofs.kernel.terms import MINUS, ONE, KernelError, Node, free, ge, gt, minus, neg_term, substitute
from qtheory.proofs.tactics.bridge import answer, from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, cut_all, hyp, parts
from qtheory.proofs.tactics.exponential_sums import ExponentialTail
from qtheory.proofs.tactics.falling import END, falling_in, partial
from qtheory.proofs.tactics.numeric import evaluate, samples
from qtheory.proofs.tactics.order import replaced
from qtheory.proofs.tactics.signed_powers import with_absolute_bases
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.tail import Tail
from qtheory.proofs.tactics.tending_powers import tending


def shape(goal: Node) -> str | None:
    """Does the goal say that partial sums to b' are bounded, or that they, or a term with weights, tend to a value?"""
    body = _inside(goal)
    if body is None or goal[1] not in ("c'", "e'"):
        return None
    if goal[1] == "c'" and body[0] == ">=" and any(True for _ in partial(body[1])):
        return "bounded"
    if goal[1] == "e'" and body[0] == "and" and len(body) == 3 and any(
            True for found in (partial(body[1][1]), falling_in(body[1][1], END)) for _ in found):
        return "tends"
    return None


def _every(goal: Node) -> Node | None:
    """What is said of all large numbers, or integers."""
    try:
        step = goal[2][2] if goal[0] == "all" and goal[2][0] == "imp" and goal[2][1] == (">", "e'") else goal[2]
        every = step[2]
        x = every[1]
        good = step[:2] == ("ex", "d'") and every[0] == "all" and every[2][0] == "imp" and every[2][1] in (
            ("and", ("isint", x), (">", minus(x, "d'"))), (">", minus(x, "d'")))
        return every if good else None
    except (IndexError, TypeError):
        return None


def _inside(goal: Node) -> Node | None:
    """What is said of each of them, called b'."""
    every = _every(goal)
    if every is None or (every[1] != END and END in free(every)):
        return None
    try:
        return substitute(every[2][2], every[1], END)
    except KernelError:
        return None


def limit_and_term(goal: Node) -> tuple[Node, Node]:
    """The term and the value of a goal that says that the one tends to the other."""
    body = _inside(goal)
    assert body is not None
    gap = body[2][1][2]  # e' + (t - L)
    return gap[1], gap[2][2]


def moments(search: Search, goal: Node, facts: Facts) -> Step:
    """That partial sums are bounded, or that they tend to a value."""
    kind = shape(goal)
    if kind is None:
        raise Stuck("not of this shape")
    return bounded(search, goal, facts) if kind == "bounded" else tends(search, goal, facts)


def tends(search: Search, goal: Node, facts: Facts) -> Step:
    """With d' = M/e' + after: b > d' gives e' b > M >= b |r|."""
    term, value = limit_and_term(goal)
    every = _every(goal)
    assert every is not None
    tail = tail_of(search, term, facts, every[2][1][0] == "and")
    told = [*tail.outer, *search.define(value, tail.outer), *search.define(tail.limit, tail.outer)]
    same = search.atom(("=", minus(tail.limit, value)), told, 2)
    positive = hyp((">", "e'"))
    witness: Node = ("+", ("*", tail.most, ("^", "e'", MINUS)), tail.after)
    guard, known = tail.assume(witness, [positive])
    x = every[1]
    own = substitute(term, END, x) if x != END else term
    aim, goal = goal, replaced(goal, minus(own, value), minus(own, tail.limit))
    inner = _inside(goal)
    assert inner is not None
    plain = inner
    for s in tail.forms:
        plain = replaced(plain, s, tail.value(s))
    known += search.define(plain[1][1], known)
    known.append(search.atom((">=", tail.after), known))
    at = {f.concl: i for i, f in enumerate(known)}
    b, e = at[(">", END)], at[(">", "e'")]
    halves = []
    for part, sign in ((plain[1], 1), (plain[2], -1)):
        bound = tail.bound(part[1][2][2] if sign > 0 else part[1][2], sign, known)
        # e' - gap = (b - d') e'/b + after e'/b + (M - b gap)/b
        halves.append(apply("combine", part, (*known, bound), (
            (ONE, ((at[gt(END, witness)], 1), (e, 1), (b, -1)), ()),
            (ONE, ((at[(">=", tail.after)], 1), (e, 1), (b, -1)), ()), (ONE, ((len(known), 1), (b, -1)), ()))))
    step = apply("and_intro", tuple(halves))
    for s in tail.forms:
        template = replaced(inner, s, "z'")
        for other in list(tail.forms)[list(tail.forms).index(s) + 1:]:
            template = replaced(template, other, tail.value(other))
        step = apply("rewrite", tail.compared(s, s, known), step, "z'", template, tail.value(s), s)
    step = cut_all(parts(hyp(guard)), step)
    step = apply("all_intro", END, apply("imp_intro", guard, step))
    if x != END:
        step = apply("cut", step, apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ())))
    step = apply("ex_intro", goal[2][2], witness, step, (*tail.outer, positive))
    step = apply("all_intro", "e'", apply("imp_intro", (">", "e'"), step))
    template = replaced(aim, minus(own, value), minus(own, "z'"))
    return step if goal == aim else apply("rewrite", same, step, "z'", template, tail.limit, value)


def tail_of(search: Search, term: Node, facts: Facts, whole: bool = True) -> Tail:
    """The term's limit, and what is left."""
    with suppress(Stuck):
        return ExponentialTail(search, term, facts)
    return Tail(search, term, facts, whole)


def described(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Some v is the limit of partial sums, and so on: the limit is."""
    _, v, body = goal
    for part in body[1:] if body[0] == "and" else ():
        if shape(part) == "tends" and limit_and_term(part)[1] == v:
            limit = limit_of(search.plainly(), limit_and_term(part)[0], facts)
            known = [*facts, *search.define(limit, facts)]
            return apply("ex_intro", goal, limit, search.solve(substitute(body, v, limit), known, depth), tuple(known))
    raise Stuck("not of this shape")


def limit_of(search: Search, term: Node, facts: Facts) -> Node:
    """The value that partial sums, or a term with weights that fall, tend to."""
    return tail_of(search, term, facts).limit


def mended(search: Search, formula: Node, facts: Facts) -> Step | None:
    """Of a part of the formula that says that a power tends to a value, and is wrong at some point: that it tends to
    its limit."""
    for part in formula[1:] if formula[0] == "and" else (formula,):
        if part[0] == "and" and (found := mended(search, part, facts)) is not None:
            return found
        if shape(part) is None and (said := tending(part)) is not None and said.value is not None and (
                said.some[2][0] == "all"):
            n = sympy.Symbol(said.variable, real=True)
            limit = from_sympy(answer(lambda f=said.f, n=n: sympy.limit(to_sympy(f), n, sympy.oo)))  # type: ignore[misc]
            if _apart(limit, said.value, facts):
                return search.solve(replaced(part, said.held, minus(said.f, limit)), facts)
    return None


def _apart(limit: Node, value: Node, facts: Facts) -> bool:
    """Do the two differ at some point?"""
    gap = minus(limit, value)
    points = samples([f.concl for f in facts], free(gap).union(*(f.variables for f in facts)), 6)
    return any(abs(evaluate(gap, p)) > 1e-9 for p in points or [{}])


def bounded(search: Search, goal: Node, facts: Facts) -> Step:
    """c' is the limit and M of a sum above, and d' is the place after which that is known."""
    inner = _inside(goal)
    assert inner is not None
    (s,) = list(partial(inner[1]))
    above = larger(search, s, facts)
    tail = tail_of(search, above, facts)
    guard, known = tail.assume(tail.after, [])
    total: Node = ("+", tail.limit, tail.most)
    value = tail.value(above)
    known += [*search.define(total, known), *search.define(value, known)]
    bound = tail.bound(minus(value, tail.limit), 1, known)
    known += [bound, search.atom((">=", minus(END, ONE)), known), tail.compared(above, s, known)]
    at, b = {f.concl: i for i, f in enumerate(known)}, len(known) - 3
    over = at[(">", END)]
    # c' - A = (M - b r)/b + M (b - 1)/b + (closed form - A)
    step = apply("combine", substitute(inner, "c'", total), tuple(known), (
        (ONE, ((b, 1), (over, -1)), ()), (ONE, ((at[(">=", tail.most)], 1), (b + 1, 1), (over, -1)), ()),
        (ONE, ((b + 2, 1),), ())))
    step = cut_all(parts(hyp(guard)), step)
    step = apply("all_intro", END, apply("imp_intro", guard, step))
    opened = substitute(goal[2], "c'", total)
    step = apply("ex_intro", opened, tail.after, step, tuple(tail.outer))
    return apply("ex_intro", goal, total, step, (*tail.outer, *search.define(total, tail.outer)))


def larger(search: Search, s: Node, facts: Facts) -> Node:
    """The sum with what is above each absolute value in its summand: the term, if it is not negative at some places,
    or that with the absolute values of its powers' bases; else one more than its square."""
    _, x, low, _, body = s
    outer = [f for f in facts if not any(v.endswith("'") for v in f.variables)]
    for t in _maxima(body):
        g = t[1]
        places = [hyp(("isint", x)), hyp(ge(x, low))] if s[0] == "sum" else [hyp(ge(x, low))]
        for new in (g, with_absolute_bases(g, x)):
            with suppress(Stuck, KernelError):
                search.atom((">=", new), [*outer, *places])
                break
        else:
            new = ("+", ("^", g, Fraction(2)), ONE)
        body = replaced(body, t, new)
    return (*s[:4], body)


def _maxima(body: Node) -> list[Node]:
    if not isinstance(body, tuple):
        return []
    found = [m for part in body[1:] for m in _maxima(part)]
    return [*found, body] if body[0] == "max" and body[2] == neg_term(body[1]) else found


__all__ = ["described", "limit_and_term", "mended", "moments", "shape"]
