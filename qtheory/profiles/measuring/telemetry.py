"""The device's clocks, power and temperature, noted by nvidia-smi and never set; and what a machine has free."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from pathlib import Path

_FIELDS = (
    "name", "driver_version", "clocks.sm", "clocks.mem", "clocks.max.sm", "power.draw", "power.limit",
    "temperature.gpu", "clocks_throttle_reasons.active",
)
_SECONDS = 20


def gpu_state(index: int) -> dict[str, str]:
    """What nvidia-smi reads off one GPU (MHz, W, degrees Celsius); empty where it is absent or does not answer."""
    command = shutil.which("nvidia-smi")
    if command is None:
        return {}
    query = [command, f"--id={index}", f"--query-gpu={','.join(_FIELDS)}", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=_SECONDS, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    rows = list(csv.reader(answer.splitlines(), skipinitialspace=True))
    if len(rows) != 1 or len(rows[0]) != len(_FIELDS):
        return {}
    return dict(zip(_FIELDS, rows[0], strict=True))


def free_memory() -> int:
    """Bytes of main memory that processes can still take."""
    try:
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
