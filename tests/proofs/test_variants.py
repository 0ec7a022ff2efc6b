"""False variants: each differs from a true statement by one change and is refuted by a certificate."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from false_neighbours import Variant, variants
from text_mutations import mutations, tokens

from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.builder import certificate

TRUE = {
    "logarithm": Statement("-log(1-x) > x", ("0 < x < 1",)),
    "bernoulli": Statement("(1+x)**n >= 1 + n*x", ("x > -1", "n in naturals")),
    "maximum": Statement("Max(2*l, W + X - l) >= V + l",
                         ("W >= V + l", "X >= 2*l", "l >= 0", "W >= 0", "X >= 0", "V >= 0")),
    "derivative": Statement("Eq(diff(t/(1-t)+log(1-t), t), t/(1-t)**2)", ("0 < t < 1",)),
    "threshold": Statement("theta0 >= gamma/(1+gamma)",
                           ("theta0/(1-theta0) + log(1-theta0) == gamma", "gamma > 0", "0 < theta0 < 1")),
    "sum": Statement("Sum(i, (i, 1, n)) == n*(n+1)/2", ("n in naturals",)),
    "integral": Statement("Eq(Integral(a + b*N*exp(-p*t), (t, 0, -log(1-u)/p)), -a*log(1-u)/p + b*N*u/p)",
                          ("0 < u < 1", "p > 0")),
    "definition": Statement("f(x) >= x**2/2", ("x >= 0",), ("f(y) = exp(y) - 1 - y",)),
}


@pytest.fixture(scope="module", params=[pytest.param(name, marks=[pytest.mark.slow] * (name == "threshold"))
                                        for name in TRUE])
def made(request: pytest.FixtureRequest) -> tuple[Statement, list[Variant]]:
    statement = TRUE[request.param]
    return statement, variants(statement)


def test_there_are_twenty_of_many_sorts(made: tuple[Statement, list[Variant]]) -> None:
    _, found = made
    assert len(found) == 20
    assert max(Counter(v.sort for v in found).values()) <= 3
    assert sum(v.near for v in found) >= 5


def test_each_is_another_statement_and_refuted(made: tuple[Statement, list[Variant]]) -> None:
    statement, found = made
    assert len({v.statement.formulas for v in found} | {statement.formulas}) == len(found) + 1
    for v in found:
        stated, _ = check(certificate(v.statement, "refuted", v.refutation.step), v.statement)
        assert stated.same(v.statement)


def test_the_change_is_of_one_place(made: tuple[Statement, list[Variant]]) -> None:
    statement, found = made
    texts = (statement.goal, *statement.where, *statement.let)
    for v in found:
        changed = set((v.statement.goal, *v.statement.where, *v.statement.let)) - set(texts)
        assert len(changed) <= 1
        assert v.change.startswith(tuple(texts) + tuple(f"without {t}" for t in texts))


def test_variants_are_reproducible() -> None:
    statement = Statement("x**2 + 1 >= 2*x")
    first, second = variants(statement, 6, seed=3), variants(statement, 6, seed=3)
    assert [v.change for v in first] == [v.change for v in second]
    assert len(first) == 6


def test_a_statement_without_places_has_few_variants() -> None:
    found = variants(Statement("0 < 1"), 20, budget=5.0)
    assert 0 < len(found) < 20


def test_the_point_given_is_tried_first() -> None:
    statement = Statement("x + y > y", ("x > 0",))
    [given, other] = [[v.refutation.point["y"] for v in variants(statement, 10, point=point)]
                      for point in ({"y": Fraction(7)}, None)]
    assert Fraction(7) in given and Fraction(7) not in other


def test_the_count_must_be_positive() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        variants(Statement("x**2 >= 0"), 0)


def test_mutations_cover_goal_conditions_and_definitions() -> None:
    sorts = {m.sort for m in mutations(TRUE["definition"])}
    assert {"constant", "exponent", "sign", "direction", "condition", "function", "factor", "side"} <= sorts
    assert any(m.statement.let != TRUE["definition"].let for m in mutations(TRUE["definition"]))


def test_tokens_keep_their_places() -> None:
    text = "x**2 >= 10*exp(-y)"
    assert [text[t.start:t.end] for t in tokens(text)] == ["x", "**", "2", ">=", "10", "*", "exp", "(", "-", "y", ")"]
