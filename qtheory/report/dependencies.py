"""What a paper's main results lean on, and what leans on them, drawn: a picture a theorem, as SVG."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from qtheory.proofs.axiomatic import rests_on
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.claims.names import parts
from qtheory.report.errata import MAIN

WIDTH, HEIGHT, GAP, ACROSS = 232, 30, 8, 72  # of a box, between boxes, and between columns, in pixels
LETTERS = 32  # that a box holds
AXIOM = "axiom"


@dataclass(frozen=True)
class Box:
    """A claim or an axiom; ``way``: how it stands to the theorem."""

    name: str
    word: str
    way: str


def drawings(claims: Sequence[Claim], verdicts: Mapping[str, str], address: Callable[[str], str]) -> Iterator[str]:
    """An SVG for each main result that leans on another claim or an axiom, or is leant on.

    ``verdicts``: the word on each claim, by id; ``address``: where a link to a claim leads.
    """
    by_id = {c.id: c for c in claims}
    for claim in claims:
        if MAIN.search(claim.id) and claim.corrects is None:
            before, after = list(_before(claim, by_id, verdicts)), list(_after(claim, claims, verdicts))
            if before or after:
                yield _drawn(claim, verdicts.get(claim.id, "unknown"), before, after, address)


def _before(claim: Claim, by_id: Mapping[str, Claim], verdicts: Mapping[str, str]) -> Iterator[Box]:
    """What the theorem rests on: results that it takes, and axioms."""
    for name in claim.imported:
        yield Box(name, verdicts.get(name, ""), "given")
    for name in filter(None, parts(claim.marks.get("parts", ""))):
        yield Box(name, verdicts.get(name, ""), "part")
    if claim.theorem is not None:
        theorems = claim.theorem if isinstance(claim.theorem, tuple) else (claim.theorem,)
        for name in dict.fromkeys(name for theorem in theorems for name in rests_on(theorem)):
            yield Box(name, AXIOM, "by")
    for name in claim.readings:
        if name in by_id:
            yield Box(name, verdicts.get(name, ""), "read as")


def _after(claim: Claim, claims: Sequence[Claim], verdicts: Mapping[str, str]) -> Iterator[Box]:
    """Its parts, what replaces it, what speaks against it, and what takes it as given."""
    for other in claims:
        way = ("instead" if other.id == claim.corrected_by or other.corrects == claim.id
               else "against" if other.marks.get("against") == claim.id
               else "uses it" if claim.id in other.imported
               else "part" if other.id.startswith(f"{claim.id}.") and other.id not in claim.readings else "")
        if way:
            yield Box(other.id, verdicts.get(other.id, ""), way)


def _drawn(claim: Claim, word: str, before: Sequence[Box], after: Sequence[Box], address: Callable[[str], str]) -> str:
    """Three columns: what it rests on, the theorem, what follows or replaces it."""
    rows = max(len(before), len(after), 1)
    high = rows * (HEIGHT + GAP) + GAP
    columns = [x for x, there in enumerate((before, [claim], after)) if there]
    left = {column: 1 + n * (WIDTH + ACROSS) for n, column in enumerate(columns)}
    wide = len(columns) * (WIDTH + ACROSS) - ACROSS + 2
    middle = (high - HEIGHT) / 2
    out = [f'<svg class="leans" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" '
           f'aria-label="What {html.escape(claim.id)} leans on">']
    for column, boxes in ((0, before), (2, after)):
        start = (high - len(boxes) * (HEIGHT + GAP) + GAP) / 2
        for n, box in enumerate(boxes):
            y = start + n * (HEIGHT + GAP)
            one, two = (left[0] + WIDTH, left[1]) if column == 0 else (left[1] + WIDTH, left[2])
            here, there = (y, middle) if column == 0 else (middle, y)
            out.append(f'<path class="leans-line" d="M{one} {here + HEIGHT / 2:.0f} C{one + ACROSS / 2:.0f} '
                       f"{here + HEIGHT / 2:.0f} {two - ACROSS / 2:.0f} {there + HEIGHT / 2:.0f} {two} "
                       f'{there + HEIGHT / 2:.0f}"/>')
            out.append(_box(box.name, box.word, box.way, left[column], y, address))
    out.append(_box(claim.id, word, "", left[1], middle, address))
    return "".join([*out, "</svg>"])


def _box(name: str, word: str, way: str, x: float, y: float, address: Callable[[str], str]) -> str:
    """A rectangle with the name, its verdict and how it stands to the theorem."""
    shown = name if len(name) <= LETTERS else name[:LETTERS - 1] + "…"
    said = ": ".join(filter(None, (way, word)))
    inside = (f"<title>{html.escape(name)}</title>"
              f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="4"/>'
              f'<text x="{x + 6:.0f}" y="{y + 12:.0f}">{html.escape(shown)}</text>'
              f'<text class="leans-word" x="{x + 6:.0f}" y="{y + 25:.0f}">{html.escape(said)}</text>')
    group = f'<g class="{html.escape(word.split(" ")[0] or "unknown")}">{inside}</g>'
    return group if word == AXIOM else f'<a href="{html.escape(address(name))}">{group}</a>'
