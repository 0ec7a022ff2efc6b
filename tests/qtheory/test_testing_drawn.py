"""What the strategies and the cases draw from: their ends, the plainest first, and nothing beyond what is promised."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.errors import NoSuchExample

from qtheory.errors import InputError
from qtheory.proofs.api import read
from qtheory.proofs.kernel.grammar import Parser
from qtheory.proofs.kernel.terms import Node
from qtheory.testing import (
    Case,
    TheoremFailedError,
    conjecture,
    drawing,
    engines,
    lengths,
    theorem,
    thresholds,
    workloads,
)
from qtheory.testing.asserting import Question
from qtheory.testing.claims import Conjecture
from qtheory.testing.drawing import _ends, _points, _values
from qtheory.testing.implementations import MOST_DIGITS, Tolerance, rational
from qtheory.testing.places import Place
from qtheory.testing.strategies import _simulated
from qtheory.testing.truth import _whole, truth

LOOK = settings(derandomize=True, database=None, deadline=None, max_examples=100,
                phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("longest", [7, 9.5, True, "12"])
def test_the_longest_length_is_a_whole_number_of_at_least_8(longest: object) -> None:
    with pytest.raises(InputError, match="longest is"):
        lengths(longest=longest)  # type: ignore[arg-type]


@pytest.mark.later
def test_one_token_and_one_class_occur() -> None:
    assert find(_simulated(9), lambda law: law.mean == 1, settings=LOOK).mean == 1
    assert len(find(engines("vllm"), lambda e: len(e.classes) == 1, settings=LOOK).classes) == 1
    assert len(find(engines("vllm"), lambda e: len(e.classes) == 2, settings=LOOK).classes) == 2


@pytest.mark.later
def test_shipped_workloads_have_prompts_and_no_more_classes_than_asked() -> None:
    for unwanted in (lambda w: any(c.prompt is None for c in w.classes), lambda w: len(w.classes) > 1):
        with pytest.raises(NoSuchExample):
            find(workloads(classes=1), unwanted, settings=LOOK)


@pytest.mark.later
def test_a_threshold_lies_below_the_slots_also_where_nothing_is_asked_of_it() -> None:
    with pytest.raises(NoSuchExample):
        find(thresholds(), lambda t: not 1 <= t.k < t.N, settings=LOOK)
    assert find(thresholds(), lambda t: t.k == t.N - 1, settings=LOOK)


def test_points_begin_with_a_plain_one_and_hold_its_neighbours() -> None:
    question = Question("eb.prop-3.1.zeta")
    number = next(iter(question.parts))
    points = _points(question, number)
    plainest = points[0]
    assert sum(q.numerator + q.denominator for q in plainest.values()) <= 8
    for moved in plainest:  # each variable on its own, the others where they were
        assert sum(all((p[v] != plainest[v]) == (v == moved) for v in p) for p in points) >= 5


def test_values_come_close_to_the_ends_of_a_variable() -> None:
    question = Question("eb.lem-B.4")
    number = next(n for n in question.parts if "theta" in _points(question, n)[0])
    values = _values(question, question.theorem.parts[number], "theta")  # between 0 and 1
    assert values[0] in (Fraction(1, 2), Fraction(1, 3)) and all(0 <= v <= 1 for v in values)
    assert {Fraction(1, 10**9), 1 - Fraction(1, 10**9)} <= {*values}
    lower = _values(question, question.theorem.parts[number], "alpha_p")  # above 0, without an end
    assert min(v for v in lower if v > 0) == Fraction(1, 10**9)


@pytest.mark.parametrize(("condition", "least"), [("n in naturals", 0), ("n >= 7", 7)])
def test_integers_are_those_that_the_guide_names(condition: str, least: int) -> None:
    question = Question(conjecture("n + 1 > 0", where=["n in naturals", condition]))
    values = _values(question, question.theorem.parts[0], "n")
    named = {0, 1, 2, 3, 4, 5, 7, 10, 20, 50, 100, 199, 200, 201}
    assert {least + n for n in named} <= {*values} <= {Fraction(n) for n in range(least, least + 202)}
    shown = ", ".join(map(str, sorted(named)[:-1])) + f" and {max(named)}"
    assert shown in (Path(__file__).parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")


def test_cases_come_close_to_a_bound_of_0_however_far_it_is() -> None:
    """A tenth, a hundredth and a ten thousandth of the way from it, in one variable each."""
    question = Question("eb.prop-3.1.zeta")
    number = next(iter(question.parts))
    point = _points(question, number)[0]
    ends = _ends(question, number, point)
    for name in ("alpha_p", "alpha_d", "p0"):
        moved = sorted(float(p[name] / point[name]) for p in ends if p[name] < point[name])
        assert moved == pytest.approx([1e-4, 1e-2, 0.1], rel=1e-4), name
        assert all(p[other] == point[other] for p in ends if p[name] != point[name] for other in point if other != name)


def formula(text: str) -> Node:
    return Parser(text, {}, set()).whole()


@pytest.mark.parametrize(("term", "expected"), [
    ("sqrt(2)", False), ("exp(1) - 3", False), ("7/2", False), ("7", True), ("-7", True)])
def test_whole_numbers(term: str, expected: bool) -> None:
    assert truth(formula(f"Integer({term})"), Place({})) is expected


@pytest.mark.parametrize(("low", "high", "expected"), [
    ("7", "7", True), ("15/2", "15/2", False), ("22/3", "23/3", False), ("-23/3", "-22/3", False),
    ("7", "15/2", None), ("15/2", "8", None), ("15/2", "17/2", None), ("-8", "-15/2", None)])
def test_an_interval_that_holds_a_whole_number_says_nothing_of_what_it_encloses(low: str, high: str,
                                                                               expected: bool | None) -> None:
    """Also where the whole number is its end."""
    assert _whole((Fraction(low), Fraction(high))) is expected


@pytest.mark.parametrize("value", ["0.1", "1/10", Decimal("0.1"), Fraction(1, 10)])
def test_numbers_are_what_is_written(value: object) -> None:
    assert rational(value) == Fraction(1, 10)


def test_numbers_beyond_all_use_are_refused() -> None:
    for text in (f"1e{10 * MOST_DIGITS}", Decimal(f"1e-{10 * MOST_DIGITS}"), "1" * (MOST_DIGITS + 1)):
        with pytest.raises(ValueError, match="digits"):
            rational(text)
    assert rational(10 ** (MOST_DIGITS + 5)) == 10 ** (MOST_DIGITS + 5)
    assert rational(np.float32(0.5)) == Fraction(1, 2) == rational(np.array(0.5))
    told = [Tolerance().broken_by(2 * share, Fraction(2)) for share in (Fraction(3, 2), Fraction(10**305))]
    assert told == ["1.5 of it", "more than 1e300 times of it"]
    assert Tolerance(ulps=2).broken_by(Fraction(10**400), Fraction(10**400)) == "5e+107 ulps"
    assert Tolerance(ulps=2).broken_by(Fraction(10**300), Fraction(1, 10)) == "more than 1e300 ulps"


def test_a_sum_is_written_out_up_to_its_limit() -> None:
    """Integrals are not enclosed as they stand, but sums of them are, term by term."""
    def said(most: int) -> bool | None:
        return truth(formula(f"Sum(Integral(x, (x, 0, k)), (k, 1, {most})) == {most * (most + 1) * (2 * most + 1)}/12"),
                     Place({}))

    assert said(3) is True is said(300)
    assert said(301) is None


def test_cases_begin_at_each_point_of_the_pool_and_next_to_each_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_values", lambda *_: [None])
    monkeypatch.setattr(drawing, "_possible", lambda *_: False)  # so that no moved variable makes a case
    question = Question(conjecture("x < 2", where=["x > 0", "x < 1"]))
    pool, ends = ([{"x": Fraction(n, 9)} for n in numbers] for numbers in ((1, 2), (5, 6, 7)))
    drawn = set()

    @given(drawing._drawn(drawing.Source(question, {0: pool}, {0: ends})))
    @settings(derandomize=True, database=None, deadline=None, max_examples=100, phases=[Phase.generate])
    def collect(case: Case) -> None:
        drawn.add(case["x"])

    collect()
    assert drawn == {point["x"] for point in pool + ends}


@pytest.mark.parametrize(("goal", "where"), [
    ("n < factorial(n) + n - 1", ["n in naturals", "n >= 1"]), ("1 < n**(1/2)", ["n in naturals", "n >= 1"]),
    ("factorial(n) != n", ["n in naturals", "n >= 3 - 2*n"]), ("exp(log(n)) > 1", ["n in naturals", "n >= 1"])])
def test_what_is_false_only_where_both_sides_are_the_same_number_fails(goal: str, where: list[str]) -> None:
    stated = Conjecture(goal, read(goal, where))  # the referee, who refutes it, is not asked
    test = theorem(stated, max_examples=60, settings=LOOK)(lambda: None)
    with pytest.raises(TheoremFailedError, match=r"at n = [12]\b"):
        test()


def test_points_that_no_enclosure_decides_are_told_of() -> None:
    goal = "log(3*x**2 + 2*sqrt(2)*x**2) < 2*log(x + x*sqrt(2)) + x - 1"
    test = theorem(Conjecture(goal, read(goal, ["x >= 1"])), max_examples=3, settings=LOOK)(lambda: None)
    with pytest.warns(UserWarning, match="no enclosure decides it at 1 of the points .* at x = 1$"):
        test()


@pytest.mark.parametrize("end", [0, 10])
def test_what_is_wrong_only_at_a_number_that_is_allowed_and_ends_the_range_fails(end: int) -> None:
    stated = Conjecture("w > 0", read("w > 0", ["0 <= x", "x <= 10", "y > 0", "z > 0"], "w = x + y + z"))
    test = theorem(stated, {"w": lambda x, y, z: x + y + z if x != end else 7}, max_examples=5, settings=LOOK)
    with pytest.raises(TheoremFailedError, match=f"at x = {end},"):
        test(lambda: None)()
