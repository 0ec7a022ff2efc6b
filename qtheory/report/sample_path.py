"""The plot ``to-path``: the fluid path of the unstable cycle of Figure 8 over the scaled token-level sample path.

Source: throughput-optimal scheduling, Section 4.3, (4.4)-(4.5), printed priority.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qtheory.models.network_classics import rybko_stolyar_agents
from qtheory.networks.tokens import fluid_return
from qtheory.report.style import COLUMN, STYLES, drawn
from qtheory.simulate.agents import SlottedAgents

if TYPE_CHECKING:
    from matplotlib.figure import Figure

START, POINTS, SEED = 4000, 400, 0  # requests at A1 at first; points of the sample path


def picture(suffix: str) -> bytes:
    """The content of each visit over the requests at the start, against slots over the same: sampled and fluid."""
    network = rybko_stolyar_agents()
    back = fluid_return(network, "A1")
    assert back is not None
    slots = round(START * back.duration / POINTS) * POINTS
    run = SlottedAgents(network, start={"A1": START}).run(horizon=slots, windows=POINTS, seed=SEED)
    time = np.arange(POINTS + 1) * (slots / POINTS) / START
    start = [START * (v.name == "A1") for v in network.visits]
    held = np.vstack([start, run.requests]) / START
    corners, contents = back.contents()

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for k, ((colour, dash), v) in enumerate(zip(STYLES, network.visits, strict=False)):
            axes.plot(time, held[:, k], color=colour, linewidth=2.6, alpha=0.35)
            axes.plot([float(t) for t in corners], [float(z[k]) for z in contents], dash, color=colour,
                      label=f"{v.name} at {v.engine}")
        axes.set(xlabel=f"slots / {START:,}", ylabel=f"requests / {START:,}", xlim=(0, time[-1]), ylim=(0, None))
        axes.legend(title="lines: fluid path; bands: sample path")

    return drawn(draw, (COLUMN, 2.6), suffix)
