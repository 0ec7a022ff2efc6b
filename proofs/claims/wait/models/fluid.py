"""Proposition 1 as printed: a system that meets its condition, and serves every prompt within a fixed time."""

from __future__ import annotations

from fractions import Fraction

from qtheory.proofs.claims.cases import shown
from qtheory.proofs.claims.outcomes import Outcome

METHOD = "the model of Section 2, replayed in exact arithmetic"


def prop_1_run() -> Outcome:
    """Section 6.1's first type, a prompt each millisecond; WAIT with a threshold of 11, from an empty system.

    A batch takes 11 prompts of each stage that is filled. Once all stages are, batch after batch finds the same: it
    starts when the 11th new prompt is there, and ends before the next 11 are. So the longest latency of the prompts of
    one batch is that of all later ones."""
    rate, prompt, output, fixed, token, n = 1000, 10, 10, Fraction(1, 100), Fraction(1, 10**7), 11
    printed = rate * fixed * (output + 1) * (prompt + Fraction(output, 2))
    load = rate * token * (output + 1) * (prompt + Fraction(output, 2))
    free, latest, latencies = Fraction(0), 0, list[Fraction]()
    starts = list[Fraction]()
    for batch in range(3 * (output + 1)):
        stages = min(batch, output) + 1
        start = max(free, Fraction(n * (batch + 1), rate))
        latest = max(latest, int(start * rate) - n * batch)  # the most prompts that wait
        free = start + fixed + token * n * sum(prompt + k for k in range(stages))
        starts.append(start)
        if batch >= output:
            latencies.append(free - Fraction(n * (batch - output) + 1, rate))
    steady = len(set(latencies[output:])) == 1 and all(
        s == Fraction(n * (b + 1), rate) for b, s in enumerate(starts))
    return shown(steady and printed >= 1, {
        "l": prompt, "l'": output, "lambda": f"{rate}, deterministic", "d_0": fixed, "d_1": token,
        "lambda d_0 (l' + 1)(l + l'/2)": printed, "lambda d_1 (l' + 1)(l + l'/2)": load,
        "policy": f"WAIT, n = {n}", "most prompts that wait": latest,
        "trace": f"each batch starts with the {n}th prompt; the longest latency of every batch is {max(latencies)}"},
        METHOD)
