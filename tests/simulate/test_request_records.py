"""Records of requests and traces of iterations: against each other, and against the run's own sums."""

import csv
import json

import numpy as np
import pytest

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.report.gantt import gantt
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.request_records import chrome_trace, iterations, recorded, rows, tpot
from qtheory.simulate.scenarios import load, with_changes
from qtheory.simulate.token_series import token_times


def short(name, horizon=5.0):
    return with_changes(load(name), horizon=horizon, windows=50, replications=5)


@pytest.fixture(scope="module")
def mixed():
    return recorded(short("to-figure-1"))


def test_iterations_are_those_of_the_run(mixed):
    for run in mixed.values():
        table = iterations(run)
        assert len(table) == run.iterations
        assert table[:, 1].sum() == pytest.approx(run.total(E.BUSY_TIME))
        assert table[:, 2].sum() == run.total(E.PREFILL_TOKENS) and table[:, 3].sum() == run.total(E.DECODE_TOKENS)
        assert (table[1:, 0] >= table[:-1, 0] + table[:-1, 1] - 1e-9).all()  # one at a time


@pytest.mark.parametrize("name", ["policy-sarathi", "policy-cycles", "policy-distserve", "policy-nested-wait"])
def test_time_per_output_token_is_that_of_the_tokens(name):
    (run,) = recorded(short(name, 20.0)).values()
    for got, times in zip(tpot(run), token_times(run), strict=True):
        if len(times) < 2:
            assert np.isnan(got)
        else:
            assert got == pytest.approx(np.diff(times).mean(), rel=1e-9)


def test_a_trace_has_every_iteration_and_every_request_once(mixed):
    events = chrome_trace(mixed)["traceEvents"]
    assert sum(e["ph"] == "X" for e in events) == sum(r.iterations for r in mixed.values())
    begun, ended = (sorted((e["pid"], e["id"], e["name"]) for e in events if e["ph"] == ph) for ph in "be")
    assert begun == ended and len(begun) == 3 * sum(r.requests for r in mixed.values())
    assert all(e["ts"] >= 0 for e in events if "ts" in e)


def test_a_network_has_records_of_its_jobs():
    (run,) = recorded(short("tandem-priority", 200.0)).values()
    table = list(rows({"network": run}))
    assert len(table) == run.departed.sum() and {r["class"] for r in table} == {"urgent", "patient"}


def test_a_picture_shows_a_span_of_time(mixed):
    figure = gantt(mixed, (1.0, 2.0))
    assert len(figure.axes) == 2 * len(mixed) and figure.axes[0].get_xlim() == (1.0, 2.0)
    with pytest.raises(InputError, match="no iteration to show from 100 to 101 s"):
        gantt(mixed, (100.0, 101.0))


@pytest.mark.later
def test_the_command_writes_them(tmp_path, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["simulate", "policy-sarathi", "--horizon", "20", "--replications", "5", "--records",
              str(tmp_path / "r.csv"), "--chrome-trace", str(tmp_path / "t.json"), "--gantt",
              str(tmp_path / "g.png")])  # fmt: skip
    with (tmp_path / "r.csv").open() as file:
        table = list(csv.DictReader(file))
    assert len(table) > 10 and all(float(r["arrival"]) <= float(r["first_token"]) <= float(r["end"]) for r in table)
    assert json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    assert (tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("options", "says"), [
    (["--records", "r.txt"], "ends in .csv or .parquet"), (["--gantt", "g.png", "--span", "3:2"], "FROM:TO"),
    (["--span", "1:2"], "FROM:TO"), (["--gantt", "g.png", "--span", "9000:9001"], "begins after the run's"),
    (["mm1", "--gantt", "g.png"], "has none"), (["rybko-stolyar-tokens", "--records", "r.csv"], "no single requests"),
    (["chain-processor-sharing", "--chrome-trace", "t.json"], "no requests")])  # fmt: skip
def test_what_cannot_be_written_is_refused_before_anything_runs(options, says, capsys, monkeypatch):
    monkeypatch.setattr("qtheory.simulate.results.run_points", None)
    with pytest.raises(SystemExit, match="2"):
        main(["simulate", *(["policy-sarathi"] if options[0].startswith("-") else []), *options])
    assert says in capsys.readouterr().err
