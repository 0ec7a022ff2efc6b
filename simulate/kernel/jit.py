"""One decorator for all compiled functions: cached on disk, and never served from a stale cache.

Numba re-reads only the file of the function that is called: a change in a function that was inlined from
another file would go unseen. Here every cache entry carries a digest of all compiled sources instead.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

from numba import njit, types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])
_COMPILED = Path(__file__).parent

# Compiled code owns no arrays: the caller allocates them all. Without reference counting (_nrt) an event of the
# network loop takes 33 ns, with it 1,900: each helper would count every array of the state up and down.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}

_BLAS = "scipy.linalg.cython_blas"


def _load_array_functions() -> None:
    """Load Numba's array functions, but not scipy.linalg, a fifth of a warm start.

    Numba imports it only to see that it is there, as it is wherever qtheory is installed; code that calls BLAS imports
    it for itself when it is compiled or loaded.
    """
    if _BLAS in sys.modules:
        return
    sys.modules[_BLAS] = ModuleType(_BLAS)
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[_BLAS]


_load_array_functions()


@cache
def source_digest() -> str:
    """SHA-256 over the sources of every compiled function, in the order of their paths."""
    digest = hashlib.sha256()
    for path in sorted(_COMPILED.rglob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compiled(function: F, **options: Any) -> F:
    """Compile ``function`` on its first call, or load its machine code from the disk cache.

    Where a function that is :func:`inlined` calls it first, it is compiled into its callers too.
    """
    dispatcher = njit(cache=True, **_OPTIONS, **options)(function)
    file = dispatcher._cache._cache_file
    file._source_stamp = (source_digest(), file._source_stamp[1])
    return cast(F, dispatcher)


def apart(function: F) -> F:
    """Compile ``function`` for itself, whoever calls it: for long and rare steps, which would crowd a hot loop."""
    return compiled(function, forceinline=False)


def inlined(function: F) -> F:
    """Compile ``function`` into the body of each caller: for short steps of a hot loop that take many arrays."""
    return cast(F, njit(forceinline=True, **_OPTIONS)(function))


@intrinsic
def assume(typingctx: Any, condition: Any) -> Any:
    """Tell LLVM that ``condition`` holds; where it does not, the machine code may do anything."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.assume(arguments[0])
        return context.get_dummy_value()

    return types.void(types.boolean), emit


@intrinsic
def index(typingctx: Any, i: Any) -> Any:
    """``i``, which is not negative: every array that it is used for is spared the wrap-around of Python's indices."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (value,) = arguments
        builder.assume(builder.icmp_signed(">=", value, value.type(0)))
        return value

    return i(i), emit


@intrinsic
def either(typingctx: Any, condition: Any, yes: Any, no: Any) -> Any:
    """``yes`` where ``condition`` holds, else ``no``, without a branch: for a condition that no past foretells."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        chosen = builder.select(*arguments)
        chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
        return chosen

    return yes(types.boolean, yes, yes), emit
