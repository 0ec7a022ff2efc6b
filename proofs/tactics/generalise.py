"""Goals for a compound term: proved for a variable in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import lcm

from qtheory.proofs.functions.sqrt import square_root
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import MINUS, ONE, TWO, KernelError, Node, free, minus
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, called, hyp, in_place_of, unused
from qtheory.proofs.tactics.order import occurring, replaced
from qtheory.proofs.tactics.quotients import reduce_term
from qtheory.proofs.tactics.solving import bounds
from qtheory.proofs.tactics.state import Search

HALF = Fraction(1, 2)
Existence = Callable[[Search, Node, Sequence[Step], int], Step]


def generalised(search: Search, goal: Node, facts: Sequence[Step], depth: int, solve: Existence) -> Step:
    """The goal with a positive compound term c, free of the bound variable, replaced by a variable g > 0."""
    _, x, body = goal
    for c in compounds(body, x):
        try:
            positive = search.atom((">", c), facts, 1)
        except Stuck:
            continue
        g = unused("g", facts, goal)
        general = replaced(goal, c, g)
        others = [f for f in facts if not f.variables & free(c)]
        step = solve(search, general, [*others, hyp((">", g))], depth)
        step = apply("instance", step, g, c, (positive, *facts))
        return apply("cut", positive, step)
    raise Stuck("not of this shape")


def by_ratio(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal for a variable g > 0 in the place of a quotient, on the side of 1 on which the quotient is."""
    c = ratio(goal)
    if c is None:
        raise Stuck("no power of a quotient whose variables stand nowhere else")
    told = [search.atom((">", c), facts, 1)]
    for side in (minus(ONE, c), minus(c, ONE)):
        with suppress(Stuck, KernelError):
            told.append(search.atom((">", side), facts, 1))
            break
    g = unused("g", facts, goal)
    others = [f for f in facts if not f.variables & free(c)]
    step = search.atom(replaced(goal, c, g), [*others, *(hyp(replaced(t.concl, c, g)) for t in told)], depth)
    step = apply("instance", step, g, c, (*told, *facts))
    for t in told:
        step = apply("cut", t, step)
    return step


def ratio(goal: Node) -> Node | None:
    """A quotient with a power to an exponent that is no number, where its variables stand in nothing else."""
    bases = {s[1] for s in occurring(goal[1]) if isinstance(s, tuple) and s[0] == "^" and not isinstance(s[2], Fraction)
             and isinstance(s[1], tuple) and s[1][0] == "*" and len(free(s[1])) > 1}
    for c in sorted(bases, key=str):
        if not free(c) & free(replaced(goal[1], c, ONE)):
            return c
    return None


def compounds(body: Node, x: str) -> Iterator[Node]:
    """Right-hand sides that do not speak of x and are no variables, the first equation's first."""
    if body[0] in ("and", "or"):
        for part in body[1:]:
            yield from compounds(part, x)
    elif body[0] == "=" and isinstance(body[1], tuple):
        for s in sorted(occurring(body[1]), key=lambda t: -len(str(t))):
            if isinstance(s, tuple) and len(free(s)) > 1 and x not in free(s) and s[0] != "+":
                yield s


def by_difference(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal for n = k + m with a natural number m, for integers n >= k: an induction over m may begin at 0."""
    for n, k in differences(goal, facts):
        gap = minus(n, k)
        said = [search.atom((head, gap), facts, 1) for head in ("isint", ">=")]

        def for_sum(named: list[Step], n: str = n, k: str = k) -> Step:
            m = named[0].concl[1]
            equation = apply("combine", ("=", minus(n, ("+", k, m))), (named[2],), ((MINUS, ((0, 1),), ()),))
            return in_place_of(n, ("+", k, m), equation, goal, [*facts, *named[:2]], partial(at, search, depth))

        with suppress(Stuck, KernelError):
            return called(unused("m", facts, goal), gap, said, facts, for_sum)
        search.tick()
    raise Stuck("no difference of two integers")


def differences(goal: Node, facts: Facts) -> list[tuple[str, str]]:
    """Integers n >= k, both of them in exponents or in an end of a sum, where no number but k is known to lie below."""
    whole = {f.concl[1] for f in facts if f.concl[0] == "isint"}
    raised = [s for s in occurring(goal[1]) if isinstance(s, tuple) and s[0] in ("sum", "^")]
    spoken = frozenset[str]().union(*(free(s[3] if s[0] == "sum" else s[2]) for s in raised))
    return [(n, k) for n in sorted(spoken & whole) for k, side in bounds(n, facts)
            if side == "low" and isinstance(k, str) and k in spoken and k in whole]


def by_root(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal with r > 0 for sqrt(x), and r^2 for the variable x wherever else it stands."""
    for x in under_roots(goal[1]):
        near = [f for f in facts if f.variables <= {x}]  # what rests on others is lost to an induction over these
        if any({x} < f.variables for f in facts):  # an order of two variables is none of their roots
            continue
        positive = search.quick((">", x), near) or search.quick((">", x), facts)
        if positive is None:
            continue
        root, square = square_root(x, positive)

        def for_root(named: list[Step], x: str = x, square: Step = square) -> Step:
            above, same = named
            r = above.concl[1]
            back = apply("combine", ("=", minus(("sqrt", x), r)), (same,), ((MINUS, ((0, 1),), ()),))
            equal = apply("combine", ("=", minus(x, ("^", r, TWO))), (square, same), (
                (MINUS, ((0, 1),), ()), (("*", MINUS, ("+", r, ("sqrt", x))), ((1, 1),), ())))
            return in_place_of(("sqrt", x), r, back, goal, [*facts, above], lambda now, known: in_place_of(
                x, ("^", r, TWO), equal, now, known, lambda now, known: at(
                    search, depth, now, [*known, *beside_one(search, r, known)])))

        with suppress(Stuck, KernelError):
            return called(unused("r", facts, goal), ("sqrt", x), (root,), (positive, root), for_root)
        search.tick()
    raise Stuck("no root of a positive variable")


def beside_one(search: Search, r: str, facts: Facts) -> list[Step]:
    """On which side of 1 the root is, where its square is on one."""
    facts = [f for f in facts if f.variables <= {r}]
    found = [search.quick((">", t), facts) for t in (minus(("^", r, TWO), ONE), minus(ONE, ("^", r, TWO)))]
    return [search.atom((">", t), facts, 2) for f, t in zip(found, (minus(r, ONE), minus(ONE, r)), strict=True) if f]


def under_roots(t: Node, plain: bool = True) -> list[str]:
    """The variables of which a square root is taken, or a power with halves in its exponent; ``plain``: in one that is
    a number too."""
    found = dict[str, None]()
    for s in occurring(reduce_term(t)):
        if isinstance(s, tuple) and s[0] in ("sqrt", "^") and isinstance(s[1], str):
            exponent = HALF if s[0] == "sqrt" else s[2]
            if (plain or not isinstance(exponent, Fraction)) and lcm(
                    *(c.denominator for c in Forms().quotient(exponent)[0].values())) == TWO:
                found[s[1]] = None
    return list(found)


def at(search: Search, depth: int, goal: Node, facts: Facts) -> Step:
    return search.atom(goal, facts, depth - 1)
