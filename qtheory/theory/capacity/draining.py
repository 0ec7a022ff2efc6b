"""The shortest time in which an engine serves requests that are all there, over every way to compose its batches.

A batch takes chunks of prompts and one decode iteration of each of some requests, at most ``limit`` tokens, and at most
``slots`` requests are begun and not done. Decode iterations read the same tokens whenever they run, so that their
attention, like ``token``, is the same under every schedule; what batches decide is their number, their columns, and
the attention of the chunks.

`shortest_drain` is exact: a shortest path through the states (tokens done of each prompt, decodes left), best first by
a lower bound of what is left (A*), on whole numbers of a common unit. `least_seconds` is that bound at the start, for
instances of any size: with b batches, ``b >= max(ceil(tokens/limit), ceil(outputs/slots), the longest request's)``,
columns at least ``max(ceil(tokens/w), b)``, and each prompt's attention at least that of its cheapest chunks.

Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", Section 3.1, (7), Appendix B.1.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count, product
from math import prod

from qtheory.errors import InputError
from qtheory.theory.capacity.tiles import TileLaw
from qtheory.workloads.base import integer

MOST_STATES, MOST_BATCHES = 400_000, 200_000  # in all; that one state may be followed by
_SMALLER = "give fewer or shorter requests; least_seconds bounds instances of any size"


@dataclass(frozen=True, order=True)
class Request:
    """A prompt and the decode iterations after it, in tokens; ``prompt`` at least 1, ``output`` at least 0."""

    prompt: int
    output: int

    def __post_init__(self) -> None:
        integer("a prompt", self.prompt)
        integer("an output", self.output, 0)


State = tuple[tuple[int, int, int], ...]  # sorted: prompt, tokens of it done, decodes left
Step = tuple[tuple[int, int], ...]  # of each request of the state: a chunk, a decode


@dataclass(frozen=True)
class Drained:
    """``seconds`` in all, ``batches`` as ((start and size of each chunk), decodes), and the states looked at."""

    seconds: Fraction
    batches: tuple[tuple[tuple[tuple[int, int], ...], int], ...]
    states: int


def least_seconds(law: TileLaw, requests: Sequence[Request], limit: int | None = None, slots: int | None = None
                  ) -> Fraction:
    """A lower bound on the time to serve all requests under every schedule; exact numbers. Seconds."""
    search = _Search(law, _checked(requests), limit, slots)
    return search.left(search.start) * search.unit + search.same


def shortest_drain(law: TileLaw, requests: Sequence[Request], limit: int | None = None, slots: int | None = None
                   ) -> Drained:
    """The least time to serve all requests, with a schedule that has it. InputError where more than 400,000 states are
    met, or 200,000 batches may come first: the instance is too large."""
    search = _Search(law, _checked(requests), limit, slots)
    found, steps, looked = search.run()
    return Drained(found * search.unit + search.same, steps, looked)


def _checked(requests: Sequence[Request]) -> tuple[Request, ...]:
    if not requests:
        raise InputError("an instance needs at least one request")
    for r in requests:
        if not isinstance(r, Request):
            raise InputError(f"{r!r} is no request; it must be a Request(prompt, output)")
    return tuple(sorted(requests))


class _Search:
    def __init__(self, law: TileLaw, requests: tuple[Request, ...], limit: int | None, slots: int | None) -> None:
        for name, value in (("the limit", limit), ("slots", slots)):
            if value is not None:
                integer(name, value)
        self.law, self.limit, self.slots, self.unit = law, limit, slots, law.unit
        self.width = law.tile.col
        self.start: State = tuple(sorted((r.prompt, 0, r.output) for r in requests))
        tokens = sum(r.prompt + r.output for r in requests)
        self.same = law.token * tokens + sum(
            (law.decode_attention_to(r.prompt + r.output) - law.decode_attention_to(r.prompt) for r in requests),
            Fraction(0))
        self.column, self.fixed = int(law.column / self.unit), int(law.fixed / self.unit)
        self.attention = cache(lambda end, chunk: int(law.prefill_attention(end, chunk) / law.unit))
        self.prompt_left = cache(self._prompt_left)

    def _prompt_left(self, prompt: int, done: int) -> int:
        """The least attention of a prompt's tokens from ``done`` on: chunks of w tokens (`chunking`)."""
        return sum(self.attention(e, 1) for e in range(prompt, done, -self.width))

    def left(self, state: State) -> int:
        """A lower bound on the time from a state to the end, in `unit`."""
        if not state:
            return 0
        tokens = sum(p - done + d for p, done, d in state)
        most = self.limit or tokens
        batches = max(-(-tokens // most), max(-(-(p - done) // most) + d for p, done, d in state))
        if self.slots:
            batches = max(batches, -(-sum(d for _, _, d in state) // self.slots))
        columns = max(-(-tokens // self.width), batches)
        return self.fixed * batches + self.column * columns + sum(self.prompt_left(p, done) for p, done, _ in state)

    def run(self) -> tuple[int, tuple[tuple[tuple[tuple[int, int], ...], int], ...], int]:
        order = count()
        best, came = {self.start: 0}, dict[State, tuple[State, Step]]()
        heap = [(self.left(self.start), next(order), 0, self.start)]
        if prod(1 + min(p, self.limit or p) for p, _, _ in self.start) > MOST_BATCHES:
            raise InputError(f"more than {MOST_BATCHES:,} batches may come first: {_SMALLER}")
        while heap:
            _, _, spent, state = heapq.heappop(heap)
            if spent > best[state]:
                continue
            if not state:
                return spent, self._steps(came), len(best)
            for step, after, seconds in self._next(state):
                total = spent + seconds
                if total < best.get(after, total + 1):
                    best[after], came[after] = total, (state, step)
                    heapq.heappush(heap, (total + self.left(after), next(order), total, after))
            if len(best) > MOST_STATES:
                raise InputError(f"more than {MOST_STATES:,} states: {_SMALLER}")
        raise AssertionError("every instance can be served one token a batch")

    def _next(self, state: State) -> Iterator[tuple[Step, State, int]]:
        """Every batch: of each request a chunk, or a decode iteration, or nothing."""
        most = self.limit or sum(p + d for p, _, d in state)
        choices = [[(c, 0) for c in range(min(p - done, most) + 1)] if done < p else [(0, 0), (0, 1)]
                   for p, done, d in state]
        begun = sum(1 for p, done, _ in state if done)
        for step in product(*choices):
            tokens = sum(c + d for c, d in step)
            if not 0 < tokens <= most:
                continue
            opened = sum(1 for (c, _), (_, done, _) in zip(step, state, strict=True) if c and not done)
            if self.slots and begun + opened > self.slots:
                continue
            seconds = self.fixed + self.column * -(-tokens // self.width)
            after = []
            for (c, d), (p, done, left) in zip(step, state, strict=True):
                seconds += self.attention(done + c, c) if c else 0
                if (done + c, left - d) != (p, 0):
                    after.append((p, done + c, left - d))
            yield step, tuple(sorted(after)), seconds

    def _steps(self, came: dict[State, tuple[State, Step]]) -> tuple[tuple[tuple[tuple[int, int], ...], int], ...]:
        steps: list[tuple[tuple[tuple[int, int], ...], int]] = []
        state: State = ()
        while state != self.start:
            state, step = came[state]
            chunks = tuple((done + 1, c) for (c, _), (_, done, _) in zip(step, state, strict=True) if c)
            steps.append((chunks, sum(d for _, d in step)))
        return tuple(reversed(steps))
