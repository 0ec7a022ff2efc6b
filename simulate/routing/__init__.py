"""Engines behind a router that sees their state: join the shortest queue, fewest tokens, affinity of prefixes.

:class:`RoutedFleet` is what is simulated, :class:`RoutedRun` what a run holds.
"""

from qtheory.simulate.routing.fleets import RULES, Prefixes, RoutedFleet, RoutedRun

__all__ = ["RULES", "Prefixes", "RoutedFleet", "RoutedRun"]
