"""Algorithms 1 and 2 as printed: inventories of prompts by stage, events in order of time, a batch takes one unit.

Prompts are counted, as the print counts them; ``Promptwise`` follows the same text prompt by prompt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Arrivals = Sequence[tuple[Fraction, int]]  # (time, type), in order of time
Counts = dict[tuple[int, int], int]  # prompts at (type or segment, stage)


@dataclass
class Trace:
    """``batches``: (start, prompts taken at (type or segment, stage)); ``completed``: prompts by type, as far as the
    counts know it; ``overlap``: most batches in process at once; ``left``: the inventories at the end; ``most``: the
    largest that each inventory has been."""

    batches: list[tuple[Fraction, Counts]] = field(default_factory=list)
    completed: int = 0
    overlap: int = 0
    left: Counts = field(default_factory=dict)
    most: Counts = field(default_factory=dict)

    def see(self, counts: Counts) -> None:
        """The inventories after an event."""
        for place, count in counts.items():
            self.most[place] = max(count, self.most.get(place, 0))

    def __str__(self) -> str:
        text = "; ".join(f"t = {t}: " + ", ".join(f"{c} at stage {k} of {j}" for (j, k), c in sorted(b.items()) if c)
                         for t, b in self.batches)
        here = ", ".join(f"{c} at stage {k} of {j}" for (j, k), c in sorted(self.left.items()) if c)
        return f"batches: {text or 'none'}; {self.completed} completed; at the end: {here or 'nothing'}"


def wait(ends: Sequence[int], thresholds: Sequence[int], arrivals: Arrivals, *, alone: bool = False) -> Trace:
    """Algorithm 1 for types 1, 2, ... with l'_j = ``ends[j - 1]``; line 7's index i is read as j, and lines 9 and 10
    as one move of prompts.

    ``alone``: line 12 is skipped while a batch is in process.
    """
    types = range(1, len(ends) + 1)
    n: Counts = {(j, k): 0 for j in types for k in range(ends[j - 1] + 1)}  # 1
    coming = list(arrivals)  # 2
    running: list[tuple[Fraction, Counts]] = []  # (end, batch)
    trace = Trace()
    while coming or running:  # 4
        if coming and (not running or coming[0][0] < running[0][0]):  # 5
            now, j = coming.pop(0)
            n[j, 0] += 1  # 6, 7
        else:
            now, batch = running.pop(0)  # 8
            for j in {j for j, _ in batch}:
                stages = range(ends[j - 1] + 1)
                taken = {k: min(thresholds[j - 1], n[j, k]) for k in stages}
                for k in stages:  # 9, 10
                    n[j, k] -= taken[k]
                    if k < ends[j - 1]:
                        n[j, k + 1] += taken[k]
                    else:
                        trace.completed += taken[k]  # 11
        trace.see(n)
        ready = [j for j in types if n[j, 0] >= thresholds[j - 1]]  # 12
        if ready and not (alone and running):  # 13
            batch = {(j, k): min(thresholds[j - 1], n[j, k]) for j in ready for k in range(ends[j - 1] + 1)}  # 14, 15
            running.append((now + 1, batch))  # 16
            trace.batches.append((now, batch))
            trace.overlap = max(trace.overlap, len(running))
    trace.left = n
    return trace


def nested(ends: Sequence[int], thresholds: Sequence[int], arrivals: Arrivals, *, first: bool = False) -> Trace:
    """Algorithm 2 for types of lengths l'_1 < ... < l'_m = ``ends``, the charitable way: lines 9 and 10 move prompts
    together, one batch runs at a time, and a segment has the stages that lines 10 and 13 move prompts to.

    ``first``: line 19 looks at the stage where line 13 puts them, l'_{i'-1} + 1; as printed it looks at the stage
    l'_1 + ... + l'_{i'-1}. Keys of the counts: (segment, stage); what a prompt's type is stands beside.
    """
    m = len(ends)
    where: dict[tuple[int, int], list[int]] = {(1, 0): []}  # types of the prompts, oldest first
    coming, running = list(arrivals), []  # type: ignore[var-annotated]
    trace = Trace()
    while coming or running:  # 4
        if coming and (not running or coming[0][0] < running[0][0]):  # 5
            now, kind = coming.pop(0)
            where[1, 0].append(kind)  # 6, 7
        else:
            now, batch = running.pop(0)  # 8, for each segment of the batch
            for (i, k), count in sorted(batch.items(), reverse=True):
                moved, where[i, k] = where[i, k][:count], where[i, k][count:]  # 9
                for kind in moved:  # 10
                    if k + 1 < ends[i - 1] + 1:
                        where.setdefault((i, k + 1), []).append(kind)
                    elif i < m and kind > i:  # 11 to 13
                        where.setdefault((i + 1, ends[i - 1] + 1), []).append(kind)
                    else:
                        trace.completed += 1  # 15
        trace.see({place: len(p) for place, p in where.items()})
        entry = [0] + [ends[i - 2] + 1 if first else sum(ends[: i - 1]) for i in range(2, m + 1)]
        top = 0
        while top < m and len(where.get((top + 1, entry[top]), [])) >= thresholds[top]:  # 19
            top += 1
        if top and not running:  # 20
            batch = {(i, k): min(thresholds[i - 1], len(p)) for (i, k), p in where.items() if i <= top and p}  # 21
            running.append((now + 1, batch))  # 22
            trace.batches.append((now, batch))
    trace.left = {place: len(p) for place, p in where.items()}
    return trace


def promptwise(ends: Sequence[int], thresholds: Sequence[int], arrivals: Arrivals, *,
               segments: bool) -> tuple[list[tuple[Fraction, Counts]], int]:
    """The texts of Sections 4.1 and 5.1, prompt by prompt: (batches by (type or segment, stage), prompts completed).

    A prompt of type j passes the stages 0, ..., l'_j, one a batch; segment i holds the stages up to l'_i.
    """
    def place(kind: int, stage: int) -> int:
        return sum(stage > e for e in ends[:-1]) + 1 if segments else kind

    present: list[list[int]] = []  # [type, stage], oldest first
    coming, now, completed = list(arrivals), Fraction(0), 0
    batches: list[tuple[Fraction, Counts]] = []
    while True:
        while coming and coming[0][0] <= now:
            present.append([coming.pop(0)[1], 0])
        stages = Counter((place(kind, stage), stage) for kind, stage in present)
        if segments:
            entries = [0, *(e + 1 for e in ends[:-1])]
            good = [stages[i + 1, entries[i]] >= thresholds[i] for i in range(len(ends))]
            taking = range(1, (good.index(False) if False in good else len(good)) + 1)
        else:
            taking = [j for j in range(1, len(ends) + 1) if stages[j, 0] >= thresholds[j - 1]]  # type: ignore[assignment]
        if not taking:
            if not coming:
                return batches, completed
            now = coming[0][0]
            continue
        batch: Counts = {}
        for prompt in present:
            key = place(*prompt), prompt[1]
            if key[0] in taking and batch.get(key, 0) < thresholds[key[0] - 1]:
                batch[key] = batch.get(key, 0) + 1
                prompt[1] += 1
        completed += sum(stage > ends[kind - 1] for kind, stage in present)
        present = [p for p in present if p[1] <= ends[p[0] - 1]]
        batches.append((now, batch))
        now += 1
