"""LaTeX of statements as MathML Core, which browsers set without a script and without the network."""

from __future__ import annotations

import html
import re
from functools import cache

from latex2mathml.converter import convert

NAME = re.compile(r'<mrow>((?:<mi mathvariant="normal">\w</mi>){2,})</mrow>')
LETTER = re.compile(r'<mi mathvariant="normal">(\w)</mi>')
CODE = re.compile(r"&#x[0-9A-F]+;")
ALONE = re.compile(r"<mrow>(<(m[in])(?: [^>]*)?>[^<]*</\2>|<mrow>(?:(?!</?mrow).)*</mrow>)</mrow>")


@cache
def mathml(latex: str) -> str:
    """The formula as one ``<math>`` element; as its LaTeX where the converter does not know it."""
    try:
        # a name of several letters is one identifier, which MathML sets upright by itself
        return _plain(convert(latex))
    except Exception:  # the converter's errors have no common class
        return f"<code>{html.escape(latex)}</code>"


def _plain(element: str) -> str:
    """Without what holds anyway: attributes' defaults, rows of one thing, letters of a name one by one."""
    element = element.replace("<mi>:</mi><mo>&#x0003D;</mo>", "<mo>&#x2254;</mo>")  # is defined as, one sign
    for said in (' xmlns="http://www.w3.org/1998/Math/MathML"', ' display="inline"',
                 ' stretchy="true" fence="true"'):  # brackets that open or close are stretchy fences; others say not
        element = element.replace(said, "")
    element = NAME.sub(lambda name: "<mi>" + LETTER.sub(r"\1", name[1]) + "</mi>", element)
    element = CODE.sub(lambda code: code[0] if (sign := html.unescape(code[0])) in "<>&" else sign, element)
    while (less := ALONE.sub(r"\1", element)) != element:
        element = less
    return element.replace(" />", "/>")
