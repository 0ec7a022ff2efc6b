"""``qtheory show``: one claim, with its quote, statement, verdict, evidence and correction."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.proofs.visible import flowing, json_text, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qtheory.proofs.axiomatic import Stated
    from qtheory.proofs.claims.model import Claim
    from qtheory.proofs.verdict import Verdict


def register(app: typer.Typer) -> None:
    @app.command("show", help="Show one claim: quote, statement, verdict (computed afresh), evidence, correction.")
    def show(
        name: Annotated[str, typer.Argument(
            metavar="ID", help="The claim's id, such as eb.prop-3.1; one of your own as note.md#ID.")],
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print the claim.")] = OutputFormat.text,
        bibtex: Annotated[bool, typer.Option(
            "--bibtex", help="A BibTeX entry: verdict, version and hash of the certificate.")] = False,
        output: Annotated[Path | None, typer.Option(
            "--output", "-o", metavar="CERT.json", help="Write the certificate to this file.")] = None,
    ) -> int:
        from qtheory.proofs.corpus import claims, placed

        require_writable(output)
        source, id = placed(name)
        known = claims(source)
        claim = known[id]
        with progress_bar(f"refereeing {name}"):
            verdict, words = judged(claim, known, source)
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
        _print([*described(claim, verdict, words), *readings(claim, known)])
        correction = known.get(verdict.corrected_by or "")
        if correction is not None:
            better, words = judged(correction, known, source)
            _print(["", f"corrected by {correction.id}", *described(correction, better, words)[1:]])
        return 0


def judged(claim: Claim, known: Mapping[str, Claim], source: str | None) -> tuple[Verdict, dict[str, str] | None]:
    """The verdict, and the words on the claims whose results it takes: of one's own, given afresh; of the corpus, None
    for the recorded ones."""
    from qtheory.proofs.corpus import referee, resting

    names = [claim.id]
    for name in names if source is not None else ():  # which grow in number
        names += [i for i in known[name].imported if i not in names]
    verdicts = {name: referee(known[name]) for name in names}
    found = {name: v.verdict for name, v in verdicts.items()} if source is not None else {}
    return resting(claim, verdicts[claim.id], found, known if source is not None else {}), found or None


def _print(lines: Sequence[str]) -> None:
    for line in lines:
        typer.echo(visible(line))


def described(claim: Claim, verdict: Verdict, words: Mapping[str, str] | None = None) -> list[str]:
    """The claim as printed and as stated, each condition with its source, of what is imported with the ``words``, or
    the recorded ones; then the verdict and its reasons."""
    from qtheory.proofs.records import sources as stated
    from qtheory.proofs.rendering import proof_text

    where = ", ".join(filter(None, (claim.place, claim.where)))
    lines = [f"{claim.id}  [{where}]  {claim.kind}"]
    instead = "in place of " if claim.corrects else ""  # a correction's statement is not what the paper prints
    lines += [f'  {instead}"{flowing(claim.quote)}"'] if claim.quote else []
    lines += [f"  corrects {claim.corrects}"] if claim.corrects else []
    if claim.statement is not None:
        lines.append(f"  {claim.statement.goal}")
        lines += [f"    where {definition}" for definition in claim.statement.let]
        sources = stated(claim, words)
        lines += [f"    for {c}" + (f"   ({sources[c]})" if c in sources else "") for c in claim.statement.where]
        lines += [f"    {symbol}: {meaning}" for symbol, meaning in claim.meanings.items()]
    if claim.theorem is not None:
        lines += _theorem(claim.theorem, verdict)
        lines += [f"    for {c}   ({claim.sources[c]})" for c in claim.conditions if c in claim.sources]
    if claim.run is not None:
        lines.append(f"  {flowing(verdict.statement)}")
    if claim.proof:
        lines += [f"  proof ({claim.proof.source}):", *(f"    {line}" for line in proof_text(claim.proof).splitlines())]
    lines += [f"{verdict.title}  ({'; '.join(verdict.details())})", *verdict.reasons()]
    told = ("quote", "lines", "sources", "sides", "readings", "axioms", "imported")
    lines += [f"  {key}: {_in_words(value)}" + _gloss(key, value) for key, value in verdict.evidence.items()
              if key not in told and value not in ("", (), {})]
    return lines + [f"  {phrase}: {meaning}" for phrase, meaning in PHRASES.items()
                    if phrase.lower() in f"{claim.note}{verdict.note}".lower()]


# what readers' words mean, told where they stand
PHRASES = {"Raw line": "the line as it stands in the text of the paper that was read",
           "Independent use": "another place of the paper that uses the formula as it is read here, so that it is no "
                             "damage of the text"}
GLOSSES = {"root": " (the cause with which this statement, or what it is against, falls; errata list it once)",
           "reading": " (the word of a second reader, who saw the paper and the statement alone)"}


def _gloss(key: str, value: Any) -> str:
    from qtheory.proofs.claims.roots import RANKED

    return f" ({RANKED[value]})" if key == "rank" and value in RANKED else GLOSSES.get(key, "")


def _in_words(value: Any) -> str:
    """A word, or what a run tells besides: its names and values, as they stand."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_in_words(told)}" for name, told in value.items())
    return ", ".join(map(_in_words, value)) if isinstance(value, tuple | list) else str(value)


def _theorem(theorem: Stated, verdict: Verdict) -> list[str]:
    """What is stated, the words that it takes as given included, by which axioms, and what these ask for."""
    from qtheory.proofs.axiomatic import owed, rests_on
    from qtheory.proofs.claims.axioms import AXIOMS

    lines = [f"  {line}" for line in verdict.statement.split("\n")]
    for name, told in (x for part in (theorem if isinstance(theorem, tuple) else (theorem,))
                       for x in rests_on(part).items()):
        lines += [f"  by the axiom {name} ({AXIOMS[name].source}): {AXIOMS[name].says}"]
        lines += [f"    {symbol} is {put}" for symbol, put in told["terms"].items() if put]
    return [*lines, *(f"    owed: {name}: {goal}" for name, goal in owed(theorem).obligations.items())]


def readings(claim: Claim, known: Mapping[str, Claim]) -> list[str]:
    """Each reading of an imprecise claim with its verdict, computed afresh, and, where it has one, its statement."""
    from qtheory.proofs.corpus import referee

    lines = []
    for reading in (known[i] for i in claim.readings if i in known):
        verdict = referee(reading)
        lines.append(f"  reading {reading.id}: {verdict.verdict}" + (f" ({verdict.rests})" if verdict.rests else ""))
        lines += [f"    {reading.statement.goal}"] if reading.statement is not None else []
    return lines
