"""``qtheory thresholds``: WAIT's and Nested WAIT's thresholds for a workload, with the memory that suffices for them.

Exit 0 with thresholds, 1 where none are admissible or none fit the memory, 2 bad input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.errors import InputError

if TYPE_CHECKING:
    from qtheory.models.laws import MemoryLinearLaw
    from qtheory.theory.waiting import Guarantee, Measured


def register(app: typer.Typer) -> None:
    @app.command("thresholds", help="How many requests may wait: thresholds of WAIT (lengths known on arrival) or of "
                                    "Nested WAIT, and the memory that suffices with the probability asked for. Exit 1 "
                                    "where there are none.")
    def thresholds(
        workload: Annotated[str, typer.Option(help="A workload's name or TOML file; prompts of one length a class.")],
        rate: Annotated[float, typer.Option(help="Requests a second.")],
        d0: Annotated[float | None, typer.Option("--d0", help="Fixed seconds of an iteration.")] = None,
        d1: Annotated[float | None, typer.Option("--d1", help="Seconds a token held.")] = None,
        profile: Annotated[str | None, typer.Option(
            help="Instead of --d0 and --d1: a profile whose batches mix prompts and decodes.")] = None,
        memory: Annotated[float | None, typer.Option(help="Tokens of the KV cache. Default: what is needed.")] = None,
        horizon: Annotated[float, typer.Option(help="Seconds over which the memory is to suffice.")] = 3600.0,
        delta: Annotated[float, typer.Option(help="Probability allowed that it does not.")] = 0.001,
        known: Annotated[bool, typer.Option(
            "--known", help="Lengths are known on arrival: WAIT, whose memory is never exceeded.")] = False,
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print it.")] = OutputFormat.text,
    ) -> int:
        from qtheory import workloads
        from qtheory.proofs.visible import json_text, visible
        from qtheory.theory import waiting

        law = _law(d0, d1, profile)
        if not 0 < delta < 1:
            raise InputError(f"--delta must be above 0 and below 1, not {delta:g}")
        if not 0 < horizon < float("inf"):
            raise InputError(f"--horizon must be a positive time in seconds, not {horizon:g}")
        if not 0 < rate < float("inf"):
            raise InputError(f"--rate must be above 0 requests a second, not {rate:g}")
        if memory is not None and not 0 < memory < float("inf"):
            raise InputError(f"--memory must be a positive number of tokens, not {memory:g}")
        types = waiting.of_workload(workloads.load(workload), rate)
        if not known:
            waiting.segments(types)  # bad input is told before what has no thresholds
        try:
            found = (waiting.wait_rule(types, law, memory) if known else
                     waiting.nested_rule(types, law, horizon, delta, memory))
        except InputError as error:
            none = str(error) if profile is None else f"{error} (by an upper bound on the profile's times)"
            typer.echo(json_text({"schema": 1, "none": none}) if form is OutputFormat.json else
                       visible(f"none  {none}"))
            return 1
        for line in [json_text(_data(found))] if form is OutputFormat.json else map(visible, _lines(found, horizon)):
            typer.echo(line)
        return 0


def _law(d0: float | None, d1: float | None, profile: str | None) -> MemoryLinearLaw | Measured:
    from qtheory import profiles
    from qtheory.models.laws import DECODE, RATIO, MemoryLinearLaw
    from qtheory.theory.waiting import Measured

    if profile is not None:
        if d0 is not None or d1 is not None:
            raise InputError("give --profile, or --d0 and --d1, not both")
        law = profiles.load(profile).law
        if DECODE in law.variables or RATIO in law.variables:
            raise InputError(f"profile {profile} has times of prompts and of decodes, none of a batch of both, as WAIT "
                             "forms: give a profile of batches' tokens, or --d0 and --d1")
        return Measured(law)
    if d0 is None or d1 is None:
        raise InputError("how long does an iteration take? Give --d0 and --d1, or --profile")
    if not (0 < d0 < float("inf") and 0 <= d1 < float("inf")):
        raise InputError(f"--d0 must be above 0 seconds and --d1 at least 0, not {d0:g} and {d1:g}")
    return MemoryLinearLaw(d0, d1)


def _data(found: Guarantee) -> dict[str, Any]:
    data: dict[str, Any] = {"schema": 1, "thresholds": list(found.thresholds), "memory": found.memory,
                            "risk": found.risk, "iteration": found.iteration}
    if found.segments is not None and found.printed is not None:
        data |= {"ends": list(found.segments.ends), "batches": found.batches, "printed": found.printed.total}
    return data


def _lines(found: Guarantee, horizon: float) -> list[str]:
    lines = [f"thresholds  {', '.join(map(str, found.thresholds))}"]
    if found.segments is not None:
        lines.append(f"segments end at  {', '.join(map(str, found.segments.ends))}")
    lines.append(f"memory  {found.memory:,.0f} tokens suffice, a batch takes {found.iteration:.4g} s at most")
    if found.printed is None:
        lines.append("they are never exceeded")
    else:
        lines.append(f"they are exceeded within {horizon:g} s ({found.batches:,} batches at most) with probability "
                     f"{found.risk:.2g} at most")
        lines.append(f"the paper's (12) asks for {found.printed.total:,.0f} tokens at these thresholds")
    return lines
