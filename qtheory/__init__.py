"""qtheory: a referee for the queueing theory of LLM serving.

Heavy modules are imported on first use, so that ``import qtheory`` stays fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors see
    from qtheory import networks as networks
    from qtheory import profiles as profiles
    from qtheory import simulate as simulate
    from qtheory import testing as testing
    from qtheory import theory as theory
    from qtheory import workloads as workloads
    from qtheory.proofs.api import prove as prove
    from qtheory.proofs.corpus import verify as verify
    from qtheory.proofs.derivation import derivation as derivation
    from qtheory.report import plots as plots
    from qtheory.report import tables as tables

__version__ = "0.1.0"

# name in the notebook -> (module, attribute or None for the module itself)
_LAZY: dict[str, tuple[str, str | None]] = {
    "prove": ("qtheory.proofs.notebook", "prove"),
    "derivation": ("qtheory.proofs.derivation", "derivation"),
    "verify": ("qtheory.proofs.notebook", "verify"),
    "profiles": ("qtheory.profiles", None),
    "workloads": ("qtheory.workloads", None),
    "theory": ("qtheory.theory", None),
    "networks": ("qtheory.networks", None),
    "tables": ("qtheory.report.tables", None),
    "plots": ("qtheory.report.plots", None),
    "simulate": ("qtheory.simulate", None),
    "testing": ("qtheory.testing", None),
}

__all__ = ["__version__", *sorted(_LAZY)]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'qtheory' has no attribute {name!r}; it has {', '.join(__all__)}")
    module, attribute = _LAZY[name]
    loaded = importlib.import_module(module)
    return loaded if attribute is None else getattr(loaded, attribute)


def __dir__() -> list[str]:
    return __all__
