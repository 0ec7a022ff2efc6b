"""Formulas by their shape: conjunctions, implications, quantifiers, disjunctions; comparisons are asked for in turn."""

from __future__ import annotations

from collections.abc import Mapping

from qtheory.proofs.kernel.terms import ZERO, KernelError, Node, free, neg_term, substitute
from qtheory.proofs.tactics.applied import applied, from_universal
from qtheory.proofs.tactics.beyond import by_closed_form, by_summands, mixed, summed
from qtheory.proofs.tactics.builder import RELATIONS, Facts, Step, Stuck, apply, attempt, hyp, parts, unused
from qtheory.proofs.tactics.cases import by_signs, equal_from
from qtheory.proofs.tactics.conditions import whole_from_floor
from qtheory.proofs.tactics.curvature import by_curvature
from qtheory.proofs.tactics.existence import existential
from qtheory.proofs.tactics.moments import described, moments, shape
from qtheory.proofs.tactics.numeric import holds_at
from qtheory.proofs.tactics.order import occurring
from qtheory.proofs.tactics.recursion import by_recursion, over
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.strategy import Strategy, by_cost
from qtheory.proofs.tactics.tending_powers import by_logarithm, tending
from qtheory.proofs.tactics.whole_numbers import by_remainders


def by_facts(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A comparison, or that a term is an integer, from what is known of all values, or as an atom."""
    found = from_universal(search, goal, facts, facts)
    if found is not None:
        return found
    known = applied(search, facts)
    lemmas = [f for f in known[len(facts):] if f.concl[0] == "all"]
    return from_universal(search, goal, known, lemmas) or search.atom(goal, known, depth)


def by_definedness(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A term is defined, by what is seen of its parts."""
    known = applied(search, facts)
    return apply("defined", goal[1], (*known, *search.define(goal[1], known)))


def conjunction(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """Each part."""
    return apply("and_intro", tuple(search.solve(g, facts, depth) for g in goal[1:]))


def implication(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The conclusion, where the premise is assumed."""
    return apply("imp_intro", goal[1], solve_with(search, goal[2], parts(hyp(goal[1])), facts, depth))


def solve_with(search: Search, goal: Node, assumed: list[Step], facts: Facts, depth: int) -> Step:
    """Solve under assumptions; one that is a disjunction or an existence is taken apart first, unless the goal is known
    as it stands: a lemma with cases is then not shown case by case again."""
    found = as_known(goal, {f.concl: f for f in (*search.given, *facts, *assumed)})
    if found is not None:
        return found
    for i, a in enumerate(assumed):
        others = assumed[:i] + assumed[i + 1:]
        if a.concl[0] == "or":
            cases = [impossible_case(search, c, goal, [*facts, *others])
                     or solve_with(search, goal, [*parts(hyp(c)), *others], facts, depth) for c in a.concl[1:]]
            cases = [restored(c, p) for c, p in zip(cases, a.concl[1:], strict=True)]
            return apply("or_elim", a, tuple(cases), goal)
        if a.concl[0] == "ex":
            y = unused("y", (*facts, *assumed), goal)
            body = substitute(a.concl[2], a.concl[1], y)
            use = solve_with(search, goal, [*parts(hyp(body)), *others], facts, depth)
            return apply("ex_elim", a, y, restored(use, body))
    return search.solve(goal, [*facts, *assumed, *whole_from_floor(assumed)], depth)


def by_cases_at_once(search: Search, goal: Node, assumed: list[Step], depth: int) -> Step:
    """As ``solve_with``, where many disjunctions are assumed, of which few bear on the goal: those with a case that is
    a part of it come first, then those that speak of the same; and a case in which the goal follows at once is not
    taken apart further."""
    search.tick()
    disjunctions = [a for a in assumed if a.concl[0] == "or"]
    if not disjunctions:
        return solve_with(search, goal, assumed, [], depth)
    if goal[0] == "and":  # on each part others bear
        return apply("and_intro", tuple(by_cases_at_once(search, g, assumed, depth) for g in goal[1:]))
    found = at_once(search, goal, assumed)
    if found is not None:
        return found
    if goal[0] == "imp":
        return apply("imp_intro", goal[1], by_cases_at_once(search, goal[2], [*parts(hyp(goal[1])), *assumed], depth))
    wanted, spoken = {*_parts(goal)}, _spoken(goal)
    chosen = max(disjunctions, key=lambda a: (len(wanted & {*a.concl[1:]}), len(spoken & _spoken(a.concl))))
    others, cases = [a for a in assumed if a is not chosen], []
    for case in chosen.concl[1:]:
        now = [*parts(hyp(case)), *others]
        step = impossible_case(search, case, goal, others) or (
            by_cases_at_once(search, goal, now, depth) if len(disjunctions) > 1 else
            at_once(search, goal, now) or solve_with(search, goal, now, [], depth))
        cases.append(restored(step, case))
    return apply("or_elim", chosen, tuple(cases), goal)


def _parts(goal: Node) -> list[Node]:
    return [p for g in goal[1:] for p in _parts(g)] if goal[0] in ("and", "or") else [goal]


def _spoken(formula: Node) -> set[Node]:
    """The variables, and values of functions, in its comparisons."""
    return {s for p in _parts(formula) if p[0] in RELATIONS for s in occurring(p[1])
            if isinstance(s, str) or (isinstance(s, tuple) and s[0] == "app")}


def at_once(search: Search, goal: Node, facts: Facts) -> Step | None:
    """The goal by combinations of the facts, or as they contradict each other; None where that is not seen."""
    try:
        return apply("absurd", search.combined((">", ZERO), facts, 1), goal)
    except (Stuck, KernelError):
        return following(search, goal, {f.concl: f for f in facts}, facts)


def following(search: Search, goal: Node, known: Mapping[Node, Step], facts: Facts) -> Step | None:
    """The goal as it is known, or its parts, by combinations alone; an equation by two of them too."""
    if goal in known:
        return known[goal]
    if goal[0] == "and":
        shown = []
        for g in goal[1:]:
            if (step := following(search, g, known, facts)) is None:
                return None
            shown.append(step)
        return apply("and_intro", tuple(shown))
    if goal[0] == "or":
        step = next((s for g in goal[1:] if (s := following(search, g, known, facts)) is not None), None)
        return None if step is None else apply("or_intro", step, goal)
    if goal[0] == "def":
        return attempt("defined", goal[1], tuple(facts))
    found = search.quick(goal, facts) if goal[0] in RELATIONS else None
    if found is None and goal[0] == "=":
        above, below = (search.quick((">=", t), facts) for t in (goal[1], neg_term(goal[1])))
        found = equal_from(search, goal, above, below) if above and below else None
    return found


def as_known(goal: Node, known: Mapping[Node, Step]) -> Step | None:
    """The goal where it, or what it is made of, is among these facts as it stands."""
    if goal in known:
        return known[goal]
    if goal[0] == "and":
        parts_of = [as_known(g, known) for g in goal[1:]]
        shown = tuple(step for step in parts_of if step is not None)
        return apply("and_intro", shown) if len(shown) == len(parts_of) else None
    step = next((known[g] for g in goal[1:] if g in known), None) if goal[0] == "or" else None
    return None if step is None else apply("or_intro", step, goal)


def impossible_case(search: Search, case: Node, goal: Node, facts: Facts) -> Step | None:
    """The goal in the case that a term has no value, where the facts give it one."""
    if case[0] != "undef":
        return None
    try:
        value = apply("defined", case[1], (*facts, *search.define(case[1], facts)))
    except (Stuck, KernelError):
        return None
    return apply("clash", value, hyp(case), goal)


def for_all(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """At a value of which nothing is known."""
    _, x, body = goal
    if all(x not in free(h) for f in facts for h in f.hyps):
        return apply("all_intro", x, search.solve(body, [f for f in facts if x not in f.variables], depth))
    y = unused(x.rstrip("'"), facts, body)
    renamed = substitute(body, x, y)
    step = apply("all_intro", y, search.solve(renamed, facts, depth))
    back = apply("all_intro", x, apply("all_elim", hyp(step.concl), x, ()))
    return apply("cut", step, back)


# ---- disjunctions ----

def one_part(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """A part that is known, or that no point contradicts."""
    found = as_known(goal, {f.concl: f for f in facts})
    if found is not None:
        return found
    points = search.points(goal, facts)
    for part in goal[1:]:
        if part[0] == "undef" or (points and not holds_at(part, points)):
            continue
        try:
            return apply("or_intro", search.solve(part, facts, depth), goal)
        except (Stuck, KernelError):
            search.tick()
    raise Stuck("no part of the disjunction is proved")


def part_by_sign(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    return by_signs(search, goal, facts)


def part_by_remainder(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    return by_remainders(search, goal, facts, (2, 3, 4), sorted(free(goal)))


def excluded_middle(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    """The first part, or its complement, which must give the rest."""
    head, rest = goal[1], ("or", *goal[2:])
    middle = apply("excluded_middle", head)
    yes = apply("or_intro", hyp(head), goal)
    other = middle.concl[2]
    no = solve_with(search, rest, parts(hyp(other)), facts, depth - 1)
    inner = apply("or_elim", no, tuple(apply("or_intro", hyp(g), goal) for g in goal[2:]), goal)
    return apply("or_elim", middle, (yes, restored(inner, other)), goal)


def restored(step: Step, formula: Node) -> Step:
    """A step that used the conjuncts of a formula as hypotheses, with the formula itself as hypothesis."""
    for leaf in parts(hyp(formula)):
        if leaf.concl in step.hyps and leaf.concl != formula:
            step = apply("cut", leaf, step)
    return step


def described_value(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    return described(search, goal, facts, depth)


def means(search: Search, goal: Node, facts: Facts, depth: int) -> Step:
    return moments(search.plainly(), goal, facts)


FORMULAS = by_cost(
    Strategy("comparison", 10, by_facts, lambda search, goal, facts, depth: goal[0] in (*RELATIONS, "isint"),
             "asks for a comparison, with the lemmas whose premises hold and the universal facts that fit",
             ("x + 1 > 1", "x > 0")),
    Strategy("definedness", 10, by_definedness, lambda search, goal, facts, depth: goal[0] == "def",
             "shows that a term has a value", (), "a formula that asks for it, as limits do"),
    Strategy("conjunction", 10, conjunction, lambda search, goal, facts, depth: goal[0] == "and",
             "proves each part", ("And(x + 1 > 1, x + 2 > 2)", "x > 0")),
    Strategy("implication", 10, implication, lambda search, goal, facts, depth: goal[0] == "imp",
             "assumes the premise, taken apart where it is a disjunction or an existence",
             ("Implies(x > 2, x > 1)",)),
    Strategy("mean", 20, means, lambda search, goal, facts, depth: goal[0] in ("all", "ex") and
             shape(goal) is not None,
             "E, Var and Pr of a stated law, series and integrals without an end, and limits of such terms, by closed "
             "forms of the sums and integrals", ("Sum(k*q**k, (k, 0, oo)) == q/(1 - q)**2", "0 <= q < 1"),
             "polynomials with weights a**k or exp(-s*k) that fall, or c**k/k! alone"),
    Strategy("described value", 21, described_value,
             lambda search, goal, facts, depth: goal[0] == "ex" and goal[1].startswith("v") and goal[1].endswith("'"),
             "a formula about the value of an endless operator, from that value",
             ("E(X, (X, Exponential(mu))) > 0", "mu > 0")),
    Strategy("limit of summands", 22, by_summands, lambda search, goal, facts, depth: depth > 1 and mixed(goal),
             "the limit of a sum, of which some summands fall like weights, from those of the two parts",
             ("SequenceLimit(1/n + q**n, n, 0)", "0 <= q < 1"), "a sum"),
    Strategy("limit of a closed form", 23, by_closed_form, lambda search, goal, facts, depth: depth > 1 and summed(
        goal), "the limit of partial sums, or integrals, from that of a closed form, which SymPy proposes",
             ("Sum(1/(k*(k + 1)), (k, 1, oo)) == 1",), "a closed form, and its limit"),
    Strategy("limit of a power", 25, by_logarithm, lambda search, goal, facts, depth: depth > 1 and
             tending(goal) is not None, "the limit of a power, or exponential, from that of its logarithm",
             ("SequenceLimit((1 + 1/n)**n, n, exp(1))",), "a limit that is positive, or oo"),
    Strategy("curvature", 30, by_curvature, lambda search, goal, facts, depth: goal[0] == "all",
             "an inequality of convexity, by the second derivative", ("StrictlyConvex(x*log(x), x, x > 0)",)),
    Strategy("every value", 31, for_all, lambda search, goal, facts, depth: goal[0] == "all",
             "takes a value of which nothing is known", ("ForAll(t, t > x, t > x - 1)",)),
    Strategy("one part", 40, one_part, lambda search, goal, facts, depth: goal[0] == "or",
             "proves a part that no point contradicts", ("Or(x > 1, x > 0)", "x > 0")),
    Strategy("part by sign", 41, part_by_sign, lambda search, goal, facts, depth: goal[0] == "or",
             "whatever the sign of the first part's term, a part follows by combination", ("Or(x > 0, x < 1)",)),
    Strategy("part by remainder", 42, part_by_remainder, lambda search, goal, facts, depth: goal[0] == "or" and
             depth > 0 and any(f.concl[0] == "isint" for f in facts),
             "a part for each remainder of the integers", (),
             "integers among the variables, and parts that are equations or say that a term is an integer"),
    Strategy("excluded middle", 43, excluded_middle, lambda search, goal, facts, depth: goal[0] == "or" and depth > 0
             and len(goal) > 2,
             "assumes that the first part fails, and proves the rest", ("Or(x < 0, exp(x) >= 1)",)),
    Strategy("recursion of several", 9, by_recursion, lambda search, goal, facts, depth: depth > 0 and
             goal[0] == "and" and over(goal, facts) is not None,
             "what a recursion keeps together, each part of the next value from all parts of the one before",
             ("And(b(n) > 0, b(n) <= 1)", "b in functions", "n in naturals", "b(0) == 1",
              "ForAll(k, k in naturals, b(k + 1) == a*b(k)/(k + 1 + a*b(k)))", "a > 0"), "as recursion"),
    Strategy("recursion", 45, by_recursion, lambda search, goal, facts, depth: depth > 0 and
             over(goal, facts) is not None, "what a recursion keeps, by induction",
             ("b(n) > 0", "b in functions", "n in naturals", "b(0) == 1",
              "ForAll(k, k in naturals, b(k + 1) == a*b(k)/(k + 1 + a*b(k)))", "a > 0"),
             "a fact that gives the next value of a function, and an integer with a number below it"),
    Strategy("existence", 50, existential, lambda search, goal, facts, depth: goal[0] == "ex",
             "looks for a value by the strategies for existences", ("Exists(t, t > x, t < x + 1)",)),
)
