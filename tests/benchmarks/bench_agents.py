"""Slots a minute of the slotted network of LLM engines: the instance of the throughput-optimal paper, (4.4)-(4.5).

Under the printed priority it grows by 0.86 requests a slot, under the reversed one it is stable; what a slot costs must
not grow with the backlog. Times are processor time. Run as ``python tests/benchmarks/bench_agents.py``: prints the
figures and exits 1 where a promised one is missed.
"""

from __future__ import annotations

import sys
import time

from qtheory.models.network import AgentNetwork
from qtheory.models.network_classics import rybko_stolyar_agents
from qtheory.simulate.agents import SlottedAgents

SLOTS, FEW_SLOTS, PROMISED_SECONDS, PROMISED_GROWTH = 10_000_000, 200_000, 60.0, 2.0


def seconds(network: AgentNetwork, slots: int) -> tuple[float, int]:
    """Processor seconds of a run from the empty network, and the requests present at its end."""
    begin = time.process_time()
    run = SlottedAgents(network).run(horizon=slots, windows=100)
    return time.process_time() - begin, run.left_over


def main() -> int:
    """Exit status: 1 if a promised figure is missed."""
    printed = rybko_stolyar_agents()
    missed = False
    for name, network in (("printed", printed), ("reversed", printed.reversed_priority())):
        seconds(network, 1000)  # compiles, or loads
        few = min(seconds(network, FEW_SLOTS)[0] for _ in range(3)) / FEW_SLOTS
        took, present = seconds(network, SLOTS)
        growth = took / SLOTS / few
        missed |= took > PROMISED_SECONDS or growth > PROMISED_GROWTH
        print(f"{name} priority: {SLOTS / 1e6:g} million slots in {took:.1f} s (promised: under {PROMISED_SECONDS:g}), "
              f"{present} requests at the end; a slot costs {growth:.2f} times one of a run of {FEW_SLOTS:,} slots "
              f"(promised: at most {PROMISED_GROWTH:g})")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
