"""From a statement to a verdict with its certificate: the counterexample search first, then the prover."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.tactics.builder import Step, Stuck, certificate
from qtheory.proofs.tactics.given import Lemma
from qtheory.proofs.tactics.solve import prove_statement


@dataclass(frozen=True)
class Outcome:
    """What the search found. A certificate is there exactly when the verdict is proved or refuted."""

    verdict: str
    certificate: dict[str, Any] | None
    method: str
    counterexample: dict[str, str] | None = None
    witness: dict[str, str] | None = None
    undefined: str | None = None
    obstacle: str | None = None


def search(statement: Statement, *, hint: Mapping[str, Any] | None = None, budget: float = 10.0) -> Outcome:
    """Try to break the statement, then to prove it, then to break it harder; each find is checked by the kernel.

    ``hint``, all terms as text: ``witness`` (bound variable -> term); ``bracket`` (two terms); ``lemmas`` (formulas,
    or pairs of a formula and terms for some of its variables); ``rate`` and ``order`` (see limits.py).
    """
    from qtheory.proofs.tactics.refute import refute, witness

    start = time.monotonic()
    deadline = start + budget
    broken = refute(statement, start + 0.15 * budget)
    if broken is not None:
        return _refuted(statement, broken)
    try:
        main = prove_statement(statement, 0.6 * budget, parsed_hint(statement, hint))
    except (Stuck, KernelError, RecursionError) as obstacle:
        broken = refute(statement, deadline)
        if broken is not None:
            return _refuted(statement, broken)
        return Outcome("unknown", None, "searched for counterexamples and proofs", obstacle=str(obstacle) or "none found")
    met = witness(statement, max(deadline, time.monotonic() + 1.0)) if statement.hypotheses else None
    data = certificate(statement, "proved", main, met.step if met else None)
    check(data, statement)
    point = {x: _shown(v) for x, v in met.point.items()} if met else None
    return Outcome("proved", data, method_of(main), witness=point)


def _refuted(statement: Statement, broken: Any) -> Outcome:
    data = certificate(statement, "refuted", broken.step)
    check(data, statement)
    point = {x: _shown(v) for x, v in broken.point.items()}
    undefined = None
    if broken.undefined is not None:
        from qtheory.proofs.printing import term_text

        undefined = term_text(broken.undefined)
    return Outcome("refuted", data, broken.note or "counterexample", counterexample=point, undefined=undefined)


def _shown(value: Fraction | tuple[Fraction, Fraction]) -> str:
    return f"[{value[0]}, {value[1]}]" if isinstance(value, tuple) else str(value)


def parsed_hint(statement: Statement, hint: Mapping[str, Any] | None) -> dict[str, Any]:
    """The hint with its texts read in the statement's own language."""
    if not hint:
        return {}

    def term(text: str) -> Any:
        return Statement(f"({text}) == 0", functions, statement.let).conclusion[1]

    functions = tuple(w for w in statement.where if "in functions" in w)
    out: dict[str, Any] = {}
    out["lemmas"] = [Lemma(Statement(text, functions, statement.let).conclusion, {x: term(t) for x, t in at.items()})
                     for entry in hint.get("lemmas", ())
                     for text, at in [(entry, {}) if isinstance(entry, str) else entry]]
    for kind in ("rate", "order"):
        out[kind] = {x: tuple(t if t == "sqrt" else term(t) for t in ts) for x, ts in hint.get(kind, {}).items()}
    if "witness" in hint:
        out["witness"] = {x: term(t) for x, t in hint["witness"].items()}
    if "bracket" in hint:
        out["bracket"] = tuple(term(t) for t in hint["bracket"])
    return out


METHODS = {"mean_value": "mean value", "induction": "induction", "ball": "balls", "intermediate_value": "intermediate value",
           "fundamental_theorem": "fundamental theorem", "differentiate": "differentiation", "trichotomy": "cases"}


def method_of(main: Step) -> str:
    """The telling rules among those that the proof uses."""
    used: set[str] = set()
    seen: set[int] = set()
    stack = [main]
    while stack:
        step = stack.pop()
        if id(step) in seen:
            continue
        seen.add(id(step))
        used.add(step.rule)
        for a in step.arguments:
            if isinstance(a, Step):
                stack.append(a)
            elif isinstance(a, tuple):
                stack.extend(s for s in a if isinstance(s, Step))
    return ", ".join(name for rule, name in METHODS.items() if rule in used) or "positive combination"
