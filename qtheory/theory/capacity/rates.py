"""Critical request rates of one engine under each kind of scheduler, in symbols, where there is a closed form.

Below the rate the engine is stable, above it the requests that wait grow without bound. Output lengths O >= 1 have
the mean ``m_d``, prompts the mean ``m_p`` (tokens), outputs are independent; rates are in requests a second. What
has no closed form is computed exactly by `qtheory.numerics.capacity`, which takes any iteration-time law and so
gives the forms below where it is affine.
"""

from __future__ import annotations

import sympy as sp

from qtheory.theory.crossover import mixed_throughput
from qtheory.theory.stability import b, engine_load, m_d, m_p, t_b
from qtheory.theory.threshold import ALPHA_D, ALPHA_P, BETA_D, BETA_P, P0

__all__ = ["joint_thresholds", "longest_of_geometric", "request_level", "slots_refilled", "work_conserving"]

n = sp.Symbol("n", positive=True, integer=True)
longest = sp.Symbol("M_n", positive=True)
alpha, beta = sp.symbols("alpha beta", positive=True)


def work_conserving(m_p: sp.Expr = m_p, m_d: sp.Expr = m_d, b: sp.Expr = b, t_b: sp.Expr = t_b) -> sp.Expr:
    """``b/(t_b (m_p + m_d))``, where the load is 1: every work-conserving scheduler's, whatever the lengths' laws.

    ``t_b``: seconds of a batch of ``b`` tokens, no other batch having more tokens a second.
    Throughput-optimal scheduling, Theorem 1.
    """
    return 1 / engine_load(sp.Integer(1), m_p, m_d, b, t_b)


def slots_refilled(N: sp.Expr = n, m_p: sp.Expr = m_p, m_d: sp.Expr = m_d, alpha: sp.Expr = alpha,
                   beta: sp.Expr = beta) -> sp.Expr:
    """Mixed batches without a token limit on N slots, idle ones refilled with whole prompts in the next iteration.

    Each slot is a renewal process of its own, one iteration for the prompt and one for each output token, so that for
    every law of the lengths N/(1 + m_d) requests come to an iteration; ``alpha`` (s) and ``beta`` (s/token): an
    iteration's time at the token counts that occur, at least N.
    """
    return mixed_throughput(N, alpha, beta, m_p, m_d)


def joint_thresholds(n: sp.Expr = n, m_p: sp.Expr = m_p, m_d: sp.Expr = m_d, alpha: sp.Expr = alpha,
                     beta: sp.Expr = beta) -> sp.Expr:
    """WAIT with one type and threshold n, memory apart: ``n/(alpha + beta n (m_p + m_d))``.

    While n or more wait every iteration takes n prompts, and on average n m_d requests decode, whatever their law.
    """
    return n / (alpha + beta * n * (m_p + m_d))


def request_level(n: sp.Expr = n, m_p: sp.Expr = m_p, m_d: sp.Expr = m_d, longest: sp.Expr = longest,
                  alpha_p: sp.Expr = ALPHA_P, beta_p: sp.Expr = BETA_P, alpha_d: sp.Expr = ALPHA_D,
                  beta_d: sp.Expr = BETA_D) -> sp.Expr:
    """Batches of n that decode to their end: ``n/(alpha_p + alpha_d M_n + n (beta_p m_p + beta_d m_d))``.

    ``longest``: M_n, the mean of the longest of n outputs (tokens). Also decode-first exclusive batches
    (FasterTransformer) whose budget is n whole prompts, and EB(n) on n slots.
    """
    return n / (alpha_p + alpha_d * longest + n * (beta_p * m_p + beta_d * m_d))


def longest_of_geometric(n: int, p0: sp.Expr = P0) -> sp.Expr:
    """Mean of the longest of n geometric outputs of hazard rate p0: ``sum_i (-1)^(i+1) C(n, i)/(1 - (1 - p0)^i)``."""
    return sp.Add(*((-1) ** (i + 1) * sp.binomial(n, i) / (1 - (1 - p0) ** i) for i in range(1, n + 1)))
