"""Plots of simulated scenarios: numbers present over time with bands, distributions of delays, occupancy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from qtheory.errors import InputError
from qtheory.report.style import COLUMN, SETTINGS, STYLES, save, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from qtheory.simulate.experiments import Runs
    from qtheory.simulate.scenarios import Point, Scenario

_BANDS = "mean, and where the middle 80 % of the replications lie"


def _band(axes: Axes, times: np.ndarray, paths: np.ndarray, label: str, number: int) -> None:
    """The mean over replications, and where the middle 80 percent of them lie; ``paths``: (replications, windows)."""
    colour, dash = STYLES[number % len(STYLES)]
    axes.plot(times, paths.mean(axis=0), dash, color=colour, label=words(label), linewidth=1.4)
    low, high = np.quantile(paths, (0.1, 0.9), axis=0)
    axes.fill_between(times, low, high, color=colour, alpha=0.2, linewidth=0)


def _over_time(axes: Axes, results: Mapping[str, Runs], path: Callable[[Any], np.ndarray], what: str) -> None:
    for number, (label, runs) in enumerate(results.items()):
        times = runs[0].window * np.arange(1, runs[0].windows + 1)
        _band(axes, times, np.array([path(r) for r in runs]), label, number)
    axes.set(xlabel="time (s)", ylabel=what, xlim=(0, times[-1]), ylim=(0, None))
    axes.set_title(_BANDS, fontsize="small")
    _legend(axes)


def _legend(axes: Axes) -> None:
    """Below the axes, where it covers nothing."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=3)


def _tail(axes: Axes, counts: Mapping[str, Sequence[np.ndarray]], what: str) -> None:
    """P(X > x) from histograms, one a replication, pooled, with 95 percent bands, on logarithmic axes."""
    from qtheory.simulate.statistics.quantiles import bin_edges, distribution

    edges, least = bin_edges(), 1.0
    ends: list[float] = []
    for number, (label, each) in enumerate(counts.items()):
        pooled = np.sum(each, axis=0)
        total = pooled.sum()
        if total == 0:
            continue
        used = np.flatnonzero(pooled)
        first, last = used[0], used[-1] + 1
        above = 1.0 - np.cumsum(pooled[first:last]) / total
        above[-1] = 1e-99  # none exceeds the last: the line falls out of the picture
        colour, dash = STYLES[number % len(STYLES)]
        axes.step(edges[first : last + 1], [1.0, *above], dash, color=colour, where="post", label=words(label),
                  linewidth=1.4)
        if len(each) > 1 and all(c.sum() for c in each):
            d = distribution(each)
            axes.fill_between(d.times, np.maximum(1.0 - d.high, 1e-99), np.maximum(1.0 - d.low, 1e-99), step="post",
                              color=colour, alpha=0.2, linewidth=0)
            axes.set_title("95 % bands", fontsize="small")
        least, ends = min(least, 0.5 / total), [*ends, edges[first], edges[last]]
    axes.set(xlabel=f"{what} (s)", ylabel="fraction that exceeds it", xscale="log", yscale="log", ylim=(least, 1.5))
    if ends:
        _ticks(axes, max(ends) / min(ends))
        _legend(axes)


def _ticks(axes: Axes, ratio: float) -> None:
    """Labels at 1, 2 and 5 of each decade, or at 1 where there are many decades."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if ratio < 300 else (1,)))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _histograms(results: Mapping[str, Runs], row: int) -> dict[str, list[np.ndarray]]:
    from qtheory.simulate.engine_runs import EngineRun
    from qtheory.simulate.runs import Run

    return {label: [r.histogram[row] for r in runs if isinstance(r, Run | EngineRun)]
            for label, runs in results.items()}


def _engine_figures(results: Mapping[str, Runs], axes_of: Callable[[str, int], Sequence[Axes]]) -> None:
    from qtheory.simulate.experiments import ENGINE_HISTOGRAMS
    from qtheory.simulate.kernel import engine_layout as E

    panels = axes_of("delays", len(ENGINE_HISTOGRAMS))
    for axes, (name, row) in zip(panels, ENGINE_HISTOGRAMS.items(), strict=True):
        _tail(axes, _histograms(results, row), name)
    tokens, decoding = axes_of("occupancy", 2)
    _over_time(tokens, results, lambda r: r.sums[:, E.RESIDENT_AREA] / r.window, "tokens in the KV cache")
    _over_time(decoding, results, lambda r: r.sums[:, E.DECODING_AREA] / r.window, "requests that decode")


def _fleet_figures(results: Mapping[str, Runs], axes_of: Callable[[str, int], Sequence[Axes]]) -> None:
    from qtheory.simulate.routing import layout as L
    from qtheory.simulate.routing.measures import HISTOGRAMS

    for axes, (name, row) in zip(axes_of("delays", len(HISTOGRAMS)), HISTOGRAMS.items(), strict=True):
        counts = {label: [r.histogram[:, row].sum(axis=0) for r in runs]  # type: ignore[union-attr]
                  for label, runs in results.items()}
        _tail(axes, counts, name)
    (busy,) = axes_of("occupancy", 1)
    _over_time(busy, results, lambda r: r.fleet_sums[:, L.BUSY_TIME] / (r.window * r.fleet.engines), "busy fraction")


def _network_figures(results: Mapping[str, Runs], axes_of: Callable[[str, int], Sequence[Axes]]) -> None:
    from qtheory.simulate.kernel import layout as L

    (runs,) = results.values()
    network = runs[0].network  # type: ignore[union-attr]
    (axes,) = axes_of("delays", 1)
    _tail(axes, {c.name: _histograms(results, i)["network"] for i, c in enumerate(network.sources)}, "sojourn time")
    (axes,) = axes_of("occupancy", 1)
    times = runs[0].window * np.arange(1, runs[0].windows + 1)
    for m, s in enumerate(network.stations):
        busy = np.array([r.stations[:, m, L.BUSY] / r.window / s.servers for r in runs])  # type: ignore[union-attr]
        _band(axes, times, busy, s.name, m)
    axes.set(xlabel="time (s)", ylabel="busy fraction of the servers", xlim=(0, times[-1]), ylim=(0, 1.05))
    axes.set_title(_BANDS, fontsize="small")
    _legend(axes)


def _chain_figures(results: Mapping[str, Runs], axes_of: Callable[[str, int], Sequence[Axes]]) -> None:
    """The mean of each count in each window; a chain keeps no delays."""
    (runs,) = results.values()
    (axes,) = axes_of("occupancy", 1)
    times = runs[0].window * np.arange(1, runs[0].windows + 1)
    for i, name in enumerate(runs[0].chain.names):  # type: ignore[union-attr]
        _band(axes, times, np.array([r.area[:, i] / r.window for r in runs]), name, i)  # type: ignore[union-attr]
    axes.set(xlabel="time (s)", ylabel="mean count in a window", xlim=(0, times[-1]), ylim=(0, None))
    axes.set_title(_BANDS, fontsize="small")
    _legend(axes)


def _agent_figures(results: Mapping[str, Runs], axes_of: Callable[[str, int], Sequence[Axes]]) -> None:
    """The requests at each visit at the ends of windows; slotted agents keep no delays."""
    for axes, (label, runs) in zip(axes_of("occupancy", len(results)), results.items(), strict=True):
        times = runs[0].window * np.arange(1, runs[0].windows + 1)
        for k, v in enumerate(runs[0].model.network.visits):  # type: ignore[union-attr]
            _band(axes, times, np.array([r.requests[:, k] for r in runs]), v.name, k)  # type: ignore[union-attr,index]
        axes.set(xlabel="time (s)", ylabel="requests at the end of a window", xlim=(0, times[-1]), ylim=(0, None))
        axes.set_title(f"{words(label)}\n{_BANDS}", fontsize="small")
        _legend(axes)


_VERDICTS = {"stable": "#d6e6f2", "undecided": "#a6a6a6", "unstable": "#f6d7c3"}
MANY = 2500  # cells of a map from which on they are one image in the vector file
# Units of keys that a sweep varies: of a law's mean by what the law is of.
_MEANS = {**dict.fromkeys(("arrivals", "service", "patience"), "s"),
          **dict.fromkeys(("prompt", "output", "cached"), "tokens")}
_UNITS = {**dict.fromkeys(("budget", "capacity", "chunk", "tokens", "t_lcm"), "tokens"),
          **dict.fromkeys(("slots", "k", "batch", "n", "concurrency", "decode_limit"), "requests"),
          **dict.fromkeys(("horizon", "transfer"), "s")}


def swept_keys(points: Sequence[Point]) -> tuple[str, str]:
    """The two keys that a sweep varies; raises InputError for a scenario that a map cannot show."""
    keys = [k for k in points[0].settings if len({str(p.settings[k]) for p in points}) > 1]
    numbers = all(isinstance(p.settings[k], int | float) for p in points for k in keys)
    if len(keys) != 2 or not numbers:
        raise InputError("a map has two axes: give a scenario with two [[sweep]] tables of numbers")
    return keys[0], keys[1]


def save_map(points: Sequence[Point], documents: Sequence[Mapping[str, Any]], folder: Path) -> Path:
    """map.pdf: the verdict on stability over the two keys of a sweep, a panel a variant; lines where a station of a
    network has the nominal load 1. Returns its path."""
    import matplotlib

    with matplotlib.rc_context(SETTINGS):
        figure = _map(points, documents)
    save(figure, folder / "map.pdf")
    return folder / "map.pdf"


def _map(points: Sequence[Point], documents: Sequence[Mapping[str, Any]]) -> Figure:
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    x, y = swept_keys(points)
    xs, ys = (sorted({p.settings[k] for p in points}) for k in (x, y))
    labels = [v["variant"] for v in documents[0]["variants"]]
    figure = Figure(figsize=(COLUMN * len(labels), 3.6))
    figure.suptitle("\n".join(map(words, wrap(points[0].scenario.title, 60 * len(labels)))), fontsize=9)
    column, row = {v: i for i, v in enumerate(xs)}, {v: i for i, v in enumerate(ys)}
    places = [(row[p.settings[y]], column[p.settings[x]]) for p in points]
    loaded = False
    for number, axes in enumerate(figure.subplots(1, len(labels), squeeze=False)[0]):
        grid = np.full((len(ys), len(xs)), np.nan)
        for place, d in zip(places, documents, strict=True):
            verdict = d["variants"][number]["stability"]
            if verdict is not None:
                grid[place] = list(_VERDICTS).index(verdict["verdict"])
        axes.pcolormesh(xs, ys, grid, cmap=ListedColormap([*_VERDICTS.values()]), vmin=-0.5, vmax=2.5,
                        rasterized=grid.size > MANY)
        loaded |= _load_lines(axes, xs, ys, places, [p.scenario.variants[labels[number]] for p in points])
        axes.set(xlabel=_with_unit(x), ylabel=_with_unit(y), title=words(labels[number]) if len(labels) > 1 else "")
    handles: list[Any] = [Patch(facecolor=c, edgecolor="0.5", linewidth=0.4, label=name)
                          for name, c in _VERDICTS.items()]
    if loaded:
        handles += figure.axes[0].plot([], [], "k--", linewidth=1.0, label="a load is 1")
    figure.legend(handles=handles, loc="outside lower center", ncols=2 if len(labels) == 1 else 4)
    return figure


def _with_unit(key: str) -> str:
    """A key of a scenario as an axis is labelled."""
    *_, place, last = ("", *key.split("."))
    unit = {"rate": "1/s", "mean": _MEANS.get(place, "")}.get(last, _UNITS.get(last, ""))
    return words(f"{key} ({unit})" if unit else key)


def _load_lines(axes: Axes, xs: list[float], ys: list[float], places: Sequence[tuple[int, int]],
                models: Sequence[Any]) -> bool:
    """Where the nominal load of a station is 1; whether there is such a line."""
    from qtheory.simulate.networks import Network

    if min(len(xs), len(ys)) < 2 or not isinstance(models[0], Network):
        return False
    drawn = False
    for name in (s.name for s in models[0].stations):
        load = np.full((len(ys), len(xs)), np.nan)
        for place, model in zip(places, models, strict=True):
            load[place] = model.loads[name]
        if np.nanmin(load) < 1.0 < np.nanmax(load):
            axes.contour(xs, ys, load, levels=[1.0], colors="black", linestyles="--", linewidths=1.0)
            drawn = True
    return drawn


def save_plots(scenario: Scenario, results: Mapping[str, Runs], folder: Path) -> list[Path]:
    """queue.pdf, delays.pdf (of networks and engines) and occupancy.pdf of a scenario's runs in ``folder``; their
    paths."""
    import matplotlib
    from matplotlib.figure import Figure

    from qtheory.simulate.agents import SlottedAgents
    from qtheory.simulate.counts import CountsChain
    from qtheory.simulate.networks import Network
    from qtheory.simulate.routing import RoutedFleet

    figures: dict[str, Figure] = {}

    def axes_of(name: str, panels: int) -> Sequence[Axes]:
        figures[name] = Figure(figsize=(COLUMN * panels, 3.0))
        figures[name].suptitle("\n".join(map(words, wrap(scenario.title, 60 * panels))), fontsize=9)
        return list(figures[name].subplots(1, panels, squeeze=False)[0])

    with matplotlib.rc_context(SETTINGS):
        (axes,) = axes_of("queue", 1)
        _over_time(axes, results, lambda r: r.present, "present at the end of a window")
        first = next(iter(scenario.variants.values()))
        {Network: _network_figures, CountsChain: _chain_figures, SlottedAgents: _agent_figures,
         RoutedFleet: _fleet_figures}.get(type(first), _engine_figures)(results, axes_of)  # fmt: skip
        for name, figure in figures.items():
            save(figure, folder / f"{name}.pdf")
    return [folder / f"{name}.pdf" for name in figures]
