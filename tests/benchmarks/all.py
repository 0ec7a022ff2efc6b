"""Every promised figure in one run: ``python tests/benchmarks/all.py`` (``make bench``); exits 1 if one is missed."""

from __future__ import annotations

import sys

import bench_agents
import bench_capacity
import bench_engine
import bench_fleet
import bench_laws
import bench_network
import bench_report
import bench_tiling
import bench_waiting
import counterexamples
import first_call
import network_table
import special_base_threshold

# One scenario of each kind of model, and the one that compiles most; by itself the program takes all.
FIRST_CALLS = ["mm1", "chain-processor-sharing", "policy-sarathi", "to-figure-1"]
BENCHMARKS = {
    "Counterexamples": counterexamples.main,
    "Base threshold": special_base_threshold.main,
    "Network loop, M/M/10 at load 0.9": bench_network.main,
    "Networks with a published answer": lambda: network_table.main([]),
    "LLM engine, Sarathi-Serve, saturated": bench_engine.main,
    "Iteration-time laws in the engine": bench_laws.main,
    "From measured kernels to a verdict": bench_capacity.main,
    "Chunks and capacity by the tile law": bench_tiling.main,
    "WAIT's thresholds, roots, and ten million requests": bench_waiting.main,
    "Slotted network of LLM engines, Rybko-Stolyar": bench_agents.main,
    "Clusters on two levels, ten million requests behind a router": bench_fleet.main,
    "The report's page in Chromium": bench_report.main,
    "First call, from an empty cache": lambda: first_call.main(FIRST_CALLS),
}


def main() -> int:
    missed = []
    for title, benchmark in BENCHMARKS.items():
        print(f"{title}\n{'-' * len(title)}", flush=True)
        if benchmark():
            missed.append(title)
        print(flush=True)
    print("every promised figure is reached" if not missed else f"MISSED: {'; '.join(missed)}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
