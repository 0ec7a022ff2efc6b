"""Lemma 1 and (C.24): that a subsequence converges is said as: the sequence is near, however late."""

from qtheory.proofs.claims import scaled_paths as paths
from qtheory.proofs.claims.cases import Model

INITIAL, PHASES = ("Z_p", "Z_d"), ("B_p", "B_d")
SUBSEQUENCE = Model(paths.first_values(INITIAL), proof=paths.proof_of_first_values(INITIAL), budget=60, sources={
    "Z_p, Z_d, X in functions": "of the states x_n: Z_p(0) and Z_d(0), l. 480, and |x_n|, l. 585",
    paths.shares(INITIAL): "l. 480, 585 and 593: numbers of requests, each with a token to come (l. 145); |x| > 0"})
FLUID_LIMIT = Model(paths.theorem(PHASES), proof=paths.proof(PHASES), budget=120, sources={
    "B_p, B_d, X in functions": "along one path: B_f(n, k) is B_f^{x_n}(k), l. 492 and 593, and |x_n|, l. 585",
    "b >= 1": "Sec. 2.1, l. 100: a token budget", paths.LARGE: "l. 606: A is unbounded: x_n has at least n tokens",
    **dict.fromkeys(map(paths.slots, PHASES), "l. 492; l. 139 and (2.5d), l. 137: a slot ends a batch of b at most")})
BY_BATCHES = Model(
    paths.theorem(PHASES, paths.batches, (*paths.WHOLE, *paths.UNIT)), proof=paths.proof_by_batches(PHASES), budget=600,
    sources={**{x: text for x, text in FLUID_LIMIT.sources.items() if "(n, 0)" not in x},
             **dict.fromkeys(paths.WHOLE, "Sec. 2.2, l. 156: the number of slots required for a batch"),
             **dict.fromkeys(map(paths.batches, PHASES), "(C.8), l. 502, n_1 = 0 too: time begins at 0; l. 492: B_f(n) "
                                                         "counts what has been processed, none at 0")})
