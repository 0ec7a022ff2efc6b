"""``qtheory check``: the kernel alone on certificates; exit 0 valid, 1 rejected, 2 unreadable."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.errors import InputError
from qtheory.proofs.axiomatic import check_theorem, is_theorem, owed, rests_on, said
from qtheory.proofs.bundle import check_bundle, is_bundle
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.kernel.certificate import check as kernel_check
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.limits import require_short
from qtheory.proofs.verdict import Certificate

MAX_BYTES = 200_000_000


def register(app: typer.Typer) -> None:
    @app.command("check", help="Re-check certificates with the kernel alone. Exit 0 valid, 1 rejected, 2 unreadable.")
    def check(
        files: Annotated[list[Path], typer.Argument(
            metavar="CERT.json...", help="Certificates, as 'qtheory prove -o' and derivations write them.")],
        goal: Annotated[str, typer.Option("--goal", help="The goal that the certificate must be for; "
                                                      "of a derivation, one of its proved steps.")] = "",
        where: Annotated[list[str] | None, typer.Option(
            "--where", "-w", metavar="COND", help="A condition of that goal.")] = None,
        let: Annotated[list[str] | None, typer.Option(
            "--let", metavar="DEF", help="A definition of that goal.")] = None,
        name: Annotated[str, typer.Option("--id", help="The claim that the certificate must be for.")] = "",
        named: Annotated[bool, typer.Option("--named", help=(
            "Each certificate must be for the claim that its file is named after, as 'qtheory verify --certificates' "
            "writes them."))] = False,
        second: Annotated[bool, typer.Option("--second", help="Ask the second checker too.")] = False,
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print the result.")] = OutputFormat.text,
    ) -> int:
        if named and (goal or where or let or name):
            raise InputError("--named takes each file's claim; leave out --goal, --where, --let and --id")
        wanted = _wanted(goal, where or [], let or [], name)
        results = [_examine(path, _stated(path.stem) if named else wanted, second) for path in files]
        if form == "json":
            typer.echo(json.dumps({"schema": 1, "results": results}, indent=1, ensure_ascii=False))
        else:
            for result in results:
                _tell(result, named or wanted is not None)
        kinds = {r["result"] for r in results}
        return 2 if "unreadable" in kinds else 1 if "rejected" in kinds else 0


def _wanted(goal: str, where: list[str], let: list[str], name: str) -> Statement | Theorem | None:
    if name and (goal or where or let):
        raise InputError("--id names the whole statement; give either --id or --goal with its conditions")
    if name:
        return _stated(name)
    if not goal:
        if where or let:
            raise InputError("--where and --let belong to a goal; give it with --goal")
        return None
    require_short(goal, where, let)
    try:
        return Statement(goal, tuple(where), tuple(let)).parsed()
    except KernelError as error:
        raise InputError(str(error)) from None


def _stated(name: str) -> Statement | Theorem:
    """What the claim of that id states for the kernel."""
    from qtheory.proofs.corpus import find

    claim = find(name)
    stated = claim.statement or claim.theorem
    if stated is None:
        raise InputError(f"the claim {name!r} has no statement for the kernel")
    return stated


def _examine(path: Path, wanted: Statement | Theorem | None, second: bool) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_BYTES:
            return {"file": str(path), "result": "unreadable", "why": f"larger than {MAX_BYTES} bytes"}
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return {"file": str(path), "result": "unreadable", "why": error.strerror or str(error)}
    except (ValueError, RecursionError) as error:
        return {"file": str(path), "result": "unreadable", "why": f"not JSON: {str(error)[:200]}"}
    try:
        if isinstance(data, dict) and {"claim", "proofs"} <= set(data):
            raise KernelError("a network's certificate decides nothing without the network's file: "
                              "qtheory network NET.toml --check CERT.json")
        if is_theorem(data):
            return _by_axioms(path, data, wanted, second)
        if isinstance(wanted, Theorem):
            raise KernelError("the certificate is for a statement, and the claim rests on axioms")
        if is_bundle(data):
            return _derivation(path, data, wanted, second)
        _require_short(data)
        wanted = _in_order(wanted, data)
        statement, reader = kernel_check(data, wanted)
        if second:
            _second(data, wanted)
    except (KernelError, InputError, RecursionError, MemoryError) as error:
        return {"file": str(path), "result": "rejected", "why": str(error) or type(error).__name__}
    return {"file": str(path), "result": "valid", "verdict": data["verdict"], "statement": statement.to_json(),
            "steps": len(reader.steps), "witness": data["witness"] is not None, "second": second}


def _by_axioms(path: Path, data: Any, wanted: Statement | Theorem | None, second: bool) -> dict[str, Any]:
    """A theorem's file: what the axioms ask for, made anew, and a certificate for each."""
    if isinstance(wanted, Statement):
        raise KernelError("the certificate is for a theorem that rests on axioms, not for the goal")
    theorem = check_theorem(data, (lambda certificate: _second(certificate, None)) if second else None, wanted)
    return {"file": str(path), "result": "valid", "verdict": "proved", "theorem": said(theorem),
            "axioms": [{"name": name, **told} for name, told in rests_on(theorem).items()],
            "where": list(theorem.where), "let": list(theorem.let), "obligations": dict(owed(theorem).obligations),
            "steps": Certificate(data).steps, "second": second}


def _tell_by_axioms(result: dict[str, Any], named: bool) -> None:
    typer.echo(f"proved (axioms: {', '.join(a['name'] for a in result['axioms'])}): {result['theorem']}")
    for condition in result["where"]:
        typer.echo(f"  for {condition}")
    for definition in result["let"]:
        typer.echo(f"  where {definition}")
    for axiom in result["axioms"]:
        typer.echo(f"  given {axiom['name']}: {axiom['source']}")
        for symbol, put in (*axiom["terms"].items(), *axiom["words"].items()):
            typer.echo(f"    {symbol}: {put}")
    for name, goal in result["obligations"].items():
        typer.echo(f"  proved: {name}: {goal}")
    names, about = ", ".join(a["name"] for a in result["axioms"]), "the claim" if named else "the theorem above"
    checkers = "both checkers" if result["second"] else "the kernel"
    typer.echo(f"{result['file']}: valid for {about}, given {'axiom' if len(result['axioms']) == 1 else 'axioms'} "
               f"{names}, by {checkers} ({result['steps']} steps; the conditions can be met)")


def _derivation(path: Path, data: Any, wanted: Statement | None, second: bool) -> dict[str, Any]:
    """A derivation's file: each certificate, and that each step rests on what stands before it.

    A goal that is asked for must be that of a proved step, whose certificate is for exactly the conditions given.
    """
    standings = check_bundle(data, (lambda certificate: _second(certificate, None)) if second else None)
    steps = [{"label": step["label"], "goal": step["goal"], "rests_on": step["rests_on"], "standing": standing}
             for step, standing in zip(data["steps"], standings, strict=True)]
    if wanted is not None:
        steps = [step for step in steps if step["standing"] == "proved" and _is_for(data, step["label"], wanted)]
        if not steps:
            raise KernelError("no proved step of this derivation is for exactly the goal and the conditions asked for; "
                              "without --goal its steps are printed")
    whole = "proved" if wanted is not None or (standings and set(standings) == {"proved"}) else "not proved"
    return {"file": str(path), "result": "valid", "verdict": whole, "derivation": data["derivation"],
            "let": data["let"], "context": data["context"], "steps": steps, "second": second}


def _is_for(data: Any, label: str, wanted: Statement) -> bool:
    """Is the certificate of that step one for exactly the statement?"""
    certificate = next(step["certificate"] for step in data["steps"] if step["label"] == label)
    with suppress(KernelError):
        kernel_check(certificate, _in_order(wanted, certificate))
        return True
    return False


def _in_order(wanted: Statement | None, data: Any) -> Statement | None:
    """The statement with its conditions in the certificate's order, for the order of conditions means nothing.

    The kernel, which compares them one by one, still decides whether they are the same.
    """
    if wanted is None:
        return None
    functions = tuple(text for text in wanted.where if declared(text, "functions"))

    def place(text: str) -> int:
        parts = Statement("0 < 1", (*functions, text), wanted.let).parsed().hypotheses
        return min((own.index(part) for part in parts if part in own), default=-1)

    with suppress(KernelError, TypeError, KeyError):
        own = Statement.from_json(data["statement"]).hypotheses
        return Statement(wanted.goal, tuple(sorted(wanted.where, key=place)), wanted.let).parsed()
    return wanted  # of what is no certificate the kernel says so


def _tell_derivation(result: dict[str, Any], named: bool) -> None:
    checkers = "both checkers" if result["second"] else "the kernel"
    if named:
        typer.echo(f"proved: {result['steps'][0]['goal']}")
        typer.echo(f"{result['file']}: valid for the goal that was asked for, by {checkers} "
                   f"(step {result['steps'][0]['label']} of {' '.join(result['derivation'].split())!r})")
        return
    typer.echo(f"derivation {' '.join(result['derivation'].split())!r} (nothing checks title and labels): "
               f"{'each step proved' if result['verdict'] == 'proved' else 'not every step proved'}")
    for kind, texts in (("where", result["let"]), ("for", result["context"])):
        for text in texts:
            typer.echo(f"  {kind} {text}")
    for step in result["steps"]:
        rests = f"   by {', '.join(f'({r})' for r in step['rests_on'])}" if step["rests_on"] else ""
        typer.echo(f"  ({step['label']}) {step['standing']}: {step['goal']}{rests}")
    proved = sum(s["standing"] == "proved" for s in result["steps"])
    typer.echo(f"{result['file']}: valid, by {checkers} ({proved} of {len(result['steps'])} steps proved)")


def _require_short(data: Any) -> None:
    stated = data.get("statement") if isinstance(data, dict) else None
    if isinstance(stated, dict):
        where, let = (v if isinstance(v, list) else [] for v in (stated.get("where"), stated.get("let")))
        require_short(str(stated.get("goal")), [str(w) for w in where], [str(d) for d in let])


def _second(data: Any, wanted: Statement | None) -> None:
    from qtheory.proofs.recheck import check as second_check

    try:
        second_check(data, None if wanted is None else wanted.to_json())
    except Exception as error:  # the second checker has its own error class; whatever it raises is its rejection
        raise KernelError(f"the second checker disagrees: {error}") from None


def _tell(result: dict[str, Any], named: bool) -> None:
    if result["result"] != "valid":
        typer.echo(f"{result['file']}: {result['result']}: {result['why']}")
        return
    if "axioms" in result:
        _tell_by_axioms(result, named)
        return
    if "derivation" in result:
        _tell_derivation(result, named)
        return
    statement = result["statement"]
    typer.echo(f"{result['verdict']}: {statement['goal']}")
    for condition in statement["where"]:
        typer.echo(f"  for {condition}")
    for definition in statement["let"]:
        typer.echo(f"  where {definition}")
    met = "" if result["verdict"] == "refuted" or not statement["where"] else (
        "; the conditions can be met" if result["witness"] else "; satisfiable: unknown")
    checkers = "both checkers" if result["second"] else "the kernel"
    about = "the goal that was asked for" if named else "the goal above"
    typer.echo(f"{result['file']}: valid for {about}, by {checkers} ({result['steps']} steps{met})")
