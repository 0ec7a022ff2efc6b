"""The table and the plot ``to-map``: where the agents of Figure 8 are stable, over the lengths of the two long visits.

Source: throughput-optimal scheduling, Section 4.3: rates and short visits of (4.4)-(4.5), printed priority; the mean
prompts of the long visits, 512 tokens both in the paper, vary. Verdicts on the fluid model are certificates that the
kernel has checked, one for each point; the token-level simulator's stability test stands beside them.
"""

from __future__ import annotations

import dataclasses
from concurrent.futures import Executor
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from qtheory import __version__
from qtheory.models.network import AgentNetwork
from qtheory.models.network_classics import rybko_stolyar_agents
from qtheory.networks import decide
from qtheory.networks.tokens import simulated
from qtheory.report.style import COLUMN, SHADES, STYLES, drawn
from qtheory.report.table import Column, Math, Table, Text, Value
from qtheory.simulate.statistics import stability
from qtheory.simulate.workers import in_order
from qtheory.theory.stability import nominal_loads, virtual_stations

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LENGTHS = tuple(range(64, 641, 96))  # mean prompts of the long visits, tokens
SLOTS, REPLICATIONS, ERROR_RATE, SEED = 40_000, 5, 0.01, 0
LONG = ("B1", "A2")  # the long visits: of type B at agent 1, of type A at agent 2


class Point(NamedTuple):
    """A network of the map: mean prompts of B at agent 1 and of A at agent 2 (tokens), loads, both verdicts.

    ``growth``: the factor of the fluid path's cycle, where it is unstable by one; ``rate``: requests left over a slot
    in the simulation.
    """

    first: int
    second: int
    load: Fraction
    virtual: Fraction
    fluid: str
    growth: Fraction | None
    simulated: str
    rate: float


def network(first: int, second: int) -> AgentNetwork:
    """The paper's instance with these mean prompts of the long visits of B at agent 1 and of A at agent 2."""
    base = rybko_stolyar_agents()
    prompts = dict(zip(LONG, (first, second), strict=True))
    types = []
    for t in base.types:
        visits = tuple(dataclasses.replace(v, prompt=Fraction(prompts.get(v.name, v.prompt))) for v in t.visits)
        types.append(dataclasses.replace(t, visits=visits))
    return dataclasses.replace(base, types=tuple(types))


def loads(agents: AgentNetwork) -> tuple[Fraction, Fraction, Fraction]:
    """Loads of agent 1, of agent 2, and of the virtual station of both long visits."""
    [station] = [v for v in virtual_stations(agents) if not v.pushed]
    assert set(station.visits) == set(LONG)
    one, two = nominal_loads(agents).values()
    return one, two, station.load


def boundary(first: int) -> Fraction:
    """The mean prompt of A at agent 2 at which, beside ``first`` of B at agent 1, the load of agent 2 or of the virtual
    station is 1, whichever comes first: both are affine in it."""
    at_1, at_2 = (loads(network(first, second))[1:] for second in (1, 2))
    return min(1 + (1 - one) / (two - one) for one, two in zip(at_1, at_2, strict=True))


def farthest() -> Fraction:
    """The mean prompt of B at agent 1 at which the load of agent 1 is 1."""
    one, two = (loads(network(first, 1))[0] for first in (1, 2))
    return 1 + (1 - one) / (two - one)


def longest_sum() -> Fraction:
    """The sum of the two mean prompts at which the load of the virtual station is 1."""
    (*_, at_1), (*_, at_2) = (loads(network(1, second)) for second in (1, 2))
    return 2 + (1 - at_1) / (at_2 - at_1)


@cache
def point(first: int, second: int) -> Point:
    """Both verdicts at one point, first <= second: exchanging the lengths renames the agents."""
    agents = network(first, second)
    decision = decide(agents)
    test = stability(simulated(agents, SLOTS, replications=REPLICATIONS, seed=SEED), ERROR_RATE)
    fluid = "overloaded" if decision.overloaded else decision.verdict
    growth = decision.cycle.growth if decision.cycle else None
    one, two, virtual = loads(agents)
    return Point(first, second, max(one, two), virtual, fluid, growth, test.verdict, test.growth.estimate)


def points(executor: Executor | None = None) -> list[Point]:
    """All points of the map with first <= second; an ``executor`` shares them."""
    return list(in_order(_point, [(x, y) for x in LENGTHS for y in LENGTHS if x <= y], executor))


def _point(lengths: tuple[int, int]) -> Point:
    return point(*lengths)


COLUMNS = (
    Column("first", Math("m_1", "m1"), "mean prompt of a long visit", "tokens", once=True),
    Column("second", Math("m_2", "m2"), "mean prompt of the other long visit, at the other agent", "tokens"),
    Column("load", "load", "the higher load of the two agents", digits=4, trim=True),
    Column("virtual", "virtual", "load of the virtual station of both long visits", digits=4, trim=True),
    Column("fluid", "fluid model", "verdict on the fluid model, by a certificate", text=True),
    Column("growth", "growth", "factor by which the fluid path's cycle grows", digits=4),
    Column("simulated", "simulated", "verdict of the token-level simulator's stability test", text=True),
    Column("rate", "left over", "growth of the requests in the simulation in 1000 slots", "requests", digits=2),
)


def table(executor: Executor | None = None) -> Table:
    """The table ``to-map``; an ``executor`` shares its points."""
    rows: list[tuple[Value, ...]] = [
        (p.first, p.second, float(p.load), float(p.virtual), p.fluid, None if p.growth is None else float(p.growth),
         p.simulated, 1000 * p.rate) for p in points(executor)]
    return Table(name="to-map", title="Where two agents of the Rybko-Stolyar type are stable", caption=_caption(),
                 label="tab:to-map", columns=COLUMNS, rows=tuple(rows), version=__version__)


def _caption() -> Text:
    return (
        "The network of Section 4.3 of the throughput-optimal paper with its rates, its short visits and its printed "
        "priority, over the mean prompts ", Math("m_1", "m1"), ", ", Math("m_2", "m2"), " of the two long visits (512 "
        "tokens both in the paper). Off the boundary the fluid model is stable where the load of each agent and that "
        "of the virtual station, the long visits together, are below 1: where both are below "
        f"{float(farthest()):.1f} and their sum is below {float(longest_sum()):.1f} tokens. Each row's verdict has a "
        f"certificate of its own. Growth: the factor of the fluid path's cycle. Left over: growth of the requests in "
        f"1000 slots, simulated as the verdict before it: token by token, {REPLICATIONS} replications of {SLOTS:,} "
        f"slots from the empty network, error rate {ERROR_RATE:g}. Computed by qtheory {__version__}.")


MARKS = {"stable": ("o", STYLES[0][0]), "unstable": ("X", STYLES[1][0]), "undecided": ("s", "0.4")}


def picture(suffix: str) -> bytes:
    """The plot ``to-map``: cells by the certified verdict, marks by the simulated one, lines where a load is 1."""
    found = {(p.first, p.second): p for p in points()}
    found |= {(y, x): p for (x, y), p in found.items()}

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        _cells(axes, found)
        low, high = LENGTHS[0], LENGTHS[-1]
        half = (LENGTHS[1] - LENGTHS[0]) / 2
        end = float(farthest())
        inside = [*range(max(1, int(low - half)), int(end), 8), int(end)]
        x, y = [*map(float, inside), end, end], [float(boundary(n)) for n in inside]
        axes.plot(x, [*y, y[-1], low - half], color="black", linewidth=1.2, label="an agent's or virtual load is 1")
        axes.plot(512, 512, "*", color="black", markersize=9, markeredgecolor="white", label="the paper's instance")
        axes.set(xlabel="mean prompt of B at agent 1 (tokens)", ylabel="mean prompt of A at agent 2 (tokens)",
                 xlim=(low - half, high + half), ylim=(low - half, high + half), aspect="equal")
        figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, columnspacing=1.0,
                      handletextpad=0.5)

    return drawn(draw, (COLUMN, 4.15), suffix)


def _cells(axes: Axes, found: dict[tuple[int, int], Point]) -> None:
    from matplotlib.patches import Rectangle

    half = (LENGTHS[1] - LENGTHS[0]) / 2
    seen = dict.fromkeys(p.fluid for p in found.values())
    for (x, y), p in found.items():
        axes.add_patch(Rectangle((x - half, y - half), 2 * half, 2 * half, facecolor=SHADES[p.fluid], linewidth=0))
    for verdict in seen:
        axes.add_patch(Rectangle((0, 0), 0, 0, facecolor=SHADES[verdict], label=f"fluid model {verdict}"))
    for verdict, (mark, colour) in MARKS.items():
        there = [xy for xy, p in found.items() if p.simulated == verdict]
        if there:
            axes.plot(*zip(*there, strict=True), mark, color=colour, markersize=3.5, markeredgewidth=0,
                      label=f"simulated {verdict}")
