"""Is an agent network stable? Verdicts with certificates that both checkers accept.

``load`` a network by name or file, ``decide`` it, ``bracket`` its critical load, find the ``region`` of arrival rates
or the ``factors`` at which it is stable, check a certificate (``Certified``), ask ``evidence_for`` it of the
simulator, and judge a ``workflow`` of agents as people build them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qtheory.networks.certified import Certified as Certified
    from qtheory.networks.certified import Rejected as Rejected
    from qtheory.networks.critical import bracket as bracket
    from qtheory.networks.deciding import Decision as Decision
    from qtheory.networks.deciding import decide as decide
    from qtheory.networks.judging import Judged as Judged
    from qtheory.networks.judging import workflow as workflow
    from qtheory.networks.regions import Region as Region
    from qtheory.networks.regions import factors as factors
    from qtheory.networks.regions import region as region
    from qtheory.networks.shipped import load as load
    from qtheory.networks.shipped import names as names
    from qtheory.networks.simulation import evidence_for as evidence_for

_HOMES = {
    **dict.fromkeys(("Decision", "decide"), "deciding"),
    "bracket": "critical",
    **dict.fromkeys(("Region", "factors", "region"), "regions"),
    **dict.fromkeys(("load", "names"), "shipped"),
    **dict.fromkeys(("Certified", "Rejected"), "certified"),
    "evidence_for": "simulation",
    **dict.fromkeys(("Judged", "workflow"), "judging"),
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'qtheory.networks' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"qtheory.networks.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
