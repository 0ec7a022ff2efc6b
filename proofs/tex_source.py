r"""A paper's LaTeX as a list of its environments: nothing is run, no file outside the paper's folder is read.

Comments and what is not printed (``\iffalse``, ``verbatim``) are left out, files named by ``\input`` are put in their
places, and macros are expanded as TeX does, where it is plain what they stand for: one definition, in the preamble.
Where it is not, the environments that use one say so (``doubt``), and no statement is read from them.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qtheory.errors import InputError
from qtheory.proofs.tex_around import MAX_BEFORE, RELATION, after, before, conditions, standing
from qtheory.proofs.tex_equations import EVENT, ends, equation_numbers
from qtheory.proofs.tex_hidden import hidden
from qtheory.proofs.tex_macros import (
    BRANCH,
    DEFINING,
    MAX_LENGTH,
    WORD,
    Macro,
    argument_at,
    branched,
    macros,
    touched,
)
from qtheory.proofs.tex_numbers import DECLARING, UNKNOWN, Numbers
from qtheory.proofs.tex_sets import least_natural

MAX_BYTES, MAX_FILES, MAX_ENVIRONMENTS, MAX_EXPANSIONS = 5_000_000, 100, 2_000, 500
THEOREMS = ("theorem", "lemma", "proposition", "corollary", "definition")
EQUATIONS = ("equation", "align", "gather", "multline", "eqnarray", "flalign", "alignat", "displaymath")
UNPRINTED = ("comment", "verbatim", "Verbatim", "lstlisting", "minted", "filecontents", "tikzpicture")
VERBATIM = re.compile(r"\\(?:verb\*?|lstinline\s*(?:\[[^\]\n]{0,200}\])?)(?:([^A-Za-z\s*{])[^\n]{0,200}?\1|"
                      r"\{(?:[^{}\n]|\{[^{}\n]*\})*\})")
COMMENT = re.compile(r"\\(?:verb\*?|lstinline)([^A-Za-z\s*{]).{0,200}?\1|\\(?:url|nolinkurl|path|href)\s*\{[^{}]*\}|"
                     r"\\.|%.*")
INPUT = re.compile(r"\\(?:input|include|subfile|usepackage|documentclass|RequirePackage|LoadClass|"
                   r"((?:sub)?(?:import|inputfrom|includefrom))\*?\s*\{[^{}]*\})(?![A-Za-z@])\s*(?:\[[^\]]*\])?\s*"
                   r"(?:\{([^{}]*)\}|([\w./\\-]+))")
PACKAGES = re.compile(r"\\(usepackage|documentclass|RequirePackage|LoadClass)")
ELSEWHERE = re.compile(r"\\(?:input|include|subfile|(?:sub)?(?:import|inputfrom|includefrom))(?![A-Za-z@])")
DECLARED = re.compile(r"\\(?:newtheorem|spnewtheorem)\*?\s*\{([A-Za-z]+\*?)\}\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}"
                      r"|\\declaretheorem\s*(?:\[((?:[^\[\]{}]|\{[^{}]*\})*)\])?\s*\{([A-Za-z]+\*?)\}")
PRINTED = re.compile(r"(?:^|,)\s*(?:name|title|heading)\s*=\s*\{?([^{},]*)")  # among the options of \\declaretheorem
RESHAPED = re.compile(r"\\(?:re)?newenvironment\*?\s*\{([A-Za-z*]+)\}")
# After these a character or a command need not be what it looks like.
ANYTHING = re.compile(r"\\(catcode|mathcode|lccode|uccode|delcode|csname|scantokens|everymath|everydisplay|"
                      r"newunicodechar|DeclareUnicodeCharacter|DeclareMathAccent|AtBeginEnvironment|"
                      r"BeforeBeginEnvironment|ifthenelse|iftoggle|ifbool|lowercase|uppercase|obeylines|"
                      r"MakeShortVerb|DefineShortVerb|lstMakeShortInline)(?![A-Za-z])")
SECTION = re.compile(r"\\(section|subsection|appendix)(\*?)(?![A-Za-z])|\\(begin|end)\s*\{(appendix|appendices)\}")
# Where a section's number may be another one than 1, 1.1 or, of an appendix, A, A.1
OTHERWISE = re.compile(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{(?:IEEEtran|revtex[\w.-]*|[a-z]*(?:book|reprt|report)|"
                       r"memoir)\}|"
                       r"\\chapter(?![A-Za-z])|\\thesection\s*(?:\}|\{|=|\\)|\{secnumdepth\}|"
                       r"\\(?:setcounter|addtocounter|counterwith[a-z]*)\s*\{section\}")
DISPLAYED = re.compile(r"(?<!\\)\\\[.+?\\\]|\$\$.+?\$\$", re.DOTALL)
STYLED = re.compile(r"\\title(?:format|spacing)\*?\s*\{?\s*\\(?:sub)*section\*?")  # no section begins there
DOCUMENT = r"\begin{document}"
APPLIED = re.compile(r"(?<![A-Za-z\\])(\\(?:mathrm|operatorname|mathit|text|mathsf)\{[A-Za-z]+\}|\\[A-Za-z]+|[A-Za-z])"
                     r"(?:[_^](?:\{[^{}]*\}|[A-Za-z0-9]))*(?:\\[!,;:]|\\left|\\[Bb]igl?)*\([^()+-]+\)")
TITLE = re.compile(r"\\title\s*(?:\[[^\]]*\])?\s*(?=\{)")
LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
INNER = [re.compile(rf"\\{what}\s*\{{(?:{'|'.join(EQUATIONS)})\*?\}}") for what in ("begin", "end")]
BEGIN = re.compile(r"\\begin\s*\{([A-Za-z]+\*?)\}")


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
    number: str = ""  # of a theorem, or an equation, where it is certain
    sentence: tuple[str, str] = ("", "")  # before and behind an equation, if it has conditions
    condition: str = ""  # the words that make one, of the sentence, or of what stands before it
    numbers: tuple[str, ...] = ()  # of a display's rows, "" of one that has none; none where they are not certain

    @property
    def named(self) -> str:
        """What it is called, with its number."""
        shown = f"({self.number})" if self.number and self.is_equation else self.number
        return f"{self.called} {shown}".strip()

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
    functions: frozenset[str] = frozenset()  # letters that stand somewhere before arguments, as in f(x)
    displays: int = 0  # formulas in \\[..\\] or $$..$$ that no environment holds
    natural: int | None = None  # where the paper says that its natural numbers begin

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
        lines = self.read(path)
        own = next((i for i, line in enumerate(lines) if outer and DOCUMENT in line), None)
        if own is not None:  # a subfile: of it, what stands in its document
            lines[:own + 1] = [*[""] * own, lines[own].partition(DOCUMENT)[2]]
        for number, line in enumerate(lines, 1):
            if own is not None and r"\end{document}" in line:
                self.line(line.partition(r"\end{document}")[0], path, number, (*outer, path))
                break
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
        return [COMMENT.sub(lambda m: "" if m.group()[0] == "%" else m.group(), line)
                for line in text.replace("\r\n", "\n").split("\n")]

    def line(self, line: str, path: Path, number: int, outer: tuple[Path, ...]) -> None:
        at = 0
        for m in INPUT.finditer(line):
            names = (m[2] or m[3] or "").split(",")
            package = PACKAGES.match(m.group())
            found = [self.beside(name.strip(), (".sty", ".cls") if package else (".tex", "")) for name in names]
            if package:
                for file in found:
                    self.package(file)
                continue
            if m[1] or found[0] is None or found[0] in outer:
                self.missing[names[0].strip()[:80]] = None
                continue
            self.keep(line[at:m.start()], path, number)
            self.add(found[0], outer)
            at = m.end()
        self.keep(line[at:], path, number)

    def package(self, path: Path | None) -> None:
        """Read a package beside the paper, and those that it asks for."""
        if path is None or path in self.opened:
            return
        for line in self.read(path):
            for m in INPUT.finditer(line):
                for name in (m[2] or m[3] or "").split(","):
                    self.package(self.beside(name.strip(), (".sty", ".cls", ".tex", "")))
            self.style.append(line)

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
    if OTHERWISE.search(preamble + text):
        sections = [(at, Section("", s.title)) for at, s in sections]
    defined = macros(preamble, text[start:end])
    made = _Environments(text, style, lines, starts, sections, hidden(style + "\n" + text, text, start, end, defined))
    made.count(preamble, start if opening else len(text))
    environments = tuple(made.found(start, end))
    return TexSource(argument_at(text, title.end())[0] if title else path.stem, environments, defined,
                     tuple(s for _, s in sections), tuple(lines.missing), frozenset(applied(text[start:end], defined)),
                     sum(not touched(made.spans, *m.span()) for m in DISPLAYED.finditer(text, start, end)),
                     least_natural(text[start:end], defined))


def applied(text: str, macros: Mapping[str, Macro]) -> Iterator[str]:
    """What stands before arguments that are no sums: the f of f(x), but no p of p(1 - p), which may be a product."""
    for m in APPLIED.finditer(text):
        macro = macros.get(m[1].removeprefix("\\"))
        yield m[1] if macro is None or macro.body is None else macro.body.strip()


def without_unprinted(text: str) -> str:
    """The text with blanks, lines kept, in place of what is not printed."""
    def blank(m: re.Match[str]) -> str:
        return re.sub(r"[^\n]", " ", m.group())

    for name in UNPRINTED:
        text = _cut(text, *(re.compile(rf"\\{what}\s*\{{{name}\*?\}}") for what in ("begin", "end")))
    text = VERBATIM.sub(blank, text)
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


def _sections(text: str, start: int, end: int) -> Iterator[tuple[int, Section]]:
    section = subsection = before = 0
    appendix = False
    for m in SECTION.finditer(text, start, end):
        if m[1] == "appendix" or m[3] == "begin":
            before, appendix, section, subsection = section, True, 0, 0
        elif m[4] == "appendices":
            appendix, section, subsection = False, before, 0
        if m[1] in (None, "appendix"):
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

    def __init__(self, text: str, style: str, lines: _Lines, starts: list[int], sections: list[tuple[int, Section]],
                 hidden: list[tuple[int, int]]) -> None:
        self.hidden, self.numbers, self.begun = hidden, Numbers(()), 0
        self.rows: dict[int, tuple[str, ...]] = {}  # the numbers of displays' rows, by where these begin
        self.text, self.lines, self.starts, self.sections = text, lines, starts, sections
        whole = style + "\n" + text
        self.called = {name: name.capitalize() for name in THEOREMS}
        for m in DECLARED.finditer(whole):
            name, printed = m[1] or m[4], PRINTED.search(m[3] or "")
            self.called[name] = (m[2] or (printed[1] if printed else name.capitalize())).strip()
            # both may be declared
            self.called.setdefault(name.rstrip("*"), self.called[name])
        self.branches = list(branched(text))
        self.reshaped = {m[1].rstrip("*") for m in RESHAPED.finditer(whole)}
        self.reshaped |= {m[2].removeprefix("end") for m in DEFINING.finditer(whole)}
        self.section_starts = [at for at, _ in sections]
        self.spans: list[tuple[int, int]] = []  # of the outer environments that were found
        strange = ANYTHING.search(whole)
        self.anything = f"the paper uses \\{strange[1]}, after which a character may mean anything" if strange else ""

    def count(self, preamble: str, start: int) -> None:
        """Prepare to number the theorems of the text, which begins there."""
        def counted(m: re.Match[str]) -> bool:
            return m.re is not BEGIN or (m[1] in self.called and m[1][-1] != "*")

        whole = preamble + "\n" + self.text[start:]
        branches, plain = list(branched(whole)), STYLED.sub(" ", preamble)
        if any(counted(m) for pattern in (BEGIN, SECTION) for m in pattern.finditer(plain)) or any(
                counted(m) and touched(branches, m.start(), m.end())
                for pattern in (BEGIN, SECTION, DECLARING) for m in pattern.finditer(whole)):
            return
        unsure = [m.start() for pattern in (BEGIN, SECTION) for m in pattern.finditer(self.text, start)
                  if counted(m) and touched(self.hidden, m.start(), m.end())]
        unsure += [m.start() for m in ELSEWHERE.finditer(self.text)]
        hidden = [m.start() for m in EVENT.finditer(self.text, start) if touched(self.hidden, m.start(), m.end())]
        places = [(at, s.label.split()[-1]) for at, s in self.sections if s.label]
        places += [(m.start(), UNKNOWN) for m in SECTION.finditer(self.text, start)
                   if m[1] == "appendix" or m[3] == "begin"]
        self.numbers = Numbers.of(whole, sorted(places), min([*unsure, len(self.text)]))
        if not any(touched(branches, m.start(), m.end()) for m in EVENT.finditer(whole)):
            self.rows = equation_numbers(
                self.text, start, whole, STYLED.sub(" ", preamble), sorted(places), self.called,
                min([*unsure, *hidden, len(self.text)]), roman=bool(OTHERWISE.search(whole)))

    def found(self, start: int, end: int) -> Iterator[Environment]:
        self.begun = start
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
            if not touched(self.spans, m.start(), stop):
                self.spans.append((m.start(), stop))
            yield self.environment(kind, m, stop, doubt)
            within = within if kind in EQUATIONS else (stop, self.called[kind].lower())

    def environment(self, kind: str, m: re.Match[str], stop: int, doubt: str) -> Environment:
        raw, heading = self.text[m.end():stop], ""
        if kind not in EQUATIONS and (option := re.match(r"\s*\[((?:[^\[\]{}]|\{[^{}]*\})*)\]", raw)):
            heading, raw = option[1], raw[option.end():]
        if kind == "alignat":
            raw = re.sub(r"^\s*\{\d+\}", "", raw)
        own = raw if kind in EQUATIONS else _cut(raw, *INNER)  # a label in an equation is the equation's
        labels = LABEL.findall(own)
        if touched(self.branches, m.start(), stop):
            doubt = doubt or "whether it is printed, or what of it, depends on a condition"
        if touched(self.hidden, m.start(), m.end()):
            doubt = doubt or "the paper's own command or environment around it may keep it from print"
        if kind in self.reshaped:
            doubt = doubt or f"the paper gives the environment {kind} another meaning"
        before = bisect.bisect_left(self.section_starts, m.start())
        section = self.sections[before - 1][1] if before else Section("", "")
        file, first = self.place(m.start())
        last = self.place(stop)
        number = self.numbers.next(kind, m.start()) if m[1] == kind and not self.anything else ""
        numbers = self.rows.get(m.start(), ()) if not self.anything else ()
        number = number or ends(numbers)
        lines = first, last[1] if last[0] == file else first
        sentence, condition = self.around(m, stop, section) if kind in EQUATIONS and not doubt else (("", ""), "")
        called = self.called.get(m[1], self.called.get(kind, "Equation"))
        return Environment(kind, called, heading, labels[0] if labels else "",
                           LABEL.sub("", raw), section.label or section.title, file, lines, doubt or self.anything, raw,
                           number, sentence, condition, numbers)

    def around(self, m: re.Match[str], stop: int, section: Section) -> tuple[tuple[str, str], str]:
        """The sentence before and behind an equation, and the words of a condition in it, if there is one."""
        start = max(self.begun, m.start() - 2 * MAX_BEFORE)
        said, paragraph = before(self.text[start:m.start()])
        behind = self.text.find("}", stop) + 1
        rest = after(self.text[behind:behind + MAX_LENGTH], self.text[m.end():stop])
        headed = RELATION.search(section.title)
        if words := standing(paragraph) or "the heading" * bool(headed):
            return ("", ""), words
        words = conditions(f"{said} . {rest}")
        return ((said, rest), words) if words else (("", ""), "")

    def place(self, at: int) -> tuple[str, int]:
        """The file and the line of a character."""
        return self.lines.places[bisect.bisect_right(self.starts, at) - 1]


__all__ = ["EQUATIONS", "Environment", "Section", "TexSource", "tex_source"]
