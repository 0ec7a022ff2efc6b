"""The page's table of networks with a published answer: complete, and what the library says."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
_SPEC = importlib.util.spec_from_file_location("network_table", BENCHMARKS / "network_table.py")
assert _SPEC is not None and _SPEC.loader is not None
table = importlib.util.module_from_spec(_SPEC)
sys.modules.setdefault("network_table", table)
_SPEC.loader.exec_module(table)

PAGE = table.PAGE.read_text(encoding="utf-8")
SECTION = PAGE.split(f"{table.HEADING}\n", 1)[1].split("\n## ", 1)[0]
ROWS = [tuple(cell.strip() for cell in text.strip("|").split("|")) for text in SECTION.splitlines()
        if text.startswith("|")][2:]


def test_the_page_has_every_network_with_its_answer() -> None:
    instances = [*table.INSTANCES, *table.more()]
    assert [row[:3] for row in ROWS] == [(i.name, i.source, i.answer) for i in instances]
    assert len(table.INSTANCES) == 53 and len(instances) >= 73
    assert all(table.good(row, float(row[-1])) for row in ROWS)
    assert [row[0] for row in ROWS if row[3] == "undecided"] == list(table.OPEN)


@pytest.mark.parametrize("row", [r for r in ROWS if float(r[-1]) < 0.1][::6], ids=lambda r: r[0])
def test_a_row_is_what_the_library_says(row: tuple[str, ...]) -> None:
    [instance] = [i for i in (*table.INSTANCES, *table.more()) if i.name == row[0]]
    cells, _ = table.row(instance)
    assert cells[:6] == row[:6]


def test_a_wrong_or_late_row_is_not_good() -> None:
    row = ("a", "by nobody", "stable", "stable", "pieces", "1", "0.1")
    assert table.good(row, 1.0) and not table.good(row, table.MOST + 1)
    assert not table.good((*row[:3], "unstable", *row[4:]), 1.0)
    assert not table.good((*row[:3], "undecided", *row[4:]), 1.0)
    assert table.good((table.OPEN[0], *row[1:3], "undecided", *row[4:]), 1.0)


def test_the_table_is_written_in_place_of_the_one_before() -> None:
    page = f"# Page\n\n{table.HEADING}\n\nWords.\n\n| old |\n\n## Next\n\n| kept |\n"
    once = table.written(page, ["| new |"])
    assert once == f"# Page\n\n{table.HEADING}\n\nWords.\n\n| new |\n\n## Next\n\n| kept |\n"
    assert table.written(once, ["| new |"]) == once
    with pytest.raises(SystemExit):
        table.written("# Page\n", [])
