"""Figure 8 of the throughput-optimal paper recomputed: two agents of the Rybko-Stolyar type, token by token.

The figure's curves are pictures; what the paper says of them in numbers is the load 0.9, and in words that the printed
priority grows without bound and the reversed one does not. Beside the simulation stands the fluid model.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from qtheory.models.network import AgentNetwork
from qtheory.models.network_classics import rybko_stolyar_agents
from qtheory.networks import Decision, decide
from qtheory.networks.tokens import Array, fluid_return, growth, returned, simulated, spiral
from qtheory.report.reproduce_rows import Progress, Reproduced, Row, measured
from qtheory.report.style import PAGE, STYLES, drawn
from qtheory.report.table import Text
from qtheory.simulate.agent_runs import AgentRun
from qtheory.simulate.statistics import stability
from qtheory.theory.stability import nominal_loads, virtual_stations

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOAD = Fraction(9, 10)
LONG, SLOTS, REPLICATIONS, ERROR_RATE, SEED = 1_000_000, 200_000, 10, 0.01, 0  # LONG: slots of the growing network
SIDES = (Fraction(54, 100), Fraction(58, 100))  # loads below and above the critical one, 19/34
STARTS = (1_000, 16_000)  # requests at A1 from which a cycle begins
SHOWN = 20_000  # slots of the picture
PER = 1000  # slots: growth is in requests for so many


class Panel(NamedTuple):
    """A network of the figure: what the fluid model says and what the simulation does."""

    network: AgentNetwork
    decision: Decision
    runs: list[AgentRun]

    @classmethod
    def of(cls, network: AgentNetwork, slots: int, executor: Executor | None, **options: bool) -> Panel:
        """Both for a network, its runs with windows fine enough for its cycle."""
        runs = simulated(network, slots, replications=REPLICATIONS, seed=SEED, windows=slots // 200, executor=executor,
                         **options)
        return cls(network, decide(network), runs)

    @property
    def tested(self) -> str:
        """The verdict of the simulator's stability test."""
        return stability(self.runs, ERROR_RATE).verdict


def critical_load() -> Fraction:
    """The load of each agent at which the virtual station of the long visits, A2 and B1, has load 1."""
    network = rybko_stolyar_agents(LOAD)
    return LOAD / max(v.load for v in virtual_stations(network) if not v.pushed)


def figure_8(progress: Progress, executor: Executor | None = None) -> Reproduced:
    """The rows of ``to-fig8``; an ``executor`` shares the replications."""
    rows: list[Row] = []
    printed = rybko_stolyar_agents(LOAD)
    networks = {"up": printed, "down": printed.reversed_priority(), "half": rybko_stolyar_agents(LOAD / 2)}
    panels = {}
    for done, (name, network) in enumerate(networks.items()):
        panels[name] = Panel.of(network, LONG if name == "up" else SLOTS, executor)
        progress(done + 1, 7)
    rows += _up(panels["up"], executor)
    rows += _stays("down: reversed", panels["down"])
    rows += _stays("up, 0.9 in all", panels["half"])
    progress(4, 7)
    sides = []
    for done, load in enumerate(SIDES):
        sides.append(Panel.of(rybko_stolyar_agents(load), SLOTS, executor))
        rows += _side(load, sides[-1], executor)
        progress(5 + done, 7)
    rows += _rule(executor)
    progress(7, 7)
    return Reproduced("Two agents of the Rybko-Stolyar type", _caption(panels, sides), rows)


def _up(panel: Panel, executor: Executor | None) -> Iterator[Row]:
    place, cycle = "up: printed", panel.decision.cycle
    assert cycle is not None
    yield Row(place, "load of each agent", float(LOAD), float(max(nominal_loads(panel.network).values())))
    yield Row(place, "critical load, fluid", None, float(critical_load()))
    least, most = map(float, cycle.rates())
    yield Row(place, "growth, fluid", None, PER * (least + most) / 2)  # the same all along this cycle
    yield measured(place, "growth", PER * growth(panel.runs))
    tokens = map(float, cycle.rates([v.length for v in panel.network.visits]))
    sampled = spiral(panel.runs, float(cycle.growth))
    for end, fluid, values in zip(("least", "most"), tokens, sampled, strict=True):
        yield Row(place, f"tokens a slot, {end}, fluid", None, fluid)
        yield measured(place, f"tokens a slot, {end}", values)
    back = fluid_return(panel.network, "A1")
    assert back is not None
    yield Row(place, "cycle's factor, fluid", None, float(back.growth))
    yield measured(place, f"cycle's factor from {STARTS[0]:,}",
                   returned(panel.network, back, STARTS[0], replications=REPLICATIONS, seed=SEED, executor=executor))


def _stays(place: str, panel: Panel) -> Iterator[Row]:
    half = slice(panel.runs[0].windows // 2, None)
    yield Row(place, "load of each agent", None, float(max(nominal_loads(panel.network).values())))
    yield measured(place, "growth", PER * growth(panel.runs))
    yield measured(place, "requests present", np.array([r.level[half].mean() for r in panel.runs]))
    yield measured(place, "unprocessed tokens",
                   np.array([r.tokens[half].sum(axis=1).mean() for r in panel.runs]))


def _side(load: Fraction, panel: Panel, executor: Executor | None) -> Iterator[Row]:
    place = f"load {float(load):g}"
    cycle = panel.decision.cycle
    yield Row(place, "growth, fluid", None, 0.0 if cycle is None else PER * float(cycle.rates()[0]))
    yield measured(place, "growth", PER * growth(panel.runs))
    yield measured(place, "growth without the rule",
                   PER * growth(Panel.of(panel.network, SLOTS, executor, one_token=False).runs))


def _rule(executor: Executor | None) -> Iterator[Row]:
    """What the rule of one output token in a batch adds to what returns at the critical load, from two starts."""
    network = rybko_stolyar_agents(critical_load())
    back = fluid_return(network, "A1")
    assert back is not None
    place = f"load {critical_load()}"
    yield Row(place, "cycle's factor, fluid", None, float(back.growth))
    for count in STARTS:
        with_rule, without = (returned(network, back, count, replications=REPLICATIONS, seed=SEED, executor=executor,
                                       one_token=one) for one in (True, False))
        yield measured(place, f"cycle's factor from {count:,}", with_rule)
        yield measured(place, f"added by the rule, {count:,}", count * (with_rule - without))


def _caption(panels: dict[str, Panel], sides: list[Panel]) -> Text:
    said = {name: f"{p.decision.verdict} (test of the simulation: {p.tested})" for name, p in panels.items()}
    near = ", ".join(f"{p.tested} at {float(load):g}" for load, p in zip(SIDES, sides, strict=True))
    return (
        f"Section 4.3, (4.4)-(4.5): two agents, token by token, {REPLICATIONS} replications of {SLOTS:,} slots (the "
        f"first panel: {LONG:,}) from the empty network; what is not said to be fluid is simulated. Growth: of the "
        f"requests in {PER:,} slots. Tokens a slot: unprocessed tokens over the time, the least and the most in a "
        "cycle. Cycle's factor: requests present after a cycle over those at A1 at its start, as many as are named. "
        "The paper prints the load alone; its figure says that the printed priority grows and the reversed one does "
        f"not. By certificates of the fluid model and the stability test (error rate {ERROR_RATE:g}) the printed "
        f"priority is {said['up']}, the reversed one {said['down']}: figure and instance agree if 0.9 is the load of "
        f"each agent. Read as that of both together the printed priority is {said['half']}, and the upper panels would "
        "not grow. One output token of a request in a batch, a rule that the fluid model does not know, adds a number "
        f"of requests to a cycle that does not grow with it, and moves no critical load: the test says {near}.",)


def picture(suffix: str) -> bytes:
    """Requests and unprocessed tokens at both agents over slots: the printed priority above, the reversed below."""
    network = rybko_stolyar_agents(LOAD)

    def draw(figure: Figure) -> None:
        grid = figure.subplots(2, 2, sharex=True)
        for row, title, agents in zip(grid, ("printed priority", "reversed priority"),
                                      (network, network.reversed_priority()), strict=True):
            [run] = simulated(agents, SHOWN, replications=1, seed=SEED)
            _curves(row[0], run, run.requests, f"requests, {title}")
            _curves(row[1], run, run.tokens / 1000, f"thousand tokens, {title}")
        for axes in grid[1]:
            axes.set_xlabel("slots")
        figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2)

    return drawn(draw, (PAGE, 3.8), suffix)


def _curves(axes: Axes, run: AgentRun, values: Array, label: str) -> None:
    """What is at each agent, one line each."""
    slots = (1 + np.arange(run.windows)) * (run.slots // run.windows)
    network = run.model.network
    for (colour, dash), engine in zip(STYLES, network.engines, strict=False):
        here = [k for k, v in enumerate(network.visits) if v.engine == engine.name]
        axes.plot(slots, values[:, here].sum(axis=1), dash, color=colour, label=engine.name)
    axes.set(ylabel=label, xlim=(0, slots[-1]), ylim=(0, None))
    axes.xaxis.set_major_formatter("{x:,.0f}")
