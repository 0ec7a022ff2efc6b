"""A paper's Markdown: its headings, tables of symbols and claim blocks, as data. Nothing in it is run.

A block is a MyST directive, so that the same file renders in the documentation::

    ::::{claim} eb.app-A.1.gqa, inequality, l. 415, substantive, faithful
    :root: gqa-shrinks-projections

    > and GQA further reduces this share

        given: 0 < g < 1    # l. 415: key-value heads over query heads
        goal: 4*L*d/(20*d**2 + 4*g*d**2) < 4*L*d/(24*d**2)

    A note, in paragraphs.
    ::::

Whatever is not understood is an InputError with the file and the line: an option that is not read would be a
statement that says less than its author thinks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin

from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs.claims.model import DECLARED, SEVERITIES
from qtheory.proofs.claims.names import states, unreadable

READINGS = ("faithful", "narrowed", "strengthened", "strawman")  # a second reader's word
WORDS = {"severity": SEVERITIES, "reading": READINGS, "verdict": DECLARED}  # options that the head of a block may say
OPTIONS = ("place", "severity", "root", "corrects", "corrected-by", "reading", "verdict", "readings", "flag",
           "against", "budget", "proof", "parts")
KEYS = ("given", "let", "goal", "also", "usual-domain", "first-at", "met-at", "second", "model", "says")
REPEATED = ("given", "let")
APART = ("says", "model", "second")  # what these say is no text of the language
SYMBOLS = ["symbol", "where", "meaning", "conditions or definition", "source"]
ROOTS = ["root", "rank", "what fails", "practical counterexample", "repair", "what survives"]
PREMISES = ["premise", "what is assumed", "source", "a hypothesis of", "judged by"]
TABLES = (SYMBOLS[0], ROOTS[0], PREMISES[0])
HEAD = re.compile(r"(?P<id>[A-Za-z0-9][A-Za-z0-9._-]*), (?P<kind>[^,]+)(, l\. (?P<first>\d+)(-(?P<last>\d+))?)?"
                  r"(?P<words>(, [^,\d]+)*)")
OPTION = re.compile(r":(?P<name>[a-z-]+):(?: +(?P<value>.*))?")
LINE = re.compile(r"(?P<key>[a-z-]+): +(?P<text>.*)")
HEADING = re.compile(r"(?P<place>(?:Section|Appendix|Appendices) (?P<label>\S+?)|.+?)(?:\. .*)?")
MARKDOWN = MarkdownIt("commonmark").enable("table").use(colon_fence_plugin)


class PlacedError(InputError):
    """Says in which file and line."""


@dataclass(frozen=True)
class At:
    """A place in a file, as an error names it."""

    file: PurePath
    line: int

    def error(self, why: str) -> PlacedError:
        return PlacedError(f"{self.file}, line {self.line}: {why}")

    def unknown(self, what: str, name: str, known: Sequence[str]) -> PlacedError:
        return self.error(str(UnknownNameError(what, name, list(known))))


@dataclass(frozen=True)
class Line:
    """A line of a statement, ``key: text  # comment``, those that continue it included."""

    key: str
    text: str
    comment: str
    at: At


@dataclass(frozen=True)
class Block:
    """A claim as it is written. ``span``: lines of the paper's text, None where it names none; ``section`` is the label
    of its file's section, such as 3.2.1 or B.4."""

    id: str
    kind: str
    span: tuple[int, int] | None
    options: Mapping[str, str]
    quote: str
    lines: tuple[Line, ...]
    note: str
    section: str
    place: str
    at: At

    def every(self, key: str) -> Iterator[Line]:
        return (line for line in self.lines if line.key == key)

    def one(self, key: str) -> Line | None:
        return next(self.every(key), None)


@dataclass(frozen=True)
class Cells:
    """A row of a table of symbols, of root causes, or of premises."""

    texts: tuple[str, ...]
    at: At


@dataclass(frozen=True)
class Page:
    """A Markdown file: its title and the place that this names, its claims, and the rows of its tables of symbols and
    of root causes."""

    title: str
    place: str
    blocks: tuple[Block, ...]
    rows: tuple[Cells, ...]
    roots: tuple[Cells, ...]
    premises: tuple[Cells, ...] = ()


@dataclass
class _Headings:
    title: str = ""
    section: str = ""
    place: str = ""
    level: int = 0  # of those that name a section; a heading below is a place in it

    def enter(self, level: int, text: str) -> None:
        match = HEADING.fullmatch(text)
        assert match is not None  # it matches any text
        self.title = self.title or text
        self.place = match["place"]
        if match["label"] and level <= (self.level or level):
            self.section, self.level = match["label"], level


def page(text: str, file: PurePath) -> Page:
    """What the Markdown says. Raises InputError for a block or a table that is not understood."""
    source, headings = text.split("\n"), _Headings()
    blocks: list[Block] = []
    rows: dict[str, list[Cells]] = {SYMBOLS[0]: [], ROOTS[0]: [], PREMISES[0]: []}
    tokens = MARKDOWN.parse(text)
    for i, token in enumerate(tokens):
        if token.type == "heading_open":
            headings.enter(int(token.tag[1:]), tokens[i + 1].content)
        elif token.type == "colon_fence":
            blocks.append(_block(token, source, headings, file))
        elif token.type == "table_open":
            for columns in (SYMBOLS, ROOTS, PREMISES):
                rows[columns[0]] += _rows(tokens[i:], columns, file)
    place = HEADING.fullmatch(headings.title)
    return Page(headings.title, place["place"] if place else "", tuple(blocks), *map(tuple, rows.values()))


# ---- a claim ----

def _block(token: Token, source: list[str], headings: _Headings, file: PurePath) -> Block:
    assert token.map is not None
    first, last = token.map
    at, name = At(file, first + 1), token.info.strip()
    if not name.startswith("{claim} "):
        raise at.error(f"the directive is {name[:60]!r}; a claim begins ::::{{claim}} ID, KIND, l. LINES")
    head = HEAD.fullmatch(name.removeprefix("{claim} ").strip())
    if head is None:
        raise at.error(f"the claim begins {name[:80]!r}; it should begin as {{claim}} me.square, inequality, l. 12-14")
    if last - first < 2 or not re.fullmatch(r":{3,}", source[last - 1].strip()):
        raise at.error(f"the claim {head['id']} is not closed; a line of as many colons ends it")
    content = token.content.split("\n")
    options, taken = _options(content, At(file, first + 2), _words(head["words"], at))
    quote, lines, note = _body(content, taken, At(file, first + 2))
    span = (int(head["first"]), int(head["last"] or head["first"])) if head["first"] else None
    return Block(head["id"], head["kind"].strip(), span, options, quote, lines, note, headings.section,
                 options.get("place", headings.place), at)


def _words(text: str, at: At) -> dict[str, str]:
    """The options that the words after the lines stand for."""
    known = {word: name for name, words in WORDS.items() for word in words}
    out: dict[str, str] = {}
    for word in filter(None, map(str.strip, text.split(","))):
        if word not in known:
            raise at.unknown("word on a claim", word, list(known))
        if known[word] in out:
            raise at.error(f"the claim is called {out[known[word]]} and {word}")
        out[known[word]] = word
    return out


def _options(content: list[str], at: At, out: dict[str, str]) -> tuple[dict[str, str], int]:
    """These options and those that the block begins with, and how many lines they take: what continues one is
    indented."""
    name = ""
    for n, text in enumerate(content):
        here, match = At(at.file, at.line + n), OPTION.fullmatch(text.rstrip())
        if match is None and name and text.startswith(" ") and text.strip():
            out[name] = f"{out[name]} {text.strip()}"
            continue
        if match is None:
            return out, n
        name = match["name"]
        if name not in OPTIONS:
            raise here.unknown("option of a claim", name, OPTIONS)
        if name in out:
            raise here.error(f"the option {name} stands twice")
        if not (match["value"] or "").strip():
            raise here.error(f"the option {name} has no value")
        out[name] = match["value"].strip()
    return out, len(content)


def _body(content: list[str], skipped: int, at: At) -> tuple[str, tuple[Line, ...], str]:
    """The quote, the lines of the statement and the note, which stand in this order."""
    quote, lines, stated = "", tuple[Line, ...](), False
    note: list[str] = []
    rest = content[skipped:]
    for token in MARKDOWN.parse("\n".join(rest)):
        if token.level or token.map is None or token.type.endswith("_close"):
            continue
        first, last = token.map
        here, raw = At(at.file, at.line + skipped + first), rest[first:last]
        if token.type == "colon_fence":
            raise here.error("a directive in a claim; is the claim before it closed?")
        column = raw[0].strip().strip("|").partition("|")[0].strip().casefold()
        if token.type == "table_open" and column in TABLES:
            raise here.error(f"a table of {column}s in a claim, where none is read; it stands outside of claims")
        if token.type == "code_block" or (token.type == "fence" and token.info.strip() == "qtheory"):
            if stated or note:
                raise here.error("a claim has one block of statement lines, before its note")
            stated, lines = True, _lines(
                token.content.split("\n"), At(at.file, here.line + (token.type == "fence")))
        elif token.type == "blockquote_open" and not (quote or stated or note):
            quote = joined(text.strip().removeprefix(">") for text in raw)
        else:
            note.append(joined(raw))
    return quote, lines, "\n\n".join(note)


def _lines(content: list[str], at: At) -> tuple[Line, ...]:
    gathered: list[tuple[str, list[str], At]] = []
    for n, text in enumerate(content):
        here, match = At(at.file, at.line + n), LINE.fullmatch(text)
        if match is not None:
            key = match["key"]
            if key not in KEYS:
                raise here.unknown("line of a statement", key, KEYS)
            if key not in REPEATED and any(key == other for other, _, _ in gathered):
                raise here.error(f"the line {key} stands twice")
            gathered.append((key, [match["text"]], here))
        elif text.startswith(" ") and gathered:
            if text.partition(":")[0].strip().lower() in KEYS:
                raise here.error(f"{text.strip()[:60]!r} is indented deeper than the line before it, and would be "
                                 "part of that; lines of a statement begin in one column")
            if gathered[-1][0] != "says" and "#" in "".join(gathered[-1][1]) and ("#" in text or states(text)):
                raise here.error(f"{text.strip()[:60]!r} would be part of the comment before it; a comment stands "
                                 "behind all that a line states")
            gathered[-1][1].append(text)
        elif text.strip():
            raise here.error(f"the line {text.strip()[:60]!r} is not of the form 'goal: x > 0'; what continues a line "
                             "is indented")
    out = []
    for key, texts, here in gathered:
        said, _, comment = joined(texts).partition("#") if key != "says" else (joined(texts), "", "")
        if said.strip().endswith(","):
            raise here.error(f"the line {key} ends with a comma: something is left out behind it")
        if key not in APART and (why := unreadable(said)):
            raise here.error(why)
        out.append(Line(key, said.strip(), comment.strip(), here))
    return tuple(out)


def joined(texts: Iterator[str] | Sequence[str]) -> str:
    return " ".join(filter(None, (text.strip() for text in texts)))


# ---- a table of symbols ----

def _rows(tokens: list[Token], columns: list[str], file: PurePath) -> list[Cells]:
    """Those of the table that begins here; none where it is a table of something else."""
    rows: list[list[str]] = []
    places: list[int] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
            places.append((token.map or [0])[0] + 1)
        elif token.type == "inline":
            rows[-1].append(token.content.strip())
    if rows[0][0].casefold() != columns[0]:
        return []
    if rows[0] != columns:
        raise At(file, places[0]).error(f"a table of {columns[0]}s has the columns {' | '.join(columns)}")
    return [Cells(tuple(row), At(file, place)) for row, place in zip(rows[1:], places[1:], strict=True)]
