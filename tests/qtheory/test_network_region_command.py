"""``qtheory network --region`` and the intervals of ``--critical``: words, pictures, files, bad input in one line."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction as F
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import rybko_stolyar
from qtheory.models.network_files import dumps
from qtheory.networks.certified import Rejected
from qtheory.networks.certified_cells import certify
from qtheory.networks.region_words import lines, told_polytope
from qtheory.networks.regions import Cell, Region, region, reread
from qtheory.numerics.polytopes import Polytope
from qtheory.report.region_plot import picture


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["network", *arguments])
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


@pytest.mark.later
def test_a_region_is_told_written_and_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "region.json"
    status, out, _ = run(capsys, "rybko-stolyar", "--region", "A", "--region", "B", "-o", str(file))
    assert status == 0
    assert "stable under its priorities: the polygon (0, 0), (5/3, 0), (0, 5/3) without the side (5/3, 0) to (0, 5/3)" \
        in out
    assert "not stable under any order of service where the load of A is above 1" in out and "undecided" not in out
    status, out, _ = run(capsys, "rybko-stolyar", "--check", str(file))
    assert status == 0 and "valid: 2 polygons" in out
    status, out, _ = run(capsys, "lu-kumar", "--check", str(file), "--format", "json")
    assert status == 1 and json.loads(out)["result"] == "rejected"


FORGERIES: dict[str, Any] = {
    "a verdict": lambda d: d["cells"][0].update(verdict="unstable"),
    "a polygon": lambda d: d["polygons"]["stable"][0].__setitem__(0, ["9", "9"]),
    "a share": lambda d: d["share"].update(stable="1"),
    "the sides": lambda d: d["cells"][0]["sides"].pop(),
    "the axes": lambda d: d.update(axes=["B", "A", "B"]),
    "the axes turned round": lambda d: d.update(axes=["B", "A"]),
    "one axis": lambda d: d.update(axes=["factor"]),
    "the rates": lambda d: d["rates"].update(A=["0", "2", "0"]),
    "a cell twice": lambda d: d["cells"].append(d["cells"][0]),
    "a cell less": lambda d: d["cells"].pop(),
    "no certificate": lambda d: d["cells"][0].update(certificate=None),
    "no cells": lambda d: d.update(cells=None),
    "cells of texts": lambda d: d.update(cells=["x"]),
    "a key less": lambda d: d.pop("share"),
    "a reason beyond": lambda d: d["beyond"][0].update(reason="the load of A is above 1/2"),
    "nothing shown beyond": lambda d: d["beyond"][0].update(certificate=None, verdict="undecided"),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    return json.dumps(region(rybko_stolyar(), ["A", "B"]).to_json())


@pytest.mark.sliced(4)
@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_region_is_rejected(forgery: str, written: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
                                     ) -> None:
    data = json.loads(written)
    FORGERIES[forgery](data)
    net, file = tmp_path / "net.toml", tmp_path / "region.json"
    net.write_text(dumps(rybko_stolyar()), encoding="utf-8")
    file.write_text(json.dumps(data), encoding="utf-8")
    status, out, err = run(capsys, str(net), "--check", str(file))
    assert (status, err) == (1, "") and "rejected: " in out and out.count("\n") == 1


def rejected(found: Region, wanted: str) -> None:
    with pytest.raises(Rejected, match=wanted):
        reread(dumps(rybko_stolyar()), found.to_json())


@pytest.mark.later
def test_a_polygon_beyond_its_margin_is_rejected() -> None:
    """Fixed weights fall by a multiple of the margin also where it is negative, which says nothing there."""
    found = region(rybko_stolyar(), ["A", "B"])
    stable = next(c.certified for c in found.cells if c.certified and c.verdict == "stable")
    inside = stable.certificate["claim"]["claim"]
    assert found.whole is not None
    wide = certify(found.network, dumps(found.network), found.rates, found.whole, stable.margin, inside)
    assert not wide.holds((F(7, 5), F(7, 5)))
    told = dataclasses.replace(found, cells=(Cell(found.whole, wide),))
    assert told.share("stable") == 1
    rejected(told, "beyond what its certificate shows")
    nowhere = certify(found.network, dumps(found.network), found.rates, stable.polytope, (F(0), F(0), F(0)), inside)
    rejected(dataclasses.replace(found, cells=(Cell(stable.polytope, nowhere), found.cells[1])), "its margin is not")


def one_engine() -> AgentNetwork:
    """Stable where a/2 + c/4 < 1."""
    types = tuple(RequestType(n, F(1), (Visit(n, "e", F(m)),)) for n, m in (("a", "1/2"), ("c", "1/4")))
    return AgentNetwork((Engine("e"),), types)


def test_a_polygon_counts_once() -> None:
    """Two halves and one of them again have the whole's area, but not the whole."""
    network = one_engine()
    found = region(network, ["a", "c"])
    [cell] = found.cells
    assert cell.certified is not None and found.whole is not None
    inside, margin = cell.certified.certificate["claim"]["claim"], cell.certified.margin
    half, other = (Cell(p, certify(network, dumps(network), found.rates, p, margin, inside))
                   for p in (found.whole.cut(s).trimmed() for s in ((F(0), F(2), F(-1)), (F(0), F(-2), F(1)))))
    text = dumps(network)
    assert reread(text, dataclasses.replace(found, cells=(half, other)).to_json()).share("stable") == 1
    twice = dataclasses.replace(found, cells=(half, half))
    assert twice.share("stable") == 1
    with pytest.raises(Rejected, match="two cells overlap"):
        reread(text, twice.to_json())
    outside = Polytope(tuple((s[0] + 1, *s[1:]) for s in half.polytope.sides))
    with pytest.raises(Rejected, match="no part of the rates"):
        reread(text, dataclasses.replace(found, cells=(Cell(outside), other)).to_json())


def test_a_corner_on_the_border_alone_is_left_out() -> None:
    """The polygon touches the line of load 1 in one point, where nothing is certified."""
    network = one_engine()
    found = region(network, ["a", "c"])
    [cell] = found.cells
    assert cell.certified is not None
    part = cell.polytope.cut((F(0), F(3), F(-1)), (F(2), F(-1), F(-1)))
    shown = certify(network, dumps(network), found.rates, part, cell.certified.margin,
                    cell.certified.certificate["claim"]["claim"])
    told = told_polytope(dataclasses.replace(found, cells=(Cell(part, shown),)), part, "stable")
    assert told == "the polygon (0, 0), (2, 0), (1/2, 3/2) without the corner (2, 0)"


def test_a_body_is_told_by_its_inside() -> None:
    told = lines(region(three_types(), ["a $1", "b", "c"]))
    assert any("stable under every work-conserving order: the inside of the body with corners (0, 0, 0)" in line
               for line in told)


@pytest.mark.parametrize(("arguments", "wanted"), [
    (["--region", "C"], "unknown type 'C'; nearest: A, B"),
    (["--region", "A", "--region", "A"], "over the rates of one to 3 different types"),
    (["--region", "A", "-o", "x.txt"], "x.txt: a region is written to a file that ends in .png"),
    (["--region", "A", "-o", "no/where.png"], "there is no folder no"),
    (["--region", "A", "--critical"], "--region goes with"),
    (["--region", "A", "--budget", "0"], "the budget is 0"),
    (["--region", "A", "--budget", "inf"], "the budget is inf"),
    (["--budget", "inf"], "the budget is inf; a positive number of units of work"),
])  # fmt: skip
def test_bad_input_is_one_line(arguments: list[str], wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "rybko-stolyar", *arguments)
    assert (status, out) == (2, "") and wanted in err and err.count("\n") == 1


@pytest.mark.slow
def test_the_intervals_beside_a_critical_factor(capsys: pytest.CaptureFixture[str],
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    """In words and as JSON, of one search: what the command asks is the same both times."""
    searched: dict[str, Any] = {}
    for module, name in (("critical", "bracket"), ("regions", "factors"), ("deciding", "decide")):
        search = getattr(import_module(f"qtheory.networks.{module}"), name)

        def once(*given: Any, _search: Any = search, _name: str = name, **options: Any) -> Any:
            if _name not in searched:
                searched[_name] = _search(*given, **options)
            return searched[_name]

        monkeypatch.setattr(f"qtheory.networks.{module}.{name}", once)
    _, out, _ = run(capsys, "lu-kumar", "--critical")
    assert "certified as intervals: stable in [0, 3/4); not stable in (3/4, 30/23]; an engine is overloaded above " \
           "30/23" in out
    _, out, _ = run(capsys, "lu-kumar", "--critical", "--format", "json")
    found = json.loads(out)["factors"]
    assert found["polygons"] == {"stable": [[["0"], ["3/4"]]], "unstable": [[["3/4"], ["30/23"]]], "undecided": []}


def three_types() -> AgentNetwork:
    visits = [Visit(n, e, F(m)) for n, e, m in (("a $1", "e", "1/2"), ("b", "f", "1"), ("c", "e", "1/4"))]
    return AgentNetwork((Engine("e"), Engine("f")), tuple(RequestType(v.name, F(1), (v,)) for v in visits))


def half_full() -> AgentNetwork:
    """The same with an engine half full of the second type's."""
    network = three_types()
    return dataclasses.replace(network, types=tuple(dataclasses.replace(t, rate=t.rate / 2) for t in network.types))


def test_an_engine_of_load_1_leaves_nothing_stable() -> None:
    """The second type fills its engine exactly, whatever the rates of the others are."""
    found = region(three_types(), ["a $1", "c"])
    assert found.share("undecided") == 1 and found.at((F(0), F(0))) == "undecided"
    assert not any("stable under every" in line for line in lines(found))


@pytest.mark.parametrize("free", [
    ["b"], ["a $1", "c"], pytest.param(["a $1", "b", "c"], marks=pytest.mark.slow)])
def test_pictures_of_one_two_and_three_rates(free: list[str]) -> None:
    found = region(half_full(), free)
    assert found.share("stable") == 1
    assert picture(found, ".png").startswith(b"\x89PNG")
    page = picture(found, ".html").decode()
    assert "<svg" in page and "requests/s" in page


def test_a_picture_of_nothing() -> None:
    visits = Visit("f", "e", F(2)), Visit("x", "e", F(1))
    found = region(AgentNetwork((Engine("e"),), tuple(RequestType(v.name, F(1), (v,)) for v in visits)), ["x"])
    assert picture(found, ".svg").startswith(b"<?xml")
    assert "  no rates of these leave every engine a load below 1" in lines(found)


def test_of_open_orders_one_is_said_to_be_unstable(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    network = tmp_path / "open.toml"
    open_orders = rybko_stolyar().with_priority({"A": (), "B": ()})
    network.write_text(dumps(open_orders), encoding="utf-8")
    _, out, _ = run(capsys, str(network), "--region", "A", "--region", "B")
    assert "\n  stable under every work-conserving order: the polygon" in out
    assert "\n  unstable under one work-conserving order, and not judged under the others: the polygon" in out
