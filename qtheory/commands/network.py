"""``qtheory network``: is a network of agents stable? Exit 0 stable, 1 unstable, 3 undecided, 2 bad input."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from qtheory.models.network import AgentNetwork
    from qtheory.networks.deciding import Critical, Decision
    from qtheory.networks.quadratic import Quadratic
    from qtheory.networks.simulation import Evidence

EXIT = {"stable": 0, "unstable": 1, "undecided": 3}


def register(app: typer.Typer) -> None:
    @app.command("network",
                 help="Is a network of agents stable? Exit 0 stable, 1 unstable, 3 undecided, 2 bad input.")
    def network(
        net: Annotated[str | None, typer.Argument(
            metavar="NET.toml", help="A TOML file, or the name of a shipped network (see --list).")] = None,
        output: Annotated[Path | None, typer.Option(
            "-o", "--output", metavar="CERT.json", help="Write the certificate to this file.")] = None,
        check: Annotated[Path | None, typer.Option(
            "--check", metavar="CERT.json",
            help="Check this certificate against the network: exit 0 valid, 1 rejected.")] = None,
        critical: Annotated[bool, typer.Option(
            "--critical", help="Also bracket the factor of all arrival rates at which the verdict changes.")] = False,
        simulate: Annotated[bool, typer.Option(
            "--simulate", help="Also run the simulator's stability test; without it only if undecided.")] = False,
        draw: Annotated[Path | None, typer.Option("--draw", metavar="FILE", help="Draw the network.")] = None,
        budget: Annotated[float, typer.Option(
            "--budget", metavar="S",
            help="Seconds to look for growing cycles; a tenth of it for each factor of --critical.")] = 60.0,
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print it.")] = OutputFormat.text,
        schema: Annotated[bool, typer.Option(
            "--schema", help="Print the JSON schema of a network file, and end.")] = False,
        listing: Annotated[bool, typer.Option("--list", help="List the shipped networks, and end.")] = False,
    ) -> int:
        if schema or listing:
            _about(schema)
            return 0
        if net is None:
            raise InputError("which network? Give a TOML file, or the name of a shipped one: qtheory network --list")
        read = _read(net)
        if draw is not None:
            read.draw(draw)
        if check is not None:
            return _check(read, check)
        require_writable(output)
        return _decide(read, output, critical, simulate, budget, form)


def _shipped() -> Path:
    return Path(__file__).parents[1] / "networks" / "data"


def _about(schema: bool) -> None:
    from qtheory.models import network_files

    if schema:
        typer.echo(json.dumps(network_files.schema(), indent=1))
        return
    for path in sorted(_shipped().glob("*.toml")):
        typer.echo(f"{path.stem:32s} {network_files.load(path).title}")


def _read(name: str) -> AgentNetwork:
    from qtheory.models.network_files import load

    shipped = _shipped() / f"{name}.toml"
    if Path(name).exists():
        return load(name)
    if not shipped.exists():
        if Path(name).suffix or Path(name).parent != Path():  # no shipped name has an ending or a folder
            raise InputError(f"{name}: no such file")
        raise UnknownNameError("network", name, sorted(p.stem for p in _shipped().glob("*.toml")))
    return load(shipped)


def _check(network: AgentNetwork, file: Path) -> int:
    from qtheory.networks.rechecking import recheck
    from qtheory.proofs.kernel.terms import KernelError

    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: not JSON: {str(error)[:200]}") from None
    try:
        verdict = recheck(network, data)
    except (KernelError, RecursionError) as error:
        typer.echo(f"{file}: rejected: {error}")
        return 1
    typer.echo(f"{file}: valid, by the kernel: the fluid model of this network is {verdict}")
    return 0


def _decide(network: AgentNetwork, output: Path | None, critical: bool, simulate: bool, budget: float,
            form: OutputFormat) -> int:
    from qtheory.networks.deciding import bracket, decide
    from qtheory.networks.simulation import evidence_for, require_simulated

    if not budget > 0:
        raise InputError(f"the budget is {budget}; a positive number of seconds is needed")
    if simulate:
        require_simulated(network)  # before anything is searched
    with progress_bar("deciding"):
        decision = decide(network, budget=budget)
        around = bracket(network, budget=budget / 10) if critical else None
        test = evidence_for(network) if simulate or decision.verdict == "undecided" else None
    if output is not None:
        if decision.certificate is None:
            typer.echo(f"{output} is not written: an undecided network has no certificate", err=True)
        else:
            output.write_text(json.dumps(decision.certificate, ensure_ascii=False) + "\n", encoding="utf-8")
    if form == "json":
        document = decision.to_json() | {"certificate": str(output) if output and decision.certificate else None,
                                         "critical": around and around.to_json(), "simulation": test and test.to_json()}
        typer.echo(json.dumps(document, indent=1, ensure_ascii=False))
    else:
        for line in _lines(decision, around, test):
            typer.echo(line)
        if output is not None and decision.certificate is not None:
            typer.echo(f"certificate written to {output}: 'qtheory check' re-checks its steps, 'qtheory network "
                       f"NET --check' also that they are those of the network")
    return EXIT[decision.verdict]


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.6g}" if value.denominator < 10**6 \
        else f"{float(value):.9g}"


def _lines(decision: Decision, around: Critical | None, test: Evidence | None) -> list[str]:
    from qtheory.networks.simulation import NO_MODEL

    lines = [decision.network.title or "network"]
    lines += [f"  load of {engine}: {_number(load)}" for engine, load in decision.loads.items()]
    if decision.virtual:
        lines.append("  virtual stations, for orders that serve their visits first:")
    for v in decision.virtual:
        pushed = f", after {', '.join(v.pushed)}," if v.pushed else ""
        lines.append(f"    {', '.join(v.visits)} of {' and '.join(v.engines)}{pushed} at load {_number(v.load)}")
    what = {"stable": "stable under", "unstable": "not stable under", "undecided": "undecided under"}
    lines.append(f"{what[decision.verdict]} {decision.scope}: {decision.reason}")
    lines += _found(decision)
    if decision.certificate is not None:
        lines.append(f"  by a certificate of {len(decision.certificate['steps'])} steps that the kernel has checked")
    lines += [f"  searched: {s}" for s in decision.searched]
    if around is not None:
        lines.append(f"  {around}")
    if test is not None:
        lines.append(f"  evidence, no proof: {test}")
    elif decision.verdict == "undecided":
        lines.append(f"  no evidence: {NO_MODEL}")
    return lines


def _found(decision: Decision) -> list[str]:
    from qtheory.networks.certificates import remaining

    names = [v.name for v in decision.network.visits]
    if decision.lyapunov is not None:
        pieces = [_sum([(c, f"R({n})") for n, c in zip(names, piece, strict=True)])
                  for piece in decision.lyapunov.pieces]
        return [f"  L = {pieces[0]}" if len(pieces) == 1 else f"  L = max({'; '.join(pieces)})",
                f"  where R(v) is {remaining(decision.network, 'visit v')}"]
    if decision.quadratic is not None:
        return [f"  V = {_square(names, decision.quadratic)}", "  where Z(v) is the fluid at visit v"]
    if decision.order is None:
        return []
    lines = []
    for engine, groups in decision.order.groups.items():
        lines.append(f"  {engine} serves first {', then '.join(n for g in groups for n in g)}")
    for ray in () if decision.cone is None else decision.cone.rounds:
        full = ", ".join(f"{_number(z)} at {n}" for n, z in zip(names, ray[0].start, strict=True) if z)
        lines.append(f"  a ray of the cone: {full}")
    if decision.cycle is None:
        return lines
    time = Fraction(0)
    for s in decision.cycle.segments:
        full = ", ".join(f"{_number(z)} at {n}" for n, z in zip(names, s.start, strict=True) if z)
        lines.append(f"  at {float(time):.6g} s: {full}")
        time += s.duration
    lines.append(f"  at {float(time):.6g} s: {_number(decision.cycle.growth)} times the first")
    low, high = (f"{float(x):.4g}" for x in decision.cycle.rates())
    left = low if low == high else f"{low} to {high}"
    return [*lines, f"  so that in the long run {left} requests a second are left over"]


def _square(names: list[str], found: Quadratic) -> str:
    """The sum of the entries of its matrix times products of contents."""
    terms = []
    for j, (n, row) in enumerate(zip(names, found.matrix, strict=True)):
        terms += [(row[j], f"Z({n})^2")]
        terms += [(2 * q, f"Z({n}) Z({m})") for m, q in zip(names[j + 1:], row[j + 1:], strict=True)]
    return _sum(terms)


def _sum(terms: list[tuple[Fraction, str]]) -> str:
    """The multiples that are not 0, with their signs."""
    shown = " ".join(f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)} '}{what}" for c, what in terms if c)
    return shown.removeprefix("+ ") if shown else "0"


__all__: list[Any] = ["register"]
