"""Tables as LaTeX: booktabs rules, siunitx columns aligned at the decimal point, longtable beyond a page."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from qtheory.proofs.printing import latex as symbol
from qtheory.report import captions
from qtheory.report.floats import CAPTIONS, LETTER, LINE, Layout, Rows, cut, lines_of
from qtheory.report.prose import quoted, set_in
from qtheory.report.table import Column, Math, Table, Text

PACKAGES = ("array", "booktabs", "graphicx", "longtable", "siunitx")
ARTICLE = Layout()
PAGE = 40  # rows and group headings that one page certainly holds under a caption of ten lines
CROWDED = 9  # columns from which on there is less space between them, and words above numbers stand upright
WORD, PHRASE = 4, 16  # letters: more stand upright above numbers, in a crowded table and in any
ROOMY = 6.0  # points beside the columns of a table over both columns of a page, where they leave room for them
TEXT = 0.2  # of the page's width: from here on a column is running text, and its rows stand apart
SPACE = r"\addlinespace[2pt]"
BETWEEN = r"\addlinespace[7pt]"  # groups: a rule there would stand twice where a page ends

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_\allowbreak{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}",
    "/": r"/\allowbreak{}",
    # at the start of a row these would be read as the arguments of the line end before them
    "[": "{[}", "]": "{]}", "*": "{*}",
    '"': "''",  # \textquotedbl is not in the default font encoding
    "–": "--", "—": "---", "−": r"\ensuremath{-}", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\ldots{}",
    "×": r"\ensuremath{\times}", "±": r"\ensuremath{\pm}", "·": r"\ensuremath{\cdot}", "≤": r"\ensuremath{\le}",
    "≥": r"\ensuremath{\ge}", "≈": r"\ensuremath{\approx}", "∞": r"\ensuremath{\infty}", "√": r"\ensuremath{\surd}",
    "°": r"\ensuremath{^\circ}", "\u00a0": "~",
}
_VALUE = re.compile(r"(?<![\w.(\[])([A-Za-z]\w{0,30} = -?\d+(?:/\d+|\.\d+)?)(?=[,;]|$)")
_GREEK_AS_LATIN = {"ALPHA": "A", "BETA": "B", "EPSILON": "E", "ZETA": "Z", "ETA": "H", "IOTA": "I", "KAPPA": "K",
                   "MU": "M", "NU": "N", "OMICRON": "O", "RHO": "P", "TAU": "T", "CHI": "X"}
# The letters and accents that LaTeX knows in every font encoding.
_LETTERS = "ßæÆœŒøØłŁåÅ"
_RAISED = {"<super>": "textsuperscript", "<sub>": "textsubscript"}  # by the kind of the character's decomposition
_ACCENTS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"


def escape(text: str) -> str:
    """``text`` as LaTeX shows it verbatim; a character that no common font has appears as its code point."""
    return "".join(_SPECIAL.get(character) or _character(character) for character in " ".join(text.split()))


def _character(character: str) -> str:
    if character.isascii():
        return character if character.isprintable() else ""
    if character in _LETTERS:
        return character
    parts = unicodedata.normalize("NFKD", character)
    if len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS:
        return character
    name = unicodedata.name(character, "").split()
    if len(name) == 4 and name[0] == "GREEK" and name[2] == "LETTER":
        return _greek(name[3].replace("LAMDA", "LAMBDA"), capital=name[1] == "CAPITAL")
    if character == "µ":
        return _greek("MU", capital=False)
    raised = _RAISED.get(unicodedata.decomposition(character).partition(" ")[0])
    if raised:  # a square is no factor of 2
        return rf"\{raised}{{{escape(parts)}}}"
    if parts != character and parts.isascii():
        return escape(parts)
    return rf"\texttt{{U+{ord(character):04X}}}"


def _greek(letter: str, capital: bool) -> str:
    if capital:
        return _GREEK_AS_LATIN.get(letter) or rf"\ensuremath{{\{letter.capitalize()}}}"
    if letter == "OMICRON":
        return "o"
    return r"\ensuremath{\varsigma}" if letter == "FINAL" else rf"\ensuremath{{\{letter.lower()}}}"


def text(pieces: Text) -> str:
    """Running text with its mathematics between dollar signs."""
    return "".join(f"${piece.latex}$" if isinstance(piece, Math) else _edges(piece) for piece in pieces)


def typed(words: str) -> str:
    """A user's own line: plain text, but for the formulas between dollar signs. InputError for what does not pair."""
    return "".join(_edges(piece) if i % 2 == 0 else f"{{${piece}$}}" for i, piece in enumerate(captions.pieces(words)))


def _edges(piece: str) -> str:
    """Escaped, with the blanks at both ends, which separate it from its neighbours."""
    before = " " if piece[:1].isspace() else ""
    return before + escape(piece) + (" " if piece.strip() and piece[-1].isspace() else "")


def table(data: Table, *, siunitx: bool = True, layout: Layout = ARTICLE) -> str:
    """The table as a ``table`` environment, or where it may be longer than a page as a ``longtable``, which becomes
    several floats in two columns.

    The document needs `packages`; without ``siunitx`` numbers are set flush right and siunitx is not needed.
    """
    columns = _spread([(i, column) for i, column in data.printed() if not column.group], layout)
    shown = [[_cell(c, data.shown(r, i), data.marks(r).get(c.name)) for i, c in columns]
             for r in range(len(data.rows))]
    shares = any(column.share for _, column in columns)
    specification = "".join(
        _specification(c, [line[j] for line in shown], siunitx) for j, (_, c) in enumerate(columns)
    )
    head = _head([column for _, column in columns], siunitx)
    rows = _rows(data, [column for _, column in columns], shown, layout)
    below = _below(data) if layout.caption != "full" else ""
    title = escape(data.title) if layout.caption in CAPTIONS else typed(layout.caption)
    caption = [rf"\caption[{title}]{{%", (title if layout.caption != "full" else _caption(data, layout)) + "}"]
    label = rf"\label{{{data.label}}}"
    needs = [name for name in packages(layout) if siunitx or name != "siunitx"]
    start = [f"% qtheory {data.version}: {data.name}; the document needs \\usepackage{{{','.join(needs)}}}"]
    gap = 5.0 if any(c.share >= TEXT for _, c in columns) else 3.0 if len(columns) < CROWDED else 2.0
    letters = sum(_width(c, [line[j] for line in shown]) for j, (_, c) in enumerate(columns))
    wide = layout.floats and layout.over_both(math.inf if shares else letters + 2 * gap * len(columns))
    if wide and not shares:  # a page's width is there, and not filled
        gap = max(gap, min(ROOMY, (0.95 * layout.page.text - letters) / (2 * len(columns))))
    settings = [r"\footnotesize", rf"\setlength{{\tabcolsep}}{{{gap:.3g}pt}}"]
    settings += [] if layout.page.two_columns else [r"\setlength{\belowcaptionskip}{6pt}"]
    settings += [r"\sisetup{group-minimum-digits=15}"] if siunitx else []
    begin = rf"\begin{{tabular}}{{@{{}}{specification}@{{}}}}"
    if layout.floats:
        return "\n".join([*start, *_floats(rows, len(columns), [*caption, label], settings, [begin, r"\toprule", *head],
                                           below, wide, layout)]) + "\n"
    body = _joined(rows, len(columns))
    small = r"\let\normalsize\footnotesize % which a caption asks for"
    if len(body) <= PAGE and not shares:
        return "\n".join([
            *start, r"\begin{table}[tbp]", r"\centering", *settings, small, *caption, label, begin, r"\toprule", *head,
            r"\midrule", *body, r"\bottomrule", r"\end{tabular}", *_notes(below), r"\end{table}",
        ]) + "\n"
    continued = rf"\multicolumn{{{len(columns)}}}{{@{{}}l@{{}}}}{{\tablename~\thetable, continued}} \\"
    return "\n".join([
        *start, r"\begingroup", *settings, r"\setlength{\LTcapwidth}{\linewidth}",
        *([r"\setlength{\LTpost}{0pt}"] if below else []),
        rf"\begin{{longtable}}{{@{{}}{specification}@{{}}}}", *caption, label + r"\\", r"\toprule", *head,
        r"\midrule", r"\endfirsthead", continued, r"\toprule", *head, r"\midrule", r"\endhead", r"\bottomrule",
        r"\endfoot", *body, r"\end{longtable}", *_notes(below), r"\endgroup",
    ]) + "\n"


def _spread(columns: list[tuple[int, Column]], layout: Layout) -> list[tuple[int, Column]]:
    """The columns; where all are running text, they share all of the width, in the parts that they have of it."""
    given = sum(column.share for _, column in columns)
    if not all(column.share for _, column in columns):
        return columns
    width = layout.page.text if layout.over_both(math.inf) else layout.page.column
    more = (0.996 - 10 * (len(columns) - 1) / width) / given
    if more <= 1:
        return columns
    return [(i, replace(column, share=math.floor(1000 * column.share * more) / 1000)) for i, column in columns]


def packages(layout: Layout = ARTICLE) -> tuple[str, ...]:
    """What a document with such a table must load."""
    return tuple("adjustbox" if layout.floats and name == "longtable" else name for name in PACKAGES)


def document(*tables: Table, layout: Layout = ARTICLE) -> str:
    """A complete paper of the layout's class with the tables, ready for pdflatex. InputError for a caption that would
    not compile."""
    if layout.caption not in CAPTIONS:
        captions.require(layout.caption, whole=True)
    return "\n".join([
        *layout.page.preamble, rf"\usepackage{{{','.join(packages(layout))}}}", r"\begin{document}",
        *layout.page.opening, *(table(one, layout=layout) for one in tables), r"\end{document}", "",
    ])


def _floats(
    rows: list[Rows], columns: int, caption: list[str], settings: list[str], head: list[str], below: str, wide: bool,
    layout: Layout,
) -> list[str]:
    """The rows in one float or several, each of which is scaled down where its column or page is smaller than it."""
    kind, page = "table*" if wide else "table", layout.page
    letters = page.text if wide else page.column
    said = [*caption[:-1], below]
    high = LINE * (6 + sum(math.ceil(len(words) * LETTER / letters) for words in said))
    pieces = cut(rows, page.height - 7 * LINE, high)
    out: list[str] = []
    for i, piece in enumerate(pieces):
        words = [*(caption[:-1] if i == 0 else ()), *([below] if i + 1 == len(pieces) else ())]
        beside = LINE * (4 + sum(math.ceil(1.3 * len(said) * LETTER / letters) for said in words))
        share = max(0.2, min(0.9, 1 - beside / page.height))
        named = caption if i == 0 else [r"\tablename~\thetable, continued\par\medskip"]
        out += [rf"\begin{{{kind}}}[tp]", r"\centering", *settings, *named,
                rf"\begin{{adjustbox}}{{max width=\linewidth, max totalheight={share:.2f}\textheight}}", *head,
                r"\midrule",
                *_joined(piece, columns), r"\bottomrule", r"\end{tabular}", r"\end{adjustbox}",
                *(_notes(below) if i + 1 == len(pieces) else []), rf"\end{{{kind}}}"]
    return out


def _notes(below: str) -> list[str]:
    return [r"\par\medskip", rf"\begin{{minipage}}{{\linewidth}}\footnotesize {below}\end{{minipage}}"] * bool(below)


def _caption(data: Table, layout: Layout) -> str:
    return escape(data.title) + layout.page.caption.replace("%s", _below(data))


def _below(data: Table) -> str:
    return " ".join([text(data.caption), *map(text, data.remarks())])


def _width(column: Column, cells: list[str]) -> float:
    """About the width of a column in footnotesize, in points."""
    heading = column.heading.plain if isinstance(column.heading, Math) else column.heading
    upright = len(heading) > WORD and not column.text and isinstance(column.heading, str)
    above = [3 if upright else len(heading), 0.8 * (len(column.printed_unit) + 2) if column.printed_unit else 0]
    return LETTER * max([*above, *(len(_bare(cell)) for cell in cells)])


def _bare(cell: str) -> str:
    """The letters of a cell alone."""
    return re.sub(r"\\\w+({})?|[{}$\\]", "", cell)


def _cell(column: Column, shown: str | None, mark: str | None) -> str:
    raised = f"{{{escape(mark)}}}" if mark else ""
    if column.formulas and shown:
        return re.sub(r"(?<=\d):(?=\d)", r":\\allowbreak{}", _loose(worded(shown)))  # long ratios
    if column.share:  # ids may break at their dots, decimals not; ratios at their colons, and before an exponent
        broken = re.sub(r"(?<!\d)\.(?=\w)|\.(?=[A-Za-z])|(?<=\d):(?=\d)", r"\g<0>\\allowbreak{}",
                        _raised(shown or "--"))
        return broken.replace(r"\textasciicircum", r"\allowbreak\textasciicircum")
    if column.text:
        if column.symbol and shown:
            return f"${symbol(shown)}$"
        return _raised(shown) + raised if shown is not None else "--"
    if shown is None:
        return "{--}"
    return shown + raised


def _loose(text: str) -> str:
    """For a narrow cell: TeX breaks no line between ``\\left`` and ``\\right``, nor behind a formula's commas."""
    text = re.sub(r"\$[^$]+\$", lambda formula: re.sub(r"\\_|[,;](?= )", r"\g<0>\\allowbreak{}", formula[0]), text)
    sized = re.findall(r"\\(?:left|right)(?![A-Za-z])(.?)", text)
    return re.sub(r"\\(?:left|right)(?![A-Za-z])", "", text) if {*sized} <= set("()[]") else text


def verbatim(text: str) -> str:
    """A quote: words as they are typed, and formulas of LaTeX that compile."""
    return quoted(text, _edges, lambda formula: f"${formula}$", _edges)


def worded(text: str) -> str:
    """Words with their formulas: those of LaTeX that compile, symbols in plain letters, and values of symbols."""
    def words(piece: str) -> str:
        return "".join(_valued(said) if j % 2 else set_in(said, _edges, lambda latex: rf"\ensuremath{{{latex}}}")
                       for j, said in enumerate(_VALUE.split(piece)))

    return quoted(text, _edges, lambda formula: f"${formula}$", words)


def _valued(said: str) -> str:
    name, _, value = said.partition(" = ")
    broken = value.replace("/", r"/\allowbreak{}")
    return f"${symbol(name)} = {broken}$"


def _raised(text: str) -> str:
    """As `escape` shows it, but for exponents of numbers, which are raised: those of 3.6 × 10^-5."""
    pieces = re.split(r"(?<=\d)\^(-?\d+)(?![\w.])", text)
    return "".join(rf"\ensuremath{{^{{{piece}}}}}" if i % 2 else _edges(piece) for i, piece in enumerate(pieces))


def _specification(column: Column, cells: list[str], siunitx: bool) -> str:
    if column.share:
        return rf">{{\raggedright\arraybackslash}}p{{{column.share}\linewidth}}"
    if column.text or not siunitx:
        return "l" if column.text else "r"
    numbers = [cell.split("{")[0] for cell in cells if not cell.startswith("{")] or ["0"]
    mantissas = [number.split("e")[0].partition(".") for number in numbers]
    whole = max(len(m[0].lstrip("-")) for m in mantissas)
    decimals = max(len(m[2]) for m in mantissas)
    exponents = [number.split("e")[1] for number in numbers if "e" in number]
    form = ("-" if any(n.startswith("-") for n in numbers) else "") + f"{whole}" + (f".{decimals}" if decimals else "")
    if exponents:
        digits = max(len(e.lstrip("-")) for e in exponents)
        form += "e" + ("-" if any(e.startswith("-") for e in exponents) else "") + str(digits)
    mark = next((cell[cell.index("{"):] for cell in cells if "{" in cell and not cell.startswith("{")), "")
    after = f", table-space-text-post={mark}, table-align-text-post=false" if mark else ""
    return f"S[table-format={form}{after}]"


def _head(columns: list[Column], siunitx: bool) -> list[str]:
    names, units = [], []
    for column in columns:
        heading = f"${column.heading.latex}$" if isinstance(column.heading, Math) else escape(column.heading)
        most = WORD if len(columns) >= CROWDED else PHRASE
        if not column.text and len(heading) > most and isinstance(column.heading, str):
            heading = rf"\rotatebox{{90}}{{{heading}}}"
        unit = ""
        if column.printed_unit:
            said = escape(column.unit)
            unit = r"\scriptsize(" + (rf"\si{{{said}}}" if siunitx else said) + ")"
        names.append(heading if column.text else f"{{{heading}}}")
        units.append(unit if column.text or not unit else f"{{{unit}}}")
    lines = [" & ".join(names) + r" \\"]
    return [*lines, " & ".join(units) + r" \\"] if any(units) else lines


def _rows(data: Table, columns: list[Column], shown: list[list[str]], layout: Layout) -> list[Rows]:
    """The rows as LaTeX, those together that share what is printed once."""
    group = next((i for i, column in enumerate(data.columns) if column.group), None)
    grouped = group is not None and len({row[group] for row in data.rows}) > 1
    repeats = data.repeats()
    found: list[Rows] = []
    lines: list[str] = []
    height = 0.0
    for r in range(len(data.rows)):
        cells = ["" if repeats[r] and column.once else cell for column, cell in zip(columns, shown[r], strict=True)]
        last = r + 1 == len(data.rows) or not repeats[r + 1]
        lines.append(" & ".join(cells) + (r" \\" if last else r" \\*"))
        words = [(_bare(cell), c.share) for c, cell in zip(columns, cells, strict=True)]
        height += LINE * lines_of(words, layout.page.column if layout.narrow else layout.page.text)
        if last:
            apart = any(repeats) or any(c.share >= TEXT for c in columns)
            found.append(Rows(_group(data, r, group) if grouped and group is not None else "",
                              (*lines, SPACE) if apart else tuple(lines), height + 2 * apart))
            lines, height = [], 0.0
    return found


def _group(data: Table, row: int, index: int) -> str:
    """The heading of a row's group: a name as it is, a number with what it is a number of."""
    column, said = data.columns[index], escape(data.shown(row, index) or "")
    if column.text:
        return said
    heading = f"${column.heading.latex}$" if isinstance(column.heading, Math) else escape(column.heading)
    return f"{heading} = {said}" + (f" {escape(column.unit)}" if column.printed_unit else "")


def _joined(rows: Sequence[Rows], columns: int) -> list[str]:
    """The rows' lines under the headings of their groups."""
    lines: list[str] = []
    for i, one in enumerate(rows):
        if one.group and (i == 0 or one.group != rows[i - 1].group):
            if i:
                lines = [*(lines[:-1] if lines[-1] == SPACE else lines), BETWEEN]
            # the star keeps the heading on the page of its first row
            lines += [rf"\multicolumn{{{columns}}}{{@{{}}l@{{}}}}{{\textit{{{one.group}}}}} \\*", SPACE]
        lines += one.lines
    return lines[:-1] if lines and lines[-1] == SPACE else lines
