"""A theorem at one case: the point that the given values and the hypotheses' equations make, and what holds there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from qtheory.errors import InputError, QTheoryError, UnknownNameError
from qtheory.proofs.arguments import fitting
from qtheory.proofs.bundle import names
from qtheory.proofs.kernel.terms import Node, free
from qtheory.testing.claims import TRUE, Conjecture, Part, Theorem, theorem_of
from qtheory.testing.collecting import put_off
from qtheory.testing.errors import BrokenHypothesesError, MissingValueError, TheoremFailedError
from qtheory.testing.implementations import Implementation, Tolerance, calls, implementations, judged, rational
from qtheory.testing.places import Place, solved
from qtheory.testing.series import UndecidedError, shown
from qtheory.testing.truth import decimal, failing, truth, whole_number

Using = Mapping[str, Callable[..., Any]]
NOTHING: Using = {}
EXACT = Tolerance()


@dataclass(frozen=True)
class Case(Mapping[str, Any]):
    """One case of a theorem: the value of each variable, exact where it was chosen, a float where it was solved for.

    ``checked``: the conclusions that hold there; ``left_out``: those that no single case decides, or that need a
    value for a further variable; ``compared``: how often an implementation was held against the true value.
    """

    id: str
    point: Mapping[str, Fraction | float]
    part: int = 0
    checked: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    compared: int = 0
    places: tuple[Place, ...] = field(default=(), repr=False, compare=False)

    def __getitem__(self, name: str) -> Any:
        return self.point[name]

    def __getattr__(self, name: str) -> Any:
        hint = f"; a value of the case is case[{name!r}]" if name in self.__dict__.get("point", ()) else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}", name=name, obj=self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.point)

    def __len__(self) -> int:
        return len(self.point)

    def __hash__(self) -> int:
        return hash((self.id, tuple(self.point.items())))

    def __repr__(self) -> str:
        shown = ", ".join(f"{n}≈{v:.6g}" if isinstance(v, float) else f"{n}={written(v)}"
                          for n, v in self.point.items())
        return f"Case({self.id!r}, {shown})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What hypothesis prints of a failing case."""
        printer.text(repr(self))


@dataclass(frozen=True)
class FailedCase(Case):
    """Stands for the case of an assertion that failed while pytest collects: whoever asks for its values is told."""

    error: QTheoryError | TheoremFailedError = field(kw_only=True)

    def __getattribute__(self, name: str) -> Any:
        if name in ("point", "checked", "left_out", "compared", "places"):
            raise object.__getattribute__(self, "error").with_traceback(None)
        return super().__getattribute__(name)

    def __repr__(self) -> str:
        return f"FailedCase({self.id!r})"


class Question:
    """What is asked of a theorem: for which of the user's implementations, and how exactly."""

    def __init__(self, name: str | Conjecture, using: Using = NOTHING, tolerance: Tolerance = EXACT) -> None:
        self.theorem: Theorem = theorem_of(name)
        self.own: list[Implementation] = implementations(self.theorem, using)
        self.using = frozenset(o.name for o in self.own)
        self.tolerance = tolerance
        self.undecided: set[str] = set()  # what no enclosure decided, and at which points that were looked at
        self.compared: Counter[str] = Counter()  # how often an implementation was held against the true value
        self.reason = ""  # why none was, to end a message with
        self._needed: dict[Part, frozenset[str]] = {}
        self.parts = [i for i, p in enumerate(self.theorem.parts) if p.finite or p.names & self.using]

    def asked(self, part: Part) -> list[Implementation]:
        """The implementations of what the part speaks of: definitions, and variables on which it depends."""
        names = self.theorem.needed(part, part.names & self.using)
        return [o for o in self.own if o.name in names or o.name in self.theorem.macros]

    def needed(self, part: Part) -> frozenset[str]:
        """The variables of which a case of the part needs the values."""
        if part not in self._needed:
            besides = (part.names & self.using).union(*map(self._behind, self.asked(part)))
            self._needed[part] = self.theorem.needed(part, besides)
        return self._needed[part]

    def _behind(self, own: Implementation) -> frozenset[str]:
        """The variables that an implementation takes, and those in the definition that it stands for."""
        theorem = self.theorem
        said = [theorem.call(n) for n in own.parameters if n not in theorem.variables]
        said += [theorem.macros[own.name][1]] if own.name in theorem.macros else []
        formals = theorem.macros[own.name][0] if own.name in theorem.macros else ()
        return frozenset(own.parameters).union(*map(free, said)) - set(formals)

    def reached(self, part: Part) -> frozenset[str]:
        """The implementations of which a case of the part tells anything."""
        return frozenset(o.name for o in self.asked(part) if self._met(o, self.needed(part)))

    def _met(self, own: Implementation, known: frozenset[str]) -> bool:
        """Is a value of it known where those variables are?"""
        if own.name in known or not own.leading:
            return own.name in known or not self._speaks_of_functions(own)
        return any(frozenset().union(*map(free, a)) <= known for a in calls(self.theorem, own.name))

    def _speaks_of_functions(self, own: Implementation) -> bool:
        """Does the definition that it stands for speak of a function of which nothing but properties is known?"""
        return own.name in self.theorem.macros and not names(
            self.theorem.macros[own.name][1]).isdisjoint(self.theorem.functions)

    # ---- the point ----

    def literals(self, part: Part) -> tuple[Node, ...]:
        """The conditions that a case of the part must meet, as far as they bear on it."""
        needed = self.needed(part)
        return tuple(f for f in self.theorem.literals(part) if free(f) - self.theorem.functions <= needed)

    def places(self, part: Part, given: Mapping[str, Fraction]) -> list[Place]:
        """The points that the given values leave, at which each condition is shown to hold.

        Raises BrokenHypothesesError where one is shown to fail, MissingValueError for a variable that lacks a value,
        UndecidedError where the enclosures tell neither, TheoremFailedError where an implementation supplies a
        value that breaks a condition on it.
        """
        needed, literals = self.needed(part), self.literals(part)
        start = Place({v: q for v, q in given.items() if v in needed})
        unknown = sorted(needed - given.keys())
        settled = [f for f in literals if free(f) <= start.values.keys()]
        self._meeting(settled, [start], frozenset())
        found, left = solved(literals, unknown, start)
        supplied = [o for o in self.asked(part) if o.name in left]
        if left:
            names = {o.name for o in supplied}
            others = [v for v in unknown if v not in names]
            found, left = solved([f for f in literals if not free(f) & names], others, start)
        if left:
            count = f"{len(left)} of " if len(left) < len(unknown) else ""
            raise MissingValueError(f"{self.theorem.id}: the case needs a value for {count}{', '.join(unknown)}")
        for place in found:
            for own in supplied:
                place.values[own.name] = own.value((), own.named(self.theorem, place, self.whole(literals)))
        return self._meeting([f for f in literals if f not in settled], found, frozenset(o.name for o in supplied))

    def whole(self, literals: Iterable[Node]) -> frozenset[str]:
        """The variables that the conditions declare to be integers."""
        return frozenset(v for f in literals for v in free(f) if whole_number(f, v))

    def _meeting(self, literals: Sequence[Node], found: Sequence[Place], supplied: frozenset[str]) -> list[Place]:
        """The places at which each of the literals holds."""
        met, broken = [], ""
        for place in found:
            verdicts = {f: truth(f, place) for f in literals}
            failed = [f for f, v in verdicts.items() if v is False]
            undecided = [f for f, v in verdicts.items() if v is None]
            if failed:
                broken = broken or "; ".join(line for f in failed for line in failing(f, place))
                if all(free(f) & supplied for f in failed):
                    raise TheoremFailedError(f"{', '.join(sorted(supplied))} does not meet its condition: {broken}\n"
                                             f"  at {self.text(place)}")
            elif undecided:
                raise UndecidedError(f"{self.theorem.id}: not decided whether {shown(undecided[0])} "
                                     f"at {self.text(place)}{place.reason}")
            else:
                met.append(place)
        if met:
            return met
        if not found:
            raise UndecidedError(f"{self.theorem.id}: no solution of its equations was found at the given values")
        raise BrokenHypothesesError(f"the case breaks a hypothesis of {self.theorem.id!r} at {self.text(found[0])}: "
                                    f"{broken}")

    def text(self, place: Place) -> str:
        numbers = {v: place.number(v) for v in sorted(place.values)}
        return ", ".join(f"{v} = {decimal(v, place) if q is None else written(q)}" for v, q in numbers.items())

    # ---- the conclusion ----

    def holds(self, part: Part, place: Place) -> Counter[str]:
        """Check the part's conclusion and the implementations there; how many comparisons of each there were."""
        try:
            compared = Counter({o.name: judged(self.theorem, o, place, self.whole(self.literals(part)), self.tolerance)
                                for o in self.asked(part)})
        except TheoremFailedError as error:
            raise TheoremFailedError(f"{self.theorem.id}: {error}\n  at {self.text(place)}") from error.__cause__
        self.compared += compared
        self.reason = place.reason
        said = self.said(part, place)
        if said is None:
            raise UndecidedError(f"{self.theorem.id}: the enclosures do not decide {part} at {self.text(place)}"
                                 f"{place.reason}")
        if not said:
            why = "\n  ".join(failing(part.conclusion, place)) or str(part)
            raise TheoremFailedError(f"{self.theorem.id} fails: {why}\n  at {self.text(place)}")
        return compared

    def said(self, part: Part, place: Place) -> bool | None:
        """Is the part's conclusion true there?  True also where no case decides it: then only functions are judged."""
        if part.finite and part.conclusion not in place.verdicts:
            place.verdicts[part.conclusion] = truth(part.conclusion, place)
        return place.verdicts[part.conclusion] if part.finite else True

    def case(self, number: int, places: Sequence[Place], **seen: Any) -> Case:
        place = places[0]
        values = {v: q if (q := place.number(v)) is not None else place.nearest(v) for v in sorted(place.values)}
        return Case(self.theorem.id, values, number, places=tuple(places), **seen)

    def given(self, case: Mapping[str, Any]) -> dict[str, Fraction]:
        """A case's values as exact rationals; with implementations, those of the floats that these are called with.

        Raises BrokenHypothesesError where they break a hypothesis, also one on which nothing here depends.
        """
        out = {}
        for name, value in case.items():
            if name not in self.theorem.variables:
                raise UnknownNameError(f"variable of {self.theorem.id}", name, sorted(self.theorem.variables))
            try:
                exact = rational(value)
                seen = Fraction(float(exact)) if self.own else exact
            except (TypeError, ValueError, OverflowError, ZeroDivisionError):
                raise InputError(f"{name} is {repr(value)[:60]}; a number is needed: an int, a Fraction, a float, or "
                                 "a text such as '0.1' or '1/3'") from None
            out[name] = seen
        self._meeting([h for h in self.theorem.hypotheses if free(h) <= out.keys()], [Place(out)], frozenset())
        return out


def written(value: Fraction) -> str:
    """A rational in short: as a float's decimal notation where it is a float's value and no simple fraction."""
    return repr(float(value)) if value.denominator > 1000 and float(value) == value else str(value)


@fitting
def assert_theorem(id: str | Conjecture, /, using: Using = NOTHING, *, rtol: float = 1e-9, ulps: float | None = None,
                   **case: Any) -> Case:
    """Assert a proved claim at one case, for your own implementation of its symbols where ``using`` gives one.

    ``id``: of the corpus; ``note.md#ID`` of a file or folder of your own, which is refereed first; or a ``conjecture``.
    ``case`` gives values for the claim's variables.  A float is the binary number that it is; a text is a decimal or
    a fraction as printed (``p0="0.1"`` is 1/10); ints, Fractions and Decimals are exact.  A variable that an equation
    of the hypotheses fixes (a threshold, a root) may be left out: it is solved for.  ``using`` maps a variable or a
    definition of the claim to a function.  Its parameters are named after the claim's variables, or come first in the
    order of the definition's own; it is called with floats (ints for integers) and its value must lie within
    ``rtol``, or ``ulps`` units in the last place, of the true one.  A variable that no equation fixes is taken from
    the function, and must then meet each hypothesis that speaks of it.  With ``using``, each given value is first
    rounded to the float with which the function is called.

    >>> import math
    >>> case = assert_theorem("eb.prop-3.1.zeta", p0="0.01", alpha_p="0.03", alpha_d="0.02")
    >>> round(case["theta0"], 6)
    0.154939
    >>> case = assert_theorem("eb.eq-13.final", {"zeta": lambda x: -math.log1p(-x)}, theta=0.5, N=64, p0=0.01,
    ...                       alpha_d=0.02, beta_d=1e-4)
    >>> round(case["s"], 3)  # where zeta(theta) = p0 s
    69.315

    Every decision is by enclosures in exact arithmetic, of which the precision is raised until they decide; two sides
    of an equation must agree to 80 bits, and no enclosure tell them apart.  Returns the case, with what was checked and
    what no single case decides.

    Raises TheoremFailedError (an AssertionError) with both sides' values; BrokenHypothesesError for a case that tells
    nothing because it breaks a hypothesis; UndecidedError where no enclosure decides; NotATheoremError for a refuted
    claim, naming its correction; NoFiniteCasesError (a TypeError) for a claim about no single case; UnknownNameError
    for an unknown claim or variable, naming the nearest; InputError for a variable that lacks a value.  In a module
    that pytest collects, outside of its tests, that is the failure of an item of its own.
    """
    __tracebackhide__ = True
    try:
        return _asserted(Question(id, using, Tolerance(rtol, ulps)), case)
    except (QTheoryError, TheoremFailedError) as error:
        if put_off(f"assert_theorem({str(id)!r})", error):
            return FailedCase(str(id), {}, error=error)
        raise error.with_traceback(None) from error.__cause__  # a test shows its own line and the message


def _asserted(question: Question, case: Mapping[str, Any]) -> Case:
    """Check every part that the case reaches."""
    given = question.given(case)
    checked, compared, reached = [], Counter[str](), []
    left_out = [str(p) for p in question.theorem.parts if not p.finite and p.conclusion != TRUE]
    unreached: list[QTheoryError] = []
    for number in question.parts:
        part = question.theorem.parts[number]
        try:
            places = question.places(part, given)
        except (BrokenHypothesesError, MissingValueError, UndecidedError) as error:  # of what this part supposes
            if not part.suppositions and not isinstance(error, MissingValueError):
                raise
            unreached.append(error)
            left_out += [str(part)] if part.finite and not isinstance(error, BrokenHypothesesError) else []
            continue
        for place in places:
            compared += question.holds(part, place)
        checked += [str(part)] if part.finite else []
        reached.append((number, places))
    if not reached:
        raise unreached[0]
    if never := sorted(question.using - (+compared).keys()):
        raise InputError(f"{question.theorem.id}: no value of {', '.join(never)} occurs at this case")
    return question.case(*reached[0], checked=tuple(checked), left_out=tuple(left_out), compared=compared.total())


__all__ = ["Case", "Question", "assert_theorem"]
