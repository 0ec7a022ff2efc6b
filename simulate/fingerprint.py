"""What a result rests on, as a hash: the scenario, the simulator's sources, and what else is named."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from qtheory.simulate.kernel.policies import OWN

_SIMULATOR = Path(__file__).parent


@cache
def simulator_digest() -> str:
    """SHA-256 over the simulator's Python sources, by their paths below it, and over the user's own policies."""
    digest = hashlib.sha256()
    named = [(p.relative_to(_SIMULATOR).as_posix(), p) for p in sorted(_SIMULATOR.rglob("*.py"))]
    named += [(p.name, p) for p in sorted(Path(OWN).glob("*.py")) if OWN]
    for name, path in named:
        digest.update(name.encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def fingerprint(*parts: object) -> str:
    """SHA-256 over the simulator's sources and the ``repr`` of each part.

    Parts are frozen plain data (scenarios, models, numbers, texts), whose ``repr`` says all that they hold.
    """
    digest = hashlib.sha256(simulator_digest().encode())
    for part in parts:
        digest.update(repr(part).encode() + b"\0")
    return digest.hexdigest()
