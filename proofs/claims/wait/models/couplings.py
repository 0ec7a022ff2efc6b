"""The coupled queues of Lemmas 6 and 9, path by path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from qtheory.proofs.claims.cases import Case, every, shown
from qtheory.proofs.claims.outcomes import Outcome

F = Fraction
Arrivals = Sequence[tuple[Fraction, int]]
Path = list[tuple[Fraction, int]]  # time, and the number of prompts that wait since then


def lem_9_run() -> Outcome:
    """Section 6.2's thresholds: n_1 = 66, n_4 = 24, n_5 = 17, and all 24 prompts of each batch go on."""
    first, before, n = 66, 24, 17
    w, v, path = 0, n, []
    for _ in range(4):
        w, v = w + before - (n if w + before >= n else 0), max(n, v + before - first)
        path.append((w, v))
    return shown(any(a > b for a, b in path), {
        "k": 5, "n_1": first, "n_4": before, "n_5": n, "Y": "24 in each batch", "trace": f"(W, W~) = {path}"},
        "the two recursions, replayed")


class System:
    """WAIT for types of lengths l = l' = 1: batches by (1), the queues of type 1 at stage 0 and its dominating one."""

    def __init__(self, n: Sequence[int], d0: Fraction, d1: Fraction) -> None:
        self.n, self.d0, self.d1 = n, d0, d1
        self.longest = d0 + d1 * sum(3 * t for t in n)  # n_j (l'_j + 1)(l_j + l'_j/2) with l = l' = 1

    def real(self, arrivals: Arrivals, at_end: bool) -> Path:
        """The queue of type 1 after each event; a batch's prompts leave it at its end, or at its start."""
        waiting, inside = [0] * len(self.n), [0] * len(self.n)  # stages 0 and 1
        coming, end, now = list(arrivals), F(0), F(0)
        batch: list[int] = []
        out: Path = [(F(0), 0)]
        while coming or batch:
            if batch and (not coming or end <= coming[0][0]):
                now = end
                for j in batch:
                    waiting[j] -= self.n[j] if at_end else 0
                    inside[j] = self.n[j]
                batch = []
            else:
                now, j = coming.pop(0)
                waiting[j] += 1
            if not batch:
                batch = [j for j, t in enumerate(self.n) if waiting[j] >= t]
                if batch:
                    end = now + self.d0 + self.d1 * sum(self.n[j] + 2 * inside[j] for j in batch)
                    for j in batch:
                        waiting[j] -= 0 if at_end else self.n[j]
            out.append((now, waiting[0]))
        return out

    def coupled(self, arrivals: Arrivals, start: int, until: Fraction) -> Path:
        """Lemma 6's process with the same arrivals: n_1 less at each multiple of the longest batch's time, no less
        than ``start`` then."""
        level, tick = start, self.longest
        coming = [t for t, j in arrivals if j == 0]
        out: Path = [(F(0), level)]
        while tick <= until or coming:
            if coming and coming[0] <= tick:
                level += 1
                out.append((coming.pop(0), level))
            else:
                level = max(start, level - self.n[0])
                out.append((tick, level))
                tick += self.longest
        return out


def above(real: Path, coupled: Path) -> tuple[Fraction, int, int] | None:
    """The first time at which the real queue is the longer one, with both."""
    times = sorted({t for t, _ in real} | {t for t, _ in coupled})
    for t in times:
        w = [c for s, c in real if s <= t][-1]
        v = [c for s, c in coupled if s <= t][-1]
        if w > v:
            return t, w, v
    return None


def lem_6_run() -> Outcome:
    """Type 1 reaches its threshold just after a batch of type 2 has begun, and waits for two batches."""
    system = System((2, 1), F(1), F(1, 1000))
    arrivals = [(F(1, 2), 0), (F(195, 100), 1), (F(196, 100), 0), (F(197, 100), 0), (F(5, 2), 0), (F(26, 10), 0)]
    real = system.real(arrivals, at_end=True)
    found = above(real, system.coupled(arrivals, 4, real[-1][0]))
    return shown(found is not None, {
        "m": 2, "l": "(1, 1)", "l'": "(1, 1)", "n": "(2, 1)", "d_0": 1, "d_1": "1/1000", "DT": system.longest,
        "arrivals of type 1": "0.5, 1.96, 1.97, 2.5, 2.6", "arrival of type 2": "1.95",
        "trace": f"a batch of type 2 runs from 1.95 to 2.951, one of type 1 from then to 3.953; (t, W, W~) = "
                 f"{tuple(map(str, found or ()))}"}, "Algorithm 1's batches and the coupled process, replayed")


TIMES = (F(1, 2), F(195, 100), F(196, 100), F(197, 100), F(5, 2), F(26, 10))


@every("two types with l = l' = 1, n in {(1, 1), (2, 1), (3, 1)}, d_0 = 1, d_1 = 1/1000, each stream of both types, or "
       "neither, at the times 0.5, 1.95, 1.96, 1.97, 2.5, 2.6", "Algorithm 1's batches and the coupled process")
def lem_6_corrected_run() -> Iterator[Case]:
    for n in ((1, 1), (2, 1), (3, 1)):
        system = System(n, F(1), F(1, 1000))
        for kinds in product((None, 0, 1), repeat=len(TIMES)):
            arrivals = [(t, j) for t, j in zip(TIMES, kinds, strict=True) if j is not None]
            for at_end, start in ((True, 3 * n[0]), (False, 2 * n[0])):
                real = system.real(arrivals, at_end)
                found = above(real, system.coupled(arrivals, start, real[-1][0]))
                yield {"n": n, "arrivals": arrivals, "at the end": at_end, "found": found} if found else None
