"""A named tuple of arrays and numbers as machine code takes it: one address, behind which stand all its fields.

As a tuple, a model or a state of some forty arrays is some three hundred arguments of each compiled function that takes
it, which each caller copies and each compilation carries through all its passes. Behind one address a function loads
the fields that it names, and no others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Kinds = tuple[str, tuple[tuple[str, Any, int], ...]]  # the tuple's class; of each field name, dtype and dimensions


class Packed:
    """The fields of ``values``, a named tuple: an array's address and its sizes, or a number, each a word of 8 bytes.

    ``kinds`` says what stands where; ``address`` is that of the words. The arrays must live as long as it does: it
    keeps ``values``.
    """

    __slots__ = ("_values", "_words", "address", "kinds")

    def __init__(self, values: Any) -> None:
        words: list[int] = []
        kinds = []
        for name, value in zip(values._fields, values, strict=True):
            if isinstance(value, np.ndarray):
                if not value.flags.carray:
                    raise ValueError(f"{type(values).__name__}.{name} is not a writeable array in C order")
                words.append(value.__array_interface__["data"][0])
                words.extend(value.shape)
                kinds.append((name, value.dtype, value.ndim))
            elif isinstance(value, float):
                words.append(int(np.float64(value).view(np.int64)))
                kinds.append((name, float, 0))
            else:
                words.append(int(value))
                kinds.append((name, int, 0))
        self._values = values
        self._words = np.array(words, dtype=np.int64)
        self.kinds: Kinds = (type(values).__name__, tuple(kinds))
        self.address = int(self._words.__array_interface__["data"][0])


def packed(argument: Any) -> Any:
    """The argument as compiled functions take it: named tuples packed, numbers as Python's own."""
    if isinstance(argument, tuple):
        return Packed(argument)
    if isinstance(argument, int | np.signedinteger | np.bool_):
        return int(argument)
    return float(argument) if isinstance(argument, np.floating) else argument


def kind(argument: Any) -> object:
    """What a compiled function is compiled anew for: the fields of a packed tuple, or a number's type."""
    if not isinstance(argument, Packed | int | float | np.uint64):
        raise TypeError(f"compiled code takes named tuples and numbers; a {type(argument).__name__} goes into a tuple")
    return argument.kinds if isinstance(argument, Packed) else type(argument).__name__
