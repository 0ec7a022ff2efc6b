"""Files in which machine code is kept: sealed, so that a damaged one is as good as absent.

Processes that want the same entry at once wait for the first of them to make it.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import sys
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

from qtheory.simulate.kernel.machine import processor

try:
    import fcntl
except ImportError:  # not on Windows, where each process compiles for itself
    fcntl = None  # type: ignore[assignment]

_ENDING = ".code"
_MAKERS = ("numba", "llvmlite", "numpy")  # whose versions may change what is made
_KEPT = 30 * 86400.0  # seconds after which an entry of other sources goes: two checkouts in turn share the folder


def folder() -> Path:
    """Where the entries are kept: in the folder that the user names for Numba's cache, or in the user's own cache."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "qtheory"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "qtheory" / "kernel"


def _settings() -> list[tuple[str, str]]:
    """The settings of Numba, which may change what it compiles."""
    return sorted(i for i in os.environ.items() if i[0].startswith("NUMBA_") and i[0] != "NUMBA_CACHE_DIR")


class SealedFiles:
    """The entries of one function; ``digest``: of the sources, entries of others are not found."""

    def __init__(self, name: str, digest: str) -> None:
        self._folder = folder()
        self._name = name
        self._sources = f"{name}-{digest[:16]}-"

    def _path(self, key: object) -> Path:
        parts = (sys.version, [version(name) for name in _MAKERS], processor(), _settings(), key)
        return self._folder / f"{self._sources}{hashlib.sha256(repr(parts).encode()).hexdigest()[:24]}{_ENDING}"

    def content(self, key: object, make: Callable[[], bytes], missed: Callable[[], None] = lambda: None) -> bytes:
        """The entry; where there is none, what ``make`` makes is kept, once it was told by ``missed``. Meanwhile others
        that ask for it wait."""
        path = self._path(key)
        found = _read(path)
        if found is None:
            missed()
            with contextlib.ExitStack() as making:
                self._wait(making)
                found = _read(path)
                if found is None:
                    making.enter_context(_uncollected())
                    found = make()
                    self.save(path, found)
        return found

    def save(self, path: Path, content: bytes) -> None:
        """Keep the entry; where that cannot be, say so once, for then each process compiles anew."""
        draft = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(_seal(content) + b"\n" + content)
            draft.replace(path)  # at once: other processes write and read it too
            self._remove(lambda file: not file.name.startswith(self._sources)
                         and file.stat().st_mtime < time.time() - _KEPT)  # fmt: skip
        except OSError as error:
            with contextlib.suppress(OSError):
                draft.unlink()
            warnings.warn(f"{self._folder}: compiled functions cannot be kept there: {error.strerror or error}; each "
                          "run compiles them anew", RuntimeWarning, stacklevel=2)  # fmt: skip

    def _wait(self, making: contextlib.ExitStack) -> None:
        """Until no other process compiles the function. The system ends the lock of a process that ends."""
        if fcntl is None:
            return
        with contextlib.suppress(OSError):  # a folder that cannot be written, or is on a disk without locks
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = making.enter_context((self._folder / f"{self._name}.lock").open("ab"))
            fcntl.flock(lock, fcntl.LOCK_EX)

    def flush(self) -> None:
        """Forget all entries of the function."""
        self._remove(lambda file: True)

    def _remove(self, wanted: Callable[[Path], bool]) -> None:
        for file in filter(wanted, self._folder.glob(f"{self._name}-*{_ENDING}")):
            file.unlink(missing_ok=True)


def _read(path: Path) -> bytes | None:
    try:
        seal, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if seal == _seal(content) else None


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Without the garbage collector, which takes a tenth of the time in which Numba compiles."""
    collected = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collected:
            gc.enable()


def _seal(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()
