"""Files in which Numba's cache keeps what it compiled: sealed, so that a damaged one is as good as absent.

Numba's own index and data are pickles that it believes: a damaged index ends every run in a traceback, and a damaged
entry may run as other machine code than was compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import sys
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import __version__
from numba.core.serialize import dumps

_ENDING = ".numba"


class SealedFiles:
    """What the cache of one function asks of its files; ``digest``: of the sources, entries of others are not found."""

    def __init__(self, folder: str, name: str, digest: str) -> None:
        self._folder = Path(folder)
        self._name = name
        self._sources = f"{name}-{digest[:16]}-"

    def _path(self, key: Any) -> Path:
        mark = hashlib.sha256(repr((sys.version, __version__, key)).encode()).hexdigest()[:24]
        return self._folder / f"{self._sources}{mark}{_ENDING}"

    def load(self, key: Any) -> Any:
        """The entry, or None."""
        try:
            seal, _, content = self._path(key).read_bytes().partition(b"\n")
        except OSError:
            return None
        return pickle.loads(content) if seal == _seal(content) else None

    def save(self, key: Any, data: Any) -> None:
        """Keep the entry; where that cannot be, say so once, for then each process compiles anew."""
        content = dumps(data)
        path = self._path(key)
        draft = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
        try:
            draft.write_bytes(_seal(content) + b"\n" + content)
            draft.replace(path)  # at once: other processes write and read it too
            self._remove(lambda file: not file.name.startswith(self._sources))
        except OSError as error:
            with contextlib.suppress(OSError):
                draft.unlink()
            warnings.warn(f"{self._folder}: compiled functions cannot be kept there: {error.strerror or error}; each "
                          "run compiles them anew", RuntimeWarning, stacklevel=2)  # fmt: skip

    def flush(self) -> None:
        """Forget all entries of the function."""
        self._remove(lambda file: True)

    def _remove(self, wanted: Callable[[Path], bool]) -> None:
        for file in filter(wanted, self._folder.glob(f"{self._name}-*{_ENDING}")):
            file.unlink(missing_ok=True)


def _seal(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
