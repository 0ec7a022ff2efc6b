"""``qtheory capacity``: the critical rate, and whether a rate or a recorded system is saturated.

Exit 0 stable or not saturated (or no rate asked about), 1 unstable or saturated, 3 undecided, 2 bad input.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.commands.output import require_writable
from qtheory.commands.progress import progress_bar
from qtheory.errors import InputError

if TYPE_CHECKING:
    from qtheory.theory.critical_rate import CriticalRate, Engine
    from qtheory.workloads.workload import Workload

EXIT = {"stable": 0, "unstable": 1, "undecided": 3, "not saturated": 0, "saturated": 1}


def register(app: typer.Typer) -> None:
    @app.command("capacity", help="The critical rate of engines, certified; whether a rate or a recorded log is "
                                  "saturated. Exit 0 no, 1 yes, 3 undecided, 2 bad input.")
    def capacity(
        profile: Annotated[str | None, typer.Option(help="A profile's name or TOML file.")] = None,
        workload: Annotated[str | None, typer.Option(help="A workload's name or TOML file.")] = None,
        trace: Annotated[str | None, typer.Option(help="A recorded trace (CSV or JSON lines), in its place.")] = None,
        scheduler: Annotated[str, typer.Option(
            help="sarathi, orca, mixed, vllm, faster-transformer, request-level or eb.")] = "sarathi",
        budget: Annotated[int | None, typer.Option(help="Tokens of an iteration at most.")] = None,
        slots: Annotated[int | None, typer.Option(help="Requests in service at most.")] = None,
        memory: Annotated[int | None, typer.Option(help="Tokens of the KV cache.")] = None,
        batch: Annotated[int | None, typer.Option(help="Requests of a batch (request-level).")] = None,
        k: Annotated[int | None, typer.Option("--k", help="Idle slots at which prefill begins (eb).")] = None,
        engines: Annotated[int, typer.Option(help="Engines that share the requests evenly.")] = 1,
        rate: Annotated[float | None, typer.Option(
            help="Requests a second to judge. Default: the trace's own, if it has arrival times.")] = None,
        simulate: Annotated[bool, typer.Option(
            "--simulate", help="Also simulate: at the rate, or at 0.95 and 1.05 of the critical one.")] = False,
        certificate: Annotated[Path | None, typer.Option(
            "-o", "--output", metavar="CERT.json", help="Write the line's certificate for both checkers.")] = None,
        log: Annotated[Path | None, typer.Option(
            "--log", help="A recorded log: was that system saturated? (Alone, or beside a profile.)")] = None,
        error_rate: Annotated[float, typer.Option(help="Of the log's verdict, at most.")] = 0.01,
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print it.")] = OutputFormat.text,
    ) -> int:
        from qtheory.proofs.visible import json_text, visible

        if log is None and profile is None:
            raise InputError("what to judge? Give --profile with --workload or --trace, or --log")
        found: dict[str, Any] = {"schema": 1}
        text: list[str] = []
        status = 0
        if profile is not None:
            if (workload is None) == (trace is None):
                raise InputError("give one of --workload and --trace")
            given = {"budget": budget, "slots": slots, "memory": memory, "batch": batch, "k": k}
            require_writable(certificate)
            engine, load, measured = _read(profile, workload or trace or "", scheduler, given, engines)
            status = _judge(engine, load, rate, simulate, certificate, measured, found, text)
        if log is not None:
            status = max(status, _log(log, error_rate, found, text))
        for line in [json_text(found)] if form is OutputFormat.json else map(visible, text):
            typer.echo(line)
        return status


def _read(profile: str, workload: str, scheduler: str, given: dict[str, int | None], engines: int
          ) -> tuple[Engine, Workload, float | None]:
    from qtheory import profiles, workloads
    from qtheory.theory.critical_rate import SCHEDULERS, Engine

    limits = {name: value for name, value in given.items() if value is not None}
    if scheduler in SCHEDULERS and "budget" in SCHEDULERS[scheduler][0] and "budget" not in limits:
        limits["budget"] = 2048  # vLLM's own default for chunked prefill
    known = profiles.load(profile)
    table = known.law_table
    measured = None if table is None else table.tokens_max
    return Engine(known.law, scheduler, limits, engines), workloads.load(workload), measured


def _judge(engine: Engine, load: Workload, rate: float | None, simulate: bool, output: Path | None,
           measured: float | None, found: dict[str, Any], text: list[str]) -> int:
    from qtheory.report import capacity as report
    from qtheory.theory.critical_rate import critical_rate

    if rate is not None and not 0 < rate < float("inf"):
        raise InputError(f"the rate is {rate}; a positive number of requests a second is needed")
    if rate is None and load.trace is not None and load.trace.arrival_times is not None:
        rate = load.trace.arrival_rate
    with progress_bar("computing"):
        critical = critical_rate(engine, load)
    limits = ", ".join(f"{name} {value}" for name, value in engine.limits.items())
    text += [f"{engine.scheduler}, {limits}; {load.title}", *report.lines(critical, engine)]
    found |= {"scheduler": engine.scheduler, "limits": dict(engine.limits), "engines": engine.engines,
              "workload": load.name, "kind": critical.kind, "critical_rate_low": critical.low,
              "critical_rate_high": critical.high, "certificate": report.certificate(critical, engine)}
    if measured is not None and critical.most > measured:
        text.append(f"  iterations have up to {critical.most} tokens; the profile's law is given up to {measured:g}, "
                    "and carried on beyond")
        found["law_given_up_to"] = measured
    verdict = None
    if rate is not None:
        verdict, reason = critical.verdict(rate)
        text.append(f"at {rate:.6g} requests/s: {verdict}: {reason}")
        found |= {"rate": rate, "verdict": verdict, "reason": reason}
    if output is not None:
        _write(critical, engine, output, text)
    if simulate:
        about = [rate] if rate is not None else [f * critical.high for f in (0.95, 1.05)]
        with progress_bar("simulating"):
            tests = [report.simulated(engine, load, at) for at in about]
        found["simulation"] = [test._asdict() for test in tests]
        text += [f"by simulation at {t.rate:.6g} requests/s: {t.verdict} (error rate {t.error_rate:g})" for t in tests]
        if verdict == "undecided":
            verdict = tests[0].verdict
    return EXIT[verdict] if verdict else 0


def _write(critical: CriticalRate, engine: Engine, output: Path, text: list[str]) -> None:
    import qtheory as qt
    from qtheory.report import capacity as report

    goal = report.proof_goal(critical, engine)
    if goal is None:
        raise InputError("a law of two kinds of batches has no statement of one variable to certify")
    proved = qt.prove(goal[0], where=goal[1])
    if proved.certificate is None:
        text.append(f"  {output} is not written: both checkers were not convinced that {goal[0]} ({proved.verdict})")
        return
    proved.certificate.save(output)
    text.append(f"  {proved.verdict} by both checkers: {goal[0]} for {goal[1][0]}; certificate in {output}")


def _log(file: Path, error_rate: float, found: dict[str, Any], text: list[str]) -> int:
    from qtheory.numerics.saturation import saturation
    from qtheory.workloads.log import read_log

    with progress_bar("reading the log"):
        log = read_log(file)
        judged = saturation(log.arrival, log.first, log.end, log.prompt, log.output, error_rate)
    found["log"] = asdict(judged)
    text += [f"{file.name}: {judged.verdict} (error rate {error_rate:g}): {judged.reason}",
             f"  {judged.requests:,} requests in {judged.seconds:,.0f} s; work comes at {judged.rate:,.5g} "
             f"{judged.unit}/s, is done under pressure at {judged.capacity:,.5g}"]
    return EXIT[judged.verdict]


__all__ = ["register"]
