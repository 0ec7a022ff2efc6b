"""The catalogue of a paper: one item for each statement that it prints, with its place and kind."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from qtheory.errors import InputError

ITEM = re.compile(r"- \*\*(?P<id>[^*]+)\*\* \[(?P<place>[^\]]+)\] (?P<text>.*) Kind: (?P<kind>.+?)\.?$")
FLAG = re.compile(r"\((definition|assumption)\)")
KIND_NAMES = {"algorithm (state machine)": "algorithm"}


@dataclass(frozen=True)
class Item:
    """One printed statement.  ``flag`` is "definition" or "assumption" for what is context, else empty."""

    id: str
    place: str
    kind: str
    section: str  # the catalogue's heading, up to its colon
    flag: str = ""


@cache
def items(paper: str) -> tuple[Item, ...]:
    """The items of a paper; raises InputError for a paper without a catalogue."""
    file = resources.files("qtheory.proofs.claims") / "catalogue" / f"{paper}.toml"
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"there is no catalogue of the paper {paper!r}") from None
    return tuple(Item(**entry) for entry in raw["item"])


def from_markdown(text: str) -> list[Item]:
    """The items of a catalogue in its written form: a list under headings."""
    out, section = [], ""
    for line in text.splitlines():
        if line.startswith("#"):
            section = line.lstrip("# ").split(":")[0].strip()
        match = ITEM.match(line.rstrip())
        if match:
            kind, flag = FLAG.sub("", match["kind"]), FLAG.search(match["kind"])
            kind = re.sub(r"\(cites:.*\)", "", kind).strip()
            out.append(Item(match["id"], match["place"], KIND_NAMES.get(kind, kind), section, flag[1] if flag else ""))
    return out


def to_toml(entries: list[Item]) -> str:
    """The items as the TOML that ``items`` reads."""
    blocks = []
    for i in entries:
        fields = {"id": i.id, "place": i.place, "kind": i.kind, "section": i.section}
        if i.flag:
            fields["flag"] = i.flag
        blocks.append("[[item]]\n" + "".join(f"{k} = {json.dumps(v, ensure_ascii=False)}\n" for k, v in fields.items()))
    return "\n".join(blocks)
