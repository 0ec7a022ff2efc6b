"""Derivations: steps typed one by one, each decided at once by the search and the gate over what is declared."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

from qtheory.errors import InputError
from qtheory.progress import progress_lines
from qtheory.proofs import computing, remarks
from qtheory.proofs.alike import apart
from qtheory.proofs.api import check_text
from qtheory.proofs.arguments import fitting, methods_fitting
from qtheory.proofs.bundle import SCHEMA, bearing, names
from qtheory.proofs.chains import formulas
from qtheory.proofs.citing import bibtex, library_version
from qtheory.proofs.context import NAME, Context, properties
from qtheory.proofs.decide import STOPPED, decide
from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import declared
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.latexing import to_text
from qtheory.proofs.limits import require_budget
from qtheory.proofs.proving.lines import Proof
from qtheory.proofs.proving.reading import read_proof, with_way
from qtheory.proofs.rendering import derivation_html, derivation_latex, derivation_text, show
from qtheory.proofs.steps import TAKEN, Step, goal_latex, side_conditions
from qtheory.proofs.tactics.effort import after, left
from qtheory.proofs.verdict import UNMET, Certificate, Verdict
from qtheory.proofs.visible import visible

MAX_BUDGET = 3600.0
SHARES = (0.6, 0.65, 1.0)  # of the time left, for the choices of earlier steps that are tried in turn
RECENT = 6     # how many earlier steps are tried where a step names none
Reference = Any  # a Step, its label, or its number


@dataclass(frozen=True)
class Asked:
    """What a step was asked to say and by what, so that it can be taken again; ``source``: the label of the step that
    terms are put into; ``counted``: the number that an induction is over."""

    kind: str
    goal: str
    by: Any = None
    proof: Callable[[], Proof] = Proof
    source: str = ""
    counted: str = ""


@fitting
def derivation(title: str = "Derivation", *, budget: float = 0.9) -> Derivation:
    """Begin a derivation; ``budget`` is the work, in seconds of an ordinary core, that a step may take to be decided.

    Use it as it is, or as ``with qt.derivation(title) as d:``, which shows each step when it is taken.
    """
    return Derivation(title, budget=budget)


@methods_fitting
class Derivation:
    """Declarations, assumptions, and steps with their standings. It is proved when each of its steps is."""

    def __init__(self, title: str, *, budget: float = 0.9) -> None:
        if not isinstance(title, str) or not title.strip() or len(title) > 300:
            raise InputError("the title of a derivation is a short text")
        require_budget(budget, MAX_BUDGET)
        self.title, self.budget = title, float(budget)
        self.context = Context()
        self._steps: list[Step] = []
        self._asked: list[Asked] = []
        self._former: list[Step] = []  # those that were taken again
        self.nodes: dict[str, tuple[Node, ...]] = {}  # the formulas of each step, by label
        self.written: dict[str, str] = {}  # how names were written in LaTeX
        self.live = False

    # ---- what is given ----

    def symbol(self, name: str, *conditions: Any, unit: str | None = None) -> None:
        """Declare a real symbol: ``d.symbol("p0", "0 < p0 <= 1", unit="1/iteration")``.

        Units are products of powers of s, token, request and iteration; "1" is a plain number; without a unit
        nothing is checked for the symbol.  Raises InputError for a name that is taken and contradictory conditions.
        """
        with self._reopening():
            self.context.symbol(name, conditions, unit)

    def natural(self, name: str, *conditions: Any, unit: str | None = None) -> None:
        """Declare a natural number 0, 1, 2, ..."""
        self.symbol(name, f"{name} in naturals", *conditions, unit=unit)

    def integer(self, name: str, *conditions: Any, unit: str | None = None) -> None:
        """Declare an integer."""
        self.symbol(name, f"{name} in integers", *conditions, unit=unit)

    def function(self, name: str, *wanted: str, on: str = "x >= 0", unit: str | None = None,
                 argument: str | None = None) -> None:
        """Declare a function by properties alone: ``d.function("h", "increasing", "positive", on="x >= 0")``.

        Words: increasing, decreasing (also strictly), convex, concave, positive, nonnegative, each where ``on``,
        a condition on x, holds; anything else is a condition in full.  ``unit`` is of its values, ``argument`` of x.
        """
        check_text("condition on x", on, only="a string")
        with self._reopening():
            self.context.function(name, properties(name, wanted, on), unit, argument)

    def family(self, name: str, size: str, condition: str | None = None, *, unit: str | None = None) -> None:
        """Declare name(1), ..., name(size) for a natural symbol ``size``; ``condition`` is on name(i) for each i."""
        if condition is not None:
            check_text("condition", condition, only="a string")
        every = [] if condition is None else [f"ForAll(i, And(Integer(i), 1 <= i, i <= {size}), {condition})"]
        if "i" in names(self.context.term(size)):
            raise InputError("the size of a family speaks of i, its index; give that symbol another name")
        with self._reopening():
            self.context.function(name, every, unit, None)

    def assume(self, *conditions: Any) -> None:
        """Assume conditions on declared symbols; steps on which they bear, and that are not proved, are taken again.

        Raises InputError where they contradict what holds already.
        """
        if not conditions:
            raise InputError("nothing is assumed; a condition or several are needed: d.assume('x < y')")
        with self._reopening():
            self.context.add(conditions, "assumption")

    @contextmanager
    def _reopening(self) -> Iterator[None]:
        """Whatever conditions come in meanwhile: steps that are not proved, and on which they bear, are taken again."""
        before = len(self.context.conditions)
        yield
        new = {part for c in self.context.conditions[before:] for part in c.nodes}
        everything = [part for c in self.context.conditions for part in c.nodes]
        again: set[str] = set()
        for i, step in enumerate(self.steps):
            about = frozenset().union(*map(names, self.nodes[step.label]))
            if not step.proved and (again & set(step.rests_on) or new & set(bearing(everything, about))):
                self._former.append(step)
                self._steps[i] = self._answered(self._asked[i], self.steps[:i])
                again.add(step.label)
                if self.live:
                    show(self._steps[i])

    def let(self, *definitions: Any) -> None:
        """Define terms: ``d.let("Psi(x) = x/(1-x) + log(1-x)")``."""
        if not definitions:
            raise InputError("nothing is defined; a definition or several are needed: d.let('Psi(x) = x/(1 - x)')")
        for given in definitions:
            self.context.define(self.context.written(given, "definition"))

    define = let

    # ---- steps ----

    def step(self, goal: Any, *, by: Any = None, proof: str | Proof = "") -> Step:
        """Any formula of the statement language, or a SymPy relation.

        ``by`` names the earlier steps that may be used (without it the proved ones are), and says how, in the words of
        docs/proofs.md: ``by=[1, "cases `x - 1`"]``, ``by="induction on `n`"``, ``by="witness `y = x/2`"``. ``proof`` is
        a numbered list in that language, of steps that serve this one alone.
        """
        told = read_proof(proof, "the proof") if isinstance(proof, str) else proof
        return self._take("step", goal, by, lambda: told)

    def equal(self, *terms: Any, by: Any = None) -> Step:
        """a == b (== c ...)."""
        return self._take("equality", self._chain("==", terms), by)

    def less(self, *terms: Any, by: Any = None) -> Step:
        """a < b (< c ...)."""
        return self._take("strict inequality", self._chain("<", terms), by)

    def at_most(self, *terms: Any, by: Any = None) -> Step:
        """a <= b (<= c ...)."""
        return self._take("inequality", self._chain("<=", terms), by)

    def differentiate(self, term: Any, x: Any, to: Any = None, *, order: int = 1, by: Any = None) -> Step:
        """The derivative of a term in x is ``to``; without ``to`` it is computed, and then proved like any other."""
        x = self._text(x, bound="")
        term = self._text(term, bound=x)
        node = self.context.term(term)
        self._symbol(x)
        if type(order) is not int or not 1 <= order <= 6:
            raise InputError(f"the order is {order!r}; a number from 1 to 6 is needed")
        result = computing.slope(node, x, order) if to is None else self._checked(to)
        slope = f"diff({term}, {x})" if order == 1 else f"diff({term}, {x}, {order})"
        return self._take("differentiation", f"{slope} == {result}", by)

    def integrate(self, term: Any, x: Any, low: Any, high: Any, to: Any = None, *, by: Any = None) -> Step:
        """The integral of a term over x from ``low`` to ``high`` is ``to``; without ``to`` it is computed."""
        x = self._text(x, bound="")
        term, low, high = self._text(term, bound=x), self._text(low), self._text(high)
        for end in (low, high):
            self.context.term(end)
        if to is None and any(end.strip(" ()+-") == "oo" for end in (low, high)):
            raise InputError("an integral to infinity is not computed; give the result yourself, with to=...")
        whole = f"Integral({term}, ({x}, {low}, {high}))"
        node = self.context.term(whole)
        result = computing.integral(node) if to is None else self._checked(to)
        return self._take("integration", f"{whole} == {result}", by)

    def expand(self, term: Any, to: Any = None, *, by: Any = None) -> Step:
        """A term is equal to its expansion ``to``; without ``to`` it is computed."""
        term = self._text(term)
        node = self.context.term(term)
        return self._take("expansion", f"{term} == {computing.expanded(node) if to is None else self._checked(to)}", by)

    def substitute(self, step: Reference, values: Mapping[Any, Any], *, by: Any = None) -> Step:
        """An earlier step with terms put for some of its symbols.

        What the step needed of these symbols is proved of the terms, or the new step is not.
        """
        old = self._find(step)
        if not isinstance(values, Mapping):
            raise InputError(f"the terms are {str(values)[:40]!r}; a dictionary such as {{'x': '2*y'}} is needed")
        texts = [(self._text(name), self._text(value)) for name, value in values.items()]
        values = dict(texts)
        if len(values) < len(texts):
            twice = next(name for i, (name, _) in enumerate(texts) if name in dict(texts[:i]))
            raise InputError(f"two terms are given for {str(twice)[:40]}, of which one is needed")
        for name, value in values.items():
            self._symbol(name)
            self.context.term(value)
        goal = computing.substituted(old.goal, values, self.context)

        def proof() -> Proof:
            step = self._find(old)  # as it is by then
            used = [*step.conditions, *(self._find(r).goal for r in step.rests_on)]
            for name in values:  # a condition that nothing used may still bound the symbol
                used += [c.text for c in self.context.conditions if any(name in names(n) for n in c.nodes)]
            return computing.instance(step.goal, used, values) if step.proved else Proof()

        return self._take(f"substitution into ({old.label})", goal, by, proof, source=old.label)

    def solve_unique(self, equation: Any, x: Any, *domain: Any, by: Any = None) -> Step:
        """The equation has exactly one solution x in the domain; by default the declared domain of x."""
        x = self._text(x, bound="")
        self._symbol(x)
        equation = self.context.written(equation, "equation", x)
        domain = tuple(self.context.written(text, "condition", x) for text in domain)
        check_text("equation", equation)
        self.context.node(equation)  # so that a column that is wrong is one of the equation
        where = domain or tuple(c.text for c in self.context.conditions if c.role == f"domain of {x}")
        if not where:
            raise InputError(f"{x} has no declared domain; give one: solve_unique(equation, {x!r}, '0 < {x} < 1')")
        for text in where:
            self.context.parts(text)
            if declared(text, "functions"):
                raise InputError(f"the domain of {x} is of numbers, and {text!r} speaks of functions")
        inside = formulas(where) or [f"{x} <= {x}"]  # the reals
        span = inside[0] if len(inside) == 1 else f"And({', '.join(inside)})"
        return self._take("unique solution", f"ExistsUnique({x}, {span}, {equation})", by)

    def induction(self, n: Any, goal: Any, *, by: Any = None) -> Step:
        """A formula for every natural n, by induction; where that fails, it says which of base and step does."""
        n, goal = self._text(n), self.context.written(goal, "step")
        self._symbol(n)
        if not any(c.text == f"{n} in naturals" for c in self.context.conditions):
            raise InputError(f"induction is over a natural number; declare d.natural({n!r})")
        return self._take(f"induction over {n}", goal, by, counted=n)

    def latex(self, text: str, *, by: Any = None) -> Step:
        """A step in LaTeX: ``d.latex(r"\\zeta > \\theta_0")``; InputError, with the column, outside the grammar."""
        known = {*self.context.units, *self.context.functions, *self.context.let}
        callable_names = {*self.context.functions, *(n for n, (p, _) in self.context.macros.items() if p)}
        hidden = {name: names(term) - {*parameters} for name, (parameters, term) in self.context.macros.items()}
        written = dict(self.written)
        step = self._take("step", to_text(text, known, callable_names, hidden, written), by)
        self.written = written
        return step

    # ---- what came out ----

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that were taken, in their order."""
        return tuple(self._steps)

    @property
    def proved(self) -> bool:
        """Is there a step, and is each of them proved?"""
        return bool(self.steps) and all(s.proved for s in self.steps)

    @property
    def verdict(self) -> str:
        """The standing of the whole in a line."""
        if not self.steps:
            return "no steps yet"
        if self.proved:
            whole = f"proved: all {len(self.steps)} steps" if len(self.steps) > 1 else "proved: its one step"
            unmet = ", ".join(f"({s.label})" for s in self.steps if UNMET in s.verdict.rests)
            return whole + (f" ({UNMET} in {unmet})" if unmet else "")
        left = ", ".join(f"({s.label}) {s.standing}" for s in self.steps if not s.proved)
        return f"not proved: {left}"

    def certificate(self) -> Certificate:
        """All certificates in one file for ``qtheory check``: ``d.certificate().save("derivation.json")``."""
        steps = [{"label": s.label, "goal": s.goal, "rests_on": list(s.rests_on),
                  "verdict": "proved" if s.standing == "conditional" else s.standing,
                  "certificate": None if s.verdict.certificate is None else dict(s.verdict.certificate.data)}
                 for s in self.steps]
        return Certificate({"schema": SCHEMA, "derivation": self.title, "version": library_version(),
                            "let": list(self.context.let.values()), "context": self.context.texts, "steps": steps})

    def save(self, path: str | Path) -> Path:
        """Write the certificate; raises InputError where the file cannot be written."""
        return self.certificate().save(path)

    def cite(self) -> str:
        """A BibTeX entry with the verdict, the version and the hash of the certificate."""
        return bibtex(self.title, self.title, self.verdict, self.certificate().data)

    def to_latex(self) -> str:
        """The derivation as an align environment with reasons (amsmath, amssymb)."""
        return derivation_latex(self)

    def to_markdown(self) -> str:
        """The steps as a numbered list in the language of proofs (docs/proofs.md)."""
        return "".join(f"{s.label}. `{s.goal}`{' by ' * bool(s.rests_on)}{', '.join(s.rests_on)}\n" for s in self.steps)

    def __str__(self) -> str:
        return derivation_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return derivation_html(self)

    def __enter__(self) -> Derivation:
        self.live = True
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.live = False
        if kind is None:
            print(f"{visible(self.title)}: {self.verdict}")

    # ---- deciding ----

    def _take(self, kind: str, goal: Any, by: Any, proof: Callable[[], Proof] = Proof, *, source: str = "",
              counted: str = "") -> Step:
        goal = self.context.written(goal, "step")
        self.context.goal(goal)
        by = tuple(by) if isinstance(by, list | tuple) else by
        asked = Asked(kind, " ".join(goal.split()), by, proof, source, counted)
        step = self._answered(asked, self.steps)
        self._steps.append(step)
        self._asked.append(asked)
        self.context.shown = True
        self.nodes[step.label] = self.context.goal(step.goal)
        if self.live:
            show(step)
        return step

    def _answered(self, asked: Asked, earlier: Sequence[Step]) -> Step:
        """The step after the ``earlier`` ones, on which alone it may rest."""
        with progress_lines(f"step {len(earlier) + 1}"):
            return self._answer(asked, earlier)

    def _answer(self, asked: Asked, earlier: Sequence[Step]) -> Step:
        goal, nodes = asked.goal, self.context.goal(asked.goal)
        named, proof = self._told(asked.by, asked.proof())
        started, deadline = time.perf_counter(), after(self.budget)
        tries = self._choices(nodes, earlier, asked.source) if named is None else [named]
        with apart(self.context.names):
            verdict, extra = self._decided(goal, nodes, tries, proof, deadline)
        used = _used(verdict, extra, self.context)
        rests = tuple(label for label, text in extra if text in used)
        standing = verdict.verdict
        if standing == "proved" and not all(self._find(r).proved for r in rests):
            standing = "conditional"
        overlooked = remarks.overlooked(self.context, verdict, min(remarks.LOOK, max(0.05, left(deadline))))
        if overlooked and standing == "proved":  # that its own conditions are met says little of all
            verdict = verdict.annotated(evidence={"satisfiable": "unknown"})
        why = {"conditional": lambda: remarks.waiting([self._find(r) for r in rests]),
               "refuted": lambda: remarks.mended(self.context, goal, verdict, left(deadline)),
               "unknown": lambda: remarks.remedy(self.context, verdict, nodes, self.budget,
                                                 inductive=bool(asked.counted))}.get(standing, str)()
        base = remarks.base(self.context, goal, asked.counted, self.budget / 2) if (
            asked.counted and standing == "unknown") else ""
        let = tuple(self.context.let.values())
        with apart(self.context.names):
            form = goal_latex(goal, self.context.functions, let) or verdict.latex
        verdict = verdict.annotated(seconds=time.perf_counter() - started)
        return Step(label=str(len(earlier) + 1), kind=asked.kind, goal=goal, standing=standing, verdict=verdict,
                    latex=form, rests_on=rests, note="; ".join(filter(None, (why, overlooked, base))),
                    conditions=tuple(u for u in used if u not in {t for _, t in extra}),
                    side_conditions=side_conditions(nodes), seal=TAKEN)

    def _decided(self, goal: str, nodes: tuple[Node, ...], tries: Sequence[Sequence[Step]],
                 proof: Proof, deadline: float) -> tuple[Verdict, list[tuple[str, str]]]:
        """The verdict, and (label, text) of the earlier steps that were given to the search."""
        for number, steps in enumerate(tries):
            last = number == len(tries) - 1
            given = {s.goal: self.nodes[s.label] for s in steps}
            where = self.context.where(frozenset().union(*map(names, nodes)), given)
            share = max(0.02, left(deadline) * (1.0 if last else SHARES[number]))
            verdict = decide(self.context.statement(goal, where, proof.texts()), proof=proof,
                             budget=remarks.AMBITION * share, cache=True, patience=share)
            if verdict.verdict != "unknown" or last:
                break
        if verdict.note.startswith(STOPPED):  # the last search at the end of its share, and so of all
            verdict = verdict.annotated(note=f"{STOPPED} when the step's {self.budget:g} units of work were spent")
        return verdict, [(s.label, s.goal) for s in steps]

    def _choices(self, nodes: tuple[Node, ...], earlier: Sequence[Step], source: str) -> list[list[Step]]:
        """Which earlier steps to try, one list after the other: none, proved ones, and all; with ``source``, the step
        that is put terms into, however far back it stands."""
        about = frozenset().union(*map(names, nodes))
        near = [s for s in earlier if any(names(n) & about for n in self.nodes[s.label])]
        proved = [s for s in near if s.proved][-RECENT:]
        proved = [s for s in earlier if s.label == source and s.proved and s not in proved] + proved
        unproved = [s for s in near if not s.proved][-RECENT:]
        return [[], *([proved] if proved else []), *([[*proved, *unproved]] if unproved else [])]

    # ---- reading arguments ----

    def _chain(self, relation: str, terms: Sequence[str]) -> str:
        if len(terms) < 2:
            call = {"==": "equal", "<": "less", "<=": "at_most"}[relation]
            raise InputError(f"two terms or more are needed for {relation}, each on its own: d.{call}('x', '1'); "
                             "a whole comparison is a step: d.step('x < 1')")
        texts = [self._text(t) for t in terms]
        for text in texts:
            self.context.term(text)
        return f" {relation} ".join(t.strip() for t in texts)

    def _text(self, value: Any, bound: str | None = None) -> Any:
        """A number or a SymPy object as the text of a term; anything else as it is."""
        number = isinstance(value, int | Fraction) and not isinstance(value, bool)
        return str(value) if number else self.context.written(value, "term", bound)

    def _checked(self, value: Any) -> str:
        text: str = self._text(value)
        self.context.term(text)
        return text

    def _symbol(self, name: Any) -> None:
        if not isinstance(name, str) or name not in self.context.units:
            shown = " ".join(str(name)[:60].split())
            if not isinstance(name, str) or not NAME.fullmatch(name):
                raise InputError(f"{shown!r} stands where the name of a declared symbol is needed")
            raise InputError(f"the symbol {shown} is used before it is declared; write d.symbol({shown!r}, ...) first")

    def _told(self, by: Any, proof: Proof) -> tuple[list[Step] | None, Proof]:
        """The steps that ``by`` names, None where it names none, and the proof with the ways that it says."""
        named: list[Step] = []
        for reference in [] if by is None else by if isinstance(by, list | tuple) else [by]:
            if isinstance(reference, str) and "`" in reference:
                proof = with_way(proof, reference)
            else:
                named.append(self._find(reference))
        only_ways = not named and by is not None and by != [] and by != ()
        return (None if by is None or only_ways else named), proof

    def _find(self, reference: Reference) -> Step:
        label = reference.label if isinstance(reference, Step) else str(reference)
        with suppress(StopIteration):
            step = next(s for s in self.steps if s.label == label)
            if not isinstance(reference, Step) or any(reference is s for s in (step, *self._former)):
                return step
        raise InputError(f"there is no step {label[:40]!r} in this derivation")


def _used(verdict: Verdict, extra: Sequence[tuple[str, str]], context: Context) -> tuple[str, ...]:
    """The conditions and earlier steps, as texts, that the certificate's proof uses; none for other verdicts."""
    if verdict.verdict != "proved" or verdict.certificate is None:
        return ()
    _, reader = check(verdict.certificate.data)  # which the gate has asked both checkers for: here, what it uses
    hyps = reader.steps[verdict.certificate.data["main"]].hyps
    own = {part for c in context.conditions for part in c.nodes}
    covered = {text for _, text in extra}
    # an earlier step that says what is a condition anyway is not needed
    return tuple(t for t in verdict.hypotheses if t not in covered or (hyps & set(context.parts(t))) - own)


__all__ = ["Derivation", "derivation"]
