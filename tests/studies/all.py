"""The whole studies, of which the tests run slices: two at a time, each failing where its promised figure is missed.

    python tests/studies/all.py [--full] [--within MINUTES] [FOLDER]

After so many MINUTES none is begun, and those that run are ended: they miss nothing, and are named.
Of the campaign of 100,000 statements, half an hour of a processor, three tenths are run; with ``--full`` all of it.

What a study prints is kept in FOLDER (build/studies), below a name of all sources: one that has ended well is not run
again while they stand as they are, and those that keep their parts go on with them.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
SOURCES = ("qtheory", "numerics", "simulate", "proofs", "tests")
AT_ONCE = 2
ENDED = "ended"  # by the clock


class Study(NamedTuple):
    """What it asks; its command, which takes a folder for what it keeps; where it runs."""

    name: str
    command: Callable[[Path], list[str]]
    where: Path = ROOT


def meaning(first: int, last: int) -> Study:
    return Study(f"statements {first:,} to {last:,}: both checkers read what is meant",
                 lambda kept: ["-m", "meaning", str(first), str(last)], TESTS / "proofs")


# those that take longest first
STUDIES = (
    Study("false variants of proved claims", lambda kept: ["tests/studies/false_variants.py", str(kept / "variants")]),
    Study("all cases of the tests of which make test runs some", lambda kept: ["-m", "pytest", "-q", "-m", "study",
                                                                              "tests"]),
    meaning(0, 15_000), meaning(15_000, 30_000),
    Study("saturation of 1,000 logs", lambda kept: ["tests/studies/saturation_logs.py", str(kept / "saturation")]),
    Study("goals of the field, by kind", lambda kept: ["tests/studies/goals_by_kind.py", str(kept / "goals.jsonl")]),
    Study("WAIT: exponents, first come first served, memory", lambda kept: ["tests/studies/wait_scaling.py"]),
    Study("WAIT: ten million requests, thresholds, roots", lambda kept: ["tests/benchmarks/bench_waiting.py"]),
    Study("WAIT: thresholds against other policies on recorded traces",
          lambda kept: ["tests/studies/wait_policies.py"]),
    Study("intervals of a steady state", lambda kept: ["tests/studies/interval_coverage.py"]),
    Study("verdicts on stability", lambda kept: ["tests/studies/stability_errors.py", str(kept / "stability"), "0.5"]),
    Study("lower bounds on fleets", lambda kept: ["tests/studies/fleet_bounds.py", str(kept / "fleets.jsonl")]),
    Study("SLAI, Sarathi-Serve and vLLM over the rate", lambda kept: ["tests/studies/slai_points.py"]),
    Study("false statements at every door", lambda kept: ["tests/proofs/silent_errors"]),
    Study("planted faults: those named", lambda kept: ["tests/mutation", "run", "--named", "--strict", "--results",
                                                       str(kept / "faults.jsonl")]),
    Study("planted faults: as recorded", lambda kept: ["tests/mutation", "check"]),
)  # fmt: skip
FULL = (meaning(30_000, 65_000), meaning(65_000, 100_000))


def named() -> str:
    """A name of the sources that the studies are about."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml", ".md", ".jsonl"):
                digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def run(study: Study, kept: Path, until: float) -> bool | str:
    """Run it unless it has ended well before; whether it has now, or ENDED where the clock has passed ``until``."""
    file, began = kept / f"{hashlib.sha256(study.name.encode()).hexdigest()[:8]}.txt", time.monotonic()
    if not file.exists():
        draft = file.with_suffix(".part")
        with draft.open("w") as out:
            done = subprocess.Popen([sys.executable, *study.command(kept)], cwd=study.where, stdout=out,
                                    stderr=subprocess.STDOUT, env={**os.environ, "PYTHONHASHSEED": "0"},
                                    start_new_session=True)
            try:
                done.wait(max(until - began, 0.0) if math.isfinite(until) else None)
            except subprocess.TimeoutExpired:
                os.killpg(done.pid, signal.SIGKILL)  # with the processes that it has begun
                done.wait()
                print(f"ended by the clock  {study.name} ({time.monotonic() - began:.0f} s)", flush=True)
                return ENDED
        if done.returncode:
            print(f"MISSED  {study.name} ({time.monotonic() - began:.0f} s)\n{draft.read_text()[-4000:]}", flush=True)
            return False
        draft.replace(file)
    last = next((line for line in reversed(file.read_text().splitlines()) if line), "")
    print(f"kept  {study.name} ({time.monotonic() - began:.0f} s): {last}", flush=True)
    return True


def main(given: argparse.Namespace) -> int:
    kept, studies = given.folder / named(), (*(FULL if given.full else ()), *STUDIES)
    kept.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + 60 * given.within
    with ThreadPoolExecutor(AT_ONCE) as pool:
        ends = list(pool.map(lambda study: run(study, kept, until), studies))
    ended = f", {ends.count(ENDED)} ended by the clock" if ENDED in ends else ""
    print(f"{ends.count(True)} of {len(ends)} studies keep what is promised{ended}; what they print is in {kept}")
    return 1 if False in ends else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--within", type=float, default=math.inf, metavar="MINUTES")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "studies")
    sys.exit(main(parser.parse_args()))
