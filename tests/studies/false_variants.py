"""False variants of proved claims: 20 of each, of which 5 near, each refuted by both checkers and none called proved.

    python tests/studies/false_variants.py FOLDER [--all]

Sections 3.1 to 3.2.1 and Appendix B of the exclusive-batching paper whole, of the rest of each paper one claim in six;
with ``--all`` every proved claim, which takes hours. What is said of any function is asked where
`tests/proofs/variant_tables.py` has a model of it. A claim that has held has a line in FOLDER/variants.txt, and is
not asked again. Exits with 1 where one does not hold.
"""

from __future__ import annotations

import sys
import traceback
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "proofs"))

from variant_checks import PROVED, answerable, held

from qtheory.proofs.claims.model import Claim

PART = 6


def drawn(claim: Claim) -> bool:
    first, _ = claim.lines
    return ((claim.id.startswith("eb.") and (first <= 121 or 514 <= first <= 712))
            or zlib.crc32(claim.id.encode()) % PART == 0)  # fmt: skip


def main(folder: str, *options: str) -> int:
    kept = Path(folder) / "variants.txt"
    kept.parent.mkdir(parents=True, exist_ok=True)
    done = {line.partition(":")[0] for line in kept.read_text().splitlines()} if kept.exists() else set()
    asked, missed = [c for c in PROVED if answerable(c) and ("--all" in options or drawn(c))], 0
    for claim in asked:
        if claim.id in done:
            continue
        try:
            found = held(claim)
        except AssertionError:
            missed += 1
            print(f"{claim.id}: does not hold\n{traceback.format_exc()}", flush=True)
            continue
        with kept.open("a") as out:
            out.write(f"{claim.id}: {len(found)} variants, {sum(v.near for v in found)} near\n")
    print(f"{len(asked) - missed} of {len(asked)} claims have false variants enough, none of them proved")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
