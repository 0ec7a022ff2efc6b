"""The survey of false variants: what it found is on record, of claims that are proved, and the guide says the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

from qtheory.proofs.corpus import claims
from qtheory.proofs.records import records

# claim -> false variants found and certified (20 are asked for), those within one percent (5), and their sorts
SURVEY: dict[str, list[int]] = json.loads(Path(__file__).with_name("variant_survey.json").read_text())
GUIDE = Path(__file__).parents[2] / "docs" / "guide.md"
ENOUGH = [claim for claim, (found, near, _) in SURVEY.items() if found == 20 and near >= 5]


def test_the_survey_is_of_proved_claims() -> None:
    assert len(SURVEY) >= 150
    proved = {c for c, told in records().items() if told.get("verdict") == "proved"}
    assert SURVEY.keys() <= proved & claims().keys()
    assert all(near <= found <= 20 and (found + 2) // 3 <= sorts <= found for found, near, sorts in SURVEY.values())


def test_the_guide_says_what_the_survey_found() -> None:
    said = re.search(r"survey of (\d+)\s+claims found 20 and 5\s+for (\d+)", GUIDE.read_text())
    assert said is not None
    assert [int(n) for n in said.groups()] == [len(SURVEY), len(ENOUGH)]


def test_the_claims_that_fall_short_compare_printed_numbers_mostly() -> None:
    short = SURVEY.keys() - set(ENOUGH)
    statements = [claims()[c].statement for c in short]
    said = re.search(r"of the other (\d+), (\d+)\s+compare", GUIDE.read_text())
    assert said is not None
    plain = sum(s is not None and not s.variables for s in statements)
    assert [int(n) for n in said.groups()] == [len(short), plain]
