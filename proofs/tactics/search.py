"""From a statement to a verdict with its certificate: the counterexample search first, then the prover."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.poly import MAX_EXPONENT
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, KernelError, Node, free, minus
from qtheory.proofs.proving.lines import Proof
from qtheory.proofs.tactics.astray import without_value
from qtheory.proofs.tactics.builder import RELATIONS, Step, Stuck, certificate, hyp
from qtheory.proofs.tactics.chords import chord_facts, curvatures
from qtheory.proofs.tactics.conditions import conditions_of
from qtheory.proofs.tactics.contrast import Original
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.tactics.given import without_opened
from qtheory.proofs.tactics.guidance import Guidance, guidance, place
from qtheory.proofs.tactics.interpretations import met_by
from qtheory.proofs.tactics.logic import solve_with
from qtheory.proofs.tactics.moments import mended
from qtheory.proofs.tactics.prover import ORDINARY, prove_statement, prove_thoroughly
from qtheory.proofs.tactics.refute import refute, refute_by
from qtheory.proofs.tactics.state import Search
from qtheory.proofs.tactics.sums import sum_facts, symbolic_sums
from qtheory.proofs.tactics.tracing import trying
from qtheory.proofs.tactics.unique import against_values

STAGES = 3  # of the search for counterexamples, in which most are found
FURTHER = 3.0  # seconds for means that are too dear for each attempt of an ordinary search
TOO_LARGE = f": no power beyond the {MAX_EXPONENT}th is multiplied out; a symbol in its place may do"
SIMPLE = (ZERO, ONE, MINUS)
SHORT = 0.2  # seconds in which what needs no facts of its own kind is proved


@dataclass(frozen=True)
class Outcome:
    """What the search found. A certificate is there exactly when the verdict is proved or refuted."""

    verdict: str
    certificate: dict[str, Any] | None
    method: str
    counterexample: dict[str, str] | None = None
    witness: dict[str, str] | None = None
    undefined: Node | None = None  # the subterm that the counterexample leaves undefined
    obstacle: str | None = None


def search(statement: Statement, *, proof: Proof | None = None, point: Mapping[str, str] | None = None,
           budget: float = 10.0, reread: bool = True, met: bool = True) -> Outcome:
    """Try to break the statement, then to prove it, then to break it harder.

    Each step of a find was made by the kernel; with ``reread`` the kernel checks the certificate as a whole too, and
    what it does not accept (it may be too large to be read back) counts as not found. A caller that checks the
    certificate anyway can do without.

    ``proof``: how to prove it, where that is known; ``point``: a closed term for each variable, the place at which to
    break it; ``met``: is it asked where the conditions are met? ``budget``: seconds of work (see ``effort``).
    InputError for a proof or point that cannot be read.
    """
    told, at = guidance(statement, proof), place(statement, point or {})
    proposed = (proof or Proof()) if met else None
    with suppress(Stuck, KernelError, RecursionError):
        broken = _against_the_limit(statement, budget)
        if broken is not None:
            return _refuted(statement, broken, reread)
    # short tries of both first: what is easy to break must not wait for a long proof search, nor the other way round
    written = bool(told.lemmas)  # a proof is worth its time, and speaks for the statement
    rounds = ((min(0.4, 0.15 * budget), 1 if written else STAGES, 0.8 * budget if written else min(3.0, 0.3 * budget)),
              (min(3.0, 0.2 * budget), None, 0.5 * budget))
    obstacles: list[str] = []
    breakable = not _on_functions(statement)
    for breaking, stages, proving in rounds:
        try:
            until = after(breaking)
            # a proof speaks for the statement: until it has failed, no universal statement is proved against it
            hard = not written or stages is None
            with trying("counterexample", statement.conclusion) as tried:
                broken = refute(statement, until, at, stages, hard=hard) if breakable else None
                tried.outcome = "none found" if broken is None else ""
            if broken is not None:
                return _refuted(statement, broken, reread)
        except (KernelError, RecursionError) as obstacle:
            obstacles.append(str(obstacle))
        share = after(proving)
        try:
            with trying("proof", statement.conclusion):
                return _proved(statement, _proof(statement, proving, budget, told), reread, proposed)
        except (Stuck, KernelError, RecursionError) as obstacle:
            obstacles.append(str(obstacle))
        if stages is not None and not told and not at:
            seconds = min(FURTHER, 0.3 * budget) + max(0.0, left(share))  # what the others had no use for too
            with suppress(Stuck, KernelError, RecursionError), trying("thorough proof", statement.conclusion):
                return _proved(statement, prove_thoroughly(statement, seconds), reread, proposed)
    why = obstacles[-1] or "none found"
    why += TOO_LARGE if why == "limit: exponent too large" else ""
    return Outcome("unknown", None, "searched for counterexamples and proofs", obstacle=why)


def _against_the_limit(statement: Statement, budget: float) -> Any:
    """A refutation by the limit that partial sums have, where the statement gives them another one: at any values of
    its variables, or where the sums begin at a maximum of unknown order, at simple values of the variables in it."""
    if _on_functions(statement):
        return None
    facts = [hyp(h) for h in statement.hypotheses]
    names = sorted(_in_maxima(statement.conclusion))
    places: list[dict[str, Node]] = [{}, *({v: x} for v in names for x in SIMPLE)]
    places += [dict(zip(names, at, strict=True)) for at in product((ONE, MINUS), repeat=2)] if len(names) == 2 else []
    for at in places:
        search = ORDINARY.search((0.5 if not at else 0.05) * budget)
        now = [*facts, *(hyp(("=", minus(v, x))) for v, x in at.items())]
        if at and search.quick((">", ZERO), now) is not None:
            continue  # not in the domain
        with suppress(Stuck, KernelError):
            truth = mended(search, statement.conclusion, now)
            if truth is not None:
                return refute_by(Original(statement, truth), statement, after(0.5 * budget), at)
        found = against_values(search, statement, at, 0.1 * budget)
        if found is not None:
            return found
    return without_value(ORDINARY.search(0.3 * budget), statement, 0.1 * budget)


def _in_maxima(node: Node) -> frozenset[str]:
    """The variables in maxima that stand in the formula."""
    if not isinstance(node, tuple):
        return frozenset()
    inner = free(node) if node[0] == "max" else frozenset()
    return frozenset(inner).union(*map(_in_maxima, node[1:]))


def _on_functions(statement: Statement) -> bool:
    """Do the hypotheses speak of functions?  A point gives numbers alone, so it meets no such hypothesis."""
    return any(map(_applies, statement.hypotheses))


def _applies(node: Node) -> bool:
    return isinstance(node, tuple) and (node[0] == "app" or any(map(_applies, node[1:])))


def _proof(statement: Statement, seconds: float, budget: float, told: Guidance) -> Step:
    """By the prover; where a short try fails on sums over symbolic ranges or on convex functions, with facts about
    these."""
    finders = [sum_facts] if symbolic_sums(statement.conclusion) else []
    finders += [chord_facts] if curvatures(statement.hypotheses) else []
    if finders and not told:
        with suppress(Stuck, KernelError, RecursionError):
            return prove_statement(statement, min(0.1 * budget, SHORT))
        with suppress(Stuck, KernelError, RecursionError):
            search = ORDINARY.search(0.8 * budget)
            facts = [hyp(h) for h in statement.hypotheses]
            facts += conditions_of(facts)
            facts += [new for find in finders for new in find(search, statement.conclusion, facts)]
            return without_opened(search, _combined(search, statement.conclusion, facts), 0)
    return prove_statement(statement, seconds, told)


def _combined(search: Search, goal: Node, facts: list[Step]) -> Step:
    if goal[0] in RELATIONS:
        with suppress(Stuck, KernelError):
            return search.combine(goal, facts, 1)
    return solve_with(search, goal, facts, [], 6)


def _proved(statement: Statement, main: Step, reread: bool, proposed: Proof | None) -> Outcome:
    """The proof, and that its conditions and guards are met, if that is found. KernelError if the kernel rejects it."""
    functions, met = ((), None) if proposed is None else met_by(
        statement, proposed.instance, proposed.values, proposed.met)
    data = certificate(statement, "proved", main, met.steps if met else None, functions)
    if reread:
        check(data, statement)
    point = {x: _shown(v) for x, v in met.point.items()} if met and met.steps else None
    return Outcome("proved", data, method_of(main), witness=point)


def _refuted(statement: Statement, broken: Any, reread: bool) -> Outcome:
    """The counterexample. KernelError if the kernel rejects it."""
    data = certificate(statement, "refuted", broken.step)
    if reread:
        check(data, statement)
    point = {x: _shown(v) for x, v in broken.point.items()}
    return Outcome("refuted", data, broken.note or "counterexample", counterexample=point, undefined=broken.undefined)


def _shown(value: Fraction | tuple[Fraction, Fraction]) -> str:
    return f"[{value[0]}, {value[1]}]" if isinstance(value, tuple) else str(value)


METHODS = {"mean_value": "mean value", "induction": "induction", "ball": "balls",
           "intermediate_value": "intermediate value",
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
