"""The study: which faults, which tests are asked of each, and what is written of it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mutation.chosen import CHOSEN
from mutation.chosen_waiting import DRAWN as DRAWN_OF_WAITING
from mutation.chosen_waiting import TESTS as OF_WAITING
from mutation.faults import ROOT, Fault, by_hand, drawn
from mutation.scratch import CLOCK, COMPILED, RUN, Outcome, Scratch
from mutation.table import equivalent

SEED = 25
SECONDS, FIRST = 20.0, 6.0  # taken for a test that was not recorded; of the tests that are asked first
TOGETHER = 25  # faults whose tests are then asked whether they pass without any
RESULTS = ROOT / "tests" / "mutation" / "results.jsonl"
# how many are drawn in each room
DRAWN = {"testing": 40, "theory": 40, "statistics": 30, "networks": 40, "numerics": 30, "models": 20, "profiles": 25,
         "report": 25, "policies": 15, "simulate": 20, "proofs": 30}  # fmt: skip
# of the engine's loop
ENGINE = ("test_policies_by_definition", "test_policies_by_hand", "test_tiling_policies_by_hand", "test_engine",
          "test_control", "test_engine_orders", "test_nested_wait", "test_engine_statistics",
          "test_engine_exact")  # fmt: skip
# tests of compiled code, whose functions no recording sees: by the beginning of a file's name
LOOPS = {"agent": ("test_agents",), "counts": ("test_counts",), "network": ("test_network_kernel", "test_networks"),
         "queues": ("test_network_kernel", "test_networks"), "patience": ("test_network_kernel", "test_edges"),
         "events": ("test_network_kernel",), "random": ("test_random", "test_distributions"),
         "variates": ("test_distributions", "test_random", "test_laws"), "control": ("test_control",),
         "histogram": ("test_engine_statistics", "test_engine"), "loop": ("test_fleet_chain",),
         "gpu_": ("test_fleet_gpus",), "sealed": ("test_sealed_cache",), "distserve": ("test_nodes", *ENGINE),
         "engine_nodes": ("test_nodes",), "engine_memory": ("test_blocks", *ENGINE),
         "engine_order": ("test_blocks", *ENGINE)}  # fmt: skip


def faults(seed: int = SEED) -> Iterator[tuple[Fault, tuple[str, ...]]]:
    """All of the study, each with the tests that should notice it: the chosen ones, then the drawn ones by turns."""
    for file, before, after, tests in CHOSEN:
        yield by_hand(file, before, after), tests
    yield from ((fault, OF_WAITING) for room, start, count in DRAWN_OF_WAITING
                for fault in drawn(room, count, seed, start))
    rooms = {room: drawn(room, count, seed) for room, count in DRAWN.items()}
    for turn in range(max(DRAWN.values())):
        yield from ((found[turn], ()) for found in rooms.values() if turn < len(found))


class Recorded:
    """What each test runs, and how long it takes."""

    def __init__(self, file: Path) -> None:
        self.seconds: dict[str, float] = {}
        self.ran: dict[str, int] = {}
        self.by_function: defaultdict[str, set[str]] = defaultdict(set)
        self.by_file: defaultdict[str, set[str]] = defaultdict(set)
        for line in file.read_text().splitlines() if file.exists() else ():
            test = json.loads(line)
            name, ran = test["test"], test["ran"]
            self.seconds[name], self.ran[name] = test["seconds"], len(ran)
            for function in ran:
                self.by_function[function].add(name)
                self.by_file[function.partition("::")[0]].add(name)

    def asked(self, fault: Fault) -> list[str]:
        """The tests that run the fault's function, the most telling first: of its name, short, and of little else."""
        if fault.file.startswith(COMPILED):
            stem = Path(fault.file).stem
            names = next((files for start, files in LOOPS.items() if stem.startswith(start)), ENGINE)
            return [t for name in names for t in self.seconds if f"/{name}.py::" in t]
        key = f"{fault.file}::{fault.within}"
        running = {*self.by_function[key]} if fault.within else set()
        running |= {t for function, tests in self.by_function.items() for t in tests
                    if fault.within and function.startswith(f"{key}.")}  # a class's methods, a function's own ones
        words = {w for w in Path(fault.file).with_suffix("").parts if len(w) > 3}

        def cost(test: str) -> float:
            named = any(word.rstrip("s") in test.partition("::")[0].rpartition("/")[2] for word in words)
            return (self.seconds[test] + self.ran[test] / 200) * (0.2 if named else 1.0)

        known = {test.partition("::")[0] for test in self.seconds}
        return [*sorted(running or self.by_file[fault.file], key=cost),
                *(file for file in _importing(fault.file) if file not in known)]


def _importing(file: str) -> list[str]:
    """Where nothing is recorded: the files of tests that name the module, those of its name first."""
    path = Path(file).with_suffix("")
    module = ".".join(path.parts if path.parts[0] == "qtheory" else ("qtheory", *path.parts))
    parent, _, name = module.rpartition(".")
    wanted = re.compile(rf"{re.escape(module)}\b|from {re.escape(parent)} import [^\n]*\b{name}\b")
    found = [p for p in sorted((ROOT / "tests").glob("*/test_*.py")) if wanted.search(p.read_text(encoding="utf-8"))]
    found.sort(key=lambda p: (name.rstrip("s") not in p.name, p.stat().st_size))
    return [p.relative_to(ROOT).as_posix() for p in found[:6]]


def judged(fault: Fault, hints: Sequence[str], recorded: Recorded, scratch: Scratch, budget: float,
           unsound: Iterable[str]) -> dict[str, Any]:
    """Show the fault to its tests, at most ``budget`` recorded seconds of them, without those that are not sound."""
    total, compiled, found, count = 0.0, 0, Outcome("", False, 0.0, 0), 0
    left_out = [word for test in unsound for word in ("--deselect", test)]
    for part in _parts([t for t in recorded.asked(fault) if t not in hints], hints, recorded, budget):
        least = 60 if fault.file.startswith(COMPILED) else 15  # what is compiled anew takes its time
        limit = least + 3 * sum(recorded.seconds.get(t, SECONDS) for t in part)
        words = [*(["-m", "not slow"] if part == [*hints] else []), *left_out, *part]
        found = scratch.run(words, fault, limit)
        total, compiled, count = total + found.seconds, compiled + found.compiled, count + len(part)
        if found.failed in (RUN, CLOCK) and scratch.run(words, None, limit).failed == found.failed:
            if found.failed == RUN:
                raise ValueError(f"of the tests recorded for {fault.file} one is there no more; record them anew")
            found = found._replace(failed="")  # the tests take as long without the fault
        if found.failed:
            break
    return {"id": fault.id, "room": fault.room, "file": fault.file, "line": fault.line, "within": fault.within,
            "before": fault.before, "after": fault.after, "origin": fault.origin,
            "outcome": "killed" if found.failed else "survived", "by": found.failed, "asked": count,
            "seconds": round(total, 1), "compiled": compiled}


def _parts(asked: Sequence[str], hints: Sequence[str], recorded: Recorded, budget: float) -> Iterator[list[str]]:
    """The tests that should notice; the first few seconds of the others, for most faults fall there; all others."""
    if hints:
        yield [*hints]
    spent = 0.0
    parts: tuple[list[str], list[str]] = ([], [])
    for test in asked:
        seconds = recorded.seconds.get(test, SECONDS)
        if spent + seconds <= budget:
            parts[spent > FIRST].append(test)
            spent += seconds
    yield from filter(None, parts)


def known(results: Path) -> dict[str, dict[str, Any]]:
    """What was written of earlier faults; of several lines of one fault the last."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return {row["id"]: row for row in map(json.loads, lines)}


def run(wanted: Sequence[tuple[Fault, Sequence[str]]], recorded: Recorded, scratch: Scratch, results: Path,
        budget: float, again: bool = False) -> None:
    """Judge each fault that has no line yet, and write its line at once: a study that is cut off goes on there.
    ``again``: also those that survived, but for those that change nothing. Tests that fail without any fault notice
    none: what they were said to notice is judged anew."""
    before = known(results)
    done = {i for i, row in before.items() if not again or row["outcome"] == "killed" or i in equivalent()}
    sound, unsound = {row["by"] for row in before.values()}, set[str]()
    left = [(fault, hints) for fault, hints in wanted if fault.id not in done]
    while left:
        rows = []
        for fault, hints in left:
            rows.append(row := judged(fault, hints, recorded, scratch, budget, unsound))
            _write(row, results)
            if len(rows) == TOGETHER:
                break
        doubted = sorted({row["by"] for row in rows if "::" in row["by"]} - sound)
        sound |= {*doubted}
        while doubted and (found := scratch.run(doubted, None, 600.0)).failed:
            unsound.add(found.failed)
            doubted = [test for test in doubted if test != found.failed] if found.failed in doubted else []
        for row in rows:
            if row["by"] in unsound:
                _write({**row, "outcome": "survived", "by": ""}, results)
        left = [pair for pair in left if pair[0].id not in {r["id"] for r in rows if r["by"] not in unsound}]


def _write(row: dict[str, Any], results: Path) -> None:
    with results.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{row['outcome']:8} {row['seconds']:6.1f} s  {row['file']}:{row['line']}  {row['before']!r} -> "
          f"{row['after']!r}  {row['by']}", flush=True)  # fmt: skip
