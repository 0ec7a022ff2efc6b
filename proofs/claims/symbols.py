"""A paper's table of symbols, and what a statement takes from it.

A row gives one or more symbols their domain, their definition or a result about them, once, with its source, and says
in which sections it holds. A statement takes the rows of the symbols that are free in it, and of those that are free
in these rows, and so on: what it takes becomes part of it, and is shown with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from qtheory.proofs.claims.blocks import At, Cells
from qtheory.proofs.claims.names import names, of_definition, parts, unreadable
from qtheory.proofs.kernel.statements import NAMES_TAKEN
from qtheory.proofs.verdict import VERDICTS

SYMBOL = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_]*)(?P<arguments>\([A-Za-z0-9_, ]+\))?")
LABEL = re.compile(r"[A-Z0-9]+(\.[A-Z0-9]+)*")  # of a section
IMPORTED = re.compile(r"claim (?P<id>[A-Za-z0-9._-]+): *(?P<rest>.*)")
FAMILIES = {"natural": "naturals", "integer": "integers", "function": "functions"}
WORDS = "|".join((*VERDICTS, "not compared", "not recorded"))
OURS = re.compile(rf"\(\W*(?:{WORDS})\b|\bgiven\W+(?:as\W+)?[A-Za-z0-9._-]+\s*[;(]", re.IGNORECASE)
OPEN = "?"  # in place of conditions: these are still to be written
RELATION = re.compile(r"(<=|>=|==|!=|<|>)")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Row:
    """What the table says of one symbol: conditions, or a definition ``let``; ``claim`` is the result it rests on.
    ``open``: what the symbol may be is not said yet."""

    symbol: str
    where: str
    meaning: str
    conditions: tuple[str, ...]
    let: str
    claim: str
    source: str
    at: At
    open: bool = False

    @property
    def spoken(self) -> frozenset[str]:
        """The names that the row itself speaks of, its own symbol left out."""
        texts = [of_definition(self.let)[1].free] if self.let else [names(c).free for c in self.conditions]
        return frozenset().union(*texts) - {self.symbol}

    @property
    def entries(self) -> list[str]:
        """What ``where`` lists, what it leaves out included."""
        return [entry for text in self.where.split(" but ") for entry in map(str.strip, text.split(",")) if entry]

    def holds(self, section: str, id: str) -> bool:
        """Does the row hold for this claim? ``where`` is ``all``, sections with all that is in them, ids, and what
        stands after ``but`` is left out."""
        wanted, _, left_out = self.where.partition(" but ")
        return _covers(wanted, section, id) and not _covers(left_out, section, id)


@dataclass(frozen=True)
class Taken:
    """What a statement takes from the table: definitions, conditions with their sources, and those of the conditions
    that are imported, with the claims whose results they are, and the symbols that they are about."""

    let: tuple[str, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)
    imported: Mapping[str, tuple[str, str]] = field(default_factory=dict)


class Table:
    """The rows in their order."""

    def __init__(self, cells: Iterable[Cells]) -> None:
        self.rows = tuple(row for cell in cells for row in _read(cell))

    def holding(self, section: str, id: str) -> dict[str, Row]:
        """The rows that hold for a claim, by symbol."""
        out: dict[str, Row] = {}
        for row in self.rows:
            if row.holds(section, id):
                if row.symbol in out:
                    raise row.at.error(f"{row.symbol} has another row that holds for {id} too, in line "
                                       f"{out[row.symbol].at.line}")
                out[row.symbol] = row
        return out


def reached(rows: Mapping[str, Row], spoken: Iterable[str], second: str = "",
            barred: Callable[[Row], bool] = lambda row: False) -> list[tuple[Row, str]]:
    """The rows that these names bring in, each before those that speak of it; with the suffix ``second`` where the
    symbol is one of a second system. A row that is ``barred`` brings nothing in."""
    out: dict[tuple[str, str], tuple[Row, str]] = {}
    open_: set[tuple[str, str]] = set()

    def visit(name: str) -> None:
        base, suffix = name, ""
        if second and name.endswith(second) and name not in rows:
            base, suffix = name.removesuffix(second), second
        row = rows.get(base)
        if row is None or (base, suffix) in out or (base, suffix) in open_ or barred(row):
            return
        open_.add((base, suffix))
        for other in sorted(row.spoken):
            visit(other + suffix if suffix and _varies(rows, other) else other)
        out[base, suffix] = row, suffix

    for name in sorted(spoken):
        visit(name)
    order = {id(row): n for n, row in enumerate(rows.values())}
    conditions = sorted((r for r in out.values() if not r[0].let), key=lambda r: (r[1], order[id(r[0])]))
    return [*(r for r in out.values() if r[0].let), *conditions]


def taken(rows: Mapping[str, Row], pulled: Sequence[tuple[Row, str]]) -> Taken:
    """The definitions and conditions of these rows."""
    let: list[str] = []
    given: dict[str, str] = {}
    imported: dict[str, tuple[str, str]] = {}
    for row, suffix in pulled:
        def renamed(text: str, row: Row = row, suffix: str = suffix) -> str:
            for word in WORD.findall(text) if suffix else ():
                if word.endswith(suffix) and word.removesuffix(suffix) in rows:
                    raise row.at.error(f"the row of {row.symbol} says {word}, which a second system calls its "
                                       f"{word.removesuffix(suffix)}; choose another name")
            return WORD.sub(lambda m: m[0] + suffix if suffix and _varies(rows, m[0]) else m[0], text)

        if row.let:
            let.append(renamed(row.let))
        for condition in row.conditions:
            given.setdefault(renamed(condition), row.source + (", of the second system" if suffix else ""))
            if row.claim:
                imported[renamed(condition)] = row.claim, row.symbol + suffix
    return Taken(tuple(let), given, imported)


def _varies(rows: Mapping[str, Row], name: str) -> bool:
    """Can the symbol be another one in a second system? A function that is defined by nothing but itself cannot."""
    row = rows.get(name)
    return row is not None and not (row.let and not any(_varies(rows, other) for other in row.spoken))


def require_source(source: str, at: At) -> None:
    """A source is the author's words: they do not look like the referee's."""
    if found := OURS.search(source):
        raise at.error(f"the source says {found[0].strip()!r}, as the referee does of an imported result; say it in "
                       "other words")


def _covers(where: str, section: str, id: str) -> bool:
    return any(entry in ("all", section, id) or section.startswith(entry + ".")
               for entry in map(str.strip, where.split(",")) if entry)


def _read(cells: Cells) -> Iterator[Row]:
    heads, where, meaning, what, source = cells.texts
    open_, what = what == OPEN, what.removeprefix(OPEN) if what == OPEN else what
    at = cells.at
    if not where:
        raise at.error("the row does not say where it holds; 'all' is everywhere")
    claim = ""
    if match := IMPORTED.fullmatch(what):
        claim, what = match["id"], match["rest"]
    if why := unreadable(what.removeprefix("= ")):
        raise at.error(why)
    if claim and what.startswith("= "):
        raise at.error(f"the row rests on {claim} and gives a definition; what a claim states is a condition")
    require_source(source, at)
    for head in parts(heads):
        match = SYMBOL.fullmatch(head)
        if match is None or match["name"] in NAMES_TAKEN:
            raise at.error(f"the symbol {head[:60]!r} is no name, or has a meaning in the language already")
        name = match["name"]
        if what.startswith("= "):
            if why := of_definition(f"{head} {what}")[1].why:
                raise at.error(why)
            yield Row(name, where, meaning, (), f"{head} {what}", claim, source, at)
        elif match["arguments"]:
            raise at.error(f"the row of {head} gives no definition; it begins with '= '")
        else:
            conditions = tuple(_condition(name, text) for text in parts(what) if text)
            if conditions and not source:
                raise at.error(f"the row of {name} has conditions without a source")
            if why := next((names(text).why for text in conditions if names(text).why), ""):
                raise at.error(why)
            yield Row(name, where, meaning, conditions, "", claim, source, at, open_)


def _condition(name: str, text: str) -> str:
    """The condition in full: of ``> 0`` and ``natural`` the symbol is left out."""
    if text in FAMILIES:
        return f"{name} in {FAMILIES[text]}"
    return f"{name} {text}" if RELATION.match(text) else text
