"""The Lyapunov function of one engine's fluid model, and its drift: proved from the functions' own expressions."""

from __future__ import annotations

import sympy as sp
from formula_claims import assert_proved

from qtheory.theory.stability import engine_load, tokens_drift, tokens_left

lam, m_p, m_d, b, t_b, dB_p, dB_d = sp.symbols("l m_p m_d b t_b dB_p dB_d", real=True)
POSITIVE = ("m_p > 0", "m_d > 0", "b > 0", "t_b > 0")


def test_the_drift_of_the_tokens_left() -> None:
    """(C.10) to (C.13) at a regular time: requests come at rate l, and dB_p, dB_d tokens are done a second."""
    slope = tokens_left(lam - dB_p / m_p, dB_p / m_p - dB_d / m_d, m_p, m_d)
    assert_proved(sp.Eq(slope, tokens_drift(lam, m_p, m_d, b, t_b)), (*POSITIVE, "dB_p + dB_d == b/t_b"))


def test_the_drift_is_negative_below_load_one() -> None:
    assert_proved(sp.Lt(tokens_drift(lam, m_p, m_d, b, t_b), 0),
                  (*POSITIVE, f"{engine_load(lam, m_p, m_d, b, t_b)} < 1"))
