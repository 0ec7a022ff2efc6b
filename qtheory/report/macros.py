r"""``\newcommand``s for the numbers of the tables in running text: value, unit, interval, and source as comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from qtheory import __version__
from qtheory.errors import InputError, UnknownNameError
from qtheory.report.table import Column, Table, Value, within
from qtheory.report.tables import TABLES, build

if TYPE_CHECKING:
    from qtheory.report.tables import Profiles, Workloads

DEFAULT = ("profiles", "eb-threshold", "eb-crossover")
ALLOWED = (*DEFAULT, "eb-memory")
KEYS = ("profile", "workload", "constant", "N")  # what a row is about, in the order of the name
DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
SYMMETRIC = 0.1  # of the half-width: ends that differ by more are printed as an interval
PREFIXES = {"ms": r"\milli s", "µs": r"\micro s", "ns": r"\nano s"}  # which every version of siunitx sets in any font


def macros(
    profiles: Profiles = (), workloads: Workloads = (), batch: Iterable[int] = (), *,
    tables: Iterable[str] = DEFAULT, prefix: str = "qt",
) -> str:
    r"""The macros as LaTeX text; the document needs siunitx.

    A name is the prefix, the table's last word and the quantity, such as ``\qtThresholdThetaZero``, followed by
    profile, workload and batch size where there are several of them.  Raises InputError for a prefix that is no
    LaTeX name, and what the tables raise.
    """
    if not re.fullmatch(r"[A-Za-z]{1,20}", prefix):
        raise InputError(f"the prefix is {prefix[:40]!r}; one to twenty letters are needed, as LaTeX's names have")
    wanted = tuple(dict.fromkeys(tables))
    for name in wanted:
        if name not in ALLOWED:
            raise UnknownNameError("table with macros", name, list(ALLOWED))
    options: dict[str, Any] = {"profiles": tuple(profiles), "workloads": tuple(workloads), "batch": tuple(batch)}
    made = [build(name, **{k: v for k, v in options.items() if k in TABLES[name].takes}) for name in wanted]
    several = {key for key in KEYS for t in made if key == "constant" or len(set(_column(t, key))) > 1}
    lines = [f"% qtheory {__version__}: numbers of {', '.join(wanted)}; the document needs \\usepackage{{siunitx}}",
             "% +- is the half-width of a 95 percent interval, [ , ] its ends: the constants' covariance alone"]
    lines += [f"% {'; '.join(f'{k}: {v}' for k, v in p.items() if v is not None)}"
              for p in {str(p["profile"]): p for t in made for p in t.provenance}.values()]
    seen: set[str] = set()
    for table in made:
        lines += ["", f"% {table.name}: {table.title}"]
        # a number that several rows share is defined once
        lines += dict(_defined(table, prefix, several, seen)).values()
        seen |= {c.name for c in table.columns} - {"shown"}
    return "\n".join(lines) + "\n"


def _column(table: Table, name: str) -> tuple[Value, ...]:
    return table.column(name) if any(c.name == name for c in table.columns) else ()


def _defined(table: Table, prefix: str, several: set[str], seen: set[str]) -> Iterator[tuple[str, str]]:
    """Name and definition of each number that no table before has, with what it is as a comment."""
    stem = prefix + _camel(table.name.split("-")[-1].removesuffix("s"))
    for r, row in enumerate(table.rows):
        about = {c.name: str(row[i]) for i, c in enumerate(table.columns) if c.name in KEYS}
        for i, column in enumerate(table.columns):
            number = _number(table, r, i) if _is_number(column) and column.name not in seen else None
            if number is None:
                continue
            keys = [k for k in KEYS if k in about and (k != "N" or not column.once)]
            quantity = "" if "constant" in about else _camel(column.name)
            name = stem + quantity + "".join(_camel(about[k]) for k in keys if k in several)
            comment = ", ".join([column.meaning, *(f"{k} {about[k]}" for k in keys)])
            yield name, f"\\newcommand{{\\{name}}}{{{number}}} % {comment}"


def _is_number(column: Column) -> bool:
    return column.printed and not column.text and column.name not in (*KEYS, "r_squared") and not column.name.endswith(
        ("_low", "_high"))


def _camel(name: str) -> str:
    words = re.split(r"[^A-Za-z0-9]+", name)
    return re.sub(r"\d", lambda d: DIGITS[int(d.group())], "".join(w[:1].upper() + w[1:] for w in words))


def _number(table: Table, row: int, index: int) -> str | None:
    """A number for siunitx with its unit and its interval; None where there is no value."""
    column, values = table.columns[index], dict(zip((c.name for c in table.columns), table.rows[row], strict=True))
    value, low, high = (values.get(column.name + end) for end in ("", "_low", "_high"))
    shown = table.shown(row, index)
    if shown is None or not isinstance(value, int | float):
        return None
    unit = _unit(str(values.get(f"{column.name}_unit", column.unit)))
    if not isinstance(low, int | float) or not isinstance(high, int | float) or low == high:
        return _quantity(shown, unit)
    half = (high - low) / 2
    if isinstance(value, float) and abs(high + low - 2 * value) <= SYMMETRIC * half:
        return _quantity(f"{shown} +- {within(half, half)}", unit, "[separate-uncertainty=true]")
    ends = ", ".join(_quantity(column.show(end, half if isinstance(value, float) else 0.0) or "", "")
                     for end in (low, high))
    return f"{_quantity(shown, unit)} [{ends}]"


def _unit(printed: str) -> str:
    """The unit for siunitx, as it is printed; the 1 of 1/s would run into the number before it."""
    head, slash, rest = printed.partition("/")
    return f"{rest}^{{-1}}" if head == "1" else PREFIXES.get(head, head) + slash + rest


def _quantity(number: str, unit: str, options: str = "") -> str:
    if re.search(r"\.\d{5}", number):  # digits behind the point are not set in groups, as in 0.003 57
        options = f"{options[:-1] + ',' if options else '['}group-digits=integer]"
    return rf"\SI{options}{{{number}}}{{{unit}}}" if unit else rf"\num{options}{{{number}}}"
