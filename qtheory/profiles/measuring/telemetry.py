"""The device's clocks, power and temperature, noted by nvidia-smi and never set; and what a machine has free."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic

_FIELDS = (
    "name", "uuid", "driver_version", "clocks.sm", "clocks.mem", "clocks.max.sm", "power.draw", "power.limit",
    "temperature.gpu", "utilization.gpu", "clocks_throttle_reasons.active",
)
_SECONDS = 20.0


class Reading:
    """A question to nvidia-smi about one GPU, by its UUID, answered while the GPU works.

    ``state``, once `done`: MHz, W, degrees Celsius, percent; empty where the tool is absent or does not answer.
    """

    def __init__(self, uuid: str, seconds: float = _SECONDS) -> None:
        self.state: dict[str, str] = {}
        self._until = monotonic() + seconds
        self._process: subprocess.Popen[str] | None = None
        command = shutil.which("nvidia-smi")
        if command is None:
            return
        query = [command, f"--id={uuid}", f"--query-gpu={','.join(_FIELDS)}", "--format=csv,noheader,nounits"]
        try:
            self._process = subprocess.Popen(query, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                             stdin=subprocess.DEVNULL, text=True)
        except OSError:
            self._process = None

    def done(self) -> bool:
        """Whether the answer is there, or none will come."""
        process = self._process
        if process is None:
            return True
        late = monotonic() > self._until
        if late:
            process.kill()
        elif process.poll() is None:
            return False
        answer, _ = process.communicate()
        self._process = None
        rows = list(csv.reader(answer.splitlines(), skipinitialspace=True))
        if not late and process.returncode == 0 and len(rows) == 1 and len(rows[0]) == len(_FIELDS):
            self.state = dict(zip(_FIELDS, rows[0], strict=True))
        return True


def free_memory(proc: Path = Path("/proc/meminfo"), group: Path = Path("/sys/fs/cgroup")) -> int:
    """Bytes of main memory that processes can still take: of the machine, and of the container where there is one."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError, KeyError):
        free = _entries(proc)["MemAvailable:"] * 1024
    try:
        limit, used = (int((group / name).read_text("ascii")) for name in ("memory.max", "memory.current"))
        cached = _entries(group / "memory.stat").get("inactive_file", 0)  # is given up when memory is asked for
    except (OSError, ValueError):  # no container, or "max": no limit
        return free
    return max(0, min(free, limit - used + cached))


def _entries(path: Path) -> dict[str, int]:
    """A file of lines ``name number ...``."""
    rows = (line.split() for line in path.read_text("ascii").splitlines())
    return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit()}
