"""The whole campaign: ``cd tests/proofs && python -m meaning [FIRST [LAST [BLOCK]]]``, numbers of statements.

Blocks are printed as they end; to go on after a stop, give the first number that is missing.
"""

from __future__ import annotations

import sys
import time

from .campaign import Tally, run


def main(first: int = 0, last: int = 100_000, block: int = 5_000) -> int:
    whole, begun = Tally(), time.monotonic()
    for start in range(first, last, block):
        tally = run(range(start, min(start + block, last)))
        whole.counts += tally.counts
        whole.findings += tally.findings
        for finding in tally.findings:
            print(finding)
        done, spent = whole.counts["statements"], time.monotonic() - begun
        print(f"up to {min(start + block, last)}: {done} statements, {whole.counts['decided']} decided at each point, "
              f"{len(whole.findings)} disagreements, {done / spent:.0f} a second", flush=True)
    return bool(whole.findings)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
