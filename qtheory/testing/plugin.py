"""The pytest plugin: ``pytest --qtheory=eb,to`` referees claims afresh, each as a test item.

An item passes when the fresh verdict equals the recorded one; a claim of your own (``--qtheory=my_claims.py``), which
has no record, when it stands.  ``--qtheory-strict`` fails on the refuted ones too, and prints the counterexample.

pytest loads this module in every run, so it imports nothing that takes time before claims are asked for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from inspect import Parameter, Signature
from pathlib import Path
from types import MethodType
from typing import TYPE_CHECKING, Any

import pytest

from qtheory.testing.collecting import COLLECTED, KEPT, RAISED, Collected, PutOff, failing_for
from qtheory.testing.telling import MEMORY, TERMINAL

if TYPE_CHECKING:
    from qtheory.errors import QTheoryError
    from qtheory.proofs.verdict import Verdict

REFUTED = ("refuted", "contradicted")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("qtheory", "refereeing the claims of qtheory")
    group.addoption("--qtheory", metavar="NAMES", default=None, help=(
        "claims to referee as test items: ids, papers and Python files of claims, separated by commas"))
    group.addoption("--qtheory-strict", action="store_true", default=False, help=(
        "fail on refuted claims too, with the counterexample"))


def pytest_configure(config: pytest.Config) -> None:
    with suppress(AttributeError, OSError, ValueError):  # standard error may be no file
        stream = os.fdopen(os.dup(sys.stderr.fileno()), "w")  # what is written while tests are collected is kept back
        TERMINAL.append(stream)
        config.add_cleanup(stream.close)
        config.add_cleanup(lambda: TERMINAL.remove(stream))
    if (memory := getattr(config, "cache", None)) is not None:
        MEMORY.append(memory)
        config.add_cleanup(lambda: MEMORY.remove(memory))
    if config.getoption("qtheory") is not None:
        config.stash[_SELECTED] = _selected(str(config.getoption("qtheory")))
    elif config.getoption("qtheory_strict"):
        raise pytest.UsageError("--qtheory-strict goes with --qtheory=NAMES")


_SELECTED = pytest.StashKey[list[tuple[str | None, str]]]()


def _selected(names: str) -> list[tuple[str | None, str]]:
    """(source, id) of the claims; a UsageError, with the nearest names, for one that there is not."""
    from qtheory.errors import QTheoryError
    from qtheory.proofs.corpus import select

    wanted = [n.strip() for n in names.split(",") if n.strip()]
    if not wanted:
        raise pytest.UsageError("--qtheory needs names: claims, papers or files, separated by commas")
    try:
        return select(wanted)
    except QTheoryError as error:
        raise pytest.UsageError(f"--qtheory: {error}") from None


@pytest.hookimpl(tryfirst=True)  # before those that deselect by -k and -m
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = config.stash.get(_SELECTED, [])
    if chosen:
        items.extend(_Claims.from_parent(session, name="qtheory", nodeid="qtheory", chosen=chosen).collect())


_MODULES = pytest.StashKey[dict[Path, list[pytest.Module]]]()  # those whose tests are collected, not their doctests


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makemodule(parent: pytest.Collector) -> Generator[None, pytest.Module, pytest.Module]:
    module = yield
    parent.config.stash.setdefault(_MODULES, {}).setdefault(module.path, []).append(module)
    return module


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
        collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Add to a module what its own code asked for and could not have; what an item of it raises is left out later."""
    modules = collector.config.stash.get(_MODULES, {}).get(collector.path)
    if not modules or not isinstance(collector, pytest.Module):
        return (yield)
    COLLECTED.append(Collected(collector.path))
    try:
        report = yield
    finally:
        new = COLLECTED.pop().kept
    if report.passed and collector in modules and (report.result or new):  # then it has been loaded
        kept: list[PutOff] = vars(collector.obj).get(KEPT, [])
        report.result += [PutOffs.from_parent(collector, name=k.call, kept=k) for k in kept]
    elif report.skipped and new:  # the module ended itself after that
        report.outcome, report.longrepr = "failed", "\n".join(told(collector.path, k) for k in new)
    return report


_RAISED = pytest.StashKey[list["QTheoryError"]]()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Remember the errors that the items raise."""
    if isinstance(item, pytest.Function):
        parts = [item.obj, getattr(getattr(item.obj, "hypothesis", None), "inner_test", None)]
        item.config.stash.setdefault(_RAISED, []).extend(error for part in parts if (error := failing_for(part)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    """Leave out what a test has raised that draws from a strategy: which test that is, shows when it runs."""
    return True if isinstance(item, PutOffItem) and getattr(item.kept.error, RAISED, False) else None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> None:
    """Let a test that fails for its claim take what its marks parametrize, and ask for no fixture."""
    function: Any = obj.__func__ if isinstance(obj, staticmethod | classmethod | MethodType) else obj
    if failing_for(function):
        for name in [n for n in vars(function) if n.startswith(("_hypothesis", "hypothesis_explicit"))]:
            delattr(function, name)  # hypothesis would say that the test is none of its own
        marks = [*collector.iter_markers(), *getattr(function, "pytestmark", ())]
        named = [m.args[0] if m.args else m.kwargs["argnames"] for m in marks if m.name == "parametrize"]
        names = [n.strip() for some in named for n in (some.split(",") if isinstance(some, str) else some)]
        bound = isinstance(collector, pytest.Class) and not isinstance(obj, staticmethod)
        taken = ["self"] * bound + list(dict.fromkeys(n for n in names if n))
        function.__signature__ = Signature([Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in taken])


class PutOffs(pytest.Collector):
    """A statement of the module that could not be had: an item, unless one that was collected before raises that."""

    def __init__(self, kept: PutOff, **options: Any) -> None:
        super().__init__(**options)
        self.kept = kept

    def collect(self) -> Iterator[PutOffItem]:
        assert self.parent is not None
        if all(error is not self.kept.error for error in self.config.stash.get(_RAISED, [])):
            yield PutOffItem.from_parent(self.parent, name=self.name, kept=self.kept)


class PutOffItem(pytest.Item):
    """A statement that could not be had, and that no test is for."""

    def __init__(self, kept: PutOff, **options: Any) -> None:
        super().__init__(**options)
        self.kept = kept

    def runtest(self) -> None:
        raise self.kept.error.with_traceback(None)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        return told(self.path, self.kept)

    def reportinfo(self) -> tuple[Path | str, int | None, str]:
        return self.path, self.kept.line - 1, self.name


def told(path: Path, kept: PutOff) -> str:
    return f"{path.name}:{kept.line}: {type(kept.error).__name__}: {kept.error}"


class _Claims(pytest.Collector):
    """The claims that were asked for."""

    def __init__(self, chosen: list[tuple[str | None, str]], **options: Any) -> None:
        super().__init__(**options)
        self.chosen = chosen

    def collect(self) -> Iterator[ClaimItem]:
        for source, name in self.chosen:
            yield ClaimItem.from_parent(self, name=name, source=source)


class ClaimItem(pytest.Item):
    """One claim, refereed afresh."""

    def __init__(self, source: str | None, **options: Any) -> None:
        super().__init__(**options)
        self.source = source

    def runtest(self) -> None:
        from qtheory.proofs.corpus import claims, referee
        from qtheory.proofs.visible import visible

        verdict = referee(claims(self.source)[self.name])
        why = self._difference(verdict)
        if not why and verdict.verdict in REFUTED and self.config.getoption("qtheory_strict"):
            better = f"; its correction is {verdict.corrected_by}" if verdict.corrected_by else ""
            why = f"{verdict.title}{better}"
        if why:
            stated = [f"  {visible(line)}" for line in verdict.statement.split("\n")]
            raise ClaimFailed("\n".join([visible(f"{self.name}: {why}"), *stated, *verdict.reasons()]))

    def _difference(self, verdict: Verdict) -> str:
        """How the verdict differs from the record; for a claim that has none, that it does not stand."""
        from qtheory.proofs.records import STANDING, differences

        if self.source is None:
            return "; ".join(d.why for d in differences([verdict]))
        fine = verdict.verdict in (*STANDING, "reported", "assumed", "imprecise")
        return "" if fine else f"the verdict is {verdict.title}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        from qtheory.errors import QTheoryError

        if isinstance(excinfo.value, ClaimFailed | QTheoryError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path | str, int | None, str]:
        return self.source or "qtheory", None, f"claim {self.name}"


class ClaimFailed(Exception):
    """The fresh verdict is not the recorded one, or the claim is refuted."""
