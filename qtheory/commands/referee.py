"""``qtheory referee``: a paper of one's own, as Markdown, judged like the corpus. Nothing in it is run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.commands.verify import as_json, counts, print_table
from qtheory.errors import InputError
from qtheory.proofs.visible import flowing, json_text, visible

if TYPE_CHECKING:
    from qtheory.proofs.claims.model import Claim
    from qtheory.proofs.verdict import Verdict

AGAINST = ("refuted", "contradicted")
HINT = 6.0  # units of work for what is true instead of a refuted claim


def register(app: typer.Typer) -> None:
    @app.command("referee", help="Referee a paper of your own: a Markdown file, or a folder with paper.toml. "
                                 "Exit 0 when nothing is refuted, 1 when something is, 2 for bad input, "
                                 "as conditions that contradict each other.")
    def referee(
        note: Annotated[Path, typer.Argument(metavar="NOTE.md|FOLDER", help="The table of symbols and the claims.")],
        jobs: Annotated[int, typer.Option(
            "--jobs", "-j", metavar="N", min=0, help="Processes; as many as there are cores by default.")] = 0,
        budget: Annotated[float | None, typer.Option(
            "--budget", metavar="S", min=0.1,
            help="Units of work a claim; one is about a second of an idle core.")] = None,
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print the verdicts.")] = OutputFormat.text,
        new: Annotated[bool, typer.Option(
            "--new", help="Write a template with comments to NOTE.md, which is not there yet.")] = False,
    ) -> int:
        from qtheory.proofs import corpus
        from qtheory.proofs.decide import VACUOUS
        from qtheory.proofs.records import sources

        if new:
            return begin(note)

        # Python is never run here, whatever the folder holds: 'qtheory verify' is for one's own code.
        if (note.is_dir() and not (note / "paper.toml").exists()) or (not note.is_dir() and note.suffix != ".md"):
            raise InputError(f"{note}: a Markdown file (.md), or a folder with a paper.toml, is refereed")
        if not note.exists():
            raise InputError(f"{note}: no such file or folder")
        source = str(note.resolve())
        claims = corpus.claims(source)
        if not claims:
            raise InputError(f"{note}: no claim in it; one begins ::::{{claim}} ID, KIND, l. LINES")
        with progress_bar("refereeing", lines=True) as report:
            verdicts = corpus.verify([source], jobs=jobs or os.cpu_count() or 1, budget=budget, kept=True,
                                     progress=report)
        verdicts = corrected(verdicts, claims)
        if form == "json":
            typer.echo(json_text(as_json(verdicts)))
        else:
            print_table(verdicts)
            found, place = {str(v.id): v.title for v in verdicts}, ""
            for v in verdicts:
                claim = claims[str(v.id)]
                open_ = v.verdict == "unknown" and bool(v.note)
                if claim.statement is None and not open_:
                    continue
                # The author's words: on a line of their own, and quoted, they are not read as a statement.
                if claim.place and claim.place != place:
                    typer.echo(f"in {json_text(flowing(claim.place), None)}")
                place = claim.place
                typer.echo(visible(f"{v.id}" + (f": {flowing(v.statement)}" if claim.statement is not None else "")))
                if open_:
                    typer.echo(f"  not decided: {json_text(flowing(v.note), None)}")
                told = tuple(f"given{way} (" for i in claim.imported for way in (f" {i}", f", as {i} has it"))
                for condition, source in sources(claim, found).items():
                    if source.startswith(told):
                        typer.echo(visible(f"  {condition}: {flowing(source)}"))
                for line in v.reasons() if v.verdict in AGAINST else (f"rests on {text}" for text in v.rests_on):
                    typer.echo(visible(f"  {line.strip()}"))
            typer.echo(f"{len(verdicts)} claims: " + ", ".join(f"{n} {name}" for name, n in counts(verdicts).items()))
        if empty := [v for v in verdicts if v.note.startswith(VACUOUS)]:
            raise InputError(f"{note}: {empty[0].id}" + f" and {len(empty) - 1} more" * (len(empty) > 1)
                             + f": {empty[0].note}")
        return int(any(v.verdict in AGAINST for v in verdicts))


def corrected(verdicts: Sequence[Verdict], claims: Mapping[str, Claim]) -> list[Verdict]:
    """The verdicts, those on refuted claims with what is true instead."""
    with progress_bar("looking for what is true instead", lines=True) as report:
        out: list[Verdict] = []
        for verdict in verdicts:
            report(len(out), len(verdicts), str(verdict.id))
            out.append(verdict.with_note(instead(claims[str(verdict.id)], verdict)))
    return out


def instead(claim: Claim, verdict: Verdict) -> str:
    """Of a refuted claim that the note does not correct: what is true instead, where that is found."""
    from qtheory.proofs.suggest import hint

    if verdict.verdict != "refuted" or claim.statement is None or claim.corrected_by is not None:
        return ""
    return hint(claim.statement.parsed(), verdict, HINT)


def begin(note: Path) -> int:
    """Write the template of a note."""
    from qtheory.files import write_whole
    from qtheory.proofs.claims.writing import TEMPLATE

    if note.suffix != ".md":
        raise InputError(f"{note}: a note is a Markdown file, {note.with_suffix('.md')}")
    if note.exists() or note.is_symlink():
        raise InputError(f"{note} is there already, and is left alone")
    require_writable(note)
    write_whole(note, TEMPLATE)
    typer.echo(f"wrote {note}; qtheory referee {note} judges it")
    return 0
