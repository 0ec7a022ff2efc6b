"""One decorator for all compiled functions: cached on disk, never served from a stale cache, Numba only where needed.

Importing Numba takes longer than all else of a warm start. A decorated function therefore waits for its first call:
then its machine code is loaded without Numba (:mod:`~qtheory.simulate.kernel.machine_code`), or, where there is none
for these arguments, compiled or loaded by Numba (:mod:`~qtheory.simulate.kernel.compiler`) and kept.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from qtheory.simulate.kernel import machine_code

F = TypeVar("F", bound=Callable[..., Any])
listeners: list[Callable[[str], None]] = []  # are told what is compiled, before it is: it may take a minute


@functools.cache
def source_digest() -> str:
    """SHA-256 over the sources of every compiled function, in the order of their paths."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


class Compiled:
    """A function that runs as machine code; ``options`` are Numba's."""

    def __init__(self, function: Callable[..., Any], *, cached: bool, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._cached = cached
        self._options = options
        self._ready: dict[Any, Callable[..., Any]] = {}

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's own object for the function."""
        from qtheory.simulate.kernel import compiler

        return compiler.dispatcher(self.py_func, source_digest() if self._cached else None, self._options)

    @property
    def _numba_type_(self) -> Any:
        # By this name Numba knows what a global of a function that it compiles stands for.
        return self.dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        kinds = machine_code.kinds(arguments) if self._cached else None
        if kinds is None:
            return self.dispatcher(*arguments)
        ready = self._ready.get(kinds)
        if ready is None:
            ready = self._ready[kinds] = self._made_ready(kinds, arguments)
        return ready(*arguments)

    def _made_ready(self, kinds: machine_code.Kinds, arguments: tuple[Any, ...]) -> Callable[..., Any]:
        """Machine code for arguments of these kinds."""
        if not machine_code.told_apart(arguments):
            return cast(Callable[..., Any], self.dispatcher)
        place = machine_code.Place(self.py_func, kinds, source_digest())
        found = machine_code.load(place)
        if found is None:
            from qtheory.simulate.kernel import compiler

            for tell in listeners:
                tell(f"{self.py_func.__name__} of {(sys.modules[self.py_func.__module__].__doc__ or '').split('.')[0]}")
            found, code = compiler.compiled_for(self.dispatcher, arguments)
            if code is not None:
                machine_code.keep(place, code)
        return found


def compiled(function: F, **options: Any) -> F:
    """Compile ``function`` on its first call, or load its machine code from the disk cache.

    Where a function that is :func:`inlined` calls it first, it is compiled into its callers too.
    """
    return cast(F, Compiled(function, cached=True, options=options))


def apart(function: F) -> F:
    """Compile ``function`` for itself, whoever calls it: for long and rare steps, which would crowd a hot loop."""
    return compiled(function, forceinline=False)


def inlined(function: F) -> F:
    """Compile ``function`` into the body of each caller: for short steps of a hot loop that take many arrays."""
    return cast(F, Compiled(function, cached=False, options={"forceinline": True}))


def assume(condition: Any) -> None:
    """Tell LLVM that ``condition`` holds; where it does not, the machine code may do anything."""


def index(i: Any) -> Any:
    """``i``, which is not negative: every array that it is used for is spared the wrap-around of Python's indices."""
    return i


def either(condition: Any, yes: Any, no: Any) -> Any:
    """``yes`` where ``condition`` holds, else ``no``, without a branch: for a condition that no past foretells."""
    return yes if condition else no
