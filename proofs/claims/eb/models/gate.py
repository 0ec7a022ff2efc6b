"""The KV-aware gate of Appendix D.6, literally and in exact arithmetic, and whether it does what is said."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome, Undecided

from .memory_processes import batch_size, capacity_for

LEAST, MOST = Fraction(5, 100), Fraction(6, 10)


def reserve(slots: int, mean_output: Fraction, block: int, total: int, multiplier: Fraction = Fraction(1, 2),
            base: Fraction = Fraction(0)) -> Fraction:
    """f_KV of (23), with the printed defaults s_KV = 0.5 and f_0 = 0."""
    return min(MOST, max(LEAST, slots * mean_output * multiplier / (block * total) + base))


def ratio_condition(fillable: int, active: int, slots: int, k: int) -> bool:
    """The original condition of the transition from phase 1 to phase 2 (l. 1068)."""
    return fillable * (slots - k) >= active * k


def may_switch(fillable: int, active: int, slots: int, k: int, free: int, total: int, share: Fraction) -> bool:
    """The gated condition (l. 1068 to 1070)."""
    return ratio_condition(fillable, active, slots, k) and free >= share * total


def blocks(tokens: int, block: int) -> int:
    return -(-tokens // block)


def oscillation_run() -> Outcome:
    """Does the gate keep phase 2 from starting where the prompts' blocks cannot be allocated?

    LongBench (mu_L = 2492, mu_O = 11) on the printed capacity of the RTX PRO 6000 with Qwen3-8B: 3 requests of
    128K + 64 tokens fit (Table 6).  The batch size is N* of (6) there, and the continuing requests are of usual ages:
    with 5 to 20 tokens each holds 157 blocks (App. D.2 has 13.5 in the mean).
    """
    block, prompt, output, theta = 16, 2492, 11, Fraction(35, 100)
    total = blocks(3 * (131072 + 64), block)
    slots = batch_size(Fraction(block * total), Fraction(1, 100), theta, Fraction(1, output), Fraction(prompt))
    k = int(theta * slots)
    active = slots - k
    free = total - active * blocks(prompt + output, block)
    share = reserve(slots, Fraction(output), block, total)
    needed = k * blocks(prompt, block)
    trace = (f"phase 1: {active} of {slots} requests decode, {k} slots are fillable; {k}*({slots} - {k}) >= "
             f"{active}*{k} and {free} free blocks >= {float(share):.2f}*{total}: phase 2. {k} prompts need {needed} "
             f"blocks, {free} are free: the allocation fails, back to phase 1, with the same numbers until a request "
             "completes")
    return found(shown(may_switch(k, active, slots, k, free, total, share) and needed > free, {
        "block size": block, "total_blocks": total, "N = N* of (6)": slots, "k*": k, "mu_O": output, "prompts": prompt,
        "f_KV": share, "free_blocks": free, "blocks needed": needed, "trace": trace},
        "replay of the printed condition"))


@every("N in {2, ..., 5}, k < N, every number of active requests and of 10 blocks free, N mu_O s_KV/(b total) from "
       "1/40 to 25/2; with all blocks free the gate never holds back", "enumeration")
def delay_run() -> Iterator[Case]:
    """The gate against the original condition, over all small states."""
    total = 10
    for slots in range(2, 6):
        for k in range(1, slots):
            for active, free, mean in product(range(slots + 1), range(total + 1), (1, 20, 200)):
                share = reserve(slots, Fraction(mean), 4, total)
                gated = may_switch(slots - active, active, slots, k, free, total, share)
                original = ratio_condition(slots - active, active, slots, k)
                bad = (gated and not original) or (free == total and gated != original)
                yield {"N": slots, "k": k, "active": active, "free": free, "mu_O": mean} if bad else None


def excursion_run() -> Outcome:
    """Does the gate absorb every excursion of memory, as Section 3.4 says?

    It is asked at the moment of switching alone: between two switches each active request takes a token an iteration,
    and with two ShareGPT prompts in an otherwise empty cache nothing is gated while both outputs go on.
    """
    block, prompt, output, total, slots, k = 16, 105, 280, 40, 2, 1
    share = reserve(slots, Fraction(output), block, total)
    free = total  # empty at the start: both are prefilled
    opens = may_switch(slots, 0, slots, k, free, total, share)
    held = [slots * blocks(prompt + t, block) for t in range(4 * output)]
    late = next((t for t, h in enumerate(held) if h > total), None)
    trace = (f"{slots} prompts of {prompt} tokens are let in with {free} of {total} blocks free (f_KV = "
             f"{float(share):.2f}); neither output has ended after {late} iterations, when they need {held[late or 0]} "
             "blocks; no switch comes before, so that the gate is not asked")
    return found(shown(opens and late is not None, {
        "block size": block, "total_blocks": total, "N": slots, "k": k, "prompts": prompt, "mu_O": output,
        "f_KV": share, "outputs": f"longer than {late} tokens", "trace": trace}, "replay of the printed condition"))


@every("ShareGPT's means (prompts of 105 tokens, geometric outputs of mean 280), eps = 1/100, blocks of 16; N = N* = "
       "1,024; theta in {1/10, 3/10, 1/2}, 2 seeds; 20 phases after 10",
       "replay of the machine of Section 3.1 with the gate")
def every_phase_run() -> Iterator[Case]:
    """With N = N* of (6): is the gate closed, in each phase, when the ratio condition first holds?"""
    block, prompt, output, slots = 16, 105, 280, 1024
    p, eps = Fraction(1, output), Fraction(1, 100)
    for theta, seed in product((Fraction(1, 10), Fraction(3, 10), Fraction(1, 2)), (1, 2)):
        capacity = capacity_for(slots, eps, theta, p, Fraction(prompt))
        total, k = capacity // block, int(theta * slots)
        share = reserve(slots, Fraction(output), block, total)
        if batch_size(Fraction(capacity), eps, theta, p, Fraction(prompt)) != slots:
            yield Undecided("(6) does not give this batch size")
        rng, held = np.random.default_rng(seed), np.full(slots, prompt)  # tokens of each request
        for phase in range(30):
            deferred = None
            while True:
                held = (held + 1)[rng.random(len(held)) >= 1 / output]
                active = len(held)
                free = total - int((-(-held // block)).sum())
                if not ratio_condition(slots - active, active, slots, k):
                    continue
                opens = may_switch(slots - active, active, slots, k, free, total, share)
                deferred = not opens if deferred is None else deferred
                if opens:
                    break
            held = np.concatenate([held, np.full(slots - active, prompt)])
            if phase >= 10:
                yield None if deferred else {"theta": theta, "seed": seed, "phase": phase, "free blocks": free}
