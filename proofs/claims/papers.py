"""A paper's claims, from its Markdown: a folder with a table of symbols and a file a section, or one file.

Reading runs nothing. A paper of the corpus may name its own code (``model:``), which is resolved here; a stranger's
that does is refused.
"""

from __future__ import annotations

import importlib
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from qtheory.errors import InputError
from qtheory.proofs.claims.blocks import WORDS, At, Block, Line, Page, PlacedError, page
from qtheory.proofs.claims.cases import Model
from qtheory.proofs.claims.model import KINDS, Claim
from qtheory.proofs.claims.names import Names, conditions, names, of_definition, parts
from qtheory.proofs.claims.roots import Premise, Root, premises, roots
from qtheory.proofs.claims.symbols import LABEL, Row, Table, reached, require_source, taken
from qtheory.proofs.kernel.grammar import Parser
from qtheory.proofs.kernel.statements import Statement, conjuncts, declared
from qtheory.proofs.kernel.terms import KernelError, Node, free, substitute
from qtheory.proofs.limits import instead, require_budget, require_number
from qtheory.proofs.proving.lines import Proof
from qtheory.proofs.proving.reading import proofs

SETTINGS = "paper.toml"
MAX_BYTES = 2_000_000  # of a file
TEXTS, LISTS = ("title", "authors", "seed"), ("sections", "items", "context", "open", "main")
SECOND = re.compile(r"_[A-Za-z0-9_]+")
USUAL = "usual domain"  # what the source of such a condition begins with
NOT_COMPARED = "not compared"
MARKS = ("root", "reading", "against", "parts")
OTHERS = ("corrects", "corrected-by", "readings", "parts")  # options that name other claims


@dataclass(frozen=True)
class Paper:
    """``items``: the ids of its claims that are printed statements, in their order; the others are readings, parts and
    corrections. ``context`` and ``open``: those of the printed statements that are no claims (definitions,
    assumptions), and of those that have no claim yet; ``main``: which of all these are the main results. ``code``:
    the package of its models and proofs; a stranger's has none."""

    title: str
    pages: tuple[tuple[str, Page], ...]  # with their files' names
    items: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    main: tuple[str, ...] = ()
    code: str = ""

    @property
    def blocks(self) -> Iterator[Block]:
        return (block for _, page in self.pages for block in page.blocks)

    @cached_property
    def roots(self) -> Mapping[str, Root]:
        """The root causes of what is wrong in it, by name."""
        return roots(cells for _, page in self.pages for cells in page.roots)

    @cached_property
    def premises(self) -> Mapping[str, Premise]:
        """What it takes for granted, by name."""
        return premises((cells for _, page in self.pages for cells in page.premises), {b.id for b in self.blocks})

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """In the paper's order. Raises InputError for a block that is no claim."""
        return tuple(_Reader(self).claims())


def read(path: Path, code: str = "") -> Paper:
    """The paper in this folder or file. Raises InputError for what cannot be read."""
    if not path.is_dir():
        only = _page(path, path.name)
        return Paper(only.title, ((path.name, only),), code=code)
    settings = _settings(path / SETTINGS)
    files = [*(["symbols.md"] if (path / "symbols.md").exists() else []), *settings.get("sections", ())]
    lost = sorted({f.name for f in path.glob("*.md")} - set(files))
    if lost:
        raise InputError(f"{path / 'paper.toml'}: sections does not name {lost[0]}")
    items, context, open_, main = (tuple(settings.get(key, ())) for key in LISTS[1:])
    if strange := sorted({*main} - {*items, *context, *open_}):
        raise InputError(f"{path / SETTINGS}: main names {strange[0]}, which is not one of items, context and open")
    made = Paper(settings.get("title", path.name), tuple((f, _page(path / f, f)) for f in files), items, context, open_,
                 main, code)
    if bare := sorted({*items} - {block.id for block in made.blocks}):
        raise InputError(f"{path / SETTINGS}: items names {bare[0]}, which no section claims; it may stand in open")
    return made


def _settings(file: Path) -> dict[str, Any]:
    try:
        settings = tomllib.loads(require_short_file(file).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{file.parent}: no {SETTINGS} in this folder, which names the paper's title and sections"
                         ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise InputError(f"{file}: {error}") from None
    if unknown := sorted(set(settings) - {*TEXTS, *LISTS}):
        raise InputError(f"{file}: {unknown[0]} is no setting of a paper; these are {', '.join((*TEXTS, *LISTS))}")
    for name, value in settings.items():
        if name in TEXTS and not isinstance(value, str):
            raise InputError(f"{file}: {name} is no text")
        if name in LISTS and not (isinstance(value, list) and all(isinstance(text, str) for text in value)):
            raise InputError(f"{file}: {name} is no list of texts")
    if outside := [f for f in settings.get("sections", ()) if Path(f).name != f]:
        raise InputError(f"{file}: {outside[0]} is no file of this folder")
    return settings


def require_short_file(path: Path) -> Path:
    """The path of what can be read to its end; InputError for a device, a pipe or a large file."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a file")  # of a device or a pipe the end may never come
    if path.stat().st_size > MAX_BYTES:
        raise InputError(f"{path}: larger than {MAX_BYTES} bytes; a paper's sections may stand in several files")
    return path


def _page(path: Path, name: str) -> Page:
    try:
        return page(require_short_file(path).read_text(encoding="utf-8"), Path(name))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None


@dataclass(frozen=True)
class _Said:
    """What a block's own lines state, before the table's part is added."""

    given: Mapping[str, Line]
    let: tuple[str, ...]
    free: frozenset[str]
    bound: Mapping[str, At]
    local: frozenset[str]


class _Reader:
    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.table = Table(cells for _, page in paper.pages for cells in page.rows)
        self.blocks: dict[str, Block] = {}
        for block in paper.blocks:
            if block.id in self.blocks:
                raise block.at.error(f"the claim {block.id} stands twice")
            self.blocks[block.id] = block
        self.rows: dict[str, dict[str, Row]] = {}
        self.said = {id: _said(block) for id, block in self.blocks.items()}
        self.rests: dict[str, frozenset[str]] = {}

    def claims(self) -> Iterator[Claim]:
        for id, block in self.blocks.items():
            self.rows[id] = self.table.holding(block.section, id)
        known = {"all", *self.blocks, *(block.section for block in self.blocks.values())}
        for row in self.table.rows:
            if row.claim and row.claim not in self.blocks:
                raise row.at.error(f"the row of {row.symbol} rests on {row.claim}, which is no claim of this paper")
            for entry in row.entries:  # a condition that holds nowhere would be lost without a word
                if entry not in known and not LABEL.fullmatch(entry):
                    raise row.at.error(f"the row of {row.symbol} holds in {entry[:60]!r}, which is no claim of this "
                                       "paper and no section's label such as 3.2 or B; 'all' is everywhere")
        _ = self.paper.premises  # each of its claims is one
        for block in self.blocks.values():
            yield self.claim(block)

    # ---- imported results ----

    def results(self, id: str) -> frozenset[str]:
        """The claims on whose results this one would rest by the table, those that its own conditions cite, and those
        that judge its readings or correct it: what is taken from an imprecise claim is what they say."""
        said, block = self.said[id], self.blocks[id]
        rows = reached(self.rows[id], said.free, _second(block))
        cited = {word.rstrip(",;:") for line in said.given.values() for word in line.comment.split()}
        cited |= {*parts(block.options.get("readings", "")), block.options.get("corrected-by", f"{id}.corrected")}
        return frozenset(row.claim for row, _ in rows if row.claim) | (cited & self.blocks.keys() - {id})

    def resting(self, id: str) -> frozenset[str]:
        """Those results, and those on which they rest in turn."""
        if id not in self.rests:
            found, left = set[str](), [id]
            while left:
                for other in self.results(left.pop()) - found:
                    found.add(other)
                    left.append(other)
            self.rests[id] = frozenset(found)
        return self.rests[id]

    # ---- a claim ----

    def claim(self, block: Block) -> Claim:
        o, span = block.options, block.span
        if span is None and self.paper.code:
            raise block.at.error(f"the claim {block.id} names no lines of the paper's text, as in l. 12-14")
        for name, words in {"kind": KINDS, **WORDS}.items():
            word = block.kind if name == "kind" else o.get(name)
            if word is not None and word not in words:
                raise block.at.unknown(name, word, words)
        for name in OTHERS:
            for id in parts(o[name]) if name in o else ():
                if id == block.id or id not in self.blocks:
                    raise block.at.error(f"{name} names {id[:60]!r}, which is no other claim of this paper")
        corrected = f"{block.id}.corrected"
        corrected_by = o.get("corrected-by") or (
            corrected if corrected in self.blocks and not self.blocks[corrected].options.get("corrects") else None)
        way = {"note": block.note, "verdict": o.get("verdict"), **self.way(block)}
        try:
            return Claim(block.id, block.place, block.quote, span or (block.at.line, block.at.line), block.kind,
                         corrects=self.corrects(block), corrected_by=corrected_by, severity=o.get("severity"),
                         readings=tuple(parts(o["readings"])) if "readings" in o else (),
                         marks=self.marks(block), names_lines=span is not None, **way)
        except PlacedError:
            raise
        except InputError as error:
            raise block.at.error(str(error)) from None

    def marks(self, block: Block) -> Mapping[str, str]:
        """What readers say of the claim; the rank is that of its root."""
        marks = {name: block.options[name] for name in MARKS if name in block.options}
        if "root" not in marks:
            return marks
        if marks["root"] not in self.paper.roots:
            raise block.at.unknown("root", marks["root"], list(self.paper.roots))
        return {**marks, "rank": self.paper.roots[marks["root"]].rank}

    def way(self, block: Block) -> dict[str, Any]:
        """How the verdict comes about: a statement, or the object that ``model`` names."""
        if "parts" in block.options:
            return self.together(block)
        told = self.told(block)
        model, goal = block.one("model"), block.one("goal")
        if model is not None:
            if any(line.key not in ("model", "says") for line in block.lines):
                raise model.at.error("a claim that is decided by a model has no statement lines besides")
            return self.model(block, model, told)
        if goal is None:
            if block.lines:
                raise block.lines[0].at.error("the statement has no goal")
            if "verdict" not in block.options:
                raise block.at.error(f"the claim {block.id} has no goal, and declares no verdict")
            return told
        if "verdict" in block.options:
            raise block.at.error(f"the claim {block.id} has a goal, and declares a verdict of its own")
        if (says := block.one("says")) is not None:
            raise says.at.error("says without a model: what is displayed is what is checked")
        said, rows = self.said[block.id], self.rows[block.id]
        second = _second(block)
        pulled = reached(rows, said.free, second, lambda row: bool(
            row.claim) and (row.claim == block.id or block.id in self.resting(row.claim)))
        table = taken(rows, pulled)
        self.require(block, said, rows, pulled)
        if unsaid := [row for row, _ in pulled if row.open]:
            where = ", ".join(f"{row.symbol} (line {row.at.line})" for row in unsaid)
            return {"verdict": "unknown", "note": " ".join(filter(None, (
                f"Not stated: the table of symbols does not say yet what {where} may be.", block.note)))}
        if self.paper.code and (twice := next((text for text in said.given if text in table.given), None)):
            raise said.given[twice].at.error(f"the table of symbols states {twice!r} already")
        statement = Statement(goal.text, tuple(dict.fromkeys((*table.given, *said.given))), (*table.let, *said.let))
        sources = dict(table.given)
        for text, line in said.given.items():  # in a note of one's own a theorem may repeat what the table says
            if source := "; ".join(filter(None, (table.given.get(text), _source(line)))):
                sources[text] = source
        for text, (id, symbol) in table.imported.items():
            about = [t for t, result in table.imported.items() if result == (id, symbol)]
            given = f"given {id}" if self.states(id, text, symbol, about, statement, table.imported) else (
                f"given, as {id} has it ({NOT_COMPARED})")
            sources[text] = f"{given}; {sources[text]}"
        imported = tuple(dict.fromkeys(row.claim for row, _ in pulled if row.claim))
        meanings = {row.symbol + suffix: row.meaning for row, suffix in pulled if row.meaning}
        for line in block.lines:
            if line.key in ("also", "let") and line.comment:
                names = parts(line.text) if line.key == "also" else [of_definition(t)[0] for t in parts(line.text)]
                meanings[", ".join(names)] = line.comment
        return {"statement": statement, "sources": sources, "meanings": meanings, "imported": imported, **told}

    def together(self, block: Block) -> dict[str, Any]:
        """Of a sentence that states what other claims do: their theorems, each with its own proof and sources. None has
        a hypothesis that is added, or is a correction: such a part is not what is printed; and no two are the same."""
        named = parts(block.options["parts"])
        ways = [self.way(self.blocks[id]) if "parts" not in self.blocks[id].options else {} for id in named]
        different = {repr(way.get("theorem")) for way in ways}
        if block.lines or "verdict" in block.options or not 1 < len(ways) == len(different) or not all(
                way.get("theorem") for way in ways):
            raise block.at.error("a claim by parts names several others that are theorems, no two the same, and has no "
                                 "statement lines")
        if own := sorted({"proof", "budget"} & block.options.keys()):
            raise block.at.error(f"a claim by parts has no {own[0]} of its own")
        sources = dict[str, str]()
        for n, (id, way) in enumerate(zip(named, ways, strict=True), 1):
            if self.corrects(self.blocks[id]) and not self.corrects(block):
                raise block.at.error(f"the part {id} corrects what is printed")
            for text in way["theorem"].where:  # a symbol may have another meaning in each part
                source = way["sources"].get(text, "added")
                if source.lower().startswith("added"):
                    raise block.at.error(f"a part has an added hypothesis: {text}")
                sources[text] = "; ".join(filter(None, (sources.get(text), f"({n}) {source}")))
        return {"theorem": tuple(way["theorem"] for way in ways), "sources": sources,
                "proof": Proof(parts=tuple(way.get("proof", Proof()) for way in ways), source=", ".join(named)),
                "budget": max(way.get("budget") or 60.0 for way in ways)}

    def corrects(self, block: Block) -> str | None:
        """The claim that it corrects, if it does."""
        base = block.id.removesuffix(".corrected")
        return block.options.get("corrects") or (base if base != block.id and base in self.blocks else None)

    def states(self, id: str, text: str, symbol: str, about: Sequence[str], statement: Statement,
               imported: Mapping[str, Any]) -> bool:
        """Is the condition, read as a formula, the goal of that claim or a part of it, and is each condition of that
        claim one of the statement's own? Or does the claim say that there is something of which it states all that the
        row says ``about`` the symbol, which then stands for this? It is new there: the claim does not speak of it."""
        other, own = self.way(self.blocks[id]).get("statement"), (w for w in statement.where if w not in imported)
        try:
            if other is None or not set(other.hypotheses) <= set(_formulas(own, statement)):
                return False
            said, row = _formulas((other.goal,), other), set(_formulas(about, statement))
            fresh = symbol not in free(("and", *other.hypotheses, *said))
            return set(_formulas((text,), statement)) <= set(said) or (fresh and any(
                row <= set(conjuncts(substitute(f[2], f[1], symbol))) for f in said if f[0] == "ex"))
        except KernelError:  # outside the language
            return False

    def require(self, block: Block, said: _Said, rows: Mapping[str, Row], pulled: Sequence[tuple[Row, str]]) -> None:
        """No name that has a row is bound or declared, and each free name has a row or is declared."""
        for name, at in said.bound.items():
            row = rows.get(name) or rows.get(name.removesuffix(_second(block)))
            if row is not None:
                raise at.error(f"{name} has a row in the table of symbols (line {row.at.line}), and is given "
                               "another meaning here; choose another name")
        goal = block.one("goal")
        assert goal is not None
        for name in sorted(said.free - said.local - rows.keys() - {row.symbol + suffix for row, suffix in pulled}):
            hint = instead(name)
            raise goal.at.error(f"the symbol {name} has no row in the table of symbols, and no given, let or also "
                                f"declares it{'; ' * bool(hint)}{hint}")
        spoken = said.free.union(*({x + suffix for x in (row.symbol, *row.spoken)} for row, suffix in pulled))
        for line in block.every("first-at"):
            for name, _ in map(_assigned(line), parts(line.text)):
                if name not in spoken:
                    raise line.at.error(f"{name} is no variable of the statement")
        for row, _ in pulled:
            for name in sorted(row.spoken - rows.keys()):
                raise row.at.error(f"the row of {row.symbol} speaks of {name}, which has no row for {block.id}")

    def told(self, block: Block) -> dict[str, Any]:
        """What the search is told: the proof, under the claim's own name or another, where to look for a
        counterexample, how long it may take."""
        out: dict[str, Any] = {}
        named, own = block.options.get("proof"), block.id.partition(".")[2]
        if named and not self.paper.code:
            raise block.at.error("a proof by name is one of the corpus's; none is read beside a single file")
        known = proofs(self.paper.code.rpartition(".")[2]) if self.paper.code else {}
        if named and named not in known:
            raise block.at.unknown("proof", named, list(known))
        if (named or own) in known:
            out["proof"] = known[named or own]
        first, met = block.one("first-at"), block.one("met-at")
        if first is not None:
            out["first_at"] = _point(first)
            out |= {"setting": first.comment} if first.comment else {}
        if met is not None:
            out["proof"] = replace(out.get("proof", Proof()), witness=tuple(map(_assigned(met), parts(met.text))))
        if "budget" in block.options:
            out["budget"] = _units(block.options["budget"], block.at)
        return out

    def model(self, block: Block, line: Line, told: dict[str, Any]) -> dict[str, Any]:
        if not self.paper.code:
            raise line.at.error("a model names code, and none is run for a paper that is not of the corpus; write what "
                                "it says as a goal")
        found = _attribute(f"{self.paper.code}.models", line.text, line.at)
        says = block.one("says")
        words = {} if says is None else {"says": says.text}
        if isinstance(found, Model):
            return {"theorem": found.theorem, "studies": found.studies, "sources": found.sources,
                    "proof": found.proof, "budget": found.budget, **words, **told}
        return {"run": found, **words, **told}


def _formulas(texts: Iterable[str], statement: Statement) -> tuple[Node, ...]:
    """What the texts say as conditions, where the statement's functions and definitions have their meaning."""
    where = (*texts, *(w for w in statement.where if declared(w, "functions")))
    return Statement("0 == 0", tuple(dict.fromkeys(where)), statement.let).hypotheses


def _source(line: Line) -> str:
    return ": ".join(filter(None, (USUAL if line.key == "usual-domain" else "", line.comment)))


def usual_domain(claim: Claim) -> tuple[str, ...]:
    """The conditions that exclude end points of a stated range, at which a printed term is undefined."""
    return tuple(c for c, source in claim.sources.items() if source.startswith(USUAL))


def readings(judged: Iterable[Claim]) -> dict[str, int]:
    """How often a second reader, who saw the paper's text and the statement alone, called a statement so: of those
    that are the paper's, no corrections and nothing said against it, and can be proved or refuted."""
    printed = (c for c in judged if c.quote and c.corrects is None and c.verdict is None and "against" not in c.marks)
    return dict(Counter(c.marks.get("reading", "not read") for c in printed).most_common())


def at_setting(claim: Claim, point: Mapping[str, Any] | None) -> str:
    """The claim's note, and whether the counterexample lies in the setting that the claim names."""
    if point is None or not claim.setting:
        return claim.note
    there = all(_same(str(point.get(x)), value) for x, value in claim.first_at.items())
    where = f"At {claim.setting}." if there else f"Not at {claim.setting}, where it was looked for."
    return f"{where} {claim.note}".strip()


def _same(number: str, text: str) -> bool:
    """Is the text the number? One that is written otherwise, as sqrt(2) is, is none that a point is printed with."""
    with suppress(ValueError, ZeroDivisionError):
        return number == str(Fraction(text))
    return False


def _attribute(package: str, name: str, at: At) -> Any:
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(f"{package}.{module}" if module else package), attribute)
    except (ImportError, AttributeError) as error:
        raise at.error(f"no model {name}: {error}") from None


def _second(block: Block) -> str:
    line = block.one("second")
    if line is not None and not SECOND.fullmatch(line.text):
        raise line.at.error(f"the mark of a second system is {line.text[:40]!r}; it begins with _, as in second: _2")
    return "" if line is None else line.text


def _said(block: Block) -> _Said:
    """The block's own conditions, definitions and names."""
    given: dict[str, Line] = {}
    let: list[str] = []
    free, bound, local = set[str](), dict[str, At](), set[str]()

    def hear(spoken: Names, at: At) -> None:
        if spoken.why:
            raise at.error(spoken.why)
        free.update(spoken.free)
        bound.update(dict.fromkeys(spoken.bound, at))

    for line in block.lines:
        if line.key in ("given", "usual-domain"):
            require_source(line.comment, line.at)
            for text in conditions(line.text):
                if text in given:
                    raise line.at.error(f"the condition {text!r} stands twice")
                given[text] = line
                hear(names(text), line.at)
                local |= names(text).free
                bound.update(dict.fromkeys(declared(text, "functions"), line.at))
        elif line.key == "let":
            for text in parts(line.text):
                name, spoken = of_definition(text)
                let.append(text)
                hear(spoken, line.at)
                local.add(name)
                bound[name] = line.at
        elif line.key == "also":
            local |= set(parts(line.text))
            bound.update(dict.fromkeys(parts(line.text), line.at))
        elif line.key == "goal":
            hear(names(line.text), line.at)
    return _Said(given, tuple(let), frozenset(free), bound, frozenset(local))


def _point(line: Line) -> dict[str, str]:
    """Where a counterexample is looked for first: a number for each variable."""
    point = dict(map(_assigned(line), parts(line.text)))
    for name, text in point.items():
        try:
            require_number(name, Parser(text, {}, set()).whole())
        except (KernelError, InputError) as error:
            raise line.at.error(str(error)) from None
    return point


def _assigned(line: Line) -> Callable[[str], tuple[str, str]]:
    def read(text: str) -> tuple[str, str]:
        name, sign, value = text.partition("=")
        if not sign or not value.strip():
            raise line.at.error(f"{text!r} is no value of a variable; write N = 64, p0 = 1/100")
        return name.strip(), value.strip()

    return read


def _units(text: str, at: At) -> float:
    try:
        return require_budget(float(text))
    except ValueError as error:
        raise at.error(str(error) if isinstance(error, InputError) else
                       f"the budget {text[:40]!r} is no number of units of work") from None
