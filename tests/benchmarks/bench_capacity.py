"""From measured kernels to a verdict: importing a GPU's tables, and the command ``qtheory capacity``.

The tables are those of the package ``aiconfigurator-core`` or, where it is not installed, of the folder beside the
checkout; without either that figure is left out. A command is a new process each time, its imports included; the first
one warms the disk's caches and is not counted. Times are processor time, so that what else the machine does counts
little; on an idle machine the wall's are the same, and stand beside. Run as
``python tests/benchmarks/bench_capacity.py``: prints the figures, and exits 1 where a promised one is missed.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

from qtheory.errors import InputError
from qtheory.profiles import kernels
from qtheory.simulate import KernelTime

SHARED = Path(__file__).parents[3] / "shared" / "data" / "kernel-timings"
PROMISED_IMPORT, PROMISED_COMMAND = 5.0, 3.0  # seconds
COMMANDS = {
    "a profile and a workload": ("--profile", "h100-llama-8b-vllm-kernels", "--workload", "eb-sharegpt", "--budget",
                                 "512", "--slots", "256", "--rate", "40"),
    "exclusive batching": ("--profile", "a100-40gb-qwen-8b", "--workload", "to-homogeneous", "--scheduler", "eb", "--k",
                           "16", "--slots", "64"),
    "a trace of 19,366 requests": ("--profile", "h200-qwen3-32b-vllm-kernels", "--trace",
                                   str(SHARED.parent / "traces-more" / "azure2023_conv.csv"), "--budget", "2048"),
}


def slowest_import() -> tuple[str, int, float]:
    """The GPU whose tables (every engine and kind, the newest versions) take longest, their rows, and the seconds."""
    import pyarrow.parquet  # noqa: F401 - not a part of the import of tables

    try:
        path, places = None, kernels.gpus()
    except InputError:
        path, places = str(SHARED), kernels.gpus(SHARED)
    found = []
    for gpu in places:
        begin, rows = time.process_time(), 0
        for engine in kernels.engines(gpu, path):
            tables = kernels.tables(gpu, engine, path)
            rows += sum(len(tables.rows(kind)) for kind in tables.versions)
        found.append((gpu, rows, time.process_time() - begin))
    return max(found, key=lambda each: each[2])


def clock_seconds() -> float:
    """From tables that are read to an engine's clock."""
    try:
        tables = kernels.tables("h100_sxm", "vllm")
    except InputError:
        tables = kernels.tables("h100_sxm", "vllm", SHARED)
    engine = kernels.Engine(tables, kernels.shape("llama-3.1-8b"))
    begin = time.process_time()
    KernelTime.of(engine)
    return time.process_time() - begin


def used() -> float:
    """Processor time of the processes that this one has started (s)."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def command_seconds(arguments: tuple[str, ...]) -> tuple[float, float]:
    """Processor time and wall time, each the best of three after one."""
    program = [str(Path(sys.executable).with_name("qtheory")), "capacity", *arguments]
    best = (float("inf"), float("inf"))
    for i in range(4):
        begin, wall = used(), time.perf_counter()
        done = subprocess.run(program, capture_output=True, text=True)
        assert "critical rate" in done.stdout, done.stderr
        if i:
            best = min(best[0], used() - begin), min(best[1], time.perf_counter() - wall)
    return best


def main() -> int:
    missed = False
    try:
        gpu, rows, seconds = slowest_import()
        missed |= seconds > PROMISED_IMPORT
        print(f"importing the {rows:,} rows of {gpu}, the slowest: {seconds:.2f} s, promised at most "
              f"{PROMISED_IMPORT:g}; ratio {PROMISED_IMPORT / seconds:.3g}"
              + ("  MISSED" if seconds > PROMISED_IMPORT else ""))
        print(f"a clock for the simulator from tables that are read: {clock_seconds():.2f} s")
    except InputError as error:
        print(f"importing tables is left out: {error}")
    for name, arguments in COMMANDS.items():
        if "--trace" in arguments and not Path(arguments[arguments.index("--trace") + 1]).is_file():
            continue
        seconds, wall = command_seconds(arguments)
        late = seconds > PROMISED_COMMAND
        missed |= late
        print(f"qtheory capacity, {name}: {seconds:.2f} s (wall {wall:.2f} s), promised at most "
              f"{PROMISED_COMMAND:g}; ratio {PROMISED_COMMAND / seconds:.3g}" + ("  MISSED" if late else ""))
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
