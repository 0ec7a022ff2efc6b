"""Means of the queues: Spitzer's identity on small walks, Kingman's bound on a grid, an overload by design."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from qtheory.proofs.claims.cases import Case, every, shown
from qtheory.proofs.claims.outcomes import Outcome

from .layout import BINS, D0, D1, PROMPT, RATE, THRESHOLDS, WIDTH, meets_14, printed
from .queues import binomial, mean_above


def step(law: dict[int, Fraction], increments: dict[int, Fraction]) -> dict[int, Fraction]:
    out: dict[int, Fraction] = {}
    for (s, p), (x, q) in product(law.items(), increments.items()):
        out[s + x] = out.get(s + x, Fraction(0)) + p * q
    return out


@every("increments X - lambda with X Binomial(2, 1/2), Binomial(3, 1/3), Binomial(4, 1/4), Bernoulli(1/5) or on {0, "
       "5}, T <= 8", "all laws by dynamic programming in exact arithmetic")
def lem_4_run() -> Iterator[Case]:
    laws = [binomial(2, Fraction(1, 2)), binomial(3, Fraction(1, 3)), binomial(4, Fraction(1, 4)),
            binomial(1, Fraction(1, 5)), {0: Fraction(4, 5), 5: Fraction(1, 5)}]
    for law in laws:
        mean = sum((x * p for x, p in law.items()), Fraction(0))
        scale = mean.denominator
        increments = {int((x - mean) * scale): p for x, p in law.items()}
        walk, best = {0: Fraction(1)}, {(0, 0): Fraction(1)}  # S^k; (S^k, max of 0, S^1, .., S^k)
        right = Fraction(0)
        for k in range(1, 9):
            walk = step(walk, increments)
            later: dict[tuple[int, int], Fraction] = {}
            for ((s, m), p), (x, q) in product(best.items(), increments.items()):
                at = s + x, max(m, s + x)
                later[at] = later.get(at, Fraction(0)) + p * q
            best = later
            right += sum((max(s, 0) * p for s, p in walk.items()), Fraction(0)) / k
            left = sum((m * p for (_, m), p in best.items()), Fraction(0))
            yield {"law": law, "T": k, "E[Y^T]": left, "sum": right} if left != right else None


@every("n in {1, 2, 5}, DT sum lambda in {n/4, n/2, 3n/4, 9n/10}, s <= 20; segment k with n_{k-1} <= 4, "
       "n_k > n_{k-1} p_k, p_k in {1/4, 1/2, 2/3}, s <= 20",
       "the means of the dominating processes by dynamic programming, enclosed by rationals")
def kingman_run() -> Iterator[Case]:
    for n, part in product((1, 2, 5), (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))):
        load = n * part
        most = max(mean_above(load, n, 20, 4 * n + 16))
        bound = load / (2 * (n - load))
        yield {"n_1": n, "mean": load, "E[V] at most": most, "bound": bound} if most > bound else None
    for before, p in product(range(1, 5), (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3))):
        for n in range(1, before + 1):
            if n <= before * p:
                continue
            law = {0: Fraction(1)}
            bound = before * p * (1 - p) / (2 * (n - before * p))
            for _ in range(20):
                later: dict[int, Fraction] = {}
                for (w, q), (a, r) in product(law.items(), binomial(before, p).items()):
                    at = max(0, w + a - n)
                    later[at] = later.get(at, Fraction(0)) + q * r
                law = later
                most = sum((w * q for w, q in law.items()), Fraction(0))
                if most > bound:
                    yield {"n_{k-1}": before, "n_k": n, "p_k": p, "E[V]": most, "bound": bound}
            yield None


def overload_run() -> Outcome:
    """Section 7.2's layout: (14) holds, and batches are too long. A completed prompt of type j takes ``cost[j]``
    seconds at least: its share of a batch's fixed time, n_1 new prompts at most, and d_1 a token at each stage."""
    n = THRESHOLDS
    rates = {j: Fraction(BINS[(j - 1) // WIDTH] * RATE, WIDTH * sum(BINS)) for j in range(1, 501)}  # prompts a second
    tokens = {j: sum(PROMPT + k for k in range(j + 1)) for j in rates}  # of a prompt, added up over its stages
    cost = {j: D0 / n[0] + D1 * tokens[j] for j in rates}
    load, needed = D1 * sum(rates[j] * tokens[j] for j in rates), sum(rates[j] * cost[j] for j in rates)
    time = D0 + D1 * printed()
    tokens_lost, prompts_left = ((needed - 1) / max(cost[j] / per for j, per in scale.items())
                                 for scale in ({j: j for j in rates}, dict.fromkeys(rates, 1)))
    return shown(meets_14() and load < 1 and needed > 1, {
        "m": 500, "L": 10, "l": PROMPT, "l'_j": "j", "rates by segment": BINS, "sum of lambda": RATE, "n": n,
        "d_0": "0.01", "d_1": "6.86*10^-9", "trace":
        f"(6): a load of {float(load):.3f}; (14): DT = {float(time):.5f} < n_1/lambda = {n[0] / RATE:.5f}; with c_j "
        f"seconds at least for a completed prompt of type j the prompts that arrive in a second take sum c_j lambda_j "
        f"= {float(needed):.3f} s: the throughput's gap is {int(tokens_lost)} tokens a second at least, and "
        f"{int(prompts_left)} prompts a second are left uncompleted at least"}, "the time of a batch by (1)")
