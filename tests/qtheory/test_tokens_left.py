"""Lyapunov functions of one engine, in the fluid model and slot by slot, and their drift: proved from the functions'
own expressions; the chain's also by enumeration."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy as sp
from formula_claims import assert_proved

from qtheory.proofs.claims.to.models.chain import Engine, Law, State, by_2_3, drift
from qtheory.proofs.claims.to.models.schedulers import Scheduler, orca, sarathi
from qtheory.theory.stability import engine_load, slotted_tokens, tokens_drift, tokens_left

lam, m_p, m_d, b, t_b, dB_p, dB_d = sp.symbols("l m_p m_d b t_b dB_p dB_d", real=True)
POSITIVE = ("m_p > 0", "m_d > 0", "b > 0", "t_b > 0")


def test_the_drift_of_the_tokens_left() -> None:
    """(C.10) to (C.13) at a regular time: requests come at rate l, and dB_p, dB_d tokens are done a second."""
    slope = tokens_left(lam - dB_p / m_p, dB_p / m_p - dB_d / m_d, m_p, m_d)
    assert_proved(sp.Eq(slope, tokens_drift(lam, m_p, m_d, b, t_b)), (*POSITIVE, "dB_p + dB_d == b/t_b"))


def test_the_drift_is_negative_below_load_one() -> None:
    assert_proved(sp.Lt(tokens_drift(lam, m_p, m_d, b, t_b), 0),
                  (*POSITIVE, f"{engine_load(lam, m_p, m_d, b, t_b)} < 1"))


def test_the_drift_slot_by_slot() -> None:
    """lam (m_p + m_d) tokens come in a slot; none is loaded while a batch runs, b where a full one begins."""
    X, R = sp.symbols("X R", real=True)
    before, come = slotted_tokens(X, R, b, t_b), lam * (m_p + m_d)
    while_running = slotted_tokens(X + come, R - 1, b, t_b) - before
    at_a_full_batch = (slotted_tokens(X + come - b, t_b - 1, b, t_b) - before).subs(R, 0)
    for change in (while_running, at_a_full_batch):
        assert_proved(sp.Eq(change, tokens_drift(lam, m_p, m_d, b, t_b)), ("b > 0", "t_b > 0"))


ARRIVALS: Law = ((Fraction(1, 2), ()), (Fraction(1, 3), ((2, 3),)), (Fraction(1, 6), ((1, 1), (4, 2))))


@pytest.mark.parametrize("scheduler", [sarathi, orca])
@pytest.mark.parametrize("engine", [by_2_3(4, 1, 0, 1), by_2_3(5, 1, 2, 2)], ids=["one slot", "longer batches"])
def test_the_drift_by_enumeration_on_random_states(engine: Engine, scheduler: Scheduler) -> None:
    """The chain of Section 2.2, every arrival of a slot weighed: requests (2, 3), or (1, 1) and (4, 2)."""
    def f(state: State) -> Fraction:
        value = slotted_tokens(sp.Integer(sum(p + d for p, d in state[1])), sp.Integer(state[0]),
                               sp.Integer(engine.b), sp.Integer(engine.times[-1]))
        return Fraction(int(value.p), int(value.q))

    rng = random.Random(5)
    come = sp.Rational(5, 3) + sp.Rational(8, 6)  # tokens of a slot on average
    a_slot = tokens_drift(sp.Integer(1), come, sp.Integer(0), sp.Integer(engine.b), sp.Integer(engine.times[-1]))
    for _ in range(60):
        requests = [(rng.randint(0, 9), rng.randint(1, 9)) for _ in range(rng.randint(0, 7))]
        running = rng.randint(0, engine.times[-1] - 1)
        full = sum(p or 1 for p, _ in requests) >= engine.b
        if running or full:
            found = drift(engine, scheduler, ARRIVALS, f, (running, tuple(requests)))
            assert found == Fraction(int(a_slot.p), int(a_slot.q))
