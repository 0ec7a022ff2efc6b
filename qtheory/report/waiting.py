"""The tables ``wait-equilibrium`` and ``wait-memory``: WAIT's fluid equilibrium and thresholds, Nested WAIT's memory.

Source: "Optimizing LLM Inference: Fluid-Guided Online Scheduling with Memory Constraints" (16 April 2025), Sections 3,
4 and 7.2. All numbers come from `qtheory.theory.waiting`. The paper prints neither d0 nor d1; those here are stated.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from qtheory import __version__, workloads
from qtheory.errors import InputError
from qtheory.models.laws import MemoryLinearLaw
from qtheory.report.table import Column, Math, Table, Text, Value
from qtheory.theory import waiting

LAW = MemoryLinearLaw(d0=0.02, d1=2e-8)
# the paper's workloads with the total rates (1/s) of its Section 6; of the nested mix it prints a ratio alone
INSTANCES = (("wait-low-demand", 2000), ("wait-high-demand", 12000), ("wait-nested", 300),
             ("wait-lmsys-clustered", 55), ("wait-lmsys-clustered", 550))
# (rate, horizon, delta) of Figures 16 to 18
SETTINGS = ((50, 200, 0.1), (50, 200, 1e-5), (500, 200, 0.1), (500, 200, 1e-5), (50, 20, 1e-3), (50, 2000, 1e-3))
COUNTS = (2, 5, 10, 20)
PROMPT, SLACK = 62, Fraction(1, 10)
RHO = Math("d_1R", "d1·R")

EQUILIBRIUM_COLUMNS = (
    Column("workload", "workload", "named workload", text=True),
    Column("rate", Math(r"\lambda", "λ"), "requests a second in all", "1/s"),
    Column("share", RHO, "d1 times the work that arrives in a second; an equilibrium needs less than 1", digits=3),
    Column("iteration", Math("T", "T"), "seconds of an iteration in equilibrium", "s", digits=3),
    Column("memory", Math("M^*", "M*"), "tokens held in equilibrium", "tokens", digits=4),
    Column("throughput", "output", "output tokens a second", "1/s", digits=4, trim=True),
    Column("printed", "as printed", "throughput by the paper's (8), which counts prefills", "1/s", digits=4, trim=True),
    Column("least", Math(r"\sum n_j", "Σ n_j"), "sum of the least whole thresholds", bare=True),
    Column("needs", Math(r"M^\pi", "M^π"), "tokens of a batch at them", "tokens", digits=4),
    Column("paper_breaks", "broken", "conditions (9) that the paper's n_j = B rho_j/(l'_j + 1) break, B requests as in "
                                     "equilibrium", bare=True),
)
MEMORY_COLUMNS = (
    Column("rate", Math(r"\lambda", "λ"), "requests a second", "1/s", group=True),
    Column("horizon", "horizon", "seconds", "s", once=True, digits=4, trim=True),
    Column("delta", Math(r"\delta", "δ"), "probability allowed", digits=1, trim=True, once=True),
    Column("segments", Math("L", "L"), "segments", bare=True),
    Column("first", Math("n_1", "n_1"), "first threshold", "requests", bare=True),
    Column("batches", Math("S", "S"), "batches that can begin", bare=True, printed=False),
    Column("batch", Math(r"M^\pi", "M^π"), "tokens of a batch at the thresholds", "tokens", digits=4),
    Column("queues", "queues", "second part of (15)", "tokens", digits=3),
    Column("reserve", "reserve", "third part of (15)", "tokens", digits=3),
    Column("printed", "as printed", "the sum, as the theorem has it", "tokens", digits=4),
    Column("needed", "suffices", "tokens that suffice by exact probabilities", "tokens", digits=4),
    Column("risk", "risk", "bound on the probability that they do not", digits=2, printed=False),
    Column("saved", "saved", "share of (15) beyond a batch that is not needed", digits=2),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


def equilibrium_table() -> Table:
    """The equilibrium and the least thresholds of the paper's workloads."""
    return Table(name="wait-equilibrium", title="Fluid equilibrium and thresholds of WAIT", caption=_first_caption(),
                 label="tab:wait-equilibrium", columns=EQUILIBRIUM_COLUMNS, rows=tuple(_equilibria()),
                 version=__version__)


def memory_table() -> Table:
    """The memory of Nested WAIT by the printed bound and by exact probabilities, over the number of segments."""
    return Table(name="wait-memory", title="Memory of Nested WAIT", caption=_second_caption(), label="tab:wait-memory",
                 columns=MEMORY_COLUMNS, rows=tuple(_memories()), version=__version__)


def _equilibria() -> Iterator[tuple[Value, ...]]:
    for name, rate in INSTANCES:
        types = waiting.of_workload(workloads.load(name), rate)
        share = Fraction(str(LAW.d1)) * waiting.total_work(types)
        tokens = float(sum(t.rate * t.output for t in types))
        printed = float(sum(t.rate * t.stages for t in types))
        try:
            found = waiting.equilibrium(types, LAW)
        except InputError:
            yield name, rate, float(share), None, None, tokens, printed, None, None, None
            continue
        system = waiting.wait_system(types, LAW)
        n = waiting.cheapest(system)
        batch = sum(found.population)
        chosen = [batch * t.rate / rate / t.stages for t in types]
        yield (name, rate, float(share), float(found.iteration), float(found.memory), tokens, printed, sum(n),
               float(system.memory(n)), len(system.broken(chosen)))


def segment_types(rate: float) -> tuple[waiting.RequestType, ...]:
    """500 output lengths by the paper's bins, prompts of 62 tokens (Section 7.2)."""
    return tuple(waiting.RequestType(t.rate, PROMPT, t.output)
                 for t in waiting.of_workload(workloads.load("wait-lmsys"), rate))


def _memories() -> Iterator[tuple[Value, ...]]:
    for rate, horizon, delta in SETTINGS:
        types = segment_types(rate)
        for count in COUNTS:
            parts = waiting.segments(types, count)
            n = waiting.nested_system(parts, LAW, SLACK).least()
            assert n is not None
            batches, late = waiting.most_batches(parts, LAW, n, horizon, delta / 10)
            bound = waiting.printed(parts, n, batches, delta)
            need = waiting.requirement(parts, n, batches, delta - late)
            yield (rate, horizon, delta, count, n[0], batches, bound.batch, bound.queues, bound.reserve, bound.total,
                   need.total, need.risk + late, 1 - need.waiting / (bound.queues + bound.reserve), __version__)


def _constants() -> str:
    return f"20 ms and {LAW.d1 * 1e9:g} ns a token (the paper prints neither). Computed by qtheory {__version__}."


def _first_caption() -> Text:
    return ("The fluid equilibrium of the workloads of the WAIT paper (16 April 2025, Section 6) with ",
            Math("R", "R"), ", the tokens that a second's requests hold summed over their iterations; none where ", RHO,
            " is not below 1. The least whole thresholds that meet (9), which no others undercut for any type; and how "
            "many of the conditions (9) the paper's own choice ",
            Math(r"n_j = B\rho_j/(l'_j+1)", "n_j = B·ρ_j/(l'_j+1)"), " breaks, with ", Math("B", "B"),
            " as many requests as in equilibrium. ", Math("d_0", "d0"), " and ", Math("d_1", "d1"),
            " are " + _constants())


def _second_caption() -> Text:
    return ("The memory that Nested WAIT needs with probability ", Math(r"1-\delta", "1 − δ"),
            " over the horizon, in the settings of Figures 16 to 18 of the WAIT paper (16 April 2025): by (15) and its "
            "three parts, and what suffices by the exact law of the queues, for the same thresholds. These are the "
            "least whole ones that meet (14) with a slack of 10 percent. Outputs by the ten bins of Section 6.2, "
            "uniform within a bin; ", Math("d_0", "d0"), " and ", Math("d_1", "d1"),
            " are " + _constants())
