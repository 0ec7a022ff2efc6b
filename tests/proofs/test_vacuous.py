"""What nothing meets: contradictory conditions and guards are seen, and each proof has a witness for all of them."""

from __future__ import annotations

import pytest

from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.proving.reading import read_proof
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.refute import witness
from qtheory.proofs.vacuous import NOTHING, vacuous

CONDITIONS = [
    ("x < 0", "x > 1"), ("x > y", "y > x"), ("exp(x) < 0",), ("0 > 1",), ("1/0 > 1",), ("x > log(-1)",),
    ("log(x) > x",), ("f in functions", "f(x)**2 < 0"), ("x > 0", "1/x < 0"), ("x == 1", "x == 2"), ("x != x",),
    ("Abs(x) < 0",),
    ("x**2 == -1",), ("sqrt(x) < 0",), ("x**2 + y**2 < 2*x*y",), ("exp(x) <= x",), ("floor(x) > x",),
    ("diff(x**2, x) != 2*x",), ("Or(x < -1, And(x > 1, x < 0))", "x > 0"),
    ("2*n == 7", "n in integers"), ("0 < n < 1", "n in integers"), ("n**2 == 2", "n in integers"),
    ("4*n + 6*m == 3", "n, m in integers"), ("n < 0", "n in naturals"), ("Integer(n/2)", "Integer((n + 1)/2)"),
    ("f(x) > 0", "f(y) < 0", "x == y", "f in functions"),
    ("ForAll(y, y > x, y < x)",), ("ForAll(y, y == y, y > x)",), ("Exists(y, y > 0, y < 0)",),
    ("limit(1/y, y, oo) == 1",), ("Increasing(-y, y, y > 0)",),
    # squares, products, means
    ("x*y > 1", "y*z > 1", "x*z < -1"), ("x + y + z == 0", "x*y + y*z + z*x > 0"), ("x**2 + y**2 <= 1", "x*y > 1"),
    ("x**2 + y**2 + z**2 <= 1", "x + y + z >= 2"), ("x**4 + y**4 + z**4 < x*y*z*(x + y + z)",),
    ("(x - y)**2 + (y - z)**2 == 0", "x != z"), ("x**2 + y**2 + z**2 == 0", "x*y*z != 0"), ("x**2 + x + 1 <= 0",),
    ("a > 0", "b > 0", "c > 0", "a/(b + c) + b/(c + a) + c/(a + b) < 3/2"), ("x + y == 2", "x*y == 5"),
    ("u**2 + v**2 == 1", "p**2 + q**2 == 1", "u*p + v*q > 1"), ("x**3 > 8", "x < 2"), ("exp(x) + exp(-x) < 2",),
    # integers
    ("n**2 == 2*m**2", "n > 0", "m > 0", "n, m in integers", "n < 10"), ("n*m == 7", "1 < n", "n < 7",
    "n, m in integers"), ("n**2 + m**2 == 3", "n, m in integers"), ("n**2 == 4*m + 2", "n, m in integers"),
    ("2**n == 3", "n in naturals"),
    # values that are not there
    ("1/x == 1/x", "x == 0"), ("log(x) < 5", "x == -1"), ("1/(x - y) > 0", "x == y"), ("log(x) + log(-x) > 0",),
    # what is said of all
    ("ForAll(x, x == x, x*y < 1)", "y > 0"), ("ForAll(n, Natural(n), n < y)",),
    ("ForAll(x, x == x, x**2 > y)", "y > 1"),
    ("f in functions", "ForAll(x, x == x, f(x + 1) == f(x) + 1)", "f(0) == 0", "f(3) == 4"),
]
HINTED = [  # which a strategy proves from conditions that contradict each other
    ("w > 5", ("x**2 + y**2 + z**2 == 0", "x*y*z != 0"), ["x == 0"]),
    ("w > 5", ("x**2 + 2*y**2 + 3*z**2 <= 1", "x*y + y*z + 2*x*z > 4"), ["x**2 + y**2 + z**2 <= 1",
                                                                         "x*y <= (x**2 + y**2)/2"]),
    ("s == 9", ("f in functions", "ForAll(i, And(floor(i) == i, i >= 1), f(i) > 0)", "Sum(f(i), (i, 1, n)) < 0",
                "n in naturals"), ["Sum(f(i), (i, 1, n)) >= 0"]),
]
GUARDS = [  # a goal, its conditions, and the guard that nothing meets
    ("ForAll(x, And(x > 1, x < 0), x == 5)", (), "And(x > 1, x < 0)"), ("Implies(1 > 2, x == 5)", (), "1 > 2"),
    ("Implies(x < 0, x == 5)", ("x > 1",), "x < 0"), ("Increasing(x, x, And(x > 1, x < 0))", (), "And(x > 1, x < 0)"),
    ("Convex(x**2, x, x**2 < 0)", (), "x**2 < 0"), ("ForAll(n, And(Integer(n), 2*n == 7), n == 5)", (), "2*n == 7"),
    ("ForAll(y, y > x, ForAll(z, And(z > y, z < x), z == 5))", (), "z > y"),
    ("Or(x > 0, Implies(And(x > 1, x < 1), x > 0))", (), "And(x > 1, x < 1)"),
    ("Exists(x, x > 0, Implies(x < 0, 1 > 2))", (), "x < 0"),
    ("And(x**2 >= 0, Implies(log(-1) > 0, x > 0))", (), "log(-1)"),
    ("ForAll(x, Exists(y, y > 0, y < 0), x == 5)", (), "y < 0"),
]
MET = [  # statements with guards, all of them met somewhere
    ("ForAll(x, x > 0, x > -1)", ("x < 0",)), ("Implies(x > 1, log(x) > 0)", ()), ("Implies(x > 1, x > y)", ("y < 1",)),
    ("ForAll(y, y > x, ForAll(z, z > y, z > x))", ()), ("Increasing(x**3, x, x > 0)", ()),
    ("Or(x >= 0, Implies(x < -1, x < 0), x > -2)", ()), ("ForAll(n, Integer(n), n**2 >= n)", ()),
    ("limit(x**2, x, 1) == 1", ()), ("BigO(x**2, x, x, 0)", ("y > 0",)),
    ("ExistsUnique(x, x > 0, x**2 == y)", ("y > 0",)),
]


@pytest.mark.sliced(3)
@pytest.mark.parametrize("where", CONDITIONS, ids=", ".join)
def test_contradictory_conditions_are_seen(where: tuple[str, ...]) -> None:
    statement = Statement("x == 5", where).parsed()
    assert witness(statement, after(0.5)) is None
    said = vacuous(statement, after(3.0))
    assert said == f"the conditions contradict each other: {', '.join(where)}"


@pytest.mark.parametrize(("goal", "where", "lemmas"), HINTED, ids=[g + str(w) for g, w, _ in HINTED])
def test_a_proof_that_goes_through_what_cannot_be_is_none(goal: str, where: tuple[str, ...], lemmas: list[str]) -> None:
    verdict = decide(Statement(goal, where).parsed(), proof=read_proof("".join(
        f"{n}. `{lemma}`\n" for n, lemma in enumerate(lemmas, 1)), "the proof"), budget=5)
    assert verdict.verdict == "unknown" and "the conditions contradict each other" in verdict.note


@pytest.mark.later
def test_what_a_proof_says_on_its_way_is_looked_at() -> None:
    """Where the search by itself sees no contradiction, the steps of the proof that was told one do."""
    statement = Statement("w > 5", ("x**2 + y**2 == exp(z)", "z < 1")).parsed()
    assert vacuous(statement, after(1.0)) is None
    hyps = frozenset(statement.hypotheses)
    more = Statement("And(z > 2, x == x)").parsed().conclusion[1]
    assert vacuous(statement, after(3.0), [(hyps, more)]) is not None
    assert vacuous(statement, after(3.0), [(frozenset({more}), more)]) is None  # from another hypothesis
    assert vacuous(statement, after(3.0), [(hyps, NOTHING)]) is not None


@pytest.mark.parametrize(("goal", "where", "guard"), GUARDS, ids=[g for g, _, _ in GUARDS])
def test_guards_that_nothing_meets_are_named(goal: str, where: tuple[str, ...], guard: str) -> None:
    statement = Statement(goal, where).parsed()
    assert witness(statement, after(0.5)) is None
    said = vacuous(statement, after(3.0))
    assert said is not None and said.startswith("nothing meets the guard") and guard in said


@pytest.mark.parametrize(("goal", "where"), MET, ids=[g for g, _ in MET])
def test_what_can_be_met_is_witnessed(goal: str, where: tuple[str, ...]) -> None:
    statement = Statement(goal, where).parsed()
    found = witness(statement, after(2.0))
    assert found is not None and [s.concl for s in found.steps] == list(statement.owed)
    assert vacuous(statement, after(1.0)) is None


@pytest.mark.parametrize(("goal", "where"), MET, ids=[g for g, _ in MET])
def test_a_certificate_holds_its_witnesses(goal: str, where: tuple[str, ...]) -> None:
    statement = Statement(goal, where).parsed()
    verdict = decide(statement, budget=5)
    assert verdict.verdict == "proved" and verdict.certificate is not None
    data = verdict.certificate.data
    check(data, statement)
    assert len(data["witness"]) == len(statement.owed)
    for changed in ([*data["witness"], data["main"]], data["witness"][1:], [data["main"]] * len(data["witness"])):
        if changed != data["witness"]:
            with pytest.raises(KernelError, match="the witness is for other conditions or guards"):
                check({**data, "witness": changed}, statement)


@pytest.mark.parametrize(("goal", "where", "count"), [
    ("x**2 >= 0", (), 0), ("x > 0", ("x > 1", "x > 2"), 1), ("ForAll(x, x > 0, x > 0)", (), 1),
    ("ForAll(x, x > 0, ForAll(y, y > x, y > 0))", (), 1), ("And(Implies(x > 0, x > 0), Implies(x < 0, x < 0))", (), 2),
    ("limit(x, x, a) == a", (), 0), ("limit(x, x, 1/a) == 1/a", ("a > 0",), 1),
    ("Convex(x**2, x, x > 0)", ("y > 0",), 1),
    ("ExistsUnique(x, x > 0, Implies(x > 1, x == 1))", (), 1), ("Or(Implies(x > 0, x > 0), x > 0)", (), 1),
])
def test_what_is_owed(goal: str, where: tuple[str, ...], count: int) -> None:
    assert len(Statement(goal, where).parsed().owed) == count
