"""Rules of logic, definedness, integers and sums.  Names and arguments are those of the certificate format."""

from __future__ import annotations

from .errors import RecheckError, demand
from .graph import (
    FALSE,
    MINUS_ONE,
    ONE,
    ZERO,
    Node,
    add,
    asserted,
    complement,
    conjunction,
    difference,
    make,
    opposite,
    power,
    relation,
    replace,
    strict_parts,
    var,
)
from .judgement import NOTHING, Facts, Judgement, is_comparison, need_defined, pooled, rule
from .quotients import integral, vanishes


@rule("formula")
def hyp(phi: Node) -> Judgement:
    return Judgement(frozenset((phi,)), phi)


@rule("thms")
def and_intro(thms: Facts) -> Judgement:
    return Judgement(pooled(thms), conjunction(*(t.claim for t in thms)))


@rule("thm", "int")
def and_elim(thm: Judgement, i: int) -> Judgement:
    demand(thm.claim.op == "and" and 0 <= i < len(thm.claim.kids), "and_elim: no such part")
    return Judgement(thm.hyps, thm.claim.kids[i])


@rule("thm", "formula")
def or_intro(thm: Judgement, phi: Node) -> Judgement:
    demand(phi.op == "or" and thm.claim in phi.kids, "or_intro: not a part")
    return Judgement(thm.hyps, phi)


@rule("thm", "thms", "formula")
def or_elim(thm: Judgement, cases: Facts, goal: Node) -> Judgement:
    demand(thm.claim.op == "or" and len(cases) == len(thm.claim.kids), "or_elim: one case for each part")
    demand(all(c.claim is goal for c in cases), "or_elim: a case for another goal")
    left = [case.hyps - {part} for part, case in zip(thm.claim.kids, cases, strict=True)]
    return Judgement(thm.hyps.union(*left), goal)


@rule("formula", "thm")
def imp_intro(phi: Node, thm: Judgement) -> Judgement:
    return Judgement(thm.hyps - {phi}, make("imp", phi, thm.claim))


@rule("thm", "thm")
def imp_elim(thm: Judgement, premise: Judgement) -> Judgement:
    demand(thm.claim.op == "imp" and thm.claim.kids[0] is premise.claim, "imp_elim: another premise")
    return Judgement(thm.hyps | premise.hyps, thm.claim.kids[1])


@rule("thm", "thm")
def cut(lemma: Judgement, thm: Judgement) -> Judgement:
    return Judgement(lemma.hyps | (thm.hyps - {lemma.claim}), thm.claim)


@rule("name", "thm")
def all_intro(x: str, thm: Judgement) -> Judgement:
    demand(not speak_of(x, thm.hyps), f"all_intro: a hypothesis speaks of {x}")
    return Judgement(thm.hyps, make("all", thm.claim, tag=x))


@rule("thm", "term", "thms")
def all_elim(thm: Judgement, t: Node, facts: Facts) -> Judgement:
    demand(thm.claim.op == "all", "all_elim: nothing universal")
    need_defined(facts, t)
    return Judgement(thm.hyps | pooled(facts), replace(thm.claim.kids[0], thm.claim.tag, t))


@rule("thm", "name", "term", "thms")
def instance(thm: Judgement, x: str, t: Node, facts: Facts) -> Judgement:
    need_defined(facts, t)
    hyps = frozenset(replace(h, x, t) for h in thm.hyps)
    return Judgement(hyps | pooled(facts), replace(thm.claim, x, t))


@rule("formula", "term", "thm", "thms")
def ex_intro(phi: Node, t: Node, thm: Judgement, facts: Facts) -> Judgement:
    demand(phi.op == "ex", "ex_intro: nothing existential")
    demand(thm.claim is replace(phi.kids[0], phi.tag, t), "ex_intro: not the instance")
    need_defined(facts, t)
    return Judgement(thm.hyps | pooled(facts), phi)


@rule("thm", "name", "thm")
def ex_elim(thm: Judgement, y: str, use: Judgement) -> Judgement:
    demand(thm.claim.op == "ex", "ex_elim: nothing existential")
    body = thm.claim.kids[0]
    demand(y == thm.claim.tag or y not in body.free, f"ex_elim: the statement speaks of {y}")
    rest = use.hyps - {replace(body, thm.claim.tag, var(y))}
    demand(not speak_of(y, rest | {use.claim}), f"ex_elim: {y} is not fresh")
    return Judgement(thm.hyps | rest, use.claim)


@rule("formula")
def excluded_middle(phi: Node) -> Judgement:
    return Judgement(NOTHING, make("or", phi, complement(phi)))


@rule("thm", "thm", "formula")
def clash(thm: Judgement, other: Judgement, goal: Node) -> Judgement:
    demand(other.claim is complement(thm.claim), "clash: no complements")
    return Judgement(thm.hyps | other.hyps, goal)


@rule("thm", "formula")
def absurd(thm: Judgement, goal: Node) -> Judgement:
    claim = thm.claim
    if claim is not FALSE:
        demand(is_comparison(claim) and claim.kids[0].op == "num", "absurd: not plainly false")
        v = claim.kids[0].value
        demand(not {">": v > 0, ">=": v >= 0, "=": v == 0, "!=": v != 0}[claim.op], "absurd: true")
    return Judgement(thm.hyps, goal)


@rule("term", "thms")
def trichotomy(t: Node, facts: Facts) -> Judgement:
    need_defined(facts, t)
    return Judgement(pooled(facts), make("or", make(">", t), make("=", t), make(">", opposite(t))))


@rule("term", "thms")
def defined(t: Node, facts: Facts) -> Judgement:
    need_defined(facts, t)
    return Judgement(pooled(facts), make("def", t))


@rule("thm", "term")
def condition(thm: Judgement, s: Node) -> Judgement:
    demand(s in asserted(thm.claim), "condition: not a subterm")
    if s.op == "^":
        n = s.kids[1].whole
        demand(n is not None and n < 0, "condition: no negative integer power")
        return Judgement(thm.hyps, make("!=", s.kids[0]))
    demand(s.op in ("log", "sqrt"), "condition: this operation has none")
    return Judgement(thm.hyps, make(">" if s.op == "log" else ">=", s.kids[0]))


@rule("term", "term", "thm")
def undefined(t: Node, s: Node, thm: Judgement) -> Judgement:
    demand(s in set(strict_parts(t)), "undefined: not a subterm")
    demand(thm.claim in failures(s), "undefined: the premise does not say that the condition fails")
    return Judgement(thm.hyps, make("undef", t))


def failures(s: Node) -> list[Node]:
    """Formulas under each of which the term s is undefined."""
    if s.op == "log":
        return [make(">=", opposite(s.kids[0]))]
    if s.op == "sqrt":
        return [make(">", opposite(s.kids[0]))]
    if s.op == "diff":
        return [make("undef", replace(s.kids[0], s.tag, s.kids[1]))]
    if s.op == "^":
        a, b = s.kids
        fractional = relation("!=", b, make("floor", b))
        return [conjunction(make(">", opposite(a)), fractional), conjunction(make("=", a), make(">", opposite(b)))]
    if s.op == "W":
        below = relation(">", opposite(make("exp", MINUS_ONE)), s.kids[0])
        return [below] if s.tag == 0 else [below, make(">=", s.kids[0])]
    if s.op in ("sum", "int"):
        return _within(s)
    raise RecheckError("undefined: this operation has no condition")


def _within(s: Node) -> list[Node]:
    """Failures of a sum or an integral: inside its range, and for a sum at its ends."""
    low, high, body = s.kids
    demand(s.tag not in low.free and s.tag not in high.free, f"undefined: an end speaks of {s.tag}")
    i = var(s.tag)
    place = (relation(">=", i, low), relation(">=", high, i), make("undef", body))
    if s.op == "int":
        turned = (relation(">=", i, high), relation(">=", low, i), make("undef", body))
        return [make("ex", conjunction(*p), tag=s.tag) for p in (place, turned)]
    broken = [relation("!=", end, make("floor", end)) for end in (low, high)]
    return [make("ex", conjunction(make("isint", i), *place), tag=s.tag), *broken,
            relation(">", difference(low, ONE), high)]


@rule("thm", "thm", "name", "formula", "term", "term")
def rewrite(equation: Judgement, thm: Judgement, z: str, template: Node, old: Node, new: Node) -> Judgement:
    demand(equation.claim.op == "=", "rewrite: no equation")
    demand({old, new} <= asserted(equation.claim), "rewrite: a side may be undefined")
    demand(vanishes(difference(equation.claim.kids[0], difference(old, new))), "rewrite: another equation")
    demand(thm.claim is replace(template, z, old), "rewrite: the premise does not fit")
    return Judgement(equation.hyps | thm.hyps, replace(template, z, new))


@rule("term", "thms")
def integral_polynomial(t: Node, facts: Facts) -> Judgement:
    need_defined(facts, t)
    integral(t, (f.claim.kids[0] for f in facts if f.claim.op == "isint"))
    return Judgement(pooled(facts), make("isint", t))


@rule("thm", "thm")
def gap(whole: Judgement, positive: Judgement) -> Judgement:
    demand(whole.claim.op == "isint", "gap: not an integer")
    t = whole.claim.kids[0]
    demand(positive.claim is make(">", t), "gap: another term")
    return Judgement(whole.hyps | positive.hyps, relation(">=", t, ONE))


@rule("name", "term", "formula", "thm", "thm", "thm")
def induction(n: str, base: Node, phi: Node, whole: Judgement, start: Judgement, step: Judgement) -> Judgement:
    demand(n not in base.free, "induction: the base speaks of n")
    demand(whole.claim is make("isint", base), "induction: the base may be no integer")
    demand(start.claim is replace(phi, n, base), "induction: another start")
    demand(step.claim is replace(phi, n, add(var(n), ONE)), "induction: another step")
    whole_n, above = make("isint", var(n)), relation(">=", var(n), base)
    rest = step.hyps - {whole_n, above, phi}
    demand(not speak_of(n, rest), "induction: another hypothesis speaks of n")
    claim = make("all", make("imp", conjunction(whole_n, above), phi), tag=n)
    return Judgement(whole.hyps | start.hyps | rest, claim)


@rule("term", "thms")
def sum_empty(s: Node, facts: Facts) -> Judgement:
    demand(s.op == "sum", "sum_empty: not a sum")
    low, high, _ = s.kids
    demand(any(f.claim is make("isint", low) for f in facts), "sum_empty: the lower end may be no integer")
    need_defined(facts, high)
    demand(vanishes(add(high, ONE, opposite(low))), "sum_empty: the range is not empty")
    return Judgement(pooled(facts), make("=", s))


@rule("term", "thms")
def sum_last(s: Node, facts: Facts) -> Judgement:
    demand(s.op == "sum", "sum_last: not a sum")
    low, high, body = s.kids
    wanted = {make("isint", low), make("isint", high), relation(">=", high, low)}
    demand(wanted <= {f.claim for f in facts}, "sum_last: a condition is missing")
    shorter = make("sum", low, difference(high, ONE), body, tag=s.tag)
    split = add(shorter, replace(body, s.tag, high))
    try:
        need_defined(facts, s)
    except RecheckError:
        need_defined(facts, split)
    return Judgement(pooled(facts), relation("=", s, split))


@rule("term", "thms")
def floor_bounds(u: Node, facts: Facts) -> Judgement:
    need_defined(facts, u)
    f = make("floor", u)
    claim = conjunction(make("isint", f), relation(">=", u, f), relation(">", add(f, ONE), u))
    return Judgement(pooled(facts), claim)


@rule("term")
def zero_power(a: Node) -> Judgement:
    return Judgement(frozenset((make(">", a),)), make("=", power(ZERO, a)))


def speak_of(x: str, formulas: frozenset[Node]) -> bool:
    return any(x in f.free for f in formulas)

