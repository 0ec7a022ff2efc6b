"""``qtheory verify``: the corpus, or claims of one's own, refereed afresh and compared with the record."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qtheory import __version__
from qtheory.commands.formats import OutputFormat
from qtheory.commands.output import made_folder
from qtheory.commands.progress import progress_bar
from qtheory.commands.sharing import Dask, sharing
from qtheory.errors import InputError
from qtheory.proofs.visible import flowing, json_text, visible

if TYPE_CHECKING:
    from qtheory.proofs.records import Difference
    from qtheory.proofs.verdict import Verdict

SCHEMA = 1
PAGE = 150  # columns, where there is no terminal
STYLES = {"proved": "green", "refuted": "red", "contradicted": "red", "unknown": "yellow"}


def register(app: typer.Typer) -> None:
    @app.command("verify", help="Referee the corpus or the named claims, and compare with the record. "
                                "Exit 0 when no verdict differs from it.")
    def verify(
        names: Annotated[list[str] | None, typer.Argument(
            metavar="[ID|PAPER|PATH]...", help="All claims if none is named.")] = None,
        strict: Annotated[bool, typer.Option("--strict", help=(
            "Fail also on verdicts that the kind does not admit, missing corrections, conditions without a source and "
            "stale evidence."))] = False,
        main: Annotated[bool, typer.Option("--main", help=(
            "Look at the papers' main results alone, as their paper.toml lists them; with --strict each has a claim."
        ))] = False,
        jobs: Annotated[int, typer.Option(
            "--jobs", "-j", metavar="N", help="Processes; as many as there are cores by default.")] = 0,
        budget: Annotated[float | None, typer.Option("--budget", metavar="S", min=0.1, help=(
            "Units of work a claim, of about a second of an idle core each; by default little for one recorded as "
            "unknown, ample for the others."
        ))] = None,
        rerun: Annotated[bool, typer.Option("--rerun-evidence", help=(
            "Run the simulations again that claims rest on, whatever the records hold."))] = False,
        update: Annotated[bool, typer.Option("--update-records", help=(
            "Write the verdicts, and the evidence of simulations, into the record."))] = False,
        certificates: Annotated[Path | None, typer.Option("--certificates", metavar="DIR", help=(
            "Write each claim's certificate to DIR/ID.json; 'qtheory check --named' reads them."))] = None,
        dask: Dask = None,
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print the verdicts.")] = OutputFormat.text,
    ) -> int:
        from qtheory.proofs import corpus, records
        from qtheory.proofs.claims.loading import select_main

        chosen, bare = select_main(names or ()) if main else (names or (), [])
        folder = None if certificates is None else made_folder(certificates)
        if jobs < 0:
            raise InputError(f"--jobs is {jobs}; a number of processes is needed, or 0 for one per core")
        with progress_bar("refereeing") as report, sharing(1, dask) as executor:
            verdicts = corpus.verify(chosen, jobs=jobs or os.cpu_count() or 1, budget=budget, rerun=rerun,
                                     progress=report, executor=executor)
        if folder is not None:
            _save(verdicts, folder)
        if update:
            records.write_records(verdicts)
            records.write_evidence(verdicts)
        found = records.differences(verdicts)
        if strict:
            found += records.strict_differences(verdicts)
            found += [records.Difference(i, "a main result without a claim yet") for i in bare]
        if form == "json":
            typer.echo(json_text(as_json(verdicts)))
        else:
            print_table(verdicts)
        for difference in found:
            typer.echo(visible(f"{difference.id}: {difference.why}"), err=form == "json")
        if form == "text":
            typer.echo(_last_line(verdicts, found))
        return 1 if found else 0


def _save(verdicts: Sequence[Verdict], folder: Path) -> None:
    for v in verdicts:
        if v.certificate is not None:
            v.certificate.save(folder / f"{v.id}.json")


def counts(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """How many of each verdict, those apart that rest on axioms, or whose conditions are not known to be met."""
    labels = (v.verdict + (f" ({v.rests})" if v.rests else "") for v in verdicts)
    return dict(Counter(labels).most_common())


def read(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """The second reader's words on the printed statements among these."""
    from qtheory.proofs import corpus
    from qtheory.proofs.claims.papers import readings

    judged = corpus.claims()
    return readings(judged[str(v.id)] for v in verdicts if v.id in judged)


def as_json(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    return {"schema": SCHEMA, "version": __version__, "counts": counts(verdicts), "readings": read(verdicts),
            "claims": [v.to_json() for v in verdicts]}


def print_table(verdicts: Sequence[Verdict]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from qtheory.proofs.verdict import point_text

    table = Table(box=None, pad_edge=False, header_style="bold")
    widths = {"conditions hold at": 24, "how": 34}
    for name in ("claim", "kind", "verdict", "conditions hold at", "how", "s"):
        table.add_column(name, no_wrap=True, overflow="ellipsis" if name in widths else "fold",
                         justify="right" if name == "s" else "left", max_width=widths.get(name))
    for v in verdicts:
        how = f"note: {v.note}" if v.verdict == "unknown" else v.method
        row = (v.id, v.kind, v.title, v.witness and point_text(v.witness), how)
        cells = [Text(flowing(text or "")) for text in row]
        cells[2].stylize(STYLES.get(v.verdict, ""))
        table.add_row(*cells, f"{v.seconds:.2f}")
    terminal = Console()
    Console(width=None if terminal.is_terminal else PAGE).print(table)


def _last_line(verdicts: Sequence[Verdict], found: Sequence[Difference]) -> str:
    from qtheory.proofs.trusted import kernel_lines, notebook_lines, trusted_lines

    numbers = ", ".join(f"{n} {name}" for name, n in counts(verdicts).items())
    steps = sum(v.certificate.steps for v in verdicts if v.certificate)
    heard = read(verdicts)
    told_of = sum(n for word, n in heard.items() if word != "not read")
    share = f"; of those read {heard.get('faithful', 0) / told_of:.1%} faithful" if told_of else ""
    told = ", ".join(f"{n} {word}" for word, n in heard.items())
    outcome = f"{len(found)} differences" if found else "no verdict differs from the record"
    return (f"{len(verdicts)} claims: {numbers or 'none'}\n"
            f"{steps} steps re-checked by both checkers, the kernel of {kernel_lines()} lines; "
            f"trusted in all: {trusted_lines()} lines, which prove, check and verify import; derivations in a notebook "
            f"import {notebook_lines()} more\n"
            f"a second reader of the printed statements: {told or 'none heard'}{share}\n{outcome}")
