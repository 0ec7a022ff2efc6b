"""Rules of classical logic, of definedness, and of the integers.

Soundness of the logical rules is that of natural deduction for a logic in which every formula is true or false at
every point; variables range over all reals, and a term may stand for a variable only where it is defined.
"""

from __future__ import annotations

from .poly import Forms
from .terms import (FALSE, MINUS, ONE, ZERO, Node, evidently_defined, free, ge, gt, integer, minus, neg_term, negate,
                    require, require_form, substitute, subterms)
from .theorem import Theorem, all_hyps, holds, rule, settled


@rule("formula")
def hyp(phi: Node) -> Theorem:
    """phi |- phi."""
    return Theorem(frozenset((phi,)), phi)


@rule("thms")
def and_intro(thms: tuple[Theorem, ...]) -> Theorem:
    """A, B, .. give A and B and ..; no premises give the empty conjunction, which is true."""
    return Theorem(all_hyps(*thms), ("and", *(t.concl for t in thms)))


@rule("thm", "int")
def and_elim(thm: Theorem, i: int) -> Theorem:
    """A conjunction gives its i-th part."""
    require_form(thm.concl[0] == "and" and 0 <= i < len(thm.concl) - 1, "and_elim needs a part of a conjunction")
    return Theorem(thm.hyps, thm.concl[i + 1])


@rule("thm", "formula")
def or_intro(thm: Theorem, phi: Node) -> Theorem:
    """A part gives the disjunction phi."""
    require(phi[0] == "or" and thm.concl in phi[1:], "or_intro: not a part of the disjunction")
    return Theorem(thm.hyps, phi)


@rule("thm", "thms", "formula")
def or_elim(thm: Theorem, cases: tuple[Theorem, ...], goal: Node) -> Theorem:
    """Each part of a disjunction gives the goal, so the disjunction does; with no parts it is false."""
    require(thm.concl[0] == "or" and len(cases) == len(thm.concl) - 1, "or_elim: one case for each part")
    hyps = thm.hyps
    for part, case in zip(thm.concl[1:], cases, strict=True):
        require(case.concl == goal, "or_elim: a case proves something else")
        hyps |= case.hyps - {part}
    return Theorem(hyps, goal)


@rule("formula", "thm")
def imp_intro(phi: Node, thm: Theorem) -> Theorem:
    """B from A gives A -> B."""
    return Theorem(thm.hyps - {phi}, ("imp", phi, thm.concl))


@rule("thm", "thm")
def imp_elim(thm: Theorem, premise: Theorem) -> Theorem:
    """A -> B and A give B."""
    require(thm.concl[0] == "imp" and thm.concl[1] == premise.concl, "imp_elim: the premise is another formula")
    return Theorem(thm.hyps | premise.hyps, thm.concl[2])


@rule("thm", "thm")
def cut(lemma: Theorem, thm: Theorem) -> Theorem:
    """A and (B from A) give B."""
    return Theorem(lemma.hyps | (thm.hyps - {lemma.concl}), thm.concl)


@rule("name", "thm")
def all_intro(x: str, thm: Theorem) -> Theorem:
    """A theorem whose hypotheses do not speak of x holds for all x."""
    require(all(x not in free(h) for h in thm.hyps), f"all_intro: {x} is free in a hypothesis")
    return Theorem(thm.hyps, ("all", x, thm.concl))


@rule("thm", "term", "thms")
def all_elim(thm: Theorem, t: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """What holds for all x holds at t, where t is defined."""
    require(thm.concl[0] == "all", "all_elim: not a universal statement")
    require(settled(t, facts), "all_elim: the term may be undefined")
    return Theorem(thm.hyps | all_hyps(*facts), substitute(thm.concl[2], thm.concl[1], t))


@rule("thm", "name", "term", "thms")
def instance(thm: Theorem, x: str, t: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """A theorem holds with t for its free variable x, where t is defined."""
    require(settled(t, facts), "instance: the term may be undefined")
    return Theorem(frozenset(substitute(h, x, t) for h in thm.hyps) | all_hyps(*facts), substitute(thm.concl, x, t))


@rule("formula", "term", "thm", "thms")
def ex_intro(phi: Node, t: Node, thm: Theorem, facts: tuple[Theorem, ...]) -> Theorem:
    """What holds at a defined t holds for some x."""
    require_form(phi[0] == "ex", "ex_intro needs an existential statement")
    require(thm.concl == substitute(phi[2], phi[1], t), "ex_intro: the premise is not the instance")
    require(settled(t, facts), "ex_intro: the term may be undefined")
    return Theorem(thm.hyps | all_hyps(*facts), phi)


@rule("thm", "name", "thm")
def ex_elim(thm: Theorem, y: str, use: Theorem) -> Theorem:
    """There is an x with A(x); C follows from A(y) for a y of which nothing else is known; so C."""
    require(thm.concl[0] == "ex", "ex_elim: not an existential statement")
    rest = use.hyps - {substitute(thm.concl[2], thm.concl[1], y)}
    require(y not in free(use.concl) and all(y not in free(h) for h in rest), f"ex_elim: {y} is not fresh")
    require(y == thm.concl[1] or y not in free(thm.concl[2]), f"ex_elim: {y} is free in the statement")
    return Theorem(thm.hyps | rest, use.concl)


@rule("formula")
def excluded_middle(phi: Node) -> Theorem:
    """A or its complement."""
    return Theorem(frozenset(), ("or", phi, negate(phi)))


@rule("thm", "thm", "formula")
def clash(thm: Theorem, other: Theorem, goal: Node) -> Theorem:
    """A and its complement give anything."""
    require(other.concl == negate(thm.concl), "clash: the premises are not complements")
    return Theorem(thm.hyps | other.hyps, goal)


@rule("thm", "formula")
def absurd(thm: Theorem, goal: Node) -> Theorem:
    """A false statement about numbers gives anything."""
    relation, value = thm.concl[0], thm.concl[-1]
    require(thm.concl == FALSE or (relation in (">", ">=", "=", "!=") and not isinstance(value, str | tuple)
            and not holds(relation, value, ())), "absurd: the premise is not plainly false")
    return Theorem(thm.hyps, goal)


@rule("term", "thms")
def trichotomy(t: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """A defined t is positive, zero or negative."""
    require(settled(t, facts), "trichotomy: the term may be undefined")
    return Theorem(all_hyps(*facts), ("or", (">", t), ("=", t), (">", neg_term(t))))


@rule("term", "thms")
def defined(t: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """t is defined, by the facts (see ``settled``)."""
    require(settled(t, facts), "defined: the term may be undefined")
    return Theorem(all_hyps(*facts), ("def", t))


@rule("thm", "term")
def condition(thm: Theorem, s: Node) -> Theorem:
    """What a subterm of a true atom needs in order to be defined: u > 0 for log u, u >= 0 for sqrt u, u != 0
    for a negative integer power of u."""
    require(s in evidently_defined(thm.concl), "condition: not a subterm of the premise")
    require_form(isinstance(s, tuple) and s[0] in ("log", "sqrt", "^"), "condition: this operation has no condition")
    require(s[0] != "^" or (integer(s[2]) and s[2] < 0), "condition: not a negative integer power")
    return Theorem(thm.hyps, ({"log": ">", "sqrt": ">=", "^": "!="}[s[0]], s[1]))


@rule("term", "term", "thm")
def undefined(t: Node, s: Node, thm: Theorem) -> Theorem:
    """t is undefined where its subterm s is: log u at u <= 0, sqrt u at u < 0, u^-n at u = 0, u^b at u < 0 with
    a non-integer b or at u = 0 with b < 0, a derivative where its function is undefined, W at u < -1/e, branch -1
    also at u >= 0, a sum or integral a term of which is undefined within its range (an integral's ends in either
    order), a sum whose ends are no integers or whose upper end is below the lower one less 1."""
    require(s in subterms(t), "undefined: not a subterm")
    require(thm.concl in failures(s), "undefined: the premise does not say that the condition fails")
    return Theorem(thm.hyps, ("undef", t))


def failures(s: Node) -> list[Node]:
    """Formulas under each of which the operation at the head of s is undefined."""
    head, u, v = (s[0], s[1], s[-1]) if isinstance(s, tuple) else ("", s, s)
    if head in ("log", "sqrt"):
        return [({"log": ">=", "sqrt": ">"}[head], neg_term(u))]
    if head == "^":
        return [("and", (">", neg_term(u)), ("!=", minus(v, ("floor", v)))), ("and", ("=", u), (">", neg_term(v)))]
    if head == "diff":
        return [("undef", substitute(s[2], u, v))]
    if head == "W":
        return [gt(neg_term(("exp", MINUS)), v), (">=", v)][:1 - u]
    if head not in ("sum", "int"):
        return []
    require(u not in free(s[2]) | free(s[3]), f"undefined: an end speaks of {u}")
    whole = (("isint", u),) if head == "sum" else ()
    place, turned = (("ex", u, ("and", *whole, ge(u, a), ge(b, u), ("undef", v))) for a, b in (s[2:4], s[3:1:-1]))
    fractional = [("!=", minus(end, ("floor", end))) for end in s[2:4]]
    return [place, *fractional, gt(minus(s[2], ONE), s[3])] if head == "sum" else [place, turned]


@rule("thm", "thm", "name", "formula", "term", "term")
def rewrite(equation: Theorem, thm: Theorem, z: str, template: Node, old: Node, new: Node) -> Theorem:
    """Equals for equals: from old - new = 0 and template[old/z], template[new/z]."""
    require(equation.concl[0] == "=", "rewrite: not an equation")
    require(Forms().zero(minus(equation.concl[1], minus(old, new))), "rewrite: another equation")
    require({old, new} <= set(evidently_defined(equation.concl)), "rewrite: a side may be undefined")
    require(thm.concl == substitute(template, z, old), "rewrite: the premise does not fit the template")
    return Theorem(equation.hyps | thm.hyps, substitute(template, z, new))


@rule("term", "thms")
def integral_polynomial(t: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """A polynomial with integer coefficients in integers is an integer."""
    require(settled(t, facts), "integral_polynomial: the term may be undefined")
    forms = Forms()
    whole = {forms.key(f.concl[1]) for f in facts if f.concl[0] == "isint"}
    num, den = forms.quotient(t)
    require(not den, "integral_polynomial: a quotient")
    require(all(c.denominator == 1 for c in num.values()), "integral_polynomial: a fractional coefficient")
    for monomial in num:
        for atom, _ in monomial:
            require(forms.key(forms.names[atom]) in whole, "integral_polynomial: an atom may be no integer")
    return Theorem(all_hyps(*facts), ("isint", t))


@rule("thm", "thm")
def gap(whole: Theorem, positive: Theorem) -> Theorem:
    """A positive integer is at least one."""
    require(whole.concl[0] == "isint", "gap: not an integer")
    require(positive.concl == (">", whole.concl[1]), "gap: another term is positive")
    return Theorem(whole.hyps | positive.hyps, (">=", minus(whole.concl[1], ONE)))


@rule("name", "term", "formula", "thm", "thm", "thm")
def induction(n: str, base: Node, phi: Node, whole: Theorem, start: Theorem, step: Theorem) -> Theorem:
    """phi(base), and phi(n) -> phi(n+1) for integers n >= base, give phi(n) for all integers n >= base."""
    require(whole.concl == ("isint", base), "induction: the base may be no integer")
    require(n not in free(base), "induction: the base speaks of n")
    require(start.concl == substitute(phi, n, base), "induction: the start is another statement")
    require(step.concl == substitute(phi, n, ("+", n, ONE)), "induction: the step proves another statement")
    above = (">=", minus(n, base))
    rest = step.hyps - {("isint", n), above, phi}
    require(all(n not in free(h) for h in rest), "induction: another hypothesis speaks of n")
    return Theorem(whole.hyps | start.hyps | rest, ("all", n, ("imp", ("and", ("isint", n), above), phi)))


@rule("term", "thms")
def sum_empty(s: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """sum over i = lo..lo-1 is 0."""
    require_form(isinstance(s, tuple) and s[0] == "sum", "sum_empty needs a sum")
    require(any(f.concl == ("isint", s[2]) for f in facts), "sum_empty: the lower end may be no integer")
    require(settled(s[3], facts), "sum_empty: the upper end may be undefined")
    require(Forms().zero(("+", s[3], ONE, neg_term(s[2]))), "sum_empty: the range is not empty")
    return Theorem(all_hyps(*facts), ("=", s))


@rule("term", "thms")
def sum_last(s: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """sum to hi = sum to hi - 1 plus the last summand, for integers lo <= hi, if either side is defined."""
    require_form(isinstance(s, tuple) and s[0] == "sum", "sum_last needs a sum")
    _, i, low, high, body = s
    concls = {f.concl for f in facts}
    require(("isint", low) in concls and ("isint", high) in concls, "sum_last: an end may be no integer")
    require((">=", minus(high, low)) in concls, "sum_last: the range may be empty")
    split = ("+", ("sum", i, low, minus(high, ONE), body), substitute(body, i, high))
    require(settled(s, facts) or settled(split, facts), "sum_last: neither side is known to be defined")
    return Theorem(all_hyps(*facts), ("=", minus(s, split)))


@rule("term", "thms")
def floor_bounds(u: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """floor(u) is an integer with floor(u) <= u < floor(u) + 1."""
    require(settled(u, facts), "floor_bounds: the term may be undefined")
    f = ("floor", u)
    return Theorem(all_hyps(*facts), ("and", ("isint", f), (">=", minus(u, f)), gt(("+", f, ONE), u)))


@rule("term")
def zero_power(a: Node) -> Theorem:
    """0^a = 0 for a > 0."""
    return Theorem(frozenset(((">", a),)), ("=", ("^", ZERO, a)))
