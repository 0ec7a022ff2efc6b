"""``qtheory check``: both checkers on certificates; exit 0 valid, 1 rejected, 2 unreadable.

Nothing of a file is believed but what the gate says of it, and its texts are shown with every character seen.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from qtheory.commands.formats import OutputFormat
from qtheory.errors import InputError
from qtheory.proofs import gate
from qtheory.proofs.api import read
from qtheory.proofs.axiomatic import Stated, from_json, is_theorem, owed
from qtheory.proofs.bundle import is_bundle
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.limits import require_short
from qtheory.proofs.verdict import UNMET, Verdict, point_text
from qtheory.proofs.visible import flowing, json_text, visible

MAX_BYTES = 200_000_000
PROVED = ("proved", "conditional")


def register(app: typer.Typer) -> None:
    @app.command("check", help="Re-check certificates with both checkers. Exit 0 valid, 1 rejected, 2 unreadable.")
    def check(
        files: Annotated[list[Path], typer.Argument(
            metavar="CERT.json...", help="Certificates, as 'qtheory prove -o' and derivations write them.")],
        goal: Annotated[str, typer.Option("--goal", help="The goal that the certificate must be for; "
                                                      "of a derivation, one of its proved steps.")] = "",
        where: Annotated[list[str] | None, typer.Option(
            "--where", "-w", metavar="COND", help="A condition of that goal.")] = None,
        let: Annotated[list[str] | None, typer.Option(
            "--let", metavar="DEF", help="A definition of that goal.")] = None,
        name: Annotated[str, typer.Option("--id", help=(
            "The claim that the certificate must be for; one of your own as note.md#ID."))] = "",
        named: Annotated[bool, typer.Option("--named", help=(
            "Each certificate must be for the claim that its file is named after, as 'qtheory verify --certificates' "
            "writes them."))] = False,
        paper: Annotated[str, typer.Option("--paper", metavar="NOTE.md", help=(
            "With --named: the file or folder of your own that has these claims."))] = "",
        form: Annotated[OutputFormat, typer.Option("--format", help="How to print the result.")] = OutputFormat.text,
    ) -> int:
        if (named and (goal or where or let or name)) or (paper and not named):
            raise InputError("--named takes each file's claim, with --paper one of your own; leave out --goal, "
                             "--where, --let and --id")
        own = f"{paper}#" if paper else ""
        wanted = _wanted(goal, where or [], let or [], name)
        results = [_examine(path, _stated(own + path.stem) if named else wanted) for path in files]
        if form == "json":
            typer.echo(json_text({"schema": 1, "results": results}))
        else:
            for result in results:
                for line in _told(result, named or wanted is not None):
                    typer.echo(visible(line))
        kinds = {r["result"] for r in results}
        return 2 if "unreadable" in kinds else 1 if "rejected" in kinds else 0


def _wanted(goal: str, where: list[str], let: list[str], name: str) -> Statement | Stated | None:
    if name and (goal or where or let):
        raise InputError("--id names the whole statement; give either --id or --goal with its conditions")
    if name:
        return _stated(name)
    if not goal:
        if where or let:
            raise InputError("--where and --let belong to a goal; give it with --goal")
        return None
    return read(goal, where, let)


def _stated(name: str) -> Statement | Stated:
    """What the claim of that id states for the kernel."""
    from qtheory.proofs.corpus import find

    stated = (claim := find(name)).statement or claim.theorem
    if stated is None:
        raise InputError(f"the claim {name!r} has no statement for the kernel")
    return stated


def _examine(path: Path, wanted: Statement | Stated | None) -> dict[str, Any]:
    file = {"file": str(path)}
    try:
        with path.open("rb") as stream:  # whose size may be told wrongly, as that of a device
            raw = stream.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            return {**file, "result": "unreadable", "why": f"larger than {MAX_BYTES} bytes"}
        data = json.loads(raw.decode("utf-8"))
    except OSError as error:
        return {**file, "result": "unreadable", "why": error.strerror or str(error)}
    except (ValueError, RecursionError) as error:
        return {**file, "result": "unreadable", "why": f"not JSON: {str(error)[:200]}"}
    try:
        if isinstance(data, dict) and {"claim", "proofs"} <= set(data):
            raise KernelError("a network's certificate decides nothing without the network's file: "
                              "qtheory network NET.toml --check CERT.json")
        found = _by_axioms(data, wanted) if is_theorem(data) else _by_steps(data, wanted)
    except (KernelError, InputError, RecursionError, MemoryError) as error:
        return {**file, "result": "rejected", "why": str(error) or type(error).__name__}
    return {**file, "result": "valid", **found}


def _by_steps(data: Any, wanted: Statement | Stated | None) -> dict[str, Any]:
    if wanted is not None and not isinstance(wanted, Statement):
        raise KernelError("the certificate is for a statement, and the claim rests on axioms")
    if is_bundle(data):
        return _derivation(data, wanted)
    _require_short(data)
    stated = Statement.from_json(data.get("statement") if isinstance(data, dict) else None)
    verdict = gate.certified(wanted or stated, data)
    return {"verdict": verdict.verdict, "statement": gate.flat(stated).to_json(), **_shown(verdict)}


def _shown(verdict: Verdict) -> dict[str, Any]:
    return {"steps": 0 if verdict.certificate is None else verdict.certificate.steps, "witness": verdict.witness,
            "satisfiable": "unknown" if UNMET in verdict.rests else "known",
            "counterexample": verdict.counterexample, "undefined": verdict.undefined}


def _by_axioms(data: Any, wanted: Statement | Stated | None) -> dict[str, Any]:
    """A theorem's file: what the axioms ask for, made anew, and a certificate for each."""
    if isinstance(wanted, Statement):
        raise KernelError("the certificate is for a theorem that rests on axioms, not for the goal")
    theorem = from_json(data["theorem"])
    verdict = gate.by_axioms(theorem if wanted is None else wanted, data)
    return {"verdict": verdict.verdict, "theorem": verdict.statement.split("\n"), "axioms": list(verdict.axioms),
            "rests_on": list(verdict.rests_on), "obligations": dict(owed(theorem).obligations), **_shown(verdict)}


def _derivation(data: Any, wanted: Statement | None) -> dict[str, Any]:
    """A derivation's file: each certificate, and that each step rests on what stands before it.

    A goal that is asked for must be that of a proved step, whose certificate is for exactly the conditions given.
    """
    standings = gate.by_derivation(data)
    steps = [{"number": n, "label": step["label"], "goal": step["goal"], "rests_on": step["rests_on"],
              "standing": standing,
              "satisfiable": "unknown" if standing in PROVED and gate.unmet(step["certificate"]) else "known",
              "left_out": [text for text in data["context"] if not declared(text, "functions")
                           and text not in step["certificate"]["statement"]["where"]] if standing == "refuted" else []}
             for n, (step, standing) in enumerate(zip(data["steps"], standings, strict=True), 1)]
    if wanted is not None:
        steps = [step for step in steps if step["standing"] == "proved" and _is_for(data, step["label"], wanted)]
        if not steps:
            raise KernelError("no proved step of this derivation is for exactly the goal and the conditions asked for; "
                              "without --goal its steps are printed")
    whole = "proved" if wanted is not None or (standings and set(standings) == {"proved"}) else "not proved"
    return {"verdict": whole, "derivation": data["derivation"], "let": data["let"], "context": data["context"],
            "steps": steps}


def _is_for(data: Any, label: str, wanted: Statement) -> bool:
    """Is the certificate of that step one for exactly the statement?"""
    certificate = next(step["certificate"] for step in data["steps"] if step["label"] == label)
    with suppress(KernelError):
        gate.certified(wanted, certificate, look=0)
        return True
    return False


def _require_short(data: Any) -> None:
    stated = data.get("statement") if isinstance(data, dict) else None
    if isinstance(stated, dict):
        where, let = (v if isinstance(v, list) else [] for v in (stated.get("where"), stated.get("let")))
        require_short(str(stated.get("goal")), [str(w) for w in where], [str(d) for d in let])


def _told(result: dict[str, Any], named: bool) -> list[str]:
    if result["result"] != "valid":
        return [f"{result['file']}: {result['result']}: {flowing(result['why'])}"]
    if "derivation" in result:
        return _told_derivation(result, named)
    by_axioms = "theorem" in result
    about = ("the claim" if named else "the theorem above") if by_axioms else (
        "the goal that was asked for" if named else "the goal above")
    sense, steps = "as a refutation of" if result["verdict"] == "refuted" else "for", f"{result['steps']} steps"
    end = f"{result['file']}: valid {sense} {about}, by both checkers ({steps}{_met(result)})"
    if by_axioms:
        first, *more = result["theorem"]
        return [f"proved (axioms: {', '.join(result['axioms'])}): {first}", *(f"  {line}" for line in more),
                *(f"  given {axiom}" for axiom in result["rests_on"]),
                *(f"  proved: {name}: {goal}" for name, goal in result["obligations"].items()), end]
    statement, unmet = result["statement"], f" ({UNMET})" if result["satisfiable"] == "unknown" else ""
    lines = [f"{result['verdict']}{unmet}: {statement['goal']}", *(f"  for {text}" for text in statement["where"]),
             *(f"  where {text}" for text in statement["let"])]
    if result["counterexample"]:
        lines.append(f"  at {point_text(result['counterexample'])}")
    if result["undefined"]:
        lines.append(f"  undefined there: {result['undefined']}")
    return [*lines, end]


def _met(result: dict[str, Any]) -> str:
    if result["witness"]:
        return f"; the conditions hold at {point_text(result['witness'])}"
    return f"; {UNMET}" if result["satisfiable"] == "unknown" else ""


def _told_derivation(result: dict[str, Any], named: bool) -> list[str]:
    title = f"{flowing(result['derivation'])!r} (nothing checks title and labels)"
    steps = [f"{step['standing']}" + (f" ({UNMET})" if step["satisfiable"] == "unknown" else "") + f": {step['goal']}"
             for step in result["steps"]]
    if named:
        return [steps[0], f"{result['file']}: valid for the goal that was asked for, by both checkers "
                f"(step {result['steps'][0]['number']} of {title})"]
    number = {step["label"]: step["number"] for step in result["steps"]}  # a label may say anything
    steps = [f"({step['number']}) {said}" + f"   by {', '.join(f'({number[r]})' for r in step['rests_on'])}"
             * bool(step["rests_on"]) + f"   not looked at: {', '.join(step['left_out'])}" * bool(step["left_out"])
             for said, step in zip(steps, result["steps"], strict=True)]
    lines = [f"derivation {title}: {'each step proved' if result['verdict'] == 'proved' else 'not every step proved'}"]
    lines += [f"  {kind} {text}" for kind, key in (("where", "let"), ("for", "context")) for text in result[key]]
    return [*lines, *(f"  {step}" for step in steps), f"{result['file']}: valid, by both checkers ("
            f"{sum(s['standing'] == 'proved' for s in result['steps'])} of {len(result['steps'])} steps proved)"]
