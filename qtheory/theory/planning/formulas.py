"""Rates, prices and revenues of a GPU cluster that mixes prefill and decode, in symbols.

Source: "Large-Scale LLM Inference with Heterogeneous Workloads: Prefill-Decode Contention and Asymptotically Optimal
Control" (arXiv:2602.02987v1), Sections 2.2 to 5. Each function returns a SymPy expression in the paper's symbols, or in
what is given for them, exact numbers included; its attribute ``claims`` names the claims of the referee that prove it.

Units: times in seconds, lengths in tokens, rates in 1/s, prices in $ a token, occupancies in requests a GPU.
"""

from __future__ import annotations

import sympy as sp

from qtheory.theory.formulas import Formulas, Value

ALPHA, BETA = sp.symbols("alpha beta", positive=True)
CHUNK, PROMPT, DECODE = sp.symbols("C P D", positive=True)
TAU, GAMMA = sp.symbols("tau gamma", positive=True)
BATCH = sp.Symbol("B", positive=True)
PREFILL_PRICE, DECODE_PRICE = sp.symbols("c_p c_d", nonnegative=True)
X, Y_M, Y_S = sp.symbols("x y_m y_s", nonnegative=True)

FORMULAS = Formulas()


@FORMULAS.proved_by("gr.eq-3")
def mixed_time(C: Value = CHUNK, alpha: Value = ALPHA, beta: Value = BETA) -> sp.Expr:
    """``tau_mix(C) = alpha + beta C`` (3): seconds of an iteration with a prefill chunk of C tokens."""
    return alpha + beta * sp.sympify(C)


@FORMULAS.proved_by("gr.lp-42.marginal")
def prefill_rate(P: Value = PROMPT, C: Value = CHUNK, tau: Value = TAU) -> sp.Expr:
    """``mu_p = C/(P tau)`` (4): prompts of P tokens that a GPU's prefill slot completes a second."""
    return C / (sp.sympify(P) * tau)


@FORMULAS.proved_by("gr.lem-EC.5.mixed")
def mixed_rate(D: Value = DECODE, tau: Value = TAU) -> sp.Expr:
    """``mu_m = 1/(D tau)`` (4): decodes of D tokens that a slot beside a prefill completes a second."""
    return 1 / (sp.sympify(D) * tau)


@FORMULAS.proved_by("gr.lem-EC.5.solo")
def solo_rate(D: Value = DECODE, gamma: Value = GAMMA) -> sp.Expr:
    """``mu_s = gamma/D`` (4): decodes of D tokens that a slot of a GPU without prefill completes a second."""
    return gamma / sp.sympify(D)


@FORMULAS.proved_by("gr.lem-EC.5.solo")
def speed_ratio(gamma: Value = GAMMA, tau: Value = TAU) -> sp.Expr:
    """``kappa = gamma tau = mu_s/mu_m`` of every class (EC.3): how much faster a decode is without a prefill beside."""
    return sp.sympify(gamma) * tau


@FORMULAS.proved_by()  # a definition
def reward(P: Value = PROMPT, D: Value = DECODE, c_p: Value = PREFILL_PRICE, c_d: Value = DECODE_PRICE) -> sp.Expr:
    """``w = c_p P + c_d D`` (21): $ of a completed request under bundled charging."""
    return c_p * sp.sympify(P) + c_d * D


@FORMULAS.proved_by("gr.lp-42.coefficients")
def separate_revenue(x: Value = X, y_m: Value = Y_M, y_s: Value = Y_S, C: Value = CHUNK, tau: Value = TAU,
                     gamma: Value = GAMMA, c_p: Value = PREFILL_PRICE, c_d: Value = DECODE_PRICE) -> sp.Expr:
    """``c_p (C/tau) x + (c_d/tau) y_m + c_d gamma y_s`` (42): $ a second of a GPU under separate charging, which knows
    the classes only by the occupancies' sums."""
    return c_p * (C / sp.sympify(tau)) * x + c_d / sp.sympify(tau) * y_m + c_d * gamma * y_s


@FORMULAS.proved_by("gr.eq-47.average", "gr.eq-47.worst")
def token_time(x: Value = X, B: Value = BATCH, tau: Value = TAU, gamma: Value = GAMMA) -> sp.Expr:
    """The mean time per output token over all decode slots (47), x being the sum of the prefill occupancies: ``tau``
    for the ``(B - 1) x`` beside a prefill, ``1/gamma`` for the ``B (1 - x)`` others. Seconds."""
    x, B = sp.sympify(x), sp.sympify(B)
    mixed, solo = (B - 1) * x, B * (1 - x)
    return (tau * mixed + solo / gamma) / (mixed + solo)


@FORMULAS.proved_by()  # a definition
def solo_share(y_m: Value = Y_M, y_s: Value = Y_S, tau: Value = TAU, gamma: Value = GAMMA) -> sp.Expr:
    """``p_s = mu_s y_s/(mu_m y_m + mu_s y_s)`` (Section 5.1): the share of a class's decodes that go to solo GPUs. D
    cancels; where the class has no decodes at all the paper takes 1."""
    return gamma * y_s / (y_m / sp.sympify(tau) + gamma * y_s)
