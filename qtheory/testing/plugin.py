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
from typing import TYPE_CHECKING, Any

import pytest

from qtheory.testing.collecting import COLLECTED, FAILING, PutOff
from qtheory.testing.telling import TERMINAL

if TYPE_CHECKING:
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


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
        collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Add an item for each conjecture of a module that is refuted, or none, and that no test is known to use."""
    if not isinstance(collector, pytest.Module):
        return (yield)
    COLLECTED.append([])
    try:
        report = yield
    finally:
        lone = [kept for kept in COLLECTED.pop() if not kept.raised]
    report.result += [PutOffItem.from_parent(collector, name=k.call, kept=k) for k in lone]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> None:
    """Let a test that fails for its claim take what its marks parametrize, and ask for no fixture."""
    if getattr(obj, FAILING, False):
        marks = [*collector.iter_markers(), *getattr(obj, "pytestmark", ())]
        named = [m.args[0] if m.args else m.kwargs["argnames"] for m in marks if m.name == "parametrize"]
        names = [n.strip() for some in named for n in (some.split(",") if isinstance(some, str) else some)]
        taken = ["self"] * isinstance(collector, pytest.Class) + list(dict.fromkeys(n for n in names if n))
        function: Any = getattr(obj, "__func__", obj)
        function.__signature__ = Signature([Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in taken])


class PutOffItem(pytest.Item):
    """A statement of the module that could not be had."""

    def __init__(self, kept: PutOff, **options: Any) -> None:
        super().__init__(**options)
        self.kept = kept

    def runtest(self) -> None:
        raise self.kept.error.with_traceback(None)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        error = self.kept.error
        return f"{self.path.name}:{self.kept.line}: {type(error).__name__}: {error}"

    def reportinfo(self) -> tuple[Path | str, int | None, str]:
        return self.path, self.kept.line - 1, self.name


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
