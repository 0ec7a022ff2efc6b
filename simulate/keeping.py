"""What a sweep keeps on disk: finished points, and the finished replications of a point that is under way.

A file is put in place only when it is whole, and is sealed with a digest of what it holds: one that was edited or
damaged is as good as absent. Two runs in one folder write the same files with the same content.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.files import write_whole
from qtheory.simulate.agent_runs import AgentRun
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.counts import CountsChain, CountsRun
from qtheory.simulate.engine_runs import EngineRun
from qtheory.simulate.engines import LLMEngine
from qtheory.simulate.networks import Network
from qtheory.simulate.routing import RoutedFleet, RoutedRun
from qtheory.simulate.runs import Run

SEAL = "seal"
_RUNS: dict[type, tuple[type, str]] = {  # of each kind of model: its runs, and the field of a run that is the model
    Network: (Run, "network"), LLMEngine: (EngineRun, "engine"), CountsChain: (CountsRun, "chain"),
    SlottedAgents: (AgentRun, "model"), RoutedFleet: (RoutedRun, "fleet"),
}  # fmt: skip


def put(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Write a file that is whole or not there, and the folder that it is in; raises InputError, with the path.

    With ``sync`` also after a crash of the machine. What is sealed does not need it, which takes longer than a short
    run: a file that was cut off is not believed.
    """
    try:
        Path(os.path.realpath(path)).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    write_whole(path, content, sync=sync)


class Place:
    """The files of one point of a sweep, in ``folder``; ``fingerprint``: of its scenario and of the simulator."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.document_file = folder / f"{fingerprint[:16]}.json"
        self.runs_folder = folder / fingerprint[:16]

    def document(self) -> dict[str, Any] | None:
        """What was kept of the finished point; None where there is nothing, or not what was kept."""
        try:
            found = json.loads(self.document_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(found, dict) or found.get("fingerprint") != self.fingerprint:
            return None
        return found if found.pop(SEAL, None) == _digest(_plain(found)) else None

    def keep(self, document: dict[str, Any]) -> None:
        """Keep the finished point, whose replications are then not needed any more."""
        sealed = json.dumps({**document, SEAL: _digest(_plain(document))}, indent=1) + "\n"
        put(self.document_file, sealed.encode(), sync=False)
        for file in self.runs_folder.glob("*.run"):
            file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.runs_folder.rmdir()

    def run_file(self, variant: int, replication: int) -> Path:
        return self.runs_folder / f"{variant}-{replication}.run"

    def keep_run(self, variant: int, run: Any) -> None:
        """Keep a replication: its arrays and numbers, without the model, which the scenario has."""
        models = {name for _, name in _RUNS.values()}
        values = {f.name: getattr(run, f.name) for f in fields(run) if f.name not in models}
        sink = io.BytesIO()
        arrays: dict[str, Any] = {name: np.asarray(v) for name, v in values.items() if v is not None}
        np.savez(sink, **arrays)
        content = sink.getvalue()
        head = _digest(self.fingerprint.encode() + content).encode()
        put(self.run_file(variant, run.replication), head + b"\n" + content, sync=False)

    def run(self, variant: int, replication: int, model: Any) -> Any | None:
        """The replication that was kept, or None."""
        made, name = _RUNS[type(model)]
        try:
            head, _, content = self.run_file(variant, replication).read_bytes().partition(b"\n")
            if head.decode() != _digest(self.fingerprint.encode() + content):
                return None
            with np.load(io.BytesIO(content), allow_pickle=False) as file:
                found = {k: file[k] if file[k].ndim else file[k].item() for k in file.files}
        except (OSError, ValueError, KeyError):
            return None
        empty = {f.name: None for f in fields(made) if f.name not in found}
        return made(**{**empty, **found, name: model})


def _plain(document: dict[str, Any]) -> bytes:
    return json.dumps(document, sort_keys=True).encode()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
