"""From a statement to a verdict: search, then the kernel on what the search found, as it will be read back."""

from __future__ import annotations

import json
import math
import time
import warnings
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from qtheory.proofs import cache as proof_cache
from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement, conjuncts, declared
from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.notation import sides
from qtheory.proofs.printing import statement_latex, statement_text, term_text
from qtheory.proofs.tactics.reading import Reader
from qtheory.proofs.tactics.stopping import OutOfTime, limited
from qtheory.proofs.verdict import Certificate, Verdict

BITS = 160  # of the enclosures that are shown as decimals
PATIENCE = 2.0  # times the budget, of which the parts of a search may each take somewhat more than their share


Box = Mapping[str, tuple[Fraction, Fraction]]


def decide(statement: Statement, *, hint: Mapping[str, Any] | None = None, budget: float = 10.0,
           cache: bool = False, patience: float | None = None) -> Verdict:
    """The verdict on a parsed statement: proved or refuted with a certificate that the kernel accepted, or unknown.

    ``budget`` is in seconds of work; with ``cache`` a proof found before is re-checked before anything is searched.
    ``patience``: seconds after which the search is stopped, by default more than it plans with.
    """
    started = time.perf_counter()
    outcome: Mapping[str, Any] = (proof_cache.load(statement) if cache else None) or {}
    found = accepted(statement, outcome)[0]
    if found is None:
        outcome = searched(statement, hint, budget, patience)
        found, why = accepted(statement, outcome)
        if found is None and outcome.get("certificate") is not None:  # what cannot be read back: another, then
            outcome = searched(statement, hint, budget, patience, reread=True)
            found, why = accepted(statement, outcome)
        if found is None:
            return _verdict(statement, "unknown", started, note=why)
        if cache:
            proof_cache.store(statement, outcome)
    data, used = found
    refuted = data["verdict"] == "refuted"
    point, undefined = (outcome.get("counterexample"), outcome.get("undefined")) if refuted else (None, None)
    met = None if data["witness"] is None else outcome.get("witness")
    return _verdict(
        statement, data["verdict"], started, used=used, method=str(outcome.get("method") or ""),
        certificate=Certificate(data), counterexample=point, witness=met,
        undefined=undefined, evidence={"sides": values(statement, point)} if point and not undefined else {})


def searched(statement: Statement, hint: Mapping[str, Any] | None, budget: float,
             patience: float | None = None, *, reread: bool = False) -> dict[str, Any]:
    """The search's outcome as plain data; a search that fails or does not stop has found nothing, and says why.

    ``reread``: the search itself checks its certificates, and goes on after one that the kernel rejects.
    """
    from qtheory.proofs.tactics.search import search

    patience = PATIENCE * budget if patience is None else patience
    try:
        with limited(patience), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # points where floating point gives up are left out
            outcome = search(statement, hint=hint, budget=budget, reread=reread)
    except OutOfTime:
        return {"obstacle": f"the search was stopped after {patience:.2g} s of work"}
    except Exception as error:  # nothing that search does is trusted: that it failed is what there is to say
        why = " ".join(f"{type(error).__name__}: {error}".split())
        return {"obstacle": f"the search failed ({why[:200]})"}
    names = ("certificate", "method", "counterexample", "witness", "undefined")
    found = {name: getattr(outcome, name) for name in names}
    found["undefined"] = None if outcome.undefined is None else term_text(outcome.undefined)
    out = json.loads(json.dumps(found))
    return {**out, "obstacle": outcome.obstacle or "no proof and no counterexample was found"}


Accepted = tuple[dict[str, Any], frozenset[Node]]


def accepted(statement: Statement, outcome: Mapping[str, Any]) -> tuple[Accepted | None, str]:
    """The certificate, and the hypotheses that it uses, if the kernel accepts it for exactly this statement.

    Else None, and the obstacle.
    """
    data = outcome.get("certificate")
    if data is None:
        return None, str(outcome.get("obstacle"))
    try:
        _, reader = check(data, statement)
    except (KernelError, RecursionError, MemoryError) as error:
        return None, f"the kernel rejected what the search found: {error}"
    return (data, reader.steps[data["main"]].hyps), ""


def _verdict(statement: Statement, verdict: str, started: float, *, used: frozenset[Node] | None = None,
             **details: Any) -> Verdict:
    return Verdict(
        statement=statement_text(statement), latex=statement_latex(statement), verdict=verdict,
        hypotheses=used_conditions(statement, used if verdict == "proved" else None),
        seconds=time.perf_counter() - started, **details)


def used_conditions(statement: Statement, used: frozenset[Node] | None) -> tuple[str, ...]:
    """The texts of the conditions of which a part is used; all of them where ``used`` is None."""
    if used is None:
        return statement.where
    reader = Reader(statement)
    return tuple(text for text in statement.where if not used.isdisjoint(reader.condition(text)))


def declarations(statement: Statement) -> tuple[str, ...]:
    """The conditions that declare function symbols."""
    return tuple(w for w in statement.where if declared(w, "functions"))


def values(statement: Statement, point: Mapping[str, Any]) -> list[str]:
    """Both sides of the comparisons of the goal that the point breaks, as decimals."""
    box = boxed(point)
    out = []
    for atom in conjuncts(statement.conclusion):
        if atom[0] in (">", ">=", "=", "!=") and not fulfilled(atom, box):
            shown = [(side, decimal(side, box)) for side in sides(atom)[1:] if not isinstance(side, Fraction | str)]
            out += [f"{term_text(side)} {number}" for side, number in shown if number is not None]
    return out


def boxed(point: Mapping[str, Any]) -> Box:
    """The point, of texts "1/3" or "[1/3, 3/8]", as a box of rational intervals for ``enclose``."""
    box = {}
    for x, value in point.items():
        ends = str(value).strip("[]").split(",")
        box[x] = (Fraction(ends[0].strip()), Fraction(ends[-1].strip()))
    return box


def fulfilled(atom: Node, box: Box) -> bool | None:
    """Is the comparison true at the point?  None where the enclosures do not decide."""
    try:
        low, high = enclose(atom[1], dict(box), BITS)
    except KernelError:
        return None
    return compared(atom[0], low, high)


def compared(relation: str, low: Fraction, high: Fraction) -> bool | None:
    """How a number in [low, high] compares with 0; None where the interval does not tell."""
    sure = {">": low > 0, ">=": low >= 0, "=": low == high == 0, "!=": low > 0 or high < 0}
    never = {">": high <= 0, ">=": high < 0, "=": low > 0 or high < 0, "!=": low == high == 0}
    return True if sure[relation] else False if never[relation] else None


def decimal(term: Node, box: Box) -> str | None:
    """The term's value in short: exact, or enclosed by the kernel's balls, or else (integrals) a float's word."""
    try:
        low, high = enclose(undiff(term)[0], dict(box), BITS)
        if low == high and low.denominator < 10**6 and abs(low.numerator) < 10**12:
            return f"= {low}"
        a, b = f"{float(low):.12g}", f"{float(high):.12g}"
        return f"≈ {a}" if a == b else f"in [{a}, {b}]"
    except KernelError:
        from qtheory.proofs.tactics.numeric import evaluate

        value = evaluate(term, {x: float(low + high) / 2 for x, (low, high) in box.items()})
        return f"≈ {value:.6g}" if math.isfinite(value) else None
    except OverflowError:
        return None


def with_note(verdict: Verdict, *notes: str) -> Verdict:
    """The verdict with sentences added to its note; a clause that ends without a stop is ended by a semicolon."""
    joined = ""
    for note in filter(None, (verdict.note, *notes)):
        joined += (" " if joined.endswith((".", "!", "?")) else "; " if joined else "") + note
    return replace(verdict, note=joined)
