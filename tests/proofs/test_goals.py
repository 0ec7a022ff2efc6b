"""The test set of goals: it is read, large enough, nobody's corpus, and each label is right by numbers alone."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from goals import labels, running
from goals.loading import LATER, Goal, held_out_of, kinds, read, read_all
from goals.numbers_of import Look
from goals.terms import Undefined, parsed
from mpmath import mp, mpf

from qtheory.errors import InputError
from qtheory.proofs.api import read as read_statement
from qtheory.proofs.corpus import claims

GOALS = read_all()
SLICE_BUDGET, DECIDED = 3.0, 42  # seconds a goal; of the slice's 60, those proved or refuted at least
FEW = 6  # points of each true goal's domain here; the study looks at them all
NAME = re.compile(r"[A-Za-z]\w*(?!\w*\()")


def test_each_goal_is_read_or_says_what_it_needs() -> None:
    for goal in GOALS:
        try:
            read_statement(goal.goal, goal.where, goal.let).parsed()
        except InputError as error:
            assert goal.needs, f"{goal.id}: {error}"
        assert set(goal.needs) == {name for name in LATER if f"{name}(" in goal.goal}


def test_counts() -> None:
    assert len(kinds()) >= 15
    of_kind = {truth: Counter(goal.kind for goal in GOALS if goal.true is truth) for truth in (True, False)}
    assert min(of_kind[True].values()) >= 20 and min(of_kind[False].values()) >= 20
    assert sum(of_kind[True].values()) >= 400 and sum(of_kind[False].values()) >= 300
    assert len({goal.id for goal in GOALS}) == len({goal.text for goal in GOALS}) == len(GOALS)
    assert all(goal.source for goal in GOALS)


def test_half_of_each_kind_is_held_out_by_the_rule() -> None:
    assert {goal.id for goal in GOALS if goal.held_out} == held_out_of(GOALS)
    held = Counter(goal.kind for goal in GOALS if goal.held_out)
    assert all(abs(2 * held[kind] - len(read(kind))) <= 2 for kind in kinds())


def renamed(goal: str, where: tuple[str, ...], let: tuple[str, ...]) -> str:
    """The texts without spaces, with variables called by the order in which they come."""
    text = " | ".join([goal, *sorted(where), "", *let]).replace(" ", "")
    order: dict[str, str] = {}
    return NAME.sub(lambda m: order.setdefault(m[0], f"v{len(order)}"), text)


def test_no_goal_is_a_claim_of_the_corpus() -> None:
    known = {renamed(c.statement.goal, tuple(c.statement.where), tuple(c.statement.let))
             for c in claims().values() if c.statement is not None}
    assert len(known) > 500
    assert not [goal.id for goal in GOALS if renamed(goal.goal, goal.where, goal.let) in known]


@pytest.mark.sliced(3)
@pytest.mark.parametrize("kind", kinds())
def test_labels_at_a_few_points(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "POINTS", FEW)
    monkeypatch.setattr(labels, "SPARE", 2)
    assert not [problem for goal in read(kind) for problem in labels.problems(goal)]


@pytest.mark.study
@pytest.mark.parametrize("kind", kinds())
def test_labels(kind: str) -> None:
    assert not [problem for goal in read(kind) for problem in labels.problems(goal)]


@pytest.mark.parametrize(("text", "true"), [
    ("x*exp(-x) <= exp(-1)", True), ("x*exp(-x) <= exp(-1) - 1/10**9", False),
    ("Sum(q**k, (k, 0, oo)) == 1/(1 - q)", True), ("Sum(q**k, (k, 0, oo)) == 1/(1 + q)", False),
    ("Integral(t*exp(-t), (t, x, oo)) == (1 + x)*exp(-x)", True), ("SequenceLimit((1 + 1/n)**n, n, 1)", False),
    ("limit(t**t, t, 0, \"+\") == 1", True), ("ExistsUnique(y, And(y > 0, y < 1), y == exp(2*(y - 1)))", True),
    ("ExistsUnique(y, And(y > 0, y <= 1), y == exp(2*(y - 1)))", False), ("Convex(t**3, t, t < 1)", False),
    ("E(X, (X, Geometric(q))) == 1/q", True), ("Pr(X > 1, (X, Poisson(q))) == 1 - exp(-q)", False),
])
def test_the_look_by_numbers_tells_true_from_false(text: str, true: bool) -> None:
    with mp.workdps(70):
        assert Look(ties=False).truth(parsed(text), {"x": mpf(1), "q": mpf(1) / 3}) is true


def test_the_look_by_numbers_sees_what_is_undefined() -> None:
    for text in ("1/x > 0", "log(x) < 1", "Or(x <= 0, log(x) < x)", "factorial(x - 1) > 0"):
        with pytest.raises(Undefined):
            Look().truth(parsed(text), {"x": mpf(0)})
    assert Look().truth(parsed("Implies(1/x > 0, x > 1)"), {"x": mpf(0)})


def test_a_wrong_label_is_seen() -> None:
    true = Goal("lindley.900", "Max(0, w + x) <= w + x", (), (), True, "none", False)
    assert list(labels.problems(true))
    false = Goal("lindley.901", "Max(0, w + x) >= w + x", (), (), False, "none", False, {"w": "1", "x": "-2"})
    assert list(labels.problems(false))


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path, goals = tmp_path / "goals.jsonl", [g for g in read("lindley") if not g.held_out][:3]
    assert running.run(goals, 1.0, path, most=1) == 1
    assert running.run(goals, 1.0, path) == 2
    assert running.run(goals, 1.0, path) == 0
    assert running.table(goals, path, 1.0).count("\n") == 3
    assert not [g for g in goals if running.is_wrong(g, running.results(path, 1.0)[g.text][0])]


@pytest.mark.slow
def test_a_slice_of_the_goals_by_kind(tmp_path: Path) -> None:
    """Two true and two false ones of each kind; the study runs the whole open half."""
    chosen = [goal for kind in kinds() for true in (True, False)
              for goal in [g for g in read(kind) if g.true is true and not g.held_out][:2]]
    assert len(chosen) == 60
    path = tmp_path / "goals.jsonl"
    running.run(chosen, SLICE_BUDGET, path)
    verdicts = [(goal, running.results(path, SLICE_BUDGET)[goal.text][0]) for goal in chosen]
    assert not [goal.id for goal, verdict in verdicts if running.is_wrong(goal, verdict)]
    assert sum(verdict in ("proved", "refuted") for _, verdict in verdicts) >= DECIDED
    assert running.misses(chosen, path, SLICE_BUDGET).count("\n") == 1 + sum(
        verdict not in ("proved", "refuted") for _, verdict in verdicts)
