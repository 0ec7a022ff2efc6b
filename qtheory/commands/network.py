"""``qtheory network``: is a network of agents stable? Exit 0 stable, 1 unstable, 3 undecided, 2 bad input."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.model_files import given, model_file
from qtheory.commands.network_region import check_region, is_region, short, show_region
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.commands.sharing import Dask, Workers, sharing
from qtheory.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from qtheory.models.network import AgentNetwork
    from qtheory.networks.critical import Critical
    from qtheory.networks.deciding import Decision
    from qtheory.networks.regions import Region
    from qtheory.networks.simulation import Evidence

FULL = 10.0  # units of a budget from which on simulations have their full length
FOR_EVIDENCE = 0.25  # of the budget, that the simulation may take
EXIT = {"stable": 0, "unstable": 1, "undecided": 3}


def register(app: typer.Typer) -> None:
    @app.command("network",
                 help="Is a network of agents stable? Exit 0 stable, 1 unstable, 3 undecided, 2 bad input.")
    def network(
        net: Annotated[str | None, model_file("network", "NET.toml")] = None,
        output: Annotated[Path | None, typer.Option(
            "-o", "--output", metavar="CERT.json", help="Write the certificate to this file.")] = None,
        check: Annotated[Path | None, typer.Option(
            "--check", metavar="CERT.json",
            help="Check this certificate against the network: exit 0 valid, 1 rejected.")] = None,
        critical: Annotated[bool, typer.Option(
            "--critical", help="Also the factors of all arrival rates: a bracket of where the verdict changes, and "
                               "the intervals with a verdict for all of their factors.")] = False,
        region: Annotated[list[str] | None, typer.Option(
            "--region", metavar="TYPE",
            help="Where it is stable over this type's arrival rate, and over those of one or two more by --region "
                 "again: exact polygons; -o draws them (.png, .pdf, .svg, .html) or writes them with certificates "
                 "(.json). Exit 0.")] = None,
        simulate: Annotated[bool, typer.Option(
            "--simulate", help="Run the simulator's stability test first; without it only if no quick answer is "
                               "found.")] = False,
        draw: Annotated[Path | None, typer.Option("--draw", metavar="FILE", help="Draw the network.")] = None,
        budget: Annotated[float, typer.Option(
            "--budget", metavar="S",
            help="Units of work, of about a second of an idle core each, for all that is done: virtual stations, "
                 "functions, stages, growing paths, checking what is found, and the simulation; --critical leaves "
                 "half of it to the file's own rates.")] = 60.0,
        workers: Workers = 1,
        dask: Dask = None,
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print it.")] = OutputFormat.text,
        schema: Annotated[bool, typer.Option(
            "--schema", help="Print the JSON schema of a network file, and end.")] = False,
        listing: Annotated[bool, typer.Option("--list", help="List the shipped networks, and end.")] = False,
    ) -> int:
        from qtheory.models.network_files import parse
        from qtheory.networks import shipped

        if schema or listing:
            _about(schema)
            return 0
        net = given(net, "network", "network")
        text = shipped.text(net)
        read = parse(text, Path(net).name)
        if draw is not None:
            read.draw(draw)
        if check is not None:
            return _check(text, check, form)
        require_writable(output)
        if region:
            if critical or simulate:
                raise InputError("--region goes with -o, --budget and --format, not with --critical or --simulate")
            return show_region(read, text, region, output, budget, form)
        with sharing(workers, dask) as executor:
            return _decide(read, text, output, critical, simulate, budget, form, executor)


def _about(schema: bool) -> None:
    from qtheory.models import network_files
    from qtheory.networks import shipped
    from qtheory.proofs.visible import visible

    if schema:
        typer.echo(json.dumps(network_files.schema(), indent=1))
        return
    for name in shipped.names():
        typer.echo(f"{name:32s} {visible(shipped.load(name).title)}")


def _check(text: str, file: Path, form: OutputFormat) -> int:
    from qtheory.models.network_files import read
    from qtheory.networks.certified import Certified, Rejected
    from qtheory.proofs.visible import json_text, visible

    written = read(file)
    try:
        data = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: not JSON: {str(error)[:200]}") from None
    if is_region(data):
        return check_region(text, data, file, form)
    found: dict[str, Any] = {"schema": 1, "file": str(file), "result": "valid", "verdict": None, "checked": None}
    try:
        shown = Certified(text, data)
        found |= {"verdict": shown.verdict, "checked": shown.checked}
        line = f"valid: {shown.verdict}, {shown.checked}"
    except Rejected as error:
        found |= {"result": "rejected", "reason": str(error)}
        line = f"rejected: {error}"
    typer.echo(json_text(found) if form == "json" else visible(f"{file}: {line}"))
    return 0 if found["verdict"] else 1


def _decide(network: AgentNetwork, text: str, output: Path | None, critical: bool, simulate: bool, budget: float,
            form: OutputFormat, executor: Executor | None) -> int:
    from qtheory.files import write_whole
    from qtheory.networks.critical import bracket
    from qtheory.networks.deciding import decide
    from qtheory.networks.regions import factors
    from qtheory.networks.simulation import require_simulated
    from qtheory.proofs.visible import json_text

    if not 0 < budget < math.inf:
        raise InputError(f"the budget is {budget}; a positive number of units of work is needed")
    if simulate:
        require_simulated(network)  # before anything is searched
    first = _First(network, executor, min(1.0, budget / FULL), FOR_EVIDENCE * budget)
    with progress_bar("deciding, units of work") as report:
        if simulate:
            first()
        own = budget / 2 if critical else budget
        decision = decide(network, budget=own, text=text, early=first, report=report)
        around = bracket(network, budget=budget / 10, total=budget / 4) if critical else None
        intervals = factors(network, budget=budget / 4, text=text) if critical else None
        if decision.verdict == "undecided":
            first(tell=False)  # nothing else keeps it waiting
    test = first.evidence
    why = first.why
    if output is not None:
        if decision.certificate is None:
            typer.echo(f"{output} is not written: an undecided network has no certificate", err=True)
        else:
            write_whole(output, json.dumps(decision.certificate, ensure_ascii=False) + "\n")
    if form == "json":
        document = decision.to_json() | {"certificate": str(output) if output and decision.certificate else None,
                                         "critical": around and around.to_json(),
                                         "factors": intervals and short(intervals.to_json()),
                                         "simulation": test and test.to_json()}
        typer.echo(json_text(document))
    else:
        for line in _lines(decision, around, intervals, test, why):
            typer.echo(line)
        if output is not None and decision.certificate is not None:
            typer.echo(f"certificate written to {output}: 'qtheory network NET --check' holds it against a network")
    return EXIT[decision.verdict]


class _First:
    """The simulation beside a decision, once: what it says is told at once, before certificates are found."""

    def __init__(self, network: AgentNetwork, executor: Executor | None, share: float, most: float) -> None:
        self.network, self.executor, self.share, self.most = network, executor, share, most
        self.asked = False
        self.evidence: Evidence | None = None
        self.why = ""

    def __call__(self, tell: bool = True) -> None:
        from qtheory.networks.simulation import NO_MODEL, NO_SHARING, TooMuchWork, evidence_for

        if self.asked:
            return
        self.asked = True
        try:
            self.evidence = evidence_for(self.network, self.executor, self.share, self.most)
            self.why = NO_SHARING if self.network.sharing else NO_MODEL
        except TooMuchWork as error:
            self.why = f"{error}: a larger --budget lets it run"
        if tell and self.evidence is not None:
            typer.echo(f"first, evidence and no proof: {self.evidence}", err=True)


def _lines(decision: Decision, around: Critical | None, intervals: Region | None, test: Evidence | None,
           why: str) -> list[str]:
    from qtheory.networks.region_words import factor_lines
    from qtheory.networks.wording import lines

    found = lines(decision)
    if around is not None:
        found.append(f"  {around}")
    if intervals is not None:
        found += factor_lines(intervals)
    if test is not None:
        found.append(f"  evidence, no proof: {test}")
    elif decision.verdict == "undecided":
        found.append(f"  no evidence: {why}")
    return found


__all__: list[Any] = ["register"]
