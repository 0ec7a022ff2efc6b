"""``python tests/proofs/silent_errors [--all] [--write PAGE.md]``: run the test of silence and print its figures.

``--all`` prints each statement with what became of it; ``--write`` puts the figures into a page, below the heading
"False statements at every door".
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from silent_errors.silence import classes, figures, run

FIGURES = re.compile(r"(## False statements at every door\n.*?\n\n)\| door.*?refuted \(or rejected\)\.\n", re.DOTALL)


def main(arguments: list[str]) -> int:
    results = [run(group) for group in classes()]
    if "--all" in arguments:
        for result in results:
            print(f"{result.group.door}: {result.group.name} ({result.seconds:.1f} s)")
            for text, word in result.words:
                print(f"  {word:<12} {text}")
    table = figures(results)
    print(f"{table}\n{sum(r.seconds for r in results):.0f} s of processor time")
    if "--write" in arguments:
        page = Path(arguments[arguments.index("--write") + 1])
        text, found = FIGURES.subn(lambda m: f"{m[1]}{table}\n", page.read_text(encoding="utf-8"))
        if not found:
            print(f"{page} has no such section")
            return 1
        page.write_text(text, encoding="utf-8")
    return 0 if all(r.silent for r in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
