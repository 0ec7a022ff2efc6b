"""What Numba and LLVM do for the compiled functions; imported where one is compiled, for it takes long to load.

Numba types a function and writes it down for LLVM; from there on LLVM is asked directly. So the functions that one
calls are optimised with it, once, and the machine code needs neither Numba nor Python where it runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import llvmlite.binding as llvm
from numba import njit, typeof, types
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import CodeLibrary
from numba.core.compiler import Compiler
from numba.core.errors import NumbaError
from numba.extending import lower_builtin, type_callable

from qtheory.errors import InputError
from qtheory.simulate.kernel import (
    bundles,  # noqa: F401  (tells Numba of packed tuples)
    jit,
)
from qtheory.simulate.kernel.machine import RETURNED, target_machine

_OPTIONS: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True, "no_cpython_wrapper": True}
_DECLARED = re.compile(r'^declare .*?@"?(?!llvm\.)([^"(]+)"?\(', re.M)
_OF_PYTHON = ("Py", "_Py", "NRT_", "numba_")  # where code calls these, it needs more than memory and numbers


class _Lowered(CodeLibrary):  # type: ignore[misc]
    """A function as Numba writes it down for LLVM, and those that it calls.

    Numba would optimise each with all that it calls, and make machine code of it, for each level of calls anew: half
    the time of a compilation.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.modules: list[str] = []
        self.called: list[Any] = []

    def add_ir_module(self, ir_module: Any) -> None:
        self.modules.append(normalize_ir_text(str(ir_module)))

    def add_linking_library(self, library: Any) -> None:
        self.called.append(library)

    def finalize(self) -> None:
        """Nothing is to be done before all that a function calls is there."""

    def get_function(self, name: str) -> Any:
        raise NotImplementedError(name)

    def get_asm_str(self) -> str:
        raise NotImplementedError

    def get_llvm_str(self) -> str:
        return "\n".join(self.modules)

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing of Python's is asked for, which an environment would hold."""

    def get_pointer_to_function(self, name: str) -> int:
        """Python has no way in."""
        return 0


class _Lowering(Compiler):  # type: ignore[misc]
    def __init__(self, typing: Any, target: Any, library: Any, arguments: Any, returned: Any, flags: Any,
                 local: Any) -> None:
        # Compiled code owns no arrays: the caller allocates them all. Without reference counting an event of the
        # network loop takes 33 ns, with it 1,900: each helper would count every array of the state up and down.
        flags.nrt = False
        super().__init__(typing, target, _Lowered(target.codegen(), "lowered"), arguments, returned, flags, local)


def part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Numba's dispatcher of a function that compiled functions call: one specialisation does for a number, literal or
    not."""
    made: Any = njit(**_OPTIONS, **options, pipeline_class=_Lowering)(function)
    template = type(made).get_call_template
    made.get_call_template = lambda types_, keywords: template(made, tuple(map(types.unliteral, types_)), keywords)
    return made


def machine_code(function: Callable[..., Any], options: dict[str, Any], arguments: Sequence[Any]) -> bytes:
    """The machine code of a function of such arguments, behind a line that says how it is called.

    Raises InputError where it cannot be compiled.
    """
    made = njit(**_OPTIONS, **options, pipeline_class=_Lowering)(function)
    kinds = tuple(map(typeof, arguments))
    try:
        made.compile(kinds)
    except NumbaError as error:
        said = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in ")]
        places = [line for line in said if line.startswith('File "')]  # the functions under way, the innermost last
        raise InputError(f"{function.__name__} cannot be compiled: {said[0][:120]}; {places[-1]}") from error
    found = made.overloads[kinds]
    returned = str(found.signature.return_type)
    if returned not in RETURNED:
        raise InputError(f"{function.__name__} returns {returned}; compiled code returns a number or nothing")
    machine = target_machine()
    module = _optimised(found.library, found.fndesc.llvm_func_name, machine)
    needed = sorted(set(_DECLARED.findall(str(module))))
    if any(name.startswith(_OF_PYTHON) for name in needed):
        raise InputError(f"{function.__name__} allocates: compiled code works on arrays that it is given")
    first = {"name": found.fndesc.llvm_func_name, "returns": returned, "needs": needed}
    return json.dumps(first).encode() + b"\n" + machine.emit_object(module)


def _optimised(library: Any, name: str, machine: Any) -> Any:
    """One module of the function and all that it calls, of which only the function is seen from outside."""
    whole = llvm.parse_assembly("")
    whole.triple, whole.data_layout = machine.triple, str(machine.target_data)
    for text in _texts(library):
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = whole.triple, whole.data_layout
        whole.link_in(module)
    for function in whole.functions:
        if not function.is_declaration and function.name != name:
            function.linkage = "linkonce_odr"  # it goes where it is not called, and is not forced into one caller
    whole.verify()
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    return whole


def _texts(library: Any) -> Iterator[str]:
    """What Numba wrote down for the function and for all that it calls, each once."""
    waiting, seen = [library], set()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield from one.modules if isinstance(one, _Lowered) else [one.get_llvm_str()]
            waiting += one.called if isinstance(one, _Lowered) else []


@type_callable(jit.call)
def _type_call(context: Any) -> Any:
    return lambda address, model, state: types.void


@lower_builtin(jit.call, types.Integer, types.Any, types.Any)
def _emit_call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, *others = arguments
    kind = context.call_conv.get_function_type(types.void, signature.args[1:])
    callee = builder.inttoptr(address, kind.as_pointer())
    status, _ = context.call_conv.call_function(builder, callee, types.void, signature.args[1:], others)
    with builder.if_then(status.is_error, likely=False):
        context.call_conv.return_status_propagate(builder, status)
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
