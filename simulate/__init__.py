"""The simulator: compiled event loops, models built from plain data, and statistics that can be trusted.

Models: ``Network`` of ``Station``, ``JobClass`` and ``Dispatcher``, ``LLMEngine`` of ``RequestClass`` and
``IterationTime``, ``CountsChain``, ``SlottedAgents``, ``RoutedFleet`` of engines behind a router, with ``Prefixes``;
``run``, ``run_engine`` and ``run_counts`` simulate one of the first three, a method ``run`` any of them, and
``replicate`` any of them again and again.  A scenario file: ``load`` and ``run_scenario``.
Estimates with intervals and the stability verdict live in :mod:`qtheory.simulate.statistics`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors see
    from qtheory.simulate.agents import SlottedAgents as SlottedAgents
    from qtheory.simulate.counts import CountsChain as CountsChain
    from qtheory.simulate.counts import run_counts as run_counts
    from qtheory.simulate.engine_runs import run_engine as run_engine
    from qtheory.simulate.engines import IterationTime as IterationTime
    from qtheory.simulate.engines import LLMEngine as LLMEngine
    from qtheory.simulate.engines import RequestClass as RequestClass
    from qtheory.simulate.experiments import run_scenario as run_scenario
    from qtheory.simulate.kernel_times import KernelTime as KernelTime
    from qtheory.simulate.networks import Dispatcher as Dispatcher
    from qtheory.simulate.networks import JobClass as JobClass
    from qtheory.simulate.networks import Network as Network
    from qtheory.simulate.networks import Station as Station
    from qtheory.simulate.routing import Prefixes as Prefixes
    from qtheory.simulate.routing import RoutedFleet as RoutedFleet
    from qtheory.simulate.runs import replicate as replicate
    from qtheory.simulate.runs import run as run
    from qtheory.simulate.scenarios import load as load

_HOMES = {
    **dict.fromkeys(("Network", "Station", "JobClass", "Dispatcher"), "networks"),
    **dict.fromkeys(("LLMEngine", "RequestClass", "IterationTime"), "engines"),
    **dict.fromkeys(("CountsChain", "run_counts"), "counts"),
    **dict.fromkeys(("Prefixes", "RoutedFleet"), "routing"),
    **dict.fromkeys(("run", "replicate"), "runs"),
    "SlottedAgents": "agents", "KernelTime": "kernel_times",
    "run_engine": "engine_runs", "run_scenario": "experiments", "load": "scenarios",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'qtheory.simulate' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"qtheory.simulate.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
