"""Planted faults, and which of them the tests notice.

    python tests/mutation run [--room ROOM] [--slice | --named | --chosen | --drawn] [--again] [--most N]
    python tests/mutation table [--write docs/measurements.md]
    python tests/mutation check

``run`` plants what has no line in ``results.jsonl`` yet, one fault at a time, in a copy of the checkout; ``table``
prints the table of the results; ``check`` fails where fewer than the promised share were killed. A recording of which
tests run which functions (``recording.py``), kept as build/mutation/record.jsonl, makes runs short; without it the
tests that import a module are asked. A fault that changes nothing that can be observed is in ``equivalent.toml``, with
why.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import study, table
from mutation.chosen import NAMED, SLICE
from mutation.faults import CHOSEN, DRAWN, ROOMS, ROOT
from mutation.scratch import Scratch, warm


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("run", "table", "check"))
    parser.add_argument("--room", choices=ROOMS)
    origin = parser.add_mutually_exclusive_group()
    for name in ("slice", "named", CHOSEN, DRAWN):
        origin.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--most", type=int, default=10**6)
    parser.add_argument("--budget", type=float, default=120.0, help="recorded seconds of tests that a fault is shown")
    parser.add_argument("--again", action="store_true", help="plant anew what has survived so far")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where one of them survives")
    parser.add_argument("--results", type=Path, default=study.RESULTS)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    if given.what == "run":
        wanted = [(f, hints) for i, (f, hints) in enumerate(study.faults())
                  if given.room in (None, f.room) and (not (given.named or given.slice) or i < len(NAMED))
                  and (not given.slice or hints in SLICE)
                  and (not given.chosen or f.origin == CHOSEN) and (not given.drawn or f.origin == DRAWN)]
        recorded = study.Recorded(ROOT / "build" / "mutation" / "record.jsonl")
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            scratch = Scratch(Path(folder))
            scratch.fill()
            warm()
            study.run(wanted[:given.most], recorded, scratch, given.results, given.budget, given.again)
        rows, asked = study.known(given.results), wanted[:given.most]
        killed = sum(rows[fault.id]["outcome"] == "killed" for fault, _ in asked)
        print(f"{killed} of {len(asked)} killed")
        return 1 if given.strict and killed < len(asked) else 0
    rows = study.known(given.results)
    if given.what == "check":
        missed = table.missed(rows)
        print("\n".join(missed) or "as promised")
        return 1 if missed else 0
    text = table.table(rows)
    print(text)
    if given.write:
        given.write.write_text(table.written(given.write.read_text(encoding="utf-8"), text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
