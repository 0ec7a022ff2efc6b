"""A region of arrival rates in a reader's words, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from qtheory.networks.certified_cells import CHECKED
from qtheory.networks.wording import every_order, named, some_order
from qtheory.numerics.polytopes import Polytope
from qtheory.proofs.visible import visible
from qtheory.theory.fluid import FluidModel

if TYPE_CHECKING:
    from qtheory.networks.regions import Region

SHOWN = 6  # polygons of a verdict that are told
ANSWER = {"stable": "stable", "unstable": "not stable", "undecided": "undecided"}


def number(value: Fraction) -> str:
    """Exact where that is short, else with nine digits."""
    return str(value) if len(str(value)) <= 12 else f"{float(value):.9g}.."


def point(values: Sequence[Fraction]) -> str:
    return f"({', '.join(map(number, values))})"


def lines(region: Region) -> list[str]:
    """Where the network is stable, where it is not, and what is not known."""
    title = region.network.title
    found = [f"network {title!r} (the file's words, not checked)" if title else "network",
             f"  over {_axes(region)}"]
    found += _verdicts(region)
    return [visible(line) for line in found]


def factor_lines(region: Region) -> list[str]:
    """The intervals of the factor of all arrival rates, as a line below a decision, whose scope is theirs."""
    told = []
    for verdict in ANSWER:
        some = [told_polytope(region, p, verdict) for p in sorted(region.merged(verdict), key=lambda p: p.vertices[0])]
        if some:
            told.append(f"{ANSWER[verdict]} in {', '.join(some[:SHOWN])}{', ..' * (len(some) > SHOWN)}")
    if region.whole is not None:
        told.append(f"an engine is overloaded above {number(max(v[0] for v in region.whole.vertices))}")
    return [f"  for all factors of the arrival rates, certified as intervals: {'; '.join(told)}"]


def _axes(region: Region) -> str:
    if region.axes == ("factor",):
        return "the factor of all arrival rates"
    rates = "rate" if len(region.axes) == 1 else "rates"
    others = [t.name for t in region.network.types if t.name not in region.axes]
    rest = f", those of {', '.join(map(named, others))} as in the file" if others else ""
    return f"the arrival {rates} of {', '.join(map(named, region.axes))}, in requests a second{rest}"


def _verdicts(region: Region) -> list[str]:
    static = FluidModel.of(region.network).is_static
    orders = {"stable": every_order(region.network),
              "unstable": (every_order if static else some_order)(region.network)}
    told = []
    if region.whole is None:
        told.append("  no rates of these leave every engine a load below 1")
    for verdict in ("stable", "unstable", "undecided"):
        some = region.merged(verdict)
        if not some:
            continue
        under = f" under {orders[verdict]}" if verdict in orders else ""
        word = "unstable" if verdict == "unstable" and not static else ANSWER[verdict]
        shown = "; ".join(told_polytope(region, p, verdict) for p in some[:SHOWN])
        more = f"; and {len(some) - SHOWN} more, in the JSON" if len(some) > SHOWN else ""
        share = f", {100 * float(region.share(verdict)):.4g}% of the rates without an overloaded engine" \
            if verdict == "undecided" else ""
        told.append(f"  {word}{under}: {shown}{more}{share}")
    told += [f"  not stable under any order of service where {c.reason}" for c in region.beyond]
    if any(c.certified for c in (*region.cells, *region.beyond)):
        told.append(f"  checked: {CHECKED}")
    return told


def told_polytope(region: Region, polytope: Polytope, verdict: str) -> str:
    """An interval with its ends in or out; a polygon by its corners, with the sides, and corners of other sides, that
    it does not hold on; the inside of a body by its corners."""
    corners = polytope.vertices
    if polytope.dimension == 1:
        (low,), (high,) = corners[0], corners[-1]
        holds = [verdict == "undecided" or region.at((x,)) == verdict for x in (low, high)]
        return f"{'[' if holds[0] else '('}{number(low)}, {number(high)}{']' if holds[1] else ')'}"
    if polytope.dimension == 3:
        return f"the inside of the body with corners {', '.join(map(point, corners))}"
    sides = list(zip(corners, [*corners[1:], corners[0]], strict=True))
    if verdict == "undecided":
        return f"the polygon {', '.join(map(point, corners))}"
    middles = [tuple((x + y) / 2 for x, y in zip(p, q, strict=True)) for p, q in sides]
    out = [side for side, m in zip(sides, middles, strict=True) if region.at(m) != verdict]
    alone = [v for v in corners if region.at(v) != verdict and not any(v in side for side in out)]
    without = [f"the {what}{'s' * (len(some) > 1)} {', '.join(some)}" for what, some in (
        ("side", [f"{point(p)} to {point(q)}" for p, q in out]), ("corner", list(map(point, alone)))) if some]
    left_out = f" without {' and '.join(without)}" if without else ""
    return f"the polygon {', '.join(map(point, corners))}{left_out}"


__all__ = ["factor_lines", "lines", "number", "told_polytope"]
