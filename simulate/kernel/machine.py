"""Machine code for this processor, put where it can run: by LLVM alone, which loads in a tenth of Numba's time."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from qtheory.simulate.kernel.packing import Packed

RETURNED: dict[str, Any] = {"int64": ctypes.c_int64, "uint64": ctypes.c_uint64, "float64": ctypes.c_double,
                            "bool": ctypes.c_bool, "none": ctypes.c_void_p}
_ENGINES: list[Any] = []  # each holds code that may be called as long as the process lives
_TAKEN: dict[type, Any] = {Packed: ctypes.c_void_p, float: ctypes.c_double, int: ctypes.c_int64,
                           np.uint64: ctypes.c_uint64}


def target_machine() -> Any:
    """What code is made for: this very processor. One of its own for each engine, which ends with it."""
    with contextlib.suppress(RuntimeError):  # later versions do it unasked, and say so in an error
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target, (name, features) = llvm.Target.from_default_triple(), processor()
    reloc = "static" if target.name.startswith("x86") else "default"  # what runs where it stands need not move
    return target.create_target_machine(cpu=name, features=features, opt=3, reloc=reloc, codemodel="jitdefault",
                                        jit=True)


@functools.cache
def processor() -> tuple[str, str]:
    """Its name and its features: other processors may not know this one's instructions."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _given(value: Any) -> Any:
    return value.address if isinstance(value, Packed) else int(value) if isinstance(value, np.uint64) else value


class Loaded:
    """Machine code in memory, as long as the process lives. Raises ValueError where this process lacks what it calls.

    ``address``: where the function is. It is called with two places, for what it returns and for what it would raise,
    and with its arguments.
    """

    def __init__(self, content: bytes) -> None:
        first, _, code = content.partition(b"\n")
        said = json.loads(first)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine())
        if lost := [name for name in said["needs"] if not llvm.address_of_symbol(name)]:
            raise ValueError(f"no {lost[0]} in this process")  # LLVM would end it
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        _ENGINES.append(engine)
        self.address = int(engine.get_function_address(said["name"]))
        self._name, self._returns = said["name"], RETURNED[said["returns"]]

    def caller(self, arguments: Sequence[Any]) -> Callable[..., Any]:
        """The function for such arguments: packed tuples and numbers."""
        kinds = [_TAKEN[type(a)] for a in arguments]
        function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)(self.address)
        returns, name = self._returns, self._name

        def run(*values: Any) -> Any:
            found, raised = returns(), ctypes.c_void_p()
            status = function(ctypes.addressof(found), ctypes.addressof(raised),
                              *map(_given, values))
            if status:
                raise RuntimeError(f"compiled code raised an exception: {name}")
            return found.value

        return run
