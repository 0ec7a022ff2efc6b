"""The paper's tables and figures recomputed: each key's numbers, and the command."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure
from scipy import stats

from qtheory.cli import main
from qtheory.errors import InputError, UnknownNameError
from qtheory.report import reproduce, reproduce_figure_3, reproduce_thresholds, reproduce_workloads, style
from qtheory.report.reproduce_rows import measured
from qtheory.report.table import FORMATS, Table, Value

CHEAP = ("eb-tab-1", "eb-tab-2", "eb-tab-6", "eb-tab-17", "eb-tab-11", "eb-tab-13", "eb-fig-3", "eb-fig-12")


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return {key: reproduce.build(key) for key in CHEAP}


def numbers(values: tuple[Value, ...]) -> list[float]:
    assert all(isinstance(v, float) for v in values)
    return [float(v) for v in values if v is not None]


def test_each_row_holds_the_difference(tables: dict[str, Table]) -> None:
    for table in tables.values():
        printed, computed = numbers(table.column("printed")), numbers(table.column("computed"))
        assert numbers(table.column("difference")) == [c - p for c, p in zip(computed, printed, strict=True)]


def test_all_numbers_of_an_entry_have_its_unit(tables: dict[str, Table]) -> None:
    units = {"eb-tab-1": "", "eb-tab-2": "percent", "eb-tab-6": "percent", "eb-tab-17": "percent",
             "eb-tab-11": "tokens/s", "eb-tab-13": "percent", "eb-fig-3": "percent", "eb-fig-12": ""}
    for key, table in (tables | {"rad-tab-1": reproduce.build("rad-tab-1")}).items():
        unit = units.get(key, "tokens")
        assert {c.name: c.unit for c in table.columns} == {"place": "", "what": ""} | dict.fromkeys(
            ("printed", "computed", "computed_low", "computed_high", "difference"), unit), key


def test_a_row_of_replications_has_students_interval() -> None:
    values = np.array([3.0, 4.0, 8.0])
    row = measured("p", "w", values, 4.5)
    low, high = stats.t.interval(0.95, 2, 5.0, values.std(ddof=1) / math.sqrt(3))
    assert row == ("p", "w", 4.5, pytest.approx(5.0), pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize(("key", "rows", "most"), [
    ("eb-tab-1", 4, 0.6), ("eb-tab-2", 20, 0.06), ("eb-tab-6", 7, 0.05), ("eb-tab-17", 10, 0.06)])
def test_derived_columns_are_those_printed(tables: dict[str, Table], key: str, rows: int, most: float) -> None:
    """What the verdicts on these entries rest on: a unit of FLOP per byte is cut off, a percentage is rounded."""
    differences = numbers(tables[key].column("difference"))
    assert len(differences) == rows and max(map(abs, differences)) <= most


def test_a_gain_by_hand(tables: dict[str, Table]) -> None:
    assert numbers(tables["eb-tab-2"].column("computed"))[0] == pytest.approx(100 * (19.68 / 17.07 - 1), abs=1e-12)


@pytest.mark.later
def test_the_fitted_costs_are_a_least_square(tables: dict[str, Table]) -> None:
    """No small change of a constant does better, and the model is within 5 percent in the mean."""
    def squares(costs: reproduce_thresholds.Costs) -> float:
        return sum((printed / reproduce_thresholds.swept_throughput(k, m, costs) - 1) ** 2
                   for k, m, printed in reproduce_thresholds.swept())

    best = reproduce_thresholds.fitted_costs()
    least = squares(best)
    assert len(tables["eb-tab-11"].rows) == 64 and math.sqrt(least / 64) < 0.05
    for name, value in best._asdict().items():
        for factor in (0.99, 1.01):
            assert squares(best._replace(**{name: value * factor})) > least


def test_a_sweep_in_percent_has_its_peak_at_100(tables: dict[str, Table]) -> None:
    computed = numbers(tables["eb-tab-13"].column("computed"))
    assert max(computed[:9]) == max(computed[9:]) == 100 and min(computed) > 80


def test_figure_12_has_no_such_shift_where_requests_keep_their_age(tables: dict[str, Table]) -> None:
    table = tables["eb-fig-12"]
    computed = dict(zip(table.column("what"), numbers(table.column("computed")), strict=True))
    assert computed["optimum (used to fit)"] == pytest.approx(0.16, abs=0.005)  # whole iterations
    assert 0 < computed["Δθ, requests keep their age"] < 0.02
    assert computed["optimum, clocks start anew (App. C), ρ = 0"] > 0.36
    ratio = reproduce_thresholds.figure_ratio() / reproduce_thresholds.FIGURE_MEAN
    assert ratio == pytest.approx(0.16 / 0.84 + math.log(0.84), abs=1e-12)


def test_figure_3_has_no_such_gain_at_any_batch_size(tables: dict[str, Table]) -> None:
    """The closed form is as good as the sweep, and the gain printed for decode-heavy outputs beyond any batch size."""
    table = tables["eb-fig-3"]
    printed, computed = numbers(table.column("printed")), numbers(table.column("computed"))
    assert printed[::2] == printed[1::2] == [8.0, 3.6, 0.6]
    assert all(0 <= closed < 0.01 < most < 1.5 for closed, most in zip(computed[::2], computed[1::2], strict=True))


def test_a_point_of_figure_3_by_hand() -> None:
    """At k = N with outputs of one token a phase is one iteration, which completes every request."""
    costs = reproduce_thresholds.Costs(alpha_d=2.0, beta_d=3.0, alpha_p=5.0, beta_p=7.0)
    found = reproduce_figure_3.System(11.0, 1.0, costs).at(reproduce_figure_3.SLOTS)
    cycle = 5 + 2 + 1024 * (7 * 11 + 3)
    assert found == (1024, pytest.approx(1024 / cycle), pytest.approx(cycle))


def test_the_best_threshold_of_the_chain_is_the_best_of_all() -> None:
    """Table 10's first cell, by trying every k: a phase lasts while fewer than k of 64 have completed."""
    p0, ratio = 1 / 64, 17.0
    completed = stats.binom(64, 1 - (1 - p0) ** np.arange(2000))
    best = max(range(1, 65), key=lambda k: k / (completed.cdf(k - 1).sum() + ratio))
    assert reproduce_thresholds.accuracy.chain_threshold(p0 * ratio, p0, 64) == best


@pytest.mark.slow
def test_table_10_is_within_its_rows_deviations_in_the_mean() -> None:
    seen = []
    table = reproduce.build("eb-tab-10", lambda done, of: seen.append((done, of)))
    means = [abs(float(d)) for w, d in zip(table.column("what"), numbers(table.column("difference")), strict=True)
             if str(w).startswith("mean")]
    assert seen[-1] == (6, 6) and len(table.rows) == 30 and len(means) == 6 and max(means) < 0.05


def test_table_12_has_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce_workloads, "SAMPLES", 3)
    table = reproduce.build("eb-tab-12")
    assert len(table.rows) == 9 and all(c.printed for c in table.columns)
    bounds = zip(table.column("computed_low"), table.column("computed"), table.column("computed_high"), strict=True)
    for low, estimate, high in bounds:
        assert isinstance(low, float) and isinstance(estimate, float) and isinstance(high, float)
        assert low <= estimate <= high
    assert table.column("printed")[6] == pytest.approx(math.log10(1.9e-5)) and table.column("printed")[2] is None


def test_a_sample_gives_the_same_tests_again() -> None:
    one, two = (reproduce_workloads.tested("wildchat", 500, np.random.default_rng(3)) for _ in range(2))
    assert one == two and one.mann_kendall < 0 and one.regression < 0


@pytest.mark.slow
@pytest.mark.parametrize("key", ["eb-tab-10", "eb-tab-11", "eb-tab-13", "eb-fig-3", "eb-fig-12"])
def test_pictures(key: str) -> None:
    assert reproduce.picture(key, ".pdf").startswith(b"%PDF")


@pytest.mark.slow
def test_no_legend_covers_a_line_of_figure_12(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Figure] = []

    def drawn(draw: Callable[[Figure], None], size: tuple[float, float], suffix: str) -> bytes:
        with rc_context(style.SETTINGS):
            seen.append(Figure(figsize=size))
            draw(seen[0])
            seen[0].draw_without_rendering()
        return b""

    monkeypatch.setattr(reproduce_thresholds, "drawn", drawn)
    reproduce.picture("eb-fig-12", ".png")
    for axes in seen[0].axes:
        legend = axes.get_legend()
        assert legend is not None and len(axes.lines) == 2
        for line in axes.lines:
            path = line.get_transform().transform_path(line.get_path())
            assert not path.intersects_bbox(legend.get_window_extent(), filled=False), line.get_label()


def test_every_picture_is_tested() -> None:
    tested_elsewhere = {"to-fig1", "to-fig8", "rad-fig-6", *(f"wait-fig-{n}" for n in (16, 17, 18)),
                        *(f"gr-fig-{n}" for n in (4, 8, 9, 10))}
    # test_figure_1, test_network_tokens, test_slai, test_reproduce_waiting, test_reproduce_planning, test_plan_command
    assert {k for k, r in reproduce.KEYS.items() if r.picture} - tested_elsewhere == {
        "eb-tab-10", "eb-tab-11", "eb-tab-13", "eb-fig-3", "eb-fig-12"}


def test_unknown_keys_and_pictures() -> None:
    with pytest.raises(UnknownNameError, match="eb-fig-12"):
        reproduce.build("eb-fig-21")
    with pytest.raises(InputError, match="eb-tab-1 has no picture"):
        reproduce.picture("eb-tab-1", ".png")


# ---- the command ----

def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", *arguments])
    return int(ended.value.code or 0)


def test_without_a_key_the_keys_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == reproduce.names()


@pytest.mark.parametrize("form", [*FORMATS, "text"])
def test_formats(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("eb-tab-6", "--format", form) == 0
    assert "2.25" in capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("eb-tab-6", "--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["name"] == "eb-tab-6" and found["rows"][0]["printed"] == 2.3


@pytest.mark.slow
def test_files(tmp_path: Path) -> None:
    assert run("eb-tab-6", "-o", str(tmp_path / "t.csv")) == 0
    head = "place,what,printed [percent],computed [percent]"
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").startswith(head)
    assert run("eb-fig-12", "-o", str(tmp_path / "f.png")) == 0
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("arguments", "said"), [
    (["eb-tab-111"], "unknown table or figure 'eb-tab-111'; nearest: eb-tab-11"),
    (["eb-tab-1", "-o", "x.pdf"], "eb-tab-1 has no picture"),
    (["eb-fig-12", "-o", "x.pdf", "--format", "json"], "--format json goes with a table"),
    (["--format", "json"], "no key given"),
    (["eb-tab-1", "-o", "/nowhere/at/all.csv"], "/nowhere/at/all.csv: cannot be written"),
    (["eb-tab-10", "-o", "x.gif"], "x.gif: the ending .gif names no format"),
])
def test_bad_input(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and said in lines[0]
