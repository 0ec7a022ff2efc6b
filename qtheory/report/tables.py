"""The tables by name: ``qtheory table NAME`` on the command line, ``qt.tables`` in a notebook.

>>> from qtheory.report import tables
>>> table = tables.eb_threshold(profiles=["a100-40gb-qwen-8b"], workloads=["eb-sharegpt"], batch=[256])
>>> table.column("k0")
(18,)
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from qtheory.errors import InputError, UnknownNameError
from qtheory.profiles.schema import HardwareProfile
from qtheory.report import approximation, hardware
from qtheory.report.base_threshold import BATCHES
from qtheory.report.base_threshold import table as _eb_threshold
from qtheory.report.crossover import table as _eb_crossover
from qtheory.report.inputs import chosen_batches, chosen_profiles, chosen_workloads, loaded_profiles
from qtheory.report.memory_safety import table as _eb_memory
from qtheory.report.table import FORMATS, Table
from qtheory.workloads.workload import Workload

__all__ = ["FORMATS", "TABLES", "Named", "Table", "build", "eb_approximation", "eb_crossover", "eb_memory",
           "eb_threshold", "errata", "names", "profiles", "verdicts"]

Profiles = Iterable[str | Path | HardwareProfile]
Workloads = Iterable[str | Path | Workload]


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
    chosen = chosen_profiles(profiles), chosen_workloads(workloads, paper="eb"), chosen_batches(batch)
    return _eb_threshold(*chosen, intervals)


def eb_memory(profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = BATCHES) -> Table:
    """The paper's memory-safe batch size (6) against the process, beside one with a guarantee.

    ``profiles``, ``workloads`` and ``batch`` are as for `eb_threshold`; workloads without a mean prompt length are left
    out. Source: arXiv:2606.00516, Proposition 3.3 and Appendix D.5.
    """
    return _eb_memory(chosen_profiles(profiles), chosen_workloads(workloads, paper="eb"), chosen_batches(batch))


def eb_crossover(profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = BATCHES) -> Table:
    """Both sides of the crossover condition (7), and which of mixed and exclusive batching is the faster one.

    ``profiles``, ``workloads`` and ``batch`` are as for `eb_threshold`; workloads without a mean prompt length are left
    out. Source: arXiv:2606.00516, Proposition 3.4.
    """
    return _eb_crossover(chosen_profiles(profiles), chosen_workloads(workloads, paper="eb"), chosen_batches(batch))


def eb_approximation() -> Table:
    """Where each closed form of arXiv:2606.00516, Section 3.2, is within 1, 5 and 20 percent of the exact answer, in
    pure numbers."""
    return approximation.table()


def profiles(profiles: Profiles = ()) -> Table:
    """The constants of hardware profiles with their intervals and sources; empty: of all shipped profiles."""
    return hardware.table(loaded_profiles(profiles) or hardware.shipped())


def verdicts(paper: str = "eb") -> Table:
    """The referee's recorded verdicts on a paper, by section. UnknownNameError for a paper without claims."""
    return _of_claims().verdicts(_known(paper))


def errata(paper: str = "eb") -> Table:
    """What is not true as a paper prints it, with its correction. UnknownNameError for a paper without claims."""
    return _of_claims().errata(_known(paper))


def _of_claims() -> ModuleType:
    """The tables of claims, imported when they are asked for: they read the whole corpus."""
    return importlib.import_module("qtheory.report.verdicts")


def _known(paper: str) -> str:
    from qtheory.proofs.corpus import papers

    if paper not in papers():
        raise UnknownNameError("paper", paper, list(papers()))
    return paper


@dataclass(frozen=True)
class Named:
    """A table that can be asked for by name; ``takes``: the options that go with it."""

    summary: str
    make: Callable[..., Table]
    takes: tuple[str, ...]


_LOADS = ("profiles", "workloads", "batch")
TABLES = {
    "eb-threshold": Named(
        "base threshold, k0* and fluid throughput of exclusive batching, by profile, workload and batch size",
        eb_threshold, (*_LOADS, "intervals"),
    ),
    "eb-memory": Named(
        "the paper's memory-safe batch size against the process, and one with a guarantee, at risk 0.01",
        eb_memory, _LOADS,
    ),
    "eb-crossover": Named(
        "both sides of the condition that mixed batching is faster than exclusive batching, and which one is",
        eb_crossover, _LOADS,
    ),
    "eb-approximation": Named(
        "where the closed forms of exclusive batching are within 1, 5 and 20 percent of the exact answer",
        eb_approximation, (),
    ),
    "profiles": Named("the constants of hardware profiles, with intervals and sources", profiles, ("profiles",)),
    "verdicts": Named("the recorded verdicts on a paper's statements, by section", verdicts, ("paper",)),
    "errata": Named("the statements of a paper that are not true as printed, with their corrections", errata,
                    ("paper",)),
}
FLAGS = {"profiles": "--profile", "workloads": "--workload", "batch": "--batch", "intervals": "--intervals",
         "paper": "--paper"}


def names() -> list[str]:
    """The names of the tables, in alphabetical order."""
    return sorted(TABLES)


def build(
    name: str, profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = (), *,
    intervals: bool = False, paper: str | None = None,
) -> Table:
    """The table of that name; what is empty takes the table's own default.

    UnknownNameError for another name, InputError for what does not go with the table.
    """
    if name not in TABLES:
        raise UnknownNameError("table", name, names())
    table = TABLES[name]
    options = {"profiles": tuple(profiles), "workloads": tuple(workloads), "batch": tuple(batch),
               "intervals": intervals, "paper": paper}
    given = {option: value for option, value in options.items() if value}
    for option in given:
        if option not in table.takes:
            taken = ", ".join(FLAGS[o] for o in table.takes)
            raise InputError(f"{name} takes no {FLAGS[option]}" + (f"; it takes {taken}" if taken else ""))
    return table.make(**given)
