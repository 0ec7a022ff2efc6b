"""One decorator for all compiled functions: cached on disk, never served from a stale cache, Numba only where needed.

Importing Numba takes longer than most of a warm start, so that a decorated function waits with it for its first call.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from qtheory.simulate.kernel.packing import kind, packed

Kinds = tuple[object, ...]  # of each argument
F = TypeVar("F", bound=Callable[..., Any])
_AT: dict[int, Callable[..., Any]] = {}  # functions by their address, for loops that run as Python
listeners: list[Callable[[str], None]] = []  # are told what is compiled, before it is: it may take some seconds


@functools.cache
def source_digest(folder: str) -> str:
    """SHA-256 over the sources of what a compiled function in ``folder`` may call: this folder's, and those of its own.

    So the loops stay compiled where a policy is added.
    """
    digest = hashlib.sha256()
    for path in sorted({*Path(__file__).parent.glob("*.py"), *Path(folder).glob("*.py")}):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Compiled:
    """A function that runs as machine code; ``options`` are Numba's."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._options = options
        self._loaded: dict[Kinds, Any] = {}
        self._callers: dict[Kinds, Callable[..., Any]] = {}

    @functools.cached_property
    def _part(self) -> Any:
        from qtheory.simulate.kernel import compiler

        return compiler.part(self.py_func, self._options)

    def loaded(self, kinds: Kinds, arguments: Sequence[Any]) -> Any:
        """The machine code for arguments of these kinds: from the disk, else compiled."""
        if kinds not in self._loaded:
            from qtheory.simulate.kernel.machine import Loaded

            self._loaded[kinds] = Loaded(self._content(kinds, arguments))
        return self._loaded[kinds]

    def _content(self, kinds: Kinds, arguments: Sequence[Any]) -> bytes:
        """The machine code, with that of all that it calls, is kept on disk under the digest of all sources."""
        from qtheory.simulate.kernel.sealed_cache import SealedFiles

        function = self.py_func

        def made() -> bytes:
            from qtheory.simulate.kernel import compiler

            return compiler.machine_code(function, self._options, arguments)

        def missed() -> None:
            subject = (sys.modules[function.__module__].__doc__ or "").split(".")[0]
            for tell in listeners:
                tell(f"{function.__name__} of {subject}")

        digest = source_digest(str(Path(function.__code__.co_filename).parent))
        return SealedFiles(f"{function.__module__}.{function.__qualname__}", digest).content(kinds, made, missed)

    def address(self, *arguments: Any) -> int:
        if _interpreted():
            place = id(self.py_func)
        else:
            values = tuple(map(packed, arguments))
            place = self.loaded(tuple(map(kind, values)), values).address
        _AT[place] = self.py_func
        return place

    @property
    def _numba_type_(self) -> Any:
        # By this name Numba knows what a global of a function that it compiles stands for.
        return self._part._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        if _interpreted():
            return self.py_func(*arguments)
        values = tuple(map(packed, arguments))
        kinds = tuple(map(kind, values))
        if kinds not in self._callers:
            self._callers[kinds] = self.loaded(kinds, values).caller(values)
        return self._callers[kinds](*values)


def _interpreted() -> bool:
    """Does the user want no machine code, to step through the loops?"""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def compiled(function: F, **options: Any) -> F:
    """Compile ``function`` on its first call, or load its machine code from the disk cache."""
    return cast(F, Compiled(function, options))


def apart(function: F) -> F:
    """Compile ``function`` for itself, whoever calls it: for long and rare steps, which would crowd a hot loop."""
    return compiled(function, forceinline=False)


def inlined(function: F) -> F:
    """Compile ``function`` into the body of each caller: for short steps of a hot loop that take many arrays."""
    return compiled(function, forceinline=True)


def address(function: Callable[..., Any] | None, *arguments: Any) -> int:
    """Where the machine code of a compiled function for such ``arguments`` is, which ``call`` takes; 0 for None."""
    return 0 if function is None else cast(Compiled, function).address(*arguments)


def call(address: int, model: Any, state: Any) -> None:
    """Call the function that has this :func:`address`, for such a model and state and no others."""
    _AT[address](model, state)


def assume(condition: Any) -> None:
    """Tell LLVM that ``condition`` holds; where it does not, the machine code may do anything."""


def index(i: Any) -> Any:
    """``i``, which is not negative: every array that it is used for is spared the wrap-around of Python's indices."""
    return i


def either(condition: Any, yes: Any, no: Any) -> Any:
    """``yes`` where ``condition`` holds, else ``no``, without a branch: for a condition that no past foretells."""
    return yes if condition else no
