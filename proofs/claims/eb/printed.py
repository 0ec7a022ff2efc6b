"""Claims about printed numbers: what follows from them, over the half-unit intervals of their last digits.

A number that is computed from printed ones is refuted only if no inputs within half a unit of their last digits
give the printed result to half a unit of its own.  Each quantity here is monotone in its inputs, so that its least
and greatest value over the intervals are values at their ends, and the statement is arithmetic on rationals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.proofs.claims.model import Claim

from .wording import claim

Lines = tuple[int, int]

LEAST, MOST = "least(x, u, y, v)", "most(x, u, y, v)"
# quantity of x and y -> its least and greatest value where x and y are off by at most u and v
BOUNDS: Mapping[str, tuple[str, str]] = {
    "gain": (f"{LEAST} = 100*((y - v)/(x + u) - 1)", f"{MOST} = 100*((y + v)/(x - u) - 1)"),  # percent of y over x
    "cut": (f"{LEAST} = 100*(1 - (y + v)/(x - u))", f"{MOST} = 100*(1 - (y - v)/(x + u))"),  # percent of y under x
    "ratio": (f"{LEAST} = (y - v)/(x + u)", f"{MOST} = (y + v)/(x - u)"),
    "share": (f"{LEAST} = (y - v)/(y - v + x + u)", f"{MOST} = (y + v)/(y + v + x - u)"),  # of y in x + y
    "product": (f"{LEAST} = (x - u)*(y - v)", f"{MOST} = (x + u)*(y + v)"),
    "percent": (f"{LEAST} = 100*(y - v)/(x + u)", f"{MOST} = 100*(y + v)/(x - u)"),  # y in percent of x
}


def half_unit(cell: str) -> Fraction:
    """Half a unit of the last printed digit: "15.3" and "1.9e-5" give 1/20 and 1/2000000."""
    digits, _, exponent = cell.partition("e")
    return Fraction(1, 2) * Fraction(10) ** (int(exponent or 0) - len(digits.partition(".")[2]))


def signed(cell: str) -> str:
    """A percent difference as the tables print it, with its sign; their text here leaves out a plus."""
    return cell if cell.startswith("-") else f"+{cell}"


def conjunction(parts: Iterable[str]) -> str:
    found = list(parts)
    return found[0] if len(found) == 1 else f"And({', '.join(found)})"


def each(cells: Iterable[str], relation: str) -> str:
    """Every cell stands in the relation, such as "> 0.986"."""
    return conjunction(f"{c} {relation}" for c in cells)


def mean(cells: Sequence[str]) -> str:
    return f"({' + '.join(c if not c.startswith('-') else f'({c})' for c in cells)})/{len(cells)}"


@dataclass(frozen=True)
class Result:
    """A printed result, and the bounds between which it can lie: ``bounds`` exact at the printed digits, too."""

    goal: str
    let: tuple[str, ...]
    exact: Fraction
    rounds: bool  # the printed digits themselves give it

    @property
    def remark(self) -> str:
        shown = f"{float(self.exact):.6g}"
        return "" if self.rounds else f"Digits inconsistent: the printed digits give {shown}. "


def exact(quantity: str, x: Fraction, y: Fraction) -> Fraction:
    return {"gain": lambda: 100 * (y / x - 1), "cut": lambda: 100 * (1 - y / x), "ratio": lambda: y / x,
            "share": lambda: y / (x + y), "product": lambda: x * y, "percent": lambda: 100 * y / x}[quantity]()


def result(quantity: str, x: str, y: str, printed: str, unit: str = "") -> Result:
    """That ``printed`` is the quantity of the printed x and y; ``unit``: a number with the digits that count."""
    half = half_unit(unit or printed)
    arguments = f"({x}, {half_unit(x)}, {y}, {half_unit(y)})"
    value = exact(quantity, Fraction(x), Fraction(y))
    return Result(f"And(least{arguments} <= {printed} + {half}, {printed} - {half} <= most{arguments})",
                  BOUNDS[quantity], value, abs(value - Fraction(printed)) <= half)


def results(*parts: Result) -> Result:
    """All of them, of one quantity; the first whose digits are inconsistent is remarked on."""
    odd = next((p for p in parts if not p.rounds), parts[0])
    return Result(conjunction(p.goal for p in parts), parts[0].let, odd.exact, odd.rounds)


def average(cells: Sequence[str], printed: str) -> Result:
    """That ``printed`` is the mean of the printed cells."""
    half, off = half_unit(printed), half_unit(cells[0])
    value = sum(map(Fraction, cells), Fraction(0)) / len(cells)
    return Result(f"Abs({mean(cells)} - ({printed})) <= {half} + {off}", (), value,
                  abs(value - Fraction(printed)) <= half)


def average_gain(pairs: Sequence[tuple[str, str]], printed: str) -> Result:
    """That ``printed`` is the mean of the percent gains of each pair (x, y)."""
    half = half_unit(printed)
    calls = [f"({x}, {half_unit(x)}, {y}, {half_unit(y)})" for x, y in pairs]
    low, high = (f"({' + '.join(name + c for c in calls)})/{len(pairs)}" for name in ("least", "most"))
    value = sum((exact("gain", Fraction(x), Fraction(y)) for x, y in pairs), Fraction(0)) / len(pairs)
    return Result(f"And({low} <= {printed} + {half}, {printed} - {half} <= {high})", BOUNDS["gain"], value,
                  abs(value - Fraction(printed)) <= half)


@dataclass(frozen=True)
class Reading:
    """One reading of an imprecise sentence; ``right``: what holds in place of a false one, and is proved."""

    name: str
    goal: str
    note: str = ""
    let: tuple[str, ...] = ()
    right: str = ""
    right_note: str = ""
    severity: str = "substantive"


class Place:
    """Claims of one section; each method returns a tuple of claims, a correction beside what it corrects."""

    def __init__(self, place: str) -> None:
        self.place = place

    def measured(self, id: str, quote: str, lines: Lines, kind: str = "empirical", note: str = "") -> tuple[Claim, ...]:
        """A measurement of the authors: nothing printed determines it."""
        return (Claim(id, self.place, quote, lines, kind, verdict="reported", note=note),)

    def table(self, number: int, lines: Lines, note: str = "") -> tuple[Claim, ...]:
        """The printed entries of a table."""
        return self.measured(f"eb.table-{number}", f"Table {number}: the printed entries", lines, "table value",
                             note or "Measurements; what the paper computes from them is judged entry by entry.")

    def stated(self, id: str, quote: str, lines: Lines, goal: str, let: tuple[str, ...] = (), *,
               kind: str = "table value", note: str = "", right: str = "", right_note: str = "",
               severity: str = "substantive", right_let: tuple[str, ...] | None = None, where: tuple[str, ...] = (),
               **more: Any) -> tuple[Claim, ...]:
        """A statement; where it is false, ``right`` is what holds."""
        corrected = f"{id}.corrected" if right else None
        first = claim(id, self.place, quote, lines, kind, goal, where, let, note=note, corrected_by=corrected,
                      severity=severity if right else None, **more)
        if corrected is None:
            return (first,)
        return first, claim(corrected, self.place, quote, lines, kind, right, where,
                            let if right_let is None else right_let, corrects=id, note=right_note, **more)

    def computed(self, id: str, quote: str, lines: Lines, found: Result, *, kind: str = "table value", note: str = "",
                 right: Result | None = None, severity: str = "substantive") -> tuple[Claim, ...]:
        """A result that follows from printed numbers; ``right``: the recomputed one, where it does not."""
        if right is None:
            return self.stated(id, quote, lines, found.goal, found.let, kind=kind, note=(found.remark + note).strip())
        return self.stated(id, quote, lines, found.goal, found.let, kind=kind, note=note, right=right.goal,
                           right_let=right.let, severity=severity,
                           right_note=f"The printed digits give {float(right.exact):.6g}.")

    def imprecise(self, id: str, quote: str, lines: Lines, note: str, *parts: Reading, kind: str = "table value",
                  others: tuple[str, ...] = (), **more: Any) -> tuple[Claim, ...]:
        """A sentence without a truth value, and its readings; ``others``: readings that are claims already."""
        names = (*(f"{id}.{p.name}" for p in parts), *others)
        out = [Claim(id, self.place, quote, lines, kind, verdict="imprecise", readings=names, note=note)]
        for p in parts:
            out += self.stated(f"{id}.{p.name}", quote, lines, p.goal, p.let, kind=kind, note=p.note, right=p.right,
                               right_note=p.right_note, severity=p.severity, **more)
        return tuple(out)
