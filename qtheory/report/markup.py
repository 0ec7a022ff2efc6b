"""Tables as Markdown, HTML, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from html import escape

from qtheory.proofs.visible import flowing, seen, visible
from qtheory.report.table import Column, Math, Table, Text, plain

NONE = "–"  # in a printed cell without a value

# Markdown's own characters; an underscore inside a word is none of them, nor an ampersand that begins no entity.
_MARKDOWN = re.compile(r"[\\`*|<>\[\]]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")


def markdown(table: Table) -> str:
    """The printed columns as a Markdown table, its caption below; repeated names and constants are left blank."""
    columns = table.printed()
    cells = [[_markdown_text(_heading(column)) for _, column in columns]]
    repeats = table.repeats()
    for r in range(len(table.rows)):
        marks = table.marks(r)
        cells.append([
            "" if repeats[r] and (column.once or column.group)
            else _markdown_text(_cell(table.shown(r, i), marks.get(column.name))) for i, column in columns
        ])
    widths = [max(3, *(len(line[i]) for line in cells)) for i in range(len(columns))]
    rule = ["-" * w if c.text else "-" * (w - 1) + ":" for w, (_, c) in zip(widths, columns, strict=True)]
    lines = [
        "| " + " | ".join(
            text.ljust(w) if c.text else text.rjust(w) for text, w, (_, c) in zip(line, widths, columns, strict=True)
        ) + " |"
        for line in (cells[0], rule, *cells[1:])
    ]
    below = [_markdown_text(table.title + ". " + plain(table.caption))]
    below += [_markdown_text(plain(remark)) for remark in table.remarks()]
    return "\n".join(lines) + "\n\n" + "\n\n".join(below) + "\n"


def html(table: Table) -> str:
    """The printed columns as an HTML table, one body a group, with its caption and notes."""
    columns = [(i, column) for i, column in table.printed() if not column.group]
    group = next((i for i, column in enumerate(table.columns) if column.group), None)
    head = "".join(
        f'<th scope="col" title="{_escaped(c.meaning)}">{_escaped(_heading(c))}</th>' for _, c in columns
    )
    lines = [f'<table class="qtheory" id="{_escaped(table.label)}">']
    lines.append(f"<caption>{_html_text((table.title + '. ', *table.caption))}</caption>")
    lines.append(f"<thead><tr>{head}</tr></thead>")
    repeats = table.repeats()
    for r, row in enumerate(table.rows):
        if r == 0 or (group is not None and row[group] != table.rows[r - 1][group]):
            lines.append("</tbody>\n<tbody>" if r else "<tbody>")
            if group is not None:
                title = _escaped(str(row[group]))
                lines.append(f'<tr><th scope="rowgroup" colspan="{len(columns)}" style="text-align:left">'
                             f"{title}</th></tr>")
        marks = table.marks(r)
        cells = [
            _html_cell(c, None if repeats[r] and c.once else _cell(table.shown(r, i), marks.get(c.name)))
            for i, c in columns
        ]
        lines.append("<tr>" + "".join(cells) + "</tr>")
    lines += ["</tbody>"] if table.rows else []
    notes = [_html_text(remark) for remark in table.remarks()]
    if notes:
        lines.append(f'<tfoot><tr><td colspan="{len(columns)}" style="text-align:left">{"<br>".join(notes)}</td></tr>'
                     "</tfoot>")
    return "\n".join([*lines, "</table>"]) + "\n"


def csv_text(table: Table) -> str:
    """All columns in full precision as CSV, a column's unit in brackets after its name; no value is an empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([visible(f"{c.name} [{c.unit}]" if c.unit else c.name) for c in table.columns])
    for row in table.rows:
        shown = (visible(v) if isinstance(v, str) else v for v in row)
        writer.writerow([str(v).lower() if isinstance(v, bool) else v for v in shown])
    return out.getvalue()


def json_text(table: Table) -> str:
    """The whole table as JSON: columns with units, rows in full precision, provenance."""
    text = json.dumps(table.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return "".join(c if seen(c) or c == "\n" else json.dumps(c)[1:-1] for c in text)


def _heading(column: Column) -> str:
    heading = column.heading.plain if isinstance(column.heading, Math) else column.heading
    return f"{heading} ({column.printed_unit})" if column.printed_unit else heading


def _cell(shown: str | None, mark: str | None) -> str:
    return NONE if shown is None else shown + (mark or "")


def _markdown_text(text: str) -> str:
    return _MARKDOWN.sub(lambda found: "\\" + found.group(), flowing(text))


def _html_text(text: Text) -> str:
    return "".join(f"<i>{_escaped(p.plain)}</i>" if isinstance(p, Math) else _escaped(p) for p in text)


def _escaped(text: str) -> str:
    """For HTML, in one line and with what cannot be seen spelled out."""
    return escape(visible(re.sub(r"\s", " ", text)), quote=True)


def _html_cell(column: Column, shown: str | None) -> str:
    align = "left" if column.text else "right"
    return f'<td style="text-align:{align}">{_escaped(shown or "")}</td>'
