"""Tactic: sums over a range whose ends are symbols, such as over the classes of a network, by induction.

Of each such sum of the statement two facts are looked for: that it is the combination of simpler sums which its summand
says, and its sign, from that of the summand within the range.  With them the statement is solved like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial

from qtheory.proofs.kernel.poly import Forms, Monomial
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, children, free, ge, minus, substitute
from qtheory.proofs.tactics.builder import Facts, Step, Stuck, apply, conjunction, fresh, hyp
from qtheory.proofs.tactics.numeric import evaluate
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.terms import swap
from qtheory.proofs.tactics.unrolled import places

Formula = Callable[[Node], Node]  # of the upper end
MOST = 6  # sums of one statement


def symbolic_sums(formula: Node) -> list[Node]:
    """The sums in a formula, none inside another binder, whose range is no number."""
    found: dict[Node, None] = {}

    def walk(t: Node) -> None:
        if not isinstance(t, tuple) or t[0] in ("all", "ex", "imp"):
            return
        if t[0] == "sum":
            if free(minus(t[3], t[2])):
                found.setdefault(t)
            return
        for part in children(t)[0]:
            walk(part)

    walk(formula)
    return sorted(found, key=str)


def outer_sums(goal: Node) -> list[Node]:
    """Those of a comparison that are no factorial's."""
    return [s for s in places(goal[1]) if s[0] == "sum" and free(minus(s[3], s[2]))]


def sum_facts(search: Search, goal: Node, facts: Sequence[Step]) -> list[Step]:
    """New facts about the sums of a goal and of the facts; what is not found is left out."""
    whole = merged(goal)
    sums = list(dict.fromkeys(s for f in (goal, *(f.concl for f in facts)) for s in symbolic_sums(f)))[:MOST]
    new: list[Step] = []
    simple: dict[Node, None] = {}
    for s in [*([] if whole is None else [whole]), *sums]:
        parts = split(s)
        if parts != [(ONE, s)]:
            new += _try(partial(linear, search, s, parts, facts))
        simple.update(dict.fromkeys(part for _, part in parts))
    if goal[0] == "=":
        return new
    found = [] if whole is None else _try(partial(sign, search, whole, facts))
    return [*new, *(found or _signs(search, dict.fromkeys([*simple, *sums]), facts))]


def signs(search: Search, t: Node, facts: Sequence[Step]) -> list[Step]:
    """The signs of the sums in a term, so far as they are found."""
    return _signs(search, symbolic_sums(t)[:MOST], facts)


def _signs(search: Search, sums: Iterable[Node], facts: Sequence[Step]) -> list[Step]:
    return [step for s in sums for step in _try(partial(sign, search, s, facts))]


def _try(find: Callable[[], Step]) -> list[Step]:
    try:
        return [find()]
    except (Stuck, KernelError):
        return []


def split(s: Node) -> list[tuple[Node, Node]]:
    """The sum as a combination: (factor, sum) pairs, the factors without the index."""
    _, i, low, high, body = s
    forms = Forms()
    numerator, denominator = forms.quotient(body)
    below = [(_polynomial(forms, factor), -e) for factor, e in denominator.items()]
    out: dict[Node, list[Node]] = {}
    for monomial, coefficient in sorted(numerator.items(), key=str):
        factors = [*((forms.names[atom], e) for atom, e in monomial), *below]
        inside = _product([_power(t, e) for t, e in factors if i in free(t)])
        outside = [_power(t, e) for t, e in factors if i not in free(t)]
        out.setdefault(("sum", i, low, high, inside), []).append(_product([coefficient, *outside]))
    return [(_total(f), part) for part, f in out.items()]


def _polynomial(forms: Forms, factor: Iterable[tuple[Monomial, Fraction]]) -> Node:
    return _total([_product([c, *(_power(forms.names[atom], e) for atom, e in m)]) for m, c in sorted(factor, key=str)])


def _power(t: Node, exponent: int) -> Node:
    return t if exponent == 1 else ("^", t, Fraction(exponent))


def _product(factors: Sequence[Node]) -> Node:
    left = [f for f in factors if f != ONE]
    return ONE if not left else left[0] if len(left) == 1 else ("*", *left)


def _total(summands: Sequence[Node]) -> Node:
    return ZERO if not summands else summands[0] if len(summands) == 1 else ("+", *summands)


def linear(search: Search, s: Node, parts: Sequence[tuple[Node, Node]], facts: Sequence[Step]) -> Step:
    """The sum is the combination of its parts."""
    def claim(end: Node) -> Node:
        return ("=", minus(_upto(s, end), _total([("*", c, _upto(part, end)) for c, part in parts])))

    return by_range(search, [s, *(part for _, part in parts)], claim, facts, empty=True)


def sign(search: Search, s: Node, facts: Sequence[Step]) -> Step:
    """The sum is positive where its summand is and its range is not empty; else nonnegative."""
    positive = search.quick(ge(s[3], s[2]), list(facts)) is not None
    reasons: list[str] = []
    for relation, empty in ((">", False), (">=", True)) if positive else ((">=", True),):
        try:
            return by_range(search, [s], partial(_of_prefix, relation, s), facts, empty=empty, relation=relation)
        except (Stuck, KernelError) as reason:
            reasons.append(str(reason))
    raise Stuck(reasons[-1])


def _of_prefix(relation: str, s: Node, end: Node) -> Node:
    return relation, _upto(s, end)


def with_values(search: Search, goal: Node, facts: Facts, equations: Sequence[Step], depth: int) -> Step:
    """The goal from that with a value in the place of each sum, by their equations sum - value = 0."""
    now, back = goal[1], []
    for step in equations:
        s, value = step.concl[1][1], step.concl[1][2][2]
        back.append((now, s, value, step))
        now = swap(now, s, value)
    step = search.atom((goal[0], now), [*facts, *equations], depth)
    for before, s, value, known in reversed(back):
        same = apply("combine", ("=", minus(value, s)), (known,), ((MINUS, ((0, 1),), ()),))
        step = apply("rewrite", same, step, "z'", (goal[0], swap(before, s, "z'")), value, s)
    return step


def ends_times_number(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The goal by a combination with bounds of its sums: each summand against the first or the last one, so that the
    sum is against as many times that."""
    known = [*facts, *search.define(goal[1], facts)]
    found: list[Step] = []
    for s in outer_sums(goal)[:MOST]:
        _, i, low, high, body = s
        for end in (high, low) if i in free(body) else ():
            least = substitute(body, i, end)
            for way in (ONE, MINUS):
                found += _try(partial(_above, search, s, least, way, known))
    return search.combine(goal, [*known, *found, *(d for f in found for d in search.define(f.concl[1], known))], 2)


def _above(search: Search, s: Node, least: Node, way: Fraction, facts: Sequence[Step]) -> Step:
    """way (S - N least) >= 0 for the N summands of S, from way (summand - least) >= 0."""
    _, i, low, high, body = s
    outer = [*facts, *search.define(least, facts)]
    points = [{**p, i: (1 - share) * evaluate(low, p) + share * evaluate(high, p)}
              for p in search.points((">=", minus(high, low)), outer) for share in (0.0, 0.5, 1.0)]
    if any(evaluate(("*", way, minus(body, least)), p) < -1e-9 for p in points):
        raise Stuck("the summand is on the other side at a sample point")

    def claim(end: Node) -> Node:
        number: Node = ("+", minus(end, low), ONE)
        return (">=", ("*", way, minus(_upto(s, end), ("*", number, least))))

    return by_range(search, [s], claim, outer, empty=True, relation=">=",
                    compared=lambda last: ("*", way, minus(last, least)))


def by_range(search: Search, sums: Sequence[Node], claim: Formula, facts: Sequence[Step], *, empty: bool,
             relation: str | None = None, compared: Formula = lambda last: last) -> Step:
    """The claim on sums over one range at its upper end: induction from the empty range, or from one place.

    ``relation``: that of the summand to 0, or of what is made of it by ``compared``, where the claim rests on it.
    """
    low, high = sums[0][2], sums[0][3]
    facts = list(facts)
    facts.append(search.atom(("isint", low), facts))
    facts.append(search.atom(("isint", high), facts))
    base = minus(low, ONE) if empty else low
    facts.append(search.atom(("isint", base), facts))
    within = search.atom(ge(high, base), facts)
    n = fresh("n", [f.concl for f in facts], [h for f in facts for h in f.hyps], sums)

    def phi(end: Node) -> Node:  # the summand is known within the range alone
        return ("imp", ge(high, end), claim(end))

    start = _start(search, sums, claim, base, facts, empty, relation)
    begin = apply("imp_intro", ge(high, base), start)
    step = _step(search, sums, claim, n, base, phi, facts, relation, compared)
    every = apply("induction", n, base, phi(n), facts[-1], begin, step)
    there = apply("all_elim", every, high, tuple(facts))
    at_high = apply("imp_elim", there, conjunction(there.concl[1], [facts[-2], within]))
    return apply("imp_elim", at_high, apply("combine", ge(high, high), tuple(facts), ()))


def _start(search: Search, sums: Sequence[Node], claim: Formula, base: Node, facts: list[Step], empty: bool,
           relation: str | None) -> Step:
    """The claim at the base: on empty sums, or on their first summands."""
    known = list(facts)
    below = minus(sums[0][2], ONE)
    known += [apply("sum_empty", _upto(s, below), tuple(known)) for s in sums]
    if not empty:
        at_base = apply("combine", ge(base, base), tuple(known), ())
        known += _last(search, sums, base, [*known, at_base], relation)
    return search.combine(claim(base), known, 1)


def _step(search: Search, sums: Sequence[Node], claim: Formula, n: str, base: Node, phi: Formula,
          facts: list[Step], relation: str | None, compared: Formula) -> Step:
    """From the claim at n to that at n + 1, within the range."""
    upper: Node = ("+", n, ONE)
    room = hyp(ge(sums[0][3], upper))
    known = [*facts, hyp(("isint", n)), hyp(ge(n, base)), room]
    before = apply("imp_elim", hyp(phi(n)), search.combine(ge(sums[0][3], n), known, 1))
    known.append(search.atom(("isint", upper), known))
    known.append(search.combine(ge(upper, sums[0][2]), known, 1))
    z = fresh("z", n, sums, claim(n))
    back = apply("combine", ("=", minus(n, minus(upper, ONE))), tuple(known), ())
    known.append(apply("rewrite", back, before, z, claim(z), n, minus(upper, ONE)))
    known += _last(search, sums, upper, known, relation, compared)
    return apply("imp_intro", room.concl, search.combine(claim(upper), known, 1))


def _last(search: Search, sums: Sequence[Node], upper: Node, known: Sequence[Step],
          relation: str | None, compared: Formula = lambda last: last) -> list[Step]:
    """What the last place adds to each sum, and what is known of the last summand."""
    new: list[Step] = []
    for s in sums:
        here = [*known, *new]
        last = substitute(s[4], s[1], upper)
        new += search.define(last, here)
        if relation is not None:
            new.append(search.atom((relation, compared(last)), [*known, *new]))
        new.append(apply("sum_last", _upto(s, upper), (*known, *new)))
    return new


def _upto(s: Node, end: Node) -> Node:
    return ("sum", s[1], s[2], end, s[4])


def merged(goal: Node) -> Node | None:
    """The sums of a comparison as one sum, where they stand in it linearly and over one range; else None."""
    if goal[0] not in (">", ">="):
        return None
    forms = Forms()
    numerator, denominator = forms.quotient(goal[1])
    sums = {atom: t for atom, t in enumerate(forms.names) if isinstance(t, tuple) and t in symbolic_sums(goal)}
    if denominator or len(sums) < 2 or len({(t[2], t[3]) for t in sums.values()}) != 1:
        return None
    _, i, low, high, _ = next(iter(sums.values()))
    summands = []
    for monomial, coefficient in sorted(numerator.items(), key=str):
        inside = [(atom, e) for atom, e in monomial if atom in sums]
        if len(inside) > 1 or any(e > 1 for _, e in inside):
            return None
        if inside:
            t = sums[inside[0][0]]
            rest = [_power(forms.names[atom], e) for atom, e in monomial if atom not in sums]
            summands.append(_product([coefficient, *rest, substitute(t[4], t[1], i)]))
    parts = split(("sum", i, low, high, _total(summands)))
    if len(parts) == 1:
        return parts[0][1]
    return ("sum", i, low, high, _total([_product([c, part[4]]) for c, part in parts]))


__all__ = ["by_range", "ends_times_number", "outer_sums", "signs", "sum_facts", "symbolic_sums", "with_values"]
