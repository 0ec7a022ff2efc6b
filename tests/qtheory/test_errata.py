"""The errata of a paper: a page that sums up, each root once by rank, the claims under it, then what stands."""

from __future__ import annotations

import re
from functools import cache

import pytest

from qtheory.proofs.claims.roots import OUTSIDE, RANKS
from qtheory.proofs.corpus import claims, paper, papers
from qtheory.proofs.records import STANDING, current, title
from qtheory.report.errata import HEADINGS, MAIN, Entry, Errata, errata
from qtheory.report.prose import shortened
from qtheory.report.verdicts import WRONG, obstacle

PAGE = 3400  # characters of running text on a page


@cache
def made(key: str) -> Errata:
    return errata(key)


def text(entry: Entry) -> str:
    return "".join(piece for _, piece in entry.line)


@pytest.mark.parametrize("key", ["eb", "to"])
def test_the_summary_comes_first_and_fits_a_page(key: str) -> None:
    _, summary, *rest = made(key).parts
    assert summary.heading.startswith("Summary") and summary.entries
    assert sum(map(len, map(text, summary.entries))) < PAGE
    assert [p.heading for p in rest if p.heading in HEADINGS.values()] == [
        HEADINGS[r] for r in RANKS if any(p.heading == HEADINGS[r] for p in rest)]


@pytest.mark.parametrize("key", ["eb", "to"])
def test_each_root_stands_once_with_its_claims(key: str) -> None:
    """Under its rank, those with a counterexample in the paper's settings first; told in full here or there."""
    document, roots = made(key), paper(key).roots
    of = {root.fails.rstrip(".") + ".": root for root in roots.values()}
    told = [(part.heading, of[entry.line[0][1]], entry) for part in document.parts[2:] for entry in part.entries
            if entry.line[0][1] in of]
    assert sorted(root.name for _, root, _ in told) == sorted(roots)
    ranked = [(RANKS.index(root.rank), root.outside) for _, root, _ in told]
    assert ranked == sorted(ranked) and all(heading == HEADINGS[root.rank] for heading, root, _ in told)
    summary = "".join(map(text, document.parts[1].entries))
    for _, root, entry in told:
        assert root.survives.rstrip(".") in text(entry) or root.survives.rstrip(".") in summary, root.name
        under = {line[0][1] for line in entry.below}
        assert under == {c.id for c in claims().values() if c.id.startswith(f"{key}.")
                         and c.marks.get("root") == root.name}


@pytest.mark.parametrize("key", ["eb", "to"])
def test_all_that_is_wrong_is_told_once(key: str) -> None:
    entries = [entry for part in made(key).parts[2:] for entry in part.entries]
    named = [line[0][1] for entry in entries for line in (entry.line, *entry.below)]
    wrong = {i for i, r in current().items() if i.startswith(f"{key}.") and r["verdict"] in WRONG}
    assert all(named.count(i) == 1 for i in wrong)


def test_the_summary_names_the_main_results_that_stand_or_are_open() -> None:
    said = {key: "".join(map(text, made(key).parts[1].entries)) for key in ("eb", "to")}
    assert "Proved, as printed: Proposition 3.4" in said["eb"]
    assert "in a narrower form: Theorem 1(a), Conjecture 1, Proposition 3" in said["to"]
    assert ("Proposition 1 is not decided." in said["to"]) == (current()["to.prop-1"]["verdict"] == "unknown")
    assert OUTSIDE in made("to").markdown()


@pytest.mark.parametrize("key", papers())
def test_nothing_stands_in_the_summary_by_more_than_its_verdict(key: str) -> None:
    """With its axioms, its bound and what is unknown of its conditions; no theorem of which a part is refuted; and what
    a second reader found narrower than the paper's sentence is not told as printed."""
    def kind(claim: str) -> tuple[str, bool]:
        return title(known[claim]).lower(), claims()[claim].marks.get("reading") == "narrowed"

    head = re.compile(r"(.+?)( up to a bound)?, (as printed|in a narrower form):")
    entries = {found.groups(): entry.line[1][1] for entry in made(key).parts[1].entries
               if (found := head.fullmatch(entry.line[0][1]))}
    known = {i: r for i, r in current().items() if i.startswith(f"{key}.") and MAIN.search(i)}
    assert len(entries) == len({kind(i) for i, r in known.items()
                                if r["verdict"] in STANDING and claims()[i].corrects is None})
    for (word, bound, form), listed in entries.items():
        assert (bound is not None) == (word.lower() == "checked")
        for i in known:
            place = re.escape(claims()[i].place.split(", (")[0])
            assert kind(i) == (word.lower(), form != "as printed") or not re.search(
                rf"{place}([,.]| \({re.escape(i)}\))", listed), i


@pytest.mark.parametrize("length", [1, 5, 50])
def test_an_obstacle_is_told_in_whole_sentences(length: int) -> None:
    sentence = "The law of the queues is outside the language."
    note = " ".join(["Raw line 7 has it.", *[sentence] * length])
    told = obstacle(note)
    assert len(told) < 700 and told.removesuffix(" …").count(sentence) * (len(sentence) + 1) - 1 == len(
        told.removesuffix(" …"))
    assert told.endswith(" …") is (length == 50)


def test_what_is_not_decided_is_not_told_as_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim has a root in its file, whatever its verdict is: a record that is not wrong any more brings it down."""
    fallen = [c.id for c in claims().values() if c.id.startswith("eb.") and "root" in c.marks]
    recorded = current()
    known = {**recorded, **{i: {**recorded[i], "verdict": "unknown"} for i in fallen}}
    monkeypatch.setattr("qtheory.report.errata.current", lambda: known)
    assert not [part for part in errata("eb").parts if part.heading in HEADINGS.values()]


def test_a_quote_is_cut_outside_of_its_formulas() -> None:
    formula = r"$\frac{1}{2} < x + y + z$"
    assert shortened(f"if {formula}, then so", 10) == "if …"
    assert shortened(f"if {formula}, then so", 20) == f"if {formula} …"
    assert shortened(f"if {formula}.", 20) == f"if {formula}."
    assert shortened("the batch time", 10) == "the batch …"
    assert shortened(r"\frac{1}{2} < x + y", 8) == r"\frac{1}{2} < x + y"
