"""A slice of the study of planted faults; that the tool plants, and hears; and that its page shows what was found."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
sys.path.append(str(FOLDER.parent))

from mutation import study, table  # noqa: E402
from mutation.chosen import NAMED  # noqa: E402
from mutation.faults import ROOMS, by_hand, drawn  # noqa: E402


@pytest.mark.slow(40)
def test_some_named_faults_are_killed(tmp_path: Path) -> None:
    results = tmp_path / "faults.jsonl"
    done = subprocess.run([sys.executable, str(FOLDER), "run", "--slice", "--strict", "--results", str(results)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(rows) >= 6 and {row["outcome"] for row in rows} == {"killed"}
    assert {"testing", "theory", "report", "profiles", "statistics"} <= {row["room"] for row in rows}
    assert not any(row["by"] == "the clock" for row in rows)


@pytest.mark.slow(10)
def test_a_fault_that_changes_nothing_survives(tmp_path: Path) -> None:
    """The tests pass in the copy, and what is planted there is not planted here."""
    from mutation.scratch import Scratch

    file, test = "qtheory/testing/errors.py", "tests/qtheory/test_testing.py::test_no_finite_cases_is_a_type_error"
    fault = by_hand(file, (ROOT / file).read_text().splitlines()[0], '"""Another docstring."""')
    code = (f"import sys; sys.path.insert(0, {str(FOLDER.parent)!r})\n"
            "from pathlib import Path\nfrom mutation.scratch import Scratch\nfrom mutation.faults import by_hand\n"
            f"s = Scratch(Path({str(tmp_path)!r})); s.fill()\n"
            f"print(s.run([{test!r}], by_hand({file!r}, {fault.before!r}, {fault.after!r})).failed or 'survived')")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.strip() == "survived", done.stdout + done.stderr
    assert (ROOT / file).read_text() == (Scratch(tmp_path).tree / file).read_text()


@pytest.mark.later
@pytest.mark.sliced(12)
@pytest.mark.parametrize("room", ROOMS)
def test_drawn_faults_are_programs_and_the_same_each_time(room: str) -> None:
    found = drawn(room, 12, 7)
    assert len(found) == len({f.id for f in found}) == 12
    if room in ("statistics", "policies"):  # of all rooms in one way, and these are small
        assert found == drawn(room, 12, 7)
    assert len({(f.file, f.line) for f in found}) == 12 and {f.room for f in found} == {room}
    for fault in found:
        source = (ROOT / fault.file).read_text()
        assert ast.dump(ast.parse(fault.planted(source))) != ast.dump(ast.parse(source))


@pytest.mark.later
def test_each_chosen_fault_is_still_there_and_its_test_exists() -> None:
    """And each of those that the earlier study named has been killed."""
    rows = study.known(study.RESULTS)
    for number, (file, before, after, tests) in enumerate(study.CHOSEN):
        fault = by_hand(file, before, after)
        assert number >= len(NAMED) or rows[fault.id]["outcome"] == "killed", (file, before)
        for test in tests:
            path, _, name = test.partition("::")
            assert not name or f"def {name}(" in (ROOT / path).read_text(), test


def test_the_page_shows_what_was_found() -> None:
    rows = study.known(study.RESULTS)
    assert len(rows) >= 600 and not table.missed(rows)
    page = (ROOT / "docs" / "measurements.md").read_text(encoding="utf-8")
    assert table.table(rows) in page
    few = {"x": {"id": "x", "room": "theory", "outcome": "survived", "origin": "drawn"}}
    told = table.missed(few)
    assert any(line.startswith("theory: ") for line in told) and "nothing drawn planted in theory" not in told
    assert {f"nothing chosen planted in {room}" for room in ROOMS} <= {*told}
    assert {f"nothing drawn planted in {room}" for room in ROOMS if room != "theory"} <= {*told}
    assert set(table.equivalent()) <= {i for i, row in rows.items() if row["outcome"] == "survived"}


@pytest.mark.parametrize(("without", "outcome"), [("", "killed"), ("the clock", "survived")])
def test_what_takes_too_long_without_a_fault_too_notices_none(without: str, outcome: str, tmp_path: Path) -> None:
    from mutation.scratch import CLOCK, Outcome

    file = "qtheory/testing/errors.py"
    fault = by_hand(file, (ROOT / file).read_text().splitlines()[0], '"""Another docstring."""')
    scratch = SimpleNamespace(run=lambda tests, planted, limit: Outcome(CLOCK if planted else without, True, 1.0, 0))
    row = study.judged(fault, ("tests/t.py",), study.Recorded(tmp_path / "none"), scratch, 0.0, ())
    assert (row["outcome"], row["by"]) == (outcome, "the clock" if outcome == "killed" else "")


@pytest.mark.slow(10)
def test_a_recorded_test_that_is_gone_notices_nothing(tmp_path: Path) -> None:
    from mutation.scratch import Scratch

    file, record = "qtheory/testing/errors.py", tmp_path / "record.jsonl"
    gone = {"test": "tests/qtheory/test_testing.py::test_of_old", "seconds": 0.1, "ran": [f"{file}::f"]}
    record.write_text(json.dumps(gone) + "\n")
    scratch = Scratch(tmp_path)
    scratch.fill()
    fault = by_hand(file, (ROOT / file).read_text().splitlines()[0], '"""Another docstring."""')
    with pytest.raises(ValueError, match=r"errors\.py one is there no more"):
        study.judged(fault, (), study.Recorded(record), scratch, 60.0, ())
