"""Text from files, shown so that it cannot pretend to be the program's own.

Titles, labels, words and notes come from files that strangers write. Printed raw, a control character clears the
terminal, a line break begins a line that reads like a verdict, a bidirectional mark turns a comparison round. So
everything that is displayed goes through ``visible``: what would not stand on the page as one character is spelled out.
"""

from __future__ import annotations

import json
from typing import Any

# Printable to Unicode, and yet nothing is seen: fillers, the blank of Braille, joiners, selectors of variants.
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(map(chr, range(0xfe00, 0xfe10)))
UNSEEN |= frozenset(map(chr, range(0xe0100, 0xe01f0)))
TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
       **{c: "\\" + c for c in "&%$#_{}"}}


def visible(text: object) -> str:
    """The text in one line, with control, format and unseen characters spelled out, as in ``\\x1b`` or ``\\u202e``."""
    return "".join(c if seen(c) else c.encode("unicode_escape", "backslashreplace").decode() for c in str(text))


def seen(c: str) -> bool:
    """Does the character take its place on the page, from left to right?"""
    return c.isprintable() and c not in UNSEEN


def flowing(text: object) -> str:
    """As ``visible``, of prose whose line breaks and tabs are mere blanks."""
    return visible(" ".join(str(text).split()))


def json_text(data: Any, indent: int | None = 1) -> str:
    """JSON that says the same data, and in which every character is seen."""
    text = json.dumps(data, indent=indent, ensure_ascii=False, default=dict)  # of a mapping that cannot be changed
    return "".join(c if seen(c) or c == "\n" else json.dumps(c)[1:-1] for c in text)


def tex_escape(text: str) -> str:
    """Plain text for LaTeX's text mode, every character of it seen."""
    return "".join(TEX.get(c, c) for c in visible(text))
