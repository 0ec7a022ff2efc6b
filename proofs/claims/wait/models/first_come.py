"""First come first served as Section 4.3 has it, on the lengths of Appendix A.3's instance.

A batch takes the prompts that are in, each at its stage, and as many of those that wait as memory permits, oldest
first. A prompt of output length l' is at the stages 0, ..., l', and takes 1 + stage units. Where the memory that the
prompts in need has grown beyond C, the youngest are removed: they restart, before all that wait.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from qtheory.proofs.claims.outcomes import Holds, Outcome, Undecided

CAPACITY = 9
METHOD = "the policy's words, run batch by batch"
Prompt = tuple[int, int]  # (output length, stage), oldest first
In = tuple[Prompt, ...]


def memory(prompts: Iterable[Prompt]) -> int:
    return sum(1 + stage for _, stage in prompts)


def after(batch: In) -> tuple[In, int]:
    """The prompts that are in after a batch, and the tokens of those completed, l' + 1 each."""
    return (tuple((end, k + 1) for end, k in batch if k < end), sum(end + 1 for end, k in batch if k == end))


def kept(prompts: In) -> tuple[In, In]:
    """Those that fit, and the youngest ones that do not."""
    n = len(prompts)
    while memory(prompts[:n]) > CAPACITY:
        n -= 1
    return prompts[:n], prompts[n:]


def served(queue: list[int]) -> tuple[list[In], int]:
    """All batches until the prompts of these output lengths, all there at first, are done; how many were removed."""
    now: In = ()
    waiting, batches, removed = list(queue), list[In](), 0
    while waiting or now:
        now, out = kept(now)
        removed += len(out)
        waiting = [end for end, _ in out] + waiting
        while waiting and memory(now) + 1 <= CAPACITY:
            now = (*now, (waiting.pop(0), 0))
        batches.append(now)
        now, _ = after(now)
    return batches, removed


def removes_run() -> Outcome:
    """Every queue of up to 9 prompts of output lengths 1 and 2: batches within memory, all served, some removed."""
    cases, most = 0, 0
    for count in range(1, 10):
        for queue in product((1, 2), repeat=count):
            batches, removed = served(list(queue))
            if any(memory(b) > CAPACITY for b in batches):
                return Undecided(f"a batch beyond memory: {queue}")
            cases, most = cases + 1, max(most, removed)
    if not most:
        return Undecided("no prompt is removed")
    return Holds(cases, "up to 9 prompts of output lengths 1 and 2 that wait at the start, l = 1, C = 9", METHOD,
                 {"most prompts removed in a run": most})
