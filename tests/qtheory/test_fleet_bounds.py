"""A slice of the study of lower bounds on fleets: a gap, runs below the bound, and that it goes on where it stopped."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from qtheory.planning.deciding import workers_of
from qtheory.planning.requests import hour

sys.path.insert(0, str(Path(__file__).parents[1] / "studies"))

import fleet_bounds


@pytest.fixture(scope="module")
def case() -> tuple[str, fleet_bounds.Cluster]:
    return next(c for c in fleet_bounds.cases() if c[0].startswith("two-classes"))


def test_there_are_nine_cases() -> None:
    named = [name for name, _ in fleet_bounds.cases()]
    assert len(set(named)) == 9 and len({name.partition(",")[0] for name in named}) == 3


def test_the_gap_is_at_most_a_gpu_and_is_told_with_percentiles(case: tuple[str, fleet_bounds.Cluster]) -> None:
    name, cluster = case
    short = cluster.model_copy(update={"seconds": 600.0})
    line, good = fleet_bounds.gap_line(name, short, hour(short), cluster.gpu[0], workers_of(cluster)[0])
    assert good and "TPOT mean" in line and line.count("percentiles 50, 90, 99") == 2


@pytest.mark.parametrize(("policy", "rule", "seed"), [("sarathi", "least-work", 1), ("vllm", "in-turns", 2)])
def test_no_fleet_below_its_bound_meets_its_limits(case: tuple[str, fleet_bounds.Cluster], policy: str, rule: str,
                                                   seed: int) -> None:
    runs = fleet_bounds.below(*case, policy, rule, seed)
    assert len(runs) == 1 and not runs[0][1]


def test_a_study_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    made: list[str] = []

    def of(kept: fleet_bounds.Kept, key: str) -> object:
        return kept.of(key, lambda: made.append(key) or [["a line", False]])

    file = tmp_path / "kept.jsonl"
    first = fleet_bounds.Kept(file)
    assert of(first, "a") == of(first, "a") and made == ["a"]
    file.write_text(file.read_text() + '["b", [["cut')
    again = fleet_bounds.Kept(file)
    assert of(again, "a") == [["a line", False]] and made == ["a"]
    of(again, "b")
    assert made == ["a", "b"] and set(fleet_bounds.Kept(file).found) == {"a", "b"}
