"""A small cluster of GPUs as Section 2 describes it: what waits, what runs where, and every stream of events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

MIXED, SOLO = "mixed", "solo"


@dataclass(frozen=True)
class State:
    """``prefills``: the class in prefill on each GPU, or 0; ``decodes``: the classes in decode on each, sorted.
    ``queue``: the classes of the jobs that wait for a prefill, oldest first; ``buffers``: those that wait for a
    decode, in one buffer or in two."""

    prefills: tuple[int, ...]
    decodes: tuple[tuple[int, ...], ...]
    queue: tuple[int, ...] = ()
    buffers: tuple[tuple[int, ...], ...] = ((),)

    def running(self) -> Iterator[tuple[str, int, int]]:
        """Each decode: its mode, its GPU and its class."""
        for g, (prefill, classes) in enumerate(zip(self.prefills, self.decodes, strict=True)):
            for i in classes:
                yield (MIXED if prefill else SOLO), g, i

    def idle(self) -> list[int]:
        """The GPUs without a prefill."""
        return [g for g, prefill in enumerate(self.prefills) if not prefill]


class Event(NamedTuple):
    name: str
    kind: int  # the class
    gpu: int = -1
    buffer: int = 0


def empty(n: int, buffers: int = 1) -> State:
    return State((0,) * n, ((),) * n, (), ((),) * buffers)


def without(line: tuple[int, ...], i: int) -> tuple[int, ...]:
    """The line without the oldest of the class."""
    at = line.index(i)
    return line[:at] + line[at + 1:]


def put(items: tuple, g: int, item: object) -> tuple:
    return (*items[:g], item, *items[g + 1:])


def buffered(state: State, buffer: int, line: tuple[int, ...]) -> State:
    return replace(state, buffers=put(state.buffers, buffer, line))


def after(state: State, event: Event) -> State:
    """What the event alone changes. A completed prefill joins ``event.buffer``, or its own slot if that is -1."""
    name, i, g, b = event
    match name:
        case "arrival":
            return replace(state, queue=(*state.queue, i))
        case "prefill abandonment":
            return replace(state, queue=without(state.queue, i))
        case "admission":
            return replace(state, queue=without(state.queue, i), prefills=put(state.prefills, g, i))
        case "prefill completion":
            left = replace(state, prefills=put(state.prefills, g, 0))
            if b < 0:
                return replace(left, decodes=put(left.decodes, g, tuple(sorted((*left.decodes[g], i)))))
            return buffered(left, b, (*left.buffers[b], i))
        case "decode abandonment":
            return buffered(state, b, without(state.buffers[b], i))
        case "placement":
            left = buffered(state, b, without(state.buffers[b], i))
            return replace(left, decodes=put(left.decodes, g, tuple(sorted((*left.decodes[g], i)))))
        case "decode completion":
            return replace(state, decodes=put(state.decodes, g, without(state.decodes[g], i)))
    raise AssertionError(name)


def chances(state: State, classes: int, most: int, buffers: Iterable[int] = (0,)) -> Iterator[Event]:
    """What may happen next, whatever the policy: at most ``most`` jobs wait for a prefill."""
    if len(state.queue) < most:
        yield from (Event("arrival", i) for i in range(1, classes + 1))
    yield from (Event("prefill abandonment", i) for i in sorted(set(state.queue)))
    for g, i in enumerate(state.prefills):
        if i:
            yield from (Event("prefill completion", i, g, b) for b in buffers)
    for b, line in enumerate(state.buffers):
        yield from (Event("decode abandonment", i, -1, b) for i in sorted(set(line)))
    yield from (Event("decode completion", i, g) for g, on in enumerate(state.decodes) for i in sorted(set(on)))


def streams(start: State, depth: int, nexts: Callable[[State], Iterable[tuple[Event, State]]]
            ) -> Iterator[tuple[State, Event, State]]:
    """Each step that is reached within ``depth`` steps, once."""
    seen, edge = {start}, [start]
    for _ in range(depth):
        later = []
        for state in edge:
            for event, follows in nexts(state):
                yield state, event, follows
                if follows not in seen:
                    seen.add(follows)
                    later.append(follows)
        edge = later


def capped(state: State, B: int) -> bool:
    """(12) to (14), GPU by GPU and in all."""
    X, n = sum(map(bool, state.prefills)), len(state.prefills)
    modes = Counter(mode for mode, _, _ in state.running())
    return (all(len(on) + bool(p) <= B for p, on in zip(state.prefills, state.decodes, strict=True))
            and 0 <= X <= n and modes[MIXED] <= (B - 1) * X and modes[SOLO] <= B * (n - X))
