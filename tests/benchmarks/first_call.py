"""What the first call costs: each shipped scenario from an empty cache of machine code, then again.

Runs are short (200 seconds of the model, five replications), so that the difference is what is compiled and kept.
Processor time counts all that a call starts, so that what else the machine does counts little; the wall clock stands
beside it.
Run as ``python tests/benchmarks/first_call.py [SCENARIO]...``: prints a table, and exits 1 where the first call takes
15 s longer than the second.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import qtheory.simulate

PROMISED = 15.0  # s
SHIPPED = Path(qtheory.simulate.__file__).parent / "data"
COMMAND = "import sys; from qtheory.cli import main; sys.exit(main())"


def names() -> list[str]:
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def without_sweep(name: str, folder: str) -> Path:
    """The scenario as a file, a sweep's tables, which stand last, left out: one point says what is compiled."""
    text = (SHIPPED / f"{name}.toml").read_text(encoding="utf-8")
    for trace in (*SHIPPED.glob("*.jsonl"), *SHIPPED.glob("*.csv")):
        shutil.copy(trace, folder)
    file = Path(folder) / f"{name}.toml"
    file.write_text(text.partition("[[sweep]]")[0], encoding="utf-8")
    return file


def call(name: str, cache: str) -> tuple[float, float, int]:
    """Seconds by the wall clock, processor seconds, and how many functions it said that it compiles."""
    settings = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | {"XDG_CACHE_HOME": cache}
    arguments = ["simulate", str(without_sweep(name, cache)), "--horizon", "200", "--replications", "5"]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([sys.executable, "-c", COMMAND, *arguments], env=settings, capture_output=True, text=True)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall, used, done.stderr.count("compiling")


def main(wanted: list[str] | None = None) -> int:
    print("| scenario | compiled | first call, s of a processor | second | first, s by the clock | second |")
    print("| --- | --- | --- | --- | --- | --- |")
    worst = clock = 0.0
    for name in wanted or names():
        with tempfile.TemporaryDirectory() as cache:
            first, second = call(name, cache), call(name, cache)
        assert first[2] > 0 and second[2] == 0, name
        worst, clock = max(worst, first[1] - second[1]), max(clock, first[0] - second[0])
        times = (f"{seconds:.1f}" for seconds in (first[1], second[1], first[0], second[0]))
        print(f"| `{name}` | {first[2]} | {' | '.join(times)} |", flush=True)
    print(f"\nlargest difference: {worst:.1f} s of a processor, {clock:.1f} s by the clock; promised {PROMISED:g} s"
          + ("" if worst <= PROMISED else "  MISSED"))  # fmt: skip
    return int(worst > PROMISED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
