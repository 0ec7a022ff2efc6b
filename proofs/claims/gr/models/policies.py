"""The policies of Sections 4 to 6 and EC.6, line by line, on every short stream of events of a small cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil

from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome
from qtheory.proofs.claims.replay import LINES

from .cluster import MIXED, SOLO, Event, State, after, capped, chances, empty, streams

HALF = Fraction(1, 2)
Choose = Callable[[State], list[Event]]  # what the policy may do next; nothing: it waits for an event


# ---- (10): mode switches, whatever is admitted where ----

def free(state: State, B: int) -> Iterator[Event]:
    """Every admission and placement that the slots allow."""
    for g, on in enumerate(state.decodes):
        if not state.prefills[g] and len(on) < B:
            yield from (Event("admission", i, g) for i in sorted(set(state.queue)))
        if len(on) + bool(state.prefills[g]) < B:
            yield from (Event("placement", i, g) for i in sorted(set(state.buffers[0])))


@every("two GPUs, B in {1, 2, 3}, up to two classes, two jobs that wait for a prefill and 7 events", LINES)
def switches_run() -> Iterator[Case]:
    for B, classes in ((1, 1), (2, 1), (2, 2), (3, 1)):
        def ways(s: State, B: int = B, k: int = classes) -> list[tuple[Event, State]]:
            return [(e, after(s, e)) for e in (*chances(s, k, 2), *free(s, B))]

        for was, event, now in streams(empty(2), 7, ways):
            bad = not capped(now, B)
            for i in range(1, classes + 1):
                modes = [Counter((mode, g) for mode, g, j in s.running() if j == i) for s in (was, now)]
                g, mine = event.gpu, event.kind == i
                moved = was.decodes[g].count(i) if g >= 0 else 0  # the class's decodes beside that slot
                into = moved if event.name == "admission" else 0
                back = moved if event.name == "prefill completion" else 0
                started = int(event.name == "placement" and mine)
                ended = int(event.name == "decode completion" and mine)
                here = MIXED if g >= 0 and was.prefills[g] else SOLO
                for mode, switched in ((MIXED, into - back), (SOLO, back - into)):
                    gained = sum(m for (k, _), m in modes[1].items() if k == mode) - sum(
                        m for (k, _), m in modes[0].items() if k == mode)
                    bad |= gained != switched + (started - ended) * (mode == here)
            yield {"B": B, "state": was, "event": event, "then": now} if bad else None


# ---- policies ----

def room(state: State, g: int, most: int) -> bool:
    return len(state.decodes[g]) < most


def least_deviation(state: State, targets: dict[int, Fraction]) -> list[int]:
    """The classes that wait with the least (X_i - n x_i)/x_i."""
    n = len(state.prefills)
    index = {i: (state.prefills.count(i) - n * targets[i]) / targets[i] for i in sorted(set(state.queue))}
    return [i for i in index if index[i] == min(index.values())]


def planned(state: State, M: int, gate: Callable[[State], list[int]]) -> list[Event]:
    """The gate of a static plan: an idle reserved slot takes a job of a class that the gate names."""
    idle = [g for g in state.idle() if g < M]
    return [Event("admission", i, g) for g in idle for i in gate(state)] if idle and state.queue else []


def greedy(state: State, M: int, B: int) -> list[Event]:
    """The router of Section 4.1: the head of the buffer to a free slot of G_solo, else of G_mix."""
    if not state.buffers[0]:
        return []
    solo = [g for g in range(M, len(state.prefills)) if room(state, g, B)]
    slots = solo or [g for g in range(M) if room(state, g, B - 1)]
    return [Event("placement", state.buffers[0][0], g) for g in slots]


def two_buffers(state: State, M: int, B: int, lines: tuple[list[int], list[int]]) -> list[Event]:
    """Each pool fills its free slots from its own buffer, with a class that stands in its line."""
    n = len(state.prefills)
    mixed = [Event("placement", i, g, 0) for g in range(M) if room(state, g, B - 1) for i in lines[0]]
    return mixed or [Event("placement", i, g, 1) for g in range(M, n) if room(state, g, B) for i in lines[1]]


def settled(state: State, choose: Choose) -> list[tuple[list[tuple[State, Event]], State]]:
    """All the ways in which the policy goes on until it waits: its steps, and where they end."""
    ways: list[tuple[list[tuple[State, Event]], State]] = [([], state)]
    out = []
    while ways:
        steps, at = ways.pop()
        events = choose(at)
        if not events:
            out.append((steps, at))
        ways += [([*steps, (at, e)], after(at, e)) for e in events]
    return out


def run(start: State, choose: Choose, classes: int, depth: int, buffers: tuple[int, ...] = (0,)
        ) -> Iterator[tuple[State, Event, list[tuple[State, Event]], State]]:
    """Each event in each state in which the policy waits, what the policy then does, and where that ends."""
    did: dict[tuple[State, Event, State], list[tuple[State, Event]]] = {}

    def nexts(state: State) -> Iterator[tuple[Event, State]]:
        for event in chances(state, classes, 2, buffers):
            for steps, end in settled(after(state, event), choose):
                did[state, event, end] = steps
                yield event, end

    for was, event, end in streams(start, depth, nexts):
        yield was, event, did.pop((was, event, end), []), end


SMALL = "two or three GPUs, B in {1, 2, 3}, one or two classes, at most two jobs that wait for a prefill, 6 events"
PLANS = ((2, 2, {1: HALF}), (2, 1, {1: HALF}), (2, 2, {1: Fraction(1, 4), 2: Fraction(1, 4)}),
         (3, 2, {1: Fraction(1, 3), 2: Fraction(1, 6)}), (2, 3, {1: Fraction(1, 8), 2: Fraction(1, 2)}))


def static(state: State, M: int, B: int, pools: bool = False) -> bool:
    """Is the plan kept: no prefill on G_solo, no more decodes than slots, none free beside a job that waits for it?"""
    n = len(state.prefills)
    kept = capped(state, B) and all(g < M for g, p in enumerate(state.prefills) if p) and all(
        len(on) <= (B - 1 if g < M else B) for g, on in enumerate(state.decodes))
    mixed, solo = (any(room(state, g, B - 1) for g in range(M)), any(room(state, g, B) for g in range(M, n)))
    waits = ((bool(state.buffers[0]), bool(state.buffers[1])) if pools else (bool(state.buffers[0]),) * 2)
    return kept and not (waits[0] and mixed) and not (waits[1] and solo) and not (
        state.queue and any(g < M for g in state.idle()))


def gate_and_route(gate: Callable[[State, dict[int, Fraction]], list[int]], right: Callable[..., bool]
                   ) -> Iterator[Case]:
    for n, B, targets in PLANS:
        M = ceil(n * sum(targets.values()))

        def choose(s: State, M: int = M, B: int = B, targets: dict[int, Fraction] = targets) -> list[Event]:
            return greedy(s, M, B) or planned(s, M, lambda now: gate(now, targets))

        for was, event, steps, end in run(empty(n), choose, len(targets), 6):
            bad = not static(end, M, B) or not all(right(at, e, targets, M, B) for at, e in steps)
            yield {"n": n, "B": B, "x": targets, "state": was, "event": event, "then": end} if bad else None


def gated(at: State, e: Event, targets: dict[int, Fraction], M: int, B: int) -> bool:
    """No class waits with a smaller X_i/x_i than the one that is admitted; a job is placed solo where it can be."""
    if e.name == "admission":
        filled = {i: at.prefills.count(i) / targets[i] for i in set(at.queue)}
        return filled[e.kind] == min(filled.values()) and e.gpu < M and not at.prefills[e.gpu]
    return e.gpu >= M or all(len(at.decodes[g]) == B for g in range(M, len(at.prefills)))


@every(SMALL, LINES)
def gate_and_route_run() -> Iterator[Case]:
    yield from gate_and_route(least_deviation, gated)


def zero_target_run() -> Outcome:
    """An optimal plan with x_1 = 0: a job of class 1 waits beside an idle reserved slot."""
    state = after(empty(2), Event("arrival", 1))
    try:
        planned(state, 1, lambda at: least_deviation(at, {1: Fraction(0), 2: HALF}))
        failed = ""
    except ZeroDivisionError:
        failed = "xi_1 = (1/x_1)(X_1 - n x_1) has no value at x_1 = 0: the gate says nothing"
    return found(shown(bool(failed), {"n": 2, "x": "(0, 1/2)", "queue": state.queue, "trace": failed},
                       "the printed index"))


RATIO = {1: Fraction(300, 3000), 2: Fraction(1000, 300)}  # D_i/P_i


def largest_ratio(state: State, _: dict[int, Fraction]) -> list[int]:
    """Of the classes that wait."""
    waits = set(state.queue)
    return [i for i in sorted(waits) if RATIO[i] == max(RATIO[j] for j in waits)]


@every(SMALL, LINES)
def prioritize_run() -> Iterator[Case]:
    yield from gate_and_route(largest_ratio, lambda at, e, targets, M, B: gated(at, e, targets, M, B) if (
        e.name != "admission") else RATIO[e.kind] == max(RATIO[i] for i in at.queue))


# ---- two buffers: Sections 5.1 and EC.6 ----

def pooled(lines: Callable[[State], tuple[list[int], list[int]]]) -> Iterator[Case]:
    for n, B, targets in PLANS:
        M = ceil(n * sum(targets.values()))

        def choose(s: State, M: int = M, B: int = B, targets: dict[int, Fraction] = targets) -> list[Event]:
            return two_buffers(s, M, B, lines(s)) or planned(s, M, lambda at: least_deviation(at, targets))

        for was, event, steps, end in run(empty(n, 2), choose, len(targets), 5, (0, 1)):
            own = all(e.name == "admission" or (e.gpu >= M) == (e.buffer == 1) for _, e in steps)
            bad = not static(end, M, B, pools=True) or not own
            yield {"n": n, "B": B, "x": targets, "state": was, "event": event, "then": end} if bad else None


POOLS = SMALL.replace("6 events", "5 events, the outcome U of each routing")


@every(POOLS, LINES)
def sli_aware_run() -> Iterator[Case]:
    yield from pooled(lambda s: (list(s.buffers[0][:1]), list(s.buffers[1][:1])))


@every(POOLS + " and of each choice of a class", LINES)
def general_sli_run() -> Iterator[Case]:
    yield from pooled(lambda s: (sorted(set(s.buffers[0])), sorted(set(s.buffers[1]))))


def weightless_run() -> Outcome:
    """A class without decodes in the plan: p_s = 1 by the second case, pi_s = 0 by the convention."""
    y_m, y_s, served = Fraction(0), Fraction(0), Fraction(3)  # of class 1; of all classes, mu_s y_s
    p_s = Fraction(1) if y_m + y_s == 0 else y_s / (y_m + y_s)
    weight = y_s / served
    return found(shown(p_s == 1 and weight == 0, {
        "y_m,1": y_m, "y_s,1": y_s, "trace": "a completed prefill of class 1 goes to the solo buffer with probability "
        "1; while it waits there alone, each class is selected with probability 0/0 := 0, and a free solo slot idles"},
        "the printed probabilities and weights"))


# ---- Section 6.3 ----

@every(SMALL, LINES)
def gg_sp_run() -> Iterator[Case]:
    def right(at: State, e: Event, targets: dict[int, Fraction], M: int, B: int) -> bool:
        waiting = bool(at.buffers[0]) and any(room(at, g, B) for g in range(M, len(at.prefills)))
        return gated(at, e, targets, M, B) and not (e.name == "admission" and waiting)

    yield from gate_and_route(least_deviation, right)


@every(SMALL, LINES)
def fg_sp_run() -> Iterator[Case]:
    yield from gate_and_route(lambda s, _: list(s.queue[:1]), lambda at, e, targets, M, B: e.kind == at.queue[0] if (
        e.name == "admission") else gated(at, e, targets, M, B))


def unplanned(choose: Callable[[State, int], list[Event]], bad: Callable[[State, int], bool],
              buffers: tuple[int, ...]) -> Iterator[Case]:
    """A placement where a job that waits for a prefill could be admitted is wrong too."""
    for n, B, classes in ((2, 1, 1), (2, 2, 1), (2, 2, 2), (1, 3, 2)):
        def chosen(s: State, B: int = B) -> list[Event]:
            return choose(s, B)

        for was, event, steps, end in run(empty(n), chosen, classes, 6, buffers):
            wrong = not capped(end, B) or bad(end, B) or any(
                e.name == "placement" and at.queue and any(room(at, g, B) for g in at.idle()) for at, e in steps)
            yield {"n": n, "B": B, "state": was, "event": event, "then": end} if wrong else None


def coupled(state: State, B: int, gate: Callable[[State], list[int]]) -> list[Event]:
    """A GPU with a free slot and no prefill takes a job, whose slot it keeps until it is finished."""
    return [Event("admission", i, g) for g in state.idle() if room(state, g, B) for i in gate(state)] if (
        state.queue) else []


def unserved(state: State, B: int) -> bool:
    """Does a job wait beside a GPU that could take it, or is a decode without its slot?"""
    return bool(state.buffers[0]) or bool(state.queue and any(room(state, g, B) for g in state.idle()))


@every(SMALL, LINES)
def fi_wsp_run() -> Iterator[Case]:
    yield from unplanned(lambda s, B: coupled(s, B, lambda at: [at.queue[0]]), unserved, (-1,))


@every(SMALL, LINES)
def gi_wsp_run() -> Iterator[Case]:
    targets = {1: Fraction(1, 4), 2: Fraction(1, 2)}
    yield from unplanned(lambda s, B: coupled(s, B, lambda at: least_deviation(at, targets)), unserved, (-1,))


@every(SMALL, LINES)
def gf_wsp_run() -> Iterator[Case]:
    targets = {1: Fraction(1, 4), 2: Fraction(1, 2)}

    def choose(s: State, B: int) -> list[Event]:
        return coupled(s, B, lambda at: least_deviation(at, targets)) or [
            Event("placement", i, g) for g in range(len(s.prefills)) for i in s.buffers[0][:1]
            if len(s.decodes[g]) + bool(s.prefills[g]) < B]

    def bad(s: State, B: int) -> bool:
        free_slot = any(len(on) + bool(p) < B for p, on in zip(s.prefills, s.decodes, strict=True))
        return bool(s.buffers[0] and free_slot) or bool(s.queue and any(room(s, g, B) for g in s.idle()))

    yield from unplanned(choose, bad, (0,))
