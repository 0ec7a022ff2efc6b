"""Numbers that follow from printed ones, over the half-unit intervals of their last digits.

A number that is computed from printed ones is refuted only if no inputs within half a unit of their last digits
give the printed result to half a unit of its own.  Each quantity here is monotone in its inputs, so that its least
and greatest value over the intervals are values at their ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

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


def exact(quantity: str, x: Fraction, y: Fraction) -> Fraction:
    return {"gain": lambda: 100 * (y / x - 1), "cut": lambda: 100 * (1 - y / x), "ratio": lambda: y / x,
            "share": lambda: y / (x + y), "product": lambda: x * y, "percent": lambda: 100 * y / x}[quantity]()
