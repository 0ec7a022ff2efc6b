"""What Numba does for the compiled functions; imported where they are to run, for it takes long to load."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from numba import config, njit, types
from numba.extending import lower_builtin, type_callable

from qtheory.simulate.kernel import (
    bundles,  # noqa: F401  (tells Numba of packed tuples)
    jit,
)
from qtheory.simulate.kernel.sealed_cache import SealedFiles

# Compiled code owns no arrays: the caller allocates them all. Without reference counting (_nrt) an event of the
# network loop takes 33 ns, with it 1,900: each helper would count every array of the state up and down.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_PART: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True}
_SETTINGS: Any = config


def entry(function: Callable[..., Any], digest: str, options: dict[str, Any]) -> tuple[Any, Callable[[], None]]:
    """Numba's dispatcher of a function that Python calls, and what is to be called after it.

    The machine code, with that of all that it calls, is kept on disk under the digest of all compiled sources: Numba
    itself looks only at the function's own file.
    """
    made: Any = njit(cache=True, **_OPTIONS, **options)(function)
    if made is function:  # under NUMBA_DISABLE_JIT
        return function, lambda: None
    subject = (sys.modules[function.__module__].__doc__ or "").split(".")[0]

    def missed() -> None:
        for tell in jit.listeners:
            tell(f"{function.__name__} of {subject}")

    files = SealedFiles(f"{function.__module__}.{function.__qualname__}", digest, missed)
    made._cache._cache_file = files
    return made, files.done


def part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a function that compiled functions call, and take into their own machine code.

    So it needs no way in from Python, one specialisation does for a number, literal or not, and it is optimised only
    so far as makes it short: what it becomes is decided in its callers, which are optimised fully.
    """
    made: Any = njit(**_PART, **options)(function)
    template = type(made).get_call_template

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        level = _SETTINGS.OPT
        _SETTINGS.OPT = type(level)(min(level, 1))
        try:
            return template(made, tuple(map(types.unliteral, arguments)), keywords)
        finally:
            _SETTINGS.OPT = level

    made.get_call_template = get_call_template
    return made


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
