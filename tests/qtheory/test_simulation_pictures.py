"""What the pictures of simulated scenarios show, read back from their lines: means, bands, tails, loads."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from qtheory.report import simulation
from qtheory.simulate.kernel import layout as L
from qtheory.simulate.statistics.quantiles import bin_edges

RNG = np.random.default_rng(3)


def axes() -> Axes:
    return Figure().subplots()


def band(of: Axes, number: int = 0) -> dict[float, tuple[float, float]]:
    """The lowest and the highest value of a band at each time."""
    found: dict[float, list[float]] = {}
    for x, y in of.collections[number].get_paths()[0].vertices:
        found.setdefault(float(x), []).append(float(y))
    return {x: (min(ys), max(ys)) for x, ys in found.items()}


def test_a_line_is_the_mean_and_its_band_the_middle_eighty_percent() -> None:
    """Of eleven replications: from the second lowest to the second highest, at the end of each window."""
    paths, at = RNG.exponential(size=(11, 4)), axes()
    runs = [SimpleNamespace(window=2.5, windows=4, present=p) for p in paths]
    simulation._over_time(at, {"one": runs}, lambda r: r.present, "present")  # type: ignore[dict-item]
    line, = at.get_lines()
    assert line.get_xdata().tolist() == [2.5, 5.0, 7.5, 10.0] and at.get_xlim() == (0, 10)  # type: ignore[union-attr]
    assert line.get_ydata() == pytest.approx([sum(p) / 11 for p in paths.T])
    for i, (low, high) in enumerate(band(at).values()):
        place = sorted(paths[:, i])
        assert (low, high) == pytest.approx((place[1], place[9]))


def test_a_tail_is_the_share_of_what_exceeds_each_edge() -> None:
    counts, edges, at = np.zeros(len(bin_edges()) - 1), bin_edges(), axes()
    counts[[500, 501, 503, 640]] = [4, 3, 2, 1]
    simulation._tail(at, {"one": [counts], "nothing": [0 * counts]}, "delay")
    line, = at.get_lines()
    x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    assert x.tolist() == edges[500:642].tolist()
    expected = [counts[np.searchsorted(edges, v):].sum() / 10 for v in x[:-1]]
    assert y[:-1] == pytest.approx(expected) and y[-1] < 1e-50 and at.get_ylim()[0] == pytest.approx(0.05)
    assert not at.collections  # one replication has no band


@pytest.mark.parametrize(("ratio", "labels"), [(299.0, [1, 2, 5, 10, 20, 50]), (300.0, [1, 10])])
def test_labels_stand_at_1_2_and_5_of_each_decade_below_300(ratio: float, labels: list[int]) -> None:
    at = axes()
    at.set(xscale="log", xlim=(1, 50))
    simulation._ticks(at, ratio)
    assert [t for t in at.get_xticks() if 1 <= t <= 50] == pytest.approx(labels)


def test_the_band_of_a_tail_is_students_over_replications() -> None:
    counts, edges, at = np.zeros((4, len(bin_edges()) - 1)), bin_edges(), axes()
    counts[:, 500], counts[:, 503] = (9, 8, 8, 7), (1, 2, 2, 3)
    simulation._tail(at, {"one": counts}, "delay")  # type: ignore[dict-item]
    shares = [0.1, 0.2, 0.2, 0.3]
    half = 3.182446305 * np.std(shares, ddof=1) / 2  # Student's t of three degrees, at 0.975
    assert band(at)[edges[501]] == pytest.approx((0.2 - half, 0.2 + half), rel=1e-6)


def test_the_busy_fraction_is_one_of_all_servers() -> None:
    stations = RNG.uniform(size=(3, 5, 2, 16))  # replications, windows, stations, measures
    network = SimpleNamespace(sources=[], stations=[SimpleNamespace(name="a", servers=1),
                                                    SimpleNamespace(name="b", servers=4)])
    runs = [SimpleNamespace(window=2.0, windows=5, network=network, stations=s) for s in stations]
    panels = {"delays": [axes()], "occupancy": [axes()]}
    simulation._network_figures({"one": runs}, lambda name, count: panels[name])  # type: ignore[dict-item]
    for m, (line, servers) in enumerate(zip(panels["occupancy"][0].get_lines(), (1, 4), strict=True)):
        assert line.get_ydata() == pytest.approx(stations[:, :, m, L.BUSY].mean(axis=0) / 2 / servers)
        assert np.asarray(line.get_xdata()).tolist() == [2, 4, 6, 8, 10]


def test_a_map_has_lines_where_a_load_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qtheory.simulate.networks.Network", SimpleNamespace)
    xs, ys = [0.1, 0.4, 0.7, 1.0], [0.2, 0.5, 0.8]
    places = [(j, i) for j in range(3) for i in range(4)]
    stations = [SimpleNamespace(name="sum"), SimpleNamespace(name="idle")]
    models: list[Any] = [SimpleNamespace(stations=stations, loads={"sum": xs[i] + ys[j], "idle": 0.3})
                         for j, i in places]
    at = axes()
    simulation._load_lines(at, xs, ys, places, models)
    drawn = np.concatenate([p.vertices for c in at.collections for p in c.get_paths()])
    assert len(at.collections) == 1 and len(drawn) > 2 and drawn.sum(axis=1) == pytest.approx(1.0)
    simulation._load_lines(empty := axes(), xs[:1], ys, places, models)
    assert not empty.collections


def test_the_files_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_engine_figures", lambda results, axes_of: axes_of("delays", 2))
    runs = [SimpleNamespace(window=1.0, windows=3, present=p) for p in RNG.uniform(size=(2, 3))]
    scenario = SimpleNamespace(title="drawn", variants={"one": SimpleNamespace()})
    paths = simulation.save_plots(scenario, {"one": runs}, tmp_path / "new")  # type: ignore[arg-type,dict-item]
    assert [p.name for p in paths] == ["queue.pdf", "delays.pdf"]
    assert all(p.read_bytes().startswith(b"%PDF") for p in paths) and len([*(tmp_path / "new").iterdir()]) == 2
