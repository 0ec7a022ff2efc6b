"""What an engine takes beyond its kernels: one law for each GPU and engine, judged on configurations it has not seen.

The time per token is ``scale`` times the kernels' (norms, activations, clocks lower than in isolation), plus
``per_iteration`` (the host's scheduling) plus ``per_request`` for each running one (sampling, detokenising). The time
to the first token is ``start`` plus the prefill's, lengthened by ``queueing`` for each other request: those that begin
together at a run's start, or that end together later, wait for each other's prefill.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.profiles.kernels.closed_loop import Steady

Array = NDArray[np.float64]

CORNER = 0.1  # relative error from which a point counts linearly: some runs are unlike all others
COVERAGE = 0.95
TAILS = (0.025, 0.02, 0.015, 0.01, 0.0075, 0.005, 0.0025, 0.0)  # shares left out at either end, as tried


@dataclass(frozen=True)
class Overhead:
    """One engine's law on one GPU; times in seconds, all constants at least 0."""

    scale: float
    per_iteration: float
    per_request: float
    start: float
    prefill: float
    queueing: float

    def per_token(self, kernels: Steady) -> float:
        """Seconds between tokens."""
        return self.scale * kernels.per_token + self.per_iteration + self.per_request * kernels.running

    def first_token(self, kernels: Steady) -> float:
        """Seconds to the first token; what waits for memory does so for whole requests."""
        others = kernels.running - 1
        waiting = self.scale * kernels.waiting
        return waiting + self.start + kernels.first_token * (self.prefill + self.queueing * others)


@dataclass(frozen=True)
class Measured:
    """A measured point beside its kernels; ``group``: what shares a law, ``configuration``: what is held out whole."""

    group: str
    configuration: str
    kernels: Steady
    per_token: float
    first_token: float


@dataclass(frozen=True)
class Judged:
    """Predictions of a point by a law fitted without its configuration, with intervals (low, high) at 95 percent."""

    point: Measured
    per_token: float
    first_token: float
    per_token_within: tuple[float, float]
    first_token_within: tuple[float, float]


def fit(points: Sequence[Measured]) -> Overhead:
    """The law with the least soft-L1 error of the logarithms; InputError for fewer than six points."""
    if len(points) < 6:
        raise InputError(f"{len(points)} points are too few for the six constants of an engine's overhead")
    tokens = np.array([[p.kernels.per_token, 1.0, p.kernels.running] for p in points])
    first = np.array([[1.0, p.kernels.first_token, p.kernels.first_token * (p.kernels.running - 1)] for p in points])
    scale, iteration, request = _solved(tokens, np.array([p.per_token for p in points]), np.zeros(len(points)), 0)
    waiting = scale * np.array([p.kernels.waiting for p in points])
    start, prefill, queueing = _solved(first, np.array([p.first_token for p in points]), waiting, 1)
    return Overhead(scale, iteration, request, start, prefill, queueing)


def _solved(columns: Array, seconds: Array, known: Array, main: int) -> tuple[float, float, float]:
    from scipy.optimize import least_squares

    sizes = np.median(columns, axis=0).clip(1e-12)
    unit = np.median(seconds)
    start = np.full(3, 1e-3)
    start[main] = np.median(seconds / columns[:, main].clip(1e-12)) * sizes[main] / unit

    def errors(constants: Array) -> Array:
        return np.log((columns @ (constants * unit / sizes) + known).clip(1e-12) / seconds)

    found = least_squares(errors, start, bounds=(0.0, np.inf), loss="soft_l1", f_scale=CORNER)
    first, second, third = (float(v) for v in found.x * unit / sizes)
    return first, second, third


def judged(points: Sequence[Measured]) -> list[Judged]:
    """Each point predicted by its group's law fitted without its configuration.

    The interval of a configuration takes quantiles of the logarithmic errors that the group's other configurations have
    when each is held out itself. A configuration's points err alike, so that the quantiles' level is the least wide at
    which intervals made of all but one of the others hold 95 percent of that one's points.
    """
    found = []
    for group in dict.fromkeys(p.group for p in points):
        mine = [p for p in points if p.group == group]
        names = list(dict.fromkeys(p.configuration for p in mine))
        predicted: dict[str, list[tuple[Measured, float, float]]] = {}
        for name in names:
            rest = [p for p in mine if p.configuration != name]
            if len(rest) < len(fields(Overhead)):
                continue
            law = fit(rest)
            predicted[name] = [(p, law.per_token(p.kernels), law.first_token(p.kernels))
                               for p in mine if p.configuration == name]
        for name, ones in predicted.items():
            others = [part for other, part in predicted.items() if other != name]
            if not others:
                continue
            tokens = _spread([np.array([p.per_token / t for p, t, _ in part]) for part in others])
            first = _spread([np.array([p.first_token / f for p, _, f in part]) for part in others])
            found += [Judged(p, t, f, (t * tokens[0], t * tokens[1]), (f * first[0], f * first[1]))
                      for p, t, f in ones]
    return found


def _spread(ratios: Sequence[Array]) -> tuple[float, float]:
    """Factors between which the share ``COVERAGE`` of measured over predicted is expected in a new configuration, from
    those of others (one array each)."""
    for tail in TAILS:
        held = []
        for i, part in enumerate(ratios):
            rest = [other for j, other in enumerate(ratios) if j != i]
            if rest:
                low, high = np.quantile(np.concatenate(rest), [tail, 1 - tail])
                held.append(np.mean((part >= low) & (part <= high)))
        if held and np.average(held, weights=[len(part) for part in ratios]) >= COVERAGE:
            break
    low, high = np.quantile(np.concatenate(ratios), [tail, 1 - tail])
    return float(low), float(high)
