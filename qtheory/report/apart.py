"""What tells two tables of one kind apart in a paper: their titles and labels say what was asked for."""

from __future__ import annotations

import functools
import inspect
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ParamSpec

from qtheory.report.table import LABEL, Table

Asked = ParamSpec("Asked")
NAMED = 3  # so many of a kind are named in a title; of more it says how many


def told_apart(make: Callable[Asked, Table]) -> Callable[Asked, Table]:
    """The maker of a table, with what is asked for in place of its defaults in the table's title and label."""
    signature = inspect.signature(make)

    @functools.wraps(make)
    def made(*args: Asked.args, **options: Asked.kwargs) -> Table:
        from qtheory.report.inputs import chosen_batches, loaded_profiles, loaded_workloads

        given = signature.bind(*args, **options)
        told: dict[str, list[str]] = {}
        for kind, read in (("profiles", loaded_profiles), ("workloads", loaded_workloads), ("batch", chosen_batches)):
            if kind in given.arguments:
                found = read(given.arguments[kind])
                given.arguments[kind] = found
                if found != signature.parameters[kind].default:
                    told[kind] = [str(getattr(one, "name", one)) for one in found]
        if given.arguments.get("intervals"):
            told["intervals"] = ["intervals"]
        return apart(make(*given.args, **given.kwargs), told)

    return made


def apart(table: Table, told: dict[str, list[str]]) -> Table:
    """The table with the names of what it is made for, by their kinds, in its title and label."""
    said = [words for kind, names in told.items() if (words := _said(kind, names))]
    return replace(table, title=table.title + (": " if said else "") + "; ".join(said),
                   label=label_of(table.label, *(name for names in told.values() for name in names)))


def label_of(base: str, *names: str) -> str:
    """A label with the names in it, and of its own: where it cannot have all their letters, or is longer than a label
    may be, a number that they make tells it apart."""
    shown = "+".join(re.sub(r"[^A-Za-z0-9._-]+", "-", name) for name in names)
    number = f"{zlib.crc32(repr(names).encode()):08x}"
    label = f"{base}-{shown}" if shown == "+".join(names) and "" not in names else f"{base}-{shown.strip('-')}:{number}"
    return base if not names else label if re.fullmatch(LABEL, label) else f"{base}:{number}"


def _said(kind: str, names: Sequence[str]) -> str:
    """The words of a title; several batch sizes are seen in the rows."""
    if kind == "intervals":
        return "with intervals"
    if kind == "batch":
        return f"N = {names[0]}" if len(names) == 1 else ""
    return ", ".join(names) if len(names) <= NAMED else f"{len(names)} {kind}"
