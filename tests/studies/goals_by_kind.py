"""Goals of the field that are not the corpus's: those proved and refuted within budget 10, by kind.

    python tests/studies/goals_by_kind.py [--held-out] [--write] [FILE]

FILE (build/goals.jsonl) keeps what was judged, so that a run goes on after a stop.  With ``--write`` the table and the
list of misses of the open half replace those of docs/measurements.md.  Exit status 1 where a verdict is wrong.  The
goals that are held out are run for a figure alone: their texts are not printed.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "proofs"))

from goals.loading import read_all
from goals.running import is_wrong, misses, results, run, table

ROOT = Path(__file__).resolve().parents[2]
BUDGET = 10.0
PAGE = ROOT / "docs" / "measurements.md"
SECTION = re.compile(r"(?<=<!-- goals by kind -->\n).*?(?=<!-- end of goals by kind -->)", re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("file", nargs="?", type=Path, default=ROOT / "build" / "goals.jsonl")
    given = parser.parse_args()
    goals = [goal for goal in read_all() if goal.held_out is given.held_out]
    run(goals, BUDGET, given.file)
    known = results(given.file, BUDGET)
    wrong = [goal.id for goal in goals if is_wrong(goal, known[goal.text][0])]
    print(figures := table(goals, given.file, BUDGET))
    if given.write and not given.held_out:
        text = f"\n{figures}\n\nWhat was left open, and why:\n\n{misses(goals, given.file, BUDGET)}\n\n"
        page, count = SECTION.subn(lambda _: text, PAGE.read_text(encoding="utf-8"))
        if not count:
            raise ValueError("the page has no section of goals by kind")
        PAGE.write_text(page, encoding="utf-8")
    print("wrong: " + (", ".join(wrong) or "none"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
