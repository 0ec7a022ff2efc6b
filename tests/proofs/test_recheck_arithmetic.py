"""Normal forms and enclosures of the second checker against those of the kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from recheck_support import as_tuple

from qtheory.proofs.kernel.balls import enclose, exp_bounds, log_bounds
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import KernelError, minus
from qtheory.proofs.recheck import RecheckError
from qtheory.proofs.recheck.enclosure import GUARD, Enclosure
from qtheory.proofs.recheck.graph import Node, make, number, var
from qtheory.proofs.recheck.quotients import vanishes


def rational_terms() -> st.SearchStrategy[Node]:
    """Terms over + * and integer powers, with some atoms."""
    leaf = st.one_of(st.sampled_from([var("x"), var("y"), make("exp", var("x"))]),
                     st.fractions(-3, 3, max_denominator=4).map(lambda q: number(fmpq(q.numerator, q.denominator))))

    def larger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        powers = st.tuples(inner, st.sampled_from([-2, -1, 2, 3])).map(lambda p: make("^", p[0], number(p[1])))
        pairs = st.tuples(st.sampled_from("+*"), inner, inner).map(lambda p: make(*p))
        return st.one_of(pairs, pairs, powers, inner.map(lambda t: make("log", t)))

    return st.recursive(leaf, larger, max_leaves=8)


def kernel_zero(term: Any) -> bool | None:
    try:
        return Forms().zero(term)
    except KernelError:
        return None


def second_zero(term: Node) -> bool | None:
    try:
        return vanishes(term)
    except RecheckError:
        return None


def rearranged(t: Node) -> Node:
    """Another way of writing the same rational function, syntactically different at every sum and product."""
    kids = [rearranged(k) for k in t.kids]
    if t.op in ("+", "*"):
        kids = kids[::-1]
    if t.op == "*" and kids[0].op == "+":
        return make("+", *(make("*", k, *kids[1:]) for k in kids[0].kids))
    return make(t.op, *kids, tag=t.tag)


@pytest.mark.slow
@settings(max_examples=200, derandomize=True, deadline=None)
@given(rational_terms(), rational_terms())
def test_identities_are_decided_alike(a: Node, b: Node) -> None:
    same = make("+", a, make("*", number(-1), rearranged(a)))
    assert second_zero(same) == kernel_zero(as_tuple(same))
    assert second_zero(same) in (True, None)
    other = make("+", a, make("*", number(-1), b))
    assert second_zero(other) == kernel_zero(minus(as_tuple(a), as_tuple(b)))


def test_arguments_are_compared_in_lowest_terms() -> None:
    x, one = var("x"), number(1)
    top = make("+", make("^", x, number(2)), number(-1))
    quotient = make("*", top, make("^", make("+", x, number(-1)), number(-1)))
    assert vanishes(make("+", make("exp", quotient), make("*", number(-1), make("exp", make("+", x, one)))))
    assert not vanishes(make("+", make("exp", quotient), make("*", number(-1), make("exp", x))))


def ball_terms() -> st.SearchStrategy[Node]:
    leaf = st.one_of(st.sampled_from([var("x"), var("y")]),
                     st.fractions(-3, 3, max_denominator=7).map(lambda q: number(fmpq(q.numerator, q.denominator))))

    def larger(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
        pairs = st.tuples(st.sampled_from(["+", "*", "max", "^"]), inner, inner).map(lambda p: make(*p))
        single = st.tuples(st.sampled_from(["exp", "log", "sqrt", "floor"]), inner).map(lambda p: make(*p))
        return st.one_of(pairs, pairs, single)

    return st.recursive(leaf, larger, max_leaves=6)


SIDES = st.tuples(st.fractions(-2, 2, max_denominator=9), st.fractions(0, 1, max_denominator=9)).map(
    lambda p: (p[0], p[0] + p[1]))


@pytest.mark.slow
def test_enclosures_agree() -> None:
    """Arb's enclosure lies in the kernel's, and there are both of most terms."""
    compared = []

    @settings(max_examples=300, derandomize=True, deadline=None)
    @given(ball_terms(), SIDES, SIDES)
    def agree(term: Node, x: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction]) -> None:
        compared.append(enclosed_alike(term, x, y))

    agree()
    assert sum(compared) > 150


def enclosed_alike(term: Node, x: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction]) -> bool:
    """Whether there are two enclosures to compare."""
    bits = 60
    try:
        theirs = enclose(as_tuple(term), {"x": x, "y": y}, bits)
    except KernelError:
        theirs = None
    box = {k: tuple(fmpq(q.numerator, q.denominator) for q in v) for k, v in (("x", x), ("y", y))}
    try:
        with ctx.workprec(bits + GUARD):
            low, high = Enclosure(box, bits).of(term)  # type: ignore[arg-type]
    except RecheckError:
        assert theirs is None
        return False
    if theirs is None:  # the kernel may refuse where its own rounding touches the edge of a domain
        return False
    ours = Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))
    assert theirs[0] <= ours[0] <= ours[1] <= theirs[1]
    return True


NUMBERS = st.one_of(
    st.fractions(Fraction(1, 10**6), 10**6), st.integers(1, 60).map(lambda k: 1 + Fraction(1, 10**k)),
    st.integers(1, 60).map(lambda k: 1 - Fraction(1, 10**k)), st.integers(-300, 300).map(lambda k: Fraction(2) ** k))


@pytest.mark.slow
@settings(max_examples=400, derandomize=True, deadline=None)
@given(NUMBERS, st.sampled_from([8, 20, 64, 128, 512]))
def test_the_series_hold_the_values(q: Fraction, bits: int) -> None:
    """Arb's logarithm and exponential, to 2,000 bits, lie in the kernel's bounds, and these are narrow."""
    with ctx.workprec(2000):
        for bounds, argument, value in ((log_bounds, q, ball(q).log()), (exp_bounds, -1 / q, (-1 / ball(q)).exp())):
            if abs(argument) > 5000:
                continue
            low, high = bounds(argument, bits)
            assert ball(low) <= value <= ball(high)
            assert high - low <= Fraction(1, 1 << bits)


def ball(q: Fraction) -> arb:
    return arb(fmpq(q.numerator, q.denominator))


def test_a_tenth_is_a_tenth() -> None:
    tenth = number(fmpq(1, 10))
    with ctx.workprec(53):
        low, high = Enclosure({}, 53).of(tenth)
    assert low == high == fmpq(1, 10)
