"""Appendix C.1's counters along a run of the chain: completed tokens and requests by phase, and what is left.

Requests are numbered by arrival, from 1; those of the start state come first, "at their start" if none of their
tokens is done. Tokens count as completed when their batch is, requests when their last token of the phase is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from qtheory.proofs.claims.cases import Case, every, shown
from qtheory.proofs.claims.outcomes import Outcome, Undecided
from qtheory.proofs.claims.replay import LINES

from .chain import Engine, Request, by_2_3
from .schedulers import Batch, State, sarathi

Chooser = Callable[[State, int], Batch]


@dataclass(frozen=True)
class Counters:
    """At the end of slot n, by phase 0 (prefill) and 1 (decode)."""

    n: int
    E: int
    F: tuple[int, int]
    B: tuple[int, int]
    Z: tuple[int, int]
    W: tuple[int, int]  # tokens of the requests in the phase, "including those in a batch being processed"


def counted(engine: Engine, chooser: Chooser, arrivals: Sequence[Sequence[Request]]) -> Iterator[Counters]:
    """From the empty state. An arrival of slot n can be loaded from slot n + 1 on."""
    done: list[list[int]] = []  # tokens completed, by request: [prefill, decode]
    sizes: list[Request] = []
    running: list[tuple[int, int, int]] = []
    left = 0
    for n, coming in enumerate(arrivals, start=1):
        if left == 0:
            here = [i for i, (size, d) in enumerate(zip(sizes, done, strict=True)) if d[1] < size[1]]
            batch = chooser([(sizes[i][0] - done[i][0], sizes[i][1] - done[i][1]) for i in here], engine.b)
            running = [(i, dp, dd) for i, (dp, dd) in zip(here, batch, strict=True)]
            left = engine.times[sum(dp + dd for _, dp, dd in running)]
        left -= 1
        if left == 0:
            for i, dp, dd in running:
                done[i][0] += dp
                done[i][1] += dd
        sizes += list(coming)
        done += [[0, 0] for _ in coming]
        yield _counters(n, sizes, done)


def _counters(n: int, sizes: list[Request], done: list[list[int]]) -> Counters:
    pairs = list(zip(sizes, done, strict=True))
    prefilled = sum(d[0] == p for (p, _), d in pairs)
    finished = sum(d[1] == q for (_, q), d in pairs)
    waiting = sum(p - d[0] for (p, _), d in pairs)
    decoding = sum(q - d[1] for (p, q), d in pairs if d[0] == p)
    return Counters(n, len(sizes), (prefilled, finished), (sum(d[0] for _, d in pairs), sum(d[1] for _, d in pairs)),
                    (len(sizes) - prefilled, prefilled - finished), (waiting, decoding))


def V(sizes: Sequence[Request], phase: int, N: int) -> int:
    """(C.3); the empty sum for N <= 0."""
    return sum(size[phase] for size in sizes[:max(N, 0)])


def shortest_first(k_p: int, k_d: int) -> Chooser:
    """(K_p, K_d)-FCFS with "the smallest-remaining-token-first" among the K_f oldest, decode tokens first."""
    def choose(state: State, b: int) -> Batch:
        batch = [(0, 0)] * len(state)
        room = b
        for i in sorted([i for i, (p, _) in enumerate(state) if p == 0][:k_d], key=lambda i: (state[i][1], i)):
            if room:
                batch[i], room = (0, 1), room - 1
        for i in sorted([i for i, (p, _) in enumerate(state) if p > 0][:k_p], key=lambda i: (state[i][0], i)):
            batch[i] = (min(room, state[i][0]), 0)
            room -= batch[i][0]
        return batch

    return choose


# ---- what is printed, on a run ----

REPLAYED = "the chain's lines replayed"
SLOT = by_2_3(1, 1, 0, 1)
SWAPPED: tuple[Request, Request] = ((2, 1), (1, 5))  # the second is prefilled first, and has more to decode
SWAPPED_BACK: tuple[Request, Request] = ((2, 5), (1, 1))


def swapped(sizes: tuple[Request, Request], slot: int) -> tuple[Counters, dict[str, str]]:
    arrivals: list[Sequence[Request]] = [sizes, *[()] * slot]
    at = list(counted(SLOT, shortest_first(2, 1), arrivals))[slot]
    return at, {"b": "1", "t_1": "1", "(K_p, K_d)": "(2, 1)", "(v_p, v_d)": str(list(sizes)), "n": str(at.n),
                "rule": "decode first, smallest remaining prefill first among two", "F": str(at.F), "B": str(at.B)}


def c_7_run() -> Outcome:
    at, point = swapped(SWAPPED, 1)
    printed = V(SWAPPED, 1, at.F[0]) - at.B[1]
    return shown(printed != at.W[1], {**point, "W_d(n)": at.W[1], "V_d(F_p(n)) - B_d(n)": printed}, REPLAYED)


def c_9_lower_run() -> Outcome:
    at, point = swapped(SWAPPED_BACK, 2)
    least = V(SWAPPED_BACK, 1, at.F[1])
    return shown(least > at.B[1], {**point, "V_d(F_d(n) - K_d + 1)": least, "B_d(n)": at.B[1]}, REPLAYED)


def c_9_upper_run() -> Outcome:
    at, point = swapped(SWAPPED, 5)
    most = V(SWAPPED, 1, at.F[1] + 1)
    return shown(at.B[1] > most, {**point, "B_d(n)": at.B[1], "V_d(F_d(n) + K_d)": most}, REPLAYED)


def c_8_run() -> Outcome:
    """t_1 = 1, t_2 = 2 = t_b: a batch of two begun a slot before a window of t_b slots ends in it, and one of one."""
    arrivals: list[Sequence[Request]] = [((1, 1), (1, 2)), *[()] * 5]
    completed = {r.n: r.B[1] for r in counted(by_2_3(2, 1, 1, 1), sarathi, arrivals)}
    before, after = completed[4], completed[6]
    return shown(after - before > 2, {
        "(2.3)": "c = 1, a = 1, b_0 = 1: t_1 = 1, t_2 = 2", "b": 2, "(v_p, v_d)": "(1, 1), (1, 2) in slot 1",
        "scheduler": "Sarathi-Serve, work-conserving", "n_1, n_2": "2, 3", "B_d(4), B_d(6)": f"{before}, {after}"},
        REPLAYED)


# ---- the corrections, on every small run ----

SIZES = ((1, 1), (1, 2), (2, 1), (2, 3))


def small_runs() -> Iterator[tuple[list[Request], list[Sequence[Request]]]]:
    """Up to three requests of these sizes, in one slot or over three, and slots to finish them."""
    for count in (1, 2, 3):
        for sizes in product(SIZES, repeat=count):
            for spread in (0, 1):
                slots: list[Sequence[Request]] = [sizes] if not spread else [[s] for s in sizes]
                yield list(sizes), [*slots, *[()] * 9]


RUNS = "up to 3 requests with (v_p, v_d) of (1,1), (1,2), (2,1), (2,3), at once or slot by slot"


@every(f"{RUNS}, b in {{1, 2}}, t = 1, K_p and K_d in {{1, 2, 3}}", LINES)
def order_run() -> Iterator[Case]:
    """(C.7) and (C.9) by as many requests as may be overtaken: of those before one that is prefilled fewer than K_p are
    not, and of those before one that has left fewer than K_p + K_d - 1 have not."""
    for b, k_p, k_d in product((1, 2), (1, 2, 3), (1, 2, 3)):
        chooser = shortest_first(k_p, k_d)
        for sizes, arrivals in small_runs():
            for r in counted(by_2_3(b, 1, 0, 1), chooser, arrivals):
                largest = [max((s[f] for s in sizes[:r.E]), default=0) for f in (0, 1)]
                good = abs(r.W[1] - (V(sizes, 1, r.F[0]) - r.B[1])) <= (k_p - 1) * largest[1]
                for f, k in enumerate((k_p, k_p + k_d - 1)):
                    good = good and (V(sizes, f, r.F[f] - k + 1) - (k - 1) * largest[f] <= r.B[f]
                                     <= V(sizes, f, r.F[f] + k))
                yield None if good else {"(v_p, v_d)": sizes, "b": b, "(K_p, K_d)": (k_p, k_d), "n": r.n}


@every(f"{RUNS}; (b, c, a, b_0) of (2.3) in (2, 1, 1, 1), (3, 2, 1, 1), (3, 2, 1, 2), (2, 2, 0, 1); n in {{1, 2}}; "
       "decode tokens first", LINES)
def window_run() -> Iterator[Case]:
    """One batch more than (C.8) has, for times that grow with the load no faster than it does."""
    for b, c, a, b_0 in ((2, 1, 1, 1), (3, 2, 1, 1), (3, 2, 1, 2), (2, 2, 0, 1)):
        engine = by_2_3(b, c, a, b_0)
        t_b = engine.times[-1]
        if any(load * t_b > b * engine.times[load] for load in range(1, b + 1)):
            yield Undecided(f"b'/t_b' > b/t_b at {(b, c, a, b_0)}")
        for _, arrivals in small_runs():
            total = [0, *(sum(r.B) for r in counted(engine, sarathi, [*arrivals, *[()] * 6]))]
            for n in (1, 2):
                bad = any(total[m] - total[m - n * t_b] > (n + 1) * b for m in range(n * t_b, len(total)))
                yield {"(b, c, a, b_0)": (b, c, a, b_0), "arrivals": arrivals, "n": n} if bad else None
