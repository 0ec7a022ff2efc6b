"""The tiling paper's formulas in symbols: products by tiles, attention, the service time of a request, the drift.

Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", (2)-(7), (11), (12), Theorems 1 and 2.
What is here is right; where the paper prints something else the docstring says so.

Units: times in seconds, lengths in tokens; ``mu``: tile pairs a second of one of the ``s`` multiprocessors, so that
``1/(s mu)`` are seconds a pair.
"""

from __future__ import annotations

import sympy as sp

from qtheory.theory.formulas import Value

D_ROW, D_COL, D_RED, T_ROW, T_COL, T_RED = sp.symbols("d_row d_col d_red t_row t_col t_red", positive=True)
S, MU, LAYERS, D_X, D, D_FF, D_OUT = sp.symbols("s mu N d_x d d_ff d_out", positive=True)
TOKENS, END, CHUNK, PROMPT, OUTPUT = sp.symbols("tau e c L_P L_D", positive=True)
MU_LIN, MU_NLIN = sp.symbols("mu_Lin mu_nLin", positive=True)
CYCLE, RATE, NODES, MEAN, WORST, SLACK = sp.symbols("n lambda r T_R T_max epsilon", positive=True)


def gemm_time(d_row: Value = D_ROW, d_col: Value = D_COL, d_red: Value = D_RED, t_row: Value = T_ROW,
              t_col: Value = T_COL, t_red: Value = T_RED, s: Value = S, mu: Value = MU) -> sp.Expr:
    """(2): a product of d_row x d_red and d_red x d_col matrices by tiles. Seconds."""
    return _up(d_row, t_row) * _up(d_col, t_col) * _up(d_red, t_red) / (s * sp.sympify(mu))


def gemv_time(d_row: Value = D_ROW, d_col: Value = D_COL, t_row: Value = T_ROW, t_col: Value = T_COL, s: Value = S,
              mu: Value = MU) -> sp.Expr:
    """(3): a product of a d_row x d_col matrix and a vector. Seconds."""
    return _up(d_row, t_row) * _up(d_col, t_col) / (s * sp.sympify(mu))


def linear_time(tau: Value = TOKENS, N: Value = LAYERS, d_x: Value = D_X, d: Value = D, d_ff: Value = D_FF,
                d_out: Value = D_OUT, t_row: Value = T_ROW, t_col: Value = T_COL, t_red: Value = T_RED, s: Value = S,
                mu: Value = MU) -> sp.Expr:
    """The products of ``tau`` tokens with all weights, whose dimensions the tile divides (Section 3.2.1): (4) with
    1/mu_Lin written out. Seconds."""
    weights = 3 * N * d_x * d + N * sp.sympify(d_ff) * (sp.sympify(d) + d_x) + sp.sympify(d_x) * d_out
    return weights / (sp.sympify(t_row) * t_red) * _up(tau, t_col) / (s * sp.sympify(mu))


def decode_attention(end: Value = END, d: Value = D, t_row: Value = T_ROW, t_col: Value = T_COL, s: Value = S,
                     mu: Value = MU) -> sp.Expr:
    """(5): a decode iteration that reads ``end`` tokens, one layer. Seconds. The paper leaves out the 1/s of (3)."""
    return sp.sympify(d) * (_up(end, t_row) / t_col + _up(end, t_col) / t_row) / (s * sp.sympify(mu))


def prefill_attention(end: Value = END, c: Value = CHUNK, N: Value = LAYERS, d: Value = D, t_row: Value = T_ROW,
                      t_col: Value = T_COL, t_red: Value = T_RED, s: Value = S, mu: Value = MU) -> sp.Expr:
    """(6): a chunk of ``c`` tokens that ends at token ``end`` (the paper's i + c - 1), all layers. Seconds."""
    column = _up(end, t_row) / t_red + _up(end, t_red) / t_row
    return N * sp.sympify(d) * _up(c, t_col) * column / (s * sp.sympify(mu))


def whole_chunks_attention(L_P: Value = PROMPT, c: Value = CHUNK, N: Value = LAYERS, d: Value = D, t_row: Value = T_ROW,
                           t_col: Value = T_COL, t_red: Value = T_RED, s: Value = S, mu: Value = MU) -> sp.Expr:
    """The sum of (6) over chunks of ``c`` tokens where each tile dimension divides c, and c the prompt: the last term
    of (12), with c = t_lcm. Seconds. It grows with c."""
    return N * sp.sympify(d) * L_P * (sp.sympify(L_P) + c) / (s * sp.sympify(mu) * t_row * t_col * t_red)


def drift(n: Value = CYCLE, lam: Value = RATE, r: Value = NODES, T_R: Value = MEAN, T_max: Value = WORST,
          t_col: Value = T_COL) -> sp.Expr:
    """A bound on the drift of the requests at a node over a cycle of RAD that starts with at least n of them
    (Appendix C.3). Requests. The paper has lambda in the place of lambda/r in its last term."""
    rate = lam / sp.sympify(r)
    return n * (rate * T_R - 1) + rate * (t_col - 1) * T_max


def cycle_bound(T_R: Value = MEAN, T_max: Value = WORST, epsilon: Value = SLACK, t_col: Value = T_COL) -> sp.Expr:
    """Prefills a cycle above which `drift` is negative wherever ``lambda T_R <= r (1 - epsilon)`` (Theorem 2)."""
    return (t_col - 1) * T_max / (sp.sympify(epsilon) * T_R)


def _up(length: Value, tile: Value) -> sp.Expr:
    return sp.ceiling(sp.sympify(length) / tile)
