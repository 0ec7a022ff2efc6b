"""The tables ``rad-capacity`` and ``rad-tiles``: what RAD serves, and what no scheduler exceeds.

Bounds are certified (`qtheory.theory.any_law`) or sums by the tile law (`qtheory.theory.capacity`); RAD's rate is exact
for prompts of one length and geometric outputs (`qtheory.numerics.capacity`). What a request's context takes is the
same under every schedule, and is added to a request's time.
Source: "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice", Section 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from qtheory import __version__, workloads
from qtheory.errors import InputError
from qtheory.models.laws import RESIDENT, TOKENS, Law, StaircaseLaw
from qtheory.numerics import capacity as exact
from qtheory.profiles.schema import HardwareProfile
from qtheory.report.base_threshold import profiles_sentence, provenance
from qtheory.report.table import Column, Math, Table, Text, Value
from qtheory.theory import capacity
from qtheory.theory.any_law import Lengths, Times, least_with_full_batches, most_under_any_scheduler

PROMPT, OUTPUT = 1536, 415  # tokens: a multiple of 256, and the median output of the paper's Table 1
BUDGET, COLUMNS, CHUNK = 512, 128, 256  # Sarathi-Serve's tokens; RAD's t_col and t_lcm where the law has no width
FLOPS, BANDWIDTH = 312e12, 2.039e12  # of an A100, by its data sheet
WORKLOAD, SLACK = "rad-openchat-sharegpt4", 0.1

CAPACITY_COLUMNS = (
    Column("profile", "profile", "hardware profile", text=True),
    Column("law", "law", "its iteration-time law", text=True, printed=False),
    Column("t_col", Math(r"t_{\mathrm{col}}", "t_col"), "RAD's decodes a batch, and requests in service", bare=True),
    Column("prompt", "prompt", "prompt length", "tokens", printed=False),
    Column("budget", "budget", "tokens of a batch at most", "tokens", printed=False),
    Column("any", "any", "certified: no scheduler serves more", "1/s", digits=4),
    Column("held", Math(r"t_{\mathrm{col}}\ \mathrm{held}", "t_col held"),
           "the same with at most t_col requests in service", "1/s", digits=4, printed=False),
    Column("sarathi", "Sarathi", "certified: full batches serve this", "1/s", digits=4),
    Column("vllm", "vLLM", "prefill-first batches, where times do not depend on context", "1/s", digits=4),
    Column("rad", "RAD", "RAD with n = 2 t_col", "1/s", digits=4),
    Column("endless", Math(r"n\to\infty", "n → ∞"), "RAD's rate as its cycle grows", "1/s", digits=4),
    Column("below", "below", "what the latter lacks of the bound with t_col requests", "%", digits=3),
)
TILE_COLUMNS = (
    Column("tile", "tile", "output tile, rows x columns", text=True),
    Column("lcm", Math(r"t_{\mathrm{lcm}}", "t_lcm"), "RAD's chunk", "tokens"),
    Column("column", Math(r"1/\mu_{\mathrm{Lin}}", "1/μ_Lin"), "a column of tiles of all weights", "ms", digits=3),
    Column("printed", Math(r"\bar T^R", "T̄^R"), "mean time of a request, in chunks of t_lcm", "s", digits=5),
    Column("least", "least", "the same in the chunks of the least attention", "s", digits=5),
    Column("over", "over", "share by which the former exceeds the latter", "%", digits=2),
    Column("rate", "bound", "no scheduler with this tile serves more", "1/s", digits=4),
    Column("worst", Math(r"T^{\max}", "T^max"), "worst-case time of a request, of this tile", "s", digits=3),
    Column("cycle", Math("n", "n"), f"prefills a cycle by Theorem 2 at a slack of {SLACK:g}", bare=True),
)


class Rates(NamedTuple):
    """One engine: RAD's t_col and t_lcm, the prompt and the budget (tokens), and requests a second: no scheduler serves
    more; nor with t_col requests in service; full batches; vLLM's prefill-first batches, or None; RAD with n = 2 t_col,
    and with an endless cycle."""

    t_col: int
    prompt: int
    budget: int
    any: float
    held: float
    sarathi: float
    vllm: float | None
    rad: float
    endless: float


def bounds(law: Law, slots: int | None = None, budget: int = BUDGET, prompt: int = PROMPT) -> Fraction:
    """The rate (1/s) that no scheduler exceeds with batches of at most ``budget`` tokens and ``slots`` requests in
    service. Certified; InputError for a law that is no function of tokens and context."""
    return most_under_any_scheduler(Times.of_law(law, budget), _lengths(prompt), slots)[0]


def _lengths(prompt: int) -> Lengths:
    p, output = Fraction(prompt), Fraction(OUTPUT)
    return Lengths(p, output, output * p + output * (output - 1))  # E O(O - 1)/2 of a geometric law


def rates(law: Law) -> Rates:
    """The rates of a law by tokens. Prompts are whole chunks of RAD, budgets whole columns: widths of a staircase."""
    t_col, chunk = (int(law.t_col),) * 2 if isinstance(law, StaircaseLaw) else (COLUMNS, CHUNK)
    prompt, budget = (max(round(length / size), 1) * size for length, size in ((PROMPT, chunk), (BUDGET, t_col)))
    times = Times.of_law(law, budget)
    lengths, time = _lengths(prompt), _seconds(law, max(budget, chunk))
    context = float(times.context * lengths.held)  # of a request, under every schedule
    alone = time(np.array([float(chunk), 0.0]), np.array([0.0, float(t_col)]))
    rad = exact.cycle(2 * t_col, t_col, chunk, prompt, time, hazard=1 / OUTPUT, refill=True)
    return Rates(t_col, prompt, budget, float(bounds(law, None, budget, prompt)),
                 float(bounds(law, t_col, budget, prompt)), float(least_with_full_batches(times, lengths)),
                 None if RESIDENT in law.variables else exact.prefill_first(prompt, budget, OUTPUT, time),
                 1 / (1 / rad + context), 1 / (prompt / chunk * alone[0] + OUTPUT / t_col * alone[1] + context))


def _seconds(law: Law, most: int) -> exact.Time:
    """Seconds by tokens up to ``most``, without context."""
    tokens = np.arange(most + 1.0)
    known = law.time(*(tokens if name == TOKENS else np.zeros_like(tokens) for name in law.variables))
    return lambda prefill, decode: known[(prefill + decode).astype(np.int64)]


def capacity_table(profiles: Sequence[HardwareProfile]) -> Table:
    """The table ``rad-capacity``."""
    rows: list[tuple[Value, ...]] = []
    for profile in profiles:
        found = rates(profile.law)
        rows.append((profile.name, profile.law.kind, *found, 100 * max(1 - found.endless / found.held, 0.0)))
    return Table(name="rad-capacity", title="RAD and the capacity region", caption=_first_caption(profiles),
                 label="tab:rad-capacity", columns=CAPACITY_COLUMNS, rows=tuple(rows), version=__version__,
                 provenance=tuple(provenance(p) for p in profiles))


def tile_laws() -> dict[capacity.Tile, capacity.TileLaw]:
    """The tile law of Mistral-7B at an A100's rates, for each tile that the paper prints."""
    return {tile: capacity.TileLaw.of_rates(tile, capacity.MISTRAL_7B, FLOPS, BANDWIDTH) for tile in capacity.A100}


def tiles_table() -> Table:
    """The table ``rad-tiles``."""
    return Table(name="rad-tiles", title="The tile law of an A100", caption=_second_caption(), label="tab:rad-tiles",
                 columns=TILE_COLUMNS, rows=tuple(_tiles()), version=__version__)


def _tiles() -> Iterator[tuple[Value, ...]]:
    workload = workloads.load(WORKLOAD)
    for tile, law in tile_laws().items():
        printed, least = capacity.means(law, workload, tile.lcm), capacity.means(law, workload)
        worst = float(capacity.worst_time(law, least.prompt, least.output))
        yield (f"{tile.row} x {tile.col}", tile.lcm, 1e3 * float(law.column), printed.seconds, least.seconds,
               100 * (printed.seconds / least.seconds - 1), least.rate(), worst,
               capacity.cycle_length(law, printed.seconds, worst, SLACK))


def usable(profiles: Sequence[HardwareProfile]) -> tuple[HardwareProfile, ...]:
    """Those whose law is a function of tokens and context; InputError where there is none."""
    kept = []
    for p in profiles:
        try:
            Times.of_law(p.law, 1)
        except InputError:
            continue
        kept.append(p)
    if not kept:
        raise InputError("no profile given has a law by tokens; the table needs one, such as staircase or affine")
    return tuple(kept)


def _first_caption(profiles: Sequence[HardwareProfile]) -> Text:
    return (
        f"Critical rates of one engine for prompts of about {PROMPT} and geometric outputs of {OUTPUT} tokens on "
        f"average. Any: with batches of at most {BUDGET} tokens, by a staircase whole columns of about as many, "
        "certified by a line below the law. Sarathi: full batches without a limit of requests, certified. "
        "vLLM: prefill-first batches, exact, where times do not depend on "
        "context. RAD: exact, with ", Math(r"n = 2t_{\mathrm{col}}", "n = 2 t_col"), ", and as its cycle grows; "
        "below: what that lacks of the bound with ", Math(r"t_{\mathrm{col}}", "t_col"), " requests in "
        "service. It decodes a column of a staircase at a time and prefills as much, else "
        f"{COLUMNS} requests and chunks of {CHUNK} tokens, of which prompts are multiples. A batch has a fixed time in "
        "measured laws other than a staircase, which the tile law has not: RAD, which never mixes, pays it more often. "
        f"{profiles_sentence(tuple(profiles))} Computed by qtheory {__version__}.")


def _second_caption() -> Text:
    return (
        "The tile law of Mistral-7B's dimensions (one head, as in the tiling paper's Section 2.1) for the tiles of its "
        f"Section 2.3, all at {FLOPS / 1e12:g} TFLOP/s and with a reduction tile of 32, and {BANDWIDTH / 1e12:g} TB/s "
        f"for decode attention, which no scheduler changes; lengths of workload {WORKLOAD}. ",
        Math(r"\bar T^R", "T̄^R"), " is Theorem 1's with chunks of ", Math(r"t_{\mathrm{lcm}}", "t_lcm"),
        ", where a prompt that is no multiple ends in a padded tile; the least is over all chunks. ",
        Math("n", "n"), " is what Theorem 2 asks for, by the longest lengths of the workload. "
        f"Computed by qtheory {__version__}.")
