"""The decorator that turns a proved claim into a test of one's own implementation."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import HealthCheck, Phase, example, given
from hypothesis import settings as Settings

from qtheory.errors import InputError, QTheoryError, UnknownNameError
from qtheory.testing.asserting import NOTHING, Case, Question, Using
from qtheory.testing.claims import Conjecture
from qtheory.testing.collecting import FAILING, asked_for, put_off
from qtheory.testing.drawing import Source, source_of
from qtheory.testing.errors import TheoremFailedError
from qtheory.testing.implementations import Tolerance
from qtheory.testing.series import UndecidedError

Test = Callable[..., Any]
NOT_RUN = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much)  # a case is certified in exact arithmetic
USED, APPLIED = "_hypothesis_internal_use_settings", "_hypothesis_internal_settings_applied"  # attributes of a test


@partial(asked_for, lambda error: partial(_failing, error))
def theorem(id: str | Conjecture, /, using: Using = NOTHING, *, max_examples: int = 100, rtol: float = 1e-9,
            ulps: float | None = None, settings: Settings | None = None) -> Callable[[Test], Test]:
    """Make a test of a proved claim: it draws cases that meet the hypotheses and checks the conclusion at each.

    ``id``, ``using``, ``rtol`` and ``ulps`` are as for ``assert_theorem``.  After the check the decorated function
    runs: its parameters named after the claim's variables get their values, one named ``case`` the whole case, and any
    other stays a pytest fixture; its body may be empty.  ``settings``: hypothesis settings to begin with, for example
    ``settings(derandomize=True)``; ``max_examples`` is put into them.  hypothesis' ``@settings(...)`` above or below
    the decorator is taken instead of both.

    ::

        @theorem("eb.prop-3.1", using={"theta0": my_base_threshold})
        def test_base_threshold():
            pass

        @theorem("eb.sec-3.2.1.Td", using={"Td": my_decode_duration}, ulps=64)
        def test_decode_duration(k, N):
            assert 1 <= k < N

    A failure is shown at the plainest case that hypothesis finds.  Where all that are drawn pass, the cases where
    the hypotheses end, and next to there, are tried, up to ``max_examples`` of them.  Points at which no
    enclosure decides the conclusion are left out, and a warning names one.  The decorated function raises what
    ``assert_theorem`` raises.  What is wrong with the decorator's own arguments, or a misspelt or refuted claim, is in
    a module that pytest collects a failure of that test alone, and raised at once anywhere else.
    """
    __tracebackhide__ = True  # a test shows its own line and the message
    try:
        if isinstance(max_examples, bool) or not isinstance(max_examples, int) or max_examples < 1:
            raise InputError(f"max_examples is {max_examples!r}; a whole number of at least 1 is needed")
        base = Settings(_fit(settings or _usual()), max_examples=max_examples)
        question = Question(id, using, Tolerance(rtol, ulps))
        source = source_of(question)
    except QTheoryError as error:
        if not put_off(f"theorem({str(id)!r})", error):
            raise error.with_traceback(None) from error.__cause__
        return partial(_failing, error)

    def decorate(function: Test) -> Test:
        __tracebackhide__ = True
        _function(function)
        try:
            test = given(case=source.cases())(_asking(question, function))
            if settings is not None:
                return _with_ends(base(test), source, max_examples)
            if not hasattr(test, APPLIED):  # theirs may yet be applied above, once
                setattr(test, USED, base)
            return _with_ends(test, source, max_examples)
        except QTheoryError as error:
            if not put_off(f"theorem({str(id)!r})", error):
                raise error.with_traceback(None) from error.__cause__
            return _failing(error, function)

    return decorate


def _function(test: object) -> None:
    """Anything else is refused at once: what it is made into may not be collected, and no test raises the error."""
    __tracebackhide__ = True
    if inspect.isclass(test):
        raise InputError(f"{test.__name__}: a test of a theorem is a function; decorate the methods of the "
                         "class, whose tests would not be run")
    if not callable(test) or not hasattr(test, "__name__"):
        raise InputError(f"a test of a theorem is a plain function, not of type {type(test).__name__}; write "
                         "one that calls it, or the decorator below @classmethod")


def _asking(question: Question, function: Test) -> Test:
    """A test that asks the question at its case, and then runs the function."""
    if any(kind(function) for kind in NOT_RUN):
        raise InputError(f"{function.__name__}: a test of a theorem is a plain function; an asynchronous one, or a "
                         "generator, would not be run")
    if unnamed := [str(p) for p in inspect.signature(function).parameters.values() if p.kind not in NAMED]:
        raise InputError(f"{function.__name__}: a test of a theorem is called by the names of its parameters, and "
                         f"{' and '.join(unnamed)} cannot be; write their names")
    wanted = _wanted(question, function)
    others = [p for n, p in inspect.signature(function).parameters.items() if n not in wanted]
    names = [p.name for p in others]

    def run(*arguments: Any, case: Case, **fixtures: Any) -> None:
        __tracebackhide__ = True
        try:
            for place in case.places:
                question.holds(question.theorem.parts[case.part], place)
        except (QTheoryError, TheoremFailedError) as error:
            raise error.with_traceback(None) from error.__cause__  # the message says where and what
        values = {n: case if n == "case" else case.get(n) for n in wanted}
        if function(**values, **fixtures, **dict(zip(names, arguments, strict=False))) is not None:
            raise InputError(f"{function.__name__}: a test returns nothing; did you mean assert?")

    _stand_for(function, run)
    added = inspect.Parameter("case", inspect.Parameter.KEYWORD_ONLY)
    run.__signature__ = inspect.Signature([*others, added])  # type: ignore[attr-defined]
    return run


def _usual() -> Settings:
    """hypothesis' own settings, or those of the profile that is loaded."""
    return Settings.default or Settings()


def _fit(settings: Settings) -> Settings:
    """The settings, where they are hypothesis' own defaults as cases need them: each is certified in exact arithmetic.

    No deadline then, and no phase that traces every line.
    """
    usual = _usual()
    phases = [p for p in usual.phases if p is not Phase.explain] if settings.phases == usual.phases else settings.phases
    return Settings(settings, deadline=None if settings.deadline == usual.deadline else settings.deadline,
                    phases=phases, suppress_health_check={*SLOW, *settings.suppress_health_check})


def _applied(test: Test, max_examples: int) -> Settings:
    """The settings of the test: those that a decorator above or below it gives, as cases need them."""
    settings: Settings = getattr(test, USED)
    if not hasattr(test, APPLIED):
        return settings
    own = settings.max_examples != _usual().max_examples
    return Settings(_fit(settings), max_examples=settings.max_examples if own else max_examples)


def _with_ends(test: Test, source: Source, max_examples: int) -> Test:
    """The test, and after it the same at each case next to where the conditions end: a few drawn ones may miss them."""
    asked = test.hypothesis.inner_test  # type: ignore[attr-defined]

    def run(*arguments: Any, **fixtures: Any) -> None:
        __tracebackhide__ = True
        base = _applied(test, max_examples)
        setattr(test, USED, base)
        test(*arguments, **fixtures)
        if Phase.generate in base.phases and (ends := source.at_ends(base.max_examples)):
            last = given(case=source.cases())(asked)
            for case in reversed(ends):  # the one written last is tried first
                last = example(case=case)(last)
            vars(last).pop(APPLIED, None)
            Settings(base, phases=[Phase.explicit], report_multiple_bugs=False)(last)(*arguments, **fixtures)
            if never := sorted(source.question.using - source.question.compared.keys()):
                raise UndecidedError(f"{source!r}: {', '.join(never)} could be compared with the true value at no case"
                                     f"{source.question.reason}")
        if undecided := source.question.undecided:
            warnings.warn(f"{source!r}: no enclosure decides it at {len(undecided)} of the points looked at, which "
                          f"are left out: {min(undecided, key=lambda t: (len(t), t))}", stacklevel=1)

    signature = inspect.signature(test)
    _stand_for(test, run)
    run.__dict__ = test.__dict__  # the same one: what hypothesis' decorators add above is for the test
    run.__signature__ = signature  # type: ignore[attr-defined]
    return run


def _stand_for(function: Test, run: Test) -> None:
    """Give ``run`` the name, the place and the marks of the function that it is collected for."""
    run.__name__, run.__qualname__, run.__module__ = function.__name__, function.__qualname__, function.__module__
    run.__doc__, run.__dict__ = function.__doc__, dict(function.__dict__)
    if written := getattr(function, "__code__", None):  # a failure then points to the test, not to this file
        run.__code__ = run.__code__.replace(co_filename=written.co_filename, co_firstlineno=written.co_firstlineno)


def _failing(error: QTheoryError, function: Test) -> Test:
    """A test that fails with the error.  pytest gives it what ``parametrize`` names, and no fixture."""
    __tracebackhide__ = True
    _function(function)

    def run(*arguments: Any, **fixtures: Any) -> None:
        raise error.with_traceback(None) from None  # a test shows its own line and the message

    _stand_for(function, run)
    setattr(run, FAILING, error)
    return run


def _wanted(question: Question, function: Test) -> list[str]:
    """The parameters that the case fills."""
    names = list(inspect.signature(function).parameters)
    known = question.theorem.variables
    unused = [n for n in names if n in question.theorem.macros]
    if unused:
        raise UnknownNameError(f"variable of {question.theorem.id}", unused[0], sorted(known))
    return [n for n in names if n in known or n == "case"]


__all__ = ["theorem"]
