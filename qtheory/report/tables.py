"""The tables by name: ``qtheory table NAME`` on the command line, ``qt.tables`` in a notebook.

>>> from qtheory.report import tables
>>> table = tables.eb_threshold(profiles=["a100-40gb-qwen-8b"], workloads=["eb-sharegpt"], batch=[256])
>>> table.column("k0")
(18,)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from qtheory.errors import InputError, UnknownNameError
from qtheory.report.apart import apart, told_apart
from qtheory.report.table import FORMATS, Table

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from qtheory.profiles.schema import HardwareProfile
    from qtheory.workloads.workload import Workload

    Profiles: TypeAlias = Iterable[str | Path | HardwareProfile]
    Workloads: TypeAlias = Iterable[str | Path | Workload]

__all__ = ["BATCHES", "FORMATS", "TABLES", "Named", "Table", "build", "capacity", "clients", "eb_approximation",
           "eb_crossover", "eb_memory", "eb_rules", "eb_threshold", "errata", "find", "names", "profiles",
           "profiles_laws", "rad_capacity", "rad_drain", "rad_tiles", "regret", "slai", "stability", "to_map", "traces",
           "verdicts", "wait_equilibrium", "wait_memory"]

BATCHES = (64, 256, 1024)  # the batch sizes N of a table for which none is asked for


@told_apart
def eb_threshold(
    profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = BATCHES, *, intervals: bool = False
) -> Table:
    """The base threshold theta0, the threshold k0* and its throughput, for each profile, workload and batch size.

    ``profiles``: names, paths or profiles with a prefill and decode pair; empty: all shipped ones that have it.
    ``workloads``: names, paths or workloads; empty: all of the exclusive-batching paper. ``batch``: batch sizes N
    (requests). ``intervals``: print 95 percent intervals, for profiles that have a covariance.
    Source: arXiv:2606.00516, Proposition 3.1 and (4).
    Raises UnknownNameError for a name, and InputError for a profile without the pair or an unusable batch size.
    """
    from qtheory.report import base_threshold

    return base_threshold.table(*_chosen(profiles, workloads, batch), intervals)


@told_apart
def eb_memory(
    profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = BATCHES, *, intervals: bool = False
) -> Table:
    """The paper's memory-safe batch size (6) against the process, beside one with a guarantee.

    The arguments are as for `eb_threshold`; workloads without a mean prompt length are left out.
    Source: arXiv:2606.00516, Proposition 3.3 and Appendix D.5.
    """
    from qtheory.report import memory_safety

    return memory_safety.table(*_chosen(profiles, workloads, batch), intervals)


@told_apart
def eb_crossover(
    profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = BATCHES, *, intervals: bool = False
) -> Table:
    """Both sides of the crossover condition (7), and which of mixed and exclusive batching is the faster one.

    The arguments are as for `eb_threshold`; workloads without a mean prompt length are left out.
    Source: arXiv:2606.00516, Proposition 3.4.
    """
    from qtheory.report import crossover

    return crossover.table(*_chosen(profiles, workloads, batch), intervals)


@told_apart
def eb_rules(profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = (256,)) -> Table:
    """The paper's thresholds against the rule that is best for any output law, and the throughput that they lose.

    The arguments are as for `eb_threshold`; workloads without a mean prompt length have no throughput.
    Source: arXiv:2606.00516, Proposition 3.1, (5) and Algorithm 1.
    """
    from qtheory.report import rules

    return rules.table(*_chosen(profiles, workloads, batch))


def eb_approximation() -> Table:
    """Where each closed form of arXiv:2606.00516 (Sections 3.2, 3.3 and 3.5, Appendix D) is within 1, 5 and 20 percent
    of the exact answer, in pure numbers; the memory-safe batch sizes at the paper's workloads."""
    from qtheory.report import approximation

    return approximation.table()


def to_map(*, executor: Executor | None = None) -> Table:
    """Where the two agents of the throughput-optimal paper's Figure 8 are stable, over the lengths of the two long
    visits: verdicts on the fluid model by certificates, and the token-level simulator's. An ``executor`` shares them.
    """
    from qtheory.report import stability_map

    return stability_map.table(executor)


def stability(*, executor: Executor | None = None) -> Table:
    """The critical request rate of one engine under each scheduler of the simulator, by closed forms and exact
    computations, under geometric and uniform output lengths, against simulation. An ``executor`` shares the rows."""
    from qtheory.report import stability

    return stability.table(executor)


@told_apart
def profiles(profiles: Profiles = ()) -> Table:
    """The constants of hardware profiles with their intervals and sources; empty: of all shipped profiles."""
    from qtheory.report import hardware
    from qtheory.report.inputs import loaded_profiles

    return hardware.table(loaded_profiles(profiles) or hardware.shipped())


@told_apart
def traces(workloads: Workloads = ()) -> Table:
    """Rates, burstiness and lengths of recorded traces, and tests of the papers' assumptions on them.

    ``workloads``: traces or their files. InputError for none, and for a workload that is no trace.
    """
    from qtheory.report import traces
    from qtheory.report.inputs import chosen_traces

    return traces.table(chosen_traces(workloads))


def clients(workloads: Iterable[str | Path] = ()) -> Table:
    """Whether the arrivals of a service's clients are Poisson, by windows.

    ``workloads``: folders of ServeGen's clients, as `qtheory.workloads.read_clients` reads them. InputError for none.
    """
    from qtheory.report import clients

    folders = tuple(workloads)
    return apart(clients.table(folders), {"folders": [Path(folder).name for folder in folders]})


def profiles_laws() -> Table:
    """Held-out errors of every law on the measured kernels of every profile, where each fails, and whether it serves
    the papers' conclusions."""
    from qtheory.report import laws

    return laws.table()


@told_apart
def capacity(profiles: Profiles = (), workloads: Workloads = ()) -> Table:
    """Certified critical rates of one engine by a profile's own law, by budgets and with 256 slots.

    ``profiles``: names, paths or profiles with a law by tokens; empty: all shipped ones from measured kernels.
    ``workloads``: empty: all of the exclusive-batching paper.
    """
    from qtheory.report import capacity
    from qtheory.report.inputs import chosen_workloads

    chosen = _by_tokens(profiles)
    kept = chosen if tuple(profiles) else tuple(p for p in chosen if p.name.endswith("-kernels"))
    return capacity.table(kept, chosen_workloads(workloads, paper="eb"))


@told_apart
def regret(profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = (256,)) -> Table:
    """What the closed forms of exclusive batching lose under each profile's own law, for any output law.

    ``profiles``: with a law by tokens; empty: all shipped ones. ``workloads``: empty: all of the paper.
    Source: arXiv:2606.00516, Propositions 3.1 and 3.4.
    """
    from qtheory.report import regret
    from qtheory.report.inputs import chosen_batches, chosen_workloads

    return regret.table(_by_tokens(profiles), chosen_workloads(workloads, paper="eb"), chosen_batches(batch))


def _by_tokens(profiles: Profiles) -> tuple[HardwareProfile, ...]:
    """The given profiles, or all shipped ones, whose law gives a time by tokens."""
    from qtheory.report import regret
    from qtheory.report.inputs import loaded_profiles

    given = loaded_profiles(profiles)
    for profile in given:
        if not regret.fits(profile):
            raise InputError(f"profile {profile.name} has no complete law by tokens; the table needs one, such as "
                             "affine or context_affine")
    return given or regret.usable()


def wait_equilibrium() -> Table:
    """The fluid equilibrium of the WAIT paper's workloads, the least thresholds, and whether the paper's own meet (9).

    Source: Fluid-Guided Online Scheduling with Memory Constraints, Sections 3, 4 and 6.
    """
    from qtheory.report import waiting

    return waiting.equilibrium_table()


def wait_memory() -> Table:
    """The memory of Nested WAIT in the settings of Figures 16 to 18: the printed bound's parts, and what suffices.

    Source: Fluid-Guided Online Scheduling with Memory Constraints, Theorem 4 and Section 7.2.
    """
    from qtheory.report import waiting

    return waiting.memory_table()


@told_apart
def rad_capacity(profiles: Profiles = ()) -> Table:
    """What RAD serves, what no scheduler exceeds, Sarathi-Serve's and vLLM's rates, by a profile's own law.

    ``profiles``: with a law by tokens; empty: the shipped vLLM kernels of dense models, and staircases.
    Source: Optimal Scheduling Algorithms for LLM Inference, Theorems 1 and 2.
    """
    from qtheory.report import regret, tiling
    from qtheory.report.inputs import loaded_profiles

    shown = ("8b-vllm-kernels", "32b-vllm-kernels", "-staircase")
    given = loaded_profiles(profiles) or tuple(p for p in regret.usable() if p.name.endswith(shown))
    return tiling.capacity_table(tiling.usable(given))


def rad_tiles() -> Table:
    """The tile law of an A100's printed tiles: mean and worst times of a request, the bound, RAD's cycle.

    Source: Optimal Scheduling Algorithms for LLM Inference, Sections 2.3 and 4.3.
    """
    from qtheory.report import tiling

    return tiling.tiles_table()


def rad_drain() -> Table:
    """RAD, Sarathi-Serve and vLLM against the shortest of all schedules, on stated instances of the tile law."""
    from qtheory.report import tiling_drain

    return tiling_drain.table()


def slai(*, executor: Executor | None = None) -> Table:
    """SLAI, Sarathi-Serve and vLLM in simulation: times to and between tokens, capacities, by paying users' share.

    An ``executor`` shares the replications. Source: Optimal Scheduling Algorithms for LLM Inference, Section 7.
    """
    from qtheory.report import slai

    return slai.table(executor=executor)


def verdicts(paper: str = "eb") -> Table:
    """The referee's verdicts on a paper, by section: the recorded ones, or on a Markdown file or folder of one's own,
    given afresh. UnknownNameError for a paper without claims."""
    from qtheory.report import verdicts

    return verdicts.verdicts(paper)


def errata(paper: str = "eb") -> Table:
    """What is not true as a paper, or a Markdown file or folder of one's own, prints it, with its correction.
    UnknownNameError for a paper without claims."""
    from qtheory.report import verdicts

    return verdicts.errata(paper)


def _chosen(
    profiles: Profiles, workloads: Workloads, batch: Iterable[int],
) -> tuple[tuple[HardwareProfile, ...], tuple[Workload, ...], tuple[int, ...]]:
    from qtheory.report.inputs import chosen_batches, chosen_profiles, chosen_workloads

    return chosen_profiles(profiles), chosen_workloads(workloads, paper="eb"), chosen_batches(batch)


@dataclass(frozen=True)
class Named:
    """A table that can be asked for by name; ``takes``: the options that go with it; ``shares``: it is simulated, and
    takes an ``executor``."""

    summary: str
    make: Callable[..., Table]
    takes: tuple[str, ...]
    shares: bool = False


_LOADS = ("profiles", "workloads", "batch", "intervals")
TABLES = {
    "eb-threshold": Named(
        "base threshold, k0* and fluid throughput of exclusive batching, by profile, workload and batch size",
        eb_threshold, _LOADS,
    ),
    "eb-memory": Named(
        "the paper's memory-safe batch size against the process, and one with a guarantee, at risk 0.01",
        eb_memory, _LOADS,
    ),
    "eb-crossover": Named(
        "both sides of the condition that mixed batching is faster than exclusive batching, and which one is",
        eb_crossover, _LOADS,
    ),
    "eb-rules": Named(
        "thresholds by the paper's rules and by one that fits no hazard rate, with the throughput that they lose",
        eb_rules, _LOADS[:3],
    ),
    "eb-approximation": Named(
        "where the closed forms of exclusive batching are within 1, 5 and 20 percent of the exact answer",
        eb_approximation, (),
    ),
    "to-map": Named(
        "where two agents of the Rybko-Stolyar type are stable, over the lengths of their long visits", to_map,
        (), shares=True),
    "stability": Named(
        "the critical request rate of one engine under each scheduler, in theory and in simulation", stability, (),
        shares=True),
    "profiles": Named("the constants of hardware profiles, with intervals and sources", profiles, ("profiles",)),
    "profiles-laws": Named("held-out errors of every law on measured kernels, where each fails, and what it serves",
                           profiles_laws, ()),
    "capacity": Named("certified critical rates of one engine, by profile, workload and budget", capacity,
                      ("profiles", "workloads")),
    "regret": Named("what the closed forms of exclusive batching lose under measured laws and any output law", regret,
                    _LOADS[:3]),
    "traces": Named("rates, burstiness and lengths of recorded traces, and tests of what papers assume of them", traces,
                    ("workloads",)),
    "clients": Named("whether the arrivals of a service's clients are Poisson, by windows (ServeGen's files)", clients,
                     ("workloads",)),
    "wait-equilibrium": Named("fluid equilibrium and least thresholds of the WAIT paper's workloads, beside its own "
                              "thresholds", wait_equilibrium, ()),
    "wait-memory": Named("memory of Nested WAIT over the number of segments: the printed bound, and what suffices",
                         wait_memory, ()),
    "rad-capacity": Named("what RAD serves and what no scheduler exceeds, by profile", rad_capacity, ("profiles",)),
    "rad-tiles": Named("the tile law of an A100: times of a request, the bound on the rate, RAD's cycle", rad_tiles,
                       ()),
    "rad-drain": Named("RAD, Sarathi-Serve and vLLM against the best composition of batches, on small instances",
                       rad_drain, ()),
    "slai": Named("SLAI, Sarathi-Serve and vLLM in simulation: TTFT, time between tokens, capacity", slai, (),
                  shares=True),
    "verdicts": Named("the verdicts on a paper's statements, or on your own (--paper note.md), by section", verdicts,
                      ("paper",)),
    "errata": Named("the statements of a paper, or of your own, that are not true as printed, and corrections", errata,
                    ("paper",)),
}
FLAGS = {"profiles": "--profile", "workloads": "--workload", "batch": "--batch", "intervals": "--intervals",
         "paper": "--paper"}


def names() -> list[str]:
    """The names of the tables, in alphabetical order."""
    return sorted(TABLES)


def find(name: str) -> Named:
    """The table of that name; UnknownNameError for another."""
    if name not in TABLES:
        raise UnknownNameError("table", name, names())
    return TABLES[name]


def build(
    name: str, profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = (), *,
    intervals: bool = False, paper: str | None = None, executor: Executor | None = None,
) -> Table:
    """The table of that name; what is empty takes the table's own default. An ``executor`` shares what is simulated.

    UnknownNameError for another name, InputError for what does not go with the table.
    """
    table = find(name)
    options = {"profiles": tuple(profiles), "workloads": tuple(workloads), "batch": tuple(batch),
               "intervals": intervals, "paper": paper}
    given = {option: value for option, value in options.items() if value}
    for option in given:
        if option not in table.takes:
            taken = ", ".join(FLAGS[o] for o in table.takes)
            raise InputError(f"{name} takes no {FLAGS[option]}" + (f"; it takes {taken}" if taken else ""))
    return table.make(**given, **({"executor": executor} if table.shares else {}))


def __dir__() -> list[str]:
    return __all__
