"""Printed schedulers run literally: requests in whole tokens, a GPU whose batches take one unit of time each.

A printed loop that comes back to a state that it has been in, with nothing from outside in between, never ends;
`Loop` raises `Endless` then, with the batches so far as the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any

from qtheory.proofs.claims.cases import Point, shown
from qtheory.proofs.claims.outcomes import Outcome

LINES = "the lines run on every input up to the bound"


@dataclass(eq=False)
class Request:
    """``prompt`` tokens L^P, ``output`` tokens L^D; the stop token is sampled after the last of them."""

    name: str
    prompt: int
    output: int
    arrival: int = 0
    prefilled: int = 0
    sampled: int = 0  # output tokens and the stop token so far

    @property
    def stopped(self) -> bool:
        return self.sampled > self.output

    def __str__(self) -> str:
        return self.name


class Endless(Exception):
    """A loop that never ends, and where."""


class Infeasible(Exception):
    """An iteration that the model does not allow."""


Iteration = tuple[str, Request, int, int]  # "PI" with start and chunk, or "DI"


def PI(request: Request, i: int, c: int) -> Iteration:
    return "PI", request, i, c


def DI(request: Request) -> Iteration:
    return "DI", request, 0, 0


class Gpu:
    """A clock, the requests still to come, and the batches so far; ``batches[m]`` lists iterations as text."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self.coming = sorted(requests, key=lambda r: r.arrival)
        self.clock = 0
        self.batches: list[tuple[str, ...]] = []

    def arrivals(self) -> list[Request]:
        """Those that have arrived and were not taken before, oldest first."""
        here = [r for r in self.coming if r.arrival <= self.clock]
        self.coming = self.coming[len(here):]
        return here

    def wait(self) -> bool:
        """Do nothing until the next arrival; False where none is to come."""
        if self.coming:
            self.clock = max(self.clock, self.coming[0].arrival)
        return bool(self.coming)

    def schedule(self, *batch: Iteration) -> None:
        """Run a batch: Definitions 1 and 2 of the tiling paper, Section 3.1."""
        for kind, r, i, c in batch:
            if kind == "PI" and (i != r.prefilled + 1 or i + c - 1 > r.prompt):
                raise Infeasible(f"PI({r}, {i}, {c}) with {r.prefilled} of {r.prompt} prompt tokens done")
            if kind == "DI" and (r.prefilled < r.prompt or r.stopped):
                raise Infeasible(f"DI({r}) outside its decode phase")
        if len({(kind, r) for kind, r, _, _ in batch}) < len(batch):
            raise Infeasible("two iterations of one request in a batch")
        self.batches.append(tuple(f"PI({r}, {i}, {c})" if kind == "PI" else f"DI({r})" for kind, r, i, c in batch))
        for kind, r, _, c in batch:
            r.prefilled += c
            # The iteration of the last prompt token samples the first output token (Section 3.1).
            if kind == "DI" or (c > 0 and r.prefilled == r.prompt):
                r.sampled += 1
        self.clock += 1


class Loop:
    """States that a printed loop has been in."""

    def __init__(self, where: str, gpu: Gpu) -> None:
        self.where, self.gpu = where, gpu
        self.seen: set[tuple[Any, ...]] = set()

    def visit(self, *state: Any) -> None:
        if state in self.seen:
            trace = "; ".join(" + ".join(b) for b in self.gpu.batches[:6])
            raise Endless(f"{self.where} come back to the same state: they never end"
                          + (f" ({trace}; ...)" if trace else ""))
        self.seen.add(state)


def inputs(prompts: Sequence[int], outputs: Sequence[int], arrivals: Sequence[int],
           most: int) -> Iterator[list[Request]]:
    """All lists of up to ``most`` requests with these lengths and arrival times, in order of arrival."""
    for count in range(1, most + 1):
        for times in combinations_with_replacement(arrivals, count):
            for lengths in product(product(prompts, outputs), repeat=count):
                yield [Request(f"R{i + 1}", p, o, t) for i, ((p, o), t) in enumerate(zip(lengths, times, strict=True))]


def words(requests: Sequence[Request]) -> str:
    return ", ".join(f"{r}: L^P = {r.prompt}, L^D = {r.output}, arrival {r.arrival}" for r in requests)


def at(requests: Sequence[Request], why: str, **parameters: object) -> Point:
    """The input, and what happens there."""
    return {"requests": words(requests), **parameters, "trace": why}


def broken(gpu: Gpu, requests: Sequence[Request], run: Callable[[Gpu], None]) -> str:
    """Why the scheduler does not serve these requests, in words; empty where it serves them all."""
    try:
        run(gpu)
    except (Endless, Infeasible) as error:
        return str(error)
    left = [str(r) for r in requests if not r.stopped]
    return f"never served: {', '.join(left)}; batches scheduled: {len(gpu.batches)}" if left else ""


def replayed(requests: Sequence[Request], run: Callable[[Gpu], None], **parameters: object) -> Outcome:
    """Does the scheduler serve every request?"""
    why = broken(Gpu(requests), requests, run)
    return shown(bool(why), at(requests, why, **parameters), "the printed lines, replayed")
