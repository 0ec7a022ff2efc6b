"""What Numba does for the compiled functions; imported where they are to run, for it takes long to load."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from llvmlite import ir
from numba import njit, typeof, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.errors import NumbaError
from numba.extending import lower_builtin, type_callable

from qtheory.errors import InputError
from qtheory.simulate.kernel import (
    bundles,  # noqa: F401  (tells Numba of packed tuples)
    jit,
)
from qtheory.simulate.kernel.sealed_cache import SealedFiles

# Compiled code owns no arrays: the caller allocates them all. Without reference counting (_nrt) an event of the
# network loop takes 33 ns, with it 1,900: each helper would count every array of the state up and down.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_PART: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True}


def _kept(function: Callable[..., Any], digest: str, options: dict[str, Any]) -> tuple[Any, Callable[[], None]]:
    """Numba's dispatcher of a function, and what is to be called after its compilation.

    The machine code, with that of all that it calls, is kept on disk under the digest of all compiled sources: Numba
    itself looks only at the function's own file.
    """
    made: Any = njit(cache=True, **options)(function)
    if made is function:  # under NUMBA_DISABLE_JIT
        return function, lambda: None
    subject = (sys.modules[function.__module__].__doc__ or "").split(".")[0]

    def missed() -> None:
        for tell in jit.listeners:
            tell(f"{function.__name__} of {subject}")

    files = SealedFiles(f"{function.__module__}.{function.__qualname__}", digest, missed)
    made._cache._cache_file = files
    return made, files.done


def entry(function: Callable[..., Any], digest: str, options: dict[str, Any]) -> tuple[Any, Callable[[], None]]:
    """What Python calls for a function, and what is to be called after it."""
    return _kept(function, digest, {**_OPTIONS, **options})


def address(
    function: Callable[..., Any], digest: str, options: dict[str, Any], arguments: Iterable[Any]
) -> tuple[int, Any]:
    """Where the machine code of a function of such arguments is, and what must live as long as it is called there."""
    made, done = _kept(function, digest, {**_PART, **options, "no_cfunc_wrapper": False})
    if made is function:
        return id(function), function
    try:
        found = made.get_compile_result(types.void(*map(typeof, arguments)))
    except NumbaError as error:
        said = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in ")]
        places = [line for line in said if line.startswith('File "')]  # the functions under way, the innermost last
        raise InputError(f"{function.__name__} cannot be compiled: {said[0][:120]}; {places[-1]}") from error
    finally:
        done()
    return found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name), made


class _PartLibrary(JITCodeLibrary):
    """The code of a part: linked into that of its callers, which optimise it; it never runs where it stands.

    Numba would optimise each part with all that it calls, and make machine code of it, for each level of calls anew:
    half the time of a compilation.
    """

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Parts have no machine code that would need one."""


class _PartCompiler(Compiler):
    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, _PartLibrary(target.codegen(), "part"), *rest)


def part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a function that compiled functions call, and take into their own machine code.

    So it needs no way in from Python, and one specialisation does for a number, literal or not.
    """
    made: Any = njit(**_PART, **options, pipeline_class=_PartCompiler)(function)
    template = type(made).get_call_template
    made.get_call_template = lambda types_, keywords: template(made, tuple(map(types.unliteral, types_)), keywords)
    return made


@type_callable(jit.call)
def _type_call(context: Any) -> Any:
    return lambda address, model, state: types.void


@lower_builtin(jit.call, types.Integer, types.Any, types.Any)
def _emit_call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, *others = arguments
    kind = ir.FunctionType(context.get_value_type(types.void), [a.type for a in others])
    builder.call(builder.inttoptr(address, kind.as_pointer()), others)
    return context.get_dummy_value()


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
