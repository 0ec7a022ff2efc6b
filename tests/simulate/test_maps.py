"""Sweeps by ranges, and the picture of what is stable over two of them."""

from functools import cache

import pytest

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.report.simulation import save_map
from qtheory.simulate import results
from qtheory.simulate.scenarios import Point, parse_points, read


@cache
def ten_thousand() -> list[Point]:
    return parse_points(*read("rybko-stolyar-map"))


def with_sweep(lines):
    text, *_ = read("mm1")
    return text + "\n[[sweep]]\nkey = 'class.1.service.mean'\n" + lines


def test_a_range_is_its_values():
    points = parse_points(with_sweep("from = 0.2\nto = 0.6\ncount = 5"))
    assert [p.settings["class.1.service.mean"] for p in points] == [0.2, 0.3, 0.4, 0.5, 0.6]


@pytest.mark.parametrize("lines", [
    "from = 0.2\nto = 0.6", "from = 0.2\ncount = 3", "from = 0.2\nto = 0.6\ncount = 1", "values = []",
    "values = [0.2]\ncount = 1", "from = 0.2\nto = 0.6\ncount = 2.5"])  # fmt: skip
def test_a_sweep_that_says_nothing_is_refused(lines):
    with pytest.raises(InputError, match="sweep 1"):
        parse_points(with_sweep(lines))


@pytest.mark.slow
def test_the_shipped_map_has_its_ten_thousand_points_and_both_sides_of_the_boundary():
    """Far from the line where both last visits fill one server, on either side of it, each station's load below 1."""
    points = ten_thousand()
    assert len(points) == 10_000
    chosen = [p for p in points if tuple(round(v, 2) for v in p.settings.values()) in {(0.31, 0.31), (0.81, 0.81)}]
    assert all(max(p.scenario.variants["network"].loads.values()) < 0.95 for p in chosen)
    verdicts = [d["variants"][0]["stability"]["verdict"] for d in results.run_points(chosen)]
    assert verdicts == ["stable", "unstable"]


@pytest.mark.slow
def test_a_map_shows_every_point(tmp_path):
    points = [p for p in ten_thousand() if max(p.settings.values()) < 0.04]
    assert len(points) == 9
    path = save_map(points, results.run_points(points), tmp_path)
    assert path.read_bytes().startswith(b"%PDF") and [p.name for p in tmp_path.iterdir()] == ["map.pdf"]


def test_a_map_needs_two_keys(tmp_path, capsys):
    (tmp_path / "one.toml").write_text(with_sweep("values = [0.2, 0.3]"))
    with pytest.raises(SystemExit, match="2"):
        main(["simulate", str(tmp_path / "one.toml"), "--map", "-o", str(tmp_path / "out")])
    assert "two [[sweep]] tables" in capsys.readouterr().err and not (tmp_path / "out").exists()
