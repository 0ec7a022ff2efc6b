"""Names of one document that would look alike in it, in formulas that stand apart: they are written as typed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from qtheory.proofs.printing import LOOK_ALIKE, LatexPrinter

OWN = {"e": "exp", "W_0": "LambertW"}  # how the exponential and LambertW are written


@contextmanager
def apart(names: Iterable[str]) -> Iterator[None]:
    """Within it the look-alikes among these names of a document are written as they were typed."""
    before = LOOK_ALIKE.set(look_alike(names))
    try:
        yield
    finally:
        LOOK_ALIKE.reset(before)


def look_alike(names: Iterable[str]) -> frozenset[str]:
    """Those of the names that are written like another, or like a function of the language, and that function."""
    shown, printer = defaultdict[str, set[str]](set), LatexPrinter()
    for name in names:
        shown[printer.pretty(name)].add(name)
    for sign, function in OWN.items():
        if (text := printer.pretty(sign)) in shown:
            shown[text].add(function)
    return frozenset(n for alike in shown.values() if len(alike) > 1 for n in alike)
