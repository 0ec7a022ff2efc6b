"""What an engine takes beyond its kernels: one law for each GPU and engine, judged on configurations it has not seen.

The time per token is ``scale`` times the kernels' (norms, activations, clocks lower than in isolation), plus
``per_iteration`` (the host's scheduling) plus ``per_request`` for each running one (sampling, detokenising). The time
to the first token is ``start`` plus the prefill's, lengthened by ``queueing`` for each other request: those that begin
together at a run's start, or that end together later, wait for each other's prefill. A model in its number format has
kernels of its own, which the tables meet more or less well: a factor on each time, drawn towards 1 as if models
differed as much as configurations of one do (ridge regression), and 1 for a model that was not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qtheory.errors import InputError
from qtheory.profiles.kernels.closed_loop import Steady

Array = NDArray[np.float64]

CORNER = 0.1  # relative error from which a point counts linearly: some runs are unlike all others
COVERAGE = 0.95
CONSTANTS = 6
FEW = 8  # configurations of a group below which its spread is not its own alone
TAILS = (0.025, 0.02, 0.015, 0.01, 0.0075, 0.005, 0.0025, 0.0)  # shares left out at either end, as tried


@dataclass(frozen=True)
class Overhead:
    """One engine's law on one GPU; times in seconds, all constants at least 0. ``models``: factors on the time per
    token and to the first token, by the models that were seen."""

    scale: float
    per_iteration: float
    per_request: float
    start: float
    prefill: float
    queueing: float
    models: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def per_token(self, kernels: Steady, model: str = "") -> float:
        """Seconds between tokens."""
        time = self.scale * kernels.per_token + self.per_iteration + self.per_request * kernels.running
        return self.models.get(model, (1.0, 1.0))[0] * time

    def first_token(self, kernels: Steady, model: str = "") -> float:
        """Seconds to the first token; what waits for memory does so for whole requests."""
        others = kernels.running - 1
        waiting = self.scale * kernels.waiting
        time = waiting + self.start + kernels.first_token * (self.prefill + self.queueing * others)
        return self.models.get(model, (1.0, 1.0))[1] * time


@dataclass(frozen=True)
class Measured:
    """A measured point beside its kernels; ``group``: what shares a law, ``configuration``: what is held out whole,
    ``model``: what shares a factor, many configurations'."""

    group: str
    configuration: str
    kernels: Steady
    per_token: float
    first_token: float
    model: str = ""


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
    if len(points) < CONSTANTS:
        raise InputError(f"{len(points)} points are too few for the six constants of an engine's overhead")
    tokens = np.array([[p.kernels.per_token, 1.0, p.kernels.running] for p in points])
    first = np.array([[1.0, p.kernels.first_token, p.kernels.first_token * (p.kernels.running - 1)] for p in points])
    names, model = np.unique([p.model for p in points], return_inverse=True)
    each = len(points) / len({p.configuration for p in points})  # points of a configuration, which err alike
    seconds = np.array([p.per_token for p in points])
    (scale, iteration, request), one = _solved(tokens, seconds, np.zeros(len(points)), 0, model, each)
    waiting = scale * np.array([p.kernels.waiting for p in points])
    seconds = np.array([p.first_token for p in points])
    (start, prefill, queueing), two = _solved(first, seconds, waiting, 1, model, each)
    factors = {str(name): (float(a), float(b)) for name, a, b in zip(names, one, two, strict=True)}
    return Overhead(scale, iteration, request, start, prefill, queueing, factors)


def _solved(columns: Array, seconds: Array, known: Array, main: int, model: NDArray[np.intp], each: float
            ) -> tuple[tuple[float, float, float], Array]:
    """The three constants of the columns, and the models' factors; a law of one model has no factor."""
    from scipy.optimize import least_squares

    sizes = np.median(columns, axis=0).clip(1e-12)
    unit = np.median(seconds)
    models = int(model.max()) + 1
    start = np.full(3 + models, 1e-3)
    start[main] = np.median(seconds / columns[:, main].clip(1e-12)) * sizes[main] / unit
    start[3:] = 0.0
    drawn = np.sqrt(each) * (1.0 if models > 1 else 1e6)

    def errors(constants: Array) -> Array:
        time = (columns @ (constants[:3] * unit / sizes) + known).clip(1e-12)
        return np.concatenate([np.log(time / seconds) + constants[3:][model], drawn * constants[3:]])

    least = np.concatenate([np.zeros(3), np.full(models, -np.inf)])
    found = least_squares(errors, start, bounds=(least, np.inf), loss="soft_l1", f_scale=CORNER).x
    first, second, third = (float(v) for v in found[:3] * unit / sizes)
    return (first, second, third), np.exp(found[3:]) if models > 1 else np.ones(1)


def judged(points: Sequence[Measured]) -> list[Judged]:
    """Each point predicted by its group's law fitted without its configuration.

    The interval of a configuration takes quantiles of the logarithmic errors that the group's other configurations have
    when each is held out itself. A configuration's points err alike, so that the quantiles' level is the least wide at
    which intervals made of all but one of the others hold 95 percent of that one's points. Of a group with fewer than
    ``FEW`` others the interval is as wide as that of all groups' configurations, too.
    """
    predicted: dict[tuple[str, str], list[tuple[Measured, float, float]]] = {}
    for group in dict.fromkeys(p.group for p in points):
        mine = [p for p in points if p.group == group]
        for name in dict.fromkeys(p.configuration for p in mine):
            rest = [p for p in mine if p.configuration != name]
            if len(rest) < CONSTANTS:
                continue
            law = fit(rest)
            predicted[group, name] = [(p, law.per_token(p.kernels, p.model), law.first_token(p.kernels, p.model))
                                      for p in mine if p.configuration == name]
    ratios = {key: (np.array([p.per_token / t for p, t, _ in part]), np.array([p.first_token / f for p, _, f in part]))
              for key, part in predicted.items()}
    common = [_spread([pair[i] for pair in ratios.values()]) for i in (0, 1)] if len(ratios) > 1 else []
    found = []
    for key, ones in predicted.items():
        others = [pair for other, pair in ratios.items() if other[0] == key[0] and other != key]
        if not others and len(ratios) < 2:
            continue
        within = []
        for i in (0, 1):
            own = [_spread([pair[i] for pair in others])] if others else []
            spreads = own + ([common[i]] if len(others) < FEW else [])
            within.append((min(low for low, _ in spreads), max(high for _, high in spreads)))
        found += [Judged(p, t, f, (t * within[0][0], t * within[0][1]), (f * within[1][0], f * within[1][1]))
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
