r"""A paper's LaTeX as a list of its environments: nothing is run, no file outside the paper's folder is read.

Comments and what is not printed (``\iffalse``, ``verbatim``) are left out, files named by ``\input`` are put in their
places, and macros are expanded as TeX does, where it is plain what they stand for: one definition, in the preamble.
Where it is not, the environments that use one say so (``doubt``), and no statement is read from them.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from qtheory.errors import InputError
from qtheory.proofs.latexing import COMMANDS
from qtheory.proofs.tex_numbers import Numbers

MAX_BYTES, MAX_FILES, MAX_ENVIRONMENTS, MAX_EXPANSIONS, MAX_LENGTH = 5_000_000, 100, 2_000, 500, 20_000
THEOREMS = ("theorem", "lemma", "proposition", "corollary", "definition")
EQUATIONS = ("equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat", "displaymath")
UNPRINTED = ("comment", "verbatim", "Verbatim", "lstlisting", "minted", "filecontents", "tikzpicture")
COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
INPUT = re.compile(r"\\(?:input|include|subfile|usepackage|documentclass)\s*(\[[^\]]*\])?\s*"
                   r"(?:\{([^{}]*)\}|([\w./-]+))")
PACKAGES = re.compile(r"\\(usepackage|documentclass)")
WORD = re.compile(r"\\([A-Za-z@]+|.)", re.DOTALL)
DECLARED = re.compile(r"\\(?:newtheorem|spnewtheorem)\*?\s*\{([A-Za-z]+)\}\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}"
                      r"|\\declaretheorem\s*(?:\[[^\]]*\])?\s*\{([A-Za-z]+)\}")
DEFINING = re.compile(r"\\((?:re|provide)?newcommand|renewcommand|providecommand|DeclareRobustCommand|[gex]?def|let|"
                      r"DeclareMathOperator|DeclarePairedDelimiter\w*|(?:New|Renew|Provide|Declare)\w*DocumentCommand|"
                      r"mathchardef|DeclareMathSymbol|newcommandx|renewcommandx|global\s*\\let)\*?\s*\{?\s*"
                      r"\\([A-Za-z@]+|.)\s*\}?")
ONCE = ("newcommand", "DeclareMathOperator")  # which define what has no meaning yet
RESHAPED = re.compile(r"\\(?:re)?newenvironment\*?\s*\{([A-Za-z*]+)\}")
# After these a character or a command need not be what it looks like.
ANYTHING = re.compile(r"\\(catcode|mathcode|lccode|uccode|delcode|csname|scantokens|everymath|everydisplay|"
                      r"newunicodechar|DeclareUnicodeCharacter|DeclareMathAccent|AtBeginEnvironment|"
                      r"BeforeBeginEnvironment|ifthenelse|iftoggle|ifbool|lowercase|uppercase|obeylines)(?![A-Za-z])")
SECTION = re.compile(r"\\(section|subsection|appendix)(\*?)(?![A-Za-z])")
TITLE = re.compile(r"\\title\s*(?:\[[^\]]*\])?\s*(?=\{)")
LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
BEGIN = re.compile(r"\\begin\s*\{([A-Za-z]+\*?)\}")
BRANCH = re.compile(r"\\(newif\s*\\if[A-Za-z@]*|if(?!f(?![A-Za-z])|thenelse|then)[A-Za-z@]*|else|fi)(?![A-Za-z@])")


@dataclass(frozen=True)
class Macro:
    """What a command of the paper stands for; ``body`` is None where that is not plain."""

    arguments: int = 0
    body: str | None = None


@dataclass(frozen=True)
class Environment:
    """A theorem or an equation: what it is called, its text without labels, where it stands, and why no statement may
    be read from it, if so. ``kind`` is the environment's name without a star."""

    kind: str
    called: str
    heading: str  # in brackets behind \\begin{theorem}
    label: str
    text: str
    section: str
    file: str
    lines: tuple[int, int]
    doubt: str = ""
    raw: str = ""  # the text with labels
    number: str = ""  # of a theorem, where it is certain

    @property
    def named(self) -> str:
        """What it is called, with its number."""
        return f"{self.called} {self.number}".strip()

    @property
    def is_equation(self) -> bool:
        return self.kind in EQUATIONS


@dataclass(frozen=True)
class Section:
    """A heading, with what it is counted as."""

    label: str
    title: str


@dataclass
class TexSource:
    """``missing``: files that are named and not read; ``sections`` in their order."""

    title: str
    environments: tuple[Environment, ...]
    macros: dict[str, Macro]
    sections: tuple[Section, ...]
    missing: tuple[str, ...] = ()

    def expanded(self, text: str) -> str:
        """The text without the paper's own commands. InputError, in a line, where one is not plain."""
        for _ in range(MAX_EXPANSIONS):
            found = next((m for m in WORD.finditer(text) if m[1] in self.macros), None)
            if found is None:
                return text
            macro, at = self.macros[found[1]], found.end()
            if macro.body is None:
                raise InputError(f"\\{found[1]} is defined in the paper, and not once, plainly, in its preamble")
            arguments: list[str] = []
            at += len(text[at:]) - len(text[at:].lstrip()) if found[1].isalpha() else 0
            for _ in range(macro.arguments):
                argument, at = argument_at(text, at)
                arguments.append(argument)
            pieces = re.split(r"#([1-9])", macro.body)
            pieces[1::2] = [arguments[int(n) - 1] if int(n) <= len(arguments) else "" for n in pieces[1::2]]
            body = "".join(pieces)
            # TeX reads a command to its end: what follows is no part of its name
            text = f"{text[:found.start()]}{body}{' ' if body[-1:].isalpha() and text[at:at + 1].isalpha() else ''}" \
                   f"{text[at:]}"
            if len(text) > MAX_LENGTH:
                break
        raise InputError("the paper's own commands do not come to an end")


def argument_at(text: str, at: int) -> tuple[str, int]:
    """What TeX takes for an argument there, and where it ends."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at < len(text) and text[at] == "{":
        end = closing(text, at)
        return text[at + 1:end], end + 1
    found = WORD.match(text, at)
    end = found.end() if found else at + 1
    return text[at:end], end


def closing(text: str, at: int) -> int:
    """Where the brace that opens at the place is closed; the end of what is read, if it is not."""
    depth = 0
    for m in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at, at + MAX_LENGTH):
        depth += {"{": 1, "}": -1}.get(m.group(), 0)
        if depth == 0 and m.group() == "}":
            return m.start()
    return min(len(text), at + MAX_LENGTH)


# ---- files ----

@dataclass
class _Lines:
    """The lines of the paper's files in one order, and of each where it stands."""

    folder: Path
    texts: list[str] = field(default_factory=list)
    places: list[tuple[str, int]] = field(default_factory=list)
    missing: dict[str, None] = field(default_factory=dict)
    opened: list[Path] = field(default_factory=list)
    size: int = 0
    style: list[str] = field(default_factory=list)  # of packages beside the paper

    def add(self, path: Path, outer: tuple[Path, ...] = ()) -> None:
        for number, line in enumerate(self.read(path), 1):
            if re.search(r"\\endinput(?![A-Za-z])", line):
                break
            self.line(line, path, number, (*outer, path))

    def read(self, path: Path) -> list[str]:
        try:
            if not path.is_file():
                raise InputError(f"{path}: not a file")
            self.size += path.stat().st_size
            self.opened.append(path)
            if self.size > MAX_BYTES or len(self.opened) > MAX_FILES:
                raise InputError(f"{path}: the paper has more than {MAX_BYTES} bytes or {MAX_FILES} files")
            text = path.read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        return [COMMENT.sub(r"\1", line) for line in text.replace("\r\n", "\n").split("\n")]

    def line(self, line: str, path: Path, number: int, outer: tuple[Path, ...]) -> None:
        at = 0
        for m in INPUT.finditer(line):
            names = (m[2] or m[3] or "").split(",")
            package = PACKAGES.match(m.group())
            found = [self.beside(name.strip(), (".sty", ".cls") if package else (".tex", "")) for name in names]
            if package:
                self.style += [text for f in found if f is not None and f not in self.opened for text in self.read(f)]
                continue
            if found[0] is None or found[0] in outer:
                self.missing[names[0].strip()[:80]] = None
                continue
            self.keep(line[at:m.start()], path, number)
            self.add(found[0], outer)
            at = m.end()
        self.keep(line[at:], path, number)

    def keep(self, text: str, path: Path, number: int) -> None:
        self.texts.append(text)
        self.places.append((path.relative_to(self.folder).as_posix(), number))

    def beside(self, name: str, endings: tuple[str, ...]) -> Path | None:
        """The file of that name in the paper's folder, or below."""
        for ending in endings if name else ():
            with_end = name if name.endswith(ending) else name + ending
            try:
                path = (self.folder / with_end).resolve()
                if path.is_file() and path.is_relative_to(self.folder):
                    return path
            except (OSError, ValueError):
                continue
        return None


# ---- the whole ----

def tex_source(path: Path) -> TexSource:
    """The paper that begins in this file. InputError where it cannot be read."""
    if not path.exists():
        raise InputError(f"{path}: no such file")
    path = path.resolve()
    lines = _Lines(path.parent)
    lines.add(path)
    text = "\n".join(lines.texts)
    starts, at = [], 0
    for line in lines.texts:
        starts.append(at)
        at += len(line) + 1
    text = without_unprinted(text)
    opening = re.search(r"\\begin\s*\{document\}", text)
    ending = re.search(r"\\end\s*\{document\}", text)
    start, end = opening.end() if opening else 0, ending.start() if ending else len(text)
    style = without_unprinted("\n".join(lines.style))
    preamble = style + "\n" + (text[:start] if opening else "")
    title = TITLE.search(text)
    sections = list(_sections(text, start, end))
    made = _Environments(text, style, lines, starts, sections)
    return TexSource(argument_at(text, title.end())[0] if title else path.stem,
                     tuple(made.found(start, end)), macros(preamble, text[start:end]),
                     tuple(s for _, s in sections), tuple(lines.missing))


def without_unprinted(text: str) -> str:
    """The text with blanks, lines kept, in place of what is not printed."""
    def blank(m: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", m.group())

    for name in UNPRINTED:
        text = _cut(text, *(re.compile(rf"\\{what}\s*\{{{name}\*?\}}") for what in ("begin", "end")))
    text = re.sub(r"\\verb\*?([^A-Za-z\s*])[^\n]{0,200}?\1", blank, text)
    out, at = list[str](), 0
    while (false := re.compile(r"\\iffalse(?![A-Za-z@])").search(text, at)) is not None:
        depth, end = 0, len(text)
        for m in BRANCH.finditer(text, false.start()):
            depth += m[1].startswith("if") - (m[1] == "fi")
            if depth == 0 or (depth == 1 and m[1] == "else"):
                end = m.end()
                break
        out += [text[at:false.start()], re.sub(r"[^\n]", " ", text[false.start():end])]
        at = end
    return "".join([*out, text[at:]])


def _cut(text: str, begin: re.Pattern[str], end: re.Pattern[str]) -> str:
    out, at = list[str](), 0
    while (m := begin.search(text, at)) is not None and (last := end.search(text, m.end())) is not None:
        out += [text[at:m.start()], re.sub(r"[^\n]", " ", text[m.start():last.end()])]
        at = last.end()
    return "".join([*out, text[at:]])


def macros(preamble: str, body: str) -> dict[str, Macro]:
    """The paper's own commands. One is plain that is defined once, with all its arguments needed, in the preamble and
    under no condition."""
    out: dict[str, Macro] = {}
    branches = list(branched(preamble))
    for m in DEFINING.finditer(preamble):
        if touched(branches, m.start(), m.end()):
            out[m[2]] = Macro()
        else:
            refused = m[1] in ONCE and m[2] in COMMANDS  # TeX stops there, and keeps what it had if it goes on
            out[m[2]] = Macro() if m[2] in out or refused else _defined(preamble, m)
    out |= {m[2]: Macro() for m in DEFINING.finditer(body)}
    return out


def _defined(text: str, m: re.Match[str]) -> Macro:
    how, at = m[1], m.end()
    if how == "DeclareMathOperator":
        name, _ = argument_at(text, at)
        return Macro(0, rf"\operatorname{{{name}}}") if name.isalpha() else Macro()
    if how in ("newcommand", "renewcommand", "DeclareRobustCommand"):
        count = re.compile(r"\s*\[(\d)\]").match(text, at)
        at = count.end() if count else at
        if re.compile(r"\s*\[").match(text, at):  # an argument that may be left out
            return Macro()
        return Macro(int(count[1]) if count else 0, _body(text, at))
    if how == "def":
        parameters = re.compile(r"\s*((?:#\d)*)\s*(?=\{)").match(text, at)
        return Macro(parameters[1].count("#"), _body(text, parameters.end())) if parameters else Macro()
    return Macro()


def _body(text: str, at: int) -> str | None:
    found = re.compile(r"\s*(?=\{)").match(text, at)
    return None if found is None else text[found.end() + 1:closing(text, found.end())].strip()


def branched(text: str) -> Iterator[tuple[int, int]]:
    """Where the text depends on a condition, which only TeX can decide."""
    depth, start = 0, 0
    for m in BRANCH.finditer(text):
        if m[1].startswith("newif"):
            continue
        if m[1].startswith("if"):
            start, depth = (m.start(), 1) if depth == 0 else (start, depth + 1)
        elif m[1] == "fi" and depth:
            depth -= 1
            if depth == 0:
                yield start, m.end()
    if depth:
        yield start, len(text)


def touched(ranges: list[tuple[int, int]], start: int, end: int) -> bool:
    """Does one of the ranges, which stand in their order, meet the text from start to end?"""
    at = bisect.bisect_left(ranges, (end, 0)) - 1
    return at >= 0 and ranges[at][1] > start


def _sections(text: str, start: int, end: int) -> Iterator[tuple[int, Section]]:
    section = subsection = 0
    appendix = False
    for m in SECTION.finditer(text, start, end):
        if m[1] == "appendix":
            appendix, section, subsection = True, 0, 0
            continue
        title, _ = argument_at(text, m.end())
        if m[2]:
            yield m.start(), Section("", title)
            continue
        section, subsection = (section + 1, 0) if m[1] == "section" else (section, subsection + 1)
        number = chr(64 + section) if appendix and 0 < section < 27 else str(section)
        label = ("Appendix " if appendix else "Section ") + number + (f".{subsection}" if subsection else "")
        yield m.start(), Section(label, title)


class _Environments:
    """What looks for theorems and equations in the paper's text."""

    def __init__(self, text: str, style: str, lines: _Lines, starts: list[int],
                 sections: list[tuple[int, Section]]) -> None:
        self.text, self.lines, self.starts, self.sections = text, lines, starts, sections
        whole = style + "\n" + text
        self.called = {name: name.capitalize() for name in THEOREMS}
        for m in DECLARED.finditer(whole):
            self.called[m[1] or m[3]] = (m[2] or m[3].capitalize()).strip()
        self.branches = list(branched(text))
        self.reshaped = {m[1].rstrip("*") for m in RESHAPED.finditer(whole)}
        self.reshaped |= {m[2].removeprefix("end") for m in DEFINING.finditer(whole)}
        self.section_starts = [at for at, _ in sections]
        certain = not any(touched(self.branches, m.start(), m.end()) for pattern in (BEGIN, SECTION)
                          for m in pattern.finditer(text))
        self.numbers = Numbers.of(whole if certain else "", [
            (at, s.label.split()[-1]) for at, s in sections if s.label])
        strange = ANYTHING.search(whole)
        self.anything = f"the paper uses \\{strange[1]}, after which a character may mean anything" if strange else ""

    def found(self, start: int, end: int) -> Iterator[Environment]:
        within, count = (0, ""), 0  # the theorem that was begun last
        for m in BEGIN.finditer(self.text, start, end):
            kind = m[1].rstrip("*")
            if kind not in self.called and kind not in EQUATIONS:
                continue
            count += 1
            if count > MAX_ENVIRONMENTS:
                raise InputError(f"the paper has more than {MAX_ENVIRONMENTS} theorems and equations")
            close = re.compile(rf"\\end\s*\{{{re.escape(m[1])}\}}").search(
                self.text, m.end(), min(end, m.end() + MAX_LENGTH))
            stop = close.start() if close else min(end, m.end() + MAX_LENGTH)
            doubt = "" if close else "the environment is not closed, or is very long"
            if kind in EQUATIONS and m.start() < within[0]:
                doubt = f"it stands in a {within[1]}, whose conditions it shares"
            yield self.environment(kind, m, stop, doubt)
            within = within if kind in EQUATIONS else (stop, self.called[kind].lower())

    def environment(self, kind: str, m: re.Match[str], stop: int, doubt: str) -> Environment:
        raw, heading = self.text[m.end():stop], ""
        if kind not in EQUATIONS and (option := re.match(r"\s*\[((?:[^\[\]{}]|\{[^{}]*\})*)\]", raw)):
            heading, raw = option[1], raw[option.end():]
        if kind == "alignat":
            raw = re.sub(r"^\s*\{\d+\}", "", raw)
        labels = LABEL.findall(raw)
        if touched(self.branches, m.start(), stop):
            doubt = doubt or "whether it is printed, or what of it, depends on a condition"
        if kind in self.reshaped:
            doubt = doubt or f"the paper gives the environment {kind} another meaning"
        before = bisect.bisect_left(self.section_starts, m.start())
        section = self.sections[before - 1][1] if before else Section("", "")
        file, first = self.place(m.start())
        last = self.place(stop)
        return Environment(kind, self.called.get(kind, "Equation"), heading, labels[0] if labels else "",
                           LABEL.sub("", raw), section.label, file, (first, last[1] if last[0] == file else first),
                           doubt or self.anything, raw, "" if self.anything else self.numbers.next(kind, m.start()))

    def place(self, at: int) -> tuple[str, int]:
        """The file and the line of a character."""
        return self.lines.places[bisect.bisect_right(self.starts, at) - 1]


__all__ = ["EQUATIONS", "Environment", "Section", "TexSource", "argument_at", "tex_source"]
