"""Units of every column of every table, written down here; ends of an interval have the unit of what lies between."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterator

import qtheory.report
from qtheory.report.table import Column

# by unit, the module of the report and the names of its columns; every other column has no unit
UNITS: dict[str, dict[str, str]] = {
    "%": {
        "laws": "band_error median p95 rate_error worst",
        "regret": "loss safe_gain wrong_loss",
        "rules": "loss0 loss5 more0 more5",
        "tiling": "below over",
        "tiling_drain": "rad sarathi vllm",
    },
    "1/iteration": {
        "approximation": "p0",
        "base_threshold": "p0",
        "rules": "p0",
    },
    "1/iteration^2": {
        "rules": "eta",
    },
    "1/s": {
        "slai": "capacity rate",
        "tiling": "any endless held rad rate sarathi vllm",
        "traces": "rate",
        "waiting": "printed rate throughput",
    },
    "iterations": {
        "rules": "iterations",
    },
    "ms": {
        "tiling": "column",
    },
    "requests": {
        "base_threshold": "N k0",
        "capacity": "slots",
        "crossover": "N k0",
        "memory_safety": "N k safe static",
        "regret": "N safe",
        "rules": "N",
        "stability_map": "rate",
        "waiting": "first",
    },
    "requests/s": {
        "base_threshold": "throughput",
        "capacity": "high low with_slots",
        "crossover": "exclusive lead mixed",
        "regret": "mixed rate",
        "rules": "throughput",
        "stability": "rate saturated",
    },
    "s": {
        "crossover": "alpha_MB",
        "slai": "free_99 paying_99 tbt ttft ttft_99",
        "tiling": "least printed worst",
        "waiting": "horizon iteration",
    },
    "s/Mtoken": {
        "crossover": "bound break_even gap",
    },
    "s/token": {
        "crossover": "beta_MB",
    },
    "tokens": {
        "base_threshold": "mu_L mu_O",
        "capacity": "budget tokens",
        "hardware": "tokens_max tokens_min",
        "laws": "band worst_at",
        "memory_safety": "capacity deviation mu_L mu_O reserve",
        "regret": "capacity",
        "stability_map": "first second",
        "tiling": "budget lcm prompt",
        "traces": "output_mean prompt_mean",
        "waiting": "batch memory needed needs printed queues reserve",
    },
}


def columns(value: object) -> Iterator[Column]:
    if isinstance(value, Column):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from columns(one)


def modules() -> Iterator[tuple[str, list[Column]]]:
    for found in pkgutil.iter_modules(qtheory.report.__path__):
        module = importlib.import_module(f"qtheory.report.{found.name}")
        yield found.name, [c for value in vars(module).values() for c in columns(value)]


def test_each_column_has_its_unit() -> None:
    told: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, found in modules():
        for column in found:
            if column.unit:
                told[column.unit][module].add(column.name)
    of_ends = {unit: {module: {n.removesuffix("_low").removesuffix("_high") for n in names}
                      for module, names in by_module.items()} for unit, by_module in told.items()}
    assert of_ends == {unit: {module: set(names.split()) for module, names in by_module.items()}
                       for unit, by_module in UNITS.items()}


def test_the_ends_of_an_interval_have_the_unit_of_its_column() -> None:
    seen = 0
    for module, found in modules():
        by_name: dict[str, set[str]] = defaultdict(set)
        for column in found:
            by_name[column.name].add(column.unit)
        for name, units in by_name.items():
            whole = name.removesuffix("_low").removesuffix("_high")
            if whole != name and whole in by_name:
                assert units <= by_name[whole], (module, name)
                seen += 1
    assert seen > 30
