"""Time to a certified counterexample, for each of the tests' false statements.

Run it as ``python tests/benchmarks/counterexamples.py``; it exits 1 when one takes more than the promised second.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "proofs"))
from false_statements import FALSE

import qtheory.proofs.tactics.prover  # noqa: F401  (loaded before the clock starts)
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.refute import refute

PROMISED = 1.0  # seconds of a processor


def main() -> int:
    """Print the median and the slowest; 1 when a statement is not refuted in the promised time."""
    seconds = {}
    for goal, where in FALSE:
        start = time.process_time()
        found = refute(Statement(goal, where), after(10 * PROMISED))
        seconds[goal] = time.process_time() - start if found else float("inf")
    slowest = max(seconds, key=seconds.__getitem__)
    print(f"{len(seconds)} counterexamples: median {sorted(seconds.values())[len(seconds) // 2]:.3f} s, slowest "
          f"{seconds[slowest]:.3f} s ({slowest})   promised {PROMISED:g} s; ratio {PROMISED / seconds[slowest]:.3g}"
          + ("" if seconds[slowest] <= PROMISED else "  MISSED"))
    return int(seconds[slowest] > PROMISED)


if __name__ == "__main__":
    sys.exit(main())
