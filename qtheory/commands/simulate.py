"""``qtheory simulate``: run a scenario, print what is stable and how it performs, with intervals."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from qtheory.errors import InputError

if TYPE_CHECKING:
    from qtheory.simulate.scenarios import Scenario


_OUTPUT = typer.Option(None, "-o", "--output", help="Folder for results.json and results.csv.")


def register(app: typer.Typer) -> None:
    @app.command("simulate", help="Simulate a scenario: a stability verdict first, then means with intervals.")
    def simulate(
        scenario: str = typer.Argument(..., help="A TOML file, or the name of a shipped scenario."),
        replications: int | None = typer.Option(None, "--replications", min=1, help="Independent replications."),
        seed: int | None = typer.Option(None, "--seed", min=0, help="Seed of the random streams."),
        workers: int = typer.Option(1, "--workers", min=1, help="Processes; the results do not depend on them."),
        output: Path | None = _OUTPUT,
        format: str = typer.Option("text", "--format", help="text or json."),
    ) -> None:
        if format not in ("text", "json"):
            raise InputError(f"unknown format {format!r}; known: text, json")
        _run(scenario, replications, seed, workers, output, format)


def _run(
    name: str, replications: int | None, seed: int | None, workers: int, output: Path | None, format: str
) -> None:
    from qtheory.simulate.experiments import summarise
    from qtheory.simulate.scenarios import load, with_changes

    scenario = with_changes(load(name), replications=replications, seed=seed)
    if scenario.replications < 5:
        raise InputError("a stability verdict needs at least 5 replications")
    if output is not None and output.exists() and not output.is_dir():
        raise InputError(f"{output} is not a folder")
    results = _simulate(scenario, workers)
    summary = summarise(scenario, results)
    document = _document(scenario, summary)
    if output is not None:
        _write(output, document)
    if format == "json":
        typer.echo(json.dumps(document, indent=1))
    else:
        _print(scenario, document)


def _simulate(scenario: Scenario, workers: int) -> dict[str, Any]:
    """Run with a progress bar on standard error, if that is a terminal and the run is long enough to show one."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from qtheory.simulate.experiments import run_scenario

    total = len(scenario.variants) * int(scenario.replications)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    begin = time.perf_counter()
    bar = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    with bar:
        task = bar.add_task("simulating", total=total)

        def done(finished: int, events: int) -> None:
            speed = events / (time.perf_counter() - begin)
            bar.update(task, completed=finished, description=f"{speed / 1e6:.2f} million events a second")

        if workers == 1:
            return run_scenario(scenario, done=done)
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            return run_scenario(scenario, executor=pool, done=done)


def _number(value: float) -> float | None:
    return float(value) if value == value and abs(value) != float("inf") else None


def _document(scenario: Scenario, summary: dict[str, dict[str, Any]]) -> dict[str, Any]:
    variants = []
    for label, result in summary.items():
        verdict = result["stability"]
        variants.append(
            {
                "variant": label,
                "stability": None
                if verdict is None
                else {
                    "verdict": verdict.verdict,
                    "error_rate": verdict.error_rate,
                    "growth": [_number(v) for v in (verdict.growth.estimate, verdict.growth.low, verdict.growth.high)],
                },
                "measures": {
                    name: None if i is None else {end: _number(getattr(i, end)) for end in ("estimate", "low", "high")}
                    for name, i in result["measures"].items()
                },
            }
        )
    return {
        "schema": 1,
        "title": scenario.title,
        "claim": scenario.claim,
        "horizon": scenario.horizon,
        "replications": int(scenario.replications),
        "seed": int(scenario.seed),
        "confidence": scenario.confidence,
        "variants": variants,
    }


def _print(scenario: Scenario, document: dict[str, Any]) -> None:
    typer.echo(f"{document['title']}: {document['replications']} replications of {document['horizon']:g} s, "
               f"seed {document['seed']}, intervals at {document['confidence']:g}")  # fmt: skip
    for variant in document["variants"]:
        typer.echo(f"\n{variant['variant']}")
        verdict = variant["stability"]
        if verdict is not None:
            estimate, low, high = verdict["growth"]
            typer.echo(f"  {verdict['verdict']} (error rate {verdict['error_rate']:g}); the number present grows by "
                       f"{estimate:.4g} a second ({low:.4g} to {high:.4g})")  # fmt: skip
        for name, interval in variant["measures"].items():
            if interval is not None:
                typer.echo(f"  {name:46s} {interval['estimate']:.5g} ({interval['low']:.5g} to {interval['high']:.5g})")
    if scenario.claim:
        typer.echo(f"\nWhat the paper says: {scenario.claim}")


def _write(folder: Path, document: dict[str, Any]) -> None:
    """results.json and results.csv, each put in its place only when it is whole."""
    rows = ["variant,measure,estimate,low,high"]
    for variant in document["variants"]:
        for name, i in variant["measures"].items():
            if i is not None:
                rows.append(f'{variant["variant"]},"{name}",{i["estimate"]!r},{i["low"]!r},{i["high"]!r}')
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("results.json", json.dumps(document, indent=1)), ("results.csv", "\n".join(rows))):
            part = folder / f".{name}.part"
            part.write_text(text + "\n", encoding="utf-8")
            part.replace(folder / name)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error}") from None
