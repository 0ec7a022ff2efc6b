"""The printed tables of the exclusive-batching paper: the transcription, and the arithmetic that claims rest on."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor

import pytest
from claim_checks import SEEDS
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory.proofs.claims.eb.models import printed
from qtheory.proofs.claims.eb.models.tables import TABLES
from qtheory.proofs.decide import decide
from qtheory.proofs.kernel.statements import Statement

SEED = SEEDS / "004_db365b1e5968550d.txt"


@pytest.mark.skipif(not SEED.exists(), reason="the papers' text is not beside this checkout")
@pytest.mark.parametrize("number", sorted(TABLES))
def test_cells_stand_in_the_printed_lines(number: int) -> None:
    lines, table = SEED.read_text(encoding="utf-8").splitlines(), TABLES[number]
    assert table.lines[1] - table.lines[0] + 1 == len(table.rows)
    for row, cells in table.rows.items():
        text = lines[table.line(row)[0] - 1].replace(",", "")
        if number == 12:  # 6.6e-10 is printed as 6.6x10-10, twice over
            text = re.sub(r"([\d.]+)×10(\d+?)\1\\times 10\^\{-\2\}", r"\1e-\2", text)
        for cell in cells.values():
            bare = cell.replace("[", "").replace("]", "").replace(":", "")
            assert cell == "-" or bare in text, (row, cell)


@pytest.mark.skipif(not SEED.exists(), reason="the papers' text is not beside this checkout")
@pytest.mark.parametrize("number", [2, 3, 11, 14, 15, 16, 17, 18, 19, 20])
def test_cells_stand_in_order(number: int) -> None:
    lines, table = SEED.read_text(encoding="utf-8").splitlines(), TABLES[number]
    for row, cells in table.rows.items():
        text = lines[table.line(row)[0] - 1].replace(",", "").replace("%", "").replace("×\\times", "")
        tail = [c.lstrip("+") for c in text.split()]
        wanted = [c for c in cells.values() if c != "-"]
        assert tail[-len(wanted):] == wanted, row


def test_half_units() -> None:
    assert [printed.half_unit(c) for c in ("15.3", "1979", "0.090", "1.9e-5", "279e2", "-3.1")] == [
        Fraction(1, 20), Fraction(1, 2), Fraction(1, 2000), Fraction(1, 2 * 10**6), 50, Fraction(1, 20)]


def result(quantity: str, x: str, y: str, cell: str) -> Statement:
    """That the cell is the quantity of the printed x and y, as the claims on tables state it."""
    half, at = printed.half_unit(cell), f"({x}, {printed.half_unit(x)}, {y}, {printed.half_unit(y)})"
    return Statement(f"And(least{at} <= {cell} + {half}, {cell} - {half} <= most{at})", (), printed.BOUNDS[quantity])


PRINTED = st.integers(100, 9999).map(lambda n: f"{n // 100}.{n % 100:02d}")


@pytest.mark.later
@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.sampled_from(sorted(printed.BOUNDS)), PRINTED, PRINTED, st.integers(-8, 8), st.integers(-8, 8))
def test_bounds_hold_every_value_of_the_intervals(quantity: str, x: str, y: str, i: int, j: int) -> None:
    """Whatever inputs within half a unit give, rounded to 4 digits, is never called refuted."""
    value = printed.exact(quantity, Fraction(x) + Fraction(i, 1600), Fraction(y) + Fraction(j, 1600))
    cell = f"{float(round(value, 4)):.4f}"
    assert decide(result(quantity, x, y, cell)).verdict == "proved"


GAINS = [(T["v1"], T["eb"], T["delta"]) for T in TABLES[6].rows.values()] + [
    (row[f"{g}.v1"], row[f"{g}.eb"], row[f"{g}.diff"]) for n, groups in ((2, ("8b", "30b")), (17, ("rtx", "h200")))
    for name, row in TABLES[n].rows.items() if "average" not in name for g in groups]


@pytest.mark.sliced(4)
@pytest.mark.parametrize(("x", "y", "percent"), GAINS)
def test_the_last_results_that_follow_and_the_next(x: str, y: str, percent: str) -> None:
    """On both sides: the last printed percent that some inputs give is proved, the next one refuted."""
    u, v = printed.half_unit(x), printed.half_unit(y)
    low, high = ((Fraction(y) + s * v) / (Fraction(x) - s * u) * 100 - 100 for s in (-1, 1))
    last = floor((high + Fraction(1, 20)) * 10), ceil((low - Fraction(1, 20)) * 10)
    assert last[1] <= Fraction(percent) * 10 <= last[0]
    for tenths, verdict in ((last[0], "proved"), (last[0] + 1, "refuted"), (last[1], "proved"),
                            (last[1] - 1, "refuted")):
        assert decide(result("gain", x, y, f"{tenths / 10:.1f}")).verdict == verdict
