"""Modules that are imported when one of their functions is called: to list what there is takes none of them.

What a table or a plot needs (SciPy, Numba, matplotlib) takes seconds to import, the list of their names nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


class Later:
    """Stands for a module in a list of functions: ``Later("qtheory.report.curves").thresholds``.

    Its attributes are functions that import the module when they are called, and call the one of that name there.
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def call(*arguments: Any, **options: Any) -> Any:
            return getattr(importlib.import_module(self._module), name)(*arguments, **options)

        call.__name__ = call.__qualname__ = name
        return call
