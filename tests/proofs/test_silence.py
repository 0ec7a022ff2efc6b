"""Nothing false is proved at any door; most of it is refuted; and the true statement beside it is proved."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from silent_errors import silence
from silent_errors.cases import Class, parts
from silent_errors.doors import ERROR, certificate, checked

CLASSES = list(silence.classes())
NAMES = [f"{c.door}: {c.name}" for c in CLASSES]
TRUE = [(c, case) for c in CLASSES for case in c.true]
SAMPLE = random.Random(15).sample(TRUE, 20)
SLICE = 4  # of a class' ten: make studies brings all to their doors
SLOW_TO_PROVE = 0.75  # of the true statements that are drawn, at least this part is proved in the time of a test


Result = Callable[[int], silence.Result]


@pytest.fixture(scope="module")
def result(once: Callable[[str, Callable[[], Any]], Any]) -> Result:
    """What was said of a class; the first worker that wants it asks."""
    kept = attrgetter("words", "seconds")

    def told(number: int) -> silence.Result:
        asked = CLASSES[number]
        return silence.Result(asked, *once(f"silence {number}", lambda: kept(silence.run(asked, SLICE))))

    return told


@pytest.mark.sliced(16)
@pytest.mark.parametrize("number", range(len(CLASSES)), ids=NAMES)
def test_nothing_false_is_proved(number: int, result: Result) -> None:
    found = result(number)
    assert found.silent, [text for text, word in found.words if word not in ("refuted", "unknown", ERROR)]
    assert found.counts.keys() <= {"refuted", "unknown", ERROR}


@pytest.mark.slow
def test_most_of_it_is_refuted(result: Result) -> None:
    results = [result(n) for n, c in enumerate(CLASSES) if c.door not in silence.NEVER_REFUTING]
    words = [word for r in results for _, word in r.words]
    judged = [word for word in words if word != ERROR]
    assert len(words) >= 300 and judged.count("refuted") >= 0.8 * len(judged)


def test_half_of_it_is_near_to_something_true() -> None:
    false = [case for c in CLASSES for case in c.false]
    assert sum(bool(case.near) for case in false) >= len(false) / 2
    assert all(1 <= len(c.false) <= silence.MOST for c in CLASSES)
    assert len({case.text for c in CLASSES for case in c.false}) > 0.95 * len(false), "the same statement twice"


@pytest.mark.slow
def test_the_true_statements_beside_it_are_proved() -> None:
    words = {case.text: case.run() for _, case in SAMPLE}
    assert set(words.values()) <= {"proved", "unknown"}, words
    assert list(words.values()).count("proved") >= SLOW_TO_PROVE * len(words), words


@pytest.mark.slow
def test_no_statement_hides_behind_an_error(result: Result) -> None:
    """Where a door refuses more than a few, the class is one of refusals."""
    counts = {name: (result(n).counts[ERROR], len(result(n).words)) for n, name in enumerate(NAMES)}
    assert {name: c for name, c in counts.items() if 1 < c[0] < c[1]} == {}


@pytest.mark.parametrize("line", ["exp(x) >= 1 + x", "-log(1 - x) > x | 0 < x < 1", "f(2) == 4 | | f(x) = x**2"])
def test_the_certificates_are_valid_before_they_are_forged(line: str) -> None:
    goal, where, let = parts(line)
    options = [o for c in where for o in ("--where", c)] + [o for d in let for o in ("--let", d)]
    assert checked(json.loads(certificate(line))) == "proved"
    assert checked(json.loads(certificate(line)), "--goal", goal, *options) == "proved"


def test_a_door_that_says_proved_is_heard() -> None:
    """The run itself can fail."""
    loud = Class("none", "none", tuple(c for c in CLASSES[0].true))
    assert not silence.run(loud).silent


def test_the_page_shows_these_tables() -> None:
    """How many statements stand at each door; how many are refuted is as of the last writing of the page."""
    page = (Path(__file__).parents[2] / "docs" / "measurements.md").read_text(encoding="utf-8")
    for door in dict.fromkeys(c.door for c in CLASSES):
        false = [case for c in CLASSES if c.door == door for case in c.false]
        near = sum(bool(case.near) for case in false)
        assert f"\n| {door} | {sum(c.door == door for c in CLASSES)} | {len(false)} | {near} | 0 | " in page
