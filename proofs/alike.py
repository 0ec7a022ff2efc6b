"""Names of one document that would look alike in it, in formulas that stand apart: they are written as typed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from qtheory.proofs.printing import LOOK_ALIKE, LatexPrinter

OWN = ("e", "W_0")  # how Euler's number and LambertW are written


@contextmanager
def apart(names: Iterable[str]) -> Iterator[None]:
    """Within it the look-alikes among these names of a document are written as they were typed."""
    before = LOOK_ALIKE.set(look_alike(names))
    try:
        yield
    finally:
        LOOK_ALIKE.reset(before)


def look_alike(names: Iterable[str]) -> frozenset[str]:
    """Those of the names that are written like another, or like a constant or function of the language."""
    shown, printer = defaultdict[str, set[str]](set), LatexPrinter()
    for name in names:
        shown[printer.pretty(name)].add(name)
    own = {printer.pretty(name) for name in OWN}
    return frozenset(n for text, alike in shown.items() if len(alike) > 1 or text in own for n in alike)
