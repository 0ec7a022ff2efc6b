"""One decorator for all compiled functions: cached on disk, never served from a stale cache, Numba only where needed.

Importing Numba takes longer than most of a warm start, so that a decorated function waits with it for its first call.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from qtheory.simulate.kernel.packing import packed

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

    @functools.cached_property
    def _entry(self) -> Callable[..., Any]:
        from qtheory.simulate.kernel import compiler

        made, done = compiler.entry(self.py_func, self._digest, self._options)
        if made is self.py_func:
            return self.py_func

        def run(*arguments: Any) -> Any:
            try:
                return made(*map(packed, arguments))
            finally:
                done()

        return run

    @functools.cached_property
    def _part(self) -> Any:
        from qtheory.simulate.kernel import compiler

        return compiler.part(self.py_func, self._options)

    @property
    def _digest(self) -> str:
        return source_digest(str(Path(self.py_func.__code__.co_filename).parent))

    def address(self, *arguments: Any) -> int:
        from qtheory.simulate.kernel import compiler

        place, self._kept = compiler.address(self.py_func, self._digest, self._options, map(packed, arguments))
        _AT[place] = self.py_func
        return place

    @property
    def _numba_type_(self) -> Any:
        # By this name Numba knows what a global of a function that it compiles stands for.
        return self._part._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        return self._entry(*arguments)


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
