"""The requests of a cluster's hour: recorded ones, or drawn from the classes' laws; and the classes as the plan sees
them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from qtheory.errors import InputError
from qtheory.models.cluster import Cluster, lengths
from qtheory.theory.planning import RequestClass
from qtheory.theory.planning.fleet import Integers, Requests

MOST = 2_000_000  # requests of an hour
MOST_HELD = 1e18  # tokens of context, over all iterations: they are counted in 64 bits


@dataclass(frozen=True, repr=False)
class Hour:
    """``requests`` in the order of arrival, ``kinds``: the class of each, from 0; ``classes``: their rates and mean
    lengths, of the whole cluster."""

    requests: Requests
    kinds: Integers
    classes: tuple[RequestClass, ...]

    def __repr__(self) -> str:
        names = ", ".join(c.name for c in self.classes)
        return f"<{len(self.requests):,} requests in {float(self.requests.seconds):,.0f} s; classes {names}>"


def hour(cluster: Cluster, seed: int = 0) -> Hour:
    """The cluster's requests. Those of laws arrive in Poisson processes; InputError for too many, or none."""
    generator = np.random.default_rng(seed)
    parts, classes = [], []
    for c in cluster.classes:
        known = cluster.workload(c)
        if known is not None and known.trace is not None and known.trace.arrival_times is not None:
            trace, times = known.trace, np.asarray(known.trace.arrival_times, dtype=float)
            span = float(times[-1])
            if times[0] < 0:
                raise InputError(f"class {c.name!r}: the arrival times of {c.trace} begin at {times[0]:g} s; give them "
                                 "from 0 on")
            if _short(span) <= 0:
                raise InputError(f"class {c.name!r}: the arrival times of {c.trace} span no time, or less than a "
                                 "millisecond")
            arrivals = np.concatenate([(times + j * span / c.copies) % span if c.copies > 1 else times
                                       for j in range(c.copies)])
            prompts = np.tile(np.asarray(trace.prompt_lengths), c.copies)
            outputs = np.tile(np.asarray(trace.output_lengths), c.copies)
            rate = Fraction(len(prompts)) / _short(span)
            means = [Fraction(int(v.sum()), len(v)) for v in (prompts, outputs)]
        else:
            assert c.rate is not None and c.prompt is not None and c.output is not None
            if c.rate * cluster.seconds > MOST:
                raise InputError(f"class {c.name!r}: {c.rate * cluster.seconds:,.0f} requests; at most {MOST:,} are "
                                 "simulated: give fewer seconds")
            laws = [lengths(v, f"class {c.name!r}") for v in (c.prompt, c.output)]
            count = generator.poisson(c.rate * cluster.seconds)
            arrivals = np.sort(generator.uniform(0.0, cluster.seconds, count))
            prompts, outputs = (np.asarray(law.sample(generator, count)) for law in laws)
            rate, means = Fraction(str(c.rate)), [Fraction(str(float(law.mean))) for law in laws]
        parts.append((arrivals, prompts, outputs))
        classes.append(RequestClass(c.name, means[0], means[1], rate, Fraction(str(c.patience))))
    arrivals, prompts, outputs = (np.concatenate(v) for v in zip(*parts, strict=True))
    if not len(arrivals):
        raise InputError(f"no request arrives within {cluster.seconds:g} s")
    order = np.argsort(arrivals, kind="stable")
    kinds = np.repeat(np.arange(len(parts)), [len(p[0]) for p in parts])[order]
    prompt, output = (np.asarray(v, dtype=float) for v in (prompts, outputs))
    held = float((output * (prompt + output)).sum())
    if held > MOST_HELD:
        raise InputError(f"the requests are too long: their decodes hold {held:.3g} tokens of context in all; at most "
                         f"{MOST_HELD:.3g} are planned for")
    tokens = [v[order].astype(np.int64) for v in (prompts, np.maximum(outputs, 1))]
    return Hour(Requests(arrivals[order], *tokens), kinds, tuple(classes))


def _short(seconds: float) -> Fraction:
    """To the millisecond."""
    return Fraction(round(seconds * 1000), 1000)


def redrawn(requests: Requests, block: float, seed: int) -> Requests:
    """A bootstrap of a recorded hour: as many blocks of ``block`` seconds, each drawn from all of them."""
    generator = np.random.default_rng(seed)
    span = float(requests.arrivals[-1])
    number = max(round(span / block), 1)
    width = span / number
    place = np.minimum((requests.arrivals / width).astype(int), number - 1)
    parts = [np.flatnonzero(place == b) for b in range(number)]
    chosen = generator.integers(0, number, number)
    index = np.concatenate([parts[b] for b in chosen])
    arrivals = np.concatenate([requests.arrivals[parts[b]] + (at - b) * width for at, b in enumerate(chosen)])
    order = np.argsort(arrivals, kind="stable")
    index = index[order]
    return Requests(arrivals[order], requests.prompts[index], requests.outputs[index])
