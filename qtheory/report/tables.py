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

from qtheory.errors import InputError, UnknownNameError
from qtheory.profiles.schema import HardwareProfile
from qtheory.report import approximation
from qtheory.report.base_threshold import BATCHES
from qtheory.report.base_threshold import table as _eb_threshold
from qtheory.report.crossover import table as _eb_crossover
from qtheory.report.inputs import chosen_batches, chosen_profiles, chosen_workloads
from qtheory.report.memory_safety import table as _eb_memory
from qtheory.report.table import FORMATS, Table
from qtheory.workloads.workload import Workload

__all__ = ["FORMATS", "TABLES", "Named", "Table", "build", "eb_approximation", "eb_crossover", "eb_memory",
           "eb_threshold", "names"]

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


def eb_memory(
    profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = BATCHES, *, intervals: bool = False
) -> Table:
    """The paper's memory-safe batch size (6) against the process, beside one with a guarantee.

    ``profiles``, ``workloads`` and ``batch`` are as for `eb_threshold`; workloads without a mean prompt length are left
    out. Source: arXiv:2606.00516, Proposition 3.3 and Appendix D.5.
    """
    if intervals:
        raise InputError("eb-memory prints no intervals of the profiles; its simulated probabilities have theirs")
    return _eb_memory(chosen_profiles(profiles), chosen_workloads(workloads, paper="eb"), chosen_batches(batch))


def eb_crossover(
    profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = BATCHES, *, intervals: bool = False
) -> Table:
    """Both sides of the crossover condition (7), and which of mixed and exclusive batching is the faster one.

    ``profiles``, ``workloads`` and ``batch`` are as for `eb_threshold`; workloads without a mean prompt length are left
    out. Source: arXiv:2606.00516, Proposition 3.4.
    """
    if intervals:
        raise InputError("eb-crossover prints no intervals")
    return _eb_crossover(chosen_profiles(profiles), chosen_workloads(workloads, paper="eb"), chosen_batches(batch))


def eb_approximation(
    profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = BATCHES, *, intervals: bool = False
) -> Table:
    """Where each closed form of the paper's Section 3.2 is within 1, 5 and 20 percent of the exact answer.

    In pure numbers, for no profile, workload or batch size: raises InputError where one is given.
    """
    if [*profiles, *workloads] or tuple(batch) != BATCHES or intervals:
        raise InputError("eb-approximation is in pure numbers; it takes no profile, workload, batch size or intervals")
    return approximation.table()


def verdicts(paper: str = "eb") -> Table:
    """The referee's recorded verdicts on a paper, by section. InputError for a paper without claims."""
    return _of_claims("verdicts", paper)


def errata(paper: str = "eb") -> Table:
    """What is not true as a paper prints it, with its correction. InputError for a paper without claims."""
    return _of_claims("errata", paper)


def _of_claims(name: str, paper: str) -> Table:
    from qtheory.proofs.corpus import papers
    from qtheory.report import verdicts as of_claims

    if paper not in papers():
        raise UnknownNameError("paper", paper, list(papers()))
    return of_claims.verdicts(paper) if name == "verdicts" else of_claims.errata(paper)


@dataclass(frozen=True)
class Named:
    """A table that can be asked for by name; ``of_paper``: it is about a paper's claims, not about profiles."""

    summary: str
    make: Callable[..., Table]
    of_paper: bool = False


TABLES = {
    "eb-threshold": Named(
        "base threshold, k0* and fluid throughput of exclusive batching, by profile, workload and batch size",
        eb_threshold,
    ),
    "eb-memory": Named(
        "the paper's memory-safe batch size against the process, and one with a guarantee, at risk 0.01", eb_memory,
    ),
    "eb-crossover": Named(
        "both sides of the condition that mixed batching is faster than exclusive batching, and which one is",
        eb_crossover,
    ),
    "eb-approximation": Named(
        "where the closed forms of exclusive batching are within 1, 5 and 20 percent of the exact answer",
        eb_approximation,
    ),
    "verdicts": Named("the recorded verdicts on a paper's statements, by section", verdicts, of_paper=True),
    "errata": Named("the statements of a paper that are not true as printed, with their corrections", errata,
                    of_paper=True),
}


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
    profiles, workloads, batch = tuple(profiles), tuple(workloads), tuple(batch)
    if TABLES[name].of_paper:
        if profiles or workloads or batch or intervals:
            raise InputError(f"{name} is about a paper's claims; it takes --paper, no profile, workload or batch size")
        return TABLES[name].make(paper or "eb")
    if paper is not None:
        raise InputError(f"{name} is about profiles and workloads; it takes no --paper")
    return TABLES[name].make(profiles, workloads, tuple(batch) or BATCHES, intervals=intervals)
