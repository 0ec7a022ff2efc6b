"""``qtheory simulate``: run a scenario, print what is stable and how it performs, with intervals."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from qtheory.commands.sharing import Dask, Workers, sharing
from qtheory.errors import InputError

if TYPE_CHECKING:
    from qtheory.simulate.experiments import Runs
    from qtheory.simulate.scenarios import Point, Scenario

_SCENARIO = typer.Argument(None, help="A TOML file, or the name of a shipped scenario (see --list).")
_OUTPUT = typer.Option(None, "-o", "--output", help="Folder for results.json, results.csv and what --plots draws.")
_SHOWN = 50  # points of a sweep that are printed one by one; the folder has all
_TABLE = typer.Option("csv", "--table", help="The table of results in the folder: csv or parquet.")
_RECORDS = typer.Option(
    None, "--records", help="A row for each request of the first replication: a .csv or .parquet file."
)
_TRACE = typer.Option(
    None, "--chrome-trace", help="Its iterations and requests, for chrome://tracing or Perfetto: a .json file."
)
_GANTT = typer.Option(None, "--gantt", help="Some of its iterations as a picture: a .pdf, .svg or .png file.")


@dataclass(frozen=True)
class _Files:
    """What is written of single requests and iterations, and where."""

    records: Path | None
    chrome_trace: Path | None
    gantt: Path | None
    span: str | None
    distributions: bool

    def check(self, scenario: Scenario, sweep: bool) -> None:
        """Refuse what could not be written, or would show nothing, before anything is run."""
        from qtheory.commands.output import require_writable
        from qtheory.report.gantt import require_iterations
        from qtheory.simulate.request_records import require_requests

        for option, path, endings in (("--records", self.records, (".csv", ".parquet")),
                                      ("--chrome-trace", self.chrome_trace, (".json",)),
                                      ("--gantt", self.gantt, (".pdf", ".svg", ".png"))):  # fmt: skip
            if path is None:
                continue
            if path.suffix not in endings:
                raise InputError(f"{option}: give a file that ends in {' or '.join(endings)}, not {path}")
            if sweep:
                raise InputError(f"{option} is of one scenario, and this one is a sweep of several")
            require_writable(path, makes_folder=True)
            require_requests(scenario)
        if self.gantt is not None:
            require_iterations(scenario)
        if (span := self._seconds()) is not None and span[0] >= scenario.horizon:
            raise InputError(f"--span: {self.span} begins after the run's {scenario.horizon:g} s")

    def _seconds(self) -> tuple[float, float] | None:
        if self.span is None:
            return None
        try:
            low, high = (float(part) for part in self.span.split(":"))
        except ValueError:
            low = high = 0.0
        if not 0 <= low < high < float("inf") or self.gantt is None:
            raise InputError(f"--span: seconds FROM:TO of a --gantt picture, such as 10:12, not {self.span!r}")
        return low, high

    def write(self, point: Point) -> None:
        """Run the first replication again, with records, and write what was asked for."""
        if self.records is None and self.chrome_trace is None and self.gantt is None:
            return
        from qtheory.report.gantt import save_gantt
        from qtheory.simulate.request_records import recorded, write_chrome_trace, write_records

        runs = recorded(point.scenario)
        if self.records is not None:
            write_records(self.records, runs)
        if self.chrome_trace is not None:
            write_chrome_trace(self.chrome_trace, runs)
        if self.gantt is not None:
            save_gantt(self.gantt, runs, self._seconds())


def register(app: typer.Typer) -> None:
    @app.command("simulate", help="Simulate a scenario: a stability verdict first, then means with intervals.")
    def simulate(
        scenario: str | None = _SCENARIO,
        replications: int | None = typer.Option(None, "--replications", min=1, help="Independent replications."),
        seed: int | None = typer.Option(None, "--seed", min=0, help="Seed of the random streams."),
        horizon: float | None = typer.Option(None, "--horizon", help="Simulated seconds of each replication."),
        until_decided: float | None = typer.Option(
            None, "--until-decided", help="While a verdict is undecided, double the horizon, up to so many seconds."
        ),
        percentiles: str | None = typer.Option(
            None, "--percentiles", help="Of delays, in place of the scenario's: 50,90,99.9"
        ),
        workers: Workers = 1,
        dask: Dask = None,
        output: Path | None = _OUTPUT,
        table: str = _TABLE,
        plots: bool = typer.Option(False, "--plots", help="Draw queue.pdf, delays.pdf and occupancy.pdf as well."),
        records: Path | None = _RECORDS,
        chrome_trace: Path | None = _TRACE,
        gantt: Path | None = _GANTT,
        span: str | None = typer.Option(None, "--span", help="FROM:TO in seconds: what --gantt shows instead."),
        distributions: bool = typer.Option(
            False, "--distributions", help="Write distributions.csv, of delays with bands, as well."
        ),
        map_: bool = typer.Option(False, "--map", help="Draw map.pdf: what is stable over the two keys of a sweep."),
        format: str = typer.Option("text", "--format", help="text or json."),
        schema: bool = typer.Option(False, "--schema", help="Print the JSON schema of a scenario file, and end."),
        list_: bool = typer.Option(False, "--list", help="List the shipped scenarios, and end."),
        show: bool = typer.Option(False, "--show", help="Print the scenario's file, to start one's own from, and end."),
        policies: bool = typer.Option(False, "--policies", help="List schedulers and their parameters, and end."),
    ) -> None:
        if format not in ("text", "json"):
            raise InputError(f"unknown format {format!r}; known: text, json")
        if schema or list_ or policies:
            _about(schema, policies)
            return
        if scenario is None:
            raise InputError("which scenario? Give a TOML file, or the name of a shipped one: qtheory simulate --list")
        if show:
            from qtheory.simulate.scenarios import read

            typer.echo(read(scenario)[0], nl=False)
            return
        changes = {"replications": replications, "seed": seed, "horizon": horizon,
                   "percentiles": _percentiles(percentiles)}
        files = _Files(records, chrome_trace, gantt, span, distributions)
        _run(scenario, changes, files, until_decided, workers, dask, output, table, plots, map_, format)


def _percentiles(text: str | None) -> tuple[float, ...] | None:
    from qtheory.simulate.scenarios import percentiles_of

    if text is None:
        return None
    try:
        return percentiles_of([float(part) for part in text.split(",")])
    except ValueError:
        raise InputError(f"--percentiles: numbers strictly between 0 and 100, such as 50,90,99.9, not {text!r}"
                         ) from None


def _about(schema: bool, policies: bool) -> None:
    if schema:
        from qtheory.simulate.schema import schema as made

        typer.echo(json.dumps(made(), indent=1))
        return
    if policies:
        from qtheory.simulate.kernel.policies import POLICIES

        for name, policy in POLICIES.items():
            typer.echo(f"{name:20s} {policy.summary} Parameters: {', '.join(policy.parameters) or 'none'}")
        return
    import tomllib
    from importlib.resources import files

    from qtheory.proofs.visible import flowing

    texts = {entry.name.removesuffix(".toml"): entry.read_text(encoding="utf-8")
             for entry in (files("qtheory.simulate") / "data").iterdir() if entry.name.endswith(".toml")}
    # the titles alone: to read whole scenarios takes the simulator
    for name, text in sorted(texts.items()):
        typer.echo(f"{name:24s} {flowing(tomllib.loads(text).get('title', ''))}")


def _run(
    name: str,
    changes: dict[str, Any],
    files: _Files,
    until_decided: float | None,
    workers: int,
    dask: str | None,
    output: Path | None,
    table: str,
    plots: bool,
    map_: bool,
    format: str,
) -> None:
    from qtheory.simulate import results
    from qtheory.simulate.scenarios import Point, parse_points, read, with_changes

    points = [Point(p.settings, with_changes(p.scenario, **changes)) for p in parse_points(*read(name))]
    sweep = bool(points[0].settings)
    _check(points, until_decided, output, table, plots or map_ or files.distributions, sweep)
    files.check(points[0].scenario, sweep)
    if map_:
        from qtheory.report.simulation import save_map, swept_keys

        swept_keys(points)

    def draw(number: int, point: Point, runs: dict[str, Runs]) -> None:
        from qtheory.report.simulation import save_plots

        assert output is not None
        own = output / f"point-{number + 1}" if sweep else output
        if plots:
            save_plots(point.scenario, runs, own)
        if files.distributions:
            results.write_distributions(own, point.scenario, runs)

    with _progress(points, workers, dask) as options:
        documents = results.run_points(
            points, output if sweep else None, until_decided=until_decided or 0.0,
            each=draw if plots or files.distributions else None, **options
        )
    if output is not None:
        results.write(output, documents, table)
        if map_:
            save_map(points, documents, output)
    files.write(points[0])
    if format == "json":
        typer.echo(json.dumps(documents if sweep else documents[0], indent=1))
        return
    if len(documents) > _SHOWN:
        typer.echo(f"{len(documents)} points: {_counts(documents)}")
        documents = []
    for number, document in enumerate(documents):
        typer.echo("\n" if number else "", nl=False)
        _print(document)
    if output is not None:
        from qtheory.proofs.visible import visible

        typer.echo(f"\nwritten to {visible(output)}")


def _counts(documents: list[dict[str, Any]]) -> str:
    """How many points of each variant are stable, how many are not."""
    from collections import Counter

    from qtheory.proofs.visible import visible

    said: dict[str, Counter[str]] = {}
    for v in (v for d in documents for v in d["variants"] if v["stability"] is not None):
        said.setdefault(v["variant"], Counter())[v["stability"]["verdict"]] += 1
    return "; ".join(visible(f"{label} {', '.join(f'{n} {verdict}' for verdict, n in sorted(counts.items()))}")
                     for label, counts in said.items())


def _check(
    points: list[Point], until_decided: float | None, output: Path | None, table: str, plots: bool, sweep: bool
) -> None:
    """Refuse what cannot end well before anything is run."""
    from qtheory.commands.output import require_folder
    from qtheory.simulate import results
    from qtheory.simulate.table_files import parquet_library

    for point in points:
        if point.scenario.replications < 5 or point.scenario.windows < 50:
            raise InputError("a stability verdict and the warm-up need at least 5 replications and 50 windows")
        if not 0 < point.scenario.horizon < float("inf"):
            raise InputError(f"the horizon must be positive and finite, not {point.scenario.horizon}")
        if until_decided is not None and not point.scenario.horizon <= until_decided < float("inf"):
            raise InputError(f"--until-decided: give a finite number of seconds, at least the horizon of "
                             f"{point.scenario.horizon:g}, not {until_decided:g}")  # fmt: skip
    if table not in results.TABLES:
        raise InputError(f"unknown table {table!r}; known: {', '.join(results.TABLES)}")
    if table == "parquet":
        parquet_library()
    if output is None and (plots or sweep or table != "csv"):
        what = "a sweep writes each finished point" if sweep else "plots and tables are written to files"
        raise InputError(f"{what}: give a folder, -o FOLDER")
    if output is not None:
        require_folder(output)


@contextmanager
def _progress(points: list[Point], workers: int, dask: str | None) -> Iterator[dict[str, Any]]:
    """The options of a run that shows its progress on standard error, if that is a terminal."""
    from contextlib import ExitStack

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from qtheory.commands.progress import compiling
    from qtheory.simulate.kernel import jit

    each = [len(p.scenario.variants) * int(p.scenario.replications) for p in points]
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f} %"),
               TimeRemainingColumn())  # fmt: skip
    begin = time.perf_counter()
    state = {"finished": 0, "events": 0}
    bar = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    task = bar.add_task("simulating", total=sum(each))

    def show(fraction: float, events: int) -> None:
        speed = (state["events"] + events) / (time.perf_counter() - begin)
        many = f"{len(points)} points, " if len(points) > 1 else ""
        bar.update(task, completed=state["finished"] + fraction,
                   description=f"{many}{speed / 1e6:.2f} million events a second")  # fmt: skip

    def done(events: int) -> None:
        state["finished"] += 1
        state["events"] += events
        show(0.0, 0)

    def kept(number: int) -> None:
        state["finished"] += each[number]
        show(0.0, 0)

    def told(what: str) -> None:
        said = compiling(what)
        if bar.disable:
            typer.echo(said, err=True)
        bar.update(task, description=said)
        bar.refresh()  # the compiler does not let the bar's own thread run

    with ExitStack() as stack:
        stack.enter_context(bar)
        jit.listeners.append(told)
        stack.callback(jit.listeners.remove, told)
        options: dict[str, Any] = {"done": done, "kept": kept}
        options["executor"] = stack.enter_context(sharing(workers, dask))
        if options["executor"] is None and not bar.disable:
            options["within"] = show
        yield options


def _print(document: dict[str, Any]) -> None:
    """Titles, names and what is said come from a file that anyone may have written."""
    from qtheory.proofs.visible import flowing, visible
    from qtheory.simulate.experiments import ONE_RUN, REPLICATIONS

    chance = any(v["sample"] != ONE_RUN for v in document["variants"])
    runs = f"{document['replications']} replications" if chance else "one run"
    typer.echo(f"{flowing(document['title'])}: {runs} of {document['horizon']:g} s"
               + (f", seed {document['seed']}, intervals at {document['confidence']:g}" if chance else ""))
    for key, value in document["settings"].items():
        typer.echo(visible(f"  with {key} = {value}"))
    for variant in document["variants"]:
        typer.echo(f"\n{visible(variant['variant'])}")
        if variant["sample"] == ONE_RUN:
            typer.echo(f"  {ONE_RUN}: no interval, no test (bootstrap = N draws a trace anew in blocks of N requests)")
        elif variant["sample"] != REPLICATIONS:
            typer.echo(visible(f"  {variant['sample']}"))
        verdict = variant["stability"]
        if verdict is not None:
            estimate, low, high = verdict["growth"]
            typer.echo(f"  {verdict['verdict']} (error rate {verdict['error_rate']:g}); the number present grows by "
                       f"{estimate:.4g} a second ({low:.4g} to {high:.4g})")  # fmt: skip
            if verdict["remark"]:
                typer.echo(visible(f"  {verdict['remark']}"))
        for name, interval in variant["measures"].items():
            if interval is not None:
                ends = "" if interval["low"] is None else f" ({interval['low']:.5g} to {interval['high']:.5g})"
                typer.echo(f"  {visible(name):46s} {interval['estimate']:.5g}{ends}")
    if document["claim"]:
        typer.echo(f"\nWhat the paper says: {flowing(document['claim'])}")
    for claim in document["claims"]:
        typer.echo(f"  {claim['verdict']}: {flowing(claim['says'])}\n    {visible(claim['numbers'])}")
