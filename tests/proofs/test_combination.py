"""Combinations of facts: where a system has one solution, no linear program is solved for it; what is kept is right."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from scipy.optimize import linprog

from qtheory.proofs.functions import exp
from qtheory.proofs.tactics import combination, program
from qtheory.proofs.tactics.builder import Stuck, hyp
from qtheory.proofs.tactics.combination import Combiner
from qtheory.proofs.tactics.effort import spent
from qtheory.proofs.tactics.lemmas import cheaply, with_lemmas
from qtheory.proofs.tactics.monomials import below_bar, exponents_below, packed, packed_poly, quotients, split, unpacked
from qtheory.proofs.tactics.prover import ORDINARY
from qtheory.proofs.tactics.signed import PolyFact
from qtheory.proofs.tactics.weights import SMALL, _only_one, weighted


def weights(matrix: np.ndarray, right: np.ndarray, free: np.ndarray) -> np.ndarray | None:
    ri, ci = np.nonzero(matrix)
    return _only_one(ri, ci, matrix[ri, ci], right, free)


def test_the_only_weights_are_those_of_the_program() -> None:
    rng = np.random.default_rng(0)
    found = none = 0
    for _ in range(300):
        columns = int(rng.integers(1, 6))
        matrix = rng.integers(-3, 4, (columns + int(rng.integers(0, 4)), columns)).astype(float)
        free = rng.random(columns) < 0.3
        right = matrix @ rng.integers(-1, 3, columns) + (rng.random(len(matrix)) < 0.02)
        bounds = [(None if f else 0, None) for f in free]
        program = linprog(np.ones(columns), A_eq=matrix, b_eq=right, bounds=bounds, method="highs")
        try:
            only = weights(matrix, right, free)
        except Stuck:
            none += 1
            assert program.status == 2
            continue
        if only is not None:
            found += 1
            assert program.status == 0 and np.allclose(only, program.x, atol=1e-7)
    assert found > 80 and none > 80


def test_equations_are_multiplied_until_they_meet_the_target_through_each_other() -> None:
    """For a t: of a = b, b = c and c = d each times t, that it meets through those before it; not d = e, a fourth."""
    equations = [("=", ("+", x, ("*", Fraction(-1), y))) for x, y in ("ab", "bc", "cd", "de")]
    combiner = Combiner([hyp(e) for e in equations])
    target, _ = combiner.forms.form(("*", "a", "t"))
    found = combiner.equation_columns(packed_poly(target), combiner.polynomial_facts())
    times_t = [combiner.forms.form(("*", "t", term))[0] for _, term in equations[:3]]
    assert [{unpacked(m): c for m, c in f.poly.items()} for f in found] == times_t


def test_both_ways_to_highs_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit by bit, though one solver is used again and again and the other each time a new one."""
    rng = np.random.default_rng(1)
    solved = 0
    for _ in range(60):
        shape = int(rng.integers(1, 8)), int(rng.integers(2, 14))
        matrix = rng.integers(-2, 4, shape) * (rng.random(shape) < 0.6) * 1.0
        right = matrix @ np.maximum(rng.integers(-2, 3, shape[1]), 0) + (rng.random(shape[0]) < 0.05)
        lower = np.where(rng.random(shape[1]) < 0.2, -np.inf, 0.0)
        more = int(rng.random() < 0.5)  # a row that may be below zero
        dense = np.vstack([rng.integers(-2, 2, (more, shape[1])) * 1.0, matrix])
        rows, columns = np.nonzero(dense)
        whole = program.by_columns(rows, columns, dense[rows, columns], dense.shape)
        placed = np.zeros(dense.shape)
        placed[whole.rows, np.repeat(np.arange(shape[1]), np.diff(whole.starts))] = whole.values
        assert np.array_equal(placed, dense)
        ask = rng.random(shape[1]) + 0.1, whole, np.append(np.zeros(more), right), lower, np.full(shape[1], 50.0), more
        direct = program.cheapest(*ask)
        other = program.by_linprog(*ask)
        assert (direct is None) == (other is None)
        if direct is not None:
            solved += 1
            assert np.array_equal(direct, other) and np.allclose(matrix @ direct, right, atol=1e-6)
    assert 10 < solved < 60
    monkeypatch.setattr(program, "highs", None)
    assert np.array_equal(program.cheapest(*ask), other) if other is not None else program.cheapest(*ask) is None


def test_what_it_does_not_decide_is_left_to_the_program() -> None:
    one = np.ones((2, 1))
    assert weights(np.ones((2, 2)), np.ones(2), np.zeros(2, bool)) is None  # many solutions
    assert weights(np.ones((1, 2)), np.ones(1), np.zeros(2, bool)) is None  # more unknowns than equations
    assert weights(one, np.array([1.0, 1.0 + 1e-7]), np.zeros(1, bool)) is None  # rounding, or no solution
    assert weights(np.ones((SMALL + 1, 1)), np.ones(SMALL + 1), np.zeros(1, bool)) is None
    with pytest.raises(Stuck):
        weights(one, np.array([1.0, 2.0]), np.zeros(1, bool))
    with pytest.raises(Stuck):
        weights(one, np.array([-1.0, -1.0]), np.zeros(1, bool))
    assert weights(one, np.array([-1.0, -1.0]), np.ones(1, bool)) == pytest.approx([-1.0])


def test_weights_of_which_there_are_many_add_up_to_a_strict_goal() -> None:
    """x + y > 0 as a sum of multiples of x > 0, y >= 0, x + 2y > 0 and 2x + y > 0, one of them strict."""
    x, y = (packed(((a, 1),)) for a in (0, 1))
    facts = [PolyFact(poly, relation, ((i, 1),)) for i, (poly, relation) in enumerate((
        ({x: 1}, ">"), ({y: 1}, ">="), ({x: 1, y: 2}, ">"), ({x: 2, y: 1}, ">")))]
    for target in ({x: 1, y: 1}, {x: 5, y: 7}, {x: 7, y: 4}):
        found = weighted(target, ">", facts)
        assert {m: sum(w * f.poly.get(m, 0) for w, f in found) for m in (x, y)} == target
        assert min(w for w, _ in found) > 0 and any(f.relation == ">" for _, f in found)


def test_a_multiple_of_a_fact_is_found_without_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = (packed(((a, 1),)) for a in (0, 1))
    weak, strict = (PolyFact({x: 2, y: Fraction(-2, 3)}, relation, ((i, 1),)) for i, relation in enumerate((">=", ">")))
    equal = PolyFact({x: 1, 0: 5}, "=", ((2, 1),))
    monkeypatch.setattr(program, "cheapest", lambda *ask: pytest.fail("a program is solved"))
    target = {y: -1, x: 3}
    assert weighted(target, ">=", [equal, weak, strict]) == [(Fraction(3, 2), weak)]
    assert weighted(target, ">", [equal, weak, strict]) == [(Fraction(3, 2), strict)]
    assert weighted({0: -10, x: -2}, "=", [equal]) == [(Fraction(-2), equal)]
    monkeypatch.undo()
    for goal in ({x: -3, y: 1}, {x: 3, y: -2}, {x: 3, y: 1}):
        with pytest.raises(Stuck):
            weighted(goal, ">=", [weak, strict])
    with pytest.raises(Stuck):
        weighted(target, ">", [weak])


def test_forks_share_no_product_with_what_each_numbers_itself() -> None:
    """z and w stand in no fact, so that each fork gives its own of them the same number; products by x are shared."""
    two = Fraction(2)
    facts = [hyp((">", "x")), hyp((">", "y")), hyp(("=", ("+", "x", ("*", Fraction(-1), "v"))))]
    base = Combiner(facts)
    terms = [("*", "x", "x", "y", ("^", v, two)) for v in ("z", "w")]
    terms += [("*", "x", "x", "x", ("+", "y", v)) for v in ("x", "w", "z", "v")] * 2
    for term in terms:
        shared, alone = base.forked(), Combiner(facts)
        target, same = (packed_poly(c.forms.form(term)[0]) for c in (shared, alone))
        assert target == same and shared.columns(target, ">=", 2, 14) == alone.columns(same, ">=", 2, 14)
    assert base.multiples_of and base.lists


def test_a_combination_sought_in_vain_counts_again_and_is_not_sought_again(monkeypatch: pytest.MonkeyPatch) -> None:
    facts, goal = [hyp((">", "x")), hyp((">", "y"))], (">", ("+", ("*", "x", "y"), Fraction(-1)))
    work = []
    for signs in (True, False):
        search = ORDINARY.search(1.0)
        started = spent()
        with pytest.raises(Stuck):
            search.combined(goal, facts, 2, signs)
        work.append(spent() - started)
        monkeypatch.setattr(Combiner, "columns", lambda *arguments: pytest.fail("sought again"))
        started = spent()
        with pytest.raises(Stuck):
            search.combined(goal, facts, 2, not signs)
        assert spent() - started >= work[-1] // 2
        monkeypatch.undo()
    assert work[0] == work[1]


def test_a_sum_of_positive_monomials_is_found_without_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    over = ("^", ("+", "x", Fraction(1)), Fraction(-1))
    facts = [hyp((">", "x")), hyp((">", "y")), hyp((">", ("+", "x", Fraction(1)))), hyp((">=", "z"))]
    combiner = Combiner(facts)
    monkeypatch.setattr(combination, "weighted", lambda *arguments: pytest.fail("a program is solved"))
    for term in (("+", ("*", "x", "x", "y"), Fraction(2)), ("*", Fraction(1, 3), ("+", "x", "y"), over)):
        for relation in (">", ">="):
            goal = (relation, term)
            step = combiner.prove(goal)
            assert step.concl == goal and step.hyps <= {f.concl for f in facts}
    for target in (("+", "x", ("*", Fraction(-1), "y")), ("+", "x", "z"), ("+", "x", "w")):
        assert not combiner.positive_parts(combiner.forms.separated(target))


def test_what_rests_on_no_more_is_taken_over_from_other_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, z = (hyp((">", v)) for v in "xyz")
    goal = (">", ("+", "x", ("exp", "y")))
    search = ORDINARY.search(1.0)
    step = cheaply(search, goal, [x, y])
    monkeypatch.setattr(Combiner, "prove", lambda *arguments: pytest.fail("sought again"))
    monkeypatch.setattr(exp, "exp_from_above", lambda *arguments: pytest.fail("sought again"))
    for means in (search.quick, search.atom, partial(cheaply, search)):
        assert means(goal, [z, y, x]) is step
    monkeypatch.undo()
    assert all(f.hyps <= {(">", "x")} for f in with_lemmas(search, goal, [x]))
    with pytest.raises(Stuck):
        cheaply(search, goal, [y, z])


def test_monomials_as_numbers_multiply_and_divide_as_written_out() -> None:
    rng = np.random.default_rng(2)
    divided = 0
    for _ in range(300):
        m, n = ({int(a): int(e) for a, e in zip(rng.choice(6, 3, replace=False), rng.integers(1, 4, 3), strict=True)}
                for _ in range(2))
        one, other = (packed(tuple(sorted(p.items()))) for p in (m, n))
        assert unpacked(one) == tuple(sorted(m.items()))
        product = {a: m.get(a, 0) + n.get(a, 0) for a in (*m, *n)}
        assert one + other == packed(tuple(sorted(product.items())))
        assert quotients(one + other, [0, one, other]) == {0: one + other, one: other, other: one}
        if any(m.get(a, 0) < e for a, e in n.items()):
            assert not quotients(one, [other])
        else:
            divided += 1
            assert unpacked(quotients(one, [other])[other]) == tuple((a, e - n.get(a, 0)) for a, e in sorted(m.items())
                                                                    if e > n.get(a, 0))
        below = below_bar(sorted(n.items()))
        assert split(one + below) == (one, below) and unpacked(one + below) == unpacked(one)
        assert exponents_below(one + below) == unpacked(other)
    assert divided > 5
    with pytest.raises(Stuck):
        packed(((0, 10**6),))
