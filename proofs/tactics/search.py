"""From a statement to a verdict with its certificate: the counterexample search first, then the prover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, free, substitute
from qtheory.proofs.tactics.builder import RELATIONS, Step, Stuck, certificate, hyp
from qtheory.proofs.tactics.chords import chord_facts, curvatures
from qtheory.proofs.tactics.effort import after
from qtheory.proofs.tactics.given import Lemma
from qtheory.proofs.tactics.reading import Reader
from qtheory.proofs.tactics.solve import Prover, prove_statement
from qtheory.proofs.tactics.sums import sum_facts, symbolic_sums
from qtheory.proofs.tactics.thorough import prove_thoroughly

STAGES = 3  # of the search for counterexamples, in which most are found
FURTHER = 3.0  # seconds for means that are too dear for each attempt of an ordinary search
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


def search(statement: Statement, *, hint: Mapping[str, Any] | None = None, budget: float = 10.0,
           reread: bool = True) -> Outcome:
    """Try to break the statement, then to prove it, then to break it harder.

    Each step of a find was made by the kernel; with ``reread`` the kernel checks the certificate as a whole too, and
    what it does not accept (it may be too large to be read back) counts as not found. A caller that checks the
    certificate anyway can do without.

    ``hint``, all terms as text: ``witness`` (bound variable -> term); ``bracket`` (two terms); ``lambert`` (the value
    of a W); ``lemmas`` (formulas, or tuples of a formula, terms for some of its variables, a condition under which
    these are defined, lemmas that serve its proof alone, and a variable with the end of its interval from which the
    mean value theorem gives it); ``rate`` and ``order`` (see limits.py); ``cases`` (terms on whose signs to split a
    goal that is a comparison); ``primitives`` (variable of integration -> functions whose slopes bound the integrand,
    with none of them no antiderivative is sought); ``point`` (variable -> closed term, the place at which to break it);
    ``met`` (see interpretations.py; None where nobody asks whether the conditions can be met).
    ``budget``: seconds of work (see ``effort``).
    """
    from qtheory.proofs.tactics.refute import refute

    # short tries of both first: what is easy to break must not wait for a long proof search, nor the other way round
    strategy = parsed_hint(statement, {k: v for k, v in (hint or {}).items() if k != "met"})
    hinted = bool(strategy.get("lemmas"))  # a strategy is worth its time, and speaks for the statement
    rounds = ((min(0.4, 0.15 * budget), 1 if hinted else STAGES, 0.8 * budget if hinted else min(3.0, 0.3 * budget)),
              (min(3.0, 0.2 * budget), None, 0.5 * budget))
    obstacles: list[str] = []
    breakable = not _on_functions(statement)
    for breaking, stages, proving in rounds:
        try:
            until = after(breaking)
            # a strategy speaks for the statement: until it has failed, no universal statement is proved against it
            hard = not hinted or stages is None
            broken = refute(statement, until, strategy.get("point", {}), stages, hard=hard) if breakable else None
            if broken is not None:
                return _refuted(statement, broken, reread)
        except (KernelError, RecursionError) as obstacle:
            obstacles.append(str(obstacle))
        try:
            return _proved(statement, _proof(statement, proving, budget, strategy), reread, hint)
        except (Stuck, KernelError, RecursionError) as obstacle:
            obstacles.append(str(obstacle))
        if stages is not None and not strategy:
            with suppress(Stuck, KernelError, RecursionError):
                return _proved(statement, prove_thoroughly(statement, min(FURTHER, 0.3 * budget)), reread, hint)
    why = obstacles[-1] or "none found"
    return Outcome("unknown", None, "searched for counterexamples and proofs", obstacle=why)


def _on_functions(statement: Statement) -> bool:
    """Do the hypotheses speak of functions?  A point gives numbers alone, so it meets no such hypothesis."""
    return any(map(_applies, statement.hypotheses))


def _applies(node: Node) -> bool:
    return isinstance(node, tuple) and (node[0] == "app" or any(map(_applies, node[1:])))


def _proof(statement: Statement, seconds: float, budget: float, strategy: dict[str, Any]) -> Step:
    """By the prover; where a short try fails on sums over symbolic ranges or on convex functions, with facts about
    these."""
    finders = [sum_facts] if symbolic_sums(statement.conclusion) else []
    finders += [chord_facts] if curvatures(statement.hypotheses) else []
    if finders and not strategy:
        with suppress(Stuck, KernelError, RecursionError):
            return prove_statement(statement, min(0.1 * budget, SHORT))
        with suppress(Stuck, KernelError, RecursionError):
            prover = Prover(0.8 * budget, {})
            facts = [hyp(h) for h in statement.hypotheses]
            facts += prover.conditions_of(facts)
            facts += [new for find in finders for new in find(prover, statement.conclusion, facts)]
            return prover.closed(_combined(prover, statement.conclusion, facts), 0)
    return prove_statement(statement, seconds, strategy)


def _combined(prover: Prover, goal: Node, facts: list[Step]) -> Step:
    if goal[0] in RELATIONS:
        with suppress(Stuck, KernelError):
            return prover.combine(goal, facts, 1)
    return prover.solve_with(goal, facts, [], 6)


def _proved(statement: Statement, main: Step, reread: bool, hint: Mapping[str, Any] | None) -> Outcome:
    """The proof, and that its conditions and guards are met, if that is found. KernelError if the kernel rejects it."""
    from qtheory.proofs.tactics.interpretations import met_by

    proposed = (hint or {}).get("met", {})
    functions, met = ((), None) if proposed is None else met_by(statement, proposed)
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


def parsed_hint(statement: Statement, hint: Mapping[str, Any] | None) -> dict[str, Any]:
    """The hint with its texts read in the statement's own language."""
    if not hint:
        return {}

    formula = Reader(statement).goal

    def term(text: str) -> Any:
        node = formula("({}) == 0".format(text.replace("'", "_prime")))[1]
        for name in free(node):  # the variables of epsilon and delta, which a statement cannot name
            node = substitute(node, name, name.replace("_prime", "'"))
        return node

    def lemma(text: str, at: Mapping[str, str] = MappingProxyType({}), where: str = "",
              by: Iterable[Any] = (), along: Sequence[str] = ()) -> Lemma:
        return Lemma(formula(text), {x: term(t) for x, t in at.items()}, formula(where) if where else None, lemmas(by),
                     (along[0], term(along[1])) if along else None)

    def lemmas(entries: Iterable[Any]) -> tuple[Lemma, ...]:
        return tuple(lemma(*((entry,) if isinstance(entry, str) else entry)) for entry in entries)

    out: dict[str, Any] = {}
    out["lemmas"] = lemmas(hint.get("lemmas", ()))
    out["primitives"] = {x: tuple(term(t) for t in ts) for x, ts in hint.get("primitives", {}).items()}
    for kind in ("rate", "order"):
        out[kind] = {x: tuple(t if t == "sqrt" else term(t) for t in ts) for x, ts in hint.get(kind, {}).items()}
    if "cases" in hint:
        out["cases"] = tuple(term(t) for t in hint["cases"])
    for kind in ("witness", "point"):
        if kind in hint:
            out[kind] = {x: term(t) for x, t in hint[kind].items()}
    if "lambert" in hint:
        out["lambert"] = term(hint["lambert"])
    if "bracket" in hint:
        out["bracket"] = tuple(term(t) for t in hint["bracket"])
    return out


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
