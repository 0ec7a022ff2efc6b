"""The doors: a line of a table as a user would bring it, and in one word what comes back."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import sympy as sp

from qtheory.cli import main
from qtheory.errors import InputError
from qtheory.proofs.api import prove
from qtheory.proofs.derivation import derivation
from qtheory.proofs.kernel.statements import Statement, declared

from .cases import AMPLE, listed, parts

ERROR = "input error"


def command(*arguments: str) -> tuple[int, str]:
    """The exit status of ``qtheory``, and what it printed."""
    out = StringIO()
    with redirect_stdout(out), redirect_stderr(StringIO()):
        try:
            main(list(arguments))
        except SystemExit as end:
            return int(end.code or 0), out.getvalue()
    return 0, out.getvalue()


def quietly(says: Callable[[], str]) -> str:
    try:
        return says()
    except InputError as error:
        assert str(error) and "\n" not in str(error), "an input error is one line"
        return ERROR


def by_python(line: str, budget: float) -> str:
    goal, where, let = parts(line)
    return quietly(lambda: prove(goal, where, let=let, budget=budget).verdict)


def by_command_line(line: str, budget: float) -> str:
    goal, where, let = parts(line)
    options = [o for c in where for o in ("--where", c)] + [o for d in let for o in ("--let", d)]
    status, out = command("prove", goal, *options, "--budget", str(budget), "--format", "json")
    word = {0: "proved", 1: "refuted", 2: ERROR, 3: "unknown"}[status]
    assert word == ERROR or json.loads(out)["verdict"] == word, "status and output differ"
    return word


def by_step(line: str, budget: float) -> str:
    """A step of a derivation, its symbols declared and its conditions assumed."""
    goal, where, let = parts(line)

    def says() -> str:
        d = derivation("Silence", budget=budget / 2)
        naturals = [name for c in where if c.endswith("naturals") for name in declared(c)]
        integers = [name for c in where if c.endswith("integers") for name in declared(c)]
        for name in Statement(goal, tuple(where), tuple(let)).parsed().variables:
            (d.natural if name in naturals else d.integer if name in integers else d.symbol)(name)
        for definition in let:
            d.let(definition)
        for condition in where:
            if not declared(condition):
                d.assume(condition)
        return d.step(goal).standing

    return quietly(says)


def by_latex(line: str, budget: float) -> str:
    """``formula ; conditions``, over symbols that are declared real and a function f that is declared."""
    source, *conditions = [part.strip() for part in line.split(" ;; ")]

    def says() -> str:
        d = derivation("Silence", budget=budget / 2)
        for name in ("x", "y", "z", "a", "b", "c", "p", "q", "mu", "lam", "rho", "theta", "S", "T", "X", "N"):
            d.symbol(name)
        d.natural("n")
        d.let("f(s) = s**2")
        for text in conditions:
            d.assume(*listed(text))
        return d.latex(source).standing

    return quietly(says)


def by_sympy(line: str, budget: float) -> str:
    """A Python expression over SymPy's names and the symbols of ``symbols()``."""
    goal, *where = [part.strip() for part in line.split(" ;; ")]

    def says() -> str:
        names = {**vars(sp), **symbols()}
        objects: list[Any] = [eval(text, names) for text in (goal, *where)]
        return prove(objects[0], objects[1:], budget=budget).verdict

    return quietly(says)


@cache
def symbols() -> dict[str, Any]:
    """x, y, ... as SymPy makes them; xp positive, xr real, nn natural, ki an integer called k, xc complex, ..."""
    plain = {name: sp.Symbol(name) for name in ("x", "y", "t", "a", "b", "c", "p", "q", "k", "n", "rho")}
    return plain | {
        "xp": sp.Symbol("x", positive=True), "yp": sp.Symbol("y", positive=True), "tp": sp.Symbol("t", positive=True),
        "xr": sp.Symbol("x", real=True), "yr": sp.Symbol("y", real=True),
        "nn": sp.Symbol("n", integer=True, nonnegative=True),
        "ki": sp.Symbol("k", integer=True), "ti": sp.Symbol("t", integer=True), "xn": sp.Symbol("x", nonzero=True),
        "ni": sp.Symbol("n", integer=True), "xc": sp.Symbol("x", complex=True), "ev": sp.Symbol("m", even=True),
        "xe": sp.Symbol("x", extended_real=True), "pr": sp.Symbol("p", prime=True), "kd": sp.Dummy("k"),
        "xi": sp.Symbol("x", imaginary=True), "nc": sp.Symbol("x", commutative=False)}


# ---- certificates ----

@cache
def certificate(line: str) -> str:
    """The certificate of a statement, as JSON."""
    goal, where, let = parts(line)
    verdict = prove(goal, where, let=let, budget=AMPLE)
    assert verdict.certificate is not None, f"{line} has no certificate"
    return json.dumps(dict(verdict.certificate.data))


def checked(data: Any, *options: str) -> str:
    """What ``qtheory check`` says of the file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "certificate.json")
        file.write_text(json.dumps(data), encoding="utf-8")
        status, _ = command("check", str(file), *options)
    return {0: "proved", 1: "refuted", 2: ERROR}[status]


def as_another(line: str, _: float) -> str:
    """``statement >> statement``: the certificate of the first, with the second written into it."""
    first, second = line.split(" >> ")
    data = json.loads(certificate(first))
    goal, where, let = parts(second)
    data["statement"] = {"goal": goal, "where": where, "let": let}
    return checked(data)


def shown_for(line: str, _: float) -> str:
    """``statement >> statement``: the certificate of the first, shown for the second."""
    first, second = line.split(" >> ")
    goal, where, let = parts(second)
    options = [o for c in where for o in ("--where", c)] + [o for d in let for o in ("--let", d)]
    return checked(json.loads(certificate(first)), "--goal", goal, *options)


def turned(line: str, _: float) -> str:
    """The certificate of a false statement, its verdict turned to proved."""
    data = json.loads(certificate(line))
    assert data["verdict"] == "refuted"
    return checked(data | {"verdict": "proved"})


def spoilt(line: str, _: float) -> str:
    """``statement >> change``: the statement's certificate with a change in its proof, as that of a false one has."""
    first, change = line.split(" >> ")
    data = json.loads(certificate(first.strip()))
    changes: dict[str, Callable[[], Any]] = {
        "no steps": lambda: data.update(steps=[]),
        "an older schema": lambda: data.update(schema=1),
        "no schema": lambda: data.pop("schema"),
        "main elsewhere": lambda: data.update(main=0),
        "main before the beginning": lambda: data.update(main=-1),
        "main behind the end": lambda: data.update(main=len(data["steps"])),
        "the last step taken away": lambda: data["steps"].pop(),
        "the last rule renamed": lambda: data["steps"][-1].__setitem__(0, "axiom"),
        "a goal that is assumed": lambda: data.update(steps=[["hyp", len(data["nodes"]) - 1]], main=0),
        "refuted": lambda: data.update(verdict="refuted"),
        "checked": lambda: data.update(verdict="checked"),
    }
    changes[change.strip()]()
    return checked(data)
