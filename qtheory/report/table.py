"""A table for a paper: typed columns with units, rows of values, and a caption that says where the numbers are from."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from qtheory.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    import pandas

Value = str | int | float | bool | None

FORMATS = ("latex", "md", "csv", "html", "json")
SCHEMA = 1  # of the JSON form
MARKS = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"  # of notes and sources, in their order; a number might be a power or a citation
LABEL = r"[A-Za-z0-9:._/+-]{1,80}"  # what a LaTeX reference can name


class Math(NamedTuple):
    """A piece of mathematics: for LaTeX (between dollar signs), and in plain Unicode for everything else."""

    latex: str
    plain: str


Text = tuple[str | Math, ...]


@dataclass(frozen=True)
class Column:
    """One column. ``name`` is its key in the data formats; ``heading`` is what a reader sees above it.

    ``unit``: of the values, or "" for names and pure numbers; ``bare``: not printed, as the heading implies it.
    ``digits``: significant digits of a printed number without an interval (None: whole numbers, or text); digits
    before the decimal point are never cut. A number whose interval the table holds, in columns named ``<name>_low``
    and ``<name>_high``, is rounded to what that allows, and so are its ends. ``trim``: drop trailing zeros.
    ``once``: print only where it, or another such column, changes. ``group``: a heading above its rows. ``printed``:
    False for a column of the data formats (CSV, JSON, data frame) alone. ``symbol``: its texts are names of symbols,
    set as mathematics by LaTeX. ``formulas``: its texts are words with formulas, as typed in a note or in LaTeX, which
    LaTeX sets as such. ``share``: of the page's width, for running text that LaTeX breaks into lines (0: one
    line).
    """

    name: str
    heading: Math | str
    meaning: str
    unit: str = ""
    bare: bool = False
    digits: int | None = None
    trim: bool = False
    text: bool = False
    once: bool = False
    group: bool = False
    printed: bool = True
    symbol: bool = False
    formulas: bool = False
    share: float = 0.0

    @property
    def printed_unit(self) -> str:
        """The unit below the heading, or ""."""
        return "" if self.bare else self.unit

    def show(self, value: Value, half_width: float = 0.0) -> str | None:
        """The value as it is printed, rounded by the half-width of its interval where there is one; None for none."""
        if value is None:
            return None
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, float):
            return within(value, half_width) if half_width > 0 else rounded(value, self.digits or 6, self.trim)
        return str(value)


def ends_of(name: str, latex: str, plain: str, unit: str = "", **options: Any) -> tuple[Column, Column]:
    """Two columns for the ends of a number's 95 percent interval, which the data formats hold."""
    lower, upper = Math(f"{latex}^{{-}}", f"{plain}⁻"), Math(f"{latex}^{{+}}", f"{plain}⁺")
    what = f"end of the 95 % interval of {name}"
    return (Column(f"{name}_low", lower, f"lower {what}", unit, bare=True, printed=False, **options),
            Column(f"{name}_high", upper, f"upper {what}", unit, bare=True, printed=False, **options))


@dataclass(frozen=True)
class Note:
    """What a mark on the cells of ``column`` means; ``when`` is the column (true or false) that sets it."""

    column: str
    when: str
    text: Text


@dataclass(frozen=True, repr=False)
class Table:
    """A table with its provenance.

    ``rows``: one value a column, None where there is none; numbers in full precision. ``provenance``: for each
    profile what it is and where its constants are from. Renders by `render` in one of `FORMATS`.
    """

    name: str
    title: str
    caption: Text
    label: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    version: str
    provenance: tuple[dict[str, Value], ...] = ()
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if len(set(names)) != len(names):
            raise InputError(f"table {self.name}: two columns of one name among {', '.join(names)}")
        for i, row in enumerate(self.rows):
            if len(row) != len(names):
                raise InputError(f"table {self.name}: row {i} has {len(row)} values for {len(names)} columns")
            for name, value in zip(names, row, strict=True):
                if isinstance(value, float) and not math.isfinite(value):
                    raise InputError(f"table {self.name}: row {i} has {name} = {value}, which is not finite")

    def column(self, name: str) -> tuple[Value, ...]:
        """The values of one column, in the order of the rows."""
        index = self._index(name)
        return tuple(row[index] for row in self.rows)

    def _index(self, name: str) -> int:
        names = [column.name for column in self.columns]
        if name not in names:
            raise UnknownNameError(f"column of {self.name}", name, names)
        return names.index(name)

    def half_width(self, row: int, name: str) -> float:
        """Half the interval of a number, or of the one whose end it is; 0 where the table holds none."""
        base = name.removesuffix("_low").removesuffix("_high")
        names = [column.name for column in self.columns]
        if f"{base}_low" not in names:
            return 0.0
        low, high = (self.rows[row][names.index(f"{base}_{end}")] for end in ("low", "high"))
        return (high - low) / 2 if isinstance(low, float) and isinstance(high, float) else 0.0

    def shown(self, row: int, index: int) -> str | None:
        """The cell of a row as it is printed; None where it has no value."""
        column = self.columns[index]
        return column.show(self.rows[row][index], self.half_width(row, column.name))

    def printed(self) -> list[tuple[int, Column]]:
        """The columns that a reader sees, with their places: no column of dashes, nor one of zeros alone over several
        rows; `remarks` tells of those."""
        return [(i, c) for i, c in enumerate(self.columns) if c.printed and (c.group or not self._alike(i))]

    def _alike(self, index: int) -> str | None:
        """What a column holds that says nothing row by row, in words; None where its cells differ."""
        column, cells = self.columns[index], {self.shown(r, index) or None for r in range(len(self.rows))}
        if cells == {None}:
            return "with no value in any row"
        marked = any(note.column == column.name for note in self.used_notes())
        zero = cells == {"0"} and len(self.rows) > 1 and not column.text and not marked
        return "0 in every row" if zero else None

    def remarks(self) -> tuple[Text, ...]:
        """What stands below the rows, a sentence each: the meaning of each mark that is used, and columns left out."""
        shown, left_out = self.printed(), dict[str | None, list[Column]]()
        seen = {column.name for _, column in shown}
        found: list[Text] = [(f"{mark} ", *note.text) for mark, note in self.marked() if note.column in seen]
        for i, column in enumerate(self.columns):
            if column.printed and (i, column) not in shown:
                left_out.setdefault(self._alike(i), []).append(column)
        for alike, columns in left_out.items():
            named = [part for c in columns for part in
                     (", ", c.heading, "" if str(c.heading) in c.meaning else f" ({c.meaning})")]
            found.append(("Left out: ", *named[1:], f", {alike}."))
        return tuple(found)

    def used_notes(self) -> tuple[Note, ...]:
        """The notes whose mark stands on at least one cell."""
        return tuple(note for note in self.notes if any(self.column(note.when)))

    def marked(self) -> tuple[tuple[str, Note], ...]:
        """These notes with their marks."""
        return tuple(zip(MARKS, self.used_notes(), strict=False))

    def marks(self, row: int) -> dict[str, str]:
        """The marks in a row, by column."""
        return {note.column: mark for mark, note in self.marked() if self.rows[row][self._index(note.when)]}

    def repeats(self) -> tuple[bool, ...]:
        """For each row whether its ``once`` columns are all those of the row above."""
        once = [i for i, column in enumerate(self.columns) if column.once or column.group]
        keys = [tuple(row[i] for i in once) for row in self.rows]
        some = any(column.once for column in self.columns)
        return tuple(i > 0 and some and keys[i] == keys[i - 1] for i in range(len(keys)))

    def render(self, form: str) -> str:
        """The table as text in one of `FORMATS`; raises UnknownNameError for another."""
        from qtheory.report import latex, markup

        renderers: dict[str, Callable[[Table], str]] = {
            "latex": latex.table, "md": markup.markdown, "csv": markup.csv_text, "html": markup.html,
            "json": markup.json_text,
        }
        if form not in renderers:
            raise UnknownNameError("table format", form, list(FORMATS))
        return renderers[form](self)

    def to_latex(
        self, *, document_class: str = "article", wide: bool = False, caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """The table as LaTeX for a paper of ``document_class``: article, IEEEtran or acmart.

        ``wide``: over both columns of a page; in the two-column classes a table that no column holds is wide in any
        case. ``caption``: "full", or "short", the title alone with the provenance as notes below, which is what
        two-column classes have by default, or a text of your own, formulas between dollar signs, in place of the title,
        with these notes. ``label``: in place of the table's own. UnknownNameError or InputError for what none can be.
        """
        from qtheory.report import latex

        named = self if label is None else self.labelled(label)
        return latex.table(named, layout=latex.Layout.of(document_class, wide, caption))

    def labelled(self, label: str) -> Table:
        """The table under another label; InputError for one that a LaTeX reference cannot name."""
        if not re.fullmatch(LABEL, label):
            raise InputError(f"the label is {label[:80]!r}; letters, digits and : . _ / + - are needed, as tab:mine")
        return replace(self, label=label)

    def to_pandas(self) -> pandas.DataFrame:
        """All columns as a pandas data frame, units and caption in its ``attrs``; InputError without pandas."""
        try:
            import pandas
        except ImportError:
            raise InputError("a data frame needs pandas, which is not installed: pip install pandas") from None
        frame = pandas.DataFrame({column.name: list(self.column(column.name)) for column in self.columns})
        frame.attrs = {"units": {c.name: c.unit for c in self.columns}, "caption": plain(self.caption)}
        return frame

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data, as it stands in JSON."""
        names = [column.name for column in self.columns]
        return {
            "schema": SCHEMA,
            "name": self.name,
            "version": self.version,
            "title": self.title,
            "caption": plain(self.caption),
            "label": self.label,
            "provenance": list(self.provenance),
            "notes": [{"column": n.column, "when": n.when, "text": plain(n.text)} for n in self.used_notes()],
            "columns": [{"name": c.name, "meaning": c.meaning, "unit": c.unit} for c in self.columns],
            "rows": [dict(zip(names, row, strict=True)) for row in self.rows],
        }

    def __repr__(self) -> str:
        return self.render("md").rstrip("\n")

    def _repr_html_(self) -> str:
        return self.render("html")

    def _repr_latex_(self) -> str:
        from qtheory.report import latex

        return latex.table(self, siunitx=False)  # a notebook's own LaTeX preamble does not load siunitx


def plain(text: Text) -> str:
    """The text with its mathematics in plain Unicode."""
    return "".join(piece.plain if isinstance(piece, Math) else piece for piece in text)


def rounded(value: float, digits: int, trim: bool = False) -> str:
    """``value`` to so many significant digits, whole digits kept: 0.0413, 12.3, 1024; 1.23e-9 far from 1."""
    if value == 0:
        return "0"
    scientific = f"{value:.{digits - 1}e}"
    mantissa, exponent = scientific.split("e")
    magnitude = int(exponent)  # after rounding, so that 9.996 has the digits of 10.0
    if not -6 < magnitude < 9:
        return f"{_trimmed(mantissa) if trim else mantissa}e{magnitude}"
    shown = f"{value:.{max(0, digits - 1 - magnitude)}f}"
    return _trimmed(shown) if trim else shown


def within(value: float, half_width: float) -> str:
    """``value`` to the decimal place that its interval allows: 0.0715 with half-width 0.0042, 12.34 with 0.12.

    The half-width's digits that count are the Particle Data Group's: two where it begins with 354 or less, else one.
    """
    mantissa, exponent = f"{half_width:.2e}".split("e")
    decimals = -int(exponent) + (float(mantissa) <= 3.54)
    value = round(value, decimals)
    magnitude = int(f"{value:.12e}".split("e")[1])
    return rounded(value, max(magnitude + decimals + 1, 1)) if value else f"{0:.{max(decimals, 0)}f}"


def _trimmed(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number
