"""Where a table stands in a paper: its class, its columns' widths, and the floats that a long one is cut into."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from qtheory.errors import InputError, UnknownNameError
from qtheory.report import captions

CAPTIONS = ("full", "short")  # what a caption is made of, unless it is the user's own words
OVER = 8  # rows that go over to another page with the notes
LETTER, LINE, GAP = 4.1, 9.5, 7.0  # points: a letter's width and a line's height in footnotesize, space between groups


@dataclass(frozen=True)
class Class:
    """A document class: of its pages the widths of a column and of the text, and the height of the text, in points."""

    preamble: tuple[str, ...]
    column: float
    text: float
    height: float
    opening: tuple[str, ...] = ()  # what must stand before the tables
    caption: str = ". %s"  # how text follows a table's title, which some classes set in small capitals or in bold

    @property
    def two_columns(self) -> bool:
        """Does a page have two columns?"""
        return self.column < self.text


CLASSES = {
    "article": Class((r"\documentclass{article}", r"\usepackage[T1]{fontenc}", r"\usepackage{lmodern}"),
                     345, 345, 550),
    "IEEEtran": Class((r"\documentclass[journal]{IEEEtran}", r"\usepackage[T1]{fontenc}"), 252, 516, 690,
                      caption=r"\\[3pt]\parbox[t]{\linewidth}{\normalfont\footnotesize %s}"),
    "acmart": Class((r"\documentclass[sigconf,nonacm]{acmart}",  # whose own fonts small installations lack
                     r"\IfFileExists{libertine.sty}{}{\usepackage[T1]{fontenc}\usepackage{lmodern}}"), 241, 506, 625,
                    # without a title, which a page's head would name, floats begin on the first page
                    (r"\pagestyle{plain}",), r". {\normalfont %s}"),
}


@dataclass(frozen=True)
class Layout:
    """How a table stands in a paper: its class, over both columns (``wide``) or one in any case (``narrow``), by
    default as it fits, and its caption: of `CAPTIONS`, or the words themselves."""

    document_class: str = "article"
    wide: bool = False
    caption: str = "full"
    narrow: bool = False

    @classmethod
    def of(cls, document_class: str = "article", wide: bool = False, caption: str | None = None,
           narrow: bool = False) -> Layout:
        """As asked for; UnknownNameError for a class that is none, InputError for a caption without words, or that is
        no text with formulas."""
        if document_class not in CLASSES:
            raise UnknownNameError("document class", document_class, list(CLASSES))
        if caption is not None and not caption.strip():
            raise InputError(f"the caption is {caption[:40]!r}; {', '.join(CAPTIONS)} or a text of your own is needed")
        if caption not in (None, *CAPTIONS):
            captions.require(caption)
        return cls(document_class, wide, caption or ("short" if CLASSES[document_class].two_columns else "full"),
                   narrow)

    @property
    def page(self) -> Class:
        """The page that it stands on."""
        return CLASSES[self.document_class]

    @property
    def floats(self) -> bool:
        """Must it be cut into floats? A longtable stands in one column alone, and two columns have none."""
        return self.wide or self.page.two_columns

    def over_both(self, width: float) -> bool:
        """Over both columns: as asked for, or because one does not hold that width (points) at nine tenths."""
        return not self.narrow and (self.wide or 0.9 * width > self.page.column)


@dataclass(frozen=True)
class Rows:
    """Rows that stay together, as LaTeX lines of a height in points, under a heading (or "")."""

    group: str
    lines: tuple[str, ...]
    height: float
    opening: tuple[str, ...] = ()  # what must stand before the tables


def lines_of(cells: Sequence[tuple[str, float]], text: float) -> int:
    """How many lines a row takes whose cells of running text have these shares of the width ``text`` (points)."""
    return max((math.ceil(1.2 * len(cell) * LETTER / (share * text)) for cell, share in cells if share), default=1) or 1


def cut(rows: Sequence[Rows], room: float, last: float) -> list[list[Rows]]:
    """The rows in pieces of at most ``room`` points each (a single one may be higher), below the last of which ``last``
    points of notes stand: where there is no room for them a few rows go over to a piece above them, and the page before
    stays full."""
    pieces: list[list[Rows]] = [[]]
    for one in rows:
        if pieces[-1] and _height([*pieces[-1], one]) > room:
            pieces.append([])
        pieces[-1].append(one)
    while len(pieces[-1]) > 1 and _height(pieces[-1]) + last > room:
        whole = pieces.pop()
        over = min(OVER, len(whole) // 2)
        pieces += [whole[:-over], whole[-over:]]
    return pieces


def _height(rows: Sequence[Rows]) -> float:
    changes = sum(i == 0 or one.group != rows[i - 1].group for i, one in enumerate(rows) if one.group)
    return sum(one.height for one in rows) + changes * (LINE + GAP)
