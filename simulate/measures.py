"""What to read off a run: each measure is a ratio of two totals a window, so that any windows can be pooled exactly.

First those of networks, then those of an LLM engine, of a chain of counts, of slotted networks of engines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qtheory.errors import UnknownNameError
from qtheory.simulate.kernel import agent_layout as A
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.networks import Network
from qtheory.simulate.runs import Run

Totals = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Measure:
    """``totals(run)``: numerators and denominators of each window, both of shape (windows,)."""

    name: str
    unit: str
    totals: Callable[[Any], Totals]

    def series(self, run: Any) -> np.ndarray:
        """The measure in each window, shape (windows,); NaN where the denominator is 0."""
        top, bottom = self.totals(run)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(top / bottom)

    def value(self, run: Any, first: int = 0) -> float:
        """The measure over the windows from ``first`` on; NaN where nothing was counted."""
        top, bottom = self.totals(run)
        total = float(bottom[first:].sum())
        return float(top[first:].sum()) / total if total else float("nan")


def _class_number(network: Network, name: str) -> int:
    names = [c.name for c in network.classes]
    if name not in names:
        raise UnknownNameError("class", name, names)
    return names.index(name)


def _type_number(network: Network, name: str) -> int:
    names = [c.name for c in network.sources]
    if name not in names:
        raise UnknownNameError("class with arrivals from outside", name, names)
    return names.index(name)


def _station_number(network: Network, name: str) -> int:
    names = [s.name for s in network.stations]
    if name not in names:
        raise UnknownNameError("station", name, names)
    return names.index(name)


def _lengths(run: Any) -> np.ndarray:
    return np.full(run.windows, run.window)


def sojourn(entry: str) -> Measure:
    """Mean time from entering the network as class ``entry`` to leaving it, over jobs that left; seconds."""

    def totals(run: Run) -> Totals:
        a = _type_number(run.network, entry)
        return run.types[:, a, L.SOJOURN], run.types[:, a, L.LEFT_JOBS]

    return Measure(f"mean sojourn time of {entry}", "s", totals)


def throughput(entry: str) -> Measure:
    """Jobs of type ``entry`` that leave a second."""

    def totals(run: Run) -> Totals:
        return run.types[:, _type_number(run.network, entry), L.LEFT_JOBS], _lengths(run)

    return Measure(f"throughput of {entry}", "1/s", totals)


def number(*classes: str) -> Measure:
    """Time average of the number of jobs present in the classes named (none named: in all)."""

    def totals(run: Run) -> Totals:
        chosen = [_class_number(run.network, c) for c in classes] or slice(None)
        return run.classes[:, chosen, L.AREA].sum(axis=1), _lengths(run)

    return Measure(f"mean number of {', '.join(classes) or 'jobs'}", "jobs", totals)


def wait(name: str) -> Measure:
    """Mean time in the queue a job of class ``name``, impatient jobs included; seconds."""

    def totals(run: Run) -> Totals:
        sums = run.classes[:, _class_number(run.network, name)]
        return sums[:, L.WAIT], sums[:, L.COMPLETIONS] + sums[:, L.ABANDONED]

    return Measure(f"mean wait of {name}", "s", totals)


def delayed(name: str) -> Measure:
    """Fraction of the jobs of class ``name`` that had to wait."""

    def totals(run: Run) -> Totals:
        sums = run.classes[:, _class_number(run.network, name)]
        return sums[:, L.DELAYED], sums[:, L.STARTS] + sums[:, L.ABANDONED]

    return Measure(f"fraction of {name} delayed", "1", totals)


def abandoned(name: str) -> Measure:
    """Fraction of the jobs of class ``name`` that lost patience."""

    def totals(run: Run) -> Totals:
        sums = run.classes[:, _class_number(run.network, name)]
        return sums[:, L.ABANDONED], sums[:, L.COMPLETIONS] + sums[:, L.ABANDONED]

    return Measure(f"fraction of {name} that leaves unserved", "1", totals)


def lost(entry: str) -> Measure:
    """Fraction of the jobs of type ``entry`` that were lost for want of room, of those that ended their stay."""

    def totals(run: Run) -> Totals:
        sums = run.types[:, _type_number(run.network, entry)]
        return sums[:, L.LOST_JOBS], sums[:, L.LOST_JOBS] + sums[:, L.LEFT_JOBS]

    return Measure(f"fraction of {entry} lost", "1", totals)


def blocked(name: str) -> Measure:
    """Fraction of its servers' time in which station ``name`` is blocked by full stations."""

    def totals(run: Run) -> Totals:
        m = _station_number(run.network, name)
        return run.stations[:, m, L.BLOCKED], _lengths(run) * run.network.stations[m].servers

    return Measure(f"blocked fraction of {name}", "1", totals)


def utilisation(name: str) -> Measure:
    """Busy fraction of the servers of station ``name``."""

    def totals(run: Run) -> Totals:
        m = _station_number(run.network, name)
        return run.stations[:, m, L.BUSY], _lengths(run) * run.network.stations[m].servers

    return Measure(f"utilisation of {name}", "1", totals)


def _columns(run: Any, *columns: int) -> np.ndarray:
    return np.asarray(run.sums[:, columns].sum(axis=1))


def _of_classes(run: Any, column: int) -> np.ndarray:
    return np.asarray(run.class_sums[:, :, column].sum(axis=1))


def _engine_seconds(run: Any) -> np.ndarray:
    """Length of each window of an engine's run: the last goes on to the end of its iteration; shape (windows,)."""
    lengths = np.full(run.windows, run.window)
    lengths[-1] += run.seconds - run.windows * run.window
    return lengths


def _a_second(name: str, unit: str, *columns: int) -> Measure:
    return Measure(name, unit, lambda run: (_columns(run, *columns), _engine_seconds(run)))


def _an_iteration(name: str, unit: str, *columns: int) -> Measure:
    return Measure(name, unit, lambda run: (_columns(run, *columns), _columns(run, E.ITERATIONS)))


# Measures of an LLM engine, by name; what is per second is over all the time, idle or not.
ENGINE = {
    m.name: m
    for m in (
        _a_second("requests a second", "1/s", E.REQUESTS_OUT),
        _a_second("output tokens a second", "tokens/s", E.DECODE_TOKENS),
        _a_second("prefill tokens a second", "tokens/s", E.PREFILL_TOKENS),
        _a_second("goodput, requests a second", "1/s", E.GOOD),
        _a_second("busy fraction", "1", E.BUSY_TIME),
        _a_second("idle fraction", "1", E.IDLE_TIME),
        _an_iteration("tokens an iteration", "tokens", E.PREFILL_TOKENS, E.DECODE_TOKENS),
        _an_iteration("prefill tokens an iteration", "tokens", E.PREFILL_TOKENS),
        _an_iteration("decode tokens an iteration", "tokens", E.DECODE_TOKENS),
        _an_iteration("fraction of iterations that mix", "1", E.MIXED),
        _a_second("mean KV tokens", "tokens", E.RESIDENT_AREA),
        _a_second("preemptions a second", "1/s", E.PREEMPTIONS),
        _a_second("times short of memory a second", "1/s", E.OUT_OF_MEMORY),
        Measure("mean latency, s", "s", lambda run: (_columns(run, E.LENGTH), _columns(run, E.REQUESTS_OUT))),
        Measure("mean TPOT, s", "s", lambda run: (_of_classes(run, E.TPOT_SUM), _of_classes(run, E.TPOT_OUT))),
        Measure("fraction within every limit", "1",
                lambda run: (_columns(run, E.GOOD), _columns(run, E.REQUESTS_OUT))),
    )
}


def of_request_class(k: int, name: str) -> dict[str, Measure]:
    """The measures of class ``name``, number ``k``, of an LLM engine, by name."""

    def share(what: str, unit: str, top: int, bottom: int | None) -> Measure:
        def totals(run: Any) -> Totals:
            return run.class_sums[:, k, top], _engine_seconds(run) if bottom is None else run.class_sums[:, k, bottom]

        return Measure(f"{what} of {name}" + (f", {unit}" if unit != "1" else ""), unit, totals)

    chosen = (
        share("throughput", "1/s", E.CLASS_OUT, None),
        share("goodput", "1/s", E.CLASS_GOOD, None),
        share("mean TTFT", "s", E.TTFT_SUM, E.FIRST_TOKENS),
        share("mean latency", "s", E.LATENCY_SUM, E.CLASS_OUT),
        share("mean TPOT", "s", E.TPOT_SUM, E.TPOT_OUT),
        share("fraction within every limit", "1", E.CLASS_GOOD, E.CLASS_OUT),
        share("fraction with a late token", "1", E.LATE_OUT, E.CLASS_OUT),
    )
    return {m.name: m for m in chosen}


def of_engine(engine: Any) -> dict[str, Measure]:
    """The measures of an LLM engine, of each of its classes too, by name."""
    known = dict(ENGINE)
    for k, c in enumerate(engine.classes):
        known |= of_request_class(k, c.name)
    return known


def count(name: str) -> Measure:
    """Time average of a chain's count ``name``."""

    def totals(run: Any) -> Totals:
        names = run.chain.names
        if name not in names:
            raise UnknownNameError("count", name, names)
        return run.area[:, names.index(name)], _lengths(run)

    return Measure(f"mean {name}", "1", totals)


def move(name: str) -> Measure:
    """How often a chain's move ``name`` happens a second."""

    def totals(run: Any) -> Totals:
        names = [m.name for m in run.chain.moves]
        if name not in names:
            raise UnknownNameError("move", name, names)
        return run.moves[:, names.index(name)].astype(float), _lengths(run)

    return Measure(f"{name} a second", "1/s", totals)


def _grown(counters: np.ndarray) -> np.ndarray:
    """What counters since the start grew by in each window; shapes (windows, ..)."""
    return np.asarray(np.diff(counters, axis=0, prepend=np.zeros_like(counters[:1])), dtype=float)


def _there(found: Sequence[Any], what: str, name: str) -> int:
    names = [n.name for n in found]
    if name not in names:
        raise UnknownNameError(what, name, names)
    return names.index(name)


def agent_requests(name: str) -> Measure:
    """Requests of type ``name`` that leave slotted agents a second."""

    def totals(run: Any) -> Totals:
        return _grown(run.types[:, _there(run.model.network.types, "type", name), A.LEFT]), _lengths(run)

    return Measure(f"throughput of {name}", "1/s", totals)


def agent_tokens(name: str) -> Measure:
    """Tokens that engine ``name`` of slotted agents processes a second."""

    def totals(run: Any) -> Totals:
        return _grown(run.engines[:, _there(run.model.network.engines, "engine", name), A.LOADED]), _lengths(run)

    return Measure(f"tokens a second at {name}", "tokens/s", totals)


def agents_at(name: str) -> Measure:
    """Time average of the requests at visit ``name`` of slotted agents."""

    def totals(run: Any) -> Totals:
        k = _there(run.model.network.visits, "visit", name)
        return _grown(run.visits[:, k, A.AREA]) * float(run.model.slot_seconds), _lengths(run)

    return Measure(f"mean number at {name}", "requests", totals)


def agent_sojourn(name: str) -> Measure:
    """Mean time of type ``name`` in slotted agents by Little's law, from the requests present; of a type that does not
    fork; seconds."""

    def totals(run: Any) -> Totals:
        a = _there(run.model.network.types, "type", name)
        own = [k for k, v in enumerate(run.model.network.visits) if run.model.type_number(v.name) == a]
        area = _grown(run.visits[:, own, A.AREA].sum(axis=1)) * float(run.model.slot_seconds)
        return area, _grown(run.types[:, a, A.LEFT])

    return Measure(f"mean sojourn time of {name}", "s", totals)
