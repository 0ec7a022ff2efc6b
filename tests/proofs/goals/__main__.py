"""``python tests/proofs/goals run``: give the goals to the prover and print what became of them, by kind.

``--budget S`` seconds a goal (10); ``--open`` or ``--held-out`` for one half; ``--kind K`` for one kind; ``--most N``
to judge at most N more; ``--results FILE`` (build/goals.jsonl) keeps what is done, so that a run goes on after a stop;
``--misses`` lists the goals without a verdict.  Exit status 1 where a false goal is proved or a true one refuted.

``python tests/proofs/goals labels [--kind K]`` looks at each label by numbers alone.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from goals.labels import problems
from goals.loading import Goal, kinds, read_all
from goals.running import command, is_wrong, results, run, table


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tests/proofs/goals")
    parser.add_argument("what", choices=("run", "labels"))
    parser.add_argument("--budget", type=float, default=10.0)
    half = parser.add_mutually_exclusive_group()
    half.add_argument("--open", dest="half", action="store_const", const="open")
    half.add_argument("--held-out", dest="half", action="store_const", const="held out")
    parser.add_argument("--kind", choices=kinds())
    parser.add_argument("--most", type=int)
    parser.add_argument("--results", type=Path, default=Path("build/goals.jsonl"))
    parser.add_argument("--misses", action="store_true")
    return parser.parse_args(arguments)


def chosen(given: argparse.Namespace) -> list[Goal]:
    return [goal for goal in read_all() if given.kind in (None, goal.kind)
            and given.half in (None, "held out" if goal.held_out else "open")]


def main(arguments: list[str]) -> int:
    given = options(arguments)
    goals = chosen(given)
    if given.what == "labels":
        found = [problem for goal in goals for problem in problems(goal)]
        print(*found, f"{len(goals)} labels looked at, {len(found)} problems", sep="\n")
        return 1 if found else 0
    run(goals, given.budget, given.results, given.most)
    known = results(given.results, given.budget)
    wrong = [goal for goal in goals if goal.text in known and is_wrong(goal, known[goal.text][0])]
    if given.misses:
        for goal in goals:
            if goal.text in known and known[goal.text][0] not in ("proved", "refuted"):
                print(f"{goal.id} ({'true' if goal.true else 'false'}): {command(goal, given.budget)}")
    print(table(goals, given.results, given.budget))
    for goal in wrong:
        print(f"WRONG, {'true' if goal.true else 'false'} and {known[goal.text][0]}: {command(goal, given.budget)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
