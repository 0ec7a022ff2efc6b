"""The table ``rad-drain``: how far printed schedulers are from the best composition of batches, on stated instances.

The least time is that of the shortest of all schedules (`qtheory.theory.capacity.shortest_drain`); RAD and
Sarathi-Serve are the lines of Algorithms 1 and 4 with their corrected counts, run on a clock that goes by the tile law.
Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", Sections 3.1 and 4.2, Appendix E.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial

from qtheory import __version__
from qtheory.proofs.claims import replay
from qtheory.proofs.claims.rad.models.schedulers import rad, sarathi
from qtheory.report.table import Column, Math, Table, Text, Value
from qtheory.theory.capacity import Request, Tile, TileLaw, least_seconds, shortest_drain

WIDTH, BUDGET = 4, 8  # t_col and t_lcm, and the tokens of a batch at most
ATTENTION = Fraction(1, 20)
INSTANCES = {
    "whole tiles": ((8, 3), (4, 2), (4, 5), (8, 1)),
    "odd prompts": ((7, 3), (3, 2), (5, 4), (1, 2)),
    "long outputs": ((4, 8), (4, 8), (4, 8), (4, 8), (4, 8)),
    "long prompts": ((12, 1), (12, 1), (12, 1)),
    "one long output": ((4, 1), (4, 1), (4, 12), (4, 1)),
}
FIXED = (Fraction(0), Fraction(1, 2))  # of a batch, in times of a column
COLUMNS = (
    Column("fixed", "fixed", "fixed time of a batch, in columns", digits=2, trim=True, once=True),
    Column("instance", "instance", "requests that are there at the start", text=True),
    Column("bound", "bound", "lower bound by counting batches, columns and attention", digits=4, trim=True),
    Column("least", "least", "time of the shortest of all schedules", digits=4, trim=True),
    Column("batches", "batches", "its batches", bare=True),
    Column("rad", "RAD", "RAD over the least, less 1", "%", digits=3),
    Column("sarathi", "Sarathi", "Sarathi-Serve over the least, less 1", "%", digits=3),
    Column("vllm", "vLLM", "prefill-first batches over the least, less 1", "%", digits=3),
)


class Clock(replay.Gpu):
    """A GPU whose batches take the tile law's time; ``seconds`` so far."""

    def __init__(self, law: TileLaw, requests: Sequence[replay.Request]) -> None:
        super().__init__(requests)
        self.law, self.seconds = law, Fraction(0)

    def schedule(self, *batch: replay.Iteration) -> None:
        """A decode iteration reads the prompt and what is sampled."""
        chunks = [(i, c) for kind, _, i, c in batch if kind == "PI"]
        reads = [r.prompt + r.sampled for kind, r, _, _ in batch if kind == "DI"]
        super().schedule(*batch)
        self.seconds += self.law.batch(chunks, reads)


def prefill_first(gpu: replay.Gpu, budget: int) -> None:
    """vLLM as Section 1.1.2 has it: prompts, oldest first, as long as any waits, and else every decode."""
    waiting: list[replay.Request] = []
    decoding: list[replay.Request] = []
    while (arrived := gpu.arrivals()) or waiting or decoding or gpu.wait():
        waiting += arrived
        batch, room = [], budget
        for r in waiting:
            if room > 0:
                batch.append(replay.PI(r, r.prefilled + 1, min(room, r.prompt - r.prefilled)))
                room -= batch[-1][3]
        gpu.schedule(*(batch or map(replay.DI, decoding[:budget])))
        decoding += [r for r in waiting if r.prefilled == r.prompt]
        waiting = [r for r in waiting if r.prefilled < r.prompt]
        decoding = [r for r in decoding if not r.stopped]


SCHEDULERS: dict[str, Callable[[replay.Gpu], None]] = {
    "RAD": partial(rad, n=64, t_col=WIDTH, t_lcm=WIDTH, count=1),
    "Sarathi-Serve": partial(sarathi, budget=BUDGET, count=1, ends=True),
    "vLLM": partial(prefill_first, budget=BUDGET),
}


def drained(law: TileLaw, requests: Sequence[Request]) -> dict[str, Fraction]:
    """Seconds until all requests are served that are there at once, under each of `SCHEDULERS`."""
    found = {}
    for name, run in SCHEDULERS.items():
        clock = Clock(law, [replay.Request(f"R{k}", r.prompt, r.output) for k, r in enumerate(requests, 1)])
        run(clock)
        found[name] = clock.seconds
    return found


def law_of(fixed: Fraction) -> TileLaw:
    """Columns of `WIDTH` tokens that take a second, and attention; no time for other operations."""
    return TileLaw(Tile(1, WIDTH), Fraction(1), pair=ATTENTION, vector=ATTENTION, vector_tile=Tile(1, 1), fixed=fixed)


def table() -> Table:
    """The table ``rad-drain``."""
    return Table(name="rad-drain", title="Schedulers and the best composition of batches", caption=_caption(),
                 label="tab:rad-drain", columns=COLUMNS, rows=tuple(_rows()), version=__version__)


def _rows() -> Iterator[tuple[Value, ...]]:
    for fixed in FIXED:
        law = law_of(fixed)
        for name, lengths in INSTANCES.items():
            requests = [Request(p, d) for p, d in lengths]
            best = shortest_drain(law, requests, BUDGET)
            gaps = [100 * float(t / best.seconds - 1) for t in drained(law, requests).values()]
            yield (float(fixed), name, float(least_seconds(law, requests, BUDGET)), float(best.seconds),
                   len(best.batches), *gaps)


def _caption() -> Text:
    shown = "; ".join(f"{name}: {', '.join(f'{p}+{d}' for p, d in lengths)}" for name, lengths in INSTANCES.items())
    return (
        "The time, in columns of tiles, in which requests that are all there are served, by the tile law with ",
        Math(r"t_{\mathrm{col}}", "t_col"), f" = {WIDTH} and attention of {float(ATTENTION):g} a tile: the least over "
        f"every schedule with batches of at most {BUDGET} tokens, by exact search; and how much longer the printed "
        f"schedulers take, RAD with chunks of {WIDTH} tokens. Requests as prompt+output: {shown}. "
        f"Computed by qtheory {__version__}.")
