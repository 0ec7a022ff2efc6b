"""The printed tables of the exclusive-batching paper: the transcription, and the arithmetic that claims rest on."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor
from statistics import fmean, pstdev, stdev

import pytest
from claim_checks import SEEDS
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory.proofs.claims.eb import appendix_f_disaggregation, printed, section_4
from qtheory.proofs.claims.eb.tables import TABLES
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


PRINTED = st.integers(100, 9999).map(lambda n: f"{n // 100}.{n % 100:02d}")


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.sampled_from(sorted(printed.BOUNDS)), PRINTED, PRINTED, st.integers(-8, 8), st.integers(-8, 8))
def test_bounds_hold_every_value_of_the_intervals(quantity: str, x: str, y: str, i: int, j: int) -> None:
    """Whatever inputs within half a unit give, rounded to 4 digits, is never called refuted."""
    value = printed.exact(quantity, Fraction(x) + Fraction(i, 1600), Fraction(y) + Fraction(j, 1600))
    cell = f"{float(round(value, 4)):.4f}"
    found = printed.result(quantity, x, y, cell)
    assert decide(Statement(found.goal, (), found.let)).verdict == "proved"


GAINS = [(T["v1"], T["eb"], T["delta"]) for T in TABLES[6].rows.values()] + [
    (row[f"{g}.v1"], row[f"{g}.eb"], row[f"{g}.diff"]) for n, groups in ((2, ("8b", "30b")), (17, ("rtx", "h200")))
    for name, row in TABLES[n].rows.items() if "average" not in name for g in groups]


@pytest.mark.parametrize(("x", "y", "percent"), GAINS)
def test_the_last_results_that_follow_and_the_next(x: str, y: str, percent: str) -> None:
    """On both sides: the last printed percent that some inputs give is proved, the next one refuted."""
    u, v = printed.half_unit(x), printed.half_unit(y)
    low, high = ((Fraction(y) + s * v) / (Fraction(x) - s * u) * 100 - 100 for s in (-1, 1))
    last = floor((high + Fraction(1, 20)) * 10), ceil((low - Fraction(1, 20)) * 10)
    assert last[1] <= Fraction(percent) * 10 <= last[0]
    for tenths, verdict in ((last[0], "proved"), (last[0] + 1, "refuted"), (last[1], "proved"),
                            (last[1] - 1, "refuted")):
        found = printed.result("gain", x, y, f"{tenths / 10:.1f}")
        assert decide(Statement(found.goal, (), found.let)).verdict == verdict


def test_near_best_counts() -> None:
    count = appendix_f_disaggregation.count
    assert [count(p) for p in ("1", "5", "14", "15")] == [3, 5, 6, 7]


def test_every_disaggregated_time_is_compared() -> None:
    times = appendix_f_disaggregation.TTFTS
    assert len(times) == 2 * 9 * 3 - 2 * 3
    factors = sorted(Fraction(y) / Fraction(x) for y, x in times)
    assert (round(factors[0], 2), round(factors[-1], 2)) == (Fraction(197, 100), Fraction(2699, 100))
    assert sum(f < Fraction(5, 2) for f in factors) == 5 and sum(f > Fraction(37, 2) for f in factors) == 4


def test_losses_are_the_negative_entries() -> None:
    assert section_4.losses(section_4.diffs("rtx", "30b")) == ["-3.1", "-7.7"]


def test_oom_cells_are_where_the_text_says() -> None:
    table = TABLES[20]
    assert table["256.prefill.tp rtx.3p1d"] == "-" != table["256.decode.tp rtx.3p1d"]
    assert table["512.balanced.tp rtx.3p1d"] == "-"
    assert all(table[f"{row} {gpu}.eb+"] != "-" for row in table.rows for gpu in ("rtx", "h200"))
    assert all(TABLES[19][f"{row} {gpu}.eb+"] != "-" for row in TABLES[19].rows for gpu in ("rtx", "h200"))


# ---- Tables 3, 14 and 15 against the definitions that they rest on ----

GRIDS = st.integers(5, 8).flatmap(lambda sizes: st.lists(
    st.lists(st.integers(100, 170), min_size=sizes, max_size=sizes), min_size=1, max_size=8))


@pytest.mark.parametrize("divisor", [0, 1])
@settings(derandomize=True, max_examples=200, deadline=None)
@given(grid=GRIDS)
def test_no_full_grid_has_an_n_sens_above_its_cv_by_more_than_a_quarter(divisor: int, grid: list[list[int]]) -> None:
    """eb.app-F.1.metrics.bound, with either divisor of the variance, on throughputs whose range ratio is up to 1.7."""
    def cv(values: list[int]) -> float:
        return (stdev if divisor else pstdev)(values) / fmean(values)

    assert fmean(cv(row) for row in grid) <= 1.25 * cv([x for row in grid for x in row]) + 1e-12


@pytest.mark.parametrize("gpu", ["rtx", "h200"])
def test_little_s_law_in_table_3(gpu: str) -> None:
    """Requests in the system over c: all rows but EB(khat*)'s at c = 32 account for nearly all of them."""
    low = set()
    for c in (32, 512):
        for scheduler in ("v1", "eb", "eb+"):
            x, ttft, tpot = (float(TABLES[3][f"c{c}.{m} {gpu}.{scheduler}"]) for m in ("tp", "ttft", "tpot"))
            share = x / 768 * (ttft + 0.255 * tpot) / c
            assert share < 1.02
            if share < 0.9:
                low.add((c, scheduler))
    assert low == {(32, "eb")}
