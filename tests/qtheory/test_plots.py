"""The plots: files of the three kinds in a column's width, the numbers behind them, and one line for bad input."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from collisions import collisions
from drawn import PAIR, VIDUR_PAIR
from matplotlib.figure import Figure

import qtheory as qt
from qtheory.cli import main
from qtheory.errors import InputError, UnknownNameError
from qtheory.report import plots, style, tables
from qtheory.report.curves import capacities
from qtheory.report.simulation import save_plots
from qtheory.report.style import COLUMN
from qtheory.simulate import load, run_scenario


@pytest.mark.slow
def test_pictures_are_vectors_of_a_columns_width_and_alike_on_each_run() -> None:
    svg = plots.find("eb-threshold").draw(".svg")
    width = re.search(rb'width="([\d.]+)pt"', svg)
    assert width is not None and float(width[1]) / 72 == pytest.approx(COLUMN, abs=0.05)
    assert b"<image" not in svg and svg.count(b"<path") > 20
    assert plots.find("eb-threshold").draw(".svg") == svg
    pdf = plots.find("eb-throughput").draw(".pdf", [PAIR], ["eb-sharegpt"], [64])
    assert pdf.startswith(b"%PDF") and b"/Subtype /Image" not in pdf


@pytest.mark.slow
@pytest.mark.parametrize("name", ["eb-approximation", "plan-constants", "plan-prices", "rad-chunks", "wait-region"])
def test_no_word_of_a_picture_lies_on_another(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    figures: list[Figure] = []
    encoded = style.encoded
    monkeypatch.setattr(style, "encoded", lambda figure, suffix: figures.append(figure) or encoded(figure, suffix))
    assert plots.find(name).draw(".png").startswith(b"\x89PNG")
    [figure] = figures
    assert collisions(figure) == []
    legends = [a.get_legend() for a in figure.axes if a.get_legend()] + figure.legends
    for legend in legends:  # which covers no other panel's axes than its own
        assert sum(legend.get_window_extent().overlaps(a.get_window_extent()) for a in figure.axes) <= 2


def test_words_that_lie_on_each_other_are_found() -> None:
    figure = Figure()
    figure.text(0.5, 0.5, "one"), figure.text(0.51, 0.5, "two"), figure.text(0.1, 0.1, "three")
    assert collisions(figure) == [("one", "two")]


def test_a_page_needs_no_network_and_its_points_lie_on_the_picture() -> None:
    """The values under the pointer are those of the lines; each stands inside the picture."""
    page = plots.find("eb-threshold").draw(".html", [PAIR], ["eb-sharegpt"]).decode()
    assert "<svg" in page and not re.findall(r"(?:src|href)=.(?:http|//)", page)
    [panel] = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', page)[0])
    [line] = [one for one in panel["lines"] if one["name"] == PAIR]
    assert all(0 <= x <= width and 0 <= y <= height for x, y in line["at"]) and "theta" in panel["y"]
    # the threshold falls in the mean output length, so that the points go right and down
    assert line["x"] == sorted(line["x"]) and line["y"] == sorted(line["y"], reverse=True)
    assert line["at"][0][0] < line["at"][-1][0] and line["at"][0][1] < line["at"][-1][1]


@pytest.mark.later
def test_a_notebook_shows_a_plot_and_saves_it(tmp_path: Path) -> None:
    picture = qt.plots.draw("eb-threshold", [PAIR], ["eb-sharegpt"])
    assert repr(picture).startswith("<picture eb-threshold: the base threshold over") and len(repr(picture)) < 120
    assert picture._repr_svg_().encode() == plots.find("eb-threshold").draw(".svg", [PAIR], ["eb-sharegpt"])
    assert picture.save(tmp_path / "t.pdf").read_bytes().startswith(b"%PDF")
    for act, message in ((lambda: picture.save(tmp_path / "t.doc"), "a plot ends in"),
                         (lambda: qt.plots.draw("eb-treshold"), "unknown plot 'eb-treshold'; nearest: eb-threshold")):
        with pytest.raises((InputError, UnknownNameError), match=message):
            act()
    assert {"draw", "find", "names"} < set(dir(qt.plots)) and "dataclass" not in dir(qt.plots) + dir(qt.tables)
    assert {name.replace("-", "_") for name in qt.tables.TABLES} < set(dir(qt.tables))


@pytest.mark.later
def test_what_files_are_called_is_text_in_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No mathematics, and no element of the page."""
    trace = tmp_path / "--><script>alert(1)<x$\\bogus{$.csv"
    rows = [f"{i},{20 + i % 7},{5 + i % 11}" for i in range(300)]
    trace.write_text("\n".join(["arrival_time,prompt_length,output_length", *rows]))
    with pytest.raises(SystemExit) as end:
        main(["plot", "traces", "--workload", str(trace), "-o", str(tmp_path / "t.html")])
    page = (tmp_path / "t.html").read_text()
    assert not end.value.code and capsys.readouterr().err == ""
    assert page.count("<script") == 2 and "\\u003cscript>alert" in page and "bogus" in page


@pytest.mark.later
def test_a_title_with_dollars_is_drawn(tmp_path: Path) -> None:
    scenario = replace(load("mm1"), title="pay $\\bogus{$ now", horizon=200.0, windows=10, replications=2)
    for file in save_plots(scenario, run_scenario(scenario), tmp_path):
        assert file.read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_the_memorys_capacities_are_the_tables() -> None:
    row = tables.eb_memory([PAIR], ["eb-sharegpt"], [256]).to_dict()["rows"][0]
    paper, process, guaranteed = capacities(256, row["theta0"], 1 / row["mu_O"], int(row["mu_L"]))
    mean = row["capacity"] / paper
    assert row["exceeds"] > row["eps"] and paper < process < guaranteed  # (6) is exceeded too often
    assert guaranteed * mean > row["capacity"] and row["safe"] < 256


@pytest.mark.parametrize(("name", "options", "message"), [
    ("eb-approximation", {"profiles": [PAIR]}, "takes no --profile"),
    ("eb-throughput", {"profiles": [PAIR, VIDUR_PAIR]}, "one profile; 2 are given"),
    ("eb-memory", {"workloads": ["eb-gamma-2"]}, "one workload with a mean prompt length; 0 are given"),
    ("eb-memory", {"batch": [1, 2]}, "larger ones are needed"),
    ("eb-threshold", {"profiles": ["a100-tiles"]}, "needs a prefill_decode pair"),
])
def test_bad_input(name: str, options: dict[str, list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        plots.find(name).draw(".png", **options)  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError):
        plots.find(name + "s")


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "t.png"
    for arguments, status in ((["eb-threshold", "--profile", PAIR], 0), (["eb-threshold", "--batch", "x"], 2)):
        with pytest.raises(SystemExit) as end:
            main(["plot", *arguments, "-o", str(path)])
        _, err = capsys.readouterr()
        assert end.value.code == status and err.count("\n") == (status == 2)
        assert path.read_bytes().startswith(b"\x89PNG")
