"""LaTeX of statements as MathML Core, which browsers set without a script and without the network.

Browsers do not break a formula into lines. So a statement is cut where it may be: between its conditions, and at the
signs between the parts of its conclusion.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache

from latex2mathml.converter import convert

BEFORE_CONDITIONS = r" \quad \text{for } "
BETWEEN_CONDITIONS = r",\;"
BETWEEN_PARTS = (r"\;\wedge\;", r"\;\Longrightarrow\;", r"\;\Longleftrightarrow\;", r"\;\vee\;")
OPEN, CLOSED = frozenset("([{"), frozenset(")]}")


@cache
def mathml(latex: str) -> str:
    """The formula as one ``<math>`` element; as its LaTeX where the converter does not know it."""
    try:
        # a name of several letters is one identifier, which MathML sets upright by itself
        return _plain(convert(latex))
    except Exception:  # the converter's errors have no common class
        return f"<code>{html.escape(latex)}</code>"


def _plain(element: str) -> str:
    """Without the attributes that say what holds anyway."""
    return element.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "").replace(' display="inline"', "").replace(
        ' stretchy="false"', "")


def statement_lines(latex: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of the conclusion, and the conditions, of a statement's LaTeX, each to be set by itself."""
    goal, _, conditions = latex.partition(BEFORE_CONDITIONS)
    return tuple(_cut(goal, BETWEEN_PARTS)), tuple(filter(None, _cut(conditions, (BETWEEN_CONDITIONS,), kept=False)))


def _cut(text: str, signs: tuple[str, ...], *, kept: bool = True) -> Iterator[str]:
    """The text cut at these signs where no bracket is open; ``kept``: each piece but the first begins with its sign."""
    depth, start, at = 0, 0, 0
    sign = re.compile("|".join(map(re.escape, signs)))
    while at < len(text):
        found = sign.match(text, at) if depth == 0 else None
        if found:
            yield text[start:at].strip()
            start = at if kept else found.end()
            at = found.end()
            continue
        depth += (text[at] in OPEN) - (text[at] in CLOSED)
        at += 1
    yield text[start:].strip()
