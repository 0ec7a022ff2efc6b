"""The tables of a paper's verdicts and errata: what the record says, in forms that compile."""

from __future__ import annotations

from collections import Counter

import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.proofs.catalogue import items
from qtheory.proofs.claims.model import SEVERITIES
from qtheory.proofs.corpus import claims, papers
from qtheory.proofs.records import records
from qtheory.proofs.verdict import VERDICTS
from qtheory.proofs.visible import flowing
from qtheory.report import tables
from qtheory.report.verdicts import APART, SHORTENED, SHOWN, WRONG, counterexample, sentences, why_not


@pytest.mark.slow
@pytest.mark.parametrize("paper", papers())
def test_verdicts_count_each_claim_once(paper: str) -> None:
    table = tables.verdicts(paper)
    shown = [c.name for c in table.columns if c.name in (*VERDICTS, *APART)]
    counted = {v: sum(int(n or 0) for n in table.column(v)) for v in shown}
    mine = [i for i in claims() if i.startswith(f"{paper}.")]
    flagged = {i.id for i in items(paper) if i.flag}
    of_axioms, perhaps_never = APART  # columns of proved ones: from textbooks, and under conditions of unknown use
    expected = []
    for i in mine:
        if i not in flagged:
            told = records()[i]
            expected.append(of_axioms if "axioms" in told else perhaps_never if "satisfiable" in told
                            else told["verdict"])
    assert counted == {v: expected.count(v) for v in shown} and sum(counted.values()) == len(expected)
    *sections, beside = table.to_dict()["rows"]
    listed = {i.id: i.section for i in items(paper)}
    stated = Counter(flowing(listed[i]) for i in mine if i in listed and i not in flagged)
    assert {row["section"]: row["items"] for row in sections} == stated and len(sections) == len(stated)
    assert all(sum(int(row[v]) for v in shown) == row["items"] and row["others"] is None for row in sections)
    assert beside["items"] is None and beside["others"] == sum(i not in listed for i in mine)


@pytest.mark.later
@pytest.mark.sliced(5)
@pytest.mark.parametrize("paper", papers())
def test_errata_are_what_the_record_refutes(paper: str) -> None:
    table = tables.errata(paper)
    wrong = {i for i, r in records().items() if r["verdict"] in WRONG and i.startswith(f"{paper}.")}
    assert set(table.column("claim")) == wrong
    severities = list(table.column("severity"))
    assert severities == sorted(severities, key=SEVERITIES.index)
    assert all(table.column("correction")) and all(table.column("why")) and all(table.column("printed"))
    assert all(table.column("counterexample"))
    for name, lines, by, about in zip(*map(table.column, ("claim", "lines", "by", "about")), strict=True):
        first, last = claims()[str(name)].lines
        assert lines == (str(first) if first == last else f"{first}-{last}") and f"({lines}; {by}" in str(about)
    for shown, whole in zip(table.column("shown"), table.column("counterexample"), strict=True):
        assert len(str(shown)) <= SHOWN + 2 and (str(shown).endswith(" …") or len(str(whole)) >= len(str(shown)))


@pytest.mark.later
def test_counterexamples_are_found_afresh() -> None:
    assert "theta in [" in counterexample("eb.sec-3.1.theta0-limit")
    assert counterexample("eb.table-20.3-ttft") == "the printed numbers themselves"
    row = tables.errata("eb").column("claim").index("eb.sec-3.5.light")
    assert "zeta ≈ 0.356675" in str(tables.errata("eb").column("shown")[row])


@pytest.mark.parametrize("paper", papers())
def test_readings_are_marked_and_stand_last(paper: str) -> None:
    table = tables.errata(paper)
    readings = {r for c in claims().values() if c.verdict == "imprecise" for r in c.readings} - {
        i.id for i in items(paper)}
    marks = ["a reading" in about for about in table.column("about")]
    assert marks == [name in readings for name in table.column("claim")]
    order = [(s != "substantive", mark) for s, mark in zip(table.column("severity"), marks, strict=True)]
    assert order == sorted(order)


def test_the_reason_in_a_note() -> None:
    assert why_not("It fails (l. 103) at k = N. Raw line 3: x.") == "It fails (l. 103) at k = N."
    assert why_not("Whole") == "Whole"
    assert why_not("Strong reading. Raw line 3: 'x'. Independent use: the sum of l. 5. It is odd by App. C there.") == (
        "The sum of l. 5.")
    assert why_not("Strong reading: the sum of m is odd. More.") == "The sum of m is odd."


def test_what_does_not_go_with_the_table_is_said() -> None:
    with pytest.raises(UnknownNameError, match="unknown paper"):
        tables.verdicts("none")
    with pytest.raises(InputError, match="takes --paper"):
        tables.build("errata", batch=[64])
    with pytest.raises(InputError, match="takes no --paper"):
        tables.build("eb-threshold", paper="eb")


@pytest.mark.parametrize("word", SHORTENED)
def test_a_shortened_word_ends_no_sentence(word: str) -> None:
    first = f"The bound holds by {word}. (3) and {word}. Theorem 2 of it."
    assert sentences(f"{first} The final word is told.") == [first, "The final word is told."]


def test_words_that_end_like_shortened_ones_end_sentences() -> None:
    said = ["It is final.", "The end.", "(So it is said.)"]
    assert sentences(" ".join(said)) == said
