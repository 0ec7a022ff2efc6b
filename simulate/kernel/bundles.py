"""Packed tuples (:mod:`~qtheory.simulate.kernel.packing`) for Numba: an address, and fields that are loaded from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array

from qtheory.simulate.kernel.packing import Kinds, Packed

_WORD = ir.IntType(64)


class Bundle(types.Type):
    """The type of packed tuples of these kinds. ``fields``: of each name its first word and its type."""

    def __init__(self, kinds: Kinds) -> None:
        name, fields = kinds
        self.fields: dict[str, tuple[int, Any]] = {}
        place = 0
        for field, kind, dimensions in fields:
            plain = {float: types.float64, int: types.int64}.get(kind)
            self.fields[field] = place, plain or types.Array(from_dtype(kind), dimensions, "C")
            place += 1 + dimensions
        described = ",".join(f"{field}{np.dtype(kind).char}{dimensions}" for field, kind, dimensions in fields)
        super().__init__(f"{name}({described})")

    @property
    def mangling_args(self) -> tuple[str, tuple[Any, ...]]:
        """The name in machine code: short, since every function that takes a bundle has it in its own."""
        return self.name.split("(")[0], ()


@typeof_impl.register(Packed)
def _type_of(value: Packed, context: Any) -> Bundle:
    return Bundle(value.kinds)


register_model(Bundle)(models.OpaqueModel)


@unbox(Bundle)
def _from_python(kind: Bundle, value: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(value, "address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer)


@infer_getattr
class _Fields(AttributeTemplate):
    key = Bundle

    def generic_resolve(self, kind: Bundle, name: str) -> Any:  # type: ignore[override]
        found = kind.fields.get(name)
        return None if found is None else found[1]


@lower_getattr_generic(Bundle)
def _load_field(context: Any, builder: Any, kind: Bundle, bundle: Any, name: str) -> Any:
    place, result = kind.fields[name]

    def word(number: int, form: Any) -> Any:
        address = builder.gep(bundle, [ir.Constant(_WORD, 8 * (place + number))])
        loaded = builder.load(builder.bitcast(address, form.as_pointer()))
        # The words stay as they are while a function runs: what was loaded once need not be loaded again.
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if not isinstance(result, types.Array):
        return word(0, context.get_value_type(result))
    array = make_array(result)(context, builder)
    itemsize = context.get_abi_sizeof(context.get_data_type(result.dtype))
    sizes = [word(1 + d, _WORD) for d in range(result.ndim)]
    strides = [ir.Constant(_WORD, itemsize)]
    for size in reversed(sizes[1:]):
        strides.insert(0, builder.mul(size, strides[0]))
    data = word(0, array.data.type)
    populate_array(array, data=data, shape=sizes, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()
