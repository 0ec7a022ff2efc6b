"""The page that says what the language means: each of its examples has the verdict under which it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.grammar import FUNCTIONS, PREDICATES
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.verdict import Verdict

PAGE = Path(__file__).parents[2] / "docs" / "language.md"
HEADER = "| construct | true | false | undefined |"
TEXT = re.compile(r"`([^`]*)`")


def rows() -> Iterator[list[str]]:
    """The cells of the tables of examples."""
    inside = False
    for line in PAGE.read_text(encoding="utf8").splitlines():
        inside = line.startswith("|") and (inside or line == HEADER)
        if inside and line != HEADER and not line.startswith("| ---"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def example(cell: str) -> Statement | None:
    """A goal, its conditions after "where" and its definitions after "let"; None for a dash."""
    if cell == "–":
        return None
    rest, _, let = cell.partition(" let ")
    goal, _, where = rest.partition(" where ")
    return Statement(TEXT.findall(goal)[0], tuple(TEXT.findall(where)), tuple(TEXT.findall(let))).parsed()


def examples(column: int) -> list[object]:
    found = [(row[0], example(row[column])) for row in rows()]
    return [pytest.param(s, id=f"{name}: {s.goal}") for name, s in found if s is not None]


def verdict(statement: Statement) -> Verdict:
    return decide(statement, budget=10)


@pytest.mark.sliced(4)
@pytest.mark.parametrize("statement", examples(1))
def test_what_is_true_is_proved(statement: Statement) -> None:
    assert verdict(statement).verdict == "proved"


@pytest.mark.sliced(3)
@pytest.mark.parametrize("statement", examples(2))
def test_what_is_false_is_refuted(statement: Statement) -> None:
    found = verdict(statement)
    assert (found.verdict, found.undefined) == ("refuted", None)


@pytest.mark.sliced(3)
@pytest.mark.parametrize("statement", examples(3))
def test_what_is_undefined_is_refuted_and_the_subterm_named(statement: Statement) -> None:
    found = verdict(statement)
    assert found.verdict == "refuted" and found.undefined is not None


def test_every_row_has_four_cells_and_almost_all_have_all_examples() -> None:
    found = list(rows())
    assert len(found) > 70
    for row in found:
        assert len(row) == 4 and example(row[1]) is not None, row
    dashes = [row[0] for row in found if None in map(example, row[1:])]
    assert dashes == ["variables", "function symbols", "`Exists`", "`Exists` over integers", "`ExistsUnique`",
                      "operators in terms", "`BigO` at `oo`"]


def test_every_function_and_notation_of_the_language_has_a_row() -> None:
    shown = " ".join(cell for row in rows() for cell in row)
    tables = PAGE.read_text(encoding="utf8")
    for name in (*FUNCTIONS, *PREDICATES):
        assert re.search(rf"\b{name}\b", tables), name
    aliases = {"Derivative", "integrate", "Limit", "Eq", "Ne", "Gt", "Ge", "Lt", "Le"}
    for name in {*FUNCTIONS, *PREDICATES} - aliases:
        assert re.search(rf"\b{name}\b", shown), name
