"""What a table is made for: profiles, workloads and batch sizes, by name or as objects, each checked and once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from qtheory import profiles, workloads
from qtheory.errors import InputError
from qtheory.models.laws import PrefillDecodeLaw
from qtheory.profiles.schema import HardwareProfile
from qtheory.workloads.base import integer
from qtheory.workloads.workload import Workload

Part = TypeVar("Part")


def chosen_profiles(given: Iterable[str | Path | HardwareProfile]) -> tuple[HardwareProfile, ...]:
    """The given profiles, or all shipped ones with a prefill and decode pair; each must have the pair."""
    wanted = loaded_profiles(given) or tuple(fitting_profiles())
    for profile in wanted:
        if not _has_pair(profile):
            fit = ", ".join(p.name for p in fitting_profiles())
            what = f"has the law {profile.kind}" if profile.kind else "has no iteration-time law"
            lacking = f" without {', '.join(profile.missing)}" if profile.kind and profile.missing else ""
            raise InputError(f"profile {profile.name} {what}{lacking}; the table needs a prefill_decode pair "
                             f"(alpha_p, beta_p, alpha_d, beta_d), which these have: {fit}")
    return wanted


def loaded_profiles(given: Iterable[str | Path | HardwareProfile]) -> tuple[HardwareProfile, ...]:
    """The given profiles, whatever their laws."""
    _not_a_single_one("profiles", given)
    given = _not_the_other("profile", "workload", tuple(given), Workload, workloads.names())
    wanted = [p if isinstance(p, HardwareProfile) else profiles.load(p) for p in given]
    return _once("profile", [(profile.name, profile) for profile in wanted])


def chosen_workloads(given: Iterable[str | Path | Workload], paper: str) -> tuple[Workload, ...]:
    """The given workloads, or all shipped ones of the paper with that key."""
    shipped = map(workloads.load, sorted(workloads.names(), key=_natural))
    return loaded_workloads(given) or tuple(w for w in shipped if w.paper == paper)


def loaded_workloads(given: Iterable[str | Path | Workload]) -> tuple[Workload, ...]:
    """The given workloads."""
    _not_a_single_one("workloads", given)
    given = _not_the_other("workload", "profile", tuple(given), HardwareProfile, profiles.names())
    wanted = [w if isinstance(w, Workload) else workloads.load(w) for w in given]
    return _once("workload", [(workload.name, workload) for workload in wanted])


def chosen_traces(given: Iterable[str | Path | Workload]) -> tuple[Workload, ...]:
    """The given traces; InputError for none, and for a workload that is no trace."""
    if not (wanted := tuple(given)):
        raise InputError("no trace given; name its file, such as --workload azure.csv")
    found = chosen_workloads(wanted, paper="")
    for workload in found:
        if workload.trace is None:
            raise InputError(f"workload {workload.name!r} is no trace; a recorded one is a CSV or JSON-lines file")
    return found


def _not_the_other(kind: str, other: str, given: tuple[Part, ...], of: type, names: list[str]) -> tuple[Part, ...]:
    """What is given, unless it belongs among the others."""
    for one in given:
        if isinstance(one, of) or one in names:
            raise InputError(f"{getattr(one, 'name', one)} is a {other}, and stands where a {kind} is wanted: "
                             f"profiles come first, then workloads")
    return given


def with_prompts(workloads: Iterable[Workload]) -> tuple[Workload, ...]:
    """The workloads whose source gives prompt lengths."""
    return tuple(w for w in workloads if all(c.prompt is not None for c in w.classes))


def chosen_batches(given: Iterable[int]) -> tuple[int, ...]:
    """The given batch sizes, in order and each once; InputError for what is not an integer of at least 1."""
    if isinstance(given, str | int | float):
        raise InputError(f"batch is {given!r}; it must be a list of batch sizes, such as [64, 256]")
    sizes = tuple(dict.fromkeys(integer("batch", size) for size in given))
    if not sizes:
        raise InputError("batch is empty; at least one batch size is needed")
    return sizes


def fitting_profiles() -> list[HardwareProfile]:
    """The shipped profiles with all four constants of a prefill and decode pair."""
    return [profile for profile in map(profiles.load, profiles.names()) if _has_pair(profile)]


def _has_pair(profile: HardwareProfile) -> bool:
    return profile.kind == PrefillDecodeLaw.kind and profile.complete


def _natural(name: str) -> list[tuple[int, str]]:
    """Sorts numbers inside names by their size: geometric-64 before geometric-128."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


def _not_a_single_one(name: str, given: object) -> None:
    if isinstance(given, str | Path | HardwareProfile | Workload):
        shown = repr(getattr(given, "name", str(given)))
        raise InputError(f"{name} is {shown}; it must be a list, such as [{shown}]")


def _once(kind: str, named: list[tuple[str, Part]]) -> tuple[Part, ...]:
    """Each once; two different ones of one name could not be told apart in the table."""
    kept: dict[str, Part] = {}
    for name, part in named:
        if name in kept and kept[name] != part:
            raise InputError(f"two different {kind}s have the name {name!r}; rename one")
        kept[name] = part
    return tuple(kept.values())
