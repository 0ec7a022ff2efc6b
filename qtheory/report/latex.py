"""Tables as LaTeX: booktabs rules, siunitx columns aligned at the decimal point, longtable beyond a page."""

from __future__ import annotations

import re
import unicodedata

from qtheory.proofs.printing import latex as symbol
from qtheory.report.table import Column, Math, Table, Text

PACKAGES = ("array", "booktabs", "graphicx", "longtable", "siunitx")
PAGE = 40  # rows and group headings that one page certainly holds under a caption of ten lines
CROWDED = 9  # columns from which on there is less space between them, and words above numbers stand upright
WORD = 4  # letters
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
_GREEK_AS_LATIN = {"ALPHA": "A", "BETA": "B", "EPSILON": "E", "ZETA": "Z", "ETA": "H", "IOTA": "I", "KAPPA": "K",
                   "MU": "M", "NU": "N", "OMICRON": "O", "RHO": "P", "TAU": "T", "CHI": "X"}
# The letters and accents that LaTeX knows in every font encoding.
_LETTERS = "ßæÆœŒøØłŁåÅ"
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


def _edges(piece: str) -> str:
    """Escaped, with the blanks at both ends, which separate it from its neighbours."""
    before = " " if piece[:1].isspace() else ""
    return before + escape(piece) + (" " if piece.strip() and piece[-1].isspace() else "")


def table(data: Table, *, siunitx: bool = True) -> str:
    """The table as a ``table`` environment, or as a ``longtable`` where it may be longer than a page.

    The document needs `PACKAGES`; without ``siunitx`` numbers are set flush right and siunitx is not needed.
    """
    columns = [(i, column) for i, column in enumerate(data.columns) if column.printed and not column.group]
    shown = [[_cell(c, data.shown(r, i), data.marks(r).get(c.name)) for i, c in columns]
             for r in range(len(data.rows))]
    specification = "".join(
        _specification(c, [line[j] for line in shown], siunitx) for j, (_, c) in enumerate(columns)
    )
    head = _head([column for _, column in columns], siunitx)
    body = _body(data, [column for _, column in columns], shown)
    caption = [r"\caption[" + escape(data.title) + "]{%", _caption(data) + "}"]
    label = rf"\label{{{data.label}}}"
    needs = [name for name in PACKAGES if siunitx or name != "siunitx"]
    start = [f"% qtheory {data.version}: {data.name}; the document needs \\usepackage{{{','.join(needs)}}}"]
    gap = "5pt" if any(c.share >= TEXT for _, c in columns) else "3pt" if len(columns) < CROWDED else "2pt"
    settings = [r"\footnotesize", rf"\setlength{{\tabcolsep}}{{{gap}}}", r"\setlength{\belowcaptionskip}{6pt}"]
    settings += [r"\sisetup{group-minimum-digits=15}"] if siunitx else []
    if len(body) <= PAGE and not any(column.share for _, column in columns):
        return "\n".join([
            *start, r"\begin{table}[tbp]", r"\centering", *settings,
            r"\let\normalsize\footnotesize % which a caption asks for", *caption, label,
            rf"\begin{{tabular}}{{@{{}}{specification}@{{}}}}", r"\toprule", *head, r"\midrule", *body, r"\bottomrule",
            r"\end{tabular}", r"\end{table}",
        ]) + "\n"
    continued = rf"\multicolumn{{{len(columns)}}}{{@{{}}l@{{}}}}{{\tablename~\thetable, continued}} \\"
    return "\n".join([
        *start, r"\begingroup", *settings, r"\setlength{\LTcapwidth}{\linewidth}",
        rf"\begin{{longtable}}{{@{{}}{specification}@{{}}}}", *caption, label + r"\\", r"\toprule", *head,
        r"\midrule", r"\endfirsthead", continued, r"\toprule", *head, r"\midrule", r"\endhead", r"\bottomrule",
        r"\endfoot", *body, r"\end{longtable}", r"\endgroup",
    ]) + "\n"


def document(*tables: Table) -> str:
    """A complete article with the tables, ready for pdflatex."""
    return "\n".join([
        r"\documentclass{article}", r"\usepackage[T1]{fontenc}", r"\usepackage{lmodern}",
        rf"\usepackage{{{','.join(PACKAGES)}}}", r"\begin{document}", *(table(one) for one in tables),
        r"\end{document}", "",
    ])


def _caption(data: Table) -> str:
    notes = "".join(f" ${note.mark.latex}$ {text(note.text)}" for note in data.used_notes())
    return escape(data.title) + ". " + text(data.caption) + notes


def _cell(column: Column, shown: str | None, mark: Math | None) -> str:
    if column.share:  # ids may break at their dots, decimals not; ratios at their colons, and before an exponent
        broken = re.sub(r"(?<!\d)\.(?=\w)|\.(?=[A-Za-z])|(?<=\d):(?=\d)", r"\g<0>\\allowbreak{}", escape(shown or "--"))
        return broken.replace(r"\textasciicircum", r"\allowbreak\textasciicircum")
    if column.text:
        if column.symbol and shown:
            return f"${symbol(shown)}$"
        return escape(shown or "") if shown is not None else "--"
    if shown is None:
        return "{--}"
    return shown + (f"{{$^{{{mark.latex}}}$}}" if mark else "")


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
        if len(columns) >= CROWDED and not column.text and len(heading) > WORD and isinstance(column.heading, str):
            heading = rf"\rotatebox{{90}}{{{heading}}}"
        unit = ""
        if column.printed_unit:
            said = escape(column.unit)
            unit = r"\scriptsize(" + (rf"\si{{{said}}}" if siunitx else said) + ")"
        names.append(heading if column.text else f"{{{heading}}}")
        units.append(unit if column.text or not unit else f"{{{unit}}}")
    lines = [" & ".join(names) + r" \\"]
    return [*lines, " & ".join(units) + r" \\"] if any(units) else lines


def _body(data: Table, columns: list[Column], shown: list[list[str]]) -> list[str]:
    group = next((i for i, column in enumerate(data.columns) if column.group), None)
    grouped = group is not None and len({row[group] for row in data.rows}) > 1
    repeats = data.repeats()
    lines: list[str] = []
    for r, row in enumerate(data.rows):
        if grouped and group is not None and (r == 0 or row[group] != data.rows[r - 1][group]):
            lines += [BETWEEN] if r else []
            # the star keeps the heading on the page of its first row
            lines.append(rf"\multicolumn{{{len(columns)}}}{{@{{}}l@{{}}}}{{\textit{{{escape(str(row[group]))}}}}} \\*")
            lines.append(SPACE)
        cells = ["" if repeats[r] and column.once else cell for column, cell in zip(columns, shown[r], strict=True)]
        last = r + 1 == len(data.rows) or not repeats[r + 1]
        lines.append(" & ".join(cells) + (r" \\" if last else r" \\*"))
        if last and (any(repeats) or any(c.share >= TEXT for c in columns)) and r + 1 < len(data.rows) and not (
            grouped and group is not None and row[group] != data.rows[r + 1][group]
        ):
            lines.append(SPACE)
    return lines
