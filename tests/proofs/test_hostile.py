"""Certificates made to hang or crash a checker, and false ones that a checker once accepted: all end in a rejection."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from exploits.script import FALSE, Script
from outcomes import outcome

from qtheory.proofs.kernel.certificate import check as kernel_check
from qtheory.proofs.kernel.poly import merge
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.recheck import RecheckError
from qtheory.proofs.recheck import check as recheck

Data = dict[str, Any]
CASES: list[Callable[[], Data]] = []


def case(build: Callable[[], Data]) -> Callable[[], Data]:
    CASES.append(build)
    return build


def raw(nodes: list[Any], steps: list[Any]) -> Data:
    return {"schema": 1, "verdict": "proved", "statement": {"let": [], "where": [], "goal": FALSE}, "nodes": nodes,
            "steps": steps, "main": len(steps) - 1, "witness": None}


# ---- false conclusions ----

@case
def derivative_of_a_constant_nowhere() -> Data:
    """The derivative of 5 at log(0) is undefined, though the slope 0 does not speak of the point."""
    s = Script()
    s.unlogged(s("differentiate", ("diff", "x", 5, "log(0)"), []))
    return s.certificate()


@case
def derivative_in_an_empty_sum_nowhere() -> Data:
    """Nor does a sum of no summands."""
    s = Script()
    one = s.whole(1)
    empty = [s("sum_empty", f"Sum({body}, (i, 1, 0))", [one]) for body in ("log(0)", "1")]
    s.unlogged(s("differentiate", ("diff", "x", "Sum(x, (i, 1, 0))", "log(0)"), empty))
    return s.certificate()


@case
def inner_derivative_nowhere() -> Data:
    """Nor does a derivative of a derivative."""
    s = Script()
    inner = ("diff", "y", 5, "log(x)")
    s("absurd", s("differentiate", ("diff", "x", inner, 0), []), FALSE)
    return s.certificate()


@case
def mean_value_of_an_inverse_across_its_pole() -> Data:
    """-1/x grows on both sides of 0, and is 1 at -1 and -1 at 1."""
    s = Script()
    slope = s("combine", "x**(-2) > 0", [s.hyp("x != 0")], [(1, [(0, -2)], [])])
    s("mean_value", "x", "x**(-1)", "-1", 1, s.plain("1 > -1"), s("defined", "x**(-1)", [s.hyp("x != 0")]), slope)
    return s.certificate()


@case
def derivative_of_log_below_zero() -> Data:
    """1/x is defined at -1, where log x is not."""
    s = Script()
    s("differentiate", ("diff", "x", "log(x)", "-1"), [])
    return s.certificate()


def moving(integral: str, point: Any, value: str, relation: str = ">") -> Callable[[], Data]:
    """The derivative in x of an integral at a point at which it has none, or another than the rule would say."""
    def build() -> Data:
        s = Script()
        there = s.hyp(f"{value} {relation} 0")
        s("differentiate", ("diff", "x", integral, point), [there, s.plain("1 - 1 >= 0"), s.hyp("p > 0")])
        return s.certificate("0 > 1", (f"{value} {relation} 0", "p > 0"))

    return build


MOVING = {
    "the integrand is defined up to the end and no further":
        moving("Integral(sqrt(1 - t), (t, 0, x))", 1, "Integral(sqrt(1 - t), (t, 0, 1))"),
    "the end turns back where the integrand's domain ends":
        moving("Integral(sqrt(1 - t), (t, 0, 1 - x**2))", 0, "Integral(sqrt(1 - t), (t, 0, 1 - 0**2))"),
    "a pole at the end": moving("Integral((1 - t)**(-1), (t, 0, x))", 1, "Integral((1 - t)**(-1), (t, 0, 1))"),
    "a power that begins at the end": moving("Integral(t**p, (t, 1, x))", 0, "Integral(t**p, (t, 1, 0))", "<="),
    "an end without a derivative": moving("Integral(1, (t, 0, sqrt(x)))", 0, "Integral(1, (t, 0, sqrt(0)))", ">="),
    "a step at the end": moving("Integral(floor(t), (t, 0, x))", 1, "Integral(floor(t), (t, 0, 1))", "=="),
    "a sign": moving("Integral(t/abs(t), (t, -2, x))", "-1", "Integral(t/abs(t), (t, -2, -1))", "<"),
    "a corner at the end": moving("Integral(abs(t), (t, 0, x))", 0, "Integral(abs(t), (t, 0, 0))", "=="),
    "the variable in an exponent": moving("Integral(0**t, (t, 1, x))", 2, "Integral(0**t, (t, 1, 2))", "=="),
    "the lower end": moving("Integral(1, (t, x, 1))", 0, "Integral(1, (t, 0, 1))"),
    "the lower end, by the integral's own name": moving("Integral(x, (x, x, 1))", 0, "Integral(x, (x, 0, 1))"),
    "both ends": moving("Integral(1, (t, x, 2*x))", 1, "Integral(1, (t, 1, 2*1))"),
    "the integrand": moving("Integral(x*t, (t, 0, 1))", 1, "Integral(1*t, (t, 0, 1))"),
    "the integrand and the end": moving("Integral(x + t, (t, 0, x))", 1, "Integral(1 + t, (t, 0, 1))"),
    "the end's variable is bound in the integrand":
        moving("Integral(Sum(t*x, (x, 1, 2)), (t, 0, x))", 1, "Integral(Sum(t*x, (x, 1, 2)), (t, 0, 1))"),
    "an integral that nothing says to be defined": moving("Integral(log(t), (t, 0, x))", 1, "Integral(1, (t, 0, 1))"),
}


@pytest.mark.parametrize("case_name", MOVING)
def test_integrals_without_such_a_derivative(case_name: str) -> None:
    data = json.loads(json.dumps(MOVING[case_name]()))
    for check, error in ((kernel_check, KernelError), (recheck, RecheckError)):
        with pytest.raises(error, match=r"^step 3"):
            check(data)


@pytest.mark.parametrize("integral", ["Integral(t**(-2), (t, x, 2))", "Integral(x*t, (t, 0, 1))",
                                      "Integral(1, (t, 0, floor(x)))", "Integral(exp(x*t), (t, 0, x))"])
def test_integrals_that_may_jump(integral: str) -> None:
    """No mean value where the integral is continuous in x by none of its upper end's shape alone."""
    s = Script()
    domain = s("defined", integral, [s.hyp(f"{integral} >= 0")])
    s("mean_value", "x", integral, 0, 1, s.plain("1 + (-1)*0 > 0"), domain, s.plain("0*0 >= 0"))
    data = json.loads(json.dumps(s.certificate()))
    for check, error in ((kernel_check, KernelError), (recheck, RecheckError)):
        with pytest.raises(error, match="discontinuous"):
            check(data)


# ---- hostile sizes ----

@case
def shared_nodes() -> Data:
    return raw(["x", *(["+", n, n] for n in range(100)), [">", 100]], [["hyp", 101]])


@case
def tower_of_powers() -> Data:
    return raw(["2", "200", ["^", 0, 1], *(["^", n, 1] for n in range(2, 6)), ["=", 6]], [["combine", 7, [], []]])


@case
def sums_of_sums() -> Data:
    """Each alone is short; together they have 3e10 summands."""
    nodes: list[Any] = ["1", *map(str, (3000, 54, 14, 7, 4, 3, 3, 2, 2, 2, 2))]
    for end in range(1, 12):
        nodes.append(["sum", "i", 0, end, len(nodes) - 1 if end > 1 else 0])
    return raw([*nodes, [">", len(nodes) - 1]], [["ball", len(nodes), [], None, 53]])


@case
def derivatives_of_derivatives() -> Data:
    nodes: list[Any] = ["x", ["*", 0, 0, 0], ["exp", 1]]
    nodes += [["diff", "x", n, 0] for n in range(2, 11)]
    return raw(nodes, [["differentiate", 11, []]])


@case
def deeper_instances() -> Data:
    nodes = ["x", *(["exp", n] for n in range(120)), [">", 120]]
    return raw(nodes, [["hyp", 121], *(["instance", n, "x", 120, []] for n in range(40))])


@case
def doubled_instances() -> Data:
    return raw(["x", [">", 0], ["+", 0, 0]], [["hyp", 1], *(["instance", n, "x", 2, []] for n in range(60))])


@case
def nested_conjunctions() -> Data:
    steps = [["hyp", 1], *(["and_intro", [n]] for n in range(100_000)), ["cut", 100_000, 100_000]]
    return raw(["x", [">", 0]], steps)


@case
def doubled_conjunctions() -> Data:
    return raw(["x", [">", 0]], [["hyp", 1], *(["and_intro", [n, n]] for n in range(60)), ["cut", 60, 60]])


@case
def large_numbers() -> Data:
    nodes = ["7" * 3000 + "/" + "3" * 3000, *(["*", n, n] for n in range(11)), ["=", 11]]
    return raw(nodes, [["combine", 12, [], []]])


@case
def slope_of_no_comparison() -> Data:
    """The empty conjunction where the sign of F' - f belongs: it has no term to look at."""
    nodes = ["0", "1", "x", "5", ["int", "x", 0, 1, 3], "-1", ["*", 0, 5], ["+", 1, 6], [">=", 7]]
    return raw(nodes, [["combine", 8, [], [[1, [], []]]], ["defined", 3, []], ["defined", 2, []], ["and_intro", []],
                       ["fundamental_theorem", 4, 2, 0, 1, 2, 3]])


SLOW = (derivatives_of_derivatives, nested_conjunctions)


@pytest.mark.parametrize("build", [pytest.param(c, marks=[pytest.mark.slow] * (c in SLOW)) for c in CASES],
                         ids=lambda c: c.__name__)
def test_rejected_in_time(build: Callable[[], Data]) -> None:
    data = json.loads(json.dumps(build()))
    assert outcome(lambda: kernel_check(data), KernelError) == "rejected"
    assert outcome(lambda: recheck(data), RecheckError) == "rejected"


# ---- hostile memory: what is kept from one term for another stays small ----

def tall(levels: int = 100) -> Data:
    """A polynomial of 2,500 monomials in a sum within a sum within a sum .., each of as many monomials."""
    nodes: list[Any] = ["-1", *(f"v{n}" for n in range(100))]
    nodes += [["+", *range(1, 51)], ["+", *range(51, 101)], ["*", 101, 102]]
    nodes += [["+", 103 + n, 1 + n % 100] for n in range(levels)]
    top = len(nodes) - 1
    return raw([*nodes, ["*", 0, top], ["+", top, top + 1], ["=", top + 2]], [["combine", top + 3, [], []]])


def long(levels: int = 100) -> Data:
    """A number of 256,000 digits in as many sums."""
    nodes: list[Any] = ["7" * 4000, *(["*", n, n] for n in range(6)), "1", "-1"]
    nodes += [["+", 6, 7], *(["+", 9 + n, 7] for n in range(levels))]
    top = len(nodes) - 1
    return raw([*nodes, ["*", 8, top], ["+", top, top + 1], ["=", top + 2]], [["combine", top + 3, [], []]])


def wide(steps: int = 6) -> Data:
    """Step by step other products of about 200 variables, each times as many."""
    nodes: list[Any] = ["-1", *(f"v{n}" for n in range(400)), ["+", *range(201, 401)]]
    for step in range(steps):
        at = len(nodes)
        nodes += [["*", *range(1, 201 - step), 401], ["*", 0, at], ["+", at, at + 1], ["=", at + 2]]
    return raw(nodes, [["combine", 405 + 4 * step, [], []] for step in range(steps)])


@pytest.mark.slow
@pytest.mark.parametrize(("build", "most"), [(tall, 4), (long, 3), (wide, 10)])
def test_memory_for_a_check(build: Callable[..., Data], most: int) -> None:
    data = build()
    merge.cache_clear()
    tracemalloc.start()
    try:
        assert outcome(lambda: kernel_check(data), KernelError) == "rejected"
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most * 2**20 and left < 2 * 2**20
