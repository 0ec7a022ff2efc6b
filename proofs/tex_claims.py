r"""A paper's theorems and equations as a note for the referee: each with its quote and its lines, and with a statement
where its LaTeX is read without doubt.

A formula is read by the door for LaTeX (``latexing``), which guesses nothing, and a theorem's text by a small grammar
of sentences ("Let $x > 0$. Then $\log x < x$."). What else there is left for the writer. What a symbol may be is the
writer's to say too: each has a row with ``?``, and no claim that speaks of it is judged before that is replaced, so
that nothing is proved or refuted that the paper did not mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from qtheory.errors import InputError
from qtheory.proofs.claims.blocks import page
from qtheory.proofs.claims.names import Names, names
from qtheory.proofs.claims.papers import Paper
from qtheory.proofs.claims.symbols import OPEN, SYMBOL
from qtheory.proofs.kernel.statements import NAMES_TAKEN, Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.latexing import to_text
from qtheory.proofs.tex_around import DISPLAYED
from qtheory.proofs.tex_conditions import NUMBERED, SAID, SHARED, Family, apart, begun, families, symbols, together
from qtheory.proofs.tex_equations import cut, ends
from qtheory.proofs.tex_factors import other_reading, perhaps_function, spelt
from qtheory.proofs.tex_macros import closing
from qtheory.proofs.tex_sets import member
from qtheory.proofs.tex_source import EQUATIONS, LABEL, Environment, TexSource, tex_source
from qtheory.proofs.tex_words import DEFINITION, displayed, quoted, unclaimed
from qtheory.proofs.visible import flowing

MAX_QUOTE = 3000  # characters
SPACING = re.compile(r"\\(?:nonumber|notag|allowbreak|displaystyle)(?![A-Za-z])")
# of one word or sign; a longer tag may have a condition
TAGGED = re.compile(r"\\tag\*?\s*\{\s*(?:[\w.*'+():-]*|\$\s*(?:\\[A-Za-z]+|[*'\w])*\s*\$)\s*\}")
SUBSCRIPT = re.compile(r"(\\[A-Za-z]+|[A-Za-z])\s*_\s*(?:\{\s*([A-Za-z0-9]+|\\max|\\min)\s*\}|([A-Za-z0-9]))")
STARRED = re.compile(r"(\\[A-Za-z]+|[A-Za-z])\s*(?:_\s*(?:\{\s*([A-Za-z0-9]+)\s*\}|([A-Za-z0-9])))?\s*"
                     r"\^\s*\{?\s*(?:\*|\\ast|\\star)")
LETTERS = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{2,}")
CONTROL = re.compile(r"\\[A-Za-z]+|_\s*\{[^{}]*\}|\\(?:begin|end)\s*\{[^{}]*\}")
SEVERAL = ("align", "gather", "eqnarray", "flalign", "alignat")  # hold an equation a row
INDICES = frozenset("ijklmnrstuv")  # below a symbol they stand for one of many
INTEGERS = frozenset("ijklmnN")  # mostly
MATH = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]"
                  rf"|\\begin\s*\{{((?:{'|'.join(EQUATIONS)})\*?)\}}(.+?)\\end\s*\{{\5\}}", re.DOTALL)
GAP = r"(?:\s|&|~|\\(?:q?quad(?![A-Za-z])|[,;:! ]))+"
AROUND = re.compile(rf"^{GAP}|{GAP}$")
GOES_ON = re.compile(r"=|<|>|\+|-|\\(?:le|leq|ge|geq|lt|gt|ne|neq|leqslant|geqslant|cdot|times)(?![A-Za-z])")
RELATION = re.compile(r"=|<|>|\\(?:le|leq|ge|geq|lt|gt|ne|neq|leqslant|geqslant)(?![A-Za-z])")
# An equation whose left side stands there, without words beside it
EQUATED = re.compile(r"(?!&)(?!.*\\(?:text|mbox|hbox|intertext|shortintertext|mathrm|operatorname|forall|exists|q?quad|"
                     r"hspace|tag)(?![A-Za-z]))[^=<>&,]*[^=<>&,\s]\s*&?\s*=[^,]*[.,]?\s*", re.DOTALL)
THIN = re.compile(r"(?:\\[,;: ]|~)(?!\s*(?:d[A-Za-z\\]|\\mathrm\s*\{d))")  # but before dx
DIFFERENTIAL = re.compile(r"(?<![A-Za-z\\])d\s*(?:[A-Za-z]|\\[a-z])")
OVER = re.compile(r"(?<![A-Za-z\\])d([a-z])(?![A-Za-z])")  # what an integral is over
M = r"\d+"
LIST = rf"{M}(?:(?:,? and|,) {M})*"
LETS = rf"{M}(?:(?:,? and(?: let)?|,) {M})*"
IFS = r"(?:for all|for every|for any|for each|for|if|given|given that|when|whenever)"  # after these a comma ends them
IF = rf"(?:{IFS}|let|suppose|suppose that|assume|assume that)"
THEN = r"(?:then|we have|we have that|one has|it holds that|then we have|then it holds that|there holds)"
SENTENCES = tuple(map(re.compile, (
    rf"(?:(?:{IFS}) (?P<given>{LIST}),? (?:then )?|{IF} (?P<let>{LETS})[.,]? {THEN} )?"
    rf"there (?:exists|is) (?:(?:a (?P<unique>unique)|exactly (?P<one>one)|an?) )?(?P<some>{M}) "
    rf"(?:such that|with|for which) (?P<goal>{M})",
    rf"{IFS} (?P<given>{LIST}),? (?:{THEN},? )?(?P<goal>{M}),? where (?P<more>{LIST})",
    rf"{IF} (?P<given>{LETS})[.,]? {THEN},? (?P<goal>{LIST})", rf"{IFS} (?P<given>{M}(?: and {M})*), (?P<goal>{M})",
    rf"(?:{THEN},? )?(?P<goal>{M}),? (?:where|for all|for every|for any|for each|for|if|when|whenever|provided|"
    rf"provided that) (?P<given>{LIST})", rf"(?:{THEN},? )?(?P<goal>{LIST})(?P<given>)")))
HELD = re.compile(rf"\bthe (?:inequality|identity|equality|bound|estimate|relation) ({M}) (?:holds|is true)"
                  r"(?=$| for all | for every | for any | for each |[.,] then )")
Read = tuple[tuple[str, ...], str]  # conditions and goal


@dataclass(frozen=True)
class Stub:
    """A claim as it is imported: with its statement, or with why there is none."""

    id: str
    found: Environment
    quote: str
    given: tuple[str, ...] = ()
    goal: str = ""
    why: str = ""

    @property
    def spoken(self) -> Names:
        """The names that are free in the statement, and those that are bound."""
        heard = [names(text) for text in (*self.given, self.goal) if text]
        return Names(frozenset().union(*(n.free for n in heard)), frozenset().union(*(n.bound for n in heard)))


@dataclass(frozen=True)
class Imported:
    """``note``: what the referee reads; ``missing``: files that the paper names and that were not read."""

    note: str
    stubs: tuple[Stub, ...]
    missing: tuple[str, ...]
    displays: int = 0  # formulas that are not listed, as they stand in \\[..\\] or $$..$$ in the text

    @property
    def read(self) -> int:
        """How many have a statement."""
        return sum(bool(stub.goal) for stub in self.stubs)


def import_paper(path: str | Path) -> Imported:
    """The theorems and equations of a paper's LaTeX, as a note. InputError where the file cannot be read, or has
    none."""
    source = tex_source(Path(path))
    if not source.environments:
        beside = rf"; displays in \[..\] or $$..$$ are not listed: {source.displays}" if source.displays else ""
        raise InputError(f"{path}: no theorem and no equation in it{beside}")
    reader = _Reader(source)
    taken: dict[str, int] = {}
    prefix = _prefix(Path(path).stem)
    stubs = tuple(reader.stub(_id(prefix, e, taken), e) for found in source.environments for e in reader.parts(found))
    note = written(source, stubs, reader.spellings)
    try:
        Paper(source.title, (("note.md", page(note, PurePath("note.md"))),)).claims  # noqa: B018
    except InputError as error:  # of a paper that is stranger than this file thinks: without statements it is read
        stubs = tuple(Stub(s.id, s.found, s.quote, why=f"not read as a claim: {error}" if s.goal else s.why)
                      for s in stubs)
        note = written(source, stubs, {})
    return Imported(note, stubs, source.missing, source.displays)


def _whole(found: Environment, display: str) -> str:
    """The sentence in which a display stands."""
    before, after = found.sentence
    return f"{before} $${AROUND.sub('', display).strip()}$$ {after}"


def _prefix(stem: str) -> str:
    from qtheory.proofs.corpus import papers

    plain = re.sub(r"[^A-Za-z0-9]+", "-", stem).strip("-")[:20] or "paper"
    return f"my-{plain}" if re.split(r"[._-]", plain)[0].lower() in papers() else plain


def _id(prefix: str, found: Environment, taken: dict[str, int]) -> str:
    plain = re.sub(r"[^A-Za-z0-9]+", "-", found.label).strip("-")[:40]
    # where the number is not known, the line: a count of its own would be taken for the number
    kind = "eq" if found.is_equation else found.kind
    number = re.sub(r"[^A-Za-z0-9.]+", "-", found.number).strip("-.")
    base = plain or (f"{kind}-{number}" if number else f"{kind}-line-{found.lines[0]}")
    taken[base] = taken.get(base, 0) + 1
    id = f"{prefix}.{base}" + (f"-{taken[base]}" if taken[base] > 1 else "")
    while id in taken:
        id += "-b"
    taken[id] = 1
    return id


# ---- statements ----

@dataclass
class _Reader:
    """What reads the statements of one paper; a name stands for one spelling in all of it."""

    source: TexSource
    spellings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read = (e for e in self.source.environments if not e.doubt)
        maths = [m.group() for e in read for m in MATH.finditer(e.text if not e.is_equation else f"$${e.text}$$")]
        whole = " ".join(maths)
        self.functions = spelt(self.source.functions)
        self.alone = {*re.findall(r"(?<![A-Za-z\\])[a-z](?![A-Za-z])", CONTROL.sub(" ", whole)),
                      *(m[1] for text in maths if r"\int" in text for m in OVER.finditer(text))}

    def stub(self, id: str, found: Environment) -> Stub:
        typed = self.typed(found.text)
        quote = flowing(displayed(typed) if found.is_equation else quoted(typed, MATH))
        quote = quote if len(quote) <= MAX_QUOTE else quote[:MAX_QUOTE].rpartition(" ")[0] + " …"
        try:
            if RELATION.search(found.heading):
                raise InputError("its heading has a formula, which may be a condition")
            if found.doubt or unclaimed(found.kind, found.called):
                raise InputError(found.doubt or unclaimed(found.kind, found.called))
            spellings = dict(self.spellings)
            text = self.source.expanded(found.text)
            if found.condition:
                given, goal = self.sentence(found, text, spellings)
                quote = flowing(quoted(self.typed(_whole(found, found.text)), MATH))
            else:
                given, goal = self.equation(text, spellings) if found.is_equation else self.theorem(text, spellings)
            statement = Statement(goal, given).parsed()
            stub = Stub(id, found, quote, given, goal)
            self.require(stub, statement)
        except (InputError, KernelError, RecursionError) as error:
            return Stub(id, found, quote, why=" ".join(str(error).split())[:300] or "nested too deeply")
        self.spellings = spellings
        return stub

    def typed(self, latex: str) -> str:
        """A text with the paper's own commands expanded, in all of it or in single formulas, where they are plain."""
        def plainly(text: str) -> str:
            with suppress(InputError):
                return self.source.expanded(text)
            return text

        return MATH.sub(lambda m: plainly(m.group()), plainly(latex))

    def parts(self, found: Environment) -> tuple[Environment, ...]:
        """The equations of an aligned display, each with its label and lines, where every one of them is read alone, or
        is an equation plainly: another row may be a condition of those before it."""
        if found.kind not in SEVERAL or found.doubt or found.condition or r"\begin" in found.text:
            return (found,)
        out: list[Environment] = []
        line, pieces = found.lines[0], rows(found.raw, spaced=True)
        if any(map(ranged, pieces)):
            return (found,)
        # else a file was put in, or a line's end left out
        numbers = found.numbers if sum(len(cut(piece)) for piece in pieces) == len(found.numbers) else ()
        plain = found.raw.count("\n") == found.lines[1] - line == sum(piece.count("\n") for piece in pieces)
        for piece in pieces:
            start = line + len(re.match(r"[\s&]*", piece)[0].split("\n")) - 1  # type: ignore[index]
            line += piece.count("\n")
            labels = LABEL.findall(piece)
            own = numbers[:len(cut(piece))]
            numbers = numbers[len(own):]
            out.append(replace(found, number=ends(own), text=LABEL.sub("", piece).strip(),
                               label=labels[0] if labels else "",
                               lines=(start, max(start, line - piece[len(piece.rstrip()):].count("\n")))
                               if plain else found.lines))
        trial = copy(self)  # to read by, and to forget
        stated = [bool(trial.stub("a", e).goal) for e in out]
        aligned = re.compile(r".*&\s*=" if found.kind != "gather" else "", re.DOTALL)
        plain = all(ok or (EQUATED.fullmatch(e.text.strip()) and aligned.match(e.text))
                    for ok, e in zip(stated, out, strict=True))
        return tuple(out) if len(out) > 1 and any(stated) and plain else (found,)

    def require(self, stub: Stub, statement: Statement) -> None:
        spoken = stub.spoken
        if both := sorted(spoken.free & spoken.bound):
            raise InputError(f"{both[0]} is bound in one place and free in another")
        if odd := [x for x in sorted(spoken.free) if not SYMBOL.fullmatch(x) or x in NAMES_TAKEN]:
            raise InputError(f"{odd[0]} is no name of a symbol")
        if not spoken.free and not statement.hypotheses and not spoken.bound and stub.found.is_equation is False:
            raise InputError("it speaks of no symbol")

    def equation(self, text: str, spellings: dict[str, str]) -> Read:
        told = rows(text)
        if len(told) > 1 and any(map(ranged, told)):
            raise InputError("a row that says where a symbol is, which may be a condition of the others")
        goals = [g for row in told for g in self.formula(row, spellings)]
        if not goals:
            raise InputError("there is no formula in it")
        return (), joined(goals)

    def sentence(self, found: Environment, text: str, spellings: dict[str, str]) -> Read:
        """Of a display in a sentence with a condition."""
        told = f"the sentence or paragraph around it may change what it says, by its words '{found.condition}'"
        if found.sentence == ("", ""):
            raise InputError(told)
        if not text.strip() or len(rows(text)) > 1:
            raise InputError(f"{told}, and the display has more than one formula")
        if DISPLAYED in "".join(found.sentence):
            raise InputError(f"{told}, and there is another display in it")
        try:
            return self.theorem(self.source.expanded(_whole(found, text)), spellings)
        except InputError as error:
            raise InputError(f"{told}; it is not read with it: {error}") from None

    def theorem(self, text: str, spellings: dict[str, str]) -> Read:
        maths: list[str] = []

        def mark(m: re.Match[str]) -> str:
            maths.append(next(g for g in (m[1], m[2], m[3], m[4], m[6]) if g is not None))
            return f" {len(maths) - 1} "

        if re.search(r"[0-9]", MATH.sub(" ", text)):
            raise InputError("a number in words of the text")
        said = re.sub(r"\s+([.,])", r"\1", " ".join(MATH.sub(mark, text).replace("~", " ").split())).strip()
        said = said.removesuffix(".").removesuffix(",").lower()
        said, numbers = families(HELD.sub(r"\1", said))
        match = next((m for pattern in SENTENCES if (m := pattern.fullmatch(said))), None)
        if match is None:
            raise InputError("its sentences are not of a plain form: if .., then ..; let .. . Then ..; .. for all ..")

        said_of = match.groupdict()
        told = " and ".join(filter(None, (match["given"] or said_of.get("let"), said_of.get("more"))))
        parts = re.split(rf"({M})", told)
        given = list(map(int, parts[1::2]))
        if not numbers.keys() <= set(given):
            raise InputError("of which symbols the words say what numbers they are, is not plain")
        last = said_of.get("more") or match["given"] or ""
        if match.end("goal") < len(said) and re.fullmatch(rf"{M}, and {M}", last):
            raise InputError("two readings of what stands behind the last comma, a condition and a statement")
        if not ranged(maths[int(re.findall(M, match["goal"])[0])]) and any(  # y = e^{-t}, t \ge 0
                ranged(maths[int(n)]) for n in re.findall(rf", ({M})", match["goal"])):
            raise InputError("two readings of where a symbol is, behind a comma: a condition and a statement")
        if "for" in said.split() and len({frozenset(symbols(maths[n])) for n in given}) < len(given):
            raise InputError("two readings, for what meets both conditions and for what meets either")
        together(zip(given, parts[::2], strict=False), maths, numbers)
        where = [f for n in given for row in rows(maths[n]) for f in self.conditions(row, numbers.get(n), spellings)]
        goals = [f for n in re.findall(M, match["goal"]) for row in rows(maths[int(n)])
                 for f in self.formula(row, spellings)]
        if some := said_of.get("some"):
            goals = [self.existence(maths[int(some)], joined(goals), said_of["unique"] or said_of["one"], spellings)]
        return tuple(dict.fromkeys(where)), joined(goals)

    def existence(self, latex: str, goal: str, unique: str | None, spellings: dict[str, str]) -> str:
        """That there is a number, in the range that the formula gives, of which the goal holds; one alone if so."""
        said = SAID.fullmatch(latex.strip())
        if said is None or len(RELATION.findall(latex)) > 1:
            raise InputError("of what there is one, is not plain: a symbol with its range, as x > 0, is needed")
        name = self.formula(f"{said[1]} = 0", spellings)[0].removesuffix(" == 0")
        if name[0] in INTEGERS and r"\mathbb" not in latex:  # k \in [1, N] is often an integer, too
            raise InputError(f"two readings, {name} a real number and an integer")
        kept = self.formula(latex, spellings, given=True)
        if any("integers" in text for text in kept) or any(name not in names(text).free for text in kept):
            raise InputError("of what there is one, is not plain: a symbol with its range, as x > 0, is needed")
        if name not in names(goal).free:
            raise InputError(f"nothing is said of {name}, of which there is one")
        kind = "ExistsUnique" if unique else "Exists"
        return f"{kind}({name}, {joined(kept) if kept else '0 < 1'}, {goal})"

    def conditions(self, latex: str, family: Family | None, spellings: dict[str, str]) -> list[str]:
        """What a formula among the conditions says, and what the words say of the symbols with which it begins."""
        if family is None:
            return [f for piece in apart(latex) for f in self.formula(piece, spellings, given=True)]
        out: list[str] = []
        for symbol, said in begun(latex, family):
            name = self.formula(f"{symbol} = 0", spellings)[0].removesuffix(" == 0")
            out += [f"{name} in integers"] * family.integer + [f"{name} > 0"] * family.positive
            out += self.formula(said, spellings, given=True) if said else []
        return out

    def formula(self, latex: str, spellings: dict[str, str], *, given: bool = False) -> list[str]:
        """A formula in the language; none of one that says that a symbol is a real number."""
        family = member(latex, self.source.natural) if given else None
        latex = latex if family is None else f"{family[0]} = 0"
        latex = latex.strip().removesuffix(".").removesuffix(",").strip()
        known = self.known(latex)
        text = to_text(latex, known, (), None, spellings)
        if name := perhaps_function(latex, self.functions):
            raise InputError(f"two readings, {name} times what is in brackets, and the value of a function {name}")
        if doubt := other_reading(latex):
            raise InputError(f"two readings of {doubt}")
        if any(THIN.search(AROUND.sub("", between)) for between in RELATION.split(latex)[1:-1]):
            raise InputError("two readings, one formula and two with a gap between them")
        if "d" in names(text).free and DIFFERENTIAL.search(latex):
            raise InputError("two readings, the symbol d with a factor, and a differential")
        if family is None:
            return [text]
        name = text.removesuffix(" == 0")
        if not SYMBOL.fullmatch(name):
            raise InputError("a family of numbers of which more than a symbol is said to be")
        return [said.format(name) for said in family[1]]

    def known(self, latex: str) -> set[str]:
        """The names with subscripts and stars in a formula, unless what stands below may count them."""
        plain = CONTROL.sub(" ", latex)
        for run in LETTERS.findall(plain):
            if run == "d" or not (len(run) == 2 and run.islower() and ("d" in run or set(run) <= self.alone)):
                raise InputError(f"{run} is one name or a product of letters")
        out = set[str]()
        for base, braced, single in SUBSCRIPT.findall(latex):
            below = (braced or single).lstrip("\\")
            if base == r"\int":  # its bound counts nothing
                continue
            if below in INDICES or (len(below) > 1 and below[0] in INDICES and below[1:].isdigit()):
                raise InputError(f"below {base} stands {below}, which may count them")
            if not base.startswith(("\\max", "\\min", "\\sum", "\\int", "\\lim", "\\prod")):
                out.add(f"{base.lstrip(chr(92))}_{below}")
        for base, braced, single in STARRED.findall(latex):
            below = braced or single
            out.add(base.lstrip("\\") + (f"_{below}" if below else "") + "_star")
        return {OTHER.get(name.partition("_")[0], name.partition("_")[0]) + name[len(name.partition("_")[0]):]
                for name in out}


OTHER = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho"}


def rows(text: str, *, spaced: bool = False) -> list[str]:
    """The formulas of a display: a row that begins with a relation or a sign goes on with the one before it.
    ``spaced``: with all that stands in them, as typed."""
    text = TAGGED.sub(" ", text)
    pieces, depth, at = [""], 0, 0
    while at < len(text):
        if text.startswith("\\\\", at) and depth == 0:
            pieces.append("")
            at += 2
            star = re.compile(r"\*?\s*(\[[^\]]*\])?").match(text, at)
            at = star.end() if star and star.group().strip() else at
            continue
        if text[at] == "{":
            end = min(closing(text, at), len(text) - 1)
            pieces[-1] += text[at:end + 1]
            at = end + 1
            continue
        step = 2 if text[at] == "\\" else 1
        pieces[-1] += text[at:at + step]
        at += step
    out: list[str] = []
    for piece in pieces:
        told = SPACING.sub(" ", LABEL.sub("", piece)).strip()
        plain = AROUND.sub("", told)
        kept, between = (piece, r"\\") if spaced else (plain, " ")
        if out and (GOES_ON.match(plain) or (spaced and not plain)):
            if not spaced and told[0] in "+-" and RELATION.search(plain) and RELATION.search(out[-1]):
                raise InputError(f"two readings of a row that begins with {told[0]} and has a relation: it goes on "
                                 "with the row before it, or is a formula of its own")
            out[-1] += between * bool(plain) + kept
        elif plain:
            out.append(kept)
    return out


def ranged(row: str) -> bool:
    """Does a row say of a symbol alone where it is, as a condition does?"""
    plain = re.sub(r"(?<!\\)&", " ", LABEL.sub(" ", row)).strip().removesuffix(".").removesuffix(",").strip()
    return bool(SHARED.fullmatch(plain) or NUMBERED.fullmatch(plain) or re.search(r"\\(?:not)?in(?![A-Za-z])", plain))


def joined(goals: list[str]) -> str:
    if not goals:
        raise InputError("it says that symbols are numbers, and no more")
    return goals[0] if len(goals) == 1 else f"And({', '.join(goals)})"


# ---- the note ----

def written(source: TexSource, stubs: Iterable[Stub], spellings: Mapping[str, str]) -> str:
    """The note: a table of the symbols, of which the writer says what they may be, and the claims by section."""
    stubs = tuple(stubs)
    out = [f"# {plain_text(source.title) or 'A paper'}", "",
           "<!-- Imported from LaTeX. A ? in the table says that what the symbol may be is still to be written: a "
           "condition such as > 0, natural, a definition = lam/mu, or nothing for any real number. Until then the "
           "claims that speak of it stay unknown. Look at each statement beside its quote; the conditions that the "
           "paper states elsewhere are not in it. -->", ""]
    first: dict[str, Stub] = {}
    for stub in stubs:
        for name in sorted(stub.spoken.free):
            first.setdefault(name, stub)
    if first:
        out += ["| symbol | where | meaning | conditions or definition | source |", "| --- | --- | --- | --- | --- |"]
    for name, stub in first.items():
        bound = [s.id for s in stubs if name in s.spoken.bound]
        where = "all but " + ", ".join(bound) if bound else "all"
        spelled = spellings.get(name, name).replace("|", "").replace("`", "")
        out.append(f"| {name} | {where} | `{spelled}` | {OPEN} | {stub.found.file}, l. {stub.found.lines[0]} |")
    titles = {s.label: s.title for s in source.sections if s.label}
    section = None
    for stub in stubs:
        if stub.found.section != section:
            section = stub.found.section
            title = plain_text(titles.get(section, ""))
            place = plain_text(section) or "Before the first section"
            out += ["", f"## {place}" + (f". {title}" if section and title else "")]
        out += ["", *_asked(stub), *_claim(stub)]
    return "\n".join(out) + "\n"


def _asked(stub: Stub) -> Iterable[str]:
    """Of an equation with a symbol alone on its left: that it may define it. As a claim it is about any value of the
    symbol, and refuted where the paper has only said what the symbol stands for."""
    name, _, term = stub.goal.partition(" == ")
    alone = stub.found.is_equation and name in stub.spoken.free and term
    if alone and not re.search(r"[<>]|[=!]=|\b(?:And|Or)\(", term) and name not in names(term).free:
        yield (f"<!-- A definition? Then write = {term} in the row of {name}, and leave this claim out: it would say "
               "that the term has a value everywhere. -->")


def _claim(stub: Stub) -> Iterable[str]:
    found = stub.found
    first, last = found.lines
    lines = f"l. {first}" + (f"-{last}" if last > first else "")
    heading = plain_text(found.heading)
    called = plain_text(found.named) + (f" ({heading})" if heading else "")
    place = ", ".join(filter(None, (plain_text(found.section), called, found.file)))
    yield f"::::{{claim}} {stub.id}, {_kind(stub)}, {lines}" + ("" if stub.goal else ", unknown")
    yield f":place: {place}"
    if unclaimed(found.kind, found.called) == DEFINITION:
        yield ":flag: definition"
    yield from ("", f"> {stub.quote}", "")
    if stub.goal:
        yield from (f"    given: {text}  # {plain_text(found.named)}, as printed" for text in stub.given)
        yield f"    goal: {stub.goal}"
    else:
        why = stub.why.replace(r"\\", "\\")  # what is quoted in it doubles them
        yield f"Not stated yet; {flowing(why)}."
    yield "::::"


def _kind(stub: Stub) -> str:
    if not stub.goal:
        return "identity" if stub.found.is_equation else "theorem"
    if "limit(" in stub.goal:
        return "limit"
    if stub.goal.startswith("Exists"):
        return "existence/uniqueness"
    return "identity" if "==" in stub.goal and not re.search(r"[<>]", stub.goal) else "inequality"


def plain_text(latex: str) -> str:
    """In a line of a heading, or of a note: without what Markdown or TeX would set in another way."""
    text = re.sub(r"\\(?:thanks|footnote)\s*\{[^{}]*\}|\\\\", " ", latex)
    return flowing(" ".join(re.sub(r"[#`|<>*_\[\]$~{}]", " ", text).split()))[:300]


__all__ = ["Imported", "Stub", "import_paper"]
