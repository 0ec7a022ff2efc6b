"""LaTeX of statements as MathML Core, which browsers set without a script and without the network."""

from __future__ import annotations

import html
from functools import cache

from latex2mathml.converter import convert


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
    element = element.replace("<mi>:</mi><mo>&#x0003D;</mo>", "<mo>&#x2254;</mo>")  # is defined as, one sign
    return element.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "").replace(' display="inline"', "").replace(
        ' stretchy="false"', "")
