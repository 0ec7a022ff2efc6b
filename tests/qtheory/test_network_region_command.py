"""``qtheory network --region`` and the intervals of ``--critical``: words, pictures, files, bad input in one line."""

from __future__ import annotations

import json
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from qtheory.cli import main
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import rybko_stolyar
from qtheory.models.network_files import dumps
from qtheory.networks.region_words import lines
from qtheory.networks.regions import region
from qtheory.report.region_plot import picture


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["network", *arguments])
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


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
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    return json.dumps(region(rybko_stolyar(), ["A", "B"]).to_json())


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


@pytest.mark.parametrize(("arguments", "wanted"), [
    (["--region", "C"], "unknown type 'C'; nearest: A, B"),
    (["--region", "A", "--region", "A"], "over the rates of one to 3 different types"),
    (["--region", "A", "-o", "x.txt"], "x.txt: a region is written to a file that ends in .png"),
    (["--region", "A", "-o", "no/where.png"], "there is no folder no"),
    (["--region", "A", "--critical"], "--region goes with"),
    (["--region", "A", "--budget", "0"], "the budget is 0"),
])  # fmt: skip
def test_bad_input_is_one_line(arguments: list[str], wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "rybko-stolyar", *arguments)
    assert (status, out) == (2, "") and wanted in err and err.count("\n") == 1


def test_the_intervals_beside_a_critical_factor(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "lu-kumar", "--critical")
    assert "certified as intervals: stable in [0, 3/4); not stable in (3/4, 30/23]; an engine is overloaded above " \
           "30/23" in out
    _, out, _ = run(capsys, "lu-kumar", "--critical", "--format", "json")
    found = json.loads(out)["factors"]
    assert found["polygons"] == {"stable": [[["0"], ["3/4"]]], "unstable": [[["3/4"], ["30/23"]]], "undecided": []}


def three_types() -> AgentNetwork:
    visits = [Visit(n, e, F(m)) for n, e, m in (("a $1", "e", "1/2"), ("b", "f", "1"), ("c", "e", "1/4"))]
    return AgentNetwork((Engine("e"), Engine("f")), tuple(RequestType(v.name, F(1), (v,)) for v in visits))


@pytest.mark.parametrize("free", [["b"], ["a $1", "c"], ["a $1", "b", "c"]])
def test_pictures_of_one_two_and_three_rates(free: list[str]) -> None:
    found = region(three_types(), free)
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
