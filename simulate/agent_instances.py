"""Slotted networks of the throughput-optimal paper, Section 4.3, ready to run: Figure 8's, and random fork-joins.

>>> from qtheory.simulate.agent_instances import figure_8
>>> run = figure_8().run(horizon=2000, windows=20)
>>> bool(run.present[-1] > 500)
True
"""

from __future__ import annotations

import random
from fractions import Fraction

from qtheory.models.network_classics import fork_join, rybko_stolyar_agents
from qtheory.simulate.agents import LENGTHS, PHASES, SlottedAgents


def figure_8(load: int | str | Fraction = "9/10", *, reversed_priority: bool = False, one_token: bool = True
             ) -> SlottedAgents:
    """The two agents of (4.4)-(4.5), each at ``load``, under the printed priority or the reversed one; slots are batch
    times. The fluid model of the printed priority is stable below the load 19/34 and unstable above, that of the
    reversed one stable below 1."""
    network = rybko_stolyar_agents(load)
    return SlottedAgents(network.reversed_priority() if reversed_priority else network, one_token=one_token)


def random_fork_joins(count: int = 50, *, seed: int = 0, loads: tuple[float, float] = (0.6, 0.95)
                      ) -> list[SlottedAgents]:
    """Random instances of Conjecture 1: the four agents' mean lengths, budgets and batch times, the law of the lengths,
    decode or prefill first, and the highest of the four loads of (4.3), uniform between ``loads``.

    Every engine is work-conserving and serves first come, first served in each phase.
    """
    drawn = random.Random(seed)
    found = []
    for _ in range(count):
        tokens = [(drawn.randint(4, 512), drawn.randint(4, 256)) for _ in range(4)]
        budget, batch_time = drawn.choice([64, 128, 256, 512, 768]), drawn.randint(1, 3)
        most = Fraction(drawn.uniform(*loads)).limit_denominator(10**6)
        rate = most * Fraction(budget, batch_time) / max(p + d for p, d in tokens)
        network = fork_join(tokens, rate, budget, batch_time)
        found.append(SlottedAgents(network, drawn.choice(LENGTHS), drawn.choice(PHASES)))
    return found


def slots_for(agents: SlottedAgents, requests: int, windows: int = 200) -> float:
    """Seconds in which about so many requests arrive: a whole number of slots in each of ``windows`` windows."""
    rate = sum(t.rate for t in agents.network.types) * agents.slot_seconds
    return float(agents.slot_seconds * windows * max(1, round(requests / (windows * rate))))
