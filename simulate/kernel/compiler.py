"""What Numba does for the compiled functions; imported where machine code is to be made, for it takes long to load."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from qtheory.simulate.kernel import jit
from qtheory.simulate.kernel.machine_code import Code

# Compiled code owns no arrays: the caller allocates them all. Without reference counting (_nrt) an event of the
# network loop takes 33 ns, with it 1,900: each helper would count every array of the state up and down.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False}

_BLAS = "scipy.linalg.cython_blas"


def _load_array_functions() -> None:
    """Load Numba's array functions, but not scipy.linalg.

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

from numba import njit, types  # noqa: E402
from numba.extending import lower_builtin, type_callable  # noqa: E402

from qtheory.simulate.kernel.sealed_cache import SealedFiles  # noqa: E402


def dispatcher(function: Callable[..., Any], digest: str | None, options: dict[str, Any]) -> Any:
    """Numba's dispatcher of ``function``; with the digest of all compiled sources, its results are cached on disk.

    Numba re-reads only the file of the function that is called: a change in a function that was inlined from another
    file would go unseen. The entries of its cache carry the digest instead.
    """
    made: Any = njit(cache=digest is not None, **_OPTIONS, **options)(function)
    if digest is not None and made is not function:  # it is under NUMBA_DISABLE_JIT
        name = f"{function.__module__}.{function.__qualname__}"
        made._cache._cache_file = SealedFiles(made._cache.cache_path, name, digest)
    return made


def compiled_for(made: Any, arguments: tuple[Any, ...]) -> tuple[Callable[..., Any], Code | None]:
    """The compiled function for arguments of these types, and its machine code if Numba's cache on disk has it."""
    if not hasattr(made, "compile"):  # the Python function itself, under NUMBA_DISABLE_JIT
        return made, None
    signature = tuple(made.typeof_pyval(a) for a in arguments)
    run = made.compile(signature)
    try:
        return run, _cached_code(made, signature)
    except (ImportError, AttributeError, LookupError, TypeError, ValueError):  # a Numba that is otherwise inside
        return run, None


def _cached_code(made: Any, signature: tuple[Any, ...]) -> Code | None:
    from numba.core.intrinsics import INTR_MATH

    cache = made._cache
    entry = cache._cache_file.load(cache._index_key(signature, made.targetctx.codegen()))
    if entry is None:  # the folder cannot be written
        return None
    (_, form, data), description = entry[:2]
    if form != "object":
        return None
    return Code(description.llvm_cpython_wrapper_name, description.env_name, tuple(sorted(INTR_MATH)), data[0])


@type_callable(jit.assume)
def _type_assume(context: Any) -> Any:
    return lambda condition: types.void


@lower_builtin(jit.assume, types.Boolean)
def _emit_assume(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    builder.assume(arguments[0])
    return context.get_dummy_value()


@type_callable(jit.index)
def _type_index(context: Any) -> Any:
    return lambda i: i


@lower_builtin(jit.index, types.Integer)
def _emit_index(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    (value,) = arguments
    builder.assume(builder.icmp_signed(">=", value, value.type(0)))
    return value


@type_callable(jit.either)
def _type_either(context: Any) -> Any:
    return lambda condition, yes, no: yes


@lower_builtin(jit.either, types.Boolean, types.Any, types.Any)
def _emit_either(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    chosen = builder.select(*arguments)
    chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
    return chosen
