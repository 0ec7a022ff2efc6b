"""Lemma 1 and (C.24): that a subsequence converges is said as: the sequence is near, however late."""

from __future__ import annotations

from qtheory.proofs.claims import scaled_paths as paths
from qtheory.proofs.claims.cases import Model

from .sources import sourced

INITIAL, PHASES = ("Z_p", "Z_d"), ("B_p", "B_d")
C_24, LEMMA = paths.first_values(INITIAL), paths.theorem(PHASES)
SUBSEQUENCE = Model(C_24, proof=paths.proof_of_first_values(INITIAL), budget=60, sources=sourced(C_24.where, {
    "Z_p, Z_d, X in functions": "of the states x_n: Z_p(0) and Z_d(0), l. 480, and |x_n|, l. 585",
    paths.shares(INITIAL): "l. 480 and 585: numbers of requests, each with a token to come (l. 145), and l. 593: |x| > "
                           "0"}))
FLUID_LIMIT = Model(LEMMA, proof=paths.proof(PHASES), budget=120, sources=sourced(LEMMA.where, {
    "B_p, B_d, X in functions": "along one path: B_f(n, k) is B_f^{x_n}(k), l. 490 and 591, and |x_n|, l. 585",
    paths.LARGE: "l. 606: A is unbounded, so that it has states x_n of at least n tokens",
    **{paths.slots(f): "l. 490: tokens that are processed by slot k; each slot ends one batch at most (l. 139), of b "
                       "tokens at most (2.5d), l. 137" for f in PHASES}}))
