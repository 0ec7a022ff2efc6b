"""How long a statement becomes when its definitions are written out; asked before anything is parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qtheory.errors import InputError

MAX_WORDS = 100_000
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*|[^\sA-Za-z]")


def require_short(goal: str, where: Sequence[str], let: Sequence[str]) -> None:
    """Raise InputError where definitions of definitions would blow a statement up beyond any use."""
    lengths: dict[str, int] = {}

    def length(text: str) -> int:
        return sum(lengths.get(word, 1) for word in WORD.findall(text))

    for text in let:
        head, _, body = text.partition("=")
        name = head.partition("(")[0].strip()
        lengths[name] = length(body)
        if lengths[name] > MAX_WORDS:
            raise InputError(f"the definition of {name[:40]!r}, written out, has more than {MAX_WORDS} words")
    if sum(map(length, (goal, *where))) > MAX_WORDS:
        raise InputError(f"the statement, written out, has more than {MAX_WORDS} words")
