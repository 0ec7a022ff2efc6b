"""The ``[fleet]`` of a scenario: engines behind a router, and the rules with which it is compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qtheory.errors import InputError
from qtheory.simulate.engines import IterationTime, RequestClass
from qtheory.simulate.reading import table_of, value_of
from qtheory.simulate.routing.fleets import Prefixes, RoutedFleet

FLEET = ("time", "engines"), ("rule", "slots", "chunk", "bound", "prefixes")
PREFIXES = ("number", "tokens"), ("exponent", "cached")


def _fleet(table: Any, classes: tuple[RequestClass, ...], time: Callable[[Any, str], Any], where: str) -> RoutedFleet:
    t = table_of(table, where, *FLEET)
    plain = [k for k in t if k not in ("time", "prefixes")]
    options: dict[str, Any] = {k: value_of(k, t[k], where) for k in plain}
    if "prefixes" in t:
        place = f"{where}.prefixes"
        known = table_of(t["prefixes"], place, *PREFIXES)
        options["prefixes"] = Prefixes(**{k: value_of(k, v, place) for k, v in known.items()})
    law: IterationTime = time(t["time"], f"{where}.time")
    return RoutedFleet(classes, law, **options)


def fleets_of(table: Any, others: Any, classes: tuple[RequestClass, ...],
              time: Callable[[Any, str], Any]) -> dict[str, RoutedFleet]:
    """The variants that ``[fleet]`` and its ``[[compare]]`` tables describe, by their rules; ``time`` reads the law.

    A comparison names what differs. Raises InputError or UnknownNameError with the place.
    """
    if not isinstance(table, dict) or not isinstance(others, list) or not all(isinstance(o, dict) for o in others):
        raise InputError("the fleet is written as [fleet], what it is compared with as [[compare]]")
    found: dict[str, RoutedFleet] = {}
    for i, other in enumerate([{}, *others]):
        fleet = _fleet({**table, **other}, classes, time, f"compare {i}" if i else "fleet")
        found[fleet.rule if fleet.rule not in found else f"{fleet.rule} {i + 1}"] = fleet
    return found
