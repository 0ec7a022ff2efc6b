"""Changed limits and orders are refuted by the proofs of what they were changed from; true ones never are."""

from __future__ import annotations

import json
from functools import cache

import pytest

from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.recheck import certifies
from qtheory.proofs.tactics.builder import certificate, replayed
from qtheory.proofs.tactics.contrast import Original
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.refute import Refutation, refute_by
from qtheory.proofs.tactics.search import search

AREA = "limit(Integral(exp(-s**2), (s, 0, x)), x, 0, '+') == {}"
THRESHOLD = ("t/(1 - t) + log(1 - t) == g", "g > 0", "0 < t < 1")
PROVED: dict[str, tuple[str, tuple[str, ...]]] = {
    "sequence": ("SequenceLimit((n + 1)/n, n, 1)", ()),
    "integral": (AREA.format(0), ()),
    "parameter": ("limit(exp(-a*x) + b, x, oo) == b", ("a > 0",)),
    "root": ("limit(t + 1/x, x, oo) == t", THRESHOLD),
    "left": ("limit(x**2, x, 0, '-') == 0", ()),
    "order": ("BigO(log(1 + x) - x, x**2, x, 0, '+')", ()),
    "far order": ("BigO(1/x, 1/x, x, oo)", ()),
}
CHANGED = [
    ("sequence", "SequenceLimit((n + 1)/n, n, 201/200)"), ("sequence", "SequenceLimit((n + 1)/n*199/200, n, 1)"),
    ("sequence", "SequenceLimit(-(n + 1)/n, n, 1)"), ("sequence", "SequenceLimit((n - 1)/n, n, 99/100)"),
    ("integral", AREA.format("1/200")), ("integral", AREA.replace("Integral", "1/100 - Integral").format(0)),
    ("parameter", "limit(exp(-a*x) + b, x, oo) == b*201/200"), ("parameter", "limit(exp(-a*x) + b, x, oo) == b + a"),
    ("parameter", "limit(exp(-a*x)*2 - b, x, oo) == b"),
    ("root", "limit(t + 1/x, x, oo) == t*199/200"),
    ("root", "limit((201*x + 1)*t/(200*x + 1), x, oo) == t"), ("root", "limit(t*t + 1/x, x, oo) == t"),
    ("left", "limit(x**2, x, 0, '-') == 1/200"), ("left", "limit(1/200 - x**2, x, 0, '-') == 0"),
    ("order", "BigO(log(1 + x) - x*201/200, x**2, x, 0, '+')"), ("order", "BigO(-log(1 + x) - x, x**2, x, 0, '+')"),
    ("order", "BigO(log(1 + x) - x + 1/100, x**2, x, 0, '+')"), ("far order", "BigO(1/x - 1/200, 1/x, x, oo)"),
]
TRUE = [
    ("sequence", "SequenceLimit((n + 2)/n, n, 1)"), ("integral", AREA.replace("Integral", "x - 3*Integral").format(0)),
    ("parameter", "limit(exp(-a*x)*2 + b, x, oo) == b"), ("root", "limit(t - 1/x, x, oo) == t"),
    ("left", "limit(x**2 + x, x, 0, '-') == 0"), ("order", "BigO(log(1 + x) - x + 5*x**2, x**2, x, 0, '+')"),
    ("order", "BigO(2*log(1 + x) - 2*x, x**2, x, 0, '+')"), ("far order", "BigO(1/x + 1/x**2, 1/x, x, oo)"),
]


@cache
def original(name: str) -> Original:
    statement = Statement(*PROVED[name])
    found = search(statement, budget=20.0)
    assert found.certificate is not None, found.obstacle
    return Original(statement, replayed(found.certificate))


def contrasted(name: str, goal: str) -> tuple[Statement, Refutation | None]:
    statement = Statement(goal, PROVED[name][1])
    return statement, refute_by(original(name), statement, after(3.0))


@pytest.mark.parametrize(("name", "goal"), CHANGED)
def test_changed_statements_are_refuted(name: str, goal: str) -> None:
    statement, found = contrasted(name, goal)
    assert found is not None
    data = json.loads(json.dumps(certificate(statement, "refuted", found.step)))
    check(data, statement)
    assert certifies(data, statement.to_json())


@pytest.mark.parametrize(("name", "goal"), TRUE + [(name, goal) for name, (goal, _) in PROVED.items()])
def test_true_statements_are_not(name: str, goal: str) -> None:
    assert contrasted(name, goal)[1] is None


def test_a_replayed_proof_is_the_same() -> None:
    found = original("order")
    assert found.proof.concl == found.statement.conclusion
    check(certificate(found.statement, "proved", found.proof), found.statement)
