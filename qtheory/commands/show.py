"""``qtheory show``: one claim, with its quote, statement, verdict, evidence and correction."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.proofs.visible import flowing, json_text, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qtheory.proofs.chains import Recurrence
    from qtheory.proofs.claims.axioms import Theorem
    from qtheory.proofs.claims.model import Claim
    from qtheory.proofs.verdict import Verdict


def register(app: typer.Typer) -> None:
    @app.command("show", help="Show one claim: quote, statement, verdict (computed afresh), evidence, correction.")
    def show(
        name: Annotated[str, typer.Argument(metavar="ID", help="The claim's id, such as eb.prop-3.1.")],
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print the claim.")] = OutputFormat.text,
        bibtex: Annotated[bool, typer.Option(
            "--bibtex", help="A BibTeX entry: verdict, version and hash of the certificate.")] = False,
        output: Annotated[Path | None, typer.Option(
            "--output", "-o", metavar="CERT.json", help="Write the certificate to this file.")] = None,
    ) -> int:
        from qtheory.proofs.corpus import claims, find, referee, resting

        require_writable(output)
        claim = find(name)
        with progress_bar(f"refereeing {name}"):
            verdict = resting(claim, referee(claim), {}, {})
        if output is not None and verdict.certificate is not None:
            verdict.certificate.save(output)
        elif output is not None:
            typer.echo(f"{output} is not written: the verdict {verdict.verdict} on {name} has no certificate", err=True)
        if bibtex:
            from qtheory.proofs.citing import bibtex as entry

            data = None if verdict.certificate is None else verdict.certificate.data
            typer.echo(entry(claim.id, f"{claim.id} ({claim.place})", verdict.title, data))
            return 0
        if form == "json":
            typer.echo(json_text(verdict.to_json()))
            return 0
        _print([*described(claim, verdict), *readings(claim)])
        correction = claims().get(verdict.corrected_by or "")
        if correction is not None:
            _print(["", f"corrected by {correction.id}", *described(correction, referee(correction))[1:]])
        return 0


def _print(lines: Sequence[str]) -> None:
    for line in lines:
        typer.echo(visible(line))


def described(claim: Claim, verdict: Verdict) -> list[str]:
    """The claim as printed and as stated, each condition with its source; then the verdict and its reasons."""
    from qtheory.proofs.records import sources as stated
    from qtheory.proofs.rendering import proof_text

    lines = [f"{claim.id}  [{claim.place}, lines {claim.lines[0]}-{claim.lines[1]}]  {claim.kind}"]
    instead = "in place of " if claim.corrects else ""  # a correction's statement is not what the paper prints
    lines += [f'  {instead}"{flowing(claim.quote)}"'] if claim.quote else []
    lines += [f"  corrects {claim.corrects}"] if claim.corrects else []
    if claim.statement is not None:
        lines.append(f"  {claim.statement.goal}")
        lines += [f"    where {definition}" for definition in claim.statement.let]
        sources = stated(claim)
        lines += [f"    for {c}" + (f"   ({sources[c]})" if c in sources else "") for c in claim.statement.where]
    if claim.theorem is not None:
        lines += _theorem(claim.theorem, verdict)
        lines += [f"    for {c}   ({claim.sources[c]})" for c in claim.theorem.where if c in claim.sources]
    if claim.run is not None:
        lines.append(f"  {flowing(verdict.statement)}")
    if claim.proof:
        lines += [f"  proof ({claim.proof.source}):", *(f"    {line}" for line in proof_text(claim.proof).splitlines())]
    lines += [f"{verdict.title}  ({'; '.join(verdict.details())})", *verdict.reasons()]
    told = ("quote", "lines", "sources", "sides", "readings", "axioms", "imported")
    lines += [f"  {key}: {value if isinstance(value, str) else json_text(value, None)}"
              for key, value in verdict.evidence.items() if key not in told]
    return lines


def _theorem(theorem: Theorem | Recurrence, verdict: Verdict) -> list[str]:
    """What is stated, the words that it takes as given included, by which axioms, and what these ask for."""
    from qtheory.proofs.axiomatic import owed, rests_on
    from qtheory.proofs.claims.axioms import AXIOMS

    lines = [f"  {line}" for line in verdict.statement.split("\n")]
    for name, told in rests_on(theorem).items():
        lines += [f"  by the axiom {name} ({AXIOMS[name].source}): {AXIOMS[name].says}"]
        lines += [f"    {symbol} is {put}" for symbol, put in told["terms"].items() if put]
    return [*lines, *(f"    owed: {name}: {goal}" for name, goal in owed(theorem).obligations.items())]


def readings(claim: Claim) -> list[str]:
    """Each reading of an imprecise claim with its verdict, computed afresh, and, where it has one, its statement."""
    from qtheory.proofs.corpus import find, referee

    lines = []
    for reading in map(find, claim.readings):
        verdict = referee(reading)
        lines.append(f"  reading {reading.id}: {verdict.verdict}" + (f" ({verdict.rests})" if verdict.rests else ""))
        lines += [f"    {reading.statement.goal}"] if reading.statement is not None else []
    return lines
