"""Certified optima: both checkers look at exactly the program and its point."""

from __future__ import annotations

import copy
import random
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import pytest

from qtheory.numerics.linprog import LinearProgram, Row
from qtheory.planning.certified import CertifiedOptimum, Uncertified, certify
from qtheory.theory.planning import CHARGING, Instance, PrefillFairness, RequestClass, plan, two_class_instance

TWO = two_class_instance()


@pytest.mark.parametrize("charging", CHARGING)
def test_the_two_class_optimum_is_proved(charging: str) -> None:
    found = certify(plan(TWO, charging, [PrefillFairness(F(1, 10))]).optimum)
    assert found.verdict.verdict == "proved"
    assert found.value == plan(TWO, charging, [PrefillFairness(F(1, 10))]).value
    assert "qp_1 >= 0" in found.verdict.statement and found.verdict.evidence == {"satisfiable": "unknown"}


@pytest.mark.later
def test_two_hundred_classes() -> None:
    draw = random.Random(2)
    classes = [RequestClass(f"c{i}", F(draw.randint(20, 4000)), F(draw.randint(20, 1500)),
                            F(draw.randint(1, 400), 10_000), F(draw.randint(1, 20), 100)) for i in range(200)]
    it = Instance(tuple(classes), TWO.times, TWO.batch, TWO.prices)
    found = certify(plan(it, "separate").optimum)
    assert found.value == plan(it, "separate").value and len(found.certificate["attained"]) > 1


def forged(change: Any) -> tuple[CertifiedOptimum, dict[str, Any]]:
    good = certify(plan(TWO).optimum)
    data = copy.deepcopy(dict(good.certificate))
    change(data)
    return good, data


@pytest.mark.parametrize(("change", "message"), [
    (lambda d: d.pop("used"), "the keys"),
    (lambda d: d.update(schema=2), "the schema"),
    (lambda d: d["attained"].pop(), "in 1 statements"),
    (lambda d: d["used"].pop(), "states something else"),
    (lambda d: d.update(used=[999]), "places of rows"),
    (lambda d: d["bound"]["steps"].pop(), "step"),
    (lambda d: d["bound"].update(verdict="refuted"), "refut"),
    (lambda d: d.update(bound=d["attained"][0]), "states something else"),
    (lambda d: d["attained"][0]["statement"].update(goal="0 == 0"), "states something else"),
])
def test_a_forged_certificate_is_refused(change: Any, message: str) -> None:
    good, data = forged(change)
    with pytest.raises(Uncertified, match=message):
        CertifiedOptimum(good.program, good.point, data)


def test_another_program_or_point_is_refused() -> None:
    good = certify(plan(TWO).optimum)
    with pytest.raises(Uncertified):
        CertifiedOptimum(good.program, {**good.point, "x_1": F(0)}, good.certificate)
    with pytest.raises(Uncertified):
        CertifiedOptimum(good.program.with_right("prefill_capacity", F(1, 10)), good.point, good.certificate)
    dearer = replace(good.program, objective={**good.program.objective, "x_1": F(1)})
    with pytest.raises(Uncertified):
        CertifiedOptimum(dearer, good.point, good.certificate)


def test_an_optimum_that_is_none_has_no_certificate() -> None:
    found = plan(TWO).optimum
    with pytest.raises(Uncertified):
        certify(replace(found, point=dict.fromkeys(found.point, F(0))))
    with pytest.raises(Uncertified):
        certify(replace(found, prices=dict.fromkeys(found.prices, F(0))))


def test_constants_and_empty_programs() -> None:
    from qtheory.numerics.linprog import solve

    program = LinearProgram({"x": F(-1)}, (Row("a", {"x": F(1)}, "<=", F(3)),), constant=F(5, 3))
    assert certify(solve(program)).value == F(5, 3)
