"""From a Markdown file to proofs: numbered steps with formulas in backticks, and a few words. docs/proofs.md says all.

A file has sections ``## name``; what stands before the first are abbreviations for all of them. A file without
sections is one proof under its own name. Lines that are no item of a list, no heading and no ``Write`` are prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs.proving.abbreviations import Abbreviations
from qtheory.proofs.proving.items import Found, Item, Wrong, added, read_item, way
from qtheory.proofs.proving.lines import Proof

ITEM = re.compile(r"( *)(\d+)\. +(\S.*)")
HEADING = re.compile(r"(#{1,3}) +(\S.*?) *")
WRITTEN = re.compile(r"`([^`]+)` for `([^`]+)`(?:,| and|;|\.$|$)\s*")
LISTS = ("witness", "instance", "law", "under", "rates", "orders", "antiderivatives", "ways")
PARTS = {"conclusion": "concluding", "met": "met"}  # of a theorem's proof: under ### of a section
MAX_DEPTH = 20


@dataclass
class _Section:
    """The lines of a section as they are read: its items, by their part of the proof, and its abbreviations."""

    names: tuple[str, ...]
    short: Abbreviations
    line: int
    items: dict[str, list[Item]] = field(default_factory=dict)


def read(text: str, source: str, known: Mapping[str, Proof] | None = None) -> dict[str, Proof]:
    """The proofs of a file by name, those ``known`` before it included, which it may cite. InputError with the file
    and line for what is none."""
    sections, done = _sections(text, source), dict(known or {})
    for section in sections:
        proof = Found(section.names[0], source)
        for part, items in section.items.items():
            for item in items:
                with _at(source, item.line):
                    added(proof, read_item(item, section.short, done, source), part)
        whole = proof.whole()
        for name in section.names:
            if name in done:
                raise InputError(f"{source}, line {section.line}: there are two proofs {name!r}")
            done[name] = whole
    return done


def read_proof(text: str, source: str = "proof") -> Proof:
    """A proof that stands alone, without sections."""
    found = read(text, source)
    if len(found) != 1:
        raise InputError(f"{source}: one proof is needed here, not sections of several")
    return next(iter(found.values()))


def with_way(proof: Proof, text: str) -> Proof:
    """The proof, with what stands after ``by``, or what the goal needs, such as ``witness `y = x/2` ``."""
    try:
        for kind, what in way(text):
            if kind == "by":
                raise ValueError("neither a step nor a way; see docs/proofs.md")
            new: dict[str, Any] = {kind: what}
            if kind in LISTS:
                new = {kind: (*getattr(proof, kind), *(what if kind in LISTS[:4] else (what,)))}
            elif kind != "bracket":
                new = {"goal": replace(proof.goal, **new)}
            proof = replace(proof, **new)
    except ValueError as error:
        raise InputError(f"{text!r}: {error}") from None
    return proof


class _at:
    """Says where: what is wrong in here is an InputError with the file and line."""

    def __init__(self, source: str, line: int) -> None:
        self.source, self.line = source, line

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Wrong):
            raise InputError(f"{self.source}, line {error.line or self.line}: {error}") from None
        if isinstance(error, ValueError) and not isinstance(error, InputError):
            raise InputError(f"{self.source}, line {self.line}: {error}") from None


def _sections(text: str, source: str) -> list[_Section]:
    """The file cut into sections, and these into items with the lines that belong to them."""
    name = source.rpartition("/")[2].removesuffix(".md")
    first = _Section((name,), Abbreviations(), 1)
    sections, part, open_items = [first], "", list[Item]()
    lines = [(n, line.rstrip()) for n, line in enumerate(text.splitlines(), 1)]
    at = 0
    while at < len(lines):
        n, line = lines[at]
        at += 1
        with _at(source, n):
            heading, item = HEADING.fullmatch(line), ITEM.fullmatch(line)
            if heading is not None:
                open_items, part = [], ""
                title = heading[2].strip("`")
                if heading[1] == "##":
                    names = tuple(t.strip().strip("`") for t in title.split(","))
                    sections.append(_Section(names, Abbreviations(first.short), n))
                elif heading[1] == "###":
                    if title not in PARTS:
                        raise Wrong(f"a part of a proof is headed {' or '.join(PARTS)}, not {title!r}")
                    part = PARTS[title]
            elif item is not None:
                new = Item(len(item[1]), int(item[2]), n, item[3])
                while open_items and open_items[-1].indent >= new.indent:
                    open_items.pop()
                siblings = open_items[-1].inner if open_items else sections[-1].items.setdefault(part, [])
                if len(open_items) >= MAX_DEPTH:
                    raise Wrong(f"lists are nested more than {MAX_DEPTH} deep")
                if siblings and siblings[-1].indent != new.indent:
                    raise Wrong("this item stands neither under the item before it nor beside it")
                if new.number != len(siblings) + 1:
                    raise Wrong(f"this item is number {len(siblings) + 1} of its list, not {new.number}")
                siblings.append(new)
                open_items.append(new)
            elif line.startswith("Write `"):
                while at < len(lines) and lines[at][1]:
                    line, at = f"{line} {lines[at][1].strip()}", at + 1
                _write(sections[-1].short, line.removeprefix("Write "))
            elif open_items and line.startswith(" "):
                open_items[-1].text += " " + line.strip()
            elif line and line[0] in " \t-*+" and not line.startswith("**"):
                raise Wrong("a line that is neither prose nor a numbered item; items are numbered 1. 2. 3.")
            elif line:
                open_items = []
    if len(sections) > 1 and first.items:
        raise InputError(f"{source}, line {next(iter(first.items.values()))[0].line}: steps before the first section")
    return sections[1:] or [first]


def _write(short: Abbreviations, text: str) -> None:
    at = 0
    for match in WRITTEN.finditer(text):
        if match.start() != at:
            break
        short.add(match[1], match[2])
        at = match.end()
    if not at or at != len(text):
        raise Wrong("abbreviations are written: Write `h(z)` for `p + e*z`, `k` for `n - 1`.")


# ---- of a paper ----

@cache
def proofs(paper: str) -> Mapping[str, Proof]:
    """All proofs of a paper of the corpus by name."""
    folder = files("qtheory.proofs.claims") / paper / "proofs"
    found: dict[str, Proof] = {}
    if folder.is_dir():
        for file in sorted(folder.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".md"):
                found = read(file.read_text(encoding="utf-8"), f"{paper}/proofs/{file.name}", found)
    return found


def proof(paper: str, name: str) -> Proof:
    """The proof of this name; raises UnknownNameError with the nearest names."""
    known = proofs(paper)
    if name not in known:
        raise UnknownNameError("proof", name, list(known))
    return known[name]


__all__: Sequence[str] = ["proof", "proofs", "read", "read_proof", "with_way"]
