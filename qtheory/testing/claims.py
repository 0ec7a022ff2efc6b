"""A proved claim, or a conjecture, as something that can be tested: variables, hypotheses, and what it concludes about
one case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

from qtheory.errors import InputError, QTheoryError
from qtheory.proofs.api import prove, read
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.corpus import claims, find, placed, referee
from qtheory.proofs.kernel.grammar import Macro, expand
from qtheory.proofs.kernel.statements import Statement, conjuncts, declared, definition
from qtheory.proofs.kernel.terms import KernelError, Node, free, substitute
from qtheory.proofs.records import STANDING, records
from qtheory.proofs.verdict import Verdict, point_text
from qtheory.testing.collecting import asked_for, put_off
from qtheory.testing.errors import NoFiniteCasesError, NotATheoremError
from qtheory.testing.series import closed, shown, unfolded
from qtheory.testing.telling import keep_undecided, known_undecided, slowly
from qtheory.testing.truth import existence, finite

TRUE: Node = ("and",)


@dataclass(frozen=True)
class Part:
    """One conclusion, what it supposes besides the hypotheses, and the variables that it adds (a ForAll's)."""

    suppositions: tuple[Node, ...]
    conclusion: Node
    added: tuple[str, ...]
    finite: bool  # can a single case decide it?

    @cached_property
    def names(self) -> frozenset[str]:
        """The free variables; without the conclusion's where no case decides that."""
        said = (self.conclusion,) if self.finite else ()
        return frozenset().union(*(free(f) for f in (*self.suppositions, *said)))

    def __str__(self) -> str:
        return shown(self.conclusion)


@dataclass(frozen=True)
class Theorem:
    """``hypotheses`` can be decided at a case, ``assumed`` (about functions) cannot; ``macros`` are definitions."""

    id: str
    statement: Statement
    hypotheses: tuple[Node, ...]
    assumed: tuple[Node, ...]
    parts: tuple[Part, ...]
    macros: dict[str, Macro]

    @cached_property
    def variables(self) -> frozenset[str]:
        """The names that a case may give values for."""
        names = frozenset().union(*(p.names for p in self.parts), *(free(h) for h in self.hypotheses))
        return names - self.functions

    @cached_property
    def functions(self) -> frozenset[str]:
        return frozenset(n for w in self.statement.where for n in declared(w, "functions"))

    def literals(self, part: Part) -> tuple[Node, ...]:
        """What a case of this part meets: its suppositions, and the hypotheses."""
        return tuple(dict.fromkeys((*self.hypotheses, *part.suppositions)))

    def needed(self, part: Part, besides: Iterable[str] = ()) -> frozenset[str]:
        """The variables on which the part, if a case decides it, and those named besides depend, through the
        hypotheses as well."""
        names = frozenset(besides) & self.variables | (part.names if part.finite else frozenset())
        grown = True
        while grown:
            linked = [free(f) for f in self.literals(part) if free(f) & names and f[0] != "isint"]
            wider = names.union(*linked)
            grown, names = wider != names, wider
        return names & self.variables

    def call(self, name: str, *arguments: Node) -> Node:
        """A definition's term at these arguments."""
        return expand(name, self.macros[name], list(arguments)) if arguments else self.macros[name][1]


@dataclass(frozen=True)
class Conjecture:
    """A statement of which nobody says that it is proved; as a decorator, a test that draws cases of it."""

    goal: str
    read: Statement | QTheoryError  # an error is one that a test raises, see ``collecting``

    def __str__(self) -> str:
        return self.goal

    @property
    def statement(self) -> Statement:
        if isinstance(self.read, QTheoryError):
            raise self.read
        return self.read

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        from qtheory.testing.theorems import theorem

        return theorem(self)(function)


@partial(asked_for, lambda error: Conjecture("conjecture(...)", error),
         using="functions go with the test: theorem(conjecture(...), using={'f': f})")
def conjecture(goal: Any, where: Any = (), *, let: Any = (), budget: float = 3.0) -> Conjecture:
    """A statement without a file, for ``assert_theorem``, ``@theorem`` and ``cases``, or as a decorator of its own.

    ``goal``, ``where``, ``let`` are as for ``qtheory.prove``.  The referee looks at it first, for ``budget`` units of
    work: what it refutes is none.  A test that passes has found no case against it, which is no proof.

    >>> from qtheory.testing import assert_theorem, conjecture
    >>> load = conjecture("W > 0", where=["0 < rho", "rho < 1", "mu > 0"], let="W = rho/(mu*(1 - rho))")
    >>> assert_theorem(load, {"W": lambda rho, mu: rho / (mu - rho * mu)}, rho=0.5, mu=2).compared
    1

    Raises NotATheoremError, with the counterexample, for what is refuted; InputError for what is no statement, and for
    conditions that contradict each other.  In a module that pytest collects, outside of its tests, that is the
    failure of the test that the conjecture is for, or of an item of its own, and the other tests are run; in a module
    that it imports, it is raised there.
    """
    __tracebackhide__ = True  # a test shows its own line and the message
    try:
        statement = _unrefuted(goal, where, let, budget)
    except QTheoryError as error:
        if not put_off(f"conjecture({str(goal)!r})", error):
            raise
        return Conjecture(str(goal), error)
    return Conjecture(statement.goal, statement)


def _unrefuted(goal: Any, where: Any, let: Any, budget: float) -> Statement:
    """The statement, unless the referee refutes it."""
    __tracebackhide__ = True
    statement = read(goal, where, let)
    if known_undecided(statement, budget):
        return statement
    with slowly(f"refereeing {statement.goal!r}"):
        verdict = prove(statement.goal, statement.where, let=statement.let, budget=budget)
    if verdict.verdict == "refuted":
        raise NotATheoremError(f"{statement.goal!r} is refuted{_failing(verdict)}")
    if verdict.verdict == "unknown":
        keep_undecided(statement, budget)
    return statement


def _failing(verdict: Verdict) -> str:
    """Where it is refuted, and what has no value there."""
    point = point_text(verdict.counterexample or {})
    missing = f"; {verdict.undefined} has no value there" if verdict.undefined else ""
    return f" at {point}" * bool(point) + missing


def theorem_of(name: str | Conjecture) -> Theorem:
    """The proved claim of that id, or of one's own as ``note.md#ID``, or a conjecture.

    Raises UnknownNameError with the nearest ids, NotATheoremError for one that is refuted or not proved, and
    NoFiniteCasesError (a TypeError) for one that says nothing about single cases.
    """
    if isinstance(name, Conjecture):
        return _conjectured(name)
    if not isinstance(name, str):
        raise InputError(f"the claim is {name!r}; first comes its id, such as 'eb.prop-3.1', or a conjecture; "
                         "functions and values of symbols follow by name")
    with slowly(f"reading {name}"):
        source, id = placed(name)
        if source is None:
            return _recorded(name)
    claim = claims(source)[id]
    if name not in _own or _own[name][0] is not claim:  # the file may have changed since
        with slowly(f"refereeing {name}"):
            verdict = referee(claim, kept=True)
        better = f"{name.rpartition('#')[0]}#{claim.corrected_by}" if claim.corrected_by in claims(source) else ""
        _own[name] = claim, _asked(name, claim, verdict.verdict, f"is {verdict.title}", better, _failing(verdict))
    return _own[name][1]


_own: dict[str, tuple[Claim, Theorem]] = {}  # by name, for the claim as it was read


@cache
def _recorded(name: str) -> Theorem:
    claim = find(name)
    verdict = records().get(name, {}).get("verdict", "")
    return _asked(name, claim, verdict, f"is recorded as {verdict or 'nothing yet'}", claim.corrected_by or "")


@cache
def _conjectured(conjecture: Conjecture) -> Theorem:
    return _with_cases(_read(str(conjecture), conjecture.statement), repr(str(conjecture)))


def _asked(name: str, claim: Claim, verdict: str, told: str, better: str, failing: str = "") -> Theorem:
    """The theorem that a claim with this verdict is."""
    if verdict in ("refuted", "contradicted"):
        raise NotATheoremError(f"{name!r} is {verdict} as printed{failing}, so it is no theorem to assert"
                               + (f"; its correction is {better!r}" if better else ""))
    if claim.statement is None:
        raise NoFiniteCasesError(f"{name!r} ({claim.kind}) is {_nature(claim.kind)}: it has no cases to draw")
    if verdict not in STANDING:
        raise NotATheoremError(f"{name!r} {told}, so it is no theorem to assert")
    return _with_cases(_read(name, claim.statement), f"{name!r} ({claim.kind})")


def _with_cases(theorem: Theorem, told: str) -> Theorem:
    """The theorem, unless it says nothing about single cases."""
    if not theorem.variables:
        raise NoFiniteCasesError(f"{told} has no variables: it is a fact about printed numbers")
    if not any(p.finite for p in theorem.parts):
        raise NoFiniteCasesError(f"{told} has no finite cases: it states a limit, or speaks of "
                                 "functions and of all of infinitely many values at once")
    return theorem


def _nature(kind: str) -> str:
    return {"algorithm": "a statement about a process or an algorithm", "table value": "a printed number",
            "empirical": "a measurement"}.get(kind, "no formula of the statement language")


def _read(name: str, statement: Statement) -> Theorem:
    functions = {n for w in statement.where for n in declared(w, "functions")}
    macros: dict[str, Macro] = {}
    for text in statement.let:
        head, macro = definition(text, macros, functions)
        macros[head] = macro
    spoken = {head: (formals, closed(body)) for head, (formals, body) in macros.items()}
    said = [part for h in statement.hypotheses for part in conjuncts(unfolded(h))]
    return Theorem(name, statement, tuple(h for h in said if finite(h)), tuple(h for h in said if not finite(h)),
                   tuple(_parts(unfolded(statement.conclusion), frozenset(statement.variables))), spoken)


def _parts(formula: Node, taken: frozenset[str], suppositions: tuple[Node, ...] = (),
           added: tuple[str, ...] = ()) -> Iterator[Part]:
    """The conclusions one by one: under ForAll a further variable, under Implies a further supposition."""
    head = formula[0]
    if head == "and":
        for f in formula[1:]:
            yield from _parts(f, taken, suppositions, added)
    elif head == "imp" and all(map(finite, conjuncts(formula[1]))):
        yield from _parts(formula[2], taken, (*suppositions, *conjuncts(formula[1])), added)
    elif head == "all" and not finite(formula):
        fresh = spelled(formula[1])
        while fresh in taken:
            fresh += "_"
        try:
            body = substitute(formula[2], formula[1], fresh)
        except KernelError:
            yield Part(suppositions, formula, added, False)
            return
        yield from _parts(body, taken | {fresh}, suppositions, (*added, fresh))
    else:
        yield Part(suppositions, formula, added, finite(formula))
        root = existence(formula) if head == "ex" else None
        if root is not None and root[0] not in taken:  # an implementation may say which one it is
            yield Part((*suppositions, *conjuncts(root[1])), TRUE, (*added, root[0]), False)


def spelled(name: str) -> str:
    """A bound variable's name as a Python keyword: the grammar's own have a prime."""
    return name.replace("'", "_")


__all__ = ["Conjecture", "Part", "Theorem", "conjecture", "theorem_of"]
