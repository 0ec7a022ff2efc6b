"""``qtheory profile list|show|fit|quality|measure``: hardware profiles, and fits of measured iteration times."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qtheory import profiles
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.errors import InputError
from qtheory.proofs.visible import seen, visible

if TYPE_CHECKING:
    from qtheory.profiles.measurements import Measurements


class Format(StrEnum):
    """How to print."""

    text = "text"
    json = "json"


class Errors(StrEnum):
    """Whether measured times err in proportion or by the same amount."""

    relative = "relative"
    absolute = "absolute"


class QualityFormat(StrEnum):
    """How to print the quality of fits."""

    md = "md"
    json = "json"


Output = Annotated[Format, typer.Option("--format", help="text or json.")]


def register(app: typer.Typer) -> None:
    """Add the command and its subcommands."""
    group = typer.Typer(help="List, show, fit and measure hardware profiles.")
    group.command("list")(list_profiles)
    group.command("show")(show)
    group.command("fit")(fit)
    group.command("quality")(quality)
    group.command("measure")(measure)
    app.add_typer(group, name="profile")


def list_profiles(output: Output = Format.text) -> None:
    """List the shipped profiles: GPU, model, law, and whether its constants are complete."""
    from qtheory.profiles.text import profile_summary

    loaded = [profiles.load(name) for name in profiles.names()]
    if output is Format.json:
        _print_json([profile_summary(profile) for profile in loaded])
        return
    rows: list[tuple[str, ...]] = [("name", "gpu", "model", "law", "constants")]
    for profile in loaded:
        known = "complete" if profile.complete else "incomplete" if profile.kind else "-"
        rows.append((profile.name, profile.gpu, profile.model or "-", profile.kind or "-", known))
    _print_columns(rows)


def show(
    name: Annotated[str, typer.Argument(help="A shipped profile's name, or the path of a TOML file.")],
    output: Output = Format.text,
) -> None:
    """Show one profile: constants with units and intervals, what the source prints, and the source."""
    from qtheory.profiles.text import profile_lines

    profile = profiles.load(name)
    if output is Format.json:
        _print_json(profile.to_dict() | {"complete": profile.complete, "missing": profile.missing})
        return
    for line in profile_lines(profile):
        typer.echo(_line(line))


def fit(
    file: Annotated[Path, typer.Argument(help="A CSV with columns tokens, seconds; or Vidur's mlp.csv layout.")],
    workers: Annotated[int | None, typer.Option(help="Vidur's layout: the number of tensor-parallel GPUs.")] = None,
    layers: Annotated[int | None, typer.Option(help="Vidur's layout: the model's layers, where not known.")] = None,
    series: Annotated[list[str] | None, typer.Option(help="A series to fit, of a file that measure wrote.")] = None,
    min_tokens: Annotated[float, typer.Option(help="Leave out batches with fewer tokens.")] = 0,
    max_tokens: Annotated[float, typer.Option(help="Leave out batches with more tokens.")] = float("inf"),
    only_tokens: Annotated[float | None, typer.Option(help="Keep batches of exactly this many tokens.")] = None,
    decode_up_to: Annotated[float | None, typer.Option(help="Batches up to this many tokens: decode.")] = None,
    prefill_from: Annotated[float | None, typer.Option(help="Batches from this many tokens: prefill.")] = None,
    law: Annotated[str | None, typer.Option(help="The law to write; else the best by cross-validation.")] = None,
    errors: Annotated[Errors, typer.Option(help="Errors relative to the time, or in seconds.")] = Errors.relative,
    seed: Annotated[int, typer.Option(help="Seed of the folds.")] = 0,
    name: Annotated[str | None, typer.Option(help="The written profile's name.")] = None,
    gpu: Annotated[str | None, typer.Option(help="The GPU, where the file does not tell.")] = None,
    model: Annotated[str | None, typer.Option(help="The model, where the file does not tell.")] = None,
    out: Annotated[Path | None, typer.Option("-o", "--output", help="Write the profile of one law as TOML.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the fit as PDF, PNG or SVG.")] = None,
    output: Output = Format.text,
) -> None:
    """Fit every iteration-time law to measurements, rank the laws, and write a profile."""
    from qtheory.files import write_whole
    from qtheory.models.laws import law_type
    from qtheory.profiles.files import to_toml
    from qtheory.profiles.fitted import gpu_of, profile_from_fit
    from qtheory.profiles.fitting import Settings
    from qtheory.profiles.fitting import fit as fit_laws
    from qtheory.profiles.measurements import read
    from qtheory.profiles.plotting import check_format, picture
    from qtheory.profiles.text import report_dict, report_lines

    settings = Settings(errors=errors.value, seed=seed)
    if law is not None:
        law_type(law)
    if plot is not None:
        check_format(plot)
    for path in (out, plot):
        require_writable(path)
    data = read(file, workers=workers, layers=layers, series=series or ())
    if out is not None:
        gpu_of(data, gpu)
    if only_tokens is not None:
        min_tokens = max_tokens = only_tokens
    report = fit_laws(_selected(data, min_tokens, max_tokens, decode_up_to, prefill_from), settings, _progress)
    chosen = report.best() if law is None else report.of(law)
    written: dict[Path, bytes] = {}
    if out is not None:
        profile = profile_from_fit(report, kind=chosen.law.kind, name=name, gpu=gpu, model=model)
        written[out] = to_toml(profile).encode()
    if plot is not None:
        written[plot] = picture(report, plot.suffix)
    for path, content in written.items():
        write_whole(path, content)
    if output is Format.json:
        _print_json(report_dict(report, chosen))
        return
    for line in (*report_lines(report, chosen), *(f"wrote {path}" for path in written)):
        typer.echo(_line(line))


def quality(
    files: Annotated[list[Path], typer.Argument(help="CSVs as fit reads them.")],
    workers: Annotated[list[int] | None, typer.Option(help="Vidur's layout: numbers of GPUs; else all.")] = None,
    decode_up_to: Annotated[float | None, typer.Option(help="Batches up to this many tokens: decode.")] = None,
    prefill_from: Annotated[float | None, typer.Option(help="Batches from this many tokens: prefill.")] = None,
    errors: Annotated[Errors, typer.Option(help="Errors relative to the time, or in seconds.")] = Errors.relative,
    plot: Annotated[Path | None, typer.Option(help="Draw the held-out errors as PDF, PNG or SVG.")] = None,
    output: Annotated[QualityFormat, typer.Option("--format", help="md or json.")] = QualityFormat.md,
) -> None:
    """Fit every law to many measurement sets: held-out errors, the best law of each, and what it misses."""
    from qtheory.files import write_whole
    from qtheory.profiles import mixing
    from qtheory.profiles import quality as measured
    from qtheory.profiles.fitting import Settings
    from qtheory.profiles.fitting import fit as fit_laws
    from qtheory.profiles.measurements import read_sets
    from qtheory.profiles.plotting import check_format

    if plot is not None:
        check_format(plot)
        require_writable(plot)
    sets = [_selected(data, 0, float("inf"), decode_up_to, prefill_from)
            for file in files for data in read_sets(file, workers or ())]
    found, problems = [], []
    with progress_bar("fitting") as report:
        for index, data in enumerate(sets):
            report(index, len(sets))
            try:
                found.append(measured.quality(fit_laws(data, Settings(errors=errors.value))))
            except InputError as error:  # one short series must not cost the table of the others
                problems.append(f"{', '.join(data.series)}: {error}" if data.series else str(error))
    if not found:
        raise InputError(problems[0])
    if plot is not None:
        write_whole(plot, measured.picture(found, plot.suffix))
    if output is QualityFormat.json:
        _print_json([one.to_dict() for one in found])
        return
    _print_markdown(measured.markdown(found))
    if any("tokens" in one.report.data.columns for one in found):
        typer.echo("\nHeld-out errors of all sets by tokens in the batch, median and 95th percentile:\n")
        _print_markdown(measured.bands_markdown(found))
        typer.echo("\nError of the critical rate that follows from each law, and which laws are within 5 percent:\n")
        _print_markdown(measured.capacity_markdown(found))
    if mixed := [(one.name, one.crossover) for one in found if one.crossover is not None]:
        typer.echo("\nDecode ratio from which a mixed batch takes longer than a pure decode batch of as many tokens:\n")
        _print_markdown(mixing.markdown(mixed))
    for problem in problems:
        typer.echo("\n" + _line(f"left out: {problem}"))
    if plot is not None:
        typer.echo("\n" + _line(f"wrote {plot}"))


def measure(
    name: Annotated[str, typer.Argument(metavar="ARCHITECTURE", help="qwen3-4b, qwen3-8b, llama-3-8b, mistral-7b, "
                                                                     "or small, which a processor can run.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="An existing folder for the CSV and profiles.")],
    device: Annotated[str, typer.Option(help="cuda or cpu.")] = "cuda",
    quick: Annotated[bool, typer.Option("--quick", help="The small grid of points.")] = False,
    rounds: Annotated[int, typer.Option(help="Repetitions of every point, in interleaved order.")] = 7,
    budget: Annotated[float, typer.Option(help="Seconds after which no further round is made.")] = 420,
    seed: Annotated[int, typer.Option(help="Seed of weights, tokens and order.")] = 0,
    stem: Annotated[str | None, typer.Option("--name", help="The files' name; else GPU and architecture.")] = None,
    large_on_cpu: Annotated[bool, typer.Option(
        "--large-on-cpu", help="Let the processor run an architecture of gigabytes.")] = False,
    output: Output = Format.text,
) -> None:
    """Time one engine iteration of a decoder over a grid of batches, and write raw CSV and fitted profiles."""
    from qtheory.files import write_whole
    from qtheory.profiles.files import to_toml
    from qtheory.profiles.fitted import slug
    from qtheory.profiles.measuring.architectures import architecture
    from qtheory.profiles.measuring.design import FULL, QUICK, points

    chosen = architecture(name)
    if not out.is_dir():
        raise InputError(f"{out}: not a folder; an existing one is wanted for the CSV and the profiles")
    if stem is not None and slug(stem) != stem:
        raise InputError(f"--name {stem!r}: lower-case letters, digits, '.' and '-' are wanted, such as {slug(stem)!r}")
    try:
        from qtheory.profiles.measuring import harness, record
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "torch":
            raise
        raise InputError("measuring needs PyTorch, which is not installed: pip install 'qtheory-llm[gpu]'") from None
    # All but the folder and the files' name, which are nobody else's.
    command = ["qtheory", "profile", "measure", name, "--device", device, *(["--quick"] if quick else []),
               "--rounds", str(rounds), "--budget", f"{budget:g}", "--seed", str(seed),
               *(["--large-on-cpu"] if large_on_cpu else [])]
    grid = tuple(points(QUICK if quick else FULL))
    plan = harness.Plan(chosen, grid, device, rounds, budget, seed, large_on_cpu, shlex.join(command))
    with progress_bar(f"measuring {chosen.title}") as report:
        run = harness.measure(plan, report)
    stem = stem or slug(f"{run.provenance['gpu']} {name}")
    text = record.csv_text(run)
    found = record.fitted(text, f"{stem}.csv", stem)
    written = {out / f"{stem}.csv": text} | {out / f"{f.name}.toml": to_toml(f.profile) for f in found if f.profile}
    for path, content in written.items():
        write_whole(path, content)
    if output is Format.json:
        _print_json(record.summary(run, found) | {"files": [str(path) for path in written]})
        return
    for line in (*record.lines(run, found), *(f"wrote {path}" for path in written)):
        typer.echo(_line(line))


def _selected(
    data: Measurements, least: float, most: float, decode_up_to: float | None, prefill_from: float | None
) -> Measurements:
    if not least <= most:
        raise InputError(f"no token count lies between {least:g} and {most:g}")
    if least > 0 or most < float("inf"):
        data = data.tokens_between(least, most)
    if decode_up_to is not None and prefill_from is not None:
        return data.phases_split_at(decode_up_to, prefill_from)
    if decode_up_to is not None or prefill_from is not None:
        raise InputError("--decode-up-to and --prefill-from belong together")
    return data


def _progress(kinds: list[str]) -> Iterable[str]:
    from rich.console import Console
    from rich.progress import track

    hidden = not sys.stderr.isatty()
    return track(kinds, "fitting", console=Console(stderr=True), transient=True, disable=hidden)


def _line(text: str) -> str:
    """Text with words from files in one line: breaks and tabs are blanks, what cannot be seen is spelled out."""
    return visible(re.sub(r" *[\t\r\n]+ *", " ", text))


def _print_markdown(text: str) -> None:
    for line in text.removesuffix("\n").split("\n"):
        typer.echo(_line(line))


def _print_json(data: Any) -> None:
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    typer.echo("".join(c if seen(c) or c == "\n" else json.dumps(c)[1:-1] for c in text))


def _print_columns(rows: list[tuple[str, ...]]) -> None:
    rows = [tuple(map(_line, row)) for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
