"""The tiling paper's law: the best chunks of a long prompt, and capacity bounds of all shipped profiles, warm.

Times are processor time. Run as ``python tests/benchmarks/bench_tiling.py``: prints the figures, and exits 1 where a
promised one is missed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

from qtheory.report import regret, tiling

PROMPT, LIMITS = 131_072, (None, 512, 8192, 1000)
PROMISED_CHUNKS, PROMISED_BOUNDS = 0.1, 2.0  # seconds


def best_of_three(work: Callable[[], object]) -> float:
    spent = []
    for _ in range(4):
        begin = time.process_time()
        work()
        spent.append(time.process_time() - begin)
    return min(spent[1:])


def main() -> int:
    missed = False
    for limit in LIMITS:
        works = (partial(law.chunks, PROMPT, limit) for law in tiling.tile_laws().values())
        seconds = max(map(best_of_three, works))
        missed |= seconds > PROMISED_CHUNKS
        print(f"the best chunks of {PROMPT:,} tokens, at most {limit or PROMPT:,} each, slowest tile: {seconds:.3f} s,"
              f" promised at most {PROMISED_CHUNKS:g}; ratio {PROMISED_CHUNKS / seconds:.3g}"
              + ("  MISSED" if seconds > PROMISED_CHUNKS else ""))
    shipped = tiling.usable(regret.usable())
    seconds = best_of_three(lambda: [tiling.bounds(p.law, slots) for p in shipped for slots in (None, tiling.COLUMNS)])
    missed |= seconds > PROMISED_BOUNDS
    print(f"capacity bounds of {len(shipped)} shipped profiles, with and without {tiling.COLUMNS} slots: "
          f"{seconds:.2f} s, promised at most {PROMISED_BOUNDS:g}; ratio {PROMISED_BOUNDS / seconds:.3g}"
          + ("  MISSED" if seconds > PROMISED_BOUNDS else ""))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
